//! A table that grows where it is.
//!
//! Numbers have their places in the same order in the larger table, and none is nearer to the begin
//! there. So the lines are emptied from the last one on, and what is at home in one goes to lines that
//! are empty already. Only the numbers that were or are away from home have to wait until the end.

use super::cells::{Cells, DoubleWords, Words};
use super::copy::{NEIGHBOURS, spans};
use super::split::{Split40, Split48};
use super::{Image, MOST_SLOTS, PROBES, Plan, Seen, Table, Width};

/// Lines that one thread moves alone.
const FEW: u64 = 1 << 12;

/// Numbers that have to be put in at the end, with their marks.
pub(crate) type Late = Vec<(Image, bool)>;

impl Table {
    /// The same memory as a larger table; `None` if there is no room for it. Nothing is where it
    /// belongs before [`move_to`](Self::move_to).
    pub fn extended(&self, plan: Plan) -> Option<Table> {
        let Plan { bits, width, lines, marks } = self.plan;
        let alike = Plan { lines: plan.lines, ..self.plan } == plan;
        debug_assert!(!alike || (bits, width, marks) == (plan.bits, plan.width, plan.marks));
        let fits = plan.lines as usize <= self.memory.len() && plan.lines > lines;
        if !alike || !fits {
            return None;
        }
        let other = Table::in_memory(plan, self.memory.clone());
        (self.span / other.span + 2 <= NEIGHBOURS).then_some(other)
    }

    /// Moves all numbers to where they belong in a table that was made by
    /// [`extended`](Self::extended), and gives those that have to be put in afterwards. This table is
    /// of no use any more.
    pub fn move_to(&self, other: &Table, threads: usize) -> Late {
        match self.plan.width {
            Width::Bits32 => self.move_cells::<Words>(other, threads),
            Width::Bits40 => self.move_cells::<Split40>(other, threads),
            Width::Bits48 => self.move_cells::<Split48>(other, threads),
            Width::Bits64 => self.move_cells::<DoubleWords>(other, threads),
        }
    }

    fn move_cells<C: Cells>(&self, other: &Table, threads: usize) -> Late {
        let mut late = Vec::new();
        let mut end = self.plan.lines;
        loop {
            // From here on all lines go behind the last one that is not moved yet.
            let images = u128::from(end) * u128::from(other.span);
            let from = images.div_ceil(u128::from(self.span)) as u64;
            if threads == 1 || end.saturating_sub(from) < FEW {
                break;
            }
            let step = (end - from).div_ceil(threads as u64);
            let parts: Vec<Late> = std::thread::scope(|scope| {
                let parts: Vec<_> = (0..threads as u64)
                    .map(|i| (from + i * step, (from + (i + 1) * step).min(end)))
                    .map(|(from, to)| {
                        scope.spawn(move || self.move_lines::<C>(from, to, other, Some(end)))
                    })
                    .collect();
                parts.into_iter().map(|part| part.join().expect("moves do not fail")).collect()
            });
            late.extend(parts.into_iter().flatten());
            end = from;
        }
        late.extend(self.move_lines::<C>(0, end, other, None));
        late
    }

    /// Moves the numbers of some lines, the last ones first. With other threads at work only lines from
    /// `empty` on may be written.
    fn move_lines<C: Cells>(&self, from: u64, to: u64, other: &Table, empty: Option<u64>) -> Late {
        let mut late = Vec::new();
        let shift = self.shift();
        let low = (1 << shift) - 1;
        let alone = empty.is_none();
        let mut first = u64::MAX;
        let mut cursors = [0usize; NEIGHBOURS as usize];
        for line in (from..to).rev() {
            let mut slots = [0; MOST_SLOTS];
            for (i, slot) in slots[..C::SLOTS].iter_mut().enumerate() {
                *slot = C::get(self, line as usize, i);
            }
            C::clear(self, line as usize);
            let (home, before) = other.divide(line * self.span);
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
                match slot & PROBES {
                    0 => break,
                    1 => {}
                    _ => {
                        let image = Image(self.image(line, slot));
                        let (home, rest) = other.divide(image.0);
                        let target = rest << shift | slot & low & !PROBES | 1;
                        let placed = home >= empty.unwrap_or(line)
                            && (0..C::SLOTS)
                                .any(|i| C::put(other, home as usize, i, target, alone));
                        if !placed {
                            late.push((image, self.seen(slot) == Seen::Marked));
                        }
                        continue;
                    }
                }
                let rest = before + (slot >> shift);
                let farther = spans(rest, other.span);
                let target = (rest - farther * other.span) << shift | slot & low;
                let cursor = &mut cursors[farther as usize % NEIGHBOURS as usize];
                let mut placed = false;
                while !placed && *cursor < C::SLOTS {
                    placed = C::put(other, (home + farther) as usize, *cursor, target, alone);
                    *cursor += 1;
                }
                if !placed {
                    let image = Image(line * self.span + (slot >> shift));
                    late.push((image, self.seen(slot) == Seen::Marked));
                }
            }
        }
        late
    }

    /// Puts in what had to wait; what does not fit is left in the list.
    pub fn take_late(&self, late: &mut Late) -> bool {
        while let Some(&(image, marked)) = late.last() {
            if self.take(image, marked).is_err() {
                return false;
            }
            late.pop();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

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
