//! One run of a program as events: who reads and writes what, takes and gives back locks, starts and joins
//! threads. Objects, threads and places have numbers that stay the same for the whole run.

use everypath_model::{Event, ModelError, Operation, Rng};
use rustc_hash::FxHashMap;

use super::pending::{CACHES, is_concurrent_library, is_of_program, is_unsafe_library};
use crate::classfile::flags;
use crate::describe::{frame_text, simple_name};
use crate::heap::BASE;
use crate::link::{Class, Field};
use crate::program::{Program, failed};
use crate::vm::{Failure, Frame, Run, Trap, Worker, header};

/// The most events of a run.
const MOST_EVENTS: usize = 4_000_000;

/// What can be accessed: an object or class, and which part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// A word of an object.
    Slot(u32, u32),
    /// An element of an array.
    Element(u32, u32),
    /// A static field, by its class.
    Static(u32, u32),
    /// The initialisation of a class.
    Class(u32),
}

/// The events of a run so far.
#[derive(Default)]
pub(crate) struct Log {
    events: Vec<Event>,
    /// The numbers of objects, by the references that they have now.
    objects: FxHashMap<u32, u32>,
    next_object: u32,
    /// The numbers of locks are those of their objects; what they are called.
    locks: FxHashMap<u32, String>,
    parts: FxHashMap<Part, u32>,
    locations: Vec<String>,
    /// The number of the thread in each place for threads.
    threads: Vec<u32>,
    thread_names: Vec<String>,
    /// By the numbers of their objects.
    thread_objects: FxHashMap<u32, u32>,
    site_numbers: FxHashMap<(u32, u32), u32>,
    sites: Vec<(u32, u32)>,
    full: bool,
}

impl Log {
    fn object(&mut self, reference: u32) -> u32 {
        if reference & BASE != 0 {
            return reference;
        }
        let next = &mut self.next_object;
        *self.objects.entry(reference).or_insert_with(|| {
            *next += 1;
            *next
        })
    }

    fn location(&mut self, part: Part, name: impl FnOnce() -> String) -> u32 {
        let locations = &mut self.locations;
        *self.parts.entry(part).or_insert_with(|| {
            locations.push(name());
            locations.len() as u32 - 1
        })
    }

    fn site(&mut self, place: (u32, u32)) -> u32 {
        let sites = &mut self.sites;
        *self.site_numbers.entry(place).or_insert_with(|| {
            sites.push(place);
            sites.len() as u32 - 1
        })
    }

    fn push(&mut self, thread: u32, operation: Operation, place: (u32, u32)) {
        if self.events.len() >= MOST_EVENTS {
            self.full = true;
            return;
        }
        let site = self.site(place);
        self.events.push(Event { thread, operation, site });
    }

    /// Objects have other numbers now that a state was written.
    fn after(&mut self, worker: &Worker) {
        let old = std::mem::take(&mut self.objects).into_iter();
        let now = old.filter_map(|(object, id)| Some((worker.number_in_vector(object)?, id)));
        self.objects = now.collect();
    }
}

impl Worker {
    /// The innermost frame of the program, or the current one.
    fn log_place(&self) -> (u32, u32) {
        let own = |frame: &&Frame| !frame.method.class.library && !frame.method.class.hidden;
        let frames = std::iter::once(&self.top).chain(self.frames.iter().rev());
        let found = frames.into_iter().find(own).unwrap_or(&self.top);
        (found.method.id, found.pc)
    }

    /// Whether an access without synchronisation is made by the program, or by the library in its stead.
    fn is_programs_access(&self) -> bool {
        let class = self.top.method.class;
        if !class.library {
            return !class.hidden;
        }
        is_unsafe_library(class) && self.acts_for_program()
    }

    /// Whether the program called what runs, and nothing in between takes care of its own synchronisation.
    fn acts_for_program(&self) -> bool {
        for frame in self.frames.iter().rev() {
            let class = frame.method.class;
            if is_concurrent_library(class) {
                return false;
            }
            if !class.library && !class.hidden {
                return &*class.name != crate::vm::OWN_CLASS;
            }
        }
        false
    }

