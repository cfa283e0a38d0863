//! Constraints found automatically: what rules out the violations that are no runs.

use everypath_property::events::{Fsa, Nfa};

use crate::automata::Constraint;
use crate::bounds::Cut;
use crate::graph::{Kind, NodeId, ThreadId};
use crate::model::{Answer, Model};
use crate::propagate::{Effort, Runs, Visit};

/// One violation that was ruled out.
#[derive(Clone, Debug)]
pub struct Round {
    /// The events of the property on the path.
    pub events: Vec<String>,
    /// The constraints that rule out every path with these events.
    pub added: Vec<Constraint>,
}

/// What refinement came to.
pub struct Refined {
    /// The answer under the last constraints.
    pub answer: Answer,
    /// These constraints; if the property is proved, none of them can be left out.
    pub constraints: Vec<Constraint>,
    /// What was ruled out.
    pub rounds: Vec<Round>,
    /// Constraints that turned out not to be needed.
    pub dropped: Vec<Constraint>,
    /// Whether a path is left that no known constraint rules out.
    pub stuck: bool,
}

/// Pairs that are looked at with the constraints of all threads, at most.
const LAST: u64 = 2_000_000;

/// Rounds, at most.
const ROUNDS: usize = 100;

/// Adds constraints until the property is proved or nothing rules out the violation; `first` are there from
/// the beginning and stay.
pub fn refine(model: &Model, first: &[Constraint], limit: u64) -> Result<Refined, String> {
    let mut constraints = first.to_vec();
    let mut rounds = Vec::new();
    loop {
        let answer = model.decide_for(&model.required, &constraints, model.effort(), limit)?;
        if answer.conclusive() {
            let (fewer, dropped) =
                minimise(model, &model.required, constraints.clone(), first, limit)?;
            let again = model.decide_for(&model.required, &fewer, Effort::Proof, limit)?;
            // What is proved stays proved if there was no time for anything else.
            let (answer, constraints, dropped) = match again.conclusive() {
                true => (again, fewer, dropped),
                false => (answer, constraints, Vec::new()),
            };
            return Ok(Refined { answer, constraints, rounds, dropped, stuck: false });
        }
        let stuck = |answer, constraints, rounds| {
            Ok(Refined { answer, constraints, rounds, dropped: Vec::new(), stuck: true })
        };
        if answer.propagated.cut.is_some() || rounds.len() == ROUNDS {
            return stuck(answer, constraints, rounds);
        }
        let events = events_of(model, &answer, &answer.propagated.path);
        let Some(not_these) = all_but(&events, &model.required, model.runs()) else {
            return stuck(answer, constraints, rounds);
        };
        let wanted = match ruling_out(model, (&events, &not_these), &constraints, limit)? {
            Ruling::Out(wanted) => wanted,
            Ruling::Nothing => return stuck(answer, constraints, rounds),
            Ruling::Ended(cut) => {
                // There may be constraints that rule it out: nobody has looked.
                let mut answer = answer;
                answer.propagated.cut = Some(cut);
                return stuck(answer, constraints, rounds);
            }
        };
        let added: Vec<Constraint> =
            wanted.iter().filter(|one| !constraints.contains(one)).cloned().collect();
        constraints = wanted;
        rounds.push(Round { events, added });
    }
}

/// The events of the property on a path.
fn events_of(model: &Model, answer: &Answer, path: &[Visit]) -> Vec<String> {
    let graph = &model.graph;
    let node = |visit: &Visit| answer.tfg.node(visit.node);
    path.iter()
        .filter_map(node)
        .filter_map(|node| match graph.nodes[node as usize].kind {
            Kind::Event(event) | Kind::Meet(event) => Some(graph.events[event as usize].clone()),
            _ => None,
        })
        .filter(|event| model.required.events.contains(event))
        .collect()
}

/// The property that a run has other events than these. If a beginning decides, that it begins with others.
fn all_but(events: &[String], required: &Fsa, runs: Runs) -> Option<Fsa> {
    let mut nfa = Nfa { events: required.events.clone(), ..Nfa::default() };
    let states: Vec<usize> = (0..=events.len()).map(|_| nfa.state()).collect();
    for (index, event) in events.iter().enumerate() {
        let symbol = required.events.iter().position(|known| known == event)?;
        nfa.edges[states[index]].push((Some(symbol), states[index + 1]));
    }
    let last = events.len();
    nfa.accepting[last] = true;
    let state = events.iter().fold(required.start, |state, event| required.step(state, event));
    if runs == Runs::All && required.is_trap(state) {
        let again = (0..required.events.len()).map(|symbol| (Some(symbol), states[last]));
        nfa.edges[states[last]].extend(again);
    }
    Some(nfa.determinize()?.complement())
}

/// What rules out a path.
enum Ruling {
    /// These constraints.
    Out(Vec<Constraint>),
    /// None that are known.
    Nothing,
    /// Nobody knows: the search for them was ended.
    Ended(Cut),
}

