//! Threads of the program: their contents, what they wait for, starting and ending them.

use everypath_model::Access;

use super::{Frame, Run, Thing, Trap, Worker};
use crate::heap::Place;

/// The words of a thread before its frames.
pub(crate) mod header {
    /// A [`Status`](super::Status) and flags.
    pub const STATUS: u32 = 0;
    /// Its object of java.lang.Thread.
    pub const OBJECT: u32 = 1;
    /// The object or class that it waits for.
    pub const TARGET: u32 = 2;
    /// How often it had entered the monitor; the number of alternatives of a choice; how often it was stopped in the
    /// middle of a stretch.
    pub const COUNT: u32 = 3;
    /// How many identity hashes and seeds it has asked for.
    pub const ASKED: u32 = 4;
    /// How many atomic regions it is in.
    pub const ATOMIC: u32 = 5;
    /// Nanoseconds that have passed for it in the call of the library that waits: two words.
    pub const PASSED: u32 = 6;
    /// How often it has read the clock since it saw it move.
    pub const READINGS: u32 = 8;
    /// How many words those are.
    pub const WORDS: u32 = 9;
}

/// It has a permit for `park`.
const PERMIT: u32 = 1 << 8;
/// It is a daemon.
const DAEMON: u32 = 1 << 9;
/// It was suspended, and has to be resumed before it moves.
const SUSPENDED: u32 = 1 << 10;
/// It has suspended itself.
const STOPPED_ITSELF: u32 = 1 << 11;

/// What a thread is going to do, or waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Status {
    /// Stands before something that others can notice.
    Ready = 1,
    /// Has not executed anything.
    Start,
    /// Is going to enter a monitor.
    Enter,
    /// Waits to be notified.
    Wait,
    /// Waits to be notified, or for some time.
    TimedWait,
    /// Was notified and needs the monitor again.
    Notified,
    /// Waits for a permit.
    Park,
    /// Waits for a permit, or for some time.
    TimedPark,
    /// Waits for another thread that initialises a class.
    Class,
    /// Stands before a choice.
    Choice,
    /// Stands before a pause: everything else may come before it ends.
    Sleep,
    /// Was interrupted while it waited to be notified, waits no longer, and needs the monitor again.
    Interrupted,
    /// Its time is over while it waited to be notified and another thread has the monitor, which it needs again.
    Late,
    /// Was stopped in the middle of a long stretch.
    Cut,
    /// Goes round a loop for ever in which it changes nothing.
    Spin,
}

impl Status {
    /// Whether it needs a monitor.
    pub fn enters(self) -> bool {
        matches!(self, Status::Enter | Status::Notified | Status::Interrupted | Status::Late)
    }

    fn of(word: u32) -> Status {
        match word & 0xff {
            2 => Status::Start,
            3 => Status::Enter,
            4 => Status::Wait,
            5 => Status::TimedWait,
            6 => Status::Notified,
            7 => Status::Park,
            8 => Status::TimedPark,
            9 => Status::Class,
            10 => Status::Choice,
            11 => Status::Sleep,
            12 => Status::Interrupted,
            13 => Status::Late,
            14 => Status::Cut,
            15 => Status::Spin,
            _ => Status::Ready,
        }
    }
}

impl Worker {
    /// A word of a thread's header.
    pub fn thread(&self, thread: usize, word: u32) -> u32 {
        self.look_at(thread);
        match self.threads[thread] {
            Place::NONE => 0,
            place => self.heap.word(&self.vm.dictionary, place, word),
        }
    }

    /// Notes that a thread is looked at; what another thread does depends on that.
    #[inline]
    fn look_at(&self, thread: usize) {
        if thread != self.current {
            self.looked.set(true);
        }
    }

    pub fn set_thread(&mut self, thread: usize, word: u32, value: u32) {
        let own = self.heap.own(&self.vm.dictionary, self.threads[thread]);
        self.threads[thread] = own;
        self.heap.write(own, word, value);
    }

    pub fn is_alive(&self, thread: usize) -> bool {
        self.look_at(thread);
        !self.threads[thread].is_none()
    }

    pub fn status(&self, thread: usize) -> Status {
        Status::of(self.thread(thread, header::STATUS))
    }

    /// Sets what the current thread waits for.
    pub fn set_status(&mut self, status: Status, target: u32) {
        self.set_status_of(self.current, status, target);
    }

    pub fn set_status_of(&mut self, thread: usize, status: Status, target: u32) {
        let word = self.thread(thread, header::STATUS) & !0xff;
        self.set_thread(thread, header::STATUS, word | status as u32);
        self.set_thread(thread, header::TARGET, target);
    }

