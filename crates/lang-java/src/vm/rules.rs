//! What is assumed of fields that several threads can reach, so that not every access is a step.
//!
//! A field is assumed to be *constant*: nobody writes it in an object that others can reach. Where that
//! is wrong it is assumed to be *guarded*: whoever accesses it has a certain lock. If that is wrong
//! as well it is *free*, and every access is a step that others may come before. Every access checks
//! what is assumed. The first one that is against it ends the search, and the next search begins with
//! weaker assumptions; there are two for each field at most.
//!
//! A search that ends without such an access has missed nothing: take a shortest run of all interleavings
//! with an access against the assumptions. Before it, accesses without a step of their own commute with
//! all that other threads do at that time, since nobody writes a constant field, and nobody else has
//! the lock of a guarded one. So some run of the search does the same in another order, and its
//! thread comes to the same access with the same locks.
//!
//! In that order the others may have lost sight of the object by then: a thread starts another one, reads a
//! field of an object in the same step and forgets the object; the new thread, which alone has it now, writes the
//! field. So objects that others could once reach stay marked, and what is done to them counts as well: an access
//! without the guard, and a write of a constant field if somebody read the field without a step of its own.
//! Which object that was is not asked.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use super::{Failure, Run, Status, Trap, Worker, header};
use crate::classfile::flags;
use crate::heap::append::Append;
use crate::link::{Class, Field, Method};

/// Nobody writes the field once others can reach it.
pub(crate) const CONSTANT: u32 = 0;
/// Nothing is assumed.
pub(crate) const FREE: u32 = 1;
/// From here on: a list of guards, any of which may be the one.
const GUARDED: u32 = 2;

/// The most guards that are tried for a field.
const MOST_GUARDS: usize = 64;

/// Instructions of a transition after which nothing is assumed: who waits for a field in a loop lets
/// others move.
const PATIENCE: u64 = 20_000;

