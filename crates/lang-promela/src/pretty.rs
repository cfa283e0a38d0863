//! Expressions and statements as one line of text, for traces and messages.

use std::fmt::Write;
use std::ops::Deref;

use crate::ast::*;

/// A model, and whether its constants are told as they are written: `NONE`, `true`. Where texts are compared they
/// are told by their values, since a macro may be defined anew.
#[derive(Clone, Copy)]
struct Text<'m> {
    model: &'m Model,
    as_written: bool,
}

impl Deref for Text<'_> {
    type Target = Model;

    fn deref(&self) -> &Model {
        self.model
    }
}

impl<'m> Text<'m> {
    fn values(model: &'m Model) -> Text<'m> {
        Text { model, as_written: false }
    }

    fn written(model: &'m Model) -> Text<'m> {
        Text { model, as_written: true }
    }

    /// How a constant is written, if not as a number.
    fn spelling(self, e: &Expr, value: i32) -> Option<&'m str> {
        let known = self.as_written.then(|| self.model.spellings.get(&(e.span, value)))??;
        known.as_deref()
    }
}

/// An expression as text.
pub fn expr(model: &Model, e: &Expr) -> String {
    let mut out = String::new();
    write_expr(Text::values(model), e, 0, &mut out);
    out
}

/// An expression as text, with constants as they are written.
pub fn written_expr(model: &Model, e: &Expr) -> String {
    let mut out = String::new();
    write_expr(Text::written(model), e, 0, &mut out);
    out
}

/// A variable reference as text.
pub fn var_ref(model: &Model, r: &VarRef) -> String {
    let mut out = String::new();
    write_ref(Text::values(model), r, &mut out);
    out
}

/// A statement as text; longer ones are cut after their beginning.
pub fn stmt(model: &Model, proctype: &Proctype, s: &Stmt) -> String {
    let mut out = String::new();
    write_stmt(Text::values(model), proctype, s, &mut out);
    out
}

/// A statement as text, with constants as they are written.
pub fn written_stmt(model: &Model, proctype: &Proctype, s: &Stmt) -> String {
    let mut out = String::new();
    write_stmt(Text::written(model), proctype, s, &mut out);
    out
}

pub(crate) fn binary(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::Or => ("||", 1),
        BinaryOp::And => ("&&", 2),
        BinaryOp::BitOr => ("|", 3),
        BinaryOp::BitXor => ("^", 4),
        BinaryOp::BitAnd => ("&", 5),
        BinaryOp::Eq => ("==", 6),
        BinaryOp::Ne => ("!=", 6),
        BinaryOp::Lt => ("<", 7),
        BinaryOp::Le => ("<=", 7),
        BinaryOp::Gt => (">", 7),
        BinaryOp::Ge => (">=", 7),
        BinaryOp::Shl => ("<<", 8),
        BinaryOp::Shr => (">>", 8),
        BinaryOp::Add => ("+", 9),
        BinaryOp::Sub => ("-", 9),
        BinaryOp::Mul => ("*", 10),
        BinaryOp::Div => ("/", 10),
        BinaryOp::Rem => ("%", 10),
    }
}

/// Binds tighter than every infix operator.
const PREFIX: u8 = 11;

