//! Classes that loaders of the program define from bytes, and what such loaders answer.

use super::{Args, Done, Peer, plain};
use crate::classfile::{ClassFile, flags};
use crate::link::Class;
use crate::vm::{LOADING_CLASS, Run, Worker};

pub(super) fn find(class: &str, name: &str) -> Option<Peer> {
    match (class, name) {
        ("java/lang/ClassLoader", "defineClass1") => plain(|worker, args| {
            let bytes = range(worker, args.word(2), args.int(3), args.int(4))?;
            define(worker, args.word(0), args.word(1), bytes)
        }),
        (LOADING_CLASS, "answered") => plain(answered),
        (LOADING_CLASS, "missing") => plain(|worker, args| {
            let name = worker.text_of(args.word(1))?.replace('.', "/");
            let error = "java/lang/NoClassDefFoundError";
            let error = worker.new_throwable(error, Some(&name), Some(args.word(0)))?;
            Err(crate::vm::Trap::Throw(error))
        }),
        _ => None,
    }
}

/// Bytes of an array.
fn range(worker: &mut Worker, array: u32, from: i32, count: i32) -> Run<Vec<u8>> {
    if array == 0 {
        return Err(worker.null_pointer());
    }
    worker.touch(array)?;
    let bytes = worker.bytes_of(array);
    let (start, end) = (i64::from(from), i64::from(from) + i64::from(count));
    if count < 0 || start < 0 || end > bytes.len() as i64 {
        return Err(worker.throw("java/lang/ArrayIndexOutOfBoundsException", None));
    }
    Ok(bytes[start as usize..end as usize].to_vec())
}

/// `ClassLoader.defineClass`.
fn define(worker: &mut Worker, loader: u32, name: u32, bytes: Vec<u8>) -> Run<Done> {
    let given = match name {
        0 => None,
        name => Some(worker.text_of(name)?.replace('.', "/")),
    };
    let shown = given.as_deref().unwrap_or("<Unknown>").to_owned();
    if bytes.len() < 4 {
        let text = "Truncated class file";
        return Err(worker.throw("java/lang/ClassFormatError", Some(text)));
    }
    let magic = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    if magic != 0xcafe_babe {
        let text = format!("Incompatible magic value {magic} in class file {shown}");
        return Err(worker.throw("java/lang/ClassFormatError", Some(&text)));
    }
    let file = match ClassFile::read(bytes) {
        Ok(file) => file,
        Err(error) => return worker.unsupported(format!("defining the class {shown}: {error}")),
    };
    if let Some(given) = given.filter(|given| **given != *file.name) {
        let text = format!("{given} (wrong name: {})", file.name);
        return Err(worker.throw("java/lang/NoClassDefFoundError", Some(&text)));
    }
    if let Some((package, _)) = file.name.rsplit_once('/')
        && (package == "java" || package.starts_with("java/"))
    {
        let text = format!("Prohibited package name: {}", package.replace('/', "."));
        return Err(worker.throw("java/lang/SecurityException", Some(&text)));
    }
    let Some(parent) = &file.super_name else {
        return worker.unsupported(format!("the class {} without a superclass", file.name));
    };
    let super_class = worker.ask(loader, parent, true)?;
    let mut interfaces = Vec::new();
    for interface in &file.interfaces {
        interfaces.push(worker.ask(loader, interface, true)?);
    }
    check_parents(worker, loader, &file, super_class, &interfaces)?;
    worker.touch(loader)?;
    if worker.known_to(loader, &file.name)?.is_some() {
        let text = format!(
            "loader {} attempted duplicate class definition for {}. ({} is in unnamed module of \
             loader {0}, parent loader 'app')",
            worker.loader_text(loader)?,
            file.name.replace('/', "."),
            file.name.replace('/', "."),
        );
        return Err(worker.throw("java/lang/LinkageError", Some(&text)));
    }
    let space = worker.space_of(loader, &file.name, &file.bytes)?;
    let name = file.name.clone();
    let defined = worker.vm.registry.define_file(space, file, super_class, interfaces);
    let Some(class) = defined.map_err(|error| worker.load_failure(error))? else {
        return worker.unsupported(format!("a loader with different classes {name}"));
    };
    let mirror = worker.mirror(class)?;
    let slot = worker.field_of(mirror, "classLoader")?.slot;
    worker.set_reference(mirror, slot, loader);
    worker.note_loaded(loader, class)?;
    Ok(Done::Word(mirror))
}

/// What a class may not extend and implement.
fn check_parents(
    worker: &mut Worker,
    loader: u32,
    file: &ClassFile,
    super_class: &'static Class,
    interfaces: &[&'static Class],
) -> Run<()> {
    let name = file.name.replace('/', ".");
    // They are of other loaders, so in other packages.
    let parents = std::iter::once(super_class).chain(interfaces.iter().copied());
    let space = worker.space_if_any(loader)?;
    let hidden = parents.filter(|parent| space != Some(parent.space) || parent.space == 0);
    if let Some(parent) = hidden.into_iter().find(|parent| !parent.is(flags::PUBLIC)) {
        let kind = if parent.is_interface() { "superinterface" } else { "superclass" };
        let home = worker.loader_text(loader)?;
        let text = format!(
            "class {name} cannot access its {kind} {} ({name} is in unnamed module of loader {home}; {0} \
             is in {})",
            parent.get_name(),
            worker.home(parent)?,
        );
        return Err(worker.throw("java/lang/IllegalAccessError", Some(&text)));
    }
    let text = if super_class.is_interface() {
        format!("class {name} has interface {} as super class", super_class.get_name())
    } else if super_class.is(flags::FINAL) {
        format!("class {name} cannot inherit from final class {}", super_class.get_name())
    } else if let Some(other) = interfaces.iter().find(|class| !class.is_interface()) {
        format!(
            "class {name} can not implement {}, because it is not an interface",
            other.get_name()
        )
    } else {
        return Ok(());
    };
    Err(worker.throw("java/lang/IncompatibleClassChangeError", Some(&text)))
}

/// What a loader answered when it was asked for a class.
fn answered(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (loader, name, mirror) = (args.word(0), worker.text_of(args.word(1))?, args.word(2));
    if mirror == 0 {
        return Err(worker.throw("java/lang/ClassNotFoundException", Some(&name)));
    }
    let class = worker.mirrored(mirror);
    if class.get_name() != name {
        return worker
            .unsupported(format!("a loader that answers {name} with {}", class.get_name()));
    }
    worker.touch(loader)?;
    match worker.known_to(loader, &class.name)? {
        Some(known) if known != class => {
            worker.unsupported(format!("a loader with different classes {name}"))
        }
        Some(_) => Ok(Done::Void),
        None => {
            worker.note_loaded(loader, class)?;
            Ok(Done::Void)
        }
    }
}
