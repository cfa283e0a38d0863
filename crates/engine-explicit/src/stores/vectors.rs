//! An exact store of word vectors.
//!
//! A table of 8-byte slots (24 bits of the hash, 40 bits of address) points into an arena of chunks
//! that never move. The table grows without its predecessor: the arena is read again from the
//! start, so growth peaks at the size of the new table alone. Its size is any number of slots, not
//! a power of two, so that the last growth before a memory limit can use what is left.

use std::hash::{BuildHasher, Hash, Hasher};

use foldhash::quality::FixedState;

use crate::ledger::Ledger;
use crate::stores::prefetch::prefetch;
use crate::stores::store::Full;

/// How the words of a vector become 64 bits.
pub trait HashWords {
    /// The hash of `words`, the same whenever it is called in this process.
    fn hash(&self, words: &[u32]) -> u64;
}

/// The hash of ordinary stores: foldhash with a fixed seed.
#[derive(Clone, Debug)]
pub struct FoldHash(FixedState);

impl Default for FoldHash {
    fn default() -> FoldHash {
        FoldHash(FixedState::with_seed(0x0065_7665_7279_7061))
    }
}

impl HashWords for FoldHash {
    #[inline]
    fn hash(&self, words: &[u32]) -> u64 {
        let mut hasher = self.0.build_hasher();
        u32::hash_slice(words, &mut hasher);
        hasher.finish()
    }
}

/// Where a vector lies in a [`Vectors`]. Later insertions have greater addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateRef(u64);

/// What [`Vectors::insert`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inserted {
    /// Where the vector lies now.
    pub at: StateRef,
    /// Whether it was not there before.
    pub new: bool,
}

/// log2 of the words in a full-grown chunk.
const CHUNK_BITS: u32 = 18;
const CHUNK_WORDS: usize = 1 << CHUNK_BITS;
/// Words of the first chunk: small models should look small.
const FIRST_CHUNK_WORDS: usize = 1 << 12;
/// Words of the smallest chunk worth its entry in the list.
const LAST_CHUNK_WORDS: usize = 1 << 8;
const ADDRESS_BITS: u32 = 40;
const ADDRESS_MASK: u64 = (1 << ADDRESS_BITS) - 1;
const FIRST_SLOTS: usize = 1 << 10;
/// Below this many slots the table grows by four, from there on by two.
const SMALL_SLOTS: usize = 1 << 20;
/// One address of this many is written down, so that vectors can be found by number.
const SAMPLE: u64 = 64;

/// An exact store of word vectors of any length, numbered from 0 in the order of insertion.
///
/// The first `carried` words of each vector are kept but take no part in comparison.
#[derive(Debug)]
pub struct Vectors<H = FoldHash> {
    hash: H,
    carried: usize,
    table: Vec<u64>,
    /// Number of vectors at which an insertion needs [`Vectors::make_room`] first.
    room: u64,
    max_states: u64,
    len: u64,
    /// Records end to end: number of words, then the words.
    chunks: Vec<Vec<u32>>,
    samples: Vec<StateRef>,
    /// Bytes of the chunks and of the two lists above.
    arena_bytes: u64,
}

impl Vectors<FoldHash> {
    /// An empty store that compares vectors from word `carried` on.
    pub fn new(carried: usize) -> Vectors {
        Vectors::with_hash(carried, FoldHash::default())
    }
}

impl<H: HashWords> Vectors<H> {
    /// An empty store with a hash of the caller's choice.
    pub fn with_hash(carried: usize, hash: H) -> Vectors<H> {
        Vectors {
            hash,
            carried,
            table: Vec::new(),
            room: 0,
            max_states: u64::MAX,
            len: 0,
            chunks: Vec::new(),
            samples: Vec::new(),
            arena_bytes: 0,
        }
    }

    /// Refuses to hold more than `max` vectors.
    pub fn limit_states(&mut self, max: u64) {
        self.max_states = max;
        self.room = self.room.min(max);
    }

    /// Number of vectors.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is no vector.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of the table.
    pub fn table_bytes(&self) -> u64 {
        slot_bytes(self.table.len())
    }

    /// Bytes of the arena and of what finds vectors in it by number.
    pub fn arena_bytes(&self) -> u64 {
        self.arena_bytes
    }

    /// The hash that [`insert_hashed`](Self::insert_hashed) wants.
    #[inline]
    pub fn hash(&self, vector: &[u32]) -> u64 {
        self.hash.hash(compared(vector, self.carried))
    }

    /// Brings the slot where the search for a hash begins into the cache.
    #[inline]
    pub fn prefetch_slot(&self, hash: u64) {
        prefetch(&self.table, home(hash, self.table.len()));
    }

