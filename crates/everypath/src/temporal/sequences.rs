//! Properties of the order in which things happen: an automaton reads the steps of a run, and finds
//! fault with one of them or with the end.

use everypath_engine_explicit::{
    AfterViolation, Kind as Wrong, Limits, Observer, Options, Order, Outcome, Stopped, Storage,
    search_deep,
};
use everypath_layer_product::{BAD_END, Monitor, Watched};
use everypath_model::{Action, Brake, Describe, ModelError, TransitionSystem};
use everypath_render::units::plural;
use everypath_verdict::{
    Claim, Context, Evidence, Explanation, Reason, Role, StepFault, Stop, Trace, Verdict, replay,
};

use super::cycles::{Judged, Manner};
use crate::defect::InternalError;

/// Events of a run, at most, that are listed.
const LISTED: usize = 12;

/// A monitor that tells what it sees.
pub trait Sequence: Monitor {
    /// The events of a run, one after the other, up to the one that makes it bad.
    fn events(&self, before: &[u32], actions: &[Action]) -> Result<Vec<String>, ModelError>;

    /// What is wrong with a run that ends with this event; `None` if it is its end.
    fn wrong(&self, last: Option<&str>) -> String;
}

/// What is wrong with the order of the events of a property.
pub fn wrong_order(name: &str, last: Option<&str>) -> String {
    match last {
        Some(event) => format!("events {name}: `{event}` can come where it must not"),
        None => format!("events {name}: a run can end where it must not"),
    }
}

/// The code of a violation.
pub struct Subject<'a> {
    /// The id of the property.
    pub id: &'a str,
    /// The code of its violation.
    pub code: &'static str,
}

/// Looks for a run that a monitor finds fault with. The run is told by `base`, whose steps those of `system` are.
pub fn follow<B: Describe, S: TransitionSystem>(
    base: &B,
    system: &S,
    monitor: &dyn Sequence,
    subject: &Subject<'_>,
    manner: &Manner<'_>,
    observer: &mut dyn Observer,
) -> Result<Judged, InternalError> {
    let defect = |what: String| InternalError(format!("the run of {}: {what}", subject.id));
    let watched = Watched::new(system, as_monitor(monitor));
    let options = Options {
        threads: manner.options.threads,
        store: match manner.options.store.is_lossy() {
            true => Storage::default(),
            false => manner.options.store,
        },
        besides: manner.options.besides,
        limits: Limits { depth: None, ..manner.options.limits },
        check_deadlock: false,
        check_invariants: false,
        after_violation: AfterViolation::Stop,
        max_violations: 1,
        expired: manner.options.expired,
        interrupt: manner.options.interrupt,
        poll_every: manner.options.poll_every,
        ..Options::default()
    };
    let (outcome, order) = search_deep(&watched, &options, observer);
    let searched = [outcome.stats.states, outcome.stats.transitions, outcome.stats.depth];
    let Some(violation) = outcome.violations.first() else {
        return Ok(Judged { searched, ..unrefuted(&outcome) });
    };
    let _held = base.brake().map(Brake::hold);
    let found = outcome
        .fewest_switches(&watched, &options, violation)
        .map_err(|error| defect(format!("it cannot be found again: {error}")))?;
    let path = found.path;
    let ends = violation.kind == Wrong::Fault(BAD_END);
    let (initial, _) = Watched::<S>::split(&path.initial);
    let evidence = Evidence {
        initial,
        actions: &path.actions,
        claim: Claim::Events { ends },
        moves: Some(path.len() as u64 - u64::from(ends)),
        shortest: order == Order::Breadth || found.exact,
        fewest_switches: found.exact,
    };
    let context = Context { property: subject.id, lang: manner.lang, sources: manner.sources };
    let (mut trace, _) = replay(base, &evidence, &context)
        .map_err(|failure| defect(format!("it does not replay: {failure}")))?;
    let events =
        confirmed(base, monitor, initial, &path.actions, ends).map_err(|what| defect(what.0))?;
    let last = if ends { None } else { events.last().map(String::as_str) };
    let message = monitor.wrong(last);
    if let Some(step) = trace.steps.last_mut().filter(|_| !ends) {
        step.role = Some(Role::Failure);
        let code = subject.code.to_owned();
        let (message, stack) = (message.clone(), Vec::new());
        step.fault = Some(StepFault { code, message, exception: None, stack });
    }
    trace.explain.push(listed(&events));
    let trace: Option<Trace> = Some(trace);
    let code = Some(subject.code);
    Ok(Judged { trace, code, searched, ..Judged::new(Verdict::Violated, message) })
}

