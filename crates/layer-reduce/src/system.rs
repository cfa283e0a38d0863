//! The reduced system.

use everypath_machine::{Executor, Interpreter};
use everypath_model::{
    Action, ActionInfo, Blocked, Describe, Extent, Fault, FaultInfo, MicroStep, ModelError,
    ReplayError, Stranded, Successors, TransitionSystem, Value,
};

use rustc_hash::FxHashSet;

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

/// States that are looked at to see whether it pays to leave something out.
const LOOKED_AT: usize = 4096;
/// How many times more states all steps have to lead to than those that are chosen, in percent, in as
/// many steps: far beyond what is looked at it is many times more then.
const GAIN: usize = 103;
/// The least share of states in which something has to be left out of a small system, in percent.
const SHARE: usize = 10;

/// The same for any system where steps that can be seen are never chosen alone: the others remember what
/// their parts do, which makes them several times faster.
const OFTEN: usize = 30;
/// Statements after which the beginning is over, however few states it has: atomic sequences may be long.
const WORK: usize = 2 << 20;

/// The beginning of a search.
#[derive(Default)]
struct Beginning {
    /// How many states are first reached in so many steps.
    levels: Vec<usize>,
    /// States that were expanded, and those of which only a part of the steps was taken.
    states: usize,
    parts: usize,
    /// Whether that is all.
    complete: bool,
}

impl<S: Executor> Reduced<S> {
    /// Whether so much can be left out that it pays, as far as the beginning tells: how many states are
    /// reached in so many steps with all of them and with the chosen ones.
    pub fn is_worth_it(&self) -> Result<bool, ModelError> {
        let (all, chosen) = (self.begin(false)?, self.begin(true)?);
        if all.complete {
            return Ok(chosen.parts * 100 >= chosen.states * SHARE);
        }
        let same = all.levels.len().min(chosen.levels.len());
        let sum = |beginning: &Beginning| beginning.levels[..same].iter().sum::<usize>();
        // Fewer states at first may be the same ones later, if it is in few of them that steps are left out.
        let often = !self.options.live || chosen.parts * 100 >= chosen.states * OFTEN;
        Ok(often && sum(&all) * 100 >= sum(&chosen) * GAIN)
    }

    /// Searches breadth first, with all steps or with the chosen ones.
    fn begin(&self, chosen: bool) -> Result<Beginning, ModelError> {
        let mut worker = self.worker();
        let mut steps = Successors::new();
        let mut seen: FxHashSet<Box<[u32]>> = FxHashSet::default();
        let (mut level, mut next): (Vec<Box<[u32]>>, Vec<_>) = (Vec::new(), Vec::new());
        let mut found = Beginning::default();
        let mut work = 0;
        self.initial(&mut worker, &mut steps)?;
        loop {
            for step in steps.steps().iter().filter(|step| !step.fatal) {
                let target: Box<[u32]> = steps.target(step).into();
                if seen.insert(target.clone()) {
                    next.push(target);
                }
            }
            work += steps.action_count();
            steps.clear();
            if seen.len() > LOOKED_AT || work > WORK {
                return Ok(found);
            }
            let Some(state) = level.pop() else {
                if next.is_empty() {
                    found.complete = true;
                    return Ok(found);
                }
                found.levels.push(next.len());
                std::mem::swap(&mut level, &mut next);
                continue;
            };
            found.states += 1;
            if chosen {
                let extent = self.reduced(&mut worker, &state, 0, &mut steps)?;
                found.parts += usize::from(extent == Extent::Part);
            } else {
                self.successors(&mut worker, &state, &mut steps)?;
            }
        }
    }
}

/// Scratch memory of one thread.
pub struct Worker<W> {
    pub(crate) inner: W,
    chooser: Chooser,
}

impl<S: Executor> Reduced<S> {
    /// Looks at the statements of a machine.
    pub fn new(system: S, options: Options) -> Reduced<S> {
        let tables = Tables::new(system.interpreter(), &options);
        Reduced { system, options, tables }
    }

    /// The same executor, with nothing left out.
    pub(crate) fn unused(system: S) -> Reduced<S> {
        Reduced { system, options: Options::default(), tables: Err("it is not wanted") }
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
                // What was left out of it stays left out.
                let left_out = out.incomplete;
                out.clear();
                out.incomplete = left_out;
                attempt += 1;
            }
        }
        self.system.successors(&mut worker.inner, state, out)?;
        Ok(Extent::All)
    }

    everypath_model::same_states!();
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
