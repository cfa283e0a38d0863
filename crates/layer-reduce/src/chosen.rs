//! A system with fewer steps, for searches that know nothing of reduction.

use everypath_machine::Executor;
use everypath_model::{ModelError, Parts, Successors, Touched, TransitionSystem};

use crate::options::Options;
use crate::system::{Reduced, Worker};

/// An executor whose steps are those that are enough, or all of them.
///
/// No search sees to it that nothing is postponed for ever, so no chosen step closes a cycle of the
/// control flow: every cycle has a state with all its steps. Steps that a property can see are never chosen
/// alone. Both together keep every property that does not ask for the next state.
pub struct Chosen<S> {
    system: Reduced<S>,
    all: bool,
}

/// Scratch memory of one thread.
pub struct ChosenWorker<W> {
    inner: Worker<W>,
}

impl<S: Executor> Chosen<S> {
    /// As few steps as are enough, of those sets that `options` say.
    pub fn few(system: S, options: Options) -> Chosen<S> {
        let options = Options { live: true, sticky: true, ..options };
        Chosen { system: Reduced::new(system, options), all: false }
    }

    /// Whether so much can be left out that it pays, as far as the beginning tells.
    pub fn is_worth_it(&self) -> Result<bool, ModelError> {
        self.system.is_worth_it()
    }

    /// All steps.
    pub fn all(system: S) -> Chosen<S> {
        Chosen { system: Reduced::unused(system), all: true }
    }
}

impl<S: Executor> TransitionSystem for Chosen<S> {
    type Worker = ChosenWorker<S::Worker>;

    fn worker(&self) -> Self::Worker {
        ChosenWorker { inner: self.system.worker() }
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
        if self.all {
            return self.system.successors(&mut worker.inner, state, out);
        }
        self.system.reduced(&mut worker.inner, state, 0, out).map(|_| ())
    }

    everypath_model::same_states!();

    fn parts(&self) -> Option<Parts> {
        // Which steps are chosen depends on everything.
        if self.all { self.system.system().parts() } else { None }
    }

    fn touched(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        part: usize,
        known: usize,
        touched: &mut Vec<Touched>,
    ) -> bool {
        self.system.system().touched(&mut worker.inner.inner, state, part, known, touched)
    }

    fn part_steps(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        part: usize,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        self.system.system().part_steps(&mut worker.inner.inner, state, part, out)
    }
}
