//! Minimal deterministic weak automata for obligations (Dax, Eisinger and Klaedtke; Löding).

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::witness::accepts_from;
use super::{Automaton, Edge, components, is_empty, prune};
use crate::bdd::{Bdd, Diagrams};
use crate::words::Lasso;

/// Edges of an automaton that is made deterministic, at most.
const MOST_EDGES: usize = 5_000;

/// The minimal deterministic weak automaton of the language, which has to be that of an obligation;
/// `None` if there are more than `limit` sets of states, or very many edges.
pub fn minimize_weak(automaton: &Automaton, limit: usize) -> Option<Automaton> {
    if automaton.edge_count() > MOST_EDGES {
        return None;
    }
    let subsets = Subsets::of(automaton, limit)?;
    Some(finish(automaton, subsets))
}

/// The same for any language: `None` as well if it is not an obligation, which is decided with an
/// automaton of the complement.
pub fn minimize_weak_checked(
    automaton: &Automaton,
    complement: &Automaton,
    limit: usize,
) -> Option<Automaton> {
    let candidate = minimize_weak(automaton, limit)?;
    // Deterministic and weak, so that it is the language exactly if it meets neither the complement
    // nor lets go of a word of the language.
    let missed = super::complement_weak(&candidate)?;
    let same = is_empty(&super::compare::product(&candidate, complement))
        && is_empty(&super::compare::product(&missed, automaton));
    same.then_some(candidate)
}

/// The deterministic automaton of sets of states, complete, without acceptance.
struct Subsets {
    labels: Diagrams,
    sets: Vec<Vec<usize>>,
    edges: Vec<Vec<(Bdd, usize)>>,
}

impl Subsets {
    fn of(automaton: &Automaton, limit: usize) -> Option<Subsets> {
        let mut labels = automaton.labels.clone();
        let mut place: FxHashMap<Vec<usize>, usize> = FxHashMap::default();
        let mut sets = vec![vec![automaton.initial]];
        place.insert(sets[0].clone(), 0);
        let mut edges: Vec<Vec<(Bdd, usize)>> = Vec::new();
        while edges.len() < sets.len() {
            let set = sets[edges.len()].clone();
            // Letters with the same successors, refined edge by edge.
            let mut parts: Vec<(Bdd, Vec<usize>)> = vec![(Bdd::TRUE, Vec::new())];
            for edge in set.iter().flat_map(|&state| &automaton.edges[state]) {
                let mut refined = Vec::with_capacity(parts.len() + 1);
                for (label, targets) in parts {
                    let with = labels.and(label, edge.label);
                    let without = labels.minus(label, edge.label);
                    if !with.is_false() {
                        let mut more = targets.clone();
                        more.push(edge.target);
                        refined.push((with, more));
                    }
                    if !without.is_false() {
                        refined.push((without, targets));
                    }
                }
                parts = refined;
                if parts.len() > 4 * limit {
                    return None;
                }
            }
            let mut joined: BTreeMap<Vec<usize>, Bdd> = BTreeMap::new();
            for (label, mut targets) in parts {
                targets.sort_unstable();
                targets.dedup();
                let entry = joined.entry(targets).or_insert(Bdd::FALSE);
                *entry = labels.or(*entry, label);
            }
            let mut list = Vec::with_capacity(joined.len());
            for (targets, label) in joined {
                let next = sets.len();
                let target = *place.entry(targets.clone()).or_insert(next);
                if target == next {
                    sets.push(targets);
                }
                list.push((label, target));
            }
            edges.push(list);
            if sets.len() > limit {
                return None;
            }
        }
        Some(Subsets { labels, sets, edges })
    }
}

fn finish(automaton: &Automaton, subsets: Subsets) -> Automaton {
    let Subsets { labels, sets, edges } = subsets;
    let plain = Automaton {
        atoms: automaton.atoms.clone(),
        labels,
        marks: 0,
        initial: 0,
        edges: edges
            .iter()
            .map(|list| {
                list.iter().map(|&(label, target)| Edge { label, marks: 0, target }).collect()
            })
            .collect(),
    };
    let accepting = colors(automaton, &plain, &sets);
    minimize(plain, accepting)
}

