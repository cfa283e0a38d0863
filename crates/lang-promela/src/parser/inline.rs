//! Inlines: their text is kept and read again at each call, with arguments in place of
//! parameters.

use std::collections::HashMap;
use std::rc::Rc;

use everypath_model::{Diagnostic, Span};

use super::names::{Class, Global};
use super::varref::Use;
use super::{Failed, Parse, Parser};
use crate::ast::{Inline, StmtKind, Target};
use crate::codes;
use crate::lexer::{Kind, Token};

/// How many calls may be nested.
const MAX_LEVELS: usize = 32;
/// How many tokens all calls together may become.
const MAX_EXPANSION: usize = 4_000_000;

/// An inline.
pub(super) struct InlineDef<'a> {
    name: &'a str,
    span: Span,
    params: Vec<&'a str>,
    /// With the braces.
    body: Rc<[Token]>,
}

impl<'a> Parser<'a> {
    /// `inline name (parameters) { text }`
    pub(super) fn define_inline(&mut self) -> Parse<()> {
        self.bump();
        let name = self.peek();
        if name.kind == Kind::Ident && matches!(self.class(name), Class::Inline(_)) {
            let message = format!("inline `{}` is defined twice", self.text_of(name));
            let span = self.span(name);
            self.report(
                Diagnostic::warning(codes::INLINE, span, message)
                    .label("this one is used from here on"),
            );
            self.bump();
        } else {
            self.expect_name("the name of the inline")?;
        }
        self.expect(Kind::LParen, "before the parameters")?;
        let mut params = Vec::new();
        while !self.at(Kind::RParen) {
            let param = self.expect_name("the name of a parameter")?;
            params.push(self.text_of(param));
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::RParen, "after the parameters")?;
        // From here on as it stands: no implied separators.
        let mut body: Vec<Token> = Vec::new();
        let mut depth = 0usize;
        loop {
            let Some(token) = self.stream.raw_next() else {
                let span = self.span(name);
                let message = "the body of the inline is not closed";
                return Err(self.error(codes::MISSING_BRACE, span, message));
            };
            match token.kind {
                Kind::LBrace => depth += 1,
                Kind::RBrace if depth > 0 => depth -= 1,
                _ if body.is_empty() => {
                    let span = self.span(token);
                    let message = "expected `{` before the body of the inline";
                    return Err(self.error(codes::SYNTAX, span, message));
                }
                _ => {}
            }
            body.push(token);
            if depth == 0 {
                break;
            }
        }
        // The block follows the call at once, on whatever line the definition has its brace.
        body[0].newline = false;
        self.prev_end = body.last().map_or(self.prev_end, |t| t.place.1);
        let text = self.text_of(name);
        self.names.globals.insert(text, Global::Inline(self.inlines.len()));
        let span = self.span(name);
        self.inlines.push(InlineDef { name: text, span, params, body: body.into() });
        self.model.inlines.push(Inline { name: text.to_string(), span, called: false });
        Ok(())
    }

    /// A call, at the name. The result is the block that it becomes.
    pub(super) fn call_inline(
        &mut self,
        index: usize,
        target: Option<Target>,
    ) -> Parse<(StmtKind, Span)> {
        let name = self.bump();
        let args = self.call_arguments()?;
        let span = self.span_from(name);
        self.model.inlines[index].called = true;
        let inline = &self.inlines[index];
        let (text, defined, wanted) = (inline.name, inline.span, inline.params.len());
        if args.len() != wanted {
            let message = format!(
                "inline `{text}` takes {wanted} {}, not {}",
                if wanted == 1 { "argument" } else { "arguments" },
                args.len()
            );
            let error = Diagnostic::error(codes::ARITY, span, message);
            return Err(self.report(error.also(defined, "defined here")));
        }
        self.check_expansion(index, span)?;
        let body = self.expand(index, &args);
        self.expanded += body.len();
        let (depth, braces) = (self.stream.depth(), self.stream.braces());
        let end = self.prev_end;
        let loops = match &mut self.process {
            Some(process) => {
                process.returns.push(target);
                process.loops.len()
            }
            None => 0,
        };
        self.expanding.push(index);
        self.stream.push(body);
        let block = self.block(&format!("{text}("));
        self.peeked = None;
        self.stream.pop_to(depth, braces);
        self.expanding.pop();
        if let Some(process) = &mut self.process {
            process.returns.pop();
            process.loops.truncate(loops);
        }
        self.prev_end = end;
        let kind = StmtKind::Block { body: block?, inline: Some(text.to_string()) };
        Ok((kind, span))
    }

