//! Which objects a value may be: allocation sites, a copy of each for every call that leads to it.
//!
//! A context is a method in one place of the tree of calls, for one receiver. Sets of a context only
//! grow; whoever reads something that grew is looked at again.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use super::sets::{EMPTY, ObjId, SetId, Sets};
use crate::classfile::flags;
use crate::link::{Class, Field, Method, Registry};
use crate::program::Program;
use crate::vm::Worker;

/// A context, by its place.
pub(super) type CtxId = u32;

/// `null`.
pub(super) const NULL: ObjId = 0;
/// Some object of the library of which nothing is known.
pub(super) const OPAQUE: ObjId = 1;

/// With more contexts, calls of a method are no longer told apart by where they come from.
const MOST_CONTEXTS: usize = 40_000;
/// Calls inside of each other, at most.
const DEEPEST: usize = 150;

/// An abstract object.
pub(super) struct Obj {
    /// Its class, or one that it is an instance of.
    pub class: &'static Class,
    /// Whether that is its very class.
    pub exact: bool,
    /// Where it is made.
    pub made: Option<(CtxId, u32)>,
    /// Whether it may stand for several objects.
    pub many: bool,
    /// What it is called.
    pub name: String,
}

impl Obj {
    /// Whether the program knows what its methods do.
    pub fn is_own(&self) -> bool {
        !self.class.library || self.class.hidden
    }
}

/// What a set is kept for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cell {
    Field(ObjId, u32, u32),
    Static(u32, u32),
    /// The elements of an array.
    Elements(ObjId),
    /// What an object of the library was given.
    Content(ObjId),
    /// What a thread runs.
    Target(ObjId),
}

impl Cell {
    pub fn field(object: ObjId, field: &Field) -> Cell {
        Cell::Field(object, field.class.id, field.index as u32)
    }

    pub fn of_static(field: &Field) -> Cell {
        Cell::Static(field.class.id, field.index as u32)
    }
}

/// A method in one place of the tree of calls.
pub(super) struct Context {
    pub method: &'static Method,
    /// The call that leads to it.
    pub caller: Option<(CtxId, u32)>,
    /// The thread, by its place.
    pub root: usize,
    /// What the first words of its local variables may be.
    pub params: Vec<SetId>,
    pub result: SetId,
    pub thrown: SetId,
    /// Whether it may run several times for one run of its caller.
    pub again: bool,
    /// Whether a handler around a call that leads here names exceptions that may happen anywhere.
    pub guarded: bool,
    /// Calls: instruction, method, receiver.
    pub children: BTreeMap<(u32, u32, ObjId), CtxId>,
    /// Who is to be looked at again if the result grows.
    callers: BTreeSet<CtxId>,
}

/// A thread.
pub(super) struct Root {
    /// Its object; none for that of `main`.
    pub object: Option<ObjId>,
    /// What it calls, one after the other or, in another thread than `main`, one of them.
    pub calls: Vec<CtxId>,
    /// Where it is started.
    pub starts: BTreeSet<(CtxId, u32)>,
    /// Whether there may be several at a time.
    pub many: bool,
}

/// The analysis, and what it finds.
pub(super) struct Points<'a> {
    pub program: &'a Program,
    pub worker: Worker,
    pub sets: Sets,
    pub objects: Vec<Obj>,
    made: FxHashMap<(CtxId, u32, u32), ObjId>,
    fixed: FxHashMap<(u8, u32, u32), ObjId>,
    pub contexts: Vec<Context>,
    /// Contexts by thread, method and receiver, once there are too many.
    merged: FxHashMap<(usize, u32, ObjId), CtxId>,
    pub roots: Vec<Root>,
    cells: FxHashMap<Cell, SetId>,
    readers: FxHashMap<Cell, BTreeSet<CtxId>>,
    work: VecDeque<CtxId>,
    queued: Vec<bool>,
    initialised: BTreeSet<u32>,
    /// Why a proof would be none.
    pub doubts: BTreeSet<String>,
    /// Why the program may end while threads are in the middle of something.
    pub cuts: BTreeSet<String>,
    /// What methods that the library calls throw, until it is handed on.
    pub raised: SetId,
    /// Whether streams use other threads.
    pub parallel: bool,
    /// Whether somebody interrupts threads.
    pub interrupts: bool,
    /// Whether somebody is told of exceptions that nobody catches.
    uncaught: bool,
    /// The classes of which there are objects.
    mirrors: FxHashMap<ObjId, &'static Class>,
    pub coarse: bool,
    loops: FxHashMap<u32, Vec<bool>>,
    /// Short names of classes, each for one of them.
    shorts: FxHashMap<String, u32>,
    /// The classes of exceptions that need not be declared.
    unchecked: Vec<&'static Class>,
    /// What is locked, given back or waited for at each such place.
    pub locked: FxHashMap<(CtxId, u32), SetId>,
    /// Threads that are joined: whoever does that waits for the object.
    pub joined: BTreeSet<ObjId>,
    /// Objects that stand for more locks than one can follow.
    pub loose: BTreeSet<ObjId>,
    /// The methods and fields whose calls and changes are events.
    pub noted: BTreeMap<u32, &'static Method>,
    pub changed: Vec<&'static Field>,
}

