//! Property patterns and scopes (Dwyer, Avrunin and Corbett) in two published sets of formulas: the
//! original one, and Prospec's (Salamah, Gates, Roach and Mondragon), whose three wrong formulas are
//! corrected.
//!
//! A pattern says what must happen, a scope over which part of a run. Roles: `P` is what the pattern
//! is about, `S` (and `T` in chains) what it is related to, `Q` opens the scope, `R` closes it. The
//! part begins with the state of `Q` and ends before the state of `R`. `intervals` says the same
//! without formulas, and a test compares them.

mod composite;
mod english;
pub mod intervals;
mod suite;
mod templates;
mod text;
mod trace;

pub use composite::{Composite, CompositeKind};
pub use suite::{Case, suite};
pub use text::{PatternText, read_pattern};
pub use trace::{Trace, TraceError};

use crate::ltl::{Formula, Formulas};

/// What must happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pattern {
    /// `P` holds in no state.
    Absence,
    /// `P` holds in some state.
    Existence,
    /// There are at most this many stretches of states with `P`.
    Bounded(u8),
    /// `P` holds in every state.
    Universality,
    /// No `P` without an `S` in the same state or before.
    Precedence,
    /// No `P` without an `S` before.
    StrictPrecedence,
    /// Every `P` is followed by an `S`, perhaps in the same state.
    Response,
    /// Every `P` is followed by an `S` in a later state.
    StrictResponse,
    /// No `P` without an `S` before and a `T` after that `S`, perhaps with `P`.
    CausesPrecede,
    /// No `P` that a `T` follows later without an `S` in the same state as the first `P` or before.
    PrecedesEffects,
    /// Every `P` is followed by an `S` and later a `T`.
    EffectsRespond,
    /// Every `P` that a `T` follows later is followed by such a `T` and an `S` with it or behind.
    RespondsToCauses,
}

/// Over which part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// The whole run.
    Global,
    /// Up to the first `R`, if there is one.
    Before,
    /// From the first `Q` on, if there is one.
    After,
    /// From each `Q` to the next `R`, if it comes.
    Between,
    /// From each `Q` to the next `R`, or for ever if none comes.
    AfterUntil,
}

/// Which formulas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Set {
    /// Prospec's, corrected: `After` is about the first `Q`.
    #[default]
    Prospec,
    /// Prospec's as they were printed: three about absence are violated by a `P` in the state of
    /// `R`, which lies outside of the scope.
    ProspecPrinted,
    /// The original ones. Precedence after `Q` is satisfied if some `Q` satisfies it.
    Sps,
    /// Only the outermost `Q` opens a part, not one inside of it.
    Outermost,
}

impl Pattern {
    /// All of them; bounded existence with two stretches, as in the literature.
    pub const ALL: [Pattern; 12] = [
        Pattern::Absence,
        Pattern::Existence,
        Pattern::Bounded(2),
        Pattern::Universality,
        Pattern::Precedence,
        Pattern::StrictPrecedence,
        Pattern::Response,
        Pattern::StrictResponse,
        Pattern::CausesPrecede,
        Pattern::PrecedesEffects,
        Pattern::EffectsRespond,
        Pattern::RespondsToCauses,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Pattern::Absence => "absence",
            Pattern::Existence => "existence",
            Pattern::Bounded(_) => "bounded-existence",
            Pattern::Universality => "universality",
            Pattern::Precedence => "precedence",
            Pattern::StrictPrecedence => "strict-precedence",
            Pattern::Response => "response",
            Pattern::StrictResponse => "strict-response",
            Pattern::CausesPrecede => "precedence-chain",
            Pattern::PrecedesEffects => "precedence-of-chain",
            Pattern::EffectsRespond => "response-chain",
            Pattern::RespondsToCauses => "response-to-chain",
        }
    }

    /// The pattern of a name.
    pub fn of_name(name: &str) -> Option<Pattern> {
        Pattern::ALL.into_iter().find(|pattern| pattern.name() == name)
    }

    /// Whether there is an `S`.
    pub fn has_s(self) -> bool {
        !matches!(
            self,
            Pattern::Absence | Pattern::Existence | Pattern::Bounded(_) | Pattern::Universality
        )
    }

    /// Whether there is a `T`.
    pub fn has_t(self) -> bool {
        matches!(
            self,
            Pattern::CausesPrecede
                | Pattern::PrecedesEffects
                | Pattern::EffectsRespond
                | Pattern::RespondsToCauses
        )
    }
}

