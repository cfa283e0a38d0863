//! Happens-before: two accesses to a location, one of them a write, that no chain of synchronisation orders.
//!
//! Of each location the last write and the last read of each thread since then are kept, as FastTrack
//! (Flanagan and Freund, 2009) does: a location with a race is found, though not every pair of its accesses.

use std::collections::BTreeSet;

use everypath_model::{Event, Operation};
use rustc_hash::FxHashMap;

use crate::clock::{Clocks, Order};

/// A race of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Race {
    /// The location.
    pub location: u32,
    /// The earlier access: its position in the run.
    pub first: usize,
    /// The later one.
    pub second: usize,
}

/// An access that was made.
#[derive(Clone, Copy)]
struct Access {
    thread: u32,
    time: u32,
    at: usize,
}

#[derive(Default)]
struct Known {
    write: Option<Access>,
    /// The last one of each thread since the write.
    reads: Vec<Access>,
}

/// The races of a run, one for each pair of sites and location, in the order of the later access.
pub fn races(run: &[Event]) -> Vec<Race> {
    let mut clocks = Clocks::new(Order::All);
    let mut known: FxHashMap<u32, Known> = FxHashMap::default();
    let mut told = BTreeSet::new();
    let mut found = Vec::new();
    for (at, event) in run.iter().enumerate() {
        clocks.take(event);
        let (location, write) = match event.operation {
            Operation::Read(location) => (location, false),
            Operation::Write(location) => (location, true),
            _ => continue,
        };
        let thread = event.thread;
        let clock = clocks.of(thread).clone();
        let entry = known.entry(location).or_default();
        let mut check = |old: &Access| {
            let unordered = old.thread != thread && old.time > clock.get(old.thread);
            let sites = (run[old.at].site, event.site);
            let sites = (sites.0.min(sites.1), sites.0.max(sites.1));
            if unordered && told.insert((location, sites)) {
                found.push(Race { location, first: old.at, second: at });
            }
        };
        entry.write.iter().for_each(&mut check);
        let access = Access { thread, time: clock.get(thread), at };
        if write {
            entry.reads.iter().for_each(check);
            entry.reads.clear();
            entry.write = Some(access);
        } else {
            entry.reads.retain(|read| read.thread != thread);
            entry.reads.push(access);
        }
    }
    found
}
