//! Transactions: a thread is interrupted only where others could tell.
//!
//! A thread takes right movers, then a step that commits, then left movers; all that is one
//! transaction, and others are looked at only where one ends. Whether a thread is in front of its
//! commit is a part of the state: its phase. At most one thread is, since others move only where the
//! one that moves has committed.
//!
//! A transaction that has committed and never ends would hide what it did from all others for ever.
//! So a state remembers whether a way of its thread to the end of a transaction is known (the mark of
//! the store says that none is), and where the search leaves a committed one without such a way, it
//! makes an end of it: all threads move there.
//!
//! Every thread that can fail is found failing. Deadlocks, and conditions on what several threads do,
//! are not kept.

use everypath_model::{Ahead, ModelError, Mover, Step, Successors, Threads};

use crate::ledger::Ledger;
use crate::options::{Observer, Options, Progress, Storage};
use crate::outcome::{Forced, Kind, Outcome, Site, Stopped};
use crate::searches::depth::differs;
use crate::searches::record::{Halt, Record, Shared};
use crate::stores::collapse::Collapse;
use crate::stores::plain::Plain;
use crate::stores::store::{Full, Seen, Store, StoreWorker};
use crate::stores::tree::Tree;

/// Which states of committed transactions need a known way to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Completion {
    /// Those behind a step that is no right mover: enough, and fewer in long transactions.
    #[default]
    CommitPoints,
    /// All of them.
    EveryState,
}

/// Searches a system of threads by transactions, in depth-first order and by one thread.
///
/// Of the options, the order and the number of threads do not count, and deadlocks and invariants are
/// not looked at. The store has to be [`Storage::Collapse`], [`Storage::Plain`] or [`Storage::Tree`].
/// The run of a violation is one of the system's own [`successors`](everypath_model::TransitionSystem::successors).
pub fn search_transactions<S: Threads>(
    system: &S,
    completion: Completion,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    let options = &Options { reduction: None, ..*options };
    let ledger = Ledger::new(options.limits.memory);
    let shared = Shared::new(options, &ledger, None);
    let split = |state: &[u32], ends: &mut Vec<u32>| {
        system.components(&state[..state.len() - 1], ends);
        ends.push(state.len() as u32);
    };
    let carried = system.carried();
    match options.store {
        Storage::Collapse => {
            // It begins once only.
            let store = Collapse::new(&split, carried, None, true, 1, &ledger);
            search_in(store.map(Collapse::steady), system, completion, &shared, observer)
        }
        Storage::Plain => {
            let store = Plain::new(carried, true, 1, &ledger);
            search_in(store, system, completion, &shared, observer)
        }
        Storage::Tree => {
            let store = Tree::new(&split, carried, true, 1, &ledger);
            search_in(store, system, completion, &shared, observer)
        }
        Storage::Delta { .. } | Storage::Compact { .. } | Storage::Bitstate { .. } => {
            let message = "a search by transactions needs a store of whole states with marks";
            Outcome::empty(Stopped::ModelError(ModelError(message.to_owned())))
        }
    }
}

fn search_in<S: Threads>(
    store: Result<impl Store, Full>,
    system: &S,
    completion: Completion,
    shared: &Shared<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    let store = match store {
        Ok(store) => store,
        Err(full) => return shared.nothing(full),
    };
    if let Some(limit) = shared.options.limits.states {
        store.limit_states(limit);
    }
    let mut search = Search {
        system,
        completion,
        worker: system.worker(),
        all: &store,
        store: store.worker(0),
        record: Record::new(shared),
        root: 0,
        stack: Vec::new(),
        records: Vec::new(),
        stack_bytes: 0,
        target: Vec::new(),
        current: None,
        steps: Successors::new(),
        movers: Vec::new(),
        forced: Forced::default(),
    };
    if let Err(halt) = search.run(observer) {
        shared.halt(halt);
    }
    // Counts what is not counted yet; there is nothing to insert any more.
    let _ = search.store.enter();
    let _ = search.store.pause();
    let Search { record, stack_bytes, forced, store: worker, .. } = search;
    drop(worker);
    let mut outcome = shared.finish(vec![record], &store, None, stack_bytes);
    outcome.forced = Some(forced);
    outcome
}

/// A state on the stack with the thread that moves.
#[derive(Clone, Copy)]
struct Frame {
    /// Where its record begins.
    record: u64,
    version: u32,
    thread: u32,
    /// Threads that moved before this one.
    tried: u32,
    /// Steps taken, and how many there are; `None` as long as nobody looked.
    taken: u32,
    total: Option<u32>,
    /// Threads that there are besides the one that led here.
    others: u32,
    /// The thread is in front of its commit.
    phase: bool,
    /// The step that led here is a right mover.
    right: bool,
    /// All threads move here.
    end: bool,
    /// There is a known way of the thread to an end.
    completed: bool,
}

