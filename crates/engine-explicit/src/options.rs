//! What to search for, in which order, and when to stop.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use everypath_model::{Action, Fault, ModelError};

use crate::disk::Disk;
use crate::outcome::Kind;

/// Which state is expanded next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// The oldest: the first violation of each kind is a shortest one.
    #[default]
    Breadth,
    /// The newest: strict depth-first order, with the run to the current state on a stack.
    Depth,
    /// The most promising by [`Options::heuristics`], the oldest of equals.
    Directed,
    /// None: random runs, of which nothing is kept.
    Random(Sample),
    /// Many depth-first searches, each with an order of steps, a hash and a depth of its own, in a
    /// store that has to be lossy.
    Swarm(Sample),
}

/// Runs or searches that follow from numbers: the first from `seed`, the next from `seed + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The first of the numbers.
    pub seed: u64,
    /// How many; `None` for as many as the time allows.
    pub runs: Option<u64>,
}

/// How far a state seems to be from a violation: the nearest are expanded first.
pub type Heuristic<'a> = &'a (dyn Fn(&[u32]) -> u32 + Sync);

/// The same by the run that led to a state. It is told what it made of the run before the last step, which is 0 at
/// the beginning, the state before that step, and its actions; and gives what it makes of the run now, and how far
/// from a violation that seems to be. Of several runs to a state the first one counts.
pub type History<'a> = &'a (dyn Fn(u64, &[u32], &[Action]) -> (u64, u32) + Sync);

/// What keeps a reduced search from postponing a step for ever: when the steps that the system gave
/// as enough are taken as enough. A state is open while it waits in the queue of a breadth-first
/// search, or while it is not on the stack of a depth-first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proviso {
    /// Always: for systems that see to it themselves.
    Nothing,
    /// If one of them leads to a new state.
    New,
    /// If one of them leads to an open state: enough for everything that one state or step tells.
    Open,
    /// If all of them lead to open states: no cycle then lacks a state with all its steps.
    AllOpen,
}

/// Cycles that are violations: a strict depth-first search looks for them.
#[derive(Clone, Copy)]
pub struct Cycles<'a> {
    /// The component that tells whether a state is a bad one.
    pub component: usize,
    /// Whether a state with these words there is. All states of a cycle have to be, or none.
    pub bad: &'a (dyn Fn(&[u32]) -> bool + Sync),
    /// What a step that closes a cycle of bad states is reported as.
    pub fault: Fault,
}

/// How states are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Storage {
    /// Exact: the numbers of the components of a vector, in a table of quotients.
    #[default]
    Collapse,
    /// Exact: whole vectors.
    Plain,
    /// Exact: trees of pairs, of which equal ones are kept once.
    Tree,
    /// Exact: one state in so many along a run, 1 to 64; the others as steps from these.
    Delta {
        /// How many.
        every: u32,
    },
    /// Lossy: a hash of each state.
    Compact {
        /// Bits of the hash, 4 to 64.
        bits: u32,
        /// Bytes of the table, which never grows.
        bytes: u64,
        /// Chooses the hash: another one omits other states.
        seed: u64,
    },
    /// Lossy: a few bits of a table for each state.
    Bitstate {
        /// How many, 1 to 64.
        functions: u32,
        /// How their places follow from the hash.
        sequence: Sequence,
        /// Bytes of the table, which never grows.
        bytes: u64,
        /// Chooses the hash: another one omits other states.
        seed: u64,
    },
}

impl Storage {
    /// Whether a search with this store can be written down and taken up again.
    pub fn has_checkpoints(self) -> bool {
        matches!(self, Storage::Collapse) || self.is_lossy()
    }

    /// Whether different states may be taken for one.
    pub fn is_lossy(self) -> bool {
        matches!(self, Storage::Compact { .. } | Storage::Bitstate { .. })
    }
}

/// How the places of the bits of a state follow from its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sequence {
    /// Three or four in one cache line, more of them two and two: fewer lines to look at, a few more errors.
    #[default]
    Paired,
    /// At equal distances.
    Double,
    /// At distances that grow by 1, 2, 3 and so on.
    Enhanced,
    /// At distances that grow by a number of the hash. It errs least.
    Triple,
}

