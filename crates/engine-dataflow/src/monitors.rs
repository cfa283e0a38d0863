//! May happen in parallel, for threads that are started and joined and that use monitors.
//!
//! `with(n)` has the nodes that other threads may be at while a thread is at `n`, that is, before it
//! executes `n`; `out(n)` those after it. Both only grow, and each pair of nodes is looked at once.

use crate::bits::{self, Matrix};
use crate::bounds::{Bounds, Cut};
use crate::graph::{Graph, Kind, NodeId};
use crate::locks::Held;

/// What may happen in parallel, and which nodes can be reached at all.
pub struct Parallel {
    /// For each node those that others may be at.
    pub with: Matrix,
    /// Whether a node can be reached.
    pub live: Vec<bool>,
}

/// Finds out, or what ended that; `spurious`: whether those who wait may wake up by themselves.
pub fn parallel(
    graph: &Graph,
    held: &Held,
    spurious: bool,
    bounds: &Bounds,
) -> Result<Parallel, Cut> {
    let count = graph.nodes.len();
    let bytes = Matrix::bytes(2 * count + graph.locks.len(), count);
    if let Some(cut) = bounds.reached(bytes) {
        return Err(cut);
    }
    let mut guarded = Matrix::new(graph.locks.len(), count);
    for (lock, nodes) in held.nodes.iter().enumerate() {
        nodes.iter().for_each(|&node| {
            guarded.set(lock as u32, node);
        });
    }
    let joins = |node: usize| match graph.nodes[node].kind {
        Kind::Join(thread) => {
            !graph.threads[thread as usize].many && started_before(graph, node as NodeId, thread)
        }
        _ => false,
    };
    let mut analysis = Analysis {
        graph,
        guarded,
        waiting: vec![Vec::new(); graph.locks.len()],
        all: vec![Vec::new(); graph.locks.len()],
        joins: (0..count).map(joins).collect(),
        with: Matrix::new(count, count),
        out: Matrix::new(count, count),
        notified: vec![Vec::new(); count],
        notifiers: vec![Vec::new(); count],
        only: vec![None; count],
        live: vec![false; count],
        pairs: Vec::new(),
        spurious,
    };
    for (index, node) in graph.nodes.iter().enumerate() {
        match node.kind {
            Kind::Waiting(lock) => analysis.waiting[lock as usize].push(index as NodeId),
            Kind::NotifyAll(lock) => analysis.all[lock as usize].push(index as NodeId),
            _ => {}
        }
    }
    let begins: Vec<NodeId> =
        graph.threads.iter().filter(|thread| thread.runs).map(|thread| thread.begin).collect();
    for &one in &begins {
        analysis.wake(one);
        for &other in begins.iter().filter(|&&other| other != one) {
            analysis.relate(one, other);
        }
    }
    let mut visits = 0u64;
    while let Some((node, other)) = analysis.pairs.pop() {
        visits += 1;
        if visits.is_multiple_of(POLL)
            && let Some(cut) = bounds.reached(bytes + analysis.pairs.len() as u64 * 8)
        {
            return Err(cut);
        }
        analysis.visit(node, other);
    }
    Ok(Parallel { with: analysis.with, live: analysis.live })
}

/// Pairs between looks at what is left of time and memory.
const POLL: u64 = 4096;

/// Whether a thread certainly runs where another one joins it: every way there starts it.
fn started_before(graph: &Graph, join: NodeId, thread: u32) -> bool {
    if graph.threads[thread as usize].runs {
        return true;
    }
    let begin = graph.threads[graph.nodes[join as usize].thread as usize].begin;
    let mut seen = vec![false; graph.nodes.len()];
    let mut work = vec![begin];
    while let Some(node) = work.pop() {
        if node == join {
            return false;
        }
        let node = &graph.nodes[node as usize];
        if node.kind == Kind::Start(thread) {
            continue;
        }
        work.extend(node.next.iter().filter(|&&n| !std::mem::replace(&mut seen[n as usize], true)));
    }
    true
}

struct Analysis<'a> {
    graph: &'a Graph,
    /// The nodes at which each lock is held.
    guarded: Matrix,
    /// The waiting nodes of each lock.
    waiting: Vec<Vec<NodeId>>,
    /// The nodes that notify all who wait for a lock.
    all: Vec<Vec<NodeId>>,
    /// Joins behind which the thread is certainly over.
    joins: Vec<bool>,
    with: Matrix,
    out: Matrix,
    /// Whom a node may wake, and the other way around.
    notified: Vec<Vec<NodeId>>,
    notifiers: Vec<Vec<NodeId>>,
    /// The only one that waits while a node notifies one, as long as it is the only one.
    only: Vec<Option<NodeId>>,
    live: Vec<bool>,
    pairs: Vec<(NodeId, NodeId)>,
    spurious: bool,
}

