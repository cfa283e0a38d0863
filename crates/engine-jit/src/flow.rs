//! The blocks of a statement's code.
//!
//! The same instruction means different things before and after the commit, so a position is an
//! instruction with its phase.

use std::collections::{BTreeMap, BTreeSet};

use everypath_machine::Machine;
use everypath_machine::code::{Op, Reg, Unary};

use crate::Unsupported;

/// Before or after the commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// The source is read only.
    Guard,
    /// The target is written.
    Effect,
}

/// An instruction in a phase.
pub(crate) type Position = (u32, Phase);

/// What a location is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// All moves.
    Moves,
    /// Only the receiving halves of a rendezvous.
    Handshake,
}

/// The blocks of some code.
pub(crate) struct Flow {
    /// First positions of blocks, so that a block comes after one that leads to it.
    pub order: Vec<Position>,
    /// First positions of blocks, and how many ways lead there.
    pub blocks: BTreeMap<Position, u32>,
    /// There is a loop after the commit.
    pub loops: bool,
    /// Some assertion may fail.
    pub asserts: bool,
    /// A process may be made.
    pub runs: bool,
    /// A receive may take any message, not only the first one.
    pub random: bool,
}

/// More instructions than this are not compiled as one statement.
const MAX_POSITIONS: usize = 4000;

impl Flow {
    /// The blocks of the code that starts at an instruction.
    pub fn new(machine: &Machine, code: u32, mode: Mode) -> Result<Flow, Unsupported> {
        // All positions with the number of ways to them, in the order in which they were found.
        let mut ways: BTreeMap<Position, u32> = BTreeMap::new();
        let mut leaders: BTreeMap<Position, u32> = BTreeMap::new();
        let start = (code, Phase::Guard);
        let mut stack = vec![start];
        ways.insert(start, 1);
        leaders.insert(start, 0);
        let (mut asserts, mut runs, mut random, mut looks) = (false, false, false, false);
        while let Some(at) = stack.pop() {
            if ways.len() > MAX_POSITIONS {
                return Err(Unsupported("a very long statement"));
            }
            let op = machine.code[at.0 as usize];
            match op {
                Op::Assert { .. } => asserts = true,
                Op::Run { .. } => runs = true,
                Op::ReceiveGuard { pattern, .. } => {
                    random |= machine.patterns[usize::from(pattern)].random;
                }
                _ => {}
            }
            looks |= at.1 == Phase::Effect && looks_around(op);
            let next = next(machine, at, mode);
            let branches = !next.falls_through;
            for &to in next.all() {
                let count = ways.entry(to).or_insert(0);
                *count += 1;
                if *count == 1 {
                    stack.push(to);
                }
                if branches {
                    leaders.insert(to, 0);
                }
            }
        }
        if runs && looks {
            // Native code knows the processes and channels of the source only.
            return Err(Unsupported("a step that makes a process and looks at others"));
        }
        for (at, &count) in &ways {
            if count > 1 {
                leaders.insert(*at, 0);
            }
        }
        for (at, count) in leaders.iter_mut() {
            *count = ways[at];
        }
        let (order, loops) = order(machine, start, mode, &leaders);
        Ok(Flow { order, blocks: leaders, loops, asserts, runs, random })
    }
}

/// Whether an instruction depends on which processes and channels there are.
fn looks_around(op: Op) -> bool {
    matches!(
        op,
        Op::LoadRemote { .. }
            | Op::AtState { .. }
            | Op::FirstOf { .. }
            | Op::PcValue { .. }
            | Op::ProcessCount { .. }
            | Op::Probe { .. }
            | Op::Poll { .. }
            | Op::SendGuard { .. }
            | Op::Send { .. }
            | Op::ReceiveGuard { .. }
            | Op::ReceiveField { .. }
            | Op::ReceiveTake { .. }
    )
}

