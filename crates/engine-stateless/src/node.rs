//! The points of the run that is followed, and what is left to do in each of them.

use std::sync::Arc;

use everypath_model::{Touch, Turn};

/// A thread that need not move: what begins with its step is known, as long as nothing conflicts with it.
#[derive(Clone, Debug)]
pub(crate) struct Asleep {
    pub thread: u32,
    pub touches: Arc<[Touch]>,
}

/// A point of the run.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub point: Vec<u32>,
    pub turn: Turn,
    pub sleep: Vec<Asleep>,
    /// Threads that are still to move here.
    pub todo: Vec<u32>,
    /// Those that have, the current one last.
    pub done: Vec<u32>,
    /// The alternative of the current thread that comes next, and how many there are.
    pub alternative: u32,
    pub alternatives: u32,
    /// What the steps of the current thread touched.
    pub touched: Vec<Touch>,
    /// The thread that made the last step, how often one was interrupted, and how often another one went on.
    pub last: Option<u32>,
    pub preemptions: u32,
    pub switches: u32,
    /// Steps of that thread in a row.
    pub turns: u32,
    /// Every thread moves here that can, or sleeps: others follow what is not followed here.
    pub closed: bool,
}

impl Node {
    pub fn clear(&mut self) {
        self.sleep.clear();
        self.todo.clear();
        self.done.clear();
        self.alternative = 0;
        self.alternatives = 0;
        self.touched.clear();
        self.closed = false;
    }

    pub fn alternatives_of(&self, thread: u32) -> u32 {
        let found = self.turn.moves.iter().find(|(known, _)| *known == thread);
        found.map_or(0, |(_, count)| *count)
    }

    pub fn is_asleep(&self, thread: u32) -> bool {
        self.sleep.iter().any(|asleep| asleep.thread == thread)
    }

    /// Whether a thread moves here.
    pub fn moves(&self, thread: u32) -> bool {
        let sleeps = || self.is_asleep(thread);
        self.done.contains(&thread) || self.todo.contains(&thread) || (self.closed && !sleeps())
    }

    /// Lets all threads move here that can.
    pub fn add_all(&mut self) {
        if self.closed {
            return;
        }
        for index in 0..self.turn.moves.len() {
            let thread = self.turn.moves[index].0;
            if !self.moves(thread) && !self.is_asleep(thread) {
                self.todo.push(thread);
            }
        }
    }

    /// The next move; threads whose moves are all done go to sleep, if they may.
    pub fn next(&mut self, sleeps: bool) -> Option<(u32, u32)> {
        if self.alternative < self.alternatives {
            self.alternative += 1;
            return self.done.last().map(|&thread| (thread, self.alternative - 1));
        }
        if let Some(&thread) = self.done.last()
            && self.alternatives > 0
            && sleeps
        {
            Touch::tidy(&mut self.touched);
            self.sleep.push(Asleep { thread, touches: self.touched.as_slice().into() });
        }
        self.touched.clear();
        self.alternatives = 0;
        while !self.todo.is_empty() {
            let thread = self.todo.remove(0);
            let alternatives = self.alternatives_of(thread);
            if alternatives > 0 {
                // It may have to move although it sleeps.
                self.sleep.retain(|asleep| asleep.thread != thread);
                self.done.push(thread);
                self.alternative = 1;
                self.alternatives = alternatives;
                return Some((thread, 0));
            }
        }
        None
    }

    /// What moving a thread costs: interruptions and switches so far.
    pub fn cost(&self, thread: u32) -> (u32, u32) {
        match self.last {
            Some(last) if last != thread && !self.turn.exclusive => {
                let interrupted = self.turn.moves.iter().any(|(known, _)| *known == last);
                (self.preemptions + u32::from(interrupted), self.switches + 1)
            }
            _ => (self.preemptions, self.switches),
        }
    }
}
