//! What a thread looked up lately.
//!
//! Most steps lead to pieces that were met a moment ago. A look at one line of memory of the thread's
//! own then gives the bits of the key, where the dictionary would have to be asked and the number be
//! spread over its bits.

/// log2 of the entries.
const BITS: u32 = 11;
/// Words of the longest piece that is remembered.
const WORDS: usize = 8;

/// A piece, its number and the bits of the key for it.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Entry {
    words: [u32; WORDS],
    /// The node of the forest; `len` is 0 in an entry without use.
    node: u32,
    len: u32,
    number: u32,
    code: u64,
}

/// log2 of the entries for pairs.
const PAIR_BITS: u32 = 12;

/// A pair of numbers, of a node that joins two others, and its own number.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(16))]
struct PairEntry {
    pair: [u32; 2],
    /// 0 in an entry without use: the first node is a leaf.
    node: u32,
    number: u32,
}

/// Pieces and pairs that were looked up lately.
pub(super) struct Recent {
    entries: Box<[Entry; 1 << BITS]>,
    pairs: Box<[PairEntry; 1 << PAIR_BITS]>,
    /// The forest they are valid for.
    version: u32,
}

/// What is remembered of a piece.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub number: u32,
    pub code: u64,
}

impl Recent {
    /// Remembers nothing.
    pub fn new() -> Recent {
        Recent {
            entries: vec![Entry::default(); 1 << BITS].try_into().expect("2^BITS"),
            pairs: vec![PairEntry::default(); 1 << PAIR_BITS].try_into().expect("2^PAIR_BITS"),
            version: 0,
        }
    }

    /// Forgets everything if keys have another meaning by now.
    #[inline]
    pub fn renew(&mut self, version: u32) {
        if self.version != version {
            self.entries.fill(Entry::default());
            self.pairs.fill(PairEntry::default());
            self.version = version;
        }
    }

    /// Where a piece is remembered, and what, if it is.
    #[inline]
    pub fn find(&self, node: u32, words: &[u32]) -> (usize, Option<Known>) {
        let mut hash = u64::from(node) ^ (words.len() as u64) << 32;
        let (pairs, rest) = words.as_chunks::<2>();
        for pair in pairs {
            hash = (hash ^ u64::from(pair[0]) ^ u64::from(pair[1]) << 32)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^= hash >> 32;
        }
        for &word in rest {
            hash = (hash ^ u64::from(word)).wrapping_mul(0xd1b5_4a32_d192_ed03);
        }
        let at = (hash >> (64 - BITS)) as usize;
        let entry = &self.entries[at];
        let same = entry.node == node
            && entry.len as usize == words.len()
            && words.len() <= WORDS
            && words.iter().zip(&entry.words).fold(0, |all, (a, b)| all | (a ^ b)) == 0;
        (at, same.then_some(Known { number: entry.number, code: entry.code }))
    }

    /// Remembers a piece at the place that [`find`](Self::find) gave.
    pub fn keep(&mut self, at: usize, node: u32, words: &[u32], known: Known) {
        let entry = &mut self.entries[at];
        if let Some(place) = entry.words.get_mut(..words.len()) {
            place.copy_from_slice(words);
            let (number, code) = (known.number, known.code);
            (entry.node, entry.len, entry.number, entry.code) =
                (node, words.len() as u32, number, code);
        }
    }
    /// The number of a pair, by `ask` if it is not remembered.
    #[inline]
    pub fn pair<E>(
        &mut self,
        node: u32,
        pair: [u32; 2],
        ask: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        let both = u64::from(pair[0]) << 32 | u64::from(pair[1]);
        let hash = (both ^ u64::from(node) << 48).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let entry = &mut self.pairs[(hash >> (64 - PAIR_BITS)) as usize];
        if entry.node != node || entry.pair != pair {
            *entry = PairEntry { pair, node, number: ask()? };
        }
        Ok(entry.number)
    }
}
