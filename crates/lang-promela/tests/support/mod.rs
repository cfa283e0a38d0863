//! What the tests of the front end share.
#![allow(dead_code)]

pub mod dump;

use everypath_lang_promela::{Options, Parsed, parse};
use everypath_model::{Diagnostic, Severity, Sources};

/// Includes are looked up in the file system.
pub struct Files;

impl everypath_preprocess::Loader for Files {
    fn load(&self, path: &std::path::Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }
}

/// Reads a text.
pub fn read(text: &str) -> (Sources, Parsed) {
    read_as("test.pml", text)
}

/// Reads a text as if it were in a file. An `ltl` block that is no formula makes all of it refused, as
/// SPIN does.
pub fn read_as(path: &str, text: &str) -> (Sources, Parsed) {
    let mut sources = Sources::default();
    let main = sources.add(path.into(), text.to_string());
    let mut parsed = parse(&mut sources, main, &Options::default(), &Files);
    if let Some(model) = parsed.model.take_if(|model| !model.refused_ltl.is_empty()) {
        for diagnostic in &mut parsed.diagnostics {
            let same = |error: &Diagnostic| error.message == diagnostic.message;
            if model.refused_ltl.iter().flat_map(|refused| &refused.errors).any(same) {
                diagnostic.severity = Severity::Error;
            }
        }
    }
    (sources, parsed)
}

/// A message as one line: `error EP1201 1:5 text [label] help: ...`.
pub fn show(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let mut line = format!("{:?} {}", diagnostic.severity, diagnostic.code).to_lowercase();
    line = line.replace("ep1", "EP1");
    if let Some(label) = &diagnostic.primary {
        let (row, column) = sources.start(label.span);
        line += &format!(" {row}:{column}");
    }
    line += &format!(" {}", diagnostic.message);
    if let Some(label) = diagnostic.primary.as_ref().filter(|l| !l.text.is_empty()) {
        line += &format!(" [{}]", label.text);
    }
    for label in &diagnostic.secondary {
        let (row, column) = sources.start(label.span);
        line += &format!(" ({row}:{column} {})", label.text);
    }
    if let Some(help) = &diagnostic.help {
        line += &format!(" help: {help}");
    }
    line
}

/// The parts of a data file: `## header` lines, each with the text below it.
pub fn sections(text: &str) -> Vec<(&str, &str)> {
    text.split("\n## ")
        .map(|part| part.strip_prefix("## ").unwrap_or(part))
        .filter_map(|part| part.split_once('\n'))
        .map(|(header, body)| (header, body.trim_matches('\n')))
        .collect()
}
