//! Messages put into channels and taken out, as native code.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use everypath_machine::code::{Reg, SiteId};
use everypath_machine::{ChannelType, FaultKind, Field};

use crate::Unsupported;
use crate::channels::{Access, Open};
use crate::context::{Call, at};
use crate::emit::Emitter;
use crate::flow::Mode;

/// Messages of more words than this in all are moved by a call.
const MAX_WORDS: u32 = 48;

impl Emitter<'_, '_, '_> {
    /// Puts a message in.
    pub fn send(
        &mut self,
        c: Reg,
        first: Reg,
        sorted: bool,
        site: SiteId,
    ) -> Result<(), Unsupported> {
        self.with_channel(
            c,
            |e, dead| {
                let kind = if dead { FaultKind::DeadChannel } else { FaultKind::NoChannel };
                e.fault(kind, site)
            },
            |e, access| e.put(&access, first, sorted),
        )?;
        self.now.channels_fresh = false;
        Ok(())
    }

    fn put(&mut self, access: &Access, first: Reg, sorted: bool) -> Open {
        let ty = self.class(access.class);
        if ty.capacity == 0 {
            return Ok(true);
        }
        if ty.stride == 0 {
            return Err(Unsupported("an empty message"));
        }
        let (room, on) = (self.new_block(), self.new_block());
        let (length, limit) = (self.length(access), self.int(ty.capacity as i32));
        let fits = self.b.ins().icmp(IntCC::UnsignedLessThan, length, limit);
        self.branch(fits, room, on);
        self.go_on(room);
        if sorted {
            self.pass(first, ty.fields.len());
            let record = self.channel_address(access, true);
            let (class, yes) = (self.long(access.class as u64), self.long(1));
            self.call(Call::Put, [class, record, yes]);
            return self.sent(access, on);
        }
        // The slot is zero, so bits are added.
        let mut words: Vec<Option<Value>> = vec![None; (ty.stride / 32).max(1) as usize];
        for (i, field) in ty.fields.iter().enumerate() {
            let value = self.reg(first + i as Reg);
            let zero = self.int(0);
            let bits = self.replace(zero, *field, value);
            let word = &mut words[(field.bit >> 5) as usize];
            *word = Some(match *word {
                Some(before) => self.b.ins().bor(before, bits),
                None => bits,
            });
        }
        let step = self.int(ty.stride as i32);
        let distance = self.b.ins().imul(length, step);
        let one = self.int((1u32 << (ty.len.bit & 31)) as i32);
        let len_word = ty.len.bit >> 5;
        let old_len = self.channel_word(access, len_word);
        let end = ty.first + ty.capacity * ty.stride;
        if ty.stride < 32 && ty.first >> 5 == (end - 1) >> 5 {
            // All slots in one word.
            let start = self.int((ty.first & 31) as i32);
            let shift = self.b.ins().iadd(distance, start);
            let word = ty.first >> 5;
            let old = self.channel_word(access, word);
            let Some(message) = words[0] else { return Err(Unsupported("an empty message")) };
            let bits = self.b.ins().ishl(message, shift);
            let mut new = self.b.ins().bor(old, bits);
            if word == len_word {
                new = self.b.ins().iadd(new, one);
            }
            self.store_channel_word(access, word, new);
            if word == len_word {
                return self.sent(access, on);
            }
        } else {
            let start = self.int(ty.first as i32);
            let bit = self.b.ins().iadd(distance, start);
            let five = self.int(5);
            let index = self.b.ins().ushr(bit, five);
            let index = self.b.ins().uextend(I64, index);
            let two = self.long(2);
            let bytes = self.b.ins().ishl(index, two);
            let (base, offset) = self.channel_base(access, true);
            let address = self.b.ins().iadd(base, bytes);
            let flags = self.memory.target;
            for (i, word) in words.iter().enumerate() {
                let Some(mut message) = *word else { continue };
                let offset = offset + i as i32 * 4;
                if ty.stride < 32 {
                    let up = self.b.ins().ishl(message, bit);
                    let old = self.load(I32, flags, address, offset);
                    message = self.b.ins().bor(old, up);
                }
                self.b.ins().store(flags, message, address, offset);
            }
        }
        let new_len = self.b.ins().iadd(old_len, one);
        self.store_channel_word(access, len_word, new_len);
        self.sent(access, on)
    }

    fn sent(&mut self, access: &Access, on: Block) -> Open {
        self.change_mask(access.mask);
        self.jump(on);
        self.go_on(on);
        Ok(true)
    }

    pub fn receive_field(&mut self, d: Reg, c: Reg, field: u8) -> Result<(), Unsupported> {
        if self.mode == Mode::Handshake {
            let value = self.context_load(I32, at::MESSAGE + i32::from(field) * 4);
            self.set_reg(d, value);
            return Ok(());
        }
        self.with_channel(
            c,
            |e, _| e.impossible(d),
            |e, access| {
                let ty = e.class(access.class);
                match ty.fields.get(usize::from(field)) {
                    Some(field) if ty.capacity > 0 => {
                        let value = if e.random {
                            e.field_in_slot(&access, *field)
                        } else {
                            e.channel_field(&access, field.at(ty.first))
                        };
                        e.set_reg(d, value);
                        Ok(true)
                    }
                    _ => e.impossible(d),
                }
            },
        )
    }

    /// A field of the message in the slot that was found.
    fn field_in_slot(&mut self, access: &Access, field: Field) -> Value {
        let ty = self.class(access.class);
        let (slot, stride) = (self.b.use_var(self.slot), self.int(ty.stride as i32));
        // Whatever the slot is, the word is inside the record.
        let limit = self.int(ty.capacity as i32 - 1);
        let beyond = self.b.ins().icmp(IntCC::UnsignedGreaterThan, slot, limit);
        let slot = self.b.ins().select(beyond, limit, slot);
        let distance = self.b.ins().imul(slot, stride);
        let start = self.int((ty.first + field.bit) as i32);
        let bit = self.b.ins().iadd(distance, start);
        let five = self.int(5);
        let index = self.b.ins().ushr(bit, five);
        let index = self.b.ins().uextend(I64, index);
        let two = self.long(2);
        let bytes = self.b.ins().ishl(index, two);
        let target = self.reads_target();
        let (base, offset) = self.channel_base(access, target);
        let flags = if target { self.memory.target } else { self.memory.source };
        let address = self.b.ins().iadd(base, bytes);
        let word = self.load(I32, flags, address, offset);
        let down = self.b.ins().ushr(word, bit);
        self.extract(down, Field { bit: 0, ..field })
    }

    /// What the guard has excluded.
    fn impossible(&mut self, d: Reg) -> Open {
        let zero = self.int(0);
        self.set_reg(d, zero);
        Ok(true)
    }

    /// Takes the first message out.
    pub fn receive_take(&mut self, c: Reg) -> Result<(), Unsupported> {
        if self.mode == Mode::Handshake {
            return Ok(());
        }
        self.with_channel(c, |_, _| Ok(true), |e, access| e.take(&access))?;
        self.now.channels_fresh = false;
        Ok(())
    }

    fn take(&mut self, access: &Access) -> Open {
        let ty = self.class(access.class);
        if ty.capacity == 0 {
            return Ok(true);
        }
        if ty.stride == 0 {
            return Err(Unsupported("an empty message"));
        }
        let end = ty.first + ty.capacity * ty.stride;
        let words = (ty.first >> 5)..((end + 31) >> 5);
        if self.random || words.end - words.start > MAX_WORDS {
            let slot = if self.random { self.b.use_var(self.slot) } else { self.int(0) };
            let slot = self.b.ins().uextend(I64, slot);
            let record = self.channel_address(access, true);
            let class = self.long(access.class as u64);
            self.call(Call::Take, [class, record, slot]);
            self.change_mask(access.mask);
            return Ok(true);
        }
        let len_word = ty.len.bit >> 5;
        let one = self.int((1u32 << (ty.len.bit & 31)) as i32);
        let old: Vec<Value> = words.clone().map(|w| self.channel_word(access, w)).collect();
        let old_len = self.channel_word(access, len_word);
        for word in words.clone() {
            let i = (word - words.start) as usize;
            let mut new = if ty.stride >= 32 {
                match old.get(i + (ty.stride / 32) as usize) {
                    Some(&next) => next,
                    None => self.int(0),
                }
            } else {
                self.shifted(ty, word, old[i], old.get(i + 1).copied())
            };
            if word == len_word {
                new = self.b.ins().isub(new, one);
            }
            self.store_channel_word(access, word, new);
        }
        if !words.contains(&len_word) {
            let new = self.b.ins().isub(old_len, one);
            self.store_channel_word(access, len_word, new);
        }
        self.change_mask(access.mask);
        Ok(true)
    }

    /// A word whose slots move down by one; those of the next word follow.
    fn shifted(&mut self, ty: &ChannelType, word: u32, old: Value, next: Option<Value>) -> Value {
        // Bits of the word from one bit of the record to another.
        let bits = |from: u32, to: u32| {
            let (low, high) = (word * 32, word * 32 + 32);
            let (from, to) = (from.clamp(low, high) - low, to.clamp(low, high) - low);
            if from >= to { 0 } else { (u32::MAX >> (32 - (to - from))) << from }
        };
        let end = ty.first + ty.capacity * ty.stride;
        let (slots, filled) = (bits(ty.first, end), bits(ty.first, end - ty.stride));
        let step = self.int(ty.stride as i32);
        let mut value = self.b.ins().ushr(old, step);
        if let Some(next) = next {
            let up = self.int((32 - ty.stride) as i32);
            let high = self.b.ins().ishl(next, up);
            value = self.b.ins().bor(value, high);
        }
        let (keep, filled) = (self.int(!slots as i32), self.int(filled as i32));
        let rest = self.b.ins().band(old, keep);
        let moved = self.b.ins().band(value, filled);
        self.b.ins().bor(rest, moved)
    }
}
