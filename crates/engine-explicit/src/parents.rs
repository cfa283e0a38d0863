//! How each state of a breadth-first search was reached, in one to two bytes a state.
//!
//! States are numbered in the order in which they are found and expanded in that order, so parents
//! never decrease. It is enough to log, for each state, which of its parent's steps led to it, and
//! for each expanded state, how many new states it gave.

use crate::ledger::Ledger;

const CHUNK_BITS: u32 = 16;
const CHUNK: usize = 1 << CHUNK_BITS;
const FIRST_CHUNK: usize = 1 << 10;
/// A byte that stands for an entry in [`ByteLog::wide`].
const WIDE: u8 = u8::MAX;
const SAMPLE: u64 = 1024;

/// An append-only list of numbers that are nearly always small.
#[derive(Debug, Default)]
struct ByteLog {
    chunks: Vec<Vec<u8>>,
    len: u64,
    /// Entries that the chunks have room for.
    capacity: usize,
    /// The entries that do not fit a byte, by position.
    wide: Vec<(u64, u32)>,
    bytes: u64,
}

impl ByteLog {
    /// Makes `count` pushes possible; `false` if the ledger refuses.
    #[inline]
    fn reserve(&mut self, count: usize, ledger: &mut Ledger) -> bool {
        while self.capacity < self.len as usize + count {
            if !self.extend(ledger) {
                return false;
            }
        }
        true
    }

    /// Doubles the first chunk until it is full-grown, then adds others.
    #[cold]
    fn extend(&mut self, ledger: &mut Ledger) -> bool {
        let before = if self.capacity < CHUNK { self.capacity } else { 0 };
        let after = (2 * before).max(if self.capacity < CHUNK { FIRST_CHUNK } else { CHUNK });
        if !ledger.take(after as u64) {
            return false;
        }
        if before == 0 {
            self.chunks.push(Vec::new());
        }
        let last = self.chunks.len() - 1;
        let chunk = &mut self.chunks[last];
        chunk.reserve_exact(after - chunk.len());
        ledger.give(before as u64);
        self.capacity += after - before;
        self.bytes += (after - before) as u64;
        true
    }

    #[inline]
    fn push(&mut self, value: u32, ledger: &mut Ledger) {
        let byte = if value < u32::from(WIDE) {
            value as u8
        } else {
            let before = self.wide.capacity();
            self.wide.push((self.len, value));
            self.charge((self.wide.capacity() - before) * size_of::<(u64, u32)>(), ledger);
            WIDE
        };
        let index = (self.len >> CHUNK_BITS) as usize;
        self.chunks[index].push(byte);
        self.len += 1;
    }

    fn charge(&mut self, bytes: usize, ledger: &mut Ledger) {
        self.bytes += bytes as u64;
        ledger.force(bytes as u64);
    }

    fn get(&self, index: u64) -> u32 {
        let byte = self.chunks[(index >> CHUNK_BITS) as usize][index as usize & (CHUNK - 1)];
        if byte < WIDE {
            return u32::from(byte);
        }
        let wide = self.wide.partition_point(|&(i, _)| i < index);
        self.wide[wide].1
    }
}

/// The parent log of a breadth-first search.
#[derive(Debug, Default)]
pub(crate) struct Parents {
    /// For each state: which step of its parent, or which initial step, led to it.
    ordinals: ByteLog,
    /// For each expanded state: how many states it gave.
    children: ByteLog,
    /// Number of states known before each [`SAMPLE`]th expansion.
    samples: Vec<u64>,
    /// Number of initial states.
    roots: u64,
}

impl Parents {
    /// Makes the expansion of a state with `steps` steps loggable.
    #[inline]
    pub fn reserve(&mut self, steps: usize, ledger: &mut Ledger) -> bool {
        self.ordinals.reserve(steps, ledger) && self.children.reserve(1, ledger)
    }

    /// Logs an initial state.
    pub fn root(&mut self, ordinal: u32, ledger: &mut Ledger) {
        self.roots += 1;
        self.ordinals.push(ordinal, ledger);
    }

    /// Logs a state that the state under expansion led to.
    #[inline]
    pub fn child(&mut self, ordinal: u32, ledger: &mut Ledger) {
        self.ordinals.push(ordinal, ledger);
    }

    /// Logs the end of an expansion that gave `count` states.
    #[inline]
    pub fn expanded(&mut self, count: u32, ledger: &mut Ledger) {
        if self.children.len.is_multiple_of(SAMPLE) {
            let before = self.samples.capacity();
            self.samples.push(self.ordinals.len - u64::from(count));
            self.children.charge((self.samples.capacity() - before) * size_of::<u64>(), ledger);
        }
        self.children.push(count, ledger);
    }

    /// Bytes of the log.
    pub fn bytes(&self) -> u64 {
        self.ordinals.bytes + self.children.bytes
    }

    /// The ordinals of the run to state `number`: the initial step first.
    pub fn run_to(&self, number: u64) -> Vec<u32> {
        let mut run = vec![self.ordinals.get(number)];
        let mut state = number;
        while state >= self.roots {
            state = self.parent(state);
            run.push(self.ordinals.get(state));
        }
        run.reverse();
        run
    }

    /// The state whose expansion gave `state`, which is not an initial one.
    fn parent(&self, state: u64) -> u64 {
        let sample = self.samples.partition_point(|&known| known <= state) - 1;
        let mut known = self.samples[sample];
        let mut parent = sample as u64 * SAMPLE;
        loop {
            // The state under expansion when the search stopped has no entry yet.
            if parent == self.children.len {
                return parent;
            }
            known += u64::from(self.children.get(parent));
            if known > state {
                return parent;
            }
            parent += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_are_found_again() {
        let mut ledger = Ledger::new(None);
        let mut log = Parents::default();
        let mut seed = 7u64;
        let mut parents: Vec<Option<u64>> = Vec::new();
        let mut ordinals = Vec::new();
        assert!(log.reserve(3, &mut ledger));
        for root in 0..3 {
            log.root(root * 2, &mut ledger);
            parents.push(None);
            ordinals.push(root * 2);
        }
        let mut state = 0;
        while state < parents.len() && state < 20_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let count = match seed >> 60 {
                0 => 700,
                1..6 => 0,
                n => (n - 5) as u32,
            };
            assert!(log.reserve(count as usize, &mut ledger));
            for child in 0..count {
                log.child(child + 1, &mut ledger);
                parents.push(Some(state as u64));
                ordinals.push(child + 1);
            }
            log.expanded(count, &mut ledger);
            state += 1;
        }
        assert!(parents.len() > 100_000);
        for number in (0..parents.len()).step_by(997).chain(0..2000) {
            let mut run = Vec::new();
            let mut at = Some(number as u64);
            while let Some(n) = at {
                run.push(ordinals[n as usize]);
                at = parents[n as usize];
            }
            run.reverse();
            assert_eq!(log.run_to(number as u64), run, "state {number}");
        }
        assert_eq!(ledger.used(), log.bytes());
    }
}
