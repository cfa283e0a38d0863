//! Properties and constraints as automata that read nodes.

use everypath_property::events::Fsa;
use rustc_hash::FxHashMap;

use crate::ends::surely_started;
use crate::graph::{Graph, Kind, Node, ThreadId};
use crate::locks::{Held, Use};
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
        held: &Held,
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
                monitor(graph, tfg, lock as u32, held)?
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
    let surely = of.runs || surely_started(graph, thread);
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

/// Who has a lock, and how often.
fn monitor(graph: &Graph, tfg: &Tfg, lock: u32, held: &Held) -> Result<Automaton, String> {
    let mut users: Vec<ThreadId> = Vec::new();
    for node in &graph.nodes {
        if matches!(node.kind, Kind::Lock(l) | Kind::Reenter(l) if l == lock)
            && !users.contains(&node.thread)
        {
            users.push(node.thread);
        }
    }
    users.sort_unstable();
    let uses: Vec<Use> = users.iter().map(|&user| held.of(user, lock)).collect();
    // Free; held by each, once, twice, and so on, then an unknown number of times; nothing is known; wrong.
    let mut states = vec![Owner::Nobody];
    for (user, of) in uses.iter().enumerate() {
        states.extend((1..=of.depth).map(|times| Owner::Has(user, Some(times))));
        states.extend(of.deeper.then_some(Owner::Has(user, None)));
    }
    states.extend([Owner::Unknown, Owner::Wrong]);
    limited(states.len(), "the automaton of the lock")?;
    let place = |thread: ThreadId| users.binary_search(&thread).ok();
    let reads = symbols(graph, tfg, |node, _| {
        let of = match node.kind {
            Kind::Lock(l) if l == lock => 0,
            Kind::Reenter(l) if l == lock => 1,
            Kind::Unlock(l) if l == lock => 2,
            Kind::Wait(l) if l == lock => 3,
            _ => return None,
        };
        Some((4 * place(node.thread)? + of) as u16)
    });
    let number = |owner: Owner| states.iter().position(|&state| state == owner);
    let mut delta = Vec::with_capacity(states.len());
    for &state in &states {
        let mut row = Vec::with_capacity(4 * users.len());
        for (user, &of) in uses.iter().enumerate() {
            let next = [taken(state, user, of), again(state, user, of)];
            let back = [given_back(state, user, of, false), given_back(state, user, of, true)];
            for owner in next.into_iter().chain(back) {
                row.push(number(owner).unwrap_or(states.len() - 2) as State);
            }
        }
        delta.push(row);
    }
    let accepting = states.iter().map(|&state| state != Owner::Wrong).collect();
    let mut made = Automaton::new(delta, accepting, reads);
    made.violated = Some(states.len() as State - 1);
    let name = |user: usize| &graph.threads[users[user] as usize].name;
    let show = |state: &Owner| match *state {
        Owner::Nobody => "free".to_owned(),
        Owner::Has(user, Some(1)) => format!("{} has it", name(user)),
        Owner::Has(user, Some(times)) => format!("{} has it {times} times", name(user)),
        Owner::Has(user, None) => format!("{} has it some times", name(user)),
        Owner::Unknown => "unknown".to_owned(),
        Owner::Wrong => "violated".to_owned(),
    };
    made.names = states.iter().map(show).collect();
    Ok(made)
}

/// Who has a lock: one of its users, and how often if that is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    Has(usize, Option<u32>),
    Unknown,
    Wrong,
}

/// A user takes the lock. One that takes it in an orderly way does so once only.
fn taken(owner: Owner, user: usize, of: Use) -> Owner {
    match owner {
        Owner::Nobody => Owner::Has(user, Some(1)),
        Owner::Has(who, times) if who == user && of.deeper => {
            let more = times.map(|times| times + 1).filter(|&times| times <= of.depth);
            Owner::Has(user, more)
        }
        Owner::Unknown => Owner::Unknown,
        Owner::Has(..) | Owner::Wrong => Owner::Wrong,
    }
}

/// A user has waited and takes the lock again, as often as it had it.
fn again(owner: Owner, user: usize, of: Use) -> Owner {
    match owner {
        Owner::Nobody => Owner::Has(user, (!of.deeper).then_some(1)),
        Owner::Unknown => Owner::Unknown,
        Owner::Has(..) | Owner::Wrong => Owner::Wrong,
    }
}

/// A user gives the lock back, once or wholly.
fn given_back(owner: Owner, user: usize, of: Use, wholly: bool) -> Owner {
    match owner {
        Owner::Has(who, _) if who == user && wholly => Owner::Nobody,
        Owner::Has(who, Some(1)) if who == user => Owner::Nobody,
        Owner::Has(who, Some(times)) if who == user => Owner::Has(user, Some(times - 1)),
        Owner::Has(who, None) if who == user => Owner::Unknown,
        Owner::Unknown => Owner::Unknown,
        // What it has not stays as it is.
        Owner::Nobody | Owner::Has(..) if of.unbalanced => owner,
        Owner::Nobody | Owner::Has(..) | Owner::Wrong => Owner::Wrong,
    }
}
