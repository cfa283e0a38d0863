//! `everypath check`: from files to results to text.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use everypath_model::{Diagnostic, Severity, Sources};
use everypath_property::{Declared, Selection, selectable};
use everypath_verdict::{Exit, Input, Note, Reason, RunResult, Stop, Verdict};

use crate::analysis::{InternalError, Loaded, Session, analyse, empty_result, run_info};
use crate::answer::Answer;
use crate::config::Config;
use crate::input::placeless;
use crate::load::{self, Opened};
use crate::render::Checked;
use crate::render::full::Verbosity;
use crate::{interrupt, promela, runs};

/// Checks all inputs, prints and writes the results.
pub fn check(config: &Config) -> Exit {
    let interrupted = interrupt::install();
    let mut stdout = std::io::stdout();
    let mut answer = Answer::begin(config, &mut stdout);
    check_all(config, &mut answer, |path, answer| check_file(config, path, interrupted, answer));
    runs::record(&answer.results());
    answer.finish()
}

/// Checks all inputs in some way, and makes results of defects too.
pub fn check_all(
    config: &Config,
    answer: &mut Answer<'_>,
    mut one: impl FnMut(&Path, &mut Answer<'_>) -> Result<Checked, InternalError>,
) {
    for path in &config.files {
        // The hook has told about a panic already.
        let checked = catch_unwind(AssertUnwindSafe(|| one(path, answer)))
            .unwrap_or_else(|_| Err(InternalError("a part of the program gave up".to_owned())))
            .unwrap_or_else(|error| internal(config, path, error));
        answer.add(checked);
    }
}

fn check_file(
    config: &Config,
    path: &Path,
    interrupted: &AtomicBool,
    answer: &mut Answer<'_>,
) -> Result<Checked, InternalError> {
    let start = Instant::now();
    let mut opened = load::open(path, &config.reading);
    if opened.guessed && config.detail.verbosity > Verbosity::Quiet {
        eprintln!("note: {} looks like Promela and is read as such", path.display());
    }
    let temporal = opened.model.as_ref().map(promela::temporal).unwrap_or_default();
    if opened.model.is_some()
        && let Some(error) = unknown_names(config, &temporal)
    {
        opened.diagnostics.push(error);
        opened.model = None;
    }
    let system = opened.lower(&config.reading, &config.checking.invariants);
    let Opened { sources, lang, diagnostics, model, .. } = opened;
    let (Some(system), Some(model)) = (system, model) else {
        let mut result = refused(config, &sources, lang, diagnostics, start);
        if result.inputs.is_empty() {
            result.inputs = vec![unread(path)];
        }
        return Ok(Checked { result, sources });
    };
    if interrupted.load(Ordering::Relaxed) {
        let mut result = refused(config, &sources, lang, diagnostics, start);
        result.verdict = Verdict::Unknown(Reason::Interrupted);
        let policy = &config.detail.policy;
        result.exit = policy.apply(result.judge(policy)).code();
        result.run.stop = Stop::Interrupt;
        return Ok(Checked { result, sources });
    }
    let loaded = Loaded {
        system: &system,
        sources: &sources,
        lang,
        language: "Promela",
        temporal,
        ignored: promela::ignored(&model),
        diagnostics,
    };
    let mut watch = answer.watch(start);
    let mut session = Session { start, interrupt: interrupted, observer: &mut watch };
    let result = analyse(&loaded, &config.checking, &mut session);
    drop(watch);
    Ok(Checked { result: result?, sources })
}

/// The result for an input with which the tool itself came to grief.
fn internal(config: &Config, path: &Path, error: InternalError) -> Checked {
    let sources = Sources::default();
    let mut result = empty_result(&sources, "");
    result.exit = Exit::Internal.code();
    result.run = run_info(&config.checking, std::time::Duration::ZERO, Stop::NotStarted);
    result.inputs = vec![unread(path)];
    let message = format!("internal error: {}", error.0);
    let diagnostic = Diagnostic {
        help: Some("please report it, with the input and the command line".to_owned()),
        ..placeless(Severity::Error, "EP0001", message)
    };
    result.diagnostics = vec![Note::of(&sources, &diagnostic)];
    Checked { result, sources }
}

/// An input of which nothing is known but its name.
fn unread(path: &Path) -> Input {
    let path = path.to_string_lossy().into_owned();
    Input { path, lang: String::new(), sha256: String::new() }
}

/// The result for an input that was not searched: `error`, or `unknown` if it is well formed.
fn refused(
    config: &Config,
    sources: &Sources,
    lang: &str,
    diagnostics: Vec<Diagnostic>,
    start: Instant,
) -> RunResult {
    let mut result = empty_result(sources, lang);
    let error = diagnostics.iter().any(Diagnostic::is_error);
    result.verdict = if error { Verdict::Error } else { Verdict::Unknown(Reason::Unsupported) };
    let policy = &config.detail.policy;
    result.exit = policy.apply(result.judge(policy)).code();
    result.run = run_info(&config.checking, start.elapsed(), Stop::NotStarted);
    result.diagnostics = diagnostics.iter().map(|d| Note::of(sources, d)).collect();
    result
}

/// An error for the names of `--only` that the model does not have.
fn unknown_names(config: &Config, declared: &[Declared]) -> Option<Diagnostic> {
    let unknown = Selection::new(&config.checking.only).unknown(declared);
    if unknown.is_empty() {
        return None;
    }
    let unknown: Vec<String> = unknown.iter().map(|name| format!("`{name}`")).collect();
    let message = format!("--only names {}, which the model does not have", unknown.join(", "));
    let help = format!("there are: {}", selectable(declared).join(", "));
    Some(Diagnostic { help: Some(help), ..placeless(Severity::Error, "EP1004", message) })
}
