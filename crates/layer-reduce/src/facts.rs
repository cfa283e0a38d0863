//! What is known of a machine before any state is: which variables and channels are resources, and
//! which bits stand for them.

use everypath_machine::code::{Op, Space};
use everypath_machine::{Cell, Field, Interpreter, Machine, TransitionKind};
use everypath_model::{Successors, TransitionSystem};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bits::Bits;
use crate::walk::{Knowledge, Registers, Value, element, walk};

/// Making a process.
pub(crate) const RUN: usize = 0;
/// The number of processes. Those who read it are noted as changing it and those who end as reading
/// it, since two ends do not disturb each other.
pub(crate) const COUNT: usize = 1;
/// What is asked about every state.
pub(crate) const VISIBLE: usize = 2;
/// All channels together.
pub(crate) const CHANNELS: usize = 3;
/// The hidden variables.
pub(crate) const HIDDEN: usize = 4;
/// Who stands where a rendezvous can be accepted. Those who ask whether nobody does (an `else` beside
/// a send) are noted as changing it, and those who come and go as reading it, since they do not
/// disturb each other.
pub(crate) const PRESENCE: usize = 5;
/// Variables of processes that others read, and places of processes that others ask for.
const REMOTE: usize = 6;
const REMOTES: usize = 10;
/// The first bit of a variable.
const FIRST: usize = REMOTE + REMOTES;

/// Bits of channels at most: two each.
const CHANNEL_BITS: usize = 128;

/// Facts about a machine.
pub(crate) struct Facts {
    /// The global record as it is made.
    globals: Vec<u32>,
    /// Global variables that some statement writes, by their first bit.
    written: FxHashSet<u32>,
    global: Row,
    /// The resource of each written global variable, by its first bit.
    bits: FxHashMap<u32, usize>,
    /// The first bit of channels, and how many pairs there are.
    channel_bits: (usize, usize),
    /// The kinds of the global channels.
    pub global_channels: Vec<u16>,
    /// Of each proctype.
    pub locals: Vec<Locals>,
    /// Control states that somebody asks for.
    watched: FxHashSet<u32>,
    /// No process is made after the beginning, so that each keeps its number.
    pub lasting: bool,
}

/// What is known of the variables of a proctype.
pub(crate) struct Locals {
    row: Row,
    /// Variables that others read, by their first bit.
    remote: FxHashSet<u32>,
    /// Variables that are set when a process is made and never again, and that say which element,
    /// which channel or which way is taken.
    pub frozen: Vec<Cell>,
}

/// The variables of a record by their places.
pub(crate) struct Row {
    group_of: FxHashMap<u32, usize>,
    groups: Vec<Vec<Field>>,
}

impl Row {
    pub fn new(cells: &[Cell]) -> Row {
        let mut row = Row { group_of: FxHashMap::default(), groups: Vec::new() };
        let mut by_name: FxHashMap<String, usize> = FxHashMap::default();
        for cell in cells {
            let next = row.groups.len();
            let group = *by_name.entry(without_indices(&cell.name)).or_insert(next);
            if group == next {
                row.groups.push(Vec::new());
            }
            row.groups[group].push(cell.field);
            row.group_of.insert(cell.field.bit, group);
        }
        row
    }

    /// The variable or array that a scalar belongs to.
    pub fn group(&self, bit: u32) -> Option<usize> {
        self.group_of.get(&bit).copied()
    }

    /// The scalars of a variable or array.
    pub fn fields(&self, group: usize) -> &[Field] {
        &self.groups[group]
    }

    /// The variables that an access may mean: one, or all elements; `None` if it is not known.
    fn places(&self, field: Field, at: Option<&Value>) -> Option<&[Field]> {
        let field = match at {
            None => field,
            Some(Value::Is(at)) => element(field, *at)?,
            Some(_) => return Some(&self.groups[*self.group_of.get(&field.bit)?]),
        };
        let group = &self.groups[*self.group_of.get(&field.bit)?];
        let index = group.iter().position(|f| f.bit == field.bit)?;
        Some(&group[index..=index])
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

/// Nothing is known.
pub(crate) struct Nothing;

impl Knowledge for Nothing {
    fn load(&self, _: Space, _: Field) -> Value {
        Value::Any
    }

    fn load_some(&self, _: Space, _: Field) -> Value {
        Value::Any
    }

    fn pid(&self) -> Option<i32> {
        None
    }

    fn own_channel(&self, _: u16) -> Option<i32> {
        None
    }
}

/// A channel: whether it has room for messages, if that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Buffer {
    Rendezvous,
    Buffered,
    Unknown,
}

impl Facts {
    /// The facts; the reason why there are none.
    pub fn new(interpreter: &Interpreter) -> Result<Facts, &'static str> {
        let machine = interpreter.machine();
        if machine.uses_priorities {
            return Err("priorities decide who may move");
        }
        if machine.last.is_some() {
            return Err("`_last` depends on the order of all steps");
        }
        for op in &machine.code {
            match op {
                Op::Enabled { .. } => return Err("`enabled` depends on all of a process"),
                Op::Moved { .. } => return Err("`else` in a d_step depends on other statements"),
                Op::PcValue { .. } => return Err("`pc_value` depends on all steps of a process"),
                Op::GetPriority { .. } | Op::SetPriority { .. } => {
                    return Err("priorities decide who may move");
                }
                _ => {}
            }
        }
        let mut out = Successors::new();
        let made = interpreter.initial(&mut interpreter.worker(), &mut out);
        let globals = match (made, out.steps()) {
            (Ok(()), [step]) if step.fault.is_none() => {
                let first = machine.hidden_words as usize;
                out.target(step)[first..first + machine.global_words as usize].to_vec()
            }
            _ => return Err("the initial state cannot be made"),
        };
        let mut facts = Facts {
            globals,
            written: FxHashSet::default(),
            global: Row::new(&machine.global_cells),
            bits: FxHashMap::default(),
            channel_bits: (0, 1),
            global_channels: machine.global_channels.iter().map(|c| c.ty).collect(),
            locals: Vec::new(),
            watched: FxHashSet::default(),
            lasting: !machine.code.iter().any(|op| matches!(op, Op::Run { .. })),
        };
        facts.find_uses(machine)?;
        facts.place(machine);
        Ok(facts)
    }

