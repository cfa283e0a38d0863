//! From a program with procedures to one graph for each thread: calls are replaced by copies of what
//! they call, with names of their own.

use everypath_flow::{Op, Program};
use everypath_model::Span;
use rustc_hash::FxHashMap;

use crate::graph::{Graph, Kind, Node, NodeId, Thread, ThreadId, Variable};

/// Nodes, at most.
const MOST_NODES: usize = 5_000_000;
/// Calls inside of each other, at most.
const DEPTH: usize = 400;

/// Why a program has no graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: Option<Span>,
}

/// The graph of a program.
pub fn inline(program: &Program) -> Result<Graph, Refused> {
    let mut inliner = Inliner {
        program,
        graph: Graph::default(),
        locks: FxHashMap::default(),
        events: FxHashMap::default(),
        variables: FxHashMap::default(),
        threads: FxHashMap::default(),
        copies: FxHashMap::default(),
        thread: 0,
    };
    for variable in &program.variables {
        let index = inliner.variable(&variable.name);
        if let Some(value) = &variable.initial {
            let value = inliner.value(index, value);
            inliner.graph.variables[index as usize].initial = Some(value);
        }
    }
    for (index, thread) in program.threads.iter().enumerate() {
        inliner.threads.insert(thread.name.clone(), index as ThreadId);
    }
    for (index, thread) in program.threads.iter().enumerate() {
        inliner.thread(index as ThreadId, thread)?;
    }
    let mut graph = inliner.graph;
    truth(&mut graph);
    meet(&mut graph);
    many(&mut graph);
    Ok(graph)
}

struct Inliner<'a> {
    program: &'a Program,
    graph: Graph,
    locks: FxHashMap<String, u32>,
    events: FxHashMap<String, u32>,
    variables: FxHashMap<String, u32>,
    threads: FxHashMap<String, ThreadId>,
    /// How often each procedure was copied into the thread. What stands behind an `@` in a name tells copies of one
    /// procedure apart.
    copies: FxHashMap<String, u32>,
    thread: ThreadId,
}

/// A copy of a procedure.
struct Copy {
    procedure: usize,
    arguments: Vec<String>,
    entry: NodeId,
    /// Where it ends, and where it ends with an exception.
    exit: NodeId,
    raise: NodeId,
    /// Its own variables.
    locals: Vec<u32>,
}

