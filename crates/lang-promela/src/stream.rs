//! The token stream that the parser reads: separators implied by line breaks and braces, and the
//! bodies of inlines in place of their calls.

use std::rc::Rc;

use crate::lexer::{Kind, Token};

/// A run of tokens being read.
struct Frame {
    tokens: Rc<[Token]>,
    pos: usize,
}

/// What has to be remembered to come back to a place.
#[derive(Clone)]
struct State {
    last: Kind,
    held: Option<Token>,
    braces: u32,
    parens: u32,
}

/// A place to come back to.
pub(crate) struct Saved {
    depth: usize,
    state: State,
    last_end: u32,
}

/// Tokens with implied separators.
///
/// An implied or explicit `;` is followed by one token of look-ahead: before `}`, `;` and `->` it
/// is dropped.
pub(crate) struct Stream {
    frames: Vec<Frame>,
    state: State,
    /// End of the token returned last, for the place of implied tokens.
    last_end: u32,
}

impl Stream {
    /// Reads the tokens; `last_end` is where the end of the text lies.
    pub fn new(tokens: Rc<[Token]>) -> Stream {
        let state = State { last: Kind::Semi, held: None, braces: 0, parens: 0 };
        Stream { frames: vec![Frame { tokens, pos: 0 }], state, last_end: 0 }
    }

    /// Number of runs being read; more than one inside an inline.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Reads `tokens` before going on. The caller must not have looked ahead.
    pub fn push(&mut self, tokens: Rc<[Token]>) {
        self.frames.push(Frame { tokens, pos: 0 });
    }

    /// Goes back to the run that was read when the depth was `depth`, as if a `}` had been read.
    pub fn pop_to(&mut self, depth: usize, braces: u32) {
        if self.frames.len() > depth {
            self.frames.truncate(depth);
            self.state = State { last: Kind::RBrace, held: None, braces, parens: 0 };
        }
    }

    /// What has to be known to come back to this place.
    pub fn save(&self) -> Saved {
        Saved { depth: self.frames.len(), state: self.state.clone(), last_end: self.last_end }
    }

    /// Comes back to a place in the run that was read then. Nothing of it may have been read since.
    pub fn restore(&mut self, saved: Saved) {
        self.frames.truncate(saved.depth);
        self.state = saved.state;
        self.last_end = saved.last_end;
    }

    /// Line breaks mean nothing from here on.
    pub fn enter_parentheses(&mut self) {
        self.state.parens += 1;
        self.state.last = Kind::LParen;
        self.state.held = None;
    }

    /// The closing parenthesis of a call was read as it stands.
    pub fn after_arguments(&mut self) {
        self.state.parens = self.state.parens.saturating_sub(1);
        self.state.last = Kind::RParen;
    }

    /// Reads other tokens from now on.
    pub fn reset(&mut self, tokens: Rc<[Token]>) {
        *self = Stream::new(tokens);
    }

    /// The last token was a word that cannot end a statement: the name of a type, say.
    pub fn continue_line(&mut self) {
        self.state.last = Kind::Unknown;
    }

    /// How many braces are open.
    pub fn braces(&self) -> u32 {
        self.state.braces
    }

    /// Forgets open parentheses, and braces down to a known number, after an error.
    pub fn resynchronize(&mut self, braces: u32) {
        self.state.parens = 0;
        self.state.braces = braces;
    }

    /// The next token as it stands in the text, without reading it.
    pub fn raw_peek(&self, ahead: usize) -> Option<Token> {
        if ahead == 0
            && let Some(held) = self.state.held
        {
            return Some(held);
        }
        let ahead = ahead - usize::from(self.state.held.is_some());
        let frame = self.frames.last()?;
        frame.tokens.get(frame.pos + ahead).copied()
    }

    /// Reads the next token as it stands in the text, for parts with rules of their own.
    pub fn raw_next(&mut self) -> Option<Token> {
        let token = match self.state.held.take() {
            Some(held) => held,
            None => {
                let frame = self.frames.last_mut()?;
                let token = *frame.tokens.get(frame.pos)?;
                frame.pos += 1;
                token
            }
        };
        self.last_end = token.place.1;
        self.state.last = token.kind;
        Some(token)
    }

    /// The next token; `Eof` at the end of the innermost run.
    pub fn next(&mut self) -> Token {
        let token = self.cooked();
        self.state.last = token.kind;
        self.last_end = token.place.1;
        match token.kind {
            Kind::LBrace => self.state.braces += 1,
            Kind::RBrace => self.state.braces = self.state.braces.saturating_sub(1),
            Kind::LParen => self.state.parens += 1,
            Kind::RParen => self.state.parens = self.state.parens.saturating_sub(1),
            _ => {}
        }
        token
    }

    fn cooked(&mut self) -> Token {
        if let Some(held) = self.state.held.take() {
            return held;
        }
        let token = self.fetch(self.state.last);
        let implied = match self.state.last {
            Kind::Else => !matches!(token.kind, Kind::Semi | Kind::Arrow | Kind::Fi),
            Kind::RBrace => !matches!(
                token.kind,
                Kind::Proctype
                    | Kind::Init
                    | Kind::Never
                    | Kind::Option
                    | Kind::Fi
                    | Kind::Od
                    | Kind::RBrace
                    | Kind::Unless
                    | Kind::Semi
                    | Kind::Arrow
                    | Kind::Eof
            ),
            _ => false,
        };
        if implied {
            self.state.held = Some(token);
            return Token::made(Kind::Semi, self.last_end);
        }
        if matches!(token.kind, Kind::Semi | Kind::Arrow) {
            let ahead = self.fetch(token.kind);
            if matches!(ahead.kind, Kind::RBrace | Kind::Semi | Kind::Arrow) {
                return ahead;
            }
            self.state.held = Some(ahead);
        }
        token
    }

    /// The next token of the text, or a separator for the line break before it.
    fn fetch(&mut self, last: Kind) -> Token {
        let Some(frame) = self.frames.last_mut() else {
            return Token::made(Kind::Eof, self.last_end);
        };
        let Some(&token) = frame.tokens.get(frame.pos) else {
            return Token::made(Kind::Eof, self.last_end);
        };
        let separates = token.newline
            && self.state.braces > 0
            && self.state.parens == 0
            && ends_statement(last)
            && !(last == Kind::RBrace && token.kind == Kind::Unless);
        if separates {
            return Token::made(Kind::Semi, self.last_end);
        }
        frame.pos += 1;
        token
    }
}

/// Whether a line break after this token separates statements.
fn ends_statement(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::RBrace
            | Kind::RParen
            | Kind::RBracket
            | Kind::Od
            | Kind::Fi
            | Kind::Else
            | Kind::Break
            | Kind::Ident
            | Kind::Number
            | Kind::Char
            | Kind::True
            | Kind::False
            | Kind::Skip
            | Kind::Inc
            | Kind::Dec
            | Kind::CText
            | Kind::Timeout
    )
}
