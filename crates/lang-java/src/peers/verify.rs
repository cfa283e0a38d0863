//! everypath.Verify: choices, assumptions and atomic regions.

use super::{Args, Done, Peer, plain};
use crate::vm::{Run, Trap, Worker, header};

/// The most alternatives of one choice.
const MOST: i64 = 1 << 20;

/// The classes with methods that are answered here.
pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match class {
        "everypath/Verify" => own(name, descriptor),
        "gov/nasa/jpf/vm/Verify" => classic(name, descriptor),
        "org/sosy_lab/sv_benchmarks/Verifier" => super::unbounded::find(name, descriptor),
        "gov/nasa/jpf/util/test/TestJPF" if name == "isJPFRun" => {
            plain(|_, _| Ok(Done::bool(true)))
        }
        _ => None,
    }
}

/// The names of Java PathFinder, whatever class file comes with the program.
fn classic(name: &str, descriptor: &str) -> Option<Peer> {
    match (name, descriptor) {
        ("getInt", "(II)I") => plain(|worker, args| {
            let (a, b) = (args.int(0), args.int(1));
            between(worker, a.min(b), a.max(b))
        }),
        ("random", "(I)I") => plain(|worker, args| between(worker, 0, args.int(0))),
        ("getBoolean" | "randomBool", _) => {
            plain(|worker, _| Ok(Done::bool(worker.choose(2)? == 1)))
        }
        (
            "getIntFromList" | "getLongFromList" | "getFloatFromList" | "getDoubleFromList"
            | "getObjectFromList",
            _,
        ) => plain(one_of),
        ("ignoreIf", "(Z)V") => plain(|_, args| match args.word(0) {
            0 => Ok(Done::Void),
            _ => Err(Trap::Pruned),
        }),
        ("beginAtomic", "()V") => plain(|worker, _| enter_region(worker, STRICT)),
        ("endAtomic", "()V") => plain(leave_region),
        ("isRunningInJPF" | "vmIsMatchingStates", _) => plain(|_, _| Ok(Done::bool(true))),
        ("notKnownInOneRun", _) => plain(|worker, args| {
            let what = worker.text_of(args.word(0))?;
            let why = "which is known of a whole search and not of one run";
            worker.unsupported(format!("Verify.{what}, {why}"))
        }),
        // A counter of the search: counting is fine as long as nobody asks.
        ("incrementCounter", "(I)I") => plain(|worker, _| {
            let behind = worker.top.code.insns.get(worker.top.pc as usize + 1);
            match behind.is_some_and(|insn| insn.op == crate::code::op::POP) {
                true => Ok(Done::Word(0)),
                false => worker.unsupported("a counter of the search"),
            }
        }),
        _ => None,
    }
}

fn own(name: &str, descriptor: &str) -> Option<Peer> {
    match (name, descriptor) {
        ("choose", "(II)I") => plain(choose),
        ("assume", "(Z)V") => plain(|_, args| match args.word(0) {
            0 => Err(Trap::Pruned),
            _ => Ok(Done::Void),
        }),
        ("beginAtomic", "()V") => plain(|worker, _| enter_region(worker, 0)),
        ("endAtomic", "()V") => plain(leave_region),
        ("isChecked", "()Z") => plain(|_, _| Ok(Done::bool(true))),
        _ => None,
    }
}

/// A region that no other thread runs in even if its thread waits.
pub(crate) const STRICT: u32 = 1 << 16;

fn enter_region(worker: &mut Worker, strict: u32) -> Run<Done> {
    worker.stops()?;
    let depth = worker.thread(worker.current, header::ATOMIC);
    worker.set_thread(worker.current, header::ATOMIC, (depth + 1) | strict);
    Ok(Done::Void)
}

fn leave_region(worker: &mut Worker, _: &Args) -> Run<Done> {
    let depth = worker.thread(worker.current, header::ATOMIC);
    let left = depth.saturating_sub(1);
    let left = if left & (STRICT - 1) == 0 { 0 } else { left };
    worker.set_thread(worker.current, header::ATOMIC, left);
    Ok(Done::Void)
}

fn choose(worker: &mut Worker, args: &Args) -> Run<Done> {
    between(worker, args.int(0), args.int(1))
}

fn between(worker: &mut Worker, low: i32, high: i32) -> Run<Done> {
    let count = i64::from(high) - i64::from(low) + 1;
    if count <= 0 {
        let text = format!("no number lies between {low} and {high}");
        return Err(worker.throw("java/lang/IllegalArgumentException", Some(&text)));
    }
    if count > MOST {
        return worker.unsupported(format!("a choice between {count} numbers"));
    }
    let chosen = worker.choose(count as u32)?;
    Ok(Done::Word(low.wrapping_add(chosen as i32) as u32))
}

/// Any element of an array.
fn one_of(worker: &mut Worker, args: &Args) -> Run<Done> {
    let array = args.word(0);
    if array == 0 {
        return Err(worker.null_pointer());
    }
    let length = worker.array_length(array);
    if length == 0 {
        return Err(worker.out_of_bounds(0, 0));
    }
    worker.touch(array)?;
    let index = worker.choose(length)?;
    let wide = worker.class_of(array).element_bytes() == 8;
    let place = worker.heap.place(&worker.vm.base, array);
    Ok(match wide {
        true => Done::Long(
            u64::from(worker.load_word(place, 2 * index))
                | u64::from(worker.load_word(place, 2 * index + 1)) << 32,
        ),
        false => Done::Word(worker.load_word(place, index)),
    })
}
