//! Calls, returns and exceptions.

use std::sync::atomic::Ordering;

use super::loading::ASK;
use super::regions::Region;
use super::{Failure, Frame, Run, Trap, Worker};
use crate::classfile::{Const, flags};
use crate::code::Insn;
use crate::dynamic::Site;
use crate::link::{Class, Method, Resolved};
use crate::peers::{self, Args, Done};

impl Worker {
    pub fn class_at(&mut self, index: u16) -> Run<&'static Class> {
        let class = self.top.method.class;
        if class.space != 0 {
            self.ask_for_constant(class, index)?;
        }
        if let Some(Resolved::Class(found)) = class.pool[usize::from(index)].get() {
            return Ok(found);
        }
        class.class_at(&self.vm.registry, index).map_err(|error| self.link_failure(error))
    }

    /// The object of a loaded constant; `None` for one that code makes.
    pub(super) fn constant(&mut self, index: u16) -> Run<Option<u32>> {
        let class = self.top.method.class;
        match class.pool[usize::from(index)].get() {
            Some(Resolved::Object(object)) => return Ok(Some(*object)),
            Some(Resolved::Class(found)) if class.space == 0 => {
                return self.mirror(found).map(Some);
            }
            Some(Resolved::Held(_)) => return Ok(None),
            _ => {}
        }
        let broken = |error: crate::classfile::Malformed| {
            Trap::Fail(Failure::Broken(format!("class file of {}: {error}", class.name)))
        };
        let Some(file) = &class.file else { return self.unsupported("a constant without a file") };
        match file.pool.get(index) {
            Const::String(text) => {
                let chars = file.pool.chars(&file.bytes, text).map_err(broken)?;
                let string = self.intern(&chars)?;
                let _ = class.pool[usize::from(index)].set(Resolved::Object(string));
                Ok(Some(string))
            }
            Const::Class(_) => {
                let found = self.class_at(index)?;
                self.mirror(found).map(Some)
            }
            _ => Ok(None),
        }
    }

    pub(super) fn wide_constant(&mut self, index: u16) -> Run<u64> {
        let file = self.top.method.class.file.as_ref();
        match file.map(|file| file.pool.get(index)) {
            Some(Const::Long(bits) | Const::Double(bits)) => Ok(bits),
            _ => self.unsupported("a constant of an unknown kind"),
        }
    }

    #[inline]
    fn method_at(&mut self, index: u16) -> Run<&'static Method> {
        let class = self.top.method.class;
        if class.space != 0 {
            return self.method_of_loader(class, index);
        }
        if let Some(Resolved::Method(method)) = class.pool[usize::from(index)].get() {
            return Ok(method);
        }
        class.method_at(&self.vm.registry, index).map_err(|error| self.link_failure(error))
    }

    pub(super) fn invoke_virtual(&mut self, insn: Insn) -> Run<()> {
        let class = self.top.method.class;
        if let Some(Resolved::Site(site)) = class.pool[usize::from(insn.a)].get() {
            return self.call_handle(site);
        }
        if let Some(site) = self.handle_site(insn.a)? {
            return self.call_handle(site);
        }
        let method = self.method_at(insn.a)?;
        if method.is_static() {
            let text = format!("Expecting non-static method '{}'", describe(method));
            return Err(self.throw("java/lang/IncompatibleClassChangeError", Some(&text)));
        }
        let receiver = self.peek(method.words.max(1));
        if receiver == 0 {
            return Err(self.null_pointer());
        }
        let target = self.select(method, receiver)?;
        self.call(target)
    }

    /// The method that a call on an object leads to.
    pub fn select(&mut self, method: &'static Method, receiver: u32) -> Run<&'static Method> {
        if method.is(flags::PRIVATE) || method.is_static() {
            return Ok(method);
        }
        let class = self.class_of(receiver);
        // Classes of the program may have been compiled with other interfaces.
        let other = method.class.is_interface()
            && !class.library
            && !class.hidden
            && !class.is_subtype_of(method.class);
        match class.linked().virtuals.get(&method.selector) {
            Some(target) if !target.is(flags::ABSTRACT) && !other => Ok(target),
            _ if !class.is_subtype_of(method.class) => {
                let text = format!(
                    "Class {} does not implement the requested interface {}",
                    class.get_name(),
                    method.class.get_name()
                );
                Err(self.throw("java/lang/IncompatibleClassChangeError", Some(&text)))
            }
            _ => {
                let text = format!(
                    "Receiver class {} does not define or inherit an implementation of the resolved \
                     method '{}' of {} {}.",
                    class.get_name(),
                    describe(method),
                    if method.class.is_interface() { "interface" } else { "abstract class" },
                    method.class.get_name(),
                );
                Err(self.throw("java/lang/AbstractMethodError", Some(&text)))
            }
        }
    }

    pub(super) fn invoke_special(&mut self, insn: Insn) -> Run<()> {
        let method = self.method_at(insn.a)?;
        if method.is_static() {
            return Err(self.not_static(method, false));
        }
        if self.peek(method.words.max(1)) == 0 {
            return Err(self.null_pointer());
        }
        let caller = self.top.method.class;
        let mut target = method;
        // A call of a superclass's method finds the nearest one.
        if &*method.name != "<init>"
            && !method.is(flags::PRIVATE)
            && !method.class.is_interface()
            && method.class != caller
            && let Some(parent) = caller.super_class
            && let Some(found) = parent.linked().virtuals.get(&method.selector)
        {
            target = found;
        }
        if target.is(flags::ABSTRACT) {
            let text = target.java();
            return Err(self.throw("java/lang/AbstractMethodError", Some(&text)));
        }
        self.call(target)
    }

    pub(super) fn invoke_static(&mut self, insn: Insn) -> Run<()> {
        let method = self.method_at(insn.a)?;
        if !method.is_static() {
            return Err(self.not_static(method, true));
        }
        if !self.initialise(method.class)? {
            return Ok(());
        }
        self.call(method)
    }

    /// A method is called in a way that it is not declared for.
    fn not_static(&mut self, method: &'static Method, wanted: bool) -> Trap {
        let wanted = if wanted { "static" } else { "non-static" };
        let text = format!("Expected {wanted} method '{}'", describe(method));
        self.throw("java/lang/IncompatibleClassChangeError", Some(&text))
    }

    /// Calls a method whose arguments are on the stack.
    pub fn call(&mut self, method: &'static Method) -> Run<()> {
        if let Region::Other(family) = method.region {
            self.note_other(method, family)?;
        }
        let peer = match method.peer.get() {
            Some(peer) => *peer,
            None => *method.peer.get_or_init(|| peers::find(method)),
        };
        if let Some(peer) = peer {
            // What is one instruction for the program may be much work.
            self.poll()?;
            let start = self.top.sp - method.words;
            let args = Args::new(method, peer.data, &self.stack[start..self.top.sp]);
            match (peer.run)(self, &args)? {
                Done::Bytecode => {}
                done => {
                    if self.picked {
                        let words = match done {
                            Done::Word(value) => [value, 0],
                            Done::Long(value) => [value as u32, (value >> 32) as u32],
                            _ => [0, 0],
                        };
                        self.note_pick(&method.descriptor.result, words);
                    }
                    return self.finish_call(start, done);
                }
            }
        }
        if method.is(flags::NATIVE) {
            return self.unsupported(format!("native method {}", method.full_name()));
        }
        let code = match method.code() {
            Ok(code) => code,
            Err(text) => return Err(not_verified(text)),
        };
        self.check_code(method, code)?;
        if method.class.space != 0 {
            self.ask_for_handlers(method, code)?;
        }
        if self.frames.len() >= self.vm.settings.deepest {
            self.vm.stack_met.store(true, Ordering::Relaxed);
            return Err(self.throw("java/lang/StackOverflowError", None));
        }
        if method.is(flags::SYNCHRONIZED) {
            let lock = if method.is_static() {
                self.mirror(method.class)?
            } else {
                self.peek(method.words)
            };
            self.enter(lock)?;
        }
        self.push_frame(method, code);
        Ok(())
    }

    /// Code of the program is looked at before it is executed.
    pub(super) fn check_code(
        &self,
        method: &'static Method,
        code: &'static crate::code::Code,
    ) -> Run<()> {
        if method.class.library || method.class.hidden || code.typed.get().is_some() {
            return Ok(());
        }
        if let Err(text) = method.flow(code) {
            return Err(not_verified(text));
        }
        method.is_typed(&self.vm.registry, code);
        Ok(())
    }

    /// Makes a frame whose first locals are the arguments on the stack.
    pub fn push_frame(&mut self, method: &'static Method, code: &'static crate::code::Code) {
        let locals = self.top.sp - method.words;
        self.top.sp = locals;
        self.frames.push(self.top);
        let sp = locals + usize::from(code.max_locals);
        // Duplications use a little more than the deepest stack.
        let room = sp + usize::from(code.max_stack) + 4;
        if self.stack.len() < room {
            self.stack.resize(room * 2, 0);
        }
        self.top = Frame { method, code, pc: 0, locals, sp };
    }

    /// Ends an instruction whose arguments begin at a place of the stack.
    pub fn finish_call(&mut self, start: usize, done: Done) -> Run<()> {
        match done {
            Done::Void => {
                self.top.sp = start;
                self.top.pc += 1;
            }
            Done::Word(value) => {
                self.top.sp = start;
                self.push(value);
                self.top.pc += 1;
            }
            Done::Long(value) => {
                self.top.sp = start;
                self.push_long(value);
                self.top.pc += 1;
            }
            Done::Again | Done::Bytecode => {}
            Done::Call(target, words) => {
                let sp = self.top.sp;
                self.top.sp = start;
                let needed = start + words.len() + 1;
                if self.stack.len() < needed {
                    self.stack.resize(2 * needed, 0);
                }
                let saved: Vec<u32> = self.stack[start..sp.max(needed)].to_vec();
                for word in &words {
                    self.push(*word);
                }
                if let Err(trap) = self.call(target) {
                    // The instruction is executed again, or looked at by who handles the exception.
                    self.stack[start..start + saved.len()].copy_from_slice(&saved);
                    self.top.sp = sp;
                    return Err(trap);
                }
            }
        }
        Ok(())
    }

    /// Leaves the current frame; the caller goes on behind its call.
    pub(super) fn leave(&mut self) -> Run<()> {
        let Frame { method, locals, .. } = self.top;
        if method.is(flags::SYNCHRONIZED) {
            let lock =
                if method.is_static() { self.mirror(method.class)? } else { self.stack[locals] };
            self.exit_monitor(lock)?;
        }
        let Some(caller) = self.frames.pop() else {
            return self.unsupported("a return from the first frame");
        };
        self.top = caller;
        self.left_frame(method.region);
        if self.late && !caller.method.class.library {
            self.set_passed(0);
        }
        match &*method.name {
            "<clinit>" => {
                self.initialised(method.class)?;
                if self.frames.len() == self.stop_at {
                    return Err(Trap::Pause);
                }
            }
            // What asked is executed again.
            ASK => {}
            _ => self.top.pc += 1,
        }
        Ok(())
    }

    /// Finds the handler of an exception, leaving frames on the way.
    pub(super) fn unwind(&mut self, exception: u32) -> Run<()> {
        if self.vm.observed.is_on() {
            self.observe_exception(exception)?;
        }
        let mut exception = exception;
        loop {
            let Frame { method, code, pc, locals, .. } = self.top;
            let mut missing = None;
            let thrown = self.class_of(exception);
            for handler in &code.handlers {
                if !(handler.start..handler.end).contains(&pc) {
                    continue;
                }
                let caught = handler.class == 0 || {
                    match method.class.class_at(&self.vm.registry, handler.class) {
                        Ok(class) => thrown.is_subtype_of(class),
                        Err(error) if !method.class.library && missing.is_none() => {
                            missing = Some(error);
                            break;
                        }
                        Err(_) => false,
                    }
                };
                if caught {
                    self.top.sp = locals + usize::from(code.max_locals);
                    self.top.pc = handler.target;
                    self.push(exception);
                    return Ok(());
                }
            }
            // Who cannot find what it catches throws that instead.
            if let Some(error) = missing {
                exception = match self.link_failure(error) {
                    Trap::Fail(Failure::Linkage(class, text)) => {
                        self.new_throwable(class, Some(&text), None)?
                    }
                    Trap::Throw(error) => error,
                    trap => return Err(trap),
                };
            }
            if method.is(flags::SYNCHRONIZED) {
                let lock = if method.is_static() {
                    self.mirror(method.class)?
                } else {
                    self.stack[locals]
                };
                self.exit_monitor(lock)?;
            }
            let Some(caller) = self.frames.pop() else {
                let text = self.throwable_text(exception)?;
                return self.unsupported(format!("an exception that left the first frame: {text}"));
            };
            self.top = caller;
            self.left_frame(method.region);
            if &*method.name == "<clinit>" {
                exception = self.initialisation_failed(method.class, exception)?;
                if self.frames.len() == self.stop_at {
                    return Err(Trap::Throw(exception));
                }
            }
        }
    }

    /// Throws an exception where the current thread is.
    pub(crate) fn throw_now(&mut self, exception: u32) -> Run<()> {
        self.unwind(exception)
    }

    /// The site of a call of a method that takes any arguments.
    fn handle_site(&mut self, index: u16) -> Run<Option<&'static Site>> {
        let class = self.top.method.class;
        let entry = &class.pool[usize::from(index)];
        if entry.get().is_some() {
            return Ok(None);
        }
        let Some(file) = &class.file else { return Ok(None) };
        let Ok((owner, name, descriptor)) = file.pool.member(&file.bytes, index) else {
            return Ok(None);
        };
        let Some(site) = Site::polymorphic(owner, name, descriptor) else { return Ok(None) };
        let site: &'static Site = Box::leak(Box::new(site));
        let _ = entry.set(Resolved::Site(site));
        match entry.get() {
            Some(Resolved::Site(site)) => Ok(Some(site)),
            _ => Ok(None),
        }
    }
}

/// What is thrown where code is not what a class file may have.
pub(super) fn not_verified(text: &str) -> Trap {
    // What is too much for the analysis is nothing wrong.
    Trap::Fail(match text.ends_with("is too large") {
        true => Failure::Unsupported(text.to_owned()),
        false => Failure::Linkage("java/lang/VerifyError", text.to_owned()),
    })
}

/// A method as linkage errors have it.
pub(super) fn describe(method: &Method) -> String {
    format!("{} {}", method.descriptor.result.java(), method.java())
}
