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
    let qre = "for events { nobody, fork1.up } show all executions satisfy (nobody? ; fork1.up)*";
    let output = flow(&[FORKS, "--qre", qre]);
    assert!(stderr(&output).contains("no event `nobody`"), "{}", stderr(&output));
    let qre = "for events { nobody } show all executions satisfy nobody?";
    let output = flow(&[FORKS, "--qre", qre]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("EP1805"), "{}", stderr(&output));
}

/// Whether there is a JDK; the reason is printed where there is none.
fn has_jdk() -> bool {
    let found = Command::new("javac").arg("-version").output().is_ok();
    if !found {
        eprintln!("not run: there is no javac");
    }
    found
}

const JAVA: &str = "examples/flow/Philosophers.java";
const RULES: &str = "examples/flow/philosophers.events";
const ALTERNATELY: &str = "for events { read, write } show all executions satisfy (read ; write)*";

#[test]
fn java_programs_are_proved() {
    if !has_jdk() {
        return;
    }
    let output = flow(&[JAVA, "--events", RULES, "--property", TWICE, "--refine", "auto"]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let text = stdout(&output);
    assert!(
        text.contains("proved under task:p1, task:p2, var:fork1.isUp, monitor:fork1"),
        "{text}"
    );
    assert!(text.contains("assumed: class initialisers run first"), "{text}");
    let formula = "[] (fork1.up -> (fork1.down R !fork2.down))";
    let args = ["check", JAVA, "--engine", "flow", "--ltl", formula];
    let rules = [
        "--event=fork1.up=assign Fork.isUp = true on fork1 in p1",
        "--event=fork1.down=exit Fork.down on fork1 in p1",
        "--event=fork2.down=exit Fork.down on fork2 in p1",
    ];
    let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
    let output = command.args(args).args(rules).current_dir(root()).output().unwrap();
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn java_programs_are_run_to_confirm_a_path() {
    if !has_jdk() {
        return;
    }
    let args = ["examples/flow/Counter.java", "--qre", ALTERNATELY, "--refine", "auto"];
    let output = flow(&args);
    let text = stdout(&output);
    assert_eq!(code(&output), 1, "{text}{}", stderr(&output));
    assert!(text.contains("violated  qre     a run violates it\n"), "{text}");
    assert!(text.contains("\n  run:\n    one "), "{text}");
    let output = flow(&[&args[..], &["--format", "json"]].concat());
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["verdict"], "violated");
    assert!(!document["properties"][0]["trace"]["steps"].as_array().unwrap().is_empty());
    let output = flow(&[&args[..], &["--format", "sarif"]].concat());
    assert_eq!(code(&output), 1);
    let log: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "EP0206");
    let output = flow(&[&args[..], &["--format", "junit"]].concat());
    assert!(stdout(&output).contains("<failure"), "{}", stdout(&output));
    // Without runs the path stays a path.
    assert_eq!(code(&flow(&[&args[..], &["--confirm", "0"]].concat())), 3);
}

#[test]
fn models_are_run_to_confirm_a_path() {
    // Its neighbour takes the fork, too.
    let pattern = "absence after; P = up.1; Q = Philosopher1.start";
    let args = ["examples/flow/forks.pml", "--pattern", pattern, "--refine", "auto"];
    for runs in ["all", "ending"] {
        let output = flow(&[&args[..], &["--runs", runs, "--format", "json"]].concat());
        assert_eq!(code(&output), 1, "{}{}", stdout(&output), stderr(&output));
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["verdict"], "violated");
        assert!(!document["properties"][0]["trace"]["steps"].as_array().unwrap().is_empty());
    }
    assert_eq!(code(&flow(&[&args[..], &["--confirm", "0"]].concat())), 3);
}

#[test]
fn what_is_wrong_with_rules_is_named() {
    let output = flow(&[JAVA, "--event", "fly x => y", "--qre", ALTERNATELY]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("EP1804"), "{}", stderr(&output));
    let output = flow(&[FORKS, "--event", "call x => y", "--property", TWICE]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("a flow graph names its events itself"));
    if has_jdk() {
        let output = flow(&[JAVA, "--qre", ALTERNATELY]);
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains("EP1805"), "{}", stderr(&output));
    }
}

#[test]
fn check_refuses_what_the_analysis_would_ignore() {
    let check = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
        let args = ["check", "--engine", "flow", FORKS, "--fsa", TWICE];
        command.args(args).args(more).current_dir(root()).output().unwrap()
    };
    assert_eq!(code(&check(&["--color", "never"])), 0, "{}", stderr(&check(&[])));
    let output = check(&["--states", "100"]);
    assert_eq!(code(&output), 2);
    assert_eq!(stderr(&output), "error: --engine flow has no use for --states\n");
}

#[test]
fn promela_models_are_proved() {
    let model = "examples/flow/forks.pml";
    let output = flow(&[model, "--property", "examples/flow/forks.qre", "--refine", "auto"]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    // Who raises a fork is not told apart, and it may be the second philosopher.
    let formula = "[] (up.1 -> <> Philosopher1.start)";
    let output = flow(&[model, "--ltl", formula, "--refine", "auto"]);
    assert_eq!(code(&output), 1, "{}{}", stdout(&output), stderr(&output));
    let output = flow(&[model, "--pattern", "existence; P = "]);
    assert_eq!(code(&output), 2, "{}{}", stdout(&output), stderr(&output));
}
