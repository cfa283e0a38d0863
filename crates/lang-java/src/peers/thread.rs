//! java.lang.Thread.

use everypath_model::Access;

use super::groups::group;
use super::{Args, Done, Peer, plain};
use crate::vm::{Frame, Run, Status, Thing, Trap, Uncaught, Worker, header};

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match (class, name) {
        ("java/lang/Thread", "currentThread") => {
            plain(|worker, _| Ok(Done::Word(worker.thread(worker.current, header::OBJECT))))
        }
        ("java/lang/Thread", "start0") => plain(|worker, args| {
            // Initialisers of the library would start threads that look after references.
            if !worker.for_base {
                worker.stops()?;
                worker.start_thread(args.word(0))?;
            }
            Ok(Done::Void)
        }),
        ("java/lang/Thread", "yield" | "onSpinWait") => plain(|worker, _| {
            worker.stops()?;
            Ok(Done::Void)
        }),
        ("java/lang/Thread", "sleep") if descriptor == "(J)V" => plain(sleep),
        (
            "java/lang/Thread",
            "setPriority0" | "setNativeName" | "clearInterruptEvent" | "checkAccess",
        ) => plain(|_, _| Ok(Done::Void)),
        ("java/lang/Thread", "interrupt0") => plain(|worker, args| {
            worker.note_interrupt(args.word(0))?;
            Ok(Done::Void)
        }),
        ("java/lang/Thread", "holdsLock") => plain(|worker, args| match args.word(0) {
            0 => Err(worker.null_pointer()),
            object => Ok(Done::bool(worker.owner(object) == Some(worker.current))),
        }),
        ("java/lang/Thread", "nextThreadID") => plain(next_id),
        ("java/lang/Thread", "threadState" | "getState") => plain(state),
        ("java/lang/Thread", "suspend0") => plain(|worker, args| {
            if worker.vm.settings.races && !worker.alone {
                // That a thread is suspended orders nothing, but it keeps it from standing before an access.
                worker.leave_out("data races with threads that are suspended are not looked for");
            }
            if args.word(0) == worker.thread(worker.current, header::OBJECT) {
                worker.suspend_itself()?;
                return Ok(Done::Void);
            }
            worker.visible()?;
            if let Some(thread) = worker.thread_of(args.word(0)) {
                worker.set_suspended(thread, true);
            }
            Ok(Done::Void)
        }),
        ("java/lang/Thread", "resume0") => plain(|worker, args| {
            worker.visible()?;
            if let Some(thread) = worker.thread_of(args.word(0)) {
                worker.set_suspended(thread, false);
            }
            Ok(Done::Void)
        }),
        ("java/lang/Thread", "stop0") => plain(|worker, args| {
            if args.word(0) == worker.thread(worker.current, header::OBJECT) {
                return Err(Trap::Throw(args.word(1)));
            }
            worker.visible()?;
            let status = worker.field_of(args.word(0), "threadStatus")?.slot;
            match worker.thread_of(args.word(0)) {
                Some(thread) => worker.throw_in(thread, args.word(1))?,
                // It will end as soon as it is started.
                None if worker.get(args.word(0), status) == 0 => {
                    let stillborn = worker.field_of(args.word(0), "stillborn")?;
                    worker.set(args.word(0), stillborn.slot, 1);
                }
                None => {}
            }
            Ok(Done::Void)
        }),
        ("java/lang/ThreadGroup", _) => group(name, descriptor),
        ("java/lang/Thread", "getThreads") => plain(|worker, _| {
            worker.visible()?;
            let alive = (0..worker.threads.len()).filter(|&thread| worker.is_alive(thread));
            let objects: Vec<u32> =
                alive.map(|thread| worker.thread(thread, header::OBJECT)).collect();
            let class = worker.class("[Ljava/lang/Thread;")?;
            worker.new_references(class, &objects).map(Done::Word)
        }),
        ("java/lang/Thread", "dumpThreads") => plain(dump),
        ("java/lang/Thread", "getThreadGroup") => plain(|worker, args| {
            // Others leave their group when they end.
            let thread = worker.thread_of(args.word(0));
            if thread.is_some_and(|thread| thread != worker.current) {
                worker.note_look()?;
            }
            Ok(Done::Bytecode)
        }),
        (
            "java/lang/Thread",
            "setUncaughtExceptionHandler" | "setDefaultUncaughtExceptionHandler",
        ) => plain(set_handler),
        (crate::vm::OWN_CLASS, "uncaught") => plain(uncaught),
        (crate::vm::OWN_CLASS, "handlerFailed") => plain(|worker, args| {
            let (thread, exception) = (args.word(0), args.word(1));
            let name = worker.get(thread, worker.field_of(thread, "name")?.slot);
            let text = format!(
                "\nException: {} thrown from the UncaughtExceptionHandler in thread \"{}\"\n",
                worker.class_of(exception).get_name(),
                worker.text_of(name)?,
            );
            worker.print(2, text.into_bytes())?;
            leave_uncaught(worker, thread, exception)?;
            Ok(Done::Void)
        }),
        _ => None,
    }
}

