//! A model: read, searched, judged.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use everypath_lang_promela::ast::Model;
use everypath_lang_promela::lint;
use everypath_lang_promela::types::{self, TypeOptions};
use everypath_machine::Interpreter;
use everypath_model::{Brake, Diagnostic, Ended, Severity, Sources, TransitionSystem, shown};
use everypath_property::{Declared, Groups, PropertyKind};
use everypath_render::units::count;
use everypath_render::{Checked, finding};
use everypath_verdict::{Note, NoteSeverity, RunResult};

use super::refusals::{cut, refusal, refused, unknown_names, unread};
use super::{Ask, Door, Kept, Weight};
use crate::analysis::{InternalError, Loaded, Session, analyse};
use crate::brake::{Bounds, within};
use crate::checking::Checking;
use crate::choices::{FairArg, SearchArg};
use crate::fitting::{Fitting, fitting};
use crate::input::placeless;
use crate::levels::Levels;
use crate::load::{self, Opened};
use crate::promela;
use crate::reading::Reading;
use crate::searches;
use crate::subject::Subject;
use crate::temporal::Temporal;

/// Checks one model, or says why not.
pub(super) fn model(
    ask: &Ask<'_>,
    interrupted: &AtomicBool,
    door: &mut dyn Door,
) -> Result<Checked, InternalError> {
    let Ask { path, reading: given, checking: asked, start, .. } = *ask;
    let policy = asked.policy;
    let bounds = Bounds {
        interrupt: interrupted,
        deadline: asked.time.and_then(|limit| start.checked_add(limit)),
        memory: asked.memory,
        bytes: &|| 0,
    };
    let brake = Arc::new(Brake::default());
    let reading =
        Reading { until: bounds.deadline, brake: Some(Arc::clone(&brake)), ..given.clone() };
    let read = || (Whole::read(ask, &reading, door), brake.pulled());
    let (whole, ended) = within(Some(&brake), &bounds, read);
    // A short text is read before anybody looks.
    let ended = ended.or_else(|| interrupted.load(Ordering::Relaxed).then_some(Ended::Interrupt));
    let Whole { opened, temporal, found, system, cycles } = whole;
    let levels = &asked.levels;
    let Opened { sources, lang, mut diagnostics, model, main, loader, .. } = opened;
    if let Some(ended) = ended {
        return Ok(cut(ask, sources, lang, ended));
    }
    let (Some(system), Some(model)) = (system, model) else {
        let mut result = refused(asked, &sources, lang, diagnostics, start);
        result.diagnostics.extend(found.iter().map(|d| Note::of(&sources, d)));
        deny(levels, &mut result);
        result.exit = policy.apply(result.judge(&policy)).code();
        if result.inputs.is_empty() {
            result.inputs = vec![unread(path)];
        }
        return Ok(Checked { result, sources, policy, trail: None });
    };
    diagnostics.extend(found);
    let invariants = &asked.invariants;
    let reading = (given, &*loader);
    let variant = |span| promela::made_atomic(&model, &sources, main, reading, invariants, span);
    let cycles = match cycles {
        Ok(cycles) => cycles.braked_as(&system),
        Err(errors) => {
            return Ok(refusal(asked, sources, lang, errors, start));
        }
    };
    if let Some(error) = wrong_choice(asked, &cycles, &sources) {
        return Ok(refusal(asked, sources, lang, vec![error], start));
    }
    if let Some(error) = for_programs(asked, given) {
        return Ok(refusal(asked, sources, lang, vec![error], start));
    }
    let fit = || fitting(asked, &system);
    let Fitting { checking, smaller, remarks } = within(system.brake(), &bounds, fit);
    remarks.iter().for_each(|remark| door.note(Weight::Detail, remark));
    let loaded = Loaded {
        system: &system,
        searched: smaller.as_ref().unwrap_or(&system),
        sources: &sources,
        lang,
        language: "Promela",
        temporal,
        cycles: Some(&cycles),
        ignored: promela::ignored(&model, &checking.cycles),
        diagnostics,
        variant: Some(&variant),
    };
    let machine = loaded.searched.fingerprint();
    let kept = door.kept(&checking, &sources, &machine, start);
    let Kept { resumed, keeper, disk } = match kept {
        Ok(kept) => kept,
        Err(error) => {
            return Ok(refusal(asked, sources, lang, vec![*error], start));
        }
    };
    if let Some(resumed) = &resumed {
        let text = format!("the search goes on from {} states", count(resumed.states()));
        door.note(Weight::Usual, &text);
    }
    if asked.search == SearchArg::Dfs && asked.jobs > searches::threads(asked) {
        door.note(
            Weight::Usual,
            "one thread only: a depth-first search that leaves out orders of steps, or has a --depth, works alone \
             (--reduce none and --proviso sticky let it share)",
        );
    }
    let read = |buffer: &mut [u8]| resumed.as_ref().map_or(Ok(0), |resumed| resumed.read(buffer));
    let mut observer = door.observer(start);
    let mut session = Session {
        start,
        interrupt: interrupted,
        observer: &mut *observer,
        checkpoints: keeper.as_ref().map(|keeper| keeper.checkpoints()),
        disk,
        resume: resumed.is_some().then_some(&read),
    };
    let result = analyse(&loaded, &checking, &mut session);
    drop(observer);
    let mut result = result?;
    result.run.resumed = resumed.map(|resumed| resumed.states());
    if let Some(keeper) = keeper {
        keeper.finish(&mut result);
    }
    deny(levels, &mut result);
    result.exit = policy.apply(result.judge(&policy)).code();
    let trail = door.trail(&system, &result);
    Ok(Checked { result, sources, policy, trail })
}

