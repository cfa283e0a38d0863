//! `everypath spin -run`: a search that stops where SPIN's would, with a trail for what it finds.

use std::time::Instant;

use everypath_engine_explicit::{
    AfterViolation, Control, Kind, Limits, Observer, Options, Order, Outcome, Progress, Stopped,
    Violation,
};
use everypath_lang_promela::trail::Trail;
use everypath_model::{Action, Describe, Fault, Successors, TransitionSystem, shown};
use everypath_verdict::Exit;

use super::claims::Looked;
use super::machine::Model;
use super::options::Search;
use super::report::{self, Found, Report};
use crate::choices::ExecArg;
use crate::promela::{executed, path_in_machine, search_machine};
use crate::{complain, interrupt, memory, print, runs, stores, tell};

/// Searches a model and prints the report.
pub fn run(model: &Model, asked: &Search) -> Exit {
    let interrupted = interrupt::install();
    let start = Instant::now();
    let looked = match Looked::new(model, asked) {
        Ok(looked) => looked,
        Err(message) => {
            tell("error", &message);
            return Exit::Input;
        }
    };
    let claims = looked.as_ref().is_some_and(|looked| looked.claim.is_some());
    let deadline = asked.time.map(|limit| start + limit);
    let expired = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let options = Options {
        order: if asked.breadth { Order::Breadth } else { Order::Depth },
        store: asked.store(),
        limits: Limits {
            depth: asked.depth,
            memory: asked.memory.or_else(memory::default_limit),
            states: None,
        },
        // A verifier with a claim in it does not look at end states.
        check_deadlock: !asked.no_end_states && !claims,
        check_invariants: false,
        // Atomic steps are counted over all states.
        collect: model.machine().transitions.iter().any(|transition| transition.atomic),
        after_violation: match asked.errors {
            1 if !asked.all_trails && !asked.no_assertions => AfterViolation::Stop,
            _ => AfterViolation::Continue,
        },
        max_violations: usize::MAX,
        expired: Some(&expired),
        interrupt: Some(interrupted),
        poll_every: 1,
        ..Options::default()
    };
    let mut enough = Enough { most: if asked.all_trails { 0 } else { asked.errors } };
    let system = executed(&model.system, ExecArg::Jit);
    let outcome = search_machine(&system, &options, &mut enough);
    let assertion = |fault: Fault| model.system.fault(fault).kind == "assertion";
    let counts = |violation: &&Violation| {
        !(asked.no_assertions && matches!(violation.kind, Kind::Fault(fault) if assertion(fault)))
    };
    let mut text = String::new();
    let mut found: Vec<Found> = Vec::new();
    for violation in outcome.violations.iter().filter(counts) {
        match path_in_machine(&system, &outcome, violation) {
            Ok(path) => {
                let what = report::error(model, violation.kind, &path.actions);
                let depth = path.actions.len() as i64 - 1;
                found.push(Found { what, occurrences: violation.occurrences });
                let number = found.len() as u64;
                text +=
                    &format!("pan:{number}: {} (at depth {depth})\n", found[found.len() - 1].what);
                if number == 1 || asked.all_trails {
                    let trail = Trail::of(model.machine(), &path.actions);
                    text += &write_trail(model, asked, number, &trail);
                }
            }
            Err(error) => {
                tell("error", &format!("the run to a violation is lost: {error}"));
                return Exit::Internal;
            }
        }
    }
    let mut unchecked = asked.unchecked.clone();
    let mut product = None;
    let mut cut = false;
    if let Some(looked) = &looked
        && (found.is_empty() || asked.errors != 1)
    {
        match looked.look(model, asked, &options, &mut ()) {
            Ok(sighting) => {
                cut |= sighting.left_out || options.store.is_lossy();
                match &sighting.answer {
                    Ok(Some(run)) => {
                        let what = looked.error(run);
                        found.push(Found { what, occurrences: 1 });
                        let number = found.len() as u64;
                        text += &format!("pan:{number}: {}\n", found[found.len() - 1].what);
                        if number == 1 || asked.all_trails {
                            let machine = model.temporal.machine();
                            let mut trail = Trail::of(machine, &run.actions);
                            // A run that stands still has no step to begin a cycle with.
                            trail.cycle = run.cycle.filter(|&start| start < run.actions.len());
                            text += &write_trail(model, asked, number, &trail);
                        }
                    }
                    Ok(None) => {}
                    Err(_) => cut = true,
                }
                if sighting.cycles_left_out {
                    unchecked.push("cycles that the claim accepts (`-safety`, `-bfs`)".to_owned());
                }
                product = Some(sighting);
            }
            Err(why) => unchecked.push(format!("claims and cycles: {why}")),
        }
        if let (Some(_), Some("acceptance")) = (&looked.claim, looked.cycles)
            && model.has_label("accept")
        {
            unchecked.push("accept labels of processes together with a claim".to_owned());
        }
    }
    let errors: u64 = match asked.errors {
        0 => found.iter().map(|one| one.occurrences).sum(),
        most => found.iter().map(|one| one.occurrences).sum::<u64>().min(most),
    };
    if !model.tree.traces.is_empty() {
        unchecked.push("trace assertions".to_owned());
    }
    let report = Report {
        model,
        asked,
        looked: looked.as_ref(),
        product: product.as_ref(),
        outcome: &outcome,
        errors,
        atomic: atomic_steps(model, &outcome),
        elapsed: start.elapsed(),
    };
    print(&(text + &report.render()));
    for note in &asked.notes {
        tell("note", note);
    }
    for what in &unchecked {
        tell("warning", &format!("not checked: {what}"));
    }
    complain(&format!(
        "note: the same natively: everypath check {}\n",
        natively(model, asked, looked.as_ref())
    ));
    let stopped = outcome.stopped != Stopped::Violation;
    let incomplete = cut || (!outcome.complete() && stopped);
    if errors > 0 {
        Exit::Violation
    } else if incomplete || !unchecked.is_empty() {
        Exit::Inconclusive
    } else {
        Exit::Ok
    }
}

