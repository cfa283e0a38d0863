//! How each state of a breadth-first search was reached, in little more than a byte a state.
//!
//! Each thread numbers the states that it finds, and writes down for each state that it expands
//! which of its steps led to a new one. Where the expanded states come from is noted once for a
//! whole row of them.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use crate::disk::{Disk, Shelf};
use crate::ledger::Ledger;
use crate::stores::store::Full;
use crate::stores::wire::{In, Out};

/// log2 of the bytes in a full-grown block.
const BLOCK_BITS: u32 = 16;
const BLOCK: usize = 1 << BLOCK_BITS;
const FIRST_BLOCK: usize = 1 << 10;
/// A byte that stands for the four bytes after it.
const WIDE: u8 = u8::MAX;
/// What a byte says of an expansion: 0 is no new state, up to this many say which step led to the
/// only new one, and those behind which two did.
const ONES: u32 = 200;
/// Steps of which two are told by a byte.
const PAIRED: u32 = 10;
/// Bytes from here on tell of several expansions, at least two, that led to nothing new.
const NOTHING: u32 = 1 + ONES + PAIRED * (PAIRED - 1) / 2;
/// So many at most.
const MOST_NOTHING: u32 = 2 + (SEVERAL as u32 - 1) - NOTHING;
/// A byte before the number of new states and the steps to them.
const SEVERAL: u8 = u8::MAX;
/// After so many expansions the place is noted again, to be found quickly.
const SAMPLE: u64 = 4096;
/// The thread that initial states come from.
const NOBODY: u32 = u32::MAX;

/// A state: which thread found it, and how many that thread had found before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Found {
    pub thread: u32,
    pub number: u64,
}

/// An append-only list of bytes.
#[derive(Debug, Default)]
struct Stream {
    blocks: Vec<Vec<u8>>,
    len: u64,
    bytes: u64,
    /// Where the first blocks are, of which nothing is in memory.
    away: Vec<u64>,
    disk: Option<Arc<dyn Disk>>,
    /// What the disk said when it refused a block.
    trouble: Option<io::Error>,
    /// The block that was read last.
    cache: Mutex<(usize, Vec<u8>)>,
}

impl Stream {
    /// Makes so many bytes writable; `false` if the ledger refuses.
    fn reserve(&mut self, more: usize, ledger: &Ledger) -> bool {
        loop {
            let capacity: u64 = match self.blocks.len() {
                0 => 0,
                n => ((n as u64 - 1) << BLOCK_BITS) + self.blocks[n - 1].capacity() as u64,
            };
            if capacity >= self.len + more as u64 {
                return true;
            }
            let last = self.blocks.last().map_or(BLOCK, Vec::capacity);
            if last < BLOCK {
                let n = self.blocks.len() - 1;
                let mut bytes = 0;
                let block = &mut self.blocks[n];
                let spare = block.capacity() - block.len();
                if !ledger.grow_by(block, spare + 1, &mut bytes) {
                    return false;
                }
                self.bytes += bytes;
            } else {
                let size = if self.blocks.is_empty() { FIRST_BLOCK } else { BLOCK };
                if !ledger.take(size as u64) {
                    return false;
                }
                self.bytes += size as u64;
                self.blocks.push(Vec::with_capacity(size));
                self.put_away(ledger);
            }
        }
    }

    /// Writes full blocks to the disk, if there is one.
    #[cold]
    fn put_away(&mut self, ledger: &Ledger) {
        let Some(disk) = self.disk.clone() else { return };
        while self.away.len() < (self.len >> BLOCK_BITS) as usize && self.trouble.is_none() {
            let block = &mut self.blocks[self.away.len()];
            match disk.write(Shelf::Log, block) {
                Ok(at) => {
                    self.away.push(at);
                    ledger.give(block.capacity() as u64);
                    self.bytes -= block.capacity() as u64;
                    *block = Vec::new();
                }
                Err(error) => self.trouble = Some(error),
            }
        }
    }

