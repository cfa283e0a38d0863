//! Who waits for what, and who could provide it.

use crate::{ActionInfo, Value};

/// A process of a stuck state and what it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Name of the process.
    pub process: String,
    /// The statements it stands before.
    pub at: Vec<ActionInfo>,
    /// Why none of them can be executed, one line.
    pub why: String,
    /// Whether it may rest here.
    pub valid_end: bool,
    /// The statements that it waits to execute, each with what is in the way, the first ones if
    /// there are very many; empty for a process that has come to its end.
    pub needs: Vec<Need>,
}

/// One statement that cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// The statement.
    pub statement: ActionInfo,
    /// What is in the way.
    pub obstacle: Obstacle,
    /// Statements that could take the obstacle away.
    pub providers: Vec<Provider>,
    /// Whether nothing but the providers that can still act could: `false` if the statement depends
    /// on more than variables and channels, so that others may matter too.
    pub closed: bool,
}

/// Why a statement cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// It receives from a channel without messages.
    Empty {
        /// The channel.
        channel: String,
        /// The fields that the message must have; `None` for any value.
        wanted: Vec<Option<Value>>,
    },
    /// It receives, but no message that it may take is the right one.
    Mismatch {
        /// The channel.
        channel: String,
        /// The fields that the message must have; `None` for any value.
        wanted: Vec<Option<Value>>,
        /// The messages in the channel.
        contents: Vec<Value>,
        /// Only the first message counts.
        first_only: bool,
    },
    /// It sends to a channel without room.
    Full {
        /// The channel.
        channel: String,
        /// The messages in the channel.
        contents: Vec<Value>,
    },
    /// It hands a message over, and nobody is ready to take it.
    NoReceiver {
        /// The channel.
        channel: String,
        /// The message.
        message: Vec<Value>,
    },
    /// It takes a message over, and nobody is ready to hand one.
    NoSender {
        /// The channel.
        channel: String,
        /// The fields that the message must have; `None` for any value.
        wanted: Vec<Option<Value>>,
    },
    /// It receives from a channel that is gone with its owner.
    Gone {
        /// The channel as the statement names it.
        channel: String,
    },
    /// Its condition is false.
    Condition {
        /// The parts of the condition.
        values: Vec<(String, Value)>,
    },
    /// It needs a lock.
    Held {
        /// The lock.
        lock: String,
        /// The process that holds it.
        holder: String,
    },
    /// It waits for the end of another process.
    Alive {
        /// The other process.
        process: String,
    },
    /// The process may not move at all: its own condition for that is false.
    Provided {
        /// The parts of the condition.
        values: Vec<(String, Value)>,
    },
    /// Something else.
    Other,
}

/// A statement that could take an obstacle away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provider {
    /// The process that would execute it; the name of what it runs if there is no such process.
    pub process: String,
    /// The statement.
    pub statement: ActionInfo,
    /// What it does.
    pub deed: Deed,
    /// Whether the process can come there.
    pub standing: Standing,
}

/// Messages in a channel from which nobody can take them any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stranded {
    /// The channel.
    pub channel: String,
    /// The messages.
    pub contents: Vec<Value>,
    /// The statements that could have taken one; none of them can be executed any more.
    pub receivers: Vec<Provider>,
}

/// What a provider does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Deed {
    /// Puts a message into the channel.
    Sends,
    /// Takes a message out of the channel.
    Receives,
    /// Writes a variable of the condition.
    Writes,
    /// Gives the lock back.
    Releases,
    /// Comes to its end.
    Ends,
}

/// Whether a process can still come to a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// Its control flow leads there.
    Ahead,
    /// It can start a process whose control flow leads there.
    Starts,
    /// It is the waiting process itself.
    Itself,
    /// Its control flow leads there no more.
    Past,
    /// It has come to its end.
    Ended,
    /// There is no such process, and nobody can start one.
    Absent,
}

impl Standing {
    /// Whether the statement can still be executed by another process.
    pub fn can_act(self) -> bool {
        matches!(self, Standing::Ahead | Standing::Starts)
    }
}
