//! References to variables, elements and fields.

use everypath_model::{Diagnostic, Span};

use super::names::Mention;
use super::{Parse, Parser};
use crate::ast::{Expr, ExprKind, FieldRef, Init, Owner, Prefix, ProcId, Type, Var, VarId, VarRef};
use crate::codes;
use crate::lexer::{Kind, Token};

/// Where a reference stands, as far as it matters for its form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// A single value is needed.
    Value,
    /// A structure stands for its fields.
    Message,
    /// The text is passed on: an array may stand without index.
    InlineArgument,
}

impl<'a> Parser<'a> {
    /// Adds a variable; type and initial value are set later.
    pub(super) fn new_var(&mut self, name: &str, span: Span, owner: Owner) -> VarId {
        self.model.vars.push(Var {
            name: name.to_string(),
            span,
            ty: Type::Int,
            array: None,
            init: Init::None,
            owner,
            prefix: Prefix::None,
            synthetic: false,
        });
        VarId(self.model.vars.len() as u32 - 1)
    }

    /// A local variable that takes the place of an earlier mention of it.
    pub(super) fn new_local(&mut self, name: &'a str, span: Span, proc: ProcId) -> VarId {
        let mention = self.names.procs[proc.index()].vars.get(name).copied();
        let id = match mention {
            Some(Mention { id, defined: false, .. }) => {
                self.model.vars[id.index()].span = span;
                id
            }
            _ => self.new_var(name, span, Owner::Proctype(proc)),
        };
        if mention.is_none_or(|m| !m.defined) {
            let mention = Mention { id, defined: true, span };
            self.names.procs[proc.index()].vars.insert(name, mention);
        }
        id
    }

    /// The variable that stands for unknown ones.
    fn unknown_var(&mut self, span: Span) -> VarId {
        match self.names.unknown {
            Some(id) => id,
            None => {
                let id = self.new_var("?", span, Owner::Model);
                self.names.unknown = Some(id);
                id
            }
        }
    }

    /// Whether a reference is to an unknown variable, so that nothing can be said about it.
    pub(super) fn is_unknown(&self, var: VarId) -> bool {
        self.names.unknown == Some(var)
    }

    /// `name [index] {. field [index]}`, the name being the next token.
    pub(super) fn varref(&mut self, usage: Use) -> Parse<VarRef> {
        let token = self.expect_name("a variable")?;
        self.varref_after(token, usage)
    }

