//! Monitors and wait sets. A monitor is one word of its object: the owner and how often it entered.
//! Who waits is told by the threads alone.

use everypath_model::Access;

use super::{Run, Status, Thing, Trap, Worker, header};
use crate::heap::MONITOR;

/// The owner, as the number of its thread plus one, is in the low bits.
const OWNER: u32 = 0xff;
const ONCE: u32 = 0x100;

impl Worker {
    /// The thread that has entered the monitor of an object.
    pub fn owner(&self, object: u32) -> Option<usize> {
        ((self.get(object, MONITOR) & OWNER) as usize).checked_sub(1)
    }

    /// Enters the monitor of an object, or stops before that.
    pub fn enter(&mut self, object: u32) -> Run<()> {
        if object == 0 {
            return Err(self.null_pointer());
        }
        let word = self.get(object, MONITOR);
        match self.owner(object) {
            Some(owner) if owner == self.current => {
                self.set(object, MONITOR, word + ONCE);
                return Ok(());
            }
            Some(_) => {
                let begins = self.goes_on();
                self.shows()?;
                if begins {
                    self.note_touch(Thing::Monitor(object), Access::Read);
                }
                self.set_status(Status::Enter, object);
                return Err(Trap::Pause);
            }
            None => {}
        }
        if !self.alone && self.is_shared(object) {
            if !self.goes_on() {
                // Who waits for a lock is told from who is about to take it.
                if !self.vm.rules.somebody_looks() {
                    self.set_status(Status::Enter, object);
                }
                return Err(Trap::Pause);
            }
            self.fresh = false;
        }
        self.set(object, MONITOR, word | ONCE | (self.current as u32 + 1));
        self.touch_entered(object);
        self.note_taken(object, true);
        Ok(())
    }

    /// Leaves the monitor of an object. Others cannot do anything that this would prevent, so it needs
    /// no step of its own.
    pub fn exit_monitor(&mut self, object: u32) -> Run<()> {
        if object == 0 {
            return Err(self.null_pointer());
        }
        if self.owner(object) != Some(self.current) {
            return Err(self.not_owner());
        }
        let word = self.get(object, MONITOR) - ONCE;
        self.set(object, MONITOR, if word < ONCE { 0 } else { word });
        if word < ONCE {
            self.note_touch(Thing::Monitor(object), Access::Release);
            self.note_taken(object, false);
        }
        Ok(())
    }

    #[inline]
    fn note_taken(&mut self, object: u32, taken: bool) {
        if self.notes {
            self.note_monitor(object, taken);
        }
    }

    fn not_owner(&mut self) -> Trap {
        let class = "java/lang/IllegalMonitorStateException";
        self.throw(class, Some("current thread is not owner"))
    }

    /// `Object.wait`: leaves the monitor and waits; what follows is done by [`Self::wake`].
    pub fn wait_on(&mut self, object: u32, timed: bool) -> Run<()> {
        if self.owner(object) != Some(self.current) {
            return Err(self.not_owner());
        }
        self.shows()?;
        self.note_waits();
        self.touch_interrupt(self.current, false);
        if self.is_interrupted(self.current)? {
            self.clear_interrupt()?;
            return Err(self.throw("java/lang/InterruptedException", None));
        }
        let depth = self.get(object, MONITOR) / ONCE;
        self.set(object, MONITOR, 0);
        self.note_touch(Thing::Monitor(object), Access::Release);
        self.note_touch(Thing::Waiters(object), Access::Write);
        self.note_taken(object, false);
        self.set_status(if timed { Status::TimedWait } else { Status::Wait }, object);
        self.set_thread(self.current, header::COUNT, depth);
        Err(Trap::Pause)
    }

    /// What becomes of the current thread, which waits to be notified, if it leaves the wait set and does not
    /// have the monitor at once.
    pub(super) fn leaves_waiting(&self, status: Status) -> Run<Option<Status>> {
        if !matches!(status, Status::Wait | Status::TimedWait) {
            return Ok(None);
        }
        let looks = self.vm.rules.somebody_looks();
        let taken = self.owner(self.thread(self.current, header::TARGET)).is_some();
        Ok(match self.is_interrupted(self.current)? {
            true => (taken || !looks).then_some(Status::Interrupted),
            false => (taken && looks).then_some(Status::Late),
        })
    }

    /// Ends a wait: the monitor is free.
    pub fn wake(&mut self, status: Status) -> Run<()> {
        let object = self.thread(self.current, header::TARGET);
        let depth = self.thread(self.current, header::COUNT);
        self.set_thread(self.current, header::COUNT, 0);
        self.set_status(Status::Ready, 0);
        self.set(object, MONITOR, (depth * ONCE) | (self.current as u32 + 1));
        self.note_touch(Thing::Monitor(object), Access::Acquire);
        self.note_touch(Thing::Waiters(object), Access::Write);
        self.touch_interrupt(self.current, false);
        self.note_taken(object, true);
        if status != Status::Notified && self.is_interrupted(self.current)? {
            self.clear_interrupt()?;
            return Err(self.throw("java/lang/InterruptedException", None));
        }
        if matches!(status, Status::TimedWait | Status::Late) {
            // The last argument of `wait` is the time in milliseconds.
            let time = u64::from(self.peek(2)) | u64::from(self.peek(1)) << 32;
            let nanoseconds = time.saturating_mul(1_000_000);
            self.ran_out = Some((nanoseconds, "Object.wait"));
            self.pass_in_vain(nanoseconds)?;
        }
        Ok(())
    }

    /// `Object.notify` and `notifyAll`.
    pub fn notify(&mut self, object: u32, all: bool) -> Run<()> {
        if self.owner(object) != Some(self.current) {
            return Err(self.not_owner());
        }
        if !self.chooses() {
            self.shows()?;
        }
        self.note_touch(Thing::Waiters(object), Access::Write);
        let waiting: Vec<usize> = (0..self.threads.len())
            .filter(|&thread| {
                matches!(self.status(thread), Status::Wait | Status::TimedWait)
                    && self.thread(thread, header::TARGET) == object
            })
            .collect();
        if waiting.is_empty() {
            self.unheard.push(object);
        }
        if all {
            waiting.iter().for_each(|&thread| self.set_status_of(thread, Status::Notified, object));
        } else if !waiting.is_empty() {
            let chosen = self.choose(waiting.len() as u32)? as usize;
            self.set_status_of(waiting[chosen], Status::Notified, object);
            if waiting.len() > 1 {
                self.halfheard.push(object);
            }
        }
        Ok(())
    }
}
