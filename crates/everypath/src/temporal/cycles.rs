//! The search for a run that violates a temporal property, and what is told about it.

use std::sync::{Mutex, PoisonError};

use everypath_engine_explicit::emptiness::{
    Deed, Numbered, Run, RunStep, SharedStates, Sought, seek, seek_strong,
};
use everypath_engine_explicit::{Lassos, Ledger, Observer, Options, Stopped};
use everypath_layer_product::Acceptor;
use everypath_machine::{Interpreter, Location};
use everypath_model::{Action, Brake, Describe, ModelError, Sources, Successors, TransitionSystem};
use everypath_property::ltl::{Formula, Formulas};
use everypath_property::tgba::{self, Automaton};
use everypath_property::words::{self, Lasso};
use everypath_render::units::plural;
use everypath_verdict::{
    Claim, Context, Evidence, Explanation, ProductStats, Reason, Stop, Trace, Vacuity, Verdict,
    replay,
};

use super::emptiness::How;
use super::seeking::{Found, Seeking};
use super::sequences::{Subject, follow};
use super::trace::TraceMonitor;
use super::vacuity::Examined;
use super::{Kind, MOST_ATOMS, Question, Sign, Temporal, fairness};
use crate::choices::{CyclesArg, ExecArg, FairArg};
use crate::defect::InternalError;
use crate::promela::executed;
use crate::reduce::Reductions;

/// Product states, at most, to find out whether fairness makes a difference.
pub const LADDER: u64 = 2_000_000;

/// What is known about one property.
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// One sentence.
    pub message: String,
    /// The code of the violation.
    pub code: Option<&'static str>,
    /// The run that violates it.
    pub trace: Option<Trace>,
    /// Why the search ended early, if it did.
    pub stop: Option<Stop>,
    /// The parts of it that do not matter.
    pub vacuity: Vec<Vacuity>,
    /// Whether it holds without some part that should matter.
    pub vacuous: bool,
    /// What the search of the product with an automaton did.
    pub product: Option<ProductStats>,
    /// States, steps and depth of a search of another kind.
    pub searched: [u64; 3],
    /// Bytes that it used.
    pub bytes: u64,
}

impl Judged {
    /// A verdict with one sentence.
    pub fn new(verdict: Verdict, message: impl Into<String>) -> Judged {
        Judged {
            verdict,
            message: message.into(),
            code: None,
            trace: None,
            stop: None,
            vacuity: Vec::new(),
            vacuous: false,
            product: None,
            searched: [0; 3],
            bytes: 0,
        }
    }

    /// It could not be asked.
    pub fn unknown(message: impl Into<String>) -> Judged {
        Judged::new(Verdict::Unknown(Reason::Unsupported), message)
    }
}

/// How cycles are looked for.
pub struct Manner<'a> {
    /// How statements are executed.
    pub exec: ExecArg,
    /// What fairness is assumed.
    pub fairness: FairArg,
    /// The lines of the choices that strong fairness is about; empty for every statement.
    pub choices: &'a [u32],
    /// How runs are looked for.
    pub how: How,
    /// What need not be looked at.
    pub reductions: &'a Reductions,
    /// Limits, time, interrupt.
    pub options: &'a Options<'a>,
    /// The files of the model.
    pub sources: &'a Sources,
    /// Short name of its language.
    pub lang: &'a str,
}

