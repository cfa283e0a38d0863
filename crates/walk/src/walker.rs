//! A walk through a system that can be taken back.

use everypath_model::{Action, Choice, Fault, MicroStep, ModelError, Moment, Rng, Simulate, Taken};

/// A moment is kept every so many moves; those between are made again when they are asked for.
const CHECKPOINT: usize = 256;

/// A walk: the line of moves that was visited, and where on it we are.
pub struct Walker<'a, S> {
    system: &'a S,
    line: Vec<Visited>,
    /// Moves made of those on the line.
    at: usize,
    now: Moment,
    /// A fault ended the run here.
    over: bool,
    /// The moments after 0, 256, 512, .. moves of the line.
    checkpoints: Vec<Moment>,
    rng: Rng,
    choices: Vec<Choice>,
    /// What went wrong in the last move.
    faults: Vec<Fault>,
}

/// A move that led somewhere.
pub struct Arrival {
    /// The state before it.
    pub before: Vec<u32>,
    /// What it did.
    pub taken: Taken,
}

/// One move of the line.
#[derive(Clone, Copy)]
struct Visited {
    /// Which choice it was.
    pick: u32,
    /// The number of the last step in it; steps count as in traces.
    step: u64,
}

impl<'a, S: Simulate> Walker<'a, S> {
    /// A walk that has not begun; of several beginnings the seed takes one.
    pub fn new(system: &'a S, seed: u64) -> Result<Walker<'a, S>, ModelError> {
        let mut rng = Rng::new(seed);
        let mut beginnings = system.beginnings()?;
        let now = match beginnings.len() {
            0 => return Err(ModelError("the model has no initial state".to_owned())),
            1 => beginnings.swap_remove(0),
            n => beginnings.swap_remove(rng.below(n)),
        };
        Walker::from(system, now, rng)
    }

    /// A walk from a given state.
    pub fn starting_in(
        system: &'a S,
        state: &[u32],
        seed: u64,
    ) -> Result<Walker<'a, S>, ModelError> {
        Walker::from(system, Moment { state: state.to_vec(), holder: None }, Rng::new(seed))
    }

    fn from(system: &'a S, now: Moment, rng: Rng) -> Result<Walker<'a, S>, ModelError> {
        let choices = system.choices(&now)?;
        let checkpoints = vec![now.clone()];
        Ok(Walker {
            system,
            line: Vec::new(),
            at: 0,
            now,
            over: false,
            checkpoints,
            rng,
            choices,
            faults: Vec::new(),
        })
    }

    /// The system.
    pub fn system(&self) -> &'a S {
        self.system
    }

    /// The state we are in.
    pub fn state(&self) -> &[u32] {
        &self.now.state
    }

    /// The state where the walk began.
    pub fn initial(&self) -> &[u32] {
        &self.checkpoints[0].state
    }

    /// What is possible now; nothing at the end of a run.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// Number of the last step made.
    pub fn step(&self) -> u64 {
        self.step_after(self.at)
    }

    /// Number of the last step on the line.
    pub fn last_step(&self) -> u64 {
        self.step_after(self.line.len())
    }

    fn step_after(&self, moves: usize) -> u64 {
        moves.checked_sub(1).map_or(0, |last| self.line[last].step)
    }

    /// Whether everybody sees this state: nobody is inside an indivisible sequence that goes on.
    pub fn is_stable(&self) -> bool {
        let moves = |choice: &Choice| choice.actions.first().map(|action| action.process);
        self.now.holder.is_none() || self.choices.iter().all(|c| moves(c) != self.now.holder)
    }

    /// What went wrong in the last move.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Whether a fault ended the run here.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The choice that the line takes next.
    pub fn ahead(&self) -> Option<usize> {
        self.line.get(self.at).map(|visited| visited.pick as usize)
    }

