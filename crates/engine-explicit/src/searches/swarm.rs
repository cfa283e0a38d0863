//! Many small depth-first searches that differ in everything that a search is free to choose: the
//! order in which steps are taken, the hash, the depth. Each leaves out another part of a state
//! space that is too large for any of them.

use everypath_model::{ModelError, Rng, Successors, TransitionSystem};

use crate::ledger::Ledger;
use crate::lossy::bitstate::Bitstate;
use crate::lossy::compact::Compact;
use crate::lossy::filter::{Filter, Lossy};
use crate::options::{Limits, Observer, Options, Order, Sample, Storage};
use crate::outcome::{Outcome, Site, Stopped};
use crate::searches::depth;
use crate::searches::members;
use crate::searches::record::Shared;
use crate::stores::mix::mix;
use crate::stores::store::{Full, Store};

/// Steps of the longest runs of a search without a depth limit.
const STEPS: u64 = 100_000;
/// Each fourth search goes so deep, the others to a fourth of that, a sixteenth, a sixty-fourth.
const DEPTHS: usize = 4;

pub(crate) fn search<S: TransitionSystem>(
    system: &S,
    options: &Options<'_>,
    sample: Sample,
    observer: &mut dyn Observer,
) -> Outcome {
    members::run(options, sample, observer, || {
        |seed, observer: &mut dyn Observer| member(system, options, seed, observer)
    })
}

/// One of the searches.
fn member<S: TransitionSystem>(
    system: &S,
    options: &Options<'_>,
    seed: u64,
    observer: &mut dyn Observer,
) -> Outcome {
    let most = options.limits.depth.unwrap_or(STEPS);
    let depth = (most >> (2 * Rng::new(seed).below(DEPTHS))).max(1);
    let memory = options.limits.memory.map(|bytes| bytes / options.threads.max(1) as u64);
    let limits = Limits { depth: Some(depth), memory, ..options.limits };
    let ledger = Ledger::new(memory);
    let mine = Options { order: Order::Depth, limits, reduction: None, threads: 1, ..*options };
    let mut shared = Shared::new(&mine, &ledger, None);
    shared.keep_cuts = false;
    let shuffled = Shuffled { system, seed };
    let mut outcome = match options.store {
        Storage::Compact { bits, bytes, .. } => {
            run(Compact::new(bytes, bits, 1, &ledger), &shuffled, &shared, observer)
        }
        Storage::Bitstate { functions, sequence, bytes, .. } => {
            run(Bitstate::new(bytes, functions, sequence, 1, &ledger), &shuffled, &shared, observer)
        }
        _ => {
            let why = "a swarm needs a lossy store".to_owned();
            Outcome::empty(Stopped::ModelError(ModelError(why)))
        }
    };
    for violation in &mut outcome.violations {
        if let Site::Run(run) = &mut violation.site
            && let Err(error) = shuffled.restore(run)
        {
            outcome.stopped = error.into();
            break;
        }
    }
    outcome
}

fn run<S: TransitionSystem, F: Filter>(
    filter: Result<F, Full>,
    system: &Shuffled<'_, S>,
    shared: &Shared<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    let store = match filter {
        Ok(filter) => Lossy::new(filter, system.carried(), system.seed),
        Err(full) => return shared.nothing(full),
    };
    if let Some(limit) = shared.options.limits.states {
        store.limit_states(limit);
    }
    depth::search(system, &store, shared, observer)
}

/// A system whose steps come in another order, which follows from the state and a number.
struct Shuffled<'s, S> {
    system: &'s S,
    seed: u64,
}

impl<S: TransitionSystem> Shuffled<'_, S> {
    /// Which step comes at each place.
    fn order(&self, state: &[u32], steps: usize) -> Vec<u32> {
        let mut rng = Rng::new(mix(&state[self.system.carried()..], !self.seed).first);
        let mut order: Vec<u32> = (0..steps as u32).collect();
        for place in (1..steps).rev() {
            order.swap(place, rng.below(place + 1));
        }
        order
    }

    /// Turns the places of the steps of a run into their numbers.
    fn restore(&self, run: &mut [u32]) -> Result<(), ModelError> {
        let mut worker = self.system.worker();
        let mut steps = Successors::new();
        let mut state: Vec<u32> = Vec::new();
        for (index, ordinal) in run.iter_mut().enumerate() {
            steps.clear();
            if index == 0 {
                self.system.initial(&mut worker, &mut steps)?;
            } else {
                self.system.successors(&mut worker, &state, &mut steps)?;
                let order = self.order(&state, steps.len());
                *ordinal = order.get(*ordinal as usize).copied().unwrap_or(u32::MAX);
            }
            let Some(step) = steps.steps().get(*ordinal as usize) else {
                return Err(ModelError("the model does not repeat itself".to_owned()));
            };
            state.clear();
            state.extend_from_slice(steps.target(step));
        }
        Ok(())
    }
}

/// What a thread needs for a [`Shuffled`].
struct Worker<W> {
    inner: W,
    steps: Successors,
}

impl<S: TransitionSystem> TransitionSystem for Shuffled<'_, S> {
    type Worker = Worker<S::Worker>;

    fn worker(&self) -> Self::Worker {
        Worker { inner: self.system.worker(), steps: Successors::new() }
    }

    fn initial(&self, worker: &mut Self::Worker, out: &mut Successors) -> Result<(), ModelError> {
        self.system.initial(&mut worker.inner, out)
    }

    fn successors(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let Worker { inner, steps } = worker;
        steps.clear();
        self.system.successors(inner, state, steps)?;
        for ordinal in self.order(state, steps.len()) {
            let step = &steps.steps()[ordinal as usize];
            let (target, actions) = (steps.target(step), steps.actions(step));
            out.push_faulty(target, step.changed, actions, step.fault, step.fatal);
        }
        out.incomplete = steps.incomplete;
        Ok(())
    }

    everypath_model::same_states!();
}
