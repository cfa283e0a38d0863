//! A system in step with something that reads its steps, one after the other, and finds fault with them.

use everypath_model::{
    Action, ComponentMask, End, Fault, ModelError, Step, Successors, TransitionSystem,
};

/// Reads the steps of a run. What it knows about the steps so far is a number.
pub trait Monitor: Sync {
    /// Before the first step.
    fn start(&self) -> u32;

    /// After a step that begins in the state `before`; `None` if the run is bad from here on.
    fn after(&self, at: u32, before: &[u32], actions: &[Action])
    -> Result<Option<u32>, ModelError>;

    /// Whether a run may end here, in a state without steps.
    fn may_end(&self, at: u32, state: &[u32], end: End) -> bool;
}

/// The fault of a step after which a run is bad.
pub const BAD_STEP: Fault = Fault(0);
/// The fault of a run that must not end where it does.
pub const BAD_END: Fault = Fault(1);

/// A system whose states have what a [`Monitor`] knows behind them. Its only faults are those of the
/// monitor.
#[derive(Clone, Copy)]
pub struct Watched<'a, S> {
    system: &'a S,
    monitor: &'a dyn Monitor,
}

/// Scratch memory.
#[derive(Debug)]
pub struct Worker<W> {
    inner: W,
    out: Successors,
    vector: Vec<u32>,
}

impl<'a, S: TransitionSystem> Watched<'a, S> {
    /// A system and what watches it.
    pub fn new(system: &'a S, monitor: &'a dyn Monitor) -> Watched<'a, S> {
        Watched { system, monitor }
    }

    /// The state of the system in one of these states, and what the monitor knows.
    pub fn split(state: &[u32]) -> (&[u32], u32) {
        match state.split_last() {
            Some((&at, inner)) => (inner, at),
            None => (state, 0),
        }
    }

    /// What a step changed, when its monitor goes from `at` to `next`.
    fn changed(&self, step: &Step, target: &[u32], before: &[u32], moves: bool) -> ComponentMask {
        if target.len() != before.len() {
            return ComponentMask::ALL;
        }
        let mut changed = step.changed;
        if moves {
            let mut ends = Vec::new();
            self.system.components(target, &mut ends);
            changed.insert(ends.len());
        }
        changed
    }
}

impl<S: TransitionSystem> TransitionSystem for Watched<'_, S> {
    type Worker = Worker<S::Worker>;

    fn worker(&self) -> Self::Worker {
        Worker { inner: self.system.worker(), out: Successors::new(), vector: Vec::new() }
    }

    fn initial(&self, worker: &mut Self::Worker, out: &mut Successors) -> Result<(), ModelError> {
        let Worker { inner, out: own, vector } = worker;
        own.clear();
        self.system.initial(inner, own)?;
        for step in own.steps().iter().filter(|step| !step.fatal) {
            vector.clear();
            vector.extend_from_slice(own.target(step));
            vector.push(self.monitor.start());
            out.push(vector, ComponentMask::ALL, own.actions(step));
        }
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let (before, at) = Self::split(state);
        let Worker { inner, out: own, vector } = worker;
        own.clear();
        self.system.successors(inner, before, own)?;
        out.incomplete = own.incomplete;
        for step in own.steps().iter().filter(|step| !step.fatal) {
            let (target, actions) = (own.target(step), own.actions(step));
            let next = self.monitor.after(at, before, actions)?;
            vector.clear();
            vector.extend_from_slice(target);
            vector.push(next.unwrap_or(at));
            let changed = self.changed(step, target, before, next.is_some_and(|next| next != at));
            let fault = next.is_none().then_some(BAD_STEP);
            out.push_faulty(vector, changed, actions, fault, fault.is_some());
        }
        if own.is_empty() {
            let end = self.system.end(inner, before);
            if !self.monitor.may_end(at, before, end) {
                out.push_faulty(state, ComponentMask::default(), &[], Some(BAD_END), true);
            }
        }
        Ok(())
    }

    fn end(&self, worker: &mut Self::Worker, state: &[u32]) -> End {
        self.system.end(&mut worker.inner, Self::split(state).0)
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        self.system.components(Self::split(state).0, ends);
        ends.push(state.len() as u32);
    }

    fn carried(&self) -> usize {
        self.system.carried()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts up to 2, then rests; or goes back.
    struct Counter;

    impl TransitionSystem for Counter {
        type Worker = ();

        fn worker(&self) {}

        fn initial(&self, (): &mut (), out: &mut Successors) -> Result<(), ModelError> {
            out.push(&[0], ComponentMask::ALL, &[]);
            Ok(())
        }

        fn successors(
            &self,
            (): &mut (),
            state: &[u32],
            out: &mut Successors,
        ) -> Result<(), ModelError> {
            let mut changed = ComponentMask::default();
            changed.insert(0);
            if state[0] < 2 {
                out.push(&[state[0] + 1], changed, &[Action { process: 0, transition: 0 }]);
            }
            if state[0] == 1 {
                out.push(&[0], changed, &[Action { process: 0, transition: 1 }]);
            }
            Ok(())
        }

        fn end(&self, (): &mut (), _: &[u32]) -> End {
            End::Valid
        }

        fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
            ends.push(state.len() as u32);
        }
    }

    /// Nobody goes back twice, and who never did must not end.
    struct Once;

    impl Monitor for Once {
        fn start(&self) -> u32 {
            0
        }

        fn after(&self, at: u32, _: &[u32], actions: &[Action]) -> Result<Option<u32>, ModelError> {
            let back = actions[0].transition == 1;
            Ok(if back { (at == 0).then_some(1) } else { Some(at) })
        }

        fn may_end(&self, at: u32, _: &[u32], _: End) -> bool {
            at == 1
        }
    }

    #[test]
    fn what_the_monitor_knows_is_part_of_the_state() {
        let system = Watched::new(&Counter, &Once);
        let mut worker = system.worker();
        let mut steps = |state: &[u32]| {
            let mut out = Successors::new();
            system.successors(&mut worker, state, &mut out).expect("steps");
            let all = out.steps().iter();
            all.map(|step| (out.target(step).to_vec(), step.changed.0, step.fault)).collect()
        };
        let all: Vec<_> = steps(&[1, 0]);
        assert_eq!(all, [(vec![2, 0], 0b01, None), (vec![0, 1], 0b11, None)]);
        let all: Vec<_> = steps(&[1, 1]);
        assert_eq!(all, [(vec![2, 1], 0b01, None), (vec![0, 1], 0b01, Some(BAD_STEP))]);
        let ends: Vec<_> = steps(&[2, 0]);
        assert_eq!(ends, [(vec![2, 0], 0, Some(BAD_END))]);
        let ends: Vec<_> = steps(&[2, 1]);
        assert_eq!(ends, []);
        let mut ends = Vec::new();
        system.components(&[2, 1], &mut ends);
        assert_eq!(ends, [1, 2]);
    }
}
