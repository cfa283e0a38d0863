//! The stream `everypath.event/1`: one JSON document a line while a run goes on.

use everypath_engine_explicit::Progress;
use everypath_verdict::{Note, PropertyResult, RunResult, Tool};
use schemars::JsonSchema;
use serde::Serialize;

/// Value of [`Event::schema`].
pub const EVENT_SCHEMA: &str = "everypath.event/1";

/// One line of the stream.
#[derive(Serialize, JsonSchema)]
pub struct Event<'a> {
    /// `everypath.event/1`
    #[schemars(extend("const" = EVENT_SCHEMA))]
    pub schema: &'static str,
    /// Seconds since the start of the command.
    pub time_s: f64,
    /// What happened.
    #[serde(flatten)]
    pub happening: Happening<'a>,
}

/// What happened.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Happening<'a> {
    /// The command began; the first event.
    Start {
        /// Who writes.
        tool: &'a Tool,
        /// The command line.
        argv: &'a [String],
        /// The inputs as the command line names them. Later events tell them by their index here.
        inputs: Vec<String>,
    },
    /// A search goes on; about twice a second.
    Progress(Account),
    /// Something is known about an input: a property with its verdict, or a diagnostic.
    Finding {
        /// Index of the input.
        input: usize,
        /// Its path.
        path: &'a str,
        /// What is known.
        #[serde(flatten)]
        finding: Finding<'a>,
    },
    /// An input is done.
    Result {
        /// Index of the input.
        input: usize,
        /// The document `everypath.result/1`.
        result: &'a RunResult,
    },
    /// The command is done; the last event.
    End {
        /// The exit code of the command.
        exit: u8,
    },
}

/// What is known about an input.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Finding<'a> {
    /// A property with its verdict. Its trace comes with the result.
    Property(&'a PropertyResult),
    /// A message about the input, or about the tool.
    Diagnostic(&'a Note),
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Account {
    /// Index of the input.
    pub input: usize,
    /// States stored.
    pub states: u64,
    /// States stored per second since the last report.
    pub rate: f64,
    /// Steps taken.
    pub transitions: u64,
    /// Steps to the state under expansion.
    pub depth: u64,
    /// States that are stored but not expanded.
    pub frontier: u64,
    /// Memory of the search.
    pub bytes: u64,
    /// The limit on it; null if there is none.
    pub limit_bytes: Option<u64>,
    /// How often a violation was met.
    pub errors: u64,
}

impl Account {
    /// What is known from inside the search.
    pub fn new(input: usize, progress: &Progress, rate: f64, limit: Option<u64>) -> Account {
        Account {
            input,
            states: progress.states,
            rate: rate.round(),
            transitions: progress.transitions,
            depth: progress.depth,
            frontier: progress.frontier,
            bytes: progress.bytes,
            limit_bytes: limit,
            errors: progress.errors,
        }
    }
}
