//! Whole lines, for each width of slots.

use crate::stores::atomics::Ordering;

use super::split::Split;
use super::{MOST_SLOTS, Table};

/// The slots of a line, each as a number, and 0 where it is free.
pub(super) type Slots = [u64; MOST_SLOTS];

/// Slots of a certain width.
pub(super) trait Cells {
    const SLOTS: usize;

    /// What lies in a line. Nobody may write to it.
    fn read(table: &Table, line: usize) -> Slots;

    /// Writes the first slots of a line, all of which are free. Nobody else may use the line.
    fn write(table: &Table, line: usize, slots: &[u64]);

    /// Makes all slots of a line free. Nobody else may use the line.
    #[inline(always)]
    fn clear(table: &Table, line: usize) {
        table.words(line).iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }
}

pub(super) struct Words;
pub(super) struct DoubleWords;

impl Cells for Words {
    const SLOTS: usize = 16;

    #[inline(always)]
    fn read(table: &Table, line: usize) -> Slots {
        let words = table.words(line);
        std::array::from_fn(|i| u64::from(words[i].load(Ordering::Relaxed)))
    }

    #[inline(always)]
    fn write(table: &Table, line: usize, slots: &[u64]) {
        for (word, &slot) in table.words(line).iter().zip(slots) {
            word.store(slot as u32, Ordering::Relaxed);
        }
    }
}

impl Cells for DoubleWords {
    const SLOTS: usize = 8;

    #[inline(always)]
    fn read(table: &Table, line: usize) -> Slots {
        let words = table.double_words(line);
        std::array::from_fn(|i| words.get(i).map_or(0, |word| word.load(Ordering::Relaxed)))
    }

    #[inline(always)]
    fn write(table: &Table, line: usize, slots: &[u64]) {
        for (word, &slot) in table.double_words(line).iter().zip(slots) {
            word.store(slot, Ordering::Relaxed);
        }
    }

    #[inline(always)]
    fn clear(table: &Table, line: usize) {
        table.double_words(line).iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }
}

impl<const SLOTS: usize, const HIGH: u32> Cells for Split<SLOTS, HIGH> {
    const SLOTS: usize = SLOTS;

    #[inline(always)]
    fn read(table: &Table, line: usize) -> Slots {
        let words = table.words(line);
        std::array::from_fn(|i| if i < SLOTS { Self::get(words, i) } else { 0 })
    }

    #[inline(always)]
    fn write(table: &Table, line: usize, slots: &[u64]) {
        Self::write_all(table.words(line), slots);
    }
}
