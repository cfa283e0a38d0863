//! A process as far as it is known before it runs: what each of its statements may touch, and what
//! may still happen after it.

use everypath_machine::code::{Op, Probe, Reg, Space};
use everypath_machine::{Field, Kind, Machine, TransitionKind};

use crate::bits::{Bits, Footprint};
use crate::facts::{Buffer, CHANNELS, COUNT, Facts, HIDDEN, PRESENCE, RUN, VISIBLE};
use crate::guard::{Part, Test, split};
use crate::walk::{Knowledge, Registers, Value, walk};

/// Larger values do not make a process one of its own.
pub(crate) const MOST_FROZEN: i32 = 256;

/// What is known of a process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub ty: u16,
    pub pid: Option<u8>,
    pub first_channel: Option<u16>,
    /// The values of [`Locals::frozen`](crate::facts::Locals::frozen).
    pub frozen: Vec<Option<i32>>,
    /// Kinds of channels that older processes own and this one has in a frozen variable.
    pub channels: Vec<(i32, u16)>,
}

impl Key {
    /// Any process of a proctype.
    pub fn any(facts: &Facts, ty: u16) -> Key {
        let frozen = vec![None; facts.locals[usize::from(ty)].frozen.len()];
        Key { ty, pid: None, first_channel: None, frozen, channels: Vec::new() }
    }
}

/// What all instances share.
pub(crate) struct Common<'m> {
    pub machine: &'m Machine,
    pub facts: &'m Facts,
    /// What a process of each proctype, and those that it makes, may do.
    pub lives: &'m [Footprint],
    /// What those may do who take part in a rendezvous in the middle of somebody's sequence.
    pub partners: Footprint,
    /// What is asked about every state.
    pub visible: Footprint,
    /// Label states that are visible.
    pub labels: Labels,
}

/// Labels that a search for cycles looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Labels {
    pub accept: bool,
    pub progress: bool,
}

/// A process with its tables.
pub(crate) struct Instance {
    pub locations: Vec<Location>,
    /// Statements behind which nothing happens as long as a condition on what all share is false.
    pub gates: Vec<Gate>,
    /// Everything that it may ever do.
    pub life: Footprint,
}

/// A statement at its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gate {
    pub location: usize,
    pub edge: usize,
}

/// What may happen from a location as long as closed gates stay closed, for each of its statements.
pub(crate) struct Outlook {
    /// What happens in front of the gates.
    pub near: Footprint,
    /// The closed gates that are met.
    pub gates: u64,
}

/// A control location.
#[derive(Default)]
pub(crate) struct Location {
    pub edges: Vec<Edge>,
    /// Its statements depend on each other: an escape, a deterministic process, a provided clause.
    pub joined: bool,
    /// Channels on which a rendezvous is offered here or in the sequence from here: sending ends.
    pub offers: Bits,
    /// Channels on which a rendezvous is accepted here: receiving ends.
    pub accepts: Bits,
    /// What accepting one may do in the middle of the sender's sequence.
    pub accepted: Footprint,
    /// Everything that may happen from here on.
    pub future: Footprint,
    /// The gates on the way from here.
    pub gates: u64,
}

/// A statement at its location.
pub(crate) struct Edge {
    pub code: u32,
    /// Where it leads; nowhere at the end of a process.
    pub target: Option<usize>,
    /// What the step does and what the processes do that it makes.
    pub near: Footprint,
    pub guard: Guard,
    /// The whole step that begins with it.
    pub step: Footprint,
    /// The step and everything that may follow.
    pub future: Footprint,
    /// A step with it closes a cycle of the control flow.
    pub sticky: bool,
}

/// When a statement can be executed.
pub(crate) enum Guard {
    Parts(Vec<Condition>),
    /// It is no conjunction; all that it reads.
    Whole(Footprint),
    Else,
    End,
}

impl Guard {
    /// Whether it holds only if nobody else can move. While a step that is enough to be taken waits,
    /// this is false, so that nothing behind it can happen before.
    fn waits_for_all(&self) -> bool {
        match self {
            Guard::Parts(parts) => parts.iter().any(|c| c.part.test == Test::Timeout),
            _ => false,
        }
    }
}

