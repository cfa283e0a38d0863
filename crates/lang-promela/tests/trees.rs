//! Syntax trees and messages, compared with the noted ones.
//!
//! Set `EVERYPATH_BLESS=1` to write the current ones into the data files.

mod support;

use std::fmt::Write as _;

fn check(file: &str) {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("the data file");
    let bless = std::env::var_os("EVERYPATH_BLESS").is_some();
    let (mut blessed, mut wrong) = (String::new(), Vec::new());
    for (name, body) in support::sections(&text) {
        let (input, expected) = body.split_once("\n=>").unwrap_or((body, ""));
        let (sources, parsed) = support::read(input);
        let mut got = String::new();
        for diagnostic in &parsed.diagnostics {
            writeln!(got, "{}", support::show(&sources, diagnostic)).expect("text");
        }
        if let Some(model) = &parsed.model {
            got += &support::dump::model(model);
        }
        if got.trim() != expected.trim() {
            wrong.push(format!("{name}\n{input}\n--- got\n{got}--- noted{expected}\n"));
        }
        write!(blessed, "## {name}\n{input}\n=>\n{got}\n").expect("text");
    }
    if bless {
        std::fs::write(&path, blessed).expect("the data file");
        return;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn trees_are_as_noted() {
    check("trees.txt");
}

#[test]
fn messages_are_as_noted() {
    check("messages.txt");
}

#[test]
fn codes_are_unique_and_sorted() {
    let codes: Vec<_> = everypath_lang_promela::CODES.iter().map(|c| c.0).collect();
    let mut sorted = codes.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(codes, sorted);
}
