//! Locksets: which locks a thread held at every access to a location (Savage et al., Eraser, 1997).
//!
//! What one thread does before others begin, or after they have ended, does not count: where an access is
//! ordered behind all earlier ones by starting and joining threads, the location begins anew. As long as
//! one thread has it alone, the locks and whether it was written are kept, so that the first access of
//! another thread is judged by what the first thread did.

use everypath_model::{Event, Operation};
use rustc_hash::FxHashMap;

use crate::clock::{Clocks, Order};

/// A location that no lock protects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unprotected {
    /// The location.
    pub location: u32,
    /// An access of another thread before: its position in the run.
    pub first: usize,
    /// The access after which no lock was left.
    pub second: usize,
    /// All threads that accessed it since it began anew.
    pub threads: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// One thread, which wrote it or did not.
    Exclusive { thread: u32, wrote: bool },
    /// Several threads read it.
    Shared,
    /// Several threads use it and some write.
    Modified,
}

struct Known {
    state: State,
    /// The locks that were held at all accesses.
    locks: Vec<u32>,
    /// The last access of each thread: its time among forks, and its position.
    last: Vec<(u32, u32, usize)>,
    told: bool,
}

/// The locations of a run that are shared, written, and protected by no lock, in the order in which that
/// showed.
pub fn locksets(run: &[Event]) -> Vec<Unprotected> {
    let mut clocks = Clocks::new(Order::Forks);
    let mut held: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    let mut known: FxHashMap<u32, Known> = FxHashMap::default();
    let mut found = Vec::new();
    for (at, event) in run.iter().enumerate() {
        clocks.take(event);
        let Event { thread, operation, .. } = *event;
        let (location, write) = match operation {
            Operation::Acquire(lock) => {
                held.entry(thread).or_default().push(lock);
                continue;
            }
            Operation::Release(lock) => {
                let mine = held.entry(thread).or_default();
                if let Some(index) = mine.iter().rposition(|&own| own == lock) {
                    mine.remove(index);
                }
                continue;
            }
            Operation::Read(location) => (location, false),
            Operation::Write(location) => (location, true),
            _ => continue,
        };
        let clock = clocks.of(thread).clone();
        let locks = held.get(&thread).cloned().unwrap_or_default();
        let fresh = || Known {
            state: State::Exclusive { thread, wrote: write },
            locks: locks.clone(),
            last: Vec::new(),
            told: false,
        };
        let entry = known.entry(location).or_insert_with(fresh);
        let behind = entry.last.iter().all(|&(other, time, _)| time <= clock.get(other));
        let alone =
            matches!(entry.state, State::Exclusive { thread: owner, .. } if owner == thread);
        if behind && !alone {
            let told = entry.told;
            *entry = Known { told, ..fresh() };
        }
        entry.locks.retain(|lock| locks.contains(lock));
        entry.state = match entry.state {
            State::Exclusive { thread: owner, wrote } if owner == thread => {
                State::Exclusive { thread, wrote: wrote || write }
            }
            State::Exclusive { wrote: false, .. } | State::Shared if !write => State::Shared,
            _ => State::Modified,
        };
        let other = entry.last.iter().rev().find(|(other, _, _)| *other != thread).copied();
        if entry.state == State::Modified
            && entry.locks.is_empty()
            && !entry.told
            && let Some((_, _, first)) = other
        {
            entry.told = true;
            let mut threads: Vec<u32> = entry.last.iter().map(|&(other, _, _)| other).collect();
            threads.push(thread);
            threads.sort_unstable();
            threads.dedup();
            found.push(Unprotected { location, first, second: at, threads });
        }
        entry.last.retain(|&(other, _, _)| other != thread);
        entry.last.push((thread, clock.get(thread), at));
    }
    found
}
