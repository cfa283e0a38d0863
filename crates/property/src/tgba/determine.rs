//! Determinism and completeness.

use super::{Automaton, Edge};
use crate::bdd::Bdd;

/// Whether no state has two edges for the same letter.
pub fn is_deterministic(automaton: &Automaton) -> bool {
    let mut labels = automaton.labels.clone();
    automaton.edges.iter().all(|edges| {
        let mut seen = Bdd::FALSE;
        edges.iter().all(|edge| {
            let new = !labels.meets(seen, edge.label);
            seen = labels.or(seen, edge.label);
            new
        })
    })
}

/// Whether every state has an edge for every letter.
pub fn is_complete(automaton: &Automaton) -> bool {
    let mut labels = automaton.labels.clone();
    automaton.edges.iter().all(|edges| {
        let mut seen = Bdd::FALSE;
        for edge in edges {
            seen = labels.or(seen, edge.label);
        }
        seen.is_true()
    })
}

/// The same language with an edge for every letter in every state: a state that rejects is added
/// where it is needed, and a mark for it to lack if there is none.
pub fn complete(automaton: &Automaton) -> Automaton {
    let mut result = automaton.clone();
    let sink = result.len();
    let mut used = false;
    for list in &mut result.edges {
        let mut seen = Bdd::FALSE;
        for edge in list.iter() {
            seen = result.labels.or(seen, edge.label);
        }
        let missing = result.labels.not(seen);
        if !missing.is_false() {
            used = true;
            list.push(Edge { label: missing, marks: 0, target: sink });
        }
    }
    if used {
        if result.marks == 0 {
            result.marks = 1;
            for edge in result.edges.iter_mut().flatten().filter(|edge| edge.target != sink) {
                edge.marks = 1;
            }
        }
        result.edges.push(vec![Edge { label: Bdd::TRUE, marks: 0, target: sink }]);
    }
    result
}
