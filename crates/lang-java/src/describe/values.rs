//! The values of fields and variables, as a person reads them.

use everypath_model::Value;

use super::paths::{Paths, fields_of, program_classes, static_fields};
use crate::code::Variable;
use crate::link::{Class, Field, Kind};
use crate::vm::Worker;

/// Elements of an array or a list that are told.
const ELEMENTS: u32 = 16;
/// Fields of an object that are told where it is a value.
const PARTS: usize = 3;
/// How deep values are looked into.
const DEPTH: u32 = 2;
/// Objects whose fields are told.
const OBJECTS: usize = 1_000;
/// Characters of a string that are told.
const LONGEST: usize = 60;

/// The name of a class without its package and the classes around it.
pub(crate) fn simple_name(class: &Class) -> String {
    if class.hidden {
        return "lambda".to_owned();
    }
    let name = class.java_name();
    let last = name.rsplit('.').next().unwrap_or(&name);
    match last.rsplit_once('$') {
        Some((_, inner)) if inner.starts_with(|c: char| c.is_alphabetic()) => inner.to_owned(),
        _ => last.to_owned(),
    }
}

/// The name of a field; that of the variable for what the compiler captured.
pub(crate) fn field_name(field: &Field) -> &str {
    field.name.strip_prefix("val$").unwrap_or(&field.name)
}

impl Worker {
    /// Static fields of the program's classes, fields of its objects, variables of its threads.
    pub(crate) fn values(&self, paths: &Paths) -> Vec<(String, Value)> {
        let mut values = Vec::new();
        for class in program_classes(self) {
            for field in static_fields(class) {
                let name = format!("{}.{}", simple_name(class), field.name);
                values.push((name, self.static_value(field)));
            }
        }
        for &object in paths.order.iter().take(OBJECTS) {
            let class = self.class_of(object);
            if class.library || class.hidden || class.element().is_some() {
                continue;
            }
            let Some(name) = paths.known(object) else { continue };
            for field in fields_of(class).filter(|field| !field.name.starts_with("this$")) {
                let name = format!("{name}.{}", field_name(field));
                values.push((name, self.field_value(object, field)));
            }
        }
        for thread in (0..self.threads.len()).filter(|&thread| self.is_alive(thread)) {
            let title = self.thread_name(thread);
            for (name, value) in self.variables(thread) {
                let name = format!("{title}.{name}");
                if !values.iter().any(|(known, _)| *known == name) {
                    values.push((name, value));
                }
            }
        }
        values
    }

    /// The value of a static field.
    pub(crate) fn static_value(&self, field: &Field) -> Value {
        let place = self.heap.statics(&self.vm.base, field.class.id);
        let word = |index| self.heap.word(&self.vm.dictionary, place, field.slot + index);
        let high = if field.wide() { u64::from(word(1)) << 32 } else { 0 };
        self.value(&field.descriptor, u64::from(word(0)) | high, DEPTH)
    }

    /// The value of a field of an object.
    pub(crate) fn field_value(&self, object: u32, field: &Field) -> Value {
        self.value(&field.descriptor, self.bits(object, field), DEPTH)
    }

    fn bits(&self, object: u32, field: &Field) -> u64 {
        match field.wide() {
            true => self.get_long(object, field.slot),
            false => u64::from(self.get(object, field.slot)),
        }
    }

    /// The value of an element of an array.
    pub(crate) fn element_value(&self, array: u32, index: u32) -> Value {
        self.element_at(array, index, DEPTH)
    }

    fn element_at(&self, array: u32, index: u32, depth: u32) -> Value {
        let place = self.heap.place(&self.vm.base, array);
        let Kind::Array(element) = self.class_of(array).kind else { return nothing() };
        let kind = match element.kind {
            Kind::Primitive(kind) => kind,
            _ => return self.reference(self.load_word(place, index), depth),
        };
        let bits = match kind {
            b'Z' | b'B' => self.load_byte(place, index) as i8 as u64,
            b'C' => u64::from(self.load_short(place, index)),
            b'S' => self.load_short(place, index) as i16 as u64,
            b'J' | b'D' => {
                let low = u64::from(self.load_word(place, 2 * index));
                low | u64::from(self.load_word(place, 2 * index + 1)) << 32
            }
            _ => u64::from(self.load_word(place, index)),
        };
        primitive(kind, bits)
    }

