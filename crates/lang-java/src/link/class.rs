//! Classes, methods and fields.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use rustc_hash::FxHashMap;

use crate::classfile::{ClassFile, flags};
use crate::code::{Code, Descriptor, Type};
use crate::dynamic::Site;
use crate::peers::Peer;
use crate::vm::regions::Region;

/// What a class is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A class or an interface.
    Instance,
    /// An array; the bytes of its elements are in [`Class::element_bytes`].
    Array(&'static Class),
    /// One of `ZBCSIJFDV`.
    Primitive(u8),
}

/// A class.
pub(crate) struct Class {
    /// Its number, by which objects name it.
    pub id: u32,
    /// Its name with slashes; arrays as in descriptors.
    pub name: Box<str>,
    pub kind: Kind,
    pub flags: u16,
    pub super_class: Option<&'static Class>,
    pub interfaces: Vec<&'static Class>,
    /// It belongs to the JDK.
    pub library: bool,
    /// It was made by the virtual machine, for a lambda.
    pub hidden: bool,
    /// The space of the program's loader that defined it; 0 if it is one of the class path or the library.
    pub space: u32,
    pub file: Option<ClassFile>,
    /// Everything that the class is a subtype of, itself too, ascending.
    pub supertypes: Vec<u32>,
    /// Constants that were resolved.
    pub pool: Box<[OnceLock<Resolved>]>,
    pub linked: OnceLock<Linked>,
    /// Arrays of it.
    pub array: OnceLock<&'static Class>,
    /// The object of java.lang.Class.
    pub mirror: OnceLock<u32>,
    /// Hash codes of its instances were seen to depend on their identity.
    pub identity: AtomicBool,
}

/// What refers back to the class.
pub(crate) struct Linked {
    pub fields: Vec<&'static Field>,
    pub methods: Vec<&'static Method>,
    /// What a call of a name and descriptor on an instance leads to.
    pub virtuals: FxHashMap<u32, &'static Method>,
    /// Words of an instance with its header.
    pub words: u32,
    /// Which of them are references.
    pub references: Vec<u32>,
    /// Words of the statics, the state of initialisation first.
    pub static_words: u32,
    pub static_references: Vec<u32>,
    pub initialiser: Option<&'static Method>,
}

/// A field.
pub(crate) struct Field {
    pub class: &'static Class,
    pub name: Box<str>,
    pub descriptor: Box<str>,
    pub kind: Type,
    pub flags: u16,
    /// Its first word in the content of an instance or of the statics.
    pub slot: u32,
    /// No thread can learn anything about others from it: a cache.
    pub quiet: bool,
    /// What is assumed of it where others can reach it.
    pub rule: AtomicU32,
    /// Which guards all accesses so far had, where it is guarded.
    pub possible: AtomicU64,
    /// The last search in which a thread read it without a step of its own, where others could reach it.
    pub elided: AtomicU32,
    /// The last search in which it was written where others could reach it earlier.
    pub written_late: AtomicU32,
    /// What the user asks depends on it: a step ends before it is written.
    pub watched: AtomicBool,
    /// It is not volatile, and the program accesses it by a VarHandle.
    pub handled: AtomicBool,
    /// Its number in the file.
    pub index: usize,
}

/// A method.
pub(crate) struct Method {
    /// Its number, by which frames name it.
    pub id: u32,
    pub class: &'static Class,
    pub name: Box<str>,
    pub text: Box<str>,
    pub descriptor: Descriptor,
    pub flags: u16,
    /// The number of its name and descriptor.
    pub selector: u32,
    /// Words of its parameters with the receiver.
    pub words: usize,
    /// Its number in the file.
    pub index: usize,
    pub code: OnceLock<Result<Code, String>>,
    /// Whether a call of it is one step.
    pub region: Region,
    /// What is done instead of its code.
    pub peer: OnceLock<Option<Peer>>,
}

