//! One model through the search, its findings through replay, and all of it into a result.

use std::fmt::Write;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use everypath_engine_explicit::{
    AfterViolation, Checkpoints, Disk, Fewest, Heuristic, Kind, Lassos, Limits, Observer, Options,
    Order, Outcome, Path, Proviso, Stopped, Violation, shortest_run,
};
use everypath_model::{
    Diagnostic, FaultInfo, FileId, Label, ModelError, Named, Severity, Sources, Successors,
};
use everypath_property::{Declared, PropertyKind, Selection};
use everypath_verdict::{
    Assurance, Claim, Context, Evidence, Fix, Input, ModelInfo, Note, Place, PropertyResult,
    RESULT_SCHEMA, Reason, RunInfo, RunResult, RunStats, Sample, Scope, Stats, Stop, Tool, Trace,
    Verdict, number_ids, replay, sha256_hex,
};

use crate::brake::{Bounds, within};
use crate::checking::Checking;
use crate::choices::{ExecArg, ProvisoArg, SearchArg};
use crate::fix::{self, Variant};
use crate::input::placeless;
use crate::memory;
use crate::portfolio::{Portfolio, Probed, Sought};
use crate::searches;
use crate::stores;
use crate::subject::{Aims, Directions, Manner, Subject};
use crate::temporal::{Judged, Judges, cycles};

/// States in which runs of programs that violate temporal properties are looked for before anything else.
const EARLY: u64 = 20_000;
/// Below this many states every trace gets the fewest context switches, not only those shown.
const SMALL: u64 = 100_000;

/// Removes partial deadlocks whose threads are among those of a deadlock that is told.
fn drop_told(properties: &mut Vec<PropertyResult>) {
    let places = |property: &PropertyResult| -> Vec<Place> {
        let lanes = property.trace.iter().flat_map(|trace| &trace.end.blocked);
        lanes.filter(|lane| !lane.needs.is_empty()).flat_map(|l| &l.at).map(|at| at.span).collect()
    };
    let whole: Vec<Place> =
        properties.iter().filter(|property| property.id == DEADLOCK).flat_map(places).collect();
    properties.retain(|property| {
        let code = property.code.as_deref();
        code != Some("EP0117") || !places(property).iter().all(|place| whole.contains(place))
    });
}

/// The id of the property that there is no deadlock, the kind of one that leaves some threads alone, and the id
/// of one whose notification was missed.
const DEADLOCK: &str = "deadlock";
const PARTIAL: &str = "partial deadlock";
const MISSED: &str = "missed-signal";
/// The id of the property that there are no races.
const RACES: &str = "races";
/// The code of what is wrong only where something happens without a reason.
const SPURIOUS: &str = "EP0127";
/// Races that are told.
const MOST_RACES: usize = 12;

/// A defect of the tool that was noticed in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InternalError(pub String);

/// Gives what a search wrote that is taken up.
pub type ReadOn<'a> = dyn Fn(&mut [u8]) -> io::Result<usize> + Sync + 'a;

/// The circumstances of a run.
pub struct Session<'a> {
    /// When it began.
    pub start: Instant,
    /// Set to end the search.
    pub interrupt: &'a AtomicBool,
    /// Watches the search.
    pub observer: &'a mut dyn Observer,
    /// Keeps it on the disk.
    pub checkpoints: Option<&'a dyn Checkpoints>,
    /// Where it puts what it need not have in memory.
    pub disk: Option<Arc<dyn Disk>>,
    /// The search to go on with.
    pub resume: Option<&'a ReadOn<'a>>,
}

impl<'a> Session<'a> {
    /// One that begins now, and is not kept.
    pub fn new(interrupt: &'a AtomicBool, observer: &'a mut dyn Observer) -> Session<'a> {
        let start = Instant::now();
        Session { start, interrupt, observer, checkpoints: None, disk: None, resume: None }
    }
}

/// A model that is ready to be searched.
pub struct Loaded<'a, S> {
    /// The model.
    pub system: &'a S,
    /// What is searched: the model, or something smaller with the same answers, whose runs are runs
    /// of the model.
    pub searched: &'a S,
    /// Its files.
    pub sources: &'a Sources,
    /// Short name of its language.
    pub lang: &'static str,
    /// Name of its language.
    pub language: &'static str,
    /// The temporal properties in it and of the command line.
    pub temporal: Vec<Declared>,
    /// What judges them; without it they are unknown.
    pub cycles: Option<&'a dyn Judges>,
    /// What in it has a meaning that was not looked at.
    pub ignored: Vec<String>,
    /// What was said about it so far.
    pub diagnostics: Vec<Diagnostic>,
    /// Makes changed copies of it, to try out what would repair it.
    pub variant: Option<Variant<'a, S>>,
}

/// Searches a model and judges its properties.
pub fn analyse<S: Subject>(
    loaded: &Loaded<'_, S>,
    checking: &Checking,
    session: &mut Session<'_>,
) -> Result<RunResult, InternalError> {
    memory::guarded(checking.memory, session.interrupt, |stop| {
        let mut session = Session {
            interrupt: stop,
            observer: &mut *session.observer,
            disk: session.disk.clone(),
            ..*session
        };
        analyse_guarded(loaded, checking, &mut session)
    })
}

