//! A growing set of short vectors, numbered from 0, that many threads read while one adds to it.
//!
//! Number 0 is the empty vector, or another one that it begins with. Nothing ever moves: words lie in
//! blocks, each larger than those before or as large, and an index that became too small stays beside the
//! next one. A reader that misses what was added a moment ago asks again under the lock.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::ledger::Ledger;
use crate::stores::prefetch::prefetch;
use crate::stores::store::Full;

/// log2 of the elements in the first block.
const FIRST_BITS: u32 = 6;
/// From the block of 2^WHOLE_BITS elements on there are so many blocks of the same size before the size
/// doubles: what is free of the last one is little then.
const WHOLE_BITS: u32 = 12;
const ALIKE_BITS: u32 = 2;
/// Blocks that a list may have.
const BLOCKS: usize =
    (WHOLE_BITS - FIRST_BITS) as usize + ((35 - WHOLE_BITS as usize) << ALIKE_BITS);
/// log2 of the slots of the first index.
const FIRST_INDEX: u32 = 5;
/// Indexes, each twice as large as the one before.
const INDEXES: usize = 34 - FIRST_INDEX as usize;
/// Vectors that are put into a new index at a time.
const BATCH: usize = 32;
/// Bits of a span for the length.
const LENGTH_BITS: u32 = 24;
/// Values that a dictionary can have.
const MOST: u32 = u32::MAX - 1;

/// A list whose elements never move.
#[derive(Debug)]
struct Blocks<T> {
    blocks: [OnceLock<Box<[T]>>; BLOCKS],
}

impl<T: Default> Blocks<T> {
    fn new() -> Blocks<T> {
        Blocks { blocks: std::array::from_fn(|_| OnceLock::new()) }
    }

    /// Block and offset of a position, and the size of the block.
    #[inline]
    fn place(position: u64) -> (usize, usize, usize) {
        let shifted = position + (1 << FIRST_BITS);
        let top = shifted.ilog2();
        let inside = (shifted - (1 << top)) as usize;
        if top < WHOLE_BITS {
            return ((top - FIRST_BITS) as usize, inside, 1 << top);
        }
        let bits = top - ALIKE_BITS;
        let before = (WHOLE_BITS - FIRST_BITS) as usize;
        let block = before + (((top - WHOLE_BITS) as usize) << ALIKE_BITS) + (inside >> bits);
        (block, inside & ((1 << bits) - 1), 1 << bits)
    }

    /// Elements that follow a position in its block.
    fn rest(position: u64) -> u64 {
        let (_, offset, size) = Self::place(position);
        (size - offset) as u64
    }

    #[inline]
    fn slice(&self, position: u64, len: usize) -> &[T] {
        let (block, offset, _) = Self::place(position);
        match self.blocks[block].get() {
            Some(block) => &block[offset..offset + len],
            None => &[],
        }
    }

    /// Makes the block of a position, with the consent of the ledger.
    fn reserve(&self, position: u64, ledger: &Ledger) -> Result<u64, Full> {
        let (block, _, len) = Self::place(position);
        let Some(place) = self.blocks.get(block) else { return Err(Full::Memory) };
        if place.get().is_some() {
            return Ok(0);
        }
        let bytes = (len * size_of::<T>()) as u64;
        if !ledger.take(bytes) {
            return Err(Full::Memory);
        }
        place.get_or_init(|| (0..len).map(|_| T::default()).collect());
        Ok(bytes)
    }
}

/// Numbered vectors.
#[derive(Debug)]
pub(crate) struct Dictionary {
    /// The vector with number 0.
    first: Box<[u32]>,
    words: Blocks<AtomicU32>,
    /// For each vector: where it begins, and its length in the lowest [`LENGTH_BITS`] bits.
    spans: Blocks<AtomicU64>,
    indexes: [OnceLock<Index>; INDEXES],
    /// Which index is in use.
    current: AtomicUsize,
    len: AtomicU32,
    bytes: AtomicU64,
    adding: Mutex<Adding>,
}

#[derive(Debug)]
struct Adding {
    next_word: u64,
}

impl Dictionary {
    /// A dictionary with nothing but the empty vector.
    pub fn new(ledger: &Ledger) -> Result<Dictionary, Full> {
        Dictionary::beginning_with(&[], ledger)
    }

    /// A dictionary with nothing but one vector.
    pub fn beginning_with(first: &[u32], ledger: &Ledger) -> Result<Dictionary, Full> {
        let dictionary = Dictionary {
            first: first.into(),
            words: Blocks::new(),
            spans: Blocks::new(),
            indexes: std::array::from_fn(|_| OnceLock::new()),
            current: AtomicUsize::new(0),
            len: AtomicU32::new(1),
            bytes: AtomicU64::new(0),
            adding: Mutex::new(Adding { next_word: 0 }),
        };
        dictionary.add_index(0, ledger)?;
        let bytes = dictionary.spans.reserve(0, ledger)?;
        dictionary.bytes.fetch_add(bytes, Ordering::Relaxed);
        if !first.is_empty() {
            let mut adding = dictionary.adding.lock().unwrap_or_else(PoisonError::into_inner);
            dictionary.write(0, first, &mut adding, ledger)?;
        }
        Ok(dictionary)
    }

