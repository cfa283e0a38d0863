//! Facts about a whole model that its translation depends on.

use std::collections::BTreeSet;

use crate::ast::*;
use crate::visit::{self, Visit};

/// What is mentioned anywhere in a model, its claims included.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub last: bool,
    pub priorities: bool,
    /// Labels that are referred to from outside their proctype, by proctype and name.
    pub remote_labels: BTreeSet<(u32, String)>,
}

pub(super) fn facts(model: &Model, invariants: &[Expr]) -> Facts {
    let mut scan = Scan { model, facts: Facts::default() };
    let traces = model.traces.iter().map(|trace| &trace.body);
    let processes = model.proctypes.iter().chain(&model.never).chain(traces);
    scan.facts.priorities = processes.into_iter().any(|p| p.priority.is_some());
    visit::walk_model(&mut scan, model);
    for e in invariants {
        scan.expr(e);
    }
    scan.facts
}

/// No proctype with this body has more control locations: each statement is at most a few elements.
pub(super) fn most_locations(body: &[Stmt]) -> usize {
    2 + body.iter().map(elements).sum::<usize>()
}

fn elements(s: &Stmt) -> usize {
    let inside = |body: &[Stmt]| body.iter().map(elements).sum::<usize>();
    match &s.kind {
        // A marker behind it, for a loop one before it as well.
        StmtKind::If(options) | StmtKind::Do(options) => {
            3 + options.iter().map(|option| inside(option).max(1)).sum::<usize>()
        }
        StmtKind::Block { body, .. } | StmtKind::Atomic(body) => 2 + inside(body),
        StmtKind::Unless(main, escape) => 2 + elements(main) + elements(escape),
        // Assignment, loop with markers, test, rotation of a channel, increment, else, break.
        StmtKind::For { body, .. } => 10 + inside(body),
        StmtKind::Select { from, to, choice, .. } => match (&from.kind, &to.kind, choice) {
            (ExprKind::Const(a), ExprKind::Const(b), true) => {
                4 + usize::try_from(i64::from(*b) - i64::from(*a)).unwrap_or(0)
            }
            _ => 8,
        },
        // A labelled jump gets a skip before it.
        _ => 2,
    }
}

struct Scan<'a> {
    model: &'a Model,
    facts: Facts,
}

impl Visit for Scan<'_> {
    fn stmt(&mut self, s: &Stmt) {
        self.facts.priorities |=
            matches!(s.kind, StmtKind::Assign(Target::Priority(_), _) | StmtKind::SetPriority(..));
        visit::walk_stmt(self, s);
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Priority | ExprKind::GetPriority(_) => self.facts.priorities = true,
            ExprKind::Run { priority, .. } => self.facts.priorities |= priority.is_some(),
            ExprKind::Last => self.facts.last = true,
            ExprKind::RemoteLabel { proctype, label, .. } => {
                let labels = &self.model.proctypes[proctype.index()].labels;
                let name = labels[label.index()].name.clone();
                self.facts.remote_labels.insert((proctype.0, name));
            }
            _ => {}
        }
        visit::walk_expr(self, e);
    }
}
