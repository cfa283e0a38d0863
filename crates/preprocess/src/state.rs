//! The state of a run, and the way of a token from the file to the output.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::rc::Rc;

use everypath_model::{Diagnostic, FileId, Severity, Sources, Span, pulled};

use crate::builtin::Builtin;
use crate::codes;
use crate::define::Macro;
use crate::expand::Context;
use crate::printer::Printer;
use crate::reader::{Mode, Notice, Reader};
use crate::token::{BOL, Interner, Kind, Sym, Token};
use crate::{Loader, Options, Output};

/// What a name stands for.
#[derive(Clone)]
pub(crate) enum Meaning {
    /// Itself.
    Nothing,
    /// A macro of the user or a predefined one with a fixed body.
    Macro(Rc<Macro>),
    /// A macro whose value depends on the place.
    Builtin(Builtin),
}

/// What the expansion looks for in the file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looking {
    /// The next token.
    Text,
    /// The parenthesis behind the name of a function-like macro.
    Parenthesis,
    /// The arguments of a call.
    Arguments,
}

/// The outermost macro call that is being expanded.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    pub(crate) span: Span,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// The macro has arguments.
    pub(crate) function_like: bool,
}

/// One run of the preprocessor.
pub(crate) struct State<'a> {
    pub(crate) sources: &'a mut Sources,
    pub(crate) main: FileId,
    pub(crate) options: &'a Options,
    pub(crate) loader: &'a dyn Loader,
    pub(crate) interner: Interner,
    /// What each spelling stands for, and whether it is being expanded.
    pub(crate) meanings: Vec<Meaning>,
    pub(crate) disabled: Vec<bool>,
    /// The file being read is last, the files that include it come before.
    pub(crate) readers: Vec<Reader>,
    /// Tokens that were read from the file too early, last first.
    pub(crate) ahead: Vec<Token>,
    /// The expansions being read, the innermost last.
    pub(crate) contexts: Vec<Context>,
    pub(crate) looking: Looking,
    pub(crate) in_directive: bool,
    /// Macro names are left alone.
    pub(crate) no_expansion: bool,
    pub(crate) call: Call,
    /// Tokens of the outermost call so far, and of all calls.
    pub(crate) call_work: usize,
    pub(crate) total_work: usize,
    pub(crate) call_depth: usize,
    pub(crate) counter: u64,
    /// The files by their names, and the texts by file.
    pub(crate) loaded: HashMap<PathBuf, FileId>,
    pub(crate) texts: HashMap<FileId, Rc<[u8]>>,
    /// The files with `#pragma once`.
    pub(crate) once: Vec<FileId>,
    pub(crate) printer: Printer,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    /// Give up: every token is the end.
    pub(crate) stopped: bool,
    /// Names in the bodies of macros.
    pub(crate) mentioned: BTreeSet<String>,
}

