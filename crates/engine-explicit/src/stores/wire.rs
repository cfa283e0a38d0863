//! How a search is written down, to be taken up again: numbers in little-endian order, lists with their
//! length in front.

use std::io::{self, Read, Write};

use crate::options::Reading;
use crate::stores::store::Full;

/// Words that are written or read at once.
const PIECE: usize = 1 << 12;

impl From<Full> for io::Error {
    fn from(_: Full) -> io::Error {
        io::Error::new(io::ErrorKind::OutOfMemory, "the memory limit is too low")
    }
}

/// What does not fit together.
pub(crate) fn nonsense() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a checkpoint that makes no sense")
}

/// Where things are written.
pub(crate) struct Out<'a>(pub &'a mut dyn Write);

impl Out<'_> {
    pub fn number(&mut self, value: u64) -> io::Result<()> {
        self.0.write_all(&value.to_le_bytes())
    }

    pub fn truth(&mut self, value: bool) -> io::Result<()> {
        self.number(u64::from(value))
    }

    pub fn option(&mut self, value: Option<u64>) -> io::Result<()> {
        self.truth(value.is_some())?;
        value.map_or(Ok(()), |value| self.number(value))
    }

    /// So many words; the length is not written.
    pub fn raw(&mut self, words: impl Iterator<Item = u32>) -> io::Result<()> {
        let mut piece = Vec::with_capacity(4 * PIECE);
        for word in words {
            piece.extend_from_slice(&word.to_le_bytes());
            if piece.len() == 4 * PIECE {
                self.0.write_all(&piece)?;
                piece.clear();
            }
        }
        self.0.write_all(&piece)
    }

    pub fn words(&mut self, words: &[u32]) -> io::Result<()> {
        self.number(words.len() as u64)?;
        self.raw(words.iter().copied())
    }

    pub fn list<T>(
        &mut self,
        list: &[T],
        mut each: impl FnMut(&mut Self, &T) -> io::Result<()>,
    ) -> io::Result<()> {
        self.number(list.len() as u64)?;
        list.iter().try_for_each(|one| each(self, one))
    }
}

/// What was written down, as a reader.
pub(crate) struct Source<'a>(pub Reading<'a>);

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (self.0)(buffer)
    }
}

/// Where they are read.
pub(crate) struct In<'a>(pub &'a mut dyn Read);

impl In<'_> {
    pub fn number(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.0.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    pub fn small(&mut self) -> io::Result<u32> {
        u32::try_from(self.number()?).map_err(|_| nonsense())
    }

    pub fn truth(&mut self) -> io::Result<bool> {
        Ok(self.number()? != 0)
    }

    pub fn option(&mut self) -> io::Result<Option<u64>> {
        Ok(if self.truth()? { Some(self.number()?) } else { None })
    }

    /// So many words, one after the other.
    pub fn raw(&mut self, count: u64, mut each: impl FnMut(u64, u32)) -> io::Result<()> {
        let mut piece = vec![0; 4 * PIECE];
        let mut at = 0;
        while at < count {
            let words = (count - at).min(PIECE as u64) as usize;
            self.0.read_exact(&mut piece[..4 * words])?;
            for word in piece[..4 * words].as_chunks().0 {
                each(at, u32::from_le_bytes(*word));
                at += 1;
            }
        }
        Ok(())
    }

    /// A list grows while it is read: a wrong length ends with the input, not with the memory.
    pub fn words(&mut self) -> io::Result<Vec<u32>> {
        let count = self.number()?;
        let mut words = Vec::with_capacity(count.min(PIECE as u64) as usize);
        self.raw(count, |_, word| words.push(word))?;
        Ok(words)
    }

    pub fn list<T>(
        &mut self,
        mut each: impl FnMut(&mut Self) -> io::Result<T>,
    ) -> io::Result<Vec<T>> {
        let count = self.number()?;
        let mut list = Vec::with_capacity(count.min(PIECE as u64) as usize);
        for _ in 0..count {
            list.push(each(self)?);
        }
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let words: Vec<u32> = (0..3 * PIECE as u32 + 5).map(|n| n * 77).collect();
        let mut bytes = Vec::new();
        let mut out = Out(&mut bytes);
        out.option(Some(9)).unwrap();
        out.words(&words).unwrap();
        out.list(&[3u64, 4], |out, &n| out.number(n)).unwrap();
        let mut rest = &bytes[..];
        let mut input = In(&mut rest);
        assert_eq!(input.option().unwrap(), Some(9));
        assert_eq!(input.words().unwrap(), words);
        assert_eq!(input.list(In::number).unwrap(), [3, 4]);
        assert!(input.number().is_err());
        assert!(In(&mut &u64::MAX.to_le_bytes()[..]).words().is_err());
    }
}
