//! Execution of single statements.

use everypath_model::{ComponentMask, Fault, Value};

use crate::code::{Op, Pattern, Probe, REGISTERS, SiteId, Space};
use crate::layout::Field;
use crate::machine::{FaultKind, Kind, Machine};
use crate::shape::{ChannelSlot, GLOBALS, HIDDEN, Shape};

/// How many jumps one statement may take before it counts as endless.
const STEP_BUDGET: u32 = 10_000_000;
/// The same after other statements turned out to be endless: the search is incomplete then, and
/// each attempt to execute such a statement costs the whole budget.
const LEAST_BUDGET: u32 = 10_000;

/// The most processes and the most channels a state can have, as in SPIN.
const MAX_LIVE: usize = 255;

/// The number of the executing process where there is none.
const NOBODY: usize = usize::MAX;

/// A fault value of a kind at a site.
pub(crate) fn fault(kind: FaultKind, site: SiteId) -> Fault {
    Fault((kind as u32) << 24 | site)
}

/// The kind and the site of a fault value.
pub(crate) fn split_fault(fault: Fault) -> (FaultKind, SiteId) {
    (FaultKind::ALL[(fault.0 >> 24) as usize], fault.0 & 0x00ff_ffff)
}

/// How the guard of a statement turned out.
pub(crate) enum Guard {
    /// Not executable.
    Disabled,
    /// Executable; the effect starts at this instruction.
    Commit(u32),
    /// A rendezvous send on this channel (index): the message is in [`Exec::message`].
    Offer(usize),
    /// Its evaluation is a fault.
    Fault(Fault),
}

/// What a replayed statement touched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    pub reads: Vec<(Space, usize, u32)>,
    pub writes: Vec<(Space, usize, u32)>,
    /// Channel index, message, whether it was put in; in order.
    pub messages: Vec<(usize, Vec<i32>, bool)>,
    /// A channel was full and lost the message.
    pub lost: bool,
    /// What was asked of channels and not granted.
    pub asked: Vec<Asked>,
    /// More than variables and channels was looked at: the control states of processes.
    pub beyond: bool,
    pub output: String,
}

/// What a guard asked of a channel (by its value) without success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// A message that matches; the values of the compared fields.
    Message { channel: i32, random: bool, wanted: Vec<Option<i32>>, poll: bool },
    /// Room for a message.
    Room { channel: i32 },
    /// How many messages there are; whatever the answer was.
    Count { channel: i32 },
}

/// The message slot that stands for a rendezvous in progress.
const HANDSHAKE: u32 = u32::MAX;

/// Registers and context of the statement that is being executed.
pub(crate) struct Exec {
    pub shape: Shape,
    pub regs: Box<[i32; REGISTERS]>,
    /// The message of a rendezvous in progress.
    pub message: Vec<i32>,
    /// The channel (index) of a rendezvous in progress: only a receive from it can be executed.
    pub handshake: Option<usize>,
    pub timeout: bool,
    /// Whether the executing process can do something in this state already: what `else` of a
    /// process asked about by `enabled` depends on in SPIN.
    pub moved: bool,
    /// The executing process.
    pub me: usize,
    pub changed: ComponentMask,
    /// Faults that did not stop the run.
    pub faults: Vec<Fault>,
    pub log: Option<Log>,
    slot: u32,
    received: bool,
    /// Guards against `enabled` of each other.
    depth: u32,
    /// How many jumps one statement may take.
    patience: u32,
}

/// What comes after an instruction.
enum Next {
    Op,
    To(u32),
    Fault(Fault),
}

impl Exec {
    pub fn new() -> Exec {
        Exec {
            shape: Shape::default(),
            regs: Box::new([0; REGISTERS]),
            message: Vec::new(),
            handshake: None,
            timeout: false,
            moved: false,
            me: 0,
            changed: ComponentMask::default(),
            faults: Vec::new(),
            log: None,
            slot: 0,
            received: false,
            depth: 0,
            patience: STEP_BUDGET,
        }
    }