impl Inliner<'_> {
    fn node(&mut self, kind: Kind, span: Option<Span>) -> Result<NodeId, Refused> {
        let node = self.graph.nodes.len();
        if node >= MOST_NODES {
            let message =
                format!("the graph has more than {MOST_NODES} nodes with all calls in place");
            return Err(Refused { message, span });
        }
        let thread = self.thread;
        self.graph.nodes.push(Node { thread, partner: None, kind, next: Vec::new(), span });
        Ok(node as NodeId)
    }

    fn edge(&mut self, from: NodeId, to: NodeId) {
        let next = &mut self.graph.nodes[from as usize].next;
        if !next.contains(&to) {
            next.push(to);
        }
    }

    fn variable(&mut self, name: &str) -> u32 {
        if let Some(&index) = self.variables.get(name) {
            return index;
        }
        let index = self.graph.variables.len() as u32;
        self.variables.insert(name.to_owned(), index);
        self.graph.variables.push(Variable {
            name: name.to_owned(),
            initial: None,
            values: Vec::new(),
        });
        index
    }

    fn value(&mut self, variable: u32, value: &str) -> u32 {
        let values = &mut self.graph.variables[variable as usize].values;
        let found = values.iter().position(|known| known == value);
        let index = found.unwrap_or_else(|| {
            values.push(value.to_owned());
            values.len() - 1
        });
        index as u32
    }

    fn thread(&mut self, index: ThreadId, thread: &everypath_flow::Thread) -> Result<(), Refused> {
        self.thread = index;
        self.copies.clear();
        let begin = self.node(Kind::Begin, None)?;
        let end = self.node(Kind::End, None)?;
        let made = Thread { name: thread.name.clone(), runs: thread.runs, many: false, begin, end };
        self.graph.threads.push(made);
        let mut around = Vec::new();
        let copy = self.copy(thread.body, thread.arguments.clone(), &mut around)?;
        self.edge(begin, copy.entry);
        self.edge(copy.exit, end);
        // An exception that nobody catches ends the thread.
        self.edge(copy.raise, end);
        Ok(())
    }

    /// Copies a procedure into the thread.
    fn copy(
        &mut self,
        procedure: usize,
        arguments: Vec<String>,
        around: &mut Vec<Copy>,
    ) -> Result<Copy, Refused> {
        let source = &self.program.procedures[procedure];
        if around.len() >= DEPTH {
            let message = format!("`{}`: calls lie too deep in each other", source.name);
            return Err(Refused { message, span: None });
        }
        let name = source.name.split('@').next().unwrap_or_default();
        let number = self.copies.entry(name.to_owned()).or_insert(0);
        *number += 1;
        let number = *number;
        // The first copy of `x` in the first thread is `x1_1`.
        let suffix = format!("{}_{number}", self.number(self.thread));
        let rename: FxHashMap<&str, String> = source
            .parameters
            .iter()
            .map(String::as_str)
            .zip(arguments.iter().cloned())
            .chain(source.locals.iter().map(|local| (local.as_str(), own_name(local, &suffix))))
            .collect();
        let locals: Vec<u32> =
            source.locals.iter().map(|local| self.variable(&rename[local.as_str()])).collect();
        let exit = self.node(Kind::Nothing, None)?;
        let raise = self.node(Kind::Nothing, None)?;
        // Each node of the procedure has a first and a last node here.
        let mut places: Vec<(NodeId, NodeId)> = Vec::with_capacity(source.nodes.len());
        for node in &source.nodes {
            let kinds = self.kinds(&node.op, &rename, node.span)?;
            let first = self.node(kinds[0], node.span)?;
            let mut last = first;
            for &kind in &kinds[1..] {
                let next = self.node(kind, node.span)?;
                self.edge(last, next);
                last = next;
            }
            places.push((first, last));
        }
        let entry = places[source.entry].0;
        around.push(Copy { procedure, arguments, entry, exit, raise, locals });
        for (index, node) in source.nodes.iter().enumerate() {
            let (first, last) = places[index];
            match &node.op {
                Op::Return => self.edge(last, exit),
                Op::Throw => self.edge(last, raise),
                Op::Call { procedure, arguments } => {
                    let arguments: Vec<String> =
                        arguments.iter().map(|name| renamed(name, &rename)).collect();
                    let (done, failed) = self.call(first, *procedure, arguments, around)?;
                    for &next in &node.next {
                        self.edge(done, places[next].0);
                    }
                    if node.handlers.is_empty() {
                        self.edge(failed, raise);
                    }
                    for &handler in &node.handlers {
                        self.edge(failed, places[handler].0);
                    }
                    continue;
                }
                _ => {}
            }
            for &next in &node.next {
                self.edge(last, places[next].0);
            }
        }
        Ok(around.pop().unwrap_or_else(|| unreachable!("pushed above")))
    }

    /// Puts a call in the place of a node; says where control is after it, and after an exception.
    fn call(
        &mut self,
        node: NodeId,
        procedure: usize,
        arguments: Vec<String>,
        around: &mut Vec<Copy>,
    ) -> Result<(NodeId, NodeId), Refused> {
        let same = |copy: &&Copy| copy.procedure == procedure && copy.arguments == arguments;
        if let Some(copy) = around.iter().find(same) {
            // Recursion: the copy is used again. Which call a return belongs to is forgotten, and so is what
            // the variables of the other call were.
            let (entry, exit, raise) = (copy.entry, copy.exit, copy.raise);
            let locals: Vec<u32> = around.iter().flat_map(|copy| copy.locals.clone()).collect();
            let inside = self.forget(node, &locals)?;
            self.edge(inside, entry);
            let mut ends = Vec::new();
            for end in [exit, raise] {
                let after = self.node(Kind::Nothing, None)?;
                self.edge(end, after);
                ends.push(self.forget(after, &locals)?);
            }
            return Ok((ends[0], ends[1]));
        }
        let copy = self.copy(procedure, arguments, around)?;
        self.edge(node, copy.entry);
        Ok((copy.exit, copy.raise))
    }

    /// Nodes behind a node after which some variables may have any value.
    fn forget(&mut self, node: NodeId, locals: &[u32]) -> Result<NodeId, Refused> {
        let mut last = node;
        for &local in locals {
            let next = self.node(Kind::Assign(local, None), None)?;
            self.edge(last, next);
            last = next;
        }
        Ok(last)
    }

    /// What a node becomes.
    fn kinds(
        &mut self,
        op: &Op,
        rename: &FxHashMap<&str, String>,
        span: Option<Span>,
    ) -> Result<Vec<Kind>, Refused> {
        let name = op.name().map(|name| renamed(name, rename)).unwrap_or_default();
        let index = |known: &mut FxHashMap<String, u32>, names: &mut Vec<String>| {
            *known.entry(name.clone()).or_insert_with(|| {
                names.push(name.clone());
                names.len() as u32 - 1
            })
        };
        Ok(vec![match op {
            Op::Nothing | Op::Return | Op::Throw | Op::Call { .. } => Kind::Nothing,
            Op::Event(_) => Kind::Event(index(&mut self.events, &mut self.graph.events)),
            Op::Send(_) => Kind::Send(index(&mut self.events, &mut self.graph.events)),
            Op::Accept(_) => Kind::Accept(index(&mut self.events, &mut self.graph.events)),
            Op::Lock(_) => Kind::Lock(index(&mut self.locks, &mut self.graph.locks)),
            Op::Unlock(_) => Kind::Unlock(index(&mut self.locks, &mut self.graph.locks)),
            Op::Notify(_) => Kind::Notify(index(&mut self.locks, &mut self.graph.locks)),
            Op::NotifyAll(_) => Kind::NotifyAll(index(&mut self.locks, &mut self.graph.locks)),
            Op::Wait(_) => {
                let lock = index(&mut self.locks, &mut self.graph.locks);
                return Ok(vec![Kind::Wait(lock), Kind::Waiting(lock), Kind::Reenter(lock)]);
            }
            // Nobody has to wake it.
            Op::Pause(_) => {
                let lock = index(&mut self.locks, &mut self.graph.locks);
                return Ok(vec![Kind::Wait(lock), Kind::Reenter(lock)]);
            }
            Op::Start(_) | Op::Join(_) => {
                let Some(&thread) = self.threads.get(&name) else {
                    return Err(Refused { message: format!("there is no thread `{name}`"), span });
                };
                if matches!(op, Op::Start(_)) { Kind::Start(thread) } else { Kind::Join(thread) }
            }
            Op::Assign { value, .. } => {
                let variable = self.variable(&name);
                // A name of a parameter may stand for a value, too.
                let value = value.as_ref().map(|value| renamed(value, rename));
                let value = value.filter(|value| value != "?");
                Kind::Assign(variable, value.map(|value| self.value(variable, &value)))
            }
            Op::Test { is, value, .. } => {
                let variable = self.variable(&name);
                let value = self.value(variable, &renamed(value, rename));
                if *is { Kind::Is(variable, value) } else { Kind::IsNot(variable, value) }
            }
        }])
    }

    /// The number of a thread in the names of its variables: `main` is none.
    fn number(&self, thread: ThreadId) -> usize {
        let threads = &self.program.threads;
        if threads[thread as usize].name == "main" {
            return 0;
        }
        let others = threads[..thread as usize].iter().filter(|thread| thread.name != "main");
        others.count() + 1
    }
}

