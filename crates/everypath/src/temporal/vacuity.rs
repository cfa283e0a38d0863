//! Whether a formula that holds says what it seems to say.

use everypath_engine_explicit::emptiness::Numbered;
use everypath_engine_explicit::{Observer, Stopped};
use everypath_model::TransitionSystem;
use everypath_property::ltl::{Formula, Spelling};
use everypath_property::tgba;
use everypath_property::vacuity::{Part, Role, parts, triggers};
use everypath_property::words::{Lasso, satisfies};
use everypath_verdict::{Vacuity, VacuityKind};

use super::Temporal;
use super::seeking::Seeking;

/// Product states of a check, at most, after which its parts are looked at.
const QUICK: u64 = 1_000_000;
/// Product states, at most, to look at all parts.
const MOST_STATES: u64 = 4_000_000;
/// States, at most, to find out when a condition becomes true.
const MOST_LOOKED_AT: usize = 200_000;
/// Parts, at most.
const MOST_PARTS: usize = 64;

/// What was found out.
#[derive(Debug)]
pub struct Examined {
    /// The parts that do not matter.
    pub parts: Vec<Vacuity>,
    conclusion: Conclusion,
}

#[derive(Debug)]
enum Conclusion {
    Vacuous,
    NotVacuous,
    /// When the conditions become true.
    Reached(String),
    /// Why not everything was looked at.
    Open(&'static str),
}

impl Examined {
    fn open(parts: Vec<Vacuity>, why: &'static str) -> Examined {
        Examined { parts, conclusion: Conclusion::Open(why) }
    }

    /// Nothing was looked at, for a reason.
    pub fn not_under(why: &'static str) -> Examined {
        Examined::open(Vec::new(), why)
    }

    /// Whether the property is vacuous.
    pub fn vacuous(&self) -> bool {
        self.parts.iter().any(|part| part.kind != VacuityKind::Condition)
    }

    /// What is said about a property that was checked at this cost.
    pub fn message(&self, cost: &str) -> String {
        match &self.conclusion {
            Conclusion::Vacuous => format!("{cost}, vacuous"),
            Conclusion::NotVacuous => format!("{cost}, not vacuous"),
            Conclusion::Reached(when) => format!("{when}, so not vacuous"),
            Conclusion::Open(why) => format!("{cost}; vacuity not looked for: {why}"),
        }
    }
}

impl Temporal {
    /// Looks for parts of a formula that holds, and took so many product states, that do not matter.
    pub(super) fn examine<'a, S: TransitionSystem>(
        &self,
        formula: Formula,
        took: u64,
        seeking: &Seeking<'a, S>,
        states: &mut Numbered<'a, S>,
        observer: &mut dyn Observer,
    ) -> Examined {
        let mut formulas = self.formulas.clone();
        let shown = |formula: Formula| self.formulas.show(formula, Spelling::Spin);
        if matches!(tgba::is_valid(&mut formulas, formula), Ok(true)) {
            let text = "it holds in every model".to_owned();
            let (part, kind) = (shown(formula), VacuityKind::Tautology);
            let one = Vacuity { kind, formula: part.clone(), part, text };
            return Examined { parts: vec![one], conclusion: Conclusion::Vacuous };
        }
        if took > QUICK {
            return Examined::open(Vec::new(), "there are too many states");
        }
        let mut left = MOST_STATES;
        let mut idle: Vec<Part> = Vec::new();
        let mut found: Vec<Vacuity> = Vec::new();
        for part in parts(&mut formulas, formula, MOST_PARTS) {
            if idle.iter().any(|other| part.lies_in(other)) {
                continue;
            }
            let negation = formulas.negation(part.stronger);
            let Ok(automaton) = tgba::best(&mut formulas, negation) else { continue };
            let question = (&formulas, negation, &automaton);
            match seeking.is_empty(question, states, &mut left, observer) {
                Ok(false) => {}
                Ok(true) => {
                    let stronger = formulas.show(part.stronger, Spelling::Spin);
                    found.push(told(&part, &stronger, &shown));
                    idle.push(part);
                }
                Err(Stopped::StateLimit) => {
                    return Examined::open(found, "there are too many states");
                }
                Err(_) => return Examined::open(found, "the search was stopped"),
            }
        }
        let mut examined = Examined { parts: found, conclusion: Conclusion::Vacuous };
        if !examined.vacuous() {
            let reached = self.reached(formula, states);
            examined.conclusion = reached.map_or(Conclusion::NotVacuous, Conclusion::Reached);
        }
        examined
    }

    /// When the conditions of a formula become true.
    fn reached<S: TransitionSystem>(
        &self,
        formula: Formula,
        states: &mut Numbered<'_, S>,
    ) -> Option<String> {
        let triggers = triggers(&self.formulas, formula);
        let mut last = None;
        for &trigger in &triggers {
            if !self.formulas.is_boolean(trigger) {
                return None;
            }
            let mut holds =
                |letter| satisfies(&self.formulas, trigger, &Lasso::resting(vec![letter]));
            let depth = states.nearest(&mut holds, MOST_LOOKED_AT).ok()??;
            last = last.max(Some(depth));
        }
        let which = if triggers.len() == 1 { "trigger" } else { "triggers" };
        Some(match last? {
            0 => format!("{which} reached at the start"),
            step => format!("{which} reached at step {step}"),
        })
    }
}

/// What is said about a part that does not matter.
fn told(part: &Part, stronger: &str, shown: &dyn Fn(Formula) -> String) -> Vacuity {
    let text = shown(part.part);
    let (kind, sentence) = match part.role {
        Role::Answer(trigger) => {
            let trigger = shown(trigger);
            let sentence = format!(
                "`{trigger}` never becomes true, so `{text}` is never asked for: `{stronger}` holds"
            );
            (VacuityKind::Trigger, sentence)
        }
        Role::Condition => {
            (VacuityKind::Condition, format!("`{text}` is not needed: `{stronger}` holds as well"))
        }
        Role::Other => {
            (VacuityKind::Part, format!("`{text}` does not matter: `{stronger}` holds as well"))
        }
    };
    Vacuity { kind, part: text, formula: stronger.to_owned(), text: sentence }
}