    /// Brings the vector into the cache that the slot of a hash points to, if it may be the one.
    #[inline]
    pub fn prefetch_vector(&self, hash: u64) {
        let Some(&found) = self.table.get(home(hash, self.table.len())) else {
            return;
        };
        if found != 0 && same_tag(found, hash) {
            let at = (found & ADDRESS_MASK) - 1;
            let start = at as usize & (CHUNK_WORDS - 1);
            prefetch(&self.chunks[(at >> CHUNK_BITS) as usize], start);
        }
    }

    /// The vector at an address of this store.
    #[inline]
    pub fn get(&self, at: StateRef) -> &[u32] {
        let chunk = &self.chunks[(at.0 >> CHUNK_BITS) as usize];
        let start = at.0 as usize & (CHUNK_WORDS - 1);
        let record = &chunk[start..];
        &record[1..1 + record[0] as usize]
    }

    /// The address of the first vector.
    pub fn first(&self) -> Option<StateRef> {
        (self.len > 0).then_some(StateRef(0))
    }

    /// The address of the vector inserted after the one at `at`.
    #[inline]
    pub fn after(&self, at: StateRef) -> Option<StateRef> {
        let chunk = (at.0 >> CHUNK_BITS) as usize;
        let start = at.0 as usize & (CHUNK_WORDS - 1);
        let words = &self.chunks[chunk];
        let end = start + 1 + words[start] as usize;
        if end < words.len() {
            Some(address(chunk, end))
        } else if chunk + 1 < self.chunks.len() {
            Some(address(chunk + 1, 0))
        } else {
            None
        }
    }

    /// An address above all of now and not above any that is to come.
    pub fn end(&self) -> StateRef {
        match self.chunks.last() {
            // A full or oversized chunk is followed by another one.
            Some(words) if words.len() >= CHUNK_WORDS => address(self.chunks.len(), 0),
            Some(words) => address(self.chunks.len() - 1, words.len()),
            None => StateRef(0),
        }
    }

    /// The address of vector `number`.
    pub fn by_number(&self, number: u64) -> Option<StateRef> {
        if number >= self.len {
            return None;
        }
        let mut at = self.samples[(number / SAMPLE) as usize];
        for _ in 0..number % SAMPLE {
            at = self.after(at)?;
        }
        Some(at)
    }

    /// The number of the vector at an address of this store.
    pub fn number(&self, at: StateRef) -> u64 {
        let sample = self.samples.partition_point(|&s| s <= at) - 1;
        let mut number = sample as u64 * SAMPLE;
        let mut here = self.samples[sample];
        while here < at {
            here = self.after(here).expect("the address is one of this store");
            number += 1;
        }
        number
    }

    /// The address of an equal vector.
    pub fn find(&self, vector: &[u32]) -> Option<StateRef> {
        self.find_hashed(vector, self.hash(vector))
    }

    /// The address of an equal vector, by its [`hash`](Self::hash).
    #[inline]
    pub fn find_hashed(&self, vector: &[u32], hash: u64) -> Option<StateRef> {
        if self.table.is_empty() { None } else { self.probe(vector, hash).ok() }
    }

    /// Inserts a vector unless an equal one is there.
    pub fn insert(&mut self, vector: &[u32], ledger: &Ledger) -> Result<Inserted, Full> {
        self.insert_hashed(vector, self.hash(vector), ledger)
    }

    /// Inserts a vector whose [`hash`](Self::hash) is known.
    #[inline]
    pub fn insert_hashed(
        &mut self,
        vector: &[u32],
        hash: u64,
        ledger: &Ledger,
    ) -> Result<Inserted, Full> {
        if self.table.is_empty() {
            self.make_room(ledger)?;
        }
        let mut slot = match self.probe(vector, hash) {
            Ok(at) => return Ok(Inserted { at, new: false }),
            Err(slot) => slot,
        };
        if self.len >= self.room {
            self.make_room(ledger)?;
            slot = self.free_slot(hash);
        }
        let at = self.append(vector, ledger)?;
        self.table[slot] = entry(hash, at);
        Ok(Inserted { at, new: true })
    }

    /// The address of an equal vector, or the free slot where the search for it ended.
    #[inline]
    fn probe(&self, vector: &[u32], hash: u64) -> Result<StateRef, usize> {
        let table = &self.table[..];
        let wanted = compared(vector, self.carried);
        let mut slot = home(hash, table.len());
        loop {
            let found = table[slot];
            if found == 0 {
                return Err(slot);
            }
            if same_tag(found, hash) {
                let at = StateRef((found & ADDRESS_MASK) - 1);
                if compared(self.get(at), self.carried) == wanted {
                    return Ok(at);
                }
            }
            slot += 1;
            if slot == table.len() {
                slot = 0;
            }
        }
    }

    fn free_slot(&self, hash: u64) -> usize {
        let mut slot = home(hash, self.table.len());
        while self.table[slot] != 0 {
            slot += 1;
            if slot == self.table.len() {
                slot = 0;
            }
        }
        slot
    }

