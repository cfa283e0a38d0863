//! Transition systems over packed state vectors, and the arena their successors are written to.

use std::fmt;
use std::ops::Range;

use crate::Brake;

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
/// 6. *Divided*: if there are [`parts`](Self::parts), the steps of a state that has any without
///    looking at the others are those of its parts, and the steps of a part are the same in all
///    states that agree in the words it touches: as many, with the same changes and the same faults.
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

    /// What ends steps of this system before they are done, if anything can.
    fn brake(&self) -> Option<&Brake> {
        None
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

    /// How steps are divided into parts that look at few components, such as those of each process.
    /// `None` if they are not.
    fn parts(&self) -> Option<Parts> {
        None
    }

    /// Appends which words the steps of a part of `state` may read or write; `false` if it could be
    /// any. The answer depends on the first `known` words of the component of the part only.
    fn touched(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        part: usize,
        known: usize,
        touched: &mut Vec<Touched>,
    ) -> bool {
        let _ = (worker, state, part, known, touched);
        false
    }

    /// Writes the steps of a part of `state`, which has this part. `out` is cleared by the caller.
    fn part_steps(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        part: usize,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let _ = part;
        self.successors(worker, state, out)
    }
}

/// What a system that changes only the steps of another leaves to it: the other is its `system`, and
/// the worker of the other the `inner` one of its own.
#[macro_export]
macro_rules! same_states {
    () => {
        fn end(&self, worker: &mut Self::Worker, state: &[u32]) -> $crate::End {
            self.system.end(&mut worker.inner, state)
        }

        fn invariant_count(&self) -> usize {
            self.system.invariant_count()
        }

        fn violated_invariant(
            &self,
            worker: &mut Self::Worker,
            state: &[u32],
            index: usize,
        ) -> Result<Option<$crate::Fault>, $crate::ModelError> {
            self.system.violated_invariant(&mut worker.inner, state, index)
        }

        fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
            self.system.components(state, ends);
        }

        fn carried(&self) -> usize {
            self.system.carried()
        }
    };
}

/// The parts that the steps of a system are divided into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// For each part its component. A state without words there does not have the part. A state of
    /// 64 components or more may have other parts, too.
    pub components: Vec<u32>,
    /// Whether [`TransitionSystem::successors`] has the steps of the last part first, then those of
    /// the part before, and so on, in any case; else where [`Successors::late`] is not set.
    pub in_order: bool,
    /// The words that many parts look at, each at few of them: all words of one component, which
    /// every state has.
    pub shared: Touched,
}

/// Words of a component, counted from its first one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Which component; there may be none of this number.
    pub component: u32,
    /// Which words; those behind the end of the component do not count.
    pub words: Range<u32>,
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
#[repr(C)]
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
#[repr(transparent)]
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
#[repr(C)]
pub struct Step {
    start: u32,
    end: u32,
    /// Its action, if there is exactly one; else the range of its actions, as two numbers.
    action: Action,
    /// Components that differ from the source; meaningless for initial states.
    pub changed: ComponentMask,
    /// The fault that happens in this step.
    pub fault: Option<Fault>,
    /// Whether the fault stops the run: then there is no target.
    pub fatal: bool,
    /// It does not have exactly one action.
    several: bool,
}

impl Step {
    /// Where in a step native code writes the first word and the end of its target, 32 bits each.
    pub const TARGET: usize = std::mem::offset_of!(Step, start);
    /// Where it writes the process and the transition of its action, 32 bits each.
    pub const ACTION: usize = std::mem::offset_of!(Step, action);
    /// Where it writes the components that changed, 64 bits.
    pub const CHANGED: usize = std::mem::offset_of!(Step, changed);

    /// A step of one action without a fault.
    const PLAIN: Step = Step {
        start: 0,
        end: 0,
        action: Action { process: 0, transition: 0 },
        changed: ComponentMask(0),
        fault: None,
        fatal: false,
        several: false,
    };
}

/// An arena of steps: targets end to end, a header each, and the actions they consist of.
#[derive(Debug, Default)]
pub struct Successors {
    /// Words from `used` on are room, with any values.
    words: Vec<u32>,
    used: usize,
    /// Steps from `count` on are room: without a fault, of one action.
    steps: Vec<Step>,
    count: usize,
    /// Some step has a fault or not exactly one action.
    special: bool,
    /// The actions of steps that have not exactly one.
    actions: Vec<Action>,
    /// Set when the system left something out (law 2 would otherwise be broken): an endless loop
    /// inside an indivisible sequence, for example. The verdict is then not a proof.
    pub incomplete: Option<Fault>,
    /// Set when some steps may come behind those of parts that they belong before.
    pub late: bool,
    /// Set when none of these steps has to be taken ever: the state may be the end of a run.
    pub stuck: bool,
}

