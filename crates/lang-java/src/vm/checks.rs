//! Checks of code whose types could not be told beforehand: before each instruction that relies on the
//! class of an object, its class is looked at.

use super::{Failure, Run, Trap, Worker};
use crate::classfile::flags;
use crate::code::{Insn, Meaning, Type, op};
use crate::link::{Class, Kind};

impl Worker {
    /// Looks at the objects that an instruction is going to use.
    #[cold]
    pub(super) fn check_operands(&mut self, insn: Insn) -> Run<()> {
        let class = self.top.method.class;
        let registry = &self.vm.registry;
        match insn.op {
            op::GETFIELD | op::PUTFIELD | op::PUTSTATIC => {
                let Ok(field) = class.field_at(registry, insn.a) else { return Ok(()) };
                let given = if insn.op == op::GETFIELD { 0 } else { field.kind.words() };
                if given > 0 {
                    self.check_type(self.peek(1), &field.kind.clone())?;
                }
                if insn.op != op::PUTSTATIC {
                    self.check_class(self.peek(1 + given), field.class)?;
                }
            }
            op::IALOAD..=op::SALOAD => self.check_array(self.peek(2), insn.op)?,
            op::IASTORE..=op::SASTORE => {
                let wide = usize::from(matches!(insn.op, op::LASTORE | op::DASTORE));
                self.check_array(self.peek(3 + wide), insn.op - (op::IASTORE - op::IALOAD))?;
            }
            op::ARRAYLENGTH => {
                let array = self.peek(1);
                if array != 0 && self.class_of(array).element().is_none() {
                    return Err(self.mistyped(array, "an array"));
                }
            }
            op::ATHROW => {
                let wanted = self.class("java/lang/Throwable")?;
                self.check_class(self.peek(1), wanted)?;
            }
            op::ARETURN => {
                let result = self.top.method.descriptor.result.clone();
                self.check_type(self.peek(1), &result)?;
            }
            op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => {
                let Meaning::Call(call) = class.meaning(insn) else { return Ok(()) };
                let mut at = self.top.sp - call.words;
                let receiver = self.stack[at.saturating_sub(1)];
                for parameter in &call.parameters {
                    self.check_type(self.stack[at], parameter)?;
                    at += parameter.words();
                }
                if matches!(insn.op, op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKEINTERFACE)
                    && let Some(owner) = class.owner_at(insn)
                {
                    self.check_type(receiver, &Type::Reference(owner))?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn mistyped(&self, object: u32, wanted: &str) -> Trap {
        let found = self.class_of(object).get_name();
        let method = self.top.method.full_name();
        let text = format!("class file: method {method} uses an object of {found} as {wanted}");
        Trap::Fail(Failure::Linkage("java/lang/VerifyError", text))
    }

    /// Interfaces are checked when one of their methods is called.
    fn check_class(&self, object: u32, wanted: &'static Class) -> Run<()> {
        let fits = object == 0
            || wanted.is(flags::INTERFACE)
            || self.class_of(object).is_subtype_of(wanted);
        if fits { Ok(()) } else { Err(self.mistyped(object, &wanted.get_name())) }
    }

    fn check_type(&self, object: u32, wanted: &Type) -> Run<()> {
        match wanted {
            Type::Reference(name) if object != 0 => match self.class_here(name) {
                Ok(class) => self.check_class(object, class),
                // What the loader was not asked for is looked at where it is used.
                Err(_) if self.top.method.class.space != 0 => Ok(()),
                Err(_) => Err(self.mistyped(object, &wanted.java())),
            },
            _ => Ok(()),
        }
    }

    fn check_array(&self, array: u32, load: u8) -> Run<()> {
        if array == 0 {
            return Ok(());
        }
        let kinds: &[u8] = match load {
            op::IALOAD => b"I",
            op::LALOAD => b"J",
            op::FALOAD => b"F",
            op::DALOAD => b"D",
            op::BALOAD => b"BZ",
            op::CALOAD => b"C",
            op::SALOAD => b"S",
            _ => b"L",
        };
        let kind = match self.class_of(array).element() {
            Some(Class { kind: Kind::Primitive(kind), .. }) => *kind,
            Some(_) => b'L',
            None => b'?',
        };
        if kinds.contains(&kind) {
            Ok(())
        } else {
            Err(self.mistyped(array, "an array of that kind"))
        }
    }
}
