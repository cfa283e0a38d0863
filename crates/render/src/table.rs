//! The interleaving table: one column a process, one row a statement.

use std::collections::BTreeMap;
use std::fmt::Write;

use everypath_verdict::{Role, Trace, TraceStep, Values, apply};

use super::effect::effect;
use super::fold::{Fold, folds, without_library};
use super::style::{Paint, Style, columns, pad, take_columns};
use super::wrap::wrapped;

/// A longer trace is cut in the middle.
pub const MAX_ROWS: usize = 60;
/// Rows at the start of a cut trace.
const HEAD: usize = 20;
/// Rows at the end of a cut trace.
const TAIL: usize = 30;
/// Rounds are not looked for in longer traces.
const MOST_FOLDED: usize = 20_000;
/// A column for a process is not made narrower than this.
const MIN_LANE: usize = 12;
/// The column for effects is not made narrower than this.
const MIN_EFFECT: usize = 14;
/// The column for a watched expression is not made narrower than this.
const MIN_WATCH: usize = 6;

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
    /// The values of watched expressions after it.
    watched: Vec<String>,
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

/// What a table shows of a trace.
pub struct View<'a> {
    /// Every row of a long trace.
    pub all: bool,
    /// Which steps; the columns of processes without any are left out. `None` for all of them.
    pub keep: Option<&'a dyn Fn(&TraceStep) -> bool>,
    /// Further columns.
    pub watches: &'a [Watched],
    /// The option that shows every row.
    pub more: &'a str,
}

/// A column with the value of an expression after each step.
pub struct Watched {
    /// The expression.
    pub title: String,
    /// Its values, the initial one first.
    pub values: Vec<String>,
}

/// Appends the table of a trace.
pub fn table_of(out: &mut String, style: &Style, trace: &Trace, view: &View<'_>) {
    let kept: Vec<usize> = (0..trace.steps.len())
        .filter(|&i| view.keep.is_none_or(|keep| keep(&trace.steps[i])))
        .collect();
    let (chosen, notes) = chosen(style, trace, view, &kept);
    // The column of each lane.
    let lanes: Vec<usize> = (0..trace.lanes.len())
        .filter(|&lane| {
            view.keep.is_none() || kept.iter().any(|&i| trace.steps[i].lane as usize == lane)
        })
        .collect();
    let mut rows = rows(style, trace, &chosen, view);
    for row in &mut rows {
        row.lane = lanes.binary_search(&row.lane).unwrap_or(0);
    }
    let shown: Vec<&Row> = rows.iter().collect();
    let titles: Vec<String> =
        lanes.iter().map(|&lane| style.brief(&trace.lanes[lane].title()).into_owned()).collect();
    let watches: Vec<String> =
        view.watches.iter().map(|watch| style.brief(&watch.title).into_owned()).collect();
    let grid = Grid::fit(style, titles, &watches, &shown);

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

    let width: usize = grid.step + grid.widths.iter().map(|width| width + 3).sum::<usize>();
    let mut inside = false;
    for (i, row) in shown.iter().enumerate() {
        if let Some(note) = notes.get(&i) {
            note_line(out, grid.step, note);
        }
        if let Some(start) = trace.loop_start.filter(|&start| !inside && row.number > start) {
            inside = true;
            let (from, to) = (start + 1, trace.steps.len());
            rule_with(out, style, width, &format!("repeats for ever: steps {from}-{to}"));
        }
        let marker = if row.cause { ">" } else { " " };
        let number = format!("{marker} {:>width$}", row.number, width = grid.digits);
        let gutter = row.atomic.map_or(" ", |atomic| atomic.glyph(style));
        let mut cells = grid.cells(style, row);
        let mut rest = Vec::new();
        if let (true, Some(last)) = (view.all, cells.last_mut()) {
            rest = grid.pieces(row);
            *last = rest.remove(0);
        }
        line(out, gutter, &pad(&number, grid.step), &cells);
        for piece in rest {
            let mut cells: Vec<String> =
                grid.widths.iter().map(|&width| " ".repeat(width)).collect();
            if let Some(last) = cells.last_mut() {
                *last = piece;
            }
            line(out, " ", &" ".repeat(grid.step), &cells);
        }
    }
    if let Some(note) = notes.get(&shown.len()) {
        note_line(out, grid.step, note);
    }
    if let (Some(start), true) = (trace.loop_start, inside) {
        let end = trace.steps.len();
        let same = format!("the state after step {end} is the state after step {start}");
        rule_with(out, style, width, &same);
    }
    if shown.iter().any(|row| row.atomic.is_some()) {
        wrapped(out, style, "(nobody can come between steps that are joined at the left)");
    }
}

/// What stands in place of rows, by the position of the row before which it stands.
type Notes = BTreeMap<usize, String>;

