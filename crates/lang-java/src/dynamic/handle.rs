//! Method handles: a class for each kind of handle and its types, whose method `call` does what a call of
//! the handle does. What a handle is made of, other handles and bound values, is in its fields.

use super::lambda::{primitive_of, wrapper};
use super::{Assembler, Site};
use crate::classfile::flags;
use crate::code::{Descriptor, Handler, Type, op};
use crate::link::{Class, Field, Kind, Method, NewMethod};
use crate::vm::{Run, Worker};

/// The class that all handles extend.
pub(crate) const METHOD_HANDLE: &str = "java/lang/invoke/MethodHandle";
/// What the names of their classes begin with.
const PREFIX: &str = "everypath/handle/";
/// Types of handles are names; two classes may have the same one.
const OF_OWN_LOADER: &str = "a method handle of a class that a loader of the program defined";
/// What the names of those that collect their last arguments go on with.
const COLLECTING: &str = "varargs";

/// A descriptor as it is written.
pub(crate) fn text_of(types: &Descriptor) -> String {
    let parameters: String = types.parameters.iter().map(Type::descriptor).collect();
    format!("({parameters}){}", types.result.descriptor())
}

/// The types of parameters and of the result.
pub(crate) fn types(parameters: Vec<Type>, result: Type) -> Descriptor {
    let words = parameters.iter().map(Type::words).sum();
    Descriptor { parameters, result, words }
}

/// The type of values of a class.
pub(crate) fn type_of_class(class: &Class) -> Type {
    match class.kind {
        Kind::Primitive(kind) => Type::Primitive(kind),
        _ => Type::Reference(class.name.clone()),
    }
}

pub(crate) fn handle_type() -> Type {
    Type::Reference(METHOD_HANDLE.into())
}

