//! java.lang.reflect.Proxy: a class whose methods ask the handler.

use super::Assembler;
use crate::classfile::flags;
use crate::code::{Handler, Type, op};
use crate::link::{Class, Method, NewMethod};
use crate::peers::{Args, Done, Peer};
use crate::vm::{Run, Worker};

/// The method of every proxy class that gives the object of a method.
const LOOK_UP: &str = "(Ljava/lang/Class;I)Ljava/lang/reflect/Method;";

impl Worker {
    /// The class of proxies for interfaces.
    pub(crate) fn proxy_class(&mut self, interfaces: Vec<&'static Class>) -> Run<&'static Class> {
        let proxied = self.proxied_methods(&interfaces)?;
        let own = interfaces.iter().find(|interface| interface.space != 0);
        if let Some(own) = own {
            let types = proxied.iter().flat_map(|method| {
                method.descriptor.parameters.iter().chain([&method.descriptor.result])
            });
            for kind in types {
                if let Type::Reference(name) = kind {
                    self.class_from(own, name)?;
                }
            }
        }
        let outer = std::mem::replace(&mut self.space, own.map_or(0, |own| own.space));
        let class = self.new_proxy_class(interfaces, &proxied);
        self.space = outer;
        class
    }

    fn new_proxy_class(
        &mut self,
        interfaces: Vec<&'static Class>,
        proxied: &[&'static Method],
    ) -> Run<&'static Class> {
        let names: Vec<String> =
            interfaces.iter().map(|class| class.own_name().replace('/', "_")).collect();
        let name = format!("jdk/proxy1/$Proxy${}", names.join("$and$"));
        let parent = self.class("java/lang/reflect/Proxy")?;
        self.initialise_library(parent)?;
        let mut methods: Vec<NewMethod> = proxied
            .iter()
            .map(|method| NewMethod {
                name: method.name.to_string(),
                descriptor: method.text.to_string(),
                flags: flags::PUBLIC | flags::FINAL,
            })
            .collect();
        methods.push(NewMethod {
            name: "method".to_owned(),
            descriptor: LOOK_UP.to_owned(),
            flags: flags::STATIC | flags::NATIVE,
        });
        let words: usize = proxied.iter().map(|method| 16 + 4 * method.words).sum();
        let registry = &self.vm.registry;
        let defined = registry.define(&name, parent, interfaces, &[], methods, vec![None; words]);
        let class = defined.map_err(|error| self.load_failure(error))?;
        self.initialise_made(class)?;
        let look_up = class.linked().methods[proxied.len()];
        let _ = look_up.peer.set(Some(Peer { run: method_object, data: 0 }));
        let mut next = 1;
        for (index, &target) in proxied.iter().enumerate() {
            let method = class.linked().methods[index];
            if method.code.get().is_none() {
                self.write_proxy(class, method, target, look_up, &mut next)?;
            }
        }
        Ok(class)
    }

    /// The methods that go to the handler: those of the interfaces and three of Object.
    fn proxied_methods(&mut self, interfaces: &[&'static Class]) -> Run<Vec<&'static Method>> {
        let object = self.class("java/lang/Object")?;
        let mut found: Vec<&'static Method> = Vec::new();
        for (name, text) in [
            ("hashCode", "()I"),
            ("equals", "(Ljava/lang/Object;)Z"),
            ("toString", "()Ljava/lang/String;"),
        ] {
            found.extend(object.declared(name, text));
        }
        let mut pending: Vec<&'static Class> = interfaces.iter().rev().copied().collect();
        while let Some(interface) = pending.pop() {
            for &method in &interface.linked().methods {
                let known = found.iter().any(|other| other.selector == method.selector);
                if !method.is_static() && !method.is(flags::PRIVATE) && !known {
                    found.push(method);
                }
            }
            pending.extend(interface.interfaces.iter().rev().copied());
        }
        Ok(found)
    }

    fn write_proxy(
        &mut self,
        class: &'static Class,
        method: &'static Method,
        target: &'static Method,
        look_up: &'static Method,
        next: &mut u16,
    ) -> Run<()> {
        let handler_class = self.class("java/lang/reflect/InvocationHandler")?;
        let proxy = self.class("java/lang/reflect/Proxy")?;
        let invoke =
            "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;";
        let Some(invoke) = handler_class.declared("invoke", invoke) else {
            return self.unsupported("this JDK: InvocationHandler without invoke");
        };
        let handler = self.library_field(proxy, "h")?;
        let object = Type::Reference("java/lang/Object".into());
        let this = Type::Reference(class.name.clone());
        let position =
            target.class.linked().methods.iter().position(|&other| std::ptr::eq(other, target));
        let mirror = self.mirror(target.class)?;
        let mut code = Assembler::within(class, next);
        code.load(&this, 0);
        code.field(handler);
        code.load(&this, 0);
        code.object(mirror);
        code.int(position.unwrap_or(0) as u32);
        code.call(op::INVOKESTATIC, look_up);
        if method.descriptor.parameters.is_empty() {
            code.plain(op::ACONST_NULL);
        } else {
            code.int(method.descriptor.parameters.len() as u32);
            let class = self.class("java/lang/Object")?;
            code.class_op(op::ANEWARRAY, class);
            let mut slot = 1;
            for (index, kind) in method.descriptor.parameters.iter().enumerate() {
                code.plain(op::DUP);
                code.int(index as u32);
                code.load(kind, slot);
                slot += kind.words() as u16;
                self.adapt(&mut code, kind, &object)?;
                code.plain(op::AASTORE);
            }
        }
        let start = 0;
        code.call(op::INVOKEINTERFACE, invoke);
        let end = code.insns.len() as u32;
        match &method.descriptor.result {
            Type::Primitive(b'V') => code.plain(op::POP),
            result => self.adapt(&mut code, &object, result)?,
        }
        code.give(&method.descriptor.result);
        self.write_rethrow(&mut code, target, start, end)?;
        let _ = method.code.set(Ok(code.finish(method)));
        Ok(())
    }

    /// Exceptions that the method may throw pass; others are wrapped.
    fn write_rethrow(
        &mut self,
        code: &mut Assembler<'_>,
        target: &'static Method,
        start: u32,
        end: u32,
    ) -> Run<()> {
        let mut passing: Vec<&'static Class> =
            vec![self.class("java/lang/RuntimeException")?, self.class("java/lang/Error")?];
        if let Some(file) = &target.class.file
            && let Some(mut at) =
                file.attribute(&file.methods[target.index].attributes, "Exceptions")
        {
            for _ in 0..at.u16().unwrap_or(0) {
                if let Ok(name) =
                    at.u16().and_then(|index| file.pool.class_name(&file.bytes, index))
                {
                    passing.push(self.class(name)?);
                }
            }
        }
        let rethrow = code.insns.len() as u32;
        code.plain(op::ATHROW);
        for class in passing {
            let class = code.class_constant(class);
            code.handlers.push(Handler { start, end, target: rethrow, class });
        }
        let wrapping = self.class("java/lang/reflect/UndeclaredThrowableException")?;
        let Some(wrap) = wrapping.declared("<init>", "(Ljava/lang/Throwable;)V") else {
            return self
                .unsupported("this JDK: UndeclaredThrowableException without a constructor");
        };
        let handler = code.insns.len() as u32;
        code.class_op(op::NEW, wrapping);
        code.plain(op::DUP_X1);
        code.plain(op::SWAP);
        code.call(op::INVOKESPECIAL, wrap);
        code.plain(op::ATHROW);
        code.handlers.push(Handler { start, end, target: handler, class: 0 });
        Ok(())
    }
}

fn method_object(worker: &mut Worker, args: &Args) -> Run<Done> {
    let class = worker.mirrored(args.word(0));
    let position = args.word(1) as usize;
    match class.linked().methods.get(position) {
        Some(method) => worker.method_object(position, method).map(Done::Word),
        None => worker.unsupported("a proxy for a method that is not there"),
    }
}
