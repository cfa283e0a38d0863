//! One mark instead of several.
//!
//! Marks are awaited one after the other; the level says which one is next. A level is kept only
//! within a component: whatever enters another one starts where that component has states already,
//! or at the level that its first edges allow to skip.

use rustc_hash::FxHashMap;

use super::prune::{join_parallel, renumber};
use super::{Automaton, Components, Edge, Marks, components};

/// At most one mark, on edges.
pub fn degeneralize(automaton: &Automaton) -> Automaton {
    if automaton.marks <= 1 {
        return automaton.clone();
    }
    levels(automaton, Place::Edges, &orders(automaton, &components(automaton)))
}

/// Where the one mark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Edges,
    States,
}

/// The same with accepting states for several orders of the marks, of which one may give a smaller
/// automaton than another.
pub(super) fn to_state_based_variants(automaton: &Automaton) -> Vec<Automaton> {
    /// All orders of this many marks, at most.
    const MOST_MARKS: u32 = 4;
    let mut all = vec![to_state_based(automaton)];
    if automaton.marks <= 1 || automaton.marks > MOST_MARKS {
        return all;
    }
    let count = components(automaton).len();
    for order in permutations(automaton.marks) {
        all.push(levels(automaton, Place::States, &vec![order; count]));
    }
    all
}

fn permutations(count: u32) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for next in 0..count {
        let mut longer = Vec::new();
        for order in &all {
            for place in 0..=order.len() {
                let mut order = order.clone();
                order.insert(place, next);
                longer.push(order);
            }
        }
        all = longer;
    }
    all
}

/// At most one mark, which all edges of a state have or none: a Büchi automaton whose states
/// accept.
pub fn to_state_based(automaton: &Automaton) -> Automaton {
    if automaton.marks == 0 || (automaton.marks == 1 && automaton.is_state_based()) {
        return automaton.clone();
    }
    if let Some(marked) = by_components(automaton) {
        return marked;
    }
    levels(automaton, Place::States, &orders(automaton, &components(automaton)))
}

/// Marks on the states of accepting components, if all of these are weak.
fn by_components(automaton: &Automaton) -> Option<Automaton> {
    let clean = super::clean_marks(automaton);
    let components = components(&clean);
    let all = clean.all_marks();
    let accepting = |state: usize| {
        let component = components.of[state];
        component != usize::MAX && components.accepts(component, all)
    };
    for (state, edges) in clean.edges.iter().enumerate().filter(|&(state, _)| accepting(state)) {
        let inside = |edge: &&Edge| components.of[edge.target] == components.of[state];
        if edges.iter().filter(inside).any(|edge| edge.marks != all) {
            return None;
        }
    }
    let marked = clean.map(|state, edge| Some(Edge { marks: u64::from(accepting(state)), ..edge }));
    Some(Automaton { marks: 1, ..marked })
}

/// The order in which the marks of each component are awaited: rare ones first, so that waiting for
/// them covers the frequent ones.
fn orders(automaton: &Automaton, components: &Components) -> Vec<Vec<u32>> {
    (0..components.len())
        .map(|component| {
            let mut count = vec![0usize; automaton.marks as usize];
            for (state, edges) in automaton.edges.iter().enumerate() {
                for edge in edges {
                    if components.of[state] == component && components.of[edge.target] == component
                    {
                        for mark in (0..automaton.marks).filter(|mark| edge.marks >> mark & 1 == 1)
                        {
                            count[mark as usize] += 1;
                        }
                    }
                }
            }
            let mut order: Vec<u32> = (0..automaton.marks).collect();
            order.sort_by_key(|&mark| count[mark as usize]);
            order
        })
        .collect()
}

/// The level behind an edge with these marks, and whether it completes a round.
fn advance(order: &[u32], level: usize, marks: Marks) -> (usize, bool) {
    let has = |level: usize| marks >> order[level] & 1 == 1;
    let mut at = level;
    while at < order.len() && has(at) {
        at += 1;
    }
    if at < order.len() {
        return (at, false);
    }
    // Round: marks beyond the completing ones count for the next one.
    let mut at = 0;
    while at < level && has(at) {
        at += 1;
    }
    (at, true)
}

fn levels(automaton: &Automaton, place_of_mark: Place, orders: &[Vec<u32>]) -> Automaton {
    let on_states = place_of_mark == Place::States;
    let components = components(automaton);
    let all = automaton.all_marks();
    let accepts = |state: usize| components.accepts(components.of[state], all);
    // A level beyond the others is that of a state that has just completed a round.
    let top = automaton.marks as usize;
    let mut place: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    let mut first_level: Vec<Option<usize>> = vec![None; automaton.len()];
    let mut states: Vec<(usize, usize)> = Vec::new();
    let enter = |state: usize,
                 states: &mut Vec<(usize, usize)>,
                 place: &mut FxHashMap<(usize, usize), usize>,
                 first: &mut Vec<Option<usize>>| {
        let level = *first[state].get_or_insert(0);
        *place.entry((state, level)).or_insert_with(|| {
            states.push((state, level));
            states.len() - 1
        })
    };
    let initial = enter(automaton.initial, &mut states, &mut place, &mut first_level);
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while edges.len() < states.len() {
        let (state, level) = states[edges.len()];
        let component = components.of[state];
        let mut list = Vec::new();
        let source_accepts = on_states && level == top;
        for edge in &automaton.edges[state] {
            if components.of[edge.target] != component || !accepts(state) {
                let target = enter(edge.target, &mut states, &mut place, &mut first_level);
                let marks = u64::from(source_accepts);
                list.push(Edge { label: edge.label, marks, target });
                continue;
            }
            let from = if level == top { 0 } else { level };
            let (next, round) = advance(&orders[component], from, edge.marks);
            let (next, marks) = match on_states {
                // A state at the top accepts; what its edges bring on top is counted from there.
                true => (if round { top } else { next }, u64::from(source_accepts)),
                false => (next, u64::from(round)),
            };
            first_level[edge.target].get_or_insert(next);
            let target = *place.entry((edge.target, next)).or_insert_with(|| {
                states.push((edge.target, next));
                states.len() - 1
            });
            list.push(Edge { label: edge.label, marks, target });
        }
        edges.push(list);
    }
    let result = Automaton {
        edges,
        initial,
        marks: 1,
        labels: automaton.labels.clone(),
        atoms: automaton.atoms.clone(),
    };
    renumber(join_parallel(result))
}
