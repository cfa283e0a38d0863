//! What a step of a trace did, in a few words.

use everypath_verdict::{Role, Trace, TraceStep, Values, value_text};
use serde_json::Value;

/// What a step did: shared variables and channels that it wrote, its own variables that changed,
/// what it printed, and else what it read.
pub fn effect(trace: &Trace, step: &TraceStep, before: &Values) -> String {
    let own = format!("{}.", trace.lane_title(step));
    let (mut parts, mut locals) = (Vec::new(), Vec::new());
    for (name, after) in &step.set {
        let old = before.get(name);
        let mine = name.starts_with(&own);
        if after.is_null() || (old.is_none() && name.contains('.') && !mine) {
            // A process or an object came or went.
            continue;
        }
        match name.strip_prefix(&own) {
            Some(_) if old == Some(after) => {}
            Some(name) => locals.push(change(name, old, after)),
            None => parts.push(change(name, old, after)),
        }
    }
    if let Some(msg) = step.msg.as_ref().filter(|msg| parts.is_empty() || msg.rendezvous) {
        let payload = msg.payload.iter().map(value_text).collect::<Vec<_>>().join(", ");
        parts.insert(0, format!("{}: {payload}", msg.channel));
    }
    let shared = !parts.is_empty();
    parts.extend(deeds(step, shared));
    parts.extend(locals);
    if step.role == Some(Role::Failure) {
        let values: Vec<String> =
            step.reads.iter().map(|(name, v)| format!("{name} = {}", value_text(v))).collect();
        if !values.is_empty() {
            parts.push(values.join(", "));
        }
    } else if !shared {
        let reads: Vec<String> = step
            .reads
            .iter()
            .filter(|(name, v)| !step.text.contains(&format!("{name} == {}", value_text(v))))
            .map(|(name, v)| format!("{name} = {}", value_text(v)))
            .collect();
        if !reads.is_empty() {
            parts.insert(0, format!("reads {}", reads.join(", ")));
        }
    }
    if !step.output.is_empty() {
        parts.push(format!("prints {}", Value::from(step.output.as_str())));
    }
    parts.join("; ")
}

/// What a step did with locks and with others; inside of the library, where, if there is nothing else to say.
fn deeds(step: &TraceStep, shared: bool) -> Vec<String> {
    // What the library locks for itself is its own business.
    let inside = step.deeds.iter().any(|deed| deed.starts_with("in "));
    let told = |lock: &&String| !inside || !lock.contains('#');
    let takes = step.takes.iter().filter(told).map(|lock| format!("takes {lock}"));
    let releases = step.releases.iter().filter(told).map(|lock| format!("releases {lock}"));
    let mut parts: Vec<String> = takes.chain(releases).collect();
    let aside = shared || !(parts.is_empty() && step.reads.is_empty() && step.output.is_empty());
    let deeds = step.deeds.iter().filter(|deed| !(aside && deed.starts_with("in ")));
    parts.extend(deeds.cloned());
    parts
}

fn change(name: &str, before: Option<&Value>, after: &Value) -> String {
    match before {
        Some(before) => format!("{name}: {} -> {}", value_text(before), value_text(after)),
        None => format!("{name} = {}", value_text(after)),
    }
}
