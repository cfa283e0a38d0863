//! Room on a disk for what a search need not have at hand: waiting states, and how states were reached.

use std::fmt::Debug;
use std::io;

use crate::outcome::Stopped;
use crate::searches::record::Halt;

/// Files to append to and to read from. The engine does not know where they are.
pub trait Disk: Debug + Send + Sync {
    /// Appends to a file, and says where that begins.
    fn write(&self, file: Shelf, bytes: &[u8]) -> io::Result<u64>;

    /// Reads what was written.
    fn read(&self, file: Shelf, at: u64, bytes: &mut [u8]) -> io::Result<()>;

    /// Forgets what is in a file.
    fn clear(&self, file: Shelf);
}

/// The files of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shelf {
    /// Waiting states of even levels.
    Even,
    /// Waiting states of odd levels.
    Odd,
    /// Logs.
    Log,
}

impl Shelf {
    /// All of them.
    pub const ALL: [Shelf; 3] = [Shelf::Even, Shelf::Odd, Shelf::Log];

    /// Where the states of a level wait.
    pub(crate) fn of_level(depth: u64) -> Shelf {
        if depth.is_multiple_of(2) { Shelf::Even } else { Shelf::Odd }
    }
}

/// The disk does not do what it should.
pub(crate) fn trouble(error: &io::Error) -> Halt {
    Halt(Stopped::Disk(error.to_string()))
}

/// Words as bytes.
pub(crate) fn to_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Bytes as words.
pub(crate) fn to_words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}
