//! The steps of a process, each with everything that may happen in it, and what they do to variables as
//! if these were locks.

use everypath_machine::code::{Binary, Op, Space};
use everypath_machine::{Field, Machine, TransitionKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bits::{Bits, Footprint};
use crate::facts::Buffer;
use crate::guard::{Test, split};
use crate::statement::Guard;
use crate::touch::Known;
use crate::walk::{element, walk};

/// A step as it may begin at a location.
pub(crate) struct Step {
    pub from: usize,
    /// Which statement of the location.
    pub edge: usize,
    /// Everything that it may touch.
    pub print: Footprint,
    /// What it does to variables that may be locks, by their bits.
    pub deeds: FxHashMap<usize, Deed>,
    /// Where it may stop.
    pub stops: Vec<usize>,
    /// Others take part, or see where the process is.
    pub joint: bool,
}

/// What a step does to a variable that may be a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Waits for a value and writes another one.
    Take { free: i32 },
    /// Writes a value and does nothing else.
    Give { free: i32 },
}

/// Finds the steps of a process.
pub(crate) struct Walk<'a> {
    known: &'a Known<'a>,
    machine: &'a Machine,
    /// What each of its statements touches.
    prints: FxHashMap<u32, Footprint>,
    /// Statements that send, receive or make processes.
    talking: FxHashSet<u32>,
    /// For each location, whether another process may make this one move on, by a rendezvous.
    accepting: Vec<bool>,
}

