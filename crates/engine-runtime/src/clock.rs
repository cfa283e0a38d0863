//! Vector clocks.

use everypath_model::{Event, Operation};
use rustc_hash::FxHashMap;

/// How far each thread had come, as somebody knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock(Vec<u32>);

impl Clock {
    /// How far a thread had come.
    pub fn get(&self, thread: u32) -> u32 {
        self.0.get(thread as usize).copied().unwrap_or(0)
    }

    /// Lets a thread go on.
    pub fn tick(&mut self, thread: u32) {
        let at = thread as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] += 1;
    }

    /// Adds what another clock knows.
    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own = (*own).max(*other));
    }

    /// Whether everything that this clock knows is known to the other one.
    pub fn is_before(&self, other: &Clock) -> bool {
        self.0.iter().enumerate().all(|(thread, &time)| time <= other.get(thread as u32))
    }
}

/// Which events order threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Everything that does: happens-before.
    All,
    /// Starting and joining threads alone.
    Forks,
}

/// The clocks of all threads of a run.
#[derive(Debug)]
pub(crate) struct Clocks {
    order: Order,
    threads: Vec<Clock>,
    locks: FxHashMap<u32, Clock>,
    published: FxHashMap<u32, Clock>,
}

impl Clocks {
    pub fn new(order: Order) -> Clocks {
        let (locks, published) = (FxHashMap::default(), FxHashMap::default());
        Clocks { order, threads: Vec::new(), locks, published }
    }

    /// The clock of a thread.
    pub fn of(&mut self, thread: u32) -> &mut Clock {
        let at = thread as usize;
        while self.threads.len() <= at {
            // Times begin with 1, so that 0 is known to everybody.
            let mut clock = Clock::default();
            clock.tick(self.threads.len() as u32);
            self.threads.push(clock);
        }
        &mut self.threads[at]
    }

    /// What an event does to the clocks.
    pub fn take(&mut self, event: &Event) {
        let Event { thread, operation, .. } = *event;
        match operation {
            Operation::Start(child) => {
                let known = self.of(thread).clone();
                self.of(child).join(&known);
                self.of(thread).tick(thread);
            }
            Operation::Join(child) => {
                let known = self.of(child).clone();
                self.of(thread).join(&known);
            }
            _ if self.order == Order::Forks => {}
            Operation::Acquire(lock) => {
                if let Some(known) = self.locks.get(&lock).cloned() {
                    self.of(thread).join(&known);
                }
            }
            Operation::Release(lock) => {
                let known = self.of(thread).clone();
                self.locks.insert(lock, known);
                self.of(thread).tick(thread);
            }
            Operation::Observe(location) => {
                if let Some(known) = self.published.get(&location).cloned() {
                    self.of(thread).join(&known);
                }
            }
            Operation::Publish(location) => {
                let known = self.of(thread).clone();
                self.published.entry(location).or_default().join(&known);
                self.of(thread).tick(thread);
            }
            Operation::Read(_) | Operation::Write(_) => {}
        }
    }
}
