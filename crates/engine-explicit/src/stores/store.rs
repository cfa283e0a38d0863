//! What a search asks of the place where it keeps the states it has seen.
//!
//! A store is shared by all threads of a search; each has a worker of its own. A state passes
//! through three forms: a vector, as the system makes it; a [`Name`], computed before the memory
//! that it leads to is read; and a record of a few words, which the frontier keeps and from which
//! the vector can be made again.

use std::io;

use everypath_model::{ComponentMask, Successors, TransitionSystem};

use crate::outcome::{Coverage, Loss};
use crate::searches::record::Halt;
use crate::stores::table::Target;
use crate::stores::wire::{In, Out};

/// Why a state could not be stored. The store is as it was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// The ledger refused the memory.
    Memory,
    /// The store holds as many states as it may.
    States,
}

/// What a store says of a state that it is given.
///
/// A state is marked while it waits in the queue or on the stack of the search, which the cycle
/// provisos of partial-order reduction ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// It was not there. Now it is, with a mark if the store has marks.
    New,
    /// It was there, with a mark.
    Marked,
    /// It was there; the mark was taken away.
    Old,
    /// It was there; whether it is marked is not known, since the store has no marks.
    Known,
}

impl Seen {
    /// Whether the state certainly waits in the queue of a breadth-first search.
    #[inline]
    pub fn queued(self) -> bool {
        matches!(self, Seen::New | Seen::Marked)
    }

    /// Whether the state certainly is not on the stack of a depth-first search.
    #[inline]
    pub fn off_stack(self) -> bool {
        matches!(self, Seen::New | Seen::Old)
    }
}

/// A state on its way into a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// What identifies it.
    pub key: u64,
    /// Where it belongs.
    pub place: u64,
    /// The arrangement of the store for which both are valid.
    pub epoch: u32,
}

impl Name {
    /// Of no state.
    pub const NONE: Name = Name { key: 0, place: 0, epoch: u32::MAX };
}

/// The targets of the steps of several states, end to end.
#[derive(Debug, Default)]
pub(crate) struct Flat {
    pub targets: Vec<Target>,
    /// Where the targets of each state end.
    pub ends: Vec<u32>,
    /// Which of them were not there before, in order.
    pub new: Vec<u32>,
    /// Up to where all are stored.
    pub done: usize,
    /// The arrangement of the store that they are valid for.
    pub version: u32,
    pub epoch: u32,
}

impl Flat {
    /// Forgets all of them.
    #[inline]
    pub fn clear(&mut self) {
        self.targets.clear();
        self.ends.clear();
        self.new.clear();
        self.done = 0;
    }
}

/// Memory of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct StoreBytes {
    /// The table of states.
    pub table: u64,
    /// What the states consist of.
    pub arena: u64,
}

/// A set of states that threads share.
pub(crate) trait Store: Sync {
    /// What one thread needs to work with it.
    type Worker<'s>: StoreWorker
    where
        Self: 's;

    /// The worker of thread number `thread`.
    fn worker(&self, thread: usize) -> Self::Worker<'_>;

    /// Number of states.
    fn len(&self) -> u64;

    /// Refuses to hold more than `max` states.
    fn limit_states(&self, max: u64);

    /// Tells how many states there will probably be; 0 for no idea.
    fn expect(&self, total: u64) {
        let _ = total;
    }

    /// Memory in use.
    fn bytes(&self) -> StoreBytes;

    /// Visits all states, in no particular order. Nobody may be working with the store.
    fn for_each(&self, visit: &mut dyn FnMut(&[u32]));

    /// Writes everything down. Nobody may be working with the store.
    fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        let _ = out;
        Err(io::Error::new(io::ErrorKind::Unsupported, "this store has no checkpoints"))
    }

    /// Fills an empty store of the same kind with what was written down.
    fn restore(&mut self, input: &mut In<'_>) -> io::Result<()> {
        let _ = input;
        Err(io::Error::new(io::ErrorKind::Unsupported, "this store has no checkpoints"))
    }

    /// Whether states have keys of their own that no others have.
    fn has_keys(&self) -> bool {
        false
    }

    /// Whether the search has ended to begin anew in another way.
    fn begins_anew(&self) -> bool {
        false
    }

    /// What was lost; `None` for an exact store.
    fn loss(&self) -> Option<Loss> {
        None
    }
}

/// One thread's access to a store.
pub(crate) trait StoreWorker {
    /// Makes the state of the record that `records` begins with the open one, and says how many
    /// words the record has. `version` is what [`version`](Self::version) was when it was made.
    fn open(&mut self, version: u32, records: &[u32]) -> usize;

    /// The open state.
    fn state(&self) -> &[u32];

