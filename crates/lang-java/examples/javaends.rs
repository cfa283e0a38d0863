//! Prints all ways in which a class can end: `javaends DIR MAIN [STATES] [none|local|constant|locks|all]`.

use everypath_lang_java::{Jdk, Options, Program, Reductions};

fn main() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let (Some(directory), Some(main)) = (args.next(), args.next()) else {
        return Err("usage: javaends DIR MAIN [STATES] [REDUCTIONS]".to_owned());
    };
    let most = args.next().and_then(|text| text.parse().ok()).unwrap_or(200_000);
    let reductions = match args.next().as_deref() {
        Some("none") => Reductions::NONE,
        Some("local") => Reductions::LOCAL,
        Some("constant") => Reductions { constant: true, ..Reductions::LOCAL },
        Some("locks") => Reductions { library: false, ..Reductions::ALL },
        _ => Reductions::ALL,
    };
    let options =
        Options { output: true, reductions, ..Options::new(vec![directory.into()], main) };
    let program = Program::load(&Jdk::find()?, &options)?;
    let outcomes = program.outcomes(most).map_err(|error| error.0)?;
    let outcomes = outcomes.ok_or_else(|| format!("more than {most} states"))?;
    for end in &outcomes.ends {
        print!("{}", end.stdout);
        end.uncaught.iter().for_each(|text| println!("uncaught {text}"));
        println!("{}", if end.deadlock { "-- deadlock" } else { "-- end" });
    }
    if outcomes.endless {
        println!("-- endless");
    }
    println!("{} states", outcomes.states);
    Ok(())
}
