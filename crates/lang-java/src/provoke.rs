//! Runs that try to bring threads to where each has a lock that another one wants (active testing; Joshi, Park, Sen and
//! Naik, PLDI 2009): who has a lock and is about to take another one waits as long as others can move. What such a run
//! shows is real; what none of them shows means nothing.

use everypath_model::{Action, Fault, ModelError, Rng};

use crate::program::{Program, failed};
use crate::system::Move;
use crate::vm::{Failure, Run, Trap, Worker};

/// How often, in a hundred, a thread goes on without a reason, and who waits is not asked to.
const STAYS: u32 = 60;
const HURRIES: u32 = 3;

/// A run that shows something.
#[derive(Clone, Debug)]
pub struct Provoked {
    /// Its steps.
    pub actions: Vec<Action>,
    /// What is wrong in the last one; nothing if nobody can move behind it.
    pub fault: Option<Fault>,
    /// The state behind it.
    pub state: Vec<u32>,
    /// Steps of all runs.
    pub steps: u64,
}

impl Program {
    /// Looks for a deadlock, of some threads or of all, in so many runs of so many steps each, which follow from a seed.
    pub fn provoke(
        &self,
        seed: u64,
        runs: u64,
        steps: usize,
    ) -> Result<Option<Provoked>, ModelError> {
        let mut worker = self.new_worker().map_err(failed)?;
        let mut all = 0;
        for seed in seed..seed.saturating_add(runs) {
            let found = loop {
                match self.provoke_once(&mut worker, &mut Rng::new(seed), steps, &mut all) {
                    // What was assumed for a search was wrong.
                    Err(Trap::Fail(Failure::Assumption(_))) if self.assume_less() => {}
                    // What cannot be followed ends the run.
                    Err(Trap::Fail(Failure::Unsupported(_) | Failure::Limit(_))) => break None,
                    other => break other.map_err(failed)?,
                }
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn provoke_once(
        &self,
        worker: &mut Worker,
        random: &mut Rng,
        most: usize,
        all: &mut u64,
    ) -> Run<Option<Provoked>> {
        let mut state = Vec::new();
        self.first_state(worker, &mut state)?;
        let (mut actions, mut last) = (Vec::new(), 0);
        for _ in 0..most {
            worker.load(&state);
            if worker.exit.is_some() || worker.is_over() {
                return Ok(None);
            }
            let moves = self.moves(worker)?;
            if moves.is_empty() {
                return Ok(Some(Provoked { actions, fault: None, state, steps: *all }));
            }
            let step = pick(worker, &moves, random, last);
            last = step.thread;
            actions.push(self.action_of(worker, step));
            *all += 1;
            worker.transition(step.thread, step.alternative)?;
            if worker.pruned {
                return Ok(None);
            }
            let fault = match worker.may_close_circle(last) {
                true => self.partial_deadlock(worker, last),
                false => None,
            };
            worker.save(&mut state)?;
            if fault.is_some() {
                return Ok(Some(Provoked { actions, fault, state, steps: *all }));
            }
        }
        Ok(None)
    }
}

/// Who moves next: not who closes in on a second lock, if that can wait.
fn pick<'m>(worker: &Worker, moves: &'m [Move], random: &mut Rng, last: usize) -> &'m Move {
    let waits = |step: &Move| {
        worker.status(step.thread).enters() && !worker.locks_of(step.thread).is_empty()
    };
    let others: Vec<&Move> = match random.chance(HURRIES) {
        true => Vec::new(),
        false => moves.iter().filter(|step| !waits(step)).collect(),
    };
    let others = if others.is_empty() { moves.iter().collect() } else { others };
    let own: Vec<&Move> = others.iter().copied().filter(|step| step.thread == last).collect();
    match !own.is_empty() && random.chance(STAYS) {
        true => own[random.below(own.len())],
        false => others[random.below(others.len())],
    }
}
