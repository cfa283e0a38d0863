//! Runs of a program, one step at a time: what its graph means.

use std::collections::VecDeque;

use everypath_property::events::Fsa;
use rustc_hash::FxHashMap;

use crate::graph::{Graph, Kind, NodeId, Thread, ThreadId};
use crate::propagate::Runs;

/// A state of all threads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The node that each thread executes next; none before it is started and after its end. Of a thread of which
    /// there may be several there are some.
    pub at: Vec<Option<NodeId>>,
    /// Which of them were started.
    started: Vec<bool>,
    /// Whether one that waits was notified.
    woken: Vec<bool>,
    /// Who has each lock, and how often.
    locks: Vec<Option<(usize, u32)>>,
    /// How often one that waits had its lock.
    saved: Vec<u32>,
    /// The value of each variable; `None` is one that nobody asks for.
    values: Vec<Option<u32>>,
    /// The state of the property.
    pub property: usize,
}

/// As many are followed of a thread of which there may be several; more are not started.
const SEVERAL: usize = 3;

/// The thread of each place of a state.
fn places(graph: &Graph) -> Vec<ThreadId> {
    let of = |(thread, of): (usize, &Thread)| {
        std::iter::repeat_n(thread as ThreadId, if of.many { SEVERAL } else { 1 })
    };
    graph.threads.iter().enumerate().flat_map(of).collect()
}

/// The states that a program may begin with: a variable without a known value may have any.
pub fn beginnings(graph: &Graph, property: &Fsa) -> Vec<State> {
    let places = places(graph);
    let threads = places.len();
    let runs = |place: usize| {
        let of = &graph.threads[places[place] as usize];
        (of.runs && (place == 0 || places[place - 1] != places[place])).then_some(of.begin)
    };
    let at: Vec<Option<NodeId>> = (0..threads).map(runs).collect();
    let mut all = vec![State {
        started: at.iter().map(Option::is_some).collect(),
        at,
        woken: vec![false; threads],
        locks: vec![None; graph.locks.len()],
        saved: vec![0; threads],
        values: graph.variables.iter().map(|v| v.initial).collect(),
        property: property.start,
    }];
    for (index, variable) in graph.variables.iter().enumerate() {
        // More of them are tried with one value.
        if variable.initial.is_some() || all.len() > 256 {
            continue;
        }
        let values = (0..variable.values.len() as u32).map(Some).chain([None]);
        all = values
            .flat_map(|value| {
                all.iter().map(move |state| {
                    let mut state = state.clone();
                    state.values[index] = value;
                    state
                })
            })
            .collect();
    }
    all
}