impl<'a> State<'a> {
    /// The state before the first line.
    pub(crate) fn new(
        sources: &'a mut Sources,
        main: FileId,
        options: &'a Options,
        loader: &'a dyn Loader,
    ) -> State<'a> {
        let mut state = State {
            sources,
            main,
            options,
            loader,
            interner: Interner::new(),
            meanings: Vec::new(),
            disabled: Vec::new(),
            readers: Vec::new(),
            ahead: Vec::new(),
            contexts: Vec::new(),
            looking: Looking::Text,
            in_directive: false,
            no_expansion: false,
            call: Call { span: Span::new(main, 0, 0), line: 1, column: 1, function_like: false },
            call_work: 0,
            total_work: 0,
            call_depth: 0,
            counter: 0,
            loaded: HashMap::new(),
            texts: HashMap::new(),
            once: Vec::new(),
            printer: Printer::new(main),
            diagnostics: Vec::new(),
            errors: 0,
            warnings: 0,
            stopped: false,
            mentioned: BTreeSet::new(),
        };
        state.define_builtins();
        let path = state.sources.file(main).path.clone();
        state.loaded.insert(path, main);
        state.push_file(main, None);
        state.push_command_line();
        state
    }

    /// Reads everything and returns what came out.
    pub(crate) fn run(mut self) -> Output {
        loop {
            let token = self.next_token();
            match token.kind {
                Kind::Padding => self.printer.padding(&token),
                Kind::Eof => break,
                _ => {
                    let call = (self.call.span, self.call.column);
                    self.printer.token(&token, call, &self.interner);
                    if self.printer.out.len() > self.options.limits.output_bytes {
                        self.output_too_large(&token);
                    }
                }
            }
        }
        self.printer.finish();
        let text = String::from_utf8(self.printer.out)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Output {
            text,
            map: self.printer.map,
            diagnostics: self.diagnostics,
            mentioned: self.mentioned,
        }
    }

    fn output_too_large(&mut self, token: &Token) {
        let limit = self.options.limits.output_bytes;
        let span = if token.has(crate::token::FROM_MACRO) { None } else { token.span() };
        let message = format!("the preprocessed text is larger than {limit} bytes");
        self.fatal(Diagnostic::error(codes::TOO_LARGE, span.unwrap_or(self.call.span), message));
    }

    /// The next token of the file; directives are carried out on the way.
    pub(crate) fn file_token(&mut self) -> Token {
        loop {
            self.stopped |= pulled(self.options.brake.as_ref());
            if self.stopped {
                return Token::bare(Kind::Eof);
            }
            let token = match self.ahead.pop() {
                Some(token) => token,
                None => {
                    let mode = match (self.in_directive, self.looking) {
                        (true, _) => Mode::Directive,
                        (_, Looking::Arguments) => Mode::Arguments,
                        _ => Mode::Text,
                    };
                    self.lex(mode)
                }
            };
            if token.kind == Kind::Eof {
                let last = !self.in_directive && self.looking == Looking::Text && !self.pop_file();
                if last || self.in_directive || self.looking != Looking::Text {
                    return token;
                }
                continue;
            }
            if token.has(BOL) && !self.in_directive {
                if token.kind.is_hash() && self.looking != Looking::Parenthesis {
                    self.directive(&token);
                    continue;
                }
                if self.looking == Looking::Text && !self.skipping() {
                    self.printer.change_line(token.line, token.column);
                }
            }
            if !self.skipping() || self.in_directive {
                return token;
            }
        }
    }

    /// The next token of the file as it is written.
    pub(crate) fn lex(&mut self, mode: Mode) -> Token {
        let Some(reader) = self.readers.last_mut() else {
            return Token::bare(Kind::Eof);
        };
        let token = reader.lex(mode, &mut self.interner);
        if !reader.notices.is_empty() {
            for notice in std::mem::take(&mut reader.notices) {
                self.notice(notice);
            }
        }
        token
    }

    fn notice(&mut self, notice: Notice) {
        let diagnostic = match notice {
            Notice::Comment(span) => {
                Diagnostic::error(codes::UNTERMINATED_COMMENT, span, "this comment does not end")
                    .help("close it with `*/`")
            }
            Notice::Quote(span, quote) => Diagnostic::warning(
                codes::UNTERMINATED_QUOTE,
                span,
                format!("no closing {quote} on this line"),
            ),
            Notice::SplicedSpace(span) => Diagnostic::warning(
                codes::SPLICE,
                span,
                "white space between this backslash and the end of the line",
            ),
            Notice::SpliceAtEnd(span) => Diagnostic::warning(
                codes::SPLICE,
                span,
                "this backslash continues the last line of the file",
            ),
            Notice::Nul(span) => {
                Diagnostic::warning(codes::NUL, span, "this NUL byte is read as white space")
            }
        };
        self.report(diagnostic);
    }

    /// Whether the text is dead.
    pub(crate) fn skipping(&self) -> bool {
        self.readers.last().is_some_and(|reader| reader.skipping)
    }

    /// What a name stands for.
    pub(crate) fn meaning(&self, sym: Sym) -> &Meaning {
        self.meanings.get(sym.0 as usize).unwrap_or(&Meaning::Nothing)
    }

    /// Gives a name a meaning.
    pub(crate) fn set_meaning(&mut self, sym: Sym, meaning: Meaning) {
        if self.meanings.len() <= sym.0 as usize {
            let count = self.interner.len();
            self.meanings.resize(count, Meaning::Nothing);
            self.disabled.resize(count, false);
        }
        self.meanings[sym.0 as usize] = meaning;
    }

    /// The spelling of a token.
    pub(crate) fn text(&self, token: &Token) -> String {
        self.interner.text(token.sym)
    }

    /// The place of a token for a message: its own, or that of the call that made it.
    pub(crate) fn place(&self, token: &Token) -> Span {
        match token.span() {
            Some(span) if !token.has(crate::token::FROM_MACRO) => span,
            _ => self.call.span,
        }
    }

    /// Adds a message.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        let limits = &self.options.limits;
        if diagnostic.severity == Severity::Warning {
            self.warnings += 1;
            if self.warnings > limits.warnings {
                return;
            }
        }
        if diagnostic.is_error() {
            self.errors += 1;
            if self.errors > limits.errors {
                if !self.stopped {
                    self.stopped = true;
                    let span = diagnostic.primary.map_or(self.call.span, |label| label.span);
                    let message = format!("reading stopped here, after {} errors", limits.errors);
                    self.diagnostics.push(Diagnostic::new(
                        Severity::Note,
                        codes::TOO_MANY_ERRORS,
                        span,
                        message,
                    ));
                }
                return;
            }
        }
        self.diagnostics.push(diagnostic);
    }

    /// Adds an error and gives up.
    pub(crate) fn fatal(&mut self, diagnostic: Diagnostic) {
        if !self.stopped {
            self.report(diagnostic);
            self.stopped = true;
        }
    }
}
