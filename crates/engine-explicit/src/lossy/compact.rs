//! Hash compaction: a hash of 4 to 64 bits a state, in place of the state.
//!
//! The cells lie packed in cache lines. A state has a home line, a cell to begin with and a stride; it
//! tries a few cells and then goes on to other lines, of which there is a prime number. A cell of 0 is free, so no bit is lost to say so. The
//! place and the value come from different halves of the hash.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::ledger::Ledger;
use crate::lossy::filter::{Filter, Tally, insert_each, lines, prefetch_each};
use crate::stores::mix::{Mixed, below};
use crate::stores::pages::Lines;
use crate::stores::prefetch::prefetch;
use crate::stores::store::Full;
use crate::stores::table::Target;

/// Lines that are tried for a state before the table counts as full.
const PROBES: u64 = 128;
/// Cells of a line that are tried: who would go through all of a crowded line would be compared, and
/// confused, with more others than necessary.
const TRIED: u32 = 8;
/// Bits of a line.
const LINE_BITS: u32 = 512;
/// In the last word of a line whose cells cross words: somebody is writing. Such cells never fill a
/// line, so the bit is free.
const LOCK: u64 = 1 << 63;

/// Cells of so many bits in so many bytes.
pub(crate) fn cells(bytes: u64, bits: u32) -> u64 {
    bytes / 64 * u64::from(LINE_BITS / bits)
}

/// The greatest prime that is not greater, or 1.
fn prime(number: u64) -> u64 {
    let is_prime = |&n: &u64| (2..).take_while(|d| d * d <= n).all(|d| n % d != 0);
    (2..=number).rev().find(is_prime).unwrap_or(1)
}

fn coprime(a: u32, b: u32) -> bool {
    if b == 0 { a == 1 } else { coprime(b, a % b) }
}

/// A table of short hashes.
pub(crate) struct Compact {
    memory: Lines,
    lines: u64,
    bits: u32,
    /// Cells of a line.
    cells: u32,
    /// Strides that would lead through all cells of a line.
    strides: Vec<u32>,
    shared: bool,
}

/// Where the search for a state in a line ended.
enum Scan {
    /// At its value.
    Found,
    /// At a free cell, after so many others.
    Free { cell: u32, before: u64 },
    /// All cells that it may have in the line are taken by others.
    Full,
}

/// What a state becomes.
#[derive(Clone, Copy)]
struct Cell {
    line: u64,
    step: u64,
    start: u32,
    stride: u32,
    value: u64,
}

impl Compact {
    /// An empty table of at most so many bytes.
    pub fn new(bytes: u64, bits: u32, threads: usize, ledger: &Ledger) -> Result<Compact, Full> {
        let bits = bits.clamp(4, 64);
        let memory = lines(prime(bytes / 64) * 64, ledger)?;
        let cells = LINE_BITS / bits;
        Ok(Compact {
            lines: memory.double_words().len() as u64 / 8,
            memory,
            bits,
            cells,
            strides: (1..cells).filter(|&stride| coprime(stride, cells)).collect(),
            shared: threads > 1,
        })
    }

