//! An automaton as lines of text.

use std::fmt::Write;

use super::{edge_text, on_states};
use crate::ltl::Spelling;
use crate::tgba::{Automaton, Labels, Strength, is_complete, is_deterministic, strength};

/// A summary, then every state with its edges.
pub fn text(automaton: &Automaton) -> String {
    let on_states = on_states(automaton);
    let mut labels = Labels::new(automaton, Spelling::Any);
    let mut out = format!("{}\n", summary(automaton));
    for (state, edges) in automaton.edges.iter().enumerate() {
        let initial = if state == automaton.initial { ", initial" } else { "" };
        let accepting = on_states && automaton.marks > 0 && automaton.is_accepting(state);
        let _ =
            writeln!(out, "state {state}{initial}{}", if accepting { ", accepting" } else { "" });
        let texts: Vec<String> =
            edges.iter().map(|edge| edge_text(automaton, &mut labels, edge, on_states)).collect();
        let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        for (edge, label) in edges.iter().zip(&texts) {
            let blanks = " ".repeat(width - label.chars().count());
            let _ = writeln!(out, "  {label}{blanks}  -> {}", edge.target);
        }
        if edges.is_empty() {
            out.push_str("  no way on\n");
        }
    }
    out
}

/// `2 states, 4 edges, 1 mark, deterministic, weak`
fn summary(automaton: &Automaton) -> String {
    let count = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let mut parts = vec![
        count(automaton.len(), "state"),
        count(automaton.edge_count(), "edge"),
        match automaton.marks {
            0 => "every infinite run accepted".to_owned(),
            n => count(n as usize, "mark"),
        },
    ];
    if is_deterministic(automaton) {
        parts.push("deterministic".to_owned());
    }
    if is_complete(automaton) {
        parts.push("complete".to_owned());
    }
    if !matches!(strength(automaton), Strength::Strong | Strength::Safety) {
        parts.push(strength(automaton).name().to_owned());
    }
    parts.join(", ")
}
