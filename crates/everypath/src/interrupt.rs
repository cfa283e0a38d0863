//! Whether somebody wants the work to end.

use std::sync::atomic::{AtomicBool, Ordering};

/// Set by whoever wants it; a door sets it where there is a signal.
pub static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Whether somebody wants the program to end.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
