//! Breadth-first search.
//!
//! The states lie in the arena in the order in which they are to be expanded, so the frontier is
//! the rest of the arena and costs nothing. Work goes in batches: steps of several states are
//! generated, then all targets are hashed and their slots fetched, then all are looked up. The order
//! in which states are numbered is that of a search without batches.

use everypath_model::{End, ModelError, Successors, TransitionSystem};

use crate::options::Observer;
use crate::outcome::{Breadth, Kind, Outcome, Site};
use crate::record::{Halt, Record};
use crate::store::{StateRef, Store};

/// Targets that are collected before they are looked up.
const BATCH_TARGETS: usize = 48;
/// States that are expanded for that at most.
const BATCH_STATES: usize = 24;

/// The steps of one state of a batch.
struct Expansion {
    source: StateRef,
    steps: Successors,
}

struct Search<'s, 'r, S: TransitionSystem> {
    system: &'s S,
    worker: S::Worker,
    store: Store,
    log: Breadth,
    record: Record<'r>,
    /// Expanded states, which is also the number of the state under expansion.
    next: u64,
}

pub(crate) fn search<S: TransitionSystem>(
    system: &S,
    record: Record<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    let mut store = Store::new(system.carried());
    if let Some(limit) = record.options.limits.states {
        store.limit_states(limit);
    }
    let mut search = Search {
        worker: system.worker(),
        system,
        store,
        log: Breadth { bounds: vec![], ..Breadth::default() },
        record,
        next: 0,
    };
    let halt = search.run(observer);
    search.finish(halt)
}

impl<S: TransitionSystem> Search<'_, '_, S> {
    fn run(&mut self, observer: &mut dyn Observer) -> Result<(), Halt> {
        self.initial()?;
        let mut batch: Vec<Expansion> = Vec::new();
        let mut hashes: Vec<u64> = Vec::new();
        let mut cursor = self.store.first();
        while cursor.is_some() {
            let (count, failure) = self.generate(&mut cursor, &mut batch);
            self.hash(&batch[..count], &mut hashes);
            let mut hashes = &hashes[..];
            let mut last = None;
            for expansion in &batch[..count] {
                let (mine, rest) = hashes.split_at(expansion.steps.len());
                hashes = rest;
                self.expand(expansion, mine)?;
                let frontier = self.store.len() - self.next;
                let depth = self.level();
                self.record.poll(observer, self.store.len(), depth, frontier)?;
                last = Some(expansion.source);
            }
            if let Some(error) = failure {
                return Err(error.into());
            }
            if cursor.is_none() {
                // The batch had reached the end of the arena; it may have grown since.
                cursor = last.and_then(|at| self.store.after(at));
            }
        }
        Ok(())
    }

    /// Stores the initial states.
    fn initial(&mut self) -> Result<(), Halt> {
        let mut steps = Successors::new();
        self.system.initial(&mut self.worker, &mut steps)?;
        self.record.note_left_out(&steps);
        if !self.log.parents.reserve(steps.len(), &mut self.record.ledger) {
            return Err(crate::store::Full::Memory.into());
        }
        for (ordinal, step) in steps.steps().iter().enumerate() {
            let ordinal = ordinal as u32;
            self.record.coverage.insert(steps.actions(step));
            if let Some(fault) = step.fault {
                let site = || Site::Run(Box::new([ordinal]));
                self.record.violation(Kind::Fault(fault), 0, &mut self.store, site)?;
                if step.fatal {
                    continue;
                }
            }
            let target = steps.target(step);
            let inserted = self.store.insert(target, &mut self.record.ledger)?;
            self.record.transitions += 1;
            if inserted.new {
                self.log.parents.root(ordinal, &mut self.record.ledger);
                self.invariant(target, 0)?;
            }
        }
        self.log.bounds = vec![StateRef::default(), self.store.end()];
        Ok(())
    }

    /// Generates the steps of the states from `cursor` on until there are enough for a batch.
    fn generate(
        &mut self,
        cursor: &mut Option<StateRef>,
        batch: &mut Vec<Expansion>,
    ) -> (usize, Option<ModelError>) {
        let mut count = 0;
        let mut targets = 0;
        while let Some(source) = *cursor
            && targets < BATCH_TARGETS
            && count < BATCH_STATES
        {
            if count == batch.len() {
                batch.push(Expansion { source, steps: Successors::new() });
            }
            let expansion = &mut batch[count];
            expansion.source = source;
            expansion.steps.clear();
            let state = self.store.get(source);
            if let Err(error) =
                self.system.successors(&mut self.worker, state, &mut expansion.steps)
            {
                return (count, Some(error));
            }
            targets += expansion.steps.len();
            count += 1;
            *cursor = self.store.after(source);
        }
        (count, None)
    }

