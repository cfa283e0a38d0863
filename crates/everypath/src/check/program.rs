//! A Java program: opened, searched, judged.

use std::sync::atomic::AtomicBool;

use everypath_lang_java::Asked as Conditions;
use everypath_model::{Sources, TransitionSystem, files};
use everypath_property::{Groups, PropertyKind, Selection};
use everypath_render::Checked;
use everypath_verdict::sha256_hex;

use super::refusals::{refusal, refused, unknown_names, unread};
use super::{Ask, Door};
use crate::analysis::{InternalError, Loaded, Session, analyse};
use crate::brake::{Bounds, within};
use crate::choices::HeuristicArg;
use crate::java;
use crate::java::guide::Guide;
use crate::java::temporal::Questions;

/// The largest jar whose hash is told.
const JAR: u64 = 1 << 30;

/// Checks a Java program, or says why not.
pub(super) fn program(
    ask: &Ask<'_>,
    interrupted: &AtomicBool,
    door: &mut dyn Door,
) -> Result<Checked, InternalError> {
    let Ask { path, reading: given, checking: asked, start, test } = *ask;
    let policy = asked.policy;
    let mut checking = java::fitting(asked);
    checking.reading.reductions = checking.reductions.names();
    if checking.reading.reductions.is_empty() {
        // Traces that say nothing are those of single runs.
        checking.reading.reductions.push("none".to_owned());
    }
    checking.reading.input = Some(path.to_string_lossy().into_owned());
    let limit = checking.heap_limit.map(|most| format!("objects() <= {most}"));
    checking.invariants.extend(limit);
    let mut sources = Sources::default();
    let questions = match Questions::read(checking.asked(), &mut sources) {
        Ok(questions) => questions,
        Err(errors) => {
            return Ok(refusal(asked, sources, java::LANG, errors, start));
        }
    };
    checking.reading.invariants.clone_from(&checking.invariants);
    checking.reading.propositions = questions.propositions();
    let events = questions.events().into_iter();
    checking.reading.events = events.map(|(name, what)| format!("{name}={what}")).collect();
    let conditions = Conditions {
        invariants: checking.invariants.clone(),
        propositions: questions.propositions(),
        events: questions.events(),
        ..Conditions::default()
    };
    let reductions = checking.reductions.java();
    let selection = Selection::new(&asked.only);
    let wanted = java::Asked {
        coverage: asked.coverage,
        races: selection.has_group(PropertyKind::Race),
        reductions,
        numbering: java::numbering(asked.heap),
        conditions,
        ..Default::default()
    };
    let declared = questions.declared();
    let mut reading = given.clone();
    // Whole runs are not looked at with it.
    reading.spurious.failures &= declared.is_empty();
    reading.until = asked.time.and_then(|limit| start.checked_add(limit));
    let unknown = || unknown_names(asked, &declared, Groups::Threaded).map(Box::new);
    let opened = java::unsupported(asked, reading.spurious.wakeups)
        .or_else(unknown)
        .or_else(|| java::spurious_with_runs(&reading, &declared))
        .map_or_else(|| java::open(path, &reading, wanted), |error| Err(error.into()));
    let program = match opened {
        Ok(program) => program,
        Err(java::Refused { sources, diagnostics }) => {
            let mut result = refused(asked, &sources, java::LANG, diagnostics, start);
            if result.inputs.is_empty() {
                result.inputs = vec![unread(path)];
            }
            result.test = test.map(str::to_owned);
            return Ok(Checked { result, sources, policy, trail: None });
        }
    };
    program.explore_spurious(false);
    let sources = program.sources().clone();
    let asks_runs = !declared.is_empty();
    let bytes = || program.bytes();
    let bounds = Bounds {
        interrupt: interrupted,
        deadline: checking.time.map(|limit| start + limit),
        memory: checking.memory,
        bytes: &bytes,
    };
    let temporal = java::temporal::Temporal { questions: &questions, program: &program };
    if asks_runs && !checking.search.samples() {
        // Whoever learns about fields later must not replay what was found before.
        within(program.brake(), &bounds, || java::learn(&program));
    }
    let loaded = Loaded {
        system: &*program,
        searched: &*program,
        sources: &sources,
        lang: java::LANG,
        language: "Java",
        temporal: declared,
        cycles: asks_runs.then_some(&temporal as _),
        ignored: Vec::new(),
        diagnostics: Vec::new(),
        variant: None,
    };
    let disk = match door.disk(asked) {
        Ok(disk) => disk,
        Err(error) => {
            return Ok(refusal(asked, sources, java::LANG, vec![*error], start));
        }
    };
    let guided = checking.guide.is_some();
    let aimed = checking.heuristic == Some(HeuristicArg::Warning);
    let guide = (guided || aimed).then(|| {
        let guide = || Guide::of(&program, checking.seed, interrupted, guided);
        within(program.brake(), &bounds, guide)
    });
    let mut observer = door.observer(start);
    let mut session = Session {
        start,
        interrupt: interrupted,
        observer: &mut *observer,
        checkpoints: None,
        disk,
        resume: None,
    };
    let result = analyse(&loaded, &checking, &mut session);
    drop(observer);
    let mut result = result?;
    if let Some(guide) = guide {
        result.diagnostics.extend(guide.notes(&program, &result));
    }
    result.test = test.map(str::to_owned);
    if let [input] = &mut result.inputs[..]
        && sources.iter().all(|(_, file)| file.text.is_empty())
    {
        // There is no source: the input is what was given, or the class in it that the program begins with.
        let main = format!("{}.class", program.main().replace('.', "/"));
        let given = if path.is_dir() { path.join(main) } else { path.to_owned() };
        let bytes = files::read(&given, JAR).ok().or_else(|| program.main_class());
        input.path = given.to_string_lossy().into_owned();
        input.sha256 = sha256_hex(&bytes.unwrap_or_default());
    }
    result.exit = policy.apply(result.judge(&policy)).code();
    Ok(Checked { result, sources, policy, trail: None })
}
