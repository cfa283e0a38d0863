//! Properties of the runs of Java programs: formulas over conditions, and automata over events.

use std::sync::{Mutex, PoisonError};

use everypath_engine_explicit::emptiness::{Numbered, Run, Sought, seek};
use everypath_engine_explicit::{Lassos, Ledger, Observer, Options};
use everypath_lang_java::{JavaWorker, Program};
use everypath_layer_product::{Acceptor, Monitor};
use everypath_model::{
    Action, Brake, Describe, Diagnostic, End, ModelError, Severity, Sources, TransitionSystem,
};
use everypath_property::events::Fsa;
use everypath_property::ltl::{Formula, Formulas, Spelling};
use everypath_property::tgba::{self, Automaton};
use everypath_property::words;
use everypath_property::{Declared, PropertyKind};
use everypath_render::units::plural;
use everypath_verdict::{ProductStats, Reason, Trace, Verdict};

use crate::choices::FairArg;
use crate::defect::InternalError;
use crate::input::placeless;
use crate::temporal::cycles::{
    LADDER, Manner, gave_up, ladder, remark, replayed, verdict, word_of,
};
use crate::temporal::sequences::{Sequence, Subject, follow, wrong_order};
use crate::temporal::{Asked, Judged, Judges, Texts, declared, fairness, named};

/// Letters have this many bits.
const MOST_ATOMS: usize = 64;

/// What is asked of the runs of a program.
#[derive(Default)]
pub struct Questions {
    all: Vec<(Declared, Kind)>,
    formulas: Formulas,
    /// Events with what they are, as the program is asked for them.
    events: Vec<(String, String)>,
}

enum Kind {
    /// A formula, as the user reads it.
    Formula(Formula, String),
    /// An automaton over events.
    Events(Fsa),
}

impl Questions {
    /// Reads what the command line asks; `sources` get the texts that something is wrong with.
    pub fn read(asked: Asked<'_>, sources: &mut Sources) -> Result<Questions, Vec<Diagnostic>> {
        let mut questions = Questions::default();
        let mut texts = Texts { sources, macros: Vec::new() };
        for (list, is_pattern) in [(asked.formulas, false), (asked.patterns, true)] {
            for (index, text) in list.iter().enumerate() {
                let (name, text) = named(text);
                let formulas = &mut questions.formulas;
                let (formula, shown, plain) = match is_pattern {
                    false => (texts.formula(formulas, text)?, text.to_owned(), "formula"),
                    true => {
                        let formula = texts.pattern(formulas, text)?;
                        (formula, formulas.show(formula, Spelling::Spin), "pattern")
                    }
                };
                let kind = Kind::Formula(formula, shown);
                questions.add(PropertyKind::Ltl, name, (plain, index, list.len()), kind);
            }
        }
        for (list, is_file) in [(asked.automata, true), (asked.expressions, false)] {
            for (index, text) in list.iter().enumerate() {
                let (name, text) = named(text);
                let (property, plain) = match is_file {
                    true => (texts.automaton(text)?, "fsa"),
                    false => (texts.expression(text)?, "qre"),
                };
                let required = property.required();
                for event in &required.events {
                    questions.meaning(event, asked.events)?;
                }
                let kind = Kind::Events(required);
                questions.add(PropertyKind::Events, name, (plain, index, list.len()), kind);
            }
        }
        if questions.formulas.atoms().len() > MOST_ATOMS {
            let message = format!("the formulas have more than {MOST_ATOMS} propositions together");
            return Err(vec![placeless(Severity::Unsupported, "EP1703", message)]);
        }
        Ok(questions)
    }

    fn add(
        &mut self,
        kind: PropertyKind,
        name: Option<&str>,
        plain: (&str, usize, usize),
        what: Kind,
    ) {
        let known = |name: &str| self.all.iter().any(|(other, _)| other.name == name);
        let declared = declared(kind, name, plain, &known);
        self.all.push((declared, what));
    }

    /// Finds out what an event is.
    fn meaning(&mut self, event: &str, definitions: &[String]) -> Result<(), Vec<Diagnostic>> {
        if self.events.iter().any(|(known, _)| known == event) {
            return Ok(());
        }
        let defined = definitions.iter().rev().find_map(|definition| {
            let (name, what) = definition.split_once('=')?;
            (name.trim() == event).then(|| what.trim().to_owned())
        });
        let Some(what) = defined else {
            let message = format!("nothing says what the event `{event}` is");
            let help = format!("--event {event}='call Class.method', or `exit Class.method`");
            let error = placeless(Severity::Error, "EP1705", message);
            return Err(vec![Diagnostic { help: Some(help), ..error }]);
        };
        self.events.push((event.to_owned(), what));
        Ok(())
    }

