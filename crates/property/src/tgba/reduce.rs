//! The way from a formula to a small automaton.

use super::degeneralize::to_state_based_variants;
use super::{
    Automaton, Limits, Style, TooLarge, clean_marks, merge_transient, minimize_weak,
    minimize_weak_checked, prune, reduce_backward, reduce_backward_on_states, reduce_forward,
    translate, translate_within,
};
use crate::ltl::{Formula, Formulas};

/// Rounds of reduction, at most.
const ROUNDS: usize = 8;
/// Sets of states, at most, when a formula is made deterministic.
const MOST_SETS: usize = 256;
/// The same where it is not known to be an obligation.
const MOST_SETS_TRIED: usize = 64;

/// What is to be small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// The automaton with any number of marks on its edges.
    #[default]
    Generalized,
    /// The automaton whose states accept, which is what comes back.
    States,
}

/// Prunes, cleans and merges until nothing changes.
pub fn reduce(automaton: &Automaton) -> Automaton {
    let mut now = clean_marks(&prune(automaton));
    for _ in 0..ROUNDS {
        let forward = merge_transient(&reduce_forward(&now));
        let next = clean_marks(&prune(&reduce_backward(&forward)));
        // Of two of the same size the later one has labels that overlap less.
        let smaller = next.size() < now.size();
        if next.size() <= now.size() {
            now = next;
        }
        if !smaller {
            break;
        }
    }
    now
}

/// The same for an automaton whose states accept, and keeps it one.
pub fn reduce_on_states(automaton: &Automaton) -> Automaton {
    let mut now = prune(automaton);
    for _ in 0..ROUNDS {
        let forward = merge_transient(&reduce_forward(&now));
        let next = prune(&reduce_backward_on_states(&forward));
        // Of two of the same size the later one has labels that overlap less.
        let smaller = next.size() < now.size();
        if next.size() <= now.size() {
            now = next;
        }
        if !smaller {
            break;
        }
    }
    now
}

/// The smallest automaton with accepting states that we find for a generalized one.
pub fn buchi(automaton: &Automaton) -> Automaton {
    let variants = to_state_based_variants(automaton);
    let reduced = variants.iter().map(reduce_on_states);
    reduced.min_by_key(Automaton::size).unwrap_or_else(|| automaton.clone())
}

/// The smallest generalized automaton that we find for a formula.
pub fn best(formulas: &mut Formulas, formula: Formula) -> Result<Automaton, TooLarge> {
    best_for(formulas, formula, Goal::Generalized)
}

/// An automaton for a formula, quickly.
pub fn automaton(formulas: &mut Formulas, formula: Formula) -> Result<Automaton, TooLarge> {
    Ok(reduce(&translate(formulas, formula, Style::Partition)?))
}

/// The smallest automaton of a kind that we find for a formula: all translations are reduced, and
/// determinism is tried.
pub fn best_for(
    formulas: &mut Formulas,
    formula: Formula,
    goal: Goal,
) -> Result<Automaton, TooLarge> {
    let fit = |candidate: Automaton| match goal {
        Goal::Generalized => candidate,
        Goal::States => buchi(&candidate),
    };
    let mut generalized: Option<Automaton> = None;
    let mut best: Option<Automaton> = None;
    let mut failure = TooLarge { what: "states", limit: 0 };
    for style in Style::ALL {
        match translate(formulas, formula, style) {
            Ok(raw) => {
                let reduced = reduce(&raw);
                if generalized.as_ref().is_none_or(|known| reduced.size() < known.size()) {
                    generalized = Some(reduced.clone());
                }
                let candidate = fit(reduced);
                if best.as_ref().is_none_or(|known| candidate.size() < known.size()) {
                    best = Some(candidate);
                }
            }
            Err(error) => failure = error,
        }
    }
    let (Some(generalized), Some(best)) = (generalized, best) else { return Err(failure) };
    let weak = match formulas.classes(formula).obligation {
        true => minimize_weak(&generalized, MOST_SETS),
        false if generalized.len() > MOST_SETS_TRIED => None,
        false => {
            let not = formulas.negation(formula);
            let complement = translate_within(formulas, not, Style::Partition, Limits::SMALL);
            let complement = complement.ok().map(|raw| reduce(&raw));
            complement
                .and_then(|other| minimize_weak_checked(&generalized, &other, MOST_SETS_TRIED))
        }
    };
    // A deterministic automaton of the same size is the better one.
    match weak.map(fit) {
        Some(weak) if weak.len() <= best.len() => Ok(weak),
        _ => Ok(best),
    }
}
