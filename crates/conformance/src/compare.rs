//! Our answer to a model beside SPIN's.

use everypath_testkit::spin::{Kind, SpinResult, Stage};

use crate::Ours;

/// How two answers compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The same verdict, kinds of errors and counts.
    Same,
    /// The same verdict, where counts cannot be compared: SPIN stopped early, or an error left its
    /// verifier with a corrupted state.
    SameVerdict,
    /// Both refuse it.
    BothRefuse,
    /// No answer to compare with, and why.
    Skipped(String),
    /// They disagree, and how.
    Different(String),
}

/// Compares our answer with SPIN's.
pub fn compare(ours: &Ours, spin: &SpinResult) -> Comparison {
    match (ours, spin) {
        (_, SpinResult::Timeout) => Comparison::Skipped("SPIN took too long".into()),
        (_, SpinResult::Failed { why }) => Comparison::Skipped(format!("SPIN failed: {why}")),
        (Ours::Unsupported(what), _) => Comparison::Skipped(format!("not supported: {what:?}")),
        (Ours::Rejected(_), SpinResult::Rejected { .. }) => Comparison::BothRefuse,
        (Ours::Rejected(errors), SpinResult::Accepted(_)) => {
            Comparison::Different(format!("we refuse it: {errors:?}"))
        }
        (Ours::Ran(_), SpinResult::Rejected { by: Stage::Compiler, .. }) => {
            Comparison::Skipped("SPIN's verifier does not compile".into())
        }
        (Ours::Ran(_), SpinResult::Rejected { text, .. })
            if text.contains("jump into d_step sequence")
                || text.contains("unconditional self-loop") =>
        {
            Comparison::Skipped("SPIN's translation does not take a harmless loop".into())
        }
        (Ours::Ran(ours), SpinResult::Rejected { text, .. })
            if text.contains("indexing error") && ours.kinds.contains("index") =>
        {
            // An index out of range in an initial value is noticed before the search.
            Comparison::SameVerdict
        }
        (Ours::Ran(_), SpinResult::Rejected { text, .. }) => {
            Comparison::Different(format!("SPIN refuses it: {text}"))
        }
        (Ours::Ran(ours), SpinResult::Accepted(spin)) => {
            if !ours.broken_evidence.is_empty() {
                return Comparison::Different(format!("{:?}", ours.broken_evidence));
            }
            let kinds: Vec<String> = ours.kinds.iter().cloned().collect();
            let mut theirs: Vec<String> =
                spin.kinds().iter().map(|kind| kind.word().to_string()).collect();
            theirs.sort();
            if !ours.complete {
                return Comparison::Skipped("our search is incomplete".into());
            }
            if spin.no_verdict() {
                return Comparison::Skipped("SPIN gives no verdict".into());
            }
            if (ours.errors > 0) != (spin.errors > 0) {
                return Comparison::Different(format!("we find {kinds:?}, SPIN {theirs:?}"));
            }
            // With messages that do not fit their channel SPIN goes on, we do not.
            let misfit = ["arity", "rendezvous"].iter().any(|kind| ours.kinds.contains(*kind));
            // Nor after a fault in an initial value.
            let misfit = misfit || ours.states == 0;
            if !spin.complete() || spin.kinds().contains(&Kind::Index) || misfit {
                return Comparison::SameVerdict;
            }
            let counts = (ours.states, ours.transitions, ours.errors);
            let wanted = (spin.counts.stored, spin.counts.transitions, spin.errors);
            if kinds != theirs || counts != wanted {
                return Comparison::Different(format!(
                    "states, transitions, errors {counts:?} {kinds:?}, SPIN {wanted:?} {theirs:?}"
                ));
            }
            Comparison::Same
        }
    }
}

/// Why SPIN's counts for a model cannot be trusted, if there is a known reason.
///
/// - In a `D_proctype` it takes a rendezvous send for executable although nobody receives, tests the
///   process that `enabled` asks about, and reports other choices between escapes than we do.
/// - With priorities its verifier takes the byte that holds the priority for padding when it compares
///   states, and so takes different states for the same; compiled with `-DNOCOMP` it does not.
pub fn known_defect(source: &str) -> Option<&'static str> {
    let words = ["unless", "[0] of", "enabled("];
    if source.contains("D_proctype") && words.iter().any(|word| source.contains(word)) {
        return Some("SPIN's test of a D_proctype is wrong for escapes, rendezvous and enabled()");
    }
    if source.contains("priority") {
        return Some("with priorities SPIN takes different states for the same");
    }
    None
}
