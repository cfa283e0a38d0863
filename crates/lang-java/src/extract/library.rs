//! What calls of the library mean to the graph: threads and locks by their meaning, everything else by what it
//! may do with the objects of the program that it gets.
//!
//! An object of the library keeps what it is given; what it gives back may be any of that. It may call the methods by
//! which objects of the program implement its own types, any number of times.

use std::collections::BTreeSet;

use super::points::{Cell, CtxId, NULL, OPAQUE, Obj, Points, Root};
use super::sets::{EMPTY, ObjId, SetId};
use crate::classfile::flags;
use crate::code::Type;
use crate::link::Method;

/// What a method of the library means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A thread is made, maybe for something that it runs.
    MakeThread,
    /// A thread is started.
    Start,
    /// A thread is run as if it were an ordinary object.
    Run,
    /// The end of a thread is waited for.
    Join {
        timed: bool,
    },
    /// Gives the current thread.
    Current,
    /// Gives a copy of an object.
    Clone,
    Wait {
        timed: bool,
    },
    Notify,
    NotifyAll,
    Lock,
    Unlock,
    TryLock,
    /// A lock is given back for some time.
    Await,
    /// A thread is interrupted.
    Interrupt,
    /// What is given is run by other threads.
    Execute,
    /// What is given is told of the exceptions that nobody catches.
    Handle,
    /// What streams are given is run by other threads.
    Parallel,
    /// The program may end while threads are in the middle of something.
    Cut,
    /// A number that threads share: read, written, or changed if it has a value.
    Get,
    Set,
    CompareAndSet,
    Update,
    /// Calls or changes what only the program itself could tell.
    Reflect,
    /// Nothing.
    Quiet,
    /// Something about which only its arguments tell something.
    Other,
}

/// What a method of the library means.
pub(super) fn role(method: &Method) -> Role {
    let (class, name) = (&*method.class.name, &*method.name);
    let arguments = method.descriptor.parameters.len();
    match (class, name) {
        ("java/lang/Object", "wait") => Role::Wait { timed: arguments > 0 },
        ("java/lang/Object", "notify") => Role::Notify,
        ("java/lang/Object", "notifyAll") => Role::NotifyAll,
        ("java/lang/Object", "clone") => Role::Clone,
        ("java/lang/Object", "<init>" | "getClass") => Role::Quiet,
        ("java/lang/Thread", "<init>") => Role::MakeThread,
        ("java/lang/Thread", "start") => Role::Start,
        ("java/lang/Thread", "run") => Role::Run,
        ("java/lang/Thread", "join") => Role::Join { timed: arguments > 0 },
        ("java/lang/Thread", "currentThread") => Role::Current,
        ("java/lang/Thread" | "java/lang/ThreadGroup", "interrupt") => Role::Interrupt,
        ("java/lang/Thread", "setDaemon") => Role::Cut,
        (
            "java/lang/Thread",
            "setUncaughtExceptionHandler" | "setDefaultUncaughtExceptionHandler",
        ) => Role::Handle,
        ("java/lang/Thread", _) => Role::Quiet,
        ("java/lang/System", "exit") | ("java/lang/Runtime", "exit" | "halt") => Role::Cut,
        ("java/lang/Runtime", "addShutdownHook") => Role::Execute,
        (
            "java/lang/Throwable" | "java/lang/Exception" | "java/lang/RuntimeException",
            "<init>",
        ) if !keeps_a_cause(method) => Role::Quiet,
        // It is asked for by the object of its class.
        ("java/lang/Enum", "valueOf") => Role::Other,
        ("java/lang/Enum", _) => Role::Quiet,
        ("java/util/concurrent/locks/ReentrantLock", "lock" | "lockInterruptibly") => Role::Lock,
        ("java/util/concurrent/locks/ReentrantLock", "unlock") => Role::Unlock,
        ("java/util/concurrent/locks/ReentrantLock", "tryLock") => Role::TryLock,
        (_, "await" | "awaitNanos" | "awaitUninterruptibly" | "awaitUntil")
            if class.contains("Condition") =>
        {
            Role::Await
        }
        (
            "java/util/concurrent/atomic/AtomicBoolean"
            | "java/util/concurrent/atomic/AtomicInteger"
            | "java/util/concurrent/atomic/AtomicReference",
            _,
        ) => match name {
            "get" | "getPlain" | "getAcquire" | "getOpaque" | "intValue" => Role::Get,
            "set" | "lazySet" | "setPlain" | "setRelease" | "setOpaque" => Role::Set,
            "compareAndSet" => Role::CompareAndSet,
            "<init>" => Role::Other,
            _ => Role::Update,
        },
        (_, "findVarHandle" | "findStaticVarHandle" | "newUpdater" | "privateLookupIn") => {
            Role::Reflect
        }
        ("java/lang/Class", "forName" | "newInstance") | ("java/util/ServiceLoader", _) => {
            Role::Reflect
        }
        ("java/lang/reflect/Proxy", "newProxyInstance") => Role::Reflect,
        (_, "invoke" | "newInstance" | "set") if class.starts_with("java/lang/reflect/") => {
            Role::Reflect
        }
        _ if class.starts_with("sun/misc/Unsafe") => Role::Reflect,
        (_, "cancel" | "shutdownNow") if class.starts_with("java/util/concurrent/") => {
            Role::Interrupt
        }
        _ if class.starts_with("java/util/concurrent/locks/")
            || class.starts_with("java/util/concurrent/atomic/") =>
        {
            Role::Other
        }
        _ if runs_things(class) => Role::Execute,
        (_, "parallelStream" | "parallel") => Role::Parallel,
        ("java/util/Arrays", name) if name.starts_with("parallel") => Role::Execute,
        _ => Role::Other,
    }
}

