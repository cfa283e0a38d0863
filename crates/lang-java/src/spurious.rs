//! Searches with and without what happens without a reason.

use everypath_model::Action;

use crate::program::Program;
use crate::vm::spurious::UNREASONED;

impl Program {
    /// Whether threads that wait may wake up without a reason from now on, and weak compare-and-set may fail. The steps
    /// that a state has otherwise keep their numbers.
    pub fn explore_spurious(&self, on: bool) {
        self.vm.unreasoned.explore(on);
    }

    /// Whether they may.
    pub fn explores_spurious(&self) -> bool {
        self.vm.unreasoned.is_on()
    }

    /// Notes that a search has looked at that; `alone`: that another one had looked at everything else.
    pub fn note_spurious_explored(&self, alone: bool) {
        self.vm.unreasoned.note_explored(alone);
    }

    /// Whether what was found with it is not there without.
    pub fn is_spurious_alone(&self) -> bool {
        self.vm.unreasoned.is_alone()
    }

    /// What could have happened without a reason, and was not looked at: wake-ups, and failures of weak compare-and-set.
    pub fn unexplored_spurious(&self) -> (bool, bool) {
        let unreasoned = &self.vm.unreasoned;
        let open = !unreasoned.is_explored();
        (open && unreasoned.has_waits(), open && unreasoned.has_weak())
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
