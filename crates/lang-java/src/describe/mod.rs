//! What a person reads about states and steps, the replay of runs, and walks.

mod calls;
mod paths;
mod values;
mod waits;

use std::collections::HashMap;
use std::sync::PoisonError;

use everypath_model::{
    Action, ActionInfo, Blocked, Choice, Describe, Fault, FaultInfo, MicroStep, ModelError, Moment,
    ReplayError, Simulate, Successors, Taken, Threading, TransitionSystem, Value,
};

pub(crate) use self::calls::{Call, Target, frame_text};
pub(crate) use self::paths::{Marks, Paths};
pub(crate) use self::values::simple_name;
use crate::classfile::flags;
use crate::names::asserted;
use crate::program::{Program, failed};
use crate::system::JavaWorker;
use crate::vm::{Run, Status, Uncaught, Worker, header};

impl Describe for Program {
    fn values(&self, state: &[u32]) -> Vec<(String, Value)> {
        let mut marks = self.marks(state);
        let ask = |worker: &mut Worker| worker.values(&Paths::of(worker, &mut marks));
        self.with_state(state, ask).unwrap_or_default()
    }

    fn processes(&self, state: &[u32]) -> Vec<String> {
        self.with_state(state, |worker| {
            (0..worker.threads.len())
                .filter(|&thread| worker.is_alive(thread))
                .map(|thread| worker.thread_name(thread))
                .collect()
        })
        .unwrap_or_default()
    }

    fn action(&self, transition: u32) -> ActionInfo {
        let (method, pc, _) = self.names.action_key(transition).unwrap_or_default();
        self.info((method, pc))
    }

    fn fault(&self, fault: Fault) -> FaultInfo {
        self.names.fault(fault)
    }

    fn replay(&self, state: &[u32], actions: &[Action]) -> Result<Vec<MicroStep>, ReplayError> {
        let mut worker = self.worker();
        let mut state = state.to_vec();
        let mut steps = Vec::with_capacity(actions.len());
        let mut marks = self.marks(&state);
        let mut known = Known::default();
        known.insert(state.clone(), marks.clone());
        for (index, &action) in actions.iter().enumerate() {
            let error = |message: String| ReplayError { index, message };
            let step = self
                .replay_one(&mut worker, &state, action, &mut marks)
                .map_err(|trap| error(failed(trap).0))?
                .ok_or_else(|| error("the thread cannot do that there".to_owned()))?;
            state.clone_from(&step.state);
            known.insert(state.clone(), marks.clone());
            steps.push(step);
        }
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = known;
        Ok(steps)
    }

    fn run_faults(&self, state: &[u32], actions: &[Action]) -> Vec<(Fault, FaultInfo)> {
        let mut found = self.races_of_run(state, actions).unwrap_or_default();
        found.extend(self.circle_of_run(state, actions));
        found
    }

    fn blocked(&self, state: &[u32]) -> Vec<Blocked> {
        let mut marks = self.marks(state);
        let ask = |worker: &mut Worker| self.blocked_threads(worker, &mut marks);
        self.with_state(state, ask).unwrap_or_default()
    }

    fn process_of(&self, state: &[u32], action: Action) -> String {
        let thread = action.process as usize;
        let name = |worker: &mut Worker| {
            let alive = thread < worker.threads.len() && worker.is_alive(thread);
            if alive { worker.thread_name(thread) } else { String::new() }
        };
        self.with_state(state, name).unwrap_or_default()
    }

    fn process_word(&self) -> &'static str {
        "thread"
    }

    fn invariant_fault(&self, state: &[u32], fault: Fault) -> FaultInfo {
        self.why_violated(state, fault)
    }
}

impl Simulate for Program {
    fn beginnings(&self) -> Result<Vec<Moment>, ModelError> {
        let mut out = Successors::new();
        self.initial(&mut self.worker(), &mut out)?;
        let states = out.steps().iter().map(|step| out.target(step).to_vec());
        Ok(states.map(|state| Moment { state, holder: None }).collect())
    }