    /// Writes a record at the end of the arena.
    #[inline]
    fn append(&mut self, vector: &[u32], ledger: &Ledger) -> Result<StateRef, Full> {
        let need = vector.len() + 1;
        let fits = match self.chunks.last() {
            Some(chunk) => chunk.capacity() - chunk.len() >= need && chunk.len() < CHUNK_WORDS,
            None => false,
        };
        if !fits {
            self.add_chunk(need, ledger)?;
        }
        if self.len.is_multiple_of(SAMPLE) && !ledger.grow(&mut self.samples, &mut self.arena_bytes)
        {
            return Err(Full::Memory);
        }
        let number = self.chunks.len() - 1;
        let chunk = &mut self.chunks[number];
        let at = address(number, chunk.len());
        chunk.push(vector.len() as u32);
        chunk.extend_from_slice(vector);
        if self.len.is_multiple_of(SAMPLE) {
            self.samples.push(at);
        }
        self.len += 1;
        Ok(at)
    }

    #[cold]
    fn add_chunk(&mut self, need: usize, ledger: &Ledger) -> Result<(), Full> {
        let so_far: usize = self.chunks.iter().map(Vec::capacity).take(64).sum();
        let mut words = so_far.clamp(FIRST_CHUNK_WORDS, CHUNK_WORDS).max(need);
        if self.chunks.len() as u64 >= ADDRESS_MASK >> CHUNK_BITS
            || !ledger.grow(&mut self.chunks, &mut self.arena_bytes)
        {
            return Err(Full::Memory);
        }
        // Near the limit smaller chunks use up what is left.
        while !ledger.take(word_bytes(words)) {
            if words < 2 * need.max(LAST_CHUNK_WORDS) {
                return Err(Full::Memory);
            }
            words /= 2;
        }
        self.chunks.push(Vec::with_capacity(words));
        self.arena_bytes += word_bytes(words);
        Ok(())
    }

    /// Makes room for one more vector in the table, or says why it cannot.
    #[cold]
    fn make_room(&mut self, ledger: &Ledger) -> Result<(), Full> {
        if self.len >= self.max_states {
            return Err(Full::States);
        }
        let old = self.table.len();
        let wanted = if old < SMALL_SLOTS { (4 * old).max(FIRST_SLOTS) } else { 2 * old };
        // What a vector costs beside its slot, so that the table does not take what the vectors
        // themselves will need.
        let others = (ledger.used() - self.table_bytes()) as f64;
        let each = if self.len == 0 { 0.0 } else { others / self.len as f64 };
        let affordable = ledger.limit() as f64 / (size_of::<u64>() as f64 + 0.75 * each);
        let slots = wanted.min(affordable.min(1e18) as usize);
        let more = slot_bytes(slots).saturating_sub(slot_bytes(old));
        if slots >= old + old / 8 && slots >= 16 && ledger.take(more) {
            self.rebuild(slots);
            self.room = self.max_states.min(three_quarters(slots));
            return Ok(());
        }
        // No growth: fill what is there as far as probing stays bearable.
        let dense = self.max_states.min(old as u64 / 10 * 9);
        if self.len < dense {
            self.room = dense;
            return Ok(());
        }
        Err(Full::Memory)
    }

    /// Replaces the table by an empty one and fills it from the arena.
    fn rebuild(&mut self, slots: usize) {
        self.table = Vec::new();
        self.table = vec![0; slots];
        let mut batch: [(u64, StateRef); 32] = [(0, StateRef(0)); 32];
        let mut next = self.first();
        while next.is_some() {
            let mut filled = 0;
            // A batch is hashed before its slots are written, so that the memory accesses overlap.
            while let (Some(at), true) = (next, filled < batch.len()) {
                let hash = self.hash(self.get(at));
                self.prefetch_slot(hash);
                batch[filled] = (hash, at);
                filled += 1;
                next = self.after(at);
            }
            for &(hash, at) in &batch[..filled] {
                let slot = self.free_slot(hash);
                self.table[slot] = entry(hash, at);
            }
        }
    }
}

#[inline]
fn compared(vector: &[u32], carried: usize) -> &[u32] {
    &vector[carried.min(vector.len())..]
}

#[inline]
fn home(hash: u64, slots: usize) -> usize {
    ((u128::from(hash) * slots as u128) >> 64) as usize
}

#[inline]
fn same_tag(slot: u64, hash: u64) -> bool {
    (slot ^ (hash << ADDRESS_BITS)) >> ADDRESS_BITS == 0
}

#[inline]
fn entry(hash: u64, at: StateRef) -> u64 {
    hash << ADDRESS_BITS | (at.0 + 1)
}

#[inline]
fn address(chunk: usize, start: usize) -> StateRef {
    StateRef((chunk as u64) << CHUNK_BITS | start as u64)
}

fn slot_bytes(slots: usize) -> u64 {
    (slots * size_of::<u64>()) as u64
}

fn word_bytes(words: usize) -> u64 {
    (words * size_of::<u32>()) as u64
}

fn three_quarters(slots: usize) -> u64 {
    slots as u64 / 4 * 3
}
