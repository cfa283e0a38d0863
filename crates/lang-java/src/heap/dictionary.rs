//! Contents of components, each once: sequences of words that are never changed once they are in.
//! Reading takes no lock; a number is the place of the words.

use std::hash::Hasher;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// Words of the first segment, as a power of two; each further one is twice as large.
const FIRST: u32 = 18;
const SEGMENTS: usize = 14;
const SHARDS: usize = 64;

/// Numbers below this are places; the bit above tells scratch memory from them.
const END: u64 = 1 << 31;

/// The dictionary.
pub(crate) struct Dictionary {
    segments: [OnceLock<Box<[AtomicU32]>>; SEGMENTS],
    shards: Vec<Mutex<HashTable<u32>>>,
    /// The first free place; changed by one thread at a time.
    next: Mutex<u64>,
}

/// There is no room for more contents.
#[derive(Debug)]
pub(crate) struct Full;

fn place(at: u32) -> (usize, usize) {
    let shifted = u64::from(at) + (1 << FIRST);
    let segment = 63 - shifted.leading_zeros() - FIRST;
    (segment as usize, (shifted - (1 << (FIRST + segment))) as usize)
}

impl Dictionary {
    pub fn new() -> Dictionary {
        Dictionary {
            segments: [const { OnceLock::new() }; SEGMENTS],
            shards: (0..SHARDS).map(|_| Mutex::new(HashTable::new())).collect(),
            // The number 0 stands for nothing.
            next: Mutex::new(1),
        }
    }

    /// The words of a number that [`intern`](Self::intern) gave.
    #[inline]
    pub fn words(&self, number: u32) -> &[AtomicU32] {
        let (segment, at) = place(number);
        let Some(words) = self.segments.get(segment).and_then(OnceLock::get) else { return &[] };
        let Some(length) = words.get(at) else { return &[] };
        let length = length.load(Ordering::Relaxed) as usize;
        words.get(at + 1..at + 1 + length).unwrap_or(&[])
    }

    /// One word of a content.
    #[inline]
    pub fn word(&self, number: u32, index: u32) -> u32 {
        let (segment, at) = place(number);
        let words = self.segments[segment].get();
        words.map_or(0, |words| words[at + 1 + index as usize].load(Ordering::Relaxed))
    }

    /// The number of a content.
    pub fn intern(&self, content: &[u32]) -> Result<u32, Full> {
        let hash = hash(content.iter().copied());
        let shard = &self.shards[(hash >> 32) as usize % SHARDS];
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let equal = |&number: &u32| {
            let words = self.words(number);
            words.len() == content.len()
                && words.iter().zip(content).all(|(a, b)| a.load(Ordering::Relaxed) == *b)
        };
        if let Some(&number) = shard.find(hash, equal) {
            return Ok(number);
        }
        let number = self.append(content)?;
        shard.insert_unique(hash, number, |&number| {
            self::hash(self.words(number).iter().map(|word| word.load(Ordering::Relaxed)))
        });
        Ok(number)
    }

    fn append(&self, content: &[u32]) -> Result<u32, Full> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let needed = content.len() as u64 + 1;
        let mut at = *next;
        let (segment, offset) = loop {
            if at + needed > END {
                return Err(Full);
            }
            let (segment, offset) = place(at as u32);
            let size = 1u64 << (FIRST + segment as u32);
            if segment >= SEGMENTS {
                return Err(Full);
            }
            if offset as u64 + needed <= size {
                break (segment, offset);
            }
            at += size - offset as u64;
        };
        *next = at + needed;
        let words = self.segments[segment].get_or_init(|| {
            (0..1usize << (FIRST as usize + segment)).map(|_| AtomicU32::new(0)).collect()
        });
        words[offset].store(content.len() as u32, Ordering::Relaxed);
        for (to, from) in words[offset + 1..].iter().zip(content) {
            to.store(*from, Ordering::Relaxed);
        }
        Ok(at as u32)
    }
}

fn hash(words: impl Iterator<Item = u32>) -> u64 {
    let mut hasher = FxHasher::default();
    words.for_each(|word| hasher.write_u32(word));
    // The low bits choose a bucket and the high ones a shard: all of them count.
    let hash = hasher.finish();
    (hash ^ (hash >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_keep_their_numbers() {
        let dictionary = Dictionary::new();
        let contents: Vec<Vec<u32>> =
            (0..50_000u32).map(|i| (0..i % 40).map(|k| i ^ k << 20).collect()).collect();
        let numbers: Vec<u32> =
            contents.iter().map(|content| dictionary.intern(content).expect("room")).collect();
        for (content, &number) in contents.iter().zip(&numbers) {
            let words = dictionary.words(number);
            let words: Vec<u32> = words.iter().map(|w| w.load(Ordering::Relaxed)).collect();
            assert_eq!(words, *content);
            assert_eq!(dictionary.intern(content).ok(), Some(number));
        }
        assert!(dictionary.intern(&vec![7; 1 << 19]).is_ok(), "longer than a segment");
    }
}