/// What a call of a handle of a class executes.
pub(crate) fn call_of(class: &'static Class) -> Option<&'static Method> {
    let made = class.hidden && class.name.starts_with(PREFIX);
    if made { class.linked().methods.first().copied() } else { None }
}

/// Whether a handle of a class collects its last arguments into an array.
pub(crate) fn is_collecting(class: &Class) -> bool {
    class.name.strip_prefix(PREFIX).is_some_and(|name| name.starts_with(COLLECTING))
}

/// The code of a handle that is being written.
pub(crate) struct Body<'a, 'b> {
    pub code: &'a mut Assembler<'b>,
    class: &'static Class,
    types: &'a Descriptor,
}

impl Body<'_, '_> {
    /// Loads a part of the handle.
    pub fn part(&mut self, index: usize) {
        let this = Type::Reference(self.class.name.clone());
        self.code.load(&this, 0);
        self.code.field(self.class.linked().fields[index]);
    }

    fn slot(&self, index: usize) -> u16 {
        1 + self.types.parameters[..index].iter().map(Type::words).sum::<usize>() as u16
    }

    /// Loads an argument.
    pub fn argument(&mut self, index: usize) {
        let slot = self.slot(index);
        self.code.load(&self.types.parameters[index].clone(), slot);
    }

    pub fn arguments(&mut self, range: std::ops::Range<usize>) {
        range.for_each(|index| self.argument(index));
    }

    /// Calls a handle below its arguments.
    pub fn call(&mut self, of: &Descriptor) {
        self.code.site(Site::Invoke { exact: true, text: text_of(of), descriptor: of.clone() });
    }

    /// Returns the value of the right type.
    pub fn give(&mut self) {
        self.code.give(&self.types.result.clone());
    }
}

type Write<'a> = &'a dyn Fn(&mut Worker, &mut Body<'_, '_>) -> Run<()>;

impl Worker {
    /// A handle of a kind: its types, the types of its parts, how its code is written, and the words of
    /// its parts.
    pub(crate) fn new_method_handle(
        &mut self,
        key: &str,
        types: &Descriptor,
        parts: &[Type],
        write: Write<'_>,
        words: &[u32],
    ) -> Run<u32> {
        let name = format!("{PREFIX}{key}");
        let parent = self.class(METHOD_HANDLE)?;
        let fields: Vec<(String, String)> = parts
            .iter()
            .enumerate()
            .map(|(index, kind)| (format!("part{index}"), kind.descriptor()))
            .collect();
        let call = NewMethod {
            name: "call".to_owned(),
            descriptor: text_of(types),
            flags: flags::PUBLIC | flags::FINAL,
        };
        let room = 32 + 16 * (types.parameters.len() + parts.len());
        let defined = self.vm.registry.define(
            &name,
            parent,
            Vec::new(),
            &fields,
            vec![call],
            vec![None; room],
        );
        let class = defined.map_err(|error| self.load_failure(error))?;
        let method = class.linked().methods[0];
        if method.code.get().is_none() {
            self.initialise_made(class)?;
            let mut next = 1;
            let mut code = Assembler::within(class, &mut next);
            write(self, &mut Body { code: &mut code, class, types })?;
            let _ = method.code.set(Ok(code.finish(method)));
        }
        let handle = self.new_instance(class)?;
        let mut words = words.iter();
        for field in &class.linked().fields {
            for word in 0..field.kind.words() as u32 {
                self.set(handle, field.slot + word, words.next().copied().unwrap_or(0));
            }
        }
        Ok(handle)
    }

    /// The types of a handle.
    pub(crate) fn types_of_handle(&mut self, handle: u32) -> Run<Descriptor> {
        if handle == 0 {
            return Err(self.null_pointer());
        }
        match call_of(self.class_of(handle)) {
            Some(call) => Ok(call.descriptor.clone()),
            None => self.unsupported("a method handle that the library made"),
        }
    }

    /// A handle that calls a method; `special` as `super.m()` does.
    pub(crate) fn direct_handle(&mut self, target: &'static Method, special: bool) -> Run<u32> {
        if target.class.space != 0 {
            return self.unsupported(OF_OWN_LOADER);
        }
        let owner = Type::Reference(target.class.name.clone());
        let constructor = &*target.name == "<init>";
        let mut types = target.descriptor.clone();
        if constructor {
            types.result = owner;
        } else if !target.is_static() {
            types.parameters.insert(0, owner);
            types.words += 1;
        }
        let call = if target.is_static() {
            op::INVOKESTATIC
        } else if constructor || special || target.is(flags::PRIVATE) {
            op::INVOKESPECIAL
        } else if target.class.is_interface() {
            op::INVOKEINTERFACE
        } else {
            op::INVOKEVIRTUAL
        };
        let key = format!("direct{call}${}.{}{}", target.class.name, target.name, target.text);
        let count = types.parameters.len();
        let handle = self.new_method_handle(
            &key,
            &types,
            &[],
            &|_, body| {
                if constructor {
                    body.code.class_op(op::NEW, target.class);
                    body.code.plain(op::DUP);
                }
                body.arguments(0..count);
                body.code.call(call, target);
                body.give();
                Ok(())
            },
            &[],
        )?;
        if target.is(flags::VARARGS) { self.collecting_handle(handle) } else { Ok(handle) }
    }

    /// A handle that reads or writes a field.
    pub(crate) fn field_handle(&mut self, field: &'static Field, write: bool) -> Run<u32> {
        if field.class.space != 0 {
            return self.unsupported(OF_OWN_LOADER);
        }
        let is_static = field.is(flags::STATIC);
        let mut parameters = Vec::new();
        if !is_static {
            parameters.push(Type::Reference(field.class.name.clone()));
        }
        let result = if write {
            parameters.push(field.kind.clone());
            Type::Primitive(b'V')
        } else {
            field.kind.clone()
        };
        let types = types(parameters, result);
        let code = match (is_static, write) {
            (true, false) => op::GETSTATIC,
            (true, true) => op::PUTSTATIC,
            (false, false) => op::GETFIELD,
            (false, true) => op::PUTFIELD,
        };
        let key = format!("field{code}${}.{}", field.class.name, field.name);
        let count = types.parameters.len();
        self.new_method_handle(
            &key,
            &types,
            &[],
            &|_, body| {
                body.arguments(0..count);
                body.code.field_op(code, field);
                body.give();
                Ok(())
            },
            &[],
        )
    }

    /// A handle that collects its last arguments when there are more of them.
    pub(crate) fn collecting_handle(&mut self, target: u32) -> Run<u32> {
        let types = self.types_of_handle(target)?;
        let key = format!("{COLLECTING}{}", text_of(&types));
        self.new_method_handle(
            &key,
            &types,
            &[handle_type()],
            &|_, body| {
                body.part(0);
                body.arguments(0..types.parameters.len());
                body.call(&types);
                body.give();
                Ok(())
            },
            &[target],
        )
    }

    /// What a collecting handle calls; another handle itself.
    pub(crate) fn fixed_arity(&mut self, handle: u32) -> u32 {
        let class = self.class_of(handle);
        match class.linked().fields.first() {
            Some(target) if is_collecting(class) => self.get(handle, target.slot),
            _ => handle,
        }
    }

    /// A handle of other types that calls a handle; `None` if values cannot be converted.
    pub(crate) fn retyped(&mut self, handle: u32, wanted: &Descriptor) -> Run<Option<u32>> {
        let mut target = handle;
        let mut from = self.types_of_handle(handle)?;
        if from == *wanted {
            return Ok(Some(handle));
        }
        if is_collecting(self.class_of(handle)) {
            target = self.fixed_arity(handle);
            let (have, want) = (from.parameters.len(), wanted.parameters.len());
            let whole = have == want
                && match (wanted.parameters.last(), from.parameters.last()) {
                    (Some(given), Some(last)) => self.is_assignable(given, last)?,
                    _ => false,
                };
            if !whole && want + 1 >= have {
                target = self.collector(target, want + 1 - have)?;
                from = self.types_of_handle(target)?;
            }
        }
        if from.parameters.len() != wanted.parameters.len() {
            return Ok(None);
        }
        for (given, to) in wanted.parameters.iter().zip(&from.parameters) {
            if !self.is_convertible(given, to)? {
                return Ok(None);
            }
        }
        if !self.is_convertible(&from.result, &wanted.result)? {
            return Ok(None);
        }
        let key = format!("as{}->{}", text_of(&from), text_of(wanted));
        let made = self.new_method_handle(
            &key,
            wanted,
            &[handle_type()],
            &|worker, body| {
                body.part(0);
                for (index, to) in from.parameters.iter().enumerate() {
                    body.argument(index);
                    worker.convert_value(body.code, &wanted.parameters[index], to)?;
                }
                body.call(&from);
                worker.convert_value(body.code, &from.result, &wanted.result)?;
                body.give();
                Ok(())
            },
            &[target],
        )?;
        Ok(Some(made))
    }

    fn is_assignable(&mut self, from: &Type, to: &Type) -> Run<bool> {
        Ok(match (from, to) {
            (Type::Reference(from), Type::Reference(to)) => {
                let (from, to) = (self.class(from)?, self.class(to)?);
                from.is_subtype_of(to)
            }
            _ => from == to,
        })
    }

    pub(crate) fn is_convertible(&mut self, from: &Type, to: &Type) -> Run<bool> {
        Ok(match (from, to) {
            _ if from == to => true,
            (Type::Primitive(b'V'), _) | (_, Type::Primitive(b'V')) => true,
            (Type::Reference(_), Type::Reference(_)) => true,
            (Type::Primitive(from), Type::Primitive(to)) => is_wider(*from, *to),
            (Type::Reference(name), Type::Primitive(to)) => match primitive_of(name) {
                Some(kind) => kind == *to || is_wider(kind, *to),
                None => {
                    let (wrapper, class) = (self.class(wrapper(*to).0)?, self.class(name)?);
                    wrapper.is_subtype_of(class)
                }
            },
            (Type::Primitive(from), Type::Reference(name)) => {
                let (wrapper, class) = (self.class(wrapper(*from).0)?, self.class(name)?);
                wrapper.is_subtype_of(class)
            }
        })
    }

    /// Makes a value one of another type, as `MethodHandle.asType` does.
    pub(crate) fn convert_value(
        &mut self,
        code: &mut Assembler<'_>,
        from: &Type,
        to: &Type,
    ) -> Run<()> {
        match (from, to) {
            _ if from == to => Ok(()),
            (Type::Primitive(b'V'), to) => {
                code.zero(to);
                Ok(())
            }
            (from, Type::Primitive(b'V')) => {
                code.plain(if from.words() == 2 { op::POP2 } else { op::POP });
                Ok(())
            }
            (Type::Reference(_), Type::Reference(name)) if &**name != "java/lang/Object" => {
                let wanted = self.class(name)?;
                let mirror = self.mirror(wanted)?;
                let class = self.class("java/lang/Class")?;
                let cast = "(Ljava/lang/Object;)Ljava/lang/Object;";
                let Some(cast) = class.declared("cast", cast) else {
                    return self.unsupported("this JDK: Class without cast");
                };
                code.object(mirror);
                code.plain(op::SWAP);
                code.call(op::INVOKEVIRTUAL, cast);
                code.class_op(op::CHECKCAST, wanted);
                Ok(())
            }
            (Type::Reference(name), Type::Primitive(to)) if primitive_of(name).is_none() => {
                self.unbox_any(code, *to, false)
            }
            _ => self.adapt(code, from, to),
        }
    }

    /// Unboxes whatever wrapper there is, as the library does it.
    fn unbox_any(&mut self, code: &mut Assembler<'_>, to: u8, cast: bool) -> Run<()> {
        let class = self.class("sun/invoke/util/ValueConversions")?;
        let simple = wrapper(to).0.trim_start_matches("java/lang/");
        let descriptor = format!("(Ljava/lang/Object;Z){}", char::from(to));
        let Some(unbox) = class.declared(&format!("unbox{simple}"), &descriptor) else {
            return self.unsupported("this JDK: ValueConversions without unboxing");
        };
        code.int(u32::from(cast));
        code.call(op::INVOKESTATIC, unbox);
        Ok(())
    }

    /// A handle that takes `count` arguments instead of the last one, an array.
    pub(crate) fn collector(&mut self, target: u32, count: usize) -> Run<u32> {
        let from = self.types_of_handle(target)?;
        let Some(Type::Reference(array)) = from.parameters.last() else {
            let text = "not an array type";
            return Err(self.throw("java/lang/IllegalArgumentException", Some(text)));
        };
        let Some(element) = self.class(array)?.element() else {
            let text = "not an array type";
            return Err(self.throw("java/lang/IllegalArgumentException", Some(text)));
        };
        let kept = from.parameters.len() - 1;
        let mut parameters = from.parameters[..kept].to_vec();
        parameters.extend(std::iter::repeat_n(type_of_class(element), count));
        let types = types(parameters, from.result.clone());
        let key = format!("collect{count}{}", text_of(&from));
        self.new_method_handle(
            &key,
            &types,
            &[handle_type()],
            &|_, body| {
                body.part(0);
                body.arguments(0..kept);
                body.code.int(count as u32);
                body.code.new_array(element);
                for index in 0..count {
                    body.code.plain(op::DUP);
                    body.code.int(index as u32);
                    body.argument(kept + index);
                    body.code.plain(element_op(element, true));
                }
                body.call(&from);
                body.give();
                Ok(())
            },
            &[target],
        )
    }

    /// A handle that takes an array instead of the last `count` arguments.
    pub(crate) fn spreader(
        &mut self,
        target: u32,
        array: &'static Class,
        count: usize,
    ) -> Run<u32> {
        let from = self.types_of_handle(target)?;
        let (Some(kept), Some(element)) =
            (from.parameters.len().checked_sub(count), array.element())
        else {
            let text = "bad spread array length";
            return Err(self.throw("java/lang/IllegalArgumentException", Some(text)));
        };
        let kind = type_of_class(element);
        let mut parameters = from.parameters[..kept].to_vec();
        parameters.push(type_of_class(array));
        let types = types(parameters, from.result.clone());
        let wrong = self.class("java/lang/IllegalArgumentException")?;
        let text = self.literal(&format!("array is not of length {count}"))?;
        let Some(fail) = wrong.declared("<init>", "(Ljava/lang/String;)V") else {
            return self.unsupported("this JDK: IllegalArgumentException without a constructor");
        };
        let key = format!("spread{}{count}{}", array.name, text_of(&from));
        self.new_method_handle(
            &key,
            &types,
            &[handle_type()],
            &|worker, body| {
                let mut fine = Vec::new();
                if count == 0 {
                    body.argument(kept);
                    fine.push(body.code.jump(op::IFNULL));
                }
                body.argument(kept);
                body.code.plain(op::ARRAYLENGTH);
                body.code.int(count as u32);
                fine.push(body.code.jump(op::IF_ICMPEQ));
                body.code.class_op(op::NEW, wrong);
                body.code.plain(op::DUP);
                body.code.object(text);
                body.code.call(op::INVOKESPECIAL, fail);
                body.code.plain(op::ATHROW);
                fine.into_iter().for_each(|jump| body.code.land(jump));
                body.part(0);
                body.arguments(0..kept);
                for index in 0..count {
                    body.argument(kept);
                    body.code.int(index as u32);
                    body.code.plain(element_op(element, false));
                    worker.convert_value(body.code, &kind, &from.parameters[kept + index])?;
                }
                body.call(&from);
                body.give();
                Ok(())
            },
            &[target],
        )
    }

    /// Makes a value one of another type, as a cast of the language or less strictly.
    pub(crate) fn cast_value(
        &mut self,
        code: &mut Assembler<'_>,
        from: &Type,
        to: &Type,
    ) -> Run<()> {
        match (from, to) {
            (Type::Primitive(from), Type::Primitive(to)) if *to != b'V' && *from != b'V' => {
                code.cast(*from, *to);
                Ok(())
            }
            (Type::Reference(_), Type::Primitive(to)) if *to != b'V' => {
                self.unbox_any(code, *to, true)
            }
            _ => self.convert_value(code, from, to),
        }
    }

    /// A handle that calls `cleanup` after `target`, whatever happens there.
    pub(crate) fn finally_handle(&mut self, target: u32, cleanup: u32) -> Run<u32> {
        let (main, last) = (self.types_of_handle(target)?, self.types_of_handle(cleanup)?);
        let value = usize::from(main.result != Type::Primitive(b'V'));
        let Some(passed) = last.parameters.len().checked_sub(1 + value) else {
            let text = "target and cleanup types must match";
            return Err(self.throw("java/lang/IllegalArgumentException", Some(text)));
        };
        let key = format!("finally{}{}", text_of(&main), text_of(&last));
        let throwable = Type::Reference("java/lang/Throwable".into());
        self.new_method_handle(
            &key,
            &main,
            &[handle_type(), handle_type()],
            &|_, body| {
                let local = body.slot(main.parameters.len());
                body.code.more_locals(3);
                let start = body.code.insns.len() as u32;
                body.part(0);
                body.arguments(0..main.parameters.len());
                body.call(&main);
                let end = body.code.insns.len() as u32;
                if value == 1 {
                    body.code.store(&main.result, local);
                }
                body.part(1);
                body.code.plain(op::ACONST_NULL);
                if value == 1 {
                    body.code.load(&main.result, local);
                }
                body.arguments(0..passed);
                body.call(&last);
                body.give();
                let target = body.code.insns.len() as u32;
                body.code.handlers.push(Handler { start, end, target, class: 0 });
                body.code.store(&throwable, local + 2);
                body.part(1);
                body.code.load(&throwable, local + 2);
                if value == 1 {
                    body.code.zero(&main.result);
                }
                body.arguments(0..passed);
                body.call(&last);
                match last.result.words() {
                    0 => {}
                    1 => body.code.plain(op::POP),
                    _ => body.code.plain(op::POP2),
                }
                body.code.load(&throwable, local + 2);
                body.code.plain(op::ATHROW);
                Ok(())
            },
            &[target, cleanup],
        )
    }
}

/// Whether a number of one type can be made one of another without a cast.
fn is_wider(from: u8, to: u8) -> bool {
    let order = |kind| b"BSIJFD".iter().position(|&other| other == kind);
    match (order(from), order(to)) {
        (Some(from), Some(to)) => from < to,
        (None, Some(to)) => from == b'C' && to >= 2,
        _ => false,
    }
}

/// The instruction that reads or writes an element.
pub(crate) fn element_op(element: &Class, write: bool) -> u8 {
    let read = match element.kind {
        Kind::Primitive(b'Z' | b'B') => op::BALOAD,
        Kind::Primitive(b'C') => op::CALOAD,
        Kind::Primitive(b'S') => op::SALOAD,
        Kind::Primitive(b'I') => op::IALOAD,
        Kind::Primitive(b'F') => op::FALOAD,
        Kind::Primitive(b'J') => op::LALOAD,
        Kind::Primitive(_) => op::DALOAD,
        _ => op::AALOAD,
    };
    if write { read + (op::IASTORE - op::IALOAD) } else { read }
}
