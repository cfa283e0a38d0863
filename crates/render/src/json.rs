//! Result documents as JSON.

use std::fmt::Write;

use everypath_model::is_hidden;
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
    serde_json::to_string(document).map(|text| visible(text) + "\n").unwrap_or_default()
}

/// The same for people who read it.
pub fn pretty(document: &impl Serialize) -> String {
    serde_json::to_string_pretty(document).map(|text| visible(text) + "\n").unwrap_or_default()
}

/// JSON in which everything is visible. The control characters below 32 are escaped anyway; the others stand in texts
/// alone, where an escape means the same.
pub fn visible(json: String) -> String {
    if !json.chars().any(|c| c != '\n' && is_hidden(c)) {
        return json;
    }
    let mut safe = String::with_capacity(json.len() + 8);
    for c in json.chars() {
        if c == '\n' || !is_hidden(c) {
            safe.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(safe, "\\u{unit:04x}");
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_escaped_and_means_the_same() {
        let text = "a\u{9b}b\u{202e}c\u{e0041}\x1b\u{7f}ö\n";
        let shown = line(&text);
        assert!(!shown.trim_end().chars().any(is_hidden), "{shown}");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
        assert!(pretty(&[text]).contains("\\u009b"));
    }
}
