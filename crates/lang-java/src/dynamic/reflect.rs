//! Calls by reflection: for each method a static one that takes its arguments, gives its result as an
//! object and wraps what it throws.

use super::Assembler;
use crate::classfile::flags;
use crate::code::{Handler, Type, op};
use crate::link::{Class, Method, NewMethod};
use crate::vm::{Run, Worker};

impl Worker {
    /// The method that calls another one for reflection.
    pub(crate) fn reflection_stub(&mut self, target: &'static Method) -> Run<&'static Method> {
        let host = target.class;
        let constructor = &*target.name == "<init>";
        let mut parameters = Vec::new();
        if !target.is_static() && !constructor {
            parameters.push(Type::Reference(host.name.clone()));
        }
        parameters.extend(target.descriptor.parameters.iter().cloned());
        let text: String = parameters.iter().map(Type::descriptor).collect();
        let method = NewMethod {
            name: "call".to_owned(),
            descriptor: format!("({text})Ljava/lang/Object;"),
            flags: flags::STATIC,
        };
        let name = format!("{}$$Reflect${}", host.own_name(), target.index);
        let object = self.class("java/lang/Object")?;
        let registry = &self.vm.registry;
        let defined = registry.define(&name, object, Vec::new(), &[], vec![method], vec![None; 8]);
        let class = defined.map_err(|error| self.load_failure(error))?;
        let stub = class.linked().methods[0];
        if stub.code.get().is_some() {
            return Ok(stub);
        }
        self.initialise_made(class)?;
        let mut next = 1;
        let mut code = Assembler::within(class, &mut next);
        if constructor {
            code.class_op(op::NEW, host);
            code.plain(op::DUP);
        }
        let mut slot = 0;
        for kind in &parameters {
            code.load(kind, slot);
            slot += kind.words() as u16;
        }
        let call = if target.is_static() {
            op::INVOKESTATIC
        } else if constructor || target.is(flags::PRIVATE) {
            op::INVOKESPECIAL
        } else if host.is_interface() {
            op::INVOKEINTERFACE
        } else {
            op::INVOKEVIRTUAL
        };
        let start = code.insns.len() as u32;
        code.call(call, target);
        let end = code.insns.len() as u32;
        match &target.descriptor.result {
            Type::Primitive(b'V') if !constructor => code.plain(op::ACONST_NULL),
            Type::Primitive(b'V') => {}
            result => {
                let any = Type::Reference("java/lang/Object".into());
                self.adapt(&mut code, result, &any)?;
            }
        }
        code.plain(op::ARETURN);
        self.wrap_thrown(&mut code, start, end)?;
        let _ = stub.code.set(Ok(code.finish(stub)));
        Ok(stub)
    }

    /// What is thrown between two instructions is wrapped, as reflection does it.
    fn wrap_thrown(&mut self, code: &mut Assembler<'_>, start: u32, end: u32) -> Run<()> {
        let handler = code.insns.len() as u32;
        let wrapping = self.class("java/lang/reflect/InvocationTargetException")?;
        let Some(wrap) = wrapping.declared("<init>", "(Ljava/lang/Throwable;)V") else {
            return self.unsupported("this JDK: InvocationTargetException without a constructor");
        };
        code.class_op(op::NEW, wrapping);
        code.plain(op::DUP_X1);
        code.plain(op::SWAP);
        code.call(op::INVOKESPECIAL, wrap);
        code.plain(op::ATHROW);
        code.handlers.push(Handler { start, end, target: handler, class: 0 });
        Ok(())
    }

    /// An object that makes instances of a class with the constructor of a superclass.
    pub(crate) fn serial_accessor(
        &mut self,
        made: &'static Class,
        constructor: &'static Method,
    ) -> Run<u32> {
        let parent = self.class("jdk/internal/reflect/SerializationConstructorAccessorImpl")?;
        let method = NewMethod {
            name: "newInstance".to_owned(),
            descriptor: "([Ljava/lang/Object;)Ljava/lang/Object;".to_owned(),
            flags: flags::PUBLIC,
        };
        let name =
            format!("{}$$Serial${}", made.own_name(), constructor.class.name.replace('/', "$"));
        let registry = &self.vm.registry;
        let defined = registry.define(&name, parent, Vec::new(), &[], vec![method], vec![None; 8]);
        let class = defined.map_err(|error| self.load_failure(error))?;
        let method = class.linked().methods[0];
        if method.code.get().is_none() {
            self.initialise_made(class)?;
            let mut next = 1;
            let mut code = Assembler::within(class, &mut next);
            code.class_op(op::NEW, made);
            code.plain(op::DUP);
            let start = code.insns.len() as u32;
            code.call(op::INVOKESPECIAL, constructor);
            let end = code.insns.len() as u32;
            code.plain(op::ARETURN);
            self.wrap_thrown(&mut code, start, end)?;
            let _ = method.code.set(Ok(code.finish(method)));
        }
        self.new_instance(class)
    }
}