    /// Whether the library works on an array that the program handed to it in the call that is going on.
    fn is_handed_over(&self, array: u32) -> bool {
        let mut called = &self.top;
        for frame in self.frames.iter().rev() {
            if is_of_program(frame.method.class) {
                let words = &self.stack[called.locals..called.sp];
                return self.acts_for_program() && words.contains(&array);
            }
            called = frame;
        }
        false
    }

    #[cold]
    fn note(&mut self, operation: impl FnOnce(&mut Log) -> Operation) {
        let place = self.log_place();
        let Some(log) = &mut self.log else { return };
        let Some(&thread) = log.threads.get(self.current) else { return };
        let operation = operation(log);
        log.push(thread, operation, place);
    }

    /// Notes that a field is accessed. The object of a static field is 0.
    #[cold]
    pub(crate) fn note_field(&mut self, field: &'static Field, object: u32, write: bool) {
        self.touch_field(field, object, write);
        if self.for_base || self.log.is_none() {
            return;
        }
        let class = field.class.id;
        let name = || format!("{}.{}", simple_name(field.class), field.name);
        if field.is(flags::STATIC) {
            if self.initialises(field.class) {
                return;
            }
            let about = || format!("the initialisation of {}", simple_name(field.class));
            self.note(|log| Operation::Observe(log.location(Part::Class(class), about)));
        } else if &*field.name == "exclusiveOwnerThread" && write {
            let taken = self.peek(1) != 0;
            let name = simple_name(self.class_of(object));
            self.note(|log| {
                let lock = log.object(object);
                log.locks.entry(lock).or_insert(name);
                if taken { Operation::Acquire(lock) } else { Operation::Release(lock) }
            });
            return;
        }
        let part = |log: &mut Log| match object {
            0 => Part::Static(class, field.slot),
            _ => Part::Slot(log.object(object), field.slot),
        };
        if field.is(flags::VOLATILE) {
            let ended = !write && &*field.name == "eetop" && self.get(object, field.slot) == 0;
            self.note(|log| {
                let part = part(log);
                let location = log.location(part, name);
                if write { Operation::Publish(location) } else { Operation::Observe(location) }
            });
            if ended {
                self.note_join(object);
            }
            return;
        }
        let cache = CACHES.contains(&&*field.name) || field.is(flags::STATIC);
        let library = self.top.method.class.library;
        if field.is(flags::FINAL) || field.quiet {
            return;
        }
        let by_handle = self.top.method.class.hidden && is_of_program(field.class);
        let counts = match by_handle {
            true => self.acts_for_program(),
            false => !(library && cache) && self.is_programs_access(),
        };
        if !counts {
            return;
        }
        self.note(|log| {
            let part = part(log);
            let location = log.location(part, name);
            if write { Operation::Write(location) } else { Operation::Read(location) }
        });
    }

    /// Notes that elements of an array are accessed.
    #[cold]
    pub(crate) fn note_elements(&mut self, array: u32, from: u32, count: u32, write: bool) {
        self.touch_elements(array, from, count, write);
        if self.for_base
            || self.log.is_none()
            || !(self.is_programs_access() || self.is_handed_over(array))
        {
            return;
        }
        let class = self.class_of(array);
        for index in from..from + count {
            self.note(|log| {
                let part = Part::Element(log.object(array), index);
                let location = log.location(part, || array_name(class, index));
                if write { Operation::Write(location) } else { Operation::Read(location) }
            });
        }
    }

