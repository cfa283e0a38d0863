//! Orders of locks: each thread has a tree of how it nests them, and threads that nest them in a circle
//! could wait for each other (Havelund, 2000; cycles of any length as in Bensalem and Havelund, 2005).
//!
//! A circle counts if every thread of it is another one, no two of them hold a lock in common (a gate lock lets
//! only one of them in), and starting and joining threads does not order them.

use std::collections::BTreeSet;

use everypath_model::{Event, Operation};
use rustc_hash::FxHashMap;

use crate::clock::{Clock, Clocks, Order};

/// The longest circle that is looked for.
const LONGEST: usize = 8;
/// Moments of one nesting that are kept.
const MOMENTS: usize = 16;

/// A thread that takes a lock while it has another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LockEdge {
    /// The thread.
    pub thread: u32,
    /// The lock that it has.
    pub has: u32,
    /// Where it took it: the position in the run.
    pub has_since: usize,
    /// The lock that it takes.
    pub takes: u32,
    /// Where: the position in the run.
    pub at: usize,
}

/// Threads that could wait for each other: each has what the one before takes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LockCycle {
    /// What each thread does.
    pub edges: Vec<LockEdge>,
}

/// A lock in the tree of a thread.
struct Node {
    thread: u32,
    lock: u32,
    parent: Option<usize>,
    /// Where it was taken first.
    at: usize,
    /// When it was taken, among starts and joins.
    moments: Vec<Clock>,
}

/// The trees of all threads.
#[derive(Default)]
struct Forest {
    nodes: Vec<Node>,
    children: FxHashMap<(u32, Option<usize>, u32), usize>,
}

impl Forest {
    fn child(&mut self, thread: u32, parent: Option<usize>, lock: u32, at: usize) -> usize {
        let nodes = &mut self.nodes;
        *self.children.entry((thread, parent, lock)).or_insert_with(|| {
            nodes.push(Node { thread, lock, parent, at, moments: Vec::new() });
            nodes.len() - 1
        })
    }

    /// The nodes above a node, innermost first.
    fn above(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.nodes[node].parent, |&up| self.nodes[up].parent)
    }
}

/// An edge with what decides whether it goes with others.
struct Nesting {
    edge: LockEdge,
    held: Vec<u32>,
    node: usize,
}

/// The circles of a run, each once.
pub fn lock_cycles(run: &[Event]) -> Vec<LockCycle> {
    let mut clocks = Clocks::new(Order::Forks);
    let mut forest = Forest::default();
    // The locks of each thread as they are taken, with their nodes.
    let mut held: FxHashMap<u32, Vec<(u32, usize)>> = FxHashMap::default();
    for (at, event) in run.iter().enumerate() {
        clocks.take(event);
        let thread = event.thread;
        match event.operation {
            Operation::Acquire(lock) => {
                let mine = held.entry(thread).or_default();
                let parent = mine.last().map(|&(_, node)| node);
                let node = forest.child(thread, parent, lock, at);
                let moments = &mut forest.nodes[node].moments;
                let now = clocks.of(thread);
                if moments.len() < MOMENTS && moments.last() != Some(now) {
                    moments.push(now.clone());
                }
                mine.push((lock, node));
            }
            Operation::Release(lock) => {
                let mine = held.entry(thread).or_default();
                let Some(index) = mine.iter().rposition(|&(own, _)| own == lock) else { continue };
                mine.remove(index);
                // What was taken later stays, below what is left.
                for i in index..mine.len() {
                    let parent = i.checked_sub(1).map(|up| mine[up].1);
                    let (lock, old) = mine[i];
                    let first = forest.nodes[old].at;
                    mine[i].1 = forest.child(thread, parent, lock, first);
                }
            }
            _ => {}
        }
    }
    let nestings = nestings(&forest);
    let mut found = BTreeSet::new();
    let mut told = BTreeSet::new();
    for start in 0..nestings.len() {
        let mut path = vec![start];
        extend(&forest, &nestings, &mut path, &mut |path| {
            let edges: Vec<LockEdge> = path.iter().map(|&i| nestings[i].edge.clone()).collect();
            let mut key: Vec<(u32, u32, u32)> =
                edges.iter().map(|edge| (edge.thread, edge.has, edge.takes)).collect();
            key.sort_unstable();
            if told.insert(key) {
                found.insert(LockCycle { edges });
            }
        });
    }
    found.into_iter().collect()
}

/// All pairs of a lock and one that is taken inside of it.
fn nestings(forest: &Forest) -> Vec<Nesting> {
    let mut found = Vec::new();
    for (index, node) in forest.nodes.iter().enumerate() {
        if node.moments.is_empty() {
            continue;
        }
        let held: Vec<u32> = forest.above(index).map(|up| forest.nodes[up].lock).collect();
        for up in forest.above(index) {
            let Node { thread, at, .. } = *node;
            let (has, has_since) = (forest.nodes[up].lock, forest.nodes[up].at);
            let edge = LockEdge { thread, has, has_since, takes: node.lock, at };
            found.push(Nesting { edge, held: held.clone(), node: index });
        }
    }
    found
}

/// Goes on from the last edge of a path. The first edge is the one with the smallest thread, so that a circle
/// is found once.
fn extend(
    forest: &Forest,
    nestings: &[Nesting],
    path: &mut Vec<usize>,
    tell: &mut dyn FnMut(&[usize]),
) {
    let (first, last) = (&nestings[path[0]].edge, &nestings[path[path.len() - 1]].edge);
    if path.len() > 1 && last.takes == first.has {
        tell(path);
        return;
    }
    if path.len() == LONGEST {
        return;
    }
    let (least, wanted) = (first.thread, last.takes);
    for (next, nesting) in nestings.iter().enumerate() {
        let fits = nesting.edge.has == wanted
            && nesting.edge.thread > least
            && path.iter().all(|&i| {
                let other = &nestings[i];
                other.edge.thread != nesting.edge.thread
                    && !other.held.iter().any(|lock| nesting.held.contains(lock))
                    && concurrent(&forest.nodes[other.node], &forest.nodes[nesting.node])
            });
        if fits {
            path.push(next);
            extend(forest, nestings, path, tell);
            path.pop();
        }
    }
}

/// Whether starting and joining leaves two nestings unordered at some moments.
fn concurrent(one: &Node, two: &Node) -> bool {
    one.moments.iter().any(|a| {
        let ordered = |b: &Clock| {
            a.get(one.thread) <= b.get(one.thread) || b.get(two.thread) <= a.get(two.thread)
        };
        two.moments.iter().any(|b| !ordered(b))
    })
}
