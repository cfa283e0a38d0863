//! What a model is asked besides its steps and names.

use everypath_engine_explicit::{Observer, Options, Outcome, search};
use everypath_model::{ActionInfo, Describe, Fault, Span};

use crate::args::ExecArg;

/// A system with what the list of properties needs.
pub trait Subject: Describe + Sized {
    /// Searches it, with statements executed in some way if there are several. What was found is
    /// told and replayed by the system itself.
    fn search(&self, exec: ExecArg, options: &Options<'_>, observer: &mut dyn Observer) -> Outcome {
        let _ = exec;
        search(self, options, observer)
    }

    /// The places of the assertions in order, with whether each was executed.
    fn assertions(&self, taken: &dyn Fn(u32) -> bool) -> Vec<(Span, bool)>;

    /// The statements that were not executed.
    fn unreached(&self, taken: &dyn Fn(u32) -> bool) -> Vec<ActionInfo>;

    /// The invariants as the user wrote them.
    fn invariants(&self) -> Vec<String>;

    /// Which invariant a fault is about: an index into [`Subject::invariants`].
    fn invariant_of(&self, fault: Fault) -> Option<usize>;
}
