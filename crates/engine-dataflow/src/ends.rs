//! Whether runs end at all: of a program none of whose runs does, everything is true of all runs that end.

use everypath_property::events::Fsa;

use crate::automata::Constraint;
use crate::graph::{Graph, Kind, NodeId, ThreadId};
use crate::model::Model;
use crate::propagate::Effort;

/// A thread that runs in every run and never comes to its end, whatever the others do.
pub fn endless_thread(graph: &Graph) -> Option<&str> {
    let runs =
        |thread: &ThreadId| graph.threads[*thread as usize].runs || surely_started(graph, *thread);
    let endless = |thread: &ThreadId| !reaches_end(graph, *thread);
    let mut threads = 0..graph.threads.len() as ThreadId;
    let found = threads.find(|thread| endless(thread) && runs(thread))?;
    Some(&graph.threads[found as usize].name)
}

/// Whether every run of a thread that runs from the beginning starts another one.
pub fn surely_started(graph: &Graph, thread: ThreadId) -> bool {
    graph.threads.iter().filter(|one| one.runs).any(|one| {
        let mut seen = vec![false; graph.nodes.len()];
        let mut work = vec![one.begin];
        while let Some(node) = work.pop() {
            if node == one.end {
                return false;
            }
            let of = &graph.nodes[node as usize];
            if of.kind != Kind::Start(thread) {
                let next = graph.next(of.thread, node).iter();
                work.extend(next.filter(|n| !std::mem::replace(&mut seen[**n as usize], true)));
            }
        }
        true
    })
}

fn reaches_end(graph: &Graph, thread: ThreadId) -> bool {
    let of = &graph.threads[thread as usize];
    let mut seen = vec![false; graph.nodes.len()];
    let mut work: Vec<NodeId> = vec![of.begin];
    while let Some(node) = work.pop() {
        if node == of.end {
            return true;
        }
        let next = graph.next(thread, node).iter();
        work.extend(next.filter(|n| !std::mem::replace(&mut seen[**n as usize], true)));
    }
    false
}

impl Model {
    /// Whether no run ends, as far as all constraints tell that there are; at most so many pairs are looked at.
    pub fn never_ends(&self, limit: u64) -> bool {
        let graph = &self.graph;
        let threads = graph.threads.iter().filter(|thread| !thread.many);
        let tasks = threads.map(|thread| Constraint::Task(thread.name.clone()));
        let variables = graph.variables.iter().map(|one| Constraint::Variable(one.name.clone()));
        let monitors = graph.locks.iter().map(|lock| Constraint::Monitor(lock.clone()));
        let all: Vec<Constraint> = tasks.chain(variables).chain(monitors).collect();
        // The property that there is no run.
        let none = Fsa {
            events: Vec::new(),
            delta: vec![Vec::new()],
            start: 0,
            accepting: vec![false],
            names: vec!["run".to_owned()],
        };
        let answer = self.decide_for(&none, &all, Effort::Proof, limit);
        answer.is_ok_and(|answer| answer.conclusive() && !answer.propagated.ends)
    }
}
