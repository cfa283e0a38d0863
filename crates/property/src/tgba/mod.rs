//! Transition-based generalized Büchi automata: what a temporal formula becomes.
//!
//! An edge has a label, the set of letters it reads, and marks. A run is accepting if it goes
//! through each mark again and again; without marks every infinite run is. [`translate`] makes an
//! automaton of a formula, [`reduce`] makes it smaller, [`degeneralize`] makes one mark of several.
//! Every step keeps the language, and every step can be called by itself, so that tests can compare
//! it with [`crate::words`].

mod compare;
mod complement;
mod degeneralize;
mod determine;
pub(crate) mod label;
mod marks;
mod prefix;
mod prune;
mod reduce;
mod scc;
mod simulation;
mod strength;
mod stutter;
mod translate;
mod wdba;
mod witness;

pub use compare::{equivalent, implies, is_satisfiable, is_valid};
pub use complement::complement_weak;
pub use degeneralize::{degeneralize, to_state_based};
pub use determine::{complete, is_complete, is_deterministic};
pub use label::Labels;
pub use marks::clean_marks;
pub use prefix::{accepted_prefix, finite_part};
pub use prune::{merge_transient, prune};
pub use reduce::{Goal, automaton, best, best_for, buchi, reduce, reduce_on_states};
pub use scc::{Components, components};
pub use simulation::{reduce_backward, reduce_backward_on_states, reduce_forward};
pub use strength::{Strength, accepting_states, strength};
pub use stutter::is_stutter_invariant;
pub use translate::{Limits, Style, translate, translate_within};
pub use wdba::{minimize_weak, minimize_weak_checked};
pub use witness::{accepting_word, accepts, examples, is_empty};

use std::fmt;

use crate::bdd::{Bdd, Diagrams};

/// A set of marks, a bit for each.
pub type Marks = u64;

/// An edge of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The letters it reads; never none.
    pub label: Bdd,
    /// What it is marked with.
    pub marks: Marks,
    /// Where it leads.
    pub target: usize,
}

/// An automaton over the letters of some atoms.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The atoms; the variable `i` of a label is the atom `i`, and so is the bit `i` of a letter.
    pub atoms: Vec<String>,
    /// The functions of the labels.
    pub labels: Diagrams,
    /// How many marks there are.
    pub marks: u32,
    /// Where runs begin.
    pub initial: usize,
    /// The edges of each state.
    pub edges: Vec<Vec<Edge>>,
}

impl Automaton {
    /// An automaton that accepts nothing.
    pub fn nothing(atoms: Vec<String>) -> Automaton {
        Automaton { atoms, labels: Diagrams::new(), marks: 0, initial: 0, edges: vec![Vec::new()] }
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there are no states, which is never so.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// The atoms that labels look at, in order.
    pub fn support(&self) -> Vec<u32> {
        let edges = self.edges.iter().flatten();
        let mut atoms: Vec<u32> = edges.flat_map(|edge| self.labels.support(edge.label)).collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// All marks together.
    pub fn all_marks(&self) -> Marks {
        all_marks(self.marks)
    }

    /// Whether the edges of each state have the same marks, so that the states can carry them.
    pub fn is_state_based(&self) -> bool {
        self.edges.iter().all(|edges| edges.windows(2).all(|pair| pair[0].marks == pair[1].marks))
    }

    /// Whether a state carries all marks, in an automaton where states do.
    pub fn is_accepting(&self, state: usize) -> bool {
        let all = self.all_marks();
        self.edges[state].first().map_or(self.marks == 0, |edge| edge.marks == all)
    }

    /// The same language with these states only, numbered in their order from the initial state,
    /// each edge going through `edge`.
    pub(crate) fn map(&self, mut edge: impl FnMut(usize, Edge) -> Option<Edge>) -> Automaton {
        let mut edges: Vec<Vec<Edge>> = Vec::with_capacity(self.len());
        for (state, list) in self.edges.iter().enumerate() {
            edges.push(list.iter().filter_map(|&e| edge(state, e)).collect());
        }
        Automaton { edges, ..self.clone() }
    }

    /// Number of states, then of edges, then of marks: what is compared to find the smaller one.
    pub fn size(&self) -> (usize, usize, u32) {
        (self.len(), self.edge_count(), self.marks)
    }
}

/// The set of the first marks.
pub(crate) fn all_marks(count: u32) -> Marks {
    if count >= 64 { Marks::MAX } else { (1 << count) - 1 }
}

/// A formula whose automaton would be larger than is sensible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// What there are too many of.
    pub what: &'static str,
    /// How many are allowed.
    pub limit: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the automaton has more than {} {}", self.limit, self.what)
    }
}

impl std::error::Error for TooLarge {}
