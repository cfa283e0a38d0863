//! What `--search auto` does beside its breadth-first search.
//!
//! Between levels, as a [`Schedule`] says, others look for violations that lie deep: a depth-first and a directed search,
//! of Java programs one that follows run by run as well, and the search for runs that violate temporal properties. The
//! breadth-first search then goes on as after a violation of its own, and what it finds of the same kind is shorter.

use everypath_engine_explicit::{
    AfterViolation, Control, Heuristic, Meanwhile, Observer, Options, Order, Outcome, Progress,
    Schedule,
};
use everypath_model::ModelError;
use everypath_verdict::Verdict;

use crate::checking::Checking;
use crate::choices::SearchArg;
use crate::defect::InternalError;
use crate::subject::{Aims, Bounds, Directions, Manner, Subject};
use crate::temporal::{Judged, Judges, cycles};

/// States after which there is the first probe: of models, and of programs, whose states take longer.
const FIRST: u64 = 1 << 16;
const FIRST_OF_PROGRAM: u64 = 1 << 8;
/// Steps that the runs of a probe may have: as many as it may store states, but within these bounds. Longer runs
/// are of no use to people, and the search looks elsewhere instead.
const SHALLOW: u64 = 10_000;
const DEEP: u64 = 100_000;
/// A run of fewer steps is short enough.
const SHORT: u64 = 64;
/// States, at least, with which a probe goes on after its first violation.
const AFTER_VIOLATION: u64 = 20_000;

/// A search in another order, and what it found.
pub struct Probed {
    /// Its name on the command line.
    pub search: SearchArg,
    /// Its order.
    pub order: Order,
    /// How the model was searched.
    pub manner: Manner,
    /// What it found.
    pub outcome: Outcome,
}

/// Looks for runs that violate temporal properties, with these options; whether there is one.
pub type Seek<'a> = &'a mut dyn FnMut(&Options<'_>, &mut dyn Observer) -> bool;

/// The observer of a breadth-first search that is not alone.
pub struct Portfolio<'a, S> {
    searched: &'a S,
    /// What the breadth-first search is told.
    options: &'a Options<'a>,
    manner: Manner,
    probes: Vec<(SearchArg, Directions<'a>)>,
    seek: Option<Seek<'a>>,
    /// Whether something was found that the search does not know about yet.
    early: bool,
    observer: &'a mut dyn Observer,
    schedule: Schedule,
    /// The probe that comes first the next time.
    turn: usize,
    found: Vec<Probed>,
}

impl<'a, S: Subject> Portfolio<'a, S> {
    /// The one that fits a model. What seeks has to leave the model as it is; whether it has found something already.
    pub fn new(
        searched: &'a S,
        (checking, aims): (&Checking, Aims),
        options: &'a Options<'a>,
        (seek, early): (Option<Seek<'a>>, bool),
        observer: &'a mut dyn Observer,
    ) -> Portfolio<'a, S> {
        let program = searched.program_stats().is_some();
        let mut probes = vec![
            (SearchArg::Dfs, Directions::default()),
            (SearchArg::Directed, searched.directions(None, aims)),
        ];
        if program {
            probes.push((SearchArg::Stateless, Directions::default()));
        }
        Portfolio {
            searched,
            options,
            manner: checking.manner(),
            probes,
            seek,
            early,
            observer,
            schedule: Schedule::new(if program { FIRST_OF_PROGRAM } else { FIRST }),
            turn: 0,
            found: Vec::new(),
        }
    }

    /// What the probes found.
    pub fn found(self) -> Vec<Probed> {
        self.found
    }

    /// Looks around in one order.
    fn probe(&mut self, index: usize, budget: u64, bytes: u64) -> Result<bool, ModelError> {
        let (search, directions) = &self.probes[index];
        let heuristics: Vec<Heuristic<'_>> =
            directions.distances.iter().map(|one| &**one as _).collect();
        let order = match search {
            SearchArg::Directed => Order::Directed,
            _ => Order::Depth,
        };
        let mut options = Options {
            order,
            heuristics: &heuristics,
            history: directions.run.as_ref().map(|run| &**run as _),
            prefer_blocked: directions.blocked,
            after_violation: AfterViolation::Budget { states: AFTER_VIOLATION, factor: 2 },
            ..self.options.of_probe(budget, bytes)
        };
        let given = options.limits.depth.unwrap_or(u64::MAX);
        options.limits.depth = Some(given.min(budget.clamp(SHALLOW, DEEP)));
        let stateless = *search == SearchArg::Stateless;
        let bounds = Bounds { preemptions: None, switches: None };
        let manner = Manner { stateless: stateless.then_some(bounds), ..self.manner };
        let mut found = None;
        // A run of a depth-first search may be much longer than it has to be: half of that may do.
        loop {
            let outcome = self.searched.probe(manner, &options, self.observer)?;
            let Some(depth) = outcome.violations.iter().map(|one| one.depth).min() else { break };
            found = Some(outcome);
            if order != Order::Depth || depth < SHORT {
                break;
            }
            options.limits.depth = Some(depth / 2);
        }
        let any = found.is_some();
        self.found.extend(found.map(|outcome| Probed { search: *search, order, manner, outcome }));
        Ok(any)
    }
}

impl<S: Subject> Observer for Portfolio<'_, S> {
    fn progress(&mut self, progress: &Progress) -> Control {
        self.observer.progress(progress)
    }

    fn begin(&mut self) {
        self.schedule.begin();
        self.turn = 0;
        // The steps may be others now.
        self.found.clear();
    }

    fn level(&mut self, states: u64, bytes: u64) -> Result<Meanwhile, ModelError> {
        if std::mem::take(&mut self.early) {
            return Ok(Meanwhile::Violation);
        }
        if !self.found.is_empty() {
            return Ok(Meanwhile::Nothing);
        }
        let Some(budget) = self.schedule.due(states) else { return Ok(Meanwhile::Nothing) };
        // One has the whole budget, the others a part: which one changes.
        let (turn, count) = (self.turn, self.probes.len());
        self.turn += 1;
        for index in 0..count {
            let share = if index == turn % count { 1 } else { 2 };
            if self.probe(index, budget / share, bytes)? {
                return Ok(Meanwhile::Violation);
            }
        }
        if let Some(seek) = &mut self.seek
            && seek(&self.options.of_probe(budget, bytes), self.observer)
        {
            return Ok(Meanwhile::Violation);
        }
        Ok(Meanwhile::Nothing)
    }
}

