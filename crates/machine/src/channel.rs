//! Channels as records of a state: messages put in, looked for and taken out.

use crate::code::Pattern;
use crate::machine::ChannelType;

impl ChannelType {
    /// Number of messages in a channel record.
    #[inline]
    pub fn length(&self, record: &[u32]) -> u32 {
        if self.capacity == 0 { 0 } else { self.len.get(record) as u32 }
    }

    /// First bit of a slot, as a distance to add to a field.
    #[inline]
    pub fn slot(&self, slot: u32) -> u32 {
        self.first + slot * self.stride
    }

    /// The fields of the message in a slot.
    pub fn message(&self, record: &[u32], slot: u32) -> Vec<i32> {
        self.fields.iter().map(|field| field.at(self.slot(slot)).get(record)).collect()
    }

    /// The oldest message that a pattern may take; `wanted` are its values.
    #[inline]
    pub fn find(&self, record: &[u32], pattern: Pattern, wanted: &[i32]) -> Option<u32> {
        let len = self.length(record);
        let candidates = if pattern.random { len } else { len.min(1) };
        (0..candidates).find(|&slot| {
            let field = |i: usize| self.fields[i].at(self.slot(slot)).get(record);
            pattern.matches(wanted, self.fields.len(), field)
        })
    }

    /// Puts a message in: last, or before the first one that is greater. There must be room.
    #[inline]
    pub fn put(&self, record: &mut [u32], message: &[i32], sorted: bool) {
        let len = self.length(record);
        let mut at = len;
        if sorted {
            at = (0..len)
                .find(|&slot| {
                    let there = self.fields.iter().map(|f| f.at(self.slot(slot)).get(record));
                    // As in SPIN, the new message is not yet cut to the types of its fields.
                    there.gt(message.iter().copied().take(self.fields.len()))
                })
                .unwrap_or(len);
            for slot in (at..len).rev() {
                for field in &self.fields {
                    let value = field.at(self.slot(slot)).get(record);
                    field.at(self.slot(slot + 1)).set(record, value);
                }
            }
        }
        for (field, &value) in self.fields.iter().zip(message) {
            field.at(self.slot(at)).set(record, value);
        }
        self.len.set(record, len as i32 + 1);
    }

    /// Takes the message in a slot out.
    #[inline]
    pub fn take(&self, record: &mut [u32], slot: u32) {
        let len = self.length(record);
        for slot in slot + 1..len {
            for field in &self.fields {
                let value = field.at(self.slot(slot)).get(record);
                field.at(self.slot(slot - 1)).set(record, value);
            }
        }
        for field in &self.fields {
            field.at(self.slot(len - 1)).set(record, 0);
        }
        self.len.set(record, len as i32 - 1);
    }
}

impl Pattern {
    /// Whether a message matches, whose fields are asked for one by one. A place without a field is
    /// not compared: whether the numbers fit is asked afterwards.
    #[inline]
    pub fn matches(self, wanted: &[i32], fields: usize, field: impl Fn(usize) -> i32) -> bool {
        let mut compared = self.compared & Pattern::below(fields);
        while compared != 0 {
            let i = compared.trailing_zeros() as usize;
            if field(i) != wanted[i] {
                return false;
            }
            compared &= compared - 1;
        }
        true
    }

    /// Whether a receive may take, or only `copy`, a message with so many fields.
    #[inline]
    pub fn fits(self, fields: usize, copy: bool) -> bool {
        let places = usize::from(self.places);
        places == fields || copy && places < fields
    }

    /// Whether a poll may ask for a message with so many fields.
    #[inline]
    pub fn may_poll(self, fields: usize) -> bool {
        self.compared & !Pattern::below(fields) == 0
    }

    /// The places that such a message has.
    fn below(fields: usize) -> u64 {
        if fields < 64 { (1 << fields) - 1 } else { u64::MAX }
    }
}
