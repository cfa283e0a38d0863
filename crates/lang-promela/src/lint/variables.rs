//! Variables and fields that are never read, never written, or neither.

use std::collections::{BTreeMap, BTreeSet};

use everypath_model::Span;

use super::Context;
use crate::ast::*;
use crate::codes;
use crate::flow::Slot;
use crate::visit::{self, Access, Visit};

/// How a scalar is used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usage {
    pub read: bool,
    pub written: bool,
    /// Has an initial value.
    pub initialised: bool,
    /// Written by something else than a receive.
    pub assigned: bool,
}

/// How the scalars of a model are used; elements of an array are one.
pub(super) struct Usages<'m> {
    model: &'m Model,
    by_slot: BTreeMap<Slot, Usage>,
    /// Fields of typedefs that are moved with the whole structure.
    moved: BTreeSet<TypeId>,
}

impl<'m> Usages<'m> {
    pub fn new(model: &'m Model) -> Usages<'m> {
        let mut usages = Usages { model, by_slot: BTreeMap::new(), moved: BTreeSet::new() };
        visit::walk_model(&mut usages, model);
        for (i, var) in model.vars.iter().enumerate() {
            if !matches!(var.init, Init::None) {
                let slot = Slot { var: VarId(i as u32), path: Vec::new() };
                usages.by_slot.entry(slot).or_default().initialised = true;
            }
        }
        for proctype in &model.proctypes {
            for &var in &proctype.params {
                usages.each(Slot { var, path: Vec::new() }, |usage| usage.written = true);
            }
        }
        usages
    }

    pub fn of(&self, slot: &Slot) -> Usage {
        self.by_slot.get(slot).copied().unwrap_or_default()
    }

    /// Changes the usage of all scalars in a slot.
    fn each(&mut self, slot: Slot, change: impl Fn(&mut Usage)) {
        let (ty, _) = slot.declaration(self.model);
        match ty {
            Type::Struct(id) => {
                self.moved.insert(id);
                let parts = slot.scalars(self.model, ty).unwrap_or_default();
                for (part, _) in parts {
                    change(self.by_slot.entry(part).or_default());
                }
            }
            _ => change(self.by_slot.entry(slot).or_default()),
        }
    }
}

impl Visit for Usages<'_> {
    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            // The loop itself reads its variable.
            StmtKind::For { var, over, .. } => {
                let (slot, _) = Slot::of(self.model, var);
                let counts = !matches!(over, ForRange::Channel { .. });
                self.each(slot, |usage| {
                    usage.read |= counts;
                    usage.assigned |= counts;
                });
            }
            StmtKind::Assign(Target::Var(r), _) | StmtKind::Select { var: r, .. } => {
                let (slot, _) = Slot::of(self.model, r);
                self.each(slot, |usage| usage.assigned = true);
            }
            _ => {}
        }
        visit::walk_stmt(self, s);
    }

    fn expr(&mut self, e: &Expr) {
        if let ExprKind::RemoteVar { var, .. } = &e.kind {
            self.each(Slot { var: *var, path: Vec::new() }, |usage| usage.read = true);
        }
        visit::walk_expr(self, e);
    }

    fn var_ref(&mut self, r: &VarRef, access: Access) {
        let (slot, _) = Slot::of(self.model, r);
        self.each(slot, |usage| match access {
            Access::Write => usage.written = true,
            Access::Update => (usage.written, usage.assigned) = (true, true),
            Access::Read | Access::Send | Access::Receive | Access::Look | Access::Claim => {
                usage.read = true;
            }
        });
        visit::walk_var_ref(self, r);
    }
}

/// Unused, unread and unwritten variables; fields once for all variables of their type.
pub(super) fn check(cx: &mut Context<'_>) {
    let model = cx.model;
    for (i, var) in model.vars.iter().enumerate() {
        let slot = Slot { var: VarId(i as u32), path: Vec::new() };
        let skip = var.synthetic
            || var.owner == Owner::Claim
            || matches!(var.prefix, Prefix::Show)
            || cx.mentioned.contains(var.name.as_str());
        if !skip && !matches!(var.ty, Type::Struct(_)) {
            variable(cx, var, &slot);
        }
    }
    // The usage of a field over all variables of the type.
    let mut fields: BTreeMap<(TypeId, u32), Usage> = BTreeMap::new();
    for (slot, usage) in &cx.usages.by_slot {
        let mut ty = model.vars[slot.var.index()].ty;
        for (depth, &field) in slot.path.iter().enumerate() {
            let Type::Struct(id) = ty else { break };
            if depth + 1 == slot.path.len() {
                let all = fields.entry((id, field)).or_default();
                all.read |= usage.read;
                all.written |= usage.written;
            }
            ty = model.typedefs[id.index()].fields[field as usize].ty;
        }
    }
    for (id, def) in model.typedefs.iter().enumerate() {
        let id = TypeId(id as u32);
        if cx.usages.moved.contains(&id) {
            continue;
        }
        for (i, field) in def.fields.iter().enumerate() {
            if matches!(field.ty, Type::Struct(_)) || cx.mentioned.contains(field.name.as_str()) {
                continue;
            }
            let usage = fields.get(&(id, i as u32)).copied().unwrap_or_default();
            let initialised = !matches!(field.init, Init::None);
            let name = format!("field `{}` of `{}`", field.name, def.name);
            report(cx, &name, field.ty, field.span, Usage { initialised, ..usage });
        }
    }
}

fn variable(cx: &mut Context<'_>, var: &Var, slot: &Slot) {
    let usage = cx.usages.of(slot);
    let name = format!("`{}`", var.name);
    // A hidden variable is a place to throw values into.
    if usage.written && !usage.read && var.prefix == Prefix::Hidden {
        return;
    }
    let only_received = usage.written && !usage.assigned && !usage.initialised;
    let parameter = match var.owner {
        Owner::Proctype(p) => cx.model.proctypes[p.index()].params.contains(&slot.var),
        _ => false,
    };
    if !usage.read && parameter {
        let message = format!("parameter {name} is never used");
        cx.warn(codes::UNUSED_VARIABLE, var.span, message);
    } else if !usage.read && only_received && var.ty != Type::Chan {
        let message = format!("{name} is received into but never read");
        cx.warn(codes::UNREAD_VARIABLE, var.span, message).help("`_` in its place takes any value");
    } else {
        report(cx, &name, var.ty, var.span, usage);
    }
}

fn report(cx: &mut Context<'_>, name: &str, ty: Type, span: Span, usage: Usage) {
    match (usage.read, usage.written) {
        (true, true) => {}
        // The channels have lints of their own.
        _ if ty == Type::Chan && (usage.read || usage.written || usage.initialised) => {}
        // A constant.
        (true, false) if usage.initialised => {}
        (true, false) => {
            let message = format!("{name} is read but never written; it is always 0");
            cx.warn(codes::UNWRITTEN_VARIABLE, span, message);
        }
        (false, true) => {
            let message = format!("{name} is written but never read");
            cx.warn(codes::UNREAD_VARIABLE, span, message);
        }
        (false, false) => {
            cx.warn(codes::UNUSED_VARIABLE, span, format!("{name} is never used"));
        }
    }
}
