//! The interpreter beside native code: the same states, the same machines, in the same run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use everypath_conformance::agree::machine;
use everypath_conformance::{Config, explore};
use everypath_engine_jit::Jit;
use everypath_machine::Interpreter;
use everypath_model::{Describe, Successors, TransitionSystem};

use crate::clock::seconds;

/// Runs of each; the fastest counts.
const RUNS: usize = 5;

/// How often each is compiled.
const COMPILED: u32 = 10;

/// States whose steps are generated.
const STATES: usize = 100_000;

/// `executors [FILE...]`
pub fn main(args: &[String]) -> ExitCode {
    let mut files: Vec<PathBuf> = args.iter().map(PathBuf::from).collect();
    if files.is_empty() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench");
        files =
            fs::read_dir(dir).map(|e| e.flatten().map(|e| e.path()).collect()).unwrap_or_default();
        files.retain(|f| f.extension().is_some_and(|e| e == "pml"));
        files.sort();
    }
    println!("one thread, seconds of the processor; best of {RUNS} runs, executors in turn");
    println!(
        "{:<20} {:>8} {:>8}  {:>8} {:>8} {:>6}  {:>9} {:>9} {:>6}  {:>9} {:>7}",
        "model",
        "states",
        "steps",
        "interp",
        "native",
        "ratio",
        "interp",
        "native",
        "ratio",
        "compiled",
        "native"
    );
    println!(
        "{:<20} {:>8} {:>8}  {:>8} {:>8} {:>6}  {:>9} {:>9} {:>6}  {:>9} {:>7}",
        "", "", "", "ns/step", "ns/step", "", "st/s", "st/s", "", "ms", "places"
    );
    let mut failed = false;
    for file in &files {
        failed |= !measure(file);
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn measure(file: &Path) -> bool {
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let source = String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned();
    let Some(machine) = machine(&source, file) else {
        println!("{name:<20} not a model");
        return false;
    };
    let interpreter = Interpreter::new(Arc::new(machine));
    // The clock may be coarse.
    let start = seconds();
    for _ in 1..COMPILED {
        _ = Jit::new(interpreter.clone());
    }
    let jit = match Jit::new(interpreter.clone()) {
        Ok(jit) => jit,
        Err(error) => {
            println!("{name:<20} not compiled: {error}");
            return false;
        }
    };
    let compiled = (seconds() - start) / f64::from(COMPILED);
    let states = reachable(&interpreter);
    let (mut slow, mut fast) = (f64::MAX, f64::MAX);
    let mut steps = 0;
    for _ in 0..RUNS {
        let (time, count) = generate(&interpreter, &states);
        slow = slow.min(time);
        let (time, same) = generate(&jit, &states);
        fast = fast.min(time);
        assert_eq!(count, same, "{name}: executors differ");
        steps = count;
    }
    // As `check` does it: compiled when it turns out to be worth it.
    let (mut slow_search, mut fast_search) = (f64::MAX, f64::MAX);
    let mut found = 0;
    for _ in 0..RUNS.min(3) {
        let (time, count) = search(&interpreter);
        slow_search = slow_search.min(time);
        let late = Jit::after(interpreter.clone(), 10_000);
        let (time, same) = search(&late);
        fast_search = fast_search.min(time);
        assert_eq!(count, same, "{name}: executors differ");
        found = count;
    }
    let coverage = jit.coverage().unwrap_or_default();
    let per = |time: f64| time * 1e9 / steps.max(1) as f64;
    println!(
        "{name:<20} {found:>8} {steps:>8}  {:>8.1} {:>8.1} {:>6.2}  {:>9.0} {:>9.0} {:>6.2}  {:>9.1} {:>3}/{:<3}",
        per(slow),
        per(fast),
        slow / fast,
        found as f64 / slow_search,
        found as f64 / fast_search,
        slow_search / fast_search,
        compiled * 1e3,
        coverage.native,
        coverage.native + coverage.interpreted,
    );
    true
}

/// Some reachable states, in the order of a search, which is reduced if the system is.
pub fn reachable<S: TransitionSystem>(system: &S) -> Vec<Vec<u32>> {
    let mut worker = system.worker();
    let mut out = Successors::new();
    let mut seen = std::collections::HashSet::new();
    let mut states: Vec<Vec<u32>> = Vec::new();
    let mut next = 0;
    let mut result = system.initial(&mut worker, &mut out);
    loop {
        if result.is_err() {
            return states;
        }
        for step in out.steps().iter().filter(|step| !step.fatal) {
            let target = out.target(step);
            if states.len() < STATES && seen.insert(target.to_vec()) {
                states.push(target.to_vec());
            }
        }
        let Some(state) = states.get(next) else { return states };
        next += 1;
        out.clear();
        result = system.reduced(&mut worker, state, 0, &mut out).map(|_| ());
    }
}

fn generate<S: TransitionSystem>(system: &S, states: &[Vec<u32>]) -> (f64, usize) {
    let mut worker = system.worker();
    let mut out = Successors::new();
    let mut steps = 0;
    let start = seconds();
    for state in states {
        out.clear();
        if system.successors(&mut worker, state, &mut out).is_ok() {
            steps += out.len();
        }
    }
    (seconds() - start, steps)
}

fn search<S: TransitionSystem + Describe>(system: &S) -> (f64, u64) {
    let config = Config { max_states: 3_000_000, replay: false, ..Config::default() };
    let start = seconds();
    let ran = explore(system, config);
    (seconds() - start, ran.states)
}