/// `Thread.dumpThreads`: the stack traces of threads that have not begun or have ended, and of the current one.
fn dump(worker: &mut Worker, args: &Args) -> Run<Done> {
    worker.visible()?;
    let place = worker.heap.place(&worker.vm.base, args.word(0));
    let wanted: Vec<u32> = (0..worker.array_length(args.word(0)))
        .map(|index| worker.load_word(place, index))
        .collect();
    let class = worker.class("[Ljava/lang/StackTraceElement;")?;
    let mut traces = Vec::new();
    for thread in wanted {
        traces.push(match worker.thread_of(thread) {
            None => 0,
            Some(number) if number == worker.current => {
                let frames = std::iter::once(&worker.top).chain(worker.frames.iter().rev());
                let frames = frames.filter(|frame| !frame.method.class.hidden);
                let frames: Vec<_> = frames.map(|frame| (frame.method, frame.pc)).collect();
                let mut elements = Vec::new();
                for (method, pc) in frames {
                    elements.push(super::lang::stack_trace_element(worker, method, pc)?);
                }
                worker.new_references(class, &elements)?
            }
            Some(_) => return worker.unsupported("the stack trace of another thread"),
        });
    }
    let class = worker.class("[[Ljava/lang/StackTraceElement;")?;
    worker.new_references(class, &traces).map(Done::Word)
}

fn sleep(worker: &mut Worker, args: &Args) -> Run<Done> {
    if (args.long(0) as i64) < 0 {
        let text = "timeout value is negative";
        return Err(worker.throw("java/lang/IllegalArgumentException", Some(text)));
    }
    worker.rests(Status::Sleep)?;
    if !worker.alone && !worker.fresh {
        worker.set_status(Status::Sleep, 0);
        return Err(Trap::Pause);
    }
    worker.fresh = false;
    worker.touch_interrupt(worker.current, false);
    if worker.is_interrupted(worker.current)? {
        worker.clear_interrupt()?;
        return Err(worker.throw("java/lang/InterruptedException", Some("sleep interrupted")));
    }
    let nanoseconds = args.long(0).saturating_mul(1_000_000);
    if !worker.alone {
        worker.ran_out = Some((nanoseconds, "Thread.sleep"));
    }
    worker.pass(nanoseconds)?;
    Ok(Done::Void)
}

/// Thread identifiers count up, as one step.
fn next_id(worker: &mut Worker, args: &Args) -> Run<Done> {
    let field = worker.library_field(args.method.class, "threadSeqNumber")?;
    worker.stops()?;
    worker.touch_field(field, 0, true);
    let last =
        u64::from(worker.get_static(field, 0)) | u64::from(worker.get_static(field, 1)) << 32;
    // The first ones belong to threads of the JVM.
    let next = last.max(11) + 1;
    worker.set_static(field, 0, next as u32);
    worker.set_static(field, 1, (next >> 32) as u32);
    Ok(Done::Long(next))
}

/// `Thread.threadState`: what the thread does at this moment.
fn state(worker: &mut Worker, args: &Args) -> Run<Done> {
    let object = args.word(0);
    let other = worker.thread_of(object).filter(|&thread| thread != worker.current);
    match other {
        Some(_) => worker.note_look()?,
        None => worker.touch(object)?,
    }
    worker.note_touch(Thing::World, Access::Write);
    let field = worker.field_of(object, "threadStatus")?;
    let mut state = worker.get(object, field.slot);
    if let Some(thread) = other {
        state = match worker.status(thread) {
            status if status.enters() => 1025,
            Status::Wait => 401,
            Status::TimedWait => 417,
            Status::Park => 657,
            Status::TimedPark => 673,
            Status::Sleep => 225,
            _ => 5,
        };
    }
    let class = worker.class("jdk/internal/misc/VM")?;
    match class.declared("toThreadState", "(I)Ljava/lang/Thread$State;") {
        Some(method) => {
            if !worker.initialise(class)? {
                return Ok(Done::Again);
            }
            Ok(Done::Call(method, vec![state]))
        }
        None => worker.unsupported("this JDK: VM has no toThreadState"),
    }
}

