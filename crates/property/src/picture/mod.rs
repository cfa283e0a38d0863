//! Automata as people see them: text, DOT and SVG.

mod dot;
mod layout;
mod svg;
mod text;

pub use dot::dot;
pub use svg::svg;
pub use text::text;

use crate::tgba::{Automaton, Edge, Labels};

/// Marks as they are drawn, `{0 1}`; nothing without any.
fn marks(automaton: &Automaton, edge: &Edge) -> String {
    let all: Vec<String> = (0..automaton.marks)
        .filter(|mark| edge.marks >> mark & 1 == 1)
        .map(|mark| mark.to_string())
        .collect();
    if all.is_empty() { String::new() } else { format!("{{{}}}", all.join(" ")) }
}

/// The label of an edge with its marks, unless states have them.
fn edge_text(automaton: &Automaton, labels: &mut Labels, edge: &Edge, on_states: bool) -> String {
    let label = labels.show(edge.label);
    let marks = if on_states { String::new() } else { marks(automaton, edge) };
    if marks.is_empty() { label } else { format!("{label} {marks}") }
}

/// Whether the marks are drawn on states.
fn on_states(automaton: &Automaton) -> bool {
    automaton.marks <= 1 && automaton.is_state_based()
}
