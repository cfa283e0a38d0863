//! Tuples of states, propagated through a trace flow graph until nothing new comes.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::automata::{Automaton, State, UNREAD};
use crate::bounds::{Bounds, Cut};
use crate::tfg::{FINAL, INITIAL, Step, Tfg};

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// Runs that come to an end.
    Ending,
    /// Also beginnings of endless runs after which the property cannot hold any more.
    All,
}

/// How a violation is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Only whether there is one.
    Proof,
    /// The first one.
    Quick,
    /// One with as few nodes as possible.
    Shortest,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Propagated {
    /// A path with a violation, from the first node on; empty if none was asked for.
    pub path: Vec<Visit>,
    /// Whether there is a violation.
    pub violated: bool,
    /// Pairs of nodes and tuples.
    pub pairs: u64,
    /// Different tuples.
    pub tuples: u64,
    /// What ended it first.
    pub cut: Option<Cut>,
    /// Whether a run can come to its end, as far as the constraints tell.
    pub ends: bool,
    /// Whether something that the property asks for is missing at some moment, other than the end.
    pub pending: bool,
}

impl Propagated {
    /// Nothing but what ended it.
    pub(crate) fn ended_by(cut: Cut) -> Propagated {
        Propagated {
            path: Vec::new(),
            violated: false,
            pairs: 0,
            tuples: 0,
            cut: Some(cut),
            ends: true,
            pending: true,
        }
    }
}

/// A node on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The node.
    pub node: u32,
    /// How it was reached.
    pub step: Step,
    /// The states after it: of the property, then of the constraints.
    pub tuple: Vec<State>,
}

/// Tuples by number.
struct Tuples<'a> {
    automata: &'a [Automaton],
    all: Vec<State>,
    numbers: FxHashMap<Box<[State]>, u32>,
    /// What the symbols of a node are for all automata together.
    classes: Vec<u32>,
    samples: Vec<u32>,
    memo: FxHashMap<(u32, u32), u32>,
    runs: Runs,
}

/// A tuple in which a constraint is violated.
const GONE: u32 = u32::MAX;

