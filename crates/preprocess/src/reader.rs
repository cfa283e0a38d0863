//! A source file line by line: splices, comments, the place of every token.

use std::rc::Rc;

use everypath_model::{FileId, Span};

use crate::scan::{is_blank, scan};
use crate::token::{BOL, Interner, Kind, PREV_WHITE, Sym, Token};

/// One open `#if`.
pub(crate) struct Conditional {
    /// The directive's name.
    pub(crate) place: Span,
    /// `if`, `ifdef` or `ifndef`.
    pub(crate) name: &'static str,
    /// A group was or is live, or the whole conditional is dead.
    pub(crate) taken: bool,
    /// The text around it is dead.
    pub(crate) outer_skipping: bool,
    /// `#else` was seen, here.
    pub(crate) seen_else: Option<Span>,
    /// A directive in dead text that may be a misspelt `#endif`.
    pub(crate) suspect: Option<(Span, String)>,
}

/// Something the reader noticed.
pub(crate) enum Notice {
    /// A comment that starts here does not end.
    Comment(Span),
    /// A quote without a partner.
    Quote(Span, char),
    /// White space between a backslash and the line break.
    SplicedSpace(Span),
    /// A backslash before the end of the file.
    SpliceAtEnd(Span),
    /// A NUL byte.
    Nul(Span),
}

/// How the next token is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Lines follow each other.
    Text,
    /// The same within the arguments of a macro call, where a line break is white space.
    Arguments,
    /// The line's end is the end.
    Directive,
    /// The same; a header name may come.
    Header,
}

/// A file that is being read.
pub(crate) struct Reader {
    pub(crate) file: FileId,
    text: Rc<[u8]>,
    /// Start of the physical line after the current logical one, and its number.
    next: usize,
    next_line: u32,
    /// The current logical line: `at..end` of `text`, or of `clean` if it had splices.
    at: usize,
    end: usize,
    clean: Vec<u8>,
    is_clean: bool,
    /// Where in `clean` the physical lines start, and where that is in `text`.
    pieces: Vec<(usize, usize)>,
    piece: usize,
    /// The physical line of the last token: its number and where it starts.
    line: u32,
    line_start: usize,
    need_line: bool,
    nul_seen: bool,
    /// The open conditionals.
    pub(crate) conditionals: Vec<Conditional>,
    /// The text is dead.
    pub(crate) skipping: bool,
    /// What `#line` adds to line numbers.
    pub(crate) line_offset: i64,
    /// What `#line` calls the file.
    pub(crate) name: Option<Vec<u8>>,
    /// The `#include` that led here.
    pub(crate) included_at: Option<Span>,
    pub(crate) notices: Vec<Notice>,
}

impl Reader {
    /// A reader at the start of `text`.
    pub(crate) fn new(file: FileId, text: Rc<[u8]>, included_at: Option<Span>) -> Reader {
        let start = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Reader {
            file,
            text,
            next: start,
            next_line: 1,
            at: 0,
            end: 0,
            clean: Vec::new(),
            is_clean: false,
            pieces: Vec::new(),
            piece: 0,
            line: 1,
            line_start: start,
            need_line: true,
            nul_seen: false,
            conditionals: Vec::new(),
            skipping: false,
            line_offset: 0,
            name: None,
            included_at,
            notices: Vec::new(),
        }
    }

    /// The number of the physical line that comes next.
    pub(crate) fn next_line(&self) -> u32 {
        self.next_line
    }

    /// Makes the next logical line current; false at the end of the file.
    fn fresh_line(&mut self) -> bool {
        if self.next >= self.text.len() {
            return false;
        }
        self.need_line = false;
        self.is_clean = false;
        self.line = self.next_line;
        self.line_start = self.next;
        self.at = self.next;
        let mut start = self.next;
        loop {
            let stop = start
                + self.text[start..]
                    .iter()
                    .position(|&b| b == b'\n' || b == b'\r')
                    .unwrap_or(self.text.len() - start);
            self.next = match self.text[stop..] {
                [b'\r', b'\n', ..] => stop + 2,
                [] => stop,
                _ => stop + 1,
            };
            if stop < self.text.len() {
                self.next_line += 1;
            }
            let backslash = self.backslash(start, stop);
            match backslash {
                Some(at) if stop < self.text.len() => {
                    if !self.is_clean {
                        self.is_clean = true;
                        self.clean.clear();
                        self.pieces.clear();
                        self.piece = 0;
                        self.pieces.push((0, start));
                    }
                    self.clean.extend_from_slice(&self.text[start..at]);
                    self.pieces.push((self.clean.len(), self.next));
                    let place = Span::new(self.file, at, at + 1);
                    if at + 1 < stop {
                        self.notices.push(Notice::SplicedSpace(place));
                    }
                    if self.next >= self.text.len() {
                        self.notices.push(Notice::SpliceAtEnd(place));
                        break;
                    }
                    start = self.next;
                }
                _ => {
                    if self.is_clean {
                        self.clean.extend_from_slice(&self.text[start..stop]);
                    } else {
                        self.end = stop;
                    }
                    break;
                }
            }
        }
        if self.is_clean {
            self.at = 0;
            self.end = self.clean.len();
        }
        true
    }

