//! What a search covered, in the words of a scope line.

use everypath_verdict::{RunResult, Stop};

use crate::units;

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
