//! What the user asks of a program makes more of it visible than what threads can notice of each other: steps end
//! before whatever may change the answer, so that each step changes it once at most. There also are the observers
//! that execute methods of the program in a state, to see what they answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::regions::NONE;
use super::{Failure, Frame, Run, Status, Trap, Worker, header};
use crate::classfile::flags;
use crate::code::{Insn, op};
use crate::conditions::Named;
use crate::heap::{BASE, CLASS, Place};
use crate::link::{Class, Field, Method, takes_any};

/// An event that is noted.
#[derive(Clone, Copy)]
pub(crate) enum Watchword {
    Call(Named),
    Exit(Named),
}

/// What an answer turned out to depend on.
#[derive(Clone, Copy)]
enum Need {
    Field(&'static Field),
    Arrays,
    Monitors,
}

/// What is visible because the user asks for it.
#[derive(Default)]
pub(crate) struct Observed {
    asked: OnceLock<Asked>,
    arrays: AtomicBool,
    monitors: AtomicBool,
    /// What is to be added before the next search.
    needs: Mutex<Vec<Need>>,
}

struct Asked {
    events: Vec<Watchword>,
    methods: Vec<Named>,
    /// Every instruction of the program counts.
    every: bool,
}

impl Observed {
    /// From now on something is asked.
    pub fn begin(&self, events: Vec<Watchword>, mut methods: Vec<Named>, every: bool) {
        let about = |word: &Watchword| match *word {
            Watchword::Call(named) | Watchword::Exit(named) => named,
        };
        methods.extend(events.iter().map(about));
        let _ = self.asked.set(Asked { events, methods, every });
    }

    /// Whether anything is.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.asked.get().is_some()
    }

    pub fn watch_field(&self, field: &'static Field) {
        field.watched.store(true, Ordering::Relaxed);
    }

    pub fn watch_arrays(&self) {
        self.arrays.store(true, Ordering::Relaxed);
    }

    pub fn watch_monitors(&self) {
        self.monitors.store(true, Ordering::Relaxed);
    }

    /// Takes up what answers turned out to depend on; whether there was anything.
    pub fn adopt(&self) -> bool {
        let mut needs = self.needs.lock().unwrap_or_else(PoisonError::into_inner);
        let any = !needs.is_empty();
        for need in needs.drain(..) {
            match need {
                Need::Field(field) => self.watch_field(field),
                Need::Arrays => self.watch_arrays(),
                Need::Monitors => self.watch_monitors(),
            }
        }
        any
    }

    /// Whether something was found out that is not taken up.
    pub fn has_news(&self) -> bool {
        !self.needs.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    fn need(&self, need: Need) -> Trap {
        self.needs.lock().unwrap_or_else(PoisonError::into_inner).push(need);
        let text = "an invariant depends on more than was known".to_owned();
        Trap::Fail(Failure::Assumption(text))
    }

    fn has_method(&self, method: &'static Method) -> bool {
        self.asked.get().is_some_and(|asked| asked.methods.iter().any(|one| one.is(method)))
    }
}

/// What an observer comes back with.
pub(crate) enum Answer {
    /// The value.
    Word(u32),
    /// An exception.
    Threw,
    /// Nothing: it would have to wait.
    Waits,
    /// Nothing: it would go several ways.
    Chooses,
}

/// Whether a method of the library writes to memory that its caller names.
fn writes_memory(method: &Method) -> bool {
    let name = &*method.name;
    let reads = name.starts_with("get") && !name.starts_with("getAnd");
    match &*method.class.name {
        "jdk/internal/misc/Unsafe" | "sun/misc/Unsafe" | "java/lang/invoke/VarHandle" => {
            !reads && !name.contains("Fence") && !name.contains("Offset")
        }
        "java/lang/reflect/Field" | "java/lang/reflect/Array" => name.starts_with("set"),
        _ => false,
    }
}

fn is_call(insn: Insn) -> bool {
    (op::INVOKEVIRTUAL..=op::INVOKEINTERFACE).contains(&insn.op)
}

impl Worker {
    /// Stops before an instruction that may change what is asked; whether it may.
    pub(super) fn observe(&mut self) -> Run<bool> {
        if self.for_base {
            return Ok(false);
        }
        if self.observes {
            self.note_dependence()?;
            return Ok(false);
        }
        if self.begins_class() {
            return Ok(false);
        }
        let noticed = self.changes_answers();
        if noticed && !self.goes_on() {
            return Err(Trap::Pause);
        }
        self.note_events();
        Ok(noticed)
    }

