//! Tree compression: an exact store that keeps equal parts of vectors once.
//!
//! A vector is a binary tree over its words (see [`Shape`]). Each pair gets a number from one
//! dictionary, wherever in whatever tree it is, and the two numbers of the whole are the key of the
//! state in a [`Table`]. A step changes a few words, so only the pairs above these are looked up.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use everypath_model::ComponentMask;

use crate::ledger::Ledger;
use crate::searches::gates::{Gates, Pass};
use crate::stores::collapse::{Split, fill, make_table};
use crate::stores::dictionary::Dictionary;
use crate::stores::shape::{NONE, Part, Shape};
use crate::stores::store::{Full, Name, Seen, Store, StoreBytes, StoreWorker};
use crate::stores::table::{Image, Plan, Table};

/// Slots of the first table.
const FIRST_SLOTS: u64 = 1 << 9;
/// Below this many bytes a table grows by four, from there on by two.
const SMALL: u64 = 64 << 20;
/// Key bits that a table is prepared for beyond those in use.
const SPARE: u32 = 4;
/// No number of a dictionary.
const UNKNOWN: u32 = u32::MAX;

/// One table.
struct Roots {
    epoch: u32,
    table: Table,
}

/// An exact store of vectors as trees.
pub(crate) struct Tree<'a> {
    split: Split<'a>,
    carried: usize,
    marks: bool,
    ledger: &'a Ledger,
    pairs: Dictionary,
    shapes: Mutex<Vec<Arc<Shape>>>,
    gates: Gates<Roots>,
    table_bytes: AtomicU64,
    len: AtomicU64,
    max: AtomicU64,
    /// The ledger refused a larger table: what is left of this one is used up.
    last_table: AtomicBool,
}

impl<'a> Tree<'a> {
    /// An empty store for `threads` threads that compares vectors from word `carried` on.
    pub fn new(
        split: Split<'a>,
        carried: usize,
        marks: bool,
        threads: usize,
        ledger: &'a Ledger,
    ) -> Result<Tree<'a>, Full> {
        let pairs = Dictionary::new(ledger)?;
        let table = make_table(Plan::new(SPARE, FIRST_SLOTS, marks), threads, ledger)?;
        Ok(Tree {
            split,
            carried,
            marks,
            ledger,
            pairs,
            shapes: Mutex::new(Vec::new()),
            table_bytes: AtomicU64::new(table.plan().bytes()),
            gates: Gates::new(threads, Roots { epoch: 0, table }),
            len: AtomicU64::new(0),
            max: AtomicU64::new(u64::MAX),
            last_table: AtomicBool::new(false),
        })
    }

    fn shapes(&self) -> Vec<Arc<Shape>> {
        self.shapes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The number of a layout.
    fn layout(&self, ends: &[u32]) -> Result<u32, Full> {
        let mut shapes = self.shapes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = shapes.iter().position(|shape| *shape.ends == *ends) {
            return Ok(known as u32);
        }
        let shape = Shape::new(shapes.len() as u32, self.carried, ends);
        // Two parts, a parent and a word of each pair, about.
        if !self.ledger.take(shape.pairs.len() as u64 * 24 + 256) {
            return Err(Full::Memory);
        }
        shapes.push(Arc::new(shape));
        Ok(shapes.len() as u32 - 1)
    }

    /// Replaces the table of `epoch` by a larger one, or by one that admits `key`.
    fn rearrange(&self, epoch: u32, key: Option<u64>) -> Result<(), Full> {
        self.gates.replace(|now| {
            if now.epoch != epoch {
                return Ok(None);
            }
            let old = now.table.plan();
            let bits = key.map_or(old.bits, |key| (64 - key.leading_zeros() + SPARE).min(64));
            let factors: &[f64] = match key {
                Some(_) => &[1.0, 2.0],
                None if old.bytes() < SMALL => &[4.0, 2.0, 1.5, 1.25, 1.125],
                None => &[2.0, 1.5, 1.25, 1.125],
            };
            for factor in factors {
                let plan = Plan::new(bits, (old.slots() as f64 * factor) as u64, self.marks);
                let Ok(table) = make_table(plan, self.gates.threads(), self.ledger) else {
                    continue;
                };
                if fill(&table, &now.table, None, self.gates.threads()) {
                    self.ledger.give(old.bytes());
                    self.table_bytes.store(plan.bytes(), Ordering::Relaxed);
                    return Ok(Some(Roots { epoch: epoch + 1, table }));
                }
                self.ledger.give(plan.bytes());
            }
            self.last_table.store(true, Ordering::Relaxed);
            Err(Full::Memory)
        })
    }
}

/// Two numbers as one that is small if both are: their bits take turns.
#[inline]
fn key(first: u32, second: u32) -> u64 {
    spread(first) | spread(second) << 1
}

