//! What native code leaves to Rust: the functions behind [`Call`]. They rely on what `runtime` says.
#![allow(unsafe_code)]

use everypath_machine::{ChannelType, FaultKind, Made, Move};
use everypath_model::{Action, ComponentMask, Fault};

use crate::context::{Call, Callback, Context};
use crate::runtime::{Host, general_moves, host_of, make_room, take_steps};

/// How many at least after some were endless.
const LEAST_BUDGET: u32 = 10_000;

/// In the order of [`Call`].
pub(crate) const ALL: [Callback; Call::COUNT] =
    [copy, offer, asserted, report, hold, fault, run, find, put, take, number, first_of];

/// An action as native code gives it.
fn action(packed: u64) -> Action {
    Action { process: packed as u32, transition: (packed >> 32) as u32 }
}

impl Host<'_> {
    /// A statement, or the receiving half of a rendezvous.
    fn one(&self, own: Action, mask: u64) -> Move {
        let (action, receive, sender) = match self.send {
            None => (own, None, 0),
            Some((send, sender)) => (send, Some(own), sender),
        };
        let changed = ComponentMask(mask | sender);
        Move { start: 0, end: 0, action, receive, holder: None, changed, fault: None }
    }
}

/// A statement is through after which only its process may move.
extern "C" fn hold(context: *mut Context, packed: u64, mask: u64, words: u64) -> u64 {
    // SAFETY: native code stands at this call; so many words of the target were written.
    unsafe {
        let host = host_of(context);
        let target = std::slice::from_raw_parts((*context).target, words as usize);
        let own = action(packed);
        let (actions, sender) = match host.send {
            None => ((own, None), 0),
            Some((send, sender)) => ((send, Some(own)), sender),
        };
        let changed = ComponentMask(mask | sender);
        host.worker.sequences.hold(target, actions, changed, own.process, host.within);
        host.moved = true;
    }
    0
}

/// A statement leads nowhere.
extern "C" fn fault(context: *mut Context, packed: u64, fault: u64, _: u64) -> u64 {
    // SAFETY: native code stands at this call and keeps no address of the room.
    unsafe {
        if fault as u32 >> 24 == FaultKind::StepLoop as u32 {
            (*context).patience = ((*context).patience / 10).max(LEAST_BUDGET);
        }
        // Assertions that failed before do not count any more.
        (*context).faults = 0;
        take_steps(context);
        let host = host_of(context);
        let changed = ComponentMask(0);
        let one = Move { fault: Some(Fault(fault as u32)), changed, ..host.one(action(packed), 0) };
        let state = std::slice::from_raw_parts(host.state, host.words);
        host.worker.sequences.deliver(state, &one, host.within, host.out);
        host.moved = true;
        make_room(context, 0);
    }
    0
}

extern "C" fn copy(_: *mut Context, target: u64, source: u64, words: u64) -> u64 {
    // SAFETY: native code copies a prefix of the source to the room.
    unsafe {
        std::ptr::copy_nonoverlapping(source as *const u32, target as *mut u32, words as usize);
    }
    0
}

/// Looks for processes that take the message in the context.
extern "C" fn offer(context: *mut Context, packed: u64, channel: u64, _: u64) -> u64 {
    let send = action(packed);
    let process = send.process as usize;
    // SAFETY: native code stands at this call and keeps no address of the room; afterwards there
    // is room again. The state between the halves stays in place while receivers read it.
    unsafe {
        let receivers = host_of(context).receivers(channel, process);
        if receivers.youngest_first().next().is_none() {
            return 0;
        }
        take_steps(context);
        let host = host_of(context);
        let machine = host.interpreter.machine();
        let slot = host.shape().processes[process];
        let (state, words, steps) = (host.state, host.words, host.steps);
        host.between.clear();
        host.between.extend_from_slice(std::slice::from_raw_parts(state, words));
        let target = machine.transitions[send.transition as usize].target;
        let between = &mut host.between[..];
        machine.head.location.set(&mut between[slot.offset as usize / 4..], i32::from(target));
        if let Some(last) = machine.last {
            last.set(&mut between[machine.hidden_words as usize..], process as i32);
        }
        host.state = between.as_ptr();
        host.send = Some((send, slot.mask));
        let moved = std::mem::replace(&mut host.moved, false);
        (*context).handshake = channel as i32 + 1;
        make_room(context, 0);
        for other in receivers.youngest_first() {
            general_moves(context, other);
        }
        take_steps(context);
        let host = host_of(context);
        let taken = std::mem::replace(&mut host.moved, moved);
        host.moved |= taken;
        host.state = state;
        host.send = None;
        host.steps = steps;
        make_room(context, 0);
        u64::from(taken)
    }
}

/// An assertion is false.
extern "C" fn asserted(context: *mut Context, site: u64, _: u64, _: u64) -> u64 {
    // SAFETY: native code stands at this call; the host is not borrowed elsewhere.
    unsafe {
        let host = host_of(context);
        if (*context).faults == 0 {
            host.faults.clear();
        }
        (*context).faults += 1;
        host.faults.push(Fault((FaultKind::Assertion as u32) << 24 | site as u32));
    }
    0
}

