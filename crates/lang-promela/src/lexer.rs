//! Preprocessed text to tokens.
//!
//! Tokens are plain: implied separators are the business of [`crate::stream`], and whether a word
//! is a type, a proctype or a variable is decided by the parser, since it depends on what has been
//! declared so far.

/// A token of the preprocessed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// What it is.
    pub kind: Kind,
    /// A line break stands between it and the token before.
    pub newline: bool,
    /// First byte of its text in the preprocessed text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Where it counts as standing, as a range of the preprocessed text: an argument of an inline
    /// stands where the parameter stands.
    pub place: (u32, u32),
}

macro_rules! kinds {
    ($($word:literal => $keyword:ident,)* ; $($text:literal : $kind:ident,)*) => {
        /// The kinds of tokens.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Kind {
            $($keyword,)*
            $($kind,)*
        }

        /// The words with a meaning of their own.
        pub(crate) const KEYWORDS: &[&str] = &[$($word),*];

        fn keyword(word: &str) -> Option<Kind> {
            match word {
                $($word => Some(Kind::$keyword),)*
                _ => None,
            }
        }

        impl Kind {
            /// How messages call it.
            pub fn describe(self) -> &'static str {
                match self {
                    $(Kind::$keyword => concat!("`", $word, "`"),)*
                    $(Kind::$kind => $text,)*
                }
            }
        }
    };
}

kinds! {
    "active" => Active, "assert" => Assert, "atomic" => Atomic, "bit" => Bit, "bool" => Bool,
    "break" => Break, "byte" => Byte, "c_code" => CCode, "c_decl" => CDecl, "c_expr" => CExpr,
    "c_state" => CState, "c_track" => CTrack, "chan" => Chan, "D_proctype" => DProctype,
    "d_step" => DStep, "do" => Do, "else" => Else, "empty" => Empty, "enabled" => Enabled,
    "eval" => Eval, "false" => False, "fi" => Fi, "for" => For, "full" => Full,
    "get_priority" => GetPriority, "goto" => Goto, "hidden" => Hidden, "if" => If, "init" => Init,
    "inline" => Inline, "int" => Int, "len" => Len, "local" => Local, "ltl" => Ltl,
    "mtype" => Mtype, "nempty" => Nempty, "never" => Never, "nfull" => Nfull,
    "notrace" => Notrace, "np_" => Np, "od" => Od, "of" => Of, "pc_value" => PcValue,
    "pid" => Pid, "printf" => Printf, "printm" => Printm, "priority" => Priority,
    "proctype" => Proctype, "provided" => Provided, "return" => Return, "run" => Run,
    "select" => Select, "set_priority" => SetPriority, "short" => Short, "show" => Show,
    "skip" => Skip, "timeout" => Timeout, "trace" => Trace, "true" => True,
    "typedef" => Typedef, "unless" => Unless, "unsigned" => Unsigned, "xr" => Xr, "xs" => Xs,
    ;
    "a name": Ident, "a number": Number, "a character": Char, "a string": Str,
    "C text": CText, "a C condition": CCondition,
    "`{`": LBrace, "`}`": RBrace, "`(`": LParen, "`)`": RParen, "`[`": LBracket, "`]`": RBracket,
    "`;`": Semi, "`->`": Arrow, "`::`": Option, "`:`": Colon, "`,`": Comma, "`..`": DotDot,
    "`.`": Dot, "`=`": Assign, "`==`": Eq, "`!=`": Ne, "`<=`": Le, "`<`": Lt, "`>=`": Ge,
    "`>`": Gt, "`<<`": Shl, "`>>`": Shr, "`&&`": AndAnd, "`||`": OrOr, "`&`": Amp, "`|`": Pipe,
    "`^`": Caret, "`~`": Tilde, "`!`": Bang, "`!!`": BangBang, "`?`": Query, "`??`": QueryQuery,
    "`+`": Plus, "`-`": Minus, "`*`": Star, "`/`": Slash, "`%`": Percent, "`++`": Inc,
    "`--`": Dec, "`@`": At, "`\\`": Backslash,
    "an unknown character": Unknown, "an unfinished string": OpenString, "the end of the file": Eof,
}

impl Token {
    /// Its text.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }

