//! What the virtual machine makes itself before the program begins: the code that threads begin
//! with, mirrors of classes, the main thread, and the statics that nobody initialises.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use everypath_model::Access;

use super::spurious::UNREASONED;
use super::threads::header;
use super::{Failure, Frame, Run, Status, Thing, Trap, Vm, Worker};
use crate::classfile::flags;
use crate::code::{Code, Handler, Insn, op};
use crate::dynamic::Assembler;
use crate::heap::{CLASS, HEADER};
use crate::link::{Class, Method, NewMethod, Resolved};
use crate::peers;
use crate::reductions::Numbering;

/// The class that the virtual machine makes for its own code.
pub(crate) const OWN_CLASS: &str = "everypath/Threads";

/// The instruction of the method that throws behind which `wait` returns.
const WAITING: u32 = 3;

/// The instruction of the method that calls `run` behind that call.
const BEHIND_RUN: u32 = 2;

/// Methods that threads begin with.
pub(crate) struct ThreadCode {
    run: &'static Method,
    main: &'static Method,
    nothing: &'static Method,
    stop: &'static Method,
}

impl ThreadCode {
    fn frame(method: &'static Method, locals: &[u32]) -> Vec<u32> {
        let mut words = vec![method.id, 0];
        words.extend_from_slice(locals);
        words
    }

    /// The content of a thread that begins; one that was stopped before goes to its end.
    pub fn start(&self, object: u32, status: u32, stopped: bool) -> Vec<u32> {
        let mut content = vec![0; header::WORDS as usize];
        content[header::STATUS as usize] = status;
        content[header::OBJECT as usize] = object;
        let frame = content.len();
        content.extend(ThreadCode::frame(self.run, &[object, 0]));
        if stopped {
            content[frame + 1] = BEHIND_RUN << 16;
        }
        content
    }

    fn start_main(&self, object: u32, arguments: u32) -> Vec<u32> {
        let mut content = vec![0; header::WORDS as usize];
        content[header::STATUS as usize] = Status::Start as u32;
        content[header::OBJECT as usize] = object;
        content.extend(ThreadCode::frame(self.main, &[object, 0, arguments]));
        content
    }

    /// A frame that throws; one for a thread that waits has the arguments of `wait`.
    pub fn stopping(&self, exception: u32, waits: bool) -> Vec<u32> {
        let (pc, depth) = if waits { (WAITING, 3) } else { (WAITING + 1, 0) };
        let mut words = vec![self.stop.id, pc << 16 | depth, exception];
        words.extend(std::iter::repeat_n(0, depth as usize));
        words
    }

    /// A frame that is never executed.
    pub fn nothing(&self) -> Frame {
        let code = self.nothing.code().unwrap_or_else(|_| unreachable!("it was set"));
        Frame { method: self.nothing, code, pc: 0, locals: 0, sp: 0 }
    }
}

