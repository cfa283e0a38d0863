//! Automata as never claims.

use std::fmt::Write;

use crate::ltl::Spelling;
use crate::tgba::{Automaton, Labels};

/// The claim of an automaton whose states accept, with a comment.
///
/// # Panics
/// If the automaton has more than one mark, or marks on single edges.
pub fn write(automaton: &Automaton, comment: &str) -> String {
    assert!(automaton.marks <= 1 && automaton.is_state_based(), "states have to accept");
    let mut out = String::from("never {");
    if !comment.is_empty() {
        // What would end the comment is taken apart.
        let _ = write!(out, " /* {} */", comment.replace("*/", "* /"));
    }
    out.push('\n');
    // A state that accepts everything is the end of the claim, so it stands last.
    let end = (0..automaton.len())
        .rev()
        .find(|&state| state != automaton.initial && is_all(automaton, state));
    let names: Vec<String> = (0..automaton.len())
        .map(|state| match Some(state) == end {
            true => "accept_all".to_owned(),
            false => name(automaton, state),
        })
        .collect();
    let mut labels = Labels::new(automaton, Spelling::Spin);
    // SPIN begins with what stands first.
    let first = [automaton.initial].into_iter();
    let others =
        (0..automaton.len()).filter(|&state| state != automaton.initial && Some(state) != end);
    for state in first.chain(others) {
        let _ = writeln!(out, "{}:", names[state]);
        if automaton.edges[state].is_empty() {
            out.push_str("\tfalse;\n");
            continue;
        }
        out.push_str("\tdo\n");
        for edge in &automaton.edges[state] {
            let label = labels.show(edge.label);
            let _ = writeln!(out, "\t:: ({label}) -> goto {}", names[edge.target]);
        }
        out.push_str("\tod;\n");
    }
    if end.is_some() {
        out.push_str("accept_all:\n\tskip\n");
    }
    out.push_str("}\n");
    out
}

/// Whether a state accepts whatever comes.
fn is_all(automaton: &Automaton, state: usize) -> bool {
    automaton.is_accepting(state)
        && matches!(automaton.edges[state][..], [edge] if edge.label.is_true() && edge.target == state)
}

fn name(automaton: &Automaton, state: usize) -> String {
    let prefix = if automaton.is_accepting(state) { "accept" } else { "T0" };
    match state == automaton.initial {
        true => format!("{prefix}_init"),
        false => format!("{prefix}_S{state}"),
    }
}
