//! Many runs or searches, each of which follows from a number, by several threads.
//!
//! What they found is put together in the order of their numbers. After a violation nothing counts
//! that has a greater number, so the outcome does not depend on the number of threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use everypath_model::spawn;

use crate::options::{AfterViolation, Control, Observer, Options, Progress, Sample};
use crate::outcome::{Kind, Outcome, Stopped};

/// What all threads know.
struct Team {
    sample: Sample,
    /// The number of the next run.
    next: AtomicU64,
    /// Runs with a greater number do not count.
    last: AtomicU64,
    /// Whether no other run is to begin.
    over: AtomicBool,
    states: AtomicU64,
    transitions: AtomicU64,
    errors: AtomicU64,
    total: Mutex<Total>,
}

/// What is put together.
struct Total {
    outcome: Outcome,
    index: BTreeMap<Kind, usize>,
    /// The number of the run that comes next, and what those behind it found already.
    next: u64,
    early: BTreeMap<u64, Outcome>,
    after: AfterViolation,
}

/// Lets threads work until there is enough. `member` makes what a thread needs; that is given a
/// seed each time.
pub(crate) fn run<M: FnMut(u64, &mut dyn Observer) -> Outcome>(
    options: &Options<'_>,
    sample: Sample,
    observer: &mut dyn Observer,
    member: impl Fn() -> M + Sync,
) -> Outcome {
    let team = Team {
        sample,
        next: AtomicU64::new(0),
        last: AtomicU64::new(sample.runs.map_or(u64::MAX, |runs| runs.wrapping_sub(1))),
        over: AtomicBool::new(false),
        states: AtomicU64::new(0),
        transitions: AtomicU64::new(0),
        errors: AtomicU64::new(0),
        total: Mutex::new(Total {
            outcome: Outcome { runs: Some(0), ..Outcome::empty(Stopped::Finished) },
            index: BTreeMap::new(),
            next: 0,
            early: BTreeMap::new(),
            after: options.after_violation,
        }),
    };
    if sample.runs != Some(0) {
        std::thread::scope(|scope| {
            for _ in 1..options.threads.max(1) {
                spawn(scope, || team.work(member(), &mut ()));
            }
            team.work(member(), observer);
        });
    }
    let mut outcome = team.total.into_inner().unwrap_or_else(PoisonError::into_inner).outcome;
    outcome.reached.detours = true;
    outcome
}

impl Team {
    fn work(
        &self,
        mut member: impl FnMut(u64, &mut dyn Observer) -> Outcome,
        o: &mut dyn Observer,
    ) {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number > self.last.load(Ordering::Relaxed) || self.over.load(Ordering::Relaxed) {
                break;
            }
            let seed = self.sample.seed.wrapping_add(number);
            let mut watch = Watch { team: self, number, told: (0, 0, 0), observer: o };
            let outcome = member(seed, &mut watch);
            let stats = outcome.stats;
            watch.tell(stats.states, stats.transitions, outcome.errors);
            let mut total = self.total.lock().unwrap_or_else(PoisonError::into_inner);
            total.early.insert(number, outcome);
            while let Some(outcome) = total.take_next() {
                let number = total.next - 1;
                total.add(outcome, self.sample.seed.wrapping_add(number));
                match total.outcome.stopped {
                    Stopped::Finished => {}
                    Stopped::Violation => {
                        self.last.fetch_min(number, Ordering::Relaxed);
                        total.early.clear();
                    }
                    // Those that have begun end by themselves, and what they found counts.
                    _ => self.over.store(true, Ordering::Relaxed),
                }
            }
        }
    }
}

impl Total {
    fn take_next(&mut self) -> Option<Outcome> {
        let outcome = self.early.remove(&self.next)?;
        self.next += 1;
        Some(outcome)
    }

    /// Adds what the next run found.
    fn add(&mut self, other: Outcome, seed: u64) {
        let all = &mut self.outcome;
        if all.stopped == Stopped::Violation {
            return;
        }
        all.runs = Some(all.runs.unwrap_or(0) + 1);
        all.stats.states += other.stats.states;
        all.stats.transitions += other.stats.transitions;
        all.stats.depth = all.stats.depth.max(other.stats.depth);
        let (mine, theirs) = (&mut all.stats.bytes, other.stats.bytes);
        mine.table = mine.table.max(theirs.table);
        mine.stack = mine.stack.max(theirs.stack);
        mine.peak = mine.peak.max(theirs.peak);
        all.errors += other.errors;
        all.unrecorded += other.unrecorded;
        all.coverage.merge(&other.coverage);
        if let Some(theirs) = other.left_out {
            all.left_out.get_or_insert(crate::LeftOut { states: 0, ..theirs }).states +=
                theirs.states;
        }
        let found = !other.violations.is_empty();
        for violation in other.violations {
            let violation = crate::Violation { seed: Some(seed), ..violation };
            match self.index.get(&violation.kind) {
                Some(&known) => {
                    let known = &mut all.violations[known];
                    let occurrences = known.occurrences + violation.occurrences;
                    if violation.depth < known.depth {
                        *known = violation;
                    }
                    known.occurrences = occurrences;
                }
                None => {
                    self.index.insert(violation.kind, all.violations.len());
                    all.violations.push(violation);
                }
            }
        }
        if found && self.after == AfterViolation::Stop {
            all.stopped = Stopped::Violation;
        }
        // The memory, the states and the violations of one search are its own affair.
        let ends =
            matches!(other.stopped, Stopped::Time | Stopped::Interrupted | Stopped::ModelError(_));
        if ends && all.stopped == Stopped::Finished {
            all.stopped = other.stopped;
        }
    }
}

/// Watches one of many.
struct Watch<'a> {
    team: &'a Team,
    number: u64,
    /// States, transitions and errors that the others know of.
    told: (u64, u64, u64),
    observer: &'a mut dyn Observer,
}

impl Watch<'_> {
    fn tell(&mut self, states: u64, transitions: u64, errors: u64) {
        let more = |counter: &AtomicU64, now: u64, told: u64| {
            counter.fetch_add(now.saturating_sub(told), Ordering::Relaxed);
        };
        more(&self.team.states, states, self.told.0);
        more(&self.team.transitions, transitions, self.told.1);
        more(&self.team.errors, errors, self.told.2);
        self.told = (states, transitions, errors);
    }
}

impl Observer for Watch<'_> {
    fn progress(&mut self, progress: &Progress) -> Control {
        self.tell(progress.states, progress.transitions, progress.errors);
        if self.number > self.team.last.load(Ordering::Relaxed) {
            return Control::Stop;
        }
        self.observer.progress(&Progress {
            states: self.team.states.load(Ordering::Relaxed),
            transitions: self.team.transitions.load(Ordering::Relaxed),
            errors: self.team.errors.load(Ordering::Relaxed),
            ..*progress
        })
    }
}
