//! Method handles: how they are found, and how they are made of others.

use super::{Args, Done, Peer, plain};
use crate::classfile::flags;
use crate::code::{Descriptor, Handler, Type, op};
use crate::dynamic::{
    METHOD_HANDLE, Site, call_of, element_op, handle_type, is_collecting, text_of, type_of_class,
    types,
};
use crate::link::{Class, Field, Method};
use crate::vm::{Run, Trap, Worker};

const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";

/// How a method is called, as messages have it.
const VIRTUAL: u32 = 0;
const STATIC: u32 = 1;
const SPECIAL: u32 = 2;
const BOUND: u32 = 3;
/// Bits of what is done with a field.
const WRITES: u32 = 1;
const OF_CLASS: u32 = 2;

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match class {
        LOOKUP => of_lookup(name),
        METHOD_HANDLE => of_handle(name, descriptor),
        "java/lang/invoke/MethodHandles" => combinator(name, descriptor),
        _ => None,
    }
}

fn of_lookup(name: &str) -> Option<Peer> {
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
        "revealDirect" => plain(super::unsupported),
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

fn of_handle(name: &str, descriptor: &str) -> Option<Peer> {
    match name {
        "type" => plain(|worker, args| {
            let types = worker.types_of_handle(args.word(0))?;
            worker.method_type_object(&types)
        }),
        "asType" => plain(|worker, args| {
            let wanted = worker.types_of_object(args.word(1))?;
            worker.as_type(args.word(0), &wanted).map(Done::Word)
        }),
        "bindTo" => plain(|worker, args| worker.bind(args.word(0), 0, &[args.word(1)])),
        "asCollector" if descriptor.starts_with("(Ljava/lang/Class;I)") => plain(|worker, args| {
            worker.collector(args.word(0), args.word(2) as usize).map(Done::Word)
        }),
        "asSpreader" if descriptor.starts_with("(Ljava/lang/Class;I)") => plain(|worker, args| {
            let target = worker.fixed_arity(args.word(0));
            let array = worker.mirrored(args.word(1));
            worker.spreader(target, array, args.word(2) as usize).map(Done::Word)
        }),
        "invokeWithArguments" if descriptor.starts_with("([") => plain(|worker, args| {
            let (handle, array) = (args.word(0), args.word(1));
            if array == 0 {
                return Err(worker.null_pointer());
            }
            let count = worker.array_length(array) as usize;
            let any = Type::Reference("java/lang/Object".into());
            let wanted = types(vec![any.clone(); count], any);
            let generic = worker.as_type(handle, &wanted)?;
            let objects = worker.class("[Ljava/lang/Object;")?;
            let spreader = worker.spreader(generic, objects, count)?;
            match call_of(worker.class_of(spreader)) {
                Some(call) => Ok(Done::Call(call, vec![spreader, array])),
                None => worker.unsupported("a method handle of an unknown kind"),
            }
        }),
        "asVarargsCollector" => {
            plain(|worker, args| worker.collecting_handle(args.word(0)).map(Done::Word))
        }
        "withVarargs" => plain(|worker, args| match args.word(1) {
            0 => Ok(Done::Word(worker.fixed_arity(args.word(0)))),
            _ if is_collecting(worker.class_of(args.word(0))) => Ok(Done::Word(args.word(0))),
            _ => worker.collecting_handle(args.word(0)).map(Done::Word),
        }),
        "asFixedArity" => plain(|worker, args| Ok(Done::Word(worker.fixed_arity(args.word(0))))),
        "isVarargsCollector" => {
            plain(|worker, args| Ok(Done::bool(is_collecting(worker.class_of(args.word(0))))))
        }
        "toString" => plain(|worker, args| {
            let types = worker.types_of_handle(args.word(0))?;
            let text = format!("MethodHandle{}", simple(&types));
            worker.new_text(&text).map(Done::Word)
        }),
        "describeConstable" => plain(super::unsupported),
        _ => None,
    }
}

fn combinator(name: &str, descriptor: &str) -> Option<Peer> {
    match name {
        "insertArguments" => plain(|worker, args| {
            let array = args.word(2);
            if array == 0 {
                return Err(worker.null_pointer());
            }
            let values = worker.references_of(array);
            worker.bind(args.word(0), args.word(1) as usize, &values)
        }),
        "dropArguments0" => plain(|worker, args| {
            // The list is one of an array.
            let field = worker.field_of(args.word(2), "a")?;
            let array = worker.get(args.word(2), field.slot);
            let dropped: Vec<Type> = worker
                .references_of(array)
                .into_iter()
                .map(|mirror| type_of_class(worker.mirrored(mirror)))
                .collect();
            drop_arguments(worker, args.word(0), args.word(1) as usize, &dropped)
        }),
        "permuteArguments" => plain(permute),
        "filterArguments" => plain(filter_arguments),
        "filterReturnValue" => plain(filter_result),
        "foldArguments" if descriptor.contains(";I") => {
            plain(|worker, args| fold(worker, args.word(0), args.word(1) as usize, args.word(2)))
        }
        "foldArguments" => plain(|worker, args| fold(worker, args.word(0), 0, args.word(1))),
        "collectArguments" => plain(collect_arguments),
        "guardWithTest" => plain(guard),
        "catchException" => plain(catch),
        "tryFinally" => {
            plain(|worker, args| worker.finally_handle(args.word(0), args.word(1)).map(Done::Word))
        }
        "constant" => plain(constant),
        "identity" | "zero" => plain(simple_value),
        "throwException" => plain(throwing),
        "arrayElementGetter" | "arrayElementSetter" | "arrayLength" | "arrayConstructor" => {
            plain(of_array)
        }
        "exactInvoker" | "invoker" => plain(invoker),
        "explicitCastArguments" => plain(explicit_cast),
        "loop"
        | "whileLoop"
        | "doWhileLoop"
        | "countedLoop"
        | "iteratedLoop"
        | "tableSwitch"
        | "spreadInvoker"
        | "varHandleInvoker"
        | "varHandleExactInvoker" => plain(super::unsupported),
        _ => None,
    }
}

/// Types as `MethodType` prints them.
fn simple(types: &Descriptor) -> String {
    let short = |kind: &Type| {
        let name = kind.java();
        name.rsplit(['.', '$']).next().unwrap_or(&name).to_owned()
    };
    let parameters: Vec<String> = types.parameters.iter().map(short).collect();
    format!("({}){}", parameters.join(","), short(&types.result))
}

impl Worker {
    fn references_of(&self, array: u32) -> Vec<u32> {
        let place = self.heap.place(&self.vm.base, array);
        (0..self.array_length(array)).map(|index| self.load_word(place, index)).collect()
    }

    /// The types that an object of java.lang.invoke.MethodType stands for.
    fn types_of_object(&mut self, object: u32) -> Run<Descriptor> {
        if object == 0 {
            return Err(self.null_pointer());
        }
        let result = self.get(object, self.field_of(object, "rtype")?.slot);
        let array = self.get(object, self.field_of(object, "ptypes")?.slot);
        let parameters = self.references_of(array);
        let parameters = parameters.into_iter().map(|mirror| type_of_class(self.mirrored(mirror)));
        Ok(types(parameters.collect(), type_of_class(self.mirrored(result))))
    }

    /// An object of java.lang.invoke.MethodType: the library keeps one for equal types.
    pub fn method_type_object(&mut self, types: &Descriptor) -> Run<Done> {
        let class = self.class("java/lang/invoke/MethodType")?;
        self.initialise_library(class)?;
        let result = self.mirror_of_type(&types.result)?;
        let parameters = self.mirrors(&types.parameters)?;
        let make = "(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;";
        match class.declared("methodType", make) {
            Some(method) => Ok(Done::Call(method, vec![result, parameters])),
            None => self.unsupported("this JDK: MethodType without methodType"),
        }
    }

    fn as_type(&mut self, handle: u32, wanted: &Descriptor) -> Run<u32> {
        let have = self.types_of_handle(handle)?;
        match self.retyped(handle, wanted)? {
            Some(made) => Ok(made),
            None => {
                let text =
                    format!("cannot convert MethodHandle{} to {}", simple(&have), simple(wanted));
                Err(self.throw("java/lang/invoke/WrongMethodTypeException", Some(&text)))
            }
        }
    }

    /// Calls a method handle; it is on the stack below its arguments.
    pub fn call_method_handle(
        &mut self,
        exact: bool,
        text: &str,
        descriptor: &Descriptor,
    ) -> Run<()> {
        let start = self.top.sp - descriptor.words - 1;
        let handle = self.stack[start];
        if handle == 0 {
            return Err(self.null_pointer());
        }
        let Some(call) = call_of(self.class_of(handle)) else {
            return self.unsupported("a method handle that the library made");
        };
        if &*call.text == text {
            return self.call(call);
        }
        if exact {
            let text =
                format!("expected {} but found {}", simple(&call.descriptor), simple(descriptor));
            return Err(self.throw("java/lang/invoke/WrongMethodTypeException", Some(&text)));
        }
        let adapted = self.as_type(handle, descriptor)?;
        let Some(call) = call_of(self.class_of(adapted)) else {
            return self.unsupported("a method handle of an unknown kind");
        };
        // If the instruction has to be executed again it finds the right types.
        self.stack[start] = adapted;
        self.call(call)
    }

    /// A handle with some arguments given.
    fn bind(&mut self, handle: u32, at: usize, values: &[u32]) -> Run<Done> {
        let from = self.types_of_handle(handle)?;
        let Some(bound) = from.parameters.get(at..at + values.len()) else {
            return Err(self.bad_argument("too many values to insert"));
        };
        let bound = bound.to_vec();
        let mut words = vec![handle];
        for (kind, &value) in bound.iter().zip(values) {
            match kind {
                Type::Reference(name) => {
                    let class = self.class(name)?;
                    if value != 0 && !self.class_of(value).is_subtype_of(class) {
                        let text = format!(
                            "Cannot cast {} to {}",
                            self.class_of(value).get_name(),
                            class.get_name()
                        );
                        return Err(self.throw("java/lang/ClassCastException", Some(&text)));
                    }
                    words.push(value);
                }
                Type::Primitive(to) => {
                    if value == 0 {
                        return Err(self.null_pointer());
                    }
                    let bits = self
                        .unbox(value)?
                        .and_then(|(from, bits)| super::reflect::widen(from, *to, bits));
                    let Some(bits) = bits else {
                        let wrapper = self.class(crate::dynamic::wrapper(*to).0)?;
                        return Err(self.class_cast(value, wrapper));
                    };
                    words.push(bits as u32);
                    if kind.words() == 2 {
                        words.push((bits >> 32) as u32);
                    }
                }
            }
        }
        let mut parameters = from.parameters.clone();
        parameters.drain(at..at + values.len());
        let made = types(parameters, from.result.clone());
        let key = format!("bind{at}-{}{}", values.len(), text_of(&from));
        let mut parts = vec![handle_type()];
        parts.extend(bound.iter().cloned());
        let rest = made.parameters.len();
        let handle = self.new_method_handle(
            &key,
            &made,
            &parts,
            &|_, body| {
                body.part(0);
                body.arguments(0..at);
                (0..bound.len()).for_each(|index| body.part(1 + index));
                body.arguments(at..rest);
                body.call(&from);
                body.give();
                Ok(())
            },
            &words,
        )?;
        Ok(Done::Word(handle))
    }

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
        let caller = worker.mirrored(args.word(4));
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
    fn invoker_of(&mut self, types: &Descriptor, exact: bool) -> Run<u32> {
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
    let class = worker.mirrored(args.word(1));
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
    let class = worker.mirrored(args.word(1));
    let name = worker.text_of(args.word(2))?;
    let kind = type_of_class(worker.mirrored(args.word(3)));
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

fn drop_arguments(worker: &mut Worker, target: u32, at: usize, dropped: &[Type]) -> Run<Done> {
    let from = worker.types_of_handle(target)?;
    if at > from.parameters.len() {
        return Err(worker.bad_argument("no argument type to append"));
    }
    let mut parameters = from.parameters.clone();
    parameters.splice(at..at, dropped.iter().cloned());
    let made = types(parameters, from.result.clone());
    let key = format!("drop{at}{}{}", text_of(&made), text_of(&from));
    let (behind, count) = (at + dropped.len(), made.parameters.len());
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[handle_type()],
        &|_, body| {
            body.part(0);
            body.arguments(0..at);
            body.arguments(behind..count);
            body.call(&from);
            body.give();
            Ok(())
        },
        &[target],
    )?;
    Ok(Done::Word(handle))
}

fn permute(worker: &mut Worker, args: &Args) -> Run<Done> {
    let from = worker.types_of_handle(args.word(0))?;
    let made = worker.types_of_object(args.word(1))?;
    if args.word(2) == 0 {
        return Err(worker.null_pointer());
    }
    let order: Vec<usize> =
        worker.references_of(args.word(2)).into_iter().map(|index| index as usize).collect();
    let fits = order.len() == from.parameters.len()
        && from.result == made.result
        && order.iter().zip(&from.parameters).all(|(&i, to)| made.parameters.get(i) == Some(to));
    if !fits {
        return Err(worker.bad_argument("bad reorder array"));
    }
    let key = format!("permute{order:?}{}{}", text_of(&made), text_of(&from));
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[handle_type()],
        &|_, body| {
            body.part(0);
            order.iter().for_each(|&index| body.argument(index));
            body.call(&from);
            body.give();
            Ok(())
        },
        &[args.word(0)],
    )?;
    Ok(Done::Word(handle))
}

fn filter_arguments(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (target, at, array) = (args.word(0), args.word(1) as usize, args.word(2));
    let from = worker.types_of_handle(target)?;
    if array == 0 {
        return Err(worker.null_pointer());
    }
    let filters = worker.references_of(array);
    if at + filters.len() > from.parameters.len() {
        return Err(worker.bad_argument("too many filters"));
    }
    let mut parameters = from.parameters.clone();
    let mut kinds = Vec::new();
    let mut words = vec![target];
    for (index, &filter) in filters.iter().enumerate() {
        if filter == 0 {
            kinds.push(None);
            continue;
        }
        let of = worker.types_of_handle(filter)?;
        let [parameter] = &of.parameters[..] else {
            return Err(worker.bad_argument("target and filter types do not match"));
        };
        if of.result != from.parameters[at + index] {
            return Err(worker.bad_argument("target and filter types do not match"));
        }
        parameters[at + index] = parameter.clone();
        words.push(filter);
        kinds.push(Some(of));
    }
    let made = types(parameters, from.result.clone());
    let filters: Vec<String> =
        kinds.iter().map(|kind| kind.as_ref().map_or("-".to_owned(), text_of)).collect();
    let key = format!("filter{at}{}{}", filters.concat(), text_of(&from));
    let handle = worker.new_method_handle(
        &key,
        &made,
        &vec![handle_type(); words.len()],
        &|_, body| {
            body.part(0);
            let mut part = 1;
            for index in 0..from.parameters.len() {
                let filter = index.checked_sub(at).and_then(|i| kinds.get(i)?.as_ref());
                match filter {
                    Some(of) => {
                        body.part(part);
                        part += 1;
                        body.argument(index);
                        body.call(of);
                    }
                    None => body.argument(index),
                }
            }
            body.call(&from);
            body.give();
            Ok(())
        },
        &words,
    )?;
    Ok(Done::Word(handle))
}

fn filter_result(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (target, filter) = (args.word(0), args.word(1));
    let (from, of) = (worker.types_of_handle(target)?, worker.types_of_handle(filter)?);
    let fits = match &of.parameters[..] {
        [] => from.result == Type::Primitive(b'V'),
        [one] => *one == from.result,
        _ => false,
    };
    if !fits {
        return Err(worker.bad_argument("target and filter types do not match"));
    }
    let made = types(from.parameters.clone(), of.result.clone());
    let key = format!("result{}{}", text_of(&from), text_of(&of));
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[handle_type(), handle_type()],
        &|_, body| {
            body.part(1);
            body.part(0);
            body.arguments(0..from.parameters.len());
            body.call(&from);
            body.call(&of);
            body.give();
            Ok(())
        },
        &[target, filter],
    )?;
    Ok(Done::Word(handle))
}

