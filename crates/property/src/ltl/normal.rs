//! Negation normal form.

use rustc_hash::FxHashMap;

use super::{Formula, Formulas, Node};

impl Formulas {
    /// An equivalent formula of literals, `&&`, `||`, `X`, `U`, `W`, `R` and `M`.
    pub fn normal_form(&mut self, formula: Formula) -> Formula {
        self.push_negations(formula, false, &mut FxHashMap::default())
    }

    /// The normal form of the negation.
    pub fn negation(&mut self, formula: Formula) -> Formula {
        self.push_negations(formula, true, &mut FxHashMap::default())
    }

    fn push_negations(
        &mut self,
        formula: Formula,
        negated: bool,
        done: &mut FxHashMap<(Formula, bool), Formula>,
    ) -> Formula {
        if let Some(&known) = done.get(&(formula, negated)) {
            return known;
        }
        let node = self.node(formula).clone();
        let mut go = |formulas: &mut Formulas, part, flip: bool| {
            formulas.push_negations(part, negated != flip, done)
        };
        let result = match node {
            Node::True | Node::False | Node::Atom(_) if negated => self.not(formula),
            Node::True | Node::False | Node::Atom(_) => formula,
            Node::Not(a) => go(self, a, true),
            Node::And(parts) => {
                let parts: Vec<Formula> = parts.iter().map(|&part| go(self, part, false)).collect();
                if negated { self.or(parts) } else { self.and(parts) }
            }
            Node::Or(parts) => {
                let parts: Vec<Formula> = parts.iter().map(|&part| go(self, part, false)).collect();
                if negated { self.and(parts) } else { self.or(parts) }
            }
            Node::Implies(a, b) => {
                let (a, b) = (go(self, a, true), go(self, b, false));
                if negated { self.and([a, b]) } else { self.or([a, b]) }
            }
            Node::Iff(a, b) | Node::Xor(a, b) => {
                let same = matches!(self.node(formula), Node::Iff(..)) != negated;
                // Positive and negative forms, whichever way this formula is asked for.
                let (a1, a0) = (go(self, a, negated), go(self, a, !negated));
                let (b1, b0) = (go(self, b, negated), go(self, b, !negated));
                let (left, right) = match same {
                    true => (self.and([a1, b1]), self.and([a0, b0])),
                    false => (self.and([a1, b0]), self.and([a0, b1])),
                };
                self.or([left, right])
            }
            Node::Next(a) => {
                let a = go(self, a, false);
                self.next(a)
            }
            Node::Until(a, b) => {
                let (a, b) = (go(self, a, false), go(self, b, false));
                if negated { self.release(a, b) } else { self.until(a, b) }
            }
            Node::Release(a, b) => {
                let (a, b) = (go(self, a, false), go(self, b, false));
                if negated { self.until(a, b) } else { self.release(a, b) }
            }
            Node::Weak(a, b) => {
                let (a, b) = (go(self, a, false), go(self, b, false));
                if negated { self.strong(a, b) } else { self.weak(a, b) }
            }
            Node::Strong(a, b) => {
                let (a, b) = (go(self, a, false), go(self, b, false));
                if negated { self.weak(a, b) } else { self.strong(a, b) }
            }
        };
        done.insert((formula, negated), result);
        result
    }
}
