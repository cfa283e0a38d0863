//! The clock that programs read. It is no part of the state before the program reads it for the first time: who only
//! waits for some time, again and again, comes back to the same state. From then on whoever waits in vain, or
//! sleeps, lets just as much time pass for all; and a thread that reads the clock again and again without that sees it
//! move a little, so that a loop which waits for a moment ends.
//!
//! What the library reads while it waits is its own affair: that time passes for the thread alone, and it is forgotten when
//! the call returns to the program (`header::PASSED`).

use std::sync::atomic::{AtomicU32, Ordering};

use everypath_model::Access;

use super::threads::header;
use super::{Failure, Run, Thing, Trap, Worker};
use crate::link::Method;

/// How often a thread reads the clock before it moves.
const READINGS: u32 = 3;

/// How many waits in vain move it before somebody reads it again. A loop of waits that nobody measures comes back to the
/// same state after that.
const IN_VAIN: u32 = 100;

const MILLISECOND: u64 = 1_000_000;

/// Where it stops: what programs add to that is still a number.
const END: u64 = 1 << 60;

/// Classes of the library that read the clock for who calls them.
const READERS: [&str; 4] =
    ["java/time/", "java/util/Date", "java/util/Calendar", "java/util/GregorianCalendar"];

/// What the program does with time. That the order of readings and of time that passes does not matter is assumed as long
/// as nobody does both.
#[derive(Default)]
pub(crate) struct Uses(AtomicU32);

const READS: u32 = 1;
const PASSES: u32 = 2;
const BOTH: u32 = READS | PASSES;
/// It is known that both happen.
const ADOPTED: u32 = 4;

impl Uses {
    /// Takes up what was found out; whether there was anything.
    pub fn adopt(&self) -> bool {
        self.0.compare_exchange(BOTH, BOTH | ADOPTED, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    fn note(&self, what: u32) -> Run<()> {
        let before = self.0.fetch_or(what, Ordering::Relaxed);
        if before & ADOPTED == 0 && before | what == BOTH {
            let text = "that the order of reading the clock and waiting does not matter is wrong";
            return Err(Trap::Fail(Failure::Assumption(text.to_owned())));
        }
        Ok(())
    }

    fn matters(&self) -> bool {
        self.0.load(Ordering::Relaxed) & ADOPTED != 0
    }
}

impl Worker {
    /// Nanoseconds that have passed for everybody.
    fn now(&self) -> u64 {
        if self.clock == 0 {
            return 0;
        }
        let word = |index| u64::from(self.vm.dictionary.word(self.clock, index));
        word(0) | word(1) << 32
    }

    /// How many waits in vain have moved it since somebody read it.
    fn waits_in_vain(&self) -> u32 {
        if self.clock == 0 { 0 } else { self.vm.dictionary.word(self.clock, 2) }
    }

    fn set_now(&mut self, nanoseconds: u64, in_vain: u32) -> Run<()> {
        let nanoseconds = nanoseconds.min(END);
        let words = [nanoseconds as u32, (nanoseconds >> 32) as u32, in_vain];
        self.clock = self.vm.dictionary.intern(&words)?;
        Ok(())
    }

    /// Nanoseconds that the current thread sees to have passed.
    pub fn passed(&self) -> u64 {
        let word = |index| u64::from(self.thread(self.current, header::PASSED + index));
        self.now().saturating_add(word(0) | word(1) << 32)
    }

    /// Lets time pass: a wait ended because of it.
    pub fn pass_in_vain(&mut self, nanoseconds: u64) -> Run<()> {
        match self.waits_in_vain() {
            // Who waits in the library sees it pass nevertheless.
            IN_VAIN.. => {
                self.note_touch(Thing::Clock, Access::Read);
                if self.top.method.class.library {
                    let word = |index| self.thread(self.current, header::PASSED + index);
                    let own = u64::from(word(0)) | u64::from(word(1)) << 32;
                    self.set_passed(own.saturating_add(nanoseconds).min(END));
                }
                Ok(())
            }
            waits => self.pass_more(nanoseconds, waits + 1),
        }
    }

    /// Lets time pass: the thread slept.
    pub fn pass(&mut self, nanoseconds: u64) -> Run<()> {
        self.pass_more(nanoseconds, self.waits_in_vain())
    }

    fn pass_more(&mut self, nanoseconds: u64, in_vain: u32) -> Run<()> {
        if self.for_base {
            return Ok(());
        }
        if !self.alone {
            self.vm.uses.note(PASSES)?;
        }
        if self.clock != 0 {
            let last = in_vain >= IN_VAIN;
            self.note_touch(Thing::Clock, if last { Access::Write } else { Access::Add });
            return self.set_now(self.now().saturating_add(nanoseconds), in_vain);
        }
        self.note_touch(Thing::Clock, Access::Read);
        if self.top.method.class.library {
            let own = self.passed().saturating_add(nanoseconds);
            self.set_passed(own.min(END));
        }
        Ok(())
    }

    pub(super) fn set_passed(&mut self, nanoseconds: u64) {
        self.set_thread(self.current, header::PASSED, nanoseconds as u32);
        self.set_thread(self.current, header::PASSED + 1, (nanoseconds >> 32) as u32);
        self.late = nanoseconds > 0;
    }

    /// The same of what a clock shows, which the program may see.
    pub fn read_clock(&mut self) -> Run<u64> {
        if self.for_base || self.observes || !self.program_asks() {
            return Ok(self.passed());
        }
        if !self.alone {
            self.vm.uses.note(READS)?;
            if self.vm.uses.matters() {
                self.stops()?;
            }
        }
        if self.clock == 0 {
            self.note_touch(Thing::Clock, Access::Write);
            self.set_now(0, 0)?;
        } else if self.waits_in_vain() > 0 {
            self.note_touch(Thing::Clock, Access::Write);
            self.set_now(self.now(), 0)?;
        }
        let readings = self.thread(self.current, header::READINGS) + 1;
        if readings < READINGS {
            self.note_touch(Thing::Clock, Access::Read);
            self.set_thread(self.current, header::READINGS, readings);
        } else {
            // The longer it waits the faster it goes.
            let now = self.now();
            let steps = (2 * (now / MILLISECOND)).isqrt() + 1;
            self.note_touch(Thing::Clock, Access::Write);
            self.set_thread(self.current, header::READINGS, 0);
            self.set_now(now.saturating_add(steps * MILLISECOND), 0)?;
        }
        Ok(self.passed())
    }

    /// Whether it is the program that wants to know the time.
    fn program_asks(&self) -> bool {
        let reads =
            |method: &Method| READERS.iter().any(|reader| method.class.name.starts_with(reader));
        let frames = std::iter::once(&self.top).chain(self.frames.iter().rev());
        let mut methods = frames.map(|frame| frame.method);
        methods.find(|method| !reads(method)).is_some_and(|method| !method.class.library)
    }
}