/// A statement is through in which assertions had failed: reports come before it.
extern "C" fn report(context: *mut Context, packed: u64, mask: u64, words: u64) -> u64 {
    // SAFETY: native code stands at this call and asks the context for the place of its target
    // afterwards, of which so many words were written.
    unsafe {
        let target = std::slice::from_raw_parts((*context).target, words as usize);
        let host = host_of(context);
        host.moved_target.clear();
        host.moved_target.extend_from_slice(target);
        take_steps(context);
        let host = host_of(context);
        let one = host.one(action(packed), mask);
        for fault in host.faults.drain(..) {
            let one = Move { fault: Some(fault), ..one };
            host.worker.sequences.deliver(host.moved_target, &one, host.within, host.out);
        }
        host.moved = true;
        (*context).faults = 0;
        put_back(context);
    }
    0
}

/// Gives native code room again, at the start of which is the target that was moved.
unsafe fn put_back(context: *mut Context) {
    // SAFETY: as for the caller; there is room for the target.
    unsafe {
        let words = host_of(context).moved_target.len();
        make_room(context, words);
        let source = host_of(context).moved_target.as_ptr();
        std::ptr::copy_nonoverlapping(source, (*context).target, words);
    }
}

/// Makes a process behind the target under construction.
extern "C" fn run(context: *mut Context, what: u64, site: u64, _: u64) -> u64 {
    // SAFETY: native code stands at this call and asks the context for the place of its target
    // afterwards, of which `target_words` were written.
    unsafe {
        let length = (*context).target_words as usize;
        let target = std::slice::from_raw_parts((*context).target, length);
        let host = host_of(context);
        host.moved_target.clear();
        host.moved_target.extend_from_slice(target);
        let count = (what >> 16 & 0xff) as usize;
        let made = Made {
            proctype: what as u16,
            arguments: &(&(*context).arguments)[..count],
            priority: (what >> 24) as u8,
            site: site as u32,
        };
        match host.interpreter.run(host.worker, host.moved_target, made) {
            Ok(pid) => {
                (*context).target_words = host.moved_target.len() as u64;
                take_steps(context);
                put_back(context);
                pid as u64
            }
            Err(fault) => {
                (*context).fault = fault.0;
                u64::MAX
            }
        }
    }
}

/// The class of a channel, for the calls that work on a record of it.
unsafe fn class<'h>(context: *mut Context, class: u64) -> &'h ChannelType {
    // SAFETY: as for the caller.
    unsafe { &host_of(context).compiled.facts.classes[class as usize] }
}

/// The oldest message that a pattern matches.
extern "C" fn find(context: *mut Context, kind: u64, record: u64, pattern: u64) -> u64 {
    // SAFETY: the record is one of this class in a vector that nobody writes during the call.
    unsafe {
        let ty = class(context, kind);
        let record = std::slice::from_raw_parts(record as *const u32, ty.words as usize);
        let pattern = host_of(context).interpreter.machine().patterns[pattern as usize];
        ty.find(record, pattern, &(*context).arguments).map_or(u64::MAX, u64::from)
    }
}

/// Puts a message in.
extern "C" fn put(context: *mut Context, kind: u64, record: u64, sorted: u64) -> u64 {
    // SAFETY: the record is one of this class in the target, with room for a message.
    unsafe {
        let ty = class(context, kind);
        let record = std::slice::from_raw_parts_mut(record as *mut u32, ty.words as usize);
        ty.put(record, &(*context).arguments, sorted != 0);
    }
    0
}

/// Takes a message out.
extern "C" fn take(context: *mut Context, kind: u64, record: u64, slot: u64) -> u64 {
    // SAFETY: the record is one of this class in the target.
    unsafe {
        let ty = class(context, kind);
        let record = std::slice::from_raw_parts_mut(record as *mut u32, ty.words as usize);
        ty.take(record, slot as u32);
    }
    0
}

/// The number of the control state of a process; 0 if there is no such process.
extern "C" fn number(context: *mut Context, vector: u64, process: u64, _: u64) -> u64 {
    // SAFETY: the vector is the source or the target, which have the same records.
    unsafe {
        let host = host_of(context);
        let vector = std::slice::from_raw_parts(vector as *const u32, host.words);
        let machine = host.interpreter.machine();
        let slot = usize::try_from(process as i64).ok().and_then(|p| host.shape().processes.get(p));
        slot.map_or(0, |slot| {
            let location = machine.head.location.get(&vector[slot.offset as usize / 4..]);
            let proctype = &machine.proctypes[slot.ty as usize];
            u64::from(proctype.locations[location as usize].number)
        })
    }
}

/// The lowest process of a proctype.
extern "C" fn first_of(context: *mut Context, proctype: u64, _: u64, _: u64) -> u64 {
    // SAFETY: native code stands at this call.
    let host = unsafe { host_of(context) };
    let found = host.shape().processes.iter().position(|p| u64::from(p.ty) == proctype);
    found.map_or(u64::MAX, |process| process as u64)
}
