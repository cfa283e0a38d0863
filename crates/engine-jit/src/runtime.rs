//! Where Rust calls native code; `calls` has what native code calls.
//!
//! While native code runs, Rust code outside these two files waits: everything that native code and the
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

use everypath_machine::{At, Interpreter, ProcessSet, Within};
use everypath_model::{Action, ComponentMask, Fault, Successors};

use crate::calls;
use crate::compile::{ProcessCode, ValueCode};
use crate::context::{Context, Seat};
use crate::location::{Channels, channels_of};
use crate::seats::Seats;
use crate::shape::{Shape, Shapes};
use crate::system::Compiled;

/// How many jumps one statement may take at first, as for the interpreter.
const STEP_BUDGET: u32 = 10_000_000;
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
    /// The channels on which processes may receive.
    receivers: Vec<Channels>,
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
    pub interpreter: &'r Interpreter,
    pub compiled: &'r Compiled,
    pub worker: &'r mut everypath_machine::Worker,
    pub out: &'r mut Successors,
    pub shapes: &'r mut Shapes,
    pub faults: &'r mut Vec<Fault>,
    pub between: &'r mut Vec<u32>,
    pub inside: &'r mut Vec<u32>,
    pub moved_target: &'r mut Vec<u32>,
    /// Steps for which there is room.
    pub steps: usize,
    /// The source; between the halves of a rendezvous the state there.
    pub state: *const u32,
    pub words: usize,
    pub within: Within,
    /// For each process the channels on which it may receive in the source, as soon as somebody has
    /// asked.
    pub receivers: &'r mut Vec<Channels>,
    /// The sending half and its component, while receivers are looked for.
    pub send: Option<(Action, u64)>,
    /// There was a move.
    pub moved: bool,
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
                calls: calls::ALL,
                room: (null_mut(), null_mut()),
                host: null_mut(),
            }),
            shapes: Shapes::default(),
            faults: Vec::new(),
            between: Vec::new(),
            inside: Vec::new(),
            moved: Vec::new(),
            receivers: Vec::new(),
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
        self.receivers.clear();
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
            receivers: &mut self.receivers,
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
pub(crate) unsafe fn host_of<'h>(context: *mut Context) -> &'h mut Host<'h> {
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
            host.receivers.clear();
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
pub(crate) unsafe fn general_moves(context: *mut Context, process: usize) {
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
    pub fn shape(&self) -> &Shape {
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

    /// The processes that are where they may be the receiver in a rendezvous on a channel, without the
    /// sender. So the state between the halves has the same ones.
    pub fn receivers(&mut self, channel: u64, sender: usize) -> ProcessSet {
        if self.receivers.is_empty() {
            let location = self.interpreter.machine().head.location;
            // SAFETY: the host is used only while its state stays where it is.
            let state = unsafe { std::slice::from_raw_parts(self.state, self.words) };
            let entries = &self.compiled.code.entries;
            let channels = self.shapes.current().processes.iter().map(|slot| {
                let here = location.get(&state[slot.offset as usize / 4..]) as usize;
                entries[slot.ty as usize].receives[here]
            });
            self.receivers.extend(channels);
        }
        let wanted = channels_of(channel);
        let mut receivers = ProcessSet::default();
        for (process, channels) in self.receivers.iter().enumerate() {
            if channels & wanted != 0 && process != sender {
                receivers.insert(process);
            }
        }
        receivers
    }
}

/// Gives native code room for the steps of the state, and for so many words more. What was written
/// before must have been taken.
#[inline(always)]
pub(crate) unsafe fn make_room(context: *mut Context, more: usize) {
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
pub(crate) unsafe fn take_steps(context: *mut Context) {
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
