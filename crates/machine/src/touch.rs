//! Which words the steps of one process may read or write.
//!
//! The answer is found without executing anything, from the location of the process and from those of
//! its variables that its step does not change. It may be too large, never too small: a search
//! takes the steps of a process to be the same in all states that agree in these words.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use everypath_model::{Parts, Touched};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Op, REGISTERS, Reg, Space};
use crate::footprint::without_indices;
use crate::interpreter::Interpreter;
use crate::layout::Field;
use crate::machine::{Cell, Machine, TransitionKind};
use crate::shape::{GLOBALS, Shape};

/// Instructions that are looked at before the answer is "anything".
const BUDGET: usize = 20_000;
/// Words of global variables in which a step may be looked for.
const MOST_WORDS: u32 = 1024;
/// Components that have a bit of their own in the mask of a step.
const COMPONENTS: u32 = 63;

/// What is the same for all states of a machine.
#[derive(Debug, Default)]
pub(crate) struct TouchFacts {
    once: OnceLock<Facts>,
}

#[derive(Debug)]
struct Facts {
    parts: Option<Parts>,
    /// For the first element of what has indices: the words of all elements.
    elements: FxHashMap<u32, Vec<u32>>,
    /// Bits of global variables that some statement may write; the others are constants.
    variable: Vec<Range<u32>>,
    /// For each proctype the locations where a process may take part in a rendezvous as receiver.
    receives: Vec<Vec<u16>>,
    /// Whether processes are made while the system runs.
    grows: bool,
    /// The records of the initial state.
    initial: Shape,
}

/// What depends on the location only.
type Written = Arc<[Range<u32>]>;

/// Memory of one thread.
#[derive(Debug, Default)]
pub(crate) struct TouchWorker {
    /// Bits of its record that a process may write in a step from a location.
    written: FxHashMap<(u16, u16), Written>,
    /// Whether a process at a location may take what is offered on a channel. Known are constants
    /// only, so this holds in every state.
    takers: FxHashMap<(usize, u16, Option<i32>), bool>,
    shape: Shape,
}

impl Facts {
    fn new(machine: &Machine) -> Facts {
        let mut elements: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut families: FxHashMap<String, Vec<&Cell>> = FxHashMap::default();
        for cell in &machine.global_cells {
            families.entry(without_indices(&cell.name)).or_default().push(cell);
        }
        let mut names: Vec<&String> = families.keys().collect();
        names.sort();
        for name in names {
            let cells = &families[name];
            let mut words: Vec<u32> = cells.iter().map(|cell| cell.field.bit >> 5).collect();
            words.sort_unstable();
            words.dedup();
            if let Some(first) = cells.iter().map(|cell| cell.field.bit).min() {
                elements.insert(first, words);
            }
        }
        let mut variable = Vec::new();
        for transition in &machine.transitions {
            if transition.kind != TransitionKind::Code {
                continue;
            }
            for pc in reachable(machine, transition.code) {
                match machine.code[pc as usize] {
                    Op::Store { space: Space::Global, field, .. } => variable.push(bits(field)),
                    Op::StoreAt { space: Space::Global, field, .. } => {
                        match elements.get(&field.bit) {
                            // Whole words: a row may have other variables in between.
                            Some(words) => {
                                variable.extend(words.iter().map(|w| w * 32..w * 32 + 32))
                            }
                            None => variable.push(0..u32::MAX),
                        }
                    }
                    _ => {}
                }
            }
        }
        variable.sort_unstable_by_key(|range| (range.start, range.end));
        variable.dedup();
        let receives = machine.proctypes.iter().map(|proctype| {
            let locations = proctype.locations.iter().enumerate();
            let receiving = locations.filter(|(_, location)| {
                location.edges.iter().any(|edge| {
                    let transition = &machine.transitions[edge.transition as usize];
                    transition.kind == TransitionKind::Code
                        && reachable(machine, transition.code).iter().any(|&pc| {
                            let op = machine.code[pc as usize];
                            matches!(
                                op,
                                Op::ReceiveGuard { .. }
                                    | Op::Bound { .. }
                                    | Op::NonZero { .. }
                                    | Op::Probe { .. }
                                    | Op::Poll { .. }
                            )
                        })
                })
            });
            receiving.map(|(index, _)| index as u16).collect()
        });
        Facts {
            parts: parts(machine),
            elements,
            variable,
            receives: receives.collect(),
            grows: machine.grows(),
            initial: initial_shape(machine),
        }
    }
}

