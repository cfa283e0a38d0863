//! Loading and linking classes.

use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::class::{Class, Field, Kind, Linked, Method};
use super::spaces::Spaces;
use crate::classfile::{ClassFile, Member, flags};
use crate::code::{Code, Descriptor, Insn, Type, decode, op};
use crate::heap::HEADER;
use crate::heap::append::Append;
use crate::load::{ClassPath, Image};
use crate::reductions::Reductions;
use crate::vm::{regions, rules};

/// Statics begin with the state of initialisation.
pub(crate) const STATIC_HEADER: u32 = 2;

/// The deepest chain of superclasses.
const DEEPEST: usize = 200;

/// Why a class cannot be had.
#[derive(Clone, Debug)]
pub(crate) enum LoadError {
    /// There is none of this name.
    Missing(String),
    /// It cannot be read: a message with its name.
    Broken(String),
}

/// Numbers of names with descriptors.
type Selectors = FxHashMap<(Box<str>, Box<str>), u32>;

/// All classes of a program.
pub(crate) struct Registry {
    image: Image,
    path: ClassPath,
    names: RwLock<FxHashMap<Box<str>, &'static Class>>,
    /// Classes of the program's own loaders.
    pub(super) spaces: Spaces,
    classes: Append<&'static Class>,
    methods: Append<&'static Method>,
    selectors: Mutex<Selectors>,
    /// One thread links at a time.
    linking: Mutex<()>,
    /// What is assumed of fields depends on that.
    reductions: Reductions,
}

/// A member of a class that the virtual machine makes.
pub(crate) struct NewMethod {
    pub name: String,
    pub descriptor: String,
    pub flags: u16,
}

impl Registry {
    pub fn new(image: Image, path: ClassPath, reductions: Reductions) -> Registry {
        Registry {
            image,
            path,
            names: RwLock::default(),
            spaces: Spaces::default(),
            classes: Append::new(),
            methods: Append::new(),
            selectors: Mutex::default(),
            linking: Mutex::new(()),
            reductions,
        }
    }

