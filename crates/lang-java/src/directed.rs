//! What tells a directed search which states of a program seem promising.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use everypath_model::Action;

use crate::describe::Call;
use crate::program::Program;
use crate::system::JavaWorker;
use crate::vm::{Status, Worker, header};

/// A thread stands at a place, is in its method, is in a call of it, or is somewhere else.
const IN_METHOD: u32 = 1;
const BELOW: u32 = 2;
const ELSEWHERE: u32 = 4;

impl Program {
    /// How many threads of a state are alive and cannot move.
    pub fn blocked_count(&self, worker: &mut JavaWorker, state: &[u32]) -> u32 {
        let inner = &mut worker.inner;
        inner.load(state);
        let stuck = |&thread: &usize| {
            inner.is_alive(thread) && inner.alternatives(thread).is_ok_and(|count| count == 0)
        };
        (0..inner.threads.len()).filter(stuck).count() as u32
    }

    /// Whether a step of a state goes one of several ways because of a choice of the program, or because time
    /// has passed, and not because of the schedule alone.
    pub fn is_choice(&self, worker: &mut JavaWorker, state: &[u32], actions: &[Action]) -> bool {
        let inner = &mut worker.inner;
        inner.load(state);
        actions.iter().any(|action| {
            let thread = action.process as usize;
            thread < inner.threads.len()
                && inner.is_alive(thread)
                && match inner.status(thread) {
                    Status::Choice => inner.thread(thread, header::COUNT) > 1,
                    Status::TimedWait | Status::Sleep => true,
                    Status::TimedPark => !inner.has_permit(thread),
                    _ => false,
                }
        })
    }

    /// What a directed search goes for: the places of warnings, as stack traces have them.
    pub fn set_aims(&self, aims: Vec<Vec<String>>) {
        *self.aims.write().unwrap_or_else(PoisonError::into_inner) = aims;
    }

    /// Says that single runs showed locks that are taken in a circle.
    pub fn set_lock_aims(&self, any: bool) {
        self.has_lock_aims.store(any, Ordering::Relaxed);
    }

    /// Whether they did.
    pub fn has_lock_aims(&self) -> bool {
        self.has_lock_aims.load(Ordering::Relaxed)
    }

    /// How far the threads of a state are from the places of the nearest warning; each place takes another thread.
    pub fn distance_to_aims(&self, worker: &mut JavaWorker, state: &[u32]) -> u32 {
        let aims = self.aims.read().unwrap_or_else(PoisonError::into_inner);
        let inner = &mut worker.inner;
        inner.load(state);
        let threads: Vec<Vec<Call>> = (0..inner.threads.len())
            .filter(|&thread| inner.is_alive(thread))
            .map(|thread| inner.calls(thread))
            .collect();
        let far = |places: &Vec<String>| -> u32 {
            let mut free: Vec<&Vec<Call>> = threads.iter().collect();
            let mut sum = 0;
            for place in places {
                let near = free.iter().map(|calls| Worker::distance_to(calls, place)).enumerate();
                match near.min_by_key(|&(_, far)| far) {
                    Some((index, far)) => {
                        free.swap_remove(index);
                        sum += far;
                    }
                    None => sum += ELSEWHERE,
                }
            }
            sum
        };
        aims.iter().map(far).min().unwrap_or(0)
    }
}

impl Worker {
    /// How far a thread is from a place.
    fn distance_to(calls: &[Call], place: &str) -> u32 {
        let method = |text: &str| text.split('(').next().unwrap_or_default().to_owned();
        let wanted = method(place);
        let own: Vec<String> =
            calls.iter().filter(|call| call.is_program()).map(Call::text).collect();
        match own.iter().rposition(|text| method(text) == wanted) {
            Some(at) if own[at] == place => 0,
            Some(at) if at + 1 == own.len() => IN_METHOD,
            Some(_) => BELOW,
            None => ELSEWHERE,
        }
    }
}
