//! A system in which processes that are alike always stand in order.

use everypath_machine::{Interpreter, Machine, Shape, TransitionKind};
use everypath_model::{Action, ComponentMask, Extent, ModelError, Successors, TransitionSystem};

use crate::symmetry::Symmetry;

/// A system of a machine whose states are brought in order: of states that differ only in which of
/// several equal processes is which, one is left.
pub struct Symmetric<S> {
    system: S,
    interpreter: Interpreter,
    symmetry: Symmetry,
}

/// Scratch memory of one thread.
pub struct SymmetricWorker<W> {
    inner: W,
    shape: Shape,
}

impl<S: TransitionSystem> Symmetric<S> {
    /// A system of the machine that `interpreter` interprets.
    pub fn new(system: S, interpreter: Interpreter, symmetry: Symmetry) -> Symmetric<S> {
        Symmetric { system, interpreter, symmetry }
    }

    /// Brings the targets of steps in order. Without a source, all of them is new.
    fn sort(&self, shape: &mut Shape, source: Option<&[u32]>, out: &mut Successors) {
        let machine = self.interpreter.machine();
        out.change_targets(|target, changed| {
            let mut moved = false;
            self.symmetry.sort(machine, shape, target, |_, _| moved = true);
            if !moved {
                return;
            }
            match source {
                Some(source) if source.len() == target.len() => {
                    // Elements of arrays may have gone with the processes.
                    changed.insert(1);
                    for slot in &shape.processes {
                        let words = machine.proctypes[usize::from(slot.ty)].words as usize;
                        let record = slot.offset as usize..slot.offset as usize + words;
                        if source[record.clone()] != target[record] {
                            changed.insert(usize::from(slot.component));
                        }
                    }
                }
                _ => *changed = ComponentMask::ALL,
            }
        });
    }

    /// The actions of a run of the machine as it is, for a run of this system: the same statements,
    /// by the processes that they stand for. `initial` is the initial state of the machine. Processes
    /// may end earlier or later, which nobody notices; with `settle` all end that can.
    pub fn unfold<'p>(
        &self,
        initial: &[u32],
        steps: impl Iterator<Item = &'p [Action]>,
        settle: bool,
    ) -> Result<Vec<Action>, ModelError> {
        let machine = self.interpreter.machine();
        let lost = || ModelError("a run of equal processes cannot be told apart".to_owned());
        let mut shape = Shape::default();
        let mut ordered = initial.to_vec();
        let mut real = Real { state: initial.to_vec(), actions: Vec::new(), who: Vec::new() };
        real.who = (0..count(machine, &mut shape, initial)).collect();
        self.symmetry.sort(machine, &mut shape, &mut ordered, |a, b| real.who.swap(a, b));
        for step in steps {
            let ends = step.iter().any(|action| is_end(machine, action.transition));
            let before = loop {
                let alive = count(machine, &mut shape, &real.state);
                let meant = real.meant(step, alive);
                let here = meant.iter().all(|action| action.process + 1 == alive);
                if ends && !here {
                    break alive;
                }
                if let Some(next) = self.after(&real.state, &meant)? {
                    real.state = next.unwrap_or(real.state);
                    real.actions.extend_from_slice(&meant);
                    break alive;
                }
                // It may wait until nobody else can move.
                if !self.end_youngest(&mut real, alive)? {
                    return Err(lost());
                }
            };
            let next = self.after(&ordered, step)?.ok_or_else(lost)?;
            let Some(next) = next else { return Ok(real.actions) };
            ordered = next;
            let made = count(machine, &mut shape, &real.state).saturating_sub(before);
            real.who.extend((0..made).map(|i| before + i));
            real.who.truncate(count(machine, &mut shape, &ordered) as usize);
            self.symmetry.sort(machine, &mut shape, &mut ordered, |a, b| real.who.swap(a, b));
        }
        let mut settled = !settle;
        while !settled {
            let alive = count(machine, &mut shape, &real.state);
            settled = !self.end_youngest(&mut real, alive)?;
        }
        Ok(real.actions)
    }

    /// Lets the youngest process end, if it can.
    fn end_youngest(&self, real: &mut Real, alive: u32) -> Result<bool, ModelError> {
        let machine = self.interpreter.machine();
        let mut out = Successors::new();
        self.interpreter.successors(&mut self.interpreter.worker(), &real.state, &mut out)?;
        let ends = out
            .steps()
            .iter()
            .find(|step| matches!(out.actions(step), [one] if is_end(machine, one.transition)));
        let Some(ends) = ends else { return Ok(false) };
        real.actions.extend_from_slice(out.actions(ends));
        real.state = out.target(ends).to_vec();
        for process in real.who.iter_mut().filter(|process| **process + 1 == alive) {
            *process = GONE;
        }
        Ok(true)
    }

    /// Where a step with these actions leads, nowhere if it is a fault; `None` if there is none.
    #[expect(clippy::option_option)]
    fn after(
        &self,
        state: &[u32],
        actions: &[Action],
    ) -> Result<Option<Option<Vec<u32>>>, ModelError> {
        let mut out = Successors::new();
        self.interpreter.successors(&mut self.interpreter.worker(), state, &mut out)?;
        let mut same = out.steps().iter().filter(|step| out.actions(step) == actions).peekable();
        if same.peek().is_none() {
            return Ok(None);
        }
        let goes_on = same.find(|step| !step.fatal);
        Ok(Some(goes_on.map(|step| out.target(step).to_vec())))
    }
}

/// A run of the machine as it is.
struct Real {
    state: Vec<u32>,
    actions: Vec<Action>,
    /// Who is meant by each process of a run in order.
    who: Vec<u32>,
}

/// Somebody who has ended.
const GONE: u32 = u32::MAX - 1;

impl Real {
    /// What actions mean here, if so many processes are alive.
    fn meant(&self, actions: &[Action], alive: u32) -> Vec<Action> {
        let known = self.who.len() as u32;
        let process = |process: u32| match self.who.get(process as usize) {
            Some(&meant) => meant,
            None => alive + process - known,
        };
        let meant = |action: &Action| Action { process: process(action.process), ..*action };
        actions.iter().map(meant).collect()
    }
}

fn count(machine: &Machine, shape: &mut Shape, state: &[u32]) -> u32 {
    shape.walk(machine, state);
    shape.processes.len() as u32
}

fn is_end(machine: &Machine, transition: u32) -> bool {
    machine.transitions[transition as usize].kind == TransitionKind::End
}

impl<S: TransitionSystem> TransitionSystem for Symmetric<S> {
    type Worker = SymmetricWorker<S::Worker>;

    fn worker(&self) -> Self::Worker {
        SymmetricWorker { inner: self.system.worker(), shape: Shape::default() }
    }

    fn initial(&self, worker: &mut Self::Worker, out: &mut Successors) -> Result<(), ModelError> {
        self.system.initial(&mut worker.inner, out)?;
        self.sort(&mut worker.shape, None, out);
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        self.system.successors(&mut worker.inner, state, out)?;
        self.sort(&mut worker.shape, Some(state), out);
        Ok(())
    }

    fn reduced(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        attempt: u32,
        out: &mut Successors,
    ) -> Result<Extent, ModelError> {
        let extent = self.system.reduced(&mut worker.inner, state, attempt, out)?;
        self.sort(&mut worker.shape, Some(state), out);
        Ok(extent)
    }

    everypath_model::same_states!();
}
