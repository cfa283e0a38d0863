//! The words and signs of formulas, in the spellings of several tools.

use super::atoms::{AtomReader, Read, is_name_start, name_end, skip_blanks};
use super::parse::{DEPTH, SyntaxError, too_deep};

/// Whose notation a formula is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spelling {
    /// All of them at once, as long as they agree: where two tools would group a formula in
    /// different ways, it is refused.
    #[default]
    Any,
    /// SPIN: `[] <> U V W X && || ! -> <->` and words. `U` and `->` group to the left.
    Spin,
    /// Spot: `G F U R W M X & | ! -> <-> xor`; `GFa` is `G F a`. `U` and `->` group to the right.
    Spot,
    /// NuSMV: `G F U V X & | ! -> <-> xor`. `->` groups to the right, `U` to the left.
    Nusmv,
}

/// A sign or a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Open,
    Close,
    Not,
    And,
    Or,
    Xor,
    Implies,
    Iff,
    Next,
    Always,
    Eventually,
    Until,
    Weak,
    Release,
    Strong,
    True,
    False,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sign(Sign),
    Atom { text: String, open: bool },
    End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Signs, the longer before those they begin with.
const SIGNS: [(&str, Sign); 20] = [
    ("<-->", Sign::Iff),
    ("<->", Sign::Iff),
    ("<=>", Sign::Iff),
    ("-->", Sign::Implies),
    ("->", Sign::Implies),
    ("=>", Sign::Implies),
    ("<>", Sign::Eventually),
    ("[]", Sign::Always),
    ("&&", Sign::And),
    ("||", Sign::Or),
    ("/\\", Sign::And),
    ("\\/", Sign::Or),
    ("&", Sign::And),
    ("|", Sign::Or),
    ("^", Sign::Xor),
    ("!", Sign::Not),
    ("~", Sign::Not),
    ("(", Sign::Open),
    (")", Sign::Close),
    ("\u{ac}", Sign::Not),
];

/// Words that SPIN has as well.
const SPIN_WORDS: [(&str, Sign); 14] = [
    ("true", Sign::True),
    ("false", Sign::False),
    ("U", Sign::Until),
    ("V", Sign::Release),
    ("W", Sign::Weak),
    ("X", Sign::Next),
    ("always", Sign::Always),
    ("eventually", Sign::Eventually),
    ("until", Sign::Until),
    ("stronguntil", Sign::Until),
    ("weakuntil", Sign::Weak),
    ("release", Sign::Release),
    ("implies", Sign::Implies),
    ("equivalent", Sign::Iff),
];

/// Words that others have.
const WORDS: [(&str, Sign); 23] = [
    ("TRUE", Sign::True),
    ("FALSE", Sign::False),
    ("G", Sign::Always),
    ("F", Sign::Eventually),
    ("R", Sign::Release),
    ("M", Sign::Strong),
    ("globally", Sign::Always),
    ("finally", Sign::Eventually),
    ("next", Sign::Next),
    ("nexttime", Sign::Next),
    ("unless", Sign::Weak),
    ("weak_until", Sign::Weak),
    ("strong_until", Sign::Until),
    ("releases", Sign::Release),
    ("strongrelease", Sign::Strong),
    ("strong_release", Sign::Strong),
    ("iff", Sign::Iff),
    ("equiv", Sign::Iff),
    ("and", Sign::And),
    ("or", Sign::Or),
    ("not", Sign::Not),
    ("xor", Sign::Xor),
    ("XOR", Sign::Xor),
];

/// Operators of NuSMV about the past.
const PAST: [&str; 6] = ["Y", "Z", "H", "O", "S", "T"];

fn word(text: &str, spelling: Spelling) -> Option<Sign> {
    let find = |words: &[(&str, Sign)]| {
        words.iter().find(|&&(word, _)| word == text).map(|&(_, sign)| sign)
    };
    let own = match spelling {
        Spelling::Spin => None,
        // NuSMV has no `W` and no `M`; the names are its users'.
        Spelling::Nusmv if matches!(text, "W" | "M" | "R") => return None,
        _ => find(&WORDS),
    };
    own.or_else(|| find(&SPIN_WORDS))
}

/// The words that are operators in some spelling.
pub fn operator_words() -> impl Iterator<Item = &'static str> {
    WORDS.iter().chain(&SPIN_WORDS).map(|&(word, _)| word)
}

