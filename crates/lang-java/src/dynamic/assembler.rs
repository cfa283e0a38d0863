//! Writes code of classes that the virtual machine makes.

use std::sync::OnceLock;

use crate::code::{Code, Handler, Insn, Type, op};
use crate::link::{Class, Field, Method, Resolved};

/// Code that is being written. What it refers to is put into free places of the pool of its class.
pub(crate) struct Assembler<'a> {
    class: &'static Class,
    /// The next place in the pool.
    next: &'a mut u16,
    pub insns: Vec<Insn>,
    pub handlers: Vec<Handler>,
}

impl Assembler<'_> {
    /// Code of a class that exists and has room in its pool.
    pub fn within<'a>(class: &'static Class, next: &'a mut u16) -> Assembler<'a> {
        Assembler { class, next, insns: Vec::new(), handlers: Vec::new() }
    }

    fn constant(&mut self, resolved: Resolved) -> u16 {
        let index = *self.next;
        *self.next += 1;
        if let Some(entry) = self.class.pool.get(usize::from(index)) {
            let _ = entry.set(resolved);
        }
        index
    }

    pub fn plain(&mut self, op: u8) {
        self.insns.push(Insn::new(op, 0, 0));
    }

    pub fn int(&mut self, value: u32) {
        self.insns.push(Insn::new(op::ICONST, 0, value));
    }

    /// Loads a local variable.
    pub fn load(&mut self, kind: &Type, slot: u16) {
        let code = match kind {
            Type::Primitive(b'J' | b'D') => op::LLOAD,
            Type::Primitive(_) => op::ILOAD,
            Type::Reference(_) => op::ALOAD,
        };
        self.insns.push(Insn::new(code, slot, 0));
    }

    pub fn call(&mut self, code: u8, method: &'static Method) {
        let index = self.constant(Resolved::Method(method));
        self.insns.push(Insn::new(code, index, 0));
    }

    pub fn field(&mut self, field: &'static Field) {
        let index = self.constant(Resolved::Field(field));
        self.insns.push(Insn::new(op::GETFIELD, index, 0));
    }

    /// Loads an object of the base.
    pub fn object(&mut self, object: u32) {
        let index = self.constant(Resolved::Object(object));
        self.insns.push(Insn::new(op::LDC, index, 0));
    }

    pub fn get_static(&mut self, field: &'static Field) {
        let index = self.constant(Resolved::Field(field));
        self.insns.push(Insn::new(op::GETSTATIC, index, 0));
    }

    pub fn put_static(&mut self, field: &'static Field) {
        let index = self.constant(Resolved::Field(field));
        self.insns.push(Insn::new(op::PUTSTATIC, index, 0));
    }

    pub fn class_op(&mut self, code: u8, class: &'static Class) {
        let index = self.constant(Resolved::Class(class));
        self.insns.push(Insn::new(code, index, 0));
    }

    /// A class in the pool.
    pub fn class_constant(&mut self, class: &'static Class) -> u16 {
        self.constant(Resolved::Class(class))
    }

    /// A jump whose target is set later; its number.
    pub fn jump(&mut self, code: u8) -> usize {
        self.insns.push(Insn::new(code, 0, 0));
        self.insns.len() - 1
    }

    /// Lets a jump lead to what is written next.
    pub fn land(&mut self, jump: usize) {
        self.insns[jump].b = self.insns.len() as u32;
    }

    pub fn give(&mut self, result: &Type) {
        self.plain(match result {
            Type::Primitive(b'V') => op::RETURN,
            Type::Primitive(b'J' | b'D') => op::LRETURN,
            Type::Primitive(_) => op::IRETURN,
            Type::Reference(_) => op::ARETURN,
        });
    }

    /// The code of a method.
    pub fn finish(self, method: &Method) -> Code {
        Code {
            // No instruction pushes more than two words.
            max_stack: (2 * self.insns.len() + 4) as u16,
            max_locals: method.words as u16,
            insns: self.insns,
            handlers: self.handlers,
            switches: Vec::new(),
            lines: Vec::new(),
            names: Vec::new(),
            cover: OnceLock::new(),
            flow: OnceLock::new(),
        }
    }
}
