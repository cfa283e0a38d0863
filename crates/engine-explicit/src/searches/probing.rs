//! Searches beside a breadth-first search, for violations that lie deep.
//!
//! A breadth-first search finds shortest runs, and never comes to what lies below its widest level. Between two of
//! its levels, now and then, a search in another order looks around for a while. When that is and how far it goes
//! follows from the number of states alone, so that the same command finds the same runs again.

use everypath_model::{ModelError, TransitionSystem};

use crate::options::{
    AfterViolation, Control, Limits, Meanwhile, Observer, Options, Order, Progress,
};
use crate::outcome::Outcome;
use crate::search;

/// By how much more states there have to be for the next interruption.
const GROWTH: u64 = 4;
/// The part of the known states that a probe may store.
const SHARE: u64 = 4;

/// When a breadth-first search is interrupted.
#[derive(Clone, Debug)]
pub struct Schedule {
    first: u64,
    next: u64,
}

impl Schedule {
    /// One whose first interruption comes when this many states are known.
    pub fn new(first: u64) -> Schedule {
        Schedule { first, next: first }
    }

    /// Begins again.
    pub fn begin(&mut self) {
        self.next = self.first;
    }

    /// How many states a probe may store, if it is time for one now that so many are known.
    pub fn due(&mut self, states: u64) -> Option<u64> {
        if states < self.next {
            return None;
        }
        self.next = states.saturating_mul(GROWTH);
        Some(self.first.max(states / SHARE))
    }
}

impl Options<'_> {
    /// The options of a probe that may store so many states beside a search that takes so many bytes.
    pub fn of_probe(&self, states: u64, bytes: u64) -> Options<'_> {
        let memory = self.limits.memory.map(|limit| limit.saturating_sub(bytes));
        Options {
            threads: 1,
            limits: Limits { states: Some(states), memory, ..self.limits },
            checkpoints: None,
            disk: None,
            resume: None,
            ..*self
        }
    }
}

/// States of a product after which it is looked at in depth as well.
const FIRST: u64 = 1 << 16;

/// Searches breadth first for one violation, and now and then depth first; gives the outcome of the search that found
/// it and its order, else those of the first one. Nothing is to happen after a violation.
pub fn search_deep<S: TransitionSystem>(
    system: &S,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> (Outcome, Order) {
    debug_assert!(options.order == Order::Breadth);
    debug_assert!(options.after_violation == AfterViolation::Stop);
    let schedule = Schedule::new(FIRST);
    let mut deep = Deep { system, options, observer, schedule, found: None };
    let outcome = search(system, options, &mut deep);
    match deep.found {
        Some(found) if outcome.violations.is_empty() => (found, Order::Depth),
        _ => (outcome, Order::Breadth),
    }
}

struct Deep<'a, S> {
    system: &'a S,
    options: &'a Options<'a>,
    observer: &'a mut dyn Observer,
    schedule: Schedule,
    found: Option<Outcome>,
}

impl<S: TransitionSystem> Observer for Deep<'_, S> {
    fn progress(&mut self, progress: &Progress) -> Control {
        self.observer.progress(progress)
    }

    fn begin(&mut self) {
        self.schedule.begin();
        self.found = None;
    }

    fn level(&mut self, states: u64, bytes: u64) -> Result<Meanwhile, ModelError> {
        let Some(budget) = self.schedule.due(states) else { return Ok(Meanwhile::Nothing) };
        let options = Options { order: Order::Depth, ..self.options.of_probe(budget, bytes) };
        let outcome = search(self.system, &options, self.observer);
        if outcome.violations.is_empty() {
            return Ok(Meanwhile::Nothing);
        }
        self.found = Some(outcome);
        Ok(Meanwhile::Violation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_follows_from_the_number_of_states() {
        let mut schedule = Schedule::new(100);
        assert_eq!(schedule.due(99), None);
        assert_eq!(schedule.due(130), Some(100));
        assert_eq!(schedule.due(519), None);
        assert_eq!(schedule.due(520), Some(130));
        assert_eq!(schedule.due(u64::MAX), Some(u64::MAX / SHARE));
        schedule.begin();
        assert_eq!(schedule.due(100), Some(100));
    }
}
