//! `StackWalker`: all frames of the thread are there when a walk begins, as objects of a class of the virtual machine's own.

use super::{Args, Done, Peer, plain};
use crate::classfile::flags;
use crate::code::{Descriptor, Type, op};
use crate::dynamic::Assembler;
use crate::link::{Class, Method, NewMethod};
use crate::vm::{Run, Worker};

/// The class of frames.
pub(super) const FRAME: &str = "everypath/StackFrame";

const WALK: &str = "(Ljava/util/function/Function;[Ljava/lang/Object;)Ljava/lang/Object;";
const EACH: &str = "(Ljava/util/function/Consumer;[Ljava/lang/Object;)V";

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match (class, name) {
        ("java/lang/StackWalker", "walk") => plain(|worker, args| walk(worker, args, "walk", WALK)),
        ("java/lang/StackWalker", "forEach") => {
            plain(|worker, args| walk(worker, args, "forEach", EACH))
        }
        ("java/lang/StackStreamFactory", "checkStackWalkModes") => {
            plain(|_, _| Ok(Done::bool(true)))
        }
        ("java/lang/StackWalker", "getCallerClass") => plain(caller),
        (FRAME, "getDeclaringClass") => plain(|worker, args| {
            if field(worker, args, "retained")? == 0 {
                let text = "No access to RETAIN_CLASS_REFERENCE";
                return Err(worker.throw("java/lang/UnsupportedOperationException", Some(text)));
            }
            field(worker, args, "declaring").map(Done::Word)
        }),
        (FRAME, "getDescriptor") => {
            plain(|worker, args| field(worker, args, "descriptor").map(Done::Word))
        }
        (FRAME, "getMethodType") => plain(|worker, args| {
            if field(worker, args, "retained")? == 0 {
                let text = "No access to RETAIN_CLASS_REFERENCE";
                return Err(worker.throw("java/lang/UnsupportedOperationException", Some(text)));
            }
            let text = field(worker, args, "descriptor")?;
            match Descriptor::of(&worker.text_of(text)?) {
                Some(types) => worker.method_type_object(&types),
                None => worker.unsupported("a frame without a type"),
            }
        }),
        (FRAME, "getByteCodeIndex") => {
            plain(|worker, args| field(worker, args, "index").map(Done::Word))
        }
        (FRAME, "toStackTraceElement") => {
            plain(|worker, args| field(worker, args, "element").map(Done::Word))
        }
        (FRAME, _) if descriptor.starts_with("()") => plain(of_element),
        _ => None,
    }
}

fn field(worker: &Worker, args: &Args, name: &str) -> Run<u32> {
    Ok(worker.get(args.word(0), worker.field_of(args.word(0), name)?.slot))
}

/// What the element of a stack trace knows under the same name.
fn of_element(worker: &mut Worker, args: &Args) -> Run<Done> {
    let element = field(worker, args, "element")?;
    match worker.class_of(element).declared(&args.method.name, &args.method.text) {
        Some(method) => Ok(Done::Call(method, vec![element])),
        None => worker.unsupported(format!("StackFrame.{}", args.method.name)),
    }
}

/// The frames that a walk shows: method and instruction, innermost first.
fn shown(worker: &Worker, reflection: bool) -> Vec<(&'static Method, u32)> {
    let frames = std::iter::once(&worker.top).chain(worker.frames.iter().rev());
    let frames = frames.filter(|frame| !frame.method.class.hidden);
    let frames = frames.filter(|frame| {
        let name = &*frame.method.class.name;
        let calls = matches!(name, "java/lang/reflect/Method" | "java/lang/reflect/Constructor");
        reflection || !(calls || name.starts_with("jdk/internal/reflect/"))
    });
    frames.map(|frame| (frame.method, frame.pc)).collect()
}

fn flag(worker: &Worker, walker: u32, name: &str) -> Run<bool> {
    Ok(worker.get(walker, worker.field_of(walker, name)?.slot) != 0)
}

fn walk(worker: &mut Worker, args: &Args, name: &str, descriptor: &str) -> Run<Done> {
    let (walker, function) = (args.word(0), args.word(1));
    if function == 0 {
        return Err(worker.null_pointer());
    }
    let retained = flag(worker, walker, "retainClassRef")?;
    // The third option, to show hidden frames, implies the second one.
    let options = worker.get(walker, worker.field_of(walker, "options")?.slot);
    let reflection = has_option(worker, options)?;
    let class = frame_class(worker)?;
    let mut frames = Vec::new();
    for (method, pc) in shown(worker, reflection) {
        let element = super::lang::stack_trace_element(worker, method, pc)?;
        let frame = worker.new_instance(class)?;
        let declaring = worker.mirror(method.class)?;
        let text = worker.literal(&method.text)?;
        for (name, value) in [
            ("element", element),
            ("declaring", declaring),
            ("descriptor", text),
            ("index", pc),
            ("retained", u32::from(retained)),
        ] {
            let slot = worker.library_field(class, name)?.slot;
            worker.set(frame, slot, value);
        }
        frames.push(frame);
    }
    let array = worker.class("[Ljava/lang/Object;")?;
    let array = worker.new_references(array, &frames)?;
    match class.declared(name, descriptor) {
        Some(method) => Ok(Done::Call(method, vec![function, array])),
        None => worker.unsupported("walking the stack"),
    }
}

