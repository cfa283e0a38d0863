//! Temporal properties of a model: what is asked, and the model with its propositions.

mod asked;
pub mod cycles;
pub mod emptiness;
mod events;
pub mod fairness;
mod seeking;
pub mod sequences;
mod sighting;
mod trace;
mod vacuity;

use std::sync::Arc;

use everypath_lang_promela::ast::{Expr, ExprKind, Ltl, Model};
use everypath_lang_promela::{
    Claim, EventTrace, LowerOptions, NotACondition, Propositions, claim, event_trace,
};
use everypath_machine::Interpreter;
use everypath_model::{Brake, Diagnostic, FileId, Named, Severity, Sources, Span};
use everypath_preprocess::Loader;
use everypath_property::ltl::{Formula, Formulas, Spelling};
use everypath_property::{Declared, PropertyKind};
use everypath_verdict::Place;

use crate::choices::CyclesArg;
use crate::input::placeless;
use crate::reading::Reading;
use asked::Reader;
use events::{Events, no_such_event};

pub use asked::{Asked, Texts, named};
pub use cycles::{Judged, Judges};
pub use sighting::{Sighted, Sighting};

/// Letters have this many bits.
const MOST_ATOMS: usize = 64;

/// What is asked of the runs of a model.
#[derive(Debug, Default)]
pub struct Questions {
    all: Vec<Question>,
    propositions: Propositions,
}

/// One property.
#[derive(Debug)]
struct Question {
    declared: Declared,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// A formula, as the user reads it.
    Formula(Formula, String),
    /// A formula over labels, with what is wrong if it is violated.
    Cycles(Formula, CyclesArg),
    /// A never claim.
    Claim(Claim),
    /// A trace assertion, and whether it says what must not be.
    Trace(EventTrace, bool),
    /// An automaton over events.
    Events(Events),
    /// What cannot be checked.
    Unsupported(String),
}

/// The atom that holds where no process is at a progress label.
const NON_PROGRESS: &str = "np_";
/// The atom that holds where some process is at an accept label.
const ACCEPTING: &str = "a process is at an accept label";

/// The formulas of a model and of the command line, or what is wrong with the latter. Then `sources`
/// have their texts.
pub fn read(
    model: &Model,
    sources: &mut Sources,
    main: FileId,
    reading: (&Reading, &dyn Loader),
    asked: Asked<'_>,
) -> Result<Questions, Vec<Diagnostic>> {
    let mut questions = Questions::default();
    for ltl in &model.ltl {
        let formula = questions.propositions.formula(model, &ltl.formula);
        let text = text_of(sources, ltl);
        let declared = in_model(PropertyKind::Ltl, &ltl.name, ltl.span);
        questions.all.push(Question { declared, kind: Kind::Formula(formula, text) });
    }
    for refused in &model.refused_ltl {
        let declared = in_model(PropertyKind::Ltl, &refused.name, refused.span);
        let place = Place::of(sources, refused.span).start;
        let message = refused.errors.first().map_or("it is no formula", |error| &error.message);
        let kind = Kind::Unsupported(format!("line {}: {message}", place.0));
        questions.all.push(Question { declared, kind });
    }
    let mut reader = Reader { model, sources, main, reading };
    for (texts, is_pattern) in [(asked.formulas, false), (asked.patterns, true)] {
        for (index, text) in texts.iter().enumerate() {
            let (name, text) = named(text);
            let parsed = match is_pattern {
                false => reader.formula(text)?,
                true => reader.pattern(text)?,
            };
            let shown = match is_pattern {
                false => text.to_owned(),
                true => parsed.formulas.show(parsed.formula, Spelling::Spin),
            };
            let formula = questions.propositions.import(
                model,
                &parsed.formulas,
                parsed.formula,
                &parsed.atoms,
            );
            let plain = if is_pattern { "pattern" } else { "formula" };
            let declared = questions.asked(PropertyKind::Ltl, name, (plain, index, texts.len()));
            questions.all.push(Question { declared, kind: Kind::Formula(formula, shown) });
        }
    }
    for (texts, is_file) in [(asked.automata, true), (asked.expressions, false)] {
        for (index, text) in texts.iter().enumerate() {
            let (name, text) = named(text);
            let property = match is_file {
                true => reader.texts().automaton(text)?,
                false => reader.texts().expression(text)?,
            };
            let events = Events::new(&property, model, asked.events);
            let plain = if is_file { "fsa" } else { "qre" };
            let declared = questions.asked(PropertyKind::Events, name, (plain, index, texts.len()));
            questions.all.push(Question { declared, kind: Kind::Events(events) });
        }
    }
    let Reader { sources, .. } = reader;
    for never in &model.never {
        let declared = in_model(PropertyKind::Never, &never.name, never.span);
        let kind = match claim(model, never, &mut questions.propositions) {
            Ok(claim) => Kind::Claim(claim),
            Err(NotACondition { span }) => {
                let place = Place::of(sources, span).start;
                let text = sources.text(span);
                Kind::Unsupported(format!("line {}: `{text}` is more than a condition", place.0))
            }
        };
        questions.all.push(Question { declared, kind });
    }
    for &what in asked.cycles {
        let Propositions { formulas, conditions } = &mut questions.propositions;
        let atom = formulas.atom(match what {
            CyclesArg::Progress => NON_PROGRESS,
            CyclesArg::Accept => ACCEPTING,
        });
        // The label stands for a condition that no expression says.
        let nothing = Expr { kind: ExprKind::Const(1), span: Span::new(main, 0, 0) };
        conditions.resize(formulas.atoms().len(), nothing);
        let not = formulas.not(atom);
        let formula = match what {
            CyclesArg::Progress => {
                let again = formulas.eventually(not);
                formulas.always(again)
            }
            CyclesArg::Accept => {
                let never = formulas.always(not);
                formulas.eventually(never)
            }
        };
        let name = what.name().to_owned();
        let declared = Declared { kind: PropertyKind::Cycles, name, span: None, always: true };
        questions.all.push(Question { declared, kind: Kind::Cycles(formula, what) });
    }
    for trace in &model.traces {
        let name = if trace.negated { "notrace" } else { "trace" };
        let declared = in_model(PropertyKind::Trace, name, trace.body.span);
        let kind = match event_trace(model, &trace.body) {
            Ok(events) => Kind::Trace(events, trace.negated),
            Err(NotACondition { span }) => {
                let place = Place::of(sources, span).start;
                let text = sources.text(span);
                Kind::Unsupported(format!("line {}: `{text}` is no plain event", place.0))
            }
        };
        questions.all.push(Question { declared, kind });
    }
    Ok(questions)
}

