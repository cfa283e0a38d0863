//! A list that several threads share: entries never move, and are made when they are first wanted.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::ledger::Ledger;

/// log2 of the entries of a chunk.
const BITS: u32 = 14;
/// Chunks of a list that has an entry for every `u32`.
const CHUNKS: usize = 1 << (u32::BITS - BITS);

/// Entries by number, all of them as they are by default until somebody changes them.
pub(super) struct Chunks<T> {
    chunks: Box<[OnceLock<Box<[T]>>]>,
    bytes: AtomicU64,
}

impl<T: Default> Chunks<T> {
    /// Nothing yet.
    pub fn new() -> Chunks<T> {
        let chunks = (0..CHUNKS).map(|_| OnceLock::new()).collect();
        Chunks { chunks, bytes: AtomicU64::new(0) }
    }

    /// An entry, made if it is not there.
    #[inline]
    pub fn get(&self, index: u32) -> &T {
        let chunk = self.chunks[(index >> BITS) as usize].get_or_init(|| {
            self.bytes.fetch_add((size_of::<T>() << BITS) as u64, Ordering::Relaxed);
            (0..1 << BITS).map(|_| T::default()).collect()
        });
        &chunk[index as usize & ((1 << BITS) - 1)]
    }

    /// The same, for an account: `None` if it does not allow that.
    pub fn paid(&self, index: u32, ledger: &Ledger) -> Option<&T> {
        if self.chunks[(index >> BITS) as usize].get().is_none() {
            // Two threads may pay at once: what is too much is given back.
            let bytes = (size_of::<T>() << BITS) as u64;
            if !ledger.take(bytes) {
                return None;
            }
            let before = self.bytes();
            self.get(index);
            if self.bytes() == before {
                ledger.give(bytes);
            }
        }
        Some(self.get(index))
    }

    /// An entry, if it is there.
    #[inline]
    pub fn look(&self, index: u32) -> Option<&T> {
        let chunk = self.chunks[(index >> BITS) as usize].get()?;
        Some(&chunk[index as usize & ((1 << BITS) - 1)])
    }

    /// Bytes of the entries.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}
