//! Class loaders, services and resources. There is one flat world of classes: the library has no loader,
//! everything else has the one that programs know as the system's.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{Args, Done, Peer, plain};
use crate::link::{Class, Kind, LoadError};
use crate::load::Jdk;
use crate::vm::{Run, Worker};

/// The first descriptor of files of the JDK.
const JDK_FILE: u32 = 1000;

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match (class, name) {
        ("java/lang/ClassLoader", "getSystemClassLoader" | "getBuiltinAppClassLoader") => {
            plain(|worker, _| worker.app_loader().map(Done::Word))
        }
        ("jdk/internal/misc/VM", "latestUserDefinedLoader0") => {
            plain(|worker, _| worker.app_loader().map(Done::Word))
        }
        ("java/lang/ClassLoader", "getPlatformClassLoader" | "getBuiltinPlatformClassLoader") => {
            plain(|worker, _| worker.platform_loader().map(Done::Word))
        }
        ("java/lang/Thread", "getContextClassLoader") => plain(|worker, args| {
            let field = worker.field_of(args.word(0), "contextClassLoader")?;
            match worker.get(args.word(0), field.slot) {
                0 => worker.app_loader().map(Done::Word),
                loader => Ok(Done::Word(loader)),
            }
        }),
        ("java/lang/ClassLoader", "getParent") => plain(|worker, args| {
            let loader = args.word(0);
            if loader == worker.app_loader()? {
                return worker.platform_loader().map(Done::Word);
            }
            if loader == worker.platform_loader()? {
                return Ok(Done::Word(0));
            }
            Ok(Done::Bytecode)
        }),
        ("java/lang/ClassLoader", "getName" | "name") => plain(|worker, args| {
            let loader = args.word(0);
            if loader == worker.app_loader()? {
                return worker.literal("app").map(Done::Word);
            }
            if loader == worker.platform_loader()? {
                return worker.literal("platform").map(Done::Word);
            }
            Ok(Done::Bytecode)
        }),
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
        ) if descriptor.starts_with("(Ljava/lang/String;") => plain(|worker, args| {
            // A loader of the program's own looks for what the others do not have.
            if is_builtin(worker, args.word(0)) {
                return load(worker, args.word(1), true);
            }
            match load(worker, args.word(1), false)? {
                Done::Word(0) => Ok(Done::Bytecode),
                found => Ok(found),
            }
        }),
        ("jdk/internal/loader/BuiltinClassLoader", "loadClassOrNull") => {
            plain(|worker, args| load(worker, args.word(1), false))
        }
        ("java/lang/ClassLoader", "findLoadedClass0") => plain(|worker, args| {
            if is_builtin(worker, args.word(0)) {
                return load(worker, args.word(1), false);
            }
            Ok(Done::Word(0))
        }),
        ("java/lang/System", "console") => plain(|_, _| Ok(Done::Word(0))),
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
        // The library's own settings, without a path to their file.
        ("java/util/logging/LogManager", "readConfiguration") if descriptor == "()V" => {
            plain(logging)
        }
        ("java/util/ServiceLoader", "load" | "loadInstalled") => plain(services),
        ("java/util/ServiceLoader", "iterator") => plain(|worker, _| {
            let class = worker.class("java/util/Collections")?;
            worker.initialise_library(class)?;
            match class.declared("emptyIterator", "()Ljava/util/Iterator;") {
                Some(method) => Ok(Done::Call(method, Vec::new())),
                None => worker.unsupported("this JDK: Collections without emptyIterator"),
            }
        }),
        ("sun/util/locale/provider/LocaleProviderAdapter", "getAdapter") => plain(adapter),
        ("java/io/FileInputStream", "open0") => plain(open),
        ("java/io/UnixFileSystem", "canonicalize0" | "canonicalize") => {
            plain(|_, args| Ok(Done::Word(args.word(1))))
        }
        ("java/io/UnixFileSystem", "checkAccess") => plain(|worker, args| {
            let file = args.word(1);
            let path = worker.text_of(worker.get(file, worker.field_of(file, "path")?.slot))?;
            match in_jdk(&path) {
                Some(file) => Ok(Done::bool(file.exists())),
                // There are no devices.
                None if path.starts_with("/dev/") => Ok(Done::bool(false)),
                None => worker.unsupported(format!("looking for the file {path}")),
            }
        }),
        // Paths are only written, never followed.
        ("sun/nio/fs/UnixNativeDispatcher", "init") => plain(|_, _| Ok(Done::Word(0))),
        ("sun/nio/fs/UnixNativeDispatcher", "getcwd") => {
            plain(|worker, _| worker.new_bytes(b"/").map(Done::Word))
        }
        ("java/io/UnixFileSystem", "getBooleanAttributes0") => plain(|worker, args| {
            let file = args.word(1);
            let path = worker.text_of(worker.get(file, worker.field_of(file, "path")?.slot))?;
            if path.starts_with("/dev/") {
                return Ok(Done::Word(0));
            }
            if let Some(file) = in_jdk(&path) {
                let regular = u32::from(file.is_file()) << 1;
                let directory = u32::from(file.is_dir()) << 2;
                return Ok(Done::Word(u32::from(file.exists()) | regular | directory));
            }
            worker.unsupported(format!("looking for the file {path}"))
        }),
        ("java/lang/Module", "isNamed") => plain(|worker, args| {
            let unnamed = worker.fixed("java/lang/Module", "unnamed module")?;
            Ok(Done::bool(args.word(0) != unnamed))
        }),
        ("java/lang/Class", "getPackage") => plain(package),
        ("java/lang/Module", "getName") => plain(|worker, args| {
            let unnamed = worker.fixed("java/lang/Module", "unnamed module")?;
            if args.word(0) == unnamed {
                return Ok(Done::Word(0));
            }
            worker.literal("java.base").map(Done::Word)
        }),
        ("java/lang/Module", "toString") => plain(|worker, args| {
            let unnamed = worker.fixed("java/lang/Module", "unnamed module")?;
            let text = if args.word(0) == unnamed { "unnamed module" } else { "module java.base" };
            worker.literal(text).map(Done::Word)
        }),
        ("java/lang/Module", "isExported" | "isOpen") => plain(is_open),
        (
            "java/lang/Module",
            "canRead" | "canUse" | "isReflectivelyOpened" | "isReflectivelyExported",
        ) => plain(|_, _| Ok(Done::bool(true))),
        _ => None,
    }
}

