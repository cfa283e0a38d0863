//! Explicit-state search over a [`TransitionSystem`].
//!
//! [`search`] visits every state that can be reached, in breadth-first or depth-first order, keeps
//! them in an exact store and returns an [`Outcome`]: the violations found, each kind once, why
//! the search ended, what it left out, which transitions it took and what it cost. A limit ends a
//! search with what it has; nothing that is incomplete says [`Outcome::complete`].
//!
//! The crate knows no language, renders nothing, and reads neither clock nor file: time is the
//! caller's [`Options::expired`].

#![deny(unsafe_code)]

mod breadth;
mod collapse;
mod depth;
mod dictionary;
mod forest;
mod ledger;
mod lines;
mod options;
mod outcome;
mod pages;
mod parents;
mod path;
mod permute;
mod prefetch;
mod record;
mod store;
mod switches;
mod table;
mod vectors;

pub use ledger::Ledger;
pub use options::{
    AfterViolation, Control, DeadlockKey, Limits, Observer, Options, Order, Progress, Proviso,
};
pub use outcome::{Bytes, Coverage, Kind, LeftOut, Outcome, Stats, Stopped, Violation};
pub use path::Path;
pub use store::Full;
pub use switches::Fewest;
pub use vectors::{FoldHash, HashWords, Inserted, StateRef, Vectors};

use everypath_model::TransitionSystem;

use collapse::Collapse;
use record::Shared;
use store::Store;

/// Searches a system as `options` say, under the eyes of `observer`.
pub fn search<S: TransitionSystem>(
    system: &S,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    let ledger = Ledger::new(options.limits.memory);
    let shared = Shared::new(options, &ledger);
    let split = |state: &[u32], ends: &mut Vec<u32>| system.components(state, ends);
    let threads = match options.order {
        Order::Breadth => options.threads,
        Order::Depth => 1,
    };
    let marks = options.reduction.is_some_and(Proviso::needs_marks);
    match Collapse::new(&split, system.carried(), marks, threads, &ledger) {
        Ok(store) => {
            if let Some(limit) = options.limits.states {
                store.limit_states(limit);
            }
            match options.order {
                Order::Breadth => breadth::search(system, &store, &shared, observer),
                Order::Depth => depth::search(system, &store, &shared, observer),
            }
        }
        Err(full) => shared.nothing(full),
    }
}
