//! Method handles that are made of others.

use super::super::{Args, Done, Peer, plain};
use super::values::{constant, explicit_cast, invoker, of_array, simple_value, throwing};
use crate::code::{Handler, Type, op};
use crate::dynamic::{handle_type, text_of, type_of_class, types};
use crate::vm::{Run, Worker};

pub(super) fn find(name: &str, descriptor: &str) -> Option<Peer> {
    match name {
        "insertArguments" => plain(|worker, args| {
            let array = args.word(2);
            if array == 0 {
                return Err(worker.null_pointer());
            }
            let values = worker.references_of(array);
            worker.bind(args.word(0), args.word(1) as usize, &values)
        }),
        "dropArguments0" => plain(|worker, args| {
            // The list is one of an array.
            let field = worker.field_of(args.word(2), "a")?;
            let array = worker.get(args.word(2), field.slot);
            let dropped: Vec<Type> = worker
                .references_of(array)
                .into_iter()
                .map(|mirror| type_of_class(worker.mirrored(mirror)))
                .collect();
            drop_arguments(worker, args.word(0), args.word(1) as usize, &dropped)
        }),
        "permuteArguments" => plain(permute),
        "filterArguments" => plain(filter_arguments),
        "filterReturnValue" => plain(filter_result),
        "foldArguments" if descriptor.contains(";I") => {
            plain(|worker, args| fold(worker, args.word(0), args.word(1) as usize, args.word(2)))
        }
        "foldArguments" => plain(|worker, args| fold(worker, args.word(0), 0, args.word(1))),
        "collectArguments" => plain(collect_arguments),
        "guardWithTest" => plain(guard),
        "catchException" => plain(catch),
        "tryFinally" => {
            plain(|worker, args| worker.finally_handle(args.word(0), args.word(1)).map(Done::Word))
        }
        "constant" => plain(constant),
        "identity" | "zero" => plain(simple_value),
        "throwException" => plain(throwing),
        "arrayElementGetter" | "arrayElementSetter" | "arrayLength" | "arrayConstructor" => {
            plain(of_array)
        }
        "exactInvoker" | "invoker" => plain(invoker),
        "explicitCastArguments" => plain(explicit_cast),
        "loop"
        | "whileLoop"
        | "doWhileLoop"
        | "countedLoop"
        | "iteratedLoop"
        | "tableSwitch"
        | "spreadInvoker"
        | "varHandleInvoker"
        | "varHandleExactInvoker" => plain(super::super::unsupported),
        _ => None,
    }
}

fn drop_arguments(worker: &mut Worker, target: u32, at: usize, dropped: &[Type]) -> Run<Done> {
    let from = worker.types_of_handle(target)?;
    if at > from.parameters.len() {
        return Err(worker.bad_argument("no argument type to append"));
    }
    let mut parameters = from.parameters.clone();
    parameters.splice(at..at, dropped.iter().cloned());
    let made = types(parameters, from.result.clone());
    let key = format!("drop{at}{}{}", text_of(&made), text_of(&from));
    let (behind, count) = (at + dropped.len(), made.parameters.len());
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[handle_type()],
        &|_, body| {
            body.part(0);
            body.arguments(0..at);
            body.arguments(behind..count);
            body.call(&from);
            body.give();
            Ok(())
        },
        &[target],
    )?;
    Ok(Done::Word(handle))
}

fn permute(worker: &mut Worker, args: &Args) -> Run<Done> {
    let from = worker.types_of_handle(args.word(0))?;
    let made = worker.types_of_object(args.word(1))?;
    if args.word(2) == 0 {
        return Err(worker.null_pointer());
    }
    let order: Vec<usize> =
        worker.references_of(args.word(2)).into_iter().map(|index| index as usize).collect();
    let fits = order.len() == from.parameters.len()
        && from.result == made.result
        && order.iter().zip(&from.parameters).all(|(&i, to)| made.parameters.get(i) == Some(to));
    if !fits {
        return Err(worker.bad_argument("bad reorder array"));
    }
    let key = format!("permute{order:?}{}{}", text_of(&made), text_of(&from));
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[handle_type()],
        &|_, body| {
            body.part(0);
            order.iter().for_each(|&index| body.argument(index));
            body.call(&from);
            body.give();
            Ok(())
        },
        &[args.word(0)],
    )?;
    Ok(Done::Word(handle))
}

