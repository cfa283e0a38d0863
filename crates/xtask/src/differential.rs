//! Random models through SPIN and through us.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use everypath_conformance::{Comparison, Config, agree, compare, known_defect, run};
use everypath_testkit::spin::{self, parallel};
use everypath_testkit::{generate, shrink};

/// `differential [--count N] [--seed S] [--show K] [--seconds N] [--states N] [--exec jit]`
pub fn main(args: &[String]) -> ExitCode {
    let number = |name: &str, default: u64| {
        args.iter()
            .position(|a| a == name)
            .and_then(|i| args.get(i + 1)?.parse().ok())
            .unwrap_or(default)
    };
    let (count, seed) = (number("--count", 500), number("--seed", 1));
    if args.windows(2).any(|pair| pair == ["--exec", "jit"]) {
        return executors(seed, count, number("--states", 20_000) as usize);
    }
    let Some(spin) = spin::find() else {
        eprintln!("spin or gcc is not installed");
        return ExitCode::from(3);
    };
    // What takes longer is skipped: a large state space says no more than a small one.
    let time = Duration::from_secs(number("--seconds", 3));
    let config = spin::Config { time, ..spin::Config::default() };
    let ours = Config { max_states: number("--states", 300_000), ..Config::default() };
    let check = |text: &str| {
        let result = compare(&run(text, Path::new("m.pml"), ours), &spin.run(text, &config));
        match (result, known_defect(text)) {
            (Comparison::Different(_), Some(why)) => Comparison::Skipped(why.into()),
            (result, _) => result,
        }
    };
    let results = parallel(count as usize, 2, |i| {
        let model = generate::model(seed + i as u64);
        (model.seed, check(&model.text))
    });
    let (mut same, mut verdict, mut refused, mut skipped) = (0, 0, 0, 0);
    let mut bad = Vec::new();
    for (seed, result) in results {
        match result {
            Comparison::Same => same += 1,
            Comparison::SameVerdict => verdict += 1,
            Comparison::BothRefuse => refused += 1,
            Comparison::Skipped(_) => skipped += 1,
            Comparison::Different(why) => bad.push((seed, why)),
        }
    }
    println!(
        "{count} models from seed {seed}: {same} the same, {verdict} the same verdict, \
         {refused} refused by both, {skipped} skipped, {} different",
        bad.len()
    );
    bad.sort_by_key(|(_, why)| why.starts_with("we refuse"));
    for (seed, why) in bad.iter().take(number("--show", 5) as usize) {
        println!("--- seed {seed}: {why}");
        let text = generate::model(*seed).text;
        let class = why.split(' ').next().unwrap_or("").to_string();
        let small = shrink::shrink(
            &text,
            300,
            |text| matches!(check(text), Comparison::Different(why) if why.starts_with(&class)),
        );
        println!("{small}");
    }
    if bad.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Random models through the interpreter and as native code, step by step.
fn executors(seed: u64, count: u64, states: usize) -> ExitCode {
    let results = parallel(count as usize, 2, |i| {
        let model = generate::model(seed + i as u64);
        let machine = agree::machine(&model.text, Path::new("m.pml"))?;
        Some((model.seed, agree::agree(machine, states)))
    });
    let (mut compared, mut steps, mut different) = (0, 0, 0);
    for (seed, result) in results.into_iter().flatten() {
        match result {
            Ok(agreement) => {
                compared += 1;
                steps += agreement.steps;
            }
            Err(why) => {
                different += 1;
                println!("--- seed {seed}: {why}");
            }
        }
    }
    println!(
        "{count} models from seed {seed}: {compared} the same in {steps} steps, {different} different"
    );
    if different == 0 && compared > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
