//! Resources: files of the library and of the class path that programs read through their classes.

use super::{Done, Peer, plain};
use crate::link::Class;
use crate::vm::{Run, Worker};

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match (class, name) {
        ("java/lang/Class", "getResourceAsStream") => plain(|worker, args| {
            let class = worker.mirrored(args.word(0));
            let path = path_from(worker, class, args.word(1))?;
            stream(worker, class.library, &path)
        }),
        ("java/lang/Class", "getResource") => plain(|worker, args| {
            let class = worker.mirrored(args.word(0));
            let path = path_from(worker, class, args.word(1))?;
            if class.library {
                return worker.unsupported("the URL of a resource of the JDK");
            }
            url(worker, &path)
        }),
        ("java/lang/ClassLoader", "getResourceAsStream") => plain(|worker, args| {
            // Loaders of the program's own may look elsewhere.
            if !worker.class_of(args.word(0)).library {
                return Ok(Done::Bytecode);
            }
            let path = text(worker, args.word(1))?;
            stream(worker, false, &path)
        }),
        ("java/lang/ClassLoader", "getSystemResourceAsStream") => plain(|worker, args| {
            let path = text(worker, args.word(0))?;
            stream(worker, false, &path)
        }),
        ("jdk/internal/loader/BootLoader", "findResource")
            if descriptor.starts_with("(Ljava/lang/String;)") =>
        {
            plain(|worker, args| {
                let path = text(worker, args.word(0))?;
                match worker.vm.registry.resource(&format!("/java.base/{path}")) {
                    Some(_) => worker.unsupported("the URL of a resource of the JDK"),
                    None => Ok(Done::Word(0)),
                }
            })
        }
        ("jdk/internal/loader/BuiltinClassLoader", "findResource")
            if descriptor.starts_with("(Ljava/lang/String;)") =>
        {
            plain(|worker, args| {
                let path = text(worker, args.word(1))?;
                url(worker, &path)
            })
        }
        ("jdk/internal/loader/BootLoader", "findResources") => {
            plain(|worker, args| enumeration(worker, args.word(0), true))
        }
        ("jdk/internal/loader/BuiltinClassLoader", "findResources") => {
            plain(|worker, args| enumeration(worker, args.word(1), false))
        }
        _ => None,
    }
}

fn text(worker: &mut Worker, name: u32) -> Run<String> {
    if name == 0 {
        return Err(worker.null_pointer());
    }
    worker.text_of(name)
}

/// The path that a name means to a class.
fn path_from(worker: &mut Worker, class: &'static Class, name: u32) -> Run<String> {
    let name = text(worker, name)?;
    Ok(match name.strip_prefix('/') {
        Some(path) => path.to_owned(),
        None => match class.name.rsplit_once('/') {
            Some((package, _)) => format!("{package}/{name}"),
            None => name,
        },
    })
}

fn stream(worker: &mut Worker, library: bool, path: &str) -> Run<Done> {
    let mut found = worker.vm.registry.resource(&format!("/java.base/{path}"));
    if found.is_none() && !library {
        let read = worker.vm.registry.program_resource(path);
        found = read.map_err(|error| worker.load_failure(error))?;
    }
    match found {
        Some(bytes) => worker.stream_of(&bytes).map(Done::Word),
        None => Ok(Done::Word(0)),
    }
}

/// The URL of a file on the class path, or null.
fn url(worker: &mut Worker, path: &str) -> Run<Done> {
    let found = worker.vm.registry.locate(path).map_err(|error| worker.load_failure(error))?;
    let Some(place) = found.first() else { return Ok(Done::Word(0)) };
    let class = worker.class("java/net/URL")?;
    worker.initialise_library(class)?;
    let Some(make) = class.declared("<init>", "(Ljava/lang/String;)V") else {
        return worker.unsupported("this JDK: URL without a constructor");
    };
    let place = worker.new_text(place)?;
    let stub = worker.reflection_stub(make)?;
    Ok(Done::Call(stub, vec![place]))
}

/// Where nothing is found the answer is known; otherwise several URLs would have to be made.
fn enumeration(worker: &mut Worker, name: u32, library: bool) -> Run<Done> {
    let path = text(worker, name)?;
    let none = match library {
        true => worker.vm.registry.resource(&format!("/java.base/{path}")).is_none(),
        false => {
            let found = worker.vm.registry.locate(&path);
            found.map_err(|error| worker.load_failure(error))?.is_empty()
        }
    };
    if !none {
        return worker.unsupported("the URLs of all resources of a name");
    }
    let class = worker.class("java/util/Collections")?;
    worker.initialise_library(class)?;
    match class.declared("emptyEnumeration", "()Ljava/util/Enumeration;") {
        Some(method) => Ok(Done::Call(method, Vec::new())),
        None => worker.unsupported("this JDK: Collections without emptyEnumeration"),
    }
}
