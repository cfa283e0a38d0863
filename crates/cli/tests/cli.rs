//! The program as its users meet it: arguments in, text and exit code out.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use everypath_verdict::RunResult;
use insta::assert_snapshot;

const HOLDS: &str = "byte x;\nactive proctype P() { x = 1; assert(x == 1) }\n";
const VIOLATED: &str = "byte x;\nactive proctype P() { x = 1; assert(x == 2) }\n";
const DEADLOCK: &str = "\
chan link = [0] of { byte };
chan back = [1] of { byte };
byte got;
active proctype Sender()
{
  atomic { got = 1; link!7 };
  back?0;
  link!8
}
active proctype Receiver()
{
  byte v;
  link?v;
  printf(\"got %d\\n\", v);
  back!0
}
active proctype Idle()
{
end:
  got > 5
}
";
const BROKEN: &str = "\
byte x;
active proctype P() {
  do
  :: x < 3 -> x++
  :: else -> brake
  od
}
";
const ENDLESS: &str = "int x, y;\nactive proctype P() { do :: x++ :: x - y != 1 -> y++ od }\n";
const LTL: &str = "bool p;\nchan q = [1] of { byte };\nactive proctype P() { p = true }\nltl live { <> p }\nnever { p = true }\n";

/// A directory of its own with some models in it.
struct Project {
    path: PathBuf,
}

impl Project {
    fn new() -> Project {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("everypath-cli-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        let project = Project { path };
        for (name, text) in [
            ("holds.pml", HOLDS),
            ("violated.pml", VIOLATED),
            ("deadlock.pml", DEADLOCK),
            ("broken.pml", BROKEN),
            ("endless.pml", ENDLESS),
            ("ltl.pml", LTL),
        ] {
            project.write(name, text);
        }
        project
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path.join(name), text).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
        command.args(args).current_dir(&self.path).stdin(Stdio::null());
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM"] {
            command.env_remove(name);
        }
        command
    }

    fn run(&self, args: &[&str]) -> Run {
        Run::of(self.command(args).output().unwrap())
    }

    fn check(&self, args: &[&str]) -> Run {
        let all: Vec<&str> = ["check"].iter().chain(args).copied().collect();
        self.run(&all)
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Run {
    fn of(output: Output) -> Run {
        Run {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The standard output without what differs from run to run.
    fn stable(&self) -> String {
        let mut text = String::new();
        for line in self.out.lines() {
            let depth = line.find(", depth ").filter(|_| line.contains("states"));
            match depth.and_then(|at| Some(at + 2 + line[at + 2..].find(',')?)) {
                Some(end) => {
                    text += &line[..end];
                    text += ", TIME, MEMORY";
                }
                None => text += line,
            }
            text.push('\n');
        }
        text
    }
}

#[test]
fn usage_errors_exit_with_2_and_say_what_there_is() {
    let project = Project::new();
    for (args, expected) in [
        (&["check"][..], "no FILE is given"),
        (&["chekc", "holds.pml"], "'check'"),
        (&["check", "holds.pml", "--frobnicate"], "--frobnicate"),
        (
            &["check", "holds.pml", "--reduce", "all"],
            "[possible values: none, default, constants, slice, merge, dead, ample, stubborn, symmetry, transactions, local, constant, locks, library]",
        ),
        (
            &["check", "holds.pml", "--search", "swam"],
            "[possible values: auto, bfs, dfs, directed, random, swarm, stateless]",
        ),
        (
            &["check", "holds.pml", "--format", "xml"],
            "[possible values: full, concise, json, jsonl, sarif, junit, github, gitlab, trail]",
        ),
        (&["check", "holds.pml", "-o", "xml=x"], "there are full, concise, json, jsonl, sarif"),
        (&["check", "holds.pml", "-o", "json"], "expected FMT=FILE"),
        (&["check", "holds.pml", "--time", "soon"], "expected a time such as"),
        (&["check", "holds.pml", "--mem", "lots"], "expected a size such as"),
        (&["check", "holds.pml", "--states", "0"], "out of range"),
        (&["check", "holds.pml", "--expect", "luck"], "[possible values: holds, violated]"),
        (&["check", "holds.pml", "-q", "-v"], "cannot be used with"),
        (&["explain", "EP9999"], "there is no code `EP9999`"),
        (&["schema", "fnord"], "there are result, results, trace, event"),
        (&[], "Usage"),
    ] {
        let run = project.run(args);
        assert_eq!(run.code, 2, "{args:?}: {}", run.err);
        assert!(run.err.contains(expected), "{args:?}: {}", run.err);
        assert_eq!(run.out, "", "{args:?}");
    }
}

#[test]
fn help_and_version_are_answers() {
    let project = Project::new();
    for args in [&["--help"][..], &["-h"], &["check", "--help"], &["explain", "--help"]] {
        let run = project.run(args);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}");
        assert!(run.out.contains("Usage: everypath"), "{args:?}");
    }
    let run = project.run(&["--version"]);
    assert_eq!(run.out, format!("everypath {}\n", env!("CARGO_PKG_VERSION")));
    let run = project.run(&["explain", "EP0102"]);
    assert_eq!(run.code, 0);
    assert!(run.out.starts_with("EP0102: a deadlock\n"));
}

#[test]
fn inputs_that_cannot_be_read_exit_with_2() {
    let project = Project::new();
    project.write("unknown.txt", "nothing in particular");
    std::fs::create_dir(project.path.join("models")).unwrap();
    for (args, expected) in [
        (&["missing.pml"][..], "error[EP1001]: cannot read missing.pml: no such file"),
        (&["models"], "error[EP1001]: cannot read models: it is a directory"),
        (&["unknown.txt"], "error[EP1002]: cannot tell the language of unknown.txt"),
        (&["broken.pml"], "error[EP1203]: unknown name `brake`"),
        (&["holds.pml", "-D", "=1"], "error[EP1005]: `-D =1` does not name a macro"),
        (&["holds.pml", "--only", "fnord"], "there are: assertions, deadlock, invariant"),
        (&["ltl.pml", "--only", "fnord"], "there are: assertions, deadlock, invariant, live"),
        (&["holds.pml", "--invariant", "y > 0"], "unknown name `y`"),
    ] {
        for format in ["full", "concise", "json"] {
            let all: Vec<&str> = args.iter().chain(&["--format", format]).copied().collect();
            let run = project.check(&all);
            assert_eq!(run.code, 2, "{all:?}: {}{}", run.out, run.err);
            if format == "full" {
                assert!(run.out.contains(expected), "{all:?}: {}", run.out);
                assert!(run.out.ends_with("1 error     (exit 2)\n"), "{}", run.out);
            }
        }
    }
}

#[test]
fn parse_errors_show_the_place() {
    let project = Project::new();
    assert_snapshot!("parse_error", project.check(&["broken.pml"]).out);
    assert_snapshot!("parse_error_80", project.check(&["broken.pml", "--columns=80"]).out);
    assert_snapshot!("parse_error_ascii", project.check(&["broken.pml", "--ascii"]).out);
    assert_snapshot!(
        "parse_error_60",
        project.check(&["broken.pml", "--ascii", "--columns=60"]).out
    );
}

#[test]
fn a_deadlock_shows_who_waits_for_what() {
    let project = Project::new();
    let run = project.check(&["deadlock.pml"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    assert_snapshot!("deadlock", run.stable());
    let run = project.check(&["deadlock.pml", "--columns", "80", "--ascii", "--trace", "full"]);
    assert_snapshot!("deadlock_80_ascii", run.stable());
}

/// Input, policy, code: the same in every format.
#[test]
fn the_exit_code_does_not_depend_on_the_format() {
    let project = Project::new();
    let cases: &[(&[&str], i32)] = &[
        (&["holds.pml"], 0),
        (&["violated.pml"], 1),
        (&["deadlock.pml"], 1),
        (&["broken.pml"], 2),
        (&["ltl.pml"], 3),
        (&["endless.pml", "--states", "1000"], 3),
        (&["endless.pml", "--depth", "10"], 3),
        (&["endless.pml", "--depth", "10", "--search", "dfs"], 3),
        (&["endless.pml", "--mem", "10M"], 3),
        (&["endless.pml", "--time", "200ms"], 3),
        (&["holds.pml", "--depth", "1000"], 0),
        (&["ltl.pml", "--only", "assertions,deadlock"], 0),
        // No property, and yet not complete.
        (&["endless.pml", "--only", "assertions", "--states", "10"], 3),
        (&["violated.pml", "--only", "deadlock"], 0),
        (&["violated.pml", "--search", "dfs"], 1),
        (&["holds.pml", "--invariant", "x <= 1"], 0),
        (&["holds.pml", "--invariant", "x == 0"], 1),
        // Macros of the model and of the command line count in invariants too.
        (&["holds.pml", "-D", "MOST=1", "--invariant", "x <= MOST"], 0),
        (&["holds.pml", "-D", "MOST=0", "--invariant", "x <= MOST"], 1),
        (&["holds.pml", "--expect", "holds"], 0),
        (&["holds.pml", "--expect", "violated"], 1),
        (&["violated.pml", "--expect", "violated"], 0),
        (&["violated.pml", "--expect", "holds"], 1),
        (&["broken.pml", "--expect", "violated"], 2),
        (&["endless.pml", "--states", "1000", "--expect", "violated"], 3),
        (&["endless.pml", "--states", "1000", "--accept", "bounded"], 0),
        (&["ltl.pml", "--accept", "bounded"], 3),
        (&["violated.pml", "--accept", "bounded"], 1),
        (&["violated.pml", "--exit-zero"], 0),
        (&["endless.pml", "--states", "1000", "--exit-zero"], 0),
        (&["broken.pml", "--exit-zero"], 2),
        // One bad file never hides a violation, and nothing incomplete is 0.
        (&["holds.pml", "broken.pml"], 2),
        (&["holds.pml", "ltl.pml"], 3),
        (&["ltl.pml", "broken.pml"], 2),
        (&["broken.pml", "violated.pml"], 1),
        (&["missing.pml", "violated.pml", "ltl.pml", "holds.pml"], 1),
    ];
    for (args, code) in cases {
        for format in ["full", "concise", "json"] {
            let all: Vec<&str> = args.iter().chain(&["--format", format]).copied().collect();
            let run = project.check(&all);
            assert_eq!(run.code, *code, "{all:?}\n{}{}", run.out, run.err);
            if format == "full" {
                let last = run.out.lines().last().unwrap_or("");
                let silent = *code == 0 && !last.contains("(exit");
                assert!(silent || last.contains(&format!("(exit {code}")), "{all:?}: {last}");
            }
        }
    }
}

#[test]
fn a_changed_exit_code_is_visible() {
    let project = Project::new();
    let last = |args: &[&str]| project.check(args).out.lines().last().unwrap_or("").to_owned();
    assert_eq!(
        last(&["violated.pml", "--exit-zero"]),
        "violated: 1 of 2 properties     (exit 0 instead of 1: --exit-zero)"
    );
    assert_eq!(
        last(&["violated.pml", "--expect", "violated"]),
        "violated as expected: 1 of 2 properties     (exit 0)"
    );
    assert_eq!(
        last(&["holds.pml", "--expect", "violated"]),
        "holds, but a violation was expected     (exit 1)"
    );
    assert_eq!(
        last(&["endless.pml", "--states", "9", "--accept", "bounded"]),
        "no violation found (bounded search, accepted)     (exit 0)"
    );
}

#[test]
fn json_is_one_document() {
    let project = Project::new();
    let run = project.check(&["deadlock.pml", "--format", "json"]);
    let result: RunResult = serde_json::from_str(&run.out).unwrap();
    assert_eq!(result.schema, "everypath.result/1");
    assert_eq!(i32::from(result.exit), run.code);
    assert_eq!(run.out.lines().count(), 1);
    let trace = result.properties.iter().find_map(|property| property.trace.as_ref()).unwrap();
    assert_eq!(trace.end.blocked.len(), 3);
    let sent = trace.steps.iter().filter_map(|step| step.msg.as_ref()).next().unwrap();
    assert_eq!((sent.channel.as_str(), sent.sender, sent.receiver), ("link", Some(2), Some(3)));
    // The states that the trace tells are the ones that it was replayed through.
    assert_eq!(trace.states().last().unwrap()["got"], 1);

    let run = project.check(&["holds.pml", "broken.pml", "--format", "json"]);
    let results: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(results["schema"], "everypath.results/1");
    assert_eq!(results["results"][0]["verdict"], "holds");
    assert_eq!(results["results"][1]["verdict"], "error");
    assert_eq!(results["results"][1]["diagnostics"][0]["code"], "EP1203");

    let run = project.check(&["violated.pml", "--format", "json", "--trace", "none"]);
    let result: RunResult = serde_json::from_str(&run.out).unwrap();
    assert!(result.properties.iter().all(|property| property.trace.is_none()));
}

#[test]
fn the_same_run_prints_the_same_bytes() {
    let project = Project::new();
    let fixed = || {
        let run = project.check(&["deadlock.pml", "--format", "json"]);
        let mut result: RunResult = serde_json::from_str(&run.out).unwrap();
        result.run.wall_s = 0.0;
        result.run.peak_bytes = None;
        serde_json::to_string(&result).unwrap()
    };
    assert_eq!(fixed(), fixed());
}

#[test]
fn one_run_feeds_several_files() {
    let project = Project::new();
    let run = project.check(&["violated.pml", "-o", "json=r.json", "-o", "concise=r.txt"]);
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("error[EP0101]"));
    let read = |name: &str| std::fs::read_to_string(project.path.join(name)).unwrap();
    serde_json::from_str::<RunResult>(&read("r.json")).unwrap();
    assert_eq!(
        read("r.txt"),
        "violated.pml:2:30: violated: assertion can fail: x == 2, but x is 1 [EP0101]\n\
         violated.pml: holds: no deadlock\n"
    );
    let run = project.check(&["holds.pml", "-o", "json=no/such/dir.json"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("cannot write no/such/dir.json"), "{}", run.err);
}

#[test]
fn quiet_success_is_silent() {
    let project = Project::new();
    let run = project.check(&["holds.pml", "-q"]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
    let run = project.check(&["violated.pml", "-q"]);
    assert_eq!(run.out.lines().last(), Some("violated: 1 of 2 properties     (exit 1)"));
    assert!(!run.out.contains("step |"));
    let run = project.check(&["holds.pml", "-v"]);
    assert!(run.out.contains("transitions, "), "{}", run.out);
}

#[test]
fn colour_is_only_for_those_who_want_it() {
    let project = Project::new();
    assert!(!project.check(&["violated.pml"]).out.contains('\x1b'));
    let colored = project.check(&["violated.pml", "--color=always"]).out;
    assert!(colored.contains("\x1b[1;31merror[EP0101]\x1b[0m"), "{colored}");
    assert!(colored.contains("\x1b[1;31mFAILED\x1b[0m"), "{colored}");
    // Without the colours it is the same text.
    let mut plain = colored;
    for code in ["\x1b[1;31m", "\x1b[1;32m", "\x1b[1;33m", "\x1b[1m", "\x1b[2m", "\x1b[0m"] {
        plain = plain.replace(code, "");
    }
    let trimmed: Vec<&str> = plain.lines().map(str::trim_end).collect();
    let expected = project.check(&["violated.pml"]).out;
    let without_time = |line: &&str| !line.contains("searched:");
    assert_eq!(
        trimmed.into_iter().filter(without_time).collect::<Vec<_>>(),
        expected.lines().filter(without_time).collect::<Vec<_>>()
    );
}

#[test]
fn models_come_from_the_standard_input_too() {
    let project = Project::new();
    let mut command = project.command(&["check", "-", "--format", "concise"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(VIOLATED.as_bytes()).unwrap();
    let run = Run::of(child.wait_with_output().unwrap());
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("<stdin>:2:30: violated: "), "{}", run.out);
    assert_eq!(run.err, "note: - looks like Promela and is read as such\n");
}

#[test]
fn hostile_bytes_are_no_danger() {
    let project = Project::new();
    for (name, bytes) in [
        ("latin.pml", &b"/* gr\xf6\xdfe */ active proctype P() { skip }\n"[..]),
        ("escape.pml", b"active proctype P() { \x1b[2J }\n"),
        ("nul.pml", b"\0\0\0\0"),
        ("empty.pml", b""),
        ("open.pml", b"active proctype P() {"),
        ("bom.pml", b"\xef\xbb\xbfactive proctype P() { skip }\n"),
    ] {
        project.write(name, bytes);
        let run = project.check(&[name]);
        assert!([0, 2].contains(&run.code), "{name}: {}\n{}{}", run.code, run.out, run.err);
        assert!(!run.out.contains('\x1b') && !run.err.contains('\x1b'), "{name}");
    }
    let run = project.check(&["latin.pml"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.err.contains("warning[EP1003]: the text is not UTF-8"), "{}", run.err);
    let deep =
        format!("active proctype P() {{ x = {}1{} }}", "(".repeat(50_000), ")".repeat(50_000));
    project.write("deep.pml", deep);
    assert_eq!(project.check(&["deep.pml"]).code, 2);
}

#[test]
fn definitions_reach_the_model() {
    let project = Project::new();
    project.write("n.pml", "active proctype P() { assert(N == 3) }\n");
    assert_eq!(project.check(&["n.pml"]).code, 2);
    assert_eq!(project.check(&["n.pml", "-D", "N=3"]).code, 0);
    assert_eq!(project.check(&["n.pml", "-DN=4"]).code, 1);
    assert_eq!(project.check(&["n.pml", "-DN=3", "-U", "N"]).code, 2);
    std::fs::create_dir(project.path.join("inc")).unwrap();
    project.write("inc/n.h", "#define N 3\n");
    project.write("i.pml", "#include \"n.h\"\nactive proctype P() { assert(N == 3) }\n");
    assert_eq!(project.check(&["i.pml"]).code, 2);
    assert_eq!(project.check(&["i.pml", "-I", "inc"]).code, 0);
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_with_what_there_is() {
    let project = Project::new();
    let child = project
        .command(&["check", "endless.pml", "--format", "json", "--time", "60s", "--mem", "4G"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    let run = Run::of(child.wait_with_output().unwrap());
    assert_eq!(run.code, 3, "{}", run.err);
    let result: RunResult = serde_json::from_str(&run.out).unwrap();
    assert_eq!(result.run.stop, everypath_verdict::Stop::Interrupt);
}

#[test]
fn the_examples_get_the_verdicts_that_they_announce() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    let project = Project::new();
    let mut seen = 0;
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|e| e == "pml")) {
        let text = std::fs::read_to_string(file).unwrap();
        let Some(expect) = text.lines().find_map(|line| line.strip_prefix("// expect: ")) else {
            continue;
        };
        seen += 1;
        let only = "assertions,deadlock";
        let run = project.check(&[file.to_str().unwrap(), "--format=json", "--only", only]);
        let result: RunResult = serde_json::from_str(&run.out).unwrap();
        let word = expect.split(' ').next().unwrap();
        assert_eq!(result.verdict.word().as_str(), word, "{}: {expect}", file.display());
    }
    assert!(seen > 10, "only {seen} examples were found");
}

#[test]
fn a_step_may_have_several_faults() {
    let project = Project::new();
    let text = "byte x;\ninit { d_step { x = 1; assert(x == 2); assert(x == 3) } }\n";
    std::fs::write(project.path.join("two.pml"), text).unwrap();
    let run = project.check(&["two.pml", "--format", "concise"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("two.pml:2:24: violated: assertion can fail: x == 2, but x is 1"));
    assert!(run.out.contains("two.pml:2:40: violated: assertion can fail: x == 3, but x is 1"));
}
