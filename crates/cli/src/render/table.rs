//! The interleaving table: one column a process, one row a statement.

use std::fmt::Write;

use everypath_verdict::{Role, Trace, TraceStep, Values, apply};
use serde_json::Value;

use super::style::{Paint, Style, columns, pad};

/// A longer trace is cut in the middle.
pub const MAX_ROWS: usize = 60;
/// Rows at the start of a cut trace.
const HEAD: usize = 20;
/// Rows at the end of a cut trace.
const TAIL: usize = 30;
/// A column for a process is not made narrower than this.
const MIN_LANE: usize = 12;
/// The column for effects is not made narrower than this.
const MIN_EFFECT: usize = 14;

/// One statement, ready for layout.
struct Row {
    number: u64,
    cause: bool,
    atomic: Option<Atomic>,
    lane: usize,
    /// Line and statement.
    cell: String,
    failed: bool,
    /// What it did.
    effect: String,
    /// A remark after the effect, left out where room is short.
    remark: String,
}

/// Where a step stands in an indivisible sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Atomic {
    First,
    Inner,
    Last,
}

impl Atomic {
    fn glyph(self, style: &Style) -> &'static str {
        match (self, style.ascii) {
            (Atomic::First, false) => "┌",
            (Atomic::Inner, false) => "│",
            (Atomic::Last, false) => "└",
            (Atomic::First, true) => ",",
            (Atomic::Inner, true) => "|",
            (Atomic::Last, true) => "`",
        }
    }
}

impl Row {
    fn effect(&self, remarks: bool) -> String {
        match (remarks && !self.remark.is_empty(), self.effect.is_empty()) {
            (false, _) => self.effect.clone(),
            (true, true) => self.remark.clone(),
            (true, false) => format!("{}  {}", self.effect, self.remark),
        }
    }

    /// The statement with the mark of failure, which is never cut.
    fn statement(&self, style: &Style, width: usize) -> String {
        const MARK: &str = "  FAILED";
        if !self.failed {
            return style.clip(&self.cell, width);
        }
        let cell = style.clip(&self.cell, width.saturating_sub(MARK.len()));
        format!("{cell}{MARK}")
    }

    fn statement_width(&self) -> usize {
        columns(&self.cell) + if self.failed { 8 } else { 0 }
    }
}

/// Appends the table of a trace; `all` shows every row of a long one.
pub fn table(out: &mut String, style: &Style, trace: &Trace, all: bool) {
    let rows = rows(style, trace);
    let cut = !all && rows.len() > MAX_ROWS;
    let shown: Vec<&Row> = if cut {
        rows[..HEAD].iter().chain(&rows[rows.len() - TAIL..]).collect()
    } else {
        rows.iter().collect()
    };
    let titles: Vec<String> =
        trace.lanes.iter().map(|lane| style.clean(&lane.title()).into_owned()).collect();
    let grid = Grid::fit(style, titles, &shown);

    let titles: Vec<String> = grid
        .titles
        .iter()
        .zip(&grid.widths)
        .map(|(title, &width)| style.paint(Paint::Strong, &pad(&style.clip(title, width), width)))
        .collect();
    let step = format!("{:>width$}", "step", width = grid.step);
    line(out, " ", &step, &titles);
    let mut rule = "-".repeat(grid.step);
    for &width in &grid.widths {
        rule += "-+-";
        rule += &"-".repeat(width);
    }
    let _ = writeln!(out, "  {}", style.paint(Paint::Faint, &rule));

    for (i, row) in shown.iter().enumerate() {
        if cut && i == HEAD {
            let left_out = rows.len() - HEAD - TAIL;
            let _ = writeln!(
                out,
                "  {:>width$} | {left_out} steps left out; --trace full shows all of them",
                "...",
                width = grid.step
            );
        }
        let marker = if row.cause { ">" } else { " " };
        let number = format!("{marker} {:>width$}", row.number, width = grid.digits);
        let gutter = row.atomic.map_or(" ", |atomic| atomic.glyph(style));
        line(out, gutter, &pad(&number, grid.step), &grid.cells(style, row));
    }
    if shown.iter().any(|row| row.atomic.is_some()) {
        let _ = writeln!(out, "  (nobody can come between steps that are joined at the left)");
    }
}

