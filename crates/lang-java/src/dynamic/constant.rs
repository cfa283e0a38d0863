//! Constants that code makes: dynamic ones, method handles and types of methods. Each is the static field of a class
//! of its own, whose initialiser calls what makes it: so it is made when it is first used, by one thread, once.

use super::{Assembler, call_of, type_of_class};
use crate::classfile::{Const, Malformed};
use crate::code::{Descriptor, Handler, Type, op};
use crate::link::{Class, Method, Resolved};
use crate::vm::{Failure, Run, Trap, Worker};

/// What a lookup may see that belongs to the class itself.
const FULL_POWER: u32 = 95;

/// The deepest constant that others need.
const DEEPEST: usize = 50;

fn broken(class: &Class, error: &Malformed) -> Trap {
    Trap::Fail(Failure::Broken(format!("class file of {}: {error}", class.name)))
}

impl Worker {
    /// Loads a constant that code makes.
    #[cold]
    pub(crate) fn load_held(&mut self, index: u16) -> Run<()> {
        let class = self.top.method.class;
        let holder = self.holder(class, index, 0)?;
        if !self.initialise(holder)? {
            return Ok(());
        }
        let field = holder.linked().fields[0];
        for word in 0..field.kind.words() as u32 {
            let value = self.get_static(field, word);
            self.push(value);
        }
        self.top.pc += 1;
        Ok(())
    }

    /// The class that holds a constant.
    fn holder(&mut self, class: &'static Class, index: u16, depth: usize) -> Run<&'static Class> {
        let entry = &class.pool[usize::from(index)];
        if let Some(Resolved::Held(holder)) = entry.get() {
            return Ok(holder);
        }
        if class.space != 0 {
            return self
                .unsupported("a dynamic constant of a class that a loader of the program defined");
        }
        if depth > DEEPEST {
            return self.unsupported("a dynamic constant that needs itself");
        }
        let holder = self.new_holder(class, index, depth)?;
        let _ = entry.set(Resolved::Held(holder));
        Ok(holder)
    }

    fn new_holder(
        &mut self,
        host: &'static Class,
        index: u16,
        depth: usize,
    ) -> Run<&'static Class> {
        let Some(file) = &host.file else { return self.unsupported("a constant without a file") };
        let kind = match file.pool.get(index) {
            Const::Dynamic { name_type, .. } => {
                let (_, text) =
                    file.pool.name_type(&file.bytes, name_type).map_err(|e| broken(host, &e))?;
                match Type::of(text) {
                    Some(kind) if kind.words() > 0 => kind,
                    _ => return self.unsupported("a dynamic constant without a type"),
                }
            }
            Const::Handle { .. } => Type::Reference(super::METHOD_HANDLE.into()),
            Const::MethodType(_) => Type::Reference("java/lang/invoke/MethodType".into()),
            _ => return self.unsupported("a constant of an unknown kind"),
        };
        let name = format!("{}$$Constant${index}", host.name);
        let object = self.class("java/lang/Object")?;
        let rows = file.bootstraps().map_err(|error| broken(host, &error))?;
        let arguments: usize = rows.iter().map(|row| row.arguments.len()).max().unwrap_or(0);
        let room = 64 + 300 * (arguments + 1);
        let defined = self.vm.registry.define_holder(&name, object, &kind.descriptor(), room);
        let holder = defined.map_err(|error| self.load_failure(error))?;
        let method = holder.linked().methods[0];
        if method.code.get().is_none() {
            let mut next = 1;
            let mut code = Assembler::within(holder, &mut next);
            match file.pool.get(index) {
                Const::Dynamic { bootstrap, name_type } => {
                    let (name, _) = file
                        .pool
                        .name_type(&file.bytes, name_type)
                        .map_err(|e| broken(host, &e))?;
                    let Some(row) = rows.get(usize::from(bootstrap)) else {
                        return self.unsupported("a dynamic constant without a bootstrap method");
                    };
                    self.write_bootstrap(&mut code, host, (name, &kind), row, depth)?;
                }
                _ => self.write_argument(&mut code, host, index, depth)?,
            }
            code.field_op(op::PUTSTATIC, holder.linked().fields[0]);
            code.plain(op::RETURN);
            self.write_failure(&mut code)?;
            let _ = method.code.set(Ok(code.finish(method)));
        }
        Ok(holder)
    }

