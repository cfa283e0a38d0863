//! Expressions of the model from parts, computed where the parts are constants.

use super::syntax::CType;
use crate::ast::*;

/// A constant as a variable of a type keeps it.
pub(super) fn fit(ty: CType, value: i32) -> i32 {
    match ty {
        CType::Bool => i32::from(value != 0),
        CType::Char => i32::from(value as i8),
        CType::UChar => i32::from(value as u8),
        CType::Short => i32::from(value as i16),
        CType::UShort => i32::from(value as u16),
        CType::Int | CType::UInt => value,
    }
}

/// `(ty) e`, whose value fits into an `int` except for the widest types.
pub(super) fn cast(ty: CType, e: Expr) -> Expr {
    let constant = |value: i32| Expr { kind: ExprKind::Const(value), span: e.span };
    if let ExprKind::Const(value) = e.kind {
        return constant(fit(ty, value));
    }
    let (mask, sign) = match ty {
        CType::Int | CType::UInt => return e,
        CType::Bool => {
            let zero = constant(0);
            return binary(BinaryOp::Ne, e, zero);
        }
        CType::UChar => (constant(0xff), None),
        CType::UShort => (constant(0xffff), None),
        CType::Char => (constant(0xff), Some(constant(0x80))),
        CType::Short => (constant(0xffff), Some(constant(0x8000))),
    };
    let low = binary(BinaryOp::BitAnd, e, mask);
    match sign {
        None => low,
        Some(sign) => {
            let flipped = binary(BinaryOp::BitXor, low, sign.clone());
            binary(BinaryOp::Sub, flipped, sign)
        }
    }
}

/// Makes unsigned values compare like signed ones.
pub(super) fn flip(e: Expr) -> Expr {
    let top = Expr { kind: ExprKind::Const(i32::MIN), span: e.span };
    binary(BinaryOp::BitXor, e, top)
}

/// `op a`, computed if it is a constant.
pub(super) fn unary(op: UnaryOp, a: Expr) -> Expr {
    let span = a.span;
    let kind = match a.kind {
        ExprKind::Const(value) => ExprKind::Const(op.apply(value)),
        _ => ExprKind::Unary(op, Box::new(a)),
    };
    Expr { kind, span }
}

/// `a op b`, computed if both are constants.
pub(super) fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    let value = match (&a.kind, &b.kind) {
        (ExprKind::Const(a), ExprKind::Const(b)) => op.apply(*a, *b),
        _ => None,
    };
    let kind = match value {
        Some(value) => ExprKind::Const(value),
        None => ExprKind::Binary(op, Box::new(a), Box::new(b)),
    };
    Expr { kind, span }
}
