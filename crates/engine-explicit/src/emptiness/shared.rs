//! The states of a system as numbers, with their steps, for several threads.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::*};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use everypath_layer_product::{Acceptor, SharedLetter, Unfair, fair};
use everypath_model::{ModelError, Successors, TransitionSystem};
use rustc_hash::FxHashMap;

use super::chunks::Chunks;
use super::numbered::{full, room};
use crate::ledger::Ledger;
use crate::outcome::Stopped;
use crate::stores::vectors::{FoldHash, HashWords, StateRef, Vectors};
/// Parts of the store, each with a lock: so many that threads rarely meet.
const SHARDS: u32 = 128;

/// A system whose states are numbered as they are met, by several threads.
pub struct SharedStates<'a, S: TransitionSystem> {
    system: &'a S,
    letter: SharedLetter<'a, S::Worker>,
    fair: bool,
    ledger: &'a Ledger,
    shards: Box<[Mutex<Shard>]>,
    states: Chunks<State>,
    /// For each expanded state the number of its targets, then these.
    targets: Chunks<AtomicU32>,
    /// As many, if fairness is wanted.
    fairness: Chunks<AtomicU64>,
    /// How many of them are taken.
    taken: AtomicU64,
    letters: RwLock<Letters>,
    left_out: AtomicBool,
    processes: AtomicU32,
}

/// States whose hashes have something in common.
struct Shard {
    /// Each vector with its number in the shard in front.
    vectors: Vectors,
    places: Vec<StateRef>,
    bytes: u64,
}

/// What is known of a state; one more each, 0 is nothing.
#[derive(Default)]
struct State {
    /// The number of its letter.
    letter: AtomicU32,
    /// Where its targets lie.
    first: AtomicU32,
}

#[derive(Default)]
struct Letters {
    list: Vec<u64>,
    numbers: FxHashMap<u64, u32>,
}

/// What a thread has for itself.
pub struct SharedWorker<W> {
    pub(super) system: W,
    out: Successors,
    scratch: Vec<u32>,
    vector: Vec<u32>,
    sets: Vec<u64>,
    numbers: Vec<u32>,
    pub(super) acceptor: Acceptor,
    /// Letters that the acceptor knows by their numbers.
    known: u32,
}

/// The steps of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    first: u32,
    pub count: u32,
}

