//! What is known about a machine before it runs: values that never change, ranges of registers,
//! kinds of channels.

use std::ops::Range;

use everypath_machine::code::{Binary, Op, Reg, Space};
use everypath_machine::{ChannelType, Field, Interpreter, Machine, Proctype, TransitionKind};
use everypath_model::{Successors, TransitionSystem};

/// What is known about the value of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Nothing.
    Nothing,
    /// The value.
    Const(i32),
    /// Not negative and at most this; it is `first + i * by` for some `i`, if `by` is not zero.
    Range { first: u32, by: u32, last: u32 },
    /// The `k`-th channel of the executing process.
    Own(u16),
    /// A channel of one of these classes, as a set of bits.
    Channel(u64),
}

impl Known {
    /// The least and the greatest value, if it is not negative.
    pub fn range(self) -> Option<(u32, u32)> {
        match self {
            Known::Const(value) => u32::try_from(value).ok().map(|v| (v, v)),
            Known::Range { first, last, .. } => Some((first, last)),
            _ => None,
        }
    }

    fn upto(last: u32) -> Known {
        Known::Range { first: 0, by: 1, last }
    }
}

/// What is known about all registers: nothing about those that are not there.
#[derive(Clone)]
pub(crate) struct Registers(Vec<Known>);

impl Registers {
    pub fn new() -> Registers {
        Registers(Vec::new())
    }

    pub fn get(&self, r: Reg) -> Known {
        self.0.get(usize::from(r)).copied().unwrap_or(Known::Nothing)
    }

    pub fn set(&mut self, r: Reg, known: Known) {
        let index = usize::from(r);
        if index >= self.0.len() {
            self.0.resize(index + 1, Known::Nothing);
        }
        self.0[index] = known;
    }

    /// Notes what is known after an instruction that was executed without a fault.
    pub fn step(&mut self, facts: &Facts, proctype: Option<u16>, op: Op) {
        if let Some((register, known)) = self.after(facts, proctype, op) {
            self.set(register, known);
        }
    }

    /// The register of which something else is known after an instruction, and what.
    pub fn after(&self, facts: &Facts, proctype: Option<u16>, op: Op) -> Option<(Reg, Known)> {
        Some(match op {
            Op::Const { d, value } => (d, Known::Const(value)),
            Op::Move { d, a } => (d, self.get(a)),
            Op::Unary { op, d, a } => match self.get(a) {
                Known::Const(a) => (d, Known::Const(op.apply(a))),
                _ => (d, Known::Nothing),
            },
            Op::Binary { op, d, a, b } => (d, binary(op, self.get(a), self.get(b))),
            Op::Scale { d, a, by } => (d, scale(self.get(d), self.get(a), by)),
            Op::Bound { a, count, .. } => match self.get(a).range() {
                Some((_, last)) if last < count => return None,
                _ => (a, Known::upto(count.saturating_sub(1))),
            },
            Op::Load { d, space, field } => (d, facts.load(proctype, space, field)),
            Op::LoadAt { d, at, space, field } => (d, facts.load_at(space, field, self.get(at))),
            Op::Pid { d } | Op::ProcessCount { d } => (d, Known::upto(255)),
            Op::OwnChannel { d, k } => (d, Known::Own(k)),
            Op::LoadRemote { d, .. }
            | Op::AtState { d, .. }
            | Op::FirstOf { d, .. }
            | Op::Timeout { d }
            | Op::Moved { d }
            | Op::PcValue { d, .. }
            | Op::Enabled { d, .. }
            | Op::GetPriority { d, .. }
            | Op::Run { d, .. }
            | Op::Probe { d, .. }
            | Op::Poll { d, .. }
            | Op::ReceiveField { d, .. } => (d, Known::Nothing),
            Op::NonZero { .. }
            | Op::Store { .. }
            | Op::StoreAt { .. }
            | Op::SetPriority { .. }
            | Op::Jump { .. }
            | Op::JumpIfZero { .. }
            | Op::JumpIfNotZero { .. }
            | Op::SendGuard { .. }
            | Op::Send { .. }
            | Op::ReceiveGuard { .. }
            | Op::ReceiveTake { .. }
            | Op::Commit
            | Op::Done
            | Op::Blocked { .. }
            | Op::Assert { .. }
            | Op::Print { .. } => return None,
        })
    }
}

