//! What statements may do, without executing them: an abstract execution that knows constants and
//! the values of variables that nobody can write any more.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Op, Pattern, REGISTERS, Reg, Space};
use crate::machine::{Cell, Machine};
use crate::shape::Shape;

/// Instructions that are looked at before a statement counts as unknown.
const BUDGET: usize = 20_000;

/// Who executes a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Who {
    /// A process of the state.
    Live(usize),
    /// A process of this proctype that does not exist.
    Future(u16),
}

/// A variable: its record, its owner if it is local, its first bit.
pub(crate) type CellKey = (SpaceOf, u32);

/// The record of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum SpaceOf {
    Global,
    Hidden,
    Local(Who),
}

impl SpaceOf {
    pub fn of(space: Space, who: Who) -> SpaceOf {
        match space {
            Space::Global => SpaceOf::Global,
            Space::Hidden => SpaceOf::Hidden,
            Space::Local => SpaceOf::Local(who),
        }
    }
}

/// Something that a statement may do. Values are `None` where they cannot be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Write { cells: Vec<CellKey>, value: Option<i32> },
    Send { channel: Option<i32>, fields: Vec<Option<i32>>, sorted: bool },
    Receive { channel: Option<i32>, pattern: Pattern, wanted: Vec<Option<i32>> },
    Run { proctype: u16 },
}

/// What is known of the variables: a state, and which of them may still change.
pub(crate) struct Knowledge<'a> {
    pub machine: &'a Machine,
    pub state: &'a [u32],
    pub shape: &'a Shape,
    /// Variables that somebody may write; `None` if nothing is known yet.
    pub written: Option<&'a FxHashSet<CellKey>>,
}

type Registers = Box<[Option<i32>; REGISTERS]>;

