//! The interpreter: executes the current thread until it has to stop.

use super::cut::INTERVAL;
use super::{Failure, Run, Trap, Worker, too_long};
use crate::classfile::flags;
use crate::code::{Insn, op};
use crate::link::Kind;

impl Worker {
    /// Executes until something stops the thread; exceptions are dispatched to their handlers.
    pub fn run(&mut self) -> Trap {
        if self.vm.settings.coverage {
            return self.run_covered();
        }
        if self.watch.is_some() {
            return self.run_watched();
        }
        if self.vm.observed.is_on() {
            return self.run_observed();
        }
        if self.cut.is_some() {
            return self.run_to_cut();
        }
        loop {
            let trap = match self.execute() {
                Ok(never) => match never {},
                Err(trap) => trap,
            };
            let exception = match trap {
                Trap::Throw(exception) => exception,
                Trap::Spent => return too_long(),
                Trap::Cut => return self.run_to_cut(),
                trap => return trap,
            };
            if let Err(trap) = self.unwind(exception) {
                return trap;
            }
        }
    }

    pub(super) fn execute(&mut self) -> Run<std::convert::Infallible> {
        loop {
            if self.budget & INTERVAL == 0 {
                self.take_stock()?;
            }
            let insn = self.top.code.insns[self.top.pc as usize];
            self.executed += 1;
            if self.budget == self.floor {
                return Err(Trap::Spent);
            }
            self.budget -= 1;
            if self.top.code.typed.get() == Some(&false) {
                self.check_operands(insn)?;
            }
            if let Err(trap) = self.instruction(insn) {
                self.ask_loader(trap)?;
            }
        }
    }

    #[inline]
    pub(super) fn next(&mut self) {
        self.top.pc += 1;
    }

    #[inline]
    pub(super) fn jump_if(&mut self, condition: bool, insn: Insn) {
        self.top.pc = if condition { insn.b } else { self.top.pc + 1 };
    }

