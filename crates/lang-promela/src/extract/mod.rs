//! Flow graphs of models: one thread for each process, rendezvous as meetings, variables one scalar at a time.
//!
//! A graph has every run of the model among its ways, and more: atomic sequences are like others, buffered channels
//! hold nobody up, and a condition that is not understood may be true at any time. Variables that tell which element
//! of an array, which channel or which argument is meant are followed by themselves: a statement has a node for each of
//! their values.
//!
//! `control` has the control flow of a proctype, `instance` the processes, `cells` values and conditions, `emit`
//! makes the nodes of a process, and `channels` those of its messages.

mod cells;
mod channels;
mod control;
mod emit;
mod idle;
mod instance;
mod watch;

use std::collections::{BTreeMap, BTreeSet};

use everypath_flow::{Binding, Procedure, Program, Thread, Variable, tidy};
use everypath_model::Sources;

use self::cells::Known;
use self::channels::Channels;
use self::control::Control;
use self::emit::{Body, Made};
use self::instance::Instance;
use self::watch::Births;
use crate::ast::*;
use crate::flow::channels::has_c;

pub use self::watch::Watcher;

/// The flow graph of a model, and what is to be known about it.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// The graph.
    pub program: Program,
    /// Why a proof on the graph would be none of the model.
    pub doubts: Vec<String>,
    /// What a proof on the graph assumes of the model.
    pub assumed: Vec<String>,
    /// Events of rules about something that the model has, though no place that it comes to makes them.
    pub idle: Vec<String>,
    /// How the processes come to be.
    births: Births,
}

/// Processes, at most; more of a proctype are taken together.
const MOST_PROCESSES: usize = 400;
/// Nodes of a process, at most, if variables are followed by themselves.
const MOST_NODES: usize = 20_000;

/// The flow graph of a model.
///
/// Events are by rules: `send`, `receive` of channels (`c`, `c.up` for messages that begin with `up`), `assign` and
/// `test` of variables, `start` of processes, `call` of labels (`L`, `P.L`), and `at` lines. Events without a rule are
/// labels (`P.L`, `P1.L`, `L`) and messages (`c`, `c.up`).
pub fn flow_graph(
    model: &Model,
    sources: &Sources,
    binding: &Binding,
) -> Result<Extracted, String> {
    if model.proctypes.iter().all(|proctype| proctype.active == 0) {
        return Err("no process runs from the beginning".to_owned());
    }
    let mut extraction = Extraction::new(model, sources, binding);
    extraction.make();
    // What is met, and which variables are meant, cannot be told where processes cannot be told apart.
    let many = extraction.several();
    if extraction.channels.is_loose() || !many.is_empty() {
        let mut again = Extraction::new(model, sources, binding);
        again.channels.loosen();
        again.many = many;
        again.make();
        extraction = again;
    }
    Ok(extraction.finish())
}

/// What all processes share.
struct Extraction<'m> {
    model: &'m Model,
    sources: &'m Sources,
    binding: &'m Binding,
    controls: Vec<Control>,
    written: BTreeSet<VarId>,
    instances: Vec<Instance>,
    /// Those that stand for any number of a proctype.
    shared: BTreeMap<ProcId, usize>,
    channels: Channels,
    made: Vec<Made>,
    /// What is sent in rendezvous, by channel.
    sent: Vec<(usize, Vec<Option<i32>>)>,
    /// The names of processes of which there are several.
    many: BTreeSet<String>,
    /// The scalars that are tested or get values, with what they are at first.
    variables: BTreeMap<String, Option<String>>,
}

