//! A table into a larger one, or one with other slots, in its own memory or elsewhere.
//!
//! Numbers have their places in the same order in both tables if these have the same base. So what is at
//! home in one line goes to a few neighbouring lines, each of which is written once, as a whole; nothing
//! has to be looked for, since no number is there twice. The numbers that were or are away from home have
//! to wait until the end.
//!
//! In its own memory no line comes nearer to the begin, so the lines are emptied from the last one on, and
//! what is at home in one goes to lines that are empty already.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::{Arc, Barrier, OnceLock};

use everypath_model::{in_parallel, spawn};

use crate::stores::lines::{Job, Scanner};

use super::cells::{Cells, DoubleWords, Words};
use super::split::{Split40, Split48};
use super::{Image, MOST_SLOTS, PROBES, Plan, Seen, Table, Width};

/// Lines that one thread moves alone.
const FEW: u64 = 1 << 12;
/// Neighbouring lines that those of one line go to, at most.
const NEIGHBOURS: u64 = 4;
/// Numbers that one thread puts in alone.
const FEW_LATE: usize = 1 << 12;

/// Numbers that have to be put in at the end, with their marks.
pub(crate) type Late = Vec<(Image, bool)>;

/// Neighbouring lines of a table that are being filled: each where its number modulo their count says.
struct Window {
    /// The first of them.
    first: u64,
    slots: [u64; NEIGHBOURS as usize * MOST_SLOTS],
    /// How many slots each has, in a byte of its own: a list in memory would be slower.
    counts: u32,
}

impl Window {
    fn new(first: u64) -> Window {
        Window { first, slots: [0; NEIGHBOURS as usize * MOST_SLOTS], counts: 0 }
    }

    /// Moves towards the begin, and writes the lines that are complete by that.
    #[inline(always)]
    fn move_to<D: Cells>(&mut self, first: u64, table: &Table) {
        for line in self.first.max(first + NEIGHBOURS)..self.first + NEIGHBOURS {
            self.write::<D>(line, table);
        }
        self.first = first;
    }

    /// Writes the lines that are left.
    fn close<D: Cells>(mut self, table: &Table) {
        for line in self.first..self.first + NEIGHBOURS {
            self.write::<D>(line, table);
        }
    }

    #[inline(always)]
    fn write<D: Cells>(&mut self, line: u64, table: &Table) {
        let place = line % NEIGHBOURS;
        let count = (self.counts >> (8 * place) & 0xff) as usize;
        if count > 0 {
            let from = place as usize * MOST_SLOTS;
            D::write(table, line as usize, &self.slots[from..from + count.min(MOST_SLOTS)]);
            self.counts &= !(0xff << (8 * place));
        }
    }

    /// Puts a slot into one of the lines; `false` if it is full.
    #[inline(always)]
    fn put<D: Cells>(&mut self, line: u64, slot: u64) -> bool {
        let place = line % NEIGHBOURS;
        let count = (self.counts >> (8 * place) & 0xff) as usize;
        if count >= D::SLOTS {
            return false;
        }
        self.slots[place as usize * MOST_SLOTS + count % MOST_SLOTS] = slot;
        self.counts += 1 << (8 * place);
        true
    }
}

/// [`Table::give_lines`].
struct Give<'a, C, D> {
    table: &'a Table,
    other: &'a Table,
    lines: Range<u64>,
    own: Range<u64>,
    late: Late,
    cells: PhantomData<(C, D)>,
}

