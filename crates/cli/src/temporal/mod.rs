//! Temporal properties of a model: what is asked, and the model with its propositions.

pub mod cycles;
pub mod emptiness;
mod sequences;
mod trace;
mod vacuity;

use everypath_lang_promela::ast::{Expr, ExprKind, Ltl, Model};
use everypath_lang_promela::{
    Claim, EventTrace, LowerOptions, NotACondition, Propositions, claim, event_trace,
};
use everypath_machine::Interpreter;
use everypath_model::{Diagnostic, FileId, Severity, Sources, Span};
use everypath_preprocess::Loader;
use everypath_property::ltl::{Expressions, Formula, Formulas, Spelling, parse_with};
use everypath_property::{Declared, PropertyKind};
use everypath_verdict::Place;

use crate::args::CyclesArg;
use crate::config::Reading;
use crate::input::placeless;
use crate::promela;

pub use cycles::Judged;

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
    /// What cannot be checked.
    Unsupported(String),
}

/// The atom that holds where no process is at a progress label.
const NON_PROGRESS: &str = "np_";
/// The atom that holds where some process is at an accept label.
const ACCEPTING: &str = "a process is at an accept label";

/// What the command line asks besides what stands in a model.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// `--ltl`
    pub formulas: &'a [String],
    /// `--cycles`
    pub cycles: &'a [CyclesArg],
}

/// The formulas of a model and of the command line, or what is wrong with the latter. Then `sources`
/// have their texts.
pub fn read(
    model: &Model,
    sources: &mut Sources,
    main: FileId,
    reading: (&Reading, &dyn Loader),
    asked: Asked<'_>,
) -> Result<Questions, Vec<Diagnostic>> {
    let texts = asked.formulas;
    let mut questions = Questions::default();
    for ltl in &model.ltl {
        let formula = questions.propositions.formula(model, &ltl.formula);
        let text = text_of(sources, ltl);
        let (name, span) = (ltl.name.clone(), Some(ltl.span));
        let declared = Declared { kind: PropertyKind::Ltl, name, span };
        questions.all.push(Question { declared, kind: Kind::Formula(formula, text) });
    }
    for (index, text) in texts.iter().enumerate() {
        let formula =
            command_line(&mut questions.propositions, model, sources, main, reading, text)?;
        let plain =
            if texts.len() == 1 { "formula".to_owned() } else { format!("formula{}", index + 1) };
        let taken = |name: &str| questions.all.iter().any(|q| q.declared.name == name);
        let name = if taken(&plain) { format!("--ltl {plain}") } else { plain };
        let declared = Declared { kind: PropertyKind::Ltl, name, span: None };
        let kind = Kind::Formula(formula, text.trim().to_owned());
        questions.all.push(Question { declared, kind });
    }
    for never in &model.never {
        let name = "never".to_owned();
        let declared = Declared { kind: PropertyKind::Never, name, span: Some(never.span) };
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
        let declared = Declared { kind: PropertyKind::Cycles, name, span: None };
        questions.all.push(Question { declared, kind: Kind::Cycles(formula, what) });
    }
    for trace in &model.traces {
        let name = if trace.negated { "notrace" } else { "trace" }.to_owned();
        let declared = Declared { kind: PropertyKind::Trace, name, span: Some(trace.body.span) };
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

/// The formula of an `ltl` block as it is written, on one line.
pub fn text_of(sources: &Sources, ltl: &Ltl) -> String {
    let text = sources.text(ltl.formula.span);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A formula of the command line, in any spelling; its propositions are expressions of the model.
fn command_line(
    propositions: &mut Propositions,
    model: &Model,
    sources: &mut Sources,
    main: FileId,
    reading: (&Reading, &dyn Loader),
    text: &str,
) -> Result<Formula, Vec<Diagnostic>> {
    let mut formulas = Formulas::new();
    let parsed = parse_with(&mut formulas, text, Spelling::Any, &Expressions);
    let formula = parsed.map_err(|error| {
        let file = sources.add("<ltl>".into(), text.to_owned());
        let span = Span::new(file, error.place.start, error.place.end);
        let mut diagnostic = Diagnostic::error("EP1701", span, error.message.clone());
        diagnostic.help.clone_from(&error.hint);
        vec![diagnostic]
    })?;
    let mut atoms = Vec::new();
    for atom in formulas.atoms() {
        let text = promela::expanded(sources, main, reading, &atom.text);
        let mut scratch = sources.clone();
        let file = scratch.add("<ltl>".into(), text.clone());
        match everypath_lang_promela::parse_expression(&text, file, model) {
            Ok(expression) => atoms.push(expression),
            Err(errors) => {
                *sources = scratch;
                return Err(errors);
            }
        }
    }
    Ok(propositions.import(model, &formulas, formula, &atoms))
}

impl Questions {
    /// Their names and places, in order.
    pub fn declared(&self) -> Vec<Declared> {
        self.all.iter().map(|question| question.declared.clone()).collect()
    }

    /// Puts them to a model.
    pub fn of(self, model: &Model) -> Result<Temporal, Vec<Diagnostic>> {
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
        let options = LowerOptions { invariants, ..LowerOptions::default() };
        let lowered = everypath_lang_promela::lower(model, &options);
        match lowered.machine {
            Some(machine) => {
                Ok(Temporal { all, formulas, signs, system: Interpreter::new(machine.into()) })
            }
            None => Err(lowered.diagnostics),
        }
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
