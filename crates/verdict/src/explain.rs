//! What is remarkable about a run.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::aba::aba;
use crate::hazards::{check_then_act, lost_messages, lost_update, overwritten};
use crate::raced::race_pattern;
use crate::signals::too_few_notified;
use crate::timed::timed_wait;
use crate::waits::wait_cycle;
use crate::{Motion, Part, Role, Trace, TraceStep};

/// How many writes are followed backwards from what a property reads.
const DEPTH: usize = 4;

/// One remark about a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// `lost-update`, `check-then-act`, `overwritten`, `lost-message`, `stranded-message`, `wait-cycle`,
    /// `missed-signal`, `notify-one`, `timed-wait`, `double-checked-locking`, `lazy-initialisation`, `early-publication`,
    /// `publication`, `different-locks`, `half-locked`, `aba`, `cycle`, `starved`, `choice`, `fairness`
    pub kind: String,
    /// The steps it speaks of, in order.
    pub steps: Vec<u64>,
    /// The variable it speaks of.
    pub variable: Option<String>,
    /// The processes it speaks of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<String>,
    /// One sentence.
    pub text: String,
}

/// Whether the steps of a run are possible in another order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Possible {
    /// They are.
    Yes,
    /// The one at this position is not.
    NotAt(usize),
    /// That cannot be told.
    Unknown,
}

/// Asks the reference semantics whether steps (by index) are possible in this order.
pub(crate) type Reorder<'a> = &'a dyn Fn(&[usize]) -> Possible;

/// Finds the remarks and marks the steps that they speak of as causes.
///
/// Only what matters to the violated property is said: remarks about variables that it reads, that
/// a blocked condition reads, or that those were computed from.
pub(crate) fn explain(trace: &mut Trace, reorder: Reorder<'_>) {
    let roots = roots(trace);
    trace.end.parts = match trace.end.reason.as_str() {
        "deadlock" => Vec::new(),
        _ => std::mem::take(&mut trace.end.parts)
            .into_iter()
            .map(|part| with_last_write(trace, part))
            .collect(),
    };
    let matters = sources_of(trace, &roots);
    let mut found: Vec<Explanation> = Vec::new();
    for variable in roots.iter().chain(matters.difference(&roots)) {
        found.extend(lost_update(trace, variable));
    }
    found.dedup();
    if found.is_empty() {
        found.extend(check_then_act(trace, &matters, reorder));
    }
    for variable in &roots {
        if !found.iter().any(|known| known.variable.as_ref() == Some(variable)) {
            found.extend(overwritten(trace, variable));
        }
    }
    found.extend(aba(trace));
    found.extend(race_pattern(trace));
    found.extend(too_few_notified(trace));
    found.extend(timed_wait(trace));
    found.extend(lost_messages(trace));
    found.extend(wait_cycle(trace));
    for explanation in trace.explain.iter().chain(&found) {
        for &number in &explanation.steps {
            let step = &mut trace.steps[number as usize - 1];
            step.role.get_or_insert(Role::Cause);
        }
    }
    trace.explain.extend(found);
}

fn with_last_write(trace: &Trace, part: Part) -> Part {
    let step = trace.last_write(&part.name, trace.steps.len());
    Part { step: step.map(|at| trace.steps[at].i), ..part }
}

/// The variables that the violated property reads, or that blocked conditions wait for.
fn roots(trace: &Trace) -> BTreeSet<String> {
    let mut roots: BTreeSet<String> =
        trace.end.parts.iter().map(|part| part.name.clone()).collect();
    for lane in trace.end.blocked.iter().filter(|lane| !lane.valid_end) {
        for name in lane.needs.iter().flat_map(|need| need.values.keys()) {
            let own = format!("{}.{name}", lane.process);
            roots.extend([name.clone(), own].into_iter().find(|n| trace.init.contains_key(n)));
        }
    }
    if roots.is_empty()
        && let Some(step) = trace.steps.last().filter(|step| step.role == Some(Role::Failure))
    {
        roots.extend(read_by(step).cloned());
        if roots.is_empty() {
            // What fails is what follows from the last thing that others can see.
            roots.extend(step.set.keys().filter(|name| trace.init.contains_key(*name)).cloned());
        }
    }
    roots
}

fn read_by(step: &TraceStep) -> impl Iterator<Item = &String> {
    step.reads.keys().chain(&step.uses)
}

/// The variables that the last values of some variables were computed from, themselves included.
fn sources_of(trace: &Trace, roots: &BTreeSet<String>) -> BTreeSet<String> {
    let mut all = roots.clone();
    let mut open: Vec<(String, usize, usize)> =
        roots.iter().map(|name| (name.clone(), trace.steps.len(), 0)).collect();
    while let Some((name, end, depth)) = open.pop() {
        let Some(write) = trace.last_write(&name, end).filter(|_| depth < DEPTH) else { continue };
        let step = &trace.steps[write];
        let sent = step.msg.as_ref().filter(|msg| msg.motion != Motion::Send);
        let sent = sent.and_then(|msg| msg.sender).map(|number| number as usize - 1);
        for at in [Some(write), sent].into_iter().flatten() {
            for read in read_by(&trace.steps[at]) {
                if all.insert(read.clone()) {
                    open.push((read.clone(), at, depth + 1));
                }
            }
        }
    }
    all
}
