//! invokedynamic without java.lang.invoke: lambdas, concatenation and the methods of records become
//! classes with ordinary code. Linking is no step of the program and depends on nothing but the class.

mod assembler;
mod concat;
mod constant;
mod handle;
mod lambda;
mod proxy;
mod record;
mod reflect;

pub(crate) use assembler::Assembler;
pub(crate) use concat::Piece;
pub(crate) use handle::{
    METHOD_HANDLE, call_of, element_op, handle_type, is_collecting, text_of, type_of_class, types,
};
pub(crate) use lambda::{primitive_of, wrapper};

use crate::classfile::{Bootstrap, Const};
use crate::code::{Descriptor, Insn, Type};
use crate::link::{Class, Method, Resolved};
use crate::peers::Done;
use crate::vm::{Failure, Run, Trap, Worker};

/// What an instruction that is linked when it is first executed does.
pub(crate) enum Site {
    /// Makes an object of a class, whose fields are the arguments; without fields always the same one.
    Object { class: &'static Class, only: Option<u32>, descriptor: Descriptor },
    /// Calls a static method.
    Call { method: &'static Method },
    /// Does something with a VarHandle.
    Handle { operation: crate::peers::Operation, weak: bool, descriptor: Descriptor },
    /// Calls a method handle with values of these types, which are its own if the call is `exact`.
    Invoke { exact: bool, text: String, descriptor: Descriptor },
}

/// A method that a constant names, and how it is called.
#[derive(Clone, Copy)]
pub(crate) struct HandleConst {
    pub kind: u8,
    pub method: &'static Method,
}

impl Site {
    /// The site of a call of a method that takes any arguments; `None` if it is an ordinary method.
    pub fn polymorphic(owner: &str, name: &str, descriptor: &str) -> Option<Site> {
        match (owner, name) {
            (METHOD_HANDLE, "invokeExact" | "invoke") => Some(Site::Invoke {
                exact: name == "invokeExact",
                text: descriptor.to_owned(),
                descriptor: Descriptor::of(descriptor)?,
            }),
            ("java/lang/invoke/VarHandle", _) => Site::handle(name, descriptor),
            _ => None,
        }
    }

    fn handle(name: &str, descriptor: &str) -> Option<Site> {
        let strengths = ["Volatile", "Acquire", "Release", "Opaque", "Plain"];
        let plain = strengths.iter().find_map(|strength| name.strip_suffix(strength));
        let operation = crate::peers::Operation::of(plain.unwrap_or(name))?;
        let weak = crate::peers::is_weak(name);
        Some(Site::Handle { operation, weak, descriptor: Descriptor::of(descriptor)? })
    }
}

/// The constants of a call site.
pub(crate) struct Bootstrapped<'a> {
    pub class: &'static Class,
    pub index: u16,
    pub name: &'a str,
    pub descriptor: Descriptor,
    pub row: &'a Bootstrap,
}

impl Worker {
    pub(crate) fn invoke_dynamic(&mut self, insn: Insn) -> Run<()> {
        match self.site_at(self.top.method.class, insn.a)? {
            Site::Object { class, only, descriptor } => {
                let start = self.top.sp - descriptor.words;
                if let Some(object) = only {
                    return self.finish_call(start, Done::Word(*object));
                }
                let object = self.new_instance(class)?;
                let mut at = start;
                for field in &class.linked().fields {
                    for word in 0..field.kind.words() as u32 {
                        let value = self.stack[at];
                        self.set(object, field.slot + word, value);
                        at += 1;
                    }
                }
                self.finish_call(start, Done::Word(object))
            }
            Site::Call { method } => self.call(method),
            Site::Handle { .. } | Site::Invoke { .. } => {
                self.unsupported("a call site of an unknown kind")
            }
        }
    }

