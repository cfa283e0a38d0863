//! Sets of nodes that several threads make larger, with what is to do in each.
//!
//! A set is known to be strongly connected. It knows which threads are in it, the marks of the edges
//! inside, and a ring of the nodes whose edges were not all followed. When there is none left the set is a
//! whole component, and dead. Looking at sets needs no lock; joining two of them and taking a node from a
//! ring does.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Node;
use super::chunks::Chunks;

/// Threads, at most: a bit for each.
pub(super) const MOST_THREADS: usize = 64;

/// Somebody has been there.
const SEEN: u32 = 1;
/// All its edges were followed.
const DONE: u32 = 2;
/// Its set is a whole component.
const DEAD: u32 = 4;

/// What is known of a node. Links to other nodes are one more than their numbers, none is itself.
#[derive(Default)]
struct Item {
    /// Towards the first node of its set.
    parent: AtomicU32,
    /// The next node in the ring.
    next: AtomicU32,
    /// Of the first node of a set: where its ring is entered, by the node before.
    before: AtomicU32,
    flags: AtomicU32,
    /// Of the first node of a set: the threads in it.
    threads: AtomicU64,
    /// Of the first node of a set: the marks of edges inside.
    marks: AtomicU64,
}

/// What a thread meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// A node of a component that is finished.
    Dead,
    /// A set in which the thread is already.
    Found,
    /// One in which it was not; whether nobody was at the node before.
    New { first: bool },
}

pub(super) struct Sets {
    items: Chunks<Item>,
    change: Mutex<()>,
}

impl Sets {
    pub fn new() -> Sets {
        Sets { items: Chunks::new(), change: Mutex::new(()) }
    }

    /// Bytes that they hold.
    pub fn bytes(&self) -> u64 {
        self.items.bytes()
    }

    /// Whether somebody was at a node.
    pub fn seen(&self, node: Node) -> bool {
        self.items.look(node).is_some_and(|item| item.flags.load(Relaxed) & SEEN != 0)
    }

    /// The first node of a set. On the way, links are made shorter: to what is further on anyway.
    fn first(&self, mut node: Node) -> Node {
        loop {
            let item = self.items.get(node);
            let parent = item.parent.load(SeqCst);
            if parent == 0 {
                return node;
            }
            let further = self.items.get(parent - 1).parent.load(SeqCst);
            if further != 0 {
                item.parent.store(further, SeqCst);
            }
            node = parent - 1;
        }
    }

    /// A thread comes to a node.
    pub fn claim(&self, node: Node, thread: usize) -> Claim {
        let bit = 1 << thread;
        let mut first = self.first(node);
        if self.items.get(first).flags.load(SeqCst) & DEAD != 0 {
            return Claim::Dead;
        }
        if self.items.get(first).threads.load(SeqCst) & bit != 0 {
            return Claim::Found;
        }
        // Whoever joins the set to another one either sees the bit or is seen here.
        loop {
            self.items.get(first).threads.fetch_or(bit, SeqCst);
            let now = self.first(first);
            if now == first {
                break;
            }
            first = now;
        }
        let before = self.items.get(node).flags.fetch_or(SEEN, SeqCst);
        Claim::New { first: before & SEEN == 0 }
    }

    /// Whether two nodes are in one set.
    pub fn same(&self, a: Node, b: Node) -> bool {
        loop {
            let (one, other) = (self.first(a), self.first(b));
            if one == other {
                return true;
            }
            if self.items.get(one).parent.load(SeqCst) == 0 {
                return false;
            }
        }
    }

    /// Makes one set of two.
    pub fn join(&self, a: Node, b: Node) {
        let _change = self.lock();
        let (a, b) = (self.first(a), self.first(b));
        if a == b {
            return;
        }
        // As if by chance, so that ways to the first node stay short.
        let (kept, gone) = if spread(a) > spread(b) { (a, b) } else { (b, a) };
        let (item, other) = (self.items.get(kept), self.items.get(gone));
        let (ring, joined) = (own(&item.before, kept), own(&other.before, gone));
        let (next, far) = (&self.items.get(ring).next, &self.items.get(joined).next);
        let swap = (own(next, ring), own(far, joined));
        next.store(swap.1 + 1, Relaxed);
        far.store(swap.0 + 1, Relaxed);
        item.marks.fetch_or(other.marks.load(Relaxed), Relaxed);
        other.parent.store(kept + 1, SeqCst);
        item.threads.fetch_or(other.threads.load(SeqCst), SeqCst);
    }

    /// Adds marks to the set of a node. All that it has then.
    pub fn mark(&self, node: Node, marks: u64) -> u64 {
        // A set never loses marks, and what it is joined to has them all.
        let known = self.items.get(self.first(node)).marks.load(Relaxed);
        if known & marks == marks {
            return known;
        }
        let _change = self.lock();
        let item = self.items.get(self.first(node));
        item.marks.fetch_or(marks, Relaxed) | marks
    }

    /// A node in the set of another one whose edges were not all followed; `None` if that is a whole
    /// component.
    pub fn take(&self, node: Node) -> Option<Node> {
        if self.items.get(self.first(node)).flags.load(SeqCst) & DEAD != 0 {
            return None;
        }
        let _change = self.lock();
        let first = self.first(node);
        let set = self.items.get(first);
        if set.flags.load(SeqCst) & DEAD != 0 {
            return None;
        }
        let before = own(&set.before, first);
        let link = &self.items.get(before).next;
        loop {
            let next = own(link, before);
            let item = self.items.get(next);
            if item.flags.load(SeqCst) & DONE == 0 {
                // Others begin behind it.
                set.before.store(next + 1, Relaxed);
                return Some(next);
            }
            if next == before {
                set.flags.fetch_or(DEAD, SeqCst);
                return None;
            }
            link.store(own(&item.next, next) + 1, Relaxed);
        }
    }

    /// All edges of a node were followed.
    pub fn done(&self, node: Node) {
        self.items.get(node).flags.fetch_or(DONE, SeqCst);
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        // It protects no value: a thread that failed leaves nothing half done that others see.
        self.change.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a link leads; without one, to the node itself.
fn own(link: &AtomicU32, node: Node) -> Node {
    match link.load(Relaxed) {
        0 => node,
        other => other - 1,
    }
}

fn spread(node: Node) -> u32 {
    node.wrapping_mul(0x9e37_79b1)
}
