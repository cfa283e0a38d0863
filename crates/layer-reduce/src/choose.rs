//! Which processes are enough to move in a state.

use std::sync::Arc;

use everypath_machine::code::Probe;
use everypath_machine::{Field, Interpreter, Machine, ProcessSet, Readiness, Shape};

use rustc_hash::FxHashMap;

use crate::bits::{Bits, Footprint};
use crate::facts::VISIBLE;
use crate::guard::Test;
use crate::instance::{About, Condition, Edge, Guard, Instance, Location, Outlook};
use crate::options::{Method, Options};
use crate::tables::Tables;

/// The scratch memory of one thread.
pub(crate) struct Chooser {
    worker: everypath_machine::Worker,
    shape: Shape,
    slots: Vec<Slot>,
    /// The processes of the state and what is known of them in it.
    count: usize,
    here: Vec<Here>,
    work: Vec<Member>,
    /// The candidates found so far.
    found: Vec<Candidate>,
    /// What may happen in front of closed gates, by process, location and gates.
    outlooks: FxHashMap<(usize, usize, u64), Ahead>,
}

/// A process as it was seen last under its number, with its tables.
struct Slot {
    ty: u16,
    first_channel: u16,
    /// Values of variables that never change, which tell it from others.
    frozen: Vec<(Field, i32)>,
    channels: Vec<(i32, u16)>,
    instance: Arc<Instance>,
}

/// A process in the state under consideration.
#[derive(Default)]
struct Here {
    location: usize,
    /// Its statements were tested.
    tested: bool,
    /// Statements that can be executed, perhaps.
    enabled: u64,
    /// Of the others: the part of the guard that is false, and whether a channel was empty.
    why: Vec<(u8, bool)>,
    /// Statements in the set under construction.
    chosen: u64,
    /// Gates in it.
    chosen_gates: u64,
    /// The gates on its way were tested.
    gates_tested: bool,
    /// Those that are closed, the part of the guard that is false, and whether a channel was empty.
    closed: u64,
    gate_why: Vec<(u8, bool)>,
    /// What may happen in front of them, for the location and the gates closed there.
    outlook: Option<Arc<[Outlook]>>,
}

/// What may happen in front of closed gates, with the process that it is about.
struct Ahead {
    _of: Arc<Instance>,
    outlook: Arc<[Outlook]>,
}

/// A statement in the set under construction.
#[derive(Clone, Copy)]
enum Member {
    /// At the location of its process.
    Edge(usize, usize),
    /// A closed gate ahead of its process.
    Gate(usize, usize),
}

/// A set of processes that are enough to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Candidate {
    processes: ProcessSet,
    single: bool,
    steps: u32,
}

/// How many outlooks are kept.
const MOST_OUTLOOKS: usize = 1 << 14;

/// A statement of a process stands for all of them.
const ALL: u64 = u64::MAX;

fn bit(edge: usize) -> u64 {
    1 << edge.min(63)
}

/// What a choice is made from.
pub(crate) struct Choice<'c> {
    pub interpreter: &'c Interpreter,
    pub tables: &'c Tables,
    pub options: &'c Options,
}

impl Chooser {
    pub fn new(interpreter: &Interpreter) -> Chooser {
        use everypath_model::TransitionSystem;
        Chooser {
            worker: interpreter.worker(),
            shape: Shape::default(),
            slots: Vec::new(),
            count: 0,
            here: Vec::new(),
            work: Vec::new(),
            found: Vec::new(),
            outlooks: FxHashMap::default(),
        }
    }

    /// The set of processes that is number `attempt` among those that are enough, best first.
    pub fn candidate(
        &mut self,
        choice: &Choice<'_>,
        state: &[u32],
        attempt: usize,
    ) -> Option<ProcessSet> {
        self.open(choice, state);
        self.found.clear();
        for seed in (0..self.count).rev() {
            let Some(candidate) = self.closure(choice, state, seed) else { continue };
            // One process alone is best, and the first of them is as good as any.
            if candidate.single && attempt == 0 {
                return Some(candidate.processes);
            }
            if self.found.iter().all(|c| c.processes != candidate.processes) {
                self.found.push(candidate);
            }
        }
        if self.found.iter().any(|c| !c.single) {
            let mut movers = ProcessSet::default();
            for process in 0..self.count {
                if self.enabled(choice, state, process) != 0 {
                    movers.insert(process);
                }
            }
            self.found.retain(|c| c.single || c.processes != movers);
        }
        self.found.sort_by_key(|c| if c.single { 0 } else { c.steps });
        self.found.get(attempt).map(|candidate| candidate.processes)
    }

