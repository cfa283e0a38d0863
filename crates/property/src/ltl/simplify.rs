//! Rewriting to smaller formulas with smaller automata.
//!
//! The rules are those of the literature (Somenzi and Bloem; Etessami and Holzmann; Babiak et al.):
//! implications that the shape shows, purely eventual and universal formulas, and operators with a
//! side in common. Every rule keeps the language; a test evaluates both sides on random words.

use rustc_hash::FxHashMap;

use super::class::Classifier;
use super::{Formula, Formulas, Node};

/// Passes at most: each makes the formula smaller, so this is never what ends it in practice.
const PASSES: usize = 20;
/// Parts of a conjunction or disjunction that are compared with each other, at most.
const MOST_COMPARED: usize = 64;

impl Formulas {
    /// A smaller equivalent formula in negation normal form.
    pub fn simplify(&mut self, formula: Formula) -> Formula {
        Simplifier::default().simplify(self, formula)
    }
}

/// What is remembered between formulas.
#[derive(Clone, Debug, Default)]
pub(crate) struct Simplifier {
    classes: Classifier,
    done: FxHashMap<Formula, Formula>,
    /// What was found, and how deep it was looked for.
    pub(super) implied: FxHashMap<(Formula, Formula), (bool, usize)>,
}

impl Simplifier {
    pub(crate) fn simplify(&mut self, formulas: &mut Formulas, formula: Formula) -> Formula {
        let mut now = formulas.normal_form(formula);
        for _ in 0..PASSES {
            let next = self.pass(formulas, now);
            if next == now {
                break;
            }
            now = next;
        }
        now
    }

    fn pass(&mut self, formulas: &mut Formulas, formula: Formula) -> Formula {
        if let Some(&known) = self.done.get(&formula) {
            return known;
        }
        let node = formulas.node(formula).clone();
        let result = match node {
            Node::And(parts) => {
                let parts = self.all(formulas, &parts);
                self.junction(formulas, parts, true)
            }
            Node::Or(parts) => {
                let parts = self.all(formulas, &parts);
                self.junction(formulas, parts, false)
            }
            Node::Next(a) => {
                let a = self.pass(formulas, a);
                self.next(formulas, a)
            }
            Node::Until(a, b) => {
                let (a, b) = (self.pass(formulas, a), self.pass(formulas, b));
                self.until(formulas, a, b)
            }
            Node::Weak(a, b) => {
                let (a, b) = (self.pass(formulas, a), self.pass(formulas, b));
                self.weak(formulas, a, b)
            }
            Node::Release(a, b) => {
                let (a, b) = (self.pass(formulas, a), self.pass(formulas, b));
                self.release(formulas, a, b)
            }
            Node::Strong(a, b) => {
                let (a, b) = (self.pass(formulas, a), self.pass(formulas, b));
                self.strong(formulas, a, b)
            }
            _ => formula,
        };
        self.done.insert(formula, result);
        result
    }

    fn all(&mut self, formulas: &mut Formulas, parts: &[Formula]) -> Vec<Formula> {
        parts.iter().map(|&part| self.pass(formulas, part)).collect()
    }

    pub(super) fn is_eventual(&mut self, formulas: &Formulas, a: Formula) -> bool {
        self.classes.of(formulas, a).eventual
    }

    pub(super) fn is_universal(&mut self, formulas: &Formulas, a: Formula) -> bool {
        self.classes.of(formulas, a).universal
    }

    /// Whether it is true everywhere or nowhere.
    fn is_constant(&mut self, formulas: &Formulas, a: Formula) -> bool {
        let classes = self.classes.of(formulas, a);
        classes.eventual && classes.universal
    }

    fn next(&mut self, formulas: &mut Formulas, a: Formula) -> Formula {
        if self.is_constant(formulas, a) { a } else { formulas.next(a) }
    }