/// Whether an exception is made because of another one, which it has then.
fn keeps_a_cause(method: &Method) -> bool {
    let is =
        |kind: &Type| matches!(kind, Type::Reference(name) if &**name == "java/lang/Throwable");
    method.descriptor.parameters.iter().any(is)
}

/// Whether a method of the library takes a lock, or gives one back for some time or for good. Whoever joins a thread
/// waits for it as for any other object.
pub(super) fn is_about_a_lock(method: &Method) -> bool {
    matches!(role(method), Role::Wait { .. } | Role::Lock | Role::Unlock | Role::TryLock)
}

/// The exceptions that a method of the library declares.
pub(super) fn declared(points: &mut Points<'_>, method: &'static Method) -> SetId {
    let Some(file) = &method.class.file else { return EMPTY };
    let Some(member) = file.methods.get(method.index) else { return EMPTY };
    let Some(mut at) = file.attribute(&member.attributes, "Exceptions") else { return EMPTY };
    let mut objects = Vec::new();
    for _ in 0..at.u16().unwrap_or(0) {
        let Ok(index) = at.u16() else { break };
        let Ok(class) = method.class.class_at(&points.program.vm.registry, index) else { continue };
        // Nobody is interrupted where nobody interrupts.
        if &*class.name == "java/lang/InterruptedException" && !points.interrupts {
            continue;
        }
        objects.push(points.exception(class));
    }
    points.sets.intern(objects)
}

/// Whether a class of the library lets other threads run what it is given.
fn runs_things(class: &str) -> bool {
    let runners = ["Execut", "ForkJoin", "CompletableFuture", "CompletionService", "FutureTask"];
    let others = ["CyclicBarrier", "SubmissionPublisher"];
    let mut names = runners.iter().chain(&others);
    let concurrent = class.strip_prefix("java/util/concurrent/");
    concurrent.is_some_and(|name| names.any(|part| name.contains(part)))
        || class.starts_with("java/util/Timer")
}

/// Whether a class of the library only keeps what it is given.
fn is_container(class: &str) -> bool {
    class.starts_with("java/util/")
        && !class.starts_with("java/util/stream/")
        && !class.starts_with("java/util/function/")
        && !runs_things(class)
}

/// Hands on what a call of the library may do with objects; gives what it may return.
pub(super) fn call(
    points: &mut Points<'_>,
    context: CtxId,
    pc: u32,
    method: &'static Method,
    receiver: ObjId,
    given: &[SetId],
) -> SetId {
    let arguments = if method.is_static() { given } else { given.get(1..).unwrap_or(&[]) };
    match role(method) {
        Role::MakeThread => {
            for (index, set) in by_parameter(method, arguments) {
                let is_runnable = matches!(&method.descriptor.parameters[index],
                    Type::Reference(name) if &**name == "java/lang/Runnable");
                if is_runnable {
                    points.grow_by(Cell::Target(receiver), set);
                }
            }
            EMPTY
        }
        Role::Start => {
            start(points, context, pc, receiver);
            EMPTY
        }
        Role::Run => {
            let targets = points.read(context, Cell::Target(receiver));
            run_all(points, context, pc, targets, EMPTY, Asked::Anything);
            EMPTY
        }
        Role::Current => {
            let root = points.contexts[context as usize].root;
            let thread = points.roots[root].object.unwrap_or(OPAQUE);
            points.sets.one(thread)
        }
        Role::Clone => copy(points, context, pc, receiver),
        Role::Interrupt => {
            points.interrupted();
            EMPTY
        }
        Role::Reflect => {
            points.doubts.insert(format!("{} may do what the analysis cannot see", method.java()));
            points.sets.one(OPAQUE)
        }
        Role::Quiet => match &method.descriptor.result {
            Type::Reference(_) => points.sets.one(OPAQUE),
            Type::Primitive(_) => EMPTY,
        },
        Role::Cut => {
            points.cuts.insert(format!("{} may end the program anywhere", method.java()));
            EMPTY
        }
        role => {
            match role {
                Role::Parallel => points.parallel_streams(),
                Role::Handle => points.handled(),
                _ => {}
            }
            let streams = points.parallel && method.class.name.starts_with("java/util/stream/");
            let execute = matches!(role, Role::Execute | Role::Handle) || streams;
            other(points, context, pc, method, receiver, arguments, execute)
        }
    }
}

