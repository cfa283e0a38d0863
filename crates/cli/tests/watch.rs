//! Watching, and interrupts.

#![cfg(unix)]

mod project;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use everypath_verdict::{Reason, RunResult, Stop, Verdict};
use project::{ENDLESS, HOLDS, Project, VIOLATED};

/// How long a test waits for something to happen on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program at work; the lines of both its outputs.
struct Watched {
    child: Child,
    lines: Receiver<String>,
    seen: Vec<String>,
}

impl Watched {
    fn start(project: &Project, args: &[&str]) -> Watched {
        // One pipe for both, so that the lines keep their order.
        let (output, input) = std::io::pipe().unwrap();
        let mut command = project.command(args);
        let child = command.stdout(input.try_clone().unwrap()).stderr(input).spawn().unwrap();
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Watched { child, lines, seen: Vec::new() }
    }

    /// Waits for a line with this text; the lines up to it.
    fn until(&mut self, text: &str) -> Vec<String> {
        let start = Instant::now();
        let from = self.seen.len();
        while start.elapsed() < PATIENCE {
            if let Ok(line) = self.lines.recv_timeout(Duration::from_millis(100)) {
                self.seen.push(line);
                if self.seen.last().unwrap().contains(text) {
                    return self.seen[from..].to_vec();
                }
            }
        }
        let _ = self.child.kill();
        panic!("no `{text}` in {:#?}", self.seen);
    }

    fn interrupt(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    }

    fn end(&mut self) -> i32 {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        panic!("it does not end: {:#?}", self.seen);
    }
}

const LINE: &str = "watching ";

#[test]
fn changes_are_checked_and_the_last_state_is_the_exit_code() {
    let project = Project::new(&[
        ("a.pml", "#include \"n.h\"\nactive proctype P() { assert(N == 1) }\n"),
        ("n.h", "#define N 1\n"),
        ("b.pml", HOLDS),
    ]);
    let mut watched = Watched::start(&project, &["check", ".", "--watch", "--format", "concise"]);
    let lines = watched.until(LINE);
    assert!(lines.iter().any(|line| line.contains("a.pml:2:23: holds: assert@2:23")), "{lines:?}");
    // An included file.
    project.write("n.h", "#define N 23\n");
    let lines = watched.until(LINE);
    assert!(lines.iter().any(|line| line.contains("a.pml:2:23: violated: ")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("b.pml:2:30: holds: ")), "{lines:?}");
    // A new file, and one that is broken.
    project.write("c.pml", "active proctype P() { brake }\n");
    watched.until("c.pml:1:23: error: ");
    watched.until(LINE);
    // What it needs is there now.
    project.write("c.pml", "#include \"more.h\"\n");
    watched.until("c.pml:1:");
    watched.until(LINE);
    project.write("more.h", "active proctype P() { skip }\n");
    watched.until("c.pml: holds: no deadlock");
    watched.until(LINE);
    // The configuration.
    project.write("everypath.toml", "[check]\ntime = \"soon\"\n");
    watched.until("everypath.toml:2:8");
    watched.until(LINE);
    project.write("everypath.toml", "[check]\nonly = [\"deadlock\"]\n");
    let lines = watched.until(LINE);
    assert!(!lines.iter().any(|line| line.contains("violated")), "{lines:?}");
    project.write("everypath.toml", "[check]\nonly = [\"assertions\"]\n");
    let lines = watched.until(LINE);
    assert!(lines.iter().any(|line| line.contains("violated")), "{lines:?}");
    watched.interrupt();
    assert_eq!(watched.end(), 1);
    assert!(!watched.seen.iter().any(|line| line.contains("\x1b[2J")), "no screen to wipe");
}

#[test]
fn unchanged_models_are_not_checked_again() {
    let project = Project::new(&[("slow.pml", ENDLESS), ("b.pml", HOLDS)]);
    let args = ["check", "slow.pml", "b.pml", "--watch", "--time", "3s", "--format", "json"];
    let mut watched = Watched::start(&project, &args);
    let first = watched.until(LINE);
    project.write("b.pml", VIOLATED);
    let second = watched.until(LINE);
    let times = |lines: &[String]| {
        let line = lines.iter().find(|line| line.starts_with('{')).unwrap();
        let all: serde_json::Value = serde_json::from_str(line).unwrap();
        let result = |index: usize| all["results"][index].clone();
        (result(0)["run"]["wall_s"].clone(), result(1)["verdict"].clone())
    };
    let ((slow, holds), (again, violated)) = (times(&first), times(&second));
    assert_eq!((holds, violated), ("holds".into(), "violated".into()));
    // Two searches up to a limit of time never take the same time to a millisecond, and never the
    // same number of states; the result is the same one.
    assert_eq!(slow, again);
    watched.interrupt();
    assert_eq!(watched.end(), 1);
}

#[test]
fn an_interrupt_during_a_round_ends_with_what_there_is() {
    let project = Project::new(&[("endless.pml", ENDLESS)]);
    let args = ["check", "endless.pml", "--watch", "--format", "jsonl", "--mem", "4G"];
    let mut watched = Watched::start(&project, &args);
    watched.until("\"event\":\"progress\"");
    watched.interrupt();
    assert_eq!(watched.end(), 3);
}

#[test]
fn the_standard_input_cannot_be_watched() {
    let project = Project::new(&[]);
    let run = project.run(&["check", "-", "--watch"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("cannot watch the standard input"), "{}", run.err);
}

#[test]
fn files_that_were_not_reached_are_reported_too() {
    let project = Project::new(&[("a.pml", VIOLATED), ("endless.pml", ENDLESS), ("c.pml", HOLDS)]);
    let args = ["check", "a.pml", "endless.pml", "c.pml", "-o", "jsonl=-", "--mem", "4G"];
    let args: Vec<&str> = args.iter().chain(&["-o", "json=r.json"]).copied().collect();
    let mut watched = Watched::start(&project, &args);
    watched.until("\"event\":\"progress\"");
    watched.interrupt();
    watched.until("c.pml: interrupted before it was searched");
    assert_eq!(watched.end(), 1, "the violation counts more");
    for name in ["r.json", ".everypath/runs/1/result.json"] {
        let all: serde_json::Value = serde_json::from_str(&project.read(name)).unwrap();
        let all: Vec<RunResult> = serde_json::from_value(all["results"].clone()).unwrap();
        assert_eq!(all.len(), 3, "{name}");
        assert_eq!(all[0].verdict, Verdict::Violated);
        assert_eq!(all[1].run.stop, Stop::Interrupt);
        assert!(all[1].stats.as_ref().unwrap().states > 0);
        assert_eq!(all[2].verdict, Verdict::Unknown(Reason::Interrupted));
    }
}

#[test]
fn the_second_interrupt_ends_at_once() {
    let project = Project::new(&[("endless.pml", ENDLESS)]);
    let args = ["check", "endless.pml", "--format", "jsonl", "--mem", "4G"];
    let mut codes = Vec::new();
    // Too close together they are one signal, too far apart the first one has ended the search.
    for steps in [50, 500, 5_000, 20_000].into_iter().cycle().take(24) {
        let mut watched = Watched::start(&project, &args);
        watched.until("\"event\":\"progress\"");
        let id = watched.child.id();
        let wait = format!("i=0; while [ $i -lt {steps} ]; do i=$((i+1)); done");
        let twice = format!("kill -INT {id}; {wait}; kill -INT {id}");
        let _ = Command::new("sh").args(["-c", &twice]).status();
        codes.push(watched.end());
        if codes.last() == Some(&130) {
            return;
        }
    }
    panic!("never 130: {codes:?}");
}
