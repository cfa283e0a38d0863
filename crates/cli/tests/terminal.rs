//! Colours, widths, plain text and readers that go away: the same rules for every command.

mod project;

use std::process::Stdio;

use project::{HOLDS, Project, Run, VIOLATED};

/// A command with what its output may look like.
struct Case {
    args: &'static [&'static str],
    code: i32,
    /// Whether it uses colours if it may.
    colors: bool,
    /// Whether it is laid out for a page, so that `COLUMNS` counts.
    page: bool,
}

const fn case(args: &'static [&'static str], code: i32, colors: bool, page: bool) -> Case {
    Case { args, code, colors, page }
}

const CASES: &[Case] = &[
    case(&["check", "violated.pml"], 1, true, true),
    case(&["check", "holds.pml"], 0, true, true),
    case(&["check", "broken.pml"], 2, true, true),
    case(&["check", "holds.pml", "violated.pml", "-v"], 1, true, true),
    case(&["check", "violated.pml", "--format", "concise"], 1, true, false),
    case(&["check", "violated.pml", "--format", "json"], 1, false, false),
    case(&["check", "violated.pml", "--format", "jsonl"], 1, false, false),
    case(&["check", "violated.pml", "--format", "sarif"], 1, false, false),
    case(&["check", "violated.pml", "--format", "junit"], 1, false, false),
    case(&["check", "violated.pml", "--show-config"], 0, true, false),
    case(&["show", "last"], 0, true, true),
    case(&["explain", "last"], 0, true, true),
    case(&["diff", "last", "last"], 0, true, true),
    case(&["replay", "last"], 1, true, true),
    case(&["sim", "violated.pml", "--seed", "1"], 1, false, true),
    case(&["doctor"], 0, true, true),
    case(&["doctor", "--format", "json"], 0, false, false),
    case(&["schema", "trace"], 0, false, false),
    case(&["completions", "bash"], 0, false, false),
    case(&["man", "check"], 0, false, false),
    case(&["init", "--stdout"], 0, false, false),
];

fn project() -> Project {
    let project = Project::new(&[
        ("holds.pml", HOLDS),
        ("violated.pml", VIOLATED),
        ("broken.pml", "byte größe;\nactive proctype P() { brake }\n"),
    ]);
    assert_eq!(project.run(&["check", "violated.pml"]).code, 1);
    project
}

fn run(project: &Project, case: &Case, variables: &[(&str, &str)], more: &[&str]) -> Run {
    let args: Vec<&str> = case.args.iter().chain(more).copied().collect();
    let mut command = project.command(&args);
    // The keeping of runs has tests of its own, and `show last` is to show the same.
    command.env("EVERYPATH_SAVE", "0");
    command.envs(variables.iter().copied());
    let run = Run::of(command.output().unwrap());
    assert_eq!(run.code, case.code, "{args:?}: {}{}", run.out, run.err);
    run
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let project = project();
    for case in CASES {
        let colored = |variables: &[(&str, &str)], more: &[&str]| {
            let run = run(&project, case, variables, more);
            assert!(!run.err.contains('\x1b') || !variables.is_empty() || !more.is_empty());
            run.out.contains('\x1b')
        };
        let args = case.args;
        assert!(!colored(&[], &[]), "{args:?} in a pipe");
        assert!(!colored(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], &[]), "{args:?} NO_COLOR");
        assert_eq!(colored(&[("CLICOLOR_FORCE", "1")], &[]), case.colors, "{args:?} forced");
        if case.colors {
            assert!(colored(&[("NO_COLOR", "1")], &["--color=always"]), "{args:?} always");
            assert!(!colored(&[("CLICOLOR_FORCE", "1")], &["--color=never"]), "{args:?} never");
        }
    }
}

#[test]
fn pages_keep_to_their_width_and_to_ascii() {
    let project = project();
    for case in CASES.iter().filter(|case| case.page) {
        for width in [60, 61, 72, 80, 100, 132] {
            let width_text = width.to_string();
            let run = run(&project, case, &[("COLUMNS", &width_text)], &["--ascii"]);
            assert!(run.out.is_ascii(), "{:?}: {}", case.args, run.out);
            // Messages are left to the terminal to break, so that they can be searched for.
            let heads = ["error[", "warning[", "help: "];
            let message =
                |line: &&str| heads.iter().any(|m| line.starts_with(m)) || line.contains("^ ");
            for line in run.out.lines().filter(|line| !message(line)) {
                assert!(line.len() <= width, "{:?} at {width}: {line}", case.args);
            }
        }
    }
}