    /// Runs code on a state that it only reads, up to its commit.
    pub fn guard(&mut self, machine: &Machine, state: &[u32], code: u32) -> Guard {
        self.received = false;
        let mut pc = code;
        loop {
            match machine.code[pc as usize] {
                Op::Commit => {
                    if self.handshake.is_some() && !self.received {
                        return Guard::Disabled;
                    }
                    return Guard::Commit(pc + 1);
                }
                Op::Done => return Guard::Commit(pc),
                Op::Blocked { .. } => return Guard::Disabled,
                Op::SendGuard { c, first, count, or, site } => {
                    if self.handshake.is_some() {
                        return Guard::Disabled;
                    }
                    match self.send_guard(machine, state, c, first, count, site) {
                        Ok(SendGuard::Room) => pc += 1,
                        Ok(SendGuard::Full) => pc = or,
                        Ok(SendGuard::Offer(channel)) => return Guard::Offer(channel),
                        Err(fault) => return Guard::Fault(fault),
                    }
                }
                op => match self.pure(machine, state, op) {
                    Next::Op => pc += 1,
                    Next::To(to) => pc = to,
                    Next::Fault(fault) => return Guard::Fault(fault),
                },
            }
        }
    }

    /// The value that code leaves in register 0.
    pub fn value(&mut self, machine: &Machine, state: &[u32], code: u32) -> Result<i32, Fault> {
        let mut pc = code;
        loop {
            match machine.code[pc as usize] {
                Op::Done => return Ok(self.regs[0]),
                op => match self.pure(machine, state, op) {
                    Next::Op => pc += 1,
                    Next::To(to) => pc = to,
                    Next::Fault(fault) => return Err(fault),
                },
            }
        }
    }

    /// Before a condition on a state is evaluated, which is no part of any process.
    pub fn observe(&mut self) {
        self.me = NOBODY;
        self.moved = false;
        self.timeout = false;
        self.handshake = None;
    }

    /// Runs a part of a guard up to the instruction at `end`.
    pub fn part(
        &mut self,
        machine: &Machine,
        state: &[u32],
        start: u32,
        end: u32,
    ) -> Result<(), Fault> {
        let mut pc = start;
        while pc < end {
            match self.pure(machine, state, machine.code[pc as usize]) {
                Next::Op => pc += 1,
                Next::To(to) => pc = to,
                Next::Fault(fault) => return Err(fault),
            }
        }
        Ok(())
    }

    /// Runs the effect on the vector that starts at word `base` of `words` and goes to its end.
    pub fn effect(
        &mut self,
        machine: &Machine,
        words: &mut Vec<u32>,
        base: usize,
        code: u32,
    ) -> Result<(), Fault> {
        // Only the first receive of an indivisible sequence takes part in a rendezvous.
        let handshake = self.handshake.take();
        let result = self.run_effect(machine, words, base, code);
        self.handshake = handshake;
        result
    }

    fn run_effect(
        &mut self,
        machine: &Machine,
        words: &mut Vec<u32>,
        base: usize,
        code: u32,
    ) -> Result<(), Fault> {
        let mut pc = code;
        let mut budget = self.patience;
        loop {
            // Only jumps can make it long.
            match machine.code[pc as usize] {
                Op::Commit => pc += 1,
                Op::Done => return Ok(()),
                Op::Store { s, space, field } => {
                    self.store(machine, words, base, space, field, s);
                    pc += 1;
                }
                Op::StoreAt { s, at, space, field } => {
                    let field = field.at(self.regs[usize::from(at)] as u32);
                    self.store(machine, words, base, space, field, s);
                    pc += 1;
                }
                Op::SetPriority { a, value } => {
                    self.set_priority(machine, words, base, a, value);
                    pc += 1;
                }
                Op::Run { d, proctype, first, count, priority, site } => {
                    let pid =
                        self.run(machine, words, base, proctype, first, count, priority, site)?;
                    self.regs[usize::from(d)] = pid;
                    pc += 1;
                }
                Op::SendGuard { c, first, count, or, site } => {
                    match self.send_guard(machine, &words[base..], c, first, count, site)? {
                        SendGuard::Room => pc += 1,
                        SendGuard::Full => pc = or,
                        SendGuard::Offer(_) => return Err(fault(FaultKind::RendezvousUse, site)),
                    }
                }
                Op::Send { c, first, count, sorted, site } => {
                    self.send(machine, &mut words[base..], c, first, count, sorted, site)?;
                    pc += 1;
                }
                Op::ReceiveTake { c } => {
                    self.take(machine, &mut words[base..], c);
                    pc += 1;
                }
                Op::Assert { a, site } => {
                    if self.regs[usize::from(a)] == 0 {
                        self.faults.push(fault(FaultKind::Assertion, site));
                    }
                    pc += 1;
                }
                Op::Blocked { site } => return Err(fault(FaultKind::BlockedStep, site)),
                Op::Print { format, first, count } => {
                    if self.log.is_some() {
                        self.print(machine, format, first, count);
                    }
                    pc += 1;
                }
                op => match self.pure(machine, &words[base..], op) {
                    Next::Op => pc += 1,
                    Next::To(to) => {
                        budget -= 1;
                        if budget == 0 {
                            self.patience = (self.patience / 10).max(LEAST_BUDGET);
                            return Err(fault(FaultKind::StepLoop, 0));
                        }
                        pc = to;
                    }
                    Next::Fault(fault) => return Err(fault),
                },
            }
        }
    }