struct Search<'s, S: Threads, T: Store + 's> {
    system: &'s S,
    completion: Completion,
    worker: S::Worker,
    all: &'s T,
    store: T::Worker<'s>,
    record: Record<'s>,
    /// Which initial step the stack begins with.
    root: u32,
    stack: Vec<Frame>,
    records: Vec<u32>,
    stack_bytes: u64,
    /// A state with its phase behind it.
    target: Vec<u32>,
    /// The height of the stack and the thread that the steps belong to.
    current: Option<(usize, u32)>,
    steps: Successors,
    movers: Vec<Mover>,
    /// Ends that were made of transactions without one.
    forced: Forced,
}

impl<S: Threads, T: Store> Search<'_, S, T> {
    fn run(&mut self, observer: &mut dyn Observer) -> Result<(), Halt> {
        let mut roots = Successors::new();
        self.system.initial(&mut self.worker, &mut roots)?;
        self.record.note_left_out(&roots);
        for (root, step) in roots.steps().iter().enumerate() {
            self.root = root as u32;
            if let Some(fault) = step.fault {
                self.violation(Kind::Fault(fault))?;
            }
            if step.fatal {
                continue;
            }
            self.record.transitions += 1;
            self.target.clear();
            self.target.extend_from_slice(roots.target(step));
            self.target.push(0);
            if self.enter(0, false, true)? == Seen::New && !self.stack.is_empty() {
                self.complete(0, true);
            }
            while let Some(&Frame { taken, total, .. }) = self.stack.last() {
                match total {
                    None => self.look(observer)?,
                    Some(total) if taken < total => self.step(taken as usize)?,
                    Some(_) => self.close(),
                }
            }
        }
        Ok(())
    }

    /// Makes the steps of the thread that moves on top of the stack.
    fn generate(&mut self) -> Result<Ahead, Halt> {
        let height = self.stack.len();
        let frame = &mut self.stack[height - 1];
        self.store.open(frame.version, &self.records[frame.record as usize..]);
        let state = self.store.state();
        let state = &state[..state.len() - 1];
        let threads = self.system.threads(&mut self.worker, state);
        if frame.tried == 0 {
            // A thread that is gone is none of those that are left.
            frame.others = threads - u32::from(frame.thread < threads);
        }
        if frame.thread >= threads {
            frame.thread = if frame.tried == 0 { threads } else { 0 };
        }
        self.steps.clear();
        self.movers.clear();
        self.current = Some((height, frame.thread));
        if frame.thread >= threads {
            return Ok(Ahead { left: true, ended: true });
        }
        let (steps, movers) = (&mut self.steps, &mut self.movers);
        let ahead = self.system.steps_of(&mut self.worker, state, frame.thread, steps, movers)?;
        debug_assert_eq!(self.movers.len(), self.steps.len());
        Ok(ahead)
    }

    /// Looks for the first time at what the thread on top of the stack can do.
    fn look(&mut self, observer: &mut dyn Observer) -> Result<(), Halt> {
        let ahead = self.generate()?;
        self.record.note_left_out(&self.steps);
        let top = self.stack.len() - 1;
        self.stack[top].total = Some(self.steps.len() as u32);
        // What comes next may be a transaction of its own, and a thread that has ended has ended its
        // transaction.
        if !self.stack[top].phase && (!ahead.left || ahead.ended) {
            self.complete(top, true);
        }
        let progress = || Progress {
            states: self.store.stored(),
            transitions: 0,
            depth: self.stack.len() as u64,
            frontier: self.stack.len() as u64,
            bytes: 0,
            errors: 0,
        };
        self.record.poll(1, observer, progress)?;
        self.store.pause()?;
        Ok(())
    }

    /// Notes that a state on the stack leads to an end, or is one.
    fn complete(&mut self, at: usize, end: bool) {
        let behind = self.stack.get(at + 1).map_or(self.records.len(), |f| f.record as usize);
        let frame = &mut self.stack[at];
        frame.end |= end;
        if !frame.completed {
            frame.completed = true;
            self.store.unmark(frame.version, &self.records[frame.record as usize..behind]);
        }
    }

    fn step(&mut self, ordinal: usize) -> Result<(), Halt> {
        let top = self.stack.len() - 1;
        let thread = self.stack[top].thread;
        if self.current != Some((top + 1, thread)) {
            self.generate()?;
        }
        let (Some(&step), Some(&mover)) =
            (self.steps.steps().get(ordinal), self.movers.get(ordinal))
        else {
            return Err(differs());
        };
        self.stack[top].taken += 1;
        self.record.coverage.insert(self.steps.actions(&step));
        if let Some(fault) = step.fault {
            self.violation(Kind::Fault(fault))?;
        }
        if step.fatal {
            return Ok(());
        }
        let phase = mover.phase(self.stack[top].phase);
        self.target.clear();
        self.target.extend_from_slice(self.steps.target(&step));
        self.target.push(if phase { thread + 1 } else { 0 });
        self.record.transitions += 1;
        if self.enter(thread, phase, mover.right)? == Seen::Old {
            self.complete(top, false);
        }
        Ok(())
    }

    /// Stores the target, and puts it on the stack if it is new.
    fn enter(&mut self, thread: u32, phase: bool, right: bool) -> Result<Seen, Halt> {
        let mut name = self.store.name(&self.target, None)?;
        let seen = self.store.insert(&mut name, &self.target)?;
        if seen != Seen::New {
            return Ok(seen);
        }
        let depth = self.stack.len() as u64;
        self.record.depth = self.record.depth.max(depth);
        if self.record.at_depth_limit(depth) {
            // Nothing is known of what it leads to.
            self.record.depth_limit_hit = true;
            return Ok(seen);
        }
        let ledger = self.record.shared.ledger;
        let bytes = &mut self.stack_bytes;
        if !ledger.grow_by(&mut self.records, self.target.len() + 2, bytes)
            || !ledger.grow(&mut self.stack, bytes)
        {
            return Err(Full::Memory.into());
        }
        self.stack.push(Frame {
            record: self.records.len() as u64,
            version: self.store.version(),
            thread,
            tried: 0,
            taken: 0,
            total: None,
            others: 0,
            phase,
            right,
            end: false,
            completed: false,
        });
        self.store.record(name, &self.target, &mut self.records);
        Ok(seen)
    }

    /// Goes on with the next thread where all move, and leaves the state otherwise.
    fn close(&mut self) {
        let top = self.stack.len() - 1;
        let frame = self.stack[top];
        let excused = self.completion == Completion::CommitPoints && frame.right;
        if !frame.phase && !frame.completed && !excused {
            self.forced.count += 1;
            if self.record.shared.options.collect {
                self.store.open(frame.version, &self.records[frame.record as usize..]);
                self.forced.states.extend(self.store.state().split_last().map(|s| s.1.to_vec()));
            }
            self.complete(top, true);
        }
        let frame = self.stack[top];
        if frame.completed && top > 0 {
            self.complete(top - 1, false);
        }
        if frame.end && frame.tried < frame.others {
            // If it was the last one, the first one is next.
            let (thread, tried) = (frame.thread + 1, frame.tried + 1);
            self.stack[top] = Frame { thread, tried, taken: 0, total: None, ..frame };
        } else {
            self.records.truncate(frame.record as usize);
            self.stack.pop();
            self.record.expanded += 1;
        }
    }

    /// Notes a violation in the step that the top of the stack takes.
    fn violation(&mut self, kind: Kind) -> Result<(), Halt> {
        let run = if self.record.is_new(kind) { self.steps_so_far()? } else { Vec::new() };
        let (depth, states) = (self.stack.len() as u64, self.store.stored());
        self.record.violation(kind, depth, self.all, states, || Site::Run(run.into()))
    }

    /// The run on the stack, by the numbers of steps among all steps of each state.
    fn steps_so_far(&mut self) -> Result<Vec<u32>, Halt> {
        let mut run = vec![self.root];
        let mut all = Successors::new();
        let (mut steps, mut movers) = (Successors::new(), Vec::new());
        for frame in &self.stack {
            self.store.open(frame.version, &self.records[frame.record as usize..]);
            let state = self.store.state();
            let state = &state[..state.len() - 1];
            steps.clear();
            movers.clear();
            all.clear();
            let worker = &mut self.worker;
            self.system.steps_of(worker, state, frame.thread, &mut steps, &mut movers)?;
            self.system.successors(worker, state, &mut all)?;
            let Some(step) = steps.steps().get(frame.taken as usize - 1) else {
                return Err(differs());
            };
            let same = |other: &Step| {
                all.actions(other) == steps.actions(step)
                    && all.target(other) == steps.target(step)
                    && other.fault == step.fault
            };
            let Some(at) = all.steps().iter().position(same) else { return Err(differs()) };
            run.push(at as u32);
        }
        Ok(run)
    }
}
