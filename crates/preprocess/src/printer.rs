//! The output: lines as in the source, white space where tokens need it.

use everypath_model::{FileId, Span};

use crate::origin::OriginMap;
use crate::token::{FROM_MACRO, Interner, Kind, PREV_WHITE, Source, Sym, Token};

/// Writes tokens.
pub(crate) struct Printer {
    pub(crate) out: Vec<u8>,
    pub(crate) map: OriginMap,
    /// The source line that the current output line stands for.
    line: u32,
    /// The current output line has text.
    printed: bool,
    previous: Option<Token>,
    /// Paddings came since the last token, and what they ask for.
    padded: bool,
    source: Source,
}

impl Printer {
    /// A printer with nothing printed.
    pub(crate) fn new(main: FileId) -> Printer {
        Printer {
            out: Vec::new(),
            map: OriginMap::new(main),
            line: 1,
            printed: false,
            previous: None,
            padded: false,
            source: Source::Own,
        }
    }

    /// Ends the current output line if it has text.
    fn end_line(&mut self) {
        if self.printed {
            self.out.push(b'\n');
            self.line += 1;
            self.printed = false;
        }
    }

    /// The text continues at another line of another file.
    pub(crate) fn change_file(&mut self, line: u32) {
        self.end_line();
        self.line = line;
    }

    /// A token starts a line; `column` is its column there.
    pub(crate) fn change_line(&mut self, line: u32, column: u32) {
        self.end_line();
        let missing = line.saturating_sub(self.line);
        self.out.resize(self.out.len() + missing as usize, b'\n');
        self.line = line;
        self.previous = None;
        self.source = Source::Own;
        let indent = column.saturating_sub(2);
        self.out.resize(self.out.len() + indent as usize, b' ');
        self.printed = true;
    }

    /// A padding between tokens.
    pub(crate) fn padding(&mut self, padding: &Token) {
        self.padded = true;
        self.source = self.source.merge(padding);
    }

    /// Writes a token. `call` is the macro call that it belongs to and the column of that, should
    /// it come from one.
    pub(crate) fn token(&mut self, token: &Token, call: (Span, u32), interner: &Interner) {
        let expanded = token.has(FROM_MACRO);
        if self.padded || token.has(PREV_WHITE) {
            if token.line != self.line {
                let column = if expanded { call.1 } else { token.column };
                self.change_line(token.line, column);
                self.out.push(b' ');
            } else if !self.padded
                || self.source.white_before(token)
                || match &self.previous {
                    Some(previous) => would_paste(previous, token, interner),
                    None => token.kind.is_hash(),
                }
            {
                self.out.push(b' ');
            }
        }
        self.padded = false;
        self.source = Source::Own;
        self.previous = Some(*token);
        self.printed = true;
        let start = self.out.len();
        self.out.extend_from_slice(interner.get(token.sym));
        let end = self.out.len();
        match token.span() {
            Some(span) if !expanded => self.map.copied(start, end, span),
            body => self.map.expanded(start, end, call.0, body),
        }
    }

    /// Ends the last line.
    pub(crate) fn finish(&mut self) {
        self.end_line();
    }
}

/// Whether two tokens that a macro brings together would read differently without a space.
fn would_paste(left: &Token, right: &Token, interner: &Interner) -> bool {
    use Kind::*;
    let next = match right.kind.is_punctuator() {
        true => interner.get(right.sym)[0],
        false => 0,
    };
    if (left.kind as u8) <= ShiftLeft as u8 && next == b'=' {
        return true;
    }
    match left.kind {
        Greater => next == b'>',
        Less => matches!(next, b'<' | b'%' | b':'),
        Plus => next == b'+',
        Minus => matches!(next, b'-' | b'>'),
        Slash => matches!(next, b'/' | b'*'),
        Percent => matches!(next, b':' | b'>'),
        LessEq => next == b'>',
        And => next == b'&',
        Or => next == b'|',
        Colon => matches!(next, b':' | b'>'),
        Arrow => next == b'*',
        Dot => matches!(next, b'.' | b'%') || right.kind == Number,
        Hash | DigraphHash => matches!(next, b'#' | b'%'),
        Name => match right.kind {
            Name => true,
            Number => is_name(interner, right.sym),
            Char | String => matches!(interner.get(right.sym)[0], b'"' | b'\''),
            _ => false,
        },
        Number => matches!(right.kind, Number | Name | Char) || matches!(next, b'.' | b'+' | b'-'),
        Other => interner.get(left.sym)[0] == b'\\' && right.kind == Name,
        _ => false,
    }
}

/// Whether the spelling consists of identifier characters only.
fn is_name(interner: &Interner, sym: Sym) -> bool {
    interner.get(sym).iter().all(|&b| crate::scan::is_word(b))
}
