//! What was null: the text of a NullPointerException, from the code that threw it.

use super::{Run, Worker};
use crate::code::{Code, Descriptor, Insn, Type, java_name, op};
use crate::link::{Class, Method};

/// How far expressions are followed.
const DEEPEST: usize = 5;

impl Worker {
    /// What was null where an exception was thrown, if it is such an exception and that can be told.
    pub fn null_pointer_text(&mut self, exception: u32) -> Run<Option<String>> {
        let class = self.class("java/lang/NullPointerException")?;
        if self.class_of(exception) != class {
            return Ok(None);
        }
        let trace = self.backtrace(exception)?;
        let Some(&(method, pc)) = trace.first() else { return Ok(None) };
        let Ok(code) = method.code() else { return Ok(None) };
        Ok(Story { method, code }.tell(pc))
    }
}

struct Story {
    method: &'static Method,
    code: &'static Code,
}

/// `java.lang.Object` and `java.lang.String` are known without their package.
fn short(name: &str) -> String {
    let full = java_name(name);
    full.replace("java.lang.Object", "Object").replace("java.lang.String", "String")
}

impl Story {
    fn tell(&self, pc: u32) -> Option<String> {
        let insn = *self.code.insns.get(pc as usize)?;
        let stack = self.sources(pc)?;
        let below = |words: usize| stack.len().checked_sub(words).map(|at| stack[at]);
        let (action, null) = match insn.op {
            op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKEINTERFACE => {
                let (_, name, descriptor) = self.member(insn)?;
                if name == "<init>" {
                    return None;
                }
                let words = Descriptor::of(descriptor)?.words + 1;
                (format!("invoke \"{}\"", self.call(insn)?), below(words)?)
            }
            op::GETFIELD => (format!("read field \"{}\"", self.member(insn)?.1), below(1)?),
            op::PUTFIELD => {
                let (_, name, descriptor) = self.member(insn)?;
                let words = Type::of(descriptor)?.words() + 1;
                (format!("assign field \"{name}\""), below(words)?)
            }
            op::ARRAYLENGTH => ("read the array length".to_owned(), below(1)?),
            op::ATHROW => ("throw exception".to_owned(), below(1)?),
            op::MONITORENTER => ("enter synchronized block".to_owned(), below(1)?),
            op::MONITOREXIT => ("exit synchronized block".to_owned(), below(1)?),
            op::IALOAD..=op::SALOAD => {
                (format!("load from {} array", element(insn.op - op::IALOAD)), below(2)?)
            }
            op::IASTORE..=op::SASTORE => {
                let kind = insn.op - op::IASTORE;
                let words = if matches!(insn.op, op::LASTORE | op::DASTORE) { 4 } else { 3 };
                (format!("store to {} array", element(kind)), below(words)?)
            }
            _ => return None,
        };
        let reason = null.and_then(|source| {
            let insn = self.code.insns[source as usize];
            if matches!(insn.op, op::INVOKEVIRTUAL..=op::INVOKEINTERFACE) {
                return Some(format!("the return value of \"{}\"", self.call(insn)?));
            }
            Some(format!("\"{}\"", self.expression(source, DEEPEST)?))
        });
        Some(match reason {
            Some(reason) => format!("Cannot {action} because {reason} is null"),
            None => format!("Cannot {action}"),
        })
    }