/// Ends a search after so many errors; 0 is never.
struct Enough {
    most: u64,
}

impl Observer for Enough {
    fn progress(&mut self, progress: &Progress) -> Control {
        if self.most > 1 && progress.errors >= self.most {
            Control::Stop
        } else {
            Control::Continue
        }
    }
}

/// Writes the trail of a run, and says so.
fn write_trail(model: &Model, asked: &Search, number: u64, trail: &Trail) -> String {
    if let Some(span) = model.machine().numbers_differ {
        tell(
            "note",
            &format!(
                "no trail is written: SPIN numbers statements in another way after the jump with \
             a label that others refer to ({})",
                model.place(span)
            ),
        );
        return String::new();
    }
    let file = model.trail_name((asked.all_trails).then_some(number), &asked.suffix);
    match runs::replace(&file, &trail.render()) {
        Ok(()) => format!("pan: wrote {}\n", shown(&file)),
        Err(error) => {
            tell("warning", &format!("cannot write {}: {error}", shown(&file)));
            String::new()
        }
    }
}

/// How many statements were executed after which nobody else could move, as SPIN counts them: those
/// that several runs through an atomic sequence have in common once.
fn atomic_steps(model: &Model, outcome: &Outcome) -> u64 {
    let machine = model.machine();
    // A sender hands control to the receiver: only the flag of the receiver counts.
    let atomic = |index: usize, actions: &[Action]| {
        let hands_over = |next: &Action| next.process != actions[index].process;
        machine.transitions[actions[index].transition as usize].atomic
            && !actions.get(index + 1).is_some_and(hands_over)
    };
    if !machine.transitions.iter().any(|transition| transition.atomic) {
        return 0;
    }
    let mut worker = model.system.worker();
    let mut out = Successors::new();
    let mut count = 0;
    for state in &outcome.states {
        out.clear();
        if model.system.successors(&mut worker, state, &mut out).is_err() {
            return count;
        }
        let mut before: &[Action] = &[];
        for step in out.steps().iter().filter(|step| !step.fatal) {
            let actions = out.actions(step);
            let common = actions.iter().zip(before).take_while(|(a, b)| a == b).count();
            count += (common..actions.len()).filter(|&index| atomic(index, actions)).count() as u64;
            before = actions;
        }
    }
    count
}

/// The arguments of `check` that ask for the same.
fn natively(model: &Model, asked: &Search, looked: Option<&Looked>) -> String {
    let mut words = vec![shown(&model.path)];
    if !asked.breadth {
        words.push("--search dfs".to_owned());
    }
    if let Some(looked) = looked {
        words.push(looked.natively());
    }
    if asked.fair {
        words.push("--fair weak".to_owned());
    }
    match (asked.no_end_states, asked.no_assertions) {
        _ if looked.is_some_and(|looked| looked.claim.is_some()) => {}
        (true, false) => words.push("--only assertions".to_owned()),
        (false, true) => words.push("--only deadlock".to_owned()),
        _ => {}
    }
    if asked.errors != 1 || asked.all_trails {
        words.push("--all-errors".to_owned());
    }
    if let Some(depth) = asked.depth {
        words.push(format!("--depth {depth}"));
    }
    if let Some(time) = asked.time {
        words.push(format!("--time {}m", time.as_secs() / 60));
    }
    if let Some(memory) = asked.memory {
        words.push(format!("--mem {}MiB", memory >> 20));
    }
    if asked.store().is_lossy() {
        words.push(format!("--store {}", stores::name(asked.store())));
    }
    if let (true, Some(width)) = (asked.bitstate, asked.width) {
        words.push(format!("--table {}", 1u64 << width >> 3));
    }
    words.join(" ")
}
