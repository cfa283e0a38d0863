//! What never claims and trace assertions may contain.

use everypath_model::Diagnostic;

use super::Parser;
use super::labels::for_each_part;
use super::process::Process;
use crate::ast::{Stmt, StmtKind};
use crate::codes;

impl<'a> Parser<'a> {
    /// Checks the body of a claim or trace assertion.
    pub(super) fn check_claim(&mut self, process: &Process<'a>, body: &[Stmt]) {
        let mut found = Vec::new();
        if process.is_trace {
            check_trace(body, &mut found);
        } else {
            check_never(body, &mut found);
            for &id in &process.locals {
                let var = &self.model.vars[id.index()];
                let message = format!("the claim has a variable of its own, `{}`", var.name);
                found.push(Diagnostic::warning(codes::CLAIM, var.span, message));
            }
        }
        for diagnostic in found {
            self.report(diagnostic);
        }
    }
}

fn check_never(body: &[Stmt], found: &mut Vec<Diagnostic>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Send { .. } | StmtKind::Receive { .. } => {
                let message = "a claim cannot send or receive";
                found.push(Diagnostic::error(codes::CLAIM, stmt.span, message));
            }
            StmtKind::Assign(..) | StmtKind::Increment(_) | StmtKind::Decrement(_) => {
                let message = "the claim changes a variable";
                found.push(Diagnostic::warning(codes::CLAIM, stmt.span, message));
            }
            kind => for_each_part(kind, &mut |part| check_never(part, found)),
        }
    }
}

fn check_trace(body: &[Stmt], found: &mut Vec<Diagnostic>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Send { .. }
            | StmtKind::Receive { .. }
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::If(_)
            | StmtKind::Do(_)
            | StmtKind::Unless(..)
            | StmtKind::Exclusive { .. } => {
                for_each_part(&stmt.kind, &mut |part| check_trace(part, found));
            }
            _ => {
                let message = "a trace assertion contains only sends and receives";
                found.push(Diagnostic::error(codes::CLAIM, stmt.span, message));
            }
        }
    }
}
