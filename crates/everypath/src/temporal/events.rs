//! Properties of events: which statements are which events, and an automaton that reads them.

use everypath_lang_promela::ast::{Model, Proctype};
use everypath_lang_promela::labels;
use everypath_layer_product::Monitor;
use everypath_machine::Interpreter;
use everypath_model::{Action, Diagnostic, End, ModelError, Severity, most_similar};
use everypath_property::events::{EventProperty, Fsa};

use super::sequences::{Sequence, wrong_order};
use crate::input::placeless;

/// What an event is in a model.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// The statements that come first behind this label, in one proctype or in all of them.
    Label(Option<String>, String),
    /// The statements with this text, without blanks.
    Text(String),
}

/// A property with the meanings of its events.
#[derive(Clone, Debug)]
pub struct Events {
    /// What every run must be.
    pub required: Fsa,
    /// What each event is.
    pub meanings: Vec<Meaning>,
}

impl Events {
    /// The events of a property in a model; `definitions` are names with what they stand for.
    pub fn new(property: &EventProperty, model: &Model, definitions: &[String]) -> Events {
        let required = property.required();
        let meaning = |event: &String| {
            let defined = definitions.iter().rev().find_map(|definition| {
                let (name, what) = definition.split_once('=')?;
                (name.trim() == event).then(|| what.trim())
            });
            meaning(model, defined.unwrap_or(event))
        };
        let meanings = required.events.iter().map(meaning).collect();
        Events { required, meanings }
    }

    /// What watches a system for them; or the event that no statement is.
    pub fn monitor<'a>(
        &'a self,
        name: &'a str,
        system: &Interpreter,
    ) -> Result<EventMonitor<'a>, &'a str> {
        let machine = system.machine();
        let transitions = &machine.transitions;
        let mut of = vec![Vec::new(); transitions.len()];
        for (event, meaning) in self.meanings.iter().enumerate() {
            // Not by their places: the text of an inline stands for a statement in each call.
            let is: Vec<bool> = match meaning {
                Meaning::Label(proctype, label) => {
                    let mut is = vec![false; transitions.len()];
                    let wanted = |name: &String| proctype.as_ref().is_none_or(|p| p == name);
                    let proctypes = machine.proctypes.iter().filter(|one| wanted(&one.name));
                    let all = proctypes.flat_map(|one| &one.labels);
                    for (_, first) in all.filter(|(name, _)| name == label) {
                        first.iter().for_each(|&transition| is[transition as usize] = true);
                    }
                    is
                }
                Meaning::Text(text) => {
                    let texts = transitions.iter().map(|transition| bare(&transition.text));
                    texts.map(|own| !text.is_empty() && own == *text).collect()
                }
            };
            let some = is.contains(&true);
            for (of, is) in of.iter_mut().zip(is) {
                if is {
                    of.push(event);
                }
            }
            if !some {
                return Err(&self.required.events[event]);
            }
        }
        let traps = (0..self.required.len()).map(|state| self.required.is_trap(state)).collect();
        Ok(EventMonitor { name, fsa: &self.required, of, traps })
    }
}

/// A label, `Proctype@label`, or the text of a statement.
fn meaning(model: &Model, what: &str) -> Meaning {
    let (proctype, label) = match what.split_once('@') {
        Some((proctype, label)) => (Some(proctype.trim().to_owned()), label.trim()),
        None => (None, what),
    };
    let wanted = |one: &&Proctype| proctype.as_ref().is_none_or(|name| one.name == *name);
    let mut all = model.proctypes.iter().filter(wanted).flat_map(|one| &one.labels);
    match all.any(|one| one.name == label) {
        true => Meaning::Label(proctype, label.to_owned()),
        false => Meaning::Text(bare(what)),
    }
}

/// A text without blanks.
fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The error that no statement is an event.
pub fn no_such_event(model: &Model, system: &Interpreter, event: &str) -> Diagnostic {
    let texts = system.machine().transitions.iter().map(|transition| transition.text.as_str());
    let near = most_similar(event, labels(model).into_iter().chain(texts));
    let message = format!("no statement of the model is the event `{event}`");
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!(
            "an event is a label, Proctype@label or the text of a statement; --event {event}=... says which"
        ),
    };
    Diagnostic { help: Some(help), ..placeless(Severity::Error, "EP1705", message) }
}

/// Follows an automaton along the steps of a system.
pub struct EventMonitor<'a> {
    /// The name of the property.
    name: &'a str,
    fsa: &'a Fsa,
    /// The events of each transition.
    of: Vec<Vec<usize>>,
    /// From where nothing is accepted any more.
    traps: Vec<bool>,
}

impl Monitor for EventMonitor<'_> {
    fn start(&self) -> u32 {
        self.fsa.start as u32
    }

    fn after(&self, at: u32, _: &[u32], actions: &[Action]) -> Result<Option<u32>, ModelError> {
        let mut at = at as usize;
        for event in actions.iter().flat_map(|action| &self.of[action.transition as usize]) {
            at = self.fsa.delta[at][*event];
            if self.traps[at] {
                return Ok(None);
            }
        }
        Ok(Some(at as u32))
    }

    fn may_end(&self, at: u32, _: &[u32], _: End) -> bool {
        self.fsa.accepting[at as usize]
    }
}

impl Sequence for EventMonitor<'_> {
    fn events(&self, _: &[u32], actions: &[Action]) -> Result<Vec<String>, ModelError> {
        let mut at = self.fsa.start;
        let mut events = Vec::new();
        for &event in actions.iter().flat_map(|action| &self.of[action.transition as usize]) {
            events.push(self.fsa.events[event].clone());
            at = self.fsa.delta[at][event];
            if self.traps[at] {
                break;
            }
        }
        Ok(events)
    }

    fn wrong(&self, last: Option<&str>) -> String {
        wrong_order(self.name, last)
    }
}
