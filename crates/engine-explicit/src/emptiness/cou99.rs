//! Couvreur's check: depth first, with the strongly connected components of the run under way on a
//! second stack, each with the marks between its nodes.
//!
//! A component that is left for good has to be taken out of the search. Either its nodes are on a list
//! ([`Leave::Listed`]), or they are found again by their edges ([`Leave::Searched`]): that follows
//! most edges twice, but only the run under way is on a stack.

use super::lasso::Leg;
use super::walk::{Open, bytes, entry, slot};
use super::{Edge, Graph, Node, Tally};
use crate::outcome::Stopped;

/// Nobody was there.
pub(super) const UNSEEN: u32 = 0;
/// Its component was left, and has no accepting run.
pub(super) const LEFT: u32 = u32::MAX;

/// How the nodes of a component that is left are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// They are on a list.
    Listed,
    /// From the first of them, by their edges.
    Searched,
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

/// The components on the run under way.
#[derive(Default)]
pub(super) struct Components(Vec<Component>);

impl Components {
    /// One of a single node.
    pub fn push(&mut self, root: u32, entered: u64) {
        self.0.push(Component { root, entered, marks: 0 });
    }

    /// Takes an edge back to a node of this rank: everything from there on is one component, whose
    /// marks are returned. Those of the edge into it are not among them.
    pub fn merge(&mut self, mut marks: u64, rank: u32) -> u64 {
        while let Some(top) = self.0.last_mut() {
            if top.root <= rank {
                top.marks |= marks;
                return top.marks;
            }
            marks |= top.marks | top.entered;
            self.0.pop();
        }
        marks
    }

    /// Takes the last one away if this is the rank of its first node. Whether it is.
    pub fn leave(&mut self, rank: u32) -> bool {
        self.0.pop_if(|top| top.root == rank).is_some()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn bytes(&self) -> u64 {
        bytes(&self.0)
    }
}

/// The nodes that a search has seen, with an accepting component among them.
pub(super) struct Found {
    ranks: Vec<u32>,
    root: u32,
    /// The run to it: nodes with the edge that was taken.
    pub path: Vec<Leg>,
    /// How many nodes were seen.
    pub seen: u64,
}

impl Found {
    /// Nodes by their ranks, the component being those from the rank `root` on.
    pub fn new(ranks: Vec<u32>, root: u32, path: Vec<Leg>, seen: u64) -> Found {
        Found { ranks, root, path, seen }
    }

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
        entry(&self.ranks, node)
    }
}

/// Searches the nodes that are allowed for an accepting component.
pub(super) fn search<G: Graph>(
    graph: &mut G,
    tally: &mut Tally<'_>,
    leave: Leave,
    allowed: &dyn Fn(Node) -> bool,
) -> Result<Option<Found>, Stopped> {
    let mut search = Search {
        all: graph.marks(),
        leave,
        ranks: Vec::new(),
        last: 0,
        live: Vec::new(),
        open: Vec::new(),
        components: Components::default(),
    };
    for first in graph.initial()? {
        if !allowed(first) || search.rank(first) != UNSEEN {
            continue;
        }
        search.push(graph, tally, first, 0)?;
        while let Some(top) = search.open.last_mut() {
            let Some(Edge { marks, target }) = top.next(graph, tally)? else {
                search.pop(graph, tally)?;
                continue;
            };
            match search.rank(target) {
                UNSEEN if allowed(target) => search.push(graph, tally, target, marks)?,
                UNSEEN | LEFT => {}
                rank => {
                    if search.components.merge(marks, rank) & search.all == search.all {
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
    leave: Leave,
    /// By node: from 1 in the order they came; components that were left may be counted again.
    ranks: Vec<u32>,
    /// The last of them.
    last: u32,
    /// The nodes of components on the run under way by their ranks, if they are listed.
    live: Vec<Node>,
    open: Vec<Open>,
    components: Components,
}

impl Search {
    #[inline]
    fn rank(&self, node: Node) -> u32 {
        entry(&self.ranks, node)
    }

    fn push<G: Graph>(
        &mut self,
        graph: &mut G,
        tally: &mut Tally<'_>,
        node: Node,
        entered: u64,
    ) -> Result<(), Stopped> {
        let open = Open::new(graph, node)?;
        if self.last == LEFT - 1 {
            return Err(Stopped::StateLimit);
        }
        self.last += 1;
        let root = self.last;
        *slot(&mut self.ranks, node) = root;
        self.components.push(root, entered);
        self.open.push(open);
        let high = match self.leave {
            Leave::Listed => {
                self.live.push(node);
                self.live.len()
            }
            Leave::Searched => self.open.len(),
        };
        tally.node(high, self.bytes() + graph.bytes());
        Ok(())
    }

    fn pop<G: Graph>(&mut self, graph: &mut G, tally: &mut Tally<'_>) -> Result<(), Stopped> {
        let Some(done) = self.open.pop() else { return Ok(()) };
        let rank = self.rank(done.node);
        if !self.components.leave(rank) {
            return Ok(());
        }
        match self.leave {
            Leave::Listed => {
                for node in self.live.drain(rank as usize - 1..) {
                    self.ranks[node as usize] = LEFT;
                }
                self.last = rank - 1;
                Ok(())
            }
            Leave::Searched => self.search_out(graph, tally, done.node),
        }
    }

    /// Takes a component out, from its first node on. What has a rank and is reached from there
    /// belongs to it.
    fn search_out<G: Graph>(
        &mut self,
        graph: &mut G,
        tally: &mut Tally<'_>,
        root: Node,
    ) -> Result<(), Stopped> {
        self.ranks[root as usize] = LEFT;
        let mut way = vec![Open::new(graph, root)?];
        while let Some(top) = way.last_mut() {
            let Some(edge) = top.next(graph, tally)? else {
                way.pop();
                continue;
            };
            if !matches!(self.rank(edge.target), UNSEEN | LEFT) {
                self.ranks[edge.target as usize] = LEFT;
                way.push(Open::new(graph, edge.target)?);
                tally.high(self.open.len() + way.len());
            }
        }
        Ok(())
    }

    fn found(self, seen: u64) -> Found {
        let root = self.components.0.last().map_or(LEFT, |top| top.root);
        let inside = |open: &&Open| self.ranks[open.node as usize] < root;
        let path = self.open.iter().take_while(inside).map(Open::leg).collect();
        Found::new(self.ranks, root, path, seen)
    }

    fn bytes(&self) -> u64 {
        bytes(&self.ranks) + bytes(&self.live) + bytes(&self.open) + self.components.bytes()
    }
}
