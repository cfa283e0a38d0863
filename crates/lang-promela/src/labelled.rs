//! Statements by the labels in front of them.

use everypath_model::Span;

use crate::ast::{Model, Proctype, Stmt, StmtKind};
use crate::parser::for_each_part;

/// The statements that are executed first behind a label of this name, in one proctype or in all of them.
/// Inside of a `d_step` there are none by themselves.
pub fn labelled(model: &Model, proctype: Option<&str>, label: &str) -> Vec<Span> {
    let wanted = |p: &&Proctype| proctype.is_none_or(|name| p.name == name);
    let mut found = Vec::new();
    for process in model.proctypes.iter().filter(wanted) {
        collect(process, label, &process.body, &mut found);
    }
    found
}

/// The names of all labels.
pub fn labels(model: &Model) -> Vec<&str> {
    let all = model.proctypes.iter().flat_map(|process| &process.labels);
    all.map(|label| label.name.as_str()).collect()
}

fn collect(process: &Proctype, label: &str, body: &[Stmt], found: &mut Vec<Span>) {
    for stmt in body {
        if stmt.labels.iter().any(|one| process.labels[one.index()].name == label) {
            first(stmt, found);
        }
        if !matches!(stmt.kind, StmtKind::DStep(_)) {
            for_each_part(&stmt.kind, &mut |part| collect(process, label, part, found));
        }
    }
}

/// What is executed first of a statement.
pub(crate) fn first(stmt: &Stmt, found: &mut Vec<Span>) {
    match &stmt.kind {
        StmtKind::If(_)
        | StmtKind::Do(_)
        | StmtKind::Block { .. }
        | StmtKind::Atomic(_)
        | StmtKind::Unless(..) => {
            for_each_part(&stmt.kind, &mut |part| {
                if let Some(stmt) = part.first() {
                    first(stmt, found);
                }
            });
        }
        _ => found.push(stmt.span),
    }
}
