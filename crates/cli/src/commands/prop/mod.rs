//! `everypath prop`: patterns of properties, and what a property means.

mod events;
mod list;
mod new;
mod show;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use everypath_property::ltl::{Formula, Formulas, Spelling};
use everypath_property::patterns::{Composite, Pattern, Property, Role, Roles, Scope, Set};
use everypath_verdict::Exit;

use crate::args::{LayoutArgs, ReadingArgs};
use crate::commands::formula;
use crate::config::Environment;
use crate::render::style::Style;
use crate::tell;

const EXAMPLES: &str = "\
Examples:
  everypath prop list                                  all patterns and scopes
  everypath prop list model.pml                        the properties of a model
  everypath prop show '[](request -> <>grant)'         what a formula means
  everypath prop show response --scope after-until     what a pattern means
  everypath prop show --fsa lock.fsa                   an automaton over events
  everypath prop new                                   asks, then shows the formula
  everypath prop new --pattern response --scope between --p request --s grant --q open --r close

Exit codes: 0 shown, 2 bad input, 3 the automaton would be too large.";

/// Arguments of `prop`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PropArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: PropCommand,
}

/// The commands about properties.
#[derive(Debug, Subcommand)]
pub enum PropCommand {
    /// List patterns and scopes, or the temporal properties of models
    List(ListArgs),
    /// Show a formula or a pattern: words, automaton, what it accepts and rejects
    Show(Box<ShowPropArgs>),
    /// Make a property by answering questions
    New(NewArgs),
}

/// Arguments of `prop list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Models whose properties are listed; `-` is the standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// How the models are read.
    #[command(flatten)]
    pub reading: ReadingArgs,

    /// How the output looks.
    #[command(flatten)]
    pub layout: LayoutArgs,
}

/// Arguments of `prop show`.
#[derive(Debug, Args)]
pub struct ShowPropArgs {
    /// A formula, the name of a pattern, or with --model the name of an ltl property
    #[arg(value_name = "NAME|FORMULA", required_unless_present_any = ["qre", "fsa"], conflicts_with_all = ["qre", "fsa"], default_value = "", hide_default_value = true)]
    pub what: String,

    /// A property of events: for events { a, b } show all executions satisfy (a ; b)*
    #[arg(long, value_name = "TEXT", conflicts_with = "fsa")]
    pub qre: Option<String>,

    /// A finite automaton over events, as text or DOT; `-` is the standard input
    #[arg(long, value_name = "FILE")]
    pub fsa: Option<PathBuf>,

    /// The model that has the property
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,

    /// How the formula is written
    #[arg(long, value_name = "TOOL", default_value = "any")]
    pub spelling: formula::SpellingArg,

    /// The scope of a pattern and what stands for its roles.
    #[command(flatten)]
    pub parts: PartArgs,

    /// How the model is read.
    #[command(flatten)]
    pub reading: ReadingArgs,

    /// How the output looks.
    #[command(flatten)]
    pub layout: LayoutArgs,
}

/// Arguments of `prop new`.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The pattern, instead of the question
    #[arg(long, value_name = "NAME")]
    pub pattern: Option<String>,

    /// The scope and what stands for the roles.
    #[command(flatten)]
    pub parts: PartArgs,

    /// The name of the property
    #[arg(long, value_name = "NAME", default_value = "property")]
    pub name: String,

    /// Print the formula only
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,

    /// How the output looks.
    #[command(flatten)]
    pub layout: LayoutArgs,
}

/// What a pattern is completed with.
#[derive(Debug, Args)]
pub struct PartArgs {
    /// The scope: global, before, after, between, after-until
    #[arg(long, value_name = "NAME", help_heading = "Pattern")]
    pub scope: Option<String>,

    /// What the pattern is about
    #[arg(long, value_name = "EXPR", help_heading = "Pattern")]
    pub p: Option<String>,

    /// The cause (precedence) or the answer (response)
    #[arg(long, value_name = "EXPR", help_heading = "Pattern")]
    pub s: Option<String>,

    /// The second link of a chain
    #[arg(long, value_name = "EXPR", help_heading = "Pattern")]
    pub t: Option<String>,

    /// What opens the scope
    #[arg(long, value_name = "EXPR", help_heading = "Pattern")]
    pub q: Option<String>,

    /// What closes the scope
    #[arg(long, value_name = "EXPR", help_heading = "Pattern")]
    pub r: Option<String>,

    /// How often bounded existence allows
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=20), help_heading = "Pattern")]
    pub most: u8,

    /// Which published formulas
    #[arg(long, value_name = "SET", default_value = "prospec", help_heading = "Pattern")]
    pub set: SetArg,
}

