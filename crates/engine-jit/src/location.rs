//! The statements of locations, tried in order, as native code.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, BlockCall, InstBuilder, JumpTableData, Value};
use everypath_machine::code::{Op, Space};
use everypath_machine::{FaultKind, Machine, TransitionKind};

use crate::Unsupported;
use crate::context::at;
use crate::emit::{Emitter, Exits};
use crate::facts::{Facts, Known, Registers};
use crate::flow::{Flow, Mode, Phase};

/// A set of channels: the bits of their numbers, cut to six bits each.
pub(crate) type Channels = u64;

/// Any channel.
const ANY: Channels = u64::MAX;

/// The set with one channel.
#[inline]
pub(crate) fn channels_of(channel: u64) -> Channels {
    1 << (channel & 63)
}

/// The channels with which a statement can have a part in a rendezvous as the receiver: because it may
/// receive from them, or because it may fail when it is tried.
fn joins(machine: &Machine, facts: &Facts, ty: usize, transition: u32) -> Channels {
    let statement = &machine.transitions[transition as usize];
    if statement.kind != TransitionKind::Code {
        return 0;
    }
    let Some(ops) = Flow::guard_ops(machine, statement.code) else { return ANY };
    let fails = |op: &Op| {
        matches!(
            op,
            Op::Bound { .. }
                | Op::NonZero { .. }
                | Op::Probe { .. }
                | Op::Poll { .. }
                | Op::Enabled { .. }
                | Op::Moved { .. }
                | Op::Done
        )
    };
    let jumps =
        |op: &Op| matches!(op, Op::Jump { .. } | Op::JumpIfZero { .. } | Op::JumpIfNotZero { .. });
    if ops.iter().any(fails) {
        return ANY;
    }
    let receives = ops.iter().filter(|op| matches!(op, Op::ReceiveGuard { .. })).count();
    match receives {
        0 => 0,
        // Up to the receive, the instructions are in order.
        1 if !ops.iter().any(jumps) => {
            let mut registers = Registers::new();
            for op in ops {
                if let Op::ReceiveGuard { c, .. } = op {
                    return match registers.get(c) {
                        Known::Const(id) if id > 0 => channels_of(id as u64 - 1),
                        _ => ANY,
                    };
                }
                registers.step(facts, Some(ty as u16), op);
            }
            ANY
        }
        _ => ANY,
    }
}

/// The channels with which a process at a location can be the receiver in a rendezvous.
pub(crate) fn may_receive(
    machine: &Machine,
    facts: &Facts,
    ty: usize,
    location: usize,
) -> Channels {
    let edges = &machine.proctypes[ty].locations[location].edges;
    edges.iter().fold(0, |all, edge| all | joins(machine, facts, ty, edge.transition))
}