/// A copy of an object, with what that has in its fields or elements. What its numbers are is not known.
fn copy(points: &mut Points<'_>, context: CtxId, pc: u32, object: ObjId) -> SetId {
    let of = &points.objects[object as usize];
    if object <= OPAQUE || !of.exact {
        return points.sets.one(OPAQUE);
    }
    let class = of.class;
    let made = points.object_at(context, pc, class, true);
    points.objects[made as usize].many = true;
    let mut cells = vec![(Cell::Elements(object), Cell::Elements(made))];
    cells.push((Cell::Content(object), Cell::Content(made)));
    for &id in &class.supertypes {
        let class = points.program.vm.registry.class_of(id);
        let fields = class.linked().fields.iter();
        let fields = fields.filter(|field| field.kind.is_reference() && !field.is(flags::STATIC));
        cells.extend(fields.map(|field| (Cell::field(object, field), Cell::field(made, field))));
    }
    for (from, to) in cells {
        let set = points.read(context, from);
        points.grow_by(to, set);
    }
    points.sets.one(made)
}

/// The arguments that are references, by parameter.
fn by_parameter(method: &Method, words: &[SetId]) -> Vec<(usize, SetId)> {
    let mut word = 0;
    let mut found = Vec::new();
    for (index, parameter) in method.descriptor.parameters.iter().enumerate() {
        if parameter.is_reference() {
            found.push((index, words.get(word).copied().unwrap_or(EMPTY)));
        }
        word += parameter.words();
    }
    found
}

/// A thread is started: what it runs, it runs by itself.
fn start(points: &mut Points<'_>, context: CtxId, pc: u32, object: ObjId) {
    let of = &points.objects[object as usize];
    let run = of.class.method("run", "()V").filter(|run| !super::body::is_library(run.class));
    let root = root_of(points, object);
    points.roots[root].starts.insert((context, pc));
    match run {
        Some(run) => {
            points.root_call(root, run, Some(object));
        }
        None => {
            let targets = points.read(context, Cell::Target(object));
            for target in points.sets.get(targets).to_vec() {
                let class = points.objects[target as usize].class;
                let run = class.method("run", "()V");
                match run.filter(|run| !super::body::is_library(run.class)) {
                    Some(run) => {
                        points.root_call(root, run, Some(target));
                    }
                    None if target != NULL => {
                        let inner = points.read(context, Cell::Content(target));
                        for object in points.sets.get(inner).to_vec() {
                            start_functional(points, context, pc, object, EMPTY);
                        }
                    }
                    None => {}
                }
            }
        }
    }
}

fn root_of(points: &mut Points<'_>, object: ObjId) -> usize {
    let known = points.roots.iter().position(|root| root.object == Some(object));
    known.unwrap_or_else(|| {
        points.roots.push(Root {
            object: Some(object),
            calls: Vec::new(),
            starts: BTreeSet::new(),
            many: false,
        });
        points.roots.len() - 1
    })
}

/// What other threads may run of an object that they are given, with what they may give it.
fn start_functional(points: &mut Points<'_>, context: CtxId, pc: u32, object: ObjId, given: SetId) {
    let methods = callbacks(points, object, Asked::AsTask);
    if methods.is_empty() {
        return;
    }
    let root = root_of(points, object);
    points.roots[root].starts.insert((context, pc));
    // How often it runs is not known.
    points.roots[root].many = true;
    let opaque = points.sets.one(OPAQUE);
    let given = points.sets.union(given, opaque);
    for method in methods {
        let call = points.root_call(root, method, Some(object));
        // The library catches what it throws.
        points.guard(call, true);
        let mut word = 1;
        for parameter in &method.descriptor.parameters {
            if parameter.is_reference() {
                points.give(call, word, given);
            }
            word += parameter.words();
        }
    }
}

