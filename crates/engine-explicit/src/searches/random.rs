//! Random runs: each begins in an initial state and goes on until nothing can be done, something is
//! wrong or it is long enough. Every step of every state on the way is looked at for faults, also
//! those that are not taken.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use everypath_model::{End, ModelError, Rng, Successors, TransitionSystem};

use crate::options::{AfterViolation, Control, Observer, Options, Progress, Sample};
use crate::outcome::{Kind, LeftOut, Outcome, Site, Stopped, Violation};
use crate::searches::members;

/// Steps of a run without a depth limit.
const STEPS: u64 = 10_000;

pub(crate) fn search<S: TransitionSystem>(
    system: &S,
    options: &Options<'_>,
    sample: Sample,
    observer: &mut dyn Observer,
) -> Outcome {
    members::run(options, sample, observer, || {
        let mut walker = Walker {
            system,
            options,
            worker: system.worker(),
            steps: Successors::new(),
            until_poll: options.poll_every.max(1),
        };
        move |seed, observer: &mut dyn Observer| {
            let mut walk = Walk {
                outcome: Outcome::empty(Stopped::Finished),
                run: Vec::new(),
                state: Vec::new(),
            };
            if let Err(stopped) = walker.walk(&mut walk, &mut Rng::new(seed), observer) {
                walk.outcome.stopped = stopped;
            }
            walk.outcome
        }
    })
}

/// What a thread needs for its runs.
struct Walker<'s, S: TransitionSystem> {
    system: &'s S,
    options: &'s Options<'s>,
    worker: S::Worker,
    steps: Successors,
    until_poll: u32,
}

/// One run.
struct Walk {
    outcome: Outcome,
    /// The numbers of its steps.
    run: Vec<u32>,
    /// Where it is.
    state: Vec<u32>,
}

