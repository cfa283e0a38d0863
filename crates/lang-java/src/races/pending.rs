//! What the next instruction of a thread does to memory without any synchronisation, and on whose behalf.

use std::ops::Range;

use crate::classfile::flags;
use crate::code::op;
use crate::describe::Call;
use crate::link::{Class, Field, Method};
use crate::vm::{OWN_CLASS, Status, Worker, header};

/// A piece of memory.
#[derive(Clone)]
pub(crate) enum Cell {
    /// A static field.
    Static(&'static Field),
    /// A field of an object.
    Field(u32, &'static Field),
    /// Elements of an array.
    Elements(u32, Range<u32>),
}

impl Cell {
    fn overlaps(&self, other: &Cell) -> bool {
        match (self, other) {
            (Cell::Static(a), Cell::Static(b)) => std::ptr::eq(*a, *b),
            (Cell::Field(o, a), Cell::Field(p, b)) => o == p && std::ptr::eq(*a, *b),
            (Cell::Elements(o, a), Cell::Elements(p, b)) => {
                o == p && a.start.max(b.start) < a.end.min(b.end)
            }
            _ => false,
        }
    }
}

/// One plain access.
#[derive(Clone)]
pub(crate) struct Plain {
    pub cell: Cell,
    pub write: bool,
}

/// What a thread is about to do to memory.
#[derive(Clone)]
pub(crate) struct Pending {
    /// The accesses of the instruction; copying from one array to another are two.
    pub accesses: Vec<Plain>,
    /// Where the program does it: method and instruction.
    pub site: (u32, u32),
    /// The method of the library that the program called for it.
    pub through: Option<Through>,
}

/// A call of the library by the program.
#[derive(Clone, Copy)]
pub(crate) struct Through {
    /// The class of the object whose method it is, or of the method.
    pub class: &'static Class,
    /// The object, 0 if there is none.
    pub object: u32,
    pub method: &'static Method,
}

impl Pending {
    /// An access of each of two threads that are not allowed at the same time.
    pub fn conflict<'a>(&'a self, other: &'a Pending) -> Option<(&'a Plain, &'a Plain)> {
        self.accesses.iter().find_map(|one| {
            let clash = |two: &&Plain| (one.write || two.write) && one.cell.overlaps(&two.cell);
            Some((one, other.accesses.iter().find(clash)?))
        })
    }
}

/// Fields in which collections keep views that they make when first asked, and dates what they computed:
/// whoever loses such a race makes an equal object.
pub(super) const CACHES: [&str; 6] =
    ["keySet", "values", "entrySet", "navigableKeySet", "descendingMap", "cdate"];

/// Classes of java.util that several threads may use at a time, or that never change.
const SAFE: [&str; 18] = [
    "Vector",
    "Hashtable",
    "Stack",
    "Properties",
    "Random",
    "SplittableRandom",
    "Timer",
    "TimerTask",
    "TimerThread",
    "TaskQueue",
    "Observable",
    "Locale",
    "ResourceBundle",
    "TimeZone",
    "Currency",
    "ServiceLoader",
    "ImmutableCollections",
    "UUID",
];

/// Whether the objects of a class of the library belong to one thread at a time by its documentation.
pub(super) fn is_unsafe_library(class: &Class) -> bool {
    if let Some(name) = class.name.strip_prefix("java/util/") {
        let outer = name.split('$').next().unwrap_or(name);
        return match outer.contains('/') {
            true => outer == "regex/Matcher",
            false => !SAFE.contains(&outer),
        };
    }
    matches!(&*class.name, "java/lang/AbstractStringBuilder" | "java/lang/StringBuilder")
        || crate::peers::is_buffer(class)
        || class.name.starts_with("java/text/")
}

/// Whether a class is the user's.
pub(super) fn is_of_program(class: &Class) -> bool {
    !class.library && !class.hidden && &*class.name != OWN_CLASS
}

/// Whether a method belongs to code that takes care of its own synchronisation.
pub(super) fn is_concurrent_library(class: &Class) -> bool {
    class.library && class.name.starts_with("java/util/concurrent/")
}

/// Who makes the access that a thread stands before.
pub(super) struct Site {
    /// Its calls.
    calls: Vec<Call>,
    /// The innermost one of the program.
    program: usize,
    /// Of arrays only those count that the program handed over in that call.
    only_handed: bool,
}

/// Whether a method reads or writes an element of an array for the program.
fn is_reflected_element(method: &Method) -> bool {
    let reads = method.name.starts_with("get") && &*method.name != "getLength";
    &*method.class.name == "java/lang/reflect/Array" && (reads || method.name.starts_with("set"))
}

impl Worker {
    /// Where a thread stands before an access to memory without synchronisation; which memory that is
    /// does not matter. Equal contents of threads give equal answers.
    ///
    /// Not counted is what the library does on its own account, and what it does in methods that
    /// several threads may call at a time.
    pub(super) fn site(&self, thread: usize) -> Option<Site> {
        // Whoever waited for a class goes on with the access itself.
        let stands = matches!(self.status(thread), Status::Ready | Status::Class);
        if !stands || self.is_suspended(thread) || self.thread(thread, header::ATOMIC) > 0 {
            return None;
        }
        let calls = self.calls(thread);
        let top = calls.last()?;
        let insn = top.insn()?;
        let library = !top.is_program();
        // What the program says by a method handle is its own, and an array that it hands over stays its own.
        let only_handed = library && !is_unsafe_library(top.method.class);
        match insn.op {
            op::GETSTATIC | op::PUTSTATIC | op::GETFIELD | op::PUTFIELD => {
                let field = self.plain_field(top)?;
                let of_program = top.method.class.hidden && is_of_program(field.class);
                let cache = field.is(flags::STATIC) || CACHES.contains(&&*field.name);
                if library && !of_program && (cache || only_handed) {
                    return None;
                }
            }
            op::IALOAD..=op::SALOAD | op::IASTORE..=op::SASTORE => {}
            op::INVOKESTATIC | op::INVOKEVIRTUAL => {
                let method = top.method.class.method_at(&self.vm.registry, insn.a).ok()?;
                if !matches!(&*method.name, "arraycopy" | "clone") && !is_reflected_element(method)
                {
                    return None;
                }
            }
            _ => return None,
        }
        let program = calls.iter().rposition(Call::is_program)?;
        let mut between = calls[program + 1..].iter();
        let takes_care = |call: &Call| call.is_own() || is_concurrent_library(call.method.class);
        (!between.any(takes_care)).then_some(Site { calls, program, only_handed })
    }