impl<'a> Points<'a> {
    pub fn new(program: &'a Program) -> Result<Points<'a>, String> {
        let worker =
            program.new_worker().map_err(|trap| crate::program::failed(trap).to_string())?;
        let object = program.vm.registry.class("java/lang/Object");
        let object = object.map_err(|error| format!("java.lang.Object: {error:?}"))?;
        let mut points = Points {
            program,
            worker,
            sets: Sets::new(),
            objects: Vec::new(),
            made: FxHashMap::default(),
            fixed: FxHashMap::default(),
            contexts: Vec::new(),
            merged: FxHashMap::default(),
            roots: Vec::new(),
            cells: FxHashMap::default(),
            readers: FxHashMap::default(),
            work: VecDeque::new(),
            queued: Vec::new(),
            initialised: BTreeSet::new(),
            doubts: BTreeSet::new(),
            cuts: BTreeSet::new(),
            raised: EMPTY,
            parallel: false,
            interrupts: false,
            uncaught: false,
            mirrors: FxHashMap::default(),
            shorts: FxHashMap::default(),
            unchecked: ["java/lang/RuntimeException", "java/lang/Error"]
                .iter()
                .filter_map(|name| program.vm.registry.class(name).ok())
                .collect(),
            locked: FxHashMap::default(),
            joined: BTreeSet::new(),
            loose: BTreeSet::new(),
            noted: BTreeMap::new(),
            changed: Vec::new(),
            coarse: false,
            loops: FxHashMap::default(),
        };
        for _ in [NULL, OPAQUE] {
            points.objects.push(Obj {
                class: object,
                exact: false,
                made: None,
                many: true,
                name: "an object of the library".to_owned(),
            });
        }
        Ok(points)
    }

    /// Looks at everything that `main` can reach; whether it was not stopped.
    pub fn run(&mut self, main: &'static Method, stop: &dyn Fn() -> bool) -> bool {
        self.roots.push(Root {
            object: None,
            calls: Vec::new(),
            starts: BTreeSet::new(),
            many: false,
        });
        self.initialise(main.class);
        let arguments = self.fixed_object(0, 0, main.class);
        self.grow(Cell::Elements(arguments), OPAQUE);
        let main = self.root_call(0, main, None);
        let set = self.sets.one(arguments);
        self.give(main, 0, set);
        while let Some(context) = self.work.pop_front() {
            if stop() {
                return false;
            }
            self.queued[context as usize] = false;
            self.visit(context);
        }
        self.count();
        self.find_loose();
        true
    }

    /// Where it is not known which of several objects is locked, none of them is followed as a lock.
    fn find_loose(&mut self) {
        self.loose.extend(&self.joined);
        let mut sets: Vec<SetId> = self.locked.values().copied().collect();
        for context in &self.contexts {
            if context.method.is(flags::SYNCHRONIZED) && !context.method.is_static() {
                sets.push(context.params[0]);
            }
        }
        for set in sets {
            let objects = self.sets.get(set).iter().copied().filter(|&object| object != NULL);
            if objects.clone().count() > 1 {
                self.loose.extend(objects);
            }
        }
    }

    /// Something is done with a lock.
    pub fn locks(&mut self, context: CtxId, pc: u32, objects: SetId) {
        let known = self.locked.get(&(context, pc)).copied().unwrap_or(EMPTY);
        let union = self.sets.union(known, objects);
        self.locked.insert((context, pc), union);
    }

    /// The lock of an object: its monitor, or that of java.util.concurrent which it is.
    pub fn lock_of(&self, object: ObjId, monitor: bool) -> Option<String> {
        let of = &self.objects[object as usize];
        if object <= OPAQUE || of.many || self.loose.contains(&object) {
            return None;
        }
        let registry = &self.program.vm.registry;
        // The library waits for these, and so gives their monitors back.
        let waits = ["java/io/Piped", "java/lang/Process"];
        let mut supertypes = of.class.supertypes.iter().map(|&id| registry.class_of(id));
        if monitor && supertypes.any(|of| waits.iter().any(|name| of.name.starts_with(name))) {
            return None;
        }
        let other = registry.class("java/util/concurrent/locks/ReentrantLock");
        let apart = monitor && other.is_ok_and(|other| of.class.is_subtype_of(other));
        Some(if apart { format!("{}.monitor", of.name) } else { of.name.clone() })
    }

    /// The initialiser of a class of the program runs before everything else.
    pub fn initialise(&mut self, class: &'static Class) {
        if class.library || class.file.is_none() || !self.initialised.insert(class.id) {
            return;
        }
        if let Some(first) = class.super_class {
            self.initialise(first);
        }
        for &id in &class.supertypes {
            self.initialise(self.program.vm.registry.class_of(id));
        }
        if let Some(initialiser) = class.linked().initialiser {
            self.root_call(0, initialiser, None);
        }
    }

    /// The class whose initialiser leads to a context, if it runs at some time of a run and not before it.
    pub fn initialising(&self, context: CtxId) -> Option<&'static Class> {
        let mut at = context;
        while let Some((caller, _)) = self.contexts[at as usize].caller {
            at = caller;
        }
        let of = &self.contexts[at as usize];
        let is_one = of.root == 0 && of.method.name.starts_with("<clinit>");
        (is_one && !self.is_first(of.method.class)).then_some(of.method.class)
    }

