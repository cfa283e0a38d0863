//! Systems of threads whose steps tell what they touch, so that an engine knows which of them can change places.

use crate::system::{Action, Fault, ModelError, TransitionSystem};

/// What a step does to something that threads share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    /// Looks at it; of a lock: sees that somebody else has it.
    Read,
    /// Changes it in a way that does not depend on the order of such changes.
    Add,
    /// Changes it; of a lock: takes it in a step that could have been made without it, too.
    Write,
    /// Takes a lock with which the step begins, so that it has to wait for it; maybe it is given back, too.
    Acquire,
    /// Gives back a lock that was taken by an earlier step.
    Release,
}

impl Access {
    /// Whether two steps that access the same thing like this cannot change places.
    pub fn conflicts(self, other: Access) -> bool {
        self != other || !matches!(self, Access::Read | Access::Add)
    }

    /// What a step does that does both.
    pub fn and(self, other: Access) -> Access {
        match (self, other) {
            (Access::Acquire, _) | (_, Access::Acquire) => Access::Acquire,
            _ if self == other => self,
            _ => Access::Write,
        }
    }
}

/// One thing that a step touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Touch {
    /// What: a number that stays the same along a run. [`Touch::WORLD`] is what every step of every thread reads,
    /// without saying so.
    pub resource: u64,
    /// What is done to it.
    pub access: Access,
}

impl Touch {
    /// What every step reads: a step that writes it cannot change places with any step of another thread.
    pub const WORLD: u64 = 0;

    /// Brings what a step touches in order, each thing once.
    pub fn tidy(touches: &mut Vec<Touch>) {
        touches.sort_unstable();
        touches.dedup_by(|next, kept| {
            let same = next.resource == kept.resource;
            if same {
                kept.access = kept.access.and(next.access);
            }
            same
        });
    }

    /// Whether two steps of different threads cannot change places. Both lists are [tidy](Touch::tidy).
    pub fn conflict(left: &[Touch], right: &[Touch]) -> bool {
        let world =
            |list: &[Touch]| list.first().is_some_and(|touch| touch.resource == Touch::WORLD);
        if world(left) || world(right) {
            return true;
        }
        let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            match a.resource.cmp(&b.resource) {
                std::cmp::Ordering::Less => {
                    left.next();
                }
                std::cmp::Ordering::Greater => {
                    right.next();
                }
                std::cmp::Ordering::Equal if a.access.conflicts(b.access) => return true,
                std::cmp::Ordering::Equal => {
                    left.next();
                    right.next();
                }
            }
        }
        false
    }
}

/// What the threads of a point can do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// The threads that can move, by their numbers in the run, and how many alternatives each has.
    pub moves: Vec<(u32, u32)>,
    /// Nobody else may come in between: what these do belongs to the step before.
    pub exclusive: bool,
    /// Threads that wait.
    pub blocked: Vec<u32>,
    /// Nobody can move although somebody should.
    pub deadlock: bool,
}

impl Turn {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.blocked.clear();
        self.exclusive = false;
        self.deadlock = false;
    }
}

/// A step that was executed.
#[derive(Clone, Debug)]
pub struct Executed {
    /// Where it leads; nothing if [`cut`](Executed::cut).
    pub point: Vec<u32>,
    /// What it touched, [tidy](Touch::tidy).
    pub touches: Vec<Touch>,
    /// What it is as a step of the system.
    pub action: Action,
    /// What went wrong in it, and whether it is a step of its own of the system, which leads nowhere.
    pub faults: Vec<(Fault, bool)>,
    /// Threads that wait for each other for ever since this step, whatever others do. If others can go on, that is
    /// one of the faults.
    pub circle: Vec<u32>,
    /// The run does not count from here on.
    pub cut: bool,
    /// It ends the run of threads that could still move.
    pub ends_others: bool,
    /// Something was left out.
    pub incomplete: Option<Fault>,
}

impl Default for Executed {
    fn default() -> Executed {
        Executed {
            point: Vec::new(),
            touches: Vec::new(),
            action: Action { process: 0, transition: 0 },
            faults: Vec::new(),
            circle: Vec::new(),
            cut: false,
            ends_others: false,
            incomplete: None,
        }
    }
}

impl Executed {
    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.point.clear();
        self.touches.clear();
        self.faults.clear();
        self.circle.clear();
        self.cut = false;
        self.ends_others = false;
        self.incomplete = None;
    }
}

/// A system of threads that is searched run by run.
///
/// A *point* is a state with what has to be known of the run to it, so that threads and things keep their
/// numbers along the run.
///
/// # Laws
/// 1. *Independent*: where two threads can move and what their steps touch does not conflict, neither prevents
///    the other, and both orders lead to the same state, touch the same and have the same faults.
/// 2. *Waiting*: who cannot move can do so only after a step that conflicts with [`pending`](Self::pending).
/// 3. *Same steps*: a step is one of [`successors`](TransitionSystem::successors), with the same action.
pub trait Conflicts: TransitionSystem {
    /// Writes the point of the initial state.
    fn first_point(&self, worker: &mut Self::Worker, out: &mut Vec<u32>) -> Result<(), ModelError>;

    /// The state of a point.
    fn state_of<'a>(&self, point: &'a [u32]) -> &'a [u32];

    /// Writes who can move.
    fn turn(
        &self,
        worker: &mut Self::Worker,
        point: &[u32],
        out: &mut Turn,
    ) -> Result<(), ModelError>;

    /// Executes a step of a thread that can move.
    fn execute(
        &self,
        worker: &mut Self::Worker,
        point: &[u32],
        thread: u32,
        alternative: u32,
        out: &mut Executed,
    ) -> Result<(), ModelError>;

    /// Appends what the next step of a thread that waits will touch for sure.
    fn pending(&self, worker: &mut Self::Worker, point: &[u32], thread: u32, out: &mut Vec<Touch>);

    /// Whether the next step of a thread is an access that may race with one of another thread.
    fn may_race(&self, worker: &mut Self::Worker, point: &[u32], thread: u32) -> bool;

    /// Appends the races of threads that stand before their accesses. Those that can follow each other are told by
    /// [`successors`](TransitionSystem::successors), too, as faults of steps that lead nowhere.
    fn races(&self, worker: &mut Self::Worker, point: &[u32], out: &mut Vec<Fault>);
}
