//! Small changes of a model, to try out what they would do.

use everypath_model::Span;

use crate::ast::{Model, Stmt, StmtKind};

/// Statements that are made atomic at most.
const MOST: usize = 6;

/// A copy of a model in which the statements from one to another of the same sequence are atomic,
/// wherever these two stand one after the other (an inline may be called several times). `None` if
/// they do not, if there is a loop or more than a few statements between them, or if they are
/// indivisible already.
///
/// The statements are told by their places.
pub fn make_atomic(
    model: &Model,
    first: &dyn Fn(Span) -> bool,
    last: &dyn Fn(Span) -> bool,
) -> Option<(Model, Span)> {
    let mut copy = model.clone();
    let mut wrapped = None;
    for proctype in &mut copy.proctypes {
        wrap(&mut proctype.body, first, last, &mut wrapped);
    }
    wrapped.map(|span| (copy, span))
}

fn wrap(
    sequence: &mut Vec<Stmt>,
    first: &dyn Fn(Span) -> bool,
    last: &dyn Fn(Span) -> bool,
    wrapped: &mut Option<Span>,
) {
    // As far in as possible, and everywhere.
    let mut found = None;
    for statement in sequence.iter_mut() {
        parts_mut(statement, &mut |part| wrap(part, first, last, &mut found));
    }
    if found.is_some() {
        *wrapped = wrapped.or(found);
        return;
    }
    let from = sequence.iter().position(|s| contains(s, first));
    let to = from.and_then(|from| sequence[from..].iter().position(|s| contains(s, last)));
    let Some((from, length)) = from.zip(to) else { return };
    let to = from + length;
    if length == 0 || length >= MOST || sequence[from..=to].iter().any(has_loop) {
        return;
    }
    let mut body: Vec<Stmt> = sequence.drain(from..=to).collect();
    let span = body[0].span.to(body[body.len() - 1].span);
    let labels = std::mem::take(&mut body[0].labels);
    sequence.insert(from, Stmt { kind: StmtKind::Atomic(body), span, labels });
    wrapped.get_or_insert(span);
}

/// The sequences inside a statement. What is indivisible already is left alone.
fn parts_mut(statement: &mut Stmt, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    match &mut statement.kind {
        StmtKind::If(options) | StmtKind::Do(options) => options.iter_mut().for_each(visit),
        StmtKind::Block { body, .. } | StmtKind::For { body, .. } => visit(body),
        StmtKind::Unless(main, escape) => {
            parts_mut(main, visit);
            parts_mut(escape, visit);
        }
        _ => {}
    }
}

/// Whether a statement is the wanted one, or has it inside.
fn contains(statement: &Stmt, wanted: &dyn Fn(Span) -> bool) -> bool {
    any(statement, &|s| wanted(s.span))
}

fn has_loop(statement: &Stmt) -> bool {
    any(statement, &|s| {
        matches!(s.kind, StmtKind::Do(_) | StmtKind::For { .. } | StmtKind::Goto(_))
    })
}

fn any(statement: &Stmt, test: &dyn Fn(&Stmt) -> bool) -> bool {
    let inside = |body: &Vec<Stmt>| body.iter().any(|s| any(s, test));
    test(statement)
        || match &statement.kind {
            StmtKind::If(options) | StmtKind::Do(options) => options.iter().any(inside),
            StmtKind::Block { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::Atomic(body)
            | StmtKind::DStep(body) => inside(body),
            StmtKind::Unless(main, escape) => any(main, test) || any(escape, test),
            _ => false,
        }
}
