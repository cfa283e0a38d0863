//! What the outside decides: clocks, identity hash codes, the machine. One value of each is tried. As long as
//! nothing but output depends on it, it may be any; where the program looks at it, the search proves nothing,
//! and says so.
//!
//! Who looks is found by going down the frames from the method that gives the value. Of methods of the library it
//! is known which keep it to themselves; of those of the program the code tells (`code/fate.rs`).

use std::borrow::Cow;

use super::{Frame, Run, Worker};
use crate::classfile::Const;
use crate::code::{Called, Descriptor, Fate, Insn, Meanings, Origin, Use, op};
use crate::link::{Class, Method};
use crate::peers::OUTPUT_CLASS;

/// What is not decided by the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outside {
    Chance,
    Clock,
    Identity,
    /// The order of elements of hash tables, of files in a directory.
    Order,
    /// Memory, processors, properties, environment.
    Machine,
    /// Files that the program did not write.
    Disk,
    /// What comes from the standard input.
    Input,
}

/// Why a search proves nothing.
#[derive(Clone)]
pub(crate) struct LeftOut {
    pub what: Cow<'static, str>,
    /// The instruction of the program.
    pub place: Option<(&'static Method, u32)>,
}

/// What a method of the library does with a value that it gets from a call.
enum Role {
    /// Keeps it: what the program sees does not depend on it.
    Keeps,
    /// May hand it on.
    HandsOn,
    /// Writes it where the program can read it.
    Shows,
}

impl Worker {
    /// Notes that not all alternatives are tried.
    pub fn leave_out(&mut self, what: impl Into<Cow<'static, str>>) {
        let place = self.place_in_program();
        self.left_out = Some(LeftOut { what: what.into(), place });
    }

    /// The innermost instruction of the program.
    pub fn place_in_program(&self) -> Option<(&'static Method, u32)> {
        let frames = std::iter::once(&self.top).chain(self.frames.iter().rev());
        let mut own = frames.filter(|frame| !is_library(frame.method.class));
        own.next().map(|frame| (frame.method, frame.pc))
    }

    /// The method that is being called gives something that the outside decides: if the program looks at it, the
    /// search is told.
    pub fn look_outside(&mut self, kind: Outside, what: &str) -> Run<()> {
        if !self.for_base && self.is_seen(kind)? {
            let text = format!("the program looks at {what}, of which only one is tried");
            self.leave_out(text);
        }
        Ok(())
    }

    /// Whether something in the program may depend on what the method gives that is being called.
    pub fn is_seen(&mut self, kind: Outside) -> Run<bool> {
        self.is_value_seen(kind, false)
    }

    /// The same for a value of which is known whether it is a number that is not negative, and not too large.
    pub fn is_value_seen(&mut self, kind: Outside, natural: bool) -> Run<bool> {
        if self.for_base {
            return Ok(false);
        }
        let mut natural = natural;
        let redirected = self.is_redirected()?;
        let mut through: Option<&'static Method> = None;
        for index in (0..=self.frames.len()).rev() {
            let frame = if index == self.frames.len() { self.top } else { self.frames[index] };
            let Frame { method, pc, locals, code, .. } = frame;
            let class = method.class;
            if kind == Outside::Identity && &*method.name == "hashCode" && !method.is_static() {
                let object = self.stack[locals];
                if object != 0 {
                    self.class_of(object).depends_on_identity();
                }
            }
            if is_library(class) {
                if kind == Outside::Machine && through.is_none() && !class.hidden {
                    return Ok(false);
                }
                match self.role(kind, &frame) {
                    Role::Keeps => return Ok(false),
                    Role::HandsOn => through = Some(method),
                    Role::Shows => return Ok(true),
                }
                continue;
            }
            if redirected {
                return Ok(true);
            }
            let insn = code.insns[pc as usize];
            let Some((owner, name, descriptor)) = member(class, insn) else { return Ok(true) };
            // What a method of the library was told may also be in its objects.
            let constructor = &*name == "<init>";
            if through.is_some_and(|method| !method.class.hidden) {
                match use_of(&owner, &name, &descriptor) {
                    Use::Passes => {}
                    _ => return Ok(true),
                }
            }
            // What gives nothing gives it to its arguments.
            let given = Descriptor::of(&descriptor).map_or(0, |types| types.result.words());
            if given == 0 && !constructor {
                return Ok(true);
            }
            let origin = Origin { pc, constructor, natural };
            match self.fate(method, &origin) {
                Fate::Unseen => return Ok(false),
                // What the method made of it may be negative.
                Fate::Returned => (through, natural) = (None, false),
                Fate::Seen => return Ok(true),
            }
        }
        Ok(false)
    }