impl<'a> Walk<'a> {
    pub fn new(known: &'a Known<'a>) -> Walk<'a> {
        let machine = known.common.machine;
        let mut made = Walk {
            known,
            machine,
            prints: FxHashMap::default(),
            talking: FxHashSet::default(),
            accepting: Vec::new(),
        };
        let own = machine.transitions.iter().enumerate();
        let own = own.filter(|(_, t)| t.proctype == known.key.ty && t.kind == TransitionKind::Code);
        let mut accepting: FxHashSet<u32> = FxHashSet::default();
        for (t, transition) in own {
            let t = t as u32;
            made.prints.insert(t, known.all(transition.code));
            let (mut talks, mut accepts) = (false, false);
            let fits = walk(machine, known, transition.code, |_, op, regs| match op {
                Op::ReceiveGuard { c, .. } => {
                    let buffered = |&id: &i32| known.buffer(id) == Buffer::Buffered;
                    accepts |= !regs.get(c).values().is_some_and(|ids| ids.iter().all(buffered));
                    talks = true;
                }
                Op::SendGuard { .. }
                | Op::Send { .. }
                | Op::ReceiveTake { .. }
                | Op::Run { .. } => talks = true,
                _ => {}
            });
            if talks || !fits {
                made.talking.insert(t);
            }
            if accepts || !fits {
                accepting.insert(t);
            }
        }
        let locations = &machine.proctypes[usize::from(known.key.ty)].locations;
        let accepts = |location: &everypath_machine::Location| {
            location.edges.iter().any(|edge| accepting.contains(&edge.transition))
        };
        made.accepting = locations.iter().map(accepts).collect();
        made
    }

    fn accepts(&self, at: usize) -> bool {
        self.accepting.get(at).is_some_and(|&accepts| accepts)
    }

    /// The steps from all locations where it may stop.
    pub fn steps(&self, start: usize) -> Vec<Step> {
        let proctype = &self.machine.proctypes[usize::from(self.known.key.ty)];
        let mut steps = Vec::new();
        let mut seen = vec![false; proctype.locations.len()];
        let mut open = vec![start];
        while let Some(from) = open.pop() {
            let Some(seen) = seen.get_mut(from) else { continue };
            if std::mem::replace(seen, true) {
                continue;
            }
            for edge in 0..proctype.locations[from].edges.len() {
                let step = self.step(from, edge);
                open.extend(&step.stops);
                steps.push(step);
            }
        }
        steps
    }

    /// The step that begins with a statement of a location.
    fn step(&self, from: usize, edge: usize) -> Step {
        let proctype = &self.machine.proctypes[usize::from(self.known.key.ty)];
        let first = proctype.locations[from].edges[edge].transition;
        let mut step = Step {
            from,
            edge,
            print: Footprint::default(),
            deeds: FxHashMap::default(),
            stops: Vec::new(),
            joint: self.accepts(from),
        };
        if let Some(provided) = proctype.provided {
            step.print.add(&self.known.all(provided));
        }
        let location = &proctype.locations[from];
        let transition = &self.machine.transitions[first as usize];
        if transition.kind == TransitionKind::Else
            || proctype.deterministic
            || location.edges.iter().any(|edge| edge.escape != 0)
        {
            // Whether it can be taken depends on the others.
            step.print.touched.add(&self.siblings(from));
        }
        let chain = self.chain(first);
        match &chain {
            Some(chain) => {
                for &t in chain {
                    self.statement(t, &mut step);
                }
                let last = &self.machine.transitions[chain[chain.len() - 1] as usize];
                step.stops.push(usize::from(last.target));
            }
            None => self.region(first, &mut step),
        }
        self.watched(from, &mut step);
        for at in step.stops.clone() {
            self.watched(at, &mut step);
            step.joint |= self.accepts(at);
        }
        if let Some(chain) = chain {
            step.deeds = self.deeds(&chain);
        }
        step
    }

    /// The statements of a step that is a sequence without choices, which nothing can stop once it has
    /// begun.
    fn chain(&self, first: u32) -> Option<Vec<u32>> {
        let proctype = &self.machine.proctypes[usize::from(self.known.key.ty)];
        let mut chain = vec![first];
        let mut transition = &self.machine.transitions[first as usize];
        while transition.kind == TransitionKind::Code {
            if self.talking.contains(chain.last()?) {
                return None;
            }
            if !transition.atomic {
                return Some(chain);
            }
            let [edge] = proctype.locations.get(usize::from(transition.target))?.edges[..] else {
                return None;
            };
            transition = &self.machine.transitions[edge.transition as usize];
            let guard = split(self.machine, transition.code);
            let goes_on = transition.kind == TransitionKind::Code
                && guard.is_some_and(|(parts, _)| parts.is_empty());
            if !goes_on || chain.contains(&edge.transition) {
                return None;
            }
            chain.push(edge.transition);
        }
        None
    }

    /// Everything that a step may do that is no such sequence.
    fn region(&self, first: u32, step: &mut Step) {
        let proctype = &self.machine.proctypes[usize::from(self.known.key.ty)];
        let mut open = vec![first];
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        while let Some(t) = open.pop() {
            if !seen.insert(t) {
                continue;
            }
            self.statement(t, step);
            let transition = &self.machine.transitions[t as usize];
            if transition.kind == TransitionKind::End {
                step.joint = true;
                continue;
            }
            let to = usize::from(transition.target);
            step.stops.push(to);
            if transition.atomic
                && let Some(location) = proctype.locations.get(to)
            {
                step.print.touched.add(&self.siblings(to));
                open.extend(location.edges.iter().map(|edge| edge.transition));
            }
        }
    }

    /// Adds what a statement touches.
    fn statement(&self, t: u32, step: &mut Step) {
        self.prints.get(&t).into_iter().for_each(|print| step.print.add(print));
    }

    /// What the statements of a location touch.
    fn siblings(&self, at: usize) -> Bits {
        let proctype = &self.machine.proctypes[usize::from(self.known.key.ty)];
        let mut touched = Bits::default();
        let edges = proctype.locations[at].edges.iter();
        let prints = edges.filter_map(|edge| self.prints.get(&edge.transition));
        prints.for_each(|print| touched.add(&print.touched));
        touched
    }

    /// Notes that others may ask whether the process is at a location.
    fn watched(&self, at: usize, step: &mut Step) {
        let proctype = &self.machine.proctypes[usize::from(self.known.key.ty)];
        let number = proctype.locations.get(at).map(|location| location.number);
        let bit = number.and_then(|number| self.known.common.facts.watched(number));
        bit.into_iter().for_each(|bit| step.print.change(bit));
    }

    /// What a sequence does to variables as if they were locks.
    fn deeds(&self, chain: &[u32]) -> FxHashMap<usize, Deed> {
        /// What happens to a variable, one after the other.
        #[derive(Clone, Copy, PartialEq)]
        enum Event {
            Waits(i32),
            Writes(i32),
            Other,
        }
        let facts = self.known.common.facts;
        let sole = |field: Field| match facts.global(field, None).as_deref() {
            Some(&[bit]) if facts.is_alone(bit) => Some(bit),
            _ => None,
        };
        let mut events: FxHashMap<usize, Vec<Event>> = FxHashMap::default();
        for (index, &t) in chain.iter().enumerate() {
            let code = self.machine.transitions[t as usize].code;
            let statement = self.known.statement(t as usize, false);
            let Guard::Parts(parts) = &statement.guard else { return FxHashMap::default() };
            let Some((_, commit)) = split(self.machine, code) else {
                return FxHashMap::default();
            };
            // The parts of the guard that wait for a value of a variable.
            let waits = |pc: u32| {
                let part = parts.iter().find(|c| c.part.start <= pc && pc <= c.part.end)?;
                match part.part.test {
                    Test::Variable { space: Space::Global, field, op: Binary::Eq, value } => {
                        Some((field, value))
                    }
                    _ => None,
                }
            };
            let straight = self.is_straight(commit);
            walk(self.machine, self.known, code, |pc, op, regs| {
                let (space, field, at, stored) = match op {
                    Op::Load { space, field, .. } => (space, field, None, None),
                    Op::LoadAt { space, at, field, .. } => (space, field, Some(at), None),
                    Op::Store { s, space, field } => (space, field, None, Some(s)),
                    Op::StoreAt { s, at, space, field } => (space, field, Some(at), Some(s)),
                    _ => return,
                };
                if space != Space::Global {
                    return;
                }
                let place = match at {
                    None => Some(field),
                    Some(at) => regs.get(at).known().and_then(|at| element(field, at)),
                };
                // All elements are noted as touched then, and nothing as done to them.
                let Some(field) = place else { return };
                let event = match stored {
                    Some(s) if straight && pc > commit => {
                        regs.get(s).known().map(|value| Event::Writes(field.truncate(value)))
                    }
                    None if index == 0 && pc < commit => waits(pc)
                        .filter(|(tested, _)| *tested == field)
                        .map(|(_, value)| Event::Waits(value)),
                    _ => None,
                };
                let event = event.unwrap_or(Event::Other);
                if let Some(bit) = sole(field) {
                    events.entry(bit).or_default().push(event);
                }
            });
        }
        let deed = |events: &[Event]| match *events {
            [Event::Waits(free), Event::Writes(taken)] if free != taken => {
                Some(Deed::Take { free })
            }
            [Event::Writes(free)] => Some(Deed::Give { free }),
            _ => None,
        };
        events.iter().filter_map(|(&bit, events)| Some((bit, deed(events)?))).collect()
    }

    /// Whether there is one way only from the commit of a statement on.
    fn is_straight(&self, commit: u32) -> bool {
        let mut pc = commit as usize;
        loop {
            match self.machine.code[pc] {
                Op::Done => return true,
                Op::Jump { to } if to as usize > pc => {
                    pc = to as usize;
                    continue;
                }
                Op::Jump { .. }
                | Op::JumpIfZero { .. }
                | Op::JumpIfNotZero { .. }
                | Op::SendGuard { .. }
                | Op::ReceiveGuard { .. }
                | Op::Blocked { .. } => return false,
                _ => pc += 1,
            }
        }
    }
}
