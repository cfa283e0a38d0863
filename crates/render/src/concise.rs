//! One line a property.

use std::fmt::Write;

use everypath_model::Sources;
use everypath_verdict::{Expectation, NoteSeverity, Policy, RunResult, Word};

use super::finding::{of_run, vacuity};
use super::snippet::location;
use super::style::Style;
use crate::expected;

/// Appends `file:line:column: verdict: message` for each error of the input, each property, and
/// what is to be said about the run alone.
pub fn render(out: &mut String, style: &Style, result: &RunResult, sources: &Sources) {
    let file = result.inputs.first().map_or("", |input| &input.path);
    let place = |span| match span {
        Some(span) => location(sources, span),
        None => file.to_owned(),
    };
    for note in &result.diagnostics {
        let word = match note.severity {
            NoteSeverity::Error => Word::Error,
            NoteSeverity::Unsupported => Word::Unknown,
            NoteSeverity::Warning | NoteSeverity::Note => continue,
        };
        line(out, style, &place(note.span), word, &format!("{} [{}]", note.message, note.code));
    }
    for property in &result.properties {
        let word = property.verdict.word();
        let message = match (&property.message, &property.code) {
            (Some(message), Some(code)) => format!("{message} [{code}]"),
            (Some(_), None) if property.vacuous && !property.vacuity.is_empty() => {
                vacuity(property)
            }
            (Some(message), None) => format!("{}: {message}", property.name),
            (None, _) => match property.verdict.reason() {
                Some(reason) => format!("{} ({})", property.name, reason.as_str()),
                None if property.expected == Some(Expectation::Violated) => {
                    let because = &property.expected_because;
                    let because = because.as_ref().map(|why| format!(" ({why})"));
                    let because = because.unwrap_or_default();
                    format!("{}, but a violation was expected{because} [EP0311]", property.name)
                }
                None if property.vacuous => format!("{} (never reached)", property.name),
                None => property.name.clone(),
            },
        };
        // Of what holds and should not it is said already.
        let remark = expected::remark(result, property).filter(|_| word != Word::Holds);
        let message = match remark {
            Some(remark) => format!("{message} {remark}"),
            None => message,
        };
        let message = match &result.test {
            Some(test) => format!("{test}: {message}"),
            None => message,
        };
        line(out, style, &place(property.span), word, &message);
    }
    if let Some(run) = of_run(&Policy::default(), result) {
        let message = format!("{} [{}]", run.message, run.code);
        line(out, style, file, result.verdict.word(), &message);
    }
}

fn line(out: &mut String, style: &Style, place: &str, word: Word, message: &str) {
    let verdict = style.verdict(word, word.as_str());
    let _ = writeln!(out, "{}: {verdict}: {}", style.brief(place), style.brief(message));
}
