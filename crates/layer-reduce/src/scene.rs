//! A state as the choice sees it: who is where, what can be executed, and what is in its way.

use std::sync::Arc;

use everypath_machine::code::{Probe, Space};
use everypath_machine::{Field, Interpreter, Readiness, Shape};
use everypath_model::TransitionSystem;
use rustc_hash::FxHashMap;

use crate::bits::{Bits, Cause, Footprint, Query};
use crate::guard::Test;
use crate::instance::{Answer, Edge, Instance, Location, Outlook};
use crate::memo::{Places, Question};
use crate::statement::{About, Condition, Guard};
use crate::tables::Tables;

/// How many outlooks are kept.
const MOST_OUTLOOKS: usize = 1 << 14;
/// How many answers are kept.
const MOST_ANSWERS: usize = 1 << 18;

/// The processes of a state.
pub(crate) struct Scene {
    worker: everypath_machine::Worker,
    shape: Shape,
    actors: Vec<Actor>,
    outlooks: FxHashMap<(usize, usize, u64), Ahead>,
    /// Outlooks so far: their numbers.
    numbers: u32,
    /// What of an outlook interferes with a footprint, by their numbers.
    answers: FxHashMap<(u32, u32), Interfering>,
    /// Memory of the reasons under collection.
    reasons: Vec<Reason>,
    /// Where the processes are: the number of the tables of each and its location.
    places: Vec<u32>,
    /// The same in one number, if processes stay what they are.
    short: u128,
    /// Where the place of each process stands there, if there is room.
    shifts: Option<Vec<u32>>,
    /// What was looked at, and how it stood.
    asked: Vec<(Question, Answer)>,
    /// Something was looked at for which there is no [`Answer`].
    wide: bool,
}

/// What a scene is made from.
pub(crate) struct Stage<'c> {
    pub interpreter: &'c Interpreter,
    pub tables: &'c Tables,
    pub state: &'c [u32],
}

/// A process as it was seen last under its number, and in the state.
struct Actor {
    ty: u16,
    first_channel: u16,
    /// Values of variables that never change, which tell it from others.
    frozen: Vec<(Field, i32)>,
    channels: Vec<(i32, u16)>,
    instance: Arc<Instance>,
    location: usize,
    /// Its statements were tested.
    tested: bool,
    /// Statements that can be executed, perhaps.
    enabled: u64,
    /// Of each of the others why it cannot.
    why: Vec<Reason>,
    /// The gates on its way were tested.
    gates_tested: bool,
    gate_why: Vec<Reason>,
    /// What may happen in front of gates, for a location and the gates closed there.
    outlook: (usize, u64, Arc<[Outlook]>),
    /// The number of that.
    ahead: u32,
}

/// Why a guard is false: a part of it, and whether that is because a channel is empty.
#[derive(Clone, Copy, Debug)]
struct Reason {
    part: u16,
    /// What stands for it in an answer.
    code: u16,
    empty: bool,
}

impl Reason {
    /// The guard has no parts.
    const WHOLE: Reason = Reason { part: 0, code: 1, empty: false };

    fn of(part: usize, condition: &Condition, empty: bool) -> Reason {
        Reason { part: part as u16, code: condition.code + u16::from(empty), empty }
    }
}

/// What may happen in front of closed gates, with the process that it is about: its address is part
/// of the key.
struct Ahead {
    _of: Arc<Instance>,
    outlook: Arc<[Outlook]>,
    number: u32,
}

/// What of a process interferes with something.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Interfering {
    /// Statements at its location.
    pub edges: u64,
    /// Closed gates ahead.
    pub gates: u64,
}

/// What can make a statement executable.
pub(crate) enum Helpers {
    /// Statements that conflict with this.
    Of(Query),
    /// The other statements of its process.
    Siblings,
    /// The end of the youngest process.
    Youngest,
}

/// The bit of a statement of a location in a set; those from 63 on share one.
pub(crate) fn bit(edge: usize) -> u64 {
    1 << edge.min(63)
}

impl Scene {
    pub fn new(interpreter: &Interpreter) -> Scene {
        Scene {
            worker: interpreter.worker(),
            shape: Shape::default(),
            actors: Vec::new(),
            outlooks: FxHashMap::default(),
            numbers: 0,
            answers: FxHashMap::default(),
            reasons: Vec::new(),
            places: Vec::new(),
            short: 0,
            shifts: None,
            asked: Vec::new(),
            wide: false,
        }
    }

