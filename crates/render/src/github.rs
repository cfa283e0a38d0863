//! Annotations as GitHub's runners read them from the standard output, and the summary of a job.

use std::fmt::Write;

use everypath_verdict::Verdict;

use super::finding::{About, Finding, Level, findings, path_of, tidy};
use super::style::Style;
use super::{Checked, Page, onward};
use crate::expected;

/// Rows of a summary before the rest is counted only: GitHub takes 1 MiB.
const MAX_ROWS: usize = 500;

/// Appends one line a finding. What an incomplete search leaves open is one finding together.
pub fn annotations(out: &mut String, page: &Page<'_>, checked: &Checked) {
    let mut told = false;
    for finding in findings(checked) {
        let verdict = match finding.about {
            About::Property(property) => property.verdict,
            About::Input(_) | About::Run => Verdict::Error,
        };
        if !matches!(verdict, Verdict::NoViolationFound(_)) {
            annotation(out, page, checked, &finding);
        } else if !std::mem::replace(&mut told, true) {
            let message = open_message(checked);
            annotation(out, page, checked, &Finding { place: None, message, ..finding });
        }
    }
}

/// What is said once about all properties that an incomplete search leaves open.
fn open_message(checked: &Checked) -> String {
    let open = checked.result.properties.iter().filter_map(|property| match property.verdict {
        Verdict::NoViolationFound(reason) => Some((property.name.as_str(), reason)),
        _ => None,
    });
    let names: Vec<&str> = open.clone().map(|(name, _)| name).collect();
    let reason = open.clone().next().map_or("", |(_, reason)| reason.as_str());
    format!("no violation found, but no proof ({reason}): {}", names.join(", "))
}

fn annotation(out: &mut String, page: &Page<'_>, checked: &Checked, finding: &Finding<'_>) {
    let word = match finding.level {
        Level::Note => "notice",
        Level::Warning => "warning",
        Level::Error => "error",
    };
    let path = tidy(page.base, path_of(&checked.result, finding.place));
    // The text goes to a terminal too, and what moves a cursor is in no sensible name.
    let style = Style { color: false, ascii: false, ..page.style };
    let _ = write!(out, "::{word} file={}", property(&style.clean(&path)));
    if let Some(place) = finding.place {
        let (line, column) = place.start;
        let _ = write!(out, ",line={line},endLine={}", place.end.0.max(line));
        // Columns are only for places within one line, and the last one belongs to the place.
        if place.end.0 <= line {
            let last = place.end.1.saturating_sub(1).max(column);
            let _ = write!(out, ",col={column},endColumn={last}");
        }
    }
    let mut message = style.brief(&finding.message).into_owned();
    match finding.about {
        About::Property(one) => {
            for why in one.trace.iter().flat_map(|trace| &trace.explain) {
                let _ = write!(message, "\nwhy: {}", style.brief(&why.text));
            }
        }
        About::Input(note) => {
            if let Some(help) = &note.help {
                let _ = write!(message, "\nhelp: {}", style.brief(help));
            }
        }
        About::Run => {}
    }
    if finding.is_open() {
        for line in onward::steps(&checked.result, page.detail.memory) {
            let _ = write!(message, "\n{}", style.brief(&line));
        }
    }
    let _ = writeln!(out, ",title={}::{}", property(finding.code), data(&message));
}

/// Text after `::` in a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A table for the summary page of a job.
pub fn summary(page: &Page<'_>, all: &[Checked]) -> String {
    let mut out = format!("### everypath: {}\n\n", super::tally(all));
    let _ = writeln!(out, "| file | property | verdict | place |\n| --- | --- | --- | --- |");
    let mut rows = 0;
    for checked in all {
        let result = &checked.result;
        let path = |place| tidy(page.base, path_of(result, place));
        let errors = findings(checked)
            .into_iter()
            .filter(|finding| !matches!(finding.about, About::Property(_)))
            .map(|f| (f.message, format!("{} {}", result.verdict, f.code), f.place));
        let properties = result.properties.iter().map(|property| {
            let remark = expected::remark(result, property);
            let remark = remark.map_or(String::new(), |remark| format!(" {remark}"));
            let verdict = match (&property.code, property.verdict.reason()) {
                (Some(code), _) => format!("{} {code}", property.verdict),
                (None, Some(reason)) => format!("{} ({})", property.verdict, reason.as_str()),
                (None, None) => property.verdict.to_string(),
            };
            let name = match (property.verdict, &property.message) {
                (Verdict::Violated, Some(message)) => format!("{}: {message}", property.name),
                _ => property.name.clone(),
            };
            (name, verdict + &remark, property.span)
        });
        for (name, verdict, place) in errors.chain(properties) {
            rows += 1;
            if rows > MAX_ROWS {
                continue;
            }
            let at = place.map_or(String::new(), |p| format!("{}:{}", p.start.0, p.start.1));
            let cells = [&path(place), &name, &verdict, &at].map(|text| cell(&page.style, text));
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
    }
    if rows > MAX_ROWS {
        let _ = writeln!(out, "\n{} more are left out.", rows - MAX_ROWS);
    }
    out
}

/// Text in a cell of a Markdown table: nothing in it has a meaning.
fn cell(style: &Style, text: &str) -> String {
    let mut cell = String::new();
    for c in style.brief(text).chars() {
        if c.is_ascii_punctuation() && !matches!(c, '.' | ',' | '/' | '-' | ':') {
            let _ = write!(cell, "&#{};", u32::from(c));
        } else {
            cell.push(c);
        }
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_escaped() {
        assert_eq!(data("50%\r\nx: a,b"), "50%25%0D%0Ax: a,b");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
        let style = Style { color: false, ascii: false, width: 80 };
        assert_eq!(cell(&style, "a|b <x>\n*y*"), "a&#124;b &#60;x&#62;&#92;n&#42;y&#42;");
    }
}
