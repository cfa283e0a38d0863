//! A trace run again, on its own model or on a changed one.

use std::collections::VecDeque;

use everypath_model::{
    Action, Choice, End as EndOf, Fault, FaultInfo, MicroStep, ModelError, Moment, Simulate,
    Sources, Successors,
};

use crate::replay::values;
use crate::{Claim, Halt, Place, Trace, TraceStep, Values, apply, json_value};

/// How exactly a trace is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// Every step must be possible as it is written, and every value must be the recorded one.
    Strict,
    /// Steps are found by process and statement, near the recorded line. Those that are gone are
    /// left out, and those that are new are made where they are in the way.
    Loose,
}

/// A trace that was run again.
#[derive(Clone, Debug)]
pub struct Rerun {
    /// The state where the run begins.
    pub initial: Vec<u32>,
    /// What was done.
    pub actions: Vec<Action>,
    /// The same by numbers of choices, for who walks on.
    pub picks: Vec<usize>,
    /// How many steps of the trace were made.
    pub followed: u64,
    /// Steps of the trace that were not possible; none if strict.
    pub skipped: Vec<Skipped>,
    /// How many steps were made that the trace does not have; none if strict.
    pub inserted: u64,
    /// What the run shows.
    pub ending: Ending,
}

/// A step that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its number.
    pub step: u64,
    /// Why.
    pub message: String,
}

/// What a run shows at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The violation that the trace speaks of.
    Same(Claim, String),
    /// Another violation.
    Other(Claim, String),
    /// Nothing wrong.
    Nothing(Halt),
}

impl Ending {
    /// What there is to claim about the run.
    pub fn claim(&self) -> Claim {
        match self {
            Ending::Same(claim, _) | Ending::Other(claim, _) => *claim,
            Ending::Nothing(halt) => Claim::Walk(*halt),
        }
    }
}

/// A trace that is not a run of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The step that is not possible, from 1; 0 for the initial state.
    pub step: u64,
    /// Why.
    pub message: String,
    /// What was possible instead.
    pub possible: Vec<String>,
}

impl Divergence {
    fn new(step: u64, message: impl Into<String>) -> Divergence {
        Divergence { step, message: message.into(), possible: Vec::new() }
    }
}

/// How many moments are looked at to find the way to a step that is not possible yet.
const BRIDGE_MOMENTS: usize = 500;
/// How many steps such a way may have.
const BRIDGE_STEPS: usize = 12;

/// Runs a trace again.
pub fn rerun<S: Simulate>(
    system: &S,
    trace: &Trace,
    sources: &Sources,
    strictness: Strictness,
) -> Result<Rerun, Divergence> {
    let (at, known) = beginning(system, trace, strictness)?;
    let mut follower = Follower {
        system,
        trace,
        sources,
        strict: strictness == Strictness::Strict,
        run: Rerun {
            initial: at.state.clone(),
            actions: Vec::new(),
            picks: Vec::new(),
            followed: 0,
            skipped: Vec::new(),
            inserted: 0,
            ending: Ending::Nothing(Halt::Steps),
        },
        at,
        known,
        unlisted: Values::default(),
        loop_state: None,
    };
    follower.follow()?;
    Ok(follower.run)
}

/// The initial state that the trace begins with.
fn beginning<S: Simulate>(
    system: &S,
    trace: &Trace,
    strictness: Strictness,
) -> Result<(Moment, Values), Divergence> {
    let failed = |error: ModelError| Divergence::new(0, error.to_string());
    let beginnings = match system.beginnings() {
        // A run may be over before its first step, with a fault in an initial value.
        Err(_) if trace.steps.is_empty() => {
            let mut out = Successors::new();
            system.initial(&mut system.worker(), &mut out).map_err(failed)?;
            let states = out.steps().iter().map(|step| out.target(step).to_vec());
            states.map(|state| Moment { state, holder: None }).collect()
        }
        beginnings => beginnings.map_err(failed)?,
    };
    let mut all = beginnings.into_iter().map(|moment| {
        let known = values(system, &moment.state);
        (moment, known)
    });
    let first = all.next().ok_or_else(|| Divergence::new(0, "the model has no initial state"))?;
    if first.1 == trace.init {
        return Ok(first);
    }
    match all.find(|(_, known)| *known == trace.init) {
        Some(same) => Ok(same),
        None if strictness == Strictness::Loose => Ok(first),
        None => Err(Divergence::new(
            0,
            format!("the initial values differ: {}", difference(&first.1, &trace.init)),
        )),
    }
}

