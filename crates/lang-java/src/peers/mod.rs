//! Methods of the library that the virtual machine does itself: natives, and methods whose code would
//! only cost states. Everything else runs from the JDK's own code; a native method without a peer ends
//! the path with its name.

mod access;
mod chance;
mod channels;
mod class;
mod define;
mod fdlibm;
mod files;
mod groups;
mod handles;
mod lang;
mod loaders;
mod math;
mod members;
mod memory;
mod methods;
mod network;
mod output;
mod reflect;
mod resources;
mod services;
mod shown;
mod system;
mod tables;
mod thread;
mod unbounded;
mod unsafe_;
mod verify;
mod walker;
mod zip;

use crate::link::Method;
use crate::vm::{Run, Worker};

pub(crate) use access::{Operation, is_buffer, is_weak};
pub(crate) use output::OUTPUT_CLASS;
pub(crate) use system::properties;
pub(crate) use verify::STRICT;

/// What is done instead of the code of a method.
#[derive(Clone, Copy)]
pub(crate) struct Peer {
    pub run: fn(&mut Worker, &Args) -> Run<Done>,
    /// Something that the peer knows about the method.
    pub data: u32,
}

/// A peer that needs to know nothing.
pub(crate) const fn plain(run: fn(&mut Worker, &Args) -> Run<Done>) -> Option<Peer> {
    Some(Peer { run, data: 0 })
}

/// What a peer did.
pub(crate) enum Done {
    Void,
    Word(u32),
    Long(u64),
    /// The instruction is to be executed again.
    Again,
    /// This method is to be called instead, with these arguments.
    Call(&'static Method, Vec<u32>),
    /// The code of the method is to be executed after all.
    Bytecode,
}

impl Done {
    pub fn bool(value: bool) -> Done {
        Done::Word(u32::from(value))
    }
}

/// The most words of arguments that a peer sees.
const MOST: usize = 16;

/// The arguments of a peer.
pub(crate) struct Args {
    pub method: &'static Method,
    pub data: u32,
    words: [u32; MOST],
}

impl Args {
    pub fn new(method: &'static Method, data: u32, words: &[u32]) -> Args {
        let mut copied = [0; MOST];
        let count = words.len().min(MOST);
        copied[..count].copy_from_slice(&words[..count]);
        Args { method, data, words: copied }
    }

    /// A word; the receiver is the first one.
    pub fn word(&self, index: usize) -> u32 {
        self.words[index]
    }

    pub fn int(&self, index: usize) -> i32 {
        self.words[index] as i32
    }

    pub fn long(&self, index: usize) -> u64 {
        u64::from(self.words[index]) | u64::from(self.words[index + 1]) << 32
    }

    pub fn double(&self, index: usize) -> f64 {
        f64::from_bits(self.long(index))
    }
}

/// For methods that would do something else than they should.
fn unsupported(worker: &mut Worker, args: &Args) -> Run<Done> {
    worker.unsupported(args.method.full_name())
}

/// The peer of a method, if it has one.
pub(crate) fn find(method: &Method) -> Option<Peer> {
    let (class, name, descriptor) = (&*method.class.name, &*method.name, &*method.text);
    if !method.class.library {
        return verify::find(class, name, descriptor);
    }
    if matches!(name, "registerNatives" | "initIDs") && descriptor == "()V" {
        return plain(|_, _| Ok(Done::Void));
    }
    let found = loaders::find(class, name, descriptor)
        .or_else(|| define::find(class, name))
        .or_else(|| memory::find(class, name, descriptor))
        .or_else(|| services::find(class, name))
        .or_else(|| resources::find(class, name, descriptor))
        .or_else(|| files::find(class, name, descriptor))
        .or_else(|| channels::find(class, name, descriptor))
        .or_else(|| network::find(class, name))
        .or_else(|| chance::find(class, name, descriptor))
        .or_else(|| tables::find(class, name, descriptor))
        .or_else(|| shown::find(class, name));
    if found.is_some() {
        return found;
    }
    match class {
        "java/lang/Class" => class::find(name, descriptor).or_else(|| members::find(class, name)),
        crate::vm::LOADING_CLASS => define::find(class, name),
        "java/lang/Thread" | "java/lang/ThreadGroup" | crate::vm::OWN_CLASS => {
            thread::find(class, name, descriptor)
        }
        "jdk/internal/misc/Unsafe" => unsafe_::find(name, descriptor),
        "java/lang/Math" | "java/lang/StrictMath" => math::find(class, name, descriptor),
        "java/lang/StackWalker" | "java/lang/StackStreamFactory" | walker::FRAME => {
            walker::find(class, name, descriptor)
        }
        OUTPUT_CLASS => output::find(name, descriptor),
        _ if class.starts_with("java/lang/invoke/") => handles::find(class, name, descriptor)
            .or_else(|| methods::find(class, name, descriptor))
            .or_else(|| if handles::is_machinery(class) { plain(unsupported) } else { None }),
        _ if class.starts_with("java/util/zip/") => zip::find(class, name, descriptor),
        _ => system::find(class, name, descriptor)
            .or_else(|| lang::find(class, name, descriptor))
            .or_else(|| members::find(class, name))
            .or_else(|| reflect::find(class, name)),
    }
}
