//! Lines slot by slot, for each width of slots.

use crate::atomics::Ordering;

use super::Table;
use super::split::Split;

/// Slots of a certain width.
pub(super) trait Cells {
    const SLOTS: usize;

    /// A slot of a line; 0 in its low bits if it is free.
    fn get(table: &Table, line: usize, i: usize) -> u64;

    /// Fills a slot; `false` if it is taken. Who is `alone` has no others to fear.
    fn put(table: &Table, line: usize, i: usize, slot: u64, alone: bool) -> bool;

    /// Makes all slots of a line free. Nobody else may use the line.
    #[inline(always)]
    fn clear(table: &Table, line: usize) {
        table.words(line).iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }
}

pub(super) struct Words;
pub(super) struct DoubleWords;

/// Whether a free slot got its number.
macro_rules! put {
    ($word:expr, $slot:expr, $alone:expr) => {{
        let word = &$word;
        match $alone {
            false => word.compare_exchange(0, $slot, Ordering::Relaxed, Ordering::Relaxed).is_ok(),
            true if word.load(Ordering::Relaxed) != 0 => false,
            true => {
                word.store($slot, Ordering::Relaxed);
                true
            }
        }
    }};
}

impl Cells for Words {
    const SLOTS: usize = 16;

    #[inline(always)]
    fn get(table: &Table, line: usize, i: usize) -> u64 {
        u64::from(table.words(line)[i].load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn put(table: &Table, line: usize, i: usize, slot: u64, alone: bool) -> bool {
        put!(table.words(line)[i], slot as u32, alone)
    }
}

impl Cells for DoubleWords {
    const SLOTS: usize = 8;

    #[inline(always)]
    fn get(table: &Table, line: usize, i: usize) -> u64 {
        table.double_words(line)[i].load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn put(table: &Table, line: usize, i: usize, slot: u64, alone: bool) -> bool {
        put!(table.double_words(line)[i], slot, alone)
    }

    #[inline(always)]
    fn clear(table: &Table, line: usize) {
        table.double_words(line).iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }
}

impl<const SLOTS: usize, const HIGH: u32> Cells for Split<SLOTS, HIGH> {
    const SLOTS: usize = SLOTS;

    #[inline(always)]
    fn get(table: &Table, line: usize, i: usize) -> u64 {
        Split::<SLOTS, HIGH>::get(table.words(line), i)
    }

    #[inline(always)]
    fn put(table: &Table, line: usize, i: usize, slot: u64, alone: bool) -> bool {
        Split::<SLOTS, HIGH>::put(table.words(line), i, slot, alone)
    }
}
