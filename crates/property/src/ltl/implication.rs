//! Implications that the shapes of formulas show.

use super::simplify::Simplifier;
use super::{Formula, Formulas, Node};

/// Comparisons of two formulas go this deep.
const IMPLICATION_DEPTH: usize = 12;

impl Simplifier {
    /// Whether both can be seen never to hold together.
    pub(super) fn excludes(&mut self, formulas: &mut Formulas, a: Formula, b: Formula) -> bool {
        let not_b = formulas.negation(b);
        self.follows(formulas, a, not_b)
    }

    /// Whether one of them can be seen always to hold.
    pub(super) fn excludes_not(&mut self, formulas: &mut Formulas, a: Formula, b: Formula) -> bool {
        let not_a = formulas.negation(a);
        self.follows(formulas, not_a, b)
    }

    /// Whether the shapes show that `a` implies `b`.
    pub(super) fn follows(&mut self, formulas: &Formulas, a: Formula, b: Formula) -> bool {
        self.follows_within(formulas, a, b, IMPLICATION_DEPTH)
    }

    fn follows_within(
        &mut self,
        formulas: &Formulas,
        a: Formula,
        b: Formula,
        depth: usize,
    ) -> bool {
        if a == b || a == Formulas::FALSE || b == Formulas::TRUE {
            return true;
        }
        if a == Formulas::TRUE || b == Formulas::FALSE || depth == 0 {
            return false;
        }
        match self.implied.get(&(a, b)) {
            Some(&(true, _)) => return true,
            // What was not found because of the depth may be found from elsewhere.
            Some(&(false, looked)) if looked >= depth => return false,
            _ => {}
        }
        let result = self.shows(formulas, a, b, depth - 1);
        self.implied.insert((a, b), (result, depth));
        result
    }

    fn shows(&mut self, formulas: &Formulas, a: Formula, b: Formula, depth: usize) -> bool {
        let mut go = |x, y| self.follows_within(formulas, x, y, depth);
        let (left, right) = (formulas.node(a), formulas.node(b));
        // Both sides at once.
        let together = match (left, right) {
            (Node::Or(parts), _) => return parts.iter().all(|&part| go(part, b)),
            (_, Node::And(parts)) => return parts.iter().all(|&part| go(a, part)),
            (&Node::Next(x), &Node::Next(y)) => go(x, y),
            (&Node::Until(x, y), &Node::Until(c, d) | &Node::Weak(c, d))
            | (&Node::Weak(x, y), &Node::Weak(c, d)) => go(x, c) && go(y, d),
            (&Node::Release(x, y), &Node::Release(c, d))
            | (&Node::Strong(x, y), &Node::Release(c, d) | &Node::Strong(c, d)) => {
                go(x, c) && go(y, d)
            }
            // x M y reaches a state with both, and y holds until there.
            (&Node::Strong(x, y), &Node::Until(c, d)) => go(y, c) && (go(x, d) || go(y, d)),
            (&Node::Release(x, y), &Node::Weak(c, d)) => {
                go(y, c) && (go(x, d) || x == Formulas::FALSE)
            }
            _ => false,
        };
        if together {
            return true;
        }
        let from_left = match left {
            Node::And(parts) => parts.iter().any(|&part| go(part, b)),
            &Node::Until(x, y) | &Node::Weak(x, y) => go(x, b) && go(y, b),
            &Node::Release(_, y) | &Node::Strong(_, y) => go(y, b),
            _ => false,
        };
        if from_left {
            return true;
        }
        let to_right = match right {
            Node::Or(parts) => parts.iter().any(|&part| go(a, part)),
            &Node::Until(_, d) | &Node::Weak(_, d) => go(a, d),
            &Node::Release(c, d) | &Node::Strong(c, d) => go(a, c) && go(a, d),
            _ => false,
        };
        if to_right {
            return true;
        }
        let universal = self.is_universal(formulas, a);
        let eventual = self.is_eventual(formulas, b);
        let mut go = |x, y| self.follows_within(formulas, x, y, depth);
        match (left, right) {
            // a = G a, so it holds in all states behind.
            (_, &Node::Next(y)) if universal && go(a, y) => true,
            (_, &Node::Release(_, d)) if universal && go(a, d) => true,
            (_, &Node::Weak(c, _)) if universal && go(a, c) => true,
            // b = F b, so it is enough that it comes.
            (&Node::Next(x), _) if eventual && go(x, b) => true,
            (&Node::Until(_, y), _) if eventual && go(y, b) => true,
            (&Node::Strong(x, _), _) if eventual && go(x, b) => true,
            _ => false,
        }
    }
}
