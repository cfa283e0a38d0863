//! From what a user writes to a trace: `last`, `last:2`, `17:deadlock`, `trace.json`, `result.json`.

use std::path::Path;

use everypath_model::files;
use everypath_verdict::{
    PropertyResult, RESULT_SCHEMA, RESULTS_SCHEMA, RunResult, TRACE_SCHEMA, Trace, Verdict,
};
use serde::Deserialize;

use crate::input::{reason, stdin};
use crate::{runs, trail};

/// The largest document that is read.
const MOST: u64 = 1 << 30;

/// A document of ours.
pub enum Document {
    /// One trace.
    Trace(Box<Trace>),
    /// The results of one or several inputs.
    Results(Vec<RunResult>),
}

#[derive(Deserialize)]
struct Header {
    schema: Option<String>,
}

#[derive(Deserialize)]
struct Results {
    results: Vec<RunResult>,
}

/// Reads the document that a word names: a run, or a file, `-` for the standard input.
pub fn document(word: &str) -> Result<Document, String> {
    let named = word == "last"
        || word.strip_prefix('-').unwrap_or(word).bytes().all(|b| b.is_ascii_digit());
    if named && word != "-" && !word.is_empty() && !Path::new(word).exists() {
        let file = runs::find(word)?.join("result.json");
        return read(&file.to_string_lossy());
    }
    read(word)
}

fn read(path: &str) -> Result<Document, String> {
    let error = |why: &dyn std::fmt::Display| format!("cannot read {path}: {why}");
    let bytes = match path {
        "-" => stdin(MOST, None),
        _ => files::read(Path::new(path), MOST),
    };
    let bytes = bytes.map_err(|e| error(&reason(&e)))?;
    let text = String::from_utf8(bytes).map_err(|_| error(&"it is not UTF-8"))?;
    parse(&text).map_err(|why| format!("{path}: {why}"))
}

fn parse(text: &str) -> Result<Document, String> {
    let header: Header =
        serde_json::from_str(text).map_err(|e| format!("this is no JSON document of ours: {e}"))?;
    match header.schema.as_deref() {
        Some(TRACE_SCHEMA) => Ok(Document::Trace(Box::new(Trace::from_json(text)?))),
        Some(RESULT_SCHEMA) => {
            let result = serde_json::from_str(text).map_err(|e| e.to_string())?;
            checked(vec![result])
        }
        Some(RESULTS_SCHEMA) => {
            let all: Results = serde_json::from_str(text).map_err(|e| e.to_string())?;
            checked(all.results)
        }
        Some(other) => Err(format!(
            "the schema `{other}` is not known; wanted `{TRACE_SCHEMA}` or `{RESULT_SCHEMA}`"
        )),
        None => Err(format!("there is no `schema`; wanted `{TRACE_SCHEMA}` or `{RESULT_SCHEMA}`")),
    }
}

fn checked(results: Vec<RunResult>) -> Result<Document, String> {
    for trace in runs::traces(&results) {
        trace.validate()?;
    }
    Ok(Document::Results(results))
}

/// A trace, and what is known about the run it comes from.
pub struct Found {
    /// The trace.
    pub trace: Trace,
    /// The result that it is part of; `None` for a trace on its own.
    pub result: Option<RunResult>,
    /// The words that name the other traces of the run, each with the id of its property.
    pub others: Vec<(String, String)>,
}

impl Found {
    /// The property that the trace speaks of.
    pub fn property(&self) -> Option<&PropertyResult> {
        let properties = self.result.iter().flat_map(|result| &result.properties);
        properties.clone().find(|property| property.trace.as_deref() == Some(&self.trace))
    }
}

/// The trace that a word names.
pub fn trace(word: &str) -> Result<Trace, String> {
    find(word).map(|found| found.trace)
}

/// The trace that a word names, with its surroundings. A run or a result with several traces is
/// followed by a colon and the number of the trace or the id of its property; without it the
/// shortest trace is meant.
///
/// A trail of SPIN's is named as a file too: `model.pml.trail`.
pub fn find(word: &str) -> Result<Found, String> {
    if word.ends_with(".trail") {
        let trace = trail::read(Path::new(word), None)?;
        return Ok(Found { trace, result: None, others: Vec::new() });
    }
    let (document, run, chosen) = match document(word) {
        Ok(document) => (document, word, None),
        Err(error) => {
            // A colon may belong to the name of a file, so the whole word was tried first.
            let parts = word.match_indices(':').map(|(at, _)| (&word[..at], &word[at + 1..]));
            let found = parts.filter_map(|(w, s)| Some((document(w).ok()?, w, Some(s)))).next();
            found.ok_or(error)?
        }
    };
    let results = match document {
        Document::Trace(trace) => {
            return Ok(Found { trace: *trace, result: None, others: Vec::new() });
        }
        Document::Results(results) => results,
    };
    let trace = select(&results, chosen)?;
    let others = runs::traces(&results)
        .enumerate()
        .filter(|(_, other)| !std::ptr::eq(*other, trace))
        .map(|(i, other)| (format!("{run}:{}", i + 1), other.result.property.clone()))
        .collect();
    let of = |result: &&RunResult| {
        runs::traces(std::slice::from_ref(*result)).any(|one| std::ptr::eq(one, trace))
    };
    Ok(Found { trace: trace.clone(), result: results.iter().find(of).cloned(), others })
}

fn select<'a>(results: &'a [RunResult], chosen: Option<&str>) -> Result<&'a Trace, String> {
    let all: Vec<&Trace> = runs::traces(results).collect();
    if all.is_empty() {
        let violated = results.iter().any(|result| result.verdict == Verdict::Violated);
        return Err(match violated {
            true => "the run found a violation, but kept no trace (--trace none)".to_owned(),
            false => "the run found no violation, so there is no trace".to_owned(),
        });
    }
    let Some(chosen) = chosen else {
        let length = |trace: &&&Trace| (trace.length.moves, trace.steps.len());
        return all.iter().min_by_key(length).copied().ok_or_else(String::new);
    };
    let number = chosen.parse::<usize>().ok().and_then(|n| all.get(n.checked_sub(1)?));
    let named = || all.iter().find(|trace| trace.result.property == chosen);
    number.or_else(named).copied().ok_or_else(|| {
        let ids = all.iter().enumerate().map(|(i, t)| format!("{} ({})", i + 1, t.result.property));
        format!("there is no trace `{chosen}`; there are {}", ids.collect::<Vec<_>>().join(", "))
    })
}
