//! The simplest exact store: vectors end to end, and a table of their addresses.
//!
//! A slot of the table is 24 bits of the hash and 40 bits of address. Each thread appends to chunks
//! of its own; a vector is written before its address is published, so that whoever finds the
//! address finds the vector. Vectors never move: only the table grows.
//!
//! Where steps can be taken [again](Again), only some vectors are kept. The others are kept as a
//! difference: which step of which state leads to them. A chain of differences ends at a vector
//! before it has as many as the store was told.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use everypath_model::{ComponentMask, in_parallel};

use crate::ledger::Ledger;
use crate::searches::gates::{Gates, Pass};
use crate::stores::mix::{below, mix};
use crate::stores::pages::{LINE, Lines};
use crate::stores::prefetch::prefetch;
use crate::stores::store::{Full, Name, Seen, Store, StoreBytes, StoreWorker};

const ADDRESS_BITS: u32 = 40;
const ADDRESS_MASK: u64 = (1 << ADDRESS_BITS) - 1;
/// log2 of the words in a full-grown chunk.
const CHUNK_BITS: u32 = 18;
const CHUNK_WORDS: usize = 1 << CHUNK_BITS;
/// Words of the first chunk of a thread: small models should look small.
const FIRST_CHUNK_WORDS: usize = 1 << 10;
/// Words of the smallest chunk worth its entry in the list.
const LAST_CHUNK_WORDS: usize = 1 << 8;
/// In the head of a record: the state is marked.
const MARK: u32 = 1 << 31;
/// In the head of a record: it is a difference. Then there follow 6 bits of distance from a vector, 16
/// bits with the number of the step, and the high 8 bits of the address of its source.
const DIFFERENCE: u32 = 1 << 30;
/// Words of a difference: its head, the rest of the address, a hash.
const DIFFERENCE_WORDS: usize = 3;
/// Most steps from a vector.
pub(crate) const MOST_STEPS: u32 = 63;
/// Numbers of steps that a difference can tell.
const ORDINALS: u64 = 1 << 16;
/// A source that is not known.
const NOWHERE: u64 = u64::MAX;
const SLOTS_PER_LINE: u64 = (LINE / 8) as u64;
/// Lines of the first table.
const FIRST_LINES: u64 = 64;
/// Below this many lines the table grows by four, from there on by two.
const SMALL_LINES: u64 = 1 << 20;
/// Slots that are looked at for one vector at most.
const PROBES: u64 = 1 << 12;

/// How to make states again that are not kept.
pub(crate) trait Again: Sync {
    /// What one thread needs for it.
    type Worker;

    /// A worker.
    fn worker(&self) -> Self::Worker;

    /// Writes the target of step number `ordinal` of a state, fatal ones not counted.
    fn step(&self, worker: &mut Self::Worker, state: &[u32], ordinal: u32, target: &mut Vec<u32>);

    /// Which step of the state that was named last a target belongs to: `named` targets of this
    /// state were asked for before.
    fn ordinal(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        named: u32,
        target: &[u32],
    ) -> Option<u32>;
}

/// For stores that keep all vectors.
pub(crate) struct Never;

impl Again for Never {
    type Worker = ();

    fn worker(&self) {}

    fn step(&self, (): &mut (), _: &[u32], _: u32, _: &mut Vec<u32>) {}

    fn ordinal(&self, (): &mut (), _: &[u32], _: u32, _: &[u32]) -> Option<u32> {
        None
    }
}

/// Records end to end. A vector is a head with its length and the words. A head of 0 ends a chunk.
type Chunk = Arc<[AtomicU32]>;

/// One table.
struct Addresses {
    epoch: u32,
    slots: u64,
    memory: Lines,
}

impl Addresses {
    fn new(epoch: u32, lines: u64, ledger: &Ledger) -> Result<Addresses, Full> {
        let bytes = lines * LINE as u64;
        if !ledger.take(bytes) {
            return Err(Full::Memory);
        }
        match Lines::new(lines as usize) {
            Ok(memory) => Ok(Addresses { epoch, slots: lines * SLOTS_PER_LINE, memory }),
            Err(_) => {
                ledger.give(bytes);
                Err(Full::Memory)
            }
        }
    }

    fn bytes(&self) -> u64 {
        self.slots * 8
    }

    #[inline]
    fn home(&self, hash: u64) -> u64 {
        below(hash, self.slots)
    }

