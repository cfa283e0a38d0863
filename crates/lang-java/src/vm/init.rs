//! Initialisation of classes. Those of the library are initialised in a world of their own, before
//! everything as it were: what their initialisers make belongs to the base.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::{Failure, Run, Trap, Worker};
use crate::classfile::{Const, flags};
use crate::heap::{CLASS, Place};
use crate::link::{Class, Method, STATIC_HEADER};

/// The second word of statics: the state of initialisation.
const STATE: u32 = 1;
const DONE: u32 = 1;
/// With the number of the thread added. An initialiser that failed leaves the text of its exception: an
/// object of the base.
const RUNNING: u32 = 3;

fn has_failed(state: u32) -> bool {
    state & crate::heap::BASE != 0
}

impl Worker {
    /// The name of the thread that runs.
    fn current_name(&self) -> Run<String> {
        let thread = self.thread(self.current, super::header::OBJECT);
        if thread == 0 {
            return Ok("main".to_owned());
        }
        self.text_of(self.get(thread, self.field_of(thread, "name")?.slot))
    }

    /// Whether a class can be used; if not, its initialiser was begun and the instruction is to be
    /// executed again.
    #[inline]
    pub fn initialise(&mut self, class: &'static Class) -> Run<bool> {
        let place = self.heap.statics(&self.vm.base, class.id);
        if !place.is_none() && self.heap.word(&self.vm.dictionary, place, STATE) == DONE {
            if self.notes {
                self.touch_class(class, false);
            }
            return Ok(true);
        }
        self.begin_class(class)
    }

    #[cold]
    fn begin_class(&mut self, class: &'static Class) -> Run<bool> {
        if class.library && !self.for_base {
            self.initialise_library(class)?;
            return Ok(true);
        }
        let place = self.heap.statics(&self.vm.base, class.id);
        if !place.is_none() {
            match self.heap.word(&self.vm.dictionary, place, STATE) {
                state if has_failed(state) => {
                    self.touch_class(class, false);
                    return Err(self.cannot_be_initialised(class, state)?);
                }
                state if state == RUNNING + self.current as u32 => return Ok(true),
                _ => {
                    self.touch_class(class, false);
                    self.wait_for_class(class);
                    return Err(Trap::Pause);
                }
            }
        }
        if !class.library && !class.hidden {
            self.verify(class)?;
        }
        if let Some(initialiser) = class.linked().initialiser {
            if class.space != 0
                && let Ok(code) = initialiser.code()
            {
                self.ask_for_handlers(initialiser, code)?;
            }
            self.stops()?;
            self.touch_class(class, true);
        }
        self.start_initialiser(class)?;
        Ok(false)
    }

    /// Looks at the code of all methods before the class is initialised.
    fn verify(&mut self, class: &'static Class) -> Run<()> {
        for method in &class.linked().methods {
            if let Some(text) = overrides_final(class, method) {
                return Err(self.throw("java/lang/IncompatibleClassChangeError", Some(&text)));
            }
            if method.is(flags::ABSTRACT) || method.is(flags::NATIVE) {
                continue;
            }
            let code = method.code().map_err(super::invoke::not_verified)?;
            self.check_code(method, code)?;
            // What is caught has to be there. Loaders of the program are asked when it is needed.
            for handler in code.handlers.iter().filter(|h| h.class != 0 && class.space == 0) {
                if let Err(error) = class.class_at(&self.vm.registry, handler.class) {
                    return Err(self.link_failure(error));
                }
            }
        }
        Ok(())
    }

    /// Whether the current thread runs the initialiser of a class: all others wait for that.
    #[inline]
    pub fn initialises(&self, class: &'static Class) -> bool {
        let place = self.heap.statics(&self.vm.base, class.id);
        let state = self.heap.word(&self.vm.dictionary, place, STATE);
        state == RUNNING + self.current as u32
    }

    /// What a class whose initialiser failed is answered with.
    fn cannot_be_initialised(&mut self, class: &'static Class, reason: u32) -> Run<Trap> {
        let reason = self.text_of(reason)?;
        let cause =
            self.new_throwable("java/lang/ExceptionInInitializerError", Some(&reason), None)?;
        let text = format!("Could not initialize class {}", class.get_name());
        let error =
            self.new_throwable("java/lang/NoClassDefFoundError", Some(&text), Some(cause))?;
        Ok(Trap::Throw(error))
    }

    /// Whether another thread is initialising a class.
    pub fn is_being_initialised(&self, class: u32, by_other_than: usize) -> bool {
        let place = self.heap.statics(&self.vm.base, class);
        if place.is_none() {
            return false;
        }
        let state = self.heap.word(&self.vm.dictionary, place, STATE);
        state >= RUNNING && !has_failed(state) && state != RUNNING + by_other_than as u32
    }

    /// A class that the virtual machine made is initialised at once, for all states.
    pub fn initialise_made(&mut self, class: &'static Class) -> Run<()> {
        debug_assert!(class.linked().initialiser.is_none());
        let content = [class.id, DONE];
        let number = self.vm.dictionary.intern(&content)?;
        self.vm.base.fill_statics(class.id as usize + 1);
        if let Some(known) = self.vm.base.statics.get(class.id as usize) {
            known.store(number, Ordering::Release);
        }
        Ok(())
    }

