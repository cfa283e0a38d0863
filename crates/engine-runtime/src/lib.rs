//! Analyses of one run of a program, by its events.
//!
//! [`locksets`] is Eraser: which locks were held at all accesses to a location. It warns about what this
//! run did in a lucky order, and about what other means than locks protect. [`races`] is happens-before
//! with vector clocks: what it reports are races of this very run. [`lock_cycles`] finds orders of
//! locks in which threads could wait for each other. [`window`] names the threads that a warning depends on.
//!
//! A warning is no verdict: a search confirms it, or does not. The crate knows no language: the events are
//! numbers.

mod clock;
mod happens;
mod lockset;
mod locktree;
mod window;

pub use clock::Clock;
pub use happens::{Race, races};
pub use lockset::{Unprotected, locksets};
pub use locktree::{LockCycle, LockEdge, lock_cycles};
pub use window::window;