fn initial_shape(machine: &Machine) -> Shape {
    let mut shape = Shape::default();
    shape.reset(machine);
    for &proctype in &machine.initial {
        shape.push_process(machine, proctype);
    }
    shape
}

/// Where processes are in the vector, if that can be told once and for all.
fn parts(machine: &Machine) -> Option<Parts> {
    let huge = machine.global_words > MOST_WORDS;
    if huge
        || machine.hidden_words > 0
        || machine.uses_priorities
        || machine.last.is_some()
        || machine.passed.is_some()
    {
        return None;
    }
    let components: Vec<u32> = if machine.grows() {
        let places = machine.process_components.max(1);
        if machine.proctypes.iter().any(|p| p.channels.len() >= usize::from(places)) {
            return None;
        }
        let first = 2 + machine.global_channels.len() as u32;
        let last = COMPONENTS.saturating_sub(u32::from(places));
        (first..=last).step_by(usize::from(places)).collect()
    } else {
        let shape = initial_shape(machine);
        if u32::from(shape.components) > COMPONENTS {
            return None;
        }
        shape.processes.iter().map(|process| u32::from(process.component)).collect()
    };
    let in_order = !machine.transitions.iter().any(|transition| transition.atomic);
    let shared = Touched { component: GLOBALS as u32, words: 0..machine.global_words };
    Some(Parts { components, in_order, shared })
}

/// The instructions that can be reached from one.
fn reachable(machine: &Machine, code: u32) -> Vec<u32> {
    let mut seen = FxHashSet::default();
    let mut open = vec![code];
    let mut all = Vec::new();
    while let Some(pc) = open.pop() {
        if !seen.insert(pc) {
            continue;
        }
        all.push(pc);
        open.extend(after(machine.code[pc as usize], pc).into_iter().flatten());
    }
    all
}

/// Where control may go after an instruction.
fn after(op: Op, pc: u32) -> [Option<u32>; 2] {
    match op {
        Op::Done | Op::Blocked { .. } => [None, None],
        Op::Jump { to } => [Some(to), None],
        Op::JumpIfZero { to, .. } | Op::JumpIfNotZero { to, .. } => [Some(pc + 1), Some(to)],
        Op::SendGuard { or, .. } | Op::ReceiveGuard { or, .. } => [Some(pc + 1), Some(or)],
        _ => [Some(pc + 1), None],
    }
}

/// Bits of the record of a process that a step from a location may write.
fn written(machine: &Machine, ty: u16, location: u16) -> Written {
    let proctype = &machine.proctypes[usize::from(ty)];
    let mut ranges: Vec<Range<u32>> = vec![bits(machine.head.location)];
    let mut open = vec![location];
    let mut seen = FxHashSet::default();
    while let Some(location) = open.pop() {
        if !seen.insert(location) {
            continue;
        }
        for edge in &proctype.locations[usize::from(location)].edges {
            let transition = &machine.transitions[edge.transition as usize];
            if transition.atomic {
                open.push(transition.target);
            }
            if transition.kind != TransitionKind::Code {
                continue;
            }
            for pc in reachable(machine, transition.code) {
                match machine.code[pc as usize] {
                    Op::Store { space: Space::Local, field, .. } => ranges.push(bits(field)),
                    Op::StoreAt { space: Space::Local, .. } => ranges.push(0..u32::MAX),
                    _ => {}
                }
            }
        }
    }
    ranges.into()
}

fn overlaps(ranges: &[Range<u32>], field: Field) -> bool {
    let bits = bits(field);
    ranges.iter().any(|range| range.start < bits.end && bits.start < range.end)
}

fn bits(field: Field) -> Range<u32> {
    field.bit..field.bit.saturating_add(u32::from(field.width))
}

impl Interpreter {
    fn facts(&self) -> &Facts {
        self.touch.once.get_or_init(|| Facts::new(self.machine()))
    }

    pub(crate) fn machine_parts(&self) -> Option<Parts> {
        parts(self.machine())
    }