    fn choices(&self, at: &Moment) -> Result<Vec<Choice>, ModelError> {
        let mut out = Successors::new();
        self.successors(&mut self.worker(), &at.state, &mut out)?;
        let choice = |step| Choice {
            actions: out.actions(step).to_vec(),
            faults: step.fault.into_iter().collect(),
            fatal: step.fatal,
        };
        // What two threads do at a time is found by searches, and no move of a walk.
        Ok(out.steps().iter().filter(|step| !step.fatal).map(choice).collect())
    }

    fn take(&self, at: &Moment, choice: &Choice) -> Result<Taken, ModelError> {
        let mut steps =
            self.replay(&at.state, &choice.actions).map_err(|error| ModelError(error.message))?;
        // The moves of a walk are those that assumptions leave.
        let all = self.choices(at)?;
        if let (Some(step), Some(chosen)) =
            (steps.last_mut(), all.iter().position(|other| other.actions == choice.actions))
        {
            step.choice = (chosen as u32, all.len() as u32);
        }
        let state = steps.last().map_or_else(|| at.state.clone(), |step| step.state.clone());
        Ok(Taken { steps, next: Some(Moment { state, holder: None }) })
    }
}

/// What is compared before and after a step.
struct Seen {
    /// The lock that the thread is about to take.
    entering: Option<(u32, String)>,
    locks: Vec<(u32, String)>,
    waiting: Vec<(usize, String)>,
    alive: Vec<bool>,
}

/// What objects were called in the states of the last run that was replayed.
pub(crate) type Known = HashMap<Vec<u32>, Marks>;

impl Program {
    /// What the objects of a state were called when a run came there.
    pub(crate) fn marks(&self, state: &[u32]) -> Marks {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(state).cloned().unwrap_or_default()
    }

    pub(crate) fn with_state<T>(
        &self,
        state: &[u32],
        ask: impl FnOnce(&mut Worker) -> T,
    ) -> Option<T> {
        let mut worker = self.new_worker().ok()?;
        worker.load(state);
        Some(ask(&mut worker))
    }

    /// An exception that nobody caught, with the values of the fields that an assertion names.
    fn fault_with_values(&self, worker: &Worker, uncaught: &Uncaught) -> FaultInfo {
        let mut info = self.names.exception(&self.vm, &self.sources, uncaught);
        let (Some((method, _)), Some(span)) = (uncaught.place, info.span) else { return info };
        let class = self.vm.registry.method_of(method).class;
        let Some(condition) = asserted(self.sources.text(span)).filter(|_| uncaught.assertion)
        else {
            return info;
        };
        let words = condition.split(|c: char| !c.is_alphanumeric() && c != '_');
        let mut told = Vec::new();
        for word in words {
            let Some(field) = class.declared_field(word) else { continue };
            let name = format!("{}.{word}", simple_name(class));
            if field.is(flags::STATIC) && !info.parts.iter().any(|(known, _)| *known == name) {
                let value = worker.static_value(field);
                told.push(format!("{word} is {value}"));
                info.parts.push((name, value));
            }
        }
        if !told.is_empty() && info.message.ends_with(condition) {
            info.message = format!("{}, but {}", info.message, told.join(" and "));
        }
        info
    }

