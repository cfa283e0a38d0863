//! Strong fairness: what can be done again and again is done again and again.
//!
//! The graph is made as a whole. A component in which something can be done that is not done inside of it has
//! no fair run through the nodes where that can be done; without these nodes it falls into smaller ones
//! (Emerson and Lei's way of Streett conditions).

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::{Lasso, Leg, Node};

/// Something that is done in a step.
pub type Deed = u64;

/// An edge with what is done on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct FairEdge {
    pub target: u32,
    pub marks: u64,
    /// Index into [`FairGraph::deeds`].
    pub deeds: u32,
}

/// A graph whose edges do things. What can be done in a node is what its edges do.
#[derive(Debug, Default)]
pub(super) struct FairGraph {
    /// All marks.
    pub marks: u64,
    pub initial: Vec<u32>,
    pub edges: Vec<Vec<FairEdge>>,
    /// Sets of deeds.
    pub deeds: Vec<Box<[Deed]>>,
}

impl FairGraph {
    fn of(&self, edge: &FairEdge) -> &[Deed] {
        &self.deeds[edge.deeds as usize]
    }

    /// Whether some of these can be done in a node.
    fn can(&self, node: u32, deeds: &FxHashSet<Deed>) -> bool {
        let all = self.edges[node as usize].iter().flat_map(|edge| self.of(edge));
        all.into_iter().any(|deed| deeds.contains(deed))
    }

    /// The nodes of a component with a run through all marks that does what can be done.
    pub fn component(&self) -> Option<Vec<bool>> {
        let mut work: Vec<Vec<u32>> = vec![self.reachable()];
        while let Some(nodes) = work.pop() {
            for component in self.components(&nodes) {
                let mut inside = vec![false; self.edges.len()];
                component.iter().for_each(|&node| inside[node as usize] = true);
                let (mut marks, mut some) = (0, false);
                let (mut able, mut done) = (FxHashSet::default(), FxHashSet::default());
                for edge in component.iter().flat_map(|&node| &self.edges[node as usize]) {
                    able.extend(self.of(edge));
                    if inside[edge.target as usize] {
                        some = true;
                        marks |= edge.marks;
                        done.extend(self.of(edge));
                    }
                }
                if !some || marks & self.marks != self.marks {
                    continue;
                }
                let left_out: FxHashSet<Deed> = able.difference(&done).copied().collect();
                if left_out.is_empty() {
                    return Some(inside);
                }
                let rest = component.into_iter().filter(|&node| !self.can(node, &left_out));
                work.push(rest.collect());
            }
        }
        None
    }

    fn reachable(&self) -> Vec<u32> {
        let mut seen = vec![false; self.edges.len()];
        let mut order = Vec::new();
        for &node in &self.initial {
            if !std::mem::replace(&mut seen[node as usize], true) {
                order.push(node);
            }
        }
        let mut at = 0;
        while at < order.len() {
            for edge in &self.edges[order[at] as usize] {
                if !std::mem::replace(&mut seen[edge.target as usize], true) {
                    order.push(edge.target);
                }
            }
            at += 1;
        }
        order
    }

    /// The strongly connected components of some nodes (Tarjan, without recursion).
    fn components(&self, nodes: &[u32]) -> Vec<Vec<u32>> {
        const OUTSIDE: u32 = u32::MAX;
        const NEW: u32 = u32::MAX - 1;
        let mut index = vec![OUTSIDE; self.edges.len()];
        nodes.iter().for_each(|&node| index[node as usize] = NEW);
        let mut low = vec![0; self.edges.len()];
        let mut waiting = vec![false; self.edges.len()];
        let (mut stack, mut open, mut all) = (Vec::new(), Vec::new(), Vec::new());
        let mut next = 0;
        for &first in nodes {
            if index[first as usize] != NEW {
                continue;
            }
            open.push((first, 0));
            while let Some((node, edge)) = open.pop() {
                let at = node as usize;
                if edge == 0 {
                    (index[at], low[at]) = (next, next);
                    next += 1;
                    stack.push(node);
                    waiting[at] = true;
                } else {
                    // Back from what the edge before led to, if it was new.
                    let target = self.edges[at][edge - 1].target as usize;
                    if waiting[target] {
                        low[at] = low[at].min(low[target]);
                    }
                }
                if let Some(one) = self.edges[at].get(edge) {
                    open.push((node, edge + 1));
                    if index[one.target as usize] == NEW {
                        open.push((one.target, 0));
                    }
                } else if low[at] == index[at] {
                    let mut component = Vec::new();
                    while let Some(member) = stack.pop() {
                        waiting[member as usize] = false;
                        component.push(member);
                        if member == node {
                            break;
                        }
                    }
                    all.push(component);
                }
            }
        }
        all
    }