    /// Reads a block that may be on the disk.
    fn with_block<T>(&self, index: usize, visit: impl FnOnce(&[u8]) -> T) -> io::Result<T> {
        let (Some(&at), Some(disk)) = (self.away.get(index), &self.disk) else {
            return Ok(visit(self.blocks.get(index).map_or(&[], Vec::as_slice)));
        };
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if cache.0 != index || cache.1.is_empty() {
            cache.1.resize(BLOCK, 0);
            if let Err(error) = disk.read(Shelf::Log, at, &mut cache.1) {
                cache.1.clear();
                return Err(error);
            }
            cache.0 = index;
        }
        Ok(visit(&cache.1))
    }

    #[inline]
    fn byte(&mut self, byte: u8) {
        let block = (self.len >> BLOCK_BITS) as usize;
        self.blocks[block].push(byte);
        self.len += 1;
    }

    fn number(&mut self, value: u32) {
        if value < u32::from(WIDE) {
            self.byte(value as u8);
        } else {
            self.byte(WIDE);
            for byte in value.to_le_bytes() {
                self.byte(byte);
            }
        }
    }

    /// The number at an offset, which moves behind it.
    fn read(&self, at: &mut u64) -> Option<u32> {
        let first = self.read_byte(at)?;
        if first < WIDE {
            return Some(u32::from(first));
        }
        let mut byte = || self.read_byte(at);
        Some(u32::from_le_bytes([byte()?, byte()?, byte()?, byte()?]))
    }

    /// The byte at an offset, which moves behind it.
    fn read_byte(&self, at: &mut u64) -> Option<u8> {
        let offset = *at as usize & (BLOCK - 1);
        let read = |block: &[u8]| block.get(offset).copied();
        let byte = self.with_block((*at >> BLOCK_BITS) as usize, read).ok()??;
        *at += 1;
        Some(byte)
    }
}

/// The number of a pair of different numbers, the smaller one first.
fn pair(one: u32, other: u32) -> u32 {
    other * (other - 1) / 2 + one
}

/// The pair with a number.
fn unpair(number: u32) -> Option<(u32, u32)> {
    let other = (1..PAIRED).rev().find(|&other| pair(0, other) <= number)?;
    Some((number - pair(0, other), other))
}

/// From here on the expanded states follow each other.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Offset in the stream.
    at: u64,
    /// States found before.
    found: u64,
    /// The first of the expanded states.
    source: Found,
}

/// What one thread wrote down.
#[derive(Debug, Default)]
pub(crate) struct Log {
    stream: Stream,
    rows: Vec<Row>,
    row_bytes: u64,
    /// States found.
    found: u64,
    /// The state that follows in the row, and how many the row has.
    next: Option<Found>,
    in_row: u64,
    /// The steps of the state under expansion that led to new states.
    pending: Vec<u32>,
    /// Expansions that led to nothing new and are not written down. At the end of a row they need not be:
    /// nobody asks for them.
    nothing: u32,
}

impl Log {
    /// Number of states found.
    pub fn found(&self) -> u64 {
        self.found + self.pending.len() as u64
    }

    /// Bytes of the log.
    pub fn bytes(&self) -> u64 {
        self.stream.bytes + self.row_bytes
    }

    /// Makes it possible to write down the expansion of a state with so many steps.
    #[inline]
    pub fn reserve(&mut self, steps: usize, ledger: &Ledger) -> bool {
        // Ordinals below 255 take a byte, and there are few others.
        let bytes = 7 + steps + if steps >= usize::from(WIDE) { 4 * steps } else { 0 };
        let here = self.stream.blocks.last().map_or(0, |block| block.capacity() - block.len());
        (here >= bytes || self.stream.reserve(bytes, ledger))
            && ledger.grow(&mut self.rows, &mut self.row_bytes)
    }

    /// The state that is expanded next; `None` for the initial states.
    #[inline]
    pub fn expand(&mut self, source: Option<Found>) {
        let source = source.unwrap_or(Found { thread: NOBODY, number: 0 });
        if self.next != Some(source) || self.in_row == SAMPLE {
            self.rows.push(Row { at: self.stream.len, found: self.found, source });
            self.in_row = 0;
            self.nothing = 0;
        }
        self.in_row += 1;
        self.next = Some(Found { number: source.number + 1, ..source });
    }

