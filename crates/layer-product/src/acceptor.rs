//! An automaton that reads letters one at a time, and remembers what it found.

use std::ops::Range;

use everypath_property::tgba::Automaton;
use rustc_hash::FxHashMap;

/// An edge that can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// What it is marked with.
    pub marks: u64,
    /// Where it leads.
    pub target: u32,
}

/// An automaton with the edges of each state on each letter that was met.
#[derive(Clone, Debug)]
pub struct Acceptor {
    automaton: Automaton,
    /// Letters are few, so they have numbers.
    letters: Vec<u64>,
    numbers: FxHashMap<u64, u32>,
    /// By letter, then by state: where the moves lie.
    known: Vec<Option<(u32, u32)>>,
    moves: Vec<Move>,
}

impl Acceptor {
    /// An automaton to be read with; its atoms are the bits of letters.
    pub fn new(automaton: Automaton) -> Acceptor {
        Acceptor {
            automaton,
            letters: Vec::new(),
            numbers: FxHashMap::default(),
            known: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Number of its states.
    pub fn states(&self) -> u32 {
        self.automaton.len() as u32
    }

    /// Where it begins.
    pub fn initial(&self) -> u32 {
        self.automaton.initial as u32
    }

    /// How many marks it has.
    pub fn marks(&self) -> u32 {
        self.automaton.marks
    }

    /// The number of a letter.
    pub fn letter(&mut self, letter: u64) -> u32 {
        let Acceptor { letters, numbers, known, automaton, .. } = self;
        *numbers.entry(letter).or_insert_with(|| {
            letters.push(letter);
            known.resize(letters.len() * automaton.len(), None);
            letters.len() as u32 - 1
        })
    }

    /// Where the moves of a state on a letter, by its number, lie.
    #[inline]
    pub fn moves(&mut self, state: u32, letter: u32) -> Range<u32> {
        let at = letter as usize * self.automaton.len() + state as usize;
        if let Some((start, end)) = self.known[at] {
            return start..end;
        }
        let start = self.moves.len() as u32;
        let read = self.letters[letter as usize];
        let Automaton { edges, labels, .. } = &self.automaton;
        for edge in &edges[state as usize] {
            if labels.value(edge.label, read) {
                self.moves.push(Move { marks: edge.marks, target: edge.target as u32 });
            }
        }
        let end = self.moves.len() as u32;
        self.known[at] = Some((start, end));
        start..end
    }

    /// A move of such a range.
    #[inline]
    pub fn at(&self, index: u32) -> Move {
        self.moves[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use everypath_property::ltl::{Formulas, parse};
    use everypath_property::tgba;

    use super::*;

    #[test]
    fn moves_are_those_whose_label_has_the_letter() {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, "p U q").expect("a formula");
        let automaton = tgba::automaton(&mut formulas, formula).expect("small");
        let (p, q) = (1u64, 2u64);
        let mut acceptor = Acceptor::new(automaton);
        let start = acceptor.initial();
        let letters = [0, p, q, p | q].map(|letter| acceptor.letter(letter));
        assert_eq!(letters, [0, 1, 2, 3]);
        assert_eq!(acceptor.letter(q), 2);
        let stuck = acceptor.moves(start, 0);
        assert!(stuck.is_empty());
        let stays = acceptor.moves(start, 1);
        assert_eq!(stays.len(), 1);
        assert_eq!(acceptor.at(stays.start).target, start);
        assert_eq!(acceptor.moves(start, 1), stays, "it is remembered");
        let goes = acceptor.moves(start, 2);
        assert_ne!(acceptor.at(goes.start).target, start);
    }
}