    /// Instructions that only read the vector.
    #[inline(always)]
    fn pure(&mut self, machine: &Machine, state: &[u32], op: Op) -> Next {
        match op {
            Op::Const { d, value } => self.regs[usize::from(d)] = value,
            Op::Move { d, a } => self.regs[usize::from(d)] = self.regs[usize::from(a)],
            Op::Unary { op, d, a } => {
                self.regs[usize::from(d)] = op.apply(self.regs[usize::from(a)]);
            }
            Op::Binary { op, d, a, b } => {
                self.regs[usize::from(d)] =
                    op.apply(self.regs[usize::from(a)], self.regs[usize::from(b)]);
            }
            Op::Scale { d, a, by } => {
                let bits = self.regs[usize::from(a)].wrapping_mul(by as i32);
                self.regs[usize::from(d)] = self.regs[usize::from(d)].wrapping_add(bits);
            }
            Op::Bound { a, count, site } => {
                if self.regs[usize::from(a)] as u32 >= count {
                    return Next::Fault(fault(FaultKind::Index, site));
                }
            }
            Op::NonZero { a, site } => {
                if self.regs[usize::from(a)] == 0 {
                    return Next::Fault(fault(FaultKind::Division, site));
                }
            }
            Op::Load { d, space, field } => {
                self.regs[usize::from(d)] = self.load(machine, state, space, field);
            }
            Op::LoadAt { d, at, space, field } => {
                let field = field.at(self.regs[usize::from(at)] as u32);
                self.regs[usize::from(d)] = self.load(machine, state, space, field);
            }
            Op::Jump { to } => return Next::To(to),
            Op::JumpIfZero { a, to } => {
                if self.regs[usize::from(a)] == 0 {
                    return Next::To(to);
                }
            }
            Op::JumpIfNotZero { a, to } => {
                if self.regs[usize::from(a)] != 0 {
                    return Next::To(to);
                }
            }
            // A claim is process 0 for SPIN.
            Op::Pid { d } if self.me == NOBODY => self.regs[usize::from(d)] = 0,
            Op::Pid { d } => self.regs[usize::from(d)] = self.me as i32,
            Op::ProcessCount { d } => {
                if let Some(log) = &mut self.log {
                    log.beyond = true;
                }
                self.regs[usize::from(d)] = self.shape.processes.len() as i32;
            }
            Op::Timeout { d } => self.regs[usize::from(d)] = i32::from(self.timeout),
            Op::Moved { d } => self.regs[usize::from(d)] = i32::from(self.moved),
            Op::ReceiveField { d, c, field } => {
                self.regs[usize::from(d)] = self.received_field(machine, state, c, field);
            }
            other => return self.uncommon(machine, state, other),
        }
        Next::Op
    }

