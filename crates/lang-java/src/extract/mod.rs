//! Flow graphs of programs: which objects there are, who calls whom, and one procedure for each call.
//!
//! `points` and `body` find out what values may be, `library` what calls of the library mean to that; `emit` and
//! `calls` make the procedures, with events by the rules that are given.

mod body;
mod calls;
mod emit;
mod idle;
mod library;
mod naming;
mod points;
mod sets;
mod values;
mod watch;

use everypath_flow::{Binding, Node, Op, Procedure, Thread, Variable, What, tidy};

use std::sync::Arc;

use rustc_hash::FxHashMap;

pub(crate) use self::watch::Watch;

use self::emit::Emitter;
use self::points::Points;
use self::watch::MadeAt;
use crate::conditions::Named;
use crate::program::Program;

/// The flow graph of a program, and what is to be known about it.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// The graph.
    pub program: everypath_flow::Program,
    /// Why a proof on the graph would be none of the program.
    pub doubts: Vec<String>,
    /// Why runs may end while threads are in the middle of something.
    pub cuts: Vec<String>,
    /// What a proof on the graph assumes of the program.
    pub assumed: Vec<String>,
    /// Objects of which there is one, with their classes.
    pub objects: Vec<(String, String)>,
    /// Events of rules about something that the program has, though no place that it comes to makes them.
    pub idle: Vec<String>,
    /// What objects are called, by where they are made.
    sites: Arc<FxHashMap<MadeAt, String>>,
}

impl Program {
    /// The flow graph of the program from its `main` on.
    pub fn flow_graph(&self, binding: &Binding) -> Result<Extracted, String> {
        self.flow_graph_until(binding, &|| false)
    }

    /// The same, until it is to stop; then there is none.
    pub fn flow_graph_until(
        &self,
        binding: &Binding,
        stop: &dyn Fn() -> bool,
    ) -> Result<Extracted, String> {
        let main = self.main.class.java_name();
        if self.main.code().is_err() {
            return Err(format!("`main` of {main} has no code"));
        }
        let mut points = Points::new(self)?;
        if !points.run(self.main, stop) {
            return Err("it took too long to find out which objects there are".to_owned());
        }
        points.name_objects();
        let threads = thread_names(&points);
        let mut emitter = Emitter::new(&mut points, binding, threads.clone());
        let roots = emitter.points.roots.len();
        let mut bodies = Vec::new();
        for (root, name) in threads.iter().enumerate() {
            let mut calls = emitter.points.roots[root].calls.clone();
            // What `main` and its class come to is initialised by then.
            calls.sort_by_key(|&call| emitter.points.initialising(call).is_none());
            let numbers: Vec<(Vec<String>, usize)> = calls
                .iter()
                .map(|&call| (emitter.called(root, call), emitter.procedure(call)))
                .collect();
            bodies.push((name.clone(), numbers));
        }
        emitter.finish();
        let variables = std::mem::take(&mut emitter.variables);
        let made = std::mem::take(&mut emitter.procedures);
        let mut program = everypath_flow::Program::default();
        program.procedures.extend(made.into_iter().flatten());
        for (root, (name, calls)) in bodies.into_iter().enumerate() {
            let body = program.procedures.len();
            let body_procedure = root_body(&program, &name, &calls, root == 0);
            program.procedures.push(body_procedure);
            program.threads.push(Thread { name, body, arguments: Vec::new(), runs: root == 0 });
        }
        debug_assert_eq!(program.threads.len(), roots);
        program.variables = variables
            .into_iter()
            .map(|(name, initial)| Variable { name, initial: Some(initial) })
            .collect();
        tidy(&mut program);
        let mut assumed =
            vec!["exceptions that no handler around them names do not happen".to_owned()];
        let mut nodes = program.procedures.iter().flat_map(|procedure| &procedure.nodes);
        if nodes.any(|node| matches!(node.op, Op::Wait(_))) {
            assumed.push("nobody wakes up without being notified".to_owned());
        }
        let objects = points
            .objects
            .iter()
            .filter(|object| !object.many && object.made.is_some())
            .map(|object| (object.name.clone(), object.class.java_name()))
            .collect();
        let idle = idle::events(&points, binding, &threads);
        let sites = Arc::new(sites(&points, &threads));
        self.stop_at_events(&points, binding);
        let doubts = points.doubts.into_iter().collect();
        let cuts = points.cuts.into_iter().collect();
        Ok(Extracted { program, doubts, cuts, assumed, objects, idle, sites })
    }
}

