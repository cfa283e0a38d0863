//! One model through the search, its findings through replay, and all of it into a result.

mod document;
mod judge;
mod properties;
mod shown;

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use everypath_engine_explicit::{
    AfterViolation, Checkpoints, Disk, Heuristic, Lassos, Limits, Observer, Options, Order,
    Outcome, Proviso, Stopped,
};
use everypath_model::{Diagnostic, Sources};
use everypath_property::{Declared, PropertyKind, Selection};
use everypath_verdict::RunResult;

use crate::brake::{Bounds, within};
use crate::checking::Checking;
use crate::choices::{ProvisoArg, SearchArg};
pub use crate::defect::InternalError;
use crate::fix::Variant;
use crate::memory;
use crate::portfolio::{Portfolio, Sought};
use crate::searches;
use crate::subject::{Aims, Directions, Subject};
use crate::temporal::{Judges, cycles};
pub use document::{empty_result, run_info};
use judge::Judge;

/// States in which runs of programs that violate temporal properties are looked for before anything else.
const EARLY: u64 = 20_000;

/// The id of the property that there are no races.
const RACES: &str = "races";

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
            let [states, steps, depth] = match &judged.product {
                Some(product) => [product.states, product.transitions, product.stack],
                None => judged.searched,
            };
            stats.states += states;
            stats.transitions += steps;
            stats.depth = stats.depth.max(depth);
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