fn scale(sum: Known, a: Known, by: u32) -> Known {
    if let (Known::Const(sum), Known::Const(a)) = (sum, a) {
        return Known::Const(sum.wrapping_add(a.wrapping_mul(by as i32)));
    }
    let (Some((d0, d1)), Some((a0, a1))) = (sum.range(), a.range()) else {
        return Known::Nothing;
    };
    let end = u64::from(d1) + u64::from(a1) * u64::from(by);
    let by = if d0 == d1 { by } else { 0 };
    match u32::try_from(end) {
        Ok(last) if last <= i32::MAX as u32 => Known::Range { first: d0 + a0 * by, by, last },
        _ => Known::Nothing,
    }
}

fn binary(op: Binary, a: Known, b: Known) -> Known {
    if let (Known::Const(a), Known::Const(b)) = (a, b) {
        let undefined = matches!(op, Binary::Div | Binary::Rem) && b == 0;
        return if undefined { Known::Nothing } else { Known::Const(op.apply(a, b)) };
    }
    match (op, a.range(), b) {
        (Binary::Rem, Some(_), Known::Const(n)) if n > 0 => Known::upto(n as u32 - 1),
        (Binary::Add, Some((_, last)), Known::Const(n)) if n >= 0 => {
            match last.checked_add(n as u32) {
                Some(last) if last <= i32::MAX as u32 => Known::upto(last),
                _ => Known::Nothing,
            }
        }
        _ => Known::Nothing,
    }
}

/// Bits of a record.
#[derive(Clone, Debug, Default)]
struct Bits(Vec<u32>);

impl Bits {
    fn add(&mut self, from: u32, to: u32) {
        for bit in from..to.min(self.0.len() as u32 * 32) {
            self.0[(bit >> 5) as usize] |= 1 << (bit & 31);
        }
    }

    fn meets(&self, field: Field) -> bool {
        (field.bit..field.bit + u32::from(field.width))
            .any(|bit| self.0.get((bit >> 5) as usize).is_none_or(|w| w >> (bit & 31) & 1 == 1))
    }
}

/// A place of a local record that holds an own channel as long as the process lives.
#[derive(Clone, Copy, Debug)]
struct OwnPlace {
    field: Field,
    k: u16,
}

/// What is known about a machine.
pub(crate) struct Facts {
    /// The global record as it is made.
    globals: Vec<u32>,
    /// Bits of it that some statement writes.
    written: Bits,
    own: Vec<Vec<OwnPlace>>,
    /// Different kinds of channels.
    pub classes: Vec<ChannelType>,
    /// The class of each channel type.
    pub class_of: Vec<u32>,
    /// Offset in words and class of each global channel.
    pub global_channels: Vec<(u32, u32)>,
    /// Length of the initial state, if no statement makes a process.
    pub usual_words: Option<u32>,
    /// Length of all states, if no process is made or ends.
    pub words: Option<u32>,
    /// The most statements that a location of each proctype has.
    pub most_edges: Vec<usize>,
}

impl Facts {
    /// Looks at all code of a machine.
    pub fn new(interpreter: &Interpreter) -> Facts {
        let machine = interpreter.machine();
        let mut classes: Vec<ChannelType> = Vec::new();
        let mut class_of = Vec::new();
        for ty in &machine.channel_types {
            // How fields are shown makes no difference.
            let mut ty = ty.clone();
            ty.kinds.clear();
            let class = classes.iter().position(|c| *c == ty).unwrap_or_else(|| {
                classes.push(ty);
                classes.len() - 1
            });
            class_of.push(class as u32);
        }
        let mut offset = machine.hidden_words + machine.global_words;
        let mut global_channels = Vec::new();
        for channel in &machine.global_channels {
            global_channels.push((offset, class_of[usize::from(channel.ty)]));
            offset += machine.channel_types[usize::from(channel.ty)].words;
        }
        let mut facts = Facts {
            globals: Vec::new(),
            written: Bits(vec![0; machine.global_words as usize]),
            own: vec![Vec::new(); machine.proctypes.len()],
            classes,
            class_of,
            global_channels,
            usual_words: None,
            words: None,
            most_edges: machine.proctypes.iter().map(most_edges).collect(),
        };
        let mut out = Successors::new();
        let made = interpreter.initial(&mut interpreter.worker(), &mut out);
        let initial = match (made, out.steps()) {
            (Ok(()), [step]) if step.fault.is_none() => out.target(step).to_vec(),
            _ => Vec::new(),
        };
        if !machine.code.iter().any(|op| matches!(op, Op::Run { .. })) {
            facts.usual_words = u32::try_from(initial.len()).ok();
            if !machine.initial.iter().any(|&ty| may_end(machine, ty)) {
                facts.words = facts.usual_words;
            }
        }
        let (hidden, globals) = (machine.hidden_words as usize, machine.global_words as usize);
        // Nothing is known of a vector that could not be made.
        let globals = initial.get(hidden..hidden + globals).map(<[u32]>::to_vec);
        facts.find_writes(machine);
        facts.globals = globals.unwrap_or_default();
        facts.find_own_channels(machine);
        facts
    }

