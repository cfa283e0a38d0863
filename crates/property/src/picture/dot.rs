//! Automata for Graphviz.

use std::fmt::Write;

use super::{edge_text, on_states};
use crate::ltl::Spelling;
use crate::tgba::{Automaton, Labels};

/// The automaton as a DOT graph.
pub fn dot(automaton: &Automaton, title: &str) -> String {
    let on_states = on_states(automaton);
    let mut labels = Labels::new(automaton, Spelling::Any);
    let mut out = String::from("digraph automaton {\n  rankdir=LR\n  node [shape=circle]\n");
    if !title.is_empty() {
        let _ = writeln!(out, "  label={}", quote(title));
    }
    let _ = writeln!(out, "  start [shape=point, label=\"\"]\n  start -> {}", automaton.initial);
    for (state, edges) in automaton.edges.iter().enumerate() {
        let accepting = on_states && automaton.marks > 0 && automaton.is_accepting(state);
        let shape = if accepting { " [shape=doublecircle]" } else { "" };
        let _ = writeln!(out, "  {state}{shape}");
        for edge in edges {
            let label = quote(&edge_text(automaton, &mut labels, edge, on_states));
            let _ = writeln!(out, "  {state} -> {} [label={label}]", edge.target);
        }
    }
    out.push_str("}\n");
    out
}

/// A text between quotes.
fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
