//! Where states are kept, exactly.
//!
//! [`store`] is what a search asks of such a place. [`collapse`] keeps components in dictionaries ([`dictionary`],
//! [`forest`]) and their numbers in a [`table`]; [`plain`] keeps whole vectors, [`tree`] trees of pairs, [`delta`] one state
//! in so many. [`wire`] is how they are written down. No store knows an order of search.

pub(crate) mod atomics;
pub(crate) mod collapse;
pub(crate) mod delta;
pub(crate) mod dictionary;
pub(crate) mod forest;
pub(crate) mod lines;
pub(crate) mod mix;
pub(crate) mod pages;
pub(crate) mod permute;
pub(crate) mod plain;
pub(crate) mod prefetch;
pub(crate) mod shape;
pub(crate) mod store;
pub(crate) mod table;
pub(crate) mod tree;
pub(crate) mod vectors;
pub(crate) mod wire;