    /// Where the processes are.
    #[inline]
    pub fn places(&self) -> Places<'_> {
        match &self.shifts {
            Some(_) => Places::Short(self.short),
            None => Places::Long(&self.places),
        }
    }

    /// What was looked at since [`Scene::forget`], if it can be told.
    pub fn asked(&self) -> Option<&[(Question, Answer)]> {
        (!self.wide).then_some(&self.asked)
    }

    /// Number of processes.
    pub fn count(&self) -> usize {
        self.shape.processes.len()
    }

    /// The tables of a process.
    pub fn instance(&self, process: usize) -> &Instance {
        &self.actors[process].instance
    }

    /// Where a process is.
    #[inline]
    pub fn location(&self, process: usize) -> &Location {
        let actor = &self.actors[process];
        &actor.instance.locations[actor.location]
    }

    /// What disturbs the step with a statement of a process. Statements that share a bit depend on
    /// each other, so that each stands for all.
    pub fn disturbing(&self, process: usize, edge: usize) -> Query {
        let edges = &self.location(process).edges;
        let one = &edges[edge];
        let known = Query { print: one.step, cause: Cause::Conflict, number: None };
        let mut query = one.query.unwrap_or(known);
        if edges.len() > 64 && edge == 63 {
            query.number = None;
            edges[64..].iter().for_each(|more| query.print.add(&more.step));
        }
        query
    }

    /// Reads off a state who is where.
    pub fn open(&mut self, stage: &Stage<'_>) {
        let machine = stage.interpreter.machine();
        self.shape.walk(machine, stage.state);
        stage.interpreter.open_state(&mut self.worker, stage.state);
        self.places.clear();
        let met = self.actors.len();
        for pid in 0..self.shape.processes.len() {
            let slot = self.shape.processes[pid];
            let record = &stage.state[slot.offset as usize..];
            let channels = &self.shape.channels;
            let fits = self.actors.get(pid).is_some_and(|actor| {
                stage.tables.facts.lasting
                    || actor.ty == slot.ty
                        && actor.first_channel == slot.first_channel
                        && actor.frozen.iter().all(|(field, value)| field.get(record) == *value)
                        && actor.channels.iter().all(|&(id, ty)| {
                            channels.get((id - 1) as usize).is_some_and(|c| c.ty == ty)
                        })
            });
            if !fits {
                self.meet(stage, pid);
            }
            let actor = &mut self.actors[pid];
            let location = machine.head.location.get(record) as u32;
            actor.location = location as usize;
            self.places.push(actor.instance.number << 16 | location);
        }
        if self.actors.len() != met {
            self.arrange(stage.tables.facts.lasting);
        }
        if let Some(shifts) = &self.shifts {
            // Processes that ended are nowhere: 0.
            let digits = self.places.iter().map(|place| u128::from(place & 0xffff) + 1);
            self.short = digits.zip(shifts).fold(0, |all, (digit, shift)| all | digit << shift);
        }
    }

    /// Finds where the place of each process stands in one number.
    fn arrange(&mut self, lasting: bool) {
        let mut end = 0;
        let shifts = self.actors.iter().map(|actor| {
            let most = actor.instance.locations.len() as u32;
            let start = end;
            end += u32::BITS - most.leading_zeros();
            start
        });
        let shifts: Vec<u32> = shifts.collect();
        self.shifts = (lasting && end <= u128::BITS).then_some(shifts);
    }

    /// Forgets what was looked at.
    pub fn forget(&mut self) {
        for actor in &mut self.actors {
            actor.tested = false;
            actor.gates_tested = false;
        }
        self.asked.clear();
        self.wide = false;
    }

    /// How something stands, without a note of it.
    #[inline]
    pub fn answer(&mut self, stage: &Stage<'_>, question: Question) -> Option<Answer> {
        let mut answer = Some(0);
        let process = usize::from(question.process);
        match question.gates {
            false => {
                self.test_edges(stage, process, |edge, reason| {
                    add(&mut answer, edge.shift, reason)
                });
            }
            true => {
                self.test_gates(stage, process, |gate, shift, reason| {
                    let _ = gate;
                    add(&mut answer, shift, Some(reason));
                });
            }
        }
        answer
    }

    fn note(&mut self, process: usize, gates: bool, answer: Option<Answer>) {
        let question = Question { process: process as u8, gates };
        match answer {
            Some(answer) => self.asked.push((question, answer)),
            None => self.wide = true,
        }
    }

    /// Finds the tables of a process that was not there before. Processes are met in the order of
    /// their numbers.
    fn meet(&mut self, stage: &Stage<'_>, pid: usize) {
        let machine = stage.interpreter.machine();
        let key = stage.tables.key(machine, stage.state, &self.shape, pid);
        let slot = self.shape.processes[pid];
        let record = &stage.state[slot.offset as usize..];
        let cells = &stage.tables.facts.locals[usize::from(slot.ty)].frozen;
        let actor = Actor {
            ty: slot.ty,
            first_channel: slot.first_channel,
            frozen: cells.iter().map(|cell| (cell.field, cell.field.get(record))).collect(),
            instance: stage.tables.instance(machine, &key),
            channels: key.channels,
            location: 0,
            tested: false,
            enabled: 0,
            why: Vec::new(),
            gates_tested: false,
            gate_why: Vec::new(),
            outlook: (usize::MAX, 0, Arc::new([])),
            ahead: 0,
        };
        if pid < self.actors.len() {
            self.actors[pid] = actor;
        } else {
            self.actors.push(actor);
        }
    }

    /// The statements of a process that can be executed, perhaps: a rendezvous may find that the
    /// message does not match, and those that depend on each other are not tested one by one.
    pub fn enabled(&mut self, stage: &Stage<'_>, process: usize) -> u64 {
        if self.actors[process].tested {
            return self.actors[process].enabled;
        }
        let mut reasons = std::mem::take(&mut self.reasons);
        reasons.clear();
        let mut answer = Some(0);
        let enabled = self.test_edges(stage, process, |edge, reason| {
            add(&mut answer, edge.shift, reason);
            reasons.push(reason.unwrap_or(Reason::WHOLE));
        });
        self.note(process, false, answer);
        let actor = &mut self.actors[process];
        actor.tested = true;
        actor.enabled = enabled;
        self.reasons = std::mem::replace(&mut actor.why, reasons);
        enabled
    }

    /// Tests the guards of a process: those that are true, perhaps; of the others it is told why.
    #[inline]
    fn test_edges(
        &mut self,
        stage: &Stage<'_>,
        process: usize,
        mut tell: impl FnMut(&Edge, Option<Reason>),
    ) -> u64 {
        let youngest = process + 1 == self.count();
        let Scene { worker, shape, actors, .. } = self;
        let actor = &actors[process];
        let location = &actor.instance.locations[actor.location];
        // A rendezvous that is possible here may still not come about.
        let certain = location.offers == Bits::default() && location.accepts == Bits::default();
        let mut enabled = 0;
        for (i, edge) in location.edges.iter().enumerate() {
            let reason = match &edge.guard {
                Guard::End => (!youngest).then_some(Reason::WHOLE),
                _ if location.joined => None,
                Guard::Else => (certain && enabled != 0).then_some(Reason::WHOLE),
                Guard::Whole(_) => (!ready(stage, worker, process, edge)).then_some(Reason::WHOLE),
                Guard::Parts(parts) => {
                    let mut parts = parts.iter().enumerate();
                    parts.find_map(|(part, condition)| {
                        let (holds, empty) =
                            holds(stage, worker, shape, actors, process, edge, condition);
                        (!holds).then_some(Reason::of(part, condition, empty))
                    })
                }
            };
            if reason.is_none() {
                enabled |= bit(i);
            }
            tell(edge, reason);
        }
        enabled
    }

    /// What can make a statement executable that is not.
    pub fn helpers(&self, process: usize, edge: usize) -> Helpers {
        let parts = match &self.location(process).edges[edge].guard {
            Guard::End => return Helpers::Youngest,
            Guard::Else => return Helpers::Siblings,
            Guard::Whole(reads) => {
                let cause = Cause::Rendezvous;
                return Helpers::Of(Query { print: *reads, cause, number: None });
            }
            Guard::Parts(parts) => parts,
        };
        let reason = self.actors[process].why[edge];
        let part = usize::from(reason.part);
        let mut query = parts[part].queries[usize::from(reason.empty)];
        // A part before it may become a fault, which counts as a step.
        for earlier in parts[..part].iter().filter(|c| c.faulty) {
            query.number = None;
            query.print.add(&earlier.helpers);
            query.print.add(&earlier.operands);
            if earlier.queries[0].cause == Cause::Rendezvous {
                query.cause = Cause::Rendezvous;
            }
        }
        Helpers::Of(query)
    }

    /// What can open a gate that is closed.
    pub fn gate_helpers(&self, process: usize, gate: usize) -> Query {
        let actor = &self.actors[process];
        let reason = actor.gate_why[gate];
        match &actor.instance.gate(gate).guard {
            Guard::Parts(parts) => {
                parts[usize::from(reason.part)].queries[usize::from(reason.empty)]
            }
            _ => Query { print: Footprint::UNKNOWN, cause: Cause::Rendezvous, number: None },
        }
    }

    /// The statements of a process at its location, and the closed gates ahead of it, that lead to
    /// something that conflicts. Behind a closed gate it happens only after somebody has opened the
    /// gate.
    pub fn interfering(&mut self, stage: &Stage<'_>, process: usize, query: &Query) -> Interfering {
        if !self.actors[process].gates_tested {
            self.look(stage, process);
        }
        let actor = &self.actors[process];
        let key = query.number.map(|number| (number, actor.ahead));
        if let Some(known) = key.and_then(|key| self.answers.get(&key)) {
            return *known;
        }
        let mut found = Interfering::default();
        for (edge, ahead) in actor.outlook.2.iter().enumerate() {
            if query.print.conflicts(&ahead.near) {
                found.edges |= bit(edge);
                continue;
            }
            let mut gates = ahead.gates;
            while gates != 0 {
                let gate = gates.trailing_zeros() as usize;
                gates &= gates - 1;
                let shut = actor.instance.gate(gate);
                // For a rendezvous it helps to come to the gate.
                if query.cause == Cause::Rendezvous && query.print.conflicts(&shut.step) {
                    found.edges |= bit(edge);
                } else if query.print.conflicts(&shut.future) {
                    found.gates |= 1 << gate;
                }
            }
        }
        if let Some(key) = key {
            if self.answers.len() >= MOST_ANSWERS {
                self.answers.clear();
            }
            self.answers.insert(key, found);
        }
        found
    }

    /// Tests the gates ahead of a process, and tells why those are closed that are.
    #[inline]
    fn test_gates(
        &mut self,
        stage: &Stage<'_>,
        process: usize,
        mut tell: impl FnMut(usize, Option<u32>, Reason),
    ) {
        let Scene { worker, shape, actors, .. } = self;
        let actor = &actors[process];
        let instance = &actor.instance;
        let mut ahead = instance.locations[actor.location].gates;
        while ahead != 0 {
            let gate = ahead.trailing_zeros() as usize;
            ahead &= ahead - 1;
            let edge = instance.gate(gate);
            let Guard::Parts(parts) = &edge.guard else { continue };
            if let Some(reason) = first_shut(stage, worker, shape, actors, process, edge, parts) {
                tell(gate, instance.gates[gate].shift, reason);
            }
        }
    }

    fn look(&mut self, stage: &Stage<'_>, process: usize) {
        let mut why = std::mem::take(&mut self.actors[process].gate_why);
        why.resize(self.actors[process].instance.gates.len(), Reason::WHOLE);
        let (mut closed, mut answer) = (0, Some(0));
        self.test_gates(stage, process, |gate, shift, reason| {
            closed |= 1 << gate;
            why[gate] = reason;
            add(&mut answer, shift, Some(reason));
        });
        self.note(process, true, answer);
        let Scene { actors, outlooks, numbers, .. } = self;
        let actor = &actors[process];
        let instance = &actor.instance;
        let at = actor.location;
        if (actor.outlook.0, actor.outlook.1) != (at, closed) {
            if outlooks.len() >= MOST_OUTLOOKS {
                outlooks.clear();
            }
            let key = (Arc::as_ptr(instance) as usize, at, closed);
            let known = outlooks.entry(key).or_insert_with(|| {
                *numbers = numbers.wrapping_add(1);
                let outlook = instance.outlook(at, closed).into();
                Ahead { _of: instance.clone(), outlook, number: *numbers }
            });
            let (outlook, number) = (known.outlook.clone(), known.number);
            self.actors[process].outlook = (at, closed, outlook);
            self.actors[process].ahead = number;
        }
        let actor = &mut self.actors[process];
        actor.gate_why = why;
        actor.gates_tested = true;
    }
}

