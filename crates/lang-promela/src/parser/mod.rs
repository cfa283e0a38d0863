//! Tokens to the syntax tree, with names resolved on the way.
//!
//! Promela declares before use, so one pass does both. What may be used before its declaration
//! (proctypes, labels) is entered in tables on first mention and completed later.

mod channel;
mod claim;
mod decl;
mod expr;
mod habits;
mod inline;
mod labels;
mod ltl;
mod names;
mod process;
mod stmt;
mod unit;
mod varref;

pub(crate) use labels::for_each_part;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use everypath_model::{Brake, Diagnostic, FileId, Span, pulled};

use crate::ast::{Expr, Model, MtypeSet, VarId};
use crate::codes;
use crate::lexer::{self, Kind, Token};
use crate::stream::Stream;

use inline::InlineDef;
use names::Names;
use process::Process;

/// An error has been reported; the caller recovers.
#[derive(Debug)]
pub(crate) struct Failed;

type Parse<T> = Result<T, Failed>;

/// How deep statements, parentheses and prefix operators may nest.
const MAX_NESTING: u32 = 256;
/// How high an expression tree may get; only chains of infix operators get beyond the nesting.
const MAX_HEIGHT: u32 = 1000;
/// How many errors are reported.
const MAX_ERRORS: usize = 20;

/// From byte offsets of the parsed text to places in the sources.
pub(crate) type Places<'a> = &'a dyn Fn(usize, usize) -> Span;

pub(crate) struct Parser<'a> {
    text: &'a str,
    places: Places<'a>,
    stream: Stream,
    peeked: Option<Token>,
    /// End of the last token taken, as an offset.
    prev_end: u32,
    nesting: u32,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    stopped: bool,
    reported_names: HashSet<&'a str>,
    model: Model,
    names: Names<'a>,
    /// Sizes of the typedefs.
    type_sizes: Vec<decl::TypeSize>,
    /// Positions of the fields of the typedefs.
    field_names: Vec<HashMap<&'a str, u32>>,
    inlines: Vec<InlineDef<'a>>,
    /// Inlines being expanded, innermost last.
    expanding: Vec<usize>,
    /// Tokens made by expansion so far.
    expanded: usize,
    ltl_blocks: Vec<ltl::LtlBlock>,
    process: Option<Process<'a>>,
    /// Temporal operators are read.
    in_ltl: bool,
    /// Local variables cannot be used.
    globals_only: bool,
    /// Inside `d_step`.
    in_d_step: bool,
    /// Operators applied to channels so far.
    channel_operands: usize,
    /// `run` expressions read so far.
    runs: usize,
    /// Most fields of a channel of the model, and the sends to check against it.
    max_fields: usize,
    sends: Vec<(usize, Span)>,
    run_checks: Vec<expr::RunCheck>,
    /// References to variables of processes: which, with an index or not, where.
    remote_uses: Vec<(VarId, bool, Span)>,
    /// Constants that may be written in another way than as numbers: their place and value, and where.
    written: Vec<(Span, i32, Span)>,
    /// Ends the work.
    brake: Option<Arc<Brake>>,
}

/// What became of a whole model.
pub(crate) struct Whole {
    /// The model, if there were no errors.
    pub model: Option<Model>,
    /// What there is to say about it.
    pub diagnostics: Vec<Diagnostic>,
    /// Constants that may be written in another way than as numbers: their place and value, and where.
    pub written: Vec<(Span, i32, Span)>,
}

/// Reads a whole model; what comes out is of no use if the brake is pulled meanwhile.
pub(crate) fn parse_model(text: &str, places: Places<'_>, brake: Option<&Arc<Brake>>) -> Whole {
    let tokens: Rc<[Token]> = lexer::tokenize(text).into();
    let mut parser = Parser::new(text, places, tokens.clone());
    parser.brake = brake.cloned();
    parser.model.mtypes.push(MtypeSet::default());
    parser.prescan(&tokens);
    parser.units();
    parser.finish();
    let model = (parser.errors == 0).then_some(parser.model);
    Whole { model, diagnostics: parser.diagnostics, written: parser.written }
}

