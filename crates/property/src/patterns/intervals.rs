//! What patterns and scopes mean, without formulas: the parts of a word, and what is asked of each.

use super::{Pattern, Property, Scope, Set};
use crate::words::Lasso;

/// What holds at a position of a word, by the letter of a role.
pub type Holds<'a> = &'a dyn Fn(char, usize) -> bool;

/// A part: its first position, and the one behind its last; none if it never ends.
type Part = (usize, Option<usize>);

/// Whether a word has a property. `bit` says which bit of a letter is which role.
pub fn satisfied(property: Property, word: &Lasso, bit: &dyn Fn(char) -> Option<u32>) -> bool {
    let holds = |role: char, position: usize| {
        bit(role).is_some_and(|bit| word.letter(position) >> bit & 1 == 1)
    };
    let around = word.stem.len() + word.cycle.len();
    // Positions further on repeat earlier ones; what is looked for from one of them lies before the
    // horizon if it comes at all.
    let starts = word.stem.len() + 2 * word.cycle.len();
    let horizon = starts + 6 * around + 8;
    parts(property, &holds, starts, horizon)
        .into_iter()
        .all(|part| asked(property.pattern, part, &holds, (horizon, horizon / 2)))
}

/// Whether a word that ends has a property.
pub fn satisfied_by_finite(
    property: Property,
    word: &[u64],
    bit: &dyn Fn(char) -> Option<u32>,
) -> bool {
    let holds =
        |role: char, position: usize| bit(role).is_some_and(|bit| word[position] >> bit & 1 == 1);
    let end = word.len();
    parts(property, &holds, end, end)
        .into_iter()
        .all(|part| asked(property.pattern, part, &holds, (end, end)))
}

fn parts(property: Property, holds: Holds<'_>, starts: usize, horizon: usize) -> Vec<Part> {
    let first = |role: char, from: usize| (from..horizon).find(|&i| holds(role, i));
    let opens = |i: usize| holds('Q', i) && !holds('R', i);
    match property.scope {
        Scope::Global => vec![(0, None)],
        Scope::Before => first('R', 0).map(|r| (0, Some(r))).into_iter().collect(),
        Scope::After => first('Q', 0).map(|q| (q, None)).into_iter().collect(),
        Scope::Between | Scope::AfterUntil => {
            let mut parts = Vec::new();
            let mut i = 0;
            while i < starts {
                if !opens(i) {
                    i += 1;
                    continue;
                }
                let end = first('R', i + 1);
                if end.is_some() || property.scope == Scope::AfterUntil {
                    parts.push((i, end));
                }
                i = match (property.set, end) {
                    (Set::Outermost, Some(end)) => end,
                    (Set::Outermost, None) => starts,
                    _ => i + 1,
                };
            }
            parts
        }
    }
}

/// `last`: positions of an endless part behind it have been seen before.
fn asked(
    pattern: Pattern,
    (start, end): Part,
    holds: Holds<'_>,
    (horizon, last): (usize, usize),
) -> bool {
    let end = end.unwrap_or(horizon);
    let some = |role: char, from: usize| (from..end).any(|i| holds(role, i));
    let first = |role: char, from: usize| (from..end).find(|&i| holds(role, i));
    let every = |ask: &dyn Fn(usize) -> bool| {
        let last = if end == horizon { last } else { end };
        (start..last).filter(|&i| holds('P', i)).all(ask)
    };
    match pattern {
        Pattern::Absence => !some('P', start),
        Pattern::Existence => some('P', start),
        Pattern::Universality => (start..end).all(|i| holds('P', i)),
        Pattern::Bounded(most) => {
            let begins = |i: usize| holds('P', i) && (i == start || !holds('P', i - 1));
            (start..end).filter(|&i| begins(i)).count() <= usize::from(most)
        }
        Pattern::Precedence => first('P', start).is_none_or(|p| (start..=p).any(|i| holds('S', i))),
        Pattern::StrictPrecedence => {
            first('P', start).is_none_or(|p| (start..p).any(|i| holds('S', i)))
        }
        Pattern::Response => every(&|p| some('S', p)),
        Pattern::StrictResponse => every(&|p| some('S', p + 1)),
        Pattern::CausesPrecede => first('P', start).is_none_or(|p| {
            (start..p).any(|s| holds('S', s) && (s + 1..=p).any(|t| holds('T', t)))
        }),
        Pattern::PrecedesEffects => first('P', start)
            .is_none_or(|p| !some('T', p + 1) || (start..=p).any(|i| holds('S', i))),
        Pattern::EffectsRespond => every(&|p| (p..end).any(|s| holds('S', s) && some('T', s + 1))),
        Pattern::RespondsToCauses => {
            every(&|p| !some('T', p + 1) || (p + 1..end).any(|t| holds('T', t) && some('S', t)))
        }
    }
}