    /// A token that does not stand in the text, placed at a position.
    pub fn made(kind: Kind, at: u32) -> Token {
        Token { kind, newline: false, start: at, end: at, place: (at, at) }
    }
}

/// All tokens of a text, without the end marker.
pub(crate) fn tokenize(text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        bytes: text.as_bytes(),
        text,
        pos: 0,
        newline: false,
        out: Vec::new(),
        unclosed: false,
    };
    lexer.run();
    lexer.out
}

struct Lexer<'a> {
    bytes: &'a [u8],
    text: &'a str,
    pos: usize,
    newline: bool,
    out: Vec<Token>,
    /// Some embedded C was not closed: what follows is read as Promela.
    unclosed: bool,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: Kind, start: usize) {
        self.push_range(kind, start, self.pos);
    }

    fn push_range(&mut self, kind: Kind, start: usize, end: usize) {
        let (start, end) = (start as u32, end as u32);
        self.out.push(Token { kind, newline: self.newline, start, end, place: (start, end) });
        self.newline = false;
    }

    fn run(&mut self) {
        while self.skip_space() {
            let start = self.pos;
            let byte = self.bytes[start];
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(start),
                b'0'..=b'9' => {
                    while self.peek(0).is_ascii_digit() {
                        self.pos += 1;
                    }
                    self.push(Kind::Number, start);
                }
                b'"' => self.string(start),
                b'\'' => self.character(start),
                _ => self.punctuation(start, byte),
            }
        }
    }

    /// Skips white space and comments; `false` at the end.
    fn skip_space(&mut self) -> bool {
        while self.pos < self.bytes.len() {
            match self.bytes[self.pos] {
                b'\n' => {
                    self.newline = true;
                    self.pos += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0 => self.pos += 1,
                b'/' if self.peek(1) == b'*' => self.block_comment(),
                // The end of a comment that never began.
                b'*' if self.peek(1) == b'/' => self.pos += 2,
                b'/' if self.peek(1) == b'/' => {
                    while self.pos < self.bytes.len() && self.bytes[self.pos] != b'\n' {
                        self.pos += 1;
                    }
                }
                _ => return true,
            }
        }
        false
    }

    fn block_comment(&mut self) {
        let rest = &self.bytes[self.pos + 2..];
        let length = rest.windows(2).position(|w| w == b"*/").map_or(rest.len(), |n| n + 2);
        self.newline |= rest[..length].contains(&b'\n');
        self.pos += 2 + length;
    }

    fn word(&mut self, start: usize) {
        while matches!(self.peek(0), b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_') {
            self.pos += 1;
        }
        let kind = keyword(&self.text[start..self.pos]).unwrap_or(Kind::Ident);
        self.push(kind, start);
        if matches!(kind, Kind::CCode | Kind::CDecl | Kind::CExpr) {
            self.embedded_c();
        }
    }

    /// The `[condition] { text }` behind a word for embedded C; the brackets are not part of the
    /// tokens.
    fn embedded_c(&mut self) {
        let rest = (self.pos, self.newline);
        if self.skip_space() && self.peek(0) == b'[' {
            if !self.enclosed(b'[', b']', Kind::CCondition) {
                (self.pos, self.newline) = rest;
                return;
            }
            self.skip_space();
        }
        if self.peek(0) == b'{' {
            self.enclosed(b'{', b'}', Kind::CText);
        }
    }

    /// Text up to the matching bracket as one token; `false` if there is none.
    fn enclosed(&mut self, open: u8, close: u8, kind: Kind) -> bool {
        if self.unclosed {
            return false;
        }
        let start = self.pos;
        let mut depth = 0usize;
        while self.pos < self.bytes.len() {
            let byte = self.bytes[self.pos];
            match byte {
                b'"' | b'\'' => {
                    self.skip_quoted(byte);
                    continue;
                }
                b'/' if self.peek(1) == b'*' => {
                    self.block_comment();
                    continue;
                }
                _ if byte == open => depth += 1,
                _ if byte == close => {
                    depth -= 1;
                    if depth == 0 {
                        self.push_range(kind, start + 1, self.pos);
                        self.pos += 1;
                        return true;
                    }
                }
                _ => {}
            }
            self.pos += 1;
        }
        self.pos = start;
        self.unclosed = true;
        false
    }

    /// Skips a quoted text of C; stops before a line break.
    fn skip_quoted(&mut self, quote: u8) {
        self.pos += 1;
        while self.pos < self.bytes.len() {
            match self.bytes[self.pos] {
                b'\\' if self.pos + 1 < self.bytes.len() => self.pos += 2,
                b'\n' => return,
                byte => {
                    self.pos += 1;
                    if byte == quote {
                        return;
                    }
                }
            }
        }
    }

    fn string(&mut self, start: usize) {
        self.pos += 1;
        while self.pos < self.bytes.len() {
            match self.bytes[self.pos] {
                b'"' => {
                    self.pos += 1;
                    return self.push(Kind::Str, start);
                }
                b'\\' if self.pos + 1 < self.bytes.len() => self.pos += 2,
                b'\n' => break,
                _ => self.pos += 1,
            }
        }
        self.push(Kind::OpenString, start);
    }

    fn character(&mut self, start: usize) {
        let escape = usize::from(self.peek(1) == b'\\');
        let is_char = self.peek(1 + escape) != 0 && self.peek(2 + escape) == b'\'';
        if is_char && self.peek(1 + escape).is_ascii() {
            self.pos += 3 + escape;
            self.push(Kind::Char, start);
        } else {
            self.pos += 1;
            self.push(Kind::Unknown, start);
        }
    }

    fn punctuation(&mut self, start: usize, byte: u8) {
        use Kind::*;
        // SPIN's scanner looks for the second sign of these behind the one of a shorter operator.
        let long = match (byte, self.peek(1), self.peek(2)) {
            (b'-', b'-', b'>') => Some(Arrow),
            (b'<', b'=', b'<') => Some(Shl),
            (b'>', b'=', b'>') => Some(Shr),
            (b'!', b'!', b'=') => Some(Ne),
            _ => None,
        };
        if let Some(kind) = long {
            self.pos += 3;
            return self.push(kind, start);
        }
        let (kind, length) = match (byte, self.peek(1)) {
            (b':', b':') => (Option, 2),
            (b'-', b'>') => (Arrow, 2),
            (b'-', b'-') => (Dec, 2),
            (b'+', b'+') => (Inc, 2),
            (b'.', b'.') => (DotDot, 2),
            (b'=', b'=') => (Eq, 2),
            (b'!', b'=') => (Ne, 2),
            (b'!', b'!') => (BangBang, 2),
            (b'?', b'?') => (QueryQuery, 2),
            (b'<', b'=') => (Le, 2),
            (b'<', b'<') => (Shl, 2),
            (b'>', b'=') => (Ge, 2),
            (b'>', b'>') => (Shr, 2),
            (b'&', b'&') => (AndAnd, 2),
            (b'|', b'|') => (OrOr, 2),
            (b'{', _) => (LBrace, 1),
            (b'}', _) => (RBrace, 1),
            (b'(', _) => (LParen, 1),
            (b')', _) => (RParen, 1),
            (b'[', _) => (LBracket, 1),
            (b']', _) => (RBracket, 1),
            (b';', _) => (Semi, 1),
            (b':', _) => (Colon, 1),
            (b',', _) => (Comma, 1),
            (b'.', _) => (Dot, 1),
            (b'=', _) => (Assign, 1),
            (b'<', _) => (Lt, 1),
            (b'>', _) => (Gt, 1),
            (b'&', _) => (Amp, 1),
            (b'|', _) => (Pipe, 1),
            (b'^', _) => (Caret, 1),
            (b'~', _) => (Tilde, 1),
            (b'!', _) => (Bang, 1),
            (b'?', _) => (Query, 1),
            (b'+', _) => (Plus, 1),
            (b'-', _) => (Minus, 1),
            (b'*', _) => (Star, 1),
            (b'/', _) => (Slash, 1),
            (b'%', _) => (Percent, 1),
            (b'@', _) => (At, 1),
            (b'\\', _) => (Backslash, 1),
            _ => {
                // One token a character, so that spans stay on character borders.
                let length = self.text[start..].chars().next().map_or(1, char::len_utf8);
                (Unknown, length)
            }
        };
        self.pos += length;
        self.push(kind, start);
    }
}
