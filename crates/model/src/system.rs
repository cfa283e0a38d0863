//! Transition systems over packed state vectors, and the arena their successors are written to.

use std::fmt;
use std::ops::Range;

/// A system that evolves in discrete steps between states that are vectors of words.
///
/// One call yields all steps of a state: the targets lie end to end in the caller's [`Successors`],
/// so that a step costs no allocation and an engine can hash and probe them in batches. Names,
/// places and values are the business of [`Describe`](crate::Describe).
///
/// # Laws
/// 1. *Repeatable*: equal states give equal steps in the same order, in every run and every worker.
/// 2. *Honest*: a fault of the modelled program is a step with [`Step::fault`]. `Err` means that the
///    model could not be evaluated; an engine never reads it as "no successors".
/// 3. *Closed*: every target is a state that `successors` accepts.
/// 4. *Split*: the components of a state tile its vector in order, and a step whose
///    [`Step::changed`] lacks component `i` left the words of component `i` as they were.
/// 5. *Carried*: two states that differ only in the first [`carried`](Self::carried) words are the
///    same state for a store.
pub trait TransitionSystem: Sync {
    /// Scratch memory of one thread.
    type Worker: Send;

    /// Fresh scratch memory.
    fn worker(&self) -> Self::Worker;

    /// Writes the initial states as steps without a source.
    fn initial(&self, worker: &mut Self::Worker, out: &mut Successors) -> Result<(), ModelError>;

    /// Writes all steps that `state` can take. `out` is cleared by the caller.
    fn successors(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError>;

    /// Writes some steps of `state` that are enough for a reduced search, in the order in which
    /// [`successors`](Self::successors) has them. `out` is cleared by the caller.
    ///
    /// A reduced search must not postpone a step for ever, which only the search can see: where its
    /// cycle proviso refuses what attempt 0 gave, it asks for attempt 1, and so on. Behind the last
    /// candidate everything is written and the answer is [`Extent::All`], as it is at once where
    /// nothing can be left out. A system that does not reduce always gives everything.
    ///
    /// Equal states give equal steps for equal attempts (law 1), so a step is found again by the
    /// number of steps before it in this attempt and all attempts before it: a search that counts
    /// on through refused attempts needs to log one number only.
    fn reduced(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        attempt: u32,
        out: &mut Successors,
    ) -> Result<Extent, ModelError> {
        let _ = attempt;
        self.successors(worker, state, out)?;
        Ok(Extent::All)
    }

    /// What it means that `state` has no step.
    fn end(&self, worker: &mut Self::Worker, state: &[u32]) -> End;

    /// Number of conditions that every state has to satisfy.
    fn invariant_count(&self) -> usize {
        0
    }

    /// The fault that stands for condition number `index`, if `state` does not satisfy it.
    fn violated_invariant(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        index: usize,
    ) -> Result<Option<Fault>, ModelError> {
        let _ = (worker, state, index);
        Ok(None)
    }

    /// Appends the end offset of each component of `state`, in order.
    fn components(&self, state: &[u32], ends: &mut Vec<u32>);

    /// How many words at the start of each vector are carried along without being compared.
    fn carried(&self) -> usize {
        0
    }
}

/// How much of the steps of a state was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of them.
    All,
    /// Some of them; there are others, or it is not known that there are none.
    Part,
}

/// What a state without steps is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every process ended or rests where it may.
    Valid,
    /// Some process waits for ever.
    Deadlock,
}

/// One statement of one process: the unit of a trace. A [`Step`] is one or several of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Action {
    /// Which process, by its current number.
    pub process: u32,
    /// Which transition; its meaning belongs to the system.
    pub transition: u32,
}

/// A fault of the modelled program. Equal values mean the same kind at the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fault(pub u32);

/// Which components of a vector a step may have changed; bit 63 stands for all from 63 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ComponentMask(pub u64);

impl ComponentMask {
    /// Everything, also the number of components.
    pub const ALL: ComponentMask = ComponentMask(u64::MAX);

    /// Adds one component.
    pub fn insert(&mut self, component: usize) {
        self.0 |= 1 << component.min(63);
    }

