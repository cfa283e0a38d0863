//! The list behind the formats of other tools: everything about a result that is not as it should
//! be, the worst first.

use std::path::{MAIN_SEPARATOR, Path};

use everypath_model::FileId;
use everypath_verdict::{
    Expectation, Note, NoteSeverity, Place, Policy, PropertyResult, RunResult, VacuityKind,
    Verdict, sha256_hex,
};

use super::Checked;
use super::scope::stop_code;
use crate::expected;

/// The code of what holds without meaning much.
const VACUITY: &str = "EP1625";

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// To be known: advice, an expected violation, an accepted bound.
    Note,
    /// Not settled, or deserves a look.
    Warning,
    /// A violation, an unmet expectation, a problem of the input or of the tool.
    Error,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug)]
pub enum About<'a> {
    /// A property.
    Property(&'a PropertyResult),
    /// The input or the tool.
    Input(&'a Note),
    /// The run as a whole.
    Run,
}

/// One thing to tell.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// `EPnnnn`
    pub code: &'a str,
    /// How bad it is.
    pub level: Level,
    /// One sentence.
    pub message: String,
    /// Where.
    pub place: Option<Place>,
    /// What it is about.
    pub about: About<'a>,
    /// The same for the same finding in later versions of the input.
    pub fingerprint: String,
}

impl Finding<'_> {
    /// Whether it says that something could not be decided.
    pub fn is_open(&self) -> bool {
        match self.about {
            About::Property(property) => property.verdict.reason().is_some(),
            About::Input(_) => false,
            About::Run => self.level < Level::Error,
        }
    }
}

/// All findings of one input, the worst first, otherwise in the order of the document.
pub fn findings<'a>(checked: &'a Checked) -> Vec<Finding<'a>> {
    let Checked { result, policy, .. } = checked;
    let mut all: Vec<Finding<'a>> =
        result.diagnostics.iter().map(|note| of_note(checked, note)).collect();
    let properties = &result.properties;
    all.extend(properties.iter().filter_map(|one| of_property(policy, result, one)));
    all.extend(of_run(policy, result));
    all.sort_by_key(|finding| std::cmp::Reverse(finding.level));
    all
}

fn of_note<'a>(checked: &Checked, note: &'a Note) -> Finding<'a> {
    let line = note.span.map(|place| {
        let file = checked.sources.file(FileId(place.file));
        format!("{}\0{}", file.path.display(), file.line(place.start.0).trim())
    });
    let text = format!("{}\0{}\0{}", note.code, note.message, line.unwrap_or_default());
    Finding {
        code: &note.code,
        level: match note.severity {
            NoteSeverity::Note => Level::Note,
            NoteSeverity::Warning | NoteSeverity::Unsupported => Level::Warning,
            NoteSeverity::Error => Level::Error,
        },
        message: note.message.clone(),
        place: note.span,
        about: About::Input(note),
        fingerprint: digest(&text),
    }
}

fn of_property<'a>(
    policy: &Policy,
    result: &'a RunResult,
    property: &'a PropertyResult,
) -> Option<Finding<'a>> {
    let name = &property.name;
    let remark = expected::remark(result, property);
    let remark = remark.map_or(String::new(), |remark| format!(" {remark}"));
    let (code, level, message) = match property.verdict {
        // The expectation of the whole run is a matter of the run.
        Verdict::Holds if property.expected == Some(Expectation::Violated) => {
            let because = property.expected_because.as_ref().map(|why| format!(" ({why})"));
            let because = because.unwrap_or_default();
            let message = format!("{name} holds, but a violation was expected{because}");
            ("EP0311", Level::Error, message)
        }
        Verdict::Holds if property.vacuous && !property.vacuity.is_empty() => {
            // What is denied stands among the diagnostics.
            if result.diagnostics.iter().any(|note| note.denied && note.code == VACUITY) {
                return None;
            }
            (VACUITY, Level::Note, vacuity(property))
        }
        Verdict::Holds => return None,
        Verdict::Violated => {
            let code = property.code.as_deref().unwrap_or("EP0001");
            let message = property.message.as_ref().unwrap_or(name);
            let expected = expected::is_expected(result, property);
            let level = if expected { Level::Note } else { Level::Error };
            (code, level, format!("{message}{remark}"))
        }
        Verdict::NoViolationFound(reason) => {
            let accepted = policy.accept_bounded && reason.is_bound();
            let why = reason.as_str();
            let message = format!("{name}: no violation found, but no proof ({why}){remark}");
            let level = if accepted { Level::Note } else { Level::Warning };
            (stop_code(result.run.stop), level, message)
        }
        Verdict::Unknown(reason) => {
            let why = property.message.as_deref().unwrap_or(reason.as_str());
            let code = property.code.as_deref().unwrap_or("EP0310");
            (code, Level::Warning, format!("{name}: unknown: {why}{remark}"))
        }
        Verdict::Error => ("EP0001", Level::Error, format!("{name}: error")),
    };
    let fingerprint = property.fingerprint.clone();
    Some(Finding {
        code,
        level,
        message,
        place: property.span,
        about: About::Property(property),
        fingerprint: fingerprint
            .unwrap_or_else(|| digest(&format!("{code}\0{}\0{}", input_name(result), property.id))),
    })
}