fn fold(worker: &mut Worker, target: u32, at: usize, combiner: u32) -> Run<Done> {
    let (from, of) = (worker.types_of_handle(target)?, worker.types_of_handle(combiner)?);
    let given = usize::from(of.result != Type::Primitive(b'V'));
    let mut parameters = from.parameters.clone();
    let fits = at + given <= parameters.len() && (given == 0 || parameters[at] == of.result);
    if fits {
        parameters.drain(at..at + given);
    }
    if !fits || parameters.get(at..at + of.parameters.len()) != Some(&of.parameters[..]) {
        return Err(worker.bad_argument("target and combiner types do not match"));
    }
    let made = types(parameters, from.result.clone());
    let key = format!("fold{at}{}{}", text_of(&from), text_of(&of));
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[handle_type(), handle_type()],
        &|_, body| {
            body.part(0);
            body.arguments(0..at);
            body.part(1);
            body.arguments(at..at + of.parameters.len());
            body.call(&of);
            body.arguments(at..made.parameters.len());
            body.call(&from);
            body.give();
            Ok(())
        },
        &[target, combiner],
    )?;
    Ok(Done::Word(handle))
}

fn collect_arguments(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (target, at, filter) = (args.word(0), args.word(1) as usize, args.word(2));
    let (from, of) = (worker.types_of_handle(target)?, worker.types_of_handle(filter)?);
    let given = usize::from(of.result != Type::Primitive(b'V'));
    let fits =
        at + given <= from.parameters.len() && (given == 0 || from.parameters[at] == of.result);
    if !fits {
        return Err(worker.bad_argument("target and filter types do not match"));
    }
    let mut parameters = from.parameters.clone();
    parameters.splice(at..at + given, of.parameters.iter().cloned());
    let made = types(parameters, from.result.clone());
    let key = format!("gather{at}{}{}", text_of(&from), text_of(&of));
    let behind = at + of.parameters.len();
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[handle_type(), handle_type()],
        &|_, body| {
            body.part(0);
            body.arguments(0..at);
            body.part(1);
            body.arguments(at..behind);
            body.call(&of);
            body.arguments(behind..made.parameters.len());
            body.call(&from);
            body.give();
            Ok(())
        },
        &[target, filter],
    )?;
    Ok(Done::Word(handle))
}

