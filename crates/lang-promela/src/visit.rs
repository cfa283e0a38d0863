//! One walk over the syntax tree, for everything that looks at all of it.
//!
//! [`Visit`] reads, [`VisitMut`] changes; both come from the same text. A visitor overrides what
//! it cares about and calls the `walk_` function to go on below.

use crate::ast::*;

/// What is done with the variable of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Its value is used.
    Read,
    /// It gets a value.
    Write,
    /// `++` and `--`
    Update,
    /// A message is put into the channel that it holds.
    Send,
    /// A message is taken or copied from the channel that it holds.
    Receive,
    /// The messages of the channel that it holds are looked at: polls, `len`, `full`, ...
    Look,
    /// `xr` or `xs`
    Claim,
}

macro_rules! visitor {
    ($(#[$doc:meta])* $visit:ident, $body:ident, $stmt:ident, $pattern:ident, $var_ref:ident,
     $expr:ident $(, $mutable:tt)?) => {
        $(#[$doc])*
        pub(crate) trait $visit {
            fn stmt(&mut self, s: &$($mutable)? Stmt) {
                $stmt(self, s);
            }
            fn expr(&mut self, e: &$($mutable)? Expr) {
                $expr(self, e);
            }
            fn var_ref(&mut self, r: &$($mutable)? VarRef, _access: Access) {
                $var_ref(self, r);
            }
        }

        pub(crate) fn $body<V: $visit + ?Sized>(v: &mut V, body: &$($mutable)? [Stmt]) {
            for s in body {
                v.stmt(s);
            }
        }

        pub(crate) fn $stmt<V: $visit + ?Sized>(v: &mut V, s: &$($mutable)? Stmt) {
            match &$($mutable)? s.kind {
                StmtKind::Exclusive { channels, .. } => {
                    for channel in channels {
                        v.var_ref(channel, Access::Claim);
                    }
                }
                StmtKind::Send { channel, args, .. } => {
                    v.var_ref(channel, Access::Send);
                    for e in args {
                        v.expr(e);
                    }
                }
                StmtKind::Receive { channel, args, .. } => {
                    v.var_ref(channel, Access::Receive);
                    $pattern(v, args, Access::Write);
                }
                StmtKind::Assign(target, e) => {
                    v.expr(e);
                    if let Target::Var(r) = target {
                        v.var_ref(r, Access::Write);
                    }
                }
                StmtKind::Increment(r) | StmtKind::Decrement(r) => v.var_ref(r, Access::Update),
                StmtKind::Assert(e) | StmtKind::Expr(e) | StmtKind::Printm(e) => v.expr(e),
                StmtKind::If(options) | StmtKind::Do(options) => {
                    for option in options {
                        $body(v, option);
                    }
                }
                StmtKind::Block { body, .. } | StmtKind::Atomic(body) | StmtKind::DStep(body) => {
                    $body(v, body);
                }
                StmtKind::CStep { precondition, body, .. } => {
                    if let Some(e) = precondition {
                        v.expr(e);
                    }
                    $body(v, body);
                }
                StmtKind::Unless(main, escape) => {
                    v.stmt(main);
                    v.stmt(escape);
                }
                StmtKind::For { var, over, body } => {
                    match over {
                        ForRange::Values(from, to) => {
                            v.expr(from);
                            v.expr(to);
                        }
                        ForRange::Array(_) => {}
                        ForRange::Channel { channel, .. } => v.var_ref(channel, Access::Receive),
                    }
                    v.var_ref(var, Access::Write);
                    $body(v, body);
                }
                StmtKind::Select { var, from, to, .. } => {
                    v.expr(from);
                    v.expr(to);
                    v.var_ref(var, Access::Write);
                }
                StmtKind::Printf(_, args) => {
                    for e in args {
                        v.expr(e);
                    }
                }
                StmtKind::SetPriority(p, n) => {
                    v.expr(p);
                    v.expr(n);
                }
                StmtKind::Decl(_)
                | StmtKind::Else
                | StmtKind::Goto(_)
                | StmtKind::Break
                | StmtKind::CCode { .. } => {}
            }
        }

        fn $pattern<V: $visit + ?Sized>(
            v: &mut V,
            args: &$($mutable)? [RecvArg],
            access: Access,
        ) {
            for arg in args {
                match arg {
                    RecvArg::Var(r) => v.var_ref(r, access),
                    RecvArg::Any(_) => {}
                    RecvArg::Const(e) | RecvArg::Eval(e) => v.expr(e),
                }
            }
        }

        /// The indices of a reference.
        pub(crate) fn $var_ref<V: $visit + ?Sized>(v: &mut V, r: &$($mutable)? VarRef) {
            if let Some(index) = &$($mutable)? r.index {
                v.expr(index);
            }
            for field in &$($mutable)? r.fields {
                if let Some(index) = &$($mutable)? field.index {
                    v.expr(index);
                }
            }
        }

        pub(crate) fn $expr<V: $visit + ?Sized>(v: &mut V, e: &$($mutable)? Expr) {
            match &$($mutable)? e.kind {
                ExprKind::Var(r) => v.var_ref(r, Access::Read),
                ExprKind::Len(r) | ExprKind::Probe(_, r) => v.var_ref(r, Access::Look),
                ExprKind::Unary(_, a)
                | ExprKind::Enabled(a)
                | ExprKind::PcValue(a)
                | ExprKind::GetPriority(a) => v.expr(a),
                ExprKind::Binary(_, a, b) => {
                    v.expr(a);
                    v.expr(b);
                }
                ExprKind::Cond(c, a, b) => {
                    v.expr(c);
                    v.expr(a);
                    v.expr(b);
                }
                ExprKind::Run { args, .. } | ExprKind::Temporal(_, args) => {
                    for e in args {
                        v.expr(e);
                    }
                }
                ExprKind::Poll { channel, args, .. } => {
                    v.var_ref(channel, Access::Look);
                    // A variable in a poll is compared with nothing and gets nothing.
                    $pattern(v, args, Access::Look);
                }
                ExprKind::RemoteLabel { index, .. } => {
                    if let Some(index) = index {
                        v.expr(index);
                    }
                }
                ExprKind::RemoteVar { index, element, .. } => {
                    for e in [index, element].into_iter().flatten() {
                        v.expr(e);
                    }
                }
                ExprKind::Const(_)
                | ExprKind::Mtype(..)
                | ExprKind::Timeout
                | ExprKind::NonProgress
                | ExprKind::Any
                | ExprKind::Pid
                | ExprKind::ProcessCount
                | ExprKind::Last
                | ExprKind::Priority
                | ExprKind::C { .. } => {}
            }
        }
    };
}

visitor! {
    /// Looks at a tree.
    Visit, walk_body, walk_stmt, walk_pattern, walk_var_ref, walk_expr
}
visitor! {
    /// Changes a tree.
    VisitMut, walk_body_mut, walk_stmt_mut, walk_pattern_mut, walk_var_ref_mut, walk_expr_mut, mut
}

/// The `provided` clause and the statements of a proctype or claim.
pub(crate) fn walk_proctype<V: Visit + ?Sized>(v: &mut V, p: &Proctype) {
    if let Some(e) = &p.provided {
        v.expr(e);
    }
    walk_body(v, &p.body);
}

/// Everything in a model: initial values, processes, claims, formulas, traces.
pub(crate) fn walk_model<V: Visit + ?Sized>(v: &mut V, model: &Model) {
    for var in &model.vars {
        if let Init::Expr(e) = &var.init {
            v.expr(e);
        }
    }
    let traces = model.traces.iter().map(|trace| &trace.body);
    for p in model.proctypes.iter().chain(&model.never).chain(traces) {
        walk_proctype(v, p);
    }
    for ltl in &model.ltl {
        v.expr(&ltl.formula);
    }
}