    /// What [`TransitionSystem::touched`](everypath_model::TransitionSystem::touched) asks for.
    pub(crate) fn process_touches(
        &self,
        worker: &mut TouchWorker,
        state: &[u32],
        process: usize,
        known: usize,
        touched: &mut Vec<Touched>,
    ) -> bool {
        let machine = self.machine();
        worker.shape.walk(machine, state);
        let Some(slot) = worker.shape.processes.get(process).copied() else { return false };
        let record = &state[slot.offset as usize..];
        let location = machine.head.location.get(record) as u16;
        let written = worker
            .written
            .entry((slot.ty, location))
            .or_insert_with(|| written(machine, slot.ty, location));
        let facts = self.facts();
        let mut walk = Walk {
            machine,
            facts,
            // Of a state in which some processes are gone the answer has to do for others, too.
            shape: if facts.grows { &worker.shape } else { &facts.initial },
            constants: &state[..machine.global_words as usize],
            known: &record[..known.min(record.len())],
            written,
            own: Some(process),
            components: 0,
            globals: FxHashSet::default(),
            locations: FxHashSet::default(),
            open: Vec::new(),
            budget: BUDGET,
            takers: &mut worker.takers,
        };
        walk.enter(Who::Live(process), location, false);
        walk.run().is_some() && walk.tell(touched)
    }

    /// Appends which words some of the invariants read; `false` if it could be any. The answer is the
    /// same for all states.
    pub fn invariants_read(
        &self,
        state: &[u32],
        invariants: impl IntoIterator<Item = usize>,
        touched: &mut Vec<Touched>,
    ) -> bool {
        let machine = self.machine();
        let facts = self.facts();
        if facts.parts.is_none() {
            return false;
        }
        let mut walk = Walk {
            machine,
            facts,
            shape: &facts.initial,
            constants: &state[..machine.global_words as usize],
            known: &[],
            written: &[],
            own: None,
            components: 0,
            globals: FxHashSet::default(),
            locations: FxHashSet::default(),
            open: Vec::new(),
            budget: BUDGET,
            takers: &mut FxHashMap::default(),
        };
        let mut codes = invariants.into_iter().map(|index| machine.invariants[index].code);
        codes.all(|code| walk.code(Who::Nobody, code, false).is_some()) && walk.tell(touched)
    }
}

/// Whose statements may be part of the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Who {
    /// A process of the state.
    Live(usize),
    /// Some process of a proctype, which may come into being later.
    Some(u16),
    /// It is a question about a state.
    Nobody,
}

/// Where they may be; as receiver only or in full.
type Place = (Who, u16, bool);

type Registers = Vec<Option<i32>>;

struct Walk<'a> {
    machine: &'a Machine,
    facts: &'a Facts,
    shape: &'a Shape,
    /// The global variables, of which constants are known.
    constants: &'a [u32],
    /// The words of the process that are known.
    known: &'a [u32],
    /// Bits of its record that the step may change, so that they are not known.
    written: &'a [Range<u32>],
    /// The process whose step it is.
    own: Option<usize>,
    /// Components that are touched as a whole.
    components: u64,
    /// Words of global variables.
    globals: FxHashSet<u32>,
    locations: FxHashSet<Place>,
    open: Vec<Place>,
    budget: usize,
    takers: &'a mut FxHashMap<(usize, u16, Option<i32>), bool>,
}

