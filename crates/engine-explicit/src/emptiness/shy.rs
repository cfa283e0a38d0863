//! Couvreur's check in an order of its own: edges to nodes that were seen are followed first, since they
//! make components grow without new nodes. Either among the edges of a node, or among those of all nodes
//! of the last component.

use std::collections::BTreeSet;

use super::cou99::{Components, LEFT, UNSEEN};
use super::walk::{Seen, bytes, entry, slot};
use super::{Edge, Graph, Node, Tally};
use crate::outcome::Stopped;

/// Whose edges are put in order together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// Those of one node.
    Node,
    /// Those of all nodes of a component.
    Component,
}

/// An edge that waits.
#[derive(Clone, Copy)]
struct Pending {
    edge: Edge,
    /// Another one to the same target, from 1.
    same: u32,
    /// It was followed.
    done: bool,
}

/// The owner of some edges that wait: a node, or a component by its first node.
#[derive(Clone, Copy)]
struct Frame {
    node: Node,
    /// Its edges are those from here on.
    begin: u32,
}

struct Search {
    all: u64,
    group: Group,
    ranks: Vec<u32>,
    /// The nodes of components on the run under way, by their ranks.
    live: Vec<Node>,
    components: Components,
    frames: Vec<Frame>,
    pending: Vec<Pending>,
    /// Those of them whose targets were seen and that were not followed.
    ready: BTreeSet<u32>,
    /// By node that was not seen: the last edge to it that waits, from 1.
    waiting: Vec<u32>,
}

/// The nodes that were seen, if there is an accepting run through them.
pub(super) fn search<G: Graph>(
    graph: &mut G,
    tally: &mut Tally<'_>,
    group: Group,
) -> Result<Option<Seen>, Stopped> {
    let mut search = Search {
        all: graph.marks(),
        group,
        ranks: Vec::new(),
        live: Vec::new(),
        components: Components::default(),
        frames: Vec::new(),
        pending: Vec::new(),
        ready: BTreeSet::new(),
        waiting: Vec::new(),
    };
    for first in graph.initial()? {
        if entry(&search.ranks, first) != UNSEEN {
            continue;
        }
        search.push(graph, tally, first, 0)?;
        while let Some(&frame) = search.frames.last() {
            let Some(Edge { marks, target }) = search.take(frame.begin) else {
                search.pop(frame);
                continue;
            };
            match entry(&search.ranks, target) {
                UNSEEN => search.push(graph, tally, target, marks)?,
                LEFT => {}
                rank => {
                    let marks = search.components.merge(marks, rank);
                    if marks & search.all == search.all {
                        return Ok(Some(Seen::by(&search.ranks, |&rank| rank != UNSEEN)));
                    }
                    if search.group == Group::Component {
                        search.frames.truncate(search.components.len());
                    }
                }
            }
        }
    }
    Ok(None)
}

impl Search {
    fn push<G: Graph>(
        &mut self,
        graph: &mut G,
        tally: &mut Tally<'_>,
        node: Node,
        entered: u64,
    ) -> Result<(), Stopped> {
        self.live.push(node);
        let rank = self.live.len() as u32;
        *slot(&mut self.ranks, node) = rank;
        self.components.push(rank, entered);
        // Whoever waited for this node need not wait any more.
        let mut waits = std::mem::take(slot(&mut self.waiting, node));
        while waits != 0 {
            let pending = &self.pending[waits as usize - 1];
            self.ready.insert(waits - 1);
            waits = pending.same;
        }
        let begin = u32::try_from(self.pending.len()).map_err(|_| Stopped::StateLimit)?;
        self.frames.push(Frame { node, begin });
        for index in 0..graph.degree(node)? {
            tally.edge()?;
            let edge = graph.edge(node, index)?;
            let at = u32::try_from(self.pending.len()).map_err(|_| Stopped::StateLimit)?;
            let same = match entry(&self.ranks, edge.target) {
                UNSEEN => std::mem::replace(slot(&mut self.waiting, edge.target), at + 1),
                _ => {
                    self.ready.insert(at);
                    0
                }
            };
            self.pending.push(Pending { edge, same, done: false });
        }
        let lists = bytes(&self.ranks) + bytes(&self.live) + bytes(&self.waiting);
        let stacks = self.components.bytes() + bytes(&self.frames) + bytes(&self.pending);
        let held = lists + stacks + self.ready.len() as u64 * 8 + graph.bytes();
        tally.node(self.live.len() + self.pending.len(), held);
        Ok(())
    }

    /// An edge of the last frame: one whose target was seen, else the last one.
    fn take(&mut self, begin: u32) -> Option<Edge> {
        if let Some(&at) = self.ready.last().filter(|&&at| at >= begin) {
            self.ready.remove(&at);
            let pending = &mut self.pending[at as usize];
            pending.done = true;
            return Some(pending.edge);
        }
        while self.pending.len() > begin as usize {
            let last = self.pending.pop()?;
            if !last.done {
                // It stops waiting: it was the last one that began to wait for its target.
                self.waiting[last.edge.target as usize] = last.same;
                return Some(last.edge);
            }
        }
        None
    }

    /// All edges of a frame were followed.
    fn pop(&mut self, frame: Frame) {
        self.frames.pop();
        let rank = self.ranks[frame.node as usize];
        if self.components.leave(rank) {
            for node in self.live.drain(rank as usize - 1..) {
                self.ranks[node as usize] = LEFT;
            }
        }
    }
}