    pub fn class_of(&self, id: u32) -> &'static Class {
        self.classes.get(id as usize).expect("a class that was registered")
    }

    pub fn class_count(&self) -> usize {
        self.classes.len()
    }

    /// All methods of classes that were loaded.
    pub fn methods(&self) -> impl Iterator<Item = &'static Method> + '_ {
        (0..self.methods.len()).filter_map(|id| self.methods.get(id).copied())
    }

    pub fn method_of(&self, id: u32) -> &'static Method {
        self.methods.get(id as usize).expect("a method that was registered")
    }

    fn known(&self, name: &str) -> Option<&'static Class> {
        self.names.read().unwrap_or_else(PoisonError::into_inner).get(name).copied()
    }

    /// A class by its name: `java/lang/String`, `[I`.
    pub fn class(&self, name: &str) -> Result<&'static Class, LoadError> {
        if let Some(class) = self.known(name) {
            return Ok(class);
        }
        let _guard = self.linking.lock().unwrap_or_else(PoisonError::into_inner);
        self.load(name, 0)
    }

    /// The class of a primitive type.
    pub fn primitive(&self, kind: u8) -> &'static Class {
        let name = crate::code::primitive_name(kind);
        if let Some(class) = self.known(name) {
            return class;
        }
        let _guard = self.linking.lock().unwrap_or_else(PoisonError::into_inner);
        self.known(name).unwrap_or_else(|| self.new_primitive(kind))
    }

    fn new_primitive(&self, kind: u8) -> &'static Class {
        let name = crate::code::primitive_name(kind);
        let flags = flags::PUBLIC | flags::FINAL | flags::ABSTRACT;
        self.register(self.blank(name, Kind::Primitive(kind), flags))
    }

    fn blank(&self, name: &str, kind: Kind, flags: u16) -> Class {
        Class {
            id: 0,
            name: name.into(),
            kind,
            flags,
            super_class: None,
            interfaces: Vec::new(),
            library: true,
            hidden: false,
            space: 0,
            file: None,
            supertypes: Vec::new(),
            pool: Box::default(),
            linked: OnceLock::new(),
            array: OnceLock::new(),
            mirror: OnceLock::new(),
        }
    }

    /// The class of arrays of a class.
    pub fn array_of(&self, element: &'static Class) -> Result<&'static Class, LoadError> {
        if let Some(class) = element.array.get() {
            return Ok(class);
        }
        let name = match element.kind {
            Kind::Primitive(kind) => format!("[{}", char::from(kind)),
            Kind::Array(_) => format!("[{}", element.name),
            Kind::Instance => format!("[L{};", element.name),
        };
        if element.space != 0 {
            return self.array_in_space(&name, element);
        }
        let class = self.class(&name)?;
        Ok(element.array.get_or_init(|| class))
    }

    fn load(&self, name: &str, depth: usize) -> Result<&'static Class, LoadError> {
        if let Some(class) = self.known(name) {
            return Ok(class);
        }
        if depth > DEEPEST {
            return Err(LoadError::Broken(format!("{name}: too many superclasses")));
        }
        if let Some(element) = name.strip_prefix('[') {
            return self.load_array(name, element, depth);
        }
        let broken = |error: std::io::Error| LoadError::Broken(format!("class {name}: {error}"));
        let from_image = self.image.class(name).map_err(broken)?;
        let library = from_image.is_some();
        let bytes = match from_image {
            Some(bytes) => bytes,
            None => match self.path.class(name).map_err(broken)? {
                Some(bytes) => bytes,
                None => return Err(LoadError::Missing(name.to_owned())),
            },
        };
        let file = ClassFile::read(bytes)
            .map_err(|error| LoadError::Broken(format!("class file of {name}: {error}")))?;
        if &*file.name != name {
            let text = format!("class file of {name}: it has the class {}", file.name);
            return Err(LoadError::Broken(text));
        }
        // A class that is its own superclass is found by the depth.
        let super_class = match &file.super_name {
            Some(name) => Some(self.load(name, depth + 1)?),
            None => None,
        };
        let interfaces = file.interfaces.iter().map(|name| self.load(name, depth + 1));
        let interfaces = interfaces.collect::<Result<Vec<_>, _>>()?;
        let mut class = self.blank(name, Kind::Instance, file.flags);
        class.super_class = super_class;
        class.interfaces = interfaces;
        class.library = library;
        class.pool = (0..file.pool.len()).map(|_| OnceLock::new()).collect();
        class.file = Some(file);
        self.link(class, Vec::new())
    }

    fn load_array(
        &self,
        name: &str,
        element: &str,
        depth: usize,
    ) -> Result<&'static Class, LoadError> {
        let element = match Type::of(element) {
            Some(Type::Primitive(b'V')) | None => {
                return Err(LoadError::Missing(name.to_owned()));
            }
            Some(Type::Primitive(kind)) => {
                let known = self.known(crate::code::primitive_name(kind));
                known.unwrap_or_else(|| self.new_primitive(kind))
            }
            Some(Type::Reference(element)) => self.load(&element, depth + 1)?,
        };
        self.new_array(name, element, depth)
    }

    fn new_array(
        &self,
        name: &str,
        element: &'static Class,
        depth: usize,
    ) -> Result<&'static Class, LoadError> {
        let object = self.load("java/lang/Object", depth + 1)?;
        let interfaces = ["java/lang/Cloneable", "java/io/Serializable"];
        let interfaces = interfaces.iter().map(|name| self.load(name, depth + 1));
        let interfaces = interfaces.collect::<Result<Vec<_>, _>>()?;
        let access = element.flags & (flags::PUBLIC | flags::PRIVATE);
        let mut class =
            self.blank(name, Kind::Array(element), access | flags::FINAL | flags::ABSTRACT);
        class.super_class = Some(object);
        class.interfaces = interfaces;
        class.library = element.library;
        class.space = element.space;
        self.link(class, Vec::new())
    }

    /// The class of arrays of a class that a loader of the program defined.
    fn array_in_space(
        &self,
        name: &str,
        element: &'static Class,
    ) -> Result<&'static Class, LoadError> {
        let _guard = self.linking.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(class) = element.array.get() {
            return Ok(class);
        }
        let class = self.new_array(name, element, 0)?;
        Ok(element.array.get_or_init(|| class))
    }

    /// Registers a class that a loader of the program defines in its space.
    pub(super) fn define_in_space(
        &self,
        space: u32,
        file: ClassFile,
        super_class: &'static Class,
        interfaces: Vec<&'static Class>,
    ) -> Result<&'static Class, LoadError> {
        let _guard = self.linking.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(class) = self.spaces.get(space, &file.name) {
            return Ok(class);
        }
        let mut class = self.blank(&file.name, Kind::Instance, file.flags);
        class.super_class = Some(super_class);
        class.interfaces = interfaces;
        class.library = false;
        class.space = space;
        class.pool = (0..file.pool.len()).map(|_| OnceLock::new()).collect();
        class.file = Some(file);
        self.link(class, Vec::new())
    }

    /// Registers a class of the program that the virtual machine makes: a static field, and the initialiser
    /// that gives it its value and gets its code later.
    pub fn define_holder(
        &self,
        name: &str,
        super_class: &'static Class,
        descriptor: &str,
        room: usize,
    ) -> Result<&'static Class, LoadError> {
        let _guard = self.linking.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(class) = self.known(name) {
            return Ok(class);
        }
        let mut class = self.blank(name, Kind::Instance, flags::FINAL | flags::SYNTHETIC);
        class.super_class = Some(super_class);
        class.hidden = true;
        class.library = false;
        class.pool = (0..=room).map(|_| OnceLock::new()).collect();
        let member = |name: &str, descriptor: &str| Member {
            flags: flags::STATIC,
            name: name.into(),
            descriptor: descriptor.into(),
            attributes: Vec::new(),
        };
        let (value, initialiser) = (member("value", descriptor), member("<clinit>", "()V"));
        self.link(class, vec![(vec![value], vec![initialiser])])
    }

    /// Registers a class that the virtual machine makes, with methods that get their code later.
    pub fn define(
        &self,
        name: &str,
        super_class: &'static Class,
        interfaces: Vec<&'static Class>,
        fields: &[(String, String)],
        methods: Vec<NewMethod>,
        pool: Vec<Option<super::Resolved>>,
    ) -> Result<&'static Class, LoadError> {
        let _guard = self.linking.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(class) = self.known(name) {
            return Ok(class);
        }
        let mut class = self.blank(name, Kind::Instance, flags::FINAL | flags::SYNTHETIC);
        class.super_class = Some(super_class);
        class.interfaces = interfaces;
        class.hidden = true;
        // Constant 0 is none.
        let entries = std::iter::once(None)
            .chain(pool)
            .map(|entry| entry.map_or_else(OnceLock::new, OnceLock::from));
        class.pool = entries.collect();
        let fields = fields.iter().map(|(name, descriptor)| Member {
            flags: flags::PRIVATE | flags::FINAL,
            name: name.as_str().into(),
            descriptor: descriptor.as_str().into(),
            attributes: Vec::new(),
        });
        let methods = methods.into_iter().map(|method| Member {
            flags: method.flags,
            name: method.name.into(),
            descriptor: method.descriptor.into(),
            attributes: Vec::new(),
        });
        self.link(class, vec![(fields.collect(), methods.collect())])
    }

    /// Whether there are classes in a package.
    pub fn has_package(&self, package: &str) -> bool {
        let in_library = self.image.module_of(&package.replace('/', "."));
        in_library.is_ok_and(|module| module.is_some()) || self.path.has_package(package)
    }

    /// The class path as `java` is given it.
    pub fn class_path(&self) -> &str {
        &self.path.text
    }

    /// A resource of the library, such as `/java.base/java/lang/uniName.dat`.
    pub fn resource(&self, path: &str) -> Option<Vec<u8>> {
        self.image.resource(path).ok().flatten()
    }

    /// A file on the class path.
    pub fn program_resource(&self, path: &str) -> Result<Option<Vec<u8>>, LoadError> {
        self.path.resource(path).map_err(|error| LoadError::Broken(format!("{path}: {error}")))
    }

    /// Where the files of a name on the class path are, as URLs.
    pub fn locate(&self, path: &str) -> Result<Vec<String>, LoadError> {
        self.path.locate(path).map_err(|error| LoadError::Broken(format!("{path}: {error}")))
    }

    /// The number of a name and descriptor.
    pub fn selector(&self, name: &str, descriptor: &str) -> u32 {
        let mut selectors = self.selectors.lock().unwrap_or_else(PoisonError::into_inner);
        let next = selectors.len() as u32;
        *selectors.entry((name.into(), descriptor.into())).or_insert(next)
    }

    fn register(&self, mut class: Class) -> &'static Class {
        class.id = self.classes.len() as u32;
        let mut supertypes = vec![class.id];
        for parent in class.super_class.iter().chain(&class.interfaces) {
            supertypes.extend(&parent.supertypes);
        }
        supertypes.sort_unstable();
        supertypes.dedup();
        class.supertypes = supertypes;
        let class: &'static Class = Box::leak(Box::new(class));
        if class.kind != Kind::Instance {
            let linked = Linked {
                fields: Vec::new(),
                methods: Vec::new(),
                virtuals: class
                    .super_class
                    .map(|parent| parent.linked().virtuals.clone())
                    .unwrap_or_default(),
                words: 0,
                references: Vec::new(),
                static_words: STATIC_HEADER,
                static_references: Vec::new(),
                initialiser: None,
            };
            let _ = class.linked.set(linked);
        }
        self.publish(class);
        class
    }

    fn publish(&self, class: &'static Class) {
        let id = self.classes.push(class);
        debug_assert_eq!(id, class.id as usize);
        if class.space != 0 {
            if class.kind == Kind::Instance {
                self.spaces.put(class.space, class);
            }
            return;
        }
        let mut names = self.names.write().unwrap_or_else(PoisonError::into_inner);
        names.insert(class.name.clone(), class);
    }

    fn link(
        &self,
        mut class: Class,
        made: Vec<(Vec<Member>, Vec<Member>)>,
    ) -> Result<&'static Class, LoadError> {
        if class.kind != Kind::Instance {
            return Ok(self.register(class));
        }
        class.id = self.classes.len() as u32;
        let mut supertypes = vec![class.id];
        for parent in class.super_class.iter().chain(&class.interfaces) {
            supertypes.extend(&parent.supertypes);
        }
        supertypes.sort_unstable();
        supertypes.dedup();
        class.supertypes = supertypes;
        let class: &'static Class = Box::leak(Box::new(class));
        let (fields, methods): (&[Member], &[Member]) = match (&class.file, made.first()) {
            (Some(file), _) => (&file.fields, &file.methods),
            (None, Some((fields, methods))) => (fields, methods),
            (None, None) => (&[], &[]),
        };
        let linked = self.layout(class, fields, methods)?;
        let _ = class.linked.set(linked);
        self.publish(class);
        Ok(class)
    }

    fn layout(
        &self,
        class: &'static Class,
        fields: &[Member],
        methods: &[Member],
    ) -> Result<Linked, LoadError> {
        let broken =
            |what: String| LoadError::Broken(format!("class file of {}: {what}", class.name));
        let parent = class.super_class.map(Class::linked);
        let mut linked = Linked {
            fields: Vec::with_capacity(fields.len()),
            methods: Vec::with_capacity(methods.len()),
            virtuals: FxHashMap::default(),
            words: parent.map_or(HEADER, |parent| parent.words),
            references: parent.map(|parent| parent.references.clone()).unwrap_or_default(),
            static_words: STATIC_HEADER,
            static_references: Vec::new(),
            initialiser: None,
        };
        for (index, member) in fields.iter().enumerate() {
            let kind = Type::of(&member.descriptor)
                .filter(|kind| *kind != Type::Primitive(b'V'))
                .ok_or_else(|| broken(format!("field {} has no type", member.name)))?;
            let (words, references) = if member.flags & flags::STATIC != 0 {
                (&mut linked.static_words, &mut linked.static_references)
            } else {
                (&mut linked.words, &mut linked.references)
            };
            let slot = *words;
            *words += kind.words() as u32;
            if kind.is_reference() {
                references.push(slot);
            }
            let Reductions { local, constant, .. } = self.reductions;
            let quiet = is_cache(&class.name, &member.name)
                || (local && !constant && member.flags & flags::FINAL != 0);
            // The virtual machine itself writes the fields of threads.
            let constant = constant && &*class.name != "java/lang/Thread";
            linked.fields.push(Box::leak(Box::new(Field {
                class,
                name: member.name.clone(),
                descriptor: member.descriptor.clone(),
                kind,
                flags: member.flags,
                slot,
                quiet,
                rule: AtomicU32::new(if constant { rules::CONSTANT } else { rules::FREE }),
                possible: AtomicU64::new(u64::MAX),
                index,
            })));
        }
        if &*class.name == "java/lang/Class" {
            // A mirror ends with the number of its class.
            linked.words += 1;
        }
        if &*class.name == "java/lang/ClassLoader" {
            // A loader ends with the classes that it was asked for and the number of its space.
            linked.references.push(linked.words);
            linked.words += 2;
        }
        if matches!(&*class.name, "java/util/zip/Inflater" | "java/util/zip/Deflater") {
            // A stream ends with an array of what it has taken and the number of bytes that it gave.
            linked.references.push(linked.words);
            linked.words += 2;
        }
        for (index, member) in methods.iter().enumerate() {
            let descriptor = Descriptor::of(&member.descriptor)
                .ok_or_else(|| broken(format!("method {} has no type", member.name)))?;
            let receiver = usize::from(member.flags & flags::STATIC == 0);
            let words = descriptor.words + receiver;
            if words > 255 {
                return Err(broken(format!("method {} has too many parameters", member.name)));
            }
            let method: &'static Method = Box::leak(Box::new(Method {
                id: self.methods.len() as u32,
                class,
                name: member.name.clone(),
                text: member.descriptor.clone(),
                words,
                descriptor,
                flags: member.flags,
                selector: self.selector(&member.name, &member.descriptor),
                index,
                code: OnceLock::new(),
                region: regions::region_of(class, &member.name),
                peer: OnceLock::new(),
            }));
            self.methods.push(method);
            linked.methods.push(method);
        }
        linked.virtuals = virtuals(class, &linked.methods);
        linked.initialiser = linked
            .methods
            .iter()
            .copied()
            .find(|m| &*m.name == "<clinit>" && m.is_static())
            .or_else(|| self.inherited_initialiser(class));
        Ok(linked)
    }
}

