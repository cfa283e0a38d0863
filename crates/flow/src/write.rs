//! The textual form, one line for each node.

use std::fmt::Write;

use crate::graph::{Node, Op, Procedure, Program, Thread};

/// A program as a text that [`read`](crate::read) reads.
pub fn write(program: &Program) -> String {
    let mut out = String::new();
    for variable in &program.variables {
        let _ = match &variable.initial {
            Some(value) => writeln!(out, "var {} = {value}", variable.name),
            None => writeln!(out, "var {}", variable.name),
        };
    }
    let is_body = |index: usize| {
        let mut threads = program.threads.iter().filter(|thread| thread.body == index);
        threads.next().is_some_and(|thread| own(program, thread)) && threads.next().is_none()
    };
    for (index, procedure) in program.procedures.iter().enumerate() {
        if !is_body(index) {
            let _ = write!(out, "proc {}({})", procedure.name, procedure.parameters.join(", "));
            body(program, procedure, &mut out);
        }
    }
    for thread in &program.threads {
        let word = if thread.runs { "task" } else { "thread" };
        let procedure = &program.procedures[thread.body];
        if is_body(thread.body) {
            let _ = write!(out, "{word} {}", thread.name);
            body(program, procedure, &mut out);
        } else {
            let arguments = thread.arguments.join(", ");
            let _ = writeln!(out, "{word} {} = {}({arguments})", thread.name, procedure.name);
        }
    }
    out
}

/// Whether the body of a thread is written with it.
fn own(program: &Program, thread: &Thread) -> bool {
    let procedure = &program.procedures[thread.body];
    procedure.name == thread.name && procedure.parameters.is_empty()
}

fn body(program: &Program, procedure: &Procedure, out: &mut String) {
    out.push_str(" {\n");
    for local in &procedure.locals {
        let _ = writeln!(out, "  local {local}");
    }
    let _ = writeln!(out, "  goto n{}", procedure.entry);
    for (index, node) in procedure.nodes.iter().enumerate() {
        let _ = write!(out, "  n{index}: {}", op(program, &node.op));
        successors(node, out);
        out.push('\n');
    }
    out.push_str("}\n");
}

fn successors(node: &Node, out: &mut String) {
    let list = |nodes: &[usize]| {
        let names: Vec<String> = nodes.iter().map(|node| format!("n{node}")).collect();
        names.join(", ")
    };
    if !matches!(node.op, Op::Return | Op::Throw) || !node.next.is_empty() {
        let _ = write!(out, " -> {}", list(&node.next));
    }
    if !node.handlers.is_empty() {
        let _ = write!(out, " catch {}", list(&node.handlers));
    }
}

/// An operation in the textual form.
pub fn op(program: &Program, op: &Op) -> String {
    match op {
        Op::Nothing => "skip".to_owned(),
        Op::Return => "return".to_owned(),
        Op::Throw => "throw".to_owned(),
        Op::Event(name) => format!("event {name}"),
        Op::Call { procedure, arguments } => {
            format!("call {}({})", program.procedures[*procedure].name, arguments.join(", "))
        }
        Op::Lock(name) => format!("lock {name}"),
        Op::Unlock(name) => format!("unlock {name}"),
        Op::Wait(name) => format!("wait {name}"),
        Op::Pause(name) => format!("pause {name}"),
        Op::Notify(name) => format!("notify {name}"),
        Op::NotifyAll(name) => format!("notifyall {name}"),
        Op::Start(name) => format!("start {name}"),
        Op::Join(name) => format!("join {name}"),
        Op::Send(name) => format!("send {name}"),
        Op::Accept(name) => format!("accept {name}"),
        Op::Assign { variable, value } => {
            format!("{variable} = {}", value.as_deref().unwrap_or("?"))
        }
        Op::Test { variable, is: true, value } => format!("assume {variable} == {value}"),
        Op::Test { variable, is: false, value } => format!("assume {variable} != {value}"),
    }
}
