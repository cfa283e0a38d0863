//! Strict depth-first search with an explicit stack.
//!
//! A frame holds the address of its state and how many of its steps are taken: 16 bytes. The steps
//! themselves are kept for the topmost frames only and generated again when the search comes back
//! to a frame below, which law 1 of [`TransitionSystem`] allows. Deep searches so pay a second
//! generation for some states instead of memory for the steps of all open ones.

use std::collections::VecDeque;

use everypath_model::{End, ModelError, Successors, TransitionSystem};

use crate::options::Observer;
use crate::outcome::{Kind, Outcome, Site, Stopped};
use crate::record::{Halt, Record};
use crate::store::{Full, StateRef, Store};

/// Topmost frames whose steps are kept.
const KEPT: usize = 256;

/// An open state.
#[derive(Clone, Copy)]
struct Frame {
    at: StateRef,
    /// Steps taken.
    taken: u32,
    /// Steps there are.
    total: u32,
}

struct Search<'s, 'r, S: TransitionSystem> {
    system: &'s S,
    worker: S::Worker,
    store: Store,
    record: Record<'r>,
    /// Which initial state the stack begins with.
    root: u32,
    stack: Vec<Frame>,
    stack_bytes: u64,
    /// The steps of the topmost frames; the last one is that of the top.
    kept: VecDeque<Successors>,
    spare: Vec<Successors>,
    /// States that were not expanded because of the depth limit.
    cut: Vec<StateRef>,
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
        record,
        root: 0,
        stack: Vec::new(),
        stack_bytes: 0,
        kept: VecDeque::new(),
        spare: Vec::new(),
        cut: Vec::new(),
    };
    let halt = search.run(observer);
    search.record.finish(halt, search.store, None, search.stack_bytes)
}

impl<S: TransitionSystem> Search<'_, '_, S> {
    fn run(&mut self, observer: &mut dyn Observer) -> Result<(), Halt> {
        let mut roots = Successors::new();
        self.system.initial(&mut self.worker, &mut roots)?;
        self.record.note_left_out(&roots);
        for root in 0..roots.len() {
            self.root = root as u32;
            if let Some(new) = self.step(&roots, root)? {
                self.open(new, observer)?;
            }
            while let Some(frame) = self.stack.last_mut() {
                if frame.taken == frame.total {
                    self.stack.pop();
                    self.record.expanded += 1;
                    self.spare.extend(self.kept.pop_back());
                    continue;
                }
                let ordinal = frame.taken as usize;
                frame.taken += 1;
                let steps = self.top_steps()?;
                let new = self.step(&steps, ordinal);
                self.kept.push_back(steps);
                if let Some(new) = new? {
                    self.open(new, observer)?;
                }
            }
        }
        self.close_cuts()
    }

    /// Takes the steps of the top frame out of the window, or generates them if they are gone.
    fn top_steps(&mut self) -> Result<Successors, Halt> {
        match self.kept.pop_back() {
            Some(steps) => Ok(steps),
            None => self.generate(self.stack[self.stack.len() - 1].at),
        }
    }

    fn generate(&mut self, at: StateRef) -> Result<Successors, Halt> {
        let mut steps = self.spare.pop().unwrap_or_default();
        steps.clear();
        self.system.successors(&mut self.worker, self.store.get(at), &mut steps)?;
        Ok(steps)
    }

    /// Takes a step from the top of the stack, or an initial step, and returns its target if that
    /// is new.
    fn step(&mut self, steps: &Successors, ordinal: usize) -> Result<Option<StateRef>, Halt> {
        let Some(step) = steps.steps().get(ordinal) else {
            return Err(Halt(Stopped::ModelError(ModelError(
                "the model does not repeat itself: equal states gave different steps".into(),
            ))));
        };
        let depth = self.stack.len() as u64;
        self.record.coverage.insert(steps.actions(step));
        if let Some(fault) = step.fault {
            self.violation(Kind::Fault(fault), depth)?;
            if step.fatal {
                return Ok(None);
            }
        }
        let target = steps.target(step);
        let inserted = self.store.insert(target, &mut self.record.ledger)?;
        self.record.transitions += 1;
        if !inserted.new {
            return Ok(None);
        }
        self.record.depth = self.record.depth.max(depth);
        if self.record.options.check_invariants {
            for index in 0..self.system.invariant_count() {
                let found = self.system.violated_invariant(&mut self.worker, target, index)?;
                if let Some(fault) = found {
                    self.violation(Kind::Invariant(fault), depth)?;
                }
            }
        }
        Ok(Some(inserted.at))
    }

    /// Puts a new state on the stack.
    fn open(&mut self, at: StateRef, observer: &mut dyn Observer) -> Result<(), Halt> {
        let depth = self.stack.len() as u64;
        self.record.poll(observer, self.store.len(), depth, depth)?;
        let steps = self.generate(at)?;
        self.record.note_left_out(&steps);
        if steps.is_empty() && self.record.options.check_deadlock && steps.incomplete.is_none() {
            let state = self.store.get(at);
            if self.system.end(&mut self.worker, state) == End::Deadlock {
                self.violation(self.record.options.deadlock(state), depth)?;
            }
        }
        if self.record.at_depth_limit(depth) && self.leads_on(&steps) {
            if !self.record.ledger.grow(&mut self.cut, &mut self.stack_bytes) {
                return Err(Full::Memory.into());
            }
            self.cut.push(at);
            self.record.depth_limit_hit = true;
            self.spare.push(steps);
            return Ok(());
        }
        if !self.record.ledger.grow(&mut self.stack, &mut self.stack_bytes) {
            return Err(Full::Memory.into());
        }
        self.stack.push(Frame { at, taken: 0, total: steps.len() as u32 });
        if self.kept.len() == KEPT {
            self.spare.extend(self.kept.pop_front());
        }
        self.kept.push_back(steps);
        Ok(())
    }

    /// Whether one of the steps goes to something unknown.
    fn leads_on(&self, steps: &Successors) -> bool {
        steps
            .steps()
            .iter()
            .any(|step| step.fault.is_some() || self.store.find(steps.target(step)).is_none())
    }

    /// Looks again at the states that the depth limit left out: what was unknown then may have been
    /// reached by a shorter run since.
    fn close_cuts(&mut self) -> Result<(), Halt> {
        self.record.depth_limit_hit = false;
        for at in std::mem::take(&mut self.cut) {
            let steps = self.generate(at)?;
            if self.leads_on(&steps) {
                self.record.depth_limit_hit = true;
            } else {
                self.record.expanded += 1;
                self.record.transitions += steps.len() as u64;
                for step in steps.steps() {
                    self.record.coverage.insert(steps.actions(step));
                }
            }
            self.spare.push(steps);
        }
        Ok(())
    }

    fn violation(&mut self, kind: Kind, depth: u64) -> Result<(), Halt> {
        let run = || {
            let root = std::iter::once(self.root);
            Site::Run(root.chain(self.stack.iter().map(|frame| frame.taken - 1)).collect())
        };
        self.record.violation(kind, depth, &mut self.store, run)
    }
}