/// The first value that is not as recorded.
fn difference(now: &Values, recorded: &Values) -> String {
    let changed = recorded.iter().find(|(name, value)| now.get(*name) != Some(value));
    match changed {
        Some((name, value)) => match now.get(name) {
            Some(other) => format!("{name} is {other}, the trace has {value}"),
            None => format!("there is no {name}, the trace has {value}"),
        },
        None => {
            let new = now.keys().find(|name| !recorded.contains_key(*name));
            format!("the trace has no {}", new.map_or("", String::as_str))
        }
    }
}

/// What a fault is about, without the values that show it.
fn what(message: &str) -> &str {
    message.split_once(", but ").map_or(message, |(what, _)| what)
}

/// A statement without the numbers in it: a changed constant does not make another statement.
fn shape(text: &str) -> String {
    let mut shape = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '0'..='9' if shape.ends_with('0') => {}
            '0'..='9' => shape.push('0'),
            c => shape.push(c),
        }
    }
    shape
}

struct Follower<'a, S> {
    system: &'a S,
    trace: &'a Trace,
    sources: &'a Sources,
    strict: bool,
    run: Rerun,
    at: Moment,
    /// The values that the trace claims.
    known: Values,
    /// What was written and is not listed among the values of states.
    unlisted: Values,
    /// The state that the loop comes back to, and how many statements there were before.
    loop_state: Option<(Vec<u32>, usize)>,
}

/// A possible move as traces describe it.
struct Offer<'a> {
    index: usize,
    choice: &'a Choice,
    halves: Vec<(String, String, Place)>,
}

