//! What reflection does: calls of methods and constructors, elements of arrays.

use super::access::Location;
use super::{Args, Done, Peer, plain};
use crate::code::Type;
use crate::dynamic::{primitive_of, wrapper};
use crate::link::{Class, Kind, Method};
use crate::vm::{Run, Trap, Worker};

pub(super) fn find(class: &str, name: &str) -> Option<Peer> {
    match (class, name) {
        // The counting of calls and the generation of classes are left out.
        ("jdk/internal/reflect/NativeMethodAccessorImpl", "invoke") => plain(invoke),
        ("jdk/internal/reflect/NativeConstructorAccessorImpl", "newInstance") => {
            plain(new_instance)
        }
        ("jdk/internal/reflect/Reflection", "areNestMates") => plain(|worker, args| {
            let host = |mirror| {
                let class: &'static Class = worker.mirrored(mirror);
                class.name.split('$').next().unwrap_or(&class.name)
            };
            Ok(Done::bool(host(args.word(0)) == host(args.word(1))))
        }),
        ("java/lang/reflect/Proxy", "newProxyInstance") => plain(new_proxy),
        ("java/lang/reflect/Proxy", "invokeDefault") => {
            plain(|worker, _| worker.unsupported("InvocationHandler.invokeDefault"))
        }
        ("java/lang/reflect/Proxy", "isProxyClass") => plain(|worker, args| match args.word(0) {
            0 => Err(worker.null_pointer()),
            mirror => {
                let proxy = worker.class("java/lang/reflect/Proxy")?;
                let class = worker.mirrored(mirror);
                Ok(Done::bool(class.hidden && class.super_class == Some(proxy)))
            }
        }),
        ("jdk/internal/reflect/MethodAccessorGenerator", "generateSerializationConstructor") => {
            plain(serial_constructor)
        }
        ("java/lang/reflect/Array", "multiNewArray") => plain(multi_new_array),
        ("java/lang/reflect/Array", "get" | "set") => plain(element),
        ("java/lang/reflect/Array", _) => {
            let kind = b"ZBCSIJFD".iter().find(|&&kind| {
                let suffix = &name[3.min(name.len())..];
                crate::code::primitive_name(kind).eq_ignore_ascii_case(suffix)
            })?;
            Some(Peer { run: primitive_element, data: u32::from(*kind) })
        }
        _ => None,
    }
}

/// A value of one primitive type as another that is wider.
pub(super) fn widen(from: u8, to: u8, bits: u64) -> Option<u64> {
    let int = bits as u32 as i32;
    let double = |value: f64| Some(value.to_bits());
    let float = |value: f32| Some(u64::from(value.to_bits()));
    match (from, to) {
        _ if from == to => Some(bits),
        (b'B', b'S' | b'I') | (b'S' | b'C', b'I') => Some(bits),
        (b'B' | b'S' | b'C' | b'I', b'J') => Some(i64::from(int) as u64),
        (b'B' | b'S' | b'C' | b'I', b'F') => float(int as f32),
        (b'B' | b'S' | b'C' | b'I', b'D') => double(f64::from(int)),
        (b'J', b'F') => float(bits as i64 as f32),
        (b'J', b'D') => double(bits as i64 as f64),
        (b'F', b'D') => double(f64::from(f32::from_bits(bits as u32))),
        _ => None,
    }
}

impl Worker {
    /// The value of a wrapper object and its type.
    pub(super) fn unbox(&mut self, object: u32) -> Run<Option<(u8, u64)>> {
        if object == 0 {
            return Ok(None);
        }
        let class = self.class_of(object);
        let Some(kind) = primitive_of(&class.name) else { return Ok(None) };
        let slot = self.library_field(class, "value")?.slot;
        let bits = match kind {
            b'J' | b'D' => self.get_long(object, slot),
            _ => u64::from(self.get(object, slot)),
        };
        Ok(Some((kind, bits)))
    }

    /// Makes a wrapper of a value, by the method that programs use.
    pub(super) fn boxed(&mut self, kind: u8, bits: u64) -> Run<Done> {
        let (name, _) = wrapper(kind);
        let class = self.class(name)?;
        self.initialise_library(class)?;
        let descriptor = format!("({})L{name};", char::from(kind));
        let Some(method) = class.declared("valueOf", &descriptor) else {
            return self.unsupported("this JDK: a wrapper without valueOf");
        };
        let mut words = vec![bits as u32];
        if matches!(kind, b'J' | b'D') {
            words.push((bits >> 32) as u32);
        }
        Ok(Done::Call(method, words))
    }

