//! Systems whose numbers of states are known.

// Each test binary uses its own part of this.
#![allow(dead_code)]

use everypath_model::{Action, ComponentMask, End, ModelError, Successors, TransitionSystem};

/// Counters that go round, each in a word of its own.
pub struct Counters {
    pub bases: Vec<u32>,
}

impl Counters {
    pub fn states(&self) -> u64 {
        self.bases.iter().map(|&base| u64::from(base)).product()
    }
}

impl TransitionSystem for Counters {
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, (): &mut (), out: &mut Successors) -> Result<(), ModelError> {
        out.push(&vec![0; self.bases.len()], ComponentMask::ALL, &[]);
        Ok(())
    }

    fn successors(
        &self,
        (): &mut (),
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let mut target = state.to_vec();
        for (i, &base) in self.bases.iter().enumerate() {
            target[i] = (state[i] + 1) % base;
            let action = Action { process: i as u32, transition: i as u32 };
            out.push(&target, ComponentMask(1 << i), &[action]);
            target[i] = state[i];
        }
        Ok(())
    }

    fn end(&self, (): &mut (), _: &[u32]) -> End {
        End::Deadlock
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        ends.extend(1..=state.len() as u32);
    }
}

/// A state for each length, in a row; the first word is the number of the state, the others are 7.
pub struct Lengths {
    pub lengths: Vec<usize>,
}

impl Lengths {
    fn vector(&self, number: usize) -> Vec<u32> {
        let mut vector = vec![7; self.lengths[number] + 1];
        vector[0] = number as u32;
        vector
    }
}

impl TransitionSystem for Lengths {
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, (): &mut (), out: &mut Successors) -> Result<(), ModelError> {
        out.push(&self.vector(0), ComponentMask::ALL, &[]);
        Ok(())
    }

    fn successors(
        &self,
        (): &mut (),
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let number = state[0] as usize;
        assert_eq!(state, self.vector(number));
        for target in [number / 2, (number + 1) % self.lengths.len()] {
            out.push(&self.vector(target), ComponentMask::ALL, &[]);
        }
        Ok(())
    }

    fn end(&self, (): &mut (), _: &[u32]) -> End {
        End::Deadlock
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        ends.extend([1, state.len() as u32]);
    }
}