fn analyse_guarded<S: Subject>(
    loaded: &Loaded<'_, S>,
    checking: &Checking,
    session: &mut Session<'_>,
) -> Result<RunResult, InternalError> {
    let selection = Selection::new(&checking.only);
    let deadline = checking.time.map(|limit| session.start + limit);
    let expired = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let aims = Aims {
        assertions: selection.has_group(PropertyKind::Assertion)
            || selection.has_group(PropertyKind::Invariant),
        deadlocks: selection.has_group(PropertyKind::Deadlock),
    };
    let directions = match checking.search {
        SearchArg::Directed => loaded.searched.directions(checking.heuristic, aims),
        _ => Directions::default(),
    };
    let heuristics: Vec<Heuristic<'_>> =
        directions.distances.iter().map(|one| &**one as _).collect();
    let besides = || loaded.searched.bytes();
    let key = |state: &[u32]| loaded.searched.deadlock_kind(state);
    let options = Options {
        order: searches::order(checking),
        heuristics: &heuristics,
        history: directions.run.as_ref().map(|run| &**run as _),
        prefer_blocked: directions.blocked,
        threads: checking.jobs,
        reduction: checking.partial_order().map(|_| match checking.proviso {
            ProvisoArg::Open => Proviso::Open,
            ProvisoArg::AllOpen => Proviso::AllOpen,
            ProvisoArg::New => Proviso::New,
            ProvisoArg::Sticky => Proviso::Nothing,
        }),
        store: checking.store,
        limits: Limits { depth: checking.depth, memory: checking.memory, states: checking.states },
        lassos: if checking.shortest { Lassos::Shortest } else { Lassos::Short },
        check_deadlock: selection.has_group(PropertyKind::Deadlock),
        check_invariants: selection.has_group(PropertyKind::Invariant),
        after_violation: match checking.exhaust {
            true => AfterViolation::Continue,
            false if checking.search.samples() => AfterViolation::Stop,
            // States of programs take longer than those of models.
            false if loaded.searched.program_stats().is_some() => {
                AfterViolation::Budget { states: 100_000, factor: 2 }
            }
            false => AfterViolation::default(),
        },
        max_violations: usize::MAX,
        expired: Some(&expired),
        interrupt: Some(session.interrupt),
        checkpoints: session.checkpoints,
        disk: session.disk.as_ref(),
        resume: session.resume.map(|read| read as _),
        besides: Some(&besides),
        deadlock_key: Some(&key),
        // Often enough for states of a megabyte; looking at the clock costs little.
        poll_every: 64,
        ..Options::default()
    };
    let exact = !checking.search.samples() && !checking.store.is_lossy();
    let portfolio = checking.portfolio && exact;
    let wanted = |index: usize| selection.has(&loaded.temporal[index]);
    let others = [PropertyKind::Assertion, PropertyKind::Deadlock, PropertyKind::Invariant];
    // Then the products with automata are searched, and nothing else.
    let products_alone = exact
        && options.resume.is_none()
        && loaded.cycles.is_some()
        && (0..loaded.temporal.len()).any(wanted)
        && !others.into_iter().any(|group| selection.has_group(group));
    let began = Instant::now();
    let bounds =
        Bounds { interrupt: session.interrupt, deadline, memory: checking.memory, bytes: &besides };
    let brake = loaded.searched.brake();
    let Loaded { sources, lang, .. } = *loaded;
    let cycles = loaded.cycles.filter(|_| !checking.search.samples());
    let mut sought = Sought::default();
    let mut probed = Vec::new();
    let mut outcome = if products_alone {
        Outcome::unneeded()
    } else if portfolio {
        let mut seek = |options: &Options<'_>, observer: &mut dyn Observer| match cycles {
            Some(cycles) => {
                let manner = cycle_manner(checking, options, sources, lang);
                sought.seek(cycles, &wanted, &manner, observer)
            }
            None => false,
        };
        // A search for cycles may find out that a program has other steps than was assumed.
        let program = loaded.searched.program_stats().is_some();
        let early = program && cycles.is_some() && {
            let few = Options { order: Order::Breadth, ..options.of_probe(EARLY, 0) };
            seek(&few, session.observer)
        };
        let seek = (!program && cycles.is_some()).then_some(&mut seek as _);
        let asked = (checking, aims);
        let mut portfolio =
            Portfolio::new(loaded.searched, asked, &options, (seek, early), session.observer);
        let outcome = within(brake, &bounds, || {
            loaded.searched.search(checking.manner(), &options, &mut portfolio)
        });
        probed = portfolio.found();
        outcome
    } else {
        within(brake, &bounds, || {
            loaded.searched.search(checking.manner(), &options, session.observer)
        })
    };
    let searching = began.elapsed();
    if let Stopped::NotResumed(why) = &outcome.stopped {
        return Err(InternalError(format!("the checkpoint cannot be used: {why}")));
    }
    let judged = match cycles {
        Some(cycles) => {
            let manner = cycle_manner(checking, &options, sources, lang);
            within(brake, &bounds, || sought.judge(cycles, &wanted, &manner, session.observer))?
        }
        None => Vec::new(),
    };
    if products_alone {
        let stats = &mut outcome.stats;
        for judged in judged.iter().flatten() {
            stats.bytes.table = stats.bytes.table.max(judged.bytes);
            if let Some(product) = &judged.product {
                stats.states += product.states;
                stats.transitions += product.transitions;
                stats.depth = stats.depth.max(product.stack);
            }
        }
    }
    let judge = Judge {
        loaded,
        checking,
        selection,
        options: &options,
        bounds: &bounds,
        outcome: &outcome,
        probed: &probed,
        products_alone,
        judged,
        searching,
    };
    judge.result(session.start.elapsed())
}

