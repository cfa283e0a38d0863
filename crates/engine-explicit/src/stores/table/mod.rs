//! A set of numbers below 2^d in a lock-free table of quotients.
//!
//! A number is permuted inside its domain; its high part chooses a cache line, the slot holds only
//! the rest and how far the line is from home. That is exact: the number can be computed back from
//! the slot. Slots have 32, 40, 48 or 64 bits, whatever is enough. In a table with marks one bit of a
//! slot says whether the number is marked; it is when it comes in.

use std::sync::Arc;

use everypath_model::spawn;

use crate::stores::atomics::{AtomicU32, AtomicU64, Ordering};
use crate::stores::lines::{Isa, Job, Scanner};
use crate::stores::mix::Mixed;
use crate::stores::pages::{LINE, Lines};
use crate::stores::permute::Permutation;
use crate::stores::prefetch::{prefetch, prefetch_to_write};
use crate::stores::store::{Name, Seen};

mod cells;
mod grow;
mod split;

use split::{Met, Split, Split40, Split48};

/// Bits of a slot that tell the distance from home; 0 is a free slot.
const DISPLACEMENT_BITS: u32 = 4;
/// Lines that are tried for a number.
const PROBES: u64 = (1 << DISPLACEMENT_BITS) - 1;
/// Bits that tell where a number belongs, if it has so many, and by how many more than those of lines they
/// have to be.
const BASE: u32 = 32;
const SPREAD: u32 = 6;
/// Lines that are worth a thread which makes their pages.
const LARGE: usize = (4 << 20) / LINE;
/// Slots of a line, at most.
const MOST_SLOTS: usize = 16;
/// The bit of a slot that is the mark, in a table with marks.
const MARK: u64 = 1 << DISPLACEMENT_BITS;

/// Bits of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    Bits32,
    Bits40,
    Bits48,
    Bits64,
}

impl Width {
    /// From the narrowest to the widest.
    pub const ALL: [Width; 4] = [Width::Bits32, Width::Bits40, Width::Bits48, Width::Bits64];

    fn slots(self) -> u64 {
        match self {
            Width::Bits32 => 16,
            Width::Bits40 => 12,
            Width::Bits48 => 10,
            Width::Bits64 => 8,
        }
    }

    fn bits(self) -> u32 {
        match self {
            Width::Bits32 => 32,
            Width::Bits40 => 40,
            Width::Bits48 => 48,
            Width::Bits64 => 64,
        }
    }
}

/// The size of a table, before it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub bits: u32,
    /// Bits of a number that tell where it belongs.
    pub base: u32,
    pub width: Width,
    pub lines: u64,
    pub marks: bool,
}

impl Plan {
    /// The smallest table for numbers of `bits` bits with at least `slots` slots.
    pub fn new(bits: u32, slots: u64, marks: bool) -> Plan {
        let plans = Width::ALL.map(|width| Plan::with(width, bits, slots, marks));
        plans.into_iter().min_by_key(|plan| plan.lines).unwrap_or(plans[3])
    }

    /// The same with slots of a certain width.
    pub fn with(width: Width, bits: u32, slots: u64, marks: bool) -> Plan {
        let plan = Plan { bits, base: bits, width, lines: 0, marks };
        // The rest has to fit: at least 2^(bits - rest) lines, and an even number of them.
        let least = 1u64 << bits.saturating_sub(plan.rest());
        let lines = slots.div_ceil(width.slots()).max(least).max(2).next_multiple_of(2);
        Plan { lines, ..plan }
    }

    /// The same table for numbers of as many bits as it can hold.
    pub fn widest(self) -> Plan {
        let bits = (self.rest() + self.lines.ilog2()).clamp(self.bits, 64);
        Plan { bits, base: self.base.max(bits.min(BASE)), ..self }
    }

    /// The same table with the order of an older one, to which numbers are moved faster, unless it is too
    /// large for that.
    pub fn in_order_of(self, old: Plan) -> Plan {
        let enough = self.lines.ilog2() + SPREAD <= old.base;
        Plan { base: if enough && old.base <= self.bits { old.base } else { self.base }, ..self }
    }

    /// Bits of a number that fit into a slot.
    fn rest(self) -> u32 {
        self.width.bits() - DISPLACEMENT_BITS - u32::from(self.marks)
    }

    /// Bytes of the table.
    pub fn bytes(self) -> u64 {
        self.lines * LINE as u64
    }

    /// Slots of the table.
    pub fn slots(self) -> u64 {
        self.lines * self.width.slots()
    }
}

