//! Runs of a program of which the events were noted, to see whether a path of its graph is one.

use everypath_model::{Action, Span};

/// An event of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happened {
    /// The thread.
    pub thread: String,
    /// The event.
    pub event: String,
    /// Where.
    pub span: Option<Span>,
    /// How many steps of the run it took.
    pub steps: usize,
}

/// A run of which the events were noted.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// Its events.
    pub events: Vec<Happened>,
    /// The state that it begins with.
    pub initial: Vec<u32>,
    /// Its steps.
    pub actions: Vec<Action>,
    /// Whether the program came to its end.
    pub ended: bool,
    /// Whether something ended a thread before its time.
    pub failed: bool,
}