impl<C: Cells, D: Cells> Job for Give<'_, C, D> {
    type Outcome = Late;

    #[inline(always)]
    fn run<S: Scanner>(self) -> Late {
        let Give { table, other, lines, own, mut late, .. } = self;
        let same = Arc::ptr_eq(&table.memory, &other.memory);
        let shift = table.shift();
        let low = (1 << shift) - 1;
        let (old, new) = (table.permutation.extra(), other.permutation.extra());
        let above = !(u64::MAX << old);
        let span = other.span;
        let last = lines.end.saturating_sub(1);
        let mut window = Window::new(other.divide_base(last * table.span).0);
        for line in lines.rev() {
            let slots = C::read(table, line as usize);
            if same {
                C::clear(table, line as usize);
            }
            let (home, before) = other.divide_base(line * table.span);
            window.move_to::<D>(home, other);
            // All of them as if they were at home; which those are is looked at afterwards.
            let (mut targets, mut moved) = ([0; MOST_SLOTS], [0; MOST_SLOTS]);
            for ((target, moved), &slot) in targets.iter_mut().zip(&mut moved).zip(&slots) {
                let rest = slot >> shift;
                let mut base = before + (rest >> old);
                let mut farther = 0;
                // Without a branch: it could not be foreseen.
                for _ in 1..NEIGHBOURS {
                    farther += u64::from(base >= span);
                    base -= if base >= span { span } else { 0 };
                }
                *target = home + farther;
                *moved = (base << new | rest & above) << shift | slot & low;
            }
            for ((&target, &moved), &slot) in targets.iter().zip(&moved).zip(&slots).take(C::SLOTS)
            {
                if slot & PROBES == 1 {
                    if own.contains(&target) && window.put::<D>(target, moved) {
                        continue;
                    }
                } else if slot == 0 {
                    break;
                }
                let image = table.renamed(table.image(line, slot), other);
                late.push((image, table.seen(slot) == Seen::Marked));
            }
        }
        window.close::<D>(other);
        late
    }
}

impl Table {
    /// Whether numbers have their places in the same order in another table, so that they can be
    /// [copied](Self::copy).
    pub fn is_in_order_of(&self, other: &Table) -> bool {
        let alike = self.plan.base == other.plan.base && self.plan.marks == other.plan.marks;
        alike && self.span / other.span + 2 <= NEIGHBOURS && other.plan.lines >= self.plan.lines
    }

    /// The same memory as a larger table, or one for other numbers; `None` if there is no room for it.
    /// Nothing is where it belongs before [`move_to`](Self::move_to).
    pub fn extended(&self, plan: Plan) -> Option<Table> {
        if plan.lines as usize > self.memory.len() {
            return None;
        }
        let other = Table { alone: self.alone, ..Table::in_memory(plan, self.memory.clone()) };
        self.is_in_order_of(&other).then_some(other)
    }

    /// Moves all numbers to where they belong in a table that was made by
    /// [`extended`](Self::extended), and gives those that have to be put in afterwards. This table is
    /// of no use any more.
    pub fn move_to(&self, other: &Table, threads: usize) -> Late {
        debug_assert!(Arc::ptr_eq(&self.memory, &other.memory));
        self.give(other, threads)
    }

    /// Puts all numbers into another, empty table [of the same order](Self::is_in_order_of); `false` if
    /// they do not fit.
    pub fn copy(&self, other: &Table, threads: usize) -> bool {
        debug_assert!(!Arc::ptr_eq(&self.memory, &other.memory));
        let mut late = self.give(other, threads);
        other.take_late(&mut late, threads)
    }

    fn give(&self, other: &Table, threads: usize) -> Late {
        match self.plan.width {
            Width::Bits32 => self.give_from::<Words>(other, threads),
            Width::Bits40 => self.give_from::<Split40>(other, threads),
            Width::Bits48 => self.give_from::<Split48>(other, threads),
            Width::Bits64 => self.give_from::<DoubleWords>(other, threads),
        }
    }

    fn give_from<C: Cells>(&self, other: &Table, threads: usize) -> Late {
        match other.plan.width {
            Width::Bits32 => self.give_cells::<C, Words>(other, threads),
            Width::Bits40 => self.give_cells::<C, Split40>(other, threads),
            Width::Bits48 => self.give_cells::<C, Split48>(other, threads),
            Width::Bits64 => self.give_cells::<C, DoubleWords>(other, threads),
        }
    }

