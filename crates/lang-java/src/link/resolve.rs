//! From constants to classes, fields and methods; and what the analysis of code asks the pool.

use super::class::{Class, Field, Method, Resolved};
use super::registry::{LoadError, Registry};
use crate::classfile::{Const, flags};
use crate::code::{Classes, Code, Descriptor, Flow, Insn, Meaning, Type, effect, op};
use crate::dynamic::Site;

/// Why a constant cannot be resolved: an error of the program.
#[derive(Debug)]
pub(crate) enum LinkError {
    Load(LoadError),
    /// The class of the error and its message.
    Throw(&'static str, String),
}

impl From<LoadError> for LinkError {
    fn from(error: LoadError) -> LinkError {
        LinkError::Load(error)
    }
}

/// Whether calls of a method may have any arguments: each has a site of its own, and other words on the stack than the
/// method declares.
pub(crate) fn takes_any(method: &Method) -> bool {
    let handle = matches!(
        &*method.class.name,
        "java/lang/invoke/MethodHandle" | "java/lang/invoke/VarHandle"
    );
    handle && method.is(flags::NATIVE) && method.is(flags::VARARGS)
}

fn damaged(class: &Class, error: impl std::fmt::Display) -> LinkError {
    LinkError::Load(LoadError::Broken(format!("class file of {}: {error}", class.name)))
}

impl Class {
    /// The class that a constant names.
    pub fn class_at(&self, registry: &Registry, index: u16) -> Result<&'static Class, LinkError> {
        let entry = self.pool.get(usize::from(index));
        if let Some(Resolved::Class(class)) = entry.and_then(|entry| entry.get()) {
            return Ok(class);
        }
        let (Some(entry), Some(file)) = (entry, &self.file) else {
            return Err(damaged(self, format!("there is no constant {index}")));
        };
        let name =
            file.pool.class_name(&file.bytes, index).map_err(|error| damaged(self, error))?;
        let class = registry.class_in(self.space, name)?;
        let _ = entry.set(Resolved::Class(class));
        Ok(class)
    }

    /// The field that a constant names.
    pub fn field_at(&self, registry: &Registry, index: u16) -> Result<&'static Field, LinkError> {
        let entry = self.pool.get(usize::from(index));
        if let Some(Resolved::Field(field)) = entry.and_then(|entry| entry.get()) {
            return Ok(field);
        }
        let (Some(entry), Some(file)) = (entry, &self.file) else {
            return Err(damaged(self, format!("there is no constant {index}")));
        };
        let (class, name, descriptor) =
            file.pool.member(&file.bytes, index).map_err(|error| damaged(self, error))?;
        let class = registry.class_in(self.space, class)?;
        let field = find_field(class, name, descriptor)
            .ok_or_else(|| LinkError::Throw("java/lang/NoSuchFieldError", name.to_owned()))?;
        let _ = entry.set(Resolved::Field(field));
        Ok(field)
    }

    /// The method that a constant names.
    pub fn method_at(&self, registry: &Registry, index: u16) -> Result<&'static Method, LinkError> {
        let entry = self.pool.get(usize::from(index));
        if let Some(Resolved::Method(method)) = entry.and_then(|entry| entry.get()) {
            return Ok(method);
        }
        let (Some(entry), Some(file)) = (entry, &self.file) else {
            return Err(damaged(self, format!("there is no constant {index}")));
        };
        let (class, name, descriptor) =
            file.pool.member(&file.bytes, index).map_err(|error| damaged(self, error))?;
        let class = registry.class_in(self.space, class)?;
        let method = find_method(registry, class, name, descriptor).ok_or_else(|| {
            let types = Descriptor::of(descriptor);
            let text = types.map_or_else(String::new, |types| {
                let parameters: Vec<String> = types.parameters.iter().map(Type::java).collect();
                let class = class.java_name();
                format!("'{} {class}.{name}({})'", types.result.java(), parameters.join(", "))
            });
            LinkError::Throw("java/lang/NoSuchMethodError", text)
        })?;
        // Whoever only asks must not make an ordinary call of one that takes any arguments.
        if !takes_any(method) {
            let _ = entry.set(Resolved::Method(method));
        }
        Ok(method)
    }

    /// How many words an instruction takes from the stack and puts there.
    pub fn effect(&self, insn: Insn) -> Option<(usize, usize)> {
        effect(insn, |insn| self.meaning(insn))
    }

    /// What an instruction's constant means to the analysis of code.
    pub fn meaning(&self, insn: Insn) -> Meaning {
        let Some(file) = &self.file else {
            // A class that the virtual machine made: everything is resolved.
            return match self.pool.get(usize::from(insn.a)).and_then(|entry| entry.get()) {
                Some(Resolved::Field(field)) => Meaning::Value(field.kind.clone()),
                Some(Resolved::Method(method)) => Meaning::Call(method.descriptor.clone()),
                Some(Resolved::Object(_) | Resolved::Class(_)) => {
                    Meaning::Value(Type::Reference("java/lang/Object".into()))
                }
                Some(Resolved::Site(Site::Invoke { descriptor, .. })) => {
                    Meaning::Call(descriptor.clone())
                }
                Some(Resolved::Site(_) | Resolved::Held(_)) | None => Meaning::Wrong,
            };
        };
        match insn.op {
            op::LDC => Meaning::Value(match file.pool.get(insn.a) {
                Const::Dynamic { name_type, .. } => {
                    let Ok((_, descriptor)) = file.pool.name_type(&file.bytes, name_type) else {
                        return Meaning::Wrong;
                    };
                    match Type::of(descriptor) {
                        Some(kind) => kind,
                        None => return Meaning::Wrong,
                    }
                }
                _ => Type::Reference("java/lang/Object".into()),
            }),
            op::INVOKEDYNAMIC => {
                let Const::InvokeDynamic { name_type, .. } = file.pool.get(insn.a) else {
                    return Meaning::Wrong;
                };
                let found = file.pool.name_type(&file.bytes, name_type).ok();
                let descriptor = found.and_then(|(_, descriptor)| Descriptor::of(descriptor));
                descriptor.map_or(Meaning::Wrong, Meaning::Call)
            }
            _ => {
                let Ok((_, _, descriptor)) = file.pool.member(&file.bytes, insn.a) else {
                    return Meaning::Wrong;
                };
                match insn.op {
                    op::GETSTATIC..=op::PUTFIELD | op::ASSERTING => {
                        Type::of(descriptor).map_or(Meaning::Wrong, Meaning::Value)
                    }
                    _ => Descriptor::of(descriptor).map_or(Meaning::Wrong, Meaning::Call),
                }
            }
        }
    }
}

