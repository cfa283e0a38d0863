//! Walking through a machine one statement at a time: by choice, or after a given run.

use everypath_model::{
    Action, Choice, Describe, MicroStep, ModelError, Moment, ReplayError, Simulate, Successors,
    Taken, TransitionSystem,
};

use crate::interpreter::{Interpreter, Move, Worker};

impl Simulate for Interpreter {
    fn beginnings(&self) -> Result<Vec<Moment>, ModelError> {
        let mut out = Successors::new();
        self.initial(&mut self.worker(), &mut out)?;
        out.steps()
            .iter()
            .map(|step| match step.fault {
                Some(fault) => Err(ModelError(self.fault(fault).message)),
                None => Ok(Moment { state: out.target(step).to_vec(), holder: None }),
            })
            .collect()
    }

    fn choices(&self, at: &Moment) -> Result<Vec<Choice>, ModelError> {
        Ok(self.choices_at(&mut self.worker(), at))
    }

    fn take(&self, at: &Moment, choice: &Choice) -> Result<Taken, ModelError> {
        self.take_at(&mut self.worker(), at, choice)
            .ok_or_else(|| ModelError("the move is not possible here".to_owned()))
    }
}

impl Interpreter {
    /// Collects the moves of a moment in the worker: of the holder, or of all if it cannot move.
    fn moves_at(&self, worker: &mut Worker, at: &Moment) {
        self.moves(worker, &at.state, at.holder.map(|process| process as usize));
        if worker.moves.list.is_empty() && at.holder.is_some() {
            self.moves(worker, &at.state, None);
        }
    }

    fn choices_at(&self, worker: &mut Worker, at: &Moment) -> Vec<Choice> {
        self.moves_at(worker, at);
        let mut choices: Vec<Choice> = Vec::new();
        let list = &worker.moves.list;
        for one in list.iter().filter(|one| one.fault.is_none()) {
            let (actions, count) = one.actions();
            let actions = actions[..count].to_vec();
            choices.push(Choice { actions, faults: Vec::new(), fatal: false });
        }
        for one in list {
            let Some(fault) = one.fault else { continue };
            let (actions, count) = one.actions();
            let actions = &actions[..count];
            match choices.iter_mut().find(|choice| choice.actions == actions) {
                Some(choice) => choice.faults.push(fault),
                None => choices.push(Choice {
                    actions: actions.to_vec(),
                    faults: vec![fault],
                    fatal: true,
                }),
            }
        }
        choices
    }

    fn take_at(&self, worker: &mut Worker, at: &Moment, choice: &Choice) -> Option<Taken> {
        self.moves_at(worker, at);
        let list = &worker.moves.list;
        let wanted = |one: &&Move| {
            let (actions, count) = one.actions();
            actions[..count] == choice.actions[..] && one.fault.is_some() == choice.fatal
        };
        let one = *list.iter().find(wanted)?;
        let real = list.iter().filter(|one| one.fault.is_none());
        let number = real.clone().position(|other| other.actions() == one.actions()).unwrap_or(0);
        let of = real.count() as u32;
        let target = one.target(&worker.moves).to_vec();
        let (actions, count) = one.actions();
        let mut steps: Vec<MicroStep> = Vec::with_capacity(count);
        for (half, &action) in actions[..count].iter().enumerate() {
            let mut step = self.micro_step(&at.state, &target, action, half, one.receive);
            step.choice = (number as u32, of);
            step.atomic = half + 1 < count || one.holder.is_some();
            if half + 1 == count {
                let faults = choice.faults.iter();
                step.faults =
                    faults.map(|&fault| self.fault_in(&at.state, &target, fault, action)).collect();
            }
            steps.push(step);
        }
        let next = (!choice.fatal).then_some(Moment { state: target, holder: one.holder });
        Some(Taken { steps, next })
    }

    /// Follows a run; faults count in its last move only.
    pub(crate) fn follow(
        &self,
        state: &[u32],
        actions: &[Action],
    ) -> Result<Vec<MicroStep>, ReplayError> {
        let mut worker = self.worker();
        let mut steps: Vec<MicroStep> = Vec::new();
        let mut at = Moment { state: state.to_vec(), holder: None };
        let mut index = 0;
        while index < actions.len() {
            let wanted = &actions[index..];
            let choices = self.choices_at(&mut worker, &at);
            // A run may end with the first half of a rendezvous, where the second one fails.
            let fits = |choice: &&Choice| {
                let half = choice.actions.len().min(wanted.len());
                choice.actions[..half] == wanted[..half]
            };
            let Some(choice) = choices.iter().find(fits) else {
                let info = self.action(actions[index].transition);
                let message = format!("`{}` cannot be executed here", info.text);
                return Err(ReplayError { index, message });
            };
            let mut choice = choice.clone();
            if index + choice.actions.len() < actions.len() {
                choice.faults.clear();
            } else {
                // Moves that begin alike are told apart by nothing but their faults.
                choice.faults.extend(
                    choices
                        .iter()
                        .filter(fits)
                        .filter(|c| c.fatal != choice.fatal)
                        .flat_map(|c| &c.faults),
                );
            }
            let Some(taken) = self.take_at(&mut worker, &at, &choice) else {
                let message = "the move is not possible".to_owned();
                return Err(ReplayError { index, message });
            };
            index += choice.actions.len();
            steps.extend(taken.steps);
            match taken.next {
                Some(next) => at = next,
                None if index < actions.len() => {
                    let message = "the run ended with a fault".to_owned();
                    return Err(ReplayError { index: index - 1, message });
                }
                None => {}
            }
        }
        Ok(steps)
    }
}
