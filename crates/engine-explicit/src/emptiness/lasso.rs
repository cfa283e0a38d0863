//! From an accepting component to a run: the shortest way into it, then around.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::cou99::Found;
use super::{Graph, Node};
use crate::outcome::Stopped;

/// Above this many nodes the way into the component is the one that the search took.
const SMALL: u64 = 4_000_000;

/// A node, and which of its edges is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The node.
    pub node: Node,
    /// Its edge.
    pub edge: u32,
}

/// An infinite run: once through the stem, then around the cycle for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// From an initial node to the first one of the cycle.
    pub stem: Vec<Leg>,
    /// From there and back to it; never empty.
    pub cycle: Vec<Leg>,
}

/// An accepting run through the component that was found.
pub(super) fn make<G: Graph>(graph: &mut G, found: &Found) -> Result<Lasso, Stopped> {
    let initial = graph.initial()?;
    let shortest = match found.seen <= SMALL {
        true => walk(graph, &initial, &|node| found.seen(node), &|node, _| found.inside(node))?,
        false => None,
    };
    let stem = match initial.iter().any(|&node| found.inside(node)) {
        true => Vec::new(),
        false => shortest.unwrap_or_else(|| found.path.clone()),
    };
    let start = match stem.last() {
        Some(last) => graph.edge(last.node, last.edge)?.target,
        None => *initial.iter().find(|&&node| found.inside(node)).unwrap_or(&0),
    };
    let inside = |node: Node| found.inside(node);
    let mut missing = graph.marks();
    let mut cycle: Vec<Leg> = Vec::new();
    let mut here = start;
    while missing != 0 {
        let Some(way) = walk(graph, &[here], &inside, &|_, marks| marks & missing != 0)? else {
            break;
        };
        for leg in way {
            let edge = graph.edge(leg.node, leg.edge)?;
            missing &= !edge.marks;
            here = edge.target;
            cycle.push(leg);
        }
    }
    if here != start || cycle.is_empty() {
        let back = walk(graph, &[here], &inside, &|node, _| node == start)?;
        cycle.extend(back.unwrap_or_default());
    }
    Ok(Lasso { stem, cycle })
}

/// A shortest way of one edge or more from some nodes to an edge that is wanted, by its target and
/// its marks, through nodes that are allowed.
fn walk<G: Graph>(
    graph: &mut G,
    from: &[Node],
    allowed: &dyn Fn(Node) -> bool,
    wanted: &dyn Fn(Node, u64) -> bool,
) -> Result<Option<Vec<Leg>>, Stopped> {
    let mut before: FxHashMap<Node, Option<Leg>> = FxHashMap::default();
    let mut queue: VecDeque<Node> = VecDeque::new();
    for &node in from {
        if before.insert(node, None).is_none() {
            queue.push_back(node);
        }
    }
    while let Some(node) = queue.pop_front() {
        for index in 0..graph.degree(node)? {
            let edge = graph.edge(node, index)?;
            let leg = Leg { node, edge: index };
            if !allowed(edge.target) {
                continue;
            }
            if wanted(edge.target, edge.marks) {
                let mut way = vec![leg];
                while let Some(Some(leg)) = way.last().and_then(|leg| before.get(&leg.node)) {
                    way.push(*leg);
                }
                way.reverse();
                return Ok(Some(way));
            }
            before.entry(edge.target).or_insert_with(|| {
                queue.push_back(edge.target);
                Some(leg)
            });
        }
    }
    Ok(None)
}
