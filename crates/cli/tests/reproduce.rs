//! Failing runs on the real virtual machine.

use everypath_testkit::needs;
use std::process::{Command, Output};

fn everypath(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_everypath"))
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .args(args)
        .output()
        .unwrap()
}

/// Checks an example and makes its first failure happen.
fn reproduced(name: &str, more: &[&str]) -> (Option<i32>, String) {
    let trace = std::env::temp_dir().join(format!("everypath-{name}-{}.json", std::process::id()));
    let out = format!("json={}", trace.display());
    let program = format!("examples/java/{name}.java");
    let check = ["check", &program, "--no-save", "--no-config", "-q", "-o", &out];
    let checked =
        everypath(&[&check[..], &["--only", "assertions", "--only", "deadlock"]].concat());
    assert_eq!(checked.status.code(), Some(1), "{name}: {checked:?}");
    let path = trace.display().to_string();
    let replayed = everypath(&["replay", &path]);
    assert_eq!(replayed.status.code(), Some(1), "{name}: {replayed:?}");
    let output = everypath(&[&["reproduce", &path], more].concat());
    std::fs::remove_file(trace).unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

/// Runs that hardly ever come up by themselves. A machine that is busy may spoil one of them.
#[test]
fn failing_runs_fail_on_the_jvm() {
    if !needs::javac() {
        return;
    }
    for (name, shows) in [
        ("Counter", "java.lang.AssertionError: total "),
        ("LostWakeUp", "threads wait for ever"),
        ("FourLocks", "threads wait for each other"),
        ("DiningPhilosophers", "threads wait for each other"),
        ("CheckThenAct", "Exception in thread"),
        ("ConnectionPool", "has two users"),
        ("PetersonBroken", "java.lang.AssertionError"),
        ("AbaStack", "java.lang.AssertionError"),
    ] {
        let mut said = String::new();
        let failed = (0..3).any(|_| {
            let (code, text) = reproduced(name, &[]);
            said = text;
            code == Some(1)
        });
        assert!(failed, "{name}: {said}");
        assert!(said.contains("the run fails on the JVM"), "{name}: {said}");
        assert!(said.contains(shows), "{name}: {said}");
    }
}

#[test]
fn what_runs_it_can_be_kept() {
    if !needs::javac() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("everypath-repro-{}", std::process::id()));
    let (code, text) = reproduced("BankTransfer", &["-o", folder.to_str().unwrap(), "--no-run"]);
    assert_eq!(code, Some(0), "{text}");
    let output = Command::new("sh").arg(folder.join("run.sh")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("threads wait for each other"), "{said}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_cannot_be_forced_is_said() {
    let trace = std::env::temp_dir().join(format!("everypath-no-{}.json", std::process::id()));
    let out = format!("json={}", trace.display());
    let path = trace.display().to_string();
    let model = "examples/promela/counter.pml";
    let checked = everypath(&["check", model, "--no-save", "--no-config", "-q", "-o", &out]);
    assert_eq!(checked.status.code(), Some(1), "{checked:?}");
    let output = everypath(&["reproduce", &path]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let output = everypath(&["reproduce", "no-such-trace.json"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    if !needs::javac() {
        return;
    }
    let race =
        ["check", "examples/java/TwoLocks.java", "--only", "races", "--no-save", "--no-config"];
    everypath(&[&race[..], &["-q", "-o", &out]].concat());
    let output = everypath(&["reproduce", &path]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("a data race shows in no single run"));
    std::fs::remove_file(trace).unwrap();
}