/// What judges properties of runs.
pub trait Judges {
    /// Judges those of the properties that are wanted, by their position.
    fn judge(
        &self,
        wanted: &dyn Fn(usize) -> bool,
        manner: &Manner<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Option<Judged>>, InternalError>;
}

impl Judges for Temporal {
    fn judge(
        &self,
        wanted: &dyn Fn(usize) -> bool,
        manner: &Manner<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Option<Judged>>, InternalError> {
        self.judge_on(&executed(&self.system, manner.exec), wanted, manner, observer)
    }
}

impl Temporal {
    fn judge_on<S: TransitionSystem>(
        &self,
        system: &S,
        wanted: &dyn Fn(usize) -> bool,
        manner: &Manner<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Option<Judged>>, InternalError> {
        let ledger = Ledger::new(manner.options.limits.memory);
        let own = Mutex::new(self.system.worker());
        let letter = |worker: &mut S::Worker, state: &[u32]| {
            let mut violated = |index| system.violated_invariant(worker, state, index);
            self.letter(state, &mut violated, &own)
        };
        let weak = manner.fairness == FairArg::Weak;
        let mut states = Numbered::new(system, &letter, weak, &ledger);
        let mut shared: Option<SharedStates<'_, S>> = None;
        let mut fair: Option<Numbered<'_, S>> = None;
        let mut plain: Option<Numbered<'_, S>> = None;
        let mut all = Vec::new();
        for (index, question) in self.all.iter().enumerate() {
            if !wanted(index) {
                all.push(None);
                continue;
            }
            if let Some(judged) = self.judge_events(system, question, manner, observer)? {
                all.push(Some(judged));
                continue;
            }
            let asked = match self.asked(question) {
                Ok(asked) => asked,
                Err(why) => {
                    all.push(Some(Judged::unknown(why)));
                    continue;
                }
            };
            let seeking =
                Seeking { temporal: self, system, letter: &letter, ledger: &ledger, manner };
            let found = match seeking.seek(&asked, &mut states, &mut shared, observer) {
                Ok(found) => found,
                Err(why) => {
                    all.push(Some(Judged::unknown(why)));
                    continue;
                }
            };
            let Found { sought, left_out, name, reductions } = found;
            let took = sought.counts.nodes;
            let bytes = ledger.used() + sought.counts.bytes;
            let product = ProductStats {
                method: name.to_owned(),
                marks: asked.automaton.marks,
                states: sought.counts.nodes,
                transitions: sought.counts.edges,
                stack: sought.counts.stack,
                reductions,
            };
            let mut judged = self.told(&asked, sought, left_out, manner)?;
            judged.product = Some(product);
            judged.bytes = bytes;
            if let Kind::Formula(formula, _) = question.kind
                && judged.verdict == Verdict::Holds
            {
                let examined = match manner.fairness {
                    FairArg::Strong => Examined::not_under("strong fairness is assumed"),
                    _ => self.examine(formula, took, &seeking, &mut states, observer),
                };
                judged.message = examined.message(&judged.message);
                judged.vacuous = examined.vacuous();
                judged.vacuity = examined.parts;
            }
            if let Some(trace) = judged.trace.as_mut() {
                let mut options = *manner.options;
                let least = options.limits.states.unwrap_or(LADDER).min(LADDER);
                options.limits.states = Some(least);
                options.lassos = Lassos::Any;
                let mut told = vec![(fairness::name(manner.fairness, manner.choices), "violated")];
                if manner.fairness == FairArg::None {
                    let fair =
                        fair.get_or_insert_with(|| Numbered::new(system, &letter, true, &ledger));
                    let mut acceptor = Acceptor::new(asked.automaton.clone());
                    let method = manner.how.general().alone();
                    let sought = seek(fair, &mut acceptor, method, &options, observer);
                    told.extend(
                        verdict(&sought, fair.left_out).map(|word| ("weak".to_owned(), word)),
                    );
                }
                // What holds under weak fairness holds under strong fairness.
                if manner.fairness != FairArg::Strong
                    && told.last().is_some_and(|(_, word)| *word == "violated")
                {
                    let plain =
                        plain.get_or_insert_with(|| Numbered::new(system, &letter, false, &ledger));
                    let mut strong = |deeds: &dyn Fn(&[Action], &mut Vec<Deed>)| {
                        let mut acceptor = Acceptor::new(asked.automaton.clone());
                        let sought = seek_strong(plain, &mut acceptor, deeds, &options, observer);
                        verdict(&sought, plain.left_out)
                    };
                    told.extend(self.strong_rungs(trace, manner.sources, &mut strong));
                }
                if told.len() > 1 {
                    trace.explain.push(ladder(&told));
                }
            }
            all.push(Some(judged));
        }
        Ok(all)
    }

    /// Whether it makes no difference for a formula how long a run stays as it is. Of a claim that is not
    /// known.
    pub(super) fn stutters(&self, formulas: &Formulas, formula: Option<Formula>) -> bool {
        let mut formulas = formulas.clone();
        formula.is_some_and(|formula| {
            matches!(tgba::is_stutter_invariant(&mut formulas, formula), Ok(true))
        })
    }

    /// Judges a property of events; `None` if it is another one.
    fn judge_events<S: TransitionSystem>(
        &self,
        system: &S,
        question: &Question,
        manner: &Manner<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Option<Judged>, InternalError> {
        let name = &question.declared.name;
        match &question.kind {
            Kind::Trace(events, negated) => {
                let subject = Subject { id: name, code: "EP0205" };
                match TraceMonitor::new(&self.system, events, *negated) {
                    Ok(monitor) => {
                        follow(&self.system, system, &monitor, &subject, manner, observer)
                    }
                    Err(why) => Ok(Judged::unknown(why)),
                }
            }
            Kind::Events(events) => {
                let subject = Subject { id: &format!("events:{name}"), code: "EP0206" };
                match events.monitor(name, &self.system) {
                    Ok(monitor) => {
                        follow(&self.system, system, &monitor, &subject, manner, observer)
                    }
                    Err(event) => Ok(Judged::unknown(format!("no statement is `{event}`"))),
                }
            }
            _ => return Ok(None),
        }
        .map(Some)
    }

    /// The automaton of what violates a property, and what to say then; or why that cannot be.
    pub(super) fn asked(&self, question: &Question) -> Result<Asked, String> {
        let name = &question.declared.name;
        let translated = |formula: Formula| {
            let mut formulas = self.formulas.clone();
            let negation = formulas.negation(formula);
            tgba::best(&mut formulas, negation).map_err(|too_large| too_large.to_string())
        };
        let id = question.declared.id();
        let (formula, automaton, wrong, code) = match &question.kind {
            Kind::Unsupported(why) => return Err(why.clone()),
            // It is no property of infinite runs.
            Kind::Trace(..) | Kind::Events(_) => {
                return Err("it is a property of events".to_owned());
            }
            Kind::Formula(formula, text) => {
                let wrong = format!("ltl {name} can be violated HOW: {text}");
                (Some(*formula), translated(*formula)?, wrong, "EP0201")
            }
            Kind::Cycles(formula, CyclesArg::Progress) => {
                let wrong = "a run can go on HOW without progress".to_owned();
                (Some(*formula), translated(*formula)?, wrong, "EP0202")
            }
            Kind::Cycles(formula, CyclesArg::Accept) => {
                let wrong = "a run can be at an accept label HOW".to_owned();
                (Some(*formula), translated(*formula)?, wrong, "EP0203")
            }
            Kind::Claim(claim) => {
                let automaton = tgba::reduce(&claim.automaton(&self.formulas));
                let wrong = format!("the {} can be followed HOW", question.declared.title());
                (None, automaton, wrong, "EP0204")
            }
        };
        Ok(Asked { formula, automaton, wrong, code, id })
    }

    /// The letter of a state: the propositions that hold in it.
    pub(super) fn letter(
        &self,
        state: &[u32],
        violated: &mut dyn FnMut(usize) -> Result<Option<everypath_model::Fault>, ModelError>,
        worker: &Mutex<<Interpreter as TransitionSystem>::Worker>,
    ) -> Result<u64, ModelError> {
        let mut letter = 0;
        for (bit, sign) in self.signs.iter().enumerate() {
            let holds = match *sign {
                Sign::Condition(index) => violated(index)?.is_none(),
                // A run that ends does not go on without progress.
                Sign::NonProgress => {
                    !self.some_location(worker, state, |at| at.progress)
                        && self.can_move(worker, state)?
                }
                // A label is passed once, also where nothing moves any more.
                Sign::Accepting => {
                    self.some_location(worker, state, |at| at.accept)
                        || self.system.passed_accept(state) && self.can_move(worker, state)?
                }
            };
            letter |= u64::from(holds) << bit;
        }
        Ok(letter)
    }

    /// Whether some process is at a location of a kind.
    fn some_location(
        &self,
        worker: &Mutex<<Interpreter as TransitionSystem>::Worker>,
        state: &[u32],
        kind: impl Fn(&Location) -> bool,
    ) -> bool {
        let proctypes = &self.system.machine().proctypes;
        let mut worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
        let mut locations = self.system.locations(&mut worker, state);
        locations.any(|(ty, at)| kind(&proctypes[ty].locations[at]))
    }

    /// Whether there is a step.
    fn can_move(
        &self,
        worker: &Mutex<<Interpreter as TransitionSystem>::Worker>,
        state: &[u32],
    ) -> Result<bool, ModelError> {
        let mut out = Successors::new();
        let mut worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
        self.system.successors(&mut worker, state, &mut out)?;
        Ok(!out.is_empty())
    }

    fn told(
        &self,
        asked: &Asked,
        sought: Sought,
        left_out: bool,
        manner: &Manner<'_>,
    ) -> Result<Judged, InternalError> {
        let pairs = plural(sought.counts.nodes, "product state", "product states");
        match sought.answer {
            Ok(None) if manner.options.store.is_lossy() => {
                Ok(Judged::new(Verdict::NoViolationFound(Reason::LossyStore), pairs))
            }
            Ok(None) if left_out => {
                Ok(Judged::new(Verdict::NoViolationFound(Reason::ModelIncomplete), pairs))
            }
            Ok(None) => Ok(Judged::new(Verdict::Holds, pairs)),
            Ok(Some(run)) => {
                let (trace, message) = self.evidence(asked, &run.folded(), manner)?;
                let (trace, code) = (Some(trace), Some(asked.code));
                Ok(Judged { trace, code, ..Judged::new(Verdict::Violated, message) })
            }
            Err(stopped) => Ok(gave_up(stopped, &pairs)),
        }
    }

    /// The replayed run of a violation, after it was compared with what the formula says.
    fn evidence(
        &self,
        asked: &Asked,
        run: &Run,
        manner: &Manner<'_>,
    ) -> Result<(Trace, String), InternalError> {
        let defect = |what: String| InternalError(format!("the run of {}: {what}", asked.id));
        // What was found is shown by steps that nobody ends.
        let _held = self.system.brake().map(Brake::hold);
        let (mut trace, actions) =
            replayed(&self.system, &asked.id, run, manner).map_err(defect)?;
        let word = self.word(run, &actions).map_err(|error| defect(error.to_string()))?;
        let violates = match asked.formula {
            Some(formula) => !words::satisfies(&self.formulas, formula, &word),
            None => tgba::accepts(&asked.automaton, &word),
        };
        if !violates {
            return Err(defect("it does not violate the property".to_owned()));
        }
        if let Some(formula) = asked.formula.filter(|_| asked.code == "EP0201") {
            let moves = trace.loop_start.is_some();
            trace.explain.extend(remark(&self.formulas, formula, &word, moves));
        }
        let how = if trace.loop_start.is_some() { "for ever" } else { "by a standstill" };
        Ok((trace, asked.wrong.replacen("HOW", how, 1)))
    }

    /// The word that a run is for the formulas, from its states as the interpreter makes them.
    pub(super) fn word(&self, run: &Run, actions: &[Action]) -> Result<Lasso, ModelError> {
        let mut worker = self.system.worker();
        let own = Mutex::new(self.system.worker());
        word_of(&self.system, run, actions, &mut |before| {
            let mut violated = |index| self.system.violated_invariant(&mut worker, before, index);
            self.letter(before, &mut violated, &own)
        })
    }
}

/// What the propositions of a formula are in the cycle.
pub fn remark(
    formulas: &Formulas,
    formula: Formula,
    word: &Lasso,
    moves: bool,
) -> Option<Explanation> {
    let mut parts = Vec::new();
    for atom in formulas.atoms_of(formula) {
        let values = word.cycle.iter().map(|letter| letter >> atom.0 & 1 == 1);
        let (yes, no) = values.fold((false, false), |(yes, no), v| (yes | v, no | !v));
        let text = &formulas.atoms()[atom.index()].text;
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

/// A property under judgement.
pub(super) struct Asked {
    /// Its formula; `None` for a claim.
    pub formula: Option<Formula>,
    /// The runs that violate it.
    pub automaton: Automaton,
    /// What is said then; `HOW` is how a run does it.
    wrong: String,
    code: &'static str,
    id: String,
}

/// What becomes of a violation under fairness.
pub fn ladder(told: &[(String, &str)]) -> Explanation {
    let rungs: Vec<String> = told.iter().map(|(name, word)| format!("{name} -> {word}")).collect();
    let (kind, text) = ("fairness".to_owned(), rungs.join(" | "));
    Explanation { kind, steps: Vec::new(), variable: None, processes: Vec::new(), text }
}

/// What a search says, if it came to an end.
pub fn verdict(sought: &Sought, left_out: bool) -> Option<&'static str> {
    match sought.answer {
        Ok(Some(_)) => Some("violated"),
        Ok(None) if !left_out => Some("holds"),
        _ => None,
    }
}

const _: () = assert!(MOST_ATOMS == u64::BITS as usize);

/// What is said of a search that stopped before its answer.
pub fn gave_up(stopped: Stopped, pairs: &str) -> Judged {
    let stop = match &stopped {
        Stopped::StateLimit => Stop::States,
        Stopped::MemoryLimit => Stop::Memory,
        Stopped::Time => Stop::Time,
        Stopped::Interrupted if crate::memory::ended_it() => Stop::Memory,
        Stopped::Interrupted => Stop::Interrupt,
        _ => Stop::Model,
    };
    let reason = stop.reason().unwrap_or(Reason::Evaluation);
    let message = match stopped {
        Stopped::ModelError(error) => format!("a state could not be evaluated: {error}"),
        _ => format!("the search for cycles stopped after {pairs}"),
    };
    let verdict = match stop {
        Stop::Model => Verdict::Unknown(reason),
        _ => Verdict::NoViolationFound(reason),
    };
    Judged { stop: Some(stop), ..Judged::new(verdict, message) }
}

/// A run for ever as a trace, and its actions.
pub fn replayed<S: Describe>(
    system: &S,
    id: &str,
    run: &Run,
    manner: &Manner<'_>,
) -> Result<(Trace, Vec<Action>), String> {
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
    let context = Context { property: id, lang, sources };
    let (trace, _) = replay(system, &evidence, &context)
        .map_err(|failure| format!("it does not replay: {failure}"))?;
    Ok((trace, actions))
}

/// The word that a run is for formulas, from its states as a replay makes them.
pub fn word_of<S: Describe>(
    system: &S,
    run: &Run,
    actions: &[Action],
    letter: &mut dyn FnMut(&[u32]) -> Result<u64, ModelError>,
) -> Result<Lasso, ModelError> {
    let steps = system.replay(&run.initial, actions).map_err(|error| ModelError(error.message))?;
    let mut done = 0;
    let mut letters = |part: &[RunStep]| -> Result<Vec<u64>, ModelError> {
        let mut letters = Vec::new();
        for step in part {
            let before = match done {
                0 => &run.initial,
                _ => &steps[done - 1].state,
            };
            letters.push(letter(before)?);
            done += step.actions.len();
        }
        Ok(letters)
    };
    Ok(Lasso { stem: letters(&run.stem)?, cycle: letters(&run.cycle)? })
}