    /// Puts an address in that is not there yet; `false` if there is no room near its home.
    fn put(&self, hash: u64, at: u64) -> bool {
        let slots = self.memory.double_words();
        let mut slot = self.home(hash) as usize;
        for _ in 0..self.slots.min(PROBES) {
            let free = slots[slot].compare_exchange(
                0,
                entry(hash, at),
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
            if free.is_ok() {
                return true;
            }
            slot = if slot + 1 == slots.len() { 0 } else { slot + 1 };
        }
        false
    }
}

#[inline]
fn entry(hash: u64, at: u64) -> u64 {
    hash << ADDRESS_BITS | (at + 1)
}

#[inline]
fn same_tag(slot: u64, hash: u64) -> bool {
    (slot ^ (hash << ADDRESS_BITS)) >> ADDRESS_BITS == 0
}

/// An exact store of vectors and differences.
pub(crate) struct Plain<'a, A = Never> {
    again: A,
    /// Chains of differences are shorter than this.
    every: u32,
    explicit: AtomicU64,
    carried: usize,
    marks: bool,
    ledger: &'a Ledger,
    gates: Gates<Addresses>,
    chunks: Mutex<Vec<Chunk>>,
    arena_bytes: AtomicU64,
    table_bytes: AtomicU64,
    len: AtomicU64,
    max: AtomicU64,
    /// The ledger refused a larger table: what is left of this one is used up.
    last_table: AtomicBool,
}

impl<'a> Plain<'a> {
    /// An empty store for `threads` threads that compares vectors from word `carried` on.
    pub fn new(
        carried: usize,
        marks: bool,
        threads: usize,
        ledger: &'a Ledger,
    ) -> Result<Plain<'a>, Full> {
        Plain::with_differences(Never, 1, carried, marks, threads, ledger)
    }
}

impl<'a, A: Again> Plain<'a, A> {
    /// The same with at least one vector in `every` states along a run.
    pub fn with_differences(
        again: A,
        every: u32,
        carried: usize,
        marks: bool,
        threads: usize,
        ledger: &'a Ledger,
    ) -> Result<Plain<'a, A>, Full> {
        let first = Addresses::new(0, FIRST_LINES, ledger)?;
        Ok(Plain {
            again,
            every: every.clamp(1, MOST_STEPS + 1),
            explicit: AtomicU64::new(0),
            carried,
            marks,
            ledger,
            table_bytes: AtomicU64::new(first.bytes()),
            gates: Gates::new(threads, first),
            chunks: Mutex::new(Vec::new()),
            arena_bytes: AtomicU64::new(0),
            len: AtomicU64::new(0),
            max: AtomicU64::new(u64::MAX),
            last_table: AtomicBool::new(false),
        })
    }

    fn chunks(&self) -> Vec<Chunk> {
        self.chunks.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    #[inline]
    fn hash(&self, vector: &[u32]) -> u64 {
        let hash = mix(&vector[self.carried..], 0).first;
        // A difference keeps half of it, which has to be enough then.
        if self.every == 1 { hash } else { doubled(hash as u32) }
    }

    /// Number of vectors.
    #[cfg(test)]
    pub fn explicit(&self) -> u64 {
        self.explicit.load(Ordering::Relaxed)
    }

    /// Replaces the table of `epoch` by a larger one.
    fn grow(&self, epoch: u32) -> Result<(), Full> {
        self.gates.replace(|now| {
            if now.epoch != epoch {
                return Ok(None);
            }
            let lines = now.slots / SLOTS_PER_LINE;
            let wanted = if lines < SMALL_LINES { &[4.0, 2.0][..] } else { &[2.0][..] };
            for factor in wanted.iter().chain(&[1.5, 1.25, 1.125]) {
                let lines = (lines as f64 * factor) as u64;
                // The vectors to come need memory as well.
                let each = self.arena_bytes.load(Ordering::Relaxed) as f64 / now.slots as f64;
                let more = (lines * LINE as u64) as f64 * (1.0 + (factor - 1.0) * each / 8.0);
                if *factor > 1.125 && more > self.ledger.left() as f64 {
                    continue;
                }
                let Ok(next) = Addresses::new(epoch + 1, lines, self.ledger) else { continue };
                if self.fill(&next) {
                    self.ledger.give(now.bytes());
                    self.table_bytes.store(next.bytes(), Ordering::Relaxed);
                    return Ok(Some(next));
                }
                self.ledger.give(next.bytes());
            }
            self.last_table.store(true, Ordering::Relaxed);
            Err(Full::Memory)
        })
    }

    /// Puts the addresses of all vectors into a table; `false` if they do not fit.
    fn fill(&self, table: &Addresses) -> bool {
        let chunks = &self.chunks()[..];
        let threads =
            if self.len.load(Ordering::Relaxed) < 1 << 16 { 1 } else { self.gates.threads() };
        let part = |thread: usize| {
            let mut vector = Vec::new();
            let mut batch = Vec::with_capacity(64);
            let mut fits = true;
            let mut flush = |batch: &mut Vec<(u64, u64)>| {
                fits &= batch.drain(..).all(|(hash, at)| table.put(hash, at));
                fits
            };
            for (number, chunk) in chunks.iter().enumerate().skip(thread).step_by(threads) {
                each_record(chunk, |offset, record| {
                    let head = record[0].load(Ordering::Relaxed);
                    let hash = if head & DIFFERENCE != 0 {
                        doubled(record[2].load(Ordering::Relaxed))
                    } else {
                        read(&record[1..], &mut vector);
                        self.hash(&vector)
                    };
                    prefetch(table.memory.double_words(), table.home(hash) as usize);
                    batch.push((hash, (number as u64) << CHUNK_BITS | offset as u64));
                    if batch.len() == 64 {
                        flush(&mut batch);
                    }
                });
            }
            flush(&mut batch)
        };
        if threads == 1 {
            return part(0);
        }
        let part = &part;
        let fits = in_parallel((0..threads).map(|thread| move || part(thread)).collect());
        fits.into_iter().all(|fits| fits)
    }
}

