//! Our search beside SPIN's, on the same models, in the same run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use everypath_conformance::{Config, Ours, run};

/// Runs of each; the fastest counts.
const RUNS: usize = 3;

/// What one tool did with one model.
struct Measured {
    states: u64,
    /// Seconds of the search alone.
    search: f64,
    /// Seconds from the text to the verdict.
    total: f64,
    /// Bytes a state, without what the tool needs anyway.
    bytes: f64,
}

/// `bench`
pub fn main() -> ExitCode {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench");
    let mut files: Vec<PathBuf> =
        fs::read_dir(dir).map(|e| e.flatten().map(|e| e.path()).collect()).unwrap_or_default();
    files.retain(|f| f.extension().is_some_and(|e| e == "pml"));
    files.sort();
    println!("one thread, no reduction, exact store; best of {RUNS} runs each, tools in turn");
    println!(
        "{:<12} {:>9}  {:>11} {:>11} {:>6}  {:>8} {:>8}  {:>8} {:>8}",
        "model",
        "states",
        "ours st/s",
        "SPIN st/s",
        "ratio",
        "ours s",
        "SPIN s",
        "ours B",
        "SPIN B"
    );
    let (mut rates, mut times) = (Vec::new(), Vec::new());
    let mut failed = false;
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (mut ours, mut theirs): (Option<Measured>, Option<Measured>) = (None, None);
        for _ in 0..RUNS {
            keep_best(&mut ours, measure_ours(&file));
            keep_best(&mut theirs, measure_spin(&file));
        }
        let Some(ours) = ours else {
            println!("{name:<12} not run");
            failed = true;
            continue;
        };
        let rate = ours.states as f64 / ours.search;
        let Some(theirs) = theirs else {
            println!("{name:<12} {:>9}  {rate:>11.0}  (spin or gcc is not installed)", ours.states);
            continue;
        };
        failed |= ours.states != theirs.states;
        let spin_rate = theirs.states as f64 / theirs.search;
        rates.push(rate / spin_rate);
        times.push(theirs.total / ours.total);
        println!(
            "{name:<12} {:>9}  {rate:>11.0} {spin_rate:>11.0} {:>6.2}  {:>8.2} {:>8.2}  {:>8.1} {:>8.1}{}",
            ours.states,
            rate / spin_rate,
            ours.total,
            theirs.total,
            ours.bytes,
            theirs.bytes,
            if ours.states == theirs.states { "" } else { "  DIFFERENT COUNTS" }
        );
    }
    if !rates.is_empty() {
        println!(
            "geometric means: {:.2} times SPIN's states a second, {:.2} times as fast to the verdict \
             (SPIN's generation and compilation included)",
            mean(&rates),
            mean(&times)
        );
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn mean(values: &[f64]) -> f64 {
    (values.iter().map(|v| v.ln()).sum::<f64>() / values.len() as f64).exp()
}

fn keep_best(best: &mut Option<Measured>, new: Option<Measured>) {
    if let Some(new) = new
        && best.as_ref().is_none_or(|b| new.search < b.search)
    {
        *best = Some(new);
    }
}

fn measure_ours(file: &Path) -> Option<Measured> {
    let start = Instant::now();
    let text = fs::read_to_string(file).ok()?;
    let config = Config { max_states: u64::MAX, replay: false, ..Config::default() };
    let Ours::Ran(ran) = run(&text, file, config) else { return None };
    let total = start.elapsed().as_secs_f64();
    // Parsing takes less than a millisecond.
    Some(Measured {
        states: ran.states,
        search: total,
        total,
        bytes: ran.bytes as f64 / ran.states as f64,
    })
}

/// `gcc -O3`, a table of 2^24 slots, the depth the models need.
fn measure_spin(file: &Path) -> Option<Measured> {
    let dir = std::env::temp_dir().join(format!("everypath-bench-{}", std::process::id()));
    fs::create_dir_all(&dir).ok()?;
    let file = fs::canonicalize(file).ok()?;
    let start = Instant::now();
    let step = |command: &mut Command| command.current_dir(&dir).output().ok();
    step(Command::new("spin").args(["-a", "-o1", "-o2", "-o3"]).arg(&file))?;
    step(Command::new("gcc").args(["-w", "-O3", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"]))?;
    let search = Instant::now();
    let output = step(Command::new("./pan").args(["-m10000000", "-c0"]))?;
    let (search, total) = (search.elapsed().as_secs_f64(), start.elapsed().as_secs_f64());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let _ = fs::remove_dir_all(&dir);
    let report = everypath_testkit::spin::parse_report(&text)?;
    // "actual memory usage for states", or "equivalent" where nothing was saved.
    let megabytes = text
        .lines()
        .filter(|line| line.contains("memory usage for states"))
        .filter_map(|line| line.split_whitespace().next()?.parse::<f64>().ok())
        .next_back()?;
    Some(Measured {
        states: report.counts.stored,
        search,
        total,
        bytes: megabytes * 1_048_576.0 / report.counts.stored as f64,
    })
}