impl Guard {
    /// Whether a part of it can be false in a way that only others can change.
    fn is_gate(&self) -> bool {
        match self {
            Guard::Parts(parts) => parts.iter().take_while(|c| !c.faulty).any(Condition::is_gate),
            _ => false,
        }
    }
}

impl Condition {
    /// Whether it can be false in a way that only others can change.
    pub fn is_gate(&self) -> bool {
        let receives =
            matches!((self.about, self.part.test), (About::Buffer { .. }, Test::Receive));
        (self.closed || receives) && !self.faulty && self.part.test != Test::Timeout
    }
}

/// A part of a guard with what it is about.
pub(crate) struct Condition {
    pub part: Part,
    pub about: About,
    /// What can make it true while it is false; of a receive from a channel without messages, of
    /// which only a send helps, what else it depends on.
    pub helpers: Footprint,
    /// What the operands of a send or a receive depend on.
    pub operands: Footprint,
    /// Its evaluation may be a fault.
    pub faulty: bool,
    /// It reads no variable that its process may change on its way, so that its value now says
    /// something about later.
    pub closed: bool,
}

/// What a condition needs to be tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// Its code.
    Code,
    /// A channel with room for messages: its id, whether every message will do, and whether it need
    /// not be the first.
    Buffer { id: i32, every: bool, random: bool },
    /// Somebody at the other end of one of these channels.
    Partner(Bits),
    /// A channel that is not known: the code of the whole guard.
    Guard,
}

/// What one statement does, wherever it stands.
struct Statement {
    /// As the first of a step.
    first: Footprint,
    /// In the middle of a step.
    inside: Footprint,
    guard: Guard,
    /// The guard alone, with everything that it reads.
    reads: Footprint,
    offers: Bits,
    accepts: Bits,
    /// What the processes that it makes may do.
    made: Footprint,
    /// It is the sending half of a rendezvous, which hands control over.
    hands_over: bool,
}

struct Known<'a> {
    common: &'a Common<'a>,
    key: &'a Key,
}

impl Knowledge for Known<'_> {
    fn load(&self, space: Space, field: Field) -> Value {
        match space {
            Space::Global => self.common.facts.constant(field),
            Space::Hidden => Value::Any,
            Space::Local => {
                let frozen = &self.common.facts.locals[usize::from(self.key.ty)].frozen;
                let index = frozen.iter().position(|cell| cell.field == field);
                index.and_then(|i| self.key.frozen[i]).map_or(Value::Any, Value::Is)
            }
        }
    }

    fn load_some(&self, space: Space, first: Field) -> Value {
        match space {
            Space::Global => self.common.facts.constants(first),
            _ => Value::Any,
        }
    }

    fn pid(&self) -> Option<i32> {
        self.key.pid.map(i32::from)
    }

    fn own_channel(&self, k: u16) -> Option<i32> {
        self.key.first_channel.map(|first| i32::from(first + k) + 1)
    }
}

