//! Programs as transition systems: a step is one thread, from its stop to its next one.

use everypath_model::{
    Action, ActionInfo, Blocked, ComponentMask, Describe, End, Fault, FaultInfo, MicroStep,
    ModelError, ReplayError, Successors, TransitionSystem, Value,
};

use crate::heap::BASE;
use crate::program::{Program, failed};
use crate::vm::{PREFIX, Run, Status, Vector, Worker, header};

/// Objects in one component of a vector.
const GROUP: usize = 4;

/// Scratch memory of one thread of a search.
pub struct JavaWorker {
    inner: Worker,
    target: Vec<u32>,
}

impl JavaWorker {
    /// Instructions of the program that were executed so far.
    pub fn instructions(&self) -> u64 {
        self.inner.executed
    }
}

/// What a state can do next.
struct Move {
    thread: usize,
    alternative: u32,
}

impl Program {
    /// The moves of the state that a worker has taken up.
    fn moves(&self, worker: &Worker) -> Run<Vec<Move>> {
        let mut moves = Vec::new();
        if worker.exit.is_some() || worker.is_over() {
            return Ok(moves);
        }
        // What a new thread does before others can notice anything is done at once.
        for thread in 0..worker.threads.len() {
            if worker.is_alive(thread) && worker.status(thread) == Status::Start {
                return Ok(vec![Move { thread, alternative: 0 }]);
            }
        }
        // So is what a thread does in an atomic region, as long as it can.
        for thread in 0..worker.threads.len() {
            if worker.is_alive(thread) && worker.thread(thread, header::ATOMIC) > 0 {
                let count = worker.alternatives(thread)?;
                if count > 0 {
                    return Ok((0..count)
                        .map(|alternative| Move { thread, alternative })
                        .collect());
                }
            }
        }
        for thread in 0..worker.threads.len() {
            for alternative in 0..worker.alternatives(thread)? {
                moves.push(Move { thread, alternative });
            }
        }
        Ok(moves)
    }

    /// The number of what a thread is about to do.
    fn action(&self, worker: &Worker, step: &Move) -> Action {
        let (method, pc) = worker.standing(step.thread);
        let transition = self.names.action((method, pc, step.alternative));
        Action { process: step.thread as u32, transition }
    }

    fn expand(&self, worker: &mut JavaWorker, state: &[u32], out: &mut Successors) -> Run<()> {
        let JavaWorker { inner, target } = worker;
        inner.load(state);
        let moves = self.moves(inner)?;
        for (index, step) in moves.iter().enumerate() {
            if index > 0 {
                inner.load(state);
            }
            let action = self.action(inner, step);
            inner.transition(step.thread, step.alternative)?;
            if inner.pruned {
                continue;
            }
            inner.save(target)?;
            let changed = self.changed(state, target);
            let uncaught = inner.uncaught.first();
            let fault = uncaught.map(|one| self.names.uncaught(&self.vm, &self.sources, one));
            out.push_faulty(target, changed, &[action], fault, false);
        }
        Ok(())
    }

    /// The components in which two states differ.
    fn changed(&self, from: &[u32], to: &[u32]) -> ComponentMask {
        if from.len() != to.len() || from[PREFIX - 1] != to[PREFIX - 1] {
            return ComponentMask::ALL;
        }
        let single = PREFIX + singles(from);
        let mut changed = ComponentMask::default();
        for (index, (a, b)) in from.iter().zip(to).enumerate() {
            if a != b {
                changed.insert(match index {
                    index if index < PREFIX => 0,
                    index if index < single => index - PREFIX + 1,
                    index => single - PREFIX + 1 + (index - single) / GROUP,
                });
            }
        }
        changed
    }

    fn with_state<T>(&self, state: &[u32], ask: impl FnOnce(&mut Worker) -> Run<T>) -> Option<T> {
        let mut worker = self.new_worker().ok()?;
        worker.load(state);
        ask(&mut worker).ok()
    }
}

/// Words behind the first ones that are components by themselves.
fn singles(state: &[u32]) -> usize {
    let parts = Vector::of(state);
    parts.threads + parts.statics + 2 * parts.deviations
}

impl TransitionSystem for Program {
    type Worker = JavaWorker;

    fn worker(&self) -> JavaWorker {
        // The code that threads begin with was made when the program was loaded.
        let inner = self.new_worker().unwrap_or_else(|_| unreachable!("a loaded program"));
        JavaWorker { inner, target: Vec::new() }
    }

    fn initial(&self, worker: &mut JavaWorker, out: &mut Successors) -> Result<(), ModelError> {
        let JavaWorker { inner, target } = worker;
        self.first_state(inner, target).map_err(failed)?;
        out.push(target, ComponentMask::ALL, &[]);
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut JavaWorker,
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        self.expand(worker, state, out).map_err(failed)
    }