/// What is asked that only Java programs have.
fn for_programs(asked: &Checking, reading: &Reading) -> Option<Diagnostic> {
    let heuristic = asked.heuristic.filter(|one| one.of_java());
    let options = [
        ("--search stateless", asked.search == SearchArg::Stateless),
        ("--guide", asked.guide.is_some()),
        ("this --heuristic", heuristic.is_some()),
        ("--heap-limit", asked.heap_limit.is_some()),
        ("--spurious-wakeups", reading.spurious.wakeups),
    ];
    let option = options.into_iter().find(|(_, given)| *given).map(|(option, _)| option.to_owned());
    let reduction = || Some(format!("--reduce {}", asked.reductions.named_for(true)?));
    let message = format!("{} is for Java programs", option.or_else(reduction)?);
    Some(placeless(Severity::Unsupported, "EP1014", message))
}

/// A model with all that was made of it before the search.
struct Whole {
    opened: Opened,
    /// Its temporal properties and those of the command line.
    temporal: Vec<Declared>,
    /// What there is to say about its text.
    found: Vec<Diagnostic>,
    /// The machine; `None` if there can be none.
    system: Option<Interpreter>,
    /// The temporal properties, put to the model.
    cycles: Result<Temporal, Vec<Diagnostic>>,
}

impl Whole {
    /// Reads a model as far as the brake lets.
    fn read(ask: &Ask<'_>, reading: &Reading, door: &mut dyn Door) -> Whole {
        let Ask { path, checking, .. } = *ask;
        let brake = reading.brake.as_ref();
        let mut opened = load::open(path, reading);
        if opened.guessed {
            let text = format!("{} looks like Promela and is read as such", shown(path));
            door.note(Weight::Usual, &text);
        }
        let questions = opened.questions(reading, checking.asked());
        let temporal = questions.declared();
        if opened.model.is_some()
            && let Some(error) = unknown_names(checking, &temporal, Groups::Common)
        {
            opened.diagnostics.push(error);
            opened.model = None;
        }
        refuse_named(&checking.only, &mut opened);
        let levels = &checking.levels;
        let found = |model| findings(levels, model, brake);
        let found = opened.model.as_ref().map(found).unwrap_or_default();
        let system = opened.lower(reading, &checking.invariants);
        let cycles = match (&opened.model, &system) {
            (Some(model), Some(_)) => questions.of(model, false, brake),
            _ => Err(Vec::new()),
        };
        Whole { opened, temporal, found, system, cycles }
    }
}

