//! The whole corpus beside the checkout: counts against the published ones or against SPIN.

use std::fs;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use everypath_conformance::{Config, Ours, corpus, run};
use everypath_testkit::spin::{self, Compiler};

/// Models with more states, published or found, are left out: their search takes minutes.
const MOST: u64 = 2_000_000;

/// `corpus [--all]`
pub fn main(args: &[String]) -> ExitCode {
    let models = corpus::models();
    if models.is_empty() {
        eprintln!("there is no corpus beside the checkout");
        return ExitCode::from(3);
    }
    let most = if args.iter().any(|a| a == "--all") { u64::MAX } else { MOST };
    let spin = spin::find();
    let (mut right, mut wrong, mut left) = (0, 0, 0);
    println!(
        "{:<22} {:>10} {:>10} {:>9} {:>8}  oracle",
        "model", "states", "expected", "states/s", "B/state"
    );
    for model in models {
        if model.published.is_none_or(|n| n > most) {
            left += 1;
            continue;
        }
        let text = fs::read_to_string(&model.path).unwrap_or_default();
        let start = Instant::now();
        let config =
            Config { max_states: most, deadlocks: false, replay: false, ..Config::default() };
        let ours = run(&text, &model.path, config);
        let time = start.elapsed().as_secs_f64();
        let Ours::Ran(ran) = ours else {
            println!("{:<22} {ours:?}", model.name);
            wrong += 1;
            continue;
        };
        if !ran.complete {
            left += 1;
            continue;
        }
        let mut wanted = (model.published, "published");
        if Some(ran.states) != model.published {
            let config = spin::Config {
                compiler: Compiler::Reference,
                end_states: false,
                time: Duration::from_secs(600),
                memory: 12_000,
                max_depth: 20_000_000,
                ..spin::Config::default()
            };
            let theirs = spin.as_ref().map(|spin| spin.run_file(&model.path, &config));
            let stored = theirs.as_ref().and_then(|r| r.run()).map(|run| run.counts.stored);
            wanted = (stored, "SPIN");
        }
        let same = Some(ran.states) == wanted.0;
        if same {
            right += 1;
        } else {
            wrong += 1;
        }
        println!(
            "{:<22} {:>10} {:>10} {:>9.0} {:>8.1}  {}{}",
            model.name,
            ran.states,
            wanted.0.map_or("?".into(), |n| n.to_string()),
            ran.states as f64 / time,
            ran.bytes as f64 / ran.states as f64,
            wanted.1,
            if same { "" } else { "  DIFFERENT" }
        );
    }
    println!(
        "{right} right, {wrong} different, {left} left out (larger than {most} states or unknown)"
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
