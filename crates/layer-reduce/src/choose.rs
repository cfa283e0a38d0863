//! Which processes are enough to move in a state: a closure over statements.
//!
//! Statements are the nodes of a graph. One that can be executed leads to the others of its location
//! and to those that may disturb it, one that cannot to those that may help it. A set that no way
//! leads out of is enough if something in it can be executed.

use everypath_machine::{Interpreter, ProcessSet};

use crate::bits::{Bits, Cause, Query};
use crate::facts::VISIBLE;
use crate::memo::{Choice, Memo};
use crate::options::{Method, Options};
use crate::scene::{Helpers, Interfering, Scene, Stage, bit};

/// The scratch memory of one thread.
pub(crate) struct Chooser {
    scene: Scene,
    /// The nodes that were met, and those still to be looked at.
    met: Vec<Met>,
    work: Vec<Node>,
    /// The candidates found so far.
    found: Vec<Candidate>,
    components: Components,
    /// What was found fast, and all that was found.
    firsts: Memo,
    alls: Memo,
}

/// A statement: of which process, and which one there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    process: usize,
    /// Below [`GATES`] a statement at the location of the process, from there on a closed gate ahead.
    number: usize,
}

/// Where the numbers of gates begin; those of statements end here, so that those of locations with
/// more are the same.
const GATES: usize = 64;
/// Nodes of a process.
const NODES: usize = 128;
/// All statements at a location.
const ALL: u64 = u64::MAX;

impl Node {
    fn index(self) -> usize {
        self.process * NODES + self.number
    }

    fn of(index: usize) -> Node {
        Node { process: index / NODES, number: index % NODES }
    }
}

/// The nodes of a process that were met.
#[derive(Clone, Copy, Default)]
struct Met {
    edges: u64,
    gates: u64,
}

/// A set of processes that are enough to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Candidate {
    processes: ProcessSet,
    single: bool,
    steps: u32,
}

/// What a fast look found.
enum First {
    /// A set that is enough.
    Set(ProcessSet),
    /// Nothing less than all is enough.
    Everything,
    /// A set that may not be taken; there may be others.
    Unknown,
}

/// Memory for the search for components of the graph.
#[derive(Default)]
struct Components {
    /// When each node was met and the earliest open one it leads to; 0 if it was not.
    order: Vec<u32>,
    low: Vec<u32>,
    /// Nodes of components that are not complete.
    open: Vec<usize>,
    stack: Vec<Frame>,
    /// What the nodes of the stack lead to, end to end.
    targets: Vec<Node>,
    /// Nodes that were met, to be forgotten afterwards.
    used: Vec<usize>,
}

/// A node whose targets are being looked at.
struct Frame {
    node: usize,
    next: usize,
    end: usize,
    start: usize,
}

/// The order of a node whose component is complete.
const DONE: u32 = u32::MAX;

impl Chooser {
    pub fn new(interpreter: &Interpreter) -> Chooser {
        Chooser {
            scene: Scene::new(interpreter),
            met: Vec::new(),
            work: Vec::new(),
            found: Vec::new(),
            components: Components::default(),
            firsts: Memo::default(),
            alls: Memo::default(),
        }
    }

    /// The set of processes that is number `attempt` among those that are enough.
    pub fn candidate(
        &mut self,
        stage: &Stage<'_>,
        options: &Options,
        attempt: usize,
    ) -> Option<ProcessSet> {
        self.scene.open(stage);
        let (first, more) = self.known_first(stage, options);
        match first {
            Some(processes) if attempt == 0 => return Some(processes),
            _ if !more => return None,
            _ => {}
        }
        self.known_others(stage, options, first, attempt - usize::from(first.is_some()))
    }

    /// A set that is found fast, and whether there may be others.
    fn known_first(&mut self, stage: &Stage<'_>, options: &Options) -> (Option<ProcessSet>, bool) {
        let Chooser { scene, firsts, .. } = self;
        let begin = firsts.begin(scene.places());
        if let Some(choice) = firsts.recall(begin, |question| scene.answer(stage, question)) {
            let found = (choice.sets.first().copied(), choice.more);
            firsts.recalled();
            return found;
        }
        self.scene.forget();
        let (set, more) = match self.first(stage, options) {
            First::Set(processes) => (Some(processes), true),
            First::Everything => (None, false),
            First::Unknown => (None, true),
        };
        if let Some(asked) = self.scene.asked() {
            let choice = Choice { sets: set.into_iter().collect(), more };
            self.firsts.learn(self.scene.places(), asked, choice);
        }
        (set, more)
    }