fn filter_arguments(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (target, at, array) = (args.word(0), args.word(1) as usize, args.word(2));
    let from = worker.types_of_handle(target)?;
    if array == 0 {
        return Err(worker.null_pointer());
    }
    let filters = worker.references_of(array);
    if at + filters.len() > from.parameters.len() {
        return Err(worker.bad_argument("too many filters"));
    }
    let mut parameters = from.parameters.clone();
    let mut kinds = Vec::new();
    let mut words = vec![target];
    for (index, &filter) in filters.iter().enumerate() {
        if filter == 0 {
            kinds.push(None);
            continue;
        }
        let of = worker.types_of_handle(filter)?;
        let [parameter] = &of.parameters[..] else {
            return Err(worker.bad_argument("target and filter types do not match"));
        };
        if of.result != from.parameters[at + index] {
            return Err(worker.bad_argument("target and filter types do not match"));
        }
        parameters[at + index] = parameter.clone();
        words.push(filter);
        kinds.push(Some(of));
    }
    let made = types(parameters, from.result.clone());
    let filters: Vec<String> =
        kinds.iter().map(|kind| kind.as_ref().map_or("-".to_owned(), text_of)).collect();
    let key = format!("filter{at}{}{}", filters.concat(), text_of(&from));
    let handle = worker.new_method_handle(
        &key,
        &made,
        &vec![handle_type(); words.len()],
        &|_, body| {
            body.part(0);
            let mut part = 1;
            for index in 0..from.parameters.len() {
                let filter = index.checked_sub(at).and_then(|i| kinds.get(i)?.as_ref());
                match filter {
                    Some(of) => {
                        body.part(part);
                        part += 1;
                        body.argument(index);
                        body.call(of);
                    }
                    None => body.argument(index),
                }
            }
            body.call(&from);
            body.give();
            Ok(())
        },
        &words,
    )?;
    Ok(Done::Word(handle))
}

fn filter_result(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (target, filter) = (args.word(0), args.word(1));
    let (from, of) = (worker.types_of_handle(target)?, worker.types_of_handle(filter)?);
    let fits = match &of.parameters[..] {
        [] => from.result == Type::Primitive(b'V'),
        [one] => *one == from.result,
        _ => false,
    };
    if !fits {
        return Err(worker.bad_argument("target and filter types do not match"));
    }
    let made = types(from.parameters.clone(), of.result.clone());
    let key = format!("result{}{}", text_of(&from), text_of(&of));
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[handle_type(), handle_type()],
        &|_, body| {
            body.part(1);
            body.part(0);
            body.arguments(0..from.parameters.len());
            body.call(&from);
            body.call(&of);
            body.give();
            Ok(())
        },
        &[target, filter],
    )?;
    Ok(Done::Word(handle))
}

fn fold(worker: &mut Worker, target: u32, at: usize, combiner: u32) -> Run<Done> {
    let (from, of) = (worker.types_of_handle(target)?, worker.types_of_handle(combiner)?);
    let given = usize::from(of.result != Type::Primitive(b'V'));
    let mut parameters = from.parameters.clone();
    let fits = at + given <= parameters.len() && (given == 0 || parameters[at] == of.result);
    if fits {
        parameters.drain(at..at + given);
    }
    if !fits || parameters.get(at..at + of.parameters.len()) != Some(&of.parameters[..]) {
        return Err(worker.bad_argument("target and combiner types do not match"));
    }
    let made = types(parameters, from.result.clone());
    let key = format!("fold{at}{}{}", text_of(&from), text_of(&of));
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[handle_type(), handle_type()],
        &|_, body| {
            body.part(0);
            body.arguments(0..at);
            body.part(1);
            body.arguments(at..at + of.parameters.len());
            body.call(&of);
            body.arguments(at..made.parameters.len());
            body.call(&from);
            body.give();
            Ok(())
        },
        &[target, combiner],
    )?;
    Ok(Done::Word(handle))
}

