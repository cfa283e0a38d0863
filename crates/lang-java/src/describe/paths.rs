//! Names of the objects of a state: how a person gets to them. What static fields lead to is named by
//! the way there, what only threads reach by the thread's name or by its class and a number.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::values::{field_name, simple_name};
use crate::classfile::flags;
use crate::heap::BASE;
use crate::link::{Class, Field};
use crate::vm::{Worker, header};

/// Elements of an array that are followed.
const ELEMENTS: u32 = 64;
/// The longest way.
const LONGEST: usize = 6;

/// Numbers of objects that have no better name, which they keep along a run.
#[derive(Clone, Default)]
pub(crate) struct Marks {
    /// By the reference to the object.
    names: FxHashMap<u32, String>,
    /// How many of each class have one.
    counts: FxHashMap<u32, u32>,
}

impl Marks {
    fn of(&mut self, object: u32, class: &Class) -> String {
        let Marks { names, counts } = self;
        names
            .entry(object)
            .or_insert_with(|| {
                let count = counts.entry(class.id).or_insert(0);
                *count += 1;
                format!("{}#{count}", simple_name(class))
            })
            .clone()
    }

    /// The same marks for a state that was just written, in which objects have other numbers.
    pub fn after(&mut self, worker: &Worker) {
        let old = std::mem::take(&mut self.names);
        let now = old.into_iter().filter_map(|(object, name)| {
            worker.number_in_vector(object).map(|number| (number, name))
        });
        self.names = now.collect();
    }
}

/// The names of the objects of one state.
pub(crate) struct Paths {
    /// By the reference to the object.
    names: FxHashMap<u32, String>,
    /// Objects of the program in the order in which they were named.
    pub order: Vec<u32>,
}

impl Paths {
    /// Finds the names of everything that the program made.
    pub fn of(worker: &Worker, marks: &mut Marks) -> Paths {
        let objects = worker.heap.in_order();
        let mut paths = Paths { names: FxHashMap::default(), order: Vec::new() };
        let mut open = VecDeque::new();
        for class in program_classes(worker) {
            let place = worker.heap.statics(&worker.vm.base, class.id);
            for field in static_fields(class).filter(|field| field.kind.is_reference()) {
                let object = worker.heap.word(&worker.vm.dictionary, place, field.slot);
                let name = format!("{}.{}", simple_name(class), field.name);
                paths.give(&mut open, object, name, 0);
            }
        }
        paths.follow(worker, &mut open);
        for thread in (0..worker.threads.len()).filter(|&thread| worker.is_alive(thread)) {
            let object = worker.thread(thread, header::OBJECT);
            paths.give(&mut open, object, worker.thread_name(thread), 0);
        }
        paths.follow(worker, &mut open);
        // Threads that have not begun, or have ended.
        for &object in &objects {
            if !paths.names.contains_key(&object)
                && let Some(name) = worker.name_of_thread(object)
            {
                paths.give(&mut open, object, name, 0);
            }
        }
        paths.follow(worker, &mut open);
        for &object in &objects {
            let class = worker.class_of(object);
            let lock = || &*class.name == "java/lang/Object" || class.name.contains("Sync");
            if (class.library && !lock()) || class.hidden || paths.names.contains_key(&object) {
                continue;
            }
            paths.give(&mut open, object, marks.of(object, class), 0);
            paths.follow(worker, &mut open);
        }
        paths
    }

    fn give(
        &mut self,
        open: &mut VecDeque<(u32, usize)>,
        object: u32,
        name: String,
        length: usize,
    ) {
        if object == 0 || object & BASE != 0 || length > LONGEST {
            return;
        }
        if let Entry::Vacant(entry) = self.names.entry(object) {
            entry.insert(name);
            self.order.push(object);
            open.push_back((object, length));
        }
    }

