//! `everypath flow`: answers, names of constraints, and what is wrong with an input.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn flow(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
    command.arg("flow").args(args).current_dir(root()).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

const FORKS: &str = "examples/flow/philosophers.flow";
const TWICE: &str = "examples/flow/raised-twice.qre";

#[test]
fn constraints_decide() {
    let all = ["var:fork1.isUp", "task:p1", "task:p2", "monitor:fork1"];
    for count in 0..=all.len() {
        let mut args = vec![FORKS, "--property", TWICE];
        all[..count].iter().for_each(|one| args.extend(["--constraint", one]));
        for more in [&[][..], &["--whole"], &["--mode", "quick"], &["--mode", "proof"]] {
            let output = flow(&[&args, more].concat());
            let expected = if count == all.len() { 0 } else { 3 };
            assert_eq!(code(&output), expected, "{count} {more:?} {}", stdout(&output));
            let path = stdout(&output).contains("  path:\n");
            assert_eq!(path, expected == 3 && more != ["--mode", "proof"]);
        }
    }
}

#[test]
fn the_document_lists_what_the_proof_relies_on() {
    let output = flow(&[FORKS, "--property", TWICE, "--refine", "auto", "--format", "json"]);
    assert_eq!(code(&output), 0);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["verdict"], "holds");
    assert_eq!(document["properties"][0]["id"], "events:raised-twice");
    let assumptions = document["scope"]["assumed"].as_array().unwrap();
    assert_eq!(assumptions.len(), 4, "{assumptions:?}");
    let output = flow(&[FORKS, "--property", TWICE, "--format", "json"]);
    assert_eq!(code(&output), 3);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["verdict"], "unknown");
    assert_eq!(document["reason"], "abstraction");
    assert_eq!(document["properties"][0]["span"]["start"][0], 15);
}

#[test]
fn assumptions_by_hand_are_named() {
    let dir = std::env::temp_dir().join(format!("everypath-flow-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let assumed = dir.join("once.qre");
    std::fs::write(&assumed, "for events { fork1.up } show all executions satisfy fork1.up?")
        .unwrap();
    let file = assumed.to_str().unwrap();
    let output = flow(&[FORKS, "--property", TWICE, "--assume", file]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert!(stdout(&output).contains("once.qre (not proved)"), "{}", stdout(&output));
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn programs_are_shown() {
    let program = stdout(&flow(&[FORKS, "--show", "program"]));
    assert!(program.contains("proc up(f) {\n  local success\n"), "{program}");
    let graph = stdout(&flow(&[FORKS, "--show", "graph"]));
    assert!(graph.contains("\nlocks: fork1, fork2\n"), "{graph}");
    assert!(graph.contains("success1_2"), "{graph}");
    assert!(stdout(&flow(&[FORKS, "--show", "dot"])).starts_with("digraph flow {"));
}

#[test]
fn what_is_wrong_is_told_with_its_code() {
    let qre = "for events { fork1.up } show all executions satisfy fork1.up?";
    for (args, part) in [
        (&[FORKS][..], "nothing to prove"),
        (&["nothing.flow", "--qre", qre], "EP1001"),
        (&["README.md", "--qre", qre], "EP1801"),
        (&[FORKS, "--qre", "for"], "EP1704"),
        (&[FORKS, "--qre", qre, "--constraint", "task:p9"], "no thread `p9`"),
        (&[FORKS, "--qre", qre, "--constraint", "var:x"], "EP1803"),
        (&[FORKS, "--qre", qre, "--constraint", "p1"], "none of task:NAME"),
    ] {
        let output = flow(args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(stderr(&output).contains(part), "{args:?}: {}", stderr(&output));
    }
    let qre = "for events { nobody } show all executions satisfy nobody?";
    let output = flow(&[FORKS, "--qre", qre]);
    assert!(stderr(&output).contains("no event `nobody`"), "{}", stderr(&output));
}
