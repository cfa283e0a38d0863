//! Walks, their way back, and traces that run again.

use std::collections::{BTreeSet, VecDeque};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use everypath::analysis::{Loaded, Session, analyse};
use everypath::checking::Checking;
use everypath::load;
use everypath::reading::Reading;
use everypath_cli::ready::Ready;
use everypath_model::{Moment, Rng, Simulate, Successors, Taken, TransitionSystem};
use everypath_verdict::{Ending, Strictness, Trace, Verdict, Watch, rerun};
use everypath_walk::run::{Bounds, Goal, Halted, run};
use everypath_walk::walker::Walker;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All models of the repository that can be read.
fn models() -> Vec<PathBuf> {
    let mut folders = vec![root().join("examples"), root().join("tests/models")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn ready(path: &Path) -> Option<Ready> {
    let reading = Reading::default();
    let mut opened = load::open(path, &reading);
    if opened.failed() || opened.model.is_none() {
        return None;
    }
    let system = opened.lower(&reading, &[])?;
    Some(Ready { system, sources: opened.sources, lang: "promela" })
}

fn traces(ready: &Ready, states: u64) -> Vec<Trace> {
    let loaded = Loaded {
        system: &ready.system,
        searched: &ready.system,
        sources: &ready.sources,
        lang: ready.lang,
        language: "Promela",
        temporal: Vec::new(),
        cycles: None,
        ignored: Vec::new(),
        diagnostics: Vec::new(),
        variant: None,
    };
    let interrupt = AtomicBool::new(false);
    let mut nobody = ();
    let mut session = Session::new(&interrupt, &mut nobody);
    let checking = Checking { states: Some(states), ..Checking::plain() };
    let result = analyse(&loaded, &checking, &mut session).unwrap();
    let properties = result.properties.into_iter();
    properties
        .filter(|property| property.verdict == Verdict::Violated)
        .filter_map(|property| property.trace)
        .map(|trace| *trace)
        .collect()
}

#[test]
fn every_trace_of_every_model_runs_again() {
    let mut count = 0;
    for path in models() {
        let Some(ready) = ready(&path) else { continue };
        for trace in traces(&ready, 20_000) {
            // Through the document, as `replay` does.
            let text = serde_json::to_string(&trace).unwrap();
            let trace = Trace::from_json(&text).unwrap();
            for strictness in [Strictness::Strict, Strictness::Loose] {
                let again = rerun(&ready.system, &trace, &ready.sources, strictness)
                    .unwrap_or_else(|why| panic!("{}: {why:?}", path.display()));
                let property = &trace.result.property;
                assert!(
                    matches!(again.ending, Ending::Same(..)),
                    "{} {property} {strictness:?}: {:?}",
                    path.display(),
                    again.ending
                );
                assert_eq!((again.skipped.len(), again.inserted), (0, 0), "{}", path.display());
            }
            count += 1;
        }
    }
    assert!(count >= 30, "only {count} traces");
}

/// The states that a search reaches, if they are few. Carried words are not compared.
fn reachable<S: TransitionSystem>(system: &S, most: usize) -> Option<BTreeSet<Vec<u32>>> {
    let mut worker = system.worker();
    let mut out = Successors::new();
    system.initial(&mut worker, &mut out).unwrap();
    let mut queue: VecDeque<Vec<u32>> =
        out.steps().iter().filter(|s| !s.fatal).map(|s| out.target(s).to_vec()).collect();
    let key = |state: &[u32]| state[system.carried()..].to_vec();
    let mut seen: BTreeSet<Vec<u32>> = queue.iter().map(|state| key(state)).collect();
    while let Some(state) = queue.pop_front() {
        out.clear();
        system.successors(&mut worker, &state, &mut out).unwrap();
        if out.incomplete.is_some() {
            return None;
        }
        for step in out.steps().iter().filter(|step| !step.fatal) {
            let target = out.target(step);
            if seen.insert(key(target)) {
                queue.push_back(target.to_vec());
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(seen)
}

/// The states that walks reach where nobody is inside an indivisible sequence.
fn walkable<S: Simulate>(system: &S) -> BTreeSet<Vec<u32>> {
    let mut seen: Vec<Moment> = Vec::new();
    let mut keys = BTreeSet::new();
    let mut stable = BTreeSet::new();
    for moment in system.beginnings().unwrap() {
        keys.insert((moment.holder, moment.state.clone()));
        seen.push(moment);
    }
    while let Some(at) = seen.pop() {
        let choices = system.choices(&at).unwrap();
        let mine = |c: &everypath_model::Choice| Some(c.actions[0].process) == at.holder;
        if at.holder.is_none() || !choices.iter().any(mine) {
            stable.insert(at.state[system.carried()..].to_vec());
        }
        for choice in &choices {
            if let Some(next) = system.take(&at, choice).unwrap().next
                && keys.insert((next.holder, next.state.clone()))
            {
                seen.push(next);
            }
        }
    }
    stable
}

#[test]
fn walks_reach_what_the_search_reaches() {
    let mut count = 0;
    for path in models() {
        let Some(Ready { system, .. }) = ready(&path) else { continue };
        let Some(states) = reachable(&system, 2000) else { continue };
        assert_eq!(walkable(&system), states, "{}", path.display());
        for seed in 0..3 {
            let mut walker = Walker::new(&system, seed).unwrap();
            for _ in 0..200 {
                let key = &walker.state()[system.carried()..];
                assert!(!walker.is_stable() || states.contains(key), "{}", path.display());
                let Some(pick) = walker.random() else { break };
                if walker.take(pick).unwrap().next.is_none() {
                    break;
                }
            }
        }
        count += 1;
    }
    assert!(count > 50, "only {count} models");
}

#[test]
fn a_walk_goes_back_exactly() {
    let path = root().join("examples/promela/alternating-bit.pml");
    let Ready { system, .. } = ready(&path).unwrap();
    let mut walker = Walker::new(&system, 5).unwrap();
    // The step after each move with the state and the number of choices.
    let mut visited = vec![(0, walker.state().to_vec(), walker.choices().len())];
    for _ in 0..1500 {
        let pick = walker.random().unwrap();
        walker.take(pick).unwrap();
        visited.push((walker.step(), walker.state().to_vec(), walker.choices().len()));
    }
    assert_eq!(walker.last_step(), walker.step());
    let mut rng = Rng::new(1);
    for _ in 0..60 {
        let (step, state, choices) = rng.pick(&visited).clone();
        walker.go_to(step).unwrap();
        assert_eq!((walker.step(), walker.choices().len()), (step, choices));
        assert_eq!(walker.state(), state);
    }
    let actions = walker.actions().unwrap();
    assert_eq!(actions.len() as u64, walker.step());
    // A move in the middle of the line that is the one ahead keeps the line; another one cuts it.
    walker.go_to(visited[700].0).unwrap();
    walker.take(walker.ahead().unwrap()).unwrap();
    assert_eq!(walker.last_step(), visited[1500].0);
    walker.go_to(visited[700].0).unwrap();
    while walker.choices().len() < 2 {
        walker.take(walker.ahead().unwrap()).unwrap();
    }
    let step = walker.step();
    let other = (0..walker.choices().len()).find(|&i| Some(i) != walker.ahead()).unwrap();
    walker.take(other).unwrap();
    assert_eq!(walker.last_step(), walker.step());
    walker.go_to(step).unwrap();
    assert_eq!(walker.ahead(), Some(other));
}

#[test]
fn a_run_stops_where_it_should() {
    let path = root().join("examples/promela/counter.pml");
    let Ready { system, sources, .. } = ready(&path).unwrap();
    let interrupt = AtomicBool::new(false);
    let stop = |seed, steps, goal: Option<Goal>| {
        let mut walker = Walker::new(&system, seed).unwrap();
        let bounds =
            Bounds { steps, goal: goal.as_ref(), sources: &sources, interrupt: &interrupt };
        let halted = run(&mut walker, &bounds, &mut |_: &Walker<'_, _>, _: &Taken| {});
        (halted.map_err(|error| error.to_string()), walker.step())
    };
    assert!(matches!(stop(1, 3, None), (Ok(Halted::Steps), 3)));
    assert!(matches!(stop(1, 100, None), (Ok(Halted::End), 11)));
    assert!(matches!(stop(2, 100, None), (Ok(Halted::Fault(_)), 8)));
    let when = |text| Some(Goal::True(Watch::parse(text).unwrap()));
    assert!(matches!(stop(1, 100, when("done == 1")), (Ok(Halted::Goal), 3)));
    assert!(matches!(stop(1, 100, when("true")), (Ok(Halted::Goal), 0)));
    let unknown = stop(1, 100, when("dome == 1")).0.unwrap_err();
    assert_eq!(unknown, "until: unknown name `dome`: did you mean `done`?");
    assert!(matches!(stop(1, 100, Some(Goal::At("Inc[0]".into(), 21))), (Ok(Halted::Goal), 2)));
    interrupt.store(true, Ordering::Relaxed);
    assert!(matches!(stop(1, 100, None), (Ok(Halted::Interrupted), 0)));
}

/// A directory that goes away.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("everypath-simulate-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        for model in ["counter", "philosophers", "alternating-bit"] {
            let name = format!("{model}.pml");
            std::fs::copy(root().join("examples/promela").join(&name), path.join(name)).unwrap();
        }
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn run(&self, args: &[&str], input: &str) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_everypath"))
            .args(args)
            .current_dir(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that wants no input may have ended.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }

    /// Exit code, standard output, standard error.
    fn says(&self, args: &[&str]) -> (i32, String, String) {
        let output = self.run(args, "");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_the_model_prints_is_the_output() {
    let folder = Folder::new();
    folder.write("p.pml", "active proctype P() { byte i; do :: i < 3 -> printf(\"i %d\\n\", i); i++ :: else -> break od }");
    let (exit, out, err) = folder.says(&["sim", "p.pml", "--steps", "100", "--seed", "1"]);
    assert_eq!((exit, out.as_str()), (0, "i 0\ni 1\ni 2\n"));
    assert_eq!(err, "the run ends after 11 steps: every process may rest\n");
    let (exit, out, err) =
        folder.says(&["sim", "p.pml", "--until", "P.i == 1", "--watch", "P.i * 2"]);
    assert_eq!((exit, out.as_str()), (0, "   0  P.i * 2 = 0\ni 0\n   3  P.i * 2 = 2\n"));
    assert!(err.starts_with("note: seed "), "{err}");
}

#[test]
fn exit_codes_of_walks() {
    let folder = Folder::new();
    folder.write("deadlock.pml", "chan c = [0] of {byte}; active proctype P() { c!1 }");
    folder.write("error.pml", "active proctype P() { brake }");
    let exit = |args: &[&str]| folder.says(args).0;
    assert_eq!(exit(&["sim", "counter.pml", "--seed", "1"]), 0);
    assert_eq!(exit(&["sim", "counter.pml", "--seed", "2"]), 1);
    assert_eq!(exit(&["sim", "counter.pml", "--seed", "1", "--invariant", "n < 2"]), 1);
    assert_eq!(exit(&["sim", "counter.pml", "--seed", "1", "--steps", "4"]), 0);
    assert_eq!(exit(&["sim", "deadlock.pml", "--seed", "1"]), 1);
    assert_eq!(exit(&["sim", "error.pml"]), 2);
    assert_eq!(exit(&["sim", "missing.pml"]), 2);
    assert_eq!(exit(&["sim", "counter.pml", "--until", "n =="]), 2);
    assert_eq!(exit(&["sim", "counter.pml", "--until", "m == 1", "--seed", "1"]), 2);
    assert_eq!(exit(&["sim", "counter.pml", "--watch", "m", "--seed", "1"]), 2);
    assert_eq!(exit(&["sim", "counter.pml", "--trace", "nothing.json"]), 2);
    assert_eq!(exit(&["sim", "counter.pml", "-i", "--steps", "3"]), 2);
    let (exit, out, _) = folder.says(&["sim", "counter.pml", "--runs", "100", "--seed", "1"]);
    assert_eq!(exit, 1);
    assert!(out.starts_with("violated in 56 of 100 runs\n"), "{out}");
    let err = folder.says(&["sim", "deadlock.pml", "--seed", "1"]).2;
    assert!(err.contains("deadlock after 0 steps") && err.contains("P  1: c!1"), "{err}");
}

#[test]
fn a_seed_makes_a_walk_that_runs_again() {
    let folder = Folder::new();
    let sim = |seed: &str| {
        let args =
            ["sim", "alternating-bit.pml", "--steps", "300", "--seed", seed, "--format", "json"];
        folder.says(&args).1
    };
    let text = sim("7");
    assert_eq!(text, sim("7"));
    assert_ne!(text, sim("8"));
    let trace = Trace::from_json(&text).unwrap();
    assert_eq!((trace.end.reason.as_str(), trace.result.kind.as_str()), ("steps", "simulation"));
    // Some walk ends inside an indivisible sequence or in the middle of nothing: both run again.
    for steps in ["1", "2", "17", "299", "300"] {
        folder.says(&[
            "sim",
            "alternating-bit.pml",
            "--steps",
            steps,
            "--seed",
            "7",
            "-o",
            "w.json",
        ]);
        let (exit, out, err) = folder.says(&["replay", "w.json"]);
        assert_eq!((exit, out.contains("nothing is wrong")), (0, true), "{steps}: {err}");
    }
    // The choices of the trace are those of the system.
    let Ready { system, .. } = ready(&folder.0.join("alternating-bit.pml")).unwrap();
    let mut walker = Walker::new(&system, 0).unwrap();
    let mut next = 0;
    while next < trace.steps.len() {
        let step = &trace.steps[next];
        assert_eq!(step.enabled as usize, walker.choices().iter().filter(|c| !c.fatal).count());
        next += walker.take(step.choice[0] as usize).unwrap().steps.len();
    }
    assert_eq!(next, trace.steps.len());
}

#[test]
fn a_check_with_macros_and_invariants_is_replayed() {
    let folder = Folder::new();
    folder.write("inc.h", "#define STEP 2\n");
    let model = "#include \"inc.h\"\nbyte n;\nactive proctype P() { do :: n < MAX -> n = n + STEP :: else -> break od }\n";
    folder.write("m.pml", model);
    let check = ["check", "m.pml", "-D", "MAX=5", "--invariant", "n < 4"];
    assert_eq!(folder.says(&check).0, 1);
    let (exit, out, err) = folder.says(&["replay", "last"]);
    assert_eq!(exit, 1, "{err}");
    assert!(out.starts_with("replayed: 4 steps, the violation is still there\n"), "{out}");
    // Without the files the text in the trace is enough.
    folder.says(&["replay", "last", "-o", "t.json"]);
    std::fs::remove_file(folder.0.join("inc.h")).unwrap();
    std::fs::remove_file(folder.0.join("m.pml")).unwrap();
    let (exit, _, err) = folder.says(&["replay", "t.json"]);
    assert_eq!(
        (exit, err.as_str()),
        (1, "note: there is no m.pml; the text in the trace is used\n")
    );
    // A changed include is noticed.
    folder.write("m.pml", model);
    folder.write("inc.h", "#define STEP 3\n");
    let (exit, _, err) = folder.says(&["replay", "t.json"]);
    assert_eq!(exit, 2);
    assert!(err.contains("inc.h has changed since the trace was made, first in line 1"), "{err}");
    let (exit, out, _) = folder.says(&["replay", "t.json", "--loose"]);
    assert_eq!(exit, 1, "{out}");
}

#[test]
fn a_changed_model_is_followed_loosely() {
    let folder = Folder::new();
    let model = folder.read("counter.pml");
    assert_eq!(folder.says(&["check", "counter.pml"]).0, 1);
    let loose = |text: String| {
        assert_ne!(text, model);
        folder.write("changed.pml", &text);
        assert_eq!(folder.says(&["replay", "last", "changed.pml"]).0, 2);
        let (exit, out, _) = folder.says(&["replay", "last", "changed.pml", "--loose"]);
        (exit, out)
    };
    // Another line, and a statement more: the fault is still there.
    let (exit, out) = loose(model.replace("    tmp = n;\n", "\n    tmp = n;\n    skip;\n"));
    assert_eq!(exit, 1);
    assert!(out.starts_with("the old trace still fails: assertion can fail"), "{out}");
    assert!(out.contains("8 of 8 steps followed, 2 made"), "{out}");
    // The assertion is weaker: every step is possible, and nothing is wrong.
    let (exit, out) = loose(model.replace("assert(n == 2)", "assert(n >= 1)"));
    assert_eq!(exit, 3, "{out}");
    let (exit, out) = loose(model.replace("byte n", "byte extra; byte n"));
    assert_eq!(exit, 1, "{out}");
    // The lost update is gone, but the steps are not those of the trace.
    let fixed =
        model.replace("    tmp = n;\n    n = tmp + 1;\n", "    atomic { tmp = n; n = tmp + 1 };\n");
    let (exit, out) = loose(fixed);
    assert_eq!(exit, 3);
    assert!(out.contains("left out: step 5: Inc[0] cannot execute 20: n = tmp + 1"), "{out}");
    // The same statements, but the first value is another: followed to the end without a fault.
    let (exit, out) = loose(
        model.replace("assert(n == 2)", "assert(n == 2) /* */").replace("byte n", "byte n = 1"),
    );
    assert_eq!(
        (exit, out.lines().next().unwrap()),
        (0, "the old trace no longer fails: nothing is wrong at its end")
    );
}

#[test]
fn hostile_traces_are_refused() {
    let folder = Folder::new();
    assert_eq!(folder.says(&["sim", "counter.pml", "--seed", "2", "-o", "good.json"]).0, 1);
    assert_eq!(folder.says(&["replay", "good.json"]).0, 1);
    let good = folder.read("good.json");
    let with = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replacen(from, to, 1)
    };
    let cases = [
        ("empty", String::new()),
        ("truncated", good[..good.len() / 2].to_owned()),
        ("no object", "[1, 2]".to_owned()),
        ("deep", "[".repeat(200_000)),
        ("deep schema", format!("{{\"schema\":{}", "[".repeat(200_000))),
        ("other schema", with("everypath.trace/1", "everypath.trace/9")),
        ("steps are words", with("\"steps\":[", "\"steps\":[\"x\",")),
        ("huge lane", with("\"lane\":0", "\"lane\":99999999999999999999")),
        ("no such lane", with("\"lane\":0", "\"lane\":4000000000")),
        ("huge choice", with("\"choice\":[0]", "\"choice\":[18446744073709551615]")),
        ("another initial value", with("\"n\":0", "\"n\":7")),
        ("huge initial value", with("\"n\":0", "\"n\":1e300")),
        ("another statement", with("\"text\":\"tmp = n\"", "\"text\":\"tmp = m\"")),
        ("another value", with("\"set\":{\"n\":1", "\"set\":{\"n\":2")),
        ("another place", with("\"start\":[19,", "\"start\":[18,")),
        ("place of nothing", with("\"start\":[19,", "\"start\":[0,")),
        ("another end", with("\"reason\":\"assertion\"", "\"reason\":\"deadlock\"")),
        ("unknown end", with("\"reason\":\"assertion\"", "\"reason\":\"\\u0000\"")),
        ("another language", with("\"lang\":\"promela\"", "\"lang\":\"cobol\"")),
        ("another hash", {
            let at = good.rfind("\"sha256\":\"").unwrap() + 10;
            format!("{}0000{}", &good[..at], &good[at + 4..])
        }),
        ("no sources", {
            let from = good.find("\"sources\":[").unwrap() + 11;
            let to = good.find("],\"reading\"").unwrap();
            format!("{}{}", &good[..from], &good[to..])
        }),
        ("macros that are none", with("\"defines\":[]", "\"defines\":[\"1x\"]")),
        ("an invariant that is none", with("\"invariants\":[]", "\"invariants\":[\"((\"]")),
    ];
    for (name, text) in cases {
        folder.write("bad.json", &text);
        let start = Instant::now();
        let (exit, out, err) = folder.says(&["replay", "bad.json"]);
        assert_eq!(exit, 2, "{name}: {out}{err}");
        assert!(err.starts_with("error"), "{name}: {err}");
        assert!(start.elapsed() < Duration::from_secs(20), "{name}");
        let (exit, _, err) = folder.says(&["sim", "counter.pml", "--trace", "bad.json"]);
        assert!(
            exit == 2
                || [
                    "another language",
                    "another hash",
                    "no sources",
                    "macros that are none",
                    "an invariant that is none"
                ]
                .contains(&name),
            "{name}: {err}"
        );
    }
    // Of another model.
    let (exit, _, err) = folder.says(&["replay", "good.json", "philosophers.pml"]);
    assert_eq!(exit, 2, "{err}");
    let (exit, _, err) = folder.says(&["sim", "philosophers.pml", "--trace", "good.json"]);
    assert_eq!((exit, err.contains("the trace is none of this model")), (2, true), "{err}");
}

fn transcript(model: &str, args: &[&str], commands: &str) -> String {
    let folder = Folder::new();
    if args.contains(&"last") {
        folder.says(&["check", model]);
    }
    let all: Vec<&str> = ["sim", model, "-i"].iter().chain(args).copied().collect();
    let output = folder.run(&all, commands);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn walks_by_hand() {
    let seed = ["--seed", "1"];
    insta::assert_snapshot!(
        "shell_steps",
        transcript(
            "counter.pml",
            &seed,
            "1\n2\nstep\nstep 2\nback\nback 2\nwatch n + done\n\nhistory\njump 1\njump 99\nunwatch\n1\nwhere\nlist\nlist 3\nrestart\n"
        )
    );
    insta::assert_snapshot!(
        "shell_runs",
        transcript(
            "counter.pml",
            &seed,
            "run 2\nrun until done == 1\nrun until process Check at 26\nprint\nprint n\nrun until nobody == 1\nrun\nback 3\nseed 5\nrun\n"
        )
    );
    insta::assert_snapshot!(
        "shell_trace",
        transcript(
            "counter.pml",
            &["--trace", "last", "--watch", "n"],
            "\n\nstep 100\nhistory 3\nback\n"
        )
    );
    insta::assert_snapshot!(
        "shell_deadlock",
        transcript(
            "philosophers.pml",
            &seed,
            "run until deadlock\nwhere\n1\n\nback\nquit\nnever read\n"
        )
    );
    insta::assert_snapshot!(
        "shell_mistakes",
        transcript(
            "counter.pml",
            &seed,
            "stpe\nfrobnicate\n0\n7\n99999999999999999999999\nback x\njump\nprint n +\nprint m\nprint Inc\nwatch\nunwatch 3\nunwatch 0\nrun until\nrun until process P\nlist 999\nsave\nsave /nowhere/t.json\nseed\n\u{1b}[2J\n?\n"
        )
    );
}