fn write_expr(model: Text<'_>, e: &Expr, level: u8, out: &mut String) {
    match &e.kind {
        ExprKind::Const(value) => match model.spelling(e, *value) {
            Some(name) => out.push_str(name),
            None => {
                let _ = write!(out, "{value}");
            }
        },
        ExprKind::Mtype(set, value) => {
            let names = &model.mtypes[set.index()].names;
            match usize::try_from(value - 1).ok().and_then(|i| names.get(i)) {
                Some(name) => out.push_str(name),
                None => {
                    let _ = write!(out, "{value}");
                }
            }
        }
        ExprKind::Var(r) => write_ref(model, r, out),
        ExprKind::Unary(op, a) => {
            out.push(match op {
                UnaryOp::Neg => '-',
                UnaryOp::Not => '!',
                UnaryOp::Complement => '~',
            });
            write_expr(model, a, PREFIX, out);
        }
        ExprKind::Binary(op, a, b) => {
            let (text, own) = binary(*op);
            if own < level {
                out.push('(');
            }
            write_expr(model, a, own, out);
            let _ = write!(out, " {text} ");
            write_expr(model, b, own + 1, out);
            if own < level {
                out.push(')');
            }
        }
        ExprKind::Cond(c, a, b) => {
            out.push('(');
            write_expr(model, c, 0, out);
            out.push_str(" -> ");
            write_expr(model, a, 0, out);
            out.push_str(" : ");
            write_expr(model, b, 0, out);
            out.push(')');
        }
        ExprKind::Run { proctype, args, .. } => {
            let _ = write!(out, "run {}(", model.proctypes[proctype.index()].name);
            write_list(model, args, out);
            out.push(')');
        }
        ExprKind::Len(q) => write_call(model, "len", q, out),
        ExprKind::Probe(probe, q) => {
            let name = match probe {
                Probe::Full => "full",
                Probe::Empty => "empty",
                Probe::NotFull => "nfull",
                Probe::NotEmpty => "nempty",
            };
            write_call(model, name, q, out);
        }
        ExprKind::Poll { channel, args, random } => {
            write_ref(model, channel, out);
            out.push_str(if *random { "??[" } else { "?[" });
            write_pattern(model, args, out);
            out.push(']');
        }
        ExprKind::Enabled(p) => write_function(model, "enabled", p, out),
        ExprKind::PcValue(p) => write_function(model, "pc_value", p, out),
        ExprKind::GetPriority(p) => write_function(model, "get_priority", p, out),
        ExprKind::Timeout => out.push_str("timeout"),
        ExprKind::NonProgress => out.push_str("np_"),
        ExprKind::Any => out.push('_'),
        ExprKind::Pid => out.push_str("_pid"),
        ExprKind::ProcessCount => out.push_str("_nr_pr"),
        ExprKind::Last => out.push_str("_last"),
        ExprKind::Priority => out.push_str("_priority"),
        ExprKind::RemoteLabel { proctype, index, label } => {
            let proctype = &model.proctypes[proctype.index()];
            write_remote(model, proctype, index.as_deref(), out);
            let _ = write!(out, "@{}", proctype.labels[label.index()].name);
        }
        ExprKind::RemoteVar { proctype, index, var, element } => {
            write_remote(model, &model.proctypes[proctype.index()], index.as_deref(), out);
            let _ = write!(out, ":{}", model.vars[var.index()].name);
            write_index(model, element.as_deref(), out);
        }
        ExprKind::C { text, .. } => {
            let _ = write!(out, "c_expr {{{text}}}");
        }
        ExprKind::Temporal(op, args) => write_temporal(model, *op, args, out),
    }
}

fn write_temporal(model: Text<'_>, op: TemporalOp, args: &[Expr], out: &mut String) {
    let prefix = match op {
        TemporalOp::Always => Some("[]"),
        TemporalOp::Eventually => Some("<>"),
        TemporalOp::Next => Some("X "),
        TemporalOp::Not => Some("!"),
        _ => None,
    };
    let part = |e: &Expr, out: &mut String| {
        let plain = matches!(e.kind, ExprKind::Temporal(..) | ExprKind::Const(_));
        if !plain {
            out.push('(');
        }
        write_expr(model, e, 0, out);
        if !plain {
            out.push(')');
        }
    };
    if let Some(prefix) = prefix {
        out.push_str(prefix);
        if let Some(e) = args.first() {
            part(e, out);
        }
        return;
    }
    let infix = match op {
        TemporalOp::Until => "U",
        TemporalOp::WeakUntil => "W",
        TemporalOp::Release => "V",
        TemporalOp::And => "&&",
        TemporalOp::Or => "||",
        TemporalOp::Implies => "->",
        _ => "<->",
    };
    out.push('(');
    for (i, e) in args.iter().enumerate() {
        if i > 0 {
            let _ = write!(out, " {infix} ");
        }
        part(e, out);
    }
    out.push(')');
}

fn write_remote(model: Text<'_>, proctype: &Proctype, index: Option<&Expr>, out: &mut String) {
    out.push_str(&proctype.name);
    write_index(model, index, out);
}

fn write_index(model: Text<'_>, index: Option<&Expr>, out: &mut String) {
    if let Some(index) = index {
        out.push('[');
        write_expr(model, index, 0, out);
        out.push(']');
    }
}

fn write_call(model: Text<'_>, name: &str, q: &VarRef, out: &mut String) {
    out.push_str(name);
    out.push('(');
    write_ref(model, q, out);
    out.push(')');
}

fn write_function(model: Text<'_>, name: &str, e: &Expr, out: &mut String) {
    out.push_str(name);
    out.push('(');
    write_expr(model, e, 0, out);
    out.push(')');
}

fn write_list(model: Text<'_>, args: &[Expr], out: &mut String) {
    for (i, e) in args.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write_expr(model, e, 0, out);
    }
}

fn write_message(model: Text<'_>, args: &[Expr], out: &mut String) {
    for (i, e) in args.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_expr(model, e, 0, out);
    }
}

fn write_pattern(model: Text<'_>, args: &[RecvArg], out: &mut String) {
    for (i, arg) in args.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        match arg {
            RecvArg::Var(r) => write_ref(model, r, out),
            RecvArg::Any(_) => out.push('_'),
            RecvArg::Const(e) => write_expr(model, e, 0, out),
            RecvArg::Eval(e) => write_function(model, "eval", e, out),
        }
    }
}

