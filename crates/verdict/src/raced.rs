//! What kind of mistake a data race is, as far as its two accesses show it.

use crate::{Explanation, Trace, TraceStep};

/// The method of a step, without its line.
fn method(step: &TraceStep) -> Option<&str> {
    let call = step.stack.iter().rev().find(|call| !call.starts_with("java."))?;
    Some(call.split('(').next().unwrap_or(call))
}

fn line(trace: &Trace, step: &TraceStep) -> String {
    let place = trace.line(step.span);
    if place.contains(':') { place } else { format!("line {place}") }
}

/// The locks that a process has before a step.
fn held(trace: &Trace, at: usize) -> &[String] {
    let lane = trace.steps[at].lane;
    let before = trace.steps[..at].iter().rev().find(|step| step.lane == lane);
    before.map_or(&[], |step| &step.holds)
}

/// What the last two steps of a trace are, which race.
pub(crate) fn race_pattern(trace: &Trace) -> Option<Explanation> {
    if trace.end.reason != "race" || trace.steps.len() < 2 {
        return None;
    }
    let at = trace.steps.len() - 2;
    let (one, two) = (&trace.steps[at], &trace.steps[at + 1]);
    let locks = (held(trace, at), held(trace, at + 1));
    let variable = [one, two].iter().find_map(|step| {
        let mut names = step.reads.keys().chain(step.set.keys());
        names.find(|name| name.contains('.') || name.contains('[')).cloned()
    })?;
    let (writer, reader) =
        match (one.reads.contains_key(&variable), two.reads.contains_key(&variable)) {
            (true, false) => (Some(two), Some(one)),
            (false, true) => (Some(one), Some(two)),
            _ => (None, None),
        };
    let names = (trace.lane_title(one), trace.lane_title(two));
    let told = |kind: &str, text: String| {
        Some(Explanation {
            kind: kind.to_owned(),
            steps: vec![one.i, two.i],
            variable: Some(variable.clone()),
            processes: vec![names.0.clone(), names.1.clone()],
            text,
        })
    };
    if let (Some(writer), Some(reader)) = (writer, reader) {
        let writer_locks = if writer.i == one.i { locks.0 } else { locks.1 };
        let constructs = writer.stack.iter().rev().take(2).any(|call| call.contains(".<init>("));
        let null = ["== null", "null =="].iter().any(|test| reader.text.contains(test));
        if null && method(writer) == method(reader) && !writer_locks.is_empty() {
            let text = format!(
                "double-checked locking: {} looks at {variable} without {}, which {} has when it writes it at {}; \
                 what the object holds may not be there yet, unless the field is volatile",
                trace.lane_title(reader),
                writer_locks.join(" and "),
                trace.lane_title(writer),
                line(trace, writer),
            );
            return told("double-checked-locking", text);
        }
        if null && method(writer) == method(reader) {
            let text = format!(
                "lazy initialisation without a lock: both threads may find {variable} null and make it, at {}",
                line(trace, writer),
            );
            return told("lazy-initialisation", text);
        }
        if constructs {
            let text = format!(
                "early publication: {} writes {variable} in a constructor at {}, so {} may see the object before \
                 it is complete",
                trace.lane_title(writer),
                line(trace, writer),
                trace.lane_title(reader),
            );
            return told("early-publication", text);
        }
    }
    let common = locks.0.iter().any(|lock| locks.1.contains(lock));
    match (locks.0.is_empty(), locks.1.is_empty()) {
        (false, false) if !common => {
            let text = format!(
                "different locks guard {variable}: {} has {}, {} has {}",
                names.0,
                locks.0.join(" and "),
                names.1,
                locks.1.join(" and ")
            );
            told("different-locks", text)
        }
        (false, true) | (true, false) => {
            let (with, without) =
                if locks.0.is_empty() { (&names.1, &names.0) } else { (&names.0, &names.1) };
            let lock = if locks.0.is_empty() { locks.1 } else { locks.0 };
            let text = format!(
                "{with} has {} when it accesses {variable}, and {without} does not",
                lock.join(" and ")
            );
            told("half-locked", text)
        }
        _ => None,
    }
}