impl Program {
    /// Runs that are to show something end their steps at every event, so that others can come between two.
    fn stop_at_events(&self, points: &Points<'_>, binding: &Binding) {
        let observed = &self.vm.observed;
        points.changed.iter().for_each(|field| observed.watch_field(field));
        let methods = points.noted.values();
        let methods = methods.map(|method| Named { class: method.class, method }).collect();
        observed.begin(Vec::new(), methods, binding.is_about(What::At));
    }
}

/// What objects are called, by where they are made.
fn sites(points: &Points<'_>, threads: &[String]) -> FxHashMap<MadeAt, String> {
    let mut found = FxHashMap::default();
    for object in &points.objects {
        let Some((context, pc)) = object.made.filter(|_| !object.many) else { continue };
        let mut chain = Vec::new();
        let mut at = Some((context, pc));
        while let Some((context, pc)) = at {
            let of = &points.contexts[context as usize];
            chain.push((of.method.id, pc));
            at = of.caller;
        }
        chain.reverse();
        let root = points.contexts[context as usize].root;
        found.insert((threads[root].clone(), chain), object.name.clone());
    }
    found
}

/// The names of the threads: that of `main`, and those of the objects that they belong to.
fn thread_names(points: &Points<'_>) -> Vec<String> {
    let name = |object: Option<u32>| match object {
        Some(object) => points.objects[object as usize].name.clone(),
        None => "main".to_owned(),
    };
    points.roots.iter().map(|root| name(root.object)).collect()
}

/// What a thread does: everything one after the other, or one of several things.
fn root_body(
    program: &everypath_flow::Program,
    name: &str,
    calls: &[(Vec<String>, usize)],
    in_order: bool,
) -> Procedure {
    let mut nodes = vec![node(Op::Nothing, Vec::new())];
    let mut locals = Vec::new();
    let mut last = vec![0];
    let mut ends = Vec::new();
    for (events, procedure) in calls {
        let procedure = *procedure;
        let of = &program.procedures[procedure];
        let unknown = |parameter: &String| match parameter.as_str() {
            "result@" => format!("{}@", of.name.split('@').next().unwrap_or("")),
            _ => "?".to_owned(),
        };
        let arguments: Vec<String> = of.parameters.iter().map(unknown).collect();
        locals.extend(arguments.iter().filter(|argument| *argument != "?").cloned());
        let mut before = last.clone();
        for event in events {
            let at = nodes.len();
            nodes.push(node(Op::Event(event.clone()), Vec::new()));
            before.iter().for_each(|&before| nodes[before].next.push(at));
            before = vec![at];
        }
        let call = nodes.len();
        nodes.push(node(Op::Call { procedure, arguments }, Vec::new()));
        before.iter().for_each(|&before| nodes[before].next.push(call));
        // An initialiser that fails does not end the thread: whoever uses its class is told.
        for &before in last.iter().filter(|_| in_order) {
            if matches!(nodes[before].op, Op::Call { .. }) {
                let next = nodes[before].next.clone();
                nodes[before].handlers.extend(next);
            }
        }
        if in_order {
            last = vec![call];
        } else {
            ends.push(call);
        }
    }
    if in_order || calls.is_empty() {
        ends = last;
    }
    let end = nodes.len();
    nodes.push(node(Op::Return, Vec::new()));
    for before in ends {
        nodes[before].next.push(end);
    }
    locals.sort();
    locals.dedup();
    Procedure { name: name.to_owned(), parameters: Vec::new(), locals, nodes, entry: 0 }
}

fn node(op: Op, next: Vec<usize>) -> Node {
    Node { op, next, handlers: Vec::new(), span: None }
}