/// What is said about a temporal property that is vacuous.
pub fn vacuity(property: &PropertyResult) -> String {
    let parts = property.vacuity.iter().filter(|part| part.kind != VacuityKind::Condition);
    let parts: Vec<&str> = parts.map(|part| part.text.as_str()).collect();
    format!("{} is vacuous: {}", property.name, parts.join("; "))
}

/// What no property says by itself.
pub fn of_run<'a>(policy: &Policy, result: &'a RunResult) -> Option<Finding<'a>> {
    let (code, level, message) = match result.verdict {
        Verdict::Holds if result.run.expect == Some(Expectation::Violated) => {
            let message = format!("every property {}", expected::holds_all_the_same(result));
            ("EP0311", Level::Error, message)
        }
        Verdict::NoViolationFound(reason) | Verdict::Unknown(reason) => {
            let told = result.properties.iter().any(|p| p.verdict.reason().is_some());
            if told || result.diagnostics.iter().any(|n| n.severity == NoteSeverity::Unsupported) {
                return None;
            }
            let bounded = matches!(result.verdict, Verdict::NoViolationFound(_));
            let accepted = bounded && policy.accept_bounded && reason.is_bound();
            let message = match bounded {
                true => format!("the search was incomplete ({})", reason.as_str()),
                false => format!("nothing is known ({})", reason.as_str()),
            };
            let level = if accepted { Level::Note } else { Level::Warning };
            (stop_code(result.run.stop), level, message)
        }
        Verdict::Holds | Verdict::Violated | Verdict::Error => return None,
    };
    Some(Finding {
        code,
        level,
        message,
        place: None,
        about: About::Run,
        fingerprint: digest(&format!("{code}\0{}", input_name(result))),
    })
}

fn digest(text: &str) -> String {
    sha256_hex(text.as_bytes())[..16].to_owned()
}

/// What tells an input from others: its path, and the test method.
pub fn input_name(result: &RunResult) -> String {
    let test = result.test.as_ref().map(|test| format!(" {test}"));
    format!("{}{}", main_path(result), test.unwrap_or_default())
}

/// The path of the input itself.
pub fn main_path(result: &RunResult) -> &str {
    result.inputs.first().map_or("", |input| &input.path)
}

/// The path of the file that a place lies in.
pub fn path_of(result: &RunResult, place: Option<Place>) -> &str {
    let input = place.and_then(|place| result.inputs.get(place.file as usize));
    input.map_or(main_path(result), |input| &input.path)
}

/// A path as other tools want it: with slashes, and relative to `base` if it lies below it.
pub fn tidy(base: &Path, path: &str) -> String {
    let inside = Path::new(path).strip_prefix(base).ok().and_then(Path::to_str);
    let mut path = inside.filter(|rest| !rest.is_empty()).unwrap_or(path);
    while let Some(rest) = path.strip_prefix("./") {
        path = rest;
    }
    if MAIN_SEPARATOR == '/' { path.to_owned() } else { path.replace(MAIN_SEPARATOR, "/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_where_they_can_be() {
        let base = Path::new("/home/me/work");
        for (path, expected) in [
            ("a.pml", "a.pml"),
            ("./a.pml", "a.pml"),
            ("././m/a.pml", "m/a.pml"),
            ("../a.pml", "../a.pml"),
            ("/home/me/work/m/a.pml", "m/a.pml"),
            ("/home/me/worker/a.pml", "/home/me/worker/a.pml"),
            ("<stdin>", "<stdin>"),
        ] {
            assert_eq!(tidy(base, path), expected);
        }
    }
}
