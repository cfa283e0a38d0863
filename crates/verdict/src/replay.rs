//! From the word of an engine to evidence: replay by the reference semantics.

use std::fmt;

use everypath_model::{
    Action, Blocked, Describe, End as EndOf, Fault, FaultInfo, MicroStep, Sources, Successors,
    Value,
};

use crate::cycle::causes;
use crate::explain::{Possible, explain};
use crate::signals::missed_signal;
use crate::trace::{End, Length, Part, TraceSubject};
use crate::waits::{blocked_lanes, stranded_messages};
use crate::{
    Lane, Motion, Msg, Place, Role, Source, StepFault, TRACE_SCHEMA, Trace, TraceModel, TraceStep,
    Values, json_value, sha256_hex,
};

/// A full state is written every so many steps.
const KEYFRAME: usize = 64;

/// What a run is claimed to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Its last step commits this fault.
    Fault(Fault),
    /// Nothing can move in its last state, and somebody should.
    Deadlock,
    /// Its last state violates this invariant.
    Invariant(Fault),
    /// From the state after so many of its statements it goes on for ever: its last state is that
    /// state again, or nothing can move there.
    Lasso {
        /// How many.
        stem: usize,
    },
    /// Something about its steps as a whole, which somebody else looks at; if it `ends`, nothing can move
    /// in its last state.
    Events {
        /// Whether it ends.
        ends: bool,
    },
    /// Nothing: somebody walked and stopped, for the reason given.
    Walk(Halt),
}

/// Why a walk ended that shows nothing wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Nothing can move, and everybody may rest.
    End,
    /// Somebody wanted no more steps.
    Steps,
}

impl Halt {
    /// The word for it, as [`End::reason`](crate::End::reason) has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Halt::End => "end",
            Halt::Steps => "steps",
        }
    }
}

/// The id of the property and the kind of a trace that somebody walked.
pub const WALK: &str = "simulation";

/// A run as an engine reports it.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The state it starts in.
    pub initial: &'a [u32],
    /// Its statements.
    pub actions: &'a [Action],
    /// What it shows.
    pub claim: Claim,
    /// Number of steps of the system, if the engine counts indivisible sequences as one.
    pub moves: Option<u64>,
    /// Whether no shorter run shows the same.
    pub shortest: bool,
    /// Whether no run of this length has fewer switches.
    pub fewest_switches: bool,
}

/// Where a trace belongs.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// Id of the property.
    pub property: &'a str,
    /// Name of the language.
    pub lang: &'a str,
    /// The files of the model.
    pub sources: &'a Sources,
}

/// The reference semantics does not confirm a claim: a defect of the tool, never a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayFailure(pub String);

impl fmt::Display for ReplayFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReplayFailure {}

