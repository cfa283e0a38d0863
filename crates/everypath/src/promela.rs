//! Promela models for `check`.

use std::sync::{Arc, Mutex, PoisonError};

use everypath_engine_explicit::{
    Completion, Fewest, Kind, Observer, Options, Outcome, Path, Violation, search,
    search_transactions,
};
use everypath_engine_jit::Jit;
use everypath_lang_promela::LowerOptions;
use everypath_lang_promela::ast::Model;
use everypath_layer_reduce::{
    Options as PartialOptions, Reduced, Symmetric, Symmetry, Transactional,
};
use everypath_machine::{Distances, Executor, Interpreter, Shape};
use everypath_model::{
    ActionInfo, Diagnostic, Fault, FileId, ModelError, Named, Severity, Sources, Span, Successors,
    TransitionSystem,
};
use everypath_preprocess::Loader;
use everypath_verdict::Place;

use crate::choices::{CyclesArg, ExecArg};
use crate::input::placeless;
use crate::reading::Reading;
use crate::subject::{Distance, Manner, PartialOrder, Subject};

/// A model with what was said about it.
pub struct Read {
    /// The model; `None` after errors.
    pub model: Option<Model>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a model.
pub fn read(sources: &mut Sources, main: FileId, reading: &Reading, loader: &dyn Loader) -> Read {
    let preprocess = match preprocessing(reading) {
        Ok(options) => options,
        Err(error) => return Read { model: None, diagnostics: vec![*error] },
    };
    let options = everypath_lang_promela::Options { preprocess };
    let parsed = everypath_lang_promela::parse(sources, main, &options, loader);
    Read { model: parsed.model, diagnostics: parsed.diagnostics }
}

fn preprocessing(reading: &Reading) -> Result<everypath_preprocess::Options, Box<Diagnostic>> {
    Ok(everypath_preprocess::Options {
        defines: defines(&reading.defines, &reading.undefines)?,
        undefines: reading.undefines.clone(),
        include_dirs: reading.includes.clone(),
        brake: reading.brake.clone(),
        ..Default::default()
    })
}

/// A condition with the macros of the model replaced; as it stands if there are none in it.
pub fn expanded(
    sources: &Sources,
    main: FileId,
    (reading, loader): (&Reading, &dyn Loader),
    condition: &str,
) -> String {
    let Ok(options) = preprocessing(reading) else { return condition.to_owned() };
    let model = sources.file(main);
    let line = condition.replace(['\n', '\r'], " ");
    let mut scratch = Sources::default();
    let both = scratch.add(model.path.clone(), format!("{}\n{line}", model.text));
    let output = everypath_preprocess::preprocess(&mut scratch, both, &options, loader);
    let last = output.text.trim_end().rsplit('\n').next().unwrap_or("").trim();
    let same = last.split_whitespace().eq(condition.split_whitespace());
    let failed = output.diagnostics.iter().any(Diagnostic::is_error);
    if same || failed { condition.to_owned() } else { last.to_owned() }
}

/// `NAME` and `NAME=VALUE`, apart.
fn defines(
    defines: &[String],
    undefines: &[String],
) -> Result<Vec<(String, Option<String>)>, Box<Diagnostic>> {
    let error = |flag: &str, text: &str| {
        let message = format!("`{flag} {text}` does not name a macro");
        Box::new(placeless(Severity::Error, "EP1005", message))
    };
    let is_name = |name: &str| {
        let name = name.split('(').next().unwrap_or("");
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if let Some(text) = undefines.iter().find(|text| !is_name(text)) {
        return Err(error("-U", text));
    }
    defines
        .iter()
        .map(|text| {
            let (name, value) = match text.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (text.as_str(), None),
            };
            if is_name(name) { Ok((name.to_owned(), value)) } else { Err(error("-D", text)) }
        })
        .collect()
}

/// What has a meaning that only a search for cycles looks at.
pub fn ignored(model: &Model, cycles: &[CyclesArg]) -> Vec<String> {
    let labels = || model.proctypes.iter().flat_map(|proctype| &proctype.labels);
    ["accept", "progress"]
        .into_iter()
        .filter(|prefix| !cycles.iter().any(|looked| looked.name() == *prefix))
        .filter(|prefix| labels().any(|label| label.name.starts_with(prefix)))
        .map(|prefix| format!("{prefix} labels"))
        .collect()
}

/// A machine that can be searched, with what was said about it.
pub struct Lowered {
    /// The machine; `None` if it cannot be made.
    pub system: Option<Interpreter>,
    /// Errors, unsupported constructs and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// Translates a model, read from `main`, together with invariants.
pub fn lower(
    model: &Model,
    sources: &mut Sources,
    main: FileId,
    reading: (&Reading, &dyn Loader),
    invariants: &[String],
) -> Lowered {
    let mut diagnostics = Vec::new();
    let mut conditions = Vec::new();
    for text in invariants {
        let text = expanded(sources, main, reading, text);
        let file = sources.add("<invariant>".into(), text.clone());
        match everypath_lang_promela::parse_expression(&text, file, model) {
            Ok(condition) => conditions.push(condition),
            Err(errors) => diagnostics.extend(errors),
        }
    }
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Lowered { system: None, diagnostics };
    }
    let options = LowerOptions {
        invariants: conditions,
        brake: reading.0.brake.clone(),
        ..LowerOptions::default()
    };
    let lowered = everypath_lang_promela::lower(model, &options);
    diagnostics.extend(lowered.diagnostics);
    let system = lowered.machine.map(|machine| Interpreter::new(Arc::new(machine)));
    Lowered { system, diagnostics }
}

/// States that are expanded by the interpreter before a model is compiled: compiling takes as long
/// as some ten thousand states.
const INTERPRETED_STATES: u64 = 10_000;

/// A copy of a model in which the statements from one place to another are atomic, with the place of
/// all of them.
pub fn made_atomic(
    model: &Model,
    sources: &Sources,
    main: FileId,
    reading: (&Reading, &dyn Loader),
    invariants: &[String],
    (first, last): (Place, Place),
) -> Option<(Interpreter, Place)> {
    let at = |place: Place| move |span| Place::of(sources, span) == place;
    let (copy, span) = everypath_lang_promela::make_atomic(model, &at(first), &at(last))?;
    let lowered = lower(&copy, &mut sources.clone(), main, reading, invariants);
    Some((lowered.system?, Place::of(sources, span)))
}

/// A machine as it is executed in a search.
pub fn executed(system: &Interpreter, exec: ExecArg) -> Jit {
    match exec {
        ExecArg::Jit => Jit::after(system.clone(), INTERPRETED_STATES),
        ExecArg::Interp => Jit::interpreted(system.clone()),
    }
}

/// Searches a machine as it is; what does not belong to this crate need not compile a search of its own.
pub fn search_machine(system: &Jit, options: &Options<'_>, observer: &mut dyn Observer) -> Outcome {
    search(system, options, observer)
}

/// The run to a violation that such a search found.
pub fn path_in_machine(
    system: &Jit,
    outcome: &Outcome,
    violation: &Violation,
) -> Result<Path, ModelError> {
    outcome.path(system, violation)
}

/// A system that leaves out orders of steps.
pub(crate) fn partial<S: Executor>(system: S, order: PartialOrder) -> Reduced<S> {
    let PartialOrder { method, sticky } = order;
    Reduced::new(system, PartialOptions { method, sticky, ..PartialOptions::default() })
}

/// A system in which equal processes stand for each other.
fn symmetric<S: TransitionSystem>(system: S, interpreter: &Interpreter) -> Symmetric<S> {
    let (symmetry, _) = Symmetry::find(interpreter);
    Symmetric::new(system, interpreter.clone(), symmetry)
}

/// Searches a system, with equal processes in order if that is wanted.
fn search_in_order<S: TransitionSystem>(
    system: S,
    interpreter: &Interpreter,
    manner: Manner,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    if manner.symmetry {
        search(&symmetric(system, interpreter), options, observer)
    } else {
        search(&system, options, observer)
    }
}

/// Searches a system whose processes are interrupted only between transactions.
fn by_transactions<S: Executor>(
    system: S,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    match Transactional::new(system) {
        Ok(system) => search_transactions(&system, Completion::default(), options, observer),
        // Whether there are movers was asked before.
        Err(obstacle) => unreachable!("{obstacle}"),
    }
}

/// The run to a violation that such a search found, as the machine runs.
fn path_in_order<S: TransitionSystem>(
    system: S,
    interpreter: &Interpreter,
    manner: Manner,
    outcome: &Outcome,
    violation: &Violation,
) -> Result<Path, ModelError> {
    if !manner.symmetry {
        return outcome.path(&system, violation);
    }
    let symmetric = symmetric(system, interpreter);
    let path = outcome.path(&symmetric, violation)?;
    let mut out = Successors::new();
    interpreter.initial(&mut interpreter.worker(), &mut out)?;
    let first = path.ordinals.first().and_then(|&first| out.steps().get(first as usize));
    let Some(first) = first else {
        return Err(ModelError("the run begins nowhere".to_owned()));
    };
    let initial = out.target(first).to_vec();
    let settle = matches!(violation.kind, Kind::Deadlock(_));
    let actions = symmetric.unfold(&initial, path.steps(), settle)?;
    Ok(Path::of_actions(initial, actions))
}

impl Subject for Interpreter {
    fn search(
        &self,
        manner: Manner,
        options: &Options<'_>,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let system = executed(self, manner.exec);
        if manner.transactions {
            return by_transactions(system, options, observer);
        }
        match manner.partial_order {
            None => search_in_order(system, self, manner, options, observer),
            Some(order) => search_in_order(partial(system, order), self, manner, options, observer),
        }
    }