/// What is known about temporal properties before their own turn.
#[derive(Default)]
pub struct Sought {
    known: Vec<Option<Judged>>,
    failed: Option<InternalError>,
}

impl Sought {
    fn is_violated(&self, index: usize) -> bool {
        let judged = self.known.get(index).and_then(Option::as_ref);
        judged.is_some_and(|judged| judged.verdict == Verdict::Violated)
    }

    /// Looks for runs that violate wanted properties; whether there are new ones.
    pub fn seek(
        &mut self,
        judges: &dyn Judges,
        wanted: &dyn Fn(usize) -> bool,
        manner: &cycles::Manner<'_>,
        observer: &mut dyn Observer,
    ) -> bool {
        let open = |index: usize| wanted(index) && !self.is_violated(index);
        let judged = match judges.judge(&open, manner, observer) {
            Ok(judged) => judged,
            Err(error) => {
                self.failed = Some(error);
                return false;
            }
        };
        self.known.resize_with(judged.len(), || None);
        let mut any = false;
        for (known, judged) in self.known.iter_mut().zip(judged) {
            let answer = judged.filter(|judged| judged.stop.is_none());
            let Some(answer) = answer else { continue };
            any |= answer.verdict == Verdict::Violated;
            *known = Some(answer);
        }
        any
    }

    /// Judges the wanted properties that are not known to be violated.
    pub fn judge(
        mut self,
        judges: &dyn Judges,
        wanted: &dyn Fn(usize) -> bool,
        manner: &cycles::Manner<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Option<Judged>>, InternalError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let open = |index: usize| wanted(index) && !self.is_violated(index);
        let mut judged = judges.judge(&open, manner, observer)?;
        for (index, known) in self.known.iter_mut().enumerate() {
            // A small search that came to its end says more than a large one that did not.
            let unanswered = judged[index].as_ref().is_none_or(|judged| judged.stop.is_some());
            if known.is_some() && unanswered {
                judged[index] = known.take();
            }
        }
        Ok(judged)
    }
}