/// The two numbers of a key.
#[inline]
fn numbers(key: u64) -> (u32, u32) {
    (gather(key), gather(key >> 1))
}

const STEPS: [(u32, u64); 5] = [
    (16, 0x0000_ffff_0000_ffff),
    (8, 0x00ff_00ff_00ff_00ff),
    (4, 0x0f0f_0f0f_0f0f_0f0f),
    (2, 0x3333_3333_3333_3333),
    (1, 0x5555_5555_5555_5555),
];

#[inline]
fn spread(number: u32) -> u64 {
    STEPS.iter().fold(u64::from(number), |bits, &(shift, mask)| (bits | bits << shift) & mask)
}

#[inline]
fn gather(key: u64) -> u32 {
    let start = key & STEPS[4].1;
    let mut bits = start;
    for i in (0..5).rev() {
        let mask = if i == 0 { 0x0000_0000_ffff_ffff } else { STEPS[i - 1].1 };
        bits = (bits | bits >> STEPS[i].0) & mask;
    }
    bits as u32
}

impl Store for Tree<'_> {
    type Worker<'s>
        = TreeWorker<'s>
    where
        Self: 's;

    fn worker(&self, thread: usize) -> TreeWorker<'_> {
        TreeWorker {
            store: self,
            thread,
            pass: Some(self.gates.enter(thread)),
            shapes: self.shapes(),
            new: 0,
            layout: UNKNOWN,
            shape: Arc::new(Shape::new(UNKNOWN, self.carried, &[])),
            numbers: Vec::new(),
            state: vec![0; self.carried],
            fresh: Vec::new(),
            dirty: Vec::new(),
            other: Vec::new(),
            ends: Vec::new(),
        }
    }

    fn len(&self) -> u64 {
        self.len.load(Ordering::Relaxed)
    }

    fn limit_states(&self, max: u64) {
        self.max.fetch_min(max, Ordering::Relaxed);
    }

    fn bytes(&self) -> StoreBytes {
        StoreBytes { table: self.table_bytes.load(Ordering::Relaxed), arena: self.pairs.bytes() }
    }

    fn for_each(&self, visit: &mut dyn FnMut(&[u32])) {
        let mut worker = self.worker(0);
        let mut record = vec![0; 2 + self.carried];
        let mut keys = Vec::new();
        now(&worker).table.for_each(0, u64::MAX, |key, _| keys.push(key));
        for key in keys {
            record[0] = key as u32;
            record[1] = (key >> 32) as u32;
            worker.open(0, &record);
            visit(worker.state());
        }
    }
}

/// One thread's access to a [`Tree`].
pub(crate) struct TreeWorker<'s> {
    store: &'s Tree<'s>,
    thread: usize,
    /// `None` only while the table is replaced.
    pass: Option<Pass<'s, Roots>>,
    /// The shapes that this thread knows of.
    shapes: Vec<Arc<Shape>>,
    /// States that it stored and that are not counted yet.
    new: u64,
    /// The open state: its layout, the numbers of its pairs, its words.
    layout: u32,
    shape: Arc<Shape>,
    numbers: Vec<u32>,
    state: Vec<u32>,
    /// Numbers of the pairs of a target that differ, and which these are.
    fresh: Vec<u32>,
    dirty: Vec<u64>,
    /// Numbers of the pairs of a target of another layout.
    other: Vec<u32>,
    ends: Vec<u32>,
}

/// The table that a worker sees.
fn now<'w>(worker: &'w TreeWorker<'_>) -> &'w Roots {
    worker.pass.as_deref().expect("a worker is outside only while it waits")
}

