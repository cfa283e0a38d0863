//! What is said of expectations: which are met, which are not, and why they were stated.

use everypath_verdict::{
    Exit, Expectation, Note, NoteSeverity, Policy, PropertyResult, RunResult, Verdict,
};

/// Whether a property is violated, as it was expected to be.
pub fn is_expected(result: &RunResult, property: &PropertyResult) -> bool {
    property.verdict == Verdict::Violated
        && property.expected.or(result.run.expect) == Some(Expectation::Violated)
}

/// Why something was expected of a property, or of all of them.
pub fn because<'a>(result: &'a RunResult, property: &'a PropertyResult) -> Option<&'a String> {
    match property.expected {
        Some(_) => property.expected_because.as_ref(),
        None => result.run.expect_because.as_ref(),
    }
}

/// What is said of a whole that holds and should not.
pub fn holds_all_the_same(result: &RunResult) -> String {
    let because = result.run.expect_because.as_ref().map(|why| format!(" ({why})"));
    format!("holds, but a violation was expected{}", because.unwrap_or_default())
}

/// What was expected of a property, behind what is said of it: `(expected: updates get lost)`.
pub fn remark(result: &RunResult, property: &PropertyResult) -> Option<String> {
    let because = |separator: &str| match because(result, property) {
        Some(reason) => format!("{separator}{reason}"),
        None => String::new(),
    };
    match property.expected.or(result.run.expect)? {
        Expectation::Violated if property.verdict == Verdict::Violated => {
            Some(format!("(expected{})", because(": ")))
        }
        // That a whole run holds that should not is said of the run.
        Expectation::Violated if property.expected.is_none() => None,
        Expectation::Violated => Some(format!("(expected to be violated{})", because(": "))),
        Expectation::Holds if property.verdict == Verdict::Holds => None,
        Expectation::Holds => Some(format!("(expected to hold{})", because(": "))),
    }
}

/// Why a result is not as it should be, if its exit code says so.
pub fn failure(result: &RunResult, policy: &Policy) -> Option<String> {
    if result.exit == 0 {
        return None;
    }
    if let Some(unmet) = unmet(result, policy) {
        return Some(unmet);
    }
    let error = |note: &&Note| note.severity == NoteSeverity::Error;
    if let Some(note) = result.diagnostics.iter().find(error) {
        return Some(note.message.clone());
    }
    let mut wrong = result
        .properties
        .iter()
        .filter(|property| property.verdict == Verdict::Violated && !is_expected(result, property));
    if let Some(first) = wrong.next() {
        let message = first.message.as_ref().unwrap_or(&first.name);
        return Some(match wrong.count() {
            0 => message.clone(),
            more => format!("{message}, and {more} more"),
        });
    }
    Some(match result.verdict {
        Verdict::Holds => format!("it {}", holds_all_the_same(result)),
        other => match other.reason() {
            Some(reason) => format!("{other} ({})", reason.as_str()),
            None => other.to_string(),
        },
    })
}

/// The first expectation that is not met, as a sentence.
pub fn unmet(result: &RunResult, policy: &Policy) -> Option<String> {
    let one = result.properties.iter().find(|property| {
        property.expected.is_some_and(|expect| {
            Policy { expect: Some(expect), ..*policy }.judge([property.verdict]) == Exit::Violation
        })
    })?;
    let to = match one.expected? {
        Expectation::Holds => "hold",
        Expectation::Violated => "be violated",
    };
    let reason = one.expected_because.as_ref().map(|reason| format!(" ({reason})"));
    let is = match one.verdict {
        Verdict::Holds => "it holds".to_owned(),
        other => format!("it is {other}"),
    };
    Some(format!("{} is expected to {to}{}, but {is}", one.name, reason.unwrap_or_default()))
}
