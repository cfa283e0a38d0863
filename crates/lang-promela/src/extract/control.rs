//! The control flow of a proctype: one node for each statement, and what can come next.
//!
//! Atomic sequences are like others here, and an escape may be taken before every statement that it covers: both
//! only add ways.

use crate::ast::*;
use crate::lower::desugar;

/// What a node does.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Nothing.
    Nothing,
    /// A label is passed, by its name.
    Label(String),
    /// A process may stay here for ever, and counts as ended.
    MayEnd,
    /// A basic statement.
    Do(Box<Stmt>),
    /// `else`: none of these conditions, of the other options, holds.
    Else(Vec<Expr>),
    /// The process ends.
    End,
}

/// A node.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub step: Step,
    pub next: Vec<usize>,
}

/// The control flow of a proctype.
#[derive(Clone, Debug)]
pub(super) struct Control {
    pub nodes: Vec<Node>,
    pub entry: usize,
}

impl Control {
    pub fn new(proctype: &Proctype) -> Control {
        let mut builder = Builder { nodes: Vec::new(), labels: Vec::new() };
        let end = builder.node(Step::End, Vec::new());
        for label in &proctype.labels {
            let passed = builder.node(Step::Label(label.name.clone()), Vec::new());
            let at = match label.name.starts_with("end") {
                true => builder.node(Step::MayEnd, vec![passed, end]),
                false => passed,
            };
            builder.labels.push((at, passed));
        }
        let entry = builder.sequence(&proctype.body, end, end);
        Control { nodes: builder.nodes, entry }
    }
}

struct Builder {
    nodes: Vec<Node>,
    /// For each label where control comes to it, and the node that passes it.
    labels: Vec<(usize, usize)>,
}

impl Builder {
    fn node(&mut self, step: Step, next: Vec<usize>) -> usize {
        self.nodes.push(Node { step, next });
        self.nodes.len() - 1
    }

    /// The first node of statements; `next` comes behind them, `leave` behind the loop around them.
    fn sequence(&mut self, body: &[Stmt], next: usize, leave: usize) -> usize {
        body.iter().rev().fold(next, |next, stmt| self.stmt(stmt, next, leave))
    }

    fn stmt(&mut self, s: &Stmt, next: usize, leave: usize) -> usize {
        let mut entry = match &s.kind {
            StmtKind::For { .. } | StmtKind::Select { .. } => {
                // The labels stand on one of the parts.
                return self.sequence(&desugar(s), next, leave);
            }
            StmtKind::Goto(label) => self.labels[label.index()].0,
            StmtKind::Break => leave,
            StmtKind::Exclusive { .. } => next,
            StmtKind::Block { body, .. } | StmtKind::Atomic(body) | StmtKind::DStep(body) => {
                self.sequence(body, next, leave)
            }
            StmtKind::If(options) => {
                let choice = self.node(Step::Nothing, Vec::new());
                self.options(choice, options, next, leave);
                choice
            }
            StmtKind::Do(options) => {
                let head = self.node(Step::Nothing, Vec::new());
                // Every round passes the labels of the loop.
                let again = s.labels.first().map_or(head, |label| self.labels[label.index()].0);
                self.options(head, options, again, next);
                head
            }
            StmtKind::Unless(main, escape) => {
                let escape = self.stmt(escape, next, leave);
                let start = self.nodes.len();
                let main = self.stmt(main, next, leave);
                self.escape(start, escape);
                self.node(Step::Nothing, vec![main, escape])
            }
            StmtKind::Else => self.node(Step::Nothing, vec![next]),
            _ => {
                let plain = Stmt { labels: Vec::new(), ..s.clone() };
                self.node(Step::Do(Box::new(plain)), vec![next])
            }
        };
        for label in s.labels.iter().rev() {
            let (at, passed) = self.labels[label.index()];
            self.nodes[passed].next.push(entry);
            entry = at;
        }
        entry
    }

    fn options(&mut self, choice: usize, options: &[Vec<Stmt>], next: usize, leave: usize) {
        for (index, option) in options.iter().enumerate() {
            let entry = match option.first() {
                Some(first) if matches!(first.kind, StmtKind::Else) => {
                    let others = options.iter().enumerate().filter(|(other, _)| *other != index);
                    let conditions = others.filter_map(|(_, other)| condition(other)).cloned();
                    let rest = self.sequence(&option[1..], next, leave);
                    let mut entry = self.node(Step::Else(conditions.collect()), vec![rest]);
                    for label in first.labels.iter().rev() {
                        let (at, passed) = self.labels[label.index()];
                        self.nodes[passed].next.push(entry);
                        entry = at;
                    }
                    entry
                }
                _ => self.sequence(option, next, leave),
            };
            self.nodes[choice].next.push(entry);
        }
    }

    /// Lets control go to an escape from everywhere before a node from `start` on.
    fn escape(&mut self, start: usize, escape: usize) {
        let inside = |node: usize| node >= start;
        let labels: Vec<usize> = self
            .labels
            .iter()
            .filter(|(_, passed)| self.nodes[*passed].next.iter().any(|&next| inside(next)))
            .flat_map(|&(at, passed)| [at, passed])
            .collect();
        for node in labels.iter().copied().chain(start..self.nodes.len()) {
            let next = &mut self.nodes[node].next;
            if next.iter().any(|&target| inside(target) || labels.contains(&target)) {
                next.push(escape);
            }
        }
    }
}

/// The condition that an option begins with: it can be taken if and only if that holds.
fn condition(option: &[Stmt]) -> Option<&Expr> {
    match &option.first()?.kind {
        StmtKind::Expr(e) => Some(e),
        StmtKind::Block { body, .. } | StmtKind::Atomic(body) | StmtKind::DStep(body) => {
            condition(body)
        }
        _ => None,
    }
}
