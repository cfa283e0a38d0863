//! Composite propositions: several conditions or events taken as one.

use crate::ltl::{Formula, Formulas};

/// How the parts belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompositeKind {
    /// One of them is enough.
    AtLeastOne,
    /// All in the same state.
    Parallel,
    /// One after the other in consecutive states.
    Consecutive,
    /// One after the other, with other states between.
    Eventual,
}

/// Conditions (`C`), which hold in states, or events (`E`), which begin to hold after none of them
/// held.
#[derive(Clone, Debug)]
pub struct Composite {
    /// How the parts belong together.
    pub kind: CompositeKind,
    /// Whether they are events.
    pub events: bool,
    /// The parts; at least one.
    pub parts: Vec<Formula>,
}

impl Composite {
    /// The composite of a name such as `atLeastOneC` or `eventualE`.
    pub fn of_name(name: &str, parts: Vec<Formula>) -> Option<Composite> {
        let (kind, letter) = name.split_at_checked(name.len().checked_sub(1)?)?;
        let kind = match kind {
            "atLeastOne" => CompositeKind::AtLeastOne,
            "parallel" => CompositeKind::Parallel,
            "consecutive" => CompositeKind::Consecutive,
            "eventual" => CompositeKind::Eventual,
            _ => return None,
        };
        let events = match letter {
            "C" => false,
            "E" => true,
            _ => return None,
        };
        (!parts.is_empty()).then_some(Composite { kind, events, parts })
    }

    /// The name and the texts of the parts of something written like a composite, as in
    /// `eventualC(a, b)`.
    pub fn split(text: &str) -> Option<(&str, Vec<&str>)> {
        let (name, rest) = text.trim().split_once('(')?;
        let inside = rest.strip_suffix(')')?;
        Composite::of_name(name, vec![Formulas::TRUE])?;
        let mut parts = Vec::new();
        let (mut depth, mut from) = (0i32, 0);
        for (at, c) in inside.char_indices() {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                ',' if depth == 0 => {
                    parts.push(inside[from..at].trim());
                    from = at + 1;
                }
                _ => {}
            }
        }
        parts.push(inside[from..].trim());
        Some((name, parts))
    }

    /// Holds where the composite begins.
    pub fn formula(&self, formulas: &mut Formulas) -> Formula {
        self.with_last(formulas, Formulas::TRUE)
    }

    /// Holds where the composite begins if it is complete before `close` holds.
    pub fn before(&self, formulas: &mut Formulas, close: Formula) -> Formula {
        let open = formulas.not(close);
        self.all_in(formulas, open, Formulas::TRUE)
    }

    /// Holds where the composite begins if `last` holds in the state where it is complete.
    pub fn with_last(&self, formulas: &mut Formulas, last: Formula) -> Formula {
        self.all_in(formulas, Formulas::TRUE, last)
    }

    /// Holds where the composite begins if `open` holds in all its states, and `last` in the last one.
    fn all_in(&self, formulas: &mut Formulas, open: Formula, last: Formula) -> Formula {
        let last = formulas.and([open, last]);
        let happens = match self.kind {
            CompositeKind::AtLeastOne => {
                let any = formulas.or(self.parts.iter().copied());
                formulas.and([any, last])
            }
            CompositeKind::Parallel => {
                let all = formulas.and(self.parts.iter().copied());
                formulas.and([all, last])
            }
            CompositeKind::Consecutive | CompositeKind::Eventual => {
                self.sequence(formulas, 0, (open, last))
            }
        };
        if !self.events {
            return happens;
        }
        let none = self.none_from(formulas, 0, open);
        let until = formulas.until(none, happens);
        formulas.and([none, until])
    }

    /// The parts from one on, one after the other.
    fn sequence(
        &self,
        formulas: &mut Formulas,
        from: usize,
        (open, last): (Formula, Formula),
    ) -> Formula {
        let part = formulas.and([self.parts[from], open]);
        // Of events, the later ones must not have come.
        let alone = match self.events {
            true => {
                let later = self.none_from(formulas, from + 1, open);
                formulas.and([part, later])
            }
            false => part,
        };
        if from + 1 == self.parts.len() {
            return formulas.and([alone, last]);
        }
        let rest = self.sequence(formulas, from + 1, (open, last));
        let then = match (self.kind, self.events) {
            (CompositeKind::Consecutive, _) => formulas.next(rest),
            (_, true) => {
                let waiting = self.none_from(formulas, from + 1, open);
                formulas.until(waiting, rest)
            }
            (_, false) => {
                let waiting = formulas.not(self.parts[from + 1]);
                let waiting = formulas.and([waiting, open]);
                let until = formulas.until(waiting, rest);
                formulas.next(until)
            }
        };
        formulas.and([alone, then])
    }

    /// None of the parts from one on holds, but `open` does.
    fn none_from(&self, formulas: &mut Formulas, from: usize, open: Formula) -> Formula {
        let mut none: Vec<Formula> =
            self.parts[from..].iter().map(|&part| formulas.not(part)).collect();
        none.push(open);
        formulas.and(none)
    }
}
