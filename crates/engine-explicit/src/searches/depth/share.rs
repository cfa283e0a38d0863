//! Depth-first search by several threads: each has a stack of its own, and who has nothing to do gets
//! steps from the bottom of the stack of another, where most is left to do.
//!
//! Nobody looks into the stack of another. A thread that has nothing says so, and those that have look
//! at that after each new state: whoever sees it first gives away the steps that the lowest state on
//! its stack has left. Every step of every state is taken once, so states and transitions are those of
//! one thread. States on whose cycles the search looks are not given but shown; see `cycles`.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use everypath_model::{TransitionSystem, spawn};

use super::prefix::Prefix;
use super::{Frame, Search};
use crate::options::Observer;
use crate::outcome::{Outcome, Stopped};
use crate::searches::barrier::Alarm;
use crate::searches::record::{Halt, Shared};
use crate::stores::store::{Store, StoreWorker};

/// Steps of a state that nobody has taken yet.
struct Task {
    /// The run to the state.
    prefix: Arc<Prefix>,
    version: u32,
    record: Vec<u32>,
    /// The steps that are left, of so many.
    taken: u32,
    total: u32,
    count: u32,
    /// Whether the state is on the stack of the thread that gives it, too: then it has all steps.
    shown: bool,
    bytes: u64,
}

/// What threads share.
pub(super) struct Pool {
    open: Mutex<Open>,
    wake: Condvar,
    /// Threads that wait for something that is not there yet.
    hungry: AtomicUsize,
}

struct Open {
    tasks: Vec<Task>,
    /// Threads that have something to do.
    busy: usize,
    /// Threads that have not.
    waiting: usize,
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, task: Task) {
        let mut open = self.lock();
        open.tasks.push(task);
        self.count(&open);
        drop(open);
        self.wake.notify_one();
    }

    fn count(&self, open: &Open) {
        self.hungry.store(open.waiting.saturating_sub(open.tasks.len()), Ordering::Relaxed);
    }

    /// A thread has failed: the others end.
    fn fail(&self, shared: &Shared<'_>) {
        shared.stop.store(true, Ordering::Relaxed);
        // Who saw no reason to end is waiting now.
        drop(self.lock());
        self.wake.notify_all();
    }

    /// The next task for a thread that has done its work; `None` if all is done.
    fn next(&self, shared: &Shared<'_>) -> Option<Task> {
        let mut open = self.lock();
        open.busy -= 1;
        let task = loop {
            if shared.stop.load(Ordering::Relaxed) {
                break None;
            }
            if let Some(task) = open.tasks.pop() {
                open.busy += 1;
                break Some(task);
            }
            if open.busy == 0 {
                break None;
            }
            open.waiting += 1;
            self.count(&open);
            open = self.wake.wait(open).unwrap_or_else(PoisonError::into_inner);
            open.waiting -= 1;
        };
        self.count(&open);
        if task.is_none() {
            self.wake.notify_all();
        }
        task
    }
}

