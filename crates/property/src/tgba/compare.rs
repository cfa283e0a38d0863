//! Intersections, and questions about formulas that automata answer.

use rustc_hash::FxHashMap;

use super::{Automaton, Edge, TooLarge, best, is_empty};
use crate::ltl::{Formula, Formulas};

/// The automaton of the words that both accept. The atoms are those of the first, then those that
/// only the second has.
///
/// # Panics
/// If both together have more than 64 marks.
pub fn product(left: &Automaton, right: &Automaton) -> Automaton {
    assert!(left.marks + right.marks <= 64, "more than 64 marks");
    let mut atoms = left.atoms.clone();
    let names: Vec<u32> = right
        .atoms
        .iter()
        .map(|atom| {
            let known = atoms.iter().position(|other| other == atom);
            known.unwrap_or_else(|| {
                atoms.push(atom.clone());
                atoms.len() - 1
            }) as u32
        })
        .collect();
    let mut labels = left.labels.clone();
    let others: Vec<Vec<Edge>> = right
        .edges
        .iter()
        .map(|list| {
            let import = |edge: &Edge| labels.import(&right.labels, edge.label, &names);
            let renamed: Vec<_> = list.iter().map(import).collect();
            list.iter().zip(renamed).map(|(edge, label)| Edge { label, ..*edge }).collect()
        })
        .collect();
    let mut place: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    let mut states = vec![(left.initial, right.initial)];
    place.insert(states[0], 0);
    let mut edges = Vec::new();
    while edges.len() < states.len() {
        let (l, r) = states[edges.len()];
        let mut list = Vec::new();
        for a in &left.edges[l] {
            for b in &others[r] {
                let label = labels.and(a.label, b.label);
                if label.is_false() {
                    continue;
                }
                let pair = (a.target, b.target);
                let next = states.len();
                let target = *place.entry(pair).or_insert(next);
                if target == next {
                    states.push(pair);
                }
                // All marks of the second lie above those of the first.
                let marks = a.marks | b.marks.checked_shl(left.marks).unwrap_or(0);
                list.push(Edge { label, marks, target });
            }
        }
        edges.push(list);
    }
    Automaton { atoms, labels, marks: left.marks + right.marks, initial: 0, edges }
}

/// Whether some word satisfies a formula.
pub fn is_satisfiable(formulas: &mut Formulas, formula: Formula) -> Result<bool, TooLarge> {
    Ok(!is_empty(&best(formulas, formula)?))
}

/// Whether all words satisfy a formula.
pub fn is_valid(formulas: &mut Formulas, formula: Formula) -> Result<bool, TooLarge> {
    let not = formulas.not(formula);
    Ok(!is_satisfiable(formulas, not)?)
}

/// Whether all words that satisfy `a` satisfy `b`.
pub fn implies(formulas: &mut Formulas, a: Formula, b: Formula) -> Result<bool, TooLarge> {
    let not = formulas.not(b);
    let both = formulas.and([a, not]);
    Ok(!is_satisfiable(formulas, both)?)
}

/// Whether the same words satisfy both.
pub fn equivalent(formulas: &mut Formulas, a: Formula, b: Formula) -> Result<bool, TooLarge> {
    Ok(implies(formulas, a, b)? && implies(formulas, b, a)?)
}
