//! Embedded C that is Promela in other words.
//!
//! [`resolve`] reads the C fragments of a model and replaces those it fully understands by ordinary
//! variables, expressions and statements: integers of C and arrays of them, assignments, branches
//! and loops over `now.x`, `Pname->x`, `c_state` and tracked objects. Everything else is refused
//! with its name and place, since a fragment that is half understood would make a wrong verdict.
//!
//! Absent on purpose: pointers, functions, structures of C, 64-bit and floating-point numbers, and
//! every effect that SPIN's search does not undo, like a write to an object that is not tracked.

mod declare;
mod fold;
mod read;
mod syntax;
mod token;
mod translate;

use everypath_model::{Diagnostic, Severity, Span};

use crate::ast::*;
use declare::Names;
use translate::Translator;

/// How many fragments are complained about.
const MAX_REFUSALS: usize = 20;

/// Why a fragment is not understood.
#[derive(Clone, Debug)]
struct Refusal {
    /// In the fragment, from 0.
    line: u32,
    /// The construct, as a phrase.
    construct: String,
}

impl Refusal {
    fn new(line: u32, construct: impl Into<String>) -> Refusal {
        Refusal { line, construct: construct.into() }
    }

    fn diagnostic(self, span: Span) -> Diagnostic {
        let place = match self.line {
            0 => String::new(),
            line => format!(" (line {} of the fragment)", line + 1),
        };
        let message = format!(
            "embedded C: {}{place} is not supported by the built-in interpreter; move it to \
             Promela or run with an external C tool chain",
            self.construct
        );
        Diagnostic::new(Severity::Unsupported, "EP1402", span, message)
    }
}

/// Replaces embedded C in a model, and in invariants over it, by what it means.
///
/// Fragments that are not understood stay, each with a diagnostic of severity
/// [`Severity::Unsupported`].
pub(crate) fn resolve(model: &mut Model, invariants: &mut [Expr]) -> Vec<Diagnostic> {
    let units = std::mem::take(&mut model.c_units);
    let mut diagnostics = Vec::new();
    let names = Names::collect(model, &units, &mut diagnostics);
    let mut resolver = Resolver { translator: Translator::new(model, names), diagnostics };
    resolver.model();
    for e in invariants {
        resolver.expr(e);
    }
    let diagnostics = resolver.diagnostics;
    if diagnostics.iter().any(|d| d.severity >= Severity::Unsupported) {
        model.c_units = units;
    }
    diagnostics
}

/// Walks over a model and replaces its fragments.
struct Resolver<'m> {
    translator: Translator<'m>,
    diagnostics: Vec<Diagnostic>,
}

impl Resolver<'_> {
    fn model(&mut self) {
        for i in 0..self.translator.model.vars.len() {
            let var = &mut self.translator.model.vars[i];
            if let Init::Expr(e) = &mut var.init {
                let owner = var.owner;
                let placeholder = Expr { kind: ExprKind::Const(0), span: e.span };
                let mut e = std::mem::replace(e, placeholder);
                self.translator.proctype = match owner {
                    Owner::Proctype(id) => Some(id),
                    _ => None,
                };
                self.expr(&mut e);
                self.translator.model.vars[i].init = Init::Expr(e);
            }
        }
        for i in 0..self.translator.model.proctypes.len() {
            self.translator.proctype = Some(ProcId(i as u32));
            let proctype = &mut self.translator.model.proctypes[i];
            let mut body = std::mem::take(&mut proctype.body);
            let mut provided = proctype.provided.take();
            self.body(&mut body);
            if let Some(e) = &mut provided {
                self.expr(e);
            }
            let proctype = &mut self.translator.model.proctypes[i];
            proctype.body = body;
            proctype.provided = provided;
        }
        self.translator.proctype = None;
        let mut never = std::mem::take(&mut self.translator.model.never);
        for claim in &mut never {
            self.body(&mut claim.body);
        }
        self.translator.model.never = never;
        let mut traces = std::mem::take(&mut self.translator.model.traces);
        for trace in &mut traces {
            self.body(&mut trace.body.body);
        }
        self.translator.model.traces = traces;
        let mut ltl = std::mem::take(&mut self.translator.model.ltl);
        for formula in &mut ltl {
            self.expr(&mut formula.formula);
        }
        self.translator.model.ltl = ltl;
    }

    fn refuse(&mut self, refusal: Refusal, span: Span) {
        if self.diagnostics.len() < MAX_REFUSALS {
            let diagnostic = refusal.diagnostic(span);
            // An inline that is called twice is complained about once.
            if !self.diagnostics.contains(&diagnostic) {
                self.diagnostics.push(diagnostic);
            }
        }
    }

    fn body(&mut self, body: &mut [Stmt]) {
        for s in body {
            self.stmt(s);
        }
    }

    fn stmt(&mut self, s: &mut Stmt) {
        match &mut s.kind {
            StmtKind::CCode { precondition, text } => {
                match self.translator.fragment(precondition.as_deref(), text, s.span) {
                    Ok(kind) => s.kind = kind,
                    Err(refusal) => self.refuse(refusal, s.span),
                }
            }
            StmtKind::Send { channel, args, .. } => {
                self.var_ref(channel);
                self.exprs(args);
            }
            StmtKind::Receive { channel, args, .. } => {
                self.var_ref(channel);
                self.pattern(args);
            }
            StmtKind::Assign(target, e) => {
                if let Target::Var(r) = target {
                    self.var_ref(r);
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
                self.expr(p);
                self.expr(n);
            }
            StmtKind::Decl(_)
            | StmtKind::Exclusive { .. }
            | StmtKind::Else
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::CStep { .. } => {}
        }
    }

    fn pattern(&mut self, args: &mut [RecvArg]) {
        for arg in args {
            match arg {
                RecvArg::Var(r) => self.var_ref(r),
                RecvArg::Any(_) => {}
                RecvArg::Const(e) | RecvArg::Eval(e) => self.expr(e),
            }
        }
    }

    fn exprs(&mut self, all: &mut [Expr]) {
        for e in all {
            self.expr(e);
        }
    }

    fn var_ref(&mut self, r: &mut VarRef) {
        if let Some(index) = &mut r.index {
            self.expr(index);
        }
        for field in &mut r.fields {
            if let Some(index) = &mut field.index {
                self.expr(index);
            }
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::C { precondition, text } => {
                match self.translator.condition(precondition.as_deref(), text, e.span) {
                    Ok(meaning) => *e = meaning,
                    Err(refusal) => self.refuse(refusal, e.span),
                }
            }
            ExprKind::Var(r) | ExprKind::Len(r) | ExprKind::Probe(_, r) => self.var_ref(r),
            ExprKind::Unary(_, a)
            | ExprKind::Enabled(a)
            | ExprKind::PcValue(a)
            | ExprKind::GetPriority(a) => self.expr(a),
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Cond(c, a, b) => {
                self.expr(c);
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Run { args, .. } | ExprKind::Temporal(_, args) => self.exprs(args),
            ExprKind::Poll { channel, args, .. } => {
                self.var_ref(channel);
                self.pattern(args);
            }
            ExprKind::RemoteLabel { index, .. } => {
                if let Some(index) = index {
                    self.expr(index);
                }
            }
            ExprKind::RemoteVar { index, element, .. } => {
                for e in [index, element].into_iter().flatten() {
                    self.expr(e);
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
            | ExprKind::Priority => {}
        }
    }
}