pub(super) fn search<S: TransitionSystem, T: Store>(
    system: &S,
    store: &T,
    shared: &Shared<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    let threads = super::threads(shared.options);
    let pool = Pool {
        open: Mutex::new(Open { tasks: Vec::new(), busy: threads, waiting: 0 }),
        wake: Condvar::new(),
        hungry: AtomicUsize::new(0),
    };
    let pool = &pool;
    let alarm = || pool.fail(shared);
    let left = std::thread::scope(|scope| {
        let _alarm = Alarm(alarm);
        let helpers: Vec<_> = (1..threads)
            .map_while(|index| {
                spawn(scope, move || {
                    let _alarm = Alarm(alarm);
                    let mut search = Search::new(system, store, shared, index, Some(pool));
                    search.tasks(pool, &mut ());
                    search.leave()
                })
            })
            .collect();
        pool.lock().busy -= threads - 1 - helpers.len();
        let mut first = Search::new(system, store, shared, 0, Some(pool));
        if let Err(halt) = first.run(observer) {
            shared.halt(halt);
        }
        first.tasks(pool, observer);
        let mut all = vec![first.leave()];
        for helper in helpers {
            match helper.join() {
                Ok(left) => all.push(left),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    let stack = left.iter().map(|(_, bytes)| bytes).sum();
    let records = left.into_iter().map(|(record, _)| record).collect();
    shared.finish(records, store, None, stack)
}

impl<'s, S: TransitionSystem, T: Store> Search<'s, S, T> {
    /// Works for others until there is nothing left to do.
    fn tasks(&mut self, pool: &'s Pool, observer: &mut dyn Observer) {
        loop {
            self.record.tell();
            // A search that was stopped leaves things behind.
            self.stack.clear();
            self.records.clear();
            self.kept.clear();
            let _ = self.store.settle();
            self.store.leave();
            let task = pool.next(self.record.shared);
            let entered = self.store.enter();
            let Some(task) = task else { return };
            let result = match entered {
                Ok(()) => self.work_on(task, observer),
                Err(full) => Err(full.into()),
            };
            if let Err(halt) = result {
                self.record.shared.halt(halt);
            }
        }
    }

    fn work_on(&mut self, task: Task, observer: &mut dyn Observer) -> Result<(), Halt> {
        let Task { prefix, version, record, taken, total, count, shown, bytes } = task;
        let frame = Frame {
            taken,
            total,
            count,
            bad: shown,
            again: shown,
            backwards: shown && self.watch.as_ref().is_some_and(|watch| watch.backwards),
            ..Frame::new(0, version)
        };
        self.prefix = prefix;
        self.given.clear();
        self.low = 0;
        self.records.extend_from_slice(&record);
        self.stack.push(frame);
        if shown {
            self.enter_cycle(frame);
        }
        let result = self.work_off(observer);
        self.record.shared.ledger.give(bytes);
        result
    }

    /// Gives steps to a thread that has none, if there is one.
    #[inline]
    pub(super) fn share(&mut self, pool: &Pool) -> Result<(), Halt> {
        if self.record.shared.stop.load(Ordering::Relaxed) {
            // Another thread has said why.
            return Err(Halt(Stopped::Interrupted));
        }
        if pool.hungry.load(Ordering::Relaxed) > 0 {
            self.give(pool);
        }
        Ok(())
    }

    /// The run to a state on the stack; `None` if there is no memory for it. Steps that were told before
    /// are not told again: stacks may be millions of states deep.
    fn run_to(&mut self, at: usize) -> Option<Arc<Prefix>> {
        while self.given.pop_if(|(known, _)| *known > at).is_some() {}
        let (known, before) = match self.given.last() {
            Some((known, before)) => (*known, before),
            None => (0, &self.prefix),
        };
        let bytes = 64 + 4 * (at - known) as u64;
        if !self.record.shared.ledger.take(bytes) {
            return None;
        }
        self.stack_bytes += bytes;
        let run = before.with(self.stack[known..at].iter().map(Frame::last).collect());
        self.given.push((at, run.clone()));
        Some(run)
    }

    #[cold]
    fn give(&mut self, pool: &Pool) {
        self.low = self.low.min(self.stack.len());
        // The topmost state is this thread's own.
        let last = self.stack.len().saturating_sub(1);
        let has_none = |frame: &Frame| frame.taken == frame.total || frame.shown;
        while self.low < last && has_none(&self.stack[self.low]) {
            self.low += 1;
        }
        if self.low >= last {
            return;
        }
        let frame = self.stack[self.low];
        let end = self.stack[self.low + 1].record as usize;
        let record = self.records[frame.record as usize..end].to_vec();
        let bytes = 4 * record.len() as u64;
        let Some(prefix) = self.run_to(self.low) else { return };
        if !self.record.shared.ledger.take(bytes) {
            return;
        }
        let Frame { version, taken, total, count, bad, .. } = frame;
        if bad {
            // It is done when all that it leads to is: each looks at all of that, in another order.
            let (taken, total) = (0, count);
            pool.put(Task { prefix, version, record, taken, total, count, shown: true, bytes });
            self.stack[self.low].shown = true;
            return;
        }
        pool.put(Task { prefix, version, record, taken, total, count, shown: false, bytes });
        // The number of steps taken stays: it tells how the states above were reached.
        self.stack[self.low].total = taken;
        self.stack[self.low].given = true;
    }
}