    pub fn has_permit(&self, thread: usize) -> bool {
        self.thread(thread, header::STATUS) & PERMIT != 0
    }

    pub fn set_permit(&mut self, thread: usize, permit: bool) {
        let word = self.thread(thread, header::STATUS) & !PERMIT;
        self.set_thread(thread, header::STATUS, if permit { word | PERMIT } else { word });
    }

    pub fn is_daemon(&self, thread: usize) -> bool {
        self.thread(thread, header::STATUS) & DAEMON != 0
    }

    pub fn is_suspended(&self, thread: usize) -> bool {
        self.thread(thread, header::STATUS) & SUSPENDED != 0
    }

    pub fn set_suspended(&mut self, thread: usize, suspended: bool) {
        let word = self.thread(thread, header::STATUS) & !SUSPENDED;
        let word = if suspended { word | SUSPENDED } else { word };
        self.set_thread(thread, header::STATUS, word);
    }

    /// The current thread suspends itself: it goes on behind that when it is resumed.
    pub fn suspend_itself(&mut self) -> Run<()> {
        let word = self.thread(self.current, header::STATUS);
        if word & STOPPED_ITSELF != 0 {
            self.set_thread(self.current, header::STATUS, word & !STOPPED_ITSELF);
            return Ok(());
        }
        self.visible()?;
        let word = self.thread(self.current, header::STATUS) | SUSPENDED | STOPPED_ITSELF;
        self.set_thread(self.current, header::STATUS, word);
        Err(Trap::Pause)
    }

    /// Lets another thread throw an exception when it moves next: a frame that does so is put on top of
    /// its frames. Who waits for a notification needs the monitor first.
    pub fn throw_in(&mut self, thread: usize, exception: u32) -> Run<()> {
        let status = self.status(thread);
        if status.enters() || status == Status::Class {
            return self.unsupported("Thread.stop of a thread that waits for a monitor or a class");
        }
        let waits = matches!(status, Status::Wait | Status::TimedWait);
        self.share(exception);
        let mut content = Vec::new();
        self.heap.read(&self.vm.dictionary, self.threads[thread], &mut content);
        content.extend(self.vm.thread_code()?.stopping(exception, waits));
        let place = self.heap.new_content(&content);
        self.threads[thread] = place;
        let target = self.thread(thread, header::TARGET);
        match waits {
            true => self.set_status_of(thread, Status::Notified, target),
            false => self.set_status_of(thread, Status::Ready, 0),
        }
        Ok(())
    }

    pub(super) fn wait_for_class(&mut self, class: &'static crate::link::Class) {
        // The number of the class is no reference.
        self.set_status(Status::Class, 0);
        self.set_thread(self.current, header::COUNT, class.id);
    }

    /// Whether the interrupt flag of a thread is set.
    pub fn is_interrupted(&self, thread: usize) -> Run<bool> {
        let object = self.thread(thread, header::OBJECT);
        let field = self.field_of(object, "interrupted")?;
        Ok(self.get(object, field.slot) != 0)
    }

    pub fn clear_interrupt(&mut self) -> Run<()> {
        let object = self.thread(self.current, header::OBJECT);
        let field = self.field_of(object, "interrupted")?;
        self.note_field(field, object, false);
        self.touch_interrupt(self.current, true);
        self.set(object, field.slot, 0);
        Ok(())
    }

    /// The number of alternatives that a thread has in a state; 0 if it cannot move.
    pub fn alternatives(&self, thread: usize) -> Run<u32> {
        if !self.is_alive(thread) {
            return Ok(0);
        }
        if self.is_suspended(thread) {
            return Ok(0);
        }
        let target = self.thread(thread, header::TARGET);
        let free = |worker: &Worker| worker.owner(target).is_none_or(|owner| owner == thread);
        Ok(match self.status(thread) {
            Status::Ready | Status::Start | Status::Sleep | Status::Cut | Status::Spin => 1,
            status if status.enters() => u32::from(free(self)),
            // Who is interrupted leaves the wait set, whoever has the monitor: from then on others are notified.
            Status::Wait => u32::from(self.is_interrupted(thread)?),
            // That its time is over shows before it has the monitor.
            Status::TimedWait if self.vm.rules.somebody_looks() => 1,
            Status::TimedWait => u32::from(free(self) || self.is_interrupted(thread)?),
            Status::Park => u32::from(self.has_permit(thread) || self.is_interrupted(thread)?),
            Status::TimedPark => 1,
            Status::Class => {
                let class = self.thread(thread, header::COUNT);
                u32::from(!self.is_being_initialised(class, thread))
            }
            Status::Choice => self.thread(thread, header::COUNT),
            Status::Enter | Status::Notified | Status::Interrupted | Status::Late => 0,
        })
    }

