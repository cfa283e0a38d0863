//! The type graph: union-find over channels, messages and their fields.
//!
//! There is no occurs check: a cycle is a recursive type. Every equation is remembered with its
//! place, so that a clash is explained by the chain of uses that leads from one end to the other.

use std::collections::VecDeque;

use everypath_model::Span;

use super::base::Base;

/// A node of the type graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NodeId(pub u32);

impl NodeId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing.
    Var,
    /// A channel of the messages behind it.
    Chan(NodeId),
    /// A message with its fields.
    Tuple(Vec<NodeId>),
    /// A declared field.
    Base(Base),
}

/// Where a node comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub span: Span,
    /// A declaration, not a use.
    pub declared: bool,
}

/// A place where two types are made equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Why {
    pub span: Span,
    pub text: String,
}

/// Two types that are made equal but are not.
#[derive(Clone, Debug)]
pub(super) struct Clash {
    pub left: NodeId,
    pub right: NodeId,
    /// What leads from one to the other.
    pub chain: Vec<Why>,
}

/// Why two nodes are equal.
#[derive(Clone, Debug)]
enum Reason {
    /// By a statement.
    Use(Why),
    /// The same part of two nodes that are equal.
    Part(NodeId, NodeId),
}

#[derive(Debug)]
struct Node {
    kind: Kind,
    origin: Origin,
    parent: NodeId,
    /// Of a class: how many nodes it has.
    size: u32,
    /// Of a class: the node whose kind is that of all.
    shape: Option<NodeId>,
    /// Of a class: it has clashed; further clashes would be consequences.
    poisoned: bool,
    /// Equations: the other node and the number of the reason.
    edges: Vec<(NodeId, usize)>,
}

/// Longest explanation, in equations.
const MAX_CHAIN: usize = 12;

/// The graph.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    reasons: Vec<Reason>,
    /// Clashes are not reported any more.
    pub quiet: bool,
}

