//! Prints the flow graph of a class: `javaflow DIR MAIN [RULES]`.

use std::process::ExitCode;

use everypath_flow::{Binding, write};
use everypath_lang_java::{Jdk, Options, Program, Reductions};

fn graph() -> Result<String, String> {
    let mut args = std::env::args().skip(1);
    let (Some(directory), Some(main)) = (args.next(), args.next()) else {
        return Err("usage: javaflow DIR MAIN [RULES]".to_owned());
    };
    let rules = args.next().map(std::fs::read_to_string).transpose();
    let rules = rules.map_err(|error| error.to_string())?.unwrap_or_default();
    let binding = Binding::read(&rules).map_err(|wrong| wrong.to_string())?;
    let mut options = Options::new(vec![directory.into()], main);
    options.reductions = Reductions::NONE;
    let program = Program::load(&Jdk::find()?, &options)?;
    let extracted = program.flow_graph(&binding)?;
    for doubt in &extracted.doubts {
        eprintln!("doubt: {doubt}");
    }
    for (name, class) in &extracted.objects {
        eprintln!("object: {name}, a {class}");
    }
    Ok(write(&extracted.program))
}

fn main() -> ExitCode {
    match graph() {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
