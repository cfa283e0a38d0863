//! Properties and constraints as automata that read nodes.

use everypath_property::events::Fsa;
use rustc_hash::FxHashMap;

use crate::graph::{Graph, Kind, Node, ThreadId};
use crate::propagate::Runs;
use crate::tfg::Tfg;

/// A state of an automaton.
pub type State = u16;

/// What a node is for an automaton that does not read it.
pub const UNREAD: u16 = u16::MAX;

/// An automaton over the nodes of a trace flow graph.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// What it is called.
    pub name: String,
    /// Its first state.
    pub start: State,
    /// The state behind each state and symbol.
    pub delta: Vec<Vec<State>>,
    /// Whether a state may be the last one.
    pub accepting: Vec<bool>,
    /// States from which no accepting one is reached.
    pub trap: Vec<bool>,
    /// The state in which a constraint is violated. A thread that cannot come to its end is in a trap, but has
    /// done nothing wrong.
    pub violated: Option<State>,
    /// The names of states.
    pub names: Vec<String>,
    /// What each node of the trace flow graph is for it.
    pub reads: Vec<u16>,
}

/// A constraint, by what it is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Constraint {
    /// The control flow of a thread.
    Task(String),
    /// The values of a variable.
    Variable(String),
    /// Who has a lock.
    Monitor(String),
    /// A constraint of the user, by its place.
    Assumed(usize),
}

impl Constraint {
    /// How it is written: `task:p1`, `var:x`, `monitor:l`.
    pub fn name(&self, assumed: &[(String, Fsa)]) -> String {
        match self {
            Constraint::Task(name) => format!("task:{name}"),
            Constraint::Variable(name) => format!("var:{name}"),
            Constraint::Monitor(name) => format!("monitor:{name}"),
            Constraint::Assumed(index) => format!("assumed:{}", assumed[*index].0),
        }
    }

    /// Reads it; what is wrong otherwise.
    pub fn parse(text: &str) -> Result<Constraint, String> {
        let (kind, name) = text.split_once(':').unwrap_or(("", text));
        let name = name.to_owned();
        match kind {
            "task" => Ok(Constraint::Task(name)),
            "var" => Ok(Constraint::Variable(name)),
            "monitor" => Ok(Constraint::Monitor(name)),
            _ => Err(format!("`{text}` is none of task:NAME, var:NAME, monitor:NAME")),
        }
    }

    /// Whether a node matters for it. Tasks take the nodes that matter for others.
    pub fn reads(&self, graph: &Graph, node: &Node, assumed: &[(String, Fsa)]) -> bool {
        match (self, node.kind) {
            (
                Constraint::Variable(name),
                Kind::Assign(x, _) | Kind::Is(x, _) | Kind::IsNot(x, _),
            ) => graph.variables[x as usize].name == *name,
            (
                Constraint::Monitor(name),
                Kind::Lock(l) | Kind::Unlock(l) | Kind::Wait(l) | Kind::Reenter(l),
            ) => graph.locks[l as usize] == *name,
            (Constraint::Assumed(index), Kind::Event(event) | Kind::Meet(event)) => {
                assumed[*index].1.events.contains(&graph.events[event as usize])
            }
            _ => false,
        }
    }

    /// The automaton; or why there is none.
    pub fn automaton(
        &self,
        graph: &Graph,
        tfg: &Tfg,
        assumed: &[(String, Fsa)],
    ) -> Result<Automaton, String> {
        let mut made = match self {
            Constraint::Task(name) => {
                let found = graph.threads.iter().position(|thread| thread.name == *name);
                let thread = found.ok_or_else(|| format!("there is no thread `{name}`"))?;
                task(graph, tfg, thread as ThreadId)?
            }
            Constraint::Variable(name) => {
                let found = graph.variables.iter().position(|variable| variable.name == *name);
                let variable = found.ok_or_else(|| format!("there is no variable `{name}`"))?;
                variable_of(graph, tfg, variable as u32)?
            }
            Constraint::Monitor(name) => {
                let found = graph.locks.iter().position(|lock| lock == name);
                let lock = found.ok_or_else(|| format!("there is no lock `{name}`"))?;
                monitor(graph, tfg, lock as u32)?
            }
            Constraint::Assumed(index) => of_events(&assumed[*index].1, graph, tfg)?,
        };
        made.name = self.name(assumed);
        Ok(made)
    }
}