/// Reads an expression over the globals of a model, with temporal operators if `temporal`.
pub(crate) fn parse_expression(
    text: &str,
    file: FileId,
    model: &Model,
    temporal: bool,
) -> Result<Expr, Vec<Diagnostic>> {
    let places = |start: usize, end: usize| Span::new(file, start, end);
    let tokens: Rc<[Token]> = lexer::tokenize(text).into();
    let mut parser = Parser::new(text, &places, tokens);
    parser.adopt(model);
    parser.in_ltl = temporal;
    let result = parser.whole_expression();
    match result {
        Ok(expr) if parser.errors == 0 => Ok(expr),
        _ => Err(parser.diagnostics),
    }
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, places: Places<'a>, tokens: Rc<[Token]>) -> Parser<'a> {
        Parser {
            text,
            places,
            stream: Stream::new(tokens),
            peeked: None,
            prev_end: 0,
            nesting: 0,
            diagnostics: Vec::new(),
            errors: 0,
            stopped: false,
            reported_names: HashSet::new(),
            model: Model::default(),
            names: Names::default(),
            type_sizes: Vec::new(),
            field_names: Vec::new(),
            inlines: Vec::new(),
            expanding: Vec::new(),
            expanded: 0,
            ltl_blocks: Vec::new(),
            process: None,
            in_ltl: false,
            globals_only: false,
            in_d_step: false,
            channel_operands: 0,
            runs: 0,
            max_fields: 0,
            sends: Vec::new(),
            run_checks: Vec::new(),
            remote_uses: Vec::new(),
            written: Vec::new(),
            brake: None,
        }
    }

    // Tokens.

    fn peek(&mut self) -> Token {
        if self.stopped {
            return Token::made(Kind::Eof, self.prev_end);
        }
        match self.peeked {
            Some(token) => token,
            None => {
                self.stopped = pulled(self.brake.as_ref());
                let token = self.stream.next();
                self.peeked = Some(token);
                token
            }
        }
    }

    fn kind(&mut self) -> Kind {
        self.peek().kind
    }

    /// The token behind the next one, if it stands on the same line or inside parentheses.
    fn behind(&mut self) -> Kind {
        self.peek();
        match self.stream.raw_peek(0) {
            Some(token) if !self.stopped && !token.newline => token.kind,
            _ => Kind::Eof,
        }
    }

    /// Whether the next token and one behind it are written together, as in `[]`.
    fn joined(&mut self, second: Kind) -> bool {
        let first = self.peek();
        match self.stream.raw_peek(0) {
            Some(token) => token.kind == second && token.start == first.end,
            None => false,
        }
    }

    fn bump(&mut self) -> Token {
        let token = self.peek();
        self.peeked = None;
        self.prev_end = token.place.1;
        if token.kind == Kind::Ident && self.continues_line(token) {
            self.stream.continue_line();
        }
        token
    }

    fn at(&mut self, kind: Kind) -> bool {
        self.kind() == kind
    }

    fn eat(&mut self, kind: Kind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: Kind, before: &str) -> Parse<Token> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        let wanted = format!("{} {before}", kind.describe());
        Err(self.unexpected(wanted.trim_end()))
    }

    fn text_of(&self, token: Token) -> &'a str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or("")
    }

    /// Whether the next token is this word (not a keyword).
    fn at_word(&mut self, word: &str) -> bool {
        let token = self.peek();
        token.kind == Kind::Ident && self.text_of(token) == word
    }

    // Places.

    fn span(&self, token: Token) -> Span {
        (self.places)(token.place.0 as usize, token.place.1 as usize)
    }

    /// From the start of a token to the end of the last token taken.
    fn span_from(&self, start: Token) -> Span {
        let end = self.prev_end.max(start.place.1);
        (self.places)(start.place.0 as usize, end as usize)
    }

    fn next_span(&mut self) -> Span {
        let token = self.peek();
        self.span(token)
    }

    // Messages.

    fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        if diagnostic.is_error() {
            if self.stopped {
                return Failed;
            }
            self.errors += 1;
            if self.errors >= MAX_ERRORS {
                self.stopped = true;
            }
        }
        self.diagnostics.push(diagnostic);
        Failed
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Failed {
        self.report(Diagnostic::error(code, span, message))
    }

    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::warning(code, span, message));
    }

    /// "expected X, found Y" at the next token.
    fn unexpected(&mut self, wanted: &str) -> Failed {
        let token = self.peek();
        let cure = self.cure(wanted, token);
        self.unexpected_but(wanted, cure)
    }

    /// "expected X, found Y" at the next token, with what to write instead.
    fn unexpected_but(&mut self, wanted: &str, cure: Option<String>) -> Failed {
        let token = self.peek();
        let span = self.span(token);
        let text = self.text_of(token);
        let found = match token.kind {
            Kind::Ident | Kind::Number | Kind::Unknown if !text.is_empty() => {
                format!("{}`{}`", self.class_prefix(token), text.escape_debug())
            }
            Kind::Semi if text.is_empty() => "the end of the statement".to_string(),
            Kind::Eof if !self.expanding.is_empty() => "the end of the inline".to_string(),
            kind => kind.describe().to_string(),
        };
        let code = match token.kind {
            Kind::Unknown | Kind::OpenString => codes::CHARACTER,
            _ => codes::SYNTAX,
        };
        let mut diagnostic =
            Diagnostic::error(code, span, format!("expected {wanted}, found {found}"));
        let continues = token.newline && continues_expression(token.kind);
        if continues || token.kind == Kind::Semi && text.is_empty() {
            diagnostic = diagnostic.help(
                "a line break ends a statement: join the lines or put the expression in parentheses",
            );
        } else if token.kind == Kind::Comma && self.after_brace(token) {
            diagnostic = diagnostic.help("a declaration ends at `}`: declare the next name anew");
        } else if let Some(cure) = cure {
            diagnostic = diagnostic.help(cure);
        }
        self.report(diagnostic)
    }

    /// Whether the last sign before a token is a closing brace.
    fn after_brace(&self, token: Token) -> bool {
        let before = self.text.get(..token.start as usize).unwrap_or("");
        before.trim_end().ends_with('}')
    }

    /// Runs `read` one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.nesting >= MAX_NESTING {
            let span = self.next_span();
            let message = format!("more than {MAX_NESTING} levels of nesting");
            let failed = self.error(codes::NESTING, span, message);
            self.stopped = true;
            return Err(failed);
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    // Recovery.

    /// Skips to a place where a statement can start or a sequence ends.
    fn synchronize(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.kind() {
                Kind::Eof => return,
                kind if depth == 0
                    && matches!(
                        kind,
                        Kind::Semi
                            | Kind::Arrow
                            | Kind::Option
                            | Kind::Fi
                            | Kind::Od
                            | Kind::RBrace
                    ) =>
                {
                    return;
                }
                kind if starts_unit(kind) => return,
                Kind::LBrace | Kind::If | Kind::Do => depth += 1,
                Kind::RBrace | Kind::Fi | Kind::Od => depth -= 1,
                _ => {}
            }
            self.bump();
        }
    }
}

/// Whether this token starts a unit and cannot occur inside a body.
fn starts_unit(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Active
            | Kind::Proctype
            | Kind::DProctype
            | Kind::Init
            | Kind::Never
            | Kind::Ltl
            | Kind::Typedef
            | Kind::Inline
            | Kind::Trace
            | Kind::Notrace
            | Kind::CDecl
            | Kind::CState
            | Kind::CTrack
    )
}

/// Whether this token can only stand inside an expression or assignment.
fn continues_expression(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Assign
            | Kind::Eq
            | Kind::Ne
            | Kind::Lt
            | Kind::Le
            | Kind::Gt
            | Kind::Ge
            | Kind::Shl
            | Kind::Shr
            | Kind::AndAnd
            | Kind::OrOr
            | Kind::Amp
            | Kind::Pipe
            | Kind::Caret
            | Kind::Plus
            | Kind::Minus
            | Kind::Star
            | Kind::Slash
            | Kind::Percent
            | Kind::RBracket
    )
}

/// Whether this token ends a sequence of statements.
fn ends_sequence(kind: Kind) -> bool {
    matches!(kind, Kind::RBrace | Kind::Option | Kind::Fi | Kind::Od | Kind::Eof)
        || starts_unit(kind)
}
