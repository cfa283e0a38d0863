//! What every order of search writes down alike: violations, coverage, counters, reasons to stop.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use everypath_model::{Fault, ModelError, Parts, Successors};

use crate::ledger::Ledger;
use crate::options::{AfterViolation, Control, Meanwhile, Observer, Options, Order, Progress};
use crate::outcome::{
    Bytes, Coverage, Kind, LeftOut, Outcome, Reached, Site, Stats, Stopped, Violation,
};
use crate::searches::parents::Log;
use crate::stores::store::{Full, Store};
use crate::stores::wire::{In, Out};

/// The search has to end.
#[derive(Debug)]
pub(crate) struct Halt(pub Stopped);

impl From<Full> for Halt {
    fn from(full: Full) -> Halt {
        Halt(match full {
            Full::Memory => Stopped::MemoryLimit,
            Full::States => Stopped::StateLimit,
        })
    }
}

impl From<ModelError> for Halt {
    fn from(error: ModelError) -> Halt {
        Halt(error.into())
    }
}

/// By how much the last level may exceed what a search gets after a violation.
const LEVEL_FACTOR: u64 = 2;

/// Of a search that does not go level by level.
const NO_LEVELS: u64 = u64::MAX;

/// What the threads of a search share.
pub(crate) struct Shared<'a> {
    pub options: &'a Options<'a>,
    pub ledger: &'a Ledger,
    /// How the steps of states are divided, if they are.
    pub parts: Option<Parts>,
    /// Which way of searching this is, for whoever takes it up.
    pub way: u64,
    pub transitions: AtomicU64,
    pub errors: AtomicU64,
    /// Set when some thread has to end, so that all do.
    pub stop: AtomicBool,
    /// Whether it matters which states the depth limit left out for good.
    pub keep_cuts: bool,
    /// The number of states that a violation has lowered the limit to; 0 if none has.
    budget: AtomicU64,
    /// How many states there were before the level that is expanded; [`NO_LEVELS`] if the search does not go
    /// level by level.
    level: AtomicU64,
    /// What of the memory of the system is in the ledger.
    besides: AtomicU64,
    /// Why the search ends; the first reason counts.
    stopped: Mutex<Option<Stopped>>,
}

