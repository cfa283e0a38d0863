//! Makes a graph smaller without changing its sequences of operations that matter.

use std::collections::BTreeSet;

use crate::graph::{Node, NodeId, Op, Procedure, Program};

/// Leaves out assignments to variables that nobody tests, calls of procedures that do nothing that matters, nodes
/// that do nothing, and procedures that nobody calls.
pub fn tidy(program: &mut Program) {
    forget_untested(program);
    drop_calls(program);
    for procedure in &mut program.procedures {
        contract(procedure);
    }
    drop_procedures(program);
    let used: BTreeSet<String> = program
        .procedures
        .iter()
        .flat_map(|procedure| &procedure.nodes)
        .filter_map(|node| match &node.op {
            Op::Assign { variable, .. } | Op::Test { variable, .. } => Some(variable.clone()),
            _ => None,
        })
        .collect();
    // A name with parameters in it may stand for any variable.
    let open = used.iter().any(|name| is_open(program, name));
    program.variables.retain(|variable| open || used.contains(&variable.name));
}

/// Whether a name has a parameter as one of several parts.
fn is_open(program: &Program, name: &str) -> bool {
    let parameter = |part: &str| {
        program.procedures.iter().any(|p| p.parameters.iter().any(|parameter| parameter == part))
    };
    name.contains('.') && name.split('.').any(parameter)
}

fn forget_untested(program: &mut Program) {
    let procedures = &program.procedures;
    let mut shared: BTreeSet<&str> = BTreeSet::new();
    let mut needed: Vec<BTreeSet<&str>> = vec![BTreeSet::new(); procedures.len()];
    let own = |procedure: &Procedure, name: &str| {
        procedure.locals.iter().chain(&procedure.parameters).any(|own| own == name)
    };
    for (index, procedure) in procedures.iter().enumerate() {
        for node in &procedure.nodes {
            if let Op::Test { variable, .. } = &node.op {
                match own(procedure, variable) {
                    true => needed[index].insert(variable),
                    false => shared.insert(variable),
                };
            }
        }
    }
    // A parameter that stands for a variable is tested where that one is.
    loop {
        let mut changed = false;
        for (index, procedure) in procedures.iter().enumerate() {
            for node in &procedure.nodes {
                let Op::Call { procedure: called, arguments } = &node.op else { continue };
                for (parameter, argument) in procedures[*called].parameters.iter().zip(arguments) {
                    let inner = needed[*called].contains(parameter.as_str());
                    let outer = needed[index].contains(argument.as_str())
                        || shared.contains(argument.as_str());
                    if outer && !inner {
                        changed |= needed[*called].insert(parameter);
                    }
                    if inner && !outer {
                        changed |= match own(procedure, argument) {
                            true => needed[index].insert(argument),
                            false => shared.insert(argument),
                        };
                    }
                }
            }
        }
        if !changed {
            break;
        }
    }
    let shared: BTreeSet<String> = shared.into_iter().map(str::to_owned).collect();
    let needed: Vec<BTreeSet<String>> =
        needed.into_iter().map(|set| set.into_iter().map(str::to_owned).collect()).collect();
    let open: BTreeSet<String> = program
        .procedures
        .iter()
        .flat_map(|procedure| &procedure.nodes)
        .filter_map(|node| node.op.name())
        .filter(|name| is_open(program, name))
        .map(str::to_owned)
        .collect();
    let any_open = program
        .procedures
        .iter()
        .flat_map(|p| &p.nodes)
        .any(|node| matches!(&node.op, Op::Test { variable, .. } if open.contains(variable)));
    for (procedure, needed) in program.procedures.iter_mut().zip(&needed) {
        let Procedure { nodes, locals, parameters, .. } = procedure;
        for node in nodes.iter_mut() {
            let Op::Assign { variable, .. } = &node.op else { continue };
            let known = locals.iter().chain(parameters.iter()).any(|own| own == variable);
            let keep = match known {
                true => needed.contains(variable),
                false => any_open || shared.contains(variable) || open.contains(variable),
            };
            if !keep {
                node.op = Op::Nothing;
            }
        }
        locals.retain(|local| needed.contains(local));
    }
}

