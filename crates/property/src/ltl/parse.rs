//! From text to formulas: precedence climbing over the tokens.

use std::fmt;
use std::ops::Range;

use super::atoms::{AtomReader, Expressions};
use super::lex::{self, Kind, Sign, Spelling, Token};
use super::{Formula, Formulas, Node};

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The bytes that are to blame.
    pub place: Range<usize>,
    /// One sentence without a full stop.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl SyntaxError {
    /// An error without advice.
    pub fn new(place: Range<usize>, message: impl Into<String>) -> SyntaxError {
        SyntaxError { place, message: message.into(), hint: None }
    }

    /// The same with advice.
    pub fn hint(mut self, hint: impl Into<String>) -> SyntaxError {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.message, self.place.start)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SyntaxError {}

/// Formulas inside each other, at most: what walks through them calls itself.
pub(super) const DEPTH: usize = 250;
/// Bytes of a text, at most.
const LENGTH: usize = 1 << 20;

/// Reads a formula in any spelling.
pub fn parse(formulas: &mut Formulas, text: &str) -> Result<Formula, SyntaxError> {
    parse_with(formulas, text, Spelling::Any, &Expressions)
}

/// Reads a formula in one spelling, its atoms by a reader.
pub fn parse_with(
    formulas: &mut Formulas,
    text: &str,
    spelling: Spelling,
    atoms: &dyn AtomReader,
) -> Result<Formula, SyntaxError> {
    if text.len() > LENGTH {
        return Err(SyntaxError::new(0..0, format!("longer than {LENGTH} bytes")));
    }
    let tokens = lex::tokens(text, spelling, atoms)?;
    let mut parser = Parser { formulas, spelling, text, tokens, at: 0, depth: 0 };
    let formula = parser.binary(0)?;
    match parser.peek() {
        Kind::End if formulas_depth(parser.formulas, formula) > DEPTH => {
            Err(SyntaxError::new(0..text.len(), too_deep()))
        }
        Kind::End => Ok(formula),
        Kind::Sign(Sign::Close) => Err(parser.wrong("`)` closes nothing")),
        _ => {
            let error = parser.wrong("expected an operator or the end of the formula");
            Err(error.hint(parser.glued_hint()))
        }
    }
}

pub(super) fn too_deep() -> String {
    format!("nested deeper than {DEPTH} levels")
}

/// How many operators are inside each other.
fn formulas_depth(formulas: &Formulas, formula: Formula) -> usize {
    let mut depths = rustc_hash::FxHashMap::default();
    for part in formulas.subformulas(formula) {
        let below = formulas.children(part).iter().map(|child| depths[child]).max();
        depths.insert(part, below.map_or(0, |depth: usize| depth + 1));
    }
    depths[&formula]
}

struct Parser<'a> {
    formulas: &'a mut Formulas,
    spelling: Spelling,
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

/// How tightly an operator binds; `None` if it is not one between two formulas.
fn level(sign: Sign) -> Option<u8> {
    Some(match sign {
        Sign::Implies | Sign::Iff => 0,
        Sign::Xor => 1,
        Sign::Or => 2,
        Sign::And => 3,
        Sign::Until | Sign::Weak | Sign::Release | Sign::Strong => 4,
        _ => return None,
    })
}

/// The level below all operators between two formulas.
const PREFIX: u8 = 5;

