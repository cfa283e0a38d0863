//! What people write who know other languages, and what Promela has for it. The messages stay what the grammar
//! says; a cure is the help below them.

use everypath_model::Diagnostic;

use super::names::Class;
use super::{Failed, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, Stmt, StmtKind, Target, VarId};
use crate::codes;
use crate::lexer::{Kind, Token};

/// The longest condition or argument that a cure repeats.
const LONGEST: usize = 40;

const FUNCTIONS: &str = "there are no functions: `inline name(parameters) { .. }` is copied to where it is called, \
                         and `run` starts a process of a proctype";

/// Statements of other languages at their first word. `COND` stands for the condition behind it.
const STATEMENTS: &[(&str, &str)] = &[
    ("while", "a loop is written `do :: COND -> .. :: else -> break od`"),
    ("repeat", "a loop is written `do :: COND -> break :: else -> .. od`"),
    ("loop", "a loop is written `do :: .. od`, and `break` leaves it"),
    ("switch", "a selection is written `if :: x == 1 -> .. :: x == 2 -> .. :: else -> .. fi`"),
    ("case", "a selection is written `if :: x == 1 -> .. :: x == 2 -> .. :: else -> .. fi`"),
    ("wait", "a condition waits until it is true: write `COND`"),
    ("await", "a condition waits until it is true: write `COND`"),
    ("sleep", "there is no time in a model: a condition such as `x == 1` waits until it is true"),
    ("send", "a message is sent with `channel!value`"),
    ("recv", "a message is received with `channel?variable`"),
    ("receive", "a message is received with `channel?variable`"),
    ("print", "write `printf(\"%d\\n\", x)`"),
    ("println", "write `printf(\"%d\\n\", x)`"),
    ("start", "a process is started with `run`: `run P()`"),
    ("spawn", "a process is started with `run`: `run P()`"),
    ("fork", "a process is started with `run`: `run P()`"),
];

/// Words at the beginning of a declaration.
const DECLARATIONS: &[(&str, &str)] = &[
    ("boolean", "the type is called `bool`"),
    ("Boolean", "the type is called `bool`"),
    ("char", "the type of small numbers is `byte`"),
    ("long", "the largest type of numbers is `int`"),
    ("integer", "the type is called `int`"),
    ("float", "there are only whole numbers: `int`"),
    ("double", "there are only whole numbers: `int`"),
    ("string", "there are no strings: `mtype = { one, two }` declares names"),
    ("String", "there are no strings: `mtype = { one, two }` declares names"),
    ("enum", "names are declared with `mtype = { one, two }`"),
    ("struct", "a structure is declared with `typedef Name { int field }`"),
    ("const", "a constant is a macro: `#define N 3`"),
    ("var", "a declaration begins with its type: `int x`"),
    ("let", "a declaration begins with its type: `int x`"),
    ("process", "a process is declared with `active proctype Name() { .. }`"),
    ("thread", "a process is declared with `active proctype Name() { .. }`"),
    ("void", FUNCTIONS),
    ("function", FUNCTIONS),
    ("func", FUNCTIONS),
    ("def", FUNCTIONS),
];

/// Operators that are words elsewhere.
const OPERATORS: &[(&str, &str)] = &[
    ("and", "the operator is written `&&`"),
    ("or", "the operator is written `||`"),
    ("mod", "the operator is written `%`"),
    (
        "then",
        "`->` or `;` stands between two statements, and `if` has options: `if :: condition -> .. fi`",
    ),
    (
        "elif",
        "each option begins with `::`, as in `if :: x == 1 -> .. :: x == 2 -> .. :: else -> .. fi`",
    ),
];

fn find(table: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == word).map(|&(_, cure)| cure)
}