    fn give_cells<C: Cells, D: Cells>(&self, other: &Table, threads: usize) -> Late {
        if threads == 1 || self.plan.lines < 2 * FEW {
            return self.give_lines::<C, D>(0..self.plan.lines, other, None);
        }
        let barrier = Barrier::new(threads);
        // Each thread has a part of its own, so they begin when it is known that all are there.
        let complete = OnceLock::new();
        std::thread::scope(|scope| {
            let (barrier, complete) = (&barrier, &complete);
            let others: Vec<_> = (1..threads)
                .map_while(|thread| {
                    spawn(scope, move || match complete.wait() {
                        true => self.give_part::<C, D>(other, thread, threads, barrier),
                        false => Late::new(),
                    })
                })
                .collect();
            let all = others.len() + 1 == threads;
            let _ = complete.set(all);
            if !all {
                return self.give_lines::<C, D>(0..self.plan.lines, other, None);
            }
            let mut late = self.give_part::<C, D>(other, 0, threads, barrier);
            for part in others {
                late.extend(part.join().expect("moves do not fail"));
            }
            late
        })
    }

    /// What one of several threads does of it.
    fn give_part<C: Cells, D: Cells>(
        &self,
        other: &Table,
        thread: usize,
        threads: usize,
        barrier: &Barrier,
    ) -> Late {
        let mut late = Vec::new();
        let mut end = self.plan.lines;
        let same = Arc::ptr_eq(&self.memory, &other.memory);
        loop {
            // From here on all lines go behind the last one that is not moved yet.
            let bases = u128::from(end) * u128::from(other.span);
            let from = if same { bases.div_ceil(u128::from(self.span)) as u64 } else { 0 };
            if end.saturating_sub(from) < FEW {
                break;
            }
            let cut = |thread: usize| from + (end - from) * thread as u64 / threads as u64;
            let lines = cut(thread)..cut(thread + 1);
            // Lines that nobody else's numbers belong to.
            let first = other.divide_base(lines.start * self.span).0 + 1;
            // Behind the last line the numbers may end, too.
            let behind = lines.end.checked_mul(self.span);
            let last = behind.map_or(other.plan.lines, |at| other.divide_base(at).0);
            let least = if same { end } else { 0 };
            late.extend(self.give_lines::<C, D>(lines, other, Some(first.max(least)..last)));
            barrier.wait();
            end = from;
        }
        if thread == 0 {
            late.extend(self.give_lines::<C, D>(0..end, other, None));
        }
        late
    }

    /// Moves the numbers of some lines, the last ones first. With other threads at work only lines of
    /// its `own` are written.
    fn give_lines<C: Cells, D: Cells>(
        &self,
        lines: Range<u64>,
        other: &Table,
        own: Option<Range<u64>>,
    ) -> Late {
        let own = own.unwrap_or(0..other.plan.lines);
        let late = Vec::new();
        self.isa.run(Give::<C, D> { table: self, other, lines, own, late, cells: PhantomData })
    }

    /// Puts in what had to wait; `false` if something does not fit, which is left in the list.
    pub fn take_late(&self, late: &mut Late, threads: usize) -> bool {
        let many = late.len() >= FEW_LATE && threads > 1 && !self.alone;
        let part = if many { late.len().div_ceil(threads) } else { late.len().max(1) };
        let parts: Vec<&[(Image, bool)]> = late.chunks(part).collect();
        let left: Vec<Late> = match parts[..] {
            [] => return true,
            [all] => vec![self.take_part(all)],
            ref parts => {
                in_parallel(parts.iter().map(|&part| move || self.take_part(part)).collect())
            }
        };
        *late = left.concat();
        late.is_empty()
    }