/// A constant that was resolved.
#[derive(Clone, Copy)]
pub(crate) enum Resolved {
    Class(&'static Class),
    Field(&'static Field),
    Method(&'static Method),
    /// A literal: an object of the base.
    Object(u32),
    Site(&'static Site),
    /// A constant that code makes: the class whose only static field it is.
    Held(&'static Class),
}

impl std::fmt::Debug for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

impl PartialEq for Class {
    fn eq(&self, other: &Class) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Class {}

impl Class {
    pub fn linked(&self) -> &Linked {
        self.linked.get().expect("classes are linked when they are registered")
    }

    pub fn is(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    pub fn is_interface(&self) -> bool {
        self.is(flags::INTERFACE)
    }

    pub fn is_subtype_of(&self, other: &Class) -> bool {
        if std::ptr::eq(self, other) {
            return true;
        }
        match (self.kind, other.kind) {
            (Kind::Array(mine), Kind::Array(theirs)) => mine.is_subtype_of(theirs),
            _ => self.supertypes.binary_search(&other.id).is_ok(),
        }
    }

    /// Bytes of an element of an array.
    pub fn element_bytes(&self) -> u32 {
        match self.kind {
            Kind::Array(Class { kind: Kind::Primitive(kind), .. }) => match kind {
                b'Z' | b'B' => 1,
                b'C' | b'S' => 2,
                b'J' | b'D' => 8,
                _ => 4,
            },
            _ => 4,
        }
    }

    /// The elements of an array are references.
    pub fn has_reference_elements(&self) -> bool {
        matches!(self.kind, Kind::Array(element) if !matches!(element.kind, Kind::Primitive(_)))
    }

    /// The class of the elements.
    pub fn element(&self) -> Option<&'static Class> {
        match self.kind {
            Kind::Array(element) => Some(element),
            _ => None,
        }
    }

    /// The method of this name and descriptor that the class itself declares.
    pub fn declared(&self, name: &str, descriptor: &str) -> Option<&'static Method> {
        let methods = self.linked().methods.iter();
        methods.copied().find(|m| &*m.name == name && &*m.text == descriptor)
    }

    /// A method of this name, here or in a superclass.
    pub fn method(&self, name: &str, descriptor: &str) -> Option<&'static Method> {
        let mut class = Some(self);
        while let Some(current) = class {
            if let Some(found) = current.declared(name, descriptor) {
                return Some(found);
            }
            class = current.super_class;
        }
        None
    }

    /// A field of this name that the class itself declares.
    pub fn declared_field(&self, name: &str) -> Option<&'static Field> {
        self.linked().fields.iter().copied().find(|field| &*field.name == name)
    }

    /// A field of this name, here or in a superclass.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        let mut class = Some(self);
        while let Some(current) = class {
            if let Some(found) = current.declared_field(name) {
                return Some(found);
            }
            class = current.super_class;
        }
        None
    }

    /// The field at a place of instances, here or in a superclass, or of the statics of the class.
    pub fn field_in(&self, slot: u32, is_static: bool) -> Option<&'static Field> {
        let mut class = Some(self);
        while let Some(current) = class {
            let mut fields = current.linked().fields.iter().copied();
            let here =
                |field: &&'static Field| field.slot == slot && field.is(flags::STATIC) == is_static;
            if let Some(found) = fields.find(here) {
                return Some(found);
            }
            class = current.super_class.filter(|_| !is_static);
        }
        None
    }

    /// The name as Java writes it.
    pub fn java_name(&self) -> String {
        crate::code::java_name(&self.name)
    }

    /// A name that no other class has, for what the virtual machine makes for it.
    pub fn own_name(&self) -> String {
        match self.space {
            0 => self.name.to_string(),
            space => format!("{}@{space}", self.name),
        }
    }

    /// The name that `Class.getName` gives.
    pub fn get_name(&self) -> String {
        match self.kind {
            Kind::Primitive(_) => self.name.to_string(),
            _ => self.name.replace('/', "."),
        }
    }
}

impl Method {
    pub fn is(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    pub fn is_static(&self) -> bool {
        self.is(flags::STATIC)
    }

    /// `C.m(P)` as messages have it.
    pub fn java(&self) -> String {
        let parameters: Vec<String> = self.descriptor.parameters.iter().map(Type::java).collect();
        format!("{}.{}({})", self.class.java_name(), self.name, parameters.join(", "))
    }

    /// `java/lang/Object.hashCode()I`.
    pub fn full_name(&self) -> String {
        format!("{}.{}{}", self.class.name, self.name, self.text)
    }
}

impl Field {
    pub fn is(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    pub fn wide(&self) -> bool {
        self.kind.words() == 2
    }
}