    /// What a thread is about to do to memory without synchronisation.
    pub(super) fn pending(&self, thread: usize) -> Option<Pending> {
        let Site { calls, program, only_handed } = self.site(thread)?;
        let mut accesses = self.plain_accesses(calls.last()?)?;
        if only_handed {
            let handed = calls.get(program + 1).map_or(&[][..], |call| &call.words);
            accesses.retain(|plain| match plain.cell {
                Cell::Elements(array, _) => handed.contains(&array),
                _ => true,
            });
            if accesses.is_empty() {
                return None;
            }
        }
        let site = (calls[program].method.id, calls[program].pc);
        let called = calls[program + 1..].iter().find(|call| !call.method.class.hidden);
        let through = called.map(|called| {
            let method = called.method;
            match called.words.first() {
                Some(&object) if object != 0 && !method.is_static() => {
                    Through { class: self.class_of(object), object, method }
                }
                _ => Through { class: method.class, object: 0, method },
            }
        });
        let pending = Pending { accesses, site, through };
        self.can_access(thread, &pending).then_some(pending)
    }

    /// The field that the instruction of a frame is about, unless it is volatile or never changes.
    fn plain_field(&self, call: &Call) -> Option<&'static Field> {
        let field = call.method.class.field_at(&self.vm.registry, call.insn()?.a).ok()?;
        let plain = !field.is(flags::VOLATILE) && !field.is(flags::FINAL) && !field.quiet;
        plain.then_some(field)
    }

    /// What the instruction that a frame stands before reads and writes.
    fn plain_accesses(&self, call: &Call) -> Option<Vec<Plain>> {
        let insn = call.insn()?;
        let class = call.method.class;
        let field = || self.plain_field(call);
        let elements = |array: u32, from: u32, count: u32, write| {
            let inside = array != 0
                && from.checked_add(count).is_some_and(|end| end <= self.array_length(array));
            inside.then(|| Plain { cell: Cell::Elements(array, from..from + count), write })
        };
        let element = |array, index, write| Some(vec![elements(array, index, 1, write)?]);
        match insn.op {
            op::GETSTATIC | op::PUTSTATIC => {
                let write = insn.op == op::PUTSTATIC;
                Some(vec![Plain { cell: Cell::Static(field()?), write }])
            }
            op::GETFIELD | op::PUTFIELD => {
                let (field, write) = (field()?, insn.op == op::PUTFIELD);
                let below = if write { 1 + field.kind.words() } else { 1 };
                let object = call.peek(below).filter(|&object| object != 0)?;
                Some(vec![Plain { cell: Cell::Field(object, field), write }])
            }
            op::IALOAD..=op::SALOAD => element(call.peek(2)?, call.peek(1)?, false),
            op::LASTORE | op::DASTORE => element(call.peek(4)?, call.peek(3)?, true),
            op::IASTORE..=op::SASTORE => element(call.peek(3)?, call.peek(2)?, true),
            op::INVOKESTATIC => {
                let method = class.method_at(&self.vm.registry, insn.a).ok()?;
                if is_reflected_element(method) {
                    let below = method.words;
                    let write = method.name.starts_with("set");
                    return element(call.peek(below)?, call.peek(below - 1)?, write);
                }
                if (&*method.class.name, &*method.name) != ("java/lang/System", "arraycopy") {
                    return None;
                }
                let [count, to, target, from, source] =
                    [1, 2, 3, 4, 5].map(|below| call.peek(below).unwrap_or(0));
                let is_array = |array: u32| array != 0 && self.class_of(array).element().is_some();
                if !is_array(source) || !is_array(target) {
                    return None;
                }
                Some(vec![
                    elements(source, from, count, false)?,
                    elements(target, to, count, true)?,
                ])
            }
            op::INVOKEVIRTUAL => {
                let method = class.method_at(&self.vm.registry, insn.a).ok()?;
                let array = call.peek(1).filter(|_| &*method.name == "clone" && method.words == 1);
                let array = array.filter(|&array| array != 0)?;
                self.class_of(array).element()?;
                Some(vec![elements(array, 0, self.array_length(array), false)?])
            }
            _ => None,
        }
    }

    /// Whether a thread can make the access that it stands before: its class is there.
    fn can_access(&self, thread: usize, pending: &Pending) -> bool {
        pending.accesses.iter().all(|plain| match plain.cell {
            Cell::Static(field) => {
                let class = field.class.id;
                !self.heap.statics(&self.vm.base, class).is_none()
                    && !self.is_being_initialised(class, thread)
            }
            _ => true,
        })
    }
}