fn guard(worker: &mut Worker, args: &Args) -> Run<Done> {
    let [test, target, fallback] = [args.word(0), args.word(1), args.word(2)];
    let (asks, from) = (worker.types_of_handle(test)?, worker.types_of_handle(target)?);
    let other = worker.types_of_handle(fallback)?;
    let prefix = from.parameters.get(..asks.parameters.len());
    if from != other || prefix != Some(&asks.parameters[..]) || asks.result != Type::Primitive(b'Z')
    {
        return Err(worker.bad_argument("target and fallback types must match"));
    }
    let key = format!("guard{}{}", text_of(&asks), text_of(&from));
    let handle = worker.new_method_handle(
        &key,
        &from,
        &[handle_type(), handle_type(), handle_type()],
        &|_, body| {
            body.part(0);
            body.arguments(0..asks.parameters.len());
            body.call(&asks);
            let jump = body.code.jump(op::IFEQ);
            for part in [1, 2] {
                body.part(part);
                body.arguments(0..from.parameters.len());
                body.call(&from);
                body.give();
                if part == 1 {
                    body.code.land(jump);
                }
            }
            Ok(())
        },
        &[test, target, fallback],
    )?;
    Ok(Done::Word(handle))
}

fn catch(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (target, handler) = (args.word(0), args.word(2));
    let caught = worker.mirrored(args.word(1));
    let (from, of) = (worker.types_of_handle(target)?, worker.types_of_handle(handler)?);
    let passed = of.parameters.len().checked_sub(1);
    let fits = of.result == from.result
        && passed.is_some_and(|count| from.parameters.get(..count) == Some(&of.parameters[1..]));
    if !fits {
        return Err(worker.bad_argument("target and handler types must match"));
    }
    let key = format!("catch{}{}{}", caught.name, text_of(&from), text_of(&of));
    let handle = worker.new_method_handle(
        &key,
        &from,
        &[handle_type(), handle_type()],
        &|worker, body| {
            let start = body.code.insns.len() as u32;
            body.part(0);
            body.arguments(0..from.parameters.len());
            body.call(&from);
            let end = body.code.insns.len() as u32;
            body.give();
            let target = body.code.insns.len() as u32;
            let class = body.code.class_constant(caught);
            body.code.handlers.push(Handler { start, end, target, class });
            body.part(1);
            body.code.plain(op::SWAP);
            worker.convert_value(body.code, &type_of_class(caught), &of.parameters[0])?;
            body.arguments(0..of.parameters.len() - 1);
            body.call(&of);
            body.give();
            Ok(())
        },
        &[target, handler],
    )?;
    Ok(Done::Word(handle))
}

