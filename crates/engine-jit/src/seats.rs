//! Code for single processes at fixed places of the state: the number of the process, the places of
//! its variables and channels and the components are constants in it. It is made for models that
//! turn out to be large, beside the search.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::{io, thread};

use everypath_machine::Interpreter;

use crate::compile::{Memory, ProcessCode, compile_seat};
use crate::context::Seat;
use crate::shape::Shape;
use crate::system::Compiled;

/// Seats that code is made for at most.
const MAX_SEATS: usize = 128;

/// Instructions in their code at most.
const MAX_CODE: usize = 200_000;

/// Has somebody else compile, with as much room for it as the first thread of a program has.
pub(crate) fn compiler_thread(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name("compiler".into()).stack_size(8 << 20).spawn(work).map(drop)
}

/// The code for seats.
#[derive(Default)]
pub(crate) struct Seats {
    /// The seats that code was asked for, with it as soon as it is there.
    made: RwLock<BTreeMap<Seat, Option<ProcessCode>>>,
    /// How often code was added.
    version: AtomicU64,
    size: AtomicUsize,
    memory: Mutex<Vec<Memory>>,
    /// Nobody needs more.
    over: AtomicBool,
}

impl Seats {
    /// Whether a shape has the code that there is.
    #[inline]
    pub fn is_current(&self, shape: &Shape) -> bool {
        shape.version == self.version.load(Ordering::Relaxed)
    }

    /// Gives a shape the code that there is; the seats without any that nobody has asked for yet.
    pub fn refresh(&self, shape: &mut Shape) -> Vec<Seat> {
        shape.version = self.version.load(Ordering::Relaxed);
        let mut wanted = Vec::new();
        {
            let made = self.made.read().unwrap_or_else(PoisonError::into_inner);
            for (seat, native) in shape.seats.iter().zip(&mut shape.native) {
                match made.get(seat) {
                    Some(code) => *native = *code,
                    None => wanted.push(*seat),
                }
            }
        }
        let all: Option<Vec<ProcessCode>> = shape.native.iter().copied().collect();
        shape.fast = all.filter(|_| !shape.careful).unwrap_or_default();
        if !wanted.is_empty() {
            let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
            wanted.retain(|&seat| {
                made.len() < MAX_SEATS
                    && !made.contains_key(&seat)
                    && made.insert(seat, None).is_none()
            });
        }
        wanted
    }

    /// Makes code for seats.
    pub fn make(&self, interpreter: &Interpreter, compiled: &Compiled, seats: &[Seat]) {
        for &seat in seats {
            let size = self.size.load(Ordering::Relaxed);
            if size > MAX_CODE || self.over.load(Ordering::Relaxed) {
                return;
            }
            // Without code for its seat a process is served by that of its proctype.
            let Ok(Some(made)) = compile_seat(interpreter, &compiled.facts, seat, &compiled.visits)
            else {
                continue;
            };
            self.size.fetch_add(made.size, Ordering::Relaxed);
            self.memory.lock().unwrap_or_else(PoisonError::into_inner).push(made.memory);
            let mut all = self.made.write().unwrap_or_else(PoisonError::into_inner);
            all.insert(seat, Some(made.code));
            drop(all);
            self.version.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The same beside the caller.
    pub fn make_beside(interpreter: &Interpreter, compiled: &Arc<Compiled>, seats: Vec<Seat>) {
        let (interpreter, compiled) = (interpreter.clone(), Arc::clone(compiled));
        let work = move || compiled.seats.make(&interpreter, &compiled, &seats);
        // If there cannot be another thread, it goes on without.
        _ = compiler_thread(work);
    }

    /// Nobody will ask for code any more.
    pub fn stop(&self) {
        self.over.store(true, Ordering::Relaxed);
    }
}
