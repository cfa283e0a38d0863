//! Runs of the virtual machine of which the events are noted, to see whether a path of the graph is a run.

use std::sync::Arc;

use everypath_flow::{Binding, Happened, Site, Watched, What};
use everypath_model::{ModelError, Rng};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Extracted;
use super::body::is_library;
use super::library::{Role, role};
use super::points::{method_names, simple};
use super::values::{Kind, Value};
use crate::code::op;
use crate::heap::BASE;
use crate::link::{Class, Method, takes_any};
use crate::program::{Program, failed};
use crate::system::Move;
use crate::vm::{OWN_CLASS, Run, Worker, header};

/// Steps of a run, at most.
const MOST_STEPS: usize = 20_000;

/// Where an object is made: the thread, and the calls that lead there, each with its instruction.
pub(super) type MadeAt = (String, Vec<(u32, u32)>);

/// What is noted while instructions are executed.
pub(crate) struct Watch {
    binding: Arc<Binding>,
    sites: Arc<FxHashMap<MadeAt, String>>,
    /// The objects that have a name.
    names: FxHashMap<u32, String>,
    /// Calls of each thread that have not returned.
    open: FxHashMap<usize, Vec<Open>>,
    found: Vec<(String, String, u32, u32)>,
    /// How deep in calls each thread was at its last instruction.
    depths: FxHashMap<usize, usize>,
    /// Threads whose next instruction was begun before: its exception is thrown in a step of its own.
    begun: FxHashSet<usize>,
    /// The instructions of the program that were executed, if that is asked.
    passes: Option<Vec<(u32, u32)>>,
    /// Whether to give up, and how many instructions there were since that was asked.
    stop: Option<Stop>,
    since: u32,
}

/// A call that has not returned.
struct Open {
    depth: usize,
    /// The instruction that follows it.
    after: u32,
    method: &'static Method,
    /// What it was told about its object, which may be gone when it returns.
    on: Subject,
}

/// What rules ask of an object: its class, and its name if it has one.
#[derive(Clone, Default)]
struct Subject {
    class: Option<&'static Class>,
    name: Option<String>,
}

/// Asks whether to give up.
pub type Stop = Arc<dyn Fn() -> bool + Send + Sync>;

/// Instructions between questions whether to give up.
const POLL: u32 = 4096;

impl Watch {
    /// Notes the instructions of the program that are executed, and no events.
    pub fn of_passes() -> Watch {
        Watch {
            binding: Arc::default(),
            sites: Arc::default(),
            names: FxHashMap::default(),
            open: FxHashMap::default(),
            found: Vec::new(),
            depths: FxHashMap::default(),
            begun: FxHashSet::default(),
            passes: Some(Vec::new()),
            stop: None,
            since: 0,
        }
    }