    /// Calls a bootstrap method: with the lookup, the name and the type, then the arguments of the constant.
    fn write_bootstrap(
        &mut self,
        code: &mut Assembler<'_>,
        host: &'static Class,
        (name, kind): (&str, &Type),
        row: &crate::classfile::Bootstrap,
        depth: usize,
    ) -> Run<()> {
        self.write_argument(code, host, row.method, depth)?;
        let object = self.class("java/lang/Object")?;
        code.int(3 + row.arguments.len() as u32);
        code.new_array(object);
        let put = |worker: &mut Worker,
                   code: &mut Assembler<'_>,
                   write: &dyn Fn(&mut Worker, &mut Assembler<'_>) -> Run<()>,
                   at: usize| {
            code.plain(op::DUP);
            code.int(at as u32);
            write(worker, code)?;
            code.plain(op::AASTORE);
            Ok::<(), Trap>(())
        };
        put(self, code, &|worker, code| worker.write_lookup(code, host), 0)?;
        let text = self.literal(name)?;
        put(
            self,
            code,
            &|_, code| {
                code.object(text);
                Ok(())
            },
            1,
        )?;
        let mirror = self.mirror_of_type(kind)?;
        put(
            self,
            code,
            &|_, code| {
                code.object(mirror);
                Ok(())
            },
            2,
        )?;
        for (at, &argument) in row.arguments.iter().enumerate() {
            put(
                self,
                code,
                &|worker, code| worker.write_argument(code, host, argument, depth),
                3 + at,
            )?;
        }
        let handle = self.class(super::METHOD_HANDLE)?;
        let call = "([Ljava/lang/Object;)Ljava/lang/Object;";
        let Some(call) = handle.declared("invokeWithArguments", call) else {
            return self.unsupported("this JDK: MethodHandle without invokeWithArguments");
        };
        code.call(op::INVOKEVIRTUAL, call);
        let any = Type::Reference("java/lang/Object".into());
        self.convert_value(code, &any, kind)
    }

    fn write_lookup(&mut self, code: &mut Assembler<'_>, host: &'static Class) -> Run<()> {
        let class = self.class("java/lang/invoke/MethodHandles$Lookup")?;
        let mirror = self.mirror(host)?;
        code.class_op(op::NEW, class);
        code.plain(op::DUP);
        code.object(mirror);
        code.field_op(op::PUTFIELD, self.library_field(class, "lookupClass")?);
        code.plain(op::DUP);
        code.int(FULL_POWER);
        code.field_op(op::PUTFIELD, self.library_field(class, "allowedModes")?);
        Ok(())
    }

    /// A method of the library.
    fn library_method(&mut self, class: &str, name: &str, text: &str) -> Run<&'static Method> {
        let class = self.class(class)?;
        match class.declared(name, text) {
            Some(method) => Ok(method),
            None => self.unsupported(format!("this JDK: {} without {name}", class.name)),
        }
    }

    /// Loads a constant as an object.
    fn write_argument(
        &mut self,
        code: &mut Assembler<'_>,
        host: &'static Class,
        index: u16,
        depth: usize,
    ) -> Run<()> {
        let Some(file) = &host.file else { return self.unsupported("a constant without a file") };
        let any = Type::Reference("java/lang/Object".into());
        match file.pool.get(index) {
            Const::Integer(bits) => {
                code.int(bits);
                self.adapt(code, &Type::Primitive(b'I'), &any)
            }
            Const::Float(bits) => {
                code.int(bits);
                self.adapt(code, &Type::Primitive(b'F'), &any)
            }
            Const::Long(bits) | Const::Double(bits) => {
                let text = self.literal(&(bits as i64).to_string())?;
                code.object(text);
                let parse =
                    self.library_method("java/lang/Long", "parseLong", "(Ljava/lang/String;)J")?;
                code.call(op::INVOKESTATIC, parse);
                // Both are the same words.
                let kind = match file.pool.get(index) {
                    Const::Double(_) => b'D',
                    _ => b'J',
                };
                self.adapt(code, &Type::Primitive(kind), &any)
            }
            Const::String(text) => {
                let chars = file.pool.chars(&file.bytes, text).map_err(|e| broken(host, &e))?;
                let string = self.intern(&chars)?;
                code.object(string);
                Ok(())
            }
            Const::Class(_) => {
                let found = host.class_at(&self.vm.registry, index);
                let found = found.map_err(|error| self.link_failure(error))?;
                let mirror = self.mirror(found)?;
                code.object(mirror);
                Ok(())
            }
            Const::MethodType(text) => {
                let text = file.pool.utf8(&file.bytes, text).map_err(|e| broken(host, &e))?;
                self.write_method_type(code, text)
            }
            Const::Handle { kind, reference } => {
                let handle = self.handle_of(host, kind, reference)?;
                self.write_handle(code, handle)
            }
            Const::Dynamic { .. } => {
                let inner = self.holder(host, index, depth + 1)?;
                let field = inner.linked().fields[0];
                code.field_op(op::GETSTATIC, field);
                self.adapt(code, &field.kind, &any)
            }
            _ => self.unsupported("a constant of an unknown kind"),
        }
    }