    /// Gives back what does not fit.
    fn take_part(&self, late: &[(Image, bool)]) -> Late {
        let mut left = Vec::new();
        for batch in late.chunks(32) {
            batch.iter().for_each(|&(image, _)| self.expect(image));
            left.extend(batch.iter().filter(|(image, mark)| self.take(*image, *mark).is_err()));
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn random(mut seed: u64) -> impl FnMut() -> u64 {
        move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed ^ seed >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        }
    }

    /// For wider numbers, in slots of any width, the order is the same.
    #[test]
    fn a_table_has_the_same_numbers_in_other_slots() {
        let mut random = random(6);
        let mut moves = 0;
        for old in Width::ALL {
            for new in Width::ALL {
                for (threads, marks) in [(1, false), (2, true)] {
                    let plan = Plan { lines: 1 << 16, ..Plan::with(old, 34, 1 << 16, marks) };
                    let mut table = Table::new(plan).unwrap();
                    let mut twin = BTreeMap::new();
                    let mut fill = |table: &Table, bits: u32, count: usize| {
                        while twin.len() < count {
                            let key = random() & (u64::MAX >> (64 - bits));
                            let image = table.prepare(key);
                            if table.insert(image) == Ok(Seen::New) {
                                if key.is_multiple_of(3) {
                                    table.unmark(image);
                                }
                                twin.insert(key, marks && !key.is_multiple_of(3));
                            }
                        }
                    };
                    fill(&table, 34, 250_000);
                    let lines = if old == new { 1 << 16 } else { 3 << 15 };
                    let plan = Plan { lines, ..Plan::with(new, 34, 1, marks) }.widest();
                    let plan = plan.in_order_of(table.plan());
                    assert!(plan.base == 34 && plan.bits >= 42, "{plan:?}");
                    let other = Table::new(plan).unwrap();
                    assert!(table.copy(&other, threads));
                    let larger = table.extended(plan).unwrap();
                    let mut late = table.move_to(&larger, threads);
                    assert!(larger.take_late(&mut late, threads) && late.is_empty());
                    table = larger;
                    let count = if old == new { 400_000 } else { 420_000 };
                    fill(&table, 42, count);
                    let mut found = BTreeMap::new();
                    table.for_each(0, u64::MAX, |key, marked| {
                        assert_eq!(found.insert(key, marked), None);
                    });
                    assert!(found == twin, "{plan:?}");
                    let mut copied = 0;
                    other.for_each(0, u64::MAX, |key, marked| {
                        copied += 1;
                        assert_eq!(twin.get(&key), Some(&marked));
                    });
                    assert_eq!(copied, 250_000);
                    moves += 1;
                }
            }
        }
        assert_eq!(moves, 32);
    }

    #[test]
    fn a_table_has_the_same_numbers_after_it_grew() {
        let mut random = random(4);
        for (bits, marks) in [(30, true), (40, false), (50, true), (62, false)] {
            for (factor, threads) in [(1.01, 1), (1.25, 3), (1.5, 1), (1.5, 2), (1.9, 1)] {
                // Large enough to get room.
                let plan = Plan { lines: 1 << 16, ..Plan::new(bits, 1 << 16, marks) };
                let mut table = Table::new(plan).unwrap();
                let mut twin = BTreeMap::new();
                while twin.len() < 400_000 {
                    let key = random() & (u64::MAX >> (64 - bits));
                    let image = table.prepare(key);
                    if table.insert(image) == Ok(Seen::New) {
                        if key.is_multiple_of(3) {
                            table.unmark(image);
                        }
                        twin.insert(key, marks && !key.is_multiple_of(3));
                    }
                }
                for _ in 0..2 {
                    let lines = (table.plan().lines as f64 * factor) as u64 / 2 * 2;
                    let Some(other) = table.extended(Plan { lines, ..plan }) else {
                        panic!("no room for {lines} lines");
                    };
                    let mut late = table.move_to(&other, threads);
                    assert!(late.len() < twin.len() / 10, "{plan:?} {factor}: {}", late.len());
                    assert!(other.take_late(&mut late, threads) && late.is_empty());
                    table = other;
                }
                let mut found = BTreeMap::new();
                table.for_each(0, u64::MAX, |key, marked| {
                    assert_eq!(found.insert(key, marked), None);
                });
                assert!(found == twin, "{plan:?} {factor}");
            }
        }
    }
}