fn line(out: &mut String, gutter: &str, step: &str, cells: &[String]) {
    let text = format!("{gutter} {step} | {}", cells.join(" | "));
    out.push_str(text.trim_end());
    out.push('\n');
}

/// How the columns are arranged.
struct Grid {
    /// Columns of the step number with its mark.
    step: usize,
    /// Digits of the greatest step number.
    digits: usize,
    titles: Vec<String>,
    widths: Vec<usize>,
    /// The titles of the lanes if they have one column together.
    single: Option<Vec<String>>,
    remarks: bool,
}

impl Grid {
    /// The widest arrangement that fits: lanes with remarks, lanes without, narrower lanes, and at
    /// last one column for all processes.
    fn fit(style: &Style, lanes: Vec<String>, rows: &[&Row]) -> Grid {
        let digits = rows.last().map_or(1, |row| row.number.to_string().len());
        let step = (digits + 2).max(4);
        let widest = |widths: &mut dyn Iterator<Item = usize>| widths.max().unwrap_or(0);
        let effect = |remarks: bool| {
            widest(&mut rows.iter().map(|row| columns(&row.effect(remarks)))).max("effect".len())
        };
        let by_lane: Vec<usize> = (0..lanes.len())
            .map(|lane| {
                let cells = rows.iter().filter(|row| row.lane == lane);
                widest(&mut cells.map(|row| row.statement_width())).max(columns(&lanes[lane]))
            })
            .collect();
        let room = |columns: usize| style.width.saturating_sub(2 + step + 3 * columns);

        let budget = room(lanes.len() + 1);
        let mut titles = lanes.clone();
        titles.push("effect".to_owned());
        for remarks in [true, false] {
            let mut widths = by_lane.clone();
            widths.push(effect(remarks));
            let least: Vec<usize> = (0..widths.len())
                .map(|i| widths[i].min(if i < lanes.len() { MIN_LANE } else { MIN_EFFECT }))
                .collect();
            let fits = widths.iter().sum::<usize>() <= budget;
            if fits || (!remarks && least.iter().sum::<usize>() <= budget) {
                shrink(&mut widths, &least, budget);
                return Grid { step, digits, titles, widths, single: None, remarks };
            }
        }

        let budget = room(3);
        let process = widest(&mut lanes.iter().map(|title| columns(title))).max("process".len());
        let statement =
            widest(&mut rows.iter().map(|row| row.statement_width())).max("statement".len());
        let remarks = process + statement + effect(true) <= budget;
        let mut widths = vec![process, statement, effect(remarks)];
        let least = [process.min(8), statement.min(16), widths[2].min(MIN_EFFECT)];
        shrink(&mut widths, &least, budget);
        let titles = ["process", "statement", "effect"].map(str::to_owned).to_vec();
        Grid { step, digits, titles, widths, single: Some(lanes), remarks }
    }

    fn cells(&self, style: &Style, row: &Row) -> Vec<String> {
        let last = self.widths.len() - 1;
        let statement = |column: usize| {
            let width = self.widths[column];
            let text = pad(&row.statement(style, width), width);
            if row.failed {
                text.replace("FAILED", &style.paint(Paint::Bad, "FAILED"))
            } else {
                text
            }
        };
        let effect =
            pad(&style.clip(&row.effect(self.remarks), self.widths[last]), self.widths[last]);
        match &self.single {
            Some(titles) => {
                let process = style.clip(&titles[row.lane], self.widths[0]);
                vec![pad(&process, self.widths[0]), statement(1), effect]
            }
            None => {
                let mut cells: Vec<String> =
                    self.widths[..last].iter().map(|&width| " ".repeat(width)).collect();
                cells[row.lane] = statement(row.lane);
                cells.push(effect);
                cells
            }
        }
    }
}

/// Takes columns from the widest until all fit into `budget`, none below its least width.
fn shrink(widths: &mut [usize], least: &[usize], budget: usize) {
    let mut over = widths.iter().sum::<usize>().saturating_sub(budget);
    while over > 0 {
        let widest = (0..widths.len())
            .filter(|&i| widths[i] > least[i])
            .max_by_key(|&i| (widths[i], std::cmp::Reverse(i)));
        let Some(widest) = widest else { return };
        widths[widest] -= 1;
        over -= 1;
    }
}

