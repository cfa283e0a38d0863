//! The virtual machine: one worker executes one thread of one state at a time.

mod arrays;
mod boot;
mod checks;
mod clock;
mod cover;
mod cut;
mod delta;
mod fields;
mod init;
mod interpret;
mod invoke;
mod loading;
mod memo;
mod monitors;
mod npe;
mod numbers;
pub(crate) mod observe;
mod outside;
pub(crate) mod picks;
mod reach;
mod references;
pub(crate) mod regions;
pub(crate) mod rules;
mod shapes;
mod sites;
pub(crate) mod spurious;
mod state;
mod strings;
mod texts;
mod threads;
mod throw;
mod touched;

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use everypath_model::{Brake, Ended};
use rustc_hash::FxHashMap;

pub(crate) use self::boot::OWN_CLASS;
pub(crate) use self::clock::Uses;
pub(crate) use self::loading::LOADING_CLASS;
pub(crate) use self::outside::{LeftOut, Outside};
pub(crate) use self::state::{Origin, PREFIX, Roots, THREAD, Vector, thread_ends};
pub(crate) use self::threads::{Status, header};
pub(crate) use self::touched::{Thing, Touched};

use crate::code::{Code, Fate};
use crate::dynamic::Piece;
use crate::heap::append::Append;
use crate::heap::{Base, Dictionary, Full, HEADER, Heap, Place};
use crate::link::{Class, Field, LinkError, LoadError, Method, Registry};
use crate::races::Log;
use crate::reductions::{Numbering, Reductions};

/// Words of memory that one transition may use.
const MOST_WORDS: usize = 1 << 28;
/// How often a new object is there while it is made.
const COPIES: u64 = 3;
/// Bytes of a heap that are not worth a look at the limit.
const FREE_BYTES: u64 = 1 << 20;

/// What all workers share.
pub(crate) struct Vm {
    pub registry: Registry,
    pub dictionary: Dictionary,
    pub base: Base,
    /// Literals and interned strings: characters to objects of the base.
    pub strings: Mutex<FxHashMap<Vec<u16>, u32>>,
    /// The thread that initialisers of the library see.
    pub boot_thread: OnceLock<u32>,
    /// Objects of the base that were made by hand.
    pub fixed: Mutex<FxHashMap<String, u32>>,
    /// How texts are joined.
    pub recipes: Append<Vec<Piece>>,
    /// Held while an initialiser of the library runs.
    pub initialising: Mutex<()>,
    pub settings: Settings,
    /// A thread had as many frames as there may be.
    pub stack_met: AtomicBool,
    /// What happens without a reason.
    pub unreasoned: spurious::Unreasoned,
    /// What was found out about fields.
    pub rules: rules::Rules,
    /// What was found out about how time is used.
    pub uses: Uses,
    /// What is visible because the user asks for it.
    pub observed: observe::Observed,
    /// Text that the program may read.
    pub input: Vec<u8>,
    /// Ends what workers do.
    pub brake: Brake,
    /// Bytes of scratch memory of all workers, about.
    pub scratch: AtomicU64,
    /// The class that the program begins with, and its arguments.
    pub main: String,
    /// The classes of the program whose constants matter.
    pub program_classes: OnceLock<Vec<&'static Class>>,
}

/// What can be set.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// What is printed is a part of the state.
    pub output: bool,
    /// Instructions that one transition may take.
    pub budget: u64,
    /// The most frames of a thread; one more is a StackOverflowError.
    pub deepest: usize,
    pub reductions: Reductions,
    pub numbering: Numbering,
    /// What is executed is noted, instruction by instruction.
    pub coverage: bool,
    /// Accesses of two threads that nothing orders are faults.
    pub races: bool,
}

/// Why a worker stops.
#[derive(Debug)]
pub(crate) enum Trap {
    /// An exception is thrown: its object.
    Throw(u32),
    /// The thread stands before an instruction that others can notice, or waits.
    Pause,
    /// The thread ended.
    Ended,
    /// The program ends with this status.
    Exit(i32),
    /// The path does not count.
    Pruned,
    /// There are no instructions left that may be executed.
    Spent,
    /// The thread has gone on for long without a stop: a place for one is to be looked for.
    Cut,
    /// A loader of the program is to be asked for a class; then the instruction is executed again.
    Ask(Asked),
    /// The path cannot be followed.
    Fail(Failure),
}

/// Which loader is asked for which class: an object of the base.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub loader: u32,
    pub name: u32,
    /// Code refers to the class: that there is none is an error.
    pub linking: bool,
}

