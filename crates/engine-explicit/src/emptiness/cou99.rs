//! Couvreur's check: depth first, with the strongly connected components of the run under way on a
//! second stack, each with the marks between its nodes.

use super::{Edge, Graph, Node, Tally};
use crate::outcome::Stopped;

/// Nobody was there.
const UNSEEN: u32 = 0;
/// Its component was left, and has no accepting run.
const LEFT: u32 = u32::MAX;

/// A node on the run under way.
#[derive(Clone, Copy)]
struct Open {
    node: Node,
    next: u32,
    degree: u32,
}

/// A component on the run under way.
struct Component {
    /// The rank of its first node.
    root: u32,
    /// The marks of the edge into it.
    entered: u64,
    /// The marks of the edges inside.
    marks: u64,
}

/// The nodes that a search has seen, with an accepting component among them.
pub(super) struct Found {
    ranks: Vec<u32>,
    root: u32,
    /// The run to it: nodes with the edge that was taken.
    pub path: Vec<(Node, u32)>,
    /// How many nodes were seen.
    pub seen: u64,
}

impl Found {
    /// Whether a node was seen.
    pub fn seen(&self, node: Node) -> bool {
        self.rank(node) != UNSEEN
    }

    /// Whether a node lies in the component.
    pub fn inside(&self, node: Node) -> bool {
        let rank = self.rank(node);
        rank != LEFT && rank >= self.root
    }

    fn rank(&self, node: Node) -> u32 {
        self.ranks.get(node as usize).copied().unwrap_or(UNSEEN)
    }
}

/// Searches the nodes that are allowed for an accepting component.
pub(super) fn search<G: Graph>(
    graph: &mut G,
    tally: &mut Tally<'_>,
    allowed: &dyn Fn(Node) -> bool,
) -> Result<Option<Found>, Stopped> {
    let mut search = Search {
        all: graph.marks(),
        ranks: Vec::new(),
        live: Vec::new(),
        open: Vec::new(),
        components: Vec::new(),
    };
    for first in graph.initial()? {
        if !allowed(first) || search.rank(first) != UNSEEN {
            continue;
        }
        search.push(graph, tally, first, 0)?;
        while let Some(top) = search.open.last_mut() {
            if top.next == top.degree {
                search.pop();
                continue;
            }
            let (node, index) = (top.node, top.next);
            top.next += 1;
            tally.edge()?;
            let Edge { marks, target } = graph.edge(node, index)?;
            match search.rank(target) {
                UNSEEN if allowed(target) => search.push(graph, tally, target, marks)?,
                UNSEEN | LEFT => {}
                rank => {
                    if search.merge(marks, rank) {
                        return Ok(Some(search.found(tally.counts.nodes)));
                    }
                }
            }
        }
    }
    Ok(None)
}

struct Search {
    all: u64,
    /// The place of a node in `live`, from 1.
    ranks: Vec<u32>,
    /// The nodes of components on the run under way, in the order they came.
    live: Vec<Node>,
    open: Vec<Open>,
    components: Vec<Component>,
}

impl Search {
    #[inline]
    fn rank(&self, node: Node) -> u32 {
        self.ranks.get(node as usize).copied().unwrap_or(UNSEEN)
    }

    fn push<G: Graph>(
        &mut self,
        graph: &mut G,
        tally: &mut Tally<'_>,
        node: Node,
        entered: u64,
    ) -> Result<(), Stopped> {
        let degree = graph.degree(node)?;
        if self.ranks.len() <= node as usize {
            self.ranks.resize(node as usize + 1, UNSEEN);
        }
        self.live.push(node);
        let root = self.live.len() as u32;
        self.ranks[node as usize] = root;
        self.components.push(Component { root, entered, marks: 0 });
        self.open.push(Open { node, next: 0, degree });
        tally.node(self.open.len(), self.bytes());
        Ok(())
    }

    fn pop(&mut self) {
        let Some(done) = self.open.pop() else { return };
        let rank = self.rank(done.node);
        if self.components.last().is_some_and(|component| component.root == rank) {
            self.components.pop();
            for node in self.live.drain(rank as usize - 1..) {
                self.ranks[node as usize] = LEFT;
            }
        }
    }

    /// Takes an edge back to a node of this rank: everything from there on is one component.
    /// Whether it has all marks.
    fn merge(&mut self, mut marks: u64, rank: u32) -> bool {
        while let Some(top) = self.components.last_mut() {
            if top.root <= rank {
                top.marks |= marks;
                return top.marks & self.all == self.all;
            }
            marks |= top.marks | top.entered;
            self.components.pop();
        }
        false
    }

    fn found(self, seen: u64) -> Found {
        let root = self.components.last().map_or(LEFT, |top| top.root);
        let inside = |open: &&Open| self.ranks[open.node as usize] < root;
        let path = self.open.iter().take_while(inside).map(|open| (open.node, open.next - 1));
        let path = path.collect();
        Found { ranks: self.ranks, root, path, seen }
    }

    fn bytes(&self) -> u64 {
        let lists = self.ranks.capacity() * 4
            + self.live.capacity() * 4
            + self.open.capacity() * size_of::<Open>()
            + self.components.capacity() * size_of::<Component>();
        lists as u64
    }
}
