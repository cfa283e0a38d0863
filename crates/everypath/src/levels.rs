//! `--deny` and `--allow`: which findings count.

use everypath_lang_promela::lint::{self, Lint};
use everypath_model::{Diagnostic, Severity, most_similar};

/// One word of `--deny` or `--allow`.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// A lint.
    Lint(&'static Lint),
    /// What is a warning or an error.
    Warnings,
    /// Everything.
    All,
}

/// Reads a word: the name or the code of a lint, `warnings` or `all`.
pub fn parse_rule(text: &str) -> Result<Rule, String> {
    match text {
        "warnings" => return Ok(Rule::Warnings),
        "all" => return Ok(Rule::All),
        _ => {}
    }
    lint::find(text).map(Rule::Lint).ok_or_else(|| {
        let names = || lint::ALL.iter().map(|lint| lint.name);
        let near = most_similar(text, names()).or_else(|| names().find(|n| n.contains(text)));
        let near = near.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
        format!("there is no lint `{text}`{near} (`everypath explain` lists all)")
    })
}

impl Rule {
    fn covers(self, finding: &Diagnostic) -> bool {
        match self {
            Rule::Lint(lint) => lint.code == finding.code,
            Rule::Warnings => finding.severity >= Severity::Warning,
            Rule::All => true,
        }
    }
}

/// Which findings are errors and which are left out.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    /// `--deny`
    pub deny: Vec<Rule>,
    /// `--allow`, which is stronger.
    pub allow: Vec<Rule>,
}

impl Levels {
    /// The finding at its level; `None` if it is allowed. A denied finding is an error.
    pub fn apply(&self, mut finding: Diagnostic) -> Option<Diagnostic> {
        if self.allow.iter().any(|rule| rule.covers(&finding)) {
            return None;
        }
        if self.denies(&finding) {
            finding.severity = Severity::Error;
        }
        Some(finding)
    }

    /// Whether a finding is denied.
    pub fn denies(&self, finding: &Diagnostic) -> bool {
        self.deny.iter().any(|rule| rule.covers(finding))
    }

    /// Whether some finding of a lint may be denied.
    pub fn concerns(&self, name: &str) -> bool {
        self.deny.iter().any(|rule| match rule {
            Rule::Lint(lint) => lint.name == name,
            Rule::Warnings | Rule::All => true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use everypath_model::{FileId, Span};

    fn finding(severity: Severity, code: &'static str) -> Diagnostic {
        Diagnostic::new(severity, code, Span::new(FileId(0), 0, 1), "x")
    }

    fn rules(words: &[&str]) -> Vec<Rule> {
        words.iter().map(|word| parse_rule(word).unwrap()).collect()
    }

    #[test]
    fn denied_findings_are_errors_and_allowed_ones_are_gone() {
        let levels = Levels { deny: rules(&["warnings"]), allow: rules(&["unsent-channel"]) };
        let level = |d| levels.apply(d).map(|d| d.severity);
        assert_eq!(level(finding(Severity::Warning, "EP1605")), Some(Severity::Error));
        assert_eq!(level(finding(Severity::Note, "EP1613")), Some(Severity::Note));
        assert_eq!(level(finding(Severity::Warning, "EP1604")), None);
        let levels = Levels { deny: rules(&["ep1613"]), allow: Vec::new() };
        assert!(levels.denies(&finding(Severity::Note, "EP1613")));
        assert!(levels.concerns("blocking-atomic") && !levels.concerns("unreached"));
    }

    #[test]
    fn unknown_names_are_refused_with_a_suggestion() {
        let error = parse_rule("unsent").unwrap_err();
        assert!(error.contains("did you mean `unsent-channel`?"), "{error}");
        assert!(parse_rule("EP0101").is_err());
    }
}