    /// Whether a class is initialised before `main` begins.
    pub fn is_first(&self, class: &Class) -> bool {
        let main = &self.program.main.class.supertypes;
        main.contains(&class.id) && !class.is_interface()
    }

    /// The class that an object of java.lang.Class is about, as far as that is known.
    pub fn mirrored(&self, object: ObjId) -> Option<&'static Class> {
        self.mirrors.get(&object).copied()
    }

    /// The enumeration of the program that a class is, or is a constant of.
    pub fn enumeration(&self, class: &'static Class) -> Option<&'static Class> {
        let is_enum = |class: &&'static Class| {
            !class.library && class.super_class.is_some_and(|of| &*of.name == "java/lang/Enum")
        };
        Some(class).filter(is_enum).or_else(|| class.super_class.filter(is_enum))
    }

    /// The constants of an enumeration.
    pub fn constants(&mut self, context: CtxId, class: &'static Class) -> SetId {
        self.initialise(class);
        let mut found = EMPTY;
        for field in &class.linked().fields {
            let constant = field.is(flags::STATIC) && field.is(flags::FINAL);
            if constant && field.kind.is_reference() {
                let set = self.read(context, Cell::of_static(field));
                let objects = &self.objects;
                let set =
                    self.sets.filter(set, |id| objects[id as usize].class.is_subtype_of(class));
                found = self.sets.union(found, set);
            }
        }
        found
    }

    /// A call that a thread begins with.
    pub fn root_call(
        &mut self,
        root: usize,
        method: &'static Method,
        receiver: Option<ObjId>,
    ) -> CtxId {
        let known = self.roots[root].calls.iter().copied().find(|&call| {
            let context = &self.contexts[call as usize];
            let first = context.params.first().copied().unwrap_or(EMPTY);
            context.method.id == method.id
                && receiver.is_none_or(|object| self.sets.get(first) == [object])
        });
        if let Some(known) = known {
            return known;
        }
        let context = self.new_context(method, None, root);
        self.roots[root].calls.push(context);
        if let Some(object) = receiver {
            let set = self.sets.one(object);
            self.give(context, 0, set);
        }
        context
    }

    fn new_context(
        &mut self,
        method: &'static Method,
        caller: Option<(CtxId, u32)>,
        root: usize,
    ) -> CtxId {
        let context = self.contexts.len() as CtxId;
        self.contexts.push(Context {
            method,
            caller,
            root,
            params: vec![EMPTY; method.words],
            result: EMPTY,
            thrown: EMPTY,
            again: false,
            guarded: false,
            children: BTreeMap::new(),
            callers: BTreeSet::new(),
        });
        self.queued.push(false);
        self.enqueue(context);
        context
    }

    fn enqueue(&mut self, context: CtxId) {
        if !std::mem::replace(&mut self.queued[context as usize], true) {
            self.work.push_back(context);
        }
    }

    /// The context of a call.
    pub fn child(
        &mut self,
        context: CtxId,
        pc: u32,
        method: &'static Method,
        receiver: ObjId,
    ) -> CtxId {
        let key = (pc, method.id, receiver);
        let guarded = self.expects(context, pc);
        if let Some(&known) = self.contexts[context as usize].children.get(&key) {
            self.guard(known, guarded);
            return known;
        }
        let root = self.contexts[context as usize].root;
        self.coarse |= self.contexts.len() > MOST_CONTEXTS;
        let child = match self.around(context, method, receiver) {
            Some(again) => {
                self.contexts[again as usize].again = true;
                again
            }
            None if self.coarse => {
                let known = self.merged.get(&(root, method.id, receiver)).copied();
                match known {
                    Some(known) => {
                        self.contexts[known as usize].again = true;
                        known
                    }
                    None => {
                        let made = self.new_context(method, Some((context, pc)), root);
                        self.merged.insert((root, method.id, receiver), made);
                        made
                    }
                }
            }
            None => self.new_context(method, Some((context, pc)), root),
        };
        self.contexts[context as usize].children.insert(key, child);
        self.contexts[child as usize].callers.insert(context);
        self.guard(child, guarded);
        child
    }

    /// Exceptions in a context may be caught further out.
    pub fn guard(&mut self, context: CtxId, guarded: bool) {
        if guarded && !std::mem::replace(&mut self.contexts[context as usize].guarded, true) {
            self.enqueue(context);
        }
    }

    /// Whether exceptions in a context may be caught further out, or told of.
    pub fn is_guarded(&self, context: CtxId) -> bool {
        self.uncaught || self.contexts[context as usize].guarded
    }

    /// Whether somebody names exceptions that may happen at any instruction of the program or of the library: a handler
    /// there, or one around a call that leads there.
    pub fn expects(&self, context: CtxId, pc: u32) -> bool {
        let of = &self.contexts[context as usize];
        if of.guarded || self.uncaught {
            return true;
        }
        let Ok(code) = of.method.code() else { return false };
        let registry = &self.program.vm.registry;
        let mut around = code.handlers.iter().filter(|h| (h.start..h.end).contains(&pc));
        around.any(|handler| {
            let by = match handler.class {
                0 => return false,
                by => of.method.class.class_at(registry, by),
            };
            by.is_ok_and(|by| {
                self.unchecked.iter().any(|of| of.is_subtype_of(by) || by.is_subtype_of(of))
            })
        })
    }

    /// The exceptions that may happen anywhere.
    pub fn anything(&mut self) -> SetId {
        let classes = self.unchecked.clone();
        let objects: Vec<ObjId> =
            classes.into_iter().map(|class| self.fixed_object(UNCHECKED, 0, class)).collect();
        self.sets.intern(objects)
    }

    /// The errors among them.
    pub fn errors(&mut self) -> SetId {
        let classes: Vec<_> =
            self.unchecked.iter().filter(|of| &*of.name == "java/lang/Error").copied().collect();
        let objects: Vec<ObjId> =
            classes.into_iter().map(|class| self.fixed_object(UNCHECKED, 0, class)).collect();
        self.sets.intern(objects)
    }

    /// Whether an object stands for what may happen anywhere.
    pub fn is_unchecked(&self, object: ObjId) -> bool {
        let key = |class: &&'static Class| (UNCHECKED, 0, class.id);
        self.unchecked.iter().any(|class| self.fixed.get(&key(class)) == Some(&object))
    }

    /// The context of a call that is going on already: recursion.
    pub fn around(&self, context: CtxId, method: &Method, receiver: ObjId) -> Option<CtxId> {
        let (mut at, mut depth, mut nearest, mut count) = (Some(context), 0, None, 0);
        while let Some(current) = at {
            let of = &self.contexts[current as usize];
            if of.method.id == method.id {
                let first = of.params.first().copied().unwrap_or(EMPTY);
                if method.is_static() || self.sets.get(first) == [receiver] {
                    return Some(current);
                }
                nearest = nearest.or(Some(current));
                count += 1;
            }
            depth += 1;
            at = of.caller.map(|(caller, _)| caller);
        }
        nearest.filter(|_| count >= 2 || depth > DEEPEST)
    }

    /// Lets a parameter of a context be these objects, too.
    pub fn give(&mut self, context: CtxId, word: usize, set: SetId) {
        let Some(&known) = self.contexts[context as usize].params.get(word) else { return };
        let union = self.sets.union(known, set);
        if union != known {
            self.contexts[context as usize].params[word] = union;
            self.enqueue(context);
        }
    }

    pub fn give_result(&mut self, context: CtxId, set: SetId) {
        let known = self.contexts[context as usize].result;
        let union = self.sets.union(known, set);
        if union != known {
            self.contexts[context as usize].result = union;
            self.tell_callers(context);
        }
    }

    pub fn give_thrown(&mut self, context: CtxId, set: SetId) {
        let known = self.contexts[context as usize].thrown;
        let union = self.sets.union(known, set);
        if union != known {
            self.contexts[context as usize].thrown = union;
            self.tell_callers(context);
        }
    }

    fn tell_callers(&mut self, context: CtxId) {
        for caller in self.contexts[context as usize].callers.clone() {
            self.enqueue(caller);
        }
    }

    /// What a cell has, for a context that reads it.
    pub fn read(&mut self, context: CtxId, cell: Cell) -> SetId {
        self.readers.entry(cell).or_default().insert(context);
        self.cells.get(&cell).copied().unwrap_or(EMPTY)
    }

    /// What a cell has in the end.
    pub fn cell(&self, cell: Cell) -> SetId {
        self.cells.get(&cell).copied().unwrap_or(EMPTY)
    }

    pub fn grow_by(&mut self, cell: Cell, set: SetId) {
        let known = self.cells.get(&cell).copied().unwrap_or(EMPTY);
        let union = self.sets.union(known, set);
        if union != known {
            self.cells.insert(cell, union);
            for reader in self.readers.get(&cell).cloned().unwrap_or_default() {
                self.enqueue(reader);
            }
        }
    }

    pub fn grow(&mut self, cell: Cell, object: ObjId) {
        let set = self.sets.one(object);
        self.grow_by(cell, set);
    }

    /// The object that an instruction makes.
    pub fn object_at(
        &mut self,
        context: CtxId,
        pc: u32,
        class: &'static Class,
        exact: bool,
    ) -> ObjId {
        let context = match self.coarse {
            true => self.site_of(context, pc, class),
            false => context,
        };
        let key = (context, pc, class.id);
        if let Some(&known) = self.made.get(&key) {
            return known;
        }
        let id = self.objects.len() as ObjId;
        let made = Some((context, pc));
        self.objects.push(Obj { class, exact, made, many: false, name: String::new() });
        self.made.insert(key, id);
        id
    }

    /// Once calls are no longer told apart, neither are the objects that they make.
    fn site_of(&mut self, context: CtxId, pc: u32, class: &'static Class) -> CtxId {
        if self.made.contains_key(&(context, pc, class.id)) {
            return context;
        }
        let key = (usize::MAX, self.contexts[context as usize].method.id, pc);
        let first = *self.merged.entry(key).or_insert(context);
        if first != context {
            self.contexts[first as usize].again = true;
        }
        first
    }

    /// An object of which there is always one: by kind and number.
    pub fn fixed_object(&mut self, kind: u8, number: u32, class: &'static Class) -> ObjId {
        if let Some(&known) = self.fixed.get(&(kind, number, class.id)) {
            return known;
        }
        let id = self.objects.len() as ObjId;
        let name = match kind {
            MIRROR => format!("{}.class", self.class_name(class)),
            _ => format!("{}@{number}", simple(class)),
        };
        self.objects.push(Obj { class, exact: false, made: None, many: kind != MIRROR, name });
        self.fixed.insert((kind, number, class.id), id);
        if kind == MIRROR {
            self.mirrors.insert(id, class);
        }
        id
    }

    /// An exception of a class that the library throws.
    pub fn exception(&mut self, class: &'static Class) -> ObjId {
        self.fixed_object(EXCEPTION, 0, class)
    }

    /// Streams use other threads: whoever uses them is looked at again.
    pub fn parallel_streams(&mut self) {
        if !std::mem::replace(&mut self.parallel, true) {
            (0..self.contexts.len() as CtxId).for_each(|context| self.enqueue(context));
        }
    }

    /// A name for a class that no other class has: a short one if that is not taken.
    pub fn class_name(&mut self, class: &'static Class) -> String {
        let short = simple(class);
        match *self.shorts.entry(short.clone()).or_insert(class.id) == class.id {
            true => short,
            false => class.java_name(),
        }
    }

    /// Somebody interrupts threads: whoever can be interrupted is looked at again.
    pub fn interrupted(&mut self) {
        if !std::mem::replace(&mut self.interrupts, true) {
            (0..self.contexts.len() as CtxId).for_each(|context| self.enqueue(context));
        }
    }

    /// Somebody is told of exceptions that nobody catches: they may happen anywhere.
    pub fn handled(&mut self) {
        if !std::mem::replace(&mut self.uncaught, true) {
            (0..self.contexts.len() as CtxId).for_each(|context| self.enqueue(context));
        }
    }

    /// Whether an instruction of a method may run again in one call of it.
    pub fn in_loop(&mut self, method: &'static Method, pc: u32) -> bool {
        let loops = self.loops.entry(method.id).or_insert_with(|| match method.code() {
            Ok(code) => super::body::in_cycles(code),
            Err(_) => Vec::new(),
        });
        loops.get(pc as usize).copied().unwrap_or(false)
    }

    /// Finds out which objects and threads there may be several of.
    fn count(&mut self) {
        loop {
            let mut changed = false;
            let mut again: Vec<bool> = Vec::with_capacity(self.contexts.len());
            // Callers come before what they call.
            for index in 0..self.contexts.len() {
                let (method_again, caller, root) = {
                    let context = &self.contexts[index];
                    (context.again, context.caller, context.root)
                };
                let outside = match caller {
                    Some((caller, pc)) => {
                        let method = self.contexts[caller as usize].method;
                        again[caller as usize] || self.in_loop(method, pc)
                    }
                    None => self.roots[root].many,
                };
                again.push(method_again || outside);
            }
            for index in 0..self.objects.len() {
                let Some((context, pc)) = self.objects[index].made else { continue };
                let method = self.contexts[context as usize].method;
                let many = again[context as usize] || self.in_loop(method, pc);
                changed |= many && !self.objects[index].many;
                self.objects[index].many |= many;
            }
            for index in 1..self.roots.len() {
                let starts: Vec<(CtxId, u32)> = self.roots[index].starts.iter().copied().collect();
                let mut many = starts.len() > 1;
                many |= self.roots[index].object.is_some_and(|o| self.objects[o as usize].many);
                for (context, pc) in starts {
                    let method = self.contexts[context as usize].method;
                    many |= again[context as usize] || self.in_loop(method, pc);
                }
                changed |= many && !self.roots[index].many;
                self.roots[index].many |= many;
            }
            if !changed {
                return;
            }
        }
    }

    /// The only object of a set, if it stands for one object; `null` does not count.
    pub fn only(&self, set: SetId) -> Option<ObjId> {
        let mut objects = self.sets.get(set).iter().copied().filter(|&object| object != NULL);
        let object = objects.next()?;
        (objects.next().is_none() && !self.objects[object as usize].many).then_some(object)
    }
}