impl Automaton {
    fn new(delta: Vec<Vec<State>>, accepting: Vec<bool>, reads: Vec<u16>) -> Automaton {
        let trap = traps(&delta, &accepting);
        let names = (0..delta.len()).map(|state| state.to_string()).collect();
        let (name, violated) = (String::new(), None);
        Automaton { name, start: 0, delta, accepting, trap, violated, names, reads }
    }

    /// Whether no run of a kind gets on from a state.
    pub fn rules_out(&self, state: State, runs: Runs) -> bool {
        match (runs, self.violated) {
            (Runs::All, Some(violated)) => state == violated,
            _ => self.trap[usize::from(state)],
        }
    }
}

/// The states from which no accepting one is reached.
fn traps(delta: &[Vec<State>], accepting: &[bool]) -> Vec<bool> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); delta.len()];
    for (state, next) in delta.iter().enumerate() {
        next.iter().for_each(|&target| before[usize::from(target)].push(state));
    }
    let mut trap = vec![true; delta.len()];
    let mut work: Vec<usize> = (0..delta.len()).filter(|&state| accepting[state]).collect();
    while let Some(state) = work.pop() {
        if std::mem::replace(&mut trap[state], false) {
            work.extend(&before[state]);
        }
    }
    trap
}

/// States, at most.
const MOST_STATES: usize = 60_000;

fn limited(count: usize, what: &str) -> Result<(), String> {
    match count > MOST_STATES {
        true => Err(format!("{what} has more than {MOST_STATES} states")),
        false => Ok(()),
    }
}

/// What the nodes of a trace flow graph are, by a function of nodes of the graph.
fn symbols(graph: &Graph, tfg: &Tfg, mut of: impl FnMut(&Node, u32) -> Option<u16>) -> Vec<u16> {
    let mut reads = vec![UNREAD; 2];
    for (index, &node) in tfg.of.iter().enumerate() {
        reads.push(of(&graph.nodes[node as usize], index as u32 + 2).unwrap_or(UNREAD));
    }
    reads
}

/// An automaton over events.
pub fn of_events(fsa: &Fsa, graph: &Graph, tfg: &Tfg) -> Result<Automaton, String> {
    limited(fsa.len(), "the automaton")?;
    let place: FxHashMap<&str, u16> =
        fsa.events.iter().enumerate().map(|(i, event)| (event.as_str(), i as u16)).collect();
    let reads = symbols(graph, tfg, |node, _| match node.kind {
        Kind::Event(event) | Kind::Meet(event) => {
            place.get(graph.events[event as usize].as_str()).copied()
        }
        _ => None,
    });
    let narrow = |row: &Vec<usize>| row.iter().map(|&state| state as State).collect();
    let delta = fsa.delta.iter().map(narrow).collect();
    let mut made = Automaton::new(delta, fsa.accepting.clone(), reads);
    made.start = fsa.start as State;
    made.names.clone_from(&fsa.names);
    Ok(made)
}

/// The control flow of a thread: what is left of its nodes comes in its order, from the beginning to the
/// end.
fn task(graph: &Graph, tfg: &Tfg, thread: ThreadId) -> Result<Automaton, String> {
    let of = &graph.threads[thread as usize];
    if of.many {
        return Err(format!("there may be several `{}` at a time", of.name));
    }
    let lane = &tfg.lanes[thread as usize];
    let count = lane.next.len();
    limited(count + 2, "the automaton of the thread")?;
    let symbol: FxHashMap<u32, u16> =
        lane.next.iter().enumerate().map(|(i, (node, ..))| (*node, i as u16)).collect();
    let reads = symbols(graph, tfg, |_, node| symbol.get(&node).copied());
    // Before the first node, behind each node, and wrong.
    let wrong = count as State + 1;
    let mut delta = vec![vec![wrong; count]; count + 2];
    let mut accepting = vec![false; count + 2];
    // One that is never started does nothing.
    let starts = graph.nodes.iter().filter(|node| node.kind == Kind::Start(thread)).count();
    let surely = of.runs || starts == 0 || surely_started(graph, thread);
    accepting[0] = lane.may_be_empty || !surely;
    for &first in &lane.first {
        delta[0][usize::from(symbol[&first])] = symbol[&first] + 1;
    }
    for (index, (_, next, end)) in lane.next.iter().enumerate() {
        accepting[index + 1] = *end;
        for target in next {
            delta[index + 1][usize::from(symbol[target])] = symbol[target] + 1;
        }
    }
    let mut made = Automaton::new(delta, accepting, reads);
    made.names[0] = "before".to_owned();
    made.violated = Some(wrong);
    made.names[usize::from(wrong)] = "violated".to_owned();
    for (index, (node, ..)) in lane.next.iter().enumerate() {
        if let Some(node) = tfg.node(*node) {
            made.names[index + 1] = format!("after {}", graph.show(node));
        }
    }
    Ok(made)
}