/// `--set`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SetArg {
    /// Prospec's formulas, corrected
    Prospec,
    /// Prospec's formulas as printed
    ProspecPrinted,
    /// The original formulas of Dwyer, Avrunin and Corbett
    Sps,
    /// Only the outermost opening counts
    Outermost,
}

impl From<SetArg> for Set {
    fn from(arg: SetArg) -> Set {
        match arg {
            SetArg::Prospec => Set::Prospec,
            SetArg::ProspecPrinted => Set::ProspecPrinted,
            SetArg::Sps => Set::Sps,
            SetArg::Outermost => Set::Outermost,
        }
    }
}

/// Runs a command about properties.
pub fn prop(args: &PropArgs, environment: &Environment) -> Exit {
    match &args.command {
        PropCommand::List(args) => list::list(args, environment),
        PropCommand::Show(args) => show::show(args, environment),
        PropCommand::New(args) => new::new(args, environment),
    }
}

/// The pattern of a name, or the complaint that there is none.
fn pattern_of(name: &str, most: u8) -> Result<Pattern, Exit> {
    match Pattern::of_name(name) {
        Some(Pattern::Bounded(_)) => Ok(Pattern::Bounded(most)),
        Some(pattern) => Ok(pattern),
        None => {
            let names = Pattern::ALL.map(Pattern::name);
            Err(unknown("pattern", name, &names))
        }
    }
}

/// The scope of a name, or the complaint that there is none.
fn scope_of(name: &str) -> Result<Scope, Exit> {
    Scope::of_name(name).ok_or_else(|| unknown("scope", name, &Scope::ALL.map(Scope::name)))
}

fn unknown(what: &str, name: &str, names: &[&str]) -> Exit {
    let similar = everypath_model::most_similar(name, names.iter().copied());
    let hint = match similar {
        Some(similar) => format!("did you mean `{similar}`?"),
        None => format!("there are: {}", names.join(", ")),
    };
    tell("error", &format!("there is no {what} `{name}`\nhelp: {hint}"));
    Exit::Input
}

/// A property with what stands for its roles.
struct Made {
    property: Property,
    formulas: Formulas,
    formula: Formula,
    names: Vec<(char, String)>,
}

impl Made {
    /// What stands for a role, as text.
    fn name(&self, role: char) -> String {
        let found = self.names.iter().find(|(letter, _)| *letter == role);
        found.map_or_else(|| role.to_string(), |(_, name)| name.clone())
    }
}

/// Builds a property from the texts of its roles; a role is its small letter where no text is given.
fn make(
    property: Property,
    text: &dyn Fn(char) -> Option<String>,
    style: &Style,
) -> Result<Made, Exit> {
    let mut formulas = Formulas::new();
    let mut names = Vec::new();
    let mut role = |letter: char, formulas: &mut Formulas| -> Result<Role, Exit> {
        let used = property.roles().contains(&letter);
        let given = text(letter);
        if let (Some(given), false) = (&given, used) {
            let option = letter.to_ascii_lowercase();
            tell(
                "error",
                &format!(
                    "--{option} {given}: {} in the scope {} has no {letter}",
                    property.pattern.name(),
                    property.scope.name()
                ),
            );
            return Err(Exit::Input);
        }
        if !used {
            return Ok(Role::Formula(Formulas::TRUE));
        }
        let role = match &given {
            Some(text) => read_role(formulas, text, style)?,
            None => Role::Formula(formulas.atom(&letter.to_ascii_lowercase().to_string())),
        };
        let name = given.unwrap_or_else(|| letter.to_ascii_lowercase().to_string());
        names.push((letter, name));
        Ok(role)
    };
    let roles = Roles {
        p: role('P', &mut formulas)?,
        s: role('S', &mut formulas)?,
        t: role('T', &mut formulas)?,
        q: role('Q', &mut formulas)?,
        r: role('R', &mut formulas)?,
    };
    let formula = property.formula(&mut formulas, &roles);
    Ok(Made { property, formulas, formula, names })
}

/// A formula, or several taken together as in `eventualC(a, b)`.
fn read_role(formulas: &mut Formulas, text: &str, style: &Style) -> Result<Role, Exit> {
    let Some((name, texts)) = Composite::split(text) else {
        return Ok(Role::Formula(formula::read(formulas, text, Spelling::Any, style)?));
    };
    let mut parts = Vec::new();
    for part in texts {
        parts.push(formula::read(formulas, part, Spelling::Any, style)?);
    }
    // The name is one of a composite, and there is at least one part.
    Composite::of_name(name, parts).map(Role::Composite).ok_or(Exit::Internal)
}

impl PartArgs {
    /// The text that is given for a role.
    fn text(&self, role: char) -> Option<String> {
        match role {
            'P' => self.p.clone(),
            'S' => self.s.clone(),
            'T' => self.t.clone(),
            'Q' => self.q.clone(),
            'R' => self.r.clone(),
            _ => None,
        }
    }
}
