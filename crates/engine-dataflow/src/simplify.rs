//! Smaller graphs with the same sequences of what matters.

use std::collections::BTreeSet;

use crate::graph::{Graph, NodeId};

/// The graph without nodes that nobody reaches, and without most of those that `keep` does not name.
/// Sequences of the others stay the same.
pub fn simplify(graph: &Graph, keep: &dyn Fn(NodeId) -> bool) -> Graph {
    let count = graph.nodes.len();
    let mut reached = vec![false; count];
    // The end of a thread stays, also if it has none.
    let mut work: Vec<NodeId> =
        graph.threads.iter().flat_map(|thread| [thread.begin, thread.end]).collect();
    while let Some(node) = work.pop() {
        if std::mem::replace(&mut reached[node as usize], true) {
            continue;
        }
        let of = &graph.nodes[node as usize];
        work.extend(of.next.iter().chain(of.partner.iter().flat_map(|(_, next)| next)));
    }
    // The two sides of a meeting are apart: side 1 is that of the partner.
    let mut next: Vec<[BTreeSet<NodeId>; 2]> = vec![Default::default(); count];
    let mut before: Vec<BTreeSet<(NodeId, usize)>> = vec![BTreeSet::new(); count];
    for (index, node) in graph.nodes.iter().enumerate().filter(|&(index, _)| reached[index]) {
        let empty = Vec::new();
        let partner = node.partner.as_ref().map_or(&empty, |(_, next)| next);
        for (side, list) in [&node.next, partner].into_iter().enumerate() {
            for &target in list {
                next[index][side].insert(target);
                before[target as usize].insert((index as NodeId, side));
            }
        }
    }
    let mut gone: Vec<bool> = reached.iter().map(|reached| !reached).collect();
    for node in 0..count as NodeId {
        let index = node as usize;
        if gone[index] || graph.nodes[index].partner.is_some() || keep(node) {
            continue;
        }
        let sources: Vec<(NodeId, usize)> =
            before[index].iter().copied().filter(|&(source, _)| source != node).collect();
        let targets: Vec<NodeId> =
            next[index][0].iter().copied().filter(|&target| target != node).collect();
        // A place where many ways meet and part is worth a node.
        if sources.len() * targets.len() > sources.len() + targets.len() {
            continue;
        }
        gone[index] = true;
        for &target in &targets {
            before[target as usize].remove(&(node, 0));
        }
        for &(source, side) in &sources {
            next[source as usize][side].remove(&node);
            for &target in &targets {
                next[source as usize][side].insert(target);
                before[target as usize].insert((source, side));
            }
        }
    }
    let mut place = vec![NodeId::MAX; count];
    let mut kept = 0;
    for index in (0..count).filter(|&index| !gone[index]) {
        place[index] = kept;
        kept += 1;
    }
    let mut made = Graph { nodes: Vec::with_capacity(kept as usize), ..graph.clone() };
    for index in (0..count).filter(|&index| !gone[index]) {
        let list = |side: usize| next[index][side].iter().map(|&n| place[n as usize]).collect();
        let mut node = graph.nodes[index].clone();
        node.next = list(0);
        if let Some((_, partner)) = &mut node.partner {
            *partner = list(1);
        }
        made.nodes.push(node);
    }
    for thread in &mut made.threads {
        thread.begin = place[thread.begin as usize];
        thread.end = place[thread.end as usize];
    }
    made
}
