//! The tokens of C text.

use super::Refusal;

/// A token with its line in the fragment, counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub line: u32,
}

/// The kinds of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or a word of the language.
    Word(String),
    /// An integer: its bits, and whether it is unsigned.
    Int(i32, bool),
    /// A string, whose text does not matter.
    Str,
    /// An operator or a separator.
    Sign(&'static str),
    /// A line for the C preprocessor, without the `#`.
    Directive(String),
    /// The end of the text.
    End,
}

/// Operators and separators, longer ones first.
const SIGNS: [&str; 46] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "+", "-", "*", "/", "%", "<", ">", "=", "!", "~",
    "&", "|", "^", "?", ":", ";", ",", ".", "(", ")", "[", "]", "{", "}",
];

/// Splits a fragment into tokens; the last one is [`TokenKind::End`].
pub(super) fn tokenize(text: &str) -> Result<Vec<Token>, Refusal> {
    let mut scanner = Scanner { rest: text, line: 0, fresh: true };
    let mut tokens = Vec::new();
    while let Some(token) = scanner.next()? {
        tokens.push(token);
    }
    tokens.push(Token { kind: TokenKind::End, line: scanner.line });
    Ok(tokens)
}

struct Scanner<'t> {
    rest: &'t str,
    line: u32,
    /// Nothing but space stands before this place in its line.
    fresh: bool,
}

impl<'t> Scanner<'t> {
    fn refuse<T>(&self, construct: impl Into<String>) -> Result<T, Refusal> {
        Err(Refusal::new(self.line, construct))
    }

    /// Takes `length` bytes, which end at a character border.
    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.line += taken.bytes().filter(|&b| b == b'\n').count() as u32;
        taken
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let length = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        self.take(length)
    }

    fn skip_space(&mut self) -> Result<(), Refusal> {
        loop {
            let space = self.take_while(|c| c.is_ascii_whitespace() || c == '\x0b');
            self.fresh |= space.contains('\n');
            if self.rest.starts_with("//") {
                self.take_while(|c| c != '\n');
            } else if self.rest.starts_with("/*") {
                match self.rest.find("*/") {
                    Some(length) => self.take(length + 2),
                    None => return self.refuse("a comment without an end"),
                };
            } else if space.is_empty() {
                return Ok(());
            }
        }
    }

    fn next(&mut self) -> Result<Option<Token>, Refusal> {
        self.skip_space()?;
        let line = self.line;
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        let kind = match first {
            // In a model a backslash hides the line from the preprocessor.
            '#' | '\\' if self.fresh && self.rest.trim_start_matches('\\').starts_with('#') => {
                let text = self.take_while(|c| c != '\n');
                TokenKind::Directive(text.trim_start_matches(['\\', '#']).trim().to_string())
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                let word = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
                TokenKind::Word(word.to_string())
            }
            '0'..='9' => self.number()?,
            '.' if self.rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                return self.refuse("a floating-point number");
            }
            '\'' => self.character()?,
            '"' => self.string()?,
            _ => match SIGNS.iter().find(|sign| self.rest.starts_with(**sign)) {
                Some(sign) => {
                    self.take(sign.len());
                    TokenKind::Sign(sign)
                }
                None => return self.refuse(format!("the character `{}`", first.escape_debug())),
            },
        };
        self.fresh = false;
        Ok(Some(Token { kind, line }))
    }

    fn number(&mut self) -> Result<TokenKind, Refusal> {
        let text = self.take_while(|c| c.is_ascii_alphanumeric() || c == '.' || c == '_');
        let lower = text.to_ascii_lowercase();
        let hex = lower.strip_prefix("0x");
        let digits = hex.unwrap_or(&lower);
        let length = digits.find(|c: char| !c.is_digit(if hex.is_some() { 16 } else { 10 }));
        let (digits, suffix) = digits.split_at(length.unwrap_or(digits.len()));
        let radix = match hex {
            Some(_) => 16,
            None if digits.len() > 1 && digits.starts_with('0') => 8,
            None => 10,
        };
        let unsigned = match suffix {
            "" => false,
            "u" => true,
            "l" | "ul" | "lu" | "ll" | "ull" | "llu" => {
                return self.refuse(format!("the 64-bit number `{text}`"));
            }
            _ if hex.is_none() && suffix.starts_with(['.', 'e', 'f']) => {
                return self.refuse("a floating-point number");
            }
            _ => return self.refuse(format!("the number `{text}`")),
        };
        let Ok(value) = u64::from_str_radix(digits, radix) else {
            return self.refuse(format!("the number `{text}`"));
        };
        // A number that fits into no `int` is unsigned only if it is not decimal.
        match (i32::try_from(value), u32::try_from(value)) {
            (Ok(value), _) => Ok(TokenKind::Int(value, unsigned)),
            (_, Ok(bits)) if unsigned || radix != 10 => Ok(TokenKind::Int(bits as i32, true)),
            _ => self.refuse(format!("the 64-bit number `{text}`")),
        }
    }

    fn character(&mut self) -> Result<TokenKind, Refusal> {
        self.take(1);
        let value = match self.rest.chars().next() {
            Some('\\') => {
                self.take(1);
                self.escape()?
            }
            Some(c) if c.is_ascii() && c != '\'' && c != '\n' => {
                self.take(1);
                c as i32
            }
            _ => return self.refuse("this character constant"),
        };
        if !self.rest.starts_with('\'') {
            return self.refuse("this character constant");
        }
        self.take(1);
        Ok(TokenKind::Int(value, false))
    }

    /// What stands behind the backslash of a character constant.
    fn escape(&mut self) -> Result<i32, Refusal> {
        // Characters are signed.
        let signed = |value: u32| i32::from(value as u8 as i8);
        let Some(first) = self.rest.chars().next() else {
            return self.refuse("this character constant");
        };
        let simple = match first {
            'n' => Some(10),
            't' => Some(9),
            'r' => Some(13),
            'a' => Some(7),
            'b' => Some(8),
            'f' => Some(12),
            'v' => Some(11),
            '\\' | '\'' | '"' | '?' => Some(first as i32),
            _ => None,
        };
        if let Some(value) = simple {
            self.take(1);
            return Ok(value);
        }
        let radix = if first == 'x' { 16 } else { 8 };
        if first == 'x' {
            self.take(1);
        }
        let digits = self.take_while(|c| c.is_digit(radix));
        match u32::from_str_radix(digits, radix) {
            Ok(value) if value < 256 => Ok(signed(value)),
            _ => self.refuse("this character constant"),
        }
    }

    fn string(&mut self) -> Result<TokenKind, Refusal> {
        let mut escaped = false;
        for (at, c) in self.rest.char_indices().skip(1) {
            match c {
                '"' if !escaped => {
                    self.take(at + 1);
                    return Ok(TokenKind::Str);
                }
                '\n' => break,
                _ => escaped = c == '\\' && !escaped,
            }
        }
        self.refuse("a string without an end")
    }
}