/// A property that stands in the model.
fn in_model(kind: PropertyKind, name: &str, span: Span) -> Declared {
    Declared { kind, name: name.to_owned(), span: Some(span), always: false }
}

/// The formula of an `ltl` block as it is written, on one line.
pub fn text_of(sources: &Sources, ltl: &Ltl) -> String {
    let text = sources.text(ltl.formula.span);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A property of the command line: one of so many of its kind without a name, which no other one has.
pub fn declared(
    kind: PropertyKind,
    name: Option<&str>,
    (plain, index, count): (&str, usize, usize),
    known: &dyn Fn(&str) -> bool,
) -> Declared {
    let always = name.is_none();
    let plain = match name {
        Some(name) => name.to_owned(),
        None if count == 1 => plain.to_owned(),
        None => format!("{plain}{}", index + 1),
    };
    let mut name = plain.clone();
    let mut number = 2;
    while known(&name) {
        name = format!("{plain}-{number}");
        number += 1;
    }
    Declared { kind, name, span: None, always }
}

impl Questions {
    /// A property of the command line: one of so many of its kind without a name.
    fn asked(
        &self,
        kind: PropertyKind,
        name: Option<&str>,
        (plain, index, count): (&str, usize, usize),
    ) -> Declared {
        let known = |name: &str| self.all.iter().any(|other| other.declared.name == name);
        declared(kind, name, (plain, index, count), &known)
    }

    /// Their names and places, in order.
    pub fn declared(&self) -> Vec<Declared> {
        self.all.iter().map(|question| question.declared.clone()).collect()
    }

    /// Puts them to a model, whose full channels may lose messages.
    pub fn of(
        self,
        model: &Model,
        lossy_channels: bool,
        brake: Option<&Arc<Brake>>,
    ) -> Result<Temporal, Vec<Diagnostic>> {
        let Questions { all, propositions: Propositions { formulas, conditions } } = self;
        if conditions.len() > MOST_ATOMS {
            let message = format!("the formulas have more than {MOST_ATOMS} propositions together");
            return Err(vec![placeless(Severity::Unsupported, "EP1703", message)]);
        }
        let mut signs = Vec::new();
        let mut invariants: Vec<Expr> = Vec::new();
        for (atom, condition) in formulas.atoms().iter().zip(conditions) {
            signs.push(match atom.text.as_str() {
                NON_PROGRESS => Sign::NonProgress,
                ACCEPTING => Sign::Accepting,
                _ => {
                    invariants.push(condition);
                    Sign::Condition(invariants.len() - 1)
                }
            });
        }
        let accept_steps = signs.contains(&Sign::Accepting);
        let options = LowerOptions {
            invariants,
            lossy_channels,
            accept_steps,
            brake: brake.cloned(),
            ..LowerOptions::default()
        };
        let lowered = everypath_lang_promela::lower(model, &options);
        match lowered.machine {
            Some(machine) => {
                let system = Interpreter::new(machine.into());
                for question in &all {
                    if let Kind::Events(events) = &question.kind
                        && let Err(event) = events.monitor("", &system)
                    {
                        return Err(vec![no_such_event(model, &system, event)]);
                    }
                }
                Ok(Temporal { all, formulas, signs, system })
            }
            None => Err(lowered.diagnostics),
        }
    }
}

impl Temporal {
    /// The same, judged by steps that end when those of `system` do.
    pub fn braked_as(self, system: &Interpreter) -> Temporal {
        Temporal { system: self.system.braked_as(system), ..self }
    }
}

/// Temporal properties with the model that they are asked of.
pub struct Temporal {
    all: Vec<Question>,
    formulas: Formulas,
    /// What each atom of the formulas is.
    signs: Vec<Sign>,
    /// The model; its invariants are the conditions in the formulas, which need not hold.
    system: Interpreter,
}

/// What a proposition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    /// A condition, by its number.
    Condition(usize),
    /// No process is at a progress label.
    NonProgress,
    /// Some process is at an accept label.
    Accepting,
}