    /// A step of the state under expansion led to a new state.
    #[inline]
    pub fn child(&mut self, ordinal: u32) {
        self.pending.push(ordinal);
    }

    /// The state is expanded.
    #[inline]
    pub fn expanded(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        self.write(&pending, 0);
        pending.clear();
        self.pending = pending;
    }

    /// The same for states that follow each other: where the steps of each end among those of all, and
    /// which of them led to new states.
    pub fn expand_all(&mut self, source: Found, ends: &[u32], new: &[u32]) {
        let mut source = source;
        let mut rest = new;
        let mut start = 0;
        for &end in ends {
            self.expand(Some(source));
            let count = rest.iter().take_while(|&&new| new < end).count();
            let (here, behind) = rest.split_at(count);
            self.write(here, start);
            (rest, start) = (behind, end);
            source.number += 1;
        }
    }

    /// Writes down which steps led to new states, counted from `start` on.
    #[inline]
    fn write(&mut self, steps: &[u32], start: u32) {
        if steps.is_empty() {
            self.nothing += 1;
            if self.nothing == MOST_NOTHING {
                self.write_nothing();
            }
            return;
        }
        if self.nothing > 0 {
            self.write_nothing();
        }
        self.found += steps.len() as u64;
        match *steps {
            [one] if one - start < ONES => self.stream.byte((1 + one - start) as u8),
            [one, other] if one < other && other - start < PAIRED => {
                self.stream.byte((1 + ONES + pair(one - start, other - start)) as u8);
            }
            _ => {
                self.stream.byte(SEVERAL);
                self.stream.number(steps.len() as u32);
                for step in steps {
                    self.stream.number(step - start);
                }
            }
        }
    }

    #[inline]
    fn write_nothing(&mut self) {
        let byte = if self.nothing == 1 { 0 } else { NOTHING + self.nothing - 2 };
        self.stream.byte(byte as u8);
        self.nothing = 0;
    }

    /// The state whose expansion gave state `number`, and by which step.
    fn parent(&self, number: u64) -> Option<(Found, u32)> {
        let row = self.rows.partition_point(|row| row.found <= number).checked_sub(1)?;
        let Row { mut at, mut found, mut source } = *self.rows.get(row)?;
        loop {
            let wanted = number - found;
            let count = match self.stream.read_byte(&mut at)? {
                0 => 0,
                SEVERAL => {
                    let count = self.stream.read(&mut at)?;
                    for child in 0..u64::from(count) {
                        let ordinal = self.stream.read(&mut at)?;
                        if child == wanted {
                            return Some((source, ordinal));
                        }
                    }
                    u64::from(count)
                }
                code if u32::from(code) >= NOTHING => {
                    source.number += u64::from(u32::from(code) - NOTHING) + 1;
                    0
                }
                code if u32::from(code) <= ONES => {
                    if wanted == 0 {
                        return Some((source, u32::from(code) - 1));
                    }
                    1
                }
                code => {
                    let (one, other) = unpair(u32::from(code) - 1 - ONES)?;
                    match wanted {
                        0 => return Some((source, one)),
                        1 => return Some((source, other)),
                        _ => 2,
                    }
                }
            };
            found += count;
            source.number += 1;
        }
    }
}