    /// Their names, in order.
    pub fn declared(&self) -> Vec<Declared> {
        self.all.iter().map(|(declared, _)| declared.clone()).collect()
    }

    /// The conditions that the formulas are about.
    pub fn propositions(&self) -> Vec<String> {
        self.formulas.atoms().iter().map(|atom| atom.text.clone()).collect()
    }

    /// The events that the automata are about.
    pub fn events(&self) -> Vec<(String, String)> {
        self.events.clone()
    }
}

/// Questions, and the program that they are put to.
pub struct Temporal<'a> {
    /// What is asked.
    pub questions: &'a Questions,
    /// The program.
    pub program: &'a Program,
}

impl Judges for Temporal<'_> {
    fn judge(
        &self,
        wanted: &dyn Fn(usize) -> bool,
        manner: &Manner<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Option<Judged>>, InternalError> {
        let mut all = Vec::new();
        for (index, (declared, kind)) in self.questions.all.iter().enumerate() {
            if !wanted(index) {
                all.push(None);
                continue;
            }
            let judged = loop {
                let judged = match kind {
                    Kind::Formula(formula, text) => {
                        self.formula(&declared.name, *formula, text, manner, observer)?
                    }
                    Kind::Events(fsa) => self.events(&declared.name, fsa, manner, observer)?,
                };
                // What was assumed of fields may be wrong.
                let failed = judged.verdict == Verdict::Unknown(Reason::Evaluation);
                if !failed || !self.program.assume_less() {
                    break judged;
                }
            };
            all.push(Some(judged));
        }
        Ok(all)
    }
}

impl Temporal<'_> {
    fn formula(
        &self,
        name: &str,
        formula: Formula,
        text: &str,
        manner: &Manner<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Judged, InternalError> {
        let mut formulas = self.questions.formulas.clone();
        if !matches!(tgba::is_stutter_invariant(&mut formulas, formula), Ok(true)) {
            let why = "it depends on the number of steps that something takes, as X does; programs have no steps \
                       that could be counted";
            return Ok(Judged::unknown(why));
        }
        if manner.fairness == FairArg::Strong {
            return Ok(Judged::unknown("strong fairness is not for Java programs"));
        }
        if manner.options.store.is_lossy() {
            return Ok(Judged::unknown("it needs an exact store"));
        }
        let negation = formulas.negation(formula);
        let automaton = match tgba::best(&mut formulas, negation) {
            Ok(automaton) => automaton,
            Err(too_large) => return Ok(Judged::unknown(too_large.to_string())),
        };
        let method = manner.how.general().alone();
        let weak = manner.fairness == FairArg::Weak;
        if !weak && !method.takes(automaton.marks) {
            let why = format!(
                "{} needs a mark in the automaton of the formula, and this one has none",
                method.name()
            );
            return Ok(Judged::unknown(why));
        }
        let ledger = Ledger::new(manner.options.limits.memory);
        let letter = |worker: &mut JavaWorker, state: &[u32]| self.program.letter(worker, state);
        let look = |weak: bool, options: &Options<'_>, observer: &mut dyn Observer| {
            let mut states = Numbered::new(self.program, &letter, weak, &ledger);
            let mut acceptor = Acceptor::new(automaton.clone());
            let sought = seek(&mut states, &mut acceptor, method, options, observer);
            (sought, states.left_out)
        };
        let (sought, left_out) = look(weak, manner.options, observer);
        let product = ProductStats {
            method: method.name().to_owned(),
            marks: automaton.marks,
            states: sought.counts.nodes,
            transitions: sought.counts.edges,
            stack: sought.counts.stack,
            reductions: Vec::new(),
        };
        let bytes = ledger.used() + sought.counts.bytes;
        let id = format!("ltl:{name}");
        let asked = Violation { id: &id, name, formula, text, automaton: &automaton };
        let mut judged = self.told(&asked, sought, left_out, manner)?;
        judged.product = Some(product);
        judged.bytes = bytes;
        if let (Some(trace), FairArg::None) = (judged.trace.as_mut(), manner.fairness) {
            let mut options = *manner.options;
            options.limits.states = Some(options.limits.states.unwrap_or(LADDER).min(LADDER));
            options.lassos = Lassos::Any;
            let (sought, left_out) = look(true, &options, observer);
            if let Some(word) = verdict(&sought, left_out) {
                let none = fairness::name(FairArg::None, &[]);
                let rungs = [(none, "violated"), ("weak".to_owned(), word)];
                trace.explain.push(ladder(&rungs));
            }
        }
        Ok(judged)
    }

    fn told(
        &self,
        asked: &Violation<'_>,
        sought: Sought,
        left_out: bool,
        manner: &Manner<'_>,
    ) -> Result<Judged, InternalError> {
        let pairs = plural(sought.counts.nodes, "product state", "product states");
        match sought.answer {
            Ok(None) if left_out => {
                Ok(Judged::new(Verdict::NoViolationFound(Reason::ModelIncomplete), pairs))
            }
            Ok(None) => Ok(Judged::new(Verdict::Holds, pairs)),
            Ok(Some(run)) => {
                let trace = self.evidence(asked, &run.folded(), manner)?;
                let how = if trace.loop_start.is_some() { "for ever" } else { "by a standstill" };
                let message = format!("ltl {} can be violated {how}: {}", asked.name, asked.text);
                let judged = Judged::new(Verdict::Violated, message);
                Ok(Judged { trace: Some(trace), code: Some("EP0201"), ..judged })
            }
            Err(stopped) => Ok(gave_up(stopped, &pairs)),
        }
    }

    /// The replayed run of a violation, after it was compared with what the formula says.
    fn evidence(
        &self,
        asked: &Violation<'_>,
        run: &Run,
        manner: &Manner<'_>,
    ) -> Result<Trace, InternalError> {
        let defect = |what: String| InternalError(format!("the run of {}: {what}", asked.id));
        let _held = self.program.brake().map(Brake::hold);
        let (mut trace, actions) = replayed(self.program, asked.id, run, manner).map_err(defect)?;
        let mut worker = self.program.worker();
        let mut letter = |state: &[u32]| self.program.letter(&mut worker, state);
        let word = word_of(self.program, run, &actions, &mut letter)
            .map_err(|error| defect(error.to_string()))?;
        let formulas = &self.questions.formulas;
        if words::satisfies(formulas, asked.formula, &word)
            || !tgba::accepts(asked.automaton, &word)
        {
            return Err(defect("it does not violate the property".to_owned()));
        }
        let moves = trace.loop_start.is_some();
        trace.explain.extend(remark(formulas, asked.formula, &word, moves));
        Ok(trace)
    }

    fn events(
        &self,
        name: &str,
        fsa: &Fsa,
        manner: &Manner<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Judged, InternalError> {
        let of = |(event, _): &(String, String)| fsa.events.iter().position(|one| one == event);
        let monitor = EventMonitor {
            name,
            program: self.program,
            fsa,
            of: self.questions.events.iter().map(of).collect(),
            traps: (0..fsa.len()).map(|state| fsa.is_trap(state)).collect(),
            worker: Mutex::new(self.program.worker()),
        };
        let subject = Subject { id: &format!("events:{name}"), code: "EP0206" };
        follow(self.program, self.program, &monitor, &subject, manner, observer)
    }
}