/// The events of a run, read again from the run of the interpreter: the monitor has to find fault
/// with the last of them, and not before.
fn confirmed<B: Describe>(
    base: &B,
    monitor: &dyn Sequence,
    initial: &[u32],
    actions: &[Action],
    ends: bool,
) -> Result<Vec<String>, ModelError> {
    let steps = base.replay(initial, actions).map_err(|error| ModelError(error.message))?;
    let mut state = initial.to_vec();
    let mut at = Some(monitor.start());
    let mut taken = 0;
    while taken < actions.len() {
        let Some(known) = at else {
            return Err(ModelError("it is bad before its end".to_owned()));
        };
        // A step is up to where somebody else could move, and both halves of a rendezvous.
        let mut end = taken + 1;
        while end < actions.len() && (steps[end - 1].atomic || half_way(&steps[end - 1].message)) {
            end += 1;
        }
        at = monitor.after(known, &state, &actions[taken..end])?;
        state.clone_from(&steps[end - 1].state);
        taken = end;
    }
    let wrong = match at {
        None => !ends,
        Some(at) => {
            let end = base.end(&mut base.worker(), &state);
            ends && !monitor.may_end(at, &state, end)
        }
    };
    if !wrong {
        return Err(ModelError("nothing is wrong with it".to_owned()));
    }
    monitor.events(initial, actions)
}

/// Whether only one half of a rendezvous was made.
fn half_way(message: &Option<everypath_model::Message>) -> bool {
    message.as_ref().is_some_and(|message| message.rendezvous && message.send)
}

fn as_monitor(monitor: &dyn Sequence) -> &dyn Monitor {
    monitor
}

/// What is known if nothing was found.
fn unrefuted(outcome: &Outcome) -> Judged {
    let states = plural(outcome.stats.states, "product state", "product states");
    let stop = match &outcome.stopped {
        Stopped::Finished if outcome.complete() => {
            return Judged::new(Verdict::Holds, states);
        }
        Stopped::StateLimit => Stop::States,
        Stopped::MemoryLimit => Stop::Memory,
        Stopped::Time => Stop::Time,
        Stopped::Interrupted if crate::memory::ended_it() => Stop::Memory,
        Stopped::Interrupted => Stop::Interrupt,
        Stopped::ModelError(error) => {
            let message = format!("a step could not be evaluated: {error}");
            return Judged::new(Verdict::Unknown(Reason::Evaluation), message);
        }
        _ => return Judged::new(Verdict::NoViolationFound(Reason::ModelIncomplete), states),
    };
    let verdict = Verdict::NoViolationFound(stop.reason().unwrap_or(Reason::Evaluation));
    let message = format!("the search stopped after {states}");
    Judged { stop: Some(stop), ..Judged::new(verdict, message) }
}

/// The events of a run, the last ones if there are many.
fn listed(events: &[String]) -> Explanation {
    let first = events.len().saturating_sub(LISTED);
    let mut text = events[first..].join(" ");
    if first > 0 {
        text = format!("... {text}");
    }
    if events.is_empty() {
        text = "none".to_owned();
    }
    let kind = "events".to_owned();
    Explanation { kind, steps: Vec::new(), variable: None, processes: Vec::new(), text }
}
