//! Atomic operations on fields, statics and elements: what Unsafe and VarHandle have in common.

use std::sync::atomic::Ordering;

use crate::classfile::flags;
use crate::heap::{ELEMENTS, LENGTH};
use crate::link::Class;
use crate::vm::rules::FREE;
use crate::vm::{Run, Worker};

/// A place that is read and written as one.
#[derive(Clone, Copy)]
pub(crate) enum Location {
    /// An object and the first word in it.
    Field(u32, u32),
    /// A class and the first word of its statics.
    Static(&'static Class, u32),
    /// An array and the number of a byte in it.
    Element(u32, u32),
}

/// What is done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Get,
    Set,
    CompareAndSet,
    /// May fail without a reason.
    WeakCompareAndSet,
    CompareAndExchange,
    GetAndSet,
    GetAndAdd,
    GetAndOr,
    GetAndAnd,
    GetAndXor,
}

impl Operation {
    /// By the name of a method without its type and strength.
    pub fn of(name: &str) -> Option<Operation> {
        Some(match name {
            "get" => Operation::Get,
            "put" | "set" => Operation::Set,
            "compareAndSet" => Operation::CompareAndSet,
            "weakCompareAndSet" => Operation::WeakCompareAndSet,
            "compareAndExchange" => Operation::CompareAndExchange,
            "getAndSet" => Operation::GetAndSet,
            "getAndAdd" => Operation::GetAndAdd,
            "getAndBitwiseOr" => Operation::GetAndOr,
            "getAndBitwiseAnd" => Operation::GetAndAnd,
            "getAndBitwiseXor" => Operation::GetAndXor,
            _ => return None,
        })
    }
}

/// Whether a method of VarHandle, by its name, promises less than sequential consistency.
pub(crate) fn is_weak(name: &str) -> bool {
    let ends = ["Acquire", "Release", "Opaque", "Plain"];
    matches!(name, "get" | "set") || ends.iter().any(|end| name.ends_with(end))
}

/// Why a search that met a weak access is no proof.
const WEAK: &str = "orders of memory weaker than sequential consistency are not explored";

/// Bytes of a value of a type.
pub(crate) fn size(kind: u8) -> u32 {
    match kind {
        b'Z' | b'B' => 1,
        b'C' | b'S' => 2,
        b'J' | b'D' => 8,
        _ => 4,
    }
}

/// The bits of a value as a field of the type keeps them: small numbers are extended.
pub(crate) fn canonical(kind: u8, bits: u64) -> u64 {
    match kind {
        b'Z' => bits & 1,
        b'B' => u64::from(i32::from(bits as i8) as u32),
        b'C' => bits & 0xffff,
        b'S' => u64::from(i32::from(bits as i16) as u32),
        b'J' | b'D' => bits,
        _ => bits & 0xffff_ffff,
    }
}

/// Whether a class is one of the buffers of java.nio, which are for one thread at a time.
pub(crate) fn is_buffer(class: &Class) -> bool {
    class.name.starts_with("java/nio/") && class.name.contains("Buffer")
}

impl Worker {
    /// Whether an access would be noticed by others.
    fn is_noticed(&self, location: Location, own: bool) -> bool {
        if self.alone {
            return false;
        }
        match location {
            Location::Field(object, _) => !own && self.is_shared(object),
            Location::Element(array, _) => self.is_shared(array),
            Location::Static(..) => !own,
        }
    }

    /// Whether the code that runs accesses a field for java.lang.reflect.Field.
    pub fn is_reflected(&self) -> bool {
        let class = self.top.method.class;
        class.library
            && class.name.starts_with("jdk/internal/reflect/")
            && class.name.contains("FieldAccessor")
    }

    /// Notes an access by reflection. It is no race that is looked for, so where nothing keeps others from the field the
    /// search is no proof.
    pub fn access_reflected(&mut self, location: Location, write: bool) -> Run<()> {
        let (field, object) = match location {
            Location::Field(object, slot) => (self.class_of(object).field_in(slot, false), object),
            Location::Static(class, slot) => (class.field_in(slot, true), 0),
            Location::Element(..) => return Ok(()),
        };
        let Some(field) = field else { return self.stops() };
        self.access_in(field, object, write)?;
        let ordered = field.is(flags::VOLATILE) || field.rule.load(Ordering::Relaxed) != FREE;
        if !ordered && self.is_noticed(location, false) {
            self.leave_out(WEAK);
        }
        Ok(())
    }

    /// Notes an access by a VarHandle, by a method of the package `atomic` or by a buffer on behalf of the
    /// program. Others may see a `weak` one in an order that no interleaving has; so they may an access without
    /// any order to the same field.
    pub fn note_order(&mut self, location: Location, weak: bool) -> Run<()> {
        if !self.is_noticed(location, false) || !self.is_asked_by_program() {
            return Ok(());
        }
        if weak {
            self.leave_out(WEAK);
        }
        let field = match location {
            Location::Field(object, slot) => self.class_of(object).field_in(slot, false),
            Location::Static(class, slot) => class.field_in(slot, true),
            Location::Element(..) => None,
        };
        match field.filter(|field| !field.is(flags::VOLATILE)) {
            Some(field) => self.note_handled(field),
            None => Ok(()),
        }
    }

    /// Notes that the program accesses a field without any order which it accesses by a VarHandle, too.
    pub fn note_mixed(&mut self) {
        if !self.top.method.class.library {
            self.leave_out(WEAK);
        }
    }