impl<S: Simulate> Follower<'_, S> {
    fn follow(&mut self) -> Result<(), Divergence> {
        let mut next = 0;
        while next < self.trace.steps.len() {
            if self.trace.loop_start == Some(next as u64) {
                self.loop_state = Some((self.at.state.clone(), self.run.actions.len()));
            }
            let number = next as u64 + 1;
            let choices = self.choices(number)?;
            let options = self.options(&self.at, &choices);
            let wanted = &self.trace.steps[next..];
            let Some((option, made)) = self.best(&options, wanted) else {
                if self.strict {
                    return Err(self.impossible(number, &wanted[0], &options));
                }
                if let Some(way) = self.bridge(wanted) {
                    for index in way {
                        let choices = self.choices(number)?;
                        self.run.inserted += choices[index].actions.len() as u64;
                        if self.take(&choices, index, false, 0)? {
                            return Ok(());
                        }
                    }
                    continue;
                }
                let divergence = self.impossible(number, &wanted[0], &options);
                self.run.skipped.push(Skipped { step: number, message: divergence.message });
                next += 1;
                continue;
            };
            let index = option.index;
            drop(options);
            next += made;
            self.run.followed += made as u64;
            let last = next == self.trace.steps.len();
            if self.take(&choices, index, last, made)? {
                return match &self.run.ending {
                    Ending::Other(_, message) if self.strict => {
                        Err(Divergence::new(next as u64, format!("it ends the run: {message}")))
                    }
                    _ => Ok(()),
                };
            }
        }
        self.end()
    }

    fn choices(&self, number: u64) -> Result<Vec<Choice>, Divergence> {
        self.system
            .choices(&self.at)
            .map_err(|error| Divergence::new(number, format!("the model gives up: {error}")))
    }

    fn options<'c>(&self, at: &Moment, choices: &'c [Choice]) -> Vec<Offer<'c>> {
        let half = |action: &Action| {
            let info = self.system.action(action.transition);
            let process = self.system.process_of(&at.state, *action);
            (process, info.text, Place::of(self.sources, info.span))
        };
        let halves = |choice: &Choice| choice.actions.iter().map(half).collect();
        let options = choices.iter().enumerate();
        options.map(|(index, choice)| Offer { index, choice, halves: halves(choice) }).collect()
    }

    /// The option that is meant by the next steps of the trace, and how many of them it makes.
    fn best<'o, 'c>(
        &self,
        options: &'o [Offer<'c>],
        wanted: &[TraceStep],
    ) -> Option<(&'o Offer<'c>, usize)> {
        let fits = |offer: &Offer<'_>| {
            let (mut away, mut numbers) = (0, false);
            // A run may end in the middle of a rendezvous, where its second half fails.
            for ((process, text, place), step) in offer.halves.iter().zip(wanted) {
                let same = *text == step.text;
                let alike = same || (!self.strict && shape(text) == shape(&step.text));
                if *process != self.trace.lane_title(step) || !alike {
                    return None;
                }
                if self.strict && *place != step.span {
                    return None;
                }
                numbers |= !same;
                away += u64::from(place.start.0.abs_diff(step.span.start.0));
            }
            Some((numbers, away))
        };
        let number = wanted.first()?.choice.first().copied();
        let rank = |option: &&Offer<'_>| {
            let away = fits(option)?;
            let last = option.halves.len() >= wanted.len();
            let faultless = option.choice.faults.is_empty();
            let other = number.is_none_or(|number| number as usize != option.index);
            // The number tells apart what is written alike; the last step is the one that fails.
            Some((away, last && faultless, other, option.index))
        };
        let ranked = options.iter().filter_map(|option| Some((rank(&option)?, option)));
        let (_, option) = ranked.min_by_key(|(rank, _)| *rank)?;
        Some((option, option.halves.len().min(wanted.len())))
    }

    fn impossible(&self, number: u64, step: &TraceStep, options: &[Offer<'_>]) -> Divergence {
        let lane = self.trace.lane_title(step);
        let line = step.span.start.0;
        let possible = options
            .iter()
            .map(|option| {
                let halves: Vec<String> = option
                    .halves
                    .iter()
                    .map(|(process, text, place)| format!("{process} {}: {text}", place.start.0))
                    .collect();
                halves.join(", with ")
            })
            .collect();
        let message = format!("{lane} cannot execute {line}: {}", step.text);
        Divergence { step: number, message, possible }
    }

    /// A way of other steps to a moment where the wanted step is possible: those of its process,
    /// and of the one that keeps it out.
    fn bridge(&self, wanted: &[TraceStep]) -> Option<Vec<usize>> {
        let lane = self.trace.lane_title(wanted.first()?);
        let mut queue = VecDeque::from([(self.at.clone(), Vec::new())]);
        let mut seen = 0;
        while let Some((at, way)) = queue.pop_front() {
            let choices = self.system.choices(&at).ok()?;
            let options = self.options(&at, &choices);
            if !way.is_empty() && self.best(&options, wanted).is_some() {
                return Some(way);
            }
            seen += 1;
            if way.len() == BRIDGE_STEPS || seen == BRIDGE_MOMENTS {
                continue;
            }
            for option in &options {
                let own = option.halves.iter().any(|(process, _, _)| *process == lane);
                let holds = option.choice.actions.first().map(|action| action.process) == at.holder;
                if !(own || (holds && at.holder.is_some())) || !option.choice.faults.is_empty() {
                    continue;
                }
                if seen + queue.len() >= BRIDGE_MOMENTS {
                    break;
                }
                if let Some(next) = self.system.take(&at, option.choice).ok()?.next {
                    let mut longer = way.clone();
                    longer.push(option.index);
                    queue.push_back((next, longer));
                }
            }
        }
        None
    }

    /// Makes a move; `true` if the run is over with it. Of its steps `made` are in the trace.
    fn take(
        &mut self,
        choices: &[Choice],
        index: usize,
        last: bool,
        made: usize,
    ) -> Result<bool, Divergence> {
        let number = self.run.followed;
        let failed = |error: ModelError| Divergence::new(number, error.to_string());
        let mut choice = choices[index].clone();
        if last {
            // Moves that begin alike are told apart by nothing but their faults.
            let alike = |other: &&Choice| {
                let both = other.actions.len().min(choice.actions.len()).min(made.max(1));
                other.fatal != choice.fatal && other.actions[..both] == choice.actions[..both]
            };
            let more: Vec<Fault> =
                choices.iter().filter(alike).flat_map(|other| other.faults.clone()).collect();
            choice.faults.extend(more);
        }
        let taken = self.system.take(&self.at, &choice).map_err(failed)?;
        let shown = if last && made > 0 { made } else { taken.steps.len() };
        self.run.actions.extend(choice.actions.iter().take(shown));
        self.run.picks.push(index);
        if self.strict {
            let over = taken.next.is_none();
            self.compare(&taken.steps[..shown.min(taken.steps.len())], over)?;
        }
        // A false assertion before the end is passed, as a search passes it.
        let judged = last || !self.strict || choice.fatal;
        if judged && let Some((claim, message, same)) = self.fault(&choice, &taken.steps) {
            if same {
                self.run.ending = Ending::Same(claim, message);
                return Ok(true);
            }
            if last || choice.fatal {
                self.run.ending = Ending::Other(claim, message);
            }
        }
        match taken.next {
            Some(next) => self.at = next,
            None => return Ok(true),
        }
        Ok(false)
    }

    /// The values after each step against the recorded ones.
    fn compare(&mut self, steps: &[MicroStep], over: bool) -> Result<(), Divergence> {
        let first = self.run.followed as usize - steps.len();
        for (made, recorded) in steps.iter().zip(&self.trace.steps[first..]) {
            apply(&mut self.known, recorded);
            let mut now = values(self.system, &made.state);
            // What a step writes need not be among the values that are listed of every state.
            for (name, _, after) in &made.writes {
                // What is gone after it is recorded as null.
                if recorded.set.get(name).is_none_or(serde_json::Value::is_null) {
                    self.unlisted.remove(name);
                } else if !now.contains_key(name) {
                    self.unlisted.insert(name.clone(), json_value(after));
                }
            }
            for (name, value) in &self.unlisted {
                now.entry(name.clone()).or_insert_with(|| value.clone());
            }
            if over {
                // A step that a fault ends leads nowhere; what it did until then is recorded.
                let written = made.writes.iter();
                now.extend(written.map(|(name, _, after)| (name.clone(), json_value(after))));
            }
            if now != self.known {
                let difference = difference(&now, &self.known);
                return Err(Divergence::new(
                    recorded.i,
                    format!("the values after it differ: {difference}"),
                ));
            }
            if made.output != recorded.output {
                return Err(Divergence::new(recorded.i, "it prints something else"));
            }
        }
        Ok(())
    }

    /// The fault of a move, the one that the trace speaks of if it is among several.
    fn fault(&self, choice: &Choice, steps: &[MicroStep]) -> Option<(Claim, String, bool)> {
        let infos = &steps.last()?.faults;
        let count = infos.len().min(choice.faults.len());
        let found = (0..count).find(|&index| self.is_recorded(&infos[index]));
        let index = found.or((count > 0).then_some(0))?;
        let message = infos[index].message.clone();
        Some((Claim::Fault(choice.faults[index]), message, found.is_some()))
    }

    /// Whether a fault is the one that the trace speaks of.
    fn is_recorded(&self, info: &FaultInfo) -> bool {
        let recorded = self.trace.steps.last().and_then(|step| step.fault.as_ref());
        info.kind == self.trace.end.reason
            && recorded.is_none_or(|recorded| {
                info.code == recorded.code
                    && match self.strict {
                        true => info.message == recorded.message,
                        false => what(&info.message) == what(&recorded.message),
                    }
            })
    }

    /// Judges the last state of a trace that was followed to its end.
    fn end(&mut self) -> Result<(), Divergence> {
        let number = self.trace.steps.len() as u64;
        let failed = |error: ModelError| Divergence::new(number, error.to_string());
        let reason = self.trace.end.reason.as_str();
        let mut worker = self.system.worker();
        let state = &self.at.state;
        let mut steps = Successors::new();
        let _ = self.system.successors(&mut worker, state, &mut steps);
        let stuck = steps.stuck || self.choices(number)?.is_empty();
        let deadlock = stuck && self.system.end(&mut worker, state) == EndOf::Deadlock;
        let mut found: Option<(Claim, String, bool)> = None;
        for index in 0..self.system.invariant_count() {
            let violated =
                self.system.violated_invariant(&mut worker, state, index).map_err(failed)?;
            if let Some(fault) = violated {
                let message = self.system.invariant_fault(state, fault).message;
                let wanted = self.trace.result.property.strip_prefix("invariant:");
                let same =
                    reason == "invariant" && wanted.is_none_or(|text| message.contains(text));
                if found.is_none() || same {
                    found = Some((Claim::Invariant(fault), message, same));
                }
            }
        }
        for (fault, info) in self.system.run_faults(&self.run.initial, &self.run.actions) {
            let same = self.is_recorded(&info);
            if found.is_none() || same {
                found = Some((Claim::Fault(fault), info.message, same));
            }
        }
        if deadlock && found.as_ref().is_none_or(|(_, _, same)| !same) {
            let message = format!("no {} can move", self.system.process_word());
            found = Some((Claim::Deadlock, message, reason == "deadlock"));
        }
        if stuck && reason == "standstill" {
            let claim = Claim::Lasso { stem: self.run.actions.len() };
            let message = format!("no {} can ever move again", self.system.process_word());
            found = Some((claim, message, true));
        }
        let carried = self.system.carried();
        let same_state = |begin: &[u32]| begin[carried..] == state[carried..];
        let closed = self.loop_state.as_ref().map(|(begin, _)| same_state(begin));
        if let (Some((_, stem)), Some(true)) = (&self.loop_state, closed) {
            let message = "the steps of its loop can be repeated for ever".to_owned();
            found = Some((Claim::Lasso { stem: *stem }, message, true));
        }
        // The same steps are the same events.
        if reason == "events" && self.run.skipped.is_empty() && self.run.inserted == 0 {
            let recorded = self.trace.steps.last().and_then(|step| step.fault.as_ref());
            let message = recorded.map_or("its events are the same", |fault| &fault.message);
            found = Some((Claim::Events { ends: stuck }, message.to_owned(), true));
        }
        self.run.ending = match found {
            Some((claim, message, true)) => Ending::Same(claim, message),
            Some((claim, message, false)) if !self.strict => Ending::Other(claim, message),
            _ if matches!(self.run.ending, Ending::Other(..)) => self.run.ending.clone(),
            _ if stuck => Ending::Nothing(Halt::End),
            _ => Ending::Nothing(Halt::Steps),
        };
        if self.strict && closed == Some(false) {
            let message = "the last state is not the one where the loop begins";
            return Err(Divergence::new(number, message));
        }
        let walked = reason == Halt::End.as_str() || reason == Halt::Steps.as_str();
        let shown = matches!(self.run.ending, Ending::Same(..)) || walked;
        if self.strict && !shown {
            let message = match &self.run.ending {
                Ending::Other(_, message) => {
                    format!("the trace ends with another fault: {message}")
                }
                _ => format!("the trace claims to end with `{reason}`, but it does not"),
            };
            return Err(Divergence::new(number, message));
        }
        Ok(())
    }
}
