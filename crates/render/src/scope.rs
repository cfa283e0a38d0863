//! What a search covered, in the words of a scope line.

use everypath_property::PropertyKind;
use everypath_verdict::{PropertyResult, RunResult, Stop};

use crate::units::{self, plural};

/// The reductions that are in use if none is named, of models and of Java programs.
pub const IN_USE: [&[&str]; 2] = [
    &["constants", "slice", "merge", "dead", "stubborn"],
    &["local", "constant", "locks", "library"],
];

/// The reductions of a search.
pub fn reductions(names: &[String]) -> String {
    if names.is_empty() {
        "no reduction".to_owned()
    } else if IN_USE.iter().any(|all| names.iter().eq(all.iter())) {
        "default reductions".to_owned()
    } else {
        names.join(", ")
    }
}

/// What was sampled, for a scope line; `None` if nothing was.
pub fn samples(result: &RunResult) -> Option<String> {
    let sample = result.scope.sample.as_ref()?;
    let what = match (result.run.search.as_str(), sample.runs) {
        ("random", 1) => "random walk",
        ("random", _) => "random walks",
        (_, 1) => "search of a swarm",
        _ => "searches of a swarm",
    };
    let seeds = match sample.runs {
        0 | 1 => format!("seed {}", sample.seed),
        runs => format!("seeds {} to {}", sample.seed, sample.seed.wrapping_add(runs - 1)),
    };
    Some(format!("{} {what}, {seeds}", units::count(sample.runs)))
}

/// How to go on after a limit, in words of a command line.
pub fn how_to_go_on(result: &RunResult) -> Option<String> {
    let checkpoint = result.run.checkpoint.as_ref()?;
    let bound = |name: &str| result.scope.bounds.get(name);
    let more = match result.run.stop {
        Stop::Memory => bound("memory_bytes").and_then(serde_json::Value::as_u64).map(|bytes| {
            format!(" --mem {}", units::bytes(bytes.saturating_mul(2)).replace(' ', ""))
        }),
        Stop::States => bound("states")
            .and_then(serde_json::Value::as_u64)
            .map(|states| format!(" --states {}", states.saturating_mul(2))),
        _ => None,
    };
    let from = units::count(checkpoint.states);
    let size = units::bytes(checkpoint.bytes);
    Some(format!(
        "continue: everypath check --resume last{} (from {from} states, {size} on the disk)",
        more.unwrap_or_default()
    ))
}

/// The code of the warning about an incomplete search.
pub fn stop_code(stop: Stop) -> &'static str {
    match stop {
        Stop::Time
        | Stop::Memory
        | Stop::States
        | Stop::Depth
        | Stop::Bound
        | Stop::Interrupt
        | Stop::Disk
        | Stop::Violation
        | Stop::Completed => "EP0301",
        Stop::Model | Stop::NotStarted => "EP0304",
    }
}

/// What a search run by run leaves out.
fn stateless_scope(result: &RunResult) -> String {
    let bound = |name: &str| result.scope.bounds.get(name).and_then(serde_json::Value::as_u64);
    match (bound("preemptions"), bound("switches")) {
        (None, None) => "one run of each order of dependent steps".to_owned(),
        (Some(most), None) => {
            format!("runs with at most {}", plural(most, "preemption", "preemptions"))
        }
        (None, Some(most)) => format!("runs with at most {}", plural(most, "switch", "switches")),
        (Some(one), Some(two)) => format!(
            "runs with at most {} and {}",
            plural(one, "preemption", "preemptions"),
            plural(two, "switch", "switches")
        ),
    }
}

/// What the verdicts cover, in one line.
pub fn scope_line(result: &RunResult) -> String {
    let scope = &result.scope;
    let mut parts = Vec::new();
    if scope.complete {
        parts.push("exhaustive".to_owned());
    } else {
        parts.push(format!("not exhaustive ({})", result.incomplete().as_str()));
    }
    match (samples(result), &scope.lossy) {
        (Some(sample), _) => parts.push(sample),
        (None, Some(lossy)) => parts.push(lossy.clone()),
        (None, None) if result.run.search == "stateless" => parts.push(stateless_scope(result)),
        (None, None) => parts.push("exact hash".to_owned()),
    }
    parts.push(reductions(&scope.reductions));
    let in_full = |property: &PropertyResult| {
        use PropertyKind::{Cycles, Events, Ltl, Never, Trace};
        let reduced = property.product.as_ref().is_some_and(|made| !made.reductions.is_empty());
        matches!(property.kind, Ltl | Never | Cycles | Trace | Events) && !reduced
    };
    if !scope.reductions.is_empty() && result.properties.iter().any(in_full) {
        parts.push("temporal properties without reduction".to_owned());
    }
    match scope.fairness.as_str() {
        "" | "none" => parts.push("no fairness assumed".to_owned()),
        fairness => {
            let (strength, rest) = fairness.split_once(' ').unwrap_or((fairness, ""));
            let rest = if rest.is_empty() { String::new() } else { format!(" {rest}") };
            parts.push(format!("{strength} fairness{rest} assumed"));
        }
    }
    parts.extend(scope.assumed.iter().cloned());
    if !scope.skipped.is_empty() {
        parts.push(format!("not checked: {}", scope.skipped.join(", ")));
    }
    parts.join(", ")
}