/// Whether a word is an operator in a spelling, so that it is no name of an atom.
pub(super) fn is_reserved(text: &str, spelling: Spelling) -> bool {
    let past = spelling == Spelling::Nusmv && PAST.contains(&text);
    past || word(text, spelling).is_some() || (spelling == Spelling::Spot && glued(text).is_some())
}

/// All tokens of a text; the last one is the end.
pub(super) fn tokens(
    text: &str,
    spelling: Spelling,
    atoms: &dyn AtomReader,
) -> Result<Vec<Token>, SyntaxError> {
    let mut tokens = Vec::new();
    let mut at = skip_blanks(text, 0);
    // Looking for the end of an expression at every parenthesis takes time for each level.
    let mut depth = 0usize;
    while at < text.len() {
        let (kind, end) = token(text, at, spelling, atoms, &mut tokens)?;
        match kind {
            Kind::Sign(Sign::Open) => depth += 1,
            Kind::Sign(Sign::Close) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH {
            return Err(SyntaxError::new(at..end, too_deep()));
        }
        tokens.push(Token { kind, start: at, end });
        at = skip_blanks(text, end);
    }
    tokens.push(Token { kind: Kind::End, start: text.len(), end: text.len() });
    Ok(tokens)
}

fn token(
    text: &str,
    at: usize,
    spelling: Spelling,
    atoms: &dyn AtomReader,
    before: &mut Vec<Token>,
) -> Result<(Kind, usize), SyntaxError> {
    let rest = &text[at..];
    let first = rest.chars().next().unwrap_or(' ');
    if is_name_start(first) && !atoms.claims(text, at) {
        let end = name_end(text, at);
        let name = &text[at..end];
        if let Some(sign) = word(name, spelling) {
            return Ok((Kind::Sign(sign), end));
        }
        if spelling == Spelling::Nusmv && PAST.contains(&name) {
            let message = format!("`{name}` is about the past, which is not supported");
            return Err(SyntaxError::new(at..end, message)
                .hint("write the name in quotes if it is meant as a proposition"));
        }
        if spelling == Spelling::Spot
            && let Some(prefix) = glued(name)
        {
            // `GFa`: one sign for each letter, then the rest is looked at again.
            for (offset, letter) in name[..prefix - 1].char_indices() {
                if let Some(sign) = word(letter.encode_utf8(&mut [0; 4]), spelling) {
                    let start = at + offset;
                    before.push(Token { kind: Kind::Sign(sign), start, end: start + 1 });
                }
            }
            let last = at + prefix - 1;
            if let Some(sign) = word(&text[last..last + 1], spelling) {
                return Ok((Kind::Sign(sign), last + 1));
            }
        }
    }
    let constant = match rest.as_bytes() {
        [b'0', next, ..] | [b'1', next, ..] if next.is_ascii_alphanumeric() => None,
        [b'0', ..] => Some(Sign::False),
        [b'1', ..] => Some(Sign::True),
        _ => None,
    };
    match atoms.read(text, at) {
        // A constant is not an expression of one operand.
        Read::Atom { end, .. } if constant.is_some() && end == at + 1 => {}
        Read::Atom { end, text, open } => return Ok((Kind::Atom { text, open }, end)),
        Read::Broken { at, message } => {
            return Err(SyntaxError::new(at..text.len().min(at + 1), message));
        }
        Read::Nothing => {}
    }
    if let Some(sign) = constant {
        return Ok((Kind::Sign(sign), at + 1));
    }
    if let Some((sign, kind)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        return Ok((Kind::Sign(*kind), at + sign.len()));
    }
    let end = at + first.len_utf8();
    let message = format!("`{first}` has no meaning in a formula");
    Err(SyntaxError::new(at..end, message).hint(match first {
        '=' | '<' | '>' | '+' | '-' | '*' | '/' | '%' => {
            "put the whole comparison into parentheses, as in (x > 3)"
        }
        _ => "operators are [] <> U W R X && || ! -> <->, or G F instead of [] <>",
    }))
}

/// How many letters of a name are prefix operators in Spot's notation: two for `GFa`.
fn glued(name: &str) -> Option<usize> {
    let prefix = name.bytes().take_while(|b| matches!(b, b'G' | b'F' | b'X')).count();
    let rest = &name[prefix..];
    let ends = rest.is_empty() || rest.starts_with(|c: char| c.is_lowercase() || c == '_');
    (prefix > 0 && ends).then_some(prefix)
}