    fn changes_answers(&self) -> bool {
        let observed = &self.vm.observed;
        if observed.asked.get().is_some_and(|asked| asked.every) && !self.top.method.class.library {
            return true;
        }
        let insn = self.top.code.insns[self.top.pc as usize];
        let monitors = observed.monitors.load(Ordering::Relaxed);
        let arrays = observed.arrays.load(Ordering::Relaxed);
        match insn.op {
            op::PUTSTATIC | op::PUTFIELD => {
                let field = self.top.method.class.field_at(&self.vm.registry, insn.a);
                field.is_ok_and(|field| {
                    // Nobody looks at a class before it is initialised.
                    field.watched.load(Ordering::Relaxed)
                        && !(field.is(flags::STATIC) && self.prepares(field.class))
                })
            }
            op::IASTORE..=op::SASTORE => arrays,
            op::MONITORENTER | op::MONITOREXIT => monitors,
            op::THREAD_END => true,
            op::IRETURN..=op::RETURN => {
                let method = self.top.method;
                (monitors && method.is(flags::SYNCHRONIZED)) || observed.has_method(method)
            }
            _ if is_call(insn) => match self.callee(insn) {
                Some(method) => {
                    let waits = &*method.class.name == "java/lang/Object"
                        && method.name.starts_with("wait");
                    let copies = matches!(&*method.name, "arraycopy");
                    observed.has_method(method)
                        || writes_memory(method)
                        || (monitors && (waits || method.is(flags::SYNCHRONIZED)))
                        || (arrays && copies)
                }
                // A call through a handle.
                None => true,
            },
            _ => false,
        }
    }

    /// Whether the next instruction first of all waits for the initialiser of a class.
    fn begins_class(&self) -> bool {
        let insn = self.top.code.insns[self.top.pc as usize];
        let class = match insn.op {
            op::PUTSTATIC => {
                let field = self.top.method.class.field_at(&self.vm.registry, insn.a);
                field.ok().map(|field| field.class)
            }
            op::INVOKESTATIC => self.callee(insn).map(|method| method.class),
            _ => None,
        };
        class.is_some_and(|class| {
            self.heap.statics(&self.vm.base, class.id).is_none()
                || self.is_being_initialised(class.id, self.current)
        })
    }

    /// Whether the current thread runs the initialiser of a class.
    fn prepares(&self, class: &'static Class) -> bool {
        !self.heap.statics(&self.vm.base, class.id).is_none() && self.initialises(class)
    }

    /// The method that a call leads to.
    fn callee(&self, insn: Insn) -> Option<&'static Method> {
        let class = self.top.method.class;
        let called = class.method_at(&self.vm.registry, insn.a).ok()?;
        if takes_any(called) {
            return None;
        }
        if called.is_static() || insn.op == op::INVOKESPECIAL {
            return Some(called);
        }
        let receiver = self.top.sp.checked_sub(called.words.max(1))?;
        match self.stack[receiver] {
            0 => Some(called),
            object => {
                let virtuals = &self.class_of(object).linked().virtuals;
                Some(virtuals.get(&called.selector).copied().unwrap_or(called))
            }
        }
    }

    /// Notes the events of the next instruction.
    fn note_events(&mut self) {
        let insn = self.top.code.insns[self.top.pc as usize];
        let returns = (op::IRETURN..=op::RETURN).contains(&insn.op);
        if !returns && !is_call(insn) {
            return;
        }
        let vm = std::sync::Arc::clone(&self.vm);
        let Some(asked) = vm.observed.asked.get().filter(|asked| !asked.events.is_empty()) else {
            return;
        };
        let called = if is_call(insn) { self.callee(insn) } else { None };
        // On nothing, nothing is called.
        let called = called.filter(|method| {
            let receiver = self.top.sp.checked_sub(method.words.max(1));
            method.is_static() || receiver.is_none_or(|at| self.stack[at] != 0)
        });
        for (event, word) in (0..).zip(&asked.events) {
            let happens = match word {
                Watchword::Call(named) => called.is_some_and(|method| named.is(method)),
                Watchword::Exit(named) => returns && named.is(self.top.method),
            };
            if happens {
                self.happened.push(event);
            }
        }
    }

