//! What Java allows to happen without a reason: a thread that waits or is parked wakes up although nobody notifies or
//! unparks it, and a weak compare-and-set fails although the value is the expected one. It may happen at any time, and it
//! need not happen at all: a state from which nothing else leads on is a deadlock.
//!
//! Only what the program asks for itself counts. The library waits in loops that look again, as its methods promise; what
//! they promise less, `Condition.await`, wakes up without a reason as well.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Run, Status, Thing, Worker, header};
use crate::describe::{Call, simple_name};
use crate::link::{Class, Method};
use crate::peers::Done;

/// The alternative of a thread that wakes up without a reason.
pub(crate) const UNREASONED: u32 = u32::MAX - 1;

/// The bit of the status of a node that waits for a signal.
const COND: u32 = 2;

const CONDITION: &str = "ConditionObject";

/// What may happen without a reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spurious {
    /// Threads that wait wake up.
    pub wakeups: bool,
    /// Weak compare-and-set fails.
    pub failures: bool,
}

/// Whether that is looked at, and whether it would have made a difference.
#[derive(Default)]
pub(crate) struct Unreasoned {
    asked: Spurious,
    on: AtomicBool,
    waits: AtomicBool,
    weak: AtomicBool,
    explored: AtomicBool,
}

impl Unreasoned {
    /// What is asked for is looked at from the beginning.
    pub fn new(asked: Spurious) -> Unreasoned {
        Unreasoned { asked, on: AtomicBool::new(true), ..Unreasoned::default() }
    }

    pub fn asked(&self) -> Spurious {
        self.asked
    }

    pub fn explore(&self, on: bool) {
        self.on.store(on, Ordering::Relaxed);
    }

    /// Whether threads that wait may wake up.
    #[inline]
    pub fn wakes(&self) -> bool {
        self.asked.wakeups && self.on.load(Ordering::Relaxed)
    }

    fn fails(&self) -> bool {
        self.asked.failures && self.on.load(Ordering::Relaxed)
    }

    /// Notes that a search looked at what is asked for.
    pub fn note_explored(&self) {
        self.explored.store(true, Ordering::Relaxed);
    }

    /// What a search looked at.
    pub fn explored(&self) -> Spurious {
        match self.explored.load(Ordering::Relaxed) {
            true => self.asked,
            false => Spurious::default(),
        }
    }

    /// What the program did for which it would make a difference.
    pub fn met(&self) -> Spurious {
        Spurious {
            wakeups: self.waits.load(Ordering::Relaxed),
            failures: self.weak.load(Ordering::Relaxed),
        }
    }
}

/// How a thread waits that may wake up without a reason.
enum Waiting {
    /// In `Object.wait`, or in a method of LockSupport.
    Directly(String),
    /// In a method of a condition: this object.
    Condition(u32, String),
}

fn is_condition(class: &Class) -> bool {
    class.name.starts_with("java/util/concurrent/locks/Abstract") && class.name.ends_with(CONDITION)
}

/// Whether the library only hands on to this method what it is told to wait for.
fn hands_on(method: &Method) -> bool {
    let name = method.class.name.strip_prefix("java/util/concurrent/").unwrap_or("");
    match name {
        "locks/LockSupport" => true,
        "ForkJoinPool" => method.name.ends_with("anagedBlock"),
        _ => name.ends_with("$ConditionNode") || is_condition(method.class),
    }
}

impl Worker {
    /// Whether a thread may wake up without a reason.
    pub(crate) fn may_wake(&self, thread: usize) -> bool {
        if !self.is_alive(thread) || self.is_suspended(thread) {
            return false;
        }
        let waits = match self.status(thread) {
            Status::Wait | Status::TimedWait => true,
            Status::Park | Status::TimedPark => !self.has_permit(thread),
            _ => false,
        };
        waits
            && self.is_interrupted(thread).is_ok_and(|interrupted| !interrupted)
            && self.waiting(thread).is_some_and(|waiting| match waiting {
                Waiting::Directly(_) => true,
                Waiting::Condition(condition, _) => self.node_of(condition, thread).is_some(),
            })
    }