/// `constant`: the identity with its argument given.
fn constant(worker: &mut Worker, args: &Args) -> Run<Done> {
    let kind = type_of_class(worker.mirrored(args.word(0)));
    let identity = identity(worker, &kind)?;
    worker.bind(identity, 0, &[args.word(1)])
}

fn identity(worker: &mut Worker, kind: &Type) -> Run<u32> {
    let made = types(vec![kind.clone()], kind.clone());
    let key = format!("identity{}", text_of(&made));
    worker.new_method_handle(
        &key,
        &made,
        &[],
        &|_, body| {
            body.argument(0);
            body.give();
            Ok(())
        },
        &[],
    )
}

fn simple_value(worker: &mut Worker, args: &Args) -> Run<Done> {
    if args.word(0) == 0 {
        return Err(worker.null_pointer());
    }
    let kind = type_of_class(worker.mirrored(args.word(0)));
    if &*args.method.name == "identity" {
        return identity(worker, &kind).map(Done::Word);
    }
    let made = types(Vec::new(), kind.clone());
    let key = format!("zero{}", text_of(&made));
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[],
        &|_, body| {
            body.code.zero(&kind);
            body.give();
            Ok(())
        },
        &[],
    )?;
    Ok(Done::Word(handle))
}

fn throwing(worker: &mut Worker, args: &Args) -> Run<Done> {
    let result = type_of_class(worker.mirrored(args.word(0)));
    let thrown = type_of_class(worker.mirrored(args.word(1)));
    let made = types(vec![thrown], result);
    let key = format!("throw{}", text_of(&made));
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[],
        &|_, body| {
            body.argument(0);
            body.code.plain(op::ATHROW);
            Ok(())
        },
        &[],
    )?;
    Ok(Done::Word(handle))
}

