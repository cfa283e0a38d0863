//! The line that shows that something happens.

use std::io::Write;
use std::time::{Duration, Instant};

use everypath_engine_explicit::{Control, Observer, Progress};

use crate::render::style::Style;
use crate::units;

/// Time between two lines.
const INTERVAL: Duration = Duration::from_millis(500);

/// Watches a search and rewrites one line of the standard error twice a second.
pub struct Line {
    shown: bool,
    start: Instant,
    last: Instant,
    last_states: u64,
    memory: Option<u64>,
    style: Style,
    /// Whether a line has to be wiped away.
    dirty: bool,
}

impl Line {
    /// A line that is shown or not, for a search with this memory limit.
    pub fn new(shown: bool, start: Instant, memory: Option<u64>, style: Style) -> Line {
        Line { shown, start, last: start, last_states: 0, memory, style, dirty: false }
    }

    /// Wipes the line away.
    pub fn finish(&mut self) {
        if self.dirty {
            eprint!("\r\x1b[K");
            let _ = std::io::stderr().flush();
            self.dirty = false;
        }
    }
}

impl Observer for Line {
    fn progress(&mut self, progress: &Progress) -> Control {
        if self.shown {
            let now = Instant::now();
            let since = now - self.last;
            if since >= INTERVAL {
                let rate = (progress.states - self.last_states.min(progress.states)) as f64
                    / since.as_secs_f64();
                let text = text(progress, rate as u64, self.memory, now - self.start);
                eprint!("\r\x1b[K  {}", self.style.clip(&text, self.style.width - 3));
                let _ = std::io::stderr().flush();
                self.dirty = true;
                self.last = now;
                self.last_states = progress.states;
            }
        }
        Control::Continue
    }
}

fn text(progress: &Progress, rate: u64, memory: Option<u64>, elapsed: Duration) -> String {
    let bytes = match memory {
        Some(limit) => {
            let (used, limit) = (units::bytes(progress.bytes), units::bytes(limit));
            match (used.split_once(' '), limit.split_once(' ')) {
                (Some((number, unit)), Some((_, other))) if unit == other => {
                    format!("{number}/{limit}")
                }
                _ => format!("{used} of {limit}"),
            }
        }
        None => units::bytes(progress.bytes),
    };
    let mut parts = vec![
        format!("{} states", units::rough(progress.states)),
        format!("{}/s", units::rough(rate)),
        format!("depth {}", units::count(progress.depth)),
        format!("frontier {}", units::rough(progress.frontier)),
        bytes,
        units::clock(elapsed),
    ];
    if progress.errors > 0 {
        parts.insert(0, format!("{} errors", units::rough(progress.errors)));
    }
    parts.join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_reads_like_this() {
        let progress = Progress {
            states: 412_600_000,
            transitions: 0,
            depth: 212,
            frontier: 58_000_000,
            bytes: 8_482_560_410,
            errors: 0,
        };
        assert_eq!(
            text(&progress, 1_100_000, Some(8 << 30), Duration::from_secs(372)),
            "412.6 M states | 1.1 M/s | depth 212 | frontier 58 M | 7.9/8.0 GiB | 06:12"
        );
        assert_eq!(
            text(&Progress { bytes: 5 << 20, ..progress }, 10, Some(8 << 30), Duration::ZERO),
            "412.6 M states | 10/s | depth 212 | frontier 58 M | 5 MiB of 8.0 GiB | 00:00"
        );
    }
}