    /// Whether the code that runs does what the program asked for by a call, no more and no less.
    fn is_asked_by_program(&self) -> bool {
        let class = self.top.method.class;
        if !class.library {
            return true;
        }
        let atomic = class.name.strip_prefix("java/util/concurrent/atomic/");
        let own =
            |part: &str| !["Striped", "Adder", "Accumulator"].iter().any(|of| part.contains(of));
        let calls = self.frames.last().is_some_and(|frame| !frame.method.class.library);
        let buffers = || {
            let frames = self.frames.iter().rev().map(|frame| frame.method.class);
            let mut outer = std::iter::once(class).chain(frames);
            let inner = |class: &Class| class.name.starts_with("jdk/internal/misc/");
            outer.find(|class| !inner(class)).is_some_and(is_buffer)
        };
        atomic.is_some_and(|part| calls && own(part)) || buffers()
    }

    pub fn read_location(&self, location: Location, kind: u8) -> u64 {
        match location {
            Location::Field(object, slot) => match size(kind) {
                8 => self.get_long(object, slot),
                _ => u64::from(self.get(object, slot)),
            },
            Location::Static(class, slot) => {
                let place = self.heap.statics(&self.vm.base, class.id);
                let word = |slot| u64::from(self.heap.word(&self.vm.dictionary, place, slot));
                if size(kind) == 8 { word(slot) | word(slot + 1) << 32 } else { word(slot) }
            }
            Location::Element(array, byte) => {
                let place = self.heap.place(&self.vm.base, array);
                let bytes = (0..size(kind)).rev();
                let bits = bytes.fold(0u64, |bits, index| {
                    bits << 8 | u64::from(self.load_byte(place, byte + index))
                });
                canonical(kind, bits)
            }
        }
    }

    pub fn write_location(&mut self, location: Location, kind: u8, bits: u64) {
        let bits = canonical(kind, bits);
        match location {
            Location::Field(object, slot) => match kind {
                b'L' => self.set_reference(object, slot, bits as u32),
                b'J' | b'D' => self.set_long(object, slot, bits),
                _ => self.set(object, slot, bits as u32),
            },
            Location::Static(class, slot) => {
                if kind == b'L' && !self.alone {
                    self.share(bits as u32);
                }
                let place = self.heap.statics(&self.vm.base, class.id);
                let own = self.heap.own(&self.vm.dictionary, place);
                if own != place {
                    self.heap.set_statics(class.id, own);
                }
                self.heap.write(own, slot, bits as u32);
                if size(kind) == 8 {
                    self.heap.write(own, slot + 1, (bits >> 32) as u32);
                }
            }
            Location::Element(array, byte) => {
                if kind == b'L' {
                    self.set_reference(array, ELEMENTS + byte / 4, bits as u32);
                    return;
                }
                for index in 0..size(kind) {
                    self.store_byte(array, byte + index, (bits >> (8 * index)) as u8);
                }
            }
        }
    }

    /// Does an operation as one step; the old value, or whether it succeeded.
    pub fn operate(
        &mut self,
        operation: Operation,
        location: Location,
        kind: u8,
        (first, second): (u64, u64),
        own: bool,
    ) -> Run<u64> {
        if operation == Operation::WeakCompareAndSet && self.fails_unreasoned()? {
            return Ok(0);
        }
        if self.is_noticed(location, own) {
            match location {
                Location::Field(object, slot) => self.access_slot(object, slot)?,
                Location::Static(class, slot) => self.access_static_slot(class, slot)?,
                Location::Element(..) => self.stops()?,
            }
        } else if let Location::Field(object, slot) = location
            && self.watches
            && !own
            && let Some(field) = self.class_of(object).field_in(slot, false)
        {
            self.access_late(field, object, operation != Operation::Get)?;
        }
        if self.notes {
            let write = operation != Operation::Get;
            match location {
                Location::Field(object, slot) => self.note_atomic(object, 0, slot, write),
                Location::Static(class, slot) => self.note_atomic(0, class.id, slot, write),
                Location::Element(array, byte) => self.note_atomic(array, 0, byte, write),
            }
        }
        let old = self.read_location(location, kind);
        let new = match operation {
            Operation::Get => return Ok(old),
            Operation::Set | Operation::GetAndSet => first,
            Operation::CompareAndSet
            | Operation::WeakCompareAndSet
            | Operation::CompareAndExchange => {
                let equal = old == canonical(kind, first);
                if equal {
                    self.write_location(location, kind, second);
                }
                let exchange = operation == Operation::CompareAndExchange;
                return Ok(if exchange { old } else { u64::from(equal) });
            }
            Operation::GetAndAdd => match kind {
                b'F' => {
                    let sum = f32::from_bits(old as u32) + f32::from_bits(first as u32);
                    u64::from(sum.to_bits())
                }
                b'D' => (f64::from_bits(old) + f64::from_bits(first)).to_bits(),
                _ => old.wrapping_add(first),
            },
            Operation::GetAndOr => old | first,
            Operation::GetAndAnd => old & first,
            Operation::GetAndXor => old ^ first,
        };
        self.write_location(location, kind, new);
        Ok(old)
    }

    /// The number of bytes of the elements of an array.
    pub fn array_bytes(&self, array: u32) -> u32 {
        self.get(array, LENGTH) * self.class_of(array).element_bytes()
    }
}
