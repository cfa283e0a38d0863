//! Which locks a thread has at its nodes.

use crate::graph::{Graph, Kind, NodeId};

/// What is known about locks.
pub struct Held {
    /// For each lock the nodes at which its thread has it; nothing for locks that are not taken and
    /// given back in an orderly way.
    pub nodes: Vec<Vec<NodeId>>,
}

/// Finds out; taking a lock that the thread has, and giving it back then, become nothing.
pub fn held(graph: &mut Graph) -> Held {
    let locks = graph.locks.len();
    let mut irregular = vec![false; locks];
    let mut counts: Vec<Option<Vec<u32>>> = vec![None; graph.nodes.len()];
    for thread in &graph.threads {
        let begin = thread.begin;
        counts[begin as usize] = Some(vec![0; locks]);
        let mut work = vec![begin];
        while let Some(node) = work.pop() {
            let Some(mut count) = counts[node as usize].clone() else { continue };
            match graph.nodes[node as usize].kind {
                Kind::Lock(lock) => {
                    // A lock that a loop takes again and again is not worth following.
                    let count = &mut count[lock as usize];
                    *count = (*count + 1).min(MOST);
                    irregular[lock as usize] |= *count == MOST;
                }
                Kind::Unlock(lock) => {
                    let count = &mut count[lock as usize];
                    irregular[lock as usize] |= *count == 0;
                    *count = count.saturating_sub(1);
                }
                // What waits gives back all it has of the lock, and gets it again.
                Kind::Wait(lock) => irregular[lock as usize] |= count[lock as usize] == 0,
                _ => {}
            }
            for &next in graph.next(graph.nodes[node as usize].thread, node) {
                match &mut counts[next as usize] {
                    None => {
                        counts[next as usize] = Some(count.clone());
                        work.push(next);
                    }
                    Some(known) => {
                        for lock in 0..locks {
                            irregular[lock] |= known[lock] != count[lock];
                        }
                    }
                }
            }
        }
    }
    let mut nodes = vec![Vec::new(); locks];
    for (index, node) in graph.nodes.iter_mut().enumerate() {
        let Some(count) = &counts[index] else { continue };
        for (lock, &count) in count.iter().enumerate().filter(|&(lock, _)| !irregular[lock]) {
            let waits =
                matches!(node.kind, Kind::Waiting(l) | Kind::Reenter(l) if l as usize == lock);
            if count > 0 && !waits {
                nodes[lock].push(index as NodeId);
            }
        }
        match node.kind {
            Kind::Lock(l) if !irregular[l as usize] && count[l as usize] > 0 => {
                node.kind = Kind::Nothing;
            }
            Kind::Unlock(l) if !irregular[l as usize] && count[l as usize] > 1 => {
                node.kind = Kind::Nothing;
            }
            _ => {}
        }
    }
    Held { nodes }
}

/// How often a thread may have a lock at a time.
const MOST: u32 = 64;
