//! How many control states statements have, which SPIN numbers.

use super::desugar::desugar;
use crate::ast::*;

/// The control states that belong to a statement as such, not to its parts.
pub(super) fn own_elements(s: &Stmt) -> u32 {
    match &s.kind {
        StmtKind::Block { .. } if s.labels.is_empty() => 0,
        StmtKind::If(_) | StmtKind::Unless(..) => 2,
        StmtKind::Do(_) => 3,
        _ => 1,
    }
}

/// The control states of a statement with all its parts.
pub(super) fn all_elements(s: &Stmt) -> u32 {
    let inside = |body: &[Stmt]| body.iter().map(all_elements).sum::<u32>();
    match &s.kind {
        StmtKind::If(options) => 2 + options.iter().map(|o| inside(o)).sum::<u32>(),
        StmtKind::Do(options) => 3 + options.iter().map(|o| inside(o)).sum::<u32>(),
        StmtKind::Block { body, .. } | StmtKind::Atomic(body) | StmtKind::DStep(body) => {
            1 + inside(body)
        }
        StmtKind::Unless(main, escape) => 2 + all_elements(main) + all_elements(escape),
        StmtKind::For { .. } | StmtKind::Select { .. } => inside(&desugar(s)),
        StmtKind::Exclusive { .. } => 0,
        _ => 1,
    }
}