impl TreeWorker<'_> {
    #[cold]
    fn rearrange(&mut self, key: Option<u64>) -> Result<(), Full> {
        let epoch = now(self).epoch;
        self.pass = None;
        let result = self.store.rearrange(epoch, key);
        self.pass = Some(self.store.gates.enter(self.thread));
        result
    }

    fn shape(&mut self, layout: u32) -> Arc<Shape> {
        if layout as usize >= self.shapes.len() {
            self.shapes = self.store.shapes();
        }
        self.shapes[layout as usize].clone()
    }

    fn pair(&self, number: u32) -> [u32; 2] {
        match self.store.pairs.get(number) {
            [first, second, ..] => [first.load(Ordering::Relaxed), second.load(Ordering::Relaxed)],
            _ => [0, 0],
        }
    }

    /// The layout that a last pair tells.
    fn layout(&self, number: u32) -> u32 {
        match self.store.pairs.get(number) {
            [_, _, layout] => layout.load(Ordering::Relaxed),
            _ => 0,
        }
    }

    /// Gives a part of the open state its value, and what it consists of theirs.
    fn assign(&mut self, shape: &Shape, part: Part, value: u32) {
        match part {
            Part::Word(word) => self.state[word as usize] = value,
            Part::Pair(pair) => {
                if self.numbers[pair as usize] != value {
                    self.numbers[pair as usize] = value;
                    let values = self.pair(value);
                    let parts = shape.pairs[pair as usize];
                    self.assign(shape, parts[0], values[0]);
                    self.assign(shape, parts[1], values[1]);
                }
            }
            Part::Constant => {}
        }
    }

    /// The key of a target.
    #[inline]
    fn key(&mut self, target: &[u32], changed: Option<ComponentMask>) -> Result<u64, Full> {
        let carried = self.store.carried;
        match changed {
            Some(mask)
                if mask != ComponentMask::ALL
                    && target.len() == self.state.len()
                    && self.layout != UNKNOWN =>
            {
                let mut bits = mask.0;
                while bits != 0 {
                    let component = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let words = match component {
                        63 => self.shape.component(63, carried).start..target.len(),
                        _ => self.shape.component(component, carried),
                    };
                    self.touch(target, words);
                }
                self.climb(target)
            }
            _ => {
                self.ends.clear();
                (self.store.split)(target, &mut self.ends);
                if self.layout != UNKNOWN && *self.ends == *self.shape.ends {
                    self.touch(target, carried..target.len());
                    return self.climb(target);
                }
                let layout = self.store.layout(&self.ends)?;
                let shape = self.shape(layout);
                whole(&self.store.pairs, &shape, target, &mut self.other, self.store.ledger)
            }
        }
    }

    /// Notes which pairs hold words that a target changes.
    #[inline]
    fn touch(&mut self, target: &[u32], words: std::ops::Range<usize>) {
        for word in words {
            if target[word] != self.state[word] {
                let pair = self.shape.words[word];
                if pair != NONE {
                    self.dirty[pair as usize / 64] |= 1 << (pair % 64);
                }
            }
        }
    }

    /// The key of a target of which the pairs with changed words are noted.
    #[inline]
    fn climb(&mut self, target: &[u32]) -> Result<u64, Full> {
        let shape = &*self.shape;
        let mut result = Ok(());
        for block in 0..self.dirty.len() {
            let mut done = 0u64;
            while self.dirty[block] & !done != 0 {
                let bit = (self.dirty[block] & !done).trailing_zeros();
                done |= 1 << bit;
                let pair = block * 64 + bit as usize;
                let value = |part: Part| match part {
                    Part::Word(word) => target[word as usize],
                    Part::Pair(p) if self.dirty[p as usize / 64] >> (p % 64) & 1 == 1 => {
                        self.fresh[p as usize]
                    }
                    Part::Pair(p) => self.numbers[p as usize],
                    Part::Constant => 0,
                };
                let values = shape.pairs[pair].map(value);
                match intern(&self.store.pairs, shape, pair, values, self.store.ledger) {
                    Ok(number) => self.fresh[pair] = number,
                    Err(full) => result = Err(full),
                }
                let parent = shape.parents[pair];
                if parent != NONE {
                    self.dirty[parent as usize / 64] |= 1 << (parent % 64);
                }
            }
        }
        let last = shape.pairs.len() - 1;
        let number = |pair: usize| match self.dirty[pair / 64] >> (pair % 64) & 1 {
            1 => self.fresh[pair],
            _ => self.numbers[pair],
        };
        let first = match shape.first {
            Part::Word(word) => target[word as usize],
            Part::Pair(pair) => number(pair as usize),
            Part::Constant => 0,
        };
        let key = key(first, number(last));
        self.dirty.fill(0);
        result.map(|()| key)
    }
}

/// The number of a pair. The last one of a shape tells which shape it is of.
#[inline]
fn intern(
    pairs: &Dictionary,
    shape: &Shape,
    pair: usize,
    [first, second]: [u32; 2],
    ledger: &Ledger,
) -> Result<u32, Full> {
    if pair + 1 == shape.pairs.len() {
        pairs.intern(&[first, second, shape.layout], ledger)
    } else {
        pairs.intern(&[first, second], ledger)
    }
}

/// The key of a vector of which nothing is known.
fn whole(
    pairs: &Dictionary,
    shape: &Shape,
    target: &[u32],
    fresh: &mut Vec<u32>,
    ledger: &Ledger,
) -> Result<u64, Full> {
    fresh.clear();
    fresh.resize(shape.pairs.len(), 0);
    for (pair, parts) in shape.pairs.iter().enumerate() {
        let values = parts.map(|part| value(part, target, fresh));
        fresh[pair] = intern(pairs, shape, pair, values, ledger)?;
    }
    Ok(key(value(shape.first, target, fresh), fresh[shape.pairs.len() - 1]))
}

