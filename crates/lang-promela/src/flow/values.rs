//! Which values a variable can hold, as a range: what is ever assigned to it or received into it.
//!
//! The ranges are hopeful: a sum is taken to stay within the range of its operands, so that a
//! counter does not count to the end of its type. They serve to leave out warnings, never to
//! claim anything.

use std::collections::BTreeMap;

use everypath_model::Brake;

use super::channels::{Channels, Field};
use super::{Slot, all_slots};
use crate::ast::*;
use crate::visit::{self, Access, Visit};

/// Lowest and highest value.
pub(crate) type Range = (i64, i64);

/// Rounds before a range that still grows is taken to be the whole type.
const MAX_ROUNDS: usize = 8;

/// The ranges of variables and of message fields.
#[derive(Debug, Default)]
pub(crate) struct Values {
    slots: BTreeMap<Slot, Range>,
    /// By channel and field.
    fields: BTreeMap<(usize, usize), Range>,
    changed: bool,
    widen: bool,
}

impl Values {
    /// Finds them; not all values are in them if the brake is pulled meanwhile.
    pub fn new(model: &Model, channels: &Channels<'_>, brake: &Brake) -> Values {
        let mut values = Values::default();
        for slot in all_slots(model).0 {
            let (ty, init) = slot.declaration(model);
            // A variable that gets a first value still is 0 before its declaration is executed.
            let mut range = (0, 0);
            if let Init::List(list) = init {
                for &value in list {
                    range = hull(range, (value.into(), value.into()));
                }
            }
            values.slots.insert(slot, meet(range, declared(ty)));
        }
        for round in 0.. {
            values.changed = false;
            values.widen = round >= MAX_ROUNDS;
            values.round(model, channels);
            if !values.changed || brake.pulled().is_some() {
                return values;
            }
        }
        values
    }

    /// The range of a variable; the whole type if it is not known.
    pub fn slot(&self, slot: &Slot, ty: Type) -> Range {
        self.slots.get(slot).copied().unwrap_or(declared(ty))
    }

    /// What is ever put into a field of a channel; `None` if nothing is.
    pub fn field(&self, site: usize, field: usize) -> Option<Range> {
        self.fields.get(&(site, field)).copied()
    }

    fn round(&mut self, model: &Model, channels: &Channels<'_>) {
        for (i, var) in model.vars.iter().enumerate() {
            if let Init::Expr(e) = &var.init {
                let range = self.expr(model, e);
                self.write(model, &Slot { var: VarId(i as u32), path: Vec::new() }, range);
            }
        }
        visit::walk_model(&mut Writer { model, values: self }, model);
        for send in &channels.sends {
            for (i, field) in send.fields.iter().flatten().enumerate() {
                let range = match field {
                    Field::Value(e) => self.expr(model, e),
                    Field::Slot(slot, ty) => self.slot(slot, *ty),
                    Field::Any => continue,
                };
                for site in channels.held(&send.channel) {
                    let Some(&ty) = channels.sites[site].fields.get(i) else { continue };
                    let range = meet(range, declared(ty));
                    let old = self.fields.get(&(site, i)).copied();
                    let new = old.map_or(range, |old| hull(old, range));
                    if old != Some(new) {
                        let new = if self.widen { declared(ty) } else { new };
                        self.fields.insert((site, i), new);
                        self.changed = true;
                    }
                }
            }
        }
        for receive in &channels.receives {
            for (i, field) in receive.fields.iter().flatten().enumerate() {
                let Field::Slot(slot, _) = field else { continue };
                for site in channels.held(&receive.channel) {
                    if let Some(range) = self.field(site, i) {
                        self.write(model, slot, range);
                    }
                }
            }
        }
    }

    /// A value goes into a slot; what does not fit is cut, to anything.
    fn write(&mut self, model: &Model, slot: &Slot, range: Range) {
        let (ty, _) = slot.declaration(model);
        let whole = declared(ty);
        let range = meet(range, whole);
        let old = self.slots.get(slot).copied().unwrap_or((0, 0));
        let new = hull(old, range);
        if new != old {
            self.slots.insert(slot.clone(), if self.widen { whole } else { new });
            self.changed = true;
        }
    }

    /// The range of an expression.
    pub fn expr(&self, model: &Model, e: &Expr) -> Range {
        let int = declared(Type::Int);
        match &e.kind {
            ExprKind::Const(value) => ((*value).into(), (*value).into()),
            ExprKind::Mtype(..) => (0, 255),
            ExprKind::Var(r) => {
                let (slot, ty) = Slot::of(model, r);
                self.slot(&slot, ty)
            }
            ExprKind::RemoteVar { var, .. } => {
                let slot = Slot { var: *var, path: Vec::new() };
                self.slot(&slot, model.vars[var.index()].ty)
            }
            ExprKind::Unary(UnaryOp::Not, _) => (0, 1),
            ExprKind::Unary(UnaryOp::Neg, a) => {
                let (low, high) = self.expr(model, a);
                meet((-high, -low), int)
            }
            ExprKind::Unary(UnaryOp::Complement, _) => int,
            ExprKind::Binary(op, a, b) => {
                result_range(*op, self.expr(model, a), self.expr(model, b))
            }
            ExprKind::Cond(_, a, b) => hull(self.expr(model, a), self.expr(model, b)),
            ExprKind::Len(_)
            | ExprKind::Run { .. }
            | ExprKind::Pid
            | ExprKind::ProcessCount
            | ExprKind::Last
            | ExprKind::GetPriority(_)
            | ExprKind::Priority => (0, 255),
            ExprKind::Probe(..)
            | ExprKind::Poll { .. }
            | ExprKind::Enabled(_)
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::RemoteLabel { .. } => (0, 1),
            ExprKind::PcValue(_) | ExprKind::Any | ExprKind::C { .. } | ExprKind::Temporal(..) => {
                int
            }
        }
    }
}