/// Replaces calls of procedures that do nothing that matters.
fn drop_calls(program: &mut Program) {
    let count = program.procedures.len();
    let mut matters = vec![false; count];
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut work = Vec::new();
    for (index, procedure) in program.procedures.iter().enumerate() {
        for node in &procedure.nodes {
            match &node.op {
                Op::Nothing | Op::Return => {}
                Op::Call { procedure, .. } => callers[*procedure].push(index),
                _ => {
                    if !std::mem::replace(&mut matters[index], true) {
                        work.push(index);
                    }
                }
            }
        }
    }
    while let Some(index) = work.pop() {
        for &caller in &callers[index] {
            if !std::mem::replace(&mut matters[caller], true) {
                work.push(caller);
            }
        }
    }
    for procedure in &mut program.procedures {
        for node in &mut procedure.nodes {
            if matches!(&node.op, Op::Call { procedure, .. } if !matters[*procedure]) {
                node.op = Op::Nothing;
                node.handlers.clear();
            }
        }
    }
}

/// Takes out nodes that do nothing and have one successor, and those that cannot be reached.
fn contract(procedure: &mut Procedure) {
    let nodes = &mut procedure.nodes;
    for (index, node) in nodes.iter_mut().enumerate() {
        // To stay where nothing happens is no step.
        if node.op == Op::Nothing && node.next.len() > 1 {
            node.next.retain(|&next| next != index);
        }
    }
    let target: Vec<NodeId> = (0..nodes.len()).map(|node| behind(nodes, node)).collect();
    for node in nodes.iter_mut() {
        for list in [&mut node.next, &mut node.handlers] {
            let mut seen = BTreeSet::new();
            list.iter_mut().for_each(|next| *next = target[*next]);
            list.retain(|&next| seen.insert(next));
        }
    }
    procedure.entry = target[procedure.entry];
    let mut number: Vec<Option<NodeId>> = vec![None; nodes.len()];
    let mut order = vec![procedure.entry];
    number[procedure.entry] = Some(0);
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        for &next in nodes[node].next.iter().chain(&nodes[node].handlers) {
            if number[next].is_none() {
                number[next] = Some(order.len());
                order.push(next);
            }
        }
        at += 1;
    }
    let renumber = |list: &[NodeId]| list.iter().filter_map(|&node| number[node]).collect();
    let kept: Vec<Node> = order
        .iter()
        .map(|&node| {
            let Node { op, next, handlers, span } = &nodes[node];
            Node { op: op.clone(), next: renumber(next), handlers: renumber(handlers), span: *span }
        })
        .collect();
    procedure.nodes = kept;
    procedure.entry = 0;
}

/// The first node from a node on that does something or has several successors.
fn behind(nodes: &[Node], start: NodeId) -> NodeId {
    let mut at = start;
    for _ in 0..=nodes.len() {
        match (&nodes[at].op, nodes[at].next.as_slice()) {
            (Op::Nothing, &[next]) if next != at => at = next,
            _ => return at,
        }
    }
    // A loop in which nothing happens: nobody leaves it.
    start
}

/// Takes out procedures that nobody calls.
fn drop_procedures(program: &mut Program) {
    let mut number: Vec<Option<usize>> = vec![None; program.procedures.len()];
    let mut work: Vec<usize> = program.threads.iter().map(|thread| thread.body).collect();
    let mut reached = BTreeSet::new();
    while let Some(index) = work.pop() {
        if reached.insert(index) {
            for node in &program.procedures[index].nodes {
                if let Op::Call { procedure, .. } = &node.op {
                    work.push(*procedure);
                }
            }
        }
    }
    for (new, &old) in reached.iter().enumerate() {
        number[old] = Some(new);
    }
    let mut index = 0;
    program.procedures.retain(|_| {
        index += 1;
        number[index - 1].is_some()
    });
    let new = |old: usize| number[old].unwrap_or(0);
    for procedure in &mut program.procedures {
        for node in &mut procedure.nodes {
            if let Op::Call { procedure, .. } = &mut node.op {
                *procedure = new(*procedure);
            }
        }
    }
    for thread in &mut program.threads {
        thread.body = new(thread.body);
    }
}