    /// The instructions that are worth a call.
    #[inline(never)]
    fn uncommon(&mut self, machine: &Machine, state: &[u32], op: Op) -> Next {
        if let Some(log) = &mut self.log {
            log.beyond |= matches!(
                op,
                Op::AtState { .. }
                    | Op::FirstOf { .. }
                    | Op::PcValue { .. }
                    | Op::Enabled { .. }
                    | Op::Moved { .. }
                    | Op::GetPriority { .. }
            );
        }
        match op {
            Op::LoadRemote { d, pid, at, proctype, field } => {
                let pid = self.regs[usize::from(pid)];
                let at = self.regs[usize::from(at)] as u32;
                let value = match self.process(pid) {
                    Some(p) if p.1.ty == proctype => {
                        let field = field.at(at);
                        self.note_read(Space::Local, p.0, field.bit);
                        field.get(&state[p.1.offset as usize..])
                    }
                    _ => 0,
                };
                self.regs[usize::from(d)] = value;
            }
            Op::AtState { d, pid, number } => {
                let pid = self.regs[usize::from(pid)];
                let here = self.location_number(machine, state, pid);
                self.regs[usize::from(d)] = i32::from(here == number as i32);
            }
            Op::FirstOf { d, proctype } => {
                let first = self.shape.processes.iter().position(|p| p.ty == proctype);
                self.regs[usize::from(d)] = first.map_or(-1, |p| p as i32);
            }
            Op::PcValue { d, a } => {
                let pid = self.regs[usize::from(a)];
                self.regs[usize::from(d)] = self.location_number(machine, state, pid);
            }
            Op::Enabled { d, a, site } => {
                let pid = self.regs[usize::from(a)];
                if self.me != NOBODY && pid == self.me as i32 {
                    return Next::Fault(fault(FaultKind::EnabledSelf, site));
                }
                let enabled = pid >= 0
                    && (pid as usize) < self.shape.processes.len()
                    && self.process_enabled(machine, state, pid as usize);
                self.regs[usize::from(d)] = i32::from(enabled);
            }
            Op::GetPriority { d, a } => {
                let pid = self.regs[usize::from(a)];
                self.regs[usize::from(d)] = match self.process(pid) {
                    Some((_, p)) if machine.uses_priorities => {
                        machine.head.priority.get(&state[p.offset as usize..])
                    }
                    _ => 0,
                };
            }
            Op::OwnChannel { d, k } => {
                let first = self.shape.processes[self.me].first_channel;
                self.regs[usize::from(d)] = i32::from(first + k) + 1;
            }
            Op::Probe { d, c, probe, site } => match self.probe(machine, state, c, probe, site) {
                Ok(value) => self.regs[usize::from(d)] = value,
                Err(fault) => return Next::Fault(fault),
            },
            Op::Poll { d, c, first, pattern, site } => {
                match self.poll(machine, state, c, first, pattern, site) {
                    Ok(found) => self.regs[usize::from(d)] = i32::from(found),
                    Err(fault) => return Next::Fault(fault),
                }
            }
            Op::ReceiveGuard { c, first, pattern, copy, or, site } => {
                match self.receive_guard(machine, state, c, first, (pattern, copy), site) {
                    Ok(true) => self.received = true,
                    Ok(false) => return Next::To(or),
                    Err(fault) => return Next::Fault(fault),
                }
            }
            other => unreachable!("{other:?} before the commit"),
        }
        Next::Op
    }

    fn process(&self, pid: i32) -> Option<(usize, crate::shape::ProcessSlot)> {
        let index = usize::try_from(pid).ok()?;
        Some((index, *self.shape.processes.get(index)?))
    }

    /// The number of the control state of a process; 0 if there is no such process.
    fn location_number(&self, machine: &Machine, state: &[u32], pid: i32) -> i32 {
        self.process(pid).map_or(0, |(_, p)| {
            let location = machine.head.location.get(&state[p.offset as usize..]) as usize;
            machine.proctypes[usize::from(p.ty)].locations[location].number as i32
        })
    }

    #[inline]
    fn record(&self, machine: &Machine, space: Space) -> usize {
        match space {
            Space::Global => machine.hidden_words as usize,
            Space::Local => self.shape.processes[self.me].offset as usize,
            Space::Hidden => 0,
        }
    }

    #[inline]
    fn load(&mut self, machine: &Machine, state: &[u32], space: Space, field: Field) -> i32 {
        self.note_read(space, self.me, field.bit);
        field.get(&state[self.record(machine, space)..])
    }

    #[inline]
    fn note_read(&mut self, space: Space, process: usize, bit: u32) {
        if let Some(log) = &mut self.log {
            log.reads.push((space, process, bit));
        }
    }

    /// Remembers what was asked of a channel, if somebody wants to know.
    fn note_asked(&mut self, asked: impl FnOnce(&Exec) -> Asked) {
        if self.log.is_some() {
            let asked = asked(self);
            if let Some(log) = &mut self.log {
                log.asked.push(asked);
            }
        }
    }

    #[inline]
    fn store(
        &mut self,
        machine: &Machine,
        words: &mut [u32],
        base: usize,
        space: Space,
        field: Field,
        s: u8,
    ) {
        if let Some(log) = &mut self.log {
            log.writes.push((space, self.me, field.bit));
        }
        let record = base + self.record(machine, space);
        field.set(&mut words[record..], self.regs[usize::from(s)]);
        self.changed.insert(match space {
            Space::Global => GLOBALS,
            Space::Local => usize::from(self.shape.processes[self.me].component),
            Space::Hidden => HIDDEN,
        });
    }

