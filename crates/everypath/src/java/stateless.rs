//! Searches of programs run by run.

use everypath_engine_explicit as explicit;
use everypath_engine_stateless::{
    AfterViolation, Limits, Options, Outcome, Progress, Stopped, search,
};
pub use everypath_engine_stateless::{Kind, numbered_run};
use everypath_lang_java::Program;

use crate::subject::Bounds;

/// Steps of a run if nothing is said: a program may go on for ever.
const DEPTH: u64 = 10_000;

/// Searches a program run by run until nothing was assumed of it that is wrong.
pub fn search_runs(
    program: &Program,
    bounds: Bounds,
    options: &explicit::Options<'_>,
    observer: &mut dyn explicit::Observer,
) -> explicit::Outcome {
    // What cannot be executed ends the search as well, which says so.
    let _ = program.prepare_assumptions();
    loop {
        let outcome = search_once(program, bounds, options, observer);
        if !matches!(outcome.stopped, explicit::Stopped::ModelError(_)) || !program.assume_less() {
            return outcome;
        }
    }
}

/// Searches a program run by run. A limit of states is one of steps.
pub fn search_once(
    program: &Program,
    bounds: Bounds,
    options: &explicit::Options<'_>,
    observer: &mut dyn explicit::Observer,
) -> explicit::Outcome {
    let asked = Options {
        limits: Limits {
            depth: Some(options.limits.depth.unwrap_or(DEPTH)),
            memory: options.limits.memory,
            steps: options.limits.states,
            ..Limits::default()
        },
        preemptions: bounds.preemptions,
        switches: bounds.switches,
        check_deadlock: options.check_deadlock,
        deadlock_key: options.deadlock_key,
        after_violation: match options.after_violation {
            explicit::AfterViolation::Stop => AfterViolation::Stop,
            explicit::AfterViolation::Budget { states, .. } => AfterViolation::Budget(states),
            explicit::AfterViolation::Continue => AfterViolation::Continue,
        },
        max_violations: options.max_violations,
        expired: options.expired,
        interrupt: options.interrupt,
        besides: options.besides,
        threads: options.threads,
        ..Options::default()
    };
    let mut watch = |progress: &Progress| {
        let progress = explicit::Progress {
            states: progress.steps,
            transitions: progress.steps,
            depth: progress.depth,
            frontier: 0,
            bytes: 0,
            errors: progress.errors,
        };
        observer.progress(&progress) == explicit::Control::Continue
    };
    told(search(program, &asked, &mut watch))
}

/// What was found, as other searches tell it.
fn told(outcome: Outcome) -> explicit::Outcome {
    let stopped = match outcome.stopped {
        Stopped::Finished => explicit::Stopped::Finished,
        Stopped::Violation => explicit::Stopped::Violation,
        Stopped::ViolationBudget => explicit::Stopped::ViolationBudget,
        Stopped::ExecutionLimit | Stopped::StepLimit => explicit::Stopped::StateLimit,
        Stopped::MemoryLimit => explicit::Stopped::MemoryLimit,
        Stopped::Time => explicit::Stopped::Time,
        Stopped::Interrupted => explicit::Stopped::Interrupted,
        Stopped::ModelError(error) => explicit::Stopped::ModelError(error),
    };
    let stats = outcome.stats;
    let bytes =
        explicit::Bytes { stack: stats.bytes, peak: stats.bytes, ..explicit::Bytes::default() };
    let counts = explicit::Stats {
        states: stats.steps,
        transitions: stats.steps,
        depth: stats.depth,
        frontier: 0,
        bytes,
    };
    let followed = explicit::Followed {
        executions: stats.executions,
        given_up: stats.blocked,
        cut: stats.cut,
        bounded: outcome.bound_hit,
    };
    let violations = outcome.violations.into_iter().map(|violation| {
        let kind = match violation.kind {
            Kind::Fault(fault) => explicit::Kind::Fault(fault),
            Kind::Deadlock(key) => explicit::Kind::Deadlock(key),
        };
        (kind, violation.run, violation.occurrences, violation.steps)
    });
    let mut told = explicit::Outcome::of_runs(stopped, counts, followed, violations);
    told.depth_limit_hit = outcome.depth_limit_hit;
    told.left_out = outcome
        .left_out
        .map(|left_out| explicit::LeftOut { first: left_out.first, states: left_out.count });
    told.errors = outcome.errors;
    told.unrecorded = outcome.unrecorded;
    told.coverage = explicit::Coverage::of(outcome.taken);
    told
}
