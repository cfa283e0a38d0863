//! Going on by chance until something happens.

use std::sync::atomic::{AtomicBool, Ordering};

use everypath_model::{ActionInfo, Blocked, End, Fault, ModelError, Simulate, Sources, Taken};
use everypath_verdict::{
    Claim, Context, EvalError, Evidence, Halt, Trace, TraceReading, WALK, Watch, replay,
};

use crate::walker::Walker;

/// What a walk waits for.
#[derive(Clone, Debug)]
pub enum Goal {
    /// An expression is true.
    True(Watch),
    /// A process stands before a statement of this line.
    At(String, u32),
    /// Nobody can move, and somebody should.
    Deadlock,
}

/// How far a walk goes.
pub struct Bounds<'a> {
    /// This many steps at most.
    pub steps: u64,
    /// Or until this is so.
    pub goal: Option<&'a Goal>,
    /// The files that lines belong to.
    pub sources: &'a Sources,
    /// Or until somebody says stop.
    pub interrupt: &'a AtomicBool,
}

/// Why a walk came to a halt.
#[derive(Clone, Debug)]
pub enum Halted {
    /// As many steps as were asked for.
    Steps,
    /// What was waited for is so.
    Goal,
    /// Somebody said stop.
    Interrupted,
    /// Nobody can move, and everybody may rest.
    End,
    /// Nobody can move, and somebody should.
    Deadlock(Vec<Blocked>),
    /// Something went wrong.
    Fault(Problem),
}

/// A violation that a walk came across.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What is claimed about the run.
    pub claim: Claim,
    /// The stable code.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
}

impl Halted {
    /// Whether it is a violation.
    pub fn is_violation(&self) -> bool {
        matches!(self, Halted::Deadlock(_) | Halted::Fault(_))
    }

    /// What the run shows.
    pub fn claim(&self) -> Claim {
        match self {
            Halted::Steps | Halted::Goal | Halted::Interrupted => Claim::Walk(Halt::Steps),
            Halted::End => Claim::Walk(Halt::End),
            Halted::Deadlock(_) => Claim::Deadlock,
            Halted::Fault(problem) => problem.claim,
        }
    }
}

/// Why a walk cannot go on.
#[derive(Clone, Debug)]
pub enum RunError {
    /// The model could not be evaluated.
    Model(ModelError),
    /// An expression has no value: which option it belongs to, and why.
    Expression(String, EvalError),
}

impl From<ModelError> for RunError {
    fn from(error: ModelError) -> RunError {
        RunError::Model(error)
    }
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunError::Model(error) => error.fmt(f),
            RunError::Expression(option, error) => write!(f, "{option}: {error}"),
        }
    }
}

/// Goes on by chance, or along the line as far as it leads, and tells about every move.
pub fn run<S: Simulate>(
    walker: &mut Walker<'_, S>,
    bounds: &Bounds<'_>,
    saw: &mut dyn FnMut(&Walker<'_, S>, &Taken),
) -> Result<Halted, RunError> {
    let first = walker.step();
    // A name that is unknown at first may come with a process; one that never comes is an error.
    let goal = |error| RunError::Expression("until".to_owned(), error);
    let mut unknown = None;
    let mut known = false;
    if first == 0
        && let Some(problem) = violated_invariant(walker)?
    {
        return Ok(Halted::Fault(problem));
    }
    let halted = loop {
        match bounds.goal.map(|goal| reached(walker, goal, bounds.sources)) {
            None => {}
            Some(Ok(reached)) => {
                known = true;
                // Who asks again in the same state wants the next one.
                if reached && (walker.step() > first || first == 0) {
                    return Ok(Halted::Goal);
                }
            }
            // What belongs to a process is written with a dot.
            Some(Err(EvalError::Unknown { name, similar })) if name.contains('.') => {
                unknown = unknown.or(Some(EvalError::Unknown { name, similar }));
            }
            Some(Err(error)) => return Err(goal(error)),
        }
        if let Some(halted) = halt(walker)? {
            break halted;
        }
        if walker.step() - first >= bounds.steps {
            break Halted::Steps;
        }
        if bounds.interrupt.load(Ordering::Relaxed) {
            break Halted::Interrupted;
        }
        let Some(pick) = walker.ahead().or_else(|| walker.random()) else { break Halted::End };
        let taken = walker.take(pick)?;
        saw(walker, &taken);
        if let Some(problem) = problem(walker.faults(), &taken) {
            break Halted::Fault(problem);
        }
        if let Some(problem) = violated_invariant(walker)? {
            break Halted::Fault(problem);
        }
    };
    match unknown {
        Some(error) if !known && !halted.is_violation() => Err(goal(error)),
        _ => Ok(halted),
    }
}

/// What went wrong in a move.
pub fn problem(faults: &[Fault], taken: &Taken) -> Option<Problem> {
    let info = taken.steps.last()?.faults.first()?;
    let claim = Claim::Fault(*faults.first()?);
    Some(Problem { claim, code: info.code, message: info.message.clone() })
}

/// The invariant that is false now.
pub fn violated_invariant<S: Simulate>(
    walker: &Walker<'_, S>,
) -> Result<Option<Problem>, ModelError> {
    let system = walker.system();
    if system.invariant_count() == 0 || walker.is_over() || !walker.is_stable() {
        return Ok(None);
    }
    let mut worker = system.worker();
    for index in 0..system.invariant_count() {
        if let Some(fault) = system.violated_invariant(&mut worker, walker.state(), index)? {
            let info = system.invariant_fault(walker.state(), fault);
            let claim = Claim::Invariant(fault);
            return Ok(Some(Problem { claim, code: info.code, message: info.message }));
        }
    }
    Ok(None)
}

/// Whether nobody can move, and what that means.
pub fn halt<S: Simulate>(walker: &Walker<'_, S>) -> Result<Option<Halted>, ModelError> {
    if !walker.choices().is_empty() {
        return Ok(None);
    }
    let system = walker.system();
    if walker.is_over() {
        return Ok(Some(Halted::End));
    }
    Ok(Some(match system.end(&mut system.worker(), walker.state()) {
        End::Valid => Halted::End,
        End::Deadlock => Halted::Deadlock(system.blocked(walker.state())),
    }))
}

fn reached<S: Simulate>(
    walker: &Walker<'_, S>,
    goal: &Goal,
    sources: &Sources,
) -> Result<bool, EvalError> {
    let system = walker.system();
    match goal {
        Goal::True(watch) => watch.truth(&system.values(walker.state())[..]),
        Goal::At(process, line) => {
            let here = |at: &ActionInfo| sources.start(at.span).0 == *line;
            let stands = |one: &Blocked| one.process == *process && one.at.iter().any(here);
            Ok(system.blocked(walker.state()).iter().any(stands))
        }
        // It is a halt of its own.
        Goal::Deadlock => Ok(false),
    }
}

/// The document of the walk so far.
pub fn trace<S: Simulate>(
    walker: &Walker<'_, S>,
    halted: &Halted,
    lang: &str,
    sources: &Sources,
    reading: TraceReading,
) -> Result<Trace, String> {
    let actions = walker.actions().map_err(|error| error.to_string())?;
    let evidence = Evidence {
        initial: walker.initial(),
        actions: &actions,
        claim: halted.claim(),
        moves: None,
        shortest: false,
        fewest_switches: false,
    };
    let context = Context { property: WALK, lang, sources };
    let (mut trace, _) = replay(walker.system(), &evidence, &context)
        .map_err(|failure| format!("the walk does not replay: {failure}"))?;
    trace.model.reading = Some(reading);
    Ok(trace)
}