impl Parser<'_> {
    fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn peek(&self) -> &Kind {
        &self.token().kind
    }

    fn sign(&self) -> Option<Sign> {
        match self.peek() {
            Kind::Sign(sign) => Some(*sign),
            _ => None,
        }
    }

    fn take(&mut self) -> Token {
        let token = self.token().clone();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    /// An error at the next token that names it.
    fn wrong(&self, message: &str) -> SyntaxError {
        let token = self.token();
        let found = match token.kind {
            Kind::End => "the end".to_owned(),
            _ => format!("`{}`", &self.text[token.start..token.end]),
        };
        let message = match message.starts_with("expected") {
            true => format!("{message}, found {found}"),
            false => message.to_owned(),
        };
        SyntaxError::new(token.start..token.end, message)
    }

    fn glued_hint(&self) -> String {
        let before = self.at.checked_sub(1).map(|at| &self.tokens[at]);
        let word = before.map_or("", |token| &self.text[token.start..token.end]);
        if !word.is_empty() && word.chars().all(|c| "GFX".contains(c)) {
            let apart: Vec<String> = word.chars().map(String::from).collect();
            return format!("write `{}` with blanks between the operators", apart.join(" "));
        }
        "operators are && || -> <-> U W R M".to_owned()
    }

    fn deeper(&mut self) -> Result<(), SyntaxError> {
        self.depth += 1;
        match self.depth > DEPTH {
            true => Err(self.wrong(&too_deep())),
            false => Ok(()),
        }
    }

    /// Whether an operator groups to the right, and an error where tools disagree on two of them
    /// in a row.
    fn rightwards(&self, first: Sign, second: Sign) -> Result<bool, SyntaxError> {
        let level = level(first);
        let symmetric = first == second && matches!(first, Sign::And | Sign::Or | Sign::Xor);
        if symmetric {
            return Ok(false);
        }
        match self.spelling {
            Spelling::Spin => Ok(false),
            Spelling::Spot => Ok(level == Some(4) || level == Some(0)),
            Spelling::Nusmv => Ok(level == Some(0)),
            Spelling::Any => Err(SyntaxError::new(
                self.token().start..self.token().end,
                "tools disagree on how this is grouped",
            )
            .hint("put parentheses around one of the two, or say --spelling spin, spot or nusmv")),
        }
    }

    /// Operators of this level and of tighter ones.
    fn binary(&mut self, floor: u8) -> Result<Formula, SyntaxError> {
        if floor == PREFIX {
            return self.prefix();
        }
        let first = self.binary(floor + 1)?;
        let mut operands = vec![first];
        let mut signs: Vec<Sign> = Vec::new();
        while let Some(sign) = self.sign()
            && level(sign) == Some(floor)
        {
            if let Some(&before) = signs.last() {
                self.rightwards(before, sign)?;
            }
            self.take();
            operands.push(self.binary(floor + 1)?);
            signs.push(sign);
        }
        self.group(operands, signs)
    }

    /// Operands of one level with the signs between them, grouped.
    fn group(&mut self, operands: Vec<Formula>, signs: Vec<Sign>) -> Result<Formula, SyntaxError> {
        let Some(&sign) = signs.first() else { return Ok(operands[0]) };
        match sign {
            Sign::And => return Ok(self.formulas.and(operands)),
            Sign::Or => return Ok(self.formulas.or(operands)),
            _ => {}
        }
        // NuSMV: `<->` binds tighter than `->`.
        if self.spelling == Spelling::Nusmv
            && signs.contains(&Sign::Iff)
            && signs.contains(&Sign::Implies)
        {
            return Ok(self.iff_first(operands, signs));
        }
        let right = signs.len() > 1 && self.rightwards(sign, sign)?;
        let mut operands = operands;
        let mut signs = signs;
        if right {
            operands.reverse();
            signs.reverse();
        }
        let mut result = operands[0];
        for (&sign, &operand) in signs.iter().zip(&operands[1..]) {
            result = match right {
                true => self.join(sign, operand, result),
                false => self.join(sign, result, operand),
            };
        }
        Ok(result)
    }

    fn iff_first(&mut self, operands: Vec<Formula>, signs: Vec<Sign>) -> Formula {
        let mut parts = vec![operands[0]];
        for (sign, &operand) in signs.iter().zip(&operands[1..]) {
            match (sign, parts.last_mut()) {
                (Sign::Iff, Some(last)) => *last = self.formulas.iff(*last, operand),
                _ => parts.push(operand),
            }
        }
        let mut result = Formulas::FALSE;
        for (index, &part) in parts.iter().rev().enumerate() {
            result = if index == 0 { part } else { self.formulas.implies(part, result) };
        }
        result
    }

    fn join(&mut self, sign: Sign, a: Formula, b: Formula) -> Formula {
        match sign {
            Sign::Implies => self.formulas.implies(a, b),
            Sign::Iff => self.formulas.iff(a, b),
            Sign::Xor => self.formulas.xor(a, b),
            Sign::Until => self.formulas.until(a, b),
            Sign::Weak => self.formulas.weak(a, b),
            Sign::Release => self.formulas.release(a, b),
            Sign::Strong => self.formulas.strong(a, b),
            _ => unreachable!("only signs with a level are joined here"),
        }
    }

    fn prefix(&mut self) -> Result<Formula, SyntaxError> {
        let token = self.take();
        let sign = match token.kind {
            Kind::Atom { text, open } => {
                let prefixed = self.at >= 2 && self.is_prefix(self.at - 2);
                if open && prefixed {
                    let expression = &self.text[token.start..token.end];
                    return Err(SyntaxError::new(
                        token.start..token.end,
                        "an operator in front of a comparison without parentheses",
                    )
                    .hint(format!("write ({expression})")));
                }
                let id = self.formulas.atom_id(&text, Some(token.start..token.end));
                return Ok(self.formulas.intern(Node::Atom(id)));
            }
            Kind::End => {
                return Err(self.wrong("expected a formula"));
            }
            Kind::Sign(sign) => sign,
        };
        match sign {
            Sign::True => Ok(Formulas::TRUE),
            Sign::False => Ok(Formulas::FALSE),
            Sign::Open => {
                self.deeper()?;
                let inner = self.binary(0)?;
                self.depth -= 1;
                if self.sign() != Some(Sign::Close) {
                    let error = self.wrong("expected `)` or an operator");
                    return Err(error.hint(format!(
                        "the `(` at column {} is still open",
                        self.text[..token.start].chars().count() + 1
                    )));
                }
                self.take();
                Ok(inner)
            }
            Sign::Not | Sign::Next | Sign::Always | Sign::Eventually => {
                self.deeper()?;
                let inner = self.prefix()?;
                self.depth -= 1;
                Ok(match sign {
                    Sign::Not => self.formulas.not(inner),
                    Sign::Next => self.formulas.next(inner),
                    Sign::Always => self.formulas.always(inner),
                    _ => self.formulas.eventually(inner),
                })
            }
            _ => {
                self.at -= 1;
                Err(self.wrong("expected a formula"))
            }
        }
    }

    fn is_prefix(&self, at: usize) -> bool {
        matches!(
            self.tokens[at].kind,
            Kind::Sign(Sign::Not | Sign::Next | Sign::Always | Sign::Eventually)
        )
    }
}