fn rows(style: &Style, trace: &Trace) -> Vec<Row> {
    let mut values = trace.init.clone();
    let mut rows = Vec::with_capacity(trace.steps.len());
    let mut in_atomic = false;
    for step in &trace.steps {
        let failed = step.role == Some(Role::Failure);
        let text = match step.text.trim_start().strip_prefix("assert") {
            // The expression stands in the headline already.
            Some(rest) if failed && !rest.starts_with(char::is_alphanumeric) => "assert",
            _ => &step.text,
        };
        rows.push(Row {
            number: step.i,
            cause: trace.explain.iter().any(|why| why.steps.last() == Some(&step.i)),
            atomic: match (in_atomic, step.atomic) {
                (false, false) => None,
                (false, true) => Some(Atomic::First),
                (true, true) => Some(Atomic::Inner),
                (true, false) => Some(Atomic::Last),
            },
            lane: step.lane as usize,
            cell: format!("{}: {}", line_of(trace, step), style.clean(text)),
            failed,
            effect: style.clean(&effect(trace, step, &values)).into_owned(),
            remark: remark(trace, step),
        });
        in_atomic = step.atomic;
        apply(&mut values, step);
    }
    rows
}

/// The line of a step, with the name of the file if it is not the main one.
fn line_of(trace: &Trace, step: &TraceStep) -> String {
    let line = step.span.start.0;
    match trace.model.sources.get(step.span.file as usize) {
        Some(source) if step.span.file > 0 => {
            let name = source.path.rsplit('/').next().unwrap_or(&source.path);
            format!("{name}:{line}")
        }
        _ => line.to_string(),
    }
}

fn remark(trace: &Trace, step: &TraceStep) -> String {
    trace
        .explain
        .iter()
        .filter(|why| why.kind == "lost-update" && why.steps.last() == Some(&step.i))
        .filter_map(|why| why.steps.get(1))
        .map(|lost| format!("overwrites step {lost}"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// What a step did: shared variables and channels that it wrote, its own variables that changed,
/// what it printed, and else what it read.
fn effect(trace: &Trace, step: &TraceStep, before: &Values) -> String {
    let own = format!("{}.", trace.lane_title(step));
    let (mut parts, mut locals) = (Vec::new(), Vec::new());
    for (name, after) in &step.set {
        let old = before.get(name);
        if after.is_null() || (old.is_none() && name.contains('.')) {
            // A process came or went.
            continue;
        }
        match name.strip_prefix(&own) {
            Some(_) if old == Some(after) => {}
            Some(name) => locals.push(change(name, old, after)),
            None => parts.push(change(name, old, after)),
        }
    }
    if let Some(msg) = step.msg.as_ref().filter(|msg| parts.is_empty() || msg.rendezvous) {
        let payload = msg.payload.iter().map(value).collect::<Vec<_>>().join(", ");
        parts.insert(0, format!("{}: {payload}", msg.channel));
    }
    let shared = !parts.is_empty();
    parts.extend(locals);
    if step.role == Some(Role::Failure) {
        let values: Vec<String> =
            step.reads.iter().map(|(name, v)| format!("{name} = {}", value(v))).collect();
        if !values.is_empty() {
            parts.push(values.join(", "));
        }
    } else if !shared {
        let reads: Vec<String> = step
            .reads
            .iter()
            .filter(|(name, v)| !step.text.contains(&format!("{name} == {}", value(v))))
            .map(|(name, v)| format!("{name} = {}", value(v)))
            .collect();
        if !reads.is_empty() {
            parts.insert(0, format!("reads {}", reads.join(", ")));
        }
    }
    if !step.output.is_empty() {
        parts.push(format!("prints {}", Value::from(step.output.as_str())));
    }
    parts.join("; ")
}

fn change(name: &str, before: Option<&Value>, after: &Value) -> String {
    match before {
        Some(before) => format!("{name}: {} -> {}", value(before), value(after)),
        None => format!("{name} = {}", value(after)),
    }
}

/// A value as people read it.
pub fn value(value: &Value) -> String {
    match value {
        Value::String(word) => word.clone(),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(self::value).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}
