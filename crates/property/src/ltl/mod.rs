//! Linear temporal logic without past: formulas, their spellings, simplification and classes.
//!
//! Formulas live in [`Formulas`], where equal formulas are equal numbers. `F a` is `true U a` and
//! `G a` is `false R a`; the printer writes them back.

mod atoms;
mod class;
mod english;
mod implication;
mod lex;
mod normal;
mod parse;
mod print;
pub mod random;
mod simplify;

pub(crate) use simplify::Simplifier;

use std::ops::Range;

use rustc_hash::FxHashMap;

pub use atoms::{AtomReader, Expressions, Read};
pub use class::{Class, Classes};
pub use lex::{Spelling, operator_words};
pub use parse::{SyntaxError, parse, parse_with};

/// A formula of a [`Formulas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula(u32);

/// An atomic proposition of a [`Formulas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

impl AtomId {
    /// Its place in [`Formulas::atoms`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an atomic proposition is: a text that something else gives a meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The text, the key by which two atoms are the same.
    pub text: String,
    /// Where it stood first in the text of the formula.
    pub place: Option<Range<usize>>,
}

/// The outermost operator of a formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// `true`
    True,
    /// `false`
    False,
    /// An atomic proposition.
    Atom(AtomId),
    /// `! a`
    Not(Formula),
    /// All of two or more.
    And(Box<[Formula]>),
    /// Some of two or more.
    Or(Box<[Formula]>),
    /// `a xor b`
    Xor(Formula, Formula),
    /// `a -> b`
    Implies(Formula, Formula),
    /// `a <-> b`
    Iff(Formula, Formula),
    /// `X a`: in the next state.
    Next(Formula),
    /// `a U b`: `b` comes, and `a` until then.
    Until(Formula, Formula),
    /// `a W b`: `a` until `b`, which may never come.
    Weak(Formula, Formula),
    /// `a R b`: `b` up to and including the state where `a` holds, which may never come.
    Release(Formula, Formula),
    /// `a M b`: the same, and `a` comes.
    Strong(Formula, Formula),
}

/// The formulas that are built together, each once.
#[derive(Clone, Debug)]
pub struct Formulas {
    nodes: Vec<Node>,
    ids: FxHashMap<Node, Formula>,
    atoms: Vec<Atom>,
    atom_ids: FxHashMap<String, AtomId>,
    /// Whether words may end: then `X true` is not `true`.
    finite: bool,
}

impl Default for Formulas {
    fn default() -> Formulas {
        let mut formulas = Formulas {
            nodes: Vec::new(),
            ids: FxHashMap::default(),
            atoms: Vec::new(),
            atom_ids: FxHashMap::default(),
            finite: false,
        };
        assert_eq!(formulas.intern(Node::True), Formulas::TRUE);
        assert_eq!(formulas.intern(Node::False), Formulas::FALSE);
        formulas
    }
}

impl Formulas {
    /// `true`
    pub const TRUE: Formula = Formula(0);
    /// `false`
    pub const FALSE: Formula = Formula(1);

    /// No formulas but the constants.
    pub fn new() -> Formulas {
        Formulas::default()
    }

    /// No formulas but the constants, for words that end: no temporal operator is replaced by what it is the same
    /// as on endless words only.
    pub fn finite() -> Formulas {
        Formulas { finite: true, ..Formulas::default() }
    }

