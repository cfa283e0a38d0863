//! Variables one scalar at a time, what is known of their values, and what conditions say about them.

use std::collections::BTreeMap;

use super::instance::Instance;
use crate::ast::*;
use crate::flow::values::declared;

/// A value that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Known {
    /// A number.
    Int(i32),
    /// A channel, by its number.
    Chan(usize),
}

/// What is known of the variables of a process that are followed by themselves.
pub(super) type Env = BTreeMap<VarId, Known>;

/// A scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// `x`, `a.1`, `P1.s.f`.
    pub name: String,
    /// The name of the variable alone.
    pub plain: String,
    pub ty: Type,
}

/// What a reference may mean.
#[derive(Clone, Debug)]
pub(super) enum Cells {
    /// One scalar.
    One(Cell),
    /// One of these, or several.
    Some(Vec<Cell>),
    /// Nothing that is followed.
    Unknown,
}

/// A test: a scalar has a value, or has it not.
pub(super) type Test = (Cell, bool, i32);

/// Scalars of a variable, at most; others are not followed.
const MOST_CELLS: usize = 64;
/// Ways in which a condition may hold, at most.
const MOST_WAYS: usize = 16;

/// What expressions of an instance are looked at with.
pub(super) struct View<'a> {
    pub model: &'a Model,
    pub instance: &'a Instance,
    pub env: &'a Env,
}

