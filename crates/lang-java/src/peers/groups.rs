//! java.lang.ThreadGroup. Who belongs to a group is told by the threads that are alive; the group itself does not
//! keep them, so that the order in which threads begin and end makes no other states.

use super::{Args, Done, Peer, plain};
use crate::heap::ELEMENTS;
use crate::vm::{Run, Worker, header};

pub(super) fn group(name: &str, descriptor: &str) -> Option<Peer> {
    match name {
        "add" if descriptor == "(Ljava/lang/ThreadGroup;)V" => None,
        "addUnstarted" | "add" => plain(|worker, args| {
            let destroyed = worker.field_of(args.word(0), "destroyed")?;
            if worker.get(args.word(0), destroyed.slot) != 0 {
                return Err(worker.throw("java/lang/IllegalThreadStateException", None));
            }
            Ok(Done::Void)
        }),
        "threadStartFailed" | "checkAccess" => plain(|_, _| Ok(Done::Void)),
        "uncaughtException" => plain(super::thread::reach_group),
        "threadTerminated" => plain(terminated),
        "setDaemon" => plain(|worker, args| match args.word(1) {
            0 => Ok(Done::Bytecode),
            _ => worker.unsupported("a group of threads that is destroyed with its last one"),
        }),
        "activeCount" => plain(active_count),
        "enumerate" if descriptor.starts_with("([Ljava/lang/Thread;") => plain(enumerate),
        "interrupt" | "stopOrSuspend" | "resume" | "destroy" => plain(with_members),
        "list" if descriptor.starts_with("(Ljava/io/") => plain(with_members),
        _ => None,
    }
}

/// The last that a thread does before it ends: it leaves its group.
fn terminated(worker: &mut Worker, args: &Args) -> Run<Done> {
    worker.shows()?;
    let group = worker.field_of(args.word(1), "group")?;
    worker.set(args.word(1), group.slot, 0);
    Ok(Done::Void)
}

fn active_count(worker: &mut Worker, args: &Args) -> Run<Done> {
    if !worker.chooses() {
        worker.note_look()?;
    }
    let members = members(worker, args.word(0), true)?;
    // When the main thread has ended, the virtual machine has a thread that waits for all others, in a moment.
    let waits = u32::from(main_has_ended(worker)? && is_main_group(worker, args.word(0))?);
    let more = worker.choose(1 + waits)?;
    Ok(Done::Word(members.len() as u32 + more))
}

fn enumerate(worker: &mut Worker, args: &Args) -> Run<Done> {
    if args.word(1) == 0 {
        return Err(worker.null_pointer());
    }
    // The private method of this name also says how many it has found.
    if args.method.words > 3 {
        return worker.unsupported(args.method.full_name());
    }
    worker.note_look()?;
    if main_has_ended(worker)? && is_main_group(worker, args.word(0))? {
        return worker.unsupported("the threads of the main group when the main thread has ended");
    }
    let deep = args.method.words < 3 || args.word(2) != 0;
    let members = members(worker, args.word(0), deep)?;
    let room = worker.array_length(args.word(1)) as usize;
    for (index, &member) in members.iter().take(room).enumerate() {
        worker.set_reference(args.word(1), ELEMENTS + index as u32, member);
    }
    Ok(Done::Word(members.len().min(room) as u32))
}

/// Methods that go through all members of a group: what the group would keep is made for them.
fn with_members(worker: &mut Worker, args: &Args) -> Run<Done> {
    let object = args.word(0);
    let (list, count) = (worker.field_of(object, "threads")?, worker.field_of(object, "nthreads")?);
    worker.frees(list)?;
    worker.frees(count)?;
    worker.note_look()?;
    let members = members(worker, object, false)?;
    let class = worker.class("[Ljava/lang/Thread;")?;
    let array = worker.new_references(class, &members)?;
    worker.set_reference(object, list.slot, array);
    worker.set(object, count.slot, members.len() as u32);
    Ok(Done::Bytecode)
}

/// The threads that are alive in a group, and in those below it if `deep`.
fn members(worker: &Worker, group: u32, deep: bool) -> Run<Vec<u32>> {
    let parent = worker.field_of(group, "parent")?;
    if worker.get(group, parent.slot) == 0 {
        return worker.unsupported("the threads of the system group");
    }
    let mut found = Vec::new();
    for thread in (0..worker.threads.len()).filter(|&thread| worker.is_alive(thread)) {
        let object = worker.thread(thread, header::OBJECT);
        let mut of = worker.get(object, worker.field_of(object, "group")?.slot);
        while deep && of != 0 && of != group {
            of = worker.get(of, parent.slot);
        }
        if of == group {
            found.push(object);
        }
    }
    Ok(found)
}

/// Whether the main thread, which has the first number, is gone.
fn main_has_ended(worker: &Worker) -> Run<bool> {
    for thread in (0..worker.threads.len()).filter(|&thread| worker.is_alive(thread)) {
        let object = worker.thread(thread, header::OBJECT);
        if worker.get_long(object, worker.field_of(object, "tid")?.slot) == 1 {
            return Ok(worker.get(object, worker.field_of(object, "group")?.slot) == 0);
        }
    }
    Ok(true)
}

fn is_main_group(worker: &mut Worker, group: u32) -> Run<bool> {
    Ok(worker.main_group()? == group)
}
