//! What a model is asked besides its steps and names.

use everypath_engine_explicit::{Fewest, Observer, Options, Outcome, Path, Violation, search};
use everypath_layer_reduce::Method;
use everypath_model::{Action, ActionInfo, Describe, Diagnostic, Fault, ModelError, Sources, Span};
use everypath_verdict::{Coverage, Place, ProgramStats, Statements, Unreached};

use crate::choices::{ExecArg, HeuristicArg};

/// How a model is searched, apart from what the engine is told.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// How its statements are executed.
    pub exec: ExecArg,
    /// Whether and how orders of steps are left out.
    pub partial_order: Option<PartialOrder>,
    /// Whether equal processes stand for each other.
    pub symmetry: bool,
    /// Whether processes are interrupted only between transactions.
    pub transactions: bool,
    /// Whether it is searched run by run.
    pub stateless: Option<Bounds>,
}

/// Which runs are followed one by one.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How often threads are interrupted that could go on.
    pub preemptions: Option<u32>,
    /// How often another thread goes on.
    pub switches: Option<u32>,
}

/// How orders of steps are left out.
#[derive(Clone, Copy, Debug)]
pub struct PartialOrder {
    /// Which steps are taken.
    pub method: Method,
    /// None of them closes a cycle of the control flow.
    pub sticky: bool,
}

/// A number for each state.
pub type Distance<'a> = Box<dyn Fn(&[u32]) -> u32 + Sync + 'a>;

/// What is made of runs, and a number for each.
pub type Run<'a> = Box<dyn Fn(u64, &[u32], &[Action]) -> (u64, u32) + Sync + 'a>;

/// What a directed search follows.
#[derive(Default)]
pub struct Directions<'a> {
    /// Distances of states.
    pub distances: Vec<Distance<'a>>,
    /// Distances of runs.
    pub run: Option<Run<'a>>,
    /// States in which few processes can move.
    pub blocked: bool,
}

/// What the user is interested in.
#[derive(Clone, Copy, Debug)]
pub struct Aims {
    /// Assertions and invariants.
    pub assertions: bool,
    /// Deadlocks.
    pub deadlocks: bool,
}

/// Runs that switch between many processes: those of the last steps are remembered, a byte each.
pub fn interleaving(known: u64, _: &[u32], actions: &[Action]) -> (u64, u32) {
    let mover = actions.first().map_or(0, |action| u64::from(action.process) % 255 + 1);
    let known = known << 8 | mover;
    let movers = known.to_le_bytes();
    let stays = movers.windows(2).filter(|pair| pair[0] == pair[1] && pair[0] != 0).count();
    let mut different: Vec<u8> = movers.into_iter().filter(|&mover| mover != 0).collect();
    different.sort_unstable();
    different.dedup();
    (known, 8 * stays as u32 + 8 - different.len() as u32)
}

/// A system with what the list of properties needs.
pub trait Subject: Describe + Sized {
    /// Searches it in some manner, if there are several. What was found is told and replayed by the
    /// system itself.
    fn search(
        &self,
        manner: Manner,
        options: &Options<'_>,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let _ = manner;
        search(self, options, observer)
    }

    /// The same from inside of another search, whose steps must not change by it: an error if they have to.
    fn probe(
        &self,
        manner: Manner,
        options: &Options<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, ModelError> {
        Ok(self.search(manner, options, observer))
    }

    /// The run to a violation that a search in this manner found.
    fn path(
        &self,
        manner: Manner,
        outcome: &Outcome,
        violation: &Violation,
    ) -> Result<Path, ModelError> {
        let _ = manner;
        outcome.path(self, violation)
    }

    /// A shortest run to it with the fewest context switches, if that can be found.
    fn fewest_switches(
        &self,
        manner: Manner,
        outcome: &Outcome,
        options: &Options<'_>,
        violation: &Violation,
    ) -> Result<Fewest, ModelError> {
        let _ = manner;
        outcome.fewest_switches(self, options, violation)
    }

    /// Bytes that it has taken for its states by now, besides what a search stores.
    fn bytes(&self) -> u64 {
        0
    }

    /// How far a state is from where an assertion or an invariant can be violated; `None` if there are
    /// no such places.
    fn distance(&self) -> Option<Distance<'_>> {
        None
    }

    /// What a directed search follows: what the user asks for, or what fits his aims.
    fn directions(&self, asked: Option<HeuristicArg>, aims: Aims) -> Directions<'_> {
        let none = Directions::default();
        match asked {
            Some(HeuristicArg::Interleaving) => {
                Directions { run: Some(Box::new(interleaving)), ..none }
            }
            Some(_) => Directions { blocked: true, ..none },
            None => {
                let distance = if aims.assertions { self.distance() } else { None };
                let distances = distance.into_iter().collect();
                Directions { distances, blocked: aims.deadlocks, ..none }
            }
        }
    }

    /// What tells it from other systems, if it can be searched in several runs.
    fn fingerprint(&self) -> String {
        String::new()
    }

    /// The places of the assertions in order, with whether each was executed.
    fn assertions(&self, taken: &dyn Fn(u32) -> bool) -> Vec<(Span, bool)>;

    /// The statements that were not executed.
    fn unreached(&self, taken: &dyn Fn(u32) -> bool) -> Vec<ActionInfo>;

    /// What was executed, and what was not.
    fn coverage(&self, taken: &dyn Fn(u32) -> bool, sources: &Sources) -> Coverage {
        let unreached = self.unreached(taken);
        let total = self.unreached(&|_| false).len() as u64;
        Coverage {
            statements: Statements { reached: total - unreached.len() as u64, total },
            unreached: unreached
                .into_iter()
                .map(|info| Unreached { span: Place::of(sources, info.span), text: info.text })
                .collect(),
            methods: None,
            branches: None,
        }
    }

    /// What a program did in the search, if it is one.
    fn program_stats(&self) -> Option<ProgramStats> {
        None
    }

    /// What its first run prints, if it is a program.
    fn output(&self) -> Option<String> {
        None
    }

    /// What the language leaves open and is taken to be so, in a few words each.
    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether things may happen without a reason from now on, if the system has such.
    fn with_spurious(&self, on: bool) {
        let _ = on;
    }

    /// What happens without a reason in a run, `only with a spurious wake-up of Lock.wait at Main.java:12`, and which
    /// things may.
    fn spurious(&self, initial: &[u32], actions: &[Action]) -> Option<(String, [bool; 2])> {
        let _ = (initial, actions);
        None
    }

    /// What a search showed besides violations; `all` tells whether it looked at everything and found none.
    fn remarks(&self, all: bool) -> Vec<Diagnostic> {
        let _ = all;
        Vec::new()
    }

    /// What tells deadlocks apart that are looked for by themselves.
    fn deadlock_kind(&self, _: &[u32]) -> u64 {
        0
    }

    /// Whether it has threads, which may race.
    fn has_threads(&self) -> bool {
        false
    }

    /// The invariants as the user wrote them.
    fn invariants(&self) -> Vec<String>;

    /// Which invariant a fault is about: an index into [`Subject::invariants`].
    fn invariant_of(&self, fault: Fault) -> Option<usize>;
}
