//! Weak automata: all cycles of a component accept, or none does, so one search of the product is enough.
//!
//! Where reaching a state is accepting, it is a breadth-first search; else a depth-first one that looks for
//! cycles. Both have the stores and the threads of every other search.

use everypath_layer_product::{ACCEPTED, Synchronous};
use everypath_model::{ComponentMask, End, Fault, ModelError, Successors, TransitionSystem};
use rustc_hash::FxHashMap;

use super::Counts;
use super::product::{Run, RunStep, Sought};
use crate::options::{AfterViolation, Cycles, Limits, Observer, Options, Order, Storage};
use crate::outcome::Stopped;
use crate::search;
use crate::searches::probing::search_deep;

/// Steps, at most, to find out how a run that is accepted whatever comes can go on.
const MOST_STEPS: usize = 100_000;

/// States, at most, in which a shorter run is looked for than the one that a lossy store gave.
const MOST_STATES: u64 = 5_000_000;

/// The fault of a step to a state that was looked for.
const THERE: Fault = Fault(0);

/// Looks for an accepting run. [`Stopped::Finished`] as the reason of a missing answer means that there seems
/// to be one, but how it goes was not found.
pub fn seek_weak<S: TransitionSystem>(
    product: &Synchronous<'_, S>,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Sought {
    let bad = |front: &[u32]| product.is_accepting(front);
    let terminal = product.is_terminal();
    let plain = Options {
        order: Order::Breadth,
        cycles: None,
        check_deadlock: false,
        check_invariants: false,
        after_violation: AfterViolation::Stop,
        ..*options
    };
    let cycles = Cycles { component: 0, bad: &bad, fault: ACCEPTED };
    let options = match terminal {
        true => plain,
        false => Options { order: Order::Depth, cycles: Some(cycles), ..plain },
    };
    let outcome = match terminal {
        true => search_deep(product, &options, observer).0,
        false => search(product, &options, observer),
    };
    let stats = outcome.stats;
    let counts = Counts {
        nodes: stats.states,
        edges: stats.transitions,
        stack: if terminal { 0 } else { stats.depth },
        bytes: stats.bytes.peak,
    };
    let found = |run: Option<Run>| run.map(Some).ok_or(Stopped::Finished);
    let answer = match outcome.violations.first() {
        None => match outcome.stopped {
            Stopped::Finished => Ok(None),
            stopped => Err(stopped),
        },
        Some(violation) => {
            let lossy = options.store.is_lossy();
            let (mut steps, mut states) = (Vec::new(), Vec::new());
            let path = outcome.path_with(product, violation, &mut |actions, state| {
                // Of a run from far below only the end counts, if the store finds a shorter one.
                if terminal || lossy && steps.len() < MOST_STEPS {
                    let inner = Synchronous::<S>::inner(state).to_vec();
                    steps.push(RunStep { actions: actions.to_vec(), state: inner });
                    states.push(state.to_vec());
                }
            });
            drop(outcome);
            let run = path.and_then(|path| match terminal {
                true => go_on(product, steps),
                false if lossy => {
                    // It is there, so an exact search of not too much finds it, and a shorter run.
                    let limits = Limits { states: Some(MOST_STATES), ..plain.limits };
                    let exact = Options { store: Storage::Collapse, limits, ..plain };
                    let short = around(product, &path.last, &exact, observer)?;
                    Ok(short.or_else(|| closed(steps, &states, &path.last)))
                }
                false => around(product, &path.last, &plain, observer),
            });
            run.map_err(Stopped::from).and_then(found)
        }
    };
    Sought { counts, answer }
}

/// A run that ends in a state where it has been.
fn closed(mut steps: Vec<RunStep>, states: &[Vec<u32>], last: &[u32]) -> Option<Run> {
    let start = states.iter().position(|state| state == last)?;
    if states.last()? != last || start + 1 == states.len() {
        return None;
    }
    // The first step is the one to the initial state.
    let initial = steps.remove(0).state;
    let cycle = steps.split_off(start);
    Some(Run { initial, stem: steps, cycle })
}

/// A short run to a state and around it.
fn around<S: TransitionSystem>(
    product: &Synchronous<'_, S>,
    state: &[u32],
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Result<Option<Run>, ModelError> {
    let to = Toward { product, from: None, to: state };
    let Some(mut stem) = to.shortest(options, observer)? else { return Ok(None) };
    let back = Toward { product, from: Some(state), to: state };
    let Some(mut cycle) = back.shortest(options, observer)? else { return Ok(None) };
    // The first steps are those to where they begin.
    cycle.remove(0);
    let initial = stem.remove(0).state;
    Ok(Some(Run { initial, stem, cycle }))
}

/// Lets a run go on for ever.
fn go_on<S: TransitionSystem>(
    product: &Synchronous<'_, S>,
    mut steps: Vec<RunStep>,
) -> Result<Option<Run>, ModelError> {
    // The first step is the one to the initial state.
    let initial = steps.remove(0).state;
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

/// A product whose steps to one state are faults.
struct Toward<'a, 's, S: TransitionSystem> {
    product: &'a Synchronous<'s, S>,
    /// Where it begins, if that is elsewhere.
    from: Option<&'a [u32]>,
    to: &'a [u32],
}

impl<'s, S: TransitionSystem> Toward<'_, 's, S> {
    /// The steps of a shortest run to the state, beginning with the one to the initial state.
    fn shortest(
        &self,
        options: &Options<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Option<Vec<RunStep>>, ModelError> {
        let outcome = search(self, options, observer);
        let Some(violation) = outcome.violations.first() else { return Ok(None) };
        let mut steps: Vec<RunStep> = Vec::new();
        outcome.path_with(self, violation, &mut |actions, state| {
            let state = Synchronous::<'s, S>::inner(state).to_vec();
            steps.push(RunStep { actions: actions.to_vec(), state });
        })?;
        Ok(Some(steps))
    }

    /// Copies steps, those to the state as faults.
    fn point_out(&self, own: &Successors, out: &mut Successors) {
        out.incomplete = own.incomplete;
        for step in own.steps() {
            let target = own.target(step);
            let there = (target == self.to).then_some(THERE);
            out.push_faulty(target, step.changed, own.actions(step), there, there.is_some());
        }
    }
}

impl<'s, S: TransitionSystem> TransitionSystem for Toward<'_, 's, S> {
    type Worker = (<Synchronous<'s, S> as TransitionSystem>::Worker, Successors);

    fn worker(&self) -> Self::Worker {
        (self.product.worker(), Successors::new())
    }

    fn initial(
        &self,
        (worker, own): &mut Self::Worker,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        if let Some(from) = self.from {
            out.push(from, ComponentMask::ALL, &[]);
            return Ok(());
        }
        own.clear();
        self.product.initial(worker, own)?;
        self.point_out(own, out);
        Ok(())
    }

    fn successors(
        &self,
        (worker, own): &mut Self::Worker,
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        own.clear();
        self.product.successors(worker, state, own)?;
        self.point_out(own, out);
        Ok(())
    }

    fn end(&self, _: &mut Self::Worker, _: &[u32]) -> End {
        End::Valid
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        self.product.components(state, ends);
    }
}
