//! Types of expressions and statements.

use everypath_model::{Diagnostic, Span};

use super::base::{BYTE, Base, Fit, INT};
use super::graph::Why;
use super::infer::{Inference, Pass, Ty};
use crate::ast::*;
use crate::codes;
use crate::flow::Slot;
use crate::flow::values::result_range;

impl<'m> Inference<'m> {
    pub(super) fn body(&mut self, body: &'m [Stmt]) {
        for s in body {
            if self.brake.pulled().is_some() {
                return;
            }
            self.stmt(s);
        }
    }

    fn stmt(&mut self, s: &'m Stmt) {
        match &s.kind {
            StmtKind::Exclusive { channels, .. } => {
                for channel in channels {
                    self.reference(channel);
                }
            }
            StmtKind::Send { channel, args, .. } => self.send(channel, args, s.span),
            StmtKind::Receive { channel, args, .. } => self.receive(channel, args, s.span),
            StmtKind::Assign(Target::Var(r), e) => self.assignment(r, e),
            StmtKind::Assign(_, e) => {
                self.expr(e);
            }
            StmtKind::Increment(r) | StmtKind::Decrement(r) => {
                let ty = self.reference(r);
                self.arithmetic(&ty, r.span);
            }
            StmtKind::Assert(e) | StmtKind::Expr(e) => self.condition(e),
            StmtKind::Printm(e) => {
                self.expr(e);
            }
            StmtKind::Printf(_, args) => {
                for e in args {
                    self.expr(e);
                }
            }
            StmtKind::SetPriority(p, n) => {
                self.number(p, "a process number");
                self.number(n, "a priority");
            }
            StmtKind::If(options) | StmtKind::Do(options) => {
                for option in options {
                    self.body(option);
                }
            }
            StmtKind::Block { body, .. }
            | StmtKind::Atomic(body)
            | StmtKind::DStep(body)
            | StmtKind::CStep { body, .. } => self.body(body),
            StmtKind::Unless(main, escape) => {
                self.stmt(main);
                self.stmt(escape);
            }
            StmtKind::For { var, over, body } => {
                match over {
                    ForRange::Values(from, to) => self.range(var, from, to),
                    ForRange::Array(_) => {
                        self.reference(var);
                    }
                    ForRange::Channel { channel, .. } => self.rotate(channel, var, s.span),
                }
                self.body(body);
            }
            StmtKind::Select { var, from, to, .. } => self.range(var, from, to),
            StmtKind::Decl(_)
            | StmtKind::Else
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::CCode { .. } => {}
        }
    }

    fn assignment(&mut self, r: &'m VarRef, e: &'m Expr) {
        let value = self.expr(e);
        let into = self.reference(r);
        let declared = self.model.vars[r.var.index()].span;
        let text = format!("assigned to `{}` here", self.name_of(r));
        self.assign(&into, &value, e.span, declared, text);
    }

    /// The bounds of a loop or choice go into its variable.
    fn range(&mut self, var: &'m VarRef, from: &'m Expr, to: &'m Expr) {
        let into = self.reference(var);
        let declared = self.model.vars[var.var.index()].span;
        for e in [from, to] {
            let value = self.expr(e);
            let text = format!("a bound of `{}`", self.name_of(var));
            self.assign(&into, &value, e.span, declared, text);
        }
    }

    /// A formula with temporal operators over conditions.
    pub(super) fn formula(&mut self, e: &'m Expr) {
        match &e.kind {
            ExprKind::Temporal(_, args) => {
                for arg in args {
                    self.formula(arg);
                }
            }
            _ => self.condition(e),
        }
    }

    /// An expression whose value is taken as true or false.
    pub(super) fn condition(&mut self, e: &'m Expr) {
        match self.expr(e) {
            Ty::Base(Base::Mtype(_)) => {
                let message = "a symbolic name is used as a condition; it is true unless it is 0";
                let error = Diagnostic::error(codes::MTYPE_ARITHMETIC, e.span, message);
                self.report(error.help("compare it with a name"));
            }
            Ty::Chan(_) => {
                let message = "a channel is used as a condition";
                self.report(Diagnostic::error(codes::CHANNEL_VALUE, e.span, message));
            }
            _ => {}
        }
    }

