//! Which claim or which cycles a search looks for, as SPIN would.

use everypath_engine_explicit::emptiness::Method;
use everypath_engine_explicit::{Observer, Options};
use everypath_model::Named;
use everypath_property::{Declared, PropertyKind};

use super::machine::Model;
use super::options::Search;
use crate::choices::{CyclesArg, ExecArg, FairArg, ReduceArg};
use crate::reduce::Reductions;
use crate::temporal::cycles::Manner;
use crate::temporal::emptiness::{General, How};
use crate::temporal::{Sighted, Sighting};

/// What is looked for besides errors in states.
pub struct Looked {
    /// The place among the model's claims.
    index: usize,
    /// The claim; `None` if only labels count.
    pub claim: Option<String>,
    /// What cycles are called; `None` if none are looked for.
    pub cycles: Option<&'static str>,
}

impl Looked {
    /// What a search looks for; or why that cannot be.
    pub fn new(model: &Model, asked: &Search) -> Result<Option<Looked>, String> {
        let cycles = !asked.safety && !asked.breadth;
        let find = |wanted: &dyn Fn(&Declared) -> bool| model.claims.iter().position(wanted);
        let of_labels = |what: CyclesArg| {
            find(&|one| one.kind == PropertyKind::Cycles && one.name == what.name())
        };
        if asked.non_progress {
            if !cycles {
                return Err(
                    "`-l` looks for cycles, which `-safety` and `-bfs` leave out".to_owned()
                );
            }
            let name = Some(":np_:".to_owned());
            let made = |index| Looked { index, claim: name, cycles: Some("non-progress") };
            return Ok(of_labels(CyclesArg::Progress).map(made));
        }
        let index = match &asked.claim {
            _ if asked.no_claim => None,
            Some(name) => {
                Some(find(&|one| is_claim(one) && shown(one) == *name).ok_or_else(|| {
                    let names: Vec<String> =
                        model.claims.iter().filter(|one| is_claim(one)).map(shown).collect();
                    let there = match names.len() {
                        0 => "there are none".to_owned(),
                        _ => format!("there are {}", names.join(", ")),
                    };
                    format!("the model has no claim `{name}`: {there}")
                })?)
            }
            None => match model.of_command_line {
                Some(kind) => {
                    model.claims.iter().rposition(|one| is_claim(one) && one.kind == kind)
                }
                None => find(&is_claim),
            },
        };
        if let Some(index) = index {
            let claim = Some(shown(&model.claims[index]));
            return Ok(Some(Looked { index, claim, cycles: cycles.then_some("acceptance") }));
        }
        if cycles && (asked.acceptance || model.has_label("accept")) {
            let made = |index| Looked { index, claim: None, cycles: Some("acceptance") };
            return Ok(of_labels(CyclesArg::Accept).map(made));
        }
        Ok(None)
    }

    /// Looks for it.
    pub fn look(
        &self,
        model: &Model,
        asked: &Search,
        options: &Options<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Sighting, String> {
        let reductions = match asked.no_reduction {
            true => Reductions::default(),
            false => Reductions::new(&[ReduceArg::Default]),
        };
        let manner = Manner {
            exec: ExecArg::Jit,
            fairness: if asked.fair { FairArg::Weak } else { FairArg::None },
            choices: &[],
            how: How::Auto { threads: 1, general: General::Alone(Method::default()) },
            reductions: &reductions,
            options,
            sources: &model.sources,
            lang: "promela",
        };
        model.temporal.sight(self.index, self.cycles.is_none(), &manner, observer)
    }

    /// A run that was found, in SPIN's words.
    pub fn error(&self, run: &Sighted) -> String {
        match (run.cycle, self.cycles) {
            (Some(start), Some(name)) => format!("{name} cycle (at depth {start})"),
            _ => format!("end state in claim reached (at depth {})", run.actions.len()),
        }
    }

    /// The option of `check` that asks for the same.
    pub fn natively(&self) -> String {
        match (&self.claim, self.cycles) {
            (_, Some("non-progress")) => "--cycles progress".to_owned(),
            (None, _) => "--cycles accept".to_owned(),
            (Some(name), _) if name == NEVER => "--only never".to_owned(),
            (Some(name), _) => format!("--only {name}"),
        }
    }
}

/// What SPIN calls a claim without a name.
const NEVER: &str = "never_0";

fn is_claim(one: &Declared) -> bool {
    matches!(one.kind, PropertyKind::Ltl | PropertyKind::Never)
}

/// The name of a claim for SPIN.
fn shown(one: &Declared) -> String {
    match one.kind {
        PropertyKind::Never => NEVER.to_owned(),
        _ => one.name.clone(),
    }
}

/// Whether there are claims by which SPIN's verifier would be guided.
pub fn exist(model: &Model) -> bool {
    model.claims.iter().any(is_claim)
}
