//! Where Rust calls native code and native code calls Rust.
//!
//! While native code runs, Rust code outside this file waits: everything that native code and the
//! functions it calls may touch is reached through one pointer to a [`Context`], and no reference
//! to it is alive across a call. What native code relies on:
//!
//! - the state is one that the system made (law 3 of
//!   [`TransitionSystem`](everypath_model::TransitionSystem)), and [`Shape::walk`] has checked that
//!   its records tile it, so that fields at their places lie inside;
//! - before a location is called there is room for a target and two headers per statement;
//! - every index that the machine computes is checked by its own instructions, or cut to the record.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::ptr::null_mut;

use everypath_machine::{At, ChannelType, FaultKind, Interpreter, Made, Move, ProcessSet, Within};
use everypath_model::{Action, ComponentMask, Fault, Successors};

use crate::compile::{How, ValueCode};
use crate::context::{Context, FATAL, HOLDS, Header, REPORT};
use crate::system::{Compiled, Shape};

/// How many jumps one statement may take at first, as for the interpreter.
const STEP_BUDGET: u32 = 10_000_000;
/// How many at least after some were endless.
const LEAST_BUDGET: u32 = 10_000;

/// Words that the targets of one location may need; beyond that the interpreter, which takes them
/// one by one, needs less memory.
const MAX_ROOM: usize = 4 << 20;

/// The memory of one thread that native code works with.
pub(crate) struct Runtime {
    context: Box<Context>,
    shape: Shape,
    headers: Vec<Header>,
    /// Assertions that failed in the statement under execution.
    faults: Vec<Fault>,
    /// The state between the halves of a rendezvous.
    between: Vec<u32>,
    /// The target of a statement that makes processes.
    made: Vec<u32>,
}

// SAFETY: the pointers of the context are set anew by each call and mean nothing between calls.
unsafe impl Send for Runtime {}

/// Whose moves are wanted.
#[derive(Clone, Copy)]
pub(crate) enum Who {
    /// Those of all processes, and of all with `timeout` if there are none.
    All,
    One(usize),
    Some(ProcessSet),
}

/// What Rust needs when native code calls it.
pub(crate) struct Host<'r> {
    interpreter: &'r Interpreter,
    compiled: &'r Compiled,
    worker: &'r mut everypath_machine::Worker,
    out: &'r mut Successors,
    shape: &'r Shape,
    headers: &'r mut Vec<Header>,
    faults: &'r mut Vec<Fault>,
    between: &'r mut Vec<u32>,
    /// The target of a statement that makes processes.
    made: &'r mut Vec<u32>,
    /// Statements of the location under execution.
    edges: usize,
    /// The source; between the halves of a rendezvous the state there.
    state: *const u32,
    words: usize,
    within: Within,
    /// The sending half and its component, while receivers are looked for.
    send: Option<(Action, u64)>,
    /// There was a move.
    moved: bool,
}

impl Runtime {
    pub fn new() -> Runtime {
        Runtime {
            context: Box::new(Context {
                arena: null_mut(),
                used: 0,
                headers: null_mut(),
                header_count: 0,
                state_words: 0,
                processes: null_mut(),
                process_count: 0,
                channels: null_mut(),
                channel_count: 0,
                timeout: 0,
                patience: STEP_BUDGET,
                faults: 0,
                handshake: 0,
                message_length: 0,
                message: [0; 256],
                arguments: [0; 256],
                target_words: 0,
                fault: 0,
                // In the order of `Call`.
                calls: [copy, offer, asserted, report, run, find, put, take, number, first_of],
                room: 0,
                host: null_mut(),
            }),
            shape: Shape::default(),
            headers: Vec::new(),
            faults: Vec::new(),
            between: Vec::new(),
            made: Vec::new(),
        }
    }

    fn open(&mut self, interpreter: &Interpreter, compiled: &Compiled, state: &[u32]) {
        self.shape.walk(interpreter.machine(), compiled, state);
        let context = &mut *self.context;
        context.used = 0;
        context.room = 0;
        context.header_count = 0;
        context.state_words = state.len() as u64;
        context.processes = self.shape.processes.as_ptr();
        context.process_count = self.shape.processes.len() as u64;
        context.channels = self.shape.channels.as_ptr();
        context.channel_count = self.shape.channels.len() as u64;
        context.timeout = 0;
    }

