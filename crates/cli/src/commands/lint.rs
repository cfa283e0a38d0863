//! `everypath lint`: what looks wrong in a model although it is well formed.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use everypath_lang_promela::ast::Model;
use everypath_lang_promela::lint;
use everypath_lang_promela::types::{ChannelType, TypeOptions};
use everypath_model::{Diagnostic, Sources, shown};
use everypath_verdict::{Exit, Input, Note, NoteSeverity, Policy, Stop, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

use everypath_render::units::parse_count;

use crate::analysis::empty_result;
use crate::args::{LayoutArgs, ReadingArgs};
use crate::config::Environment;
use crate::explore::{self, Explored};
use crate::levels::{Levels, Rule, parse_rule};
use crate::load::{self, Opened};
use crate::reading::Reading;
use crate::render::full::{Detail, TraceDetail, Verbosity};
use crate::render::style::Style;
use crate::render::{Checked, Page, github, gitlab, json, sarif, snippet};
use crate::{print, tell};

const EXAMPLES: &str = "\
Examples:
  everypath lint model.pml
  everypath lint model.pml --types               the inferred type of every channel
  everypath lint *.pml --deny warnings           for a build: exit code 1 on any warning
  everypath lint model.pml --allow unused-label,unread-variable
  everypath explain unsent-channel               what a finding means, with an example

Exit codes: 0 nothing denied, 1 an error or a denied finding, 2 bad input, 101 internal error.";

/// Arguments of `lint`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct LintArgs {
    /// Models to check; `-` is the standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// How the models are read.
    #[command(flatten)]
    pub reading: ReadingArgs,

    /// Treat these findings as errors (exit code 1): a name, a code, `warnings` or `all`
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', value_parser = parse_rule, help_heading = "Findings")]
    pub deny: Vec<Rule>,

    /// Do not report these findings
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', value_parser = parse_rule, help_heading = "Findings")]
    pub allow: Vec<Rule>,

    /// Strict types: bool is not a number, and a value that may be truncated is an error
    #[arg(long, help_heading = "Findings")]
    pub strict: bool,

    /// Strict pid: pid is not a byte
    #[arg(long, help_heading = "Findings")]
    pub strict_pid: bool,

    /// Print the inferred type of every channel
    #[arg(long, help_heading = "Findings")]
    pub types: bool,

    /// Search up to N states for statements that no run executes
    #[arg(long, value_name = "N", default_value = "100000", value_parser = parse_count, help_heading = "Findings")]
    pub explore: u64,

    /// Do not search for statements that no run executes
    #[arg(long, conflicts_with = "explore", help_heading = "Findings")]
    pub no_explore: bool,

    /// Format of the standard output
    #[arg(long, value_name = "FMT", default_value = "full", help_heading = "Output")]
    pub format: LintFormat,

    /// Say less
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,

    /// How the output looks.
    #[command(flatten)]
    pub layout: LayoutArgs,
}

/// `--format`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LintFormat {
    /// For people
    Full,
    /// One line a finding
    Concise,
    /// One document for programs
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// Annotations of a GitHub job
    Github,
    /// A GitLab code quality report
    Gitlab,
}

/// Findings of a file that are shown to people.
const MOST_SHOWN: usize = 200;

/// The schema of the document.
pub const LINT_SCHEMA: &str = "everypath.lint/1";

/// The document of a run of `lint`.
#[derive(Serialize, JsonSchema)]
pub struct Document<'a> {
    /// `everypath.lint/1`
    #[schemars(extend("const" = LINT_SCHEMA))]
    schema: &'static str,
    /// The exit code.
    exit: u8,
    /// The models that were looked at.
    files: &'a [File],
}

/// What was found in a file.
#[derive(Serialize, JsonSchema)]
struct File {
    /// Its path.
    path: String,
    /// What was found.
    findings: Vec<Finding>,
    /// The inferred types of all channels.
    channels: Vec<Channel>,
    /// How far the search for unreached statements came; `null` if there was none.
    explored: Option<Explored>,
    #[serde(skip)]
    sources: Sources,
    #[serde(skip)]
    exit: Exit,
}