/// Another thread gets a handler of exceptions, or all do: who throws one may notice that.
fn set_handler(worker: &mut Worker, args: &Args) -> Run<Done> {
    let own = worker.thread(worker.current, header::OBJECT);
    let others = args.method.is_static() || (args.word(0) != own && worker.is_shared(args.word(0)));
    if others && !worker.alone && !worker.vm.rules.somebody_looks() {
        // The stop is that before the field.
        worker.note_look()?;
    }
    Ok(Done::Bytecode)
}

/// An exception left the first method of a thread.
fn uncaught(worker: &mut Worker, args: &Args) -> Run<Done> {
    worker.shows()?;
    let (thread, exception) = (args.word(0), args.word(1));
    let class = worker.class("java/lang/Thread")?;
    worker.initialise_library(class)?;
    if worker.current == 0 {
        worker.main_failed = true;
    }
    // What the program has a hand in is executed, to see where it ends.
    if !has_own_handlers(worker, thread)? {
        leave_uncaught(worker, thread, exception)?;
        if !worker.vm.settings.output {
            return Ok(Done::Void);
        }
    }
    let dispatch = class.declared("dispatchUncaughtException", "(Ljava/lang/Throwable;)V");
    match dispatch {
        Some(method) => Ok(Done::Call(method, vec![args.word(0), exception])),
        None => worker.unsupported("this JDK: Thread has no dispatchUncaughtException"),
    }
}

/// Whether anything but the library's last resort may handle the exceptions of a thread.
fn has_own_handlers(worker: &Worker, thread: u32) -> Run<bool> {
    let class = worker.class("java/lang/Thread")?;
    let own = worker.library_field(class, "uncaughtExceptionHandler")?;
    let default = worker.library_field(class, "defaultUncaughtExceptionHandler")?;
    if worker.get(thread, own.slot) != 0 || worker.get_static(default, 0) != 0 {
        return Ok(true);
    }
    let groups = worker.class("java/lang/ThreadGroup")?;
    let parent = worker.library_field(groups, "parent")?;
    let mut group = worker.get(thread, worker.library_field(class, "group")?.slot);
    while group != 0 && std::ptr::eq(worker.class_of(group), groups) {
        group = worker.get(group, parent.slot);
    }
    let handler = "()Ljava/lang/Thread$UncaughtExceptionHandler;";
    let overridden = std::iter::successors(Some(worker.class_of(thread)), |c| c.super_class)
        .take_while(|class| !class.library)
        .any(|class| class.declared("getUncaughtExceptionHandler", handler).is_some());
    Ok(group != 0 || overridden)
}

/// `ThreadGroup.uncaughtException`: what comes to the first group without a handler for all threads is caught by nobody.
pub(super) fn reach_group(worker: &mut Worker, args: &Args) -> Run<Done> {
    let [group, thread, exception] = [0, 1, 2].map(|index| args.word(index));
    let class = worker.class("java/lang/Thread")?;
    let default = worker.library_field(class, "defaultUncaughtExceptionHandler")?;
    let is_first = worker.get(group, worker.field_of(group, "parent")?.slot) == 0;
    let dispatched = |frame: &Frame| &*frame.method.name == "dispatchUncaughtException";
    let ends = worker.frames.iter().any(dispatched);
    if is_first && ends && worker.get_static(default, 0) == 0 {
        let output = worker.vm.settings.output;
        // With output it was noted before, unless the program might have handled it.
        if !output || has_own_handlers(worker, thread)? {
            leave_uncaught(worker, thread, exception)?;
        }
        if !output {
            return Ok(Done::Void);
        }
    }
    Ok(Done::Bytecode)
}

/// Notes that nobody caught an exception. A thread that was stopped ends without a word.
fn leave_uncaught(worker: &mut Worker, thread: u32, exception: u32) -> Run<()> {
    let stopped = worker.class("java/lang/ThreadDeath")?;
    if worker.class_of(exception).is_subtype_of(stopped) {
        return Ok(());
    }
    let text = worker.throwable_text(exception)?;
    let error = worker.class("java/lang/AssertionError")?;
    let class = worker.class_of(exception);
    let (assertion, class) = (class.is_subtype_of(error), class.get_name());
    let trace = worker.backtrace(exception)?;
    let place = trace
        .iter()
        .find(|(method, _)| !method.class.library)
        .or(trace.first())
        .map(|&(method, pc)| (method.id, pc));
    let name = worker.field_of(thread, "name")?;
    let name = worker.get(thread, name.slot);
    let thread = worker.text_of(name)?;
    let trace = trace.iter().map(|&(method, pc)| (method.id, pc)).collect();
    worker.uncaught.push(Uncaught { text, class, assertion, place, thread, trace });
    Ok(())
}