/// The table is too full, though other numbers may still fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overflow;

/// A set of numbers.
#[derive(Debug)]
pub(crate) struct Table {
    plan: Plan,
    permutation: Permutation,
    /// How many bases share a home.
    span: u64,
    /// About 2^64 / span, to divide by it.
    reciprocal: u64,
    isa: Isa,
    /// The lines of the table, and maybe others that it has no use for yet.
    memory: Arc<Lines>,
    /// Whether one thread only puts numbers in, which is faster.
    alone: bool,
}

/// A number on its way into the table: its image under the permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Image(pub u64);

/// A number on its way into the table, with the line and the slot where it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub key: u64,
    line: u64,
    slot: u64,
}

impl Target {
    /// A number that is known by its hash.
    #[inline]
    pub fn hashed(key: u64, hash: Mixed) -> Target {
        Target { key, line: hash.first, slot: hash.second }
    }

    /// The hash that it is known by.
    #[inline]
    pub fn hash(&self) -> Mixed {
        Mixed { first: self.line, second: self.slot }
    }

    /// A number whose place is not known yet.
    pub fn at_no_place(key: u64) -> Target {
        Target { key, line: 0, slot: 0 }
    }
}

/// What it takes to find the place of a number.
#[derive(Clone, Copy)]
pub(crate) struct Aim<'t> {
    permutation: Permutation,
    span: u64,
    reciprocal: u64,
    shift: u32,
    memory: &'t [AtomicU32],
    /// Whether other threads may have the lines.
    others: bool,
}

impl Aim<'_> {
    /// Finds the place of a number of the domain and asks for its memory.
    #[inline(always)]
    pub fn at(&self, key: u64) -> Target {
        let (base, high) = self.permutation.apart(key);
        let (line, rest) = divide(base, self.reciprocal, self.span);
        let rest = rest << self.permutation.extra() | high;
        let word = line as usize * (LINE / 4);
        match self.others {
            true => prefetch_to_write(self.memory, word),
            false => prefetch(self.memory, word),
        }
        Target { key, line, slot: rest << self.shift | 1 }
    }
}

/// Home and rest of a permuted base.
#[inline(always)]
fn divide(base: u64, reciprocal: u64, span: u64) -> (u64, u64) {
    let mut home = ((u128::from(base) * u128::from(reciprocal)) >> 64) as u64;
    let mut rest = base - home * span;
    // The reciprocal is a little too small.
    while rest >= span {
        home += 1;
        rest -= span;
    }
    (home, rest)
}

impl Table {
    /// An empty table.
    pub fn new(plan: Plan) -> std::io::Result<Table> {
        Ok(Table::in_memory(plan, Arc::new(Lines::with_room(plan.lines as usize)?)))
    }

    fn in_memory(plan: Plan, memory: Arc<Lines>) -> Table {
        let span = (1u128 << plan.base).div_ceil(u128::from(plan.lines)) as u64;
        Table {
            plan,
            permutation: Permutation::new(plan.base, plan.bits),
            span,
            // With a span of one every base is its own home; the largest factor does it then.
            reciprocal: (((1u128 << 64) / u128::from(span)) as u64)
                .wrapping_sub(u64::from(span == 1)),
            isa: Isa::detect(),
            memory,
            alone: false,
        }
    }

    /// The same for one thread if that is all there are.
    pub fn for_threads(self, threads: usize) -> Table {
        Table { alone: threads == 1, ..self }
    }

    /// Makes the memory ready for many numbers, from a line on.
    pub fn populate(&self, from: u64, threads: usize) {
        let (from, to) = (from as usize, self.plan.lines as usize);
        let step = (to - from).div_ceil(threads.max(1));
        if threads == 1 || step < LARGE {
            return self.memory.populate(from..to);
        }
        std::thread::scope(|scope| {
            for start in (from..to).step_by(step) {
                // Without a thread for it the pages are made when they are touched.
                spawn(scope, move || self.memory.populate(start..(start + step).min(to)));
            }
        });
    }

    /// The size.
    pub fn plan(&self) -> Plan {
        self.plan
    }

    /// Whether a number belongs to the domain.
    #[inline]
    pub fn admits(&self, key: u64) -> bool {
        self.permutation.contains(key)
    }

    /// Permutes a number and asks for the memory where it belongs.
    #[inline]
    pub fn prepare(&self, key: u64) -> Image {
        let image = Image(self.permutation.forward(key));
        self.expect(image);
        image
    }