    fn set_priority(
        &mut self,
        machine: &Machine,
        words: &mut [u32],
        base: usize,
        a: u8,
        value: u8,
    ) {
        if let Some((_, p)) = self.process(self.regs[usize::from(a)]) {
            let value = self.regs[usize::from(value)];
            machine.head.priority.set(&mut words[base + p.offset as usize..], value);
            self.changed.insert(usize::from(p.component));
        }
    }

    /// Appends a process to the vector; its number.
    #[allow(clippy::too_many_arguments)]
    pub fn run(
        &mut self,
        machine: &Machine,
        words: &mut Vec<u32>,
        base: usize,
        ty: u16,
        first: u8,
        count: u8,
        priority: u8,
        site: SiteId,
    ) -> Result<i32, Fault> {
        let proctype = &machine.proctypes[usize::from(ty)];
        let pid = self.shape.processes.len();
        if pid >= MAX_LIVE {
            return Err(fault(FaultKind::Processes, site));
        }
        if self.shape.channels.len() + proctype.channels.len() > MAX_LIVE {
            return Err(fault(FaultKind::Channels, site));
        }
        let offset = self.shape.end as usize;
        self.shape.push_process(machine, ty);
        words.resize(base + self.shape.end as usize, 0);
        let record = &mut words[base + offset..];
        machine.head.location.set(record, i32::from(proctype.start));
        machine.head.proctype.set(record, i32::from(ty));
        if machine.uses_priorities {
            machine.head.priority.set(record, i32::from(priority));
        }
        for (i, param) in proctype.params.iter().enumerate().take(usize::from(count)) {
            param.set(record, self.regs[usize::from(first) + i]);
        }
        self.changed = ComponentMask::ALL;
        if machine.code[proctype.init as usize] != Op::Done {
            let saved = *self.regs;
            let creator = std::mem::replace(&mut self.me, pid);
            let result = self.effect(machine, words, base, proctype.init);
            self.me = creator;
            *self.regs = saved;
            result?;
        }
        Ok(pid as i32)
    }

    /// Whether the provided clause of a process lets it move.
    pub fn provided(&mut self, machine: &Machine, state: &[u32], pid: usize) -> bool {
        let slot = self.shape.processes[pid];
        let Some(provided) = machine.proctypes[usize::from(slot.ty)].provided else { return true };
        let me = std::mem::replace(&mut self.me, pid);
        let allowed = self.value(machine, state, provided).unwrap_or(0) != 0;
        self.me = me;
        allowed
    }

    /// Whether some statement of a process can be executed, provided clause or not.
    pub fn process_enabled(&mut self, machine: &Machine, state: &[u32], pid: usize) -> bool {
        if self.depth > 8 {
            return false;
        }
        self.depth += 1;
        let saved = *self.regs;
        let (me, received) = (self.me, self.received);
        self.me = pid;
        let enabled = self.some_edge_enabled(machine, state, pid);
        self.me = me;
        self.received = received;
        *self.regs = saved;
        self.depth -= 1;
        enabled
    }

    fn some_edge_enabled(&mut self, machine: &Machine, state: &[u32], pid: usize) -> bool {
        use crate::machine::TransitionKind;
        let slot = self.shape.processes[pid];
        let proctype = &machine.proctypes[usize::from(slot.ty)];
        let location = machine.head.location.get(&state[slot.offset as usize..]) as usize;
        proctype.locations[location].edges.iter().any(|edge| {
            let transition = &machine.transitions[edge.transition as usize];
            match transition.kind {
                TransitionKind::Else => !self.moved,
                TransitionKind::End => pid + 1 == self.shape.processes.len(),
                TransitionKind::Code => {
                    matches!(
                        self.guard(machine, state, transition.code),
                        Guard::Commit(_) | Guard::Fault(_)
                    )
                }
            }
        })
    }

    /// The channel behind a channel value: `Ok(None)` if its owner has ended.
    fn channel(&self, value: i32, site: SiteId) -> Result<Option<ChannelSlot>, Fault> {
        if value == 0 {
            return Err(fault(FaultKind::NoChannel, site));
        }
        Ok(self.shape.channels.get((value - 1) as usize).copied())
    }

