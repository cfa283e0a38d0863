//! String concatenation: what needs code of the library is made a text first, the rest is joined at
//! once.

use super::{Assembler, Bootstrapped, Site};
use crate::classfile::{Const, flags};
use crate::code::{Descriptor, Type, op};
use crate::link::{Class, NewMethod};
use crate::peers::{Args, Done, Peer};
use crate::vm::{Run, Worker};

/// A part of a text.
pub(crate) enum Piece {
    Text(Vec<u16>),
    Argument,
}

impl Worker {
    pub(super) fn link_concat(&mut self, site: &Bootstrapped<'_>) -> Run<Site> {
        let Some(file) = &site.class.file else { return self.unsupported("a text without a file") };
        let chars = |index: Option<&u16>| match index.map(|&index| file.pool.get(index)) {
            Some(Const::String(text)) => file.pool.chars(&file.bytes, text).ok(),
            Some(Const::Integer(value)) => Some(value.to_string().encode_utf16().collect()),
            _ => None,
        };
        let mut arguments = site.row.arguments.iter();
        let Some(recipe) = chars(arguments.next()) else {
            return self.unsupported("a text without a recipe");
        };
        let mut pieces = Vec::new();
        let mut literal = Vec::new();
        for char in recipe {
            match char {
                1 => {
                    pieces.push(Piece::Text(std::mem::take(&mut literal)));
                    pieces.push(Piece::Argument);
                }
                2 => match chars(arguments.next()) {
                    Some(constant) => literal.extend(constant),
                    None => return self.unsupported("a text with a constant of an unknown kind"),
                },
                other => literal.push(other),
            }
        }
        pieces.push(Piece::Text(literal));
        let name = format!("{}$$Concat${}", site.class.own_name(), site.index);
        let class = self.text_class(&name, &site.descriptor.parameters, Vec::new(), pieces)?;
        let method = class.linked().methods[0];
        if method.code.get().is_none() {
            let mut next = 1;
            let mut code = Assembler::within(class, &mut next);
            let mut slot = 0;
            for parameter in &site.descriptor.parameters {
                code.load(parameter, slot);
                slot += parameter.words() as u16;
                self.stringify(&mut code, parameter)?;
            }
            code.call(op::INVOKESTATIC, class.linked().methods[1]);
            code.plain(op::ARETURN);
            let _ = method.code.set(Ok(code.finish(method)));
        }
        Ok(Site::Call { method })
    }

    /// A class with a static method `text` for these parameters, which gets its code later, and a
    /// native one that joins them.
    pub(super) fn text_class(
        &mut self,
        name: &str,
        parameters: &[Type],
        more: Vec<NewMethod>,
        pieces: Vec<Piece>,
    ) -> Run<&'static Class> {
        let text = Type::Reference("java/lang/String".into());
        let joined: Vec<Type> = parameters
            .iter()
            .map(|kind| if needs_code(kind) { text.clone() } else { kind.clone() })
            .collect();
        let descriptor = |types: &[Type]| {
            let types: String = types.iter().map(Type::descriptor).collect();
            format!("({types})Ljava/lang/String;")
        };
        let mut methods = vec![
            NewMethod {
                name: "text".into(),
                descriptor: descriptor(parameters),
                flags: flags::STATIC,
            },
            NewMethod {
                name: "join".into(),
                descriptor: descriptor(&joined),
                flags: flags::STATIC | flags::NATIVE,
            },
        ];
        methods.extend(more);
        let object = self.class("java/lang/Object")?;
        let room = vec![None; 16 + 4 * parameters.len()];
        let defined = self.vm.registry.define(name, object, Vec::new(), &[], methods, room);
        let class = defined.map_err(|error| self.load_failure(error))?;
        let join = class.linked().methods[1];
        let vm = &self.vm;
        join.peer.get_or_init(|| {
            let data = vm.recipes.push(pieces) as u32;
            Some(Peer { run: self::join, data })
        });
        // Nothing is to be initialised.
        self.initialise_made(class)?;
        Ok(class)
    }

    /// Makes a text of what cannot be joined without code of the library.
    pub(super) fn stringify(&mut self, code: &mut Assembler<'_>, kind: &Type) -> Run<()> {
        if !needs_code(kind) {
            return Ok(());
        }
        let string = self.class("java/lang/String")?;
        let descriptor = match kind {
            Type::Primitive(kind) => format!("({})Ljava/lang/String;", char::from(*kind)),
            Type::Reference(_) => "(Ljava/lang/Object;)Ljava/lang/String;".to_owned(),
        };
        match string.declared("valueOf", &descriptor) {
            Some(method) => code.call(op::INVOKESTATIC, method),
            None => return self.unsupported("this JDK: String has no valueOf"),
        }
        Ok(())
    }
}

fn needs_code(kind: &Type) -> bool {
    match kind {
        Type::Primitive(kind) => matches!(kind, b'F' | b'D'),
        Type::Reference(name) => &**name != "java/lang/String",
    }
}

/// Joins numbers, characters and texts by a recipe.
pub(crate) fn join(worker: &mut Worker, args: &Args) -> Run<Done> {
    let vm = std::sync::Arc::clone(&worker.vm);
    let Some(pieces) = vm.recipes.get(args.data as usize) else {
        return worker.unsupported("a text without a recipe");
    };
    // There may be more arguments than a peer sees.
    let start = worker.top.sp - args.method.words;
    let mut at = start;
    let Descriptor { parameters, .. } = &args.method.descriptor;
    let mut parameters = parameters.iter();
    let mut chars = Vec::new();
    for piece in pieces {
        let Piece::Argument = piece else {
            if let Piece::Text(text) = piece {
                chars.extend_from_slice(text);
            }
            continue;
        };
        let Some(kind) = parameters.next() else { break };
        let word = worker.stack[at];
        let text = match kind {
            Type::Primitive(b'Z') => if word != 0 { "true" } else { "false" }.to_owned(),
            Type::Primitive(b'C') => {
                chars.push(word as u16);
                String::new()
            }
            Type::Primitive(b'J') => {
                let bits = u64::from(word) | u64::from(worker.stack[at + 1]) << 32;
                (bits as i64).to_string()
            }
            Type::Primitive(_) => (word as i32).to_string(),
            Type::Reference(_) if word == 0 => "null".to_owned(),
            Type::Reference(_) => {
                worker.append_chars(&mut chars, word)?;
                String::new()
            }
        };
        chars.extend(text.encode_utf16());
        at += kind.words();
    }
    worker.new_string(&chars).map(Done::Word)
}
