//! Lists that only grow, read without a lock.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

const FIRST: u32 = 10;
const SEGMENTS: usize = 20;

/// A list whose elements keep their places.
pub(crate) struct Append<T> {
    segments: [OnceLock<Box<[OnceLock<T>]>>; SEGMENTS],
    length: AtomicUsize,
}

fn place(at: usize) -> (usize, usize) {
    let shifted = at + (1 << FIRST);
    let segment = usize::BITS - 1 - shifted.leading_zeros() - FIRST;
    (segment as usize, shifted - (1 << (FIRST + segment)))
}

impl<T> Default for Append<T> {
    fn default() -> Append<T> {
        Append::new()
    }
}

impl<T> Append<T> {
    pub fn new() -> Append<T> {
        Append { segments: [const { OnceLock::new() }; SEGMENTS], length: AtomicUsize::new(0) }
    }

    /// Adds an element and gives its number.
    ///
    /// # Panics
    /// After about a thousand million elements.
    pub fn push(&self, element: T) -> usize {
        let at = self.length.fetch_add(1, Ordering::AcqRel);
        let (segment, offset) = place(at);
        let size = 1usize << (FIRST as usize + segment);
        let elements =
            self.segments[segment].get_or_init(|| (0..size).map(|_| OnceLock::new()).collect());
        let first = elements[offset].set(element).is_ok();
        debug_assert!(first, "every place is given once");
        at
    }

    #[inline]
    pub fn get(&self, at: usize) -> Option<&T> {
        let (segment, offset) = place(at);
        self.segments.get(segment)?.get()?.get(offset)?.get()
    }

    pub fn len(&self) -> usize {
        self.length.load(Ordering::Acquire)
    }
}
