//! One mark for several: marks are waited for in turn, and who has had them all begins again.

use rustc_hash::FxHashMap;

use super::lasso::{Lasso, Leg};
use super::walk::bytes;
use super::{Edge, Graph, Node};
use crate::outcome::Stopped;

/// The only mark.
const MARK: u64 = 1;

/// A graph with one mark at most that has an accepting run where another one has. Its nodes are those of
/// the other one with the number of marks that were had, so there may be as many times more as there
/// are marks.
pub(super) struct OneMark<'g, G> {
    graph: &'g mut G,
    /// The marks that are waited for, in turn.
    marks: Vec<u64>,
    /// Node and marks had; not used if there is one mark or none.
    numbers: FxHashMap<(Node, u8), Node>,
    pairs: Vec<(Node, u8)>,
}

impl<'g, G: Graph> OneMark<'g, G> {
    /// A view of a graph.
    pub fn new(graph: &'g mut G) -> OneMark<'g, G> {
        let all = graph.marks();
        let marks = (0..u64::BITS).map(|bit| 1 << bit).filter(|mark| all & mark != 0).collect();
        OneMark { graph, marks, numbers: FxHashMap::default(), pairs: Vec::new() }
    }

    fn is_plain(&self) -> bool {
        self.marks.len() <= 1
    }

    fn number(&mut self, node: Node, had: u8) -> Result<Node, Stopped> {
        if self.is_plain() {
            return Ok(node);
        }
        if let Some(&known) = self.numbers.get(&(node, had)) {
            return Ok(known);
        }
        let next = Node::try_from(self.pairs.len()).map_err(|_| Stopped::StateLimit)?;
        self.pairs.push((node, had));
        self.numbers.insert((node, had), next);
        Ok(next)
    }

    fn pair(&self, node: Node) -> (Node, u8) {
        if self.is_plain() { (node, 0) } else { self.pairs[node as usize] }
    }

    /// How many marks are had behind an edge, and whether that was the last one.
    fn after(&self, had: u8, marks: u64) -> (u8, bool) {
        let further = |had: usize| {
            let all = self.marks[had..].iter();
            had + all.take_while(|&&mark| marks & mark != 0).count()
        };
        match further(usize::from(had)) {
            all if all == self.marks.len() => match further(0) {
                again if again == self.marks.len() => (0, true),
                again => (again as u8, true),
            },
            some => (some as u8, false),
        }
    }

    /// The run of the other graph in a run of this one.
    pub fn lasso(&self, lasso: &Lasso) -> Lasso {
        let legs = |legs: &[Leg]| -> Vec<Leg> {
            legs.iter().map(|leg| Leg { node: self.pair(leg.node).0, ..*leg }).collect()
        };
        Lasso { stem: legs(&lasso.stem), cycle: legs(&lasso.cycle) }
    }
}

impl<G: Graph> Graph for OneMark<'_, G> {
    fn marks(&self) -> u64 {
        if self.marks.is_empty() { 0 } else { MARK }
    }

    fn initial(&mut self) -> Result<Vec<Node>, Stopped> {
        let nodes = self.graph.initial()?;
        nodes.into_iter().map(|node| self.number(node, 0)).collect()
    }

    fn degree(&mut self, node: Node) -> Result<u32, Stopped> {
        let (node, _) = self.pair(node);
        self.graph.degree(node)
    }

    fn edge(&mut self, node: Node, index: u32) -> Result<Edge, Stopped> {
        let (node, had) = self.pair(node);
        let Edge { marks, target } = self.graph.edge(node, index)?;
        let (had, accepting) = self.after(had, marks);
        let target = self.number(target, had)?;
        Ok(Edge { marks: if accepting { MARK } else { 0 }, target })
    }

    fn bytes(&self) -> u64 {
        // A table of pairs and numbers, with the bytes that tell what is where.
        self.graph.bytes() + self.numbers.capacity() as u64 * 14 + bytes(&self.pairs)
    }
}
