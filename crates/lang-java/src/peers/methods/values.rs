//! Method handles of values, arrays and calls, and handles of other types.

use super::super::{Args, Done};
use super::simple;
use crate::code::{Type, op};
use crate::dynamic::{element_op, handle_type, text_of, type_of_class, types};
use crate::vm::{Run, Worker};

/// `constant`: the identity with its argument given.
pub(super) fn constant(worker: &mut Worker, args: &Args) -> Run<Done> {
    let kind = type_of_class(worker.given_class(args.word(0))?);
    let identity = identity(worker, &kind)?;
    worker.bind(identity, 0, &[args.word(1)])
}

fn identity(worker: &mut Worker, kind: &Type) -> Run<u32> {
    let made = types(vec![kind.clone()], kind.clone());
    let key = format!("identity{}", text_of(&made));
    worker.new_method_handle(
        &key,
        &made,
        &[],
        &|_, body| {
            body.argument(0);
            body.give();
            Ok(())
        },
        &[],
    )
}

pub(super) fn simple_value(worker: &mut Worker, args: &Args) -> Run<Done> {
    if args.word(0) == 0 {
        return Err(worker.null_pointer());
    }
    let kind = type_of_class(worker.given_class(args.word(0))?);
    if &*args.method.name == "identity" {
        return identity(worker, &kind).map(Done::Word);
    }
    let made = types(Vec::new(), kind.clone());
    let key = format!("zero{}", text_of(&made));
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[],
        &|_, body| {
            body.code.zero(&kind);
            body.give();
            Ok(())
        },
        &[],
    )?;
    Ok(Done::Word(handle))
}

pub(super) fn throwing(worker: &mut Worker, args: &Args) -> Run<Done> {
    let result = type_of_class(worker.given_class(args.word(0))?);
    let thrown = type_of_class(worker.given_class(args.word(1))?);
    let made = types(vec![thrown], result);
    let key = format!("throw{}", text_of(&made));
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[],
        &|_, body| {
            body.argument(0);
            body.code.plain(op::ATHROW);
            Ok(())
        },
        &[],
    )?;
    Ok(Done::Word(handle))
}

pub(super) fn of_array(worker: &mut Worker, args: &Args) -> Run<Done> {
    if args.word(0) == 0 {
        return Err(worker.null_pointer());
    }
    let class = worker.given_class(args.word(0))?;
    let Some(element) = class.element() else {
        return Err(worker.bad_argument("not an array type"));
    };
    let (array, kind, int) = (type_of_class(class), type_of_class(element), Type::Primitive(b'I'));
    let void = Type::Primitive(b'V');
    let name = &*args.method.name;
    let made = match name {
        "arrayElementGetter" => types(vec![array, int], kind),
        "arrayElementSetter" => types(vec![array, int, kind], void),
        "arrayLength" => types(vec![array], int),
        _ => types(vec![int], array),
    };
    let key = format!("{name}{}", text_of(&made));
    let count = made.parameters.len();
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[],
        &|_, body| {
            body.arguments(0..count);
            match name {
                "arrayElementGetter" => body.code.plain(element_op(element, false)),
                "arrayElementSetter" => body.code.plain(element_op(element, true)),
                "arrayLength" => body.code.plain(op::ARRAYLENGTH),
                _ => body.code.new_array(element),
            }
            body.give();
            Ok(())
        },
        &[],
    )?;
    Ok(Done::Word(handle))
}

pub(super) fn invoker(worker: &mut Worker, args: &Args) -> Run<Done> {
    let types = worker.types_of_object(args.word(0))?;
    worker.invoker_of(&types, &*args.method.name == "exactInvoker").map(Done::Word)
}

pub(super) fn explicit_cast(worker: &mut Worker, args: &Args) -> Run<Done> {
    let from = worker.types_of_handle(args.word(0))?;
    let made = worker.types_of_object(args.word(1))?;
    if from.parameters.len() != made.parameters.len() {
        let text =
            format!("cannot explicitly cast MethodHandle{} to {}", simple(&from), simple(&made));
        return Err(worker.throw("java/lang/invoke/WrongMethodTypeException", Some(&text)));
    }
    let key = format!("cast{}{}", text_of(&from), text_of(&made));
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[handle_type()],
        &|worker, body| {
            body.part(0);
            for (index, to) in from.parameters.iter().enumerate() {
                body.argument(index);
                worker.cast_value(body.code, &made.parameters[index], to)?;
            }
            body.call(&from);
            worker.cast_value(body.code, &from.result, &made.result)?;
            body.give();
            Ok(())
        },
        &[args.word(0)],
    )?;
    Ok(Done::Word(handle))
}
