//! Names, places and values of a machine's states, and the replay of its runs.

use std::collections::BTreeMap;

use everypath_model::{
    Action, ActionInfo, Blocked, Describe, Fault, FaultInfo, Message, MicroStep, ReplayError, Span,
    Stranded, Successors, Threading, TransitionSystem, Value,
};

use rustc_hash::FxHashSet;

use crate::code::{Op, Space};
use crate::exec::{Exec, Guard, Log, split_fault};
use crate::interpreter::Interpreter;
use crate::machine::{Cell, FaultKind, Kind, Machine, TransitionKind};
use crate::shape::Shape;

impl FaultKind {
    /// The stable code of the fault.
    pub fn code(self) -> &'static str {
        match self {
            FaultKind::Assertion => "EP0101",
            FaultKind::Index => "EP0103",
            FaultKind::Division => "EP0104",
            FaultKind::Processes => "EP0105",
            FaultKind::Channels => "EP0106",
            FaultKind::NoChannel => "EP0107",
            FaultKind::DeadChannel => "EP0108",
            FaultKind::BlockedStep => "EP0109",
            FaultKind::Nondeterminism => "EP0110",
            FaultKind::Arity => "EP0111",
            FaultKind::RendezvousUse => "EP0112",
            FaultKind::EnabledSelf => "EP0113",
            FaultKind::Invariant => "EP0114",
            FaultKind::AtomicLoop => "EP0302",
            FaultKind::StepLoop => "EP0303",
        }
    }

    /// The property it violates, as one word.
    pub fn word(self) -> &'static str {
        match self {
            FaultKind::Assertion => "assertion",
            FaultKind::Index => "index",
            FaultKind::Division => "division",
            FaultKind::Processes => "processes",
            FaultKind::Channels => "channels",
            FaultKind::NoChannel | FaultKind::DeadChannel => "channel",
            FaultKind::BlockedStep => "d_step",
            FaultKind::Nondeterminism => "d_proctype",
            FaultKind::Arity => "arity",
            FaultKind::RendezvousUse => "rendezvous",
            FaultKind::EnabledSelf => "enabled",
            FaultKind::Invariant => "invariant",
            FaultKind::AtomicLoop | FaultKind::StepLoop => "loop",
        }
    }

    /// Whether the site of the fault is a transition and not an expression.
    fn at_transition(self) -> bool {
        matches!(self, FaultKind::Nondeterminism | FaultKind::AtomicLoop | FaultKind::StepLoop)
    }
}

impl Machine {
    /// The name of a process: with its number where its proctype may have several instances.
    pub(crate) fn process_name(&self, ty: u16, pid: usize) -> String {
        let proctype = &self.proctypes[usize::from(ty)];
        if proctype.numbered { format!("{}[{pid}]", proctype.name) } else { proctype.name.clone() }
    }

    fn fault_place(&self, kind: FaultKind, site: u32) -> (Option<Span>, String) {
        if kind.at_transition() {
            let transition = &self.transitions[site as usize];
            return (Some(transition.span), transition.text.clone());
        }
        match self.sites.get(site as usize) {
            Some(site) => (Some(site.span), site.text.clone()),
            None => (None, String::new()),
        }
    }

    fn fault_message(&self, kind: FaultKind, text: &str, values: &str) -> String {
        match kind {
            FaultKind::Assertion => format!("assertion can fail: {text}{values}"),
            FaultKind::Index => format!("array index out of range: {text}{values}"),
            FaultKind::Division => format!("division by zero: {text}{values}"),
            FaultKind::Processes => "too many processes: there can be 255 at a time".into(),
            FaultKind::Channels => "too many channels: there can be 255 at a time".into(),
            FaultKind::NoChannel => format!("`{text}` holds no channel"),
            FaultKind::DeadChannel => {
                format!("the channel in `{text}` is gone: the process that owned it has ended")
            }
            FaultKind::BlockedStep => format!("blocked inside a d_step: {text}{values}"),
            FaultKind::Nondeterminism => {
                "two statements of a D_proctype can be executed in the same state".into()
            }
            FaultKind::Arity => {
                format!("the number of message fields does not fit the channel in `{text}`")
            }
            FaultKind::RendezvousUse => {
                format!("not possible on a rendezvous channel: {text}")
            }
            FaultKind::EnabledSelf => "enabled() of the process itself".into(),
            FaultKind::Invariant => format!("invariant can be false: {text}{values}"),
            FaultKind::AtomicLoop => "an atomic sequence can go round for ever".into(),
            FaultKind::StepLoop => "a d_step goes round for ever".into(),
        }
    }

