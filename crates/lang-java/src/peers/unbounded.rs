//! `org.sosy_lab.sv_benchmarks.Verifier`: values that may be any of their type. Those are tried that are likely to matter: the ends of
//! the type, small numbers, and what the code that asks, and that the program begins with, compares with. That finds errors and
//! proves nothing, which the search is told.

use super::{Done, Peer, plain};
use crate::classfile::Const;
use crate::code::op;
use crate::link::Class;
use crate::vm::{Run, Worker};

/// The most values that are tried of each type.
const MOST: usize = 40;

pub(super) fn find(name: &str, descriptor: &str) -> Option<Peer> {
    match (name, descriptor) {
        ("nondetInt", "()I") => plain(|worker, _| {
            let mut values = integers(worker)?;
            values.retain(|&value| i32::try_from(value).is_ok());
            let chosen = one_of(worker, &values, "only some values of int are tried")?;
            Ok(Done::Word(chosen as i32 as u32))
        }),
        ("nondetLong", "()J") => plain(|worker, _| {
            let mut values = integers(worker)?;
            values.extend([i64::MIN, i64::MAX]);
            let chosen = one_of(worker, &values, "only some values of long are tried")?;
            Ok(Done::Long(chosen as u64))
        }),
        ("nondetFloat", "()F") => plain(|worker, _| {
            let values: Vec<f32> = reals(worker)?.into_iter().map(|value| value as f32).collect();
            let chosen = one_of(worker, &values, "only some values of float are tried")?;
            Ok(Done::Word(chosen.to_bits()))
        }),
        ("nondetDouble", "()D") => plain(|worker, _| {
            let values = reals(worker)?;
            let chosen = one_of(worker, &values, "only some values of double are tried")?;
            Ok(Done::Long(chosen.to_bits()))
        }),
        ("nondetString", "()Ljava/lang/String;") => plain(|worker, _| {
            let values = texts(worker)?;
            let index: Vec<usize> = (0..values.len()).collect();
            let chosen = one_of(worker, &index, "only some values of String are tried")?;
            worker.new_string(&values[chosen]).map(Done::Word)
        }),
        _ => None,
    }
}

fn one_of<T: Copy>(worker: &mut Worker, values: &[T], why: &'static str) -> Run<T> {
    worker.left_out = Some(why);
    let chosen = worker.choose(values.len() as u32)?;
    Ok(values[chosen as usize])
}

/// The classes whose constants are looked at: the same ones whatever was done before.
fn classes(worker: &Worker) -> Run<Vec<&'static Class>> {
    let main = worker.vm.main.split(' ').next().unwrap_or_default().replace('.', "/");
    let mut found = vec![worker.top.method.class];
    let main = worker.class(&main)?;
    if !std::ptr::eq(main, found[0]) {
        found.push(main);
    }
    Ok(found)
}

/// Adds what is new, up to as many as are tried.
fn add<T: PartialEq>(values: &mut Vec<T>, value: T) {
    if values.len() < MOST && !values.contains(&value) {
        values.push(value);
    }
}

fn constants(class: &'static Class) -> impl Iterator<Item = Const> {
    let file = class.file.as_ref();
    let entries = file.map_or(0, |file| file.pool.len() as u16);
    (0..entries).filter_map(move |index| file.map(|file| file.pool.get(index)))
}

fn integers(worker: &Worker) -> Run<Vec<i64>> {
    let mut values: Vec<i64> = vec![0, 1, -1, i64::from(i32::MAX), i64::from(i32::MIN)];
    let mut near = |value: i64| {
        for value in [value, value.saturating_add(1), value.saturating_sub(1)] {
            add(&mut values, value);
        }
    };
    for class in classes(worker)? {
        for method in &class.linked().methods {
            let Ok(code) = method.code() else { continue };
            for insn in code.insns.iter().filter(|insn| insn.op == op::ICONST) {
                near(i64::from(insn.b as i32));
            }
        }
        for constant in constants(class) {
            match constant {
                Const::Integer(value) => near(i64::from(value as i32)),
                Const::Long(value) => near(value as i64),
                _ => {}
            }
        }
    }
    Ok(values)
}

fn reals(worker: &Worker) -> Run<Vec<f64>> {
    let mut values = vec![0.0, 1.0, -1.0, 0.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    for class in classes(worker)? {
        for constant in constants(class) {
            let value = match constant {
                Const::Double(bits) => f64::from_bits(bits),
                Const::Float(bits) => f64::from(f32::from_bits(bits)),
                _ => continue,
            };
            for value in [value, value + 1.0, value - 1.0] {
                add(&mut values, value);
            }
        }
    }
    for value in integers(worker)? {
        add(&mut values, value as f64);
    }
    Ok(values)
}

fn texts(worker: &Worker) -> Run<Vec<Vec<u16>>> {
    let text = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
    let mut values = vec![text(""), text("a"), text("abc")];
    for class in classes(worker)? {
        let Some(file) = &class.file else { continue };
        for constant in constants(class) {
            if let Const::String(index) = constant
                && let Ok(chars) = file.pool.chars(&file.bytes, index)
            {
                add(&mut values, chars);
            }
        }
    }
    Ok(values)
}