    /// Whether the transition takes one of the alternatives before which the thread had stopped.
    pub fn chooses(&self) -> bool {
        self.alternative != u32::MAX
    }

    /// One of several alternatives: the thread stops, and goes on with each of them.
    pub fn choose(&mut self, count: u32) -> Run<u32> {
        if count <= 1 {
            return Ok(0);
        }
        if self.for_base {
            return self.unsupported("a choice in an initialiser of the library");
        }
        if self.alternative == u32::MAX {
            self.set_status(Status::Choice, 0);
            self.set_thread(self.current, header::COUNT, count);
            return Err(Trap::Pause);
        }
        self.picked = true;
        Ok(std::mem::replace(&mut self.alternative, u32::MAX).min(count - 1))
    }

    /// The thread of an object of java.lang.Thread, if it is alive.
    pub fn thread_of(&self, object: u32) -> Option<usize> {
        (0..self.threads.len())
            .find(|&thread| self.is_alive(thread) && self.thread(thread, header::OBJECT) == object)
    }

    /// Starts a thread.
    pub fn start_thread(&mut self, object: u32) -> Run<()> {
        let code = self.vm.thread_code()?;
        let daemon = self.field_of(object, "daemon")?;
        let daemon = self.get(object, daemon.slot) != 0;
        let stopped = match self.class_of(object).field("stillborn") {
            Some(field) => self.get(object, field.slot) != 0,
            None => false,
        };
        let status = Status::Start as u32 | if daemon { DAEMON } else { 0 };
        let content = code.start(object, status, stopped);
        let free = self.threads.iter().position(|place| place.is_none());
        let thread = free.unwrap_or(self.threads.len());
        if thread >= 250 {
            let text = "more than 250 threads at a time".to_owned();
            return Err(Trap::Fail(super::Failure::Limit(text)));
        }
        let place = self.heap.new_content(&content);
        match free {
            Some(free) => self.threads[free] = place,
            None => self.threads.push(place),
        }
        self.note_start(thread, object);
        self.note_touch(Thing::Started(thread), Access::Write);
        self.touch_life(object, true);
        let eetop = self.field_of(object, "eetop")?;
        self.set_long(object, eetop.slot, thread as u64 + 1);
        self.set_thread_state(object, 5)?;
        self.share(object);
        self.watches = true;
        // Who was alone did nothing that others could notice, but from here on they are there.
        self.fresh = false;
        if std::mem::replace(&mut self.alone, false) {
            self.share_statics();
        }
        Ok(())
    }

    /// Marks what is reachable from statics: nobody else was there who could have reached it.
    fn share_statics(&mut self) {
        let mut content = Vec::new();
        for class in self.heap.known.clone() {
            content.clear();
            let place = self.heap.statics(&self.vm.base, class);
            self.heap.read(&self.vm.dictionary, place, &mut content);
            let slots = &self.vm.registry.class_of(class).linked().static_references;
            slots.iter().for_each(|&slot| self.share(content[slot as usize]));
        }
        for index in self.heap.deviations.clone() {
            content.clear();
            let place = self.heap.place(&self.vm.base, index | crate::heap::BASE);
            self.heap.read(&self.vm.dictionary, place, &mut content);
            let class = self.vm.registry.class_of(content[crate::heap::CLASS as usize]);
            let slots = Worker::reference_slots(class, &content);
            slots.into_iter().for_each(|slot| self.share(content[slot as usize]));
        }
    }

    fn set_thread_state(&mut self, object: u32, state: u32) -> Run<()> {
        let holder = self.field_of(object, "threadStatus")?;
        self.set(object, holder.slot, state);
        Ok(())
    }

    /// Shutdown hooks that are registered and have not begun; `None` once the program has begun to end.
    pub fn hooks(&self) -> Run<Option<u32>> {
        let class = self.class("java/lang/ApplicationShutdownHooks")?;
        if self.heap.statics(&self.vm.base, class.id).is_none() {
            return Ok(Some(0));
        }
        let hooks = self.get_static(self.library_field(class, "hooks")?, 0);
        if hooks == 0 {
            return Ok(None);
        }
        Ok(Some(self.get(hooks, self.field_of(hooks, "size")?.slot)))
    }

    /// Whether a thread that is the last one without being a daemon has hooks to run, or to wait for those of a daemon.
    fn shuts_down(&self) -> Run<bool> {
        let Some(hooks) = self.hooks()? else {
            let lock = self.class("java/lang/Shutdown")?.mirror.get();
            let owner = lock.and_then(|&lock| self.owner(lock));
            return Ok(owner.is_some_and(|owner| owner != self.current));
        };
        Ok(hooks > 0)
    }

