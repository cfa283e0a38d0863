//! What stands below the table of a trace: who waits for what, who interfered, who wrote what.

use std::fmt::Write;

use everypath_verdict::{BlockedLane, BlockedNeed, Trace, value_text};

use super::style::Style;
use super::units::plural;
use super::wrap::{indented, wrapped};

/// Statements that a process is said to wait at before the rest is counted only.
const MAX_STATEMENTS: usize = 10;

/// Frames of a stack trace before the rest is counted only.
const MOST_FRAMES: usize = 12;

/// Appends who waits, and why things went wrong.
pub fn reasons(out: &mut String, style: &Style, trace: &Trace) {
    for blocked in &trace.end.blocked {
        let (line, choices) = waits(trace, blocked);
        wrapped(out, style, &line);
        for choice in &choices {
            indented(out, style, 4, choice);
        }
    }
    for why in &trace.explain {
        let label = match why.kind.as_str() {
            "wait-cycle" => "circle",
            kind @ ("fairness" | "events") => {
                wrapped(out, style, &format!("{kind}: {}", why.text));
                continue;
            }
            _ => "why",
        };
        wrapped(out, style, &format!("{label}: {}.", why.text));
    }
    last_writes(out, style, trace);
    let failed = trace.steps.iter().rev().find_map(|step| step.fault.as_ref());
    // Lines between the frames say whose they are.
    let is_frame = |line: &String| line.starts_with("at ");
    let stack = failed.map_or(&[][..], |fault| &fault.stack);
    for part in stack.chunk_by(|_, next| is_frame(next)) {
        for (i, line) in part.iter().enumerate() {
            if i > MOST_FRAMES {
                let _ = writeln!(out, "      ... {} more", part.len() - i);
                break;
            }
            let indent = if is_frame(line) { 6 } else { 2 };
            let text = style.clip(&style.clean(line), style.width.saturating_sub(indent));
            let _ = writeln!(out, "{}{text}", " ".repeat(indent));
        }
    }
}

/// Who wrote the values that violate a condition, unless a remark told it already.
fn last_writes(out: &mut String, style: &Style, trace: &Trace) {
    let told = |name: &String| trace.explain.iter().any(|why| why.variable.as_ref() == Some(name));
    let parts = trace.end.parts.iter().filter(|part| !told(&part.name));
    let lines: Vec<String> = parts
        .map(|part| {
            let value = value_text(&part.value);
            let step = part.step.and_then(|number| trace.steps.get(number as usize - 1));
            match step {
                Some(step) => format!(
                    "{} = {value}, last written at step {} by {}",
                    part.name,
                    step.i,
                    trace.lane_title(step)
                ),
                None => format!("{} = {value}, still its initial value", part.name),
            }
        })
        .collect();
    if !lines.is_empty() && !trace.steps.is_empty() {
        wrapped(out, style, &format!("values: {}", lines.join("; ")));
    }
}

/// What one process waits for: a line, and more lines below it if it has a choice.
fn waits(trace: &Trace, lane: &BlockedLane) -> (String, Vec<String>) {
    let process = &lane.process;
    let statement = |span, text: &str| trace.statement(span, text);
    if lane.valid_end {
        let at: Vec<String> = lane
            .at
            .iter()
            .take(MAX_STATEMENTS)
            .map(|at| statement(at.span, &at.text))
            .chain(more(lane.at.len()))
            .collect();
        return match at.is_empty() {
            true => (format!("{process} has ended"), Vec::new()),
            false => (format!("{process} rests at {} (a valid end)", at.join(" or ")), Vec::new()),
        };
    }
    let place = |need: &BlockedNeed| match need.obstacle.as_str() {
        // The clause is not a statement that it waits at.
        "provided" => trace.line(need.span),
        _ => statement(need.span, &need.text),
    };
    let reason = |need: &BlockedNeed| {
        let parts = [need.why.as_str(), need.who.as_str()].into_iter();
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        if parts.is_empty() { String::new() } else { format!(" - {}", parts.join(", ")) }
    };
    match lane.needs.as_slice() {
        [] if lane.at.is_empty() && lane.why.is_empty() => (format!("{process} waits"), Vec::new()),
        [] => {
            let at: Vec<String> = lane.at.iter().map(|at| statement(at.span, &at.text)).collect();
            let at = if at.is_empty() { at.join("") } else { format!(" at {}", at.join(" or ")) };
            let why = if lane.why.is_empty() { "" } else { " - " };
            (format!("{process} waits{at}{why}{}", lane.why), Vec::new())
        }
        needs => {
            let shown = &needs[..needs.len().min(MAX_STATEMENTS)];
            let left_out = more(lane.at.len().max(needs.len()));
            let same = reason(&shown[0]);
            if shown.iter().all(|need| reason(need) == same) {
                let places = shown.iter().map(place).chain(left_out).collect::<Vec<_>>();
                return (format!("{process} waits at {}{same}", places.join(" or ")), Vec::new());
            }
            let lines = shown.iter().map(|need| format!("{}{}", place(need), reason(need)));
            let lines = lines.chain(left_out).collect();
            (format!("{process} waits for one of these:"), lines)
        }
    }
}

/// How many statements were left out.
fn more(all: usize) -> Option<String> {
    let more = all.saturating_sub(MAX_STATEMENTS) as u64;
    (more > 0).then(|| plural(more, "more statement", "more statements"))
}
