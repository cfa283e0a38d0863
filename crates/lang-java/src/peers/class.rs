//! java.lang.Class.

use super::{Args, Done, Peer, plain};
use crate::classfile::flags;
use crate::link::{Class, Kind, LoadError};
use crate::vm::{Run, Worker};

pub(super) fn find(name: &str, descriptor: &str) -> Option<Peer> {
    match name {
        "desiredAssertionStatus" => plain(super::loaders::asserting),
        "isInstance" => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            let object = args.word(1);
            Ok(Done::bool(object != 0 && worker.class_of(object).is_subtype_of(class)))
        }),
        "isAssignableFrom" => plain(|worker, args| {
            if args.word(1) == 0 {
                return Err(worker.null_pointer());
            }
            let (to, from) = (worker.given_class(args.word(0))?, worker.given_class(args.word(1))?);
            Ok(Done::bool(from.is_subtype_of(to)))
        }),
        "isInterface" => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            Ok(Done::bool(class.is_interface()))
        }),
        "isArray" => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            Ok(Done::bool(class.element().is_some()))
        }),
        "isPrimitive" => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            Ok(Done::bool(matches!(class.kind, Kind::Primitive(_))))
        }),
        "isHidden" => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            Ok(Done::bool(class.hidden))
        }),
        "isRecord0" => plain(|worker, args| {
            let file = worker.given_class(args.word(0))?.file.as_ref();
            Ok(Done::bool(file.is_some_and(|file| file.is_record())))
        }),
        "getPrimitiveClass" => plain(primitive),
        "initClassName" => plain(|worker, args| {
            let name = worker.given_class(args.word(0))?.get_name();
            worker.literal(&name).map(Done::Word)
        }),
        "getSuperclass" => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            match class.super_class {
                Some(parent) if !class.is_interface() => worker.mirror(parent).map(Done::Word),
                _ => Ok(Done::Word(0)),
            }
        }),
        "getInterfaces0" => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            let mirrors: Vec<u32> =
                class.interfaces.iter().map(|parent| worker.mirror(parent)).collect::<Run<_>>()?;
            let array = worker.class("[Ljava/lang/Class;")?;
            worker.new_references(array, &mirrors).map(Done::Word)
        }),
        "getModifiers" => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            Ok(Done::Word(u32::from(modifiers(class))))
        }),
        "forName0" => plain(for_name),
        "forName" if descriptor == "(Ljava/lang/String;)Ljava/lang/Class;" => plain(for_name),
        "getSimpleBinaryName0" => plain(|worker, args| {
            match inner(worker.given_class(args.word(0))?).and_then(|(_, name)| name) {
                Some(name) => worker.literal(&name).map(Done::Word),
                None => Ok(Done::Word(0)),
            }
        }),
        "getDeclaringClass0" => plain(|worker, args| {
            match inner(worker.given_class(args.word(0))?).and_then(|(outer, _)| outer) {
                Some(outer) => {
                    let class = worker.given_class(args.word(0))?;
                    let outer = worker.class_seen_from(class, &outer)?;
                    if outer.space != class.space {
                        let text = format!(
                            "{} and {} disagree on InnerClasses attribute",
                            outer.get_name(),
                            class.get_name()
                        );
                        let error = "java/lang/IncompatibleClassChangeError";
                        return Err(worker.throw(error, Some(&text)));
                    }
                    worker.mirror(outer).map(Done::Word)
                }
                None => Ok(Done::Word(0)),
            }
        }),
        "getEnclosingMethod0" => plain(enclosing_method),
        "getNestHost0" => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            let outer = class.name.split('$').next().unwrap_or(&class.name).to_owned();
            let host = match class.space {
                0 => worker.class(&outer).unwrap_or(class),
                _ => worker.class_from(class, &outer)?,
            };
            worker.mirror(host).map(Done::Word)
        }),
        "getEnumConstantsShared" => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            let descriptor = format!("()[L{};", class.name);
            match class.declared("values", &descriptor) {
                Some(method) if class.is(flags::ENUM) => {
                    if !worker.initialise(class)? {
                        return Ok(Done::Again);
                    }
                    Ok(Done::Call(method, Vec::new()))
                }
                _ => Ok(Done::Word(0)),
            }
        }),
        "checkMemberAccess" | "checkPackageAccess" => plain(|_, _| Ok(Done::Void)),
        "getSigners" => plain(|_, _| Ok(Done::Word(0))),
        "getProtectionDomain0" => plain(|_, _| Ok(Done::Word(0))),
        "getModule" => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            worker.module_of(class).map(Done::Word)
        }),
        _ => None,
    }
}

