//! The report that a person reads.

use std::collections::BTreeSet;
use std::fmt::Write;

use everypath_model::Sources;
use everypath_property::PropertyKind;
use everypath_verdict::{
    Exit, Expectation, Loss, NoteSeverity, Policy, PropertyResult, Reason, RunResult, Statements,
    Stop, Trace, Vacuity, VacuityKind, Verdict, Word, value_text,
};

use super::onward;
use super::reasons::reasons;
use super::snippet::{headline, location, note, snippet};
use super::style::{Paint, Style, columns, pad};
use super::table::{View, table_of};
use crate::scope::{scope_line, stop_code};
use crate::units::plural;
use crate::wrap::{indented, wrapped, wrapped_at};
use crate::{expected, scope, units};

/// Statements listed as unreached before the rest is counted only.
const MAX_UNREACHED: usize = 10;
/// What can be done with a trace next: the commands that take one.
const NEXT: [&str; 3] = ["show last", "explain last", "replay last"];
/// Gap before the exit code.
const GAP: &str = "     ";

/// How much of a trace is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceDetail {
    /// No table.
    None,
    /// A table with what changes; a long one is cut in the middle.
    Delta,
    /// Every row, and all values at the end.
    Full,
}

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Findings only.
    Quiet,
    /// What is needed to judge the result.
    Normal,
    /// All counts and lists.
    Verbose,
}

/// What the report is to contain.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    /// How much of each trace.
    pub trace: TraceDetail,
    /// How many violations with their traces; the others get a headline.
    pub traces: usize,
    /// How much besides.
    pub verbosity: Verbosity,
    /// How verdicts became exit codes.
    pub policy: Policy,
    /// Whether the run is kept, so that other commands find it.
    pub kept: bool,
    /// The bytes that a search may take on this machine; `None` if that is not known.
    pub memory: Option<u64>,
}

/// Appends the report on one input.
pub fn render(
    out: &mut String,
    style: &Style,
    detail: &Detail,
    result: &RunResult,
    sources: &Sources,
) {
    let report = Report { style, detail, result, sources };
    if let Some(test) = &result.test {
        let _ = writeln!(out, "{} {}", style.paint(Paint::Strong, "test"), style.brief(test));
    }
    report.notes(out);
    if result.verdict == Verdict::Error {
        report.last_line(out);
        return;
    }
    report.violations(out);
    if detail.verbosity > Verbosity::Quiet {
        report.properties(out);
        report.unreached(out);
        report.summary(out);
    }
    report.last_line(out);
}

/// Appends one violated property with its trace.
pub fn violation(
    out: &mut String,
    style: &Style,
    detail: &Detail,
    result: &RunResult,
    sources: &Sources,
    property: &PropertyResult,
) {
    let report = Report { style, detail, result, sources };
    report.headline(out, property);
    if detail.trace != TraceDetail::None {
        report.trace(out, property);
    }
}

struct Report<'a> {
    style: &'a Style,
    detail: &'a Detail,
    result: &'a RunResult,
    sources: &'a Sources,
}