/// The values of a type.
pub(crate) fn declared(ty: Type) -> Range {
    match ty {
        Type::Bit | Type::Bool => (0, 1),
        Type::Byte | Type::Pid | Type::Mtype(_) | Type::Chan => (0, 255),
        Type::Short => (i16::MIN.into(), i16::MAX.into()),
        Type::Int | Type::Struct(_) => (i32::MIN.into(), i32::MAX.into()),
        Type::Unsigned(width) => (0, (1i64 << u32::from(width).min(32)) - 1),
    }
}

fn hull(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}

/// What is left of a range in a type: all of the type if some of it is cut off.
fn meet(range: Range, whole: Range) -> Range {
    if whole.0 <= range.0 && range.1 <= whole.1 { range } else { whole }
}

/// The range of a result. Sums and products get the range of both operands together, as if they
/// did not overflow: `b = b + 1` is right for a byte, and a search finds where it is not.
pub(crate) fn result_range(op: BinaryOp, (a, b): Range, (c, d): Range) -> Range {
    use BinaryOp::*;
    let both = hull((a, b), (c, d));
    match op {
        Lt | Le | Gt | Ge | Eq | Ne | And | Or => (0, 1),
        // Constants stay constants: macros are full of them.
        _ if a == b && c == d => constant(op, a, c).map_or(both, |value| (value, value)),
        Rem if c > 0 || d < 0 => {
            let most = c.abs().max(d.abs()) - 1;
            (if a < 0 { -most } else { 0 }, if b < 0 { 0 } else { most.min(b) })
        }
        Div if c > 0 => (a.min(0), b.max(0)),
        BitAnd if a >= 0 && c >= 0 => (0, b.min(d)),
        BitAnd if c >= 0 => (0, d),
        BitAnd if a >= 0 => (0, b),
        Shr if a >= 0 => (0, b),
        Shl => (a, b),
        Sub if a >= 0 && c >= 0 => (0, b),
        _ => both,
    }
}

fn constant(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a.checked_mul(b)?,
        BinaryOp::Div => a.checked_div(b)?,
        BinaryOp::Rem => a.checked_rem(b)?,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl if (0..31).contains(&b) => a << b,
        BinaryOp::Shr if (0..31).contains(&b) => a >> b,
        _ => return None,
    };
    i32::try_from(value).ok().map(i64::from)
}

/// Takes every assignment into account.
struct Writer<'v, 'm> {
    model: &'m Model,
    values: &'v mut Values,
}

impl Writer<'_, '_> {
    fn assign(&mut self, r: &VarRef, e: &Expr) {
        let (slot, ty) = Slot::of(self.model, r);
        if let (Type::Struct(_), ExprKind::Var(from)) = (ty, &e.kind) {
            let (from, from_ty) = Slot::of(self.model, from);
            let parts = from.scalars(self.model, from_ty).zip(slot.scalars(self.model, ty));
            for ((from, ty), (to, _)) in parts.into_iter().flat_map(|(a, b)| a.into_iter().zip(b)) {
                let range = self.values.slot(&from, ty);
                self.values.write(self.model, &to, range);
            }
            return;
        }
        let range = self.values.expr(self.model, e);
        self.values.write(self.model, &slot, range);
    }
}

impl Visit for Writer<'_, '_> {
    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Assign(Target::Var(r), e) => self.assign(r, e),
            StmtKind::Select { var, from, to, .. }
            | StmtKind::For { var, over: ForRange::Values(from, to), .. } => {
                self.assign(var, from);
                self.assign(var, to);
            }
            StmtKind::For { var, over: ForRange::Array(size), .. } => {
                let (slot, _) = Slot::of(self.model, var);
                self.values.write(self.model, &slot, (0, (*size).into()));
            }
            _ => {}
        }
        visit::walk_stmt(self, s);
    }

    fn var_ref(&mut self, r: &VarRef, access: Access) {
        if access == Access::Update {
            let (slot, ty) = Slot::of(self.model, r);
            let range = hull(self.values.slot(&slot, ty), (0, 1));
            self.values.write(self.model, &slot, range);
        }
        visit::walk_var_ref(self, r);
    }

    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Run { proctype, args, .. } = &e.kind {
            let params = &self.model.proctypes[proctype.index()].params;
            let plain =
                params.iter().all(|p| !matches!(self.model.vars[p.index()].ty, Type::Struct(_)));
            for (i, &var) in params.iter().enumerate() {
                let slot = Slot { var, path: Vec::new() };
                if plain && let Some(arg) = args.get(i) {
                    let range = self.values.expr(self.model, arg);
                    self.values.write(self.model, &slot, range);
                } else {
                    for (slot, ty) in slot
                        .scalars(self.model, self.model.vars[var.index()].ty)
                        .unwrap_or_default()
                    {
                        self.values.write(self.model, &slot, declared(ty));
                    }
                }
            }
        }
        visit::walk_expr(self, e);
    }
}
