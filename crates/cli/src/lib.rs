//! The everypath command: the door where languages and engines meet.
//!
//! [`args`] is the command line as written, [`config`] what it means, [`commands`] has a module for
//! each command, [`render`] is the way from documents to text. `main` only turns the [`Exit`]
//! of [`run`] into the code of the process.

// A closed standard error must not end the program: `complain` writes to it.
#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod answer;
pub mod args;
pub mod checkpoints;
pub mod commands;
pub mod config;
mod disk;
mod drafts;
pub mod events;
pub mod evidence;
mod interrupt;
mod jpf;
mod outlet;
pub mod progress;
pub mod ready;
pub mod rerun;
mod run_java;
pub mod runs;
pub mod settings;
mod spin;
mod trail;
mod watch;

use std::ffi::OsString;

use clap::FromArgMatches;
use everypath_model::visible;
use everypath_verdict::Exit;

pub use everypath::{
    analysis, brake, checking, choices, codes, expect, explore, fix, input, java, levels, load,
    memory, portfolio, promela, reading, reduce, searches, stores, subject, temporal,
};
pub use everypath_render as render;
pub use memory::Allocator;

use args::{Cli, Command};
use config::Environment;
pub(crate) use outlet::{complain, print, tell, tell_lines};
use settings::Request;

/// Runs the command and says how it ended.
pub fn run(argv: Vec<OsString>) -> Exit {
    std::panic::set_hook(Box::new(|info| {
        let message = info
            .payload()
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| info.payload().downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line()));
        report_internal(&format!("{message}{}", place.unwrap_or_default()));
    }));
    memory::prepare();
    let worker =
        std::thread::Builder::new().stack_size(everypath::check::STACK).spawn(|| dispatch(argv));
    match worker {
        Ok(worker) => outlet::exit_after(worker.join().unwrap_or(Exit::Internal)),
        Err(error) => {
            complain(&format!("error: the system gives no thread to work with: {error}\n"));
            Exit::Inconclusive
        }
    }
}

/// Tells the user about a defect.
fn report_internal(message: &str) {
    complain(&format!(
        "internal error: {message}\n\
         This is a defect of everypath, not of your model. Please report it, with the input\n\
         and the command line.\n"
    ));
}

/// Options that `java` has and that cannot be written so here, in our words: `-cp PATH`, and what follows
/// `--` behind a program.
fn as_options(argv: Vec<OsString>) -> Vec<OsString> {
    let command = argv.get(1).and_then(|word| word.to_str());
    if !matches!(command, Some("check" | "sim" | "races")) {
        return argv;
    }
    let program = |word: &OsString| java::is_program(std::path::Path::new(word));
    let end = argv.iter().position(|word| word == "--");
    let end = end.filter(|&at| argv[..at].iter().any(program)).unwrap_or(argv.len());
    let mut words: Vec<OsString> = Vec::with_capacity(argv.len());
    for word in &argv[..end] {
        words.push(match word.to_str() {
            Some("-cp" | "-classpath") => "--class-path".into(),
            _ => word.clone(),
        });
    }
    for argument in argv.iter().skip(end + 1) {
        let mut word = OsString::from("--arg=");
        word.push(argument);
        words.push(word);
    }
    words
}

/// What clap says about a command line, with its words made visible: it repeats them as they are.
fn visible_error(argv: &[OsString], error: clap::Error) -> clap::Error {
    let words = argv.iter().map(|word| visible(&word.to_string_lossy()).into_owned());
    match args::command().try_get_matches_from(words) {
        Err(visible) if visible.kind() == error.kind() => visible,
        // Words that are no text are not repeated.
        _ => error,
    }
}

fn dispatch(argv: Vec<OsString>) -> Exit {
    let argv = as_options(argv);
    let parsed = args::command().try_get_matches_from(&argv);
    let (cli, matches) = match parsed.and_then(|m| Ok((Cli::from_arg_matches(&m)?, m))) {
        Ok(parsed) => parsed,
        Err(error) => {
            if error.use_stderr() {
                let _ = visible_error(&argv, error).print();
                return Exit::Input;
            }
            outlet::note_loss(error.print());
            return Exit::Ok;
        }
    };
    let environment = Environment::read();
    match cli.command {
        Command::Check(args) => {
            let Some(matches) = matches.subcommand_matches("check") else { return Exit::Internal };
            let argv = argv.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
            let request =
                Request { args: &args, matches, argv, environment: &environment, recorded: false };
            commands::check::check(&request)
        }
        Command::Lint(args) => commands::lint::lint(&args, &environment),
        Command::Sim(args) => commands::sim::sim(&args, &environment),
        Command::Races(args) => commands::races::races(&args, &environment),
        Command::Show(args) => commands::show::show(&args, &environment),
        Command::Replay(args) => commands::replay::replay(&args, &environment),
        Command::Reproduce(args) => commands::reproduce::reproduce(&args, &environment),
        Command::Explain(args) => commands::explain::explain(&args, &environment),
        Command::Diff(args) => commands::diff::diff(&args, &environment),
        Command::Prop(args) => commands::prop::prop(&args, &environment),
        Command::Automaton(args) => commands::automaton::automaton(&args, &environment),
        Command::Jpf(args) => commands::jpf::jpf(&args, &environment),
        Command::Flow(args) => commands::flow::flow(&args, &environment),
        Command::Spin(args) => commands::spin::spin(&args, &environment),
        Command::Schema(args) => commands::schema::schema(&args, &environment),
        Command::Init(args) => commands::init::init(&args),
        Command::Doctor(args) => commands::doctor::doctor(&args, &environment),
        Command::Completions(args) => commands::completions::completions(&args),
        Command::Man(args) => commands::man::man(&args),
    }
}
