//! The states of a system as numbers, with their steps: each state is expanded once, whatever an
//! automaton makes of it.

use everypath_layer_product::{Unfair, fair};
use everypath_model::{ModelError, Successors, TransitionSystem};

use crate::ledger::Ledger;
use crate::outcome::Stopped;
use crate::stores::store::Full;
use crate::stores::vectors::{StateRef, Vectors};

/// The letter that a state is for properties, a bit for each proposition.
pub type Letter<'a, W> = &'a dyn Fn(&mut W, &[u32]) -> Result<u64, ModelError>;

/// Not known yet.
const UNKNOWN: u64 = u64::MAX;

/// A system whose states are numbered as they are met.
pub struct Numbered<'a, S: TransitionSystem> {
    system: &'a S,
    worker: S::Worker,
    letter: Letter<'a, S::Worker>,
    /// Whether processes that steps are fair to are kept.
    fair: bool,
    ledger: &'a Ledger,
    /// Each vector with its number in front.
    vectors: Vectors,
    states: Vec<State>,
    /// For each expanded state the number of its targets, then these.
    targets: Vec<u32>,
    /// As many, if fairness is wanted.
    fairness: Vec<u64>,
    /// Bytes of the lists.
    bytes: u64,
    out: Successors,
    scratch: Vec<u32>,
    sets: Vec<u64>,
    /// Whether the system said that it left something out.
    pub left_out: bool,
    /// The greatest number of a process that moved, if fairness is wanted.
    pub processes: u32,
}

#[derive(Clone, Copy)]
struct State {
    at: StateRef,
    /// Where its targets lie.
    first: u64,
    letter: u64,
}

/// The steps of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Steps {
    pub first: u64,
    pub count: u32,
}

