//! Bytes with a position, and what is said when they end too early.

use std::fmt;

/// Why a class file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Malformed {
    /// The byte where it was noticed.
    pub offset: usize,
    /// What is wrong.
    pub what: Box<str>,
}

impl Malformed {
    pub fn new(offset: usize, what: &str) -> Malformed {
        Malformed { offset, what: what.into() }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.what)
    }
}

/// A position in a range of bytes.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    /// The bytes from `start` to `end`; what lies behind the end of the file is not there.
    pub fn new(bytes: &'a [u8], start: usize, end: usize) -> Cursor<'a> {
        Cursor { bytes, at: start, end: end.min(bytes.len()) }
    }

    pub fn position(&self) -> usize {
        self.at
    }

    pub fn done(&self) -> bool {
        self.at >= self.end
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        match self.at.checked_add(count) {
            Some(next) if next <= self.end => {
                let taken = &self.bytes[self.at..next];
                self.at = next;
                Ok(taken)
            }
            _ => Err(Malformed::new(self.at, "the file ends too early")),
        }
    }

    pub fn skip(&mut self, count: usize) -> Result<(), Malformed> {
        self.take(count).map(|_| ())
    }

    pub fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(self.take(1)?[0])
    }

    pub fn u16(&mut self) -> Result<u16, Malformed> {
        let bytes = self.take(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    pub fn u32(&mut self) -> Result<u32, Malformed> {
        let bytes = self.take(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }
}
