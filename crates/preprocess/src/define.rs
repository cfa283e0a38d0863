//! Macro definitions: `#define` and `#undef`.

use std::rc::Rc;

use everypath_model::{Diagnostic, Span};

use crate::codes;
use crate::reader::Mode;
use crate::state::{Meaning, State};
use crate::token::{Kind, NO_FILE, PASTE_LEFT, PREV_WHITE, STRINGIFY, Sym, Token};

/// The most parameters a macro can have; their names are searched one by one.
const MAX_PARAMETERS: usize = 1024;

/// A macro with a body.
pub(crate) struct Macro {
    /// Where its name is defined; `None` for the predefined ones.
    pub(crate) place: Option<Span>,
    pub(crate) function_like: bool,
    /// The last parameter takes all further arguments.
    pub(crate) variadic: bool,
    pub(crate) parameters: Vec<Sym>,
    pub(crate) body: Rc<[Token]>,
    /// For each token of the body the parameter that it is; empty without parameters.
    pub(crate) slots: Vec<Option<u16>>,
}

impl Macro {
    /// Whether two definitions are the same in the sense of C99 6.10.3.
    fn same(&self, other: &Macro) -> bool {
        const SPACE: u8 = PREV_WHITE | PASTE_LEFT | STRINGIFY;
        self.function_like == other.function_like
            && self.variadic == other.variadic
            && self.parameters == other.parameters
            && self.body.len() == other.body.len()
            && self.body.iter().zip(other.body.iter()).all(|(a, b)| {
                a.kind == b.kind && a.sym == b.sym && a.flags & SPACE == b.flags & SPACE
            })
    }
}

