//! Instructions of a statement as native code.

use std::collections::BTreeMap;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8X16, I32, I64};
use cranelift_codegen::ir::{
    AliasRegion, AliasRegionData, Block, InstBuilder, MemFlagsData, SigRef, Type, Value,
};
use cranelift_frontend::{FunctionBuilder, Variable};
use everypath_machine::code::{Binary, Op, REGISTERS, Reg, SiteId, Space, Unary};
use everypath_machine::{FaultKind, Field, Machine};

use crate::Unsupported;
use crate::context::{Call, FATAL, HOLDS, Header, at};
use crate::facts::{Facts, Known, Registers};
use crate::flow::{Flow, Mode, Phase, Position, thread};

/// The component of the hidden variables.
const HIDDEN: u64 = 1;
/// The component of the global variables.
const GLOBALS: u64 = 2;

/// Vectors of at most so many words are copied by straight code.
const UNROLLED_WORDS: u32 = 96;

/// What is known at a point of the code.
#[derive(Clone)]
pub(crate) struct Knowledge {
    pub registers: Registers,
    /// Words of the target that are in registers, and whether memory is behind.
    words: BTreeMap<(u8, u32), (Value, bool)>,
    /// Words of a space that are not in registers are as in the source.
    fresh: [bool; 3],
    /// Channels are as in the source.
    pub channels_fresh: bool,
}

impl Knowledge {
    fn new() -> Knowledge {
        Knowledge {
            registers: Registers::new(),
            words: BTreeMap::new(),
            fresh: [false; 3],
            channels_fresh: false,
        }
    }
}

/// Where control goes when a statement is through.
#[derive(Clone, Copy)]
pub(crate) enum Exits {
    /// A statement: executed, or not executable.
    Statement { transition: u32, executed: Block, skipped: Block },
    /// An expression: a block that takes its value.
    Value(Block),
}

/// Makes the native code of one function.
pub(crate) struct Emitter<'b, 'f, 'm> {
    pub b: &'b mut FunctionBuilder<'f>,
    pub machine: &'m Machine,
    pub facts: &'m Facts,
    pub proctype: Option<u16>,
    pub mode: Mode,
    pub context: Value,
    /// First word of the source.
    pub state: Value,
    /// First word of the record of the process.
    pub record: Value,
    pub pid: Value,
    /// The component of the process.
    pub mask: Value,
    pub memory: Memory,
    /// The signature of all calls.
    callback: SigRef,
    registers: Vec<Option<Variable>>,
    target: Variable,
    pub changed: Variable,
    budget: Variable,
    pub received: Variable,
    pub now: Knowledge,
    pub phase: Phase,
    pub exits: Exits,
    /// Jumps after the commit are counted: there is a loop.
    counted: bool,
    /// Some assertion may fail in the statement.
    pub asserts: bool,
    /// The statement may make a process.
    pub runs: bool,
    /// A receive of the statement may take any message, not only the first one.
    pub random: bool,
    /// The slot of the message that a receive found.
    pub slot: Variable,
}

/// Kinds of memory that do not overlap.
#[derive(Clone, Copy)]
pub(crate) struct Memory {
    pub source: MemFlagsData,
    pub target: MemFlagsData,
    pub context: MemFlagsData,
    pub tables: MemFlagsData,
}

impl Memory {
    fn new(b: &mut FunctionBuilder<'_>) -> Memory {
        // Vectors are aligned to words only, so nothing is said about alignment.
        let mut flags = |user_id: u32, description: &'static str| {
            let data = AliasRegionData { user_id, description: description.into() };
            let region: AliasRegion = b.func.dfg.alias_regions.insert(data);
            MemFlagsData::new().with_notrap().with_alias_region(Some(region))
        };
        Memory {
            source: flags(0, "source"),
            target: flags(1, "target"),
            context: flags(2, "context"),
            tables: flags(3, "tables"),
        }
    }
}

