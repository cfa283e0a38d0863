//! Data races: states in which two threads stand before accesses to the same memory of which one
//! writes, and nothing orders them.
//!
//! A program has a race by the Java memory model iff such a state can be reached: take the first two
//! conflicting accesses of a run that no chain of synchronisation orders, leave out what comes between
//! them and is not needed for the second, and both can be made next. So nothing of the past has to be
//! known. What needs no stop cannot race: an object that one thread reaches alone, a field that nobody
//! writes once others reach it, or one whose users all hold the same lock (`vm/rules.rs`).

mod log;
mod pending;
mod report;

use everypath_model::{Action, Fault};
use rustc_hash::FxHashMap;

pub(crate) use self::log::Log;
pub use self::log::Recorded;
use self::pending::Pending;
use crate::program::Program;
use crate::system::Move;
use crate::vm::{Status, Worker, header};

/// Contents of threads of which is remembered whether they stand before an access, at most.
const MOST_KNOWN: usize = 1 << 18;

/// Contents of threads, and whether they stand before a plain access.
pub(crate) type Standing = FxHashMap<u32, bool>;

/// Two threads that race in a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Race {
    /// Who may go first, and who then.
    pub threads: (usize, usize),
    /// What they do.
    pub actions: [Action; 2],
    pub fault: Fault,
}

impl Worker {
    /// Whether every thread that can move may move now.
    pub(crate) fn is_open(&self) -> bool {
        self.exit.is_none()
            && !self.is_over()
            && (0..self.threads.len()).all(|thread| {
                !self.is_alive(thread)
                    || (self.status(thread) != Status::Start
                        && self.thread(thread, header::ATOMIC) == 0)
            })
    }

    /// Whether the second thread of a race can make its access after the step of the first one.
    pub(crate) fn can_follow(&self, race: &Race) -> bool {
        let second = race.threads.1;
        !self.pruned
            && self.is_open()
            && second < self.threads.len()
            && self.alternatives(second).is_ok_and(|count| count > 0)
    }

    pub(crate) fn stands_before_access(&self, thread: usize, known: &mut Standing) -> bool {
        let Some(number) = self.threads[thread].number() else { return false };
        if known.len() > MOST_KNOWN {
            known.clear();
        }
        *known.entry(number).or_insert_with(|| self.site(thread).is_some())
    }
}

impl Program {
    /// The races of the state that a worker has taken up, each in both orders.
    pub(crate) fn races(&self, worker: &Worker, known: &mut Standing) -> Vec<Race> {
        if !self.vm.settings.races || !worker.is_open() {
            return Vec::new();
        }
        let stand = (0..worker.threads.len())
            .filter(|&thread| worker.is_alive(thread) && worker.stands_before_access(thread, known))
            .filter(|&thread| self.in_window(worker, thread));
        let stand: Vec<usize> = stand.collect();
        if stand.len() < 2 {
            return Vec::new();
        }
        let pending = stand.iter().filter_map(|&t| Some((t, worker.pending(t)?)));
        let pending: Vec<(usize, Pending)> = pending.collect();
        let mut races = Vec::new();
        for (index, (one, left)) in pending.iter().enumerate() {
            for (two, right) in &pending[index + 1..] {
                let Some((a, b)) = left.conflict(right) else { continue };
                let fault = self.race_fault(worker, (left, a), (right, b));
                let action = |thread| self.action_of(worker, &Move { thread, alternative: 0 });
                let (first, second) = (action(*one), action(*two));
                races.push(Race { threads: (*one, *two), actions: [first, second], fault });
                races.push(Race { threads: (*two, *one), actions: [second, first], fault });
            }
        }
        races
    }
}