/// Runs the evidence through the reference semantics, checks its claim at the end, and makes the
/// trace document of it, with the sentence that says what is wrong.
pub fn replay<S: Describe>(
    system: &S,
    evidence: &Evidence<'_>,
    context: &Context<'_>,
) -> Result<(Trace, String), ReplayFailure> {
    let steps = system
        .replay(evidence.initial, evidence.actions)
        .map_err(|e| ReplayFailure(format!("step {}: {}", e.index + 1, e.message)))?;
    if steps.len() != evidence.actions.len() {
        return Err(ReplayFailure(format!(
            "{} of {} steps were possible",
            steps.len(),
            evidence.actions.len()
        )));
    }
    let last = steps.last().map_or(evidence.initial, |step| &step.state);
    let Confirmed { reason, message, parts, blocked, stack } =
        confirm(system, evidence, &steps, last)?;
    let part =
        |(name, value): (String, Value)| Part { name, value: json_value(&value), step: None };
    let parts = parts.into_iter().map(part).collect();

    let mut trace = Trace {
        schema: TRACE_SCHEMA.to_owned(),
        result: TraceSubject { property: context.property.to_owned(), kind: "safety".to_owned() },
        loop_start: None,
        model: model(context),
        length: Length::default(),
        lanes: lanes(system, evidence.initial, &steps),
        init: values(system, evidence.initial),
        steps: Vec::with_capacity(steps.len()),
        end: End { reason, parts, blocked: Vec::new() },
        explain: Vec::new(),
    };
    let mut known = trace.init.clone();
    for (index, step) in steps.iter().enumerate() {
        let lane = trace.lanes.iter().position(|lane| lane.title() == step.process).unwrap_or(0);
        let mut document = step_document(step, index, lane as u32, context);
        let after = values(system, &step.state);
        complete(&mut document.set, &known, &after);
        if let Some(msg) = &mut document.msg
            && msg.motion == Motion::Peek
            && document.set.contains_key(&msg.channel)
        {
            msg.motion = Motion::Receive;
        }
        if (index + 1) % KEYFRAME == 0 {
            document.keyframe = Some(after.clone());
        }
        known = after;
        trace.steps.push(document);
    }
    if let (Some(step), Claim::Fault(fault)) = (trace.steps.last_mut(), evidence.claim) {
        step.role = Some(Role::Failure);
        let FaultInfo { code, exception, .. } = system.fault(fault);
        let (code, message) = (code.to_owned(), message.clone());
        step.fault = Some(StepFault { code, message, exception, stack });
    }
    if let Claim::Lasso { stem } = evidence.claim {
        trace.result.kind = "liveness".to_owned();
        trace.loop_start = (stem < steps.len()).then_some(stem as u64);
    }
    link_messages(&mut trace.steps);
    trace.end.blocked = blocked_lanes(&trace, blocked, context.sources);
    if evidence.claim == Claim::Deadlock {
        trace.explain = stranded_messages(&trace, &system.stranded(last), context.sources);
    }
    if matches!(evidence.claim, Claim::Walk(_)) {
        trace.result.kind = WALK.to_owned();
    } else {
        let deeds = |order: &[usize]| {
            let actions: Vec<Action> = order.iter().map(|&at| steps[at].action).collect();
            let done = system.replay(evidence.initial, &actions).ok();
            done.and_then(|mut done| done.pop()).map_or(Vec::new(), |step| step.threading.deeds)
        };
        trace.explain.extend(missed_signal(&trace, &deeds));
        if let Claim::Lasso { stem } = evidence.claim
            && stem < steps.len()
        {
            let document = (&trace, context.sources);
            let causes = causes(system, evidence.initial, &steps, stem, document);
            trace.explain.extend(causes);
        }
        explain(&mut trace, &|order| reorder(system, evidence, &steps, order));
    }
    trace.length = Length {
        moves: evidence.moves.unwrap_or(steps.len() as u64),
        switches: trace.count_switches(),
        shortest: evidence.shortest,
        fewest_switches: evidence.fewest_switches,
    };
    Ok((trace, message))
}

/// Longer runs are not tried in another order: that takes as much memory as to tell about them.
const REORDERED: usize = 10_000;

/// Whether the steps of a run are possible in another order.
fn reorder<S: Describe>(
    system: &S,
    evidence: &Evidence<'_>,
    steps: &[MicroStep],
    order: &[usize],
) -> Possible {
    if order.len() > REORDERED {
        return Possible::Unknown;
    }
    // Processes are known by their numbers, which must mean the same in any order.
    let names = system.processes(evidence.initial);
    let first = order.iter().enumerate().position(|(i, &at)| i != at).unwrap_or(order.len());
    let last = order.iter().copied().max().unwrap_or(0);
    let stable = |at: usize| system.processes(&steps[at].state);
    let before = if first == 0 { names } else { stable(first - 1) };
    if (first..=last).any(|at| stable(at) != before) {
        return Possible::Unknown;
    }
    let actions: Vec<Action> = order.iter().map(|&at| steps[at].action).collect();
    match system.replay(evidence.initial, &actions) {
        Ok(done) if done.len() == actions.len() => Possible::Yes,
        Ok(_) => Possible::Unknown,
        Err(error) => Possible::NotAt(error.index),
    }
}

/// What the last state shows.
struct Confirmed {
    /// The reason of the end.
    reason: String,
    /// What is wrong, in one sentence.
    message: String,
    /// What the violated condition reads.
    parts: Vec<(String, Value)>,
    /// Who waits.
    blocked: Vec<Blocked>,
    /// The calls that a fault happened in.
    stack: Vec<String>,
}