    /// How a thread waits, if it was the program that asked for that.
    fn waiting(&self, thread: usize) -> Option<Waiting> {
        let calls = self.calls(thread);
        let mut outer = calls.iter().rev();
        if matches!(self.status(thread), Status::Wait | Status::TimedWait) {
            let caller = outer.find(|call| &*call.method.class.name != "java/lang/Object")?;
            let object = self.thread(thread, header::TARGET);
            let name = simple_name(self.class_of(object));
            return caller.is_program().then(|| Waiting::Directly(format!("{name}.wait")));
        }
        let own: Vec<&Call> = outer.by_ref().take_while(|call| hands_on(call.method)).collect();
        let last = own.last()?;
        if !calls.get(calls.len() - own.len() - 1)?.is_program() {
            return None;
        }
        if is_condition(last.method.class) {
            let name = format!("Condition.{}", last.method.name);
            return Some(Waiting::Condition(*last.words.first()?, name));
        }
        (&*last.method.class.name == "java/util/concurrent/locks/LockSupport")
            .then(|| Waiting::Directly(format!("LockSupport.{}", last.method.name)))
    }

    /// The node with which a thread waits for a signal, and the place of its status.
    fn node_of(&self, condition: u32, thread: usize) -> Option<(u32, u32)> {
        let object = self.thread(thread, header::OBJECT);
        let of = |object: u32, name: &str| {
            self.field_of(object, name).map(|field| self.get(object, field.slot)).ok()
        };
        let mut node = of(condition, "firstWaiter")?;
        while node != 0 {
            if of(node, "waiter")? == object {
                let slot = self.field_of(node, "status").ok()?.slot;
                return (self.get(node, slot) & COND != 0).then_some((node, slot));
            }
            node = of(node, "nextWaiter")?;
        }
        None
    }

    /// What the current thread wakes up from.
    pub(super) fn wakes_from(&self) -> Option<String> {
        self.waiting(self.current).map(|waiting| match waiting {
            Waiting::Directly(name) | Waiting::Condition(_, name) => {
                format!("a spurious wake-up of {name}")
            }
        })
    }

    /// The current thread is no longer parked, though nobody unparked it. Where it waits for a signal it does what a
    /// signal does to it.
    pub(crate) fn unpark_unreasoned(&mut self) -> Run<Done> {
        self.fresh = false;
        let condition = self.frames.iter().rev().take_while(|frame| hands_on(frame.method));
        let condition = condition.last().filter(|frame| is_condition(frame.method.class));
        let Some(frame) = condition else { return Ok(Done::Void) };
        let condition = self.stack[frame.locals];
        let Some((node, slot)) = self.node_of(condition, self.current) else {
            return Ok(Done::Void);
        };
        let status = self.get(node, slot);
        self.set(node, slot, status & !COND);
        let queue = self.get(condition, self.field_of(condition, "this$0")?.slot);
        let mut class = Some(self.class_of(queue));
        while let Some(owner) = class {
            let enqueue = owner.linked().methods.iter().find(|method| &*method.name == "enqueue");
            if let Some(&enqueue) = enqueue {
                return Ok(Done::Call(enqueue, vec![queue, node]));
            }
            class = owner.super_class;
        }
        self.unsupported("this JDK: synchronisers without enqueue")
    }

    /// Notes that the current thread of the program begins to wait.
    pub(crate) fn note_waits(&self) {
        let unreasoned = &self.vm.unreasoned;
        if unreasoned.met().wakeups || self.for_base {
            return;
        }
        let frames = self.frames.iter().rev().map(|frame| frame.method);
        let mut methods = std::iter::once(self.top.method).chain(frames);
        let object = |method: &Method| &*method.class.name == "java/lang/Object";
        let caller = methods.find(|&method| !object(method) && !hands_on(method));
        if caller.is_some_and(|caller| !caller.class.library) {
            unreasoned.waits.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a weak compare-and-set that the program asks for fails without a reason.
    pub(crate) fn fails_unreasoned(&mut self) -> Run<bool> {
        let outer = self.frames.iter().rev().map(|frame| frame.method);
        let mut methods = std::iter::once(self.top.method).chain(outer);
        let weak = |method: &Method| {
            method.class.name.starts_with("java/util/concurrent/atomic/")
                && method.name.starts_with("weakCompareAndSet")
        };
        if self.for_base || methods.find(|&method| !weak(method)).is_none_or(|m| m.class.library) {
            return Ok(false);
        }
        self.vm.unreasoned.weak.store(true, Ordering::Relaxed);
        if !self.vm.unreasoned.fails() {
            return Ok(false);
        }
        let fails = self.choose(2)? == 1;
        // What is told of it is that it fails. Others have had their turn before the choice.
        (self.picked, self.fresh) = (false, true);
        if fails {
            self.unreasoned = Some("a spurious failure of weakCompareAndSet".to_owned());
        }
        Ok(fails)
    }

    /// Ends the wait of the current thread, which was not notified.
    pub(super) fn leave_unreasoned(&mut self) {
        let target = self.thread(self.current, header::TARGET);
        self.note_touch(Thing::Waiters(target), everypath_model::Access::Write);
        self.set_status(Status::Notified, target);
    }
}