/// Adds how a guard stands to an answer.
fn add(answer: &mut Option<Answer>, shift: Option<u32>, reason: Option<Reason>) {
    let code = reason.map_or(0, |reason| Answer::from(reason.code));
    *answer = answer.zip(shift).map(|(answer, shift)| answer | code << shift);
}

/// The first part of a guard that is false and that only others can make true.
fn first_shut(
    stage: &Stage<'_>,
    worker: &mut everypath_machine::Worker,
    shape: &Shape,
    actors: &[Actor],
    process: usize,
    edge: &Edge,
    parts: &[Condition],
) -> Option<Reason> {
    for (part, condition) in parts.iter().enumerate().take_while(|(_, c)| !c.faulty) {
        if !condition.is_gate() {
            continue;
        }
        let (holds, empty) = match condition.about {
            // Of a receive that compares variables: only that there is no message.
            About::Buffer { id, .. } if !condition.closed => {
                let empty = length(stage, shape, id).0 == 0;
                (!empty, empty)
            }
            _ => holds(stage, worker, shape, actors, process, edge, condition),
        };
        if !holds {
            return Some(Reason::of(part, condition, empty));
        }
    }
    None
}

/// Whether a part of a guard is true, and whether it is false because a channel is empty.
fn holds(
    stage: &Stage<'_>,
    worker: &mut everypath_machine::Worker,
    shape: &Shape,
    actors: &[Actor],
    process: usize,
    edge: &Edge,
    condition: &Condition,
) -> (bool, bool) {
    let machine = stage.interpreter.machine();
    let holds = match (condition.about, condition.part.test) {
        (_, Test::Timeout) => false,
        (_, Test::Variable { space, field, op, value }) => {
            let record = match space {
                Space::Global => machine.hidden_words as usize,
                Space::Local => shape.processes[process].offset as usize,
                Space::Hidden => 0,
            };
            op.apply(field.get(&stage.state[record..]), value) != 0
        }
        (About::Partner(ends), test) => {
            let others = &actors[..shape.processes.len()];
            others.iter().enumerate().any(|(other, actor)| {
                let location = &actor.instance.locations[actor.location];
                let theirs = if test == Test::Send { &location.accepts } else { &location.offers };
                other != process && theirs.meets(&ends)
            })
        }
        (About::Buffer { id, every, .. }, Test::Receive) => {
            let empty = length(stage, shape, id).0 == 0;
            return (!empty && (every || ready(stage, worker, process, edge)), empty);
        }
        (About::Buffer { id, .. }, Test::Send) => {
            let (length, capacity) = length(stage, shape, id);
            length < capacity || machine.lossy_channels
        }
        (About::Buffer { id, .. }, Test::Probe { probe, .. }) => {
            let (length, capacity) = length(stage, shape, id);
            match probe {
                Probe::Full => length == capacity,
                Probe::Empty => length == 0,
                Probe::NotFull => length < capacity,
                Probe::Len | Probe::NotEmpty => length > 0,
            }
        }
        (_, Test::Register(register)) | (_, Test::Probe { register, .. }) => {
            let range = (condition.part.start, condition.part.end);
            // A fault is a step.
            let state = stage.state;
            stage.interpreter.condition(worker, state, process, range, register) != Ok(0)
        }
        (_, Test::Send | Test::Receive) => ready(stage, worker, process, edge),
    };
    (holds, false)
}

/// Whether the whole guard of a statement is true, perhaps.
fn ready(
    stage: &Stage<'_>,
    worker: &mut everypath_machine::Worker,
    process: usize,
    edge: &Edge,
) -> bool {
    stage.interpreter.readiness(worker, stage.state, process, edge.code) != Readiness::No
}

/// The number of messages in a channel, and how many it can hold.
fn length(stage: &Stage<'_>, shape: &Shape, id: i32) -> (u32, u32) {
    // A channel that ended is empty, and a send to it is a fault.
    let Some(slot) = shape.channels.get((id - 1) as usize) else { return (0, 1) };
    let ty = &stage.interpreter.machine().channel_types[usize::from(slot.ty)];
    (ty.length(&stage.state[slot.offset as usize..]), ty.capacity)
}
