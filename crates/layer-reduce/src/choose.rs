//! Which processes are enough to move in a state: a closure over statements.

use everypath_machine::{Interpreter, ProcessSet};

use crate::bits::{Bits, Footprint};
use crate::facts::VISIBLE;
use crate::options::{Method, Options};
use crate::scene::{Cause, Helpers, Scene, Stage, bit};

/// The scratch memory of one thread.
pub(crate) struct Chooser {
    scene: Scene,
    marks: Vec<Mark>,
    work: Vec<Member>,
    /// The candidates found so far.
    found: Vec<Candidate>,
}

/// What of a process is in the set under construction.
#[derive(Clone, Copy, Default)]
struct Mark {
    /// Statements at its location.
    chosen: u64,
    /// Closed gates ahead.
    gates: u64,
}

/// A statement in the set under construction.
#[derive(Clone, Copy)]
enum Member {
    /// At the location of its process.
    Edge(usize, usize),
    /// A closed gate ahead of its process.
    Gate(usize, usize),
}

/// A set of processes that are enough to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Candidate {
    processes: ProcessSet,
    single: bool,
    steps: u32,
}

/// Who may join a set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Company {
    /// Nobody, and nobody may ever have anything to do with it.
    Never,
    /// Nobody who can move.
    Idle,
    Anybody,
}

/// All statements of a process.
const ALL: u64 = u64::MAX;

impl Chooser {
    pub fn new(interpreter: &Interpreter) -> Chooser {
        Chooser {
            scene: Scene::new(interpreter),
            marks: Vec::new(),
            work: Vec::new(),
            found: Vec::new(),
        }
    }

    /// The set of processes that is number `attempt` among those that are enough, best first.
    pub fn candidate(
        &mut self,
        stage: &Stage<'_>,
        options: &Options,
        attempt: usize,
    ) -> Option<ProcessSet> {
        self.scene.open(stage);
        let count = self.scene.count();
        if attempt == 0 {
            // One process alone is best, and the first of them is as good as any.
            let company = match options.method {
                Method::Ample => Company::Never,
                Method::Stubborn => Company::Idle,
            };
            let single =
                (0..count).rev().find_map(|seed| self.closure(stage, options, seed, company));
            if let Some(candidate) = single {
                return Some(candidate.processes);
            }
            if options.method == Method::Ample {
                return None;
            }
        }
        self.find_all(stage, options);
        self.found.get(attempt).map(|candidate| candidate.processes)
    }

    /// Finds all candidates, those of a single process first, then by the number of their steps.
    fn find_all(&mut self, stage: &Stage<'_>, options: &Options) {
        let company = match options.method {
            Method::Ample => Company::Never,
            Method::Stubborn => Company::Anybody,
        };
        self.found.clear();
        let mut movers = ProcessSet::default();
        for process in 0..self.scene.count() {
            if self.scene.enabled(stage, process) != 0 {
                movers.insert(process);
            }
        }
        for seed in (0..self.scene.count()).rev() {
            let Some(candidate) = self.closure(stage, options, seed, company) else { continue };
            let known = self.found.iter().any(|c| c.processes == candidate.processes);
            if !known && (candidate.single || candidate.processes != movers) {
                self.found.push(candidate);
            }
        }
        self.found.sort_by_key(|c| if c.single { 0 } else { c.steps });
    }

