//! Calls of java.util.concurrent as steps. What its documentation says to be atomic, such as taking a lock
//! or an element of a queue, happens as one step, from the first thing that others could notice to the
//! end of the call or to where the thread has to wait. The library's own code is executed, so a call
//! that waits, fails or is interrupted does so where it would; only other threads do not come in
//! between. What the program itself does in such a call (a comparison, a function that it passed, a
//! method that it overrides) is not a part of the step.

use super::{Frame, Run, Worker};
use crate::link::Class;

/// There is no such call.
pub(crate) const NONE: usize = usize::MAX;

/// How a method counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    /// The program's own code, or a call that is not atomic.
    Outside,
    /// Library code that is as atomic as who called it.
    Same,
    /// A call that is atomic.
    Atomic,
    /// An atomic call that looks whether the thread was interrupted. Calls that can be interrupted do that first:
    /// where somebody interrupts, the rest of them is another step, since that may come in between.
    Check,
}

/// How a method counts, by its class and name.
pub(crate) fn region_of(class: &Class, name: &str) -> Region {
    if !class.library {
        return Region::Outside;
    }
    match class.name.strip_prefix("java/util/concurrent/") {
        Some(inner) if is_atomic(inner, name) => Region::Atomic,
        Some(_) => Region::Outside,
        None => match (&*class.name, name) {
            ("java/lang/Thread", "join" | "start" | "exit" | "interrupt") => Region::Atomic,
            ("java/lang/Thread", "interrupted") => Region::Check,
            _ => Region::Same,
        },
    }
}

/// Whether a method of the package does what it does at once, by the documentation. Operations on all
/// elements, and what goes from one to the next, only see some elements of some moments.
fn is_atomic(class: &str, name: &str) -> bool {
    let walks = ["Itr", "Iterator", "Traverser", "View", "Spliterator", "SubMap", "Iter"];
    if walks.iter().any(|part| class.contains(part)) {
        return false;
    }
    !matches!(
        name,
        "addAll"
            | "removeAll"
            | "retainAll"
            | "containsAll"
            | "putAll"
            | "clear"
            | "removeIf"
            | "replaceAll"
            | "toArray"
            | "toString"
            | "size"
            | "isEmpty"
            | "contains"
            | "containsValue"
            | "sum"
            | "sumThenReset"
            | "reset"
            | "drainTo"
            | "equals"
            | "hashCode"
            | "invokeAll"
            | "invokeAny"
            | "allOf"
            | "anyOf"
            | "main"
    ) && !name.starts_with("forEach")
        && !name.starts_with("reduce")
        && !name.starts_with("search")
}

impl Worker {
    /// The call that the current thread is in and that is to go on as one step: its frame.
    pub(super) fn find_region(&self) -> usize {
        if !self.vm.settings.reductions.library {
            return NONE;
        }
        let mut found = NONE;
        for index in (0..=self.frames.len()).rev() {
            match self.frame(index).method.region {
                Region::Atomic | Region::Check => found = index,
                Region::Same => {}
                Region::Outside => break,
            }
        }
        // `Thread.exit` is followed by the end of the thread, unless somebody sees how it comes to that.
        match found == 1 && &*self.frame(1).method.name == "exit" {
            true if self.vm.rules.somebody_looks() => NONE,
            true => 0,
            false => found,
        }
    }

    /// The frame of a number, counted from the first one.
    fn frame(&self, index: usize) -> &Frame {
        self.frames.get(index).unwrap_or(&self.top)
    }

    /// Whether the current thread still is in the call with which the transition began.
    pub fn in_region(&self) -> bool {
        self.region != NONE
            && self.is_patient()
            && (self.region..=self.frames.len())
                .all(|index| self.frame(index).method.region != Region::Outside)
    }

    /// Notes that a frame was left.
    #[inline]
    pub(super) fn left_frame(&mut self, region: Region) {
        if self.frames.len() < self.region
            || region == Region::Check && self.vm.rules.somebody_interrupts()
        {
            self.region = NONE;
        }
    }

    /// Notes that a thread interrupts another one. The library does so to threads that have nothing to do, and
    /// then it makes no difference.
    pub fn note_interrupt(&mut self, thread: u32) -> Run<()> {
        let idle = |frame: &Frame| &*frame.method.name == "interruptIdleWorkers";
        let own = thread == self.thread(self.current, super::header::OBJECT);
        let counts = self.vm.settings.reductions.library && !self.alone && !own;
        if !counts || self.vm.rules.somebody_interrupts() || self.frames.iter().any(idle) {
            return Ok(());
        }
        Err(self.vm.rules.learn_of_interrupts())
    }
}
