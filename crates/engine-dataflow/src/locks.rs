//! How often threads have the locks at their nodes. A thread may take a lock that it has; what it does not have it
//! cannot give back.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Graph, Kind, NodeId, ThreadId};

/// What is known about locks.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// For each lock the nodes at which its thread has it, whatever way led there.
    pub nodes: Vec<Vec<NodeId>>,
    /// What a thread does with a lock that it does not simply take once and give back.
    uses: FxHashMap<(ThreadId, u32), Use>,
}

/// How a thread uses a lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// How often it has the lock, if that is followed; 1 if it has it or has it not, as far as others can see.
    pub depth: u32,
    /// Whether it may have it more often than that, or an unknown number of times.
    pub deeper: bool,
    /// Whether it may give back what it has not.
    pub unbalanced: bool,
}

/// How often a lock may be had, counted one by one; as a number of times it stands for more.
pub const MOST: u32 = 8;

/// How often a thread has each lock at a node: at least, and at most. Those that it has not are left out.
type Counts = Vec<(u32, u32, u32)>;

impl Held {
    /// How a thread uses a lock.
    pub fn of(&self, thread: ThreadId, lock: u32) -> Use {
        let simple = Use { depth: 1, deeper: false, unbalanced: false };
        self.uses.get(&(thread, lock)).copied().unwrap_or(simple)
    }
}

/// Finds out. Where a thread has a lock equally often on all ways to each of its nodes, taking it once more and giving
/// that back become nothing.
pub fn held(graph: &mut Graph) -> Held {
    let mut held = Held { nodes: vec![Vec::new(); graph.locks.len()], ..Held::default() };
    for thread in 0..graph.threads.len() as ThreadId {
        let counts = counts(graph, thread);
        let uses = uses(graph, thread, &counts);
        for (&node, counts) in &counts {
            let kind = graph.nodes[node as usize].kind;
            for &(lock, least, _) in counts {
                let waits = matches!(kind, Kind::Waiting(l) | Kind::Reenter(l) if l == lock);
                if least > 0 && !waits {
                    held.nodes[lock as usize].push(node);
                }
            }
            let inner = match kind {
                Kind::Lock(lock) => !uses.contains_key(&lock) && at_least(counts, lock) > 0,
                Kind::Unlock(lock) => !uses.contains_key(&lock) && at_least(counts, lock) > 1,
                _ => false,
            };
            if inner {
                graph.nodes[node as usize].kind = Kind::Nothing;
            }
        }
        held.uses.extend(uses.into_iter().map(|(lock, of)| ((thread, lock), of)));
    }
    held
}

fn entry(counts: &Counts, lock: u32) -> (u32, u32) {
    let found = counts.iter().find(|(known, ..)| *known == lock);
    found.map_or((0, 0), |&(_, least, most)| (least, most))
}

fn at_least(counts: &Counts, lock: u32) -> u32 {
    entry(counts, lock).0
}

/// How often a thread has the locks before each of its nodes.
fn counts(graph: &Graph, thread: ThreadId) -> BTreeMap<NodeId, Counts> {
    let begin = graph.threads[thread as usize].begin;
    let mut counts: BTreeMap<NodeId, Counts> = BTreeMap::from([(begin, Vec::new())]);
    let mut work = vec![begin];
    let mut queued: FxHashSet<NodeId> = FxHashSet::from_iter([begin]);
    while let Some(node) = work.pop() {
        queued.remove(&node);
        let after = after(graph.nodes[node as usize].kind, &counts[&node]);
        for &next in graph.next(thread, node) {
            let changed = match counts.get_mut(&next) {
                None => {
                    counts.insert(next, after.clone());
                    true
                }
                Some(known) => join(known, &after),
            };
            if changed && queued.insert(next) {
                work.push(next);
            }
        }
    }
    counts
}

/// How often a thread has the locks behind a node. While it waits it has given back all it has of the lock, and gets
/// it again.
fn after(kind: Kind, before: &Counts) -> Counts {
    let mut counts = before.clone();
    let (lock, taken) = match kind {
        Kind::Lock(lock) => (lock, true),
        Kind::Unlock(lock) => (lock, false),
        _ => return counts,
    };
    let (least, most) = entry(&counts, lock);
    let (least, most) = match taken {
        true => ((least + 1).min(MOST), (most + 1).min(MOST)),
        false => {
            (least.saturating_sub(1), if most == MOST { MOST } else { most.saturating_sub(1) })
        }
    };
    counts.retain(|(known, ..)| *known != lock);
    if most > 0 {
        counts.push((lock, least, most));
        counts.sort_unstable();
    }
    counts
}

/// What is true of both; whether that is less than what was known.
fn join(known: &mut Counts, other: &Counts) -> bool {
    if known == other {
        return false;
    }
    let locks: Vec<u32> = known.iter().chain(other).map(|(lock, ..)| *lock).collect();
    let mut joined: Counts = Vec::new();
    for lock in locks {
        let ((a, b), (c, d)) = (entry(known, lock), entry(other, lock));
        joined.push((lock, a.min(c), b.max(d)));
    }
    joined.sort_unstable();
    joined.dedup();
    let changed = *known != joined;
    *known = joined;
    changed
}

/// The locks that a thread does not use in an orderly way, and how it uses them.
fn uses(graph: &Graph, thread: ThreadId, counts: &BTreeMap<NodeId, Counts>) -> BTreeMap<u32, Use> {
    let mut uses: BTreeMap<u32, Use> = BTreeMap::new();
    for (&node, counts) in counts {
        let of = &graph.nodes[node as usize];
        for &(lock, least, most) in counts {
            if least != most || most == MOST {
                uses.entry(lock).or_default();
            }
        }
        match of.kind {
            Kind::Unlock(lock) | Kind::Wait(lock)
                if of.thread == thread && at_least(counts, lock) == 0 =>
            {
                uses.entry(lock).or_default().unbalanced = true;
            }
            _ => {}
        }
    }
    for (&lock, of) in &mut uses {
        let most = counts.values().map(|counts| entry(counts, lock).1).max().unwrap_or(0);
        of.depth = most.clamp(1, MOST - 1);
        of.deeper = true;
    }
    uses
}