    pub(crate) fn cell(
        &self,
        shape: &Shape,
        space: Space,
        process: usize,
        bit: u32,
    ) -> Option<&Cell> {
        let cells = match space {
            Space::Global => &self.global_cells,
            Space::Hidden => &self.hidden_cells,
            Space::Local => {
                // A process that was made in the step itself is not part of the shape.
                &self.proctypes[usize::from(shape.processes.get(process)?.ty)].cells
            }
        };
        cells.iter().find(|cell| cell.field.bit == bit && !cell.synthetic)
    }

    pub(crate) fn cell_name(
        &self,
        shape: &Shape,
        space: Space,
        process: usize,
        cell: &Cell,
    ) -> String {
        match space {
            Space::Global | Space::Hidden => cell.name.clone(),
            Space::Local => {
                let name = self.process_name(shape.processes[process].ty, process);
                format!("{name}.{}", cell.name)
            }
        }
    }

    pub(crate) fn record<'a>(
        &self,
        shape: &Shape,
        space: Space,
        process: usize,
        state: &'a [u32],
    ) -> Option<&'a [u32]> {
        match space {
            Space::Global => state.get(self.hidden_words as usize..),
            Space::Hidden => Some(state),
            Space::Local => state.get(shape.processes.get(process)?.offset as usize..),
        }
    }

    pub(crate) fn channel_name(&self, shape: &Shape, channel: usize) -> String {
        if let Some(global) = self.global_channels.get(channel) {
            return global.name.clone();
        }
        let owner = shape
            .processes
            .iter()
            .rposition(|p| usize::from(p.first_channel) <= channel)
            .unwrap_or(0);
        let slot = shape.processes[owner];
        let own = &self.proctypes[usize::from(slot.ty)].channels;
        let k = channel - usize::from(slot.first_channel);
        let name = own.get(k).map_or("?", |c| &c.name);
        format!("{}.{name}", self.process_name(slot.ty, owner))
    }

    pub(crate) fn message_value(&self, ty: u16, fields: &[i32]) -> Vec<Value> {
        let kinds = &self.channel_types[usize::from(ty)].kinds;
        fields.iter().zip(kinds).map(|(&v, &kind)| self.show(kind, v)).collect()
    }

    /// A message as one value: a list unless it has a single field.
    pub(crate) fn message(&self, ty: u16, fields: &[i32]) -> Value {
        let mut fields = self.message_value(ty, fields);
        if fields.len() == 1 { fields.remove(0) } else { Value::List(fields) }
    }

    /// The statements that were never executed, given those that were. Statements that the
    /// translation made itself are left out, and so are the ends of processes.
    pub fn unreached(&self, taken: impl Fn(u32) -> bool) -> Vec<ActionInfo> {
        // The same statement may stand for several transitions (an inline called twice).
        let mut seen: FxHashSet<(Span, &str)> = FxHashSet::default();
        for (index, transition) in self.transitions.iter().enumerate() {
            if taken(index as u32) {
                seen.insert((transition.span, &transition.text));
            }
        }
        let mut missing: Vec<ActionInfo> = Vec::new();
        for transition in &self.transitions {
            let shown = !transition.synthetic && transition.kind != TransitionKind::End;
            if shown && seen.insert((transition.span, &transition.text)) {
                missing.push(ActionInfo { text: transition.text.clone(), span: transition.span });
            }
        }
        missing
    }

    /// Whether a transition may send or receive.
    pub fn moves_messages(&self, transition: u32) -> bool {
        let transition = &self.transitions[transition as usize];
        // There is one `Done` in the code of a statement, at its end.
        let code = self.code[transition.code as usize..].iter();
        transition.kind == TransitionKind::Code
            && code
                .take_while(|op| **op != Op::Done)
                .any(|op| matches!(op, Op::Send { .. } | Op::ReceiveTake { .. }))
    }

    /// The first fields of the messages of a global channel as a person reads them; `None` if there is no
    /// such channel, or it has fewer fields.
    pub fn message_of(&self, channel: &str, fields: &[Option<i32>]) -> Option<Vec<Option<Value>>> {
        let channel = self.global_channels.iter().find(|known| known.name == channel)?;
        let kinds = &self.channel_types[usize::from(channel.ty)].kinds;
        if kinds.len() < fields.len() {
            return None;
        }
        let shown = |(field, &kind): (&Option<i32>, _)| field.map(|value| self.show(kind, value));
        Some(fields.iter().zip(kinds).map(shown).collect())
    }

    /// Which invariant a fault is about.
    pub fn invariant_of(&self, fault: Fault) -> Option<usize> {
        match split_fault(fault) {
            (FaultKind::Invariant, site) => self.invariants.iter().position(|i| i.site == site),
            _ => None,
        }
    }

    /// Places of the assertions, with whether each was executed.
    pub fn assertions(&self, taken: impl Fn(u32) -> bool) -> Vec<(Span, bool)> {
        let mut found: BTreeMap<Span, bool> = BTreeMap::new();
        for (index, transition) in self.transitions.iter().enumerate() {
            if transition.kind != TransitionKind::Code {
                continue;
            }
            // There is one `Done` in the code of a statement, at its end.
            let code = self.code[transition.code as usize..].iter();
            for op in code.take_while(|op| **op != Op::Done) {
                if let Op::Assert { site, .. } = op {
                    let span = self.sites[*site as usize].span;
                    *found.entry(span).or_default() |= taken(index as u32);
                }
            }
        }
        found.into_iter().collect()
    }
}