impl<'a, S: TransitionSystem> Numbered<'a, S> {
    /// No states yet.
    pub fn new(
        system: &'a S,
        letter: Letter<'a, S::Worker>,
        fair: bool,
        ledger: &'a Ledger,
    ) -> Numbered<'a, S> {
        Numbered {
            system,
            worker: system.worker(),
            letter,
            fair,
            ledger,
            vectors: Vectors::new(system.carried() + 1),
            states: Vec::new(),
            targets: Vec::new(),
            fairness: Vec::new(),
            bytes: 0,
            out: Successors::new(),
            scratch: Vec::new(),
            sets: Vec::new(),
            left_out: false,
            processes: 0,
        }
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether none was met.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The account that pays for them.
    pub(super) fn ledger(&self) -> &'a Ledger {
        self.ledger
    }

    /// Whether processes that steps are fair to are known.
    pub fn is_fair(&self) -> bool {
        self.fair
    }

    /// The vector of a state.
    pub fn vector(&self, state: u32) -> &[u32] {
        &self.vectors.get(self.states[state as usize].at)[1..]
    }

    /// The initial states.
    pub(super) fn initial(&mut self) -> Result<Vec<u32>, Stopped> {
        let mut out = std::mem::take(&mut self.out);
        out.clear();
        let made = self.system.initial(&mut self.worker, &mut out);
        // A run that fails before it begins is followed no further.
        self.left_out |= out.steps().iter().any(|step| step.fatal);
        let result = made.map_err(Stopped::from).and_then(|()| {
            let steps = out.steps().iter().filter(|step| !step.fatal);
            steps.map(|step| self.number(out.target(step))).collect()
        });
        self.out = out;
        result
    }

    /// The number of a state.
    fn number(&mut self, vector: &[u32]) -> Result<u32, Stopped> {
        let next = self.states.len() as u32;
        self.scratch.clear();
        self.scratch.push(next);
        self.scratch.extend_from_slice(vector);
        let inserted = self.vectors.insert(&self.scratch, self.ledger).map_err(full)?;
        if !inserted.new {
            return Ok(self.vectors.get(inserted.at)[0]);
        }
        if next == u32::MAX {
            return Err(Stopped::StateLimit);
        }
        room(self.ledger, &mut self.states, 1, &mut self.bytes)?;
        self.states.push(State { at: inserted.at, first: UNKNOWN, letter: UNKNOWN });
        Ok(next)
    }

    /// The letter of a state.
    pub(super) fn letter(&mut self, state: u32) -> Result<u64, Stopped> {
        let State { at, letter, .. } = self.states[state as usize];
        if letter != UNKNOWN {
            return Ok(letter);
        }
        let vector = &self.vectors.get(at)[1..];
        let letter = (self.letter)(&mut self.worker, vector).map_err(Stopped::from)?;
        self.states[state as usize].letter = letter;
        Ok(letter)
    }

    /// The steps of a state; one that has none rests, unless a fault ends it.
    pub(super) fn steps(&mut self, state: u32) -> Result<Steps, Stopped> {
        let first = self.states[state as usize].first;
        if first != UNKNOWN {
            return Ok(Steps { first, count: self.targets[first as usize] });
        }
        let mut out = std::mem::take(&mut self.out);
        let result = self.expand(state, &mut out);
        self.out = out;
        result
    }

    fn expand(&mut self, state: u32, out: &mut Successors) -> Result<Steps, Stopped> {
        out.clear();
        let vector = &self.vectors.get(self.states[state as usize].at)[1..];
        self.system.successors(&mut self.worker, vector, out).map_err(Stopped::from)?;
        self.left_out |= out.incomplete.is_some();
        self.sets.clear();
        if self.fair {
            fair(out, &mut self.sets).map_err(|Unfair { process }| {
                let message = format!("process {process} is one too many for fairness");
                Stopped::ModelError(ModelError(message))
            })?;
            let moved = out.steps().iter().flat_map(|step| out.actions(step));
            self.processes = moved.map(|action| action.process).fold(self.processes, u32::max);
        }
        let first = self.targets.len() as u64;
        let rests = out.is_empty();
        if rests {
            self.sets.push(u64::MAX);
        }
        let most = out.len() + 2;
        room(self.ledger, &mut self.targets, most, &mut self.bytes)?;
        self.targets.push(0);
        let steps = out.steps().iter().filter(|step| !step.fatal);
        for step in steps {
            let target = match self.number(out.target(step)) {
                Ok(target) => target,
                Err(stopped) => {
                    self.targets.truncate(first as usize);
                    return Err(stopped);
                }
            };
            self.targets.push(target);
        }
        if rests {
            self.targets.push(state);
        }
        let count = (self.targets.len() as u64 - first) as u32 - 1;
        if self.fair {
            room(self.ledger, &mut self.fairness, most, &mut self.bytes)?;
            self.fairness.resize(first as usize + 1, 0);
            self.fairness.extend_from_slice(&self.sets);
        }
        self.targets[first as usize] = count;
        self.states[state as usize].first = first;
        Ok(Steps { first, count })
    }

    pub(super) fn system(&self) -> &'a S {
        self.system
    }

    /// Where a step leads.
    #[inline]
    pub(super) fn target(&self, steps: Steps, index: u32) -> u32 {
        self.targets[steps.first as usize + 1 + index as usize]
    }

    /// The processes that a step is fair to.
    #[inline]
    pub(super) fn fairness(&self, steps: Steps, index: u32) -> u64 {
        self.fairness[steps.first as usize + 1 + index as usize]
    }
}

pub(super) fn full(full: Full) -> Stopped {
    match full {
        Full::Memory => Stopped::MemoryLimit,
        Full::States => Stopped::StateLimit,
    }
}

pub(super) fn room<T>(
    ledger: &Ledger,
    list: &mut Vec<T>,
    more: usize,
    bytes: &mut u64,
) -> Result<(), Stopped> {
    if ledger.grow_by(list, more, bytes) { Ok(()) } else { Err(Stopped::MemoryLimit) }
}