impl Analysis<'_> {
    /// Makes a node one that can be reached, and what comes behind it.
    fn wake(&mut self, node: NodeId) {
        let graph = self.graph;
        let mut work = vec![node];
        while let Some(node) = work.pop() {
            if std::mem::replace(&mut self.live[node as usize], true) {
                continue;
            }
            let of = &graph.nodes[node as usize];
            // One that waits goes on when it is notified.
            if self.spurious || !matches!(of.kind, Kind::Waiting(_)) {
                work.extend(&of.next);
            }
            if let Kind::Start(thread) = of.kind {
                let begin = graph.threads[thread as usize].begin;
                work.push(begin);
                self.leaves(node, begin);
            }
        }
    }

    /// Two threads may be at these nodes at a time.
    fn relate(&mut self, node: NodeId, other: NodeId) {
        let (mine, theirs) =
            (self.graph.nodes[node as usize].thread, self.graph.nodes[other as usize].thread);
        if mine == theirs && !self.graph.threads[mine as usize].many {
            return;
        }
        if self.with.set(node, other) {
            self.pairs.push((node, other));
            if node != other && self.with.set(other, node) {
                self.pairs.push((other, node));
            }
        }
    }

    /// A thread is at a node while another one is at another.
    fn visit(&mut self, node: NodeId, other: NodeId) {
        let graph = self.graph;
        let kind = graph.nodes[node as usize].kind;
        let theirs = &graph.nodes[other as usize];
        match kind {
            Kind::Join(thread) if self.joins[node as usize] && theirs.thread == thread => return,
            Kind::Lock(lock) | Kind::Reenter(lock) if self.guarded.has(lock, other) => return,
            Kind::NotifyAll(lock) if theirs.kind == Kind::Waiting(lock) => {
                self.notify(node, other);
                return;
            }
            Kind::Notify(lock) if theirs.kind == Kind::Waiting(lock) => {
                self.notify(node, other);
                // If nobody else waits it is this one that goes on.
                let alone = !graph.threads[theirs.thread as usize].many;
                match self.only[node as usize] {
                    None if alone && !self.waits_with(node, lock, other) => {
                        self.only[node as usize] = Some(other);
                        return;
                    }
                    Some(first) if first != other => self.leaves(node, first),
                    _ => {}
                }
            }
            Kind::Waiting(lock) => self.woken_together(node, other, lock),
            _ => {}
        }
        self.leaves(node, other);
    }

    /// Whether somebody else waits while a node notifies.
    fn waits_with(&self, node: NodeId, lock: u32, other: NodeId) -> bool {
        let mut waiting = self.waiting[lock as usize].iter();
        waiting.any(|&one| one != other && self.with.has(node, one))
    }

    /// A thread leaves a node while another one is at another.
    fn leaves(&mut self, node: NodeId, other: NodeId) {
        if !self.out.set(node, other) {
            return;
        }
        let graph = self.graph;
        let of = &graph.nodes[node as usize];
        if let Kind::Start(thread) = of.kind {
            let begin = graph.threads[thread as usize].begin;
            if begin != other {
                self.relate(begin, other);
            } else if graph.threads[thread as usize].many {
                // Another one of it may be about to begin.
                self.relate(begin, begin);
            }
        }
        if self.spurious || !matches!(of.kind, Kind::Waiting(_)) {
            for &next in &of.next {
                self.relate(next, other);
            }
        } else {
            for &woken in &of.next {
                let notifier =
                    self.notifiers[woken as usize].iter().any(|&one| self.out.has(one, other));
                if notifier {
                    self.relate(woken, other);
                }
            }
        }
        for index in 0..self.notified[node as usize].len() {
            let (waiting, woken) = self.woken(node, index);
            if self.out.has(waiting, other) {
                self.relate(woken, other);
            }
        }
    }

    /// One that a node notifies: where it waits and where it goes on.
    fn woken(&self, node: NodeId, index: usize) -> (NodeId, NodeId) {
        let waiting = self.notified[node as usize][index];
        (waiting, self.graph.nodes[waiting as usize].next[0])
    }

    /// A node may wake one that waits.
    fn notify(&mut self, node: NodeId, waiting: NodeId) {
        if self.spurious || self.notified[node as usize].contains(&waiting) {
            return;
        }
        let woken = self.graph.nodes[waiting as usize].next[0];
        self.notified[node as usize].push(waiting);
        self.notifiers[woken as usize].push(node);
        self.wake(woken);
        self.leaves(node, woken);
        let mut both = self.out.row(node).to_vec();
        bits::keep(&mut both, self.out.row(waiting));
        for other in bits::each(&both) {
            self.relate(woken, other);
        }
    }

    /// All that one notification wakes want the lock again.
    fn woken_together(&mut self, waiting: NodeId, other: NodeId, lock: u32) {
        if self.spurious {
            return;
        }
        let graph = self.graph;
        let next = |node: NodeId| graph.nodes[node as usize].next[0];
        match graph.nodes[other as usize].kind {
            Kind::Waiting(theirs) if theirs == lock => {
                let both = |&all: &NodeId| self.with.has(waiting, all) && self.with.has(other, all);
                if self.all[lock as usize].iter().any(both) {
                    self.relate(next(waiting), next(other));
                }
            }
            Kind::NotifyAll(theirs) if theirs == lock => {
                for index in 0..self.waiting[lock as usize].len() {
                    let one = self.waiting[lock as usize][index];
                    if self.with.has(waiting, one) && self.with.has(one, other) {
                        self.relate(next(waiting), next(one));
                    }
                }
            }
            _ => {}
        }
    }
}