/// Errors in the types, as warnings, and what is denied of all that can be told from the text.
fn findings(levels: &Levels, model: &Model, brake: Option<&Arc<Brake>>) -> Vec<Diagnostic> {
    let options = TypeOptions::default();
    let never = Brake::default();
    let brake = brake.map_or(&never, |brake| brake);
    let all = if levels.deny.is_empty() {
        types::infer_until(model, options, brake).diagnostics
    } else {
        lint::check_until(model, options, brake).findings
    };
    all.into_iter()
        .filter_map(|mut finding| match (levels.denies(&finding), finding.severity) {
            (true, _) => levels.apply(finding),
            (false, Severity::Error) => {
                finding.severity = Severity::Warning;
                Some(finding)
            }
            (false, _) => None,
        })
        .collect()
}

/// Marks the findings that are denied, and adds what a complete search never executed.
fn deny(levels: &Levels, result: &mut RunResult) {
    for note in &mut result.diagnostics {
        note.denied = note.severity == NoteSeverity::Error && lint::find(&note.code).is_some();
    }
    if !result.scope.complete {
        return;
    }
    let vacuous = result.properties.iter().filter(|property| property.vacuous);
    let assertions: Vec<_> = vacuous
        .clone()
        .filter(|property| property.kind == PropertyKind::Assertion)
        .filter_map(|property| property.span)
        .collect();
    let mut found = Vec::new();
    if levels.concerns("unreached") {
        for one in result.coverage.iter().flat_map(|coverage| &coverage.unreached) {
            if !assertions.contains(&one.span) {
                let message = format!("no run executes `{}`", one.text);
                found.push(("unreached", Some(one.span), message));
            }
        }
    }
    if levels.concerns("vacuity") {
        let message = "no run executes this assertion";
        found.extend(assertions.iter().map(|&span| ("vacuity", Some(span), message.to_owned())));
        let formulas = vacuous.filter(|property| !property.vacuity.is_empty());
        found.extend(formulas.map(|one| ("vacuity", one.span, finding::vacuity(one))));
    }
    for (name, span, message) in found {
        result.diagnostics.push(Note {
            code: lint::find(name).map_or("", |lint| lint.code).to_owned(),
            severity: NoteSeverity::Error,
            message,
            span,
            label: None,
            related: Vec::new(),
            help: None,
            denied: true,
        });
    }
}

/// Refuses a model if `--only` names an `ltl` block in it that is no formula: there is nothing else to answer.
fn refuse_named(only: &[String], opened: &mut Opened) {
    let Some(model) = &opened.model else { return };
    let named = model.refused_ltl.iter().filter(|refused| only.contains(&refused.name));
    let errors: Vec<Diagnostic> = named.flat_map(|refused| refused.errors.clone()).collect();
    if errors.is_empty() {
        return;
    }
    for diagnostic in &mut opened.diagnostics {
        let is_same = |error: &Diagnostic| {
            Diagnostic { severity: diagnostic.severity, ..error.clone() } == *diagnostic
        };
        if errors.iter().any(is_same) {
            diagnostic.severity = Severity::Error;
        }
    }
    opened.model = None;
}

/// What is wrong with `--fair-choice`.
fn wrong_choice(checking: &Checking, temporal: &Temporal, sources: &Sources) -> Option<Diagnostic> {
    let lines = &checking.fair_choices;
    let message = match temporal.choices_at(sources, lines) {
        Ok(_) if lines.is_empty() || checking.fairness == FairArg::Strong => return None,
        Ok(_) => {
            "--fair-choice is about strong fairness; it does not go with --fair weak".to_owned()
        }
        Err(line) => format!("--fair-choice {line}: no choice begins at line {line}"),
    };
    Some(placeless(Severity::Error, "EP1707", message))
}