    /// An expression that must be a number.
    pub(super) fn number(&mut self, e: &Expr, what: &str) {
        let ty = self.expr(e);
        let (code, kind) = match ty {
            Ty::Base(Base::Mtype(_)) => (codes::MTYPE_NUMBER, "a symbolic name"),
            Ty::Chan(_) => (codes::CHANNEL_VALUE, "a channel"),
            _ => return,
        };
        // Arrays with an element for each name are common and right.
        if code == codes::MTYPE_NUMBER && !self.options.strict {
            return;
        }
        self.report(Diagnostic::error(code, e.span, format!("{kind} is used as {what}")));
    }

    /// An operand of an arithmetic operator; its range.
    fn arithmetic(&mut self, ty: &Ty, span: Span) -> Option<Base> {
        match ty {
            Ty::Base(Base::Mtype(_)) => {
                let message = "a symbolic name takes part in arithmetic";
                let error = Diagnostic::error(codes::MTYPE_ARITHMETIC, span, message);
                self.report(error.help("symbolic names can be assigned and compared only"));
                None
            }
            Ty::Base(Base::Bool) if self.options.strict => {
                let message = "a bool takes part in arithmetic";
                self.report(Diagnostic::error(codes::BOOL_NUMBER, span, message));
                None
            }
            Ty::Base(Base::Bool) => Some(Base::Number { low: 0, high: 1 }),
            Ty::Base(Base::Pid) => Some(BYTE),
            Ty::Base(base) => Some(*base),
            Ty::Chan(_) => {
                let message = "a channel takes part in arithmetic";
                self.report(Diagnostic::error(codes::CHANNEL_VALUE, span, message));
                None
            }
            Ty::Struct(_) | Ty::Unknown => None,
        }
    }

