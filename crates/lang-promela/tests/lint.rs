//! Lints: every example of the registry, and what must not be found.

mod support;

use everypath_lang_promela::lint::{self, ALL, Level, Lint};
use everypath_lang_promela::types::TypeOptions;
use support::{read, show};

/// The findings of a text, each as its code and a line.
fn findings(text: &str, options: TypeOptions) -> Vec<(&'static str, String)> {
    let (sources, parsed) = read(text);
    let messages: Vec<String> = parsed.diagnostics.iter().map(|d| show(&sources, d)).collect();
    let model = parsed.model.unwrap_or_else(|| panic!("{messages:?}\n{text}"));
    let report = lint::check(&model, options);
    report.findings.iter().map(|d| (d.code, show(&sources, d))).collect()
}

/// The command `lint` finds these; its tests have their examples.
const NEED_A_SEARCH: [&str; 2] = ["unreached", "vacuity"];

fn options(lint: &Lint) -> TypeOptions {
    let strict = lint.default_level == Level::Off;
    TypeOptions { strict, strict_pid: strict }
}

#[test]
fn every_example_shows_its_lint_and_nothing_else() {
    for lint in ALL.iter().filter(|lint| !NEED_A_SEARCH.contains(&lint.name)) {
        let found = findings(lint.example, options(lint));
        assert!(!found.is_empty(), "{}: nothing is found in\n{}", lint.name, lint.example);
        for (code, line) in found {
            assert_eq!(code, lint.code, "{}: {line}\n{}", lint.name, lint.example);
        }
    }
}

#[test]
fn every_corrected_example_is_clean() {
    for lint in ALL {
        let found = findings(lint.corrected, options(lint));
        assert!(found.is_empty(), "{}: {found:?}\n{}", lint.name, lint.corrected);
    }
    for name in NEED_A_SEARCH {
        let lint = lint::find(name).unwrap();
        assert!(findings(lint.example, TypeOptions::default()).is_empty());
    }
}

#[test]
fn the_registry_is_in_order() {
    for pair in ALL.windows(2) {
        assert!(pair[0].code < pair[1].code, "{} {}", pair[0].code, pair[1].code);
    }
    for lint in ALL {
        assert!(lint.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", lint.name);
        assert_eq!(lint::find(lint.name).unwrap().code, lint.code);
        assert_eq!(lint::find(&lint.code.to_lowercase()).unwrap().name, lint.name);
    }
    assert!(lint::find("no-such-lint").is_none());
}
