//! Object, String, Throwable and other small classes of java.lang and java.lang.ref.

use super::{Args, Done, Peer, plain};
use crate::heap::{BASE, CLASS, ELEMENTS, HASH, HEADER, MONITOR, PUBLISHED};
use crate::link::{Class, Kind, Method};
use crate::vm::{Outside, Run, Worker, header};

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match (class, name) {
        ("java/lang/Object", "getClass") => plain(|worker, args| {
            let class = worker.class_of(args.word(0));
            worker.mirror(class).map(Done::Word)
        }),
        ("java/lang/Object", "hashCode") | ("java/lang/System", "identityHashCode") => {
            plain(|worker, args| match args.word(0) {
                0 => Ok(Done::Word(0)),
                object => {
                    worker.look_outside(Outside::Identity, "an identity hash code")?;
                    worker.identity_hash(object).map(Done::Word)
                }
            })
        }
        ("java/lang/Object", "clone") => plain(clone),
        ("java/lang/Object", "<init>") => plain(|_, _| Ok(Done::Void)),
        ("java/lang/Object", "wait") if descriptor == "(J)V" => plain(wait),
        ("java/lang/Object", "notify") => plain(|worker, args| {
            worker.notify(args.word(0), false)?;
            Ok(Done::Void)
        }),
        ("java/lang/Object", "notifyAll") => plain(|worker, args| {
            worker.notify(args.word(0), true)?;
            Ok(Done::Void)
        }),
        ("java/lang/System", "arraycopy") => plain(array_copy),
        ("java/lang/String", "intern") => plain(|worker, args| {
            let chars = worker.chars_of(args.word(0))?;
            worker.intern(&chars).map(Done::Word)
        }),
        ("java/lang/StringUTF16", "isBigEndian") => plain(|_, _| Ok(Done::bool(false))),
        ("java/lang/Throwable", "fillInStackTrace") if descriptor.starts_with("(I)") => {
            plain(|worker, args| {
                worker.fill_in_stack_trace(args.word(0))?;
                Ok(Done::Word(args.word(0)))
            })
        }
        ("java/lang/NullPointerException", "getExtendedNPEMessage") => {
            plain(|worker, args| match worker.null_pointer_text(args.word(0))? {
                Some(text) => worker.new_text(&text).map(Done::Word),
                None => Ok(Done::Word(0)),
            })
        }
        ("java/lang/StackTraceElement", "of") if descriptor.contains("Throwable") => {
            plain(stack_trace)
        }
        ("java/lang/StackTraceElement", "computeFormat") => plain(|_, _| Ok(Done::Void)),
        ("java/lang/Float", "floatToRawIntBits" | "intBitsToFloat") => {
            plain(|_, args| Ok(Done::Word(args.word(0))))
        }
        ("java/lang/Double", "doubleToRawLongBits" | "longBitsToDouble") => {
            plain(|_, args| Ok(Done::Long(args.long(0))))
        }
        ("java/lang/ref/Reference", "refersTo0")
        | ("java/lang/ref/PhantomReference", "refersTo0") => plain(|worker, args| {
            let field = worker.field_of(args.word(0), "referent")?;
            if worker.watches {
                worker.access_in(field, args.word(0), false)?;
            }
            worker.touch_field(field, args.word(0), false);
            let referent = worker.get(args.word(0), field.slot);
            Ok(Done::bool(referent == args.word(1)))
        }),
        ("java/lang/ref/Reference" | "java/lang/ref/SoftReference", "get") => {
            plain(|worker, args| {
                worker.look_at_reference(args.word(0))?;
                Ok(Done::Bytecode)
            })
        }
        ("java/lang/ref/Reference", "clear0") => plain(|worker, args| {
            let field = worker.field_of(args.word(0), "referent")?;
            if worker.watches {
                worker.access_in(field, args.word(0), true)?;
            }
            worker.touch_field(field, args.word(0), true);
            worker.set(args.word(0), field.slot, 0);
            Ok(Done::Void)
        }),
        ("java/lang/ref/Finalizer", "register") => plain(|_, _| Ok(Done::Void)),
        ("java/lang/reflect/Array", "newArray") => plain(|worker, args| {
            if args.word(0) == 0 {
                return Err(worker.null_pointer());
            }
            let element = worker.given_class(args.word(0))?;
            if element.kind == Kind::Primitive(b'V') {
                return Err(worker.throw("java/lang/IllegalArgumentException", None));
            }
            let class = worker.vm.registry.array_of(element);
            let class = class.map_err(|error| worker.load_failure(error))?;
            worker.new_array(class, args.int(1)).map(Done::Word)
        }),
        ("java/lang/reflect/Array", "getLength") => plain(|worker, args| match args.word(0) {
            0 => Err(worker.null_pointer()),
            array if worker.class_of(array).element().is_none() => {
                let text = "Argument is not an array";
                Err(worker.throw("java/lang/IllegalArgumentException", Some(text)))
            }
            array => Ok(Done::Word(worker.array_length(array))),
        }),
        _ => None,
    }
}

