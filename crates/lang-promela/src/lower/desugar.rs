//! `for` and `select` in terms of simpler statements.

use crate::ast::*;

/// `for` and `select` in terms of simpler statements.
pub(crate) fn desugar(s: &Stmt) -> Vec<Stmt> {
    let span = s.span;
    let expr = |kind: ExprKind| Expr { kind, span };
    let stmt = |kind: StmtKind| Stmt { kind, span, labels: Vec::new() };
    let constant = |value: i32| expr(ExprKind::Const(value));
    let read = |r: &VarRef| Expr { kind: ExprKind::Var(r.clone()), span: r.span };
    let binary = |op, a, b| expr(ExprKind::Binary(op, Box::new(a), Box::new(b)));
    let assign = |r: &VarRef, e: Expr| stmt(StmtKind::Assign(Target::Var(r.clone()), e));
    let counting = |r: &VarRef, test: Expr, body: Vec<Stmt>| {
        let mut round = vec![Stmt { span: test.span, ..stmt(StmtKind::Expr(test)) }];
        round.extend(body);
        round.push(assign(r, binary(BinaryOp::Add, read(r), constant(1))));
        let leave = vec![stmt(StmtKind::Else), stmt(StmtKind::Break)];
        stmt(StmtKind::Do(vec![round, leave]))
    };
    let mut out = match &s.kind {
        StmtKind::For { var, over, body } => match over {
            ForRange::Values(from, to) => {
                let test = binary(BinaryOp::Le, read(var), to.clone());
                vec![assign(var, from.clone()), counting(var, test, body.clone())]
            }
            ForRange::Array(count) => {
                let last = constant(*count as i32 - 1);
                let test = binary(BinaryOp::Le, read(var), last);
                vec![assign(var, constant(0)), counting(var, test, body.clone())]
            }
            ForRange::Channel { channel, counter } => {
                let counter = VarRef { var: *counter, index: None, fields: Vec::new(), span };
                let len = expr(ExprKind::Len(channel.clone()));
                let test = binary(BinaryOp::Lt, read(&counter), len);
                let mut round = vec![
                    stmt(StmtKind::Receive {
                        channel: channel.clone(),
                        args: vec![RecvArg::Var(var.clone())],
                        random: false,
                        copy: false,
                    }),
                    stmt(StmtKind::Send {
                        channel: channel.clone(),
                        args: vec![read(var)],
                        sorted: false,
                    }),
                ];
                round.extend(body.clone());
                vec![assign(&counter, constant(0)), counting(&counter, test, round)]
            }
        },
        StmtKind::Select { var, from, to, choice } => {
            if *choice && let (ExprKind::Const(a), ExprKind::Const(b)) = (&from.kind, &to.kind) {
                let options = (*a..=*b).map(|v| vec![assign(var, constant(v))]).collect();
                vec![stmt(StmtKind::If(options))]
            } else {
                let test = binary(BinaryOp::Lt, read(var), to.clone());
                let up = vec![
                    stmt(StmtKind::Expr(test)),
                    assign(var, binary(BinaryOp::Add, read(var), constant(1))),
                ];
                let leave = vec![stmt(StmtKind::Break)];
                vec![assign(var, from.clone()), stmt(StmtKind::Do(vec![up, leave]))]
            }
        }
        _ => vec![s.clone()],
    };
    // SPIN puts the label of a loop on the loop proper, behind the first assignment.
    if let Some(last) = out.last_mut() {
        last.labels = s.labels.clone();
    }
    out
}
