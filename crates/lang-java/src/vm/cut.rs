//! Long stretches of a thread. A thread that goes on and on without coming to anything that others could notice is
//! stopped in between now and then, so that a search can leave it, go back to it and notice that it has been there
//! before. Where it stops follows from the state with which it began and from nothing else: replays and stores
//! agree about it. The place is the head of the outermost loop that it goes round, if there is one, so that a loop that
//! changes nothing comes back to just the same state.
//!
//! Nobody comes in between for the first [`ALONE`] times: what the thread does there concerns nobody else. Then all
//! others get their turn, or they would wait for a loop without end. A thread that is seen to come back to where it was,
//! with everything as it was, [spins](Status::Spin): that is one state with a step to itself.

use super::threads::header;
use super::{Failure, Run, Status, Trap, Worker};
use crate::heap::MOST_OBJECTS;

/// Instructions between two looks at what a transition has used, as a mask.
pub(super) const INTERVAL: u64 = 0xfff;

/// Instructions after which a thread stops, and after which it does when it was stopped often already.
const STRETCH: u64 = 1 << 18;
const LONG_STRETCH: u64 = 1 << 20;

/// How often a thread is stopped before others may come in between.
pub(super) const ALONE: u32 = 32;

/// Instructions in which the outermost loop is looked for, and after which it is no longer waited for.
const WINDOW: u64 = 1 << 16;

/// Making a state takes time and memory: so many instructions pay for a word that was written and for an object of
/// the state.
const PER_WORD: u64 = 8;
const PER_OBJECT: u64 = 16;

/// Words of new objects that a transition may have, most of which may be garbage.
const FIRST: usize = 1 << 23;

/// With fewer objects a state is too small to make a difference to that.
pub(super) const LARGE: usize = (STRETCH / PER_OBJECT) as usize;

const _: () = assert!(8 * LARGE <= FIRST);

/// A place between two instructions: how many frames there are, and the instruction of the uppermost one.
type Spot = (usize, u32);

/// What is looked for before a stop in the middle of a stretch.
pub(crate) struct Cut {
    /// Instructions left where this part of it ends.
    until: u64,
    /// The place before the last instruction.
    before: Spot,
    /// The outermost place that was jumped back to.
    head: Option<Spot>,
    /// The outermost one is known.
    waits: bool,
    /// What there was when the thread came to the head.
    seen: Option<Seen>,
    /// The thread is at the head again, and everything is as it was.
    spins: bool,
}

/// All that a thread which writes nothing can change.
#[derive(PartialEq, Eq)]
struct Seen {
    frames: Vec<(u32, u32)>,
    stack: Vec<u32>,
    writes: u64,
    made: usize,
    printed: u32,
    read: u32,
    clock: u32,
}

impl Worker {
    /// Looks at what the transition has used; the thread stands between two instructions.
    #[cold]
    pub(super) fn take_stock(&mut self) -> Run<()> {
        self.poll()?;
        self.account();
        if self.cut.is_some() || self.for_base || self.observes || self.alternative != u32::MAX {
            return Ok(());
        }
        let objects = self.heap.journal.loaded.objects;
        let new = self.heap.objects.len() - objects;
        let (made, used) = (self.heap.made, self.heap.used());
        let full = made > FIRST.max(8 * objects).max(used - made) || new > MOST_OBJECTS / 2;
        let done = self.limit - self.budget;
        let long = match self.cuts >= ALONE {
            true => LONG_STRETCH,
            false => STRETCH,
        };
        let pays = done >= PER_WORD * used as u64 && done >= PER_OBJECT * objects as u64;
        if full {
            self.look_for_cut(None, 0);
            Err(Trap::Cut)
        } else if done >= long && pays {
            self.look_for_cut(None, WINDOW);
            Err(Trap::Cut)
        } else {
            Ok(())
        }
    }

    /// Begins a transition: `cuts` tells how often the thread was stopped in the middle of this stretch.
    pub(super) fn begin_stretch(&mut self, cuts: u32) {
        self.cuts = cuts;
        self.cut = None;
    }

