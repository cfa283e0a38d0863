//! Channel operations.

use std::collections::HashSet;

use everypath_model::Diagnostic;

use super::expr::Operand;
use super::names::Class;
use super::varref::Use;
use super::{Parse, Parser};
use crate::ast::{Expr, ExprKind, RecvArg, StmtKind, Type, UnaryOp, VarRef};
use crate::codes;
use crate::lexer::{Kind, Token};

impl Parser<'_> {
    /// Reports a channel operation on something else.
    pub(super) fn check_channel(&mut self, channel: &VarRef) {
        if self.is_unknown(channel.var) || self.type_of(channel) == Type::Chan {
            return;
        }
        let name = self.model.vars[channel.var.index()].name.clone();
        let declared = self.model.vars[channel.var.index()].span;
        let message = format!("`{name}` is not a channel");
        let error = Diagnostic::error(codes::CHANNEL, channel.span, message);
        self.report(error.also(declared, "declared here"));
    }

    /// `q ! message` or `q !! message`, at the operator.
    pub(super) fn send(&mut self, channel: VarRef) -> Parse<StmtKind> {
        let operator = self.bump();
        let sorted = operator.kind == Kind::BangBang;
        let runs = self.runs;
        let mut args = vec![self.message_expr()?];
        if self.at(Kind::LParen) {
            self.bump();
            args.extend(self.nested(|p| p.message_list())?);
            self.expect(Kind::RParen, "after the message")?;
        } else {
            while self.eat(Kind::Comma) {
                args.push(self.message_expr()?);
            }
        }
        let span = self.span_from(operator);
        if self.runs != runs {
            self.error(codes::RUN, span, "`run` inside a message");
        }
        self.check_channel(&channel);
        let width =
            args.iter().map(|arg| self.width_of_argument(arg)).fold(0, usize::saturating_add);
        self.sends.push((width, span));
        Ok(StmtKind::Send { channel, args, sorted })
    }

    fn message_list(&mut self) -> Parse<Vec<Expr>> {
        let mut args = vec![self.message_expr()?];
        while self.eat(Kind::Comma) {
            args.push(self.message_expr()?);
        }
        Ok(args)
    }

    /// `q ? pattern` in its forms, at the operator.
    pub(super) fn receive(&mut self, channel: VarRef) -> Parse<StmtKind> {
        let operator = self.bump();
        let random = operator.kind == Kind::QueryQuery;
        let copy = self.eat(Kind::Lt);
        let mut args = Vec::new();
        self.pattern(&mut args)?;
        if copy {
            self.expect(Kind::Gt, "after the pattern")?;
        }
        self.check_channel(&channel);
        self.check_pattern(&args);
        Ok(StmtKind::Receive { channel, args, random, copy })
    }

    /// `q ? [pattern]`, at the operator.
    pub(super) fn poll(&mut self, start: Token, channel: VarRef) -> Parse<Operand> {
        let operator = self.bump();
        let random = operator.kind == Kind::QueryQuery;
        self.expect(Kind::LBracket, "before the pattern")?;
        let mut args = Vec::new();
        self.pattern(&mut args)?;
        self.expect(Kind::RBracket, "after the pattern")?;
        self.check_channel(&channel);
        let span = self.span_from(start);
        Ok(Operand::leaf(ExprKind::Poll { channel, args, random }, span))
    }

    /// `arg, pattern`, `arg (pattern)` or `(pattern)`
    fn pattern(&mut self, args: &mut Vec<RecvArg>) -> Parse<()> {
        loop {
            if self.at(Kind::LParen) {
                return self.inner_pattern(args);
            }
            args.push(self.pattern_argument()?);
            if self.at(Kind::LParen) {
                return self.inner_pattern(args);
            }
            if !self.eat(Kind::Comma) {
                return Ok(());
            }
        }
    }

    fn inner_pattern(&mut self, args: &mut Vec<RecvArg>) -> Parse<()> {
        self.nested(|p| {
            p.bump();
            p.pattern(args)?;
            p.expect(Kind::RParen, "after the pattern")?;
            Ok(())
        })
    }

    fn pattern_argument(&mut self) -> Parse<RecvArg> {
        let token = self.peek();
        match token.kind {
            Kind::Eval => {
                self.bump();
                self.expect(Kind::LParen, "after `eval`")?;
                let runs = self.runs;
                let expr = self.nested(|p| p.expr())?;
                self.no_run_since(runs, expr.span);
                self.expect(Kind::RParen, "after the expression")?;
                Ok(RecvArg::Eval(expr))
            }
            Kind::Minus => {
                self.bump();
                let value = self.literal("a constant")?;
                let span = self.span_from(token);
                let inner = Expr { kind: ExprKind::Const(value), span };
                let kind = ExprKind::Unary(UnaryOp::Neg, Box::new(inner));
                Ok(RecvArg::Const(Expr { kind, span }))
            }
            Kind::Ident => match self.class(token) {
                Class::Constant(set, value) => {
                    self.bump();
                    let kind = ExprKind::Mtype(set, value);
                    Ok(RecvArg::Const(Expr { kind, span: self.span(token) }))
                }
                Class::Name if self.text_of(token) == "_" => {
                    self.bump();
                    Ok(RecvArg::Any(self.span(token)))
                }
                Class::Name => Ok(RecvArg::Var(self.varref(Use::Message)?)),
                _ => Err(self.unexpected("a variable, a constant, `_` or `eval`")),
            },
            Kind::Number | Kind::Char | Kind::True | Kind::False | Kind::Skip => {
                let value = self.literal("a constant")?;
                self.note_written(token, value);
                let kind = ExprKind::Const(value);
                Ok(RecvArg::Const(Expr { kind, span: self.span(token) }))
            }
            _ => Err(self.unexpected("a variable, a constant, `_` or `eval`")),
        }
    }

    /// A plain variable can receive only one field.
    fn check_pattern(&mut self, args: &[RecvArg]) {
        let mut seen = HashSet::new();
        for arg in args {
            let RecvArg::Var(reference) = arg else { continue };
            let plain = reference.index.is_none() && reference.fields.is_empty();
            if plain && !self.is_unknown(reference.var) && !seen.insert(reference.var) {
                let name = self.model.vars[reference.var.index()].name.clone();
                let message = format!("`{name}` stands twice in a receive");
                self.error(codes::CHANNEL, reference.span, message);
            }
        }
    }

    /// Compares the number of fields of each send with the largest channel of the model.
    pub(super) fn check_sends(&mut self) {
        let max = self.max_fields;
        for (width, span) in std::mem::take(&mut self.sends) {
            if width > max {
                let message =
                    format!("a message of {width} fields, but no channel has more than {max}");
                self.error(codes::ARITY, span, message);
            }
        }
    }
}
