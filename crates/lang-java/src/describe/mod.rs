//! What a person reads about states and steps, and the replay of runs.

mod values;
mod waits;

use everypath_model::{
    Action, ActionInfo, Blocked, Describe, Fault, FaultInfo, MicroStep, ReplayError,
    TransitionSystem, Value,
};

use crate::program::{Program, failed};
use crate::system::JavaWorker;
use crate::vm::{Run, Worker};

impl Describe for Program {
    fn values(&self, state: &[u32]) -> Vec<(String, Value)> {
        self.with_state(state, |worker| Ok(worker.values())).unwrap_or_default()
    }

    fn processes(&self, state: &[u32]) -> Vec<String> {
        self.with_state(state, |worker| {
            Ok((0..worker.threads.len())
                .filter(|&thread| worker.is_alive(thread))
                .map(|thread| worker.thread_name(thread))
                .collect())
        })
        .unwrap_or_default()
    }

    fn action(&self, transition: u32) -> ActionInfo {
        let (method, pc, _) = self.names.action_key(transition).unwrap_or_default();
        self.names.info(&self.vm, &self.sources, (method, pc))
    }

    fn fault(&self, fault: Fault) -> FaultInfo {
        self.names.fault(fault)
    }

    fn replay(&self, state: &[u32], actions: &[Action]) -> Result<Vec<MicroStep>, ReplayError> {
        let mut worker = self.worker();
        let mut state = state.to_vec();
        let mut steps = Vec::with_capacity(actions.len());
        for (index, &action) in actions.iter().enumerate() {
            let error = |message: String| ReplayError { index, message };
            let step = self
                .replay_one(&mut worker, &state, action)
                .map_err(|trap| error(failed(trap).0))?
                .ok_or_else(|| error("the thread cannot do that there".to_owned()))?;
            state.clone_from(&step.state);
            steps.push(step);
        }
        Ok(steps)
    }

    fn blocked(&self, state: &[u32]) -> Vec<Blocked> {
        self.with_state(state, |worker| {
            let alive = (0..worker.threads.len()).filter(|&thread| worker.is_alive(thread));
            let blocked = alive.map(|thread| {
                let at = worker.standing(thread);
                Blocked {
                    process: worker.thread_name(thread),
                    at: vec![self.names.info(&self.vm, &self.sources, at)],
                    why: worker.waits_for(thread),
                    valid_end: worker.is_daemon(thread),
                    needs: Vec::new(),
                }
            });
            Ok(blocked.collect())
        })
        .unwrap_or_default()
    }

    fn invariant_fault(&self, _: &[u32], fault: Fault) -> FaultInfo {
        self.names.fault(fault)
    }
}

impl Program {
    fn with_state<T>(&self, state: &[u32], ask: impl FnOnce(&mut Worker) -> Run<T>) -> Option<T> {
        let mut worker = self.new_worker().ok()?;
        worker.load(state);
        ask(&mut worker).ok()
    }

    fn replay_one(
        &self,
        worker: &mut JavaWorker,
        state: &[u32],
        action: Action,
    ) -> Run<Option<MicroStep>> {
        let JavaWorker { inner, target } = worker;
        inner.load(state);
        let moves = self.moves(inner)?;
        let found = moves.iter().position(|step| self.action_of(inner, step) == action);
        let Some(chosen) = found else { return Ok(None) };
        let step = &moves[chosen];
        let process = inner.thread_name(step.thread);
        let standing = inner.standing(step.thread);
        let before = inner.values();
        inner.transition(step.thread, step.alternative)?;
        if inner.pruned {
            return Ok(None);
        }
        inner.save(target)?;
        let output: Vec<u8> = inner.output.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
        let faults = inner
            .uncaught
            .first()
            .map(|one| self.names.fault(self.names.uncaught(&self.vm, &self.sources, one)));
        inner.load(target);
        let after = inner.values();
        let writes = after
            .into_iter()
            .filter_map(|(name, new)| {
                let old = before.iter().find(|(known, _)| *known == name)?.1.clone();
                (old != new).then_some((name, old, new))
            })
            .collect();
        Ok(Some(MicroStep {
            action,
            process,
            info: self.names.info(&self.vm, &self.sources, standing),
            reads: Vec::new(),
            uses: Vec::new(),
            writes,
            message: None,
            earlier: Vec::new(),
            atomic: false,
            choice: (chosen as u32, moves.len() as u32),
            state: target.clone(),
            output: String::from_utf8_lossy(&output).into_owned(),
            faults: faults.into_iter().collect(),
        }))
    }
}
