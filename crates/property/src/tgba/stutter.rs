//! Whether repeating states changes what a formula says (Michaud and Duret-Lutz).

use rustc_hash::FxHashMap;

use super::{Automaton, Edge, TooLarge, automaton, is_empty};
use crate::bdd::Literal;
use crate::ltl::{Formula, Formulas};

/// Letters are told apart one by one, so only a few atoms can be handled.
const MOST_ATOMS: usize = 8;

/// Whether a formula cannot tell a word from one in which states are repeated. Formulas without `X`
/// never can; for others the words that repetition makes of its own and of its negation's are
/// intersected.
pub fn is_stutter_invariant(formulas: &mut Formulas, formula: Formula) -> Result<bool, TooLarge> {
    let simple = formulas.simplify(formula);
    if formulas.is_next_free(simple) {
        return Ok(true);
    }
    if formulas.atoms_of(simple).len() > MOST_ATOMS {
        return Err(TooLarge { what: "propositions under X", limit: MOST_ATOMS });
    }
    let atoms: Vec<u32> = formulas.atoms_of(simple).iter().map(|atom| atom.0).collect();
    let not = formulas.negation(formula);
    let stretched = stretch(&automaton(formulas, simple)?, &atoms);
    let others = stretch(&automaton(formulas, not)?, &atoms);
    Ok(is_empty(&super::compare::product(&stretched, &others)))
}

/// The words that come from accepted ones by repeating letters, finitely often each.
fn stretch(automaton: &Automaton, atoms: &[u32]) -> Automaton {
    let mut labels = automaton.labels.clone();
    let letters: Vec<_> = (0..1u64 << atoms.len())
        .map(|bits| {
            let cube: Vec<Literal> = atoms
                .iter()
                .enumerate()
                .map(|(i, &variable)| Literal { variable, positive: bits >> i & 1 == 1 })
                .collect();
            labels.cube(&cube)
        })
        .collect();
    // A run that only repeats must not be accepted, so there has to be a mark.
    let marks = automaton.marks.max(1);
    let own = |edge: &Edge| if automaton.marks == 0 { 1 } else { edge.marks };
    // A state, and the letter that may be repeated on it.
    let mut place: FxHashMap<(usize, Option<usize>), usize> = FxHashMap::default();
    let mut states = vec![(automaton.initial, None)];
    place.insert(states[0], 0);
    let mut edges = Vec::new();
    while edges.len() < states.len() {
        let (state, last) = states[edges.len()];
        let mut list = Vec::new();
        if let Some(letter) = last {
            list.push(Edge { label: letters[letter], marks: 0, target: edges.len() });
        }
        for edge in &automaton.edges[state] {
            for (index, &letter) in letters.iter().enumerate() {
                if !labels.meets(edge.label, letter) {
                    continue;
                }
                let key = (edge.target, Some(index));
                let next = states.len();
                let target = *place.entry(key).or_insert(next);
                if target == next {
                    states.push(key);
                }
                list.push(Edge { label: letter, marks: own(edge), target });
            }
        }
        edges.push(list);
    }
    Automaton { atoms: automaton.atoms.clone(), labels, marks, initial: 0, edges }
}