    fn fate(&mut self, method: &'static Method, origin: &Origin) -> Fate {
        let key = (method.id, origin.pc << 1 | u32::from(origin.natural));
        if let Some(&known) = self.fates.get(&key) {
            return known;
        }
        let class = method.class;
        let called = |insn: Insn| {
            let (owner, name, descriptor) = member(class, insn)?;
            let types = Descriptor::of(&descriptor)?;
            let receiver = !matches!(insn.op, op::INVOKESTATIC | op::INVOKEDYNAMIC);
            Some(Called {
                with: use_of(&owner, &name, &descriptor),
                taken: types.words + usize::from(receiver),
                given: types.result.words(),
            })
        };
        let stream = |insn: Insn| {
            member(class, insn).is_some_and(|(owner, name, _)| {
                &*owner == "java/lang/System" && matches!(&*name, "out" | "err")
            })
        };
        let effect = |insn: Insn| class.effect(insn);
        let natural = |insn: Insn| match insn.op {
            op::ICONST | op::LCONST => (0..1 << 30).contains(&insn.b),
            op::DCONST => true,
            _ => match class.file.as_ref().map(|file| file.pool.get(insn.a)) {
                Some(Const::Integer(bits)) => bits < 1 << 30,
                Some(Const::Double(bits)) => f64::from_bits(bits) >= 0.0,
                _ => false,
            },
        };
        let meanings =
            Meanings { effect: &effect, called: &called, natural: &natural, stream: &stream };
        let fate = match method.code() {
            Ok(code) => code.fate(origin, method.words, &meanings),
            Err(_) => Fate::Seen,
        };
        self.fates.insert(key, fate);
        fate
    }

