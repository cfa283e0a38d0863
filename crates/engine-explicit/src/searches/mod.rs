//! Orders of search, and what they share.
//!
//! Each order asks a system for steps and a store for names, and writes violations, coverage and counters down alike
//! ([`record`]). Runs are made again from the numbers of their steps ([`parents`], [`path`]); [`switches`] looks for those
//! with few context switches. None of them knows how a store keeps states.

pub(crate) mod barrier;
pub(crate) mod breadth;
pub(crate) mod depth;
pub(crate) mod directed;
pub(crate) mod divided;
pub(crate) mod gates;
pub(crate) mod members;
pub(crate) mod parents;
pub(crate) mod path;
pub(crate) mod probing;
pub(crate) mod random;
pub(crate) mod record;
pub(crate) mod swarm;
pub(crate) mod switches;
pub(crate) mod transactions;
