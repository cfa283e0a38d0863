//! Segments on the disk, from when they are full until they are expanded.

use std::borrow::Cow;

use super::{Away, Halt, Ordering, Segment, Store, Thread, TransitionSystem, io, trouble};
use crate::disk::{Disk, Shelf, to_bytes, to_words};

impl Segment {
    /// Its records, wherever they are.
    pub(super) fn records(&self, disk: Option<&dyn Disk>) -> io::Result<Cow<'_, [u32]>> {
        match (self.away, disk) {
            (Some(Away { shelf, at, words }), Some(disk)) => {
                let mut bytes = vec![0; 4 * words];
                disk.read(shelf, at, &mut bytes)?;
                Ok(Cow::Owned(to_words(&bytes)))
            }
            _ => Ok(Cow::Borrowed(&self.records)),
        }
    }

    /// Moves its records to the disk.
    pub(super) fn write_to(&mut self, disk: &dyn Disk, shelf: Shelf) -> io::Result<()> {
        let at = disk.write(shelf, &to_bytes(&self.records))?;
        self.away = Some(Away { shelf, at, words: self.records.len() });
        self.records = Vec::new();
        self.bytes = 0;
        Ok(())
    }
}

impl<'s, S: TransitionSystem, T: Store> Thread<'s, S, T> {
    pub(super) fn disk(&self) -> Option<&'s dyn Disk> {
        self.record.shared.options.disk.map(|disk| &**disk)
    }

    /// Writes a full segment to the disk. If that fails it stays, and the search ends.
    pub(super) fn put_away(&self, segment: &mut Segment, disk: &dyn Disk) {
        let bytes = segment.bytes;
        match segment.write_to(disk, Shelf::of_level(self.record.depth)) {
            Ok(()) => {
                self.record.shared.ledger.give(bytes);
                self.frontier.bytes.fetch_sub(bytes, Ordering::Relaxed);
            }
            Err(error) => self.record.shared.halt(trouble(&error)),
        }
    }

    /// Reads a segment that is to be expanded.
    pub(super) fn fetch(&self, segment: &mut Segment) -> Result<(), Halt> {
        let records = segment.records(self.disk()).map_err(|error| trouble(&error))?.into_owned();
        let bytes = 4 * records.capacity() as u64;
        // One for each thread: too little to be refused.
        self.record.shared.ledger.force(bytes);
        self.frontier.bytes.fetch_add(bytes, Ordering::Relaxed);
        (segment.records, segment.bytes, segment.away) = (records, bytes, None);
        Ok(())
    }
}