impl Registry {
    /// A class without an initialiser still fails with its superclass and waits for it: it gets one that
    /// does nothing else.
    fn inherited_initialiser(&self, class: &'static Class) -> Option<&'static Method> {
        let mut parents = class.super_class.into_iter().chain(class.interfaces.iter().copied());
        let inherits = parents.any(|parent| parent.linked().initialiser.is_some());
        if !inherits || class.is_interface() || class.file.is_none() {
            return None;
        }
        let insns = vec![Insn::new(op::INITIALISE, 0, 0), Insn::new(op::RETURN, 0, 0)];
        let code = Code::made(insns, 0, 0, Vec::new());
        let method: &'static Method = Box::leak(Box::new(Method {
            id: self.methods.len() as u32,
            class,
            name: "<clinit>".into(),
            text: "()V".into(),
            words: 0,
            descriptor: Descriptor {
                parameters: Vec::new(),
                result: Type::Primitive(b'V'),
                words: 0,
            },
            flags: flags::STATIC,
            selector: self.selector("<clinit>", "()V"),
            // It is in no file.
            index: usize::MAX,
            region: regions::region_of(class, "<clinit>"),
            code: OnceLock::from(Ok(code)),
            peer: OnceLock::from(None),
        }));
        self.methods.push(method);
        Some(method)
    }
}