    fn follow(&mut self, worker: &Worker, open: &mut VecDeque<(u32, usize)>) {
        while let Some((object, length)) = open.pop_front() {
            let Some(name) = self.known(object).map(str::to_owned) else { continue };
            let class = worker.class_of(object);
            if class.has_reference_elements() {
                let place = worker.heap.place(&worker.vm.base, object);
                for index in 0..worker.array_length(object).min(ELEMENTS) {
                    let element = worker.load_word(place, index);
                    self.give(open, element, format!("{name}[{index}]"), length + 1);
                }
            } else if class.library {
                self.inside_library(worker, open, (object, class), &name, length);
            } else if !class.hidden {
                for field in fields_of(class).filter(|field| field.kind.is_reference()) {
                    if field.name.starts_with("this$") {
                        continue;
                    }
                    let target = worker.get(object, field.slot);
                    let name = format!("{name}.{}", field_name(field));
                    self.give(open, target, name, length + 1);
                }
            }
        }
    }

    /// What objects of the library hold for the program: references, elements, the part of a lock that
    /// threads wait for.
    fn inside_library(
        &mut self,
        worker: &Worker,
        open: &mut VecDeque<(u32, usize)>,
        (object, class): (u32, &'static Class),
        name: &str,
        length: usize,
    ) {
        if let Some(field) = class.field("sync") {
            self.give(open, worker.get(object, field.slot), name.to_owned(), length);
        }
        let held = match &*class.name {
            "java/util/concurrent/atomic/AtomicReference" => class.field("value"),
            "java/util/ArrayList" => class.field("elementData"),
            _ => None,
        };
        if let Some(field) = held {
            let suffix = if class.name.ends_with("Reference") { ".get()" } else { "" };
            let target = worker.get(object, field.slot);
            self.give(open, target, format!("{name}{suffix}"), length + 1);
        }
    }

    /// The name of an object, if there is a way to it.
    pub fn known(&self, object: u32) -> Option<&str> {
        if object == 0 || object & BASE != 0 {
            return None;
        }
        self.names.get(&object).map(String::as_str)
    }

    /// What an object is called in a sentence.
    pub fn name(&self, worker: &Worker, object: u32) -> String {
        if object == 0 {
            return "null".to_owned();
        }
        let class = worker.class_of(object);
        if &*class.name == "java/lang/Class" {
            return format!("{}.class", simple_name(worker.mirrored(object)));
        }
        if let Some(name) = self.known(object) {
            return name.to_owned();
        }
        if object & BASE != 0 {
            return simple_name(class);
        }
        let earlier = worker.heap.references.iter().filter(|&&other| other < object);
        let unnamed = earlier
            .filter(|&&other| worker.class_of(other) == class && !self.names.contains_key(&other));
        let before = unnamed.count();
        format!("{}#{}", simple_name(class), before + 1)
    }
}

/// The classes of the program that the state knows, by name.
pub(crate) fn program_classes(worker: &Worker) -> Vec<&'static Class> {
    let known = worker.heap.known.iter().map(|&id| worker.vm.registry.class_of(id));
    let mut classes: Vec<&'static Class> =
        known.filter(|class| !class.library && !class.hidden).collect();
    classes.sort_by(|a, b| a.name.cmp(&b.name));
    classes
}

/// The static fields that a person wrote.
pub(crate) fn static_fields(class: &'static Class) -> impl Iterator<Item = &'static Field> {
    let fields = class.linked().fields.iter().copied();
    fields.filter(|field| field.is(flags::STATIC) && !field.name.starts_with('$'))
}

/// The fields of an instance that are declared in the program, those of the class itself first.
pub(crate) fn fields_of(class: &'static Class) -> impl Iterator<Item = &'static Field> {
    let classes = std::iter::successors(Some(class), |class| class.super_class);
    classes
        .take_while(|class| !class.library)
        .flat_map(|class| class.linked().fields.iter().copied())
        .filter(|field| !field.is(flags::STATIC))
}