    /// The rest of a reference whose name was taken.
    pub(super) fn varref_after(&mut self, token: Token, usage: Use) -> Parse<VarRef> {
        let name = self.text_of(token);
        let var = match self.lookup(name) {
            Some(var) => var,
            None => {
                let special =
                    matches!(name, "_pid" | "_last" | "_nr_pr" | "_priority" | "_" | "_p");
                if special {
                    let span = self.span(token);
                    let message = format!("`{name}` cannot be used here");
                    self.error(codes::READ_ONLY, span, message);
                } else {
                    self.unknown_name(token);
                }
                let span = self.span(token);
                self.unknown_var(span)
            }
        };
        if self.globals_only && self.model.vars[var.index()].owner != Owner::Model {
            let span = self.span(token);
            let message = format!("`{name}` is local, but only globals can be used here");
            self.error(codes::LOCAL_SCOPE, span, message);
        }
        let index = self.index()?;
        let unknown = self.is_unknown(var);
        let declared = &self.model.vars[var.index()];
        let (mut ty, mut array) = (declared.ty, declared.array);
        let mut reference = VarRef { var, index, fields: Vec::new(), span: self.span_from(token) };
        if !unknown {
            let more = self.at(Kind::Dot);
            let span = reference.span;
            let usage = if more { Use::Value } else { usage };
            reference.index = self.check_index(name, reference.index, array, usage, span)?;
        }
        while self.eat(Kind::Dot) {
            let field = self.peek();
            if field.kind != Kind::Ident {
                return Err(self.unexpected("the name of a field"));
            }
            self.bump();
            let field_name = self.text_of(field);
            let index = self.index()?;
            if unknown {
                continue;
            }
            let Type::Struct(id) = ty else {
                let span = self.span(field);
                let message =
                    format!("`{name}` is not a structure, it has no field `{field_name}`");
                let mut error = Diagnostic::error(codes::UNKNOWN_FIELD, span, message);
                if ty == Type::Chan {
                    let help = "a message is sent with `channel!value`, and received with `channel?variable`";
                    error = error.help(help);
                }
                return Err(self.report(error));
            };
            let def = &self.model.typedefs[id.index()];
            let found = self.field_names[id.index()].get(field_name);
            let Some(position) = found.map(|&p| p as usize) else {
                let message = format!("typedef `{}` has no field `{field_name}`", def.name);
                let known: Vec<_> = def.fields.iter().take(20).map(|f| f.name.as_str()).collect();
                let help = format!("its fields are: {}", known.join(", "));
                let at = self.span(field);
                let error = Diagnostic::error(codes::UNKNOWN_FIELD, at, message).help(help);
                return Err(self.report(error));
            };
            (ty, array) = (def.fields[position].ty, def.fields[position].array);
            let more = self.at(Kind::Dot);
            let span = self.span_from(field);
            let usage = if more { Use::Value } else { usage };
            let index = self.check_index(field_name, index, array, usage, span)?;
            reference.fields.push(FieldRef { field: position as u32, index });
        }
        reference.span = self.span_from(token);
        if usage == Use::Value && !unknown && matches!(ty, Type::Struct(_)) {
            let message = format!("`{name}` is a structure: a field of it is needed here");
            self.error(codes::STRUCTURE, reference.span, message);
        }
        Ok(reference)
    }

    fn index(&mut self) -> Parse<Option<Box<Expr>>> {
        if !self.eat(Kind::LBracket) {
            return Ok(None);
        }
        let runs = self.runs;
        let index = self.nested(|p| p.expr())?;
        self.no_run_since(runs, index.span);
        self.expect(Kind::RBracket, "after the index")?;
        Ok(Some(Box::new(index)))
    }

    /// Makes an index fit the declaration.
    fn check_index(
        &mut self,
        name: &str,
        index: Option<Box<Expr>>,
        array: Option<u32>,
        usage: Use,
        span: Span,
    ) -> Parse<Option<Box<Expr>>> {
        match (index, array) {
            (Some(index), None) => {
                if !matches!(index.kind, ExprKind::Const(0)) {
                    let message = format!("`{name}` is not an array");
                    let error = Diagnostic::error(codes::INDEX_ON_SCALAR, index.span, message);
                    return Err(self.report(error.label("an index is not possible here")));
                }
                Ok(None)
            }
            (None, Some(_)) => {
                if usage != Use::InlineArgument {
                    let message = format!("array `{name}` is used without an index");
                    let warning = Diagnostic::warning(codes::MISSING_INDEX, span, message);
                    self.report(warning.label("element 0 is meant"));
                }
                let zero = Expr { kind: ExprKind::Const(0), span };
                Ok(Some(Box::new(zero)))
            }
            (index, _) => Ok(index),
        }
    }

    /// The type of what a reference refers to.
    pub(super) fn type_of(&self, reference: &VarRef) -> Type {
        let mut ty = self.model.vars[reference.var.index()].ty;
        for field in &reference.fields {
            if let Type::Struct(id) = ty {
                ty = self.model.typedefs[id.index()].fields[field.field as usize].ty;
            }
        }
        ty
    }

    /// How many values a value of a type is, in a message or an argument list.
    pub(super) fn width_of(&self, ty: Type) -> usize {
        match ty {
            Type::Struct(id) => self.type_sizes[id.index()].width,
            _ => 1,
        }
    }
}
