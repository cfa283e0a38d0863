//! Messages: sends, receives, polls, parameters of processes, events of traces.

use everypath_model::Span;

use super::base::Base;
use super::fields::{Demand, Role};
use super::graph::{Kind, NodeId, Origin, Why};
use super::infer::{Inference, Pass, Ty};
use crate::ast::*;
use crate::flow::Slot;
use crate::flow::values::Range;

/// How often messages are looked at whose channel has no declaration yet.
const MAX_ROUNDS: usize = 20;

/// A message of a channel.
#[derive(Debug)]
pub(super) struct Use {
    messages: NodeId,
    tuple: NodeId,
    why: Why,
}

/// A field of a message as it is used.
enum Part {
    Ty(Ty, Role),
    /// `_`
    Any,
}

impl<'m> Inference<'m> {
    pub(super) fn send(&mut self, channel: &VarRef, args: &[Expr], statement: Span) {
        let parts = args.iter().map(|e| (self.expr(e), e.span)).collect::<Vec<_>>();
        let parts = parts.into_iter().map(|(ty, span)| (Part::Ty(ty, Role::Sent), span)).collect();
        self.message(channel, parts, statement);
    }

    pub(super) fn receive(&mut self, channel: &VarRef, args: &[RecvArg], statement: Span) {
        let parts = args
            .iter()
            .map(|arg| match arg {
                RecvArg::Var(r) => (Part::Ty(self.reference(r), Role::Received), r.span),
                RecvArg::Any(span) => (Part::Any, *span),
                RecvArg::Const(e) | RecvArg::Eval(e) => {
                    (Part::Ty(self.expr(e), Role::Compared), e.span)
                }
            })
            .collect();
        self.message(channel, parts, statement);
    }

    /// `for (m in q)` takes every message into `m`.
    pub(super) fn rotate(&mut self, channel: &VarRef, var: &VarRef, statement: Span) {
        let part = (Part::Ty(self.reference(var), Role::Received), var.span);
        self.message(channel, vec![part], statement);
    }

    /// The channel carries a message of this form.
    fn message(&mut self, channel: &VarRef, parts: Vec<(Part, Span)>, statement: Span) {
        let Ty::Chan(node) = self.reference(channel) else { return };
        if self.pass == Pass::Flows {
            return;
        }
        let Kind::Chan(messages) = *self.graph.own_kind(node) else { return };
        let origin = Origin { span: statement, declared: false };
        let mut fields = Vec::new();
        for (part, span) in parts {
            match part {
                Part::Ty(Ty::Struct(all), role) => {
                    for ty in all {
                        let content = self.content(channel, fields.len());
                        fields.push(self.field(ty, role, content, span, statement));
                    }
                }
                // A structure that is too large: its length is not known.
                Part::Ty(Ty::Unknown, _) => return,
                Part::Ty(ty, role) => {
                    let content = self.content(channel, fields.len());
                    fields.push(self.field(ty, role, content, span, statement));
                }
                Part::Any => fields.push(self.graph.add(Kind::Var, Origin { span, ..origin })),
            }
        }
        let tuple = self.graph.add(Kind::Tuple(fields), origin);
        let text = format!("a message of `{}` here", self.name_of(channel));
        self.uses.push(Use { messages, tuple, why: Why { span: statement, text } });
    }

    /// Makes the equations of all messages. Where a declaration is known it comes first: what does
    /// not agree with it is to blame, and channels in other messages get to know theirs.
    pub(super) fn solve_messages(&mut self) {
        let mut left = std::mem::take(&mut self.uses);
        for _ in 0..MAX_ROUNDS {
            let before = left.len();
            for message in std::mem::take(&mut left) {
                let shape = self.graph.shape(message.messages);
                if shape.is_some_and(|shape| self.graph.origin(shape).declared) {
                    self.equate(message.messages, message.tuple, message.why);
                } else {
                    left.push(message);
                }
            }
            if left.len() == before {
                break;
            }
        }
        for message in left {
            self.equate(message.messages, message.tuple, message.why);
        }
    }

    fn field(
        &mut self,
        ty: Ty,
        role: Role,
        content: Option<Range>,
        span: Span,
        statement: Span,
    ) -> NodeId {
        match ty {
            Ty::Chan(node) => node,
            Ty::Base(base) => {
                let origin = Origin { span, declared: false };
                let field = self.graph.add(Kind::Var, origin);
                self.demands.push(Demand { field, base, role, content, span, statement });
                field
            }
            Ty::Struct(_) | Ty::Unknown => {
                self.graph.add(Kind::Var, Origin { span, declared: false })
            }
        }
    }

    /// The arguments of `run` go into the parameters. The parser has compared their numbers.
    pub(super) fn run_arguments(&mut self, proctype: ProcId, args: &[Expr]) {
        let values: Vec<(Ty, Span)> = args.iter().map(|e| (self.expr(e), e.span)).collect();
        let model = self.model;
        let proctype = &model.proctypes[proctype.index()];
        let mut params = Vec::new();
        for &id in &proctype.params {
            let var = &model.vars[id.index()];
            match self.part_type(&Slot { var: id, path: Vec::new() }, var.ty) {
                Ty::Struct(all) => params.extend(all.into_iter().map(|ty| (ty, id))),
                Ty::Unknown => return,
                ty => params.push((ty, id)),
            }
        }
        let mut flat = Vec::new();
        for (ty, span) in values {
            match ty {
                Ty::Struct(all) => flat.extend(all.into_iter().map(|ty| (ty, span))),
                ty => flat.push((ty, span)),
            }
        }
        if flat.len() != params.len() {
            return;
        }
        for ((value, span), (into, id)) in flat.into_iter().zip(params) {
            let var = &model.vars[id.index()];
            let text = format!("passed to `{}` of {} here", var.name, proctype.name);
            self.assign(&into, &value, span, var.span, text);
        }
    }

    /// The events of a trace assertion are messages too. One that leaves fields out is no error.
    pub(super) fn events(&mut self, body: &'m [Stmt]) {
        for s in body {
            match &s.kind {
                StmtKind::Send { channel, args, .. } if self.has_length(channel, args.len()) => {
                    self.send(channel, args, s.span);
                }
                StmtKind::Receive { channel, args, .. } if self.has_length(channel, args.len()) => {
                    self.receive(channel, args, s.span);
                }
                StmtKind::If(options) | StmtKind::Do(options) => {
                    for option in options {
                        self.events(option);
                    }
                }
                StmtKind::Block { body, .. }
                | StmtKind::Atomic(body)
                | StmtKind::DStep(body)
                | StmtKind::For { body, .. } => self.events(body),
                _ => {}
            }
        }
    }

    fn has_length(&mut self, channel: &VarRef, length: usize) -> bool {
        let Ty::Chan(node) = self.reference(channel) else { return false };
        let Kind::Chan(messages) = *self.graph.own_kind(node) else { return false };
        matches!(self.graph.kind(messages), Kind::Tuple(fields) if fields.len() == length)
    }

    /// The base type of a field, if a declaration gives it one.
    pub(super) fn declared_field(&self, field: NodeId) -> Option<(Base, Span)> {
        let shape = self.graph.shape(field)?;
        match self.graph.own_kind(shape) {
            Kind::Base(base) => Some((*base, self.graph.origin(shape).span)),
            _ => None,
        }
    }
}