impl Walk<'_> {
    fn enter(&mut self, who: Who, location: u16, receiver: bool) {
        if self.locations.insert((who, location, receiver)) {
            self.open.push((who, location, receiver));
        }
    }

    /// Follows everything that was entered; `None` if anything may be touched.
    fn run(&mut self) -> Option<()> {
        while let Some((who, location, receiver)) = self.open.pop() {
            let ty = match who {
                Who::Live(process) => {
                    let slot = self.shape.processes[process];
                    self.component(slot.component);
                    slot.ty
                }
                Who::Some(ty) => ty,
                Who::Nobody => return None,
            };
            let proctype = &self.machine.proctypes[usize::from(ty)];
            if let Some(provided) = proctype.provided {
                self.code(who, provided, receiver)?;
            }
            for edge in &proctype.locations[usize::from(location)].edges {
                let transition = &self.machine.transitions[edge.transition as usize];
                match transition.kind {
                    TransitionKind::Else => {}
                    TransitionKind::End => self.end(who)?,
                    TransitionKind::Code => self.code(who, transition.code, receiver)?,
                }
                if transition.atomic {
                    self.enter(who, transition.target, false);
                }
            }
        }
        Some(())
    }

    /// Appends what was touched; `false` if there is more than can be told.
    fn tell(self, touched: &mut Vec<Touched>) -> bool {
        if self.components >> COMPONENTS != 0 {
            return false;
        }
        let mut rest = self.components;
        while rest != 0 {
            let component = rest.trailing_zeros();
            rest &= rest - 1;
            touched.push(Touched { component, words: 0..u32::MAX });
        }
        let mut words: Vec<u32> = self.globals.into_iter().collect();
        words.sort_unstable();
        let globals = GLOBALS as u32;
        touched.extend(words.iter().map(|&w| Touched { component: globals, words: w..w + 1 }));
        true
    }

    fn component(&mut self, component: u16) {
        self.components |= 1 << u32::from(component).min(COMPONENTS);
    }

    /// A process ends, if it is the youngest.
    fn end(&mut self, who: Who) -> Option<()> {
        let Who::Live(process) = who else { return None };
        let slot = self.shape.processes[process];
        let channels = self.machine.proctypes[usize::from(slot.ty)].channels.len() as u16;
        // Its channels, and the process behind them.
        let places = self.machine.process_components.max(channels + 1);
        for component in slot.component + 1..=slot.component + places {
            self.component(component);
        }
        Some(())
    }

    /// Follows the code of a statement.
    fn code(&mut self, who: Who, code: u32, receiver: bool) -> Option<()> {
        let mut ops: Vec<(Op, Registers)> = Vec::new();
        self.budget = self.follow(who, code, self.budget, |op, regs| {
            if touches(op) {
                ops.push((op, regs.clone()));
            }
            Some(())
        })?;
        for (op, regs) in ops {
            self.touch(who, op, &regs, receiver)?;
        }
        Some(())
    }

    fn touch(&mut self, who: Who, op: Op, regs: &Registers, receiver: bool) -> Option<()> {
        let reg = |r: Reg| regs[usize::from(r)];
        match op {
            Op::Load { space: Space::Global, field, .. }
            | Op::Store { space: Space::Global, field, .. } => self.global(field),
            Op::LoadAt { at, space: Space::Global, field, .. }
            | Op::StoreAt { at, space: Space::Global, field, .. } => match reg(at) {
                Some(at) => {
                    self.global(Field { bit: field.bit.wrapping_add(at as u32), ..field });
                }
                None => match self.facts.elements.get(&field.bit) {
                    Some(words) => self.globals.extend(words),
                    None => self.component(GLOBALS as u16),
                },
            },
            Op::LoadRemote { pid, .. } | Op::AtState { pid, .. } | Op::PcValue { a: pid, .. }
                if who == Who::Nobody && !self.facts.grows =>
            {
                self.process(reg(pid));
            }
            Op::FirstOf { .. } if who == Who::Nobody && !self.facts.grows => {}
            Op::Load { space: Space::Hidden, .. }
            | Op::Store { space: Space::Hidden, .. }
            | Op::LoadAt { space: Space::Hidden, .. }
            | Op::StoreAt { space: Space::Hidden, .. }
            | Op::LoadRemote { .. }
            | Op::AtState { .. }
            | Op::FirstOf { .. }
            | Op::ProcessCount { .. }
            | Op::PcValue { .. }
            | Op::Enabled { .. }
            | Op::Moved { .. }
            | Op::GetPriority { .. }
            | Op::SetPriority { .. }
            | Op::Run { .. } => return None,
            Op::SendGuard { c, .. } => {
                // An offer: others may take it.
                if !receiver && self.may_be_rendezvous(reg(c)) {
                    self.partners(who, reg(c))?;
                }
                self.channel(who, reg(c))?;
            }
            // A receiver gets its message from the sender.
            Op::ReceiveGuard { .. } | Op::ReceiveField { .. } | Op::ReceiveTake { .. }
                if receiver => {}
            Op::Probe { c, .. }
            | Op::Poll { c, .. }
            | Op::Send { c, .. }
            | Op::ReceiveGuard { c, .. }
            | Op::ReceiveField { c, .. }
            | Op::ReceiveTake { c } => self.channel(who, reg(c))?,
            _ => {}
        }
        Some(())
    }

    /// What is known after an instruction. In parts nothing waits for `timeout`.
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
                let more = reg(a).map(|a| a.wrapping_mul(by as i32));
                (d, reg(d).zip(more).map(|(sum, more)| sum.wrapping_add(more)))
            }
            Op::Load { d, space, field } => (d, self.load(who, space, field)),
            Op::LoadAt { d, at, space, field } => {
                let bit = reg(at).map(|at| field.bit.wrapping_add(at as u32));
                (d, bit.and_then(|bit| self.load(who, space, Field { bit, ..field })))
            }
            Op::Pid { d } => match who {
                Who::Live(process) => (d, Some(process as i32)),
                Who::Some(_) | Who::Nobody => (d, None),
            },
            // Processes end in the reverse order of their numbers: without this one there is none.
            Op::FirstOf { d, proctype } if who == Who::Nobody => {
                let first = self.shape.processes.iter().position(|slot| slot.ty == proctype);
                (d, Some(first.map_or(-1, |first| first as i32)))
            }
            Op::Timeout { d } => (d, Some(0)),
            Op::OwnChannel { d, k } => match who {
                Who::Live(process) => {
                    let first = self.shape.processes[process].first_channel;
                    (d, Some(i32::from(first + k) + 1))
                }
                Who::Some(_) | Who::Nobody => (d, None),
            },
            _ => match op.destination() {
                Some(d) => (d, None),
                None => return,
            },
        };
        regs[usize::from(d)] = value;
    }

    fn load(&self, who: Who, space: Space, field: Field) -> Option<i32> {
        let (record, changing) = match space {
            Space::Global => (self.constants, &self.facts.variable[..]),
            Space::Local if self.own.is_some_and(|own| who == Who::Live(own)) => {
                (self.known, self.written)
            }
            _ => return None,
        };
        let inside = ((field.bit >> 5) as usize) < record.len();
        if inside && !overlaps(changing, field) { Some(field.get(record)) } else { None }
    }

    /// Touches a global variable, unless it is a constant.
    fn global(&mut self, field: Field) {
        if overlaps(&self.facts.variable, field) {
            self.globals.insert(field.bit >> 5);
        }
    }

    /// Touches a process, all of them if it is not known which.
    fn process(&mut self, pid: Option<i32>) {
        let pid = pid.map(|pid| usize::try_from(pid).unwrap_or(usize::MAX));
        for (process, slot) in self.shape.processes.iter().enumerate() {
            if pid.is_none_or(|pid| pid == process) {
                self.components |= 1 << u32::from(slot.component).min(COMPONENTS);
            }
        }
    }

    /// Touches a channel, all of them if it is not known which; `None` if it may be that of a process
    /// that is not there in every state.
    fn channel(&mut self, who: Who, id: Option<i32>) -> Option<()> {
        let come_and_go = self.facts.grows && self.machine.process_components > 0;
        let Some(id) = id else {
            if come_and_go {
                return None;
            }
            for slot in &self.shape.channels {
                self.component(slot.component);
            }
            return Some(());
        };
        let index = usize::try_from(id.wrapping_sub(1)).ok();
        let Some(index) = index.filter(|&index| index < self.shape.channels.len()) else {
            return if come_and_go { None } else { Some(()) };
        };
        if come_and_go && index >= self.machine.global_channels.len() {
            // Its own is where it is as long as it lives.
            let Who::Live(process) = who else { return None };
            let slot = self.shape.processes[process];
            let first = usize::from(slot.first_channel);
            let own = self.machine.proctypes[usize::from(slot.ty)].channels.len();
            if !(first..first + own).contains(&index) {
                return None;
            }
        }
        self.component(self.shape.channels[index].component);
        Some(())
    }

    fn may_be_rendezvous(&self, id: Option<i32>) -> bool {
        let rendezvous = |ty: u16| self.machine.channel_types[usize::from(ty)].capacity == 0;
        match id {
            Some(id) => {
                let index = usize::try_from(id.wrapping_sub(1)).ok();
                let slot = index.and_then(|index| self.shape.channels.get(index));
                slot.is_some_and(|slot| rendezvous(slot.ty))
            }
            None => self.shape.channels.iter().any(|slot| rendezvous(slot.ty)),
        }
    }

    /// The receivers of an offer on a channel, wherever they are; `None` if it comes back to the process
    /// whose step it is, of which too little is known then.
    fn partners(&mut self, sender: Who, channel: Option<i32>) -> Option<()> {
        if self.facts.grows {
            for &component in self.facts.parts.iter().flat_map(|parts| &parts.components) {
                self.component(component as u16);
            }
            for (ty, locations) in self.facts.receives.iter().enumerate() {
                for &location in locations {
                    self.enter(Who::Some(ty as u16), location, true);
                }
            }
            return Some(());
        }
        for process in 0..self.shape.processes.len() {
            let who = Who::Live(process);
            if who == sender {
                continue;
            }
            let ty = self.shape.processes[process].ty;
            for &location in &self.facts.receives[usize::from(ty)] {
                if Some(process) == self.own {
                    // Its variables may have changed since.
                    return None;
                }
                let key = (process, location, channel);
                let takes = match self.takers.get(&key) {
                    Some(&takes) => takes,
                    None => {
                        let takes = self.may_take(who, ty, location, channel);
                        self.takers.insert(key, takes);
                        takes
                    }
                };
                if takes {
                    self.enter(who, location, true);
                }
            }
        }
        Some(())
    }

    /// Whether a process at a location may take what is offered on a channel, or a statement there
    /// may be a fault when it is asked whether it does.
    fn may_take(&self, who: Who, ty: u16, location: u16, channel: Option<i32>) -> bool {
        let edges = &self.machine.proctypes[usize::from(ty)].locations[usize::from(location)].edges;
        edges.iter().any(|edge| {
            let transition = &self.machine.transitions[edge.transition as usize];
            if transition.kind != TransitionKind::Code {
                return false;
            }
            let mut takes = false;
            let done = self.follow(who, transition.code, BUDGET, |op, regs| {
                let reg = |r: Reg| regs[usize::from(r)];
                takes |= match op {
                    Op::ReceiveGuard { c, .. } => match (reg(c), channel) {
                        (Some(receives), Some(offered)) => receives == offered,
                        _ => true,
                    },
                    Op::Bound { a, count, .. } => {
                        reg(a).is_none_or(|a| u32::try_from(a).map_or(true, |a| a >= count))
                    }
                    Op::NonZero { a, .. } => reg(a).is_none_or(|a| a == 0),
                    Op::Probe { c, .. } | Op::Poll { c, .. } => reg(c).is_none(),
                    _ => false,
                };
                Some(())
            });
            takes || done.is_none()
        })
    }

    /// Looks at all instructions of a statement, with what is known of registers before each.
    fn follow(
        &self,
        who: Who,
        code: u32,
        budget: usize,
        mut visit: impl FnMut(Op, &Registers) -> Option<()>,
    ) -> Option<usize> {
        let mut budget = budget;
        let mut joins: FxHashMap<u32, Registers> = FxHashMap::default();
        let mut open: Vec<(u32, Registers)> = vec![(code, vec![None; REGISTERS])];
        while let Some((start, mut regs)) = open.pop() {
            let mut pc = start;
            loop {
                budget = budget.checked_sub(1)?;
                let op = self.machine.code[pc as usize];
                visit(op, &regs)?;
                self.advance(who, op, &mut regs);
                let ways = match (op, after(op, pc)) {
                    (Op::JumpIfZero { a, to }, ways) => match regs[usize::from(a)] {
                        Some(0) => [Some(to), None],
                        Some(_) => [Some(pc + 1), None],
                        None => ways,
                    },
                    (Op::JumpIfNotZero { a, to }, ways) => match regs[usize::from(a)] {
                        Some(0) => [Some(pc + 1), None],
                        Some(_) => [Some(to), None],
                        None => ways,
                    },
                    (_, ways) => ways,
                };
                if ways == [Some(pc + 1), None] && !joins.contains_key(&(pc + 1)) {
                    pc += 1;
                    continue;
                }
                for to in ways.into_iter().flatten() {
                    if join(&mut joins, to, &regs) {
                        open.push((to, joins[&to].clone()));
                    }
                }
                break;
            }
        }
        Some(budget)
    }
}

/// Whether an instruction looks at more than registers and variables of its process.
fn touches(op: Op) -> bool {
    !matches!(
        op,
        Op::Const { .. }
            | Op::Move { .. }
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Scale { .. }
            | Op::Bound { .. }
            | Op::NonZero { .. }
            | Op::Load { space: Space::Local, .. }
            | Op::LoadAt { space: Space::Local, .. }
            | Op::Store { space: Space::Local, .. }
            | Op::StoreAt { space: Space::Local, .. }
            | Op::Jump { .. }
            | Op::JumpIfZero { .. }
            | Op::JumpIfNotZero { .. }
            | Op::Pid { .. }
            | Op::Commit
            | Op::Done
            | Op::Blocked { .. }
    )
}

/// Adds what is known on another way to a place; whether that changed anything.
fn join(joins: &mut FxHashMap<u32, Registers>, at: u32, regs: &Registers) -> bool {
    let Some(known) = joins.get_mut(&at) else {
        joins.insert(at, regs.clone());
        return true;
    };
    let mut changed = false;
    for (old, new) in known.iter_mut().zip(regs) {
        if old.is_some() && old != new {
            *old = None;
            changed = true;
        }
    }
    changed
}
