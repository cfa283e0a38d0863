//! Lambdas and method references: a class for each call site, whose method adapts the arguments and
//! calls what the site names.

use super::{Assembler, Bootstrapped, HandleConst, Site};
use crate::classfile::{Const, flags};
use crate::code::{Descriptor, Type, op};
use crate::link::{Class, Method, NewMethod};
use crate::vm::{Run, Worker};

/// Flags of `altMetafactory`.
const SERIALIZABLE: u32 = 1;
const MARKERS: u32 = 2;
const BRIDGES: u32 = 4;

impl Worker {
    pub(super) fn link_lambda(&mut self, site: &Bootstrapped<'_>, alternative: bool) -> Run<Site> {
        let host = site.class;
        let arguments = &site.row.arguments;
        let [erased, implementation, instantiated, ref rest @ ..] = arguments[..] else {
            return self.unsupported("a lambda with too few constants");
        };
        let (erased, instantiated) =
            (self.method_type(host, erased)?, self.method_type(host, instantiated)?);
        let (Some(types), Some(_)) = (Descriptor::of(&instantiated), Descriptor::of(&erased))
        else {
            return self.unsupported("a lambda without a type");
        };
        let target = self.handle_const(host, implementation)?;
        let Type::Reference(interface) = &site.descriptor.result else {
            return self.unsupported("a lambda that is no object");
        };
        let mut interfaces = vec![self.class(interface)?];
        let mut descriptors = vec![erased];
        if alternative {
            let mut rest = rest.iter().copied();
            let flags = self.int_const(host, rest.next())?;
            if flags & SERIALIZABLE != 0 {
                interfaces.push(self.class("java/io/Serializable")?);
            }
            if flags & MARKERS != 0 {
                for _ in 0..self.int_const(host, rest.next())? {
                    let index = rest.next().unwrap_or(0);
                    let marker = host.class_at(&self.vm.registry, index);
                    interfaces.push(marker.map_err(|error| self.link_failure(error))?);
                }
            }
            if flags & BRIDGES != 0 {
                for _ in 0..self.int_const(host, rest.next())? {
                    let bridge = self.method_type(host, rest.next().unwrap_or(0))?;
                    descriptors.push(bridge);
                }
            }
        }
        let fields: Vec<(String, String)> = site
            .descriptor
            .parameters
            .iter()
            .enumerate()
            .map(|(index, kind)| (format!("arg{index}"), kind.descriptor()))
            .collect();
        descriptors.dedup();
        let methods = descriptors.iter().map(|descriptor| NewMethod {
            name: site.name.to_owned(),
            descriptor: descriptor.clone(),
            flags: flags::PUBLIC,
        });
        let name = format!("{}$$Lambda${}", host.own_name(), site.index);
        let object = self.class("java/lang/Object")?;
        let room = descriptors.len() * (8 + fields.len() + 6 * types.parameters.len());
        let defined = self.vm.registry.define(
            &name,
            object,
            interfaces,
            &fields,
            methods.collect(),
            vec![None; room],
        );
        let class = defined.map_err(|error| self.load_failure(error))?;
        let mut next = 1;
        for &method in &class.linked().methods {
            if method.code.get().is_none() {
                self.write_lambda(class, method, &types, target, &mut next)?;
            }
        }
        let only = match fields.is_empty() {
            true => {
                let mut content = vec![0; crate::heap::HEADER as usize];
                content[crate::heap::CLASS as usize] = class.id;
                Some(self.vm.base.add(self.vm.dictionary.intern(&content)?))
            }
            false => None,
        };
        Ok(Site::Object { class, only, descriptor: site.descriptor.clone() })
    }

    fn method_type(&mut self, class: &'static Class, index: u16) -> Run<String> {
        let file = class.file.as_ref();
        let text = file.and_then(|file| match file.pool.get(index) {
            Const::MethodType(text) => file.pool.utf8(&file.bytes, text).ok(),
            _ => None,
        });
        match text {
            Some(text) => Ok(text.to_owned()),
            None => self.unsupported("a lambda without a method type"),
        }
    }

    fn int_const(&mut self, class: &'static Class, index: Option<u16>) -> Run<u32> {
        let file = class.file.as_ref();
        match index.and_then(|index| file.map(|file| file.pool.get(index))) {
            Some(Const::Integer(value)) => Ok(value),
            _ => self.unsupported("a lambda without its flags"),
        }
    }

