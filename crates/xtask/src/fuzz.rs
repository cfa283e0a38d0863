//! Mutated models, for as long as one likes.

use std::process::ExitCode;
use std::time::Duration;

use everypath_conformance::fuzz::{self, Plan, Seeds};

/// `fuzz [--seconds N] [--seed S] [--case C]`: from case S on, or case C alone and in full.
pub fn main(args: &[String]) -> ExitCode {
    let number = |name: &str| {
        let at = args.iter().position(|a| a == name)?;
        args.get(at + 1)?.parse::<u64>().ok()
    };
    if let Some(case) = number("--case") {
        let text = Seeds::load().case(case);
        println!("{text}");
        let result = fuzz::attempt(&text);
        println!("--- case {case}: {result:?}");
        return if result.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let first = number("--seed").unwrap_or(1);
    let time = Duration::from_secs(number("--seconds").unwrap_or(60));
    let report = fuzz::fuzz(Plan { first, time, threads: 2 });
    println!("from case {first}: {report}");
    if report.findings.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("the texts are in {}", fuzz::failures().display());
    ExitCode::FAILURE
}
