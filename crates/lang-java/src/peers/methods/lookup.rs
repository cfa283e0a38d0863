//! How method handles of methods, constructors and fields are found, and who may find them.

use super::super::{Args, Done, Peer, plain};
use super::simple;
use crate::classfile::flags;
use crate::code::Descriptor;
use crate::dynamic::{
    METHOD_HANDLE, Site, handle_type, is_collecting, text_of, type_of_class, types,
};
use crate::link::{Class, Field, Method};
use crate::vm::{Run, Trap, Worker};

/// How a method is called, as messages have it.
const VIRTUAL: u32 = 0;
const STATIC: u32 = 1;
const SPECIAL: u32 = 2;
const BOUND: u32 = 3;
/// Bits of what is done with a field.
const WRITES: u32 = 1;
const OF_CLASS: u32 = 2;

pub(super) fn find(name: &str) -> Option<Peer> {
    let with = |run: fn(&mut Worker, &Args) -> Run<Done>, data| Some(Peer { run, data });
    match name {
        "findVirtual" => with(find_method, VIRTUAL),
        "findStatic" => with(find_method, STATIC),
        "findSpecial" => with(find_method, SPECIAL),
        "bind" => with(find_method, BOUND),
        "findConstructor" => plain(find_constructor),
        "findGetter" => with(find_field, 0),
        "findSetter" => with(find_field, WRITES),
        "findStaticGetter" => with(find_field, OF_CLASS),
        "findStaticSetter" => with(find_field, OF_CLASS | WRITES),
        "unreflect" | "unreflectConstructor" => plain(|worker, args| {
            let method = worker.reflected_method(args.word(1))?;
            worker.direct_handle(method, false).map(Done::Word)
        }),
        "revealDirect" => plain(super::super::unsupported),
        "unreflectSpecial" => plain(|worker, args| {
            let method = worker.reflected_method(args.word(1))?;
            worker.direct_handle(method, true).map(Done::Word)
        }),
        "unreflectGetter" | "unreflectSetter" => plain(|worker, args| {
            let field = worker.reflected_field(args.word(1))?;
            let write = &*args.method.name == "unreflectSetter";
            worker.field_handle(field, write).map(Done::Word)
        }),
        _ => None,
    }
}

impl Worker {
    /// Whether code of the class that looks up may use a member.
    fn check_access(
        &mut self,
        lookup: u32,
        class: &'static Class,
        member: u16,
        text: &str,
    ) -> Run<()> {
        let from = self.get(lookup, self.field_of(lookup, "lookupClass")?.slot);
        if from == 0 || member & flags::PUBLIC != 0 {
            return Ok(());
        }
        let from = self.mirrored(from);
        let package = |class: &Class| class.name.rsplit_once('/').map(|(name, _)| name.to_owned());
        let host = |class: &Class| class.name.split('$').next().map(str::to_owned);
        let allowed = if member & flags::PRIVATE != 0 {
            host(from) == host(class)
        } else {
            package(from) == package(class) || (member & 4 != 0 && from.is_subtype_of(class))
        };
        if allowed {
            return Ok(());
        }
        let what = if member & flags::PRIVATE != 0 { "private" } else { "not public" };
        let text = format!("member is {what}: {text}, from class {}", from.get_name());
        Err(self.throw("java/lang/IllegalAccessException", Some(&text)))
    }
}

fn no_such(worker: &mut Worker, class: &str, text: &str) -> Trap {
    worker.throw(class, Some(text))
}