/// The object of java.lang.Class of a class.
pub(super) const MIRROR: u8 = 1;
/// What a static field of the library refers to.
pub(super) const LIBRARY_FIELD: u8 = 2;

/// An exception of the library.
const EXCEPTION: u8 = 3;

/// An exception that may happen anywhere.
const UNCHECKED: u8 = 4;

/// The name of a class without its package and the classes around it.
pub(super) fn simple(class: &Class) -> String {
    let name = class.java_name();
    let name = name.rsplit('.').next().unwrap_or(&name);
    match name.rsplit_once('$') {
        // A class without a name has a number.
        Some((_, inner))
            if !inner.starts_with(|c: char| c.is_ascii_digit()) && !inner.is_empty() =>
        {
            inner.to_owned()
        }
        _ => name.to_owned(),
    }
}

/// The names by which rules know a method, called on an object of a class: that of a class or interface stands for
/// what replaces the method, too.
pub(super) fn method_names(
    registry: &Registry,
    method: &Method,
    on: Option<&'static Class>,
) -> Vec<String> {
    let mut names = vec![method.name.to_string()];
    let supertypes = method.class.supertypes.iter().map(|&id| registry.class_of(id));
    let own = std::iter::once(method.class).filter(|class| class.supertypes.is_empty());
    for class in own.chain(supertypes).chain(on) {
        names.push(format!("{}.{}", simple(class), method.name));
        names.push(format!("{}.{}", class.java_name(), method.name));
    }
    names
}
