//! A lossy store that knows states by their keys.
//!
//! A filter takes the place of the table, and the hash of a key that of the key. Steps are remembered
//! as in the exact store, and the frontier holds keys instead of vectors. What the filter has
//! taken in it cannot give back: when keys get another meaning, the search begins anew with the keys
//! of then. That happens early, while little is known of the components, or not at all.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::ledger::Ledger;
use crate::lossy::filter::{self, Filter, Tally};
use crate::stores::forest::Forest;
use crate::stores::mix::{Mixed, spread};
use crate::stores::store::Full;
use crate::stores::table::Target;
use crate::stores::wire::{In, Out};

/// Dictionaries may take this part of the memory of the filter, but a little in any case.
const SHARE: u64 = 8;
const LITTLE: u64 = 1 << 20;

/// What takes the place of the table.
pub(super) struct Sieve<'a> {
    filter: Box<dyn Filter + 'a>,
    seed: u64,
    /// States that were probably omitted: a floating-point number.
    omitted: AtomicU64,
}

impl<'a> Sieve<'a> {
    pub fn new(filter: Box<dyn Filter + 'a>, seed: u64) -> Sieve<'a> {
        Sieve { filter, seed, omitted: AtomicU64::new(0f64.to_bits()) }
    }

    pub fn filter(&self) -> &dyn Filter {
        &*self.filter
    }

    #[inline]
    fn hash(&self, key: u64) -> Mixed {
        spread(key, self.seed)
    }

    pub fn contains(&self, key: u64) -> bool {
        self.filter.contains(self.hash(key))
    }

    pub fn insert(&self, key: u64, tally: &mut Tally) -> Result<bool, Full> {
        self.filter.insert(self.hash(key), tally)
    }

    pub fn prefetch(&self, key: u64) {
        self.filter.prefetch(self.hash(key));
    }

    /// Finds the places of keys and asks for their memory.
    pub fn aim(&self, keys: impl Iterator<Item = u64>, targets: &mut Vec<Target>) {
        let from = targets.len();
        targets.extend(keys.map(|key| Target::hashed(key, self.hash(key))));
        self.filter.prefetch_all(&mut targets[from..]);
    }

    /// Notes what a thread has put in.
    pub fn tell(&self, tally: &mut Tally) {
        let more = self.filter.omitted(tally);
        let add = |bits: u64| Some((f64::from_bits(bits) + more).to_bits());
        let _ = self.omitted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
        *tally = Tally::default();
    }

    /// Writes everything down.
    pub fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        filter::save(&*self.filter, &self.omitted, out)
    }

    /// Takes up what was written down.
    pub fn restore(&self, input: &mut In<'_>) -> io::Result<()> {
        filter::restore(&*self.filter, &self.omitted, input)
    }

    pub fn omitted(&self) -> f64 {
        f64::from_bits(self.omitted.load(Ordering::Relaxed))
    }

    /// Whether dictionaries have become too large beside the filter.
    pub fn is_too_small_for(&self, forest: &Forest) -> bool {
        forest.bytes() > LITTLE + self.filter.bytes() / SHARE
    }
}

/// Slots of the sample of keys beside a filter.
pub(super) fn sample_slots(filter: &dyn Filter) -> u64 {
    (filter.bytes() / 128).clamp(1 << 12, 1 << 16)
}

/// The forest of another store, to begin with.
pub(super) fn inherited(mut forest: Forest, ledger: &Ledger) -> Result<Forest, Full> {
    forest.version = 0;
    match ledger.take(forest.bytes()) {
        true => Ok(forest),
        false => Err(Full::Memory),
    }
}