    fn path(
        &self,
        manner: Manner,
        outcome: &Outcome,
        violation: &Violation,
    ) -> Result<Path, ModelError> {
        let system = Jit::interpreted(self.clone());
        match manner.partial_order {
            None => path_in_order(system, self, manner, outcome, violation),
            Some(order) => path_in_order(partial(system, order), self, manner, outcome, violation),
        }
    }

    fn fewest_switches(
        &self,
        manner: Manner,
        outcome: &Outcome,
        options: &Options<'_>,
        violation: &Violation,
    ) -> Result<Fewest, ModelError> {
        // Only a search that keeps the lengths of runs is asked.
        debug_assert!(manner.partial_order.is_none() && !manner.symmetry);
        outcome.fewest_switches(&Jit::interpreted(self.clone()), options, violation)
    }

    fn distance(&self) -> Option<Distance<'_>> {
        let machine = self.machine();
        let distances = Distances::new(machine)?;
        let scratch = Mutex::new(Shape::default());
        Some(Box::new(move |state| {
            let mut shape = scratch.lock().unwrap_or_else(PoisonError::into_inner);
            distances.nearest(machine, &mut shape, state)
        }))
    }

    fn fingerprint(&self) -> String {
        format!("{:?}", self.machine())
    }

    fn assertions(&self, taken: &dyn Fn(u32) -> bool) -> Vec<(Span, bool)> {
        self.machine().assertions(taken)
    }

    fn unreached(&self, taken: &dyn Fn(u32) -> bool) -> Vec<ActionInfo> {
        self.machine().unreached(taken)
    }

    fn invariants(&self) -> Vec<String> {
        self.machine().invariants.iter().map(|invariant| invariant.text.clone()).collect()
    }

    fn invariant_of(&self, fault: Fault) -> Option<usize> {
        self.machine().invariant_of(fault)
    }
}