    fn write_method_type(&mut self, code: &mut Assembler<'_>, text: &str) -> Run<()> {
        let Some(types) = Descriptor::of(text) else {
            return self.unsupported("a type of methods that is none");
        };
        let make = "(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;";
        let make = self.library_method("java/lang/invoke/MethodType", "methodType", make)?;
        let class = self.class("java/lang/Class")?;
        let result = self.mirror_of_type(&types.result)?;
        code.object(result);
        code.int(types.parameters.len() as u32);
        code.new_array(class);
        for (at, kind) in types.parameters.iter().enumerate() {
            let mirror = self.mirror_of_type(kind)?;
            code.plain(op::DUP);
            code.int(at as u32);
            code.object(mirror);
            code.plain(op::AASTORE);
        }
        code.call(op::INVOKESTATIC, make);
        Ok(())
    }

    /// The handle that a constant names; it is only looked at.
    fn handle_of(&mut self, host: &'static Class, kind: u8, reference: u16) -> Run<u32> {
        if kind < 5 {
            let field = host.field_at(&self.vm.registry, reference);
            let field = field.map_err(|error| self.link_failure(error))?;
            return self.field_handle(field, kind > 2);
        }
        let method = host.method_at(&self.vm.registry, reference);
        let method = method.map_err(|error| self.link_failure(error))?;
        self.direct_handle(method, kind == 7)
    }

    /// Makes a handle like one that there is: one without parts, or one whose parts are such handles.
    fn write_handle(&mut self, code: &mut Assembler<'_>, handle: u32) -> Run<()> {
        let class = self.class_of(handle);
        if call_of(class).is_none() {
            return self.unsupported("a method handle of an unknown kind");
        }
        code.class_op(op::NEW, class);
        for field in &class.linked().fields {
            let part = self.get(handle, field.slot);
            if part == 0 || field.kind != super::handle_type() {
                return self
                    .unsupported(format!("a constant of the type {:?}", type_of_class(class)));
            }
            code.plain(op::DUP);
            self.write_handle(code, part)?;
            code.field_op(op::PUTFIELD, field);
        }
        Ok(())
    }

    /// What is thrown is wrapped, unless it is an error.
    fn write_failure(&mut self, code: &mut Assembler<'_>) -> Run<()> {
        let (end, error) = (code.insns.len() as u32, self.class("java/lang/Error")?);
        let made = self.class("java/lang/BootstrapMethodError")?;
        let text = "(Ljava/lang/String;Ljava/lang/Throwable;)V";
        let make = self.library_method("java/lang/BootstrapMethodError", "<init>", text)?;
        code.plain(op::DUP);
        code.class_op(op::INSTANCEOF, error);
        let wraps = code.jump(op::IFEQ);
        code.plain(op::ATHROW);
        code.land(wraps);
        code.class_op(op::NEW, made);
        code.plain(op::DUP_X1);
        code.plain(op::SWAP);
        let text = self.literal("bootstrap method initialization exception")?;
        code.object(text);
        code.plain(op::SWAP);
        code.call(op::INVOKESPECIAL, make);
        code.plain(op::ATHROW);
        code.handlers.push(Handler { start: 0, end, target: end, class: 0 });
        Ok(())
    }
}