fn doubled(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

/// Visits the records of a chunk with their offsets.
fn each_record(chunk: &[AtomicU32], mut visit: impl FnMut(usize, &[AtomicU32])) {
    let mut offset = 0;
    while let Some(head) = chunk.get(offset) {
        let size = size(head.load(Ordering::Relaxed));
        if size == 0 {
            break;
        }
        visit(offset, &chunk[offset..offset + size]);
        offset += size;
    }
}

/// Words of the record with this head.
#[inline]
fn size(head: u32) -> usize {
    if head & DIFFERENCE != 0 { DIFFERENCE_WORDS } else { (head & !MARK) as usize }
}

/// How far a record is from a vector.
#[inline]
fn distance(head: u32) -> u32 {
    if head & DIFFERENCE != 0 { head >> 24 & MOST_STEPS } else { 0 }
}

fn read(words: &[AtomicU32], vector: &mut Vec<u32>) {
    vector.clear();
    vector.extend(words.iter().map(|word| word.load(Ordering::Relaxed)));
}

impl<A: Again> Store for Plain<'_, A> {
    type Worker<'s>
        = PlainWorker<'s, A>
    where
        Self: 's;

    fn worker(&self, thread: usize) -> PlainWorker<'_, A> {
        PlainWorker {
            store: self,
            thread,
            pass: Some(self.gates.enter(thread)),
            chunks: self.chunks(),
            own: None,
            new: 0,
            again: self.again.worker(),
            source: NOWHERE,
            named: 0,
            state: Vec::new(),
            made: Vec::new(),
            next: Vec::new(),
        }
    }

    fn len(&self) -> u64 {
        self.len.load(Ordering::Relaxed)
    }

    fn limit_states(&self, max: u64) {
        self.max.fetch_min(max, Ordering::Relaxed);
    }

    fn bytes(&self) -> StoreBytes {
        StoreBytes {
            table: self.table_bytes.load(Ordering::Relaxed),
            arena: self.arena_bytes.load(Ordering::Relaxed),
        }
    }

    fn for_each(&self, visit: &mut dyn FnMut(&[u32])) {
        let mut worker = self.worker(0);
        for (number, chunk) in self.chunks().into_iter().enumerate() {
            each_record(&chunk, |offset, _| {
                worker.rebuild((number as u64) << CHUNK_BITS | offset as u64);
                visit(&worker.made);
            });
        }
    }
}

/// The chunk that a thread fills.
#[derive(Clone, Copy)]
struct Own {
    chunk: usize,
    next: usize,
}

