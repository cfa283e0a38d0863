//! System, Runtime, properties, security, and what is known about the environment.

use super::{Args, Done, Peer, plain};
use crate::vm::{Outside, Run, Trap, Vm, Worker};

/// The properties that programs can ask for.
const PROPERTIES: [(&str, &str); 27] = [
    ("java.version", "17"),
    ("java.specification.version", "17"),
    ("java.vm.specification.version", "17"),
    ("java.class.version", "61.0"),
    ("java.vendor", "Everypath"),
    ("java.vm.name", "Everypath"),
    ("java.home", "/"),
    ("java.io.tmpdir", "/tmp"),
    ("java.library.path", ""),
    ("user.home", "/"),
    ("user.name", "user"),
    ("user.language", "en"),
    ("user.country", "US"),
    ("user.timezone", "UTC"),
    ("os.name", "Linux"),
    ("os.arch", "amd64"),
    ("os.version", "5"),
    ("file.separator", "/"),
    ("path.separator", ":"),
    ("line.separator", "\n"),
    ("file.encoding", "UTF-8"),
    ("native.encoding", "UTF-8"),
    ("sun.jnu.encoding", "UTF-8"),
    ("stdout.encoding", "UTF-8"),
    ("stderr.encoding", "UTF-8"),
    ("java.util.concurrent.ForkJoinPool.common.parallelism", "2"),
    ("jdk.serialFilter", ""),
];

/// All properties that a program begins with.
pub(crate) fn properties(vm: &Vm) -> Vec<(&'static str, &str)> {
    let mut all: Vec<(&str, &str)> = PROPERTIES.to_vec();
    all.push(("user.dir", super::files::working_directory()));
    all.push(("sun.java.command", &vm.main));
    all.push(("java.class.path", vm.registry.class_path()));
    all
}

