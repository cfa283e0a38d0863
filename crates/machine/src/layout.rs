//! Where variables lie: bit fields in a row of 32-bit words.
//!
//! A field never crosses a word, so that one load, one shift and one mask read it. Small fields
//! share words; elements of arrays and structures have a stride that keeps this true.

/// A scalar of `width` bits at bit `bit` of its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// First bit, counted from the start of the record.
    pub bit: u32,
    /// 1 to 32.
    pub width: u8,
    /// Whether the top bit is a sign.
    pub signed: bool,
}

impl Field {
    /// The value in a record.
    #[inline]
    pub fn get(self, record: &[u32]) -> i32 {
        let raw = record[(self.bit >> 5) as usize] >> (self.bit & 31);
        let unused = 32 - u32::from(self.width);
        if self.signed {
            (raw << unused) as i32 >> unused
        } else {
            (raw << unused >> unused) as i32
        }
    }

    /// Writes a value, cut to the width.
    #[inline]
    pub fn set(self, record: &mut [u32], value: i32) {
        let mask = (u32::MAX >> (32 - u32::from(self.width))) << (self.bit & 31);
        let word = &mut record[(self.bit >> 5) as usize];
        *word = *word & !mask | ((value as u32) << (self.bit & 31)) & mask;
    }

    /// The value that reading it back would give.
    pub fn truncate(self, value: i32) -> i32 {
        let unused = 32 - u32::from(self.width);
        if self.signed {
            value << unused >> unused
        } else {
            ((value as u32) << unused >> unused) as i32
        }
    }

    /// The same field `bits` further on.
    #[inline]
    pub fn at(self, bits: u32) -> Field {
        Field { bit: self.bit + bits, ..self }
    }
}

/// The distance between elements of `bits` bits in an array, such that no field crosses a word.
pub fn stride(bits: u32) -> u32 {
    match bits {
        0 => 0,
        1..=8 => 8,
        9..=16 => 16,
        _ => bits.next_multiple_of(32),
    }
}

/// Places fields in a record, filling gaps that earlier ones left.
#[derive(Clone, Debug, Default)]
pub struct LayoutBuilder {
    /// Used bits of each word, as masks.
    words: Vec<u32>,
    /// Words before this one are full enough not to be looked at again.
    open: usize,
}

impl LayoutBuilder {
    /// How many partly filled words are searched for a gap.
    const WINDOW: usize = 16;

    /// What comes next shares no word with what is there.
    pub fn start_word(&mut self) {
        self.open = self.words.len();
    }

    /// Places one scalar of `width` bits (1 to 32); fields of 8 and 16 bits are aligned to their
    /// size.
    pub fn scalar(&mut self, width: u8) -> u32 {
        let width = u32::from(width);
        let align = match width {
            8 | 16 | 32 => width,
            _ => 1,
        };
        let mask = u32::MAX >> (32 - width);
        for index in self.open..self.words.len() {
            let used = self.words[index];
            let mut shift = 0;
            while shift + width <= 32 {
                if used & mask << shift == 0 {
                    self.words[index] |= mask << shift;
                    return index as u32 * 32 + shift;
                }
                shift += align;
            }
        }
        self.words.push(mask);
        self.open = self.open.max(self.words.len().saturating_sub(Self::WINDOW));
        self.words.len() as u32 * 32 - 32
    }

    /// Places `bits` contiguous bits whose elements have the given stride (a value of [`stride`]).
    pub fn block(&mut self, bits: u32, stride: u32) -> u32 {
        if bits == 0 {
            return 0;
        }
        if bits <= 32 && stride < 32 {
            // Fits in a word: only the alignment of the elements matters.
            let align = stride.max(1);
            let mask = u32::MAX >> (32 - bits);
            for index in self.open..self.words.len() {
                let mut shift = 0;
                while shift + bits <= 32 {
                    if self.words[index] & mask << shift == 0 {
                        self.words[index] |= mask << shift;
                        return index as u32 * 32 + shift;
                    }
                    shift += align;
                }
            }
        }
        let start = self.words.len() as u32 * 32;
        let full = bits / 32;
        self.words.extend(std::iter::repeat_n(u32::MAX, full as usize));
        if !bits.is_multiple_of(32) {
            self.words.push(u32::MAX >> (32 - bits % 32));
        }
        self.open = self.open.max(self.words.len().saturating_sub(Self::WINDOW));
        start
    }

    /// Words used so far.
    pub fn words(&self) -> u32 {
        self.words.len() as u32
    }

    /// Bits used so far, counted to the last used one.
    pub fn bits(&self) -> u32 {
        match self.words.last() {
            None => 0,
            Some(last) => self.words() * 32 - last.leading_zeros(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_read_back_what_was_written() {
        let mut record = [0u32; 2];
        let fields = [(0, 1, false), (1, 3, false), (8, 8, false), (16, 16, true), (32, 32, true)];
        for (bit, width, signed) in fields {
            let field = Field { bit, width, signed };
            for value in [0, 1, -1, 5, 127, 128, 255, 256, 40000, i32::MIN, i32::MAX] {
                let before = record;
                field.set(&mut record, value);
                assert_eq!(field.get(&record), field.truncate(value));
                field.set(&mut record, 0);
                let mut cleared = before;
                field.set(&mut cleared, 0);
                assert_eq!(record, cleared, "other fields are untouched");
            }
        }
        assert_eq!(Field { bit: 0, width: 16, signed: true }.truncate(40000), -25536);
    }

    #[test]
    fn small_fields_share_words_and_never_cross_them() {
        let mut layout = LayoutBuilder::default();
        let mut used = Vec::new();
        for width in [1, 8, 1, 16, 32, 3, 8, 31, 1] {
            let bit = layout.scalar(width);
            assert!(bit % 32 + u32::from(width) <= 32);
            used.push((bit, bit + u32::from(width)));
        }
        used.sort_unstable();
        assert!(used.windows(2).all(|w| w[0].1 <= w[1].0), "{used:?} overlap");
        assert_eq!(layout.words(), 4);
    }
}