impl<'b, 'f, 'm> Emitter<'b, 'f, 'm> {
    pub fn new(
        b: &'b mut FunctionBuilder<'f>,
        machine: &'m Machine,
        facts: &'m Facts,
        proctype: Option<u16>,
        mode: Mode,
        params: [Value; 5],
        callback: SigRef,
    ) -> Self {
        let memory = Memory::new(b);
        let (target, changed) = (b.declare_var(I64), b.declare_var(I64));
        let (budget, received) = (b.declare_var(I32), b.declare_var(I32));
        let slot = b.declare_var(I32);
        let nowhere = Block::from_u32(0);
        Emitter {
            machine,
            facts,
            proctype,
            mode,
            context: params[0],
            state: params[1],
            record: params[2],
            pid: params[3],
            mask: params[4],
            memory,
            callback,
            registers: vec![None; REGISTERS],
            target,
            changed,
            budget,
            received,
            now: Knowledge::new(),
            phase: Phase::Guard,
            exits: Exits::Value(nowhere),
            counted: false,
            asserts: false,
            runs: false,
            random: false,
            slot,
            b,
        }
    }

    pub fn int(&mut self, value: i32) -> Value {
        self.b.ins().iconst(I32, i64::from(value as u32))
    }

    pub fn long(&mut self, value: u64) -> Value {
        self.b.ins().iconst(I64, value as i64)
    }

    pub fn load(&mut self, ty: Type, flags: MemFlagsData, base: Value, offset: i32) -> Value {
        self.b.ins().load(ty, flags, base, offset)
    }

    pub fn context_load(&mut self, ty: Type, offset: i32) -> Value {
        let (flags, context) = (self.memory.context, self.context);
        self.load(ty, flags, context, offset)
    }

    pub fn context_store(&mut self, value: Value, offset: i32) {
        self.b.ins().store(self.memory.context, value, self.context, offset);
    }

    /// Calls a function of ours.
    pub fn call(&mut self, call: Call, arguments: [Value; 3]) -> Value {
        let function = self.context_load(I64, at::CALLS + call as i32 * 8);
        let [a, b, c] = arguments;
        let arguments = [self.context, a, b, c];
        let inst = self.b.ins().call_indirect(self.callback, function, &arguments);
        self.b.inst_results(inst)[0]
    }

    /// Puts the values of registers where a call finds them.
    pub fn pass(&mut self, first: Reg, count: usize) {
        for i in 0..count {
            let value = self.reg(first.wrapping_add(i as Reg));
            self.context_store(value, at::ARGUMENTS + i as i32 * 4);
        }
    }

    fn variable(&mut self, r: Reg) -> Variable {
        if let Some(variable) = self.registers[usize::from(r)] {
            return variable;
        }
        let variable = self.b.declare_var(I32);
        self.registers[usize::from(r)] = Some(variable);
        variable
    }

    /// The value of a register.
    pub fn reg(&mut self, r: Reg) -> Value {
        if let Known::Const(value) = self.now.registers.get(r) {
            return self.int(value);
        }
        let variable = self.variable(r);
        self.b.use_var(variable)
    }

    pub fn set_reg(&mut self, r: Reg, value: Value) {
        let variable = self.variable(r);
        self.b.def_var(variable, value);
    }

    /// 0 or 1.
    pub fn compare(&mut self, cc: IntCC, a: Value, b: Value) -> Value {
        let bit = self.b.ins().icmp(cc, a, b);
        self.b.ins().uextend(I32, bit)
    }

    pub fn new_block(&mut self) -> Block {
        self.b.create_block()
    }

    /// Goes on in `block` and forgets nothing.
    pub fn go_on(&mut self, block: Block) {
        self.b.switch_to_block(block);
    }

    pub fn jump(&mut self, block: Block) {
        self.b.ins().jump(block, &[]);
    }

    pub fn branch(&mut self, condition: Value, yes: Block, no: Block) {
        self.b.ins().brif(condition, yes, &[], no, &[]);
    }