    /// Reads off a state who is where.
    fn open(&mut self, choice: &Choice<'_>, state: &[u32]) {
        let machine = choice.interpreter.machine();
        self.shape.walk(machine, state);
        choice.interpreter.open_state(&mut self.worker, state);
        self.count = self.shape.processes.len();
        if self.here.len() < self.count {
            self.here.resize_with(self.count, Here::default);
        }
        for pid in 0..self.count {
            let slot = self.shape.processes[pid];
            let record = &state[slot.offset as usize..];
            let fits = self.slots.get(pid).is_some_and(|known| {
                known.ty == slot.ty
                    && known.first_channel == slot.first_channel
                    && known.frozen.iter().all(|(field, value)| field.get(record) == *value)
                    && known.channels.iter().all(|&(id, ty)| {
                        self.shape.channels.get((id - 1) as usize).is_some_and(|c| c.ty == ty)
                    })
            });
            if !fits {
                self.meet(choice, state, pid);
            }
            let here = &mut self.here[pid];
            here.location = machine.head.location.get(record) as usize;
            here.tested = false;
            here.gates_tested = false;
        }
    }

    /// Finds the tables of a process that was not there before.
    fn meet(&mut self, choice: &Choice<'_>, state: &[u32], pid: usize) {
        let machine = choice.interpreter.machine();
        let key = choice.tables.key(machine, state, &self.shape, pid);
        let slot = self.shape.processes[pid];
        let record = &state[slot.offset as usize..];
        let cells = &choice.tables.facts.locals[usize::from(slot.ty)].frozen;
        let known = Slot {
            ty: slot.ty,
            first_channel: slot.first_channel,
            frozen: cells.iter().map(|cell| (cell.field, cell.field.get(record))).collect(),
            instance: choice.tables.instance(machine, &key),
            channels: key.channels,
        };
        if pid < self.slots.len() {
            self.slots[pid] = known;
        } else {
            // Processes are met in the order of their numbers.
            self.slots.push(known);
        }
    }

    fn location(&self, process: usize) -> &Location {
        &self.slots[process].instance.locations[self.here[process].location]
    }

    /// The smallest set with all statements of a process that nobody outside can interfere with;
    /// `None` if it is of no use.
    fn closure(&mut self, choice: &Choice<'_>, state: &[u32], seed: usize) -> Option<Candidate> {
        let enabled = self.enabled(choice, state, seed);
        if enabled == 0 {
            return None;
        }
        let alone = choice.options.method == Method::Ample;
        for here in &mut self.here[..self.count] {
            here.chosen = 0;
            here.chosen_gates = 0;
        }
        self.work.clear();
        self.choose_all(seed);
        while let Some(member) = self.work.pop() {
            let (process, print, cause) = match member {
                Member::Gate(process, gate) => {
                    let (print, cause) = self.gate_helpers(choice, process, gate);
                    (process, print, cause)
                }

                Member::Edge(process, edge) => {
                    if self.enabled(choice, state, process) & bit(edge) != 0 {
                        self.choose_all(process);
                        (process, self.location(process).edges[edge].step, Cause::Conflict)
                    } else {
                        match self.helpers(choice, process, edge) {
                            Helpers::Of(print, cause) => (process, print, cause),
                            Helpers::Siblings => {
                                self.choose_all(process);
                                continue;
                            }
                            Helpers::Youngest if alone && seed != self.count - 1 => return None,
                            Helpers::Youngest => {
                                self.choose_all(self.count - 1);
                                continue;
                            }
                        }
                    }
                }
            };
            for other in 0..self.count {
                if other == process && cause == Cause::Conflict || self.here[other].chosen == ALL {
                    continue;
                }
                if alone && other != process {
                    if print.conflicts(&self.slots[other].instance.life) {
                        return None;
                    }
                } else if print.conflicts(&self.location(other).future) {
                    self.interfere(choice, state, other, &print, cause);
                }
            }
        }
        self.candidate_of_chosen(choice)
    }