/// How cycles are looked for with these options.
fn cycle_manner<'a>(
    checking: &'a Checking,
    options: &'a Options<'a>,
    sources: &'a Sources,
    lang: &'a str,
) -> cycles::Manner<'a> {
    cycles::Manner {
        exec: checking.exec,
        fairness: checking.fairness,
        choices: &checking.fair_choices,
        how: checking.emptiness,
        reductions: &checking.reductions,
        options,
        sources,
        lang,
    }
}

struct Judge<'a, S> {
    loaded: &'a Loaded<'a, S>,
    checking: &'a Checking,
    selection: Selection<'a>,
    options: &'a Options<'a>,
    /// What ends attempts to find a better run.
    bounds: &'a Bounds<'a>,
    outcome: &'a Outcome,
    /// What searches in other orders found beside it.
    probed: &'a [Probed],
    /// Whether the counts are those of the temporal properties, and only they were looked at.
    products_alone: bool,
    /// What is known about each temporal property.
    judged: Vec<Option<Judged>>,
    /// How long the search took.
    searching: Duration,
}

impl<S: Subject> Judge<'_, S> {
    fn result(&self, elapsed: Duration) -> Result<RunResult, InternalError> {
        let Loaded { system, sources, .. } = *self.loaded;
        let outcome = self.outcome;
        let taken = |transition: u32| outcome.coverage.contains(transition);
        let mut properties = self.properties()?;
        let mut diagnostics: Vec<Note> =
            self.loaded.diagnostics.iter().map(|d| Note::of(sources, d)).collect();
        diagnostics.extend(self.remarks());
        let verdict = properties
            .iter()
            .map(|property| property.verdict)
            .fold(Verdict::Holds.under(self.assurance()), Verdict::and);
        if !self.checking.traces {
            for property in &mut properties {
                property.trace = None;
            }
        }
        let stats = &outcome.stats;
        let bytes = stats.bytes.table + stats.bytes.arena + stats.bytes.parents + stats.bytes.stack;
        let mut result = RunResult {
            verdict,
            run: run_info(self.checking, elapsed, self.stop()),
            model: Some(ModelInfo {
                language: self.loaded.language.to_owned(),
                processes: self.processes(),
            }),
            scope: self.scope(),
            stats: Some(Stats {
                states: stats.states,
                transitions: stats.transitions,
                matched: stats.matched(),
                depth: stats.depth,
                errors: match outcome.errors {
                    0 => self.probed.iter().map(|probed| probed.outcome.errors).sum(),
                    errors => errors,
                },
                unexpanded: stats.frontier,
                bytes,
                bytes_per_state: (bytes as f64 / stats.states.max(1) as f64 * 10.0).round() / 10.0,
                forced_ends: outcome.forced.as_ref().map(|forced| forced.count),
                program: system.program_stats(),
                runs: outcome.followed.map(|followed| RunStats {
                    executions: followed.executions,
                    given_up: followed.given_up,
                    cut: followed.cut,
                    executions_per_s: (followed.executions as f64
                        / self.searching.as_secs_f64().max(1e-6))
                    .round(),
                }),
            }),
            properties,
            coverage: (!self.products_alone).then(|| system.coverage(&taken, sources)),
            diagnostics,
            output: self.is_single_run().then(|| system.output()).flatten(),
            ..empty_result(sources, self.loaded.lang)
        };
        let policy = &self.checking.policy;
        result.exit = policy.apply(result.judge(policy)).code();
        Ok(result)
    }

    /// Whether there is one run only, and it ends.
    fn is_single_run(&self) -> bool {
        let stats = &self.outcome.stats;
        let line = stats.depth + 1 == stats.states;
        self.outcome.complete() && line && stats.matched() == 0
    }

    fn stop(&self) -> Stop {
        match &self.outcome.stopped {
            Stopped::Finished if self.outcome.depth_limit_hit => Stop::Depth,
            Stopped::Finished if self.outcome.followed.is_some_and(|f| f.bounded) => Stop::Bound,
            Stopped::Finished => {
                let stops = self.judged.iter().flatten().filter_map(|judged| judged.stop);
                stops.into_iter().next().unwrap_or(Stop::Completed)
            }
            Stopped::Violation | Stopped::ViolationBudget => Stop::Violation,
            Stopped::StateLimit => Stop::States,
            Stopped::MemoryLimit => Stop::Memory,
            Stopped::Time => Stop::Time,
            Stopped::Interrupted if memory::ended_it() => Stop::Memory,
            Stopped::Interrupted => Stop::Interrupt,
            Stopped::Disk(_) => Stop::Disk,
            Stopped::ModelError(_) | Stopped::NotResumed(_) => Stop::Model,
        }
    }

    /// Whether everything was looked at.
    fn complete(&self) -> bool {
        self.outcome.complete() && self.judged.iter().flatten().all(|judged| judged.stop.is_none())
    }

    fn assurance(&self) -> Assurance {
        let incomplete = if self.outcome.complete() {
            None
        } else {
            let otherwise = match (self.outcome.left_out, self.outcome.runs, self.outcome.loss) {
                (Some(_), _, _) | (None, None, None) => Reason::ModelIncomplete,
                (None, Some(_), _) => Reason::Sampled,
                (None, None, Some(_)) => Reason::LossyStore,
            };
            Some(self.stop().reason().unwrap_or(otherwise))
        };
        Assurance { incomplete, imprecise: None }
    }

    /// What the search itself has to say about the model.
    fn remarks(&self) -> Vec<Note> {
        let mut remarks = Vec::new();
        if let Stopped::ModelError(error) = &self.outcome.stopped {
            remarks.push(Diagnostic {
                code: "EP0304",
                severity: Severity::Unsupported,
                message: format!("a state could not be evaluated: {error}"),
                primary: None,
                secondary: Vec::new(),
                help: None,
            });
        }
        if let Stopped::Disk(why) = &self.outcome.stopped {
            let message = format!("the disk (--disk) failed: {why}");
            remarks.push(placeless(Severity::Unsupported, "EP0305", message));
        }
        if let Some(left_out) = self.outcome.left_out {
            let info = self.loaded.system.fault(left_out.first);
            remarks.push(Diagnostic {
                code: info.code,
                severity: Severity::Warning,
                message: info.message,
                primary: info.span.map(|span| Label { span, text: String::new() }),
                secondary: Vec::new(),
                help: None,
            });
        }
        let clean = self.outcome.violations.is_empty() && !self.products_alone;
        remarks.extend(self.loaded.system.remarks(clean && self.outcome.complete()));
        remarks.iter().map(|remark| Note::of(self.loaded.sources, remark)).collect()
    }

    fn scope(&self) -> Scope {
        let mut bounds = serde_json::Map::new();
        let mut bound = |name: &str, value: Option<serde_json::Value>| {
            if let Some(value) = value {
                bounds.insert(name.to_owned(), value);
            }
        };
        bound("time_s", self.checking.time.map(|time| time.as_secs_f64().into()));
        bound("memory_bytes", self.checking.memory.map(Into::into));
        bound("states", self.checking.states.map(Into::into));
        bound("depth", self.checking.depth.map(Into::into));
        bound("preemptions", self.checking.preemptions.map(Into::into));
        bound("switches", self.checking.switches.map(Into::into));
        let mut skipped = Vec::new();
        let system = self.loaded.system;
        for (kind, name, there) in [
            (PropertyKind::Assertion, "assertions", !system.assertions(&|_| false).is_empty()),
            (PropertyKind::Deadlock, "deadlock", true),
            (PropertyKind::Invariant, "invariant", !system.invariants().is_empty()),
            (PropertyKind::Race, RACES, system.has_threads()),
        ] {
            if there && !self.selection.has_group(kind) {
                skipped.push(name.to_owned());
            }
        }
        for property in &self.loaded.temporal {
            if !self.selection.has(property) {
                skipped.push(property.name.clone());
            }
        }
        skipped.extend(self.loaded.ignored.iter().cloned());
        Scope {
            complete: self.complete(),
            reductions: self.checking.reductions.names(),
            fairness: self.checking.fairness_name(),
            bounds,
            lossy: self.outcome.loss.map(|_| stores::describe(self.checking.store)),
            loss: self.outcome.loss.map(|loss| {
                let stats = &self.outcome.stats;
                let cut = stats.frontier > 0
                    || self.outcome.left_out.is_some()
                    || self.outcome.runs.is_some()
                    || self.stop() != Stop::Completed;
                stores::estimate(self.checking, loss, (stats.states, stats.transitions), cut)
            }),
            sample: self.outcome.runs.map(|runs| Sample { runs, seed: self.checking.seed }),
            skipped,
            assumed: system.assumptions(),
        }
    }

    fn processes(&self) -> u64 {
        let system = self.loaded.system;
        if let Some(program) = system.program_stats() {
            return program.threads;
        }
        let mut out = Successors::new();
        match system.initial(&mut system.worker(), &mut out) {
            Ok(()) => out
                .steps()
                .first()
                .map_or(0, |step| system.processes(out.target(step)).len() as u64),
            Err(_) => 0,
        }
    }

    fn properties(&self) -> Result<Vec<PropertyResult>, InternalError> {
        let Loaded { system, sources, temporal, .. } = self.loaded;
        let taken = |transition: u32| self.outcome.coverage.contains(transition);
        let unrefuted = Verdict::Holds.under(self.assurance());
        let mut properties: Vec<PropertyResult> = Vec::new();

        if self.selection.has_group(PropertyKind::Assertion) {
            for (span, reached) in system.assertions(&taken) {
                let place = Place::of(sources, span);
                let id = self.place_id("assert", place);
                let mut property =
                    PropertyResult::new(PropertyKind::Assertion, id.clone(), id, unrefuted);
                property.span = Some(place);
                property.vacuous = !reached;
                properties.push(property);
            }
        }
        if self.selection.has_group(PropertyKind::Deadlock) {
            let kind = PropertyKind::Deadlock;
            properties.push(PropertyResult::new(kind, "deadlock", "no deadlock", unrefuted));
        }
        if system.has_threads() && self.selection.has_group(PropertyKind::Race) {
            let kind = PropertyKind::Race;
            properties.push(PropertyResult::new(kind, RACES, "no data race", unrefuted));
        }
        let first_invariant = properties.len();
        if self.selection.has_group(PropertyKind::Invariant) {
            for text in system.invariants() {
                let name = format!("invariant {text}");
                properties.push(PropertyResult::new(
                    PropertyKind::Invariant,
                    format!("invariant:{text}"),
                    name,
                    unrefuted,
                ));
            }
        }
        let end_of_invariants = properties.len();
        for (index, one) in temporal.iter().enumerate() {
            if !self.selection.has(one) {
                continue;
            }
            let unknown = Verdict::Unknown(Reason::Unsupported);
            let mut property = PropertyResult::new(one.kind, one.id(), one.title(), unknown);
            property.span = one.span.map(|span| Place::of(sources, span));
            match self.judged.get(index).and_then(Option::as_ref) {
                Some(judged) => self.temporal(&mut property, judged),
                None => {
                    let why = "only a search of everything looks for cycles";
                    property.message = Some(why.to_owned());
                }
            }
            properties.push(property);
        }

        let (mut polished, mut races) = (0, 0);
        let mut spent = Duration::ZERO;
        // What went wrong comes before what could have: the first traces are made with most care.
        let mut violations: Vec<(Source<'_>, &Violation)> = Vec::new();
        for source in self.sources() {
            violations.extend(source.outcome.violations.iter().map(|one| (source, one)));
        }
        let of_probe = |source: &Source<'_>| source.search.is_some();
        violations.sort_by_key(|(source, one)| (self.is_race(one.kind), of_probe(source)));
        for (source, violation) in violations {
            if of_probe(&source)
                && self.outcome.violations.iter().any(|known| known.kind == violation.kind)
            {
                continue;
            }
            let index = match violation.kind {
                Kind::Deadlock(_) => {
                    properties.iter().position(|p| p.kind == PropertyKind::Deadlock)
                }
                Kind::Invariant(fault) => {
                    let number = system.invariant_of(fault).ok_or_else(|| {
                        InternalError("a violated invariant is not in the list".to_owned())
                    })?;
                    let index = first_invariant + number;
                    (index < end_of_invariants).then_some(index)
                }
                Kind::Fault(fault) => {
                    let info = system.fault(fault);
                    let place = info.span.map(|span| Place::of(sources, span));
                    if info.kind == "assertion"
                        && !self.selection.has_group(PropertyKind::Assertion)
                    {
                        continue;
                    }
                    let kind = match info.kind {
                        "assertion" => PropertyKind::Assertion,
                        "race" => PropertyKind::Race,
                        PARTIAL => PropertyKind::Deadlock,
                        _ if info.exception.is_some() => PropertyKind::Exception,
                        _ => PropertyKind::Fault,
                    };
                    if info.kind == PARTIAL && !self.selection.has_group(kind) {
                        continue;
                    }
                    if kind == PropertyKind::Race {
                        races += 1;
                        if races > MOST_RACES {
                            continue;
                        }
                        self.add_race(&mut properties, &info, place);
                    }
                    let known = properties.iter().position(|property| {
                        if kind == PropertyKind::Race {
                            return property.kind == kind && property.verdict != Verdict::Violated;
                        }
                        property.kind == kind
                            && property.id != DEADLOCK
                            && property.span == place
                            && property.code.as_deref().is_none_or(|code| code == info.code)
                            && (kind != PropertyKind::Exception
                                || property.exception == info.exception)
                    });
                    match known {
                        Some(index) => Some(index),
                        None => {
                            let id = match place {
                                Some(place) => self.place_id(info.kind, place),
                                None => info.kind.to_owned(),
                            };
                            let mut property = PropertyResult::new(kind, id, info.kind, unrefuted);
                            property.span = place;
                            property.exception.clone_from(&info.exception);
                            properties.push(property);
                            Some(properties.len() - 1)
                        }
                    }
                }
            };
            let Some(index) = index else { continue };
            let property = &mut properties[index];
            property.occurrences += violation.occurrences;
            if property.verdict == Verdict::Violated {
                // Threads that wait to be notified are another kind of deadlock than locks.
                let new = matches!(violation.kind, Kind::Deadlock(key) if key > 0);
                if new && !properties.iter().any(|property| property.id == MISSED) {
                    let (trace, ..) = self.evidence(source, violation, MISSED, polished)?;
                    properties.extend(self.missed_signal(&trace));
                }
                continue;
            }
            let (trace, message, only_with) =
                self.evidence(source, violation, &property.id, polished)?;
            if self.checking.traces && polished < self.checking.polished {
                property.fix = self.fix(&trace, &mut spent);
            }
            polished += 1;
            property.verdict = Verdict::Violated;
            property.vacuous = false;
            property.code = Some(match only_with {
                Some(_) => SPURIOUS.to_owned(),
                None => self.code(violation.kind),
            });
            property.only_with = only_with;
            if let Kind::Fault(fault) = violation.kind {
                property.exception = system.fault(fault).exception;
            }
            property.seed = violation.seed;
            property.found_by = source.search.map(|search| search.name().to_owned());
            property.message = Some(message);
            property.fingerprint = Some(PropertyResult::fingerprint_of(
                sources,
                property.kind,
                &property.id,
                property.span,
            ));
            let missed = self.missed_signal(&trace);
            if property.kind == PropertyKind::Deadlock && property.id == DEADLOCK {
                let blocked = trace.end.blocked.iter().find(|blocked| !blocked.valid_end);
                property.span = blocked.and_then(|blocked| blocked.at.first()).map(|at| at.span);
            }
            property.trace = Some(Box::new(trace));
            if !properties.iter().any(|property| property.id == MISSED) {
                properties.extend(missed);
            }
        }
        drop_told(&mut properties);
        number_ids(&mut properties);
        let last = properties.iter_mut().rfind(|property| property.kind == PropertyKind::Race);
        if let (Some(last), Some(more @ 1..)) = (last, races.checked_sub(MOST_RACES))
            && let Some(message) = &mut last.message
        {
            let _ = write!(message, " ({more} more pairs of places race)");
        }
        Ok(properties)
    }

    /// What a deadlock is that a notification would have prevented, had it not come too early.
    fn missed_signal(&self, trace: &Trace) -> Option<PropertyResult> {
        let why = trace.explain.iter().find(|why| why.kind == MISSED)?;
        let wait = trace.steps.get(*why.steps.last()? as usize - 1)?;
        let kind = PropertyKind::Deadlock;
        let mut property = PropertyResult::new(kind, MISSED, "missed signal", Verdict::Violated);
        property.code = Some("EP0118".to_owned());
        property.message = Some(why.text.clone());
        property.span = Some(wait.span);
        property.occurrences = 1;
        property.vacuous = false;
        property.fingerprint =
            Some(PropertyResult::fingerprint_of(self.loaded.sources, kind, MISSED, property.span));
        let mut trace = trace.clone();
        trace.result.property = MISSED.to_owned();
        property.trace = Some(Box::new(trace));
        Some(property)
    }

    fn is_race(&self, kind: Kind) -> bool {
        matches!(kind, Kind::Fault(fault) if self.loaded.system.fault(fault).kind == "race")
    }

    /// Makes room for a race: each pair of places is a property of its own, beside no other race.
    fn add_race(
        &self,
        properties: &mut Vec<PropertyResult>,
        info: &FaultInfo,
        place: Option<Place>,
    ) {
        let id = place.map_or_else(|| "race".to_owned(), |place| self.place_id("race", place));
        let same = properties.iter().filter(|p| p.id.split('~').next() == Some(&id)).count();
        let id = if same > 0 { format!("{id}~{}", same + 1) } else { id };
        let mut property =
            PropertyResult::new(PropertyKind::Race, id, info.message.clone(), Verdict::Holds);
        property.span = place;
        let after = properties.iter().rposition(|p| p.kind == PropertyKind::Race);
        match after {
            Some(index) if properties[index].id == RACES => properties[index] = property,
            Some(index) => properties.insert(index + 1, property),
            None => properties.push(property),
        }
    }

    /// Adds what is known about a temporal property.
    fn temporal(&self, property: &mut PropertyResult, judged: &Judged) {
        property.verdict = judged.verdict;
        property.message = Some(judged.message.clone());
        property.vacuity.clone_from(&judged.vacuity);
        property.vacuous = judged.vacuous;
        property.product = judged.product.clone();
        if judged.verdict != Verdict::Violated {
            return;
        }
        property.code = judged.code.map(str::to_owned);
        property.occurrences = 1;
        property.fingerprint = Some(PropertyResult::fingerprint_of(
            self.loaded.sources,
            property.kind,
            &property.id,
            property.span,
        ));
        property.trace = judged.trace.clone().map(|mut trace| {
            trace.model.reading = Some(self.checking.reading.clone());
            Box::new(trace)
        });
    }

    /// A change that was tried and makes everything hold that is checked here.
    fn fix(&self, trace: &Trace, spent: &mut Duration) -> Option<Fix> {
        let counts = |system: &S, kind: Kind| match kind {
            Kind::Fault(fault) => {
                system.fault(fault).kind != "assertion"
                    || self.selection.has_group(PropertyKind::Assertion)
            }
            Kind::Deadlock(_) | Kind::Invariant(_) => true,
        };
        fix::find(trace, self.loaded.variant?, self.options, spent, &counts)
    }

    fn code(&self, kind: Kind) -> String {
        match kind {
            Kind::Deadlock(_) => "EP0102".to_owned(),
            Kind::Fault(fault) | Kind::Invariant(fault) => {
                self.loaded.system.fault(fault).code.to_owned()
            }
        }
    }

    /// `assert@12:18`, with the file if it is not the main one.
    fn place_id(&self, what: &str, place: Place) -> String {
        let (line, column) = place.start;
        if place.file == 0 {
            return format!("{what}@{line}:{column}");
        }
        let path = &self.loaded.sources.file(FileId(place.file)).path;
        format!("{what}@{}:{line}:{column}", path.display())
    }

    /// The replayed run to a violation and what is wrong at its end.
    fn evidence(
        &self,
        source: Source<'_>,
        violation: &Violation,
        property: &str,
        polished: usize,
    ) -> Result<(Trace, String, Option<String>), InternalError> {
        let internal = |e: ModelError| InternalError(e.to_string());
        self.loaded.system.with_spurious(violation.spurious);
        let small = self.outcome.stats.states < SMALL;
        // Who has no time any more gets what there is.
        let late = matches!(self.outcome.stopped, Stopped::Time | Stopped::Interrupted);
        let polish = !late && (small || polished < self.checking.polished);
        let Shown { initial, path, moves, shortest, fewest_switches } =
            self.shown(source, violation, polish).map_err(internal)?;
        let race = self.is_race(violation.kind);
        let evidence = Evidence {
            initial: &initial,
            actions: &path.actions,
            claim: match violation.kind {
                Kind::Fault(fault) => Claim::Fault(fault),
                Kind::Invariant(fault) => Claim::Invariant(fault),
                Kind::Deadlock(_) => Claim::Deadlock,
            },
            // A race is two steps that are looked at together.
            moves: Some(moves + u64::from(race)),
            shortest,
            fewest_switches,
        };
        let context = Context { property, lang: self.loaded.lang, sources: self.loaded.sources };
        let (mut trace, message) =
            replay(self.loaded.system, &evidence, &context).map_err(|failure| {
                InternalError(format!("the trace of {property} does not replay: {failure}"))
            })?;
        trace.model.reading = Some(self.checking.reading.clone());
        let message = match violation.kind {
            Kind::Deadlock(_) => format!("deadlock: {message}"),
            _ => message,
        };
        if !violation.spurious {
            return Ok((trace, message, None));
        }
        let found = self.loaded.system.spurious(&initial, &path.actions);
        let Some((event, [wakeups, failures])) = found else { return Ok((trace, message, None)) };
        if let Some(reading) = &mut trace.model.reading {
            (reading.spurious_wakeups, reading.spurious_failures) = (wakeups, failures);
        }
        Ok((trace, format!("{message}, {event}"), Some(event)))
    }
}