    /// A run through a component: the shortest way into it, then around through all marks and deeds.
    pub fn lasso(&self, inside: &[bool], names: &[Node]) -> Lasso {
        let within = |node: u32| inside[node as usize];
        let direct = self.initial.iter().copied().find(|&node| within(node));
        let (stem, start) = match direct {
            Some(start) => (Vec::new(), start),
            None => {
                let way = self.walk(&self.initial, &|_| true, &|edge| within(edge.target));
                let last = way.last().map_or(0, |&(node, edge)| self.target(node, edge));
                (way, last)
            }
        };
        let mut marks = self.marks;
        let mut missing: FxHashSet<Deed> = FxHashSet::default();
        for node in (0..self.edges.len() as u32).filter(|&node| within(node)) {
            let edges = &self.edges[node as usize];
            missing.extend(edges.iter().flat_map(|edge| self.of(edge)));
        }
        let mut cycle: Vec<(u32, u32)> = Vec::new();
        let mut here = start;
        while marks != 0 || !missing.is_empty() {
            let wanted = |edge: &FairEdge| {
                within(edge.target)
                    && (edge.marks & marks != 0
                        || self.of(edge).iter().any(|deed| missing.contains(deed)))
            };
            let way = self.walk(&[here], &within, &wanted);
            if way.is_empty() {
                break;
            }
            for &(node, edge) in &way {
                let one = &self.edges[node as usize][edge as usize];
                marks &= !one.marks;
                self.of(one).iter().for_each(|deed| {
                    missing.remove(deed);
                });
                here = one.target;
            }
            cycle.extend(way);
        }
        if here != start || cycle.is_empty() {
            cycle.extend(self.walk(&[here], &within, &|edge| edge.target == start));
        }
        let legs = |way: Vec<(u32, u32)>| {
            way.into_iter().map(|(node, edge)| Leg { node: names[node as usize], edge }).collect()
        };
        Lasso { stem: legs(stem), cycle: legs(cycle) }
    }

    fn target(&self, node: u32, edge: u32) -> u32 {
        self.edges[node as usize][edge as usize].target
    }

