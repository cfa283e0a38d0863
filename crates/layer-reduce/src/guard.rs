//! Guards taken apart into conditions that must all hold.

use everypath_machine::code::{Binary, Op, Probe, Reg, Space, Unary};
use everypath_machine::{Field, Machine};

/// A part of a guard. If it is false, the statement cannot be executed, whatever the others are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Its instructions.
    pub start: u32,
    /// The instruction that tests it.
    pub end: u32,
    pub test: Test,
}

/// How a part is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    /// A register is not zero.
    Register(Reg),
    /// A comparison of a variable with a number.
    Variable { space: Space, field: Field, op: Binary, value: i32 },
    /// A question to a channel; `negated` if the answer must be no.
    Probe { probe: Probe, register: Reg },
    /// Nothing else can move.
    Timeout,
    /// There is room in a channel, or somebody receives.
    Send,
    /// There is a message that matches, or somebody sends it.
    Receive,
}

/// The parts of the guard of code and the position of its commit; `None` if it is no conjunction.
pub(crate) fn split(machine: &Machine, code: u32) -> Option<(Vec<Part>, u32)> {
    let mut parts = Vec::new();
    let mut start = code;
    // Where control comes together again inside of the part.
    let mut landing = code;
    let mut pc = code;
    loop {
        match machine.code[pc as usize] {
            Op::Commit => return (pc == start).then_some((parts, pc)),
            Op::Done | Op::Blocked { .. } => return None,
            Op::JumpIfZero { a, to } => {
                if to <= pc {
                    return None;
                }
                if landing <= pc && blocks(machine, to, Some(a)) {
                    let test = test(&machine.code[start as usize..pc as usize], a);
                    parts.push(Part { start, end: pc, test });
                    start = pc + 1;
                } else {
                    landing = landing.max(to);
                }
            }
            Op::JumpIfNotZero { to, .. } | Op::Jump { to } => {
                if to <= pc {
                    return None;
                }
                landing = landing.max(to);
            }
            op @ (Op::SendGuard { or, .. } | Op::ReceiveGuard { or, .. }) => {
                if landing > pc || !blocks(machine, or, None) {
                    return None;
                }
                let send = matches!(op, Op::SendGuard { .. });
                let test = if send { Test::Send } else { Test::Receive };
                parts.push(Part { start, end: pc, test });
                start = pc + 1;
            }
            _ => {}
        }
        pc += 1;
    }
}

/// Whether control leads from a place to a dead end, given that a register is zero.
fn blocks(machine: &Machine, from: u32, zero: Option<Reg>) -> bool {
    let mut pc = from;
    for _ in 0..256 {
        match machine.code[pc as usize] {
            Op::Blocked { .. } => return true,
            Op::JumpIfZero { a, to } if Some(a) == zero => pc = to,
            Op::JumpIfNotZero { a, .. } if Some(a) == zero => pc += 1,
            Op::Unary { op: Unary::Truth, d, a } if Some(a) == zero && d == a => pc += 1,
            Op::Jump { to } => pc = to,
            _ => return false,
        }
    }
    false
}

/// The test of a condition that leaves its value in a register.
fn test(code: &[Op], register: Reg) -> Test {
    let code = match code {
        [rest @ .., Op::Unary { op: Unary::Truth, d, a }] if d == a && *d == register => rest,
        all => all,
    };
    match *code {
        [Op::Timeout { d }] if d == register => Test::Timeout,
        [Op::Load { d: c, .. }, Op::Probe { d, c: asked, probe, .. }]
            if c == asked && d == register && probe != Probe::Len =>
        {
            Test::Probe { probe, register }
        }
        [Op::Load { d, space, field }] if d == register => {
            Test::Variable { space, field, op: Binary::Ne, value: 0 }
        }
        [Op::Load { d, space, field }, Op::Unary { op: Unary::Not, d: e, a }]
            if d == a && e == register =>
        {
            Test::Variable { space, field, op: Binary::Eq, value: 0 }
        }
        [
            Op::Load { d, space, field },
            Op::Const { d: c, value },
            Op::Binary { op, d: e, a, b },
        ] if d == a && c == b && c != d && e == register && compares(op) => {
            Test::Variable { space, field, op, value }
        }
        _ => Test::Register(register),
    }
}

pub(crate) fn compares(op: Binary) -> bool {
    use Binary::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Lt | Le | Gt | Ge | Eq | Ne)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELD: Field = Field { bit: 0, width: 8, signed: false };

    fn load(d: Reg, bit: u32) -> Op {
        Op::Load { d, space: Space::Global, field: Field { bit, ..FIELD } }
    }

    fn truth(d: Reg) -> Op {
        Op::Unary { op: Unary::Truth, d, a: d }
    }

    fn machine(code: Vec<Op>) -> Machine {
        Machine { code, ..Machine::default() }
    }

    #[test]
    fn a_conjunction_has_a_part_for_each_side() {
        // x && !y
        let code = vec![
            load(0, 0),
            truth(0),
            Op::JumpIfZero { a: 0, to: 6 },
            load(0, 8),
            Op::Unary { op: Unary::Not, d: 0, a: 0 },
            truth(0),
            Op::JumpIfZero { a: 0, to: 9 },
            Op::Commit,
            Op::Done,
            Op::Blocked { site: 0 },
        ];
        let (parts, commit) = split(&machine(code), 0).expect("a conjunction");
        assert_eq!(commit, 7);
        let y = Field { bit: 8, ..FIELD };
        let tests: Vec<Test> = parts.iter().map(|p| p.test).collect();
        let variable = |field, op| Test::Variable { space: Space::Global, field, op, value: 0 };
        assert_eq!(tests, [variable(FIELD, Binary::Ne), variable(y, Binary::Eq)]);
    }

    #[test]
    fn a_disjunction_is_one_part() {
        // (x && y) || z
        let code = vec![
            load(0, 0),
            truth(0),
            Op::JumpIfZero { a: 0, to: 5 },
            load(0, 8),
            truth(0),
            truth(0),
            Op::JumpIfNotZero { a: 0, to: 9 },
            load(0, 16),
            truth(0),
            Op::JumpIfZero { a: 0, to: 12 },
            Op::Commit,
            Op::Done,
            Op::Blocked { site: 0 },
        ];
        let (parts, commit) = split(&machine(code), 0).expect("a condition");
        assert_eq!((parts.len(), commit), (1, 10));
        assert_eq!(parts[0], Part { start: 0, end: 9, test: Test::Register(0) });
    }

    #[test]
    fn a_choice_is_not_taken_apart() {
        // A receive that goes on elsewhere if there is no message.
        let code = vec![
            load(0, 0),
            Op::ReceiveGuard { c: 0, first: 1, pattern: 0, copy: false, or: 4, site: 0 },
            Op::Commit,
            Op::Done,
            Op::Commit,
            Op::Done,
        ];
        assert_eq!(split(&machine(code), 0), None);
    }
}
