//! What calls of the library mean to the graph: threads and locks by their meaning, everything else by what it
//! may do with the objects of the program that it gets.
//!
//! An object of the library keeps what it is given; what it gives back may be any of that. It may call the methods by
//! which objects of the program implement its own types, any number of times.

use std::collections::BTreeSet;

use super::points::{Cell, CtxId, MIRROR, NULL, OPAQUE, Obj, Points, Root};
use super::sets::{EMPTY, ObjId, SetId};
use crate::classfile::flags;
use crate::code::Type;
use crate::link::{Class, Method, Registry};

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
    /// Gives the class of an object.
    ClassOf,
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
        ("java/lang/Object", "getClass") => Role::ClassOf,
        ("java/lang/Object", "<init>") => Role::Quiet,
        ("java/lang/Thread", "<init>") => Role::MakeThread,
        ("java/lang/Thread", "start") => Role::Start,
        ("java/lang/Thread", "run") => Role::Run,
        ("java/lang/Thread", "join") => Role::Join { timed: arguments > 0 },
        ("java/lang/Thread", "currentThread") => Role::Current,
        ("java/lang/Thread" | "java/lang/ThreadGroup", "interrupt") => Role::Interrupt,
        ("java/lang/Thread", "setDaemon") => Role::Cut,
        // The exception may be thrown anywhere.
        ("java/lang/Thread" | "java/lang/ThreadGroup", "stop") => Role::Reflect,
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
        _ if reflects(class, name) => Role::Reflect,
        _ if class.starts_with("java/util/concurrent/locks/")
            || class.starts_with("java/util/concurrent/atomic/") =>
        {
            Role::Other
        }
        _ if runs_things(class) => Role::Execute,
        (_, "parallelStream" | "parallel") => Role::Parallel,
        // Whether the stream is parallel is an argument.
        ("java/util/stream/StreamSupport", _) => Role::Parallel,
        // From so many elements on, several threads share the work.
        ("java/util/concurrent/ConcurrentHashMap", _)
            if method.descriptor.parameters.first() == Some(&Type::Primitive(b'J')) =>
        {
            Role::Execute
        }
        ("java/util/Arrays", name) if name.starts_with("parallel") => Role::Execute,
        _ => Role::Other,
    }
}

/// Whether a method calls, makes or changes what only the program itself could tell.
fn reflects(class: &str, name: &str) -> bool {
    let handles = class.starts_with("java/lang/invoke/MethodHandle");
    match name {
        "newUpdater" | "newProxyInstance" => true,
        "forName" => class == "java/lang/Class",
        "newInstance" => class.starts_with("java/lang/"),
        "lookup" | "publicLookup" | "lookupClass" if handles => false,
        "setAccessible" => false,
        "invoke" => class.starts_with("java/lang/reflect/"),
        // Methods of these names in the program are found by them.
        "readObject" | "readUnshared" | "writeObject" | "writeUnshared" => {
            class.starts_with("java/io/Object")
        }
        _ if name.starts_with("set") && class.starts_with("java/lang/reflect/") => true,
        _ => {
            handles
                || class == "java/util/ServiceLoader"
                || class.starts_with("sun/misc/Unsafe")
                || class.starts_with("java/beans/")
        }
    }
}

