//! Strings: objects of java.lang.String with Latin-1 or UTF-16 bytes.

use std::sync::PoisonError;

use super::{Run, Worker};
use crate::heap::{CLASS, ELEMENTS, LENGTH};

impl Worker {
    /// A new string.
    pub fn new_string(&mut self, chars: &[u16]) -> Run<u32> {
        let latin = chars.iter().all(|&c| c < 256);
        let bytes: Vec<u8> = if latin {
            chars.iter().map(|&c| c as u8).collect()
        } else {
            chars.iter().flat_map(|c| c.to_le_bytes()).collect()
        };
        let value = self.new_bytes(&bytes)?;
        let class = self.class("java/lang/String")?;
        let string = self.new_instance(class)?;
        let (value_field, coder) =
            (self.library_field(class, "value")?, self.library_field(class, "coder")?);
        self.set(string, value_field.slot, value);
        self.set(string, coder.slot, u32::from(!latin));
        Ok(string)
    }

    pub fn new_text(&mut self, text: &str) -> Run<u32> {
        let chars: Vec<u16> = text.encode_utf16().collect();
        self.new_string(&chars)
    }

    /// Bytes of its characters: not fewer than it has characters.
    fn length_of(&self, string: u32) -> Run<u32> {
        let value = self.library_field(self.class_of(string), "value")?;
        Ok(self.array_length(self.get(string, value.slot)))
    }

    /// Adds the characters of a string, if there is room for all of them as another string.
    pub fn append_chars(&mut self, chars: &mut Vec<u16>, string: u32) -> Run<()> {
        let length = chars.len() as u64 + u64::from(self.length_of(string)?);
        self.check_room(u32::try_from(length).unwrap_or(u32::MAX))?;
        chars.extend(self.chars_of(string)?);
        Ok(())
    }

    /// The characters of a string.
    pub fn chars_of(&self, string: u32) -> Run<Vec<u16>> {
        let class = self.class_of(string);
        let (value, coder) =
            (self.library_field(class, "value")?, self.library_field(class, "coder")?);
        let array = self.get(string, value.slot);
        let bytes = self.bytes_of(array);
        Ok(if self.get(string, coder.slot) == 0 {
            bytes.iter().map(|&b| u16::from(b)).collect()
        } else {
            bytes.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect()
        })
    }

    pub fn text_of(&self, string: u32) -> Run<String> {
        if string == 0 {
            return Ok("null".to_owned());
        }
        Ok(String::from_utf16_lossy(&self.chars_of(string)?))
    }

    /// The one string of these characters that all equal literals are: an object of the base.
    pub fn intern(&mut self, chars: &[u16]) -> Run<u32> {
        let mut strings = self.vm.strings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = strings.get(chars) {
            return Ok(known);
        }
        let latin = chars.iter().all(|&c| c < 256);
        let bytes: Vec<u8> = if latin {
            chars.iter().map(|&c| c as u8).collect()
        } else {
            chars.iter().flat_map(|c| c.to_le_bytes()).collect()
        };
        let array_class = self.class("[B")?;
        let mut array = vec![0; ELEMENTS as usize];
        array[CLASS as usize] = array_class.id;
        array[LENGTH as usize] = bytes.len() as u32;
        array.extend(
            bytes
                .chunks(4)
                .map(|chunk| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))),
        );
        let value = self.vm.base.add(self.vm.dictionary.intern(&array)?);
        let class = self.class("java/lang/String")?;
        let mut string = vec![0; class.linked().words as usize];
        string[CLASS as usize] = class.id;
        string[self.library_field(class, "value")?.slot as usize] = value;
        string[self.library_field(class, "coder")?.slot as usize] = u32::from(!latin);
        let string = self.vm.base.add(self.vm.dictionary.intern(&string)?);
        strings.insert(chars.to_vec(), string);
        Ok(string)
    }

    pub fn literal(&mut self, text: &str) -> Run<u32> {
        let chars: Vec<u16> = text.encode_utf16().collect();
        self.intern(&chars)
    }
}
