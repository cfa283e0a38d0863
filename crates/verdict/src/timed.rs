//! Waits with a limit whose time was over: the reason of many a failure that nobody expects.

use crate::{Explanation, Role, Trace, TraceStep};

/// What a process does in a step: `Object.wait runs out after 10 s`.
const RUNS_OUT: &str = " runs out after ";
/// `Thread.sleep ends after 1 s`
const ENDS: &str = " ends after ";

/// The call and the time of a deed of this form.
fn parts<'a>(step: &'a TraceStep, word: &str) -> Option<(&'a str, &'a str)> {
    step.deeds.iter().find_map(|deed| deed.split_once(word))
}

/// The last wait of the process that fails, or of one that waits for ever, whose time was over. Without one, the
/// last that it slept while others were to do something.
pub(crate) fn timed_wait(trace: &Trace) -> Option<Explanation> {
    if trace.end.reason == "race" {
        return None;
    }
    let failed = trace.steps.last().filter(|step| step.role == Some(Role::Failure));
    let stuck = |step: &TraceStep| {
        let title = trace.lane_title(step);
        trace.end.blocked.iter().any(|lane| !lane.valid_end && lane.process == title)
    };
    let matters = |step: &TraceStep| match failed {
        Some(failed) => failed.lane == step.lane,
        None => trace.end.blocked.is_empty() || stuck(step),
    };
    let last = |word: &str| {
        let mut steps = trace.steps.iter().rev().filter(|step| matters(step));
        steps.find_map(|step| parts(step, word).map(|found| (step, found)))
    };
    // Of a deadlock, any wait that was over may be the reason.
    let any = |word: &str| {
        let deadlock = trace.end.reason == "deadlock";
        let mut steps = trace.steps.iter().rev().filter(|_| deadlock);
        steps.find_map(|step| parts(step, word).map(|found| (step, found)))
    };
    let place = |step: &TraceStep| match step.span.is_nowhere() {
        true => String::new(),
        false => format!(" at line {}", trace.line(step.span)),
    };
    let (step, text) = if let Some((step, (call, time))) = last(RUNS_OUT).or_else(|| any(RUNS_OUT))
    {
        let me = trace.lane_title(step);
        let text = format!(
            "the {time} wait of {me}{} ({call}) ran out at step {}; any timed wait may run out at any moment, whatever \
             others have done by then",
            place(step),
            step.i
        );
        (step, text)
    } else {
        let (step, (call, time)) = last(ENDS)?;
        let me = trace.lane_title(step);
        let text = format!(
            "{me} slept {time}{} ({call}), until step {}; time orders nothing, so others need not have moved meanwhile",
            place(step),
            step.i
        );
        (step, text)
    };
    Some(Explanation {
        kind: "timed-wait".to_owned(),
        steps: vec![step.i],
        variable: None,
        processes: vec![trace.lane_title(step)],
        text,
    })
}
