//! A trace as code flows: all steps in their order, and the same by process.

use std::collections::BTreeMap;

use everypath_verdict::{Place, Trace, TraceStep, value_text};

use super::log::{CodeFlow, FlowLocation, Location, Message, ThreadFlow};
use crate::units::plural;

/// Steps that the flows of a result have together: GitHub shows no more.
const MAX_STEPS: usize = 1000;
/// Values that the text of a step names.
const MAX_VALUES: usize = 3;

/// How long a run is, in a sentence.
pub fn length(trace: &Trace) -> String {
    let word = if trace.length.shortest { "shortest run" } else { "a run" };
    let switches = plural(trace.length.switches, "context switch", "context switches");
    format!("{word}: {}, {switches}", plural(trace.steps.len() as u64, "step", "steps"))
}

/// The first flow has every step, for viewers that show one; the second has a thread a process.
pub fn code_flows(trace: &Trace, location: impl Fn(Place, String) -> Location) -> Vec<CodeFlow> {
    if trace.steps.is_empty() {
        return Vec::new();
    }
    let lanes: Vec<u32> = {
        let mut lanes: Vec<u32> = trace.steps.iter().map(|step| step.lane).collect();
        lanes.sort_unstable();
        lanes.dedup();
        lanes
    };
    let room = if lanes.len() > 1 { MAX_STEPS / 2 } else { MAX_STEPS };
    let (shown, left_out) = cut(&trace.steps, room);
    let locations: Vec<(u32, FlowLocation)> = shown
        .iter()
        .filter(|step| !step.span.is_nowhere())
        .map(|step| (step.lane, flow_location(trace, step, &location)))
        .collect();
    let text = |how: &str| {
        let mut text = format!("{}, {how}", length(trace));
        if let Some((first, last)) = left_out {
            text += &format!("; steps {first} to {last} are left out");
        }
        Message { text }
    };
    let merged = locations.iter().map(|(_, location)| location.clone()).collect();
    let mut flows = vec![CodeFlow {
        message: text("in the order of the run"),
        thread_flows: vec![ThreadFlow { id: None, locations: merged }],
    }];
    if lanes.len() > 1 {
        let thread_flows = lanes
            .iter()
            .filter_map(|&lane| {
                let own = locations.iter().filter(|(other, _)| *other == lane);
                let locations: Vec<FlowLocation> = own.map(|(_, one)| one.clone()).collect();
                let title = trace.lanes.get(lane as usize).map(|lane| lane.title());
                (!locations.is_empty()).then_some(ThreadFlow { id: title, locations })
            })
            .collect();
        flows.push(CodeFlow { message: text("by process"), thread_flows });
    }
    flows
}

/// The first and the last steps of a long run, and the numbers of those between them.
fn cut(all: &[TraceStep], room: usize) -> (Vec<&TraceStep>, Option<(u64, u64)>) {
    if all.len() <= room {
        return (all.iter().collect(), None);
    }
    let head = room / 2;
    let tail = all.len() - (room - head);
    let left_out = (all[head].i, all[tail - 1].i);
    (all[..head].iter().chain(&all[tail..]).collect(), Some(left_out))
}

fn flow_location(
    trace: &Trace,
    step: &TraceStep,
    location: impl Fn(Place, String) -> Location,
) -> FlowLocation {
    let mut text = format!("{}: {}", trace.lane_title(step), step.text);
    let values: Vec<String> = step
        .set
        .iter()
        .filter(|(_, new)| !new.is_null())
        .take(MAX_VALUES)
        .map(|(name, new)| format!("{name} = {}", value_text(new)))
        .collect();
    match &step.fault {
        Some(fault) => text += &format!(" ({})", fault.message),
        None if !values.is_empty() => text += &format!(" ({})", values.join(", ")),
        None => {}
    }
    let values = step.reads.iter().chain(&step.set);
    let state: BTreeMap<String, Message> =
        values.map(|(name, new)| (name.clone(), Message { text: value_text(new) })).collect();
    FlowLocation {
        location: location(step.span, text),
        execution_order: step.i,
        importance: if step.role.is_some() { "essential" } else { "important" },
        state,
    }
}