/// The moment at which programs run, since 1970.
pub(super) const MILLISECONDS: u64 = 1_700_000_000_000;

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match (class, name) {
        // Time passes for who waits in vain; what waits for it may go on at any moment.
        ("java/lang/System", "nanoTime") => plain(|worker, _| {
            worker.look_outside(Outside::Clock, "a clock")?;
            let passed = worker.read_clock()?;
            Ok(Done::Long(1_000_000_000_000_u64.saturating_add(passed)))
        }),
        ("java/lang/System", "currentTimeMillis") => plain(|worker, _| {
            worker.look_outside(Outside::Clock, "a clock")?;
            let passed = worker.read_clock()?;
            Ok(Done::Long(MILLISECONDS + passed / 1_000_000))
        }),
        ("java/lang/System", "getSecurityManager") => plain(|_, _| Ok(Done::Word(0))),
        ("java/lang/System", "lineSeparator") => {
            plain(|worker, _| worker.literal("\n").map(Done::Word))
        }
        ("java/lang/System", "getenv") if descriptor.starts_with("(Ljava") => plain(|worker, _| {
            worker.look_outside(Outside::Machine, "a variable of the environment")?;
            Ok(Done::Word(0))
        }),
        ("java/lang/System", "getenv") => plain(|worker, _| {
            worker.look_outside(Outside::Machine, "the environment")?;
            Ok(Done::Bytecode)
        }),
        ("java/util/Locale", "getDefault") => plain(|worker, _| {
            worker.look_outside(Outside::Machine, "the default locale")?;
            Ok(Done::Bytecode)
        }),
        ("java/util/TimeZone", "getDefault") | ("java/time/ZoneId", "systemDefault") => {
            plain(|worker, _| {
                worker.look_outside(Outside::Machine, "the default time zone")?;
                Ok(Done::Bytecode)
            })
        }
        ("java/nio/charset/Charset", "defaultCharset") => plain(|worker, _| {
            worker.look_outside(Outside::Machine, "the default charset")?;
            Ok(Done::Bytecode)
        }),
        ("java/lang/System", "console") => plain(|worker, _| {
            worker.look_outside(Outside::Machine, "the console")?;
            Ok(Done::Word(0))
        }),
        ("java/util/concurrent/ForkJoinPool", "getCommonPoolParallelism") => plain(|worker, _| {
            worker.look_outside(Outside::Machine, "the number of processors")?;
            Ok(Done::Bytecode)
        }),
        // Other pools have the number that they were given.
        ("java/util/concurrent/ForkJoinPool", "getParallelism") => plain(|worker, args| {
            let common = worker.library_field(args.method.class, "common")?;
            if worker.get_static(common, 0) == args.word(0) {
                worker.look_outside(Outside::Machine, "the number of processors")?;
            }
            Ok(Done::Bytecode)
        }),
        ("java/lang/System", "getProperties") => plain(|worker, _| {
            worker.look_outside(Outside::Machine, "the properties of the system")?;
            Ok(Done::Bytecode)
        }),
        ("java/lang/System", "setOut0" | "setErr0" | "setIn0") => plain(|worker, args| {
            let field = match &*args.method.name {
                "setOut0" => "out",
                "setErr0" => "err",
                _ => "in",
            };
            let field = worker.library_field(args.method.class, field)?;
            if !worker.alone {
                worker.access_static_slot(args.method.class, field.slot)?;
            }
            worker.touch_field(field, 0, true);
            worker.share(args.word(0));
            worker.set_static(field, 0, args.word(0));
            Ok(Done::Void)
        }),
        ("java/lang/System", "getProperty") => plain(property),
        ("sun/security/action/GetPropertyAction", "privilegedGetProperty")
        | ("jdk/internal/misc/VM", "getSavedProperty") => plain(property),
        ("java/lang/Boolean", "getBoolean") => {
            plain(|worker, _| match worker.top.method.class.library {
                true => Ok(Done::bool(false)),
                false => Ok(Done::Bytecode),
            })
        }
        ("jdk/internal/misc/VM", "isBooted" | "isModuleSystemInited") => {
            plain(|_, _| Ok(Done::bool(true)))
        }
        ("jdk/internal/misc/VM", "initLevel") if descriptor == "()I" => {
            plain(|_, _| Ok(Done::Word(4)))
        }
        ("jdk/internal/misc/VM", "initialize") => plain(|_, _| Ok(Done::Void)),
        ("jdk/internal/misc/VM", "getNanoTimeAdjustment") => plain(|worker, args| {
            worker.look_outside(Outside::Clock, "a clock")?;
            let passed = worker.read_clock()?;
            let now = i128::from(MILLISECONDS) * 1_000_000 + i128::from(passed);
            let seconds = i128::from(args.long(0) as i64);
            let adjustment = now - seconds * 1_000_000_000;
            // Too far from the moment that is given: it is to give a nearer one.
            let far = adjustment.abs() >= 1_000_000_000 << 32;
            Ok(Done::Long(if far { u64::MAX } else { adjustment as u64 }))
        }),
        ("jdk/internal/access/SharedSecrets", "getJavaLangAccess") => {
            plain(|worker, _| worker.fixed("java/lang/System$2", "access").map(Done::Word))
        }
        ("jdk/internal/access/SharedSecrets", "getJavaLangReflectAccess") => plain(|worker, _| {
            worker.fixed("java/lang/reflect/ReflectAccess", "reflect access").map(Done::Word)
        }),
        // The library's lookups have no class that may see others.
        ("jdk/internal/access/SharedSecrets", "ensureClassInitialized") => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            Ok(if worker.initialise(class)? { Done::Void } else { Done::Again })
        }),
        // What others do up to the end of the program counts.
        ("java/lang/Runtime", "exit") => plain(|worker, args| {
            worker.visible()?;
            // Whoever comes second waits for ever; what others register while it goes on is refused.
            let others_register = !worker.alone && worker.vm.rules.somebody_looks();
            match worker.hooks()? {
                Some(0) if !others_register => Err(Trap::Exit(args.int(1))),
                _ => Ok(Done::Bytecode),
            }
        }),
        ("java/lang/Runtime", "addShutdownHook" | "removeShutdownHook") => plain(|worker, _| {
            // Another thread may end the program at that time.
            if !worker.alone && !worker.vm.rules.somebody_looks() {
                worker.note_look()?;
            }
            Ok(Done::Bytecode)
        }),
        ("java/lang/Runtime", "halt") => plain(|worker, args| {
            worker.visible()?;
            Err(Trap::Exit(args.int(1)))
        }),
        ("java/lang/Shutdown", "beforeHalt") => plain(|_, _| Ok(Done::Void)),
        ("java/lang/Shutdown", "halt0") => plain(|worker, args| {
            worker.visible()?;
            Err(Trap::Exit(args.int(0)))
        }),
        ("java/lang/Runtime", "availableProcessors") => plain(processors),
        ("java/lang/Runtime", "totalMemory" | "maxMemory" | "freeMemory") => {
            plain(|worker, args| {
                worker.look_outside(Outside::Machine, "the size of memory")?;
                let free = &*args.method.name == "freeMemory";
                Ok(Done::Long(if free { 1 << 27 } else { 1 << 28 }))
            })
        }
        ("java/lang/Runtime" | "java/lang/System", "gc") => plain(|worker, _| {
            if !worker.for_base && !worker.top.method.class.library {
                worker.collect_references()?;
            }
            Ok(Done::Void)
        }),
        ("java/lang/Runtime" | "java/lang/System", "runFinalization") => plain(|worker, _| {
            worker.refuse_finalizers()?;
            Ok(Done::Void)
        }),
        ("java/security/AccessController", "doPrivileged" | "doPrivilegedWithCombiner") => {
            plain(privileged)
        }
        (
            "java/security/AccessController",
            "getContext" | "getStackAccessControlContext" | "getInheritedAccessControlContext",
        ) => plain(|_, _| Ok(Done::Word(0))),
        (
            "java/security/AccessController",
            "checkPermission" | "ensureMaterializedForStackWalk",
        ) => plain(|_, _| Ok(Done::Void)),
        ("jdk/internal/reflect/Reflection", "getCallerClass") => plain(|worker, _| {
            let class = worker.frames.last().map_or(worker.top.method.class, |f| f.method.class);
            worker.mirror(class).map(Done::Word)
        }),
        ("jdk/internal/reflect/Reflection", "getClassAccessFlags") => {
            plain(|worker, args| Ok(Done::Word(u32::from(worker.given_class(args.word(0))?.flags))))
        }
        (
            "jdk/internal/misc/CDS",
            "isDumpingClassList0" | "isDumpingArchive0" | "isSharingEnabled0",
        ) => plain(|_, _| Ok(Done::bool(false))),
        ("jdk/internal/misc/CDS", "initializeFromArchive") => plain(|_, _| Ok(Done::Void)),
        ("jdk/internal/misc/CDS", "getRandomSeedForDumping") => plain(|_, _| Ok(Done::Long(1))),
        // Others do it by an operation that cannot fail without a reason.
        (_, "weakCompareAndSet") if is_strong_inside(class) => plain(|worker, _| {
            let fails = worker.fails_unreasoned()?;
            Ok(if fails { Done::Word(0) } else { Done::Bytecode })
        }),
        ("java/util/concurrent/atomic/AtomicLong", "VMSupportsCS8") => {
            plain(|_, _| Ok(Done::bool(true)))
        }
        (
            "java/util/concurrent/atomic/Striped64" | "java/util/concurrent/ThreadLocalRandom",
            "localInit",
        ) => None,
        ("java/io/ObjectStreamClass", "initNative") => plain(|_, _| Ok(Done::Void)),
        ("java/io/ObjectStreamClass", "hasStaticInitializer") => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            Ok(Done::bool(class.declared("<clinit>", "()V").is_some()))
        }),
        ("java/security/SecureRandom", "getDefaultPRNG") => plain(|_, _| Ok(Done::Void)),
        ("java/security/SecureRandom", "setSeed") => plain(|_, _| Ok(Done::Void)),
        ("java/net/InetAddress", "init" | "isIPv4Available" | "isIPv6Supported")
        | ("java/net/InetAddressImplFactory", "isIPv6Supported")
        | ("java/net/Inet4Address" | "java/net/Inet6Address", "init") => {
            plain(|_, args| match args.method.descriptor.result.words() {
                0 => Ok(Done::Void),
                _ => Ok(Done::bool(&*args.method.name == "isIPv4Available")),
            })
        }
        ("jdk/internal/util/ArraysSupport", "vectorizedMismatch") => plain(mismatch),
        ("java/lang/System", "mapLibraryName") => plain(|worker, args| {
            if args.word(0) == 0 {
                return Err(worker.null_pointer());
            }
            let name = worker.text_of(args.word(0))?;
            worker.new_text(&format!("lib{name}.so")).map(Done::Word)
        }),
        ("java/util/TimeZone", "getSystemTimeZoneID") => {
            plain(|worker, _| worker.literal("UTC").map(Done::Word))
        }
        ("java/lang/ProcessEnvironment", "environ") => plain(|worker, _| {
            let class = worker.class("[[B")?;
            worker.new_array(class, 0).map(Done::Word)
        }),
        _ => None,
    }
}

