//! What ends an analysis before its time.

use std::fmt;
use std::sync::Arc;

/// What an analysis may use.
#[derive(Clone, Default)]
pub struct Bounds {
    /// Bytes, at most, as far as they are counted.
    pub bytes: Option<u64>,
    /// Whether it is to stop.
    pub stop: Option<Arc<dyn Fn() -> bool + Send + Sync>>,
}

impl fmt::Debug for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bounds").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

/// Why an analysis ended before it was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// There were too many pairs of nodes and tuples.
    Pairs,
    /// There were too many bytes.
    Memory,
    /// It was to stop.
    Stopped,
}

impl Bounds {
    /// Whether so many bytes are too many, or it is to stop.
    pub fn reached(&self, bytes: u64) -> Option<Cut> {
        if self.bytes.is_some_and(|most| bytes > most) {
            return Some(Cut::Memory);
        }
        self.stop.as_ref().is_some_and(|stop| stop()).then_some(Cut::Stopped)
    }
}