impl Report<'_> {
    /// The violated properties, shortest trace first; races, which may do no harm that is seen, last.
    fn violated(&self) -> impl Iterator<Item = &PropertyResult> {
        let properties = self.result.properties.iter();
        let mut violated: Vec<&PropertyResult> =
            properties.filter(|property| property.verdict == Verdict::Violated).collect();
        violated.sort_by_key(|property| {
            let trace = property.trace.as_ref();
            let length = trace.map(|trace| (trace.length.moves, trace.steps.len()));
            (property.kind == PropertyKind::Race, length)
        });
        violated.into_iter()
    }

    /// Errors, and what cannot be checked: they are part of the answer.
    fn notes(&self, out: &mut String) {
        let mut explained = BTreeSet::new();
        for one in &self.result.diagnostics {
            if one.severity >= NoteSeverity::Unsupported {
                note(out, self.style, self.sources, one, explained.insert(&one.code));
            }
        }
    }

    /// Whether a violation is told with its run. One that was expected is a line in the list, unless more is asked for.
    fn in_full(&self, property: &PropertyResult) -> bool {
        let more = self.detail.trace == TraceDetail::Full || self.detail.traces == usize::MAX;
        let more = more || self.detail.verbosity == Verbosity::Verbose;
        more || !expected::is_expected(self.result, property)
    }

    fn violations(&self, out: &mut String) {
        let mut left_out = 0;
        let mut told = false;
        for (i, property) in self.violated().filter(|one| self.in_full(one)).enumerate() {
            self.headline(out, property);
            if self.detail.trace == TraceDetail::None || self.detail.verbosity == Verbosity::Quiet {
                continue;
            }
            if i >= self.detail.traces {
                left_out += usize::from(property.trace.is_some());
                continue;
            }
            self.trace(out, property);
            told |= property.trace.is_some();
        }
        if left_out > 0 {
            let (s, them) = if left_out == 1 { ("", "it") } else { ("s", "them") };
            let _ = writeln!(out, "  {left_out} more trace{s}: --all-errors shows {them}");
        }
        if told && self.detail.kept {
            let _ = writeln!(out, "  next: everypath {}", NEXT.join(" | "));
        }
    }

    fn headline(&self, out: &mut String, property: &PropertyResult) {
        let code = property.code.as_deref().unwrap_or("EP0001");
        let message = property.message.as_deref().unwrap_or(&property.name);
        headline(out, self.style, ("error", Paint::Bad), code, message);
        if let Some(place) = property.span {
            let label = property.trace.as_deref().map(label).unwrap_or_default();
            snippet(out, self.style, self.sources, place, &label);
        }
        if let Some(search) = &property.found_by {
            let line = format!("found by a search beside the breadth-first one: --search {search}");
            self.wrapped(out, &line);
        }
    }

    fn trace(&self, out: &mut String, property: &PropertyResult) {
        if let Some(trace) = &property.trace {
            let all = self.detail.trace == TraceDetail::Full;
            let view = View { all, keep: None, watches: &[], more: "--trace full" };
            evidence(out, self.style, trace, &view);
        }
        if let Some(seed) = property.seed {
            let search = &self.result.run.search;
            let line = format!("again: --search {search} --seed {seed} --runs 1");
            wrapped(out, self.style, &line);
        }
        if let Some(fix) = &property.fix {
            let states = plural(fix.states, "state", "states");
            let line = format!("try: {}. That variant holds (checked, {states}).", fix.text);
            wrapped(out, self.style, &line);
        }
    }

    /// One line a property, or a line for several with the same to say.
    fn properties(&self, out: &mut String) {
        let result = self.result;
        let violated = self.violated().any(|property| self.in_full(property));
        let stopped = result.run.stop != Stop::Completed || !result.scope.complete;
        if stopped {
            let message = match result.run.stop {
                Stop::Time => "stopped at the time limit, search incomplete",
                Stop::Memory => "stopped at the memory limit, search incomplete",
                Stop::States => "stopped at the state limit, search incomplete",
                Stop::Depth => "runs beyond the depth limit were not followed, search incomplete",
                Stop::Bound => {
                    "runs beyond the bound of preemptions or switches were not followed, search \
                     incomplete"
                }
                Stop::Interrupt if result.stats.is_none() => "interrupted before it was searched",
                Stop::Interrupt => "interrupted, search incomplete",
                Stop::Disk => "stopped since the disk failed, search incomplete",
                Stop::Violation => {
                    "stopped after a violation, search incomplete; --all-errors goes on"
                }
                Stop::Model => "a state could not be evaluated, search incomplete",
                Stop::NotStarted => "the model cannot be searched",
                Stop::Completed if result.incomplete() == Reason::Sampled => {
                    "samples do not cover everything, search incomplete"
                }
                Stop::Completed if result.incomplete() == Reason::LossyStore => {
                    "a lossy store may take new states for known ones, search incomplete"
                }
                Stop::Completed => "something in the model was left out, search incomplete",
            };
            let code = stop_code(result.run.stop);
            let message = match (&result.stats, result.inputs.first()) {
                (None, Some(file)) => format!("{}: {message}", file.path),
                _ => message.to_owned(),
            };
            headline(out, self.style, ("warning", Paint::Warn), code, &message);
        } else if !violated {
            let model = match &result.model {
                Some(model) if result.stats.as_ref().is_some_and(|s| s.program.is_some()) => {
                    format!(
                        "{}, {}, ",
                        model.language,
                        plural(model.processes, "thread", "threads")
                    )
                }
                Some(model) => format!(
                    "{}, {}, ",
                    model.language,
                    plural(model.processes, "process", "processes")
                ),
                None => String::new(),
            };
            let file = result.inputs.first().map_or("", |input| &input.path);
            let properties = plural(result.properties.len() as u64, "property", "properties");
            let file = self.style.paint(Paint::Strong, &self.style.brief(file));
            let _ = writeln!(out, "{file}  {model}{properties}");
        }
        let lines: Vec<Line> = self
            .lines(stopped)
            .into_iter()
            .filter(|line| line.word != Word::Violated || line.expected)
            .collect();
        let words = lines.iter().map(|line| line.word.as_str().len()).max().unwrap_or(0);
        let names = lines.iter().filter(|line| !line.detail.is_empty());
        let names = names.map(|line| columns(&line.name)).max().unwrap_or(0);
        let names = names.min(self.style.width / 2).max(12);
        for line in &lines {
            let word = pad(line.word.as_str(), words);
            let word = match line.expected {
                true => self.style.paint(Paint::Good, &word),
                false => self.style.verdict(line.word, &word),
            };
            let room = self.style.width.saturating_sub(words + 4).max(20);
            let name = self.style.brief(&line.name);
            let detail = self.style.brief(&line.detail);
            let both = format!("{}     {detail}", pad(&name, names));
            if columns(both.trim_end()) <= room {
                let _ = writeln!(out, "  {word}  {}", both.trim_end());
            } else {
                let _ = writeln!(out, "  {word}  {}", self.style.clip(&name, room));
                let indent = " ".repeat(words + 6);
                let _ = writeln!(out, "{indent}{}", self.style.clip(&detail, room - 2));
            }
            for note in &line.notes {
                indented(out, self.style, words + 4, &format!("note: {note}"));
            }
        }
    }

    fn lines(&self, stopped: bool) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let assertions: Vec<&PropertyResult> = self
            .result
            .properties
            .iter()
            .filter(|property| {
                property.kind == PropertyKind::Assertion && property.verdict != Verdict::Violated
            })
            .collect();
        let mut grouped = false;
        for property in &self.result.properties {
            let word = property.verdict.word();
            let (name, detail) = match property.kind {
                PropertyKind::Assertion if word != Word::Violated => {
                    if grouped {
                        continue;
                    }
                    grouped = true;
                    ("assertions".to_owned(), reached(&assertions))
                }
                _ => (property.name.clone(), property.message.clone().unwrap_or_default()),
            };
            let expected = word == Word::Violated && !self.in_full(property);
            let detail = match property.verdict {
                Verdict::NoViolationFound(_) => self.not_a_proof(),
                _ if expected => {
                    let because = expected::because(self.result, property);
                    let because = because.map_or(String::new(), |why| format!(" ({why})"));
                    format!("as expected{because}: {detail}")
                }
                _ => detail,
            };
            let line = Line { word, name, detail, notes: self.vacuity(property), expected };
            let same = match stopped && word == Word::NoViolationFound {
                true => lines.iter_mut().find(|o| (o.word, &o.detail) == (word, &line.detail)),
                false => None,
            };
            match same {
                Some(other) => {
                    other.name += ", ";
                    other.name += &line.name;
                }
                None => lines.push(line),
            }
        }
        lines
    }

    /// What there is to say about the parts of a property that do not matter.
    fn vacuity(&self, property: &PropertyResult) -> Vec<String> {
        let all = self.detail.verbosity == Verbosity::Verbose;
        let told = |part: &&Vacuity| all || part.kind != VacuityKind::Condition;
        property.vacuity.iter().filter(told).map(|part| part.text.clone()).collect()
    }

    fn not_a_proof(&self) -> String {
        match &self.result.stats {
            Some(stats) if stats.unexpanded > 0 => {
                let states = if stats.unexpanded == 1 { "state" } else { "states" };
                format!("not a proof: {} {states} unexpanded", units::rough(stats.unexpanded))
            }
            _ => "not a proof".to_owned(),
        }
    }

    fn unreached(&self, out: &mut String) {
        let Some(coverage) = &self.result.coverage else { return };
        let verbose = self.detail.verbosity == Verbosity::Verbose;
        if !self.result.scope.complete || (self.violated().next().is_some() && !verbose) {
            return;
        }
        let shown = if verbose { coverage.unreached.len() } else { MAX_UNREACHED };
        for one in coverage.unreached.iter().take(shown) {
            let place = location(self.sources, one.span);
            let place = place.rsplit_once(':').map_or(place.as_str(), |(place, _)| place);
            let line = format!("  unreached: {place} {}", one.text);
            let _ =
                writeln!(out, "{}", self.style.clip(&self.style.clean(&line), self.style.width));
        }
        let rest = coverage.unreached.len().saturating_sub(shown);
        if rest > 0 {
            let _ = writeln!(out, "  unreached: {rest} more (-v lists all)");
        }
    }

    fn summary(&self, out: &mut String) {
        let result = self.result;
        let Some(stats) = &result.stats else { return };
        let states = match result.run.search.as_str() {
            "random" => plural(stats.transitions, "step", "steps"),
            // Only products with automata were searched.
            _ if result.coverage.is_none() => {
                plural(stats.states, "product state", "product states")
            }
            _ => match &stats.runs {
                Some(runs) => {
                    let executions = plural(runs.executions, "run", "runs");
                    format!("{executions}, {}", plural(stats.transitions, "step", "steps"))
                }
                None => plural(stats.states, "state", "states"),
            },
        };
        let mut line = format!(
            "{states}, depth {}, {}",
            units::count(stats.depth),
            units::seconds(result.run.wall_s)
        );
        if let Some(bytes) = result.run.peak_bytes {
            let _ = write!(line, ", {}", units::bytes(bytes));
        }
        if result.scope.complete && self.violated().next().is_none() {
            let line = format!("Every interleaving covered: {line}");
            wrapped_at(out, self.style, (0, 2), &line);
        } else {
            self.wrapped(out, &format!("searched: {line}"));
        }
        if self.detail.verbosity == Verbosity::Verbose {
            if let Some(runs) = &stats.runs {
                let line = format!(
                    "runs: {} given up since the rest was known, {} cut, {} a second",
                    units::count(runs.given_up),
                    units::count(runs.cut),
                    units::count(runs.executions_per_s as u64),
                );
                self.wrapped(out, &line);
            }
            let counts = format!(
                "counts: {}, {} matched, {}, {} in the store ({:.1} B a state)",
                plural(stats.transitions, "transition", "transitions"),
                units::count(stats.matched),
                plural(stats.errors, "error", "errors"),
                units::bytes(stats.bytes),
                stats.bytes_per_state
            );
            self.wrapped(out, &counts);
            if let Some(forced) = stats.forced_ends {
                let forced = plural(forced, "forced end", "forced ends");
                self.wrapped(out, &format!("transactions: {forced}"));
            }
            if let Some(program) = &stats.program {
                let line = format!(
                    "program: {}, at most {} and {}",
                    plural(program.instructions, "instruction", "instructions"),
                    plural(program.threads, "thread", "threads"),
                    plural(program.objects, "object", "objects")
                );
                self.wrapped(out, &line);
            }
        }
        self.coverage(out);
        self.wrapped(out, &format!("scope: {}", scope_line(result)));
        if let Some(loss) = &result.scope.loss {
            self.loss(out, loss);
        }
        if let Some(line) = scope::how_to_go_on(result) {
            self.wrapped(out, &line);
        }
        for line in onward::steps(result, self.detail.memory) {
            self.wrapped(out, &line);
        }
    }

    /// How much was executed.
    fn coverage(&self, out: &mut String) {
        let Some(coverage) = &self.result.coverage else { return };
        let of = |part: &Statements| {
            format!("{} of {}", units::count(part.reached), units::count(part.total))
        };
        match (&coverage.methods, &coverage.branches) {
            (Some(methods), Some(branches)) => {
                let line = format!(
                    "coverage: {} lines, {} methods, {} branches",
                    of(&coverage.statements),
                    of(methods),
                    of(branches)
                );
                self.wrapped(out, &line);
            }
            _ if self.detail.verbosity == Verbosity::Verbose && coverage.statements.total > 0 => {
                let _ = writeln!(out, "  statements: {} reached", of(&coverage.statements));
            }
            _ => {}
        }
    }

    /// What a lossy store probably lost.
    fn loss(&self, out: &mut String, loss: &Loss) {
        let chance = loss.probability;
        let omitted = units::rough(loss.omitted.round().max(1.0) as u64);
        let line = match (loss.coverage, loss.omitted < 0.05) {
            (Some(_), true) => {
                format!("estimate: all states seen, but for a chance of {chance:.1e}")
            }
            (Some(part), false) => {
                // What only omitted states lead to is not counted.
                let part = match 100.0 * part {
                    part if part > 99.995 => "almost 100".to_owned(),
                    part => format!("at most {part:.2}"),
                };
                format!("estimate: {part} % of the states seen, about {omitted} omitted")
            }
            (None, true) => format!(
                "estimate: of the states met none omitted, but for a chance of {chance:.1e}; how many there are \
                 besides is not known"
            ),
            (None, false) => format!(
                "estimate: about {omitted} of the states met omitted; how many there are besides is not known"
            ),
        };
        let fill = 100.0 * loss.fill;
        let table = units::bytes(loss.table_bytes);
        self.wrapped(out, &format!("{line}; table of {table}, {fill:.1} % in use"));
        for line in &loss.advice {
            self.wrapped(out, line);
        }
    }

    fn last_line(&self, out: &mut String) {
        let result = self.result;
        let policy = &self.detail.policy;
        let violated = self.violated().count() as u64;
        let all = plural(result.properties.len() as u64, "property", "properties");
        let before = result.judge(policy);
        let errors = result
            .diagnostics
            .iter()
            .any(|note| note.severity == NoteSeverity::Error && !note.denied);
        let unmet = expected::unmet(result, policy);
        let text = match result.verdict {
            _ if unmet.is_some() => {
                let unmet = unmet.unwrap_or_default();
                self.style.brief(&format!("unmet: {unmet}")).into_owned()
            }
            Verdict::Holds if errors => "error in the expectations".to_owned(),
            Verdict::Violated if before == Exit::Ok && policy.expect.is_none() => {
                format!("violated as expected: {violated} of {all}")
            }
            Verdict::Error => {
                let errors = result
                    .diagnostics
                    .iter()
                    .filter(|note| note.severity == NoteSeverity::Error)
                    .count();
                plural(errors as u64, "error", "errors")
            }
            Verdict::Violated if policy.expect == Some(Expectation::Violated) => {
                format!("violated as expected: {violated} of {all}")
            }
            Verdict::Violated => {
                let expected = self.violated().filter(|one| expected::is_expected(result, one));
                match expected.count() as u64 {
                    0 => format!("violated: {violated} of {all}"),
                    known => {
                        let new = violated - known;
                        format!("violated: {new} of {all}, besides {known} as expected")
                    }
                }
            }
            Verdict::NoViolationFound(_) if result.exit == 0 && !policy.exit_zero => {
                "no violation found (bounded search, accepted)".to_owned()
            }
            Verdict::NoViolationFound(_) | Verdict::Unknown(_) => "inconclusive".to_owned(),
            Verdict::Holds if result.denied() > 0 => {
                let denied = plural(result.denied() as u64, "finding is", "findings are");
                format!("holds, but {denied} denied")
            }
            Verdict::Holds if result.exit != 0 => {
                self.style.brief(&expected::holds_all_the_same(result)).into_owned()
            }
            Verdict::Holds => return,
        };
        let exit = if policy.apply(before) != before && result.exit == 0 {
            format!("(exit {} instead of {}: --exit-zero)", result.exit, before.code())
        } else {
            format!("(exit {})", result.exit)
        };
        let text = match (result.verdict, result.exit) {
            (Verdict::Violated, 0) if before == Exit::Ok => self.style.paint(Paint::Good, &text),
            (Verdict::Holds, 1..) => self.style.paint(Paint::Bad, &text),
            (verdict, _) => self.style.verdict(verdict.word(), &text),
        };
        let _ = writeln!(out, "{text}{GAP}{exit}");
    }

    fn wrapped(&self, out: &mut String, text: &str) {
        wrapped(out, self.style, text);
    }
}

