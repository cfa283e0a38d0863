//! `everypath spin`: what scripts for SPIN write and read.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use everypath_testkit::models;
use everypath_testkit::needs;
use everypath_testkit::spin::{self, Kind, parallel, parse_report};

const COUNTER: &str = "\
byte n, done;
active [2] proctype Inc()
{
  byte tmp;
  tmp = n;
  n = tmp + 1;
  printf(\"n is %d\\n\", n);
  done++
}
active proctype Check()
{
  (done == 2) -> assert(n == 2)
}
";

/// A directory of its own, removed when dropped.
struct Dir(PathBuf);

impl Dir {
    fn new() -> Dir {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("everypath-spin-door-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        Dir(path)
    }

    fn with(text: &str) -> Dir {
        let dir = Dir::new();
        fs::write(dir.0.join("m.pml"), text).unwrap();
        dir
    }

    fn spin(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_everypath"))
            .arg("spin")
            .args(args)
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
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

/// The lists of what was not reached, without those of claims.
fn unreached(report: &str) -> Vec<&str> {
    let mut lists = Vec::new();
    let mut listed = false;
    for line in report.lines() {
        if line.starts_with("unreached in ") {
            listed = !line.starts_with("unreached in claim") && !line.contains("trace");
        } else if !line.starts_with('\t') {
            listed = false;
        }
        if listed {
            lists.push(line);
        }
    }
    lists
}

#[test]
fn reports_have_spins_numbers_and_lists() {
    let Some(spin) = needs::spin() else { return };
    let models: Vec<_> = models::promela()
        .into_iter()
        .filter(|model| model.name.starts_with('m') && !model.source.contains("priority"))
        .collect();
    let results = parallel(models.len(), 2, |i| {
        let verifier = spin.verifier(&models[i].source, &["-o1", "-o2", "-o3"]).ok()??;
        let text = verifier.pan(&["-c0"]).ok()??;
        let theirs = parse_report(&text)?;
        let other = theirs.kinds().iter().any(|kind| matches!(kind, Kind::Index | Kind::Trace));
        if !theirs.complete() || other {
            return None;
        }
        let dir = Dir::with(&models[i].source);
        let output = dir.spin(&["-run", "-c0", "-noclaim", "-safety", "-DNOREDUCE", "m.pml"]);
        if code(&output) == 2 || output.stdout.is_empty() {
            return None;
        }
        let report = stdout(&output);
        let ours = parse_report(&report).expect("a report");
        let numbers = |run: &spin::Run| (run.counts, run.errors, run.kinds());
        let same = numbers(&ours) == numbers(&theirs) && unreached(&report) == unreached(&text);
        let expected = if theirs.errors > 0 { 1 } else { 0 };
        let exit = code(&output) == expected || stderr(&output).contains("not checked:");
        Some((same && exit).then_some(()).ok_or(format!("{report}\n{text}")))
    });
    let mut compared = 0;
    for (model, result) in models.iter().zip(results) {
        match result {
            Some(Ok(())) => compared += 1,
            Some(Err(both)) => panic!("{}:\n{both}", model.name),
            None => {}
        }
    }
    assert!(compared >= 60, "only {compared} reports were compared");
}

#[test]
fn an_error_stops_the_search_and_leaves_a_trail_that_replays() {
    let dir = Dir::with(COUNTER);
    let output = dir.spin(&["-run", "-safety", "-O2", "m.pml"]);
    assert_eq!(code(&output), 1);
    let report = stdout(&output);
    assert!(report.starts_with("pan:1: assertion violated (n==2) (at depth "), "{report}");
    assert!(report.contains("\npan: wrote m.pml.trail\n"), "{report}");
    assert!(report.contains("Warning: Search not completed\n"), "{report}");
    assert!(report.contains(", errors: 1\n"), "{report}");
    assert!(!report.contains("unreached"), "{report}");
    assert!(stderr(&output).contains("the same natively: everypath check m.pml --search dfs"));
    let lines = fs::read_to_string(dir.0.join("m.pml.trail")).unwrap().lines().count();

    let output = dir.spin(&["-t", "-p", "m.pml"]);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    let shape = "proc  2 (Check:1) m.pml:12 (state 2)\t[assert((n==2))]\n\
                 spin: m.pml:12, Error: assertion violated\n\
                 spin: text of failed assertion: assert((n==2))\n";
    assert!(text.contains(shape), "{text}");
    assert!(
        text.contains(&format!("\nspin: trail ends after {lines} steps\n#processes: ")),
        "{text}"
    );
    assert!(text.ends_with("3 processes created\n"), "{text}");
    let output = dir.spin(&["-k", "m.pml.trail", "m.pml"]);
    assert_eq!(code(&output), 1);
}

#[test]
fn all_errors_are_counted_and_a_clean_model_is_zero() {
    let dir =
        Dir::with("byte x;\nactive proctype P() { if :: x = 1 :: x = 2 fi; assert(x == 1) }\n");
    let output = dir.spin(&["-run", "-e", "-c0", "m.pml"]);
    assert_eq!(code(&output), 1);
    assert!(dir.0.join("m.pml1.trail").exists());
    let dir = Dir::with("byte x;\nactive proctype P() { x = 1; assert(x == 1) }\n");
    for args in [&["-run", "m.pml"][..], &["-search", "-bfs", "-collapse", "-w28", "m.pml"]] {
        let output = dir.spin(args);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(stdout(&output).contains(", errors: 0\n"));
    }
}

#[test]
fn lossy_stores_find_errors_and_prove_nothing() {
    let dir = Dir::with("byte x;\nactive proctype P() { x = 1; assert(x == 1) }\n");
    for (flags, said) in [
        (&["-bit", "-w20"][..], "Bit statespace search for:"),
        (&["-bfs", "-DBITSTATE", "-k5"], "bits set per state: 5 (-k5)"),
        (&["-hc2", "-DMEMLIM=20"], "Hash-Compact 2 search for:"),
    ] {
        let output = dir.spin(&[&["-run"], flags, &["m.pml"]].concat());
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        let text = stdout(&output);
        assert!(text.contains(", errors: 0\n") && text.contains(said), "{text}");
    }
    let dir = Dir::with("byte x;\nactive proctype P() { x = 1; assert(x == 2) }\n");
    assert_eq!(code(&dir.spin(&["-run", "-bitstate", "m.pml"])), 1);
    assert!(dir.0.join("m.pml.trail").exists());
    assert_eq!(code(&dir.spin(&["-run", "-bitstate", "-k0", "m.pml"])), 2);
}

#[test]
fn what_is_not_checked_is_said_and_is_no_success() {
    let dir = Dir::with("byte x;\nactive proctype P() { x = 1 }\nltl p { <> (x == 2) }\n");
    let output = dir.spin(&["-run", "-bfs", "m.pml"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("warning: not checked: cycles "), "{}", stderr(&output));
    assert_eq!(code(&dir.spin(&["-run", "-noclaim", "m.pml"])), 0);
    let output = dir.spin(&["-run", "-ltl", "q", "m.pml"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("no claim `q`: there are p\n"), "{}", stderr(&output));
    let dir = Dir::with("byte x;\nactive proctype P() { do :: x++ od }\n");
    let output = dir.spin(&["-run", "-m10", "m.pml"]);
    assert_eq!(code(&output), 3);
    assert!(stdout(&output).contains("max search depth too small"));
}

const COUNTERS: &str = "\
byte x; bool b;
active proctype P() { do :: x < 3 -> x++ :: x > 0 -> x-- :: b = !b od }
active proctype Q() { do :: b -> progress: skip :: !b -> skip od }
";

#[test]
fn claims_and_cycles_are_checked_as_spin_does() {
    let ltl = format!(
        "{COUNTERS}ltl low {{ [] (x < 4) }}\nltl again {{ []<> (x == 0) }}\nltl less {{ [] (x < 3) }}\n"
    );
    let claim = format!(
        "{COUNTERS}never {{ T0: do :: true :: x == 1 -> goto accept od; accept: do :: x >= 1 od }}\n"
    );
    let ends = format!("{COUNTERS}never {{ do :: true :: x == 2 -> break od }}\n");
    let label = COUNTERS.replace("b = !b", "x == 1 -> accept: b = !b");
    let fair = "bool a; active proctype P() { a = true }\n\
                active proctype Q() { do :: skip od }\nltl p { <> a }\n";
    let runs: Vec<(&str, &[&str])> = vec![
        (&ltl, &["-ltl", "low"]),
        (&ltl, &["-ltl", "again"]),
        (&ltl, &["-ltl", "less"]),
        (&ltl, &["-a"]),
        (&ltl, &["-noclaim"]),
        (&ltl, &["-l"]),
        (&claim, &[]),
        (&claim, &["-safety"]),
        (&ends, &[]),
        (&ends, &["-safety"]),
        (&label, &[]),
        (&label, &["-safety"]),
        (COUNTERS, &["-l", "-f"]),
        (fair, &[]),
        (fair, &["-f"]),
    ];
    let found = needs::spin().is_some();
    let theirs = parallel(runs.len(), 2, |i| {
        let (text, flags) = runs[i];
        if !found {
            return None;
        }
        let dir = Dir::with(text);
        let mut command = Command::new("spin");
        let output = command.arg("-run").args(flags).arg("m.pml").current_dir(&dir.0).output();
        parse_report(&stdout(&output.unwrap()))
    });
    let expected = [0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0];
    for (i, (text, flags)) in runs.iter().enumerate() {
        let dir = Dir::with(text);
        let output = dir.spin(&[&["-run"], *flags, &["m.pml"]].concat());
        let report = stdout(&output);
        let ours = parse_report(&report).expect("a report");
        assert_eq!(ours.errors, expected[i], "{flags:?}\n{text}\n{report}");
        let word = |line: &str| line.split(" (at depth").next().unwrap_or(line).to_owned();
        if let Some(theirs) = &theirs[i] {
            assert_eq!(ours.errors, theirs.errors, "{flags:?}\n{text}\n{report}");
        }
        if expected[i] == 0 {
            continue;
        }
        assert_eq!(code(&output), 1, "{flags:?} {}", stderr(&output));
        let first = report.lines().next().map(word).unwrap_or_default();
        let cycle = first.ends_with("cycle");
        assert!(cycle || first == "pan:1: end state in claim reached", "{report}");
        // The trail replays here and, if it is installed, in SPIN.
        let mut shown = vec![dir.spin(&["-t", "-p", "m.pml"])];
        if found {
            let mut command = Command::new("spin");
            shown.push(command.args(["-t", "-p", "m.pml"]).current_dir(&dir.0).output().unwrap());
        }
        for shown in shown {
            let text = stdout(&shown);
            assert!(text.contains("spin: trail ends after"), "{text}{}", stderr(&shown));
            assert_eq!(text.contains("START OF CYCLE"), cycle, "{flags:?} {text}");
        }
    }
}

#[test]
fn formulas_and_claims_of_the_command_line_are_what_must_not_be() {
    let dir = Dir::with(&format!("{COUNTERS}ltl low {{ [] (x < 4) }}\n"));
    let printed = dir.spin(&["-f", "<>(x == 2)"]);
    assert!(stdout(&printed).starts_with("never {"), "{}", stdout(&printed));
    fs::write(dir.0.join("claim"), &printed.stdout).unwrap();
    fs::write(dir.0.join("formula"), "<>(x == 9)\n").unwrap();
    for (args, exit) in [
        (&["-f", "<>(x == 2)", "-run", "m.pml"][..], 1),
        (&["-f", "<>(x == 9)", "-run", "m.pml"], 0),
        (&["-F", "formula", "-run", "m.pml"], 0),
        (&["-N", "claim", "-run", "m.pml"], 1),
        (&["-run", "m.pml"], 0),
        (&["-f", "<>(x == ", "-run", "m.pml"], 2),
        (&["-F", "nothing", "-run", "m.pml"], 2),
        (&["-N", "nothing", "-run", "m.pml"], 2),
    ] {
        let output = dir.spin(args);
        assert_eq!(code(&output), exit, "{args:?} {}{}", stdout(&output), stderr(&output));
    }
}

#[test]
fn runs_are_shown_as_spin_shows_them() {
    let dir = Dir::with("byte x;\ninit { x = 1; printf(\"x %d\\n\", x); x == 2 }\n");
    let output = dir.spin(&["-p", "-g", "m.pml"]);
    assert_eq!(code(&output), 0);
    let expected = "  0:\tproc  - (:root:) creates proc  0 (:init:)\n\
                    \x20 1:\tproc  0 (:init::1) m.pml:2 (state 1)\t[x = 1]\n\
                    \t\tx = 1\n\
                    \x20     x 1\n\
                    \x20 2:\tproc  0 (:init::1) m.pml:2 (state 2)\t[printf('x %d\\\\n',x)]\n\
                    \x20     timeout\n\
                    #processes: 1\n\
                    \t\tx = 1\n\
                    \x20 2:\tproc  0 (:init::1) m.pml:2 (state 3)\n\
                    1 process created\n";
    assert_eq!(stdout(&output), expected);
    if let Some(spin) = needs::spin() {
        let theirs =
            spin.simulate(&fs::read_to_string(dir.0.join("m.pml")).unwrap(), &["-p", "-g"]);
        assert_eq!(theirs.unwrap(), expected);
    }
    assert_eq!(stdout(&dir.spin(&["-T", "-B", "m.pml"])), "x 1\ntimeout\n1 process created\n");
    let dir = Dir::with("byte x;\nactive proctype P() { do :: x++ od }\n");
    let output = dir.spin(&["-u7", "m.pml"]);
    assert!(stdout(&output).starts_with("-------------\ndepth-limit (-u7 steps) reached\n"));
}

#[test]
fn the_seed_decides_a_random_run() {
    let dir = Dir::with(COUNTER);
    let run = |seed: &str| stdout(&dir.spin(&["-p", seed, "m.pml"]));
    assert_eq!(run("-n7"), run("-n7"));
    assert!((1..20).any(|seed| run(&format!("-n{seed}")) != run("-n7")));
}

#[test]
fn wrong_command_lines_are_refused() {
    let dir = Dir::with(COUNTER);
    for (args, part) in [
        (&["-run", "-bsf", "m.pml"][..], "unknown flag `-bsf`; did you mean `-bfs`?"),
        (&["--wrong", "m.pml"], "unknown flag `--wrong`"),
        (&["-p"], "there is no model"),
        (&["m.pml", "n.pml"], "one model at a time"),
        (&["-nx", "m.pml"], "`-nx`: `x` is not a number"),
        (&["-run", "-ltl"], "`-ltl` needs a value"),
        (&["-J", "m.pml"], "`-J` is not available"),
        (&["-o6", "m.pml"], "rules of an old version"),
        (&["-run", "-t../x", "m.pml"], "no slash"),
        (&["-run", "missing.pml"], "cannot read missing.pml"),
    ] {
        let output = dir.spin(args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(stderr(&output).contains(part), "{args:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
    assert!(stdout(&dir.spin(&["--help"])).starts_with("Take SPIN's command lines\n"));
    assert!(stdout(&dir.spin(&["-V"])).contains("Everypath"));
    assert_eq!(code(&dir.spin(&["-a", "m.pml"])), 0);
}

#[test]
fn hostile_trails_are_refused_with_their_line() {
    let dir = Dir::with(COUNTER);
    for (text, part) in [
        ("no trail", "line 1: `no trail` is not `depth:process:statement`"),
        ("1:0:0\n2:0:99999\n", "line 2: the model has no statement 99999"),
        ("1:0:0\n2:9:0\n", "line 2: process 9 cannot execute statement 0, `tmp = n`, here"),
        ("1:0:2\n", "line 1: process 0 cannot execute statement 2"),
        ("1:0:0\n-9:0:0\n", "line 2: -9 is no depth"),
        ("1:-5:0\n", "line 1: -5 is no number of a process"),
        ("\u{0}\u{1}\u{fffd}", "line 1: "),
    ] {
        fs::write(dir.0.join("m.pml.trail"), text).unwrap();
        let output = dir.spin(&["-t", "m.pml"]);
        assert_eq!(code(&output), 2, "{text}");
        assert!(stderr(&output).contains(part), "{text}: {}", stderr(&output));
    }
    let output = dir.spin(&["-t9", "m.pml"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("m.pml9.trail: cannot be read"), "{}", stderr(&output));
}

#[test]
fn check_writes_trails_and_show_reads_them() {
    let everypath = |dir: &Dir, args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_everypath"))
            .args(args)
            .current_dir(&dir.0)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    };
    let dir = Dir::with(COUNTER);
    let output = everypath(&dir, &["check", "m.pml", "-o", "trail=m.pml.trail"]);
    assert_eq!(code(&output), 1);
    let text = stdout(&dir.spin(&["-t", "m.pml"]));
    assert!(text.contains("text of failed assertion: assert((n==2))"), "{text}");
    let output = everypath(&dir, &["show", "m.pml.trail"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("assert(n == 2)"), "{}", stdout(&output));

    // A numbered trail of the same model, one that does not end in a failure, one without a model.
    fs::rename(dir.0.join("m.pml.trail"), dir.0.join("m.pml3.trail")).unwrap();
    assert_eq!(code(&everypath(&dir, &["show", "m.pml3.trail"])), 0);
    fs::write(dir.0.join("m.pml.trail"), "1:0:0\n").unwrap();
    let output = everypath(&dir, &["show", "m.pml.trail"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("tmp = n"), "{}", stdout(&output));
    fs::write(dir.0.join("other.pml.trail"), "1:0:0\n").unwrap();
    let output = everypath(&dir, &["show", "other.pml.trail"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("its model is not there"), "{}", stderr(&output));

    let dir = Dir::with("byte x;\nactive proctype P() { x = 1 }\n");
    let output = everypath(&dir, &["check", "m.pml", "-o", "trail=t.trail"]);
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).contains("so the trail is empty"), "{}", stderr(&output));
}
