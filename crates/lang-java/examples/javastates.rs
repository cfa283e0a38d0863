//! Searches all states of a class and prints figures: `javastates DIR MAIN [none|local|constant|locks|all] [THREADS]`.
//! The command does this, too, and more; this is quicker to build.

use std::time::Instant;

use everypath_engine_explicit::{AfterViolation, Options as Search, Stopped, Storage, search};
use everypath_lang_java::{Jdk, Options, Program, Reductions};

fn main() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let (Some(directory), Some(main)) = (args.next(), args.next()) else {
        return Err("usage: javastates DIR MAIN [REDUCTIONS] [THREADS]".to_owned());
    };
    let start = Instant::now();
    let reductions = match args.next().as_deref() {
        Some("none") => Reductions::NONE,
        Some("local") => Reductions::LOCAL,
        Some("locks") => Reductions { library: false, ..Reductions::ALL },
        Some("constant") => Reductions { constant: true, ..Reductions::LOCAL },
        _ => Reductions::ALL,
    };
    let threads = args.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let options = Options { reductions, ..Options::new(vec![directory.into()], main) };
    let program = Program::load(&Jdk::find()?, &options)?;
    println!("loaded after {:.3} s", start.elapsed().as_secs_f64());
    program.prepare_assumptions().map_err(|error| error.0)?;
    println!("prepared after {:.3} s", start.elapsed().as_secs_f64());
    loop {
        match states(&program, threads) {
            Err(why) if program.assume_less() => println!("{why}"),
            other => return other,
        }
    }
}

fn states(program: &Program, threads: usize) -> Result<(), String> {
    let besides = || program.bytes();
    let options = Search {
        store: Storage::Tree,
        threads,
        after_violation: AfterViolation::Continue,
        besides: Some(&besides),
        ..Search::default()
    };
    let (start, before, met) = (Instant::now(), processor_seconds(), program.met());
    let outcome = search(program, &options, &mut ());
    if let Stopped::ModelError(error) = outcome.stopped {
        return Err(error.0);
    }
    let seconds = start.elapsed().as_secs_f64();
    let busy = (processor_seconds() - before).max(0.01);
    let (stats, now) = (outcome.stats, program.met());
    let millions = |now: u64, before: u64| (now - before) as f64 / busy / 1e6;
    println!(
        "{} states, {} transitions, {} errors, {seconds:.2} s, {busy:.2} s of processors: {:.0} states/s, {:.2} \
         million instructions/s, {:.2} million executed, {:.1} bytes a state",
        stats.states,
        stats.transitions,
        outcome.errors,
        stats.states as f64 / busy,
        millions(now.instructions, met.instructions),
        millions(now.executed, met.executed),
        (stats.bytes.peak) as f64 / stats.states.max(1) as f64,
    );
    Ok(())
}

/// Time of processors that this process took, where the system tells it in the way of Linux.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    // Hundredths of a second in user and in system mode.
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    ticks as f64 / 100.0
}
