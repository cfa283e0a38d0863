//! The control flow of a proctype: its statements and what can follow each of them.
//!
//! It is made for analyses, so it has no states inside expressions and no fusion; every edge that
//! a run can take is there. A condition that is never true has nothing behind it.

use crate::ast::*;

use super::fold::constant;

/// What happens at a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Act<'m> {
    /// Nothing: a place where ways meet.
    Junction,
    /// A statement without statements inside.
    Statement(&'m Stmt),
    /// The variable of a loop gets its first value.
    LoopStart(&'m Stmt),
    /// The variable of a loop is compared with its last value, or the next message is taken.
    LoopTest(&'m Stmt),
    /// The variable of a loop gets its next value.
    LoopNext,
}

/// An atomic sequence or a d_step around a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    /// Which, counted over the proctype.
    pub id: usize,
    pub d_step: bool,
}

#[derive(Debug)]
pub(super) struct Node<'m> {
    pub act: Act<'m>,
    pub next: Vec<usize>,
    /// The outermost sequence around it.
    pub region: Option<Region>,
}

impl<'m> Node<'m> {
    /// The statement, if there is one.
    pub fn stmt(&self) -> Option<&'m Stmt> {
        match self.act {
            Act::Statement(s) => Some(s),
            _ => None,
        }
    }
}

/// The control flow of one proctype.
#[derive(Debug)]
pub(super) struct Cfg<'m> {
    pub nodes: Vec<Node<'m>>,
    pub entry: usize,
    /// The node of each label, if the label stands somewhere.
    pub labels: Vec<usize>,
    /// The regions with their first nodes.
    pub starts: Vec<(usize, usize)>,
}

impl<'m> Cfg<'m> {
    pub fn new(proctype: &'m Proctype) -> Cfg<'m> {
        let mut builder = Builder {
            nodes: Vec::new(),
            labels: Vec::new(),
            breaks: Vec::new(),
            region: None,
            regions: 0,
            starts: Vec::new(),
        };
        let exit = builder.node(Act::Junction, Vec::new());
        builder.labels =
            proctype.labels.iter().map(|_| builder.node(Act::Junction, Vec::new())).collect();
        let entry = builder.sequence(&proctype.body, exit);
        let Builder { nodes, labels, starts, .. } = builder;
        Cfg { nodes, entry, labels, starts }
    }

    /// Which nodes a run can come to, as far as the control flow tells.
    pub fn reached(&self) -> Vec<bool> {
        let mut seen = vec![false; self.nodes.len()];
        let mut stack = vec![self.entry];
        while let Some(at) = stack.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                stack.extend(&self.nodes[at].next);
            }
        }
        seen
    }

    /// The statements that can come first from a node on.
    pub fn first_statements(&self, from: usize) -> Vec<usize> {
        let mut seen = std::collections::BTreeSet::new();
        let mut stack = vec![from];
        let mut found = Vec::new();
        while let Some(at) = stack.pop() {
            if seen.insert(at) {
                match self.nodes[at].act {
                    Act::Junction => stack.extend(&self.nodes[at].next),
                    _ => found.push(at),
                }
            }
        }
        found
    }
}

struct Builder<'m> {
    nodes: Vec<Node<'m>>,
    labels: Vec<usize>,
    /// Where `break` leads, innermost last.
    breaks: Vec<usize>,
    region: Option<Region>,
    regions: usize,
    starts: Vec<(usize, usize)>,
}

impl<'m> Builder<'m> {
    fn node(&mut self, act: Act<'m>, next: Vec<usize>) -> usize {
        let region = self.region;
        self.nodes.push(Node { act, next, region });
        self.nodes.len() - 1
    }

    /// The first node of a sequence that goes on at `next`.
    fn sequence(&mut self, body: &'m [Stmt], mut next: usize) -> usize {
        for s in body.iter().rev() {
            next = self.statement(s, next);
        }
        next
    }

    fn statement(&mut self, s: &'m Stmt, next: usize) -> usize {
        let entry = self.unlabelled(s, next);
        for label in &s.labels {
            if let Some(&junction) = self.labels.get(label.index()) {
                self.nodes[junction].next.push(entry);
                self.nodes[junction].region = self.region;
            }
        }
        entry
    }

    fn unlabelled(&mut self, s: &'m Stmt, next: usize) -> usize {
        match &s.kind {
            StmtKind::If(options) => {
                let entries = self.options(options, next);
                self.node(Act::Junction, entries)
            }
            StmtKind::Do(options) => {
                let head = self.node(Act::Junction, Vec::new());
                self.breaks.push(next);
                let entries = self.options(options, head);
                self.breaks.pop();
                self.nodes[head].next = entries;
                head
            }
            StmtKind::Block { body, .. } => self.sequence(body, next),
            StmtKind::Atomic(body) => self.region(body, next, false),
            StmtKind::DStep(body) => self.region(body, next, true),
            StmtKind::CStep { body, .. } => self.sequence(body, next),
            StmtKind::Unless(main, escape) => {
                let escape = self.statement(escape, next);
                let first = self.nodes.len();
                let inside = self.statement(main, next);
                for at in first..self.nodes.len() {
                    self.nodes[at].next.push(escape);
                }
                self.node(Act::Junction, vec![inside, escape])
            }
            StmtKind::For { over, body, .. } => {
                let test = self.node(Act::LoopTest(s), vec![next]);
                let step = self.node(Act::LoopNext, vec![test]);
                self.breaks.push(next);
                let inside = self.sequence(body, step);
                self.breaks.pop();
                let empty = match over {
                    ForRange::Values(from, to) => {
                        matches!((constant(from), constant(to)), (Some(a), Some(b)) if a > b)
                    }
                    _ => false,
                };
                if !empty {
                    self.nodes[test].next.push(inside);
                }
                self.node(Act::LoopStart(s), vec![test])
            }
            StmtKind::Goto(label) => {
                let target = self.labels.get(label.index()).copied();
                self.node(Act::Statement(s), target.into_iter().collect())
            }
            StmtKind::Break => {
                let target = self.breaks.last().copied();
                self.node(Act::Statement(s), target.into_iter().collect())
            }
            StmtKind::Expr(e) if constant(e) == Some(0) => self.node(Act::Statement(s), Vec::new()),
            _ => self.node(Act::Statement(s), vec![next]),
        }
    }

    fn options(&mut self, options: &'m [Vec<Stmt>], next: usize) -> Vec<usize> {
        let first = |option: &'m Vec<Stmt>| option.first().map(|s| &s.kind);
        let always = options.iter().any(|option| match first(option) {
            Some(StmtKind::Expr(e)) => constant(e).is_some_and(|value| value != 0),
            _ => false,
        });
        let mut entries = Vec::new();
        for option in options {
            let entry = self.sequence(option, next);
            // `else` is never taken beside an option that always can be.
            if !(always && matches!(first(option), Some(StmtKind::Else))) {
                entries.push(entry);
            }
        }
        entries
    }

    fn region(&mut self, body: &'m [Stmt], next: usize, d_step: bool) -> usize {
        let outer = self.region;
        if outer.is_none() {
            self.region = Some(Region { id: self.regions, d_step });
            self.regions += 1;
        }
        let entry = self.sequence(body, next);
        if let (None, Some(region)) = (outer, self.region) {
            self.starts.push((region.id, entry));
        }
        self.region = outer;
        entry
    }
}