    /// Goes to a cold block if the condition holds, in which `then` ends the way; goes on if not.
    pub fn unlikely(&mut self, condition: Value, then: impl FnOnce(&mut Self)) {
        let (cold, on) = (self.new_block(), self.new_block());
        self.b.set_cold_block(cold);
        self.branch(condition, cold, on);
        self.go_on(cold);
        let now = self.now.clone();
        then(self);
        self.now = now;
        self.go_on(on);
    }

    /// Where a statement or an expression goes when it raises a fault.
    pub fn raise(&mut self, kind: FaultKind, site: SiteId) {
        let fault = self.int(((kind as u32) << 24 | site) as i32);
        self.raise_value(fault);
    }

    fn raise_value(&mut self, fault: Value) {
        match self.exits {
            Exits::Statement { transition, executed, .. } => {
                let zero = self.long(0);
                let nothing = self.int(0);
                self.header(transition, nothing, FATAL, fault, zero);
                self.jump(executed);
            }
            Exits::Value(block) => {
                // A condition that cannot be evaluated is not satisfied.
                let zero = self.int(0);
                self.b.ins().jump(block, &[zero.into()]);
            }
        }
    }

    /// Not executable.
    pub fn skip(&mut self) {
        match self.exits {
            Exits::Statement { skipped, .. } => self.jump(skipped),
            Exits::Value(block) => {
                let zero = self.int(0);
                self.b.ins().jump(block, &[zero.into()]);
            }
        }
    }

    /// Writes the header of a step and takes its words.
    pub fn header(&mut self, transition: u32, words: Value, flags: u32, fault: Value, mask: Value) {
        let headers = self.context_load(I64, at::HEADERS);
        let count = self.context_load(I64, at::HEADER_COUNT);
        let size = self.long(size_of::<Header>() as u64);
        let offset = self.b.ins().imul(count, size);
        let header = self.b.ins().iadd(headers, offset);
        let used = self.context_load(I64, at::USED);
        let start = self.b.ins().ireduce(I32, used);
        let transition = self.int(transition as i32);
        let kind = self.int(flags as i32);
        let memory = self.memory.tables;
        let pid = self.pid;
        for (value, place) in [
            (start, std::mem::offset_of!(Header, start)),
            (words, std::mem::offset_of!(Header, words)),
            (pid, std::mem::offset_of!(Header, process)),
            (transition, std::mem::offset_of!(Header, transition)),
            (kind, std::mem::offset_of!(Header, flags)),
            (fault, std::mem::offset_of!(Header, fault)),
            (mask, std::mem::offset_of!(Header, mask)),
        ] {
            self.b.ins().store(memory, value, header, place as i32);
        }
        let one = self.long(1);
        let count = self.b.ins().iadd(count, one);
        self.context_store(count, at::HEADER_COUNT);
        if flags & FATAL == 0 {
            let words = self.b.ins().uextend(I64, words);
            let used = self.b.ins().iadd(used, words);
            self.context_store(used, at::USED);
        }
    }

    /// The code of a statement, or of an expression.
    pub fn code(&mut self, code: u32, exits: Exits) -> Result<(), Unsupported> {
        let flow = Flow::new(self.machine, code, self.mode)?;
        self.exits = exits;
        self.counted = flow.loops;
        self.asserts = flow.asserts;
        self.runs = flow.runs;
        self.random = flow.random;
        let blocks: BTreeMap<Position, Block> =
            flow.blocks.keys().map(|&at| (at, self.new_block())).collect();
        // What is known where only one way leads to a block.
        let mut entries: BTreeMap<Position, Knowledge> = BTreeMap::new();
        if self.mode == Mode::Handshake {
            let no = self.int(0);
            let received = self.received;
            self.b.def_var(received, no);
        }
        let Some(&start) = flow.order.first() else { return Ok(()) };
        self.jump(blocks[&start]);
        if flow.blocks[&start] == 1 {
            entries.insert(start, Knowledge::new());
        }
        for &leader in &flow.order {
            self.go_on(blocks[&leader]);
            self.now = entries.remove(&leader).unwrap_or_else(Knowledge::new);
            let mut route = Route { flow: &flow, blocks: &blocks, entries: &mut entries };
            self.block(leader, &mut route)?;
        }
        Ok(())
    }