impl Known<'_> {
    fn buffer(&self, id: i32) -> Buffer {
        let Common { machine, facts, .. } = self.common;
        let index = (id - 1) as usize;
        let own = self.key.first_channel.and_then(|first| {
            let channels = &machine.proctypes[usize::from(self.key.ty)].channels;
            channels.get(index.checked_sub(usize::from(first))?).map(|channel| channel.ty)
        });
        let older = || self.key.channels.iter().find(|c| c.0 == id).map(|c| c.1);
        match facts.global_channels.get(index).copied().or(own).or_else(older) {
            None => Buffer::Unknown,
            Some(ty) if machine.channel_types[usize::from(ty)].capacity == 0 => Buffer::Rendezvous,
            Some(_) => Buffer::Buffered,
        }
    }

    /// What an instruction touches. `alone` says that it is the test of a part of a guard.
    fn touch(&self, op: Op, regs: &Registers, alone: Option<Test>) -> Footprint {
        let Common { machine, facts, .. } = self.common;
        let mut print = Footprint::default();
        let mut global = |field: Field, at: Option<Reg>, change: bool| match facts
            .global(field, at.map(|at| regs.get(at)))
        {
            None => print = Footprint::UNKNOWN,
            Some(bits) if change => bits.into_iter().for_each(|bit| print.change(bit)),
            Some(bits) => bits.into_iter().for_each(|bit| print.read(bit)),
        };
        match op {
            Op::Load { space: Space::Global, field, .. } => global(field, None, false),
            Op::LoadAt { space: Space::Global, at, field, .. } => global(field, Some(at), false),
            Op::Store { space: Space::Global, field, .. } => global(field, None, true),
            Op::StoreAt { space: Space::Global, at, field, .. } => global(field, Some(at), true),
            Op::Load { space: Space::Hidden, .. } | Op::LoadAt { space: Space::Hidden, .. } => {
                print.read(HIDDEN);
            }
            Op::Store { space: Space::Hidden, .. } | Op::StoreAt { space: Space::Hidden, .. } => {
                print.change(HIDDEN);
            }
            Op::Store { space: Space::Local, field, .. } => {
                facts.remote(self.key.ty, field, None).into_iter().for_each(|b| print.change(b));
            }
            Op::StoreAt { space: Space::Local, at, field, .. } => {
                let seen = facts.remote(self.key.ty, field, Some(regs.get(at)));
                seen.into_iter().for_each(|bit| print.change(bit));
            }
            Op::LoadRemote { proctype, .. } => {
                print.read(Facts::remote_of(proctype));
                print.read(RUN);
                print.change(COUNT);
            }
            Op::AtState { number, .. } => {
                facts.watched(number).into_iter().for_each(|bit| print.read(bit));
                print.read(RUN);
                print.change(COUNT);
            }
            Op::FirstOf { .. } | Op::ProcessCount { .. } => {
                print.read(RUN);
                print.change(COUNT);
            }
            Op::Timeout { .. } if alone != Some(Test::Timeout) => print = Footprint::UNKNOWN,
            Op::Run { proctype, .. } => {
                print.change(RUN);
                print.read(PRESENCE);
                if !machine.proctypes[usize::from(proctype)].channels.is_empty() {
                    // The ids of channels that ended come to life again.
                    print.change(CHANNELS);
                }
                print.add(&self.making(proctype));
            }
            Op::Probe { c, probe, .. } => {
                let probe = match alone {
                    Some(Test::Probe { .. }) => probe,
                    _ => Probe::Len,
                };
                self.each_channel(regs.get(c), &mut print, |print, (head, tail), _| match probe {
                    Probe::NotEmpty | Probe::Full => print.read(head),
                    Probe::Empty | Probe::NotFull => print.read(tail),
                    Probe::Len => {
                        print.read(head);
                        print.read(tail);
                    }
                });
            }
            Op::Poll { c, .. } => {
                self.each_channel(regs.get(c), &mut print, |print, (head, tail), _| {
                    print.read(head);
                    print.read(tail);
                });
            }
            Op::SendGuard { c, .. } => {
                let alone = alone == Some(Test::Send) && !machine.lossy_channels;
                self.each_channel(regs.get(c), &mut print, |print, (head, tail), buffer| {
                    if !(alone && buffer == Buffer::Buffered) {
                        print.read(head);
                    }
                    print.read(tail);
                    if buffer != Buffer::Buffered {
                        print.change(tail);
                    }
                });
            }
            Op::Send { c, sorted, .. } => {
                self.each_channel(regs.get(c), &mut print, |print, (head, tail), _| {
                    print.change(tail);
                    if sorted || machine.lossy_channels {
                        print.change(head);
                    }
                });
            }
            Op::ReceiveGuard { c, .. } => {
                let alone = alone == Some(Test::Receive) && !machine.lossy_channels;
                self.each_channel(regs.get(c), &mut print, |print, (head, tail), buffer| {
                    if !(alone && buffer == Buffer::Buffered) {
                        print.read(tail);
                    }
                    print.read(head);
                    if buffer != Buffer::Buffered {
                        print.change(head);
                    }
                });
            }
            Op::ReceiveField { c, .. } => {
                self.each_channel(regs.get(c), &mut print, |print, (head, _), _| print.read(head));
            }
            Op::ReceiveTake { c } => {
                self.each_channel(regs.get(c), &mut print, |print, (head, _), _| {
                    print.change(head);
                });
            }
            _ => {}
        }
        print
    }

    /// Notes what is done with the ends of each channel that a value may be.
    fn each_channel(
        &self,
        value: &Value,
        print: &mut Footprint,
        mut note: impl FnMut(&mut Footprint, (usize, usize), Buffer),
    ) {
        print.read(CHANNELS);
        match value.values() {
            None => print.change(CHANNELS),
            Some(ids) => {
                for &id in ids {
                    note(print, self.common.facts.channel(id), self.buffer(id));
                }
            }
        }
    }

    /// What making a process of a proctype touches.
    fn making(&self, proctype: u16) -> Footprint {
        let common = self.common;
        let key = Key::any(common.facts, proctype);
        let known = Known { common, key: &key };
        let mut print = Footprint::default();
        let init = common.machine.proctypes[usize::from(proctype)].init;
        let fits = walk(common.machine, &known, init, |_, op, regs| {
            print.add(&known.touch(op, regs, None));
        });
        if fits { print } else { Footprint::UNKNOWN }
    }

    /// What a process made by a `run` may do, its own processes included.
    fn life_of_made(&self, op: Op, regs: &Registers, deep: bool) -> Footprint {
        let Op::Run { proctype, first, count, .. } = op else { return Footprint::default() };
        let common = self.common;
        let mut key = Key::any(common.facts, proctype);
        let params = &common.machine.proctypes[usize::from(proctype)].params;
        let frozen = &common.facts.locals[usize::from(proctype)].frozen;
        for (i, param) in params.iter().enumerate().take(usize::from(count)) {
            let value = regs.get(first.saturating_add(i as u8)).known();
            let Some(index) = frozen.iter().position(|cell| cell.field == *param) else { continue };
            let value = value.map(|value| param.truncate(value));
            key.frozen[index] = value.filter(|&v| stable(common.facts, frozen[index].kind, v));
        }
        if !deep || key.frozen.iter().all(Option::is_none) {
            return common.lives[usize::from(proctype)];
        }
        Instance::build(common, &key, false).life
    }

    fn statement(&self, transition: usize, deep: bool) -> Statement {
        let machine = self.common.machine;
        let code = machine.transitions[transition].code;
        let parts = split(machine, code);
        let commit = parts.as_ref().map_or(u32::MAX, |(_, commit)| *commit);
        let mut conditions: Vec<Condition> = parts.as_ref().map_or(Vec::new(), |(parts, _)| {
            let condition = |&part: &Part| Condition {
                part,
                about: About::Code,
                helpers: Footprint::default(),
                operands: Footprint::default(),
                faulty: false,
                closed: true,
            };
            parts.iter().map(condition).collect()
        });
        let mut all = Statement {
            first: Footprint::default(),
            inside: Footprint::default(),
            guard: Guard::Else,
            reads: Footprint::default(),
            offers: Bits::default(),
            accepts: Bits::default(),
            made: Footprint::default(),
            hands_over: false,
        };
        // If the guard is no conjunction, all of the code counts as guard.
        let fits = walk(machine, self, code, |pc, op, regs| {
            let before = pc < commit;
            let full = self.touch(op, regs, None);
            all.inside.add(&full);
            all.made.add(&self.life_of_made(op, regs, deep));
            self.note_ends(op, regs, &mut all);
            let condition = conditions.iter_mut().find(|c| c.part.start <= pc && pc <= c.part.end);
            let condition = condition.filter(|_| before);
            // As long as somebody can move, a wait for nobody to move depends on nothing.
            let waits = condition.as_ref().is_some_and(|c| c.part.test == Test::Timeout);
            if before && !waits {
                all.reads.add(&full);
            }
            match condition {
                None => all.first.add(&full),
                Some(condition) => {
                    all.first.add(&self.touch(op, regs, Some(condition.part.test)));
                    self.examine(op, regs, condition, &full);
                }
            }
        });
        if !fits {
            all.first = Footprint::UNKNOWN;
            all.inside = Footprint::UNKNOWN;
            all.reads = Footprint::UNKNOWN;
            all.made = Footprint::UNKNOWN;
        }
        all.guard = match parts {
            Some(_) if fits => Guard::Parts(conditions),
            _ => Guard::Whole(all.reads),
        };
        if let Guard::Parts(conditions) = &all.guard {
            all.hands_over = conditions
                .last()
                .is_some_and(|c| c.part.test == Test::Send && matches!(c.about, About::Partner(_)));
        }
        all
    }

    /// Notes on which channels a rendezvous is possible.
    fn note_ends(&self, op: Op, regs: &Registers, all: &mut Statement) {
        let (c, send) = match op {
            Op::SendGuard { c, .. } => (c, true),
            Op::ReceiveGuard { c, .. } => (c, false),
            _ => return,
        };
        let ends = if send { &mut all.offers } else { &mut all.accepts };
        match regs.get(c).values() {
            None => ends.insert(CHANNELS),
            Some(ids) => {
                for &id in ids.iter().filter(|&&id| self.buffer(id) != Buffer::Buffered) {
                    let (head, tail) = self.common.facts.channel(id);
                    ends.insert(if send { tail } else { head });
                }
            }
        }
    }

    /// Adds an instruction to what is known of the part of a guard that it belongs to.
    fn examine(&self, op: Op, regs: &Registers, condition: &mut Condition, full: &Footprint) {
        match op {
            Op::Load { space: Space::Local, field, .. } => {
                condition.closed &= self.load(Space::Local, field) != Value::Any;
            }
            Op::LoadAt { space: Space::Local, .. } => condition.closed = false,
            Op::Bound { a, count, .. } => {
                let inside = |&v: &i32| (v as u32) < count;
                condition.faulty |= !regs.get(a).values().is_some_and(|v| v.iter().all(inside));
            }
            Op::NonZero { a, .. } => {
                condition.faulty |= regs.get(a).values().is_none_or(|v| v.contains(&0));
            }
            _ => {}
        }
        let c = match (op, condition.part.test) {
            (Op::Probe { c, .. }, Test::Probe { .. })
            | (Op::SendGuard { c, .. }, Test::Send)
            | (Op::ReceiveGuard { c, .. }, Test::Receive) => c,
            (_, Test::Send | Test::Receive) => {
                condition.operands.add(full);
                return;
            }
            _ => {
                condition.helpers.add(full);
                condition.faulty |= matches!(op, Op::Probe { .. } | Op::Poll { .. });
                return;
            }
        };
        condition.helpers.read(CHANNELS);
        let (id, buffer) = match regs.get(c) {
            Value::Is(id) => (*id, self.buffer(*id)),
            _ => (0, Buffer::Unknown),
        };
        let (head, tail) = self.common.facts.channel(id.max(1));
        let partner = |end: usize| {
            let mut bits = Bits::of(end);
            bits.insert(CHANNELS);
            About::Partner(bits)
        };
        condition.about = match (buffer, op) {
            // Which end helps depends on whether there is a message.
            (Buffer::Buffered, Op::ReceiveGuard { pattern, .. }) => {
                let pattern = self.common.machine.patterns[usize::from(pattern)];
                About::Buffer { id, every: pattern.compared == 0, random: pattern.random }
            }
            (Buffer::Buffered, _) => {
                let sends = matches!(op, Op::Probe { probe: Probe::NotEmpty | Probe::Full, .. });
                condition.helpers.read(if sends { tail } else { head });
                About::Buffer { id, every: true, random: false }
            }
            (Buffer::Rendezvous, Op::SendGuard { .. }) => {
                condition.helpers.read(head);
                partner(head)
            }
            (Buffer::Rendezvous, Op::ReceiveGuard { .. }) => {
                condition.helpers.read(tail);
                partner(tail)
            }
            _ => {
                condition.faulty = true;
                condition.helpers.add(full);
                condition.helpers.add(&condition.operands);
                About::Guard
            }
        };
    }
}

