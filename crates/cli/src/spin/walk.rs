//! `everypath spin`: one run, by chance, by hand or along a trail, in the shape of SPIN's output.

use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::atomic::Ordering;

use everypath_lang_promela::trail::Trail;
use everypath_machine::TransitionKind;
use everypath_machine::code::Op;
use everypath_model::{Choice, Describe, MicroStep, Rng, Simulate, shown};
use everypath_verdict::Exit;

use super::machine::Model;
use super::options::{TrailName, Walk};
use super::screen::Screen;
use crate::outlet::Stdout;
use crate::{complain, interrupt, tell, trail};

/// The seed of a run without `-n`.
const SEED: u64 = 1;

/// Makes a run and shows it.
pub fn run(model: &Model, options: &Walk) -> Exit {
    match &options.trail {
        Some(name) => follow(model, options, name),
        None => wander(model, options),
    }
}

/// A run along a trail.
fn follow(model: &Model, options: &Walk, name: &TrailName) -> Exit {
    let file = match name {
        TrailName::File(file) => file.clone(),
        TrailName::Number(number) => {
            let name = model.trail_name(*number, "trail");
            // SPIN writes trails where it runs; one beside the model is as good.
            let beside = model.path.parent().unwrap_or(Path::new("")).join(&name);
            if name.exists() || !beside.exists() { name } else { beside }
        }
    };
    let followed = trail::text(&file)
        .and_then(|text| Trail::parse(&text).map_err(|error| error.to_string()))
        .and_then(|trail| {
            let followed = trail.follow(&model.system).map_err(|error| error.to_string())?;
            Ok((trail, followed))
        });
    let (trail, followed) = match followed {
        Ok(followed) => followed,
        Err(error) => {
            tell("error", &format!("{}: {error}", shown(&file)));
            return Exit::Input;
        }
    };
    let steps = match model.system.replay(&followed.initial, &followed.actions) {
        Ok(steps) => steps,
        Err(error) => {
            tell(
                "error",
                &format!("{}: step {}: {}", shown(&file), error.index + 1, error.message),
            );
            return Exit::Input;
        }
    };
    let mut screen = Screen::new(model, options, &followed.initial);
    if trail.claim {
        complain("note: the moves of the claim are passed over\n");
    }
    let numbers = numbers(&trail, &followed.ends, steps.len());
    let mut at = 0;
    for (step, &number) in steps.iter().zip(&numbers) {
        if options.most.is_some_and(|most| number > most) {
            break;
        }
        if trail.cycle.is_some_and(|cycle| at <= cycle as u64 && number > cycle as u64) {
            screen.line("  <<<<<START OF CYCLE>>>>>\n");
        }
        at = number;
        screen.step(number, std::slice::from_ref(step), true);
    }
    screen.trail_ends(trail.steps.len() as u64);
    screen.finish();
    if steps.last().is_some_and(|step| !step.faults.is_empty()) {
        Exit::Violation
    } else {
        Exit::Ok
    }
}

/// The number of the line of each action: merged statements have that of the first.
fn numbers(trail: &Trail, ends: &[usize], count: usize) -> Vec<u64> {
    let shift = u32::from(trail.claim);
    let own = trail.steps.iter().enumerate().filter(|(_, line)| line.process >= shift);
    let mut numbers = Vec::with_capacity(count);
    for ((index, _), &end) in own.zip(ends) {
        numbers.resize(end.max(numbers.len()), index as u64 + 1);
    }
    let last = numbers.last().copied().unwrap_or(0);
    numbers.resize(count, last);
    numbers
}

