//! Instructions of a statement as native code.

use std::collections::BTreeMap;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{
    AliasRegion, AliasRegionData, Block, InstBuilder, MemFlagsData, SigRef, Type, Value,
};
use cranelift_frontend::{FunctionBuilder, Variable};
use everypath_machine::code::{Op, REGISTERS, Reg, SiteId};
use everypath_machine::{FaultKind, Machine};

use crate::Unsupported;
use crate::context::{Call, Seat, at, component_mask};
use crate::facts::{Facts, Known, Registers};
use crate::flow::{Flow, Mode, Phase, Position, thread};

/// What is known at a point of the code.
#[derive(Clone)]
pub(crate) struct Knowledge {
    pub registers: Registers,
    /// Words of the target that are in registers, and whether memory is behind.
    pub words: BTreeMap<(u8, u32), (Value, bool)>,
    /// Words of a space that are not in registers are as in the source.
    pub fresh: [bool; 3],
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
    /// Where the process is, if that is known.
    pub seat: Option<Seat>,
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
    pub target: Variable,
    pub changed: Variable,
    pub budget: Variable,
    pub received: Variable,
    pub now: Knowledge,
    pub phase: Phase,
    pub exits: Exits,
    /// Jumps after the commit are counted: there is a loop.
    pub counted: bool,
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
    pub steps: MemFlagsData,
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
            steps: flags(4, "steps"),
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
            seat: None,
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

    /// The process is here always.
    pub fn sit(&mut self, seat: Seat) {
        self.seat = Some(seat);
        self.pid = self.int(seat.pid as i32);
        self.mask = self.long(component_mask(seat.component as usize));
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

    pub fn variable(&mut self, r: Reg) -> Variable {
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

    /// Reports a fault that leads nowhere.
    pub fn fail(&mut self, transition: u32, fault: Value) {
        let action = self.action(transition);
        let (fault, none) = (self.b.ins().uextend(I64, fault), self.long(0));
        self.call(Call::Fault, [action, fault, none]);
    }

    /// A statement of the process, as one number.
    pub fn action(&mut self, transition: u32) -> Value {
        let process = self.b.ins().uextend(I64, self.pid);
        let transition = self.long(u64::from(transition) << 32);
        self.b.ins().bor(process, transition)
    }

    pub fn raise_value(&mut self, fault: Value) {
        match self.exits {
            Exits::Statement { transition, executed, .. } => {
                self.fail(transition, fault);
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
                Op::ReceiveGuard { c, first, pattern, copy, or, site } => {
                    let none = self.new_block();
                    self.receive_guard(c, first, (pattern, copy), none, site)?;
                    self.fork(none, (or, at.1), on, true, route);
                    return Ok(());
                }
                op => {
                    self.plain(op)?;
                    let facts = self.facts;
                    self.now.registers.step(facts, self.proctype, op);
                    if let (Op::Pid { d }, Some(seat)) = (op, self.seat) {
                        self.now.registers.set(d, Known::Const(seat.pid as i32));
                    }
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
}

/// Where the blocks of a statement are.
struct Route<'r> {
    flow: &'r Flow,
    blocks: &'r BTreeMap<Position, Block>,
    entries: &'r mut BTreeMap<Position, Knowledge>,
}
