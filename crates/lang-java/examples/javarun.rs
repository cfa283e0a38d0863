//! Runs a class once and prints what it prints: `javarun DIR MAIN [ARGS...]`.

use std::process::ExitCode;

use everypath_lang_java::{Options, run_once};

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (Some(directory), Some(main)) = (args.next(), args.next()) else {
        eprintln!("usage: javarun DIR MAIN [ARGS...]");
        return ExitCode::from(2);
    };
    let mut options = Options::new(vec![directory.into()], main);
    options.arguments = args.collect();
    match run_once(&options) {
        Ok(result) => {
            print!("{}", result.stdout);
            eprint!("{}", result.stderr);
            if result.deadlock {
                eprintln!("deadlock");
            }
            if std::env::var_os("COUNT").is_some() {
                eprintln!("{} instructions", result.instructions);
            }
            ExitCode::from(result.exit_status as u8)
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}
