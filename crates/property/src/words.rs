//! Ultimately periodic words and what formulas say about them: the slow, obvious twin of the
//! automata.

use std::fmt::Write;

use everypath_model::Rng;
use rustc_hash::FxHashMap;

use crate::ltl::{Formula, Formulas, Node};

/// The word `stem cycle cycle ...`. A letter is the set of the atoms that hold in a state, a bit
/// for each.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lasso {
    /// What comes first.
    pub stem: Vec<u64>,
    /// What is repeated for ever; never empty.
    pub cycle: Vec<u64>,
}

impl Lasso {
    /// A word whose last state is repeated for ever.
    pub fn resting(mut letters: Vec<u64>) -> Lasso {
        let last = letters.pop().unwrap_or(0);
        Lasso { stem: letters, cycle: vec![last] }
    }

    /// A random word with at most these lengths.
    pub fn random(rng: &mut Rng, atoms: usize, stem: usize, cycle: usize) -> Lasso {
        let mut letters = |length: usize| {
            (0..length).map(|_| rng.next_u64() & ((1 << atoms) - 1)).collect::<Vec<u64>>()
        };
        let (stem, cycle) = {
            let all = letters(stem + cycle);
            (all[..stem].to_vec(), all[stem..].to_vec())
        };
        let stem_length = if stem.is_empty() { 0 } else { rng.below(stem.len() + 1) };
        let cycle_length = 1 + rng.below(cycle.len());
        Lasso { stem: stem[..stem_length].to_vec(), cycle: cycle[..cycle_length].to_vec() }
    }

    /// Number of different positions.
    pub fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// Never: a cycle has a letter.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The letter at a position.
    pub fn letter(&self, position: usize) -> u64 {
        match position.checked_sub(self.stem.len()) {
            None => self.stem[position],
            Some(inside) => self.cycle[inside % self.cycle.len()],
        }
    }

    /// The position behind one, among the different ones.
    pub fn next(&self, position: usize) -> usize {
        if position + 1 == self.len() { self.stem.len() } else { position + 1 }
    }

    /// The word as people read it: `a; a && b; cycle{ true; !a }` would be Spot's way; here a state
    /// is the list of what holds in it.
    pub fn show(&self, atoms: &[String]) -> String {
        let mut out = String::new();
        for &letter in &self.stem {
            let _ = write!(out, "{} ", show_letter(letter, atoms));
        }
        out.push('(');
        for (index, &letter) in self.cycle.iter().enumerate() {
            let blank = if index > 0 { " " } else { "" };
            let _ = write!(out, "{blank}{}", show_letter(letter, atoms));
        }
        out.push_str(")*");
        out
    }
}

/// `{p,q}`, or `{}` where nothing holds.
pub fn show_letter(letter: u64, atoms: &[String]) -> String {
    let names: Vec<&str> = atoms
        .iter()
        .enumerate()
        .filter(|&(index, _)| index < 64 && letter >> index & 1 == 1)
        .map(|(_, name)| name.as_str())
        .collect();
    format!("{{{}}}", names.join(","))
}

/// Whether a word satisfies a formula; the bits of its letters are the atoms of `formulas`.
pub fn satisfies(formulas: &Formulas, formula: Formula, word: &Lasso) -> bool {
    truth(formulas, formula, word)[0]
}

/// The truth of a formula at every position.
pub fn truth(formulas: &Formulas, formula: Formula, word: &Lasso) -> Vec<bool> {
    let mut known: FxHashMap<Formula, Vec<bool>> = FxHashMap::default();
    for part in formulas.subformulas(formula) {
        let at = |known: &FxHashMap<Formula, Vec<bool>>, f: Formula| known[&f].clone();
        let each = |f: &dyn Fn(usize) -> bool| (0..word.len()).map(f).collect::<Vec<bool>>();
        let values = match formulas.node(part) {
            Node::True => each(&|_| true),
            Node::False => each(&|_| false),
            Node::Atom(atom) => each(&|i| word.letter(i) >> atom.0 & 1 == 1),
            &Node::Not(a) => each(&|i| !known[&a][i]),
            Node::And(parts) => each(&|i| parts.iter().all(|part| known[part][i])),
            Node::Or(parts) => each(&|i| parts.iter().any(|part| known[part][i])),
            &Node::Xor(a, b) => each(&|i| known[&a][i] != known[&b][i]),
            &Node::Implies(a, b) => each(&|i| !known[&a][i] || known[&b][i]),
            &Node::Iff(a, b) => each(&|i| known[&a][i] == known[&b][i]),
            &Node::Next(a) => each(&|i| known[&a][word.next(i)]),
            &Node::Until(a, b) => {
                let (a, b) = (at(&known, a), at(&known, b));
                fixpoint(word, false, &|i, next| b[i] || (a[i] && next))
            }
            &Node::Weak(a, b) => {
                let (a, b) = (at(&known, a), at(&known, b));
                fixpoint(word, true, &|i, next| b[i] || (a[i] && next))
            }
            &Node::Release(a, b) => {
                let (a, b) = (at(&known, a), at(&known, b));
                fixpoint(word, true, &|i, next| b[i] && (a[i] || next))
            }
            &Node::Strong(a, b) => {
                let (a, b) = (at(&known, a), at(&known, b));
                fixpoint(word, false, &|i, next| b[i] && (a[i] || next))
            }
        };
        known.insert(part, values);
    }
    known.remove(&formula).unwrap_or_default()
}

/// The least (from `false`) or greatest (from `true`) solution of a step backwards.
fn fixpoint(word: &Lasso, from: bool, step: &dyn Fn(usize, bool) -> bool) -> Vec<bool> {
    let mut values = vec![from; word.len()];
    // Twice around is enough: once for the cycle to settle, once to bring that everywhere.
    for _ in 0..2 {
        for position in (0..word.len()).rev() {
            values[position] = step(position, values[word.next(position)]);
        }
    }
    values
}