/// Whether a value of a variable says something that stays true, and is worth a table of its own.
fn stable(facts: &Facts, kind: Kind, value: i32) -> bool {
    match kind {
        // Channels of processes come and go.
        Kind::Channel => (1..=facts.global_channels.len() as i32).contains(&value),
        _ => (0..MOST_FROZEN).contains(&value),
    }
}

impl Instance {
    /// The tables of a process.
    pub fn new(common: &Common<'_>, key: &Key) -> Instance {
        Instance::build(common, key, true)
    }

    /// What an expression without an executing process reads.
    pub fn expression(common: &Common<'_>, code: u32) -> Footprint {
        let key =
            Key { ty: 0, pid: None, first_channel: None, frozen: Vec::new(), channels: Vec::new() };
        let known = Known { common, key: &key };
        let mut print = Footprint::default();
        let fits = walk(common.machine, &known, code, |_, op, regs| {
            print.add(&known.touch(op, regs, None));
        });
        if fits { print } else { Footprint::UNKNOWN }
    }

    fn build(common: &Common<'_>, key: &Key, deep: bool) -> Instance {
        let machine = common.machine;
        let known = Known { common, key };
        let proctype = &machine.proctypes[usize::from(key.ty)];
        let mine = |t: u32| machine.transitions[t as usize].kind == TransitionKind::Code;
        // Statements are shared by locations; a proctype has its own.
        let mut statements: rustc_hash::FxHashMap<u32, Statement> = Default::default();
        for edge in proctype.locations.iter().flat_map(|l| &l.edges) {
            if mine(edge.transition) {
                statements
                    .entry(edge.transition)
                    .or_insert_with(|| known.statement(edge.transition as usize, deep));
            }
        }
        let provided = proctype.provided.map(|code| {
            let mut print = Footprint::default();
            let fits = walk(machine, &known, code, |_, op, regs| {
                print.add(&known.touch(op, regs, None));
            });
            if fits { print } else { Footprint::UNKNOWN }
        });
        let sticky = feedback(machine, key.ty);
        let build = Build { known: &known, statements: &statements, provided, sticky: &sticky };
        let mut locations: Vec<Location> =
            (0..proctype.locations.len()).map(|at| build.location(at)).collect();
        build.futures(&mut locations);
        let gates = gates(&mut locations);
        let mut life = Footprint::default();
        locations.iter().for_each(|l| life.add(&l.future));
        Instance { locations, gates, life }
    }

