//! What a run of `check` gives out, and when: text for the standard output, files, events.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use everypath_engine_explicit::{Control, Observer, Progress};
use everypath_model::{Sources, shown};
use everypath_render::Format;
use everypath_verdict::{Exit, NoteSeverity, RunResult};

use crate::analysis::empty_result;
use crate::config::Config;
use crate::events::{Account, EVENT_SCHEMA, Event, Finding, Happening};
use crate::input::reason;
use crate::outlet::{folder_of, guarded};
use crate::progress::{Line, Pace};
use crate::render::full::Verbosity;
use crate::render::style::Style;
use crate::render::{Checked, Page, each, github, json, last, snippet};
use crate::{complain, tell};

/// Warnings that are shown before the rest is counted only.
const WARNINGS: usize = 20;

/// The answer of one run as it grows.
pub struct Answer<'a> {
    config: &'a Config,
    stdout: &'a mut dyn Write,
    files: Vec<Output>,
    base: PathBuf,
    start: Instant,
    all: Vec<Checked>,
    exit: Exit,
}

/// `-o FMT=FILE`
struct Output {
    format: Format,
    path: PathBuf,
    /// The standard output if there is none.
    file: Option<File>,
}

impl<'a> Answer<'a> {
    /// Opens the files, so that a mistake in their names shows before a long search, and begins.
    pub fn begin(config: &'a Config, stdout: &'a mut dyn Write) -> Answer<'a> {
        let mut answer = Answer {
            config,
            stdout,
            files: Vec::new(),
            base: std::env::current_dir().unwrap_or_default(),
            start: Instant::now(),
            all: Vec::new(),
            exit: Exit::Ok,
        };
        for (format, path) in &config.outputs {
            match answer.open(path) {
                Ok(file) => {
                    answer.files.push(Output { format: *format, path: path.clone(), file });
                }
                Err(why) => answer.cannot_write(path, &why),
            }
        }
        if answer.has_events() {
            for output in answer.files.iter().filter(|output| output.format == Format::Jsonl) {
                output.file.as_ref().map(empty);
            }
            let inputs = config.files.iter().map(|path| path.to_string_lossy().into_owned());
            let tool = empty_result(&Sources::default(), "").tool;
            answer.event(Happening::Start {
                tool: &tool,
                argv: &config.checking.argv,
                inputs: inputs.collect(),
            });
        }
        answer
    }

    /// Opens a file and leaves what is in it; `None` for the standard output.
    fn open(&self, path: &Path) -> Result<Option<File>, String> {
        if path.as_os_str() == "-" {
            return Ok(None);
        }
        folder_of(path)?;
        // The file may not be there yet, its directory is.
        let same = |other: &Path| match (path.canonicalize(), other.canonicalize()) {
            (Ok(path), Ok(other)) => path == other,
            _ => path == other,
        };
        if self.config.files.iter().any(|input| same(input)) {
            return Err("it is an input".to_owned());
        }
        if self.files.iter().any(|output| output.file.is_some() && same(&output.path)) {
            return Err("it is named twice".to_owned());
        }
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        file.map(Some).map_err(|error| reason(&error))
    }

    /// Watches the search of the next input, which began at `start` with this memory limit.
    pub fn watch(&mut self, start: Instant, memory: Option<u64>) -> Watch<'_, 'a> {
        let line = Line::new(self.config.progress, start, memory, self.config.notes);
        Watch { events: self.has_events(), answer: self, line, pace: Pace::new(start), memory }
    }

    /// Takes the result of the next input, and tells what can be told by now.
    pub fn add(&mut self, checked: Checked) {
        self.exit = self.exit.and(exit_of(&checked.result));
        if self.has_events() {
            self.events_of(&checked);
        }
        let format = self.config.format;
        // In the other formats they are part of the document.
        if matches!(format, Format::Full | Format::Concise) {
            notes(self.config, &checked);
        }
        let first = self.all.is_empty();
        let text = each(format, &self.page(self.config.style), first, &checked);
        self.print(&text);
        self.all.push(checked);
    }

    /// The results so far.
    pub fn results(&self) -> Vec<&RunResult> {
        self.all.iter().map(|checked| &checked.result).collect()
    }

    /// Tells the rest and fills the files.
    pub fn finish(mut self) -> Exit {
        let config = self.config;
        let text = last(config.format, &self.page(config.style), &self.all, self.exit);
        self.print(&text);
        let (events, files): (Vec<Output>, Vec<Output>) =
            std::mem::take(&mut self.files).into_iter().partition(|o| o.format == Format::Jsonl);
        for output in files {
            let page = self.page(config.file_style());
            let mut text = String::new();
            for (index, checked) in self.all.iter().enumerate() {
                text += &each(output.format, &page, index == 0, checked);
            }
            text += &last(output.format, &page, &self.all, self.exit);
            match &output.file {
                None => self.print(&text),
                Some(file) => {
                    if let Err(error) = fill(file, &text) {
                        self.cannot_write(&output.path, &reason(&error));
                    }
                }
            }
        }
        if let Some(path) = &config.job_summary {
            let text = github::summary(&self.page(config.file_style()), &self.all);
            let file = OpenOptions::new().append(true).create(true).open(path);
            if let Err(error) = file.and_then(|mut file| file.write_all(text.as_bytes())) {
                self.cannot_write(path, &reason(&error));
            }
        }
        self.files = events;
        if self.has_events() {
            let exit = self.exit.code();
            self.event(Happening::End { exit });
        }
        self.exit
    }

    fn page(&self, style: Style) -> Page<'_> {
        Page { style, detail: &self.config.detail, base: &self.base, codes: crate::codes::describe }
    }

    fn has_events(&self) -> bool {
        self.config.format == Format::Jsonl
            || self.files.iter().any(|output| output.format == Format::Jsonl)
    }

    fn event(&mut self, happening: Happening<'_>) {
        let time_s = (self.start.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
        let text = json::line(&Event { schema: EVENT_SCHEMA, time_s, happening });
        if self.config.format == Format::Jsonl {
            self.print(&text);
        }
        let mut wrong = Vec::new();
        for (index, output) in self.files.iter().enumerate() {
            if output.format != Format::Jsonl {
                continue;
            }
            match &output.file {
                None => write(self.stdout, &text),
                Some(file) => {
                    let written = (&*file).write_all(text.as_bytes());
                    wrong.extend(written.err().map(|error| (index, error)));
                }
            }
        }
        // What cannot be written to is told once.
        for (index, error) in wrong.into_iter().rev() {
            let output = self.files.remove(index);
            self.cannot_write(&output.path, &reason(&error));
        }
    }

    fn events_of(&mut self, checked: &Checked) {
        let input = self.all.len();
        let result = &checked.result;
        let path = result.inputs.first().map_or("", |input| &input.path);
        for note in &result.diagnostics {
            let finding = Finding::Diagnostic(note);
            self.event(Happening::Finding { input, path, finding });
        }
        for property in &result.properties {
            // The trace is long and comes with the result.
            let property = everypath_verdict::PropertyResult { trace: None, ..property.clone() };
            let finding = Finding::Property(&property);
            self.event(Happening::Finding { input, path, finding });
        }
        self.event(Happening::Result { input, result });
    }

    fn print(&mut self, text: &str) {
        write(self.stdout, text);
    }

    fn cannot_write(&mut self, path: &Path, why: &str) {
        tell("error", &format!("cannot write {}: {why}", shown(path)));
        self.exit = self.exit.and(Exit::Input);
    }
}