    /// A value of the type that a descriptor tells.
    pub(crate) fn value(&self, descriptor: &str, bits: u64, depth: u32) -> Value {
        match descriptor.as_bytes()[0] {
            b'L' | b'[' => self.reference(bits as u32, depth),
            kind => primitive(kind, bits),
        }
    }

    /// An object as a value: by what is in it.
    pub(crate) fn reference(&self, object: u32, depth: u32) -> Value {
        if object == 0 {
            return nothing();
        }
        let class = self.class_of(object);
        let field = |name: &str| class.field(name);
        let of = |name: &str| match field(name) {
            Some(field) => self.value(&field.descriptor, self.bits(object, field), depth),
            None => nothing(),
        };
        match &*class.name {
            "java/lang/String" => {
                let text = self.text_of(object).unwrap_or_default();
                let short: String = text.chars().take(LONGEST).collect();
                let more = if short.len() < text.len() { "..." } else { "" };
                return Value::Name(format!("{:?}", short + more));
            }
            "java/lang/Class" => {
                return Value::Name(format!("{}.class", simple_name(self.mirrored(object))));
            }
            "java/lang/Integer"
            | "java/lang/Long"
            | "java/lang/Short"
            | "java/lang/Byte"
            | "java/lang/Boolean"
            | "java/lang/Character"
            | "java/lang/Float"
            | "java/lang/Double"
            | "java/util/concurrent/atomic/AtomicInteger"
            | "java/util/concurrent/atomic/AtomicLong" => return of("value"),
            "java/util/concurrent/atomic/AtomicBoolean" => {
                return Value::Bool(of("value") != Value::Int(0));
            }
            "java/util/concurrent/atomic/AtomicReference" if depth > 0 => {
                let inner = field("value").map_or(0, |field| self.get(object, field.slot));
                return self.reference(inner, depth - 1);
            }
            "java/util/ArrayList" if depth > 0 => return self.list(object, class, depth),
            "java/util/ArrayDeque" if depth > 0 => return self.deque(object, class, depth),
            _ => {}
        }
        if class.element().is_some() {
            return match depth {
                0 => Value::Name(simple_name(class)),
                _ => self.elements(object, 0, self.array_length(object), depth - 1),
            };
        }
        if let Some(name) = self.name_of_thread(object) {
            return Value::Name(name);
        }
        if class.super_class.is_some_and(|above| &*above.name == "java/lang/Enum")
            && let Some(name) = field("name")
        {
            let name = self.get(object, name.slot);
            return Value::Name(self.text_of(name).unwrap_or_else(|_| simple_name(class)));
        }
        self.described(object, class, depth)
    }

    /// Whether an object is told by its value alone: a text or a number.
    fn is_plain(&self, object: u32) -> bool {
        let plain = ["String", "Integer", "Long", "Short", "Byte", "Boolean", "Character"];
        object != 0
            && self
                .class_of(object)
                .name
                .strip_prefix("java/lang/")
                .is_some_and(|name| plain.contains(&name))
    }

    fn is_thread(&self, class: &Class) -> bool {
        self.class("java/lang/Thread").is_ok_and(|thread| class.is_subtype_of(thread))
    }

    /// The name of a thread, whether it is alive or not.
    pub(super) fn name_of_thread(&self, object: u32) -> Option<String> {
        let class = self.class_of(object);
        if !self.is_thread(class) {
            return None;
        }
        let name = self.get(object, class.field("name")?.slot);
        self.text_of(name).ok().filter(|name| !name.is_empty())
    }

