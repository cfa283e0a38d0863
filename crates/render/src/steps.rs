//! A trace as a list: one line a step, each with its place in full.

use std::fmt::Write;

use everypath_verdict::{Role, Trace, TraceStep, Values, apply, value_text};

use super::effect::effect;
use super::style::{Paint, Style, columns, pad};
use super::table::{MAX_ROWS, Watched};
use super::wrap::wrapped;

/// A column is not made wider than this.
const WIDEST: usize = 40;

/// Appends the list of the steps to keep; `all` shows every step and all values after it.
pub fn render(
    out: &mut String,
    style: &Style,
    trace: &Trace,
    keep: &dyn Fn(&TraceStep) -> bool,
    watches: &[Watched],
    all: bool,
) {
    let kept: Vec<&TraceStep> = trace.steps.iter().filter(|step| keep(step)).collect();
    let cut =
        (!all && kept.len() > MAX_ROWS).then(|| (MAX_ROWS / 3, kept.len() - MAX_ROWS * 2 / 3));
    let shown = |i: usize| cut.is_none_or(|(head, tail)| i < head || i >= tail);
    let lane = |step: &TraceStep| style.clip(&style.brief(&trace.lane_title(step)), WIDEST);
    let at = |step: &TraceStep| style.clip(&style.brief(&place(trace, step)), WIDEST);
    let visible = || kept.iter().enumerate().filter(|(i, _)| shown(*i)).map(|(_, step)| *step);
    let lanes = visible().map(|step| columns(&lane(step))).max().unwrap_or(0);
    let places = visible().map(|step| columns(&at(step))).max().unwrap_or(0);
    let digits = kept.last().map_or(1, |step| step.i.to_string().len());

    let mut values = trace.init.clone();
    let mut done = 0;
    for (i, step) in kept.iter().enumerate() {
        for earlier in &trace.steps[done..step.i as usize - 1] {
            apply(&mut values, earlier);
        }
        done = step.i as usize;
        if !shown(i) {
            apply(&mut values, step);
            continue;
        }
        if let Some((head, tail)) = cut.filter(|&(_, tail)| i == tail) {
            let _ = writeln!(out, "  ... {} steps left out; --full shows all", tail - head);
        }
        let failed = if step.role == Some(Role::Failure) { "  FAILED" } else { "" };
        let line = format!(
            "  {:>digits$}  {}  {}  {}{failed}",
            step.i,
            pad(&lane(step), lanes),
            pad(&at(step), places),
            style.brief(&step.text)
        );
        let mut words = vec![effect(trace, step, &values)];
        for watch in watches {
            let now = watch.values.get(step.i as usize).map_or("", |text| text);
            words.push(format!("{} = {now}", watch.title));
        }
        words.retain(|word| !word.is_empty());
        let effect = style.brief(&words.join("; ")).into_owned();
        let gap = if effect.is_empty() { "" } else { "  " };
        let whole = format!("{line}{gap}{}", style.paint(Paint::Faint, &effect));
        if columns(&line) + 2 + columns(&effect) <= style.width {
            let _ = writeln!(out, "{whole}");
        } else {
            let _ = writeln!(out, "{}", style.clip(&line, style.width));
            let indent = " ".repeat(digits + 4);
            let effect = style.clip(&effect, style.width - indent.len());
            let _ = writeln!(out, "{indent}{}", style.paint(Paint::Faint, &effect));
        }
        apply(&mut values, step);
        if all {
            wrapped(out, style, &format!("  {}", listed(&values)));
        }
    }
}

/// `n = 1, done = 2`
pub fn listed(values: &Values) -> String {
    values
        .iter()
        .map(|(name, v)| format!("{name} = {}", value_text(v)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// `counter.pml:19:5`
pub fn place(trace: &Trace, step: &TraceStep) -> String {
    let path = trace.model.sources.get(step.span.file as usize).map_or("", |s| s.path.as_str());
    format!("{path}:{}:{}", step.span.start.0, step.span.start.1)
}
