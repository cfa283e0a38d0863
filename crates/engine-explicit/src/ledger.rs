//! One account of memory for everything that grows during a search.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bytes taken, the most that was ever taken, and how much may be.
///
/// Everything that grows asks first, so that a memory limit ends a search with its partial result
/// instead of ending the process. Several threads share one account.
#[derive(Debug)]
pub struct Ledger {
    limit: u64,
    used: AtomicU64,
    peak: AtomicU64,
}

impl Ledger {
    /// An empty account; `None` is no limit.
    pub fn new(limit: Option<u64>) -> Ledger {
        Ledger {
            limit: limit.unwrap_or(u64::MAX),
            used: AtomicU64::new(0),
            peak: AtomicU64::new(0),
        }
    }

    /// The most that may be taken.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// What is taken now.
    pub fn used(&self) -> u64 {
        self.used.load(Relaxed)
    }

    /// What may still be taken.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used())
    }

    /// The most that was ever taken at one time.
    pub fn peak(&self) -> u64 {
        self.peak.load(Relaxed)
    }

    /// Takes `bytes` unless the limit forbids it, and says which.
    #[must_use]
    pub fn take(&self, bytes: u64) -> bool {
        let fits = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= self.limit);
        match self.used.fetch_update(Relaxed, Relaxed, fits) {
            Ok(before) => {
                self.peak.fetch_max(before + bytes, Relaxed);
                true
            }
            Err(_) => false,
        }
    }

    /// Takes `bytes` whatever the limit is: for small things that cannot be refused.
    pub fn force(&self, bytes: u64) {
        let before = self.used.fetch_add(bytes, Relaxed);
        self.peak.fetch_max(before + bytes, Relaxed);
    }

    /// Gives `bytes` back.
    pub fn give(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Relaxed);
    }

    /// Makes room for one more element of a list by doubling it, and adds what that takes to
    /// `bytes`. The moment at which the old and the new list exist counts as well.
    #[inline]
    #[must_use]
    pub fn grow<T>(&self, list: &mut Vec<T>, bytes: &mut u64) -> bool {
        self.grow_by(list, 1, bytes)
    }

    /// The same for `more` elements.
    #[inline]
    #[must_use]
    pub fn grow_by<T>(&self, list: &mut Vec<T>, more: usize, bytes: &mut u64) -> bool {
        if list.capacity() - list.len() >= more {
            return true;
        }
        let before = (list.capacity() * size_of::<T>()) as u64;
        let capacity = (list.len() + more).max(list.capacity() + 1).max(16).next_power_of_two();
        let after = (capacity * size_of::<T>()) as u64;
        if !self.take(after) {
            return false;
        }
        list.reserve_exact(capacity - list.len());
        self.give(before);
        *bytes += after - before;
        true
    }
}