    fn replay_one(
        &self,
        worker: &mut JavaWorker,
        state: &[u32],
        action: Action,
        marks: &mut Marks,
    ) -> Run<Option<MicroStep>> {
        let JavaWorker { inner, target, .. } = worker;
        inner.load(state);
        let moves = self.moves(inner)?;
        let found = moves.iter().position(|step| self.action_of(inner, step) == action);
        let Some(chosen) = found else { return Ok(None) };
        let step = &moves[chosen];
        let process = inner.thread_name(step.thread);
        let info = self.place_of(inner, step.thread);
        let paths = Paths::of(inner, marks);
        let before = inner.seen(&paths, step.thread);
        let stack = inner.stack_of(step.thread);
        let inside = inner.inside(step.thread);
        let asked = inner.asked(step.thread);
        let access = inner.next_access(step.thread).and_then(|access| {
            let name = inner.target_name(&paths, access.target)?;
            Some((access, name, inner.target_value(access.target)))
        });
        inner.picks = Some(Box::default());
        let done = inner.transition(step.thread, step.alternative);
        let picks = inner.picks.take().unwrap_or_default();
        done?;
        if inner.pruned {
            return Ok(None);
        }
        // Objects still have the numbers that they had before.
        let mut threading = inner.compared(&before, step.thread, marks);
        threading.stack = stack;
        threading.deeds.extend(inner.unreasoned.take());
        if let Some((nanoseconds, method)) = inner.ran_out.take() {
            let (call, time) = (asked.unwrap_or_else(|| method.to_owned()), time(nanoseconds));
            let over = if method == "Thread.sleep" { "ends" } else { "runs out" };
            threading.deeds.push(format!("{call} {over} after {time}"));
        }
        threading.deeds.extend(picks.values.iter().map(|value| format!("chooses {value}")));
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        if let Some((access, name, old)) = access {
            match access.write {
                false => reads.push((name, old)),
                true => writes.push((name, old, inner.target_value(access.target))),
            }
        } else if let Some(inside) = inside.filter(|_| threading.deeds.is_empty()) {
            threading.deeds.push(format!("in {inside}"));
        }
        let faults: Vec<FaultInfo> =
            inner.uncaught.iter().take(1).map(|one| self.fault_with_values(inner, one)).collect();
        if let Some(span) = faults.first().and_then(|fault| fault.span).filter(|s| *s != info.span)
        {
            let line = self.sources.start(span).0;
            threading.deeds.push(format!("fails at line {line}"));
        }
        let output: Vec<u8> = inner.output.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
        inner.save_whole(target)?;
        marks.after(inner);
        Ok(Some(MicroStep {
            action,
            process,
            info,
            reads,
            uses: Vec::new(),
            writes,
            message: None,
            earlier: Vec::new(),
            atomic: false,
            choice: (chosen as u32, moves.len() as u32),
            state: target.clone(),
            output: String::from_utf8_lossy(&output).into_owned(),
            threading,
            faults,
        }))
    }
}

/// A time as people write it: `10 s`, `50 ms`.
fn time(nanoseconds: u64) -> String {
    let (unit, size) = match nanoseconds {
        0..1_000 => return format!("{nanoseconds} ns"),
        1_000..1_000_000 => ("us", 1e3),
        1_000_000..1_000_000_000 => ("ms", 1e6),
        _ => ("s", 1e9),
    };
    let number = format!("{:.1}", nanoseconds as f64 / size);
    format!("{} {unit}", number.strip_suffix(".0").unwrap_or(&number))
}

impl Worker {
    fn seen(&self, paths: &Paths, thread: usize) -> Seen {
        let locks = self.locks_of(thread).into_iter();
        let enters = self.status(thread).enters();
        let target = self.thread(thread, header::TARGET);
        Seen {
            entering: enters.then(|| (target, paths.name(self, target))),
            locks: locks.map(|lock| (lock, self.lock_name(paths, lock))).collect(),
            waiting: (0..self.threads.len())
                .filter(|&other| {
                    self.is_alive(other)
                        && matches!(self.status(other), Status::Wait | Status::TimedWait)
                })
                .map(|other| (other, self.thread_name(other)))
                .collect(),
            alive: (0..self.threads.len()).map(|other| self.is_alive(other)).collect(),
        }
    }

