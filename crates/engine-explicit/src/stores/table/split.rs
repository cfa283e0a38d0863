//! Lines of slots that are wider than a word.
//!
//! A line has the low words of all slots, then their high bits side by side, then a lock. A slot is
//! filled under the lock, its high bits before its low word, so that whoever sees the word and is not
//! locked out sees the whole slot.

use crate::stores::atomics::{AtomicU32, Ordering, spin_loop};
use crate::stores::lines::Scanner;

/// A line of `SLOTS` slots of 32 + `HIGH` bits.
pub(super) struct Split<const SLOTS: usize, const HIGH: u32>;

/// Lines of slots of 40 bits.
pub(super) type Split40 = Split<12, 8>;
/// Lines of slots of 48 bits.
pub(super) type Split48 = Split<10, 16>;

/// What a line says of a slot.
pub(super) enum Met {
    /// It is there; this is its low word.
    There(u32),
    /// It is there now.
    Put,
    /// All slots are taken by others.
    Full,
}

impl<const SLOTS: usize, const HIGH: u32> Split<SLOTS, HIGH> {
    const EACH: usize = (32 / HIGH) as usize;
    const LOW: u32 = (1 << SLOTS) - 1;
    const LOCK: usize = 15;
    const FITS: () = assert!(SLOTS + SLOTS.div_ceil(Self::EACH) <= Self::LOCK);

    /// The high bits of a slot.
    #[inline(always)]
    fn high(words: &[AtomicU32; 16], i: usize) -> u32 {
        let () = Self::FITS;
        let word = words[SLOTS + i / Self::EACH].load(Ordering::Relaxed);
        word >> (HIGH * (i % Self::EACH) as u32) & ((1 << HIGH) - 1)
    }

    /// A slot as a whole; 0 if it is free.
    #[inline(always)]
    pub fn get(words: &[AtomicU32; 16], i: usize) -> u64 {
        // Acquire: the high bits were written before.
        let low = words[i].load(Ordering::Acquire);
        u64::from(Self::high(words, i)) << 32 | u64::from(low)
    }

    /// The slot, as a bit, that is the wanted one, and whether the line is full.
    #[inline(always)]
    pub fn find<S: Scanner>(words: &[AtomicU32; 16], slot: u64, care: u32) -> (u32, bool) {
        let scan = S::words(words, slot as u32 & care, care);
        (Self::found(words, scan.found, slot, care), scan.free & Self::LOW == 0)
    }

    /// Which of those whose low word fits is the wanted one.
    #[inline(always)]
    fn found(words: &[AtomicU32; 16], candidates: u32, slot: u64, care: u32) -> u32 {
        let mut candidates = candidates & Self::LOW;
        while candidates != 0 {
            let i = candidates.trailing_zeros() as usize;
            let found = Self::get(words, i);
            if found as u32 & care == slot as u32 & care && found >> 32 == slot >> 32 {
                return 1 << i;
            }
            candidates &= candidates - 1;
        }
        0
    }

    /// Puts a slot in if it is not there. Who is alone needs no lock.
    #[inline(always)]
    pub fn insert<S: Scanner>(words: &[AtomicU32; 16], slot: u64, care: u32, alone: bool) -> Met {
        let scan = S::words(words, slot as u32 & care, care);
        let found = Self::found(words, scan.found, slot, care);
        if found != 0 {
            let low = words[found.trailing_zeros() as usize].load(Ordering::Relaxed);
            return Met::There(low);
        }
        if scan.free & Self::LOW == 0 {
            return Met::Full;
        }
        if alone {
            Self::write(words, scan.free.trailing_zeros() as usize, slot);
            return Met::Put;
        }
        Self::lock(words);
        let mut met = Met::Full;
        for i in scan.free.trailing_zeros() as usize..SLOTS {
            let there = Self::get(words, i);
            let low = there as u32;
            if low == 0 {
                Self::write(words, i, slot);
                met = Met::Put;
                break;
            }
            if low & care == slot as u32 & care && there >> 32 == slot >> 32 {
                met = Met::There(low);
                break;
            }
        }
        Self::unlock(words);
        met
    }

    /// Writes the first slots of a line that nobody else uses, all of which are free.
    #[inline(always)]
    pub fn write_all(words: &[AtomicU32; 16], slots: &[u64]) {
        for (i, some) in slots.chunks(Self::EACH).enumerate() {
            let high = |(i, slot): (usize, &u64)| ((slot >> 32) as u32) << (HIGH * i as u32);
            let high = some.iter().enumerate().map(high).fold(0, |all, high| all | high);
            words[SLOTS + i].store(high, Ordering::Relaxed);
        }
        for (word, &slot) in words[..SLOTS].iter().zip(slots) {
            word.store(slot as u32, Ordering::Relaxed);
        }
    }

    /// Writes a free slot. Nobody else writes.
    #[inline(always)]
    fn write(words: &[AtomicU32; 16], i: usize, slot: u64) {
        let high = &words[SLOTS + i / Self::EACH];
        let bits = ((slot >> 32) as u32) << (HIGH * (i % Self::EACH) as u32);
        high.store(high.load(Ordering::Relaxed) | bits, Ordering::Relaxed);
        words[i].store(slot as u32, Ordering::Release);
    }

    #[inline(always)]
    fn lock(words: &[AtomicU32; 16]) {
        let lock = &words[Self::LOCK];
        while lock.compare_exchange_weak(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            spin_loop();
        }
    }

    #[inline(always)]
    fn unlock(words: &[AtomicU32; 16]) {
        words[Self::LOCK].store(0, Ordering::Release);
    }
}