    #[inline]
    fn instruction(&mut self, insn: Insn) -> Run<()> {
        match insn.op {
            op::NOP => self.next(),
            op::ACONST_NULL => {
                self.push(0);
                self.next();
            }
            op::ICONST => {
                self.push(insn.b);
                self.next();
            }
            op::LCONST => {
                self.push_long(u64::from(insn.b));
                self.next();
            }
            op::DCONST => {
                self.push_long(f64::from(insn.b).to_bits());
                self.next();
            }
            op::LDC => {
                let Some(value) = self.constant(insn.a)? else {
                    return self.load_held(insn.a);
                };
                self.push(value);
                self.next();
            }
            op::LDC2 => {
                let value = self.wide_constant(insn.a)?;
                self.push_long(value);
                self.next();
            }
            op::ILOAD | op::ALOAD => {
                let value = self.stack[self.top.locals + usize::from(insn.a)];
                self.push(value);
                self.next();
            }
            op::LLOAD => {
                let at = self.top.locals + usize::from(insn.a);
                let (low, high) = (self.stack[at], self.stack[at + 1]);
                self.push(low);
                self.push(high);
                self.next();
            }
            op::ISTORE | op::ASTORE => {
                let value = self.pop();
                self.stack[self.top.locals + usize::from(insn.a)] = value;
                self.next();
            }
            op::LSTORE => {
                let high = self.pop();
                let low = self.pop();
                let at = self.top.locals + usize::from(insn.a);
                self.stack[at] = low;
                self.stack[at + 1] = high;
                self.next();
            }
            op::IALOAD..=op::SALOAD => self.array_load(insn)?,
            op::IASTORE..=op::SASTORE => self.array_store(insn)?,
            op::POP => {
                self.pop();
                self.next();
            }
            op::POP2 => {
                self.top.sp -= 2;
                self.next();
            }
            op::DUP => {
                let top = self.peek(1);
                self.push(top);
                self.next();
            }
            op::DUP_X1 => self.duplicate(1, 1),
            op::DUP_X2 => self.duplicate(1, 2),
            op::DUP2 => self.duplicate(2, 0),
            op::DUP2_X1 => self.duplicate(2, 1),
            op::DUP2_X2 => self.duplicate(2, 2),
            op::SWAP => {
                let sp = self.top.sp;
                self.stack.swap(sp - 1, sp - 2);
                self.next();
            }
            op::IADD => self.int2(i32::wrapping_add),
            op::ISUB => self.int2(i32::wrapping_sub),
            op::IMUL => self.int2(i32::wrapping_mul),
            op::IDIV | op::IREM => {
                if self.peek(1) == 0 {
                    return Err(self.by_zero());
                }
                if insn.op == op::IDIV {
                    self.int2(i32::wrapping_div);
                } else {
                    self.int2(i32::wrapping_rem);
                }
            }
            op::LADD => self.long2(i64::wrapping_add),
            op::LSUB => self.long2(i64::wrapping_sub),
            op::LMUL => self.long2(i64::wrapping_mul),
            op::LDIV | op::LREM => {
                if self.peek(1) == 0 && self.peek(2) == 0 {
                    return Err(self.by_zero());
                }
                if insn.op == op::LDIV {
                    self.long2(i64::wrapping_div);
                } else {
                    self.long2(i64::wrapping_rem);
                }
            }
            op::FADD => self.float2(|a, b| a + b),
            op::FSUB => self.float2(|a, b| a - b),
            op::FMUL => self.float2(|a, b| a * b),
            op::FDIV => self.float2(|a, b| a / b),
            op::FREM => self.float2(|a, b| a % b),
            op::DADD => self.double2(|a, b| a + b),
            op::DSUB => self.double2(|a, b| a - b),
            op::DMUL => self.double2(|a, b| a * b),
            op::DDIV => self.double2(|a, b| a / b),
            op::DREM => self.double2(|a, b| a % b),
            op::INEG => {
                let value = self.pop() as i32;
                self.push(value.wrapping_neg() as u32);
                self.next();
            }
            op::LNEG => {
                let value = self.pop_long() as i64;
                self.push_long(value.wrapping_neg() as u64);
                self.next();
            }
            op::FNEG => {
                let value = self.pop_float();
                self.push((-value).to_bits());
                self.next();
            }
            op::DNEG => {
                let value = self.pop_double();
                self.push_long((-value).to_bits());
                self.next();
            }
            op::ISHL => self.int2(|a, b| a.wrapping_shl(b as u32)),
            op::ISHR => self.int2(|a, b| a.wrapping_shr(b as u32)),
            op::IUSHR => self.int2(|a, b| (a as u32).wrapping_shr(b as u32) as i32),
            op::LSHL => self.long_shift(|a, b| a << b),
            op::LSHR => self.long_shift(|a, b| a >> b),
            op::LUSHR => self.long_shift(|a, b| (a as u64 >> b) as i64),
            op::IAND => self.int2(|a, b| a & b),
            op::IOR => self.int2(|a, b| a | b),
            op::IXOR => self.int2(|a, b| a ^ b),
            op::LAND => self.long2(|a, b| a & b),
            op::LOR => self.long2(|a, b| a | b),
            op::LXOR => self.long2(|a, b| a ^ b),
            op::IINC => {
                let at = self.top.locals + usize::from(insn.a);
                self.stack[at] = self.stack[at].wrapping_add(insn.b);
                self.next();
            }
            op::I2L..=op::DCMPG => {
                self.convert(insn.op);
                self.next();
            }
            op::IFEQ => {
                let value = self.pop();
                self.jump_if(value == 0, insn);
            }
            op::IFNE => {
                let value = self.pop();
                self.jump_if(value != 0, insn);
            }
            op::IFLT => {
                let value = self.pop() as i32;
                self.jump_if(value < 0, insn);
            }
            op::IFGE => {
                let value = self.pop() as i32;
                self.jump_if(value >= 0, insn);
            }
            op::IFGT => {
                let value = self.pop() as i32;
                self.jump_if(value > 0, insn);
            }
            op::IFLE => {
                let value = self.pop() as i32;
                self.jump_if(value <= 0, insn);
            }
            op::IF_ICMPEQ | op::IF_ACMPEQ => self.compare_int(insn, |a, b| a == b),
            op::IF_ICMPNE | op::IF_ACMPNE => self.compare_int(insn, |a, b| a != b),
            op::IF_ICMPLT => self.compare_int(insn, |a, b| a < b),
            op::IF_ICMPGE => self.compare_int(insn, |a, b| a >= b),
            op::IF_ICMPGT => self.compare_int(insn, |a, b| a > b),
            op::IF_ICMPLE => self.compare_int(insn, |a, b| a <= b),
            op::GOTO => self.top.pc = insn.b,
            op::TABLESWITCH | op::LOOKUPSWITCH => {
                let key = self.pop() as i32;
                let switch = &self.top.code.switches[insn.b as usize];
                let found = switch.cases.binary_search_by_key(&key, |&(key, _)| key);
                self.top.pc = found.map_or(switch.default, |case| switch.cases[case].1);
            }
            op::IRETURN | op::ARETURN => {
                let value = self.pop();
                if self.picks.is_some() {
                    self.note_returned([value, 0]);
                }
                self.leave()?;
                self.push(value);
            }
            op::LRETURN => {
                let value = self.pop_long();
                if self.picks.is_some() {
                    self.note_returned([value as u32, (value >> 32) as u32]);
                }
                self.leave()?;
                self.push_long(value);
            }
            op::RETURN => self.leave()?,
            op::GETSTATIC => self.static_get(insn)?,
            op::ASSERTING => self.asserting(insn)?,
            op::PUTSTATIC => self.static_put(insn)?,
            op::GETFIELD => self.field_get(insn)?,
            op::PUTFIELD => self.field_put(insn)?,
            op::INVOKEVIRTUAL | op::INVOKEINTERFACE => self.invoke_virtual(insn)?,
            op::INVOKESPECIAL => self.invoke_special(insn)?,
            op::INVOKESTATIC => self.invoke_static(insn)?,
            op::INVOKEDYNAMIC => self.invoke_dynamic(insn)?,
            op::NEW => {
                let class = self.class_at(insn.a)?;
                if class.is(flags::ABSTRACT) || class.kind != Kind::Instance {
                    let text = class.get_name();
                    return Err(self.throw("java/lang/InstantiationError", Some(&text)));
                }
                if !self.initialise(class)? {
                    return Ok(());
                }
                let object = self.new_instance(class)?;
                self.push(object);
                self.next();
            }
            op::NEWARRAY => {
                let length = self.peek(1) as i32;
                let kind = match insn.x {
                    4 => b'Z',
                    5 => b'C',
                    6 => b'F',
                    7 => b'D',
                    8 => b'B',
                    9 => b'S',
                    10 => b'I',
                    _ => b'J',
                };
                let element = self.vm.registry.primitive(kind);
                self.new_array_of(element, length)?;
            }
            op::ANEWARRAY => {
                let length = self.peek(1) as i32;
                let element = self.class_at(insn.a)?;
                self.new_array_of(element, length)?;
            }
            op::MULTIANEWARRAY => {
                let class = self.class_at(insn.a)?;
                let count = usize::from(insn.x);
                let sp = self.top.sp;
                let lengths: Vec<i32> =
                    self.stack[sp - count..sp].iter().map(|&length| length as i32).collect();
                let array = self.multi_array(class, &lengths)?;
                self.top.sp -= count;
                self.push(array);
                self.next();
            }
            op::ARRAYLENGTH => {
                let array = self.peek(1);
                if array == 0 {
                    return Err(self.null_pointer());
                }
                let length = self.array_length(array);
                self.pop();
                self.push(length);
                self.next();
            }
            op::ATHROW => {
                let exception = self.peek(1);
                if exception == 0 {
                    return Err(self.null_pointer());
                }
                return Err(Trap::Throw(exception));
            }
            op::CHECKCAST => {
                let object = self.peek(1);
                if object != 0 {
                    let class = self.class_at(insn.a)?;
                    if !self.class_of(object).is_subtype_of(class) {
                        return Err(self.class_cast(object, class));
                    }
                }
                self.next();
            }
            op::INSTANCEOF => {
                let object = self.peek(1);
                let mut answer = false;
                if object != 0 {
                    let class = self.class_at(insn.a)?;
                    answer = self.class_of(object).is_subtype_of(class);
                }
                self.pop();
                self.push(u32::from(answer));
                self.next();
            }
            op::MONITORENTER => {
                let object = self.peek(1);
                self.enter(object)?;
                self.pop();
                self.next();
            }
            op::MONITOREXIT => {
                let object = self.peek(1);
                self.exit_monitor(object)?;
                self.pop();
                self.next();
            }
            op::IFNULL => {
                let value = self.pop();
                self.jump_if(value == 0, insn);
            }
            op::IFNONNULL => {
                let value = self.pop();
                self.jump_if(value != 0, insn);
            }
            op::INITIALISE => self.initialise_parents()?,
            op::THREAD_END => return self.end_thread(),
            other => {
                let text = format!("there is no instruction {other}");
                return Err(Trap::Fail(Failure::Broken(text)));
            }
        }
        Ok(())
    }

    fn by_zero(&mut self) -> Trap {
        self.throw("java/lang/ArithmeticException", Some("/ by zero"))
    }

    fn new_array_of(&mut self, element: &'static crate::link::Class, length: i32) -> Run<()> {
        let class = match self.vm.registry.array_of(element) {
            Ok(class) => class,
            Err(error) => return Err(self.load_failure(error)),
        };
        let array = self.new_array(class, length)?;
        self.pop();
        self.push(array);
        self.next();
        Ok(())
    }
}
