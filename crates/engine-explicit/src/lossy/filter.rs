//! What stores have in common that keep less than a state: a hash decides whether it is known.
//!
//! Two states that such a store cannot tell apart are taken for one, and what only the second leads
//! to is not looked at. How many that were, the store estimates while it is filled. The frontier
//! holds whole vectors, since nothing else does.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use everypath_model::ComponentMask;

use crate::ledger::Ledger;
use crate::outcome::Loss;
use crate::stores::mix::{Mixed, mix};
use crate::stores::pages::{LINE, Lines};
use crate::stores::store::{Full, Name, Seen, Store, StoreBytes, StoreWorker};
use crate::stores::table::Target;
use crate::stores::wire::{In, Out, nonsense};

/// What remembers hashes.
pub(crate) trait Filter: Sync {
    /// Asks for the memory where a hash belongs.
    fn prefetch(&self, hash: Mixed);

    /// Whether a hash, or one like it, was put in.
    fn contains(&self, hash: Mixed) -> bool;

    /// Asks for the memory where many hashes belong. It may put something else in their place that
    /// [`insert_all`](Self::insert_all) is faster with.
    fn prefetch_all(&self, targets: &mut [Target]);

    /// Puts in what [`prefetch_all`](Self::prefetch_all) has made of many hashes, appends the numbers
    /// of those that were not there, and says how many it were: there is no room for the next one.
    fn insert_all(&self, targets: &[Target], new: &mut Vec<u32>, tally: &mut Tally) -> usize;

    /// Puts a hash in and says whether it was not there. Of several threads that put in the same
    /// one at a time exactly one is told so.
    fn insert(&self, hash: Mixed, tally: &mut Tally) -> Result<bool, Full>;

    /// New hashes after which to estimate how many were omitted: while it does not fill much.
    fn patience(&self) -> u64 {
        (self.bytes() / 512).clamp(1, 1024)
    }

    /// How many states were probably taken for known ones while those of `tally` were put in.
    fn omitted(&self, tally: &Tally) -> f64;

    /// Memory.
    fn bytes(&self) -> u64;

    /// Which part of it is in use.
    fn fill(&self, states: u64) -> f64;

    /// The memory, and what was counted besides.
    fn memory(&self) -> (&Lines, Option<&AtomicU64>);
}

/// A plain [`Filter::prefetch_all`].
pub(crate) fn prefetch_each<F: Filter>(filter: &F, targets: &[Target]) {
    targets.iter().for_each(|target| filter.prefetch(target.hash()));
}

/// A plain [`Filter::insert_all`].
pub(crate) fn insert_each<F: Filter>(
    filter: &F,
    targets: &[Target],
    new: &mut Vec<u32>,
    tally: &mut Tally,
) -> usize {
    for (index, target) in targets.iter().enumerate() {
        match filter.insert(target.hash(), tally) {
            Ok(true) => new.push(index as u32),
            Ok(false) => {}
            Err(_) => return index,
        }
    }
    targets.len()
}

/// What a thread did since it last told.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Hashes that were not there.
    pub new: u64,
    /// Bits that were set for them, or other hashes that they were compared with.
    pub work: u64,
}

/// Lines of a filter of at most so many bytes.
pub(crate) fn lines(bytes: u64, ledger: &Ledger) -> Result<Lines, Full> {
    let lines = (bytes / LINE as u64).max(1);
    if !ledger.take(lines * LINE as u64) {
        return Err(Full::Memory);
    }
    Lines::new(lines as usize).map_err(|_| {
        ledger.give(lines * LINE as u64);
        Full::Memory
    })
}

/// Writes down what a filter remembers, and how much was omitted.
pub(crate) fn save(filter: &dyn Filter, omitted: &AtomicU64, out: &mut Out<'_>) -> io::Result<()> {
    out.number(omitted.load(Ordering::Relaxed))?;
    let (memory, counted) = filter.memory();
    out.number(counted.map_or(0, |counted| counted.load(Ordering::Relaxed)))?;
    let words = memory.double_words();
    out.number(words.len() as u64)?;
    words.iter().try_for_each(|word| out.number(word.load(Ordering::Relaxed)))
}

/// Fills an empty filter of the same kind with what was written down.
pub(crate) fn restore(
    filter: &dyn Filter,
    omitted: &AtomicU64,
    input: &mut In<'_>,
) -> io::Result<()> {
    omitted.store(input.number()?, Ordering::Relaxed);
    let (memory, counted) = filter.memory();
    let count = input.number()?;
    if let Some(counted) = counted {
        counted.store(count, Ordering::Relaxed);
    }
    let words = memory.double_words();
    if input.number()? != words.len() as u64 {
        return Err(nonsense());
    }
    for word in words {
        match input.number()? {
            0 => {}
            bits => word.store(bits, Ordering::Relaxed),
        }
    }
    Ok(())
}