    /// An exception leaves frames: stops before that if it changes what is asked.
    pub(super) fn observe_exception(&mut self, exception: u32) -> Run<()> {
        if self.for_base || self.observes {
            return Ok(());
        }
        let vm = std::sync::Arc::clone(&self.vm);
        let monitors = vm.observed.monitors.load(Ordering::Relaxed);
        let thrown = self.class_of(exception);
        let frames = std::iter::once(&self.top).chain(self.frames.iter().rev());
        let left: Vec<&'static Method> = frames
            .take_while(|frame| !self.catches(frame, thrown))
            .map(|frame| frame.method)
            .filter(|method| {
                (monitors && method.is(flags::SYNCHRONIZED)) || vm.observed.has_method(method)
            })
            .collect();
        if left.is_empty() {
            return Ok(());
        }
        // Where a step begins with the exception there is nothing to stop behind.
        if !self.goes_on() && self.limit - self.budget > 1 {
            let insn = self.top.code.insns[self.top.pc as usize];
            if !is_call(insn) {
                return Err(Trap::Pause);
            }
            // What a call has done cannot be done again.
            self.leave_out("an exception of a call leaves a method that a property is about");
        }
        self.fresh = false;
        if let Some(asked) = vm.observed.asked.get() {
            for method in left {
                for (event, word) in (0..).zip(&asked.events) {
                    if matches!(word, Watchword::Exit(named) if named.is(method)) {
                        self.happened.push(event);
                    }
                }
            }
        }
        Ok(())
    }

    /// The calls that an exception ends, from inside to outside, each with its receiver.
    pub(crate) fn left_by(&self, exception: u32) -> Vec<(&'static Method, u32)> {
        let thrown = self.class_of(exception);
        let frames = std::iter::once(&self.top).chain(self.frames.iter().rev());
        frames
            .take_while(|frame| !self.catches(frame, thrown))
            .map(|frame| match frame.method.is_static() {
                true => (frame.method, 0),
                false => (frame.method, self.stack.get(frame.locals).copied().unwrap_or(0)),
            })
            .collect()
    }

    /// Whether a frame has a handler for an exception.
    fn catches(&self, frame: &Frame, thrown: &'static Class) -> bool {
        let Frame { method, code, pc, .. } = frame;
        code.handlers.iter().any(|handler| {
            (handler.start..handler.end).contains(pc)
                && (handler.class == 0 || {
                    let class = method.class.class_at(&self.vm.registry, handler.class);
                    class.is_ok_and(|class| thrown.is_subtype_of(class))
                })
        })
    }