    fn values(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    #[inline]
    fn cell(&self, hash: Mixed) -> Cell {
        Cell {
            line: below(hash.first, self.lines),
            step: 1 + below(hash.first.wrapping_mul(0x9e37_79b9_7f4a_7c15), self.lines - 1),
            start: below(hash.first << 32, u64::from(self.cells)) as u32,
            stride: self.strides[below(hash.first << 40, self.strides.len() as u64) as usize],
            value: 1 + below(hash.second, self.values()),
        }
    }

    #[inline]
    fn words(&self, line: u64) -> &[AtomicU64; 8] {
        let start = line as usize * 8;
        let words = &self.memory.double_words()[start..start + 8];
        words.first_chunk().expect("a line has 8 double words")
    }

    #[inline]
    fn read(&self, words: &[AtomicU64; 8], cell: u32) -> u64 {
        let at = cell * self.bits;
        let (word, shift) = ((at / 64) as usize, at % 64);
        let mut value = words[word].load(Ordering::Relaxed) >> shift;
        if shift + self.bits > 64 {
            value |= words[word + 1].load(Ordering::Relaxed) << (64 - shift);
        }
        value & self.values()
    }

    /// Writes a free cell, unless it is taken by now.
    #[inline]
    fn write(&self, words: &[AtomicU64; 8], cell: u32, value: u64) -> bool {
        let at = cell * self.bits;
        let (word, shift) = ((at / 64) as usize, at % 64);
        if shift + self.bits > 64 || self.bits.count_ones() != 1 {
            // Alone, or under the lock.
            words[word].fetch_or(value << shift, Ordering::Relaxed);
            if shift + self.bits > 64 {
                words[word + 1].fetch_or(value >> (64 - shift), Ordering::Relaxed);
            }
            return true;
        }
        let mask = self.values() << shift;
        let free = |word: u64| (word & mask == 0).then_some(word | value << shift);
        words[word].fetch_update(Ordering::Relaxed, Ordering::Relaxed, free).is_ok()
    }

    #[inline]
    fn scan(&self, words: &[AtomicU64; 8], cell: Cell) -> Scan {
        let mut at = cell.start;
        for before in 0..u64::from(self.cells.min(TRIED)) {
            match self.read(words, at) {
                0 => return Scan::Free { cell: at, before },
                value if value == cell.value => return Scan::Found,
                _ => {}
            }
            at += cell.stride;
            if at >= self.cells {
                at -= self.cells;
            }
        }
        Scan::Full
    }

    /// Scans a line and writes into its free cell; says how many others were before it.
    #[inline]
    fn put(&self, line: u64, cell: Cell) -> Scan {
        let words = self.words(line);
        let lock = (self.shared && self.bits.count_ones() != 1).then(|| &words[7]);
        let mut scan = self.scan(words, cell);
        match (&scan, lock) {
            (Scan::Found, _) | (Scan::Full, None) => return scan,
            _ => {}
        }
        if let Some(lock) = lock {
            while lock.fetch_or(LOCK, Ordering::Acquire) & LOCK != 0 {
                std::hint::spin_loop();
            }
            // Before, half of a cell may have been missing.
            scan = self.scan(words, cell);
        }
        while let Scan::Free { cell: at, .. } = scan {
            if self.write(words, at, cell.value) {
                break;
            }
            scan = self.scan(words, cell);
        }
        if let Some(lock) = lock {
            lock.fetch_and(!LOCK, Ordering::Release);
        }
        scan
    }
}

impl Filter for Compact {
    #[inline]
    fn prefetch(&self, hash: Mixed) {
        prefetch(self.memory.double_words(), below(hash.first, self.lines) as usize * 8);
    }

    fn prefetch_all(&self, targets: &mut [Target]) {
        prefetch_each(self, targets);
    }

    fn insert_all(&self, targets: &[Target], new: &mut Vec<u32>, tally: &mut Tally) -> usize {
        insert_each(self, targets, new, tally)
    }

    fn contains(&self, hash: Mixed) -> bool {
        let cell = self.cell(hash);
        let mut line = cell.line;
        for _ in 0..PROBES.min(self.lines) {
            match self.scan(self.words(line), cell) {
                Scan::Found => return true,
                Scan::Free { .. } => return false,
                Scan::Full => line = (line + cell.step) % self.lines,
            }
        }
        false
    }

    #[inline]
    fn insert(&self, hash: Mixed, tally: &mut Tally) -> Result<bool, Full> {
        let cell = self.cell(hash);
        let mut line = cell.line;
        for full in 0..PROBES.min(self.lines) {
            match self.put(line, cell) {
                Scan::Found => return Ok(false),
                Scan::Free { before, .. } => {
                    tally.work += full * u64::from(self.cells.min(TRIED)) + before;
                    return Ok(true);
                }
                Scan::Full => line = (line + cell.step) % self.lines,
            }
        }
        Err(Full::Memory)
    }

    fn omitted(&self, tally: &Tally) -> f64 {
        tally.work as f64 / self.values() as f64
    }

    fn bytes(&self) -> u64 {
        self.lines * 64
    }

    fn fill(&self, states: u64) -> f64 {
        states as f64 / (self.lines * u64::from(self.cells)) as f64
    }