    /// Chooses the statements of a process that lead to something that conflicts.
    fn interfere(
        &mut self,
        choice: &Choice<'_>,
        state: &[u32],
        other: usize,
        print: &Footprint,
        cause: Cause,
    ) {
        let instance = self.slots[other].instance.clone();
        let location = &instance.locations[self.here[other].location];
        if location.joined {
            return self.choose_all(other);
        }
        let outlook = self.outlook(choice, state, other);
        for (edge, ahead) in outlook.iter().enumerate() {
            if self.here[other].chosen & bit(edge) != 0 {
                continue;
            }
            if print.conflicts(&ahead.near) {
                self.here[other].chosen |= bit(edge);
                self.work.push(Member::Edge(other, edge));
                continue;
            }
            // Behind a closed gate it happens only after somebody has opened the gate.
            let mut gates = ahead.gates;
            while gates != 0 {
                let gate = gates.trailing_zeros() as usize;
                gates &= gates - 1;
                let at = instance.gates[gate];
                let shut = &instance.locations[at.location].edges[at.edge];
                // For a rendezvous it helps to come to the gate.
                if cause == Cause::Rendezvous && print.conflicts(&shut.step) {
                    self.here[other].chosen |= bit(edge);
                    self.work.push(Member::Edge(other, edge));
                    break;
                }
                if self.here[other].chosen_gates >> gate & 1 == 0 && print.conflicts(&shut.future) {
                    self.here[other].chosen_gates |= 1 << gate;
                    self.work.push(Member::Gate(other, gate));
                }
            }
        }
    }

    /// What may happen from where a process is, in front of the gates that are closed.
    fn outlook(&mut self, choice: &Choice<'_>, state: &[u32], process: usize) -> Arc<[Outlook]> {
        if self.here[process].gates_tested
            && let Some(outlook) = &self.here[process].outlook
        {
            return outlook.clone();
        }
        let instance = self.slots[process].instance.clone();
        let at = self.here[process].location;
        let mut why = std::mem::take(&mut self.here[process].gate_why);
        why.resize(instance.gates.len(), (0, false));
        let (mut ahead, mut closed) = (instance.locations[at].gates, 0);
        while ahead != 0 {
            let gate = ahead.trailing_zeros() as usize;
            ahead &= ahead - 1;
            let place = instance.gates[gate];
            let edge = &instance.locations[place.location].edges[place.edge];
            let Guard::Parts(parts) = &edge.guard else { continue };
            let shut = self.first_shut(choice, state, process, edge, parts);
            if let Some(reason) = shut {
                closed |= 1 << gate;
                why[gate] = reason;
            }
        }
        if self.outlooks.len() >= MOST_OUTLOOKS {
            self.outlooks.clear();
        }
        let key = (Arc::as_ptr(&instance) as usize, at, closed);
        let ahead = self.outlooks.entry(key).or_insert_with(|| {
            // The instance is kept, so that its address stays its own.
            Ahead { _of: instance.clone(), outlook: instance.outlook(at, closed).into() }
        });
        let here = &mut self.here[process];
        here.gate_why = why;
        here.closed = closed;
        here.gates_tested = true;
        here.outlook = Some(ahead.outlook.clone());
        ahead.outlook.clone()
    }

    /// The first part of a guard that is false and that only others can make true.
    fn first_shut(
        &mut self,
        choice: &Choice<'_>,
        state: &[u32],
        process: usize,
        edge: &Edge,
        parts: &[Condition],
    ) -> Option<(u8, bool)> {
        for (index, condition) in parts.iter().enumerate().take_while(|(_, c)| !c.faulty) {
            if !condition.is_gate() {
                continue;
            }
            let (holds, empty) = if condition.closed {
                self.holds(choice, state, process, edge, condition)
            } else {
                // Of a receive that compares variables: only that there is no message.
                let About::Buffer { id, .. } = condition.about else { continue };
                let empty = self.length(choice.interpreter.machine(), state, id).0 == 0;
                (!empty, empty)
            };
            if !holds {
                return Some((index as u8, empty));
            }
        }
        None
    }

    fn gate_helpers(&self, choice: &Choice<'_>, process: usize, gate: usize) -> (Footprint, Cause) {
        let instance = &self.slots[process].instance;
        let place = instance.gates[gate];
        let (index, empty) = self.here[process].gate_why[gate];
        match &instance.locations[place.location].edges[place.edge].guard {
            Guard::Parts(parts) => {
                let condition = &parts[usize::from(index)];
                (helpers_of(choice, condition, empty), Cause::of(condition))
            }
            _ => (Footprint::UNKNOWN, Cause::Rendezvous),
        }
    }

    fn choose_all(&mut self, process: usize) {
        let chosen = std::mem::replace(&mut self.here[process].chosen, ALL);
        if chosen == ALL {
            return;
        }
        for edge in 0..self.location(process).edges.len() {
            if chosen & bit(edge) == 0 {
                self.work.push(Member::Edge(process, edge));
            }
        }
    }

