//! Results for inputs that were not searched.

use std::path::Path;
use std::time::{Duration, Instant};

use everypath_model::{Diagnostic, Ended, Severity, Sources};
use everypath_property::{Declared, Groups, Selection, selectable};
use everypath_render::Checked;
use everypath_verdict::{Exit, Input, Note, Reason, RunResult, Stop, Verdict};

use super::Ask;
use crate::analysis::{InternalError, empty_result, run_info};
use crate::checking::Checking;
use crate::input::placeless;

/// An input of which nothing is known but its name.
pub(super) fn unread(path: &Path) -> Input {
    let path = path.to_string_lossy().into_owned();
    Input { path, lang: String::new(), sha256: String::new() }
}

/// The result for an input that was not searched: `error`, or `unknown` if it is well formed.
pub(super) fn refused(
    checking: &Checking,
    sources: &Sources,
    lang: &str,
    diagnostics: Vec<Diagnostic>,
    start: Instant,
) -> RunResult {
    let mut result = empty_result(sources, lang);
    let error = diagnostics.iter().any(Diagnostic::is_error);
    result.verdict = if error { Verdict::Error } else { Verdict::Unknown(Reason::Unsupported) };
    let policy = &checking.policy;
    result.exit = policy.apply(result.judge(policy)).code();
    result.run = run_info(checking, start.elapsed(), Stop::NotStarted);
    result.diagnostics = diagnostics.iter().map(|d| Note::of(sources, d)).collect();
    result
}

/// The result for an input with which the tool itself came to grief.
pub fn internal(checking: &Checking, path: &Path, error: InternalError) -> Checked {
    let sources = Sources::default();
    let mut result = empty_result(&sources, "");
    result.exit = Exit::Internal.code();
    result.run = run_info(checking, Duration::ZERO, Stop::NotStarted);
    result.inputs = vec![unread(path)];
    let message = format!("internal error: {}", error.0);
    let diagnostic = Diagnostic {
        help: Some("please report it, with the input and the command line".to_owned()),
        ..placeless(Severity::Error, "EP0001", message)
    };
    result.diagnostics = vec![Note::of(&sources, &diagnostic)];
    Checked { result, sources, policy: checking.policy, trail: None }
}

/// An error for the names of `--only` that the model does not have.
pub(super) fn unknown_names(
    checking: &Checking,
    declared: &[Declared],
    groups: Groups,
) -> Option<Diagnostic> {
    let unknown = Selection::new(&checking.only).unknown(declared, groups);
    if unknown.is_empty() {
        return None;
    }
    let unknown: Vec<String> = unknown.iter().map(|name| format!("`{name}`")).collect();
    let message = format!("--only names {}, which the model does not have", unknown.join(", "));
    let help = format!("there are: {}", selectable(declared, groups).join(", "));
    Some(Diagnostic { help: Some(help), ..placeless(Severity::Error, "EP1004", message) })
}

/// The same with its texts.
pub(super) fn refusal(
    checking: &Checking,
    sources: Sources,
    lang: &str,
    diagnostics: Vec<Diagnostic>,
    start: Instant,
) -> Checked {
    let result = refused(checking, &sources, lang, diagnostics, start);
    Checked { result, sources, policy: checking.policy, trail: None }
}

/// The result for an input that nobody had the time to read. What was said about half of a text is not true of the whole.
pub(super) fn cut(ask: &Ask<'_>, sources: Sources, lang: &str, ended: Ended) -> Checked {
    let Ask { path, checking, start, .. } = *ask;
    let mut result = refused(checking, &sources, lang, Vec::new(), start);
    let (reason, stop) = match ended {
        Ended::Time => (Reason::TimeLimit, Stop::Time),
        Ended::Memory => (Reason::MemoryLimit, Stop::Memory),
        Ended::Interrupt => (Reason::Interrupted, Stop::Interrupt),
    };
    result.verdict = Verdict::Unknown(reason);
    result.exit = checking.policy.apply(result.judge(&checking.policy)).code();
    result.run.stop = stop;
    if result.inputs.is_empty() {
        result.inputs = vec![unread(path)];
    }
    Checked { result, sources, policy: checking.policy, trail: None }
}
