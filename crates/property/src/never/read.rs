//! Automata from never claims of the form that translators write: labels, `do` and `if` with
//! conditions and `goto`, `skip` and `false`.

use rustc_hash::FxHashMap;

use crate::bdd::{Bdd, Diagrams};
use crate::ltl::{Expressions, Formulas, Spelling, SyntaxError, parse_with};
use crate::tgba::label::function;
use crate::tgba::{Automaton, Edge};

/// Statements, at most.
const MOST: usize = 100_000;

/// Reads a claim. Its propositions are the names and comparisons of the conditions.
pub fn read(text: &str) -> Result<Automaton, SyntaxError> {
    let mut reader = Reader { text, at: 0, formulas: Formulas::new(), labels: Diagrams::new() };
    let statements = reader.claim()?;
    reader.automaton(statements)
}

/// Where an option leads.
enum Goal {
    Label(String, usize),
    /// The same statement again.
    Again,
    /// The statement behind.
    Behind,
    /// The end of the claim, where everything is accepted.
    End,
}

struct Choice {
    label: Bdd,
    goal: Goal,
}

#[derive(Default)]
struct Statement {
    labels: Vec<String>,
    choices: Vec<Choice>,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    formulas: Formulas,
    labels: Diagrams,
}

impl Reader<'_> {
    fn error(&self, message: impl Into<String>) -> SyntaxError {
        let length = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        SyntaxError::new(self.at..self.at + length, message)
    }

    fn expected(&self, what: &str) -> SyntaxError {
        let rest = self.text[self.at..].lines().next().unwrap_or("").trim();
        let found: String = rest.chars().take(20).collect();
        let found = match found.is_empty() {
            true => "the end".to_owned(),
            false => format!("`{found}`"),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    fn skip(&mut self) -> Result<(), SyntaxError> {
        loop {
            let rest = &self.text[self.at..];
            let blanks = rest.len() - rest.trim_start().len();
            self.at += blanks;
            let rest = &self.text[self.at..];
            if rest.starts_with("/*") {
                match rest.find("*/") {
                    Some(end) => self.at += end + 2,
                    None => return Err(self.error("the comment is never closed")),
                }
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if blanks == 0 {
                return Ok(());
            }
        }
    }

    /// The name that stands next, if one does.
    fn word(&self) -> &str {
        let rest = &self.text[self.at..];
        if !rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return "";
        }
        let part = |c: char| c.is_alphanumeric() || c == '_';
        &rest[..rest.find(|c| !part(c)).unwrap_or(rest.len())]
    }

    fn takes(&mut self, what: &str) -> Result<bool, SyntaxError> {
        self.skip()?;
        let found = match what.starts_with(char::is_alphabetic) {
            true => self.word() == what,
            false => self.text[self.at..].starts_with(what),
        };
        if found {
            self.at += what.len();
        }
        Ok(found)
    }

    fn need(&mut self, what: &str) -> Result<(), SyntaxError> {
        if self.takes(what)? { Ok(()) } else { Err(self.expected(&format!("`{what}`"))) }
    }

    fn claim(&mut self) -> Result<Vec<Statement>, SyntaxError> {
        self.need("never")?;
        self.skip()?;
        self.at += self.word().len();
        self.need("{")?;
        let mut statements = Vec::new();
        let mut current = Statement::default();
        loop {
            while self.takes(";")? {}
            if self.takes("}")? {
                if !current.labels.is_empty() {
                    return Err(self.error("a label without a statement"));
                }
                return Ok(statements);
            }
            self.skip()?;
            let word = self.word().to_owned();
            let behind = self.text[self.at + word.len()..].trim_start();
            if !word.is_empty() && behind.starts_with(':') && !behind.starts_with("::") {
                self.at += word.len();
                self.need(":")?;
                current.labels.push(word);
                continue;
            }
            current.choices = self.statement(&word)?;
            statements.push(std::mem::take(&mut current));
            if statements.len() > MOST {
                return Err(self.error(format!("more than {MOST} statements")));
            }
        }
    }

    fn statement(&mut self, word: &str) -> Result<Vec<Choice>, SyntaxError> {
        match word {
            "do" | "if" => {
                let again = word == "do";
                self.at += 2;
                self.choices(again)
            }
            "goto" => {
                let goal = self.goal(true)?;
                // Written as a step in front of the label, it would cost a state of its own.
                Err(match goal {
                    Goal::Label(name, _) => {
                        self.error(format!("`goto {name}` outside of an option"))
                    }
                    _ => self.expected("a statement"),
                }
                .hint("write it behind a condition: if :: (1) -> goto ... fi"))
            }
            _ => {
                let label = self.condition()?;
                Ok(vec![Choice { label, goal: Goal::Behind }])
            }
        }
    }

    fn choices(&mut self, again: bool) -> Result<Vec<Choice>, SyntaxError> {
        let closing = if again { "od" } else { "fi" };
        let mut choices: Vec<Choice> = Vec::new();
        let mut otherwise = None;
        while !self.takes(closing)? {
            self.need("::")?;
            self.skip()?;
            if self.takes("atomic")? {
                self.need("{")?;
                let label = self.condition()?;
                self.need("->")?;
                self.need("assert")?;
                self.condition()?;
                self.need("}")?;
                choices.push(Choice { label, goal: Goal::End });
                continue;
            }
            if self.takes("else")? {
                otherwise = Some(self.goal(again)?);
                continue;
            }
            let label = self.condition()?;
            let goal = self.goal(again)?;
            choices.push(Choice { label, goal });
        }
        if let Some(goal) = otherwise {
            let mut any = Bdd::FALSE;
            for choice in &choices {
                any = self.labels.or(any, choice.label);
            }
            choices.push(Choice { label: self.labels.not(any), goal });
        }
        Ok(choices)
    }

    /// What stands behind the condition of an option.
    fn goal(&mut self, again: bool) -> Result<Goal, SyntaxError> {
        let arrow = self.takes("->")? || self.takes(";")?;
        if self.takes("goto")? {
            self.skip()?;
            let word = self.word().to_owned();
            if word.is_empty() {
                return Err(self.expected("a label"));
            }
            let place = self.at;
            self.at += word.len();
            self.takes(";")?;
            return Ok(Goal::Label(word, place));
        }
        if self.takes("break")? {
            self.takes(";")?;
            return Ok(Goal::Behind);
        }
        if arrow && !self.text[self.at..].starts_with("::") && !["od", "fi"].contains(&self.word())
        {
            return Err(self.expected("`goto` or `break`"));
        }
        Ok(if again { Goal::Again } else { Goal::Behind })
    }

    /// A condition up to what follows it.
    fn condition(&mut self) -> Result<Bdd, SyntaxError> {
        self.skip()?;
        let start = self.at;
        let mut depth = 0usize;
        let mut end = self.text.len();
        for (offset, c) in self.text[start..].char_indices() {
            let rest = &self.text[start + offset..];
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' if depth > 0 => depth -= 1,
                ';' | '}' | '{' if depth == 0 => {
                    end = start + offset;
                    break;
                }
                _ if depth == 0 && (rest.starts_with("->") || rest.starts_with("::")) => {
                    end = start + offset;
                    break;
                }
                'o' | 'f' if depth == 0 && offset > 0 && ends_choice(self.text, start + offset) => {
                    end = start + offset;
                    break;
                }
                _ => {}
            }
        }
        let condition = self.text[start..end].trim_end();
        if condition.is_empty() {
            return Err(self.expected("a condition"));
        }
        self.at = start + condition.len();
        if condition == "skip" {
            return Ok(Bdd::TRUE);
        }
        let moved = |mut error: SyntaxError| {
            error.place = error.place.start + start..error.place.end + start;
            error
        };
        let spelling = Spelling::Spin;
        let formula =
            parse_with(&mut self.formulas, condition, spelling, &Expressions).map_err(moved)?;
        if self.formulas.atoms().len() > 64 {
            return Err(self.error("more than 64 propositions"));
        }
        function(&self.formulas, formula, &mut self.labels).ok_or_else(|| {
            SyntaxError::new(start..end, "a condition of a claim has no temporal operators")
        })
    }

    fn automaton(self, statements: Vec<Statement>) -> Result<Automaton, SyntaxError> {
        let mut place: FxHashMap<&str, usize> = FxHashMap::default();
        for (index, statement) in statements.iter().enumerate() {
            for label in &statement.labels {
                if place.insert(label, index).is_some() {
                    let message = format!("the label `{label}` is there twice");
                    return Err(SyntaxError::new(0..0, message));
                }
            }
        }
        // The end of the claim is a state that accepts everything.
        let end = statements.len();
        let accepts = |statement: &Statement| {
            u64::from(statement.labels.iter().any(|label| label.starts_with("accept")))
        };
        let mut edges: Vec<Vec<Edge>> = Vec::with_capacity(end + 1);
        for (index, statement) in statements.iter().enumerate() {
            let marks = accepts(statement);
            let mut list = Vec::new();
            for choice in &statement.choices {
                let target = match &choice.goal {
                    Goal::Again => index,
                    Goal::Behind => index + 1,
                    Goal::End => end,
                    Goal::Label(name, at) => *place.get(name.as_str()).ok_or_else(|| {
                        let message = format!("there is no label `{name}`");
                        SyntaxError::new(*at..*at + name.len(), message)
                    })?,
                };
                if !choice.label.is_false() {
                    list.push(Edge { label: choice.label, marks, target });
                }
            }
            edges.push(list);
        }
        edges.push(vec![Edge { label: Bdd::TRUE, marks: 1, target: end }]);
        let atoms = self.formulas.atoms().iter().map(|atom| atom.text.clone()).collect();
        Ok(Automaton { atoms, labels: self.labels, marks: 1, initial: 0, edges })
    }
}

/// Whether `od` or `fi` stands at a place as a word.
fn ends_choice(text: &str, at: usize) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let word = text[at..].starts_with("od") || text[at..].starts_with("fi");
    word && !text[..at].ends_with(part) && !text[at + 2..].starts_with(part)
}