impl Emitter<'_, '_, '_> {
    /// All moves of a process that is at one of some locations; 0 if it is at another one.
    pub fn piece(&mut self, locations: &[usize]) -> Result<(), Unsupported> {
        let Some(ty) = self.proctype else { return Err(Unsupported("no proctype")) };
        let machine = self.machine;
        let proctype = &machine.proctypes[usize::from(ty)];
        let (elsewhere, done) = (self.new_block(), self.new_block());
        self.b.set_cold_block(elsewhere);
        let mut blocks = vec![elsewhere; locations.iter().max().map_or(0, |last| last + 1)];
        for &location in locations {
            blocks[location] = match self.may_move(location) {
                true => self.new_block(),
                false => done,
            };
        }
        self.phase = Phase::Guard;
        let here = self.word(Space::Local, machine.head.location.bit >> 5);
        let here = self.extract(here, machine.head.location);
        if let Some(provided) = proctype.provided {
            let mode = std::mem::replace(&mut self.mode, Mode::Moves);
            let value = self.expression(provided)?;
            self.mode = mode;
            let on = self.new_block();
            self.branch(value, on, done);
            self.go_on(on);
        }
        let pool = &mut self.b.func.dfg.value_lists;
        let mut call = |block: Block| BlockCall::new(block, [], pool);
        let other = call(elsewhere);
        let calls: Vec<BlockCall> = blocks.iter().map(|&block| call(block)).collect();
        let table = self.b.create_jump_table(JumpTableData::new(other, &calls));
        self.b.ins().br_table(here, table);
        for &location in locations {
            if blocks[location] != done {
                self.go_on(blocks[location]);
                self.location(location, done)?;
            }
        }
        for (block, value) in [(done, 1), (elsewhere, 0)] {
            self.go_on(block);
            let value = self.int(value);
            self.b.ins().return_(&[value]);
        }
        Ok(())
    }

    /// Whether there may be a move at a location.
    fn may_move(&self, location: usize) -> bool {
        let Some(ty) = self.proctype else { return true };
        let ty = usize::from(ty);
        match self.mode {
            Mode::Moves => !self.machine.proctypes[ty].locations[location].edges.is_empty(),
            Mode::Handshake => may_receive(self.machine, self.facts, ty, location) != 0,
        }
    }

    /// All moves of a process that is at a location.
    fn location(&mut self, location: usize, end: Block) -> Result<(), Unsupported> {
        let Some(ty) = self.proctype else { return Err(Unsupported("no proctype")) };
        let machine = self.machine;
        let proctype = &machine.proctypes[usize::from(ty)];
        let edges = &proctype.locations[location].edges;
        let (executable, escape) = (self.b.declare_var(I32), self.b.declare_var(I32));
        let zero = self.int(0);
        self.b.def_var(executable, zero);
        self.b.def_var(escape, zero);
        let escapes = edges.iter().any(|edge| edge.escape != 0);
        for edge in edges {
            if escapes {
                // Once a statement of an escape was executed, only those of this escape are.
                let taken = self.b.use_var(escape);
                let (check, on) = (self.new_block(), self.new_block());
                self.branch(taken, check, on);
                self.go_on(check);
                let mine = self.int(i32::from(edge.escape));
                let same = self.b.ins().icmp(IntCC::Equal, taken, mine);
                self.branch(same, on, end);
                self.go_on(on);
            }
            let (executed, skipped) = (self.new_block(), self.new_block());
            let transition = edge.transition;
            let statement = &machine.transitions[transition as usize];
            match statement.kind {
                TransitionKind::Else | TransitionKind::End if self.mode == Mode::Handshake => {
                    self.jump(skipped);
                }
                TransitionKind::Else => {
                    let before = self.b.use_var(executable);
                    let on = self.new_block();
                    self.branch(before, skipped, on);
                    self.go_on(on);
                    (self.asserts, self.runs) = (false, false);
                    self.begin_target();
                    self.finish(transition);
                    self.jump(executed);
                }
                TransitionKind::End => self.end(transition, executed, skipped),
                TransitionKind::Code => {
                    self.code(statement.code, Exits::Statement { transition, executed, skipped })?;
                }
            }
            self.go_on(executed);
            if proctype.deterministic && machine.is_choice(statement) {
                let before = self.b.use_var(executable);
                let (second, on) = (self.new_block(), self.new_block());
                self.b.set_cold_block(second);
                self.branch(before, second, on);
                self.go_on(second);
                let fault = (FaultKind::Nondeterminism as u32) << 24 | transition;
                let fault = self.int(fault as i32);
                self.fail(transition, fault);
                self.jump(on);
                self.go_on(on);
            }
            let one = self.int(1);
            self.b.def_var(executable, one);
            let mine = self.int(i32::from(edge.escape));
            self.b.def_var(escape, mine);
            self.jump(skipped);
            self.go_on(skipped);
        }
        self.jump(end);
        Ok(())
    }

    /// The youngest process ends.
    fn end(&mut self, transition: u32, executed: Block, skipped: Block) {
        let count = self.context_load(I64, at::PROCESS_COUNT);
        let wide = self.b.ins().uextend(I64, self.pid);
        let one = self.long(1);
        let next = self.b.ins().iadd(wide, one);
        let youngest = self.b.ins().icmp(IntCC::Equal, next, count);
        let on = self.new_block();
        self.branch(youngest, on, skipped);
        self.go_on(on);
        let target = self.context_load(I64, at::TARGET);
        let words = match self.seat {
            Some(seat) => {
                self.copy_straight(target, seat.offset);
                self.long(u64::from(seat.offset))
            }
            None => {
                let length = self.b.ins().isub(self.record, self.state);
                let two = self.long(2);
                let words = self.b.ins().ushr(length, two);
                self.copy_by_loop(target, words);
                words
            }
        };
        if let Some(last) = self.machine.last {
            let offset = (self.machine.hidden_words + (last.bit >> 5)) as i32 * 4;
            let (source, state, pid) = (self.memory.source, self.state, self.pid);
            let old = self.load(I32, source, state, offset);
            let new = self.replace(old, last, pid);
            self.b.ins().store(self.memory.target, new, target, offset);
        }
        let all = self.long(u64::MAX);
        self.step(transition, target, Some(words), all);
        self.jump(executed);
    }

    /// The value of an expression; 0 if it cannot be evaluated.
    pub fn expression(&mut self, code: u32) -> Result<Value, Unsupported> {
        let block = self.new_block();
        let value = self.b.append_block_param(block, I32);
        self.phase = Phase::Guard;
        self.code(code, Exits::Value(block))?;
        self.go_on(block);
        Ok(value)
    }
}