impl Scope {
    /// All of them.
    pub const ALL: [Scope; 5] =
        [Scope::Global, Scope::Before, Scope::After, Scope::Between, Scope::AfterUntil];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Global => "global",
            Scope::Before => "before",
            Scope::After => "after",
            Scope::Between => "between",
            Scope::AfterUntil => "after-until",
        }
    }

    /// The scope of a name.
    pub fn of_name(name: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|scope| scope.name() == name)
    }

    /// Whether there is a `Q`.
    pub fn has_q(self) -> bool {
        matches!(self, Scope::After | Scope::Between | Scope::AfterUntil)
    }

    /// Whether there is an `R`.
    pub fn has_r(self) -> bool {
        matches!(self, Scope::Before | Scope::Between | Scope::AfterUntil)
    }
}

impl Set {
    /// All of them.
    pub const ALL: [Set; 4] = [Set::Prospec, Set::ProspecPrinted, Set::Sps, Set::Outermost];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Set::Prospec => "prospec",
            Set::ProspecPrinted => "prospec-printed",
            Set::Sps => "sps",
            Set::Outermost => "outermost",
        }
    }
}

/// What stands for a role.
#[derive(Clone, Debug)]
pub enum Role {
    /// A formula; mostly a proposition.
    Formula(Formula),
    /// Several propositions taken together.
    Composite(Composite),
}

/// What stands for each role; those that a property does not have are not looked at.
#[derive(Clone, Debug)]
pub struct Roles {
    /// What the pattern is about.
    pub p: Role,
    /// The cause or the effect.
    pub s: Role,
    /// The second cause or effect.
    pub t: Role,
    /// What opens the scope.
    pub q: Role,
    /// What closes it.
    pub r: Role,
}

impl Roles {
    /// Every role by its letter.
    pub fn letters(formulas: &mut Formulas) -> Roles {
        let mut role = |name: &str| Role::Formula(formulas.atom(name));
        Roles { p: role("P"), s: role("S"), t: role("T"), q: role("Q"), r: role("R") }
    }
}

/// A pattern in a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Property {
    /// What must happen.
    pub pattern: Pattern,
    /// Over which part.
    pub scope: Scope,
    /// By which formulas.
    pub set: Set,
}

impl Property {
    /// The letters of the roles that it has.
    pub fn roles(self) -> Vec<char> {
        let mut roles = vec!['P'];
        roles.extend(self.pattern.has_s().then_some('S'));
        roles.extend(self.pattern.has_t().then_some('T'));
        roles.extend(self.scope.has_q().then_some('Q'));
        roles.extend(self.scope.has_r().then_some('R'));
        roles
    }

    /// The formula over the letters of the roles, as text; see [`Property::formula`].
    pub fn template(self) -> String {
        templates::template(self)
    }

    /// The formula with what stands for the roles.
    pub fn formula(self, formulas: &mut Formulas, roles: &Roles) -> Formula {
        templates::formula(self, formulas, roles)
    }

    /// What it says, in a sentence with the names of what stands for the roles.
    pub fn english(self, name: &dyn Fn(char) -> String) -> String {
        english::sentence(self, name)
    }

    /// What is easily misunderstood about it, in sentences.
    pub fn remarks(self, name: &dyn Fn(char) -> String) -> Vec<String> {
        english::remarks(self, name)
    }
}