impl Graph {
    pub fn add(&mut self, kind: Kind, origin: Origin) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let shape = (kind != Kind::Var).then_some(id);
        self.nodes.push(Node {
            kind,
            origin,
            parent: id,
            size: 1,
            shape,
            poisoned: false,
            edges: Vec::new(),
        });
        id
    }

    pub fn origin(&self, id: NodeId) -> Origin {
        self.nodes[id.index()].origin
    }

    /// The kind a node was made with.
    pub fn own_kind(&self, id: NodeId) -> &Kind {
        &self.nodes[id.index()].kind
    }

    /// The representative of the class of a node.
    pub fn find(&self, mut id: NodeId) -> NodeId {
        while self.nodes[id.index()].parent != id {
            id = self.nodes[id.index()].parent;
        }
        id
    }

    /// The node that gives a class its kind; `None` while nothing is known.
    pub fn shape(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[self.find(id).index()].shape
    }

    /// The kind of the class of a node.
    pub fn kind(&self, id: NodeId) -> &Kind {
        self.shape(id).map_or(&Kind::Var, |shape| self.own_kind(shape))
    }

    pub fn poisoned(&self, id: NodeId) -> bool {
        self.nodes[self.find(id).index()].poisoned
    }

    pub fn poison(&mut self, id: NodeId) {
        let root = self.find(id);
        self.nodes[root.index()].poisoned = true;
    }

    /// Makes two nodes equal, and with them their parts. What does not agree stays apart and is
    /// reported; `agree` says which different base types do.
    pub fn unify(
        &mut self,
        a: NodeId,
        b: NodeId,
        why: &Why,
        agree: impl Fn(Base, Base) -> bool,
    ) -> Vec<Clash> {
        let mut clashes = Vec::new();
        let mut work = vec![(a, b, Reason::Use(why.clone()))];
        while let Some((a, b, reason)) = work.pop() {
            let (ra, rb) = (self.find(a), self.find(b));
            let number = self.reasons.len();
            if ra == rb {
                continue;
            }
            let parts = match (self.shape(ra), self.shape(rb)) {
                (Some(left), Some(right)) => {
                    match (self.own_kind(left).clone(), self.own_kind(right).clone()) {
                        (Kind::Chan(x), Kind::Chan(y)) => vec![(x, y, left, right)],
                        (Kind::Tuple(x), Kind::Tuple(y)) if x.len() == y.len() => {
                            x.into_iter().zip(y).map(|(x, y)| (x, y, left, right)).collect()
                        }
                        (Kind::Base(x), Kind::Base(y)) if x == y || agree(x, y) => Vec::new(),
                        _ => {
                            if !self.quiet && !self.poisoned(ra) && !self.poisoned(rb) {
                                let chain = self.explain_clash(left, a, &reason, b, right);
                                clashes.push(Clash { left, right, chain });
                            }
                            let uses = [left, right].map(|id| !self.origin(id).declared);
                            // One wrong use leaves the declaration what it is.
                            if uses[0] == uses[1] {
                                self.poison(ra);
                                self.poison(rb);
                            }
                            continue;
                        }
                    }
                }
                _ => Vec::new(),
            };
            self.reasons.push(reason);
            self.nodes[a.index()].edges.push((b, number));
            self.nodes[b.index()].edges.push((a, number));
            let poisoned = self.poisoned(ra) || self.poisoned(rb);
            let shape = self.better_shape(ra, rb);
            let size = self.nodes[ra.index()].size + self.nodes[rb.index()].size;
            let below = self.nodes[ra.index()].size < self.nodes[rb.index()].size;
            let (child, root) = if below { (ra, rb) } else { (rb, ra) };
            self.nodes[child.index()].parent = root;
            let root = &mut self.nodes[root.index()];
            (root.shape, root.poisoned, root.size) = (shape, poisoned, size);
            for (x, y, left, right) in parts.into_iter().rev() {
                work.push((x, y, Reason::Part(left, right)));
            }
        }
        clashes
    }

    /// The shape of a declaration rather than that of a use.
    fn better_shape(&self, a: NodeId, b: NodeId) -> Option<NodeId> {
        match (self.shape(a), self.shape(b)) {
            (Some(x), Some(y)) if !self.origin(x).declared && self.origin(y).declared => Some(y),
            (x, y) => x.or(y),
        }
    }

    fn explain_clash(
        &self,
        left: NodeId,
        a: NodeId,
        reason: &Reason,
        b: NodeId,
        right: NodeId,
    ) -> Vec<Why> {
        let mut chain = Vec::new();
        let all = self.reasons.len();
        self.explain(left, a, all, &mut chain);
        self.explain_reason(reason, all, &mut chain);
        self.explain(b, right, all, &mut chain);
        chain
    }

    fn explain_reason(&self, reason: &Reason, before: usize, chain: &mut Vec<Why>) {
        match reason {
            Reason::Use(why) => {
                if chain.len() < MAX_CHAIN && !chain.contains(why) {
                    chain.push(why.clone());
                }
            }
            Reason::Part(x, y) => self.explain(*x, *y, before, chain),
        }
    }

    /// The shortest chain of equations between two nodes of one class, by those made before
    /// number `before`.
    fn explain(&self, from: NodeId, to: NodeId, before: usize, chain: &mut Vec<Why>) {
        if from == to || chain.len() >= MAX_CHAIN {
            return;
        }
        let mut came = vec![None; self.nodes.len()];
        let mut queue = VecDeque::from([from]);
        'search: while let Some(node) = queue.pop_front() {
            for &(next, reason) in &self.nodes[node.index()].edges {
                if reason < before && next != from && came[next.index()].is_none() {
                    came[next.index()] = Some((node, reason));
                    if next == to {
                        break 'search;
                    }
                    queue.push_back(next);
                }
            }
        }
        let mut path = Vec::new();
        let mut node = to;
        while let Some((previous, reason)) = came[node.index()] {
            path.push(reason);
            node = previous;
            if node == from {
                break;
            }
        }
        for &number in path.iter().rev() {
            // An equation of parts follows from equations before it.
            self.explain_reason(&self.reasons[number], number, chain);
        }
    }
}
