//! The document `everypath.trace/1`: one run of a model, self-contained.

use everypath_model::Value;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{BlockedLane, Explanation, Place};

/// Value of [`Trace::schema`].
pub const TRACE_SCHEMA: &str = "everypath.trace/1";

/// Names with values, in a fixed order.
pub type Values = serde_json::Map<String, serde_json::Value>;

/// A value as documents hold it: numbers, truth values, words, lists.
pub fn json_value(value: &Value) -> serde_json::Value {
    match value {
        Value::Int(number) => (*number).into(),
        Value::Bool(truth) => (*truth).into(),
        Value::Name(word) => word.as_str().into(),
        Value::List(items) => items.iter().map(json_value).collect(),
    }
}

/// One run, from an initial state to the state that matters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    /// [`TRACE_SCHEMA`].
    #[schemars(extend("const" = TRACE_SCHEMA))]
    pub schema: String,
    /// What the run shows.
    pub result: TraceSubject,
    /// The number of the step after which the state is the one that the last step leads to: from
    /// there the run repeats for ever. `None` for a finite run.
    #[serde(rename = "loop")]
    pub loop_start: Option<u64>,
    /// What the run is a run of.
    pub model: TraceModel,
    /// How long it is.
    pub length: Length,
    /// The processes that move: those of the initial state in their order, then as they appear.
    pub lanes: Vec<Lane>,
    /// All values at the start.
    pub init: Values,
    /// The statements in order.
    pub steps: Vec<TraceStep>,
    /// How it ends.
    pub end: End,
    /// What is remarkable about it.
    pub explain: Vec<Explanation>,
}

/// What a run shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TraceSubject {
    /// The id of the property in the result document.
    pub property: String,
    /// `safety`, or `liveness` for a run with a loop; `simulation` for a walk that shows nothing
    /// wrong.
    pub kind: String,
}

/// What a run is a run of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TraceModel {
    /// The language.
    pub lang: String,
    /// Hash of the main file.
    pub sha256: String,
    /// All files, the main file first.
    pub sources: Vec<Source>,
    /// How it was read; `None` in documents that do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<TraceReading>,
}

/// How a model was read, so that it can be read again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TraceReading {
    /// Macros that were defined: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Macros that were forgotten.
    pub undefines: Vec<String>,
    /// Directories where included files were looked for.
    pub includes: Vec<String>,
    /// Conditions that every state had to satisfy.
    pub invariants: Vec<String>,
    /// Java: the file or directory that was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Java: the class path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub class_path: Vec<String>,
    /// Java: where sources were looked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source_path: Vec<String>,
    /// Java: the class with `main`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main: Option<String>,
    /// Java: what steps leave out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reductions: Vec<String>,
    /// Java: conditions before whose change steps end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub propositions: Vec<String>,
    /// Java: the same for events, `NAME=call Class.method`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
    /// Java: the arguments of the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// Java: the most frames of a thread, if something was said about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack_limit: Option<u64>,
    /// Java: whether threads that wait may wake up without a reason.
    #[serde(default, skip_serializing_if = "is_false")]
    pub spurious_wakeups: bool,
    /// Java: whether weak compare-and-set may fail without a reason.
    #[serde(default, skip_serializing_if = "is_false")]
    pub spurious_failures: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// One source text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// Its path.
    pub path: String,
    /// Its hash.
    pub sha256: String,
    /// Its text.
    pub text: String,
}

/// How long a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Length {
    /// Number of moves: an indivisible sequence of statements is one.
    pub moves: u64,
    /// How often another process takes over.
    pub switches: u64,
    /// Whether no run with fewer moves shows the same.
    pub shortest: bool,
    /// Whether no run with as many moves has fewer switches.
    pub fewest_switches: bool,
}

/// A process that moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lane {
    /// Position in [`Trace::lanes`].
    pub id: u32,
    /// The name of what it runs.
    pub name: String,
    /// Which of several instances; `None` if there is one.
    pub index: Option<u64>,
}

impl Lane {
    /// A lane from the name of a process, `Inc[0]` or `Check`.
    pub fn new(id: u32, process: &str) -> Lane {
        let parts = process.strip_suffix(']').and_then(|rest| {
            let (name, index) = rest.rsplit_once('[')?;
            // Only what `title` gives back: no signs, no leading zeros.
            let number = index.parse::<u64>().ok().filter(|n| n.to_string() == index)?;
            Some((name.to_owned(), number))
        });
        match parts {
            Some((name, index)) => Lane { id, name, index: Some(index) },
            None => Lane { id, name: process.to_owned(), index: None },
        }
    }

