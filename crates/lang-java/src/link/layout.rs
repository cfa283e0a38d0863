//! What a class looks like in memory, and what calls on its instances lead to.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use rustc_hash::FxHashMap;

use super::class::{Class, Field, Linked, Method};
use super::registry::{LoadError, Registry, STATIC_HEADER};
use crate::classfile::{Member, flags};
use crate::code::{Code, Descriptor, Insn, Type, decode, op};
use crate::heap::HEADER;
use crate::reductions::Reductions;
use crate::vm::{regions, rules};

impl Registry {
    pub(super) fn layout(
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
                elided: AtomicU32::new(0),
                written_late: AtomicU32::new(0),
                watched: AtomicBool::new(false),
                handled: AtomicBool::new(false),
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