    /// Number of formulas, for limits.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are only the constants.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 2
    }

    fn intern(&mut self, node: Node) -> Formula {
        if let Some(&known) = self.ids.get(&node) {
            return known;
        }
        let id = Formula(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// The outermost operator.
    pub fn node(&self, formula: Formula) -> &Node {
        &self.nodes[formula.0 as usize]
    }

    /// The atoms in the order they came.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// The atom of a text.
    pub fn atom(&mut self, text: &str) -> Formula {
        let id = self.atom_id(text, None);
        self.intern(Node::Atom(id))
    }

    fn atom_id(&mut self, text: &str, place: Option<Range<usize>>) -> AtomId {
        if let Some(&known) = self.atom_ids.get(text) {
            return known;
        }
        let id = AtomId(self.atoms.len() as u32);
        self.atoms.push(Atom { text: text.to_owned(), place });
        self.atom_ids.insert(text.to_owned(), id);
        id
    }

    /// `! a`
    pub fn not(&mut self, a: Formula) -> Formula {
        match *self.node(a) {
            Node::True => Formulas::FALSE,
            Node::False => Formulas::TRUE,
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(a)),
        }
    }

    /// All of them; conjunctions inside are opened.
    pub fn and(&mut self, parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut all = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::True => {}
                Node::False => return Formulas::FALSE,
                Node::And(inner) => all.extend_from_slice(inner),
                _ => all.push(part),
            }
        }
        match self.gather(all) {
            Gathered::Opposites => Formulas::FALSE,
            Gathered::One(part) => part,
            Gathered::None => Formulas::TRUE,
            Gathered::Several(parts) => self.intern(Node::And(parts)),
        }
    }

    /// Some of them; disjunctions inside are opened.
    pub fn or(&mut self, parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut all = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::False => {}
                Node::True => return Formulas::TRUE,
                Node::Or(inner) => all.extend_from_slice(inner),
                _ => all.push(part),
            }
        }
        match self.gather(all) {
            Gathered::Opposites => Formulas::TRUE,
            Gathered::One(part) => part,
            Gathered::None => Formulas::FALSE,
            Gathered::Several(parts) => self.intern(Node::Or(parts)),
        }
    }

    /// Each once, in order.
    fn gather(&self, mut parts: Vec<Formula>) -> Gathered {
        parts.sort_unstable();
        parts.dedup();
        for &part in &parts {
            if let Node::Not(inner) = self.node(part)
                && parts.binary_search(inner).is_ok()
            {
                return Gathered::Opposites;
            }
        }
        match parts[..] {
            [] => Gathered::None,
            [one] => Gathered::One(one),
            _ => Gathered::Several(parts.into()),
        }
    }

    /// `a -> b`
    pub fn implies(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            (Formulas::TRUE, _) => b,
            (Formulas::FALSE, _) | (_, Formulas::TRUE) => Formulas::TRUE,
            (_, Formulas::FALSE) => self.not(a),
            _ if a == b => Formulas::TRUE,
            _ => self.intern(Node::Implies(a, b)),
        }
    }

    /// `a <-> b`
    pub fn iff(&mut self, a: Formula, b: Formula) -> Formula {
        match (a.min(b), a.max(b)) {
            (Formulas::TRUE, other) => other,
            (Formulas::FALSE, other) => self.not(other),
            (a, b) if a == b => Formulas::TRUE,
            (a, b) => self.intern(Node::Iff(a, b)),
        }
    }

    /// `a xor b`
    pub fn xor(&mut self, a: Formula, b: Formula) -> Formula {
        match (a.min(b), a.max(b)) {
            (Formulas::TRUE, other) => self.not(other),
            (Formulas::FALSE, other) => other,
            (a, b) if a == b => Formulas::FALSE,
            (a, b) => self.intern(Node::Xor(a, b)),
        }
    }

    /// `X a`
    pub fn next(&mut self, a: Formula) -> Formula {
        if a <= Formulas::FALSE && !self.finite { a } else { self.intern(Node::Next(a)) }
    }

    /// `F a`
    pub fn eventually(&mut self, a: Formula) -> Formula {
        self.until(Formulas::TRUE, a)
    }

    /// `G a`
    pub fn always(&mut self, a: Formula) -> Formula {
        self.release(Formulas::FALSE, a)
    }

    /// `a U b`
    pub fn until(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            _ if self.finite => self.intern(Node::Until(a, b)),
            (_, Formulas::TRUE | Formulas::FALSE) | (Formulas::FALSE, _) => b,
            _ if a == b => b,
            (Formulas::TRUE, _) if self.as_eventually(b).is_some() => b,
            _ => self.intern(Node::Until(a, b)),
        }
    }

    /// `a R b`
    pub fn release(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            _ if self.finite => self.intern(Node::Release(a, b)),
            (_, Formulas::TRUE | Formulas::FALSE) | (Formulas::TRUE, _) => b,
            _ if a == b => b,
            (Formulas::FALSE, _) if self.as_always(b).is_some() => b,
            _ => self.intern(Node::Release(a, b)),
        }
    }

    /// `a W b`
    pub fn weak(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            _ if self.finite => self.intern(Node::Weak(a, b)),
            (Formulas::TRUE, _) | (_, Formulas::TRUE) => Formulas::TRUE,
            (Formulas::FALSE, _) => b,
            (_, Formulas::FALSE) => self.always(a),
            _ if a == b => b,
            _ => self.intern(Node::Weak(a, b)),
        }
    }

    /// `a M b`
    pub fn strong(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            _ if self.finite => self.intern(Node::Strong(a, b)),
            (Formulas::FALSE, _) | (_, Formulas::FALSE) => Formulas::FALSE,
            (Formulas::TRUE, _) => b,
            (_, Formulas::TRUE) => self.eventually(a),
            _ if a == b => b,
            _ => self.intern(Node::Strong(a, b)),
        }
    }

    /// `b` of `F b`.
    pub fn as_eventually(&self, formula: Formula) -> Option<Formula> {
        match *self.node(formula) {
            Node::Until(Formulas::TRUE, b) => Some(b),
            _ => None,
        }
    }

    /// `b` of `G b`.
    pub fn as_always(&self, formula: Formula) -> Option<Formula> {
        match *self.node(formula) {
            Node::Release(Formulas::FALSE, b) => Some(b),
            _ => None,
        }
    }

    /// The formulas directly below one.
    pub fn children(&self, formula: Formula) -> Vec<Formula> {
        match self.node(formula) {
            Node::True | Node::False | Node::Atom(_) => Vec::new(),
            &Node::Not(a) | &Node::Next(a) => vec![a],
            Node::And(parts) | Node::Or(parts) => parts.to_vec(),
            &Node::Xor(a, b)
            | &Node::Implies(a, b)
            | &Node::Iff(a, b)
            | &Node::Until(a, b)
            | &Node::Weak(a, b)
            | &Node::Release(a, b)
            | &Node::Strong(a, b) => vec![a, b],
        }
    }

    /// A formula and all below it, each once, those below first.
    pub fn subformulas(&self, formula: Formula) -> Vec<Formula> {
        let mut order = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![(formula, false)];
        while let Some((next, done)) = work.pop() {
            if done {
                order.push(next);
            } else if seen.insert(next) {
                work.push((next, true));
                work.extend(self.children(next).into_iter().map(|child| (child, false)));
            }
        }
        order
    }

    /// The atoms of a formula, in their order.
    pub fn atoms_of(&self, formula: Formula) -> Vec<AtomId> {
        let mut atoms: Vec<AtomId> = self
            .subformulas(formula)
            .into_iter()
            .filter_map(|part| match *self.node(part) {
                Node::Atom(atom) => Some(atom),
                _ => None,
            })
            .collect();
        atoms.sort_unstable();
        atoms
    }

    /// Whether it has no temporal operator.
    pub fn is_boolean(&self, formula: Formula) -> bool {
        self.subformulas(formula).into_iter().all(|part| {
            !matches!(
                self.node(part),
                Node::Next(_)
                    | Node::Until(..)
                    | Node::Weak(..)
                    | Node::Release(..)
                    | Node::Strong(..)
            )
        })
    }

    /// Whether it has no operator that asks for something to come, in negation normal form.
    pub(crate) fn promises_nothing(&self, formula: Formula) -> bool {
        self.subformulas(formula)
            .into_iter()
            .all(|part| !matches!(self.node(part), Node::Until(..) | Node::Strong(..)))
    }

    /// Whether it has no `X`, so that repeating a state changes nothing.
    pub fn is_next_free(&self, formula: Formula) -> bool {
        self.subformulas(formula).into_iter().all(|part| !matches!(self.node(part), Node::Next(_)))
    }
}

/// What [`Formulas::gather`] makes of parts.
enum Gathered {
    None,
    One(Formula),
    Several(Box<[Formula]>),
    Opposites,
}
