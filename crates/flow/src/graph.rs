//! The graph.

use everypath_model::Span;

/// A node of a procedure, by its place.
pub type NodeId = usize;

/// A program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// Variables that all threads see.
    pub variables: Vec<Variable>,
    /// Procedures, bodies of threads included.
    pub procedures: Vec<Procedure>,
    /// Threads; those that run from the beginning come first.
    pub threads: Vec<Thread>,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The value that it has at the beginning, if that is known.
    pub initial: Option<String>,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its name.
    pub name: String,
    /// What it does: a procedure, by its place.
    pub body: usize,
    /// What stands in the place of its parameters.
    pub arguments: Vec<String>,
    /// Whether it runs from the beginning; others have to be started.
    pub runs: bool,
}

/// A procedure.
#[derive(Clone, Debug, PartialEq)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<String>,
    /// Variables of each call by itself.
    pub locals: Vec<String>,
    /// Its nodes.
    pub nodes: Vec<Node>,
    /// Where it begins.
    pub entry: NodeId,
}

/// A node of a procedure.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it does.
    pub op: Op,
    /// Where control goes then.
    pub next: Vec<NodeId>,
    /// Where control goes if the procedure that it calls ends with an exception. If there is nothing, the
    /// exception goes on to the caller.
    pub handlers: Vec<NodeId>,
    /// Where it comes from.
    pub span: Option<Span>,
}

/// What a node does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Nothing that matters.
    Nothing,
    /// Something that has a name.
    Event(String),
    /// The procedure ends.
    Return,
    /// The procedure ends with an exception.
    Throw,
    /// A procedure is called.
    Call {
        /// Its place.
        procedure: usize,
        /// What stands in the place of its parameters.
        arguments: Vec<String>,
    },
    /// A lock is taken.
    Lock(String),
    /// A lock is given back.
    Unlock(String),
    /// A lock is given back until somebody notifies; then it is taken again.
    Wait(String),
    /// A lock is given back for some time, as often as it was taken, and then taken again, as by waiting that may
    /// end by itself.
    Pause(String),
    /// One that waits is woken.
    Notify(String),
    /// All that wait are woken.
    NotifyAll(String),
    /// A thread is started.
    Start(String),
    /// The end of a thread is waited for.
    Join(String),
    /// Meets a thread that accepts.
    Send(String),
    /// Meets a thread that sends.
    Accept(String),
    /// A variable gets a value.
    Assign {
        /// The variable.
        variable: String,
        /// Its value; `None` if that is not known.
        value: Option<String>,
    },
    /// Control comes here only if a variable has, or does not have, a value.
    Test {
        /// The variable.
        variable: String,
        /// Whether it has the value.
        is: bool,
        /// The value.
        value: String,
    },
}

impl Op {
    /// The name that it is about.
    pub fn name(&self) -> Option<&str> {
        match self {
            Op::Nothing | Op::Return | Op::Throw | Op::Call { .. } => None,
            Op::Event(name)
            | Op::Lock(name)
            | Op::Unlock(name)
            | Op::Wait(name)
            | Op::Pause(name)
            | Op::Notify(name)
            | Op::NotifyAll(name)
            | Op::Start(name)
            | Op::Join(name)
            | Op::Send(name)
            | Op::Accept(name) => Some(name),
            Op::Assign { variable, .. } | Op::Test { variable, .. } => Some(variable),
        }
    }

    /// The same about another name.
    pub fn about(&self, name: String) -> Op {
        match self {
            Op::Nothing | Op::Return | Op::Throw | Op::Call { .. } => self.clone(),
            Op::Event(_) => Op::Event(name),
            Op::Lock(_) => Op::Lock(name),
            Op::Unlock(_) => Op::Unlock(name),
            Op::Wait(_) => Op::Wait(name),
            Op::Pause(_) => Op::Pause(name),
            Op::Notify(_) => Op::Notify(name),
            Op::NotifyAll(_) => Op::NotifyAll(name),
            Op::Start(_) => Op::Start(name),
            Op::Join(_) => Op::Join(name),
            Op::Send(_) => Op::Send(name),
            Op::Accept(_) => Op::Accept(name),
            Op::Assign { value, .. } => Op::Assign { variable: name, value: value.clone() },
            Op::Test { is, value, .. } => {
                Op::Test { variable: name, is: *is, value: value.clone() }
            }
        }
    }
}

impl Program {
    /// The place of a procedure.
    pub fn procedure(&self, name: &str) -> Option<usize> {
        self.procedures.iter().position(|procedure| procedure.name == name)
    }

    /// The place of a thread.
    pub fn thread(&self, name: &str) -> Option<usize> {
        self.threads.iter().position(|thread| thread.name == name)
    }
}
