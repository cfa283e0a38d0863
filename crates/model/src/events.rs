//! One run of a program as the sequence of its events, which analyses of single runs read.

/// What a thread of the program does. Threads, locks and locations are numbers that stay the same for
/// the whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// Starts another thread.
    Start(u32),
    /// Has noticed that another thread has ended.
    Join(u32),
    /// Takes a lock that it did not have.
    Acquire(u32),
    /// Gives a lock back; also what it does when it begins to wait for a notification.
    Release(u32),
    /// Reads a location.
    Read(u32),
    /// Writes a location.
    Write(u32),
    /// Reads a location that orders threads: it sees all that came before the writes to it.
    Observe(u32),
    /// Writes such a location.
    Publish(u32),
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The thread.
    pub thread: u32,
    /// What it does.
    pub operation: Operation,
    /// Where: a number that the source of the events knows.
    pub site: u32,
}
