//! The threads that matter for a property. What others do among themselves makes no difference for it,
//! and taking it to be possible at any time only adds paths.

use everypath_property::events::Fsa;

use crate::automata::Constraint;
use crate::graph::{Graph, Kind, NodeId, Thread, ThreadId};

/// What is read of a program.
pub struct Read<'a> {
    /// The property.
    pub required: &'a Fsa,
    /// Constraints of the user.
    pub assumed: &'a [(String, Fsa)],
    /// The constraints; `None` if they are looked for.
    pub constraints: Option<&'a [Constraint]>,
}

impl Read<'_> {
    /// Whether the property or a constraint of the user reads a node.
    fn event(&self, graph: &Graph, kind: Kind) -> bool {
        let (Kind::Event(event) | Kind::Meet(event)) = kind else { return false };
        let name = &graph.events[event as usize];
        self.required.events.contains(name)
            || self.assumed.iter().any(|(_, fsa)| fsa.events.contains(name))
    }

    /// Whether a node is read, or may come to be read.
    pub fn node(&self, graph: &Graph, node: NodeId) -> bool {
        let of = &graph.nodes[node as usize];
        let value = matches!(of.kind, Kind::Assign(..) | Kind::Is(..) | Kind::IsNot(..));
        self.event(graph, of.kind)
            || match self.constraints {
                Some(all) => all.iter().any(|one| one.reads(graph, of, self.assumed)),
                None => value,
            }
    }
}

/// The graph of the threads that matter.
pub fn slice(graph: &Graph, read: &Read<'_>) -> Graph {
    let count = graph.threads.len();
    let mut matters = vec![false; count];
    for (index, node) in graph.nodes.iter().enumerate() {
        let seen = match read.constraints {
            Some(_) => read.node(graph, index as NodeId),
            // Whoever has events may come to be followed, with the variables and locks that it uses.
            None => read.event(graph, node.kind),
        };
        if seen {
            graph.threads_of(index as NodeId).for_each(|thread| matters[thread as usize] = true);
        }
    }
    for constraint in read.constraints.unwrap_or_default() {
        if let Constraint::Task(name) = constraint {
            let found = graph.threads.iter().position(|thread| thread.name == *name);
            found.into_iter().for_each(|thread| matters[thread] = true);
        }
    }
    if read.constraints.is_none() {
        with_writers(graph, &mut matters);
    }
    let (locks, variables) = used(graph, &matters);
    let mut met = matters.clone();
    for node in &graph.nodes {
        if let Some((partner, _)) = &node.partner {
            for (one, other) in [(node.thread, *partner), (*partner, node.thread)] {
                met[other as usize] |= matters[one as usize];
            }
        }
    }
    let mut sliced = graph.clone();
    for node in &mut sliced.nodes {
        if matters[node.thread as usize] {
            continue;
        }
        match node.kind {
            Kind::Lock(l)
            | Kind::Unlock(l)
            | Kind::Wait(l)
            | Kind::Waiting(l)
            | Kind::Reenter(l)
            | Kind::Notify(l)
            | Kind::NotifyAll(l)
                if !locks[l as usize] =>
            {
                node.kind = Kind::Nothing;
            }
            Kind::Assign(x, _) | Kind::Is(x, _) | Kind::IsNot(x, _) if !variables[x as usize] => {
                node.kind = Kind::Nothing;
            }
            Kind::Event(_) => node.kind = Kind::Nothing,
            _ => {}
        }
    }
    let stays = staying(&sliced, met);
    without(&sliced, &stays)
}

/// The locks and variables that some threads use.
fn used(graph: &Graph, matters: &[bool]) -> (Vec<bool>, Vec<bool>) {
    let mut locks = vec![false; graph.locks.len()];
    let mut variables = vec![false; graph.variables.len()];
    for node in graph.nodes.iter().filter(|node| matters[node.thread as usize]) {
        match node.kind {
            Kind::Lock(l) | Kind::Wait(l) | Kind::Notify(l) | Kind::NotifyAll(l) => {
                locks[l as usize] = true;
            }
            Kind::Assign(x, _) | Kind::Is(x, _) | Kind::IsNot(x, _) => {
                variables[x as usize] = true;
            }
            _ => {}
        }
    }
    (locks, variables)
}

/// What a thread tests another one may write, which then may come to be followed as well.
fn with_writers(graph: &Graph, matters: &mut [bool]) {
    loop {
        let (_, variables) = used(graph, matters);
        let mut changed = false;
        for node in &graph.nodes {
            if let Kind::Assign(x, _) = node.kind
                && variables[x as usize]
                && !std::mem::replace(&mut matters[node.thread as usize], true)
            {
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

/// These threads, those that do something that matters, and those that start one.
fn staying(graph: &Graph, mut stays: Vec<bool>) -> Vec<bool> {
    for node in &graph.nodes {
        let sync = !matches!(
            node.kind,
            Kind::Nothing
                | Kind::Begin
                | Kind::End
                | Kind::Start(_)
                | Kind::Join(_)
                | Kind::Meet(_)
                | Kind::Send(_)
                | Kind::Accept(_)
        );
        stays[node.thread as usize] |= sync && node.partner.is_none();
    }
    loop {
        let mut changed = false;
        for node in &graph.nodes {
            if let Kind::Start(started) = node.kind
                && stays[started as usize]
                && !std::mem::replace(&mut stays[node.thread as usize], true)
            {
                changed = true;
            }
        }
        if !changed {
            return stays;
        }
    }
}

/// The graph without some threads. Those who meet one of them meet nobody.
fn without(graph: &Graph, stays: &[bool]) -> Graph {
    if stays.iter().all(|stays| *stays) {
        return graph.clone();
    }
    let mut place = vec![ThreadId::MAX; stays.len()];
    let mut threads: Vec<Thread> = Vec::new();
    for (index, thread) in graph.threads.iter().enumerate().filter(|(index, _)| stays[*index]) {
        place[index] = threads.len() as ThreadId;
        threads.push(thread.clone());
    }
    // Nodes that go are left in place and are reached by nobody; `simplify` removes them.
    let mut made = Graph { threads, ..graph.clone() };
    for node in &mut made.nodes {
        if let Some((partner, next)) = node.partner.take() {
            let event = match node.kind {
                Kind::Meet(event) => Kind::Event(event),
                kind => kind,
            };
            match (place[node.thread as usize], place[partner as usize]) {
                (ThreadId::MAX, _) => {
                    (node.thread, node.next, node.kind) = (partner, next, event);
                }
                (_, ThreadId::MAX) => node.kind = event,
                (_, other) => node.partner = Some((other, next)),
            }
        }
        match node.kind {
            Kind::Start(thread) | Kind::Join(thread) if !stays[thread as usize] => {
                node.kind = Kind::Nothing;
            }
            Kind::Start(thread) => node.kind = Kind::Start(place[thread as usize]),
            Kind::Join(thread) => node.kind = Kind::Join(place[thread as usize]),
            _ => {}
        }
        node.thread = match place[node.thread as usize] {
            ThreadId::MAX => 0,
            place => place,
        };
    }
    made
}