    /// What a call site of a class does.
    pub(crate) fn site_at(&mut self, class: &'static Class, index: u16) -> Run<&'static Site> {
        let entry = &class.pool[usize::from(index)];
        if class.space != 0 {
            self.ask_for_site(class, index)?;
        }
        if let Some(Resolved::Site(site)) = entry.get() {
            return Ok(site);
        }
        let outer = std::mem::replace(&mut self.space, class.space);
        let site = self.link_site(class, index);
        self.space = outer;
        let site = site?;
        let _ = entry.set(Resolved::Site(Box::leak(Box::new(site))));
        match entry.get() {
            Some(Resolved::Site(site)) => Ok(site),
            _ => self.unsupported("a call site of an unknown kind"),
        }
    }

    fn link_site(&mut self, class: &'static Class, index: u16) -> Run<Site> {
        let broken = |error: crate::classfile::Malformed| {
            Trap::Fail(Failure::Broken(format!("class file of {}: {error}", class.name)))
        };
        let Some(file) = &class.file else { return self.unsupported("a call site without a file") };
        let Const::InvokeDynamic { bootstrap, name_type } = file.pool.get(index) else {
            return self.unsupported("a call site without a constant");
        };
        let (name, text) = file.pool.name_type(&file.bytes, name_type).map_err(broken)?;
        let rows = file.bootstraps().map_err(broken)?;
        let Some(row) = rows.get(usize::from(bootstrap)) else {
            return self.unsupported("a call site without a bootstrap method");
        };
        let Const::Handle { reference, .. } = file.pool.get(row.method) else {
            return self.unsupported("a call site without a bootstrap method");
        };
        let (owner, factory, _) = file.pool.member(&file.bytes, reference).map_err(broken)?;
        let Some(descriptor) = Descriptor::of(text) else {
            return self.unsupported("a call site without a type");
        };
        let site = Bootstrapped { class, index, name, descriptor, row };
        match (owner, factory) {
            ("java/lang/invoke/LambdaMetafactory", "metafactory") => self.link_lambda(&site, false),
            ("java/lang/invoke/LambdaMetafactory", "altMetafactory") => {
                self.link_lambda(&site, true)
            }
            ("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants") => {
                self.link_concat(&site)
            }
            ("java/lang/runtime/ObjectMethods", "bootstrap") => self.link_record(&site),
            _ => self.unsupported(format!("the bootstrap method {owner}.{factory}")),
        }
    }

    /// Asks the loader of a class for what one of its call sites refers to.
    #[cold]
    fn ask_for_site(&mut self, class: &'static Class, index: u16) -> Run<()> {
        let Some(file) = &class.file else { return Ok(()) };
        let Const::InvokeDynamic { bootstrap, name_type } = file.pool.get(index) else {
            return Ok(());
        };
        let mut texts = Vec::new();
        texts.extend(file.pool.name_type(&file.bytes, name_type).map(|(_, text)| text));
        let rows = file.bootstraps().unwrap_or_default();
        for &argument in rows.get(usize::from(bootstrap)).map_or(&[][..], |row| &row.arguments) {
            match file.pool.get(argument) {
                Const::MethodType(text) => texts.extend(file.pool.utf8(&file.bytes, text)),
                Const::Handle { reference, .. } => {
                    self.ask_for_constant(class, argument)?;
                    let member = file.pool.member(&file.bytes, reference);
                    texts.extend(member.map(|(_, _, text)| text));
                }
                _ => self.ask_for_constant(class, argument)?,
            }
        }
        for types in texts.into_iter().filter_map(Descriptor::of) {
            for kind in types.parameters.iter().chain([&types.result]) {
                if let Type::Reference(name) = kind {
                    self.class_from(class, name)?;
                }
            }
        }
        Ok(())
    }

    /// The method that a constant of the pool names as a handle.
    fn handle_const(&mut self, class: &'static Class, index: u16) -> Run<HandleConst> {
        let Some(file) = &class.file else { return self.unsupported("a constant without a file") };
        let Const::Handle { kind, reference } = file.pool.get(index) else {
            return self.unsupported("a constant that is not a method handle");
        };
        if kind < 5 {
            return self.unsupported("a handle of a field as a lambda");
        }
        let method = class.method_at(&self.vm.registry, reference);
        let method = method.map_err(|error| self.link_failure(error))?;
        Ok(HandleConst { kind, method })
    }
}
