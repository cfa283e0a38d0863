//! Atomic sequences: the states inside them are not seen by others and not stored.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use everypath_model::{Action, Brake, ComponentMask, Ended, ModelError, Successors};
use rustc_hash::FxHashMap;

use crate::exec::{fault, split_fault};
use crate::interpreter::Move;
use crate::machine::FaultKind;

/// How many statements the atomic sequences from one state may take before states inside them are
/// remembered, so that an endless or exploding sequence comes to an end.
const ATOMIC_BUDGET: usize = 4096;

/// How many statements they may take at all; the search is incomplete if they need more.
const ATOMIC_LIMIT: usize = 200_000;

/// How many words the states inside them may have together.
const ATOMIC_WORDS: usize = 64 << 20;

/// How many actions the runs through them may have together.
const ATOMIC_ACTIONS: usize = 10_000_000;

/// States inside the atomic sequences from one state that wait to be expanded, last in first out.
pub struct Sequences {
    words: Vec<u32>,
    entries: Vec<PendingEntry>,
    /// How each of them was reached: a tree of moves.
    nodes: Vec<Node>,
    /// Beyond the budget: the states expanded, and their nodes.
    seen: FxHashMap<(u32, Vec<u32>), u32>,
    steps: usize,
    /// What ends long ones from outside, and why it did.
    brake: Arc<Brake>,
    ended: Option<Ended>,
    /// The actions that led to the state under expansion, if they are those of this node.
    path: Vec<Action>,
    path_node: u32,
}

/// Where in an atomic sequence a state lies.
#[derive(Clone, Copy, Debug)]
pub struct Within {
    /// The process that alone may move.
    pub holder: u32,
    /// Components that changed since the start of the sequence.
    pub changed: ComponentMask,
    node: u32,
}

impl Within {
    /// Before any move.
    pub const START: Within = Within { holder: 0, changed: ComponentMask(0), node: ROOT };

    /// Whether there was a move.
    #[inline]
    pub fn has_begun(&self) -> bool {
        self.node != ROOT
    }
}

struct PendingEntry {
    words: usize,
    within: Within,
}

/// One move inside an atomic sequence.
struct Node {
    parent: u32,
    action: Action,
    receive: Option<Action>,
}

/// No move yet.
const ROOT: u32 = u32::MAX;

/// States inside a sequence after which is seen whether somebody ends it.
const POLL: usize = 256;

impl Sequences {
    /// None so far; whoever has the brake can end them.
    pub(crate) fn new(brake: Arc<Brake>) -> Sequences {
        Sequences {
            words: Vec::new(),
            entries: Vec::new(),
            nodes: Vec::new(),
            seen: FxHashMap::default(),
            steps: 0,
            brake,
            ended: None,
            path: Vec::new(),
            path_node: ROOT,
        }
    }

    /// Before the first move out of a state.
    #[inline]
    pub fn clear(&mut self) {
        // Every sequence begins with a node.
        if !self.nodes.is_empty() {
            self.reset();
        }
    }

    fn reset(&mut self) {
        self.words.clear();
        self.entries.clear();
        self.nodes.clear();
        self.path.clear();
        self.path_node = ROOT;
        self.steps = 0;
        if !self.seen.is_empty() {
            self.seen.clear();
        }
    }

    /// An error if they were ended from outside.
    pub fn finish(&mut self) -> Result<(), ModelError> {
        self.ended.take().map_or(Ok(()), |why| Err(ModelError::ended(why)))
    }

    /// Sees now and then whether somebody ends them.
    #[inline]
    fn poll(&mut self) {
        if self.steps.is_multiple_of(POLL)
            && !self.entries.is_empty()
            && let Some(why) = self.brake.pulled()
        {
            self.ended = Some(why);
            self.entries.clear();
        }
    }

    /// Hands a move over, or keeps it if nobody else may move after it.
    pub fn deliver(&mut self, target: &[u32], one: &Move, within: Within, out: &mut Successors) {
        if let (None, Some(holder)) = (one.fault, one.holder) {
            return self.hold(target, (one.action, one.receive), one.changed, holder, within);
        }
        let changed = ComponentMask(within.changed.0 | one.changed.0);
        let length = self.path_with(one, within);
        match one.fault.map(split_fault) {
            None => out.push(target, changed, &self.path),
            Some((FaultKind::StepLoop, _)) => {
                let transition = one.action.transition;
                out.incomplete = Some(fault(FaultKind::StepLoop, transition));
            }
            Some(_) => out.push_faulty(target, changed, &self.path, one.fault, true),
        }
        self.path.truncate(length);
    }

