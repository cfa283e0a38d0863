//! What statements may do, without executing them: an abstract execution that knows constants and
//! the values of variables that nobody can write any more.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Op, Pattern, REGISTERS, Reg, Space};
use crate::layout::Field;
use crate::machine::{Cell, Machine};
use crate::shape::Shape;

/// Instructions that are looked at before a statement counts as unknown.
const BUDGET: usize = 20_000;
/// Values that are told apart.
const MOST_VALUES: usize = 256;

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

/// What can be told about a value.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) enum Abstract {
    /// Nothing.
    #[default]
    Any,
    /// It is this one.
    Is(i32),
    /// It is one of these: of a row of channels, say.
    OneOf(Rc<[i32]>),
}

impl Abstract {
    fn known(&self) -> Option<i32> {
        match self {
            Abstract::Is(value) => Some(*value),
            _ => None,
        }
    }

    /// What can be told if it is one or the other.
    fn or(&self, other: &Abstract) -> Abstract {
        let (Some(mine), Some(more)) = (self.values(), other.values()) else {
            return Abstract::Any;
        };
        let mut all: Vec<i32> = mine.iter().chain(more).copied().collect();
        all.sort_unstable();
        all.dedup();
        match all[..] {
            [one] => Abstract::Is(one),
            _ if all.len() <= MOST_VALUES => Abstract::OneOf(all.into()),
            _ => Abstract::Any,
        }
    }

    /// All the values that it may have, if that can be told.
    pub fn values(&self) -> Option<&[i32]> {
        match self {
            Abstract::Any => None,
            Abstract::Is(value) => Some(std::slice::from_ref(value)),
            Abstract::OneOf(values) => Some(values),
        }
    }
}

/// Something that a statement may do. Values are `None` where they cannot be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Write { cells: Vec<CellKey>, value: Option<i32> },
    Send { channel: Abstract, fields: Vec<Option<i32>>, sorted: bool },
    Receive { channel: Abstract, pattern: Pattern, wanted: Vec<Option<i32>> },
    Run { proctype: u16, arguments: Vec<Abstract> },
}

/// What is known of the variables: a state, and which of them may still change.
pub(crate) struct Knowledge<'a> {
    pub machine: &'a Machine,
    pub state: &'a [u32],
    pub shape: &'a Shape,
    /// Variables that somebody may write; `None` if nothing is known yet.
    pub written: Option<&'a FxHashSet<CellKey>>,
    /// What the parameters of processes that do not exist can be, by proctype and first bit.
    pub parameters: &'a FxHashMap<(u16, u32), Abstract>,
}

/// Adds the arguments of a `run` to what is known of parameters.
pub(crate) fn pass(
    machine: &Machine,
    parameters: &mut FxHashMap<(u16, u32), Abstract>,
    proctype: u16,
    arguments: &[Abstract],
) {
    let fields = &machine.proctypes[usize::from(proctype)].params;
    for (field, argument) in fields.iter().zip(arguments) {
        let known = parameters.entry((proctype, field.bit)).or_insert_with(|| argument.clone());
        *known = known.or(argument);
    }
}

type Registers = Vec<Abstract>;

