//! Channel instructions as native code.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use everypath_machine::code::{Pattern, Probe, Reg, SiteId};
use everypath_machine::{ChannelType, FaultKind, Field};

use crate::Unsupported;
use crate::context::{Call, ChannelEntry, ProcessEntry, at, component_mask};
use crate::emit::{Emitter, Exits};
use crate::facts::Known;
use crate::flow::{Mode, Phase};

/// Most kinds of channels that native code tells apart.
const MAX_CLASSES: usize = 6;

/// Where the record of a channel lies.
#[derive(Clone, Copy)]
enum Place {
    /// So many bytes behind the start of the vector.
    Vector(i32),
    /// So many bytes behind the start of the record of the process.
    Own(i32),
    /// So many bytes behind the start of the vector, known only when it runs.
    Offset(Value),
}

/// A channel of a class.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    pub class: usize,
    place: Place,
    /// Its component.
    pub mask: Value,
}

/// Whether the block is still open after some code was made.
pub(crate) type Open = Result<bool, Unsupported>;

impl<'m> Emitter<'_, '_, 'm> {
    fn process_field(&mut self, offset: usize) -> Value {
        let table = self.context_load(I64, at::PROCESSES);
        let wide = self.b.ins().uextend(I64, self.pid);
        let size = self.long(size_of::<ProcessEntry>() as u64);
        let distance = self.b.ins().imul(wide, size);
        let entry = self.b.ins().iadd(table, distance);
        let flags = self.memory.tables;
        self.load(I32, flags, entry, offset as i32)
    }

    /// The value of the `k`-th channel of the process.
    pub fn own_channel(&mut self, k: u16) -> Value {
        if let Some(seat) = self.seat {
            return self.int((seat.first_channel + u32::from(k)) as i32 + 1);
        }
        let first = self.process_field(std::mem::offset_of!(ProcessEntry, first_channel));
        let number = self.int(i32::from(k) + 1);
        self.b.ins().iadd(first, number)
    }

    /// The entry of a channel in the table.
    fn channel_entry(&mut self, index: Value) -> Value {
        let table = self.context_load(I64, at::CHANNELS);
        let wide = self.b.ins().uextend(I64, index);
        let size = self.long(size_of::<ChannelEntry>() as u64);
        let distance = self.b.ins().imul(wide, size);
        self.b.ins().iadd(table, distance)
    }

    fn channel_mask(&mut self, entry: Value) -> Value {
        let flags = self.memory.tables;
        self.load(I64, flags, entry, std::mem::offset_of!(ChannelEntry, mask) as i32)
    }

