//! Strict depth-first search with an explicit stack.
//!
//! A frame holds the record of its state and how many of its steps are taken. The steps themselves
//! are kept for the topmost frames only and generated again when the search comes back to a frame
//! below, which law 1 of [`TransitionSystem`] allows. Deep searches so pay a second generation for
//! some states instead of memory for the steps of all open ones.
//!
//! Several threads have a stack each; `share` is about how they keep each other busy.

mod cycles;
mod prefix;
mod share;

use std::collections::VecDeque;
use std::sync::Arc;

use everypath_model::{End, Extent, ModelError, Successors, TransitionSystem};

use crate::options::{Observer, Options, Progress, Proviso, Reach};
use crate::outcome::{Kind, Outcome, Site, Stopped};
use crate::searches::divided::Divider;
use crate::searches::record::{Halt, Record, Shared};
use crate::stores::store::{Flat, Full, Name, Seen, Store, StoreWorker};
use cycles::Watch;
use prefix::Prefix;
use share::Pool;

/// Topmost frames whose steps are kept, and words that these may have.
const KEPT: usize = 256;
const KEPT_WORDS: usize = 1 << 22;

/// An open state.
#[derive(Clone, Copy)]
struct Frame {
    /// Where its record begins.
    record: u64,
    /// What the record has to be opened with.
    version: u32,
    /// Steps taken.
    taken: u32,
    /// Steps there are.
    total: u32,
    /// Which attempt of a reduced search they are of.
    attempt: u32,
    /// Steps of the attempts before.
    before: u32,
    /// Where the steps taken led to.
    reach: Reach,
    /// Whether its other steps were given to another thread.
    given: bool,
    /// Whether it is one of the states in whose cycles the search is interested.
    bad: bool,
    /// Whether its steps are taken from the last one to the first.
    backwards: bool,
    /// Whether another thread has it on its stack, too, or has had it.
    again: bool,
    /// Whether it was shown to another thread.
    shown: bool,
    /// Steps there are, all of them.
    count: u32,
}

impl Frame {
    /// Of the state whose record begins there; its steps are not known.
    fn new(record: u64, version: u32) -> Frame {
        Frame {
            record,
            version,
            taken: 0,
            total: 0,
            attempt: 0,
            before: 0,
            reach: Reach::NONE,
            given: false,
            bad: false,
            backwards: false,
            again: false,
            shown: false,
            count: 0,
        }
    }

    /// Which step the one taken last was.
    fn last(&self) -> u32 {
        self.before + self.ordinal(self.taken - 1)
    }

    /// The number of the step that is taken after so many others.
    #[inline]
    fn ordinal(&self, taken: u32) -> u32 {
        if self.backwards { self.count - 1 - taken } else { taken }
    }
}

/// The record of a new state.
#[derive(Clone, Copy)]
struct Recorded {
    start: u64,
    version: u32,
    /// It was there before, on the stack of another thread.
    again: bool,
}

/// The steps of a state with their names.
#[derive(Default)]
struct Expansion {
    steps: Successors,
    names: Vec<Name>,
    /// Whether these are all steps of the state.
    all: bool,
    /// Where steps lead to, if they were recalled.
    flat: Option<Flat>,
}

impl Expansion {
    /// Number of steps.
    fn len(&self) -> usize {
        self.flat.as_ref().map_or(self.names.len(), |flat| flat.targets.len())
    }
}

struct Search<'s, S: TransitionSystem, T: Store + 's> {
    system: &'s S,
    worker: S::Worker,
    all: &'s T,
    store: T::Worker<'s>,
    record: Record<'s>,
    /// The run to the state that the stack begins with.
    prefix: Arc<Prefix>,
    /// The runs to states on the stack from which steps were given away, with the positions of these.
    given: Vec<(usize, Arc<Prefix>)>,
    /// What it shares with other threads.
    pool: Option<&'s Pool>,
    /// No frame below this one has a step to give away.
    low: usize,
    stack: Vec<Frame>,
    records: Vec<u32>,
    stack_bytes: u64,
    /// The steps of the topmost frames; the last one is that of the top.
    kept: VecDeque<Box<Expansion>>,
    #[expect(clippy::vec_box, reason = "they move between the two lists")]
    spare: Vec<Box<Expansion>>,
    flats: Vec<Flat>,
    divider: Divider,
    /// States that were not expanded because of the depth limit: version and record of each.
    cut: Vec<(u32, Box<[u32]>)>,
    /// The cycles that it looks for.
    watch: Option<Watch<'s>>,
}

