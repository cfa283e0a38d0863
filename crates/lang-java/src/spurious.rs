//! Searches with and without what happens without a reason.

use everypath_model::{Action, Fault};

use crate::program::Program;
use crate::vm::spurious::{Spurious, UNREASONED};

impl Program {
    /// Whether what the options of the program name may happen from now on. It does at the beginning.
    pub fn explore_spurious(&self, on: bool) {
        self.vm.unreasoned.explore(on);
    }

    /// What may happen, by the options of the program.
    pub fn asked_spurious(&self) -> Spurious {
        self.vm.unreasoned.asked()
    }

    /// Notes that a search looked at what is asked for.
    pub fn note_spurious_explored(&self) {
        self.vm.unreasoned.note_explored();
    }

    /// What a search looked at.
    pub fn explored_spurious(&self) -> Spurious {
        self.vm.unreasoned.explored()
    }

    /// What the program did for which it would make a difference.
    pub fn met_spurious(&self) -> Spurious {
        self.vm.unreasoned.met()
    }

    /// The number of a finding of a search that does not look at it.
    pub fn spurious_left_out(&self) -> Fault {
        self.names.left_out("spurious failures of weak compare-and-set are not explored", None)
    }

    /// What happens in a run without a reason, each with its place.
    pub fn spurious_events(&self, state: &[u32], actions: &[Action]) -> Vec<String> {
        let Ok(mut worker) = self.new_worker() else { return Vec::new() };
        let mut state = state.to_vec();
        let mut events = Vec::new();
        for action in actions {
            worker.load(&state);
            let Ok(moves) = self.moves(&worker) else { return events };
            let found = moves.iter().find(|step| self.action_of(&worker, step) == *action);
            let Some(step) = found else { return events };
            let place = self.place_of(&worker, step.thread);
            if worker.transition(step.thread, step.alternative).is_err() {
                return events;
            }
            if let Some(event) = worker.unreasoned.take() {
                let (line, _) = self.sources.start(place.span);
                let path = &self.sources.file(place.span.file).path;
                let file = path.file_name().unwrap_or_default().to_string_lossy();
                events.push(match place.span.start == place.span.end {
                    true => event,
                    false => format!("{event} at {file}:{line}"),
                });
            }
            debug_assert!(step.alternative != UNREASONED || !events.is_empty());
            if worker.save(&mut state).is_err() {
                return events;
            }
        }
        events
    }
}
