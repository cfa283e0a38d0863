//! Method handles: what they are, how they are called, and how they are bound to values. How they are found is in
//! `lookup.rs`, how they are made of others in `combine.rs`, and what needs no other one in `values.rs`.

mod combine;
mod lookup;
mod values;

use super::{Done, Peer, plain};
use crate::code::{Descriptor, Type};
use crate::dynamic::{
    METHOD_HANDLE, call_of, handle_type, is_collecting, text_of, type_of_class, types,
};
use crate::vm::{Run, Worker};

const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match class {
        LOOKUP => lookup::find(name),
        METHOD_HANDLE => of_handle(name, descriptor),
        "java/lang/invoke/MethodHandles" => combine::find(name, descriptor),
        _ => None,
    }
}

fn of_handle(name: &str, descriptor: &str) -> Option<Peer> {
    match name {
        "type" => plain(|worker, args| {
            let types = worker.types_of_handle(args.word(0))?;
            worker.method_type_object(&types)
        }),
        "asType" => plain(|worker, args| {
            let wanted = worker.types_of_object(args.word(1))?;
            worker.as_type(args.word(0), &wanted).map(Done::Word)
        }),
        "bindTo" => plain(|worker, args| worker.bind(args.word(0), 0, &[args.word(1)])),
        "asCollector" if descriptor.starts_with("(Ljava/lang/Class;I)") => plain(|worker, args| {
            worker.collector(args.word(0), args.word(2) as usize).map(Done::Word)
        }),
        "asSpreader" if descriptor.starts_with("(Ljava/lang/Class;I)") => plain(|worker, args| {
            let target = worker.fixed_arity(args.word(0));
            let array = worker.given_class(args.word(1))?;
            worker.spreader(target, array, args.word(2) as usize).map(Done::Word)
        }),
        "invokeWithArguments" if descriptor.starts_with("([") => plain(|worker, args| {
            let (handle, array) = (args.word(0), args.word(1));
            if array == 0 {
                return Err(worker.null_pointer());
            }
            let count = worker.array_length(array) as usize;
            let any = Type::Reference("java/lang/Object".into());
            let wanted = types(vec![any.clone(); count], any);
            let generic = worker.as_type(handle, &wanted)?;
            let objects = worker.class("[Ljava/lang/Object;")?;
            let spreader = worker.spreader(generic, objects, count)?;
            match call_of(worker.class_of(spreader)) {
                Some(call) => Ok(Done::Call(call, vec![spreader, array])),
                None => worker.unsupported("a method handle of an unknown kind"),
            }
        }),
        "asVarargsCollector" => {
            plain(|worker, args| worker.collecting_handle(args.word(0)).map(Done::Word))
        }
        "withVarargs" => plain(|worker, args| match args.word(1) {
            0 => Ok(Done::Word(worker.fixed_arity(args.word(0)))),
            _ if is_collecting(worker.class_of(args.word(0))) => Ok(Done::Word(args.word(0))),
            _ => worker.collecting_handle(args.word(0)).map(Done::Word),
        }),
        "asFixedArity" => plain(|worker, args| Ok(Done::Word(worker.fixed_arity(args.word(0))))),
        "isVarargsCollector" => {
            plain(|worker, args| Ok(Done::bool(is_collecting(worker.class_of(args.word(0))))))
        }
        "toString" => plain(|worker, args| {
            let types = worker.types_of_handle(args.word(0))?;
            let text = format!("MethodHandle{}", simple(&types));
            worker.new_text(&text).map(Done::Word)
        }),
        "describeConstable" => plain(super::unsupported),
        _ => None,
    }
}

/// Types as `MethodType` prints them.
pub(super) fn simple(types: &Descriptor) -> String {
    let short = |kind: &Type| {
        let name = kind.java();
        name.rsplit(['.', '$']).next().unwrap_or(&name).to_owned()
    };
    let parameters: Vec<String> = types.parameters.iter().map(short).collect();
    format!("({}){}", parameters.join(","), short(&types.result))
}

impl Worker {
    pub(super) fn references_of(&self, array: u32) -> Vec<u32> {
        let place = self.heap.place(&self.vm.base, array);
        (0..self.array_length(array)).map(|index| self.load_word(place, index)).collect()
    }

    /// The types that an object of java.lang.invoke.MethodType stands for.
    pub(super) fn types_of_object(&mut self, object: u32) -> Run<Descriptor> {
        if object == 0 {
            return Err(self.null_pointer());
        }
        let result = self.get(object, self.field_of(object, "rtype")?.slot);
        let array = self.get(object, self.field_of(object, "ptypes")?.slot);
        let parameters = self.references_of(array);
        let parameters = parameters.into_iter().map(|mirror| type_of_class(self.mirrored(mirror)));
        Ok(types(parameters.collect(), type_of_class(self.mirrored(result))))
    }