/// What cannot be written is remembered by the standard output itself.
fn write(stdout: &mut dyn Write, text: &str) {
    if !text.is_empty() {
        let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    }
}

/// Forgets what is in a file. Devices and pipes have nothing to forget.
fn empty(file: &File) -> io::Result<()> {
    if file.metadata()?.is_file() { file.set_len(0) } else { Ok(()) }
}

fn fill(mut file: &File, text: &str) -> io::Result<()> {
    empty(file)?;
    file.write_all(guarded(text).as_bytes())
}

/// The exit that a result names.
fn exit_of(result: &RunResult) -> Exit {
    Exit::ALL.into_iter().find(|exit| exit.code() == result.exit).unwrap_or(Exit::Internal)
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
        out += &format!("note: {more} more warning{s}, which --verbose shows\n");
    }
    complain(&out);
}

/// Watches a search for the line of progress and for the events.
pub struct Watch<'w, 'a> {
    answer: &'w mut Answer<'a>,
    line: Line,
    events: bool,
    pace: Pace,
    memory: Option<u64>,
}

impl Observer for Watch<'_, '_> {
    fn progress(&mut self, progress: &Progress) -> Control {
        if self.events
            && let Some(rate) = self.pace.due(Instant::now(), progress.states)
        {
            let account = Account::new(self.answer.all.len(), progress, rate, self.memory);
            self.answer.event(Happening::Progress(account));
        }
        self.line.progress(progress)
    }
}

impl Drop for Watch<'_, '_> {
    fn drop(&mut self) {
        self.line.finish();
    }
}
