//! The search for a run that violates a temporal property, and what is told about it.

use std::cell::RefCell;

use everypath_engine_explicit::emptiness::{Method, Numbered, Run, RunStep, Sought, seek};
use everypath_engine_explicit::{Ledger, Observer, Options, Stopped};
use everypath_engine_jit::Jit;
use everypath_layer_product::Acceptor;
use everypath_machine::Interpreter;
use everypath_model::{Action, Describe, ModelError, Sources, TransitionSystem};
use everypath_property::ltl::Formula;
use everypath_property::tgba;
use everypath_property::words::{self, Lasso};
use everypath_verdict::{
    Claim, Context, Evidence, Explanation, Reason, Stop, Trace, Verdict, replay,
};

use super::{Kind, MOST_ATOMS, Sign, Temporal};
use crate::analysis::InternalError;
use crate::args::ExecArg;
use crate::promela::INTERPRETED_STATES;
use crate::render::full::plural;

/// What is known about one property.
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// One sentence.
    pub message: String,
    /// The run that violates it.
    pub trace: Option<Trace>,
    /// Why the search ended early, if it did.
    pub stop: Option<Stop>,
}

impl Judged {
    fn unknown(message: impl Into<String>) -> Judged {
        let verdict = Verdict::Unknown(Reason::Unsupported);
        Judged { verdict, message: message.into(), trace: None, stop: None }
    }
}

/// How cycles are looked for.
pub struct Manner<'a> {
    /// How statements are executed.
    pub exec: ExecArg,
    /// Limits, time, interrupt.
    pub options: &'a Options<'a>,
    /// The files of the model.
    pub sources: &'a Sources,
    /// Short name of its language.
    pub lang: &'a str,
}