    /// Hands over the moves out of a state. Whether there are any.
    #[allow(clippy::too_many_arguments)]
    pub fn expand(
        &mut self,
        interpreter: &Interpreter,
        compiled: &Compiled,
        worker: &mut everypath_machine::Worker,
        state: &[u32],
        within: Within,
        who: Who,
        out: &mut Successors,
    ) -> bool {
        self.open(interpreter, compiled, state);
        let count = self.shape.processes.len();
        let mut host = Host {
            interpreter,
            compiled,
            worker,
            out,
            shape: &self.shape,
            headers: &mut self.headers,
            faults: &mut self.faults,
            between: &mut self.between,
            made: &mut self.made,
            edges: 0,
            state: state.as_ptr(),
            words: state.len(),
            within,
            send: None,
            moved: false,
        };
        let context: *mut Context = &mut *self.context;
        // SAFETY: the context and everything that it and the host point to stay where they are
        // until this function returns, and nothing but `context` is used to reach them.
        unsafe {
            (*context).host = (&raw mut host).cast::<c_void>();
            match who {
                Who::One(process) => all_moves(context, std::iter::once(process)),
                Who::Some(processes) => all_moves(context, processes.youngest_first()),
                Who::All => {
                    all_moves(context, (0..count).rev());
                    if interpreter.machine().uses_timeout && !host_of(context).moved {
                        (*context).timeout = 1;
                        all_moves(context, (0..count).rev());
                    }
                }
            }
            host_of(context).moved
        }
    }

    /// The value of an expression in a state.
    pub fn value(
        &mut self,
        interpreter: &Interpreter,
        compiled: &Compiled,
        state: &[u32],
        code: ValueCode,
    ) -> i32 {
        self.open(interpreter, compiled, state);
        // SAFETY: an expression reads the state and the tables and writes nothing.
        unsafe { code(&mut *self.context, state.as_ptr()) }
    }
}

/// The host of a context. The reference must be gone before native code is called again.
unsafe fn host_of<'h>(context: *mut Context) -> &'h mut Host<'h> {
    // SAFETY: the caller got the context from `Runtime::expand`, which has set the host.
    unsafe { &mut *(*context).host.cast::<Host<'h>>() }
}

unsafe fn all_moves(context: *mut Context, processes: impl Iterator<Item = usize>) {
    for process in processes {
        // SAFETY: as for the caller.
        unsafe { process_moves(context, process) };
    }
    // SAFETY: as for the caller; no native code runs.
    unsafe { flush(context) };
}

/// The moves of one process, as headers or handed over already.
unsafe fn process_moves(context: *mut Context, process: usize) {
    // SAFETY: the reference to the host ends before native code is called; native code gets a
    // state that tiles into the records of the shape, and room for its targets and headers.
    unsafe {
        let host = host_of(context);
        let slot = host.shape.processes[process];
        let state = std::slice::from_raw_parts(host.state, host.words);
        let record = &state[slot.offset as usize / 4..];
        let location = host.interpreter.machine().head.location.get(record) as u32;
        let entry = host.compiled.code.entries[(slot.first_location + location) as usize];
        let how = if host.send.is_some() { entry.handshake } else { entry.moves };
        match how {
            How::Nothing => {}
            How::Native(code) if entry.edges as usize * state.len() <= MAX_ROOM => {
                make_room(context, entry.edges as usize);
                code(context, state.as_ptr(), record.as_ptr(), process as u32, slot.mask);
            }
            _ => {
                flush(context);
                let at = At { state, within: host.within, timeout: (*context).timeout != 0 };
                host.moved |= match host.send {
                    None => host.interpreter.process(host.worker, &at, process, host.out),
                    Some((send, mask)) => {
                        let channel = (*context).handshake as usize - 1;
                        let message = &(&(*context).message)[..(*context).message_length as usize];
                        let send = (send, ComponentMask(mask));
                        let Host { interpreter, worker, out, .. } = host;
                        interpreter.receive(worker, &at, process, send, (channel, message), out)
                    }
                };
            }
        }
    }
}

/// Makes sure that a location with so many statements can write its targets and headers.
unsafe fn make_room(context: *mut Context, edges: usize) {
    // SAFETY: as for the caller; no native code runs.
    unsafe {
        let host = host_of(context);
        host.edges = edges;
        let words = (edges * host.words) as u64;
        let headers = (*context).header_count as usize + 2 * edges + 2;
        if (*context).used + words <= (*context).room && headers <= host.headers.len() {
            return;
        }
        flush(context);
        let host = host_of(context);
        if host.headers.len() < 2 * edges + 2 {
            host.headers.resize((2 * edges + 2).max(64), Header::default());
        }
        (*context).headers = host.headers.as_mut_ptr();
        let room = host.out.room((words as usize).max(16 * host.words));
        (*context).arena = room.as_mut_ptr();
        (*context).room = room.len() as u64;
    }
}

/// Hands over the steps that native code has written.
unsafe fn flush(context: *mut Context) {
    // SAFETY: no native code runs that would hold on to the room; headers up to the count were
    // written by native code inside the vector.
    unsafe {
        let host = host_of(context);
        let count = (*context).header_count as usize;
        let start = host.out.take_room((*context).used as usize);
        (*context).used = 0;
        (*context).room = 0;
        (*context).header_count = 0;
        host.moved |= count > 0;
        for header in &host.headers[..count] {
            let own = Action { process: header.process, transition: header.transition };
            let (action, receive, mask) = match host.send {
                None => (own, None, 0),
                Some((send, mask)) => (send, Some(own), mask),
            };
            let first = start as u32 + header.start;
            let mut one = Move {
                start: first,
                end: first + header.words,
                action,
                receive,
                holder: (header.flags & HOLDS != 0).then_some(header.process),
                changed: ComponentMask(header.mask | mask),
                fault: None,
            };
            if header.flags & REPORT != 0 {
                one.fault = Some(Fault(header.fault));
                one.holder = None;
            }
            if header.flags & FATAL == 0 {
                host.worker.sequences.deliver_written(&one, host.within, host.out);
                continue;
            }
            if header.fault >> 24 == FaultKind::StepLoop as u32 {
                (*context).patience = ((*context).patience / 10).max(LEAST_BUDGET);
            }
            one.fault = Some(Fault(header.fault));
            one.changed = ComponentMask(0);
            let state = std::slice::from_raw_parts(host.state, host.words);
            host.worker.sequences.deliver(state, &one, host.within, host.out);
        }
    }
}

