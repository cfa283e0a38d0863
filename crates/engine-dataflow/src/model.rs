//! A program, a property and constraints, and the answer.

use std::time::{Duration, Instant};

use everypath_property::events::Fsa;

use crate::automata::{Automaton, Constraint, of_events};
use crate::bounds::{Bounds, Cut};
use crate::graph::{Graph, Kind, NodeId, ThreadId};
use crate::locks::{Held, held};
use crate::meetings::together;
use crate::monitors::parallel;
use crate::propagate::{Effort, Propagated, Runs, propagate};
use crate::simplify::simplify;
use crate::slice::{Read, slice};
use crate::tfg::{Relation, Step, Tfg, build};

/// How a property is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which runs count.
    pub runs: Runs,
    /// How a violation is looked for.
    pub effort: Effort,
    /// Pairs of nodes and tuples, at most.
    pub limit: u64,
    /// Whether those who wait may wake up by themselves.
    pub spurious: bool,
    /// Whether all nodes stay, also those that nobody reads.
    pub whole: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            runs: Runs::Ending,
            effort: Effort::Shortest,
            limit: 50_000_000,
            spurious: false,
            whole: false,
        }
    }
}

/// How long it took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    /// What may happen in parallel.
    pub parallel: Duration,
    /// The trace flow graph and the automata.
    pub model: Duration,
    /// Propagation.
    pub propagation: Duration,
}

/// A program and a property.
pub struct Model {
    /// The threads.
    pub graph: Graph,
    /// What every run must be.
    pub required: Fsa,
    /// Constraints of the user, by name.
    pub assumed: Vec<(String, Fsa)>,
    options: Options,
    /// Or what ended the search for it.
    relation: Result<Relation, Cut>,
    bounds: Bounds,
    held: Held,
    parallel: Duration,
}

/// What is known about the property under some constraints.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The graph.
    pub tfg: Tfg,
    /// The property, then the constraints.
    pub automata: Vec<Automaton>,
    /// What came of it.
    pub propagated: Propagated,
    /// How long it took.
    pub phases: Phases,
}

impl Answer {
    /// Whether all paths were looked at and none violates the property. Of endless runs that is only what their
    /// beginnings tell: see [`Answer::waits`].
    pub fn conclusive(&self) -> bool {
        !self.propagated.violated && self.propagated.cut.is_none()
    }

    /// Whether a run may come to where something is missing that the property asks for. One that never ends may miss
    /// it for ever, though none of its beginnings shows that.
    pub fn waits(&self) -> bool {
        self.propagated.pending
    }

    /// Nodes of the trace flow graph but for the first and the last one.
    pub fn nodes(&self) -> usize {
        self.tfg.of.len()
    }

    /// Steps from one thread to another.
    pub fn parallel_steps(&self) -> usize {
        self.tfg.steps(Step::Parallel)
    }
}

impl Model {
    /// A model of a program in which the constraints that may be asked for are the given ones, or any if
    /// `None`.
    pub fn new(
        graph: &Graph,
        required: Fsa,
        assumed: Vec<(String, Fsa)>,
        constraints: Option<&[Constraint]>,
        options: Options,
    ) -> Model {
        Model::within(graph, required, assumed, constraints, options, Bounds::default())
    }

    /// The same, with what it may use.
    pub fn within(
        graph: &Graph,
        required: Fsa,
        assumed: Vec<(String, Fsa)>,
        constraints: Option<&[Constraint]>,
        options: Options,
        bounds: Bounds,
    ) -> Model {
        let start = Instant::now();
        let mut graph = match options.whole {
            true => graph.clone(),
            false => {
                let read = Read { required: &required, assumed: &assumed, constraints };
                let sliced = slice(graph, &read);
                simplify(&sliced, &|node| {
                    let kind = sliced.nodes[node as usize].kind;
                    kind.concurrent() || read.node(&sliced, node)
                })
            }
        };
        let held = held(&mut graph);
        let relation = match graph.has_meetings() {
            true => together(&graph, &bounds).map(Relation::Meetings),
            false => parallel(&graph, &held, options.spurious, &bounds).map(Relation::Monitors),
        };
        let parallel = start.elapsed();
        Model { graph, required, assumed, options, relation, bounds, held, parallel }
    }

