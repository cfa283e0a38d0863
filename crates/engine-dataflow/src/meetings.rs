//! May happen in parallel, for threads that meet (rendezvous).
//!
//! The place of a thread is the node that it executed last, or that it has executed none. A node at which two
//! threads meet is a place of each of them.

use std::collections::VecDeque;

use crate::bits::{self, Matrix};
use crate::bounds::{Bounds, Cut};
use crate::graph::{Graph, Node, NodeId, ThreadId};

/// Which places threads may be at together.
pub struct Together {
    /// For each place the places of other threads.
    pub with: Matrix,
    /// The place of the partner at each meeting, behind those of the threads themselves.
    partner: Vec<u32>,
    /// Thread and node of each place; no node for a thread that has not begun.
    pub places: Vec<(ThreadId, Option<NodeId>)>,
    /// Whether a place can be reached.
    pub live: Vec<bool>,
}

impl Together {
    /// The place of a thread at a node.
    pub fn place(&self, graph: &Graph, thread: ThreadId, node: NodeId) -> u32 {
        match &graph.nodes[node as usize].partner {
            Some((partner, _)) if *partner == thread => self.partner[node as usize],
            _ => node,
        }
    }

    /// The place of a thread that has not begun.
    pub fn start(&self, graph: &Graph, thread: ThreadId) -> u32 {
        (self.places.len() - graph.threads.len()) as u32 + thread
    }

    /// Where a thread goes from a place.
    pub fn next<'a>(&self, graph: &'a Graph, place: u32) -> &'a [NodeId] {
        let (thread, node) = self.places[place as usize];
        match node {
            Some(node) => graph.next(thread, node),
            None => std::slice::from_ref(&graph.threads[thread as usize].begin),
        }
    }
}

/// Finds out, or what ended that.
pub fn together(graph: &Graph, bounds: &Bounds) -> Result<Together, Cut> {
    let own_place = |(n, node): (usize, &Node)| (node.thread, Some(n as NodeId));
    let mut places: Vec<(ThreadId, Option<NodeId>)> =
        graph.nodes.iter().enumerate().map(own_place).collect();
    let mut partner = vec![u32::MAX; graph.nodes.len()];
    for (index, node) in graph.nodes.iter().enumerate() {
        if let Some((thread, _)) = &node.partner {
            partner[index] = places.len() as u32;
            places.push((*thread, Some(index as NodeId)));
        }
    }
    places.extend((0..graph.threads.len() as ThreadId).map(|thread| (thread, None)));
    let count = places.len();
    let bytes = Matrix::bytes(count + graph.threads.len(), count);
    if let Some(cut) = bounds.reached(bytes) {
        return Err(cut);
    }
    let mut together =
        Together { with: Matrix::new(count, count), partner, places, live: vec![false; count] };
    let mut own = Matrix::new(graph.threads.len(), count);
    for (place, &(thread, _)) in together.places.iter().enumerate() {
        own.set(thread, place as u32);
    }
    let before = graph.before();
    let mut queue: VecDeque<u32> = VecDeque::new();
    let mut queued = vec![false; count];
    // All threads are taken to run from the beginning.
    let starts: Vec<u32> =
        (0..graph.threads.len() as ThreadId).map(|thread| together.start(graph, thread)).collect();
    for &one in &starts {
        for &other in starts.iter().filter(|&&other| other != one) {
            together.with.set(one, other);
        }
        together.live[one as usize] = true;
        queued[one as usize] = true;
        queue.push_back(one);
    }
    let mut common = vec![0; count.div_ceil(64)];
    while let Some(place) = queue.pop_front() {
        if let Some(cut) = bounds.reached(bytes) {
            return Err(cut);
        }
        queued[place as usize] = false;
        let thread = together.places[place as usize].0;
        for &next in together.next(graph, place) {
            let target = &graph.nodes[next as usize];
            let mine = together.place(graph, thread, next);
            let mut changed: Vec<u32> = Vec::new();
            let Some((second, _)) = &target.partner else {
                common.copy_from_slice(together.with.row(place));
                grow(&mut together, mine, &mut common, &mut changed);
                enqueue(&together, &changed, &mut queue, &mut queued);
                continue;
            };
            let other = if *second == thread { target.thread } else { *second };
            let theirs = together.place(graph, other, next);
            for &(_, from) in before[next as usize].iter().filter(|(t, _)| *t == other) {
                let from = together.place(graph, other, from);
                if !together.live[from as usize] || !together.with.has(place, from) {
                    continue;
                }
                common.copy_from_slice(together.with.row(place));
                bits::keep(&mut common, together.with.row(from));
                bits::take(&mut common, own.row(thread));
                bits::take(&mut common, own.row(other));
                let mut copy = common.clone();
                bits::put(&mut copy, theirs);
                grow(&mut together, mine, &mut copy, &mut changed);
                let mut copy = common.clone();
                bits::put(&mut copy, mine);
                grow(&mut together, theirs, &mut copy, &mut changed);
            }
            enqueue(&together, &changed, &mut queue, &mut queued);
        }
    }
    Ok(together)
}

/// Adds a set to what a place is together with, both ways.
fn grow(together: &mut Together, place: u32, set: &mut [u64], changed: &mut Vec<u32>) {
    let new = !std::mem::replace(&mut together.live[place as usize], true);
    bits::take(set, together.with.row(place));
    let mut any = new;
    bits::add(together.with.row_mut(place), set);
    for other in bits::each(set) {
        any = true;
        if together.with.set(other, place) {
            changed.push(other);
        }
    }
    if any {
        changed.push(place);
    }
}

fn enqueue(together: &Together, changed: &[u32], queue: &mut VecDeque<u32>, queued: &mut [bool]) {
    for &place in changed {
        if together.live[place as usize] && !std::mem::replace(&mut queued[place as usize], true) {
            queue.push_back(place);
        }
    }
}
