//! Time of the processor.

use std::fs;
use std::sync::OnceLock;
use std::time::Instant;

/// Seconds that this thread has run, where the system tells; else seconds that have passed.
pub fn seconds() -> f64 {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let run = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    match run {
        Some(nanoseconds) => nanoseconds / 1e9,
        None => {
            static START: OnceLock<Instant> = OnceLock::new();
            START.get_or_init(Instant::now).elapsed().as_secs_f64()
        }
    }
}
