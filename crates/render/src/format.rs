//! The formats in which results are written.

use everypath_model::Named;

/// What a result is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text for people.
    Full,
    /// Lines for editors.
    Concise,
    /// The document of all results.
    Json,
    /// Events, written while a search goes.
    Jsonl,
    /// Static Analysis Results Interchange Format.
    Sarif,
    /// JUnit's XML.
    Junit,
    /// GitHub's workflow commands.
    Github,
    /// GitLab's Code Quality report.
    Gitlab,
    /// A trail of SPIN.
    Trail,
}

impl Named for Format {
    const ALL: &'static [(Format, &'static str, &'static str)] = &[
        (Format::Full, "full", "For people: verdicts, traces, scope"),
        (Format::Concise, "concise", "One line a property, for editors"),
        (Format::Json, "json", "One document with everything, for programs"),
        (
            Format::Jsonl,
            "jsonl",
            "One event a line while the search goes: start, progress, finding, result, end",
        ),
        (Format::Sarif, "sarif", "SARIF 2.1.0, for code scanning"),
        (Format::Junit, "junit", "JUnit XML: a test case a property"),
        (Format::Github, "github", "Annotations in GitHub's workflow commands"),
        (Format::Gitlab, "gitlab", "GitLab's Code Quality report"),
        (Format::Trail, "trail", "The first violation as a trail that SPIN replays"),
    ];
}