/// Which states accept: those of components with a cycle whose word the automaton accepts, and
/// transient ones as the components behind them make it best (Löding).
fn colors(automaton: &Automaton, plain: &Automaton, sets: &[Vec<usize>]) -> Vec<bool> {
    let components = components(plain);
    let mut member = vec![0; components.len()];
    for (state, &component) in components.of.iter().enumerate() {
        member[component] = state;
    }
    // Even colors accept. Components come with the sinks first.
    let most = 2 * components.len() + 2;
    let mut color = vec![most; components.len()];
    let mut below = vec![most; components.len()];
    for component in 0..components.len() {
        for (state, edges) in plain.edges.iter().enumerate() {
            if components.of[state] == component {
                for edge in edges {
                    let target = components.of[edge.target];
                    if target != component {
                        below[component] = below[component].min(color[target]);
                    }
                }
            }
        }
        color[component] = below[component];
        if components.cyclic[component] {
            let state = member[component];
            let word = cycle(plain, &components.of, state);
            let accepted = accepts_from(automaton, &sets[state], &word);
            if accepted != color[component].is_multiple_of(2) {
                color[component] -= 1;
            }
        }
    }
    components.of.iter().map(|&component| color[component].is_multiple_of(2)).collect()
}

/// The word of a shortest cycle through a state within its component.
fn cycle(plain: &Automaton, of: &[usize], state: usize) -> Lasso {
    let mut parent: Vec<Option<(usize, u64)>> = vec![None; plain.len()];
    let mut queue = std::collections::VecDeque::from([state]);
    while let Some(at) = queue.pop_front() {
        for edge in plain.edges[at].iter().filter(|edge| of[edge.target] == of[state]) {
            let letter = plain.labels.letter(edge.label).unwrap_or(0);
            if edge.target == state {
                let mut letters = vec![letter];
                let mut here = at;
                while let (true, Some((before, letter))) = (here != state, parent[here]) {
                    letters.push(letter);
                    here = before;
                }
                letters.reverse();
                return Lasso { stem: Vec::new(), cycle: letters };
            }
            if parent[edge.target].is_none() {
                parent[edge.target] = Some((at, letter));
                queue.push_back(edge.target);
            }
        }
    }
    unreachable!("a cyclic component has a cycle through each of its states")
}

/// Moore's algorithm, then the accepting components get a mark.
fn minimize(mut plain: Automaton, accepting: Vec<bool>) -> Automaton {
    let mut class: Vec<usize> = accepting.iter().map(|&accepts| usize::from(accepts)).collect();
    let mut count = 0;
    loop {
        let mut place: BTreeMap<(usize, Vec<(usize, Bdd)>), usize> = BTreeMap::new();
        let mut next = Vec::with_capacity(class.len());
        for (state, edges) in plain.edges.iter().enumerate() {
            let mut by_class: BTreeMap<usize, Bdd> = BTreeMap::new();
            for edge in edges {
                let entry = by_class.entry(class[edge.target]).or_insert(Bdd::FALSE);
                *entry = plain.labels.or(*entry, edge.label);
            }
            let key = (class[state], by_class.into_iter().collect());
            let new = place.len();
            next.push(*place.entry(key).or_insert(new));
        }
        let done = place.len() == count;
        count = place.len();
        class = next;
        if done {
            break;
        }
    }
    let mut edges = vec![Vec::new(); count];
    for (state, list) in plain.edges.iter().enumerate() {
        if edges[class[state]].is_empty() {
            edges[class[state]] = list
                .iter()
                .map(|edge| Edge {
                    target: class[edge.target],
                    marks: u64::from(accepting[state]),
                    ..*edge
                })
                .collect();
        }
    }
    let initial = class[plain.initial];
    super::clean_marks(&prune(&Automaton { edges, initial, marks: 1, ..plain }))
}
