//! Explicit-state search over a [`TransitionSystem`].
//!
//! [`search`] visits every state that can be reached, in breadth-first or depth-first order, keeps
//! them in an exact [`Store`] and returns an [`Outcome`]: the violations found, each kind once, why
//! the search ended, what it left out, which transitions it took and what it cost. A limit ends a
//! search with what it has; nothing that is incomplete says [`Outcome::complete`].
//!
//! The crate knows no language, renders nothing, and reads neither clock nor file: time is the
//! caller's [`Options::expired`]. It runs in one thread.

#![deny(unsafe_code)]

mod breadth;
mod depth;
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

pub use ledger::Ledger;
pub use options::{
    AfterViolation, Control, DeadlockKey, Limits, Observer, Options, Order, Progress,
};
pub use outcome::{Bytes, Coverage, Kind, LeftOut, Outcome, Stats, Stopped, Violation};
pub use path::Path;
pub use store::{FoldHash, Full, HashWords, Inserted, StateRef, Store};
pub use switches::Fewest;

use everypath_model::TransitionSystem;

/// Searches a system as `options` say, under the eyes of `observer`.
pub fn search<S: TransitionSystem>(
    system: &S,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    let record = record::Record::new(options);
    match options.order {
        Order::Breadth => breadth::search(system, record, observer),
        Order::Depth => depth::search(system, record, observer),
    }
}
