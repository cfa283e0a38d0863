//! Class loaders, services and resources. There is one flat world of classes: the library has no loader,
//! everything else has the one that programs know as the system's.

use std::sync::OnceLock;

use super::{Args, Done, Peer, plain};
use crate::link::{Class, Kind, LoadError};
use crate::load::Jdk;
use crate::vm::{Run, Worker};

/// The descriptor of a file of the JDK that initialisers of the library read.
const JDK_FILE: u32 = 1000;

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match (class, name) {
        (
            "java/lang/ClassLoader",
            "getSystemClassLoader"
            | "getBuiltinAppClassLoader"
            | "getPlatformClassLoader"
            | "getBuiltinPlatformClassLoader",
        )
        | ("java/lang/Thread", "getContextClassLoader") => {
            plain(|worker, _| worker.app_loader().map(Done::Word))
        }
        ("java/lang/Class", "getClassLoader" | "getClassLoader0") => plain(|worker, args| {
            if worker.mirrored(args.word(0)).library {
                return Ok(Done::Word(0));
            }
            worker.app_loader().map(Done::Word)
        }),
        (
            "java/lang/ClassLoader"
            | "jdk/internal/loader/BuiltinClassLoader"
            | "jdk/internal/loader/ClassLoaders$AppClassLoader",
            "loadClass",
        ) if descriptor.starts_with("(Ljava/lang/String;") => {
            plain(|worker, args| load(worker, args.word(1), true))
        }
        ("jdk/internal/loader/BuiltinClassLoader", "loadClassOrNull") => {
            plain(|worker, args| load(worker, args.word(1), false))
        }
        ("java/lang/ClassLoader", "findLoadedClass0") => {
            plain(|worker, args| load(worker, args.word(1), false))
        }
        ("java/lang/ClassLoader", "findBootstrapClass")
        | ("jdk/internal/loader/BootLoader", "loadClassOrNull") => {
            plain(|worker, args| load(worker, args.word(0), false))
        }
        ("jdk/internal/loader/BootLoader", "loadClass") => {
            plain(|worker, args| load(worker, args.word(1), false))
        }
        ("jdk/internal/loader/BootLoader", "setBootLoaderUnnamedModule0" | "loadLibrary") => {
            plain(|_, _| Ok(Done::Void))
        }
        ("jdk/internal/loader/BootLoader", "findResourceAsStream") => {
            plain(|worker, args| resource(worker, args.word(0), args.word(1)))
        }
        ("java/lang/Class", "getResourceAsStream") => plain(class_resource),
        ("java/util/ServiceLoader", "load" | "loadInstalled") => plain(services),
        ("java/util/ServiceLoader", "iterator") => plain(|worker, _| {
            let class = worker.class("java/util/Collections")?;
            worker.initialise_library(class)?;
            match class.declared("emptyIterator", "()Ljava/util/Iterator;") {
                Some(method) => Ok(Done::Call(method, Vec::new())),
                None => worker.unsupported("this JDK: Collections without emptyIterator"),
            }
        }),
        ("java/io/FileInputStream", "open0") => plain(open),
        ("java/io/UnixFileSystem", "canonicalize0" | "canonicalize") => {
            plain(|_, args| Ok(Done::Word(args.word(1))))
        }
        ("java/io/UnixFileSystem", "getBooleanAttributes0") => plain(|worker, args| {
            let file = args.word(1);
            let path = worker.text_of(worker.get(file, worker.field_of(file, "path")?.slot))?;
            // The library looks for files that it can do without in its own directory.
            let path_in_jdk = path.trim_start_matches('/');
            if path_in_jdk.starts_with("lib/") || path_in_jdk.starts_with("conf/") {
                return Ok(Done::Word(0));
            }
            worker.unsupported(format!("looking for the file {path}"))
        }),
        ("java/util/zip/CRC32", "updateBytes0") => plain(|worker, args| {
            let bytes = worker.bytes_of(args.word(1));
            let range = args.word(2) as usize..(args.word(2) + args.word(3)) as usize;
            let part = bytes.get(range).unwrap_or(&[]);
            let sum = part.iter().fold(!args.word(0), |mut sum, &byte| {
                sum ^= u32::from(byte);
                for _ in 0..8 {
                    sum = (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
                }
                sum
            });
            Ok(Done::Word(!sum))
        }),
        ("java/lang/Module", "isNamed") => plain(|worker, args| {
            let unnamed = worker.fixed("java/lang/Module", "unnamed module")?;
            Ok(Done::bool(args.word(0) != unnamed))
        }),
        ("java/lang/Class", "getPackage") => plain(package),
        (
            "java/lang/Module",
            "isExported"
            | "isOpen"
            | "canRead"
            | "canUse"
            | "isReflectivelyOpened"
            | "isReflectivelyExported",
        ) => plain(|_, _| Ok(Done::bool(true))),
        _ => None,
    }
}

impl Worker {
    /// The loader of everything that is not the library.
    pub fn app_loader(&mut self) -> Run<u32> {
        self.fixed("jdk/internal/loader/ClassLoaders$AppClassLoader", "app loader")
    }

    /// The module of a class: one for the library and an unnamed one.
    pub fn module_of(&mut self, class: &'static Class) -> Run<u32> {
        let name = if class.library { "module" } else { "unnamed module" };
        self.fixed("java/lang/Module", name)
    }