/// A note with the name of its lint, empty for problems of the input.
#[derive(Serialize, JsonSchema)]
struct Finding {
    name: &'static str,
    #[serde(flatten)]
    note: Note,
}

/// A channel.
#[derive(Serialize, JsonSchema)]
struct Channel {
    /// Its name, with the process that declares it.
    name: String,
    /// Its type, such as `mu X.chan{mtype,X}`.
    #[serde(rename = "type")]
    text: String,
}

/// Looks at all models and prints what was found.
pub fn lint(args: &LintArgs, environment: &Environment) -> Exit {
    let (style, _) = environment.styles(&args.layout);
    let reading = Reading::from(args.reading.clone());
    let levels = Levels { deny: args.deny.clone(), allow: args.allow.clone() };
    if let Some(why) = args.reading.of_other_language(false) {
        tell("error", &why);
        return Exit::Input;
    }
    let mut exit = Exit::Ok;
    let mut files = Vec::new();
    for path in &args.files {
        let file = look(args, &reading, &levels, path);
        exit = exit.and(file.exit);
        match args.format {
            LintFormat::Full => print(&full(args, &style, &file)),
            LintFormat::Concise => print(&concise(args, &style, &file)),
            _ => {}
        }
        files.push(file);
    }
    match args.format {
        LintFormat::Full => print(&format!("{}     (exit {})\n", tally(&files), exit.code())),
        LintFormat::Concise => {}
        LintFormat::Json => {
            let document = Document { schema: LINT_SCHEMA, exit: exit.code(), files: &files };
            print(&json::line(&document));
        }
        LintFormat::Sarif | LintFormat::Github | LintFormat::Gitlab => {
            print(&for_tools(args.format, style, files, exit));
        }
    }
    exit
}

/// What other tools read: the findings as those of a check that has no properties.
fn for_tools(format: LintFormat, style: Style, files: Vec<File>, exit: Exit) -> String {
    let sum = format!("everypath lint: {}\n", tally(&files));
    let base = std::env::current_dir().unwrap_or_default();
    let detail = Detail {
        trace: TraceDetail::None,
        traces: 0,
        verbosity: Verbosity::Normal,
        policy: Policy::default(),
        kept: false,
        memory: crate::memory::default_limit(),
    };
    let page = Page { style, detail: &detail, base: &base, codes: crate::codes::describe };
    let all: Vec<Checked> = files.into_iter().map(File::checked).collect();
    match format {
        LintFormat::Sarif => sarif::render(&page, &all, exit),
        LintFormat::Gitlab => gitlab::render(&page, &all),
        _ => {
            let mut out = String::new();
            for checked in &all {
                github::annotations(&mut out, &page, checked);
            }
            out + &sum
        }
    }
}

impl File {
    fn checked(self) -> Checked {
        let mut result = empty_result(&self.sources, "promela");
        if result.inputs.is_empty() {
            let (path, lang, sha256) = (self.path, String::new(), String::new());
            result.inputs.push(Input { path, lang, sha256 });
        }
        result.exit = self.exit.code();
        result.verdict = match self.exit {
            Exit::Ok => Verdict::Holds,
            _ => Verdict::Error,
        };
        result.scope.complete = true;
        result.run.stop = Stop::Completed;
        result.diagnostics = self.findings.into_iter().map(|finding| finding.note).collect();
        Checked { result, sources: self.sources, policy: Policy::default(), trail: None }
    }
}