    fn check_expansion(&mut self, index: usize, span: Span) -> Parse<()> {
        let name = self.inlines[index].name;
        if self.expanding.contains(&index) {
            let message = format!("inline `{name}` calls itself");
            return Err(self.error(codes::EXPANSION, span, message));
        }
        if self.expanding.len() >= MAX_LEVELS {
            let message = format!("more than {MAX_LEVELS} nested calls of inlines");
            return Err(self.error(codes::EXPANSION, span, message));
        }
        if self.expanded > MAX_EXPANSION {
            let message = "the calls of inlines become too much text";
            let failed = self.error(codes::EXPANSION, span, message);
            self.stopped = true;
            return Err(failed);
        }
        Ok(())
    }

    /// The tokens of the arguments; each must be an expression.
    fn call_arguments(&mut self) -> Parse<Vec<Rc<[Token]>>> {
        self.expect(Kind::LParen, "before the arguments")?;
        let mut args: Vec<Rc<[Token]>> = Vec::new();
        let mut current: Vec<Token> = Vec::new();
        let mut depth = 0usize;
        loop {
            let Some(token) = self.stream.raw_next() else {
                return Err(self.unexpected("`)` after the arguments"));
            };
            self.prev_end = token.place.1;
            match token.kind {
                Kind::LParen | Kind::LBracket => depth += 1,
                Kind::RBracket => depth = depth.saturating_sub(1),
                Kind::RParen if depth > 0 => depth -= 1,
                Kind::RParen => {
                    if !current.is_empty() || !args.is_empty() {
                        args.push(std::mem::take(&mut current).into());
                    }
                    break;
                }
                Kind::Comma if depth == 0 => {
                    args.push(std::mem::take(&mut current).into());
                    continue;
                }
                Kind::LBrace | Kind::RBrace | Kind::Semi => {
                    let span = self.span(token);
                    let message = "expected `)` after the arguments of the inline";
                    return Err(self.error(codes::SYNTAX, span, message));
                }
                _ => {}
            }
            current.push(token);
        }
        self.stream.after_arguments();
        let end = self.prev_end;
        for arg in &args {
            self.check_argument(arg)?;
        }
        self.prev_end = end;
        Ok(args)
    }

    /// Reads an argument for its own sake, to report errors where it stands.
    fn check_argument(&mut self, arg: &Rc<[Token]>) -> Parse<()> {
        let saved = self.stream.save();
        self.stream.push(arg.clone());
        self.stream.enter_parentheses();
        let result = self.nested(|p| p.inline_argument());
        self.peeked = None;
        self.stream.restore(saved);
        result
    }

    fn inline_argument(&mut self) -> Parse<()> {
        let token = self.peek();
        if token.kind == Kind::Ident && self.text_of(token) == "_" && self.behind() == Kind::Eof {
            return Ok(());
        }
        if token.kind == Kind::Ident {
            self.argument_with_name(token)?;
        } else {
            self.full_expr()?;
        }
        if !self.at(Kind::Eof) {
            return Err(self.unexpected("`,` or `)` after the argument"));
        }
        Ok(())
    }

    fn argument_with_name(&mut self, token: Token) -> Result<(), Failed> {
        let first = self.name_operand(Use::InlineArgument)?;
        self.full_expr_after(token, first)?;
        Ok(())
    }

    /// The body with arguments in place of parameters.
    fn expand(&self, index: usize, args: &[Rc<[Token]>]) -> Rc<[Token]> {
        let inline = &self.inlines[index];
        if args.is_empty() {
            return inline.body.clone();
        }
        let params: HashMap<&str, &Rc<[Token]>> =
            inline.params.iter().copied().zip(args).rev().collect();
        let mut out = Vec::with_capacity(inline.body.len());
        for &token in inline.body.iter() {
            let arg = match token.kind {
                Kind::Ident => params.get(self.text_of(token)),
                _ => None,
            };
            match arg {
                Some(arg) => out.extend(arg.iter().enumerate().map(|(i, part)| Token {
                    newline: if i == 0 { token.newline } else { part.newline },
                    place: token.place,
                    ..*part
                })),
                None => out.push(token),
            }
        }
        out.into()
    }
}
