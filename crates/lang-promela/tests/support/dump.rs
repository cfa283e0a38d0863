//! Syntax trees as short text, for comparison.

use everypath_lang_promela::ast::*;

/// The processes of a model, one statement a line.
pub fn model(model: &Model) -> String {
    let mut out = String::new();
    for &id in &model.globals {
        out += &format!("global {}\n", variable(model, id));
    }
    for process in model.proctypes.iter().chain(&model.never) {
        body(model, process, &mut out);
    }
    for trace in &model.traces {
        body(model, &trace.body, &mut out);
    }
    for ltl in &model.ltl {
        out += &format!("ltl {} {}\n", ltl.name, expr(model, None, &ltl.formula));
    }
    out
}

/// An expression.
pub fn expression(model: &Model, value: &Expr) -> String {
    expr(model, None, value)
}

fn body(model: &Model, process: &Proctype, out: &mut String) {
    out.push_str(&format!("{} active {}", process.name, process.active));
    if let Some(priority) = process.priority {
        out.push_str(&format!(" priority {priority}"));
    }
    if let Some(provided) = &process.provided {
        out.push_str(&format!(" provided {}", expr(model, Some(process), provided)));
    }
    out.push('\n');
    for &id in &process.params {
        out.push_str(&format!("  param {}\n", variable(model, id)));
    }
    for (i, &id) in process.locals.iter().enumerate() {
        let kind = if i < process.startup { "local" } else { "late" };
        out.push_str(&format!("  {kind} {}\n", variable(model, id)));
    }
    sequence(model, process, &process.body, 1, out);
}

fn variable(model: &Model, id: VarId) -> String {
    let var = &model.vars[id.index()];
    let mut text = format!("{} {:?}", var.name, var.ty);
    if let Some(size) = var.array {
        text += &format!("[{size}]");
    }
    match &var.init {
        Init::None => {}
        Init::Expr(value) => text += &format!(" = {}", expr(model, None, value)),
        Init::List(values) => text += &format!(" = {values:?}"),
        Init::Channel(channel) => {
            text += &format!(" = [{}] of {:?}", channel.capacity, channel.fields);
        }
    }
    if var.synthetic {
        text += " synthetic";
    }
    text
}

fn sequence(model: &Model, process: &Proctype, stmts: &[Stmt], depth: usize, out: &mut String) {
    for stmt in stmts {
        statement(model, process, stmt, depth, out);
    }
}

fn options(
    model: &Model,
    process: &Proctype,
    options: &[Vec<Stmt>],
    depth: usize,
    out: &mut String,
) {
    for option in options {
        out.push_str(&format!("{}::\n", "  ".repeat(depth)));
        sequence(model, process, option, depth + 1, out);
    }
}

fn statement(model: &Model, process: &Proctype, stmt: &Stmt, depth: usize, out: &mut String) {
    let p = Some(process);
    out.push_str(&"  ".repeat(depth));
    for label in &stmt.labels {
        out.push_str(&format!("{}#{}: ", process.labels[label.index()].name, label.0));
    }
    let e = |x: &Expr| expr(model, p, x);
    let r = |x: &VarRef| reference(model, p, x);
    let list = |xs: &[Expr]| xs.iter().map(e).collect::<Vec<_>>().join(", ");
    let line = match &stmt.kind {
        StmtKind::Decl(id) => format!("decl {}", variable(model, *id)),
        StmtKind::Exclusive { send, channels } => {
            let names: Vec<_> = channels.iter().map(r).collect();
            format!("{} {}", if *send { "xs" } else { "xr" }, names.join(", "))
        }
        StmtKind::Send { channel, args, sorted } => {
            format!("{} {} {}", r(channel), if *sorted { "!!" } else { "!" }, list(args))
        }
        StmtKind::Receive { channel, args, random, copy } => format!(
            "{} {}{} {}",
            r(channel),
            if *random { "??" } else { "?" },
            if *copy { "<>" } else { "" },
            pattern(model, p, args)
        ),
        StmtKind::Assign(target, value) => {
            let target = match target {
                Target::Var(var) => r(var),
                Target::Discard(_) => "_".into(),
                Target::Priority(_) => "_priority".into(),
            };
            format!("{target} = {}", e(value))
        }
        StmtKind::Increment(var) => format!("{}++", r(var)),
        StmtKind::Decrement(var) => format!("{}--", r(var)),
        StmtKind::Assert(value) => format!("assert {}", e(value)),
        StmtKind::Expr(value) => e(value),
        StmtKind::Else => "else".into(),
        StmtKind::Goto(label) => {
            format!("goto {}#{}", process.labels[label.index()].name, label.0)
        }
        StmtKind::Break => "break".into(),
        StmtKind::Select { var, from, to, choice } => {
            let form = if *choice { "choice" } else { "loop" };
            format!("select {form} {} : {} .. {}", r(var), e(from), e(to))
        }
        StmtKind::Printf(format, args) => format!("printf {format:?} {}", list(args)),
        StmtKind::Printm(value) => format!("printm {}", e(value)),
        StmtKind::SetPriority(a, b) => format!("set_priority {}, {}", e(a), e(b)),
        StmtKind::CCode { precondition, text } => format!("c_code {precondition:?} {text:?}"),
        StmtKind::CStep { text, .. } => format!("c_code understood {text:?}"),
        StmtKind::If(_) => "if".into(),
        StmtKind::Do(_) => "do".into(),
        StmtKind::Block { inline: Some(name), .. } => format!("call {name}"),
        StmtKind::Block { .. } => "block".into(),
        StmtKind::Atomic(_) => "atomic".into(),
        StmtKind::DStep(_) => "d_step".into(),
        StmtKind::Unless(..) => "unless".into(),
        StmtKind::For { var, over, .. } => match over {
            ForRange::Values(from, to) => format!("for {} : {} .. {}", r(var), e(from), e(to)),
            ForRange::Array(size) => format!("for {} in array of {size}", r(var)),
            ForRange::Channel { channel, counter } => {
                let counter = &model.vars[counter.index()].name;
                format!("for {} in channel {} counting {counter}", r(var), r(channel))
            }
        },
    };
    out.push_str(&line);
    out.push('\n');
    match &stmt.kind {
        StmtKind::If(branches) | StmtKind::Do(branches) => {
            options(model, process, branches, depth, out);
        }
        StmtKind::Block { body, .. }
        | StmtKind::Atomic(body)
        | StmtKind::DStep(body)
        | StmtKind::For { body, .. } => sequence(model, process, body, depth + 1, out),
        StmtKind::Unless(main, escape) => {
            statement(model, process, main, depth + 1, out);
            statement(model, process, escape, depth + 1, out);
        }
        _ => {}
    }
}

