//! The classical nested search, for one mark (Courcoubetis, Vardi, Wolper and Yannakakis 1990): behind
//! every marked edge a second search looks for the node that the edge begins in.

use super::walk::{Open, Seen, bytes, entry, slot};
use super::{Edge, Graph, Node, Tally};
use crate::outcome::Stopped;

/// The first search was there.
const FIRST: u8 = 1;
/// The second search was there.
const SECOND: u8 = 2;

struct Search {
    all: u64,
    /// By node: who was there.
    seen: Vec<u8>,
    /// The first search: a node, and whether the edge to it is marked.
    first: Vec<(Open, bool)>,
    second: Vec<Open>,
}

/// The nodes that were seen, if there is an accepting run through them.
pub(super) fn search<G: Graph>(
    graph: &mut G,
    tally: &mut Tally<'_>,
) -> Result<Option<Seen>, Stopped> {
    let mut search =
        Search { all: graph.marks(), seen: Vec::new(), first: Vec::new(), second: Vec::new() };
    for initial in graph.initial()? {
        if entry(&search.seen, initial) != 0 {
            continue;
        }
        search.push(graph, tally, initial, false)?;
        while let Some((top, _)) = search.first.last_mut() {
            let found = match top.next(graph, tally)? {
                Some(Edge { marks, target }) => {
                    let source = top.node;
                    let marked = marks & search.all == search.all;
                    if entry(&search.seen, target) == 0 {
                        search.push(graph, tally, target, marked)?;
                        false
                    } else {
                        marked && search.closes(graph, tally, target, source)?
                    }
                }
                None => {
                    let done = search.first.pop();
                    match (done, search.first.last()) {
                        (Some((done, true)), Some(&(before, _))) => {
                            search.closes(graph, tally, done.node, before.node)?
                        }
                        _ => false,
                    }
                }
            };
            if found {
                return Ok(Some(Seen::by(&search.seen, |&who| who != 0)));
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
        *slot(&mut self.seen, node) = FIRST;
        self.first.push((open, marked));
        let bytes = bytes(&self.seen) + bytes(&self.first) + bytes(&self.second) + graph.bytes();
        tally.node(self.first.len(), bytes);
        Ok(())
    }

    /// The second search. What it has seen stays seen: it did not lead back to a node whose marked edge
    /// was looked at before, and leads to no later one.
    fn closes<G: Graph>(
        &mut self,
        graph: &mut G,
        tally: &mut Tally<'_>,
        from: Node,
        wanted: Node,
    ) -> Result<bool, Stopped> {
        if from == wanted {
            return Ok(true);
        }
        if entry(&self.seen, from) & SECOND != 0 {
            return Ok(false);
        }
        *slot(&mut self.seen, from) |= SECOND;
        self.second.clear();
        self.second.push(Open::new(graph, from)?);
        while let Some(top) = self.second.last_mut() {
            let Some(Edge { target, .. }) = top.next(graph, tally)? else {
                self.second.pop();
                continue;
            };
            if target == wanted {
                return Ok(true);
            }
            // Who is still on the first stack leads to `wanted` by nodes that were seen.
            if entry(&self.seen, target) == FIRST {
                self.seen[target as usize] |= SECOND;
                self.second.push(Open::new(graph, target)?);
                tally.high(self.first.len() + self.second.len());
            }
        }
        Ok(false)
    }
}