impl Describe for Interpreter {
    fn values(&self, state: &[u32]) -> Vec<(String, Value)> {
        let machine = self.machine();
        let mut shape = Shape::default();
        shape.walk(machine, state);
        let mut values = Vec::new();
        let mut cells = |prefix: &str, record: &[u32], cells: &[Cell]| {
            for cell in cells.iter().filter(|cell| !cell.synthetic) {
                let value = machine.show(cell.kind, cell.field.get(record));
                values.push((format!("{prefix}{}", cell.name), value));
            }
        };
        cells("", &state[machine.hidden_words as usize..], &machine.global_cells);
        cells("", state, &machine.hidden_cells);
        for (pid, slot) in shape.processes.iter().enumerate() {
            let prefix = format!("{}.", machine.process_name(slot.ty, pid));
            let record = &state[slot.offset as usize..];
            cells(&prefix, record, &machine.proctypes[usize::from(slot.ty)].cells);
        }
        for (index, slot) in shape.channels.iter().enumerate() {
            let ty = &machine.channel_types[usize::from(slot.ty)];
            if ty.capacity == 0 {
                continue;
            }
            let record = &state[slot.offset as usize..];
            let messages = (0..ty.length(record))
                .map(|i| machine.message(slot.ty, &ty.message(record, i)))
                .collect();
            values.push((machine.channel_name(&shape, index), Value::List(messages)));
        }
        values
    }

    fn processes(&self, state: &[u32]) -> Vec<String> {
        let mut shape = Shape::default();
        shape.walk(self.machine(), state);
        shape
            .processes
            .iter()
            .enumerate()
            .map(|(pid, slot)| self.machine().process_name(slot.ty, pid))
            .collect()
    }

    fn action(&self, transition: u32) -> ActionInfo {
        let transition = &self.machine().transitions[transition as usize];
        ActionInfo { text: transition.text.clone(), span: transition.span }
    }

    fn fault(&self, fault: Fault) -> FaultInfo {
        let (kind, site) = split_fault(fault);
        let (span, text) = self.machine().fault_place(kind, site);
        FaultInfo {
            code: kind.code(),
            kind: kind.word(),
            message: self.machine().fault_message(kind, &text, ""),
            span,
            parts: Vec::new(),
            stack: Vec::new(),
            exception: None,
        }
    }

    fn replay(&self, state: &[u32], actions: &[Action]) -> Result<Vec<MicroStep>, ReplayError> {
        self.follow(state, actions)
    }

