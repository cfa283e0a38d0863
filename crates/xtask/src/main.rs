//! Chores of the project: `cargo xtask automata | corpus | differential | executors | fuzz | count | oracles |
//! reduction | bench`.

mod automata;
mod bench;
mod clock;
mod corpus;
mod differential;
mod executors;
mod fuzz;
mod oracles;
mod reduction;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("automata") => automata::main(&args[1..]),
        Some("bench") => bench::main(&args[1..]),
        Some("measured") => bench::child::measured(&args[1..]),
        Some("flow") => bench::flow::main(&args[1..]),
        Some("corpus") => corpus::main(&args[1..]),
        Some("differential") => differential::main(&args[1..]),
        Some("executors") => executors::main(&args[1..]),
        Some("fuzz") => fuzz::main(&args[1..]),
        Some("oracles") => oracles::main(&args[1..]),
        Some("reduction") => reduction::main(&args[1..]),
        Some("count") => count(&args[1..]),
        _ => {
            eprintln!(
                "usage: cargo xtask {}\n       cargo xtask automata [--all] [--markdown FILE]\n       \
                 cargo xtask corpus [--all]\n       \
                 cargo xtask differential [--count N] [--seed S] [--show K] [--exec jit]\n       \
                 cargo xtask executors [FILE...]\n       \
                 cargo xtask fuzz [--seconds N] [--seed S] [--case C]\n       \
                 cargo xtask oracles [--write]\n       \
                 cargo xtask reduction [--most N | --speed] [FILE...]
       \
                 cargo xtask count FILE...",
                bench::USAGE
            );
            ExitCode::from(2)
        }
    }
}

/// Prints what we find in models, for a look.
fn count(files: &[String]) -> ExitCode {
    for file in files {
        let source = String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()).into_owned();
        let ours = everypath_conformance::run(&source, Path::new(file), Default::default());
        println!("{file}: {ours:?}");
    }
    ExitCode::SUCCESS
}
