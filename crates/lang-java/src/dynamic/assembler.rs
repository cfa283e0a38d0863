//! Writes code of classes that the virtual machine makes.

use super::Site;
use crate::code::{Code, Handler, Insn, Type, op};
use crate::link::{Class, Field, Kind, Method, Resolved};

/// Code that is being written. What it refers to is put into free places of the pool of its class.
pub(crate) struct Assembler<'a> {
    class: &'static Class,
    /// The next place in the pool.
    next: &'a mut u16,
    /// Local variables besides the parameters.
    locals: u16,
    pub insns: Vec<Insn>,
    pub handlers: Vec<Handler>,
}

impl Assembler<'_> {
    /// Code of a class that exists and has room in its pool.
    pub fn within<'a>(class: &'static Class, next: &'a mut u16) -> Assembler<'a> {
        Assembler { class, next, locals: 0, insns: Vec::new(), handlers: Vec::new() }
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

    /// Makes room for words of local variables behind the parameters.
    pub fn more_locals(&mut self, words: u16) {
        self.locals += words;
    }

    pub fn store(&mut self, kind: &Type, slot: u16) {
        let code = match kind {
            Type::Primitive(b'J' | b'D') => op::LSTORE,
            Type::Primitive(_) => op::ISTORE,
            Type::Reference(_) => op::ASTORE,
        };
        self.insns.push(Insn::new(code, slot, 0));
    }

    /// Loads zero or null; nothing for void.
    pub fn zero(&mut self, kind: &Type) {
        match kind {
            Type::Primitive(b'V') => {}
            Type::Primitive(b'J') => self.plain(op::LCONST),
            Type::Primitive(b'D') => self.plain(op::DCONST),
            Type::Primitive(_) => self.plain(op::ICONST),
            Type::Reference(_) => self.plain(op::ACONST_NULL),
        }
    }

    /// Makes a number one of another type, as a cast does.
    pub fn cast(&mut self, from: u8, to: u8) {
        let group = |kind| match kind {
            b'J' | b'F' | b'D' => kind,
            _ => b'I',
        };
        let conversion = match (group(from), group(to)) {
            (b'I', b'J') => Some(op::I2L),
            (b'I', b'F') => Some(op::I2F),
            (b'I', b'D') => Some(op::I2D),
            (b'J', b'I') => Some(op::L2I),
            (b'J', b'F') => Some(op::L2F),
            (b'J', b'D') => Some(op::L2D),
            (b'F', b'I') => Some(op::F2I),
            (b'F', b'J') => Some(op::F2L),
            (b'F', b'D') => Some(op::F2D),
            (b'D', b'I') => Some(op::D2I),
            (b'D', b'J') => Some(op::D2L),
            (b'D', b'F') => Some(op::D2F),
            _ => None,
        };
        if let Some(code) = conversion {
            self.plain(code);
        }
        match to {
            _ if from == to => {}
            b'B' => self.plain(op::I2B),
            b'C' => self.plain(op::I2C),
            b'S' => self.plain(op::I2S),
            b'Z' => {
                self.int(1);
                self.plain(op::IAND);
            }
            _ => {}
        }
    }

    /// Makes an array; its length is on the stack.
    pub fn new_array(&mut self, element: &'static Class) {
        match element.kind {
            Kind::Primitive(kind) => {
                let codes = b"ZCFDBSIJ";
                let code = codes.iter().position(|&other| other == kind).unwrap_or(0) as u8 + 4;
                self.insns.push(Insn { op: op::NEWARRAY, x: code, a: 0, b: 0 });
            }
            _ => self.class_op(op::ANEWARRAY, element),
        }
    }

    /// Does what a site does with what is on the stack.
    pub fn site(&mut self, site: Site) {
        let index = self.constant(Resolved::Site(Box::leak(Box::new(site))));
        self.insns.push(Insn::new(op::INVOKEVIRTUAL, index, 0));
    }

    pub fn call(&mut self, code: u8, method: &'static Method) {
        let index = self.constant(Resolved::Method(method));
        self.insns.push(Insn::new(code, index, 0));
    }

    pub fn field(&mut self, field: &'static Field) {
        self.field_op(op::GETFIELD, field);
    }

    pub fn field_op(&mut self, code: u8, field: &'static Field) {
        let index = self.constant(Resolved::Field(field));
        self.insns.push(Insn::new(code, index, 0));
    }

    /// Loads an object of the base.
    pub fn object(&mut self, object: u32) {
        let index = self.constant(Resolved::Object(object));
        self.insns.push(Insn::new(op::LDC, index, 0));
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
        // No instruction pushes more than two words.
        let max_stack = (2 * self.insns.len() + 4) as u16;
        Code::made(self.insns, method.words as u16 + self.locals, max_stack, self.handlers)
    }
}