    fn until(&mut self, formulas: &mut Formulas, a: Formula, b: Formula) -> Formula {
        if self.is_eventual(formulas, b) || self.follows(formulas, a, b) {
            return b;
        }
        if a == Formulas::TRUE {
            return self.eventually(formulas, b);
        }
        if self.excludes_not(formulas, b, a) {
            return self.eventually(formulas, b);
        }
        // X a U X b = X(a U b)
        if let (Node::Next(x), Node::Next(y)) = (formulas.node(a), formulas.node(b)) {
            let (x, y) = (*x, *y);
            let inner = formulas.until(x, y);
            return formulas.next(inner);
        }
        match *formulas.node(b) {
            // a U (c U d) = c U d where a implies c
            Node::Until(c, _) if self.follows(formulas, a, c) => return b,
            _ => {}
        }
        // a U (a && b) = b M a
        if let Some(rest) = self.without(formulas, b, a, true) {
            return self.strong(formulas, rest, a);
        }
        // (a || b) U b = a U b, also part by part
        let a = self.weaker_side(formulas, a, b);
        formulas.until(a, b)
    }

    fn eventually(&mut self, formulas: &mut Formulas, b: Formula) -> Formula {
        if self.is_eventual(formulas, b) {
            return b;
        }
        match formulas.node(b).clone() {
            // F(a U b) = F b
            Node::Until(_, c) => formulas.eventually(c),
            // F(a M b) = F(a && b)
            Node::Strong(c, d) => {
                let both = formulas.and([c, d]);
                formulas.eventually(both)
            }
            // F X a = X F a
            Node::Next(a) => {
                let inner = self.eventually(formulas, a);
                self.next(formulas, inner)
            }
            // F(a && b) = F a && b where b is constant along the word
            Node::And(parts) => {
                let (fixed, others): (Vec<Formula>, Vec<Formula>) =
                    parts.iter().partition(|&&part| self.is_constant(formulas, part));
                if fixed.is_empty() {
                    return formulas.eventually(b);
                }
                let others = formulas.and(others);
                let inner = self.eventually(formulas, others);
                formulas.and(fixed.into_iter().chain([inner]))
            }
            // F(a || F b) = F(a || b)
            Node::Or(_) | Node::Release(Formulas::FALSE, _) => {
                let parts = self.parts_in_eventually(formulas, b);
                let (fixed, others): (Vec<Formula>, Vec<Formula>) =
                    parts.iter().partition(|&&part| self.is_constant(formulas, part));
                let inner = formulas.or(others);
                let inner = formulas.eventually(inner);
                formulas.or(fixed.into_iter().chain([inner]))
            }
            _ => formulas.eventually(b),
        }
    }

    fn always(&mut self, formulas: &mut Formulas, b: Formula) -> Formula {
        if self.is_universal(formulas, b) {
            return b;
        }
        match formulas.node(b).clone() {
            // G(a R b) = G b
            Node::Release(_, c) => formulas.always(c),
            // G(a W b) = G(a || b)
            Node::Weak(c, d) => {
                let either = formulas.or([c, d]);
                formulas.always(either)
            }
            // G X a = X G a
            Node::Next(a) => {
                let inner = self.always(formulas, a);
                self.next(formulas, inner)
            }
            // G(a || b) = G a || b where b is constant along the word
            Node::Or(parts) => {
                let (fixed, others): (Vec<Formula>, Vec<Formula>) =
                    parts.iter().partition(|&&part| self.is_constant(formulas, part));
                if fixed.is_empty() {
                    return formulas.always(b);
                }
                let others = formulas.or(others);
                let inner = self.always(formulas, others);
                formulas.or(fixed.into_iter().chain([inner]))
            }
            // G(a && G b) = G(a && b)
            Node::And(_) | Node::Until(Formulas::TRUE, _) => {
                let parts = self.parts_in_always(formulas, b);
                let (fixed, others): (Vec<Formula>, Vec<Formula>) =
                    parts.iter().partition(|&&part| self.is_constant(formulas, part));
                let inner = formulas.and(others);
                let inner = formulas.always(inner);
                formulas.and(fixed.into_iter().chain([inner]))
            }
            _ => formulas.always(b),
        }
    }

