//! Watch expressions: what a person wants to know about a state, whatever language it comes from.
//!
//! An expression speaks of the named values of a state as traces have them: `n`, `Inc[0].tmp`,
//! `a[i + 1]`, `len(q) > 1 && q[0] == REQ`. Arrays and the contents of channels are lists, and words
//! compare by name. There is arithmetic (`+ - * / %`), comparison, `&& || !`, `len(..)` and
//! `empty(..)`. An expression changes nothing.

mod eval;
mod parse;
#[cfg(test)]
mod tests;

use std::fmt;

use everypath_model::{Value, is_hidden, visible};

use crate::Values;

/// An expression that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Watch {
    text: String,
    root: Expr,
}

/// Where the values of names come from.
pub trait Scope {
    /// The value that has exactly this name.
    fn value(&self, name: &str) -> Option<Value>;

    /// All names there are.
    fn names(&self) -> Vec<&str>;
}

impl Scope for Values {
    fn value(&self, name: &str) -> Option<Value> {
        self.get(name).map(from_json)
    }

    fn names(&self) -> Vec<&str> {
        self.keys().map(String::as_str).collect()
    }
}

impl Scope for [(String, Value)] {
    fn value(&self, name: &str) -> Option<Value> {
        self.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    fn names(&self) -> Vec<&str> {
        self.iter().map(|(name, _)| name.as_str()).collect()
    }
}

/// A value from a document; what no system writes becomes a word.
fn from_json(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Bool(truth) => Value::Bool(*truth),
        serde_json::Value::String(word) => Value::Name(word.clone()),
        serde_json::Value::Array(items) => Value::List(items.iter().map(from_json).collect()),
        other => other.as_i64().map_or_else(|| Value::Name(other.to_string()), Value::Int),
    }
}

/// An expression that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchError {
    /// Where in the text, in bytes.
    pub at: std::ops::Range<usize>,
    /// What is wrong there.
    pub message: String,
}

impl WatchError {
    /// The error with the expression and a mark under the place, on two more lines.
    pub fn located(&self, text: &str) -> String {
        let before = text.get(..self.at.start).unwrap_or(text).chars().count();
        let marked = text.get(self.at.clone()).unwrap_or("").chars().count().max(1);
        let line: String = text.chars().map(|c| if is_hidden(c) { ' ' } else { c }).collect();
        let message = visible(&self.message);
        format!("{message}\n  {line}\n  {}{}", " ".repeat(before), "^".repeat(marked))
    }
}

impl fmt::Display for WatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at character {})", self.message, self.at.start + 1)
    }
}

impl std::error::Error for WatchError {}

/// Why an expression has no value in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// There is no such name in this state; a process may have come or gone.
    Unknown {
        /// The name.
        name: String,
        /// A name that there is and that looks like it.
        similar: Option<String>,
    },
    /// The values do not fit the operation.
    Invalid(String),
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Unknown { name, similar: None } => write!(f, "unknown name `{name}`"),
            EvalError::Unknown { name, similar: Some(similar) } => {
                write!(f, "unknown name `{name}`: did you mean `{similar}`?")
            }
            EvalError::Invalid(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for EvalError {}

impl Watch {
    /// Reads an expression.
    pub fn parse(text: &str) -> Result<Watch, WatchError> {
        Ok(Watch { text: text.trim().to_owned(), root: parse::parse(text)? })
    }

    /// The expression as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its value in a state.
    pub fn value<S: Scope + ?Sized>(&self, scope: &S) -> Result<Value, EvalError> {
        eval::value(&self.root, scope)
    }

    /// Its truth in a state: numbers other than 0 are true.
    pub fn truth<S: Scope + ?Sized>(&self, scope: &S) -> Result<bool, EvalError> {
        eval::truth(&self.value(scope)?)
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Expr {
    Value(Value),
    List(Vec<Expr>),
    /// A name with what follows it: `Inc[0].tmp`.
    Path(String, Vec<Suffix>),
    Call(Function, Box<Expr>),
    Not(Box<Expr>),
    Minus(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug, PartialEq)]
enum Suffix {
    Index(Expr),
    Field(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Len,
    Empty,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Operator {
    /// All of them with their spelling and how strongly they bind; longer spellings first.
    const ALL: [(Operator, &'static str, u8); 13] = [
        (Operator::Or, "||", 1),
        (Operator::And, "&&", 2),
        (Operator::Equal, "==", 3),
        (Operator::Unequal, "!=", 3),
        (Operator::LessEqual, "<=", 4),
        (Operator::GreaterEqual, ">=", 4),
        (Operator::Less, "<", 4),
        (Operator::Greater, ">", 4),
        (Operator::Add, "+", 5),
        (Operator::Subtract, "-", 5),
        (Operator::Multiply, "*", 6),
        (Operator::Divide, "/", 6),
        (Operator::Remainder, "%", 6),
    ];
}