    /// The instructions that were executed since this was asked last: methods and places.
    pub fn take_passes(&mut self) -> Vec<(u32, u32)> {
        self.passes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// References have another meaning now.
    pub fn forget(&mut self) {
        self.names.clear();
        self.open.clear();
    }

    /// A state was written, in which objects have other numbers; those that all states share keep theirs.
    fn renumber(&mut self, worker: &Worker) {
        let number = |object: u32| match object & BASE {
            0 if object != 0 => worker.number_in_vector(object),
            _ => Some(object),
        };
        let names = std::mem::take(&mut self.names).into_iter();
        self.names = names.filter_map(|(object, name)| Some((number(object)?, name))).collect();
    }

    fn subject(&self, worker: &Worker, object: u32) -> Subject {
        let class = (object != 0).then(|| worker.class_of(object));
        Subject { class, name: self.names.get(&object).cloned() }
    }

    fn events(
        &self,
        worker: &Worker,
        what: What,
        names: &[&str],
        object: Option<&str>,
        value: Option<&str>,
    ) -> Vec<String> {
        let thread = self.thread(worker, worker.current);
        self.binding.events(&Site { what, names, object, value, thread: &thread })
    }

    fn thread(&self, worker: &Worker, thread: usize) -> String {
        let object = worker.thread(thread, header::OBJECT);
        let other = if thread == 0 { "main" } else { "?" };
        self.names.get(&object).cloned().unwrap_or_else(|| other.to_owned())
    }

    fn method(&self, worker: &Worker, what: What, method: &'static Method, on: u32) -> Vec<String> {
        self.of_call(worker, what, method, &self.subject(worker, on))
    }

    fn of_call(
        &self,
        worker: &Worker,
        what: What,
        method: &'static Method,
        on: &Subject,
    ) -> Vec<String> {
        let names = method_names(&worker.vm.registry, method, on.class);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.events(worker, what, &names, on.name.as_deref(), None)
    }

    /// The events of a thread that is started or was joined.
    fn of_thread(&self, worker: &Worker, what: What, name: Option<&str>) -> Vec<String> {
        let Some(name) = name else { return Vec::new() };
        self.events(worker, what, &[name], Some(name), None)
    }

    /// Notes the events of the calls that an exception ends, from inside to outside.
    fn note_left(&mut self, worker: &Worker, exception: u32) {
        if self.passes.is_some() {
            return;
        }
        let thread = self.thread(worker, worker.current);
        for (method, this) in worker.left_by(exception) {
            if !is_library(method.class) && &*method.class.name != OWN_CLASS {
                for event in self.method(worker, What::Exit, method, this) {
                    self.found.push((thread.clone(), event, method.id, 0));
                }
            }
        }
    }

    /// The events that the next instruction makes, some of them because of what was before it.
    fn before(&mut self, worker: &Worker, called: Option<(&'static Method, u32)>) -> Vec<String> {
        let (method, code, pc) = (worker.top.method, worker.top.code, worker.top.pc);
        let depth = worker.frames.len();
        let mut found = Vec::new();
        self.open.entry(worker.current).or_default().retain(|call| call.depth <= depth);
        let back = self.open[&worker.current].last();
        if let Some(call) = back.filter(|call| call.depth == depth && call.after == pc) {
            if role(call.method) == (Role::Join { timed: false }) {
                found.extend(self.of_thread(worker, What::Join, call.on.name.as_deref()));
            }
            found.extend(self.of_call(worker, What::Return, call.method, &call.on));
        }
        if is_library(method.class) || &*method.class.name == OWN_CLASS {
            // It may call what the program has for it.
            if let Some((target, on)) = called {
                found.extend(self.method(worker, What::Call, target, on));
            }
            return found;
        }
        let this = match method.is_static() {
            true => 0,
            false => worker.stack.get(worker.top.locals).copied().unwrap_or(0),
        };
        let last = self.depths.get(&worker.current);
        if pc == 0 && last.is_none_or(|&last| last < depth) {
            found.extend(self.method(worker, What::Enter, method, this));
        }
        if self.binding.is_about(What::At)
            && let Some((_, line)) = code.lines.iter().find(|(start, _)| *start == pc)
        {
            let file = method.class.file.as_ref().and_then(|file| file.source_file());
            let place = format!("{}:{line}", file.unwrap_or(""));
            found.extend(self.events(worker, What::At, &[&place], None, None));
        }
        let insn = code.insns[pc as usize];
        let peek = |below: usize| worker.top.sp.checked_sub(below).map_or(0, |at| worker.stack[at]);
        match insn.op {
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => {
                if let Some((target, on)) = called {
                    found.extend(self.method(worker, What::Call, target, on));
                    if role(target) == Role::Start {
                        let name = self.names.get(&on).map(String::as_str);
                        found.extend(self.of_thread(worker, What::Start, name));
                    }
                }
            }
            op::IRETURN..=op::RETURN => {
                found.extend(self.method(worker, What::Exit, method, this));
            }
            op::PUTFIELD | op::PUTSTATIC => {
                if let Ok(field) = method.class.field_at(&worker.vm.registry, insn.a) {
                    let words = field.kind.words();
                    let on = if insn.op == op::PUTFIELD { peek(1 + words) } else { 0 };
                    let value = match (Kind::of(&field.kind), peek(1)) {
                        (Some(Kind::Reference), 0) => Some("null".to_owned()),
                        (Some(Kind::Reference), object) => self.names.get(&object).cloned(),
                        (Some(kind), number) => Value::Int(number as i32).show(kind),
                        (None, _) => None,
                    };
                    let long = format!("{}.{}", simple(field.class), field.name);
                    let owner = self.names.get(&on).map(String::as_str);
                    let whole = owner.map(|owner| format!("{owner}.{}", field.name));
                    let whole = whole.as_deref().unwrap_or(&long);
                    let names = [long.as_str(), &*field.name, whole];
                    let value = value.as_deref();
                    found.extend(self.events(worker, What::Assign, &names, owner, value));
                }
            }
            _ => {}
        }
        found
    }

    /// Notes what an instruction has done.
    fn after(
        &mut self,
        worker: &Worker,
        was: (&'static Method, u32, usize),
        events: Vec<String>,
        called: Option<(&'static Method, Subject)>,
    ) {
        let (method, pc, depth) = was;
        if let Some(passes) = &mut self.passes {
            let class = method.class;
            if !class.library && !class.hidden && &*class.name != OWN_CLASS {
                passes.push((method.id, pc));
            }
            return;
        }
        for event in events {
            let thread = self.thread(worker, worker.current);
            self.found.push((thread, event, method.id, pc));
        }
        // Only what was executed has noticed that a call is over.
        let open = self.open.entry(worker.current).or_default();
        if open.last().is_some_and(|call| call.depth == depth && call.after == pc) {
            open.pop();
        }
        self.depths.insert(worker.current, depth);
        let own = !is_library(method.class) && &*method.class.name != OWN_CLASS;
        if let Some((method, on)) = called.filter(|_| own) {
            let open = self.open.entry(worker.current).or_default();
            open.push(Open { depth, after: pc + 1, method, on });
        }
        let Ok(code) = method.code() else { return };
        let made = matches!(code.insns[pc as usize].op, op::NEW | op::INVOKEDYNAMIC);
        if made && !is_library(method.class) && worker.top.sp > 0 && worker.frames.len() == depth {
            let object = worker.stack[worker.top.sp - 1];
            let key = (self.thread(worker, worker.current), chain(worker, pc));
            if let Some(name) = self.sites.get(&key) {
                self.names.insert(object, name.clone());
            }
        }
    }
}

/// The calls of the program that lead to an instruction of the current thread.
fn chain(worker: &Worker, pc: u32) -> Vec<(u32, u32)> {
    let mut chain = Vec::new();
    let frames = worker.frames.iter().map(|frame| (frame.method, frame.pc));
    for (method, pc) in frames.chain([(worker.top.method, pc)]) {
        if is_library(method.class) || &*method.class.name == OWN_CLASS {
            continue;
        }
        // Initialisers begin anew in the graph.
        if &*method.name == "<clinit>" {
            chain.clear();
        }
        chain.push((method.id, pc));
    }
    chain
}

impl Worker {
    /// What `run` does, with notes about events.
    #[cold]
    pub(crate) fn run_watched(&mut self) -> crate::vm::Trap {
        loop {
            if let Some(trap) = self.cut_off() {
                return trap;
            }
            let (method, pc, depth) = (self.top.method, self.top.pc, self.frames.len());
            let Some(mut watch) = self.watch.take() else { return self.run() };
            watch.since += 1;
            if watch.since.is_multiple_of(POLL) && watch.stop.as_ref().is_some_and(|stop| stop()) {
                self.watch = Some(watch);
                return crate::vm::too_long();
            }
            let called = self.about_to_call();
            let events = match watch.begun.remove(&self.current) {
                true => Vec::new(),
                false => watch.before(self, called),
            };
            let called = called.map(|(called, on)| (called, watch.subject(self, on)));
            self.watch = Some(watch);
            let trap = self.one_instruction();
            if !matches!(trap, crate::vm::Trap::Pause | crate::vm::Trap::Cut)
                && let Some(mut watch) = self.watch.take()
            {
                watch.after(self, (method, pc, depth), events, called);
                self.watch = Some(watch);
            }
            match trap {
                crate::vm::Trap::Spent | crate::vm::Trap::Cut => {}
                crate::vm::Trap::Throw(exception) => {
                    let mut noted = 0;
                    if let Some(mut watch) = self.watch.take() {
                        noted = watch.found.len();
                        watch.note_left(self, exception);
                        self.watch = Some(watch);
                    }
                    if let Err(trap) = self.throw_now(exception) {
                        if let (crate::vm::Trap::Pause, Some(watch)) = (&trap, &mut self.watch) {
                            watch.found.truncate(noted);
                            watch.begun.insert(self.current);
                        }
                        return trap;
                    }
                }
                trap => {
                    if let (crate::vm::Trap::Ended, Some(watch)) = (&trap, &mut self.watch) {
                        // Its number may become that of another thread.
                        watch.depths.remove(&self.current);
                        watch.open.remove(&self.current);
                        watch.begun.remove(&self.current);
                    }
                    return trap;
                }
            }
        }
    }

    /// The method that the next instruction calls, if it is one of a call of the program.
    fn about_to_call(&self) -> Option<(&'static Method, u32)> {
        let (method, pc) = (self.top.method, self.top.pc);
        let insn = self.top.code.insns[pc as usize];
        if !(op::INVOKEVIRTUAL..=op::INVOKEINTERFACE).contains(&insn.op) {
            return None;
        }
        let outside = &*method.class.name == OWN_CLASS || is_library(method.class);
        let called = method.class.method_at(&self.vm.registry, insn.a).ok()?;
        if takes_any(called) {
            return None;
        }
        let (taken, _) = method.class.effect(insn)?;
        let on = match called.is_static() {
            true => 0,
            false => self.stack[self.top.sp.checked_sub(taken)?],
        };
        let target = match on {
            0 if called.is_static() => called,
            // It is going to fail.
            0 => return None,
            on if insn.op != op::INVOKESPECIAL => {
                let virtuals = &self.class_of(on).linked().virtuals;
                virtuals.get(&called.selector).copied().unwrap_or(called)
            }
            _ => called,
        };
        // What the library does inside of itself is nothing of the program.
        let inside = is_library(target.class) || &*target.class.name == OWN_CLASS;
        (!outside || !inside).then_some((target, on))
    }
}

impl Program {
    /// Runs the program once, threads in the order of the events that are wanted where that is possible, and by
    /// chance otherwise. `None` if not all events of a run can be told.
    pub fn watch(
        &self,
        extracted: &Extracted,
        binding: &Arc<Binding>,
        wanted: &[(String, String)],
        seed: u64,
        stop: &Stop,
    ) -> Result<Option<Watched>, ModelError> {
        // Locks are taken in more ways than calls, and which values a branch was found to have is a matter of how the
        // graph was made.
        let unseen = [What::Test, What::Lock, What::Unlock, What::Wait, What::Notify];
        if unseen.iter().any(|&what| binding.is_about(what)) {
            return Ok(None);
        }
        self.watch_run(extracted, binding, wanted, seed, stop).map(Some).map_err(failed)
    }

    fn watch_run(
        &self,
        extracted: &Extracted,
        binding: &Arc<Binding>,
        wanted: &[(String, String)],
        seed: u64,
        stop: &Stop,
    ) -> Run<Watched> {
        let mut worker = self.new_worker()?;
        let mut chance = Rng::new(seed);
        let mut initial = Vec::new();
        self.first_state(&mut worker, &mut initial)?;
        worker.watch = Some(Box::new(Watch {
            binding: Arc::clone(binding),
            sites: Arc::clone(&extracted.sites),
            names: FxHashMap::default(),
            open: FxHashMap::default(),
            found: Vec::new(),
            depths: FxHashMap::default(),
            begun: FxHashSet::default(),
            passes: None,
            stop: Some(Arc::clone(stop)),
            since: 0,
        }));
        let mut run = Watched { initial: initial.clone(), ..Watched::default() };
        let (mut state, mut after) = (initial, Vec::new());
        let mut next = 0;
        while run.actions.len() < MOST_STEPS && !stop() {
            // Each step begins with its state alone, as it does where the run is replayed.
            worker.load(&state);
            if worker.exit.is_some() || worker.is_over() {
                run.ended = true;
                break;
            }
            let moves = self.moves(&worker)?;
            let watch = worker.watch.as_ref();
            let name = |step: &&Move| {
                watch.map_or_else(String::new, |watch| watch.thread(&worker, step.thread))
            };
            let turn = wanted.get(next).map(|(thread, _)| thread);
            let mut preferred: Vec<&Move> =
                moves.iter().filter(|step| turn == Some(&name(step))).collect();
            // As long as the thread whose turn it is cannot move, those that come later do not, if others can.
            if preferred.is_empty() {
                let waits = |step: &&Move| {
                    let name = name(step);
                    wanted.iter().skip(next).any(|(thread, _)| *thread == name)
                };
                preferred = moves.iter().filter(|step| !waits(step)).collect();
            }
            // Now and then somebody else comes first.
            let step = match (preferred.is_empty(), moves.is_empty()) {
                (_, true) => break,
                (false, _) if seed == 0 || !chance.chance(12) => *chance.pick(&preferred),
                _ => chance.pick(&moves),
            };
            let action = self.action_of(&worker, step);
            worker.transition(step.thread, step.alternative)?;
            if worker.pruned {
                break;
            }
            run.actions.push(action);
            run.failed |= !worker.uncaught.is_empty();
            let found = worker.watch.as_mut().map(|watch| std::mem::take(&mut watch.found));
            for (thread, event, method, pc) in found.unwrap_or_default() {
                if wanted.get(next).is_some_and(|(_, wanted)| *wanted == event) {
                    next += 1;
                }
                let method = self.vm.registry.method_of(method);
                let span = self.names.span(&self.sources, method, pc);
                let steps = run.actions.len();
                run.events.push(Happened { thread, event, span, steps });
            }
            worker.save_whole(&mut after)?;
            if let Some(mut watch) = worker.watch.take() {
                watch.renumber(&worker);
                worker.watch = Some(watch);
            }
            std::mem::swap(&mut state, &mut after);
        }
        Ok(run)
    }
}
