//! The calls that a thread is inside of, and what it is about to read or write.

use everypath_model::Value;

use super::paths::Paths;
use super::values::{field_name, simple_name};
use crate::code::{Insn, Point, op};
use crate::link::{Field, Method};
use crate::vm::{OWN_CLASS, Status, Worker, header};

/// One frame of a thread.
pub(crate) struct Call {
    pub method: &'static Method,
    pub pc: u32,
    /// Locals, then the stack.
    pub words: Vec<u32>,
}

impl Call {
    /// Whether it is code that the user knows.
    pub fn is_program(&self) -> bool {
        !self.method.class.library && !self.method.class.hidden && !self.is_own()
    }

    /// Whether it is code of the virtual machine itself.
    pub fn is_own(&self) -> bool {
        &*self.method.class.name == OWN_CLASS
    }

    pub(super) fn point(&self) -> Option<&'static Point> {
        let code = self.method.code().ok()?;
        self.method.flow(code).ok()?.at(self.pc)
    }

    pub fn insn(&self) -> Option<Insn> {
        self.method.code().ok()?.insns.get(self.pc as usize).copied()
    }

    /// The word so many words below the top of the stack; 1 is the top.
    pub fn peek(&self, below: usize) -> Option<u32> {
        let at = self.words.len().checked_sub(below)?;
        Some(self.words[at])
    }

    /// `app.Main.run(Main.java:12)`, as stack traces have it.
    pub fn text(&self) -> String {
        frame_text(self.method, self.pc)
    }
}

/// A line of a stack trace.
pub(crate) fn frame_text(method: &Method, pc: u32) -> String {
    let class = method.class;
    let file = class.file.as_ref().and_then(|file| file.source_file());
    let line = method.code().ok().and_then(|code| code.line(pc));
    let place = match (file, line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (Some(file), None) => file.to_owned(),
        _ => "Unknown Source".to_owned(),
    };
    format!("{}.{}({place})", class.get_name(), method.name)
}

/// What a thread reads or writes.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    Static(&'static Field),
    Field(u32, &'static Field),
    Element(u32, u32),
}

/// What the next instruction of a thread does to memory that others can see.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    pub target: Target,
    pub write: bool,
}

impl Worker {
    /// The calls that a thread is inside of, outermost first.
    pub(crate) fn calls(&self, thread: usize) -> Vec<Call> {
        let mut content = Vec::new();
        self.heap.read(&self.vm.dictionary, self.threads[thread], &mut content);
        let mut at = header::WORDS as usize;
        let mut calls = Vec::new();
        while at + 1 < content.len() {
            let method = self.vm.registry.method_of(content[at]);
            let (pc, depth) = (content[at + 1] >> 16, content[at + 1] & 0xffff);
            let Ok(code) = method.code() else { break };
            let used = usize::from(code.max_locals) + depth as usize;
            let Some(words) = content.get(at + 2..at + 2 + used) else { break };
            calls.push(Call { method, pc, words: words.to_vec() });
            at += 2 + used;
        }
        calls
    }

    /// What a thread is about to read or write.
    pub(crate) fn next_access(&self, thread: usize) -> Option<Access> {
        if self.status(thread) != Status::Ready {
            return None;
        }
        let call = self.calls(thread).pop()?;
        let insn = call.insn()?;
        let field = || call.method.class.field_at(&self.vm.registry, insn.a).ok();
        let known = |field: &Field| !self.heap.statics(&self.vm.base, field.class.id).is_none();
        let element = |array: u32, index: u32, write| {
            let inside = array != 0 && index < self.array_length(array);
            inside.then_some(Access { target: Target::Element(array, index), write })
        };
        match insn.op {
            op::GETSTATIC | op::PUTSTATIC => {
                // A class that is not initialised yet has no values.
                let field = field().filter(|field| known(field))?;
                Some(Access { target: Target::Static(field), write: insn.op == op::PUTSTATIC })
            }
            op::GETFIELD | op::PUTFIELD => {
                let (field, write) = (field()?, insn.op == op::PUTFIELD);
                let below = if write { 1 + field.kind.words() } else { 1 };
                let object = call.peek(below).filter(|&object| object != 0)?;
                Some(Access { target: Target::Field(object, field), write })
            }
            op::IALOAD..=op::SALOAD => element(call.peek(2)?, call.peek(1)?, false),
            op::LASTORE | op::DASTORE => element(call.peek(4)?, call.peek(3)?, true),
            op::IASTORE..=op::SASTORE => element(call.peek(3)?, call.peek(2)?, true),
            _ => None,
        }
    }

    /// The name of what is read or written, if the program has one for it.
    pub(crate) fn target_name(&self, paths: &Paths, target: Target) -> Option<String> {
        match target {
            Target::Static(field) if field.class.library => None,
            Target::Static(field) => Some(format!("{}.{}", simple_name(field.class), field.name)),
            Target::Field(_, field) if &*field.class.name == "java/lang/Thread" => None,
            Target::Field(object, field) if field.class.library => {
                let name = paths.known(object)?;
                let atomic = field.class.name.starts_with("java/util/concurrent/atomic/Atomic");
                match atomic && &*field.name == "value" {
                    true => Some(name.to_owned()),
                    false => Some(format!("{name}.{}", field.name)),
                }
            }
            Target::Field(object, field) => {
                Some(format!("{}.{}", paths.name(self, object), field_name(field)))
            }
            Target::Element(array, index) => Some(format!("{}[{index}]", paths.known(array)?)),
        }
    }

    /// The value of what is read or written.
    pub(crate) fn target_value(&self, target: Target) -> Value {
        match target {
            Target::Static(field) => self.static_value(field),
            Target::Field(object, field) => self.field_value(object, field),
            Target::Element(array, index) => self.element_value(array, index),
        }
    }
}
