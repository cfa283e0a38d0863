//! One account of memory for everything that grows during a search.

/// Bytes taken, the most that was ever taken, and how much may be.
///
/// Everything that grows asks first, so that a memory limit ends a search with its partial result
/// instead of ending the process.
#[derive(Clone, Debug)]
pub struct Ledger {
    limit: u64,
    used: u64,
    peak: u64,
}

impl Ledger {
    /// An empty account; `None` is no limit.
    pub fn new(limit: Option<u64>) -> Ledger {
        Ledger { limit: limit.unwrap_or(u64::MAX), used: 0, peak: 0 }
    }

    /// The most that may be taken.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// What is taken now.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The most that was ever taken at one time.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Takes `bytes` unless the limit forbids it, and says which.
    #[must_use]
    pub fn take(&mut self, bytes: u64) -> bool {
        let fits = self.used.saturating_add(bytes) <= self.limit;
        if fits {
            self.force(bytes);
        }
        fits
    }

    /// Takes `bytes` whatever the limit is: for small things that cannot be refused.
    pub fn force(&mut self, bytes: u64) {
        self.used += bytes;
        self.peak = self.peak.max(self.used);
    }

    /// Gives `bytes` back.
    pub fn give(&mut self, bytes: u64) {
        self.used -= bytes;
    }

    /// Makes room for one more element of a list by doubling it, and adds what that takes to
    /// `bytes`. The moment at which the old and the new list exist counts as well.
    #[inline]
    #[must_use]
    pub fn grow<T>(&mut self, list: &mut Vec<T>, bytes: &mut u64) -> bool {
        if list.len() < list.capacity() {
            return true;
        }
        let before = (list.capacity() * size_of::<T>()) as u64;
        let more = list.capacity().max(16);
        let after = before + (more * size_of::<T>()) as u64;
        if !self.take(after) {
            return false;
        }
        list.reserve_exact(more);
        self.give(before);
        *bytes += after - before;
        true
    }
}
