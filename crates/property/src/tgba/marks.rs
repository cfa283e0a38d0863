//! Marks that say nothing.

use super::scc::of_graph;
use super::{Automaton, Components, Edge, Marks, all_marks, components};

/// The same language with as few marks as can be seen to be needed: none between components and in
/// rejecting ones, all in components whose cycles all accept, and none that others imply.
pub fn clean_marks(automaton: &Automaton) -> Automaton {
    let components = components(automaton);
    let all = automaton.all_marks();
    let weak: Vec<bool> = (0..components.len())
        .map(|component| {
            components.accepts(component, all) && every_cycle(automaton, &components, component)
        })
        .collect();
    let mut result = automaton.map(|state, edge| {
        let component = components.of[state];
        let marks = match components.of[edge.target] == component {
            true if component == usize::MAX => 0,
            true if weak[component] => all,
            true if components.accepts(component, all) => edge.marks,
            _ => 0,
        };
        Some(Edge { marks, ..edge })
    });
    let rejecting =
        (0..components.len()).any(|c| components.cyclic[c] && !components.accepts(c, all));
    let keep = needed(&result, &components, rejecting);
    if keep.len() < automaton.marks as usize {
        for edge in result.edges.iter_mut().flatten() {
            let marks = keep.iter().enumerate();
            edge.marks = marks.map(|(new, &old)| (edge.marks >> old & 1) << new).sum();
        }
        result.marks = keep.len() as u32;
    }
    result
}

/// Whether every cycle of an accepting component has all marks.
fn every_cycle(automaton: &Automaton, components: &Components, component: usize) -> bool {
    (0..automaton.marks).all(|mark| {
        let graph: Vec<Vec<(usize, Marks)>> = automaton
            .edges
            .iter()
            .enumerate()
            .map(|(state, edges)| {
                let inside = edges.iter().filter(|edge| {
                    components.of[state] == component
                        && components.of[edge.target] == component
                        && edge.marks >> mark & 1 == 0
                });
                inside.map(|edge| (edge.target, 0)).collect()
            })
            .collect();
        !of_graph(&graph, 0..graph.len()).cyclic.contains(&true)
    })
}

/// The marks that are neither on all edges of the accepting components nor implied by another.
fn needed(automaton: &Automaton, components: &Components, rejecting: bool) -> Vec<u32> {
    let all = all_marks(automaton.marks);
    let inside: Vec<Marks> = automaton
        .edges
        .iter()
        .enumerate()
        .flat_map(|(state, edges)| edges.iter().map(move |edge| (state, edge)))
        .filter(|(state, edge)| {
            let component = components.of[*state];
            component != usize::MAX
                && components.of[edge.target] == component
                && components.accepts(component, all)
        })
        .map(|(_, edge)| edge.marks)
        .collect();
    let mut keep: Vec<u32> =
        (0..automaton.marks).filter(|mark| inside.iter().any(|m| m >> mark & 1 == 0)).collect();
    let mut index = 0;
    while index < keep.len() {
        let mark = keep[index];
        let implied = keep.iter().any(|&other| {
            other != mark && inside.iter().all(|m| m >> other & 1 == 0 || m >> mark & 1 == 1)
        });
        if implied {
            keep.remove(index);
        } else {
            index += 1;
        }
    }
    // A cycle that is not accepted has to lack something.
    if keep.is_empty() && rejecting {
        keep.push(0);
    }
    keep
}
