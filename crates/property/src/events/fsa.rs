//! Finite automata over events: nondeterministic ones as they are written, and deterministic
//! complete ones as they are used.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::MOST_STATES;

/// A deterministic automaton with an edge for every event in every state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fsa {
    /// The events, each once.
    pub events: Vec<String>,
    /// The state behind each state and event.
    pub delta: Vec<Vec<usize>>,
    /// The first state.
    pub start: usize,
    /// Whether a state accepts.
    pub accepting: Vec<bool>,
    /// The names of the states.
    pub names: Vec<String>,
}

impl Fsa {
    /// Number of states.
    pub fn len(&self) -> usize {
        self.delta.len()
    }

    /// Whether there are no states, which is never so.
    pub fn is_empty(&self) -> bool {
        self.delta.is_empty()
    }

    /// The state behind a state and an event; the same state for events outside of the alphabet.
    pub fn step(&self, state: usize, event: &str) -> usize {
        match self.events.iter().position(|known| known == event) {
            Some(index) => self.delta[state][index],
            None => state,
        }
    }

    /// Whether a sequence of events is accepted.
    pub fn accepts<'a>(&self, events: impl IntoIterator<Item = &'a str>) -> bool {
        let last = events.into_iter().fold(self.start, |state, event| self.step(state, event));
        self.accepting[last]
    }

    /// The automaton of all other sequences.
    pub fn complement(&self) -> Fsa {
        let accepting = self.accepting.iter().map(|accepts| !accepts).collect();
        Fsa { accepting, ..self.clone() }
    }

    /// A shortest sequence that is accepted.
    pub fn shortest(&self) -> Option<Vec<&str>> {
        let mut parent: Vec<Option<(usize, usize)>> = vec![None; self.len()];
        let mut seen = vec![false; self.len()];
        seen[self.start] = true;
        let mut queue = VecDeque::from([self.start]);
        while let Some(state) = queue.pop_front() {
            if self.accepting[state] {
                let mut events = Vec::new();
                let mut at = state;
                while let Some((before, event)) = parent[at] {
                    events.push(self.events[event].as_str());
                    at = before;
                }
                events.reverse();
                return Some(events);
            }
            for (event, &next) in self.delta[state].iter().enumerate() {
                if !seen[next] {
                    seen[next] = true;
                    parent[next] = Some((state, event));
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// Whether another automaton over the same events accepts the same sequences.
    pub fn is_equivalent(&self, other: &Fsa) -> bool {
        let same_events = self.events.iter().collect::<BTreeSet<_>>()
            == other.events.iter().collect::<BTreeSet<_>>();
        if !same_events {
            return false;
        }
        let mut seen = BTreeSet::from([(self.start, other.start)]);
        let mut work = vec![(self.start, other.start)];
        while let Some((left, right)) = work.pop() {
            if self.accepting[left] != other.accepting[right] {
                return false;
            }
            for (index, event) in self.events.iter().enumerate() {
                let next = (self.delta[left][index], other.step(right, event));
                if seen.insert(next) {
                    work.push(next);
                }
            }
        }
        true
    }

    /// Whether no accepting state can be reached from a state.
    pub fn is_trap(&self, state: usize) -> bool {
        let mut seen = BTreeSet::from([state]);
        let mut work = vec![state];
        while let Some(at) = work.pop() {
            if self.accepting[at] {
                return false;
            }
            work.extend(self.delta[at].iter().copied().filter(|&next| seen.insert(next)));
        }
        true
    }
}

/// A nondeterministic automaton with silent edges.
#[derive(Clone, Debug, Default)]
pub struct Nfa {
    /// The events, each once.
    pub events: Vec<String>,
    /// The edges of each state: an event, or none for a silent edge, and the target.
    pub edges: Vec<Vec<(Option<usize>, usize)>>,
    /// The first state.
    pub start: usize,
    /// Whether a state accepts.
    pub accepting: Vec<bool>,
    /// The names of the states; those of sets are made of them. May be shorter than the states.
    pub names: Vec<String>,
}

impl Nfa {
    /// Adds a state.
    pub fn state(&mut self) -> usize {
        self.edges.push(Vec::new());
        self.accepting.push(false);
        self.edges.len() - 1
    }

    /// The deterministic complete automaton; `None` if it has too many states.
    pub fn determinize(&self) -> Option<Fsa> {
        let mut place: BTreeMap<BTreeSet<usize>, usize> = BTreeMap::new();
        let start = self.closure(BTreeSet::from([self.start]));
        let mut sets = vec![start.clone()];
        place.insert(start, 0);
        let mut delta: Vec<Vec<usize>> = Vec::new();
        while delta.len() < sets.len() {
            let set = sets[delta.len()].clone();
            let mut targets = vec![BTreeSet::new(); self.events.len()];
            for &state in &set {
                for &(event, target) in &self.edges[state] {
                    if let Some(event) = event {
                        targets[event].insert(target);
                    }
                }
            }
            let mut row = Vec::with_capacity(targets.len());
            for target in targets {
                let target = self.closure(target);
                let next = sets.len();
                let index = *place.entry(target.clone()).or_insert(next);
                if index == next {
                    sets.push(target);
                }
                row.push(index);
            }
            delta.push(row);
            if sets.len() > MOST_STATES {
                return None;
            }
        }
        let accepting =
            sets.iter().map(|set| set.iter().any(|&state| self.accepting[state])).collect();
        let names = sets.iter().enumerate().map(|(index, set)| self.name(index, set)).collect();
        Some(Fsa { events: self.events.clone(), delta, start: 0, accepting, names })
    }

    /// The name of a set: that of its only state, `trap` for none.
    fn name(&self, index: usize, set: &BTreeSet<usize>) -> String {
        let names: Vec<&str> =
            set.iter().filter_map(|&state| self.names.get(state)).map(String::as_str).collect();
        match set.len() {
            0 if !self.names.iter().any(|name| name == "trap") => "trap".to_owned(),
            n if n > 0 && names.len() == n && n <= 3 => names.join("_"),
            _ => format!("s{index}"),
        }
    }

    /// A set with what silent edges lead to.
    fn closure(&self, mut set: BTreeSet<usize>) -> BTreeSet<usize> {
        let mut work: Vec<usize> = set.iter().copied().collect();
        while let Some(state) = work.pop() {
            for &(event, target) in &self.edges[state] {
                if event.is_none() && set.insert(target) {
                    work.push(target);
                }
            }
        }
        set
    }
}