pub(crate) fn search<S: TransitionSystem, T: Store>(
    system: &S,
    store: &T,
    shared: &Shared<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    let exact = store.loss().is_none();
    if shared.options.cycles.is_some() && !exact && !store.has_keys() {
        let message = "the lossy store does not tell states apart that are on the stack";
        return Outcome::empty(Stopped::ModelError(ModelError(message.into())));
    }
    let alone = shared.options.cycles.is_some() && !(exact && store.has_keys());
    if threads(shared.options) > 1 && !alone {
        return share::search(system, store, shared, observer);
    }
    let mut search = Search::new(system, store, shared, 0, None);
    if let Err(halt) = search.run(observer) {
        shared.halt(halt);
    }
    let (record, stack_bytes) = search.leave();
    shared.finish(vec![record], store, None, stack_bytes)
}

/// A step is missing that was there before.
pub(crate) fn differs() -> Halt {
    let message = "the model does not repeat itself: equal states gave different steps";
    Halt(Stopped::ModelError(ModelError(message.into())))
}

/// How many threads a depth-first search has. A reduced one needs to know what is on the stack, and one
/// with a depth limit in which order states are reached: both work alone.
pub(crate) fn threads(options: &Options<'_>) -> usize {
    let alone = options.limits.depth.is_some()
        || options.reduction.is_some_and(|proviso| proviso != Proviso::Nothing);
    if alone { 1 } else { options.threads.max(1) }
}

