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
use crate::visit::{self, VisitMut};
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
            "embedded C: {}{place} is not supported by the built-in interpreter; move it to Promela",
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
            visit::walk_body_mut(self, &mut body);
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
            visit::walk_body_mut(self, &mut claim.body);
        }
        self.translator.model.never = never;
        let mut traces = std::mem::take(&mut self.translator.model.traces);
        for trace in &mut traces {
            visit::walk_body_mut(self, &mut trace.body.body);
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
}

impl VisitMut for Resolver<'_> {
    fn stmt(&mut self, s: &mut Stmt) {
        let StmtKind::CCode { precondition, text } = &s.kind else {
            return visit::walk_stmt_mut(self, s);
        };
        match self.translator.fragment(precondition.as_deref(), text, s.span) {
            Ok(kind) => s.kind = kind,
            Err(refusal) => self.refuse(refusal, s.span),
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        let ExprKind::C { precondition, text } = &e.kind else {
            return visit::walk_expr_mut(self, e);
        };
        match self.translator.condition(precondition.as_deref(), text, e.span) {
            Ok(meaning) => *e = meaning,
            Err(refusal) => self.refuse(refusal, e.span),
        }
    }
}
