//! Loading and linking classes.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::class::{Class, Kind, Linked, Method};
use super::spaces::Spaces;
use crate::classfile::{ClassFile, Member, flags};
use crate::code::Type;
use crate::heap::append::Append;
use crate::library::{Provider, comes_first};
use crate::load::{ClassPath, Image};
use crate::reductions::Reductions;

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
    /// Another error of linking: its class and text.
    Other(&'static str, String),
}

/// The newest version of class files that is read: that of Java 17.
const NEWEST: u16 = 61;

/// The version of a class file.
fn version(bytes: &[u8]) -> Option<(u16, u16)> {
    let number = |at: usize| Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]));
    (bytes.get(..4)? == [0xca, 0xfe, 0xba, 0xbe]).then_some(())?;
    Some((number(6)?, number(4)?))
}

/// Numbers of names with descriptors.
type Selectors = FxHashMap<(Box<str>, Box<str>), u32>;

/// All classes of a program.
pub(crate) struct Registry {
    image: Image,
    path: ClassPath,
    /// Classes that drivers call.
    provider: Option<Provider>,
    names: RwLock<FxHashMap<Box<str>, &'static Class>>,
    /// Classes of the program's own loaders.
    pub(super) spaces: Spaces,
    classes: Append<&'static Class>,
    pub(super) methods: Append<&'static Method>,
    selectors: Mutex<Selectors>,
    /// One thread links at a time.
    linking: Mutex<()>,
    /// What is assumed of fields depends on that.
    pub(super) reductions: Reductions,
}

/// A member of a class that the virtual machine makes.
pub(crate) struct NewMethod {
    pub name: String,
    pub descriptor: String,
    pub flags: u16,
}

impl Registry {
    pub fn new(
        image: Image,
        path: ClassPath,
        provider: Option<Provider>,
        reductions: Reductions,
    ) -> Registry {
        Registry {
            image,
            path,
            provider,
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
            identity: AtomicBool::new(false),
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
            None => {
                let provided = || self.provider.as_ref().and_then(|own| own.class(name));
                let on_path = || self.path.class(name).map_err(broken);
                let found = match comes_first(name) {
                    true => match provided() {
                        None => on_path()?,
                        found => found,
                    },
                    false => on_path()?.or_else(provided),
                };
                found.ok_or_else(|| LoadError::Missing(name.to_owned()))?
            }
        };
        let dotted = name.replace('/', ".");
        if let Some((major, minor)) = version(&bytes).filter(|&(major, _)| major > NEWEST) {
            let text = format!(
                "{dotted} has been compiled by a more recent version of the Java Runtime (class file version \
                 {major}.{minor}), this version of the Java Runtime only recognizes class file versions up to {NEWEST}.0"
            );
            return Err(LoadError::Other("java/lang/UnsupportedClassVersionError", text));
        }
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
        if let Some(parent) = super_class.filter(|_| !library) {
            let parent_name = parent.get_name();
            let text = match () {
                _ if parent.is_interface() => {
                    format!("class {dotted} has interface {parent_name} as super class")
                }
                _ if parent.flags & flags::FINAL != 0 => {
                    format!("class {dotted} cannot inherit from final class {parent_name}")
                }
                _ => String::new(),
            };
            if !text.is_empty() {
                return Err(LoadError::Other("java/lang/IncompatibleClassChangeError", text));
            }
        }
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

    /// Where a file of the library is in its modules: `/java.logging/java/util/logging/Logger.class`.
    pub fn library_resource(&self, path: &str) -> Option<String> {
        let package = path.rsplit_once('/').map_or("", |(package, _)| package);
        let module = self.image.module_of(&package.replace('/', ".")).ok().flatten();
        let places = ["java.base".to_owned()].into_iter().chain(module);
        let mut places = places.map(|module| format!("/{module}/{path}"));
        places.find(|place| self.image.has(place))
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
}
