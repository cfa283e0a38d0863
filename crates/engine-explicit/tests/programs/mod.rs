//! Small programs of threads with mutexes, for searches by transactions.

use std::collections::{BTreeSet, HashMap, HashSet};

use everypath_model::{
    Action, Ahead, ComponentMask, End, Fault, ModelError, Mover, Successors, Threads,
    TransitionSystem,
};

/// Where a thread is after a failed assertion.
pub const WRONG: u32 = u32::MAX;

/// One step.
#[derive(Clone, Debug)]
pub enum Instruction {
    /// A local step to one of these; none at all if there is none.
    Jump(Vec<u32>),
    Set(usize, u32, Mover),
    /// Fails unless the variable has this value.
    Assert(usize, u32, Mover),
    /// Goes on only if the variable has this value.
    Assume(usize, u32, Mover),
    Acquire(usize, Mover),
    Release(usize),
}

use Instruction::{Acquire, Assert, Assume, Jump, Release, Set};

/// Variables, of which those that are mutexes hold who has them, and threads.
#[derive(Clone, Debug)]
pub struct Program {
    pub variables: usize,
    pub threads: Vec<Vec<Instruction>>,
}

impl Program {
    fn initial_state(&self) -> Vec<u32> {
        vec![0; self.variables + self.threads.len()]
    }

    fn place(&self, state: &[u32], thread: usize) -> u32 {
        state[self.variables + thread]
    }

    fn next(&self, state: &[u32], thread: usize) -> Option<&Instruction> {
        self.threads[thread].get(self.place(state, thread) as usize)
    }

    /// The targets of the steps of a thread.
    fn targets(&self, state: &[u32], thread: usize) -> Vec<Vec<u32>> {
        let at = self.variables + thread;
        let me = thread as u32 + 1;
        let go = |to: u32, set: Option<(usize, u32)>| {
            let mut target = state.to_vec();
            target[at] = to;
            if let Some((variable, value)) = set {
                target[variable] = value;
            }
            target
        };
        let next = state[at].wrapping_add(1);
        match self.next(state, thread) {
            None => vec![],
            Some(Jump(targets)) => targets.iter().map(|&to| go(to, None)).collect(),
            Some(&Set(variable, value, _)) => vec![go(next, Some((variable, value)))],
            Some(&Assert(variable, value, _)) if state[variable] != value => vec![go(WRONG, None)],
            Some(&Assume(variable, value, _)) if state[variable] != value => vec![],
            Some(Assert(..) | Assume(..)) => vec![go(next, None)],
            Some(&Acquire(mutex, _)) if state[mutex] != 0 => vec![],
            Some(&Acquire(mutex, _)) => vec![go(next, Some((mutex, me)))],
            Some(&Release(mutex)) => vec![go(next, Some((mutex, 0)))],
        }
    }

    fn mover(&self, state: &[u32], thread: usize) -> Mover {
        match self.next(state, thread) {
            None | Some(Jump(_)) => Mover::BOTH,
            Some(Set(_, _, mover) | Assert(_, _, mover) | Assume(_, _, mover)) => *mover,
            Some(Acquire(_, mover)) => *mover,
            Some(Release(_)) => Mover::LEFT,
        }
    }

    fn push(&self, state: &[u32], thread: usize, out: &mut Successors) {
        for target in self.targets(state, thread) {
            let wrong = self.place(&target, thread) == WRONG;
            let action = Action { process: thread as u32, transition: 0 };
            let fault = wrong.then_some(Fault(thread as u32));
            out.push_faulty(&target, ComponentMask::ALL, &[action], fault, false);
        }
    }
}

impl TransitionSystem for Program {
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, (): &mut (), out: &mut Successors) -> Result<(), ModelError> {
        out.push(&self.initial_state(), ComponentMask::ALL, &[]);
        Ok(())
    }

    fn successors(
        &self,
        (): &mut (),
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        (0..self.threads.len()).for_each(|thread| self.push(state, thread, out));
        Ok(())
    }

    fn end(&self, (): &mut (), _: &[u32]) -> End {
        End::Deadlock
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        ends.push(self.variables as u32);
        ends.extend(self.variables as u32 + 1..=state.len() as u32);
    }
}

impl Threads for Program {
    fn threads(&self, (): &mut (), _: &[u32]) -> u32 {
        self.threads.len() as u32
    }

