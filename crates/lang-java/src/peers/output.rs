//! System.out and System.err: a class of the virtual machine's own that prints whole texts at once.

use everypath_model::Access;

use super::{Args, Done, Peer, plain};
use crate::classfile::flags;
use crate::code::op;
use crate::dynamic::Assembler;
use crate::link::{Class, NewMethod};
use crate::vm::{Run, Thing, Worker};

/// The class of both streams.
pub(crate) const OUTPUT_CLASS: &str = "everypath/Output";

/// Methods that first make a text of their argument.
const TYPES: [&str; 8] = ["Z", "C", "I", "J", "F", "D", "[C", "Ljava/lang/Object;"];

const STRING: &str = "Ljava/lang/String;";

pub(super) fn find(name: &str, descriptor: &str) -> Option<Peer> {
    match (name, descriptor) {
        ("print", "(Ljava/lang/String;)V") => Some(Peer { run: print, data: 0 }),
        ("println", "(Ljava/lang/String;)V") => Some(Peer { run: print, data: 1 }),
        ("println", "()V") => Some(Peer { run: print, data: 2 }),
        ("write", "(I)V") => plain(|worker, args| {
            worker.emit(args.word(0), vec![args.word(1) as u8])?;
            Ok(Done::Void)
        }),
        ("write", "([BII)V") => plain(|worker, args| {
            let bytes = worker.bytes_of(args.word(1));
            let (from, count) = (args.word(2) as usize, args.word(3) as usize);
            match bytes.get(from..from.saturating_add(count)) {
                Some(bytes) => worker.emit(args.word(0), bytes.to_vec())?,
                None => {
                    let class = "java/lang/IndexOutOfBoundsException";
                    return Err(worker.throw(class, None));
                }
            }
            Ok(Done::Void)
        }),
        ("flush" | "close", "()V") => plain(|_, _| Ok(Done::Void)),
        ("checkError", "()Z") => plain(|_, _| Ok(Done::bool(false))),
        _ => None,
    }
}

fn print(worker: &mut Worker, args: &Args) -> Run<Done> {
    let mut text = match args.data {
        2 => String::new(),
        _ => worker.text_of(args.word(1))?,
    };
    if args.data > 0 {
        text.push('\n');
    }
    worker.emit(args.word(0), text.into_bytes())?;
    Ok(Done::Void)
}

impl Worker {
    fn emit(&mut self, stream: u32, bytes: Vec<u8>) -> Run<()> {
        let field = self.field_of(stream, "fd")?;
        self.print(self.get(stream, field.slot) as u8, bytes)
    }

    /// Prints; if the output is a part of the state, others can notice that.
    pub(super) fn print(&mut self, number: u8, bytes: Vec<u8>) -> Run<()> {
        if self.vm.settings.output {
            self.stops()?;
            self.note_touch(Thing::Output, Access::Write);
            let mut content = vec![self.printed, u32::from(number)];
            content.extend(bytes.iter().map(|&byte| u32::from(byte)));
            self.printed = self.vm.dictionary.intern(&content)?;
        }
        self.output.push((number, bytes));
        Ok(())
    }

    /// Makes one of the streams: an object of the base.
    pub fn make_stream(&mut self, number: u32) -> Run<u32> {
        let class = self.output_class()?;
        let mut content = vec![0; class.linked().words as usize];
        content[crate::heap::CLASS as usize] = class.id;
        content[self.library_field(class, "fd")?.slot as usize] = number;
        Ok(self.vm.base.add(self.vm.dictionary.intern(&content)?))
    }

    fn output_class(&mut self) -> Run<&'static Class> {
        let parent = self.class("java/io/PrintStream")?;
        let string = self.class("java/lang/String")?;
        let mut methods = Vec::new();
        let new = |name: &str, descriptor: String, flags: u16| NewMethod {
            name: name.to_owned(),
            descriptor,
            flags: flags | flags::PUBLIC,
        };
        for name in ["print", "println"] {
            methods.push(new(name, format!("({STRING})V"), flags::NATIVE));
            for kind in TYPES {
                methods.push(new(name, format!("({kind})V"), 0));
            }
        }
        methods.push(new("println", "()V".to_owned(), flags::NATIVE));
        methods.push(new("write", "(I)V".to_owned(), flags::NATIVE));
        methods.push(new("write", "([BII)V".to_owned(), flags::NATIVE));
        methods.push(new("flush", "()V".to_owned(), flags::NATIVE));
        methods.push(new("close", "()V".to_owned(), flags::NATIVE));
        methods.push(new("checkError", "()Z".to_owned(), flags::NATIVE));
        let format = format!("({STRING}[Ljava/lang/Object;)");
        methods.push(new("format", format!("{format}Ljava/io/PrintStream;"), 0));
        methods.push(new("printf", format!("{format}Ljava/io/PrintStream;"), 0));
        let with_locale = format!("(Ljava/util/Locale;{STRING}[Ljava/lang/Object;)");
        methods.push(new("format", format!("{with_locale}Ljava/io/PrintStream;"), 0));
        methods.push(new("printf", format!("{with_locale}Ljava/io/PrintStream;"), 0));
        // Room for what the code of the methods refers to.
        let pool = vec![None; 64];
        let fields = [("fd".to_owned(), "I".to_owned())];
        let defined =
            self.vm.registry.define(OUTPUT_CLASS, parent, Vec::new(), &fields, methods, pool);
        let class = defined.map_err(|error| self.load_failure(error))?;
        let find =
            |class: &'static Class, name: &str, descriptor: &str| class.declared(name, descriptor);
        let mut used = 1;
        for method in &class.linked().methods {
            if method.is(flags::NATIVE) || method.code.get().is_some() {
                continue;
            }
            let mut code = Assembler::within(class, &mut used);
            code.load(&crate::code::Type::Reference(class.name.clone()), 0);
            if matches!(&*method.name, "format" | "printf") {
                let text = method.text.trim_end_matches("Ljava/io/PrintStream;");
                let Some(target) = find(string, "format", &format!("{text}{STRING}")) else {
                    return self.unsupported("this JDK: String has no format");
                };
                for (slot, parameter) in (1..).zip(&method.descriptor.parameters) {
                    code.load(parameter, slot);
                }
                code.call(op::INVOKESTATIC, target);
                let Some(print) = find(class, "print", &format!("({STRING})V")) else { continue };
                code.call(op::INVOKEVIRTUAL, print);
                code.load(&crate::code::Type::Reference(class.name.clone()), 0);
                code.plain(op::ARETURN);
            } else {
                let kind = &method.descriptor.parameters[0];
                code.load(kind, 1);
                let text = method.text.trim_end_matches('V');
                let Some(target) = find(string, "valueOf", &format!("{text}{STRING}")) else {
                    return self.unsupported("this JDK: String has no valueOf");
                };
                code.call(op::INVOKESTATIC, target);
                let print = find(class, &method.name, &format!("({STRING})V"));
                let Some(print) = print else { continue };
                code.call(op::INVOKEVIRTUAL, print);
                code.plain(op::RETURN);
            }
            let _ = method.code.set(Ok(code.finish(method)));
        }
        Ok(class)
    }
}