fn property(worker: &mut Worker, args: &Args) -> Run<Done> {
    if !worker.top.method.class.library && args.word(0) != 0 {
        let key = worker.text_of(args.word(0))?;
        if depends_on_machine(&key) {
            let what = format!("the property {key}");
            worker.look_outside(Outside::Machine, &what)?;
        }
    }
    // Where something of the library was changed, properties may have been.
    worker.looked.set(true);
    if !worker.heap.deviations.is_empty() && !worker.for_base {
        return Ok(Done::Bytecode);
    }
    if args.word(0) == 0 {
        return Err(worker.throw("java/lang/NullPointerException", Some("key can't be null")));
    }
    let key = worker.text_of(args.word(0))?;
    let default = if args.method.words == 2 { args.word(1) } else { 0 };
    let vm = std::sync::Arc::clone(&worker.vm);
    match properties(&vm).iter().find(|(name, _)| *name == key) {
        Some((_, value)) => worker.literal(value).map(Done::Word),
        None => Ok(Done::Word(default)),
    }
}

/// Whether a property is not the same for everybody who runs the program in the same way.
fn depends_on_machine(key: &str) -> bool {
    let same = [
        "java.specification.version",
        "java.vm.specification.version",
        "java.class.version",
        "java.class.path",
        "user.dir",
    ];
    let prefixes = ["java.", "os.", "user.", "sun.", "jdk.", "native.", "file.encoding"];
    prefixes.iter().any(|prefix| key.starts_with(prefix)) && !same.contains(&key)
}

