//! Where threads wait for each other, unless one of them fails.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How often a thread looks whether the others are there before it goes to sleep: about as long as
/// it takes to wake it up.
const PATIENCE: u32 = 12_000;

/// Lets nobody go on before all are there.
pub(crate) struct Barrier {
    state: Mutex<State>,
    changed: Condvar,
    /// How often all were there.
    round: AtomicU64,
}

struct State {
    /// How many there are.
    threads: usize,
    here: usize,
    /// Some thread will never come.
    broken: bool,
}

impl Barrier {
    pub fn new(threads: usize) -> Barrier {
        Barrier {
            state: Mutex::new(State { threads, here: 0, broken: false }),
            changed: Condvar::new(),
            round: AtomicU64::new(0),
        }
    }

    /// Waits for all others. Panics if one of them has failed.
    pub fn wait(&self) {
        let mut state = self.lock();
        let round = self.round.load(Ordering::Relaxed);
        let over = || self.round.load(Ordering::Acquire) != round;
        state.here += 1;
        if state.here == state.threads {
            state.here = 0;
            self.round.store(round + 1, Ordering::Release);
            drop(state);
            self.changed.notify_all();
            return;
        }
        drop(state);
        for _ in 0..PATIENCE {
            if over() {
                return;
            }
            std::hint::spin_loop();
        }
        let mut state = self.lock();
        while !over() && !state.broken {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if !over() {
            drop(state);
            // The failure itself was reported.
            std::panic::resume_unwind(Box::new("another thread has failed"));
        }
    }

    /// So many will not come; at least one that will is not here yet.
    pub fn go_without(&self, missing: usize) {
        self.lock().threads -= missing;
    }

    /// Nobody waits here any more.
    pub fn tear_down(&self) {
        self.lock().broken = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Calls for the others when its thread fails.
pub(crate) struct Alarm<F: Fn()>(pub F);

impl<F: Fn()> Drop for Alarm<F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (self.0)();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn all_or_nobody() {
        let barrier = Barrier::new(3);
        let sum = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for round in 1..=100 {
                        sum.fetch_add(1, Ordering::Relaxed);
                        barrier.wait();
                        assert_eq!(sum.load(Ordering::Relaxed), 3 * round);
                        barrier.wait();
                    }
                });
            }
        });
    }

    #[test]
    fn nobody_waits_for_a_thread_that_failed() {
        let barrier = Barrier::new(2);
        let ends = std::thread::scope(|scope| {
            let one = scope.spawn(|| barrier.wait());
            let other = scope.spawn(|| {
                let _alarm = Alarm(|| barrier.tear_down());
                std::panic::resume_unwind(Box::new("failed"));
            });
            (one.join().is_err(), other.join().is_err())
        });
        assert_eq!(ends, (true, true));
    }
}
