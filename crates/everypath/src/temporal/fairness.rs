//! Strong fairness: which statements count, and whether one choice alone makes a difference.

use everypath_engine_explicit::emptiness::Deed;
use everypath_model::{Action, Named, Sources};
use everypath_verdict::{Place, Trace};

use super::Temporal;
use super::cycles::Manner;
use crate::choices::FairArg;

/// Choices of a cycle, at most, that are tried one by one.
const MOST_CHOICES: usize = 8;

/// Every statement of every process counts.
pub fn statements(actions: &[Action], deeds: &mut Vec<Deed>) {
    deeds.extend(actions.iter().map(deed));
}

/// What is assumed, in words: strong fairness may be that of some choices only.
pub fn name(fairness: FairArg, choices: &[u32]) -> String {
    let lines: Vec<String> = choices.iter().map(u32::to_string).collect();
    match lines.len() {
        0 => fairness.name().to_owned(),
        1 => format!("{} on choice {}", fairness.name(), lines[0]),
        _ => format!("{} on choices {}", fairness.name(), lines.join(", ")),
    }
}

fn deed(action: &Action) -> Deed {
    u64::from(action.process) << 32 | u64::from(action.transition)
}

/// Judges a property under strong fairness of some statements.
pub type Judge<'a> = dyn FnMut(&dyn Fn(&[Action], &mut Vec<Deed>)) -> Option<&'static str> + 'a;

impl Temporal {
    /// The statements of the choices at some lines; or the line at which there is none.
    pub fn choices_at(&self, sources: &Sources, lines: &[u32]) -> Result<Vec<u32>, u32> {
        let machine = self.system.machine();
        let mut all = Vec::new();
        for &line in lines {
            let locations = machine.proctypes.iter().flat_map(|proctype| &proctype.locations);
            let before = all.len();
            for location in locations.filter(|location| location.edges.len() > 1) {
                let choice: Vec<u32> = location.edges.iter().map(|edge| edge.transition).collect();
                if self.line(sources, &choice) == line {
                    all.extend(choice);
                }
            }
            if all.len() == before {
                return Err(line);
            }
        }
        Ok(all)
    }

    /// Whether a statement counts for strong fairness.
    pub(super) fn counts<'a>(
        &self,
        manner: &Manner<'a>,
    ) -> impl Fn(&[Action], &mut Vec<Deed>) + use<'a> {
        // That there are such choices was found out before.
        let chosen = self.choices_at(manner.sources, manner.choices).unwrap_or_default();
        let all = manner.choices.is_empty();
        move |actions, deeds| {
            let counts = |action: &&Action| all || chosen.contains(&action.transition);
            deeds.extend(actions.iter().filter(counts).map(deed));
        }
    }

    /// The verdict under strong fairness; if it then holds, and a single choice is enough for that, the
    /// verdict under strong fairness of that choice.
    pub(super) fn strong_rungs(
        &self,
        trace: &Trace,
        sources: &Sources,
        judge: &mut Judge<'_>,
    ) -> Option<(String, &'static str)> {
        let word = judge(&statements)?;
        if word == "holds" {
            for choice in self.choices(trace, sources) {
                let of_choice = |actions: &[Action], deeds: &mut Vec<Deed>| {
                    let counts = |action: &&Action| choice.contains(&action.transition);
                    deeds.extend(actions.iter().filter(counts).map(deed));
                };
                if judge(&of_choice) == Some("holds") {
                    let line = self.line(sources, &choice);
                    return Some((format!("strong on the choice at line {line}"), "holds"));
                }
            }
        }
        Some(("strong".to_owned(), word))
    }

    /// The choices between statements that the cycle of a run makes, as transitions.
    fn choices(&self, trace: &Trace, sources: &Sources) -> Vec<Vec<u32>> {
        let machine = self.system.machine();
        let start = trace.loop_start.unwrap_or(trace.steps.len() as u64) as usize;
        let texts: Vec<(&str, (u32, u32))> =
            trace.steps[start..].iter().map(|step| (step.text.as_str(), step.span.start)).collect();
        let taken = |transition: u32| {
            let one = &machine.transitions[transition as usize];
            let place = Place::of(sources, one.span).start;
            texts.contains(&(one.text.as_str(), place))
        };
        let locations = machine.proctypes.iter().flat_map(|proctype| &proctype.locations);
        let mut choices: Vec<Vec<u32>> = Vec::new();
        for location in locations.filter(|location| location.edges.len() > 1) {
            let all: Vec<u32> = location.edges.iter().map(|edge| edge.transition).collect();
            if all.iter().any(|&transition| taken(transition)) && !choices.contains(&all) {
                choices.push(all);
            }
        }
        choices.truncate(MOST_CHOICES);
        choices
    }

    /// The first line of a choice.
    fn line(&self, sources: &Sources, choice: &[u32]) -> u32 {
        let machine = self.system.machine();
        let spans = choice.iter().map(|&transition| machine.transitions[transition as usize].span);
        let lines = spans.map(|span| Place::of(sources, span).start.0);
        lines.min().unwrap_or(0)
    }
}
