//! Statements as SPIN prints them: `x = (x+1)`, `((x==2))`, `q!req,t`.

use std::fmt::Write;

use crate::ast::*;
use crate::pretty;

/// What stands for a `d_step`; SPIN adds the line.
pub const D_STEP: &str = "D_STEP";

/// A statement that is one step.
pub(crate) fn stmt(model: &Model, proctype: &Proctype, s: &Stmt) -> String {
    let e = |e: &Expr| expr(model, e);
    let r = |r: &VarRef| reference(model, r);
    match &s.kind {
        StmtKind::Decl(var) => {
            let var = &model.vars[var.index()];
            match &var.init {
                Init::Expr(init) => format!("{} = {}", var.name, e(init)),
                _ => format!("{} = 0", var.name),
            }
        }
        StmtKind::Send { channel, args, sorted } => {
            let args: Vec<String> = args.iter().map(e).collect();
            format!("{}{}{}", r(channel), if *sorted { "!!" } else { "!" }, args.join(","))
        }
        StmtKind::Receive { channel, args, random, copy } => {
            let op = if *random { "??" } else { "?" };
            let (open, close) = if *copy { ("<", ">") } else { ("", "") };
            format!("{}{op}{open}{}{close}", r(channel), pattern(model, args))
        }
        StmtKind::Assign(Target::Var(target), value) => format!("{} = {}", r(target), e(value)),
        StmtKind::Assign(Target::Discard(_), value) => format!("_ = {}", e(value)),
        StmtKind::Assign(Target::Priority(_), value) => format!("_priority = {}", e(value)),
        StmtKind::Increment(target) => format!("{0} = ({0}+1)", r(target)),
        StmtKind::Decrement(target) => format!("{0} = ({0}-1)", r(target)),
        StmtKind::Assert(condition) => format!("assert({})", e(condition)),
        StmtKind::Expr(condition) => format!("({})", e(condition)),
        StmtKind::Printf(format, args) => {
            let mut text = format!("printf('{format}'");
            for arg in args {
                let _ = write!(text, ",{}", e(arg));
            }
            text + ")"
        }
        StmtKind::Printm(value) => format!("printm({})", e(value)),
        StmtKind::SetPriority(process, value) => {
            format!("set_priority({}, {})", e(process), e(value))
        }
        StmtKind::DStep(_) => D_STEP.to_owned(),
        _ => pretty::stmt(model, proctype, s),
    }
}

fn pattern(model: &Model, args: &[RecvArg]) -> String {
    let args: Vec<String> = args
        .iter()
        .map(|arg| match arg {
            RecvArg::Var(r) => reference(model, r),
            RecvArg::Any(_) => "_".to_owned(),
            RecvArg::Const(e) => expr(model, e),
            RecvArg::Eval(e) => format!("eval({})", expr(model, e)),
        })
        .collect();
    args.join(",")
}

fn reference(model: &Model, r: &VarRef) -> String {
    let index = |index: &Option<Box<Expr>>| match index {
        Some(e) => format!("[{}]", expr(model, e)),
        None => String::new(),
    };
    let var = &model.vars[r.var.index()];
    let mut text = format!("{}{}", var.name, index(&r.index));
    let mut ty = var.ty;
    for field in &r.fields {
        let Type::Struct(id) = ty else { break };
        let def = &model.typedefs[id.index()].fields[field.field as usize];
        let _ = write!(text, ".{}{}", def.name, index(&field.index));
        ty = def.ty;
    }
    text
}

/// An expression: every operation in parentheses, without spaces.
fn expr(model: &Model, e: &Expr) -> String {
    let inner = |e: &Expr| expr(model, e);
    match &e.kind {
        ExprKind::Var(r) => reference(model, r),
        ExprKind::Unary(op, a) => {
            let sign = match op {
                UnaryOp::Neg => '-',
                UnaryOp::Not => '!',
                UnaryOp::Complement => '~',
            };
            format!("{sign}({})", inner(a))
        }
        ExprKind::Binary(op, a, b) => {
            format!("({}{}{})", inner(a), pretty::binary(*op).0, inner(b))
        }
        ExprKind::Cond(c, a, b) => {
            format!("( ({}) -> ({}) : ({}) )", inner(c), inner(a), inner(b))
        }
        ExprKind::Run { proctype, args, .. } => {
            let args: Vec<String> = args.iter().map(inner).collect();
            format!("run {}({})", model.proctypes[proctype.index()].name, args.join(","))
        }
        ExprKind::Len(q) => format!("len({})", reference(model, q)),
        ExprKind::Probe(probe, q) => {
            let name = match probe {
                Probe::Full => "full",
                Probe::Empty => "empty",
                Probe::NotFull => "nfull",
                Probe::NotEmpty => "nempty",
            };
            format!("{name}({})", reference(model, q))
        }
        ExprKind::Poll { channel, args, random } => {
            let op = if *random { "??" } else { "?" };
            format!("{}{op}[{}]", reference(model, channel), pattern(model, args))
        }
        ExprKind::Enabled(p) => format!("enabled({})", inner(p)),
        ExprKind::PcValue(p) => format!("pc_value({})", inner(p)),
        ExprKind::GetPriority(p) => format!("get_priority({})", inner(p)),
        _ => pretty::expr(model, e),
    }
}