    /// Goes through code in order, with what is known of the registers before each instruction.
    fn scan(
        &self,
        machine: &Machine,
        leaders: &[bool],
        range: Range<usize>,
        mut see: impl FnMut(usize, Op, &Registers),
    ) {
        let mut registers = Registers::new();
        for (pc, &op) in machine.code.iter().enumerate().take(range.end).skip(range.start) {
            if leaders[pc] {
                registers = Registers::new();
            }
            see(pc, op, &registers);
            registers.step(self, None, op);
        }
    }

    /// What some statement outside the initialisation writes to the global record.
    fn find_writes(&mut self, machine: &Machine) {
        let init = machine.global_init as usize;
        let length = machine.code[init..].iter().position(|op| *op == Op::Done).unwrap_or(0);
        let leaders = leaders(machine);
        let bits = machine.global_words * 32;
        let mut written = std::mem::take(&mut self.written);
        self.scan(machine, &leaders, 0..machine.code.len(), |pc, op, registers| {
            if (init..init + length).contains(&pc) {
                return;
            }
            match op {
                Op::Store { space: Space::Global, field, .. } => {
                    written.add(field.bit, field.bit + u32::from(field.width));
                }
                Op::StoreAt { space: Space::Global, at, field, .. } => {
                    let last = registers.get(at).range().map_or(bits, |(_, last)| last);
                    let end = field.bit.saturating_add(last);
                    written.add(field.bit, end.saturating_add(u32::from(field.width)));
                }
                _ => {}
            }
        });
        if let Some(last) = machine.last {
            written.add(last.bit, last.bit + u32::from(last.width));
        }
        self.written = written;
    }

    /// Variables that hold an own channel from the start and are never written again.
    fn find_own_channels(&mut self, machine: &Machine) {
        let leaders = leaders(machine);
        let mut starts: Vec<u32> = machine.transitions.iter().map(|t| t.code).collect();
        starts.sort_unstable();
        starts.dedup();
        for (ty, proctype) in machine.proctypes.iter().enumerate() {
            let mut places = self.made_with_channels(machine, proctype);
            for param in &proctype.params {
                places.retain(|p| !overlap(p.field, *param));
            }
            if places.is_empty() {
                continue;
            }
            let mine = machine.transitions.iter().filter(|t| usize::from(t.proctype) == ty);
            for statement in mine {
                // The code of a statement lies in one piece, at most up to the next statement.
                let next = starts.partition_point(|&s| s <= statement.code);
                let end = starts.get(next).map_or(machine.code.len(), |&s| s as usize);
                let code = statement.code as usize..end;
                self.scan(machine, &leaders, code, |_, op, registers| match op {
                    Op::Store { space: Space::Local, field, .. } => {
                        places.retain(|p| !overlap(p.field, field));
                    }
                    Op::StoreAt { space: Space::Local, at, field, .. } => {
                        let last = registers.get(at).range().map_or(u32::MAX, |(_, l)| l);
                        let end = u64::from(field.bit) + u64::from(last) + u64::from(field.width);
                        places.retain(|p| {
                            p.field.bit + u32::from(p.field.width) <= field.bit
                                || u64::from(p.field.bit) >= end
                        });
                    }
                    _ => {}
                });
            }
            self.own[ty] = places;
        }
    }

