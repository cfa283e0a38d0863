//! What is known before an instruction: ranges of registers and of local scalars.

use everypath_machine::code::{Binary, Reg};

use crate::interval::Interval;

/// What a register is known to tell about a local scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tells {
    Nothing,
    /// It is its value.
    Value(usize),
    /// It is not zero if and only if this comparison with a value of the range is true.
    Test {
        cell: usize,
        op: Binary,
        with: Interval,
    },
}

/// What is known before an instruction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Env {
    pub registers: Vec<(Interval, Tells)>,
    /// The local scalars that are followed.
    pub cells: Vec<Interval>,
}

impl Env {
    pub fn register(&self, r: Reg) -> Interval {
        self.registers.get(usize::from(r)).map_or(Interval::ANY, |(range, _)| *range)
    }

    pub fn tells(&self, r: Reg) -> Tells {
        self.registers.get(usize::from(r)).map_or(Tells::Nothing, |(_, tells)| *tells)
    }

    pub fn set(&mut self, r: Reg, range: Interval, tells: Tells) {
        if let Some(slot) = self.registers.get_mut(usize::from(r)) {
            *slot = (range, tells);
        }
    }

    /// Whether something new is possible; ranges that grow are given up if `widen` says so.
    pub fn join(&mut self, other: &Env, widen: bool) -> bool {
        let mut grown = false;
        for (mine, more) in self.registers.iter_mut().zip(&other.registers) {
            let mut range = mine.0.join(more.0);
            if widen && range != mine.0 {
                range = Interval::ANY;
            }
            let tells = if mine.1 == more.1 { mine.1 } else { Tells::Nothing };
            grown |= *mine != (range, tells);
            *mine = (range, tells);
        }
        for (mine, more) in self.cells.iter_mut().zip(&other.cells) {
            let mut range = mine.join(*more);
            if widen && range != *mine {
                range = Interval::ANY;
            }
            grown |= *mine != range;
            *mine = range;
        }
        grown
    }

    /// A scalar was written: what registers told about it is no longer true.
    pub fn forget(&mut self, cell: usize) {
        for (_, tells) in &mut self.registers {
            match *tells {
                Tells::Value(of) | Tells::Test { cell: of, .. } if of == cell => {
                    *tells = Tells::Nothing;
                }
                _ => {}
            }
        }
    }

    /// Takes into account that a register is zero, or is not; false if it cannot be so.
    pub fn assume(&mut self, r: Reg, zero: bool) -> bool {
        let op = if zero { Binary::Eq } else { Binary::Ne };
        let Some(range) = self.register(r).such_that(op, Interval::one(0)) else { return false };
        let tells = self.tells(r);
        self.set(r, range, tells);
        let (cell, op, with) = match tells {
            Tells::Nothing => return true,
            Tells::Value(cell) => (cell, op, Interval::one(0)),
            Tells::Test { cell, op, with } => (cell, if zero { negated(op) } else { op }, with),
        };
        match self.cells[cell].such_that(op, with) {
            Some(range) => {
                self.cells[cell] = range;
                true
            }
            None => false,
        }
    }
}

pub(crate) fn negated(op: Binary) -> Binary {
    match op {
        Binary::Lt => Binary::Ge,
        Binary::Le => Binary::Gt,
        Binary::Gt => Binary::Le,
        Binary::Ge => Binary::Lt,
        Binary::Eq => Binary::Ne,
        Binary::Ne => Binary::Eq,
        other => other,
    }
}

pub(crate) fn flipped(op: Binary) -> Binary {
    match op {
        Binary::Lt => Binary::Gt,
        Binary::Le => Binary::Ge,
        Binary::Gt => Binary::Lt,
        Binary::Ge => Binary::Le,
        other => other,
    }
}

pub(crate) fn compares(op: Binary) -> bool {
    use Binary::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq | Ge | Gt | Le | Lt | Ne)
}
