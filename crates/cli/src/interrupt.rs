//! Ctrl-C: the first ends the search with what it has, the second ends the process.

use std::sync::atomic::{AtomicBool, Ordering};

use everypath::interrupt::REQUESTED;
pub use everypath::interrupt::requested;

/// Whether there is nothing to stop but waiting.
static WAITING: AtomicBool = AtomicBool::new(false);

/// Exit code after the second signal.
const KILLED: i32 = 130;

/// Installs the handler and returns the flag that the first signal sets.
pub fn install() -> &'static AtomicBool {
    // Without a handler a signal ends the process, which is no worse.
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            std::process::exit(KILLED);
        }
        if WAITING.load(Ordering::Relaxed) {
            return;
        }
        crate::complain("\nstopping with what was found so far; once more ends at once\n");
    });
    &REQUESTED
}

/// Says whether the program does nothing but wait; then an interrupt needs no words.
pub fn set_waiting(waiting: bool) {
    WAITING.store(waiting, Ordering::Relaxed);
}
