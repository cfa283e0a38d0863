//! What all depth-first searches need: a node whose edges are followed one after the other, and lists
//! with an entry for every node.

use super::lasso::Leg;
use super::{Edge, Graph, Node, Tally};
use crate::outcome::Stopped;

/// A node on a stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub node: Node,
    next: u32,
    degree: u32,
}

impl Open {
    /// A node none of whose edges was followed yet.
    #[inline]
    pub fn new<G: Graph>(graph: &mut G, node: Node) -> Result<Open, Stopped> {
        Ok(Open { node, next: 0, degree: graph.degree(node)? })
    }

    /// Follows the next edge, if there is one.
    #[inline]
    pub fn next<G: Graph>(
        &mut self,
        graph: &mut G,
        tally: &mut Tally<'_>,
    ) -> Result<Option<Edge>, Stopped> {
        if self.next == self.degree {
            return Ok(None);
        }
        tally.edge()?;
        self.next += 1;
        graph.edge(self.node, self.next - 1).map(Some)
    }

    /// The edge that was followed last; there has to be one.
    pub fn leg(&self) -> Leg {
        Leg { node: self.node, edge: self.next - 1 }
    }
}

/// The entry of a node, made if there is none.
#[inline]
pub(super) fn slot<T: Copy + Default>(list: &mut Vec<T>, node: Node) -> &mut T {
    let at = node as usize;
    if list.len() <= at {
        list.resize(at + 1, T::default());
    }
    &mut list[at]
}

/// The entry of a node, the default if there is none.
#[inline]
pub(super) fn entry<T: Copy + Default>(list: &[T], node: Node) -> T {
    list.get(node as usize).copied().unwrap_or_default()
}

/// Bytes of a list.
pub(super) fn bytes<T>(list: &Vec<T>) -> u64 {
    (list.capacity() * size_of::<T>()) as u64
}

/// The nodes that a search has been to.
#[derive(Debug)]
pub(super) struct Seen(Vec<bool>);

impl Seen {
    /// By a list with an entry for every node.
    pub fn by<T>(list: &[T], seen: impl Fn(&T) -> bool) -> Seen {
        Seen(list.iter().map(seen).collect())
    }

    /// Whether it was there.
    pub fn has(&self, node: Node) -> bool {
        entry(&self.0, node)
    }
}
