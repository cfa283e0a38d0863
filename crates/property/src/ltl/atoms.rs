//! Atomic propositions in the text of a formula: names, quoted texts, and expressions of a model's
//! language, which stay opaque here.

/// What an [`AtomReader`] finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    /// No atom begins here.
    Nothing,
    /// An atom up to `end`.
    Atom {
        /// Where it ends.
        end: usize,
        /// The text that identifies it.
        text: String,
        /// Whether it is made of operators that a reader might take for the outer ones, as in
        /// `x == 0`: then it must not stand right behind a prefix operator.
        open: bool,
    },
    /// Something that begins like an atom but is none.
    Broken {
        /// Where it goes wrong.
        at: usize,
        /// What is wrong.
        message: String,
    },
}

/// Finds the atoms in the text of a formula. A language passes its own to have its expressions
/// read by its own rules.
pub trait AtomReader {
    /// Whether an atom begins here though its first word is an operator.
    fn claims(&self, _text: &str, _at: usize) -> bool {
        false
    }

    /// The atom that begins at the byte `at` of `text`, where no operator stands.
    fn read(&self, text: &str, at: usize) -> Read;
}

/// Names, numbers, indices, calls, remote references (`P[1]@L`, `P:x`), and comparisons and
/// arithmetic between them: what expressions of Promela, C and SMV have in common.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expressions;

impl AtomReader for Expressions {
    fn read(&self, text: &str, at: usize) -> Read {
        if text[at..].starts_with('"') {
            return quoted(text, at);
        }
        let parenthesised = text[at..].starts_with('(');
        let mut end = match operand(text, at) {
            Ok(Some(end)) => end,
            Ok(None) => return Read::Nothing,
            Err((at, message)) => return Read::Broken { at, message },
        };
        let mut open = false;
        loop {
            let here = skip_blanks(text, end);
            let Some(length) = binary(&text[here..]) else { break };
            let next = skip_blanks(text, here + length);
            end = match operand(text, next) {
                Ok(Some(end)) => end,
                Ok(None) => {
                    let message =
                        format!("an operand is missing after `{}`", &text[here..here + length]);
                    return Read::Broken { at: next, message };
                }
                Err((at, message)) => return Read::Broken { at, message },
            };
            open = true;
        }
        if parenthesised && !open {
            return Read::Nothing;
        }
        Read::Atom { end, text: tidy(&text[at..end]), open }
    }
}

/// The same text with single blanks.
fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn quoted(text: &str, at: usize) -> Read {
    match text[at + 1..].find('"') {
        Some(0) => Read::Broken { at, message: "an empty name".to_owned() },
        Some(length) => {
            let inner = text[at + 1..at + 1 + length].to_owned();
            Read::Atom { end: at + length + 2, text: inner, open: false }
        }
        None => Read::Broken { at, message: "the closing `\"` is missing".to_owned() },
    }
}

pub(super) fn skip_blanks(text: &str, at: usize) -> usize {
    at + (text[at..].len() - text[at..].trim_start().len())
}

pub(super) fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Where the name ends that starts at `at`.
pub(super) fn name_end(text: &str, at: usize) -> usize {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    at + text[at..].find(|c| !part(c)).unwrap_or(text.len() - at)
}

type Operand = Result<Option<usize>, (usize, String)>;

/// The end of a name with what belongs to it, of a number, or of something in parentheses.
fn operand(text: &str, at: usize) -> Operand {
    let Some(first) = text[at..].chars().next() else { return Ok(None) };
    if first.is_ascii_digit() {
        return Ok(Some(name_end(text, at)));
    }
    if first == '(' {
        return closing(text, at).map(Some);
    }
    if first == '-' && text[at + 1..].starts_with(|c: char| c.is_ascii_digit() || is_name_start(c))
    {
        return operand(text, at + 1);
    }
    if !is_name_start(first) {
        return Ok(None);
    }
    let mut end = name_end(text, at);
    loop {
        match text[end..].chars().next() {
            Some('[') if !text[end..].starts_with("[]") => end = closing(text, end)?,
            // A call has no blank before its arguments; `X (p)` is no call.
            Some('(') => end = closing(text, end)?,
            Some('.' | '@' | ':') if text[end + 1..].starts_with(is_name_start) => {
                end = name_end(text, end + 1);
            }
            _ => return Ok(Some(end)),
        }
    }
}

/// The place behind the bracket that closes the one at `at`.
fn closing(text: &str, at: usize) -> Result<usize, (usize, String)> {
    let mut open = Vec::new();
    for (offset, c) in text[at..].char_indices() {
        match c {
            '(' => open.push(')'),
            '[' => open.push(']'),
            ')' | ']' => {
                if open.pop() != Some(c) {
                    return Err((at + offset, format!("`{c}` closes nothing")));
                }
                if open.is_empty() {
                    return Ok(at + offset + 1);
                }
            }
            _ => {}
        }
    }
    let first = &text[at..at + 1];
    Err((at, format!("`{first}` is never closed")))
}

/// The length of an operator of an expression; those of formulas are none.
fn binary(text: &str) -> Option<usize> {
    const OF_FORMULAS: [&str; 9] = ["<->", "<-->", "<=>", "<>", "->", "-->", "=>", "/\\", "!"];
    const LONG: [&str; 6] = ["==", "!=", "<=", ">=", "<<", ">>"];
    const SHORT: [&str; 8] = ["<", ">", "+", "-", "*", "/", "%", "="];
    if OF_FORMULAS.iter().any(|op| text.starts_with(op)) && !text.starts_with("!=") {
        return None;
    }
    LONG.iter().chain(&SHORT).find(|op| text.starts_with(**op)).map(|op| op.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(text: &str) -> String {
        match Expressions.read(text, 0) {
            Read::Atom { text, open, .. } => format!("{text}{}", if open { " (open)" } else { "" }),
            Read::Nothing => "nothing".to_owned(),
            Read::Broken { at, message } => format!("{at}: {message}"),
        }
    }

    #[test]
    fn atoms_are_read_up_to_the_operators_of_formulas() {
        for (text, expected) in [
            ("p && q", "p"),
            ("P[1]@CS -> q", "P[1]@CS"),
            ("P@CS", "P@CS"),
            ("P[0]:l == 3 U q", "P[0]:l == 3 (open)"),
            ("x>3 <> q", "x>3 (open)"),
            ("(x +  1) * 2 <= y || q", "(x + 1) * 2 <= y (open)"),
            ("x -> y", "x"),
            ("x <-> y", "x"),
            ("x => y", "x"),
            ("x != -1 /\\ y", "x != -1 (open)"),
            ("len(q) > 0", "len(q) > 0 (open)"),
            ("state = busy & x", "state = busy (open)"),
            ("\"a b\" U c", "a b"),
            ("(p)", "nothing"),
            ("(p) -> q", "nothing"),
            ("\"a", "0: the closing `\"` is missing"),
            ("x ==", "4: an operand is missing after `==`"),
            ("a[1", "1: `[` is never closed"),
            ("a[1)", "3: `)` closes nothing"),
        ] {
            assert_eq!(atom(text), expected, "{text}");
        }
    }
}
