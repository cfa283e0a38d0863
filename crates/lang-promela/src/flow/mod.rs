//! What flows where in a model, whatever the order of its steps: which channels a variable can
//! hold ([`channels`]) and which values ([`values`]).
//!
//! A part of a variable is named by a [`Slot`]; the elements of an array are one.

pub(crate) mod channels;
pub(crate) mod values;

use crate::ast::*;

/// A scalar in a variable: the variable and the fields that lead to the scalar.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Slot {
    pub var: VarId,
    pub path: Vec<u32>,
}

/// Structures of more scalars, or more levels, are not followed.
const MAX_WIDTH: usize = 1024;

impl Slot {
    /// The slot that a reference names, with its type; a structure is a slot here too.
    pub fn of(model: &Model, r: &VarRef) -> (Slot, Type) {
        let mut ty = model.vars[r.var.index()].ty;
        let mut path = Vec::new();
        for field in &r.fields {
            let Type::Struct(def) = ty else { break };
            ty = model.typedefs[def.index()].fields[field.field as usize].ty;
            path.push(field.field);
        }
        (Slot { var: r.var, path }, ty)
    }

    /// The scalars of a slot in order, as many times as arrays inside repeat them; `None` if there
    /// are too many.
    pub fn scalars(&self, model: &Model, ty: Type) -> Option<Vec<(Slot, Type)>> {
        let mut out = Vec::new();
        self.clone().collect(model, ty, true, &mut out)?;
        Some(out)
    }

    /// Collects the scalars below `self`, which is left as it was; `None` if there are too many.
    fn collect(
        &mut self,
        model: &Model,
        ty: Type,
        repeat: bool,
        out: &mut Vec<(Slot, Type)>,
    ) -> Option<()> {
        let Type::Struct(def) = ty else {
            out.push((self.clone(), ty));
            return (out.len() <= MAX_WIDTH).then_some(());
        };
        if self.path.len() >= MAX_WIDTH {
            return None;
        }
        for (i, field) in model.typedefs[def.index()].fields.iter().enumerate() {
            self.path.push(i as u32);
            let times = if repeat { field.array.unwrap_or(1) } else { 1 };
            for _ in 0..times {
                self.collect(model, field.ty, repeat, out)?;
            }
            self.path.pop();
        }
        Some(())
    }

    /// The declaration of the slot: its type and initial value.
    pub fn declaration<'m>(&self, model: &'m Model) -> (Type, &'m Init) {
        let var = &model.vars[self.var.index()];
        let (mut ty, mut init) = (var.ty, &var.init);
        for &field in &self.path {
            let Type::Struct(def) = ty else { break };
            let field = &model.typedefs[def.index()].fields[field as usize];
            (ty, init) = (field.ty, &field.init);
        }
        (ty, init)
    }

    /// `q`, `node.inbox`
    pub fn name(&self, model: &Model) -> String {
        let var = &model.vars[self.var.index()];
        let mut name = var.name.clone();
        let mut ty = var.ty;
        for &field in &self.path {
            let Type::Struct(def) = ty else { break };
            let field = &model.typedefs[def.index()].fields[field as usize];
            name.push('.');
            name.push_str(&field.name);
            ty = field.ty;
        }
        name
    }
}

/// The scalars of all variables, each once, and whether all are there: variables with too many
/// are left out.
pub(crate) fn all_slots(model: &Model) -> (Vec<Slot>, bool) {
    let (mut out, mut all) = (Vec::new(), true);
    for (i, var) in model.vars.iter().enumerate() {
        let mut slot = Slot { var: VarId(i as u32), path: Vec::new() };
        let mut parts = Vec::new();
        match slot.collect(model, var.ty, false, &mut parts) {
            Some(()) => out.extend(parts.into_iter().map(|(slot, _)| slot)),
            None => all = false,
        }
    }
    (out, all)
}

/// The scalar types of a message with these fields; `None` if there are too many.
pub(crate) fn scalar_types(model: &Model, fields: &[Type]) -> Option<Vec<Type>> {
    // Only the types count, so any variable will do.
    let slot = Slot { var: VarId(0), path: Vec::new() };
    let mut out = Vec::new();
    for &ty in fields {
        out.extend(slot.scalars(model, ty)?.into_iter().map(|(_, ty)| ty));
        if out.len() > MAX_WIDTH {
            return None;
        }
    }
    Some(out)
}
