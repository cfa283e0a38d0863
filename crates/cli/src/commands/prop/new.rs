//! `everypath prop new`: questions on the standard error, answers from the standard input, the
//! property on the standard output.

use std::fmt::Write;
use std::io::BufRead;

use everypath_model::visible;
use everypath_property::ltl::Spelling;
use everypath_property::patterns::{Pattern, Property, Scope};
use everypath_verdict::Exit;

use super::show::{describe, words};
use super::{NewArgs, make, pattern_of, scope_of};
use crate::commands::formula;
use crate::config::Environment;
use crate::{complain, tell};

/// Makes a property.
pub fn new(args: &NewArgs, environment: &Environment) -> Exit {
    let (style, notes) = environment.styles(&args.layout);
    let name_is_fine = args.name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && args.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !name_is_fine {
        tell("error", &format!("--name {}: expected a name", args.name));
        return Exit::Input;
    }
    let mut asker = Asker { input: std::io::stdin().lock() };
    let made = property(args, &mut asker).and_then(|property| {
        let mut texts = Vec::new();
        for role in property.roles() {
            let text = match args.parts.text(role) {
                Some(text) => text,
                // With a pattern on the command line, letters stand for what is left open.
                None if args.pattern.is_some() => role.to_ascii_lowercase().to_string(),
                None => asker.text(&question(property, role))?,
            };
            texts.push((role, text));
        }
        let given = |role: char| {
            let found = texts.iter().find(|(letter, _)| *letter == role);
            found.map(|(_, text)| text.clone()).or_else(|| args.parts.text(role))
        };
        make(property, &given, &notes)
    });
    let mut made = match made {
        Ok(made) => made,
        Err(exit) => return exit,
    };
    let ltl = made.formulas.show(made.formula, Spelling::Spin);
    if args.quiet {
        formula::print_lines(&style, &ltl);
        return Exit::Ok;
    }
    let mut out = words(&made);
    if let Err(exit) = describe(&mut out, &mut made.formulas, made.formula, &notes) {
        return exit;
    }
    let _ = writeln!(out, "\nin a model: ltl {} {{ {ltl} }}", args.name);
    formula::print_lines(&style, &out);
    Exit::Ok
}

fn property(args: &NewArgs, asker: &mut Asker) -> Result<Property, Exit> {
    let scope = match (&args.parts.scope, &args.pattern) {
        (Some(scope), _) => scope_of(scope)?,
        (None, Some(_)) => Scope::Global,
        (None, None) => asker.choose("In which part of a run must it hold?", &SCOPES)?,
    };
    let pattern = match &args.pattern {
        Some(pattern) => pattern_of(pattern, args.parts.most)?,
        None => asker.pattern()?,
    };
    Ok(Property { pattern, scope, set: args.parts.set.into() })
}

const SCOPES: [(&str, Scope); 5] = [
    ("the whole run", Scope::Global),
    ("only up to some event", Scope::Before),
    ("only from some event on", Scope::After),
    ("from one event to another; nothing is asked if the second never comes", Scope::Between),
    ("from one event to another, or for ever if the second never comes", Scope::AfterUntil),
];

/// What the second question chooses; relations are asked about further.
#[derive(Clone, Copy)]
enum Kind {
    Done(Pattern),
    Bounded,
    Cause,
    Effect,
}

const KINDS: [(&str, Kind); 6] = [
    ("something never holds", Kind::Done(Pattern::Absence)),
    ("something always holds", Kind::Done(Pattern::Universality)),
    ("something holds at least once", Kind::Done(Pattern::Existence)),
    ("something holds a limited number of times", Kind::Bounded),
    ("something does not hold before its cause has", Kind::Cause),
    ("something is answered by something else", Kind::Effect),
];

const CAUSES: [(&str, Pattern); 4] = [
    ("one cause, which may come in the same state", Pattern::Precedence),
    ("one cause, in an earlier state", Pattern::StrictPrecedence),
    ("two causes, one after the other", Pattern::CausesPrecede),
    ("one cause of two effects, one after the other", Pattern::PrecedesEffects),
];

