//! Why a cycle goes on for ever: who could move in it and does not, and what is never chosen.

use std::collections::{BTreeMap, BTreeSet};

use everypath_model::{Describe, MicroStep, Sources, Successors};

use crate::{Explanation, Place, Trace};

/// States of a cycle above which nothing is said: every one of them is expanded.
const MOST_STATES: usize = 256;
/// Remarks of each kind.
const MOST_REMARKS: usize = 3;

/// What a process could do in a cycle.
#[derive(Default)]
struct Could {
    /// In how many of its states it could move.
    times: usize,
    /// What it could do there and is done nowhere in the cycle: statements with their places, once each.
    left_out: Vec<(Place, String)>,
}

/// What keeps a run in its cycle, which begins after `stem` of its steps.
pub(crate) fn causes<S: Describe>(
    system: &S,
    initial: &[u32],
    steps: &[MicroStep],
    stem: usize,
    (trace, sources): (&Trace, &Sources),
) -> Vec<Explanation> {
    let start = stem.checked_sub(1).map_or(initial, |at| &steps[at].state);
    // Nobody else can come in between the statements of an indivisible sequence.
    let inner = steps[stem..].iter().filter(|step| !step.atomic).map(|step| &step.state[..]);
    let mut states: Vec<&[u32]> = std::iter::once(start).chain(inner).collect();
    states.pop();
    if states.is_empty() || states.len() > MOST_STATES {
        return Vec::new();
    }
    let taken: BTreeSet<(u32, u32)> =
        steps[stem..].iter().map(|step| (step.action.process, step.action.transition)).collect();
    let movers: BTreeSet<&str> = steps[stem..].iter().map(|step| step.process.as_str()).collect();
    let mut could: BTreeMap<String, Could> = BTreeMap::new();
    let mut worker = system.worker();
    let mut out = Successors::new();
    for state in &states {
        out.clear();
        if system.successors(&mut worker, state, &mut out).is_err() {
            return Vec::new();
        }
        let mut here: BTreeSet<String> = BTreeSet::new();
        for step in out.steps().iter().filter(|step| !step.fatal) {
            let Some(&action) = out.actions(step).first() else { continue };
            let name = system.process_of(state, action);
            let one = could.entry(name.clone()).or_default();
            if !taken.contains(&(action.process, action.transition)) {
                let info = system.action(action.transition);
                let statement = (Place::of(sources, info.span), info.text);
                if !one.left_out.contains(&statement) {
                    one.left_out.push(statement);
                }
            }
            here.insert(name);
        }
        for name in here {
            could.entry(name).or_default().times += 1;
        }
    }
    let all = states.len();
    let statements = |one: &Could| {
        let list: Vec<String> = one
            .left_out
            .iter()
            .take(MOST_REMARKS)
            .map(|(place, text)| trace.statement(*place, text))
            .collect();
        list.join(" or ")
    };
    let remark = |kind: &str, name: &str, text: String| Explanation {
        kind: kind.to_owned(),
        steps: Vec::new(),
        variable: None,
        processes: vec![name.to_owned()],
        text,
    };
    let starved = could.iter().filter(|(name, _)| !movers.contains(name.as_str()));
    let starved = starved.filter(|(name, _)| !name.is_empty()).map(|(name, one)| {
        let (when, fairness) = match one.times == all {
            true => ("all the time", "weak"),
            false => ("again and again", "strong"),
        };
        let text = format!(
            "{name} never moves in the cycle although it could {when} ({}): {fairness} fairness rules that out",
            statements(one)
        );
        remark("starved", name, text)
    });
    let chosen = could
        .iter()
        .filter(|(name, one)| movers.contains(name.as_str()) && !one.left_out.is_empty());
    let chosen = chosen.map(|(name, one)| {
        let text =
            format!("{name} never chooses {} in the cycle, although it could", statements(one));
        remark("choice", name, text)
    });
    starved.take(MOST_REMARKS).chain(chosen.take(MOST_REMARKS)).collect()
}
