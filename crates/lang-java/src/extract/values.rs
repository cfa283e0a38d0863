//! What is known of numbers on the stack of a method while its graph is made.

use everypath_flow::Op;

use crate::code::Type;

/// How values of a variable are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Boolean,
    Number,
    Reference,
}

impl Kind {
    /// That of a type, if its values can be followed.
    pub fn of(kind: &Type) -> Option<Kind> {
        match kind {
            Type::Primitive(b'Z') => Some(Kind::Boolean),
            Type::Primitive(b'B' | b'C' | b'S' | b'I') => Some(Kind::Number),
            Type::Reference(_) => Some(Kind::Reference),
            Type::Primitive(_) => None,
        }
    }

    pub fn initial(self) -> &'static str {
        match self {
            Kind::Boolean => "false",
            Kind::Number => "0",
            Kind::Reference => "null",
        }
    }

    pub fn show(self, value: i32) -> String {
        match (self, value) {
            (Kind::Boolean, 0) => "false".to_owned(),
            (Kind::Boolean, _) => "true".to_owned(),
            _ => value.to_string(),
        }
    }
}

/// A variable of the graph.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Var {
    pub name: String,
    pub kind: Kind,
    /// Whether other threads may change it.
    pub shared: bool,
    /// The names by which rules know it, and its object.
    pub field: Option<(String, Option<String>)>,
}

/// What is known of a word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Any,
    Int(i32),
    Null,
    /// An object of which there is one.
    Object(String),
    /// What a variable has now.
    Var(Var),
}

impl Value {
    /// As the value of a variable; `None` if it is not known.
    pub fn show(&self, kind: Kind) -> Option<String> {
        match self {
            Value::Int(value) => Some(kind.show(*value)),
            Value::Null => Some("null".to_owned()),
            Value::Object(name) => Some(name.clone()),
            Value::Any | Value::Var(_) => None,
        }
    }
}

/// A comparison that a branch makes.
pub(super) enum Outcome {
    /// It is decided.
    Known(bool),
    /// It is the outcome of a test.
    Test(Var, String),
    /// It may be either.
    Open,
}

/// Whether two values are equal.
pub(super) fn equal(a: &Value, b: &Value) -> Outcome {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Outcome::Known(a == b),
        (Value::Null, Value::Null) => Outcome::Known(true),
        (Value::Object(_), Value::Null) | (Value::Null, Value::Object(_)) => Outcome::Known(false),
        (Value::Object(a), Value::Object(b)) => Outcome::Known(a == b),
        (Value::Var(var), other) | (other, Value::Var(var)) => match other.show(var.kind) {
            Some(value) => Outcome::Test(var.clone(), value),
            None => Outcome::Open,
        },
        _ => Outcome::Open,
    }
}

/// The nodes of the two outcomes of a test.
pub(super) fn test(var: &Var, is: bool, value: &str) -> Op {
    Op::Test { variable: var.name.clone(), is, value: value.to_owned() }
}
