//! What a search found, and what it cost.

use std::collections::BTreeSet;

use everypath_model::{Action, Ended, Fault, ModelError};

/// Why a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Nothing was left.
    Finished,
    /// A violation was found and one was enough.
    Violation,
    /// The steps allowed after the first violation were used up.
    ViolationBudget,
    /// [`Limits::executions`](crate::Limits::executions).
    ExecutionLimit,
    /// [`Limits::steps`](crate::Limits::steps).
    StepLimit,
    /// [`Limits::memory`](crate::Limits::memory).
    MemoryLimit,
    /// [`Options::expired`](crate::Options::expired).
    Time,
    /// [`Options::interrupt`](crate::Options::interrupt), or the observer.
    Interrupted,
    /// The system could not be evaluated.
    ModelError(ModelError),
}

impl From<ModelError> for Stopped {
    fn from(error: ModelError) -> Stopped {
        match error.why_ended() {
            Some(Ended::Time) => Stopped::Time,
            Some(Ended::Interrupt) => Stopped::Interrupted,
            Some(Ended::Memory) => Stopped::MemoryLimit,
            None => Stopped::ModelError(error),
        }
    }
}

/// What is wrong. Equal values are the same violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A fault in a step.
    Fault(Fault),
    /// A state in which nobody can move, with its key.
    Deadlock(u64),
}

/// One violation of its kind: of the shortest runs that were met with it, the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What is wrong.
    pub kind: Kind,
    /// The steps that lead to it; that of a fault is the last one, unless it leads nowhere.
    pub actions: Vec<Action>,
    /// The same as numbers: which initial step, then which step of each state.
    pub run: Vec<u32>,
    /// How often it was met.
    pub occurrences: u64,
    /// Steps of all runs when it was found first.
    pub steps: u64,
}

/// Counters of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Stats {
    /// Runs that were followed to their end: each of them tells all that differ from it in the order of independent
    /// steps only.
    pub executions: u64,
    /// Runs that were given up since all that is left of them was known.
    pub blocked: u64,
    /// Runs that an assumption or a limit ended.
    pub cut: u64,
    /// Steps that were executed.
    pub steps: u64,
    /// Steps of the longest run.
    pub depth: u64,
    /// The most bytes that were in use.
    pub bytes: u64,
}

/// What the system left out, as it reported itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The first reason.
    pub first: Fault,
    /// How often.
    pub count: u64,
}

/// The result of a search, also of one that stopped early.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Why it ended.
    pub stopped: Stopped,
    /// Whether some run was longer than allowed.
    pub depth_limit_hit: bool,
    /// Whether a bound of preemptions or switches left out something.
    pub bound_hit: bool,
    /// What the system itself left out.
    pub left_out: Option<LeftOut>,
    /// The violations, each kind once.
    pub violations: Vec<Violation>,
    /// Occurrences of all violations together.
    pub errors: u64,
    /// Occurrences of kinds beyond [`Options::max_violations`](crate::Options::max_violations).
    pub unrecorded: u64,
    /// Counters.
    pub stats: Stats,
    /// The transitions that were taken.
    pub taken: BTreeSet<u32>,
    /// The last states of all runs, if they were asked for, and whether they are deadlocks.
    pub ends: BTreeSet<(Vec<u32>, bool)>,
}

impl Outcome {
    /// Whether every run was looked at, or one that differs only in the order of independent steps.
    pub fn complete(&self) -> bool {
        self.stopped == Stopped::Finished
            && !self.depth_limit_hit
            && !self.bound_hit
            && self.left_out.is_none()
    }

    /// Adds what another thread found. Of equal violations the one with the shortest run stays.
    pub(crate) fn merge(&mut self, other: Outcome, most: usize) {
        self.depth_limit_hit |= other.depth_limit_hit;
        self.bound_hit |= other.bound_hit;
        if let Some(left_out) = other.left_out {
            let known = self.left_out.get_or_insert(LeftOut { count: 0, ..left_out });
            known.first = known.first.min(left_out.first);
            known.count += left_out.count;
        }
        self.errors += other.errors;
        self.unrecorded += other.unrecorded;
        for violation in other.violations {
            let room = self.violations.len() < most;
            match self.violations.iter_mut().find(|known| known.kind == violation.kind) {
                Some(known) => {
                    let occurrences = known.occurrences + violation.occurrences;
                    if violation.actions.len() < known.actions.len() {
                        *known = violation;
                    }
                    known.occurrences = occurrences;
                }
                None if room => self.violations.push(violation),
                None => self.unrecorded += violation.occurrences,
            }
        }
        let Stats { executions, blocked, cut, steps, depth, bytes } = other.stats;
        self.stats.executions += executions;
        self.stats.blocked += blocked;
        self.stats.cut += cut;
        self.stats.steps += steps;
        self.stats.depth = self.stats.depth.max(depth);
        self.stats.bytes = self.stats.bytes.max(bytes);
        self.taken.extend(other.taken);
        self.ends.extend(other.ends);
    }

    pub(crate) fn new() -> Outcome {
        Outcome {
            stopped: Stopped::Finished,
            depth_limit_hit: false,
            bound_hit: false,
            left_out: None,
            violations: Vec::new(),
            errors: 0,
            unrecorded: 0,
            stats: Stats::default(),
            taken: BTreeSet::new(),
            ends: BTreeSet::new(),
        }
    }
}
