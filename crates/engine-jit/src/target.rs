//! Targets: copied from the source, completed, handed over as headers.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8X16, I32, I64};
use cranelift_codegen::ir::{InstBuilder, Value};
use everypath_machine::code::Space;
use everypath_model::Step;

use crate::context::{Call, at};
use crate::emit::{Emitter, Exits};
use crate::flow::{Mode, Phase};

/// Vectors of at most so many words are copied by straight code.
const UNROLLED_WORDS: u32 = 96;

impl Emitter<'_, '_, '_> {
    /// Copies the source: from here on there is a target.
    pub fn commit(&mut self) {
        if self.mode == Mode::Handshake {
            let received = self.b.use_var(self.received);
            let zero = self.int(0);
            let not = self.b.ins().icmp(IntCC::Equal, received, zero);
            self.unlikely(not, |e| e.skip());
        }
        self.begin_target();
    }

    /// Finds the place of the next target.
    pub fn place_target(&mut self) -> Value {
        let target = self.context_load(I64, at::TARGET);
        let variable = self.target;
        self.b.def_var(variable, target);
        target
    }

    /// Copies the source to the room.
    pub fn begin_target(&mut self) {
        let target = self.place_target();
        self.copy(target);
        if self.runs {
            let words = self.context_load(I64, at::STATE_WORDS);
            self.context_store(words, at::TARGET_WORDS);
        }
        let changed = self.changed;
        let none = self.long(0);
        self.b.def_var(changed, none);
        if self.counted {
            let patience = self.context_load(I32, at::PATIENCE);
            let budget = self.budget;
            self.b.def_var(budget, patience);
        }
        self.now.words.clear();
        self.now.fresh = [true; 3];
        self.now.channels_fresh = true;
        self.phase = Phase::Effect;
    }

    /// Copies the source.
    pub fn copy(&mut self, target: Value) {
        if let Some(words) = self.facts.words {
            return self.copy_straight(target, words);
        }
        let words = self.context_load(I64, at::STATE_WORDS);
        let Some(usual) = self.facts.usual_words.filter(|&n| n <= UNROLLED_WORDS) else {
            return self.copy_by_loop(target, words);
        };
        let (cold, straight, on) = (self.new_block(), self.new_block(), self.new_block());
        self.b.set_cold_block(cold);
        let length = self.long(u64::from(usual));
        let same = self.b.ins().icmp(IntCC::Equal, words, length);
        self.branch(same, straight, cold);
        self.go_on(cold);
        self.copy_by_call(target, words);
        self.jump(on);
        self.go_on(straight);
        self.copy_straight(target, usual);
        self.jump(on);
        self.go_on(on);
    }

    /// Copies a known number of words; the last ones may be copied twice.
    pub fn copy_straight(&mut self, target: Value, words: u32) {
        if words > UNROLLED_WORDS {
            let words = self.long(u64::from(words));
            return self.copy_by_loop(target, words);
        }
        let bytes = words as i32 * 4;
        let mut at = 0;
        while at < bytes {
            let (ty, from) = match bytes - at {
                16.. => (I8X16, at),
                9..16 if bytes >= 16 => (I8X16, bytes - 16),
                8.. => (I64, at),
                5..8 if bytes >= 8 => (I64, bytes - 8),
                _ => (I32, at),
            };
            let (source, state) = (self.memory.source, self.state);
            let part = self.load(ty, source, state, from);
            let flags = self.memory.target;
            self.b.ins().store(flags, part, target, from);
            at = from + ty.bytes() as i32;
        }
    }

    /// Copies sixteen bytes at a time; the last ones may have been copied before.
    pub fn copy_by_loop(&mut self, target: Value, words: Value) {
        let (short, long, head) = (self.new_block(), self.new_block(), self.new_block());
        let (step, tail, on) = (self.new_block(), self.new_block(), self.new_block());
        let (two, four, zero, part) = (self.long(2), self.long(4), self.long(0), self.long(16));
        let few = self.b.ins().icmp(IntCC::UnsignedLessThan, words, four);
        self.branch(few, short, long);
        self.go_on(short);
        self.copy_by_call(target, words);
        self.jump(on);
        self.go_on(long);
        let bytes = self.b.ins().ishl(words, two);
        let last = self.b.ins().isub(bytes, part);
        let at = self.b.append_block_param(head, I64);
        self.b.ins().jump(head, &[zero.into()]);
        self.go_on(head);
        let before = self.b.ins().icmp(IntCC::UnsignedLessThan, at, last);
        self.branch(before, step, tail);
        for (block, at) in [(step, at), (tail, last)] {
            self.go_on(block);
            let from = self.b.ins().iadd(self.state, at);
            let to = self.b.ins().iadd(target, at);
            let value = self.load(I8X16, self.memory.source, from, 0);
            self.b.ins().store(self.memory.target, value, to, 0);
            if block == step {
                let next = self.b.ins().iadd(at, part);
                self.b.ins().jump(head, &[next.into()]);
            } else {
                self.jump(on);
            }
        }
        self.go_on(on);
    }

    fn copy_by_call(&mut self, target: Value, words: Value) {
        let state = self.state;
        self.call(Call::Copy, [target, state, words]);
    }

    /// The end of the code.
    pub fn done(&mut self) {
        match self.exits {
            Exits::Value(block) => {
                let value = self.reg(0);
                self.b.ins().jump(block, &[value.into()]);
            }
            Exits::Statement { transition, executed, .. } => {
                if self.phase == Phase::Guard {
                    self.begin_target();
                }
                self.finish(transition);
                self.jump(executed);
            }
        }
    }

    /// Completes the target.
    pub fn finish(&mut self, transition: u32) {
        let machine = self.machine;
        let statement = &machine.transitions[transition as usize];
        let location = self.int(i32::from(statement.target));
        self.store_field(Space::Local, machine.head.location, location);
        if let Some(last) = machine.last {
            let pid = self.pid;
            self.store_field(Space::Global, last, pid);
        }
        self.flush();
        let changed = self.b.use_var(self.changed);
        let words = match self.runs {
            true => Some(self.context_load(I64, at::TARGET_WORDS)),
            false => None,
        };
        if self.asserts {
            let faults = self.context_load(I32, at::FAULTS);
            let (cold, on) = (self.new_block(), self.new_block());
            self.b.set_cold_block(cold);
            self.branch(faults, cold, on);
            self.go_on(cold);
            self.hand_over(Call::Report, transition, words, changed);
            self.place_target();
            self.jump(on);
            self.go_on(on);
        }
        if statement.atomic {
            self.hand_over(Call::Hold, transition, words, changed);
        } else {
            let target = self.b.use_var(self.target);
            self.step(transition, target, words, changed);
        }
    }

    /// Has Rust see to a target, which is as long as the source unless told otherwise.
    fn hand_over(&mut self, call: Call, transition: u32, words: Option<Value>, changed: Value) {
        let action = self.action(transition);
        let words = words.unwrap_or_else(|| self.context_load(I64, at::STATE_WORDS));
        self.call(call, [action, changed, words]);
    }

    /// Writes the header of a step and takes its words; they are as many as in the source unless
    /// told otherwise.
    pub fn step(&mut self, transition: u32, target: Value, words: Option<Value>, changed: Value) {
        let step = self.context_load(I64, at::STEP);
        let mut span = self.context_load(I64, at::SPAN);
        let half = self.long(32);
        let stride = match (words, self.facts.words) {
            (Some(words), _) => {
                let high = self.b.ins().ishl(words, half);
                // The span is that of a target as long as the source.
                let start = self.b.ins().ireduce(I32, span);
                let start = self.b.ins().uextend(I64, start);
                let start_high = self.b.ins().ishl(start, half);
                span = self.b.ins().bor(start, start_high);
                span = self.b.ins().iadd(span, high);
                words
            }
            (None, Some(words)) => self.long(u64::from(words) << 32 | u64::from(words)),
            (None, None) => self.context_load(I64, at::STRIDE),
        };
        let action = self.action(transition);
        let flags = self.memory.steps;
        for (value, place) in
            [(span, Step::TARGET), (action, Step::ACTION), (changed, Step::CHANGED)]
        {
            self.b.ins().store(flags, value, step, place as i32);
        }
        let size = self.long(size_of::<Step>() as u64);
        let step = self.b.ins().iadd(step, size);
        self.context_store(step, at::STEP);
        let two = self.long(2);
        let next = match words {
            Some(words) => {
                let end = self.b.ins().ushr(span, half);
                let all = self.context_load(I64, at::STATE_WORDS);
                let behind = self.b.ins().iadd(end, all);
                let behind = self.b.ins().ishl(behind, half);
                let next = self.b.ins().bor(end, behind);
                self.context_store(next, at::SPAN);
                self.b.ins().ishl(words, two)
            }
            None => {
                let next = self.b.ins().iadd(span, stride);
                self.context_store(next, at::SPAN);
                match self.facts.words {
                    Some(words) => self.long(u64::from(words) * 4),
                    None => {
                        let words = self.context_load(I64, at::STATE_WORDS);
                        self.b.ins().ishl(words, two)
                    }
                }
            }
        };
        let target = self.b.ins().iadd(target, next);
        self.context_store(target, at::TARGET);
    }
}
