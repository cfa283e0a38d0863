//! Code walked without being executed: what is known of registers before each instruction.

use std::rc::Rc;

use everypath_machine::code::{Binary, Op, REGISTERS, Reg, Space};
use everypath_machine::{Field, Machine};
use rustc_hash::FxHashMap;

/// Instructions that are looked at before code counts as unknown.
const BUDGET: usize = 20_000;
/// Values that are told apart.
const MOST_VALUES: usize = 64;

/// What can be told about a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Value {
    /// Nothing.
    #[default]
    Any,
    /// It is this one.
    Is(i32),
    /// It is one of these.
    OneOf(Rc<[i32]>),
}

impl Value {
    pub fn known(&self) -> Option<i32> {
        match self {
            Value::Is(value) => Some(*value),
            _ => None,
        }
    }

    /// All the values that it may have, if that can be told.
    pub fn values(&self) -> Option<&[i32]> {
        match self {
            Value::Any => None,
            Value::Is(value) => Some(std::slice::from_ref(value)),
            Value::OneOf(values) => Some(values),
        }
    }

    /// One of some values.
    pub fn among(mut values: Vec<i32>) -> Value {
        values.sort_unstable();
        values.dedup();
        match values[..] {
            [one] => Value::Is(one),
            _ if values.len() <= MOST_VALUES => Value::OneOf(values.into()),
            _ => Value::Any,
        }
    }
}

/// What is known of all registers.
#[derive(Clone)]
pub(crate) struct Registers(Vec<Value>);

impl Registers {
    pub fn get(&self, r: Reg) -> &Value {
        &self.0[usize::from(r)]
    }

    fn known(&self, r: Reg) -> Option<i32> {
        self.get(r).known()
    }
}

/// What is known of the process that executes the code.
pub(crate) trait Knowledge {
    /// The value of a variable.
    fn load(&self, space: Space, field: Field) -> Value;
    /// The value of an element whose index is not known.
    fn load_some(&self, space: Space, first: Field) -> Value;
    /// Its number.
    fn pid(&self) -> Option<i32>;
    /// The id of a channel that it owns.
    fn own_channel(&self, k: u16) -> Option<i32>;
}

/// Shows every instruction that code may execute, with what is known of the registers before it;
/// one that several ways lead to may be shown several times. False if there is too much of it.
pub(crate) fn walk(
    machine: &Machine,
    knowledge: &dyn Knowledge,
    code: u32,
    mut see: impl FnMut(u32, Op, &Registers),
) -> bool {
    let mut joins: FxHashMap<u32, Registers> = FxHashMap::default();
    let mut open = vec![(code, Registers(vec![Value::Any; REGISTERS]))];
    let mut budget = BUDGET;
    while let Some((start, mut regs)) = open.pop() {
        let mut pc = start;
        loop {
            if budget == 0 {
                return false;
            }
            budget -= 1;
            let op = machine.code[pc as usize];
            see(pc, op, &regs);
            if matches!(op, Op::Done | Op::Blocked { .. }) {
                break;
            }
            advance(knowledge, op, &mut regs);
            let (next, other) = targets(op, pc, &regs);
            if other.is_none() && next == pc + 1 {
                pc += 1;
                continue;
            }
            for to in [Some(next), other].into_iter().flatten() {
                if join(&mut joins, to, &regs) {
                    open.push((to, joins[&to].clone()));
                }
            }
            break;
        }
    }
    true
}

/// What is known after an instruction.
fn advance(knowledge: &dyn Knowledge, op: Op, regs: &mut Registers) {
    let reg = |r: Reg| regs.known(r);
    let known = |value: Option<i32>| value.map_or(Value::Any, Value::Is);
    let (d, value) = match op {
        Op::Const { d, value } => (d, Value::Is(value)),
        Op::Move { d, a } => (d, regs.get(a).clone()),
        Op::Unary { op, d, a } => (d, known(reg(a).map(|a| op.apply(a)))),
        Op::Binary { op, d, a, b } => {
            let value = match (reg(a), reg(b)) {
                (_, Some(0)) if matches!(op, Binary::Div | Binary::Rem) => None,
                (Some(a), Some(b)) => Some(op.apply(a, b)),
                _ => None,
            };
            (d, known(value))
        }
        Op::Scale { d, a, by } => {
            let bits = reg(a).map(|a| a.wrapping_mul(by as i32));
            (d, known(reg(d).zip(bits).map(|(sum, bits)| sum.wrapping_add(bits))))
        }
        Op::Load { d, space, field } => (d, knowledge.load(space, field)),
        Op::LoadAt { d, at, space, field } => {
            let value = match reg(at).map(|at| element(field, at)) {
                Some(Some(field)) => knowledge.load(space, field),
                Some(None) => Value::Any,
                None => knowledge.load_some(space, field),
            };
            (d, value)
        }
        Op::Pid { d } => (d, known(knowledge.pid())),
        Op::OwnChannel { d, k } => (d, known(knowledge.own_channel(k))),
        _ => match op.destination() {
            Some(d) => (d, Value::Any),
            None => return,
        },
    };
    regs.0[usize::from(d)] = value;
}

/// A field `at` bits further on, if there is such a place.
pub(crate) fn element(field: Field, at: i32) -> Option<Field> {
    let bit = u32::try_from(at).ok().and_then(|at| field.bit.checked_add(at))?;
    Some(Field { bit, ..field })
}

/// Where control may go after an instruction: on, and elsewhere.
fn targets(op: Op, pc: u32, regs: &Registers) -> (u32, Option<u32>) {
    match op {
        Op::Jump { to } => (to, None),
        Op::JumpIfZero { a, to } => match regs.known(a) {
            Some(0) => (to, None),
            Some(_) => (pc + 1, None),
            None => (pc + 1, Some(to)),
        },
        Op::JumpIfNotZero { a, to } => match regs.known(a) {
            Some(0) => (pc + 1, None),
            Some(_) => (to, None),
            None => (pc + 1, Some(to)),
        },
        Op::SendGuard { or, .. } | Op::ReceiveGuard { or, .. } => (pc + 1, Some(or)),
        _ => (pc + 1, None),
    }
}

/// Adds what is known on another way to a place; whether that changed anything. Knowledge of a
/// register can shrink once only.
fn join(joins: &mut FxHashMap<u32, Registers>, at: u32, regs: &Registers) -> bool {
    let Some(known) = joins.get_mut(&at) else {
        joins.insert(at, regs.clone());
        return true;
    };
    let mut changed = false;
    for (old, new) in known.0.iter_mut().zip(&regs.0) {
        if *old != Value::Any && old != new {
            *old = Value::Any;
            changed = true;
        }
    }
    changed
}
