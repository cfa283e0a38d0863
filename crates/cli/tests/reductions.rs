//! The examples get the same verdicts with every reduction, in every order.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn examples() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "pml"));
    files.sort();
    files
}

fn check(file: &Path, options: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .arg("check")
        .arg(file)
        .args(["--format", "json", "--all-errors"])
        .args(options)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{file:?} {options:?}: {e}: {text}"))
}

/// Names and verdicts of the properties, and what was never executed.
fn answers(result: &Value) -> Value {
    let properties = result["properties"].as_array().unwrap();
    let verdicts: Vec<Value> = properties
        .iter()
        .map(|property| serde_json::json!([property["name"], property["verdict"]]))
        .collect();
    serde_json::json!([result["exit"], verdicts, result["coverage"]])
}

fn states(result: &Value) -> u64 {
    result["stats"]["states"].as_u64().unwrap()
}

#[test]
fn reductions_keep_every_answer() {
    let (mut full, mut ample, mut stubborn) = (0, 0, 0);
    for file in examples() {
        let without = check(&file, &["-j", "1"]);
        assert_eq!(without["scope"]["reductions"], serde_json::json!([]));
        full += states(&without);
        for search in [&["--search", "bfs", "-j", "1"][..], &["-j", "2"], &["--search", "dfs"]] {
            for reduce in ["ample", "stubborn", "constants,slice,merge,dead,stubborn"] {
                let mut options = vec!["--reduce", reduce];
                options.extend(search);
                let with = check(&file, &options);
                assert_eq!(answers(&with), answers(&without), "{file:?} {options:?}");
                assert!(states(&with) <= states(&without), "{file:?} {options:?}");
                match (reduce, search.len()) {
                    ("ample", 4) => ample += states(&with),
                    ("stubborn", 4) => stubborn += states(&with),
                    _ => {}
                }
            }
        }
        for proviso in ["new", "all-open", "sticky"] {
            let with = check(&file, &["--reduce", "stubborn", "--proviso", proviso]);
            assert_eq!(answers(&with), answers(&without), "{file:?} {proviso}");
        }
    }
    assert!(ample < full * 9 / 10, "{ample} of {full}");
    assert!(stubborn < ample * 9 / 10, "{stubborn} of {ample}");
}

/// What is found in a reduced search is shown as a shortest run of the whole model.
#[test]
fn runs_are_as_short_as_without() {
    let mut compared = 0;
    for file in examples() {
        let without = check(&file, &[]);
        let with = check(&file, &["--reduce", "stubborn"]);
        let pairs = without["properties"].as_array().unwrap().iter();
        for (one, other) in pairs.zip(with["properties"].as_array().unwrap()) {
            if one["verdict"] != "violated" {
                continue;
            }
            let length = |property: &Value| property["trace"]["length"]["moves"].as_u64();
            assert!(length(one).is_some(), "{file:?}");
            if other["trace"]["length"]["shortest"] == true {
                assert_eq!(length(one), length(other), "{file:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 3);
}
