//! Searches a class run by run and prints figures: `javaruns DIR MAIN [THREADS [PREEMPTIONS]]`. The command does this,
//! too, and more; this is quicker to build.

use std::time::Instant;

use everypath_engine_stateless::{Options as Search, Stopped, search};
use everypath_lang_java::{Jdk, Options, Program, Reductions};

fn main() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let (Some(directory), Some(main)) = (args.next(), args.next()) else {
        return Err("usage: javaruns DIR MAIN [THREADS [PREEMPTIONS]]".to_owned());
    };
    let mut number = || args.next().and_then(|text| text.parse::<u32>().ok());
    let (threads, preemptions) = (number().unwrap_or(1) as usize, number());
    let options = Options::new(vec![directory.into()], main);
    let options = Options { reductions: Reductions::ALL, races: true, ..options };
    let program = Program::load(&Jdk::find()?, &options)?;
    program.prepare_assumptions().map_err(|error| error.0)?;
    loop {
        let mut asked = Search { threads, preemptions, ..Search::default() };
        asked.limits.depth = Some(10_000);
        asked.limits.steps = Some(20_000_000);
        let start = Instant::now();
        let outcome = search(&program, &asked, &mut |_| true);
        if let Stopped::ModelError(error) = &outcome.stopped {
            if program.assume_less() {
                continue;
            }
            return Err(error.0.clone());
        }
        let seconds = start.elapsed().as_secs_f64();
        let stats = outcome.stats;
        println!(
            "{} runs, {} given up, {} cut, {} steps, depth {}, {} violations, {seconds:.3} s: {:.0} runs/s, {:.0} \
             steps/s, {:.1} MiB{}",
            stats.executions,
            stats.blocked,
            stats.cut,
            stats.steps,
            stats.depth,
            outcome.violations.len(),
            stats.executions as f64 / seconds,
            stats.steps as f64 / seconds,
            program.bytes() as f64 / f64::from(1 << 20),
            if outcome.complete() { "" } else { ", incomplete" },
        );
        return Ok(());
    }
}
