//! `everypath diff`: two runs, or a run and a model as it is now.

use std::path::Path;

use clap::{Args, CommandFactory, FromArgMatches, ValueEnum};
use everypath_model::files;
use everypath_verdict::comparison::{Again, TraceAgain, compare};
use everypath_verdict::{Divergence, Ending, Exit, RunResult, Strictness, Trace, Word};

use crate::args::{Cli, Command, LayoutArgs};
use crate::commands::check::check_quietly;
use crate::config::Environment;
use crate::evidence::{self, Document};
use crate::render::style::Style;
use crate::render::{diff, json};
use crate::rerun::{Problem, rerun};
use crate::settings::{self, Request};
use crate::{print, runs, tell};

/// Old traces that are run again, at most.
const TRACES: usize = 20;

const EXAMPLES: &str = "\
Examples:
  everypath diff -2 last            the last run against the one before
  everypath diff old.json new.json  two result files
  everypath diff last model.pml     check the model now, as the run did, and compare

Exit codes: 0 no regression, 1 a property got worse, 2 bad input, 3 inconclusive.";

/// Arguments of `diff`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DiffArgs {
    /// The old run: `last`, a number, -2 for the last but one, or a result file
    #[arg(value_name = "OLD", allow_hyphen_values = true)]
    pub old: String,

    /// The new run, or a model, which is checked now with the settings of the old run
    #[arg(value_name = "NEW", allow_hyphen_values = true)]
    pub new: String,

    /// Follow the old traces as far as possible on a model that has changed
    #[arg(long)]
    pub loose: bool,

    /// Also list what has not changed
    #[arg(long)]
    pub all: bool,

    /// The model is trusted, as with `check --trust`
    #[arg(long)]
    pub trust: bool,

    /// Format of the standard output
    #[arg(long, value_name = "FMT", default_value = "full", help_heading = "Output")]
    pub format: DiffFormat,

    /// How the output looks.
    #[command(flatten)]
    pub layout: LayoutArgs,
}

/// `--format` of `diff`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For people
    Full,
    /// One document for programs
    Json,
}

/// Compare two runs.
pub fn diff(args: &DiffArgs, environment: &Environment) -> Exit {
    match compared(args, environment) {
        Ok((text, exit)) => {
            print(&text);
            exit
        }
        Err(message) => {
            tell("error", &message);
            Exit::Input
        }
    }
}

fn compared(args: &DiffArgs, environment: &Environment) -> Result<(String, Exit), String> {
    let old = results(&args.old)?;
    let model = is_model(&args.new).then_some(Path::new(&args.new));
    let new = match model {
        Some(model) => checked(&old, model, environment, args.trust)?,
        None => results(&args.new)?,
    };
    let mut comparison = compare(&old, &new);
    let (style, notes) = environment.styles(&args.layout);
    if let (Some(model), [input]) = (model, &mut comparison.inputs[..])
        && input.verdict.new != Some(Word::Error)
    {
        let strictness = if args.loose { Strictness::Loose } else { Strictness::Strict };
        let traces = runs::traces(&old).take(TRACES);
        input.traces =
            traces.map(|trace| again(trace, model, strictness, args.trust, &notes)).collect();
    }
    let mut out = String::new();
    match args.format {
        DiffFormat::Full => diff::render(&mut out, &style, &comparison, args.all),
        DiffFormat::Json => {
            out = json::pretty(&comparison);
        }
    }
    let exit = Exit::ALL.into_iter().find(|exit| exit.code() == comparison.exit);
    Ok((out, exit.unwrap_or(Exit::Internal)))
}

/// Runs an old trace on the new model.
fn again(
    trace: &Trace,
    model: &Path,
    strictness: Strictness,
    trust: bool,
    notes: &Style,
) -> TraceAgain {
    let of = trace.steps.len();
    let (outcome, message) = match rerun(trace, Some(model), strictness, trust, notes) {
        Ok(outcome) => match &outcome.rerun.ending {
            Ending::Same(..) => (Again::Fails, "still fails".to_owned()),
            Ending::Other(_, message) => {
                (Again::FailsOtherwise, format!("fails in another way: {message}"))
            }
            Ending::Nothing(_) if outcome.rerun.skipped.is_empty() => {
                (Again::Passes, "no longer fails".to_owned())
            }
            Ending::Nothing(_) => {
                let followed = outcome.rerun.followed;
                let message = format!("{followed} of its {of} steps are possible, nothing fails");
                (Again::Diverges, message)
            }
        },
        Err(Problem::Changed(_)) => {
            let message = "not run, since the model has changed; --loose follows it all the same";
            (Again::NotRun, message.to_owned())
        }
        Err(Problem::Diverges(Divergence { step, message, .. })) => {
            (Again::Diverges, format!("not possible from step {step} on: {message}"))
        }
        Err(Problem::Unusable(message)) => (Again::NotRun, format!("not run: {message}")),
        Err(Problem::Model(_)) => (Again::NotRun, "not run: the model cannot be read".to_owned()),
    };
    TraceAgain { property: trace.result.property.clone(), outcome, message }
}

fn results(word: &str) -> Result<Vec<RunResult>, String> {
    match evidence::document(word)? {
        Document::Results(results) => Ok(results),
        Document::Trace(_) => Err(format!("{word} is a trace; wanted a run or a result")),
    }
}

/// Whether a word names a file that is no document: those begin with a brace.
fn is_model(word: &str) -> bool {
    use std::io::Read;
    let mut start = String::new();
    let Ok(file) = files::open(Path::new(word)) else { return false };
    // A file that is no text is for the parser to refuse.
    let _ = file.take(256).read_to_string(&mut start);
    !start.trim_start().starts_with('{')
}

/// Checks a model as the old run did.
fn checked(
    old: &[RunResult],
    model: &Path,
    environment: &Environment,
    trust: bool,
) -> Result<Vec<RunResult>, String> {
    let name = model.to_string_lossy();
    let same = |result: &&RunResult| result.inputs.first().is_some_and(|i| i.path == name);
    let before = match old {
        [one] => one,
        several => several.iter().find(same).ok_or_else(|| {
            format!("the old run has {} inputs, none of them {name}", several.len())
        })?,
    };
    let cannot = |why: &str| format!("cannot tell the settings of the old run: {why}");
    let parsed = Cli::command().try_get_matches_from(&before.run.argv);
    let parsed = parsed.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) =
        parsed.map_err(|error| cannot(error.to_string().lines().next().unwrap_or_default()))?;
    let (Command::Check(mut args), Some(matches)) =
        (cli.command, matches.subcommand_matches("check"))
    else {
        return Err(cannot("it was not made by `check`"));
    };
    args.files = vec![model.to_owned()];
    args.reading.trust = trust;
    let argv = before.run.argv.clone();
    let (_, style) = environment.styles(&args.layout);
    let request = Request { args: &args, matches, argv, environment, recorded: true };
    let plan = settings::plan(&request).map_err(|wrong| cannot(&wrong.text(&style)))?;
    Ok(check_quietly(&plan))
}
