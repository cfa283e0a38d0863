//! Searches with what Java allows to happen without a reason. First they go without: what is wrong only with it is
//! told as such.

use everypath_engine_explicit::{
    Control, Fewest, Observer, Options, Outcome, Progress, Stopped, Violation,
};
use everypath_lang_java::Program;
use everypath_model::{Action, ModelError};

use super::search_usual;
use crate::subject::Manner;

/// Shows how far a search is, and lets nobody look around beside it.
struct Alone<'a>(&'a mut dyn Observer);

impl Observer for Alone<'_> {
    fn progress(&mut self, progress: &Progress) -> Control {
        self.0.progress(progress)
    }
}

/// Searches without spurious wake-ups, and then with them.
pub fn search(
    program: &Program,
    manner: Manner,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    loop {
        program.explore_spurious(false);
        let usual = search_usual(program, manner, options, observer);
        program.explore_spurious(true);
        let over = matches!(
            usual.stopped,
            Stopped::Finished | Stopped::Violation | Stopped::ViolationBudget
        );
        if !over || program.unexplored_spurious() == (false, false) {
            return usual;
        }
        let mut all = everypath_engine_explicit::search(program, options, &mut Alone(observer));
        if matches!(all.stopped, Stopped::ModelError(_)) && program.assume_less() {
            // What was found before cannot be shown any more.
            continue;
        }
        program.note_spurious_explored(usual.complete());
        let known: Vec<Violation> = usual.violations.iter().map(|one| usual.by_run(one)).collect();
        all.violations.retain(|new| known.iter().all(|one| one.kind != new.kind));
        all.violations.splice(..0, known);
        return all;
    }
}

/// What has to happen without a reason so that a run is possible.
pub fn only_with(program: &Program, initial: &[u32], actions: &[Action]) -> Option<String> {
    if !program.explores_spurious() {
        return None;
    }
    let events = program.spurious_events(initial, actions);
    let (first, more) = events.split_first()?;
    let only = if program.is_spurious_alone() { "only with" } else { "with" };
    Some(match more.len() {
        0 => format!("{only} {first}"),
        more => format!("{only} {first} and {more} more"),
    })
}

/// A shortest run to a violation with the fewest context switches; one without spurious wake-ups stays so.
pub fn fewest_switches(
    program: &Program,
    outcome: &Outcome,
    options: &Options<'_>,
    violation: &Violation,
) -> Result<Fewest, ModelError> {
    if !program.explores_spurious() {
        return outcome.fewest_switches(program, options, violation);
    }
    let path = outcome.path(program, violation)?;
    let spurious = !program.spurious_events(&path.initial, &path.actions).is_empty();
    program.explore_spurious(spurious);
    let found = outcome.fewest_switches(program, options, violation);
    program.explore_spurious(true);
    found
}