/// Positions of blocks in reverse postorder, and whether there is a loop after the commit.
fn order(
    machine: &Machine,
    start: Position,
    mode: Mode,
    leaders: &BTreeMap<Position, u32>,
) -> (Vec<Position>, bool) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        Open,
        Closed,
    }
    let mut marks: BTreeMap<Position, Mark> = BTreeMap::new();
    let mut order = Vec::new();
    let mut loops = false;
    let exits = |mut at: Position| loop {
        let next = next(machine, at, mode);
        match next.all() {
            &[only] if !leaders.contains_key(&only) => at = only,
            all => return all.to_vec(),
        }
    };
    let mut stack = vec![(start, exits(start))];
    marks.insert(start, Mark::Open);
    while let Some((at, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(to) => match marks.get(&to) {
                None => {
                    marks.insert(to, Mark::Open);
                    let exits = exits(to);
                    stack.push((to, exits));
                }
                Some(Mark::Open) => loops |= to.1 == Phase::Effect,
                Some(Mark::Closed) => {}
            },
            None => {
                marks.insert(*at, Mark::Closed);
                order.push(*at);
                stack.pop();
            }
        }
    }
    order.reverse();
    (order, loops)
}

/// Where control can go from an instruction.
pub(crate) struct Next {
    to: [Position; 2],
    count: usize,
    /// It only goes to the next instruction.
    falls_through: bool,
}

impl Next {
    fn all(&self) -> &[Position] {
        &self.to[..self.count]
    }
}

/// Where control can go from a position.
fn next(machine: &Machine, at: Position, mode: Mode) -> Next {
    let (pc, phase) = at;
    let on = (pc + 1, phase);
    let fork = |to: Position| Next { to: [on, to], count: 2, falls_through: false };
    let none = Next { to: [at, at], count: 0, falls_through: false };
    match machine.code[pc as usize] {
        Op::Commit => Next { to: [(pc + 1, Phase::Effect), at], count: 1, falls_through: true },
        Op::Done | Op::Blocked { .. } => none,
        Op::Jump { to } => Next { to: [(to, phase), at], count: 1, falls_through: false },
        Op::JumpIfZero { a, to } => fork(thread(machine, (to, phase), a, false)),
        Op::JumpIfNotZero { a, to } => fork(thread(machine, (to, phase), a, true)),
        Op::SendGuard { .. } if phase == Phase::Guard && mode == Mode::Handshake => none,
        Op::SendGuard { or, .. } | Op::ReceiveGuard { or, .. } => fork((or, phase)),
        _ => Next { to: [on, at], count: 1, falls_through: true },
    }
}

/// Where a conditional jump leads in the end, if tests of the same register follow, whose answer is
/// known. After the commit jumps are counted, so they stay as they are.
pub(crate) fn thread(machine: &Machine, to: Position, register: Reg, truth: bool) -> Position {
    let (mut pc, phase) = to;
    if phase == Phase::Effect {
        return to;
    }
    // Code ends some time; a chain of jumps might not.
    for _ in 0..100 {
        pc = match machine.code[pc as usize] {
            Op::JumpIfZero { a, to } if a == register => {
                if truth {
                    pc + 1
                } else {
                    to
                }
            }
            Op::JumpIfNotZero { a, to } if a == register => {
                if truth {
                    to
                } else {
                    pc + 1
                }
            }
            // Zero stays zero; other values would change.
            Op::Unary { op: Unary::Truth, d, a } if a == register && d == register && !truth => {
                pc + 1
            }
            Op::Jump { to } => to,
            _ => break,
        };
    }
    (pc, phase)
}

impl Flow {
    /// The instructions before the commit of a statement; `None` if there are very many.
    pub fn guard_ops(machine: &Machine, code: u32) -> Option<Vec<Op>> {
        let mut seen = BTreeSet::from([code]);
        let mut stack = vec![code];
        let mut ops = Vec::new();
        while let Some(pc) = stack.pop() {
            if ops.len() > MAX_POSITIONS {
                return None;
            }
            let op = machine.code[pc as usize];
            ops.push(op);
            if op == Op::Commit {
                continue;
            }
            for &(to, _) in next(machine, (pc, Phase::Guard), Mode::Moves).all() {
                if seen.insert(to) {
                    stack.push(to);
                }
            }
        }
        Some(ops)
    }
}