    /// The type of an expression.
    pub(super) fn expr(&mut self, e: &Expr) -> Ty {
        match &e.kind {
            ExprKind::Const(value) => Ty::Base(Base::constant((*value).into())),
            ExprKind::Mtype(set, _) => Ty::Base(Base::Mtype(*set)),
            ExprKind::Var(r) => self.value(r),
            ExprKind::Unary(op, a) => self.unary(*op, a),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, e.span),
            ExprKind::Cond(c, a, b) => {
                self.truth(c);
                let (x, y) = (self.expr(a), self.expr(b));
                self.alternatives(x, y, b.span)
            }
            ExprKind::Run { proctype, args, .. } => {
                self.run_arguments(*proctype, args);
                Ty::Base(Base::declared(Type::Pid, self.options).unwrap_or(BYTE))
            }
            ExprKind::Len(r) => {
                self.reference(r);
                Ty::Base(BYTE)
            }
            ExprKind::Probe(_, r) => {
                self.reference(r);
                Ty::Base(Base::Bool)
            }
            ExprKind::Poll { channel, args, .. } => {
                self.receive(channel, args, e.span);
                Ty::Base(Base::Bool)
            }
            ExprKind::Enabled(a) => {
                self.number(a, "a process number");
                Ty::Base(Base::Bool)
            }
            ExprKind::PcValue(a) => {
                self.number(a, "a process number");
                Ty::Base(INT)
            }
            ExprKind::GetPriority(a) => {
                self.number(a, "a process number");
                Ty::Base(BYTE)
            }
            ExprKind::RemoteLabel { index, .. } => {
                if let Some(index) = index {
                    self.number(index, "a process number");
                }
                Ty::Base(Base::Bool)
            }
            ExprKind::RemoteVar { index, var, element, .. } => {
                for e in [index, element].into_iter().flatten() {
                    self.number(e, "an index");
                }
                let slot = Slot { var: *var, path: Vec::new() };
                self.part_type(&slot, self.model.vars[var.index()].ty)
            }
            ExprKind::Timeout | ExprKind::NonProgress => Ty::Base(Base::Bool),
            ExprKind::Pid | ExprKind::Last => {
                Ty::Base(Base::declared(Type::Pid, self.options).unwrap_or(BYTE))
            }
            ExprKind::ProcessCount | ExprKind::Priority => Ty::Base(BYTE),
            ExprKind::Any | ExprKind::C { .. } | ExprKind::Temporal(..) => Ty::Unknown,
        }
    }

    /// An operand of `!`, `&&` and `||`.
    fn truth(&mut self, e: &Expr) {
        let ty = self.expr(e);
        if matches!(ty, Ty::Base(Base::Mtype(_)) | Ty::Chan(_)) {
            self.arithmetic(&ty, e.span);
        }
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr) -> Ty {
        if op == UnaryOp::Not {
            self.truth(a);
            return Ty::Base(Base::Bool);
        }
        let ty = self.expr(a);
        let Some(base) = self.arithmetic(&ty, a.span) else { return Ty::Unknown };
        let (low, high) = base.range();
        Ty::Base(match op {
            UnaryOp::Neg if low > i64::from(i32::MIN) => Base::Number { low: -high, high: -low },
            _ => INT,
        })
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Ty {
        use BinaryOp::*;
        if matches!(op, And | Or) {
            self.truth(a);
            self.truth(b);
            return Ty::Base(Base::Bool);
        }
        let (x, y) = (self.expr(a), self.expr(b));
        if matches!(op, Eq | Ne) {
            self.comparison(&x, &y, a, b, span);
            return Ty::Base(Base::Bool);
        }
        let (x, y) = (self.arithmetic(&x, a.span), self.arithmetic(&y, b.span));
        if matches!(op, Lt | Le | Gt | Ge) {
            return Ty::Base(Base::Bool);
        }
        let (Some(x), Some(y)) = (x, y) else { return Ty::Unknown };
        let (low, high) = result_range(op, x.range(), y.range());
        Ty::Base(Base::Number { low, high })
    }

    fn comparison(&mut self, x: &Ty, y: &Ty, a: &Expr, b: &Expr, span: Span) {
        match (x, y) {
            (Ty::Base(x), Ty::Base(y)) => {
                let (from, to) = (x.show(self.model), y.show(self.model));
                let (code, what) = match x.compares(*y, self.options) {
                    Fit::Yes | Fit::Narrow => return,
                    Fit::Mtype => (codes::MTYPE_NUMBER, "a symbolic name with a number"),
                    Fit::MtypeSets => (codes::MTYPE_SETS, "names of different sets"),
                    Fit::Bool => (codes::BOOL_NUMBER, "a bool with a number"),
                    Fit::Pid => (codes::PID_NUMBER, "a pid with a number"),
                };
                let message = format!("the comparison mixes {what}: {from} and {to}");
                self.report(Diagnostic::error(code, span, message));
            }
            (Ty::Chan(x), Ty::Chan(y)) if self.pass == Pass::Flows => {
                self.equate(*x, *y, Why { span, text: "compared here".to_owned() });
            }
            (Ty::Chan(_), Ty::Base(value)) | (Ty::Base(value), Ty::Chan(_))
                if !value.is_zero() || self.options.strict =>
            {
                let at = if matches!(x, Ty::Chan(_)) { b.span } else { a.span };
                let message = "a channel is compared with something that is no channel";
                self.report(Diagnostic::error(codes::CHANNEL_VALUE, at, message));
            }
            _ => {}
        }
    }

    /// The type of a value that is one of two.
    fn alternatives(&mut self, x: Ty, y: Ty, span: Span) -> Ty {
        match (x, y) {
            (Ty::Base(x), Ty::Base(y)) => match x.join(y) {
                Some(base) => Ty::Base(base),
                None => {
                    let (x, y) = (x.show(self.model), y.show(self.model));
                    let message = format!("the value is either {x} or {y}");
                    self.report(Diagnostic::error(codes::MTYPE_NUMBER, span, message));
                    Ty::Unknown
                }
            },
            (Ty::Chan(x), Ty::Chan(y)) => {
                if self.pass == Pass::Flows {
                    self.equate(x, y, Why { span, text: "alternatives of one value".to_owned() });
                }
                Ty::Chan(x)
            }
            (Ty::Chan(x), Ty::Base(zero)) | (Ty::Base(zero), Ty::Chan(x)) if zero.is_zero() => {
                Ty::Chan(x)
            }
            _ => Ty::Unknown,
        }
    }
}