    /// The set that is number `index` among the others.
    fn known_others(
        &mut self,
        stage: &Stage<'_>,
        options: &Options,
        first: Option<ProcessSet>,
        index: usize,
    ) -> Option<ProcessSet> {
        let Chooser { scene, alls, .. } = self;
        let begin = alls.begin(scene.places());
        let known = alls.recall(begin, |question| scene.answer(stage, question));
        let nth =
            |sets: &[ProcessSet]| sets.iter().copied().filter(|&set| Some(set) != first).nth(index);
        if let Some(choice) = known {
            let found = nth(&choice.sets);
            alls.recalled();
            return found;
        }
        self.scene.forget();
        self.find_all(stage, options);
        let sets: Box<[ProcessSet]> = self.found.iter().map(|c| c.processes).collect();
        let found = nth(&sets);
        if let Some(asked) = self.scene.asked() {
            self.alls.learn(self.scene.places(), asked, Choice { sets, more: false });
        }
        found
    }

    /// A set that is found fast: one process alone, or the first component of the graph from which
    /// nothing else that can be executed is reached.
    fn first(&mut self, stage: &Stage<'_>, options: &Options) -> First {
        // Where the processes are may be enough to see it.
        for seed in (0..self.scene.count()).rev() {
            let mut processes = ProcessSet::default();
            processes.insert(seed);
            if options.method == Method::Stubborn
                && self.is_left_alone(seed)
                && self.scene.enabled(stage, seed) != 0
                && self.acceptable(stage, options, processes)
            {
                return First::Set(processes);
            }
        }
        for seed in (0..self.scene.count()).rev() {
            if self.alone(stage, options, seed) {
                let mut processes = ProcessSet::default();
                processes.insert(seed);
                return First::Set(processes);
            }
        }
        if options.method == Method::Ample {
            return First::Everything;
        }
        match self.component(stage) {
            None => First::Everything,
            Some(processes) if processes == self.movers(stage) => First::Everything,
            Some(processes) if self.acceptable(stage, options, processes) => First::Set(processes),
            Some(_) => First::Unknown,
        }
    }

    /// Finds all candidates, those of a single process first, then by the number of their steps.
    fn find_all(&mut self, stage: &Stage<'_>, options: &Options) {
        self.found.clear();
        let movers = self.movers(stage);
        for seed in movers.youngest_first() {
            let mut candidate =
                Candidate { processes: ProcessSet::default(), single: true, steps: 0 };
            if self.alone(stage, options, seed) {
                candidate.processes.insert(seed);
            } else if options.method == Method::Stubborn {
                candidate.processes = self.closure(stage, seed);
                candidate.single = false;
                if !self.acceptable(stage, options, candidate.processes)
                    || candidate.processes == movers
                {
                    continue;
                }
            } else {
                continue;
            }
            for process in candidate.processes.youngest_first() {
                candidate.steps += self.scene.enabled(stage, process).count_ones();
            }
            if self.found.iter().all(|c| c.processes != candidate.processes) {
                self.found.push(candidate);
            }
        }
        self.found.sort_by_key(|c| if c.single { 0 } else { c.steps });
    }

    /// The processes that can move, perhaps.
    fn movers(&mut self, stage: &Stage<'_>) -> ProcessSet {
        let mut movers = ProcessSet::default();
        for process in 0..self.scene.count() {
            if self.scene.enabled(stage, process) != 0 {
                movers.insert(process);
            }
        }
        movers
    }

    /// Whether a process alone is enough.
    fn alone(&mut self, stage: &Stage<'_>, options: &Options, seed: usize) -> bool {
        if self.scene.enabled(stage, seed) == 0 {
            return false;
        }
        let enough = match options.method {
            Method::Ample => self.is_ample(stage, seed),
            Method::Stubborn => self.is_closed(stage, seed),
        };
        let mut processes = ProcessSet::default();
        processes.insert(seed);
        enough && self.acceptable(stage, options, processes)
    }

    /// Whether no other process will ever again have to do with the statements of one, whether they
    /// can be executed or not.
    fn is_left_alone(&self, seed: usize) -> bool {
        let Some(print) = &self.scene.location(seed).involved else { return false };
        (0..self.scene.count())
            .all(|other| other == seed || !print.conflicts(&self.scene.location(other).future))
    }

    /// Whether nobody else ever has anything to do with the statements of a process.
    fn is_ample(&mut self, stage: &Stage<'_>, seed: usize) -> bool {
        let enabled = self.scene.enabled(stage, seed);
        (0..self.scene.location(seed).edges.len()).all(|edge| {
            let print = if enabled & bit(edge) != 0 {
                self.scene.disturbing(seed, edge.min(63)).print
            } else {
                match self.scene.helpers(seed, edge) {
                    Helpers::Of(query) => query.print,
                    Helpers::Siblings => return true,
                    Helpers::Youngest => return false,
                }
            };
            (0..self.scene.count())
                .all(|other| other == seed || !print.conflicts(&self.scene.instance(other).life))
        })
    }

