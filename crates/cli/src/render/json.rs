//! Result documents as JSON.

use everypath_verdict::{RESULTS_SCHEMA, RunResult};
use serde::Serialize;

#[derive(Serialize)]
struct Results<'a> {
    schema: &'static str,
    results: &'a [RunResult],
}

/// One document: the result itself, or a list of results for several inputs.
pub fn render(results: &[RunResult]) -> String {
    let text = match results {
        [result] => serde_json::to_string(result),
        results => serde_json::to_string(&Results { schema: RESULTS_SCHEMA, results }),
    };
    // Only maps with keys that are not strings cannot be written, and there are none.
    text.map(|text| text + "\n").unwrap_or_default()
}
