//! Single statements: what they may touch, and when they can be executed.

use everypath_machine::code::{Op, Probe, Space};

use crate::bits::{Bits, Cause, Footprint, Query};
use crate::facts::{Buffer, CHANNELS};
use crate::guard::{Part, Test, split};
use crate::instance::Instance;
use crate::symbols::Symbols;
use crate::touch::{Key, Known, stable};
use crate::walk::{Knowledge, Registers, Value, walk};

/// When a statement can be executed.
#[derive(Clone)]
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
    pub fn waits_for_all(&self) -> bool {
        match self {
            Guard::Parts(parts) => parts.iter().any(|c| c.part.test == Test::Timeout),
            _ => false,
        }
    }

    /// Whether a part of it can be false in a way that only others can change.
    pub fn is_gate(&self) -> bool {
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
#[derive(Clone, Copy)]
pub(crate) struct Condition {
    pub part: Part,
    pub about: About,
    /// What can make it true while it is false; of a receive from a channel without messages, of
    /// which only a send helps, what else it depends on.
    pub helpers: Footprint,
    /// What the operands of a send or a receive depend on.
    pub operands: Footprint,
    /// What can make it true while it is false, and the same if that is because a channel is empty.
    pub queries: [Query; 2],
    /// Its evaluation may be a fault.
    pub faulty: bool,
    /// It reads no variable that its process may change on its way, so that its value now says
    /// something about later.
    pub closed: bool,
    /// What stands for its being false in an answer; the next number if a channel is empty.
    pub code: u16,
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
pub(crate) struct Statement {
    /// As the first of a step.
    pub first: Footprint,
    /// In the middle of a step.
    pub inside: Footprint,
    pub guard: Guard,
    /// The guard alone, with everything that it reads.
    pub reads: Footprint,
    pub offers: Bits,
    pub accepts: Bits,
    /// What the processes that it makes may do.
    pub made: Footprint,
    /// It is the sending half of a rendezvous, which hands control over.
    pub hands_over: bool,
}

impl Known<'_> {
    /// What is known of a process made by a `run`.
    pub fn made(&self, op: Op, regs: &Registers) -> Option<Key> {
        let Op::Run { proctype, first, count, .. } = op else { return None };
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
        Some(key)
    }

    /// What a process made by a `run` may do, its own processes included.
    fn life_of_made(&self, op: Op, regs: &Registers, deep: bool) -> Footprint {
        let Some(key) = self.made(op, regs) else { return Footprint::default() };
        if !deep || key.frozen.iter().all(Option::is_none) {
            return self.common.lives[usize::from(key.ty)];
        }
        Instance::build(self.common, &key, false).life
    }

    /// What a statement does. What processes that it makes may do is told for each by itself if
    /// `deep`.
    pub fn statement(&self, transition: usize, deep: bool) -> Statement {
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
                queries: [Query { print: Footprint::UNKNOWN, cause: Cause::Help, number: None }; 2],
                faulty: false,
                closed: true,
                code: 0,
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
        let mut symbols = vec![Symbols::default(); conditions.len()];
        // If the guard is no conjunction, all of the code counts as guard.
        let fits = walk(machine, self, code, |pc, op, regs| {
            let before = pc < commit;
            let full = self.touch(op, regs, None);
            all.inside.add(&full);
            all.made.add(&self.life_of_made(op, regs, deep));
            self.note_ends(op, regs, &mut all);
            let index = conditions.iter().position(|c| c.part.start <= pc && pc <= c.part.end);
            let index = index.filter(|_| before);
            if let Some(index) = index.filter(|&index| pc < conditions[index].part.end) {
                symbols[index].step(self, op, regs);
            }
            let condition = index.map(|index| &mut conditions[index]);
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
        let mut code = 1;
        for condition in &mut conditions {
            condition.code = code;
            code += 1 + u16::from(condition.part.test == Test::Receive);
            condition.queries = [false, true].map(|empty| self.query(condition, empty));
        }
        for (condition, symbols) in conditions.iter_mut().zip(&symbols) {
            condition.part.test = symbols.test(condition.part.test);
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

    /// What can make a part of a guard true that is false, perhaps because a channel is empty.
    fn query(&self, condition: &Condition, empty: bool) -> Query {
        let mut print = condition.helpers;
        if let (About::Buffer { id, random, .. }, Test::Receive) =
            (condition.about, condition.part.test)
        {
            let (head, tail) = self.common.facts.channel(id);
            // The first message must go if it does not match, unless any will do.
            print.read(if empty || random { tail } else { head });
            if !empty {
                print.add(&condition.operands);
            }
        }
        let cause = match condition.about {
            About::Partner(_) | About::Guard => Cause::Rendezvous,
            About::Code | About::Buffer { .. } => Cause::Help,
        };
        self.common.prints.query(print, cause)
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
