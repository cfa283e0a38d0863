//! The way from a formula to a small automaton.

use super::{
    Automaton, Style, TooLarge, clean_marks, minimize_weak, minimize_weak_checked, prune,
    reduce_backward, reduce_backward_on_states, reduce_forward, to_state_based, translate,
};
use crate::ltl::{Formula, Formulas};

/// Rounds of reduction, at most.
const ROUNDS: usize = 8;
/// Sets of states, at most, when a formula is made deterministic.
const MOST_SETS: usize = 256;
/// The same where it is not known to be an obligation.
const MOST_SETS_TRIED: usize = 64;

/// How much is tried for a small automaton.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// One translation, reduced.
    Low,
    /// All translations, each reduced, and determinism where it is smaller.
    #[default]
    High,
}

/// Prunes, cleans and merges until nothing changes.
pub fn reduce(automaton: &Automaton) -> Automaton {
    let mut now = clean_marks(&prune(automaton));
    for _ in 0..ROUNDS {
        let forward = reduce_forward(&now);
        let next = clean_marks(&prune(&reduce_backward(&forward)));
        if next.size() >= now.size() {
            break;
        }
        now = next;
    }
    now
}

/// The same for an automaton whose states accept, and keeps it one.
pub fn reduce_on_states(automaton: &Automaton) -> Automaton {
    let mut now = prune(automaton);
    for _ in 0..ROUNDS {
        let next = prune(&reduce_backward_on_states(&reduce_forward(&now)));
        if next.size() >= now.size() {
            break;
        }
        now = next;
    }
    now
}

/// The smallest automaton with accepting states that we find for a generalized one.
pub fn buchi(automaton: &Automaton) -> Automaton {
    reduce_on_states(&to_state_based(automaton))
}

/// The smallest automaton that we find for a formula.
pub fn best(formulas: &mut Formulas, formula: Formula) -> Result<Automaton, TooLarge> {
    with_effort(formulas, formula, Effort::High)
}

/// An automaton for a formula, quickly.
pub fn automaton(formulas: &mut Formulas, formula: Formula) -> Result<Automaton, TooLarge> {
    with_effort(formulas, formula, Effort::Low)
}

fn with_effort(
    formulas: &mut Formulas,
    formula: Formula,
    effort: Effort,
) -> Result<Automaton, TooLarge> {
    if effort == Effort::Low {
        return Ok(reduce(&translate(formulas, formula, Style::Partition)?));
    }
    let mut best: Option<Automaton> = None;
    let mut failure = None;
    let keep = |candidate: Automaton, best: &mut Option<Automaton>| {
        if best.as_ref().is_none_or(|known| candidate.size() < known.size()) {
            *best = Some(candidate);
        }
    };
    for style in Style::ALL {
        match translate(formulas, formula, style) {
            Ok(raw) => keep(reduce(&raw), &mut best),
            Err(error) => failure = Some(error),
        }
    }
    let Some(found) = best else {
        return Err(failure.unwrap_or(TooLarge { what: "states", limit: 0 }));
    };
    let weak = match formulas.classes(formula).obligation {
        true => minimize_weak(&found, MOST_SETS),
        false => {
            let not = formulas.negation(formula);
            automaton(formulas, not)
                .ok()
                .filter(|_| found.len() <= MOST_SETS_TRIED)
                .and_then(|complement| minimize_weak_checked(&found, &complement, MOST_SETS_TRIED))
        }
    };
    // A deterministic automaton of the same size is the better one.
    match weak {
        Some(weak) if weak.len() <= found.len() => Ok(weak),
        _ => Ok(found),
    }
}