    /// Whether what is printed may come back to the program.
    fn is_redirected(&self) -> Run<bool> {
        let system = self.class("java/lang/System")?;
        if self.heap.statics(&self.vm.base, system.id).is_none() {
            return Ok(false);
        }
        for name in ["out", "err"] {
            let stream = self.get_static(self.library_field(system, name)?, 0);
            if stream != 0 && &*self.class_of(stream).name != OUTPUT_CLASS {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What a method of the library does with the value.
    fn role(&self, kind: Outside, frame: &Frame) -> Role {
        let Method { class, name, .. } = frame.method;
        let class: &str = &class.name;
        let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| class.starts_with(prefix));
        if kind == Outside::Clock && class == "java/util/logging/StreamHandler" {
            return if self.logs_to_output(frame) { Role::Keeps } else { Role::Shows };
        }
        // What was printed does not come back.
        let keeps = class == OUTPUT_CLASS
            || match kind {
                Outside::Identity => {
                    !matches!(&**name, "toString" | "hashCode" | "hash" | "valueOf")
                        && begins(&TABLES)
                }
                // A delay that is left, a record of a log as a text.
                Outside::Clock => {
                    !matches!(&**name, "getDelay" | "format") && begins(&TIMERS)
                        || begins(&["java/text/"]) && matches!(&**name, "<init>" | "initialize")
                }
                Outside::Order => begins(&INSIDE) || self.forgets_order(frame),
                Outside::Chance => {
                    begins(&["java/io/", "java/nio/", "sun/"]) || self.is_as_good_as_certain(frame)
                }
                Outside::Machine | Outside::Input => false,
                Outside::Disk => begins(&FINDERS),
            };
        if keeps { Role::Keeps } else { Role::HandsOn }
    }

    /// Whether a handler of records writes them to one of the standard streams.
    fn logs_to_output(&self, frame: &Frame) -> bool {
        let handler = self.stack[frame.locals];
        let stream = self.field_of(handler, "output").map(|field| self.get(handler, field.slot));
        stream.is_ok_and(|stream| stream == 0 || &*self.class_of(stream).name == OUTPUT_CLASS)
    }

    /// Whether a test of primes by random numbers takes so many that its answer is as good as certain.
    fn is_as_good_as_certain(&self, frame: &Frame) -> bool {
        const ENOUGH: u32 = 10;
        let Method { class, name, .. } = frame.method;
        &*class.name == "java/math/BigInteger"
            && &**name == "passesMillerRabin"
            && self.stack[frame.locals + 1] >= ENOUGH
    }

    /// Whether a method looks at all elements, and it does not matter in which order.
    fn forgets_order(&self, frame: &Frame) -> bool {
        match &*frame.method.name {
            "equals" | "hashCode" | "containsAll" | "removeAll" | "retainAll" | "isEmpty"
            | "size" | "contains" | "containsValue" => true,
            "putMapEntries" => self.fall_apart(frame),
            "addAll" | "putAll" => {
                let collection = self.class_of(self.stack[frame.locals]);
                match &*collection.name {
                    "java/util/HashSet" | "java/util/HashMap" => self.fall_apart(frame),
                    "java/util/IdentityHashMap" | "java/util/WeakHashMap" => true,
                    "java/util/TreeSet"
                    | "java/util/TreeMap"
                    | "java/util/concurrent/ConcurrentSkipListMap"
                    | "java/util/concurrent/ConcurrentSkipListSet" => true,
                    "java/util/Hashtable" | "java/util/concurrent/ConcurrentHashMap" => {
                        self.salted.is_empty()
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }
}

impl Worker {
    /// Whether the elements of which an iterator is being made come into different lists of a hash table, so that it does
    /// not matter which comes first. Where identities decide on the order, who goes through the table is told.
    fn fall_apart(&self, frame: &Frame) -> bool {
        let codes: Option<Vec<u32>> = self.salted.iter().map(|&key| self.fixed_hash(key)).collect();
        let mut lists = match (codes, self.lists_of(self.stack[frame.locals])) {
            (Some(codes), Ok(lists)) => {
                let list = |code: u32| (code ^ code >> 16) & (lists - 1);
                codes.into_iter().map(list).collect::<Vec<u32>>()
            }
            _ => return false,
        };
        let all = lists.len();
        lists.sort_unstable();
        lists.dedup();
        lists.len() == all
    }

    /// How many lists a hash table has at least once elements are added.
    fn lists_of(&self, table: u32) -> Run<u32> {
        let mut map = table;
        if self.class_of(map).field("map").is_some() {
            map = self.get(map, self.field_of(map, "map")?.slot);
        }
        if map == 0 {
            return Ok(16);
        }
        let nodes = self.get(map, self.field_of(map, "table")?.slot);
        if nodes != 0 {
            return Ok(self.array_length(nodes).max(1));
        }
        let threshold = self.get(map, self.field_of(map, "threshold")?.slot);
        Ok(if threshold == 0 { 16 } else { threshold.next_power_of_two() })
    }

    /// The hash code of an object whose class fixes it.
    fn fixed_hash(&self, object: u32) -> Option<u32> {
        let class = self.class_of(object);
        match &*class.name {
            "java/lang/String" => {
                let text = self.text_of(object).ok()?;
                let add = |code: u32, unit: u16| code.wrapping_mul(31).wrapping_add(unit.into());
                Some(text.encode_utf16().fold(0, add))
            }
            "java/lang/Integer" | "java/lang/Short" | "java/lang/Byte" | "java/lang/Character" => {
                Some(self.get(object, class.field("value")?.slot))
            }
            "java/lang/Long" => {
                let value = self.get_long(object, class.field("value")?.slot);
                Some(value as u32 ^ (value >> 32) as u32)
            }
            _ => None,
        }
    }
}

/// Tables that find their keys again whatever their hash codes are.
const TABLES: [&str; 15] = [
    "java/lang/ClassLoader",
    "javax/crypto/",
    "java/lang/invoke/MethodType",
    "java/util/HashMap",
    "java/util/Hashtable",
    "java/util/IdentityHashMap",
    "java/util/ResourceBundle",
    "java/util/WeakHashMap",
    "java/util/ImmutableCollections",
    "java/util/concurrent/",
    "java/io/Object",
    "java/lang/ClassValue",
    "java/lang/ref/",
    "sun/",
    "jdk/",
];

/// Who waits until some time: such a wait may end at any moment.
const TIMERS: [&str; 12] = [
    "java/lang/ClassLoader",
    "java/util/concurrent/",
    "java/util/Timer",
    "java/util/logging/",
    "java/util/Random",
    "java/lang/Thread",
    "java/lang/Object",
    "java/lang/Process",
    "java/io/",
    "java/net/",
    "sun/",
    "jdk/internal/util/random/",
];

/// Who goes through its own tables; what the program sees does not depend on the order.
const INSIDE: [&str; 18] = [
    "java/io/Object",
    "java/lang/ConditionalSpecialCasing",
    "java/time/",
    "java/util/concurrent/ThreadPoolExecutor",
    "java/util/concurrent/ForkJoinPool",
    "java/util/concurrent/ScheduledThreadPoolExecutor",
    "java/lang/ApplicationShutdownHooks",
    "java/lang/ClassLoader",
    "java/lang/Class",
    "java/lang/reflect/",
    "java/util/logging/",
    "java/util/ServiceLoader",
    "java/util/ResourceBundle",
    "jdk/",
    "sun/nio/fs/UnixChannelFactory",
    "sun/reflect/",
    "sun/security/",
    "sun/util/",
];

/// Who looks for the program's own classes and files, or for those of the library.
const FINDERS: [&str; 11] = [
    "java/lang/Class",
    "java/lang/System",
    "java/net/URLClassLoader",
    "java/time/",
    "java/util/Currency",
    "java/util/ResourceBundle",
    "java/util/ServiceLoader",
    "java/util/logging/",
    "jdk/",
    "sun/net/",
    "sun/util/",
];

fn is_library(class: &Class) -> bool {
    class.library || class.hidden
}

/// Owner, name and descriptor of what an instruction calls or loads; a call site has no owner.
fn member(class: &'static Class, insn: Insn) -> Option<(Box<str>, Box<str>, Box<str>)> {
    let file = class.file.as_ref()?;
    if let Const::InvokeDynamic { name_type, .. } = file.pool.get(insn.a) {
        let (name, descriptor) = file.pool.name_type(&file.bytes, name_type).ok()?;
        return Some(("".into(), name.into(), descriptor.into()));
    }
    let (owner, name, descriptor) = file.pool.member(&file.bytes, insn.a).ok()?;
    Some((owner.into(), name.into(), descriptor.into()))
}

/// What a call does with arguments that the outside decided.
fn use_of(owner: &str, name: &str, descriptor: &str) -> Use {
    let passes = match owner {
        "" => name.starts_with("makeConcat"),
        "java/io/PrintStream" => {
            return match name {
                "print" | "println" | "printf" | "format" => Use::Prints,
                _ => Use::Sees,
            };
        }
        "java/lang/Thread" if name == "sleep" && descriptor == "(J)V" => return Use::Waits,
        "java/lang/StringBuilder" | "java/lang/StringBuffer" => match name {
            "append" | "<init>" => return Use::Gathers,
            "toString" => true,
            _ => false,
        },
        "java/lang/String" => {
            matches!(
                name,
                "valueOf"
                    | "format"
                    | "concat"
                    | "join"
                    | "trim"
                    | "strip"
                    | "length"
                    | "isEmpty"
                    | "toString"
                    | "toUpperCase"
                    | "toLowerCase"
                    | "equals"
                    | "hashCode"
            )
        }
        "java/lang/Integer"
        | "java/lang/Long"
        | "java/lang/Double"
        | "java/lang/Float"
        | "java/lang/Short"
        | "java/lang/Byte"
        | "java/lang/Character"
        | "java/lang/Boolean" => {
            // Texts may not be numbers.
            !descriptor.starts_with("(Ljava/lang/String;") || name == "equals"
        }
        "java/lang/Math" | "java/lang/StrictMath" => {
            !name.ends_with("Exact") && !name.starts_with("floor") && name != "ceilDiv"
                || name == "floor"
        }
        "java/util/Objects" => matches!(name, "toString" | "hashCode" | "hash" | "equals"),
        "java/util/Arrays" => matches!(name, "toString" | "hashCode" | "deepToString"),
        "java/util/concurrent/TimeUnit" => name.starts_with("to") || name == "convert",
        "java/util/Date" => matches!(name, "<init>" | "getTime" | "toString"),
        "java/util/UUID" => matches!(name, "randomUUID" | "toString"),
        "java/text/SimpleDateFormat"
        | "java/text/DateFormat"
        | "java/text/NumberFormat"
        | "java/text/DecimalFormat" => name == "format",
        _ => {
            owner.starts_with("java/time/") && name != "<init>"
                || matches!(name, "toString" | "hashCode")
        }
    };
    if passes { Use::Passes } else { Use::Sees }
}

impl Class {
    /// Notes that the hash codes of instances depend on their identity.
    fn depends_on_identity(&self) {
        self.identity.store(true, std::sync::atomic::Ordering::Relaxed);
    }

    /// Whether the hash codes of instances depend on their identity, as far as was seen.
    fn has_identity_hash(&self) -> bool {
        self.identity.load(std::sync::atomic::Ordering::Relaxed)
    }
}

impl Worker {
    /// Somebody begins to go through a table with these keys: if their order depends on identities and the
    /// program sees it, the search is told.
    pub fn go_through(&mut self, keys: &[u32]) -> Run<()> {
        if self.for_base || keys.len() < 2 {
            return Ok(());
        }
        let selector = self.vm.registry.selector("hashCode", "()I");
        let by_identity = keys.iter().any(|&key| {
            key != 0 && {
                let class = self.class_of(key);
                class.has_identity_hash()
                    || class.linked().virtuals.get(&selector).is_some_and(|method| {
                        matches!(&*method.class.name, "java/lang/Object" | "java/lang/Enum")
                    })
            }
        });
        if by_identity {
            let what = "an order of elements that identity hash codes decide";
            self.look_outside(Outside::Order, what)?;
        }
        Ok(())
    }
}
