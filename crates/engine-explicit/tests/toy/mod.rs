//! A random graph as a transition system, and a slow, obvious search to compare with.

// Each test binary uses its own part of this.
#![allow(dead_code)]

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use everypath_engine_explicit::Kind;
use everypath_model::{
    Action, ComponentMask, End, Fault, ModelError, Successors, TransitionSystem,
};

/// A small random number generator (xorshift with multiplication).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 33) % n
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub target: usize,
    pub actions: Vec<Action>,
    pub fault: Option<Fault>,
    pub fatal: bool,
}

#[derive(Clone, Debug)]
pub struct Node {
    /// What the store compares.
    pub words: Vec<u32>,
    pub edges: Vec<Edge>,
    pub valid_end: bool,
    pub invariant: Option<Fault>,
    pub incomplete: bool,
    pub broken: bool,
}

/// A graph. Each vector carries in its first words how many steps led to it.
#[derive(Clone, Debug)]
pub struct Toy {
    pub nodes: Vec<Node>,
    pub initial: Vec<Edge>,
    pub carried: usize,
    index: BTreeMap<Vec<u32>, usize>,
}

impl Toy {
    pub fn new(nodes: Vec<Node>, initial: Vec<Edge>, carried: usize) -> Toy {
        let index = nodes.iter().enumerate().map(|(i, n)| (n.words.clone(), i)).collect();
        Toy { nodes, initial, carried, index }
    }

    /// A random graph; some of its nodes cannot be reached.
    pub fn random(seed: u64) -> Toy {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..8 {
            random.next();
        }
        let size = match random.below(10) {
            0 => 1,
            1..7 => 2 + random.below(12),
            7..9 => 14 + random.below(60),
            _ => 75 + random.below(700),
        };
        let processes = 1 + random.below(4);
        let mean = 1 + random.below(3);
        let faulty = random.below(12);
        let near = random.chance(60);
        let edge = |random: &mut Random, from: u64| {
            let target = if near { from + random.below(6) } else { random.below(size) };
            let target = target.min(size - 1) as usize;
            let actions = (0..1 + u64::from(random.chance(20)))
                .map(|_| Action {
                    process: random.below(processes) as u32,
                    transition: random.below(200) as u32,
                })
                .collect();
            let fault = random.chance(faulty).then(|| Fault(random.below(3) as u32));
            Edge { target, actions, fault, fatal: fault.is_some() && random.chance(50) }
        };
        let nodes = (0..size)
            .map(|i| {
                let mut words = vec![i as u32; 1 + random.below(5) as usize];
                words[0] = (i as u32).wrapping_mul(1 + 2 * (seed as u32 & 0xffff));
                if random.chance(10) {
                    words.extend(std::iter::repeat_n(0, random.below(40) as usize));
                }
                let degree = if random.chance(10) { 0 } else { random.below(2 * mean + 1) };
                Node {
                    words,
                    edges: (0..degree).map(|_| edge(&mut random, i)).collect(),
                    valid_end: random.chance(50),
                    invariant: random
                        .chance(faulty / 2)
                        .then(|| Fault(10 + random.below(2) as u32)),
                    incomplete: false,
                    broken: false,
                }
            })
            .collect();
        let initial = (0..1 + u64::from(random.chance(20)) * random.below(4))
            .map(|_| Edge { actions: Vec::new(), ..edge(&mut random, 0) })
            .collect();
        Toy::new(nodes, initial, random.below(3) as usize)
    }

    pub fn node(&self, state: &[u32]) -> usize {
        self.index[&state[self.carried..]]
    }

    fn vector(&self, node: usize, count: u32) -> Vec<u32> {
        let mut vector = vec![count; self.carried];
        vector.extend_from_slice(&self.nodes[node].words);
        vector
    }

    fn write(&self, edges: &[Edge], count: u32, out: &mut Successors) {
        for edge in edges {
            let target = self.vector(edge.target, count);
            out.push_faulty(&target, ComponentMask::ALL, &edge.actions, edge.fault, edge.fatal);
        }
    }
}

impl TransitionSystem for Toy {
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, _: &mut (), out: &mut Successors) -> Result<(), ModelError> {
        self.write(&self.initial, 0, out);
        Ok(())
    }

    fn successors(
        &self,
        _: &mut (),
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        assert!(out.is_empty() && out.incomplete.is_none());
        let node = &self.nodes[self.node(state)];
        let count = if self.carried > 0 { state[0] + 1 } else { 0 };
        self.write(&node.edges, count, out);
        if node.incomplete {
            out.incomplete = Some(Fault(77));
        }
        if node.broken { Err(ModelError("broken".into())) } else { Ok(()) }
    }

    fn end(&self, _: &mut (), state: &[u32]) -> End {
        let node = &self.nodes[self.node(state)];
        assert!(node.edges.is_empty());
        if node.valid_end { End::Valid } else { End::Deadlock }
    }

    fn invariant_count(&self) -> usize {
        1
    }

    fn violated_invariant(
        &self,
        _: &mut (),
        state: &[u32],
        _: usize,
    ) -> Result<Option<Fault>, ModelError> {
        Ok(self.nodes[self.node(state)].invariant)
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        ends.push(state.len() as u32);
    }

    fn carried(&self) -> usize {
        self.carried
    }
}

