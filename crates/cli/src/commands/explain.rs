//! `everypath explain`: what a code means, or what a trace shows.

use clap::Args;
use everypath_lang_promela::lint;
use everypath_verdict::{Exit, slice};

use crate::args::LayoutArgs;
use crate::commands::show::head;
use crate::config::Environment;
use crate::render::story;
use crate::{codes, evidence, print, tell};

const EXAMPLES: &str = "\
Examples:
  everypath explain EP0102       what the code means
  everypath explain lost-update  what a finding of lint means, with an example
  everypath explain last         what happened in the last run, in words
  everypath explain last:2 --all every step of its second trace";

/// Arguments of `explain`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ExplainArgs {
    /// A code such as EP0101, the name of a lint, or a trace as for `show`; lists all codes if left out
    #[arg(value_name = "EPnnnn|TRACE", allow_hyphen_values = true)]
    pub what: Option<String>,

    /// Show all steps of a trace, not only those that the failure depends on
    #[arg(long)]
    pub all: bool,

    /// How the output looks.
    #[command(flatten)]
    pub layout: LayoutArgs,
}

/// Prints the explanation of a code or of a trace.
pub fn explain(args: &ExplainArgs, environment: &Environment) -> Exit {
    let (style, _) = environment.styles(&args.layout);
    let text = match args.what.as_deref() {
        Some(word) if !is_code(word) => evidence::find(word).map(|found| {
            let chosen = match args.all {
                true => (1..=found.trace.steps.len() as u64).collect(),
                false => slice(&found.trace),
            };
            let mut out = String::new();
            head(&mut out, &style, &found);
            story::render(&mut out, &style, &found.trace, &chosen);
            out
        }),
        code => codes::explain(&style, code),
    };
    match text {
        Ok(text) => {
            print(&text);
            Exit::Ok
        }
        Err(message) => {
            tell("error", &message);
            Exit::Input
        }
    }
}

/// Whether a word is meant as a code: `EP0101`, `ep101`, `0101`, or the name of a lint.
fn is_code(word: &str) -> bool {
    if lint::find(word).is_some() {
        return true;
    }
    let (head, digits) = match word.get(..2) {
        Some(head) if head.eq_ignore_ascii_case("ep") => (2, &word[2..]),
        _ => (0, word),
    };
    let number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    number && (head == 2 || digits.len() == 4)
}
