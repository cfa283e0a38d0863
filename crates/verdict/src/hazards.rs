//! Patterns of interference between processes. Each is claimed only where the run shows it.

use std::collections::{BTreeMap, BTreeSet};

use crate::explain::{Possible, Reorder};
use crate::{Explanation, Motion, Role, Trace, TraceStep, value_text};

/// How many copies from one variable of a process to another are followed.
const COPIES: usize = 4;
/// How many writes of a variable are followed backwards.
const WRITES: usize = 32;
/// How many orders of steps are tried to see whether a check was outdated, and how many steps these may have together.
const TRIALS: usize = 64;
const TRIED_STEPS: usize = 200_000;

/// The steps with these indices as a remark about a variable.
fn remark(trace: &Trace, kind: &str, variable: &str, steps: &[usize], text: String) -> Explanation {
    Explanation {
        kind: kind.to_owned(),
        steps: steps.iter().map(|&at| trace.steps[at].i).collect(),
        variable: Some(variable.to_owned()),
        processes: Vec::new(),
        text,
    }
}

/// The step in which a process read a shared variable, of which the value of one of its own
/// variables came, through copies.
fn loaded_at(trace: &Trace, own: &str, before: usize, shared: &str) -> Option<usize> {
    let mut open = vec![(own, before, 0)];
    let mut found = None;
    while let Some((name, end, copies)) = open.pop() {
        let Some(at) = trace.last_write(name, end) else { continue };
        let step = &trace.steps[at];
        if step.reads.contains_key(shared) {
            found = found.max(Some(at));
        } else if copies < COPIES {
            open.extend(step.uses.iter().map(|name| (name.as_str(), at, copies + 1)));
        }
    }
    found
}

/// The last step before a write in which its process read the same variable in the same method: where a
/// language has calls, values go from one to the other on a stack that nobody sees.
fn read_in_call(trace: &Trace, write: usize, variable: &str) -> Option<usize> {
    let method = |step: &TraceStep| {
        let call = step.stack.last()?;
        Some(call.split('(').next().unwrap_or(call).to_owned())
    };
    let step = &trace.steps[write];
    let wanted = method(step)?;
    let mut before = trace.steps[..write].iter().enumerate().rev();
    let (at, read) = before.find(|(_, other)| {
        other.lane == step.lane
            && (other.reads.contains_key(variable) || other.set.contains_key(variable))
    })?;
    (read.reads.contains_key(variable) && method(read) == Some(wanted)).then_some(at)
}

/// A write of a value that was computed from an earlier read, with a write of another process in
/// between, whose effect is gone: what the last value of the variable was computed from is
/// followed backwards.
pub fn lost_update(trace: &Trace, variable: &str) -> Option<Explanation> {
    let steps = &trace.steps;
    let mut end = steps.len();
    for _ in 0..WRITES {
        let write = trace.last_write(variable, end)?;
        let step = &steps[write];
        if step.reads.contains_key(variable) {
            // It reads and writes in one go.
            end = write;
            continue;
        }
        let loaded = step.uses.iter().filter_map(|own| loaded_at(trace, own, write, variable));
        let read = loaded.max().or_else(|| read_in_call(trace, write, variable))?;
        if steps[read].lane != step.lane {
            return None;
        }
        let seen = &steps[read].reads[variable];
        let between = (read + 1..write).rev().find(|&at| {
            steps[at].lane != step.lane
                && steps[at].set.get(variable).is_some_and(|value| value != seen)
        });
        if let Some(between) = between {
            let (me, other) = (trace.lane_title(step), trace.lane_title(&steps[between]));
            let [r, b, w] = [read, between, write].map(|at| steps[at].i);
            let text = format!(
                "{me} read {variable} at step {r} and wrote it at step {w}; \
                 {other} wrote {variable} in between (step {b})"
            );
            return Some(remark(trace, "lost-update", variable, &[read, between, write], text));
        }
        end = read;
    }
    None
}

/// A condition that a process found true, that another process made false, and that the process
/// acted on all the same. That it was false by then is asked of the semantics: the check is moved
/// to just before the act, and must not be possible there.
pub fn check_then_act(
    trace: &Trace,
    matters: &BTreeSet<String>,
    reorder: Reorder<'_>,
) -> Option<Explanation> {
    let steps = &trace.steps;
    let mut trials = TRIALS.min(1 + TRIED_STEPS / steps.len().max(1));
    // The step of each process that comes next, and those that lead to something that the property depends on.
    let mut next: BTreeMap<u32, usize> = BTreeMap::new();
    let mut leading: BTreeSet<u32> = BTreeSet::new();
    for check in (0..steps.len()).rev() {
        let lane = steps[check].lane;
        let Some(act) = next.insert(lane, check) else {
            if leads(&steps[check], matters) {
                leading.insert(lane);
            }
            continue;
        };
        let possible = leading.contains(&lane) && is_condition(&steps[check]);
        if leads(&steps[check], matters) {
            leading.insert(lane);
        }
        if !possible {
            continue;
        }
        for (read, variable) in checked(trace, check) {
            let seen = &steps[read].reads[&variable];
            let change = (read + 1..act).rev().find(|&at| steps[at].set.contains_key(&variable));
            let Some(change) =
                change.filter(|&at| steps[at].lane != lane && steps[at].set[&variable] != *seen)
            else {
                continue;
            };
            if trials == 0 {
                return None;
            }
            trials -= 1;
            if !outdated(trace, read, check, act, reorder) {
                continue;
            }
            let (me, other) = (trace.lane_title(&steps[check]), trace.lane_title(&steps[change]));
            let [r, c, a] = [read, change, act].map(|at| steps[at].i);
            let (old, new) = (value_text(seen), value_text(&steps[change].set[&variable]));
            let text = format!(
                "{me} found {variable} = {old} at step {r}; {other} made it {new} at step {c}, \
                 before {me} acted on what it had found (step {a})"
            );
            let remark = remark(trace, "check-then-act", &variable, &[read, change, act], text);
            return Some(remark);
        }
    }
    None
}

