//! JUnit's XML: a suite an input, a test case a property.
//!
//! What is not decided is an error, never skipped: a skipped test is green in most viewers.

use std::collections::BTreeMap;
use std::fmt::Write;

use everypath_verdict::{Expectation, NoteSeverity, RunResult, Verdict};

use super::finding::{About, Finding, Level, findings, main_path, tidy};
use super::full::{Detail, Verbosity, violation};
use super::scope::scope_line;
use super::style::Style;
use super::{Checked, Page, onward, snippet};

/// Columns of the texts inside of the document.
const WIDTH: usize = 120;
/// The case of a run for which a violation was expected.
const EXPECTED: &str = "expected: violated";
/// The case of a run that has nothing but itself to tell about.
const SEARCH: &str = "search";

/// How a test case ended.
enum Outcome {
    /// Green, with a remark.
    Passed(String),
    /// The property is wrong.
    Failure { code: String, message: String, text: String },
    /// Nobody knows.
    Error { code: String, message: String, text: String },
}

struct Case {
    name: String,
    outcome: Outcome,
}

/// One document about all inputs.
pub fn render(page: &Page<'_>, all: &[Checked]) -> String {
    let suites: Vec<(&Checked, Vec<Case>)> =
        all.iter().map(|checked| (checked, cases(page, checked))).collect();
    let every: Vec<&Case> = suites.iter().flat_map(|(_, cases)| cases).collect();
    let time = all.iter().map(|checked| checked.result.run.wall_s).sum();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"everypath\"{}>", counts(&every, time));
    for (checked, cases) in &suites {
        suite(&mut out, page, checked, cases);
    }
    out.push_str("</testsuites>\n");
    out
}

fn counts(cases: &[&Case], time: f64) -> String {
    let failures = cases.iter().filter(|c| matches!(c.outcome, Outcome::Failure { .. })).count();
    let errors = cases.iter().filter(|c| matches!(c.outcome, Outcome::Error { .. })).count();
    format!(
        " tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{time:.3}\"",
        cases.len()
    )
}

fn suite(out: &mut String, page: &Page<'_>, checked: &Checked, cases: &[Case]) {
    let result = &checked.result;
    let path = tidy(page.base, main_path(result));
    let path = result.test.as_ref().unwrap_or(&path);
    let path = escape(if path.is_empty() { "input" } else { path });
    let all: Vec<&Case> = cases.iter().collect();
    let counts = counts(&all, result.run.wall_s);
    let _ = writeln!(out, "  <testsuite name=\"{path}\"{counts} skipped=\"0\">");
    let _ = writeln!(out, "    <properties>");
    let verdict = [("verdict", result.verdict.to_string()), ("exit", result.exit.to_string())];
    let scope = result.stats.as_ref().map(|_| ("scope", scope_line(result)));
    for (name, value) in verdict.into_iter().chain(scope) {
        let _ = writeln!(out, "      <property name=\"{name}\" value=\"{}\"/>", escape(&value));
    }
    let _ = writeln!(out, "    </properties>");
    for case in cases {
        let _ = write!(
            out,
            "    <testcase classname=\"{path}\" name=\"{}\" time=\"0.000\"",
            escape(&case.name)
        );
        let (tag, code, message, text) = match &case.outcome {
            Outcome::Passed(remark) if remark.is_empty() => {
                out.push_str("/>\n");
                continue;
            }
            Outcome::Passed(remark) => {
                let _ = writeln!(out, ">\n      <system-out>{}</system-out>", escape(remark));
                out.push_str("    </testcase>\n");
                continue;
            }
            Outcome::Failure { code, message, text } => ("failure", code, message, text),
            Outcome::Error { code, message, text } => ("error", code, message, text),
        };
        let (code, message, text) = (escape(code), escape(message), escape_text(text));
        let _ = writeln!(
            out,
            ">\n      <{tag} type=\"{code}\" message=\"{message}\">{text}</{tag}>\n    </testcase>"
        );
    }
    let warnings = notes(checked, |severity| severity < NoteSeverity::Unsupported);
    if !warnings.is_empty() {
        let _ = writeln!(out, "    <system-err>{}</system-err>", escape_text(&warnings));
    }
    out.push_str("  </testsuite>\n");
}