    /// What a thread did with locks and others, by the state as it is now.
    fn compared(&self, before: &Seen, thread: usize, marks: &mut Marks) -> Threading {
        // Who ended the program has cut off everybody.
        if self.threads.len() <= thread || !self.is_alive(thread) {
            let releases: Vec<String> = before.locks.iter().map(|(_, name)| name.clone()).collect();
            return Threading { releases, ..Threading::default() };
        }
        let paths = Paths::of(self, marks);
        let now = self.locks_of(thread);
        let known = |lock: u32| before.locks.iter().find(|(known, _)| *known == lock);
        let holds: Vec<String> = now
            .iter()
            .map(|&lock| match known(lock) {
                Some((_, name)) => name.clone(),
                None => self.lock_name(&paths, lock),
            })
            .collect();
        let mut done = Threading::default();
        for (&lock, name) in now.iter().zip(&holds) {
            if known(lock).is_none() {
                done.takes.push(name.clone());
            }
        }
        let released = before.locks.iter().filter(|(lock, _)| !now.contains(lock));
        done.releases = released.map(|(_, name)| name.clone()).collect();
        let waits = matches!(self.status(thread), Status::Wait | Status::TimedWait);
        let target = self.thread(thread, header::TARGET);
        done.releases.retain(|name| !waits || *name != paths.name(self, target));
        if let Some((lock, name)) = &before.entering
            && !now.contains(lock)
            && !(waits && *lock == target)
        {
            // It had the lock for a moment.
            done.takes.insert(0, name.clone());
            done.releases.insert(0, name.clone());
        }
        done.holds = holds;
        for other in 0..self.threads.len() {
            let was = before.alive.get(other).copied().unwrap_or(false);
            if self.is_alive(other) && !was {
                done.deeds.push(format!("starts {}", self.thread_name(other)));
            }
        }
        for (other, name) in &before.waiting {
            if *other != thread && self.is_alive(*other) && self.status(*other) == Status::Notified
            {
                done.deeds.push(format!("wakes {name}"));
            }
        }
        for &object in &self.unheard {
            done.deeds.push(format!("notifies {}, nobody waits", paths.name(self, object)));
        }
        for &object in &self.halfheard {
            done.deeds.push(format!("notifies one of several on {}", paths.name(self, object)));
        }
        match self.status(thread) {
            Status::Wait | Status::TimedWait => match self.thread_of(target) {
                Some(other) => done.deeds.push(format!("waits for {}", self.thread_name(other))),
                None => done.deeds.push(format!("waits on {}", paths.name(self, target))),
            },
            Status::Interrupted => done.deeds.push("is interrupted and waits no longer".to_owned()),
            Status::Late => done.deeds.push("has waited long enough".to_owned()),
            Status::Park | Status::TimedPark if !self.has_permit(thread) => {
                done.deeds.push("parks".to_owned());
            }
            _ => {}
        }
        done
    }

    /// The calls that a thread is inside of, as stack traces have them, outermost first.
    fn stack_of(&self, thread: usize) -> Vec<String> {
        let calls = self.calls(thread).into_iter();
        calls.filter(|call| !call.is_own() && !call.method.class.hidden).map(|c| c.text()).collect()
    }

    /// The method of the library that a thread is inside of, as the program called it; of a thread of the library's
    /// own, that it is one. `None` if the program itself is what moves next.
    fn asked(&self, thread: usize) -> Option<String> {
        let calls = self.calls(thread);
        let Some(own) = calls.iter().rposition(|call| call.is_program()) else {
            return Some("a wait of the library".to_owned());
        };
        let called = calls.get(own + 1).filter(|call| call.method.class.library)?;
        Some(format!("{}.{}", simple_name(called.method.class), called.method.name))
    }

    /// The method of the library that a thread stands in, if it was called by the program.
    fn inside(&self, thread: usize) -> Option<String> {
        let calls = self.calls(thread);
        let last = calls.last().filter(|call| call.method.class.library && !call.is_own())?;
        calls
            .iter()
            .any(|call| call.is_program())
            .then(|| format!("{}.{}", simple_name(last.method.class), last.method.name))
    }
}