impl Vm {
    pub(super) fn try_class(&self, name: &str) -> Run<&'static Class> {
        self.registry.class(name).map_err(|error| {
            Trap::Fail(match error {
                crate::link::LoadError::Missing(name) => {
                    Failure::Broken(format!("there is no class {name}"))
                }
                crate::link::LoadError::Broken(text) | crate::link::LoadError::Other(_, text) => {
                    Failure::Broken(text)
                }
            })
        })
    }

    /// Makes the code that threads begin with; `main` is the method that the program begins with.
    pub fn make_thread_code(&self, main: Option<&'static Method>) -> Run<()> {
        let object = self.try_class("java/lang/Object")?;
        let thread = self.try_class("java/lang/Thread")?;
        let method = |name: &str, descriptor: &str| {
            thread.declared(name, descriptor).ok_or_else(|| {
                Trap::Fail(Failure::Unsupported(format!("this JDK: Thread has no {name}")))
            })
        };
        let (run, exit) = (method("run", "()V")?, method("exit", "()V")?);
        let new = |name: &str, descriptor: &str, flags: u16| NewMethod {
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
            flags: flags | flags::STATIC,
        };
        let uncaught = "(Ljava/lang/Thread;Ljava/lang/Throwable;)V";
        // The third one is a method of the class itself.
        let pool = vec![
            Some(Resolved::Method(run)),
            Some(Resolved::Method(exit)),
            None,
            main.map(Resolved::Method),
            None,
            None,
        ];
        let class = self
            .registry
            .define(
                OWN_CLASS,
                object,
                Vec::new(),
                &[],
                vec![
                    new("run", "(Ljava/lang/Thread;)V", 0),
                    new("main", "(Ljava/lang/Thread;ILjava/lang/Object;)V", 0),
                    new("uncaught", uncaught, flags::NATIVE),
                    new("nothing", "()V", 0),
                    new("handlerFailed", uncaught, flags::NATIVE),
                    new("stop", "(Ljava/lang/Throwable;)V", 0),
                    new("waited", "(III)V", flags::NATIVE),
                ],
                pool,
            )
            .map_err(|_| Trap::Fail(Failure::Broken("a class of the checker".to_owned())))?;
        let own = |index: usize| class.linked().methods[index];
        let _ = class.pool[3].set(Resolved::Method(own(2)));
        let _ = class.pool[5].set(Resolved::Method(own(4)));
        let _ = class.pool[6].set(Resolved::Method(own(6)));
        let body = |call: Vec<Insn>| {
            let end = call.len() as u32;
            let mut insns = call;
            insns.push(Insn::new(op::GOTO, 0, end + 5));
            insns.push(Insn::new(op::ASTORE, 1, 0));
            insns.push(Insn::new(op::ALOAD, 0, 0));
            insns.push(Insn::new(op::ALOAD, 1, 0));
            insns.push(Insn::new(op::INVOKESTATIC, 3, 0));
            insns.push(Insn::new(op::ALOAD, 0, 0));
            insns.push(Insn::new(op::INVOKESPECIAL, 2, 0));
            // What is called at the end of a thread returns to the instruction before it.
            insns.push(Insn::new(op::NOP, 0, 0));
            insns.push(Insn::new(op::THREAD_END, 0, 0));
            // The handler of an exception that nobody caught may throw one itself.
            insns.push(Insn::new(op::ASTORE, 1, 0));
            insns.push(Insn::new(op::ALOAD, 0, 0));
            insns.push(Insn::new(op::ALOAD, 1, 0));
            insns.push(Insn::new(op::INVOKESTATIC, 5, 0));
            insns.push(Insn::new(op::GOTO, 0, end + 5));
            let caught = Handler { start: 0, end, target: end + 1, class: 0 };
            let failed = Handler { start: end + 4, end: end + 5, target: end + 9, class: 0 };
            (insns, vec![caught, failed])
        };
        let (insns, handlers) =
            body(vec![Insn::new(op::ALOAD, 0, 0), Insn::new(op::INVOKEVIRTUAL, 1, 0)]);
        let _ = own(0).code.set(Ok(Code::made(insns, 2, 2, handlers)));
        let (insns, handlers) =
            body(vec![Insn::new(op::ALOAD, 2, 0), Insn::new(op::INVOKESTATIC, 4, 0)]);
        let _ = own(1).code.set(Ok(Code::made(insns, 3, 2, handlers)));
        // What is called from there returns to the second one.
        let nothing = vec![Insn::new(op::NOP, 0, 0); 2];
        let _ = own(3).code.set(Ok(Code::made(nothing, 0, 16, Vec::new())));
        // A thread that waits begins before the call, with three words that are taken when it wakes up; all
        // others begin behind it.
        let mut insns = vec![Insn::new(op::ICONST, 0, 0); 3];
        insns.push(Insn::new(op::INVOKESTATIC, 6, 0));
        insns.push(Insn::new(op::ALOAD, 0, 0));
        insns.push(Insn::new(op::ATHROW, 0, 0));
        let _ = own(5).code.set(Ok(Code::made(insns, 1, 4, Vec::new())));
        self.make_loading_code()
    }

    pub fn thread_code(&self) -> Run<ThreadCode> {
        let class = self.try_class(OWN_CLASS)?;
        let methods = &class.linked().methods;
        Ok(ThreadCode { run: methods[0], main: methods[1], nothing: methods[3], stop: methods[5] })
    }
}

impl Worker {
    /// A worker for states.
    pub fn for_states(vm: &Arc<Vm>) -> Run<Worker> {
        let nothing = vm.thread_code()?.nothing();
        let mut worker = Worker::new(vm, nothing);
        worker.heap.by_sites = vm.settings.numbering == Numbering::Sites;
        Ok(worker)
    }

    /// A worker for initialisers of the library.
    pub fn for_base(vm: &Arc<Vm>) -> Run<Worker> {
        let nothing = vm.thread_code()?.nothing();
        let mut worker = Worker::new(vm, nothing);
        worker.for_base = true;
        worker.budget = vm.settings.budget;
        worker.stack = vec![0; 1024];
        worker.stop_at = usize::MAX;
        let object = worker.boot_thread()?;
        let mut content = vec![0; header::WORDS as usize];
        content[header::STATUS as usize] = Status::Ready as u32;
        content[header::OBJECT as usize] = object;
        let place = worker.heap.new_content(&content);
        worker.threads.push(place);
        Ok(worker)
    }