    pub fn class(&self, class: usize) -> &'m ChannelType {
        &self.facts.classes[class]
    }

    /// The channel in a register, if its kind and place are known before.
    fn known_channel(&mut self, c: Reg) -> Option<Access> {
        match self.now.registers.get(c) {
            Known::Const(value) => {
                let index = usize::try_from(value).ok()?.checked_sub(1)?;
                let &(word, class) = self.facts.global_channels.get(index)?;
                let mask = self.long(component_mask(index + 2));
                Some(Access { class: class as usize, place: Place::Vector(word as i32 * 4), mask })
            }
            Known::Own(k) => {
                let proctype = &self.machine.proctypes[usize::from(self.proctype?)];
                let types = &self.machine.channel_types;
                let words = |ty: u16| types[usize::from(ty)].words;
                let before = &proctype.channels[..usize::from(k)];
                let offset = proctype.words + before.iter().map(|c| words(c.ty)).sum::<u32>();
                let class = self.facts.class_of[usize::from(proctype.channels[usize::from(k)].ty)];
                if let Some(seat) = self.seat {
                    let number = seat.component as usize + 1 + usize::from(k);
                    let mask = self.long(component_mask(number));
                    let place = Place::Vector((seat.offset + offset) as i32 * 4);
                    return Some(Access { class: class as usize, place, mask });
                }
                let value = self.own_channel(k);
                let one = self.int(1);
                let index = self.b.ins().isub(value, one);
                let entry = self.channel_entry(index);
                let mask = self.channel_mask(entry);
                Some(Access { class: class as usize, place: Place::Own(offset as i32 * 4), mask })
            }
            _ => None,
        }
    }

    /// Makes the code for a channel: `missing` for a value that is no live channel (with whether
    /// its owner has ended), `live` for each kind that it may be of. Goes on behind them.
    pub fn with_channel(
        &mut self,
        c: Reg,
        missing: impl Fn(&mut Self, bool) -> Open,
        live: impl Fn(&mut Self, Access) -> Open,
    ) -> Result<(), Unsupported> {
        if let Some(access) = self.known_channel(c) {
            if !live(self, access)? {
                let on = self.new_block();
                self.go_on(on);
            }
            return Ok(());
        }
        if self.facts.classes.len() > MAX_CLASSES {
            return Err(Unsupported("a channel of many possible kinds"));
        }
        let on = self.new_block();
        let value = self.reg(c);
        let one = self.int(1);
        let index = self.b.ins().isub(value, one);
        let classes = match self.now.registers.get(c) {
            Known::Channel(classes) => classes,
            _ => {
                let (dead, there) = (self.new_block(), self.new_block());
                self.b.set_cold_block(dead);
                let count = self.context_load(I64, at::CHANNEL_COUNT);
                let count = self.b.ins().ireduce(I32, count);
                let alive = self.b.ins().icmp(IntCC::UnsignedLessThan, index, count);
                self.branch(alive, there, dead);
                self.go_on(dead);
                let (none, ended) = (self.new_block(), self.new_block());
                self.branch(value, ended, none);
                for (block, is_dead) in [(none, false), (ended, true)] {
                    self.go_on(block);
                    if missing(self, is_dead)? {
                        self.jump(on);
                    }
                }
                self.go_on(there);
                u64::MAX >> (64 - self.facts.classes.len().max(1))
            }
        };
        let entry = self.channel_entry(index);
        let flags = self.memory.tables;
        let offset = std::mem::offset_of!(ChannelEntry, offset) as i32;
        let offset = self.load(I32, flags, entry, offset);
        let place = Place::Offset(self.b.ins().uextend(I64, offset));
        let mask = self.channel_mask(entry);
        let classes: Vec<usize> =
            (0..self.facts.classes.len()).filter(|i| classes >> i & 1 == 1).collect();
        let kind = std::mem::offset_of!(ChannelEntry, class) as i32;
        let kind = self.load(I32, flags, entry, kind);
        for (i, &class) in classes.iter().enumerate() {
            let other = self.new_block();
            if i + 1 < classes.len() {
                let this = self.new_block();
                let number = self.int(class as i32);
                let same = self.b.ins().icmp(IntCC::Equal, kind, number);
                self.branch(same, this, other);
                self.go_on(this);
            }
            if live(self, Access { class, place, mask })? {
                self.jump(on);
            }
            self.go_on(other);
        }
        // Behind the last class nothing is left.
        self.jump(on);
        self.go_on(on);
        Ok(())
    }

    /// The address of a channel's record in the source or in the target.
    pub fn channel_base(&mut self, access: &Access, target: bool) -> (Value, i32) {
        let base = match access.place {
            Place::Own(_) => self.record,
            _ => self.state,
        };
        let base = if target { self.in_target(base) } else { base };
        match access.place {
            Place::Vector(bytes) | Place::Own(bytes) => (base, bytes),
            Place::Offset(offset) => (self.b.ins().iadd(base, offset), 0),
        }
    }

    /// Whether channels are read from the target.
    pub fn reads_target(&self) -> bool {
        self.phase == Phase::Effect && !self.now.channels_fresh
    }

    pub fn channel_word(&mut self, access: &Access, word: u32) -> Value {
        let target = self.reads_target();
        let (base, offset) = self.channel_base(access, target);
        let flags = if target { self.memory.target } else { self.memory.source };
        self.load(I32, flags, base, offset + word as i32 * 4)
    }

    pub fn store_channel_word(&mut self, access: &Access, word: u32, value: Value) {
        let (base, offset) = self.channel_base(access, true);
        let flags = self.memory.target;
        self.b.ins().store(flags, value, base, offset + word as i32 * 4);
    }

    pub fn channel_field(&mut self, access: &Access, field: Field) -> Value {
        let word = self.channel_word(access, field.bit >> 5);
        self.extract(word, field)
    }

    pub fn length(&mut self, access: &Access) -> Value {
        let ty = self.class(access.class);
        if ty.capacity == 0 { self.int(0) } else { self.channel_field(access, ty.len) }
    }

    pub fn fault(&mut self, kind: FaultKind, site: SiteId) -> Open {
        self.raise(kind, site);
        Ok(false)
    }

    pub fn probe(&mut self, d: Reg, c: Reg, probe: Probe, site: SiteId) -> Result<(), Unsupported> {
        self.with_channel(
            c,
            |e, dead| {
                let value = match (dead, probe) {
                    (false, _) => return e.fault(FaultKind::NoChannel, site),
                    (true, Probe::Len | Probe::NotEmpty) => 0,
                    (true, Probe::Empty) => 1,
                    (true, _) => return e.fault(FaultKind::DeadChannel, site),
                };
                let value = e.int(value);
                e.set_reg(d, value);
                Ok(true)
            },
            |e, access| {
                let length = e.length(&access);
                let capacity = e.class(access.class).capacity;
                let (zero, limit) = (e.int(0), e.int(capacity as i32));
                let value = match probe {
                    Probe::Len => length,
                    Probe::Empty => e.compare(IntCC::Equal, length, zero),
                    Probe::NotEmpty => e.compare(IntCC::NotEqual, length, zero),
                    Probe::Full if capacity == 0 => zero,
                    Probe::NotFull if capacity == 0 => e.int(1),
                    Probe::Full => e.compare(IntCC::Equal, length, limit),
                    Probe::NotFull => e.compare(IntCC::NotEqual, length, limit),
                };
                e.set_reg(d, value);
                Ok(true)
            },
        )
    }

    /// Goes to `no` unless a message matches; the slot is noted if it may be any.
    fn find(&mut self, access: &Access, index: u16, first: Reg, no: Block) {
        let pattern = self.machine.patterns[usize::from(index)];
        if !pattern.random {
            self.match_first(access, pattern, first, no);
            if self.random {
                let (slot, zero) = (self.slot, self.int(0));
                self.b.def_var(slot, zero);
            }
            return;
        }
        // Registers up to the last that is compared.
        self.pass(first, 64 - pattern.compared.leading_zeros() as usize);
        let target = self.reads_target();
        let record = self.channel_address(access, target);
        let (class, index) = (self.long(access.class as u64), self.long(u64::from(index)));
        let found = self.call(Call::Find, [class, record, index]);
        let none = self.long(u64::MAX);
        let on = self.new_block();
        let missing = self.b.ins().icmp(IntCC::Equal, found, none);
        self.branch(missing, no, on);
        self.go_on(on);
        let (slot, found) = (self.slot, self.b.ins().ireduce(I32, found));
        self.b.def_var(slot, found);
    }

    pub fn channel_address(&mut self, access: &Access, target: bool) -> Value {
        let (base, offset) = self.channel_base(access, target);
        let offset = self.long(offset as u64);
        self.b.ins().iadd(base, offset)
    }

    /// Goes to `no` unless the first message matches.
    fn match_first(&mut self, access: &Access, pattern: Pattern, first: Reg, no: Block) {
        let ty = self.class(access.class);
        for i in (0..64usize).filter(|i| pattern.compared >> i & 1 == 1) {
            let Some(field) = ty.fields.get(i) else { continue };
            let found = self.channel_field(access, field.at(ty.first));
            self.must_equal(found, usize::from(first) + i, no);
        }
    }

    fn must_equal(&mut self, found: Value, register: usize, no: Block) {
        let wanted = self.reg(register as Reg);
        let on = self.new_block();
        let same = self.b.ins().icmp(IntCC::Equal, found, wanted);
        self.branch(same, on, no);
        self.go_on(on);
    }

    pub fn poll(
        &mut self,
        d: Reg,
        c: Reg,
        first: Reg,
        pattern: u16,
        site: SiteId,
    ) -> Result<(), Unsupported> {
        let (none, on) = (self.new_block(), self.new_block());
        self.with_channel(
            c,
            |e, dead| {
                if !dead {
                    return e.fault(FaultKind::NoChannel, site);
                }
                e.jump(none);
                Ok(false)
            },
            |e, access| {
                if e.class(access.class).capacity == 0 {
                    return e.fault(FaultKind::RendezvousUse, site);
                }
                let length = e.length(&access);
                let some = e.new_block();
                e.branch(length, some, none);
                e.go_on(some);
                e.find(&access, pattern, first, none);
                let pattern = e.machine.patterns[usize::from(pattern)];
                if !pattern.may_poll(e.class(access.class).fields.len()) {
                    return e.fault(FaultKind::Arity, site);
                }
                Ok(true)
            },
        )?;
        let one = self.int(1);
        self.set_reg(d, one);
        self.jump(on);
        self.go_on(none);
        let zero = self.int(0);
        self.set_reg(d, zero);
        self.jump(on);
        self.go_on(on);
        Ok(())
    }

    /// Goes to `full` unless the channel takes a message.
    pub fn send_guard(
        &mut self,
        c: Reg,
        first: Reg,
        count: u8,
        full: Block,
        site: SiteId,
    ) -> Result<(), Unsupported> {
        self.with_channel(
            c,
            |e, dead| {
                let kind = if dead { FaultKind::DeadChannel } else { FaultKind::NoChannel };
                e.fault(kind, site)
            },
            |e, access| {
                let ty = e.class(access.class);
                if usize::from(count) != ty.fields.len() {
                    return e.fault(FaultKind::Arity, site);
                }
                if ty.capacity == 0 {
                    return match e.phase {
                        Phase::Guard => e.offer(c, first, ty),
                        Phase::Effect => e.fault(FaultKind::RendezvousUse, site),
                    };
                }
                if !e.machine.lossy_channels {
                    let (length, limit) = (e.length(&access), e.int(ty.capacity as i32));
                    let room = e.new_block();
                    let fits = e.b.ins().icmp(IntCC::UnsignedLessThan, length, limit);
                    e.branch(fits, room, full);
                    e.go_on(room);
                }
                Ok(true)
            },
        )
    }

    /// Offers a message to the other processes.
    fn offer(&mut self, c: Reg, first: Reg, ty: &ChannelType) -> Open {
        let Exits::Statement { transition, executed, skipped } = self.exits else {
            return Err(Unsupported("a rendezvous in an expression"));
        };
        for (i, field) in ty.fields.iter().enumerate() {
            let value = self.reg(first + i as Reg);
            let value = self.extract(value, Field { bit: 0, ..*field });
            self.context_store(value, at::MESSAGE + i as i32 * 4);
        }
        let length = self.int(ty.fields.len() as i32);
        self.context_store(length, at::MESSAGE_LENGTH);
        let (value, one) = (self.reg(c), self.int(1));
        let index = self.b.ins().isub(value, one);
        let index = self.b.ins().uextend(I64, index);
        let (action, none) = (self.action(transition), self.long(0));
        let taken = self.call(Call::Offer, [action, index, none]);
        self.branch(taken, executed, skipped);
        Ok(false)
    }

    /// Goes to `none` unless a message matches.
    pub fn receive_guard(
        &mut self,
        c: Reg,
        first: Reg,
        (pattern, copy): (u16, bool),
        none: Block,
        site: SiteId,
    ) -> Result<(), Unsupported> {
        if self.mode == Mode::Handshake {
            if !copy {
                return self.receive_offer(c, first, pattern, none, site);
            }
            self.jump(none);
            let on = self.new_block();
            self.go_on(on);
            return Ok(());
        }
        self.with_channel(
            c,
            |e, dead| {
                if !dead {
                    return e.fault(FaultKind::NoChannel, site);
                }
                e.jump(none);
                Ok(false)
            },
            |e, access| {
                let ty = e.class(access.class);
                if ty.capacity == 0 && copy {
                    return e.fault(FaultKind::RendezvousUse, site);
                }
                if ty.capacity == 0 {
                    e.jump(none);
                    return Ok(false);
                }
                let length = e.length(&access);
                let some = e.new_block();
                e.branch(length, some, none);
                e.go_on(some);
                e.find(&access, pattern, first, none);
                if !e.machine.patterns[usize::from(pattern)].fits(ty.fields.len(), copy) {
                    return e.fault(FaultKind::Arity, site);
                }
                Ok(true)
            },
        )
    }

    /// The receiving half of a rendezvous.
    fn receive_offer(
        &mut self,
        c: Reg,
        first: Reg,
        pattern: u16,
        none: Block,
        site: SiteId,
    ) -> Result<(), Unsupported> {
        if self.phase == Phase::Effect {
            return Err(Unsupported("a receive after a rendezvous in the same step"));
        }
        let pattern = self.machine.patterns[usize::from(pattern)];
        let (value, offered) = (self.reg(c), self.context_load(I32, at::HANDSHAKE));
        let here = self.new_block();
        let same = self.b.ins().icmp(IntCC::Equal, value, offered);
        self.branch(same, here, none);
        self.go_on(here);
        let length = self.context_load(I32, at::MESSAGE_LENGTH);
        for i in (0..64usize).filter(|i| pattern.compared >> i & 1 == 1) {
            // A place without a field is not compared.
            let (compare, on, number) = (self.new_block(), self.new_block(), self.int(i as i32));
            let there = self.b.ins().icmp(IntCC::UnsignedLessThan, number, length);
            self.branch(there, compare, on);
            self.go_on(compare);
            let found = self.context_load(I32, at::MESSAGE + i as i32 * 4);
            self.must_equal(found, usize::from(first) + i, none);
            self.jump(on);
            self.go_on(on);
        }
        let places = self.int(i32::from(pattern.places));
        let bad = self.b.ins().icmp(IntCC::NotEqual, length, places);
        self.unlikely(bad, |e| e.raise(FaultKind::Arity, site));
        let one = self.int(1);
        let received = self.received;
        self.b.def_var(received, one);
        Ok(())
    }
}
