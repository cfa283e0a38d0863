//! `#if` and its relatives.

use everypath_model::Diagnostic;

use crate::codes;
use crate::directive::one_slip;
use crate::reader::Conditional;
use crate::state::{Meaning, State};
use crate::token::Token;

impl State<'_> {
    /// Opens a conditional whose first group is live or not.
    fn open(&mut self, directive: &Token, name: &'static str, live: bool) {
        let place = self.place(directive);
        let Some(reader) = self.readers.last_mut() else {
            return;
        };
        reader.conditionals.push(Conditional {
            place,
            name,
            taken: live || reader.skipping,
            outer_skipping: reader.skipping,
            seen_else: None,
            suspect: None,
        });
        reader.skipping |= !live;
    }

    /// `#if`.
    pub(crate) fn open_if(&mut self, directive: &Token) {
        let live = !self.skipping() && self.condition(directive);
        self.open(directive, "if", live);
    }

    /// `#ifdef` and `#ifndef`.
    pub(crate) fn open_ifdef(&mut self, directive: &Token, wanted: bool) {
        let live = !self.skipping() && self.is_defined_operand(directive) == Some(wanted);
        self.open(directive, if wanted { "ifdef" } else { "ifndef" }, live);
    }

    /// Whether the macro named next is defined.
    fn is_defined_operand(&mut self, directive: &Token) -> Option<bool> {
        let name = self.macro_name(directive)?;
        self.expect_end(directive);
        Some(!matches!(self.meaning(name.sym), Meaning::Nothing))
    }

    /// `#elif`, `#elifdef` and `#elifndef`.
    pub(crate) fn elif(&mut self, directive: &Token, word: &str) {
        let Some(reader) = self.readers.last_mut() else {
            return;
        };
        let Some(open) = reader.conditionals.last_mut() else {
            return self.stray(directive, word);
        };
        if open.seen_else.is_some() {
            return self.after_else(directive, word);
        }
        if open.taken {
            reader.skipping = true;
            return;
        }
        // The expression is live text even though the group before is not.
        reader.skipping = false;
        let live = match word {
            "elif" => self.condition(directive),
            "elifdef" => self.is_defined_operand(directive) == Some(true),
            _ => self.is_defined_operand(directive) == Some(false),
        };
        let Some(reader) = self.readers.last_mut() else {
            return;
        };
        reader.skipping = !live;
        if let Some(open) = reader.conditionals.last_mut() {
            open.taken = live;
        }
    }

    /// `#else`.
    pub(crate) fn else_directive(&mut self, directive: &Token) {
        let place = self.place(directive);
        let Some(reader) = self.readers.last_mut() else {
            return;
        };
        let Some(open) = reader.conditionals.last_mut() else {
            return self.stray(directive, "else");
        };
        if open.seen_else.is_some() {
            return self.after_else(directive, "else");
        }
        open.seen_else = Some(place);
        reader.skipping = open.taken;
        open.taken = true;
        if !open.outer_skipping {
            self.expect_end(directive);
        }
    }

    /// `#endif`.
    pub(crate) fn endif(&mut self, directive: &Token) {
        let Some(reader) = self.readers.last_mut() else {
            return;
        };
        let Some(open) = reader.conditionals.pop() else {
            return self.stray(directive, "endif");
        };
        reader.skipping = open.outer_skipping;
        if !open.outer_skipping {
            self.expect_end(directive);
        }
    }

    fn stray(&mut self, directive: &Token, word: &str) {
        let message = format!("#{word} without #if");
        self.report(Diagnostic::error(codes::STRAY_CONDITIONAL, self.place(directive), message));
    }

    fn after_else(&mut self, directive: &Token, word: &str) {
        let message = format!("#{word} after #else");
        let mut diagnostic =
            Diagnostic::error(codes::STRAY_CONDITIONAL, self.place(directive), message);
        if let Some(open) = self.readers.last().and_then(|reader| reader.conditionals.last()) {
            diagnostic = diagnostic.also(open.place, "the conditional starts here");
            if let Some(span) = open.seen_else {
                diagnostic = diagnostic.also(span, "its #else");
            }
        }
        if let Some(reader) = self.readers.last_mut() {
            reader.skipping = true;
        }
        self.report(diagnostic);
    }

    /// Remembers a directive in dead text that looks like `#endif`.
    pub(crate) fn suspect_endif(&mut self, directive: &Token, word: &str) {
        if !["endif", "else", "elif"].iter().any(|name| one_slip(word, name)) {
            return;
        }
        let place = self.place(directive);
        if let Some(reader) = self.readers.last_mut()
            && let Some(open) = reader.conditionals.last_mut()
            && open.suspect.is_none()
        {
            open.suspect = Some((place, word.to_string()));
        }
    }

    /// Reports the conditionals that are open at the end of the current file.
    pub(crate) fn unclosed_conditionals(&mut self) {
        let Some(reader) = self.readers.last_mut() else {
            return;
        };
        for open in std::mem::take(&mut reader.conditionals).into_iter().rev() {
            let message = format!("this #{} has no #endif", open.name);
            let mut diagnostic =
                Diagnostic::error(codes::UNTERMINATED_CONDITIONAL, open.place, message);
            if let Some((span, word)) = open.suspect {
                diagnostic = diagnostic
                    .also(span, format!("`#{word}` is no directive"))
                    .help(format!("is `#{word}` meant to be `#endif`?"));
            }
            self.report(diagnostic);
        }
    }
}
