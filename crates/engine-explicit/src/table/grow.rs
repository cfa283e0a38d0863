//! A table that grows where it is.
//!
//! Numbers have their places in the same order in the larger table, and none is nearer to the begin
//! there. So the lines are emptied from the last one on, and what is at home in one goes to lines that
//! are empty already. Only the numbers that were or are away from home have to wait until the end.

use std::ops::Range;
use std::sync::Barrier;

use super::cells::{Cells, DoubleWords, Words};
use super::copy::{NEIGHBOURS, spans};
use super::split::{Split40, Split48};
use super::{Image, MOST_SLOTS, PROBES, Plan, Seen, Table, Width};

/// Lines that one thread moves alone.
const FEW: u64 = 1 << 12;

/// Numbers that have to be put in at the end, with their marks.
pub(crate) type Late = Vec<(Image, bool)>;

impl Table {
    /// The same memory as a larger table, or one for other numbers; `None` if there is no room for it. Nothing is where it
    /// belongs before [`move_to`](Self::move_to).
    pub fn extended(&self, plan: Plan) -> Option<Table> {
        let alike = plan.base == self.plan.base && plan.marks == self.plan.marks;
        let fits = plan.lines as usize <= self.memory.len() && plan.lines >= self.plan.lines;
        if !alike || !fits {
            return None;
        }
        let other = Table { alone: self.alone, ..Table::in_memory(plan, self.memory.clone()) };
        (self.span / other.span + 2 <= NEIGHBOURS).then_some(other)
    }

    /// Moves all numbers to where they belong in a table that was made by
    /// [`extended`](Self::extended), and gives those that have to be put in afterwards. This table is
    /// of no use any more.
    pub fn move_to(&self, other: &Table, threads: usize) -> Late {
        match self.plan.width {
            Width::Bits32 => self.move_from::<Words>(other, threads),
            Width::Bits40 => self.move_from::<Split40>(other, threads),
            Width::Bits48 => self.move_from::<Split48>(other, threads),
            Width::Bits64 => self.move_from::<DoubleWords>(other, threads),
        }
    }

    fn move_from<C: Cells>(&self, other: &Table, threads: usize) -> Late {
        match other.plan.width {
            Width::Bits32 => self.move_cells::<C, Words>(other, threads),
            Width::Bits40 => self.move_cells::<C, Split40>(other, threads),
            Width::Bits48 => self.move_cells::<C, Split48>(other, threads),
            Width::Bits64 => self.move_cells::<C, DoubleWords>(other, threads),
        }
    }

    fn move_cells<C: Cells, D: Cells>(&self, other: &Table, threads: usize) -> Late {
        if threads == 1 || self.plan.lines < 2 * FEW {
            return self.move_lines::<C, D>(0..self.plan.lines, other, None);
        }
        let barrier = Barrier::new(threads);
        std::thread::scope(|scope| {
            let barrier = &barrier;
            let others: Vec<_> = (1..threads)
                .map(|thread| {
                    scope.spawn(move || self.move_part::<C, D>(other, thread, threads, barrier))
                })
                .collect();
            let mut late = self.move_part::<C, D>(other, 0, threads, barrier);
            for part in others {
                late.extend(part.join().expect("moves do not fail"));
            }
            late
        })
    }

    /// What one of several threads does of it.
    fn move_part<C: Cells, D: Cells>(
        &self,
        other: &Table,
        thread: usize,
        threads: usize,
        barrier: &Barrier,
    ) -> Late {
        let mut late = Vec::new();
        let mut end = self.plan.lines;
        loop {
            // From here on all lines go behind the last one that is not moved yet.
            let images = u128::from(end) * u128::from(other.span);
            let from = images.div_ceil(u128::from(self.span)) as u64;
            if end.saturating_sub(from) < FEW {
                break;
            }
            let cut = |thread: usize| from + (end - from) * thread as u64 / threads as u64;
            let lines = cut(thread)..cut(thread + 1);
            // Lines that nobody else's numbers belong to.
            let first = other.divide_base(lines.start * self.span).0 + 1;
            // Behind the last line the numbers may end, too.
            let behind = lines.end.checked_mul(self.span);
            let own = first.max(end)..behind.map_or(other.plan.lines, |at| other.divide_base(at).0);
            late.extend(self.move_lines::<C, D>(lines, other, Some(own)));
            barrier.wait();
            end = from;
        }
        if thread == 0 {
            late.extend(self.move_lines::<C, D>(0..end, other, None));
        }
        late
    }