    /// The backslash that only blanks separate from the line's end at `stop`.
    fn backslash(&self, start: usize, stop: usize) -> Option<usize> {
        let line = &self.text[start..stop];
        let last = line.iter().rposition(|&b| !is_blank(b))?;
        (line[last] == b'\\').then_some(start + last)
    }

    /// The place in the file of a byte of the current line; never goes back.
    fn locate(&mut self, at: usize) -> usize {
        if !self.is_clean {
            return at;
        }
        while let Some(&(from, source)) = self.pieces.get(self.piece + 1)
            && from <= at
        {
            self.piece += 1;
            self.line += 1;
            self.line_start = source;
        }
        let (from, source) = self.pieces[self.piece];
        source + (at - from)
    }

    /// Skips the comment whose `/*` is at `self.at`; false if the file ends first.
    fn block_comment(&mut self) -> bool {
        let start = self.locate(self.at);
        self.at += 2;
        loop {
            let line = if self.is_clean { &self.clean } else { &self.text[..] };
            let line = &line[self.at..self.end];
            if let Some(length) = line.windows(2).position(|pair| pair == b"*/") {
                self.at += length + 2;
                return true;
            }
            if !self.fresh_line() {
                self.at = self.end;
                self.need_line = true;
                self.notices.push(Notice::Comment(Span::new(self.file, start, start + 2)));
                return false;
            }
        }
    }

    /// The next token; `Eof` at the end of the file or of the directive.
    pub(crate) fn lex(&mut self, mode: Mode, interner: &mut Interner) -> Token {
        let in_directive = matches!(mode, Mode::Directive | Mode::Header);
        let mut flags = 0;
        loop {
            if self.need_line {
                if in_directive || !self.fresh_line() {
                    return self.eof();
                }
                flags = BOL | if mode == Mode::Arguments { PREV_WHITE } else { 0 };
            }
            let line = if self.is_clean { &self.clean[..self.end] } else { &self.text[..self.end] };
            let mut at = self.at;
            while at < line.len() && is_blank(line[at]) {
                if line[at] == 0 && !self.nul_seen {
                    self.nul_seen = true;
                    let start = if self.is_clean { self.line_start } else { at };
                    self.notices.push(Notice::Nul(Span::new(self.file, start, start + 1)));
                }
                at += 1;
            }
            if at > self.at {
                flags |= PREV_WHITE;
                self.at = at;
            }
            match line[at..] {
                [] | [b'/', b'/', ..] => {
                    self.at = self.end;
                    self.need_line = true;
                }
                [b'/', b'*', ..] => {
                    flags |= PREV_WHITE;
                    self.block_comment();
                }
                _ => return self.token(mode, flags, interner),
            }
        }
    }

    /// The token at `self.at`.
    fn token(&mut self, mode: Mode, flags: u8, interner: &mut Interner) -> Token {
        let line = if self.is_clean { &self.clean[..self.end] } else { &self.text[..self.end] };
        let (kind, stop) = match mode {
            Mode::Header => header(line, self.at).unwrap_or_else(|| scan(line, self.at)),
            _ => scan(line, self.at),
        };
        let sym = if kind.is_punctuator() {
            Sym(kind as u32)
        } else if self.skipping && mode == Mode::Text {
            Sym(0)
        } else {
            interner.intern(&line[self.at..stop])
        };
        let quote = (kind == Kind::Other && !self.skipping)
            .then(|| line[self.at..stop].iter().find(|b| matches!(b, b'"' | b'\'')).copied());
        let (first, last) = (self.at, stop - 1);
        self.at = stop;
        let start = self.locate(first);
        let (number, line_start) = (self.line, self.line_start);
        let end = self.locate(last) + 1;
        if let Some(Some(quote)) = quote {
            let place = Span::new(self.file, start, start + 1);
            self.notices.push(Notice::Quote(place, quote.into()));
        }
        Token {
            kind,
            flags,
            sym,
            file: self.file.0,
            start: start as u32,
            end: end as u32,
            line: number,
            column: (start - line_start) as u32 + 1,
        }
    }

    /// The end, placed where the reader is.
    fn eof(&mut self) -> Token {
        let at = if self.is_clean && self.at > 0 {
            self.locate(self.at - 1) + 1
        } else {
            self.at.min(self.text.len())
        };
        let mut token = Token::bare(Kind::Eof);
        token.file = self.file.0;
        token.start = at as u32;
        token.end = at as u32;
        token.line = self.line;
        token
    }
}

/// The header name at `start`, if there is one.
fn header(line: &[u8], start: usize) -> Option<(Kind, usize)> {
    let close = match line[start] {
        b'<' => b'>',
        b'"' => b'"',
        _ => return None,
    };
    let length = line[start + 1..].iter().position(|&b| b == close)?;
    Some((Kind::Header, start + 1 + length + 1))
}
