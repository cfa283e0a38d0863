//! The cold side of a transition system: names, places, values, and replay.

use std::fmt;

use crate::{Action, Blocked, Fault, Span, Stranded, TransitionSystem};

/// A value as a person reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A symbolic constant, or anything that is best read as a word.
    Name(String),
    /// A message, an array, the contents of a channel.
    List(Vec<Value>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(number) => number.fmt(f),
            Value::Bool(truth) => truth.fmt(f),
            Value::Name(word) => f.write_str(word),
            Value::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    f.write_str(if index > 0 { ", " } else { "" })?;
                    item.fmt(f)?;
                }
                f.write_str("]")
            }
        }
    }
}

/// What one transition is, whatever the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionInfo {
    /// The statement as one line of source text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A message that is sent or received in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Name of the channel.
    pub channel: String,
    /// Its fields.
    pub fields: Vec<Value>,
    /// Whether the step puts it in (`true`) or takes it out.
    pub send: bool,
    /// Whether the channel has no buffer, so that sender and receiver move together.
    pub rendezvous: bool,
    /// Whether the channel was full and lost it.
    pub lost: bool,
}

/// A fault as a person reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultInfo {
    /// `EPnnnn`.
    pub code: &'static str,
    /// The property it violates: `assertion`, `deadlock`, `index`, `invariant`, ...
    pub kind: &'static str,
    /// One sentence, with the values where the state is known: `n == 2, but n is 1`.
    pub message: String,
    /// Where it happens.
    pub span: Option<Span>,
    /// The variables that the violated condition reads, under the names that
    /// [`Describe::values`] gives them, where the state is known.
    pub parts: Vec<(String, Value)>,
    /// The calls that led there, innermost first, if the language has calls and the run is known.
    pub stack: Vec<String>,
    /// The class of the exception, if that is what it is.
    pub exception: Option<String>,
}

/// What a step did with locks and with other processes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Threading {
    /// The locks that it took.
    pub takes: Vec<String>,
    /// The locks that it gave back.
    pub releases: Vec<String>,
    /// The locks that its process holds after it.
    pub holds: Vec<String>,
    /// What else it did, in words: `starts Thread-0`.
    pub deeds: Vec<String>,
    /// The calls that it is inside of, outermost first.
    pub stack: Vec<String>,
}

/// One action of a replayed run.
#[derive(Clone, Debug)]
pub struct MicroStep {
    /// What moved.
    pub action: Action,
    /// Name of the process that moved, stable for its life: an index into the names of lanes is
    /// made from it.
    pub process: String,
    /// The statement and its place.
    pub info: ActionInfo,
    /// Shared variables that the statement read, with their values before the step.
    pub reads: Vec<(String, Value)>,
    /// Variables of the process itself that the statement read.
    pub uses: Vec<String>,
    /// Variables that the statement wrote, with their values before and after, also when equal.
    pub writes: Vec<(String, Value, Value)>,
    /// The message that moved, the last one if there were several.
    pub message: Option<Message>,
    /// Those that moved before it in the same statement, in order.
    pub earlier: Vec<Message>,
    /// Whether nobody else could move between this action and the next.
    pub atomic: bool,
    /// Which of the enabled choices of the state before it was taken: (chosen, out of).
    pub choice: (u32, u32),
    /// The state after it.
    pub state: Vec<u32>,
    /// What the statement prints.
    pub output: String,
    /// What it did with locks and with other processes.
    pub threading: Threading,
    /// The faults that happened in it.
    pub faults: Vec<FaultInfo>,
}

/// A run that the reference semantics does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// Number of the action, from 0.
    pub index: usize,
    /// Why it is not possible there.
    pub message: String,
}

/// Names, places and values of a system, and the independent replay of its runs.
pub trait Describe: TransitionSystem {
    /// The variables and channels of a state with their values, in a fixed order.
    fn values(&self, state: &[u32]) -> Vec<(String, Value)>;

    /// The names of the processes alive in a state, oldest first.
    fn processes(&self, state: &[u32]) -> Vec<String>;

    /// What a transition is.
    fn action(&self, transition: u32) -> ActionInfo;

    /// What a fault is, without the values of a particular state.
    fn fault(&self, fault: Fault) -> FaultInfo;

    /// Runs `actions` from `state`, one at a time, by code that shares nothing with the search but
    /// the meaning of single statements.
    fn replay(&self, state: &[u32], actions: &[Action]) -> Result<Vec<MicroStep>, ReplayError>;

    /// The faults that a run shows at its end and that are no fault of its last action alone: what two
    /// actions do to each other, or what the state is that they lead to.
    fn run_faults(&self, state: &[u32], actions: &[Action]) -> Vec<(Fault, FaultInfo)> {
        let _ = (state, actions);
        Vec::new()
    }

    /// Why nothing can move in a state without steps.
    fn blocked(&self, state: &[u32]) -> Vec<Blocked>;

    /// The messages of a state that nobody can take any more, as far as that can be told.
    fn stranded(&self, _state: &[u32]) -> Vec<Stranded> {
        Vec::new()
    }

    /// The name of the process that an action of a state is one of.
    fn process_of(&self, state: &[u32], action: Action) -> String {
        self.processes(state).into_iter().nth(action.process as usize).unwrap_or_default()
    }

    /// What a process is called in this language.
    fn process_word(&self) -> &'static str {
        "process"
    }

    /// Why an invariant is false in a state.
    fn invariant_fault(&self, state: &[u32], fault: Fault) -> FaultInfo;
}
