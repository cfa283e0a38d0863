//! The words of a verdict.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is known about a property after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(into = "Fields", try_from = "Fields")]
pub enum Verdict {
    /// True, with complete evidence.
    Holds,
    /// The search was incomplete, bounded or lossy, and met no violation.
    NoViolationFound(Reason),
    /// False, with a run that shows it.
    Violated,
    /// The engine gave up, or cannot check this.
    Unknown(Reason),
    /// The input or the tool has a problem.
    Error,
}

/// The bare word of a [`Verdict`].
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub enum Word {
    /// `holds`
    #[serde(rename = "holds")]
    Holds,
    /// `no violation found`
    #[serde(rename = "no violation found")]
    NoViolationFound,
    /// `unknown`
    #[serde(rename = "unknown")]
    Unknown,
    /// `error`
    #[serde(rename = "error")]
    Error,
    /// `violated`
    #[serde(rename = "violated")]
    Violated,
}

impl Word {
    /// All words, from the best news to the worst.
    pub const ALL: [Word; 5] =
        [Word::Holds, Word::NoViolationFound, Word::Unknown, Word::Error, Word::Violated];

    /// The word as it is printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Word::Holds => "holds",
            Word::NoViolationFound => "no violation found",
            Word::Unknown => "unknown",
            Word::Error => "error",
            Word::Violated => "violated",
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Why a verdict is not definite.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The time limit.
    TimeLimit,
    /// The memory limit.
    MemoryLimit,
    /// The limit on the number of states.
    StateLimit,
    /// The limit on the depth cut off some runs.
    DepthLimit,
    /// A bound of preemptions or of switches left out some runs.
    SwitchBound,
    /// The user stopped the run.
    Interrupted,
    /// The disk failed, or is full.
    Disk,
    /// The search stopped some time after a violation.
    StoppedEarly,
    /// The store may have taken two states for one.
    LossyStore,
    /// The search took samples of all runs.
    Sampled,
    /// The model left something out, an endless atomic sequence for example.
    ModelIncomplete,
    /// A path of an abstraction violates it, and no run is known that takes this path.
    Abstraction,
    /// Checking it is not implemented.
    Unsupported,
    /// A state could not be evaluated.
    Evaluation,
}

impl Reason {
    /// Whether the user set this bound, so that `--accept bounded` may accept it.
    pub fn is_bound(self) -> bool {
        matches!(
            self,
            Reason::TimeLimit
                | Reason::MemoryLimit
                | Reason::StateLimit
                | Reason::DepthLimit
                | Reason::SwitchBound
                | Reason::LossyStore
                | Reason::Sampled
        )
    }

    /// A few words for a scope line.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::TimeLimit => "time limit",
            Reason::MemoryLimit => "memory limit",
            Reason::StateLimit => "state limit",
            Reason::DepthLimit => "depth limit",
            Reason::SwitchBound => "bound of preemptions or switches",
            Reason::Interrupted => "interrupted",
            Reason::Disk => "disk",
            Reason::StoppedEarly => "stopped after a violation",
            Reason::LossyStore => "lossy store",
            Reason::Sampled => "samples",
            Reason::ModelIncomplete => "something in the model was left out",
            Reason::Abstraction => "a violating path may be no run",
            Reason::Unsupported => "not supported",
            Reason::Evaluation => "a state could not be evaluated",
        }
    }
}

/// How far a claim reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assurance {
    /// Why something may have been left out; `None` if nothing was.
    pub incomplete: Option<Reason>,
    /// Why something may have been invented; `None` if every claimed run was replayed.
    pub imprecise: Option<Reason>,
}

impl Assurance {
    /// Nothing left out, nothing invented.
    pub const FULL: Assurance = Assurance { incomplete: None, imprecise: None };
}

impl Verdict {
    /// Weakens a claim that `assurance` does not cover.
    pub fn under(self, assurance: Assurance) -> Verdict {
        match (self, assurance) {
            (Verdict::Holds, Assurance { incomplete: Some(reason), .. }) => {
                Verdict::NoViolationFound(reason)
            }
            (Verdict::Violated, Assurance { imprecise: Some(reason), .. }) => {
                Verdict::Unknown(reason)
            }
            (claim, _) => claim,
        }
    }

