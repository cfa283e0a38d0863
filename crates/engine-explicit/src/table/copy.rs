//! A table into a larger one.
//!
//! Numbers have their places in the same order in both tables if these have the same base. So what is at home in
//! one line goes to two or three neighbouring lines, each of which is filled from its first slot on,
//! and nothing has to be looked for: no number is there twice.

use super::cells::{Cells, DoubleWords, Words};
use super::split::{Split40, Split48};
use super::{PROBES, Seen, Table, Width};

/// Neighbouring lines that those of one line go to, at most.
pub(super) const NEIGHBOURS: u64 = 4;

/// How many spans fit into a rest that is less than four of them. Without a branch: it could not be
/// foreseen.
#[inline(always)]
pub(super) fn spans(rest: u64, span: u64) -> u64 {
    u64::from(rest >= span) + u64::from(rest >= 2 * span) + u64::from(rest >= 3 * span)
}

impl Table {
    /// Whether numbers have their places in the same order in another table.
    pub fn is_in_order_of(&self, other: &Table) -> bool {
        self.plan.base == other.plan.base
    }

    /// Puts the numbers of the lines `from..to` into another table of the same order; `false` if they do
    /// not fit. Who is `alone` has no others that do so at the same time.
    pub fn copy(&self, from: u64, to: u64, other: &Table, alone: bool) -> bool {
        debug_assert!(self.is_in_order_of(other));
        let to = to.min(self.plan.lines);
        // A number and what is before it in its line, in lines of the other table.
        if self.plan.marks != other.plan.marks || self.span / other.span + 2 > NEIGHBOURS {
            return self.copy_each(from, to, other);
        }
        match self.plan.width {
            Width::Bits32 => self.copy_from::<Words>(from, to, other, alone),
            Width::Bits40 => self.copy_from::<Split40>(from, to, other, alone),
            Width::Bits48 => self.copy_from::<Split48>(from, to, other, alone),
            Width::Bits64 => self.copy_from::<DoubleWords>(from, to, other, alone),
        }
    }

    fn copy_from<C: Cells>(&self, from: u64, to: u64, other: &Table, alone: bool) -> bool {
        match other.plan.width {
            Width::Bits32 => self.copy_cells::<C, Words>(from, to, other, alone),
            Width::Bits40 => self.copy_cells::<C, Split40>(from, to, other, alone),
            Width::Bits48 => self.copy_cells::<C, Split48>(from, to, other, alone),
            Width::Bits64 => self.copy_cells::<C, DoubleWords>(from, to, other, alone),
        }
    }

    fn copy_each(&self, from: u64, to: u64, other: &Table) -> bool {
        let mut fits = true;
        for line in from..to {
            let (slots, count) = self.taken(line);
            for &slot in &slots[..count] {
                let marked = self.seen(slot) == Seen::Marked;
                let image = self.renamed(self.image(line, slot), other);
                fits &= other.take(image, marked).is_ok();
            }
        }
        fits
    }

    fn copy_cells<C: Cells, D: Cells>(
        &self,
        from: u64,
        to: u64,
        other: &Table,
        alone: bool,
    ) -> bool {
        let shift = self.shift();
        let (old, new) = (self.permutation.extra(), other.permutation.extra());
        let above = !(u64::MAX << old);
        // Distance from home, and the mark.
        let low = (1 << shift) - 1;
        let span = other.span;
        let (mut first, _) = other.divide_base(from * self.span);
        // The first slot that may be free, of each of the neighbours from `first` on.
        let mut cursors = [0usize; NEIGHBOURS as usize];
        for line in from..to {
            let (home, before) = other.divide_base(line * self.span);
            if home - first >= NEIGHBOURS {
                cursors = Default::default();
            } else {
                for _ in first..home {
                    cursors.rotate_left(1);
                    cursors[NEIGHBOURS as usize - 1] = 0;
                }
            }
            first = home;
            for i in 0..C::SLOTS {
                let slot = C::get(self, line as usize, i);
                match slot & PROBES {
                    0 => break,
                    1 => {}
                    _ => {
                        let marked = self.seen(slot) == Seen::Marked;
                        let image = self.renamed(self.image(line, slot), other);
                        if other.take(image, marked).is_err() {
                            return false;
                        }
                        continue;
                    }
                }
                let rest = slot >> shift;
                let base = before + (rest >> old);
                let farther = spans(base, span);
                let rest = (base - farther * span) << new | rest & above;
                let target = rest << shift | slot & low;
                let cursor = &mut cursors[farther as usize % NEIGHBOURS as usize];
                loop {
                    if *cursor == D::SLOTS {
                        let mark = slot & !other.care();
                        if other.insert_farther(home + farther, rest, mark).is_err() {
                            return false;
                        }
                        break;
                    }
                    let place = *cursor;
                    *cursor += 1;
                    if D::put(other, (home + farther) as usize, place, target, alone) {
                        break;
                    }
                }
            }
        }
        true
    }
}