/// A set of constraints with these among them that leaves no path with the events; none of the new ones
/// can be left out.
fn ruling_out(
    model: &Model,
    (events, not_these): (&[String], &Fsa),
    constraints: &[Constraint],
    limit: u64,
) -> Result<Ruling, String> {
    let mut set = constraints.to_vec();
    let mut ended = None;
    // Those who make the events of the path, then those who make any event of the property, then all.
    let all: Vec<ThreadId> = (0..model.graph.threads.len() as ThreadId).collect();
    let makers = threads_of(model, &model.required.events);
    for (threads, limit) in
        [(threads_of(model, events), limit), (makers, limit), (all, limit.min(LAST))]
    {
        for tier in tiers(model, &threads) {
            let before = set.len();
            for constraint in tier {
                if !set.contains(&constraint) {
                    set.push(constraint);
                }
            }
            if set.len() == before {
                continue;
            }
            let tried = model.decide_for(not_these, &set, Effort::Proof, limit)?;
            if tried.conclusive() {
                return Ok(Ruling::Out(minimise(model, not_these, set, constraints, limit)?.0));
            }
            match tried.propagated.cut {
                // What is added makes for other pairs, maybe fewer.
                Some(Cut::Pairs) => ended = Some(Cut::Pairs),
                Some(cut) => return Ok(Ruling::Ended(cut)),
                None => ended = None,
            }
        }
    }
    Ok(ended.map_or(Ruling::Nothing, Ruling::Ended))
}

/// The threads that can produce some events.
fn threads_of(model: &Model, events: &[String]) -> Vec<ThreadId> {
    let graph = &model.graph;
    let mut threads: Vec<ThreadId> = Vec::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        let (Kind::Event(event) | Kind::Meet(event)) = node.kind else { continue };
        if events.contains(&graph.events[event as usize]) {
            threads.extend(graph.threads_of(index as NodeId));
        }
    }
    threads.sort_unstable();
    threads.dedup();
    threads
}

/// Constraints about some threads, the cheap ones first.
fn tiers(model: &Model, threads: &[ThreadId]) -> Vec<Vec<Constraint>> {
    let graph = &model.graph;
    let mut tasks = Vec::new();
    for &thread in threads {
        let of = &graph.threads[thread as usize];
        if !of.many {
            tasks.push(Constraint::Task(of.name.clone()));
        }
    }
    // Variables that only these threads use come before those that others use, too.
    let mut users: Vec<Vec<ThreadId>> = vec![Vec::new(); graph.variables.len()];
    let mut tested = vec![false; graph.variables.len()];
    let mut locks: Vec<Vec<ThreadId>> = vec![Vec::new(); graph.locks.len()];
    for node in &graph.nodes {
        match node.kind {
            Kind::Assign(x, _) => users[x as usize].push(node.thread),
            Kind::Is(x, _) | Kind::IsNot(x, _) => {
                users[x as usize].push(node.thread);
                tested[x as usize] = true;
            }
            Kind::Lock(l) => locks[l as usize].push(node.thread),
            _ => {}
        }
    }
    let (mut own, mut shared) = (Vec::new(), Vec::new());
    for (index, variable) in graph.variables.iter().enumerate() {
        let mine = users[index].iter().any(|thread| threads.contains(thread));
        if !tested[index] || !mine {
            continue;
        }
        let one = users[index].iter().all(|thread| *thread == users[index][0]);
        let list = if one { &mut own } else { &mut shared };
        list.push(Constraint::Variable(variable.name.clone()));
    }
    let mut monitors = Vec::new();
    for (index, lock) in graph.locks.iter().enumerate() {
        let mine = locks[index].iter().any(|thread| threads.contains(thread));
        let shared = locks[index].iter().any(|thread| *thread != locks[index][0]);
        if mine && shared {
            monitors.push(Constraint::Monitor(lock.clone()));
        }
    }
    // Those whom they meet keep them in order.
    let mut partners = Vec::new();
    for node in &graph.nodes {
        if let Some((partner, _)) = &node.partner {
            for (one, other) in [(node.thread, *partner), (*partner, node.thread)] {
                let of = &graph.threads[other as usize];
                let task = Constraint::Task(of.name.clone());
                if threads.contains(&one) && !of.many && !tasks.contains(&task) {
                    partners.push(task);
                }
            }
        }
    }
    partners.sort();
    partners.dedup();
    vec![tasks, own, shared, monitors, partners]
}

/// Leaves out what is not needed for a proof but for what must stay; says what was left out.
fn minimise(
    model: &Model,
    required: &Fsa,
    mut set: Vec<Constraint>,
    stay: &[Constraint],
    limit: u64,
) -> Result<(Vec<Constraint>, Vec<Constraint>), String> {
    let mut dropped = Vec::new();
    let mut index = set.len();
    while index > 0 {
        index -= 1;
        if stay.contains(&set[index]) {
            continue;
        }
        let one = set.remove(index);
        match model.decide_for(required, &set, Effort::Proof, limit)?.conclusive() {
            true => dropped.push(one),
            false => set.insert(index, one),
        }
    }
    Ok((set, dropped))
}
