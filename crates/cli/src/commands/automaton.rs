//! `everypath automaton`: a formula as an automaton, and automata from one format to another.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use everypath_model::Sources;
use everypath_property::ltl::{Formulas, Spelling};
use everypath_property::tgba::{self, Automaton, Goal};
use everypath_property::{hoa, never, picture};
use everypath_verdict::Exit;

use crate::args::LayoutArgs;
use crate::commands::formula::{self, SpellingArg};
use crate::config::Environment;
use crate::render::style::Style;
use crate::{complain, input, print};

const EXAMPLES: &str = "\
Examples:
  everypath automaton '[](request -> <>grant)'
  everypath automaton 'G(a -> F b)' --format hoa          for Spot and others
  everypath automaton '[]<>p' --negate --format never     a never claim for SPIN
  everypath automaton 'a U (b && X c)' --format svg > a.svg
  everypath automaton --file claim.pml --format hoa       from one format to another

Exit codes: 0 written, 2 bad input, 3 the automaton would be too large.";

/// Arguments of `automaton`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AutomatonArgs {
    /// A formula of linear temporal logic
    #[arg(value_name = "FORMULA", required_unless_present = "file", conflicts_with = "file")]
    pub formula: Option<String>,

    /// Read an automaton instead: HOA or a never claim; `-` is the standard input
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// The automaton of the negation
    #[arg(long, conflicts_with = "file")]
    pub negate: bool,

    /// How the formula is written
    #[arg(long, value_name = "TOOL", default_value = "any")]
    pub spelling: SpellingArg,

    /// Which kind of automaton [default: tgba; ba for --format never]
    #[arg(long = "type", value_name = "KIND")]
    pub kind: Option<KindArg>,

    /// Leave the automaton as it is read
    #[arg(long, requires = "file")]
    pub raw: bool,

    /// How it is written
    #[arg(long, value_name = "FMT", default_value = "text", help_heading = "Output")]
    pub format: FormatArg,

    /// How the output looks.
    #[command(flatten)]
    pub layout: LayoutArgs,
}

/// `--type`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KindArg {
    /// Any number of marks on edges
    Tgba,
    /// One mark on edges
    Tba,
    /// Accepting states
    Ba,
}

/// `--format`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    /// For people
    Text,
    /// The Hanoi omega-automata format
    Hoa,
    /// A never claim
    Never,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
}

/// Writes an automaton.
pub fn automaton(args: &AutomatonArgs, environment: &Environment) -> Exit {
    let (style, notes) = environment.styles(&args.layout);
    if args.format == FormatArg::Never && !matches!(args.kind, None | Some(KindArg::Ba)) {
        complain("error: a never claim has accepting states: use --type ba, or none\n");
        return Exit::Input;
    }
    match make(args, &notes) {
        Ok((automaton, title)) => write(args, &style, &automaton, &title),
        Err(exit) => exit,
    }
}

/// The automaton with the text of its formula.
fn make(args: &AutomatonArgs, style: &Style) -> Result<(Automaton, String), Exit> {
    let kind = match args.format {
        FormatArg::Never => KindArg::Ba,
        _ => args.kind.unwrap_or(KindArg::Tgba),
    };
    let Some(text) = &args.formula else {
        let automaton = load(args, style)?;
        if args.raw && args.format != FormatArg::Never {
            return Ok((automaton, String::new()));
        }
        let reduced = tgba::reduce(&automaton);
        let automaton = match kind {
            KindArg::Tgba => reduced,
            KindArg::Tba => tgba::degeneralize(&reduced),
            KindArg::Ba => tgba::buchi(&reduced),
        };
        return Ok((automaton, String::new()));
    };
    let mut formulas = Formulas::new();
    let mut formula = formula::read(&mut formulas, text, args.spelling.into(), style)?;
    if args.negate {
        formula = formulas.not(formula);
    }
    let goal = match kind {
        KindArg::Ba => Goal::States,
        _ => Goal::Generalized,
    };
    let best = tgba::best_for(&mut formulas, formula, goal);
    let best = best.map_err(|error| formula::too_large(style, &error))?;
    let automaton = match kind {
        KindArg::Tba => tgba::reduce(&tgba::degeneralize(&best)),
        _ => best,
    };
    Ok((automaton, formulas.show(formula, Spelling::Any)))
}

/// Reads an automaton of a file.
fn load(args: &AutomatonArgs, style: &Style) -> Result<Automaton, Exit> {
    let path = args.file.clone().unwrap_or_default();
    let mut sources = Sources::default();
    let (id, warning) = input::read(&mut sources, &path).map_err(|error| {
        formula::tell(style, &sources, &error);
        Exit::Input
    })?;
    if let Some(warning) = warning {
        formula::tell(style, &sources, &warning);
    }
    let file = sources.file(id);
    let claim = file.text.contains("never") && !file.text.contains("HOA:");
    let read = if claim { never::read(&file.text) } else { hoa::read(&file.text) };
    read.map_err(|error| formula::refuse(style, file.path.clone(), &file.text, "EP1702", &error))
}

fn write(args: &AutomatonArgs, style: &Style, automaton: &Automaton, title: &str) -> Exit {
    let text = match args.format {
        FormatArg::Text => {
            formula::print_lines(style, &picture::text(automaton));
            return Exit::Ok;
        }
        FormatArg::Hoa => hoa::write(automaton, title),
        FormatArg::Never => never::write(automaton, title),
        FormatArg::Dot => picture::dot(automaton, title),
        FormatArg::Svg => match picture::svg(automaton, title) {
            Some(text) => text,
            None => {
                complain(
                    "error: the automaton is too large for a picture; --format dot writes it\n",
                );
                return Exit::Inconclusive;
            }
        },
    };
    print(&text);
    Exit::Ok
}