    /// The name of the process.
    pub fn title(&self) -> String {
        match self.index {
            Some(index) => format!("{}[{index}]", self.name),
            None => self.name.clone(),
        }
    }
}

/// One statement of one process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TraceStep {
    /// Its number, from 1.
    pub i: u64,
    /// Who moved: index into [`Trace::lanes`].
    pub lane: u32,
    /// Which of the enabled choices was taken, so that a trace is also a schedule.
    pub choice: Vec<u32>,
    /// How many choices there were.
    pub enabled: u32,
    /// Where the statement stands.
    pub span: Place,
    /// The statement.
    pub text: String,
    /// The shared variables that it read, with their values before it.
    pub reads: Values,
    /// The variables of its own process that it read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<String>,
    /// The variables that it wrote, with their values after it, also when they stayed the same, and
    /// everything else that changed; null for what is gone.
    pub set: Values,
    /// The message that moved.
    pub msg: Option<Msg>,
    /// Whether nobody else could move between this step and the next.
    pub atomic: bool,
    /// The calls it is inside of, outermost first.
    pub stack: Vec<String>,
    /// Its part in the story.
    pub role: Option<Role>,
    /// State of the property automaton after it; `None` for a property without one.
    pub prop: Option<serde_json::Value>,
    /// What it printed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// The locks that it took.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub takes: Vec<String>,
    /// The locks that it gave back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub releases: Vec<String>,
    /// The locks that its process holds after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<String>,
    /// What else it did with other processes, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deeds: Vec<String>,
    /// The fault that happened in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<StepFault>,
    /// All values after it: given every 64 steps, so that a viewer can jump.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyframe: Option<Values>,
}

/// A message that moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Msg {
    /// The channel.
    pub channel: String,
    /// Its fields.
    pub payload: Vec<serde_json::Value>,
    /// Whether it was put in or taken out.
    pub motion: Motion,
    /// Whether sender and receiver moved together.
    pub rendezvous: bool,
    /// Whether the channel was full and lost it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
    /// The step that sent it, as far as the run knows.
    pub sender: Option<u64>,
    /// The step that received it.
    pub receiver: Option<u64>,
}

/// The direction of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Motion {
    /// Into the channel.
    Send,
    /// Out of the channel.
    Receive,
    /// Looked at, and left in the channel.
    Peek,
}

/// The part of a step in the story of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Without it, things would have gone another way.
    Cause,
    /// Here the property is violated.
    Failure,
}

/// A fault in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepFault {
    /// `EPnnnn`
    pub code: String,
    /// One sentence.
    pub message: String,
    /// Java: the class of the exception.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exception: Option<String>,
    /// The stack trace, innermost call first, if the language has calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<String>,
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct End {
    /// What the end is: `assertion`, `deadlock`, `invariant`, the kind of a fault; `cycle` for a run
    /// that goes on for ever, `standstill` for one that rests for ever; `end` or `steps` for a walk that shows nothing wrong.
    pub reason: String,
    /// The variables that the violated condition reads, with who wrote them last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// Who waits, when nobody can move.
    pub blocked: Vec<BlockedLane>,
}

/// A variable that matters at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: serde_json::Value,
    /// The step that wrote it last; `None` if it still has its initial value.
    pub step: Option<u64>,
}

