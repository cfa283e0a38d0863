//! Components by several threads (Bloemen, Laarman and van de Pol 2016), with marks.
//!
//! Every thread searches from the initial nodes, in an order of its own. What it finds to be connected goes
//! into sets that all threads share; a thread that is in a set takes the next node to do from it,
//! whoever came there first. A set with all marks ends the search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use everypath_model::spawn;

use super::union::{Claim, MOST_THREADS, Sets};
use super::walk::bytes;
use super::{Counts, Edge, Graph, Lasso, Node, Tally, within};
use crate::outcome::Stopped;
use crate::searches::barrier::Alarm;

/// A graph that several threads look at.
pub trait SharedGraph: Sync {
    /// What a thread has for itself.
    type Worker: Send;

    /// For another thread.
    fn worker(&self) -> Self::Worker;

    /// As for one: [`Graph::marks`].
    fn marks(&self) -> u64;

    /// As for one: [`Graph::initial`].
    fn initial(&self, worker: &mut Self::Worker) -> Result<Vec<Node>, Stopped>;

    /// As for one: [`Graph::degree`].
    fn degree(&self, worker: &mut Self::Worker, node: Node) -> Result<u32, Stopped>;

    /// As for one: [`Graph::edge`].
    fn edge(&self, worker: &mut Self::Worker, node: Node, index: u32) -> Result<Edge, Stopped>;
}

/// Such a graph as one thread sees it.
struct Alone<'g, G: SharedGraph> {
    graph: &'g G,
    worker: G::Worker,
}

impl<G: SharedGraph> Graph for Alone<'_, G> {
    fn marks(&self) -> u64 {
        self.graph.marks()
    }

    fn initial(&mut self) -> Result<Vec<Node>, Stopped> {
        self.graph.initial(&mut self.worker)
    }

    fn degree(&mut self, node: Node) -> Result<u32, Stopped> {
        self.graph.degree(&mut self.worker, node)
    }

    fn edge(&mut self, node: Node, index: u32) -> Result<Edge, Stopped> {
        self.graph.edge(&mut self.worker, node, index)
    }
}

/// Edges between two looks at what the others say.
const GLANCE: u64 = 1 << 12;

/// What all threads share.
struct Common {
    sets: Sets,
    all: u64,
    /// Everybody ends.
    stop: AtomicBool,
    found: AtomicBool,
    /// Why somebody could not go on.
    stopped: Mutex<Option<Stopped>>,
    nodes: AtomicU64,
    edges: AtomicU64,
    bytes: AtomicU64,
    /// The sum of the highest stacks.
    stacks: AtomicU64,
}

/// Looks for an accepting run with several threads; `None` if there is none.
pub fn check_shared<G: SharedGraph>(
    graph: &G,
    threads: usize,
    tally: &mut Tally<'_>,
) -> Result<Option<Lasso>, Stopped> {
    let common = Common {
        sets: Sets::new(),
        all: graph.marks(),
        stop: AtomicBool::new(false),
        found: AtomicBool::new(false),
        stopped: Mutex::new(None),
        nodes: AtomicU64::new(0),
        edges: AtomicU64::new(0),
        bytes: AtomicU64::new(0),
        stacks: AtomicU64::new(0),
    };
    std::thread::scope(|scope| {
        for thread in 1..threads.clamp(1, MOST_THREADS) {
            let common = &common;
            spawn(scope, move || {
                let search = Search::new(graph, common, thread);
                search.run(&mut || Ok(()));
            });
        }
        // This thread has the clock.
        Search::new(graph, &common, 0).run(&mut || {
            tally.counts = common.counts();
            (tally.pulse)(&tally.counts)
        });
    });
    tally.counts = common.counts();
    if common.found.load(Relaxed) {
        let mut alone = Alone { graph, worker: graph.worker() };
        return within(&mut alone, &|node| common.sets.seen(node)).map(Some);
    }
    let stopped = common.stopped.into_inner().unwrap_or_else(PoisonError::into_inner);
    stopped.map_or(Ok(None), Err)
}

impl Common {
    fn counts(&self) -> Counts {
        Counts {
            nodes: self.nodes.load(Relaxed),
            edges: self.edges.load(Relaxed),
            stack: self.stacks.load(Relaxed),
            bytes: self.bytes.load(Relaxed) + self.sets.bytes(),
        }
    }
}

/// A set that a thread is in, by the node by which it came there.
struct Frame {
    node: Node,
    /// The node of the set whose edges are followed.
    open: Option<Open>,
}

struct Open {
    node: Node,
    /// Edges that were followed.
    followed: u32,
    degree: u32,
}

