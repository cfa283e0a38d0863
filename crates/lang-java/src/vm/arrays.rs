//! Arrays: elements of one or two bytes are packed into words.

use super::{Failure, Run, Trap, Worker};
use crate::code::{Insn, op};
use crate::heap::{CLASS, ELEMENTS, LENGTH, Place};
use crate::link::{Class, Kind};

/// The longest array, in words.
const LONGEST: u64 = 1 << 26;

/// What few virtual machines have room for, in words.
const LARGEST: u64 = 1 << 30;

/// Methods of String that read arrays which are not a string's.
fn is_making(method: &str) -> bool {
    method == "<init>" || method.starts_with("decode") || method == "getBytes"
}

impl Worker {
    /// Makes an array of zeros.
    pub fn new_array(&mut self, class: &'static Class, length: i32) -> Run<u32> {
        let Ok(count) = u32::try_from(length) else {
            let text = length.to_string();
            return Err(self.throw("java/lang/NegativeArraySizeException", Some(&text)));
        };
        if length >= i32::MAX - 1 {
            let text = "Requested array size exceeds VM limit";
            return Err(self.throw("java/lang/OutOfMemoryError", Some(text)));
        }
        let words = (u64::from(count) * u64::from(class.element_bytes())).div_ceil(4);
        if words > LONGEST {
            // A machine may have more.
            let text = "whether there is room for an array is up to the machine";
            if words <= LARGEST {
                return Err(Trap::Fail(Failure::Limit(text.to_owned())));
            }
            self.leave_out(text);
            return Err(self.throw("java/lang/OutOfMemoryError", Some("Java heap space")));
        }
        self.poll()?;
        self.check_room(words as u32)?;
        let array = self.heap.allocate(class.id, ELEMENTS + words as u32);
        self.set(array, LENGTH, count);
        self.note_site()?;
        self.note_birth(array);
        Ok(array)
    }

    pub fn array_length(&self, array: u32) -> u32 {
        self.get(array, LENGTH)
    }

    /// The array and where an element is, after the checks.
    #[inline]
    pub fn element(&mut self, array: u32, index: u32) -> Run<Place> {
        if array == 0 {
            return Err(self.null_pointer());
        }
        let place = self.heap.place(&self.vm.base, array);
        let length = self.heap.word(&self.vm.dictionary, place, LENGTH);
        if index >= length {
            return Err(self.out_of_bounds(index as i32, length));
        }
        if !self.alone && self.is_shared(array) && !self.is_quiet_array(place) {
            self.stops()?;
        }
        Ok(place)
    }

    /// Contents of strings and of large numbers never change once others see them. Arrays of the program
    /// that become a string or a number, and those of a builder, may.
    pub(super) fn is_quiet_array(&self, place: Place) -> bool {
        let class = self.top.method.class;
        if !class.library {
            return false;
        }
        let array = self.heap.word(&self.vm.dictionary, place, CLASS);
        let Some(element) = self.vm.registry.class_of(array).element() else { return false };
        let bytes = element.kind == Kind::Primitive(b'B');
        match &*class.name {
            "java/lang/String" => bytes && !is_making(&self.top.method.name),
            "java/lang/Integer" | "java/lang/Long" => bytes,
            "java/lang/StringLatin1" | "java/lang/StringUTF16" => {
                // Builders and constructors use these, too.
                let mut callers = self.frames.iter().rev().map(|frame| frame.method);
                let user = callers.find(|m| {
                    !matches!(&*m.class.name, "java/lang/StringLatin1" | "java/lang/StringUTF16")
                });
                bytes
                    && user.is_none_or(|m| match &*m.class.name {
                        "java/lang/AbstractStringBuilder"
                        | "java/lang/StringBuilder"
                        | "java/lang/StringBuffer" => false,
                        "java/lang/String" => !is_making(&m.name),
                        _ => true,
                    })
            }
            name => {
                let number =
                    name.starts_with("java/math/") || name.starts_with("jdk/internal/math/");
                (number && matches!(element.kind, Kind::Primitive(b'I' | b'J')))
                    || name.starts_with("java/lang/CharacterData")
            }
        }
    }

    pub fn out_of_bounds(&mut self, index: i32, length: u32) -> Trap {
        let text = format!("Index {index} out of bounds for length {length}");
        self.throw("java/lang/ArrayIndexOutOfBoundsException", Some(&text))
    }

    #[inline]
    pub fn load_word(&self, place: Place, index: u32) -> u32 {
        self.heap.word(&self.vm.dictionary, place, ELEMENTS + index)
    }

    #[inline]
    pub fn load_byte(&self, place: Place, index: u32) -> u8 {
        (self.load_word(place, index / 4) >> (8 * (index % 4))) as u8
    }

    #[inline]
    pub fn load_short(&self, place: Place, index: u32) -> u16 {
        (self.load_word(place, index / 2) >> (16 * (index % 2))) as u16
    }

    pub fn store_word(&mut self, array: u32, index: u32, value: u32) {
        self.set(array, ELEMENTS + index, value);
    }