    /// Decides the property under some constraints; or says which of them cannot be.
    pub fn decide(&self, constraints: &[Constraint]) -> Result<Answer, String> {
        self.decide_for(&self.required, constraints, self.options.effort, self.options.limit)
    }

    /// Which runs count.
    pub(crate) fn runs(&self) -> Runs {
        self.options.runs
    }

    /// How a path is looked for where one is needed.
    pub(crate) fn effort(&self) -> Effort {
        match self.options.effort {
            Effort::Quick => Effort::Quick,
            _ => Effort::Shortest,
        }
    }

    /// Decides another property.
    pub(crate) fn decide_for(
        &self,
        required: &Fsa,
        constraints: &[Constraint],
        effort: Effort,
        limit: u64,
    ) -> Result<Answer, String> {
        let start = Instant::now();
        let visible = self.visible(required, constraints);
        let relation = self.relation.as_ref().map_err(|cut| *cut);
        let built = relation.and_then(|of| build(&self.graph, &visible, of, &self.bounds));
        let tfg = match built {
            Ok(tfg) => tfg,
            Err(cut) => {
                let phases = Phases { parallel: self.parallel, ..Phases::default() };
                let propagated = Propagated::ended_by(cut);
                let (tfg, automata) = (Tfg::default(), Vec::new());
                return Ok(Answer { tfg, automata, propagated, phases });
            }
        };
        let mut automata = vec![of_events(required, &self.graph, &tfg)?];
        automata[0].name = "property".to_owned();
        for constraint in constraints {
            automata.push(constraint.automaton(&self.graph, &tfg, &self.held, &self.assumed)?);
        }
        let model = start.elapsed();
        let start = Instant::now();
        let propagated = propagate(&tfg, &automata, self.options.runs, effort, limit, &self.bounds);
        let phases = Phases { parallel: self.parallel, model, propagation: start.elapsed() };
        Ok(Answer { tfg, automata, propagated, phases })
    }

    /// Whether two threads may be at these nodes of the graph at a time: before they execute them or, if
    /// threads meet, after.
    pub fn parallel(&self, node: NodeId, other: NodeId) -> bool {
        match &self.relation {
            Err(_) => true,
            Ok(Relation::Monitors(parallel)) => parallel.with.has(node, other),
            Ok(Relation::Meetings(together)) => {
                let graph = &self.graph;
                graph.threads_of(node).any(|mine| {
                    graph.threads_of(other).any(|theirs| {
                        let (a, b) = (
                            together.place(graph, mine, node),
                            together.place(graph, theirs, other),
                        );
                        together.with.has(a, b)
                    })
                })
            }
        }
    }

    /// The nodes that matter.
    fn visible(&self, required: &Fsa, constraints: &[Constraint]) -> Vec<bool> {
        let graph = &self.graph;
        let mut visible: Vec<bool> = graph
            .nodes
            .iter()
            .map(|node| {
                let read = match node.kind {
                    Kind::Event(event) | Kind::Meet(event) => {
                        required.events.contains(&graph.events[event as usize])
                    }
                    _ => false,
                };
                self.options.whole
                    || read
                    || constraints.iter().any(|one| one.reads(graph, node, &self.assumed))
            })
            .collect();
        // Threads that are followed keep each other in order where they meet.
        let task = |thread: ThreadId| {
            let name = &graph.threads[thread as usize].name;
            constraints.iter().any(|one| matches!(one, Constraint::Task(task) if task == name))
        };
        let followed: Vec<bool> = (0..graph.threads.len() as ThreadId).map(task).collect();
        for (index, node) in graph.nodes.iter().enumerate() {
            if let Some((partner, _)) = &node.partner {
                visible[index] |= followed[node.thread as usize] && followed[*partner as usize];
            }
        }
        // Where a thread begins and ends matters only if something in between does, or if it is followed.
        let mut matters = vec![false; graph.threads.len()];
        for (node, _) in visible.iter().enumerate().filter(|(_, visible)| **visible) {
            for thread in graph.threads_of(node as NodeId) {
                matters[thread as usize] = true;
            }
        }
        for (index, thread) in graph.threads.iter().enumerate() {
            if matters[index] || followed[index] {
                visible[thread.begin as usize] = true;
                visible[thread.end as usize] = true;
            }
        }
        visible
    }
}