impl Parser<'_> {
    /// What to write instead of a token that cannot stand here.
    pub(super) fn cure(&self, wanted: &str, token: Token) -> Option<String> {
        let before = self.text.get(..token.start as usize).unwrap_or("");
        let text = self.text_of(token);
        match token.kind {
            Kind::Assign if wanted == FOR => Some(
                "a `for` counts from one number to another: `for (i : 0 .. 2) { .. }`".to_owned(),
            ),
            Kind::Assign => Some(assignment(before)),
            Kind::Inc | Kind::Dec => {
                let what =
                    match before.trim_end().ends_with(|c: char| c.is_alphanumeric() || c == ']') {
                        true => "is a statement by itself and has no value",
                        false => "stands behind its variable",
                    };
                Some(format!("`x{text}` {what}"))
            }
            Kind::Query => Some(
                "a value that depends on a condition is `(condition -> one : other)`".to_owned(),
            ),
            Kind::LParen if wanted == UNIT && before.trim_end().ends_with("main") => {
                Some("the process that begins is `init { .. }`".to_owned())
            }
            Kind::LParen if wanted == UNIT => Some(FUNCTIONS.to_owned()),
            Kind::Ident if wanted == UNIT => find(DECLARATIONS, text).map(str::to_owned),
            Kind::Ident => find(OPERATORS, text).map(str::to_owned),
            _ => None,
        }
    }

    /// How a selection or loop is written, at what follows its first word.
    pub(super) fn selection_cure(&mut self, end: Kind) -> String {
        let condition = self.in_parentheses().unwrap_or_else(|| "condition".to_owned());
        match end {
            Kind::Od => format!("a loop is written `do :: {condition} -> .. :: else -> break od`"),
            _ => format!("a selection is written `if :: {condition} -> .. :: else -> .. fi`"),
        }
    }

    /// The text in parentheses at the next token, with them, if it is short.
    fn in_parentheses(&mut self) -> Option<String> {
        let token = self.peek();
        if token.kind != Kind::LParen {
            return None;
        }
        let text = self.text.get(token.start as usize..)?;
        let mut depth = 0;
        let end = text.char_indices().take(LONGEST).find_map(|(at, c)| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            (depth == 0).then_some(at)
        })?;
        let text = text.get(..=end)?;
        (!text.contains(['\n', '`'])).then(|| text.to_owned())
    }

    /// A statement of another language: the error, if the next token begins one.
    pub(super) fn foreign_statement(&mut self) -> Option<Failed> {
        let token = self.peek();
        let name = self.text_of(token);
        let free = token.kind == Kind::Ident
            && matches!(self.class(token), Class::Name)
            && self.lookup(name).is_none();
        if !free {
            return None;
        }
        let behind = self.behind();
        let statement = find(STATEMENTS, name)
            .filter(|_| matches!(behind, Kind::LParen | Kind::Ident | Kind::LBrace | Kind::Eof));
        let cure =
            statement.or_else(|| find(DECLARATIONS, name).filter(|_| behind == Kind::Ident))?;
        // It may be defined too late.
        if self.text.contains(&format!("inline {name}")) {
            return None;
        }
        let span = self.span(token);
        self.bump();
        let condition = self.in_parentheses().unwrap_or_else(|| "condition".to_owned());
        let error =
            Diagnostic::error(codes::UNKNOWN_NAME, span, format!("Promela has no `{name}`"));
        Some(self.report(error.help(cure.replace("COND", &condition))))
    }

    /// A proctype that is used like a function, the next token being the parenthesis.
    pub(super) fn call_without_run(&mut self, name: Token) -> Failed {
        let text = self.text_of(name);
        let arguments = self.in_parentheses().unwrap_or_else(|| "(..)".to_owned());
        let span = self.span(name);
        let message = format!("`{text}` is a proctype and cannot be called");
        let error = Diagnostic::error(codes::SYNTAX, span, message);
        let help = format!("`run {text}{arguments}` starts a process of it");
        self.report(error.help(help))
    }

    /// Guards that assign where a condition was meant: they can always be executed. `arrows` says which of them have
    /// `->` behind them.
    pub(super) fn assigning_guards(
        &self,
        options: &[Vec<Stmt>],
        arrows: &[bool],
    ) -> Vec<Diagnostic> {
        let firsts: Vec<&Stmt> = options.iter().filter_map(|option| option.first()).collect();
        if firsts.len() != arrows.len() {
            return Vec::new();
        }
        let otherwise = firsts.iter().find(|first| matches!(first.kind, StmtKind::Else));
        let found = firsts.iter().zip(arrows).find_map(|(&first, &arrow)| {
            let (var, value) = match &first.kind {
                StmtKind::Assign(Target::Var(to), value) => (to.var, Some(value)),
                StmtKind::Increment(to) | StmtKind::Decrement(to) => (to.var, None),
                _ => return None,
            };
            let compared = || firsts.iter().any(|other| compares(other, var));
            (otherwise.is_some() || (arrow && value.is_some() && compared()))
                .then_some((first, value))
        });
        let Some((guard, value)) = found else { return Vec::new() };
        let message = "an option begins with an assignment, which can always be executed";
        let mut warning = Diagnostic::warning(codes::GUARD, guard.span, message);
        if let Some(otherwise) = otherwise {
            warning = warning.also(otherwise.span, "so this is never taken");
        }
        if value.is_some() {
            warning = warning.help("to compare, write `==`");
        }
        vec![warning]
    }

    /// What a model without processes needs.
    pub(super) fn first_process(&self) -> String {
        match self.model.proctypes.first() {
            Some(first) if first.params.is_empty() => {
                format!("write `active proctype {0}()`, or `init {{ run {0}() }}`", first.name)
            }
            Some(first) => format!("start it: `init {{ run {}(..) }}`", first.name),
            None => "write `active proctype P() { .. }`".to_owned(),
        }
    }

    /// Skips to behind the parenthesis that is open, so that what is wrong in it is told once.
    pub(super) fn skip_parenthesis(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.kind() {
                Kind::Eof | Kind::LBrace | Kind::RBrace => return,
                Kind::LParen => depth += 1,
                Kind::RParen if depth == 0 => {
                    self.bump();
                    return;
                }
                Kind::RParen => depth -= 1,
                _ => {}
            }
            self.bump();
        }
    }
}

/// What is expected between units, as messages say it.
pub(super) const UNIT: &str = "a declaration, `proctype`, `init` or `ltl`";
/// What is expected behind the variable of a `for`.
pub(super) const FOR: &str = "`:` or `in`";

/// What to write instead of `=`, behind this text.
fn assignment(before: &str) -> String {
    let sign = before.chars().next_back().filter(|c| "+-*/%&|^".contains(*c));
    let Some(sign) = sign else {
        return match before.ends_with(':') {
            true => "an assignment is written `x = value`".to_owned(),
            false => "`=` assigns, and only as a statement; to compare, write `==`".to_owned(),
        };
    };
    let name = before.strip_suffix(sign).unwrap_or(before).trim_end();
    let from = name.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    let name = match name.get(from..) {
        Some(name) if (1..LONGEST).contains(&name.len()) => name,
        _ => "x",
    };
    format!("there is no `{sign}=`: write `{name} = {name} {sign} ..`")
}

/// Whether a statement is a condition that compares this variable.
fn compares(stmt: &Stmt, var: VarId) -> bool {
    let StmtKind::Expr(Expr { kind: ExprKind::Binary(op, left, right), .. }) = &stmt.kind else {
        return false;
    };
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    let is = |e: &Expr| matches!(&e.kind, ExprKind::Var(reference) if reference.var == var);
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge) && (is(left) || is(right))
}
