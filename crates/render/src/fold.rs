//! Rounds that look the same are shown once, and what goes on inside of a library not step by step.

use std::collections::BTreeMap;

use everypath_verdict::{Trace, TraceStep};

/// The longest round that is looked for.
const LONGEST: usize = 12;
/// Rows that must be saved.
const LEAST: usize = 3;

/// Rows `start..start + length * (times + 1)` are one round and `times` repetitions of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The first row.
    pub start: usize,
    /// Rows of a round.
    pub length: usize,
    /// How often it comes again.
    pub times: usize,
}

/// Finds rounds that come again right away, from the first row to the last. Rows of which `single`
/// is true are never folded away.
pub fn folds<K: PartialEq>(keys: &[K], single: impl Fn(usize) -> bool) -> Vec<Fold> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < keys.len() {
        let best = (1..=LONGEST)
            .map(|length| Fold { start: at, length, times: repetitions(keys, at, length, &single) })
            .filter(|fold| fold.length * fold.times >= LEAST)
            .max_by_key(|fold| (fold.length * fold.times, std::cmp::Reverse(fold.length)));
        match best {
            Some(fold) => {
                found.push(fold);
                at += fold.length * (fold.times + 1);
            }
            None => at += 1,
        }
    }
    found
}

fn repetitions<K: PartialEq>(
    keys: &[K],
    start: usize,
    length: usize,
    single: &impl Fn(usize) -> bool,
) -> usize {
    let same = (start + length..keys.len())
        .take_while(|&i| keys[i] == keys[i - length] && !single(i))
        .count();
    same / length
}

/// The steps without those that only go on with a call of the library, and after which step those are.
pub fn without_library(trace: &Trace, kept: &[usize]) -> (Vec<usize>, BTreeMap<usize, (u64, u64)>) {
    let inside = |step: &TraceStep| {
        let call = |text: &str| text.ends_with(')') && step.span.is_nowhere();
        call(&step.text) || step.deeds.iter().any(|deed| deed.starts_with("in "))
    };
    // Nothing happens that the program or another thread is told about.
    let quiet = |step: &TraceStep| {
        inside(step)
            && step.role.is_none()
            && step.output.is_empty()
            && step.deeds.iter().all(|deed| deed.starts_with("in "))
            && step
                .set
                .iter()
                .all(|(name, after)| after.is_null() || !trace.init.contains_key(name))
            && step
                .takes
                .iter()
                .chain(&step.releases)
                .all(|lock| lock.contains('#') || lock.ends_with(".class"))
    };
    let same = |a: &TraceStep, b: &TraceStep| {
        a.lane == b.lane && (a.span, a.span.is_nowhere() || a.text == b.text) == (b.span, true)
    };
    let mut shown: Vec<usize> = Vec::new();
    let mut hidden: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
    let mut before = None;
    for &at in kept {
        let step = &trace.steps[at];
        match (before, shown.last()) {
            (Some(last), Some(&first))
                if quiet(step) && inside(&trace.steps[last]) && same(&trace.steps[last], step) =>
            {
                let range = hidden.entry(first).or_insert((step.i, step.i));
                range.1 = step.i;
            }
            _ => shown.push(at),
        }
        before = Some(at);
    }
    (shown, hidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(keys: &str) -> Vec<(usize, usize, usize)> {
        let keys: Vec<char> = keys.chars().collect();
        let found = folds(&keys, |i| keys[i] == 'X');
        found.into_iter().map(|fold| (fold.start, fold.length, fold.times)).collect()
    }

    #[test]
    fn rounds_are_found() {
        assert_eq!(of(""), []);
        assert_eq!(of("abc"), []);
        assert_eq!(of("aab"), [], "one row less is not worth a line");
        assert_eq!(of("baaaab"), [(1, 1, 3)]);
        assert_eq!(of("zababababc"), [(1, 2, 3)]);
        assert_eq!(of("ababab"), [(0, 2, 2)]);
        assert_eq!(of("abcabcd"), [(0, 3, 1)]);
        assert_eq!(of("aaaabbbb"), [(0, 1, 3), (4, 1, 3)]);
        assert_eq!(of("ababa"), []);
    }

    #[test]
    fn what_matters_stays() {
        assert_eq!(of("XXXXX"), []);
        assert_eq!(of("aaaXaaaa"), [(4, 1, 3)]);
    }
}