/// Whether a step does something that a property depends on.
fn leads(step: &TraceStep, matters: &BTreeSet<String>) -> bool {
    step.role == Some(Role::Failure) || step.set.keys().any(|name| matters.contains(name))
}

/// A statement that only looks.
fn is_condition(step: &TraceStep) -> bool {
    step.set.values().all(serde_json::Value::is_null)
        && step.msg.is_none()
        && step.role != Some(Role::Failure)
        && !(step.reads.is_empty() && step.uses.is_empty())
}

/// The shared variables that a condition depends on, with the steps in which they were read: the
/// condition itself, or the step that loaded a copy.
fn checked(trace: &Trace, check: usize) -> Vec<(usize, String)> {
    let step = &trace.steps[check];
    let mut found: Vec<(usize, String)> =
        step.reads.keys().map(|name| (check, name.clone())).collect();
    for own in &step.uses {
        let Some(load) = trace.last_write(own, check) else { continue };
        if trace.steps[load].lane == step.lane {
            found.extend(trace.steps[load].reads.keys().map(|name| (load, name.clone())));
        }
    }
    found
}

/// Whether a condition is false just before the act: the steps of the process from the read to the
/// check are moved there, and the check is what cannot be done.
fn outdated(trace: &Trace, read: usize, check: usize, act: usize, reorder: Reorder<'_>) -> bool {
    let lane = trace.steps[check].lane;
    let (own, others): (Vec<usize>, Vec<usize>) =
        (read..act).partition(|&at| trace.steps[at].lane == lane);
    let mut order: Vec<usize> = (0..read).chain(others).chain(own).collect();
    match reorder(&order) {
        Possible::NotAt(position) => order[position] == check,
        // Where a condition does not wait to be true, it leads somewhere else.
        Possible::Yes if !trace.steps[check].stack.is_empty() => {
            order.push(act);
            matches!(reorder(&order), Possible::NotAt(position) if order[position] == act)
        }
        Possible::Yes | Possible::Unknown => false,
    }
}

/// A value that another process overwrote before anybody had read it.
pub fn overwritten(trace: &Trace, variable: &str) -> Option<Explanation> {
    let steps = &trace.steps;
    let second = trace.last_write(variable, steps.len())?;
    let first = trace.last_write(variable, second)?;
    let (writer, other) = (&steps[first], &steps[second]);
    let value = writer.set.get(variable)?;
    let before = match trace.last_write(variable, first) {
        Some(at) => steps[at].set.get(variable),
        None => trace.init.get(variable),
    };
    let read = steps[first + 1..=second]
        .iter()
        .any(|step| step.lane != writer.lane && step.reads.contains_key(variable));
    let changed = before != Some(value) && other.set.get(variable) != Some(value);
    if writer.lane == other.lane || read || !changed || value.is_null() {
        return None;
    }
    // What a process takes back to how it started was no message to anybody.
    if trace.init.get(variable).is_none_or(|first| first == value) {
        return None;
    }
    let text = format!(
        "{} set {variable} to {} at step {}; {} overwrote it at step {} before anybody had read it",
        trace.lane_title(writer),
        value_text(value),
        writer.i,
        trace.lane_title(other),
        other.i
    );
    Some(remark(trace, "overwritten", variable, &[first, second], text))
}

/// Messages that a full channel swallowed, where somebody waits for a message from it.
pub fn lost_messages(trace: &Trace) -> Vec<Explanation> {
    let awaited = |channel: &String| {
        let lanes = trace.end.blocked.iter().filter(|lane| !lane.valid_end);
        let mut needs = lanes.flat_map(|lane| &lane.needs);
        needs.any(|need| {
            matches!(need.obstacle.as_str(), "empty" | "mismatch")
                && need.channel.as_ref() == Some(channel)
        })
    };
    let lost = trace.steps.iter().enumerate().filter_map(|(at, step)| {
        let msg = step.msg.as_ref()?;
        let lost = msg.lost && msg.motion == Motion::Send && awaited(&msg.channel);
        lost.then(|| {
            let payload = msg.payload.iter().map(value_text).collect::<Vec<_>>().join(", ");
            let text = format!(
                "{} sent {payload} to {} at step {}, which was full: the message is lost",
                trace.lane_title(step),
                msg.channel,
                step.i
            );
            remark(trace, "lost-message", &msg.channel, &[at], text)
        })
    });
    lost.collect()
}
