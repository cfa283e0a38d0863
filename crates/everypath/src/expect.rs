//! What is expected of single properties.

use everypath_property::PropertyKind;
use everypath_verdict::{
    Expectation, Note, NoteSeverity, Policy, PropertyResult, RunResult, Verdict,
};

/// The expectation of one property, or of all assertions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// Id or name of the property: `assert@12:18`, `deadlock`, `served` for `ltl served`, the class of an
    /// exception; or `assertions` or `races`.
    pub name: String,
    /// The verdict.
    pub expect: Expectation,
    /// Why, in the user's words.
    pub reason: Option<String>,
    /// Where it is written.
    pub place: String,
}

/// What is expected of a model.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    /// The properties of which something is expected.
    pub properties: Vec<Expected>,
    /// Why something is expected of the model as a whole, in the user's words.
    pub reason: Option<String>,
}

impl Expected {
    fn means(&self, property: &PropertyResult) -> bool {
        let name = self.name.as_str();
        // A colon in `exception@12:18` belongs to the place.
        let named = property.id.split_once(':').filter(|(kind, _)| !kind.contains('@'));
        let short = named.map(|(_, rest)| rest);
        property.id == name
            || property.name == name
            || short == Some(name)
            || property.exception.as_deref() == Some(name)
            || (name == "assertions" && property.kind == PropertyKind::Assertion)
            || (name == "races" && property.kind == PropertyKind::Race)
    }
}

/// Notes the expectations in a result and judges it again.
pub fn apply(result: &mut RunResult, expected: &[Expected], policy: &Policy) {
    if expected.is_empty() || result.verdict == Verdict::Error || result.properties.is_empty() {
        return;
    }
    for one in expected {
        let meant: Vec<usize> = (0..result.properties.len())
            .filter(|&index| one.means(&result.properties[index]))
            .collect();
        if meant.is_empty() {
            result.diagnostics.push(missing(one, &result.properties));
            continue;
        }
        // Of several assertions it is enough that one of them is violated.
        let violated = |index: &usize| result.properties[*index].verdict == Verdict::Violated;
        let some = one.expect == Expectation::Violated && meant.iter().any(violated);
        let chosen: Vec<usize> = meant.into_iter().filter(|i| !some || violated(i)).collect();
        for index in chosen {
            let property = &mut result.properties[index];
            property.expected = Some(one.expect);
            property.expected_because = one.reason.clone();
        }
    }
    result.exit = policy.apply(result.judge(policy)).code();
}

fn missing(expected: &Expected, properties: &[PropertyResult]) -> Note {
    let names: Vec<&str> = properties.iter().map(|property| property.id.as_str()).collect();
    let more = if names.len() > 20 { ", .." } else { "" };
    let list = names.iter().take(20).copied().collect::<Vec<_>>().join(", ");
    Note {
        code: "EP1008".to_owned(),
        severity: NoteSeverity::Error,
        message: format!(
            "{} expects something of `{}`, which is no property of this model",
            expected.place, expected.name
        ),
        span: None,
        label: None,
        related: Vec::new(),
        help: Some(format!("there are: {list}{more}")),
        denied: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::empty_result;
    use everypath_model::Sources;
    use everypath_render::expected::unmet;

    fn result(verdicts: &[(PropertyKind, &str, Verdict)]) -> RunResult {
        let mut result = empty_result(&Sources::default(), "promela");
        result.scope.complete = true;
        result.verdict = Verdict::Holds;
        for &(kind, id, verdict) in verdicts {
            result.properties.push(PropertyResult::new(kind, id, id, verdict));
            result.verdict = result.verdict.and(verdict);
        }
        result
    }

    fn expected(name: &str, expect: Expectation) -> Expected {
        let reason = Some("an example".to_owned());
        Expected { name: name.to_owned(), expect, reason, place: "everypath.toml:3".to_owned() }
    }

    #[test]
    fn expectations_decide_the_exit() {
        use Expectation::{Holds as H, Violated as V};
        use PropertyKind::{Assertion, Deadlock, Ltl};
        use Verdict::{Holds, Violated};
        let unknown = Verdict::Unknown(everypath_verdict::Reason::Unsupported);
        let properties = |a, b, c, d| {
            [(Assertion, "assert@1:2", a), (Assertion, "assert@3:4", b), (Deadlock, "deadlock", c)]
                .into_iter()
                .chain([(Ltl, "ltl:served", d)])
                .collect::<Vec<_>>()
        };
        for (verdicts, expectations, exit) in [
            (properties(Violated, Holds, Holds, Holds), vec![], 1),
            (properties(Violated, Holds, Holds, Holds), vec![("assert@1:2", V)], 0),
            (properties(Violated, Holds, Holds, Holds), vec![("assert@3:4", V)], 1),
            (properties(Violated, Holds, Holds, Holds), vec![("assertions", V)], 0),
            (properties(Violated, Holds, Holds, Holds), vec![("assertions", H)], 1),
            (properties(Violated, Holds, Violated, Holds), vec![("assertions", V)], 1),
            (
                properties(Violated, Holds, Violated, Holds),
                vec![("assertions", V), ("deadlock", V)],
                0,
            ),
            (properties(Holds, Holds, Holds, Holds), vec![("assertions", V)], 1),
            (properties(Holds, Holds, Holds, Holds), vec![("deadlock", H)], 0),
            (properties(Violated, Holds, Holds, unknown), vec![("assertions", V)], 3),
            (properties(Holds, Holds, Holds, Violated), vec![("served", V)], 0),
            (properties(Holds, Holds, Holds, unknown), vec![("served", V)], 3),
            (properties(Holds, Holds, Holds, Holds), vec![("fnord", V)], 2),
        ] {
            let mut result = result(&verdicts);
            let all: Vec<Expected> =
                expectations.iter().map(|&(name, expect)| expected(name, expect)).collect();
            apply(&mut result, &all, &Policy::default());
            let got = result.judge(&Policy::default()).code();
            assert_eq!(got, exit, "{verdicts:?} {expectations:?}");
        }
    }

    #[test]
    fn an_unmet_expectation_is_told_with_its_reason() {
        let mut result = result(&[(PropertyKind::Deadlock, "deadlock", Verdict::Holds)]);
        apply(&mut result, &[expected("deadlock", Expectation::Violated)], &Policy::default());
        assert_eq!(
            unmet(&result, &Policy::default()).unwrap(),
            "deadlock is expected to be violated (an example), but it holds"
        );
    }
}
