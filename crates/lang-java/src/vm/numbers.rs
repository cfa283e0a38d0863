//! The operand stack, and the instructions that need nothing else: numbers and their conversions.

use super::Worker;
use crate::code::{Insn, op};

impl Worker {
    // The operand stack.

    #[inline]
    pub fn push(&mut self, value: u32) {
        self.stack[self.top.sp] = value;
        self.top.sp += 1;
    }

    #[inline]
    pub fn pop(&mut self) -> u32 {
        self.top.sp -= 1;
        self.stack[self.top.sp]
    }

    /// The word so many words below the top of the stack; 1 is the top.
    #[inline]
    pub fn peek(&self, below: usize) -> u32 {
        self.stack[self.top.sp - below]
    }

    #[inline]
    pub fn push_long(&mut self, value: u64) {
        self.push(value as u32);
        self.push((value >> 32) as u32);
    }

    #[inline]
    pub fn pop_long(&mut self) -> u64 {
        let high = u64::from(self.pop());
        high << 32 | u64::from(self.pop())
    }

    #[inline]
    pub fn pop_float(&mut self) -> f32 {
        f32::from_bits(self.pop())
    }

    #[inline]
    pub fn pop_double(&mut self) -> f64 {
        f64::from_bits(self.pop_long())
    }

    #[inline(always)]
    pub(super) fn int2(&mut self, f: impl Fn(i32, i32) -> i32) {
        let b = self.pop() as i32;
        let at = self.top.sp - 1;
        self.stack[at] = f(self.stack[at] as i32, b) as u32;
        self.next();
    }

    #[inline(always)]
    pub(super) fn long2(&mut self, f: impl Fn(i64, i64) -> i64) {
        let b = self.pop_long() as i64;
        let a = self.pop_long() as i64;
        self.push_long(f(a, b) as u64);
        self.next();
    }

    #[inline(always)]
    pub(super) fn float2(&mut self, f: impl Fn(f32, f32) -> f32) {
        let b = self.pop_float();
        let a = self.pop_float();
        self.push(f(a, b).to_bits());
        self.next();
    }

    #[inline(always)]
    pub(super) fn double2(&mut self, f: impl Fn(f64, f64) -> f64) {
        let b = self.pop_double();
        let a = self.pop_double();
        self.push_long(f(a, b).to_bits());
        self.next();
    }

    pub(super) fn long_shift(&mut self, f: impl Fn(i64, u32) -> i64) {
        let by = self.pop() & 63;
        let a = self.pop_long() as i64;
        self.push_long(f(a, by) as u64);
        self.next();
    }

    #[inline(always)]
    pub(super) fn compare_int(&mut self, insn: Insn, f: impl Fn(i32, i32) -> bool) {
        let b = self.pop() as i32;
        let a = self.pop() as i32;
        self.jump_if(f(a, b), insn);
    }

    /// Copies the top `count` words below the `below` words under them.
    pub(super) fn duplicate(&mut self, count: usize, below: usize) {
        let sp = self.top.sp;
        let start = sp - count - below;
        self.stack.copy_within(start..sp, start + count);
        self.stack.copy_within(sp..sp + count, start);
        self.top.sp += count;
        self.next();
    }

    pub(super) fn convert(&mut self, code: u8) {
        match code {
            op::I2L => {
                let value = self.pop() as i32;
                self.push_long(i64::from(value) as u64);
            }
            op::I2F => {
                let value = self.pop() as i32;
                self.push((value as f32).to_bits());
            }
            op::I2D => {
                let value = self.pop() as i32;
                self.push_long(f64::from(value).to_bits());
            }
            op::L2I => {
                let value = self.pop_long();
                self.push(value as u32);
            }
            op::L2F => {
                let value = self.pop_long() as i64;
                self.push((value as f32).to_bits());
            }
            op::L2D => {
                let value = self.pop_long() as i64;
                self.push_long((value as f64).to_bits());
            }
            op::F2I => {
                let value = self.pop_float();
                self.push(value as i32 as u32);
            }
            op::F2L => {
                let value = self.pop_float();
                self.push_long(value as i64 as u64);
            }
            op::F2D => {
                let value = self.pop_float();
                self.push_long(f64::from(value).to_bits());
            }
            op::D2I => {
                let value = self.pop_double();
                self.push(value as i32 as u32);
            }
            op::D2L => {
                let value = self.pop_double();
                self.push_long(value as i64 as u64);
            }
            op::D2F => {
                let value = self.pop_double();
                self.push((value as f32).to_bits());
            }
            op::I2B => {
                let value = self.pop() as i8;
                self.push(i32::from(value) as u32);
            }
            op::I2C => {
                let value = self.pop() as u16;
                self.push(u32::from(value));
            }
            op::I2S => {
                let value = self.pop() as i16;
                self.push(i32::from(value) as u32);
            }
            op::LCMP => {
                let (b, a) = (self.pop_long() as i64, self.pop_long() as i64);
                self.push(a.cmp(&b) as i32 as u32);
            }
            op::FCMPL | op::FCMPG => {
                let (b, a) = (self.pop_float(), self.pop_float());
                let unordered = if code == op::FCMPL { -1 } else { 1 };
                self.push(a.partial_cmp(&b).map_or(unordered, |order| order as i32) as u32);
            }
            _ => {
                let (b, a) = (self.pop_double(), self.pop_double());
                let unordered = if code == op::DCMPL { -1 } else { 1 };
                self.push(a.partial_cmp(&b).map_or(unordered, |order| order as i32) as u32);
            }
        }
    }
}
