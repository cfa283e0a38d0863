//! Zeroed memory of cache lines, on huge pages where the system has them.

#![allow(unsafe_code)]

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64};

use memmap2::{MmapOptions, MmapRaw};

/// Bytes of a cache line.
pub(crate) const LINE: usize = 64;
/// From this size on huge pages are asked for; below it they would only waste memory.
const HUGE: usize = 4 << 20;

/// How many times as many addresses a large piece of memory gets as it needs at first.
const ROOM: usize = 512;
/// Whole pages are asked for, of this size at the least.
#[cfg(target_os = "linux")]
const PAGE: usize = 4 << 10;

/// A row of cache lines, all zero at first, that several threads read and write atomically.
#[derive(Debug)]
pub(crate) struct Lines {
    memory: Option<MmapRaw>,
    lines: usize,
}

impl Lines {
    /// So many lines. Pages cost nothing before they are touched.
    pub fn new(lines: usize) -> io::Result<Lines> {
        if lines == 0 {
            return Ok(Lines { memory: None, lines });
        }
        let bytes = lines
            .checked_mul(LINE)
            .ok_or_else(|| io::Error::other("more memory than there are addresses"))?;
        let map = MmapOptions::new().len(bytes).no_reserve_swap().map_anon()?;
        #[cfg(target_os = "linux")]
        if bytes >= HUGE {
            // Only a wish: without huge pages everything is slower, not wrong.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Ok(Lines { memory: Some(MmapRaw::from(map)), lines })
    }

    /// So many lines, and addresses for more if large ones are wanted and the system has them to give.
    pub fn with_room(lines: usize) -> io::Result<Lines> {
        if lines >= HUGE / LINE
            && let Some(more) = lines.checked_mul(ROOM)
            && let Ok(roomy) = Lines::new(more)
        {
            return Ok(roomy);
        }
        Lines::new(lines)
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.lines
    }

    /// Makes the pages of some lines now, which is faster than one by one if all are going to be
    /// written.
    pub fn populate(&self, lines: Range<usize>) {
        #[cfg(target_os = "linux")]
        if let Some(memory) = &self.memory {
            // An older system makes them when they are touched. Pages begin at multiples of their size.
            let from = lines.start * LINE / PAGE * PAGE;
            let to = lines.end.min(self.lines) * LINE;
            let _ = memory.advise_range(memmap2::Advice::PopulateWrite, from, to - from);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = lines;
    }

    /// The memory as 16 words a line.
    #[inline]
    pub fn words(&self) -> &[AtomicU32] {
        match &self.memory {
            // SAFETY: the mapping is as long, page-aligned, initialised with zeros, valid as long
            // as `self`, and nobody reads or writes it but through atomic operations.
            Some(memory) => unsafe {
                std::slice::from_raw_parts(memory.as_ptr().cast(), self.lines * (LINE / 4))
            },
            None => &[],
        }
    }

    /// The memory as 8 double words a line. One owner uses one of the two views, never both.
    #[inline]
    pub fn double_words(&self) -> &[AtomicU64] {
        match &self.memory {
            // SAFETY: as above.
            Some(memory) => unsafe {
                std::slice::from_raw_parts(memory.as_ptr().cast(), self.lines * (LINE / 8))
            },
            None => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn lines_are_aligned_and_zero() {
        for lines in [0, 1, 3, 1 << 17] {
            let memory = Lines::new(lines).unwrap();
            assert_eq!(memory.words().len(), lines * 16);
            assert_eq!(memory.double_words().len(), lines * 8);
            assert!(memory.words().iter().all(|word| word.load(Relaxed) == 0));
            if lines > 0 {
                assert_eq!(memory.words().as_ptr() as usize % LINE, 0);
            }
        }
        assert!(Lines::new(usize::MAX / 2).is_err());
    }
}
