//! Native code takes the same steps as the interpreter: on every model of the tests, the examples
//! and the benchmark, and on random ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use everypath_conformance::agree::{
    Agreement, agree, agree_beside, agree_later, machine, machine_with,
};
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

/// When the code will be there nobody knows, but in half a minute it is.
#[test]
fn while_code_is_made_beside() {
    for path in models("crates/xtask/bench") {
        let source = fs::read_to_string(&path).expect("readable");
        let machine = machine(&source, &path).expect("a model");
        let start = Instant::now();
        loop {
            let agreement = agree_beside(machine.clone(), 100, 20_000).expect("agreement");
            if agreement.coverage.native > 0 {
                break;
            }
            assert!(start.elapsed().as_secs() < 30, "not compiled: {}", path.display());
        }
    }
}

#[test]
fn on_random_models() {
    let sum = random(1, 300, 500);
    assert!(sum.states > 10_000, "{sum:?}");
    assert!(sum.coverage.native > sum.coverage.interpreted, "{sum:?}");
}

/// Conditions that hold, that do not, and that cannot be evaluated in some states: each alone, so
/// that native code cannot say yes to one for another.
#[test]
fn on_invariants() {
    let source = "
        typedef Call { bool up; byte at[3] }
        Call call[2];
        mtype = { IDLE, BUSY };
        mtype mode = IDLE;
        short level = -2;
        byte i, turns;
        chan q = [2] of { byte, mtype };
        active [2] proctype P() {
            byte mine;
            do
            :: turns < 6 -> atomic { turns++; mine = turns % 3; level = level + 1 }
               work: q!mine,BUSY; call[_pid].up = !call[_pid].up
            :: q?i,mode -> call[i % 2].at[i % 3]++
            :: turns == 6 -> break
            od
        }";
    let mut sum = Agreement::default();
    for text in [
        "turns <= 6",
        "turns < 4",
        "level >= -2 && level < 3",
        "len(q) < 2",
        "nempty(q) || mode == IDLE",
        "full(q)",
        "call[i % 2].at[i] < 2",
        "call[i].up == 0",
        "12 / (turns - 3) != 4",
        "P[0]:mine != 2",
        "!(P[0]@work && P[1]@work)",
        "_nr_pr == 2",
        "(turns > 2 -> level > 0 : level < 1)",
        "(level ^ 5) << 1 != 8",
    ] {
        let machine = machine_with(source, Path::new("m.pml"), &[text]).expect("a model");
        let agreement = agree(machine, 20_000).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert!(agreement.states > 500, "{text}: {agreement:?}");
        sum.violations += agreement.violations;
        sum.confirmations += agreement.confirmations;
    }
    assert!(sum.violations > 1000 && sum.confirmations > 1000, "{sum:?}");
}