    /// Marks a class and lets its initialiser run; it begins with those of its superclasses.
    fn start_initialiser(&mut self, class: &'static Class) -> Run<()> {
        let linked = class.linked();
        let mut content = vec![0; linked.static_words as usize];
        content[0] = class.id;
        content[STATE as usize] = RUNNING + self.current as u32;
        self.constants(class, &mut content)?;
        let place = self.heap.new_content(&content);
        self.heap.set_statics(class.id, place);
        match linked.initialiser {
            Some(method) => {
                let code = match method.code() {
                    Ok(code) => code,
                    Err(text) => return Err(super::invoke::not_verified(text)),
                };
                self.check_code(method, code)?;
                self.push_frame(method, code);
            }
            None => self.set_state(class, DONE),
        }
        Ok(())
    }

    /// What an initialiser begins with: the superclass and the interfaces with default methods are
    /// initialised, in this order. What is thrown there ends the initialiser, too.
    pub(super) fn initialise_parents(&mut self) -> Run<()> {
        let class = self.top.method.class;
        let mut parents = Vec::new();
        if !class.is_interface() {
            parents.extend(class.super_class);
            class.interfaces.iter().for_each(|interface| collect(interface, &mut parents));
        }
        for parent in parents {
            if !self.initialise(parent)? {
                return Ok(());
            }
        }
        self.next();
        Ok(())
    }

    fn set_state(&mut self, class: &'static Class, state: u32) {
        let place = self.heap.statics(&self.vm.base, class.id);
        let own = self.heap.own(&self.vm.dictionary, place);
        if own != place {
            self.heap.set_statics(class.id, own);
        }
        self.heap.write(own, STATE, state);
    }

    /// The initialiser of a class returned.
    pub(super) fn initialised(&mut self, class: &'static Class) -> Run<()> {
        self.note_initialised(class);
        self.touch_class(class, true);
        self.set_state(class, DONE);
        Ok(())
    }

    /// The initialiser of a class threw an exception; what is thrown instead.
    pub(super) fn initialisation_failed(
        &mut self,
        class: &'static Class,
        exception: u32,
    ) -> Run<u32> {
        let thread = self.current_name()?;
        let text = self.throwable_text(exception)?;
        let reason = self.literal(&format!("Exception {text} [in thread \"{thread}\"]"))?;
        self.touch_class(class, true);
        self.set_state(class, reason);
        let error = self.class("java/lang/Error")?;
        if self.class_of(exception).is_subtype_of(error) {
            return Ok(exception);
        }
        self.new_throwable("java/lang/ExceptionInInitializerError", None, Some(exception))
    }