impl Knowledge<'_> {
    /// What the code of a statement may do; `None` if it is too long to tell.
    pub fn effects(&self, who: Who, code: u32) -> Option<Vec<Effect>> {
        let mut effects: Vec<Effect> = Vec::new();
        let mut takes = false;
        // What is known where branches meet, and where to go on.
        let mut joins: FxHashMap<u32, Registers> = FxHashMap::default();
        let mut open = vec![(code, Box::new([None; REGISTERS]))];
        let mut budget = BUDGET;
        while let Some((start, mut regs)) = open.pop() {
            let mut pc = start;
            loop {
                budget = budget.checked_sub(1)?;
                let op = self.machine.code[pc as usize];
                if matches!(op, Op::Done | Op::Blocked { .. }) {
                    break;
                }
                takes |= matches!(op, Op::ReceiveTake { .. });
                if let Some(effect) = self.effect(who, op, &regs)
                    && !effects.contains(&effect)
                {
                    effects.push(effect);
                }
                self.advance(who, op, &mut regs);
                let (next, other) = targets(op, pc, &regs);
                for to in next.into_iter().chain(other) {
                    if to == pc + 1 && other.is_none() {
                        continue;
                    }
                    if join(&mut joins, to, &regs) {
                        open.push((to, joins[&to].clone()));
                    }
                }
                // Straight on, unless the way went through a join.
                if other.is_some() || next != Some(pc + 1) {
                    break;
                }
                pc += 1;
            }
        }
        // A receive that leaves its message does not make room.
        if !takes {
            effects.retain(|effect| !matches!(effect, Effect::Receive { .. }));
        }
        Some(effects)
    }

    fn effect(&self, who: Who, op: Op, regs: &Registers) -> Option<Effect> {
        let reg = |r: Reg| regs[usize::from(r)];
        let row = |first: Reg, count: usize| {
            (0..count).map(|i| regs.get(usize::from(first) + i).copied().flatten()).collect()
        };
        Some(match op {
            Op::Store { s, space, field } => Effect::Write {
                cells: vec![(SpaceOf::of(space, who), field.bit)],
                value: reg(s).map(|value| field.truncate(value)),
            },
            Op::StoreAt { s, at, space, field } => Effect::Write {
                cells: match reg(at) {
                    Some(at) => vec![(SpaceOf::of(space, who), field.bit.wrapping_add(at as u32))],
                    None => self.elements(who, space, field.bit),
                },
                value: reg(s).map(|value| field.truncate(value)),
            },
            Op::Send { c, first, count, sorted, .. } => {
                Effect::Send { channel: reg(c), fields: row(first, usize::from(count)), sorted }
            }
            // The offer of a rendezvous has no `Send` that is reached.
            Op::SendGuard { c, first, count, .. } => Effect::Send {
                channel: reg(c),
                fields: row(first, usize::from(count)),
                sorted: false,
            },
            Op::ReceiveGuard { c, first, pattern, .. } => {
                let pattern = self.machine.patterns[usize::from(pattern)];
                let all: Vec<Option<i32>> = row(first, usize::from(pattern.places));
                let compared = |i: usize| i < 64 && pattern.compared & 1 << i != 0;
                let wanted = all.into_iter().enumerate();
                Effect::Receive {
                    channel: reg(c),
                    pattern,
                    wanted: wanted.map(|(i, value)| value.filter(|_| compared(i))).collect(),
                }
            }
            Op::Run { proctype, .. } => Effect::Run { proctype },
            _ => return None,
        })
    }

    /// What is known after an instruction.
    fn advance(&self, who: Who, op: Op, regs: &mut Registers) {
        let reg = |r: Reg| regs[usize::from(r)];
        let (d, value) = match op {
            Op::Const { d, value } => (d, Some(value)),
            Op::Move { d, a } => (d, reg(a)),
            Op::Unary { op, d, a } => (d, reg(a).map(|a| op.apply(a))),
            Op::Binary { op, d, a, b } => {
                use crate::code::Binary::{Div, Rem};
                let value = match (reg(a), reg(b)) {
                    (_, Some(0)) if matches!(op, Div | Rem) => None,
                    (Some(a), Some(b)) => Some(op.apply(a, b)),
                    _ => None,
                };
                (d, value)
            }
            Op::Scale { d, a, by } => {
                let bits = reg(a).map(|a| a.wrapping_mul(by as i32));
                (d, reg(d).zip(bits).map(|(sum, bits)| sum.wrapping_add(bits)))
            }
            Op::Load { d, space, field } => (d, self.load(who, space, field)),
            Op::LoadAt { d, at, space, field } => {
                let value = reg(at).and_then(|at| {
                    let bit = field.bit.checked_add(u32::try_from(at).ok()?)?;
                    self.load(who, space, crate::Field { bit, ..field })
                });
                (d, value)
            }
            Op::Pid { d } => match who {
                Who::Live(pid) => (d, Some(pid as i32)),
                Who::Future(_) => (d, None),
            },
            Op::OwnChannel { d, k } => match who {
                Who::Live(pid) => {
                    let first = self.shape.processes[pid].first_channel;
                    (d, Some(i32::from(first + k) + 1))
                }
                Who::Future(_) => (d, None),
            },
            Op::LoadRemote { d, .. }
            | Op::AtState { d, .. }
            | Op::FirstOf { d, .. }
            | Op::ProcessCount { d }
            | Op::Timeout { d }
            | Op::PcValue { d, .. }
            | Op::Enabled { d, .. }
            | Op::GetPriority { d, .. }
            | Op::Run { d, .. }
            | Op::Probe { d, .. }
            | Op::Poll { d, .. }
            | Op::ReceiveField { d, .. } => (d, None),
            _ => return,
        };
        regs[usize::from(d)] = value;
    }

    /// The value of a variable that nobody can write any more.
    fn load(&self, who: Who, space: Space, field: crate::Field) -> Option<i32> {
        let written = self.written?;
        if written.contains(&(SpaceOf::of(space, who), field.bit)) {
            return None;
        }
        let record = match (space, who) {
            (Space::Global, _) => self.state.get(self.machine.hidden_words as usize..)?,
            (Space::Hidden, _) => self.state,
            (Space::Local, Who::Live(pid)) => {
                self.state.get(self.shape.processes[pid].offset as usize..)?
            }
            (Space::Local, Who::Future(_)) => return None,
        };
        (((field.bit >> 5) as usize) < record.len()).then(|| field.get(record))
    }

    fn cells(&self, who: Who, space: Space) -> &[Cell] {
        match space {
            Space::Global => &self.machine.global_cells,
            Space::Hidden => &self.machine.hidden_cells,
            Space::Local => {
                let ty = match who {
                    Who::Live(pid) => self.shape.processes[pid].ty,
                    Who::Future(ty) => ty,
                };
                &self.machine.proctypes[usize::from(ty)].cells
            }
        }
    }

    /// All elements that an access with an unknown index may mean.
    fn elements(&self, who: Who, space: Space, first: u32) -> Vec<CellKey> {
        let cells = self.cells(who, space);
        let space = SpaceOf::of(space, who);
        let Some(cell) = cells.iter().find(|cell| cell.field.bit == first) else {
            return cells.iter().map(|cell| (space, cell.field.bit)).collect();
        };
        let name = without_indices(&cell.name);
        let same = cells.iter().filter(|cell| without_indices(&cell.name) == name);
        same.map(|cell| (space, cell.field.bit)).collect()
    }
}

/// `z.r[1].c` as `z.r[].c`.
fn without_indices(name: &str) -> String {
    let mut inside = false;
    name.chars()
        .filter(|&c| {
            inside = (inside || c == '[') && c != ']';
            !inside || c == '['
        })
        .collect()
}

/// Where control may go after an instruction: on, and elsewhere.
fn targets(op: Op, pc: u32, regs: &Registers) -> (Option<u32>, Option<u32>) {
    let known = |r: Reg| regs[usize::from(r)];
    match op {
        Op::Jump { to } => (Some(to), None),
        Op::JumpIfZero { a, to } => match known(a) {
            Some(0) => (Some(to), None),
            Some(_) => (Some(pc + 1), None),
            None => (Some(pc + 1), Some(to)),
        },
        Op::JumpIfNotZero { a, to } => match known(a) {
            Some(0) => (Some(pc + 1), None),
            Some(_) => (Some(to), None),
            None => (Some(pc + 1), Some(to)),
        },
        Op::SendGuard { or, .. } | Op::ReceiveGuard { or, .. } => (Some(pc + 1), Some(or)),
        _ => (Some(pc + 1), None),
    }
}

/// Adds what is known on another way to a place; whether that changed anything.
fn join(joins: &mut FxHashMap<u32, Registers>, at: u32, regs: &Registers) -> bool {
    let Some(known) = joins.get_mut(&at) else {
        joins.insert(at, regs.clone());
        return true;
    };
    let mut changed = false;
    for (old, new) in known.iter_mut().zip(regs.iter()) {
        if old.is_some() && old != new {
            *old = None;
            changed = true;
        }
    }
    changed
}