impl Knowledge<'_> {
    /// What the code of a statement may do; `None` if it is too long to tell.
    pub fn effects(&self, who: Who, code: u32) -> Option<Vec<Effect>> {
        let mut effects: Vec<Effect> = Vec::new();
        let mut takes = false;
        // What is known where branches meet, and where to go on.
        let mut joins: FxHashMap<u32, Registers> = FxHashMap::default();
        let mut open: Vec<(u32, Registers)> = vec![(code, vec![Abstract::Any; REGISTERS])];
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
        let reg = |r: Reg| regs[usize::from(r)].known();
        let of = |r: Reg| regs[usize::from(r)].clone();
        let row = |first: Reg, count: usize| {
            let regs = regs.iter().skip(usize::from(first)).take(count);
            regs.map(Abstract::known).collect::<Vec<_>>()
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
                Effect::Send { channel: of(c), fields: row(first, usize::from(count)), sorted }
            }
            // The offer of a rendezvous has no `Send` that is reached.
            Op::SendGuard { c, first, count, .. } => Effect::Send {
                channel: of(c),
                fields: row(first, usize::from(count)),
                sorted: false,
            },
            Op::ReceiveGuard { c, first, pattern, .. } => {
                let pattern = self.machine.patterns[usize::from(pattern)];
                let all = row(first, usize::from(pattern.places));
                let compared = |i: usize| i < 64 && pattern.compared & 1 << i != 0;
                let wanted = all.into_iter().enumerate();
                Effect::Receive {
                    channel: of(c),
                    pattern,
                    wanted: wanted.map(|(i, value)| value.filter(|_| compared(i))).collect(),
                }
            }
            Op::Run { proctype, first, count, .. } => {
                let arguments = (0..count).map(|i| of(first.saturating_add(i))).collect();
                Effect::Run { proctype, arguments }
            }
            _ => return None,
        })
    }

    /// What is known after an instruction.
    fn advance(&self, who: Who, op: Op, regs: &mut Registers) {
        let reg = |r: Reg| regs[usize::from(r)].known();
        let known = |value: Option<i32>| value.map_or(Abstract::Any, Abstract::Is);
        let (d, value) = match op {
            Op::Const { d, value } => (d, Abstract::Is(value)),
            Op::Move { d, a } => (d, regs[usize::from(a)].clone()),
            Op::Unary { op, d, a } => (d, known(reg(a).map(|a| op.apply(a)))),
            Op::Binary { op, d, a, b } => {
                use crate::code::Binary::{Div, Rem};
                let value = match (reg(a), reg(b)) {
                    (_, Some(0)) if matches!(op, Div | Rem) => None,
                    (Some(a), Some(b)) => Some(op.apply(a, b)),
                    _ => None,
                };
                (d, known(value))
            }
            Op::Scale { d, a, by } => {
                let bits = reg(a).map(|a| a.wrapping_mul(by as i32));
                (d, known(reg(d).zip(bits).map(|(sum, bits)| sum.wrapping_add(bits))))
            }
            Op::Load { d, space, field } => (d, self.load(who, space, field)),
            Op::LoadAt { d, at, space, field } => (d, self.load_at(who, space, field, reg(at))),
            Op::Pid { d } => match who {
                Who::Live(pid) => (d, Abstract::Is(pid as i32)),
                Who::Future(_) => (d, Abstract::Any),
            },
            Op::OwnChannel { d, k } => match who {
                Who::Live(pid) => {
                    let first = self.shape.processes[pid].first_channel;
                    (d, Abstract::Is(i32::from(first + k) + 1))
                }
                Who::Future(_) => (d, Abstract::Any),
            },
            _ => match op.destination() {
                Some(d) => (d, Abstract::Any),
                None => return,
            },
        };
        regs[usize::from(d)] = value;
    }

    /// The value of a variable that nobody can write any more.
    fn load(&self, who: Who, space: Space, field: Field) -> Abstract {
        let Some(written) = self.written else { return Abstract::Any };
        if written.contains(&(SpaceOf::of(space, who), field.bit)) {
            return Abstract::Any;
        }
        let record = match (space, who) {
            (Space::Global, _) => self.state.get(self.machine.hidden_words as usize..),
            (Space::Hidden, _) => Some(self.state),
            (Space::Local, Who::Live(pid)) => {
                self.state.get(self.shape.processes[pid].offset as usize..)
            }
            (Space::Local, Who::Future(ty)) => {
                return self.parameters.get(&(ty, field.bit)).cloned().unwrap_or_default();
            }
        };
        match record.filter(|record| ((field.bit >> 5) as usize) < record.len()) {
            Some(record) => Abstract::Is(field.get(record)),
            None => Abstract::Any,
        }
    }

    fn load_at(&self, who: Who, space: Space, field: Field, at: Option<i32>) -> Abstract {
        if let Some(at) = at {
            let bit = u32::try_from(at).ok().and_then(|at| field.bit.checked_add(at));
            return bit.map_or(Abstract::Any, |bit| self.load(who, space, Field { bit, ..field }));
        }
        let elements = self.elements(who, space, field.bit);
        let values = elements.iter().map(|&(_, bit)| self.load(who, space, Field { bit, ..field }));
        values.reduce(|all, value| all.or(&value)).unwrap_or_default()
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
pub(crate) fn without_indices(name: &str) -> String {
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
    let known = |r: Reg| regs[usize::from(r)].known();
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
        // Lists are not joined, so that the knowledge can shrink once only.
        if *old != Abstract::Any && old != new {
            *old = Abstract::Any;
            changed = true;
        }
    }
    changed
}