    fn class(&self) -> &'static Class {
        self.method.class
    }

    fn member(&self, insn: Insn) -> Option<(&'static str, &'static str, &'static str)> {
        let file = self.class().file.as_ref()?;
        file.pool.member(&file.bytes, insn.a).ok()
    }

    /// `C.m(P)`.
    fn call(&self, insn: Insn) -> Option<String> {
        let (class, name, descriptor) = self.member(insn)?;
        let types = Descriptor::of(descriptor)?;
        let parameters: Vec<String> = types
            .parameters
            .iter()
            .map(|kind| match kind {
                Type::Reference(name) => short(name),
                kind => kind.java(),
            })
            .collect();
        Some(format!("{}.{name}({})", short(class), parameters.join(", ")))
    }

    /// The expression whose value an instruction pushed.
    fn expression(&self, pc: u32, depth: usize) -> Option<String> {
        if depth == 0 {
            return None;
        }
        let insn = *self.code.insns.get(pc as usize)?;
        let stack = || self.sources(pc);
        let operand = |words: usize| {
            let stack = stack()?;
            self.expression(stack[stack.len().checked_sub(words)?]?, depth - 1)
        };
        Some(match insn.op {
            op::ACONST_NULL => "null".to_owned(),
            op::ICONST => (insn.b as i32).to_string(),
            op::ILOAD | op::ALOAD => self.local(pc, insn.a),
            op::GETSTATIC | op::ASSERTING => {
                let (class, name, _) = self.member(insn)?;
                format!("{}.{name}", short(class))
            }
            op::GETFIELD => {
                let name = self.member(insn)?.1;
                match operand(1) {
                    Some(object) => format!("{object}.{name}"),
                    None => name.to_owned(),
                }
            }
            op::IALOAD..=op::SALOAD => {
                let array = operand(2)?;
                let index = operand(1).unwrap_or_else(|| "...".to_owned());
                format!("{array}[{index}]")
            }
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => self.call(insn)?,
            _ => return None,
        })
    }

    fn local(&self, pc: u32, slot: u16) -> String {
        if slot == 0 && !self.method.is_static() {
            return "this".to_owned();
        }
        if let Some(name) = self.code.local_name(pc, slot) {
            return name.to_owned();
        }
        let mut at = u16::from(!self.method.is_static());
        for (index, parameter) in self.method.descriptor.parameters.iter().enumerate() {
            if at == slot {
                return format!("<parameter{}>", index + 1);
            }
            at += parameter.words() as u16;
        }
        format!("<local{slot}>")
    }

    /// For each word on the stack before an instruction the instruction that pushed it, if that is the
    /// same on all ways there.
    fn sources(&self, pc: u32) -> Option<Vec<Option<u32>>> {
        let count = self.code.insns.len();
        let mut states: Vec<Option<Vec<Option<u32>>>> = vec![None; count];
        let mut work = vec![0u32];
        states[0] = Some(Vec::new());
        for handler in &self.code.handlers {
            states[handler.target as usize] = Some(vec![None]);
            work.push(handler.target);
        }
        while let Some(at) = work.pop() {
            let mut stack = states[at as usize].clone()?;
            let insn = self.code.insns[at as usize];
            self.execute(at, insn, &mut stack)?;
            let mut next = Vec::new();
            self.code.successors(at, |pc| next.push(pc));
            for target in next {
                let state = states.get_mut(target as usize)?;
                match state {
                    None => {
                        *state = Some(stack.clone());
                        work.push(target);
                    }
                    Some(old) => {
                        let mut changed = false;
                        for (old, new) in old.iter_mut().zip(&stack) {
                            if *old != *new && old.is_some() {
                                *old = None;
                                changed = true;
                            }
                        }
                        if changed {
                            work.push(target);
                        }
                    }
                }
            }
        }
        states[pc as usize].take()
    }

    fn execute(&self, pc: u32, insn: Insn, stack: &mut Vec<Option<u32>>) -> Option<()> {
        let duplicate = |stack: &mut Vec<Option<u32>>, count: usize, below: usize| {
            let at = stack.len().checked_sub(count + below)?;
            let top = stack[stack.len() - count..].to_vec();
            stack.splice(at..at, top);
            Some(())
        };
        match insn.op {
            op::DUP => duplicate(stack, 1, 0),
            op::DUP_X1 => duplicate(stack, 1, 1),
            op::DUP_X2 => duplicate(stack, 1, 2),
            op::DUP2 => duplicate(stack, 2, 0),
            op::DUP2_X1 => duplicate(stack, 2, 1),
            op::DUP2_X2 => duplicate(stack, 2, 2),
            op::SWAP => {
                let last = stack.len().checked_sub(2)?;
                stack.swap(last, last + 1);
                Some(())
            }
            // The value stays what it was.
            op::CHECKCAST => Some(()),
            _ => {
                let (taken, given) = self.class().effect(insn)?;
                stack.truncate(stack.len().checked_sub(taken)?);
                stack.extend(std::iter::repeat_n(Some(pc), given));
                Some(())
            }
        }
    }
}

/// The kind of array that a load or store is for, counted from that of ints.
fn element(kind: u8) -> &'static str {
    ["int", "long", "float", "double", "object", "byte/boolean", "char", "short"]
        [usize::from(kind).min(7)]
}