const EFFECTS: [(&str, Pattern); 4] = [
    ("one answer, which may come in the same state", Pattern::Response),
    ("one answer, in a later state", Pattern::StrictResponse),
    ("two answers, one after the other", Pattern::EffectsRespond),
    ("one answer to two things, one after the other", Pattern::RespondsToCauses),
];

/// What is asked for a role.
fn question(property: Property, role: char) -> String {
    let what = match (role, property.pattern) {
        ('Q', _) => "What opens the part of the run (Q)?",
        ('R', _) => "What closes the part of the run (R)?",
        ('P', Pattern::Absence) => "What must never hold (P)?",
        ('P', Pattern::Universality) => "What must always hold (P)?",
        ('P', Pattern::Existence | Pattern::Bounded(_)) => "What is to hold (P)?",
        ('P', Pattern::Precedence | Pattern::StrictPrecedence | Pattern::CausesPrecede) => {
            "What is the effect (P)?"
        }
        ('P', Pattern::PrecedesEffects) => "What is the first effect (P)?",
        ('T', Pattern::PrecedesEffects) => "What is the second effect (T)?",
        ('S', Pattern::CausesPrecede) => "What is the first cause (S)?",
        ('T', Pattern::CausesPrecede) => "What is the second cause (T)?",
        ('S', Pattern::Precedence | Pattern::StrictPrecedence | Pattern::PrecedesEffects) => {
            "What is the cause (S)?"
        }
        ('P', Pattern::RespondsToCauses) => "What comes first (P)?",
        ('T', Pattern::RespondsToCauses) => "What comes second (T)?",
        ('P', _) => "What is to be answered (P)?",
        ('S', Pattern::EffectsRespond) => "What is the first answer (S)?",
        ('T', _) => "What is the second answer (T)?",
        _ => "What is the answer (S)?",
    };
    format!("{what} A name or an expression such as (x > 3): ")
}

/// Asks until an answer can be used.
struct Asker {
    input: std::io::StdinLock<'static>,
}

/// Answers that cannot be used before we give up.
const PATIENCE: usize = 5;

impl Asker {
    fn line(&mut self) -> Result<String, Exit> {
        let mut line = String::new();
        match self.input.read_line(&mut line) {
            Ok(0) => {
                complain("\nerror: the input ended before all questions were answered\n");
                Err(Exit::Input)
            }
            Ok(_) => Ok(line.trim().to_owned()),
            Err(error) => {
                complain("\n");
                tell("error", &format!("cannot read the answer: {error}"));
                Err(Exit::Input)
            }
        }
    }

    fn text(&mut self, question: &str) -> Result<String, Exit> {
        for _ in 0..PATIENCE {
            complain(question);
            let answer = self.line()?;
            if !answer.is_empty() {
                return Ok(answer);
            }
        }
        complain("error: no answer\n");
        Err(Exit::Input)
    }

    fn choose<T: Copy>(&mut self, question: &str, choices: &[(&str, T)]) -> Result<T, Exit> {
        let mut list = format!("{question}\n");
        for (index, (text, _)) in choices.iter().enumerate() {
            let _ = writeln!(list, "  {}  {text}", index + 1);
        }
        complain(&list);
        for _ in 0..PATIENCE {
            complain(&format!("1-{}: ", choices.len()));
            let answer = self.line()?;
            let number = answer.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            if let Some((_, choice)) = number.and_then(|index| choices.get(index)) {
                return Ok(*choice);
            }
            complain(&format!("`{}` is none of them\n", visible(&answer)));
        }
        Err(Exit::Input)
    }

    fn pattern(&mut self) -> Result<Pattern, Exit> {
        match self.choose("What must happen there?", &KINDS)? {
            Kind::Done(pattern) => Ok(pattern),
            Kind::Bounded => {
                for _ in 0..PATIENCE {
                    let answer = self.text("How often, at most (1-20)? ")?;
                    match answer.parse::<u8>() {
                        Ok(most @ 1..=20) => return Ok(Pattern::Bounded(most)),
                        _ => {
                            complain(&format!("`{}` is no number from 1 to 20\n", visible(&answer)))
                        }
                    }
                }
                Err(Exit::Input)
            }
            Kind::Cause => self.choose("Which causes and effects?", &CAUSES),
            Kind::Effect => self.choose("Which answers?", &EFFECTS),
        }
    }
}