    /// The variables that hold an own channel when a process has been made.
    fn made_with_channels(&self, machine: &Machine, proctype: &Proctype) -> Vec<OwnPlace> {
        let mut places: Vec<OwnPlace> = Vec::new();
        let mut registers = Registers::new();
        for &op in &machine.code[proctype.init as usize..] {
            match op {
                Op::Store { s, space: Space::Local, field } => {
                    places.retain(|p| !overlap(p.field, field));
                    if let Known::Own(k) = registers.get(s) {
                        places.push(OwnPlace { field, k });
                    }
                }
                Op::Done => break,
                // Anything but straight code is not looked at.
                Op::Jump { .. }
                | Op::JumpIfZero { .. }
                | Op::JumpIfNotZero { .. }
                | Op::StoreAt { space: Space::Local, .. } => return Vec::new(),
                _ => {}
            }
            registers.step(self, None, op);
        }
        places
    }

    /// What is known about a variable.
    fn load(&self, proctype: Option<u16>, space: Space, field: Field) -> Known {
        match space {
            Space::Global if !self.globals.is_empty() && !self.written.meets(field) => {
                return Known::Const(field.get(&self.globals));
            }
            Space::Local => {
                if let Some(ty) = proctype
                    && let Some(own) = self.own[usize::from(ty)].iter().find(|o| o.field == field)
                {
                    return Known::Own(own.k);
                }
            }
            _ => {}
        }
        if !field.signed && field.width < 32 {
            return Known::upto(u32::MAX >> (32 - field.width));
        }
        Known::Nothing
    }

    /// What is known about an element.
    fn load_at(&self, space: Space, field: Field, at: Known) -> Known {
        let unknown = self.load(None, Space::Hidden, field);
        let elements = match at {
            Known::Const(at) if at >= 0 => (at as u32, 1, at as u32),
            Known::Range { first, by, last } if by > 0 && (last - first) / by < 256 => {
                (first, by, last)
            }
            _ => return unknown,
        };
        if space != Space::Global || self.globals.is_empty() {
            return unknown;
        }
        let mut classes = 0;
        for bits in (elements.0..=elements.2).step_by(elements.1 as usize) {
            let element = field.at(bits);
            if self.written.meets(element) {
                return unknown;
            }
            let value = element.get(&self.globals);
            if elements.0 == elements.2 {
                return Known::Const(value);
            }
            match usize::try_from(value - 1).ok().and_then(|i| self.global_channels.get(i)) {
                Some((_, class)) if *class < 64 => classes |= 1 << class,
                _ => return unknown,
            }
        }
        Known::Channel(classes)
    }
}

fn most_edges(proctype: &Proctype) -> usize {
    proctype.locations.iter().map(|location| location.edges.len()).max().unwrap_or(0)
}

/// Whether a process can come to its end, whatever the values of its variables.
fn may_end(machine: &Machine, ty: u16) -> bool {
    let proctype = &machine.proctypes[usize::from(ty)];
    let mut seen = vec![false; proctype.locations.len()];
    let mut stack = vec![proctype.start];
    while let Some(location) = stack.pop() {
        if std::mem::replace(&mut seen[usize::from(location)], true) {
            continue;
        }
        for edge in &proctype.locations[usize::from(location)].edges {
            let statement = &machine.transitions[edge.transition as usize];
            if statement.kind == TransitionKind::End {
                return true;
            }
            stack.push(statement.target);
        }
    }
    false
}

fn overlap(a: Field, b: Field) -> bool {
    a.bit < b.bit + u32::from(b.width) && b.bit < a.bit + u32::from(a.width)
}

/// Where straight code ends because something may jump there.
fn leaders(machine: &Machine) -> Vec<bool> {
    let mut leaders = vec![false; machine.code.len() + 1];
    let mut mark = |at: u32| {
        if let Some(leader) = leaders.get_mut(at as usize) {
            *leader = true;
        }
    };
    for (pc, op) in machine.code.iter().enumerate() {
        match *op {
            Op::Jump { to } => {
                mark(to);
                mark(pc as u32 + 1);
            }
            Op::JumpIfZero { to, .. }
            | Op::JumpIfNotZero { to, .. }
            | Op::SendGuard { or: to, .. }
            | Op::ReceiveGuard { or: to, .. } => mark(to),
            Op::Done | Op::Blocked { .. } => mark(pc as u32 + 1),
            _ => {}
        }
    }
    machine.transitions.iter().for_each(|t| mark(t.code));
    machine.proctypes.iter().for_each(|p| mark(p.init));
    leaders
}
