//! Where Rust calls native code and native code calls Rust.
//!
//! While native code runs, Rust code outside this file waits: everything that native code and the
//! functions it calls may touch is reached through one pointer to a [`Context`], and no reference
//! to it is alive across a call. What native code relies on:
//!
//! - the state is one that the system made (law 3 of
//!   [`TransitionSystem`](everypath_model::TransitionSystem)), and [`Shapes::find`] has checked that
//!   its records tile it, so that fields at their places lie inside;
//! - before a location is called there is room for a target and a header per statement;
//! - every index that the machine computes is checked by its own instructions, or cut to the record.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::ptr::null_mut;

use everypath_machine::{At, ChannelType, FaultKind, Interpreter, Made, Move, ProcessSet, Within};
use everypath_model::{Action, ComponentMask, Fault, Successors};

use crate::compile::{ProcessCode, ValueCode};
use crate::context::{Context, Seat};
use crate::seats::Seats;
use crate::shape::{Shape, Shapes};
use crate::system::Compiled;

/// How many jumps one statement may take at first, as for the interpreter.
const STEP_BUDGET: u32 = 10_000_000;
/// How many at least after some were endless.
const LEAST_BUDGET: u32 = 10_000;

/// Words that the targets of one state may need at most; beyond that there is room for those of one
/// location at a time.
pub(crate) const MAX_ROOM: usize = 4 << 20;

/// The memory of one thread that native code works with.
pub(crate) struct Runtime {
    context: Box<Context>,
    shapes: Shapes,
    /// Assertions that failed in the statement under execution.
    faults: Vec<Fault>,
    /// The state between the halves of a rendezvous.
    between: Vec<u32>,
    /// The state inside an atomic sequence that is being expanded.
    inside: Vec<u32>,
    /// A target that is moved.
    moved: Vec<u32>,
}

// SAFETY: the pointers of the context are set anew by each call and mean nothing between calls.
unsafe impl Send for Runtime {}

/// Whose moves are wanted.
#[derive(Clone, Copy)]
pub(crate) enum Who {
    /// Those of all processes, and of all with `timeout` if there are none.
    All,
    Some(ProcessSet),
}