    fn probe(
        &mut self,
        machine: &Machine,
        state: &[u32],
        c: u8,
        probe: Probe,
        site: SiteId,
    ) -> Result<i32, Fault> {
        self.note_asked(|exec| Asked::Count { channel: exec.regs[usize::from(c)] });
        let Some(slot) = self.channel(self.regs[usize::from(c)], site)? else {
            return match probe {
                Probe::Len => Ok(0),
                Probe::Empty => Ok(1),
                Probe::NotEmpty => Ok(0),
                Probe::Full | Probe::NotFull => Err(fault(FaultKind::DeadChannel, site)),
            };
        };
        let ty = &machine.channel_types[usize::from(slot.ty)];
        let len = ty.length(&state[slot.offset as usize..]);
        let full = ty.capacity > 0 && len == ty.capacity;
        Ok(match probe {
            Probe::Len => len as i32,
            Probe::Full => i32::from(full),
            Probe::Empty => i32::from(len == 0),
            Probe::NotFull => i32::from(!full),
            Probe::NotEmpty => i32::from(len > 0),
        })
    }

    fn poll(
        &mut self,
        machine: &Machine,
        state: &[u32],
        c: u8,
        first: u8,
        pattern: u16,
        site: SiteId,
    ) -> Result<bool, Fault> {
        let Some(slot) = self.channel(self.regs[usize::from(c)], site)? else {
            return Ok(false);
        };
        let ty = &machine.channel_types[usize::from(slot.ty)];
        if ty.capacity == 0 {
            return Err(fault(FaultKind::RendezvousUse, site));
        }
        let pattern = machine.patterns[usize::from(pattern)];
        let record = &state[slot.offset as usize..];
        let found = ty.find(record, pattern, &self.regs[usize::from(first)..]).is_some();
        if found && !pattern.may_poll(ty.fields.len()) {
            return Err(fault(FaultKind::Arity, site));
        }
        self.note_asked(|exec| exec.asked_message(c, first, pattern, true));
        Ok(found)
    }

    fn asked_message(&self, c: u8, first: u8, pattern: Pattern, poll: bool) -> Asked {
        let field = |i: usize| {
            let compared = i < 64 && pattern.compared & 1 << i != 0;
            compared.then(|| self.regs[usize::from(first) + i])
        };
        Asked::Message {
            channel: self.regs[usize::from(c)],
            random: pattern.random,
            wanted: (0..usize::from(pattern.places)).map(field).collect(),
            poll,
        }
    }

