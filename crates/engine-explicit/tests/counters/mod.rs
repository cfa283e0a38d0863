//! Systems whose numbers of states are known.

// Each test binary uses its own part of this.
#![allow(dead_code)]

use everypath_model::{
    Action, ComponentMask, End, ModelError, Parts, Successors, Touched, TransitionSystem,
};

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

/// Counters, the steps of each of which are a part.
pub struct Divided(pub Counters);

impl TransitionSystem for Divided {
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, (): &mut (), out: &mut Successors) -> Result<(), ModelError> {
        self.0.initial(&mut (), out)
    }

    fn successors(&self, (): &mut (), s: &[u32], out: &mut Successors) -> Result<(), ModelError> {
        self.0.successors(&mut (), s, out)
    }

    fn end(&self, (): &mut (), _: &[u32]) -> End {
        End::Deadlock
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        self.0.components(state, ends);
    }

    fn parts(&self) -> Option<Parts> {
        Some(Parts {
            components: (0..self.0.bases.len() as u32).collect(),
            in_order: false,
            shared: Touched { component: 0, words: 0..1 },
        })
    }

    fn touched(
        &self,
        (): &mut (),
        _: &[u32],
        part: usize,
        _: usize,
        touched: &mut Vec<Touched>,
    ) -> bool {
        touched.push(Touched { component: part as u32, words: 0..1 });
        true
    }

    fn part_steps(
        &self,
        (): &mut (),
        state: &[u32],
        part: usize,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let mut target = state.to_vec();
        target[part] = (state[part] + 1) % self.0.bases[part];
        let action = Action { process: part as u32, transition: part as u32 };
        out.push(&target, ComponentMask(1 << part), &[action]);
        Ok(())
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
