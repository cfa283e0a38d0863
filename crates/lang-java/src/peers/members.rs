//! What reflection says about classes: objects of Field, Method, Constructor and RecordComponent, and the
//! raw attributes from which the library reads signatures and annotations.

use super::{Args, Done, Peer, plain};
use crate::classfile::{Attribute, Const, flags};
use crate::code::Type;
use crate::link::{Class, Field, Method};
use crate::vm::{Run, Worker};

pub(super) fn find(class: &str, name: &str) -> Option<Peer> {
    match (class, name) {
        ("java/lang/Class", "getDeclaredFields0") => plain(fields),
        ("java/lang/Class", "getDeclaredMethods0") => plain(|worker, args| {
            methods(worker, args, "[Ljava/lang/reflect/Method;", |name| !name.starts_with('<'))
        }),
        ("java/lang/Class", "getDeclaredConstructors0") => plain(|worker, args| {
            methods(worker, args, "[Ljava/lang/reflect/Constructor;", |name| name == "<init>")
        }),
        ("java/lang/Class", "getRecordComponents0") => plain(record_components),
        ("java/lang/Class", "getGenericSignature0") => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            let attributes = class.file.as_ref().map_or(&[][..], |file| &file.attributes);
            worker.signature(class, attributes).map(Done::Word)
        }),
        ("java/lang/Class", "getRawAnnotations") => plain(|worker, args| {
            let class = worker.given_class(args.word(0))?;
            let attributes = class.file.as_ref().map_or(&[][..], |file| &file.attributes);
            worker.raw_attribute(class, attributes, "RuntimeVisibleAnnotations").map(Done::Word)
        }),
        ("java/lang/Class", "getRawTypeAnnotations")
        | ("java/lang/reflect/Executable" | "java/lang/reflect/Field", "getTypeAnnotationBytes0") => {
            plain(|_, _| Ok(Done::Word(0)))
        }
        ("java/lang/Class", "getPermittedSubclasses0") => {
            plain(|worker, args| class_list(worker, args, "PermittedSubclasses"))
        }
        ("java/lang/Class", "getDeclaredClasses0") => plain(declared_classes),
        ("java/lang/Class", "getConstantPool") => plain(|worker, args| {
            let class = worker.class("jdk/internal/reflect/ConstantPool")?;
            let pool = worker.new_instance(class)?;
            let slot = worker.library_field(class, "constantPoolOop")?.slot;
            worker.set(pool, slot, args.word(0));
            Ok(Done::Word(pool))
        }),
        ("jdk/internal/reflect/ConstantPool", _) => {
            plain(constant).filter(|_| name.ends_with("At0"))
        }
        ("java/lang/reflect/Executable", "getParameters0") => plain(parameters),
        _ => None,
    }
}

impl Worker {
    /// The mirror of the class that a type names.
    pub fn mirror_of_type(&mut self, kind: &Type) -> Run<u32> {
        let class = match kind {
            Type::Primitive(kind) => self.vm.registry.primitive(*kind),
            Type::Reference(name) => self.class(name)?,
        };
        self.mirror(class)
    }

    pub fn mirrors(&mut self, kinds: &[Type]) -> Run<u32> {
        let mirrors =
            kinds.iter().map(|kind| self.mirror_of_type(kind)).collect::<Run<Vec<u32>>>()?;
        let array = self.class("[Ljava/lang/Class;")?;
        self.new_references(array, &mirrors)
    }

    /// The mirror of the class that a type names in another class.
    fn mirror_from(&mut self, class: &'static Class, kind: &Type) -> Run<u32> {
        match kind {
            Type::Reference(name) if class.space != 0 => {
                let found = self.class_from(class, name)?;
                self.mirror(found)
            }
            kind => self.mirror_of_type(kind),
        }
    }

    fn mirrors_from(&mut self, class: &'static Class, kinds: &[Type]) -> Run<u32> {
        let mirrors = kinds.iter().map(|kind| self.mirror_from(class, kind));
        let mirrors = mirrors.collect::<Run<Vec<u32>>>()?;
        let array = self.class("[Ljava/lang/Class;")?;
        self.new_references(array, &mirrors)
    }