impl<S: TransitionSystem> Walker<'_, S> {
    fn walk(
        &mut self,
        walk: &mut Walk,
        rng: &mut Rng,
        observer: &mut dyn Observer,
    ) -> Result<(), Stopped> {
        self.steps.clear();
        self.system.initial(&mut self.worker, &mut self.steps)?;
        let most = self.options.limits.depth.unwrap_or(STEPS);
        for depth in 0.. {
            let Some(ordinal) = self.choose(walk, rng, depth)? else { break };
            let step = &self.steps.steps()[ordinal as usize];
            walk.outcome.coverage.insert(self.steps.actions(step));
            walk.run.push(ordinal);
            walk.state.clear();
            walk.state.extend_from_slice(self.steps.target(step));
            walk.outcome.stats.states += 1;
            walk.outcome.stats.transitions += 1;
            walk.outcome.stats.depth = depth;
            self.invariants(walk)?;
            self.poll(walk, observer)?;
            self.steps.clear();
            self.system.successors(&mut self.worker, &walk.state, &mut self.steps)?;
            if self.steps.may_end() {
                self.end(walk)?;
            }
            if depth == most {
                break;
            }
        }
        Ok(())
    }

    /// One of the steps at random, after a look at the faults of all.
    fn choose(
        &mut self,
        walk: &mut Walk,
        rng: &mut Rng,
        depth: u64,
    ) -> Result<Option<u32>, Stopped> {
        if let Some(first) = self.steps.incomplete {
            walk.outcome.left_out.get_or_insert(LeftOut { first, states: 0 }).states += 1;
        }
        let mut open = 0;
        for ordinal in 0..self.steps.len() {
            let step = &self.steps.steps()[ordinal];
            open += usize::from(!step.fatal);
            if let Some(fault) = step.fault {
                walk.outcome.coverage.insert(self.steps.actions(step));
                self.violation(walk, Kind::Fault(fault), depth, Some(ordinal as u32))?;
            }
        }
        if open == 0 {
            return Ok(None);
        }
        let chosen = rng.below(open);
        let all = self.steps.steps().iter().enumerate().filter(|(_, step)| !step.fatal);
        Ok(all.map(|(ordinal, _)| ordinal as u32).nth(chosen))
    }

    fn invariants(&mut self, walk: &mut Walk) -> Result<(), Stopped> {
        if !self.options.check_invariants {
            return Ok(());
        }
        for index in 0..self.system.invariant_count() {
            let found = self.system.violated_invariant(&mut self.worker, &walk.state, index)?;
            if let Some(fault) = found {
                let depth = walk.outcome.stats.depth;
                self.violation(walk, Kind::Invariant(fault), depth, None)?;
            }
        }
        Ok(())
    }

    /// A state without steps.
    fn end(&mut self, walk: &mut Walk) -> Result<(), Stopped> {
        if self.options.check_deadlock
            && self.steps.incomplete.is_none()
            && self.system.end(&mut self.worker, &walk.state) == End::Deadlock
        {
            let depth = walk.outcome.stats.depth;
            self.violation(walk, self.options.deadlock(&walk.state), depth, None)?;
        }
        Ok(())
    }

    /// Notes a violation in the state where the run is, or in a step of it.
    #[cold]
    fn violation(
        &mut self,
        walk: &mut Walk,
        kind: Kind,
        depth: u64,
        step: Option<u32>,
    ) -> Result<(), Stopped> {
        walk.outcome.errors += 1;
        let known = walk.outcome.violations.iter_mut().find(|known| known.kind == kind);
        if let Some(known) = known {
            known.occurrences += 1;
        } else if walk.outcome.violations.len() >= self.options.max_violations {
            walk.outcome.unrecorded += 1;
        } else {
            let run = without_loops(self.system, &walk.run)?.into_iter().chain(step);
            let run: Box<[u32]> = run.collect();
            debug_assert!(run.len() as u64 <= depth + 1, "loops make a run longer");
            let states = walk.outcome.stats.states;
            let depth = run.len() as u64 - 1;
            let site = Site::Run(run);
            let found = Violation {
                kind,
                depth,
                states,
                occurrences: 1,
                seed: None,
                spurious: false,
                site,
            };
            walk.outcome.violations.push(found);
        }
        match self.options.after_violation {
            AfterViolation::Stop => Err(Stopped::Violation),
            _ => Ok(()),
        }
    }

    fn poll(&mut self, walk: &Walk, observer: &mut dyn Observer) -> Result<(), Stopped> {
        self.until_poll -= 1;
        if self.until_poll > 0 {
            return Ok(());
        }
        self.until_poll = self.options.poll_every.max(1);
        if self.options.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Stopped::Interrupted);
        }
        if self.options.expired.is_some_and(|expired| expired()) {
            return Err(Stopped::Time);
        }
        let Outcome { stats, errors, .. } = &walk.outcome;
        let progress = Progress {
            states: stats.states,
            transitions: stats.transitions,
            depth: stats.depth,
            frontier: 0,
            bytes: 0,
            errors: *errors,
        };
        match observer.progress(&progress) {
            Control::Continue => Ok(()),
            Control::Stop => Err(Stopped::Interrupted),
        }
    }
}

/// A run to the same state that is in no state twice.
fn without_loops<S: TransitionSystem>(system: &S, run: &[u32]) -> Result<Vec<u32>, ModelError> {
    let mut worker = system.worker();
    let mut steps = Successors::new();
    let mut kept: Vec<u32> = Vec::new();
    let mut states: Vec<Vec<u32>> = Vec::new();
    // How many steps lead to each state.
    let mut known: HashMap<Vec<u32>, usize, foldhash::fast::FixedState> = HashMap::default();
    for &ordinal in run {
        steps.clear();
        match states.last() {
            None => system.initial(&mut worker, &mut steps)?,
            Some(state) => system.successors(&mut worker, state, &mut steps)?,
        }
        let Some(step) = steps.steps().get(ordinal as usize) else {
            return Err(ModelError("the model does not repeat itself".to_owned()));
        };
        let state = steps.target(step);
        if let Some(&length) = known.get(state) {
            kept.truncate(length);
            for state in states.drain(length..) {
                known.remove(&state);
            }
        } else {
            kept.push(ordinal);
            states.push(state.to_vec());
            known.insert(state.to_vec(), kept.len());
        }
    }
    Ok(kept)
}