impl Log {
    /// Writes it down. Nothing may be under expansion.
    pub fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.number(self.found)?;
        out.list(&self.rows, |out, row| {
            out.number(row.at)?;
            out.number(row.found)?;
            row.source.save(out)
        })?;
        out.number(self.stream.len)?;
        for index in 0..self.stream.blocks.len() {
            self.stream.with_block(index, |block| out.0.write_all(block))??;
        }
        Ok(())
    }

    /// An empty one, which keeps on a disk what it has written.
    pub fn on(disk: Option<&Arc<dyn Disk>>) -> Log {
        let stream = Stream { disk: disk.cloned(), ..Stream::default() };
        Log { stream, ..Log::default() }
    }

    /// What the disk said when it refused something.
    pub fn trouble(&mut self) -> Option<io::Error> {
        self.stream.trouble.take()
    }

    /// One that was written down.
    pub fn restore(
        input: &mut In<'_>,
        ledger: &Ledger,
        disk: Option<&Arc<dyn Disk>>,
    ) -> io::Result<Log> {
        let mut log = Log { found: input.number()?, ..Log::on(disk) };
        for _ in 0..input.number()? {
            if !ledger.grow(&mut log.rows, &mut log.row_bytes) {
                return Err(Full::Memory.into());
            }
            let (at, found) = (input.number()?, input.number()?);
            log.rows.push(Row { at, found, source: Found::restore(input)? });
        }
        let mut left = input.number()?;
        while left > 0 {
            let size = left.min(BLOCK as u64) as usize;
            if !ledger.take(size as u64) {
                return Err(Full::Memory.into());
            }
            let mut block = vec![0; size];
            input.0.read_exact(&mut block)?;
            log.stream.blocks.push(block);
            log.stream.bytes += size as u64;
            log.stream.len += size as u64;
            left -= size as u64;
            log.stream.put_away(ledger);
        }
        match log.trouble() {
            Some(error) => Err(error),
            None => Ok(log),
        }
    }
}

impl Found {
    pub fn save(self, out: &mut Out<'_>) -> io::Result<()> {
        out.number(u64::from(self.thread))?;
        out.number(self.number)
    }

    pub fn restore(input: &mut In<'_>) -> io::Result<Found> {
        Ok(Found { thread: input.small()?, number: input.number()? })
    }
}

/// The steps of the run to a state: the initial one first.
pub(crate) fn run_to(logs: &[Log], state: Found) -> Vec<u32> {
    let mut run = Vec::new();
    let mut at = state;
    while at.thread != NOBODY {
        let Some((parent, ordinal)) = logs[at.thread as usize].parent(at.number) else { break };
        run.push(ordinal);
        at = parent;
    }
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three threads that take rows of states from each other.
    #[test]
    fn parents_are_found_again() {
        let ledger = Ledger::new(None);
        let mut logs = [Log::default(), Log::default(), Log::default()];
        let mut seed = 7u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed >> 33
        };
        let mut states: Vec<(Found, Option<usize>, u32)> = Vec::new();
        assert!(logs[0].reserve(3, &ledger));
        logs[0].expand(None);
        for root in 0..3u32 {
            states.push((Found { thread: 0, number: logs[0].found() }, None, root * 2));
            logs[0].child(root * 2);
        }
        logs[0].expanded();
        let mut next = 0;
        while next < states.len() && next < 30_000 {
            let thread = (random() % 3) as usize;
            let row = 1 + random() as usize % 6000;
            let end = (next + row).min(states.len());
            for source in next..end {
                let count = match random() % 16 {
                    0 if states.len() < 200_000 => 300,
                    1..6 if states.len() > 100 => 0,
                    n => 1 + (n % 4) as u32,
                };
                assert!(logs[thread].reserve(count as usize, &ledger));
                logs[thread].expand(Some(states[source].0));
                for child in 0..count {
                    let number = logs[thread].found();
                    let found = Found { thread: thread as u32, number };
                    states.push((found, Some(source), child + 1));
                    logs[thread].child(child + 1);
                }
                logs[thread].expanded();
            }
            next = end;
        }
        assert!(states.len() > 20_000, "{}", states.len());
        for index in (0..states.len()).step_by(997).chain(0..2000) {
            let mut run = Vec::new();
            let mut at = Some(index);
            while let Some(i) = at {
                run.push(states[i].2);
                at = states[i].1;
            }
            run.reverse();
            assert_eq!(run_to(&logs, states[index].0), run, "state {index}");
        }
        assert_eq!(ledger.used(), logs.iter().map(Log::bytes).sum::<u64>());
    }
}
