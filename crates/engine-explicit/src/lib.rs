//! Explicit-state search over a [`TransitionSystem`].
//!
//! [`search`] visits every state that can be reached, in breadth-first, depth-first or directed
//! order, keeps them in a store, or takes samples of all runs, and returns an [`Outcome`]: the violations found, each kind once, why
//! the search ended, what it left out, which transitions it took and what it cost. A limit ends a
//! search with what it has; nothing that is incomplete, or kept in a store that may lose states, says
//! [`Outcome::complete`].
//!
//! The crate knows no language, renders nothing, and reads neither clock nor file: time is the
//! caller's [`Options::expired`].

mod disk;
pub mod emptiness;
mod ledger;
mod lossy;
mod options;
mod outcome;
mod searches;
mod stores;

pub use disk::{Disk, Shelf};
pub use ledger::Ledger;
pub use lossy::odds;
pub use options::{
    AfterViolation, Checkpoints, Control, Cycles, DeadlockKey, Heuristic, History, Lassos, Limits,
    Meanwhile, Observer, Options, Order, Progress, Proviso, Reading, Sample, Sequence, Storage,
};
pub use outcome::{
    Bytes, Coverage, Followed, Forced, Kind, LeftOut, Loss, Outcome, Stats, Stopped, Violation,
};
pub use searches::path::Path;
pub use searches::probing::{Schedule, search_deep};
pub use searches::switches::{Fewest, shortest_run};
pub use searches::transactions::{Completion, search_transactions};
pub use stores::store::Full;
pub use stores::vectors::{FoldHash, HashWords, Inserted, StateRef, Vectors};

use std::io;

use everypath_model::TransitionSystem;

use lossy::bitstate::Bitstate;
use lossy::compact::Compact;
use lossy::filter::{Filter, Lossy};
use searches::record::Shared;
use searches::{breadth, depth, directed, random, swarm};
use stores::collapse::{Again, Collapse};
use stores::delta::Steps;
use stores::forest::Forest;
use stores::plain::Plain;
use stores::store::Store;
use stores::tree::Tree;
use stores::{forest, wire};

/// Searches a system as `options` say, under the eyes of `observer`.
pub fn search<S: TransitionSystem>(
    system: &S,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    match options.order {
        Order::Random(sample) => return random::search(system, options, sample, observer),
        Order::Swarm(sample) => return swarm::search(system, options, sample, observer),
        Order::Breadth | Order::Depth | Order::Directed => {}
    }
    let mut options = *options;
    let mut begin = match options.resume.map(|input| Begin::restore(options.store, input)) {
        Some(Ok(begin)) => begin,
        Some(Err(error)) => return Shared::not_resumed(&error),
        None if options.store.is_lossy() => Begin::keys(),
        None => Begin::Vectors,
    };
    loop {
        match attempt(system, &options, observer, begin) {
            Ok(outcome) => return outcome,
            Err(next) => {
                begin = next;
                // What was written down is of the way that did not work.
                options.resume = None;
            }
        }
    }
}

/// How a search begins.
enum Begin {
    /// A lossy store knows states by keys, made as in this forest; and how often it may be made anew.
    Keys { forest: Option<Box<Forest>>, attempts: u32 },
    /// A lossy store knows states by their vectors; any other store as it does.
    Vectors,
    /// The steps of a state are not divided into parts; but a component may be cut as if they were.
    Whole(Option<forest::Shared>),
    /// Nor is it cut into pieces.
    Plain,
}

/// How often a search with keys begins anew.
const ATTEMPTS: u32 = 12;

impl Begin {
    fn keys() -> Begin {
        Begin::Keys { forest: None, attempts: ATTEMPTS }
    }

    /// What a search that is written down begins with.
    fn number(&self) -> u64 {
        match self {
            Begin::Keys { .. } => 1,
            Begin::Vectors => 0,
            Begin::Whole(_) => 2,
            Begin::Plain => 3,
        }
    }

    /// As the search that was written down has begun.
    fn restore(store: Storage, input: Reading<'_>) -> io::Result<Begin> {
        match wire::In(&mut wire::Source(input)).number()? {
            0 => Ok(Begin::Vectors),
            1 if store.is_lossy() => Ok(Begin::keys()),
            2 if store == Storage::Collapse => Ok(Begin::Whole(None)),
            _ => Err(wire::nonsense()),
        }
    }
}