    /// The smallest set with all statements of a process that nobody outside can interfere with;
    /// `None` if it is of no use.
    fn closure(
        &mut self,
        stage: &Stage<'_>,
        options: &Options,
        seed: usize,
        company: Company,
    ) -> Option<Candidate> {
        if self.scene.enabled(stage, seed) == 0 {
            return None;
        }
        let count = self.scene.count();
        self.marks.clear();
        self.marks.resize(count, Mark::default());
        self.work.clear();
        self.choose_all(seed);
        while let Some(member) = self.work.pop() {
            let (process, print, cause) = match member {
                Member::Gate(process, gate) => {
                    let (print, cause) = self.scene.gate_helpers(stage, process, gate);
                    (process, print, cause)
                }
                Member::Edge(process, edge) => {
                    if self.scene.enabled(stage, process) & bit(edge) != 0 {
                        if company != Company::Anybody && process != seed {
                            return None;
                        }
                        self.choose_all(process);
                        (process, self.scene.location(process).edges[edge].step, Cause::Conflict)
                    } else {
                        match self.scene.helpers(stage, process, edge) {
                            Helpers::Of(print, cause) => (process, print, cause),
                            Helpers::Siblings => {
                                self.choose_all(process);
                                continue;
                            }
                            Helpers::Youngest => {
                                self.choose_all(count - 1);
                                continue;
                            }
                        }
                    }
                }
            };
            for other in 0..count {
                let own = other == process;
                if own && cause == Cause::Conflict || self.marks[other].chosen == ALL {
                    continue;
                }
                if company == Company::Never && !own {
                    if print.conflicts(&self.scene.instance(other).life) {
                        return None;
                    }
                } else if print.conflicts(&self.scene.location(other).future) {
                    self.interfere(stage, other, &print, cause);
                }
            }
        }
        self.chosen(stage, options)
    }

    /// Chooses the statements of a process that lead to something that conflicts.
    fn interfere(&mut self, stage: &Stage<'_>, other: usize, print: &Footprint, cause: Cause) {
        if self.scene.location(other).joined {
            return self.choose_all(other);
        }
        let (instance, outlook) = self.scene.outlook(stage, other);
        let mark = &mut self.marks[other];
        for (edge, ahead) in outlook.iter().enumerate() {
            if mark.chosen & bit(edge) != 0 {
                continue;
            }
            if print.conflicts(&ahead.near) {
                mark.chosen |= bit(edge);
                self.work.push(Member::Edge(other, edge));
                continue;
            }
            // Behind a closed gate it happens only after somebody has opened the gate.
            let mut gates = ahead.gates;
            while gates != 0 {
                let gate = gates.trailing_zeros() as usize;
                gates &= gates - 1;
                let shut = instance.gate(gate);
                // For a rendezvous it helps to come to the gate.
                if cause == Cause::Rendezvous && print.conflicts(&shut.step) {
                    mark.chosen |= bit(edge);
                    self.work.push(Member::Edge(other, edge));
                    break;
                }
                if mark.gates >> gate & 1 == 0 && print.conflicts(&shut.future) {
                    mark.gates |= 1 << gate;
                    self.work.push(Member::Gate(other, gate));
                }
            }
        }
    }

    fn choose_all(&mut self, process: usize) {
        let chosen = std::mem::replace(&mut self.marks[process].chosen, ALL);
        if chosen == ALL {
            return;
        }
        for edge in 0..self.scene.location(process).edges.len() {
            if chosen & bit(edge) == 0 {
                self.work.push(Member::Edge(process, edge));
            }
        }
    }

    /// The set under construction as a candidate, if it may be one.
    fn chosen(&mut self, stage: &Stage<'_>, options: &Options) -> Option<Candidate> {
        let mut candidate = Candidate { processes: ProcessSet::default(), single: true, steps: 0 };
        for process in 0..self.marks.len() {
            let chosen = self.marks[process].chosen;
            if chosen == 0 {
                continue;
            }
            let enabled = self.scene.enabled(stage, process) & chosen;
            if enabled == 0 {
                continue;
            }
            candidate.single &= candidate.steps == 0;
            candidate.processes.insert(process);
            candidate.steps += enabled.count_ones();
            if !options.live && !options.sticky {
                continue;
            }
            let visible = Bits::of(VISIBLE);
            let edges = self.scene.location(process).edges.iter().enumerate();
            for (_, edge) in edges.filter(|(i, _)| enabled & bit(*i) != 0) {
                let seen = options.live && edge.step.changed.meets(&visible);
                if seen || options.sticky && edge.sticky {
                    return None;
                }
            }
        }
        Some(candidate)
    }
}