impl<'m> Extraction<'m> {
    fn new(model: &'m Model, sources: &'m Sources, binding: &'m Binding) -> Extraction<'m> {
        Extraction {
            model,
            sources,
            binding,
            controls: model.proctypes.iter().map(Control::new).collect(),
            written: instance::written(model),
            instances: Vec::new(),
            shared: BTreeMap::new(),
            channels: Channels::new(model),
            made: Vec::new(),
            sent: Vec::new(),
            many: BTreeSet::new(),
            variables: BTreeMap::new(),
        }
    }

    fn make(&mut self) {
        let mut pid = 0;
        for (index, proctype) in self.model.proctypes.iter().enumerate() {
            for _ in 0..proctype.active {
                let arguments = vec![Some(Known::Int(0)); proctype.params.len()];
                let id = self.instance(ProcId(index as u32), arguments, &[]);
                self.instances[id].pid = Some(pid);
                self.instances[id].runs = true;
                pid += 1;
            }
        }
        // Those who are started come behind.
        let mut next = 0;
        while next < self.instances.len() {
            let made = match Body::new(self, next, true).make(MOST_NODES) {
                Some(made) => made,
                None => self.small(next),
            };
            self.made.push(made);
            next += 1;
        }
    }

    /// The nodes of a process whose variables are not followed by themselves.
    fn small(&mut self, id: usize) -> Made {
        let instance = &mut self.instances[id];
        instance.followed = instance::followed(self.model, instance.proctype, &self.written, false);
        let made = Body::new(self, id, false).make(usize::MAX);
        made.unwrap_or_else(|| unreachable!("without a limit"))
    }

    /// A new process.
    fn instance(
        &mut self,
        proctype: ProcId,
        arguments: Vec<Option<Known>>,
        ancestors: &[ProcId],
    ) -> usize {
        let plain = &self.model.proctypes[proctype.index()].name;
        let alike = self.instances.iter().filter(|one| one.proctype == proctype).count();
        let mut name = match alike {
            0 if self.is_alone(proctype) => plain.clone(),
            _ => format!("{plain}{}", alike + 1),
        };
        let global = |name: &str| {
            self.model.globals.iter().any(|var| self.model.vars[var.index()].name == name)
        };
        while global(&name) || self.instances.iter().any(|one| one.name == name) {
            name.push('_');
        }
        self.instances.push(Instance {
            many: self.many.contains(&name),
            name,
            proctype,
            arguments,
            pid: None,
            runs: false,
            ancestors: ancestors.to_vec(),
            followed: instance::followed(self.model, proctype, &self.written, true),
        });
        self.instances.len() - 1
    }

    /// Whether there is one process of a proctype at most, as far as its declaration says.
    fn is_alone(&self, proctype: ProcId) -> bool {
        let of = &self.model.proctypes[proctype.index()];
        let mut runs = 0;
        for control in &self.controls {
            for node in &control.nodes {
                if let control::Step::Do(stmt) = &node.step {
                    emit::for_each_run(stmt, &mut |started, _| {
                        runs += usize::from(started == proctype);
                    });
                }
            }
        }
        of.active as usize + runs <= 1
    }

    /// A process that another one starts.
    fn started(&mut self, by: usize, proctype: ProcId, arguments: Vec<Option<Known>>) -> usize {
        let parent = &self.instances[by];
        let mut ancestors = parent.ancestors.clone();
        ancestors.push(parent.proctype);
        if !ancestors.contains(&proctype) && self.instances.len() < MOST_PROCESSES {
            return self.instance(proctype, arguments, &ancestors);
        }
        if let Some(&shared) = self.shared.get(&proctype) {
            return shared;
        }
        let unknown = vec![None; arguments.len()];
        let shared = self.instance(proctype, unknown, &ancestors);
        self.shared.insert(proctype, shared);
        shared
    }

    /// The processes of which there may be several.
    fn several(&self) -> BTreeSet<String> {
        let mut many: BTreeSet<usize> = BTreeSet::new();
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        for made in &self.made {
            for &(node, started) in &made.starts {
                if !seen.insert(started) || made.comes_back(node) {
                    many.insert(started);
                }
            }
        }
        loop {
            let before = many.len();
            for (id, made) in self.made.iter().enumerate() {
                if many.contains(&id) {
                    many.extend(made.starts.iter().map(|(_, started)| *started));
                }
            }
            if many.len() == before {
                break;
            }
        }
        many.into_iter().map(|id| self.instances[id].name.clone()).collect()
    }

    fn finish(mut self) -> Extracted {
        self.sent = channels::all_sent(&self.made);
        let births = self.births();
        let mut program = Program::default();
        for id in 0..self.instances.len() {
            let nodes = channels::resolved(&mut self, id);
            let instance = &self.instances[id];
            let entry = self.made[id].entry;
            let body = program.procedures.len();
            let name = instance.name.clone();
            let thread =
                Thread { name: name.clone(), body, arguments: Vec::new(), runs: instance.runs };
            let (parameters, locals) = (Vec::new(), Vec::new());
            program.procedures.push(Procedure { name, parameters, locals, nodes, entry });
            program.threads.push(thread);
        }
        let variables = std::mem::take(&mut self.variables);
        program.variables =
            variables.into_iter().map(|(name, initial)| Variable { name, initial }).collect();
        tidy(&mut program);
        let mut doubts = Vec::new();
        if has_c(self.model) {
            doubts.push("embedded C is not followed".to_owned());
        }
        let mut assumed = Vec::new();
        if self.instances.iter().any(|instance| !instance.runs) {
            assumed.push("`run` never fails for want of room".to_owned());
        }
        let idle = self.idle_events();
        Extracted { program, doubts, assumed, idle, births }
    }
}