    /// The set under construction as a candidate, if it may be one.
    fn candidate_of_chosen(&self, choice: &Choice<'_>) -> Option<Candidate> {
        let mut candidate = Candidate { processes: ProcessSet::default(), single: true, steps: 0 };
        let visible = Bits::of(VISIBLE);
        for (process, here) in self.here[..self.count].iter().enumerate() {
            if here.chosen == 0 || here.enabled == 0 || here.chosen & here.enabled == 0 {
                continue;
            }
            candidate.processes.insert(process);
            candidate.single &= candidate.steps == 0;
            candidate.steps += here.enabled.count_ones();
            let edges = self.location(process).edges.iter().enumerate();
            for (_, edge) in edges.filter(|(i, _)| here.enabled & bit(*i) != 0) {
                let seen = choice.options.live && edge.step.changed.meets(&visible);
                if seen || choice.options.sticky && edge.sticky {
                    return None;
                }
            }
        }
        Some(candidate)
    }

    /// The statements of a process that can be executed, perhaps: a rendezvous may find that the
    /// message does not match.
    fn enabled(&mut self, choice: &Choice<'_>, state: &[u32], process: usize) -> u64 {
        if self.here[process].tested {
            return self.here[process].enabled;
        }
        let instance = self.slots[process].instance.clone();
        let location = &instance.locations[self.here[process].location];
        let mut enabled = 0;
        let mut why = std::mem::take(&mut self.here[process].why);
        why.clear();
        if location.joined {
            for (i, edge) in location.edges.iter().enumerate() {
                if !matches!(edge.guard, Guard::End) || process + 1 == self.count {
                    enabled |= bit(i);
                }
                why.push((0, false));
            }
        } else {
            // A rendezvous that is possible here may still not come about.
            let certain = location.offers == Bits::default() && location.accepts == Bits::default();
            for (i, edge) in location.edges.iter().enumerate() {
                let reason = match &edge.guard {
                    Guard::End => (process + 1 != self.count).then_some((0, false)),
                    Guard::Else => (certain && enabled != 0).then_some((0, false)),
                    Guard::Whole(_) => {
                        let ready = choice.interpreter.readiness(
                            &mut self.worker,
                            state,
                            process,
                            edge.code,
                        );
                        (ready == Readiness::No).then_some((0, false))
                    }
                    Guard::Parts(parts) => self.first_false(choice, state, process, edge, parts),
                };
                if reason.is_none() {
                    enabled |= bit(i);
                }
                why.push(reason.unwrap_or_default());
            }
        }
        let here = &mut self.here[process];
        here.why = why;
        here.tested = true;
        here.enabled = enabled;
        enabled
    }

    /// The first part of a guard that is false, and whether it is an empty channel.
    fn first_false(
        &mut self,
        choice: &Choice<'_>,
        state: &[u32],
        process: usize,
        edge: &Edge,
        parts: &[Condition],
    ) -> Option<(u8, bool)> {
        for (index, condition) in parts.iter().enumerate() {
            let (holds, empty) = self.holds(choice, state, process, edge, condition);
            if !holds {
                return Some((index as u8, empty));
            }
        }
        None
    }

    /// Whether a part of a guard is true, and whether it is false because a channel is empty.
    fn holds(
        &mut self,
        choice: &Choice<'_>,
        state: &[u32],
        process: usize,
        edge: &Edge,
        condition: &Condition,
    ) -> (bool, bool) {
        let machine = choice.interpreter.machine();
        let holds = match (condition.about, condition.part.test) {
            (_, Test::Timeout) => false,
            (_, Test::Variable { space, field, op, value }) => {
                let record = self.record(machine, state, process, space);
                op.apply(field.get(record), value) != 0
            }
            (About::Partner(bits), test) => self.has_partner(process, bits, test == Test::Send),
            (About::Buffer { id, every, .. }, Test::Receive) => {
                let empty = self.length(machine, state, id).0 == 0;
                let holds = !empty && (every || self.ready(choice, state, process, edge));
                return (holds, empty);
            }
            (About::Buffer { id, .. }, Test::Send) => {
                let (length, capacity) = self.length(machine, state, id);
                length < capacity || machine.lossy_channels
            }
            (About::Buffer { id, .. }, Test::Probe { probe, .. }) => {
                let (length, capacity) = self.length(machine, state, id);
                match probe {
                    Probe::Full => length == capacity,
                    Probe::Empty => length == 0,
                    Probe::NotFull => length < capacity,
                    Probe::Len | Probe::NotEmpty => length > 0,
                }
            }
            (_, Test::Register(register)) | (_, Test::Probe { register, .. }) => {
                let range = (condition.part.start, condition.part.end);
                let worker = &mut self.worker;
                // A fault is a step.
                choice.interpreter.condition(worker, state, process, range, register) != Ok(0)
            }
            (_, Test::Send | Test::Receive) => self.ready(choice, state, process, edge),
        };
        (holds, false)
    }

