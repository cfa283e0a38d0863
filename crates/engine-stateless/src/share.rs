//! Several threads: who has nothing to do gets branches of the run that another one follows.
//!
//! A branch is given away together with all others of its point: then every thread moves there that can, and whatever is
//! found further down need not add another one. Points above are of that kind already. Those that come
//! later sleep as if the branches before them had been followed.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use everypath_model::{Conflicts, Executed, Touch};

use crate::node::Asleep;
use crate::outcome::Stopped;
use crate::search::Search;

/// How long somebody without work waits before he looks at the time.
const WAIT: Duration = Duration::from_millis(20);

/// A branch that somebody has to follow.
#[derive(Debug, Default)]
pub(crate) struct Task {
    /// The moves that lead to its point.
    pub path: Vec<(u32, u32)>,
    /// Who sleeps at each point of the way, the last one included.
    pub sleep: Vec<Vec<Asleep>>,
    /// Who moves there; everybody as usual at the beginning.
    pub first: Option<u32>,
}

/// What all threads share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    threads: AtomicUsize,
    tasks: Mutex<Tasks>,
    news: Condvar,
    /// Threads without work.
    idle: AtomicUsize,
    /// Set when some thread has to end, so that all do.
    pub stop: AtomicBool,
    stopped: Mutex<Option<Stopped>>,
    pub steps: AtomicU64,
    pub executions: AtomicU64,
}

#[derive(Debug, Default)]
struct Tasks {
    open: Vec<Task>,
    /// Threads that were woken although they slept, by the way to the point.
    woken: BTreeSet<(Vec<(u32, u32)>, u32)>,
    /// All is done.
    over: bool,
}

impl Shared {
    pub fn new(threads: usize) -> Shared {
        let tasks = Mutex::new(Tasks { open: vec![Task::default()], ..Tasks::default() });
        Shared { threads: threads.into(), tasks, ..Shared::default() }
    }

    /// So many threads will not come; at least one that will has not asked for a task yet.
    pub fn go_without(&self, missing: usize) {
        self.threads.fetch_sub(missing, Ordering::Relaxed);
    }

    /// Ends the search of all threads.
    pub fn halt(&self, why: Stopped) {
        self.stopped.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
        self.stop.store(true, Ordering::Relaxed);
        self.news.notify_all();
    }

    /// Why the search ended.
    pub fn reason(&self) -> Stopped {
        let stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner).clone();
        stopped.unwrap_or(Stopped::Finished)
    }

    /// Whether somebody waits for work.
    pub fn is_wanted(&self) -> bool {
        self.threads.load(Ordering::Relaxed) > 1 && self.idle.load(Ordering::Relaxed) > 0
    }

    fn give(&self, tasks: impl IntoIterator<Item = Task>) {
        let mut all = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        all.open.extend(tasks);
        drop(all);
        self.news.notify_all();
    }

    /// A branch to follow; `None` if all is done. `look` is called now and then.
    pub fn task(&self, look: &mut dyn FnMut() -> Result<(), Stopped>) -> Option<Task> {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        let mut idle = false;
        loop {
            if tasks.over || self.stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(task) = tasks.open.pop() {
                if idle {
                    self.idle.fetch_sub(1, Ordering::Relaxed);
                }
                return Some(task);
            }
            if !std::mem::replace(&mut idle, true)
                && self.idle.fetch_add(1, Ordering::Relaxed) + 1
                    == self.threads.load(Ordering::Relaxed)
            {
                tasks.over = true;
                self.news.notify_all();
                return None;
            }
            let waited = self.news.wait_timeout(tasks, WAIT);
            tasks = waited.unwrap_or_else(PoisonError::into_inner).0;
            drop(tasks);
            if let Err(why) = look() {
                self.halt(why);
            }
            tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets a thread move at a point where it sleeps and all others move.
    pub fn wake(&self, task: Task) {
        let Some(thread) = task.first else { return };
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        if tasks.woken.insert((task.path.clone(), thread)) {
            tasks.open.push(task);
            drop(tasks);
            self.news.notify_all();
        }
    }
}

impl<S: Conflicts> Search<'_, S> {
    /// The way to a point of the run, as a branch that begins there.
    pub(crate) fn task_at(&self, node: usize, first: u32) -> Task {
        let moves = (0..node).map(|index| {
            let event = self.past.event(index);
            (event.thread, event.alternative)
        });
        let sleep = self.nodes[..=node].iter().map(|node| node.sleep.clone());
        Task { path: moves.collect(), sleep: sleep.collect(), first: Some(first) }
    }

    /// Gives away the branches of the first point of the run that has any.
    pub(crate) fn give_away(&mut self) -> Result<(), Stopped> {
        for index in 0..self.depth.saturating_sub(1) {
            let node = &self.nodes[index];
            if node.closed || node.turn.exclusive {
                continue;
            }
            // What the current thread touches has to be known.
            let settled = node.alternatives <= 1 && !self.nodes[index + 1].turn.exclusive;
            let left: Vec<u32> = node
                .turn
                .moves
                .iter()
                .map(|one| one.0)
                .filter(|&thread| !node.done.contains(&thread) && !node.is_asleep(thread))
                .collect();
            if left.is_empty() {
                self.nodes[index].closed = true;
                continue;
            }
            if !settled {
                return Ok(());
            }
            let current = node.done.last().copied();
            let mut sleep = node.sleep.clone();
            sleep.extend(current.map(|thread| Asleep {
                thread,
                touches: self.past.event(index).touches.as_slice().into(),
            }));
            let mut tasks = Vec::new();
            for thread in left {
                let mut task = self.task_at(index, thread);
                if let Some(last) = task.sleep.last_mut() {
                    last.clone_from(&sleep);
                }
                tasks.push(task);
                if let Some(touches) = self.touches_of(index, thread)? {
                    sleep.push(Asleep { thread, touches: touches.as_slice().into() });
                }
            }
            let node = &mut self.nodes[index];
            node.closed = true;
            node.todo.clear();
            // The first ones are the largest, and the last task is taken first.
            tasks.reverse();
            self.shared.give(tasks);
            return Ok(());
        }
        Ok(())
    }

    /// What the step of a thread touches; `None` if others cannot come in between what follows.
    fn touches_of(&mut self, node: usize, thread: u32) -> Result<Option<Vec<Touch>>, Stopped> {
        let mut all = Vec::new();
        let mut step = Executed::default();
        let mut turn = everypath_model::Turn::default();
        for alternative in 0..self.nodes[node].alternatives_of(thread) {
            step.clear();
            let point = &self.nodes[node].point;
            self.system.execute(&mut self.worker, point, thread, alternative, &mut step)?;
            if step.cut {
                return Ok(None);
            }
            self.system.turn(&mut self.worker, &step.point, &mut turn)?;
            if turn.exclusive {
                return Ok(None);
            }
            all.extend_from_slice(&step.touches);
        }
        Touch::tidy(&mut all);
        Ok(Some(all))
    }
}