fn collect_arguments(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (target, at, filter) = (args.word(0), args.word(1) as usize, args.word(2));
    let (from, of) = (worker.types_of_handle(target)?, worker.types_of_handle(filter)?);
    let given = usize::from(of.result != Type::Primitive(b'V'));
    let fits =
        at + given <= from.parameters.len() && (given == 0 || from.parameters[at] == of.result);
    if !fits {
        return Err(worker.bad_argument("target and filter types do not match"));
    }
    let mut parameters = from.parameters.clone();
    parameters.splice(at..at + given, of.parameters.iter().cloned());
    let made = types(parameters, from.result.clone());
    let key = format!("gather{at}{}{}", text_of(&from), text_of(&of));
    let behind = at + of.parameters.len();
    let handle = worker.new_method_handle(
        &key,
        &made,
        &[handle_type(), handle_type()],
        &|_, body| {
            body.part(0);
            body.arguments(0..at);
            body.part(1);
            body.arguments(at..behind);
            body.call(&of);
            body.arguments(behind..made.parameters.len());
            body.call(&from);
            body.give();
            Ok(())
        },
        &[target, filter],
    )?;
    Ok(Done::Word(handle))
}

fn guard(worker: &mut Worker, args: &Args) -> Run<Done> {
    let [test, target, fallback] = [args.word(0), args.word(1), args.word(2)];
    let (asks, from) = (worker.types_of_handle(test)?, worker.types_of_handle(target)?);
    let other = worker.types_of_handle(fallback)?;
    let prefix = from.parameters.get(..asks.parameters.len());
    if from != other || prefix != Some(&asks.parameters[..]) || asks.result != Type::Primitive(b'Z')
    {
        return Err(worker.bad_argument("target and fallback types must match"));
    }
    let key = format!("guard{}{}", text_of(&asks), text_of(&from));
    let handle = worker.new_method_handle(
        &key,
        &from,
        &[handle_type(), handle_type(), handle_type()],
        &|_, body| {
            body.part(0);
            body.arguments(0..asks.parameters.len());
            body.call(&asks);
            let jump = body.code.jump(op::IFEQ);
            for part in [1, 2] {
                body.part(part);
                body.arguments(0..from.parameters.len());
                body.call(&from);
                body.give();
                if part == 1 {
                    body.code.land(jump);
                }
            }
            Ok(())
        },
        &[test, target, fallback],
    )?;
    Ok(Done::Word(handle))
}

fn catch(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (target, handler) = (args.word(0), args.word(2));
    let caught = worker.given_class(args.word(1))?;
    let (from, of) = (worker.types_of_handle(target)?, worker.types_of_handle(handler)?);
    let passed = of.parameters.len().checked_sub(1);
    let fits = of.result == from.result
        && passed.is_some_and(|count| from.parameters.get(..count) == Some(&of.parameters[1..]));
    if !fits {
        return Err(worker.bad_argument("target and handler types must match"));
    }
    let key = format!("catch{}{}{}", caught.name, text_of(&from), text_of(&of));
    let handle = worker.new_method_handle(
        &key,
        &from,
        &[handle_type(), handle_type()],
        &|worker, body| {
            let start = body.code.insns.len() as u32;
            body.part(0);
            body.arguments(0..from.parameters.len());
            body.call(&from);
            let end = body.code.insns.len() as u32;
            body.give();
            let target = body.code.insns.len() as u32;
            let class = body.code.class_constant(caught);
            body.code.handlers.push(Handler { start, end, target, class });
            body.part(1);
            body.code.plain(op::SWAP);
            worker.convert_value(body.code, &type_of_class(caught), &of.parameters[0])?;
            body.arguments(0..of.parameters.len() - 1);
            body.call(&of);
            body.give();
            Ok(())
        },
        &[target, handler],
    )?;
    Ok(Done::Word(handle))
}
