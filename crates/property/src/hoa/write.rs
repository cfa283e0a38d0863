//! Automata as HOA text.

use std::fmt::Write;

use crate::tgba::{Automaton, Labels, Strength, is_complete, is_deterministic, strength};

/// The text of an automaton with a name.
pub fn write(automaton: &Automaton, name: &str) -> String {
    let on_states = automaton.marks > 0 && automaton.is_state_based();
    let mut out = String::from("HOA: v1\n");
    if !name.is_empty() {
        let _ = writeln!(out, "name: {}", quote(name));
    }
    let _ = writeln!(out, "States: {}\nStart: {}", automaton.len(), automaton.initial);
    let _ = write!(out, "AP: {}", automaton.atoms.len());
    for atom in &automaton.atoms {
        let _ = write!(out, " {}", quote(atom));
    }
    out.push('\n');
    let (name, condition) = match automaton.marks {
        0 => ("all".to_owned(), "0 t".to_owned()),
        1 => ("Buchi".to_owned(), "1 Inf(0)".to_owned()),
        n => {
            let parts: Vec<String> = (0..n).map(|mark| format!("Inf({mark})")).collect();
            (format!("generalized-Buchi {n}"), format!("{n} {}", parts.join("&")))
        }
    };
    let _ = writeln!(out, "acc-name: {name}\nAcceptance: {condition}");
    let _ = writeln!(out, "properties: {}", properties(automaton, on_states));
    out.push_str("--BODY--\n");
    let mut labels = Labels::numbered(automaton);
    for (state, edges) in automaton.edges.iter().enumerate() {
        let _ = write!(out, "State: {state}");
        if on_states && let Some(edge) = edges.first() {
            let _ = write!(out, "{}", marks(edge.marks));
        }
        out.push('\n');
        for edge in edges {
            let label = labels.show(edge.label);
            let marks = if on_states { String::new() } else { marks(edge.marks) };
            let _ = writeln!(out, "[{label}] {}{marks}", edge.target);
        }
    }
    out.push_str("--END--\n");
    out
}

fn properties(automaton: &Automaton, on_states: bool) -> String {
    let mut all = vec!["trans-labels", "explicit-labels"];
    all.push(if on_states { "state-acc" } else { "trans-acc" });
    if is_complete(automaton) {
        all.push("complete");
    }
    if is_deterministic(automaton) {
        all.push("deterministic");
    }
    match strength(automaton) {
        Strength::Terminal => all.push("terminal"),
        Strength::Weak => all.push("weak"),
        Strength::Safety | Strength::Strong => {}
    }
    all.join(" ")
}

fn marks(marks: u64) -> String {
    if marks == 0 {
        return String::new();
    }
    let all: Vec<String> =
        (0..64).filter(|mark| marks >> mark & 1 == 1).map(|mark| mark.to_string()).collect();
    format!(" {{{}}}", all.join(" "))
}

/// A text between quotes.
fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
