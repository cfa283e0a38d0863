//! Goes through all states of a class with a plain table and prints figures:
//! `javastates DIR MAIN [none|local|constant|locks|all]`. The command has better tables; this shows the cost of the steps.

use std::collections::HashSet;
use std::time::Instant;

use everypath_lang_java::{Jdk, Options, Program, Reductions};
use everypath_model::{Successors, TransitionSystem};

fn main() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let (Some(directory), Some(main)) = (args.next(), args.next()) else {
        return Err("usage: javastates DIR MAIN [REDUCTIONS]".to_owned());
    };
    let start = Instant::now();
    let reductions = match args.next().as_deref() {
        Some("none") => Reductions::NONE,
        Some("local") => Reductions::LOCAL,
        Some("locks") => Reductions { library: false, ..Reductions::ALL },
        Some("constant") => Reductions { constant: true, ..Reductions::LOCAL },
        _ => Reductions::ALL,
    };
    let options = Options { reductions, ..Options::new(vec![directory.into()], main) };
    let program = Program::load(&Jdk::find()?, &options)?;
    println!("loaded after {:.3} s", start.elapsed().as_secs_f64());
    program.prepare_assumptions().map_err(|error| error.0)?;
    println!("prepared after {:.3} s", start.elapsed().as_secs_f64());
    loop {
        match search(&program) {
            Err(why) if program.assume_less() => println!("{why}"),
            other => return other,
        }
    }
}

fn search(program: &Program) -> Result<(), String> {
    let (mut worker, mut out) = (program.worker(), Successors::new());
    program.initial(&mut worker, &mut out).map_err(|error| error.0)?;
    let mut open: Vec<Vec<u32>> =
        out.steps().iter().map(|step| out.target(step).to_vec()).collect();
    let mut known: HashSet<Vec<u32>> = open.iter().cloned().collect();
    let (mut transitions, mut faults, mut words) = (0u64, 0u64, 0);
    let start = Instant::now();
    while let Some(state) = open.pop() {
        out.clear();
        program.successors(&mut worker, &state, &mut out).map_err(|error| error.0)?;
        words = words.max(state.len());
        for step in out.steps() {
            transitions += 1;
            faults += u64::from(step.fault.is_some());
            let target = out.target(step);
            if !known.contains(target) {
                known.insert(target.to_vec());
                open.push(target.to_vec());
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} states, {transitions} transitions, {faults} faults, {words} words at most, {seconds:.2} s: {:.0} \
         states/s, {:.2} million instructions/s, {:.2} million executed",
        known.len(),
        known.len() as f64 / seconds,
        worker.instructions() as f64 / seconds / 1e6,
        worker.executed() as f64 / seconds / 1e6,
    );
    Ok(())
}
