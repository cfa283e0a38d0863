//! What can be asked of a model: the kinds of properties and their selection by name, temporal
//! formulas ([`ltl`]) and the automata they become ([`tgba`]), patterns of properties, and
//! properties of sequences of events.
//!
//! The crate judges no model: it knows neither systems nor searches.

pub mod bdd;
pub mod events;
pub mod hoa;
pub mod ltl;
pub mod never;
pub mod patterns;
pub mod picture;
mod selection;
pub mod tgba;
pub mod vacuity;
pub mod words;

pub use selection::{Declared, Groups, NEVER, PropertyKind, Selection, selectable};
