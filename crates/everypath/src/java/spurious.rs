//! Searches with what Java allows to happen without a reason. First they go without: what is wrong only with it is
//! told as such.

use everypath_engine_explicit::{
    Control, LeftOut, Observer, Options, Outcome, Progress, Stopped, Violation,
};
use everypath_lang_java::{Program, Spurious};

use super::search_usual;
use crate::subject::Manner;

/// Shows how far a search is, and lets nobody look around beside it.
struct Alone<'a>(&'a mut dyn Observer);

impl Observer for Alone<'_> {
    fn progress(&mut self, progress: &Progress) -> Control {
        self.0.progress(progress)
    }
}

/// Searches without what happens without a reason, and then with it, where that makes a difference.
pub fn search(
    program: &Program,
    manner: Manner,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    let asked = program.asked_spurious();
    loop {
        program.explore_spurious(false);
        let mut usual = search_usual(program, manner, options, observer);
        let met = program.met_spurious();
        let both = Spurious {
            wakeups: met.wakeups && asked.wakeups,
            failures: met.failures && asked.failures,
        };
        // Where much is wrong already, or a limit was met, nobody can tell what is wrong only with it.
        if usual.stopped != Stopped::Finished || both == Spurious::default() {
            return usual;
        }
        if manner.stateless.is_some() {
            let first = program.spurious_left_out();
            usual.left_out.get_or_insert(LeftOut { first, states: 1 });
            return usual;
        }
        program.note_spurious_explored();
        program.explore_spurious(true);
        let all = everypath_engine_explicit::search(program, options, &mut Alone(observer));
        program.explore_spurious(false);
        if matches!(all.stopped, Stopped::ModelError(_)) && program.assume_less() {
            // What was found before cannot be shown any more.
            continue;
        }
        return joined(&usual, all);
    }
}

/// What both searches found. Their runs have other numbers: those of the second are marked.
fn joined(usual: &Outcome, mut all: Outcome) -> Outcome {
    let known: Vec<Violation> = usual.violations.iter().map(|one| usual.by_run(one)).collect();
    all.violations.retain(|new| known.iter().all(|one| one.kind != new.kind));
    for new in &mut all.violations {
        new.spurious = true;
    }
    all.violations.splice(..0, known);
    all
}

/// What happens in a run without a reason.
pub fn events(
    program: &Program,
    initial: &[u32],
    actions: &[everypath_model::Action],
) -> Option<String> {
    let events = program.spurious_events(initial, actions);
    let (first, more) = events.split_first()?;
    Some(match more.len() {
        0 => format!("only with {first}"),
        more => format!("only with {first} and {more} more"),
    })
}