/// What stands under the place of a violation.
pub fn label(trace: &Trace) -> String {
    match trace.end.blocked.iter().find(|blocked| !blocked.valid_end) {
        // The place is that of a formula.
        Some(_) if trace.end.reason == "standstill" => String::new(),
        Some(blocked) => format!("{} waits here", blocked.process),
        None => String::new(),
    }
}

/// Appends a trace: its length, its table, who waits, and why things went wrong.
pub fn evidence(out: &mut String, style: &Style, trace: &Trace, view: &View<'_>) {
    let steps = trace.steps.len() as u64;
    if steps == 0 {
        let _ = writeln!(out, "  already so in the initial state");
    } else {
        let word = if trace.length.shortest { "shortest" } else { "trace" };
        let mut line = format!("{word}: {}", plural(steps, "step", "steps"));
        if trace.length.moves != steps {
            let moves = plural(trace.length.moves, "move", "moves");
            let _ = write!(line, " ({moves}: an indivisible sequence is one)");
        }
        let switches = plural(trace.length.switches, "context switch", "context switches");
        let _ = write!(line, ", {switches}");
        if trace.length.fewest_switches {
            line += " (fewest possible at this length)";
        }
        wrapped(out, style, &line);
        table_of(out, style, trace, view);
    }
    reasons(out, style, trace);
    if view.all {
        let last = trace.last_values();
        let list: Vec<String> =
            last.iter().map(|(name, v)| format!("{name} = {}", value_text(v))).collect();
        wrapped(out, style, &format!("at the end: {}", list.join(", ")));
    }
}

struct Line {
    word: Word,
    name: String,
    detail: String,
    notes: Vec<String>,
    /// A violation that was expected.
    expected: bool,
}

/// `3 assertions, 2 of 3 reached`
fn reached(assertions: &[&PropertyResult]) -> String {
    let all = assertions.len();
    let reached = assertions.iter().filter(|property| !property.vacuous).count();
    let count = plural(all as u64, "assertion", "assertions");
    match reached {
        _ if assertions.iter().any(|property| property.verdict.word() == Word::Unknown) => count,
        n if n == all => format!("{count}, reached"),
        0 => format!("{count}, never reached"),
        n => format!("{count}, {n} of {all} reached"),
    }
}