    /// A stream over bytes.
    fn stream_of(&mut self, bytes: &[u8]) -> Run<u32> {
        let array = self.new_bytes(bytes)?;
        let class = self.class("java/io/ByteArrayInputStream")?;
        self.initialise_library(class)?;
        let stream = self.new_instance(class)?;
        for (field, value) in [("buf", array), ("count", bytes.len() as u32)] {
            let slot = self.library_field(class, field)?.slot;
            self.set(stream, slot, value);
        }
        Ok(stream)
    }
}

/// A class by its name; where there is none, an exception or null.
fn load(worker: &mut Worker, name: u32, throws: bool) -> Run<Done> {
    if name == 0 {
        return Err(worker.null_pointer());
    }
    let name = worker.text_of(name)?;
    let found = if name.contains('/') || name.starts_with('[') {
        Err(LoadError::Missing(name.clone()))
    } else {
        worker.vm.registry.class(&name.replace('.', "/"))
    };
    match found {
        Ok(class) => worker.mirror(class).map(Done::Word),
        Err(LoadError::Missing(_)) if throws => {
            Err(worker.throw("java/lang/ClassNotFoundException", Some(&name)))
        }
        Err(LoadError::Missing(_)) => Ok(Done::Word(0)),
        Err(error) => Err(worker.load_failure(error)),
    }
}

fn resource(worker: &mut Worker, module: u32, name: u32) -> Run<Done> {
    let (module, name) = (worker.text_of(module)?, worker.text_of(name)?);
    let module = if module == "null" { "java.base".to_owned() } else { module };
    match worker.vm.registry.resource(&format!("/{module}/{name}")) {
        Some(bytes) => worker.stream_of(&bytes).map(Done::Word),
        None => Ok(Done::Word(0)),
    }
}

/// `Class.getResourceAsStream` of a class of the library.
fn class_resource(worker: &mut Worker, args: &Args) -> Run<Done> {
    let class = worker.mirrored(args.word(0));
    if !class.library || args.word(1) == 0 {
        return worker.unsupported("a resource of the program");
    }
    let name = worker.text_of(args.word(1))?;
    let path = match name.strip_prefix('/') {
        Some(path) => path.to_owned(),
        None => match class.name.rsplit_once('/') {
            Some((package, _)) => format!("{package}/{name}"),
            None => name,
        },
    };
    match worker.vm.registry.resource(&format!("/java.base/{path}")) {
        Some(bytes) => worker.stream_of(&bytes).map(Done::Word),
        None => Ok(Done::Word(0)),
    }
}

/// `Class.getPackage`.
fn package(worker: &mut Worker, args: &Args) -> Run<Done> {
    let class = worker.mirrored(args.word(0));
    if class.kind != Kind::Instance {
        return Ok(Done::Word(0));
    }
    let made = worker.class("java/lang/Package")?;
    let versions = worker.class("java/lang/Package$VersionInfo")?;
    worker.initialise_library(made)?;
    worker.initialise_library(versions)?;
    let name = class.name.rsplit_once('/').map_or("", |(package, _)| package).replace('/', ".");
    let (name, module) = (worker.literal(&name)?, worker.module_of(class)?);
    let version = worker.get_static(worker.library_field(versions, "NULL_VERSION_INFO")?, 0);
    let object = worker.new_instance(made)?;
    for (field, value) in [("name", name), ("module", module), ("versionInfo", version)] {
        let slot = worker.library_field(made, field)?.slot;
        worker.set(object, slot, value);
    }
    Ok(Done::Word(object))
}

/// Services that the library looks for are none; what programs look for cannot be told.
fn services(worker: &mut Worker, _: &Args) -> Run<Done> {
    if !worker.top.method.class.library {
        return worker.unsupported("java.util.ServiceLoader");
    }
    worker.fixed("java/util/ServiceLoader", "services").map(Done::Word)
}

/// The rules of time zones, the only file that is read.
fn zones() -> Option<&'static [u8]> {
    static ZONES: OnceLock<Option<Vec<u8>>> = OnceLock::new();
    let read = || std::fs::read(Jdk::find().ok()?.home.join("lib/tzdb.dat")).ok();
    ZONES.get_or_init(read).as_deref()
}

fn open(worker: &mut Worker, args: &Args) -> Run<Done> {
    let path = worker.text_of(args.word(1))?;
    if !path.ends_with("/lib/tzdb.dat") || zones().is_none() {
        return worker.unsupported(format!("reading the file {path}"));
    }
    let descriptor = worker.get(args.word(0), worker.field_of(args.word(0), "fd")?.slot);
    let (fd, handle) =
        (worker.field_of(descriptor, "fd")?.slot, worker.field_of(descriptor, "handle")?.slot);
    worker.set(descriptor, fd, JDK_FILE);
    // The handle counts what was read.
    worker.set_long(descriptor, handle, 0);
    Ok(Done::Void)
}

/// Reads from a file of the JDK; `None` if the stream is no such file.
pub(super) fn read_jdk_file(
    worker: &mut Worker,
    stream: u32,
    most: usize,
) -> Run<Option<&'static [u8]>> {
    let descriptor = worker.get(stream, worker.field_of(stream, "fd")?.slot);
    let (fd, handle) =
        (worker.field_of(descriptor, "fd")?.slot, worker.field_of(descriptor, "handle")?.slot);
    if worker.get(descriptor, fd) != JDK_FILE {
        return Ok(None);
    }
    let at = worker.get_long(descriptor, handle);
    let rest = zones().unwrap_or(&[]).get(at as usize..).unwrap_or(&[]);
    let taken = &rest[..rest.len().min(most)];
    worker.set_long(descriptor, handle, at + taken.len() as u64);
    Ok(Some(taken))
}
