//! The reduced system.

use everypath_machine::{Executor, Interpreter};
use everypath_model::{
    Action, ActionInfo, Blocked, Describe, End, Extent, Fault, FaultInfo, MicroStep, ModelError,
    ReplayError, Rng, Step, Stranded, Successors, TransitionSystem, Value,
};

use crate::choose::Chooser;
use crate::facts::Facts;
use crate::options::Options;
use crate::scene::Stage;
use crate::tables::Tables;

/// An executor of a machine with partial-order reduction: [`reduced`](TransitionSystem::reduced)
/// gives the steps of as few processes as are enough; everything else is the executor's own.
pub struct Reduced<S> {
    system: S,
    options: Options,
    tables: Result<Tables, &'static str>,
}

/// Why nothing can be left out of any state of a machine, if that is so.
pub fn obstacle(interpreter: &Interpreter) -> Option<&'static str> {
    Facts::new(interpreter).err()
}

/// Walks that are taken to see how often something can be left out, and how long they are.
const WALKS: u64 = 24;
const LENGTH: usize = 64;
/// The least share of states in which something can be left out, in percent.
const SHARE: usize = 10;

impl Reduced<Interpreter> {
    /// Whether something can be left out in more than a few states, as far as some random walks tell.
    /// The answer is the same each time.
    pub fn is_worth_it(&self) -> Result<bool, ModelError> {
        let mut worker = self.worker();
        let (mut all, mut part) = (Successors::new(), Successors::new());
        let (mut states, mut parts) = (0, 0);
        for walk in 0..WALKS {
            let mut rng = Rng::new(walk);
            all.clear();
            self.initial(&mut worker, &mut all)?;
            for _ in 0..LENGTH {
                let steps = all.steps().iter().filter(|step| !step.fatal);
                let steps: Vec<&Step> = steps.collect();
                if steps.is_empty() {
                    break;
                }
                let state = all.target(steps[rng.below(steps.len())]).to_vec();
                part.clear();
                states += 1;
                parts +=
                    usize::from(self.reduced(&mut worker, &state, 0, &mut part)? == Extent::Part);
                all.clear();
                self.successors(&mut worker, &state, &mut all)?;
            }
        }
        Ok(parts * 100 >= states * SHARE)
    }
}

/// Scratch memory of one thread.
pub struct Worker<W> {
    inner: W,
    chooser: Chooser,
}

impl<S: Executor> Reduced<S> {
    /// Looks at the statements of a machine.
    pub fn new(system: S, options: Options) -> Reduced<S> {
        let tables = Tables::new(system.interpreter(), &options);
        Reduced { system, options, tables }
    }

    /// The executor without reduction.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// Why nothing can be left out in any state, if that is so.
    pub fn obstacle(&self) -> Option<&'static str> {
        self.tables.as_ref().err().copied()
    }
}

impl<S: Executor> TransitionSystem for Reduced<S> {
    type Worker = Worker<S::Worker>;

    fn worker(&self) -> Self::Worker {
        let chooser = Chooser::new(self.system.interpreter());
        Worker { inner: self.system.worker(), chooser }
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

    fn reduced(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        attempt: u32,
        out: &mut Successors,
    ) -> Result<Extent, ModelError> {
        if let Ok(tables) = &self.tables {
            let interpreter: &Interpreter = self.system.interpreter();
            let stage = Stage { interpreter, tables, state };
            let mut attempt = attempt as usize;
            while let Some(processes) = worker.chooser.candidate(&stage, &self.options, attempt) {
                self.system.successors_of(&mut worker.inner, state, processes, out)?;
                // A rendezvous may not come about, and a fault leads nowhere: some step must.
                if out.steps().iter().any(|step| !step.fatal) {
                    return Ok(Extent::Part);
                }
                out.clear();
                attempt += 1;
            }
        }
        self.system.successors(&mut worker.inner, state, out)?;
        Ok(Extent::All)
    }

    fn end(&self, worker: &mut Self::Worker, state: &[u32]) -> End {
        self.system.end(&mut worker.inner, state)
    }

    fn invariant_count(&self) -> usize {
        self.system.invariant_count()
    }

    fn violated_invariant(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        index: usize,
    ) -> Result<Option<Fault>, ModelError> {
        self.system.violated_invariant(&mut worker.inner, state, index)
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        self.system.components(state, ends);
    }

    fn carried(&self) -> usize {
        self.system.carried()
    }
}

impl<S: Executor + Describe> Describe for Reduced<S> {
    fn values(&self, state: &[u32]) -> Vec<(String, Value)> {
        self.system.values(state)
    }

    fn processes(&self, state: &[u32]) -> Vec<String> {
        self.system.processes(state)
    }

    fn action(&self, transition: u32) -> ActionInfo {
        self.system.action(transition)
    }

    fn fault(&self, fault: Fault) -> FaultInfo {
        self.system.fault(fault)
    }

    fn replay(&self, state: &[u32], actions: &[Action]) -> Result<Vec<MicroStep>, ReplayError> {
        self.system.replay(state, actions)
    }

    fn blocked(&self, state: &[u32]) -> Vec<Blocked> {
        self.system.blocked(state)
    }

    fn stranded(&self, state: &[u32]) -> Vec<Stranded> {
        self.system.stranded(state)
    }

    fn invariant_fault(&self, state: &[u32], fault: Fault) -> FaultInfo {
        self.system.invariant_fault(state, fault)
    }
}