/// Where a search ends although there is more. `None` is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Limits {
    /// Number of steps of the longest run.
    pub depth: Option<u64>,
    /// Bytes of table, arena, logs and stack together.
    pub memory: Option<u64>,
    /// Number of stored states.
    pub states: Option<u64>,
}

/// What happens after the first violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterViolation {
    /// The search ends.
    Stop,
    /// The search goes on while there are not more states than the greater of `states` and `factor`
    /// times those stored at the first violation.
    Budget {
        /// Never stop below this many states.
        states: u64,
        /// Multiple of the states at the first violation.
        factor: u64,
    },
    /// The search goes on to its end.
    Continue,
}

impl Default for AfterViolation {
    fn default() -> AfterViolation {
        AfterViolation::Budget { states: 2_000_000, factor: 2 }
    }
}

/// What tells the deadlocked states apart that count as different ones.
pub type DeadlockKey<'a> = &'a (dyn Fn(&[u32]) -> u64 + Sync);

/// Everything a search is told besides the system.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Which state comes next.
    pub order: Order,
    /// What a directed search follows, in turn.
    pub heuristics: &'a [Heuristic<'a>],
    /// What else it follows.
    pub history: Option<History<'a>>,
    /// Whether it also follows the states in which the fewest processes can move.
    pub prefer_blocked: bool,
    /// Whether to be content with [reduced](everypath_model::TransitionSystem::reduced) steps, and
    /// under which condition.
    pub reduction: Option<Proviso>,
    /// How states are kept.
    pub store: Storage,
    /// Where to end.
    pub limits: Limits,
    /// Whether a state without steps that is not a valid end is a violation.
    pub check_deadlock: bool,
    /// Whether invariants are evaluated in every state.
    pub check_invariants: bool,
    /// How short the runs have to be that emptiness checks find.
    pub lassos: Lassos,
    /// Which cycles a depth-first search in an exact store looks for.
    pub cycles: Option<Cycles<'a>>,
    /// What happens after the first violation.
    pub after_violation: AfterViolation,
    /// How many different violations are kept. All are counted.
    pub max_violations: usize,
    /// Tells deadlocks apart; without it they all are the same one.
    pub deadlock_key: Option<DeadlockKey<'a>>,
    /// Whether the time is over. The engine reads no clock.
    pub expired: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// Set by someone else to end the search.
    pub interrupt: Option<&'a AtomicBool>,
    /// How many pairs of a state and a process the minimisation of context switches may keep, at
    /// about 60 bytes each.
    pub max_switch_pairs: usize,
    /// Number of threads of a breadth-first search, of random runs or of a swarm, and of a depth-first
    /// search that is neither reduced nor limited in depth.
    pub threads: usize,
    /// Whether the outcome lists all states: for tests of small systems.
    pub collect: bool,
    /// Where a breadth-first search is written down now and then, if its store can be.
    pub checkpoints: Option<&'a dyn Checkpoints>,
    /// Where a breadth-first search puts what it need not have at hand.
    pub disk: Option<&'a Arc<dyn Disk>>,
    /// A search that was written down, to go on with instead of the initial states. The system and
    /// everything in these options but limits and threads has to be the same.
    pub resume: Option<Reading<'a>>,
    /// Memory that the system itself has taken for its states by now; it counts like that of the store.
    pub besides: Option<&'a (dyn Fn() -> u64 + Sync)>,
    /// After how many expansions to look at the time and the interrupt and to call the observer.
    pub poll_every: u32,
}

