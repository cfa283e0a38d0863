//! The test suite of a property: delimiters at the beginning, inside, at the end, missing, repeated
//! and nested; `P` before, at and behind each of them; `S` (and `T`) before, with and behind `P`.

use std::collections::BTreeSet;

use super::intervals;
use super::{Property, Trace};

/// A trace with what is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The trace, over the letters of the roles.
    pub trace: Trace,
    /// Whether it has the property.
    pub expected: bool,
}

/// The last state of the traces.
const LAST: usize = 9;

/// The cases of a property, each trace once; what is expected is what the parts of the trace say.
pub fn suite(property: Property) -> Vec<Case> {
    let delimiters = |used: bool, choices: &[&[usize]]| -> Vec<Vec<usize>> {
        match used {
            true => choices.iter().map(|choice| choice.to_vec()).collect(),
            false => vec![Vec::new()],
        }
    };
    let opening = delimiters(property.scope.has_q(), &[&[], &[0], &[3], &[LAST], &[2, 4], &[1, 7]]);
    let closing = delimiters(property.scope.has_r(), &[&[], &[0], &[3], &[6], &[LAST], &[5, 8]]);
    let single: Vec<Vec<usize>> = (0..=LAST).map(|at| vec![at]).collect();
    let mut about = vec![Vec::new(), vec![1, 5], vec![4, 7], vec![2, 5, 8], (0..=LAST).collect()];
    about.extend(single);
    let related = |used: bool| -> Vec<Vec<usize>> {
        match used {
            true => [&[][..], &[0], &[2], &[4], &[5], &[6], &[LAST], &[1, 6]]
                .iter()
                .map(|c| c.to_vec())
                .collect(),
            false => vec![Vec::new()],
        }
    };
    let mut seen = BTreeSet::new();
    let mut cases = Vec::new();
    let mut add = |places: [(char, &[usize]); 5]| {
        let mut states = vec![BTreeSet::new(); LAST + 1];
        for (letter, list) in places {
            for &place in list {
                states[place].insert(letter);
            }
        }
        if seen.insert(states.clone()) {
            let trace = Trace { states };
            let alphabet = ['P', 'S', 'T', 'Q', 'R'];
            let bit = |role: char| alphabet.iter().position(|&c| c == role).map(|bit| bit as u32);
            let expected = intervals::satisfied(property, &trace.word(&alphabet), &bit);
            cases.push(Case { trace, expected });
        }
    };
    for q in &opening {
        for r in &closing {
            for p in &about {
                for s in &related(property.pattern.has_s()) {
                    for t in &related(property.pattern.has_t()) {
                        add([('Q', q), ('R', r), ('P', p), ('S', s), ('T', t)]);
                    }
                }
            }
        }
    }
    cases
}
