//! `--reduce`: the same answers as without, about the model as the user wrote it.

use std::path::{Path, PathBuf};
use std::process::Command;

use everypath_verdict::{PropertyResult, RunResult};

const REDUCTIONS: [&str; 5] = ["constants", "slice", "merge", "dead", "constants,slice,merge,dead"];

fn examples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<PathBuf> = ["examples/promela", "examples/tutorial"]
        .iter()
        .flat_map(|dir| std::fs::read_dir(root.join(dir)).expect("examples").flatten())
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "pml"))
        .collect();
    files.sort();
    files
}

fn check(file: &Path, options: &[&str]) -> RunResult {
    let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(["check", "--no-save", "--no-config", "--format", "json", "--all-errors"])
        .args(options)
        .arg(file)
        .output()
        .expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("text");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// What must not depend on reductions.
fn answer(result: &RunResult) -> String {
    let property = |p: &PropertyResult| {
        let end = p.trace.as_ref().map(|trace| &trace.end.reason);
        format!("{} {:?} {:?} {:?} {end:?}\n", p.id, p.verdict, p.vacuous, p.code)
    };
    let properties: String = result.properties.iter().map(property).collect();
    format!("{:?} {} {properties}{:?}", result.verdict, result.exit, result.coverage)
}

#[test]
fn examples_have_the_same_answers_with_fewer_states() {
    let mut violated = 0;
    let mut smaller = 0;
    for file in examples() {
        let plain = check(&file, &["--reduce", "none"]);
        assert!(plain.scope.reductions.is_empty());
        for names in REDUCTIONS {
            let reduced = check(&file, &["--reduce", names]);
            assert_eq!(answer(&plain), answer(&reduced), "{} {names}", file.display());
            assert_eq!(reduced.scope.reductions.join(","), names);
            assert!(states(&reduced) <= states(&plain), "{} {names}", file.display());
            smaller += usize::from(states(&reduced) < states(&plain));
            for property in &reduced.properties {
                let Some(trace) = &property.trace else { continue };
                violated += 1;
                // Statements and variables are those of the model: nothing is left out.
                let values: Vec<_> = trace.init.keys().collect();
                let other = plain.properties.iter().find(|p| p.id == property.id);
                let other = other.and_then(|p| p.trace.as_ref()).expect("a trace without, too");
                assert_eq!(values, other.init.keys().collect::<Vec<_>>(), "{}", file.display());
                assert_eq!(trace.length.moves, other.length.moves, "{}", file.display());
                let finite = trace.loop_start.is_none();
                assert_eq!(trace.length.shortest, finite, "{} {names}", file.display());
            }
        }
    }
    assert!(violated > 40 && smaller > 30, "{violated} violations, {smaller} smaller");
}

fn states(result: &RunResult) -> u64 {
    result.stats.as_ref().map_or(0, |stats| stats.states)
}

/// Leaving out orders of steps, in every order of search and with every proviso.
#[test]
fn orders_that_make_no_difference_are_left_out() {
    let (mut full, mut ample, mut stubborn, mut shortest) = (0, 0, 0, 0);
    for file in examples() {
        let plain = check(&file, &["-j", "1", "--reduce", "none"]);
        full += states(&plain);
        for search in [&["--search", "bfs", "-j", "1"][..], &["-j", "2"], &["--search", "dfs"]] {
            for names in ["ample", "stubborn", "default"] {
                let mut options = vec!["--reduce", names];
                options.extend(search);
                let reduced = check(&file, &options);
                assert_eq!(answer(&plain), answer(&reduced), "{} {options:?}", file.display());
                assert!(states(&reduced) <= states(&plain), "{} {options:?}", file.display());
                match (names, search.len()) {
                    ("ample", 4) => ample += states(&reduced),
                    ("stubborn", 4) => {
                        stubborn += states(&reduced);
                        shortest += runs_are_as_short(&plain, &reduced);
                    }
                    _ => {}
                }
            }
        }
        for proviso in ["new", "all-open", "sticky"] {
            let reduced = check(&file, &["--reduce", "stubborn", "--proviso", proviso]);
            assert_eq!(answer(&plain), answer(&reduced), "{} {proviso}", file.display());
        }
    }
    assert!(ample < full * 9 / 10, "{ample} of {full}");
    assert!(stubborn < ample * 9 / 10, "{stubborn} of {ample}");
    assert!(shortest > 3, "{shortest} runs");
}

/// Equal processes that stand for each other, alone and with everything else.
#[test]
fn equal_processes_stand_for_each_other() {
    let mut fewer = 0;
    for file in examples() {
        let plain = check(&file, &["--reduce", "none"]);
        for options in [
            &["--reduce", "symmetry"][..],
            &["--reduce", "default,symmetry"],
            &["--reduce", "symmetry", "--search", "dfs"],
        ] {
            let reduced = check(&file, options);
            assert_eq!(answer(&plain), answer(&reduced), "{} {options:?}", file.display());
            let used = reduced.scope.reductions.iter().any(|name| name == "symmetry");
            assert!(used || options[1] != "symmetry" || states(&plain) == states(&reduced));
            fewer += usize::from(used && states(&reduced) < states(&plain));
        }
    }
    assert!(fewer > 8, "{fewer}");
}

/// How many runs of a reduced search are called shortest; they are as short as without reduction.
fn runs_are_as_short(plain: &RunResult, reduced: &RunResult) -> usize {
    let traces = |result: &RunResult| -> Vec<_> {
        result.properties.iter().map(|property| property.trace.clone()).collect()
    };
    let mut count = 0;
    for (one, other) in traces(plain).into_iter().zip(traces(reduced)) {
        if let (Some(one), Some(other)) = (one, other)
            && other.length.shortest
        {
            assert_eq!(one.length.moves, other.length.moves);
            count += 1;
        }
    }
    count
}

#[test]
fn none_and_later_names_count() {
    let file = &examples()[0];
    let names = |list: &str| check(file, &["--reduce", list]).scope.reductions;
    let usual = ["constants", "slice", "merge", "dead", "stubborn"];
    assert_eq!(check(file, &[]).scope.reductions, usual);
    assert_eq!(names("none,default"), usual);
    assert!(names("default,none").is_empty());
    assert!(names("merge,none").is_empty());
    assert_eq!(names("merge,none,dead,slice,dead"), ["slice", "dead"]);
}

/// A limit of the depth is one of the model: nobody but the user makes runs longer or shorter.
#[test]
fn a_depth_limit_counts_steps_of_the_model() {
    let file = &examples()[0];
    let names = |options: &[&str]| check(file, options).scope.reductions;
    assert_eq!(names(&["--depth", "9"]), ["constants", "slice", "dead"]);
    assert_eq!(names(&["--depth", "9", "--reduce", "merge"]), ["merge"]);
}

/// Where nothing can be left out, the scope does not say so, and `--verbose` says why.
#[test]
fn what_cannot_be_reduced_is_not_called_reduced() {
    let dir = std::env::temp_dir().join(format!("everypath-reduce-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    let file = dir.join("last.pml");
    std::fs::write(&file, "byte x; active [2] proctype P() { x = _last; x = 2 }").expect("a file");
    let usual = check(&file, &[]).scope.reductions;
    assert_eq!(usual, ["constants", "slice", "merge", "dead"]);
    let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(["check", "--no-save", "--no-config", "--verbose"])
        .arg(&file)
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("every order of steps is followed: `_last` depends"), "{said}");
    std::fs::remove_dir_all(&dir).expect("the directory goes");
}

#[test]
fn a_proviso_without_reduction_is_refused() {
    for options in [&["--reduce", "none"][..], &["--reduce", "merge,dead"], &["--search", "random"]]
    {
        let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
            .args(["check", "--no-save", "--no-config", "--proviso", "new"])
            .args(options)
            .arg(&examples()[0])
            .output()
            .expect("the program runs");
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("--proviso has no use here"), "{options:?}: {said}");
    }
}

/// Transactions keep what single processes do: assertions, other faults, and which statements are
/// executed.
#[test]
fn transactions_keep_faults_and_unreached_statements() {
    let mut smaller = 0;
    for file in examples() {
        let plain = check(&file, &["--reduce", "none", "--only", "assertions"]);
        for with in ["transactions", "transactions,constants,slice,merge,dead"] {
            let reduced = check(&file, &["--reduce", with, "--only", "assertions"]);
            assert_eq!(answer(&reduced), answer(&plain), "{} with {with}", file.display());
            let states = |result: &RunResult| result.stats.as_ref().map_or(0, |stats| stats.states);
            smaller += usize::from(states(&reduced) < states(&plain));
        }
    }
    assert!(smaller > examples().len(), "{smaller}");
}

#[test]
fn transactions_say_what_they_cannot_check() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let run = |options: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
            .args(["check", "--no-save", "--no-config", "--reduce", "transactions"])
            .args(options)
            .arg(root.join("examples/promela/philosophers.pml"))
            .output()
            .expect("the program runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    // There is a deadlock, and nobody is told that there is none.
    let (code, stdout, stderr) = run(&["--only", "assertions"]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stdout.contains("not checked: deadlock"), "{stdout}");
    assert!(!stdout.contains("no deadlock"), "{stdout}");
    for (options, why) in [
        (&[][..], "whether there are deadlocks cannot be checked with --reduce transactions"),
        (&["--only", "deadlock"], "--only deadlock cannot be checked with --reduce transactions"),
        (&["--invariant", "true"], "--invariant cannot be checked with --reduce transactions"),
        (&["--reduce", "stubborn"], "goes with constants, slice, merge and dead only"),
        (&["--reduce", "symmetry"], "goes with constants, slice, merge and dead only"),
        (&["--store", "bitstate"], "needs an exact store"),
        (&["--store", "delta"], "needs an exact store"),
        (&["--search", "bfs"], "--search has no use here"),
        (&["--search", "swarm"], "--search has no use here"),
        (&["-j", "2"], "--jobs has no use here"),
        (&["--disk"], "--disk has no use here"),
        (&["--proviso", "open"], "--proviso has no use here"),
    ] {
        let wanted = options.contains(&"--only") || options.is_empty();
        let only = if wanted { &[][..] } else { &["--only", "assertions"] };
        let (code, stdout, stderr) = run(&[options, only].concat());
        assert_eq!((code, &*stdout), (Some(2), ""), "{options:?}: {stderr}");
        assert!(stderr.contains(why), "{options:?}: {stderr}");
    }
}