    /// Writes the constants of static fields.
    fn constants(&mut self, class: &'static Class, content: &mut [u32]) -> Run<()> {
        let Some(file) = &class.file else { return Ok(()) };
        let broken = |error: crate::classfile::Malformed| {
            Trap::Fail(Failure::Broken(format!("class file of {}: {error}", class.name)))
        };
        for field in class.linked().fields.iter().filter(|field| field.is(flags::STATIC)) {
            let constant = file.constant_value(&file.fields[field.index]).map_err(broken)?;
            let slot = field.slot as usize;
            match constant.map(|index| file.pool.get(index)) {
                Some(Const::Integer(bits) | Const::Float(bits)) if field.kind.words() == 1 => {
                    content[slot] = bits;
                }
                Some(Const::Long(bits) | Const::Double(bits)) if field.kind.words() == 2 => {
                    content[slot] = bits as u32;
                    content[slot + 1] = (bits >> 32) as u32;
                }
                Some(Const::String(text)) if field.kind.is_reference() => {
                    let chars = file.pool.chars(&file.bytes, text).map_err(broken)?;
                    content[slot] = self.intern(&chars)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Initialises a class of the library, in the world that all states share.
    pub fn initialise_library(&mut self, class: &'static Class) -> Run<()> {
        if self.for_base {
            // The initialiser that runs here may look at what is not finished.
            if self.heap.statics(&self.vm.base, class.id).is_none() {
                return self.run_nested(class);
            }
            return Ok(());
        }
        if self.vm.base.static_of(class.id) != 0 {
            return Ok(());
        }
        let vm = std::sync::Arc::clone(&self.vm);
        let _guard = vm.initialising.lock().unwrap_or_else(PoisonError::into_inner);
        if vm.base.static_of(class.id) != 0 {
            return Ok(());
        }
        let mut worker = Worker::for_base(&vm)?;
        worker.run_nested(class)?;
        worker.promote()
    }

    /// Runs the initialiser of a class to its end.
    fn run_nested(&mut self, class: &'static Class) -> Run<()> {
        let depth = self.frames.len();
        let saved = self.top;
        // A frame of its own: the initialisers return to it.
        self.start_initialiser(class)?;
        if self.frames.len() > depth {
            let outer = std::mem::replace(&mut self.stop_at, depth);
            let trap = self.run();
            self.stop_at = outer;
            match trap {
                Trap::Pause if self.frames.len() == depth => {}
                Trap::Throw(exception) => {
                    let text = self.throwable_story(exception)?;
                    return self.unsupported(format!("initialising {}: {text}", class.name));
                }
                Trap::Pause => {
                    return self.unsupported(format!("initialising {}: it waits", class.name));
                }
                trap => return Err(trap),
            }
        }
        debug_assert_eq!(self.top.pc, saved.pc);
        Ok(())
    }

    /// Makes what initialisers made a part of the base.
    pub(super) fn promote(&mut self) -> Run<()> {
        let vm = std::sync::Arc::clone(&self.vm);
        vm.base.fill_statics(vm.registry.class_count());
        // Objects get their numbers in the order in which they are reached.
        let mut numbers = vec![0; self.heap.objects.len()];
        let mut order: Vec<u32> = Vec::new();
        let mut content = Vec::new();
        let mut known = self.heap.known.clone();
        known.sort_unstable();
        let mut deviations = self.heap.deviations.clone();
        deviations.sort_unstable();
        let mut visit =
            |worker: &Worker, content: &mut [u32], slots: &[u32], order: &mut Vec<u32>| {
                for &slot in slots {
                    let reference = content[slot as usize];
                    if reference == 0 || reference & crate::heap::BASE != 0 {
                        continue;
                    }
                    let number = &mut numbers[worker.heap.dense(reference)];
                    if *number == 0 {
                        *number = worker.vm.base.add(0);
                        order.push(reference);
                    }
                    content[slot as usize] = *number;
                }
            };
        let mut finished: Vec<(u32, u32)> = Vec::new();
        let mut statics: Vec<(u32, u32)> = Vec::new();
        for &class in &known {
            let place = self.heap.statics(&vm.base, class);
            if place.number().is_some() {
                continue;
            }
            content.clear();
            self.heap.read(&vm.dictionary, place, &mut content);
            let class = vm.registry.class_of(class);
            visit(self, &mut content, &class.linked().static_references, &mut order);
            statics.push((class.id, vm.dictionary.intern(&content)?));
        }
        let mut pending: Vec<u32> = deviations.iter().map(|&i| i | crate::heap::BASE).collect();
        let mut done = 0;
        loop {
            let reference = if let Some(reference) = pending.pop() {
                reference
            } else if done < order.len() {
                done += 1;
                order[done - 1]
            } else {
                break;
            };
            let place: Place = self.heap.place(&vm.base, reference);
            content.clear();
            self.heap.read(&vm.dictionary, place, &mut content);
            let class = vm.registry.class_of(content[CLASS as usize]);
            let slots = Worker::reference_slots(class, &content);
            visit(self, &mut content, &slots, &mut order);
            finished.push((reference, vm.dictionary.intern(&content)?));
        }
        for (reference, number) in finished {
            let index = if reference & crate::heap::BASE != 0 {
                reference
            } else {
                numbers[self.heap.dense(reference)]
            };
            if let Some(object) = vm.base.objects.get((index & !crate::heap::BASE) as usize) {
                object.store(number, Ordering::Release);
            }
        }
        for (class, number) in statics {
            if let Some(known) = vm.base.statics.get(class as usize) {
                known.store(number, Ordering::Release);
            }
        }
        vm.base.changed();
        self.heap.clear();
        Ok(())
    }

    /// Where a content of an object has references.
    pub fn reference_slots(class: &'static Class, content: &[u32]) -> Vec<u32> {
        if class.has_reference_elements() {
            (crate::heap::ELEMENTS..content.len() as u32).collect()
        } else {
            class.linked().references.clone()
        }
    }
}

/// What is wrong with a method that replaces one which may not be replaced.
fn overrides_final(class: &Class, method: &Method) -> Option<String> {
    let parent = class.super_class?;
    let own = !method.is_static() && !method.is(flags::PRIVATE) && !method.name.starts_with('<');
    let replaced = parent.linked().virtuals.get(&method.selector).filter(|_| own)?;
    let package = |class: &Class| class.name.rsplit_once('/').map(|(name, _)| name.to_owned());
    let seen = replaced.is(flags::PUBLIC)
        || replaced.is(flags::PROTECTED)
        || package(class) == package(replaced.class);
    let wrong = replaced.is(flags::FINAL) && !replaced.is(flags::PRIVATE) && seen;
    wrong.then(|| {
        let (class, of, name) = (class.get_name(), replaced.class.get_name(), &method.name);
        format!("class {class} overrides final method {of}.{name}{}", method.text)
    })
}

/// Interfaces that are initialised with a class that implements them.
fn collect(interface: &'static Class, into: &mut Vec<&'static Class>) {
    interface.interfaces.iter().for_each(|parent| collect(parent, into));
    let mut methods = interface.linked().methods.iter();
    let has_default = methods.any(|method| !method.is_static() && !method.is(flags::ABSTRACT));
    if has_default && !into.contains(&interface) {
        into.push(interface);
    }
}

const _: () = assert!(STATIC_HEADER == STATE + 1);
