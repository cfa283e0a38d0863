//! What a transition touches of what threads share, so that a search knows which transitions can change places.
//!
//! Noted are all accesses to objects that several threads can reach, or could at some time of the run: an object that
//! only one thread reaches by now is touched without a stop, but another one may have touched it before.

use everypath_model::Access;

use super::{Status, Worker, header};
use crate::classfile::flags;
use crate::heap::{ELEMENTS, HASH};
use crate::link::{Class, Field};

/// Elements of an array that are noted one by one, at most.
const MOST_ELEMENTS: u32 = 4096;

/// Something that threads share. Objects are references, threads the numbers of their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    /// A word of an object.
    Slot(u32, u32),
    /// A static field.
    Static(u32, u32),
    /// Whether a class is initialised.
    Class(u32),
    Monitor(u32),
    /// Who waits to be notified.
    Waiters(u32),
    /// The permit of a thread.
    Permit(usize),
    /// Whether a thread was started.
    Started(usize),
    /// Threads that keep the program alive.
    Ends,
    Output,
    /// What the clock shows.
    Clock,
    /// Everything.
    World,
}

/// Notes about one transition.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    pub things: Vec<(Thing, Access)>,
    /// Of each object of the state that was taken up the number that it has in the run; 0 if no other thread could
    /// ever reach it.
    pub identities: Vec<u32>,
    /// The transition begins with a monitor, which it had to wait for.
    entering: bool,
}

impl Worker {
    /// Begins to note what a thread touches.
    pub(crate) fn begin_touching(&mut self, thread: usize) {
        let status = self.status(thread);
        let daemon = self.is_daemon(thread);
        let Some(touched) = &mut self.touched else { return };
        touched.things.clear();
        touched.entering = status == Status::Enter;
        if status == Status::Start {
            touched.things.push((Thing::Started(thread), Access::Read));
        }
        if daemon {
            touched.things.push((Thing::Ends, Access::Read));
        }
    }

    #[inline]
    pub(crate) fn note_touch(&mut self, thing: Thing, access: Access) {
        if let Some(touched) = &mut self.touched
            && !self.for_base
        {
            touched.things.push((thing, access));
        }
    }

    /// Whether others could ever have reached an object.
    fn was_shared(&self, object: u32) -> bool {
        let known = |identities: &[u32]| {
            identities.get(self.heap.dense(object)).is_some_and(|&identity| identity != 0)
        };
        self.is_shared(object)
            || self.touched.as_ref().is_some_and(|touched| known(&touched.identities))
    }

    fn touch_slot(&mut self, object: u32, slot: u32, access: Access) {
        if self.touched.is_some() && self.was_shared(object) {
            self.note_touch(Thing::Slot(object, slot), access);
        }
    }

    /// Notes that a field is accessed. The object of a static field is 0.
    pub(crate) fn touch_field(&mut self, field: &'static Field, object: u32, write: bool) {
        if self.touched.is_none() || field.quiet {
            return;
        }
        let access = if write { Access::Write } else { Access::Read };
        match field.is(flags::STATIC) {
            true => self.note_touch(Thing::Static(field.class.id, field.slot), access),
            false => self.touch_slot(object, field.slot, access),
        }
    }

    /// The same for a field that is known by its place.
    pub(crate) fn touch_place(&mut self, object: u32, class: u32, slot: u32, write: bool) {
        let access = if write { Access::Write } else { Access::Read };
        match object {
            0 => self.note_touch(Thing::Static(class, slot), access),
            _ => self.touch_slot(object, slot, access),
        }
    }

    /// Notes that elements of an array are accessed.
    pub(crate) fn touch_elements(&mut self, array: u32, from: u32, count: u32, write: bool) {
        if self.touched.is_none() || !self.was_shared(array) {
            return;
        }
        let place = self.heap.peek(&self.vm.base, array);
        if self.is_quiet_array(place) {
            return;
        }
        if count > MOST_ELEMENTS {
            return self.note_touch(Thing::World, Access::Write);
        }
        let access = if write { Access::Write } else { Access::Read };
        for index in from..from + count {
            self.note_touch(Thing::Slot(array, ELEMENTS + index), access);
        }
    }

    /// Notes that anything of an object may be accessed.
    pub(crate) fn touch_all(&mut self, object: u32, write: bool) {
        if self.touched.is_none() || object == 0 || !self.was_shared(object) {
            return;
        }
        let access = if write { Access::Write } else { Access::Read };
        let class = self.class_of(object);
        let last = match class.element() {
            Some(_) => ELEMENTS + self.array_length(object),
            None => class.linked().words,
        };
        if last > MOST_ELEMENTS {
            return self.note_touch(Thing::World, Access::Write);
        }
        for slot in HASH..last.max(HASH + 1) {
            self.note_touch(Thing::Slot(object, slot), access);
        }
    }

    /// Notes whether a class is initialised was asked, or changed.
    #[inline]
    pub(crate) fn touch_class(&mut self, class: &'static Class, write: bool) {
        if self.touched.is_some() && !class.library {
            let access = if write { Access::Write } else { Access::Read };
            self.note_touch(Thing::Class(class.id), access);
        }
    }

    /// Notes that the interrupt flag of a thread is looked at, or cleared.
    pub(crate) fn touch_interrupt(&mut self, thread: usize, write: bool) {
        if self.touched.is_none() {
            return;
        }
        let object = self.thread(thread, header::OBJECT);
        if let Ok(field) = self.field_of(object, "interrupted") {
            let access = if write { Access::Write } else { Access::Read };
            self.note_touch(Thing::Slot(object, field.slot), access);
        }
    }

    /// Notes that whether a thread is alive is looked at, or changes.
    pub(crate) fn touch_life(&mut self, object: u32, write: bool) {
        if self.touched.is_none() {
            return;
        }
        if let Ok(field) = self.field_of(object, "eetop") {
            let access = if write { Access::Write } else { Access::Read };
            self.note_touch(Thing::Slot(object, field.slot), access);
        }
    }

    /// Notes that a monitor is taken.
    pub(crate) fn touch_entered(&mut self, object: u32) {
        if let Some(touched) = &mut self.touched {
            let access = match std::mem::take(&mut touched.entering) {
                true => Access::Acquire,
                false => Access::Write,
            };
            self.note_touch(Thing::Monitor(object), access);
        }
    }

    /// What a thread that waits will touch for sure.
    pub(crate) fn waiting_for(&self, thread: usize, out: &mut Vec<(Thing, Access)>) {
        let target = self.thread(thread, header::TARGET);
        let interrupt = || {
            let object = self.thread(thread, header::OBJECT);
            let field = self.field_of(object, "interrupted").ok()?;
            Some((Thing::Slot(object, field.slot), Access::Read))
        };
        match self.status(thread) {
            Status::Enter => out.push((Thing::Monitor(target), Access::Acquire)),
            Status::Wait
            | Status::TimedWait
            | Status::Notified
            | Status::Interrupted
            | Status::Late => {
                out.push((Thing::Monitor(target), Access::Acquire));
                out.push((Thing::Waiters(target), Access::Write));
                out.extend(interrupt());
            }
            Status::Park | Status::TimedPark => {
                out.push((Thing::Permit(thread), Access::Write));
                out.extend(interrupt());
            }
            Status::Class => {
                out.push((Thing::Class(self.thread(thread, header::COUNT)), Access::Read));
            }
            _ => {}
        }
    }
}
