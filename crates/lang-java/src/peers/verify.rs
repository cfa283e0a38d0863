//! everypath.Verify: choices, assumptions and atomic regions.

use super::{Args, Done, Peer, plain};
use crate::vm::{Run, Trap, Worker, header};

/// The most alternatives of one choice.
const MOST: i64 = 1 << 20;

pub(super) fn find(name: &str, descriptor: &str) -> Option<Peer> {
    match (name, descriptor) {
        ("choose", "(II)I") => plain(choose),
        ("assume", "(Z)V") => plain(|_, args| match args.word(0) {
            0 => Err(Trap::Pruned),
            _ => Ok(Done::Void),
        }),
        ("beginAtomic", "()V") => plain(|worker, _| {
            worker.visible()?;
            let depth = worker.thread(worker.current, header::ATOMIC);
            worker.set_thread(worker.current, header::ATOMIC, depth + 1);
            Ok(Done::Void)
        }),
        ("endAtomic", "()V") => plain(|worker, _| {
            let depth = worker.thread(worker.current, header::ATOMIC);
            worker.set_thread(worker.current, header::ATOMIC, depth.saturating_sub(1));
            Ok(Done::Void)
        }),
        ("isChecked", "()Z") => plain(|_, _| Ok(Done::bool(true))),
        _ => None,
    }
}

fn choose(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (low, high) = (args.int(0), args.int(1));
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