/// Whether a method may interrupt the threads that run what it or others were given.
fn interrupts(method: &Method) -> bool {
    let timed = method.descriptor.parameters.len() > 1;
    method.class.name.starts_with("java/util/concurrent/")
        && match &*method.name {
            "cancel" | "shutdownNow" | "invokeAny" => true,
            "invokeAll" => timed,
            _ => false,
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

/// Collections, and what goes through them.
const CONTAINERS: [&str; 5] = ["Collection", "Map", "Map$Entry", "Iterator", "Enumeration"];

/// Whether a class is one of these of java.util, or implements one.
fn is_one_of(registry: &Registry, class: &Class, names: &[&str]) -> bool {
    let is_one = |name: &str| name.strip_prefix("java/util/").is_some_and(|n| names.contains(&n));
    is_one(&class.name) || class.supertypes.iter().any(|&id| is_one(&registry.class_of(id).name))
}

/// Whether a class of the library only keeps what it is given.
fn is_container(registry: &Registry, class: &Class) -> bool {
    let kept = ["java/util/Optional", "java/util/Objects", "java/util/Arrays"];
    let atomic = class.name.starts_with("java/util/concurrent/atomic/");
    // An iterator that reads from what it was given.
    let reads = &*class.name == "java/util/Scanner";
    atomic || kept.contains(&&*class.name) || !reads && is_one_of(registry, class, &CONTAINERS)
}

/// Whether objects of a class have what a class of the library has and keeps for them.
fn inherits(registry: &Registry, class: &Class) -> bool {
    let plain = ["Object", "Enum", "Record", "Thread", "Throwable", "Exception"];
    class.supertypes.iter().map(|&id| registry.class_of(id)).any(|of| {
        let name = of.name.strip_prefix("java/lang/");
        let plain = name.is_some_and(|name| plain.contains(&name) || name.ends_with("Exception"));
        super::body::is_library(of) && !of.is_interface() && !plain
    })
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
    let told = [Role::Start, Role::Unlock, Role::Notify, Role::NotifyAll];
    let role = role(method);
    if receiver == OPAQUE && (told.contains(&role) || matches!(role, Role::Wait { .. })) {
        points.doubts.insert(format!("on which object {} is called is not known", method.java()));
    }
    match role {
        Role::MakeThread => {
            for (index, set) in by_parameter(method, arguments) {
                let Type::Reference(name) = &method.descriptor.parameters[index] else { continue };
                match &**name {
                    "java/lang/Runnable" => points.grow_by(Cell::Target(receiver), set),
                    "java/lang/ThreadGroup" => in_group(points, context, pc, set),
                    _ => {}
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
            let targets = closure(points, context, targets);
            run_all(points, context, pc, targets, EMPTY, Asked::AsTask);
            EMPTY
        }
        Role::Current => {
            let root = points.contexts[context as usize].root;
            let thread = points.roots[root].object.unwrap_or(OPAQUE);
            points.sets.one(thread)
        }
        Role::Clone => copy(points, context, pc, receiver),
        Role::ClassOf => {
            let of = &points.objects[receiver as usize];
            let class = (receiver > OPAQUE && of.exact).then_some(of.class);
            let object = class.map_or(OPAQUE, |class| points.fixed_object(MIRROR, 0, class));
            points.sets.one(object)
        }
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
            if interrupts(method) {
                points.interrupted();
            }
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
                        let target = points.sets.one(target);
                        let inner = closure(points, context, target);
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

/// A group of the program's own is told of the exceptions that nobody catches in its threads.
fn in_group(points: &mut Points<'_>, context: CtxId, pc: u32, groups: SetId) {
    let all = closure(points, context, groups);
    for group in points.sets.get(all).to_vec() {
        if group > OPAQUE && points.objects[group as usize].is_own() {
            points.handled();
            start_functional(points, context, pc, group, EMPTY);
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
            let of_data =
                ["equals", "hashCode", "compareTo", "compare", "toString", "formatTo", "getDelay"];
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
fn is_wrapped(registry: &Registry, object: &Obj) -> bool {
    is_one_of(registry, object.class, &CONTAINERS)
        || is_one_of(registry, object.class, &["Comparator", "Spliterator"])
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
    let registry = &points.program.vm.registry;
    let lazy = |object: ObjId| is_one_of(registry, points.objects[object as usize].class, &LAZY);
    let quiet = is_container(registry, method.class)
        && !points.sets.get(reached).iter().copied().any(lazy)
        || &*method.class.name == "java/lang/Object";
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
    told_everywhere(points, method, called);
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
            call_back(points, context, pc, full, own)
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
    let registry = &points.program.vm.registry;
    let keeps = |of: &Obj| !of.is_own() || inherits(registry, of.class);
    if receiver > OPAQUE && keeps(&points.objects[receiver as usize]) {
        points.grow_by(Cell::Content(receiver), kept);
        // What it is a view of gets what it is given.
        let set = points.sets.one(receiver);
        let behind = closure(points, context, set);
        for object in points.sets.get(behind).to_vec() {
            if object > OPAQUE && object != receiver && keeps(&points.objects[object as usize]) {
                let arguments = by_parameter(method, arguments);
                let new = arguments.iter().fold(returned, |a, &(_, b)| points.sets.union(a, b));
                let new = points.sets.filter(new, |other| other > OPAQUE && other != object);
                points.grow_by(Cell::Content(object), new);
            }
        }
    }
    // What is given to an array or to a container is in it then.
    for (_, set) in by_parameter(method, arguments) {
        for object in points.sets.get(set).to_vec() {
            let of = &points.objects[object as usize];
            if object > OPAQUE && keeps(of) {
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
    let held = points.sets.filter(all, |object| object > OPAQUE && object != made);
    points.grow_by(Cell::Content(made), held);
    if class.element().is_some() {
        points.grow_by(Cell::Elements(made), kept);
    }
    let made = points.sets.one(made);
    points.sets.union(given, made)
}

/// What computes its elements when it is asked for them.
const LAZY: [&str; 2] = ["stream/BaseStream", "Spliterator"];

/// Calls what the library may call of these objects, and of what that gives: anything of the first ones, of the others
/// what every object has, and everything of what it wraps.
fn call_back(
    points: &mut Points<'_>,
    context: CtxId,
    pc: u32,
    mut full: SetId,
    mut own: SetId,
) -> SetId {
    loop {
        let mut returned = run_all(points, context, pc, full, own, Asked::Anything);
        let more = run_all(points, context, pc, own, own, Asked::AsData);
        returned = points.sets.union(returned, more);
        let wrapped = |points: &mut Points<'_>, set: SetId| {
            let (registry, objects) = (&points.program.vm.registry, &points.objects);
            points.sets.filter(set, |object| is_wrapped(registry, &objects[object as usize]))
        };
        let inside = wrapped(points, own);
        let more = run_all(points, context, pc, inside, own, Asked::Anything);
        returned = points.sets.union(returned, more);
        let given = closure(points, context, returned);
        let own_too = points.sets.filter(given, |object| object > OPAQUE);
        let own_too = points.sets.union(own, own_too);
        let (registry, objects) = (&points.program.vm.registry, &points.objects);
        let function = |of: &Obj| {
            of.class
                .supertypes
                .iter()
                .any(|&id| registry.class_of(id).name.starts_with("java/util/function/"))
        };
        let functions = points.sets.filter(given, |object| function(&objects[object as usize]));
        let full_too = points.sets.union(full, functions);
        if (full_too, own_too) == (full, own) {
            return returned;
        }
        (full, own) = (full_too, own_too);
    }
}

/// What some methods are given may be called by anybody from then on.
fn told_everywhere(points: &mut Points<'_>, method: &Method, called: SetId) {
    let (class, name) = (&*method.class.name, &*method.name);
    let logs = class.starts_with("java/util/logging/");
    let sets = ["set", "add", "register"].iter().any(|verb| name.starts_with(verb));
    let everywhere = method.is_static() && sets && !class.starts_with("java/util/");
    if !logs && !everywhere {
        return;
    }
    let mut given = points.sets.get(called).iter();
    if given.any(|&object| !callbacks(points, object, Asked::Anything).is_empty()) {
        points
            .doubts
            .insert(format!("what {} is given may be called from anywhere", method.java()));
    }
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
        if object <= OPAQUE {
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