    /// The number whose image this is.
    pub fn key(&self, image: Image) -> u64 {
        self.permutation.backward(image.0)
    }

    /// Asks for the memory where a number belongs.
    #[inline]
    fn expect(&self, image: Image) {
        let (home, _) = self.divide(image.0);
        prefetch(self.memory.words(), home as usize * (LINE / 4));
    }

    /// Home and rest of an image.
    #[inline]
    fn divide(&self, image: u64) -> (u64, u64) {
        let extra = self.permutation.extra();
        let (home, rest) = self.divide_base(image >> extra);
        (home, rest << extra | image & !(u64::MAX << extra))
    }

    /// Home and rest of a permuted base.
    #[inline]
    fn divide_base(&self, base: u64) -> (u64, u64) {
        divide(base, self.reciprocal, self.span)
    }

    /// The image in another table of the same order.
    #[inline]
    fn renamed(&self, image: u64, other: &Table) -> Image {
        let (old, new) = (self.permutation.extra(), other.permutation.extra());
        Image(image >> old << new | image & !(u64::MAX << old))
    }

    /// How numbers find their places, with or without other threads that do the same.
    #[inline]
    pub fn aim(&self, others: bool) -> Aim<'_> {
        Aim {
            others,
            permutation: self.permutation,
            span: self.span,
            reciprocal: self.reciprocal,
            shift: self.shift(),
            memory: self.memory.words(),
        }
    }

    /// Puts in numbers that were aimed at this table. Appends which of them are new, and says up to
    /// where all were put in: the next one waits, or does not fit. Some behind it may be there as well.
    #[inline]
    pub fn insert_targets(&self, targets: &[Target], new: &mut Vec<u32>) -> usize {
        self.isa.run(InsertTargets { table: self, targets, new })
    }

    /// Puts in numbers that were aimed at this table until one of them was new, or marked if that is to
    /// be told; how many it were, and what the last one was then. [`Overflow`] if the next one does not
    /// fit.
    #[inline]
    pub fn insert_until(
        &self,
        targets: &[Target],
        tell_marked: bool,
    ) -> (usize, Result<Seen, Overflow>) {
        self.isa.run(InsertUntil { table: self, targets, tell_marked })
    }

    /// The line that is tried after `k` others.
    #[inline]
    fn line(&self, home: u64, rest: u64, k: u64) -> u64 {
        match k {
            0 => home,
            1 => home ^ 1,
            k => (home + self.way(rest, k)) % self.plan.lines,
        }
    }

    /// The home of what lies in a line after `k` others were tried.
    fn home(&self, line: u64, rest: u64, k: u64) -> u64 {
        match k {
            0 => line,
            1 => line ^ 1,
            k => (line + self.plan.lines - self.way(rest, k)) % self.plan.lines,
        }
    }

    /// How far behind home the line is that is tried after `k` others. The square keeps strides
    /// that divide the number of lines from coming back to the same few lines.
    fn way(&self, rest: u64, k: u64) -> u64 {
        let lines = self.plan.lines;
        let base = rest >> self.permutation.extra();
        let mixed = base.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let stride = 1 + ((u128::from(mixed) * u128::from(lines - 1)) >> 64) as u64;
        (k * stride + k * k * ((lines * 25_033) >> 16 | 1)) % lines
    }

    /// Where the rest begins in a slot.
    #[inline]
    fn shift(&self) -> u32 {
        DISPLACEMENT_BITS + u32::from(self.plan.marks)
    }

    /// The slot of a number that is found in the line tried after `k` others, without mark.
    #[inline]
    fn slot(&self, rest: u64, k: u64) -> u64 {
        rest << self.shift() | (k + 1)
    }

    /// The bits of a slot that tell numbers apart.
    #[inline]
    fn care(&self) -> u64 {
        if self.plan.marks { !MARK } else { u64::MAX }
    }

    /// Puts a number in, and marks it if it is new.
    #[inline]
    pub fn insert(&self, image: Image) -> Result<Seen, Overflow> {
        self.isa.run(InsertOne { table: self, image, mark: !self.care() })
    }

    /// Puts numbers in as far as they belong to an arrangement, and says how many it were and how
    /// many of them are new. Each was prepared before.
    #[inline]
    pub fn insert_all(&self, names: &[Name], epoch: u32, seen: &mut [Seen]) -> (usize, u64) {
        self.isa.run(InsertAll { table: self, names, epoch, seen })
    }

    #[inline(always)]
    fn insert_as<S: Scanner>(&self, image: Image, mark: u64) -> Result<Seen, Overflow> {
        let (home, rest) = self.divide(image.0);
        match self.insert_at::<S>(home, self.slot(rest, 0) | mark) {
            Some(seen) => Ok(seen),
            None => self.insert_farther(home, rest, mark),
        }
    }

    /// Away from home.
    #[inline]
    fn insert_farther(&self, home: u64, rest: u64, mark: u64) -> Result<Seen, Overflow> {
        self.isa.run(InsertFarther { table: self, home, rest, mark, from: 1 })
    }

    /// Farther away than the neighbour of home.
    fn insert_far(&self, home: u64, rest: u64, mark: u64) -> Result<Seen, Overflow> {
        self.isa.run(InsertFarther { table: self, home, rest, mark, from: 2 })
    }

    #[inline(always)]
    fn insert_at<S: Scanner>(&self, line: u64, slot: u64) -> Option<Seen> {
        match self.plan.width {
            Width::Bits32 => self.insert_wide::<S, 32>(line, slot),
            Width::Bits40 => self.insert_wide::<S, 40>(line, slot),
            Width::Bits48 => self.insert_wide::<S, 48>(line, slot),
            Width::Bits64 => self.insert_wide::<S, 64>(line, slot),
        }
    }

    /// The same where it is known how many bits slots have.
    #[inline(always)]
    fn insert_wide<S: Scanner, const BITS: u32>(&self, line: u64, slot: u64) -> Option<Seen> {
        let line = line as usize;
        match BITS {
            32 => self.insert_32::<S>(line, slot as u32),
            40 => self.insert_split::<S, 12, 8>(line, slot),
            48 => self.insert_split::<S, 10, 16>(line, slot),
            _ => self.insert_64::<S>(line, slot),
        }
    }

    /// Puts in a number of another table.
    pub fn take(&self, image: Image, marked: bool) -> Result<Seen, Overflow> {
        let mark = if marked { !self.care() } else { 0 };
        self.isa.run(InsertOne { table: self, image, mark })
    }

    /// Bits of the numbers that it can hold.
    pub fn bits(&self) -> u32 {
        self.plan.bits
    }

    /// Whether a number is there.
    pub fn contains(&self, image: Image) -> bool {
        self.find(image).is_some()
    }

    /// What is known of a number; `None` if it is not there.
    pub fn look(&self, image: Image) -> Option<Seen> {
        let (line, i) = self.find(image)?;
        Some(self.seen(match self.plan.width {
            Width::Bits64 => self.double_words(line)[i].load(Ordering::Relaxed),
            _ => u64::from(self.words(line)[i].load(Ordering::Relaxed)),
        }))
    }

    /// Takes the mark from a number.
    #[inline]
    pub fn unmark(&self, image: Image) {
        if !self.plan.marks {
            return;
        }
        if let Some((line, i)) = self.find(image) {
            match self.plan.width {
                Width::Bits64 => {
                    self.double_words(line)[i].fetch_and(!MARK, Ordering::Relaxed);
                }
                _ => {
                    self.words(line)[i].fetch_and(!MARK as u32, Ordering::Relaxed);
                }
            }
        }
    }

    /// Line and slot of a number.
    #[inline]
    fn find(&self, image: Image) -> Option<(usize, usize)> {
        self.isa.run(Find { table: self, image })
    }

    #[inline(always)]
    fn find_by<S: Scanner>(&self, image: Image) -> Option<(usize, usize)> {
        let (home, rest) = self.divide(image.0);
        let care = self.care();
        for k in 0..PROBES {
            let line = self.line(home, rest, k) as usize;
            let slot = self.slot(rest, k);
            let (found, full) = match self.plan.width {
                Width::Bits32 => {
                    let scan = S::words(self.words(line), slot as u32, care as u32);
                    (scan.found, scan.free == 0)
                }
                Width::Bits40 => Split40::find::<S>(self.words(line), slot, care as u32),
                Width::Bits48 => Split48::find::<S>(self.words(line), slot, care as u32),
                Width::Bits64 => {
                    let scan = S::double_words(self.double_words(line), slot, care);
                    (scan.found, scan.free == 0)
                }
            };
            if found != 0 {
                return Some((line, found.trailing_zeros() as usize));
            }
            if !full {
                return None;
            }
        }
        None
    }

    /// What a slot says that was there before.
    #[inline]
    fn seen(&self, slot: u64) -> Seen {
        if self.plan.marks && slot & MARK != 0 { Seen::Marked } else { Seen::Old }
    }

    #[inline]
    fn words(&self, line: usize) -> &[AtomicU32; 16] {
        let words = &self.memory.words()[line * 16..line * 16 + 16];
        words.first_chunk().expect("a line has 16 words")
    }

    #[inline]
    fn double_words(&self, line: usize) -> &[AtomicU64; 8] {
        let words = &self.memory.double_words()[line * 8..line * 8 + 8];
        words.first_chunk().expect("a line has 8 double words")
    }

    /// `None` if the line is full of others.
    #[inline(always)]
    fn insert_32<S: Scanner>(&self, line: usize, slot: u32) -> Option<Seen> {
        let words = self.words(line);
        let care = self.care() as u32;
        let scan = S::words(words, slot & care, care);
        if scan.found != 0 {
            let found = words[scan.found.trailing_zeros() as usize].load(Ordering::Relaxed);
            return Some(self.seen(u64::from(found)));
        }
        let first = scan.free.trailing_zeros() as usize;
        if self.alone {
            words.get(first)?.store(slot, Ordering::Relaxed);
            return Some(Seen::New);
        }
        for word in words.get(first..)? {
            match word.compare_exchange(0, slot, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(Seen::New),
                Err(other) if other & care == slot & care => {
                    return Some(self.seen(u64::from(other)));
                }
                Err(_) => {}
            }
        }
        None
    }

    #[inline(always)]
    fn insert_64<S: Scanner>(&self, line: usize, slot: u64) -> Option<Seen> {
        let words = self.double_words(line);
        let care = self.care();
        let scan = S::double_words(words, slot & care, care);
        if scan.found != 0 {
            let found = words[scan.found.trailing_zeros() as usize].load(Ordering::Relaxed);
            return Some(self.seen(found));
        }
        let first = scan.free.trailing_zeros() as usize;
        if self.alone {
            words.get(first)?.store(slot, Ordering::Relaxed);
            return Some(Seen::New);
        }
        for word in words.get(first..)? {
            match word.compare_exchange(0, slot, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(Seen::New),
                Err(other) if other & care == slot & care => {
                    return Some(self.seen(other));
                }
                Err(_) => {}
            }
        }
        None
    }

    #[inline(always)]
    fn insert_split<S: Scanner, const SLOTS: usize, const HIGH: u32>(
        &self,
        line: usize,
        slot: u64,
    ) -> Option<Seen> {
        let care = self.care() as u32;
        match Split::<SLOTS, HIGH>::insert::<S>(self.words(line), slot, care, self.alone) {
            Met::There(low) => Some(self.seen(u64::from(low))),
            Met::Put => Some(Seen::New),
            Met::Full => None,
        }
    }

    /// Everything that lies in it, as it lies there.
    pub fn memory(&self) -> &[AtomicU32] {
        &self.memory.words()[..self.plan.lines as usize * (LINE / 4)]
    }

    /// All numbers of the lines `from..to`, each with whether it is marked.
    pub fn for_each(&self, from: u64, to: u64, mut visit: impl FnMut(u64, bool)) {
        for line in from..to.min(self.plan.lines) {
            let (slots, count) = self.taken(line);
            for &slot in &slots[..count] {
                let image = self.image(line, slot);
                visit(self.permutation.backward(image), self.seen(slot) == Seen::Marked);
            }
        }
    }

    /// The image of what lies in a line.
    #[inline]
    fn image(&self, line: u64, slot: u64) -> u64 {
        let rest = slot >> self.shift();
        let extra = self.permutation.extra();
        let base = self.home(line, rest, (slot & PROBES) - 1) * self.span + (rest >> extra);
        base << extra | rest & !(u64::MAX << extra)
    }

    /// The slots of a line that are taken, and how many these are.
    #[inline(always)]
    fn taken(&self, line: u64) -> ([u64; MOST_SLOTS], usize) {
        let line = line as usize;
        let mut slots = [0; MOST_SLOTS];
        let count = match self.plan.width {
            Width::Bits32 => {
                for (slot, word) in slots.iter_mut().zip(self.words(line)) {
                    *slot = u64::from(word.load(Ordering::Relaxed));
                }
                16
            }
            Width::Bits40 => {
                for (i, slot) in slots[..12].iter_mut().enumerate() {
                    *slot = Split40::get(self.words(line), i);
                }
                12
            }
            Width::Bits48 => {
                for (i, slot) in slots[..10].iter_mut().enumerate() {
                    *slot = Split48::get(self.words(line), i);
                }
                10
            }
            Width::Bits64 => {
                for (slot, word) in slots.iter_mut().zip(self.double_words(line)) {
                    *slot = word.load(Ordering::Relaxed);
                }
                8
            }
        };
        // Taken one after the other; the distance from home is not 0.
        (slots, slots[..count].iter().position(|slot| slot & PROBES == 0).unwrap_or(count))
    }
}

