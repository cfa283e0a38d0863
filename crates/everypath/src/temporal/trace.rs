//! Trace assertions: which messages move through some channels, in which order.

use everypath_lang_promela::EventTrace;
use everypath_layer_product::Monitor;
use everypath_machine::{Interpreter, Machine};
use everypath_model::{Action, Describe, End, Message, ModelError, Value};

use super::sequences::Sequence;

/// An event with the fields as messages have them.
struct Event {
    channel: String,
    send: bool,
    fields: Vec<Option<Value>>,
}

impl Event {
    fn is(&self, message: &Message) -> bool {
        let same = |(wanted, field): (&Option<Value>, &Value)| {
            wanted.as_ref().is_none_or(|wanted| wanted == field)
        };
        self.concerns(message) && self.fields.iter().zip(&message.fields).all(same)
    }

    fn concerns(&self, message: &Message) -> bool {
        self.channel == message.channel && self.send == message.send
    }
}

/// Follows a trace assertion along the steps of a system.
pub struct TraceMonitor<'a> {
    system: &'a Interpreter,
    trace: &'a EventTrace,
    negated: bool,
    events: Vec<Event>,
    /// Which transitions may move a message.
    talks: Vec<bool>,
}

impl<'a> TraceMonitor<'a> {
    /// One for a trace assertion, or for what must not be; or why there cannot be one.
    pub fn new(
        system: &'a Interpreter,
        trace: &'a EventTrace,
        negated: bool,
    ) -> Result<TraceMonitor<'a>, String> {
        let machine: &Machine = system.machine();
        let mut events = Vec::new();
        for event in &trace.events {
            let channel = event.channel.clone();
            let Some(fields) = machine.message_of(&channel, &event.fields) else {
                return Err(format!("`{channel}` is not a global channel with these messages"));
            };
            events.push(Event { channel, send: event.send, fields });
        }
        let count = machine.transitions.len() as u32;
        let talks = (0..count).map(|transition| machine.moves_messages(transition)).collect();
        Ok(TraceMonitor { system, trace, negated, events, talks })
    }

    /// The messages in scope that move in some steps.
    fn messages(&self, before: &[u32], actions: &[Action]) -> Result<Vec<Message>, ModelError> {
        if !actions.iter().any(|action| self.talks[action.transition as usize]) {
            return Ok(Vec::new());
        }
        let steps = self
            .system
            .replay(before, actions)
            .map_err(|error| ModelError(format!("a step does not replay: {}", error.message)))?;
        let all = steps.into_iter().flat_map(|step| step.earlier.into_iter().chain(step.message));
        let in_scope = |message: &Message| {
            !message.lost && self.events.iter().any(|event| event.concerns(message))
        };
        Ok(all.filter(in_scope).collect())
    }

    /// Where a message leads; `None` if it is an error.
    fn next(&self, at: usize, message: &Message) -> Result<Option<usize>, ModelError> {
        if self.negated && at == self.trace.end {
            return Ok(Some(at));
        }
        let edges = &self.trace.points[at];
        let mut fitting = edges.iter().filter(|(event, _)| self.events[*event].is(message));
        let found = fitting.next().map(|&(_, target)| target);
        if fitting.next().is_some() {
            let what = format!("the trace assertion is not deterministic at `{}`", show(message));
            return Err(ModelError(what));
        }
        Ok(match (found, self.negated) {
            (Some(target), true) if target == self.trace.end => None,
            // Only the first attempt counts.
            (None, true) => Some(self.trace.end),
            (found, _) => found,
        })
    }
}

impl Monitor for TraceMonitor<'_> {
    fn start(&self) -> u32 {
        self.trace.start as u32
    }

    fn after(
        &self,
        at: u32,
        before: &[u32],
        actions: &[Action],
    ) -> Result<Option<u32>, ModelError> {
        let mut at = at as usize;
        for message in self.messages(before, actions)? {
            match self.next(at, &message)? {
                Some(next) => at = next,
                None => return Ok(None),
            }
        }
        Ok(Some(at as u32))
    }

    /// As for SPIN, a run without processes at its end may end anywhere.
    fn may_end(&self, at: u32, state: &[u32], end: End) -> bool {
        self.negated
            || end == End::Deadlock
            || self.trace.may_end[at as usize]
            || self.system.processes(state).is_empty()
    }
}

impl Sequence for TraceMonitor<'_> {
    fn events(&self, before: &[u32], actions: &[Action]) -> Result<Vec<String>, ModelError> {
        let mut at = self.trace.start;
        let mut events = Vec::new();
        for message in self.messages(before, actions)? {
            events.push(show(&message));
            match self.next(at, &message)? {
                Some(next) => at = next,
                None => break,
            }
        }
        Ok(events)
    }

    fn wrong(&self, last: Option<&str>) -> String {
        match (last, self.negated) {
            (Some(_), true) => "a run can match the notrace assertion".to_owned(),
            (Some(event), false) => format!("the trace assertion has no `{event}` here"),
            (None, _) => "a run can end before the trace assertion is complete".to_owned(),
        }
    }
}

/// A message as statements are written: `q!a,1`.
fn show(message: &Message) -> String {
    let fields: Vec<String> = message.fields.iter().map(ToString::to_string).collect();
    let mark = if message.send { '!' } else { '?' };
    format!("{}{mark}{}", message.channel, fields.join(","))
}