fn value(part: Part, target: &[u32], numbers: &[u32]) -> u32 {
    match part {
        Part::Word(word) => target[word as usize],
        Part::Pair(pair) => numbers[pair as usize],
        Part::Constant => 0,
    }
}

fn recorded(record: &[u32]) -> u64 {
    u64::from(record[0]) | u64::from(record[1]) << 32
}

impl StoreWorker for TreeWorker<'_> {
    fn open(&mut self, _: u32, records: &[u32]) -> usize {
        let carried = self.store.carried;
        let (first, second) = numbers(recorded(records));
        let layout = self.layout(second);
        if layout != self.layout {
            self.layout = layout;
            self.shape = self.shape(layout);
            self.numbers.clear();
            self.numbers.resize(self.shape.pairs.len(), UNKNOWN);
            self.state.resize(self.shape.len, 0);
            self.fresh.resize(self.shape.pairs.len(), 0);
            self.dirty.resize(self.shape.pairs.len().div_ceil(64), 0);
        }
        let shape = self.shape.clone();
        self.assign(&shape, shape.first, first);
        self.assign(&shape, Part::Pair(shape.pairs.len() as u32 - 1), second);
        self.state[..carried].copy_from_slice(&records[2..2 + carried]);
        2 + carried
    }

    fn state(&self) -> &[u32] {
        &self.state
    }

    #[inline]
    fn name(&mut self, target: &[u32], changed: Option<ComponentMask>) -> Result<Name, Full> {
        let key = self.key(target, changed)?;
        let Roots { epoch, table } = now(self);
        let place = if table.admits(key) { table.prepare(key).0 } else { 0 };
        Ok(Name { key, place, epoch: *epoch })
    }

    #[inline]
    fn insert(&mut self, name: &mut Name, _: &[u32]) -> Result<Seen, Full> {
        loop {
            let Roots { epoch, table } = now(self);
            if !table.admits(name.key) {
                self.rearrange(Some(name.key))?;
                continue;
            }
            if name.epoch != *epoch {
                *name = Name { key: name.key, place: table.prepare(name.key).0, epoch: *epoch };
            }
            let image = Image(name.place);
            if self.stored() >= self.store.max.load(Ordering::Relaxed) {
                return if table.contains(image) { Ok(Seen::Known) } else { Err(Full::States) };
            }
            match table.insert(image) {
                Ok(seen) => {
                    self.new += u64::from(seen == Seen::New);
                    return Ok(seen);
                }
                Err(_) => self.rearrange(None)?,
            }
        }
    }

    fn unmark(&mut self, _: u32, records: &[u32]) {
        let table = &now(self).table;
        for record in records.chunks_exact(2 + self.store.carried) {
            table.unmark(table.prepare(recorded(record)));
        }
    }

    fn contains(&mut self, target: &[u32]) -> Result<bool, Full> {
        let key = self.key(target, None)?;
        let table = &now(self).table;
        Ok(table.admits(key) && table.contains(table.prepare(key)))
    }

    fn record(&self, name: Name, target: &[u32], records: &mut Vec<u32>) {
        records.extend_from_slice(&[name.key as u32, (name.key >> 32) as u32]);
        records.extend_from_slice(&target[..self.store.carried]);
    }

    fn version(&self) -> u32 {
        0
    }

    fn stored(&self) -> u64 {
        self.store.len() + self.new
    }

    fn leave(&mut self) {
        self.pass = None;
    }

    fn enter(&mut self) -> Result<(), Full> {
        if self.pass.is_none() {
            self.pass = Some(self.store.gates.enter(self.thread));
        }
        Ok(())
    }

    fn pause(&mut self) -> Result<(), Full> {
        let len = self.store.len.fetch_add(self.new, Ordering::Relaxed) + self.new;
        self.new = 0;
        let slots = now(self).table.plan().slots();
        if len > slots / 5 * 4 && !self.store.last_table.load(Ordering::Relaxed) {
            // Without a larger table this one is filled to the brim.
            let _ = self.rearrange(None);
        } else if self.store.gates.threads() > 1 {
            // Whoever waits to replace the table gets his turn.
            self.pass = None;
            self.pass = Some(self.store.gates.enter(self.thread));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_pairs() {
        for i in 0..64 {
            for j in 0..64 {
                let (a, b) = (1u32.rotate_left(i) ^ j, 0x9e37_79b9u32.rotate_right(j) >> (i / 2));
                assert_eq!(numbers(key(a, b)), (a, b));
                let most = 32 - (a | b).leading_zeros();
                assert!(64 - key(a, b).leading_zeros() <= 2 * most);
            }
        }
    }
}
