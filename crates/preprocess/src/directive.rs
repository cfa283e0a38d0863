//! Directives other than the conditional ones.

use everypath_model::{Diagnostic, FileId, Span};

use crate::codes;
use crate::reader::Mode;
use crate::state::{Looking, State};
use crate::token::{Kind, PREV_WHITE, Token};

/// Every directive, for suggestions.
const NAMES: &[&str] = &[
    "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else",
    "endif", "error", "warning", "line", "pragma", "ident",
];

impl State<'_> {
    /// Carries out the directive behind `hash`.
    pub(crate) fn directive(&mut self, hash: &Token) {
        let before = (self.looking, self.no_expansion, self.call, self.call_work);
        self.in_directive = true;
        self.looking = Looking::Text;
        self.no_expansion = false;
        self.call_work = 0;
        let name = self.lex(Mode::Directive);
        let included = match name.kind {
            Kind::Eof => None,
            Kind::Name => self.named_directive(&name),
            Kind::Number if !self.skipping() => {
                self.line_marker(&name);
                None
            }
            _ => {
                if !self.skipping() {
                    let message = format!("`#{}` is no directive", self.text(&name));
                    let span = self.place(hash).to(self.place(&name));
                    self.report(Diagnostic::error(codes::UNKNOWN_DIRECTIVE, span, message));
                }
                None
            }
        };
        while !self.contexts.is_empty() {
            self.pop_context();
        }
        self.ahead.clear();
        while self.lex(Mode::Directive).kind != Kind::Eof {}
        self.in_directive = false;
        (self.looking, self.no_expansion, self.call, self.call_work) = before;
        if let Some((file, place)) = included {
            self.push_file(file, Some(place));
        }
    }

    /// A directive with a name. Returns the file to include.
    fn named_directive(&mut self, name: &Token) -> Option<(FileId, Span)> {
        let word = self.text(name);
        match &word[..] {
            "if" => self.open_if(name),
            "ifdef" => self.open_ifdef(name, true),
            "ifndef" => self.open_ifdef(name, false),
            "elif" | "elifdef" | "elifndef" => self.elif(name, &word),
            "else" => self.else_directive(name),
            "endif" => self.endif(name),
            _ if self.skipping() => self.suspect_endif(name, &word),
            "define" => self.define(name),
            "undef" => self.undef(name),
            "include" | "include_next" | "import" => return self.include(name, &word),
            "line" => self.line_directive(name),
            "error" => {
                let message = self.rest_of_line();
                let message = if message.is_empty() { "#error".into() } else { message };
                self.report(Diagnostic::error(codes::USER_ERROR, self.place(name), message));
            }
            "warning" => {
                let message = self.rest_of_line();
                let message = if message.is_empty() { "#warning".into() } else { message };
                self.report(Diagnostic::warning(codes::USER_WARNING, self.place(name), message));
            }
            "pragma" => self.pragma(name),
            "ident" | "sccs" => {
                if self.lex(Mode::Directive).kind != Kind::String {
                    let message = format!("#{word} needs a string");
                    let place = self.place(name);
                    self.report(Diagnostic::error(codes::UNKNOWN_DIRECTIVE, place, message));
                }
            }
            "assert" | "unassert" => {
                let message = format!("#{word}, an extension of gcc, is not supported");
                self.report(Diagnostic::error(codes::UNSUPPORTED, self.place(name), message));
            }
            _ => {
                let message = format!("`#{word}` is no directive");
                let mut diagnostic =
                    Diagnostic::error(codes::UNKNOWN_DIRECTIVE, self.place(name), message);
                if let Some(near) = NAMES.iter().find(|near| one_slip(&word, near)) {
                    diagnostic = diagnostic.help(format!("did you mean `#{near}`?"));
                }
                self.report(diagnostic);
            }
        }
        None
    }

    /// Warns of text behind a complete directive.
    pub(crate) fn expect_end(&mut self, directive: &Token) {
        let token = self.lex(Mode::Directive);
        if token.kind != Kind::Eof {
            let message = format!("extra text behind #{}", self.text(directive));
            self.report(Diagnostic::warning(codes::EXTRA_TOKENS, self.place(&token), message));
        }
    }

    /// The tokens up to the end of the line, as text.
    fn rest_of_line(&mut self) -> String {
        let mut text = Vec::new();
        loop {
            let token = self.lex(Mode::Directive);
            if token.kind == Kind::Eof {
                return String::from_utf8_lossy(&text).into_owned();
            }
            if !text.is_empty() && token.has(PREV_WHITE) {
                text.push(b' ');
            }
            text.extend_from_slice(self.interner.get(token.sym));
        }
    }

    /// `#pragma`: only `once` is meant for the preprocessor.
    fn pragma(&mut self, name: &Token) {
        let token = self.lex(Mode::Directive);
        if token.kind == Kind::Name && self.interner.get(token.sym) == b"once" {
            let Some(reader) = self.readers.last() else {
                return;
            };
            let file = reader.file;
            if self.readers.len() == 1 {
                self.report(Diagnostic::warning(
                    codes::ONCE_IN_MAIN,
                    self.place(name),
                    "#pragma once has no effect in the main file",
                ));
            }
            if !self.once.contains(&file) {
                self.once.push(file);
            }
            return;
        }
        self.report(
            Diagnostic::error(
                codes::PRAGMA,
                self.place(name),
                "a #pragma survives preprocessing, and a model cannot contain it",
            )
            .help("remove it, or put it between `#if 0` and `#endif`"),
        );
    }

    /// `#line`.
    fn line_directive(&mut self, name: &Token) {
        let number = self.next_solid();
        let digits = self.text(&number);
        let valid = number.kind == Kind::Number && digits.bytes().all(|b| b.is_ascii_digit());
        let value = digits.parse::<i64>().unwrap_or(i64::from(i32::MAX));
        if !valid {
            let place = self.place(if number.kind == Kind::Eof { name } else { &number });
            let message = "#line needs a line number";
            self.report(Diagnostic::error(codes::BAD_LINE, place, message));
            return;
        }
        let file = self.next_solid();
        self.set_line(value, file);
    }

    /// `# 12 "file"`, as preprocessors write it.
    fn line_marker(&mut self, number: &Token) {
        let digits = self.text(number);
        if !digits.bytes().all(|b| b.is_ascii_digit()) {
            let message = format!("`#{digits}` is no directive");
            self.report(Diagnostic::error(codes::BAD_LINE, self.place(number), message));
            return;
        }
        let value = digits.parse::<i64>().unwrap_or(i64::from(i32::MAX));
        let file = self.next_solid();
        self.set_line(value, file);
    }

    /// Gives the next line a number and perhaps the file a name.
    fn set_line(&mut self, value: i64, file: Token) {
        let name = match file.kind {
            Kind::Eof => None,
            Kind::String => {
                let text = self.interner.get(file.sym);
                Some(text[1..text.len() - 1].to_vec())
            }
            _ => {
                let message = format!("`{}` is no file name", self.text(&file));
                self.report(Diagnostic::error(codes::BAD_LINE, self.place(&file), message));
                return;
            }
        };
        // The numbers count from the next physical line, which only the end of this one shows.
        while self.lex(Mode::Directive).kind != Kind::Eof {}
        if let Some(reader) = self.readers.last_mut() {
            reader.line_offset = value - i64::from(reader.next_line());
            if name.is_some() {
                reader.name = name;
            }
        }
    }
}

/// Whether one insertion, deletion, replacement or swap turns one word into the other.
pub(crate) fn one_slip(word: &str, other: &str) -> bool {
    let (a, b) = (word.as_bytes(), other.as_bytes());
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    match (&a[..a.len() - end], &b[..b.len() - end]) {
        ([], []) => false,
        ([] | [_], [] | [_]) => true,
        ([x, y], [u, v]) => x == v && y == u,
        _ => false,
    }
}
