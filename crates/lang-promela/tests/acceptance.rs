//! What is accepted and refused, compared with SPIN where it is installed.
//!
//! `data/snippets.txt` has one model a section. The header says what we do: `accept`, `warn CODE`
//! or `reject CODE`; `unlike SPIN: reason` marks the deliberate differences.

mod support;

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use everypath_model::Severity;
use everypath_testkit::needs;

const SNIPPETS: &str = include_str!("data/snippets.txt");

/// Complaints after which SPIN goes on and writes a verifier that can be used.
const HARMLESS: &[&str] = &[
    "missing array index",
    "redeclared",
    "cannot use an array list",
    "place initialized chan decl",
    "only an unsigned can have",
    "unsigned without width",
    "unknown print",
    "dubious",
    "max nr of processes",
    "appears twice",
    "cannot :hide",
    "redefined",
    "placed incorrectly",
    "bad label-name",
    "on a guard",
    "defines local",
    "exceeds end-value",
    "array with itself",
    "type error",
    "is type",
    "inside d_step - ignored",
    "in d_step (ignored)",
];

fn word(header: &str) -> &str {
    header.split_whitespace().next().unwrap_or("")
}

#[test]
fn snippets_are_judged_as_noted() {
    let mut wrong = Vec::new();
    for (header, text) in support::sections(SNIPPETS) {
        let (sources, parsed) = support::read(text);
        let first = |severity| parsed.diagnostics.iter().find(|d| d.severity == severity);
        let got = if parsed.model.is_none() {
            format!("reject {}", first(Severity::Error).map_or("", |d| d.code))
        } else if let Some(warning) = first(Severity::Warning) {
            format!("warn {}", warning.code)
        } else {
            "accept".to_string()
        };
        let noted = header.split(" unlike SPIN").next().unwrap_or(header);
        if got.trim() != noted.trim() {
            let shown: Vec<_> =
                parsed.diagnostics.iter().map(|d| support::show(&sources, d)).collect();
            wrong.push(format!("{header}: got {got}\n{text}\n{}\n", shown.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn spin_judges_alike() {
    if !needs::program("spin") {
        return;
    }
    let sections = support::sections(SNIPPETS);
    assert!(sections.len() >= 150);
    let dir = std::env::temp_dir().join(format!("everypath-accept-{}", std::process::id()));
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(4, |n| n.get()).min(16);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers)
            .map(|worker| {
                let (sections, next, dir) = (&sections, &next, dir.join(worker.to_string()));
                scope.spawn(move || {
                    std::fs::create_dir_all(&dir).expect("a directory for spin");
                    let mut wrong = Vec::new();
                    while let Some((header, text)) =
                        sections.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let ours = word(header) != "reject";
                        let differs = header.contains("unlike SPIN");
                        let (spin, output) = spin_accepts(&dir, text);
                        if (ours == spin) == differs {
                            wrong.push(format!("{header}, spin accepts: {spin}\n{text}\n{output}"));
                        }
                    }
                    wrong
                })
            })
            .collect();
        handles.into_iter().flat_map(|h| h.join().expect("a worker")).collect()
    });
    std::fs::remove_dir_all(&dir).ok();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether SPIN makes a verifier without a complaint that matters.
fn spin_accepts(dir: &Path, text: &str) -> (bool, String) {
    let verifier = dir.join("pan.c");
    std::fs::remove_file(&verifier).ok();
    std::fs::write(dir.join("m.pml"), text).expect("the model for spin");
    let output =
        Command::new("spin").args(["-a", "m.pml"]).current_dir(dir).output().expect("spin runs");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    let serious = said
        .lines()
        .filter(|l| l.contains("Error") || l.contains("error"))
        .any(|l| !HARMLESS.iter().any(|h| l.contains(h)));
    // A crash has no status.
    let crashed = output.status.code().is_none();
    (verifier.exists() && !serious && !crashed, said)
}
