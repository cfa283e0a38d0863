//! `org.sosy_lab.sv_benchmarks.Verifier`: values that may be any of their type. Those are tried that are likely to matter: the ends of
//! the type, small numbers, and what the classes of the program compare with. That finds errors and proves nothing, which the
//! search is told.

use super::{Done, Peer, plain};
use crate::classfile::Const;
use crate::code::op;
use crate::link::Class;
use crate::vm::{Run, Worker};

/// The most values that are tried of each type.
const MOST: usize = 64;

/// The most texts that are tried because of others.
const MOST_VARIED: usize = 32;

/// Longer texts are not made of shorter ones.
const PADDED: i64 = 64;

/// How long texts of one letter are.
const REPEATED: usize = 8;

/// The most classes whose constants are looked at.
const MOST_CLASSES: usize = 500;

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
            // The last one is nothing as an int.
            values.extend([i64::MIN, i64::MAX, 1 << 32]);
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
    worker.leave_out(why);
    let chosen = worker.choose(values.len() as u32)?;
    Ok(values[chosen as usize])
}

/// The classes whose constants are looked at: the one that asks, that of `main`, and all others of the program that
/// these lead to. They are the same ones whatever was done before.
fn classes(worker: &Worker) -> Run<Vec<&'static Class>> {
    let vm = &worker.vm;
    let all = vm.program_classes.get_or_init(|| {
        let main = vm.main.split(' ').next().unwrap_or_default().replace('.', "/");
        let mut found: Vec<&'static Class> = vm.registry.class(&main).into_iter().collect();
        let mut looked = 0;
        while let Some(&class) = found.get(looked).filter(|_| looked < MOST_CLASSES) {
            looked += 1;
            for name in named_classes(class) {
                // What is not there, or damaged, has no constants.
                let Ok(other) = vm.registry.class(&name) else { continue };
                if !other.library && !found.contains(&other) {
                    found.push(other);
                }
            }
        }
        found
    });
    let first = worker.top.method.class;
    let others = all.iter().copied().filter(|&class| class != first);
    Ok(std::iter::once(first).chain(others).collect())
}

/// The classes of the program that a class names.
fn named_classes(class: &'static Class) -> Vec<Box<str>> {
    let Some(file) = &class.file else { return Vec::new() };
    let indices = 0..file.pool.len() as u16;
    let names = indices.filter_map(|index| file.pool.class_name(&file.bytes, index).ok());
    let names = names
        .map(|name| name.trim_start_matches('['))
        .map(|name| name.strip_prefix('L').and_then(|name| name.strip_suffix(';')).unwrap_or(name));
    names.filter(|name| !is_ours(name)).map(Into::into).collect()
}

/// Whether a class is one of those that drivers call.
fn is_ours(class: &str) -> bool {
    let ours = ["java/", "everypath/", "gov/nasa/jpf/", "org/sosy_lab/", "org/junit/"];
    ours.iter().any(|prefix| class.starts_with(prefix))
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

pub(super) fn integers(worker: &Worker) -> Run<Vec<i64>> {
    let mut values: Vec<i64> = vec![0, 1, -1, i64::from(i32::MAX), i64::from(i32::MIN)];
    let mut near = |value: i64| {
        for value in [value, value.saturating_add(1), value.saturating_sub(1)] {
            add(&mut values, value);
        }
    };
    for class in classes(worker)? {
        // Those that are too large for instructions are seldom there by chance.
        for constant in constants(class) {
            match constant {
                Const::Integer(value) => near(i64::from(value as i32)),
                Const::Long(value) => near(value as i64),
                // The bounds of a text.
                Const::String(index) => {
                    let chars = class.file.as_ref().map(|file| file.pool.chars(&file.bytes, index));
                    if let Some(Ok(chars)) = chars {
                        near(chars.len() as i64);
                    }
                }
                _ => {}
            }
        }
        for method in &class.linked().methods {
            let Ok(code) = method.code() else { continue };
            for insn in code.insns.iter() {
                match insn.op {
                    op::ICONST | op::LCONST => near(i64::from(insn.b as i32)),
                    _ => {}
                }
            }
            let cases = code.switches.iter().flat_map(|switch| &switch.cases);
            cases.for_each(|&(key, _)| near(i64::from(key)));
        }
    }
    Ok(values)
}

pub(super) fn reals(worker: &Worker) -> Run<Vec<f64>> {
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
    // What lies between two constants, however close they are.
    let mut known: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    known.sort_by(f64::total_cmp);
    for pair in known.windows(2) {
        add(&mut values, pair[0] + (pair[1] - pair[0]) / 2.0);
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
    for variant in variants(&values[3..], &integers(worker)?) {
        if values.len() < MOST_VARIED {
            add(&mut values, variant);
        }
    }
    Ok(values)
}

/// Texts that have to do with constants: in other letters, with something before or behind them, as long as some number
/// says; numbers as texts, and letters that a text may consist of.
fn variants(constants: &[Vec<u16>], numbers: &[i64]) -> Vec<Vec<u16>> {
    let text = |text: String| text.encode_utf16().collect::<Vec<u16>>();
    let mut found = Vec::new();
    for constant in constants {
        let whole = String::from_utf16_lossy(constant);
        let (small, large) = (whole.to_lowercase(), whole.to_uppercase());
        found.extend([text(small), text(large), text(format!("a{whole}")), text(whole + "a")]);
        for &length in numbers {
            if (constant.len() as i64 + 2..PADDED).contains(&length) {
                let mut padded = constant.clone();
                padded.resize(length as usize, u16::from(b'a'));
                found.push(padded);
            }
        }
    }
    let letters = numbers.iter().filter(|&&number| (0x20..0x7f).contains(&number));
    found.extend(letters.map(|&letter| vec![letter as u16; REPEATED]));
    found.extend(numbers.iter().skip(1).map(|number| text(number.to_string())));
    found
}
