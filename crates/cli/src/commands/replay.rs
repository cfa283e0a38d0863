//! `everypath replay`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use everypath_model::shown;
use everypath_verdict::{Claim, Divergence, Ending, Exit, Strictness, Trace};
use everypath_walk::show::steps;

use crate::args::LayoutArgs;
use crate::config::Environment;
use crate::outlet::folder_of;
use crate::render::json;
use crate::render::style::{Paint, Style};
use crate::rerun::{Origin, Outcome, Problem, rerun};
use crate::{complain, evidence, print, tell, tell_lines};

const EXAMPLES: &str = "\
Examples:
  everypath replay last                    the shortest trace of the last check
  everypath replay last:2                  the second one
  everypath replay trace.json fixed.pml --loose

Exit codes: 0 nothing is wrong at the end of the run, 1 the violation is still there, 2 the trace is
not a run of the model, 3 a loose replay had to leave steps out and found nothing wrong.";

/// What was possible instead of a step, at most.
const POSSIBLE: usize = 8;

/// Arguments of `replay`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReplayArgs {
    /// The trace: last, last:2, 17:deadlock, trace.json, result.json
    #[arg(value_name = "TRACE")]
    pub trace: String,

    /// The model, if it has moved
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// Follow the trace as far as possible on a model that has changed
    #[arg(long)]
    pub loose: bool,

    /// The program is trusted, as with `check --trust`
    #[arg(long)]
    pub trust: bool,

    /// Write the trace of this run to a file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// How the output looks.
    #[command(flatten)]
    pub layout: LayoutArgs,
}

/// Run a trace again on its model.
pub fn replay(args: &ReplayArgs, environment: &Environment) -> Exit {
    let (style, notes) = environment.styles(&args.layout);
    if let Some(path) = &args.output
        && let Err(why) = folder_of(path)
    {
        return refuse(&notes, &format!("cannot write {}: {why}", shown(path)));
    }
    let trace = match evidence::trace(&args.trace) {
        Ok(trace) => trace,
        Err(error) => return refuse(&notes, &error),
    };
    let strictness = if args.loose { Strictness::Loose } else { Strictness::Strict };
    let outcome = match rerun(&trace, args.file.as_deref(), strictness, args.trust, &notes) {
        Ok(outcome) => outcome,
        Err(problem) => return explain(&notes, &trace, problem),
    };
    if let Origin::Trace(path) = &outcome.origin {
        tell("note", &format!("there is no {}; the text in the trace is used", shown(path)));
    }
    let (text, exit) = report(&style, &trace, &outcome, args.loose);
    print(&text);
    let written = args.output.as_ref().map(|path| write(path, &outcome));
    match written {
        Some(Err(error)) => refuse(&notes, &error).and(exit),
        _ => exit,
    }
}

fn refuse(notes: &Style, error: &str) -> Exit {
    tell("error", &notes.brief(error));
    Exit::Input
}

fn write(path: &Path, outcome: &Outcome) -> Result<(), String> {
    std::fs::write(path, json::line(outcome.trace.as_ref().map_err(String::clone)?))
        .map_err(|error| format!("cannot write {}: {error}", shown(path)))
}

/// Says why a trace could not be run.
fn explain(notes: &Style, trace: &Trace, problem: Problem) -> Exit {
    match problem {
        Problem::Model(exit) => exit,
        Problem::Unusable(message) => refuse(notes, &message),
        Problem::Changed(message) => {
            // It shows two lines of text below each other.
            tell_lines("error", &message);
            let exit = Exit::Input;
            complain("help: --loose follows the trace on the changed model as far as possible\n");
            exit
        }
        Problem::Diverges(Divergence { step, message, possible }) => {
            let what = match step {
                0 => format!("the trace is not a run of the model: {message}"),
                _ => format!("the trace is not a run of the model: step {step}: {message}"),
            };
            let exit = refuse(notes, &what);
            let mut out = String::new();
            if !possible.is_empty() {
                let _ = writeln!(out, "possible instead:");
            }
            for one in possible.iter().take(POSSIBLE) {
                let _ = writeln!(out, "  {}", notes.brief(one));
            }
            let more = possible.len().saturating_sub(POSSIBLE);
            if more > 0 {
                let _ = writeln!(out, "  and {more} more");
            }
            if trace.model.reading.is_none() {
                let _ = writeln!(out, "note: the trace does not say which macros were defined");
            }
            complain(&out);
            exit
        }
    }
}

/// What a trace showed when it ran again.
fn report(style: &Style, trace: &Trace, outcome: &Outcome, loose: bool) -> (String, Exit) {
    let again = &outcome.rerun;
    let of = trace.steps.len() as u64;
    let mut out = String::new();
    let bad = |text: &str| style.paint(Paint::Bad, text);
    let exit = match (&again.ending, loose) {
        (Ending::Same(Claim::Lasso { .. }, _), false) if trace.loop_start.is_some() => {
            let _ = writeln!(out, "replayed: {}, {}", steps(of), bad("the loop is still there"));
            Exit::Violation
        }
        (Ending::Same(_, message), false) => {
            let still = bad("the violation is still there");
            let _ = writeln!(out, "replayed: {}, {still}", steps(of));
            let _ = writeln!(out, "  {}", style.brief(message));
            Exit::Violation
        }
        (Ending::Same(_, message), true) => {
            let _ = writeln!(out, "the old trace {}: {}", bad("still fails"), style.brief(message));
            Exit::Violation
        }
        (Ending::Other(_, message), _) => {
            let other = bad("fails in another way");
            let _ = writeln!(out, "the old trace {other}: {}", style.brief(message));
            Exit::Violation
        }
        (Ending::Nothing(_), false) => {
            let _ = writeln!(out, "replayed: {}, nothing is wrong", steps(of));
            Exit::Ok
        }
        (Ending::Nothing(_), true) if again.skipped.is_empty() => {
            let _ = writeln!(out, "the old trace no longer fails: nothing is wrong at its end");
            Exit::Ok
        }
        (Ending::Nothing(_), true) => {
            let what = style.paint(Paint::Warn, "not conclusive");
            let _ = writeln!(out, "the old trace no longer fails, but it diverges: {what}");
            Exit::Inconclusive
        }
    };
    if loose {
        let followed = again.followed;
        let _ = write!(out, "  {followed} of {} followed", steps(of));
        if again.inserted > 0 {
            let _ = write!(out, ", {} made that the trace does not have", again.inserted);
        }
        out.push('\n');
        for skipped in again.skipped.iter().take(POSSIBLE) {
            let message = style.brief(&skipped.message);
            let _ = writeln!(out, "  left out: step {}: {message}", skipped.step);
        }
        let more = again.skipped.len().saturating_sub(POSSIBLE);
        if more > 0 {
            let _ = writeln!(out, "  left out: {} more", steps(more as u64));
        }
        if exit == Exit::Inconclusive {
            let _ = writeln!(out, "  `everypath check` knows whether another run fails");
        }
    }
    (out, exit)
}