fn modifiers(class: &'static Class) -> u16 {
    if class.hidden && class.super_class.is_some_and(|parent| parent.name.ends_with("/Proxy")) {
        return flags::PUBLIC | flags::FINAL;
    }
    let declared = class.file.as_ref().and_then(|file| {
        let rows = file.inner_classes();
        rows.into_iter().find(|(inner, ..)| *inner == &*class.name).map(|(_, _, _, flags)| flags)
    });
    declared.unwrap_or(class.flags) & !flags::SYNCHRONIZED
}

/// The class around a class and its simple name; `None` for a class that is in no other.
fn inner(class: &'static Class) -> Option<(Option<String>, Option<String>)> {
    let file = class.file.as_ref()?;
    let rows = file.inner_classes();
    let row = rows.into_iter().find(|(inner, ..)| *inner == &*class.name)?;
    Some((row.1.map(str::to_owned), row.2.map(str::to_owned)))
}

fn enclosing_method(worker: &mut Worker, args: &Args) -> Run<Done> {
    let class = worker.given_class(args.word(0))?;
    let Some(file) = &class.file else { return Ok(Done::Word(0)) };
    let Some(mut at) = file.attribute(&file.attributes, "EnclosingMethod") else {
        return Ok(Done::Word(0));
    };
    let (Ok(outer), Ok(method)) = (at.u16(), at.u16()) else { return Ok(Done::Word(0)) };
    let Ok(outer) = file.pool.class_name(&file.bytes, outer) else { return Ok(Done::Word(0)) };
    let outer = worker.class_seen_from(class, outer)?;
    let mut parts = vec![worker.mirror(outer)?, 0, 0];
    if let Ok((name, descriptor)) = file.pool.name_type(&file.bytes, method) {
        parts[1] = worker.literal(name)?;
        parts[2] = worker.literal(descriptor)?;
    }
    let array = worker.class("[Ljava/lang/Object;")?;
    worker.new_references(array, &parts).map(Done::Word)
}

fn primitive(worker: &mut Worker, args: &Args) -> Run<Done> {
    let name = worker.text_of(args.word(0))?;
    let kind = b"ZBCSIJFDV".iter().find(|&&kind| crate::code::primitive_name(kind) == name);
    match kind {
        Some(&kind) => {
            let class = worker.vm.registry.primitive(kind);
            worker.mirror(class).map(Done::Word)
        }
        None => Ok(Done::Word(0)),
    }
}

fn for_name(worker: &mut Worker, args: &Args) -> Run<Done> {
    if args.word(0) == 0 {
        return Err(worker.null_pointer());
    }
    let name = worker.text_of(args.word(0))?;
    let missing =
        |worker: &mut Worker| worker.throw("java/lang/ClassNotFoundException", Some(&name));
    let primitive = b"ZBCSIJFDV".iter().any(|&kind| crate::code::primitive_name(kind) == name);
    if name.contains('/') || primitive {
        return Err(missing(worker));
    }
    let simple = &*args.method.name == "forName";
    let loader = match simple {
        true => worker.loader_of(worker.top.method.class)?,
        false => args.word(2),
    };
    let class = if loader != 0 && worker.is_own_loader(loader) {
        worker.ask(loader, &name.replace('.', "/"), false)?
    } else {
        let whole = simple || loader != 0;
        match worker.vm.registry.class(&name.replace('.', "/")) {
            Ok(class) if whole || class.library => class,
            // What it extends is not there.
            Err(LoadError::Missing(other))
                if !name.starts_with('[') && other.replace('/', ".") != name =>
            {
                return Err(worker.load_failure(LoadError::Missing(other)));
            }
            Ok(_) | Err(LoadError::Missing(_)) => return Err(missing(worker)),
            Err(error) => return Err(worker.load_failure(error)),
        }
    };
    let initialise = simple || args.word(1) != 0;
    if initialise && class.kind == Kind::Instance && !worker.initialise(class)? {
        return Ok(Done::Again);
    }
    worker.mirror(class).map(Done::Word)
}