    /// The bare word.
    pub fn word(self) -> Word {
        match self {
            Verdict::Holds => Word::Holds,
            Verdict::NoViolationFound(_) => Word::NoViolationFound,
            Verdict::Violated => Word::Violated,
            Verdict::Unknown(_) => Word::Unknown,
            Verdict::Error => Word::Error,
        }
    }

    /// Why it is not definite.
    pub fn reason(self) -> Option<Reason> {
        match self {
            Verdict::NoViolationFound(reason) | Verdict::Unknown(reason) => Some(reason),
            Verdict::Holds | Verdict::Violated | Verdict::Error => None,
        }
    }

    /// The verdict on all of several properties: the worst news wins, the first of equals stays.
    pub fn and(self, other: Verdict) -> Verdict {
        if other.word() > self.word() { other } else { self }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.word().fmt(f)
    }
}

/// A verdict as it stands in a document.
#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("oneOf" = [
    {
        "properties": { "verdict": { "enum": ["holds", "violated", "error"] } },
        "not": { "required": ["reason"] },
    },
    {
        "properties": { "verdict": { "enum": ["no violation found", "unknown"] } },
        "required": ["reason"],
    },
]))]
struct Fields {
    /// What is known.
    verdict: Word,
    /// Why nothing definite is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<Reason>,
}

impl From<Verdict> for Fields {
    fn from(verdict: Verdict) -> Fields {
        Fields { verdict: verdict.word(), reason: verdict.reason() }
    }
}

impl TryFrom<Fields> for Verdict {
    type Error = String;

    fn try_from(fields: Fields) -> Result<Verdict, String> {
        match (fields.verdict, fields.reason) {
            (Word::Holds, None) => Ok(Verdict::Holds),
            (Word::Violated, None) => Ok(Verdict::Violated),
            (Word::Error, None) => Ok(Verdict::Error),
            (Word::NoViolationFound, Some(reason)) => Ok(Verdict::NoViolationFound(reason)),
            (Word::Unknown, Some(reason)) => Ok(Verdict::Unknown(reason)),
            (word, None) => Err(format!("the verdict `{word}` needs a reason")),
            (word, Some(_)) => Err(format!("the verdict `{word}` has no reason")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weak_claim_never_leaves_as_a_strong_one() {
        let weak = Assurance { incomplete: Some(Reason::TimeLimit), imprecise: None };
        assert_eq!(Verdict::Holds.under(weak), Verdict::NoViolationFound(Reason::TimeLimit));
        assert_eq!(Verdict::Violated.under(weak), Verdict::Violated);
        assert_eq!(Verdict::Holds.under(Assurance::FULL), Verdict::Holds);
        let spurious = Assurance { incomplete: None, imprecise: Some(Reason::LossyStore) };
        assert_eq!(Verdict::Violated.under(spurious), Verdict::Unknown(Reason::LossyStore));
    }

    #[test]
    fn the_worst_news_wins() {
        let none = Verdict::NoViolationFound(Reason::StateLimit);
        assert_eq!(Verdict::Holds.and(none), none);
        assert_eq!(none.and(Verdict::Violated), Verdict::Violated);
        assert_eq!(Verdict::Violated.and(Verdict::Error), Verdict::Violated);
        assert_eq!(Verdict::Unknown(Reason::Unsupported).and(none).word(), Word::Unknown);
    }

    #[test]
    fn verdicts_are_read_as_they_were_written() {
        for verdict in [
            Verdict::Holds,
            Verdict::Violated,
            Verdict::Error,
            Verdict::NoViolationFound(Reason::MemoryLimit),
            Verdict::Unknown(Reason::Unsupported),
        ] {
            let text = serde_json::to_string(&verdict).unwrap();
            assert_eq!(serde_json::from_str::<Verdict>(&text).unwrap(), verdict, "{text}");
        }
        assert_eq!(
            serde_json::to_string(&Verdict::NoViolationFound(Reason::MemoryLimit)).unwrap(),
            r#"{"verdict":"no violation found","reason":"memory-limit"}"#
        );
        assert!(serde_json::from_str::<Verdict>(r#"{"verdict":"unknown"}"#).is_err());
    }
}
