//! Tokens and the table of their spellings.

use everypath_model::{FileId, Span};

/// The file index of text that is in no file: the predefined macros.
pub(crate) const NO_FILE: u32 = u32::MAX;

/// Index of a spelling in the [`Interner`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sym(pub(crate) u32);

macro_rules! kinds {
    ($($name:ident $text:literal),* $(,)?) => {
        /// What a token is. A punctuator has one kind per spelling.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Kind {
            $(#[doc = $text] $name,)*
            /// An identifier.
            Name,
            /// A preprocessing number.
            Number,
            /// A character constant.
            Char,
            /// A string literal.
            String,
            /// `<...>` or `"..."` behind `#include`.
            Header,
            /// Any other character, and quotes without a partner.
            Other,
            /// Nothing; keeps its neighbours apart where needed.
            Padding,
            /// The end of the file, of a directive or of an argument.
            Eof,
        }

        /// The punctuators; the position is the kind and the index of the spelling.
        pub(crate) const PUNCTUATORS: &[(Kind, &str)] = &[$((Kind::$name, $text)),*];
    };
}

kinds! {
    Eq "=", Not "!", Greater ">", Less "<", Plus "+", Minus "-", Star "*", Slash "/", Percent "%",
    And "&", Or "|", Caret "^", ShiftRight ">>", ShiftLeft "<<",
    Tilde "~", AndAnd "&&", OrOr "||", Question "?", Colon ":", Scope "::", Comma ",", OpenParen "(",
    CloseParen ")", EqEq "==", NotEq "!=", GreaterEq ">=", LessEq "<=",
    PlusEq "+=", MinusEq "-=", StarEq "*=", SlashEq "/=", PercentEq "%=", AndEq "&=", OrEq "|=",
    CaretEq "^=", ShiftRightEq ">>=", ShiftLeftEq "<<=",
    Hash "#", HashHash "##", OpenSquare "[", CloseSquare "]", OpenBrace "{", CloseBrace "}",
    Semicolon ";", Ellipsis "...", PlusPlus "++", MinusMinus "--", Arrow "->", Dot ".",
    DigraphHash "%:", DigraphHashHash "%:%:", DigraphOpenSquare "<:", DigraphCloseSquare ":>",
    DigraphOpenBrace "<%", DigraphCloseBrace "%>",
}

impl Kind {
    /// `#` in either spelling.
    pub(crate) fn is_hash(self) -> bool {
        matches!(self, Kind::Hash | Kind::DigraphHash)
    }

    /// `##` in either spelling.
    pub(crate) fn is_hash_hash(self) -> bool {
        matches!(self, Kind::HashHash | Kind::DigraphHashHash)
    }

    /// Whether it is a punctuator.
    pub(crate) fn is_punctuator(self) -> bool {
        (self as usize) < PUNCTUATORS.len()
    }
}

/// White space comes before the token; of a padding: before its source.
pub(crate) const PREV_WHITE: u8 = 1;
/// The first token of a line.
pub(crate) const BOL: u8 = 2;
/// A macro name that is never expanded again.
pub(crate) const NO_EXPAND: u8 = 4;
/// `##` follows.
pub(crate) const PASTE_LEFT: u8 = 8;
/// A parameter behind `#`.
pub(crate) const STRINGIFY: u8 = 16;
/// A padding that stands for a token.
pub(crate) const HAS_SOURCE: u8 = 32;
/// The token comes from an expansion and not from the file itself.
pub(crate) const FROM_MACRO: u8 = 64;

/// One token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) flags: u8,
    pub(crate) sym: Sym,
    /// Place of the spelling.
    pub(crate) file: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Line in the file, from 1; of an expanded token the line of the macro's name.
    pub(crate) line: u32,
    /// Byte column in the file, from 1.
    pub(crate) column: u32,
}

impl Token {
    /// A token that is nowhere.
    pub(crate) fn bare(kind: Kind) -> Token {
        let sym = Sym(0);
        Token { kind, flags: 0, sym, file: NO_FILE, start: 0, end: 0, line: 0, column: 0 }
    }

    /// What separates an expansion from what follows it.
    pub(crate) fn separator() -> Token {
        Token::bare(Kind::Padding)
    }