    /// A fault in an initial value comes before all actions.
    fn run_faults(&self, _: &[u32], actions: &[Action]) -> Vec<(Fault, FaultInfo)> {
        let mut out = Successors::new();
        if !actions.is_empty() || self.initial(&mut self.worker(), &mut out).is_err() {
            return Vec::new();
        }
        let faulty = out.steps().iter().filter_map(|step| Some((step, step.fault?)));
        let told = |(step, fault)| {
            let state = out.target(step);
            // The youngest process is the one whose variables were being set.
            let youngest = self.processes(state).len().saturating_sub(1);
            (fault, self.fault_with_values(state, fault, youngest))
        };
        faulty.map(told).collect()
    }

    fn blocked(&self, state: &[u32]) -> Vec<Blocked> {
        self.blocked_processes(state)
    }

    fn stranded(&self, state: &[u32]) -> Vec<Stranded> {
        self.stranded_messages(state)
    }

    fn invariant_fault(&self, state: &[u32], fault: Fault) -> FaultInfo {
        self.fault_with_values(state, fault, 0)
    }
}

impl Interpreter {
    /// One half of a move as a person reads it.
    pub(crate) fn micro_step(
        &self,
        before: &[u32],
        after: &[u32],
        action: Action,
        half: usize,
        receive: Option<Action>,
    ) -> MicroStep {
        let machine = self.machine();
        let mut exec = Exec::new();
        exec.shape.walk(machine, before);
        exec.me = action.process as usize;
        exec.log = Some(Log::default());
        let transition = &machine.transitions[action.transition as usize];
        let ty = exec.shape.processes[action.process as usize].ty;
        let process = machine.process_name(ty, action.process as usize);
        let mut message = None;
        let mut words = before.to_vec();
        if transition.kind == TransitionKind::Code {
            match (receive, half) {
                (Some(_), 0) => {
                    // The sender: its message is what the guard computes.
                    if let Guard::Offer(channel) = exec.guard(machine, before, transition.code) {
                        let fields = exec.message.clone();
                        message = Some(self.rendezvous(&exec.shape, channel, &fields, true));
                    }
                }
                (Some(receive), _) => self.receiver_half(before, &mut exec, receive, &mut words),
                (None, _) => {
                    exec.timeout = true;
                    if let Guard::Commit(effect) = exec.guard(machine, before, transition.code) {
                        // A fault is reported by the caller; what was done before it is shown.
                        let _ = exec.effect(machine, &mut words, 0, effect);
                    }
                }
            }
        }
        let log = exec.log.take().unwrap_or_default();
        exec.shape.walk(machine, before);
        let mut earlier = Vec::new();
        let last = log.messages.len();
        for (index, (channel, fields, send)) in log.messages.into_iter().enumerate() {
            let slot = exec.shape.channels[channel];
            earlier.extend(message.take());
            message = Some(Message {
                channel: machine.channel_name(&exec.shape, channel),
                fields: machine.message_value(slot.ty, &fields),
                send,
                rendezvous: receive.is_some(),
                lost: log.lost && index + 1 == last,
            });
        }
        let shape = &exec.shape;
        let (mut reads, mut uses) = (Vec::new(), Vec::new());
        for (space, process, bit) in log.reads {
            let Some(cell) = machine.cell(shape, space, process, bit) else { continue };
            if cell.kind == Kind::Channel {
                continue;
            }
            if space == Space::Local && process == action.process as usize {
                let name = machine.cell_name(shape, space, process, cell);
                if !uses.contains(&name) {
                    uses.push(name);
                }
                continue;
            }
            let Some(record) = machine.record(shape, space, process, before) else { continue };
            let entry = (
                machine.cell_name(shape, space, process, cell),
                machine.show(cell.kind, cell.field.get(record)),
            );
            if !reads.contains(&entry) {
                reads.push(entry);
            }
        }
        let mut writes: Vec<(String, Value, Value)> = Vec::new();
        for (space, process, bit) in log.writes {
            // A process made by the step has no cells in the state before it.
            if process >= shape.processes.len() {
                continue;
            }
            let Some(cell) = machine.cell(shape, space, process, bit) else { continue };
            let name = machine.cell_name(shape, space, process, cell);
            let value = |state: &[u32]| {
                machine
                    .record(shape, space, process, state)
                    .filter(|r| r.len() > (cell.field.bit >> 5) as usize)
                    .map_or(Value::Int(0), |r| machine.show(cell.kind, cell.field.get(r)))
            };
            if !writes.iter().any(|(n, _, _)| *n == name) {
                writes.push((name, value(before), value(&words)));
            }
        }
        MicroStep {
            action,
            process,
            info: ActionInfo { text: transition.text.clone(), span: transition.span },
            reads,
            uses,
            writes,
            message,
            earlier,
            atomic: false,
            choice: (0, 1),
            state: if receive.is_some() && half == 0 { before.to_vec() } else { after.to_vec() },
            output: log.output,
            threading: Threading::default(),
            faults: Vec::new(),
        }
    }