    /// Moves the numbers of some lines, the last ones first. With other threads at work only lines of
    /// its `own` are written.
    fn move_lines<C: Cells, D: Cells>(
        &self,
        lines: Range<u64>,
        other: &Table,
        own: Option<Range<u64>>,
    ) -> Late {
        let mut late = Vec::new();
        let shift = self.shift();
        let low = (1 << shift) - 1;
        let (old, new) = (self.permutation.extra(), other.permutation.extra());
        let above = !(u64::MAX << old);
        let mut first = u64::MAX;
        let mut cursors = [0usize; NEIGHBOURS as usize];
        let mut free = own.clone().unwrap_or(0..other.plan.lines);
        for line in lines.rev() {
            let mut slots = [0; MOST_SLOTS];
            for (i, slot) in slots[..C::SLOTS].iter_mut().enumerate() {
                *slot = C::get(self, line as usize, i);
            }
            C::clear(self, line as usize);
            if own.is_none() {
                free.start = line;
            }
            let (home, before) = other.divide_base(line * self.span);
            if first.wrapping_sub(home) >= NEIGHBOURS {
                cursors = Default::default();
            } else {
                for _ in home..first {
                    cursors.rotate_right(1);
                    cursors[0] = 0;
                }
            }
            first = home;
            for &slot in &slots[..C::SLOTS] {
                let (target, rest, from) = match slot & PROBES {
                    0 => break,
                    1 => {
                        let rest = slot >> shift;
                        let base = before + (rest >> old);
                        let farther = spans(base, other.span);
                        let cursor = &mut cursors[farther as usize % NEIGHBOURS as usize];
                        let rest = (base - farther * other.span) << new | rest & above;
                        (home + farther, rest, cursor)
                    }
                    _ => {
                        let image = self.renamed(self.image(line, slot), other);
                        let (target, rest) = other.divide(image.0);
                        (target, rest, &mut 0)
                    }
                };
                let moved = rest << shift | slot & low & !PROBES | 1;
                let mut placed = false;
                if free.contains(&target) {
                    while !placed && *from < D::SLOTS {
                        placed = D::put(other, target as usize, *from, moved, true);
                        *from += 1;
                    }
                }
                if !placed {
                    let image = self.renamed(self.image(line, slot), other);
                    late.push((image, self.seen(slot) == Seen::Marked));
                }
            }
        }
        late
    }

    /// Puts in what had to wait; what does not fit is left in the list.
    pub fn take_late(&self, late: &mut Late) -> bool {
        while !late.is_empty() {
            let batch = late.len().saturating_sub(32);
            late[batch..].iter().for_each(|&(image, _)| self.expect(image));
            while late.len() > batch
                && let Some(&(image, marked)) = late.last()
            {
                if self.take(image, marked).is_err() {
                    return false;
                }
                late.pop();
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// For wider numbers, in slots of any width, the order is the same.
    #[test]
    fn a_table_has_the_same_numbers_in_other_slots() {
        let mut seed = 6u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed ^ seed >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
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
                                if key % 3 == 0 {
                                    table.unmark(image);
                                }
                                twin.insert(key, marks && key % 3 != 0);
                            }
                        }
                    };
                    fill(&table, 34, 250_000);
                    let lines = if old == new { 1 << 16 } else { 3 << 15 };
                    let plan = Plan { lines, ..Plan::with(new, 34, 1, marks) }.widest();
                    let plan = plan.in_order_of(table.plan());
                    assert!(plan.base == 34 && plan.bits >= 42, "{plan:?}");
                    let other = Table::new(plan).unwrap();
                    assert!(table.copy(0, u64::MAX, &other, true));
                    let larger = table.extended(plan).unwrap();
                    let mut late = table.move_to(&larger, threads);
                    assert!(larger.take_late(&mut late) && late.is_empty());
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
        let mut seed = 4u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed ^ seed >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
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
                        if key % 3 == 0 {
                            table.unmark(image);
                        }
                        twin.insert(key, marks && key % 3 != 0);
                    }
                }
                for _ in 0..2 {
                    let lines = (table.plan().lines as f64 * factor) as u64 / 2 * 2;
                    let Some(other) = table.extended(Plan { lines, ..plan }) else {
                        panic!("no room for {lines} lines");
                    };
                    let mut late = table.move_to(&other, threads);
                    assert!(late.len() < twin.len() / 10, "{plan:?} {factor}: {}", late.len());
                    assert!(other.take_late(&mut late) && late.is_empty());
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
