//! Facts about a whole model that its translation depends on.

use std::collections::BTreeSet;

use crate::ast::*;

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
    for var in &model.vars {
        scan.init(&var.init);
    }
    for proctype in model.proctypes.iter().chain(&model.never) {
        scan.proctype(proctype);
    }
    for ltl in &model.ltl {
        scan.expr(&ltl.formula);
    }
    for trace in &model.traces {
        scan.proctype(&trace.body);
    }
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

impl Scan<'_> {
    fn proctype(&mut self, proctype: &Proctype) {
        self.facts.priorities |= proctype.priority.is_some();
        if let Some(e) = &proctype.provided {
            self.expr(e);
        }
        self.body(&proctype.body);
    }

    fn init(&mut self, init: &Init) {
        if let Init::Expr(e) = init {
            self.expr(e);
        }
    }

    fn body(&mut self, body: &[Stmt]) {
        for s in body {
            self.stmt(s);
        }
    }

    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Send { channel, args, .. } => {
                self.var_ref(channel);
                self.exprs(args);
            }
            StmtKind::Receive { channel, args, .. } => {
                self.var_ref(channel);
                self.pattern(args);
            }
            StmtKind::Assign(target, e) => {
                match target {
                    Target::Var(r) => self.var_ref(r),
                    Target::Discard(_) => {}
                    Target::Priority(_) => self.facts.priorities = true,
                }
                self.expr(e);
            }
            StmtKind::Increment(r) | StmtKind::Decrement(r) => self.var_ref(r),
            StmtKind::Assert(e) | StmtKind::Expr(e) | StmtKind::Printm(e) => self.expr(e),
            StmtKind::If(options) | StmtKind::Do(options) => {
                for option in options {
                    self.body(option);
                }
            }
            StmtKind::Block { body, .. } | StmtKind::Atomic(body) | StmtKind::DStep(body) => {
                self.body(body);
            }
            StmtKind::CStep { precondition, body, .. } => {
                if let Some(e) = precondition {
                    self.expr(e);
                }
                self.body(body);
            }
            StmtKind::Unless(main, escape) => {
                self.stmt(main);
                self.stmt(escape);
            }
            StmtKind::For { var, over, body } => {
                self.var_ref(var);
                if let ForRange::Values(from, to) = over {
                    self.expr(from);
                    self.expr(to);
                }
                self.body(body);
            }
            StmtKind::Select { var, from, to, .. } => {
                self.var_ref(var);
                self.expr(from);
                self.expr(to);
            }
            StmtKind::Printf(_, args) => self.exprs(args),
            StmtKind::SetPriority(p, n) => {
                self.facts.priorities = true;
                self.expr(p);
                self.expr(n);
            }
            StmtKind::Decl(_)
            | StmtKind::Exclusive { .. }
            | StmtKind::Else
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::CCode { .. } => {}
        }
    }

    fn pattern(&mut self, args: &[RecvArg]) {
        for arg in args {
            match arg {
                RecvArg::Var(r) => self.var_ref(r),
                RecvArg::Any(_) => {}
                RecvArg::Const(e) | RecvArg::Eval(e) => self.expr(e),
            }
        }
    }

    fn exprs(&mut self, all: &[Expr]) {
        for e in all {
            self.expr(e);
        }
    }

    fn var_ref(&mut self, r: &VarRef) {
        if let Some(index) = &r.index {
            self.expr(index);
        }
        for field in &r.fields {
            if let Some(index) = &field.index {
                self.expr(index);
            }
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Var(r) | ExprKind::Len(r) | ExprKind::Probe(_, r) => self.var_ref(r),
            ExprKind::Unary(_, a) | ExprKind::Enabled(a) | ExprKind::PcValue(a) => self.expr(a),
            ExprKind::GetPriority(a) => {
                self.facts.priorities = true;
                self.expr(a);
            }
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Cond(c, a, b) => {
                self.expr(c);
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Run { args, priority, .. } => {
                self.facts.priorities |= priority.is_some();
                self.exprs(args);
            }
            ExprKind::Poll { channel, args, .. } => {
                self.var_ref(channel);
                self.pattern(args);
            }
            ExprKind::Last => self.facts.last = true,
            ExprKind::Priority => self.facts.priorities = true,
            ExprKind::RemoteLabel { proctype, index, label } => {
                let labels = &self.model.proctypes[proctype.index()].labels;
                let name = labels[label.index()].name.clone();
                self.facts.remote_labels.insert((proctype.0, name));
                if let Some(index) = index {
                    self.expr(index);
                }
            }
            ExprKind::RemoteVar { index, element, .. } => {
                for e in [index, element].into_iter().flatten() {
                    self.expr(e);
                }
            }
            ExprKind::Temporal(_, args) => self.exprs(args),
            ExprKind::Const(_)
            | ExprKind::Mtype(..)
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Any
            | ExprKind::Pid
            | ExprKind::ProcessCount
            | ExprKind::C { .. } => {}
        }
    }
}
