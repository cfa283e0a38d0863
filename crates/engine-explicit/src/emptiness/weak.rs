//! Weak automata: all cycles of a component accept, or none does, so one search of the product is enough.
//!
//! Where reaching a state is accepting, it is a breadth-first search; else a depth-first one that looks for
//! cycles. Both have the stores and the threads of every other search.

use everypath_layer_product::{ACCEPTED, Synchronous};
use everypath_model::{ModelError, Successors, TransitionSystem};
use rustc_hash::FxHashMap;

use super::Counts;
use super::product::{Run, RunStep, Sought};
use crate::options::{AfterViolation, Cycles, Observer, Options, Order};
use crate::outcome::{Outcome, Stopped};
use crate::search;

/// Steps, at most, to find out how a run that is accepted whatever comes can go on.
const MOST_STEPS: usize = 100_000;

/// Looks for an accepting run. [`Stopped::Finished`] as the reason of a missing answer means that there seems
/// to be one, but how it goes on was not found.
pub fn seek_weak<S: TransitionSystem>(
    product: &Synchronous<'_, S>,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Sought {
    let bad = |front: &[u32]| product.is_accepting(front);
    let terminal = product.is_terminal();
    let options = Options {
        order: if terminal { Order::Breadth } else { Order::Depth },
        cycles: (!terminal).then_some(Cycles { component: 0, bad: &bad, fault: ACCEPTED }),
        check_deadlock: false,
        check_invariants: false,
        after_violation: AfterViolation::Stop,
        ..*options
    };
    let outcome = search(product, &options, observer);
    let stats = outcome.stats;
    let counts = Counts {
        nodes: stats.states,
        edges: stats.transitions,
        stack: if terminal { 0 } else { stats.depth },
        bytes: stats.bytes.peak,
    };
    Sought { counts, answer: answer(product, outcome, terminal) }
}

fn answer<S: TransitionSystem>(
    product: &Synchronous<'_, S>,
    outcome: Outcome,
    terminal: bool,
) -> Result<Option<Run>, Stopped> {
    if outcome.violations.is_empty() {
        return match outcome.stopped {
            Stopped::Finished => Ok(None),
            stopped => Err(stopped),
        };
    }
    let mut states: Vec<Vec<u32>> = Vec::new();
    let mut steps: Vec<RunStep> = Vec::new();
    let path = outcome.path_with(product, &outcome.violations[0], &mut |actions, state| {
        let inner = Synchronous::<S>::inner(state).to_vec();
        steps.push(RunStep { actions: actions.to_vec(), state: inner });
        states.push(state.to_vec());
    });
    path.map_err(Stopped::ModelError)?;
    let Some(last) = states.last() else { return Err(Stopped::Finished) };
    // The first step is the one to the initial state.
    let initial = steps.remove(0).state;
    if terminal {
        let run = go_on(product, initial, steps).map_err(Stopped::ModelError)?;
        return run.map(Some).ok_or(Stopped::Finished);
    }
    let Some(start) = states.iter().position(|state| state == last) else {
        return Err(Stopped::Finished);
    };
    let cycle = steps.split_off(start);
    Ok(Some(Run { initial, stem: steps, cycle }))
}

/// Lets a run go on for ever.
fn go_on<S: TransitionSystem>(
    product: &Synchronous<'_, S>,
    initial: Vec<u32>,
    mut steps: Vec<RunStep>,
) -> Result<Option<Run>, ModelError> {
    let system = product.system();
    let mut worker = system.worker();
    let mut out = Successors::new();
    let mut state = steps.last().map_or_else(|| initial.clone(), |step| step.state.clone());
    let mut met: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
    for _ in 0..MOST_STEPS {
        if let Some(&start) = met.get(&state) {
            let cycle = steps.split_off(start);
            return Ok(Some(Run { initial, stem: steps, cycle }));
        }
        met.insert(state.clone(), steps.len());
        out.clear();
        system.successors(&mut worker, &state, &mut out)?;
        let step = match out.steps().iter().find(|step| !step.fatal) {
            Some(step) => {
                RunStep { actions: out.actions(step).to_vec(), state: out.target(step).to_vec() }
            }
            None if out.is_empty() => RunStep { actions: Vec::new(), state: state.clone() },
            // It ends with a fault.
            None => return Ok(None),
        };
        state.clone_from(&step.state);
        steps.push(step);
    }
    Ok(None)
}
