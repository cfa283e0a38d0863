//! Properties of sequences of events: finite automata, and quantified regular expressions, temporal formulas
//! and patterns that become finite automata.
//!
//! A property has an alphabet of events; others are invisible to it. It asks that all executions, or
//! that no execution, has a sequence of events that the automaton accepts.

use std::path::Path;

use crate::ltl::SyntaxError;

mod finite;
mod fsa;
mod minimize;
mod qre;
mod read_dot;
mod read_fsa;
mod write;

pub use finite::{of_ltl, of_ltl_over, of_pattern, of_pattern_over};
pub use fsa::{Fsa, Nfa};
pub use minimize::minimize;
pub use qre::{Qre, Regex, read_qre};
pub use read_dot::read_dot;
pub use read_fsa::read_fsa;
pub use write::{write_dot, write_fsa};

/// Reads an automaton from the text of a file: DOT, which its name may say, or our own text.
pub fn read_automaton(text: &str, path: &Path) -> Result<EventProperty, SyntaxError> {
    let named = path.extension().is_some_and(|extension| extension == "dot" || extension == "gv");
    match named || text.trim_start().starts_with("digraph") {
        true => read_dot(text),
        false => read_fsa(text),
    }
}

/// Which executions have to be accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// All of them.
    #[default]
    All,
    /// None of them.
    No,
}

/// A property of sequences of events.
#[derive(Clone, Debug)]
pub struct EventProperty {
    /// Which executions have to be accepted.
    pub mode: Mode,
    /// The automaton.
    pub fsa: Fsa,
}

impl EventProperty {
    /// Whether an execution with these events has the property. Events outside of the alphabet are
    /// not seen.
    pub fn holds<'a>(&self, events: impl IntoIterator<Item = &'a str>) -> bool {
        self.fsa.accepts(events) == (self.mode == Mode::All)
    }

    /// The automaton of what every execution must be: the complement in mode `no`.
    pub fn required(&self) -> Fsa {
        match self.mode {
            Mode::All => self.fsa.clone(),
            Mode::No => self.fsa.complement(),
        }
    }
}

/// Events of a property, at most.
pub(crate) const MOST_EVENTS: usize = 10_000;
/// States of an automaton, at most.
pub(crate) const MOST_STATES: usize = 100_000;
