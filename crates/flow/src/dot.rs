//! Pictures for Graphviz.

use std::fmt::Write;

use crate::graph::{Op, Program};
use crate::write::op;

/// All procedures, each in a box of its own.
pub fn write_dot(program: &Program) -> String {
    let mut out = String::from("digraph flow {\n  node [shape=box, fontname=monospace];\n");
    for (index, procedure) in program.procedures.iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{index} {{");
        let parameters = procedure.parameters.join(", ");
        let _ = writeln!(out, "    label={:?};", format!("{}({parameters})", procedure.name));
        for (number, node) in procedure.nodes.iter().enumerate() {
            let text = match &node.op {
                Op::Nothing => String::new(),
                other => op(program, other),
            };
            let bold = if number == procedure.entry { ", style=bold" } else { "" };
            let _ = writeln!(out, "    p{index}n{number} [label={text:?}{bold}];");
        }
        for (number, node) in procedure.nodes.iter().enumerate() {
            for next in &node.next {
                let _ = writeln!(out, "    p{index}n{number} -> p{index}n{next};");
            }
            for handler in &node.handlers {
                let _ =
                    writeln!(out, "    p{index}n{number} -> p{index}n{handler} [style=dashed];");
            }
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}