    /// The statement of a gate.
    pub fn gate(&self, gate: usize) -> &Edge {
        let Gate { location, edge } = self.gates[gate];
        &self.locations[location].edges[edge]
    }

    /// What may happen from a location if some gates are closed, for each of its statements.
    pub fn outlook(&self, at: usize, closed: u64) -> Vec<Outlook> {
        let edges = self.locations[at].edges.iter();
        edges.map(|edge| self.outlook_behind(edge, closed)).collect()
    }

    fn outlook_behind(&self, first: &Edge, closed: u64) -> Outlook {
        let mut outlook = Outlook { near: Footprint::default(), gates: 0 };
        if first.guard.waits_for_all() {
            return outlook;
        }
        outlook.near = first.near;
        let mut seen = vec![false; self.locations.len()];
        let mut open: Vec<usize> = first.target.into_iter().collect();
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            for (i, edge) in self.locations[at].edges.iter().enumerate() {
                let gate = self.gates.iter().position(|g| (g.location, g.edge) == (at, i));
                if let Some(gate) = gate.filter(|gate| closed >> gate & 1 == 1) {
                    outlook.gates |= 1 << gate;
                } else if !edge.guard.waits_for_all() {
                    outlook.near.add(&edge.near);
                    open.extend(edge.target);
                }
            }
        }
        outlook
    }
}