impl Temporal {
    /// Judges those of the properties that are wanted, by their position.
    pub fn judge(
        &self,
        wanted: &dyn Fn(usize) -> bool,
        manner: &Manner<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Option<Judged>>, InternalError> {
        match manner.exec {
            ExecArg::Interp => self.judge_on(&self.system, wanted, manner, observer),
            ExecArg::Jit => {
                let native = Jit::after(self.system.clone(), INTERPRETED_STATES);
                self.judge_on(&native, wanted, manner, observer)
            }
        }
    }

    fn judge_on<S: TransitionSystem>(
        &self,
        system: &S,
        wanted: &dyn Fn(usize) -> bool,
        manner: &Manner<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Option<Judged>>, InternalError> {
        let ledger = Ledger::new(manner.options.limits.memory);
        let own = RefCell::new(self.system.worker());
        let letter = |worker: &mut S::Worker, state: &[u32]| {
            self.letter(state, &mut |index| system.violated_invariant(worker, state, index), &own)
        };
        let mut states = Numbered::new(system, &letter, false, &ledger);
        let mut all = Vec::new();
        for (index, question) in self.all.iter().enumerate() {
            all.push(match &question.kind {
                _ if !wanted(index) => None,
                Kind::Unsupported(why) => Some(Judged::unknown(*why)),
                Kind::Formula(formula, text) => {
                    let name = format!("ltl {}", question.declared.name);
                    let id = format!("ltl:{}", question.declared.name);
                    let mut formulas = self.formulas.clone();
                    let negation = formulas.negation(*formula);
                    match tgba::best(&mut formulas, negation) {
                        Err(too_large) => Some(Judged::unknown(too_large.to_string())),
                        Ok(automaton) => {
                            let mut acceptor = Acceptor::new(automaton);
                            let method = Method::default();
                            let sought =
                                seek(&mut states, &mut acceptor, method, manner.options, observer);
                            let left_out = states.left_out;
                            let claim = Asked { formula: *formula, text, name: &name, id: &id };
                            Some(self.told(&claim, sought, left_out, manner)?)
                        }
                    }
                }
            });
        }
        Ok(all)
    }

    /// The letter of a state: the propositions that hold in it.
    fn letter(
        &self,
        state: &[u32],
        violated: &mut dyn FnMut(usize) -> Result<Option<everypath_model::Fault>, ModelError>,
        worker: &RefCell<<Interpreter as TransitionSystem>::Worker>,
    ) -> Result<u64, ModelError> {
        let mut letter = 0;
        for (bit, sign) in self.signs.iter().enumerate() {
            let holds = match *sign {
                Sign::Condition(index) => violated(index)?.is_none(),
                Sign::NonProgress => {
                    let machine = self.system.machine();
                    let mut worker = worker.borrow_mut();
                    let mut locations = self.system.locations(&mut worker, state);
                    !locations.any(|(ty, at)| machine.proctypes[ty].locations[at].progress)
                }
            };
            letter |= u64::from(holds) << bit;
        }
        Ok(letter)
    }

    fn told(
        &self,
        asked: &Asked<'_>,
        sought: Sought,
        left_out: bool,
        manner: &Manner<'_>,
    ) -> Result<Judged, InternalError> {
        let pairs = plural(sought.counts.nodes, "product state", "product states");
        match sought.answer {
            Ok(None) if left_out => Ok(Judged {
                verdict: Verdict::NoViolationFound(Reason::ModelIncomplete),
                message: pairs,
                trace: None,
                stop: None,
            }),
            Ok(None) => {
                Ok(Judged { verdict: Verdict::Holds, message: pairs, trace: None, stop: None })
            }
            Ok(Some(run)) => {
                let (trace, message) = self.evidence(asked, &run, manner)?;
                let verdict = Verdict::Violated;
                Ok(Judged { verdict, message, trace: Some(trace), stop: None })
            }
            Err(stopped) => {
                let stop = match &stopped {
                    Stopped::StateLimit => Stop::States,
                    Stopped::MemoryLimit => Stop::Memory,
                    Stopped::Time => Stop::Time,
                    Stopped::Interrupted => Stop::Interrupt,
                    _ => Stop::Model,
                };
                let reason = stop.reason().unwrap_or(Reason::Evaluation);
                let message = match stopped {
                    Stopped::ModelError(error) => {
                        format!("a state could not be evaluated: {error}")
                    }
                    _ => format!("the search for cycles stopped after {pairs}"),
                };
                let verdict = match stop {
                    Stop::Model => Verdict::Unknown(reason),
                    _ => Verdict::NoViolationFound(reason),
                };
                Ok(Judged { verdict, message, trace: None, stop: Some(stop) })
            }
        }
    }

    /// The replayed run of a violation, after it was compared with what the formula says.
    fn evidence(
        &self,
        asked: &Asked<'_>,
        run: &Run,
        manner: &Manner<'_>,
    ) -> Result<(Trace, String), InternalError> {
        let defect = |what: String| InternalError(format!("the run of {}: {what}", asked.id));
        let all = || run.stem.iter().chain(&run.cycle);
        let actions: Vec<Action> = all().flat_map(|step| step.actions.iter().copied()).collect();
        let stem = run.stem.iter().map(|step| step.actions.len()).sum();
        let evidence = Evidence {
            initial: &run.initial,
            actions: &actions,
            claim: Claim::Lasso { stem },
            moves: Some(all().filter(|step| !step.actions.is_empty()).count() as u64),
            shortest: false,
            fewest_switches: false,
        };
        let Manner { lang, sources, .. } = *manner;
        let context = Context { property: asked.id, lang, sources };
        let (mut trace, _) = replay(&self.system, &evidence, &context)
            .map_err(|failure| defect(format!("it does not replay: {failure}")))?;
        let word = self.word(run, &actions).map_err(|error| defect(error.to_string()))?;
        if words::satisfies(&self.formulas, asked.formula, &word) {
            return Err(defect("it satisfies the formula".to_owned()));
        }
        trace.explain.extend(self.remark(asked.formula, &word, trace.loop_start.is_some()));
        let how = if trace.loop_start.is_some() { "for ever" } else { "by a standstill" };
        Ok((trace, format!("{} can be violated {how}: {}", asked.name, asked.text)))
    }

    /// The word that a run is for the formulas, from its states as the interpreter makes them.
    fn word(&self, run: &Run, actions: &[Action]) -> Result<Lasso, ModelError> {
        let steps =
            self.system.replay(&run.initial, actions).map_err(|error| ModelError(error.message))?;
        let mut worker = self.system.worker();
        let own = RefCell::new(self.system.worker());
        let mut done = 0;
        let mut letters = |part: &[RunStep]| -> Result<Vec<u64>, ModelError> {
            let mut letters = Vec::new();
            for step in part {
                let before = match done {
                    0 => &run.initial,
                    _ => &steps[done - 1].state,
                };
                let mut violated =
                    |index| self.system.violated_invariant(&mut worker, before, index);
                letters.push(self.letter(before, &mut violated, &own)?);
                done += step.actions.len();
            }
            Ok(letters)
        };
        Ok(Lasso { stem: letters(&run.stem)?, cycle: letters(&run.cycle)? })
    }

    /// What the propositions of a formula are in the cycle.
    fn remark(&self, formula: Formula, word: &Lasso, moves: bool) -> Option<Explanation> {
        let mut parts = Vec::new();
        for atom in self.formulas.atoms_of(formula) {
            let values = word.cycle.iter().map(|letter| letter >> atom.0 & 1 == 1);
            let (yes, no) = values.fold((false, false), |(yes, no), v| (yes | v, no | !v));
            let text = &self.formulas.atoms()[atom.index()].text;
            parts.push(match (yes, no) {
                (true, false) => format!("`{text}` is true"),
                (false, true) => format!("`{text}` is false"),
                _ => format!("`{text}` changes"),
            });
        }
        if parts.is_empty() {
            return None;
        }
        let (last, before) = parts.split_last()?;
        let list = match before {
            [] => last.clone(),
            _ => format!("{} and {last}", before.join(", ")),
        };
        let text = match moves {
            true => format!("all the time in the cycle {list}"),
            false => format!("where it stands still {list}"),
        };
        let kind = "cycle".to_owned();
        Some(Explanation { kind, steps: Vec::new(), variable: None, processes: Vec::new(), text })
    }
}

/// A formula under judgement.
struct Asked<'a> {
    formula: Formula,
    text: &'a str,
    name: &'a str,
    id: &'a str,
}

const _: () = assert!(MOST_ATOMS == u64::BITS as usize);