/// A method of a class, of its superclasses or of its interfaces.
fn inherited(class: &'static Class, name: &str, text: &str) -> Option<&'static Method> {
    if let Some(found) = class.method(name, text) {
        return Some(found);
    }
    let mut found = None;
    let mut pending: Vec<&'static Class> = Vec::new();
    let mut current = Some(class);
    while let Some(class) = current {
        pending.extend(class.interfaces.iter().copied());
        current = class.super_class;
    }
    while let Some(interface) = pending.pop() {
        found = found.or_else(|| interface.declared(name, text).filter(|m| !m.is_static()));
        pending.extend(interface.interfaces.iter().copied());
    }
    found
}

fn find_method(worker: &mut Worker, args: &Args) -> Run<Done> {
    let [owner, name, types] = [args.word(1), args.word(2), args.word(3)];
    if owner == 0 || name == 0 {
        return Err(worker.null_pointer());
    }
    let types = worker.types_of_object(types)?;
    let name = worker.text_of(name)?;
    let class = match args.data {
        BOUND => worker.class_of(owner),
        _ => worker.mirrored(owner),
    };
    let kind = match args.data {
        STATIC => "invokeStatic",
        SPECIAL => "invokeSpecial",
        _ if class.is_interface() => "invokeInterface",
        _ => "invokeVirtual",
    };
    let text = format!("{}.{name}{}/{kind}", class.get_name(), simple(&types));
    if name.starts_with('<') {
        let text = format!("no such method: {text}");
        return Err(no_such(worker, "java/lang/NoSuchMethodException", &text));
    }
    let polymorphic = &*class.name == METHOD_HANDLE && matches!(&*name, "invoke" | "invokeExact");
    if polymorphic {
        return worker.invoker_of(&types, &*name == "invokeExact").map(Done::Word);
    }
    let Some(method) = inherited(class, &name, &text_of(&types)) else {
        let text = format!("no such method: {text}");
        return Err(no_such(worker, "java/lang/NoSuchMethodException", &text));
    };
    if method.is_static() != (args.data == STATIC) {
        let text = format!("no such method: {text}");
        return Err(no_such(worker, "java/lang/IllegalAccessException", &text));
    }
    worker.check_access(args.word(0), method.class, method.flags, &text)?;
    if args.data == STATIC {
        return worker.direct_handle(method, false).map(Done::Word);
    }
    if args.data == SPECIAL {
        let caller = worker.given_class(args.word(4))?;
        let handle = worker.direct_handle(method, true)?;
        return worker.with_receiver(handle, caller).map(Done::Word);
    }
    let handle = worker.direct_handle(method, false)?;
    let handle = worker.with_receiver(handle, class)?;
    if args.data == BOUND { worker.bind(handle, 0, &[owner]) } else { Ok(Done::Word(handle)) }
}

impl Worker {
    /// A handle of a method whose receiver is of a subclass.
    fn with_receiver(&mut self, handle: u32, class: &'static Class) -> Run<u32> {
        let mut types = self.types_of_handle(handle)?;
        types.parameters[0] = type_of_class(class);
        let collecting = is_collecting(self.class_of(handle));
        let target = self.fixed_arity(handle);
        let made = self.as_type(target, &types)?;
        if collecting { self.collecting_handle(made) } else { Ok(made) }
    }

    /// A handle that calls the handle which is its first argument.
    pub(super) fn invoker_of(&mut self, types: &Descriptor, exact: bool) -> Run<u32> {
        let mut made = types.clone();
        made.parameters.insert(0, handle_type());
        made.words += 1;
        let key = format!("invoker{exact}{}", text_of(types));
        let count = made.parameters.len();
        self.new_method_handle(
            &key,
            &made,
            &[],
            &|_, body| {
                body.arguments(0..count);
                let (text, descriptor) = (text_of(types), types.clone());
                body.code.site(Site::Invoke { exact, text, descriptor });
                body.give();
                Ok(())
            },
            &[],
        )
    }
}

fn find_constructor(worker: &mut Worker, args: &Args) -> Run<Done> {
    if args.word(1) == 0 {
        return Err(worker.null_pointer());
    }
    let class = worker.given_class(args.word(1))?;
    let types = worker.types_of_object(args.word(2))?;
    let text = format!("{}.<init>{}/newInvokeSpecial", class.get_name(), simple(&types));
    match class.declared("<init>", &text_of(&types)) {
        Some(method) => {
            worker.check_access(args.word(0), class, method.flags, &text)?;
            worker.direct_handle(method, false).map(Done::Word)
        }
        None => {
            let text = format!("no such constructor: {text}");
            Err(no_such(worker, "java/lang/NoSuchMethodException", &text))
        }
    }
}

fn find_field(worker: &mut Worker, args: &Args) -> Run<Done> {
    if args.word(1) == 0 || args.word(2) == 0 || args.word(3) == 0 {
        return Err(worker.null_pointer());
    }
    let class = worker.given_class(args.word(1))?;
    let name = worker.text_of(args.word(2))?;
    let kind = type_of_class(worker.given_class(args.word(3))?);
    let write = args.data & WRITES != 0;
    let of_class = args.data & OF_CLASS != 0;
    let access = match (write, of_class) {
        (false, false) => "getField",
        (false, true) => "getStatic",
        (true, false) => "putField",
        (true, true) => "putStatic",
    };
    let type_name = simple(&types(Vec::new(), kind.clone()));
    let text =
        format!("{}.{name}/{}/{access}", class.get_name(), type_name.trim_start_matches("()"));
    let found: Option<&'static Field> = class.field(&name).filter(|field| field.kind == kind);
    let Some(field) = found else {
        let text = format!("no such field: {text}");
        return Err(no_such(worker, "java/lang/NoSuchFieldException", &text));
    };
    if field.is(flags::STATIC) != of_class {
        let text = format!("no such field: {text}");
        return Err(no_such(worker, "java/lang/IllegalAccessException", &text));
    }
    worker.check_access(args.word(0), field.class, field.flags, &text)?;
    if write && field.is(flags::FINAL) {
        let text = format!("unexpected set of a final field: {text}");
        return Err(no_such(worker, "java/lang/IllegalAccessException", &text));
    }
    let handle = worker.field_handle(field, write)?;
    if of_class {
        return Ok(Done::Word(handle));
    }
    worker.with_receiver(handle, class).map(Done::Word)
}