fn look(args: &LintArgs, reading: &Reading, levels: &Levels, path: &Path) -> File {
    let mut opened = load::open(path, reading);
    let mut explored = None;
    let mut types = Vec::new();
    let mut findings = Vec::new();
    let mut exit = if opened.failed() { Exit::Input } else { Exit::Ok };
    if let Some(model) = opened.model.take() {
        let options = TypeOptions { strict: args.strict, strict_pid: args.strict_pid };
        let report = lint::check(&model, options);
        findings = report.findings;
        types = channels(&model, report.types.channels);
        if !args.no_explore {
            opened.model = Some(model);
            let limit = args.explore;
            let (summary, unreached) = explore::unreached(&mut opened, reading, limit, &findings);
            if let (Some(why), false) = (summary.why_incomplete(), args.quiet) {
                let path = shown(path);
                tell("note", &format!("{path}: unreached statements are not known: {why}"));
            }
            explored = Some(summary);
            findings.extend(unreached);
        }
    }
    let found: Vec<Diagnostic> =
        findings.into_iter().filter_map(|finding| levels.apply(finding)).collect();
    if found.iter().any(Diagnostic::is_error) {
        exit = exit.and(Exit::Violation);
    }
    let Opened { sources, diagnostics, .. } = opened;
    let findings = diagnostics
        .iter()
        .chain(&found)
        .map(|d| Finding {
            name: lint::find(d.code).map_or("", |lint| lint.name),
            note: Note::of(&sources, d),
        })
        .collect();
    let path = path.to_string_lossy().into_owned();
    File { path, findings, channels: types, explored, sources, exit }
}

fn channels(model: &Model, types: Vec<ChannelType>) -> Vec<Channel> {
    let name = |channel: &ChannelType| match channel.owner {
        Some(owner) => format!("{}.{}", model.proctypes[owner.index()].name, channel.name),
        None => channel.name.clone(),
    };
    types.into_iter().map(|channel| Channel { name: name(&channel), text: channel.text }).collect()
}

/// What follows the findings.
fn rest(out: &mut String, args: &LintArgs, style: &Style, file: &File) {
    let more = file.findings.len().saturating_sub(MOST_SHOWN);
    if more > 0 {
        let _ = writeln!(out, "note: {more} more findings, which --format json lists");
    }
    if !args.types {
        return;
    }
    for Channel { name, text } in &file.channels {
        let _ = writeln!(out, "{} : {}", style.clean(name), style.clean(text));
    }
}

/// Every finding with its lines, then the types if they are asked for.
fn full(args: &LintArgs, style: &Style, file: &File) -> String {
    let mut out = String::new();
    let mut explained = BTreeSet::new();
    for finding in file.findings.iter().take(MOST_SHOWN) {
        snippet::note(&mut out, style, &file.sources, &finding.note, false);
        if !args.quiet && !finding.name.is_empty() && explained.insert(finding.name) {
            let _ = writeln!(out, "more: everypath explain {}", finding.name);
        }
    }
    rest(&mut out, args, style, file);
    out
}

/// `file:line:column: warning: message [EP1604 unsent-channel]`
fn concise(args: &LintArgs, style: &Style, file: &File) -> String {
    let mut out = String::new();
    for Finding { name, note } in file.findings.iter().take(MOST_SHOWN) {
        let place = note.span.map(|span| snippet::location(&file.sources, span));
        let (word, _) = snippet::severity(note.severity);
        let code =
            if name.is_empty() { note.code.clone() } else { format!("{} {name}", note.code) };
        let line = format!("{word}: {} [{code}]", note.message);
        let place = place.unwrap_or_else(|| file.path.clone());
        let _ = writeln!(out, "{}: {}", style.brief(&place), style.brief(&line));
    }
    rest(&mut out, args, style, file);
    out
}

/// `2 errors, 1 warning in 3 files`
fn tally(files: &[File]) -> String {
    let mut parts = Vec::new();
    for (severity, word) in [
        (NoteSeverity::Error, "error"),
        (NoteSeverity::Unsupported, "unsupported construct"),
        (NoteSeverity::Warning, "warning"),
        (NoteSeverity::Note, "note"),
    ] {
        let all = files.iter().flat_map(|file| &file.findings);
        let count = all.filter(|finding| finding.note.severity == severity).count();
        if count > 0 {
            parts.push(format!("{count} {word}{}", if count == 1 { "" } else { "s" }));
        }
    }
    let found = if parts.is_empty() { "no findings".to_owned() } else { parts.join(", ") };
    match files.len() {
        1 => found,
        n => format!("{found} in {n} files"),
    }
}
