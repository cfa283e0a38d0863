//! What both orders of search write down alike: violations, coverage, counters, reasons to stop.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use everypath_model::{Fault, ModelError, Successors};

use crate::ledger::Ledger;
use crate::options::{AfterViolation, Control, Observer, Options, Progress};
use crate::outcome::{
    Breadth, Bytes, Coverage, Kind, LeftOut, Outcome, Reached, Site, Stats, Stopped, Violation,
};
use crate::store::{Full, Store};

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
        Halt(Stopped::ModelError(error))
    }
}

/// The notes of a search.
pub(crate) struct Record<'a> {
    pub options: &'a Options<'a>,
    pub ledger: Ledger,
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
    /// Whether a violation has lowered the number of states allowed.
    on_budget: bool,
    until_poll: u32,
}

impl<'a> Record<'a> {
    pub fn new(options: &'a Options<'a>) -> Record<'a> {
        Record {
            options,
            ledger: Ledger::new(options.limits.memory),
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
            on_budget: false,
            until_poll: options.poll_every.max(1),
        }
    }

    /// Notes a violation; `site` is asked only for the first of its kind.
    #[cold]
    pub fn violation(
        &mut self,
        kind: Kind,
        depth: u64,
        store: &mut Store,
        site: impl FnOnce() -> Site,
    ) -> Result<(), Halt> {
        let states = store.len();
        if self.errors == 0
            && let AfterViolation::Budget { states: least, factor } = self.options.after_violation
        {
            let budget = least.max(states.saturating_mul(factor));
            if self.options.limits.states.is_none_or(|limit| budget < limit) {
                store.limit_states(budget);
                self.on_budget = true;
            }
        }
        self.errors += 1;
        let mut fits = true;
        if let Some(&known) = self.index.get(&kind) {
            self.violations[known].occurrences += 1;
        } else if self.violations.len() < self.options.max_violations {
            let site = site();
            if let Site::Run(run) = &site {
                let bytes = size_of_val::<[u32]>(run) as u64;
                fits = self.ledger.take(bytes);
                if !fits {
                    self.ledger.force(bytes);
                }
                self.run_bytes += bytes;
            }
            self.index.insert(kind, self.violations.len());
            self.violations.push(Violation { kind, depth, states, occurrences: 1, site });
        } else {
            self.unrecorded += 1;
        }
        if self.options.after_violation == AfterViolation::Stop {
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
        self.options.limits.depth.is_some_and(|limit| depth >= limit)
    }

    /// Called once per expansion.
    #[inline]
    pub fn poll(
        &mut self,
        observer: &mut dyn Observer,
        states: u64,
        depth: u64,
        frontier: u64,
    ) -> Result<(), Halt> {
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.until_poll = self.options.poll_every.max(1);
            return self.report(observer, states, depth, frontier);
        }
        Ok(())
    }

    #[cold]
    fn report(
        &mut self,
        observer: &mut dyn Observer,
        states: u64,
        depth: u64,
        frontier: u64,
    ) -> Result<(), Halt> {
        if self.options.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Halt(Stopped::Interrupted));
        }
        if self.options.expired.is_some_and(|expired| expired()) {
            return Err(Halt(Stopped::Time));
        }
        let progress = Progress {
            states,
            transitions: self.transitions,
            depth,
            frontier,
            bytes: self.ledger.used(),
            errors: self.errors,
        };
        match observer.progress(&progress) {
            Control::Continue => Ok(()),
            Control::Stop => Err(Halt(Stopped::Interrupted)),
        }
    }

    /// Closes the notes.
    pub fn finish(
        self,
        halt: Result<(), Halt>,
        store: Store,
        breadth: Option<Breadth>,
        stack: u64,
    ) -> Outcome {
        let stats = Stats {
            states: store.len(),
            transitions: self.transitions,
            depth: self.depth,
            frontier: store.len() - self.expanded,
            bytes: Bytes {
                table: store.table_bytes(),
                arena: store.arena_bytes(),
                parents: breadth.as_ref().map_or(0, |b| b.parents.bytes()) + self.run_bytes,
                stack,
                peak: self.ledger.peak(),
            },
        };
        let stopped = match halt {
            Ok(()) => Stopped::Finished,
            Err(Halt(Stopped::StateLimit)) if self.on_budget => Stopped::ViolationBudget,
            Err(Halt(reason)) => reason,
        };
        Outcome {
            stopped,
            depth_limit_hit: self.depth_limit_hit,
            left_out: self.left_out,
            violations: self.violations,
            errors: self.errors,
            unrecorded: self.unrecorded,
            stats,
            coverage: self.coverage,
            reached: Reached { store, breadth },
        }
    }
}