/// The layout of the texts inside of the document.
fn style() -> Style {
    Style { color: false, ascii: true, width: WIDTH }
}

fn notes(checked: &Checked, wanted: impl Fn(NoteSeverity) -> bool) -> String {
    let mut out = String::new();
    for note in checked.result.diagnostics.iter().filter(|note| wanted(note.severity)) {
        snippet::note(&mut out, &style(), &checked.sources, note, false);
    }
    out
}

fn cases(page: &Page<'_>, checked: &Checked) -> Vec<Case> {
    let result = &checked.result;
    let mut cases = Vec::new();
    let bad = result.diagnostics.iter().filter(|n| n.severity >= NoteSeverity::Unsupported);
    if let Some(first) = bad.clone().next() {
        let more = bad.count() - 1;
        let message = match more {
            0 => first.message.clone(),
            more => format!("{} (and {more} more)", first.message),
        };
        let text = notes(checked, |severity| severity >= NoteSeverity::Unsupported);
        let code = first.code.clone();
        cases.push(Case { name: "input".into(), outcome: Outcome::Error { code, message, text } });
    }
    let all = findings(checked);
    let of_property: BTreeMap<&str, &Finding<'_>> = all
        .iter()
        .filter_map(|finding| match finding.about {
            About::Property(property) => Some((property.id.as_str(), finding)),
            About::Input(_) | About::Run => None,
        })
        .collect();
    for property in &result.properties {
        let outcome = match of_property.get(property.id.as_str()) {
            Some(finding) => outcome(page, checked, finding),
            None if property.vacuous => Outcome::Passed("holds: never reached".to_owned()),
            None => Outcome::Passed(String::new()),
        };
        cases.push(Case { name: property.id.clone(), outcome });
    }
    let run = all.iter().find(|finding| matches!(finding.about, About::Run));
    if let Some(finding) = run {
        // Of a run alone, the only thing to fail is what was expected of it.
        let name = if finding.level == Level::Error { EXPECTED } else { SEARCH };
        cases.push(Case { name: name.to_owned(), outcome: outcome(page, checked, finding) });
    } else if met(result) {
        let outcome = Outcome::Passed(String::new());
        cases.push(Case { name: EXPECTED.to_owned(), outcome });
    } else if cases.is_empty() {
        // A suite without a case looks like a mistake in some viewers.
        let outcome = Outcome::Passed("no properties, and the search was complete".to_owned());
        cases.push(Case { name: SEARCH.to_owned(), outcome });
    }
    cases
}

fn outcome(page: &Page<'_>, checked: &Checked, finding: &Finding<'_>) -> Outcome {
    let code = finding.code.to_owned();
    let message = finding.message.clone();
    match (finding.level, finding.about) {
        (Level::Note, _) => Outcome::Passed(message),
        (Level::Warning, _) => {
            let mut text = format!("{message}\n");
            for line in onward::steps(&checked.result, page.detail.memory)
                .iter()
                .filter(|_| finding.is_open())
            {
                let _ = writeln!(text, "{line}");
            }
            Outcome::Error { code, text, message }
        }
        (Level::Error, About::Property(one)) if one.verdict == Verdict::Violated => {
            let mut text = String::new();
            let detail = Detail { verbosity: Verbosity::Normal, ..*page.detail };
            violation(&mut text, &style(), &detail, &checked.result, &checked.sources, one);
            Outcome::Failure { code, message, text }
        }
        (Level::Error, _) => Outcome::Failure { code, text: format!("{message}\n"), message },
    }
}

fn met(result: &RunResult) -> bool {
    result.run.expect == Some(Expectation::Violated) && result.verdict == Verdict::Violated
}

/// Text for an attribute; line breaks would become blanks there.
fn escape(text: &str) -> String {
    escape_text(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

/// Text between tags. XML has no way to write most control characters, so they are named.
fn escape_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                out.extend(c.escape_default());
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(
            escape_text("a<b> & \"c\"\n\x1b\0"),
            "a&lt;b&gt; &amp; &quot;c&quot;\n\\u{1b}\\u{0}"
        );
        assert_eq!(escape("'\t\r\n\u{ffff}ö"), "&apos;&#9;\\r&#10;\\u{ffff}ö");
    }
}
