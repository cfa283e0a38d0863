//! Stores that may take two states for one, and what they probably lost.

pub(crate) mod bitstate;
pub(crate) mod compact;
pub(crate) mod filter;
pub mod odds;
