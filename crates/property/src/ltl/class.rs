//! Syntactic classes: the hierarchy of safety and progress (Manna and Pnueli), and the purely
//! eventual and purely universal formulas that rewriting uses (Etessami and Holzmann).

use rustc_hash::FxHashMap;

use super::{Formula, Formulas, Node};

/// What the shape of a formula tells about it. A class that the shape does not show may still be
/// the formula's; [`crate::tgba`] decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    /// A violation shows after finitely many states.
    pub safety: bool,
    /// Satisfaction shows after finitely many states.
    pub guarantee: bool,
    /// A Boolean combination of safety and guarantee.
    pub obligation: bool,
    /// From some state on, always.
    pub persistence: bool,
    /// Again and again.
    pub recurrence: bool,
    /// Putting states in front of a word that satisfies it keeps it satisfied: `f = F f`.
    pub eventual: bool,
    /// All rests of a word that satisfies it satisfy it: `f = G f`.
    pub universal: bool,
}

/// The smallest class of the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Both safety and guarantee: decided after a bounded number of states.
    Bounded,
    /// Safety.
    Safety,
    /// Guarantee.
    Guarantee,
    /// Obligation.
    Obligation,
    /// Recurrence.
    Recurrence,
    /// Persistence.
    Persistence,
    /// None of them.
    Reactivity,
}

impl Class {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Class::Bounded => "bounded",
            Class::Safety => "safety",
            Class::Guarantee => "guarantee",
            Class::Obligation => "obligation",
            Class::Recurrence => "recurrence",
            Class::Persistence => "persistence",
            Class::Reactivity => "reactivity",
        }
    }
}

impl Classes {
    const ALL: Classes = Classes {
        safety: true,
        guarantee: true,
        obligation: true,
        persistence: true,
        recurrence: true,
        eventual: true,
        universal: true,
    };

    const LITERAL: Classes = Classes { eventual: false, universal: false, ..Classes::ALL };

    /// The smallest class.
    pub fn class(self) -> Class {
        match self {
            _ if self.safety && self.guarantee => Class::Bounded,
            _ if self.safety => Class::Safety,
            _ if self.guarantee => Class::Guarantee,
            _ if self.obligation => Class::Obligation,
            _ if self.recurrence => Class::Recurrence,
            _ if self.persistence => Class::Persistence,
            _ => Class::Reactivity,
        }
    }

    fn both(self, other: Classes) -> Classes {
        Classes {
            safety: self.safety && other.safety,
            guarantee: self.guarantee && other.guarantee,
            obligation: self.obligation && other.obligation,
            persistence: self.persistence && other.persistence,
            recurrence: self.recurrence && other.recurrence,
            eventual: self.eventual && other.eventual,
            universal: self.universal && other.universal,
        }
    }

    /// The classes of an operator that asks for something to come: `U`, `M`.
    fn strong(a: Classes, b: Classes) -> Classes {
        Classes {
            safety: false,
            guarantee: a.guarantee && b.guarantee,
            // (Cerna and Pelanek) a until b of obligations is one if b is a guarantee.
            obligation: a.obligation && b.guarantee,
            recurrence: a.recurrence && b.guarantee,
            persistence: a.persistence && b.persistence,
            ..Classes::ALL
        }
    }

    /// The classes of an operator that does not: `W`, `R`.
    fn weak(a: Classes, b: Classes) -> Classes {
        Classes {
            safety: a.safety && b.safety,
            guarantee: false,
            obligation: a.safety && b.obligation,
            recurrence: a.recurrence && b.recurrence,
            persistence: a.safety && b.persistence,
            ..Classes::ALL
        }
    }
}

/// The classes of formulas in negation normal form, remembered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classifier {
    known: FxHashMap<Formula, Classes>,
}

impl Classifier {
    pub(crate) fn of(&mut self, formulas: &Formulas, formula: Formula) -> Classes {
        if let Some(&known) = self.known.get(&formula) {
            return known;
        }
        let classes = match formulas.node(formula) {
            Node::True | Node::False => Classes::ALL,
            Node::Atom(_) | Node::Not(_) => Classes::LITERAL,
            Node::And(parts) | Node::Or(parts) => {
                parts.iter().map(|&part| self.of(formulas, part)).fold(Classes::ALL, Classes::both)
            }
            &Node::Next(a) => self.of(formulas, a),
            &Node::Until(a, b) => {
                let (a_is, b_is) = (self.of(formulas, a), self.of(formulas, b));
                Classes {
                    // true U b is F b, whatever b is.
                    eventual: a == Formulas::TRUE || b_is.eventual,
                    universal: a_is.universal && b_is.universal,
                    ..Classes::strong(a_is, b_is)
                }
            }
            &Node::Strong(a, b) => {
                let (a_is, b_is) = (self.of(formulas, a), self.of(formulas, b));
                Classes {
                    eventual: a_is.eventual && b_is.eventual,
                    universal: a_is.universal && b_is.universal,
                    obligation: a_is.guarantee && b_is.obligation,
                    recurrence: a_is.guarantee && b_is.recurrence,
                    ..Classes::strong(b_is, a_is.both(b_is))
                }
            }
            &Node::Weak(a, b) => {
                let (a_is, b_is) = (self.of(formulas, a), self.of(formulas, b));
                Classes {
                    eventual: a_is.eventual && b_is.eventual,
                    universal: a_is.universal && b_is.universal,
                    ..Classes::weak(a_is, b_is)
                }
            }
            &Node::Release(a, b) => {
                let (a_is, b_is) = (self.of(formulas, a), self.of(formulas, b));
                Classes {
                    eventual: a_is.eventual && b_is.eventual,
                    universal: a == Formulas::FALSE || (a_is.universal && b_is.universal),
                    ..Classes::weak(b_is, a_is.both(b_is))
                }
            }
            // Only before the normal form is made, where nothing is claimed.
            Node::Xor(..) | Node::Implies(..) | Node::Iff(..) => Classes {
                safety: false,
                guarantee: false,
                obligation: false,
                persistence: false,
                recurrence: false,
                eventual: false,
                universal: false,
            },
        };
        self.known.insert(formula, classes);
        classes
    }
}

impl Formulas {
    /// What the shape of its normal form tells.
    pub fn classes(&mut self, formula: Formula) -> Classes {
        let normal = self.normal_form(formula);
        Classifier::default().of(self, normal)
    }
}
