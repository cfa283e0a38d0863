//! Macro expansion.

use std::rc::Rc;

use everypath_model::{Diagnostic, pulled};

use crate::codes;
use crate::define::Macro;
use crate::scan::scan;
use crate::state::{Call, Looking, Meaning, State};
use crate::token::{
    FROM_MACRO, Kind, NO_EXPAND, PASTE_LEFT, PREV_WHITE, STRINGIFY, Source, Sym, Token,
};

/// Tokens that wait to be read before the rest of the file.
pub(crate) struct Context {
    tokens: Rc<[Token]>,
    at: usize,
    /// The macro whose expansion this is; it is disabled meanwhile.
    of: Option<Sym>,
    /// The line and column that all tokens are given.
    line: Option<(u32, u32)>,
}

/// The arguments of a call.
struct Arguments {
    tokens: Vec<Token>,
    /// For each parameter its part of `tokens`.
    ranges: Vec<(usize, usize)>,
    expanded: Vec<Option<Rc<[Token]>>>,
    /// The variable argument was left out altogether.
    omitted: bool,
}

impl Arguments {
    fn raw(&self, index: usize) -> &[Token] {
        let (start, end) = self.ranges[index];
        &self.tokens[start..end]
    }
}

impl State<'_> {
    /// The next token after expansion, or a padding.
    pub(crate) fn next_token(&mut self) -> Token {
        loop {
            if self.stopped {
                return Token::bare(Kind::Eof);
            }
            let mut token = match self.contexts.last_mut() {
                None => self.file_token(),
                Some(context) => {
                    let Some(&token) = context.tokens.get(context.at) else {
                        self.pop_context();
                        if self.in_directive {
                            continue;
                        }
                        return Token::separator();
                    };
                    let mut token = token;
                    context.at += 1;
                    token.flags |= FROM_MACRO;
                    if let Some((line, column)) = context.line {
                        token.line = line;
                        token.column = column;
                    }
                    self.charge(1);
                    if token.has(PASTE_LEFT) {
                        self.paste_all(token);
                        if self.in_directive {
                            continue;
                        }
                        return Token::padding(&token);
                    }
                    token
                }
            };
            if token.kind != Kind::Name || token.has(NO_EXPAND) {
                return token;
            }
            match self.meanings.get(token.sym.0 as usize) {
                None | Some(Meaning::Nothing) => return token,
                _ => {}
            }
            if self.disabled[token.sym.0 as usize] {
                token.flags |= NO_EXPAND;
                return token;
            }
            if self.no_expansion || !self.enter(&token) {
                return token;
            }
            if !self.in_directive {
                return Token::padding(&token);
            }
        }
    }

    /// The next token that is not a padding.
    pub(crate) fn next_solid(&mut self) -> Token {
        loop {
            let token = self.next_token();
            if token.kind != Kind::Padding {
                return token;
            }
        }
    }

    fn push_context(&mut self, tokens: Rc<[Token]>, of: Option<Sym>, line: Option<(u32, u32)>) {
        if let Some(sym) = of {
            self.disabled[sym.0 as usize] = true;
        }
        self.contexts.push(Context { tokens, at: 0, of, line });
    }

    /// Drops the innermost context.
    pub(crate) fn pop_context(&mut self) {
        if let Some(Context { of: Some(sym), .. }) = self.contexts.pop() {
            self.disabled[sym.0 as usize] = false;
        }
    }

    /// Counts work; gives up beyond the limits.
    pub(crate) fn charge(&mut self, work: usize) {
        self.call_work += work;
        self.total_work += work;
        self.stopped |= pulled(self.options.brake.as_ref());
        let limits = &self.options.limits;
        if self.call_work > limits.call_tokens {
            let message =
                format!("this macro call goes through more than {} tokens", limits.call_tokens);
            self.fatal(Diagnostic::error(codes::TOO_LARGE, self.call.span, message));
        } else if self.total_work > limits.total_work {
            let message = "macros and included files take too much work to expand";
            self.fatal(Diagnostic::error(codes::TOO_LARGE, self.call.span, message));
        }
    }

    /// Starts the expansion of a name that stands for something; false if it is left as it is
    /// because no arguments follow.
    fn enter(&mut self, name: &Token) -> bool {
        let meaning = self.meaning(name.sym).clone();
        let previous = (self.call, self.call_work);
        if !name.has(FROM_MACRO)
            && let Some(span) = name.span()
        {
            let function_like = matches!(&meaning, Meaning::Macro(m) if m.function_like);
            self.call = Call { span, line: name.line, column: name.column, function_like };
            self.call_work = 0;
        }
        let line = Some((name.line, name.column));
        match meaning {
            Meaning::Nothing => false,
            Meaning::Builtin(builtin) => {
                if let Some(token) = self.builtin(builtin, name) {
                    self.push_context(Rc::new([token]), None, line);
                }
                true
            }
            Meaning::Macro(definition) => {
                let mut tokens = Rc::clone(&definition.body);
                if definition.function_like {
                    let Some(mut arguments) = self.call_arguments(&definition, name) else {
                        if !name.has(FROM_MACRO) {
                            (self.call, self.call_work) = previous;
                        }
                        return false;
                    };
                    if !definition.parameters.is_empty() {
                        tokens = self.substitute(&definition, &mut arguments, name);
                    }
                }
                self.push_context(tokens, Some(name.sym), line);
                true
            }
        }
    }

    /// Reads the arguments of a call, if there is one.
    fn call_arguments(&mut self, definition: &Rc<Macro>, name: &Token) -> Option<Arguments> {
        let before = (self.looking, self.no_expansion);
        self.no_expansion = true;
        self.looking = Looking::Parenthesis;
        let mut source = None;
        let token = loop {
            let token = self.next_token();
            if token.kind != Kind::Padding {
                break token;
            }
            source = Some(source.unwrap_or(Source::Own).merge(&token));
        };
        let arguments = if token.kind == Kind::OpenParen {
            self.looking = Looking::Arguments;
            self.collect(definition, name)
        } else {
            self.unread(token);
            if let Some(source) = source {
                self.push_context(Rc::new([source.to_padding()]), None, None);
            }
            None
        };
        (self.looking, self.no_expansion) = before;
        arguments
    }

    /// Makes the token that was read last the next one again.
    fn unread(&mut self, token: Token) {
        if token.has(FROM_MACRO) {
            if let Some(context) = self.contexts.last_mut() {
                context.at -= 1;
            }
        } else if token.kind != Kind::Eof {
            self.ahead.push(token);
        }
    }

    /// Reads arguments up to the closing parenthesis.
    fn collect(&mut self, definition: &Rc<Macro>, name: &Token) -> Option<Arguments> {
        let wanted = definition.parameters.len();
        let mut tokens: Vec<Token> = Vec::new();
        let mut ranges = Vec::new();
        let mut given = 0;
        let last = loop {
            given += 1;
            let start = tokens.len();
            let mut depth = 0;
            let last = loop {
                let token = self.next_token();
                match token.kind {
                    Kind::Padding if tokens.len() == start => continue,
                    Kind::OpenParen => depth += 1,
                    Kind::CloseParen if depth == 0 => break token,
                    Kind::CloseParen => depth -= 1,
                    Kind::Comma if depth == 0 && !(definition.variadic && given == wanted) => {
                        break token;
                    }
                    Kind::Eof => break token,
                    _ => {}
                }
                self.charge(1);
                tokens.push(token);
            };
            while tokens.len() > start && tokens[tokens.len() - 1].kind == Kind::Padding {
                tokens.pop();
            }
            if given <= wanted {
                ranges.push((start, tokens.len()));
            }
            if last.kind != Kind::Comma {
                break last;
            }
        };
        if last.kind == Kind::Eof {
            self.unread(last);
            if !self.stopped {
                let message = format!("the arguments of macro `{}` do not end", self.text(name));
                let mut diagnostic =
                    Diagnostic::error(codes::UNTERMINATED_CALL, self.place(name), message)
                        .label("the call starts here");
                if let Some(span) = definition.place {
                    diagnostic = diagnostic.also(span, "the macro is defined here");
                }
                self.report(diagnostic);
            }
            return None;
        }
        if !last.has(FROM_MACRO)
            && let Some(span) = last.span()
        {
            self.call.span = self.call.span.to(span);
        }
        if given == 1 && wanted == 0 && tokens.is_empty() {
            given = 0;
        }
        let optional = definition.variadic && given + 1 == wanted;
        if given != wanted && !optional {
            self.wrong_count(definition, name, given);
            return None;
        }
        let omitted = definition.variadic && (given < wanted || (given == 1 && tokens.is_empty()));
        ranges.resize(wanted, (tokens.len(), tokens.len()));
        Some(Arguments { tokens, ranges, expanded: vec![None; wanted], omitted })
    }

    fn wrong_count(&mut self, definition: &Macro, name: &Token, given: usize) {
        let wanted = definition.parameters.len();
        let plural = if wanted == 1 { "" } else { "s" };
        let was = if given == 1 { "was" } else { "were" };
        let message = format!(
            "macro `{}` takes {wanted} argument{plural}, but {given} {was} given",
            self.text(name)
        );
        let mut diagnostic = Diagnostic::error(codes::ARGUMENT_COUNT, self.place(name), message);
        if let Some(span) = definition.place {
            diagnostic = diagnostic.also(span, "the macro is defined here");
        }
        self.report(diagnostic);
    }

    /// The body with the arguments in place of the parameters.
    fn substitute(
        &mut self,
        definition: &Rc<Macro>,
        arguments: &mut Arguments,
        name: &Token,
    ) -> Rc<[Token]> {
        let body = &definition.body;
        let mut result: Vec<Token> = Vec::with_capacity(body.len());
        for (index, item) in body.iter().enumerate() {
            let Some(parameter) = definition.slots[index] else {
                result.push(*item);
                continue;
            };
            let parameter = usize::from(parameter);
            let after_paste = index > 0 && body[index - 1].has(PASTE_LEFT);
            let before_paste = item.has(PASTE_LEFT);
            if index > 0 && !after_paste {
                result.push(Token::padding(item));
            }
            if item.has(STRINGIFY) {
                let mut string = self.stringify(arguments.raw(parameter), item);
                string.flags |= item.flags & PASTE_LEFT;
                result.push(string);
            } else if after_paste || before_paste {
                let raw = arguments.raw(parameter);
                self.charge(raw.len());
                if after_paste
                    && !before_paste
                    && let Some(left) = result.last_mut()
                {
                    let is_rest = definition.variadic && parameter + 1 == arguments.ranges.len();
                    if left.kind == Kind::Comma && is_rest {
                        // The GNU extension: the comma goes if there are no further arguments.
                        left.flags &= !PASTE_LEFT;
                        if arguments.omitted {
                            result.pop();
                        }
                    } else if raw.is_empty() {
                        left.flags &= !PASTE_LEFT;
                    }
                }
                let start = result.len();
                result.extend_from_slice(raw);
                if before_paste
                    && result.len() > start
                    && let Some(last) = result.last_mut()
                {
                    last.flags |= PASTE_LEFT;
                }
            } else {
                let expanded = self.expanded(arguments, parameter, name);
                self.charge(expanded.len());
                if self.stopped {
                    break;
                }
                result.extend_from_slice(&expanded);
            }
            if !before_paste {
                result.push(Token::separator());
            }
        }
        result.into()
    }

    /// An argument after expansion by itself.
    fn expanded(&mut self, arguments: &mut Arguments, index: usize, name: &Token) -> Rc<[Token]> {
        if let Some(tokens) = &arguments.expanded[index] {
            return Rc::clone(tokens);
        }
        let raw = arguments.raw(index);
        let inert = raw.iter().all(|token| {
            token.kind != Kind::Name || matches!(self.meaning(token.sym), Meaning::Nothing)
        });
        let tokens: Rc<[Token]> = if inert {
            raw.into()
        } else {
            let mut pushed = raw.to_vec();
            pushed.push(Token::bare(Kind::Eof));
            self.expand_alone(pushed.into(), name).into()
        };
        arguments.expanded[index] = Some(Rc::clone(&tokens));
        tokens
    }

    fn expand_alone(&mut self, tokens: Rc<[Token]>, name: &Token) -> Vec<Token> {
        let mut result = Vec::new();
        if self.call_depth >= self.options.limits.call_depth {
            let message = format!(
                "macro calls are nested more than {} deep in the arguments of `{}`",
                self.options.limits.call_depth,
                self.text(name)
            );
            self.fatal(Diagnostic::error(codes::TOO_DEEP, self.call.span, message));
            return result;
        }
        self.call_depth += 1;
        let before = (self.looking, self.no_expansion);
        (self.looking, self.no_expansion) = (Looking::Text, false);
        self.push_context(tokens, None, None);
        loop {
            let token = self.next_token();
            if token.kind == Kind::Eof {
                break;
            }
            result.push(token);
        }
        if !self.stopped {
            self.pop_context();
        }
        (self.looking, self.no_expansion) = before;
        self.call_depth -= 1;
        result
    }

    /// The string that `#` makes of an argument.
    fn stringify(&mut self, argument: &[Token], place: &Token) -> Token {
        let mut text = vec![b'"'];
        let mut source = Source::Own;
        let mut backslashes = 0;
        for token in argument {
            if token.kind == Kind::Padding {
                source = source.merge(token);
                continue;
            }
            if text.len() > 1 && source.white_before(token) {
                text.push(b' ');
            }
            source = Source::Own;
            let spelling = self.interner.get(token.sym);
            if matches!(token.kind, Kind::String | Kind::Char) {
                for &byte in spelling {
                    if matches!(byte, b'"' | b'\\') {
                        text.push(b'\\');
                    }
                    text.push(byte);
                }
            } else {
                text.extend_from_slice(spelling);
            }
            let lone = token.kind == Kind::Other && spelling.first() == Some(&b'\\');
            backslashes = if lone { backslashes + 1 } else { 0 };
        }
        if backslashes % 2 == 1 {
            text.pop();
            self.report(Diagnostic::warning(
                codes::BAD_STRING,
                self.call.span,
                "the string made by # ends in a lone backslash, which is dropped",
            ));
        }
        text.push(b'"');
        self.charge(text.len());
        let mut token = Token::bare(Kind::String).at(place);
        token.sym = self.interner.intern(&text);
        token
    }

    /// Pastes `left` with what follows in the innermost context and makes the result the next
    /// token.
    fn paste_all(&mut self, mut left: Token) {
        let mut line = None;
        while let Some(context) = self.contexts.last_mut() {
            line = context.line;
            let Some(&right) = context.tokens.get(context.at) else {
                break;
            };
            context.at += 1;
            if right.kind == Kind::Padding {
                break;
            }
            match self.paste(&left, &right) {
                Some(token) => left = token,
                None => {
                    if let Some(context) = self.contexts.last_mut() {
                        context.at -= 1;
                    }
                    break;
                }
            }
            if !right.has(PASTE_LEFT) {
                break;
            }
        }
        left.flags &= !PASTE_LEFT;
        self.push_context(Rc::new([left]), None, line);
    }

    /// The token that two tokens make together.
    fn paste(&mut self, left: &Token, right: &Token) -> Option<Token> {
        let mut text = self.interner.get(left.sym).to_vec();
        text.extend_from_slice(self.interner.get(right.sym));
        self.charge(text.len());
        let comment = matches!(text[..], [b'/', b'/' | b'*', ..]);
        let (kind, end) = scan(&text, 0);
        if comment || end != text.len() {
            let message = format!(
                "pasting `{}` and `{}` does not make one token",
                self.text(left),
                self.text(right)
            );
            let mut diagnostic = Diagnostic::error(codes::BAD_PASTE, self.call.span, message);
            if let Some(span) = left.span() {
                diagnostic = diagnostic.also(span, "the left side is written here");
            }
            self.report(diagnostic);
            return None;
        }
        let mut token = Token { kind, sym: self.interner.intern(&text), ..*left };
        token.flags = left.flags & PREV_WHITE;
        Some(token)
    }
}
