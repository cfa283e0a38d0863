//! Contents of components, each once: sequences of words that are never changed once they are in.
//! Reading takes no lock; a number is the place of the words. Long contents, of large arrays, are kept in
//! pieces: to change one element of them costs the memory of a piece.

use std::hash::Hasher;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// Words of the first segment, as a power of two; each further one is twice as large.
const FIRST: u32 = 18;
const SEGMENTS: usize = 14;
const SHARDS: usize = 64;

/// Words of a piece of a long content, and what is long.
const PIECE: usize = 256;
const LONG: usize = 2 * PIECE;
/// Marks the length of a list of pieces: the length of the content and the numbers of the pieces.
const PIECES: u32 = 1 << 31;

/// Numbers below this are places; the bit above tells scratch memory from them.
const END: u64 = 1 << 31;

/// The dictionary.
pub(crate) struct Dictionary {
    segments: [OnceLock<Box<[AtomicU32]>>; SEGMENTS],
    shards: Vec<Mutex<HashTable<u32>>>,
    /// The first free place; changed by one thread at a time.
    next: Mutex<u64>,
    /// Bytes of segments and shards.
    bytes: AtomicU64,
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
            bytes: AtomicU64::new(0),
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// What stands at a number: the length, and the words.
    #[inline]
    fn entry(&self, number: u32) -> (u32, &[AtomicU32]) {
        let (segment, at) = place(number);
        let Some(words) = self.segments.get(segment).and_then(OnceLock::get) else {
            return (0, &[]);
        };
        let Some(length) = words.get(at) else { return (0, &[]) };
        let length = length.load(Ordering::Relaxed);
        let end = at + 1 + (length & !PIECES) as usize;
        (length, words.get(at + 1..end).unwrap_or(&[]))
    }

    /// Appends the words of a number that [`intern`](Self::intern) gave.
    pub fn read(&self, number: u32, out: &mut Vec<u32>) {
        let (length, words) = self.entry(number);
        if length & PIECES == 0 {
            out.extend(words.iter().map(|word| word.load(Ordering::Relaxed)));
        } else {
            for piece in &words[1..] {
                self.read(piece.load(Ordering::Relaxed), out);
            }
        }
    }

    /// Whether a number is that of a content.
    pub fn is(&self, number: u32, content: &[u32]) -> bool {
        let (length, words) = self.entry(number);
        if length & PIECES == 0 {
            let mut words = words.iter().zip(content);
            return length as usize == content.len()
                && words.all(|(a, b)| a.load(Ordering::Relaxed) == *b);
        }
        let mut pieces = words[1..].iter().zip(content.chunks(PIECE));
        words[0].load(Ordering::Relaxed) as usize == content.len()
            && pieces.all(|(number, piece)| self.is(number.load(Ordering::Relaxed), piece))
    }

    /// The length of a content.
    pub fn length(&self, number: u32) -> usize {
        match self.entry(number) {
            (length, words) if length & PIECES != 0 => words[0].load(Ordering::Relaxed) as usize,
            (length, _) => length as usize,
        }
    }

    /// One word of a content.
    #[inline]
    pub fn word(&self, number: u32, index: u32) -> u32 {
        let (segment, at) = place(number);
        let Some(words) = self.segments[segment].get() else { return 0 };
        if words[at].load(Ordering::Relaxed) & PIECES != 0 {
            return self.word_of_piece(number, index);
        }
        words[at + 1 + index as usize].load(Ordering::Relaxed)
    }

    #[cold]
    fn word_of_piece(&self, number: u32, index: u32) -> u32 {
        let (_, pieces) = self.entry(number);
        let piece = pieces[1 + index as usize / PIECE].load(Ordering::Relaxed);
        self.word(piece, index % PIECE as u32)
    }

    /// The number of a content.
    pub fn intern(&self, content: &[u32]) -> Result<u32, Full> {
        if content.len() <= LONG {
            return self.intern_entry(content, 0);
        }
        let mut pieces = Vec::with_capacity(1 + content.len() / PIECE + 1);
        pieces.push(content.len() as u32);
        for piece in content.chunks(PIECE) {
            pieces.push(self.intern_entry(piece, 0)?);
        }
        self.intern_entry(&pieces, PIECES)
    }

    fn intern_entry(&self, content: &[u32], mark: u32) -> Result<u32, Full> {
        let hash = hash(content.iter().copied());
        let shard = &self.shards[(hash >> 32) as usize % SHARDS];
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let length = content.len() as u32 | mark;
        let equal = |&number: &u32| {
            let (known, words) = self.entry(number);
            known == length
                && words.iter().zip(content).all(|(a, b)| a.load(Ordering::Relaxed) == *b)
        };
        if let Some(&number) = shard.find(hash, equal) {
            return Ok(number);
        }
        let number = self.append(content, length)?;
        let before = shard.capacity();
        shard.insert_unique(hash, number, |&number| {
            self::hash(self.entry(number).1.iter().map(|word| word.load(Ordering::Relaxed)))
        });
        // A number and a byte of control for each place.
        let grown = 5 * (shard.capacity() - before) as u64;
        self.bytes.fetch_add(grown, Ordering::Relaxed);
        Ok(number)
    }

    fn append(&self, content: &[u32], length: u32) -> Result<u32, Full> {
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
            self.bytes.fetch_add(4 << (FIRST as usize + segment), Ordering::Relaxed);
            (0..1usize << (FIRST as usize + segment)).map(|_| AtomicU32::new(0)).collect()
        });
        words[offset].store(length, Ordering::Relaxed);
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
            let mut words = Vec::new();
            dictionary.read(number, &mut words);
            assert_eq!(words, *content);
            assert_eq!(dictionary.intern(content).ok(), Some(number));
        }
        assert!(dictionary.intern(&vec![7; 1 << 19]).is_ok(), "longer than a segment");
    }

    #[test]
    fn long_contents_share_their_pieces() {
        let dictionary = Dictionary::new();
        let mut content: Vec<u32> = (0..100_000).collect();
        let first = dictionary.intern(&content).expect("room");
        let before = *dictionary.next.lock().expect("no panic");
        let mut numbers = vec![(first, content.clone())];
        for index in [0, 5_000, 99_999] {
            content[index] = 7;
            numbers.push((dictionary.intern(&content).expect("room"), content.clone()));
        }
        let words = *dictionary.next.lock().expect("no panic") - before;
        assert!(words < 3 * 1_000, "three pieces and three lists of pieces, not {words} words");
        for (number, content) in numbers {
            assert_eq!(dictionary.length(number), content.len());
            assert_eq!(dictionary.word(number, 99_999), content[99_999]);
            assert_eq!(dictionary.word(number, 256), 256);
            let mut words = Vec::new();
            dictionary.read(number, &mut words);
            assert_eq!(words, content);
        }
    }
}
