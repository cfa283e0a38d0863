//! What the tests share.
#![allow(dead_code)]

use std::collections::HashMap;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use everypath_model::{Sources, Span};
use everypath_preprocess::{Loader, Options, Output, preprocess};

/// Files in memory.
#[derive(Default)]
pub struct Files(pub HashMap<PathBuf, Vec<u8>>);

impl Loader for Files {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        self.0.get(path).cloned().ok_or_else(|| Error::from(ErrorKind::NotFound))
    }
}

/// A finished run.
pub struct Run {
    pub sources: Sources,
    pub output: Output,
}

impl Run {
    /// The output without the empty lines at its start and the line break at its end.
    pub fn text(&self) -> &str {
        self.output.text.trim_start_matches('\n').trim_end_matches('\n')
    }

    pub fn codes(&self) -> Vec<&'static str> {
        self.output.diagnostics.iter().map(|d| d.code).collect()
    }

    pub fn messages(&self) -> Vec<&str> {
        self.output.diagnostics.iter().map(|d| &d.message[..]).collect()
    }

    pub fn errors(&self) -> usize {
        self.output.diagnostics.iter().filter(|d| d.is_error()).count()
    }

    /// The source text that the first occurrence of `what` in the output comes from.
    pub fn origin(&self, what: &str) -> &str {
        let start = self.output.text.find(what).expect("the output contains the text");
        self.sources.text(self.output.map.span(start, start + what.len()))
    }

    /// Where the first occurrence of `what` is written in a macro.
    pub fn in_macro(&self, what: &str) -> Option<&str> {
        let start = self.output.text.find(what).expect("the output contains the text");
        self.output.map.in_macro(start).map(|span| self.sources.text(span))
    }

    pub fn source(&self, span: Span) -> &str {
        self.sources.text(span)
    }
}

/// Preprocesses a text with options and files.
pub fn run_with(text: &str, options: &Options, files: &[(&str, &str)]) -> Run {
    let files = files.iter().map(|(n, t)| (PathBuf::from(n), t.as_bytes().to_vec())).collect();
    let mut sources = Sources::default();
    let main = sources.add(PathBuf::from("main.pml"), text.to_string());
    let output = preprocess(&mut sources, main, options, &Files(files));
    Run { sources, output }
}

/// Preprocesses a text.
pub fn run(text: &str) -> Run {
    run_with(text, &Options::default(), &[])
}

/// The output for a text that must have neither errors nor warnings.
pub fn clean(text: &str) -> String {
    let run = run(text);
    assert!(run.output.diagnostics.is_empty(), "{:?}", run.messages());
    run.text().to_string()
}