    /// The thread that initialisers of the library see.
    pub(super) fn boot_thread(&mut self) -> Run<u32> {
        let vm = Arc::clone(&self.vm);
        if let Some(&object) = vm.boot_thread.get() {
            return Ok(object);
        }
        let object = self.boot_thread_named("main")?;
        Ok(*vm.boot_thread.get_or_init(|| object))
    }

    /// A thread of the virtual machine itself.
    pub(super) fn boot_thread_named(&mut self, name: &str) -> Run<u32> {
        let thread = self.class("java/lang/Thread")?;
        let text = self.literal(name)?;
        let group = self.main_group()?;
        let mut content = vec![0; thread.linked().words as usize];
        content[CLASS as usize] = thread.id;
        content[self.library_field(thread, "name")?.slot as usize] = text;
        content[self.library_field(thread, "priority")?.slot as usize] = 5;
        content[self.library_field(thread, "group")?.slot as usize] = group;
        self.fixed_content(&content, format!("thread {name}"))
    }

    /// The group of the main thread. It belongs to the base: all threads refer to it, and as good as nobody
    /// writes to it.
    pub(crate) fn main_group(&mut self) -> Run<u32> {
        let system = self.group("group system", "system", 0)?;
        self.group("group main", "main", system)
    }

    fn group(&mut self, key: &'static str, name: &str, parent: u32) -> Run<u32> {
        let text = self.literal(name)?;
        let class = self.class("java/lang/ThreadGroup")?;
        let mut content = vec![0; class.linked().words as usize];
        content[CLASS as usize] = class.id;
        for (field, value) in [("name", text), ("parent", parent), ("maxPriority", 10)] {
            content[self.library_field(class, field)?.slot as usize] = value;
        }
        self.fixed_content(&content, key.to_owned())
    }

    /// The object of java.lang.Class for a class: an object of the base.
    pub fn mirror(&mut self, class: &'static Class) -> Run<u32> {
        if let Some(&mirror) = class.mirror.get() {
            return Ok(mirror);
        }
        let component = match class.element() {
            Some(element) => self.mirror(element)?,
            None => 0,
        };
        let mirrors = self.class("java/lang/Class")?;
        let mut content = vec![0; mirrors.linked().words as usize];
        content[CLASS as usize] = mirrors.id;
        content[self.library_field(mirrors, "componentType")?.slot as usize] = component;
        if let Some(last) = content.last_mut() {
            *last = class.id;
        }
        let number = self.vm.dictionary.intern(&content)?;
        let base = &self.vm.base;
        Ok(*class.mirror.get_or_init(|| base.add(number)))
    }

