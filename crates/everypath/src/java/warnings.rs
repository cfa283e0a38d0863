//! What single runs of a program show about locks and memory.

use everypath_engine_runtime::{lock_cycles, locksets, races as happens_before};
use everypath_lang_java::Recorded;
use everypath_model::{Event, Operation};
use serde::Serialize;

/// What a run shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// `race`, `unprotected` or `lock-order`.
    pub kind: &'static str,
    /// Whether it happened, rather than could happen.
    pub certain: bool,
    /// The field, the kind of array, or the locks.
    pub about: String,
    /// What the threads do, in order.
    pub deeds: Vec<Deed>,
    /// The seed of the first run that shows it.
    pub seed: u64,
    /// How many runs show it.
    pub runs: u64,
}

/// What a thread does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Deed {
    /// The thread.
    pub thread: String,
    /// What: `writes Counter.total`.
    pub does: String,
    /// Where, as a line of a stack trace.
    pub at: String,
    /// The locks that it has.
    pub holds: Vec<String>,
}

/// What the analyses say about a run.
pub fn warnings(recorded: &Recorded, seed: u64) -> Vec<Warning> {
    let run = &recorded.events;
    let deed = |at: usize| {
        let Event { thread, operation, site } = run[at];
        let location = |location: u32| recorded.locations[location as usize].clone();
        let lock = |lock: u32| recorded.locks.get(&lock).cloned().unwrap_or_default();
        let does = match operation {
            Operation::Read(x) => format!("reads {}", location(x)),
            Operation::Write(x) => format!("writes {}", location(x)),
            Operation::Acquire(x) => format!("takes {}", lock(x)),
            _ => String::new(),
        };
        Deed {
            thread: recorded.threads[thread as usize].clone(),
            does,
            at: recorded.sites[site as usize].clone(),
            holds: held_before(run, at).into_iter().map(lock).collect(),
        }
    };
    let warning = |kind, certain, about: String, deeds| Warning {
        kind,
        certain,
        about,
        deeds,
        seed,
        runs: 1,
    };
    let location = |location: u32| recorded.locations[location as usize].clone();
    let mut found: Vec<Warning> = Vec::new();
    for race in happens_before(run) {
        let deeds = vec![deed(race.first), deed(race.second)];
        found.push(warning("race", true, location(race.location), deeds));
    }
    for one in locksets(run) {
        let deeds = vec![deed(one.first), deed(one.second)];
        found.push(warning("unprotected", false, location(one.location), deeds));
    }
    for cycle in lock_cycles(run) {
        let lock = |lock: u32| recorded.locks.get(&lock).cloned().unwrap_or_default();
        let names: Vec<String> = cycle.edges.iter().map(|edge| lock(edge.has)).collect();
        let deeds = cycle.edges.iter().map(|edge| deed(edge.at)).collect();
        found.push(warning("lock-order", false, names.join(", "), deeds));
    }
    let mut told = Vec::new();
    found.retain(|one| {
        let key = (
            one.kind,
            one.about.clone(),
            one.deeds.iter().map(|d| d.at.clone()).collect::<Vec<_>>(),
        );
        let new = !told.contains(&key);
        told.push(key);
        new
    });
    found
}

/// The locks that the thread of an event has before it.
fn held_before(run: &[Event], at: usize) -> Vec<u32> {
    let mut held = Vec::new();
    for event in run[..at].iter().filter(|event| event.thread == run[at].thread) {
        match event.operation {
            Operation::Acquire(lock) => held.push(lock),
            Operation::Release(lock) => {
                if let Some(at) = held.iter().rposition(|&own| own == lock) {
                    held.remove(at);
                }
            }
            _ => {}
        }
    }
    held
}
