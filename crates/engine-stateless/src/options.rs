//! What a search is told.

use std::sync::atomic::AtomicBool;

/// What tells the deadlocked states apart that count as different ones.
pub type DeadlockKey<'a> = &'a (dyn Fn(&[u32]) -> u64 + Sync);

/// Where a search ends although there is more. `None` is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Limits {
    /// Steps of a run.
    pub depth: Option<u64>,
    /// Complete runs.
    pub executions: Option<u64>,
    /// Steps of all runs.
    pub steps: Option<u64>,
    /// Bytes of the stacks and of what the system has taken.
    pub memory: Option<u64>,
}

/// What happens after the first violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterViolation {
    /// The search ends.
    Stop,
    /// The search goes on for so many steps, or as many as it took to come there, whichever is more.
    Budget(u64),
    /// The search goes on to its end.
    Continue,
}

/// Everything a search is told besides the system.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Where to end.
    pub limits: Limits,
    /// How often a thread may be interrupted in a run that could have gone on. Where that is limited no orders
    /// are left out.
    pub preemptions: Option<u32>,
    /// How often another thread may go on in a run. Where that is limited no orders are left out.
    pub switches: Option<u32>,
    /// Whether a state in which nobody can move is a violation, unless it is a valid end.
    pub check_deadlock: bool,
    /// Tells deadlocks apart; without it they all are the same one.
    pub deadlock_key: Option<DeadlockKey<'a>>,
    /// Whether to look for races.
    pub check_races: bool,
    /// What happens after the first violation.
    pub after_violation: AfterViolation,
    /// How many different violations are kept. All are counted.
    pub max_violations: usize,
    /// Whether the time is over. The engine reads no clock.
    pub expired: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// Set by someone else to end the search.
    pub interrupt: Option<&'a AtomicBool>,
    /// Memory that the system itself has taken by now.
    pub besides: Option<&'a (dyn Fn() -> u64 + Sync)>,
    /// After how many steps to look at the time and the interrupt and to call the observer.
    pub poll_every: u32,
    /// Number of threads that search.
    pub threads: usize,
    /// Whether the outcome has the last states of all runs: for tests of small systems.
    pub collect: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            limits: Limits::default(),
            preemptions: None,
            switches: None,
            check_deadlock: true,
            deadlock_key: None,
            check_races: true,
            after_violation: AfterViolation::Continue,
            max_violations: 100,
            expired: None,
            interrupt: None,
            besides: None,
            poll_every: 256,
            threads: 1,
            collect: false,
        }
    }
}

/// Counters of a running search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Progress {
    /// Complete runs.
    pub executions: u64,
    /// Steps of all runs.
    pub steps: u64,
    /// Steps of the run that is followed.
    pub depth: u64,
    /// Violations so far, each occurrence counted.
    pub errors: u64,
}

/// Watches a search: whether it is to go on.
pub type Observer<'a> = dyn FnMut(&Progress) -> bool + 'a;
