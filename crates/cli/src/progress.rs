//! The line that shows that something happens.

use std::time::{Duration, Instant};

use everypath_engine_explicit::{Control, Observer, Progress};
use everypath_render::units;

use crate::render::style::Style;

/// Time between two lines.
const INTERVAL: Duration = Duration::from_millis(500);

/// Says when it is time to report again, and how fast the search was since the last report.
pub struct Pace {
    last: Instant,
    states: u64,
}

impl Pace {
    /// A pace from now on.
    pub fn new(start: Instant) -> Pace {
        Pace { last: start, states: 0 }
    }

    /// States a second since the last report, if it is time for the next one.
    pub fn due(&mut self, now: Instant, states: u64) -> Option<f64> {
        let since = now.saturating_duration_since(self.last);
        if since < INTERVAL {
            return None;
        }
        let rate = states.saturating_sub(self.states) as f64 / since.as_secs_f64();
        (self.last, self.states) = (now, states);
        Some(rate)
    }
}

/// Watches a search and rewrites one line of the standard error twice a second.
pub struct Line {
    shown: bool,
    start: Instant,
    pace: Pace,
    memory: Option<u64>,
    style: Style,
    /// Whether a line has to be wiped away.
    dirty: bool,
}

impl Line {
    /// A line that is shown or not, for a search with this memory limit.
    pub fn new(shown: bool, start: Instant, memory: Option<u64>, style: Style) -> Line {
        Line { shown, start, pace: Pace::new(start), memory, style, dirty: false }
    }

    /// Wipes the line away.
    pub fn finish(&mut self) {
        if self.dirty {
            crate::outlet::draw("\r\x1b[K");
            self.dirty = false;
        }
    }
}

impl Observer for Line {
    fn progress(&mut self, progress: &Progress) -> Control {
        if self.shown {
            let now = Instant::now();
            if let Some(rate) = self.pace.due(now, progress.states) {
                let text = text(progress, rate as u64, self.memory, now - self.start);
                let text = self.style.clip(&text, self.style.width - 3);
                crate::outlet::draw(&format!("\r\x1b[K  {text}"));
                self.dirty = true;
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
    fn reports_are_half_a_second_apart() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut pace = Pace::new(start);
        assert_eq!(pace.due(at(499), 100), None);
        assert_eq!(pace.due(at(500), 100), Some(200.0));
        assert_eq!(pace.due(at(900), 200), None);
        assert_eq!(pace.due(at(1500), 200), Some(100.0));
        // The next input starts from nothing.
        assert_eq!(pace.due(at(2500), 10), Some(0.0));
    }

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
