//! Variables: fields of records in the source and in the target.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use everypath_machine::Field;
use everypath_machine::code::{Reg, Space};

use crate::context::{ProcessEntry, at};
use crate::emit::Emitter;
use crate::facts::Known;
use crate::flow::Phase;

/// The component of the hidden variables.
const HIDDEN: u64 = 1;
/// The component of the global variables.
const GLOBALS: u64 = 2;

impl Emitter<'_, '_, '_> {
    /// The first word of a record in the target.
    fn target_base(&mut self, space: Space) -> (Value, u32) {
        let target = self.b.use_var(self.target);
        match space {
            Space::Global => (target, self.machine.hidden_words),
            Space::Hidden => (target, 0),
            Space::Local => match self.seat {
                Some(seat) => (target, seat.offset),
                None => (self.in_target(self.record), 0),
            },
        }
    }

    /// The address in the target that belongs to one in the source.
    pub fn in_target(&mut self, address: Value) -> Value {
        let target = self.b.use_var(self.target);
        let state = self.state;
        let offset = self.b.ins().isub(address, state);
        self.b.ins().iadd(target, offset)
    }

    fn source_base(&self, space: Space) -> (Value, u32) {
        match space {
            Space::Global => (self.state, self.machine.hidden_words),
            Space::Hidden => (self.state, 0),
            Space::Local => match self.seat {
                Some(seat) => (self.state, seat.offset),
                None => (self.record, 0),
            },
        }
    }

    fn record_words(&self, space: Space) -> u32 {
        match (space, self.proctype) {
            (Space::Global, _) => self.machine.global_words,
            (Space::Hidden, _) => self.machine.hidden_words,
            (Space::Local, Some(ty)) => self.machine.proctypes[usize::from(ty)].words,
            (Space::Local, None) => 0,
        }
    }

    /// A word of a record as it is now.
    pub fn word(&mut self, space: Space, word: u32) -> Value {
        let key = (space as u8, word);
        if self.phase == Phase::Effect {
            if let Some(&(value, _)) = self.now.words.get(&key) {
                return value;
            }
            if !self.now.fresh[space as usize] {
                let (base, first) = self.target_base(space);
                let flags = self.memory.target;
                let value = self.load(I32, flags, base, (first + word) as i32 * 4);
                self.now.words.insert(key, (value, false));
                return value;
            }
        }
        let (base, first) = self.source_base(space);
        let flags = self.memory.source;
        let value = self.load(I32, flags, base, (first + word) as i32 * 4);
        if self.phase == Phase::Effect {
            self.now.words.insert(key, (value, false));
        }
        value
    }

    /// Writes the words in registers to the target.
    pub fn flush(&mut self) {
        for space in [Space::Global, Space::Local, Space::Hidden] {
            self.flush_space(space);
        }
    }

    pub fn flush_space(&mut self, space: Space) {
        let dirty: Vec<(u32, Value)> = self
            .now
            .words
            .iter()
            .filter(|((s, _), (_, dirty))| *s == space as u8 && *dirty)
            .map(|((_, word), (value, _))| (*word, *value))
            .collect();
        for (word, value) in dirty {
            let (base, first) = self.target_base(space);
            let flags = self.memory.target;
            self.b.ins().store(flags, value, base, (first + word) as i32 * 4);
            self.now.words.insert((space as u8, word), (value, false));
        }
    }

    /// The bits of a field out of its word.
    pub fn extract(&mut self, word: Value, field: Field) -> Value {
        let shift = field.bit & 31;
        let width = u32::from(field.width);
        let mut value = word;
        if field.signed && width < 32 {
            if shift + width < 32 {
                let up = self.int((32 - shift - width) as i32);
                value = self.b.ins().ishl(value, up);
            }
            let down = self.int((32 - width) as i32);
            return self.b.ins().sshr(value, down);
        }
        if shift > 0 {
            let down = self.int(shift as i32);
            value = self.b.ins().ushr(value, down);
        }
        if shift + width < 32 {
            let mask = self.int((u32::MAX >> (32 - width)) as i32);
            value = self.b.ins().band(value, mask);
        }
        value
    }

    /// A word with the bits of a field replaced.
    pub fn replace(&mut self, word: Value, field: Field, value: Value) -> Value {
        let width = u32::from(field.width);
        if width == 32 {
            return value;
        }
        let shift = field.bit & 31;
        let ones = u32::MAX >> (32 - width);
        let keep = self.int(!(ones << shift) as i32);
        let rest = self.b.ins().band(word, keep);
        let cut = self.int(ones as i32);
        let mut bits = self.b.ins().band(value, cut);
        if shift > 0 {
            let up = self.int(shift as i32);
            bits = self.b.ins().ishl(bits, up);
        }
        self.b.ins().bor(rest, bits)
    }

    pub fn store_field(&mut self, space: Space, field: Field, value: Value) {
        let index = field.bit >> 5;
        let old = self.word(space, index);
        let new = self.replace(old, field, value);
        self.now.words.insert((space as u8, index), (new, true));
        self.change(space);
    }

    /// Notes that a record of variables changed.
    fn change(&mut self, space: Space) {
        let mask = match space {
            Space::Global => self.long(GLOBALS),
            Space::Hidden => self.long(HIDDEN),
            Space::Local => self.mask,
        };
        self.change_mask(mask);
    }

    pub fn change_mask(&mut self, mask: Value) {
        let changed = self.b.use_var(self.changed);
        let changed = self.b.ins().bor(changed, mask);
        let variable = self.changed;
        self.b.def_var(variable, changed);
    }

    /// The address of the word that holds the element `at` bits behind a field, and the shift of
    /// the field in it. The word is inside the record whatever `at` is.
    fn element(&mut self, base: Value, first: u32, words: u32, field: Field, at: Reg) -> Element {
        let (known, bits) = (self.now.registers.get(at), self.reg(at));
        self.element_by(base, first, words, field, bits, known)
    }

    fn element_by(
        &mut self,
        base: Value,
        first: u32,
        words: u32,
        field: Field,
        bits: Value,
        known: Known,
    ) -> Element {
        let start = self.int(field.bit as i32);
        let bit = self.b.ins().iadd(start, bits);
        let five = self.int(5);
        let mut index = self.b.ins().ushr(bit, five);
        let inside = known.range().is_some_and(|(_, last)| {
            (u64::from(field.bit) + u64::from(last)) >> 5 < u64::from(words)
        });
        if !inside {
            let limit = self.int(words.saturating_sub(1) as i32);
            let beyond = self.b.ins().icmp(IntCC::UnsignedGreaterThan, index, limit);
            index = self.b.ins().select(beyond, limit, index);
        }
        let index = self.b.ins().uextend(I64, index);
        let two = self.long(2);
        let bytes = self.b.ins().ishl(index, two);
        let address = self.b.ins().iadd(base, bytes);
        // Shifts take their count modulo 32.
        Element { address, offset: first as i32 * 4, shift: bit }
    }

    fn load_element(&mut self, element: &Element, flags: MemFlagsData, field: Field) -> Value {
        let word = self.load(I32, flags, element.address, element.offset);
        let down = self.b.ins().ushr(word, element.shift);
        self.extract(down, Field { bit: 0, ..field })
    }

    /// The field of an element whose place is known.
    fn known_element(&self, at: Reg, space: Space, field: Field) -> Option<Field> {
        let Known::Const(bits) = self.now.registers.get(at) else { return None };
        let bit = field.bit.checked_add(u32::try_from(bits).ok()?)?;
        (bit >> 5 < self.record_words(space)).then_some(Field { bit, ..field })
    }

    pub fn load_at(&mut self, at: Reg, space: Space, field: Field) -> Value {
        if let Some(field) = self.known_element(at, space, field) {
            let word = self.word(space, field.bit >> 5);
            return self.extract(word, field);
        }
        let words = self.record_words(space);
        // A word in registers may have been written.
        let touched = self.phase == Phase::Effect
            && (!self.now.fresh[space as usize]
                || self.now.words.keys().any(|(s, _)| *s == space as u8));
        let (base, first, flags) = if touched {
            self.flush_space(space);
            let (base, first) = self.target_base(space);
            (base, first, self.memory.target)
        } else {
            let (base, first) = self.source_base(space);
            (base, first, self.memory.source)
        };
        let element = self.element(base, first, words, field, at);
        self.load_element(&element, flags, field)
    }

    pub fn store_at(&mut self, s: Reg, at: Reg, space: Space, field: Field) {
        if let Some(field) = self.known_element(at, space, field) {
            let value = self.reg(s);
            return self.store_field(space, field, value);
        }
        let words = self.record_words(space);
        self.flush_space(space);
        self.now.words.retain(|(s, _), _| *s != space as u8);
        self.now.fresh[space as usize] = false;
        let (base, first) = self.target_base(space);
        let element = self.element(base, first, words, field, at);
        let value = self.reg(s);
        let flags = self.memory.target;
        let old = self.load(I32, flags, element.address, element.offset);
        let ones = u32::MAX >> (32 - u32::from(field.width));
        let ones = self.int(ones as i32);
        let hole = self.b.ins().ishl(ones, element.shift);
        let keep = self.b.ins().bnot(hole);
        let rest = self.b.ins().band(old, keep);
        let bits = self.b.ins().band(value, ones);
        let bits = self.b.ins().ishl(bits, element.shift);
        let new = self.b.ins().bor(rest, bits);
        self.b.ins().store(flags, new, element.address, element.offset);
        self.change(space);
    }

    /// A variable of another process: 0 if there is no such process of this proctype.
    pub fn load_remote(&mut self, d: Reg, pid: Reg, at: Reg, proctype: u16, field: Field) {
        let words = self.machine.proctypes[usize::from(proctype)].words;
        if self.phase == Phase::Effect {
            self.flush_space(Space::Local);
        }
        let (live, found, on) = (self.new_block(), self.new_block(), self.new_block());
        let number = self.reg(pid);
        let bits_known = self.now.registers.get(at);
        let zero = self.int(0);
        let variable = self.variable(d);
        // The distance is needed after `d` is overwritten, which may be the same register.
        let distance = self.reg(at);
        self.b.def_var(variable, zero);
        let wide = self.b.ins().uextend(I64, number);
        let count = self.context_load(I64, at::PROCESS_COUNT);
        let alive = self.b.ins().icmp(IntCC::UnsignedLessThan, wide, count);
        self.branch(alive, live, on);
        self.go_on(live);
        let table = self.context_load(I64, at::PROCESSES);
        let size = self.long(size_of::<ProcessEntry>() as u64);
        let offset = self.b.ins().imul(wide, size);
        let entry = self.b.ins().iadd(table, offset);
        let flags = self.memory.tables;
        let ty = offset_of!(ProcessEntry, ty) as i32;
        let ty = self.load(I32, flags, entry, ty);
        let wanted = self.int(i32::from(proctype));
        let same = self.b.ins().icmp(IntCC::Equal, ty, wanted);
        self.branch(same, found, on);
        self.go_on(found);
        let offset = offset_of!(ProcessEntry, offset) as i32;
        let offset = self.load(I32, flags, entry, offset);
        let offset = self.b.ins().uextend(I64, offset);
        let (base, flags) = match self.phase {
            Phase::Guard => (self.state, self.memory.source),
            Phase::Effect => (self.b.use_var(self.target), self.memory.target),
        };
        let base = self.b.ins().iadd(base, offset);
        let element = self.element_by(base, 0, words, field, distance, bits_known);
        let value = self.load_element(&element, flags, field);
        self.b.def_var(variable, value);
        self.jump(on);
        self.go_on(on);
    }
}

/// A word in memory with a field in it.
struct Element {
    address: Value,
    offset: i32,
    shift: Value,
}
