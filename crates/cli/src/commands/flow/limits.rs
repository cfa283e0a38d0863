//! What an analysis may take, and why it stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use everypath_engine_dataflow::{Bounds, Cut};
use everypath_verdict::{Reason, Stop};

use super::FlowArgs;
use crate::{interrupt, memory};

/// When an analysis is to stop.
pub struct Limits {
    deadline: Option<Instant>,
    interrupted: &'static AtomicBool,
    bytes: Option<u64>,
}

/// Asks whether to stop.
pub type Stopping = Arc<dyn Fn() -> bool + Send + Sync>;

impl Limits {
    /// Those that the command line sets; time runs from now on.
    pub fn new(args: &FlowArgs) -> Limits {
        Limits {
            deadline: args.time.and_then(|time| Instant::now().checked_add(time)),
            interrupted: interrupt::install(),
            bytes: args.mem.or_else(memory::default_limit),
        }
    }

    /// When time is over.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Whether time is over, or the user had enough.
    pub fn stop(&self) -> Stopping {
        self.stop_after(None)
    }

    /// The same, with some patience of its own.
    pub fn stop_after(&self, patience: Option<Duration>) -> Stopping {
        let own = patience.and_then(|patience| Instant::now().checked_add(patience));
        let deadline = [self.deadline, own].into_iter().flatten().min();
        let interrupted = self.interrupted;
        Arc::new(move || {
            interrupted.load(Ordering::Relaxed)
                || deadline.is_some_and(|deadline| Instant::now() >= deadline)
        })
    }

    /// What the analysis of a graph may use.
    pub fn bounds(&self) -> Bounds {
        Bounds { bytes: self.bytes, stop: Some(self.stop()) }
    }

    /// Why something stopped.
    pub fn stopped(&self, cut: Cut) -> Stop {
        match cut {
            Cut::Pairs => Stop::States,
            Cut::Memory => Stop::Memory,
            Cut::Stopped if self.interrupted.load(Ordering::Relaxed) => Stop::Interrupt,
            Cut::Stopped => Stop::Time,
        }
    }

    /// The same for a verdict.
    pub fn reason(&self, cut: Cut) -> Reason {
        self.stopped(cut).reason().unwrap_or(Reason::TimeLimit)
    }
}
