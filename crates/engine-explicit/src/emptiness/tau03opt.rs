//! The nested search for any number of marks, with early answers (Couvreur, Duret-Lutz and Poitrenaud
//! 2005): marks are brought on as soon as an edge was followed, and every search answers at a node of
//! the first stack if what was brought there, what it brings and what lies on the stack in between are
//! all marks.

use super::trail::Trail;
use super::walk::{Open, Seen, bytes, entry, slot};
use super::{Edge, Graph, Node, Tally};
use crate::outcome::Stopped;

const UNSEEN: u32 = 0;
/// The first search has left it.
const BLUE: u32 = u32::MAX;

struct Search {
    all: u64,
    /// By node: its height on the first stack, from 1.
    heights: Vec<u32>,
    /// By node: the marks that were brought to it.
    brought: Vec<u64>,
    blue: Vec<Open>,
    /// The marks of the edge to each node of the first stack.
    trail: Trail,
    red: Vec<Open>,
}

/// The nodes that were seen, if there is an accepting run through them.
pub(super) fn search<G: Graph>(
    graph: &mut G,
    tally: &mut Tally<'_>,
) -> Result<Option<Seen>, Stopped> {
    let mut search = Search {
        all: graph.marks(),
        heights: Vec::new(),
        brought: Vec::new(),
        blue: Vec::new(),
        trail: Trail::default(),
        red: Vec::new(),
    };
    for first in graph.initial()? {
        if entry(&search.heights, first) != UNSEEN {
            continue;
        }
        search.push(graph, tally, first, 0)?;
        while let Some(top) = search.blue.last_mut() {
            let found = match top.next(graph, tally)? {
                Some(Edge { marks, target }) if entry(&search.heights, target) == UNSEEN => {
                    search.push(graph, tally, target, marks)?;
                    false
                }
                Some(Edge { marks, target }) => {
                    let source = top.node;
                    search.behind(graph, tally, source, marks, target)?
                }
                None => search.pop(graph, tally)?,
            };
            if found {
                return Ok(Some(Seen::by(&search.heights, |&height| height != UNSEEN)));
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
        marks: u64,
    ) -> Result<(), Stopped> {
        let open = Open::new(graph, node)?;
        self.blue.push(open);
        self.trail.push(marks);
        *slot(&mut self.heights, node) = self.blue.len() as u32;
        *slot(&mut self.brought, node) = 0;
        let lists = bytes(&self.heights) + bytes(&self.brought);
        let stacks = bytes(&self.blue) + self.trail.bytes() + bytes(&self.red);
        tally.node(self.blue.len(), lists + stacks + graph.bytes());
        Ok(())
    }

    fn pop<G: Graph>(&mut self, graph: &mut G, tally: &mut Tally<'_>) -> Result<bool, Stopped> {
        let marks = self.trail.pop();
        let Some(done) = self.blue.pop() else { return Ok(false) };
        self.heights[done.node as usize] = BLUE;
        match self.blue.last().map(|before| before.node) {
            Some(before) => self.behind(graph, tally, before, marks, done.node),
            None => Ok(false),
        }
    }

    /// Brings marks over an edge whose target was seen.
    fn behind<G: Graph>(
        &mut self,
        graph: &mut G,
        tally: &mut Tally<'_>,
        source: Node,
        marks: u64,
        target: Node,
    ) -> Result<bool, Stopped> {
        let marks = (marks | self.brought[source as usize]) & self.all;
        match self.brings(source, marks, target) {
            Brings::All => return Ok(true),
            Brings::Nothing => return Ok(false),
            Brings::Some => {}
        }
        self.red.clear();
        self.red.push(Open::new(graph, target)?);
        tally.high(self.blue.len() + 1);
        while let Some(top) = self.red.last_mut() {
            let source = top.node;
            let Some(Edge { target, .. }) = top.next(graph, tally)? else {
                self.red.pop();
                continue;
            };
            if entry(&self.heights, target) == UNSEEN {
                continue;
            }
            match self.brings(source, marks, target) {
                Brings::All => return Ok(true),
                Brings::Nothing => {}
                Brings::Some => {
                    self.red.push(Open::new(graph, target)?);
                    tally.high(self.blue.len() + self.red.len());
                }
            }
        }
        Ok(false)
    }

    /// Brings marks to a node.
    fn brings(&mut self, source: Node, marks: u64, target: Node) -> Brings {
        let there = self.brought[target as usize];
        let height = self.heights[target as usize];
        if height != BLUE {
            let between = self.trail.above(height as usize);
            if (self.brought[source as usize] | marks | there | between) & self.all == self.all {
                return Brings::All;
            }
        }
        if marks & !there == 0 {
            return Brings::Nothing;
        }
        self.brought[target as usize] |= marks;
        Brings::Some
    }
}

/// What a step of a search has brought to a node.
enum Brings {
    /// It closes an accepting cycle.
    All,
    /// Marks that were not there.
    Some,
    /// What was there already.
    Nothing,
}