/// Whether an option beyond the first is in a set of options.
fn has_option(worker: &mut Worker, set: u32) -> Run<bool> {
    if set == 0 {
        return Ok(false);
    }
    let Ok(elements) = worker.field_of(set, "elements") else { return Ok(false) };
    Ok(worker.get_long(set, elements.slot) & !1 != 0)
}

/// `StackWalker.getCallerClass`.
fn caller(worker: &mut Worker, args: &Args) -> Run<Done> {
    if !flag(worker, args.word(0), "retainClassRef")? {
        let text = "This stack walker does not have RETAIN_CLASS_REFERENCE access";
        return Err(worker.throw("java/lang/UnsupportedOperationException", Some(text)));
    }
    match shown(worker, false).get(1) {
        Some((method, _)) => worker.mirror(method.class).map(Done::Word),
        None => Err(worker.throw("java/lang/IllegalCallerException", Some("no caller frame"))),
    }
}

/// Makes the class of frames, which has the code of walks as well.
fn frame_class(worker: &mut Worker) -> Run<&'static Class> {
    let object = worker.class("java/lang/Object")?;
    let interface = worker.class("java/lang/StackWalker$StackFrame")?;
    let mut methods = Vec::new();
    for method in interface.linked().methods.iter().filter(|method| !method.is_static()) {
        methods.push(NewMethod {
            name: method.name.to_string(),
            descriptor: method.text.to_string(),
            flags: flags::PUBLIC | flags::NATIVE,
        });
    }
    methods.push(NewMethod {
        name: "toString".to_owned(),
        descriptor: "()Ljava/lang/String;".to_owned(),
        flags: flags::PUBLIC | flags::NATIVE,
    });
    for (name, descriptor) in [("walk", WALK), ("forEach", EACH)] {
        methods.push(NewMethod {
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
            flags: flags::PUBLIC | flags::STATIC,
        });
    }
    let fields = [
        ("element", "Ljava/lang/StackTraceElement;"),
        ("declaring", "Ljava/lang/Class;"),
        ("descriptor", "Ljava/lang/String;"),
        ("index", "I"),
        ("retained", "I"),
    ]
    .map(|(name, kind)| (name.to_owned(), kind.to_owned()));
    let pool = vec![None; 16];
    let defined = worker.vm.registry.define(FRAME, object, vec![interface], &fields, methods, pool);
    let class = defined.map_err(|error| worker.load_failure(error))?;
    let method = |worker: &Worker, class: &str, name: &str, descriptor: &str| match worker
        .class(class)?
        .declared(name, descriptor)
    {
        Some(method) => Ok(method),
        None => worker.unsupported(format!("this JDK: {class} has no {name}")),
    };
    let stream = method(
        worker,
        "java/util/Arrays",
        "stream",
        "([Ljava/lang/Object;)Ljava/util/stream/Stream;",
    )?;
    let apply = method(
        worker,
        "java/util/function/Function",
        "apply",
        "(Ljava/lang/Object;)Ljava/lang/Object;",
    )?;
    let each =
        method(worker, "java/util/stream/Stream", "forEach", "(Ljava/util/function/Consumer;)V")?;
    let mut used = 1;
    let kind = Type::Reference("java/lang/Object".into());
    for (name, descriptor) in [("walk", WALK), ("forEach", EACH)] {
        let Some(made) = class.declared(name, descriptor) else { continue };
        if made.code.get().is_some() {
            continue;
        }
        let mut code = Assembler::within(class, &mut used);
        if name == "walk" {
            code.load(&kind, 0);
            code.load(&kind, 1);
            code.call(op::INVOKESTATIC, stream);
            code.call(op::INVOKEVIRTUAL, apply);
            code.plain(op::ARETURN);
        } else {
            code.load(&kind, 1);
            code.call(op::INVOKESTATIC, stream);
            code.load(&kind, 0);
            code.call(op::INVOKEVIRTUAL, each);
            code.plain(op::RETURN);
        }
        let _ = made.code.set(Ok(code.finish(made)));
    }
    Ok(class)
}