    fn steps_of(
        &self,
        (): &mut (),
        state: &[u32],
        thread: u32,
        out: &mut Successors,
        movers: &mut Vec<Mover>,
    ) -> Result<Ahead, ModelError> {
        let thread = thread as usize;
        self.push(state, thread, out);
        let mover = self.mover(state, thread);
        movers.resize(out.len(), mover);
        Ok(Ahead { left: mover.left, ended: self.next(state, thread).is_none() })
    }
}

/// A state with a phase for each thread.
type Phased = (Vec<u32>, Vec<bool>);

/// What a search has to show: its states, and the threads that went wrong.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    pub states: usize,
    pub wrong: BTreeSet<u32>,
}

/// Searches that are known to be right, or known to be wrong, made as simple as they can be.
impl Program {
    fn steps(&self, (state, phases): &Phased, thread: usize) -> Vec<Phased> {
        let phase = self.mover(state, thread).phase(phases[thread]);
        let with_phase = |target| {
            let mut phases = phases.clone();
            phases[thread] = phase;
            (target, phases)
        };
        self.targets(state, thread).into_iter().map(with_phase).collect()
    }

    /// Whether a thread is inside of no transaction.
    fn outside(&self, (state, phases): &Phased, thread: usize) -> bool {
        let place = self.place(state, thread);
        if place == 0 || place == WRONG {
            return true;
        }
        let left = self.mover(state, thread).left && !self.targets(state, thread).is_empty();
        !phases[thread] && !left
    }

    fn found<'s>(&self, states: impl Iterator<Item = &'s Phased>) -> Found {
        let mut found = Found { states: 0, wrong: BTreeSet::new() };
        for (state, _) in states {
            found.states += 1;
            let wrong = |&thread: &usize| self.place(state, thread) == WRONG;
            found.wrong.extend((0..self.threads.len()).filter(wrong).map(|thread| thread as u32));
        }
        found
    }

    /// All states by all orders, or those where every other thread is outside of a transaction.
    pub fn reach(&self, reduced: bool) -> Found {
        let initial = (self.initial_state(), vec![false; self.threads.len()]);
        let mut seen = HashSet::from([initial.clone()]);
        let mut open = vec![initial];
        while let Some(state) = open.pop() {
            for thread in 0..self.threads.len() {
                let mut others = (0..self.threads.len()).filter(|&other| other != thread);
                if reduced && !others.all(|other| self.outside(&state, other)) {
                    continue;
                }
                for next in self.steps(&state, thread) {
                    if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
        }
        self.found(seen.iter())
    }

    /// The search that ends transactions where they go round in a circle or get stuck.
    pub fn cycles(&self) -> Found {
        struct Frame {
            state: Phased,
            thread: usize,
            tried: usize,
            taken: usize,
            end: bool,
        }
        let new = |state: &Phased, thread: usize| {
            // A thread that is gone, or wrong, has ended its transaction.
            let end = !state.1[thread] && self.next(&state.0, thread).is_none();
            Frame { state: state.clone(), thread, tried: 1, taken: 0, end }
        };
        let initial = (self.initial_state(), vec![false; self.threads.len()]);
        let mut table: HashMap<Phased, bool> = HashMap::from([(initial.clone(), true)]);
        let mut stack = vec![Frame { end: true, ..new(&initial, 0) }];
        while let Some(frame) = stack.last_mut() {
            let committed = !frame.state.1[frame.thread];
            let steps = self.steps(&frame.state, frame.thread);
            if let Some(next) = steps.get(frame.taken) {
                frame.taken += 1;
                frame.end |= committed && !self.mover(&frame.state.0, frame.thread).left;
                match table.get(next) {
                    Some(&on_stack) => frame.end |= committed && on_stack,
                    None => {
                        table.insert(next.clone(), true);
                        let thread = frame.thread;
                        stack.push(new(next, thread));
                    }
                }
                continue;
            }
            frame.end |= committed && steps.is_empty();
            if frame.end && frame.tried < self.threads.len() {
                frame.thread = (frame.thread + 1) % self.threads.len();
                frame.tried += 1;
                frame.taken = 0;
            } else {
                table.insert(frame.state.clone(), false);
                stack.pop();
            }
        }
        self.found(table.keys())
    }
}