    /// The bytes of an attribute, or null.
    fn raw_attribute(&mut self, class: &'static Class, of: &[Attribute], name: &str) -> Run<u32> {
        let Some(file) = &class.file else { return Ok(0) };
        match of.iter().find(|attribute| &*attribute.name == name) {
            Some(found) => self.new_bytes(&file.bytes[found.start..found.end]),
            None => Ok(0),
        }
    }

    /// The text of the Signature attribute, or null.
    fn signature(&mut self, class: &'static Class, of: &[Attribute]) -> Run<u32> {
        let text = class.file.as_ref().and_then(|file| {
            let index = file.attribute(of, "Signature")?.u16().ok()?;
            file.pool.utf8(&file.bytes, index).ok()
        });
        match text {
            Some(text) => self.literal(text),
            None => Ok(0),
        }
    }

    /// Writes fields of an object of a library class.
    fn fill(&mut self, object: u32, values: &[(&str, u32)]) -> Run<()> {
        let class = self.class_of(object);
        for &(name, value) in values {
            let slot = self.library_field(class, name)?.slot;
            self.set(object, slot, value);
        }
        Ok(())
    }

    fn new_member(&mut self, class: &str) -> Run<u32> {
        let class = self.class(class)?;
        self.initialise_library(class)?;
        self.new_instance(class)
    }

    /// An object of java.lang.reflect.Field.
    fn field_object(&mut self, position: usize, field: &'static Field) -> Run<u32> {
        let class = field.class;
        let attributes =
            class.file.as_ref().map_or(&[][..], |file| &file.fields[field.index].attributes);
        let kind = self.mirror_from(class, &field.kind)?;
        let (clazz, name) = (self.mirror(class)?, self.literal(&field.name)?);
        let signature = self.signature(class, attributes)?;
        let annotations = self.raw_attribute(class, attributes, "RuntimeVisibleAnnotations")?;
        let trusted = field.is(flags::FINAL)
            && (field.is(flags::STATIC)
                || class.hidden
                || class.file.as_ref().is_some_and(|file| file.is_record()));
        let object = self.new_member("java/lang/reflect/Field")?;
        self.fill(
            object,
            &[
                ("clazz", clazz),
                ("slot", position as u32),
                ("name", name),
                ("type", kind),
                ("modifiers", u32::from(field.flags)),
                ("trustedFinal", u32::from(trusted)),
                ("signature", signature),
                ("annotations", annotations),
            ],
        )?;
        Ok(object)
    }

    /// An object of java.lang.reflect.Method or Constructor.
    pub fn method_object(&mut self, position: usize, method: &'static Method) -> Run<u32> {
        let class = method.class;
        let attributes =
            class.file.as_ref().map_or(&[][..], |file| &file.methods[method.index].attributes);
        let clazz = self.mirror(class)?;
        let parameters = self.mirrors_from(class, &method.descriptor.parameters)?;
        let exceptions = self.exceptions(class, attributes)?;
        let signature = self.signature(class, attributes)?;
        let annotations = self.raw_attribute(class, attributes, "RuntimeVisibleAnnotations")?;
        let of_parameters =
            self.raw_attribute(class, attributes, "RuntimeVisibleParameterAnnotations")?;
        let constructor = &*method.name == "<init>";
        let made =
            if constructor { "java/lang/reflect/Constructor" } else { "java/lang/reflect/Method" };
        let object = self.new_member(made)?;
        self.fill(
            object,
            &[
                ("clazz", clazz),
                ("slot", position as u32),
                ("parameterTypes", parameters),
                ("exceptionTypes", exceptions),
                ("modifiers", u32::from(method.flags)),
                ("signature", signature),
                ("annotations", annotations),
                ("parameterAnnotations", of_parameters),
            ],
        )?;
        if !constructor {
            let name = self.literal(&method.name)?;
            let result = self.mirror_from(class, &method.descriptor.result)?;
            let default = self.raw_attribute(class, attributes, "AnnotationDefault")?;
            self.fill(
                object,
                &[("name", name), ("returnType", result), ("annotationDefault", default)],
            )?;
        }
        Ok(object)
    }