/// What Rust needs when native code calls it.
pub(crate) struct Host<'r> {
    interpreter: &'r Interpreter,
    compiled: &'r Compiled,
    worker: &'r mut everypath_machine::Worker,
    out: &'r mut Successors,
    shapes: &'r mut Shapes,
    faults: &'r mut Vec<Fault>,
    between: &'r mut Vec<u32>,
    inside: &'r mut Vec<u32>,
    moved_target: &'r mut Vec<u32>,
    /// Steps for which there is room.
    steps: usize,
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
                target: null_mut(),
                step: null_mut(),
                span: 0,
                stride: 0,
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
                calls: [
                    copy, offer, asserted, report, hold, fault, run, find, put, take, number,
                    first_of,
                ],
                room: (null_mut(), null_mut()),
                host: null_mut(),
            }),
            shapes: Shapes::default(),
            faults: Vec::new(),
            between: Vec::new(),
            inside: Vec::new(),
            moved: Vec::new(),
        }
    }

    /// Before a state is expanded.
    #[inline]
    pub fn open(&mut self, interpreter: &Interpreter, compiled: &Compiled, state: &[u32]) {
        if self.shapes.find(interpreter.machine(), &compiled.facts, state) {
            self.context.show(self.shapes.current());
        }
        self.context.timeout = 0;
    }

    /// The seats of the state that was opened for which code should be made.
    #[inline]
    pub fn wanted_seats(&mut self, seats: &Seats) -> Vec<Seat> {
        match seats.is_current(self.shapes.current()) {
            true => Vec::new(),
            false => seats.refresh(self.shapes.current_mut()),
        }
    }

    /// Hands over the steps out of a state that was opened.
    pub fn expand(
        &mut self,
        interpreter: &Interpreter,
        compiled: &Compiled,
        worker: &mut everypath_machine::Worker,
        state: &[u32],
        who: Who,
        out: &mut Successors,
    ) {
        worker.sequences.clear();
        let shape = self.shapes.current();
        let (count, steps) = (shape.processes.len(), shape.steps);
        // Shapes do not change while the moves out of one state are looked for.
        let fast: *const [ProcessCode] = &raw const *shape.fast;
        let mut host = Host {
            interpreter,
            compiled,
            worker,
            out,
            shapes: &mut self.shapes,
            faults: &mut self.faults,
            between: &mut self.between,
            inside: &mut self.inside,
            moved_target: &mut self.moved,
            steps,
            state: state.as_ptr(),
            words: state.len(),
            within: Within::START,
            send: None,
            moved: false,
        };
        let context: *mut Context = &mut *self.context;
        // SAFETY: the context and everything that it and the host point to stay where they are
        // until this function returns, and nothing but `context` is used to reach them.
        unsafe {
            (*context).host = (&raw mut host).cast::<c_void>();
            make_room(context, 0);
            match who {
                Who::Some(processes) => all_moves(context, processes.youngest_first()),
                Who::All => {
                    // Code for a seat knows where its process is.
                    for (process, code) in (*fast).iter().enumerate().rev() {
                        if code(context, state.as_ptr(), state.as_ptr(), 0, 0) == 0 {
                            general_moves(context, process);
                        }
                    }
                    if fast.is_empty() {
                        all_moves(context, (0..count).rev());
                    }
                }
            }
            take_steps(context);
            let uses_timeout = matches!(who, Who::All) && interpreter.machine().uses_timeout;
            if uses_timeout && !host_of(context).moved {
                (*context).timeout = 1;
                make_room(context, 0);
                all_moves(context, (0..count).rev());
                take_steps(context);
                (*context).timeout = 0;
            }
            if host_of(context).worker.sequences.has_next() {
                sequences(context);
            }
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

/// Hands over the ends of the atomic sequences that have begun.
unsafe fn sequences(context: *mut Context) {
    // SAFETY: as for the caller; the state inside a sequence stays in place while it is expanded.
    unsafe {
        loop {
            let host = host_of(context);
            let Some(within) = host.worker.sequences.next(host.inside, host.out) else { return };
            let (machine, facts) = (host.interpreter.machine(), &host.compiled.facts);
            if host.shapes.find(machine, facts, host.inside) {
                (*context).show(host.shapes.current());
            }
            host.steps = host.shape().steps;
            host.state = host.inside.as_ptr();
            host.words = host.inside.len();
            host.within = within;
            host.moved = false;
            make_room(context, 0);
            process_moves(context, within.holder as usize);
            take_steps(context);
            let host = host_of(context);
            if !host.moved {
                host.worker.sequences.stuck(host.inside, within, host.out);
            }
        }
    }
}

unsafe fn all_moves(context: *mut Context, processes: impl Iterator<Item = usize>) {
    for process in processes {
        // SAFETY: as for the caller.
        unsafe { process_moves(context, process) };
    }
}

/// The moves of one process, written to the room or handed over already.
unsafe fn process_moves(context: *mut Context, process: usize) {
    // SAFETY: the reference to the host ends before native code is called; native code gets a
    // state that tiles into the records of the shape, and room for its targets and headers.
    unsafe {
        let host = host_of(context);
        let (state, careful) = (host.state, host.shape().careful);
        if let (Some(code), None, false) = (host.shape().native[process], host.send, careful)
            && code(context, state, state, 0, 0) != 0
        {
            return;
        }
        general_moves(context, process);
    }
}

/// The same by the code of its proctype.
unsafe fn general_moves(context: *mut Context, process: usize) {
    // SAFETY: as for the caller.
    unsafe {
        let host = host_of(context);
        let slot = &host.shape().processes[process];
        let (offset, mask, ty) = (slot.offset as usize / 4, slot.mask, slot.ty as usize);
        let state = host.state;
        let entry = &host.compiled.code.entries[ty];
        let pieces = if host.send.is_some() { &entry.handshake } else { &entry.moves };
        if host.shape().careful && !one_by_one(context, process) {
            return interpreted(context, process);
        }
        for code in pieces {
            if code(context, state, state.add(offset), process as u32, mask) != 0 {
                return;
            }
        }
        interpreted(context, process);
    }
}

/// Makes room for the location of one process; whether that much can be had.
#[cold]
unsafe fn one_by_one(context: *mut Context, process: usize) -> bool {
    // SAFETY: as for the caller; no native code runs.
    unsafe {
        take_steps(context);
        let host = host_of(context);
        let machine = host.interpreter.machine();
        let slot = host.shape().processes[process];
        let state = std::slice::from_raw_parts(host.state, host.words);
        let location = machine.head.location.get(&state[slot.offset as usize / 4..]);
        host.steps = machine.proctypes[slot.ty as usize].locations[location as usize].edges.len();
        let fits = host.steps * host.words <= MAX_ROOM;
        if !fits {
            host.steps = 0;
        }
        make_room(context, 0);
        fits
    }
}

/// The moves of one process, by the interpreter.
#[cold]
unsafe fn interpreted(context: *mut Context, process: usize) {
    // SAFETY: as for the caller; no native code runs.
    unsafe {
        take_steps(context);
        let host = host_of(context);
        let state = std::slice::from_raw_parts(host.state, host.words);
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
        make_room(context, 0);
    }
}

impl Host<'_> {
    #[inline]
    fn shape(&self) -> &Shape {
        self.shapes.current()
    }

    /// Puts what came before in front of steps: the other half of a rendezvous, the sequence so far.
    #[inline(never)]
    fn complete(&mut self, from: usize) {
        if let Some((send, mask)) = self.send {
            self.out.precede(from, &[send], ComponentMask(mask));
        }
        if self.within.has_begun() {
            let path = self.worker.sequences.path(self.within);
            self.out.precede(from, path, self.within.changed);
        }
    }

    /// Whether a process is where it may be the receiver in a rendezvous.
    fn may_receive(&self, state: &[u32], process: usize) -> bool {
        let slot = &self.shape().processes[process];
        let location = self.interpreter.machine().head.location;
        let here = location.get(&state[slot.offset as usize / 4..]) as usize;
        self.compiled.code.entries[slot.ty as usize].receives[here]
    }
}

/// Gives native code room for the steps of the state, and for so many words more. What was written
/// before must have been taken.
#[inline(always)]
unsafe fn make_room(context: *mut Context, more: usize) {
    // SAFETY: as for the caller; no native code runs.
    unsafe {
        let host = host_of(context);
        let room = host.out.room(host.steps * host.words + more, host.steps);
        let first = room.first_word as u64;
        (*context).span = (first + host.words as u64) << 32 | first;
        (*context).target = room.words.as_mut_ptr();
        (*context).step = room.steps.as_mut_ptr();
        (*context).room = ((*context).target, (*context).step);
    }
}

/// Takes the steps that native code has written.
#[inline(always)]
unsafe fn take_steps(context: *mut Context) {
    // SAFETY: no native code runs that would hold on to the room; the pointers started at the
    // beginning of the room and native code moved them inside of it.
    unsafe {
        let (target, step) = (*context).room;
        let words = (*context).target.offset_from_unsigned(target);
        let steps = (*context).step.offset_from_unsigned(step);
        if steps == 0 {
            return;
        }
        let host = host_of(context);
        let from = host.out.len();
        host.out.take(words, steps);
        host.moved = true;
        if host.send.is_some() || host.within.has_begun() {
            host.complete(from);
        }
    }
}

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
        let host = host_of(context);
        let count = host.shape().processes.len();
        let here = std::slice::from_raw_parts(host.state, host.words);
        if !(0..count).any(|other| other != process && host.may_receive(here, other)) {
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
        for other in (0..count).rev() {
            if other != process && host_of(context).may_receive(here, other) {
                general_moves(context, other);
            }
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