/// The search that found a violation.
#[derive(Clone, Copy)]
struct Source<'a> {
    outcome: &'a Outcome,
    order: Order,
    manner: Manner,
    /// Its name, if it is not the one that was asked for.
    search: Option<SearchArg>,
}

impl<S> Judge<'_, S> {
    fn sources(&self) -> impl Iterator<Item = Source<'_>> {
        let main = Source {
            outcome: self.outcome,
            order: self.options.order,
            manner: self.checking.manner(),
            search: None,
        };
        let beside = self.probed.iter().map(|probed| {
            let Probed { search, order, manner, ref outcome } = *probed;
            Source { outcome, order, manner, search: Some(search) }
        });
        std::iter::once(main).chain(beside)
    }
}

/// A run of the model as it is shown.
struct Shown {
    initial: Vec<u32>,
    path: Path,
    /// Steps, as the model takes them.
    moves: u64,
    shortest: bool,
    fewest_switches: bool,
}

impl<S: Subject> Judge<'_, S> {
    /// The run to a violation; a shortest one with the fewest context switches, if that is wanted
    /// and can be found.
    fn shown(
        &self,
        source: Source<'_>,
        violation: &Violation,
        polish: bool,
    ) -> Result<Shown, ModelError> {
        let Loaded { searched, .. } = *self.loaded;
        let Source { outcome, order, manner, .. } = source;
        let options = Options { order, ..self.what_is_left() };
        let breadth = order == Order::Breadth;
        if self.checking.reductions.keep_lengths() {
            let (path, fewest) = if polish {
                let fewest = || searched.fewest_switches(manner, outcome, &options, violation);
                match within(searched.brake(), self.bounds, fewest) {
                    Ok(found) => (found.path, found.exact),
                    // There is no time for a better one.
                    Err(error) if error.why_ended().is_some() => {
                        (searched.path(manner, outcome, violation)?, false)
                    }
                    Err(error) => return Err(error),
                }
            } else {
                (searched.path(manner, outcome, violation)?, false)
            };
            // A lossy store may have cut off a shorter one; otherwise all that are shorter were
            // looked at, before or afterwards.
            let shortest = if breadth { outcome.loss.is_none() } else { fewest };
            let (initial, moves) = (self.initial(&path)?, path.len() as u64);
            return Ok(Shown { initial, path, moves, shortest, fewest_switches: fewest });
        }
        let path = searched.path(manner, outcome, violation)?;
        let initial = self.initial(&path)?;
        let moves = self.moves(&initial, &path);
        if polish
            && order != Order::Depth
            && moves > 0
            && let Some(found) = self.shortest(&options, violation, moves)?
        {
            return Ok(Shown {
                initial: found.path.initial.clone(),
                moves: found.path.len() as u64,
                path: found.path,
                shortest: true,
                fewest_switches: true,
            });
        }
        let least = moves == 0;
        Ok(Shown { initial, path, moves, shortest: least, fewest_switches: least })
    }

    /// A shortest run of the model, if there is time to look for one.
    fn shortest(
        &self,
        options: &Options<'_>,
        violation: &Violation,
        moves: u64,
    ) -> Result<Option<Fewest>, ModelError> {
        let system = self.loaded.system;
        let look = || shortest_run(system, options, violation, moves);
        match within(system.brake(), self.bounds, look) {
            Err(error) if error.why_ended().is_some() => Ok(None),
            found => found,
        }
    }

    /// The options of the search, with what it left of the memory limit: about 60 bytes a pair.
    fn what_is_left(&self) -> Options<'_> {
        let used = self.outcome.stats.bytes.peak;
        let left = self.checking.memory.map_or(u64::MAX, |limit| limit.saturating_sub(used));
        let most = usize::try_from(left / 64).unwrap_or(usize::MAX);
        Options { max_switch_pairs: self.options.max_switch_pairs.min(most), ..*self.options }
    }

    /// The initial state of the model for a run of what was searched.
    fn initial(&self, path: &Path) -> Result<Vec<u32>, ModelError> {
        let beginnings = |system: &S| -> Result<Vec<Vec<u32>>, ModelError> {
            let mut out = Successors::new();
            system.initial(&mut system.worker(), &mut out)?;
            Ok(out.steps().iter().map(|step| out.target(step).to_vec()).collect())
        };
        let number = beginnings(self.loaded.searched)?.iter().position(|s| *s == path.initial);
        let nth =
            number.and_then(|number| beginnings(self.loaded.system).ok()?.into_iter().nth(number));
        nth.ok_or_else(|| ModelError("the run begins nowhere".to_owned()))
    }

    /// Number of steps of a run, as the model takes them.
    fn moves(&self, initial: &[u32], path: &Path) -> u64 {
        let steps = self.loaded.system.replay(initial, &path.actions).unwrap_or_default();
        let whole = steps.iter().filter(|step| !step.atomic).count();
        (whole + usize::from(steps.last().is_some_and(|step| step.atomic))) as u64
    }
}