    /// The object that the language makes of a value at once: one of those that the library keeps, or a
    /// new one.
    pub(super) fn box_now(&mut self, kind: u8, bits: u64) -> Run<u32> {
        let (name, _) = wrapper(kind);
        let class = self.class(name)?;
        self.initialise_library(class)?;
        let int = bits as u32 as i32;
        let kept = match kind {
            b'Z' => {
                let name = if int != 0 { "TRUE" } else { "FALSE" };
                let field = self.library_field(class, name)?;
                return Ok(self.get_static(field, 0));
            }
            b'C' => (0..128).contains(&int).then_some(int),
            b'J' => i32::try_from(bits as i64).ok().map(|small| small.saturating_add(128)),
            b'B' | b'S' | b'I' => Some(int.saturating_add(128)),
            _ => None,
        };
        if let Some(index) = kept.filter(|index| (0..256).contains(index)) {
            let simple = name.trim_start_matches("java/lang/");
            let cache = self.class(&format!("{name}${simple}Cache"))?;
            self.initialise_library(cache)?;
            let cache = self.get_static(self.library_field(cache, "cache")?, 0);
            let place = self.heap.place(&self.vm.base, cache);
            return Ok(self.load_word(place, index as u32));
        }
        let object = self.new_instance(class)?;
        let slot = self.library_field(class, "value")?.slot;
        self.set(object, slot, bits as u32);
        if matches!(kind, b'J' | b'D') {
            self.set(object, slot + 1, (bits >> 32) as u32);
        }
        Ok(object)
    }

    pub(super) fn bad_argument(&mut self, text: &str) -> Trap {
        self.throw("java/lang/IllegalArgumentException", Some(text))
    }

    /// The arguments of a call as words.
    fn reflected_arguments(
        &mut self,
        method: &'static Method,
        array: u32,
        words: &mut Vec<u32>,
    ) -> Run<()> {
        let given = if array == 0 { 0 } else { self.array_length(array) };
        if given as usize != method.descriptor.parameters.len() {
            return Err(self.bad_argument("wrong number of arguments"));
        }
        for (index, kind) in method.descriptor.parameters.iter().enumerate() {
            let place = self.heap.place(&self.vm.base, array);
            let value = self.load_word(place, index as u32);
            match kind {
                Type::Reference(name) => {
                    let class = self.class_from(method.class, name)?;
                    if value != 0 && !self.class_of(value).is_subtype_of(class) {
                        return Err(self.bad_argument("argument type mismatch"));
                    }
                    words.push(value);
                }
                Type::Primitive(to) => {
                    let bits = self.unbox(value)?.and_then(|(from, bits)| widen(from, *to, bits));
                    let Some(bits) = bits else {
                        return Err(self.bad_argument("argument type mismatch"));
                    };
                    words.push(bits as u32);
                    if matches!(to, b'J' | b'D') {
                        words.push((bits >> 32) as u32);
                    }
                }
            }
        }
        Ok(())
    }
}

fn invoke(worker: &mut Worker, args: &Args) -> Run<Done> {
    let object = worker.get(args.word(0), worker.field_of(args.word(0), "method")?.slot);
    let method = worker.reflected_method(object)?;
    let (receiver, array) = (args.word(1), args.word(2));
    let mut words = Vec::new();
    if method.is_static() {
        if !worker.initialise(method.class)? {
            return Ok(Done::Again);
        }
    } else {
        if receiver == 0 {
            return Err(worker.null_pointer());
        }
        if !worker.class_of(receiver).is_subtype_of(method.class) {
            return Err(worker.bad_argument("object is not an instance of declaring class"));
        }
        words.push(receiver);
    }
    worker.reflected_arguments(method, array, &mut words)?;
    let stub = worker.reflection_stub(method)?;
    Ok(Done::Call(stub, words))
}

fn new_instance(worker: &mut Worker, args: &Args) -> Run<Done> {
    let object = worker.get(args.word(0), worker.field_of(args.word(0), "c")?.slot);
    let method = worker.reflected_method(object)?;
    if !worker.initialise(method.class)? {
        return Ok(Done::Again);
    }
    let mut words = Vec::new();
    worker.reflected_arguments(method, args.word(1), &mut words)?;
    let stub = worker.reflection_stub(method)?;
    Ok(Done::Call(stub, words))
}

/// What makes objects that are read from a stream: the class, and the superclass whose constructor runs.
fn serial_constructor(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (made, constructed) =
        (worker.given_class(args.word(1))?, worker.given_class(args.word(5))?);
    match constructed.declared("<init>", "()V") {
        Some(constructor) if worker.array_length(args.word(2)) == 0 => {
            worker.serial_accessor(made, constructor).map(Done::Word)
        }
        _ => worker.unsupported("a constructor for reading objects that has parameters"),
    }
}