impl Method {
    /// What is where in the frames of the method.
    pub fn flow(&self, code: &'static Code) -> Result<&'static Flow, &'static str> {
        let flow = code.flow.get_or_init(|| {
            let mut parameters = Vec::new();
            if !self.is_static() {
                parameters.push(Type::Reference(self.class.name.clone()));
            }
            parameters.extend(self.descriptor.parameters.iter().cloned());
            let keep_receiver = self.is(flags::SYNCHRONIZED) && !self.is_static();
            code.analyse(&parameters, &self.descriptor.result, keep_receiver, &|insn| {
                self.class.meaning(insn)
            })
            .map_err(|what| {
                format!("class file of {}: method {}: {what}", self.class.name, self.name)
            })
        });
        flow.as_ref().map_err(String::as_str)
    }
}

impl Class {
    /// The class that an instruction's constant names: the owner of a member, the class of an object.
    pub fn owner_at(&self, insn: Insn) -> Option<Box<str>> {
        let file = self.file.as_ref()?;
        let text = match (insn.op, file.pool.get(insn.a)) {
            (op::LDC, Const::String(_)) => "java/lang/String",
            (op::LDC, Const::Class(_)) => "java/lang/Class",
            (op::LDC, Const::MethodType(_)) => "java/lang/invoke/MethodType",
            (op::LDC, Const::Handle { .. }) => "java/lang/invoke/MethodHandle",
            (op::LDC, Const::Dynamic { name_type, .. }) => {
                let (_, text) = file.pool.name_type(&file.bytes, name_type).ok()?;
                return match Type::of(text)? {
                    Type::Reference(name) => Some(name),
                    Type::Primitive(_) => None,
                };
            }
            (op::NEW | op::ANEWARRAY | op::CHECKCAST | op::MULTIANEWARRAY, _) => {
                file.pool.class_name(&file.bytes, insn.a).ok()?
            }
            _ => file.pool.member(&file.bytes, insn.a).ok()?.0,
        };
        Some(text.into())
    }
}

impl Method {
    /// Whether the classes of the objects that the code uses are known; if not they are to be looked at.
    pub fn is_typed(&self, registry: &Registry, code: &'static Code) -> bool {
        *code.typed.get_or_init(|| {
            let mut parameters = Vec::new();
            if !self.is_static() {
                parameters.push(Type::Reference(self.class.name.clone()));
            }
            parameters.extend(self.descriptor.parameters.iter().cloned());
            let class = |name: &str| registry.class_in(self.class.space, name).ok();
            let classes = Classes {
                pool: &|insn| self.class.meaning(insn),
                owner: &|insn| self.class.owner_at(insn),
                fits: &|from, to| {
                    to == "java/lang/Object"
                        || match (class(from), class(to)) {
                            (Some(from), Some(to)) => to.is_interface() || from.is_subtype_of(to),
                            _ => false,
                        }
                },
                common: &|a, b| {
                    let (a, b) = (class(a)?, class(b)?);
                    let mut above = Some(a);
                    while let Some(class) = above {
                        if b.is_subtype_of(class) {
                            return Some(class.name.clone());
                        }
                        above = class.super_class;
                    }
                    Some("java/lang/Object".into())
                },
            };
            code.is_typed(&parameters, &self.descriptor.result, &classes)
        })
    }
}

/// A field by name and type: in the class, its interfaces, then its superclass.
pub(super) fn find_field(class: &Class, name: &str, descriptor: &str) -> Option<&'static Field> {
    let own = class.linked().fields.iter();
    if let Some(field) = own.copied().find(|f| &*f.name == name && &*f.descriptor == descriptor) {
        return Some(field);
    }
    let interfaces = class.interfaces.iter();
    interfaces
        .chain(class.super_class.iter())
        .find_map(|parent| find_field(parent, name, descriptor))
}

/// A method by name and descriptor: in the class and its superclasses, then in interfaces.
pub(super) fn find_method(
    registry: &Registry,
    class: &'static Class,
    name: &str,
    descriptor: &str,
) -> Option<&'static Method> {
    if let Some(method) = class.method(name, descriptor) {
        return Some(method);
    }
    let selector = registry.selector(name, descriptor);
    if let Some(method) = class.linked().virtuals.get(&selector) {
        return Some(method);
    }
    if class.is_interface() {
        let object = registry.class("java/lang/Object").ok()?;
        if let Some(method) = object.declared(name, descriptor) {
            return Some(method);
        }
    }
    // Methods that take any arguments are found by their names.
    let polymorphic =
        matches!(&*class.name, "java/lang/invoke/VarHandle" | "java/lang/invoke/MethodHandle");
    if polymorphic {
        let methods = class.linked().methods.iter().copied();
        return methods.into_iter().find(|m| &*m.name == name && m.is(flags::NATIVE));
    }
    None
}
