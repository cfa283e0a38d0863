//! What a layer above an executor needs: the steps of some processes only, and the value of single
//! conditions.

use everypath_model::{Fault, ModelError, Successors, TransitionSystem};

use crate::code::Reg;
use crate::exec::Guard;
use crate::interpreter::{Interpreter, Worker};

/// A set of processes, by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessSet([u64; 4]);

impl ProcessSet {
    /// One process.
    pub fn of(process: usize) -> ProcessSet {
        let mut set = ProcessSet::default();
        set.insert(process);
        set
    }

    /// Adds a process.
    #[inline]
    pub fn insert(&mut self, process: usize) {
        self.0[process >> 6] |= 1 << (process & 63);
    }

    /// Whether a process is in it.
    #[inline]
    pub fn contains(&self, process: usize) -> bool {
        self.0[process >> 6] >> (process & 63) & 1 == 1
    }

    /// The processes, youngest first, as steps are made in this order.
    pub fn youngest_first(self) -> impl Iterator<Item = usize> {
        (0..self.0.len()).rev().flat_map(move |word| {
            let mut bits = self.0[word];
            std::iter::from_fn(move || {
                let top = bits.checked_ilog2()?;
                bits ^= 1 << top;
                Some(word << 6 | top as usize)
            })
        })
    }
}

/// An executor of a machine, for layers that choose who is to move.
pub trait Executor: TransitionSystem {
    /// The interpreter of the same machine.
    fn interpreter(&self) -> &Interpreter;

    /// Writes the steps of some processes in the order in which
    /// [`successors`](TransitionSystem::successors) has them, `timeout` being false. A rendezvous
    /// belongs to its sender.
    fn successors_of(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        processes: ProcessSet,
        out: &mut Successors,
    ) -> Result<(), ModelError>;
}

impl Executor for Interpreter {
    fn interpreter(&self) -> &Interpreter {
        self
    }

    fn successors_of(
        &self,
        worker: &mut Worker,
        state: &[u32],
        processes: ProcessSet,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        self.open_state(worker, state);
        worker.sequences.clear();
        worker.moves.clear();
        self.moves_of(worker, state, processes.youngest_first());
        self.complete(worker, out);
        worker.sequences.finish()
    }
}

/// How a statement stands in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// It cannot be executed.
    No,
    /// It can, or its evaluation is a fault.
    Yes,
    /// If another process receives.
    Offer,
}

impl Interpreter {
    /// Makes a worker ready for [`Interpreter::condition`] and [`Interpreter::readiness`] in a
    /// state. No statement waits for a rendezvous, and `timeout` is false.
    pub fn open_state(&self, worker: &mut Worker, state: &[u32]) {
        worker.exec.shape.walk(self.machine(), state);
        worker.exec.handshake = None;
        worker.exec.timeout = false;
    }

    /// The value in a register after the instructions from `start` to `end` of a guard, for a
    /// process of the state that was opened.
    pub fn condition(
        &self,
        worker: &mut Worker,
        state: &[u32],
        process: usize,
        (start, end): (u32, u32),
        register: Reg,
    ) -> Result<i32, Fault> {
        worker.exec.me = process;
        worker.exec.part(self.machine(), state, start, end)?;
        Ok(worker.exec.regs[usize::from(register)])
    }

    /// How the guard of code stands, for a process of the state that was opened.
    pub fn readiness(
        &self,
        worker: &mut Worker,
        state: &[u32],
        process: usize,
        code: u32,
    ) -> Readiness {
        worker.exec.me = process;
        match worker.exec.guard(self.machine(), state, code) {
            Guard::Disabled => Readiness::No,
            Guard::Commit(_) | Guard::Fault(_) => Readiness::Yes,
            Guard::Offer(_) => Readiness::Offer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_processes_go_from_the_youngest_to_the_oldest() {
        let mut set = ProcessSet::default();
        for process in [0, 3, 63, 64, 254] {
            set.insert(process);
        }
        assert_eq!(set.youngest_first().collect::<Vec<_>>(), [254, 64, 63, 3, 0]);
        assert!(set.contains(64) && !set.contains(65));
        assert_eq!(ProcessSet::default().youngest_first().count(), 0);
    }
}