impl<'s, S: TransitionSystem, T: Store> Search<'s, S, T> {
    fn new(
        system: &'s S,
        store: &'s T,
        shared: &'s Shared<'s>,
        thread: usize,
        pool: Option<&'s Pool>,
    ) -> Search<'s, S, T> {
        Search {
            worker: system.worker(),
            system,
            all: store,
            store: store.worker(thread),
            record: Record::new(shared),
            prefix: Prefix::new(0),
            given: Vec::new(),
            pool,
            low: 0,
            stack: Vec::new(),
            records: Vec::new(),
            stack_bytes: 0,
            kept: VecDeque::new(),
            spare: Vec::new(),
            flats: Vec::new(),
            divider: Divider::default(),
            cut: Vec::new(),
            watch: shared.options.cycles.map(|cycles| {
                let exact = store.loss().is_none();
                Watch::new(cycles, pool.map(|_| thread), exact)
            }),
        }
    }

    /// What is left of it at the end.
    fn leave(mut self) -> (Record<'s>, u64) {
        // Counts what is not counted yet; there is nothing to insert any more.
        let _ = self.store.enter();
        let _ = self.store.settle();
        (self.record, self.stack_bytes)
    }

    /// Steps to what the top of the stack leads to.
    fn depth(&self) -> u64 {
        self.prefix.len() - 1 + self.stack.len() as u64
    }

    fn run(&mut self, observer: &mut dyn Observer) -> Result<(), Halt> {
        let mut roots = Expansion::default();
        self.system.initial(&mut self.worker, &mut roots.steps)?;
        self.record.note_left_out(&roots.steps);
        for step in roots.steps.steps() {
            let name = match step.fatal {
                true => Name::NONE,
                false => self.store.name(roots.steps.target(step), None)?,
            };
            roots.names.push(name);
        }
        for root in 0..roots.steps.len() {
            self.prefix = Prefix::new(root as u32);
            self.given.clear();
            if let Some(new) = self.step(&mut roots, root)? {
                self.open(new, observer)?;
            }
            self.work_off(observer)?;
        }
        self.close_cuts()
    }

    /// Takes all steps of all states on the stack.
    fn work_off(&mut self, observer: &mut dyn Observer) -> Result<(), Halt> {
        while let Some(frame) = self.stack.last_mut() {
            if frame.taken == frame.total {
                if self.attempt_again()? {
                    continue;
                }
                let frame = self.stack[self.stack.len() - 1];
                self.unmark(frame);
                self.records.truncate(frame.record as usize);
                self.stack.pop();
                self.low = self.low.min(self.stack.len());
                // The state below goes on to another one.
                let height = self.stack.len();
                while self.given.pop_if(|(at, _)| *at >= height).is_some() {}
                self.record.expanded += u64::from(!frame.given && !frame.again);
                self.spare.extend(self.kept.pop_back());
                continue;
            }
            let mut top = self.top()?;
            let new = match &mut top.flat {
                Some(flat) => self.recalled_steps(flat),
                None => self.next_step(&mut top),
            };
            self.kept.push_back(top);
            if let Some(new) = new? {
                self.open(new, observer)?;
            }
        }
        Ok(())
    }

    /// Gives the top frame other steps, if those that it had are not enough for a reduced search.
    fn attempt_again(&mut self) -> Result<bool, Halt> {
        let Some(proviso) = self.record.shared.options.reduction else { return Ok(false) };
        let frame = self.stack[self.stack.len() - 1];
        if proviso.holds(frame.reach) {
            return Ok(false);
        }
        let top = self.top()?;
        if top.all {
            self.kept.push_back(top);
            return Ok(false);
        }
        let noted = top.steps.incomplete.is_some();
        self.spare.push(top);
        let frame = Frame { attempt: frame.attempt + 1, ..frame };
        let expansion = self.generate(&frame, false)?;
        if !noted {
            self.record.note_left_out(&expansion.steps);
        }
        let top = self.stack.len() - 1;
        let steps = expansion.len() as u32;
        self.stack[top] = Frame {
            taken: 0,
            total: steps,
            count: steps,
            before: frame.before + frame.total,
            reach: Reach::NONE,
            ..frame
        };
        self.kept.push_back(expansion);
        Ok(true)
    }

    /// Takes the mark from the state of the topmost frame.
    fn unmark(&mut self, frame: Frame) {
        let reduction = self.record.shared.options.reduction;
        if frame.bad || reduction.is_some_and(Proviso::needs_marks) {
            let record = &self.records[frame.record as usize..];
            self.store.unmark(frame.version, record);
            if frame.bad {
                self.leave_cycle(frame);
            }
        }
    }

    /// Takes the steps of the top frame out of the window, or generates them if they are gone.
    fn top(&mut self) -> Result<Box<Expansion>, Halt> {
        if let Some(steps) = self.kept.pop_back() {
            return Ok(steps);
        }
        let frame = self.stack[self.stack.len() - 1];
        self.generate(&frame, true)
    }

    /// Generates and names the steps of the state whose record is the last one, or recalls the names
    /// alone.
    fn generate(&mut self, frame: &Frame, recall: bool) -> Result<Box<Expansion>, Halt> {
        let (version, attempt) = (frame.version, frame.attempt);
        let mut expansion = self.spare.pop().unwrap_or_default();
        let Expansion { steps, names, all, flat } = &mut *expansion;
        steps.clear();
        names.clear();
        let record = &self.records[frame.record as usize..];
        if recall && self.record.shared.parts.is_some() {
            let mut targets = flat.take().or_else(|| self.flats.pop()).unwrap_or_default();
            targets.clear();
            let (system, worker) = (self.system, &mut self.worker);
            let coverage = &mut self.record.coverage;
            let from = (version, record);
            if self.store.recall(system, worker, from, 1, &mut targets, coverage)? == 1 {
                *all = true;
                if frame.backwards {
                    targets.targets.reverse();
                }
                *flat = Some(targets);
                return Ok(expansion);
            }
            self.flats.push(targets);
        }
        self.flats.extend(flat.take());
        self.store.open(version, record);
        let Shared { options, parts, .. } = self.record.shared;
        let state = self.store.state();
        *all = match options.reduction {
            None => {
                let worker = &mut self.worker;
                self.divider.steps(self.system, worker, parts.as_ref(), state, steps)?;
                true
            }
            Some(_) => self.system.reduced(&mut self.worker, state, attempt, steps)? == Extent::All,
        };
        self.store.name_all(steps, names)?;
        Ok(expansion)
    }

    /// Takes the next step from the top of the stack.
    fn next_step(&mut self, expansion: &mut Expansion) -> Result<Option<Recorded>, Halt> {
        let Some(frame) = self.stack.last_mut() else { return Ok(None) };
        let ordinal = frame.ordinal(frame.taken) as usize;
        frame.taken += 1;
        self.step(expansion, ordinal)
    }

    /// Takes a step from the top of the stack, or an initial step, and puts the record of its target
    /// on the stack if that is new.
    fn step(
        &mut self,
        expansion: &mut Expansion,
        ordinal: usize,
    ) -> Result<Option<Recorded>, Halt> {
        let Expansion { steps, names, .. } = expansion;
        let Some(step) = steps.steps().get(ordinal) else {
            return Err(differs());
        };
        let depth = self.depth();
        self.record.coverage.insert(steps.actions(step));
        if let Some(fault) = step.fault {
            self.violation(Kind::Fault(fault), depth)?;
            if step.fatal {
                return Ok(None);
            }
        }
        let target = steps.target(step);
        let seen = self.store.insert(&mut names[ordinal], target)?;
        let name = names[ordinal];
        let Some(frame) = self.stack.last_mut() else {
            self.record.transitions += 1;
            return match seen {
                Seen::New => self.new_state(name, target, depth).map(Some),
                _ => Ok(None),
            };
        };
        self.record.transitions += u64::from(!frame.again);
        frame.reach.add(seen == Seen::New, seen.off_stack());
        match seen {
            Seen::New => self.new_state(name, target, depth).map(Some),
            Seen::Marked | Seen::Known if frame.bad => self.met(name, target),
            _ => Ok(None),
        }
    }

    /// Takes steps of which only the names of the targets are known, from the top of the stack, until
    /// one of them leads to a new state.
    fn recalled_steps(&mut self, flat: &mut Flat) -> Result<Option<Recorded>, Halt> {
        let Some(frame) = self.stack.last_mut() else { return Ok(None) };
        let (from, to) = (frame.taken as usize, frame.total as usize);
        if to > flat.targets.len() {
            return Err(differs());
        }
        let (next, seen) = self.store.insert_until(flat, from, to, frame.bad)?;
        frame.taken = next as u32;
        if !frame.again {
            self.record.transitions += (next - from) as u64;
        }
        let name = || Name { key: flat.targets[next - 1].key, place: 0, epoch: 0 };
        match seen {
            Seen::New => self.new_state(name(), &[], self.depth()).map(Some),
            Seen::Marked | Seen::Known if frame.bad => self.met(name(), &[]),
            _ => Ok(None),
        }
    }

    /// Puts the record of a new state on the stack.
    fn new_state(&mut self, name: Name, target: &[u32], depth: u64) -> Result<Recorded, Halt> {
        self.record.depth = self.record.depth.max(depth);
        let ledger = self.record.shared.ledger;
        if !ledger.grow_by(&mut self.records, target.len() + 2, &mut self.stack_bytes) {
            return Err(Full::Memory.into());
        }
        let start = self.records.len() as u64;
        let version = self.store.version();
        self.store.record(name, target, &mut self.records);
        if self.record.shared.options.check_invariants && self.system.invariant_count() > 0 {
            if target.is_empty() {
                self.store.open(version, &self.records[start as usize..]);
            }
            for index in 0..self.system.invariant_count() {
                let target = if target.is_empty() { self.store.state() } else { target };
                let found = self.system.violated_invariant(&mut self.worker, target, index)?;
                if let Some(fault) = found {
                    self.violation(Kind::Invariant(fault), depth)?;
                }
            }
        }
        Ok(Recorded { start, version, again: false })
    }

    /// Puts a new state, whose record is the last one, on the stack.
    fn open(&mut self, new: Recorded, observer: &mut dyn Observer) -> Result<(), Halt> {
        let Recorded { start, version, again } = new;
        let depth = self.depth();
        let all = self.all;
        self.record.poll(1, observer, || Progress {
            states: all.len(),
            depth,
            frontier: depth,
            transitions: 0,
            bytes: 0,
            errors: 0,
        })?;
        let ledger = self.record.shared.ledger;
        if !ledger.grow(&mut self.stack, &mut self.stack_bytes) {
            return Err(Full::Memory.into());
        }
        // At the depth limit it matters where steps lead to.
        let recall = !self.record.at_depth_limit(depth);
        let bad = self.is_bad(version, start as usize);
        let backwards = bad && self.watch.as_ref().is_some_and(|watch| watch.backwards);
        let mut frame = Frame { bad, backwards, again, ..Frame::new(start, version) };
        let expansion = self.generate(&frame, recall)?;
        frame.count = expansion.len() as u32;
        frame.total = frame.count;
        let steps = &expansion.steps;
        self.record.note_left_out(steps);
        let options = self.record.shared.options;
        let ends = expansion.len() == 0 || steps.stuck;
        if ends && options.check_deadlock && steps.incomplete.is_none() {
            let state = self.store.state();
            if self.system.end(&mut self.worker, state) == End::Deadlock {
                let kind = options.deadlock(state);
                self.violation(kind, depth)?;
            }
        }
        if self.record.at_depth_limit(depth)
            && (!expansion.all || self.leads_on(&expansion.steps)?)
        {
            self.unmark(frame);
            self.record.depth_limit_hit = true;
            self.spare.push(expansion);
            if !self.record.shared.keep_cuts {
                self.records.truncate(start as usize);
                return Ok(());
            }
            let record: Box<[u32]> = self.records[start as usize..].into();
            self.records.truncate(start as usize);
            let bytes = size_of_val(&*record) as u64;
            if !ledger.grow(&mut self.cut, &mut self.stack_bytes) || !ledger.take(bytes) {
                return Err(Full::Memory.into());
            }
            self.stack_bytes += bytes;
            self.cut.push((version, record));
            return Ok(());
        }
        self.stack.push(frame);
        if bad {
            self.enter_cycle(frame);
        }
        // States of programs may be large.
        let words: usize = steps.steps().iter().map(|step| steps.target(step).len()).sum();
        let most = (KEPT_WORDS / words.max(1)).clamp(2, KEPT);
        while self.kept.len() >= most {
            self.spare.extend(self.kept.pop_front());
        }
        self.spare.truncate(most);
        self.kept.push_back(expansion);
        self.store.pause()?;
        match self.pool {
            Some(pool) => self.share(pool),
            None => Ok(()),
        }
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
    fn close_cuts(&mut self) -> Result<(), Halt> {
        if !self.record.shared.keep_cuts {
            return Ok(());
        }
        self.record.depth_limit_hit = false;
        for (version, record) in std::mem::take(&mut self.cut) {
            self.records.clear();
            self.records.extend_from_slice(&record);
            let expansion = self.generate(&Frame::new(0, version), false)?;
            let steps = &expansion.steps;
            if !expansion.all || self.leads_on(steps)? {
                self.record.depth_limit_hit = true;
            } else {
                self.record.expanded += 1;
                self.record.transitions += steps.len() as u64;
                for step in steps.steps() {
                    self.record.coverage.insert(steps.actions(step));
                }
            }
            self.spare.push(expansion);
        }
        Ok(())
    }

    fn violation(&mut self, kind: Kind, depth: u64) -> Result<(), Halt> {
        let states = self.store.stored();
        let run = || {
            let mut run = self.prefix.steps();
            run.extend(self.stack.iter().map(Frame::last));
            Site::Run(run.into())
        };
        self.record.violation(kind, depth, self.all, states, run)
    }
}