/// What the slow search found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Naive {
    /// Distance of each reached node.
    pub distance: BTreeMap<usize, u64>,
    pub transitions: u64,
    /// Length of a shortest run and number of occurrences of each violation.
    pub violations: BTreeMap<Kind, (u64, u64)>,
    pub covered: BTreeSet<u32>,
    queue: VecDeque<usize>,
}

impl Naive {
    /// Searches the whole graph.
    pub fn search(toy: &Toy, key: &dyn Fn(usize) -> u64) -> Naive {
        let mut found = Naive::default();
        for edge in &toy.initial {
            found.follow(toy, edge, 0);
        }
        while let Some(node) = found.queue.pop_front() {
            let depth = found.distance[&node];
            if toy.nodes[node].edges.is_empty()
                && !toy.nodes[node].valid_end
                && !toy.nodes[node].incomplete
            {
                found.note(Kind::Deadlock(key(node)), depth);
            }
            for edge in &toy.nodes[node].edges {
                found.follow(toy, edge, depth + 1);
            }
        }
        found
    }

    fn follow(&mut self, toy: &Toy, edge: &Edge, depth: u64) {
        self.covered.extend(edge.actions.iter().map(|action| action.transition));
        if let Some(fault) = edge.fault {
            self.note(Kind::Fault(fault), depth);
        }
        if edge.fatal {
            return;
        }
        self.transitions += 1;
        if self.distance.contains_key(&edge.target) {
            return;
        }
        self.distance.insert(edge.target, depth);
        self.queue.push_back(edge.target);
        if let Some(fault) = toy.nodes[edge.target].invariant {
            self.note(Kind::Invariant(fault), depth);
        }
    }

    fn note(&mut self, kind: Kind, depth: u64) {
        let entry = self.violations.entry(kind).or_insert((depth, 0));
        entry.0 = entry.0.min(depth);
        entry.1 += 1;
    }

    pub fn depth(&self) -> u64 {
        self.distance.values().copied().max().unwrap_or(0)
    }

    pub fn errors(&self) -> u64 {
        self.violations.values().map(|v| v.1).sum()
    }
}

/// The fewest switches of a run with `length` steps to a violation, by trying all runs. `budget`
/// runs out if there are too many.
pub fn brute_switches(
    toy: &Toy,
    kind: Kind,
    length: u64,
    key: &dyn Fn(usize) -> u64,
    budget: &mut u64,
) -> Option<u64> {
    let mut best = None;
    for edge in toy.initial.iter().filter(|edge| !edge.fatal) {
        extend(toy, kind, edge.target, length, key, &mut Vec::new(), &mut best, budget);
    }
    best
}

#[allow(clippy::too_many_arguments)]
fn extend(
    toy: &Toy,
    kind: Kind,
    node: usize,
    left: u64,
    key: &dyn Fn(usize) -> u64,
    processes: &mut Vec<u32>,
    best: &mut Option<u64>,
    budget: &mut u64,
) {
    *budget = budget.saturating_sub(1);
    if *budget == 0 {
        return;
    }
    let count = |processes: &[u32]| processes.windows(2).filter(|p| p[0] != p[1]).count() as u64;
    let mut ends = |processes: &[u32]| {
        let cost = count(processes);
        *best = Some(best.map_or(cost, |best: u64| best.min(cost)));
    };
    let here = &toy.nodes[node];
    if left == 0 {
        let hit = match kind {
            Kind::Fault(_) => false,
            Kind::Invariant(fault) => here.invariant == Some(fault),
            Kind::Deadlock(k) => {
                here.edges.is_empty() && !here.valid_end && !here.incomplete && key(node) == k
            }
        };
        if hit {
            ends(processes);
        }
        return;
    }
    for edge in &here.edges {
        let before = processes.len();
        processes.extend(edge.actions.iter().map(|action| action.process));
        if left == 1 && edge.fault.is_some() && edge.fault.map(Kind::Fault) == Some(kind) {
            let cost = count(processes);
            *best = Some(best.map_or(cost, |best: u64| best.min(cost)));
        }
        if !edge.fatal {
            extend(toy, kind, edge.target, left - 1, key, processes, best, budget);
        }
        processes.truncate(before);
    }
}
