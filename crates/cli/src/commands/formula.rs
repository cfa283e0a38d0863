//! What the commands about formulas share: reading them, and telling what is wrong with them.

use std::path::PathBuf;

use clap::ValueEnum;
use everypath_model::{Diagnostic, Severity, Sources, Span};
use everypath_property::ltl::{Expressions, Formula, Formulas, Spelling, SyntaxError, parse_with};
use everypath_property::tgba::TooLarge;
use everypath_verdict::{Exit, Note};

use crate::input::placeless;
use crate::render::snippet;
use crate::render::style::Style;
use crate::{complain, print};

/// `--spelling`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SpellingArg {
    /// All of them where they agree
    Any,
    /// SPIN: [] <> U V W X && ||
    Spin,
    /// Spot: G F U R W M X & |, also GFa
    Spot,
    /// NuSMV: G F U V X & |
    Nusmv,
}

impl From<SpellingArg> for Spelling {
    fn from(arg: SpellingArg) -> Spelling {
        match arg {
            SpellingArg::Any => Spelling::Any,
            SpellingArg::Spin => Spelling::Spin,
            SpellingArg::Spot => Spelling::Spot,
            SpellingArg::Nusmv => Spelling::Nusmv,
        }
    }
}

/// Reads a formula of the command line, or says what is wrong with it.
pub fn read(
    formulas: &mut Formulas,
    text: &str,
    spelling: Spelling,
    style: &Style,
) -> Result<Formula, Exit> {
    parse_with(formulas, text, spelling, &Expressions)
        .map_err(|error| refuse(style, "<formula>".into(), text, "EP1701", &error))
}

/// Says what is wrong with a text, with the place.
pub fn refuse(
    style: &Style,
    name: PathBuf,
    text: &str,
    code: &'static str,
    error: &SyntaxError,
) -> Exit {
    let mut sources = Sources::default();
    let file = sources.add(name, text.to_owned());
    let span = Span::new(file, error.place.start, error.place.end);
    let mut diagnostic = Diagnostic::error(code, span, error.message.clone());
    diagnostic.help.clone_from(&error.hint);
    tell(style, &sources, &diagnostic);
    Exit::Input
}

/// Says that an automaton would be too large.
pub fn too_large(style: &Style, error: &TooLarge) -> Exit {
    let mut diagnostic = placeless(Severity::Unsupported, "EP1703", error.to_string());
    diagnostic.help = Some("split the formula: a conjunction holds if each part does".to_owned());
    tell(style, &Sources::default(), &diagnostic);
    Exit::Inconclusive
}

/// Writes a message to the standard error.
pub fn tell(style: &Style, sources: &Sources, diagnostic: &Diagnostic) {
    let mut out = String::new();
    snippet::note(&mut out, style, sources, &Note::of(sources, diagnostic), true);
    complain(&out);
}

/// Prints lines of an answer.
pub fn print_lines(style: &Style, text: &str) {
    let lines: String = text.lines().map(|line| format!("{}\n", style.clean(line))).collect();
    print(&lines);
}