    fn rendezvous(&self, shape: &Shape, channel: usize, fields: &[i32], send: bool) -> Message {
        let machine = self.machine();
        let slot = shape.channels[channel];
        Message {
            channel: machine.channel_name(shape, channel),
            fields: machine.message_value(slot.ty, fields),
            send,
            rendezvous: true,
            lost: false,
        }
    }

    /// Runs the receiving half of a rendezvous for its log. Which message it is follows from the
    /// state: some process offers one that this statement takes.
    fn receiver_half(
        &self,
        before: &[u32],
        exec: &mut Exec,
        receive: Action,
        words: &mut Vec<u32>,
    ) {
        let machine = self.machine();
        let code = machine.transitions[receive.transition as usize].code;
        for sender in 0..exec.shape.processes.len() {
            if sender == receive.process as usize {
                continue;
            }
            let slot = exec.shape.processes[sender];
            let location = machine.head.location.get(&before[slot.offset as usize..]) as usize;
            let edges = &machine.proctypes[usize::from(slot.ty)].locations[location].edges;
            for edge in edges {
                let transition = &machine.transitions[edge.transition as usize];
                if transition.kind != TransitionKind::Code {
                    continue;
                }
                let log = exec.log.take();
                exec.me = sender;
                exec.handshake = None;
                let offered = exec.guard(machine, before, transition.code);
                exec.log = log;
                let Guard::Offer(channel) = offered else { continue };
                exec.me = receive.process as usize;
                exec.handshake = Some(channel);
                if let Guard::Commit(effect) = exec.guard(machine, before, code) {
                    let _ = exec.effect(machine, words, 0, effect);
                    return;
                }
            }
        }
    }

    /// A fault with the values of what it depends on.
    pub(crate) fn fault_in(
        &self,
        before: &[u32],
        after: &[u32],
        fault: Fault,
        action: Action,
    ) -> FaultInfo {
        // A false assertion is seen after the step (a d_step may have changed what it reads), other
        // faults before it.
        let (kind, _) = split_fault(fault);
        let state = if kind == FaultKind::Assertion { after } else { before };
        self.fault_with_values(state, fault, action.process as usize)
    }

    fn fault_with_values(&self, state: &[u32], fault: Fault, process: usize) -> FaultInfo {
        let machine = self.machine();
        let (kind, site) = split_fault(fault);
        let mut info = self.fault(fault);
        if kind.at_transition() {
            return info;
        }
        let Some(site) = machine.sites.get(site as usize) else { return info };
        let mut exec = Exec::new();
        exec.shape.walk(machine, state);
        if process >= exec.shape.processes.len() && process != 0 {
            return info;
        }
        exec.me = process;
        exec.log = Some(Log::default());
        let mut parts = Vec::new();
        for operand in &site.operands {
            let Ok(value) = exec.value(machine, state, operand.code) else { continue };
            let value = machine.show(operand.kind, value);
            parts.push(format!("{} is {value}", operand.text));
        }
        for (space, process, bit) in exec.log.take().unwrap_or_default().reads {
            let shape = &exec.shape;
            let Some(cell) = machine.cell(shape, space, process, bit) else { continue };
            let Some(record) = machine.record(shape, space, process, state) else { continue };
            let value = machine.show(cell.kind, cell.field.get(record));
            let part = (machine.cell_name(shape, space, process, cell), value);
            if cell.kind != Kind::Channel && !info.parts.contains(&part) {
                info.parts.push(part);
            }
        }
        if !parts.is_empty() {
            let values = format!(", but {}", parts.join(", "));
            let (_, text) = machine.fault_place(kind, split_fault(fault).1);
            info.message = machine.fault_message(kind, &text, &values);
        }
        info
    }
}