impl State<'_> {
    /// Reads the macro name of a directive; `None` after an error.
    pub(crate) fn macro_name(&mut self, directive: &Token) -> Option<Token> {
        let token = self.lex(Mode::Directive);
        let what = self.text(directive);
        let problem = match token.kind {
            Kind::Eof => format!("#{what} needs a macro name"),
            Kind::Name => {
                let name = self.interner.get(token.sym);
                let defining = matches!(&what[..], "define" | "undef");
                if !(defining && matches!(name, b"defined" | b"__has_include" | b"__VA_OPT__")) {
                    if name == b"__VA_ARGS__" {
                        self.stray_va_args(&token);
                    }
                    return Some(token);
                }
                format!("`{}` cannot be a macro name", self.text(&token))
            }
            _ => format!("a macro name must be an identifier, not `{}`", self.text(&token)),
        };
        let place = if token.kind == Kind::Eof { directive } else { &token };
        self.report(Diagnostic::error(codes::BAD_DEFINE, self.place(place), problem));
        None
    }

    fn stray_va_args(&mut self, token: &Token) {
        self.report(Diagnostic::warning(
            codes::BAD_DEFINE,
            self.place(token),
            "`__VA_ARGS__` belongs in the body of a macro with `...`",
        ));
    }

    /// `#undef`.
    pub(crate) fn undef(&mut self, directive: &Token) {
        let Some(name) = self.macro_name(directive) else {
            return;
        };
        self.warn_predefined(&name, "undefined");
        self.set_meaning(name.sym, Meaning::Nothing);
        self.expect_end(directive);
    }

    fn warn_predefined(&mut self, name: &Token, what: &str) {
        if matches!(self.meaning(name.sym), Meaning::Builtin(_)) {
            let message = format!("the predefined macro `{}` is {what}", self.text(name));
            self.report(Diagnostic::warning(codes::PREDEFINED, self.place(name), message));
        }
    }

    /// `#define`.
    pub(crate) fn define(&mut self, directive: &Token) {
        let Some(name) = self.macro_name(directive) else {
            return;
        };
        let Some(definition) = self.definition(&name) else {
            return;
        };
        self.warn_predefined(&name, "defined again");
        if let Meaning::Macro(old) = self.meaning(name.sym)
            && !old.same(&definition)
        {
            let message = format!("macro `{}` is defined again", self.text(&name));
            let mut diagnostic = Diagnostic::warning(codes::REDEFINED, self.place(&name), message);
            match old.place {
                Some(span) => diagnostic = diagnostic.also(span, "the definition before"),
                None => diagnostic = diagnostic.help("it is predefined, choose another name?"),
            }
            self.report(diagnostic);
        }
        if definition.place.is_some() {
            let names = definition.body.iter().filter(|token| token.kind == Kind::Name);
            let names: Vec<String> = names.map(|token| self.text(token).to_string()).collect();
            self.mentioned.extend(names);
        }
        self.set_meaning(name.sym, Meaning::Macro(Rc::new(definition)));
    }

    /// Parameters and body.
    fn definition(&mut self, name: &Token) -> Option<Macro> {
        let mut definition = Macro {
            place: name.span(),
            function_like: false,
            variadic: false,
            parameters: Vec::new(),
            body: Rc::new([]),
            slots: Vec::new(),
        };
        let mut token = self.lex(Mode::Directive);
        if token.kind == Kind::OpenParen && !token.has(PREV_WHITE) {
            definition.function_like = true;
            self.parameters(&mut definition)?;
            token = self.lex(Mode::Directive);
        } else if token.kind != Kind::Eof && !token.has(PREV_WHITE) && name.file != NO_FILE {
            self.report(
                Diagnostic::warning(
                    codes::MACRO_SPACE,
                    self.place(&token),
                    format!("no white space between `{}` and its body", self.text(name)),
                )
                .label("the body starts here"),
            );
        }
        self.body(&mut definition, token)?;
        Some(definition)
    }

    /// The parameters behind the opening parenthesis.
    fn parameters(&mut self, definition: &mut Macro) -> Option<()> {
        let mut comma = false;
        loop {
            let token = self.lex(Mode::Directive);
            match token.kind {
                Kind::CloseParen if !comma => return Some(()),
                Kind::Ellipsis => {
                    definition.variadic = true;
                    definition.parameters.push(self.interner.intern(b"__VA_ARGS__"));
                }
                Kind::Name => {
                    if definition.parameters.contains(&token.sym) {
                        let name = self.text(&token);
                        return self.bad_define(&token, format!("two parameters `{name}`"));
                    }
                    if definition.parameters.len() >= MAX_PARAMETERS {
                        return self.bad_define(&token, "too many parameters".into());
                    }
                    definition.parameters.push(token.sym);
                }
                _ => return self.bad_define(&token, "a parameter name is missing".into()),
            }
            let mut token = self.lex(Mode::Directive);
            if token.kind == Kind::Ellipsis && !definition.variadic {
                definition.variadic = true;
                token = self.lex(Mode::Directive);
            }
            match token.kind {
                Kind::CloseParen => return Some(()),
                Kind::Comma if !definition.variadic => comma = true,
                _ if definition.variadic => {
                    return self.bad_define(&token, "`...` must be the last parameter".into());
                }
                _ => {
                    let message = "`,` or `)` is missing between parameters";
                    return self.bad_define(&token, message.into());
                }
            }
        }
    }

    fn bad_define(&mut self, token: &Token, message: String) -> Option<()> {
        self.report(Diagnostic::error(codes::BAD_DEFINE, self.place(token), message));
        None
    }

    /// The body, whose first token is given.
    fn body(&mut self, definition: &mut Macro, first: Token) -> Option<()> {
        let va_args = self.interner.intern(b"__VA_ARGS__");
        let va_opt = self.interner.intern(b"__VA_OPT__");
        let mut body: Vec<Token> = Vec::new();
        let mut slots: Vec<Option<u16>> = Vec::new();
        let mut token = first;
        // `#` of a function-like macro waits for its parameter, `##` for its right side.
        let mut hash: Option<Token> = None;
        let mut paste: Option<Token> = None;
        while token.kind != Kind::Eof {
            token.flags &= PREV_WHITE;
            let slot = match token.kind {
                Kind::Name => definition.parameters.iter().position(|&p| p == token.sym),
                _ => None,
            };
            if token.kind == Kind::Name && slot.is_none() {
                if token.sym == va_args {
                    self.stray_va_args(&token);
                } else if token.sym == va_opt && definition.variadic {
                    self.report(Diagnostic::error(
                        codes::UNSUPPORTED,
                        self.place(&token),
                        "`__VA_OPT__` is not supported",
                    ));
                    return None;
                }
            }
            if let Some(hash) = hash.take() {
                if slot.is_none() {
                    return self.bad_define(&hash, "`#` is not followed by a parameter".into());
                }
                token.flags = STRINGIFY | (hash.flags & PREV_WHITE);
            }
            if token.kind.is_hash_hash() {
                match body.last_mut() {
                    Some(last) => last.flags |= PASTE_LEFT,
                    None => return self.bad_paste(&token),
                }
                paste = Some(token);
            } else if token.kind.is_hash() && definition.function_like {
                hash = Some(token);
            } else {
                paste = None;
                body.push(token);
                slots.push(slot.map(|slot| slot as u16));
            }
            token = self.lex(Mode::Directive);
        }
        if let Some(hash) = hash {
            return self.bad_define(&hash, "`#` is not followed by a parameter".into());
        }
        if let Some(paste) = paste {
            return self.bad_paste(&paste);
        }
        if let Some(first) = body.first_mut() {
            first.flags &= !PREV_WHITE;
        }
        if !definition.parameters.is_empty() {
            definition.slots = slots;
        }
        definition.body = body.into();
        Some(())
    }

    fn bad_paste(&mut self, token: &Token) -> Option<()> {
        self.bad_define(token, "`##` cannot be the first or last token of a macro".into())
    }
}