impl Worker {
    /// A number that the current thread did not get before, and no other one does.
    pub fn next_asked(&mut self) -> u64 {
        let asked = self.thread(self.current, header::ASKED) + 1;
        self.set_thread(self.current, header::ASKED, asked);
        (u64::from(asked) << 16) | (self.current as u64 + 1)
    }

    /// The identity hash of an object: fixed when it is first asked for, by the thread that asks and
    /// how often it has asked. That of an object of the base follows from what it is, so that tables that
    /// initialisers of the library made find it in every state.
    pub fn identity_hash(&mut self, object: u32) -> Run<u32> {
        let word = self.get(object, HASH);
        let (known, published) = (word & !PUBLISHED, word & PUBLISHED);
        if object & BASE != 0 && known == 0 {
            return self.base_hash(object);
        }
        if known != 0 {
            self.touch_place(object, 0, HASH, false);
            return Ok(known);
        }
        self.touch(object)?;
        let seed = self.next_asked();
        let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        let hash = (mixed as u32 & 0x7fff_ffff).max(1);
        self.set(object, HASH, hash | published);
        Ok(hash)
    }
}

impl Worker {
    /// A class goes by its name, a text by its characters, an enumerated constant by its number; others of a
    /// class have the same.
    fn base_hash(&self, object: u32) -> Run<u32> {
        let class = self.class_of(object);
        let mut hash: u32 = 0x811c_9dc5;
        let mut add = |byte: u32| hash = (hash ^ byte).wrapping_mul(0x0100_0193);
        let name = match &*class.name {
            "java/lang/Class" => self.mirrored(object).own_name(),
            _ => class.own_name(),
        };
        name.bytes().for_each(|byte| add(u32::from(byte)));
        if &*class.name == "java/lang/String" {
            self.chars_of(object)?.into_iter().for_each(|char| add(u32::from(char)));
        } else if let Some(ordinal) =
            class.field("ordinal").filter(|f| &*f.class.name == "java/lang/Enum")
        {
            add(self.get(object, ordinal.slot));
        }
        Ok((hash & 0x7fff_ffff).max(1))
    }
}

fn clone(worker: &mut Worker, args: &Args) -> Run<Done> {
    let object = args.word(0);
    let class = worker.class_of(object);
    let cloneable = worker.class("java/lang/Cloneable")?;
    if !class.is_subtype_of(cloneable) {
        let name = class.get_name();
        return Err(worker.throw("java/lang/CloneNotSupportedException", Some(&name)));
    }
    let late = worker.watches && worker.is_published(object);
    if late || !worker.alone && worker.is_shared(object) {
        worker.access_all(object)?;
    }
    worker.touch_all(object, false);
    if class.element().is_some() && worker.notes {
        worker.note_elements(object, 0, worker.array_length(object), false);
    }
    let place = worker.heap.place(&worker.vm.base, object);
    let mut content = Vec::new();
    worker.heap.read(&worker.vm.dictionary, place, &mut content);
    worker.check_room(content.len() as u32)?;
    content[MONITOR as usize] = 0;
    content[HASH as usize] = 0;
    let place = worker.heap.new_content(&content);
    let copy = worker.heap.add(place);
    worker.note_site()?;
    Ok(Done::Word(copy))
}