    /// The end of the current thread. The last one that is no daemon runs the shutdown hooks first.
    pub(super) fn end_thread(&mut self) -> Run<()> {
        self.stops()?;
        // A thread has its own monitor when it ends: whoever has it before sees no end.
        let object = self.thread(self.current, header::OBJECT);
        self.note_touch(Thing::Monitor(object), Access::Write);
        if self.owner(object).is_some_and(|owner| owner != self.current) {
            self.set_status(Status::Enter, object);
            return Err(Trap::Pause);
        }
        self.note_touch(Thing::Ends, Access::Add);
        let others = (0..self.threads.len()).filter(|&thread| thread != self.current);
        let last = others.into_iter().all(|t| !self.is_alive(t) || self.is_daemon(t));
        let shuts_down = self.shuts_down()?;
        if self.touched.is_some() && shuts_down {
            // Who ends last runs them.
            self.note_touch(Thing::World, Access::Write);
        }
        if last && !self.is_daemon(self.current) && shuts_down {
            // The hooks see a thread that has ended: the virtual machine has another one for them.
            self.show_end()?;
            let other = self.boot_thread_named("DestroyJavaVM")?;
            self.set_thread(self.current, header::OBJECT, other);
            let class = self.class("java/lang/Shutdown")?;
            self.initialise_library(class)?;
            let Some(shutdown) = class.declared("shutdown", "()V") else {
                return self.unsupported("this JDK: Shutdown without shutdown");
            };
            // The call returns to the instruction behind the one before.
            self.top.pc -= 1;
            let called = self.call(shutdown);
            if called.is_err() {
                self.top.pc += 1;
            }
            return called;
        }
        match self.try_end_thread() {
            Ok(()) => Err(Trap::Ended),
            Err(trap) => Err(trap),
        }
    }

    fn try_end_thread(&mut self) -> Run<()> {
        self.show_end()?;
        self.threads[self.current] = Place::NONE;
        Ok(())
    }

    /// Lets everybody see that the current thread has ended.
    fn show_end(&mut self) -> Run<()> {
        let object = self.thread(self.current, header::OBJECT);
        let eetop = self.field_of(object, "eetop")?;
        self.note_field(eetop, object, true);
        self.set_long(object, eetop.slot, 0);
        self.touch_life(object, true);
        self.note_touch(Thing::Waiters(object), Access::Write);
        self.set_thread_state(object, 2)?;
        for thread in 0..self.threads.len() {
            if matches!(self.status(thread), Status::Wait | Status::TimedWait)
                && self.is_alive(thread)
                && self.thread(thread, header::TARGET) == object
            {
                self.set_status_of(thread, Status::Notified, object);
            }
        }
        Ok(())
    }

    /// Marks an object and everything reachable from it as reachable by other threads.
    pub fn share(&mut self, object: u32) {
        let mut work = vec![object];
        let mut content = Vec::new();
        while let Some(object) = work.pop() {
            if object == 0 || object & crate::heap::BASE != 0 {
                continue;
            }
            let dense = self.heap.dense(object);
            if self.heap.mark_shared(dense) {
                continue;
            }
            let class = self.class_of(object);
            if class.has_reference_elements() || !class.linked().references.is_empty() {
                content.clear();
                let place = self.heap.place(&self.vm.base, object);
                self.heap.read(&self.vm.dictionary, place, &mut content);
                let slots = Worker::reference_slots(class, &content);
                work.extend(slots.into_iter().map(|slot| content[slot as usize]));
            }
        }
    }

    /// Takes the frames of a thread out of its content.
    pub(super) fn load_frames(&mut self, thread: usize) -> Run<()> {
        let mut content = Vec::new();
        self.heap.read(&self.vm.dictionary, self.threads[thread], &mut content);
        self.current = thread;
        self.late = (0..2).any(|word| self.thread(thread, header::PASSED + word) > 0);
        self.frames.clear();
        let mut at = header::WORDS as usize;
        let mut locals = 0;
        while at < content.len() {
            let method = self.vm.registry.method_of(content[at]);
            let (pc, depth) = (content[at + 1] >> 16, content[at + 1] & 0xffff);
            let code = match method.code() {
                Ok(code) => code,
                Err(text) => return self.unsupported(text),
            };
            let used = usize::from(code.max_locals) + depth as usize;
            let sp = locals + used;
            let room = sp + usize::from(code.max_stack) + 4;
            if self.stack.len() < room {
                self.stack.resize(2 * room, 0);
            }
            self.stack[locals..sp].copy_from_slice(&content[at + 2..at + 2 + used]);
            self.top = Frame { method, code, pc, locals, sp };
            self.frames.push(self.top);
            locals = sp;
            at += 2 + used;
        }
        self.frames.pop();
        Ok(())
    }
}