impl View<'_> {
    /// The value of an expression, if it is known.
    pub fn eval(&self, e: &Expr) -> Option<i32> {
        self.eval_with(e, &[])
    }

    fn eval_with(&self, e: &Expr, given: &[(Cell, i32)]) -> Option<i32> {
        let of = |e: &Expr| self.eval_with(e, given);
        match &e.kind {
            ExprKind::Const(value) | ExprKind::Mtype(_, value) => Some(*value),
            ExprKind::Var(r) => match self.env.get(&r.var) {
                Some(Known::Int(value)) => Some(*value),
                Some(Known::Chan(_)) => None,
                None => match self.cells(r) {
                    Cells::One(cell) => {
                        given.iter().find(|(known, _)| *known == cell).map(|(_, value)| *value)
                    }
                    _ => None,
                },
            },
            ExprKind::Pid => self.instance.pid,
            ExprKind::Unary(op, a) => Some(op.apply(of(a)?)),
            ExprKind::Binary(BinaryOp::And, a, b) => match (of(a), of(b)) {
                (Some(0), _) | (_, Some(0)) => Some(0),
                (a, b) => Some(i32::from(a? != 0 && b? != 0)),
            },
            ExprKind::Binary(BinaryOp::Or, a, b) => match (of(a), of(b)) {
                (Some(a), _) if a != 0 => Some(1),
                (_, Some(b)) if b != 0 => Some(1),
                (a, b) => Some(i32::from(a? != 0 || b? != 0)),
            },
            ExprKind::Binary(op, a, b) => op.apply(of(a)?, of(b)?),
            ExprKind::Cond(c, a, b) => {
                if of(c)? != 0 {
                    of(a)
                } else {
                    of(b)
                }
            }
            _ => None,
        }
    }

    /// The scalars that a reference may mean.
    pub fn cells(&self, r: &VarRef) -> Cells {
        let var = &self.model.vars[r.var.index()];
        let own = var.owner != Owner::Model;
        // Several processes have variables of the same name.
        let hidden = own && self.instance.many;
        if hidden || self.env.contains_key(&r.var) || self.instance.is_followed(r.var) {
            return Cells::Unknown;
        }
        if count(self.model, var.ty, var.array).is_none_or(|count| count > MOST_CELLS) {
            return Cells::Unknown;
        }
        let prefix = match own {
            true => format!("{}.", self.instance.name),
            false => String::new(),
        };
        let mut names = vec![format!("{prefix}{}", var.name)];
        let mut exact = true;
        let (mut ty, mut array) = (var.ty, var.array);
        let mut index = &r.index;
        let mut fields = r.fields.iter();
        loop {
            if let Some(size) = array {
                let known = index.as_ref().map(|index| self.eval(index));
                let places: Vec<i32> = match known {
                    Some(Some(value)) => vec![value],
                    // A whole array, or an element that is not known.
                    Some(None) | None => (0..size as i32).collect(),
                };
                exact &= places.len() == 1;
                names = names
                    .iter()
                    .flat_map(|name| places.iter().map(move |place| format!("{name}.{place}")))
                    .collect();
            }
            let (Type::Struct(def), Some(field)) = (ty, fields.next()) else { break };
            let of = &self.model.typedefs[def.index()].fields[field.field as usize];
            names.iter_mut().for_each(|name| *name = format!("{name}.{}", of.name));
            (ty, array, index) = (of.ty, of.array, &field.index);
        }
        let mut found = Vec::new();
        for name in names {
            self.below(name, ty, &var.name, &mut found);
        }
        exact &= found.len() == 1;
        match exact {
            true => found.pop().map_or(Cells::Unknown, Cells::One),
            false => Cells::Some(found),
        }
    }

    /// All scalars of a variable, with the place of each in its array if it is one.
    pub fn all_cells(&self, var: VarId) -> Vec<Cell> {
        let span = self.model.vars[var.index()].span;
        match self.cells(&VarRef { var, index: None, fields: Vec::new(), span }) {
            Cells::One(cell) => vec![cell],
            Cells::Some(cells) => cells,
            Cells::Unknown => Vec::new(),
        }
    }

    fn below(&self, name: String, ty: Type, plain: &str, out: &mut Vec<Cell>) {
        match ty {
            Type::Struct(def) => {
                for field in &self.model.typedefs[def.index()].fields {
                    let name = format!("{name}.{}", field.name);
                    match field.array {
                        Some(size) => (0..size).for_each(|place| {
                            self.below(format!("{name}.{place}"), field.ty, plain, out);
                        }),
                        None => self.below(name, field.ty, plain, out),
                    }
                }
            }
            Type::Chan => {}
            ty => out.push(Cell { name, plain: plain.to_owned(), ty }),
        }
    }

    /// A value as it is written.
    pub fn text(&self, ty: Type, value: i32) -> String {
        match ty {
            Type::Bool if value == 0 => "false".to_owned(),
            Type::Bool if value == 1 => "true".to_owned(),
            Type::Mtype(set) => {
                let names = &self.model.mtypes[set.index()].names;
                let place = usize::try_from(value).ok().and_then(|value| value.checked_sub(1));
                let name = place.and_then(|place| names.get(place));
                name.cloned().unwrap_or_else(|| value.to_string())
            }
            _ => value.to_string(),
        }
    }

    /// The values of a type with few of them.
    fn domain(&self, ty: Type) -> Vec<i32> {
        match ty {
            Type::Bit | Type::Bool => vec![0, 1],
            _ => Vec::new(),
        }
    }

    /// The scalars with few values that an expression reads, if there are not too many.
    fn few(&self, e: &Expr) -> Vec<Cell> {
        let mut found: Vec<Cell> = Vec::new();
        for_each_read(e, &mut |r| {
            if let Cells::One(cell) = self.cells(r)
                && !self.domain(cell.ty).is_empty()
                && !found.contains(&cell)
            {
                found.push(cell);
            }
        });
        if 1usize << found.len().min(63) > MOST_WAYS {
            found.clear();
        }
        found
    }

    /// All values of some scalars.
    fn assignments(&self, cells: &[Cell]) -> Vec<Vec<(Cell, i32)>> {
        cells.iter().fold(vec![Vec::new()], |all, cell| {
            let with = |one: &Vec<(Cell, i32)>, value: i32| {
                let mut one = one.clone();
                one.push((cell.clone(), value));
                one
            };
            let values = self.domain(cell.ty);
            all.iter().flat_map(|one| values.iter().map(move |&value| with(one, value))).collect()
        })
    }

    /// The ways in which an expression may get its value: what is tested, and the value if it is known then.
    pub fn outcomes(&self, e: &Expr) -> Vec<(Vec<Test>, Option<i32>)> {
        if let Some(value) = self.eval(e) {
            return vec![(Vec::new(), Some(value))];
        }
        let cells = self.few(e);
        let ways: Vec<_> = self
            .assignments(&cells)
            .into_iter()
            .map(|given| (self.eval_with(e, &given), given))
            .collect();
        if ways.iter().all(|(value, _)| value.is_none()) {
            return vec![(Vec::new(), None)];
        }
        let tests = |given: Vec<(Cell, i32)>| {
            given.into_iter().map(|(cell, value)| (cell, true, value)).collect()
        };
        ways.into_iter().map(|(value, given)| (tests(given), value)).collect()
    }

    /// The ways in which a condition may be true, or false: each is some tests.
    pub fn ways(&self, e: &Expr, wanted: bool) -> Vec<Vec<Test>> {
        if let Some(value) = self.eval(e) {
            return if (value != 0) == wanted { vec![Vec::new()] } else { Vec::new() };
        }
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, a) => return self.ways(a, !wanted),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let (one, other) = (self.ways(a, wanted), self.ways(b, wanted));
                if (*op == BinaryOp::And) == wanted {
                    return both(&one, &other);
                }
                let all: Vec<Vec<Test>> = one.into_iter().chain(other).collect();
                return if all.iter().any(Vec::is_empty) { vec![Vec::new()] } else { all };
            }
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                let is = (*op == BinaryOp::Eq) == wanted;
                for (one, other) in [(a, b), (b, a)] {
                    if let (Some(cell), Some(value)) = (self.scalar(one), self.eval(other)) {
                        return vec![vec![self.test(cell, is, value)]];
                    }
                }
            }
            ExprKind::Var(_) => {
                if let Some(cell) = self.scalar(e) {
                    return vec![vec![self.test(cell, !wanted, 0)]];
                }
            }
            _ => {}
        }
        let cells = self.few(e);
        if cells.is_empty() {
            return vec![Vec::new()];
        }
        let fits = |given: &Vec<(Cell, i32)>| {
            self.eval_with(e, given).is_none_or(|value| (value != 0) == wanted)
        };
        let ways: Vec<Vec<Test>> = self
            .assignments(&cells)
            .into_iter()
            .filter(fits)
            .map(|given| given.into_iter().map(|(cell, value)| (cell, true, value)).collect())
            .collect();
        // If everything fits, nothing is known.
        if ways.len() == 1 << cells.len() { vec![Vec::new()] } else { ways }
    }

    fn scalar(&self, e: &Expr) -> Option<Cell> {
        match &e.kind {
            ExprKind::Var(r) => match self.cells(r) {
                Cells::One(cell) => Some(cell),
                _ => None,
            },
            _ => None,
        }
    }

    /// A truth value that is not the one is the other.
    fn test(&self, cell: Cell, is: bool, value: i32) -> Test {
        match (is, self.domain(cell.ty).contains(&value)) {
            (false, true) => (cell, true, 1 - value),
            (is, _) => (cell, is, value),
        }
    }

    /// The value that a variable of a type has after it got this one, if that is sure.
    pub fn stored(ty: Type, value: i32) -> Option<i32> {
        let (low, high) = declared(ty);
        (low..=high).contains(&i64::from(value)).then_some(value)
    }
}

