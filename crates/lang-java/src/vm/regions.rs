//! Calls of java.util.concurrent as steps. An operation that is linearizable, such as taking a lock or an element of
//! a queue, happens as one step, from the first thing that others could notice to the end of the call or to where
//! the thread has to wait. The library's own code is executed, so a call that waits, fails or is interrupted
//! does so where it would; only other threads do not come in between. What the program itself does in such
//! a call (a comparison, a function that it passed, a method that it overrides) is not a part of the step.
//!
//! Which operations are linearizable is told by a table, class by class: those of one class are so together, as long
//! as nobody calls anything else on its objects. Other methods, such as `size` of a map, may see what an operation
//! has half done. That nobody calls them is assumed, and checked: a class whose objects somebody looks at so
//! has no such steps in the next search.

use super::{Frame, Run, Worker};
use crate::link::{Class, Method};

/// There is no such call.
pub(crate) const NONE: usize = usize::MAX;

/// How a method counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    /// The program's own code, or a call that is not atomic.
    Outside,
    /// Library code that is as atomic as who called it.
    Same,
    /// A call that is atomic, of a class of the table.
    Atomic(u8),
    /// Another method of such a class: as atomic as who called it from inside. Whoever calls it from outside may
    /// see what others have half done.
    Other(u8),
    /// An atomic call that looks whether the thread was interrupted. Calls that can be interrupted do that first:
    /// where somebody interrupts, the rest of them is another step, since that may come in between.
    Check,
}

/// Stands for java.lang.Thread, which is not in the table.
const THREADS: u8 = u8::MAX;

/// What java.util.concurrent has for its own classes. A variable of `atomic` is read or written once in a call, or in
/// a loop around a function of the program; neither is more than single accesses are.
const PARTS: [&str; 6] = [
    "locks/AbstractQueuedSynchronizer",
    "locks/AbstractOwnableSynchronizer",
    "locks/LockSupport",
    "atomic/",
    "ThreadLocalRandom",
    "TimeUnit",
];

/// Operations that are linearizable together, by class. The comments say when they take effect.
const ATOMIC: [(&str, &[&str]); 18] = [
    // The compare-and-set of the state; who waits was not there before it is in the queue. Whether threads wait, or
    // who the owner is, is another variable.
    (
        "locks/ReentrantLock",
        &[
            "lock",
            "lockInterruptibly",
            "tryLock",
            "unlock",
            "isHeldByCurrentThread",
            "getHoldCount",
        ],
    ),
    // The same; the holder of the lock puts itself among those who wait before it gives up the lock.
    (
        "locks/AbstractQueuedSynchronizer$ConditionObject",
        &["await", "awaitNanos", "awaitUntil", "awaitUninterruptibly", "signal", "signalAll"],
    ),
    ("locks/ReentrantReadWriteLock", &["readLock", "writeLock"]),
    ("locks/ReentrantReadWriteLock$ReadLock", &["lock", "lockInterruptibly", "tryLock", "unlock"]),
    (
        "locks/ReentrantReadWriteLock$WriteLock",
        &["lock", "lockInterruptibly", "tryLock", "unlock", "isHeldByCurrentThread"],
    ),
    // The compare-and-set of the number of permits, and of the count.
    (
        "Semaphore",
        &[
            "acquire",
            "acquireUninterruptibly",
            "tryAcquire",
            "release",
            "availablePermits",
            "drainPermits",
        ],
    ),
    ("CountDownLatch", &["await", "countDown", "getCount"]),
    // Everything happens under one lock.
    ("CyclicBarrier", &["await", "isBroken", "reset", "getNumberWaiting", "getParties"]),
    ("ArrayBlockingQueue", LOCKED_QUEUE),
    ("PriorityBlockingQueue", LOCKED_QUEUE),
    ("DelayQueue", LOCKED_QUEUE),
    (
        "LinkedBlockingDeque",
        &[
            "put",
            "take",
            "offer",
            "poll",
            "add",
            "peek",
            "size",
            "putFirst",
            "putLast",
            "takeFirst",
            "takeLast",
            "offerFirst",
            "offerLast",
            "pollFirst",
            "pollLast",
            "addFirst",
            "addLast",
            "peekFirst",
            "peekLast",
            "push",
            "pop",
            "remainingCapacity",
        ],
    ),
    // The change of the count, which follows an element in and out under the lock of that end; what looks at
    // elements has both locks.
    (
        "LinkedBlockingQueue",
        &[
            "put",
            "take",
            "offer",
            "poll",
            "peek",
            "size",
            "remainingCapacity",
            "contains",
            "remove",
        ],
    ),
    // The compare-and-set of the last link, and of the element that is taken.
    ("ConcurrentLinkedQueue", &["offer", "add", "poll", "peek", "isEmpty"]),
    // The write of the first node of the key's bin, or to a node under the lock of that bin. The counts follow.
    (
        "ConcurrentHashMap",
        &[
            "get",
            "getOrDefault",
            "containsKey",
            "put",
            "putIfAbsent",
            "remove",
            "replace",
            "computeIfAbsent",
            "computeIfPresent",
            "compute",
            "merge",
        ],
    ),
    ("ConcurrentHashMap$KeySetView", &["add", "remove", "contains"]),
    // The write of the array, under a lock; whoever reads does so once.
    (
        "CopyOnWriteArrayList",
        &[
            "add",
            "addIfAbsent",
            "get",
            "set",
            "remove",
            "size",
            "isEmpty",
            "contains",
            "indexOf",
            "iterator",
        ],
    ),
    ("CopyOnWriteArraySet", &["add", "remove", "size", "isEmpty", "contains", "iterator"]),
];