    fn end(&self, worker: &mut JavaWorker, state: &[u32]) -> End {
        worker.inner.load(state);
        // A thread whose every alternative was ruled out by an assumption does not wait.
        let can_move = self.moves(&worker.inner).is_ok_and(|moves| !moves.is_empty());
        match worker.inner.exit.is_some() || worker.inner.is_over() || can_move {
            true => End::Valid,
            false => End::Deadlock,
        }
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        ends.push(PREFIX as u32);
        let single = PREFIX + singles(state);
        ends.extend(PREFIX as u32 + 1..=single as u32);
        let mut at = single;
        while at < state.len() {
            at = (at + GROUP).min(state.len());
            ends.push(at as u32);
        }
    }
}

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
    fn replay_one(
        &self,
        worker: &mut JavaWorker,
        state: &[u32],
        action: Action,
    ) -> Run<Option<MicroStep>> {
        let JavaWorker { inner, target } = worker;
        inner.load(state);
        let moves = self.moves(inner)?;
        let found = moves.iter().position(|step| self.action(inner, step) == action);
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

impl Worker {
    /// Where a thread stands: the innermost method of the program, and the instruction in it.
    fn standing(&self, thread: usize) -> (u32, u32) {
        let mut content = Vec::new();
        self.heap.read(&self.vm.dictionary, self.threads[thread], &mut content);
        let mut at = header::WORDS as usize;
        let mut found = (0, 0);
        let mut own = false;
        while at + 1 < content.len() {
            let method = self.vm.registry.method_of(content[at]);
            let (pc, depth) = (content[at + 1] >> 16, content[at + 1] & 0xffff);
            if !method.class.library || !own {
                own |= !method.class.library;
                found = (method.id, pc);
            }
            let Ok(code) = method.code() else { break };
            at += 2 + usize::from(code.max_locals) + depth as usize;
        }
        found
    }

    /// The name of a thread.
    fn thread_name(&self, thread: usize) -> String {
        let object = self.thread(thread, header::OBJECT);
        let name = self.field_of(object, "name").map(|field| self.get(object, field.slot));
        name.and_then(|name| self.text_of(name)).unwrap_or_else(|_| format!("thread {thread}"))
    }

    /// What a thread waits for.
    fn waits_for(&self, thread: usize) -> String {
        let target = self.thread(thread, header::TARGET);
        let object = || self.object_name(target);
        match self.status(thread) {
            Status::Enter | Status::Notified => match self.owner(target) {
                Some(owner) => {
                    format!(
                        "needs the monitor of {}, which {} has",
                        object(),
                        self.thread_name(owner)
                    )
                }
                None => format!("needs the monitor of {}", object()),
            },
            Status::Wait | Status::TimedWait => {
                format!("waits to be notified through {}", object())
            }
            Status::Park | Status::TimedPark => "is parked and has no permit".to_owned(),
            Status::Class => {
                let class = self.vm.registry.class_of(self.thread(thread, header::COUNT));
                format!("waits until another thread has initialised {}", class.get_name())
            }
            _ => "can move".to_owned(),
        }
    }

    /// An object as a person knows it: its class, and which of its instances.
    fn object_name(&self, object: u32) -> String {
        if object == 0 {
            return "null".to_owned();
        }
        let class = self.class_of(object);
        if &*class.name == "java/lang/Class" {
            return format!("{}.class", self.mirrored(object).get_name());
        }
        if object & BASE != 0 {
            return class.get_name();
        }
        let before = (1..object).filter(|&other| self.class_of(other) == class).count();
        format!("{}#{}", class.get_name(), before + 1)
    }

    /// Static fields of the program's classes and fields of its objects.
    fn values(&self) -> Vec<(String, Value)> {
        let mut values = Vec::new();
        let mut known = self.heap.known.clone();
        known.sort_unstable();
        for id in known {
            let class = self.vm.registry.class_of(id);
            if class.library {
                continue;
            }
            let place = self.heap.statics(&self.vm.base, id);
            let fields = class.linked().fields.iter();
            for field in fields.filter(|f| f.is(crate::classfile::flags::STATIC)) {
                if field.name.starts_with('$') {
                    continue;
                }
                let word = |index| self.heap.word(&self.vm.dictionary, place, field.slot + index);
                let bits =
                    u64::from(word(0)) | if field.wide() { u64::from(word(1)) << 32 } else { 0 };
                let name = format!("{}.{}", class.get_name(), field.name);
                values.push((name, self.value(&field.descriptor, bits)));
            }
        }
        for object in 1..=self.heap.objects.len() as u32 {
            let class = self.class_of(object);
            if class.library || class.element().is_some() {
                continue;
            }
            let name = self.object_name(object);
            let mut owner = Some(class);
            while let Some(class) = owner.filter(|class| !class.library) {
                let fields = class.linked().fields.iter();
                for field in fields.filter(|f| !f.is(crate::classfile::flags::STATIC)) {
                    let low = u64::from(self.get(object, field.slot));
                    let high = match field.wide() {
                        true => u64::from(self.get(object, field.slot + 1)) << 32,
                        false => 0,
                    };
                    let value = self.value(&field.descriptor, low | high);
                    values.push((format!("{name}.{}", field.name), value));
                }
                owner = class.super_class;
            }
        }
        values
    }

    fn value(&self, descriptor: &str, bits: u64) -> Value {
        match descriptor.as_bytes()[0] {
            b'Z' => Value::Bool(bits != 0),
            b'C' => {
                let char = char::from_u32(bits as u32).unwrap_or('\u{fffd}');
                Value::Name(format!("{char:?}"))
            }
            b'J' => Value::Int(bits as i64),
            b'F' => Value::Name(f32::from_bits(bits as u32).to_string()),
            b'D' => Value::Name(f64::from_bits(bits).to_string()),
            b'B' | b'S' | b'I' => Value::Int(i64::from(bits as u32 as i32)),
            _ => {
                let object = bits as u32;
                if object != 0 && &*self.class_of(object).name == "java/lang/String" {
                    let text = self.text_of(object).unwrap_or_default();
                    return Value::Name(format!("{text:?}"));
                }
                Value::Name(self.object_name(object))
            }
        }
    }
}
