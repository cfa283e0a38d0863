//! What one thread has found out about parts of states, for the others.
//!
//! Each thread remembers steps by itself, which costs nothing; but what one of them had to ask the
//! system for, the others would have to ask for once more. They look here before they do.

use std::sync::{Mutex, OnceLock};

use crate::ledger::Ledger;

use super::lock;

/// Steps of a part that are passed on, at most.
pub(super) const STEPS: usize = 4;
/// Slots that have a lock in common, and how many of these there are.
const TOGETHER: usize = 512;
const LOCKS: usize = 64;

/// What is remembered of the steps of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// What the key has to mean.
    pub version: u32,
    pub part: u32,
    /// The bits of the key that the part touches, and their value.
    pub mask: u64,
    pub value: u64,
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Slot {
    known: Known,
    flips: [u64; STEPS],
    /// Number of steps.
    count: u32,
}

/// No part touches all bits and has none of them.
const FREE: Slot = Slot {
    known: Known { version: u32::MAX, part: u32::MAX, mask: u64::MAX, value: 0 },
    flips: [0; STEPS],
    count: 0,
};

/// Slots with a lock.
type Group = Mutex<Box<[Slot]>>;

/// Steps that threads tell each other. What is older makes room for what is new.
#[derive(Default)]
pub(super) struct Exchange {
    /// Made when there is something to tell; nothing without memory.
    slots: OnceLock<Option<Box<[Group]>>>,
}

impl Exchange {
    /// The bits that the steps of a part flip.
    pub fn find(&self, known: Known) -> Option<([u64; STEPS], usize)> {
        let slots = self.slots.get()?.as_ref()?;
        let (group, place) = place(known);
        let slot = lock(&slots[group])[place];
        (slot.known == known).then_some((slot.flips, slot.count as usize))
    }

    /// Notes them, if they are few and the ledger agrees.
    pub fn put(&self, known: Known, flips: impl ExactSizeIterator<Item = u64>, ledger: &Ledger) {
        let count = flips.len();
        if count > STEPS {
            return;
        }
        let slots = self.slots.get_or_init(|| {
            let bytes = LOCKS * TOGETHER * size_of::<Slot>();
            let group = |_| Mutex::new(vec![FREE; TOGETHER].into());
            ledger.take(bytes as u64).then(|| (0..LOCKS).map(group).collect())
        });
        let Some(slots) = slots else { return };
        let mut slot = Slot { known, count: count as u32, ..FREE };
        for (place, flip) in slot.flips.iter_mut().zip(flips) {
            *place = flip;
        }
        let (group, place) = place(known);
        lock(&slots[group])[place] = slot;
    }
}

/// The group of a slot, and its place there.
fn place(known: Known) -> (usize, usize) {
    let mixed = (known.value ^ known.value >> 32 ^ u64::from(known.part) << 56)
        .wrapping_mul(0xd1b5_4a32_d192_ed03);
    ((mixed >> 58) as usize % LOCKS, (mixed >> 40) as usize % TOGETHER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_found_by_the_same_question_only() {
        let ledger = Ledger::new(None);
        let exchange = Exchange::default();
        let known = Known { version: 3, part: 1, mask: 0xff0, value: 0x120 };
        assert_eq!(exchange.find(known), None);
        exchange.put(known, [1, 2, 4].into_iter(), &ledger);
        assert_eq!(exchange.find(known), Some(([1, 2, 4, 0], 3)));
        for other in [
            Known { version: 4, ..known },
            Known { part: 2, ..known },
            Known { mask: 0xfff, ..known },
            Known { value: 0x130, ..known },
        ] {
            assert_eq!(exchange.find(other), None);
        }
        exchange.put(Known { part: 5, ..known }, [1; STEPS + 1].into_iter(), &ledger);
        assert_eq!(exchange.find(Known { part: 5, ..known }), None);
        exchange.put(Known { part: 6, ..known }, [].into_iter(), &ledger);
        assert_eq!(exchange.find(Known { part: 6, ..known }), Some(([0; STEPS], 0)));
    }

    #[test]
    fn nothing_is_told_where_there_is_no_memory() {
        let ledger = Ledger::new(Some(1000));
        let exchange = Exchange::default();
        let known = Known { version: 0, part: 0, mask: 1, value: 1 };
        exchange.put(known, [1].into_iter(), &ledger);
        assert_eq!(exchange.find(known), None);
        assert_eq!(ledger.used(), 0);
    }
}
