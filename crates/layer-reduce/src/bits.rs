//! Sets of resources, and what a statement does with them.

use std::sync::RwLock;

use rustc_hash::FxHashMap;

/// Number of words of a set.
const WORDS: usize = 4;

/// A set of resources. Two resources may share a bit: sets are only asked whether they meet, so
/// that sharing costs reduction and nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Bits([u64; WORDS]);

impl Bits {
    /// How many bits there are.
    pub const COUNT: usize = WORDS * 64;

    pub fn of(bit: usize) -> Bits {
        let mut bits = Bits::default();
        bits.insert(bit);
        bits
    }

    pub fn insert(&mut self, bit: usize) {
        self.0[bit >> 6] |= 1 << (bit & 63);
    }

    pub fn contains(&self, bit: usize) -> bool {
        self.0[bit >> 6] >> (bit & 63) & 1 == 1
    }

    #[inline]
    pub fn add(&mut self, other: &Bits) {
        for (mine, more) in self.0.iter_mut().zip(other.0) {
            *mine |= more;
        }
    }

    #[inline]
    pub fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(other.0).fold(0, |met, (a, b)| met | a & b) != 0
    }
}

/// What a statement does with resources. Two statements are independent unless one of them changes
/// what the other touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Footprint {
    /// Everything that it reads or changes.
    pub touched: Bits,
    /// What it changes.
    pub changed: Bits,
}

impl Footprint {
    /// A statement of which nothing is known.
    pub const UNKNOWN: Footprint =
        Footprint { touched: Bits([u64::MAX; WORDS]), changed: Bits([u64::MAX; WORDS]) };

    pub fn read(&mut self, bit: usize) {
        self.touched.insert(bit);
    }

    pub fn change(&mut self, bit: usize) {
        self.touched.insert(bit);
        self.changed.insert(bit);
    }

    #[inline]
    pub fn add(&mut self, other: &Footprint) {
        self.touched.add(&other.touched);
        self.changed.add(&other.changed);
    }

    #[inline]
    pub fn conflicts(&self, other: &Footprint) -> bool {
        self.changed.meets(&other.touched) || self.touched.meets(&other.changed)
    }
}

/// Numbers for footprints, the same for equal ones, so that what was found about one is found again.
#[derive(Default)]
pub(crate) struct Prints(RwLock<FxHashMap<(Footprint, Cause), u32>>);

/// Why something that conflicts with a footprint is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cause {
    /// It may disturb a statement that can be executed.
    Conflict,
    /// It may help one that cannot.
    Help,
    /// The same for one that may wait for a rendezvous.
    Rendezvous,
}

/// A footprint with its number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    pub print: Footprint,
    pub cause: Cause,
    /// `None` if it has none.
    pub number: Option<u32>,
}

impl Prints {
    /// The number of a footprint.
    pub fn query(&self, print: Footprint, cause: Cause) -> Query {
        let mut known = self.0.write().expect("no thread failed while it held the numbers");
        let next = known.len() as u32;
        let number = Some(*known.entry((print, cause)).or_insert(next));
        Query { print, cause, number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changes_conflict() {
        let mut reader = Footprint::default();
        reader.read(200);
        let mut writer = Footprint::default();
        writer.change(200);
        let mut other = Footprint::default();
        other.change(7);
        assert!(!reader.conflicts(&reader));
        assert!(reader.conflicts(&writer) && writer.conflicts(&reader));
        assert!(writer.conflicts(&writer));
        assert!(!writer.conflicts(&other) && !reader.conflicts(&other));
        assert!(Footprint::UNKNOWN.conflicts(&other));
        assert!(Bits::of(63).meets(&Bits::of(63)) && !Bits::of(63).meets(&Bits::of(64)));
    }
}