extern "C" fn copy(_: *mut Context, target: u64, source: u64, words: u64) -> u64 {
    // SAFETY: native code copies a prefix of the source to the room.
    unsafe {
        std::ptr::copy_nonoverlapping(source as *const u32, target as *mut u32, words as usize);
    }
    0
}

/// Looks for processes that take the message in the context.
extern "C" fn offer(context: *mut Context, process: u64, transition: u64, channel: u64) -> u64 {
    let (process, transition) = (process as u32, transition as u32);
    // SAFETY: native code stands at this call and has kept no address of the room; afterwards there
    // is room again. The state between the halves stays in place while receivers read it.
    unsafe {
        flush(context);
        let host = host_of(context);
        let machine = host.interpreter.machine();
        let slot = host.shape.processes[process as usize];
        let (state, words) = (host.state, host.words);
        host.between.clear();
        host.between.extend_from_slice(std::slice::from_raw_parts(state, words));
        let target = machine.transitions[transition as usize].target;
        let between = &mut host.between[..];
        machine.head.location.set(&mut between[slot.offset as usize / 4..], i32::from(target));
        if let Some(last) = machine.last {
            last.set(&mut between[machine.hidden_words as usize..], process as i32);
        }
        host.state = between.as_ptr();
        host.send = Some((Action { process, transition }, slot.mask));
        let moved = std::mem::replace(&mut host.moved, false);
        let count = host.shape.processes.len();
        (*context).handshake = channel as i32 + 1;
        for other in (0..count).rev() {
            if other != process as usize {
                process_moves(context, other);
            }
        }
        flush(context);
        let host = host_of(context);
        let taken = std::mem::replace(&mut host.moved, moved);
        host.moved |= taken;
        host.state = state;
        host.send = None;
        let location = machine.head.location;
        let here = std::slice::from_raw_parts(state, words);
        let at = location.get(&here[slot.offset as usize / 4..]) as u32;
        let entry = host.compiled.code.entries[(slot.first_location + at) as usize];
        make_room(context, entry.edges as usize);
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
extern "C" fn report(context: *mut Context, process: u64, transition: u64, mask: u64) -> u64 {
    // SAFETY: native code stands at this call and writes its own header afterwards; the vector of
    // headers may move, since native code asks the context for it each time.
    unsafe {
        let host = host_of(context);
        let count = (*context).header_count as usize;
        let words = (*context).target_words as u32;
        let reports = host.faults.drain(..).map(|fault| Header {
            start: (*context).used as u32,
            words,
            process: process as u32,
            transition: transition as u32,
            flags: REPORT,
            fault: fault.0,
            mask,
        });
        let added = reports.len();
        host.headers.splice(count..count, reports);
        (*context).header_count = (count + added) as u64;
        (*context).headers = host.headers.as_mut_ptr();
        (*context).faults = 0;
    }
    0
}

/// Makes a process behind the target under construction.
extern "C" fn run(context: *mut Context, what: u64, site: u64, _: u64) -> u64 {
    // SAFETY: native code stands at this call; the target lies at the start of the free room, and
    // native code asks the context for its place afterwards, since the room may have moved.
    unsafe {
        let host = host_of(context);
        let length = (*context).target_words as usize;
        let target = (*context).arena.add((*context).used as usize);
        host.made.clear();
        host.made.extend_from_slice(std::slice::from_raw_parts(target, length));
        let count = (what >> 16 & 0xff) as usize;
        let made = Made {
            proctype: what as u16,
            arguments: &(&(*context).arguments)[..count],
            priority: (what >> 24) as u8,
            site: site as u32,
        };
        match host.interpreter.run(host.worker, host.made, made) {
            Ok(pid) => {
                // The rest of the statements of the location must have their room as well.
                let need = host.made.len() + host.edges * host.words;
                let used = (*context).used as usize;
                let room = host.out.room(used + need);
                room[used..used + host.made.len()].copy_from_slice(host.made);
                (*context).arena = room.as_mut_ptr();
                (*context).room = room.len() as u64;
                (*context).target_words = host.made.len() as u64;
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
        let slot = usize::try_from(process as i64).ok().and_then(|p| host.shape.processes.get(p));
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
    let found = host.shape.processes.iter().position(|p| u64::from(p.ty) == proctype);
    found.map_or(u64::MAX, |process| process as u64)
}
