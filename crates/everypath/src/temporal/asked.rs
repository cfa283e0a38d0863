//! What the command line asks of the runs of a model besides what stands in it.

use std::path::Path;

use everypath_lang_promela::ast::Model;
use everypath_model::{Diagnostic, FileId, Severity, Sources, Span};
use everypath_preprocess::Loader;
use everypath_property::events::{EventProperty, read_automaton, read_qre};
use everypath_property::ltl::{
    Expressions, Formula, Formulas, Spelling, SyntaxError, operator_words, parse_with,
};
use everypath_property::patterns::{Composite, Role, Roles, read_pattern};

use crate::choices::CyclesArg;
use crate::input::{self, placeless};
use crate::promela;
use crate::reading::Reading;

/// What is asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// `--ltl`
    pub formulas: &'a [String],
    /// `--pattern`
    pub patterns: &'a [String],
    /// `--fsa`
    pub automata: &'a [String],
    /// `--qre`
    pub expressions: &'a [String],
    /// `--event`
    pub events: &'a [String],
    /// `--cycles`
    pub cycles: &'a [CyclesArg],
}

/// A text with the name that stands in front of it: `NAME := TEXT`.
pub fn named(text: &str) -> (Option<&str>, &str) {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
    };
    match text.split_once(":=") {
        Some((name, rest)) if is_name(name.trim()) => (Some(name.trim()), rest.trim()),
        _ => (None, text.trim()),
    }
}

/// What reads texts of the command line that need no model.
pub struct Texts<'a> {
    /// What has the texts that something is wrong with.
    pub sources: &'a mut Sources,
    /// Macros with the names of operators, which come before these, with what they stand for.
    pub macros: Vec<(String, String)>,
}

/// What reads texts of the command line for a model.
pub struct Reader<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its files.
    pub sources: &'a mut Sources,
    /// The file itself.
    pub main: FileId,
    /// How it was read.
    pub reading: (&'a Reading, &'a dyn Loader),
}

/// A formula whose propositions are expressions of the model.
pub struct Parsed {
    /// The table of the formula.
    pub formulas: Formulas,
    /// The formula.
    pub formula: Formula,
    /// What its atoms stand for.
    pub atoms: Vec<everypath_lang_promela::ast::Expr>,
}

type Errors = Vec<Diagnostic>;

/// What stands between words whose meanings as macros are asked for together.
const BETWEEN: &str = " @@ ";

/// A text with macros replaced where their names stand as words.
fn with_macros(text: &str, macros: &[(String, String)]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !is_word(c)).unwrap_or(from.len()));
        out.push_str(before);
        match macros.iter().find(|(name, _)| name == word) {
            // What stands in quotes is a name.
            Some((_, meaning)) if !before.ends_with('"') => out.push_str(&format!("({meaning})")),
            _ => out.push_str(word),
        }
        rest = after;
    }
    out + rest
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl Texts<'_> {
    fn refuse(
        &mut self,
        what: &str,
        text: &str,
        code: &'static str,
        error: &SyntaxError,
    ) -> Errors {
        let file = self.sources.add(what.into(), text.to_owned());
        let span = Span::new(file, error.place.start, error.place.end);
        let mut diagnostic = Diagnostic::error(code, span, error.message.clone());
        diagnostic.help.clone_from(&error.hint);
        vec![diagnostic]
    }

    /// A formula in any spelling.
    pub fn formula(&mut self, formulas: &mut Formulas, text: &str) -> Result<Formula, Errors> {
        self.part(formulas, text, "<ltl>")
    }

    fn part(&mut self, formulas: &mut Formulas, text: &str, what: &str) -> Result<Formula, Errors> {
        let text = &with_macros(text, &self.macros);
        parse_with(formulas, text, Spelling::Any, &Expressions)
            .map_err(|error| self.refuse(what, text, "EP1701", &error))
    }

    /// A pattern: `response between; P = request; S = grant; Q = open; R = close`.
    pub fn pattern(&mut self, formulas: &mut Formulas, text: &str) -> Result<Formula, Errors> {
        let refused = |message: String, help: Option<String>| {
            let error =
                placeless(Severity::Error, "EP1706", format!("--pattern {text}: {message}"));
            vec![Diagnostic { help, ..error }]
        };
        let read = read_pattern(text).map_err(|error| refused(error.message, error.hint))?;
        let mut role = |letter: char, formulas: &mut Formulas| -> Result<Role, Errors> {
            let Some((_, place)) = read.roles.iter().find(|one| one.0 == letter) else {
                return Ok(Role::Formula(Formulas::TRUE));
            };
            let text = &text[place.clone()];
            let Some((kind, texts)) = Composite::split(text) else {
                return Ok(Role::Formula(self.part(formulas, text, "<pattern>")?));
            };
            let mut parts = Vec::new();
            for text in texts {
                parts.push(self.part(formulas, text, "<pattern>")?);
            }
            let composite = Composite::of_name(kind, parts);
            let wrong = || refused(format!("`{text}` is no composite"), None);
            composite.map(Role::Composite).ok_or_else(wrong)
        };
        let roles = Roles {
            p: role('P', formulas)?,
            s: role('S', formulas)?,
            t: role('T', formulas)?,
            q: role('Q', formulas)?,
            r: role('R', formulas)?,
        };
        Ok(read.property.formula(formulas, &roles))
    }

    /// An automaton over events in a file: DOT or our own text.
    pub fn automaton(&mut self, path: &str) -> Result<EventProperty, Errors> {
        let mut files = Sources::default();
        let (id, _) = input::read(&mut files, Path::new(path)).map_err(|error| vec![*error])?;
        let text = files.file(id).text.clone();
        let read = read_automaton(&text, Path::new(path));
        read.map_err(|error| self.refuse(path, &text, "EP1704", &error))
    }

    /// A quantified regular expression.
    pub fn expression(&mut self, text: &str) -> Result<EventProperty, Errors> {
        let qre = read_qre(text).map_err(|error| self.refuse("<qre>", text, "EP1704", &error))?;
        qre.property().ok_or_else(|| {
            let message = "the automaton of the expression has too many states".to_owned();
            vec![placeless(Severity::Unsupported, "EP1703", message)]
        })
    }
}