/// Room behind the last step, to write steps in place. They count from [`Successors::take`] on.
#[derive(Debug)]
pub struct Room<'a> {
    /// For targets.
    pub words: &'a mut [u32],
    /// For headers: of one action and without a fault as long as only [`Step::TARGET`],
    /// [`Step::ACTION`] and [`Step::CHANGED`] are written.
    pub steps: &'a mut [Step],
    /// The position of the first of the words, as [`Step::TARGET`] counts them.
    pub first_word: usize,
}

impl Successors {
    /// An empty arena.
    pub fn new() -> Successors {
        Successors::default()
    }

    /// Forgets all steps and keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        if self.special {
            self.steps[..self.count].fill(Step::PLAIN);
            self.actions.clear();
            self.special = false;
        }
        self.used = 0;
        self.count = 0;
        self.incomplete = None;
        self.late = false;
        self.stuck = false;
    }

    /// Appends a step with its target.
    #[inline]
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
        let room = self.room(target.len(), 1);
        room.words[..target.len()].copy_from_slice(target);
        let start = self.used as u32;
        self.used += target.len();
        let (action, several) = match *actions {
            [action] => (action, false),
            _ => (self.keep_actions(actions), true),
        };
        self.steps[self.count] =
            Step { start, end: self.used as u32, action, changed, fault, fatal, several };
        self.count += 1;
        self.special |= several || fault.is_some();
    }

    /// Keeps actions; their range.
    fn keep_actions(&mut self, actions: &[Action]) -> Action {
        let first = self.actions.len() as u32;
        self.actions.extend_from_slice(actions);
        Action { process: first, transition: self.actions.len() as u32 }
    }

    /// Room for at least so many words and steps.
    #[inline]
    pub fn room(&mut self, words: usize, steps: usize) -> Room<'_> {
        if self.words.len() - self.used < words {
            self.words.resize((self.used + words).next_power_of_two(), 0);
        }
        if self.steps.len() - self.count < steps {
            self.steps.resize((self.count + steps).next_power_of_two(), Step::PLAIN);
        }
        Room {
            words: &mut self.words[self.used..],
            steps: &mut self.steps[self.count..],
            first_word: self.used,
        }
    }

    /// Takes the first words and steps of the room, which were written.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub fn take(&mut self, words: usize, steps: usize) {
        let fits = words <= self.words.len() - self.used && steps <= self.steps.len() - self.count;
        assert!(fits, "more was written than there was room for");
        self.used += words;
        self.count += steps;
    }

    /// Puts actions in front of those of the steps from number `from` on, and adds what they
    /// changed.
    pub fn precede(&mut self, from: usize, actions: &[Action], changed: ComponentMask) {
        if actions.is_empty() || from == self.count {
            return;
        }
        for step in &mut self.steps[from..self.count] {
            let first = self.actions.len() as u32;
            self.actions.extend_from_slice(actions);
            if step.several {
                let own = step.action.process as usize..step.action.transition as usize;
                self.actions.extend_from_within(own);
            } else {
                self.actions.push(step.action);
            }
            step.action = Action { process: first, transition: self.actions.len() as u32 };
            step.several = true;
            step.changed.0 |= changed.0;
        }
        self.special = true;
    }

    /// Changes the targets of the steps, and notes which components that changes as well.
    pub fn change_targets(&mut self, mut change: impl FnMut(&mut [u32], &mut ComponentMask)) {
        for step in self.steps[..self.count].iter_mut().filter(|step| !step.fatal) {
            let target = &mut self.words[step.start as usize..step.end as usize];
            change(target, &mut step.changed);
        }
    }

    /// The headers in order.
    #[inline]
    pub fn steps(&self) -> &[Step] {
        &self.steps[..self.count]
    }

    /// Number of actions of all steps together that do not have exactly one.
    pub fn action_count(&self) -> usize {
        self.actions.len()
    }

    /// Number of steps.
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no step.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether the state may be the end of a run: there is no step, or none that has to be taken.
    #[inline]
    pub fn may_end(&self) -> bool {
        self.is_empty() || self.stuck
    }

    /// The target vector of a step of this arena.
    #[inline]
    pub fn target(&self, step: &Step) -> &[u32] {
        &self.words[step.start as usize..step.end as usize]
    }

    /// The actions of a step of this arena.
    #[inline]
    pub fn actions<'a>(&'a self, step: &'a Step) -> &'a [Action] {
        if step.several {
            &self.actions[step.action.process as usize..step.action.transition as usize]
        } else {
            std::slice::from_ref(&step.action)
        }
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