/// A value as people read it.
pub fn value_text(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(word) => word.clone(),
        serde_json::Value::Array(items) => {
            format!("[{}]", items.iter().map(value_text).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// Changes values as a step does.
pub fn apply(values: &mut Values, step: &TraceStep) {
    for (name, value) in &step.set {
        if value.is_null() {
            values.shift_remove(name);
        } else {
            values.insert(name.clone(), value.clone());
        }
    }
}

impl Trace {
    /// All values after each step, the initial ones first.
    pub fn states(&self) -> Vec<Values> {
        let mut states = vec![self.init.clone()];
        for step in &self.steps {
            let mut values = states[states.len() - 1].clone();
            apply(&mut values, step);
            states.push(values);
        }
        states
    }

    /// All values after a step, 0 for the initial ones.
    pub fn values_after(&self, number: usize) -> Values {
        let steps = &self.steps[..number.min(self.steps.len())];
        let from = steps.iter().rposition(|step| step.keyframe.is_some());
        let mut values = match from.and_then(|at| steps[at].keyframe.as_ref()) {
            Some(keyframe) => keyframe.clone(),
            None => self.init.clone(),
        };
        for step in &steps[from.map_or(0, |at| at + 1)..] {
            apply(&mut values, step);
        }
        values
    }

    /// All values at the end.
    pub fn last_values(&self) -> Values {
        self.values_after(self.steps.len())
    }

    /// How often another process takes over.
    pub fn count_switches(&self) -> u64 {
        self.steps.windows(2).filter(|pair| pair[0].lane != pair[1].lane).count() as u64
    }

    /// The last step before the `end`-th that wrote a variable, as an index.
    pub fn last_write(&self, variable: &str, end: usize) -> Option<usize> {
        self.steps[..end].iter().rposition(|step| step.set.contains_key(variable))
    }

    /// A statement with its line, if it has one.
    pub fn statement(&self, place: Place, text: &str) -> String {
        match place.is_nowhere() {
            true => text.to_owned(),
            false => format!("{}: {text}", self.line(place)),
        }
    }

    /// The line of a place, with the name of the file if it is not the main one.
    pub fn line(&self, place: Place) -> String {
        let line = place.start.0;
        match self.model.sources.get(place.file as usize) {
            Some(source) if place.file > 0 => {
                let name = source.path.rsplit('/').next().unwrap_or(&source.path);
                format!("{name}:{line}")
            }
            _ => line.to_string(),
        }
    }

    /// The name of the lane of a step.
    pub fn lane_title(&self, step: &TraceStep) -> String {
        self.lanes.get(step.lane as usize).map(Lane::title).unwrap_or_default()
    }

    /// Reads a document, and refuses one of another schema or with dangling references.
    pub fn from_json(text: &str) -> Result<Trace, String> {
        let trace: Trace = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if trace.schema != TRACE_SCHEMA {
            return Err(format!("the schema is `{}`, not `{TRACE_SCHEMA}`", trace.schema));
        }
        trace.validate()?;
        Ok(trace)
    }

    /// Refuses a document with dangling references: a viewer may index without asking.
    pub fn validate(&self) -> Result<(), String> {
        let files = self.model.sources.len() as u64;
        for (index, step) in self.steps.iter().enumerate() {
            let number = index as u64 + 1;
            if step.i != number {
                return Err(format!("step {number} has the number {}", step.i));
            }
            if step.lane as usize >= self.lanes.len() {
                return Err(format!("step {number} has no lane"));
            }
            if u64::from(step.span.file) >= files {
                return Err(format!("step {number} has no source file"));
            }
        }
        let steps = self.steps.len() as u64;
        if self.loop_start.is_some_and(|start| start >= steps) {
            return Err("the loop begins behind the end of the trace".to_owned());
        }
        let named = self.explain.iter().flat_map(|why| &why.steps);
        if let Some(number) = named.copied().find(|&number| number == 0 || number > steps) {
            return Err(format!("an explanation names step {number}, which there is not"));
        }
        let mut written = self.end.parts.iter().filter_map(|part| part.step);
        if let Some(number) = written.find(|&number| number == 0 || number > steps) {
            return Err(format!("a value comes from step {number}, which there is not"));
        }
        let needs = self.end.blocked.iter().flat_map(|blocked| &blocked.needs);
        let needed = needs.flat_map(|need| {
            let providers = need.providers.iter().map(|provider| provider.span);
            providers.chain([need.span])
        });
        let waiting = self.end.blocked.iter().flat_map(|blocked| &blocked.at);
        let mut waiting = waiting.map(|at| at.span).chain(needed);
        if let Some(at) = waiting.find(|span| u64::from(span.file) >= files) {
            return Err(format!("a process waits in source file {}, which there is not", at.file));
        }
        for step in &self.steps {
            let msg = step.msg.iter().flat_map(|msg| msg.sender.into_iter().chain(msg.receiver));
            if let Some(number) = msg.into_iter().find(|&number| number == 0 || number > steps) {
                return Err(format!("a message names step {number}, which there is not"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_keep_their_names() {
        for name in ["Inc[0]", "Check", "a[1][2]", "x]", "x[]", "[3]", "x[-1]", "x[01]", ""] {
            assert_eq!(Lane::new(0, name).title(), name);
        }
        assert_eq!(Lane::new(0, "Inc[12]").index, Some(12));
        assert_eq!(Lane::new(0, "x[01]").index, None);
    }

    #[test]
    fn values_become_json() {
        let list = Value::List(vec![Value::Name("REQ".into()), Value::Int(-1), Value::Bool(true)]);
        assert_eq!(json_value(&list).to_string(), r#"["REQ",-1,true]"#);
    }
}
