//! Result documents as JSON.

use everypath_verdict::{RESULTS_SCHEMA, RunResult};
use schemars::JsonSchema;
use serde::Serialize;

/// The results of several inputs.
#[derive(Serialize, JsonSchema)]
pub struct Results<'a> {
    /// `everypath.results/1`
    #[schemars(extend("const" = RESULTS_SCHEMA))]
    pub schema: &'static str,
    /// One result an input, in the order of the command line.
    pub results: Vec<&'a RunResult>,
}

/// One document: the result itself, or a list of results for several inputs.
pub fn render<'a>(results: impl IntoIterator<Item = &'a RunResult>) -> String {
    let results: Vec<&RunResult> = results.into_iter().collect();
    match results[..] {
        [result] => line(result),
        _ => line(&Results { schema: RESULTS_SCHEMA, results }),
    }
}

/// A document on a line of its own.
pub fn line(document: &impl Serialize) -> String {
    // Only maps with keys that are not strings cannot be written, and there are none.
    serde_json::to_string(document).map(|text| text + "\n").unwrap_or_default()
}
