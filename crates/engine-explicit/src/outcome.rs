//! What a search found, how far it came, and what it cost.

use std::io;

use everypath_model::{Action, Ended, Fault, ModelError, Parts};

use crate::searches::parents::{Found, Log};
use crate::stores::wire::{In, Out, nonsense};

/// Why a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Nothing was left to expand.
    Finished,
    /// A violation was found and one was enough.
    Violation,
    /// The states allowed after the first violation were used up.
    ViolationBudget,
    /// [`Limits::states`](crate::Limits::states).
    StateLimit,
    /// [`Limits::memory`](crate::Limits::memory).
    MemoryLimit,
    /// [`Options::expired`](crate::Options::expired).
    Time,
    /// [`Options::interrupt`](crate::Options::interrupt), or the observer.
    Interrupted,
    /// The model could not be evaluated.
    ModelError(ModelError),
    /// The disk failed, or is full: what it says.
    Disk(String),
    /// The search could not be taken up again: what is wrong with the checkpoint.
    NotResumed(String),
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A fault in a step.
    Fault(Fault),
    /// A state in which an invariant does not hold.
    Invariant(Fault),
    /// A state without steps that is no valid end; with the key of
    /// [`Options::deadlock_key`](crate::Options::deadlock_key), or 0.
    Deadlock(u64),
}

/// One violation of its kind: the first found, in breadth-first order a shortest.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What is wrong.
    pub kind: Kind,
    /// Number of steps of the run.
    pub depth: u64,
    /// Stored states when it was found; in a search level by level, when its level began.
    pub states: u64,
    /// How often it was met. A search that stopped early did not meet it everywhere.
    pub occurrences: u64,
    /// The number that the run or search which found it follows from; `None` unless it was one of
    /// many.
    pub seed: Option<u64>,
    /// Whether it takes something that happens without a reason, which was looked at afterwards.
    pub spurious: bool,
    pub(crate) site: Site,
}

/// Where a violation is, in terms of the search.
#[derive(Clone, Debug)]
pub(crate) enum Site {
    /// In a state of a breadth-first search.
    State(Found),
    /// In a step of a state of a breadth-first search.
    Step(Found, u32),
    /// At the end of a run: which initial step, then which step of each state.
    Run(Box<[u32]>),
}

impl Violation {
    pub(crate) fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        let (what, which) = match self.kind {
            Kind::Fault(fault) => (0, u64::from(fault.0)),
            Kind::Invariant(fault) => (1, u64::from(fault.0)),
            Kind::Deadlock(key) => (2, key),
        };
        for number in [what, which, self.depth, self.states, self.occurrences] {
            out.number(number)?;
        }
        match &self.site {
            Site::State(found) => {
                out.number(0)?;
                found.save(out)
            }
            Site::Step(found, ordinal) => {
                out.number(1)?;
                found.save(out)?;
                out.number(u64::from(*ordinal))
            }
            Site::Run(run) => {
                out.number(2)?;
                out.words(run)
            }
        }
    }

    pub(crate) fn restore(input: &mut In<'_>) -> io::Result<Violation> {
        let (what, which) = (input.number()?, input.number()?);
        let fault = Fault(which as u32);
        let kind = match what {
            0 => Kind::Fault(fault),
            1 => Kind::Invariant(fault),
            2 => Kind::Deadlock(which),
            _ => return Err(nonsense()),
        };
        let (depth, states, occurrences) = (input.number()?, input.number()?, input.number()?);
        let site = match input.number()? {
            0 => Site::State(Found::restore(input)?),
            1 => Site::Step(Found::restore(input)?, input.small()?),
            2 => Site::Run(input.words()?.into()),
            _ => return Err(nonsense()),
        };
        Ok(Violation { kind, depth, states, occurrences, seed: None, spurious: false, site })
    }
}

/// Bytes by use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Bytes {
    /// The table of states.
    pub table: u64,
    /// What the states consist of: dictionaries or vectors.
    pub arena: u64,
    /// The parent log of a breadth-first search, or the recorded runs of a depth-first one.
    pub parents: u64,
    /// The stack of a depth-first search, or the most that the frontier of a breadth-first one had.
    pub stack: u64,
    /// The most that was in use at one time, growth included.
    pub peak: u64,
}

/// Counters of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Stats {
    /// Stored states.
    pub states: u64,
    /// As SPIN counts them: initial states and steps that have a target.
    pub transitions: u64,
    /// Steps of the longest run looked at: in breadth-first order the distance of the farthest
    /// state, in depth-first order the greatest height of the stack.
    pub depth: u64,
    /// Stored states that were not expanded to the end.
    pub frontier: u64,
    /// Memory.
    pub bytes: Bytes,
}

impl Stats {
    /// Transitions into a state that was stored already. Where a limit cut off the steps of a state,
    /// they are not counted, though the states that they led to are.
    pub fn matched(&self) -> u64 {
        self.transitions.saturating_sub(self.states)
    }
}

/// The transitions that were taken at least once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    bits: Vec<u64>,
}

impl Coverage {
    /// These transitions.
    pub fn of(transitions: impl IntoIterator<Item = u32>) -> Coverage {
        let mut coverage = Coverage::default();
        for transition in transitions {
            coverage.insert(&[Action { process: 0, transition }]);
        }
        coverage
    }

    /// Whether a transition was taken.
    pub fn contains(&self, transition: u32) -> bool {
        let word = self.bits.get(transition as usize / 64);
        word.is_some_and(|word| word >> (transition % 64) & 1 == 1)
    }

