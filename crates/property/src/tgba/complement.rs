//! The complement of deterministic weak automata: the accepting components change sides.

use super::{Automaton, Edge, Strength, complete, components, is_deterministic, strength};

/// The automaton of all other words, if this one is deterministic and weak.
pub fn complement_weak(automaton: &Automaton) -> Option<Automaton> {
    if !is_deterministic(automaton) || strength(automaton) == Strength::Strong {
        return None;
    }
    let complete = complete(automaton);
    let components = components(&complete);
    let all = complete.all_marks();
    let flipped = complete.map(|state, edge| {
        let component = components.of[state];
        let accepted = component != usize::MAX && components.accepts(component, all);
        Some(Edge { marks: u64::from(!accepted), ..edge })
    });
    Some(Automaton { marks: 1, ..flipped })
}