/// Whether every run of a thread that runs from the beginning starts another one.
fn surely_started(graph: &Graph, thread: ThreadId) -> bool {
    graph.threads.iter().filter(|one| one.runs).any(|one| {
        let mut seen = vec![false; graph.nodes.len()];
        let mut work = vec![one.begin];
        while let Some(node) = work.pop() {
            if node == one.end {
                return false;
            }
            let node = &graph.nodes[node as usize];
            if node.kind != Kind::Start(thread) {
                let new = |n: &&u32| !std::mem::replace(&mut seen[**n as usize], true);
                work.extend(node.next.iter().filter(new));
            }
        }
        true
    })
}

/// The values of a variable, as far as they are known.
fn variable_of(graph: &Graph, tfg: &Tfg, variable: u32) -> Result<Automaton, String> {
    let of = &graph.variables[variable as usize];
    let values = of.values.len();
    limited(values + 2, "the automaton of the variable")?;
    // Unknown, each value, and wrong.
    let wrong = values as State + 1;
    // Some value, no known value, is, is not.
    let (unknown, is, is_not) = (values as u16, values as u16 + 1, 2 * values as u16 + 1);
    let reads = symbols(graph, tfg, |node, _| match node.kind {
        Kind::Assign(x, Some(value)) if x == variable => Some(value as u16),
        Kind::Assign(x, None) if x == variable => Some(unknown),
        Kind::Is(x, value) if x == variable => Some(is + value as u16),
        Kind::IsNot(x, value) if x == variable => Some(is_not + value as u16),
        _ => None,
    });
    let mut delta = Vec::new();
    for state in 0..=wrong {
        let mut row = Vec::new();
        for value in 0..values as State {
            row.push(if state == wrong { wrong } else { value + 1 });
        }
        row.push(if state == wrong { wrong } else { 0 });
        for value in 0..values as State {
            row.push(if state == 0 || state == value + 1 { value + 1 } else { wrong });
        }
        for value in 0..values as State {
            row.push(if state == value + 1 { wrong } else { state });
        }
        delta.push(row);
    }
    let accepting = (0..=wrong).map(|state| state != wrong).collect();
    let mut made = Automaton::new(delta, accepting, reads);
    made.start = of.initial.map_or(0, |value| value as State + 1);
    made.names[0] = "unknown".to_owned();
    made.violated = Some(wrong);
    made.names[usize::from(wrong)] = "violated".to_owned();
    for (index, value) in of.values.iter().enumerate() {
        made.names[index + 1].clone_from(value);
    }
    Ok(made)
}

/// Who has a lock.
fn monitor(graph: &Graph, tfg: &Tfg, lock: u32) -> Result<Automaton, String> {
    let mut users: Vec<ThreadId> = Vec::new();
    for node in &graph.nodes {
        if matches!(node.kind, Kind::Lock(l) | Kind::Reenter(l) if l == lock)
            && !users.contains(&node.thread)
        {
            users.push(node.thread);
        }
    }
    users.sort_unstable();
    let count = users.len();
    limited(count + 2, "the automaton of the lock")?;
    let place = |thread: ThreadId| users.binary_search(&thread).ok();
    let reads = symbols(graph, tfg, |node, _| match node.kind {
        Kind::Lock(l) | Kind::Reenter(l) if l == lock => Some(place(node.thread)? as u16),
        Kind::Unlock(l) | Kind::Wait(l) if l == lock => Some((count + place(node.thread)?) as u16),
        _ => None,
    });
    // Free, held by each, and wrong.
    let wrong = count as State + 1;
    let mut delta = vec![vec![wrong; 2 * count]; count + 2];
    for user in 0..count {
        delta[0][user] = user as State + 1;
        delta[user + 1][count + user] = 0;
    }
    let accepting = (0..=wrong).map(|state| state != wrong).collect();
    let mut made = Automaton::new(delta, accepting, reads);
    made.names[0] = "free".to_owned();
    made.violated = Some(wrong);
    made.names[usize::from(wrong)] = "violated".to_owned();
    for (index, &user) in users.iter().enumerate() {
        made.names[index + 1] = format!("{} has it", graph.threads[user as usize].name);
    }
    Ok(made)
}
