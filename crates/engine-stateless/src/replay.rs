//! Runs as numbers of steps: found with the steps that the system itself gives, so a run that is told is one.

use everypath_model::{Action, End, ModelError, Successors, TransitionSystem};

use crate::outcome::{Kind, Outcome, Stopped};

/// Finds the runs of violations with the steps that the system gives.
pub(crate) fn confirm<S: TransitionSystem>(system: &S, outcome: &mut Outcome) {
    let mut worker = system.worker();
    let mut wrong = None;
    outcome.violations.retain_mut(|violation| {
        match numbers(system, &mut worker, &violation.actions, violation.kind) {
            Ok(Some(run)) => {
                violation.run = run;
                true
            }
            // What cannot be shown is not told.
            Ok(None) => {
                wrong = Some(ModelError("the model does not repeat itself".to_owned()));
                false
            }
            Err(error) => {
                wrong = Some(error);
                false
            }
        }
    });
    if let Some(error) = wrong {
        outcome.stopped = Stopped::ModelError(error);
    }
}

/// A run by its actions as numbers of steps: which initial step, then which step of each state; `None` if the system does
/// not have such a run.
pub fn numbered_run<S: TransitionSystem>(
    system: &S,
    actions: &[Action],
    kind: Kind,
) -> Result<Option<Vec<u32>>, ModelError> {
    numbers(system, &mut system.worker(), actions, kind)
}

fn numbers<S: TransitionSystem>(
    system: &S,
    worker: &mut S::Worker,
    actions: &[Action],
    kind: Kind,
) -> Result<Option<Vec<u32>>, ModelError> {
    let mut steps = Successors::new();
    system.initial(worker, &mut steps)?;
    let mut run = vec![0];
    let Some(first) = steps.steps().first() else { return Ok(None) };
    let mut state = steps.target(first).to_vec();
    for (index, action) in actions.iter().enumerate() {
        steps.clear();
        system.successors(worker, &state, &mut steps)?;
        let all = || steps.steps().iter().enumerate();
        let same = |step| steps.actions(step) == [*action];
        if let Kind::Fault(fault) = kind
            && index + 1 == actions.len()
        {
            let found = all().find(|(_, step)| step.fault == Some(fault) && same(step));
            if let Some((number, _)) = found {
                run.push(number as u32);
                return Ok(Some(run));
            }
        }
        let Some((number, step)) = all().find(|(_, step)| !step.fatal && same(step)) else {
            return Ok(None);
        };
        run.push(number as u32);
        state.clear();
        state.extend_from_slice(steps.target(step));
    }
    match kind {
        Kind::Deadlock(_) => {
            steps.clear();
            system.successors(worker, &state, &mut steps)?;
            Ok((steps.may_end() && system.end(worker, &state) == End::Deadlock).then_some(run))
        }
        Kind::Fault(fault) => {
            // A fault of several threads is a step of its own.
            steps.clear();
            system.successors(worker, &state, &mut steps)?;
            let found = steps.steps().iter().position(|step| step.fault == Some(fault));
            run.extend(found.map(|number| number as u32));
            Ok(found.map(|_| run))
        }
    }
}
