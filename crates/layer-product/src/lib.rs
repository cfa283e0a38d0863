//! What a temporal property sees of a system.
//!
//! A property is an automaton of the runs that violate it. It reads the state before each step, as
//! SPIN's claims do: an [`Acceptor`] answers which of its edges can be taken on a letter. [`fair`] tells
//! which processes a step is fair to, so that weak fairness is one more mark for each process.
//!
//! Properties of finite runs need no automaton of that kind: [`Watched`] is a system in step with a
//! [`Monitor`] of its steps.
//!
//! Where an automaton is weak, which most are, no marks are needed: [`Synchronous`] is system and automaton as
//! one system.
//!
//! The crate searches nothing.

mod acceptor;
mod fairness;
mod synchronous;
mod watched;

pub use acceptor::{Acceptor, Move};
pub use fairness::{MOST_PROCESSES, Unfair, fair};
pub use synchronous::{ACCEPTED, SharedLetter, Synchronous};
pub use watched::{BAD_END, BAD_STEP, Monitor, Watched};
