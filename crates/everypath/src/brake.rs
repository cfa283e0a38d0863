//! Who ends a step that takes longer than there is time, or more memory than there is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use everypath_model::{Brake, Ended};

use crate::beside::beside;
use crate::memory;

/// How often somebody looks.
const LOOK: Duration = Duration::from_millis(50);

/// What ends work.
pub struct Bounds<'a> {
    /// Set to end it.
    pub interrupt: &'a AtomicBool,
    /// When it ends.
    pub deadline: Option<Instant>,
    /// How many bytes it may take.
    pub memory: Option<u64>,
    /// How many it has taken.
    pub bytes: &'a (dyn Fn() -> u64 + Sync),
}

impl Bounds<'_> {
    fn reached(&self) -> Option<Ended> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Some(if memory::ended_it() { Ended::Memory } else { Ended::Interrupt });
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Ended::Time);
        }
        self.memory.is_some_and(|most| (self.bytes)() > most).then_some(Ended::Memory)
    }
}

/// Does work of a system; the brake is pulled where it comes to its bounds, and released behind it.
pub fn within<T>(brake: Option<&Brake>, bounds: &Bounds<'_>, work: impl FnOnce() -> T) -> T {
    let Some(brake) = brake else { return work() };
    // A heap that is made at once cannot be watched while it grows. What there is already counts too.
    let taken = memory::now().unwrap_or(0);
    brake.limit_memory(bounds.memory.map(|most| most.saturating_sub(taken).max(most / 8)));
    let look = || match bounds.reached() {
        Some(why) => {
            brake.pull(why);
            true
        }
        None => false,
    };
    // Without a thread the limits are still seen between two steps.
    let result = beside(LOOK, look, |_| work());
    brake.release();
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(bounds: &Bounds<'_>) -> Option<Ended> {
        let brake = Brake::default();
        let seen = within(Some(&brake), bounds, || {
            let give_up = Instant::now() + Duration::from_secs(60);
            while brake.pulled().is_none() && Instant::now() < give_up {
                std::thread::yield_now();
            }
            brake.pulled()
        });
        assert_eq!(brake.pulled(), None, "it is released");
        seen
    }

    #[test]
    fn work_ends_at_each_bound() {
        let (unset, set) = (AtomicBool::new(false), AtomicBool::new(true));
        let bounds = Bounds { interrupt: &unset, deadline: None, memory: Some(10), bytes: &|| 11 };
        assert_eq!(ended(&bounds), Some(Ended::Memory));
        let now = Some(Instant::now());
        assert_eq!(ended(&Bounds { deadline: now, ..bounds }), Some(Ended::Time));
        let bounds = Bounds { interrupt: &set, deadline: now, memory: None, bytes: &|| 0 };
        assert_eq!(ended(&bounds), Some(Ended::Interrupt));
    }

    #[test]
    fn work_that_ends_by_itself_is_not_ended() {
        let unset = AtomicBool::new(false);
        let bounds = Bounds { interrupt: &unset, deadline: None, memory: None, bytes: &|| 0 };
        let brake = Brake::default();
        assert_eq!(within(Some(&brake), &bounds, || 7), 7);
        assert_eq!(within(None, &bounds, || 7), 7);
    }
}