    fn exceptions(&mut self, class: &'static Class, of: &[Attribute]) -> Run<u32> {
        let mut kinds = Vec::new();
        if let Some(file) = &class.file
            && let Some(mut at) = file.attribute(of, "Exceptions")
        {
            for _ in 0..at.u16().unwrap_or(0) {
                let name = at.u16().and_then(|index| file.pool.class_name(&file.bytes, index));
                kinds.extend(name.ok().map(|name| Type::Reference(name.into())));
            }
        }
        self.mirrors_from(class, &kinds)
    }

    /// The field that an object of java.lang.reflect.Field stands for.
    pub fn reflected_field(&self, object: u32) -> Run<&'static Field> {
        let (class, slot) = self.place_of_member(object)?;
        match class.linked().fields.get(slot) {
            Some(field) => Ok(field),
            None => self.unsupported("a Field that the virtual machine did not make"),
        }
    }

    /// The method that an object of java.lang.reflect.Method or Constructor stands for.
    pub fn reflected_method(&self, object: u32) -> Run<&'static Method> {
        let (class, slot) = self.place_of_member(object)?;
        match class.linked().methods.get(slot) {
            Some(method) => Ok(method),
            None => self.unsupported("a Method that the virtual machine did not make"),
        }
    }

    fn place_of_member(&self, object: u32) -> Run<(&'static Class, usize)> {
        let class = self.get(object, self.field_of(object, "clazz")?.slot);
        let slot = self.get(object, self.field_of(object, "slot")?.slot);
        Ok((self.mirrored(class), slot as usize))
    }
}