    /// Keeps a move (with its receiving half) after which only the holder may move.
    #[inline]
    pub fn hold(
        &mut self,
        target: &[u32],
        (action, receive): (Action, Option<Action>),
        changed: ComponentMask,
        holder: u32,
        within: Within,
    ) {
        let changed = ComponentMask(within.changed.0 | changed.0);
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { parent: within.node, action, receive });
        let within = Within { holder, changed, node };
        self.entries.push(PendingEntry { words: self.words.len(), within });
        self.words.extend_from_slice(target);
    }

    /// Whether there may be another state inside a sequence.
    #[inline]
    pub fn has_next(&self) -> bool {
        !self.entries.is_empty()
    }

    /// The actions on the way to a state inside a sequence.
    pub fn path(&mut self, within: Within) -> &[Action] {
        self.path_to(within.node);
        &self.path
    }

    /// Makes `path` the actions on the way to a move and its own; how many there are before it.
    fn path_with(&mut self, one: &Move, within: Within) -> usize {
        let length = self.path_to(within.node);
        let (actions, count) = one.actions();
        self.path.extend_from_slice(&actions[..count]);
        length
    }

    /// The next state inside a sequence.
    pub fn next(&mut self, state: &mut Vec<u32>, out: &mut Successors) -> Option<Within> {
        self.poll();
        while let Some(entry) = self.entries.pop() {
            out.late = true;
            state.clear();
            state.extend_from_slice(&self.words[entry.words..]);
            self.words.truncate(entry.words);
            self.steps += 1;
            let mut endless = self.steps > ATOMIC_LIMIT
                || out.action_count() > ATOMIC_ACTIONS
                || self.steps.saturating_sub(ATOMIC_BUDGET) * state.len() > ATOMIC_WORDS;
            if endless {
                self.entries.clear();
            } else if self.steps > ATOMIC_BUDGET {
                match self.visit(entry.within, state) {
                    Visit::New => {}
                    Visit::Seen => continue,
                    Visit::Cycle => endless = true,
                }
            }
            if endless {
                let transition = self.nodes[entry.within.node as usize].action.transition;
                out.incomplete = Some(fault(FaultKind::AtomicLoop, transition));
                continue;
            }
            return Some(entry.within);
        }
        None
    }

    /// The sequence cannot go on from a state: others may move, and the state is seen by all.
    pub fn stuck(&mut self, state: &[u32], within: Within, out: &mut Successors) {
        self.path_to(within.node);
        out.push(state, within.changed, &self.path);
    }

    /// Makes `path` the actions on the way to a node; how many they are. It is made only if
    /// something is handed over: sequences may be long.
    fn path_to(&mut self, node: u32) -> usize {
        if self.path_node == node {
            return self.path.len();
        }
        let before = std::mem::replace(&mut self.path_node, node);
        if node != ROOT && self.nodes[node as usize].parent == before {
            // One move further.
            let node = &self.nodes[node as usize];
            self.path.push(node.action);
            self.path.extend(node.receive);
        } else {
            self.path.clear();
            let mut at = node;
            while at != ROOT {
                let node = &self.nodes[at as usize];
                self.path.extend(node.receive);
                self.path.push(node.action);
                at = node.parent;
            }
            self.path.reverse();
        }
        self.path.len()
    }

    /// Remembers a state. Entries are taken last in first out, so this is a depth-first search, in
    /// which every cycle shows as a way back to a predecessor.
    fn visit(&mut self, within: Within, state: &[u32]) -> Visit {
        match self.seen.entry((within.holder, state.to_vec())) {
            Entry::Vacant(entry) => {
                entry.insert(within.node);
                Visit::New
            }
            Entry::Occupied(entry) => {
                let earlier = *entry.get();
                let mut at = self.nodes[within.node as usize].parent;
                while at != ROOT && at != earlier {
                    at = self.nodes[at as usize].parent;
                }
                if at == earlier { Visit::Cycle } else { Visit::Seen }
            }
        }
    }
}

enum Visit {
    New,
    Seen,
    Cycle,
}
