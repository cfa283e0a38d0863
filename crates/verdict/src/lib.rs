//! What a check concludes and how it proves it.
//!
//! [`Verdict`] has the five words that every door prints, [`Scope`] says what a verdict covers,
//! [`Exit`] turns verdicts into exit codes. [`RunResult`] and [`Trace`] are the documents
//! `everypath.result/1` and `everypath.trace/1`: everything a person reads is rendered from them, so
//! no format knows more than another. [`replay()`] is the only way to a [`Trace`]: evidence that the
//! reference semantics does not confirm never becomes one.
//!
//! The crate renders nothing, reads no clock and no file, and knows no language and no engine.

mod aba;
pub mod comparison;
mod cycle;
mod exit;
mod explain;
#[cfg(test)]
mod explain_tests;
mod hazards;
mod ids;
mod place;
mod raced;
mod replay;
mod rerun;
mod result;
mod signals;
mod slice;
mod timed;
mod trace;
mod verdict;
mod waits;
mod watch;

pub use exit::{Exit, Expectation, Policy};
pub use explain::Explanation;
pub use ids::number_ids;
pub use place::{Place, sha256_hex};
pub use replay::{Claim, Context, Evidence, Halt, ReplayFailure, WALK, replay};
pub use rerun::{Divergence, Ending, Rerun, Skipped, Strictness, rerun};
pub use result::{
    Checkpoint, Coverage, Fix, Input, Insertion, Loss, ModelInfo, Note, NoteLabel, NoteSeverity,
    ProductStats, ProgramStats, PropertyResult, RESULT_SCHEMA, RESULTS_SCHEMA, RunInfo, RunResult,
    RunStats, Sample, Scope, Statements, Stats, Stop, Tool, Unreached, Vacuity, VacuityKind,
};
pub use slice::slice;
pub use trace::{
    End, Lane, Length, Motion, Msg, Part, Role, Source, StepFault, TRACE_SCHEMA, Trace, TraceModel,
    TraceReading, TraceStep, TraceSubject, Values, apply, json_value, value_text,
};
pub use verdict::{Assurance, Reason, Verdict, Word};
pub use waits::{BlockedAt, BlockedLane, BlockedNeed, NeedProvider};
pub use watch::{EvalError, Scope as WatchScope, Watch, WatchError};
