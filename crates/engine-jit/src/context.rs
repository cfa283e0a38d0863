//! What native code and Rust share: memory of fixed layout, read and written by both sides.

use std::ffi::c_void;
use std::mem::offset_of;

use everypath_model::{ComponentMask, Step};

use crate::shape::Shape;

/// The fixed offsets that native code is compiled with.
pub(crate) mod at {
    use super::*;

    pub const TARGET: i32 = offset_of!(Context, target) as i32;
    pub const STEP: i32 = offset_of!(Context, step) as i32;
    pub const SPAN: i32 = offset_of!(Context, span) as i32;
    pub const STRIDE: i32 = offset_of!(Context, stride) as i32;
    pub const STATE_WORDS: i32 = offset_of!(Context, state_words) as i32;
    pub const PROCESSES: i32 = offset_of!(Context, processes) as i32;
    pub const PROCESS_COUNT: i32 = offset_of!(Context, process_count) as i32;
    pub const CHANNELS: i32 = offset_of!(Context, channels) as i32;
    pub const CHANNEL_COUNT: i32 = offset_of!(Context, channel_count) as i32;
    pub const TIMEOUT: i32 = offset_of!(Context, timeout) as i32;
    pub const PATIENCE: i32 = offset_of!(Context, patience) as i32;
    pub const FAULTS: i32 = offset_of!(Context, faults) as i32;
    pub const HANDSHAKE: i32 = offset_of!(Context, handshake) as i32;
    pub const MESSAGE_LENGTH: i32 = offset_of!(Context, message_length) as i32;
    pub const MESSAGE: i32 = offset_of!(Context, message) as i32;
    pub const ARGUMENTS: i32 = offset_of!(Context, arguments) as i32;
    pub const TARGET_WORDS: i32 = offset_of!(Context, target_words) as i32;
    pub const FAULT: i32 = offset_of!(Context, fault) as i32;
    pub const CALLS: i32 = offset_of!(Context, calls) as i32;
}

/// What a piece of native code works on. The first argument of all of them.
#[repr(C)]
pub(crate) struct Context {
    /// Where the next target is written: in the room of the caller's arena.
    pub target: *mut u32,
    /// Where the header of the next step is written.
    pub step: *mut Step,
    /// The position of the next target and of the one behind it, if it is as long as the source:
    /// 32 bits each, as in a header.
    pub span: u64,
    /// The length of the source, in both halves.
    pub stride: u64,
    /// Words of the source.
    pub state_words: u64,
    pub processes: *const ProcessEntry,
    pub process_count: u64,
    pub channels: *const ChannelEntry,
    pub channel_count: u64,
    /// Nothing else can move.
    pub timeout: u32,
    /// How many jumps one statement may take.
    pub patience: u32,
    /// Assertions that failed in the statement under execution.
    pub faults: u32,
    /// The channel of a rendezvous in progress, as a value.
    pub handshake: i32,
    pub message_length: u32,
    /// The message that is offered.
    pub message: [i32; 256],
    /// Arguments of a call beyond its three: of a new process, of a message.
    pub arguments: [i32; 256],
    /// Words of the target under construction; set by statements that make processes.
    pub target_words: u64,
    /// Why a call failed.
    pub fault: u32,
    /// The functions that native code calls, as [`Call`] numbers them.
    pub calls: [Callback; Call::COUNT],
    /// The first target and the first header of the room.
    pub room: (*mut u32, *mut Step),
    /// What Rust needs when it is called back: a [`Host`](crate::runtime::Host).
    pub host: *mut c_void,
}

impl Context {
    /// Lets native code see the processes and channels of a state.
    pub fn show(&mut self, shape: &Shape) {
        let words = shape.words as u64;
        self.state_words = words;
        self.stride = words << 32 | words;
        self.processes = shape.processes.as_ptr();
        self.process_count = shape.processes.len() as u64;
        self.channels = shape.channels.as_ptr();
        self.channel_count = shape.channels.len() as u64;
    }
}

/// A function that native code calls: the context and three arguments.
pub(crate) type Callback = extern "C" fn(*mut Context, u64, u64, u64) -> u64;

/// What native code leaves to Rust. An action is a process in the lower half and a transition in the
/// upper one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Call {
    /// `(target, source, words)`: copies words.
    Copy,
    /// `(action, channel index)`: offers the message; whether somebody takes it.
    Offer,
    /// `(site)`: an assertion is false.
    Asserted,
    /// `(action, mask, words)`: a statement is through in which assertions have failed. The target
    /// may move.
    Report,
    /// `(action, mask, words)`: a statement is through after which only its process may move.
    Hold,
    /// `(action, fault)`: a statement leads nowhere.
    Fault,
    /// `(proctype and number of arguments and priority, site)`: makes a process behind the target;
    /// its number, or `u64::MAX` and the fault.
    Run,
    /// `(class, record, pattern)`: the slot of the message to take; `u64::MAX` if there is none.
    Find,
    /// `(class, record, sorted)`: puts the message in the arguments into a channel.
    Put,
    /// `(class, record, slot)`: takes a message out.
    Take,
    /// `(vector, process)`: the number of the control state of a process.
    Number,
    /// `(proctype)`: the lowest process of a proctype; `u64::MAX` if there is none.
    FirstOf,
}

impl Call {
    /// How many there are.
    pub const COUNT: usize = Call::FirstOf as usize + 1;
}

/// Where a process is in a state: code may be made for processes there only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Seat {
    pub proctype: u16,
    pub pid: u32,
    /// First word of its record.
    pub offset: u32,
    /// Index of the first channel that it owns.
    pub first_channel: u32,
    /// Number of its component; those of its channels follow.
    pub component: u32,
}

/// A live process.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessEntry {
    /// First byte of its record.
    pub offset: u32,
    pub ty: u32,
    /// Index of the first channel that it owns.
    pub first_channel: u32,
    /// Its component.
    pub mask: u64,
}

/// A live channel.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChannelEntry {
    /// First byte of its record.
    pub offset: u32,
    /// Its kind, as [`Facts::classes`](crate::facts::Facts) numbers them.
    pub class: u32,
    /// Its component.
    pub mask: u64,
}

/// The bit of a component.
pub(crate) fn component_mask(component: usize) -> u64 {
    let mut mask = ComponentMask::default();
    mask.insert(component);
    mask.0
}
