//! Words and signs of the textual form.

use everypath_model::{Diagnostic, FileId, Span};

/// A word or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A name, a number, a word.
    Word(String),
    /// Anything else.
    Sign(&'static str),
    /// A line or a `;` ends.
    Break,
    /// The text ends.
    End,
}

impl Token {
    /// What it is called in messages.
    pub fn show(&self) -> String {
        match self {
            Token::Word(word) => format!("`{word}`"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::Break => "the end of the line".to_owned(),
            Token::End => "the end of the text".to_owned(),
        }
    }
}

const SIGNS: [&str; 14] = ["->", "==", "!=", "{", "}", "(", ")", ",", ":", "=", "?", "*", "!", "|"];

/// The tokens of a text with their places.
pub fn tokens(text: &str, file: FileId) -> Result<Vec<(Token, Span)>, Box<Diagnostic>> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let start = at;
        if c == '\n' || c == ';' {
            at += 1;
            all.push((Token::Break, Span::new(file, start, at)));
        } else if c.is_whitespace() {
            at += c.len_utf8();
        } else if c == '#' || rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if is_part(c) || c == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            let first = c.len_utf8();
            at += first;
            at += rest[first..].find(|c| !is_part(c)).unwrap_or(rest.len() - first);
            all.push((Token::Word(text[start..at].to_owned()), Span::new(file, start, at)));
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            at += sign.len();
            all.push((Token::Sign(sign), Span::new(file, start, at)));
        } else {
            let span = Span::new(file, start, start + c.len_utf8());
            let message = format!("`{c}` has no meaning here");
            return Err(Box::new(Diagnostic::error("EP1801", span, message)));
        }
    }
    all.push((Token::End, Span::new(file, text.len(), text.len())));
    Ok(all)
}

/// What names consist of. Those of Java have `$`, `<`, `>` and `[]` in them.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '@' | '<' | '>' | '[' | ']')
}