fn new_proxy(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (array, handler) = (args.word(1), args.word(2));
    if array == 0 || handler == 0 {
        return Err(worker.null_pointer());
    }
    let mut interfaces = Vec::new();
    for index in 0..worker.array_length(array) {
        let place = worker.heap.place(&worker.vm.base, array);
        let mirror = worker.load_word(place, index);
        if mirror == 0 {
            return Err(worker.null_pointer());
        }
        let class = worker.mirrored(mirror);
        if !class.is_interface() {
            let text = format!("{} is not an interface", class.get_name());
            return Err(worker.bad_argument(&text));
        }
        interfaces.push(class);
    }
    let class = worker.proxy_class(interfaces)?;
    let proxy = worker.new_instance(class)?;
    let slot = worker.library_field(class, "h")?.slot;
    worker.set(proxy, slot, handler);
    Ok(Done::Word(proxy))
}

fn multi_new_array(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (mirror, dimensions) = (args.word(0), args.word(1));
    if mirror == 0 || dimensions == 0 {
        return Err(worker.null_pointer());
    }
    let mut class = worker.mirrored(mirror);
    let place = worker.heap.place(&worker.vm.base, dimensions);
    let count = worker.array_length(dimensions);
    let lengths: Vec<i32> = (0..count).map(|index| worker.load_word(place, index) as i32).collect();
    if lengths.is_empty() || class.kind == Kind::Primitive(b'V') {
        return Err(worker.bad_argument("Empty dimensions array"));
    }
    for _ in 0..lengths.len() {
        let array = worker.vm.registry.array_of(class);
        class = array.map_err(|error| worker.load_failure(error))?;
    }
    worker.multi_array(class, &lengths).map(Done::Word)
}

/// The element that the first two arguments name, and its type; `L` for references.
fn location(worker: &mut Worker, args: &Args) -> Run<(Location, u8)> {
    let (array, index) = (args.word(0), args.word(1));
    if array == 0 {
        return Err(worker.null_pointer());
    }
    let class = worker.class_of(array);
    let kind = match class.element() {
        Some(Class { kind: Kind::Primitive(kind), .. }) => *kind,
        Some(_) => b'L',
        None => return Err(worker.bad_argument("Argument is not an array")),
    };
    if index >= worker.array_length(array) {
        return Err(worker.throw("java/lang/ArrayIndexOutOfBoundsException", None));
    }
    worker.touch(array)?;
    worker.note_elements(array, index, 1, args.method.name.starts_with("set"));
    Ok((Location::Element(array, index * class.element_bytes()), kind))
}

fn element(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (place, kind) = location(worker, args)?;
    if &*args.method.name == "get" {
        let bits = worker.read_location(place, kind);
        return if kind == b'L' { Ok(Done::Word(bits as u32)) } else { worker.boxed(kind, bits) };
    }
    let value = args.word(2);
    let bits = if kind == b'L' {
        let fits = worker
            .class_of(args.word(0))
            .element()
            .is_none_or(|element| value == 0 || worker.class_of(value).is_subtype_of(element));
        fits.then_some(u64::from(value))
    } else {
        worker.unbox(value)?.and_then(|(from, bits)| widen(from, kind, bits))
    };
    match bits {
        Some(bits) => worker.write_location(place, kind, bits),
        None if kind == b'L' => return Err(worker.bad_argument("array element type mismatch")),
        None => return Err(worker.bad_argument("argument type mismatch")),
    }
    Ok(Done::Void)
}

/// `getInt`, `setInt` and so on; the type is what the peer knows.
fn primitive_element(worker: &mut Worker, args: &Args) -> Run<Done> {
    let named = args.data as u8;
    let (place, kind) = location(worker, args)?;
    let wide = matches!(named, b'J' | b'D');
    if args.method.name.starts_with("get") {
        let bits = worker.read_location(place, kind);
        return match widen(kind, named, bits) {
            Some(bits) if wide => Ok(Done::Long(bits)),
            Some(bits) => Ok(Done::Word(bits as u32)),
            None => Err(worker.bad_argument("Argument is not an array of primitive type")),
        };
    }
    let given = if wide { args.long(2) } else { u64::from(args.word(2)) };
    match widen(named, kind, given) {
        Some(bits) => worker.write_location(place, kind, bits),
        None => return Err(worker.bad_argument("argument type mismatch")),
    }
    Ok(Done::Void)
}