fn fields(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (class, public) = (worker.given_class(args.word(0))?, args.word(1) != 0);
    let mut found: Vec<(usize, &'static Field)> =
        class.linked().fields.iter().copied().enumerate().collect();
    found.retain(|(_, field)| !public || field.is(flags::PUBLIC));
    found.sort_by_key(|(_, field)| field.index);
    let objects = found
        .into_iter()
        .map(|(at, field)| worker.field_object(at, field))
        .collect::<Run<Vec<u32>>>()?;
    let array = worker.class("[Ljava/lang/reflect/Field;")?;
    worker.new_references(array, &objects).map(Done::Word)
}

fn methods(worker: &mut Worker, args: &Args, array: &str, wanted: fn(&str) -> bool) -> Run<Done> {
    let (class, public) = (worker.given_class(args.word(0))?, args.word(1) != 0);
    let mut found: Vec<(usize, &'static Method)> =
        class.linked().methods.iter().copied().enumerate().collect();
    found.retain(|(_, method)| wanted(&method.name) && (!public || method.is(flags::PUBLIC)));
    let objects = found
        .into_iter()
        .map(|(at, method)| worker.method_object(at, method))
        .collect::<Run<Vec<u32>>>()?;
    let array = worker.class(array)?;
    worker.new_references(array, &objects).map(Done::Word)
}

fn record_components(worker: &mut Worker, args: &Args) -> Run<Done> {
    let class = worker.given_class(args.word(0))?;
    let array = worker.class("[Ljava/lang/reflect/RecordComponent;")?;
    let Some(file) = &class.file else { return worker.new_references(array, &[]).map(Done::Word) };
    let broken =
        |worker: &Worker| worker.unsupported::<Done>("a record whose description is broken");
    let Some(mut at) = file.attribute(&file.attributes, "Record") else {
        return worker.new_references(array, &[]).map(Done::Word);
    };
    let mut objects = Vec::new();
    for _ in 0..at.u16().unwrap_or(0) {
        let (Ok(name), Ok(descriptor)) = (at.u16(), at.u16()) else { return broken(worker) };
        let Ok(attributes) = file.attributes_at(&mut at) else { return broken(worker) };
        let (Ok(name), Ok(descriptor)) =
            (file.pool.utf8(&file.bytes, name), file.pool.utf8(&file.bytes, descriptor))
        else {
            return broken(worker);
        };
        let Some(kind) = Type::of(descriptor) else { return broken(worker) };
        let getter = format!("(){descriptor}");
        let position =
            class.linked().methods.iter().position(|m| &*m.name == name && *m.text == *getter);
        let accessor = match position {
            Some(position) => worker.method_object(position, class.linked().methods[position])?,
            None => 0,
        };
        let (clazz, kind) = (worker.mirror(class)?, worker.mirror_from(class, &kind)?);
        let signature = worker.signature(class, &attributes)?;
        let annotations = worker.raw_attribute(class, &attributes, "RuntimeVisibleAnnotations")?;
        let name = worker.literal(name)?;
        let object = worker.new_member("java/lang/reflect/RecordComponent")?;
        worker.fill(
            object,
            &[
                ("clazz", clazz),
                ("name", name),
                ("type", kind),
                ("accessor", accessor),
                ("signature", signature),
                ("annotations", annotations),
            ],
        )?;
        objects.push(object);
    }
    worker.new_references(array, &objects).map(Done::Word)
}

/// The classes that an attribute lists, or null.
fn class_list(worker: &mut Worker, args: &Args, attribute: &str) -> Run<Done> {
    let class = worker.given_class(args.word(0))?;
    let Some(file) = &class.file else { return Ok(Done::Word(0)) };
    let Some(mut at) = file.attribute(&file.attributes, attribute) else {
        return Ok(Done::Word(0));
    };
    let mut kinds = Vec::new();
    for _ in 0..at.u16().unwrap_or(0) {
        let name = at.u16().and_then(|index| file.pool.class_name(&file.bytes, index));
        kinds.extend(name.ok().map(|name| Type::Reference(name.into())));
    }
    worker.mirrors_from(class, &kinds).map(Done::Word)
}

fn declared_classes(worker: &mut Worker, args: &Args) -> Run<Done> {
    let class = worker.given_class(args.word(0))?;
    let rows = class.file.as_ref().map(|file| file.inner_classes()).unwrap_or_default();
    let inner = rows.into_iter().filter(|(_, outer, ..)| *outer == Some(&*class.name));
    let kinds: Vec<Type> = inner.map(|(inner, ..)| Type::Reference(inner.into())).collect();
    worker.mirrors_from(class, &kinds).map(Done::Word)
}

/// A constant of a class's pool, for annotations.
fn constant(worker: &mut Worker, args: &Args) -> Run<Done> {
    let class = worker.given_class(args.word(1))?;
    let index = args.word(2) as u16;
    let Some(file) = &class.file else { return worker.unsupported("a constant without a file") };
    match (&*args.method.name, file.pool.get(index)) {
        ("getUTF8At0", _) => match file.pool.chars(&file.bytes, index) {
            Ok(chars) => worker.new_string(&chars).map(Done::Word),
            Err(_) => worker.unsupported("a constant that is no text"),
        },
        ("getIntAt0", Const::Integer(bits)) | ("getFloatAt0", Const::Float(bits)) => {
            Ok(Done::Word(bits))
        }
        ("getLongAt0", Const::Long(bits)) | ("getDoubleAt0", Const::Double(bits)) => {
            Ok(Done::Long(bits))
        }
        _ => worker.unsupported(format!("{} of a constant pool", args.method.name)),
    }
}

/// `Executable.getParameters0`: from the MethodParameters attribute, or null.
fn parameters(worker: &mut Worker, args: &Args) -> Run<Done> {
    let executable = args.word(0);
    let method = worker.reflected_method(executable)?;
    let Some(file) = &method.class.file else { return Ok(Done::Word(0)) };
    let attributes = &file.methods[method.index].attributes;
    let Some(mut at) = file.attribute(attributes, "MethodParameters") else {
        return Ok(Done::Word(0));
    };
    let mut objects = Vec::new();
    for index in 0..at.u8().unwrap_or(0) {
        let (Ok(name), Ok(modifiers)) = (at.u16(), at.u16()) else { break };
        let name = match file.pool.utf8(&file.bytes, name) {
            Ok(name) => worker.literal(name)?,
            Err(_) => 0,
        };
        let object = worker.new_member("java/lang/reflect/Parameter")?;
        worker.fill(
            object,
            &[
                ("name", name),
                ("modifiers", u32::from(modifiers)),
                ("executable", executable),
                ("index", u32::from(index)),
            ],
        )?;
        objects.push(object);
    }
    let array = worker.class("[Ljava/lang/reflect/Parameter;")?;
    worker.new_references(array, &objects).map(Done::Word)
}
