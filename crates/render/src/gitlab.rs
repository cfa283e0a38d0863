//! GitLab's Code Quality report: a list of issues.

use std::collections::BTreeSet;

use everypath_verdict::{Place, sha256_hex};
use serde::Serialize;

use super::finding::{About, Finding, Level, findings, path_of, tidy};
use super::json::line;
use super::{Checked, Page};

#[derive(Serialize)]
struct Issue<'a> {
    description: &'a str,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

/// One document about all inputs.
pub fn render(page: &Page<'_>, all: &[Checked]) -> String {
    let found: Vec<(&Checked, Finding<'_>)> =
        all.iter().flat_map(|one| findings(one).into_iter().map(move |f| (one, f))).collect();
    let mut seen = BTreeSet::new();
    let issues: Vec<Issue<'_>> = found
        .iter()
        .map(|(checked, finding)| {
            let path = tidy(page.base, path_of(&checked.result, finding.place));
            Issue {
                description: &finding.message,
                check_name: finding.code,
                fingerprint: unique(&mut seen, &path, &finding.fingerprint),
                severity: severity(finding),
                location: Location { path, lines: lines(finding.place) },
            }
        })
        .collect();
    line(&issues)
}

/// An issue has to have lines: without a place it stands at the top of its file.
fn lines(place: Option<Place>) -> Lines {
    place.map_or(Lines { begin: 1, end: 1 }, |place| Lines {
        begin: place.start.0,
        end: place.end.0.max(place.start.0),
    })
}

/// GitLab merges issues with the same fingerprint.
fn unique(seen: &mut BTreeSet<String>, path: &str, fingerprint: &str) -> String {
    let hash =
        |n: u64| sha256_hex(format!("{path}\0{fingerprint}\0{n}").as_bytes())[..32].to_owned();
    let mut number = 0;
    while !seen.insert(hash(number)) {
        number += 1;
    }
    hash(number)
}

fn severity(finding: &Finding<'_>) -> &'static str {
    match (finding.level, finding.about) {
        (Level::Error, About::Input(_)) => "blocker",
        (Level::Error, _) => "critical",
        // What is not decided may be wrong.
        (Level::Warning, About::Property(_) | About::Run) => "major",
        (Level::Warning, About::Input(_)) => "minor",
        (Level::Note, _) => "info",
    }
}
