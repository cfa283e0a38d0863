//! Runs SPIN on random models and prints what it finds.
//!
//! `cargo run --release -p everypath-testkit --example survey -- [COUNT [FIRST_SEED [DIRECTORY]]]`
//! Models that SPIN refuses are written to the directory.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{env, fs, process};

use everypath_testkit::generate;
use everypath_testkit::spin::{self, Config, SpinResult};

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let number =
        |i: usize, default: u64| args.get(i).map_or(default, |a| a.parse().expect("a number"));
    let (count, first) = (number(0, 2000), number(1, 0));
    let directory = args.get(2).map(PathBuf::from);
    let Some(spin) = spin::find() else {
        eprintln!("spin or gcc is not installed");
        process::exit(1);
    };
    let models: Vec<_> = (first..first + count).map(generate::model).collect();
    let sources: Vec<&str> = models.iter().map(|m| m.text.as_str()).collect();
    let config = Config { time: Duration::from_secs(2), memory: 512, ..Config::default() };
    let start = Instant::now();
    let results = spin.run_all(&sources, &config, 2);
    let seconds = start.elapsed().as_secs_f64();

    let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    let mut features: BTreeMap<&str, u64> = BTreeMap::new();
    let mut states = Vec::new();
    for (model, result) in models.iter().zip(&results) {
        let outcome = match result {
            SpinResult::Accepted(run) if run.depth_limit => "depth limit".to_string(),
            SpinResult::Accepted(run) if run.stopped => "stopped early".to_string(),
            SpinResult::Accepted(run) if run.spin_exit != 0 => "recovered errors".to_string(),
            SpinResult::Accepted(_) => "complete".to_string(),
            SpinResult::Rejected { by, .. } => format!("rejected by {by:?}"),
            SpinResult::Failed { why } => why.clone(),
            SpinResult::Timeout => "time-out".to_string(),
        };
        *outcomes.entry(outcome).or_default() += 1;
        if let SpinResult::Accepted(run) = result {
            states.push(run.counts.stored);
            for kind in run.kinds() {
                *kinds.entry(kind.word()).or_default() += 1;
            }
        } else if let Some(directory) = &directory {
            let text = format!("{}\n/*\n{result:?}\n*/\n", model.text);
            fs::write(directory.join(format!("{}.pml", model.seed)), text).expect("can write");
        }
        for feature in model.features.keys() {
            *features.entry(feature).or_default() += 1;
        }
    }
    states.sort_unstable();
    let share = |n: u64| 100.0 * n as f64 / count as f64;
    println!("{count} models in {seconds:.1} s: {:.1} a second", count as f64 / seconds);
    println!("accepted: {:.1} %", share(states.len() as u64));
    for (outcome, n) in outcomes {
        println!("  {outcome}: {n} ({:.1} %)", share(n));
    }
    let quantiles = [1, 5, 10, 25, 50, 75, 90, 95, 99];
    let at = |q: usize| states.get(states.len() * q / 100).copied().unwrap_or_default();
    let line: Vec<String> = quantiles.iter().map(|&q| format!("{q} %: {}", at(q))).collect();
    println!("states: {}, most {}", line.join(", "), states.last().unwrap_or(&0));
    let within = states.iter().filter(|&&n| (10..=20_000).contains(&n)).count() as u64;
    println!("10 to 20000 states: {:.1} %", share(within));
    println!("error kinds: {kinds:?}");
    println!("features (models that have them):");
    for (feature, n) in features {
        println!("  {feature}: {n}");
    }
}
