//! From an accepting run to a short one. The search that found it says where there is one; here the nodes near the
//! initial ones are looked at again, level by level, for a way into an accepting component and a way around in it
//! that are shorter together.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::lasso::{Lasso, Leg};
use super::{Graph, Node};
use crate::outcome::Stopped;

/// With more marks than this a way around remembers many sets of them, which is too much for a short run.
const MOST_MARKS: u32 = 8;

/// How much may be spent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// Nodes around the initial ones.
    pub nodes: usize,
    /// Nodes that ways around are looked for in, each time.
    pub visits: usize,
}

impl Budget {
    /// For a short run, whatever it costs to find the shortest one.
    pub const SMALL: Budget = Budget { nodes: 50_000, visits: 300_000 };
    /// For a shortest run.
    pub const NONE: Budget = Budget { nodes: usize::MAX, visits: usize::MAX };
}

/// What is known of the nodes near the initial ones, in the order of their distance.
#[derive(Default)]
struct Near {
    nodes: Vec<Node>,
    /// Distance and the edge that led there.
    ways: FxHashMap<Node, (u32, Option<Leg>)>,
}

/// The shortest accepting run, stem and cycle together, as far as the budget goes; `lasso` if none is shorter.
/// `pulse` is asked now and then.
pub(super) fn shorten<G: Graph>(
    graph: &mut G,
    lasso: Lasso,
    mut budget: Budget,
    pulse: &mut dyn FnMut() -> Result<(), Stopped>,
) -> Lasso {
    let mut best = lasso;
    // What could not be looked at leaves a longer run.
    let _ = look(graph, &mut best, &mut budget, pulse);
    best
}

fn look<G: Graph>(
    graph: &mut G,
    best: &mut Lasso,
    budget: &mut Budget,
    pulse: &mut dyn FnMut() -> Result<(), Stopped>,
) -> Result<(), Stopped> {
    let marks = graph.marks();
    if marks.count_ones() > MOST_MARKS && budget.visits < usize::MAX {
        return Ok(());
    }
    let near = near(graph, length(best), budget.nodes, pulse)?;
    let components = components(graph, &near, marks, pulse)?;
    for &start in &near.nodes {
        let (distance, _) = near.ways[&start];
        let Some(room) = length(best).checked_sub(distance as usize + 1).filter(|&room| room > 0)
        else {
            return Ok(());
        };
        let Some(&component) = components.get(&start) else { continue };
        let inside = |node: Node| components.get(&node) == Some(&component);
        if let Some(cycle) = around(graph, start, &inside, room, &mut budget.visits, pulse)? {
            *best = Lasso { stem: near.way(start), cycle };
        }
        if budget.visits == 0 {
            return Ok(());
        }
    }
    Ok(())
}

fn length(lasso: &Lasso) -> usize {
    lasso.stem.len() + lasso.cycle.len()
}

/// The nodes nearer to the initial ones than `limit`.
fn near<G: Graph>(
    graph: &mut G,
    limit: usize,
    most: usize,
    pulse: &mut dyn FnMut() -> Result<(), Stopped>,
) -> Result<Near, Stopped> {
    let mut near = Near::default();
    for node in graph.initial()? {
        if near.ways.insert(node, (0, None)).is_none() {
            near.nodes.push(node);
        }
    }
    let mut next = 0;
    while let Some(&node) = near.nodes.get(next) {
        next += 1;
        if next.is_multiple_of(1024) {
            pulse()?;
        }
        let (distance, _) = near.ways[&node];
        if distance as usize + 1 >= limit || near.nodes.len() >= most {
            continue;
        }
        for index in 0..graph.degree(node)? {
            let target = graph.edge(node, index)?.target;
            near.ways.entry(target).or_insert_with(|| {
                near.nodes.push(target);
                (distance + 1, Some(Leg { node, edge: index }))
            });
        }
    }
    Ok(near)
}

impl Near {
    /// A shortest way to a node.
    fn way(&self, node: Node) -> Vec<Leg> {
        let mut way: Vec<Leg> = Vec::new();
        let mut at = node;
        while let Some((_, Some(leg))) = self.ways.get(&at) {
            way.push(*leg);
            at = leg.node;
        }
        way.reverse();
        way
    }
}

/// A node whose edges are being followed.
struct Open {
    node: Node,
    next: u32,
    degree: u32,
}

