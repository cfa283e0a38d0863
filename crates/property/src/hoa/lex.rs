//! The tokens of HOA.

use crate::ltl::SyntaxError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `States:`, without the colon.
    Header(String),
    Word(String),
    Number(u64),
    Text(String),
    /// `@name`
    Alias(String),
    Sign(char),
    Body,
    End,
    Abort,
    /// Nothing more.
    Nothing,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at = skip(text, at)?;
        let start = at;
        let Some(first) = text[at..].chars().next() else {
            tokens.push(Token { kind: Kind::Nothing, start, end: at });
            return Ok(tokens);
        };
        let rest = &text[at..];
        let word = |from: usize| {
            let part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            from + text[from..].find(|c| !part(c)).unwrap_or(text.len() - from)
        };
        let kind = if rest.starts_with("--BODY--") {
            at += 8;
            Kind::Body
        } else if rest.starts_with("--END--") {
            at += 7;
            Kind::End
        } else if rest.starts_with("--ABORT--") {
            at += 9;
            Kind::Abort
        } else if first.is_ascii_alphabetic() || first == '_' {
            at = word(at);
            let name = text[start..at].to_owned();
            if text[at..].starts_with(':') {
                at += 1;
                Kind::Header(name)
            } else {
                Kind::Word(name)
            }
        } else if first.is_ascii_digit() {
            at += rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = text[start..at].parse();
            Kind::Number(
                number.map_err(|_| SyntaxError::new(start..at, "the number is too large"))?,
            )
        } else if first == '"' {
            let (string, end) = string(text, at)?;
            at = end;
            Kind::Text(string)
        } else if first == '@' {
            at = word(at + 1);
            Kind::Alias(text[start + 1..at].to_owned())
        } else if "[]{}()&|!".contains(first) {
            at += 1;
            Kind::Sign(first)
        } else {
            let end = at + first.len_utf8();
            return Err(SyntaxError::new(at..end, format!("`{first}` has no meaning in HOA")));
        };
        tokens.push(Token { kind, start, end: at });
    }
}

/// Past blanks and comments, which nest.
fn skip(text: &str, mut at: usize) -> Result<usize, SyntaxError> {
    let mut depth = 0;
    let mut start = at;
    loop {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            if depth == 0 {
                start = at;
            }
            depth += 1;
            at += 2;
        } else if depth > 0 && rest.starts_with("*/") {
            depth -= 1;
            at += 2;
        } else {
            match rest.chars().next() {
                Some(c) if depth > 0 || c.is_whitespace() => at += c.len_utf8(),
                None if depth > 0 => {
                    return Err(SyntaxError::new(start..at, "the comment is never closed"));
                }
                _ => return Ok(at),
            }
        }
    }
}

fn string(text: &str, at: usize) -> Result<(String, usize), SyntaxError> {
    let mut result = String::new();
    let mut escaped = false;
    for (offset, c) in text[at + 1..].char_indices() {
        match c {
            _ if escaped => {
                result.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => return Ok((result, at + offset + 2)),
            _ => result.push(c),
        }
    }
    Err(SyntaxError::new(at..at + 1, "the text is never closed"))
}