fn note_line(out: &mut String, step: usize, note: &str) {
    let _ = writeln!(out, "  {:>step$} | {note}", "...");
}

/// The steps that get a row, and what is said in place of the others: rounds that repeat themselves
/// are shown once, and of what is still too long the middle is left out.
fn chosen(style: &Style, trace: &Trace, view: &View<'_>, kept: &[usize]) -> (Vec<usize>, Notes) {
    let mut notes = Notes::new();
    if view.all {
        return (kept.to_vec(), notes);
    }
    let (kept, hidden) = without_library(trace, kept);
    let kept = &kept[..];
    let mut chosen: Vec<usize> = Vec::new();
    let mut next = 0;
    for fold in found_folds(style, trace, view, kept) {
        let Fold { start, length, times } = fold;
        chosen.extend(&kept[next..start + length]);
        next = start + length * (times + 1);
        let number = |at: usize| trace.steps[kept[at]].i;
        let (from, to) = (number(start + length), number(next - 1));
        let what = match length {
            1 => "the same step".to_owned(),
            _ => format!("the same {length} steps"),
        };
        let often = if times == 1 { "once more".to_owned() } else { format!("{times} more times") };
        notes.insert(chosen.len(), format!("steps {from}-{to}: {what} {often}"));
    }
    chosen.extend(&kept[next..]);
    for (at, step) in chosen.iter().enumerate() {
        if let Some((from, to)) = hidden.get(step)
            && !notes.contains_key(&(at + 1))
        {
            let steps =
                if from == to { format!("step {from}") } else { format!("steps {from}-{to}") };
            notes.insert(at + 1, format!("{steps}: still inside of the library"));
        }
    }
    if chosen.len() > MAX_ROWS {
        let tail = chosen.len() - TAIL;
        let left_out = kept.partition_point(|&i| i < chosen[tail])
            - kept.partition_point(|&i| i <= chosen[HEAD - 1]);
        chosen.drain(HEAD..tail);
        let moved = notes.split_off(&(HEAD + 1)).into_iter();
        let moved: Notes =
            moved.filter(|(at, _)| *at > tail).map(|(at, note)| (at - tail + HEAD, note)).collect();
        notes.retain(|at, _| *at < HEAD);
        notes.extend(moved);
        notes.insert(HEAD, format!("{left_out} steps left out; {} shows all of them", view.more));
    }
    (chosen, notes)
}

fn found_folds(style: &Style, trace: &Trace, view: &View<'_>, kept: &[usize]) -> Vec<Fold> {
    if trace.loop_start.is_some() || kept.len() > MOST_FOLDED || !view.watches.is_empty() {
        return Vec::new();
    }
    let rows = rows(style, trace, kept, view);
    let keys: Vec<_> =
        rows.iter().map(|row| (row.lane, &row.cell, &row.effect, row.atomic)).collect();
    folds(&keys, |i| trace.steps[kept[i]].role.is_some())
}

/// A rule with a text in it.
fn rule_with(out: &mut String, style: &Style, width: usize, text: &str) {
    let text = style.clip(text, width.saturating_sub(6));
    let rest = "-".repeat(width.saturating_sub(columns(&text) + 5));
    let _ = writeln!(out, "  {}", style.paint(Paint::Faint, &format!("--- {text} {rest}")));
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
    /// Number of watched expressions, whose columns stand before the last one.
    watches: usize,
}