struct Search<'c, G: SharedGraph> {
    graph: &'c G,
    common: &'c Common,
    worker: G::Worker,
    thread: usize,
    frames: Vec<Frame>,
    /// Nodes of the sets on the way, each with the marks of the edge to it.
    roots: Vec<(Node, u64)>,
    nodes: u64,
    edges: u64,
    /// What was said of the stacks and their bytes.
    told: (u64, u64),
}

impl<'c, G: SharedGraph> Search<'c, G> {
    fn new(graph: &'c G, common: &'c Common, thread: usize) -> Search<'c, G> {
        let worker = graph.worker();
        let (frames, roots) = (Vec::new(), Vec::new());
        Search { graph, common, worker, thread, frames, roots, nodes: 0, edges: 0, told: (0, 0) }
    }

    /// Searches to the end, or until somebody ends it.
    fn run(mut self, pulse: &mut dyn FnMut() -> Result<(), Stopped>) {
        let common = self.common;
        let _alarm = Alarm(|| common.stop.store(true, Relaxed));
        let ended = self.search(pulse);
        self.tell();
        match ended {
            Ok(true) => {
                common.found.store(true, Relaxed);
                common.stop.store(true, Relaxed);
            }
            Ok(false) => {}
            Err(stopped) => {
                let mut first = common.stopped.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert(stopped);
                common.stop.store(true, Relaxed);
            }
        }
    }

    /// Adds to the common account.
    fn tell(&mut self) {
        self.common.nodes.fetch_add(std::mem::take(&mut self.nodes), Relaxed);
        self.common.edges.fetch_add(std::mem::take(&mut self.edges), Relaxed);
        let held = bytes(&self.frames) + bytes(&self.roots);
        self.common.bytes.fetch_add(held.saturating_sub(self.told.1), Relaxed);
        self.told.1 = self.told.1.max(held);
    }

    /// Whether there is an accepting set; `false` also if the search was ended.
    fn search(&mut self, pulse: &mut dyn FnMut() -> Result<(), Stopped>) -> Result<bool, Stopped> {
        let common = self.common;
        for initial in self.graph.initial(&mut self.worker)? {
            match common.sets.claim(initial, self.thread) {
                Claim::New { first } => self.enter(initial, 0, first),
                Claim::Dead | Claim::Found => continue,
            }
            while let Some(frame) = self.frames.last_mut() {
                let Some(open) = &mut frame.open else {
                    match common.sets.take(frame.node) {
                        Some(node) => {
                            let degree = self.graph.degree(&mut self.worker, node)?;
                            frame.open = Some(Open { node, followed: 0, degree });
                        }
                        None => {
                            let node = frame.node;
                            self.frames.pop();
                            self.roots.pop_if(|(root, _)| *root == node);
                        }
                    }
                    continue;
                };
                if open.followed == open.degree {
                    common.sets.done(open.node);
                    frame.open = None;
                    continue;
                }
                let index = turned(open, self.thread);
                open.followed += 1;
                let (source, came) = (open.node, frame.node);
                let Edge { marks, target } = self.graph.edge(&mut self.worker, source, index)?;
                self.edges += 1;
                if self.edges == GLANCE {
                    self.tell();
                    pulse()?;
                    if common.stop.load(Relaxed) {
                        return Ok(false);
                    }
                }
                match common.sets.claim(target, self.thread) {
                    Claim::Dead => {}
                    Claim::New { first } => self.enter(target, marks, first),
                    Claim::Found => {
                        if self.close(target, came, marks) & common.all == common.all {
                            return Ok(true);
                        }
                    }
                }
            }
        }
        Ok(false)
    }

    fn enter(&mut self, node: Node, marks: u64, first: bool) {
        self.nodes += u64::from(first);
        self.roots.push((node, marks));
        self.frames.push(Frame { node, open: None });
        let high = self.frames.len() as u64;
        if high > self.told.0 {
            self.common.stacks.fetch_add(high - self.told.0, Relaxed);
            self.told.0 = high;
        }
    }

    /// An edge leads back to a set on the way: everything from there on is one set. Its marks.
    fn close(&mut self, target: Node, came: Node, mut marks: u64) -> u64 {
        let sets = &self.common.sets;
        while !sets.same(target, came) && self.roots.len() > 1 {
            if let Some((root, entered)) = self.roots.pop()
                && let Some(&(before, _)) = self.roots.last()
            {
                marks |= entered;
                sets.join(root, before);
            }
        }
        sets.mark(came, marks)
    }
}

/// The next edge, in an order that differs between threads.
fn turned(open: &Open, thread: usize) -> u32 {
    if thread == 0 {
        return open.followed;
    }
    let begin = (open.node ^ thread as u32).wrapping_mul(0x9e37_79b1) >> 7;
    (begin % open.degree + open.followed) % open.degree
}