fn of_array(worker: &mut Worker, args: &Args) -> Run<Done> {
    if args.word(0) == 0 {
        return Err(worker.null_pointer());
    }
    let class = worker.mirrored(args.word(0));
    let Some(element) = class.element() else {
        return Err(worker.bad_argument("not an array type"));
    };
    let (array, kind, int) = (type_of_class(class), type_of_class(element), Type::Primitive(b'I'));
    let void = Type::Primitive(b'V');
    let name = &*args.method.name;
    let made = match name {
        "arrayElementGetter" => types(vec![array, int], kind),
        "arrayElementSetter" => types(vec![array, int, kind], void),
        "arrayLength" => types(vec![array], int),
        _ => types(vec![int], array),
    };
    let key = format!("{name}{}", text_of(&made));
    let count = made.parameters.len();
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[],
        &|_, body| {
            body.arguments(0..count);
            match name {
                "arrayElementGetter" => body.code.plain(element_op(element, false)),
                "arrayElementSetter" => body.code.plain(element_op(element, true)),
                "arrayLength" => body.code.plain(op::ARRAYLENGTH),
                _ => body.code.new_array(element),
            }
            body.give();
            Ok(())
        },
        &[],
    )?;
    Ok(Done::Word(handle))
}

fn invoker(worker: &mut Worker, args: &Args) -> Run<Done> {
    let types = worker.types_of_object(args.word(0))?;
    worker.invoker_of(&types, &*args.method.name == "exactInvoker").map(Done::Word)
}

fn explicit_cast(worker: &mut Worker, args: &Args) -> Run<Done> {
    let from = worker.types_of_handle(args.word(0))?;
    let made = worker.types_of_object(args.word(1))?;
    if from.parameters.len() != made.parameters.len() {
        let text =
            format!("cannot explicitly cast MethodHandle{} to {}", simple(&from), simple(&made));
        return Err(worker.throw("java/lang/invoke/WrongMethodTypeException", Some(&text)));
    }
    let key = format!("cast{}{}", text_of(&from), text_of(&made));
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[handle_type()],
        &|worker, body| {
            body.part(0);
            for (index, to) in from.parameters.iter().enumerate() {
                body.argument(index);
                worker.cast_value(body.code, &made.parameters[index], to)?;
            }
            body.call(&from);
            worker.cast_value(body.code, &from.result, &made.result)?;
            body.give();
            Ok(())
        },
        &[args.word(0)],
    )?;
    Ok(Done::Word(handle))
}
