//! What a model is asked besides its steps and names.

use everypath_model::{ActionInfo, Describe, Fault, Span};

/// A system with what the list of properties needs.
pub trait Subject: Describe {
    /// The places of the assertions in order, with whether each was executed.
    fn assertions(&self, taken: &dyn Fn(u32) -> bool) -> Vec<(Span, bool)>;

    /// The statements that were not executed.
    fn unreached(&self, taken: &dyn Fn(u32) -> bool) -> Vec<ActionInfo>;

    /// The invariants as the user wrote them.
    fn invariants(&self) -> Vec<String>;

    /// Which invariant a fault is about: an index into [`Subject::invariants`].
    fn invariant_of(&self, fault: Fault) -> Option<usize>;
}
