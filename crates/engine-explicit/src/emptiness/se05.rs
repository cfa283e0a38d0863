//! The nested search with colours, for one mark (Schwoon and Esparza 2005): it answers as soon as a
//! search comes to a node on the first stack, instead of looking for one node.
//!
//! With weights, a node on the stack also knows how many marked edges lead to it. Then an edge back to it
//! is enough if one was passed in between, without a second search.

use super::walk::{Open, Seen, bytes, entry, slot};
use super::{Edge, Graph, Node, Tally};
use crate::outcome::Stopped;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Colour {
    #[default]
    Unseen,
    /// On the first stack.
    Cyan,
    /// The first search has left it.
    Blue,
    /// The second search was there.
    Red,
}

struct Search {
    all: u64,
    colours: Vec<Colour>,
    /// The first search: a node, and whether the edge to it is marked.
    blue: Vec<(Open, bool)>,
    red: Vec<Open>,
    /// By node on the first stack, how many marked edges lead to it.
    weights: Option<Vec<u32>>,
    /// How many lead to the last one.
    weight: u32,
}

/// The nodes that were seen, if there is an accepting run through them.
pub(super) fn search<G: Graph>(
    graph: &mut G,
    tally: &mut Tally<'_>,
    weighted: bool,
) -> Result<Option<Seen>, Stopped> {
    let mut search = Search {
        all: graph.marks(),
        colours: Vec::new(),
        blue: Vec::new(),
        red: Vec::new(),
        weights: weighted.then(Vec::new),
        weight: 0,
    };
    for first in graph.initial()? {
        if entry(&search.colours, first) != Colour::Unseen {
            continue;
        }
        search.push(graph, tally, first, false)?;
        while let Some((top, _)) = search.blue.last_mut() {
            let found = match top.next(graph, tally)? {
                Some(Edge { marks, target }) => {
                    let marked = marks & search.all == search.all;
                    match entry(&search.colours, target) {
                        Colour::Unseen => {
                            search.push(graph, tally, target, marked)?;
                            false
                        }
                        Colour::Cyan => marked || search.passed_since(target),
                        Colour::Blue => marked && search.red(graph, tally, target)?,
                        Colour::Red => false,
                    }
                }
                None => search.pop(graph, tally)?,
            };
            if found {
                return Ok(Some(Seen::by(&search.colours, |&colour| colour != Colour::Unseen)));
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
        marked: bool,
    ) -> Result<(), Stopped> {
        let open = Open::new(graph, node)?;
        *slot(&mut self.colours, node) = Colour::Cyan;
        self.blue.push((open, marked));
        self.weight += u32::from(marked);
        let mut held = bytes(&self.colours) + bytes(&self.blue) + bytes(&self.red) + graph.bytes();
        if let Some(weights) = &mut self.weights {
            *slot(weights, node) = self.weight;
            held += bytes(weights);
        }
        tally.node(self.blue.len(), held);
        Ok(())
    }

    fn pop<G: Graph>(&mut self, graph: &mut G, tally: &mut Tally<'_>) -> Result<bool, Stopped> {
        let Some((done, marked)) = self.blue.pop() else { return Ok(false) };
        self.weight -= u32::from(marked);
        self.colours[done.node as usize] = Colour::Blue;
        if marked { self.red(graph, tally, done.node) } else { Ok(false) }
    }

    /// Whether a marked edge was passed since this node of the first stack.
    fn passed_since(&self, node: Node) -> bool {
        self.weights.as_ref().is_some_and(|weights| self.weight > entry(weights, node))
    }

    /// The second search, from a node behind a marked edge.
    fn red<G: Graph>(
        &mut self,
        graph: &mut G,
        tally: &mut Tally<'_>,
        from: Node,
    ) -> Result<bool, Stopped> {
        self.colours[from as usize] = Colour::Red;
        self.red.clear();
        self.red.push(Open::new(graph, from)?);
        tally.high(self.blue.len() + 1);
        while let Some(top) = self.red.last_mut() {
            let Some(Edge { target, .. }) = top.next(graph, tally)? else {
                self.red.pop();
                continue;
            };
            match entry(&self.colours, target) {
                Colour::Cyan => return Ok(true),
                Colour::Blue => {
                    self.colours[target as usize] = Colour::Red;
                    self.red.push(Open::new(graph, target)?);
                    tally.high(self.blue.len() + self.red.len());
                }
                Colour::Unseen | Colour::Red => {}
            }
        }
        Ok(false)
    }
}