    fn send_guard(
        &mut self,
        machine: &Machine,
        state: &[u32],
        c: u8,
        first: u8,
        count: u8,
        site: SiteId,
    ) -> Result<SendGuard, Fault> {
        let value = self.regs[usize::from(c)];
        let Some(slot) = self.channel(value, site)? else {
            return Err(fault(FaultKind::DeadChannel, site));
        };
        let ty = &machine.channel_types[usize::from(slot.ty)];
        if usize::from(count) != ty.fields.len() {
            return Err(fault(FaultKind::Arity, site));
        }
        if ty.capacity == 0 {
            self.message.clear();
            let first = usize::from(first);
            self.message.extend(
                ty.fields
                    .iter()
                    .zip(&self.regs[first..])
                    .map(|(field, &value)| field.truncate(value)),
            );
            return Ok(SendGuard::Offer((value - 1) as usize));
        }
        let len = ty.length(&state[slot.offset as usize..]);
        if len < ty.capacity || machine.lossy_channels {
            Ok(SendGuard::Room)
        } else {
            self.note_asked(|_| Asked::Room { channel: value });
            Ok(SendGuard::Full)
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn send(
        &mut self,
        machine: &Machine,
        vector: &mut [u32],
        c: u8,
        first: u8,
        count: u8,
        sorted: bool,
        site: SiteId,
    ) -> Result<(), Fault> {
        let value = self.regs[usize::from(c)];
        let Some(slot) = self.channel(value, site)? else {
            return Err(fault(FaultKind::DeadChannel, site));
        };
        let ty = &machine.channel_types[usize::from(slot.ty)];
        let record = &mut vector[slot.offset as usize..];
        let len = ty.length(record);
        if let Some(log) = &mut self.log {
            let args = &self.regs[usize::from(first)..][..usize::from(count)];
            let sent = ty.fields.iter().zip(args).map(|(f, &v)| f.truncate(v)).collect();
            log.messages.push(((value - 1) as usize, sent, true));
        }
        if len == ty.capacity {
            if let Some(log) = &mut self.log {
                log.lost = true;
            }
            return Ok(());
        }
        ty.put(record, &self.regs[usize::from(first)..], sorted);
        self.changed.insert(usize::from(slot.component));
        Ok(())
    }

    fn receive_guard(
        &mut self,
        machine: &Machine,
        state: &[u32],
        c: u8,
        first: u8,
        (pattern, copy): (u16, bool),
        site: SiteId,
    ) -> Result<bool, Fault> {
        let value = self.regs[usize::from(c)];
        let pattern = machine.patterns[usize::from(pattern)];
        let wanted = usize::from(first)..;
        if let Some(channel) = self.handshake {
            let fields = self.message.len();
            if value - 1 != channel as i32
                || copy
                || !pattern.matches(&self.regs[wanted], fields, |i| self.message[i])
            {
                return Ok(false);
            }
            if !pattern.fits(fields, copy) {
                return Err(fault(FaultKind::Arity, site));
            }
            self.slot = HANDSHAKE;
            return Ok(true);
        }
        let Some(slot) = self.channel(value, site)? else {
            self.note_asked(|exec| exec.asked_message(c, first, pattern, false));
            return Ok(false);
        };
        let ty = &machine.channel_types[usize::from(slot.ty)];
        if copy && ty.capacity == 0 {
            return Err(fault(FaultKind::RendezvousUse, site));
        }
        let record = &state[slot.offset as usize..];
        match ty.find(record, pattern, &self.regs[wanted]) {
            Some(_) if !pattern.fits(ty.fields.len(), copy) => Err(fault(FaultKind::Arity, site)),
            Some(found) => {
                self.slot = found;
                Ok(true)
            }
            None => {
                self.note_asked(|exec| exec.asked_message(c, first, pattern, false));
                Ok(false)
            }
        }
    }

    fn received_field(&self, machine: &Machine, state: &[u32], c: u8, field: u8) -> i32 {
        if self.slot == HANDSHAKE {
            return self.message[usize::from(field)];
        }
        let slot = self.shape.channels[(self.regs[usize::from(c)] - 1) as usize];
        let ty = &machine.channel_types[usize::from(slot.ty)];
        ty.fields[usize::from(field)].at(ty.slot(self.slot)).get(&state[slot.offset as usize..])
    }

    fn take(&mut self, machine: &Machine, vector: &mut [u32], c: u8) {
        let channel = (self.regs[usize::from(c)] - 1) as usize;
        if self.slot == HANDSHAKE {
            if let Some(log) = &mut self.log {
                log.messages.push((channel, self.message.clone(), false));
            }
            return;
        }
        let slot = self.shape.channels[channel];
        let ty = &machine.channel_types[usize::from(slot.ty)];
        let record = &mut vector[slot.offset as usize..];
        if let Some(log) = &mut self.log {
            let message = ty.message(record, self.slot);
            log.messages.push((channel, message, false));
        }
        ty.take(record, self.slot);
        self.changed.insert(usize::from(slot.component));
    }

    fn print(&mut self, machine: &Machine, format: u32, first: u8, count: u8) {
        let args = &self.regs[usize::from(first)..][..usize::from(count)];
        let text = machine.formats[format as usize].render(machine, args);
        if let Some(log) = &mut self.log {
            log.output.push_str(&text);
        }
    }
}

/// How the guard of a send turned out.
enum SendGuard {
    Room,
    Full,
    Offer(usize),
}

impl Machine {
    /// A value as a person reads it.
    pub fn show(&self, kind: Kind, value: i32) -> Value {
        match kind {
            Kind::Int => Value::Int(i64::from(value)),
            Kind::Bool if value == 0 || value == 1 => Value::Bool(value == 1),
            Kind::Bool => Value::Int(i64::from(value)),
            Kind::Name(set) => {
                let names = &self.name_sets[usize::from(set)];
                match usize::try_from(i64::from(value) - 1).ok().and_then(|i| names.get(i)) {
                    Some(name) => Value::Name(name.clone()),
                    None => Value::Int(i64::from(value)),
                }
            }
            Kind::Channel if value == 0 => Value::Name("-".into()),
            Kind::Channel => Value::Name(format!("chan {value}")),
        }
    }
}
