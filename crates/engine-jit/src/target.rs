//! Targets: copied from the source, completed, handed over as headers.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8X16, I32, I64};
use cranelift_codegen::ir::{InstBuilder, Value};
use everypath_machine::code::Space;

use crate::context::{Call, HOLDS, at};
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
        let target = self.next_target();
        let variable = self.target;
        self.b.def_var(variable, target);
        target
    }

    /// The address of the next target.
    pub fn next_target(&mut self) -> Value {
        let arena = self.context_load(I64, at::ARENA);
        let used = self.context_load(I64, at::USED);
        let two = self.long(2);
        let bytes = self.b.ins().ishl(used, two);
        self.b.ins().iadd(arena, bytes)
    }

    /// Copies the source to the room.
    pub fn begin_target(&mut self) {
        let target = self.place_target();
        let words = self.context_load(I64, at::STATE_WORDS);
        self.copy(target, words);
        if self.runs {
            self.context_store(words, at::TARGET_WORDS);
        }
        let changed = self.changed;
        let none = self.long(0);
        self.b.def_var(changed, none);
        if self.asserts {
            let none = self.int(0);
            self.context_store(none, at::FAULTS);
        }
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

    /// Copies words of the source.
    pub fn copy(&mut self, target: Value, words: Value) {
        let usual = self.facts.usual_words.filter(|&n| n <= UNROLLED_WORDS);
        let Some(usual) = usual else {
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
        let bytes = usual as i32 * 4;
        let mut at = 0;
        while at < bytes {
            let (ty, next) = match bytes - at {
                16.. => (I8X16, at + 16),
                8.. => (I64, at + 8),
                _ => (I32, at + 4),
            };
            let (source, state) = (self.memory.source, self.state);
            let part = self.load(ty, source, state, at);
            let flags = self.memory.target;
            self.b.ins().store(flags, part, target, at);
            at = next;
        }
        self.jump(on);
        self.go_on(on);
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
        let pid = self.pid;
        if self.asserts {
            let faults = self.context_load(I32, at::FAULTS);
            let (cold, on) = (self.new_block(), self.new_block());
            self.b.set_cold_block(cold);
            self.branch(faults, cold, on);
            self.go_on(cold);
            if !self.runs {
                let words = self.context_load(I64, at::STATE_WORDS);
                self.context_store(words, at::TARGET_WORDS);
            }
            let pid = self.b.ins().uextend(I64, pid);
            let number = self.long(u64::from(transition));
            self.call(Call::Report, [pid, number, changed]);
            self.jump(on);
            self.go_on(on);
        }
        let length = if self.runs { at::TARGET_WORDS } else { at::STATE_WORDS };
        let words = self.context_load(I64, length);
        let words = self.b.ins().ireduce(I32, words);
        let none = self.int(0);
        let flags = if statement.atomic { HOLDS } else { 0 };
        self.header(transition, words, flags, none, changed);
    }
}
