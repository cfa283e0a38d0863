//! The run that leads to a violation, made again from the numbers of its steps.

use everypath_model::{Action, Extent, ModelError, Parts, Successors, TransitionSystem};

use crate::outcome::{Outcome, Reached, Site, Violation};
use crate::searches::divided;
use crate::searches::parents::run_to;

/// A run from an initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The initial state.
    pub initial: Vec<u32>,
    /// The actions of all steps, end to end: what
    /// [`Describe::replay`](everypath_model::Describe::replay) takes.
    pub actions: Vec<Action>,
    /// Where the actions of each step end.
    ends: Vec<u32>,
    /// Which initial step, then which step of each state, counted as the search did; nothing if only
    /// the actions are known.
    pub ordinals: Vec<u32>,
    /// The state where the run ends; after a fatal fault the state in which it happened. Nothing if
    /// only the actions are known.
    pub last: Vec<u32>,
}

impl Path {
    /// A run of which only the actions are known: each counts as a step.
    pub fn of_actions(initial: Vec<u32>, actions: Vec<Action>) -> Path {
        let ends = (1..=actions.len() as u32).collect();
        Path { initial, actions, ends, ordinals: Vec::new(), last: Vec::new() }
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the run ends where it begins.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The actions of each step.
    pub fn steps(&self) -> impl Iterator<Item = &[Action]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.actions[start as usize..end as usize])
    }

    /// Number of context switches: actions of another process than the action before.
    pub fn switches(&self) -> u64 {
        self.actions.windows(2).filter(|pair| pair[0].process != pair[1].process).count() as u64
    }

    /// Runs a system along `ordinals`, which count the steps of all attempts of a reduced search if
    /// it was one.
    pub(crate) fn replay<S: TransitionSystem>(
        system: &S,
        ordinals: Vec<u32>,
        reduced: bool,
        parts: Option<&Parts>,
    ) -> Result<Path, ModelError> {
        Path::replay_with(system, ordinals, reduced, parts, &mut |_, _| {})
    }

    /// The same; `visit` sees the actions and the target of every step, that to the initial state included.
    fn replay_with<S: TransitionSystem>(
        system: &S,
        ordinals: Vec<u32>,
        reduced: bool,
        parts: Option<&Parts>,
        visit: &mut dyn FnMut(&[Action], &[u32]),
    ) -> Result<Path, ModelError> {
        let mut worker = system.worker();
        let mut steps = Successors::new();
        let mut state: Vec<u32> = Vec::new();
        let mut path = Path {
            initial: Vec::new(),
            actions: Vec::new(),
            ends: Vec::new(),
            ordinals: Vec::new(),
            last: Vec::new(),
        };
        for (index, &ordinal) in ordinals.iter().enumerate() {
            let mut ordinal = ordinal as usize;
            steps.clear();
            if index == 0 {
                system.initial(&mut worker, &mut steps)?;
            } else if reduced {
                let mut attempt = 0;
                while system.reduced(&mut worker, &state, attempt, &mut steps)? == Extent::Part
                    && ordinal >= steps.len()
                {
                    ordinal -= steps.len();
                    attempt += 1;
                    steps.clear();
                }
            } else {
                divided::steps(system, &mut worker, parts, &state, &mut steps)?;
            }
            let Some(step) = steps.steps().get(ordinal) else {
                return Err(ModelError(format!(
                    "the model does not repeat itself: step {index} of a run has become impossible"
                )));
            };
            state.clear();
            state.extend_from_slice(steps.target(step));
            visit(steps.actions(step), &state);
            if index == 0 {
                path.initial.clone_from(&state);
            } else {
                path.actions.extend_from_slice(steps.actions(step));
                path.ends.push(path.actions.len() as u32);
            }
        }
        path.last = state;
        path.ordinals = ordinals;
        Ok(path)
    }
}

impl Outcome {
    /// The run to a violation of this outcome.
    pub fn path<S: TransitionSystem>(
        &self,
        system: &S,
        violation: &Violation,
    ) -> Result<Path, ModelError> {
        self.path_with(system, violation, &mut |_, _| {})
    }

    /// The same; `visit` sees the actions and the target of every step, that to the initial state included.
    pub(crate) fn path_with<S: TransitionSystem>(
        &self,
        system: &S,
        violation: &Violation,
        visit: &mut dyn FnMut(&[Action], &[u32]),
    ) -> Result<Path, ModelError> {
        let Reached { reduced, parts, .. } = &self.reached;
        Path::replay_with(system, self.ordinals(violation), *reduced, parts.as_ref(), visit)
    }

    /// A violation with the run to it, which says where it is in the outcomes of other searches as well.
    pub fn by_run(&self, violation: &Violation) -> Violation {
        Violation { site: Site::Run(self.ordinals(violation).into()), ..violation.clone() }
    }

    /// The numbers of the steps of the run to a violation.
    fn ordinals(&self, violation: &Violation) -> Vec<u32> {
        let to_state = |state| match &self.reached.logs {
            Some(logs) => run_to(logs, state),
            None => Vec::new(),
        };
        match violation.site {
            Site::State(state) => to_state(state),
            Site::Step(state, ordinal) => {
                let mut run = to_state(state);
                run.push(ordinal);
                run
            }
            Site::Run(ref run) => run.to_vec(),
        }
    }
}