    /// A shortest way from some nodes, through those that are allowed, to an edge that is wanted.
    fn walk(
        &self,
        from: &[u32],
        allowed: &dyn Fn(u32) -> bool,
        wanted: &dyn Fn(&FairEdge) -> bool,
    ) -> Vec<(u32, u32)> {
        let mut before: Vec<Option<(u32, u32)>> = vec![None; self.edges.len()];
        let mut seen = vec![false; self.edges.len()];
        let mut queue: VecDeque<u32> = from.iter().copied().collect();
        from.iter().for_each(|&node| seen[node as usize] = true);
        while let Some(node) = queue.pop_front() {
            for (index, edge) in self.edges[node as usize].iter().enumerate() {
                if wanted(edge) {
                    let mut way = vec![(node, index as u32)];
                    let mut at = node;
                    while let Some((earlier, edge)) = before[at as usize] {
                        way.push((earlier, edge));
                        at = earlier;
                    }
                    way.reverse();
                    return way;
                }
                let target = edge.target as usize;
                if allowed(edge.target) && !std::mem::replace(&mut seen[target], true) {
                    before[target] = Some((node, index as u32));
                    queue.push_back(edge.target);
                }
            }
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use everypath_model::Rng;

    use super::*;

    fn random(rng: &mut Rng) -> FairGraph {
        let count = 1 + rng.below(7);
        let deeds: Vec<Box<[Deed]>> =
            [&[][..], &[0], &[1], &[2], &[0, 1]].into_iter().map(Box::from).collect();
        let mut edges = Vec::new();
        for _ in 0..count {
            let edge = |rng: &mut Rng| FairEdge {
                target: rng.below(count) as u32,
                marks: if rng.chance(40) { 1 << rng.below(2) } else { 0 },
                deeds: rng.below(deeds.len()) as u32,
            };
            edges.push((0..rng.below(4)).map(|_| edge(rng)).collect());
        }
        FairGraph { marks: [0, 1, 3][rng.below(3)], initial: vec![0], edges, deeds }
    }

    /// Some set of nodes that can be reached is connected by its own edges, has all marks on them, and does
    /// everything that can be done in it: tried for every set.
    fn naive(graph: &FairGraph) -> bool {
        let count = graph.edges.len();
        let reach = |from: usize, set: u32| {
            let mut seen = 0u32;
            let mut work = vec![from];
            while let Some(node) = work.pop() {
                for edge in &graph.edges[node] {
                    let bit = 1 << edge.target;
                    if set & bit != 0 && seen & bit == 0 {
                        seen |= bit;
                        work.push(edge.target as usize);
                    }
                }
            }
            seen
        };
        let all = reach(0, u32::MAX >> (32 - count)) | 1;
        (1u32..1 << count).filter(|set| set & !all == 0).any(|set| {
            let nodes: Vec<usize> = (0..count).filter(|node| set >> node & 1 == 1).collect();
            if nodes.iter().any(|&node| reach(node, set) != set) {
                return false;
            }
            let edges = || nodes.iter().flat_map(|&node| &graph.edges[node]);
            let inner = || edges().filter(|edge| set >> edge.target & 1 == 1);
            let marks = inner().fold(0, |marks, edge| marks | edge.marks);
            let done: FxHashSet<Deed> = inner().flat_map(|e| graph.of(e)).copied().collect();
            marks & graph.marks == graph.marks
                && edges().flat_map(|edge| graph.of(edge)).all(|deed| done.contains(deed))
        })
    }

    #[test]
    fn random_graphs_have_fair_runs_if_some_set_of_nodes_is_one() {
        let mut rng = Rng::new(4);
        let (mut with, mut without) = (0, 0);
        for number in 0..20_000 {
            let graph = random(&mut rng);
            let found = graph.component();
            assert_eq!(found.is_some(), naive(&graph), "number {number}: {graph:?}");
            let Some(inside) = found else {
                without += 1;
                continue;
            };
            with += 1;
            let names: Vec<Node> = (0..graph.edges.len() as u32).collect();
            let lasso = graph.lasso(&inside, &names);
            let mut at = graph.initial[0];
            for leg in &lasso.stem {
                assert_eq!(leg.node, at);
                at = graph.target(leg.node, leg.edge);
            }
            let (start, mut marks) = (at, 0);
            let (mut able, mut done) = (FxHashSet::default(), FxHashSet::default());
            for leg in &lasso.cycle {
                assert_eq!(leg.node, at);
                let edges = &graph.edges[leg.node as usize];
                able.extend(edges.iter().flat_map(|edge| graph.of(edge)).copied());
                done.extend(graph.of(&edges[leg.edge as usize]).iter().copied());
                marks |= edges[leg.edge as usize].marks;
                at = edges[leg.edge as usize].target;
            }
            assert!(at == start && !lasso.cycle.is_empty(), "number {number}");
            assert_eq!(marks & graph.marks, graph.marks, "number {number}");
            assert!(able.is_subset(&done), "number {number}");
        }
        assert!(with > 2_000 && without > 2_000, "{with} {without}");
    }
}