/// Why a path cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Something that is not modelled, by name.
    Unsupported(String),
    /// A class file is damaged.
    Broken(String),
    /// An error of linking: its class and message. The instruction throws it.
    Linkage(&'static str, String),
    /// A limit was reached.
    Limit(String),
    /// What was assumed of a field is wrong: the search has to begin again.
    Assumption(String),
    /// There is no memory for more contents of states.
    Full,
    /// Somebody ended it from outside.
    Ended(Ended),
}

/// Why a transition ends that takes too many instructions.
pub(crate) fn too_long() -> Trap {
    Trap::Fail(Failure::Limit("one transition took too many instructions".to_owned()))
}

pub(crate) type Run<T> = Result<T, Trap>;

impl From<Full> for Trap {
    fn from(_: Full) -> Trap {
        Trap::Fail(Failure::Full)
    }
}

/// A frame that waits for the one above it.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub method: &'static Method,
    pub code: &'static Code,
    pub pc: u32,
    /// Its first word in the stack.
    pub locals: usize,
    /// One past its last word.
    pub sp: usize,
}

/// What one engine thread executes with.
pub(crate) struct Worker {
    pub vm: Arc<Vm>,
    pub heap: Heap,
    /// The threads of the program by number; nowhere if a number is free.
    pub threads: Vec<Place>,
    /// The thread that runs.
    pub current: usize,
    /// There is no other thread.
    pub alone: bool,
    /// There is another thread, or there has been one: what was assumed of fields may be wrong.
    pub watches: bool,
    /// Nothing that others can notice has been done in this transition.
    pub fresh: bool,
    /// The thread begins the transition where it sleeps or is parked.
    pub rested: bool,
    /// The thread wakes up without a reason where it is parked.
    pub wakes: bool,
    /// What happened in the transition without a reason.
    pub unreasoned: Option<String>,
    /// The time that was over in the transition, in nanoseconds, and the method that waited for it.
    pub ran_out: Option<(u64, &'static str)>,
    /// The frame of the call that goes on as one step.
    pub region: usize,
    /// Which alternative of a choice is taken.
    pub alternative: u32,
    /// Frames below the current one.
    pub frames: Vec<Frame>,
    /// The current frame.
    pub top: Frame,
    pub stack: Vec<u32>,
    /// Instructions that a transition may take.
    pub limit: u64,
    /// Instructions left in this transition.
    pub budget: u64,
    /// Execution stops where so many are left.
    pub floor: u64,
    /// How often the thread was stopped in the middle of this stretch.
    cuts: u32,
    /// What is looked for before it is stopped again.
    cut: Option<Box<cut::Cut>>,
    /// Bytes of scratch memory that the others know of.
    accounted: u64,
    /// Instructions executed.
    pub executed: u64,
    /// An initialiser that returns to so few frames stops the worker.
    pub stop_at: usize,
    /// Runs initialisers of the library: what they make belongs to the base.
    pub for_base: bool,
    /// What was printed, with the stream: 1 or 2.
    pub output: Vec<(u8, Vec<u8>)>,
    /// The number of the output so far, if it is a part of the state.
    pub printed: u32,
    /// How far the input was read.
    pub read: u32,
    /// The number of what the clock shows; 0 if the program has not looked at it.
    pub clock: u32,
    /// Exceptions that nobody caught in this transition.
    pub uncaught: Vec<Uncaught>,
    /// The program ended with this status.
    pub exit: Option<i32>,
    /// The main thread ended by an exception.
    pub main_failed: bool,
    /// Time has passed for the current thread.
    pub late: bool,
    /// An assumption was not met: what was done does not count.
    pub pruned: bool,
    /// Why not all alternatives of a choice are tried, if they are not.
    pub left_out: Option<LeftOut>,
    /// What becomes of what calls give, by method and instruction.
    pub fates: FxHashMap<(u32, u32), Fate>,
    /// An alternative of a choice was just taken.
    picked: bool,
    /// What choices gave, if somebody wants to know.
    pub picks: Option<Box<picks::Picks>>,
    /// Objects that were notified in this transition while nobody waited, and while several did, so that
    /// others still wait.
    pub unheard: Vec<u32>,
    pub halfheard: Vec<u32>,
    /// Where objects were made, if somebody wants to know: the object, method and instruction.
    pub births: Option<Vec<(u32, (u32, u32))>>,
    /// What happens, if somebody wants to know.
    pub log: Option<Box<Log>>,
    /// The elements of a collection of which an iterator is being made whose order is another one in each run.
    pub salted: Vec<u32>,
    /// What is touched, if somebody wants to know.
    pub touched: Option<Box<Touched>>,
    /// Somebody wants to know one or the other.
    pub notes: bool,
    pub roots: Roots,
    /// Who notes events, one instruction at a time.
    pub watch: Option<Box<crate::extract::Watch>>,
    pub origin: Origin,
    /// What the last transition did to the state.
    pub effect: delta::Effect,
    pub memo: memo::Memo,
    /// The transition depends on more than its thread and what was noted as read.
    pub looked: Cell<bool>,
    /// Instructions of transitions that were known.
    pub spared: u64,
    /// The space of the class that something is made for.
    pub space: u32,
    /// Who runs only looks at the state.
    pub observes: bool,
    /// Events that the user asks for, in this transition.
    pub happened: Vec<u32>,
}

/// An exception that left a thread.
#[derive(Clone, Debug)]
pub(crate) struct Uncaught {
    /// `java.lang.IllegalStateException: text`.
    pub text: String,
    /// Its class.
    pub class: String,
    /// An AssertionError.
    pub assertion: bool,
    /// Where it was thrown: method and instruction.
    pub place: Option<(u32, u32)>,
    /// The name of the thread.
    pub thread: String,
    /// Where it came from: methods and instructions, innermost first.
    pub trace: Vec<(u32, u32)>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.vm.scratch.fetch_sub(self.accounted, Ordering::Relaxed);
    }
}

