//! Fields of objects and of classes.

use super::{Run, Trap, Worker};
use crate::classfile::flags;
use crate::code::Insn;
use crate::link::{Field, Resolved};

impl Worker {
    #[inline]
    pub(super) fn field_at(&mut self, index: u16) -> Run<&'static Field> {
        let class = self.top.method.class;
        if class.space != 0 {
            return self.field_of_loader(class, index);
        }
        if let Some(Resolved::Field(field)) = class.pool[usize::from(index)].get() {
            return Ok(field);
        }
        class.field_at(&self.vm.registry, index).map_err(|error| self.link_failure(error))
    }

    /// A field is used in a way that it is not declared for.
    #[cold]
    fn wrong_kind(&mut self, field: &'static Field) -> Trap {
        let wanted = if field.is(flags::STATIC) { "non-static" } else { "static" };
        let text = format!("Expected {wanted} field {}.{}", field.class.get_name(), field.name);
        self.throw("java/lang/IncompatibleClassChangeError", Some(&text))
    }

    pub(super) fn field_get(&mut self, insn: Insn) -> Run<()> {
        let field = self.field_at(insn.a)?;
        if field.is(flags::STATIC) {
            return Err(self.wrong_kind(field));
        }
        let object = self.peek(1);
        if object == 0 {
            return Err(self.null_pointer());
        }
        if self.watches && !field.quiet {
            self.access_in(field, object, false)?;
        }
        if self.notes {
            self.note_field(field, object, false);
        }
        let place = self.heap.place(&self.vm.base, object);
        self.pop();
        let value = self.heap.word(&self.vm.dictionary, place, field.slot);
        self.push(value);
        if field.wide() {
            let value = self.heap.word(&self.vm.dictionary, place, field.slot + 1);
            self.push(value);
        }
        self.next();
        Ok(())
    }

    pub(super) fn field_put(&mut self, insn: Insn) -> Run<()> {
        let field = self.field_at(insn.a)?;
        if field.is(flags::STATIC) {
            return Err(self.wrong_kind(field));
        }
        let words = field.kind.words();
        let object = self.peek(1 + words);
        if object == 0 {
            return Err(self.null_pointer());
        }
        if self.watches && !field.quiet {
            self.access_in(field, object, true)?;
        }
        if self.notes {
            self.note_field(field, object, true);
        }
        let value = self.peek(1);
        if words == 2 {
            let low = self.peek(2);
            self.set(object, field.slot, low);
            self.set(object, field.slot + 1, value);
        } else if field.kind.is_reference() {
            self.set_reference(object, field.slot, value);
        } else {
            self.set(object, field.slot, narrow(field, value));
        }
        self.top.sp -= 1 + words;
        self.next();
        Ok(())
    }

    pub(super) fn static_get(&mut self, insn: Insn) -> Run<()> {
        let field = self.field_at(insn.a)?;
        if !field.is(flags::STATIC) {
            return Err(self.wrong_kind(field));
        }
        if !self.initialise(field.class)? {
            return Ok(());
        }
        if self.watches && !field.quiet && !self.initialises(field.class) {
            self.access_in(field, 0, false)?;
        }
        if self.notes {
            self.note_field(field, 0, false);
        }
        for word in 0..field.kind.words() as u32 {
            let value = self.get_static(field, word);
            self.push(value);
        }
        self.next();
        Ok(())
    }

    pub(super) fn static_put(&mut self, insn: Insn) -> Run<()> {
        let field = self.field_at(insn.a)?;
        if !field.is(flags::STATIC) {
            return Err(self.wrong_kind(field));
        }
        if !self.initialise(field.class)? {
            return Ok(());
        }
        if self.watches && !field.quiet && !self.initialises(field.class) {
            self.access_in(field, 0, true)?;
        }
        if self.notes {
            self.note_field(field, 0, true);
        }
        let words = field.kind.words();
        if words == 2 {
            let (low, high) = (self.peek(2), self.peek(1));
            self.set_static(field, 0, low);
            self.set_static(field, 1, high);
        } else {
            let value = self.peek(1);
            if field.kind.is_reference() && !self.alone {
                self.share(value);
            }
            self.set_static(field, 0, narrow(field, value));
        }
        self.top.sp -= words;
        self.next();
        Ok(())
    }
}

/// A number as a field of a small type keeps it.
fn narrow(field: &Field, value: u32) -> u32 {
    match field.descriptor.as_bytes()[0] {
        b'Z' => value & 1,
        b'B' => i32::from(value as i8) as u32,
        b'C' => u32::from(value as u16),
        b'S' => i32::from(value as i16) as u32,
        _ => value,
    }
}