/// One thread's access to a [`Plain`].
pub(crate) struct PlainWorker<'s, A: Again> {
    store: &'s Plain<'s, A>,
    thread: usize,
    /// `None` only while the table is replaced.
    pass: Option<Pass<'s, Addresses>>,
    /// The chunks that this thread knows of.
    chunks: Vec<Chunk>,
    own: Option<Own>,
    /// States that it stored and that are not counted yet.
    new: u64,
    again: A::Worker,
    /// The address of the open state, and how many of its targets were named.
    source: u64,
    named: u32,
    state: Vec<u32>,
    /// The state that was made last, and room for the one after it.
    made: Vec<u32>,
    next: Vec<u32>,
}

/// The table that a worker sees.
macro_rules! now {
    ($worker:ident) => {
        $worker.pass.as_deref().expect("a worker is outside only while it waits")
    };
}

/// Where a state comes from.
#[derive(Clone, Copy)]
struct Origin {
    source: u64,
    ordinal: u64,
}

impl Origin {
    fn of(place: u64) -> Option<Origin> {
        let origin = Origin { source: place & ADDRESS_MASK, ordinal: place >> ADDRESS_BITS };
        (place != NOWHERE && origin.ordinal < ORDINALS).then_some(origin)
    }
}

impl<A: Again> PlainWorker<'_, A> {
    #[cold]
    fn grow(&mut self) -> Result<(), Full> {
        let epoch = now!(self).epoch;
        self.pass = None;
        let result = self.store.grow(epoch);
        self.pass = Some(self.store.gates.enter(self.thread));
        result
    }

    /// The record at an address.
    #[inline]
    fn record(&mut self, at: u64) -> &[AtomicU32] {
        let chunk = (at >> CHUNK_BITS) as usize;
        if chunk >= self.chunks.len() {
            self.chunks = self.store.chunks();
        }
        let words = &self.chunks[chunk][at as usize & (CHUNK_WORDS - 1)..];
        &words[..size(words[0].load(Ordering::Relaxed))]
    }

    /// Makes the state at an address, in `made`.
    fn rebuild(&mut self, at: u64) {
        let mut ordinals = [0u32; MOST_STEPS as usize];
        let mut steps = 0;
        let mut at = at;
        let mut made = std::mem::take(&mut self.made);
        loop {
            let record = self.record(at);
            let head = record[0].load(Ordering::Relaxed);
            if head & DIFFERENCE == 0 {
                read(&record[1..], &mut made);
                break;
            }
            ordinals[steps] = head >> 8 & 0xffff;
            steps += 1;
            at = u64::from(head & 0xff) << 32 | u64::from(record[1].load(Ordering::Relaxed));
        }
        for &ordinal in ordinals[..steps].iter().rev() {
            self.store.again.step(&mut self.again, &made, ordinal, &mut self.next);
            std::mem::swap(&mut made, &mut self.next);
        }
        self.made = made;
    }

    /// What is known of the state at an address, if it is the wanted one.
    #[inline]
    fn same(&mut self, at: u64, hash: u64, wanted: &[u32]) -> Option<Seen> {
        let carried = self.store.carried;
        let record = self.record(at);
        let head = record[0].load(Ordering::Relaxed);
        let equal = if head & DIFFERENCE != 0 {
            record[2].load(Ordering::Relaxed) == hash as u32 && {
                self.rebuild(at);
                self.made.len() == wanted.len() && self.made[carried..] == wanted[carried..]
            }
        } else {
            record.len() == 1 + wanted.len()
                && record[1 + carried..]
                    .iter()
                    .zip(&wanted[carried..])
                    .all(|(word, &wanted)| word.load(Ordering::Relaxed) == wanted)
        };
        equal.then_some(if head & MARK == 0 { Seen::Old } else { Seen::Marked })
    }

    /// Shortens the chain of a known state if the way it was met just now is shorter. Two words
    /// cannot be replaced at once, so only one thread may do it.
    fn shorten(&mut self, at: u64, origin: Option<Origin>) {
        let Some(origin) = origin.filter(|_| self.store.gates.threads() == 1) else { return };
        let far = distance(self.record(origin.source)[0].load(Ordering::Relaxed)) + 1;
        let record = self.record(at);
        let head = record[0].load(Ordering::Relaxed);
        if far < distance(head) {
            record[0].store(difference(origin, far) | head & MARK, Ordering::Relaxed);
            record[1].store(origin.source as u32, Ordering::Relaxed);
        }
    }

    fn find(&mut self, hash: u64, target: &[u32]) -> Option<Seen> {
        let slots = now!(self).slots;
        let mut slot = now!(self).home(hash);
        for _ in 0..slots.min(PROBES) {
            match now!(self).memory.double_words()[slot as usize].load(Ordering::Acquire) {
                0 => break,
                found if same_tag(found, hash) => {
                    let seen = self.same((found & ADDRESS_MASK) - 1, hash, target);
                    if seen.is_some() {
                        return seen;
                    }
                }
                _ => {}
            }
            slot = if slot + 1 == slots { 0 } else { slot + 1 };
        }
        None
    }

    /// Stores a vector in the table as it is; `None` if that is too full.
    #[inline]
    fn try_insert(
        &mut self,
        hash: u64,
        target: &[u32],
        origin: Option<Origin>,
    ) -> Result<Option<(Seen, u64)>, Full> {
        let slots = now!(self).slots;
        let mut slot = now!(self).home(hash);
        let mut written = None;
        for _ in 0..slots.min(PROBES) {
            let place = &now!(self).memory.double_words()[slot as usize];
            let mut found = place.load(Ordering::Acquire);
            if found == 0 {
                let at = match written {
                    Some(at) => at,
                    None => *written.insert(self.write(hash, target, origin)?),
                };
                let place = &now!(self).memory.double_words()[slot as usize];
                let (free, taken) = (Ordering::AcqRel, Ordering::Acquire);
                match place.compare_exchange(0, entry(hash, at), free, taken) {
                    Ok(_) => {
                        self.keep(at);
                        return Ok(Some((Seen::New, at)));
                    }
                    Err(other) => found = other,
                }
            }
            let at = (found & ADDRESS_MASK) - 1;
            if same_tag(found, hash)
                && let Some(seen) = self.same(at, hash, target)
            {
                self.shorten(at, origin);
                if let Some(mine) = written {
                    self.forget(mine);
                }
                return Ok(Some((seen, at)));
            }
            slot = if slot + 1 == slots { 0 } else { slot + 1 };
        }
        if let Some(at) = written {
            self.forget(at);
        }
        Ok(None)
    }

    /// Writes a state where the next one belongs.
    fn write(&mut self, hash: u64, vector: &[u32], origin: Option<Origin>) -> Result<u64, Full> {
        let origin = origin.and_then(|origin| {
            let far = distance(self.record(origin.source)[0].load(Ordering::Relaxed)) + 1;
            (far < self.store.every).then_some((origin, far))
        });
        let need = if origin.is_some() { DIFFERENCE_WORDS } else { vector.len() + 1 };
        let own = match self.own {
            Some(own) if self.chunks[own.chunk].len() - own.next >= need => own,
            _ => self.add_chunk(need)?,
        };
        let words = &self.chunks[own.chunk][own.next..];
        let mark = if self.store.marks { MARK } else { 0 };
        match origin {
            Some((origin, far)) => {
                words[0].store(difference(origin, far) | mark, Ordering::Relaxed);
                words[1].store(origin.source as u32, Ordering::Relaxed);
                words[2].store(hash as u32, Ordering::Relaxed);
            }
            None => {
                words[0].store(need as u32 | mark, Ordering::Relaxed);
                for (place, &word) in words[1..].iter().zip(vector) {
                    place.store(word, Ordering::Relaxed);
                }
            }
        }
        if let Some(end) = words.get(need) {
            end.store(0, Ordering::Relaxed);
        }
        Ok((own.chunk as u64) << CHUNK_BITS | own.next as u64)
    }

    /// The state just written stays.
    fn keep(&mut self, at: u64) {
        let head = self.record(at)[0].load(Ordering::Relaxed);
        self.new += 1;
        if head & DIFFERENCE == 0 {
            self.store.explicit.fetch_add(1, Ordering::Relaxed);
        }
        if let Some(own) = &mut self.own {
            own.next += size(head);
            // Beyond this an address would name another chunk.
            if own.next >= CHUNK_WORDS {
                self.own = None;
            }
        }
    }

    /// The vector just written goes: another thread was faster.
    #[cold]
    fn forget(&mut self, at: u64) {
        let offset = at as usize & (CHUNK_WORDS - 1);
        self.chunks[(at >> CHUNK_BITS) as usize][offset].store(0, Ordering::Relaxed);
    }

    #[cold]
    fn add_chunk(&mut self, need: usize) -> Result<Own, Full> {
        let store = self.store;
        let so_far = store.arena_bytes.load(Ordering::Relaxed) as usize / 4;
        let mut words = so_far.clamp(FIRST_CHUNK_WORDS, CHUNK_WORDS).max(need);
        if need >= DIFFERENCE as usize {
            return Err(Full::Memory);
        }
        // Near the limit smaller chunks use up what is left.
        while !store.ledger.take(words as u64 * 4) {
            if words < 2 * need.max(LAST_CHUNK_WORDS) {
                return Err(Full::Memory);
            }
            words /= 2;
        }
        let mut all = store.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() as u64 >= ADDRESS_MASK >> CHUNK_BITS {
            store.ledger.give(words as u64 * 4);
            return Err(Full::Memory);
        }
        store.arena_bytes.fetch_add(words as u64 * 4, Ordering::Relaxed);
        all.push((0..words).map(|_| AtomicU32::new(0)).collect());
        self.chunks.extend(all[self.chunks.len()..].iter().cloned());
        let own = Own { chunk: all.len() - 1, next: 0 };
        self.own = Some(own);
        Ok(own)
    }
}