    /// Whether the component may have changed.
    pub fn contains(self, component: usize) -> bool {
        self.0 >> component.min(63) & 1 == 1
    }
}

/// Header of one step in [`Successors`].
#[derive(Clone, Copy, Debug)]
pub struct Step {
    start: u32,
    end: u32,
    first_action: u32,
    end_action: u32,
    /// Components that differ from the source; meaningless for initial states.
    pub changed: ComponentMask,
    /// The fault that happens in this step.
    pub fault: Option<Fault>,
    /// Whether the fault stops the run: then there is no target.
    pub fatal: bool,
}

/// An arena of steps: targets end to end, a header each, and the actions they consist of.
#[derive(Debug, Default)]
pub struct Successors {
    /// Words from `used` on are room, with any values.
    words: Vec<u32>,
    used: usize,
    actions: Vec<Action>,
    steps: Vec<Step>,
    /// Set when the system left something out (law 2 would otherwise be broken): an endless loop
    /// inside an indivisible sequence, for example. The verdict is then not a proof.
    pub incomplete: Option<Fault>,
}

impl Successors {
    /// An empty arena.
    pub fn new() -> Successors {
        Successors::default()
    }

    /// Forgets all steps and keeps the memory.
    pub fn clear(&mut self) {
        self.used = 0;
        self.actions.clear();
        self.steps.clear();
        self.incomplete = None;
    }

    /// Appends a step with its target.
    pub fn push(&mut self, target: &[u32], changed: ComponentMask, actions: &[Action]) {
        self.push_faulty(target, changed, actions, None, false);
    }

    /// Appends a step in which a fault happens; the target of a fatal one is where it happened.
    pub fn push_faulty(
        &mut self,
        target: &[u32],
        changed: ComponentMask,
        actions: &[Action],
        fault: Option<Fault>,
        fatal: bool,
    ) {
        let start = self.used;
        self.room(target.len())[..target.len()].copy_from_slice(target);
        self.used += target.len();
        self.push_written(start..self.used, changed, actions, fault, fatal);
    }

    /// At least so many words behind the last target, to write targets in place. What is written
    /// counts from [`Successors::take_room`] on.
    #[inline]
    pub fn room(&mut self, words: usize) -> &mut [u32] {
        let end = self.used + words;
        if self.words.len() < end {
            self.words.resize(end.next_power_of_two(), 0);
        }
        &mut self.words[self.used..]
    }

    /// Takes the first words of the room; their position, for [`Successors::push_written`].
    ///
    /// # Panics
    /// If there are not so many words.
    #[inline]
    pub fn take_room(&mut self, words: usize) -> usize {
        assert!(words <= self.words.len() - self.used, "more was written than there was room for");
        let start = self.used;
        self.used += words;
        start
    }

    /// Appends a step whose target was written in place. Steps may share a target.
    ///
    /// # Panics
    /// If the target does not lie in what was taken.
    #[inline]
    pub fn push_written(
        &mut self,
        target: Range<usize>,
        changed: ComponentMask,
        actions: &[Action],
        fault: Option<Fault>,
        fatal: bool,
    ) {
        assert!(target.start <= target.end && target.end <= self.used, "the target was written");
        let first_action = self.actions.len() as u32;
        self.actions.extend_from_slice(actions);
        self.steps.push(Step {
            start: target.start as u32,
            end: target.end as u32,
            first_action,
            end_action: self.actions.len() as u32,
            changed,
            fault,
            fatal,
        });
    }

    /// Words taken from the room so far.
    pub fn written(&self, range: Range<usize>) -> &[u32] {
        &self.words[..self.used][range]
    }

    /// The headers in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Number of actions of all steps together.
    pub fn action_count(&self) -> usize {
        self.actions.len()
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The target vector of a step of this arena.
    pub fn target(&self, step: &Step) -> &[u32] {
        &self.words[step.start as usize..step.end as usize]
    }

    /// The actions of a step of this arena.
    pub fn actions(&self, step: &Step) -> &[Action] {
        &self.actions[step.first_action as usize..step.end_action as usize]
    }
}

/// The model could not be evaluated: a limit of the tool, not a fault of the modelled program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError(pub String);

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ModelError {}
