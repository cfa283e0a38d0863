//! Class loaders, services and resources. There is one flat world of classes: the library has no loader,
//! everything else has the one that programs know as the system's.

use super::{Args, Done, Peer, plain};
use crate::link::{Class, Kind, LoadError};
use crate::load::Jdk;
use crate::vm::{Run, Worker};

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match (class, name) {
        ("java/lang/ClassLoader", "getSystemClassLoader" | "getBuiltinAppClassLoader") => {
            plain(|worker, _| worker.app_loader().map(Done::Word))
        }
        ("jdk/internal/loader/ClassLoaders", "appClassLoader") => {
            plain(|worker, _| worker.app_loader().map(Done::Word))
        }
        ("jdk/internal/loader/ClassLoaders", "platformClassLoader") => {
            plain(|worker, _| worker.platform_loader().map(Done::Word))
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
        (
            "java/lang/ClassLoader",
            "getPackage" | "getPackages" | "getDefinedPackage" | "getDefinedPackages",
        ) => plain(|worker, args| {
            if worker.is_own_loader(args.word(0)) {
                return Ok(Done::Bytecode);
            }
            worker.unsupported(args.method.full_name())
        }),
        // The loaders of the JDK do not know what they have loaded.
        ("java/lang/ClassLoader", "packages") => {
            plain(|worker, args| match !worker.is_own_loader(args.word(0)) {
                true => worker.unsupported("the packages of a loader of the JDK"),
                false => Ok(Done::Bytecode),
            })
        }
        ("java/lang/ClassLoader", "getUnnamedModule") => plain(|worker, args| {
            if worker.is_own_loader(args.word(0)) {
                return Ok(Done::Bytecode);
            }
            worker.fixed("java/lang/Module", "unnamed module").map(Done::Word)
        }),
        ("java/lang/Module", "getClassLoader") => plain(|worker, args| {
            let unnamed = worker.fixed("java/lang/Module", "unnamed module")?;
            match args.word(0) == unnamed {
                true => worker.app_loader().map(Done::Word),
                false => Ok(Done::Bytecode),
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
        (
            "java/lang/ClassLoader",
            "setDefaultAssertionStatus"
            | "setPackageAssertionStatus"
            | "setClassAssertionStatus"
            | "clearAssertionStatus",
        ) => plain(|worker, args| {
            // The loaders that were made by hand are their own locks.
            let lock = worker.field_of(args.word(0), "assertionLock")?.slot;
            if worker.get(args.word(0), lock) == 0 {
                worker.visible()?;
                worker.set_reference(args.word(0), lock, args.word(0));
            }
            Ok(Done::Bytecode)
        }),
        ("java/lang/ClassLoader", "retrieveDirectives") => plain(directives),
        ("java/lang/Class", "getClassLoader" | "getClassLoader0") => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            match (class.library, class.space) {
                (true, _) => Ok(Done::Word(0)),
                (_, 0) => worker.app_loader().map(Done::Word),
                _ => worker.loader_of(class).map(Done::Word),
            }
        }),
        (
            "java/lang/ClassLoader"
            | "jdk/internal/loader/BuiltinClassLoader"
            | "jdk/internal/loader/ClassLoaders$AppClassLoader",
            "loadClass",
        ) if descriptor.starts_with("(Ljava/lang/String;") => plain(|worker, args| {
            if worker.is_own_loader(args.word(0)) {
                return Ok(Done::Bytecode);
            }
            let whole = args.word(0) == worker.app_loader()?;
            load(worker, args.word(1), whole, true)
        }),
        ("jdk/internal/loader/BuiltinClassLoader", "loadClassOrNull") => plain(|worker, args| {
            let whole = args.word(0) == worker.app_loader()?;
            load(worker, args.word(1), whole, false)
        }),
        ("java/lang/ClassLoader", "findLoadedClass0") => plain(|worker, args| {
            if !worker.is_own_loader(args.word(0)) {
                let whole = args.word(0) == worker.app_loader()?;
                return load(worker, args.word(1), whole, false);
            }
            worker.touch(args.word(0))?;
            let name = worker.text_of(args.word(1))?.replace('.', "/");
            match worker.known_to(args.word(0), &name)? {
                Some(class) => worker.mirror(class).map(Done::Word),
                None => Ok(Done::Word(0)),
            }
        }),
        // Counters that nobody reads.
        ("jdk/internal/perf/PerfCounter", "<init>" | "add" | "set") => plain(|_, _| Ok(Done::Void)),
        ("java/lang/ProcessBuilder", "start") => {
            plain(|worker, _| worker.unsupported("starting a process (ProcessBuilder.start)"))
        }
        ("java/lang/ClassLoader", "findBootstrapClass")
        | ("jdk/internal/loader/BootLoader", "loadClassOrNull") => {
            plain(|worker, args| load(worker, args.word(0), false, false))
        }
        ("jdk/internal/loader/BootLoader", "loadClass") => {
            plain(|worker, args| load(worker, args.word(1), false, false))
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
        ("sun/util/locale/provider/LocaleProviderAdapter", "getAdapter") => plain(adapter),
        // Paths are only written, never followed.
        ("sun/nio/fs/UnixNativeDispatcher", "init") => plain(|_, _| Ok(Done::Word(0))),
        ("sun/nio/fs/UnixNativeDispatcher", "getcwd") => plain(|worker, _| {
            worker.new_bytes(super::files::working_directory().as_bytes()).map(Done::Word)
        }),
        ("java/lang/Module", "isNamed") => {
            plain(|worker, args| Ok(Done::bool(is_library_module(worker, args.word(0))?)))
        }
        ("java/lang/Class", "getPackage") => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            if class.space != 0 {
                return Ok(Done::Bytecode);
            }
            if class.kind != Kind::Instance {
                return Ok(Done::Word(0));
            }
            let name = class.name.rsplit_once('/').map_or("", |(package, _)| package);
            package(worker, name, class).map(Done::Word)
        }),
        ("java/lang/Package", "getPackage") => plain(|worker, args| {
            if args.word(0) == 0 {
                return Err(worker.null_pointer());
            }
            let loader = worker.loader_of(worker.top.method.class)?;
            if loader != 0 {
                return worker.unsupported("Package.getPackage in a class of the program's loader");
            }
            let name = worker.text_of(args.word(0))?.replace('.', "/");
            let main = worker.vm.main.split(' ').next().unwrap_or("").replace('.', "/");
            let of_main = main.rsplit_once('/').map_or("", |(package, _)| package);
            let class = match &*name {
                own if own == of_main => Some(worker.class(&main)?),
                "java/lang" | "java/util" | "java/io" | "java/net" | "java/util/concurrent" => {
                    Some(worker.class("java/lang/Object")?)
                }
                _ => None,
            };
            match class {
                Some(class) => package(worker, &name, class).map(Done::Word),
                // That depends on what was loaded so far.
                None if worker.vm.registry.has_package(&name) => {
                    worker.unsupported(format!("Package.getPackage({name})"))
                }
                None => Ok(Done::Word(0)),
            }
        }),
        ("java/lang/Module", "getName") => plain(|worker, args| {
            if !is_library_module(worker, args.word(0))? {
                return Ok(Done::Word(0));
            }
            worker.literal("java.base").map(Done::Word)
        }),
        ("java/lang/Module", "toString") => plain(|worker, args| {
            let text = match is_library_module(worker, args.word(0))? {
                true => "module java.base",
                false => "unnamed module",
            };
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

/// `Class.desiredAssertionStatus`: on in everything but the library, unless the program told its loader otherwise.
pub(super) fn asserting(worker: &mut Worker, args: &Args) -> Run<Done> {
    let class = worker.given_class(args.word(0))?;
    let loader = match class.space {
        0 => worker.app_loader()?,
        _ => worker.loader_of(class)?,
    };
    let told = worker.get(loader, worker.field_of(loader, "classAssertionStatus")?.slot) != 0;
    if class.library || !told || class.kind != Kind::Instance {
        return Ok(Done::bool(!class.library));
    }
    let name = worker.literal(&class.get_name())?;
    let decide = worker.class("java/lang/ClassLoader")?;
    match decide.declared("desiredAssertionStatus", "(Ljava/lang/String;)Z") {
        Some(method) => Ok(Done::Call(method, vec![loader, name])),
        None => worker.unsupported("this JDK: ClassLoader without desiredAssertionStatus"),
    }
}

/// `ClassLoader.retrieveDirectives`: assertions are on.
fn directives(worker: &mut Worker, _: &Args) -> Run<Done> {
    let class = worker.class("java/lang/AssertionStatusDirectives")?;
    let (texts, flags) = (worker.class("[Ljava/lang/String;")?, worker.class("[Z")?);
    let object = worker.new_instance(class)?;
    for (name, array) in [
        ("classes", texts),
        ("classEnabled", flags),
        ("packages", texts),
        ("packageEnabled", flags),
    ] {
        let none = worker.new_array(array, 0)?;
        let slot = worker.library_field(class, name)?.slot;
        worker.set(object, slot, none);
    }
    let slot = worker.library_field(class, "deflt")?.slot;
    worker.set(object, slot, 1);
    Ok(Done::Word(object))
}

/// All but the library is in modules without names: loaders of the program have one each.
fn is_library_module(worker: &mut Worker, module: u32) -> Run<bool> {
    Ok(module == worker.fixed("java/lang/Module", "module")?)
}

/// Whether the library lets a package be used (`isExported`), or looked into by reflection (`isOpen`).
fn is_open(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (module, package) = (args.word(0), args.word(1));
    let other = if args.method.words == 3 { args.word(2) } else { 0 };
    if !is_library_module(worker, module)? || module == other {
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
    let home = Jdk::find().ok().map(|jdk| jdk.home);
    let file = home.and_then(|home| std::fs::read(home.join("conf/logging.properties")).ok());
    let stream = worker.stream_of(&file.unwrap_or_default())?;
    match args.method.class.declared("readConfiguration", "(Ljava/io/InputStream;)V") {
        Some(method) => Ok(Done::Call(method, vec![args.word(0), stream])),
        None => worker.unsupported("this JDK: LogManager without readConfiguration"),
    }
}

/// A class by its name, of the library or of the whole class path; where there is none, an exception or null.
fn load(worker: &mut Worker, name: u32, whole: bool, throws: bool) -> Run<Done> {
    if name == 0 {
        return Err(worker.null_pointer());
    }
    let name = worker.text_of(name)?;
    let found = if name.contains('/') || name.starts_with('[') {
        Err(LoadError::Missing(name.clone()))
    } else {
        worker.vm.registry.class(&name.replace('.', "/"))
    };
    let found = match found {
        Ok(class) if !whole && !class.library => Err(LoadError::Missing(name.clone())),
        found => found,
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

/// The object of a package: there is one for each.
fn package(worker: &mut Worker, name: &str, class: &'static Class) -> Run<u32> {
    let made = worker.class("java/lang/Package")?;
    let versions = worker.class("java/lang/Package$VersionInfo")?;
    worker.initialise_library(made)?;
    worker.initialise_library(versions)?;
    let (text, module) = (worker.literal(&name.replace('/', "."))?, worker.module_of(class)?);
    let version = worker.get_static(worker.library_field(versions, "NULL_VERSION_INFO")?, 0);
    let mut content = vec![0; made.linked().words as usize];
    content[crate::heap::CLASS as usize] = made.id;
    for (field, value) in [("name", text), ("module", module), ("versionInfo", version)] {
        content[worker.library_field(made, field)?.slot as usize] = value;
    }
    worker.fixed_content(&content, format!("package {name}"))
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
