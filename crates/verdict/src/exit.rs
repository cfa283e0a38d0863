//! Exit codes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Verdict, Word};

/// How a run ends for the one who started it.
///
/// The order is the precedence 101 > 1 > 2 > 3 > 0: one bad file never hides a violation, and
/// nothing incomplete is ever 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exit {
    /// Everything as expected, and complete.
    Ok,
    /// A limit, a bound, a lossy store, an unsupported construct, an interrupt.
    Inconclusive,
    /// Usage, configuration, unreadable or ill-formed input.
    Input,
    /// A violation, or an unmet expectation.
    Violation,
    /// A defect of the tool.
    Internal,
    /// What a program returned that was run, and not checked.
    Program(u8),
}

impl Exit {
    /// All that belong to the tool, from the weakest to the strongest.
    pub const ALL: [Exit; 5] =
        [Exit::Ok, Exit::Inconclusive, Exit::Input, Exit::Violation, Exit::Internal];

    /// The number that the process returns.
    pub fn code(self) -> u8 {
        match self {
            Exit::Ok => 0,
            Exit::Violation => 1,
            Exit::Input => 2,
            Exit::Inconclusive => 3,
            Exit::Internal => 101,
            Exit::Program(status) => status,
        }
    }

    /// The exit of two runs together.
    pub fn and(self, other: Exit) -> Exit {
        self.max(other)
    }
}

/// What the user expects the verdict to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    /// Every property holds.
    Holds,
    /// Some property is violated.
    Violated,
}

impl Expectation {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Expectation::Holds => "holds",
            Expectation::Violated => "violated",
        }
    }
}

/// How verdicts become exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Policy {
    /// The expected verdict.
    pub expect: Option<Expectation>,
    /// A search that only a user's bound cut short counts as complete.
    pub accept_bounded: bool,
    /// Findings do not count; only problems of input and tool do.
    pub exit_zero: bool,
}

impl Policy {
    /// The exit that the verdicts of one run deserve, before [`Policy::exit_zero`].
    pub fn judge(&self, verdicts: impl IntoIterator<Item = Verdict>) -> Exit {
        let mut exit = Exit::Ok;
        let mut violated = false;
        for verdict in verdicts {
            violated |= verdict.word() == Word::Violated;
            exit = exit.and(self.judge_one(verdict));
        }
        match self.expect {
            // An error of the input stays one; all else is outweighed by the violation asked for.
            Some(Expectation::Violated) if violated && exit < Exit::Input => Exit::Ok,
            Some(Expectation::Violated) if !violated && exit == Exit::Ok => Exit::Violation,
            _ => exit,
        }
    }

    fn judge_one(&self, verdict: Verdict) -> Exit {
        match verdict {
            Verdict::Holds => Exit::Ok,
            Verdict::NoViolationFound(reason) if self.accept_bounded && reason.is_bound() => {
                Exit::Ok
            }
            Verdict::NoViolationFound(_) | Verdict::Unknown(_) => Exit::Inconclusive,
            Verdict::Violated if self.expect == Some(Expectation::Violated) => Exit::Ok,
            Verdict::Violated => Exit::Violation,
            Verdict::Error => Exit::Input,
        }
    }

    /// The exit after [`Policy::exit_zero`].
    pub fn apply(&self, exit: Exit) -> Exit {
        match exit {
            Exit::Violation | Exit::Inconclusive if self.exit_zero => Exit::Ok,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reason;

    const BOUNDED: Verdict = Verdict::NoViolationFound(Reason::DepthLimit);
    const INTERRUPTED: Verdict = Verdict::NoViolationFound(Reason::Interrupted);
    const UNKNOWN: Verdict = Verdict::Unknown(Reason::Unsupported);

    #[test]
    fn codes_are_fixed() {
        assert_eq!(Exit::ALL.map(Exit::code), [0, 3, 2, 1, 101]);
    }

    #[test]
    fn the_stronger_exit_wins() {
        for (i, a) in Exit::ALL.into_iter().enumerate() {
            for (j, b) in Exit::ALL.into_iter().enumerate() {
                assert_eq!(a.and(b), Exit::ALL[i.max(j)]);
            }
        }
    }

    #[test]
    fn verdicts_and_policies_give_these_codes() {
        let plain = Policy::default();
        let accept = Policy { accept_bounded: true, ..plain };
        let holds = Policy { expect: Some(Expectation::Holds), ..plain };
        let violated = Policy { expect: Some(Expectation::Violated), ..plain };
        use Verdict::{Error, Holds, Violated};
        let cases: &[(&[Verdict], [u8; 4])] = &[
            (&[], [0, 0, 0, 1]),
            (&[Holds], [0, 0, 0, 1]),
            (&[BOUNDED], [3, 0, 3, 3]),
            (&[INTERRUPTED], [3, 3, 3, 3]),
            (&[UNKNOWN], [3, 3, 3, 3]),
            (&[Violated], [1, 1, 1, 0]),
            (&[Error], [2, 2, 2, 2]),
            (&[Holds, BOUNDED], [3, 0, 3, 3]),
            (&[Holds, UNKNOWN], [3, 3, 3, 3]),
            (&[Holds, Violated], [1, 1, 1, 0]),
            (&[BOUNDED, Violated], [1, 1, 1, 0]),
            (&[UNKNOWN, Violated], [1, 1, 1, 0]),
            (&[Error, Violated], [1, 1, 1, 2]),
            (&[Error, UNKNOWN], [2, 2, 2, 2]),
        ];
        for (verdicts, expected) in cases {
            let got = [plain, accept, holds, violated]
                .map(|policy| policy.judge(verdicts.iter().copied()).code());
            assert_eq!(got, *expected, "{verdicts:?}");
        }
    }

    #[test]
    fn exit_zero_hides_findings_but_no_problems() {
        let policy = Policy { exit_zero: true, ..Policy::default() };
        assert_eq!(Exit::ALL.map(|e| policy.apply(e).code()), [0, 0, 2, 0, 101]);
    }
}
