//! Runs that begin alike share their beginnings.

use std::sync::Arc;

/// A run: one that was there before, and some steps.
#[derive(Debug)]
pub(super) struct Prefix {
    before: Option<Arc<Prefix>>,
    steps: Box<[u32]>,
    len: u64,
}

impl Prefix {
    /// One step.
    pub fn new(step: u32) -> Arc<Prefix> {
        Arc::new(Prefix { before: None, steps: [step].into(), len: 1 })
    }

    /// The run that goes on with these steps.
    pub fn with(self: &Arc<Prefix>, steps: Box<[u32]>) -> Arc<Prefix> {
        let len = self.len + steps.len() as u64;
        Arc::new(Prefix { before: Some(self.clone()), steps, len })
    }

    /// Number of steps.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// All steps.
    pub fn steps(&self) -> Vec<u32> {
        let mut parts = Vec::new();
        let mut at = Some(self);
        while let Some(prefix) = at {
            parts.push(&prefix.steps);
            at = prefix.before.as_deref();
        }
        parts.into_iter().rev().flatten().copied().collect()
    }
}

/// One after the other: there may be more of them than calls can be nested.
impl Drop for Prefix {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut prefix) = next.and_then(Arc::into_inner) {
            next = prefix.before.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_of_many_parts() {
        let mut run = Prefix::new(7);
        for step in 0..200_000 {
            run = run.with([step, step].into());
        }
        assert_eq!(run.len(), 400_001);
        let steps = run.steps();
        assert_eq!((steps.len(), &steps[..4]), (400_001, &[7, 0, 0, 1][..]));
        let other = run.with([].into());
        drop(run);
        assert_eq!(other.steps(), steps);
    }
}
