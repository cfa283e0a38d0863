//! Best-first search: the state that seems nearest to a violation is expanded next.
//!
//! There is a queue for each heuristic, and they take turns, so that a bad one costs no more than
//! half of the search. Every state is expanded once, whatever leads to it: a search that comes to its
//! end has seen what any other has.
//!
//! A state keeps its mark until it is expanded. Those that are marked are expanded later than the
//! one that asks, which is all that the queue proviso needs.

use std::collections::{BTreeMap, VecDeque};

use everypath_model::{End, Extent, Successors, TransitionSystem};

use crate::ledger::Ledger;
use crate::options::{Observer, Options, Progress, Proviso, Reach};
use crate::outcome::{Kind, Outcome, Site};
use crate::searches::parents::{Found, Log};
use crate::searches::record::{Halt, Record, Shared};
use crate::stores::store::{Full, Name, Seen, Store, StoreWorker};

/// Words of a block of a queue.
const BLOCK: usize = 1 << 10;
/// Words of an entry before the record: version, number, depth, what is known of the run, length.
const HEAD: usize = 8;
/// Greater distances are all the same.
const FARTHEST: u32 = 1 << 16;

/// States of one distance, first come first served.
#[derive(Default)]
struct Bucket {
    blocks: VecDeque<Vec<u32>>,
    /// Where the first entry begins.
    at: usize,
}

/// States by distance.
#[derive(Default)]
struct Queue {
    buckets: BTreeMap<u32, Bucket>,
}

/// A state that waits.
#[derive(Default)]
struct Entry {
    version: u32,
    number: u64,
    depth: u64,
    /// What [`Options::history`] made of the run.
    run: u64,
    record: Vec<u32>,
}

impl Queue {
    /// `false` if the ledger refuses.
    fn push(&mut self, distance: u32, entry: &Entry, ledger: &Ledger, bytes: &mut u64) -> bool {
        let bucket = self.buckets.entry(distance.min(FARTHEST)).or_default();
        let words = HEAD + entry.record.len();
        if bucket.blocks.back().is_none_or(|block| block.capacity() - block.len() < words) {
            let block: Vec<u32> = Vec::with_capacity(words.max(BLOCK));
            let size = 4 * block.capacity() as u64;
            if !ledger.take(size) {
                return false;
            }
            *bytes += size;
            bucket.blocks.push_back(block);
        }
        if let Some(block) = bucket.blocks.back_mut() {
            let halves = |n: u64| [n as u32, (n >> 32) as u32];
            block.push(entry.version);
            block.extend(halves(entry.number));
            block.extend(halves(entry.depth));
            block.extend(halves(entry.run));
            block.push(entry.record.len() as u32);
            block.extend_from_slice(&entry.record);
        }
        true
    }

    /// The oldest of the nearest; `false` if there is none.
    fn pop(&mut self, entry: &mut Entry, ledger: &Ledger, bytes: &mut u64) -> bool {
        loop {
            let Some(mut first) = self.buckets.first_entry() else { return false };
            let bucket = first.get_mut();
            let Some(block) = bucket.blocks.front() else {
                first.remove();
                continue;
            };
            if bucket.at == block.len() {
                let size = 4 * block.capacity() as u64;
                ledger.give(size);
                *bytes -= size;
                bucket.blocks.pop_front();
                bucket.at = 0;
                continue;
            }
            let words = &block[bucket.at..];
            let whole = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
            entry.version = words[0];
            entry.number = whole(1);
            entry.depth = whole(3);
            entry.run = whole(5);
            entry.record.clear();
            entry.record.extend_from_slice(&words[HEAD..HEAD + words[HEAD - 1] as usize]);
            bucket.at += HEAD + entry.record.len();
            return true;
        }
    }
}

struct Search<'s, S: TransitionSystem, T: Store + 's> {
    system: &'s S,
    worker: S::Worker,
    all: &'s T,
    store: T::Worker<'s>,
    record: Record<'s>,
    log: Log,
    queues: Vec<Queue>,
    bytes: u64,
    peak: u64,
    /// By number: whether a state is expanded.
    expanded: Vec<u64>,
    /// The steps of a new state, to count who can move.
    ahead: Successors,
    names: Vec<Name>,
    seen: Vec<Seen>,
    fresh: Entry,
    /// The state that is expanded, if its run matters.
    before: Vec<u32>,
    /// States that were not expanded because of the depth limit: version and record of each.
    cut: Vec<(u32, Box<[u32]>)>,
}

