//! What instructions touch, for a process of which some things are known.

use everypath_machine::code::{Op, Probe, Reg, Space};
use everypath_machine::{Field, Kind, Machine};

use crate::bits::{Footprint, Prints};
use crate::facts::{Buffer, CHANNELS, COUNT, Facts, HIDDEN, PRESENCE, RUN};
use crate::guard::Test;
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
    pub prints: &'m Prints,
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

/// A process of which some things are known.
pub(crate) struct Known<'a> {
    pub common: &'a Common<'a>,
    pub key: &'a Key,
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
    /// Whether a channel has room for messages.
    pub fn buffer(&self, id: i32) -> Buffer {
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
    pub fn touch(&self, op: Op, regs: &Registers, alone: Option<Test>) -> Footprint {
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
        known.all(common.machine.proctypes[usize::from(proctype)].init)
    }

    /// What code touches.
    pub fn all(&self, code: u32) -> Footprint {
        let mut print = Footprint::default();
        let fits = walk(self.common.machine, self, code, |_, op, regs| {
            print.add(&self.touch(op, regs, None));
        });
        if fits { print } else { Footprint::UNKNOWN }
    }
}

/// Whether a value of a variable says something that stays true, and is worth a table of its own.
pub(crate) fn stable(facts: &Facts, kind: Kind, value: i32) -> bool {
    match kind {
        // Channels of processes come and go.
        Kind::Channel => (1..=facts.global_channels.len() as i32).contains(&value),
        _ => (0..MOST_FROZEN).contains(&value),
    }
}