/// What the locations of an instance are made from.
struct Build<'b> {
    known: &'b Known<'b>,
    statements: &'b rustc_hash::FxHashMap<u32, Statement>,
    provided: Option<Footprint>,
    sticky: &'b [(usize, u32)],
}

impl Build<'_> {
    fn location(&self, at: usize) -> Location {
        let machine = self.known.common.machine;
        let proctype = &machine.proctypes[usize::from(self.known.key.ty)];
        let edges = &proctype.locations[at].edges;
        let mut location = Location {
            joined: self.provided.is_some()
                || proctype.deterministic
                || edges.iter().any(|edge| edge.escape != 0)
                || edges.len() > 64,
            ..Location::default()
        };
        // All that the guards so far read.
        let mut before = Footprint::default();
        for edge in edges {
            let transition = &machine.transitions[edge.transition as usize];
            let mut made = Edge {
                code: transition.code,
                target: (transition.kind != TransitionKind::End)
                    .then_some(usize::from(transition.target)),
                near: Footprint::default(),
                guard: Guard::End,
                step: self.step(at, edge.transition, &mut location.offers),
                future: Footprint::default(),
                sticky: false,
            };
            made.sticky = self.closes_cycle(at, edge.transition);
            match transition.kind {
                TransitionKind::Code => {
                    let statement = &self.statements[&edge.transition];
                    made.guard = copy_guard(&statement.guard);
                    location.accepts.add(&statement.accepts);
                    if statement.accepts != Bits::default() {
                        location.accepted.add(&self.inside(at, edge.transition));
                    }
                    before.add(&statement.reads);
                }
                TransitionKind::Else => {
                    made.guard = Guard::Else;
                    made.step.add(&before);
                    if location.offers != Bits::default() {
                        made.step.change(PRESENCE);
                    }
                }
                TransitionKind::End => {}
            }
            location.edges.push(made);
        }
        if location.joined {
            for edge in &mut location.edges {
                edge.step.add(&before);
                if location.offers != Bits::default() {
                    edge.step.change(PRESENCE);
                }
            }
        }
        for edge in &mut location.edges {
            if edge.step.conflicts(&self.known.common.visible) {
                edge.step.change(VISIBLE);
            }
        }
        location
    }

    /// All that the step from a statement may do if it is not the first of its step.
    fn inside(&self, at: usize, first: u32) -> Footprint {
        let mut print = Footprint::default();
        for (_, t) in self.sequence(at, first) {
            match self.statements.get(&t) {
                Some(statement) => print.add(&statement.inside),
                None => self.ending(&mut print),
            }
        }
        print
    }

    fn labelled(&self, at: usize) -> bool {
        let Common { machine, labels, .. } = self.known.common;
        let locations = &machine.proctypes[usize::from(self.known.key.ty)].locations;
        let marked = |location: &everypath_machine::Location| {
            labels.accept && location.accept || labels.progress && location.progress
        };
        locations.get(at).is_some_and(marked)
    }

    /// The statements of the step that begins with one: itself, and what follows in an atomic
    /// sequence, each with the location it leaves.
    fn sequence(&self, at: usize, first: u32) -> Vec<(usize, u32)> {
        let machine = self.known.common.machine;
        let locations = &machine.proctypes[usize::from(self.known.key.ty)].locations;
        let mut all = vec![(at, first)];
        let mut next = 0;
        while let Some(&(_, t)) = all.get(next) {
            next += 1;
            let transition = &machine.transitions[t as usize];
            let hands_over = next == 1 && self.statements.get(&t).is_some_and(|s| s.hands_over);
            if !transition.atomic || transition.kind == TransitionKind::End || hands_over {
                continue;
            }
            let to = usize::from(transition.target);
            for edge in &locations[to].edges {
                if !all.contains(&(to, edge.transition)) {
                    all.push((to, edge.transition));
                }
            }
        }
        all
    }

    fn step(&self, at: usize, first: u32, offers: &mut Bits) -> Footprint {
        let Common { machine, facts, partners, .. } = self.known.common;
        let proctype = &machine.proctypes[usize::from(self.known.key.ty)];
        let mut step = Footprint::default();
        for (i, &(from, t)) in self.sequence(at, first).iter().enumerate() {
            let transition = &machine.transitions[t as usize];
            if let Some(provided) = &self.provided {
                step.add(provided);
            }
            let to = usize::from(transition.target);
            for at in [from, to] {
                let number = proctype.locations.get(at).map(|l| l.number);
                let seen = number.and_then(|number| facts.watched(number));
                seen.into_iter().for_each(|bit| step.change(bit));
                if self.labelled(at) {
                    step.change(VISIBLE);
                }
                if self.accepts(at) {
                    step.read(PRESENCE);
                }
            }
            match transition.kind {
                TransitionKind::Else => {}
                TransitionKind::End => self.ending(&mut step),
                TransitionKind::Code => {
                    let statement = &self.statements[&t];
                    step.add(if i == 0 { &statement.first } else { &statement.inside });
                    offers.add(&statement.offers);
                    if i > 0 && statement.offers != Bits::default() {
                        step.add(partners);
                        step.read(PRESENCE);
                    }
                }
            }
        }
        step
    }

    /// Whether a rendezvous may be accepted at a location.
    fn accepts(&self, at: usize) -> bool {
        let proctype = &self.known.common.machine.proctypes[usize::from(self.known.key.ty)];
        proctype.locations.get(at).is_some_and(|location| {
            let statements =
                location.edges.iter().filter_map(|e| self.statements.get(&e.transition));
            statements.into_iter().any(|statement| statement.accepts != Bits::default())
        })
    }

    /// The end of a process, and of the channels that it owns.
    fn ending(&self, step: &mut Footprint) {
        let Known { common, key } = self.known;
        step.read(RUN);
        step.read(COUNT);
        let channels = common.machine.proctypes[usize::from(key.ty)].channels.len();
        if channels == 0 {
            return;
        }
        match key.first_channel {
            None => step.change(CHANNELS),
            Some(first) => {
                for k in 0..channels {
                    let (head, tail) = common.facts.channel((usize::from(first) + k) as i32 + 1);
                    step.change(head);
                    step.change(tail);
                    step.read(CHANNELS);
                }
            }
        }
    }

    fn closes_cycle(&self, at: usize, first: u32) -> bool {
        self.sequence(at, first).iter().any(|one| self.sticky.contains(one))
    }

    /// What may follow, until nothing new comes in.
    fn futures(&self, locations: &mut [Location]) {
        let machine = self.known.common.machine;
        let proctype = &machine.proctypes[usize::from(self.known.key.ty)];
        let made = |t: u32| self.statements.get(&t).map_or(Footprint::default(), |s| s.made);
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..locations.len()).rev() {
                let mut all = locations[at].future;
                for (i, edge) in proctype.locations[at].edges.iter().enumerate() {
                    let transition = &machine.transitions[edge.transition as usize];
                    if locations[at].edges[i].guard.waits_for_all() {
                        continue;
                    }
                    let mut future = locations[at].edges[i].step;
                    future.add(&made(edge.transition));
                    locations[at].edges[i].near = future;
                    if transition.kind != TransitionKind::End {
                        future.add(&locations[usize::from(transition.target)].future);
                    }
                    locations[at].edges[i].future = future;
                    all.add(&future);
                }
                changed |= all != locations[at].future;
                locations[at].future = all;
            }
        }
    }
}