/// [`Table::insert`] and [`Table::take`].
struct InsertOne<'a> {
    table: &'a Table,
    image: Image,
    mark: u64,
}

impl Job for InsertOne<'_> {
    type Outcome = Result<Seen, Overflow>;

    #[inline(always)]
    fn run<S: Scanner>(self) -> Result<Seen, Overflow> {
        self.table.insert_as::<S>(self.image, self.mark)
    }
}

/// [`Table::insert_all`].
struct InsertAll<'a> {
    table: &'a Table,
    names: &'a [Name],
    epoch: u32,
    seen: &'a mut [Seen],
}

impl Job for InsertAll<'_> {
    type Outcome = (usize, u64);

    #[inline(always)]
    fn run<S: Scanner>(self) -> (usize, u64) {
        let InsertAll { table, names, epoch, seen } = self;
        let mark = !table.care();
        let mut new = 0;
        for (done, (name, seen)) in names.iter().zip(seen).enumerate() {
            if name.epoch != epoch {
                return (done, new);
            }
            match table.insert_as::<S>(Image(name.place), mark) {
                Ok(found) => {
                    new += u64::from(found == Seen::New);
                    *seen = found;
                }
                Err(Overflow) => return (done, new),
            }
        }
        (names.len(), new)
    }
}

/// [`Table::insert_farther`].
struct InsertFarther<'a> {
    table: &'a Table,
    home: u64,
    rest: u64,
    mark: u64,
    /// Lines that were tried.
    from: u64,
}

