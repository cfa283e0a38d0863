//! `everypath check`: from files to results to text.

use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use everypath_model::{Diagnostic, Severity, Sources};
use everypath_property::{Declared, Selection, selectable};
use everypath_verdict::{Exit, Input, Note, NoteSeverity, Reason, RunResult, Stop, Verdict, Word};

use crate::analysis::{InternalError, Loaded, Session, analyse, empty_result, run_info};
use crate::args::FormatArg;
use crate::config::Config;
use crate::input::placeless;
use crate::load::{self, Opened};
use crate::progress::Line;
use crate::render::full::Verbosity;
use crate::render::{concise, full, json, snippet, style::Style};
use crate::{interrupt, print, promela, runs};

/// Warnings that are shown before the rest is counted only.
const WARNINGS: usize = 20;

/// A result with the texts that its places are in.
struct Checked {
    result: RunResult,
    sources: Sources,
}

/// Checks all inputs, prints and writes the results.
pub fn check(config: &Config) -> Exit {
    let interrupted = interrupt::install();
    let mut exit = Exit::Ok;
    let mut all: Vec<Checked> = Vec::new();
    for path in &config.files {
        // The hook has told about a panic already.
        let checked = catch_unwind(AssertUnwindSafe(|| check_file(config, path, interrupted)))
            .unwrap_or_else(|_| Err(InternalError("a part of the program gave up".to_owned())))
            .unwrap_or_else(|error| internal(config, path, error));
        exit = exit.and(exit_of(&checked.result));
        if config.format != FormatArg::Json {
            notes(config, &checked);
            if !all.is_empty() && config.format == FormatArg::Full {
                print("\n");
            }
            print(&one(config, config.format, &config.style, &checked));
        }
        all.push(checked);
    }
    if config.format == FormatArg::Json {
        print(&json_text(&all));
    } else if config.format == FormatArg::Full && config.files.len() > 1 {
        print(&format!("\n{}     (exit {})\n", tally(&all), exit.code()));
    }
    runs::record(&all.iter().map(|checked| &checked.result).collect::<Vec<_>>());
    for (format, path) in &config.outputs {
        let text = match format {
            FormatArg::Json => json_text(&all),
            format => {
                let style = config.file_style();
                let texts: Vec<String> =
                    all.iter().map(|checked| one(config, *format, &style, checked)).collect();
                texts.join(if *format == FormatArg::Full { "\n" } else { "" })
            }
        };
        if let Err(error) = write(path, &text) {
            eprintln!("error: cannot write {}: {error}", path.display());
            exit = exit.and(Exit::Input);
        }
    }
    exit
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if path.as_os_str() == "-" {
        print(text);
        return Ok(());
    }
    std::fs::write(path, text)
}

fn json_text(all: &[Checked]) -> String {
    let results: Vec<RunResult> = all.iter().map(|checked| checked.result.clone()).collect();
    json::render(&results)
}

fn exit_of(result: &RunResult) -> Exit {
    Exit::ALL.into_iter().find(|exit| exit.code() == result.exit).unwrap_or(Exit::Internal)
}

/// `3 files: 1 violated, 2 holds`
fn tally(all: &[Checked]) -> String {
    let counts: Vec<String> = Word::ALL
        .into_iter()
        .rev()
        .filter_map(|word| {
            let count = all.iter().filter(|checked| checked.result.verdict.word() == word).count();
            (count > 0).then(|| format!("{count} {word}"))
        })
        .collect();
    format!("{} files: {}", all.len(), counts.join(", "))
}

/// One result as text.
fn one(config: &Config, format: FormatArg, style: &Style, checked: &Checked) -> String {
    let mut out = String::new();
    let Checked { result, sources } = checked;
    match format {
        FormatArg::Full => full::render(&mut out, style, &config.detail, result, sources),
        FormatArg::Concise => concise::render(&mut out, style, result, sources),
        FormatArg::Json => out = json::render(std::slice::from_ref(result)),
    }
    out
}

/// Warnings about the input are no part of the answer: they go to the standard error.
fn notes(config: &Config, checked: &Checked) {
    if config.detail.verbosity == Verbosity::Quiet {
        return;
    }
    let mut out = String::new();
    let all = &checked.result.diagnostics;
    let warnings = all.iter().filter(|note| note.severity < NoteSeverity::Unsupported);
    let most = if config.detail.verbosity == Verbosity::Verbose { usize::MAX } else { WARNINGS };
    for note in warnings.clone().take(most) {
        snippet::note(&mut out, &config.notes, &checked.sources, note, false);
    }
    let more = warnings.count().saturating_sub(most);
    if more > 0 {
        let s = if more == 1 { "" } else { "s" };
        let _ = writeln!(out, "note: {more} more warning{s}, which --verbose shows");
    }
    eprint!("{out}");
}

fn check_file(
    config: &Config,
    path: &Path,
    interrupted: &AtomicBool,
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
    let mut line = Line::new(config.progress, start, config.checking.memory, config.notes);
    let loaded = Loaded {
        system: &system,
        sources: &sources,
        lang,
        language: "Promela",
        temporal,
        ignored: promela::ignored(&model),
        diagnostics,
    };
    let mut session = Session { start, interrupt: interrupted, observer: &mut line };
    let result = analyse(&loaded, &config.checking, &mut session);
    line.finish();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use crate::config::Environment;
    use clap::Parser;

    #[test]
    fn defects_of_the_tool_appear_in_every_format() {
        let cli = Cli::try_parse_from(["everypath", "check", "f.pml", "--exit-zero"]).unwrap();
        let Command::Check(args) = cli.command else { unreachable!() };
        let config = Config::resolve(*args, &Environment::default(), Vec::new());
        let checked = internal(&config, Path::new("f.pml"), InternalError("it broke".to_owned()));
        assert_eq!(exit_of(&checked.result), Exit::Internal);
        let show = |format| one(&config, format, &config.style, &checked);
        assert_eq!(
            show(FormatArg::Full),
            "error[EP0001]: internal error: it broke\n\
             help: please report it, with the input and the command line      \
             more: everypath explain EP0001\n\
             1 error     (exit 101)\n"
        );
        assert_eq!(show(FormatArg::Concise), "f.pml: error: internal error: it broke [EP0001]\n");
        assert!(show(FormatArg::Json).contains("\"exit\":101"));
    }
}