    /// An object of java.lang.invoke.MethodType: the library keeps one for equal types.
    pub fn method_type_object(&mut self, types: &Descriptor) -> Run<Done> {
        let class = self.class("java/lang/invoke/MethodType")?;
        self.initialise_library(class)?;
        let result = self.mirror_of_type(&types.result)?;
        let parameters = self.mirrors(&types.parameters)?;
        let make = "(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;";
        match class.declared("methodType", make) {
            Some(method) => Ok(Done::Call(method, vec![result, parameters])),
            None => self.unsupported("this JDK: MethodType without methodType"),
        }
    }

    pub(super) fn as_type(&mut self, handle: u32, wanted: &Descriptor) -> Run<u32> {
        let have = self.types_of_handle(handle)?;
        match self.retyped(handle, wanted)? {
            Some(made) => Ok(made),
            None => {
                let text =
                    format!("cannot convert MethodHandle{} to {}", simple(&have), simple(wanted));
                Err(self.throw("java/lang/invoke/WrongMethodTypeException", Some(&text)))
            }
        }
    }

    /// Calls a method handle; it is on the stack below its arguments.
    pub fn call_method_handle(
        &mut self,
        exact: bool,
        text: &str,
        descriptor: &Descriptor,
    ) -> Run<()> {
        let start = self.top.sp - descriptor.words - 1;
        let handle = self.stack[start];
        if handle == 0 {
            return Err(self.null_pointer());
        }
        let Some(call) = call_of(self.class_of(handle)) else {
            return self.unsupported("a method handle that the library made");
        };
        if &*call.text == text {
            return self.call(call);
        }
        if exact {
            let text =
                format!("expected {} but found {}", simple(&call.descriptor), simple(descriptor));
            return Err(self.throw("java/lang/invoke/WrongMethodTypeException", Some(&text)));
        }
        let adapted = self.as_type(handle, descriptor)?;
        let Some(call) = call_of(self.class_of(adapted)) else {
            return self.unsupported("a method handle of an unknown kind");
        };
        // If the instruction has to be executed again it finds the right types.
        self.stack[start] = adapted;
        self.call(call)
    }

    /// A handle with some arguments given.
    pub(super) fn bind(&mut self, handle: u32, at: usize, values: &[u32]) -> Run<Done> {
        let from = self.types_of_handle(handle)?;
        let Some(bound) = from.parameters.get(at..at + values.len()) else {
            return Err(self.bad_argument("too many values to insert"));
        };
        let bound = bound.to_vec();
        let mut words = vec![handle];
        for (kind, &value) in bound.iter().zip(values) {
            match kind {
                Type::Reference(name) => {
                    let class = self.class(name)?;
                    if value != 0 && !self.class_of(value).is_subtype_of(class) {
                        let text = format!(
                            "Cannot cast {} to {}",
                            self.class_of(value).get_name(),
                            class.get_name()
                        );
                        return Err(self.throw("java/lang/ClassCastException", Some(&text)));
                    }
                    words.push(value);
                }
                Type::Primitive(to) => {
                    if value == 0 {
                        return Err(self.null_pointer());
                    }
                    let bits = self
                        .unbox(value)?
                        .and_then(|(from, bits)| super::reflect::widen(from, *to, bits));
                    let Some(bits) = bits else {
                        let wrapper = self.class(crate::dynamic::wrapper(*to).0)?;
                        return Err(self.class_cast(value, wrapper));
                    };
                    words.push(bits as u32);
                    if kind.words() == 2 {
                        words.push((bits >> 32) as u32);
                    }
                }
            }
        }
        let mut parameters = from.parameters.clone();
        parameters.drain(at..at + values.len());
        let made = types(parameters, from.result.clone());
        let key = format!("bind{at}-{}{}", values.len(), text_of(&from));
        let mut parts = vec![handle_type()];
        parts.extend(bound.iter().cloned());
        let rest = made.parameters.len();
        let handle = self.new_method_handle(
            &key,
            &made,
            &parts,
            &|_, body| {
                body.part(0);
                body.arguments(0..at);
                (0..bound.len()).for_each(|index| body.part(1 + index));
                body.arguments(at..rest);
                body.call(&from);
                body.give();
                Ok(())
            },
            &words,
        )?;
        Ok(Done::Word(handle))
    }
}
