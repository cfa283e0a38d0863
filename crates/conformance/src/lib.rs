//! The checker against its oracles.
//!
//! [`run`] does what `everypath check` does with a Promela model, without its doors: parse,
//! translate, search. The tests compare the outcome with annotated models, with SPIN, and with the
//! corpus beside the checkout.

pub mod agree;
mod compare;
pub mod corpus;
pub mod fuzz;
pub mod oracles;
pub mod reduction;
pub mod smaller;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use everypath_engine_explicit::{AfterViolation, Kind, Limits, Options, Order, Stopped, search};
use everypath_lang_promela::{LowerOptions, lower, parse};
use everypath_machine::Interpreter;
use everypath_model::{Describe, Severity, Sources, TransitionSystem};
use everypath_preprocess::Loader;

pub use compare::{Comparison, compare, known_defect};

/// Reads included files from the disk.
pub struct Disk;

impl Loader for Disk {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }
}

/// How a model is run.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Order of the search.
    pub order: Order,
    /// Stop after this many states.
    pub max_states: u64,
    /// Report deadlocks.
    pub deadlocks: bool,
    /// Replay every violation, with fewest switches.
    pub replay: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config { order: Order::Breadth, max_states: 5_000_000, deadlocks: true, replay: true }
    }
}

/// What became of a model.
#[derive(Clone, Debug)]
pub enum Ours {
    /// Errors in the input.
    Rejected(Vec<String>),
    /// A construct that cannot be checked.
    Unsupported(Vec<String>),
    /// The search ran.
    Ran(Ran),
}

/// A search in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Everything was explored.
    pub complete: bool,
    /// Stored states.
    pub states: u64,
    /// Transitions as SPIN counts them.
    pub transitions: u64,
    /// Occurrences of violations.
    pub errors: u64,
    /// Kinds of violations, as words.
    pub kinds: BTreeSet<String>,
    /// Bytes of the store at the end.
    pub bytes: u64,
    /// What went wrong with evidence: a run that does not replay.
    pub broken_evidence: Vec<String>,
}

/// Runs a model text.
pub fn run(source: &str, path: &Path, config: Config) -> Ours {
    let mut sources = Sources::default();
    let main = sources.add(PathBuf::from(path), source.to_string());
    let parsed = parse(&mut sources, main, &everypath_lang_promela::Options::default(), &Disk);
    let texts = |severity: Severity, diagnostics: &[everypath_model::Diagnostic]| {
        diagnostics
            .iter()
            .filter(|d| d.severity == severity)
            .map(|d| {
                let place = d.primary.as_ref().map(|p| sources.start(p.span));
                format!("{} {:?} {}", d.code, place, d.message)
            })
            .collect::<Vec<_>>()
    };
    let Some(model) = parsed.model else {
        return Ours::Rejected(texts(Severity::Error, &parsed.diagnostics));
    };
    if !model.refused_ltl.is_empty() {
        // Only a block is refused; SPIN refuses the whole.
        return Ours::Rejected(texts(Severity::Warning, &parsed.diagnostics));
    }
    let lowered = lower(&model, &LowerOptions::default());
    let Some(machine) = lowered.machine else {
        let errors = texts(Severity::Error, &lowered.diagnostics);
        if errors.is_empty() {
            return Ours::Unsupported(texts(Severity::Unsupported, &lowered.diagnostics));
        }
        return Ours::Rejected(errors);
    };
    Ours::Ran(explore(&Interpreter::new(Arc::new(machine)), config))
}

/// Searches a system and replays what was found.
pub fn explore<S: TransitionSystem + Describe>(system: &S, config: Config) -> Ran {
    let options = Options {
        order: config.order,
        limits: Limits { states: Some(config.max_states), ..Limits::default() },
        check_deadlock: config.deadlocks,
        after_violation: AfterViolation::Continue,
        ..Options::default()
    };
    let outcome = search(system, &options, &mut ());
    let mut kinds = BTreeSet::new();
    let mut broken = Vec::new();
    for violation in &outcome.violations {
        let kind = match violation.kind {
            Kind::Fault(fault) | Kind::Invariant(fault) => system.fault(fault).kind,
            Kind::Deadlock(_) => "deadlock",
        };
        kinds.insert(kind.to_string());
    }
    if config.replay {
        replay_all(system, &outcome, &options, &mut broken);
    }
    let bytes = outcome.stats.bytes;
    Ran {
        complete: outcome.complete() && outcome.stopped == Stopped::Finished,
        states: outcome.stats.states,
        transitions: outcome.stats.transitions,
        errors: outcome.errors,
        kinds,
        bytes: bytes.table + bytes.arena + bytes.parents,
        broken_evidence: broken,
    }
}

fn replay_all<S: TransitionSystem + Describe>(
    system: &S,
    outcome: &everypath_engine_explicit::Outcome,
    options: &Options<'_>,
    broken: &mut Vec<String>,
) {
    for violation in &outcome.violations {
        let runs = [
            outcome.path(system, violation),
            outcome.fewest_switches(system, options, violation).map(|fewest| fewest.path),
        ];
        for run in runs {
            let path = match run {
                Ok(path) => path,
                Err(error) => {
                    broken.push(format!("{:?}: no path: {error}", violation.kind));
                    continue;
                }
            };
            match system.replay(&path.initial, &path.actions) {
                Ok(steps) => {
                    let faults = steps.last().map_or(&[][..], |s| &s.faults);
                    let wanted = matches!(violation.kind, Kind::Fault(_));
                    if let Kind::Fault(fault) = violation.kind {
                        let claimed = system.fault(fault);
                        let at_once = system.run_faults(&path.initial, &path.actions);
                        let mut known = faults.iter().chain(at_once.iter().map(|(_, info)| info));
                        let found = known.any(|f| (f.code, f.span) == (claimed.code, claimed.span));
                        if !found {
                            broken.push(format!("{claimed:?}: replay ends with {faults:?}"));
                        }
                    }
                    let last = steps.last().map_or(&path.initial, |s| &s.state);
                    if !wanted && *last != path.last {
                        broken.push(format!("{:?}: replay ends elsewhere", violation.kind));
                    }
                }
                Err(error) => broken.push(format!("{:?}: {error:?}", violation.kind)),
            }
        }
    }
}
