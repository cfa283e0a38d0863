//! Words that are accepted because of how they begin, whatever comes then.

use super::{Automaton, Edge, components};
use crate::bdd::Bdd;
use crate::words::Lasso;

/// Which states are known to accept every word: from them, some edge for every letter stays among
/// them, and their cycles have all marks.
fn universal(automaton: &Automaton) -> Vec<bool> {
    let components = components(automaton);
    let all = automaton.all_marks();
    let within = |state: usize, edge: &Edge| components.of[edge.target] == components.of[state];
    let mut universal: Vec<bool> = (0..automaton.len())
        .map(|state| {
            let component = components.of[state];
            component != usize::MAX && components.accepts(component, all)
        })
        .collect();
    for (state, edges) in automaton.edges.iter().enumerate() {
        if edges.iter().any(|edge| within(state, edge) && edge.marks != all) {
            let component = components.of[state];
            (0..automaton.len())
                .filter(|&other| components.of[other] == component)
                .for_each(|other| universal[other] = false);
        }
    }
    let mut labels = automaton.labels.clone();
    loop {
        let mut changed = false;
        for (state, edges) in automaton.edges.iter().enumerate() {
            let mut read = Bdd::FALSE;
            for edge in edges.iter().filter(|edge| universal[edge.target]) {
                read = labels.or(read, edge.label);
            }
            if universal[state] && !read.is_true() {
                universal[state] = false;
                changed = true;
            }
        }
        if !changed {
            return universal;
        }
    }
}

/// An automaton of the words only that are accepted because of a prefix.
pub fn finite_part(automaton: &Automaton) -> Automaton {
    let universal = universal(automaton);
    let mut part = Automaton { marks: 1, ..automaton.clone() };
    for (state, edges) in part.edges.iter_mut().enumerate() {
        if universal[state] {
            *edges = vec![Edge { label: Bdd::TRUE, marks: 1, target: state }];
        } else {
            edges.iter_mut().for_each(|edge| edge.marks = 0);
        }
    }
    part
}

/// How many letters of a word are enough for it to be accepted, if some number is.
pub fn accepted_prefix(automaton: &Automaton, word: &Lasso) -> Option<usize> {
    let universal = universal(automaton);
    let mut seen = vec![false; word.len() * automaton.len()];
    let mut level = vec![automaton.initial];
    let (mut position, mut read) = (0, 0);
    while !level.is_empty() {
        if level.iter().any(|&state| universal[state]) {
            return Some(read);
        }
        let mut next = Vec::new();
        for state in level {
            if std::mem::replace(&mut seen[position * automaton.len() + state], true) {
                continue;
            }
            let letter = word.letter(position);
            let takes = |edge: &&Edge| automaton.labels.value(edge.label, letter);
            next.extend(automaton.edges[state].iter().filter(takes).map(|edge| edge.target));
        }
        next.sort_unstable();
        next.dedup();
        level = next;
        position = word.next(position);
        read += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ltl::{Formulas, parse};
    use crate::tgba::{accepts, best};

    fn of(text: &str) -> Automaton {
        let mut formulas = Formulas::new();
        // All words here are over the same atoms.
        for atom in ["a", "b"] {
            formulas.atom(atom);
        }
        let formula = parse(&mut formulas, text).expect("a formula");
        best(&mut formulas, formula).expect("small")
    }

    fn words() -> Vec<Lasso> {
        let letters = |n: usize, length: usize| (0..length).map(move |i| (n >> (2 * i) & 3) as u64);
        let mut words = Vec::new();
        for stem in 0..3 {
            for cycle in 1..3 {
                for n in 0..1 << (2 * (stem + cycle)) {
                    let mut all: Vec<u64> = letters(n, stem + cycle).collect();
                    let cycle = all.split_off(stem);
                    words.push(Lasso { stem: all, cycle });
                }
            }
        }
        words
    }

    #[test]
    fn a_prefix_is_enough_where_every_continuation_is_accepted() {
        for (text, counts) in [
            ("F a", true),
            ("F (a && X b)", true),
            ("a U b", true),
            ("F a || G F b", false),
            ("G a", false),
            ("G F a", false),
        ] {
            let automaton = of(text);
            let part = finite_part(&automaton);
            for word in words() {
                let prefix = accepted_prefix(&automaton, &word);
                assert_eq!(accepts(&part, &word), prefix.is_some(), "{text} {word:?}");
                if prefix.is_some() {
                    assert!(accepts(&automaton, &word), "{text} {word:?}");
                }
                if counts {
                    // These have no other words.
                    assert_eq!(accepts(&automaton, &word), prefix.is_some(), "{text} {word:?}");
                }
                if let Some(read) = prefix {
                    // However it goes on, and not with less.
                    for letter in 0..4 {
                        let at = |i: usize| {
                            let n = word.stem.len();
                            let c = word.cycle.len();
                            if i < n { word.stem[i] } else { word.cycle[(i - n) % c] }
                        };
                        let stem: Vec<u64> = (0..read).map(at).collect();
                        let other = Lasso { stem, cycle: vec![letter] };
                        assert!(accepts(&automaton, &other), "{text} {word:?} {read}");
                    }
                }
            }
        }
    }
}