    /// `Node[value=2]`: the class and what it has of numbers and texts.
    fn described(&self, object: u32, class: &'static Class, depth: u32) -> Value {
        let name = simple_name(class);
        if class.library || class.hidden || depth == 0 {
            return Value::Name(name);
        }
        let plain = |field: &&'static Field| {
            !field.kind.is_reference() || &*field.descriptor == "Ljava/lang/String;"
        };
        let parts: Vec<String> = fields_of(class)
            .filter(plain)
            .take(PARTS)
            .map(|field| {
                let value = self.value(&field.descriptor, self.bits(object, field), 0);
                format!("{}={value}", field_name(field))
            })
            .collect();
        Value::Name(match parts.is_empty() {
            true => name,
            false => format!("{name}[{}]", parts.join(", ")),
        })
    }

    fn elements(&self, array: u32, first: u32, count: u32, depth: u32) -> Value {
        let length = self.array_length(array);
        let shown = count.min(ELEMENTS);
        let mut items: Vec<Value> = (0..shown)
            .map(|index| self.element_at(array, (first + index) % length.max(1), depth))
            .collect();
        if shown < count {
            items.push(Value::Name("...".to_owned()));
        }
        Value::List(items)
    }

    fn list(&self, object: u32, class: &'static Class, depth: u32) -> Value {
        let word = |name: &str| class.field(name).map_or(0, |field| self.get(object, field.slot));
        match word("elementData") {
            0 => Value::List(Vec::new()),
            array => {
                let size = word("size").min(self.array_length(array));
                self.elements(array, 0, size, depth - 1)
            }
        }
    }

    fn deque(&self, object: u32, class: &'static Class, depth: u32) -> Value {
        let word = |name: &str| class.field(name).map_or(0, |field| self.get(object, field.slot));
        let (array, head, tail) = (word("elements"), word("head"), word("tail"));
        if array == 0 {
            return Value::List(Vec::new());
        }
        let length = self.array_length(array).max(1);
        let count = (tail + length - head % length) % length;
        self.elements(array, head, count, depth - 1)
    }

    /// The named variables of the innermost method of the program that a thread is in, where they are
    /// still needed: numbers and texts.
    fn variables(&self, thread: usize) -> Vec<(String, Value)> {
        let Some(call) = self.calls(thread).into_iter().rev().find(|call| call.is_program()) else {
            return Vec::new();
        };
        let (Ok(code), Some(point)) = (call.method.code(), call.point()) else { return Vec::new() };
        let mut found: Vec<(String, Value)> = Vec::new();
        for Variable { start, end, name, kind, slot } in &code.names {
            let index = usize::from(*slot);
            let set =
                |words: &[u64]| words.get(index / 64).is_some_and(|w| w >> (index % 64) & 1 == 1);
            let Some(&first) = kind.as_bytes().first() else { continue };
            let reference = matches!(first, b'L' | b'[');
            // What the compiler tells is compared with what the code does.
            let fits = set(&point.live) && set(&point.references) == reference;
            if !(*start..*end).contains(&call.pc) || &**name == "this" || !fits {
                continue;
            }
            let word = |index: usize| u64::from(call.words.get(index).copied().unwrap_or(0));
            let wide = matches!(first, b'J' | b'D');
            let bits = word(index) | if wide { word(index + 1) << 32 } else { 0 };
            if reference && !self.is_plain(bits as u32) {
                continue;
            }
            found.push((name.to_string(), self.value(kind, bits, 1)));
        }
        found
    }
}

fn nothing() -> Value {
    Value::Name("null".to_owned())
}

fn primitive(kind: u8, bits: u64) -> Value {
    match kind {
        b'Z' => Value::Bool(bits & 1 != 0),
        b'C' => {
            let char = char::from_u32(bits as u32).unwrap_or('\u{fffd}');
            Value::Name(format!("{char:?}"))
        }
        b'J' => Value::Int(bits as i64),
        b'F' => Value::Name(f32::from_bits(bits as u32).to_string()),
        b'D' => Value::Name(f64::from_bits(bits).to_string()),
        _ => Value::Int(i64::from(bits as u32 as i32)),
    }
}
