//! A breadth-first search that is written down between two states, and taken up again.
//!
//! What is written: the store, the states of the level that are not expanded, those of the next level
//! that were found, the logs, and the notes of all threads as one. A search that is taken up gives its
//! threads new logs behind the old ones, so their number may be another.

use super::{
    AtomicU64, Found, Frontier, Halt, In, Level, Log, Ordering, Out, Parked, Record, Segment,
    Shared, Store, Thread, TransitionSystem, io, lock, nonsense,
};
use crate::disk::{Disk, Shelf};
use crate::options::Proviso;
use crate::outcome::Stopped;
use crate::stores::store::{Full, StoreWorker};

/// A search that has begun already.
#[derive(Default)]
pub(super) struct Begun<'s> {
    /// The level to go on with.
    level: Option<(Vec<Segment>, u64)>,
    /// States of the next level.
    pub found: Vec<Segment>,
    pub logs: Vec<Log>,
    record: Option<Record<'s>>,
}

/// The logs from before the search was taken up, and what the other threads wrote down.
type Others<'o, 's> = (&'o [Log], &'o [Parked<'s>]);

impl<'s> Begun<'s> {
    pub fn restore(
        input: &mut In<'_>,
        shared: &'s Shared<'s>,
        store: &impl Store,
        frontier: &Frontier,
    ) -> io::Result<Begun<'s>> {
        let mut record = Record::new(shared);
        record.restore(input, store)?;
        let depth = input.number()?;
        let mut waiting = 0;
        let disk = shared.options.disk;
        let mut segments = |input: &mut In<'_>, shelf: Shelf| {
            input.list(|input| {
                let mut segment = Segment::restore(input)?;
                waiting += u64::from(segment.count);
                if let Some(disk) = disk {
                    segment.write_to(&**disk, shelf)?;
                } else if !shared.ledger.take(segment.bytes) {
                    return Err(Full::Memory.into());
                }
                frontier.bytes.fetch_add(segment.bytes, Ordering::Relaxed);
                Ok(segment)
            })
        };
        let level = segments(input, Shelf::of_level(depth))?;
        let found = segments(input, Shelf::of_level(depth + 1))?;
        let logs = input.list(|input| Log::restore(input, shared.ledger, disk))?;
        let set = |counter: &AtomicU64, value| counter.store(value, Ordering::Relaxed);
        set(&frontier.waiting, waiting);
        set(&frontier.peak, frontier.bytes.load(Ordering::Relaxed));
        Ok(Begun { level: Some((level, depth)), found, logs, record: Some(record) })
    }
}

impl Segment {
    fn save(&self, out: &mut Out<'_>, disk: Option<&dyn Disk>) -> io::Result<()> {
        out.number(u64::from(self.version))?;
        out.number(u64::from(self.count))?;
        self.first.ok_or_else(nonsense)?.save(out)?;
        out.words(&self.records(disk)?)
    }

    fn restore(input: &mut In<'_>) -> io::Result<Segment> {
        let (version, count) = (input.small()?, input.small()?);
        let first = Some(Found::restore(input)?);
        let records = input.words()?;
        let bytes = 4 * records.capacity() as u64;
        Ok(Segment { version, first, count, records, bytes, away: None })
    }

    /// What is left from a word on, which belongs to this state.
    pub(super) fn rest(&self, from: usize, first: Found) -> Segment {
        let done = self.first.map_or(0, |begin| first.number - begin.number);
        Segment {
            version: self.version,
            first: Some(first),
            count: self.count.saturating_sub(done as u32),
            records: self.records[from..].to_vec(),
            bytes: 0,
            away: None,
        }
    }
}

impl<'s, S: TransitionSystem, T: Store> Thread<'s, S, T> {
    /// The first level: of the initial states, or the one that the search had come to.
    pub(super) fn begin(&mut self, begun: &mut Begun<'s>) -> Option<Level> {
        if let Some(record) = begun.record.take() {
            self.record = record;
        }
        match begun.level.take() {
            Some((mut segments, depth)) => {
                let threads = self.record.shared.options.threads;
                Some(Level::new(&mut segments, depth, threads, None))
            }
            None => {
                let result = self.initial();
                let mut found = Vec::new();
                self.finish(&mut found);
                self.next_level(result, &mut found, 0, None)
            }
        }
    }

    /// Puts what this thread wrote down where others find it.
    pub(super) fn park(&mut self, parked: &Parked<'s>) {
        let record = Record::new(self.record.shared);
        let record = std::mem::replace(&mut self.record, record);
        *lock(parked) = Some((record, std::mem::take(&mut self.log)));
    }

    pub(super) fn unpark(&mut self, parked: &Parked<'s>) {
        if let Some((record, log)) = lock(parked).take() {
            (self.record, self.log) = (record, log);
        }
    }

    /// Keeps the search as it is before a level, if it is time to.
    pub(super) fn keep_if_due(&mut self, level: Option<&Level>, others: Others<'_, 's>) {
        let Some(checkpoints) = self.record.shared.options.checkpoints else { return };
        if let Some(level) = level
            && checkpoints.due()
        {
            self.keep(level, &[], others);
        }
    }

    /// Keeps a search that ends early, if it can be taken up where it ended.
    pub(super) fn keep_end(
        &mut self,
        result: &Result<(), Halt>,
        level: &Level,
        found: &[Segment],
        others: Others<'_, 's>,
    ) {
        let shared = self.record.shared;
        let Some(checkpoints) = shared.options.checkpoints else { return };
        let reason = match result {
            Err(Halt(stopped)) => Some(stopped.clone()),
            Ok(()) => shared.reason(),
        };
        let limit = matches!(
            reason,
            Some(Stopped::Time | Stopped::Interrupted | Stopped::MemoryLimit | Stopped::StateLimit)
        );
        // To expand a state once more finds nothing new: that counts with this proviso.
        let repeatable = shared.options.reduction != Some(Proviso::New);
        if limit
            && repeatable
            && !self.all.begins_anew()
            && !self.frontier.torn.load(Ordering::Relaxed)
            && checkpoints.keep_end()
        {
            // Counts what is not counted yet.
            let _ = self.store.enter();
            let _ = self.store.settle();
            self.keep(level, found, others);
        }
    }

    fn keep(&mut self, level: &Level, found: &[Segment], (old, parked): Others<'_, 's>) {
        let Some(checkpoints) = self.record.shared.options.checkpoints else { return };
        let (store, record, log) = (self.all, &self.record, &self.log);
        let disk = self.disk();
        checkpoints.keep(store.len(), &mut |write| {
            let out = &mut Out(write);
            out.number(record.shared.way)?;
            store.save(out)?;
            let parked: Vec<_> = parked.iter().map(lock).collect();
            let theirs = || parked.iter().filter_map(|left| left.as_ref());
            let records: Vec<&Record<'s>> =
                std::iter::once(record).chain(theirs().map(|(record, _)| record)).collect();
            Record::save_all(&records, out)?;
            out.number(level.depth)?;
            let level: Vec<_> = level.segments.iter().map(lock).collect();
            let level: Vec<&Segment> =
                level.iter().filter_map(|segment| segment.as_ref()).collect();
            out.list(&level, |out, segment| segment.save(out, disk))?;
            out.list(found, |out, segment| segment.save(out, disk))?;
            // A thread that has not worked yet has an empty one: the numbers have to be right.
            let empty = Log::default();
            let mut logs: Vec<&Log> = old.iter().chain([log]).collect();
            logs.extend(parked.iter().map(|left| left.as_ref().map_or(&empty, |(_, log)| log)));
            out.list(&logs, |out, log| log.save(out))
        });
    }
}
