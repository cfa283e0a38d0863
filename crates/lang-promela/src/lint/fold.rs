//! Expressions without variables, and expressions that are the same.

use std::fmt::Write;
use std::hash::Hasher;

use everypath_model::{FileId, Span};

use crate::ast::*;
use crate::visit::{self, Access, VisitMut};

/// The value of an expression that is the same in every state, from its literals alone.
pub(super) fn constant(e: &Expr) -> Option<i32> {
    match &e.kind {
        ExprKind::Const(value) | ExprKind::Mtype(_, value) => Some(*value),
        ExprKind::Unary(op, a) => Some(op.apply(constant(a)?)),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (constant(a), constant(b));
            match (op, a, b) {
                (BinaryOp::And, Some(0), _) | (BinaryOp::And, _, Some(0)) => return Some(0),
                (BinaryOp::Or, Some(value), _) | (BinaryOp::Or, _, Some(value)) if value != 0 => {
                    return Some(1);
                }
                _ => {}
            }
            op.apply(a?, b?)
        }
        ExprKind::Cond(c, a, b) => match constant(c)? {
            0 => constant(b),
            _ => constant(a),
        },
        _ => None,
    }
}

/// Whether two expressions are written the same.
pub(super) fn same_expr(a: &Expr, b: &Expr) -> bool {
    let digest = |e: &Expr| {
        let mut e = e.clone();
        NoPlaces.expr(&mut e);
        digest(&e)
    };
    digest(a) == digest(b)
}

/// A number that is the same for statements that are written the same.
pub(super) fn digest_of(body: &[Stmt]) -> u64 {
    let mut body = body.to_vec();
    visit::walk_body_mut(&mut NoPlaces, &mut body);
    digest(&body)
}

fn digest(value: &impl std::fmt::Debug) -> u64 {
    struct Sink(std::collections::hash_map::DefaultHasher);
    impl Write for Sink {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            self.0.write(text.as_bytes());
            Ok(())
        }
    }
    let mut sink = Sink(std::collections::hash_map::DefaultHasher::new());
    let _ = write!(sink, "{value:?}");
    sink.0.finish()
}

/// Forgets where things stand.
struct NoPlaces;

const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

impl VisitMut for NoPlaces {
    fn stmt(&mut self, s: &mut Stmt) {
        s.span = NOWHERE;
        visit::walk_stmt_mut(self, s);
    }
    fn expr(&mut self, e: &mut Expr) {
        e.span = NOWHERE;
        visit::walk_expr_mut(self, e);
    }
    fn var_ref(&mut self, r: &mut VarRef, _access: Access) {
        r.span = NOWHERE;
        visit::walk_var_ref_mut(self, r);
    }
}