fn confirm<S: Describe>(
    system: &S,
    evidence: &Evidence<'_>,
    steps: &[MicroStep],
    last: &[u32],
) -> Result<Confirmed, ReplayFailure> {
    let mut worker = system.worker();
    match evidence.claim {
        Claim::Fault(fault) => {
            let expected = system.fault(fault);
            let faults = steps.last().map_or(&[][..], |step| &step.faults);
            let claimed = |fault: &&FaultInfo| {
                (fault.code, fault.span, &fault.exception)
                    == (expected.code, expected.span, &expected.exception)
            };
            // Or what the run shows as a whole.
            let of_run = || {
                let found = system.run_faults(evidence.initial, evidence.actions).into_iter();
                found.filter(|(known, _)| *known == fault).map(|(_, info)| info).next()
            };
            let found = faults.iter().find(claimed).cloned().or_else(of_run);
            let Some(found) = found else {
                return Err(ReplayFailure(match faults.first() {
                    Some(other) => format!(
                        "the last step fails in another way: {}, not {}",
                        other.message, expected.message
                    ),
                    None => {
                        format!("the last step should fail ({}), but it does not", expected.message)
                    }
                }));
            };
            // Of threads that wait for each other is told what for.
            let blocked = match found.kind {
                "partial deadlock" => system.blocked(last),
                _ => Vec::new(),
            };
            let waits = |lane: &Blocked| !lane.needs.is_empty();
            let blocked = blocked.into_iter().filter(waits);
            let blocked = blocked.map(|lane| Blocked { valid_end: false, ..lane }).collect();
            Ok(Confirmed {
                reason: found.kind.to_owned(),
                message: found.message,
                parts: found.parts,
                blocked,
                stack: found.stack,
            })
        }
        Claim::Deadlock => {
            let mut out = Successors::new();
            system
                .successors(&mut worker, last, &mut out)
                .map_err(|e| ReplayFailure(e.to_string()))?;
            if !out.may_end() || system.end(&mut worker, last) != EndOf::Deadlock {
                return Err(ReplayFailure("the last state is no deadlock".to_owned()));
            }
            Ok(Confirmed {
                reason: "deadlock".to_owned(),
                message: format!("no {} can move", system.process_word()),
                parts: Vec::new(),
                blocked: system.blocked(last),
                stack: Vec::new(),
            })
        }
        Claim::Invariant(fault) => {
            let mut found = false;
            for index in 0..system.invariant_count() {
                found |= system
                    .violated_invariant(&mut worker, last, index)
                    .map_err(|e| ReplayFailure(e.to_string()))?
                    == Some(fault);
            }
            if !found {
                return Err(ReplayFailure("the invariant holds in the last state".to_owned()));
            }
            let info = system.invariant_fault(last, fault);
            Ok(Confirmed {
                reason: info.kind.to_owned(),
                message: info.message,
                parts: info.parts,
                blocked: Vec::new(),
                stack: Vec::new(),
            })
        }
        Claim::Lasso { stem } if stem < steps.len() => {
            let start = stem.checked_sub(1).map_or(evidence.initial, |at| &steps[at].state);
            let carried = system.carried();
            if start.get(carried..) != last.get(carried..) {
                return Err(ReplayFailure("the run does not come back to its cycle".to_owned()));
            }
            let (reason, message) = ("cycle".to_owned(), "for ever".to_owned());
            Ok(Confirmed {
                reason,
                message,
                parts: Vec::new(),
                blocked: Vec::new(),
                stack: Vec::new(),
            })
        }
        Claim::Lasso { .. } => {
            let mut out = Successors::new();
            system
                .successors(&mut worker, last, &mut out)
                .map_err(|e| ReplayFailure(e.to_string()))?;
            if !out.is_empty() {
                return Err(ReplayFailure("something can move in the last state".to_owned()));
            }
            Ok(Confirmed {
                reason: "standstill".to_owned(),
                message: format!("no {} can ever move again", system.process_word()),
                parts: Vec::new(),
                blocked: system.blocked(last),
                stack: Vec::new(),
            })
        }
        Claim::Events { ends } => {
            let mut out = Successors::new();
            system
                .successors(&mut worker, last, &mut out)
                .map_err(|e| ReplayFailure(e.to_string()))?;
            if ends && !out.is_empty() {
                return Err(ReplayFailure("something can move in the last state".to_owned()));
            }
            Ok(Confirmed {
                reason: "events".to_owned(),
                message: String::new(),
                parts: Vec::new(),
                blocked: if ends { system.blocked(last) } else { Vec::new() },
                stack: Vec::new(),
            })
        }
        Claim::Walk(halt) => Ok(Confirmed {
            reason: halt.as_str().to_owned(),
            message: String::new(),
            parts: Vec::new(),
            blocked: Vec::new(),
            stack: Vec::new(),
        }),
    }
}

