//! Conditions with a foregone outcome, choices that are none, assignments without effect.

use std::collections::BTreeMap;

use everypath_model::Span;

use super::Context;
use super::fold::{constant, digest_of, same_expr};
use crate::ast::*;
use crate::codes;
use crate::flow::{Slot, values};
use crate::pretty;
use crate::visit::{self, Visit};

/// Options of more statements are not compared.
const MAX_OPTION: usize = 50;

pub(super) fn check(cx: &mut Context<'_>) {
    let mut finder = Finder { model: cx.model, found: BTreeMap::new() };
    for proctype in &cx.model.proctypes {
        visit::walk_proctype(&mut finder, proctype);
    }
    for ((span, code), finding) in finder.found {
        let Some((message, also)) = finding else { continue };
        let found = cx.warn(code, span, message);
        if let Some((span, text)) = also {
            found.also(span, text);
        }
    }
}

/// A message, perhaps with another place; `None` if a copy of an inline speaks against it.
type Finding = Option<(String, Option<(Span, &'static str)>)>;

struct Finder<'m> {
    model: &'m Model,
    found: BTreeMap<(Span, &'static str), Finding>,
}

impl Finder<'_> {
    fn judge(&mut self, span: Span, code: &'static str, finding: Finding) {
        let entry = self.found.entry((span, code)).or_insert_with(|| finding.clone());
        if finding.is_none() {
            *entry = None;
        }
    }

    fn options(&mut self, options: &[Vec<Stmt>], span: Span) {
        let mut blocked = !options.is_empty();
        let mut seen: BTreeMap<u64, Span> = BTreeMap::new();
        for option in options {
            blocked &= match option.first().map(|s| &s.kind) {
                Some(StmtKind::Expr(e)) => constant(e) == Some(0),
                _ => false,
            };
            let (Some(first), 1..=MAX_OPTION) = (option.first(), option.len()) else { continue };
            let digest = digest_of(option);
            let finding = seen.get(&digest).map(|&other| {
                let message = "this option is the same as another one".to_owned();
                (message, Some((other, "the other one")))
            });
            seen.entry(digest).or_insert(first.span);
            self.judge(first.span, codes::DUPLICATE_OPTION, finding);
        }
        let message = "no option of this selection can ever be taken";
        let finding = blocked.then(|| (message.to_owned(), None));
        self.judge(span, codes::BLOCKED_SELECTION, finding);
    }

    /// The range of a variable or constant, from its declaration.
    fn range(&self, e: &Expr) -> Option<(i64, i64)> {
        match &e.kind {
            ExprKind::Var(r) => {
                let (slot, ty) = Slot::of(self.model, r);
                // An element of an array of bits is a whole byte.
                let var = &self.model.vars[slot.var.index()];
                let wide = var.array.is_some() || !r.fields.is_empty();
                match ty {
                    Type::Chan | Type::Struct(_) => None,
                    Type::Bit | Type::Bool if wide => Some((0, 255)),
                    _ => Some(values::declared(ty)),
                }
            }
            _ => constant(e).map(|value| (value.into(), value.into())),
        }
    }

    fn comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) {
        if constant(a).is_some() && constant(b).is_some() {
            return;
        }
        let same = same_expr(a, b) && !has_effect(a);
        let outcome = match (self.range(a), self.range(b)) {
            _ if same => Some(matches!(op, BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge)),
            (Some((al, ah)), Some((bl, bh))) => match op {
                BinaryOp::Lt => decide(ah < bl, al >= bh),
                BinaryOp::Le => decide(ah <= bl, al > bh),
                BinaryOp::Gt => decide(al > bh, ah <= bl),
                BinaryOp::Ge => decide(al >= bh, ah < bl),
                BinaryOp::Eq => decide(false, ah < bl || al > bh),
                BinaryOp::Ne => decide(ah < bl || al > bh, false),
                _ => None,
            },
            _ => None,
        };
        let finding = outcome.map(|outcome| {
            let why = match (same, self.range(a), self.range(b)) {
                (true, _, _) => "both sides are the same".to_owned(),
                (_, Some((low, high)), _) if constant(a).is_none() => {
                    let name = pretty::expr(self.model, a);
                    format!("`{name}` has values from {low} to {high}")
                }
                (_, _, Some((low, high))) => {
                    let name = pretty::expr(self.model, b);
                    format!("`{name}` has values from {low} to {high}")
                }
                _ => "its sides have no values in common".to_owned(),
            };
            (format!("this comparison is always {outcome}: {why}"), None)
        });
        self.judge(span, codes::CONSTANT_CONDITION, finding);
    }
}

fn decide(yes: bool, no: bool) -> Option<bool> {
    match (yes, no) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// Whether evaluating it twice may give two values.
fn has_effect(e: &Expr) -> bool {
    struct Runs(bool);
    impl Visit for Runs {
        fn expr(&mut self, e: &Expr) {
            self.0 |= matches!(e.kind, ExprKind::Run { .. } | ExprKind::C { .. });
            visit::walk_expr(self, e);
        }
    }
    let mut runs = Runs(false);
    runs.expr(e);
    runs.0
}

impl Visit for Finder<'_> {
    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::If(options) | StmtKind::Do(options) => self.options(options, s.span),
            StmtKind::Assign(Target::Var(r), e) => {
                let target = Expr { kind: ExprKind::Var(r.clone()), span: r.span };
                let same = matches!(e.kind, ExprKind::Var(_)) && same_expr(&target, e);
                let message = "the variable is assigned to itself".to_owned();
                self.judge(s.span, codes::SELF_ASSIGNMENT, same.then_some((message, None)));
            }
            _ => {}
        }
        visit::walk_stmt(self, s);
    }

    fn expr(&mut self, e: &Expr) {
        use BinaryOp::*;
        if let ExprKind::Binary(op @ (Lt | Le | Gt | Ge | Eq | Ne), a, b) = &e.kind {
            self.comparison(*op, a, b, e.span);
        }
        visit::walk_expr(self, e);
    }
}