impl Grid {
    /// The widest arrangement that fits: lanes with remarks, lanes without, narrower lanes, and at
    /// last one column for all processes.
    fn fit(style: &Style, lanes: Vec<String>, watches: &[String], rows: &[&Row]) -> Grid {
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
        let by_watch: Vec<usize> = (0..watches.len())
            .map(|i| {
                let values = rows.iter().map(|row| columns(&row.watched[i]));
                widest(&mut values.chain([columns(&watches[i])]))
            })
            .collect();
        let room =
            |columns: usize| style.width.saturating_sub(2 + step + 3 * (columns + watches.len()));

        let budget = room(lanes.len() + 1);
        let mut titles = lanes.clone();
        titles.extend(watches.iter().cloned());
        titles.push("effect".to_owned());
        for remarks in [true, false] {
            let mut widths = by_lane.clone();
            widths.extend(&by_watch);
            widths.push(effect(remarks));
            let least: Vec<usize> = (0..widths.len())
                .map(|i| {
                    let watched = (lanes.len()..lanes.len() + watches.len()).contains(&i);
                    widths[i].min(match i < lanes.len() {
                        true => MIN_LANE,
                        false if watched => MIN_WATCH,
                        false => MIN_EFFECT,
                    })
                })
                .collect();
            let fits = widths.iter().sum::<usize>() <= budget;
            if fits || (!remarks && least.iter().sum::<usize>() <= budget) {
                shrink(&mut widths, &least, budget);
                // Lanes are worth a little, but not a quarter of a statement.
                let cut = |(width, whole): (&usize, &usize)| width * 4 < whole * 3;
                if lanes.len() > 1 && widths.iter().zip(&by_lane).any(cut) {
                    break;
                }
                let watches = watches.len();
                return Grid { step, digits, titles, widths, single: None, remarks, watches };
            }
        }

        let budget = room(3);
        let process = widest(&mut lanes.iter().map(|title| columns(title))).max("process".len());
        let statement =
            widest(&mut rows.iter().map(|row| row.statement_width())).max("statement".len());
        let watched = by_watch.iter().sum::<usize>();
        let remarks = process + statement + watched + effect(true) <= budget;
        let mut widths = vec![process, statement];
        let mut least = vec![process.min(8), statement.min(16)];
        let mut titles = ["process", "statement"].map(str::to_owned).to_vec();
        least.extend(by_watch.iter().map(|&width| width.min(MIN_WATCH)));
        widths.extend(by_watch);
        titles.extend(watches.iter().cloned());
        widths.push(effect(remarks));
        least.push(effect(remarks).min(MIN_EFFECT));
        titles.push("effect".to_owned());
        shrink(&mut widths, &least, budget);
        let watches = watches.len();
        Grid { step, digits, titles, widths, single: Some(lanes), remarks, watches }
    }

    /// What a step did, in pieces that fit into the last column; one at least.
    fn pieces(&self, row: &Row) -> Vec<String> {
        let width = self.widths.last().copied().unwrap_or(MIN_EFFECT);
        let (mut pieces, mut piece) = (Vec::new(), String::new());
        for mut word in row.effect(self.remarks).split(' ') {
            if !piece.is_empty() && columns(&piece) + 1 + columns(word) > width {
                pieces.push(std::mem::take(&mut piece));
            } else if !piece.is_empty() {
                piece.push(' ');
            }
            // A word that is longer than the column goes on in the next line.
            while columns(word) > width {
                let fits = take_columns(word, width.max(2));
                pieces.push(fits.to_owned());
                word = &word[fits.len()..];
            }
            piece += word;
        }
        pieces.push(piece);
        pieces
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
        let fitted = |text: &str, width: usize| pad(&style.clip(text, width), width);
        let first_watch = last - self.watches;
        let mut cells = match &self.single {
            Some(titles) => vec![fitted(&titles[row.lane], self.widths[0]), statement(1)],
            None => {
                let mut cells: Vec<String> =
                    self.widths[..first_watch].iter().map(|&width| " ".repeat(width)).collect();
                cells[row.lane] = statement(row.lane);
                cells
            }
        };
        let watched = row.watched.iter().zip(&self.widths[first_watch..last]);
        cells.extend(watched.map(|(value, &width)| fitted(value, width)));
        cells.push(fitted(&row.effect(self.remarks), self.widths[last]));
        cells
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

/// The rows of some steps, by index and in order; what they did in full if the view wants all.
fn rows(style: &Style, trace: &Trace, chosen: &[usize], view: &View<'_>) -> Vec<Row> {
    let did = |step: &TraceStep, values: &Values| {
        let effect = effect(trace, step, values);
        if view.all { style.clean(&effect).into_owned() } else { style.brief(&effect).into_owned() }
    };
    let mut values = trace.init.clone();
    let mut rows = Vec::with_capacity(chosen.len());
    let mut in_atomic = false;
    let mut next = chosen.iter().peekable();
    for (index, step) in trace.steps.iter().enumerate() {
        if next.next_if_eq(&&index).is_none() {
            in_atomic = step.atomic;
            apply(&mut values, step);
            continue;
        }
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
            cell: trace.statement(step.span, &style.brief(text)),
            failed,
            effect: did(step, &values),
            remark: remark(trace, step),
            watched: view
                .watches
                .iter()
                .map(|watch| {
                    style.brief(watch.values.get(index + 1).map_or("", |v| v)).into_owned()
                })
                .collect(),
        });
        in_atomic = step.atomic;
        apply(&mut values, step);
    }
    rows
}

fn remark(trace: &Trace, step: &TraceStep) -> String {
    trace
        .explain
        .iter()
        .filter(|why| why.steps.last() == Some(&step.i))
        .filter_map(|why| match (why.kind.as_str(), why.steps.as_slice()) {
            ("lost-update", [_, lost, _]) | ("overwritten", [lost, _]) => {
                Some(format!("overwrites step {lost}"))
            }
            ("stranded-message", _) => Some("never received".to_owned()),
            ("check-then-act", [check, ..]) => Some(format!("check of step {check} is outdated")),
            _ => None,
        })
        .collect::<Vec<_>>()
        .join(", ")
}