impl Job for InsertFarther<'_> {
    type Outcome = Result<Seen, Overflow>;

    #[inline(always)]
    fn run<S: Scanner>(self) -> Result<Seen, Overflow> {
        let InsertFarther { table, home, rest, mark, from } = self;
        for k in from..PROBES {
            let line = table.line(home, rest, k);
            if let Some(seen) = table.insert_at::<S>(line, table.slot(rest, k) | mark) {
                return Ok(seen);
            }
        }
        Err(Overflow)
    }
}

/// [`Table::insert_targets`].
struct InsertTargets<'a> {
    table: &'a Table,
    targets: &'a [Target],
    new: &'a mut Vec<u32>,
}

/// Numbers whose home is full that wait together for the memory of the next line.
const LATE: usize = 32;

impl Job for InsertTargets<'_> {
    type Outcome = usize;

    #[inline(always)]
    fn run<S: Scanner>(self) -> usize {
        match self.table.plan.width {
            Width::Bits32 => self.each::<S, 32>(),
            Width::Bits40 => self.each::<S, 40>(),
            Width::Bits48 => self.each::<S, 48>(),
            Width::Bits64 => self.each::<S, 64>(),
        }
    }
}

impl InsertTargets<'_> {
    /// The same where it is known how many bits slots have.
    #[inline(always)]
    fn each<S: Scanner, const BITS: u32>(self) -> usize {
        let InsertTargets { table, targets, new } = self;
        let mark = !table.care();
        let from = new.len();
        let mut next = 0;
        while next < targets.len() {
            let mut late = [0; LATE];
            let mut waiting = 0;
            while let Some(target) = targets.get(next)
                && waiting < LATE
            {
                match table.insert_wide::<S, BITS>(target.line, target.slot | mark) {
                    Some(Seen::New) => new.push(next as u32),
                    Some(_) => {}
                    None => {
                        prefetch(table.memory.words(), (target.line ^ 1) as usize * (LINE / 4));
                        late[waiting] = next as u32;
                        waiting += 1;
                    }
                }
                next += 1;
            }
            let mut far = 0;
            for at in 0..waiting {
                let index = late[at];
                let target = &targets[index as usize];
                // The neighbour is one line farther from home.
                match table.insert_wide::<S, BITS>(target.line ^ 1, (target.slot + 1) | mark) {
                    Some(Seen::New) => new.push(index),
                    Some(_) => {}
                    None => {
                        let line = table.line(target.line, target.slot >> table.shift(), 2);
                        prefetch(table.memory.words(), line as usize * (LINE / 4));
                        late[far] = index;
                        far += 1;
                    }
                }
            }
            for &index in &late[..far] {
                let target = &targets[index as usize];
                match table.insert_far(target.line, target.slot >> table.shift(), mark) {
                    Ok(Seen::New) => new.push(index),
                    Ok(_) => {}
                    Err(Overflow) => {
                        new[from..].sort_unstable();
                        return index as usize;
                    }
                }
            }
        }
        if !new[from..].is_sorted() {
            new[from..].sort_unstable();
        }
        targets.len()
    }
}