impl Reader<'_> {
    /// What reads texts that need no model, but for the macros of this one.
    pub fn texts(&mut self) -> Texts<'_> {
        let words: Vec<&str> = operator_words().collect();
        // All at once: the text of the model is read for it.
        let line = words.join(BETWEEN);
        let line = promela::expanded(self.sources, self.main, self.reading, &line);
        let meanings = line.split(BETWEEN.trim()).map(str::trim);
        let changed = words.iter().zip(meanings).filter(|(word, meaning)| *word != meaning);
        let macros = changed.map(|(&word, meaning)| (word.to_owned(), meaning.to_owned()));
        let macros = macros.collect();
        Texts { sources: self.sources, macros }
    }

    /// A formula in any spelling.
    pub fn formula(&mut self, text: &str) -> Result<Parsed, Errors> {
        let mut formulas = Formulas::new();
        let formula = self.texts().formula(&mut formulas, text)?;
        self.atoms(formulas, formula, "<ltl>")
    }

    /// A pattern.
    pub fn pattern(&mut self, text: &str) -> Result<Parsed, Errors> {
        let mut formulas = Formulas::new();
        let formula = self.texts().pattern(&mut formulas, text)?;
        self.atoms(formulas, formula, "<pattern>")
    }

    fn atoms(
        &mut self,
        formulas: Formulas,
        formula: Formula,
        what: &str,
    ) -> Result<Parsed, Errors> {
        let mut atoms = Vec::new();
        for atom in formulas.atoms() {
            let text = promela::expanded(self.sources, self.main, self.reading, &atom.text);
            let mut scratch = self.sources.clone();
            let file = scratch.add(what.into(), text.clone());
            match everypath_lang_promela::parse_expression(&text, file, self.model) {
                Ok(expression) => atoms.push(expression),
                Err(errors) => {
                    *self.sources = scratch;
                    return Err(errors);
                }
            }
        }
        Ok(Parsed { formulas, formula, atoms })
    }
}

#[cfg(test)]
mod tests {
    use super::{named, with_macros};

    #[test]
    fn a_name_stands_in_front() {
        assert_eq!(named("served := [] p"), (Some("served"), "[] p"));
        assert_eq!(named(" [] (x == 1) "), (None, "[] (x == 1)"));
        assert_eq!(named("a b := c"), (None, "a b := c"));
    }

    #[test]
    fn macros_are_replaced_where_they_are_words() {
        let macros = [("R".to_owned(), "i == 9".to_owned()), ("U".to_owned(), "u".to_owned())];
        assert_eq!(
            with_macros("!R U (Rx && R2 || \"R\")", &macros),
            "!(i == 9) (u) (Rx && R2 || \"R\")"
        );
        assert_eq!(with_macros("[] p", &macros), "[] p");
    }
}