fn is_builtin(worker: &Worker, loader: u32) -> bool {
    worker.class_of(loader).library && !worker.class_of(loader).name.contains("URLClassLoader")
}

/// Whether the library lets a package be used (`isExported`), or looked into by reflection (`isOpen`).
fn is_open(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (module, package) = (args.word(0), args.word(1));
    let other = if args.method.words == 3 { args.word(2) } else { 0 };
    let unnamed = worker.fixed("java/lang/Module", "unnamed module")?;
    if module == unnamed || module == other {
        return Ok(Done::bool(true));
    }
    if package == 0 {
        return Err(worker.null_pointer());
    }
    let package = worker.text_of(package)?;
    let to_all = matches!(&*package, "sun.misc" | "sun.reflect" | "com.sun.nio.file");
    let exported = package.starts_with("java.") || package.starts_with("javax.");
    Ok(Done::bool(to_all || (exported && &*args.method.name == "isExported")))
}

impl Worker {
    /// The loader of everything that is not the library.
    pub fn app_loader(&mut self) -> Run<u32> {
        self.fixed("jdk/internal/loader/ClassLoaders$AppClassLoader", "app loader")
    }

    pub fn platform_loader(&mut self) -> Run<u32> {
        self.fixed("jdk/internal/loader/ClassLoaders$PlatformClassLoader", "platform loader")
    }

    /// The module of a class: one for the library and an unnamed one.
    pub fn module_of(&mut self, class: &'static Class) -> Run<u32> {
        let name = if class.library { "module" } else { "unnamed module" };
        self.fixed("java/lang/Module", name)
    }

    /// A stream over bytes.
    pub fn stream_of(&mut self, bytes: &[u8]) -> Run<u32> {
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

/// `LogManager.readConfiguration`: with the file that the JDK comes with.
fn logging(worker: &mut Worker, args: &Args) -> Run<Done> {
    let file = in_jdk("conf/logging.properties").and_then(|path| std::fs::read(path).ok());
    let stream = worker.stream_of(&file.unwrap_or_default())?;
    match args.method.class.declared("readConfiguration", "(Ljava/io/InputStream;)V") {
        Some(method) => Ok(Done::Call(method, vec![args.word(0), stream])),
        None => worker.unsupported("this JDK: LogManager without readConfiguration"),
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

/// The texts and formats of a locale: the library itself has the English ones only.
fn adapter(worker: &mut Worker, args: &Args) -> Run<Done> {
    let locale = args.word(1);
    if locale != 0 {
        let base = worker.get(locale, worker.field_of(locale, "baseLocale")?.slot);
        let language = worker.get(base, worker.field_of(base, "language")?.slot);
        let language = worker.text_of(language)?;
        if !matches!(&*language, "" | "en") {
            return worker.unsupported(format!("texts and formats of the language {language}"));
        }
    }
    Ok(Done::Bytecode)
}

/// A file of the JDK, the only ones that are read: programs see its home as `/`.
fn in_jdk(path: &str) -> Option<PathBuf> {
    let path = path.trim_start_matches('/');
    let inside = (path.starts_with("lib/") || path.starts_with("conf/")) && !path.contains("..");
    inside.then(|| Some(Jdk::find().ok()?.home.join(path)))?
}

/// The contents of the files that were opened.
static FILES: Mutex<Vec<(PathBuf, &'static [u8])>> = Mutex::new(Vec::new());

/// The number of a file's content.
fn content(path: &Path) -> Option<usize> {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = files.iter().position(|(known, _)| known == path) {
        return Some(known);
    }
    let bytes = std::fs::read(path).ok()?;
    files.push((path.to_owned(), Box::leak(bytes.into_boxed_slice())));
    Some(files.len() - 1)
}

fn open(worker: &mut Worker, args: &Args) -> Run<Done> {
    let path = worker.text_of(args.word(1))?;
    let Some(file) = in_jdk(&path).and_then(|file| content(&file)) else {
        return worker.unsupported(format!("reading the file {path}"));
    };
    let descriptor = worker.get(args.word(0), worker.field_of(args.word(0), "fd")?.slot);
    let (fd, handle) =
        (worker.field_of(descriptor, "fd")?.slot, worker.field_of(descriptor, "handle")?.slot);
    worker.set(descriptor, fd, JDK_FILE + file as u32);
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
    let Some(file) = worker.get(descriptor, fd).checked_sub(JDK_FILE) else { return Ok(None) };
    let known = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(&(_, bytes)) = known.get(file as usize) else { return Ok(None) };
    drop(known);
    let at = worker.get_long(descriptor, handle);
    let rest = bytes.get(at as usize..).unwrap_or(&[]);
    let taken = &rest[..rest.len().min(most)];
    worker.set_long(descriptor, handle, at + taken.len() as u64);
    Ok(Some(taken))
}