    /// What a formula under `G` is the conjunction of. There, `G a` is `a`; `X a` is `a` where `a` is
    /// eventual; and `F(a && b)` is `F a && b` where `b` is eventual.
    fn parts_in_always(&mut self, formulas: &mut Formulas, formula: Formula) -> Vec<Formula> {
        let mut work = match formulas.node(formula) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![formula],
        };
        let mut done = Vec::new();
        while let Some(part) = work.pop() {
            match formulas.node(part).clone() {
                Node::Release(Formulas::FALSE, inner) => done.push(inner),
                Node::Next(inner) if self.is_eventual(formulas, inner) => work.push(inner),
                Node::Until(Formulas::TRUE, inner) => {
                    let Node::And(parts) = formulas.node(inner).clone() else {
                        done.push(part);
                        continue;
                    };
                    let (eventual, others): (Vec<Formula>, Vec<Formula>) =
                        parts.iter().partition(|&&part| self.is_eventual(formulas, part));
                    let others = formulas.and(others);
                    done.push(formulas.eventually(others));
                    work.extend(eventual);
                }
                _ => done.push(part),
            }
        }
        done
    }

    /// What a formula under `F` is the disjunction of: the same with everything turned round.
    fn parts_in_eventually(&mut self, formulas: &mut Formulas, formula: Formula) -> Vec<Formula> {
        let mut work = match formulas.node(formula) {
            Node::Or(parts) => parts.to_vec(),
            _ => vec![formula],
        };
        let mut done = Vec::new();
        while let Some(part) = work.pop() {
            match formulas.node(part).clone() {
                Node::Until(Formulas::TRUE, inner) => done.push(inner),
                Node::Next(inner) if self.is_universal(formulas, inner) => work.push(inner),
                Node::Release(Formulas::FALSE, inner) => {
                    let Node::Or(parts) = formulas.node(inner).clone() else {
                        done.push(part);
                        continue;
                    };
                    let (universal, others): (Vec<Formula>, Vec<Formula>) =
                        parts.iter().partition(|&&part| self.is_universal(formulas, part));
                    let others = formulas.or(others);
                    done.push(formulas.always(others));
                    work.extend(universal);
                }
                _ => done.push(part),
            }
        }
        done
    }

    fn release(&mut self, formulas: &mut Formulas, a: Formula, b: Formula) -> Formula {
        if self.is_universal(formulas, b) || self.follows(formulas, b, a) {
            return b;
        }
        if a == Formulas::FALSE || self.excludes(formulas, a, b) {
            return self.always(formulas, b);
        }
        if let (Node::Next(x), Node::Next(y)) = (formulas.node(a), formulas.node(b)) {
            let (x, y) = (*x, *y);
            let inner = formulas.release(x, y);
            return formulas.next(inner);
        }
        match *formulas.node(b) {
            // a R (c R d) = c R d where c implies a
            Node::Release(c, _) if self.follows(formulas, c, a) => return b,
            _ => {}
        }
        // a R (a || b) = b W a
        if let Some(rest) = self.without(formulas, b, a, false) {
            return self.weak(formulas, rest, a);
        }
        let a = self.stronger_side(formulas, a, b);
        formulas.release(a, b)
    }

    fn weak(&mut self, formulas: &mut Formulas, a: Formula, b: Formula) -> Formula {
        if self.follows(formulas, a, b) {
            return b;
        }
        if self.excludes_not(formulas, b, a) {
            return Formulas::TRUE;
        }
        if b == Formulas::FALSE {
            return self.always(formulas, a);
        }
        // a W b = G a || b where b is eventual: if it comes at all, it holds already
        if self.is_eventual(formulas, b) {
            let inner = self.always(formulas, a);
            return formulas.or([inner, b]);
        }
        if let (Node::Next(x), Node::Next(y)) = (formulas.node(a), formulas.node(b)) {
            let (x, y) = (*x, *y);
            let inner = formulas.weak(x, y);
            return formulas.next(inner);
        }
        match *formulas.node(b) {
            // a W (c W d) = c W d where a implies c
            Node::Weak(c, _) if self.follows(formulas, a, c) => return b,
            _ => {}
        }
        // a W (a && b) = b R a
        if let Some(rest) = self.without(formulas, b, a, true) {
            return self.release(formulas, rest, a);
        }
        let a = self.weaker_side(formulas, a, b);
        formulas.weak(a, b)
    }

    fn strong(&mut self, formulas: &mut Formulas, a: Formula, b: Formula) -> Formula {
        if self.follows(formulas, b, a) {
            return b;
        }
        if self.excludes(formulas, a, b) {
            return Formulas::FALSE;
        }
        if b == Formulas::TRUE {
            return self.eventually(formulas, a);
        }
        // a M b = F a && b where b is universal
        if self.is_universal(formulas, b) {
            let inner = self.eventually(formulas, a);
            return formulas.and([inner, b]);
        }
        if let (Node::Next(x), Node::Next(y)) = (formulas.node(a), formulas.node(b)) {
            let (x, y) = (*x, *y);
            let inner = formulas.strong(x, y);
            return formulas.next(inner);
        }
        // a M (a || b) = b U a
        if let Some(rest) = self.without(formulas, b, a, false) {
            return self.until(formulas, rest, a);
        }
        let a = self.stronger_side(formulas, a, b);
        formulas.strong(a, b)
    }

    /// The other parts of a conjunction (or of a disjunction) that has `part`.
    fn without(
        &self,
        formulas: &mut Formulas,
        whole: Formula,
        part: Formula,
        conjunction: bool,
    ) -> Option<Formula> {
        let parts = match (formulas.node(whole), conjunction) {
            (Node::And(parts), true) | (Node::Or(parts), false) => parts.clone(),
            _ => return None,
        };
        let removed: Vec<Formula> = match (formulas.node(part), conjunction) {
            (Node::And(inner), true) | (Node::Or(inner), false) => inner.to_vec(),
            _ => vec![part],
        };
        if !removed.iter().all(|part| parts.contains(part)) {
            return None;
        }
        let rest: Vec<Formula> =
            parts.iter().copied().filter(|part| !removed.contains(part)).collect();
        Some(if conjunction { formulas.and(rest) } else { formulas.or(rest) })
    }

    /// `a` without the parts of a disjunction that imply `b`: for `a U b` and `a W b`.
    fn weaker_side(&mut self, formulas: &mut Formulas, a: Formula, b: Formula) -> Formula {
        let Node::Or(parts) = formulas.node(a).clone() else { return a };
        let rest: Vec<Formula> =
            parts.iter().copied().filter(|&part| !self.follows(formulas, part, b)).collect();
        formulas.or(rest)
    }

    /// `a` without the parts of a conjunction that `b` implies: for `a R b` and `a M b`.
    fn stronger_side(&mut self, formulas: &mut Formulas, a: Formula, b: Formula) -> Formula {
        let Node::And(parts) = formulas.node(a).clone() else { return a };
        let rest: Vec<Formula> =
            parts.iter().copied().filter(|&part| !self.follows(formulas, b, part)).collect();
        formulas.and(rest)
    }

    /// A conjunction or disjunction of simplified parts.
    fn junction(&mut self, formulas: &mut Formulas, parts: Vec<Formula>, and: bool) -> Formula {
        let join = |formulas: &mut Formulas, parts: Vec<Formula>| {
            if and { formulas.and(parts) } else { formulas.or(parts) }
        };
        let whole = join(formulas, parts);
        let parts = match (formulas.node(whole), and) {
            (Node::And(parts), true) | (Node::Or(parts), false) => parts.to_vec(),
            _ => return whole,
        };
        if parts.len() > MOST_COMPARED {
            return whole;
        }
        // What another part implies adds nothing to a conjunction; two that exclude each other
        // are all of it.
        let mut kept: Vec<Formula> = Vec::new();
        for (index, &part) in parts.iter().enumerate() {
            let others = kept.clone().into_iter().chain(parts[index + 1..].iter().copied());
            let mut needless = false;
            for other in others {
                needless |= match and {
                    true => self.follows(formulas, other, part),
                    false => self.follows(formulas, part, other),
                };
                let contradiction = match and {
                    true => self.excludes(formulas, part, other),
                    false => self.excludes_not(formulas, part, other),
                };
                if contradiction {
                    return if and { Formulas::FALSE } else { Formulas::TRUE };
                }
            }
            if !needless {
                kept.push(part);
            }
        }
        let merged = self.merge(formulas, kept, and);
        join(formulas, merged)
    }

    /// Operators of the same kind with a side in common become one.
    fn merge(&mut self, formulas: &mut Formulas, parts: Vec<Formula>, and: bool) -> Vec<Formula> {
        let mut merged: Vec<Formula> = Vec::new();
        for part in parts {
            let mut part = part;
            let mut index = 0;
            while index < merged.len() {
                match self.pair(formulas, merged[index], part, and) {
                    Some(both) => {
                        merged.remove(index);
                        part = both;
                        index = 0;
                    }
                    None => index += 1,
                }
            }
            merged.push(part);
        }
        merged
    }

    fn pair(
        &mut self,
        formulas: &mut Formulas,
        x: Formula,
        y: Formula,
        and: bool,
    ) -> Option<Formula> {
        let join = |formulas: &mut Formulas, a, b| {
            if and { formulas.and([a, b]) } else { formulas.or([a, b]) }
        };
        Some(match (formulas.node(x).clone(), formulas.node(y).clone()) {
            (Node::Next(a), Node::Next(b)) => {
                let inner = join(formulas, a, b);
                formulas.next(inner)
            }
            // (a U b) && (c U b) = (a && c) U b;  (a U b) || (a U c) = a U (b || c)
            (Node::Until(a, b), Node::Until(c, d)) if and && b == d => {
                let side = formulas.and([a, c]);
                formulas.until(side, b)
            }
            (Node::Until(a, b), Node::Until(c, d)) if !and && a == c => {
                let side = formulas.or([b, d]);
                formulas.until(a, side)
            }
            (Node::Weak(a, b), Node::Weak(c, d)) if and && b == d => {
                let side = formulas.and([a, c]);
                formulas.weak(side, b)
            }
            (Node::Weak(a, b), Node::Weak(c, d)) if !and && a == c => {
                let side = formulas.or([b, d]);
                formulas.weak(a, side)
            }
            (Node::Release(a, b), Node::Release(c, d)) if and && a == c => {
                let side = formulas.and([b, d]);
                formulas.release(a, side)
            }
            (Node::Release(a, b), Node::Release(c, d)) if !and && b == d => {
                let side = formulas.or([a, c]);
                formulas.release(side, b)
            }
            (Node::Strong(a, b), Node::Strong(c, d)) if and && a == c => {
                let side = formulas.and([b, d]);
                formulas.strong(a, side)
            }
            (Node::Strong(a, b), Node::Strong(c, d)) if !and && b == d => {
                let side = formulas.or([a, c]);
                formulas.strong(side, b)
            }
            // (a U b) || G a = a W b;  (a W b) && F b = a U b; and the same for R and M
            (Node::Until(a, b), Node::Release(Formulas::FALSE, c))
            | (Node::Release(Formulas::FALSE, c), Node::Until(a, b))
                if !and && a == c =>
            {
                formulas.weak(a, b)
            }
            (Node::Weak(a, b), Node::Until(Formulas::TRUE, c))
            | (Node::Until(Formulas::TRUE, c), Node::Weak(a, b))
                if and && b == c =>
            {
                formulas.until(a, b)
            }
            (Node::Strong(a, b), Node::Release(Formulas::FALSE, c))
            | (Node::Release(Formulas::FALSE, c), Node::Strong(a, b))
                if !and && b == c =>
            {
                formulas.release(a, b)
            }
            (Node::Release(a, b), Node::Until(Formulas::TRUE, c))
            | (Node::Until(Formulas::TRUE, c), Node::Release(a, b))
                if and && a == c && a != Formulas::FALSE =>
            {
                formulas.strong(a, b)
            }
            // F G a && F G b = F G(a && b);  G F a || G F b = G F(a || b)
            (Node::Until(Formulas::TRUE, a), Node::Until(Formulas::TRUE, b)) if and => {
                let (a, b) = (formulas.as_always(a)?, formulas.as_always(b)?);
                let inner = formulas.and([a, b]);
                let inner = formulas.always(inner);
                formulas.eventually(inner)
            }
            (Node::Release(Formulas::FALSE, a), Node::Release(Formulas::FALSE, b)) if !and => {
                let (a, b) = (formulas.as_eventually(a)?, formulas.as_eventually(b)?);
                let inner = formulas.or([a, b]);
                let inner = formulas.eventually(inner);
                formulas.always(inner)
            }
            _ => return None,
        })
    }
}
