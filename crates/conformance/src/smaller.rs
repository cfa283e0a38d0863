//! A machine that was made smaller beside the machine as it was: the same answers over all
//! reachable states, and runs that the other one can take as well.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use everypath_layer_optimise::{Observed, Pass, optimise};
use everypath_machine::{Interpreter, Machine};
use everypath_model::{Action, Describe, End, Fault, Successors, TransitionSystem};

/// What there is to tell about a machine, whatever states it consists of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// Faults and violated invariants.
    pub faults: BTreeSet<Fault>,
    /// Where the processes are when nothing can move, and whether they may be.
    pub ends: BTreeSet<(bool, Vec<(usize, usize)>)>,
    /// The statements that are executed in some run.
    pub taken: BTreeSet<u32>,
}

/// A search of a machine.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// Its answers.
    pub answers: Answers,
    /// States that were stored.
    pub states: usize,
    /// Steps between them.
    pub steps: usize,
    /// A run to each fault and to one state of each end, with the fault.
    runs: Vec<(Option<Fault>, Vec<Action>)>,
}

/// How two searches compare.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gain {
    /// States of the machine as it was.
    pub before: usize,
    /// States of the smaller one.
    pub after: usize,
    /// Runs that were taken again.
    pub replayed: usize,
}

/// Explores a machine; `None` if there are more states than that, or some were left out.
pub fn explore(machine: &Machine, max_states: usize) -> Result<Option<Explored>, String> {
    let interpreter = Interpreter::new(Arc::new(machine.clone()));
    let mut worker = interpreter.worker();
    let mut out = Successors::new();
    interpreter.initial(&mut worker, &mut out).map_err(|e| e.to_string())?;
    let mut known: HashMap<Vec<u32>, usize> = HashMap::new();
    let mut queue: Vec<Vec<u32>> = Vec::new();
    // From where and by what each state was found.
    let mut found: Vec<(usize, Vec<Action>)> = Vec::new();
    let mut explored = Explored::default();
    let mut from = usize::MAX;
    let mut next = 0;
    loop {
        if out.incomplete.is_some() {
            return Ok(None);
        }
        for step in out.steps() {
            let actions = out.actions(step);
            explored.answers.taken.extend(actions.iter().map(|action| action.transition));
            if let Some(fault) = step.fault
                && explored.answers.faults.insert(fault)
            {
                explored.runs.push((Some(fault), path(&found, from, actions)));
            }
            explored.steps += 1;
            let target = out.target(step);
            if !step.fatal && !known.contains_key(target) {
                known.insert(target.to_vec(), queue.len());
                queue.push(target.to_vec());
                found.push((from, actions.to_vec()));
            }
        }
        if queue.len() > max_states {
            return Ok(None);
        }
        let Some(state) = queue.get(next) else { break };
        from = next;
        next += 1;
        for index in 0..interpreter.invariant_count() {
            let violated = interpreter.violated_invariant(&mut worker, state, index);
            if let Some(fault) = violated.map_err(|e| e.to_string())?
                && explored.answers.faults.insert(fault)
            {
                explored.runs.push((None, path(&found, from, &[])));
            }
        }
        out.clear();
        interpreter.successors(&mut worker, state, &mut out).map_err(|e| e.to_string())?;
        if out.is_empty() {
            let valid = interpreter.end(&mut worker, state) == End::Valid;
            let locations = interpreter.locations(&mut worker, state).collect();
            if explored.answers.ends.insert((valid, locations)) {
                explored.runs.push((None, path(&found, from, &[])));
            }
        }
    }
    explored.states = queue.len();
    Ok(Some(explored))
}

fn path(found: &[(usize, Vec<Action>)], from: usize, last: &[Action]) -> Vec<Action> {
    let mut parts = vec![last];
    let mut at = from;
    while at != usize::MAX {
        parts.push(&found[at].1);
        at = found[at].0;
    }
    parts.reverse();
    parts.concat()
}

/// Compares a machine with what some passes make of it; the first difference as an error, nothing
/// if there are too many states.
pub fn compare(
    machine: &Machine,
    passes: &[Pass],
    before: &Explored,
    max_states: usize,
) -> Result<Option<Gain>, String> {
    let smaller = optimise(machine, passes, &Observed::default());
    let named = |why: String| {
        let names: Vec<&str> = passes.iter().map(|pass| pass.name()).collect();
        format!("{}: {why}", names.join(","))
    };
    let Some(after) = explore(&smaller, max_states).map_err(named)? else {
        return Err(named("more states, or some left out".to_owned()));
    };
    if before.answers != after.answers {
        let (a, b) = (&before.answers, &after.answers);
        return Err(named(format!(
            "faults {:?} and {:?}; ends only before {:?}, only after {:?}; taken only before {:?}, \
             only after {:?}",
            a.faults,
            b.faults,
            a.ends.difference(&b.ends).collect::<Vec<_>>(),
            b.ends.difference(&a.ends).collect::<Vec<_>>(),
            a.taken.difference(&b.taken).collect::<Vec<_>>(),
            b.taken.difference(&a.taken).collect::<Vec<_>>(),
        )));
    }
    if after.states > before.states {
        return Err(named(format!("{} states became {}", before.states, after.states)));
    }
    let replayed = replay(machine, &after).map_err(named)?;
    Ok(Some(Gain { before: before.states, after: after.states, replayed }))
}

/// Takes the runs of the smaller machine in the machine as it was.
fn replay(machine: &Machine, after: &Explored) -> Result<usize, String> {
    let interpreter = Interpreter::new(Arc::new(machine.clone()));
    let mut out = Successors::new();
    interpreter.initial(&mut interpreter.worker(), &mut out).map_err(|e| e.to_string())?;
    let Some(initial) = out.steps().first() else { return Ok(0) };
    let initial = out.target(initial).to_vec();
    let mut replayed = 0;
    for (fault, actions) in &after.runs {
        if actions.is_empty() {
            continue;
        }
        let steps = interpreter.replay(&initial, actions).map_err(|e| {
            format!("the run to {fault:?} does not replay at {}: {}", e.index, e.message)
        })?;
        let Some(last) = steps.last() else { return Err("no steps".to_owned()) };
        if let Some(fault) = *fault {
            let claimed = interpreter.fault(fault);
            let same = last.faults.iter().any(|f| (f.code, f.span) == (claimed.code, claimed.span));
            if !same {
                return Err(format!("the run does not end with {claimed:?}"));
            }
        }
        replayed += 1;
    }
    Ok(replayed)
}