    /// The class of a mirror.
    pub fn mirrored(&self, mirror: u32) -> &'static Class {
        let words = self.class_of(mirror).linked().words;
        self.vm.registry.class_of(self.get(mirror, words - 1))
    }

    /// The same of an argument that a program may have left out.
    pub fn given_class(&mut self, mirror: u32) -> Run<&'static Class> {
        if mirror == 0 { Err(self.null_pointer()) } else { Ok(self.mirrored(mirror)) }
    }

    /// An object of the base of a library class, without running a constructor; one for each name.
    pub fn fixed(&mut self, class: &str, name: &'static str) -> Run<u32> {
        let class = self.class(class)?;
        let mut content = vec![0; (class.linked().words).max(HEADER) as usize];
        content[CLASS as usize] = class.id;
        self.fixed_content(&content, name.to_owned())
    }

    /// An object of the base with this content, unless there is one of this name.
    pub fn fixed_content(&self, content: &[u32], name: String) -> Run<u32> {
        let mut fixed = self.vm.fixed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(&object) = fixed.get(&name) {
            return Ok(object);
        }
        let object = self.vm.base.add(self.vm.dictionary.intern(content)?);
        fixed.insert(name, object);
        Ok(object)
    }

    /// The state in which the program begins.
    pub fn begin(&mut self, arguments: &[String]) -> Run<()> {
        self.clear();
        let class = self.class("java/lang/Thread")?;
        let group = self.main_group()?;
        let thread = self.new_instance(class)?;
        let object = self.class("java/lang/Object")?;
        let lock = self.new_instance(object)?;
        let name = self.literal("main")?;
        for (field, value) in [
            ("name", name),
            ("priority", 5),
            ("group", group),
            ("threadStatus", 5),
            ("blockerLock", lock),
            ("eetop", 1),
            ("tid", 1),
        ] {
            let slot = self.library_field(class, field)?.slot;
            self.set(thread, slot, value);
        }
        let strings = self.class("[Ljava/lang/String;")?;
        let texts: Vec<u32> =
            arguments.iter().map(|text| self.new_text(text)).collect::<Run<_>>()?;
        let arguments = self.new_references(strings, &texts)?;
        let content = self.vm.thread_code()?.start_main(thread, arguments);
        let place = self.heap.new_content(&content);
        self.threads.push(place);
        Ok(())
    }

    /// Forgets the state.
    pub fn clear(&mut self) {
        self.origin.valid = false;
        self.heap.clear();
        self.forget_transition();
    }

    /// Forgets what a transition left beside memory.
    pub(super) fn forget_transition(&mut self) {
        self.threads.clear();
        self.frames.clear();
        self.output.clear();
        self.uncaught.clear();
        self.unheard.clear();
        self.halfheard.clear();
        self.happened.clear();
        self.exit = None;
        self.main_failed = false;
        self.pruned = false;
        self.left_out = None;
        self.printed = 0;
        self.read = 0;
        self.clock = 0;
    }

    /// Gives a static field of a class of the base another value.
    pub fn set_base_static(&mut self, class: &'static Class, field: &str, value: u32) -> Run<()> {
        let field = self.library_field(class, field)?;
        let number = self.vm.base.static_of(class.id);
        let mut content = Vec::new();
        self.vm.dictionary.read(number, &mut content);
        if let Some(word) = content.get_mut(field.slot as usize) {
            *word = value;
        }
        let number = self.vm.dictionary.intern(&content)?;
        if let Some(known) = self.vm.base.statics.get(class.id as usize) {
            known.store(number, Ordering::Release);
        }
        Ok(())
    }
}

impl Worker {
    /// Makes what the library needs and no initialiser of its own makes.
    pub fn prepare_library(&mut self) -> Run<()> {
        let constants = self.class("jdk/internal/misc/UnsafeConstants")?;
        self.initialise_library(constants)?;
        for (field, value) in [("ADDRESS_SIZE0", 8), ("PAGE_SIZE", 4096), ("UNALIGNED_ACCESS", 1)] {
            self.set_base_static(constants, field, value)?;
        }
        let names = ["Object", "String", "System", "Thread", "ref/Reference"];
        for name in names.map(|name| format!("java/lang/{name}")) {
            let class = self.class(&name)?;
            self.initialise_library(class)?;
        }
        let system = self.class("java/lang/System")?;
        for (field, number) in [("out", 1), ("err", 2)] {
            let stream = self.make_stream(number)?;
            self.set_base_static(system, field, stream)?;
        }
        self.make_properties()
    }

    /// Makes `System.props`, by an initialiser of a class of its own.
    fn make_properties(&mut self) -> Run<()> {
        let object = self.class("java/lang/Object")?;
        let properties = self.class("java/util/Properties")?;
        let system = self.class("java/lang/System")?;
        let initialiser = NewMethod {
            name: "<clinit>".to_owned(),
            descriptor: "()V".to_owned(),
            flags: flags::STATIC,
        };
        let vm = Arc::clone(&self.vm);
        let all = peers::properties(&vm);
        let room = vec![None; 16 + 3 * all.len()];
        let registry = &self.vm.registry;
        let name = "everypath/Properties";
        let defined = registry.define(name, object, Vec::new(), &[], vec![initialiser], room);
        let class = defined.map_err(|error| self.load_failure(error))?;
        let method = class.linked().methods[0];
        let text = "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Object;";
        let (Some(constructor), Some(set)) =
            (properties.declared("<init>", "()V"), properties.declared("setProperty", text))
        else {
            return self.unsupported("this JDK: Properties has no setProperty");
        };
        let mut next = 1;
        let mut code = Assembler::within(class, &mut next);
        code.plain(op::NOP);
        code.class_op(op::NEW, properties);
        code.plain(op::DUP);
        code.call(op::INVOKESPECIAL, constructor);
        for (key, value) in all {
            code.plain(op::DUP);
            let key = self.literal(key)?;
            code.object(key);
            let value = self.literal(value)?;
            code.object(value);
            code.call(op::INVOKEVIRTUAL, set);
            code.plain(op::POP);
        }
        code.field_op(op::PUTSTATIC, self.library_field(system, "props")?);
        self.write_input(&mut code)?;
        code.plain(op::RETURN);
        let _ = method.code.set(Ok(code.finish(method)));
        self.initialise_library(class)
    }