    /// Whether the statements of a process lead to nothing of others that can be executed.
    fn is_closed(&mut self, stage: &Stage<'_>, seed: usize) -> bool {
        let Chooser { scene, met, work, .. } = self;
        let count = scene.count();
        met.clear();
        met.resize(count, Met::default());
        work.clear();
        let enabled = scene.enabled(stage, seed);
        siblings(scene, seed, work);
        // Those that can be executed end the search soonest.
        work.sort_by_key(|node| enabled & bit(node.number) != 0);
        met[seed].edges = ALL;
        while let Some(node) = work.pop() {
            let query = match query(scene, stage, node) {
                Next::Conflicts(query) => query,
                // The siblings of the seed are in, and others have one that can be executed.
                Next::Siblings(process) if process == seed => continue,
                Next::Siblings(process) => {
                    if scene.enabled(stage, process) != 0 {
                        return false;
                    }
                    add(met, work, process, Interfering { edges: ALL, gates: 0 }, scene);
                    continue;
                }
            };
            for other in 0..count {
                if met[other].edges == ALL || !query.print.conflicts(&scene.location(other).future)
                {
                    continue;
                }
                let found = if scene.location(other).joined {
                    Interfering { edges: ALL, gates: 0 }
                } else {
                    scene.interfering(stage, other, &query)
                };
                if found.edges & scene.enabled(stage, other) != 0 {
                    return false;
                }
                add(met, work, other, found, scene);
            }
        }
        true
    }

    /// All processes that can move and that the statements of one lead to.
    fn closure(&mut self, stage: &Stage<'_>, seed: usize) -> ProcessSet {
        self.met.clear();
        self.met.resize(self.scene.count(), Met::default());
        let mut work = std::mem::take(&mut self.work);
        work.clear();
        siblings(&self.scene, seed, &mut work);
        let mut processes = ProcessSet::default();
        while let Some(node) = work.pop() {
            if meet(&mut self.met, node) {
                if is_enabled(&mut self.scene, stage, node) {
                    processes.insert(node.process);
                }
                targets(&mut self.scene, stage, node, &mut work);
            }
        }
        self.work = work;
        processes
    }

    /// The processes of the first component that is complete and in which something can be executed.
    fn component(&mut self, stage: &Stage<'_>) -> Option<ProcessSet> {
        let Chooser { scene, components, .. } = self;
        let nodes = scene.count() * NODES;
        if components.order.len() < nodes {
            components.order.resize(nodes, 0);
            components.low.resize(nodes, 0);
        }
        let mut found = None;
        for seed in (0..scene.count()).rev() {
            let enabled = scene.enabled(stage, seed);
            if enabled == 0 {
                continue;
            }
            let first = Node { process: seed, number: enabled.trailing_zeros() as usize };
            if components.order[first.index()] == 0 {
                found = components.search(scene, stage, first);
                if found.is_some() {
                    break;
                }
            }
        }
        components.forget();
        found
    }

    /// Whether the steps of some processes may be a part.
    fn acceptable(&mut self, stage: &Stage<'_>, options: &Options, processes: ProcessSet) -> bool {
        if !options.live && !options.sticky {
            return true;
        }
        let visible = Bits::of(VISIBLE);
        processes.youngest_first().all(|process| {
            let enabled = self.scene.enabled(stage, process);
            let edges = self.scene.location(process).edges.iter().enumerate();
            edges.filter(|(i, _)| enabled & bit(*i) != 0).all(|(_, edge)| {
                let seen = options.live && edge.step.changed.meets(&visible);
                !(seen || options.sticky && edge.sticky)
            })
        })
    }
}

impl Components {
    /// Looks for a component from a node on; the processes that can move in it.
    fn search(&mut self, scene: &mut Scene, stage: &Stage<'_>, first: Node) -> Option<ProcessSet> {
        self.enter(scene, stage, first.index());
        while let Some(frame) = self.stack.last_mut() {
            if frame.next < frame.end {
                let target = self.targets[frame.next].index();
                frame.next += 1;
                let node = frame.node;
                match self.order[target] {
                    0 => self.enter(scene, stage, target),
                    DONE => {}
                    order => self.low[node] = self.low[node].min(order),
                }
                continue;
            }
            let (node, start) = (frame.node, frame.start);
            self.targets.truncate(start);
            self.stack.pop();
            let low = self.low[node];
            if let Some(parent) = self.stack.last() {
                self.low[parent.node] = self.low[parent.node].min(low);
            }
            if low == self.order[node] {
                let mut processes = ProcessSet::default();
                while let Some(member) = self.open.pop() {
                    self.order[member] = DONE;
                    let one = Node::of(member);
                    if is_enabled(scene, stage, one) {
                        processes.insert(one.process);
                    }
                    if member == node {
                        break;
                    }
                }
                if processes != ProcessSet::default() {
                    return Some(processes);
                }
            }
        }
        None
    }