    /// Number of vectors.
    pub fn len(&self) -> u32 {
        self.len.load(Ordering::Acquire)
    }

    /// Memory in use.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// A vector by its number.
    #[inline]
    pub fn get(&self, number: u32) -> &[AtomicU32] {
        match self.spans.slice(u64::from(number), 1) {
            [span] => {
                let span = span.load(Ordering::Acquire);
                self.words.slice(span >> LENGTH_BITS, (span & ((1 << LENGTH_BITS) - 1)) as usize)
            }
            _ => &[],
        }
    }

    /// The number of a vector, which is added if it is not there.
    #[inline]
    pub fn intern(&self, vector: &[u32], ledger: &Ledger) -> Result<u32, Full> {
        if *vector == *self.first {
            return Ok(0);
        }
        let hash = hash(vector);
        match self.find(vector, hash) {
            Some(number) => Ok(number),
            None => self.add(vector, hash, ledger),
        }
    }

    #[inline]
    fn find(&self, vector: &[u32], hash: u64) -> Option<u32> {
        let index = self.indexes[self.current.load(Ordering::Acquire)].get()?;
        index.find(hash, |number| self.equal(number, vector))
    }

    #[inline]
    fn equal(&self, number: u32, vector: &[u32]) -> bool {
        let there = self.get(number);
        there.len() == vector.len()
            && there.iter().zip(vector).all(|(a, &b)| a.load(Ordering::Relaxed) == b)
    }

    #[cold]
    fn add(&self, vector: &[u32], hash: u64, ledger: &Ledger) -> Result<u32, Full> {
        let mut adding = self.adding.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = self.find(vector, hash) {
            return Ok(number);
        }
        let number = self.len.load(Ordering::Relaxed);
        let current = self.current.load(Ordering::Relaxed);
        let slots = 1u64 << (current as u32 + FIRST_INDEX);
        if number >= MOST || vector.len() >> LENGTH_BITS != 0 {
            return Err(Full::Memory);
        }
        if u64::from(number) * 4 > slots * 3 {
            self.add_index(current + 1, ledger)?;
        }
        self.write(number, vector, &mut adding, ledger)?;
        self.len.store(number + 1, Ordering::Release);
        if let Some(index) = self.indexes[self.current.load(Ordering::Relaxed)].get() {
            index.put(hash, number);
        }
        Ok(number)
    }

    /// Writes the words of a vector and where they are.
    fn write(
        &self,
        number: u32,
        vector: &[u32],
        adding: &mut Adding,
        ledger: &Ledger,
    ) -> Result<(), Full> {
        let mut start = adding.next_word;
        while Blocks::<AtomicU32>::rest(start) < vector.len() as u64 {
            start += Blocks::<AtomicU32>::rest(start);
        }
        let bytes =
            self.words.reserve(start, ledger)? + self.spans.reserve(u64::from(number), ledger)?;
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        for (place, &word) in self.words.slice(start, vector.len()).iter().zip(vector) {
            place.store(word, Ordering::Relaxed);
        }
        for span in self.spans.slice(u64::from(number), 1) {
            span.store(start << LENGTH_BITS | vector.len() as u64, Ordering::Release);
        }
        adding.next_word = start + vector.len() as u64;
        Ok(())
    }

    /// Makes an index with everything that is there, and puts it in use.
    fn add_index(&self, which: usize, ledger: &Ledger) -> Result<(), Full> {
        let Some(place) = self.indexes.get(which) else { return Err(Full::Memory) };
        let slots = 1usize << (which as u32 + FIRST_INDEX);
        let bytes = (slots * size_of::<AtomicU32>()) as u64;
        if !ledger.take(bytes) {
            return Err(Full::Memory);
        }
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let index = Index::new(slots);
        let mut vector = Vec::new();
        // All of a batch are looked at before the first is put in: their memory comes meanwhile.
        let mut batch = [0; BATCH];
        let len = self.len.load(Ordering::Relaxed);
        for from in (1..len).step_by(BATCH) {
            let numbers = from..len.min(from + BATCH as u32);
            for (hashed, number) in batch.iter_mut().zip(numbers.clone()) {
                vector.clear();
                vector.extend(self.get(number).iter().map(|word| word.load(Ordering::Relaxed)));
                *hashed = hash(&vector);
                prefetch(&index.slots, *hashed as usize & (slots - 1));
            }
            for (&hashed, number) in batch.iter().zip(numbers) {
                index.put(hashed, number);
            }
        }
        let _ = place.set(index);
        self.current.store(which, Ordering::Release);
        Ok(())
    }
}