    /// What carries the white space before `source` to the first token that replaces it.
    pub(crate) fn padding(source: &Token) -> Token {
        let mut token = Token::bare(Kind::Padding);
        token.flags = HAS_SOURCE | (source.flags & PREV_WHITE);
        token
    }

    /// Whether a flag is set.
    pub(crate) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// The place of the spelling, if it is in a file.
    pub(crate) fn span(&self) -> Option<Span> {
        (self.file != NO_FILE).then_some(Span {
            file: FileId(self.file),
            start: self.start,
            end: self.end,
        })
    }

    /// Takes place and line from another token.
    pub(crate) fn at(mut self, place: &Token) -> Token {
        self.file = place.file;
        self.start = place.start;
        self.end = place.end;
        self.line = place.line;
        self.column = place.column;
        self
    }
}

/// The white space that a run of paddings asks for before the next token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Source {
    /// The token's own.
    #[default]
    Own,
    /// White space.
    White,
    /// None.
    Tight,
}

impl Source {
    /// The demand after one more padding.
    pub(crate) fn merge(self, padding: &Token) -> Source {
        let sourced = padding.has(HAS_SOURCE);
        match self {
            Source::White => Source::White,
            Source::Tight if sourced => Source::Tight,
            Source::Own if sourced && padding.has(PREV_WHITE) => Source::White,
            Source::Own if sourced => Source::Tight,
            Source::Tight | Source::Own => Source::Own,
        }
    }

    /// Whether `token` is to be set off by white space.
    pub(crate) fn white_before(self, token: &Token) -> bool {
        match self {
            Source::Own => token.has(PREV_WHITE),
            Source::White => true,
            Source::Tight => false,
        }
    }

    /// The padding that makes this demand.
    pub(crate) fn to_padding(self) -> Token {
        let mut token = Token::bare(Kind::Padding);
        token.flags = match self {
            Source::Own => 0,
            Source::White => HAS_SOURCE | PREV_WHITE,
            Source::Tight => HAS_SOURCE,
        };
        token
    }
}

/// All spellings, each once.
pub(crate) struct Interner {
    bytes: Vec<u8>,
    /// End of each spelling in `bytes`; it starts where the one before ends.
    ends: Vec<usize>,
    /// Open addressing; spelling plus one, zero is free.
    table: Vec<u32>,
}

impl Interner {
    /// A table that holds the punctuators at the index of their kind.
    pub(crate) fn new() -> Interner {
        let mut interner =
            Interner { bytes: Vec::new(), ends: Vec::new(), table: vec![0; 1 << 12] };
        for (index, (_, text)) in PUNCTUATORS.iter().enumerate() {
            let sym = interner.intern(text.as_bytes());
            debug_assert_eq!(sym.0 as usize, index);
        }
        interner
    }

    /// The bytes of a spelling.
    pub(crate) fn get(&self, sym: Sym) -> &[u8] {
        let index = sym.0 as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }

    /// A spelling as text.
    pub(crate) fn text(&self, sym: Sym) -> String {
        String::from_utf8_lossy(self.get(sym)).into_owned()
    }

    /// The index of a spelling, new or old.
    pub(crate) fn intern(&mut self, text: &[u8]) -> Sym {
        let mask = self.table.len() - 1;
        let mut slot = hash(text) as usize & mask;
        while self.table[slot] != 0 {
            let sym = Sym(self.table[slot] - 1);
            if self.get(sym) == text {
                return sym;
            }
            slot = (slot + 1) & mask;
        }
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
        self.table[slot] = self.ends.len() as u32;
        if self.ends.len() * 2 > self.table.len() {
            self.grow();
        }
        Sym(self.ends.len() as u32 - 1)
    }

    /// How many spellings there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        let mut table = vec![0; mask + 1];
        for index in 0..self.ends.len() as u32 {
            let mut slot = hash(self.get(Sym(index))) as usize & mask;
            while table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            table[slot] = index + 1;
        }
        self.table = table;
    }
}

/// Eight bytes at a time, mixed by multiplication.
fn hash(text: &[u8]) -> u64 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = text.len() as u64;
    for chunk in text.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let product = u128::from(state ^ u64::from_le_bytes(word)) * u128::from(MIX);
        state = (product >> 64) as u64 ^ product as u64 ^ MIX;
    }
    state ^ (state >> 29)
}
