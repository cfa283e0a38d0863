//! The trace flow graph: what can come next after each node that matters, in the same thread or in another.

use std::collections::{BTreeMap, BTreeSet};

use crate::bits;
use crate::bounds::{Bounds, Cut};
use crate::graph::{Graph, Kind, NodeId, ThreadId};
use crate::meetings::Together;
use crate::monitors::Parallel;

/// A trace flow graph. Node 0 comes before everything, node 1 after everything.
#[derive(Clone, Debug, Default)]
pub struct Tfg {
    /// The node of the graph for each node but the first two.
    pub of: Vec<NodeId>,
    /// What can come next.
    pub next: Vec<Vec<(u32, Step)>>,
    /// What comes next in a thread alone, for each of its nodes: see [`Lane`].
    pub lanes: Vec<Lane>,
}

/// Before everything.
pub const INITIAL: u32 = 0;
/// After everything.
pub const FINAL: u32 = 1;

/// How one node comes to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// In the same thread.
    Local,
    /// In another one.
    Parallel,
}

/// The nodes of one thread that matter, and their order.
#[derive(Clone, Debug, Default)]
pub struct Lane {
    /// The first ones.
    pub first: Vec<u32>,
    /// Whether the thread can come to its end without any.
    pub may_be_empty: bool,
    /// Those behind each node of the thread, and whether its end can be.
    pub next: Vec<(u32, Vec<u32>, bool)>,
}

/// What happens in parallel.
pub enum Relation {
    /// Threads with monitors.
    Monitors(Parallel),
    /// Threads that meet.
    Meetings(Together),
}

impl Tfg {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.next.len()
    }

    /// Whether there are none, which is never so.
    pub fn is_empty(&self) -> bool {
        self.next.is_empty()
    }

    /// The node of the graph; `None` for the first and the last one.
    pub fn node(&self, node: u32) -> Option<NodeId> {
        node.checked_sub(2).map(|index| self.of[index as usize])
    }

    /// Number of steps of a kind.
    pub fn steps(&self, kind: Step) -> usize {
        self.next.iter().flatten().filter(|(_, step)| *step == kind).count()
    }
}

/// The graph of the nodes that matter; or what ended its making.
pub fn build(
    graph: &Graph,
    visible: &[bool],
    relation: &Relation,
    bounds: &Bounds,
) -> Result<Tfg, Cut> {
    let mut place = vec![u32::MAX; graph.nodes.len()];
    let mut of = Vec::new();
    let live: &[bool] = match relation {
        Relation::Monitors(parallel) => &parallel.live,
        Relation::Meetings(together) => &together.live,
    };
    for (index, &visible) in visible.iter().enumerate() {
        if visible && live[index] {
            place[index] = of.len() as u32 + 2;
            of.push(index as NodeId);
        }
    }
    let seen = vec![0; graph.nodes.len()];
    let mut builder = Builder { graph, place, live, of: &of, seen, mark: 0, relation };
    let lanes = (0..graph.threads.len() as ThreadId).map(|t| builder.lane(t)).collect();
    let mut next = vec![builder.initial(), Vec::new()];
    let mut bytes = 0;
    for &node in &of {
        if let Some(cut) = bounds.reached(bytes) {
            return Err(cut);
        }
        next.push(match relation {
            Relation::Monitors(parallel) => builder.after(node, parallel),
            Relation::Meetings(together) => builder.after_meeting(node, together),
        });
        bytes += next.last().map_or(0, Vec::len) as u64 * 8;
    }
    Ok(Tfg { of, next, lanes })
}

struct Builder<'a> {
    graph: &'a Graph,
    /// The place of each node in the new graph, or none.
    place: Vec<u32>,
    /// Whether a node can be reached.
    live: &'a [bool],
    /// The other way around.
    of: &'a [NodeId],
    seen: Vec<u32>,
    mark: u32,
    relation: &'a Relation,
}

/// What is found in front of some nodes.
#[derive(Default)]
struct Ahead {
    nodes: BTreeSet<u32>,
    /// Whether a thread can end.
    end: bool,
}