/// What calls on instances of a class lead to.
fn virtuals(class: &'static Class, methods: &[&'static Method]) -> FxHashMap<u32, &'static Method> {
    let mut found: FxHashMap<u32, &'static Method> = FxHashMap::default();
    // Methods of interfaces: one that has code, the most specific one first.
    for interface in &class.interfaces {
        offer(&mut found, &interface.linked().virtuals);
    }
    if let Some(parent) = class.super_class {
        let mut inherited = parent.linked().virtuals.clone();
        // What a superclass got from an interface gives way to a more specific interface.
        #[expect(clippy::iter_over_hash_type, reason = "each entry is looked at by itself")]
        for (&selector, &method) in &found {
            match inherited.get(&selector) {
                Some(old) if !old.class.is_interface() => {}
                Some(old) if !is_better(method, old) => {}
                _ => {
                    inherited.insert(selector, method);
                }
            }
        }
        found = inherited;
    }
    for &method in methods {
        if !method.is_static() && !method.name.starts_with('<') {
            let keep = method.is(flags::PRIVATE)
                && found.get(&method.selector).is_some_and(|old| !old.is(flags::PRIVATE));
            if !keep {
                found.insert(method.selector, method);
            }
        }
    }
    found
}

#[expect(clippy::iter_over_hash_type, reason = "each entry is looked at by itself")]
fn offer(found: &mut FxHashMap<u32, &'static Method>, offered: &FxHashMap<u32, &'static Method>) {
    for (&selector, &method) in offered {
        match found.get(&selector) {
            Some(old) if !is_better(method, old) => {}
            _ => {
                found.insert(selector, method);
            }
        }
    }
}