    /// Hashes all targets of a batch and brings into the cache what looking them up will read.
    fn hash(&self, batch: &[Expansion], hashes: &mut Vec<u64>) {
        hashes.clear();
        for expansion in batch {
            for step in expansion.steps.steps() {
                let hash = self.store.hash(expansion.steps.target(step));
                self.store.prefetch_slot(hash);
                hashes.push(hash);
            }
        }
        for &hash in hashes.iter() {
            self.store.prefetch_vector(hash);
        }
    }

    /// Distance of the state that was expanded last.
    fn level(&self) -> u64 {
        self.log.bounds.len() as u64 - 2
    }

    /// Looks up the targets of one state.
    fn expand(&mut self, expansion: &Expansion, hashes: &[u64]) -> Result<(), Halt> {
        let Expansion { source, steps } = expansion;
        if *source >= self.log.bounds[self.log.bounds.len() - 1] {
            self.log.bounds.push(self.store.end());
        }
        let depth = self.level();
        self.record.note_left_out(steps);
        if steps.is_empty() && self.record.options.check_deadlock && steps.incomplete.is_none() {
            self.deadlock(*source, depth)?;
        }
        if !self.log.parents.reserve(steps.len(), &mut self.record.ledger) {
            return Err(crate::store::Full::Memory.into());
        }
        if self.record.at_depth_limit(depth) && self.leads_on(steps, hashes) {
            self.record.depth_limit_hit = true;
            self.log.parents.expanded(0, &mut self.record.ledger);
            self.next += 1;
            return Ok(());
        }
        let before = self.store.len();
        let result = self.take(steps, hashes, depth);
        let new = (self.store.len() - before) as u32;
        self.log.parents.expanded(new, &mut self.record.ledger);
        result?;
        self.next += 1;
        self.record.expanded += 1;
        Ok(())
    }

    fn take(&mut self, steps: &Successors, hashes: &[u64], depth: u64) -> Result<(), Halt> {
        for (ordinal, (step, &hash)) in steps.steps().iter().zip(hashes).enumerate() {
            let ordinal = ordinal as u32;
            self.record.coverage.insert(steps.actions(step));
            if let Some(fault) = step.fault {
                let source = self.next;
                let site = || Site::Step(source, ordinal);
                self.record.violation(Kind::Fault(fault), depth + 1, &mut self.store, site)?;
                if step.fatal {
                    continue;
                }
            }
            let target = steps.target(step);
            let inserted = self.store.insert_hashed(target, hash, &mut self.record.ledger)?;
            self.record.transitions += 1;
            if inserted.new {
                self.log.parents.child(ordinal, &mut self.record.ledger);
                self.record.depth = depth + 1;
                self.invariant(target, depth + 1)?;
            }
        }
        Ok(())
    }

    /// Whether a state at the depth limit has a step to something unknown.
    fn leads_on(&self, steps: &Successors, hashes: &[u64]) -> bool {
        steps.steps().iter().zip(hashes).any(|(step, &hash)| {
            step.fault.is_some() || self.store.find_hashed(steps.target(step), hash).is_none()
        })
    }

    /// Evaluates the invariants in the state stored last.
    #[inline]
    fn invariant(&mut self, state: &[u32], depth: u64) -> Result<(), Halt> {
        if self.record.options.check_invariants {
            for index in 0..self.system.invariant_count() {
                let found = self.system.violated_invariant(&mut self.worker, state, index)?;
                let Some(fault) = found else { continue };
                let number = self.store.len() - 1;
                let site = || Site::State(number);
                self.record.violation(Kind::Invariant(fault), depth, &mut self.store, site)?;
            }
        }
        Ok(())
    }

    fn deadlock(&mut self, source: StateRef, depth: u64) -> Result<(), Halt> {
        let state = self.store.get(source);
        if self.system.end(&mut self.worker, state) == End::Deadlock {
            let kind = self.record.options.deadlock(state);
            let number = self.next;
            self.record.violation(kind, depth, &mut self.store, || Site::State(number))?;
        }
        Ok(())
    }

    fn finish(self, halt: Result<(), Halt>) -> Outcome {
        self.record.finish(halt, self.store, Some(self.log), 0)
    }
}