/// The head of a difference.
fn difference(origin: Origin, far: u32) -> u32 {
    DIFFERENCE | far << 24 | (origin.ordinal as u32) << 8 | (origin.source >> 32) as u32
}

fn address(record: &[u32]) -> u64 {
    u64::from(record[0]) | u64::from(record[1]) << 32
}

impl<A: Again> StoreWorker for PlainWorker<'_, A> {
    fn open(&mut self, _: u32, records: &[u32]) -> usize {
        self.source = address(records);
        self.named = 0;
        self.rebuild(self.source);
        std::mem::swap(&mut self.state, &mut self.made);
        2
    }

    fn state(&self) -> &[u32] {
        &self.state
    }

    #[inline]
    fn name(&mut self, target: &[u32], step: Option<ComponentMask>) -> Result<Name, Full> {
        let hash = self.store.hash(target);
        let table = now!(self);
        prefetch(table.memory.double_words(), table.home(hash) as usize);
        let mut place = NOWHERE;
        if self.store.every > 1 && step.is_some() {
            let (again, named) = (&self.store.again, self.named);
            if let Some(ordinal) = again.ordinal(&mut self.again, &self.state, named, target) {
                place = self.source | u64::from(ordinal) << ADDRESS_BITS;
            }
            self.named += 1;
        }
        Ok(Name { key: hash, place, epoch: 0 })
    }

    #[inline]
    fn insert(&mut self, name: &mut Name, target: &[u32]) -> Result<Seen, Full> {
        let store = self.store;
        if store.len.load(Ordering::Relaxed) + self.new >= store.max.load(Ordering::Relaxed) {
            return self.find(name.key, target).ok_or(Full::States);
        }
        let origin = Origin::of(name.place);
        loop {
            if let Some((seen, at)) = self.try_insert(name.key, target, origin)? {
                name.place = at;
                return Ok(seen);
            }
            self.grow()?;
        }
    }

    fn unmark(&mut self, _: u32, records: &[u32]) {
        for record in records.chunks_exact(2) {
            self.record(address(record))[0].fetch_and(!MARK, Ordering::Relaxed);
        }
    }

    fn contains(&mut self, target: &[u32]) -> Result<bool, Full> {
        Ok(self.find(self.store.hash(target), target).is_some())
    }

    fn record(&self, name: Name, _: &[u32], records: &mut Vec<u32>) {
        records.extend_from_slice(&[name.place as u32, (name.place >> 32) as u32]);
    }

    fn version(&self) -> u32 {
        0
    }

    fn stored(&self) -> u64 {
        self.store.len() + self.new
    }

    fn leave(&mut self) {
        self.pass = None;
    }

    fn enter(&mut self) -> Result<(), Full> {
        if self.pass.is_none() {
            self.pass = Some(self.store.gates.enter(self.thread));
        }
        Ok(())
    }

    fn pause(&mut self) -> Result<(), Full> {
        let len = self.store.len.fetch_add(self.new, Ordering::Relaxed) + self.new;
        self.new = 0;
        if len > now!(self).slots / 4 * 3 && !self.store.last_table.load(Ordering::Relaxed) {
            // Without a larger table this one is filled to the brim.
            let _ = self.grow();
        } else if self.store.gates.threads() > 1 {
            // Whoever waits to replace the table gets his turn.
            self.pass = None;
            self.pass = Some(self.store.gates.enter(self.thread));
        }
        Ok(())
    }
}