    /// Which variables are written, and which of other processes are read.
    fn find_uses(&mut self, machine: &Machine) -> Result<(), &'static str> {
        let rows: Vec<Row> = machine.proctypes.iter().map(|p| Row::new(&p.cells)).collect();
        let mut written_locals: Vec<FxHashSet<u32>> = vec![FxHashSet::default(); rows.len()];
        let mut useful: Vec<FxHashSet<u32>> = vec![FxHashSet::default(); rows.len()];
        let mut remote: Vec<FxHashSet<u32>> = vec![FxHashSet::default(); rows.len()];
        let mut unknown = false;
        let mut code: Vec<(u16, u32, bool)> = machine
            .transitions
            .iter()
            .filter(|t| t.kind == TransitionKind::Code)
            .map(|t| (t.proctype, t.code, false))
            .collect();
        for (ty, proctype) in machine.proctypes.iter().enumerate() {
            code.push((ty as u16, proctype.init, true));
            code.extend(proctype.provided.map(|code| (ty as u16, code, false)));
        }
        code.extend(machine.invariants.iter().map(|i| (0, i.code, false)));
        for (ty, start, init) in code {
            let row = &rows[usize::from(ty)];
            let written_locals = &mut written_locals[usize::from(ty)];
            let useful = &mut useful[usize::from(ty)];
            // Which variables the registers depend on.
            let mut origin: FxHashMap<u8, Vec<u32>> = FxHashMap::default();
            let fits = walk(machine, &Nothing, start, |_, op, regs: &Registers| {
                follow(&mut origin, useful, op);
                let (space, places) = match op {
                    Op::Store { space, field, .. } => (space, (field, None)),
                    Op::StoreAt { at, space, field, .. } => {
                        (space, (field, Some(regs.get(at).clone())))
                    }
                    Op::LoadRemote { proctype, at, field, .. } => {
                        let at = regs.get(at);
                        match rows[usize::from(proctype)].places(field, Some(at)) {
                            Some(places) => remote[usize::from(proctype)]
                                .extend(places.iter().map(|place| place.bit)),
                            None => unknown = true,
                        }
                        return;
                    }
                    Op::AtState { number, .. } => {
                        self.watched.insert(number);
                        return;
                    }
                    _ => return,
                };
                let row = match space {
                    Space::Global => &self.global,
                    Space::Local => row,
                    Space::Hidden => return,
                };
                let Some(places) = row.places(places.0, places.1.as_ref()) else {
                    unknown = true;
                    return;
                };
                let set = match space {
                    Space::Global => &mut self.written,
                    // What a process is made with it may keep.
                    _ if init => return,
                    _ => &mut *written_locals,
                };
                set.extend(places.iter().map(|place| place.bit));
            });
            unknown |= !fits;
        }
        if unknown {
            return Err("a statement writes at a place that is not known");
        }
        for (ty, row) in rows.into_iter().enumerate() {
            let cells = &machine.proctypes[ty].cells;
            let frozen = cells.iter().filter(|cell| {
                !written_locals[ty].contains(&cell.field.bit)
                    && useful[ty].contains(&cell.field.bit)
            });
            let frozen = frozen.cloned().collect();
            self.locals.push(Locals { row, remote: std::mem::take(&mut remote[ty]), frozen });
        }
        Ok(())
    }

    /// Gives bits to variables and channels.
    fn place(&mut self, machine: &Machine) {
        let own = machine.proctypes.iter().map(|p| p.channels.len()).sum::<usize>();
        let pairs = (self.global_channels.len() + 4 * own).clamp(1, CHANNEL_BITS / 2);
        self.channel_bits = (Bits::COUNT - 2 * pairs, pairs);
        let room = self.channel_bits.0 - FIRST;
        let written: Vec<&Cell> = machine
            .global_cells
            .iter()
            .filter(|cell| self.written.contains(&cell.field.bit))
            .collect();
        for (index, cell) in written.iter().enumerate() {
            // If there are too many, the elements of an array share a bit.
            let number = if written.len() <= room {
                index
            } else {
                self.global.group_of[&cell.field.bit] % room
            };
            self.bits.insert(cell.field.bit, FIRST + number);
        }
    }

    /// The bits of the receiving and the sending end of a channel.
    pub fn channel(&self, id: i32) -> (usize, usize) {
        let (first, pairs) = self.channel_bits;
        let pair = first + 2 * ((id - 1) as usize % pairs);
        (pair, pair + 1)
    }

    /// Whether a bit is an end of a channel.
    pub fn is_channel(&self, bit: usize) -> bool {
        bit >= self.channel_bits.0
    }

    /// Whether a bit stands for one variable only.
    pub fn is_alone(&self, bit: usize) -> bool {
        self.bits.values().filter(|&&other| other == bit).count() == 1
    }

    /// The first value of the variable that a bit stands for.
    pub fn initial(&self, bit: usize) -> Option<i32> {
        let (&first, _) = self.bits.iter().find(|(_, other)| **other == bit)?;
        let group = self.global.group(first)?;
        let field = self.global.fields(group).iter().find(|field| field.bit == first)?;
        Some(field.get(&self.globals))
    }

    /// The bits of the global variables that an access may mean; `None` if that is not known.
    pub fn global(&self, field: Field, at: Option<&Value>) -> Option<Vec<usize>> {
        let places = self.global.places(field, at)?;
        Some(places.iter().filter_map(|place| self.bits.get(&place.bit).copied()).collect())
    }

    /// The value of a global variable that nobody writes.
    pub fn constant(&self, field: Field) -> Value {
        if !self.global.group_of.contains_key(&field.bit) || self.written.contains(&field.bit) {
            return Value::Any;
        }
        Value::Is(field.get(&self.globals))
    }

    /// One of the values of an array that nobody writes.
    pub fn constants(&self, first: Field) -> Value {
        let Some(places) = self.global.places(first, Some(&Value::Any)) else { return Value::Any };
        if places.iter().any(|place| self.written.contains(&place.bit)) {
            return Value::Any;
        }
        Value::among(places.iter().map(|place| place.get(&self.globals)).collect())
    }

    /// The bit that others see a change of a local variable by.
    pub fn remote(&self, ty: u16, field: Field, at: Option<&Value>) -> Option<usize> {
        let locals = &self.locals[usize::from(ty)];
        if locals.remote.is_empty() {
            return None;
        }
        let seen = match locals.row.places(field, at) {
            Some(places) => places.iter().any(|place| locals.remote.contains(&place.bit)),
            None => true,
        };
        seen.then(|| Facts::remote_of(ty))
    }

    /// The bit of the variables of a proctype that others read.
    pub fn remote_of(ty: u16) -> usize {
        REMOTE + usize::from(ty) % 5
    }

    /// The bit of a control state, if somebody asks for it.
    pub fn watched(&self, number: u32) -> Option<usize> {
        self.watched.contains(&number).then_some(REMOTE + 5 + number as usize % 5)
    }
}