/// The numbers of vectors by their hashes: open addressing. A slot is a number, which is never 0, and above
/// it as many bits of the hash as have room.
#[derive(Debug)]
struct Index {
    slots: Box<[AtomicU32]>,
    /// The bits of a slot for the number.
    numbers: u32,
}

impl Index {
    /// An empty one of a power of two of slots.
    fn new(slots: usize) -> Index {
        Index {
            numbers: u32::try_from(slots - 1).unwrap_or(u32::MAX),
            slots: (0..slots).map(|_| AtomicU32::new(0)).collect(),
        }
    }

    #[inline]
    fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        let tag = (hash >> 32) as u32;
        loop {
            let found = self.slots[slot].load(Ordering::Acquire);
            if found == 0 {
                return None;
            }
            let number = found & self.numbers;
            if (found ^ tag) & !self.numbers == 0 && is_it(number) {
                return Some(number);
            }
            slot = (slot + 1) & mask;
        }
    }

    fn put(&self, hash: u64, number: u32) {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot].load(Ordering::Relaxed) != 0 {
            slot = (slot + 1) & mask;
        }
        let tag = (hash >> 32) as u32 & !self.numbers;
        self.slots[slot].store(tag | number, Ordering::Release);
    }
}

/// A hash of a short vector: multiplications whose halves are folded.
#[inline]
fn hash(vector: &[u32]) -> u64 {
    const SEED: u64 = 0x243f_6a88_85a3_08d3;
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |a: u64| {
        let product = u128::from(a) * u128::from(FACTOR);
        product as u64 ^ (product >> 64) as u64
    };
    let mut state = SEED ^ vector.len() as u64;
    let mut pairs = vector.chunks_exact(2);
    for pair in &mut pairs {
        state =
            fold(state ^ (u64::from(pair[0]) | u64::from(pair[1]) << 32)) ^ state.rotate_left(23);
    }
    if let [last] = pairs.remainder() {
        state = fold(state ^ u64::from(*last)) ^ state.rotate_left(23);
    }
    state ^ state >> 29
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn random(seed: &mut u64) -> u64 {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *seed >> 33
    }

    #[test]
    fn vectors_get_numbers_and_keep_them() {
        let ledger = Ledger::new(None);
        let dictionary = Dictionary::new(&ledger).unwrap();
        let mut twin: BTreeMap<Vec<u32>, u32> = BTreeMap::from([(vec![], 0)]);
        let mut seed = 3;
        for _ in 0..60_000 {
            let len = (random(&mut seed) % 9) as usize;
            let vector: Vec<u32> = (0..len).map(|_| (random(&mut seed) % 5) as u32).collect();
            let next = twin.len() as u32;
            let expected = *twin.entry(vector.clone()).or_insert(next);
            assert_eq!(dictionary.intern(&vector, &ledger), Ok(expected));
        }
        assert_eq!(dictionary.len() as usize, twin.len());
        for (vector, &number) in &twin {
            let found: Vec<u32> =
                dictionary.get(number).iter().map(|w| w.load(Ordering::Relaxed)).collect();
            assert_eq!(&found, vector);
            assert!(number == 0 || dictionary.find(vector, hash(vector)) == Some(number));
        }
        assert_eq!(dictionary.find(&[99], hash(&[99])), None);
        assert_eq!(ledger.used(), dictionary.bytes());
    }

    #[test]
    fn threads_give_one_number_to_one_vector() {
        let ledger = Ledger::new(None);
        let dictionary = Dictionary::new(&ledger).unwrap();
        let numbers: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..4u32)
                .map(|worker| {
                    let (dictionary, ledger) = (&dictionary, &ledger);
                    scope.spawn(move || {
                        (0..20_000u32)
                            .map(|i| {
                                let i = if worker % 2 == 0 { i } else { 19_999 - i };
                                dictionary.intern(&[i % 7000, i / 7000], ledger).unwrap()
                            })
                            .collect()
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        assert_eq!(dictionary.len(), 20_001);
        assert_eq!(numbers[0], numbers[2]);
        let mut reversed = numbers[1].clone();
        reversed.reverse();
        assert_eq!(numbers[0], reversed);
    }

    #[test]
    fn memory_is_refused_without_damage() {
        let ledger = Ledger::new(Some(20_000));
        let dictionary = Dictionary::new(&ledger).unwrap();
        let mut count = 0;
        while dictionary.intern(&[count, 1], &ledger).is_ok() {
            count += 1;
        }
        assert!(count > 100, "{count}");
        assert!(ledger.used() <= 20_000 && ledger.used() == dictionary.bytes());
        for i in 0..count {
            assert_eq!(dictionary.find(&[i, 1], hash(&[i, 1])), Some(i + 1));
        }
    }
}