/// Both of two conditions.
fn both(one: &[Vec<Test>], other: &[Vec<Test>]) -> Vec<Vec<Test>> {
    if one.is_empty() || other.is_empty() {
        return Vec::new();
    }
    if one.len() * other.len() > MOST_WAYS {
        // Half of it is true as well.
        return if one.len() <= other.len() { one.to_vec() } else { other.to_vec() };
    }
    let joined = |a: &Vec<Test>, b: &Vec<Test>| a.iter().chain(b).cloned().collect();
    one.iter().flat_map(|a| other.iter().map(move |b| joined(a, b))).collect()
}

/// Number of scalars; `None` if there are too many.
fn count(model: &Model, ty: Type, array: Option<u32>) -> Option<usize> {
    let one = match ty {
        Type::Struct(def) => {
            let mut sum = 0usize;
            for field in &model.typedefs[def.index()].fields {
                sum += count(model, field.ty, field.array)?;
            }
            sum
        }
        _ => 1,
    };
    one.checked_mul(array.unwrap_or(1) as usize).filter(|&count| count <= 1 << 20)
}

/// Every variable that an expression reads.
pub(super) fn for_each_read(e: &Expr, found: &mut dyn FnMut(&VarRef)) {
    use crate::visit::{Access, Visit, walk_var_ref};
    struct Reads<'f>(&'f mut dyn FnMut(&VarRef));
    impl Visit for Reads<'_> {
        fn var_ref(&mut self, r: &VarRef, _access: Access) {
            (self.0)(r);
            walk_var_ref(self, r);
        }
    }
    Reads(found).expr(e);
}