/// The name of a variable of one call: the number of the copy comes before what tells variables apart.
fn own_name(local: &str, suffix: &str) -> String {
    match local.split_once('@') {
        None | Some((_, "")) => format!("{}{suffix}", local.trim_end_matches('@')),
        Some((name, number)) => format!("{name}{suffix}@{number}"),
    }
}

/// A name with arguments in the place of parameters.
fn renamed(name: &str, rename: &FxHashMap<&str, String>) -> String {
    if rename.is_empty() {
        return name.to_owned();
    }
    let part = |part: &str| rename.get(part).cloned().unwrap_or_else(|| part.to_owned());
    name.split('.').map(part).collect::<Vec<_>>().join(".")
}

/// A truth value that is not the one is the other, of a variable that has no other values.
fn truth(graph: &mut Graph) {
    let others: Vec<Option<[u32; 2]>> = graph
        .variables
        .iter_mut()
        .map(|variable| {
            let values = &mut variable.values;
            if values.is_empty() || values.iter().any(|value| value != "true" && value != "false") {
                return None;
            }
            // For each value the other one.
            let other = |value: &str| if value == "true" { "false" } else { "true" };
            if values.len() == 1 {
                values.push(other(&values[0]).to_owned());
            }
            Some([1, 0])
        })
        .collect();
    for node in &mut graph.nodes {
        if let Kind::IsNot(variable, value) = node.kind
            && let Some(other) = others[variable as usize]
        {
            node.kind = Kind::Is(variable, other[value as usize]);
        }
    }
}