#[test]
fn a_reader_that_goes_away_changes_nothing() {
    let project = project();
    for case in CASES {
        for both in [false, true] {
            let mut command = project.command(case.args);
            command.env("EVERYPATH_SAVE", "0").stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            drop(child.stdout.take());
            if both {
                drop(child.stderr.take());
            }
            let run = Run::of(child.wait_with_output().unwrap());
            assert_eq!(run.code, case.code, "{:?}: {}", case.args, run.err);
            assert!(!run.err.contains("internal error"), "{:?}: {}", case.args, run.err);
        }
    }
}

#[test]
fn answers_and_notes_are_kept_apart() {
    let project = project();
    // The answer is the same whether or not progress is shown.
    let plain = project.run(&["check", "violated.pml", "--format", "json", "--progress=never"]);
    let shown = project.run(&["check", "violated.pml", "--format", "json", "--progress=always"]);
    assert!(plain.out.starts_with('{') && shown.out.starts_with('{'));
    assert_eq!(plain.err, "");
    // A wrong command line is no answer.
    let wrong = project.run(&["check", "--frobnicate"]);
    assert_eq!((wrong.code, wrong.out.as_str()), (2, ""));
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let project = project();
    let help = project.run(&["--help"]).out;
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let commands: Vec<&str> =
        list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"check") && commands.contains(&"man"), "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = project.run(&["completions", shell]).out;
        for command in &commands {
            assert!(text.contains(command), "{shell}: {command}");
        }
        assert!(text.contains("show-config"), "{shell}");
    }
    assert_eq!(project.run(&["man", "--dir", "pages"]).code, 0);
    for command in &commands {
        let page = project.read(&format!("pages/everypath-{command}.1"));
        assert!(page.contains(&format!(".TH everypath-{command} 1")), "{command}");
    }
    assert!(project.read("pages/everypath.1").contains(".TH everypath 1"));
    let run = project.run(&["man", "chekc"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("did you mean `check`?"), "{}", run.err);
}

#[test]
fn init_writes_what_check_understands_and_replaces_nothing() {
    let project = Project::new(&[("a.pml", HOLDS), ("m/b.pml", HOLDS), (".x/c.pml", VIOLATED)]);
    let run = project.run(&["init"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(run.out, "wrote everypath.toml with 2 models; next: everypath check\n");
    let text = project.read("everypath.toml");
    assert!(text.contains("path = \"a.pml\"") && text.contains("path = \"m/b.pml\""), "{text}");
    assert_eq!(project.run(&["check"]).last(), "2 files: 2 holds     (exit 0)");
    project.write("everypath.toml", "# mine\n");
    let run = project.run(&["init"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("everypath.toml is there already; --force replaces it"));
    assert_eq!(project.read("everypath.toml"), "# mine\n");
    assert_eq!(project.run(&["init", "--stdout"]).out, text);
    assert_eq!(project.run(&["init", "--force"]).code, 0);
    assert_eq!(project.read("everypath.toml"), text);
    // What the comments offer can be had by taking the `#` away.
    let offered: String = text
        .lines()
        .filter_map(|line| match line.strip_prefix("# ") {
            Some(setting) if setting.contains(" = ") && !setting.starts_with(' ') => Some(setting),
            Some(_) => None,
            None => Some(line),
        })
        .map(|line| format!("{line}\n"))
        .collect();
    project.write("everypath.toml", &offered);
    let run = project.run(&["check", "--show-config"]);
    assert_eq!(run.code, 0, "{}{offered}", run.err);
    // Many models get one target, and no model is none.
    for number in 0..30 {
        project.write(&format!("n/{number}.pml"), HOLDS);
    }
    assert_eq!(project.run(&["init", "n"]).code, 0);
    assert_eq!(project.run_in("n", &["check"]).last(), "30 files: 30 holds     (exit 0)");
    std::fs::create_dir(project.path.join("empty")).unwrap();
    assert_eq!(project.run(&["init", "empty"]).code, 0);
    assert_eq!(project.run(&["init", "none"]).code, 2);
}

#[test]
fn doctor_tells_what_there_is() {
    let project = project();
    let run = project.run(&["doctor", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["schema"], "everypath.doctor/1");
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    assert!(report["cpus"].as_u64().unwrap() > 0);
    assert_eq!(report["runs_writable"], true);
    let names: Vec<&str> =
        report["programs"].as_array().unwrap().iter().filter_map(|p| p["name"].as_str()).collect();
    assert_eq!(names, ["SPIN", "C compiler", "JDK"]);
    // A program that says nothing useful does no harm; without any, nothing is wrong.
    let output = project.command(&["doctor"]).env("PATH", "").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("SPIN           missing  to install: "), "{text}");
}
