//! Notifications that do not wake who waits.

use crate::{Explanation, Trace, TraceStep};

/// What a process does in a step: `notifies LOCK, nobody waits`.
const UNHEARD: (&str, &str) = ("notifies ", ", nobody waits");
/// `notifies one of several on LOCK`
const HALF_HEARD: (&str, &str) = ("notifies one of several on ", "");

/// Notifications of which is asked whether they would have been heard.
const TRIALS: usize = 8;

/// What a deed of this form is about.
fn about<'a>(deed: &'a str, (head, tail): (&str, &str)) -> Option<&'a str> {
    deed.strip_prefix(head)?.strip_suffix(tail)
}

/// What a process waits on for ever: the position of the step in which it began, and the object.
fn waits_for_ever(trace: &Trace) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for lane in trace.end.blocked.iter().filter(|lane| !lane.valid_end) {
        let own = |step: &TraceStep| trace.lane_title(step) == lane.process;
        let Some(last) = trace.steps.iter().rposition(own) else { continue };
        let deeds = trace.steps[last].deeds.iter();
        if let Some(object) = deeds.filter_map(|deed| deed.strip_prefix("waits on ")).next_back() {
            found.push((last, object.to_owned()));
        }
    }
    found
}

/// What the last of some steps does when they are taken in this order; nothing if they are not possible.
pub(crate) type Deeds<'a> = &'a dyn Fn(&[usize]) -> Vec<String>;

/// A process that waits for a notification that came before it waited. That it would have been woken is asked of
/// the semantics: its steps are moved to just before the notification.
pub(crate) fn missed_signal(trace: &Trace, deeds: Deeds<'_>) -> Option<Explanation> {
    if trace.end.reason != "deadlock" {
        return None;
    }
    waits_for_ever(trace).into_iter().find_map(|(wait, object)| {
        let me = trace.lane_title(&trace.steps[wait]);
        let unheard = |at: &usize| {
            let step = &trace.steps[*at];
            trace.lane_title(step) != me
                && step.deeds.iter().any(|deed| about(deed, UNHEARD) == Some(&object))
        };
        let wakes = format!("wakes {me}");
        let signal = (0..wait).rev().filter(unheard).take(TRIALS).find(|&signal| {
            // Whoever notifies has the lock, so the wait comes before that was taken.
            let notifier = trace.steps[signal].lane;
            let takes = |at: &usize| {
                let step = &trace.steps[*at];
                step.lane == notifier && step.takes.contains(&object)
            };
            let from = (0..=signal).rev().find(takes).unwrap_or(signal);
            let own = |at: &usize| trace.lane_title(&trace.steps[*at]) == me;
            let mine = (from..=wait).filter(own);
            let others = (from..=signal).filter(|at| !own(at));
            let order: Vec<usize> = (0..from).chain(mine).chain(others).collect();
            deeds(&order).contains(&wakes)
        })?;
        let (step, waits) = (&trace.steps[signal], &trace.steps[wait]);
        let other = trace.lane_title(step);
        let text = format!(
            "a missed signal: {other} notified {object} at step {}, when nobody waited; {me} began to \
             wait for it at step {}, and nobody is left who would notify it",
            step.i, waits.i
        );
        Some(Explanation {
            kind: "missed-signal".to_owned(),
            steps: vec![step.i, waits.i],
            variable: None,
            processes: vec![other, me],
            text,
        })
    })
}

/// `notify` where several wait: one of them was woken, and others wait for ever.
pub(crate) fn too_few_notified(trace: &Trace) -> Option<Explanation> {
    if trace.end.reason != "deadlock" {
        return None;
    }
    let waiting = waits_for_ever(trace);
    let at = trace.steps.iter().rposition(|step| {
        step.deeds.iter().any(|deed| {
            let object = about(deed, HALF_HEARD);
            object.is_some_and(|object| waiting.iter().any(|(_, known)| known == object))
        })
    })?;
    let step = &trace.steps[at];
    let object = step.deeds.iter().find_map(|deed| about(deed, HALF_HEARD))?;
    // One of those who were not chosen must be among those who are left.
    let (wait, _) = waiting.iter().find(|(wait, known)| known == object && *wait < at)?;
    let left = trace.lane_title(&trace.steps[*wait]);
    let woken = step.deeds.iter().find_map(|deed| deed.strip_prefix("wakes "));
    let woken = woken.map(|name| format!(", and {name} was woken")).unwrap_or_default();
    let text = format!(
        "notify instead of notifyAll: {} notified one of several at step {}{woken}; {left} waits since step {} \
         and is left",
        trace.lane_title(step),
        step.i,
        trace.steps[*wait].i
    );
    Some(Explanation {
        kind: "notify-one".to_owned(),
        steps: vec![trace.steps[*wait].i, step.i],
        variable: None,
        processes: vec![trace.lane_title(step), left],
        text,
    })
}
