//! What is checked, and how.

use std::path::PathBuf;
use std::time::Duration;

use everypath_engine_explicit::Storage;
use everypath_engine_explicit::emptiness::Method;
use everypath_verdict::{Policy, TraceReading};

use crate::choices::{
    CheckpointArg, CyclesArg, ExecArg, FairArg, GuideArg, HeapArg, HeuristicArg, ProvisoArg,
    ReduceArg, SearchArg,
};
use crate::levels::Levels;
use crate::memory;
use crate::reduce::Reductions;
use crate::subject::{Bounds, Manner, PartialOrder};
use crate::temporal::emptiness::{EmptinessArg, General, How};
use crate::temporal::{Asked, fairness};

/// What is checked, and how.
#[derive(Clone, Debug)]
pub struct Checking {
    /// `--invariant`
    pub invariants: Vec<String>,
    /// `--heap-limit`
    pub heap_limit: Option<u64>,
    /// `--ltl`
    pub formulas: Vec<String>,
    /// `--pattern`
    pub patterns: Vec<String>,
    /// `--fsa`
    pub automata: Vec<String>,
    /// `--qre`
    pub expressions: Vec<String>,
    /// `--event`
    pub events: Vec<String>,
    /// `--cycles`
    pub cycles: Vec<CyclesArg>,
    /// `--fair`
    pub fairness: FairArg,
    /// `--fair-choice`: lines; empty for every statement.
    pub fair_choices: Vec<u32>,
    /// `--emptiness`
    pub emptiness: How,
    /// `--shortest`
    pub shortest: bool,
    /// `--guide`
    pub guide: Option<GuideArg>,
    /// `--heuristic`
    pub heuristic: Option<HeuristicArg>,
    /// `--only`; empty for everything.
    pub only: Vec<String>,
    /// Order of the search.
    pub search: SearchArg,
    /// Whether searches in other orders look around beside it.
    pub portfolio: bool,
    /// Where chance begins.
    pub seed: u64,
    /// How many runs or searches, if it takes samples.
    pub runs: Option<u64>,
    /// `--preemptions`
    pub preemptions: Option<u32>,
    /// `--switches`
    pub switches: Option<u32>,
    /// How states are kept.
    pub store: Storage,
    /// How statements are executed in it.
    pub exec: ExecArg,
    /// Its threads.
    pub jobs: usize,
    /// What makes it smaller.
    pub reductions: Reductions,
    /// What keeps a reduced search from postponing a step for ever.
    pub proviso: ProvisoArg,
    /// Limits.
    pub time: Option<Duration>,
    /// Bytes.
    pub memory: Option<u64>,
    /// Stored states.
    pub states: Option<u64>,
    /// Steps.
    pub depth: Option<u64>,
    /// How often the search is kept on the disk, if the user said so.
    pub checkpoint: Option<CheckpointArg>,
    /// Where things go that need not be in memory.
    pub disk: Option<PathBuf>,
    /// The checkpoint to go on from.
    pub resume: Option<PathBuf>,
    /// Whether to search to the end after a violation, however large the model is.
    pub exhaust: bool,
    /// How many violations get a trace with the fewest context switches.
    pub polished: usize,
    /// Whether the result holds traces.
    pub traces: bool,
    /// How verdicts become exit codes.
    pub policy: Policy,
    /// Which findings of `lint` count.
    pub levels: Levels,
    /// Whether to note which code of a program is executed.
    pub coverage: bool,
    /// How objects of Java programs are numbered.
    pub heap: HeapArg,
    /// The command line.
    pub argv: Vec<String>,
    /// A command line that says the same as all settings together.
    pub words: Vec<String>,
    /// How the inputs were read, for their traces.
    pub reading: TraceReading,
}

impl Checking {
    /// The fairness that is assumed, in words.
    pub fn fairness_name(&self) -> String {
        fairness::name(self.fairness, &self.fair_choices)
    }

    /// The smallest check: one thread, no reductions, no limits.
    pub fn plain() -> Checking {
        Checking {
            invariants: Vec::new(),
            heap_limit: None,
            formulas: Vec::new(),
            patterns: Vec::new(),
            automata: Vec::new(),
            expressions: Vec::new(),
            events: Vec::new(),
            cycles: Vec::new(),
            fairness: FairArg::None,
            fair_choices: Vec::new(),
            emptiness: How::Only(General::Alone(Method::default())),
            shortest: false,
            guide: None,
            heuristic: None,
            only: Vec::new(),
            search: SearchArg::Bfs,
            portfolio: false,
            seed: 0,
            runs: None,
            preemptions: None,
            switches: None,
            store: Storage::default(),
            exec: ExecArg::Jit,
            jobs: 1,
            reductions: Reductions::default(),
            proviso: ProvisoArg::Open,
            time: None,
            memory: None,
            states: None,
            depth: None,
            checkpoint: None,
            disk: None,
            resume: None,
            exhaust: false,
            polished: 1,
            traces: true,
            policy: Policy::default(),
            levels: Levels::default(),
            coverage: false,
            heap: HeapArg::default(),
            argv: Vec::new(),
            words: Vec::new(),
            reading: TraceReading::default(),
        }
    }

    /// What `everypath check FILE` does without options.
    pub fn usual() -> Checking {
        let processors = processors();
        Checking {
            emptiness: EmptinessArg::Auto.how(None, processors),
            portfolio: true,
            jobs: processors,
            reductions: Reductions::new(&[ReduceArg::Default]),
            memory: memory::default_limit(),
            ..Checking::plain()
        }
    }

    /// What is asked of runs besides what stands in a model.
    pub fn asked(&self) -> Asked<'_> {
        Asked {
            formulas: &self.formulas,
            patterns: &self.patterns,
            automata: &self.automata,
            expressions: &self.expressions,
            events: &self.events,
            cycles: &self.cycles,
        }
    }

    /// Whether and how orders of steps are left out.
    pub fn partial_order(&self) -> Option<PartialOrder> {
        let sticky = self.proviso == ProvisoArg::Sticky;
        self.reductions.partial_order().map(|method| PartialOrder { method, sticky })
    }

    /// How models are searched.
    pub fn manner(&self) -> Manner {
        let symmetry = self.reductions.symmetry();
        let transactions = self.reductions.transactions();
        let stateless = (self.search == SearchArg::Stateless)
            .then_some(Bounds { preemptions: self.preemptions, switches: self.switches });
        Manner {
            exec: self.exec,
            partial_order: self.partial_order(),
            symmetry,
            transactions,
            stateless,
        }
    }
}

/// Number of processors that this process may use.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