/// Whether a method of an interface is to be preferred to another one.
fn is_better(method: &Method, old: &Method) -> bool {
    if method.class.is_subtype_of(old.class) {
        return !std::ptr::eq(method, old);
    }
    if old.class.is_subtype_of(method.class) {
        return false;
    }
    old.is(flags::ABSTRACT) && !method.is(flags::ABSTRACT)
}

/// Fields that only keep what was computed anyway, and those that only their own thread looks at.
fn is_cache(class: &str, field: &str) -> bool {
    match class {
        "java/lang/String" => true,
        "java/lang/Thread" => !matches!(
            field,
            "interrupted"
                | "eetop"
                | "threadStatus"
                | "name"
                | "daemon"
                | "priority"
                | "uncaughtExceptionHandler"
                | "defaultUncaughtExceptionHandler"
                | "threadInitNumber"
                | "threadSeqNumber"
        ),
        "java/lang/Class" => true,
        "java/lang/Throwable" => matches!(field, "stackTrace" | "backtrace" | "depth"),
        "java/util/HashMap" | "java/util/AbstractMap" => {
            matches!(field, "keySet" | "values" | "entrySet")
        }
        _ => false,
    }
}

impl Method {
    /// The code, decoded when it is first asked for.
    pub fn code(&self) -> Result<&Code, &str> {
        let decoded = self.code.get_or_init(|| {
            let Some(file) = &self.class.file else {
                return Err(format!("{} has no code", self.full_name()));
            };
            let failed =
                |error| format!("class file of {}: method {}: {error}", self.class.name, self.name);
            match file.code(&file.methods[self.index]).map_err(failed)? {
                Some(attribute) => {
                    let initialiser = &*self.name == "<clinit>";
                    let mut code = decode(file, attribute, initialiser).map_err(failed)?;
                    if !self.class.library {
                        crate::cover::mark_assertions(file, &mut code);
                    }
                    if usize::from(code.max_locals) < self.words {
                        return Err(format!("{}: too few local variables", self.full_name()));
                    }
                    Ok(code)
                }
                None => Err(format!("{} has no code", self.full_name())),
            }
        });
        decoded.as_ref().map_err(String::as_str)
    }
}
