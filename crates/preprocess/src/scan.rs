//! One token from bytes that hold no line break.

use crate::token::{Kind, PUNCTUATORS};

/// White space within a line; NUL bytes count as such.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c | 0)
}

/// Bytes of identifiers and numbers. `$` belongs to them, as in GNU C.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

/// The kind of the token at `start` and where it ends. `start` is inside of `text`; white space and
/// comments are the caller's business.
pub(crate) fn scan(text: &[u8], start: usize) -> (Kind, usize) {
    let byte = text[start];
    let next = text.get(start + 1).copied().unwrap_or(b'\n');
    match byte {
        b'0'..=b'9' => (Kind::Number, number(text, start)),
        b'.' if next.is_ascii_digit() => (Kind::Number, number(text, start)),
        b'"' | b'\'' => quoted(text, start),
        b'L' | b'u' | b'U' if let Some(quote) = prefixed(text, start) => quoted(text, quote),
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => (Kind::Name, word(text, start)),
        0x80.. => match wide(text, start) {
            (true, _) => (Kind::Name, word(text, start)),
            (false, end) => (Kind::Other, end),
        },
        _ => match punctuator(&text[start..]) {
            Some((kind, length)) => (kind, start + length),
            None => (Kind::Other, start + 1),
        },
    }
}

/// Where the identifier that goes on at `at` ends.
fn word(text: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = text.get(at) {
        if is_word(byte) {
            at += 1;
        } else if byte >= 0x80
            && let (true, end) = wide(text, at)
        {
            at = end;
        } else {
            break;
        }
    }
    at
}

/// Where the number that starts at `at` ends.
fn number(text: &[u8], mut at: usize) -> usize {
    loop {
        at = word(text, at);
        match text.get(at) {
            Some(b'.') => at += 1,
            Some(b'+' | b'-') if matches!(text[at - 1], b'e' | b'E' | b'p' | b'P') => at += 1,
            _ => return at,
        }
    }
}

/// Where the quote is, if a literal with an encoding prefix starts at `at`.
fn prefixed(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at + 1..];
    match (text[at], rest) {
        (_, [b'"' | b'\'', ..]) => Some(at + 1),
        (b'u', [b'8', b'"', ..]) => Some(at + 2),
        _ => None,
    }
}

/// The literal whose quote is at `start`; without a second quote it takes the rest of the line.
fn quoted(text: &[u8], start: usize) -> (Kind, usize) {
    let quote = text[start];
    let mut at = start + 1;
    while at < text.len() {
        if text[at] == b'\\' {
            at += 1;
        } else if text[at] == quote {
            let kind = if quote == b'"' { Kind::String } else { Kind::Char };
            return (kind, at + 1);
        }
        at += 1;
    }
    (Kind::Other, text.len())
}

/// Whether the character at `at`, which is not ASCII, belongs to identifiers, and where it ends.
fn wide(text: &[u8], at: usize) -> (bool, usize) {
    let end = text.len().min(at + 4);
    let valid = match std::str::from_utf8(&text[at..end]) {
        Ok(valid) => valid,
        Err(error) => std::str::from_utf8(&text[at..at + error.valid_up_to()]).unwrap_or_default(),
    };
    match valid.chars().next() {
        Some(c) => (c.is_alphanumeric(), at + c.len_utf8()),
        None => (false, at + 1),
    }
}

/// The punctuator of each single byte.
const SINGLE: [Option<Kind>; 128] = {
    let mut table = [None; 128];
    let mut index = 0;
    while index < PUNCTUATORS.len() {
        let (kind, text) = PUNCTUATORS[index];
        if text.len() == 1 {
            table[text.as_bytes()[0] as usize] = Some(kind);
        }
        index += 1;
    }
    table
};

/// The longest punctuator that `text`, which starts with ASCII, starts with.
fn punctuator(text: &[u8]) -> Option<(Kind, usize)> {
    let at = |index: usize| text.get(index).copied().unwrap_or(b'\n');
    let length = match (text[0], at(1)) {
        (b'%', b':') if at(2) == b'%' && at(3) == b':' => 4,
        (b'.', b'.') if at(2) == b'.' => 3,
        (b'<', b'<') | (b'>', b'>') if at(2) == b'=' => 3,
        (b'-', b'-' | b'>' | b'=')
        | (b'+', b'+' | b'=')
        | (b'&', b'&' | b'=')
        | (b'|', b'|' | b'=')
        | (b'<', b'<' | b'=' | b':' | b'%')
        | (b'>', b'>' | b'=')
        | (b'%', b'=' | b':' | b'>')
        | (b':', b'>' | b':')
        | (b'#', b'#')
        | (b'*' | b'/' | b'^' | b'=' | b'!', b'=') => 2,
        (byte, _) => return SINGLE[usize::from(byte)].map(|kind| (kind, 1)),
    };
    let spelling = &text[..length];
    let &(kind, _) = PUNCTUATORS.iter().find(|(_, text)| text.as_bytes() == spelling)?;
    Some((kind, length))
}
