//! Systems of threads of which is known which of their steps move past those of others.

use crate::system::{ModelError, Successors, TransitionSystem};

/// How a step of a thread gets along with the steps of all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mover {
    /// What another thread does right after it could as well be done right before it.
    pub right: bool,
    /// It could as well be taken right before what another thread did, and is never prevented by it.
    pub left: bool,
}

impl Mover {
    /// Such as taking a lock.
    pub const RIGHT: Mover = Mover { right: true, left: false };
    /// Such as giving one back.
    pub const LEFT: Mover = Mover { right: false, left: true };
    /// Nobody else can tell.
    pub const BOTH: Mover = Mover { right: true, left: true };
    /// Others may see it, or be seen by it.
    pub const NONE: Mover = Mover { right: false, left: false };

    /// Whether a thread is in front of its commit after the step, given whether it was before.
    pub fn phase(self, before: bool) -> bool {
        self.right && (before || !self.left)
    }
}

/// What lies ahead of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// Whatever it does next is a left mover, also what it cannot do now.
    pub left: bool,
    /// It never moves again.
    pub ended: bool,
}

/// A system of threads.
pub trait Threads: TransitionSystem {
    /// How many threads a state has.
    fn threads(&self, worker: &mut Self::Worker, state: &[u32]) -> u32;

    /// Writes the steps of a thread, in any order, and of each what kind it is. Together the steps of
    /// all threads are those of the state. Both lists are cleared by the caller.
    fn steps_of(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        thread: u32,
        out: &mut Successors,
        movers: &mut Vec<Mover>,
    ) -> Result<Ahead, ModelError>;
}