    /// The code of a block.
    fn block(&mut self, leader: Position, route: &mut Route<'_>) -> Result<(), Unsupported> {
        let mut at = leader;
        loop {
            let op = self.machine.code[at.0 as usize];
            self.phase = at.1;
            let on = (at.0 + 1, at.1);
            let next = match op {
                Op::Commit if at.1 == Phase::Guard => {
                    self.commit();
                    (at.0 + 1, Phase::Effect)
                }
                Op::Commit => on,
                Op::Done => {
                    self.done();
                    return Ok(());
                }
                Op::Blocked { site } => {
                    match at.1 {
                        Phase::Guard => self.skip(),
                        Phase::Effect => self.raise(FaultKind::BlockedStep, site),
                    }
                    return Ok(());
                }
                Op::Jump { to } => {
                    self.leave((to, at.1), true, route);
                    return Ok(());
                }
                Op::JumpIfZero { a, to } => {
                    let to = thread(self.machine, (to, at.1), a, false);
                    self.conditional(a, (on, false), (to, true), route);
                    return Ok(());
                }
                Op::JumpIfNotZero { a, to } => {
                    let to = thread(self.machine, (to, at.1), a, true);
                    self.conditional(a, (to, true), (on, false), route);
                    return Ok(());
                }
                Op::SendGuard { c, first, count, or, site } => {
                    if self.phase == Phase::Guard && self.mode == Mode::Handshake {
                        self.skip();
                        return Ok(());
                    }
                    let full = self.new_block();
                    self.send_guard(c, first, count, full, site)?;
                    self.fork(full, (or, at.1), on, false, route);
                    return Ok(());
                }
                Op::ReceiveGuard { c, first, pattern, or, site } => {
                    let none = self.new_block();
                    self.receive_guard(c, first, pattern, none, site)?;
                    self.fork(none, (or, at.1), on, true, route);
                    return Ok(());
                }
                op => {
                    self.plain(op)?;
                    let facts = self.facts;
                    self.now.registers.step(facts, self.proctype, op);
                    on
                }
            };
            if route.flow.blocks.contains_key(&next) {
                self.leave(next, false, route);
                return Ok(());
            }
            at = next;
        }
    }

    /// The current block goes on at `on`; `other` leads to `or`, by a jump that may count.
    fn fork(
        &mut self,
        other: Block,
        or: Position,
        on: Position,
        counts: bool,
        route: &mut Route<'_>,
    ) {
        let now = self.now.clone();
        self.leave(on, false, route);
        self.now = now;
        self.go_on(other);
        self.leave(or, counts, route);
    }

    /// Goes one of two ways, each with whether it is a jump.
    fn conditional(
        &mut self,
        a: Reg,
        yes: (Position, bool),
        no: (Position, bool),
        route: &mut Route<'_>,
    ) {
        if let Known::Const(value) = self.now.registers.get(a) {
            let (to, counts) = if value != 0 { yes } else { no };
            return self.leave(to, counts, route);
        }
        let value = self.reg(a);
        let (then, otherwise) = (self.new_block(), self.new_block());
        self.branch(value, then, otherwise);
        let now = self.now.clone();
        self.go_on(then);
        self.leave(yes.0, yes.1, route);
        self.now = now;
        self.go_on(otherwise);
        self.leave(no.0, no.1, route);
    }

    /// Leaves the block for another one.
    fn leave(&mut self, to: Position, counts: bool, route: &mut Route<'_>) {
        if counts {
            self.count_jump();
        }
        if route.flow.blocks[&to] == 1 {
            route.entries.insert(to, self.now.clone());
        } else {
            // Memory must not be behind where ways meet.
            self.flush();
        }
        self.jump(route.blocks[&to]);
    }