impl<'a> Shared<'a> {
    pub fn new(options: &'a Options<'a>, ledger: &'a Ledger, parts: Option<Parts>) -> Shared<'a> {
        Shared {
            options,
            ledger,
            parts,
            way: 0,
            transitions: AtomicU64::new(0),
            errors: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            keep_cuts: true,
            budget: AtomicU64::new(0),
            level: AtomicU64::new(NO_LEVELS),
            besides: AtomicU64::new(0),
            stopped: Mutex::new(None),
        }
    }

    /// Ends the search of all threads.
    pub fn halt(&self, halt: Halt) {
        let mut stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        stopped.get_or_insert(halt.0);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// A level begins, and there are so many states.
    pub fn begin_level(&self, states: u64) {
        self.level.store(states, Ordering::Relaxed);
    }

    /// How many states there were before the level that is expanded, if the search goes level by level: that does not
    /// depend on who comes first.
    fn before_level(&self) -> Option<u64> {
        Some(self.level.load(Ordering::Relaxed)).filter(|&states| states != NO_LEVELS)
    }

    /// Lowers the limit of states after the first violation, found when there were so many. A level is still
    /// expanded to its end, unless it is a very large one: then everything that is counted is the same
    /// with any number of threads.
    fn keep_to_budget(&self, store: &impl Store, states: u64) {
        let AfterViolation::Budget { states: least, factor } = self.options.after_violation else {
            return;
        };
        let budget = least.max(states.saturating_mul(factor));
        let most = self.options.limits.states;
        if most.is_none_or(|most| budget < most)
            && self.budget.compare_exchange(0, budget, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        {
            self.limit_to_budget(store, budget);
        }
    }

    fn limit_to_budget(&self, store: &impl Store, budget: u64) {
        let limit = match self.before_level() {
            Some(_) => budget.saturating_mul(LEVEL_FACTOR),
            None => budget,
        };
        store.limit_states(self.options.limits.states.map_or(limit, |most| limit.min(most)));
    }

    /// Ends the search between two levels if it has had what it gets after a violation.
    pub fn check_budget(&self, states: u64) -> Result<(), Halt> {
        match self.budget.load(Ordering::Relaxed) {
            budget if budget > 0 && states >= budget => Err(Halt(Stopped::StateLimit)),
            _ => Ok(()),
        }
    }

    /// Lets the observer do something between two levels.
    pub fn pause(&self, store: &impl Store, observer: &mut dyn Observer) -> Result<(), Halt> {
        match observer.level(store.len(), self.ledger.used())? {
            Meanwhile::Nothing => Ok(()),
            Meanwhile::Violation if self.options.after_violation == AfterViolation::Stop => {
                Err(Halt(Stopped::Violation))
            }
            Meanwhile::Violation => {
                self.keep_to_budget(store, store.len());
                Ok(())
            }
        }
    }

    /// Takes the memory of the system into the ledger.
    fn account(&self) -> Result<u64, Full> {
        let Some(besides) = self.options.besides else { return Ok(0) };
        let now = besides();
        let more = now.saturating_sub(self.besides.fetch_max(now, Ordering::Relaxed));
        match self.ledger.take(more) {
            true => Ok(now),
            false => Err(Full::Memory),
        }
    }

    /// Why the search ends, if it does.
    pub fn reason(&self) -> Option<Stopped> {
        self.stopped.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The outcome of a search that could not begin.
    pub fn nothing(&self, full: Full) -> Outcome {
        let Halt(stopped) = full.into();
        Outcome::empty(stopped)
    }

    /// The outcome of a search that could not be taken up again.
    pub fn not_resumed(error: &io::Error) -> Outcome {
        Outcome::empty(match error.kind() {
            io::ErrorKind::OutOfMemory => Stopped::MemoryLimit,
            _ => Stopped::NotResumed(error.to_string()),
        })
    }

    /// Closes the notes of all threads.
    pub fn finish(
        &self,
        records: Vec<Record<'_>>,
        store: &impl Store,
        logs: Option<Vec<Log>>,
        stack: u64,
    ) -> Outcome {
        let mut all = Record::merge(records);
        let bytes = store.bytes();
        let stats = Stats {
            states: store.len(),
            transitions: all.transitions,
            depth: all.depth,
            frontier: store.len() - all.expanded,
            bytes: Bytes {
                table: bytes.table,
                arena: bytes.arena + self.options.besides.map_or(0, |besides| besides()),
                parents: logs.iter().flatten().map(Log::bytes).sum::<u64>() + all.run_bytes,
                stack,
                peak: self.ledger.peak(),
            },
        };
        let on_budget = self.budget.load(Ordering::Relaxed) > 0;
        let stopped = match self.stopped.lock().unwrap_or_else(PoisonError::into_inner).take() {
            None => Stopped::Finished,
            Some(Stopped::StateLimit) if on_budget => Stopped::ViolationBudget,
            Some(reason) => reason,
        };
        let mut states = Vec::new();
        if self.options.collect {
            store.for_each(&mut |state| states.push(state.to_vec()));
        }
        let most = self.options.max_violations;
        if all.violations.len() > most {
            let more = all.violations.split_off(most);
            all.unrecorded += more.iter().map(|violation| violation.occurrences).sum::<u64>();
        }
        Outcome {
            stopped,
            depth_limit_hit: all.depth_limit_hit,
            left_out: all.left_out,
            loss: store.loss(),
            runs: None,
            forced: None,
            followed: None,
            violations: all.violations,
            errors: all.errors,
            unrecorded: all.unrecorded,
            stats,
            coverage: all.coverage,
            states,
            reached: Reached {
                logs,
                reduced: self.options.reduction.is_some(),
                detours: self.options.order == Order::Directed,
                parts: self.parts.clone(),
            },
        }
    }
}

/// The notes of one thread.
pub(crate) struct Record<'a> {
    pub shared: &'a Shared<'a>,
    pub coverage: Coverage,
    pub transitions: u64,
    pub expanded: u64,
    pub depth: u64,
    pub depth_limit_hit: bool,
    /// Bytes of the runs that violations hold.
    run_bytes: u64,
    left_out: Option<LeftOut>,
    violations: Vec<Violation>,
    index: BTreeMap<Kind, usize>,
    errors: u64,
    unrecorded: u64,
    until_poll: u32,
    /// Transitions that the others know of.
    told: u64,
}

impl<'a> Record<'a> {
    pub fn new(shared: &'a Shared<'a>) -> Record<'a> {
        Record {
            shared,
            coverage: Coverage::default(),
            transitions: 0,
            expanded: 0,
            depth: 0,
            depth_limit_hit: false,
            run_bytes: 0,
            left_out: None,
            violations: Vec::new(),
            index: BTreeMap::new(),
            errors: 0,
            unrecorded: 0,
            until_poll: shared.options.poll_every.max(1),
            told: 0,
        }
    }

    /// The notes of all threads as one. Of equal violations the nearest stays; with several threads
    /// the order does not depend on who came first.
    fn merge(records: Vec<Record<'a>>) -> Record<'a> {
        let several = records.len() > 1;
        let mut records = records.into_iter();
        let mut all = records.next().expect("a search has a thread");
        for other in records {
            all.coverage.merge(&other.coverage);
            all.transitions += other.transitions;
            all.expanded += other.expanded;
            all.depth = all.depth.max(other.depth);
            all.depth_limit_hit |= other.depth_limit_hit;
            all.run_bytes += other.run_bytes;
            all.errors += other.errors;
            all.unrecorded += other.unrecorded;
            if let Some(theirs) = other.left_out {
                let mine = all.left_out.get_or_insert(LeftOut { states: 0, ..theirs });
                mine.states += theirs.states;
                mine.first = mine.first.min(theirs.first);
            }
            for violation in other.violations {
                match all.index.get(&violation.kind) {
                    Some(&known) => {
                        let known = &mut all.violations[known];
                        let occurrences = known.occurrences + violation.occurrences;
                        if violation.depth < known.depth {
                            *known = violation;
                        }
                        known.occurrences = occurrences;
                    }
                    None => {
                        all.index.insert(violation.kind, all.violations.len());
                        all.violations.push(violation);
                    }
                }
            }
        }
        if several {
            all.violations.sort_by_key(|violation| (violation.depth, violation.kind));
        }
        all
    }

    /// Writes down the notes of all threads as one.
    pub fn save_all(records: &[&Record<'a>], out: &mut Out<'_>) -> io::Result<()> {
        let all = Record::merge(records.iter().map(|record| record.copy()).collect());
        all.coverage.save(out)?;
        let numbers = [all.transitions, all.expanded, all.depth, all.errors, all.unrecorded];
        numbers.into_iter().try_for_each(|number| out.number(number))?;
        out.truth(all.depth_limit_hit)?;
        out.option(all.left_out.map(|left_out| u64::from(left_out.first.0)))?;
        out.number(all.left_out.map_or(0, |left_out| left_out.states))?;
        out.list(&all.violations, |out, violation| violation.save(out))?;
        out.number(all.shared.budget.load(Ordering::Relaxed))?;
        out.number(all.shared.level.load(Ordering::Relaxed))
    }

    /// Takes over notes that were written down; this thread has none.
    pub fn restore(&mut self, input: &mut In<'_>, store: &impl Store) -> io::Result<()> {
        self.coverage = Coverage::restore(input)?;
        self.transitions = input.number()?;
        self.expanded = input.number()?;
        self.depth = input.number()?;
        self.errors = input.number()?;
        self.unrecorded = input.number()?;
        self.depth_limit_hit = input.truth()?;
        let first = input.option()?;
        let states = input.number()?;
        self.left_out = first.map(|first| LeftOut { first: Fault(first as u32), states });
        self.violations = input.list(Violation::restore)?;
        for (index, violation) in self.violations.iter().enumerate() {
            self.index.insert(violation.kind, index);
        }
        self.shared.errors.store(self.errors, Ordering::Relaxed);
        self.tell();
        let budget = input.number()?;
        self.shared.level.store(input.number()?, Ordering::Relaxed);
        if budget > 0 && self.shared.options.limits.states.is_none_or(|limit| budget < limit) {
            self.shared.limit_to_budget(store, budget);
            self.shared.budget.store(budget, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The same notes, to be put together with those of others.
    fn copy(&self) -> Record<'a> {
        Record {
            coverage: self.coverage.clone(),
            transitions: self.transitions,
            expanded: self.expanded,
            depth: self.depth,
            depth_limit_hit: self.depth_limit_hit,
            left_out: self.left_out,
            violations: self.violations.clone(),
            index: self.index.clone(),
            errors: self.errors,
            unrecorded: self.unrecorded,
            ..Record::new(self.shared)
        }
    }

    /// What an expansion counts, to be taken back if it has to be repeated.
    #[inline]
    pub fn mark(&self) -> (u64, u64, u64) {
        (self.transitions, self.errors, self.left_out.map_or(0, |left_out| left_out.states))
    }

    /// Takes back what was counted since; `false` if it is more than steps.
    pub fn take_back(&mut self, mark: (u64, u64, u64)) -> bool {
        let steps_only = (self.mark().1, self.mark().2) == (mark.1, mark.2);
        // What was told to others is shown to people only.
        self.transitions = mark.0;
        self.told = self.told.min(self.transitions);
        steps_only
    }

    /// Whether no violation of this kind is noted.
    pub fn is_new(&self, kind: Kind) -> bool {
        !self.index.contains_key(&kind)
    }

    /// Notes a violation; `site` is asked only for the first of its kind.
    #[cold]
    pub fn violation(
        &mut self,
        kind: Kind,
        depth: u64,
        store: &impl Store,
        states: u64,
        site: impl FnOnce() -> Site,
    ) -> Result<(), Halt> {
        let shared = self.shared;
        let options = shared.options;
        let states = shared.before_level().unwrap_or(states);
        if shared.errors.fetch_add(1, Ordering::Relaxed) == 0 {
            shared.keep_to_budget(store, states);
        }
        self.errors += 1;
        let mut fits = true;
        if let Some(&known) = self.index.get(&kind) {
            self.violations[known].occurrences += 1;
        } else if self.violations.len() < options.max_violations {
            let site = site();
            if let Site::Run(run) = &site {
                let bytes = size_of_val::<[u32]>(run) as u64;
                fits = shared.ledger.take(bytes);
                if !fits {
                    shared.ledger.force(bytes);
                }
                self.run_bytes += bytes;
            }
            self.index.insert(kind, self.violations.len());
            let found = Violation {
                kind,
                depth,
                states,
                occurrences: 1,
                seed: None,
                spurious: false,
                site,
            };
            self.violations.push(found);
        } else {
            self.unrecorded += 1;
        }
        if options.after_violation == AfterViolation::Stop {
            return Err(Halt(Stopped::Violation));
        }
        if !fits {
            return Err(Halt(Stopped::MemoryLimit));
        }
        Ok(())
    }

    /// Notes what the system left out of `steps`.
    #[inline]
    pub fn note_left_out(&mut self, steps: &Successors) {
        if let Some(first) = steps.incomplete {
            self.left_out(first);
        }
    }

    #[cold]
    fn left_out(&mut self, first: Fault) {
        self.left_out.get_or_insert(LeftOut { first, states: 0 }).states += 1;
    }

    /// Whether `depth` is where runs end.
    #[inline]
    pub fn at_depth_limit(&self, depth: u64) -> bool {
        self.shared.options.limits.depth.is_some_and(|limit| depth >= limit)
    }

    /// Called after `states` expansions by the thread that has an observer.
    #[inline]
    pub fn poll(
        &mut self,
        states: u32,
        observer: &mut dyn Observer,
        progress: impl FnOnce() -> Progress,
    ) -> Result<(), Halt> {
        self.until_poll = self.until_poll.saturating_sub(states);
        if self.until_poll == 0 {
            self.until_poll = self.shared.options.poll_every.max(1);
            self.tell();
            return self.report(observer, progress());
        }
        Ok(())
    }

    /// Adds what is new to the counters that all threads share.
    pub fn tell(&mut self) {
        self.shared.transitions.fetch_add(self.transitions - self.told, Ordering::Relaxed);
        self.told = self.transitions;
    }

    #[cold]
    fn report(&mut self, observer: &mut dyn Observer, progress: Progress) -> Result<(), Halt> {
        let options = self.shared.options;
        if options.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Halt(Stopped::Interrupted));
        }
        if options.expired.is_some_and(|expired| expired()) {
            return Err(Halt(Stopped::Time));
        }
        self.shared.account()?;
        let progress = Progress {
            transitions: self.shared.transitions.load(Ordering::Relaxed),
            bytes: self.shared.ledger.used(),
            errors: self.shared.errors.load(Ordering::Relaxed),
            ..progress
        };
        match observer.progress(&progress) {
            Control::Continue => Ok(()),
            Control::Stop => Err(Halt(Stopped::Interrupted)),
        }
    }
}