    /// The thread stands at the head of a loop that it went round before.
    pub(super) fn go_round(&mut self) {
        self.look_for_cut(Some(self.spot()), WINDOW);
    }

    /// Sees whether somebody ends the step.
    #[inline]
    pub fn poll(&self) -> Run<()> {
        match self.vm.brake.pulled() {
            Some(why) => Err(Trap::Fail(Failure::Ended(why))),
            None => Ok(()),
        }
    }

    /// The same now and then, on the way through many things.
    #[inline]
    pub fn poll_at(&self, number: usize) -> Run<()> {
        if number & 0xfff == 0 { self.poll() } else { Ok(()) }
    }

    fn spot(&self) -> Spot {
        (self.frames.len(), self.top.pc)
    }

    fn look_for_cut(&mut self, head: Option<Spot>, instructions: u64) {
        let seen = head.is_some().then(|| self.all_seen());
        self.cut = Some(Box::new(Cut {
            until: self.budget.saturating_sub(instructions),
            // Nothing comes behind this.
            before: (usize::MAX, 0),
            head,
            waits: head.is_some(),
            seen,
            spins: false,
        }));
    }

    fn all_seen(&self) -> Seen {
        let frames = self.frames.iter().chain(std::iter::once(&self.top));
        Seen {
            frames: frames.map(|frame| (frame.method.id, frame.pc)).collect(),
            stack: self.stack[..self.top.sp].to_vec(),
            writes: self.heap.writes,
            made: self.heap.made,
            printed: self.printed,
            read: self.read,
            clock: self.clock,
        }
    }

    /// Whether the thread is to be stopped here, between two instructions.
    fn cuts_here(&mut self) -> bool {
        let Some(mut cut) = self.cut.take() else { return false };
        let here = self.spot();
        let back = here.0 == cut.before.0 && here.1 <= cut.before.1;
        cut.before = here;
        let over = self.budget <= cut.until;
        let stops = if !cut.waits {
            if back && cut.head.is_none_or(|head| here < head) {
                cut.head = Some(here);
            }
            if over && cut.head.is_some() {
                cut.waits = true;
                cut.until = self.budget.saturating_sub(WINDOW);
            }
            over && !cut.waits
        } else if back && cut.head == Some(here) {
            let now = self.all_seen();
            match &cut.seen {
                None => {
                    cut.seen = Some(now);
                    false
                }
                Some(seen) => {
                    cut.spins = *seen == now;
                    cut.spins || seen.writes != now.writes || over
                }
            }
        } else {
            // A loop that is left, or one that takes long.
            over && (cut.seen.is_none() || self.budget + WINDOW <= cut.until)
        };
        self.cut = Some(cut);
        stops
    }

    /// Stops the thread where it is, if it is to be stopped there.
    pub(crate) fn cut_off(&mut self) -> Option<Trap> {
        if !self.cuts_here() {
            return None;
        }
        let spins = self.cut.take().is_some_and(|cut| cut.spins);
        if spins {
            self.set_status(Status::Spin, 0);
        } else {
            self.set_status(Status::Cut, 0);
            self.set_thread(self.current, header::COUNT, ALONE.min(self.cuts + 1));
        }
        Some(Trap::Pause)
    }

    /// Executes until the thread is stopped in the middle of its stretch, or stops by itself.
    pub(super) fn run_to_cut(&mut self) -> Trap {
        loop {
            if let Some(trap) = self.cut_off() {
                return trap;
            }
            match self.one_instruction() {
                Trap::Spent | Trap::Cut => {}
                Trap::Throw(exception) => {
                    if let Err(trap) = self.unwind(exception) {
                        return trap;
                    }
                }
                trap => return trap,
            }
        }
    }

    /// Whether a thread was stopped in the middle of a stretch, and others are to let it go on.
    pub fn goes_on_alone(&self, thread: usize) -> bool {
        self.status(thread) == Status::Cut && self.thread(thread, header::COUNT) < ALONE
    }
}
