//! Walking through a system one statement at a time.

use crate::{Action, Describe, Fault, MicroStep, ModelError};

/// A point between two statements of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The state.
    pub state: Vec<u32>,
    /// The process that alone may move as long as it can: it is inside an indivisible sequence.
    pub holder: Option<u32>,
}

/// A move that is possible at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The statements: one, or both halves of a rendezvous.
    pub actions: Vec<Action>,
    /// The faults that happen in it.
    pub faults: Vec<Fault>,
    /// Whether a fault ends the run here.
    pub fatal: bool,
}

/// What became of a choice.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The statements with their effects, as many as the choice has actions.
    pub steps: Vec<MicroStep>,
    /// The moment after them; `None` if a fault ended the run.
    pub next: Option<Moment>,
}

/// A system through which a person, a schedule or chance can walk.
///
/// # Laws
/// 1. *Repeatable*: equal moments give equal choices in the same order. Choices that are not fatal
///    come first: [`MicroStep::choice`] counts those alone, so a trace is a schedule.
/// 2. *Complete*: the states where [`Moment::holder`] is `None` or cannot move are those that
///    [`TransitionSystem::successors`](crate::TransitionSystem::successors) reaches.
pub trait Simulate: Describe {
    /// The moments at which runs begin.
    fn beginnings(&self) -> Result<Vec<Moment>, ModelError>;

    /// The moves that are possible; none at the end of a run.
    fn choices(&self, at: &Moment) -> Result<Vec<Choice>, ModelError>;

    /// Makes a move that [`Simulate::choices`] gave at this moment.
    fn take(&self, at: &Moment, choice: &Choice) -> Result<Taken, ModelError>;
}
