//! A system whose states are hard to compress.

use everypath_model::{
    Action, ComponentMask, End, Extent, Fault, ModelError, Successors, TransitionSystem,
};

/// States whose components have thousands of values each: far more than 64 bits, so that the store
/// has to rearrange itself again and again. Some are deadlocks, some steps have faults.
pub struct Scattered {
    pub states: u32,
    pub components: u32,
}

impl Scattered {
    fn vector(&self, n: u32) -> Vec<u32> {
        let piece =
            |i: u32| (n.wrapping_mul(2 * i + 1) ^ (n >> (i % 7))) % (self.states / (1 + i % 3));
        (0..self.components).map(|i| if i == 0 { n } else { piece(i) }).collect()
    }
}

impl TransitionSystem for Scattered {
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, (): &mut (), out: &mut Successors) -> Result<(), ModelError> {
        out.push(&self.vector(0), ComponentMask::ALL, &[]);
        Ok(())
    }

    fn successors(&self, (): &mut (), s: &[u32], out: &mut Successors) -> Result<(), ModelError> {
        let n = s[0];
        if n % 1000 == 999 {
            return Ok(());
        }
        for (process, next) in [2 * n + 1, 2 * n + 2, n / 3].into_iter().enumerate() {
            let action = Action { process: process as u32, transition: next % 100 };
            let fault = (next % 777 == 5).then_some(Fault(next % 7));
            if next < self.states {
                let target = self.vector(next);
                out.push_faulty(&target, ComponentMask::ALL, &[action], fault, false);
            }
        }
        Ok(())
    }

    /// The first step is enough, it says: nothing here is about the truth of that.
    fn reduced(
        &self,
        worker: &mut (),
        state: &[u32],
        attempt: u32,
        out: &mut Successors,
    ) -> Result<Extent, ModelError> {
        self.successors(worker, state, out)?;
        if attempt == 0 && state[0] % 5 == 1 && 2 * state[0] + 1 < self.states {
            out.clear();
            let next = 2 * state[0] + 1;
            let action = Action { process: 0, transition: next % 100 };
            out.push(&self.vector(next), ComponentMask::ALL, &[action]);
            return Ok(Extent::Part);
        }
        Ok(Extent::All)
    }

    fn end(&self, (): &mut (), _: &[u32]) -> End {
        End::Deadlock
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        ends.extend(1..=state.len() as u32);
    }
}
