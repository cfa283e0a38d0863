//! Somebody who looks how much memory the process really has while it works.
//!
//! Searches count what their stores take. What threads remember, what the allocator has not given back, and the
//! heap of a program in the middle of a step come on top of that; here all of it counts.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use everypath_model::spawn;

use super::{now, refusal};

/// How often.
const LOOK: Duration = Duration::from_millis(8);
/// What a process may have beside its limit.
const BESIDE: u64 = 8 << 20;

/// Whether the work that was guarded last was ended for its memory.
static ENDED: AtomicBool = AtomicBool::new(false);

/// Whether it is for the memory that work was interrupted.
pub fn ended_it() -> bool {
    ENDED.load(Ordering::Relaxed)
}

/// Says that the work is done, also if it gave up.
struct Done<'a>(&'a (Mutex<bool>, Condvar));

impl Drop for Done<'_> {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.1.notify_all();
    }
}

/// Does work that ends early when it is told to: because `interrupt` is set, or because the process has taken not
/// just a little more than `limit` bytes, or can get no more. As much again as it has, and half the limit, is always
/// allowed for, so that a small limit does not end everything.
pub fn guarded<T>(
    limit: Option<u64>,
    interrupt: &AtomicBool,
    work: impl FnOnce(&AtomicBool) -> T,
) -> T {
    ENDED.store(false, Ordering::Relaxed);
    let Some(before) = now() else { return work(interrupt) };
    let most = limit
        .map(|limit| limit.saturating_add(BESIDE).max((before + BESIDE).saturating_add(limit / 2)));
    let stop = AtomicBool::new(interrupt.load(Ordering::Relaxed));
    let state = (Mutex::new(false), Condvar::new());
    std::thread::scope(|scope| {
        let watch = || {
            let mut done = state.0.lock().unwrap_or_else(PoisonError::into_inner);
            while !*done {
                let much = most.is_some_and(|most| now().is_some_and(|now| now > most));
                if much || refusal::refused() {
                    ENDED.store(true, Ordering::Relaxed);
                    stop.store(true, Ordering::Relaxed);
                    return;
                }
                if interrupt.load(Ordering::Relaxed) {
                    stop.store(true, Ordering::Relaxed);
                    return;
                }
                let waited = state.1.wait_timeout(done, LOOK);
                done = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        };
        // Without this thread the limit is what searches count themselves.
        let stop = match spawn(scope, watch) {
            Some(_) => &stop,
            None => interrupt,
        };
        let _done = Done(&state);
        work(stop)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn until(stop: &AtomicBool) -> bool {
        let begin = Instant::now();
        while !stop.load(Ordering::Relaxed) && begin.elapsed() < Duration::from_secs(20) {
            std::thread::yield_now();
        }
        stop.load(Ordering::Relaxed)
    }

    #[test]
    fn what_takes_too_much_is_ended() {
        let unset = AtomicBool::new(false);
        let mut much = Vec::new();
        let ended = guarded(Some(4 << 20), &unset, |stop| {
            much = vec![1_u8; 64 << 20];
            until(stop)
        });
        assert!(ended && ended_it() && much.len() == 64 << 20);
        let ended = guarded(None, &AtomicBool::new(true), until);
        assert!(ended && !ended_it());
        assert_eq!(guarded(Some(1 << 40), &unset, |_| 7), 7);
    }
}