fn model(context: &Context<'_>) -> TraceModel {
    let sources: Vec<Source> = context
        .sources
        .iter()
        .map(|(_, file)| Source {
            path: file.path.to_string_lossy().into_owned(),
            sha256: sha256_hex(file.text.as_bytes()),
            text: file.text.clone(),
        })
        .collect();
    TraceModel {
        lang: context.lang.to_owned(),
        sha256: sources.first().map(|source| source.sha256.clone()).unwrap_or_default(),
        sources,
        reading: None,
    }
}

pub(crate) fn values<S: Describe>(system: &S, state: &[u32]) -> Values {
    system.values(state).into_iter().map(|(name, value)| (name, json_value(&value))).collect()
}

/// Adds to the writes of a statement what changed besides: the contents of channels, the variables
/// of processes that came, and those of processes that went, as null.
fn complete(set: &mut Values, before: &Values, after: &Values) {
    for (name, value) in after {
        if before.get(name) != Some(value) {
            set.insert(name.clone(), value.clone());
        }
    }
    for (name, _) in before {
        if !after.contains_key(name) {
            set.insert(name.clone(), serde_json::Value::Null);
        }
    }
}

/// A lane for each process that moves: the initial ones in their order, then as they appear.
fn lanes<S: Describe>(system: &S, initial: &[u32], steps: &[MicroStep]) -> Vec<Lane> {
    let mut names = system.processes(initial);
    names.retain(|name| steps.iter().any(|step| step.process == *name));
    for step in steps {
        if !names.contains(&step.process) {
            names.push(step.process.clone());
        }
    }
    names.iter().enumerate().map(|(id, name)| Lane::new(id as u32, name)).collect()
}

fn step_document(step: &MicroStep, index: usize, lane: u32, context: &Context<'_>) -> TraceStep {
    let msg = step.message.as_ref().map(|message| Msg {
        channel: message.channel.clone(),
        payload: message.fields.iter().map(json_value).collect(),
        motion: match message.send {
            true => Motion::Send,
            false if message.rendezvous => Motion::Receive,
            // Until the channel turns out to have changed.
            false => Motion::Peek,
        },
        rendezvous: message.rendezvous,
        lost: message.lost,
        sender: None,
        receiver: None,
    });
    TraceStep {
        i: index as u64 + 1,
        lane,
        choice: vec![step.choice.0],
        enabled: step.choice.1,
        span: Place::of(context.sources, step.info.span),
        text: step.info.text.clone(),
        reads: step.reads.iter().map(|(name, value)| (name.clone(), json_value(value))).collect(),
        uses: step.uses.clone(),
        set: step.writes.iter().map(|(name, _, after)| (name.clone(), json_value(after))).collect(),
        msg,
        atomic: step.atomic,
        stack: step.threading.stack.clone(),
        role: None,
        prop: None,
        output: step.output.clone(),
        takes: step.threading.takes.clone(),
        releases: step.threading.releases.clone(),
        holds: step.threading.holds.clone(),
        deeds: step.threading.deeds.clone(),
        fault: None,
        keyframe: None,
    }
}

/// Tells each message which step sent it and which received it. Of several equal messages in a
/// channel the oldest is taken to be the one received.
fn link_messages(steps: &mut [TraceStep]) {
    let mut in_flight: Vec<usize> = Vec::new();
    for receiver in 0..steps.len() {
        let Some(msg) = &steps[receiver].msg else {
            continue;
        };
        if msg.motion == Motion::Send {
            in_flight.push(receiver);
            continue;
        }
        let same_channel =
            |&&sent: &&usize| steps[sent].msg.as_ref().is_some_and(|m| m.channel == msg.channel);
        let same =
            |&sent: &usize| steps[sent].msg.as_ref().is_some_and(|m| m.payload == msg.payload);
        let candidates: Vec<usize> = in_flight.iter().filter(same_channel).copied().collect();
        let sender = candidates.iter().copied().find(same).or(candidates.first().copied());
        let taken = msg.motion == Motion::Receive;
        let number = steps[receiver].i;
        if let Some(sender) = sender {
            let sent_at = steps[sender].i;
            if taken {
                in_flight.retain(|&sent| sent != sender);
                if let Some(msg) = &mut steps[sender].msg {
                    msg.sender = Some(sent_at);
                    msg.receiver = Some(number);
                }
            }
            if let Some(msg) = &mut steps[receiver].msg {
                msg.sender = Some(sent_at);
                msg.receiver = Some(number);
            }
        }
    }
    for sent in in_flight {
        let number = steps[sent].i;
        if let Some(msg) = &mut steps[sent].msg {
            msg.sender = Some(number);
        }
    }
}