/// A formula that may be violated.
struct Violation<'a> {
    id: &'a str,
    name: &'a str,
    formula: Formula,
    text: &'a str,
    automaton: &'a Automaton,
}

/// Follows an automaton along the steps of a program.
struct EventMonitor<'a> {
    name: &'a str,
    program: &'a Program,
    fsa: &'a Fsa,
    /// Which event of the automaton each event of the program is.
    of: Vec<Option<usize>>,
    /// From where nothing is accepted any more.
    traps: Vec<bool>,
    worker: Mutex<JavaWorker>,
}

impl EventMonitor<'_> {
    /// The events of a step.
    fn of_step(&self, before: &[u32], action: Action) -> Result<Vec<usize>, ModelError> {
        let mut worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        let events = self.program.events_of(&mut worker, before, action)?;
        Ok(events.into_iter().filter_map(|event| self.of[event]).collect())
    }
}

impl Monitor for EventMonitor<'_> {
    fn start(&self) -> u32 {
        self.fsa.start as u32
    }

    fn after(
        &self,
        at: u32,
        before: &[u32],
        actions: &[Action],
    ) -> Result<Option<u32>, ModelError> {
        let mut at = at as usize;
        for &action in actions {
            for event in self.of_step(before, action)? {
                at = self.fsa.delta[at][event];
                if self.traps[at] {
                    return Ok(None);
                }
            }
        }
        Ok(Some(at as u32))
    }

    fn may_end(&self, at: u32, _: &[u32], _: End) -> bool {
        self.fsa.accepting[at as usize]
    }
}

impl Sequence for EventMonitor<'_> {
    fn events(&self, before: &[u32], actions: &[Action]) -> Result<Vec<String>, ModelError> {
        let steps =
            self.program.replay(before, actions).map_err(|error| ModelError(error.message))?;
        let mut at = self.fsa.start;
        let mut state = before;
        let mut events = Vec::new();
        for (step, &action) in steps.iter().zip(actions) {
            for event in self.of_step(state, action)? {
                events.push(self.fsa.events[event].clone());
                at = self.fsa.delta[at][event];
                if self.traps[at] {
                    return Ok(events);
                }
            }
            state = &step.state;
        }
        Ok(events)
    }

    fn wrong(&self, last: Option<&str>) -> String {
        wrong_order(self.name, last)
    }
}