    /// The transitions taken, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.bits.len() as u32 * 64).filter(|&t| self.contains(t))
    }

    /// Adds what another thread took.
    pub(crate) fn merge(&mut self, other: &Coverage) {
        if self.bits.len() < other.bits.len() {
            self.bits.resize(other.bits.len(), 0);
        }
        for (mine, theirs) in self.bits.iter_mut().zip(&other.bits) {
            *mine |= theirs;
        }
    }

    pub(crate) fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.list(&self.bits, |out, &bits| out.number(bits))
    }

    pub(crate) fn restore(input: &mut In<'_>) -> io::Result<Coverage> {
        Ok(Coverage { bits: input.list(In::number)? })
    }

    #[inline]
    pub(crate) fn insert(&mut self, actions: &[Action]) {
        for action in actions {
            let word = action.transition as usize / 64;
            if word >= self.bits.len() {
                self.bits.resize(word + 1, 0);
            }
            self.bits[word] |= 1 << (action.transition % 64);
        }
    }
}

/// What the system left out, as it reported itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The first reason.
    pub first: Fault,
    /// Number of states in which something was left out.
    pub states: u64,
}

/// What a lossy store believes of itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Expected number of states that were taken for known ones. What only these lead to comes on top.
    pub omitted: f64,
    /// Part of the table that is in use.
    pub fill: f64,
}

/// Runs that were followed one by one, by a search that keeps no states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Followed {
    /// To their end.
    pub executions: u64,
    /// Until all that could follow was known.
    pub given_up: u64,
    /// Until an assumption or a limit ended them.
    pub cut: u64,
    /// Whether a bound of preemptions or of switches left out some.
    pub bounded: bool,
}

/// Transactions that were made to end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forced {
    /// How many.
    pub count: u64,
    /// In which states, if [`Options::collect`](crate::Options::collect) asked for them.
    pub states: Vec<Vec<u32>>,
}

/// The result of a search, also of one that stopped early.
#[derive(Debug)]
pub struct Outcome {
    /// Why it ended.
    pub stopped: Stopped,
    /// Whether the depth limit hid something: a state at the limit has a step to a state that is
    /// not stored, or one with a fault.
    pub depth_limit_hit: bool,
    /// What the system itself left out.
    pub left_out: Option<LeftOut>,
    /// What the store lost; `None` if it was exact.
    pub loss: Option<Loss>,
    /// How many runs or searches there were; `None` unless that was how to search.
    pub runs: Option<u64>,
    /// Where transactions were made to end since no end of them was known; `None` unless
    /// [`search_transactions`](crate::search_transactions) searched.
    pub forced: Option<Forced>,
    /// The runs that were followed; `None` unless that was how to search.
    pub followed: Option<Followed>,
    /// The violations, each kind once, in the order in which they were found.
    pub violations: Vec<Violation>,
    /// Occurrences of all violations together.
    pub errors: u64,
    /// Occurrences of kinds beyond [`Options::max_violations`](crate::Options::max_violations).
    pub unrecorded: u64,
    /// Counters.
    pub stats: Stats,
    /// Which transitions were taken.
    pub coverage: Coverage,
    /// The stored states, if [`Options::collect`](crate::Options::collect) asked for them.
    pub states: Vec<Vec<u32>>,
    pub(crate) reached: Reached,
}

impl Outcome {
    /// Whether every run was looked at, so that what was not found is not there.
    pub fn complete(&self) -> bool {
        self.stopped == Stopped::Finished
            && !self.depth_limit_hit
            && self.left_out.is_none()
            && self.loss.is_none()
            && self.runs.is_none()
            && !self.followed.is_some_and(|followed| followed.bounded)
    }

    /// The outcome of a search that nobody needs.
    pub fn unneeded() -> Outcome {
        Outcome::empty(Stopped::Finished)
    }

    /// The outcome of another search, as far as it is known by runs: which initial step each begins with, then
    /// which step of each state.
    pub fn of_runs(
        stopped: Stopped,
        stats: Stats,
        followed: Followed,
        violations: impl IntoIterator<Item = (Kind, Vec<u32>, u64, u64)>,
    ) -> Outcome {
        let violations = violations.into_iter().map(|(kind, run, occurrences, states)| Violation {
            kind,
            // A deadlock is in the last state, a fault in the last step.
            depth: (run.len() as u64).saturating_sub(1),
            states,
            occurrences,
            seed: None,
            spurious: false,
            site: Site::Run(run.into()),
        });
        Outcome {
            violations: violations.collect(),
            stats,
            followed: Some(followed),
            ..Outcome::empty(stopped)
        }
    }

    /// The outcome of a search that has not begun.
    pub(crate) fn empty(stopped: Stopped) -> Outcome {
        Outcome {
            stopped,
            depth_limit_hit: false,
            left_out: None,
            loss: None,
            runs: None,
            forced: None,
            followed: None,
            violations: Vec::new(),
            errors: 0,
            unrecorded: 0,
            stats: Stats::default(),
            coverage: Coverage::default(),
            states: Vec::new(),
            reached: Reached { logs: None, reduced: false, detours: false, parts: None },
        }
    }
}

/// What remains of the search itself, for paths.
#[derive(Debug)]
pub(crate) struct Reached {
    /// The logs of the threads; `None` if violations carry their runs.
    pub logs: Option<Vec<Log>>,
    /// Whether ordinals count the steps of the attempts of a reduced search.
    pub reduced: bool,
    /// Whether it is worth looking for shorter runs.
    pub detours: bool,
    /// How steps were divided when they were counted.
    pub parts: Option<Parts>,
}