/// A run by chance or by hand.
fn wander(model: &Model, options: &Walk) -> Exit {
    let interrupted = interrupt::install();
    let mut at = match model.system.beginnings().map(|all| all.into_iter().next()) {
        Ok(Some(at)) => at,
        Ok(None) => return Exit::Ok,
        Err(error) => {
            tell("error", &error.to_string());
            return Exit::Violation;
        }
    };
    let mut rng = Rng::new(options.seed.unwrap_or(SEED));
    let mut screen = Screen::new(model, options, &at.state);
    screen.created_at_start();
    let mut number = 0;
    loop {
        let choices = match model.system.choices(&at) {
            Ok(choices) => choices,
            Err(error) => {
                tell("error", &error.to_string());
                return Exit::Inconclusive;
            }
        };
        if choices.is_empty() {
            if !model.system.processes(&at.state).is_empty() {
                screen.timeout(number);
            }
            break;
        }
        if options.most.is_some_and(|most| number >= most) {
            screen.cut(number);
            break;
        }
        if interrupted.load(Ordering::Relaxed) || screen.closed() {
            break;
        }
        let choice = if options.interactive && number >= options.skip {
            screen.flush();
            match ask(model, &choices) {
                Some(choice) => choice,
                None => break,
            }
        } else {
            pick(&mut rng, &choices)
        };
        let Ok(taken) = model.system.take(&at, choice) else { break };
        if waits_for_timeout(model, choice) {
            screen.timeout(number);
        }
        if !ends(model, choice) {
            number += 1;
        }
        screen.step(number, &taken.steps, false);
        let failed = !choice.faults.is_empty();
        match taken.next {
            Some(next) if !failed => at = next,
            _ => {
                screen.finish();
                return Exit::Violation;
            }
        }
    }
    screen.finish();
    Exit::Ok
}

/// A process by chance, then one of its statements.
fn pick<'c>(rng: &mut Rng, choices: &'c [Choice]) -> &'c Choice {
    let mut processes: Vec<u32> = choices.iter().map(|choice| choice.actions[0].process).collect();
    processes.dedup();
    let process = *rng.pick(&processes);
    let own: Vec<&Choice> =
        choices.iter().filter(|choice| choice.actions[0].process == process).collect();
    own[rng.below(own.len())]
}

/// Whether a choice is the end of a process, which is no step of its own in a run of SPIN's.
fn ends(model: &Model, choice: &Choice) -> bool {
    let transition = choice.actions[0].transition as usize;
    model.machine().transitions[transition].kind == TransitionKind::End
}

/// Whether a choice is possible since nothing else is.
fn waits_for_timeout(model: &Model, choice: &Choice) -> bool {
    let machine = model.machine();
    let transition = &machine.transitions[choice.actions[0].transition as usize];
    let code = &machine.code[transition.code as usize..];
    transition.kind == TransitionKind::Code
        && code
            .iter()
            .take_while(|op| !matches!(op, Op::Done | Op::Commit))
            .any(|op| matches!(op, Op::Timeout { .. }))
}

/// Asks which choice to take; nothing at the end of the input.
fn ask<'c>(model: &Model, choices: &'c [Choice]) -> Option<&'c Choice> {
    let mut out = Stdout;
    let mut input = std::io::stdin().lock();
    loop {
        let _ = writeln!(out, "Select a statement");
        for (index, choice) in choices.iter().enumerate() {
            let action = choice.actions[0];
            let transition = &model.machine().transitions[action.transition as usize];
            let name = model.proctype(usize::from(transition.proctype));
            let _ = writeln!(
                out,
                "\tchoice {}: proc {:2} ({name}:1) {} (state {}) [{}]",
                index + 1,
                action.process,
                model.place(transition.span),
                transition.number,
                model.text(action.transition)
            );
        }
        let _ = write!(out, "Select [1-{}]: ", choices.len());
        let _ = out.flush();
        let mut line = String::new();
        if input.read_line(&mut line).unwrap_or(0) == 0 || line.trim() == "q" {
            let _ = writeln!(out);
            return None;
        }
        let number = line.trim().parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        match number.and_then(|index| choices.get(index)) {
            Some(choice) => return Some(choice),
            None => {
                let _ = writeln!(out, "\tchoice is outside range");
            }
        }
    }
}

/// Whether a step of a run is the end of its process.
pub fn is_end(model: &Model, step: &MicroStep) -> bool {
    let transition = step.action.transition as usize;
    model.machine().transitions[transition].kind == TransitionKind::End
}
