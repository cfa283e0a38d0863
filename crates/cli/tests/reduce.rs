//! `--reduce`: the same answers as without, about the model as the user wrote it.

use std::path::{Path, PathBuf};
use std::process::Command;

use everypath_verdict::{PropertyResult, RunResult};

const REDUCTIONS: [&str; 5] = ["constants", "slice", "merge", "dead", "constants,slice,merge,dead"];

fn examples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<PathBuf> = ["examples/promela", "examples/tutorial"]
        .iter()
        .flat_map(|dir| std::fs::read_dir(root.join(dir)).expect("examples").flatten())
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "pml"))
        .collect();
    files.sort();
    files
}

fn check(file: &Path, options: &[&str]) -> RunResult {
    let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(["check", "--no-save", "--no-config", "--format", "json", "--all-errors"])
        .args(options)
        .arg(file)
        .output()
        .expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("text");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// What must not depend on reductions.
fn answer(result: &RunResult) -> String {
    let property = |p: &PropertyResult| {
        let end = p.trace.as_ref().map(|trace| &trace.end.reason);
        format!("{} {:?} {:?} {:?} {end:?}\n", p.id, p.verdict, p.vacuous, p.code)
    };
    let properties: String = result.properties.iter().map(property).collect();
    format!("{:?} {} {properties}{:?}", result.verdict, result.exit, result.coverage)
}

#[test]
fn examples_have_the_same_answers_with_fewer_states() {
    let mut violated = 0;
    let mut smaller = 0;
    for file in examples() {
        let plain = check(&file, &["--reduce", "none"]);
        assert!(plain.scope.reductions.is_empty());
        for names in REDUCTIONS {
            let reduced = check(&file, &["--reduce", names]);
            assert_eq!(answer(&plain), answer(&reduced), "{} {names}", file.display());
            assert_eq!(reduced.scope.reductions.join(","), names);
            let states = |result: &RunResult| result.stats.as_ref().map_or(0, |s| s.states);
            assert!(states(&reduced) <= states(&plain), "{} {names}", file.display());
            smaller += usize::from(states(&reduced) < states(&plain));
            for property in &reduced.properties {
                let Some(trace) = &property.trace else { continue };
                violated += 1;
                // Statements and variables are those of the model: nothing is left out.
                let values: Vec<_> = trace.init.keys().collect();
                let other = plain.properties.iter().find(|p| p.id == property.id);
                let other = other.and_then(|p| p.trace.as_ref()).expect("a trace without, too");
                assert_eq!(values, other.init.keys().collect::<Vec<_>>(), "{}", file.display());
                if !names.contains("merge") {
                    assert_eq!(trace.length.moves, other.length.moves, "{}", file.display());
                }
                assert_eq!(trace.length.shortest, !names.contains("merge"));
            }
        }
    }
    assert!(violated > 40 && smaller > 30, "{violated} violations, {smaller} smaller");
}

#[test]
fn none_and_later_names_count() {
    let file = &examples()[0];
    let names = |list: &str| check(file, &["--reduce", list]).scope.reductions;
    assert!(names("merge,none").is_empty());
    assert_eq!(names("merge,none,dead,slice,dead"), ["slice", "dead"]);
}