    /// Notes an access that orders threads: by Unsafe or a VarHandle.
    #[cold]
    pub(crate) fn note_atomic(&mut self, object: u32, class: u32, part: u32, write: bool) {
        let array = object != 0 && self.class_of(object).element().is_some();
        match array {
            true => {
                let size = self.class_of(object).element_bytes().max(1);
                self.touch_elements(object, part / size, 1, write);
            }
            false => self.touch_place(object, class, part, write),
        }
        if self.for_base || self.log.is_none() {
            return;
        }
        let name = || "an atomic access".to_owned();
        self.note(|log| {
            let part = match object {
                0 => Part::Static(class, part),
                _ if array => Part::Element(log.object(object), part),
                _ => Part::Slot(log.object(object), part),
            };
            Operation::Observe(log.location(part, name))
        });
        if write {
            self.note(|log| {
                let part = match object {
                    0 => Part::Static(class, part),
                    _ if array => Part::Element(log.object(object), part),
                    _ => Part::Slot(log.object(object), part),
                };
                Operation::Publish(log.location(part, name))
            });
        }
    }

    /// Notes that the monitor of an object is taken or given back.
    #[cold]
    pub(crate) fn note_monitor(&mut self, object: u32, taken: bool) {
        if self.for_base || self.log.is_none() {
            return;
        }
        let name = match self.name_of_lock(object) {
            Some(name) => name,
            None => simple_name(self.class_of(object)),
        };
        self.note(|log| {
            let lock = log.object(object);
            log.locks.entry(lock).or_insert(name);
            if taken { Operation::Acquire(lock) } else { Operation::Release(lock) }
        });
    }

    /// The static field that leads to a lock.
    fn name_of_lock(&self, object: u32) -> Option<String> {
        self.heap.known.iter().find_map(|&class| {
            let class = self.vm.registry.class_of(class);
            let mut fields = class.linked().fields.iter().filter(|field| {
                !class.library && field.is(flags::STATIC) && field.kind.is_reference()
            });
            let field = fields.find(|field| self.get_static(field, 0) == object)?;
            Some(format!("{}.{}", simple_name(class), field.name))
        })
    }

    /// Notes that a class is initialised.
    #[cold]
    pub(crate) fn note_initialised(&mut self, class: &'static Class) {
        if self.for_base || self.log.is_none() {
            return;
        }
        let about = || format!("the initialisation of {}", simple_name(class));
        self.note(|log| Operation::Publish(log.location(Part::Class(class.id), about)));
    }

    /// Notes that a thread is started, which has the place of this number.
    #[cold]
    pub(crate) fn note_start(&mut self, place: usize, object: u32) {
        if self.log.is_none() {
            return;
        }
        let name = self.thread_name(place);
        self.note(|log| {
            let child = log.thread_names.len() as u32;
            log.thread_names.push(name);
            if log.threads.len() <= place {
                log.threads.resize(place + 1, 0);
            }
            log.threads[place] = child;
            let object = log.object(object);
            log.thread_objects.insert(object, child);
            Operation::Start(child)
        });
    }

    /// Notes that a thread was seen to have ended.
    fn note_join(&mut self, object: u32) {
        let Some(log) = &mut self.log else { return };
        let object = log.object(object);
        if let Some(&child) = log.thread_objects.get(&object) {
            self.note(|_| Operation::Join(child));
        }
    }
}

fn array_name(class: &Class, index: u32) -> String {
    let name = class.java_name();
    match name.strip_suffix("[]") {
        Some(element) => format!("{}[{index}]", element.rsplit('.').next().unwrap_or(element)),
        None => name,
    }
}

/// Which of the moves of a state is made: thread and alternative.
type Pick<'a> = &'a mut dyn FnMut(&[(usize, u32)]) -> Option<(usize, u32)>;

/// A run with its events.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// What happened.
    pub events: Vec<Event>,
    /// The names of threads, by number.
    pub threads: Vec<String>,
    /// What locations are, by number: `Counter.count`, `int[3]`.
    pub locations: Vec<String>,
    /// What locks are called, by number.
    pub locks: FxHashMap<u32, String>,
    /// Places, by number, as lines of a stack trace.
    pub sites: Vec<String>,
    /// The same places, where the source is there: file and line.
    pub spans: Vec<Option<everypath_model::Span>>,
    /// How the run ended: `end`, `deadlock`, `steps`, or what could not be executed.
    pub ending: String,
    /// Whether there were more events than are kept.
    pub full: bool,
}