    fn memory(&self) -> (&Lines, Option<&AtomicU64>) {
        (&self.memory, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lossy::odds;
    use crate::stores::mix::mix;
    use std::collections::HashSet;

    fn table(bytes: u64, bits: u32, threads: usize) -> Compact {
        Compact::new(bytes, bits, threads, &Ledger::new(None)).unwrap()
    }

    #[test]
    fn cells_of_every_width_keep_what_they_get() {
        for bits in 4..=64 {
            for threads in [1, 2] {
                let table = table(64 * 40, bits, threads);
                let keys = 37 * (512 / bits) * 3 / 4;
                let mut new = 0;
                for key in 0..keys {
                    let hash = mix(&[key], 1);
                    new += u32::from(table.insert(hash, &mut Tally::default()).unwrap());
                    assert!(table.contains(hash), "{bits} bits");
                    assert_eq!(table.insert(hash, &mut Tally::default()), Ok(false));
                }
                assert!((0..keys).all(|key| table.contains(mix(&[key], 1))), "{bits} bits");
                assert!(bits < 40 || new == keys, "{bits} bits: {new} of {keys}");
                assert_eq!(table.lines, 37);
                let taken: u32 = (0..37)
                    .map(|line| {
                        let words = table.words(line);
                        (0..table.cells).filter(|&cell| table.read(words, cell) != 0).count() as u32
                    })
                    .sum();
                assert_eq!(taken, new);
                let part = f64::from(taken) / f64::from(37 * table.cells);
                assert!((table.fill(u64::from(new)) - part).abs() < 1e-9);
            }
        }
    }

    /// Observed omissions, what the table believes, and the formula for probing cell by cell.
    #[test]
    fn p8_omissions_are_those_of_the_theory() {
        for (bits, load) in [(8, 0.5), (11, 0.9), (16, 0.98)] {
            let bytes = 64 * 1001;
            let keys = (cells(bytes, bits) as f64 * load) as u32;
            let (mut omitted, mut believed) = (0.0, 0.0);
            let rounds = 20;
            for seed in 0..rounds {
                let table = table(bytes, bits, 1);
                let mut tally = Tally::default();
                let new = (0..keys)
                    .filter(|&key| table.insert(mix(&[key], seed), &mut tally).unwrap())
                    .count();
                omitted += f64::from(keys) - new as f64;
                believed += table.omitted(&tally);
            }
            let sigma = f64::sqrt(omitted);
            // What was omitted does not fill the table: for 8 bits that shows.
            assert!(
                (omitted - believed).abs() < 4.0 * sigma + 0.02 * omitted,
                "{omitted} {believed}"
            );
            let cells = cells(bytes, bits) as f64;
            let theory = odds::compaction_omissions(cells, bits, f64::from(keys)) * rounds as f64;
            assert!(omitted < theory * 1.5 && omitted > theory * 0.4, "{bits}: {omitted} {theory}");
        }
    }

    #[test]
    fn a_full_table_says_so() {
        for bits in [7, 16, 64] {
            let table = table(64 * 30, bits, 1);
            let mut stored = HashSet::new();
            let mut full = false;
            for key in 0..100_000 {
                match table.insert(mix(&[key], 0), &mut Tally::default()) {
                    Ok(true) => assert!(stored.insert(key)),
                    Ok(false) => {}
                    Err(error) => {
                        assert_eq!(error, Full::Memory);
                        full = true;
                    }
                }
            }
            let most = cells(64 * 30, bits) as usize;
            assert!(stored.len() <= most && stored.len() * 10 >= most * 9, "{}", stored.len());
            assert_eq!(full, stored.len() == most || full);
        }
    }

    #[test]
    fn one_thread_is_the_first() {
        for bits in [32, 37, 61, 64] {
            let table = table(64 * 4000, bits, 3);
            let keys = 20_000;
            let new: u32 = std::thread::scope(|scope| {
                let table = &table;
                let insert = move |thread: u32| {
                    let key = |i: u32| mix(&[(i + thread * 5) % keys], 0);
                    let mut tally = Tally::default();
                    (0..keys).filter(|&i| table.insert(key(i), &mut tally).unwrap()).count() as u32
                };
                let threads: Vec<_> = (0..3).map(|t| scope.spawn(move || insert(t))).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).sum()
            });
            assert_eq!(new, keys, "{bits} bits");
        }
    }
}