/// How short a run has to be that goes on for ever, stem and cycle together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Lassos {
    /// As it comes.
    Any,
    /// Short, as far as that costs little.
    #[default]
    Short,
    /// None of the product of system and automaton is shorter.
    Shortest,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            order: Order::Breadth,
            heuristics: &[],
            history: None,
            prefer_blocked: false,
            reduction: None,
            store: Storage::default(),
            limits: Limits::default(),
            check_deadlock: true,
            check_invariants: true,
            lassos: Lassos::default(),
            cycles: None,
            after_violation: AfterViolation::default(),
            max_violations: 100,
            deadlock_key: None,
            expired: None,
            interrupt: None,
            max_switch_pairs: 3_000_000,
            threads: 1,
            collect: false,
            checkpoints: None,
            disk: None,
            resume: None,
            besides: None,
            poll_every: 1024,
        }
    }
}

impl Options<'_> {
    /// Whether the store has to tell states that wait in the queue or on the stack from others.
    pub(crate) fn needs_marks(&self) -> bool {
        self.cycles.is_some() || self.reduction.is_some_and(Proviso::needs_marks)
    }

    /// The kind of a deadlock in `state`.
    pub(crate) fn deadlock(&self, state: &[u32]) -> Kind {
        Kind::Deadlock(self.deadlock_key.map_or(0, |key| key(state)))
    }
}

/// Counters of a running search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Stored states.
    pub states: u64,
    /// Transitions as SPIN counts them.
    pub transitions: u64,
    /// Steps to the state under expansion.
    pub depth: u64,
    /// Stored states that are not expanded (breadth-first), or the height of the stack.
    pub frontier: u64,
    /// Bytes in use.
    pub bytes: u64,
    /// Violations so far, each occurrence counted.
    pub errors: u64,
}

/// What an observer wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// End with what there is.
    Stop,
}

/// Reads on: fills the front of a buffer and says how much of it, as [`std::io::Read::read`] does.
pub type Reading<'a> = &'a (dyn Fn(&mut [u8]) -> io::Result<usize> + Sync);

/// Keeps searches that are written down. The engine knows neither clock nor file.
pub trait Checkpoints: Sync {
    /// Whether it is time for one.
    fn due(&self) -> bool;

    /// Whether the end of a search that stops early is to be kept.
    fn keep_end(&self) -> bool;

    /// Keeps what `write` writes, about a search with so many states, in place of what was kept
    /// before; if anything fails, that stays.
    fn keep(&self, states: u64, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>);
}

/// What happened between two levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meanwhile {
    /// Nothing that concerns the search.
    Nothing,
    /// A violation was found by other means: the search goes on as after one of its own.
    Violation,
}

/// Watches a search.
pub trait Observer {
    /// Called now and then from inside the search; see [`Options::poll_every`].
    fn progress(&mut self, progress: &Progress) -> Control;

    /// A breadth-first search begins, perhaps once more after an attempt that came to nothing.
    fn begin(&mut self) {}

    /// Called between the levels of a breadth-first search, while its threads wait: so many states are known, which
    /// take so many bytes, however many threads there are. An error ends the search like one of the system.
    fn level(&mut self, _states: u64, _bytes: u64) -> Result<Meanwhile, ModelError> {
        Ok(Meanwhile::Nothing)
    }
}

/// The observer that does not look.
impl Observer for () {
    fn progress(&mut self, _: &Progress) -> Control {
        Control::Continue
    }
}

/// What became known while the steps of a state were taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// Whether some target was new.
    pub new: bool,
    /// Whether some target was open.
    pub open: bool,
    /// Whether all targets were open.
    pub all_open: bool,
}

impl Reach {
    /// Of no step.
    pub const NONE: Reach = Reach { new: false, open: false, all_open: true };

    /// Adds a target.
    pub fn add(&mut self, new: bool, open: bool) {
        self.new |= new;
        self.open |= open;
        self.all_open &= open;
    }
}

impl Proviso {
    /// Whether it is fulfilled.
    pub(crate) fn holds(self, reach: Reach) -> bool {
        match self {
            Proviso::Nothing => true,
            Proviso::New => reach.new,
            Proviso::Open => reach.open,
            Proviso::AllOpen => reach.all_open,
        }
    }

    /// Whether it asks for marks.
    pub(crate) fn needs_marks(self) -> bool {
        matches!(self, Proviso::Open | Proviso::AllOpen)
    }
}