impl Program {
    /// Runs the program once and notes what happens; the seed decides who moves. A thread goes on for a
    /// while before another one gets its turn, as on a machine.
    pub fn record(
        &self,
        seed: u64,
        most_steps: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Recorded, ModelError> {
        loop {
            let mut random = Rng::new(seed);
            let mut last = 0;
            let mut pick = |moves: &[(usize, u32)]| {
                let own = moves.iter().copied().filter(|step| step.0 == last);
                let own: Vec<(usize, u32)> = own.collect();
                let chosen = match !own.is_empty() && random.chance(60) {
                    true => *random.pick(&own),
                    false => *random.pick(moves),
                };
                last = chosen.0;
                Some(chosen)
            };
            match self.record_by(most_steps, stop, &mut pick) {
                // What was assumed for a search was wrong.
                Err(Trap::Fail(Failure::Assumption(_))) if self.assume_less() => {}
                other => return other.map_err(failed),
            }
        }
    }

    /// Runs the program by who is to move, until nobody is, and notes what happens.
    pub(crate) fn record_by(
        &self,
        most_steps: usize,
        stop: &dyn Fn() -> bool,
        pick: Pick<'_>,
    ) -> Run<Recorded> {
        let mut worker = self.new_worker()?;
        let mut state = Vec::new();
        self.first_state(&mut worker, &mut state)?;
        worker.load(&state);
        let mut log = Log { threads: vec![0], ..Log::default() };
        log.thread_names.push(worker.thread_name(0));
        let object = worker.thread(0, header::OBJECT);
        let object = log.object(object);
        log.thread_objects.insert(object, 0);
        worker.log = Some(Box::new(log));
        worker.notes = true;
        let mut ending = "steps";
        for _ in 0..most_steps {
            worker.load(&state);
            if worker.exit.is_some() || worker.is_over() {
                ending = "end";
                break;
            }
            if stop() {
                break;
            }
            let moves = self.moves(&worker)?;
            let moves: Vec<(usize, u32)> =
                moves.iter().map(|m| (m.thread, m.alternative)).collect();
            if moves.is_empty() {
                ending = "deadlock";
                break;
            }
            let Some((thread, alternative)) = pick(&moves) else { break };
            worker.transition(thread, alternative)?;
            if worker.pruned {
                ending = "assumption";
                break;
            }
            worker.save(&mut state)?;
            if let Some(mut log) = worker.log.take() {
                log.after(&worker);
                worker.log = Some(log);
            }
        }
        let log = worker.log.take().unwrap_or_default();
        let method = |place: &(u32, u32)| self.vm.registry.method_of(place.0);
        Ok(Recorded {
            sites: log.sites.iter().map(|at| frame_text(method(at), at.1)).collect(),
            spans: log
                .sites
                .iter()
                .map(|at| self.names.span(&self.sources, method(at), at.1))
                .collect(),
            events: log.events,
            threads: log.thread_names,
            locations: log.locations,
            locks: log.locks,
            ending: ending.to_owned(),
            full: log.full,
        })
    }

    /// Runs the program by actions and notes what happens.
    pub fn record_run(&self, actions: &[everypath_model::Action]) -> Result<Recorded, ModelError> {
        // Only threads and alternatives are needed.
        let mut next = actions.iter();
        let mut pick = |moves: &[(usize, u32)]| {
            let action = next.next()?;
            let (_, _, alternative) = self.names.action_key(action.transition)?;
            let wanted = (action.process as usize, alternative);
            moves.contains(&wanted).then_some(wanted)
        };
        self.record_by(usize::MAX, &|| false, &mut pick).map_err(failed)
    }
}
