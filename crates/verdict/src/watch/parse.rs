//! From text to an expression.

use std::ops::Range;

use everypath_model::Value;

use super::{Expr, Function, Operator, Suffix, WatchError};

/// How deep an expression may be: it is read and evaluated by recursion.
const DEPTH: usize = 200;

pub(super) fn parse(text: &str) -> Result<Expr, WatchError> {
    let mut parser = Parser { text, at: 0 };
    let (expr, _) = parser.binary(1, 0)?;
    if parser.peek().is_some() {
        let word = parser.next_word();
        return Err(match &text[word.clone()] {
            "=" => error(word, "`=` changes a value; write `==` to compare"),
            "&" => error(word, "write `&&`"),
            "|" => error(word, "write `||`"),
            other => error(word, format!("expected an operator, found `{other}`")),
        });
    }
    Ok(expr)
}

fn error(at: Range<usize>, message: impl Into<String>) -> WatchError {
    WatchError { at, message: message.into() }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

/// An expression with its depth.
type Parsed = Result<(Expr, usize), WatchError>;

impl<'a> Parser<'a> {
    /// The next character that is no blank.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, spelling: &str) -> bool {
        self.peek();
        let found = self.text[self.at..].starts_with(spelling);
        self.at += if found { spelling.len() } else { 0 };
        found
    }

    fn expect(&mut self, spelling: &str) -> Result<(), WatchError> {
        if self.eat(spelling) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{spelling}`")))
    }

    fn unexpected(&mut self, wanted: &str) -> WatchError {
        if self.peek().is_none() {
            let end = self.text.trim_end().len();
            return error(end..end, format!("expected {wanted}, but the expression ends"));
        }
        let word = self.next_word();
        let found = self.text[word.clone()].to_owned();
        error(word, format!("expected {wanted}, found `{found}`"))
    }

    /// The place of the next word, or of the next character.
    fn next_word(&mut self) -> Range<usize> {
        let first = self.peek().map_or(0, char::len_utf8);
        let word = self.word_length();
        self.at..self.at + word.max(first)
    }

    fn word_length(&self) -> usize {
        let rest = &self.text[self.at..];
        rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
    }

    fn operator(&mut self, least: u8) -> Option<(Operator, u8)> {
        self.peek();
        let rest = &self.text[self.at..];
        let (operator, spelling, binds) =
            Operator::ALL.into_iter().find(|(_, spelling, _)| rest.starts_with(spelling))?;
        if binds < least {
            return None;
        }
        self.at += spelling.len();
        Some((operator, binds))
    }

    /// Operands joined by operators that bind at least so strongly. `nested` counts the callers.
    fn binary(&mut self, least: u8, nested: usize) -> Parsed {
        let (mut left, mut depth) = self.unary(nested)?;
        loop {
            let start = self.at;
            let Some((operator, binds)) = self.operator(least) else { break };
            let (right, right_depth) = self.binary(binds + 1, nested + 1)?;
            depth = self.deeper(depth.max(right_depth), start)?;
            left = Expr::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok((left, depth))
    }

    fn deeper(&self, depth: usize, start: usize) -> Result<usize, WatchError> {
        if depth >= DEPTH {
            return Err(error(start..self.at, "the expression is too deep"));
        }
        Ok(depth + 1)
    }

    fn unary(&mut self, nested: usize) -> Parsed {
        self.peek();
        let start = self.at;
        let nested = self.deeper(nested, start)?;
        if self.text[start..].starts_with('!') {
            self.at += 1;
            let (inner, depth) = self.unary(nested)?;
            return Ok((Expr::Not(Box::new(inner)), self.deeper(depth, start)?));
        }
        if self.text[start..].starts_with('-') {
            self.at += 1;
            let (inner, depth) = self.unary(nested)?;
            return Ok((Expr::Minus(Box::new(inner)), self.deeper(depth, start)?));
        }
        self.primary(nested)
    }

    fn primary(&mut self, nested: usize) -> Parsed {
        let start = self.at;
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let inner = self.binary(1, nested)?;
                self.expect(")")?;
                Ok(inner)
            }
            Some('[') => {
                self.at += 1;
                let mut items = Vec::new();
                let mut deepest = 0;
                while !self.eat("]") {
                    if !items.is_empty() {
                        self.expect(",")?;
                    }
                    let (item, depth) = self.binary(1, nested)?;
                    deepest = deepest.max(depth);
                    items.push(item);
                }
                Ok((Expr::List(items), self.deeper(deepest, start)?))
            }
            Some(quote @ ('"' | '\'')) => {
                let rest = &self.text[start + 1..];
                let Some(length) = rest.find(quote) else {
                    return Err(error(start..start + 1, "the quote is not closed"));
                };
                self.at = start + length + 2;
                Ok((Expr::Value(Value::Name(rest[..length].to_owned())), 1))
            }
            Some(c) if c.is_ascii_digit() => {
                let word = self.next_word();
                self.at = word.end;
                let number = self.text[word.clone()].parse().map_err(|_| {
                    error(word.clone(), format!("`{}` is no number", &self.text[word]))
                })?;
                Ok((Expr::Value(Value::Int(number)), 1))
            }
            Some(c) if c.is_alphabetic() || c == '_' => self.name(nested),
            _ => Err(self.unexpected("a name, a number or `(`")),
        }
    }

    fn word(&mut self) -> &'a str {
        let word = self.next_word();
        self.at = word.end;
        &self.text[word]
    }

    fn name(&mut self, nested: usize) -> Parsed {
        let start = self.at;
        let name = self.word();
        let at = start..self.at;
        if self.peek() == Some('(') {
            let function = match name {
                "len" => Function::Len,
                "empty" => Function::Empty,
                "full" | "nfull" => {
                    let why = "how much a channel can hold is not part of a state; compare len(..)";
                    return Err(error(at, why));
                }
                "nempty" => return Err(error(at, "write `!empty(..)`")),
                _ => {
                    let why = format!("unknown function `{name}`: there are len and empty");
                    return Err(error(at, why));
                }
            };
            self.at += 1;
            let (argument, depth) = self.binary(1, nested)?;
            self.expect(")")?;
            return Ok((Expr::Call(function, Box::new(argument)), self.deeper(depth, start)?));
        }
        if name == "true" || name == "false" {
            return Ok((Expr::Value(Value::Bool(name == "true")), 1));
        }
        let mut suffixes = Vec::new();
        let mut deepest = 0;
        loop {
            if self.eat("[") {
                let (index, depth) = self.binary(1, nested)?;
                deepest = deepest.max(depth);
                self.expect("]")?;
                suffixes.push(Suffix::Index(index));
            } else if self.eat(".") {
                if !self.peek().is_some_and(|c| c.is_alphabetic() || c == '_') {
                    return Err(self.unexpected("the name of a field"));
                }
                suffixes.push(Suffix::Field(self.word().to_owned()));
            } else {
                break;
            }
        }
        Ok((Expr::Path(name.to_owned(), suffixes), self.deeper(deepest, start)?))
    }
}
