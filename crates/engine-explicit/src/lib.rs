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

#![deny(unsafe_code)]

mod atomics;
mod barrier;
mod bitstate;
mod breadth;
mod collapse;
mod compact;
mod delta;
mod depth;
mod dictionary;
mod directed;
mod disk;
mod divided;
mod forest;
mod gates;
mod ledger;
mod lines;
mod lossy;
mod members;
mod mix;
pub mod odds;
mod options;
mod outcome;
mod pages;
mod parents;
mod path;
mod permute;
mod plain;
mod prefetch;
mod random;
mod record;
mod shape;
mod store;
mod swarm;
mod switches;
mod table;
mod tree;
mod vectors;
mod wire;

pub use disk::{Disk, Shelf};
pub use ledger::Ledger;
pub use options::{
    AfterViolation, Checkpoints, Control, DeadlockKey, Heuristic, Limits, Observer, Options, Order,
    Progress, Proviso, Reading, Sample, Sequence, Storage,
};
pub use outcome::{Bytes, Coverage, Kind, LeftOut, Loss, Outcome, Stats, Stopped, Violation};
pub use path::Path;
pub use store::Full;
pub use switches::{Fewest, shortest_run};
pub use vectors::{FoldHash, HashWords, Inserted, StateRef, Vectors};

use everypath_model::TransitionSystem;

use bitstate::Bitstate;
use collapse::Collapse;
use compact::Compact;
use delta::Steps;
use lossy::Lossy;
use plain::Plain;
use record::Shared;
use store::Store;
use tree::Tree;

/// Searches a system as `options` say, under the eyes of `observer`.
pub fn search<S: TransitionSystem>(
    system: &S,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    let ledger = Ledger::new(options.limits.memory);
    match options.order {
        Order::Random(sample) => return random::search(system, options, sample, observer),
        Order::Swarm(sample) => return swarm::search(system, options, sample, observer),
        Order::Breadth | Order::Depth | Order::Directed => {}
    }
    // The steps of a reduced search are chosen state by state.
    let parts = match options.order {
        Order::Breadth | Order::Depth if options.reduction.is_none() => system.parts(),
        _ => None,
    };
    let shared = Shared::new(options, &ledger, parts);
    let split = |state: &[u32], ends: &mut Vec<u32>| system.components(state, ends);
    let carried = system.carried();
    let threads = match options.order {
        Order::Breadth => options.threads,
        Order::Depth => depth::threads(options),
        _ => 1,
    };
    let marks = options.reduction.is_some_and(Proviso::needs_marks);
    match options.store {
        Storage::Collapse => {
            let store =
                Collapse::new(&split, carried, shared.parts.clone(), marks, threads, &ledger);
            search_in(store, system, &shared, observer)
        }
        Storage::Plain => {
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
            let store = filter.map(|filter| Lossy::new(filter, carried, seed));
            search_in(store, system, &shared, observer)
        }
        Storage::Bitstate { functions, sequence, bytes, seed } => {
            let filter = Bitstate::new(bytes, functions, sequence, threads, &ledger);
            let store = filter.map(|filter| Lossy::new(filter, carried, seed));
            search_in(store, system, &shared, observer)
        }
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
    if let Some(input) = shared.options.resume
        && let Err(error) = store.restore(&mut wire::In(&mut wire::Source(input)))
    {
        return shared.not_resumed(&error);
    }
    if let Some(limit) = shared.options.limits.states {
        store.limit_states(limit);
    }
    match shared.options.order {
        Order::Breadth => breadth::search(system, &store, shared, observer),
        Order::Directed => directed::search(system, &store, shared, observer),
        _ => depth::search(system, &store, shared, observer),
    }
}