impl<'a, S: TransitionSystem> SharedStates<'a, S> {
    /// No states yet.
    pub fn new(
        system: &'a S,
        letter: SharedLetter<'a, S::Worker>,
        fair: bool,
        ledger: &'a Ledger,
    ) -> SharedStates<'a, S> {
        let shard =
            || Shard { vectors: Vectors::new(system.carried() + 1), places: Vec::new(), bytes: 0 };
        SharedStates {
            system,
            letter,
            fair,
            ledger,
            shards: (0..SHARDS).map(|_| Mutex::new(shard())).collect(),
            states: Chunks::new(),
            targets: Chunks::new(),
            fairness: Chunks::new(),
            taken: AtomicU64::new(0),
            letters: RwLock::default(),
            left_out: AtomicBool::new(false),
            processes: AtomicU32::new(0),
        }
    }

    /// Whether the system said that it left something out.
    pub fn left_out(&self) -> bool {
        self.left_out.load(Relaxed)
    }

    pub(super) fn is_fair(&self) -> bool {
        self.fair
    }

    /// The greatest number of a process that moved, if fairness is wanted.
    pub(super) fn processes(&self) -> u32 {
        self.processes.load(Relaxed)
    }

    pub(super) fn ledger(&self) -> &'a Ledger {
        self.ledger
    }

    pub(super) fn worker(&self, acceptor: Acceptor) -> SharedWorker<S::Worker> {
        SharedWorker {
            system: self.system.worker(),
            out: Successors::new(),
            scratch: Vec::new(),
            vector: Vec::new(),
            sets: Vec::new(),
            numbers: Vec::new(),
            acceptor,
            known: 0,
        }
    }

    fn shard(&self, number: u32) -> MutexGuard<'_, Shard> {
        // A thread that failed in the middle of an insertion ends the whole search.
        self.shards[number as usize].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a state.
    fn number(&self, vector: &[u32], scratch: &mut Vec<u32>) -> Result<u32, Stopped> {
        let hash = FoldHash::default().hash(&vector[self.system.carried()..]);
        let shard_number = (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57) as u32 % SHARDS;
        scratch.clear();
        scratch.push(0);
        scratch.extend_from_slice(vector);
        let mut shard = self.shard(shard_number);
        let Shard { vectors, places, bytes } = &mut *shard;
        let next = places.len() as u32;
        if next >= u32::MAX / SHARDS {
            return Err(Stopped::StateLimit);
        }
        scratch[0] = next;
        let inserted = vectors.insert_hashed(scratch, hash, self.ledger).map_err(full)?;
        if !inserted.new {
            return Ok(vectors.get(inserted.at)[0] * SHARDS + shard_number);
        }
        room(self.ledger, places, 1, bytes)?;
        places.push(inserted.at);
        Ok(next * SHARDS + shard_number)
    }

    /// The vector of a state.
    pub(super) fn vector(&self, state: u32, out: &mut Vec<u32>) {
        let shard = self.shard(state % SHARDS);
        let at = shard.places[(state / SHARDS) as usize];
        out.clear();
        out.extend_from_slice(&shard.vectors.get(at)[1..]);
    }

    fn state(&self, state: u32) -> Result<&State, Stopped> {
        self.states.paid(state, self.ledger).ok_or(Stopped::MemoryLimit)
    }

    /// The initial states.
    pub(super) fn initial(
        &self,
        worker: &mut SharedWorker<S::Worker>,
    ) -> Result<Vec<u32>, Stopped> {
        let SharedWorker { system, out, scratch, .. } = worker;
        out.clear();
        self.system.initial(system, out).map_err(Stopped::from)?;
        if out.steps().iter().any(|step| step.fatal) {
            self.left_out.store(true, Relaxed);
        }
        let steps = out.steps().iter().filter(|step| !step.fatal);
        steps.map(|step| self.number(out.target(step), scratch)).collect()
    }

    /// The number of the letter of a state; the acceptor of the worker knows it by the same.
    #[inline]
    pub(super) fn letter(
        &self,
        worker: &mut SharedWorker<S::Worker>,
        state: u32,
    ) -> Result<u32, Stopped> {
        let known = &self.state(state)?.letter;
        let number = match known.load(Acquire) {
            0 => {
                let mut vector = std::mem::take(&mut worker.vector);
                self.vector(state, &mut vector);
                let letter = (self.letter)(&mut worker.system, &vector);
                worker.vector = vector;
                let number = self.letter_number(letter.map_err(Stopped::from)?);
                known.store(number + 1, Release);
                number
            }
            number => number - 1,
        };
        if number >= worker.known {
            let letters = self.letters.read().unwrap_or_else(PoisonError::into_inner);
            for &letter in &letters.list[worker.known as usize..] {
                worker.acceptor.letter(letter);
            }
            worker.known = letters.list.len() as u32;
        }
        Ok(number)
    }

    fn letter_number(&self, letter: u64) -> u32 {
        let letters = self.letters.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = letters.numbers.get(&letter) {
            return number;
        }
        drop(letters);
        let mut letters = self.letters.write().unwrap_or_else(PoisonError::into_inner);
        let Letters { list, numbers } = &mut *letters;
        *numbers.entry(letter).or_insert_with(|| {
            list.push(letter);
            list.len() as u32 - 1
        })
    }

    /// The steps of a state; one that has none rests, unless a fault ends it.
    #[inline]
    pub(super) fn steps(
        &self,
        worker: &mut SharedWorker<S::Worker>,
        state: u32,
    ) -> Result<Steps, Stopped> {
        let known = &self.state(state)?.first;
        let first = match known.load(Acquire) {
            0 => {
                let first = self.expand(worker, state)?;
                known.store(first + 1, Release);
                first
            }
            first => first - 1,
        };
        Ok(Steps { first, count: self.targets.get(first).load(Relaxed) })
    }

    /// Several threads may do it at once: each writes its own list, and one of them stays.
    fn expand(&self, worker: &mut SharedWorker<S::Worker>, state: u32) -> Result<u32, Stopped> {
        let SharedWorker { system, out, scratch, vector, sets, numbers, .. } = worker;
        self.vector(state, vector);
        out.clear();
        self.system.successors(system, vector, out).map_err(Stopped::from)?;
        if out.incomplete.is_some() {
            self.left_out.store(true, Relaxed);
        }
        sets.clear();
        if self.fair {
            fair(out, sets).map_err(|Unfair { process }| {
                let message = format!("process {process} is one too many for fairness");
                Stopped::ModelError(ModelError(message))
            })?;
            let moved = out.steps().iter().flat_map(|step| out.actions(step));
            let most = moved.map(|action| action.process).max().unwrap_or(0);
            self.processes.fetch_max(most, Relaxed);
        }
        numbers.clear();
        for step in out.steps().iter().filter(|step| !step.fatal) {
            numbers.push(self.number(out.target(step), scratch)?);
        }
        if out.is_empty() {
            numbers.push(state);
            sets.push(u64::MAX);
        }
        let count = numbers.len() as u32;
        let first = self.taken.fetch_add(u64::from(count) + 1, Relaxed);
        if first + u64::from(count) >= u64::from(u32::MAX) {
            return Err(Stopped::StateLimit);
        }
        let first = first as u32;
        let put = |index: u32, value: u32| {
            let entry = self.targets.paid(index, self.ledger).ok_or(Stopped::MemoryLimit)?;
            entry.store(value, Relaxed);
            Ok::<(), Stopped>(())
        };
        put(first, count)?;
        for (index, &target) in (first + 1..).zip(&*numbers) {
            put(index, target)?;
        }
        if self.fair {
            for (index, &set) in (first + 1..).zip(&*sets) {
                let entry = self.fairness.paid(index, self.ledger).ok_or(Stopped::MemoryLimit)?;
                entry.store(set, Relaxed);
            }
        }
        Ok(first)
    }

    /// Where a step leads.
    #[inline]
    pub(super) fn target(&self, steps: Steps, index: u32) -> u32 {
        self.targets.get(steps.first + 1 + index).load(Relaxed)
    }

    /// The processes that a step is fair to.
    #[inline]
    pub(super) fn fairness(&self, steps: Steps, index: u32) -> u64 {
        self.fairness.get(steps.first + 1 + index).load(Relaxed)
    }

    pub(super) fn system(&self) -> &'a S {
        self.system
    }
}
