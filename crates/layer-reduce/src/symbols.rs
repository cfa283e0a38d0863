//! Conditions that are comparisons of a variable with a number, once it is known who executes them.

use everypath_machine::Field;
use everypath_machine::code::{Binary, Op, REGISTERS, Reg, Space, Unary};

use crate::guard::{Test, compares};
use crate::walk::{Knowledge, Registers, element};

/// What the registers hold after straight code.
#[derive(Clone)]
pub(crate) struct Symbols {
    registers: Vec<Symbol>,
    /// There are several ways through the code.
    branches: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    Number(i32),
    Variable(Space, Field),
    Comparison { space: Space, field: Field, op: Binary, value: i32 },
    Other,
}

impl Default for Symbols {
    fn default() -> Symbols {
        Symbols { registers: vec![Symbol::Other; REGISTERS], branches: false }
    }
}

impl Symbols {
    /// The registers after an instruction.
    pub fn step(&mut self, knowledge: &dyn Knowledge, op: Op, regs: &Registers) {
        let variable = |space: Space, field: Field| match knowledge.load(space, field).known() {
            Some(value) => Symbol::Number(value),
            None => Symbol::Variable(space, field),
        };
        let (d, symbol) = match op {
            Op::Const { d, value } => (d, Symbol::Number(value)),
            Op::Pid { d } => (d, knowledge.pid().map_or(Symbol::Other, Symbol::Number)),
            Op::Load { d, space, field } => (d, variable(space, field)),
            Op::LoadAt { d, at, space, field } => {
                let field = regs.get(at).known().and_then(|at| element(field, at));
                (d, field.map_or(Symbol::Other, |field| variable(space, field)))
            }
            Op::Move { d, a } => (d, self.get(a)),
            Op::Unary { op, d, a } => (d, unary(op, self.get(a))),
            Op::Binary { op, d, a, b } => (d, binary(op, self.get(a), self.get(b))),
            // The register of the sum, of which the walk knows the value.
            Op::Scale { d, .. } => (d, Symbol::Other),
            Op::Bound { .. } | Op::NonZero { .. } => return,
            // Anything else, above all a way round: nothing can be told.
            _ => {
                self.branches = true;
                return;
            }
        };
        self.registers[usize::from(d)] = symbol;
    }

    fn get(&self, r: Reg) -> Symbol {
        self.registers[usize::from(r)]
    }

    /// A simpler test for a test of a register.
    pub fn test(&self, test: Test) -> Test {
        let Test::Register(register) = test else { return test };
        match self.get(register) {
            _ if self.branches => test,
            Symbol::Comparison { space, field, op, value } => {
                Test::Variable { space, field, op, value }
            }
            Symbol::Variable(space, field) => {
                Test::Variable { space, field, op: Binary::Ne, value: 0 }
            }
            Symbol::Number(_) | Symbol::Other => test,
        }
    }
}

fn unary(op: Unary, a: Symbol) -> Symbol {
    match (op, a) {
        (_, Symbol::Number(a)) => Symbol::Number(op.apply(a)),
        (Unary::Truth, Symbol::Variable(space, field)) => {
            Symbol::Comparison { space, field, op: Binary::Ne, value: 0 }
        }
        (Unary::Not, Symbol::Variable(space, field)) => {
            Symbol::Comparison { space, field, op: Binary::Eq, value: 0 }
        }
        (Unary::Truth, Symbol::Comparison { .. }) => a,
        _ => Symbol::Other,
    }
}

fn binary(op: Binary, a: Symbol, b: Symbol) -> Symbol {
    match (a, b) {
        (_, Symbol::Number(0)) if matches!(op, Binary::Div | Binary::Rem) => Symbol::Other,
        (Symbol::Number(a), Symbol::Number(b)) => Symbol::Number(op.apply(a, b)),
        (Symbol::Variable(space, field), Symbol::Number(value)) if compares(op) => {
            Symbol::Comparison { space, field, op, value }
        }
        (Symbol::Number(value), Symbol::Variable(space, field)) if compares(op) => {
            let op = match op {
                Binary::Lt => Binary::Gt,
                Binary::Le => Binary::Ge,
                Binary::Gt => Binary::Lt,
                Binary::Ge => Binary::Le,
                same => same,
            };
            Symbol::Comparison { space, field, op, value }
        }
        _ => Symbol::Other,
    }
}