    /// Names the target of a step of the open state and asks for the memory it leads to. Without
    /// `changed` the target may come from anywhere.
    fn name(&mut self, target: &[u32], changed: Option<ComponentMask>) -> Result<Name, Full>;

    /// Stores a state and says what was known of it. The name may become another one.
    fn insert(&mut self, name: &mut Name, target: &[u32]) -> Result<Seen, Full>;

    /// Names the targets of the steps of the open state.
    fn name_all(&mut self, steps: &Successors, names: &mut Vec<Name>) -> Result<(), Full> {
        for step in steps.steps() {
            names.push(match step.fatal {
                true => Name::NONE,
                false => self.name(steps.target(step), Some(step.changed))?,
            });
        }
        Ok(())
    }

    /// Stores the targets of steps; `seen` is what was known of each, as far as it went. That of a
    /// step without target is [`Seen::Old`].
    fn insert_all(
        &mut self,
        steps: &Successors,
        names: &mut [Name],
        seen: &mut Vec<Seen>,
    ) -> Result<(), Full> {
        self.insert_each(steps, names, seen)
    }

    /// The same one by one, beginning with those that are not yet in `seen`.
    fn insert_each(
        &mut self,
        steps: &Successors,
        names: &mut [Name],
        seen: &mut Vec<Seen>,
    ) -> Result<(), Full> {
        for (step, name) in steps.steps().iter().zip(names).skip(seen.len()) {
            seen.push(match step.fatal {
                true => Seen::Old,
                false => self.insert(name, steps.target(step))?,
            });
        }
        Ok(())
    }

    /// Whether [`recall`](Self::recall) is of use now.
    fn recalls(&self) -> bool {
        false
    }

    /// Finds the targets of the steps of the states that `records` begins with, without asking the
    /// system for most of them, until it comes to a state of which it cannot do so or there are
    /// `enough` targets; says how many states it were. None of the steps has a fault, and each of
    /// the states has one. The actions of those that it asked for are added to the coverage.
    fn recall<S: TransitionSystem>(
        &mut self,
        system: &S,
        worker: &mut S::Worker,
        (version, records): (u32, &[u32]),
        enough: usize,
        flat: &mut Flat,
        coverage: &mut Coverage,
    ) -> Result<usize, Halt> {
        let _ = (system, worker, version, records, enough, flat, coverage);
        Ok(0)
    }

    /// Stores the targets from number `from` to `to`, and appends to [`Flat::new`] which of them are
    /// new, as far as it went. All before [`Flat::done`] are stored then, and maybe some behind it.
    fn insert_flat(&mut self, flat: &mut Flat, from: usize, to: usize) -> Result<(), Full> {
        let _ = (flat, from, to);
        Ok(())
    }

    /// Stores the targets from number `from` to `to` until one of them was new, or marked if that is to be
    /// told; without marks, known. Says which one comes next, and what the last one was if it ended there.
    fn insert_until(
        &mut self,
        flat: &mut Flat,
        from: usize,
        to: usize,
        tell_marked: bool,
    ) -> Result<(usize, Seen), Full> {
        let _ = (flat, from, tell_marked);
        Ok((to, Seen::Old))
    }

    /// The arrangement of the store, for which [`key_bits`](Self::key_bits) is valid.
    fn epoch(&self) -> u32 {
        0
    }

    /// The bits of keys that tell the words of a component, if the store knows states by keys.
    fn key_bits(&self, component: usize) -> Option<u64> {
        let _ = component;
        None
    }

    /// The key that the state of a record has now, if the store knows states by keys.
    fn key_of(&mut self, version: u32, record: &[u32]) -> Option<u64> {
        let _ = (version, record);
        None
    }

    /// Takes the marks from the states whose records lie in `records`, end to end.
    fn unmark(&mut self, version: u32, records: &[u32]);

    /// Whether a state is stored.
    fn contains(&mut self, target: &[u32]) -> Result<bool, Full>;

    /// Appends the record of a state that was just inserted.
    fn record(&self, name: Name, target: &[u32], records: &mut Vec<u32>);

    /// What the records made now have to be opened with.
    fn version(&self) -> u32;

    /// Number of states in the store, as far as this thread knows.
    fn stored(&self) -> u64;

    /// Lets go of the store: nothing but [`enter`](Self::enter) may follow.
    fn leave(&mut self);

    /// Takes hold of the store again; does nothing if it did not let go.
    fn enter(&mut self) -> Result<(), Full>;

    /// To be called between batches: lets the store grow, and others rearrange it.
    fn pause(&mut self) -> Result<(), Full>;

    /// The same; after it the store has counted everything.
    fn settle(&mut self) -> Result<(), Full> {
        self.pause()
    }
}