/// [`Table::insert_until`].
struct InsertUntil<'a> {
    table: &'a Table,
    targets: &'a [Target],
    tell_marked: bool,
}

impl Job for InsertUntil<'_> {
    type Outcome = (usize, Result<Seen, Overflow>);

    #[inline(always)]
    fn run<S: Scanner>(self) -> (usize, Result<Seen, Overflow>) {
        let InsertUntil { table, targets, tell_marked } = self;
        let mark = !table.care();
        for (index, target) in targets.iter().enumerate() {
            let seen = match table.insert_at::<S>(target.line, target.slot | mark) {
                Some(seen) => seen,
                None => match table.insert_farther(target.line, target.slot >> table.shift(), mark)
                {
                    Ok(seen) => seen,
                    Err(Overflow) => return (index, Err(Overflow)),
                },
            };
            if seen == Seen::New || tell_marked && seen == Seen::Marked {
                return (index + 1, Ok(seen));
            }
        }
        (targets.len(), Ok(Seen::Old))
    }
}

/// [`Table::find`].
struct Find<'a> {
    table: &'a Table,
    image: Image,
}

impl Job for Find<'_> {
    type Outcome = Option<(usize, usize)>;

    #[inline(always)]
    fn run<S: Scanner>(self) -> Option<(usize, usize)> {
        self.table.find_by::<S>(self.image)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn random(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *seed;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    #[test]
    fn a_set_in_every_domain_and_width() {
        let mut seed = 1;
        for bits in [1, 2, 5, 12, 27, 28, 29, 33, 40, 44, 47, 48, 50, 59, 60, 63, 64] {
            for (slots, marks) in [(10, false), (100, true), (1000, false), (5000, true)] {
                let plan = Plan::new(bits, slots, marks);
                assert!(plan.slots() >= slots, "{plan:?}");
                if plan.lines > 1 << 20 {
                    continue;
                }
                let table = Table::new(plan).unwrap();
                let mut twin = BTreeMap::new();
                let load = slots * 7 / 10;
                for round in 0..2 * load {
                    // Small numbers, numbers that differ in high bits, any numbers.
                    let key = match round % 3 {
                        0 => round / 3,
                        1 => (round / 3).rotate_right(9),
                        _ => random(&mut seed),
                    } & (u64::MAX >> (64 - bits));
                    if twin.len() as u64 >= load && !twin.contains_key(&key) {
                        continue;
                    }
                    assert!(table.admits(key));
                    let image = table.prepare(key);
                    assert_eq!(table.contains(image), twin.contains_key(&key), "{plan:?} {key}");
                    let expected = match twin.get(&key) {
                        None => Seen::New,
                        Some(true) => Seen::Marked,
                        Some(false) => Seen::Old,
                    };
                    assert_eq!(table.insert(image), Ok(expected), "{plan:?} {key}");
                    let marked = twin.entry(key).or_insert(marks);
                    if round % 5 < 2 {
                        table.unmark(image);
                        *marked = false;
                    }
                }
                let mut found = BTreeMap::new();
                table.for_each(0, plan.lines, |key, marked| {
                    assert_eq!(found.insert(key, marked), None);
                });
                assert_eq!(found, twin, "{plan:?}");
            }
        }
    }

    #[test]
    fn sizes_that_are_no_powers_of_two() {
        for lines in [2, 6, 10, 14, 1022, 1026, 1_000_000] {
            for bits in [20, 31, 44, 64] {
                let width = if bits < 25 { Width::Bits32 } else { Width::Bits64 };
                let table =
                    Table::new(Plan { bits, base: bits, width, lines, marks: false }).unwrap();
                let top = u64::MAX >> (64 - bits);
                for image in [0, 1, top, top - 1, top / 2, top / 3, table.span, table.span - 1] {
                    let image = image & top;
                    let (home, rest) = table.divide(image);
                    assert!(home < lines && rest < table.span, "{lines} {bits} {image}");
                    assert_eq!(home * table.span + rest, image);
                    for k in 0..PROBES {
                        let line = table.line(home, rest, k);
                        assert!(line < lines);
                        assert_eq!(table.home(line, rest, k), home, "{lines} {bits} {k}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_larger_table_has_the_same_numbers() {
        let mut seed = 9;
        for (bits, marks) in [(27, true), (35, false), (44, true), (50, false), (62, false)] {
            for factor in [1.01, 1.25, 1.5, 2.0, 4.0] {
                let plan = Plan::new(bits, 200_000, marks).widest();
                let table = Table::new(plan).unwrap();
                let mut twin = BTreeMap::new();
                while (twin.len() as u64) < plan.slots() * 4 / 5 {
                    let key = random(&mut seed) & (u64::MAX >> (64 - bits));
                    let image = table.prepare(key);
                    if table.insert(image) != Ok(Seen::New) {
                        continue;
                    }
                    if seed % 3 == 0 {
                        table.unmark(image);
                    }
                    twin.insert(key, marks && seed % 3 != 0);
                }
                let lines = (plan.lines as f64 * factor) as u64 / 2 * 2;
                for threads in [1, 2, 5] {
                    let other = Table::new(Plan { lines, ..plan }).unwrap();
                    if !table.is_in_order_of(&other) {
                        assert!(factor > 2.0);
                        continue;
                    }
                    assert!(table.copy(&other, threads));
                    let mut found = BTreeMap::new();
                    other.for_each(0, lines, |key, marked| {
                        assert_eq!(found.insert(key, marked), None);
                    });
                    assert_eq!(found, twin, "{plan:?} {factor}");
                }
            }
        }
    }

    #[test]
    fn targets_are_put_in_in_order() {
        let mut seed = 3;
        for bits in [30, 40, 47, 60] {
            let plan = Plan::new(bits, 2000, false);
            let table = Table::new(plan).unwrap();
            let mut twin = BTreeSet::new();
            while (twin.len() as u64) < plan.slots() * 17 / 20 {
                let keys: Vec<u64> = (0..48).map(|_| random(&mut seed) % 4000).collect();
                let aim = table.aim(false);
                let targets: Vec<Target> = keys.iter().map(|&key| aim.at(key)).collect();
                let mut new = Vec::new();
                assert_eq!(table.insert_targets(&targets, &mut new), targets.len());
                let expected: Vec<u32> =
                    (0..48).filter(|&i| twin.insert(keys[i as usize])).collect();
                assert_eq!(new, expected);
            }
        }
    }

    #[test]
    fn a_table_fills_far_before_it_overflows() {
        for bits in [40, 50, 64] {
            let plan = Plan::new(bits, 200_000, bits == 50);
            let table = Table::new(plan).unwrap();
            let mut seed = 5;
            let mut count = 0u64;
            while let Ok(seen) = {
                let key = random(&mut seed) & (u64::MAX >> (64 - bits));
                table.insert(table.prepare(key))
            } {
                count += u64::from(seen == Seen::New);
            }
            let load = count as f64 / plan.slots() as f64;
            assert!(load > 0.82, "{plan:?}: overflow at {load}");
        }
    }

    #[test]
    fn threads_agree_on_who_was_first() {
        for bits in [24, 40, 60] {
            let plan = Plan::new(bits, 1 << 17, bits == 40);
            let table = Table::new(plan).unwrap();
            let new: u64 = std::thread::scope(|scope| {
                let workers: Vec<_> = (0..4)
                    .map(|worker| {
                        let table = &table;
                        scope.spawn(move || {
                            let mut new = 0;
                            for i in 0..40_000u64 {
                                let key = (i * 2_654_435_761 + worker % 2) % (1 << 24);
                                let seen = table.insert(table.prepare(key)).unwrap();
                                new += u64::from(seen == Seen::New);
                            }
                            new
                        })
                    })
                    .collect();
                workers.into_iter().map(|worker| worker.join().unwrap()).sum()
            });
            let mut found = BTreeSet::new();
            table.for_each(0, plan.lines, |key, _| assert!(found.insert(key)));
            assert_eq!(found.len() as u64, new, "{plan:?}");
            let expected: BTreeSet<u64> = (0..40_000u64)
                .flat_map(|i| [0, 1].map(|w| (i * 2_654_435_761 + w) % (1 << 24)))
                .collect();
            assert_eq!(found, expected);
        }
    }
}