fn write_ref(model: Text<'_>, r: &VarRef, out: &mut String) {
    let var = &model.vars[r.var.index()];
    out.push_str(&var.name);
    write_index(model, r.index.as_deref(), out);
    let mut ty = var.ty;
    for field in &r.fields {
        let Type::Struct(id) = ty else { return };
        let def = &model.typedefs[id.index()].fields[field.field as usize];
        let _ = write!(out, ".{}", def.name);
        write_index(model, field.index.as_deref(), out);
        ty = def.ty;
    }
}

fn write_stmt(model: Text<'_>, proctype: &Proctype, s: &Stmt, out: &mut String) {
    match &s.kind {
        StmtKind::Decl(var) => {
            let var = &model.vars[var.index()];
            out.push_str(&var.name);
            match &var.init {
                Init::Expr(e) => {
                    out.push_str(" = ");
                    write_expr(model, e, 0, out);
                }
                _ => out.push_str(" = 0"),
            }
        }
        StmtKind::Exclusive { send, channels } => {
            out.push_str(if *send { "xs " } else { "xr " });
            for (i, q) in channels.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                write_ref(model, q, out);
            }
        }
        StmtKind::Send { channel, args, sorted } => {
            write_ref(model, channel, out);
            out.push_str(if *sorted { "!!" } else { "!" });
            write_message(model, args, out);
        }
        StmtKind::Receive { channel, args, random, copy } => {
            write_ref(model, channel, out);
            out.push_str(if *random { "??" } else { "?" });
            if *copy {
                out.push('<');
            }
            write_pattern(model, args, out);
            if *copy {
                out.push('>');
            }
        }
        StmtKind::Assign(target, e) => {
            match target {
                Target::Var(r) => write_ref(model, r, out),
                Target::Discard(_) => out.push('_'),
                Target::Priority(_) => out.push_str("_priority"),
            }
            out.push_str(" = ");
            write_expr(model, e, 0, out);
        }
        StmtKind::Increment(r) => {
            write_ref(model, r, out);
            out.push_str("++");
        }
        StmtKind::Decrement(r) => {
            write_ref(model, r, out);
            out.push_str("--");
        }
        StmtKind::Assert(e) => write_function(model, "assert", e, out),
        StmtKind::Expr(e @ Expr { kind: ExprKind::Const(1), .. }) => {
            out.push_str(model.spelling(e, 1).unwrap_or("skip"));
        }
        StmtKind::Expr(e @ Expr { kind: ExprKind::Const(0), .. }) => {
            out.push_str(model.spelling(e, 0).unwrap_or("false"));
        }
        StmtKind::Expr(e) => write_expr(model, e, 0, out),
        StmtKind::Else => out.push_str("else"),
        StmtKind::Goto(label) => {
            let _ = write!(out, "goto {}", proctype.labels[label.index()].name);
        }
        StmtKind::Break => out.push_str("break"),
        StmtKind::If(_) => out.push_str("if ... fi"),
        StmtKind::Do(_) => out.push_str("do ... od"),
        StmtKind::Block { inline: Some(name), .. } => {
            let _ = write!(out, "{name}(...)");
        }
        StmtKind::Block { body, .. } => write_block(model, proctype, "", body, out),
        StmtKind::Atomic(body) => write_block(model, proctype, "atomic ", body, out),
        StmtKind::DStep(body) => write_block(model, proctype, "d_step ", body, out),
        StmtKind::Unless(main, _) => {
            write_stmt(model, proctype, main, out);
            out.push_str(" unless ...");
        }
        StmtKind::For { var, .. } => {
            out.push_str("for (");
            write_ref(model, var, out);
            out.push_str(" ...)");
        }
        StmtKind::Select { var, from, to, .. } => {
            out.push_str("select (");
            write_ref(model, var, out);
            out.push_str(" : ");
            write_expr(model, from, 0, out);
            out.push_str(" .. ");
            write_expr(model, to, 0, out);
            out.push(')');
        }
        StmtKind::Printf(format, args) => {
            let _ = write!(out, "printf(\"{format}\"");
            for e in args {
                out.push_str(", ");
                write_expr(model, e, 0, out);
            }
            out.push(')');
        }
        StmtKind::Printm(e) => write_function(model, "printm", e, out),
        StmtKind::SetPriority(p, n) => {
            out.push_str("set_priority(");
            write_expr(model, p, 0, out);
            out.push_str(", ");
            write_expr(model, n, 0, out);
            out.push(')');
        }
        StmtKind::CCode { text, .. } | StmtKind::CStep { text, .. } => {
            let _ = write!(out, "c_code {{{text}}}");
        }
    }
}

fn write_block(model: Text<'_>, proctype: &Proctype, word: &str, body: &[Stmt], out: &mut String) {
    out.push_str(word);
    out.push_str("{ ");
    for (i, s) in body.iter().enumerate() {
        if i > 0 {
            out.push_str("; ");
        }
        if out.len() > 60 {
            out.push_str("...");
            break;
        }
        write_stmt(model, proctype, s, out);
    }
    out.push_str(" }");
}
