//! A program with all calls put in place: one graph for each thread.

use everypath_model::Span;

/// A node, by its place.
pub type NodeId = u32;
/// A thread, by its place.
pub type ThreadId = u32;

/// The threads of a program.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The threads.
    pub threads: Vec<Thread>,
    /// The nodes of all of them.
    pub nodes: Vec<Node>,
    /// The names of locks.
    pub locks: Vec<String>,
    /// The variables.
    pub variables: Vec<Variable>,
    /// The names of events, those of channels included.
    pub events: Vec<String>,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its name.
    pub name: String,
    /// Whether it runs from the beginning.
    pub runs: bool,
    /// Whether there may be more than one of it at a time or one after the other.
    pub many: bool,
    /// Its first node.
    pub begin: NodeId,
    /// Its last node.
    pub end: NodeId,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it is at the beginning, if that is known, by its place among the values.
    pub initial: Option<u32>,
    /// The values that it is compared with or gets.
    pub values: Vec<String>,
}

/// A node of a thread, or of two that meet.
#[derive(Clone, Debug)]
pub struct Node {
    /// The thread.
    pub thread: ThreadId,
    /// The thread that it meets, and where that goes then.
    pub partner: Option<(ThreadId, Vec<NodeId>)>,
    /// What it does.
    pub kind: Kind,
    /// Where the thread goes then.
    pub next: Vec<NodeId>,
    /// Where it comes from.
    pub span: Option<Span>,
}

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Nothing that matters.
    Nothing,
    /// The thread begins.
    Begin,
    /// The thread ends.
    End,
    /// An event.
    Event(u32),
    /// A lock is taken.
    Lock(u32),
    /// A lock is given back.
    Unlock(u32),
    /// The lock is given back in order to wait.
    Wait(u32),
    /// The thread waits.
    Waiting(u32),
    /// It has been notified and takes the lock again.
    Reenter(u32),
    /// One that waits is woken.
    Notify(u32),
    /// All that wait are woken.
    NotifyAll(u32),
    /// A thread is started.
    Start(ThreadId),
    /// The end of a thread is waited for.
    Join(ThreadId),
    /// A message is sent: only until those who accept are known.
    Send(u32),
    /// A message is accepted: only until those who send are known.
    Accept(u32),
    /// Two threads meet; an event.
    Meet(u32),
    /// A variable gets a value, or one that is not known.
    Assign(u32, Option<u32>),
    /// A variable has a value here.
    Is(u32, u32),
    /// A variable does not have a value here.
    IsNot(u32, u32),
}

impl Kind {
    /// Whether it has to do with other threads.
    pub fn concurrent(self) -> bool {
        !matches!(
            self,
            Kind::Nothing | Kind::Event(_) | Kind::Assign(..) | Kind::Is(..) | Kind::IsNot(..)
        )
    }
}

impl Graph {
    /// The nodes behind a node, for one of its threads.
    pub fn next(&self, thread: ThreadId, node: NodeId) -> &[NodeId] {
        let node = &self.nodes[node as usize];
        match &node.partner {
            Some((partner, next)) if *partner == thread => next,
            _ => &node.next,
        }
    }

    /// The nodes before each node, each with its thread.
    pub fn before(&self) -> Vec<Vec<(ThreadId, NodeId)>> {
        let mut before = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            let partner = node
                .partner
                .iter()
                .flat_map(|(thread, next)| next.iter().map(move |&target| (*thread, target)));
            let own = node.next.iter().map(|&target| (node.thread, target));
            for (thread, target) in own.chain(partner) {
                before[target as usize].push((thread, index as NodeId));
            }
        }
        before
    }

    /// The threads of a node: one, or two that meet.
    pub fn threads_of(&self, node: NodeId) -> impl Iterator<Item = ThreadId> + '_ {
        let node = &self.nodes[node as usize];
        std::iter::once(node.thread).chain(node.partner.as_ref().map(|(thread, _)| *thread))
    }

    /// Whether threads meet.
    pub fn has_meetings(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node.kind, Kind::Meet(_)))
    }

    /// What a node does, in words.
    pub fn show(&self, node: NodeId) -> String {
        let lock = |index: u32| &self.locks[index as usize];
        let variable = |index: u32| &self.variables[index as usize];
        let thread = |index: u32| &self.threads[index as usize].name;
        match self.nodes[node as usize].kind {
            Kind::Nothing => "skip".to_owned(),
            Kind::Begin => "begin".to_owned(),
            Kind::End => "end".to_owned(),
            Kind::Event(event) | Kind::Meet(event) => self.events[event as usize].clone(),
            Kind::Send(event) => format!("send {}", self.events[event as usize]),
            Kind::Accept(event) => format!("accept {}", self.events[event as usize]),
            Kind::Lock(l) => format!("lock {}", lock(l)),
            Kind::Unlock(l) => format!("unlock {}", lock(l)),
            Kind::Wait(l) => format!("wait {}", lock(l)),
            Kind::Waiting(l) => format!("waiting {}", lock(l)),
            Kind::Reenter(l) => format!("reenter {}", lock(l)),
            Kind::Notify(l) => format!("notify {}", lock(l)),
            Kind::NotifyAll(l) => format!("notifyall {}", lock(l)),
            Kind::Start(t) => format!("start {}", thread(t)),
            Kind::Join(t) => format!("join {}", thread(t)),
            Kind::Assign(x, Some(value)) => {
                format!("{} = {}", variable(x).name, variable(x).values[value as usize])
            }
            Kind::Assign(x, None) => format!("{} = ?", variable(x).name),
            Kind::Is(x, value) => {
                format!("{} is {}", variable(x).name, variable(x).values[value as usize])
            }
            Kind::IsNot(x, value) => {
                format!("{} is not {}", variable(x).name, variable(x).values[value as usize])
            }
        }
    }
}