/// The number of the component of each node that lies in an accepting one, all among the nodes that are near
/// (Tarjan's algorithm).
fn components<G: Graph>(
    graph: &mut G,
    near: &Near,
    all: u64,
    pulse: &mut dyn FnMut() -> Result<(), Stopped>,
) -> Result<FxHashMap<Node, u32>, Stopped> {
    let mut found: FxHashMap<Node, u32> = FxHashMap::default();
    // Ranks, and the least rank that is reached; whether a node still waits for its component.
    let mut ranks: FxHashMap<Node, (u32, u32)> = FxHashMap::default();
    let mut waiting: Vec<Node> = Vec::new();
    let mut on_stack: FxHashSet<Node> = FxHashSet::default();
    let mut open: Vec<Open> = Vec::new();
    let mut count = 0;
    for &root in &near.nodes {
        if ranks.contains_key(&root) {
            continue;
        }
        open.push(Open { node: root, next: 0, degree: graph.degree(root)? });
        enter(root, &mut ranks, &mut waiting, &mut on_stack);
        while let Some(top) = open.last_mut() {
            let node = top.node;
            if top.next < top.degree {
                let target = graph.edge(node, top.next)?.target;
                top.next += 1;
                match ranks.get(&target).copied() {
                    None if near.ways.contains_key(&target) => {
                        if ranks.len().is_multiple_of(1024) {
                            pulse()?;
                        }
                        enter(target, &mut ranks, &mut waiting, &mut on_stack);
                        open.push(Open { node: target, next: 0, degree: graph.degree(target)? });
                    }
                    Some((rank, _)) if on_stack.contains(&target) => lower(&mut ranks, node, rank),
                    _ => {}
                }
                continue;
            }
            open.pop();
            let (rank, low) = ranks[&node];
            if let Some(below) = open.last() {
                lower(&mut ranks, below.node, low);
            }
            if low < rank {
                continue;
            }
            let from = waiting.iter().rposition(|&one| one == node).unwrap_or(0);
            let members = waiting.split_off(from);
            for member in &members {
                on_stack.remove(member);
            }
            if is_accepting(graph, &members, all)? {
                found.extend(members.into_iter().map(|member| (member, count)));
                count += 1;
            }
        }
    }
    Ok(found)
}

fn enter(
    node: Node,
    ranks: &mut FxHashMap<Node, (u32, u32)>,
    waiting: &mut Vec<Node>,
    on_stack: &mut FxHashSet<Node>,
) {
    let rank = ranks.len() as u32;
    ranks.insert(node, (rank, rank));
    waiting.push(node);
    on_stack.insert(node);
}

fn lower(ranks: &mut FxHashMap<Node, (u32, u32)>, node: Node, rank: u32) {
    if let Some((_, low)) = ranks.get_mut(&node) {
        *low = (*low).min(rank);
    }
}

/// Whether the edges between some nodes have all marks, and there is one.
fn is_accepting<G: Graph>(graph: &mut G, members: &[Node], all: u64) -> Result<bool, Stopped> {
    let inside: FxHashSet<Node> = members.iter().copied().collect();
    let (mut marks, mut edges) = (0, false);
    for &node in members {
        for index in 0..graph.degree(node)? {
            let edge = graph.edge(node, index)?;
            if inside.contains(&edge.target) {
                marks |= edge.marks;
                edges = true;
            }
        }
    }
    Ok(edges && marks & all == all)
}

/// A place on a way around: a node, and the marks that were passed.
type Place = (Node, u64);

/// A shortest way from a node back to it past all marks, of at most `room` edges.
fn around<G: Graph>(
    graph: &mut G,
    start: Node,
    inside: &dyn Fn(Node) -> bool,
    room: usize,
    visits: &mut usize,
    pulse: &mut dyn FnMut() -> Result<(), Stopped>,
) -> Result<Option<Vec<Leg>>, Stopped> {
    let all = graph.marks();
    let mut before: FxHashMap<Place, (Place, Leg)> = FxHashMap::default();
    let mut queue: VecDeque<(Place, usize)> = VecDeque::from([((start, 0), 0)]);
    while let Some((place, distance)) = queue.pop_front() {
        if *visits == 0 || distance >= room {
            return Ok(None);
        }
        *visits -= 1;
        if (*visits).is_multiple_of(1024) {
            pulse()?;
        }
        let (node, had) = place;
        for index in 0..graph.degree(node)? {
            let edge = graph.edge(node, index)?;
            if !inside(edge.target) {
                continue;
            }
            let next = (edge.target, had | edge.marks & all);
            let leg = Leg { node, edge: index };
            if next == (start, all) {
                let mut cycle = vec![leg];
                let mut at = place;
                while at != (start, 0) {
                    let (earlier, leg) = before[&at];
                    cycle.push(leg);
                    at = earlier;
                }
                cycle.reverse();
                return Ok(Some(cycle));
            }
            if next != (start, 0) && !before.contains_key(&next) {
                before.insert(next, (place, leg));
                queue.push_back((next, distance + 1));
            }
        }
    }
    Ok(None)
}