/// Replaces senders and those who accept by their meetings, one for each pair.
fn meet(graph: &mut Graph) {
    let mut senders: FxHashMap<u32, Vec<NodeId>> = FxHashMap::default();
    let mut acceptors: FxHashMap<u32, Vec<NodeId>> = FxHashMap::default();
    for (index, node) in graph.nodes.iter().enumerate() {
        match node.kind {
            Kind::Send(event) => senders.entry(event).or_default().push(index as NodeId),
            Kind::Accept(event) => acceptors.entry(event).or_default().push(index as NodeId),
            _ => {}
        }
    }
    if senders.is_empty() && acceptors.is_empty() {
        return;
    }
    // What each end of a channel becomes.
    let mut meetings: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
    let mut events: Vec<u32> = senders.keys().copied().collect();
    events.sort_unstable();
    for event in events {
        let none = Vec::new();
        let meeting = event_of_meeting(graph, event);
        for &sender in &senders[&event] {
            for &acceptor in acceptors.get(&event).unwrap_or(&none) {
                let (one, other) = (&graph.nodes[sender as usize], &graph.nodes[acceptor as usize]);
                if one.thread == other.thread {
                    continue;
                }
                let node = Node {
                    thread: one.thread,
                    partner: Some((other.thread, other.next.clone())),
                    kind: Kind::Meet(meeting),
                    next: one.next.clone(),
                    span: one.span,
                };
                let index = graph.nodes.len() as NodeId;
                graph.nodes.push(node);
                meetings.entry(sender).or_default().push(index);
                meetings.entry(acceptor).or_default().push(index);
            }
        }
    }
    let ends: Vec<bool> = graph
        .nodes
        .iter()
        .map(|node| matches!(node.kind, Kind::Send(_) | Kind::Accept(_)))
        .collect();
    for node in &mut graph.nodes {
        let lists = std::iter::once(&mut node.next).chain(node.partner.as_mut().map(|(_, n)| n));
        for list in lists {
            let old = std::mem::take(list);
            for target in old {
                match ends[target as usize] {
                    true => list.extend(meetings.get(&target).into_iter().flatten()),
                    false => list.push(target),
                }
            }
        }
    }
}

/// The event of a meeting: what stands behind an `@` in its name tells it apart from others with the same event.
fn event_of_meeting(graph: &mut Graph, name: u32) -> u32 {
    let Some((event, _)) = graph.events[name as usize].split_once('@') else { return name };
    let event = event.to_owned();
    let known = graph.events.iter().position(|known| *known == event);
    known.unwrap_or_else(|| {
        graph.events.push(event);
        graph.events.len() - 1
    }) as u32
}

/// Finds the threads of which there may be several.
fn many(graph: &mut Graph) {
    let mut starts: Vec<Vec<NodeId>> = vec![Vec::new(); graph.threads.len()];
    for (index, node) in graph.nodes.iter().enumerate() {
        if let Kind::Start(thread) = node.kind {
            starts[thread as usize].push(index as NodeId);
        }
    }
    for (thread, sites) in starts.iter().enumerate() {
        let runs = usize::from(graph.threads[thread].runs);
        let again = sites.iter().any(|&site| comes_back(graph, site));
        // Two sites of which only one can be reached in a run are taken for two starts.
        graph.threads[thread].many = again || sites.len() + runs > 1;
    }
    // One of which there are several may start another one several times.
    loop {
        let found = graph.nodes.iter().find_map(|node| match node.kind {
            Kind::Start(thread)
                if graph.threads[node.thread as usize].many
                    && !graph.threads[thread as usize].many =>
            {
                Some(thread)
            }
            _ => None,
        });
        match found {
            Some(thread) => graph.threads[thread as usize].many = true,
            None => return,
        }
    }
}

/// Whether a node can be reached from itself.
fn comes_back(graph: &Graph, node: NodeId) -> bool {
    let mut seen = vec![false; graph.nodes.len()];
    let mut work: Vec<NodeId> = graph.nodes[node as usize].next.clone();
    while let Some(at) = work.pop() {
        if at == node {
            return true;
        }
        if !std::mem::replace(&mut seen[at as usize], true) {
            work.extend(&graph.nodes[at as usize].next);
        }
    }
    false
}
