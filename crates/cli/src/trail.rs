//! SPIN's `.trail` files as evidence: which model they belong to, and what they show.

use std::path::{Path, PathBuf};

use everypath_lang_promela::trail::Trail;
use everypath_machine::Interpreter;
use everypath_model::files;
use everypath_model::{
    Action, Choice, Describe, End, Moment, Simulate, Successors, TransitionSystem, shown,
};
use everypath_verdict::{Claim, Context, Evidence, Halt, RunResult, Trace, WALK, replay};

use crate::input::reason;
use crate::reading::Reading;
use crate::{complain, load, runs};

/// The largest file that is read.
const MOST: u64 = 256 << 20;

/// The text of a trail.
pub fn text(path: &Path) -> Result<String, String> {
    let bytes = files::read(path, MOST);
    let bytes = bytes.map_err(|error| format!("cannot be read: {}", reason(&error)))?;
    // What is not UTF-8 is no number either; the reader of the lines says where.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The model that a trail belongs to, by its name: `m.pml.trail` and `m.pml2.trail` to `m.pml`.
fn model_of(path: &Path) -> Option<PathBuf> {
    let name = path.to_str()?.strip_suffix(".trail")?;
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
    [name, plain].into_iter().map(PathBuf::from).find(|model| model.is_file())
}

/// Follows a trail through its model, and makes a trace of it. The model is the one that the name
/// of the trail tells, or `model`.
pub fn read(path: &Path, model: Option<&Path>) -> Result<Trace, String> {
    let named = |error: String| format!("{}: {error}", shown(path));
    let text = text(path).map_err(named)?;
    let trail = Trail::parse(&text).map_err(|error| named(error.to_string()))?;
    let model = match model.map(Path::to_owned).or_else(|| model_of(path)) {
        Some(model) => model,
        None => {
            let why = "its model is not there: a trail is named as its model is, with .trail";
            return Err(named(why.to_owned()));
        }
    };
    let reading = Reading::default();
    let mut opened = load::open(&model, &reading);
    let Some(system) = opened.lower(&reading, &[]) else {
        let first = opened.diagnostics.first().map(|d| d.message.clone()).unwrap_or_default();
        return Err(format!("{}: {first}", shown(&model)));
    };
    let followed = trail.follow(&system).map_err(|error| named(error.to_string()))?;
    let (claim, property) = match followed.faults.first() {
        Some(&fault) => (Claim::Fault(fault), system.fault(fault).kind),
        None if is_deadlock(&system, &followed.last) => (Claim::Deadlock, "deadlock"),
        None => (Claim::Walk(Halt::Steps), WALK),
    };
    let evidence = Evidence {
        initial: &followed.initial,
        actions: &followed.actions,
        claim,
        moves: None,
        shortest: false,
        fewest_switches: false,
    };
    let context = Context { property, lang: opened.lang, sources: &opened.sources };
    let (trace, _) =
        replay(&system, &evidence, &context).map_err(|failure| named(failure.to_string()))?;
    Ok(trace)
}

fn is_deadlock(system: &Interpreter, state: &[u32]) -> bool {
    let mut out = Successors::new();
    let mut worker = system.worker();
    let moved = system.successors(&mut worker, state, &mut out);
    moved.is_ok() && out.is_empty() && system.end(&mut worker, state) == End::Deadlock
}

/// The trail of the first violation of a result; nothing, and a note why, if there is none.
pub fn of_result(system: &Interpreter, result: &RunResult) -> Option<String> {
    let Some(trace) = runs::traces(std::slice::from_ref(result)).next() else {
        complain("note: there is no violation with a trace, so the trail is empty\n");
        return None;
    };
    if system.machine().numbers_differ.is_some() {
        complain(
            "note: the trail is empty: the model has a jump with a label that others refer to, \
             after which SPIN numbers statements in another way\n",
        );
        return None;
    }
    let actions = actions(system, trace)?;
    Some(Trail::of(system.machine(), &actions).render())
}

/// The actions of a trace, by the choices that it took.
fn actions(system: &Interpreter, trace: &Trace) -> Option<Vec<Action>> {
    let mut at = system.beginnings().ok()?.into_iter().next();
    let mut actions: Vec<Action> = Vec::new();
    while let Some(step) = trace.steps.get(actions.len()) {
        let moment: &Moment = at.as_ref()?;
        let choices = system.choices(moment).ok()?;
        let number = *step.choice.first()? as usize;
        let failed = step.fault.is_some();
        let fatal = || choices.iter().find(|choice: &&Choice| choice.fatal && failed);
        let same = |choice: &&Choice| system.action(choice.actions[0].transition).text == step.text;
        let choice = fatal().filter(same).or_else(|| choices.get(number).filter(same))?;
        actions.extend_from_slice(&choice.actions);
        at = system.take(moment, choice).ok()?.next;
    }
    Some(actions)
}
