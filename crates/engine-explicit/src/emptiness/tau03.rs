//! The nested search for any number of marks (Tauriainen 2003): behind each node, a second search brings
//! the marks of its edges to all that they lead to. Who gets all of them while it is on the first
//! stack lies on an accepting cycle.

use super::walk::{Open, Seen, bytes, entry, slot};
use super::{Edge, Graph, Node, Tally};
use crate::outcome::Stopped;

struct Search {
    all: u64,
    seen: Vec<bool>,
    /// By node: the marks that were brought to it.
    brought: Vec<u64>,
    first: Vec<Open>,
    second: Vec<Open>,
}

/// The nodes that were seen, if there is an accepting run through them. There has to be a mark.
pub(super) fn search<G: Graph>(
    graph: &mut G,
    tally: &mut Tally<'_>,
) -> Result<Option<Seen>, Stopped> {
    let mut search = Search {
        all: graph.marks(),
        seen: Vec::new(),
        brought: Vec::new(),
        first: Vec::new(),
        second: Vec::new(),
    };
    for initial in graph.initial()? {
        if entry(&search.seen, initial) {
            continue;
        }
        search.push(graph, tally, initial)?;
        while let Some(top) = search.first.last_mut() {
            match top.next(graph, tally)? {
                Some(edge) if entry(&search.seen, edge.target) => {}
                Some(edge) => search.push(graph, tally, edge.target)?,
                None => {
                    let node = top.node;
                    if search.leave(graph, tally, node)? {
                        return Ok(Some(Seen::by(&search.seen, |&seen| seen)));
                    }
                    search.first.pop();
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
    ) -> Result<(), Stopped> {
        let open = Open::new(graph, node)?;
        *slot(&mut self.seen, node) = true;
        *slot(&mut self.brought, node) = 0;
        self.first.push(open);
        let lists = bytes(&self.seen) + bytes(&self.brought);
        let stacks = bytes(&self.first) + bytes(&self.second);
        tally.node(self.first.len(), lists + stacks + graph.bytes());
        Ok(())
    }

    /// Brings the marks of a node on, all of whose edges were followed. Whether they all come back.
    fn leave<G: Graph>(
        &mut self,
        graph: &mut G,
        tally: &mut Tally<'_>,
        node: Node,
    ) -> Result<bool, Stopped> {
        let mut again = Open::new(graph, node)?;
        while let Some(Edge { marks, target }) = again.next(graph, tally)? {
            let marks = (marks | self.brought[node as usize]) & self.all;
            if marks & !self.brought[target as usize] != 0 {
                self.bring(graph, tally, target, marks)?;
            }
        }
        Ok(self.brought[node as usize] == self.all)
    }

    /// The second search: marks for a node and all that it leads to.
    fn bring<G: Graph>(
        &mut self,
        graph: &mut G,
        tally: &mut Tally<'_>,
        from: Node,
        marks: u64,
    ) -> Result<(), Stopped> {
        self.brought[from as usize] |= marks;
        self.second.clear();
        self.second.push(Open::new(graph, from)?);
        while let Some(top) = self.second.last_mut() {
            let Some(Edge { target, .. }) = top.next(graph, tally)? else {
                self.second.pop();
                continue;
            };
            if entry(&self.seen, target) && marks & !self.brought[target as usize] != 0 {
                self.brought[target as usize] |= marks;
                self.second.push(Open::new(graph, target)?);
                tally.high(self.first.len() + self.second.len());
            }
        }
        Ok(())
    }
}