/// Finds the gates, and for each location those on the way from it.
fn gates(locations: &mut [Location]) -> Vec<Gate> {
    let mut gates = Vec::new();
    for (location, l) in locations.iter().enumerate().filter(|(_, l)| !l.joined) {
        for (edge, e) in l.edges.iter().enumerate() {
            if e.guard.is_gate() && gates.len() < 64 {
                gates.push(Gate { location, edge });
            }
        }
    }
    let mut changed = !gates.is_empty();
    while changed {
        changed = false;
        for at in (0..locations.len()).rev() {
            let mut ahead = locations[at].gates;
            for (i, edge) in locations[at].edges.iter().enumerate() {
                let own = gates.iter().position(|g| (g.location, g.edge) == (at, i));
                ahead |= own.map_or(0, |gate| 1 << gate);
                ahead |= edge.target.map_or(0, |to| locations[to].gates);
            }
            changed |= ahead != locations[at].gates;
            locations[at].gates = ahead;
        }
    }
    gates
}

fn copy_guard(guard: &Guard) -> Guard {
    match guard {
        Guard::Parts(conditions) => Guard::Parts(
            conditions
                .iter()
                .map(|c| Condition {
                    part: c.part,
                    about: c.about,
                    helpers: c.helpers,
                    operands: c.operands,
                    faulty: c.faulty,
                    closed: c.closed,
                })
                .collect(),
        ),
        Guard::Whole(reads) => Guard::Whole(*reads),
        Guard::Else => Guard::Else,
        Guard::End => Guard::End,
    }
}

/// Statements without which the control flow of a proctype has no cycle, with the locations they
/// leave.
fn feedback(machine: &Machine, ty: u16) -> Vec<(usize, u32)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let locations = &machine.proctypes[usize::from(ty)].locations;
    let mut marks = vec![Mark::New; locations.len()];
    let mut found = Vec::new();
    let start = usize::from(machine.proctypes[usize::from(ty)].start);
    for root in std::iter::once(start).chain(0..locations.len()) {
        if marks[root] != Mark::New {
            continue;
        }
        marks[root] = Mark::Open;
        let mut stack = vec![(root, 0)];
        while let Some((at, next)) = stack.last_mut() {
            let at = *at;
            let Some(edge) = locations[at].edges.get(*next) else {
                marks[at] = Mark::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            let transition = &machine.transitions[edge.transition as usize];
            if transition.kind == TransitionKind::End {
                continue;
            }
            let to = usize::from(transition.target);
            match marks[to] {
                Mark::Open => found.push((at, edge.transition)),
                Mark::New => {
                    marks[to] = Mark::Open;
                    stack.push((to, 0));
                }
                Mark::Done => {}
            }
        }
    }
    found
}