    /// Chance begins anew; what lies ahead on the line is forgotten.
    pub fn reseed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.cut();
    }

    /// A choice by chance: each process that can move is as likely as the others, and so is each of
    /// its choices.
    pub fn random(&mut self) -> Option<usize> {
        let process = |choice: &Choice| choice.actions.first().map_or(0, |action| action.process);
        match self.choices.len() {
            0 => return None,
            1 => return Some(0),
            _ => {}
        }
        let mut processes: Vec<u32> = self.choices.iter().map(process).collect();
        processes.sort_unstable();
        processes.dedup();
        let chosen = *self.rng.pick(&processes);
        let own = self.choices.iter().filter(|choice| process(choice) == chosen).count();
        let nth = self.rng.below(own);
        let mut indices = (0..self.choices.len()).filter(|&i| process(&self.choices[i]) == chosen);
        indices.nth(nth)
    }

    /// Makes the move with this number.
    pub fn take(&mut self, pick: usize) -> Result<Taken, ModelError> {
        let choice = self
            .choices
            .get(pick)
            .ok_or_else(|| ModelError(format!("there is no choice {}", pick + 1)))?;
        let taken = self.system.take(&self.now, choice)?;
        self.faults.clone_from(&choice.faults);
        if self.ahead() != Some(pick) {
            self.cut();
            let step = self.step() + taken.steps.len() as u64;
            self.line.push(Visited { pick: pick as u32, step });
        }
        self.at += 1;
        self.arrive(&taken)?;
        if self.at.is_multiple_of(CHECKPOINT) && self.at / CHECKPOINT == self.checkpoints.len() {
            self.checkpoints.push(self.now.clone());
        }
        Ok(taken)
    }

    /// Forgets what lies ahead.
    fn cut(&mut self) {
        self.line.truncate(self.at);
        self.checkpoints.truncate(self.at / CHECKPOINT + 1);
    }

    fn arrive(&mut self, taken: &Taken) -> Result<(), ModelError> {
        match &taken.next {
            Some(next) => {
                self.now = next.clone();
                self.choices = self.system.choices(&self.now)?;
            }
            None => {
                self.over = true;
                self.choices.clear();
                if let Some(last) = taken.steps.last() {
                    self.now = Moment { state: last.state.clone(), holder: None };
                }
            }
        }
        Ok(())
    }

    /// Goes to where the line is after this step, back or forth; a step in the middle of a move
    /// means its end. Returns the last move made on the way there, if there is one.
    pub fn go_to(&mut self, step: u64) -> Result<Option<Arrival>, ModelError> {
        let step = step.min(self.last_step());
        let moves = match step {
            0 => 0,
            _ => self.line.partition_point(|visited| visited.step < step) + 1,
        };
        self.go_to_move(moves)
    }

    /// Goes back by some moves.
    pub fn back(&mut self, moves: usize) -> Result<Option<Arrival>, ModelError> {
        self.go_to_move(self.at.saturating_sub(moves))
    }

    fn go_to_move(&mut self, moves: usize) -> Result<Option<Arrival>, ModelError> {
        // The move that leads there is made again, so that it can be shown.
        let nearest = (moves.saturating_sub(1) / CHECKPOINT).min(self.checkpoints.len() - 1);
        self.now = self.checkpoints[nearest].clone();
        self.at = nearest * CHECKPOINT;
        self.over = false;
        self.faults.clear();
        self.choices = self.system.choices(&self.now)?;
        let mut last = None;
        while self.at < moves {
            let before = self.now.state.clone();
            let taken = self.take(self.line[self.at].pick as usize)?;
            last = Some(Arrival { before, taken });
        }
        Ok(last)
    }

    /// The statements from the beginning to here.
    pub fn actions(&self) -> Result<Vec<Action>, ModelError> {
        let mut actions = Vec::new();
        self.retrace(1, self.step(), |_, step| actions.push(step.action))?;
        Ok(actions)
    }

    /// Makes the steps `first..=last` of the line again, without going there.
    pub fn retrace(
        &self,
        first: u64,
        last: u64,
        mut saw: impl FnMut(u64, &MicroStep),
    ) -> Result<(), ModelError> {
        let start = self.line.partition_point(|visited| visited.step < first);
        let nearest = (start / CHECKPOINT).min(self.checkpoints.len() - 1);
        let mut now = self.checkpoints[nearest].clone();
        for visited in &self.line[nearest * CHECKPOINT..] {
            let choices = self.system.choices(&now)?;
            let taken = self.system.take(&now, &choices[visited.pick as usize])?;
            let begin = visited.step + 1 - taken.steps.len() as u64;
            for (number, step) in (begin..).zip(&taken.steps) {
                if number > last {
                    return Ok(());
                }
                if number >= first {
                    saw(number, step);
                }
            }
            match taken.next {
                Some(next) => now = next,
                None => break,
            }
        }
        Ok(())
    }
}