    /// Finds out what an answer depends on.
    fn note_dependence(&mut self) -> Run<()> {
        let observed = &self.vm.observed;
        let insn = self.top.code.insns[self.top.pc as usize];
        let class = self.top.method.class;
        let text = class.library && class.name.starts_with("java/lang/");
        let need = match insn.op {
            op::GETSTATIC | op::GETFIELD => {
                let field = class.field_at(&self.vm.registry, insn.a).ok();
                let known = |field: &&'static Field| {
                    !field.is(flags::FINAL)
                        && !field.quiet
                        && !field.watched.load(Ordering::Relaxed)
                };
                field.filter(known).map(Need::Field)
            }
            op::IALOAD..=op::SALOAD if !text => Some(Need::Arrays),
            op::MONITORENTER => Some(Need::Monitors),
            _ if is_call(insn) => match self.callee(insn) {
                Some(method) if method.is(flags::SYNCHRONIZED) => Some(Need::Monitors),
                Some(method) if method.class.name.ends_with("/misc/Unsafe") => Some(Need::Arrays),
                Some(method) if matches!(&*method.name, "arraycopy") && !text => Some(Need::Arrays),
                None => Some(Need::Arrays),
                _ => None,
            },
            _ => None,
        };
        let news = match need {
            Some(Need::Arrays) => !observed.arrays.load(Ordering::Relaxed),
            Some(Need::Monitors) => !observed.monitors.load(Ordering::Relaxed),
            Some(Need::Field(_)) => true,
            None => false,
        };
        match need {
            Some(need) if news => Err(observed.need(need)),
            _ => Ok(()),
        }
    }

    /// Makes the thread of an observer the one that runs.
    fn become_observer(&mut self) -> Run<()> {
        let object = self.boot_thread()?;
        let mut content = vec![0; header::WORDS as usize];
        content[header::STATUS as usize] = Status::Ready as u32;
        content[header::OBJECT as usize] = object;
        // Nobody comes in between.
        content[header::ATOMIC as usize] = 1;
        let place = self.heap.new_content(&content);
        self.threads.push(place);
        self.current = self.threads.len() - 1;
        self.frames.clear();
        self.top = self.vm.thread_code()?.nothing();
        if self.stack.len() < 64 {
            self.stack.resize(64, 0);
        }
        self.budget = self.limit;
        self.begin_stretch(0);
        self.region = NONE;
        self.alternative = u32::MAX;
        self.fresh = true;
        self.late = false;
        self.looked.set(true);
        Ok(())
    }

    /// Executes what stands above the first frame.
    fn finish_observing(&mut self) -> Run<Option<Answer>> {
        self.observes = true;
        let result = self.observe_to_end();
        self.observes = false;
        result
    }

    fn observe_to_end(&mut self) -> Run<Option<Answer>> {
        while !self.frames.is_empty() {
            match self.one_instruction() {
                Trap::Spent => {}
                Trap::Throw(exception) => match self.throw_now(exception) {
                    Ok(()) => {}
                    Err(_) if self.frames.is_empty() => return Ok(Some(Answer::Threw)),
                    Err(trap) => return Err(trap),
                },
                Trap::Pause if self.status(self.current) == Status::Choice => {
                    return Ok(Some(Answer::Chooses));
                }
                Trap::Pause => return Ok(Some(Answer::Waits)),
                trap => return Err(trap),
            }
        }
        Ok(None)
    }

    /// Initialises a class in the state that was taken up; what cannot be is left as it is.
    pub(crate) fn observer_initialises(&mut self, class: &'static Class) -> Run<()> {
        let observer = self.current;
        self.become_observer()?;
        let begun = self.initialise(class);
        let done = match begun {
            Ok(_) => self.finish_observing().map(|_| ()),
            Err(Trap::Pause | Trap::Throw(_)) => Ok(()),
            Err(trap) => Err(trap),
        };
        self.threads.pop();
        self.current = observer;
        done
    }

    /// Calls a static method without arguments in the state that was taken up.
    pub(crate) fn observer_calls(&mut self, method: &'static Method) -> Run<Answer> {
        let observer = self.current;
        self.become_observer()?;
        let answer = self.observed_call(method);
        self.threads.pop();
        self.current = observer;
        answer
    }

    fn observed_call(&mut self, method: &'static Method) -> Run<Answer> {
        let begun = match self.initialise(method.class) {
            Ok(_) => self.finish_observing()?,
            Err(Trap::Pause) => Some(Answer::Waits),
            Err(Trap::Throw(_)) => Some(Answer::Threw),
            Err(trap) => return Err(trap),
        };
        if let Some(answer) = begun {
            return Ok(answer);
        }
        if method.is(flags::SYNCHRONIZED) && !self.vm.observed.monitors.load(Ordering::Relaxed) {
            return Err(self.vm.observed.need(Need::Monitors));
        }
        match self.call(method) {
            Ok(()) => {}
            Err(Trap::Pause) => return Ok(Answer::Waits),
            Err(Trap::Throw(_)) => return Ok(Answer::Threw),
            Err(trap) => return Err(trap),
        }
        Ok(match self.finish_observing()? {
            Some(answer) => answer,
            None => Answer::Word(self.pop()),
        })
    }

    /// What an observer changed of the state that was taken up, if anything.
    pub(crate) fn observer_changed(&self) -> Option<String> {
        let mut before = Vec::new();
        let mut after = Vec::new();
        for &(reference, old) in &self.heap.journal.objects {
            let new = self.heap.peek(&self.vm.base, reference);
            let old = match (old, reference & BASE != 0) {
                (Place::NONE, true) => Place(self.vm.base.object(reference & !BASE)),
                _ => old,
            };
            before.clear();
            after.clear();
            self.heap.read(&self.vm.dictionary, old, &mut before);
            self.heap.read(&self.vm.dictionary, new, &mut after);
            let class = self.vm.registry.class_of(*after.get(CLASS as usize)?);
            let differs = |slot: &usize| before.get(*slot) != after.get(*slot);
            if let Some(slot) = (0..after.len().max(before.len())).find(differs) {
                let mut owner = Some(class);
                let mut name = None;
                while let (Some(current), None) = (owner, name) {
                    let mut fields = current.linked().fields.iter();
                    name = fields.find(|f| !f.is(flags::STATIC) && f.slot as usize == slot);
                    owner = current.super_class;
                }
                match name {
                    Some(field) if field.quiet => {}
                    Some(field) => return Some(format!("{}.{}", class.java_name(), field.name)),
                    None => return Some(format!("an object of {}", class.java_name())),
                }
            }
        }
        for &(class, old) in &self.heap.journal.statics {
            // A class that is initialised by who looks is no change.
            if old.is_none() {
                continue;
            }
            before.clear();
            after.clear();
            self.heap.read(&self.vm.dictionary, old, &mut before);
            let new = self.heap.statics(&self.vm.base, class);
            self.heap.read(&self.vm.dictionary, new, &mut after);
            if before != after {
                return Some(format!(
                    "static fields of {}",
                    self.vm.registry.class_of(class).java_name()
                ));
            }
        }
        (!self.output.is_empty()).then(|| "the output: it prints".to_owned())
    }
}