impl Worker {
    pub fn new(vm: &Arc<Vm>, nothing: Frame) -> Worker {
        Worker {
            vm: Arc::clone(vm),
            heap: Heap::new(!vm.settings.reductions.local),
            threads: Vec::new(),
            current: 0,
            alone: true,
            watches: false,
            fresh: true,
            rested: false,
            wakes: false,
            unreasoned: None,
            ran_out: None,
            region: regions::NONE,
            alternative: 0,
            frames: Vec::new(),
            top: nothing,
            stack: Vec::new(),
            limit: vm.settings.budget,
            budget: 0,
            floor: 0,
            cuts: 0,
            cut: None,
            accounted: 0,
            executed: 0,
            stop_at: usize::MAX,
            for_base: false,
            output: Vec::new(),
            printed: 0,
            read: 0,
            clock: 0,
            uncaught: Vec::new(),
            exit: None,
            main_failed: false,
            late: false,
            pruned: false,
            left_out: None,
            fates: FxHashMap::default(),
            picked: false,
            picks: None,
            unheard: Vec::new(),
            halfheard: Vec::new(),
            births: None,
            log: None,
            salted: Vec::new(),
            touched: None,
            notes: false,
            roots: Roots::default(),
            watch: None,
            origin: Origin::default(),
            effect: delta::Effect::default(),
            memo: memo::Memo::default(),
            looked: Cell::new(false),
            spared: 0,
            space: 0,
            observes: false,
            happened: Vec::new(),
        }
    }

    /// Tells the others how much scratch memory there is.
    pub(crate) fn account(&mut self) {
        let now = self.heap.bytes();
        self.vm.scratch.fetch_add(now.wrapping_sub(self.accounted), Ordering::Relaxed);
        self.accounted = now;
    }

    /// A failure that names something that is not modelled.
    pub fn unsupported<T>(&self, what: impl Into<String>) -> Run<T> {
        Err(Trap::Fail(Failure::Unsupported(what.into())))
    }

