//! Finite automata as text and as DOT.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{EventProperty, Fsa, Mode};

/// The text that [`super::read_fsa`] reads. What leads to a trap is left out.
pub fn write_fsa(property: &EventProperty) -> String {
    let fsa = &property.fsa;
    let mode = match property.mode {
        Mode::All => "all executions",
        Mode::No => "no execution",
    };
    let names = names(fsa);
    let mut out = format!("{mode}\nevents {}\nstart {}\n", fsa.events.join(", "), names[fsa.start]);
    let accepting: Vec<&str> =
        (0..fsa.len()).filter(|&s| fsa.accepting[s]).map(|s| names[s].as_str()).collect();
    if !accepting.is_empty() {
        let _ = writeln!(out, "accept {}", accepting.join(", "));
    }
    let traps: Vec<bool> = (0..fsa.len()).map(|state| fsa.is_trap(state)).collect();
    for (state, name) in names.iter().enumerate() {
        for (target, events) in grouped(fsa, state).into_iter().filter(|&(to, _)| !traps[to]) {
            let _ = writeln!(out, "{name} {} -> {}", events.join(", "), names[target]);
        }
    }
    out
}

/// A graph for Graphviz, which [`super::read_dot`] reads as well.
pub fn write_dot(property: &EventProperty) -> String {
    let fsa = &property.fsa;
    let names = names(fsa);
    let mut out = String::from("digraph property {\n  rankdir=LR\n  node [shape=circle]\n");
    let _ = writeln!(out, "  \"\" [shape=point]\n  \"\" -> \"{}\"", names[fsa.start]);
    for (state, name) in names.iter().enumerate() {
        if fsa.accepting[state] {
            let _ = writeln!(out, "  \"{name}\" [shape=doublecircle]");
        }
        for (target, events) in grouped(fsa, state) {
            let label = events.join(", ");
            let _ = writeln!(out, "  \"{name}\" -> \"{}\" [label=\"{label}\"]", names[target]);
        }
    }
    out.push_str("}\n");
    out
}

/// Names that are all different, and no words of the format.
fn names(fsa: &Fsa) -> Vec<String> {
    const WORDS: [&str; 5] = ["all", "no", "events", "start", "accept"];
    let distinct = fsa.names.iter().collect::<std::collections::BTreeSet<_>>().len() == fsa.len();
    let plain = |name: &String| {
        !name.is_empty()
            && !WORDS.contains(&name.as_str())
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    match distinct && fsa.names.iter().all(plain) {
        true => fsa.names.clone(),
        false => (0..fsa.len()).map(|state| format!("s{state}")).collect(),
    }
}

/// The targets of a state with their events.
fn grouped(fsa: &Fsa, state: usize) -> BTreeMap<usize, Vec<&str>> {
    let mut all: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (event, &target) in fsa.delta[state].iter().enumerate() {
        all.entry(target).or_default().push(fsa.events[event].as_str());
    }
    all
}