    fn enter(&mut self, scene: &mut Scene, stage: &Stage<'_>, node: usize) {
        self.used.push(node);
        let order = self.used.len() as u32;
        self.order[node] = order;
        self.low[node] = order;
        self.open.push(node);
        let start = self.targets.len();
        targets(scene, stage, Node::of(node), &mut self.targets);
        self.stack.push(Frame { node, next: start, end: self.targets.len(), start });
    }

    fn forget(&mut self) {
        for node in self.used.drain(..) {
            self.order[node] = 0;
        }
        self.open.clear();
        self.stack.clear();
        self.targets.clear();
    }
}

/// Notes a node; whether it is new.
fn meet(met: &mut [Met], node: Node) -> bool {
    let (set, bit) = if node.number < GATES {
        (&mut met[node.process].edges, 1 << node.number)
    } else {
        (&mut met[node.process].gates, 1 << (node.number - GATES))
    };
    let new = *set & bit == 0;
    *set |= bit;
    new
}

fn is_enabled(scene: &mut Scene, stage: &Stage<'_>, node: Node) -> bool {
    node.number < GATES && scene.enabled(stage, node.process) & bit(node.number) != 0
}

/// All statements of a process at its location.
fn siblings(scene: &Scene, process: usize, out: &mut Vec<Node>) {
    let count = scene.location(process).edges.len().min(GATES);
    out.extend((0..count).map(|number| Node { process, number }));
}

/// Adds those of a process that are new.
fn add(met: &mut [Met], work: &mut Vec<Node>, process: usize, found: Interfering, scene: &Scene) {
    let count = scene.location(process).edges.len().min(GATES);
    let known = met[process];
    let all = if count == 0 { 0 } else { ALL >> (GATES - count) };
    let mut edges = found.edges & !known.edges & all;
    let mut gates = found.gates & !known.gates;
    met[process] = Met { edges: known.edges | found.edges, gates: known.gates | found.gates };
    while edges != 0 {
        work.push(Node { process, number: edges.trailing_zeros() as usize });
        edges &= edges - 1;
    }
    while gates != 0 {
        work.push(Node { process, number: GATES + gates.trailing_zeros() as usize });
        gates &= gates - 1;
    }
}

/// Where a node leads to.
enum Next {
    /// To whatever conflicts; if it can be executed, to its siblings as well.
    Conflicts(Query),
    /// To all statements of a process.
    Siblings(usize),
}

fn query(scene: &mut Scene, stage: &Stage<'_>, node: Node) -> Next {
    let Node { process, number } = node;
    if number >= GATES {
        return Next::Conflicts(scene.gate_helpers(process, number - GATES));
    }
    if scene.enabled(stage, process) & bit(number) != 0 {
        return Next::Conflicts(scene.disturbing(process, number));
    }
    match scene.helpers(process, number) {
        Helpers::Of(query) => Next::Conflicts(query),
        Helpers::Siblings => Next::Siblings(process),
        Helpers::Youngest => Next::Siblings(scene.count() - 1),
    }
}

/// What a node leads to.
fn targets(scene: &mut Scene, stage: &Stage<'_>, node: Node, out: &mut Vec<Node>) {
    let process = node.process;
    let count = scene.count();
    let query = match query(scene, stage, node) {
        Next::Conflicts(query) => query,
        Next::Siblings(process) => return siblings(scene, process, out),
    };
    if query.cause == Cause::Conflict {
        siblings(scene, process, out);
    }
    for other in 0..count {
        // The statements of the process itself are in already.
        if other == process && query.cause == Cause::Conflict
            || !query.print.conflicts(&scene.location(other).future)
        {
            continue;
        }
        if scene.location(other).joined {
            siblings(scene, other, out);
            continue;
        }
        let Interfering { mut edges, mut gates } = scene.interfering(stage, other, &query);
        while edges != 0 {
            out.push(Node { process: other, number: edges.trailing_zeros() as usize });
            edges &= edges - 1;
        }
        while gates != 0 {
            out.push(Node { process: other, number: GATES + gates.trailing_zeros() as usize });
            gates &= gates - 1;
        }
    }
}