    pub fn store_byte(&mut self, array: u32, index: u32, value: u8) {
        let place = self.heap.place_mut(&self.vm.base, &self.vm.dictionary, array);
        let (slot, shift) = (ELEMENTS + index / 4, 8 * (index % 4));
        let word = self.heap.word(&self.vm.dictionary, place, slot);
        self.heap.write(place, slot, word & !(0xff << shift) | u32::from(value) << shift);
    }

    pub fn store_short(&mut self, array: u32, index: u32, value: u16) {
        let place = self.heap.place_mut(&self.vm.base, &self.vm.dictionary, array);
        let (slot, shift) = (ELEMENTS + index / 2, 16 * (index % 2));
        let word = self.heap.word(&self.vm.dictionary, place, slot);
        self.heap.write(place, slot, word & !(0xffff << shift) | u32::from(value) << shift);
    }

    /// An array of bytes.
    pub fn new_bytes(&mut self, bytes: &[u8]) -> Run<u32> {
        let class = self.class("[B")?;
        let array = self.new_array(class, bytes.len() as i32)?;
        let place = self.heap.place(&self.vm.base, array);
        for (index, chunk) in bytes.chunks(4).enumerate() {
            let word = chunk.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
            self.heap.write(place, ELEMENTS + index as u32, word);
        }
        Ok(array)
    }

    /// The bytes of an array of bytes.
    pub fn bytes_of(&self, array: u32) -> Vec<u8> {
        let place = self.heap.place(&self.vm.base, array);
        let length = self.heap.word(&self.vm.dictionary, place, LENGTH);
        (0..length).map(|index| self.load_byte(place, index)).collect()
    }

    /// An array of references.
    pub fn new_references(&mut self, class: &'static Class, elements: &[u32]) -> Run<u32> {
        let array = self.new_array(class, elements.len() as i32)?;
        for (index, &element) in elements.iter().enumerate() {
            self.store_word(array, index as u32, element);
        }
        Ok(array)
    }

    /// An array of arrays.
    pub fn multi_array(&mut self, class: &'static Class, lengths: &[i32]) -> Run<u32> {
        if let Some(negative) = lengths.iter().find(|&&length| length < 0) {
            let text = negative.to_string();
            return Err(self.throw("java/lang/NegativeArraySizeException", Some(&text)));
        }
        let array = self.new_array(class, lengths[0])?;
        if lengths.len() > 1
            && let Some(element) = class.element()
        {
            for index in 0..lengths[0] {
                let inner = self.multi_array(element, &lengths[1..])?;
                self.store_word(array, index as u32, inner);
            }
        }
        Ok(array)
    }

    pub(super) fn array_load(&mut self, insn: Insn) -> Run<()> {
        let (index, array) = (self.peek(1), self.peek(2));
        let place = self.element(array, index)?;
        if self.notes {
            self.note_elements(array, index, 1, false);
        }
        self.top.sp -= 2;
        match insn.op {
            op::LALOAD | op::DALOAD => {
                let (low, high) =
                    (self.load_word(place, 2 * index), self.load_word(place, 2 * index + 1));
                self.push(low);
                self.push(high);
            }
            op::BALOAD => {
                let value = self.load_byte(place, index) as i8;
                self.push(i32::from(value) as u32);
            }
            op::CALOAD => {
                let value = self.load_short(place, index);
                self.push(u32::from(value));
            }
            op::SALOAD => {
                let value = self.load_short(place, index) as i16;
                self.push(i32::from(value) as u32);
            }
            _ => {
                let value = self.load_word(place, index);
                self.push(value);
            }
        }
        self.next();
        Ok(())
    }

    pub(super) fn array_store(&mut self, insn: Insn) -> Run<()> {
        let wide = usize::from(matches!(insn.op, op::LASTORE | op::DASTORE));
        let (index, array) = (self.peek(2 + wide), self.peek(3 + wide));
        let value = self.peek(1);
        if insn.op == op::AASTORE && array != 0 && value != 0 && index < self.array_length(array) {
            let class = self.class_of(array);
            let fits = class.element().is_none_or(|e| self.class_of(value).is_subtype_of(e));
            if !fits {
                let text = self.class_of(value).get_name();
                return Err(self.throw("java/lang/ArrayStoreException", Some(&text)));
            }
        }
        self.element(array, index)?;
        if self.notes {
            self.note_elements(array, index, 1, true);
        }
        match insn.op {
            op::LASTORE | op::DASTORE => {
                let low = self.peek(2);
                self.store_word(array, 2 * index, low);
                self.store_word(array, 2 * index + 1, value);
            }
            op::AASTORE => self.set_reference(array, ELEMENTS + index, value),
            op::BASTORE => {
                let boolean = &*self.class_of(array).name == "[Z";
                self.store_byte(array, index, if boolean { value as u8 & 1 } else { value as u8 });
            }
            op::CASTORE | op::SASTORE => self.store_short(array, index, value as u16),
            _ => self.store_word(array, index, value),
        }
        self.top.sp -= 3 + wide;
        self.next();
        Ok(())
    }
}
