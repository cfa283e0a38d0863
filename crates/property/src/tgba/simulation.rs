//! Reduction by direct simulation, forwards and backwards.
//!
//! A state simulates another if it can answer each of its letters with an edge that has at least
//! the same marks and leads to a state that simulates the other's target. States that simulate each
//! other are one state, and an edge that a better one stands beside is not needed.

use super::prune::{join_parallel, renumber};
use super::{Automaton, Edge};
use crate::bdd::{Bdd, Diagrams};

/// Beyond this many states and edges the quadratic relation is not worth it.
const MOST_STATES: usize = 400;
const MOST_EDGES: usize = 2_500;

fn is_large(automaton: &Automaton) -> bool {
    automaton.len() > MOST_STATES || automaton.edge_count() > MOST_EDGES
}

/// Merges states with the same future.
pub fn reduce_forward(automaton: &Automaton) -> Automaton {
    if is_large(automaton) {
        return automaton.clone();
    }
    let mut labels = automaton.labels.clone();
    let relation = preorder(&automaton.edges, &mut labels, &|_, _| true);
    let (edges, representative) = quotient(&automaton.edges, &mut labels, &relation);
    let initial = representative[automaton.initial];
    renumber(join_parallel(Automaton { edges, labels, initial, ..automaton.clone() }))
}

/// Merges states with the same past.
pub fn reduce_backward(automaton: &Automaton) -> Automaton {
    backward(automaton, &|_, _| true)
}

/// Merges states with the same past of an automaton whose states accept, and keeps it one.
pub fn reduce_backward_on_states(automaton: &Automaton) -> Automaton {
    backward(automaton, &|s, t| !automaton.is_accepting(s) || automaton.is_accepting(t))
}

fn backward(automaton: &Automaton, allowed: &dyn Fn(usize, usize) -> bool) -> Automaton {
    if is_large(automaton) {
        return automaton.clone();
    }
    let mut labels = automaton.labels.clone();
    let reversed = reverse(&automaton.edges);
    let initial = automaton.initial;
    let relation =
        preorder(&reversed, &mut labels, &|s, t| (s != initial || t == initial) && allowed(s, t));
    let (edges, _) = quotient(&reversed, &mut labels, &relation);
    let edges = reverse(&edges);
    // The initial state is alone in its class, so it is still there.
    renumber(join_parallel(Automaton { edges, labels, ..automaton.clone() }))
}

fn reverse(edges: &[Vec<Edge>]) -> Vec<Vec<Edge>> {
    let mut reversed = vec![Vec::new(); edges.len()];
    for (state, list) in edges.iter().enumerate() {
        for edge in list {
            reversed[edge.target].push(Edge { target: state, ..*edge });
        }
    }
    reversed
}

/// `relation[s][t]`: `t` simulates `s`.
fn preorder(
    edges: &[Vec<Edge>],
    labels: &mut Diagrams,
    allowed: &dyn Fn(usize, usize) -> bool,
) -> Vec<Vec<bool>> {
    let states = edges.len();
    let mut relation: Vec<Vec<bool>> =
        (0..states).map(|s| (0..states).map(|t| allowed(s, t)).collect()).collect();
    loop {
        let mut changed = false;
        for s in 0..states {
            for t in 0..states {
                if s != t && relation[s][t] && !answers(edges, labels, &relation, s, t) {
                    relation[s][t] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return relation;
        }
    }
}

/// Whether `t` can answer all edges of `s` within a relation.
fn answers(
    edges: &[Vec<Edge>],
    labels: &mut Diagrams,
    relation: &[Vec<bool>],
    s: usize,
    t: usize,
) -> bool {
    edges[s].iter().all(|edge| {
        let mut covered = Bdd::FALSE;
        for answer in &edges[t] {
            if edge.marks & !answer.marks == 0 && relation[edge.target][answer.target] {
                covered = labels.or(covered, answer.label);
            }
        }
        labels.implies(edge.label, covered)
    })
}

/// Classes of states that simulate each other become their first member, which keeps those of its
/// edges that no better one covers. Returns the edges and the representatives.
fn quotient(
    edges: &[Vec<Edge>],
    labels: &mut Diagrams,
    relation: &[Vec<bool>],
) -> (Vec<Vec<Edge>>, Vec<usize>) {
    let states = edges.len();
    let representative: Vec<usize> = (0..states)
        .map(|s| (0..=s).find(|&t| relation[s][t] && relation[t][s]).unwrap_or(s))
        .collect();
    let mut result = vec![Vec::new(); states];
    for state in (0..states).filter(|&state| representative[state] == state) {
        let mut moved: Vec<Edge> = edges[state]
            .iter()
            .map(|edge| Edge { target: representative[edge.target], ..*edge })
            .collect();
        moved.sort();
        moved.dedup();
        // Strictly better: representatives that simulate each other are equal.
        let better = |a: &Edge, b: &Edge| {
            a.marks & !b.marks == 0
                && relation[a.target][b.target]
                && (a.marks, a.target) != (b.marks, b.target)
        };
        for edge in &moved {
            let mut label = edge.label;
            for other in moved.iter().filter(|other| better(edge, other)) {
                label = labels.minus(label, other.label);
            }
            if !label.is_false() {
                result[state].push(Edge { label, ..*edge });
            }
        }
    }
    (result, representative)
}