fn wait(worker: &mut Worker, args: &Args) -> Run<Done> {
    let timeout = args.long(1) as i64;
    if timeout < 0 {
        let text = "timeout value is negative";
        return Err(worker.throw("java/lang/IllegalArgumentException", Some(text)));
    }
    worker.wait_on(args.word(0), timeout > 0)?;
    Ok(Done::Again)
}

fn array_copy(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (from, to) = (args.word(0), args.word(2));
    let (at, into, count) = (args.int(1), args.int(3), args.int(4));
    if from == 0 || to == 0 {
        return Err(worker.throw("java/lang/NullPointerException", None));
    }
    let (source, target) = (worker.class_of(from), worker.class_of(to));
    let text = match (source.element(), target.element()) {
        (None, _) => Some(format!("arraycopy: source type {} is not an array", source.get_name())),
        (_, None) => {
            Some(format!("arraycopy: destination type {} is not an array", target.get_name()))
        }
        _ if source.has_reference_elements() != target.has_reference_elements()
            || !source.has_reference_elements() && source != target =>
        {
            Some(mismatch(source, target))
        }
        _ => None,
    };
    if let Some(text) = text {
        return Err(worker.throw("java/lang/ArrayStoreException", Some(&text)));
    }
    let (length, room) = (worker.array_length(from), worker.array_length(to));
    if let Some(text) = bounds((source, length), (target, room), (at, into, count)) {
        return Err(worker.throw("java/lang/ArrayIndexOutOfBoundsException", Some(&text)));
    }
    if count == 0 {
        return Ok(Done::Void);
    }
    if !worker.alone && (worker.is_shared(from) || worker.is_shared(to)) && !is_text(worker, source)
    {
        worker.stops()?;
    }
    let (at, into, count) = (at as u32, into as u32, count as u32);
    if worker.notes {
        worker.note_elements(from, at, count, false);
        worker.note_elements(to, into, count, true);
    }
    if source.has_reference_elements() && !source.is_subtype_of(target) {
        return copy_checked(worker, (from, at), (to, into), count);
    }
    let place = worker.heap.place(&worker.vm.base, from);
    let bytes = source.element_bytes();
    if bytes >= 4 {
        let (words, offset) = (count * bytes / 4, at * bytes / 4);
        let copied: Vec<u32> =
            (0..words).map(|index| worker.load_word(place, offset + index)).collect();
        let start = into * bytes / 4;
        let references = source.has_reference_elements();
        let share = references && !worker.alone && worker.is_shared(to);
        let place = worker.heap.place_mut(&worker.vm.base, &worker.vm.dictionary, to);
        for (index, word) in copied.into_iter().enumerate() {
            if share {
                worker.share(word);
            }
            worker.heap.write(place, ELEMENTS + start + index as u32, word);
        }
        return Ok(Done::Void);
    }
    let elements: Vec<u16> = (0..count)
        .map(|index| match bytes {
            1 => u16::from(worker.load_byte(place, at + index)),
            _ => worker.load_short(place, at + index),
        })
        .collect();
    for (index, element) in elements.into_iter().enumerate() {
        match bytes {
            1 => worker.store_byte(to, into + index as u32, element as u8),
            _ => worker.store_short(to, into + index as u32, element),
        }
    }
    Ok(Done::Void)
}

/// Whether elements are those of strings, which never change once others see them.
fn is_text(worker: &Worker, class: &Class) -> bool {
    let caller = worker.top.method.class;
    class.element_bytes() == 1 && caller.library && caller.name.starts_with("java/lang/")
}