    pub fn class(&self, name: &str) -> Run<&'static Class> {
        if self.space != 0
            && let Ok(class) = self.vm.registry.class_in(self.space, name)
        {
            return Ok(class);
        }
        match self.vm.registry.class(name) {
            Ok(class) => Ok(class),
            Err(error) => Err(self.load_failure(error)),
        }
    }

    pub(crate) fn load_failure(&self, error: LoadError) -> Trap {
        Trap::Fail(match error {
            LoadError::Missing(name) => Failure::Linkage("java/lang/NoClassDefFoundError", name),
            LoadError::Broken(text) => Failure::Linkage("java/lang/ClassFormatError", text),
            LoadError::Other(class, text) => Failure::Linkage(class, text),
        })
    }

    /// An error of linking, thrown where it belongs to the program.
    pub fn link_failure(&mut self, error: LinkError) -> Trap {
        match error {
            LinkError::Load(LoadError::Missing(name)) => {
                self.throw("java/lang/NoClassDefFoundError", Some(&name))
            }
            LinkError::Load(error) => self.load_failure(error),
            LinkError::Throw(class, text) => self.throw(class, Some(&text)),
        }
    }

    // Words of objects and statics.

    #[inline]
    pub fn get(&self, object: u32, slot: u32) -> u32 {
        let place = self.heap.place(&self.vm.base, object);
        self.heap.word(&self.vm.dictionary, place, slot)
    }

    #[inline]
    pub fn set(&mut self, object: u32, slot: u32, value: u32) {
        let place = self.heap.place_mut(&self.vm.base, &self.vm.dictionary, object);
        self.heap.write(place, slot, value);
    }

    pub fn get_long(&self, object: u32, slot: u32) -> u64 {
        u64::from(self.get(object, slot)) | u64::from(self.get(object, slot + 1)) << 32
    }

    pub fn set_long(&mut self, object: u32, slot: u32, value: u64) {
        self.set(object, slot, value as u32);
        self.set(object, slot + 1, (value >> 32) as u32);
    }

    /// Writes a reference; what becomes reachable by other threads is noted.
    #[inline]
    pub fn set_reference(&mut self, object: u32, slot: u32, value: u32) {
        if !self.alone && self.is_shared(object) {
            self.share(value);
        }
        self.set(object, slot, value);
    }

    pub fn get_static(&self, field: &Field, word: u32) -> u32 {
        let place = self.heap.statics(&self.vm.base, field.class.id);
        self.heap.word(&self.vm.dictionary, place, field.slot + word)
    }

    pub fn set_static(&mut self, field: &Field, word: u32, value: u32) {
        let class = field.class.id;
        let place = self.heap.statics(&self.vm.base, class);
        let own = self.heap.own(&self.vm.dictionary, place);
        if own != place {
            self.heap.set_statics(class, own);
        }
        self.heap.write(own, field.slot + word, value);
    }

    #[inline]
    pub fn class_of(&self, object: u32) -> &'static Class {
        self.vm.registry.class_of(self.get(object, crate::heap::CLASS))
    }

    /// Makes an instance without running a constructor.
    pub fn new_instance(&mut self, class: &'static Class) -> Run<u32> {
        let words = class.linked().words.max(HEADER);
        self.check_room(words)?;
        let object = self.heap.allocate(class.id, words);
        self.note_site()?;
        self.note_birth(object);
        Ok(object)
    }

    /// Notes where the program makes an object.
    #[inline]
    pub(crate) fn note_birth(&mut self, object: u32) {
        if let Some(births) = &mut self.births {
            let mut frames = self.frames.iter().rev();
            let own = |frame: &Frame| !frame.method.class.library;
            let site = if own(&self.top) { Some(&self.top) } else { frames.find(|f| own(f)) };
            let site = site.unwrap_or(&self.top);
            births.push((object, (site.method.id, site.pc)));
        }
    }

    pub(crate) fn check_room(&self, words: u32) -> Run<()> {
        let objects = self.heap.objects.len() >= crate::heap::MOST_OBJECTS;
        if objects || self.heap.used() + words as usize > MOST_WORDS {
            let text = "one transition used too much memory";
            return Err(Trap::Fail(Failure::Limit(text.to_owned())));
        }
        // A large object is often made of a copy, and noted as a change.
        let bytes = 4 * (self.heap.used() as u64 + COPIES * u64::from(words));
        if bytes > FREE_BYTES && !self.vm.brake.allows(bytes) {
            return Err(Trap::Fail(Failure::Ended(Ended::Memory)));
        }
        Ok(())
    }

    /// A field of a library class that is known to exist.
    pub fn library_field(&self, class: &'static Class, name: &str) -> Run<&'static Field> {
        match class.field(name) {
            Some(field) => Ok(field),
            None => self.unsupported(format!("this JDK: {} has no field {name}", class.name)),
        }
    }

    pub fn field_of(&self, object: u32, name: &str) -> Run<&'static Field> {
        self.library_field(self.class_of(object), name)
    }

    // What others can notice.

    /// Whether other threads may reach an object.
    #[inline]
    pub fn is_shared(&self, object: u32) -> bool {
        if object & crate::heap::BASE != 0 {
            return true;
        }
        self.heap.shared[self.heap.dense(object)]
    }

    /// Whether only one thread can reach an object now, but others could earlier.
    #[inline]
    pub fn is_published(&self, object: u32) -> bool {
        object != 0 && self.get(object, crate::heap::HASH) & crate::heap::PUBLISHED != 0
    }

    /// Whether the thread may do something that others can notice without a stop before it.
    #[inline]
    pub fn goes_on(&self) -> bool {
        self.fresh || self.thread(self.current, header::ATOMIC) > 0 || self.in_region()
    }

    /// Stops before something that others can notice, unless it is what the transition begins with. What that is
    /// is not told: it may depend on everything.
    pub fn visible(&mut self) -> Run<()> {
        self.stops()?;
        self.note_touch(Thing::World, everypath_model::Access::Write);
        Ok(())
    }

    /// The same for what is noted by itself.
    #[inline]
    pub fn stops(&mut self) -> Run<()> {
        if self.alone {
            return Ok(());
        }
        if self.goes_on() {
            self.fresh = false;
            return Ok(());
        }
        Err(Trap::Pause)
    }

    /// Stops before an access to an object, if others can notice it.
    #[inline]
    pub fn touch(&mut self, object: u32) -> Run<()> {
        if !self.alone && self.is_shared(object) {
            self.stops()?;
        }
        self.touch_all(object, true);
        Ok(())
    }
}