/// Which lock a thread has that accesses a field.
#[derive(Clone, Copy)]
enum Guard {
    /// That of the object.
    Own,
    /// That of a class.
    Class(&'static Class),
    /// What a final field of the object refers to.
    Field(&'static Field),
    /// What a final static field refers to.
    Static(&'static Field),
}

/// What was found out about fields.
#[derive(Default)]
pub(crate) struct Rules {
    /// Lists of guards.
    guards: Append<Vec<Guard>>,
    /// Fields whose assumption was wrong, and what is assumed next.
    changes: Mutex<Vec<(&'static Field, u32)>>,
    /// No thread interrupts another one.
    interrupts: Absence,
    /// No thread looks at what others do: their states, groups, handlers and what they are parked for.
    looks: Absence,
    /// Classes of the library whose operations somebody sees half done: found out, and known.
    seen: [AtomicU32; 2],
    /// How often something was taken up.
    rounds: AtomicU32,
}

/// That something does not happen: it is assumed, was found out to be wrong, is known to be wrong.
#[derive(Default)]
struct Absence(AtomicU32);

impl Absence {
    const FOUND: u32 = 1;
    const ADOPTED: u32 = 2;

    fn learn(&self, what: &str) -> Trap {
        let _ = self.0.compare_exchange(0, Absence::FOUND, Ordering::Relaxed, Ordering::Relaxed);
        Trap::Fail(Failure::Assumption(format!("that no thread {what} another one is wrong")))
    }

    fn adopt(&self) -> bool {
        let order = Ordering::Relaxed;
        self.0.compare_exchange(Absence::FOUND, Absence::ADOPTED, order, order).is_ok()
    }

    fn is_found(&self) -> bool {
        self.0.load(Ordering::Relaxed) == Absence::FOUND
    }

    #[inline]
    fn is_wrong(&self) -> bool {
        self.0.load(Ordering::Relaxed) == Absence::ADOPTED
    }
}

impl Rules {
    /// Takes up what was found out; whether there was anything.
    pub fn adopt(&self) -> bool {
        let mut changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut any = !changes.is_empty();
        any |= self.interrupts.adopt();
        any |= self.looks.adopt();
        let found = self.seen[0].swap(0, Ordering::Relaxed);
        any |= found & !self.seen[1].fetch_or(found, Ordering::Relaxed) != 0;
        for (field, rule) in changes.drain(..) {
            // A field that two workers found out about keeps the weaker assumption.
            if field.rule.load(Ordering::Relaxed) != FREE {
                field.rule.store(rule, Ordering::Relaxed);
                field.possible.store(u64::MAX, Ordering::Relaxed);
            }
        }
        self.rounds.fetch_add(u32::from(any), Ordering::Relaxed);
        any
    }

    /// The number of the search, from 1 on.
    #[inline]
    fn round(&self) -> u32 {
        self.rounds.load(Ordering::Relaxed) + 1
    }

    /// Whether something was found out that is not taken up.
    pub fn has_news(&self) -> bool {
        let changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        !changes.is_empty() || self.interrupts.is_found() || self.looks.is_found()
    }

    /// Whether threads interrupt others.
    #[inline]
    pub fn somebody_interrupts(&self) -> bool {
        self.interrupts.is_wrong()
    }

    /// Notes that a thread interrupts another one.
    pub fn learn_of_interrupts(&self) -> Trap {
        self.interrupts.learn("interrupts")
    }

    /// Whether somebody sees operations of a class of the library half done.
    #[inline]
    pub fn is_seen(&self, class: u8) -> bool {
        class < 32 && self.seen[1].load(Ordering::Relaxed) >> class & 1 == 1
    }

    /// Notes that somebody may.
    pub fn learn_of_seen(&self, class: u8, method: &Method) -> Trap {
        self.seen[0].fetch_or(1 << class, Ordering::Relaxed);
        let text = format!("that nobody calls {} is wrong", method.full_name());
        Trap::Fail(Failure::Assumption(text))
    }

    /// Whether threads look at what others do.
    #[inline]
    pub fn somebody_looks(&self) -> bool {
        self.looks.is_wrong()
    }

    fn learn(&self, field: &'static Field, rule: u32) -> Trap {
        let mut changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        changes.push((field, rule));
        let text =
            format!("what was assumed about {}.{} is wrong", field.class.get_name(), field.name);
        Trap::Fail(Failure::Assumption(text))
    }
}

impl Worker {
    /// Notes that the current thread looks at what others do, as the next thing that others can notice. That
    /// nobody does is assumed at first: then threads need not stop where only that could tell the difference.
    pub fn note_look(&mut self) -> Run<()> {
        if self.alone || self.for_base {
            return Ok(());
        }
        if !self.vm.rules.somebody_looks() {
            return Err(self.vm.rules.looks.learn("looks at"));
        }
        self.visible()
    }

    /// Where threads look at what others do: stops before the current thread does something that only they
    /// can notice, such as to begin to wait, even where nobody else could come in between.
    pub fn shows(&mut self) -> Run<()> {
        if self.alone || !self.vm.rules.somebody_looks() {
            return Ok(());
        }
        if !self.fresh && self.thread(self.current, header::ATOMIC) == 0 {
            return Err(Trap::Pause);
        }
        self.fresh = false;
        self.touch_life(self.thread(self.current, header::OBJECT), true);
        Ok(())
    }

    /// The same before the thread sleeps or is parked: whoever looks sees it run, then rest, even if nothing
    /// keeps it there.
    pub fn rests(&mut self, status: Status) -> Run<()> {
        let rested = std::mem::take(&mut self.rested);
        let looks = !self.alone && self.vm.rules.somebody_looks();
        if rested || !looks || self.thread(self.current, header::ATOMIC) > 0 {
            return Ok(());
        }
        self.shows()?;
        self.set_status(status, 0);
        Err(Trap::Pause)
    }

    /// Stops before an access to a field, if others can notice it. The object of a static field is 0.
    #[inline]
    pub fn access_in(&mut self, field: &'static Field, object: u32, write: bool) -> Run<()> {
        match object == 0 || self.is_shared(object) {
            true if !self.alone => self.access(field, object, write),
            // Others could have been there still: which of them end first is not always explored.
            true if self.touched.is_some() => self.check_late(field, object, write),
            true => Ok(()),
            false => self.access_late(field, object, write),
        }
    }

    /// Notes an access to a field of an object that only the current thread can reach.
    #[inline]
    pub fn access_late(&mut self, field: &'static Field, object: u32, write: bool) -> Run<()> {
        match field.rule.load(Ordering::Relaxed) {
            FREE => Ok(()),
            CONSTANT if !write => Ok(()),
            _ if !self.is_published(object) => Ok(()),
            _ => self.check_late(field, object, write),
        }
    }

    /// Checks an access that needs no step against what is assumed of earlier ones that had none.
    #[cold]
    fn check_late(&mut self, field: &'static Field, object: u32, write: bool) -> Run<()> {
        match field.rule.load(Ordering::Relaxed) {
            FREE => Ok(()),
            CONSTANT if !write => Ok(()),
            CONSTANT => {
                let round = self.vm.rules.round();
                field.written_late.store(round, Ordering::SeqCst);
                match field.elided.load(Ordering::SeqCst) == round {
                    true => Err(self.no_constant(field, object)),
                    false => Ok(()),
                }
            }
            rule => match self.narrow_guards(field, object, rule) {
                0 => Err(self.vm.rules.learn(field, FREE)),
                _ => Ok(()),
            },
        }
    }

    /// Notes that a constant field is read without a step.
    #[inline]
    fn elide(&mut self, field: &'static Field, object: u32) -> Run<()> {
        let round = self.vm.rules.round();
        if field.elided.load(Ordering::Relaxed) == round {
            return Ok(());
        }
        field.elided.store(round, Ordering::SeqCst);
        match field.written_late.load(Ordering::SeqCst) == round {
            true => Err(self.no_constant(field, object)),
            false => Ok(()),
        }
    }

    /// Stops before an access to a field of an object that others can reach, if they can notice it.
    #[inline]
    fn access(&mut self, field: &'static Field, object: u32, write: bool) -> Run<()> {
        match field.rule.load(Ordering::Relaxed) {
            FREE => {
                self.stops()?;
                if field.handled.load(Ordering::Relaxed) {
                    self.note_mixed();
                }
                Ok(())
            }
            CONSTANT if !write && self.is_patient() => self.elide(field, object),
            rule => self.access_by_rule(field, object, write, rule),
        }
    }

    /// Whether the transition is still so short that it may go on without letting others move.
    #[inline]
    pub(super) fn is_patient(&self) -> bool {
        self.limit.saturating_sub(self.budget) < PATIENCE
    }

    fn access_by_rule(
        &mut self,
        field: &'static Field,
        object: u32,
        write: bool,
        rule: u32,
    ) -> Run<()> {
        if rule == CONSTANT {
            if !write {
                return self.stops();
            }
            return Err(self.no_constant(field, object));
        }
        match self.narrow_guards(field, object, rule) {
            0 => Err(self.vm.rules.learn(field, FREE)),
            _ if self.is_patient() => Ok(()),
            _ => self.stops(),
        }
    }

    /// A field that was assumed to be constant is not: what is assumed next.
    #[cold]
    fn no_constant(&self, field: &'static Field, object: u32) -> Trap {
        let guards = match self.vm.settings.reductions.locks {
            true => self.held_guards(field, object),
            false => Vec::new(),
        };
        let rule = match guards.is_empty() {
            true => FREE,
            false => GUARDED + self.vm.rules.guards.push(guards) as u32,
        };
        self.vm.rules.learn(field, rule)
    }

    /// Which guards of a field all accesses had so far, this one as well: a bit for each.
    fn narrow_guards(&self, field: &'static Field, object: u32, rule: u32) -> u64 {
        let rules = &self.vm.rules;
        let guards = rules.guards.get((rule - GUARDED) as usize).map_or(&[][..], |list| list);
        let possible = field.possible.load(Ordering::Relaxed);
        let mut held = 0;
        for (index, &guard) in guards.iter().enumerate() {
            if possible >> index & 1 == 1 && self.has_guard(guard, object) {
                held |= 1 << index;
            }
        }
        if held != possible {
            held &= field.possible.fetch_and(held, Ordering::Relaxed);
            // Steps that are known looked at more guards.
            self.vm.base.changed();
        }
        held
    }

    /// Guards that the current thread has.
    fn held_guards(&self, field: &'static Field, object: u32) -> Vec<Guard> {
        let mut guards = Vec::new();
        let mut add = |guard: Guard| {
            if guards.len() < MOST_GUARDS && self.has_guard(guard, object) {
                guards.push(guard);
            }
        };
        let is_final =
            |field: &&&'static Field| field.is(flags::FINAL) && field.kind.is_reference();
        if object != 0 {
            add(Guard::Own);
            let mut class = Some(self.class_of(object));
            while let Some(owner) = class {
                let fields = owner.linked().fields.iter().filter(is_final);
                fields.filter(|f| !f.is(flags::STATIC)).for_each(|f| add(Guard::Field(f)));
                class = owner.super_class;
            }
        }
        let mut classes = vec![field.class];
        classes.extend(self.heap.known.iter().map(|&class| self.vm.registry.class_of(class)));
        for (index, class) in classes.iter().enumerate() {
            if index > 0 && (class.library || *class == field.class) {
                continue;
            }
            add(Guard::Class(class));
            let fields = class.linked().fields.iter().filter(is_final);
            fields.filter(|f| f.is(flags::STATIC)).for_each(|f| add(Guard::Static(f)));
        }
        guards
    }

    fn has_guard(&self, guard: Guard, object: u32) -> bool {
        match guard {
            Guard::Own => self.has_lock(object),
            Guard::Class(class) => class.mirror.get().is_some_and(|&mirror| self.has_lock(mirror)),
            Guard::Field(field) => self.has_lock(self.get(object, field.slot)),
            Guard::Static(field) => {
                !self.heap.statics(&self.vm.base, field.class.id).is_none()
                    && self.has_lock(self.get_static(field, 0))
            }
        }
    }

    /// Whether the current thread has a lock that excludes all others: the monitor of an object, or
    /// what the object stands for as one of the library's locks.
    fn has_lock(&self, object: u32) -> bool {
        if object == 0 {
            return false;
        }
        if self.owner(object) == Some(self.current) {
            return true;
        }
        let class = self.class_of(object);
        if !class.library {
            return false;
        }
        let synchroniser = match &*class.name {
            "java/util/concurrent/locks/ReentrantLock"
            | "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock" => {
                match class.field("sync") {
                    Some(field) => self.get(object, field.slot),
                    None => 0,
                }
            }
            "java/util/concurrent/locks/ReentrantLock$NonfairSync"
            | "java/util/concurrent/locks/ReentrantLock$FairSync" => object,
            _ => 0,
        };
        if synchroniser == 0 {
            return false;
        }
        let owner = self.field_of(synchroniser, "exclusiveOwnerThread");
        let thread = self.thread(self.current, header::OBJECT);
        owner.is_ok_and(|field| thread != 0 && self.get(synchroniser, field.slot) == thread)
    }

    /// Notes that a field of an object that others can reach is accessed by other means than the
    /// instructions for fields: nothing is assumed of it.
    pub fn access_slot(&mut self, object: u32, slot: u32) -> Run<()> {
        match self.class_of(object).field_in(slot, false) {
            Some(field) => self.access_freely(field),
            None => self.stops(),
        }
    }

    /// The same for a static field.
    pub fn access_static_slot(&mut self, class: &'static Class, slot: u32) -> Run<()> {
        match class.field_in(slot, true) {
            Some(field) => self.access_freely(field),
            None => self.stops(),
        }
    }

    /// Notes that the program accesses a field by a VarHandle that is not volatile: a search that did not know
    /// begins again.
    pub fn note_handled(&mut self, field: &'static Field) -> Run<()> {
        match field.handled.swap(true, Ordering::Relaxed) {
            true => Ok(()),
            false => Err(self.vm.rules.learn(field, FREE)),
        }
    }

    /// Notes that the virtual machine itself writes a field of objects that others can reach.
    pub fn frees(&mut self, field: &'static Field) -> Run<()> {
        match self.alone || field.rule.load(Ordering::Relaxed) == FREE {
            true => Ok(()),
            false => Err(self.vm.rules.learn(field, FREE)),
        }
    }

    fn access_freely(&mut self, field: &'static Field) -> Run<()> {
        if field.rule.load(Ordering::Relaxed) != FREE {
            return Err(self.vm.rules.learn(field, FREE));
        }
        self.stops()
    }

    /// Notes that all fields of an object that others can reach are read.
    pub fn access_all(&mut self, object: u32) -> Run<()> {
        let mut class = Some(self.class_of(object));
        while let Some(owner) = class {
            for &field in owner.linked().fields.iter().filter(|f| !f.is(flags::STATIC)) {
                let rule = field.rule.load(Ordering::Relaxed);
                if rule != FREE && rule != CONSTANT {
                    return Err(self.vm.rules.learn(field, FREE));
                }
            }
            class = owner.super_class;
        }
        self.stops()
    }
}
