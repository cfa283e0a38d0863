//! Single instructions as native code, those on channels excepted.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{InstBuilder, Value};
use everypath_machine::FaultKind;
use everypath_machine::code::{Binary, Op, Reg, SiteId, Space, Unary};

use crate::Unsupported;
use crate::context::{Call, at};
use crate::emit::Emitter;
use crate::facts::Known;
use crate::flow::Phase;

impl Emitter<'_, '_, '_> {
    /// Instructions that go on with the next one.
    pub fn plain(&mut self, op: Op) -> Result<(), Unsupported> {
        if let Some((d, value)) = self.known_result(op) {
            let value = self.int(value);
            self.set_reg(d, value);
            return Ok(());
        }
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
            Op::Moved { .. } => return Err(Unsupported("`else` in a d_step")),
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

    /// The result of an instruction, if that is known before.
    fn known_result(&self, op: Op) -> Option<(Reg, i32)> {
        let pure = matches!(
            op,
            Op::Binary { .. }
                | Op::Unary { .. }
                | Op::Move { .. }
                | Op::Scale { .. }
                | Op::Load { .. }
                | Op::LoadAt { .. }
        );
        match self.now.registers.after(self.facts, self.proctype, op) {
            Some((d, Known::Const(value))) if pure => Some((d, value)),
            _ => None,
        }
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
}