fn pattern(model: &Model, process: Option<&Proctype>, args: &[RecvArg]) -> String {
    let args: Vec<_> = args
        .iter()
        .map(|arg| match arg {
            RecvArg::Var(var) => reference(model, process, var),
            RecvArg::Any(_) => "_".into(),
            RecvArg::Const(value) => format!("={}", expr(model, process, value)),
            RecvArg::Eval(value) => format!("eval {}", expr(model, process, value)),
        })
        .collect();
    args.join(", ")
}

fn reference(model: &Model, process: Option<&Proctype>, var: &VarRef) -> String {
    let declared = &model.vars[var.var.index()];
    let mut text = declared.name.clone();
    let index = |i: &Option<Box<Expr>>| match i {
        Some(i) => format!("[{}]", expr(model, process, i)),
        None => String::new(),
    };
    text += &index(&var.index);
    let mut ty = declared.ty;
    for field in &var.fields {
        let Type::Struct(id) = ty else { return text + ".?" };
        let def = &model.typedefs[id.index()].fields[field.field as usize];
        text += &format!(".{}{}", def.name, index(&field.index));
        ty = def.ty;
    }
    text
}

fn expr(model: &Model, process: Option<&Proctype>, value: &Expr) -> String {
    let e = |x: &Expr| expr(model, process, x);
    let r = |x: &VarRef| reference(model, process, x);
    match &value.kind {
        ExprKind::Const(n) => n.to_string(),
        ExprKind::Mtype(set, n) => {
            let name = &model.mtypes[set.index()].names[*n as usize - 1];
            format!("{name}#{n}")
        }
        ExprKind::Var(var) => r(var),
        ExprKind::Unary(op, a) => format!("({op:?} {})", e(a)),
        ExprKind::Binary(op, a, b) => format!("({op:?} {} {})", e(a), e(b)),
        ExprKind::Cond(c, a, b) => format!("(if {} {} {})", e(c), e(a), e(b)),
        ExprKind::Run { proctype, args, priority } => {
            let args: Vec<_> = args.iter().map(e).collect();
            let name = &model.proctypes[proctype.index()].name;
            let priority = priority.map(|p| format!(" priority {p}")).unwrap_or_default();
            format!("run {name}({}){priority}", args.join(", "))
        }
        ExprKind::Len(channel) => format!("len({})", r(channel)),
        ExprKind::Probe(probe, channel) => format!("{probe:?}({})", r(channel)),
        ExprKind::Poll { channel, args, random } => {
            let sign = if *random { "??" } else { "?" };
            format!("{}{sign}[{}]", r(channel), pattern(model, process, args))
        }
        ExprKind::Enabled(a) => format!("enabled({})", e(a)),
        ExprKind::PcValue(a) => format!("pc_value({})", e(a)),
        ExprKind::GetPriority(a) => format!("get_priority({})", e(a)),
        ExprKind::Timeout => "timeout".into(),
        ExprKind::NonProgress => "np_".into(),
        ExprKind::Any => "_".into(),
        ExprKind::Pid => "_pid".into(),
        ExprKind::ProcessCount => "_nr_pr".into(),
        ExprKind::Last => "_last".into(),
        ExprKind::Priority => "_priority".into(),
        ExprKind::RemoteLabel { proctype, index, label } => {
            let proctype = &model.proctypes[proctype.index()];
            let index = index.as_ref().map(|i| format!("[{}]", e(i))).unwrap_or_default();
            format!("{}{index}@{}", proctype.name, proctype.labels[label.index()].name)
        }
        ExprKind::RemoteVar { proctype, index, var, element } => {
            let bracket = |i: &Option<Box<Expr>>| {
                i.as_ref().map(|i| format!("[{}]", e(i))).unwrap_or_default()
            };
            let (name, var) =
                (&model.proctypes[proctype.index()].name, &model.vars[var.index()].name);
            format!("{name}{}:{var}{}", bracket(index), bracket(element))
        }
        ExprKind::C { precondition, text } => format!("c_expr {precondition:?} {text:?}"),
        ExprKind::Temporal(op, args) => {
            let args: Vec<_> = args.iter().map(e).collect();
            format!("({op:?} {})", args.join(" "))
        }
    }
}
