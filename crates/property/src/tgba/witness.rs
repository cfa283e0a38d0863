//! Words: whether one is accepted, one that is, and the shortest that show what a formula means.

use std::collections::{BTreeSet, VecDeque};

use super::scc::of_graph;
use super::{Automaton, Edge, Marks, components};
use crate::words::Lasso;

/// Whether no word is accepted.
pub fn is_empty(automaton: &Automaton) -> bool {
    let components = components(automaton);
    !(0..components.len()).any(|component| components.accepts(component, automaton.all_marks()))
}

/// Whether a word is accepted.
pub fn accepts(automaton: &Automaton, word: &Lasso) -> bool {
    accepts_from(automaton, &[automaton.initial], word)
}

/// Whether a word is accepted from one of some states.
pub(super) fn accepts_from(automaton: &Automaton, states: &[usize], word: &Lasso) -> bool {
    let node = |position: usize, state: usize| position * automaton.len() + state;
    let mut graph: Vec<Vec<(usize, Marks)>> = vec![Vec::new(); word.len() * automaton.len()];
    for position in 0..word.len() {
        let letter = word.letter(position);
        for (state, edges) in automaton.edges.iter().enumerate() {
            graph[node(position, state)] = edges
                .iter()
                .filter(|edge| automaton.labels.value(edge.label, letter))
                .map(|edge| (node(word.next(position), edge.target), edge.marks))
                .collect();
        }
    }
    let components = of_graph(&graph, states.iter().map(|&state| node(0, state)));
    (0..components.len()).any(|component| components.accepts(component, automaton.all_marks()))
}

/// A word that is accepted: a shortest way to an accepting component, and a short cycle in it.
pub fn accepting_word(automaton: &Automaton) -> Option<Lasso> {
    let components = components(automaton);
    let all = automaton.all_marks();
    let accepting = |state: usize| {
        let component = components.of[state];
        component != usize::MAX && components.accepts(component, all)
    };
    let (stem, start) =
        walk(automaton, automaton.initial, &|_| true, &|_, state| accepting(state))?;
    let component = components.of[start];
    let inside = |edge: &Edge| components.of[edge.target] == component;
    let mut cycle = Vec::new();
    let (mut state, mut missing) = (start, all);
    while missing != 0 {
        let wanted =
            |edge: Option<&Edge>, _: usize| edge.is_some_and(|edge| edge.marks & missing != 0);
        let (part, next) = walk(automaton, state, &inside, &wanted)?;
        for edge in &part {
            missing &= !edge.marks;
        }
        cycle.extend(part);
        state = next;
    }
    if state != start || cycle.is_empty() {
        let home = |edge: Option<&Edge>, at: usize| edge.is_some() && at == start;
        cycle.extend(walk(automaton, state, &inside, &home)?.0);
    }
    let letters = |edges: Vec<Edge>| {
        edges.iter().map(|edge| automaton.labels.letter(edge.label).unwrap_or(0)).collect()
    };
    Some(Lasso { stem: letters(stem), cycle: letters(cycle) })
}

/// The edges of a shortest way along allowed edges to what is wanted, and where it ends.
fn walk(
    automaton: &Automaton,
    from: usize,
    allowed: &dyn Fn(&Edge) -> bool,
    wanted: &dyn Fn(Option<&Edge>, usize) -> bool,
) -> Option<(Vec<Edge>, usize)> {
    if wanted(None, from) {
        return Some((Vec::new(), from));
    }
    let mut parents: Vec<Option<(usize, Edge)>> = vec![None; automaton.len()];
    let mut seen = vec![false; automaton.len()];
    seen[from] = true;
    let mut queue = VecDeque::from([from]);
    while let Some(state) = queue.pop_front() {
        for edge in automaton.edges[state].iter().filter(|edge| allowed(edge)) {
            if wanted(Some(edge), edge.target) {
                let mut way = vec![*edge];
                let mut at = state;
                while let (true, Some((parent, edge))) = (at != from, parents[at]) {
                    way.push(edge);
                    at = parent;
                }
                way.reverse();
                return Some((way, edge.target));
            }
            if !seen[edge.target] {
                seen[edge.target] = true;
                parents[edge.target] = Some((state, *edge));
                queue.push_back(edge.target);
            }
        }
    }
    None
}

