//! One property and one run that violates it, without what `check` tells about it.

use std::sync::Mutex;

use everypath_engine_explicit::emptiness::{Counts, Numbered, Run, RunStep};
use everypath_engine_explicit::{Ledger, Observer, Stopped};
use everypath_machine::Machine;
use everypath_model::{Action, TransitionSystem};
use everypath_property::tgba::{self, Strength};

use super::Temporal;
use super::cycles::Manner;
use super::seeking::{Found, Seeking};
use crate::choices::{ExecArg, FairArg};
use crate::promela::executed;

/// What a search for a run came to.
pub struct Sighting {
    /// What it did.
    pub counts: Counts,
    /// The run, if there is one; or why the search ended before that was known.
    pub answer: Result<Option<Sighted>, Stopped>,
    /// Whether a part of the model was left out.
    pub left_out: bool,
    /// Whether some runs would violate the property that were not looked for.
    pub cycles_left_out: bool,
}

/// A run that violates a property.
pub struct Sighted {
    /// Its statements, the cycle once.
    pub actions: Vec<Action>,
    /// How many of them come before the cycle; `None` if the run is over, because how it begins is
    /// enough.
    pub cycle: Option<usize>,
}

impl Temporal {
    /// The machine of the runs.
    pub fn machine(&self) -> &Machine {
        self.system.machine()
    }

    /// Looks for a run that violates the property in a place; `finite`: only for one of which a
    /// beginning is enough. An error says why that cannot be done, or what is wrong with the run.
    pub fn sight(
        &self,
        index: usize,
        finite: bool,
        manner: &Manner<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Sighting, String> {
        let mut asked = self.asked(&self.all[index])?;
        let cycles_left_out = finite && tgba::strength(&asked.automaton) != Strength::Terminal;
        if finite {
            asked.automaton = tgba::reduce(&tgba::finite_part(&asked.automaton));
            asked.formula = None;
        }
        let system = &executed(&self.system, ExecArg::Jit);
        let ledger = Ledger::new(manner.options.limits.memory);
        let own = Mutex::new(self.system.worker());
        let letter = |worker: &mut _, state: &[u32]| {
            let mut violated = |index| system.violated_invariant(worker, state, index);
            self.letter(state, &mut violated, &own)
        };
        let weak = manner.fairness == FairArg::Weak;
        let mut states = Numbered::new(system, &letter, weak, &ledger);
        let seeking = Seeking { temporal: self, system, letter: &letter, ledger: &ledger, manner };
        let found = seeking.seek(&asked, &mut states, &mut None, observer)?;
        let Found { sought, left_out, .. } = found;
        let answer = match sought.answer {
            Ok(Some(run)) => Ok(Some(self.sighted(&asked.automaton, &run)?)),
            Ok(None) => Ok(None),
            Err(stopped) => Err(stopped),
        };
        Ok(Sighting { counts: sought.counts, answer, left_out, cycles_left_out })
    }

    /// A run, after it was replayed; what comes after a beginning that is enough is left out.
    fn sighted(&self, automaton: &tgba::Automaton, run: &Run) -> Result<Sighted, String> {
        let actions = |steps: &[&RunStep]| -> Vec<Action> {
            steps.iter().flat_map(|step| step.actions.iter().copied()).collect()
        };
        let stem: Vec<&RunStep> = run.stem.iter().collect();
        let all: Vec<&RunStep> = run.stem.iter().chain(&run.cycle).collect();
        let word = self.word(run, &actions(&all)).map_err(|error| error.to_string())?;
        if !tgba::accepts(automaton, &word) {
            return Err("the run that was found does not violate the property".to_owned());
        }
        // A letter is read before each step.
        match tgba::accepted_prefix(automaton, &word) {
            Some(letters) => {
                let endless = run.stem.iter().chain(run.cycle.iter().cycle());
                let steps: Vec<&RunStep> = endless.take(letters.saturating_sub(1)).collect();
                Ok(Sighted { actions: actions(&steps), cycle: None })
            }
            None => {
                let start = actions(&stem).len();
                Ok(Sighted { actions: actions(&all), cycle: Some(start) })
            }
        }
    }
}
