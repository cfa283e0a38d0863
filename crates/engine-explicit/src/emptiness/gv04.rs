//! Tarjan's search with early answers, for one mark (Geldenhuys and Valmari 2004): a node knows how
//! far down the stack the last marked edge to it begins.

use super::walk::{Open, Seen, bytes, entry, slot};
use super::{Edge, Graph, Node, Tally};
use crate::outcome::Stopped;

const UNSEEN: u32 = 0;
/// Its component was left.
const LEFT: u32 = u32::MAX;
/// Places on the stack begin with 1.
const NOWHERE: u32 = 0;

/// A node of a component that may still grow.
struct Item {
    open: Open,
    /// The lowest place that it is known to reach.
    low: u32,
    /// The place from which the search came here.
    before: u32,
    /// The place where the last marked edge on the way here begins.
    marked: u32,
}

struct Search {
    all: u64,
    /// By node: its place on the stack.
    places: Vec<u32>,
    stack: Vec<Item>,
    /// The place of the last node on the run under way.
    top: u32,
}

/// The nodes that were seen, if there is an accepting run through them.
pub(super) fn search<G: Graph>(
    graph: &mut G,
    tally: &mut Tally<'_>,
) -> Result<Option<Seen>, Stopped> {
    let mut search =
        Search { all: graph.marks(), places: Vec::new(), stack: Vec::new(), top: NOWHERE };
    for first in graph.initial()? {
        if entry(&search.places, first) != UNSEEN {
            continue;
        }
        search.push(graph, tally, first, false)?;
        while search.top != NOWHERE {
            let here = search.top;
            let item = &mut search.stack[here as usize - 1];
            let found = match item.open.next(graph, tally)? {
                None => search.pop(),
                Some(Edge { marks, target }) => {
                    let marked = marks & search.all == search.all;
                    match entry(&search.places, target) {
                        UNSEEN => {
                            search.push(graph, tally, target, marked)?;
                            false
                        }
                        LEFT => false,
                        place => {
                            let low = search.stack[place as usize - 1].low;
                            search.reaches(here, low, marked)
                        }
                    }
                }
            };
            if found {
                return Ok(Some(Seen::by(&search.places, |&place| place != UNSEEN)));
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
        let before = self.top;
        let marked = match before {
            NOWHERE => NOWHERE,
            before if marked => before,
            before => self.stack[before as usize - 1].marked,
        };
        self.top = self.stack.len() as u32 + 1;
        self.stack.push(Item { open, low: self.top, before, marked });
        *slot(&mut self.places, node) = self.top;
        let bytes = bytes(&self.places) + bytes(&self.stack) + graph.bytes();
        tally.node(self.stack.len(), bytes);
        Ok(())
    }

    /// The node at a place reaches the one at a lower place, by a marked edge or not. Whether that
    /// closes a cycle with a mark.
    fn reaches(&mut self, place: u32, low: u32, marked: bool) -> bool {
        let item = &mut self.stack[place as usize - 1];
        item.low = item.low.min(low);
        marked || low <= item.marked
    }

    fn pop(&mut self) -> bool {
        let place = self.top;
        let Item { low, before, .. } = self.stack[place as usize - 1];
        self.top = before;
        if low == place {
            for item in self.stack.drain(place as usize - 1..) {
                self.places[item.open.node as usize] = LEFT;
            }
            return false;
        }
        self.reaches(before, low, false)
    }
}