pub(crate) fn search<S: TransitionSystem, T: Store>(
    system: &S,
    store: &T,
    shared: &Shared<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    let options = shared.options;
    let others = usize::from(options.prefer_blocked) + usize::from(options.history.is_some());
    let queues = options.heuristics.len() + others;
    let mut search = Search {
        system,
        worker: system.worker(),
        all: store,
        store: store.worker(0),
        record: Record::new(shared),
        log: Log::default(),
        queues: (0..queues.max(1)).map(|_| Queue::default()).collect(),
        bytes: 0,
        peak: 0,
        expanded: Vec::new(),
        ahead: Successors::new(),
        names: Vec::new(),
        seen: Vec::new(),
        fresh: Entry::default(),
        before: Vec::new(),
        cut: Vec::new(),
    };
    if let Err(halt) = search.run(observer) {
        shared.halt(halt);
    }
    let Search { record, log, store: mut worker, peak, .. } = search;
    // Counts what is not counted yet; there is nothing to insert any more.
    let _ = worker.settle();
    drop(worker);
    shared.finish(vec![record], store, Some(vec![log]), peak)
}

impl<S: TransitionSystem, T: Store> Search<'_, S, T> {
    fn options(&self) -> &Options<'_> {
        self.record.shared.options
    }

    fn run(&mut self, observer: &mut dyn Observer) -> Result<(), Halt> {
        self.initial()?;
        let mut entry = Entry::default();
        let mut steps = Successors::new();
        let mut turn = 0;
        while self.next(&mut turn, &mut entry) {
            self.expand(&entry, &mut steps)?;
            let (all, expanded) = (self.all, self.record.expanded);
            self.record.poll(1, observer, || Progress {
                states: all.len(),
                depth: entry.depth,
                frontier: all.len().saturating_sub(expanded),
                transitions: 0,
                bytes: 0,
                errors: 0,
            })?;
            self.store.pause()?;
        }
        self.close_cuts(&mut steps)
    }

    fn initial(&mut self) -> Result<(), Halt> {
        let mut steps = Successors::new();
        self.system.initial(&mut self.worker, &mut steps)?;
        self.record.note_left_out(&steps);
        if !self.log.reserve(steps.len(), self.record.shared.ledger) {
            return Err(Full::Memory.into());
        }
        self.log.expand(None);
        let mut result = Ok(());
        for (ordinal, step) in steps.steps().iter().enumerate() {
            let ordinal = ordinal as u32;
            self.record.coverage.insert(steps.actions(step));
            if let Some(fault) = step.fault {
                let states = self.store.stored();
                let site = || Site::Run(Box::new([ordinal]));
                result = self.record.violation(Kind::Fault(fault), 0, self.all, states, site);
                if result.is_err() {
                    break;
                }
                if step.fatal {
                    continue;
                }
            }
            result = self.initial_state(steps.target(step), ordinal);
            if result.is_err() {
                break;
            }
        }
        self.log.expanded();
        result
    }

    fn initial_state(&mut self, target: &[u32], ordinal: u32) -> Result<(), Halt> {
        let mut name = self.store.name(target, None)?;
        let seen = self.store.insert(&mut name, target)?;
        self.record.transitions += 1;
        match seen {
            Seen::New => self.found(name, target, ordinal, 0, (0, 0)),
            _ => Ok(()),
        }
    }

    /// Takes the next state from the queues in turn; `false` if there is none.
    fn next(&mut self, turn: &mut usize, entry: &mut Entry) -> bool {
        let ledger = self.record.shared.ledger;
        let mut empty = 0;
        while empty < self.queues.len() {
            *turn = (*turn + 1) % self.queues.len();
            let queue = &mut self.queues[*turn];
            // What another queue gave already is gone.
            loop {
                if !queue.pop(entry, ledger, &mut self.bytes) {
                    empty += 1;
                    break;
                }
                let bits = &mut self.expanded[entry.number as usize / 64];
                let bit = 1 << (entry.number % 64);
                if *bits & bit == 0 {
                    *bits |= bit;
                    return true;
                }
            }
        }
        false
    }

    /// Notes a state that was just stored, with what is known of its run and how far that is.
    fn found(
        &mut self,
        name: Name,
        target: &[u32],
        ordinal: u32,
        depth: u64,
        (run, far): (u64, u32),
    ) -> Result<(), Halt> {
        let number = self.log.found();
        self.log.child(ordinal);
        self.record.depth = self.record.depth.max(depth);
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.version = self.store.version();
        fresh.number = number;
        fresh.depth = depth;
        fresh.run = run;
        fresh.record.clear();
        self.store.record(name, target, &mut fresh.record);
        let result = self.enqueue(&fresh, target, far);
        self.fresh = fresh;
        result?;
        if self.options().check_invariants {
            for index in 0..self.system.invariant_count() {
                let found = self.system.violated_invariant(&mut self.worker, target, index)?;
                let Some(fault) = found else { continue };
                let states = self.store.stored();
                let site = || Site::State(Found { thread: 0, number });
                self.record.violation(Kind::Invariant(fault), depth, self.all, states, site)?;
            }
        }
        Ok(())
    }

    fn enqueue(&mut self, entry: &Entry, state: &[u32], far: u32) -> Result<(), Halt> {
        let ledger = self.record.shared.ledger;
        let options = self.record.shared.options;
        if self.expanded.len() <= entry.number as usize / 64 {
            if !ledger.grow(&mut self.expanded, &mut self.bytes) {
                return Err(Full::Memory.into());
            }
            self.expanded.push(0);
        }
        let moving = match options.prefer_blocked {
            true => Some(self.moving(state)?),
            false => None,
        };
        let distances = options.heuristics.iter().map(|heuristic| heuristic(state)).chain(moving);
        let distances = distances.chain(options.history.map(|_| far));
        let distances = distances.chain((self.queues.len() == 1).then_some(0));
        for (queue, distance) in self.queues.iter_mut().zip(distances) {
            if !queue.push(distance, entry, ledger, &mut self.bytes) {
                return Err(Full::Memory.into());
            }
        }
        self.peak = self.peak.max(self.bytes);
        Ok(())
    }

    /// How many processes can move.
    fn moving(&mut self, state: &[u32]) -> Result<u32, Halt> {
        self.ahead.clear();
        self.system.successors(&mut self.worker, state, &mut self.ahead)?;
        let first = |step| self.ahead.actions(step).first().map(|action| action.process);
        let mut processes: Vec<u32> = self.ahead.steps().iter().filter_map(first).collect();
        processes.sort_unstable();
        processes.dedup();
        Ok(processes.len() as u32)
    }

    fn expand(&mut self, entry: &Entry, steps: &mut Successors) -> Result<(), Halt> {
        let options = self.record.shared.options;
        if options.reduction.is_some_and(Proviso::needs_marks) {
            self.store.unmark(entry.version, &entry.record);
        }
        let source = Found { thread: 0, number: entry.number };
        let mut all = self.generate(entry, 0, steps)?;
        self.record.note_left_out(steps);
        if steps.may_end() && options.check_deadlock && steps.incomplete.is_none() {
            let state = self.store.state();
            if self.system.end(&mut self.worker, state) == End::Deadlock {
                let kind = options.deadlock(state);
                let states = self.store.stored();
                let site = || Site::State(source);
                self.record.violation(kind, entry.depth, self.all, states, site)?;
            }
        }
        if self.record.at_depth_limit(entry.depth) && (!all || self.leads_on(steps)?) {
            return self.cut_off(entry);
        }
        self.log.expand(Some(source));
        let mut before = 0;
        let mut result = Ok(());
        for attempt in 1.. {
            if !self.log.reserve(steps.len(), self.record.shared.ledger) {
                result = Err(Full::Memory.into());
                break;
            }
            match self.take(steps, source, before, entry) {
                Ok(reach) if all || options.reduction.is_none_or(|p| p.holds(reach)) => break,
                Ok(_) => {}
                Err(halt) => {
                    result = Err(halt);
                    break;
                }
            }
            before += steps.len() as u32;
            let noted = steps.incomplete.is_some();
            match self.generate(entry, attempt, steps) {
                Ok(extent) => {
                    all = extent;
                    if !noted {
                        self.record.note_left_out(steps);
                    }
                }
                Err(halt) => {
                    result = Err(halt);
                    break;
                }
            }
        }
        self.log.expanded();
        result?;
        self.record.expanded += 1;
        Ok(())
    }

    /// Generates and names the steps of a state; whether these are all.
    fn generate(
        &mut self,
        entry: &Entry,
        attempt: u32,
        steps: &mut Successors,
    ) -> Result<bool, Halt> {
        self.store.open(entry.version, &entry.record);
        steps.clear();
        let state = self.store.state();
        let all = match self.record.shared.options.reduction {
            None => {
                self.system.successors(&mut self.worker, state, steps)?;
                true
            }
            Some(_) => self.system.reduced(&mut self.worker, state, attempt, steps)? == Extent::All,
        };
        self.names.clear();
        self.store.name_all(steps, &mut self.names)?;
        Ok(all)
    }

    fn take(
        &mut self,
        steps: &Successors,
        source: Found,
        before: u32,
        entry: &Entry,
    ) -> Result<Reach, Halt> {
        let depth = entry.depth;
        let history = self.record.shared.options.history;
        if history.is_some() {
            self.before.clear();
            self.before.extend_from_slice(self.store.state());
        }
        let mut names = std::mem::take(&mut self.names);
        let mut seen = std::mem::take(&mut self.seen);
        seen.clear();
        let stored = self.store.insert_all(steps, &mut names, &mut seen);
        let mut reach = Reach::NONE;
        let mut result = Ok(());
        for (ordinal, ((step, name), &seen)) in
            steps.steps().iter().zip(&names).zip(&seen).enumerate()
        {
            let ordinal = before + ordinal as u32;
            self.record.coverage.insert(steps.actions(step));
            if let Some(fault) = step.fault {
                let states = self.store.stored();
                let site = || Site::Step(source, ordinal);
                let kind = Kind::Fault(fault);
                result = self.record.violation(kind, depth + 1, self.all, states, site);
                if result.is_err() {
                    break;
                }
                if step.fatal {
                    continue;
                }
            }
            self.record.transitions += 1;
            reach.add(seen == Seen::New, seen.queued());
            if seen == Seen::New {
                let made = history.map(|of| of(entry.run, &self.before, steps.actions(step)));
                let target = steps.target(step);
                result = self.found(*name, target, ordinal, depth + 1, made.unwrap_or_default());
                if result.is_err() {
                    break;
                }
            }
        }
        (self.names, self.seen) = (names, seen);
        stored?;
        result.map(|()| reach)
    }

    /// Leaves out a state at the depth limit for now.
    fn cut_off(&mut self, entry: &Entry) -> Result<(), Halt> {
        let ledger = self.record.shared.ledger;
        let record: Box<[u32]> = entry.record.as_slice().into();
        let bytes = size_of_val(&*record) as u64;
        if !ledger.grow(&mut self.cut, &mut self.bytes) || !ledger.take(bytes) {
            return Err(Full::Memory.into());
        }
        self.bytes += bytes;
        self.cut.push((entry.version, record));
        self.record.depth_limit_hit = true;
        Ok(())
    }

    /// Whether one of the steps goes to something unknown.
    fn leads_on(&mut self, steps: &Successors) -> Result<bool, Full> {
        for step in steps.steps() {
            if step.fault.is_some() || !self.store.contains(steps.target(step))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Looks again at the states that the depth limit left out: what was unknown then may have been
    /// reached by a shorter run since.
    fn close_cuts(&mut self, steps: &mut Successors) -> Result<(), Halt> {
        self.record.depth_limit_hit = false;
        for (version, record) in std::mem::take(&mut self.cut) {
            let entry = Entry { version, record: record.into_vec(), ..Entry::default() };
            let all = self.generate(&entry, 0, steps)?;
            if !all || self.leads_on(steps)? {
                self.record.depth_limit_hit = true;
                continue;
            }
            self.record.expanded += 1;
            self.record.transitions += steps.len() as u64;
            for step in steps.steps() {
                self.record.coverage.insert(steps.actions(step));
            }
        }
        Ok(())
    }
}
