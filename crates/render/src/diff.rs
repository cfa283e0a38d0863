//! What changed between two runs, for people.

use std::fmt::Write;

use everypath_verdict::comparison::{Change, Comparison, Count, InputChange, PropertyChange};

use super::style::{Paint, Style, columns, pad};
use super::units::plural;
use super::wrap::wrapped;
use crate::units;

/// Statements and remarks that are listed before the rest is counted only.
const LISTED: usize = 10;

/// Appends the comparison; `all` also lists what is the same.
pub fn render(out: &mut String, style: &Style, comparison: &Comparison, all: bool) {
    for (i, input) in comparison.inputs.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        one(out, style, input, all);
    }
    let (paint, text) = match (comparison.exit, comparison.regressions) {
        (0, _) => (Paint::Good, "no regression".to_owned()),
        (1, n) => {
            (Paint::Bad, format!("regression: {} got worse", plural(n, "property", "properties")))
        }
        (2, _) => (Paint::Bad, "the new input has errors".to_owned()),
        _ => {
            (Paint::Warn, "inconclusive: not everything is known about the new version".to_owned())
        }
    };
    let _ = writeln!(out, "{}     (exit {})", style.paint(paint, &text), comparison.exit);
}

fn one(out: &mut String, style: &Style, input: &InputChange, all: bool) {
    let name = |name: &Option<String>| style.brief(name.as_deref().unwrap_or("")).into_owned();
    let (old, new) = (name(&input.old), name(&input.new));
    let title = match (&input.old, &input.new) {
        (None, _) => format!("{new}: not in the old run"),
        (_, None) => format!("{old}: not in the new run"),
        _ if input.unchanged => format!("{new}: the same text"),
        _ if old == new => format!("{new}: changed"),
        _ => format!("{old} -> {new}"),
    };
    let _ = writeln!(out, "{}", style.paint(Paint::Strong, &style.clip(&title, style.width)));
    properties(out, style, input, all);
    for setting in &input.settings {
        let shown = |text: &String| if text.is_empty() { "none".to_owned() } else { text.clone() };
        let (old, new) = (shown(&setting.old), shown(&setting.new));
        wrapped(out, style, &format!("setting: {} {old} -> {new}", setting.name));
    }
    counts(out, style, input);
    for trace in &input.traces {
        wrapped(out, style, &format!("old trace of {}: {}", trace.property, trace.message));
    }
    list(out, style, "unreached now", &input.unreached);
    list(out, style, "reached now", &input.reached);
    list(out, style, "new remark", &input.new_notes);
    list(out, style, "gone remark", &input.gone_notes);
}

fn properties(out: &mut String, style: &Style, input: &InputChange, all: bool) {
    let shown: Vec<&PropertyChange> =
        input.properties.iter().filter(|p| all || p.change != Change::Same).collect();
    let width = shown.iter().map(|p| p.change.as_str().len()).max().unwrap_or(0);
    for property in &shown {
        let paint = match property.change {
            Change::NewViolation => Paint::Bad,
            Change::Weaker | Change::Open | Change::Disappeared => Paint::Warn,
            Change::Fixed | Change::Proved => Paint::Good,
            Change::Appeared | Change::Same => Paint::Faint,
        };
        let word = style.paint(paint, &pad(property.change.as_str(), width));
        let verdict = match (property.verdict.old, property.verdict.new) {
            (Some(old), Some(new)) if old == new => new.to_string(),
            (Some(old), Some(new)) => format!("{old} -> {new}"),
            (Some(old), None) => format!("was {old}"),
            (None, Some(new)) => new.to_string(),
            (None, None) => String::new(),
        };
        let mut text = format!("{}  {verdict}", style.brief(&property.name));
        if let (Change::NewViolation, Some(message)) = (property.change, &property.message) {
            let _ = write!(text, ": {}", style.brief(message));
        }
        let _ = writeln!(out, "  {word}  {}", style.clip(&text, style.width - width - 4));
    }
    let same = input.properties.len() - shown.len();
    if same > 0 {
        let verb = if same == 1 { "is" } else { "are" };
        let same = plural(same as u64, "property", "properties");
        let _ = writeln!(out, "  {same} {verb} the same");
    }
}

fn counts(out: &mut String, style: &Style, input: &InputChange) {
    let both =
        |count: &Count| format!("{} -> {}", units::count(count.old), units::count(count.new));
    let width = input.stats.iter().map(|count| columns(&both(count))).max().unwrap_or(0);
    for count in &input.stats {
        let change = match (count.new.cmp(&count.old), count.percent) {
            (std::cmp::Ordering::Equal, _) => "the same".to_owned(),
            (order, percent) => {
                let sign = if order == std::cmp::Ordering::Less { '-' } else { '+' };
                let by = units::count(count.new.abs_diff(count.old));
                match percent {
                    Some(percent) => format!("{sign}{by}, {percent:+.1} %"),
                    None => format!("{sign}{by}"),
                }
            }
        };
        let line = format!("{:<11}  {}  ({change})", count.name, pad(&both(count), width));
        let _ = writeln!(out, "  {}", style.clip(&line, style.width - 2));
    }
    let complete = [("old", input.complete.old), ("new", input.complete.new)];
    for (which, _) in complete.iter().filter(|(_, complete)| *complete == Some(false)) {
        let _ = writeln!(out, "  the {which} search was incomplete, so its counts say little");
    }
}

fn list(out: &mut String, style: &Style, word: &str, items: &[String]) {
    for item in items.iter().take(LISTED) {
        let line = format!("  {word}: {}", style.brief(item));
        let _ = writeln!(out, "{}", style.clip(&line, style.width));
    }
    let more = items.len().saturating_sub(LISTED);
    if more > 0 {
        let _ = writeln!(out, "  {word}: {more} more");
    }
}