/// What can follow a state: the node that is executed, and the state after it.
pub fn successors(graph: &Graph, property: &Fsa, state: &State) -> Vec<(NodeId, State)> {
    let mut all = Vec::new();
    let places = places(graph);
    let each = |thread: ThreadId| {
        let places = &places;
        (0..places.len()).filter(move |&place| places[place] == thread)
    };
    for (thread, &node) in state.at.iter().enumerate() {
        let Some(node) = node else { continue };
        let of = &graph.nodes[node as usize];
        let mut moved: Vec<State> = Vec::new();
        let mut go = state.clone();
        match of.kind {
            Kind::Nothing | Kind::Begin | Kind::Waiting(_) => {
                if matches!(of.kind, Kind::Waiting(_)) && !state.woken[thread] {
                    continue;
                }
                moved.push(go);
            }
            Kind::End => {
                go.at[thread] = None;
                all.push((node, go));
                continue;
            }
            Kind::Event(event) => {
                go.property = property.step(go.property, &graph.events[event as usize]);
                moved.push(go);
            }
            Kind::Lock(lock) => {
                match go.locks[lock as usize] {
                    None => go.locks[lock as usize] = Some((thread, 1)),
                    Some((owner, count)) if owner == thread => {
                        go.locks[lock as usize] = Some((thread, count + 1));
                    }
                    Some(_) => continue,
                }
                moved.push(go);
            }
            Kind::Unlock(lock) => {
                go.locks[lock as usize] = match go.locks[lock as usize] {
                    Some((owner, 1)) if owner == thread => None,
                    Some((owner, count)) if owner == thread => Some((owner, count - 1)),
                    // What it has not stays as it is.
                    other => other,
                };
                moved.push(go);
            }
            Kind::Wait(lock) => {
                let own = go.locks[lock as usize].filter(|(owner, _)| *owner == thread);
                go.saved[thread] = own.map_or(0, |(_, count)| count);
                if own.is_some() {
                    go.locks[lock as usize] = None;
                }
                go.woken[thread] = false;
                moved.push(go);
            }
            Kind::Reenter(lock) => {
                if go.locks[lock as usize].is_some() {
                    continue;
                }
                go.locks[lock as usize] = Some((thread, go.saved[thread].max(1)));
                moved.push(go);
            }
            Kind::Notify(lock) | Kind::NotifyAll(lock) => {
                let waits = |t: &usize| {
                    !state.woken[*t]
                        && state.at[*t]
                            .is_some_and(|at| graph.nodes[at as usize].kind == Kind::Waiting(lock))
                };
                let waiting: Vec<usize> = (0..state.at.len()).filter(waits).collect();
                // A thread that was woken is at the node behind, where it takes the lock again.
                let wake = |go: &mut State, t: usize| {
                    go.woken[t] = true;
                    let at = go.at[t].map(|at| graph.nodes[at as usize].next[0]);
                    go.at[t] = at;
                };
                match of.kind {
                    Kind::NotifyAll(_) => {
                        waiting.iter().for_each(|&t| wake(&mut go, t));
                        moved.push(go);
                    }
                    _ if waiting.is_empty() => moved.push(go),
                    _ => {
                        for &t in &waiting {
                            let mut go = state.clone();
                            wake(&mut go, t);
                            moved.push(go);
                        }
                    }
                }
            }
            Kind::Start(started) => {
                let many = graph.threads[started as usize].many;
                let free = |&place: &usize| go.at[place].is_none() && (many || !go.started[place]);
                let Some(place) = each(started).find(free) else { continue };
                go.started[place] = true;
                go.at[place] = Some(graph.threads[started as usize].begin);
                moved.push(go);
            }
            Kind::Join(joined) => {
                if each(joined).any(|place| go.at[place].is_some()) {
                    continue;
                }
                moved.push(go);
            }
            Kind::Assign(x, Some(value)) => {
                go.values[x as usize] = Some(value);
                moved.push(go);
            }
            Kind::Assign(x, None) => {
                let values = graph.variables[x as usize].values.len() as u32;
                for value in (0..values).map(Some).chain([None]) {
                    let mut go = state.clone();
                    go.values[x as usize] = value;
                    moved.push(go);
                }
            }
            Kind::Is(x, value) => {
                if go.values[x as usize] != Some(value) {
                    continue;
                }
                moved.push(go);
            }
            Kind::IsNot(x, value) => {
                if go.values[x as usize] == Some(value) {
                    continue;
                }
                moved.push(go);
            }
            Kind::Meet(event) => {
                let Some((partner, theirs)) = &of.partner else { continue };
                // The first of the two makes the step for both.
                if places[thread] != of.thread {
                    continue;
                }
                go.property = property.step(go.property, &graph.events[event as usize]);
                for other in each(*partner).filter(|&other| state.at[other] == Some(node)) {
                    for &mine in &of.next {
                        for &their in theirs {
                            let mut go = go.clone();
                            go.at[thread] = Some(mine);
                            go.at[other] = Some(their);
                            all.push((node, go));
                        }
                    }
                }
                continue;
            }
            Kind::Send(_) | Kind::Accept(_) => continue,
        }
        for go in moved {
            for &next in &of.next {
                let mut go = go.clone();
                go.at[thread] = Some(next);
                all.push((node, go));
            }
        }
    }
    all
}

/// A shortest run that violates the property, as the nodes that are executed; `None` if none was found among
/// so many states, or before it was to stop.
pub fn violating_run(
    graph: &Graph,
    property: &Fsa,
    runs: Runs,
    most: usize,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<NodeId>> {
    let mut states: Vec<(State, Option<(usize, NodeId)>)> = Vec::new();
    let mut known: FxHashMap<State, usize> = FxHashMap::default();
    let mut queue: VecDeque<usize> = VecDeque::new();
    for state in beginnings(graph, property) {
        known.entry(state.clone()).or_insert_with(|| {
            states.push((state, None));
            queue.push_back(states.len() - 1);
            states.len() - 1
        });
    }
    while let Some(index) = queue.pop_front() {
        if index.is_multiple_of(256) && stop() {
            return None;
        }
        let state = states[index].0.clone();
        let over = state.at.iter().all(Option::is_none);
        let bad = over && !property.accepting[state.property]
            || runs == Runs::All && property.is_trap(state.property);
        if bad {
            let mut run = Vec::new();
            let mut at = index;
            while let Some((before, node)) = states[at].1 {
                run.push(node);
                at = before;
            }
            run.reverse();
            return Some(run);
        }
        for (node, next) in successors(graph, property, &state) {
            if states.len() >= most {
                return None;
            }
            if !known.contains_key(&next) {
                known.insert(next.clone(), states.len());
                queue.push_back(states.len());
                states.push((next, Some((index, node))));
            }
        }
    }
    None
}