impl<'a> Tuples<'a> {
    fn new(automata: &'a [Automaton], nodes: usize, runs: Runs) -> Tuples<'a> {
        let mut known: FxHashMap<Vec<u16>, u32> = FxHashMap::default();
        let mut samples = Vec::new();
        let classes = (0..nodes)
            .map(|node| {
                let symbols: Vec<u16> = automata.iter().map(|one| one.reads[node]).collect();
                *known.entry(symbols).or_insert_with(|| {
                    samples.push(node as u32);
                    samples.len() as u32 - 1
                })
            })
            .collect();
        Tuples {
            automata,
            all: Vec::new(),
            numbers: FxHashMap::default(),
            classes,
            samples,
            memo: FxHashMap::default(),
            runs,
        }
    }

    fn number(&mut self, tuple: &[State]) -> u32 {
        if let Some(&number) = self.numbers.get(tuple) {
            return number;
        }
        let number = self.numbers.len() as u32;
        self.all.extend_from_slice(tuple);
        self.numbers.insert(tuple.into(), number);
        number
    }

    fn get(&self, number: u32) -> &[State] {
        let width = self.automata.len();
        &self.all[number as usize * width..][..width]
    }

    /// The tuple behind a tuple and a node.
    fn step(&mut self, tuple: u32, node: u32) -> u32 {
        let class = self.classes[node as usize];
        if let Some(&next) = self.memo.get(&(tuple, class)) {
            return next;
        }
        let sample = self.samples[class as usize] as usize;
        let mut next = self.get(tuple).to_vec();
        let mut gone = false;
        for (index, automaton) in self.automata.iter().enumerate() {
            let symbol = automaton.reads[sample];
            if symbol != UNREAD {
                next[index] = automaton.delta[usize::from(next[index])][usize::from(symbol)];
                // The first one is the property.
                gone |= index > 0 && automaton.rules_out(next[index], self.runs);
            }
        }
        let number = if gone { GONE } else { self.number(&next) };
        self.memo.insert((tuple, class), number);
        number
    }

    /// Whether a run may end with a tuple and has not the property.
    fn violating(&self, tuple: u32) -> bool {
        self.pending(tuple) && self.may_end(tuple)
    }

    /// Whether a run may end with a tuple.
    fn may_end(&self, tuple: u32) -> bool {
        let tuple = self.get(tuple);
        let accepts = |index: usize| self.automata[index].accepting[usize::from(tuple[index])];
        (1..tuple.len()).all(accepts)
    }

    /// Whether a run that ended with a tuple would not have the property.
    fn pending(&self, tuple: u32) -> bool {
        !self.automata[0].accepting[usize::from(self.get(tuple)[0])]
    }

    /// What all of them take, nearly.
    fn bytes(&self) -> usize {
        let width = 2 * self.automata.len();
        self.numbers.len() * (2 * width + 40) + self.memo.len() * 20
    }

    /// Whether no run that begins so has the property.
    fn hopeless(&self, tuple: u32) -> bool {
        self.automata[0].trap[usize::from(self.get(tuple)[0])]
    }
}

/// Propagates tuples; the first automaton is the property. At most so many pairs are made.
pub fn propagate(
    tfg: &Tfg,
    automata: &[Automaton],
    runs: Runs,
    effort: Effort,
    limit: u64,
    bounds: &Bounds,
) -> Propagated {
    let mut tuples = Tuples::new(automata, tfg.len(), runs);
    let start: Vec<State> = automata.iter().map(|one| one.start).collect();
    let first = tuples.number(&start);
    let ends = to_the_end(tfg);
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    let mut parents: FxHashMap<u64, (u64, Step)> = FxHashMap::default();
    let key = |node: u32, tuple: u32| u64::from(node) << 32 | u64::from(tuple);
    let mut work: VecDeque<(u32, u32)> = VecDeque::from([(INITIAL, first)]);
    seen.insert(key(INITIAL, first));
    let mut found: Option<(u32, u32)> = None;
    let bad = |tuples: &Tuples<'_>, node: u32, tuple: u32| match node {
        FINAL => tuples.violating(tuple),
        _ => runs == Runs::All && tuples.hopeless(tuple),
    };
    if bad(&tuples, INITIAL, first) {
        found = Some((INITIAL, first));
    }
    let (mut cut, mut ended, mut steps) = (None, false, 0u64);
    let mut pending = tuples.pending(first);
    'search: while let Some((node, tuple)) = match (found, effort) {
        (Some(_), _) => None,
        (None, Effort::Quick) => work.pop_back(),
        (None, _) => work.pop_front(),
    } {
        steps += 1;
        if steps.is_multiple_of(POLL) {
            let bytes = tuples.bytes() + seen.len() * 16 + parents.len() * 40 + work.len() * 8;
            cut = bounds.reached(bytes as u64);
            if cut.is_some() {
                break;
            }
        }
        for &(next, step) in &tfg.next[node as usize] {
            if runs == Runs::Ending && !ends[next as usize] {
                continue;
            }
            let after = tuples.step(tuple, next);
            if after == GONE || !seen.insert(key(next, after)) {
                continue;
            }
            if effort != Effort::Proof {
                parents.insert(key(next, after), (key(node, tuple), step));
            }
            match next {
                FINAL => ended |= tuples.may_end(after),
                _ => pending |= tuples.pending(after),
            }
            if bad(&tuples, next, after) {
                found = Some((next, after));
                break 'search;
            }
            if seen.len() as u64 >= limit {
                cut = Some(Cut::Pairs);
                break 'search;
            }
            work.push_back((next, after));
        }
    }
    let mut path = Vec::new();
    if let (Some((node, tuple)), true) = (found, effort != Effort::Proof) {
        let mut at = key(node, tuple);
        loop {
            let (node, tuple) = ((at >> 32) as u32, at as u32);
            let parent = parents.get(&at);
            let step = parent.map_or(Step::Local, |(_, step)| *step);
            path.push(Visit { node, step, tuple: tuples.get(tuple).to_vec() });
            match parent {
                Some((before, _)) => at = *before,
                None => break,
            }
        }
        path.reverse();
    }
    Propagated {
        path,
        violated: found.is_some(),
        pairs: seen.len() as u64,
        tuples: tuples.numbers.len() as u64,
        cut,
        ends: ended,
        pending,
    }
}

/// Steps between looks at what is left of time and memory.
const POLL: u64 = 256;

/// From which nodes the end can be reached.
fn to_the_end(tfg: &Tfg) -> Vec<bool> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); tfg.len()];
    for (node, next) in tfg.next.iter().enumerate() {
        next.iter().for_each(|&(target, _)| before[target as usize].push(node as u32));
    }
    let mut ends = vec![false; tfg.len()];
    let mut work = vec![FINAL];
    while let Some(node) = work.pop() {
        if !std::mem::replace(&mut ends[node as usize], true) {
            work.extend(&before[node as usize]);
        }
    }
    ends
}
