//! `--search`: complete searches agree, samples never prove anything and repeat themselves, and options
//! without a use are refused.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use everypath_verdict::{PropertyResult, RunResult, Verdict, Word};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn examples() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("examples/promela")).expect("examples").flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "pml"))
        .collect();
    files.sort();
    files
}

fn run(file: &Path, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(["check", "--no-save", "--no-config", "--format", "json"])
        .args(options)
        .arg(file)
        .output()
        .expect("the program runs")
}

fn check(file: &Path, options: &[&str]) -> RunResult {
    let output = run(file, options);
    let text = String::from_utf8(output.stdout).expect("text");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// What must not depend on the order of a complete search.
fn answer(result: &RunResult) -> String {
    let stats = result.stats.as_ref().expect("a search");
    let property = |p: &PropertyResult| {
        let length = p.trace.as_ref().map(|trace| trace.length.moves);
        let shortest = p.trace.as_ref().map(|trace| trace.length.shortest);
        format!("{} {:?} {:?} {} {length:?} {shortest:?}\n", p.id, p.verdict, p.code, p.occurrences)
    };
    let properties: String = result.properties.iter().map(property).collect();
    let counts = (stats.states, stats.transitions, stats.errors, stats.unexpanded);
    format!("{:?} {} {counts:?} {properties}{:?}", result.verdict, result.exit, result.coverage)
}

/// The same without the lengths of runs.
fn counts(result: &RunResult) -> String {
    let stats = result.stats.as_ref().expect("a search");
    let property = |p: &PropertyResult| format!("{} {:?} {}\n", p.id, p.verdict, p.occurrences);
    let properties: String = result.properties.iter().map(property).collect();
    let counts = (stats.states, stats.transitions, stats.errors, stats.unexpanded);
    format!("{:?} {counts:?} {properties}{:?}", result.exit, result.coverage)
}

#[test]
fn a_directed_search_sees_what_the_breadth_first_one_sees() {
    let mut violated = 0;
    for file in examples() {
        let all = ["--reduce", "none", "--all-errors"];
        let bfs = check(&file, &all);
        let directed = check(&file, &[&all[..], &["--search", "directed"]].concat());
        assert_eq!(answer(&directed), answer(&bfs), "{}", file.display());
        assert_eq!(directed.run.search, "directed");
        violated += directed.properties.iter().filter(|p| p.trace.is_some()).count();
        // So do depth-first ones, however many threads there are.
        for threads in ["1", "3"] {
            let dfs = [&all[..], &["--search", "dfs", "-j", threads]].concat();
            let dfs = check(&file, &dfs);
            assert_eq!(dfs.run.threads.to_string(), threads);
            assert_eq!(counts(&dfs), counts(&bfs), "{}, {threads} threads", file.display());
        }
        // A reduced one has the same verdicts.
        let reduced = ["--reduce", "stubborn", "--all-errors", "--search", "directed"];
        let reduced = check(&file, &reduced);
        let verdicts = |result: &RunResult| -> Vec<(String, Word)> {
            result.properties.iter().map(|p| (p.id.clone(), p.verdict.word())).collect()
        };
        assert_eq!(verdicts(&reduced), verdicts(&bfs), "{}", file.display());
    }
    assert!(violated >= 6, "{violated}");
}

#[test]
fn samples_prove_nothing_and_what_they_find_is_real() {
    let mut found = 0;
    for file in examples() {
        let bfs = check(&file, &["--reduce", "none"]);
        for search in ["random", "swarm"] {
            let mut options = vec!["--search", search, "--runs", "40"];
            if search == "swarm" {
                options.extend(["--table", "1MiB"]);
            }
            let samples = check(&file, &options);
            assert!(!samples.scope.complete, "{}", file.display());
            let sample = samples.scope.sample.as_ref().expect("what was sampled");
            assert!(sample.runs <= 40 && sample.seed == 0, "{}", file.display());
            for property in &samples.properties {
                assert_ne!(property.verdict.word(), Word::Holds, "{} {search}", file.display());
                if property.verdict != Verdict::Violated {
                    continue;
                }
                found += 1;
                let real = bfs.properties.iter().find(|p| p.id == property.id).expect("known");
                assert_eq!(real.verdict, Verdict::Violated, "{} {}", file.display(), property.id);
                assert!(property.trace.is_some() && property.seed.is_some());
            }
        }
    }
    assert!(found >= 12, "{found}");
}

#[test]
fn the_seed_that_found_something_finds_it_again() {
    let file = root().join("docs/models/banquet.pml");
    for search in ["random", "swarm"] {
        let first = check(&file, &["--search", search, "--seed", "77", "-j", "2"]);
        let again = check(&file, &["--search", search, "--seed", "77", "-j", "1"]);
        let facts = |result: &RunResult| {
            let p = &result.properties[0];
            let steps = p.trace.as_ref().map(|trace| format!("{:?}", trace.steps));
            (p.verdict, p.seed, steps, result.stats.as_ref().map(|s| (s.states, s.transitions)))
        };
        assert_eq!(facts(&first), facts(&again));
        let seed = first.properties[0].seed.expect("a seed").to_string();
        let alone = check(&file, &["--search", search, "--seed", &seed, "--runs", "1"]);
        assert_eq!(alone.properties[0].verdict, Verdict::Violated);
        let steps = |r: &RunResult| format!("{:?}", r.properties[0].trace.as_ref().unwrap().steps);
        assert_eq!(steps(&alone), steps(&first));
    }
}

#[test]
fn time_ends_samples() {
    let file = root().join("examples/promela/bakery.pml");
    for search in ["random", "swarm"] {
        let result = check(&file, &["--search", search, "--time", "1s"]);
        assert_eq!(result.exit, 3);
        assert_eq!(result.run.stop, everypath_verdict::Stop::Time, "{search}");
        assert!(result.run.wall_s < 20.0, "{search}: {}", result.run.wall_s);
    }
}

#[test]
fn options_without_a_use_are_refused() {
    let file = root().join("examples/promela/peterson.pml");
    for (options, name) in [
        (&["--seed", "1"][..], "--seed"),
        (&["--seed", "1", "--store", "tree"], "--seed"),
        (&["--table", "1MiB"], "--table"),
        (&["--table", "1MiB", "--search", "random"], "--table"),
        (&["--hashing", "double"], "--hashing"),
        (&["--hashing", "double", "--store", "compact"], "--hashing"),
        (&["--runs", "3"], "--runs"),
        (&["--runs", "3", "--search", "directed"], "--runs"),
        (&["--search", "random", "--store", "plain"], "--store"),
        (&["--search", "random", "--states", "5"], "--states"),
        (&["--search", "directed", "-j", "2"], "--jobs"),
        (&["--search", "dfs", "--disk"], "--disk"),
        (&["--search", "dfs", "--checkpoint"], "--checkpoint"),
        (&["--store", "tree", "--checkpoint=5s"], "--checkpoint"),
        (&["--search", "swarm", "--store", "collapse"], "--store"),
        (&["--search", "swarm", "--reduce", "stubborn"], "--reduce"),
    ] {
        let output = run(&file, options);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{options:?}: {said}");
        assert!(said.contains(&format!("{name} has no use here")), "{options:?}: {said}");
        assert!(output.stdout.is_empty(), "{options:?}");
    }
    let file = root().join("examples/promela/bakery.pml");
    for options in [
        &["--seed", "1", "--store", "compact"][..],
        &["--table", "1MiB", "--store", "bitstate", "--hashing", "triple"],
        &["--search", "swarm", "--hashing", "triple", "--table", "1MiB", "--seed", "4"],
        &["--search", "swarm", "--store", "compact=32"],
        &["--search", "random", "--reduce", "merge"],
    ] {
        assert_eq!(run(&file, options).status.code(), Some(3), "{options:?}");
    }
}

#[test]
fn a_depth_first_search_says_when_it_works_alone() {
    let file = root().join("examples/promela/bakery.pml");
    for (options, alone) in [
        (&["--reduce", "none"][..], false),
        (&["--reduce", "stubborn", "--proviso", "sticky"], false),
        (&["--reduce", "stubborn"], true),
        (&["--reduce", "none", "--depth", "1000"], true),
    ] {
        let output = run(&file, &[&["--search", "dfs", "-j", "2"], options].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{options:?}: {said}");
        assert_eq!(said.contains("one thread only"), alone, "{options:?}: {said}");
    }
}

/// Workers that count to fourteen, one step each; `violation` says when that is wrong.
fn counting(dir: &Path, name: &str, violation: &str) -> PathBuf {
    let text = format!(
        "byte sum;\n\
         active [8] proctype Worker() {{\n\
           byte round;\n\
           do :: round < 14 -> atomic {{ round++; sum++; {violation} }} od\n\
         }}\n"
    );
    let file = dir.join(name);
    std::fs::write(&file, text).expect("a model");
    file
}

fn lengths(result: &RunResult) -> Vec<(u64, bool)> {
    let traces = result.properties.iter().filter_map(|property| property.trace.as_ref());
    traces.map(|trace| (trace.length.moves, trace.length.shortest)).collect()
}

fn found_by(result: &RunResult) -> Vec<&str> {
    result.properties.iter().filter_map(|property| property.found_by.as_deref()).collect()
}

#[test]
fn what_lies_deep_is_found_by_searches_beside_the_breadth_first_one() {
    let file = root().join("docs/models/deep.pml");
    let most = ["--states", "300000"];
    let alone = check(&file, &[&most[..], &["--search", "bfs"]].concat());
    assert_eq!(alone.exit, 3);
    let mut known = None;
    for jobs in ["1", "2", "3", "1"] {
        let result = check(&file, &[&most[..], &["-j", jobs]].concat());
        assert_eq!(result.exit, 1, "{jobs} threads");
        assert_eq!(found_by(&result), ["dfs"], "{jobs} threads");
        // Each of eight workers passes a guard and counts, fourteen times.
        let [(moves, shortest)] = lengths(&result)[..] else { panic!("{:?}", lengths(&result)) };
        assert!(moves >= 8 * 14 * 2 && !shortest, "{moves} moves, shortest: {shortest}");
        // Whatever the number of threads, it is the same run.
        assert_eq!(*known.get_or_insert(moves), moves, "{jobs} threads");
    }
}

#[test]
fn deep_violations_of_temporal_properties_are_found() {
    let file = root().join("docs/models/deep.pml");
    for formula in ["[](sum < 112)", "<>(sum > 112)"] {
        let options = ["--states", "400000", "--ltl", formula, "--only", "formula"];
        let result = check(&file, &options);
        assert_eq!(result.exit, 1, "{formula}");
    }
}

#[test]
fn a_shortest_run_is_given_where_the_breadth_first_search_comes_to_it() {
    let dir = std::env::temp_dir().join(format!("everypath-deep-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    let file = counting(&dir, "shallow.pml", "assert(sum != 6)");
    let reduce = ["--reduce", "none", "--only", "assertions"];
    let alone = check(&file, &[&reduce[..], &["--search", "bfs"]].concat());
    let result = check(&file, &reduce);
    // Something else had found it before.
    let first = alone.properties.iter().find(|p| p.trace.is_some()).expect("a violation");
    let stats = alone.stats.as_ref().expect("a search");
    assert!(stats.states > 1 << 16, "{} {:?}", stats.states, first.id);
    assert_eq!(lengths(&result), lengths(&alone));
    assert_eq!(lengths(&result), [(12, true)]);
    assert!(found_by(&result).is_empty());
    std::fs::remove_dir_all(&dir).expect("the folder goes");
}
