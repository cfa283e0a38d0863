//! Searches that begin again where what they assumed of fields was wrong.

use everypath_model::{ModelError, Rng};

use crate::program::{Program, failed};
use crate::vm::{Failure, Run, Trap, Worker};

/// Steps of random runs before a search; most wrong assumptions are found by them.
const STEPS: usize = 4_000;
/// The most steps of one of these runs.
const LONGEST: usize = 1_000;
/// Instructions of all of them together, and of one step: what takes longer is left to the search.
const INSTRUCTIONS: u64 = 2_000_000;
const LONGEST_STEP: u64 = 200_000;
/// Runs without news after which there are no more.
const QUIET: usize = 8;

impl Program {
    /// Takes up what a search found out that ended because it had assumed too much; whether that is
    /// anything. Then what the search found of violations counts, and nothing else, and another
    /// search is to follow. What the search found must not be replayed any more.
    pub fn assume_less(&self) -> bool {
        let any = self.vm.rules.adopt() | self.vm.observed.adopt() | self.vm.uses.adopt();
        if any {
            self.vm.base.changed();
        }
        // Nor must the world of the library have changed under a search.
        any | self.vm.base.has_changed()
    }

    /// Whether a search found out something that is not taken up yet.
    pub fn assumed_too_much(&self) -> bool {
        self.vm.rules.has_news() || self.vm.observed.has_news()
    }

    /// Finds out by some random runs what need not be assumed at all.
    pub fn prepare_assumptions(&self) -> Result<(), ModelError> {
        if !self.vm.settings.reductions.constant {
            return Ok(());
        }
        let mut worker = self.new_worker().map_err(failed)?;
        let mut random = Rng::new(1);
        let (mut steps, mut quiet) = (0, 0);
        worker.limit = worker.limit.min(LONGEST_STEP);
        while steps < STEPS && quiet < QUIET && worker.executed < INSTRUCTIONS {
            match self.wander(&mut worker, &mut random, &mut steps) {
                Ok(()) => quiet += 1,
                Err(Trap::Fail(Failure::Assumption(_))) => {
                    self.assume_less();
                    quiet = 0;
                }
                // What cannot be executed, or not that soon, is left to the search.
                Err(_) => return Ok(()),
            }
        }
        Ok(())
    }

    fn wander(&self, worker: &mut Worker, random: &mut Rng, steps: &mut usize) -> Run<()> {
        let mut state = Vec::new();
        self.first_state(worker, &mut state)?;
        for _ in 0..LONGEST {
            *steps += 1;
            worker.load(&state);
            let moves = self.moves(worker)?;
            if moves.is_empty() {
                return Ok(());
            }
            let step = random.pick(&moves);
            match worker.transition(step.thread, step.alternative) {
                Err(Trap::Fail(Failure::Unsupported(_) | Failure::Limit(_))) => return Ok(()),
                done => done?,
            }
            if worker.pruned {
                return Ok(());
            }
            worker.save(&mut state)?;
        }
        Ok(())
    }
}
