//! `toString`, `hashCode` and `equals` of records.

use super::concat::Piece;
use super::{Assembler, Bootstrapped, Site};
use crate::classfile::{Const, flags};
use crate::code::{Type, op};
use crate::link::{Class, Field, NewMethod};
use crate::vm::{Run, Worker};

impl Worker {
    pub(super) fn link_record(&mut self, site: &Bootstrapped<'_>) -> Run<Site> {
        let host = site.class;
        let [_, _, ref getters @ ..] = site.row.arguments[..] else {
            return self.unsupported("a record with too few constants");
        };
        let mut fields = Vec::new();
        for &getter in getters {
            let file = host.file.as_ref();
            let Some(Const::Handle { reference, .. }) = file.map(|file| file.pool.get(getter))
            else {
                return self.unsupported("a record without its fields");
            };
            let field = host.field_at(&self.vm.registry, reference);
            fields.push(field.map_err(|error| self.link_failure(error))?);
        }
        match site.name {
            "toString" => self.record_text(site, &fields),
            "hashCode" => self.record_hash(site, &fields),
            "equals" => self.record_equals(site, &fields),
            other => self.unsupported(format!("a method {other} of records")),
        }
    }

    fn record_text(&mut self, site: &Bootstrapped<'_>, fields: &[&'static Field]) -> Run<Site> {
        let host = site.class;
        let simple = host.name.rsplit(['/', '$']).next().unwrap_or(&host.name);
        let simple = simple.trim_start_matches(|c: char| c.is_ascii_digit());
        let mut pieces = Vec::new();
        let mut before = format!("{simple}[");
        for (index, field) in fields.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            before.push_str(&format!("{comma}{}=", field.name));
            pieces.push(Piece::Text(before.encode_utf16().collect()));
            pieces.push(Piece::Argument);
            before.clear();
        }
        before.push(']');
        pieces.push(Piece::Text(before.encode_utf16().collect()));
        let kinds: Vec<Type> = fields.iter().map(|field| field.kind.clone()).collect();
        let descriptor = format!("(L{};)Ljava/lang/String;", host.name);
        let whole = NewMethod { name: "toString".into(), descriptor, flags: flags::STATIC };
        let name = format!("{}$$Record${}", host.own_name(), site.index);
        let class = self.text_class(&name, &kinds, vec![whole], pieces)?;
        let method = class.linked().methods[2];
        if method.code.get().is_none() {
            let mut next = 1;
            let mut code = Assembler::within(class, &mut next);
            for field in fields {
                code.load(&method.descriptor.parameters[0], 0);
                code.field(field);
                self.stringify(&mut code, &field.kind)?;
            }
            code.call(op::INVOKESTATIC, class.linked().methods[1]);
            code.plain(op::ARETURN);
            let _ = method.code.set(Ok(code.finish(method)));
        }
        Ok(Site::Call { method })
    }

    /// A class with one static method for a record.
    fn record_class(
        &mut self,
        site: &Bootstrapped<'_>,
        descriptor: String,
        room: usize,
    ) -> Run<&'static Class> {
        let name = format!("{}$$Record${}", site.class.own_name(), site.index);
        let object = self.class("java/lang/Object")?;
        let method = NewMethod { name: site.name.to_owned(), descriptor, flags: flags::STATIC };
        let defined =
            self.vm.registry.define(&name, object, Vec::new(), &[], vec![method], vec![None; room]);
        let class = defined.map_err(|error| self.load_failure(error))?;
        self.initialise_made(class)?;
        Ok(class)
    }

    fn record_hash(&mut self, site: &Bootstrapped<'_>, fields: &[&'static Field]) -> Run<Site> {
        let descriptor = format!("(L{};)I", site.class.name);
        let class = self.record_class(site, descriptor, 4 + 2 * fields.len())?;
        let method = class.linked().methods[0];
        if method.code.get().is_none() {
            let mut next = 1;
            let mut code = Assembler::within(class, &mut next);
            code.int(0);
            for field in fields {
                code.int(31);
                code.plain(op::IMUL);
                code.load(&method.descriptor.parameters[0], 0);
                code.field(field);
                let (owner, descriptor) = match &field.kind {
                    Type::Primitive(kind) => (boxed(*kind), format!("({})I", char::from(*kind))),
                    Type::Reference(_) => ("java/util/Objects", "(Ljava/lang/Object;)I".to_owned()),
                };
                let owner = self.class(owner)?;
                match owner.declared("hashCode", &descriptor) {
                    Some(hash) => code.call(op::INVOKESTATIC, hash),
                    None => return self.unsupported("this JDK: a class has no hashCode"),
                }
                code.plain(op::IADD);
            }
            code.plain(op::IRETURN);
            let _ = method.code.set(Ok(code.finish(method)));
        }
        Ok(Site::Call { method })
    }

    fn record_equals(&mut self, site: &Bootstrapped<'_>, fields: &[&'static Field]) -> Run<Site> {
        let host = site.class;
        let descriptor = format!("(L{};Ljava/lang/Object;)Z", host.name);
        let class = self.record_class(site, descriptor, 8 + 4 * fields.len())?;
        let method = class.linked().methods[0];
        if method.code.get().is_some() {
            return Ok(Site::Call { method });
        }
        let this = method.descriptor.parameters[0].clone();
        let mut next = 1;
        let mut code = Assembler::within(class, &mut next);
        code.load(&this, 1);
        code.class_op(op::INSTANCEOF, host);
        let mut different = vec![code.jump(op::IFEQ)];
        for field in fields {
            code.load(&this, 0);
            code.field(field);
            code.load(&this, 1);
            code.class_op(op::CHECKCAST, host);
            code.field(field);
            match &field.kind {
                Type::Primitive(b'J') => {
                    code.plain(op::LCMP);
                    different.push(code.jump(op::IFNE));
                }
                Type::Primitive(kind @ (b'F' | b'D')) => {
                    let owner = self.class(boxed(*kind))?;
                    let kind = char::from(*kind);
                    match owner.declared("compare", &format!("({kind}{kind})I")) {
                        Some(compare) => code.call(op::INVOKESTATIC, compare),
                        None => return self.unsupported("this JDK: a class has no compare"),
                    }
                    different.push(code.jump(op::IFNE));
                }
                Type::Primitive(_) => different.push(code.jump(op::IF_ICMPNE)),
                Type::Reference(_) => {
                    let owner = self.class("java/util/Objects")?;
                    let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
                    match owner.declared("equals", descriptor) {
                        Some(equals) => code.call(op::INVOKESTATIC, equals),
                        None => return self.unsupported("this JDK: Objects has no equals"),
                    }
                    different.push(code.jump(op::IFEQ));
                }
            }
        }
        code.int(1);
        code.plain(op::IRETURN);
        different.into_iter().for_each(|jump| code.land(jump));
        code.int(0);
        code.plain(op::IRETURN);
        let _ = method.code.set(Ok(code.finish(method)));
        Ok(Site::Call { method })
    }
}

fn boxed(kind: u8) -> &'static str {
    match kind {
        b'Z' => "java/lang/Boolean",
        b'B' => "java/lang/Byte",
        b'C' => "java/lang/Character",
        b'S' => "java/lang/Short",
        b'J' => "java/lang/Long",
        b'F' => "java/lang/Float",
        b'D' => "java/lang/Double",
        _ => "java/lang/Integer",
    }
}
