//! Native code takes the same steps as the interpreter: on every model of the tests, the examples
//! and the benchmark, and on random ones.

use std::fs;
use std::path::{Path, PathBuf};

use everypath_conformance::agree::{Agreement, agree, agree_later, machine};
use everypath_testkit::generate;

fn models(dir: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(dir);
    let mut files: Vec<PathBuf> =
        fs::read_dir(&dir).expect("readable").flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "pml"));
    files.sort();
    assert!(!files.is_empty(), "no models in {}", dir.display());
    files
}

/// Compares all, and tells what differs.
fn compare(models: impl Iterator<Item = (String, String, PathBuf)>, states: usize) -> Agreement {
    let mut sum = Agreement::default();
    let mut wrong = Vec::new();
    for (name, source, path) in models {
        let Some(machine) = machine(&source, &path) else { continue };
        match agree(machine, states) {
            Ok(agreement) => {
                sum.states += agreement.states;
                sum.steps += agreement.steps;
                sum.coverage.native += agreement.coverage.native;
                sum.coverage.interpreted += agreement.coverage.interpreted;
            }
            Err(why) => wrong.push(format!("{name}: {why}")),
        }
    }
    println!("{sum:?}");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    sum
}

fn files(dir: &str, states: usize) -> Agreement {
    compare(
        models(dir).into_iter().map(|path| {
            let source = String::from_utf8_lossy(&fs::read(&path).expect("readable")).into_owned();
            (path.display().to_string(), source, path)
        }),
        states,
    )
}

fn random(from: u64, count: u64, states: usize) -> Agreement {
    compare(
        (from..from + count).map(|seed| {
            (format!("seed {seed}"), generate::model(seed).text, PathBuf::from("m.pml"))
        }),
        states,
    )
}

#[test]
fn on_annotated_models() {
    let sum = files("tests/models/promela", 5_000);
    assert!(sum.states > 10_000, "{sum:?}");
    assert!(sum.coverage.native > sum.coverage.interpreted, "{sum:?}");
}

#[test]
fn on_examples() {
    let sum = files("examples/promela", 5_000);
    assert!(sum.states > 10_000, "{sum:?}");
}

#[test]
fn on_benchmarks() {
    let sum = files("crates/xtask/bench", 20_000);
    assert!(sum.states > 50_000, "{sum:?}");
}

#[test]
fn when_compiled_late() {
    for path in models("crates/xtask/bench") {
        let source = fs::read_to_string(&path).expect("readable");
        let machine = machine(&source, &path).expect("a model");
        let agreement = agree_later(machine.clone(), 100, 50).expect("agreement");
        assert_eq!(agreement.coverage.native, 0, "not compiled yet: {}", path.display());
        let agreement = agree_later(machine, 100, 1000).expect("agreement");
        assert!(agreement.coverage.native > 0, "compiled: {}", path.display());
    }
}

#[test]
fn on_random_models() {
    let sum = random(1, 300, 500);
    assert!(sum.states > 10_000, "{sum:?}");
    assert!(sum.coverage.native > sum.coverage.interpreted, "{sum:?}");
}