    /// Counts a jump after the commit, where loops may be endless.
    fn count_jump(&mut self) {
        if self.phase == Phase::Guard || !self.counted {
            return;
        }
        let budget = self.b.use_var(self.budget);
        let one = self.int(1);
        let left = self.b.ins().isub(budget, one);
        let variable = self.budget;
        self.b.def_var(variable, left);
        let zero = self.int(0);
        let over = self.b.ins().icmp(IntCC::Equal, left, zero);
        self.unlikely(over, |e| e.raise(FaultKind::StepLoop, 0));
    }

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
    fn place_target(&mut self) -> Value {
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
            return self.copy_by_call(target, words);
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

    pub fn copy_by_call(&mut self, target: Value, words: Value) {
        let state = self.state;
        self.call(Call::Copy, [target, state, words]);
    }

    /// The end of the code.
    fn done(&mut self) {
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

    /// The first word of a record in the target.
    fn target_base(&mut self, space: Space) -> (Value, u32) {
        let target = self.b.use_var(self.target);
        match space {
            Space::Global => (target, self.machine.hidden_words),
            Space::Hidden => (target, 0),
            Space::Local => (self.in_target(self.record), 0),
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
            Space::Local => (self.record, 0),
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
    fn word(&mut self, space: Space, word: u32) -> Value {
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

    fn store_field(&mut self, space: Space, field: Field, value: Value) {
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

    /// Instructions that go on with the next one.
    fn plain(&mut self, op: Op) -> Result<(), Unsupported> {
        match op {
            Op::Const { d, value } => {
                let value = self.int(value);
                self.set_reg(d, value);
            }
            Op::Move { d, a } => {
                let value = self.reg(a);
                self.set_reg(d, value);
            }
            Op::Unary { op, d, a } => {
                let value = self.reg(a);
                let zero = self.int(0);
                let value = match op {
                    Unary::Neg => self.b.ins().ineg(value),
                    Unary::Not => self.compare(IntCC::Equal, value, zero),
                    Unary::Complement => self.b.ins().bnot(value),
                    Unary::Truth => self.compare(IntCC::NotEqual, value, zero),
                };
                self.set_reg(d, value);
            }
            Op::Binary { op, d, a, b } => {
                let value = self.binary(op, a, b);
                self.set_reg(d, value);
            }
            Op::Scale { d, a, by } => {
                let (sum, index, by) = (self.reg(d), self.reg(a), self.int(by as i32));
                let bits = self.b.ins().imul(index, by);
                let sum = self.b.ins().iadd(sum, bits);
                self.set_reg(d, sum);
            }
            Op::Bound { a, count, site } => {
                let inside =
                    self.now.registers.get(a).range().is_some_and(|(_, last)| last < count);
                if !inside {
                    let (value, limit) = (self.reg(a), self.int(count as i32));
                    let bad = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, value, limit);
                    self.unlikely(bad, |e| e.raise(FaultKind::Index, site));
                }
            }
            Op::NonZero { a, site } => {
                let (value, zero) = (self.reg(a), self.int(0));
                let bad = self.b.ins().icmp(IntCC::Equal, value, zero);
                self.unlikely(bad, |e| e.raise(FaultKind::Division, site));
            }
            Op::Load { d, space, field } => {
                let word = self.word(space, field.bit >> 5);
                let value = self.extract(word, field);
                self.set_reg(d, value);
            }
            Op::LoadAt { d, at, space, field } => {
                let value = self.load_at(at, space, field);
                self.set_reg(d, value);
            }
            Op::Store { s, space, field } => {
                let value = self.reg(s);
                self.store_field(space, field, value);
            }
            Op::StoreAt { s, at, space, field } => self.store_at(s, at, space, field),
            Op::LoadRemote { d, pid, at, proctype, field } => {
                self.load_remote(d, pid, at, proctype, field);
            }
            Op::Pid { d } => {
                let pid = self.pid;
                self.set_reg(d, pid);
            }
            Op::ProcessCount { d } => {
                let count = self.context_load(I64, at::PROCESS_COUNT);
                let count = self.b.ins().ireduce(I32, count);
                self.set_reg(d, count);
            }
            Op::Timeout { d } => {
                let timeout = self.context_load(I32, at::TIMEOUT);
                self.set_reg(d, timeout);
            }
            Op::OwnChannel { d, k } => {
                let value = self.own_channel(k);
                self.set_reg(d, value);
            }
            Op::Probe { d, c, probe, site } => self.probe(d, c, probe, site)?,
            Op::Poll { d, c, first, pattern, site } => self.poll(d, c, first, pattern, site)?,
            Op::Send { c, first, sorted, site, .. } => self.send(c, first, sorted, site)?,
            Op::ReceiveField { d, c, field } => self.receive_field(d, c, field)?,
            Op::ReceiveTake { c } => self.receive_take(c)?,
            Op::Assert { a, site } => {
                let (value, zero) = (self.reg(a), self.int(0));
                let bad = self.b.ins().icmp(IntCC::Equal, value, zero);
                let (cold, on) = (self.new_block(), self.new_block());
                self.b.set_cold_block(cold);
                self.branch(bad, cold, on);
                self.go_on(cold);
                let (number, none) = (self.long(u64::from(site)), self.long(0));
                self.call(Call::Asserted, [number, none, none]);
                self.jump(on);
                self.go_on(on);
            }
            Op::Print { .. } => {}
            Op::AtState { d, pid, number } => {
                let here = self.location_number(pid);
                let number = self.int(number as i32);
                let value = self.compare(IntCC::Equal, here, number);
                self.set_reg(d, value);
            }
            Op::PcValue { d, a } => {
                let value = self.location_number(a);
                self.set_reg(d, value);
            }
            Op::FirstOf { d, proctype } => {
                let (ty, none) = (self.long(u64::from(proctype)), self.long(0));
                let first = self.call(Call::FirstOf, [ty, none, none]);
                let first = self.b.ins().ireduce(I32, first);
                self.set_reg(d, first);
            }
            Op::Run { d, proctype, first, count, priority, site } => {
                self.run(d, proctype, (first, count), priority, site);
            }
            Op::Enabled { .. } => return Err(Unsupported("enabled()")),
            Op::GetPriority { .. } | Op::SetPriority { .. } => {
                return Err(Unsupported("priorities"));
            }
            Op::Jump { .. }
            | Op::JumpIfZero { .. }
            | Op::JumpIfNotZero { .. }
            | Op::SendGuard { .. }
            | Op::ReceiveGuard { .. }
            | Op::Commit
            | Op::Done
            | Op::Blocked { .. } => return Err(Unsupported("a jump in the wrong place")),
        }
        Ok(())
    }

    /// The number of the control state of a process.
    fn location_number(&mut self, pid: Reg) -> Value {
        let vector = match self.phase {
            Phase::Guard => self.state,
            Phase::Effect => {
                self.flush_space(Space::Local);
                self.b.use_var(self.target)
            }
        };
        let number = self.reg(pid);
        let (number, none) = (self.b.ins().sextend(I64, number), self.long(0));
        let value = self.call(Call::Number, [vector, number, none]);
        self.b.ins().ireduce(I32, value)
    }

    /// Makes a process. The target may move, and is longer afterwards.
    fn run(&mut self, d: Reg, proctype: u16, args: (Reg, u8), priority: u8, site: SiteId) {
        self.flush();
        self.pass(args.0, usize::from(args.1));
        let what = u64::from(proctype) | u64::from(args.1) << 16 | u64::from(priority) << 24;
        let (what, place, none) = (self.long(what), self.long(u64::from(site)), self.long(0));
        let made = self.call(Call::Run, [what, place, none]);
        let bad = self.long(u64::MAX);
        let failed = self.b.ins().icmp(IntCC::Equal, made, bad);
        self.unlikely(failed, |e| {
            let fault = e.context_load(I32, at::FAULT);
            e.raise_value(fault);
        });
        let pid = self.b.ins().ireduce(I32, made);
        self.set_reg(d, pid);
        self.place_target();
        let all = self.long(u64::MAX);
        self.change_mask(all);
        self.now.fresh = [false; 3];
        self.now.channels_fresh = false;
    }

    fn binary(&mut self, op: Binary, a: Reg, b: Reg) -> Value {
        let divisor = self.now.registers.get(b);
        let (a, b) = (self.reg(a), self.reg(b));
        let compared = |cc: IntCC, e: &mut Self| e.compare(cc, a, b);
        match op {
            Binary::Mul => self.b.ins().imul(a, b),
            Binary::Div | Binary::Rem => self.divide(op, a, b, divisor),
            Binary::Add => self.b.ins().iadd(a, b),
            Binary::Sub => self.b.ins().isub(a, b),
            Binary::Shl => self.b.ins().ishl(a, b),
            Binary::Shr => self.b.ins().sshr(a, b),
            Binary::Lt => compared(IntCC::SignedLessThan, self),
            Binary::Le => compared(IntCC::SignedLessThanOrEqual, self),
            Binary::Gt => compared(IntCC::SignedGreaterThan, self),
            Binary::Ge => compared(IntCC::SignedGreaterThanOrEqual, self),
            Binary::Eq => compared(IntCC::Equal, self),
            Binary::Ne => compared(IntCC::NotEqual, self),
            Binary::And => self.b.ins().band(a, b),
            Binary::Xor => self.b.ins().bxor(a, b),
            Binary::Or => self.b.ins().bor(a, b),
        }
    }

    /// Division as Rust's wrapping one. A divisor of zero was excluded before; native code must not
    /// trap on one all the same.
    fn divide(&mut self, op: Binary, a: Value, b: Value, divisor: Known) -> Value {
        if let Known::Const(n) = divisor
            && n != 0
            && n != -1
        {
            return match op {
                Binary::Div => self.b.ins().sdiv(a, b),
                _ => self.b.ins().srem(a, b),
            };
        }
        // In 64 bits the quotient always fits.
        let (wide_a, wide_b) = (self.b.ins().sextend(I64, a), self.b.ins().sextend(I64, b));
        let (zero, one) = (self.long(0), self.long(1));
        let none = self.b.ins().icmp(IntCC::Equal, wide_b, zero);
        let wide_b = self.b.ins().select(none, one, wide_b);
        let wide = match op {
            Binary::Div => self.b.ins().sdiv(wide_a, wide_b),
            _ => self.b.ins().srem(wide_a, wide_b),
        };
        self.b.ins().ireduce(I32, wide)
    }

    fn load_at(&mut self, at: Reg, space: Space, field: Field) -> Value {
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

    fn store_at(&mut self, s: Reg, at: Reg, space: Space, field: Field) {
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
    fn load_remote(&mut self, d: Reg, pid: Reg, at: Reg, proctype: u16, field: Field) {
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
        let size = self.long(size_of::<crate::context::ProcessEntry>() as u64);
        let offset = self.b.ins().imul(wide, size);
        let entry = self.b.ins().iadd(table, offset);
        let flags = self.memory.tables;
        let ty = std::mem::offset_of!(crate::context::ProcessEntry, ty) as i32;
        let ty = self.load(I32, flags, entry, ty);
        let wanted = self.int(i32::from(proctype));
        let same = self.b.ins().icmp(IntCC::Equal, ty, wanted);
        self.branch(same, found, on);
        self.go_on(found);
        let offset = std::mem::offset_of!(crate::context::ProcessEntry, offset) as i32;
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

/// Where the blocks of a statement are.
struct Route<'r> {
    flow: &'r Flow,
    blocks: &'r BTreeMap<Position, Block>,
    entries: &'r mut BTreeMap<Position, Knowledge>,
}