/// A result of a model that was not searched.
pub fn empty_result(sources: &Sources, lang: &str) -> RunResult {
    RunResult {
        schema: RESULT_SCHEMA.to_owned(),
        tool: Tool {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
        },
        verdict: Verdict::Error,
        exit: 2,
        run: run_info(&Checking::plain(), Duration::ZERO, Stop::NotStarted),
        inputs: sources
            .iter()
            .map(|(_, file)| Input {
                path: file.path.to_string_lossy().into_owned(),
                lang: lang.to_owned(),
                sha256: sha256_hex(file.text.as_bytes()),
            })
            .collect(),
        model: None,
        scope: Scope { fairness: "none".to_owned(), ..Scope::default() },
        stats: None,
        properties: Vec::new(),
        coverage: None,
        diagnostics: Vec::new(),
        output: None,
        test: None,
    }
}

/// How a run was made.
pub fn run_info(checking: &Checking, elapsed: Duration, stop: Stop) -> RunInfo {
    RunInfo {
        argv: checking.argv.clone(),
        seed: match checking.search.samples() {
            true => Some(checking.seed),
            false => stores::seed(checking.store),
        },
        engine: match checking.search {
            SearchArg::Stateless => "stateless".to_owned(),
            _ => "explicit".to_owned(),
        },
        search: checking.search.name().to_owned(),
        store: match checking.search {
            SearchArg::Random | SearchArg::Stateless => "none".to_owned(),
            _ => stores::name(checking.store),
        },
        exec: match checking.exec {
            ExecArg::Jit => "jit",
            ExecArg::Interp => "interp",
        }
        .to_owned(),
        threads: searches::threads(checking) as u64,
        wall_s: (elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
        peak_bytes: memory::peak(),
        resumed: None,
        checkpoint: None,
        stop,
        expect: checking.policy.expect,
        expect_because: None,
    }
}
