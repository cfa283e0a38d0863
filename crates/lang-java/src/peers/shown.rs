//! Methods of the library that give what the outside decided, now or when the object was made. Each of them goes on
//! with its own code.

use super::{Args, Done, Peer, plain};
use crate::classfile::flags;
use crate::code::op;
use crate::library::is_supplied;
use crate::link::Method;
use crate::vm::{Outside, Run, Worker};

pub(super) fn find(class: &str, name: &str) -> Option<Peer> {
    match (class, name) {
        // When the record was made, or the task begins.
        ("java/util/logging/LogRecord", "getMillis" | "getInstant")
        | ("java/util/TimerTask", "scheduledExecutionTime") => plain(|worker, _| {
            worker.look_outside(Outside::Clock, "a clock")?;
            Ok(Done::Bytecode)
        }),
        // Formats begin with the time when they were made, and take years of two digits to be close to it.
        ("java/text/DateFormat", "getCalendar")
        | ("java/text/SimpleDateFormat", "get2DigitYearStart") => plain(|worker, _| {
            worker.look_outside(Outside::Clock, "a clock")?;
            Ok(Done::Bytecode)
        }),
        ("java/text/SimpleDateFormat", "parse") => plain(|worker, args| {
            let pattern = worker.get(args.word(0), worker.field_of(args.word(0), "pattern")?.slot);
            let pattern = worker.text_of(pattern)?;
            let years = pattern.split(|letter| letter != 'y' && letter != 'Y');
            if years.into_iter().any(|year| matches!(year.len(), 1 | 2)) {
                worker.look_outside(Outside::Clock, "a clock")?;
            }
            Ok(Done::Bytecode)
        }),
        // Those of the virtual machine are among them.
        ("java/lang/Thread", "getAllStackTraces") => plain(|worker, _| {
            worker.look_outside(Outside::Machine, "the threads of the virtual machine")?;
            Ok(Done::Bytecode)
        }),
        // Numbers tell threads apart; which ones they are depends on how many threads the virtual machine has.
        ("java/lang/Thread", "getId") => plain(|worker, args| {
            let number = worker.field_of(args.word(0), "tid")?;
            let is_first = worker.get_long(args.word(0), number.slot) == 1;
            let counts =
                next_op(worker).is_some_and(|op| matches!(op, op::LCONST | op::LDC2 | op::L2I));
            if counts && !is_first {
                worker.look_outside(Outside::Identity, "the number of a thread")?;
            }
            Ok(Done::Bytecode)
        }),
        // Addresses are a part of the names of lambda expressions, and proxies are counted.
        ("java/lang/Class", "getName" | "getSimpleName") => plain(|worker, args| {
            if worker.given_class(args.word(0))?.hidden {
                let what = "a name that the virtual machine gives to a class";
                worker.look_outside(Outside::Identity, what)?;
            }
            Ok(Done::Bytecode)
        }),
        ("java/lang/Class", "getMethods" | "getDeclaredMethods") => {
            plain(|worker, args| members(worker, args, |method| !method.name.starts_with('<')))
        }
        ("java/lang/Class", "getConstructors" | "getDeclaredConstructors") => {
            plain(|worker, args| members(worker, args, |method| &*method.name == "<init>"))
        }
        _ => None,
    }
}

/// The order of methods is another one in each release, and may be one in each run.
fn members(worker: &mut Worker, args: &Args, wanted: fn(&Method) -> bool) -> Run<Done> {
    // Whoever executes tests may do so in any order.
    if is_supplied(&worker.top.method.class.name) {
        return Ok(Done::Bytecode);
    }
    let class = worker.given_class(args.word(0))?;
    let all = args.method.name.starts_with("getDeclared");
    let inherits = !all && &*args.method.name == "getMethods";
    let mut count = 0;
    for method in &class.linked().methods {
        count += usize::from(wanted(method) && (all || method.is(flags::PUBLIC)));
    }
    if (inherits || count > 1) && next_op(worker) != Some(op::ARRAYLENGTH) {
        worker.look_outside(Outside::Order, "the order of methods or constructors")?;
    }
    Ok(Done::Bytecode)
}

/// The instruction behind the call.
fn next_op(worker: &Worker) -> Option<u8> {
    worker.top.code.insns.get(worker.top.pc as usize + 1).map(|insn| insn.op)
}