    fn write_lambda(
        &mut self,
        class: &'static Class,
        method: &'static Method,
        types: &Descriptor,
        target: HandleConst,
        next: &mut u16,
    ) -> Run<()> {
        let HandleConst { kind, method: called } = target;
        let mut code = Assembler::within(class, next);
        let constructor = kind == 8;
        if constructor {
            code.class_op(op::NEW, called.class);
            code.plain(op::DUP);
        }
        // What the implementation takes, the receiver first.
        let mut wanted = Vec::new();
        if !called.is_static() && !constructor {
            wanted.push(Type::Reference(called.class.name.clone()));
        }
        wanted.extend(called.descriptor.parameters.iter().cloned());
        let this = Type::Reference(class.name.clone());
        let mut wanted = wanted.into_iter();
        for field in &class.linked().fields {
            code.load(&this, 0);
            code.field(field);
            if let Some(to) = wanted.next() {
                self.adapt(&mut code, &field.kind, &to)?;
            }
        }
        let mut slot = 1;
        for (index, given) in method.descriptor.parameters.iter().enumerate() {
            code.load(given, slot);
            slot += given.words() as u16;
            let exact = types.parameters.get(index).unwrap_or(given);
            self.adapt(&mut code, given, exact)?;
            if let Some(to) = wanted.next() {
                self.adapt(&mut code, exact, &to)?;
            }
        }
        let call = match kind {
            6 => op::INVOKESTATIC,
            7 | 8 => op::INVOKESPECIAL,
            9 => op::INVOKEINTERFACE,
            _ => op::INVOKEVIRTUAL,
        };
        code.call(call, called);
        let returned = if constructor {
            Type::Reference(called.class.name.clone())
        } else {
            called.descriptor.result.clone()
        };
        let result = &method.descriptor.result;
        match (&returned, result) {
            (Type::Primitive(b'V'), _) => {}
            (from, Type::Primitive(b'V')) => {
                code.plain(if from.words() == 2 { op::POP2 } else { op::POP });
            }
            (from, to) => {
                let exact = match &types.result {
                    Type::Primitive(b'V') => to,
                    exact => exact,
                };
                self.adapt(&mut code, from, exact)?;
                self.adapt(&mut code, exact, to)?;
            }
        }
        code.give(result);
        let _ = method.code.set(Ok(code.finish(method)));
        Ok(())
    }

    /// Makes a value of one type one of another.
    pub(super) fn adapt(&mut self, code: &mut Assembler<'_>, from: &Type, to: &Type) -> Run<()> {
        match (from, to) {
            _ if from == to => {}
            (Type::Reference(_), Type::Reference(name)) => {
                if &**name != "java/lang/Object" {
                    let class = self.class(name)?;
                    code.class_op(op::CHECKCAST, class);
                }
            }
            (Type::Primitive(from), Type::Primitive(to)) => widen(code, *from, *to),
            (Type::Reference(name), Type::Primitive(to)) => {
                // A wrapper is unboxed as what it is and then made wider.
                let kind = primitive_of(name).unwrap_or(*to);
                let (wrapper, method) = wrapper(kind);
                let class = self.class(wrapper)?;
                code.class_op(op::CHECKCAST, class);
                let descriptor = format!("(){}", char::from(kind));
                match class.declared(method, &descriptor) {
                    Some(unbox) => code.call(op::INVOKEVIRTUAL, unbox),
                    None => return self.unsupported("a lambda with an unknown type"),
                }
                widen(code, kind, *to);
            }
            (Type::Primitive(from), Type::Reference(name)) => {
                let kind = primitive_of(name).unwrap_or(*from);
                widen(code, *from, kind);
                let (wrapper, _) = wrapper(kind);
                let class = self.class(wrapper)?;
                let descriptor = format!("({})L{wrapper};", char::from(kind));
                match class.declared("valueOf", &descriptor) {
                    Some(boxing) => code.call(op::INVOKESTATIC, boxing),
                    None => return self.unsupported("a lambda with an unknown type"),
                }
            }
        }
        Ok(())
    }
}

fn widen(code: &mut Assembler<'_>, from: u8, to: u8) {
    let int = matches!(from, b'B' | b'S' | b'C' | b'I' | b'Z');
    let conversion = match (from, to) {
        (_, b'J') if int => op::I2L,
        (_, b'F') if int => op::I2F,
        (_, b'D') if int => op::I2D,
        (b'J', b'F') => op::L2F,
        (b'J', b'D') => op::L2D,
        (b'F', b'D') => op::F2D,
        _ => return,
    };
    code.plain(conversion);
}

/// The class of the objects that hold values of a type, and its method that gives them.
pub(crate) fn wrapper(kind: u8) -> (&'static str, &'static str) {
    match kind {
        b'Z' => ("java/lang/Boolean", "booleanValue"),
        b'B' => ("java/lang/Byte", "byteValue"),
        b'C' => ("java/lang/Character", "charValue"),
        b'S' => ("java/lang/Short", "shortValue"),
        b'J' => ("java/lang/Long", "longValue"),
        b'F' => ("java/lang/Float", "floatValue"),
        b'D' => ("java/lang/Double", "doubleValue"),
        _ => ("java/lang/Integer", "intValue"),
    }
}

/// The type whose values objects of a class hold.
pub(crate) fn primitive_of(name: &str) -> Option<u8> {
    b"ZBCSIJFD".iter().copied().find(|&kind| wrapper(kind).0 == name)
}
