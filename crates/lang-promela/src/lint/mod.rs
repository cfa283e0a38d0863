//! What looks wrong in a model although it is well formed.
//!
//! Every kind of finding is a [`Lint`] of the registry [`ALL`]: a code, a name for `--deny` and
//! `--allow`, a level, an explanation, and an example with its correction. [`check`] makes all
//! findings that the text alone allows. They prefer to miss something over being wrong: channels
//! are followed through variables, messages and parameters, names in macros count as used, and a
//! statement of an inline is judged by all its copies.

mod atomics;
mod cfg;
mod channels;
mod conditions;
mod fold;
mod initialised;
mod reach;
mod registry;
mod variables;

use std::collections::BTreeSet;

use everypath_model::{Brake, Diagnostic, Label, Severity, Span};

use crate::ast::*;
use crate::types::{self, TypeOptions, Types};
use crate::visit::{self, Visit};
use cfg::Cfg;
use variables::Usages;

pub use registry::ALL;

/// How a finding is shown if nothing else is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Not at all.
    Off,
    /// As a hint.
    Note,
    /// As a warning.
    Warning,
    /// As an error.
    Error,
}

/// A kind of finding.
#[derive(Clone, Copy, Debug)]
pub struct Lint {
    /// `EPnnnn`
    pub code: &'static str,
    /// Short and in kebab case: `unsent-channel`.
    pub name: &'static str,
    /// How it is shown.
    pub default_level: Level,
    /// What it is, in a line.
    pub title: &'static str,
    /// What it means and what to do about it.
    pub explanation: &'static str,
    /// A model that has it, and no other finding.
    pub example: &'static str,
    /// The same without it; it has no finding at all.
    pub corrected: &'static str,
}

/// The lint with this name or code.
pub fn find(name: &str) -> Option<&'static Lint> {
    ALL.iter().find(|lint| lint.name == name || lint.code.eq_ignore_ascii_case(name))
}

/// What was found in a model.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The inferred types; their diagnostics are among the findings.
    pub types: Types,
    /// All findings in the order of their places, also of lints that are off.
    pub findings: Vec<Diagnostic>,
}

/// Looks for everything that can be told from the text.
pub fn check(model: &Model, options: TypeOptions) -> Report {
    check_until(model, options, &Brake::default())
}

/// Looks for mistakes; what comes out is of no use if the brake is pulled meanwhile.
pub fn check_until(model: &Model, options: TypeOptions, brake: &Brake) -> Report {
    let mut types = types::infer_until(model, options, brake);
    let mut cx = Context {
        model,
        cfgs: model.proctypes.iter().map(Cfg::new).collect(),
        started: reach::started(model),
        usages: Usages::new(model),
        mentioned: mentioned(model),
        found: std::mem::take(&mut types.diagnostics),
    };
    reach::unreachable(&mut cx);
    reach::never_run(&mut cx);
    reach::unused_names(&mut cx);
    variables::check(&mut cx);
    initialised::check(&mut cx);
    channels::check(&mut cx);
    atomics::check(&mut cx);
    conditions::check(&mut cx);
    let mut findings = cx.found;
    let place = |d: &Diagnostic| d.primary.as_ref().map(|label| label.span);
    findings.sort_by(|a, b| (place(a), a.code, &a.message).cmp(&(place(b), b.code, &b.message)));
    findings.dedup();
    Report { types, findings }
}

/// The state of a check.
struct Context<'m> {
    model: &'m Model,
    /// By proctype.
    cfgs: Vec<Cfg<'m>>,
    /// Which proctypes can have processes.
    started: Vec<bool>,
    usages: Usages<'m>,
    /// Names that are used where we do not look: in macros and in embedded C.
    mentioned: BTreeSet<String>,
    found: Vec<Diagnostic>,
}

impl Context<'_> {
    /// Adds a finding of a lint.
    fn warn(&mut self, code: &'static str, span: Span, message: String) -> Found<'_> {
        let level = find(code).map_or(Level::Warning, |lint| lint.default_level);
        let severity = match level {
            Level::Off | Level::Note => Severity::Note,
            Level::Warning => Severity::Warning,
            Level::Error => Severity::Error,
        };
        self.found.push(Diagnostic::new(severity, code, span, message));
        Found(self.found.last_mut())
    }
}

/// A finding that can be added to.
struct Found<'a>(Option<&'a mut Diagnostic>);

impl Found<'_> {
    fn also(self, span: Span, text: impl Into<String>) -> Self {
        let Found(Some(diagnostic)) = self else { return self };
        diagnostic.secondary.push(Label { span, text: text.into() });
        Found(Some(diagnostic))
    }

    fn help(self, text: impl Into<String>) -> Self {
        let Found(Some(diagnostic)) = self else { return self };
        diagnostic.help = Some(text.into());
        Found(Some(diagnostic))
    }
}

/// Names in macros and in embedded C.
fn mentioned(model: &Model) -> BTreeSet<String> {
    struct Fragments(BTreeSet<String>);
    impl Fragments {
        fn text(&mut self, text: &str) {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            self.0.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
        }
    }
    impl Visit for Fragments {
        fn stmt(&mut self, s: &Stmt) {
            if let StmtKind::CCode { precondition, text } = &s.kind {
                self.text(precondition.as_deref().unwrap_or(""));
                self.text(text);
            }
            visit::walk_stmt(self, s);
        }
        fn expr(&mut self, e: &Expr) {
            if let ExprKind::C { precondition, text } = &e.kind {
                self.text(precondition.as_deref().unwrap_or(""));
                self.text(text);
            }
            visit::walk_expr(self, e);
        }
    }
    let mut fragments = Fragments(model.mentioned.clone());
    for unit in &model.c_units {
        match &unit.kind {
            CUnitKind::Decl(text) | CUnitKind::Code(text) => fragments.text(text),
            CUnitKind::State { decl, init, .. } => {
                fragments.text(decl);
                fragments.text(init.as_deref().unwrap_or(""));
            }
            CUnitKind::Track { object, size, .. } => {
                fragments.text(object);
                fragments.text(size);
            }
        }
    }
    visit::walk_model(&mut fragments, model);
    fragments.0
}