/// Words tried at most by [`examples`].
const TRIED: usize = 5_000;
/// Words of a kind from which [`examples`] chooses.
const CANDIDATES: usize = 300;

/// Up to `count` short words that are accepted, and as many that are not. The first is a shortest
/// one; the others bring the automaton to as many new places as they can.
pub fn examples(automaton: &Automaton, count: usize) -> (Vec<Lasso>, Vec<Lasso>) {
    let (mut accepted, mut rejected) = (Vec::new(), Vec::new());
    let letters = short_letters(automaton.atoms.len().min(64));
    // Large automata get fewer tries.
    let most = TRIED.min(5_000_000 / automaton.edge_count().max(1)).max(100);
    let mut tried = 0;
    for length in 1..=4usize {
        for cycle in 1..=length {
            let mut index = vec![0; length];
            while tried < most && (accepted.len() < CANDIDATES || rejected.len() < CANDIDATES) {
                tried += 1;
                let word: Vec<u64> = index.iter().map(|&i| letters[i]).collect();
                let (stem, cycle) = word.split_at(length - cycle);
                let word = Lasso { stem: stem.to_vec(), cycle: cycle.to_vec() };
                let side = match accepts(automaton, &word) {
                    true => &mut accepted,
                    false => &mut rejected,
                };
                if side.len() < CANDIDATES && is_short(&word) {
                    side.push(word);
                }
                let Some(digit) = (0..length).rev().find(|&d| index[d] + 1 < letters.len()) else {
                    break;
                };
                index[digit] += 1;
                index[digit + 1..].fill(0);
            }
        }
    }
    if accepted.is_empty() {
        accepted.extend(accepting_word(automaton));
    }
    (telling(automaton, accepted, count), telling(automaton, rejected, count))
}

/// Letters in which little holds first; all of them where there are few.
fn short_letters(atoms: usize) -> Vec<u64> {
    let mut letters: Vec<u64> = match atoms {
        0..=4 => (0..1 << atoms).collect(),
        _ => {
            let single = (0..atoms).map(|atom| 1u64 << atom);
            let pairs = (0..atoms).flat_map(|a| (0..a).map(move |b| 1 << a | 1 << b));
            [0].into_iter().chain(single).chain(pairs).collect()
        }
    };
    letters.sort_by_key(|letter| (letter.count_ones(), *letter));
    letters
}

/// Chooses words that show different things.
fn telling(automaton: &Automaton, mut words: Vec<Lasso>, count: usize) -> Vec<Lasso> {
    let mut chosen = Vec::new();
    let mut seen: BTreeSet<(usize, u64)> = BTreeSet::new();
    while chosen.len() < count && !words.is_empty() {
        // The first of the best; short words come first.
        let value = |word: &Lasso| {
            let new = visited(automaton, word).difference(&seen).count();
            (2 * new).saturating_sub(word.len())
        };
        let best = match chosen.is_empty() {
            true => 0,
            false => {
                let values: Vec<usize> = words.iter().map(value).collect();
                let most = values.iter().max().copied().unwrap_or(0);
                values.iter().position(|&v| v == most).unwrap_or(0)
            }
        };
        let word = words.remove(best);
        seen.extend(visited(automaton, &word));
        chosen.push(word);
    }
    chosen
}

/// The states that runs of a word come to, each with the letter that is read there.
fn visited(automaton: &Automaton, word: &Lasso) -> BTreeSet<(usize, u64)> {
    let mut seen = BTreeSet::from([(0, automaton.initial)]);
    let mut work = vec![(0, automaton.initial)];
    while let Some((position, state)) = work.pop() {
        for edge in &automaton.edges[state] {
            let next = (word.next(position), edge.target);
            if automaton.labels.value(edge.label, word.letter(position)) && seen.insert(next) {
                work.push(next);
            }
        }
    }
    seen.into_iter().map(|(position, state)| (state, word.letter(position))).collect()
}

/// Whether no shorter lasso is the same word.
fn is_short(word: &Lasso) -> bool {
    let repeats = (1..word.cycle.len()).any(|part| {
        word.cycle.len().is_multiple_of(part)
            && word.cycle.iter().enumerate().all(|(i, letter)| *letter == word.cycle[i % part])
    });
    !repeats && word.stem.last() != word.cycle.last()
}
