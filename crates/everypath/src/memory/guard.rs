//! Somebody who looks how much memory the process really has while it works.
//!
//! Searches count what their stores take. What threads remember, what the allocator has not given back, and the
//! heap of a program in the middle of a step come on top of that; here all of it counts.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{now, refusal};
use crate::beside::beside;

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

/// Does work that ends early when it is told to: because `interrupt` is set, or because the process has taken not
/// just a little more than `limit` bytes, or can get no more. A little more than it has now, and half the limit on top,
/// is always allowed, so that a small limit does not end everything.
pub fn guarded<T>(
    limit: Option<u64>,
    interrupt: &AtomicBool,
    work: impl FnOnce(&AtomicBool) -> T,
) -> T {
    ENDED.store(false, Ordering::Relaxed);
    refusal::recover();
    let Some(before) = now() else { return work(interrupt) };
    let most = limit
        .map(|limit| limit.saturating_add(BESIDE).max((before + BESIDE).saturating_add(limit / 2)));
    let stop = AtomicBool::new(interrupt.load(Ordering::Relaxed));
    let look = || {
        let much = most.is_some_and(|most| now().is_some_and(|now| now > most));
        let ended = much || refusal::refused();
        if ended {
            ENDED.store(true, Ordering::Relaxed);
        }
        let over = ended || interrupt.load(Ordering::Relaxed);
        if over {
            stop.store(true, Ordering::Relaxed);
        }
        over
    };
    // Without a thread that looks the limit is what searches count themselves.
    beside(LOOK, look, |watched| work(if watched { &stop } else { interrupt }))
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