impl Builder<'_> {
    /// The first nodes that matter from some nodes on, these included. `thread`: one thread alone; else
    /// what is started counts.
    fn ahead(
        &mut self,
        from: impl IntoIterator<Item = NodeId>,
        thread: Option<ThreadId>,
        ahead: &mut Ahead,
    ) {
        self.mark += 1;
        let mut work: Vec<NodeId> = Vec::new();
        for node in from {
            if std::mem::replace(&mut self.seen[node as usize], self.mark) != self.mark {
                work.push(node);
            }
        }
        while let Some(node) = work.pop() {
            // Nobody steps over what cannot happen.
            if !self.live[node as usize] {
                continue;
            }
            if self.place[node as usize] != u32::MAX {
                ahead.nodes.insert(self.place[node as usize]);
                continue;
            }
            let of = &self.graph.nodes[node as usize];
            let begin = match of.kind {
                Kind::End => {
                    ahead.end = true;
                    None
                }
                Kind::Start(started) if thread.is_none() => {
                    Some(self.graph.threads[started as usize].begin)
                }
                _ => None,
            };
            let side = thread.unwrap_or(of.thread);
            for &next in self.graph.next(side, node).iter().chain(begin.as_ref()) {
                if std::mem::replace(&mut self.seen[next as usize], self.mark) != self.mark {
                    work.push(next);
                }
            }
        }
    }

    fn lane(&mut self, thread: ThreadId) -> Lane {
        let mut ahead = Ahead::default();
        let begin = self.graph.threads[thread as usize].begin;
        self.ahead([begin], Some(thread), &mut ahead);
        let mut lane = Lane {
            first: ahead.nodes.into_iter().collect(),
            may_be_empty: ahead.end,
            next: Vec::new(),
        };
        for &node in self.of {
            if self.graph.threads_of(node).any(|own| own == thread) {
                let mut ahead = Ahead::default();
                let next: Vec<NodeId> = self.graph.next(thread, node).to_vec();
                self.ahead(next, Some(thread), &mut ahead);
                let end = ahead.end || self.graph.nodes[node as usize].kind == Kind::End;
                let next = ahead.nodes.into_iter().collect();
                lane.next.push((self.place[node as usize], next, end));
            }
        }
        lane
    }

    fn initial(&mut self) -> Vec<(u32, Step)> {
        let mut ahead = Ahead::default();
        match self.relation {
            Relation::Monitors(_) => {
                let running = self.graph.threads.iter().filter(|thread| thread.runs);
                let begins: Vec<NodeId> = running.map(|thread| thread.begin).collect();
                self.ahead(begins, None, &mut ahead);
            }
            Relation::Meetings(together) => {
                let threads = 0..self.graph.threads.len() as ThreadId;
                let places = threads.map(|thread| vec![together.start(self.graph, thread)]);
                return self.next_of_all(None, &places.collect::<Vec<_>>(), together);
            }
        }
        let mut next: Vec<(u32, Step)> =
            ahead.nodes.into_iter().map(|node| (node, Step::Local)).collect();
        // Without anything that matters there is only the end.
        if ahead.end || next.is_empty() {
            next.push((FINAL, Step::Local));
        }
        next
    }

    fn after(&mut self, node: NodeId, parallel: &Parallel) -> Vec<(u32, Step)> {
        let of = &self.graph.nodes[node as usize];
        let mut local = Ahead::default();
        self.ahead(of.next.iter().copied(), Some(of.thread), &mut local);
        local.end |= of.kind == Kind::End;
        let mut all = Ahead::default();
        let begin = match of.kind {
            Kind::Start(started) => Some(self.graph.threads[started as usize].begin),
            _ => None,
        };
        let others: Vec<NodeId> = bits::each(parallel.with.row(node)).collect();
        self.ahead(others.into_iter().chain(of.next.iter().copied()).chain(begin), None, &mut all);
        let mut next: Vec<(u32, Step)> = all
            .nodes
            .iter()
            .map(|&target| match local.nodes.contains(&target) {
                true => (target, Step::Local),
                false => (target, Step::Parallel),
            })
            .collect();
        // All threads end: also this one, without anything else that matters.
        if local.end {
            next.push((FINAL, Step::Local));
        }
        next
    }

    fn after_meeting(&mut self, node: NodeId, together: &Together) -> Vec<(u32, Step)> {
        let mut places: Vec<Vec<u32>> = vec![Vec::new(); self.graph.threads.len()];
        let mine: Vec<ThreadId> = self.graph.threads_of(node).collect();
        let place = |thread| together.place(self.graph, thread, node);
        for &thread in &mine {
            places[thread as usize].push(place(thread));
        }
        let mut common = together.with.row(place(mine[0])).to_vec();
        for &thread in &mine[1..] {
            bits::keep(&mut common, together.with.row(place(thread)));
        }
        for place in bits::each(&common) {
            let thread = together.places[place as usize].0;
            if !mine.contains(&thread) {
                places[thread as usize].push(place);
            }
        }
        self.next_of_all(Some(node), &places, together)
    }

    /// What can come next if each thread is at one of some places; two that meet must both get there.
    fn next_of_all(
        &mut self,
        node: Option<NodeId>,
        places: &[Vec<u32>],
        together: &Together,
    ) -> Vec<(u32, Step)> {
        let mine: Vec<ThreadId> =
            node.map(|node| self.graph.threads_of(node).collect()).unwrap_or_default();
        let mut count: BTreeMap<u32, (usize, bool)> = BTreeMap::new();
        let mut end = false;
        for (thread, at) in places.iter().enumerate() {
            let mut ahead = Ahead::default();
            let thread = thread as ThreadId;
            let graph = self.graph;
            let from = at.iter().flat_map(|&place| together.next(graph, place).iter().copied());
            self.ahead(from, Some(thread), &mut ahead);
            let own = mine.contains(&thread);
            let ended = node.is_some_and(|node| graph.nodes[node as usize].kind == Kind::End);
            ahead.end |= own && ended;
            // All threads end: also these, without anything else that matters.
            end |= ahead.end && (own || node.is_none());
            for target in ahead.nodes {
                let entry = count.entry(target).or_insert((0, false));
                entry.0 += 1;
                entry.1 |= own;
            }
        }
        let mut next = Vec::new();
        for (target, (threads, own)) in count {
            let of = self.graph.threads_of(self.of[target as usize - 2]).count();
            if threads == of {
                let local = own || node.is_none();
                next.push((target, if local { Step::Local } else { Step::Parallel }));
            }
        }
        if end || (node.is_none() && next.is_empty()) {
            next.push((FINAL, Step::Local));
        }
        next
    }
}