/// A store that remembers hashes only.
pub(crate) struct Lossy<F> {
    filter: F,
    carried: usize,
    seed: u64,
    len: AtomicU64,
    max: AtomicU64,
    /// States that were probably omitted: a floating-point number.
    omitted: AtomicU64,
}

impl<F: Filter> Lossy<F> {
    /// An empty store that looks at vectors from word `carried` on.
    pub fn new(filter: F, carried: usize, seed: u64) -> Lossy<F> {
        Lossy {
            filter,
            carried,
            seed,
            len: AtomicU64::new(0),
            max: AtomicU64::new(u64::MAX),
            omitted: AtomicU64::new(0f64.to_bits()),
        }
    }
}

impl<F: Filter> Store for Lossy<F> {
    type Worker<'s>
        = LossyWorker<'s, F>
    where
        Self: 's;

    fn worker(&self, _: usize) -> LossyWorker<'_, F> {
        LossyWorker { store: self, tally: Tally::default(), state: Vec::new() }
    }

    fn len(&self) -> u64 {
        self.len.load(Ordering::Relaxed)
    }

    fn limit_states(&self, max: u64) {
        self.max.fetch_min(max, Ordering::Relaxed);
    }

    fn bytes(&self) -> StoreBytes {
        StoreBytes { table: self.filter.bytes(), arena: 0 }
    }

    fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.number(self.len())?;
        save(&self.filter, &self.omitted, out)
    }

    fn restore(&mut self, input: &mut In<'_>) -> io::Result<()> {
        self.len.store(input.number()?, Ordering::Relaxed);
        restore(&self.filter, &self.omitted, input)
    }

    /// There are no states to visit.
    fn for_each(&self, _: &mut dyn FnMut(&[u32])) {}

    fn loss(&self) -> Option<Loss> {
        Some(Loss {
            omitted: f64::from_bits(self.omitted.load(Ordering::Relaxed)),
            fill: self.filter.fill(self.len()),
        })
    }
}

/// One thread's access to a [`Lossy`].
pub(crate) struct LossyWorker<'s, F> {
    store: &'s Lossy<F>,
    tally: Tally,
    state: Vec<u32>,
}

impl<F: Filter> LossyWorker<'_, F> {
    #[inline]
    fn hash(&self, target: &[u32]) -> Mixed {
        mix(&target[self.store.carried..], self.store.seed)
    }
}

impl<F: Filter> StoreWorker for LossyWorker<'_, F> {
    fn open(&mut self, _: u32, records: &[u32]) -> usize {
        let end = 1 + records[0] as usize;
        self.state.clear();
        self.state.extend_from_slice(&records[1..end]);
        end
    }

    fn state(&self) -> &[u32] {
        &self.state
    }

    #[inline]
    fn name(&mut self, target: &[u32], _: Option<ComponentMask>) -> Result<Name, Full> {
        let hash = self.hash(target);
        self.store.filter.prefetch(hash);
        Ok(Name { key: hash.first, place: hash.second, epoch: 0 })
    }

    #[inline]
    fn insert(&mut self, name: &mut Name, _: &[u32]) -> Result<Seen, Full> {
        let hash = Mixed { first: name.key, second: name.place };
        let store = self.store;
        if self.stored() >= store.max.load(Ordering::Relaxed) {
            return if store.filter.contains(hash) { Ok(Seen::Known) } else { Err(Full::States) };
        }
        let new = store.filter.insert(hash, &mut self.tally)?;
        self.tally.new += u64::from(new);
        Ok(if new { Seen::New } else { Seen::Known })
    }

    /// There are no marks.
    fn unmark(&mut self, _: u32, _: &[u32]) {}

    fn contains(&mut self, target: &[u32]) -> Result<bool, Full> {
        Ok(self.store.filter.contains(self.hash(target)))
    }

    fn record(&self, _: Name, target: &[u32], records: &mut Vec<u32>) {
        records.push(target.len() as u32);
        records.extend_from_slice(target);
    }

    fn version(&self) -> u32 {
        0
    }

    fn stored(&self) -> u64 {
        self.store.len() + self.tally.new
    }

    fn leave(&mut self) {}

    fn enter(&mut self) -> Result<(), Full> {
        Ok(())
    }

    fn pause(&mut self) -> Result<(), Full> {
        match self.tally.new >= self.store.filter.patience() {
            true => self.settle(),
            false => Ok(()),
        }
    }

    fn settle(&mut self) -> Result<(), Full> {
        if self.tally.new > 0 {
            let more = self.store.filter.omitted(&self.tally);
            let add = |bits: u64| Some((f64::from_bits(bits) + more).to_bits());
            let _ = self.store.omitted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
            self.store.len.fetch_add(self.tally.new, Ordering::Relaxed);
            self.tally = Tally::default();
        }
        Ok(())
    }
}