    /// Makes `System.in`.
    fn write_input(&mut self, code: &mut Assembler<'_>) -> Run<()> {
        let system = self.class("java/lang/System")?;
        let descriptor = self.class("java/io/FileDescriptor")?;
        let (file, buffer) =
            (self.class("java/io/FileInputStream")?, self.class("java/io/BufferedInputStream")?);
        let (Some(open), Some(wrap)) = (
            file.declared("<init>", "(Ljava/io/FileDescriptor;)V"),
            buffer.declared("<init>", "(Ljava/io/InputStream;)V"),
        ) else {
            return self.unsupported("this JDK: streams without their constructors");
        };
        code.class_op(op::NEW, buffer);
        code.plain(op::DUP);
        code.class_op(op::NEW, file);
        code.plain(op::DUP);
        code.field_op(op::GETSTATIC, self.library_field(descriptor, "in")?);
        code.call(op::INVOKESPECIAL, open);
        code.call(op::INVOKESPECIAL, wrap);
        code.field_op(op::PUTSTATIC, self.library_field(system, "in")?);
        Ok(())
    }

    /// Whether no thread is left that keeps the program alive.
    pub fn is_over(&self) -> bool {
        (0..self.threads.len()).all(|thread| !self.is_alive(thread) || self.is_daemon(thread))
    }

    /// Runs a thread of the state that was just taken up to its next stop, and puts it back into the state.
    ///
    /// What an initialiser of the library made on the way was there before, as it were. The step begins again
    /// with it: otherwise it would be another one the next time.
    pub fn transition(&mut self, thread: usize, alternative: u32) -> Run<()> {
        loop {
            let age = self.vm.base.age();
            let done = self.execute_step(thread, alternative);
            // What single runs note is noted once.
            if self.vm.base.age() == age || self.log.is_some() || self.watch.is_some() {
                return done;
            }
            let state = std::mem::take(&mut self.origin.state);
            self.load(&state);
            if let Some(picks) = &mut self.picks {
                **picks = super::picks::Picks::default();
            }
        }
    }

    fn execute_step(&mut self, thread: usize, alternative: u32) -> Run<()> {
        self.load_frames(thread)?;
        let status = self.status(thread);
        self.budget = self.limit;
        self.region = self.find_region();
        self.alternative = if status == Status::Choice { alternative } else { u32::MAX };
        // Who was stopped in the middle of a stretch has done what a step begins with.
        let within = matches!(status, Status::Cut | Status::Spin);
        self.fresh = !within && !matches!(status, Status::Start | Status::Choice);
        let cuts = if status == Status::Cut { self.thread(thread, header::COUNT) } else { 0 };
        self.begin_stretch(cuts);
        self.rested = matches!(status, Status::Park | Status::TimedPark | Status::Sleep);
        self.wakes = alternative == UNREASONED;
        self.unreasoned = if self.wakes { self.wakes_from() } else { None };
        self.ran_out = None;
        let trap = match self.leaves_waiting(status)? {
            _ if self.wakes && matches!(status, Status::Wait | Status::TimedWait) => {
                self.leave_unreasoned();
                Trap::Pause
            }
            Some(next) => {
                let target = self.thread(thread, header::TARGET);
                self.touch_interrupt(thread, false);
                self.note_touch(Thing::Waiters(target), Access::Write);
                self.set_status(next, target);
                Trap::Pause
            }
            None if matches!(status, Status::Wait | Status::TimedWait)
                || status.enters() && status != Status::Enter =>
            {
                self.fresh = false;
                match self.wake(status) {
                    Ok(()) => {
                        // The call of `wait` is done: its arguments go.
                        self.top.sp -= 3;
                        self.top.pc += 1;
                        self.run()
                    }
                    Err(Trap::Throw(exception)) => match self.throw_now(exception) {
                        Ok(()) => self.run(),
                        Err(trap) => trap,
                    },
                    Err(trap) => trap,
                }
            }
            _ => {
                self.set_thread(thread, header::COUNT, 0);
                self.set_status(Status::Ready, 0);
                if status == Status::Spin {
                    self.go_round();
                }
                self.run()
            }
        };
        match trap {
            Trap::Pause => self.store_frames(),
            Trap::Ended => {
                if self.is_over() {
                    // Daemons are cut off where they are.
                    self.threads.clear();
                }
                Ok(())
            }
            Trap::Pruned => {
                self.pruned = true;
                Ok(())
            }
            Trap::Exit(code) => {
                self.exit = Some(code);
                self.threads.clear();
                Ok(())
            }
            trap => Err(trap),
        }
    }
}