/// Searches; says how to do it instead if that did not work.
fn attempt<S: TransitionSystem>(
    system: &S,
    options: &Options<'_>,
    observer: &mut dyn Observer,
    begin: Begin,
) -> Result<Outcome, Begin> {
    let ledger = Ledger::new(options.limits.memory);
    // The steps of a reduced search are chosen state by state; only keys remember those of parts.
    let keys = match options.store {
        Storage::Collapse => !matches!(begin, Begin::Whole(_) | Begin::Plain),
        _ => matches!(begin, Begin::Keys { .. }),
    };
    let in_order = matches!(options.order, Order::Breadth | Order::Depth);
    let parts = match keys && in_order && options.reduction.is_none() {
        true => system.parts(),
        false => None,
    };
    let mut shared = Shared::new(options, &ledger, parts);
    shared.way = begin.number();
    let split = |state: &[u32], ends: &mut Vec<u32>| system.components(state, ends);
    let carried = system.carried();
    let threads = match options.order {
        Order::Breadth => options.threads,
        Order::Depth => depth::threads(options),
        _ => 1,
    };
    let marks = options.needs_marks();
    let plain = matches!(begin, Begin::Plain);
    let outcome = match options.store {
        Storage::Collapse if !plain => {
            let parts = shared.parts.clone();
            let mut store = match Collapse::new(&split, carried, parts, marks, threads, &ledger) {
                // A plain one cannot be written down.
                Ok(store) if options.checkpoints.is_some() => store.steady(),
                Ok(store) => store,
                Err(full) => return Ok(shared.nothing(full)),
            };
            if let Begin::Whole(Some(cut)) = begin {
                store = store.cut(cut);
            }
            if let Some(outcome) = take_up(&mut store, &shared) {
                return Ok(outcome);
            }
            let outcome = search_with(&store, system, &shared, observer);
            match store.again() {
                Some(Again::Plain) => return Err(Begin::Plain),
                Some(Again::Whole { shared }) => return Err(Begin::Whole(shared)),
                Some(_) => return Err(Begin::Whole(None)),
                None => outcome,
            }
        }
        Storage::Plain | Storage::Collapse => {
            let store = Plain::new(carried, marks, threads, &ledger);
            search_in(store, system, &shared, observer)
        }
        Storage::Tree => {
            let store = Tree::new(&split, carried, marks, threads, &ledger);
            search_in(store, system, &shared, observer)
        }
        Storage::Delta { every } => {
            let reduced = options.reduction.is_some();
            let steps = Steps { system, reduced, parts: shared.parts.clone() };
            let store = Plain::with_differences(steps, every, carried, marks, threads, &ledger);
            search_in(store, system, &shared, observer)
        }
        Storage::Compact { bits, bytes, seed } => {
            let filter = Compact::new(bytes, bits, threads, &ledger);
            return lossy_search(system, &shared, observer, filter, seed, threads, begin);
        }
        Storage::Bitstate { functions, sequence, bytes, seed } => {
            let filter = Bitstate::new(bytes, functions, sequence, threads, &ledger);
            return lossy_search(system, &shared, observer, filter, seed, threads, begin);
        }
    };
    Ok(outcome)
}

/// Searches with a filter.
fn lossy_search<S: TransitionSystem>(
    system: &S,
    shared: &Shared<'_>,
    observer: &mut dyn Observer,
    filter: Result<impl Filter, Full>,
    seed: u64,
    threads: usize,
    begin: Begin,
) -> Result<Outcome, Begin> {
    let (carried, parts) = (system.carried(), shared.parts.clone());
    let (forest, attempts) = match begin {
        // Keys are made for the sake of remembered steps.
        Begin::Keys { forest, attempts } if parts.is_some() => (forest, attempts),
        _ => {
            let store = filter.map(|filter| Lossy::new(filter, carried, seed));
            return Ok(search_in(store, system, shared, observer));
        }
    };
    let filter = match filter {
        Ok(filter) => (Box::new(filter) as Box<dyn Filter>, seed),
        Err(full) => return Ok(shared.nothing(full)),
    };
    let split = |state: &[u32], ends: &mut Vec<u32>| system.components(state, ends);
    let forest = forest.map(|forest| *forest);
    let ledger = shared.ledger;
    let mut store =
        match Collapse::with_filter(&split, carried, parts, threads, ledger, filter, forest) {
            Ok(store) => store,
            Err(full) => return Ok(shared.nothing(full)),
        };
    if let Some(outcome) = take_up(&mut store, shared) {
        return Ok(outcome);
    }
    let outcome = search_with(&store, system, shared, observer);
    match store.again() {
        None => Ok(outcome),
        Some(Again::Keys(forest)) if attempts > 0 => {
            Err(Begin::Keys { forest: Some(forest), attempts: attempts - 1 })
        }
        Some(_) => Err(Begin::Vectors),
    }
}

fn search_in<S: TransitionSystem>(
    store: Result<impl Store, Full>,
    system: &S,
    shared: &Shared<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    let mut store = match store {
        Ok(store) => store,
        Err(full) => return shared.nothing(full),
    };
    if let Some(outcome) = take_up(&mut store, shared) {
        return outcome;
    }
    search_with(&store, system, shared, observer)
}

/// Fills a store with what an earlier search has left, if there was one; the outcome if that fails.
fn take_up(store: &mut impl Store, shared: &Shared<'_>) -> Option<Outcome> {
    let input = shared.options.resume?;
    let error = store.restore(&mut wire::In(&mut wire::Source(input))).err()?;
    Some(Shared::not_resumed(&error))
}

fn search_with<S: TransitionSystem>(
    store: &impl Store,
    system: &S,
    shared: &Shared<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    if let Some(limit) = shared.options.limits.states {
        store.limit_states(limit);
    }
    match shared.options.order {
        Order::Breadth => breadth::search(system, store, shared, observer),
        Order::Directed => directed::search(system, store, shared, observer),
        _ => depth::search(system, store, shared, observer),
    }
}
