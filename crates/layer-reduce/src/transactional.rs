//! A machine as a system of threads.

use everypath_machine::{Executor, Interpreter, ProcessSet, Shape};
use everypath_model::{Ahead, ModelError, Mover, Successors, Threads, TransitionSystem};

use crate::movers::Movers;

/// An executor of a machine that tells of each step how it gets along with those of others. Its
/// processes are the threads.
pub struct Transactional<S> {
    system: S,
    movers: Movers,
}

/// Scratch memory of one thread of a search.
pub struct Worker<W> {
    inner: W,
    shape: Shape,
}

impl<S: Executor> Transactional<S> {
    /// Looks at the statements of a machine; the reason why nothing can be told of them.
    pub fn new(system: S) -> Result<Transactional<S>, &'static str> {
        let movers = Movers::new(system.interpreter())?;
        Ok(Transactional { system, movers })
    }

    /// The variables that are locks.
    pub fn locks(&self) -> &[String] {
        &self.movers.locks
    }

    /// The variables that every process touches only while it has a lock, the same one for all.
    pub fn protected(&self) -> &[String] {
        &self.movers.protected
    }

    fn interpreter(&self) -> &Interpreter {
        self.system.interpreter()
    }
}

impl<S: Executor> TransitionSystem for Transactional<S> {
    type Worker = Worker<S::Worker>;

    fn worker(&self) -> Self::Worker {
        Worker { inner: self.system.worker(), shape: Shape::default() }
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
        self.system.successors(&mut worker.inner, state, out)
    }

    everypath_model::same_states!();
}

impl<S: Executor> Threads for Transactional<S> {
    fn threads(&self, worker: &mut Self::Worker, state: &[u32]) -> u32 {
        worker.shape.walk(self.interpreter().machine(), state);
        worker.shape.processes.len() as u32
    }

    fn steps_of(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        thread: u32,
        out: &mut Successors,
        movers: &mut Vec<Mover>,
    ) -> Result<Ahead, ModelError> {
        let machine = self.interpreter().machine();
        worker.shape.walk(machine, state);
        let slot = worker.shape.processes[thread as usize];
        let location = machine.head.location.get(&state[slot.offset as usize..]);
        let place = self.movers.place(slot.ty, location as usize);
        let processes = ProcessSet::of(thread as usize);
        self.system.successors_of(&mut worker.inner, state, processes, out)?;
        for step in out.steps() {
            let first = out.actions(step).first().map(|action| action.transition);
            let mover = place.movers.iter().find(|(t, _)| Some(*t) == first);
            movers.push(mover.map_or(Mover::NONE, |(_, mover)| *mover));
        }
        Ok(Ahead { left: place.left, ended: false })
    }
}