fn copy_checked(
    worker: &mut Worker,
    (from, at): (u32, u32),
    (to, into): (u32, u32),
    count: u32,
) -> Run<Done> {
    let target = worker.class_of(to);
    for index in 0..count {
        let place = worker.heap.place(&worker.vm.base, from);
        let element = worker.load_word(place, at + index);
        let fits = element == 0
            || target.element().is_none_or(|e| worker.class_of(element).is_subtype_of(e));
        if !fits {
            let element = target.element().map(Class::get_name).unwrap_or_default();
            let text = format!(
                "arraycopy: element type mismatch: can not cast one of the elements of {} to the type \
                 of the destination array, {element}",
                worker.class_of(from).java_name(),
            );
            return Err(worker.throw("java/lang/ArrayStoreException", Some(&text)));
        }
        worker.set_reference(to, ELEMENTS + into + index, element);
    }
    Ok(Done::Void)
}

fn mismatch(source: &Class, target: &Class) -> String {
    let name = |class: &Class| match class.has_reference_elements() {
        true => "object array[]".to_owned(),
        false => class.java_name(),
    };
    format!("arraycopy: type mismatch: can not copy {} into {}", name(source), name(target))
}

fn bounds(
    (source, length): (&Class, u32),
    (target, room): (&Class, u32),
    (at, into, count): (i32, i32, i32),
) -> Option<String> {
    let name = |class: &Class, length: u32| match class.has_reference_elements() {
        true => format!("object array[{length}]"),
        false => class.java_name().replace("[]", &format!("[{length}]")),
    };
    if at < 0 {
        let name = name(source, length);
        return Some(format!("arraycopy: source index {at} out of bounds for {name}"));
    }
    if into < 0 {
        let name = name(target, room);
        return Some(format!("arraycopy: destination index {into} out of bounds for {name}"));
    }
    if count < 0 {
        return Some(format!("arraycopy: length {count} is negative"));
    }
    if at as u32 + count as u32 > length {
        let (last, name) = (at as u32 + count as u32, name(source, length));
        return Some(format!("arraycopy: last source index {last} out of bounds for {name}"));
    }
    if into as u32 + count as u32 > room {
        let (last, name) = (into as u32 + count as u32, name(target, room));
        return Some(format!("arraycopy: last destination index {last} out of bounds for {name}"));
    }
    None
}

/// `StackTraceElement.of`: the elements of an exception's trace.
fn stack_trace(worker: &mut Worker, args: &Args) -> Run<Done> {
    let trace = worker.backtrace(args.word(0))?;
    let mut elements = Vec::with_capacity(trace.len());
    for (method, pc) in trace {
        elements.push(stack_trace_element(worker, method, pc)?);
    }
    let array = worker.class("[Ljava/lang/StackTraceElement;")?;
    worker.new_references(array, &elements).map(Done::Word)
}

/// The element of a stack trace for an instruction of a method.
pub(super) fn stack_trace_element(
    worker: &mut Worker,
    method: &'static Method,
    pc: u32,
) -> Run<u32> {
    let class = worker.class("java/lang/StackTraceElement")?;
    worker.initialise_library(class)?;
    let element = worker.new_instance(class)?;
    let declaring = worker.literal(&method.class.get_name())?;
    let name = worker.literal(&method.name)?;
    let file = method.class.file.as_ref().and_then(|file| file.source_file());
    let file = match file {
        Some(file) => worker.literal(file)?,
        None => 0,
    };
    let line = match method.code() {
        Ok(code) => code.line(pc).map_or(-1, i32::from),
        Err(_) => -2,
    };
    // The names of loader and version are left out for classes of the JDK.
    let (module, format) =
        if method.class.library { (worker.literal("java.base")?, 3) } else { (0, 1) };
    for (field, value) in [
        ("declaringClass", declaring),
        ("methodName", name),
        ("fileName", file),
        ("moduleName", module),
        ("lineNumber", line as u32),
        ("format", format),
    ] {
        let slot = worker.library_field(class, field)?.slot;
        worker.set(element, slot, value);
    }
    Ok(element)
}

const _: () = assert!(CLASS == 0 && HEADER == 3);
