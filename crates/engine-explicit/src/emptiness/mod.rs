//! Whether some run of a graph passes each of a set of marks again and again.
//!
//! The graph is made while it is looked at: [`Graph`] numbers its nodes as they are met. [`check()`]
//! answers with one of several methods; a run that it finds is a [`Lasso`], made by one piece of code
//! whatever the method, since all a method has to say is which nodes it has seen.

mod cou99;
mod lasso;
mod numbered;
mod product;
mod reach;
#[cfg(test)]
mod tests;

pub use lasso::{Lasso, Leg};
pub use numbered::{Letter, Numbered};
pub use product::{Run, RunStep, Sought, seek};

use crate::outcome::Stopped;

/// A node of a graph.
pub type Node = u32;

/// An edge of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// What it is marked with.
    pub marks: u64,
    /// Where it leads.
    pub target: Node,
}

/// A graph with marks on its edges. Nodes are small numbers, given as they are met.
pub trait Graph {
    /// What an accepting run passes again and again; none if every infinite run is accepting.
    fn marks(&self) -> u64;

    /// Where runs begin.
    fn initial(&mut self) -> Result<Vec<Node>, Stopped>;

    /// How many edges a node has: the same whenever it is asked.
    fn degree(&mut self, node: Node) -> Result<u32, Stopped>;

    /// One of them: the same whenever it is asked.
    fn edge(&mut self, node: Node, index: u32) -> Result<Edge, Stopped>;
}

/// How a graph is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// Strongly connected components while they grow (Couvreur 1999): any number of marks at no cost.
    #[default]
    Cou99,
}

/// What a check did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    /// Nodes that were reached.
    pub nodes: u64,
    /// Edges that were followed, each time that they were.
    pub edges: u64,
    /// The greatest number of nodes on the stack.
    pub depth: u64,
    /// Bytes of the method itself, not of the graph.
    pub bytes: u64,
}

/// The account of a check, and who looks at it.
pub struct Tally<'a> {
    /// What was done.
    pub counts: Counts,
    /// Called now and then; ends the check with what it returns.
    pulse: &'a mut dyn FnMut(&Counts) -> Result<(), Stopped>,
    left: u32,
}

/// Edges between two looks at the clock.
const PULSE: u32 = 1 << 12;

impl<'a> Tally<'a> {
    /// An account that begins.
    pub fn new(pulse: &'a mut dyn FnMut(&Counts) -> Result<(), Stopped>) -> Tally<'a> {
        Tally { counts: Counts::default(), pulse, left: PULSE }
    }

    /// Counts an edge.
    #[inline]
    fn edge(&mut self) -> Result<(), Stopped> {
        self.counts.edges += 1;
        self.left -= 1;
        if self.left == 0 {
            self.left = PULSE;
            (self.pulse)(&self.counts)?;
        }
        Ok(())
    }

    /// Counts a node that was reached, the stack being so high.
    #[inline]
    fn node(&mut self, depth: usize, bytes: u64) {
        self.counts.nodes += 1;
        self.counts.depth = self.counts.depth.max(depth as u64);
        self.counts.bytes = bytes;
    }
}

/// Looks for an accepting run; `None` if there is none.
pub fn check<G: Graph>(
    graph: &mut G,
    method: Method,
    tally: &mut Tally<'_>,
) -> Result<Option<Lasso>, Stopped> {
    match method {
        Method::Cou99 => {
            let Some(found) = cou99::search(graph, tally, &|_| true)? else { return Ok(None) };
            lasso::make(graph, &found).map(Some)
        }
    }
}