/// Classes that would spin or spread when there are several processors see one; others see three, the
/// fewest with which the common pool is a pool.
fn processors(worker: &mut Worker, _: &Args) -> Run<Done> {
    let caller = &*worker.top.method.class.name;
    let one = [
        "java/util/concurrent/ConcurrentHashMap",
        "java/util/concurrent/Exchanger",
        "java/util/concurrent/Phaser",
        "java/util/concurrent/atomic/Striped64",
    ];
    let one = one.contains(&caller);
    worker.look_outside(Outside::Machine, "the number of processors")?;
    Ok(Done::Word(if one { 1 } else { 3 }))
}

/// `AccessController.doPrivileged`: runs the action.
fn privileged(worker: &mut Worker, args: &Args) -> Run<Done> {
    let action = args.word(0);
    if action == 0 {
        return Err(worker.null_pointer());
    }
    let selector = worker.vm.registry.selector("run", "()Ljava/lang/Object;");
    match worker.class_of(action).linked().virtuals.get(&selector) {
        Some(method) => Ok(Done::Call(method, vec![action])),
        None => worker.unsupported("an action without a method run"),
    }
}

/// `ArraysSupport.vectorizedMismatch`: where two arrays differ; elements that are left are told by
/// their number, inverted.
fn mismatch(worker: &mut Worker, args: &Args) -> Run<Done> {
    let ((a, from), (b, to)) = ((args.word(0), args.long(1)), (args.word(3), args.long(4)));
    let (length, shift) = (args.word(6), args.word(7));
    let place = |worker: &Worker, array| worker.heap.place(&worker.vm.base, array);
    let (pa, pb) = (place(worker, a), place(worker, b));
    let (from, to) = ((from - 16) as u32, (to - 16) as u32);
    for byte in 0..length << shift {
        if worker.load_byte(pa, from + byte) != worker.load_byte(pb, to + byte) {
            return Ok(Done::Word(byte >> shift));
        }
    }
    Ok(Done::Word(!0))
}

/// Whether the weak compare-and-set of a class is a strong one by itself.
fn is_strong_inside(class: &str) -> bool {
    let name = class.strip_prefix("java/util/concurrent/atomic/Atomic").unwrap_or("");
    name.starts_with("Stamped") || name.starts_with("Markable") || name.contains("FieldUpdater$")
}