    fn ready(&mut self, choice: &Choice<'_>, state: &[u32], process: usize, edge: &Edge) -> bool {
        let worker = &mut self.worker;
        choice.interpreter.readiness(worker, state, process, edge.code) != Readiness::No
    }

    fn record<'s>(
        &self,
        machine: &Machine,
        state: &'s [u32],
        process: usize,
        space: everypath_machine::code::Space,
    ) -> &'s [u32] {
        use everypath_machine::code::Space;
        match space {
            Space::Global => &state[machine.hidden_words as usize..],
            Space::Local => &state[self.shape.processes[process].offset as usize..],
            Space::Hidden => state,
        }
    }

    /// The number of messages in a channel, and how many it can hold.
    fn length(&self, machine: &Machine, state: &[u32], id: i32) -> (u32, u32) {
        // A channel that ended is empty, and a send to it is a fault.
        let Some(slot) = self.shape.channels.get((id - 1) as usize) else { return (0, 1) };
        let ty = &machine.channel_types[usize::from(slot.ty)];
        (ty.length(&state[slot.offset as usize..]), ty.capacity)
    }

    /// Whether somebody else stands at the other end of a rendezvous.
    fn has_partner(&self, process: usize, ends: Bits, send: bool) -> bool {
        (0..self.count).any(|other| {
            let location = self.location(other);
            let theirs = if send { &location.accepts } else { &location.offers };
            other != process && theirs.meets(&ends)
        })
    }

    /// What can make a statement executable that is not.
    fn helpers(&self, choice: &Choice<'_>, process: usize, edge: usize) -> Helpers {
        let parts = match &self.location(process).edges[edge].guard {
            Guard::End => return Helpers::Youngest,
            Guard::Else => return Helpers::Siblings,
            Guard::Whole(reads) => return Helpers::Of(*reads, Cause::Rendezvous),
            Guard::Parts(parts) => parts,
        };
        let (index, empty) = self.here[process].why[edge];
        let mut print = Footprint::default();
        // A part before it may become a fault, which counts as a step.
        for earlier in parts[..usize::from(index)].iter().filter(|c| c.faulty) {
            print.add(&earlier.helpers);
            print.add(&earlier.operands);
        }
        let condition = &parts[usize::from(index)];
        print.add(&helpers_of(choice, condition, empty));
        let rendezvous = |c: &Condition| Cause::of(c) == Cause::Rendezvous;
        let any = parts[..=usize::from(index)].iter().any(rendezvous);
        Helpers::Of(print, if any { Cause::Rendezvous } else { Cause::Help })
    }
}

/// What can make a part of a guard true that is false.
fn helpers_of(choice: &Choice<'_>, condition: &Condition, empty: bool) -> Footprint {
    let mut print = condition.helpers;
    if let (About::Buffer { id, random, .. }, Test::Receive) =
        (condition.about, condition.part.test)
    {
        let (head, tail) = choice.tables.facts.channel(id);
        // The first message must go if it does not match, unless any will do.
        print.read(if empty || random { tail } else { head });
        if !empty {
            print.add(&condition.operands);
        }
    }
    print
}

/// Why statements are chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// They may disturb a statement that can be executed.
    Conflict,
    /// They may help one that cannot.
    Help,
    /// The same for one that may wait for a rendezvous.
    Rendezvous,
}

impl Cause {
    /// Why helpers of a part of a guard are chosen.
    fn of(condition: &Condition) -> Cause {
        match condition.about {
            About::Partner(_) | About::Guard => Cause::Rendezvous,
            About::Code | About::Buffer { .. } => Cause::Help,
        }
    }
}

/// What can make a statement executable.
enum Helpers {
    /// Statements that conflict with this.
    Of(Footprint, Cause),
    /// The other statements of its process.
    Siblings,
    /// The end of the youngest process.
    Youngest,
}