/// Calls the methods of objects that implement something of the library.
fn run_all(
    points: &mut Points<'_>,
    context: CtxId,
    pc: u32,
    objects: SetId,
    given: SetId,
    asked: Asked,
) -> SetId {
    let mut result = EMPTY;
    let opaque = points.sets.one(OPAQUE);
    let given = points.sets.union(given, opaque);
    for object in points.sets.get(objects).to_vec() {
        for method in callbacks(points, object, asked) {
            let child = points.child(context, pc, method, object);
            points.contexts[child as usize].again = true;
            points.guard(child, true);
            let receiver = points.sets.one(object);
            points.give(child, 0, receiver);
            let mut word = 1;
            for parameter in &method.descriptor.parameters {
                if parameter.is_reference() {
                    points.give(child, word, given);
                }
                word += parameter.words();
            }
            let called = &points.contexts[child as usize];
            let (returned, thrown) = (called.result, called.thrown);
            result = points.sets.union(result, returned);
            points.raised = points.sets.union(points.raised, thrown);
        }
    }
    result
}

/// What the library may ask of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// What every container asks of its elements.
    AsData,
    /// Anything; but only `start` runs a thread.
    Anything,
    /// Anything: also a thread is something that another one may run.
    AsTask,
}

/// The methods of an object of the program that the library may call: those that implement or replace one of its own.
fn callbacks(points: &Points<'_>, object: ObjId, asked: Asked) -> Vec<&'static Method> {
    let of = &points.objects[object as usize];
    if object == NULL || !of.exact || !of.is_own() {
        return Vec::new();
    }
    let registry = &points.program.vm.registry;
    let supertypes: Vec<_> = of.class.supertypes.iter().map(|&id| registry.class_of(id)).collect();
    let is_thread = supertypes.iter().any(|class| &*class.name == "java/lang/Thread");
    let mut found: Vec<&'static Method> = Vec::new();
    for class in supertypes.iter().filter(|class| super::body::is_library(class)) {
        for declared in &class.linked().methods {
            if declared.is_static() || declared.is(flags::PRIVATE) || declared.name.starts_with('<')
            {
                continue;
            }
            let name = &*declared.name;
            let of_data = ["equals", "hashCode", "compareTo", "compare", "toString"];
            let left_out = match asked {
                Asked::AsData => !of_data.contains(&name),
                Asked::Anything => is_thread && name == "run",
                Asked::AsTask => false,
            };
            if left_out || name == "finalize" {
                continue;
            }
            if let Some(&method) = of.class.linked().virtuals.get(&declared.selector) {
                let own = !super::body::is_library(method.class) && !method.is(flags::ABSTRACT);
                if own && !found.iter().any(|known| known.id == method.id) {
                    found.push(method);
                }
            }
        }
    }
    found.sort_by_key(|method| method.id);
    found
}

/// Whether an object is one that the library may wrap in one of its own: a collection, or what goes through one.
fn is_wrapped(program: &crate::program::Program, objects: &[Obj], object: ObjId) -> bool {
    let kinds = ["Collection", "Map", "Iterator", "Enumeration", "Comparator"];
    objects[object as usize].class.supertypes.iter().any(|&id| {
        let name = &program.vm.registry.class_of(id).name;
        name.strip_prefix("java/util/").is_some_and(|name| kinds.contains(&name))
    })
}

/// A call of which nothing is known but its arguments.
fn other(
    points: &mut Points<'_>,
    context: CtxId,
    pc: u32,
    method: &'static Method,
    receiver: ObjId,
    arguments: &[SetId],
    execute: bool,
) -> SetId {
    // What is given as something that has methods may be called; what is given as any object is only kept.
    let (mut called, mut kept_only) = (EMPTY, EMPTY);
    for (index, set) in by_parameter(method, arguments) {
        let any = matches!(&method.descriptor.parameters[index],
            Type::Reference(name) if matches!(&**name, "java/lang/Object" | "[Ljava/lang/Object;"));
        let part = if any { &mut kept_only } else { &mut called };
        *part = points.sets.union(*part, set);
    }
    let called = closure(points, context, called);
    let mut reached = points.sets.union(called, kept_only);
    if receiver != NULL {
        let set = points.sets.one(receiver);
        reached = points.sets.union(reached, set);
    }
    let mut reached = closure(points, context, reached);
    if method.class.name.starts_with("java/util/EnumSet") {
        // A range, or what is not in a set.
        let classes: BTreeSet<u32> = points
            .sets
            .get(reached)
            .iter()
            .filter_map(|&object| points.enumeration(points.objects[object as usize].class))
            .map(|class| class.id)
            .collect();
        for class in classes {
            let class = points.program.vm.registry.class_of(class);
            let constants = points.constants(context, class);
            reached = points.sets.union(reached, constants);
        }
    }
    // Containers ask their elements only for what every object has, and so does every object of itself.
    let quiet = is_container(&method.class.name) || &*method.class.name == "java/lang/Object";
    let holder = match receiver {
        NULL => EMPTY,
        receiver if quiet && !points.objects[receiver as usize].is_own() => EMPTY,
        _ if &*method.class.name == "java/lang/Object" => EMPTY,
        receiver => points.sets.one(receiver),
    };
    let own = points.sets.filter(reached, |object| object > OPAQUE);
    if own != EMPTY && execute {
        for object in points.sets.get(own).to_vec() {
            start_functional(points, context, pc, object, reached);
        }
    }
    let returned = match own {
        EMPTY => EMPTY,
        own => {
            let full = match holder {
                EMPTY => called,
                holder => {
                    let held = closure(points, context, holder);
                    points.sets.union(called, held)
                }
            };
            let given = run_all(points, context, pc, full, reached, Asked::Anything);
            let asked = run_all(points, context, pc, own, reached, Asked::AsData);
            // What the library wraps it asks for everything.
            let objects = &points.objects;
            let wrapped =
                points.sets.filter(own, |object| is_wrapped(points.program, objects, object));
            let more = run_all(points, context, pc, wrapped, reached, Asked::Anything);
            let given = points.sets.union(given, more);
            points.sets.union(given, asked)
        }
    };
    if execute {
        // A factory may make threads that run something of their own, and what one task gives goes to the next.
        let all = points.sets.union(own, returned);
        for object in points.sets.get(all).to_vec() {
            start_functional(points, context, pc, object, returned);
        }
    }
    let all = points.sets.union(reached, returned);
    let kept = points.sets.filter(all, |object| object > OPAQUE && object != receiver);
    if receiver > OPAQUE && !points.objects[receiver as usize].is_own() {
        points.grow_by(Cell::Content(receiver), kept);
    }
    // What is given to an array or to a container is in it then.
    for (_, set) in by_parameter(method, arguments) {
        for object in points.sets.get(set).to_vec() {
            let of = &points.objects[object as usize];
            if object > OPAQUE && !of.is_own() {
                let cell = match of.class.element() {
                    Some(_) => Cell::Elements(object),
                    None => Cell::Content(object),
                };
                let others = points.sets.filter(kept, |other| other != object);
                points.grow_by(cell, others);
            }
        }
    }
    let Type::Reference(name) = &method.descriptor.result else { return EMPTY };
    let Ok(class) = points.program.vm.registry.class(name) else { return points.sets.one(OPAQUE) };
    let objects = &points.objects;
    let given = points.sets.filter(all, |object| {
        object == NULL
            || !objects[object as usize].exact
            || objects[object as usize].class.is_subtype_of(class)
    });
    let null = points.sets.one(NULL);
    let given = points.sets.union(given, null);
    if kept == EMPTY {
        let opaque = points.sets.one(OPAQUE);
        return points.sets.union(given, opaque);
    }
    let made = points.object_at(context, pc, class, false);
    points.objects[made as usize].many = true;
    points.grow_by(Cell::Content(made), kept);
    if class.element().is_some() {
        points.grow_by(Cell::Elements(made), kept);
    }
    let made = points.sets.one(made);
    points.sets.union(given, made)
}

/// Objects, and what the library's among them hold.
fn closure(points: &mut Points<'_>, context: CtxId, set: SetId) -> SetId {
    let mut all = set;
    let mut open: Vec<ObjId> = points.sets.get(set).to_vec();
    while let Some(object) = open.pop() {
        // Whoever has the object of an enumeration's class may ask for the constants.
        if let Some(class) = points.mirrored(object).and_then(|class| points.enumeration(class)) {
            let constants = points.constants(context, class);
            all = points.sets.union(all, constants);
        }
        if object <= OPAQUE || points.objects[object as usize].is_own() {
            continue;
        }
        let held = points.read(context, Cell::Content(object));
        let elements = points.read(context, Cell::Elements(object));
        let target = points.read(context, Cell::Target(object));
        let held = points.sets.union(held, elements);
        let held = points.sets.union(held, target);
        for &inner in points.sets.get(held) {
            if !points.sets.get(all).contains(&inner) && !open.contains(&inner) {
                open.push(inner);
            }
        }
        all = points.sets.union(all, held);
    }
    all
}
