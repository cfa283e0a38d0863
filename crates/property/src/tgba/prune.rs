//! What no accepting run goes through.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Automaton, Edge, components};
use crate::bdd::Bdd;

/// The same automaton without states that no run reaches or from which no run is accepted, its
/// states in the order of a search from the initial one, parallel edges joined.
pub fn prune(automaton: &Automaton) -> Automaton {
    let components = components(automaton);
    let all = automaton.all_marks();
    // Components are numbered from the sinks up, so those below are known.
    let mut useful: Vec<bool> =
        (0..components.len()).map(|component| components.accepts(component, all)).collect();
    let mut members = vec![Vec::new(); components.len()];
    for (state, &component) in components.of.iter().enumerate() {
        if component != usize::MAX {
            members[component].push(state);
        }
    }
    for component in 0..components.len() {
        let leads = members[component].iter().any(|&state| {
            automaton.edges[state].iter().any(|edge| useful[components.of[edge.target]])
        });
        useful[component] |= leads;
    }
    let is_useful = |state: usize| useful[components.of[state]];
    if !is_useful(automaton.initial) {
        return Automaton::nothing(automaton.atoms.clone());
    }
    let kept = automaton.map(|_, edge| {
        (components.of[edge.target] != usize::MAX && is_useful(edge.target)).then_some(edge)
    });
    renumber(join_parallel(kept))
}

/// States on no cycle are replaced by others with the same edges: what is marked before a run comes
/// to its last component does not count.
pub fn merge_transient(automaton: &Automaton) -> Automaton {
    let mut now = automaton.clone();
    loop {
        let components = components(&now);
        let mut place: FxHashMap<Vec<(usize, Bdd)>, usize> = FxHashMap::default();
        let key = |automaton: &mut Automaton, state: usize| {
            let mut targets: BTreeMap<usize, Bdd> = BTreeMap::new();
            for edge in &automaton.edges[state] {
                let label = targets.entry(edge.target).or_insert(Bdd::FALSE);
                *label = automaton.labels.or(*label, edge.label);
            }
            targets.into_iter().collect::<Vec<_>>()
        };
        let transient = |state: usize| {
            components.of[state] == usize::MAX || !components.cyclic[components.of[state]]
        };
        for state in (0..now.len()).filter(|&state| !transient(state)) {
            let key = key(&mut now, state);
            place.entry(key).or_insert(state);
        }
        let mut instead: Vec<usize> = (0..now.len()).collect();
        for state in (0..now.len()).filter(|&state| transient(state)) {
            let key = key(&mut now, state);
            instead[state] = *place.entry(key).or_insert(state);
        }
        if instead.iter().enumerate().all(|(state, &other)| state == other) {
            return now;
        }
        now.initial = instead[now.initial];
        for edge in now.edges.iter_mut().flatten() {
            edge.target = instead[edge.target];
        }
        now = renumber(join_parallel(now));
    }
}

/// One edge for all with the same target and marks.
pub(super) fn join_parallel(mut automaton: Automaton) -> Automaton {
    let Automaton { edges, labels, .. } = &mut automaton;
    for list in edges {
        list.sort_by_key(|edge| (edge.target, edge.marks));
        let mut joined: Vec<Edge> = Vec::with_capacity(list.len());
        for &edge in list.iter() {
            match joined.last_mut() {
                Some(last) if (last.target, last.marks) == (edge.target, edge.marks) => {
                    last.label = labels.or(last.label, edge.label);
                }
                _ => joined.push(edge),
            }
        }
        joined.retain(|edge| !edge.label.is_false());
        *list = joined;
    }
    automaton
}

/// The reachable states in the order in which a breadth-first search meets them.
pub(super) fn renumber(automaton: Automaton) -> Automaton {
    let mut order = vec![automaton.initial];
    let mut place = vec![usize::MAX; automaton.len()];
    place[automaton.initial] = 0;
    let mut next = 0;
    while next < order.len() {
        for edge in &automaton.edges[order[next]] {
            if place[edge.target] == usize::MAX {
                place[edge.target] = order.len();
                order.push(edge.target);
            }
        }
        next += 1;
    }
    let edges = order
        .iter()
        .map(|&state| {
            let list = &automaton.edges[state];
            let mut list: Vec<Edge> =
                list.iter().map(|&edge| Edge { target: place[edge.target], ..edge }).collect();
            list.sort_by_key(|edge| (edge.target, edge.marks));
            list
        })
        .collect();
    Automaton { edges, initial: 0, ..automaton }
}