/// Follows variables through registers to where they say which element, channel or way is meant.
fn follow(origin: &mut FxHashMap<u8, Vec<u32>>, useful: &mut FxHashSet<u32>, op: Op) {
    let mut use_of = |origin: &FxHashMap<u8, Vec<u32>>, r: u8| {
        useful.extend(origin.get(&r).into_iter().flatten());
    };
    match op {
        Op::Load { d, space: Space::Local, field } => {
            origin.insert(d, vec![field.bit]);
        }
        Op::Move { d, a } | Op::Unary { d, a, .. } => {
            let from = origin.get(&a).cloned().unwrap_or_default();
            origin.insert(d, from);
        }
        Op::Binary { d, a, b, .. } => {
            let mut from = origin.get(&a).cloned().unwrap_or_default();
            from.extend(origin.get(&b).into_iter().flatten());
            origin.insert(d, from);
        }
        Op::Scale { a, .. } | Op::JumpIfZero { a, .. } | Op::JumpIfNotZero { a, .. } => {
            use_of(origin, a);
        }
        Op::Probe { d, c, .. } | Op::Poll { d, c, .. } => {
            use_of(origin, c);
            origin.remove(&d);
        }
        Op::SendGuard { c, .. } | Op::ReceiveGuard { c, .. } => use_of(origin, c),
        Op::Const { d, .. }
        | Op::Load { d, .. }
        | Op::LoadAt { d, .. }
        | Op::Pid { d }
        | Op::OwnChannel { d, .. } => {
            origin.remove(&d);
        }
        _ => {}
    }
}
