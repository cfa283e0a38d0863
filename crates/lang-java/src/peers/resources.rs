//! Resources: files of the library and of the class path that programs read through their classes.

use super::{Done, Peer, plain};
use crate::link::Class;
use crate::vm::{Run, Worker};

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match (class, name) {
        ("java/lang/Class", "getResourceAsStream") => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            let path = path_from(worker, class, args.word(1))?;
            stream(worker, class.library, &path)
        }),
        ("java/lang/Class", "getResource") => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            let path = path_from(worker, class, args.word(1))?;
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
                match worker.vm.registry.library_resource(&path) {
                    Some(_) => url(worker, &path),
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
        // What is in the JDK is read from its image.
        ("java/net/URL", "openStream") => plain(|worker, args| {
            let field = |worker: &mut Worker, name: &str| {
                let text = worker.get(args.word(0), worker.field_of(args.word(0), name)?.slot);
                if text == 0 { Ok(String::new()) } else { worker.text_of(text) }
            };
            if field(worker, "protocol")? != "jrt" {
                return Ok(Done::Bytecode);
            }
            let path = field(worker, "path")?;
            match worker.vm.registry.resource(&path) {
                Some(bytes) => worker.stream_of(&bytes).map(Done::Word),
                None => Err(worker.throw("java/io/IOException", Some(&path))),
            }
        }),
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
    let registry = &worker.vm.registry;
    let inside = registry.library_resource(path).and_then(|place| registry.resource(&place));
    let mut found = inside;
    if found.is_none() && !library {
        let read = worker.vm.registry.program_resource(path);
        found = read.map_err(|error| worker.load_failure(error))?;
    }
    match found {
        Some(bytes) => worker.stream_of(&bytes).map(Done::Word),
        None => Ok(Done::Word(0)),
    }
}

/// The URL of a file of the JDK or on the class path, or null.
fn url(worker: &mut Worker, path: &str) -> Run<Done> {
    let place = match worker.vm.registry.library_resource(path) {
        Some(place) => Some(format!("jrt:{place}")),
        None => {
            let found = worker.vm.registry.locate(path);
            found.map_err(|error| worker.load_failure(error))?.into_iter().next()
        }
    };
    let Some(place) = place.as_deref() else { return Ok(Done::Word(0)) };
    let class = worker.class("java/net/URL")?;
    worker.initialise_library(class)?;
    let Some(make) = class.declared("<init>", "(Ljava/lang/String;)V") else {
        return worker.unsupported("this JDK: URL without a constructor");
    };
    let place = worker.new_text(place)?;
    let stub = worker.reflection_stub(make)?;
    Ok(Done::Call(stub, vec![place]))
}

/// The URLs of all files of a name.
fn enumeration(worker: &mut Worker, name: u32, library: bool) -> Run<Done> {
    let path = text(worker, name)?;
    let found = match library {
        true => {
            let place = worker.vm.registry.library_resource(&path);
            place.map(|place| format!("jrt:{place}")).into_iter().collect()
        }
        false => worker.vm.registry.locate(&path).map_err(|error| worker.load_failure(error))?,
    };
    let urls = found.iter().map(|place| new_url(worker, place)).collect::<Run<Vec<u32>>>()?;
    let array = worker.class("[Ljava/net/URL;")?;
    let array = worker.new_references(array, &urls)?;
    let list = worker.class("java/util/Arrays$ArrayList")?;
    worker.initialise_library(list)?;
    let object = worker.new_instance(list)?;
    let slot = worker.library_field(list, "a")?.slot;
    worker.set(object, slot, array);
    let class = worker.class("java/util/Collections")?;
    worker.initialise_library(class)?;
    match class.declared("enumeration", "(Ljava/util/Collection;)Ljava/util/Enumeration;") {
        Some(method) => Ok(Done::Call(method, vec![object])),
        None => worker.unsupported("this JDK: Collections without enumeration"),
    }
}

/// The object of a URL of a file or of an entry of a jar, as the constructor would make it.
fn new_url(worker: &mut Worker, place: &str) -> Run<u32> {
    let (protocol, path) = place.split_once(':').unwrap_or(("file", place));
    let handler = worker.class(&format!("sun/net/www/protocol/{protocol}/Handler"))?;
    let class = worker.class("java/net/URL")?;
    for class in [handler, class] {
        worker.initialise_library(class)?;
    }
    let handler = worker.new_instance(handler)?;
    let [protocol, path, host] = [protocol, path, ""].map(|part| worker.new_text(part));
    let (protocol, path, host) = (protocol?, path?, host?);
    let object = worker.new_instance(class)?;
    for (field, value) in [
        ("protocol", protocol),
        ("host", host),
        ("port", u32::MAX),
        ("file", path),
        ("path", path),
        ("handler", handler),
        ("hashCode", u32::MAX),
    ] {
        let slot = worker.library_field(class, field)?.slot;
        worker.set(object, slot, value);
    }
    Ok(object)
}