/// A lock whose operations do not happen at one moment: some try only once before they queue, so that a reader that
/// meets another one waits behind a writer.
const STEPWISE: &str = "locks/StampedLock";

const LOCKED_QUEUE: &[&str] = &[
    "put",
    "take",
    "offer",
    "poll",
    "add",
    "peek",
    "size",
    "remainingCapacity",
    "contains",
    "remove",
];

/// How a method counts, by its class and name.
pub(crate) fn region_of(class: &Class, name: &str) -> Region {
    if !class.library {
        return Region::Outside;
    }
    match class.name.strip_prefix("java/util/concurrent/") {
        Some(inner) => region_of_concurrent(inner, name),
        None => match (&*class.name, name) {
            ("java/lang/Thread", "join" | "start" | "exit" | "interrupt") => {
                Region::Atomic(THREADS)
            }
            ("java/lang/Thread", "interrupted") => Region::Check,
            _ => Region::Same,
        },
    }
}

fn region_of_concurrent(class: &str, name: &str) -> Region {
    // All classes of one file stand and fall together, and so do all locks.
    let outer = |class: &'_ str| match class.starts_with("locks/") {
        true => "locks".to_owned(),
        false => class.split('$').next().unwrap_or(class).to_owned(),
    };
    let file = outer(class);
    let family = ATOMIC.iter().position(|(listed, _)| outer(listed) == file);
    let family = family.map(|index| index as u8);
    let is_part = PARTS.iter().any(|part| class.starts_with(part));
    match family {
        _ if name.starts_with('<') => Region::Same,
        _ if class.starts_with(STEPWISE) => Region::Outside,
        Some(family) if ATOMIC.iter().any(|(at, names)| *at == class && names.contains(&name)) => {
            Region::Atomic(family)
        }
        _ if is_part => Region::Same,
        Some(family) => Region::Other(family),
        // What waits in a queue does so through this class.
        None if class == "ForkJoinPool" && name.ends_with("anagedBlock") => Region::Same,
        None => Region::Outside,
    }
}

impl Worker {
    /// The call that the current thread is in and that is to go on as one step: its frame.
    pub(super) fn find_region(&self) -> usize {
        if !self.vm.settings.reductions.library {
            return NONE;
        }
        let mut found = NONE;
        for index in (0..=self.frames.len()).rev() {
            match self.region_of_frame(index) {
                Region::Atomic(_) | Region::Check => found = index,
                Region::Same | Region::Other(_) => {}
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
                .all(|index| self.region_of_frame(index) != Region::Outside)
    }

    /// How the method of a frame counts, by what is known of its class.
    fn region_of_frame(&self, index: usize) -> Region {
        match self.frame(index).method.region {
            Region::Atomic(family) | Region::Other(family) if self.vm.rules.is_seen(family) => {
                Region::Outside
            }
            region => region,
        }
    }

    /// A method is called that may see what operations of its class have half done.
    #[cold]
    pub(super) fn note_other(&mut self, method: &'static Method, family: u8) -> Run<()> {
        let counts = self.vm.settings.reductions.library && self.watches && !self.for_base;
        if !counts || method.is_static() || self.vm.rules.is_seen(family) {
            return Ok(());
        }
        let caller = self.top.method;
        let inside = match caller.region {
            Region::Atomic(by) | Region::Other(by) => by == family,
            Region::Same => caller.class.name.starts_with("java/util/concurrent/"),
            _ => false,
        };
        let object = self.peek(method.words.max(1));
        let reached = !self.alone && self.is_shared(object) || self.is_published(object);
        if inside || !reached {
            return Ok(());
        }
        Err(self.vm.rules.learn_of_seen(family, method))
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
