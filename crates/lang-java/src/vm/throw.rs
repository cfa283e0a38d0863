//! Exceptions that the virtual machine throws, and stack traces.

use super::{Run, Trap, Worker};
use crate::link::{Class, Method};

/// The most frames of a stack trace.
const LONGEST: usize = 1024;

impl Worker {
    /// Throws an exception of a library class.
    pub fn throw(&mut self, class: &str, message: Option<&str>) -> Trap {
        match self.new_throwable(class, message, None) {
            Ok(exception) => Trap::Throw(exception),
            Err(trap) => trap,
        }
    }

    pub fn null_pointer(&mut self) -> Trap {
        self.throw("java/lang/NullPointerException", None)
    }

    /// Makes an exception without running a constructor.
    pub fn new_throwable(
        &mut self,
        class: &str,
        message: Option<&str>,
        cause: Option<u32>,
    ) -> Run<u32> {
        let class = self.class(class)?;
        self.initialise_library(class)?;
        let throwable = self.class("java/lang/Throwable")?;
        let exception = self.new_instance(class)?;
        let own = |worker: &mut Worker, field: &str, value: u32| -> Run<()> {
            let slot = worker.library_field(throwable, field)?.slot;
            worker.set(exception, slot, value);
            Ok(())
        };
        own(self, "cause", cause.unwrap_or(exception))?;
        for (field, constant) in
            [("stackTrace", "UNASSIGNED_STACK"), ("suppressedExceptions", "SUPPRESSED_SENTINEL")]
        {
            let constant = self.library_field(throwable, constant)?;
            let value = self.get_static(constant, 0);
            own(self, field, value)?;
        }
        if let Some(message) = message {
            let text = self.new_text(message)?;
            own(self, "detailMessage", text)?;
        }
        if &*class.name == "java/lang/NullPointerException" && !is_hidden(self.top.method) {
            // The text tells what was null only if it was made where the exception was thrown, and if
            // traces show that place.
            let names = ["extendedMessageState", "numStackTracesFilledIn"];
            let field = names.iter().find_map(|name| class.declared_field(name));
            if let Some(field) = field {
                self.set(exception, field.slot, 1);
            }
        }
        self.fill_in_stack_trace(exception)?;
        Ok(exception)
    }

    /// Notes where an exception is made: pairs of method and instruction, innermost first.
    pub fn fill_in_stack_trace(&mut self, exception: u32) -> Run<()> {
        let throwable = self.class("java/lang/Throwable")?;
        let thrown = self.class_of(exception);
        let mut places = Vec::new();
        let mut constructing = true;
        let frames = std::iter::once(&self.top).chain(self.frames.iter().rev());
        for frame in frames {
            let method = frame.method;
            let skipped = constructing
                && matches!(&*method.name, "fillInStackTrace" | "<init>")
                && thrown.is_subtype_of(method.class);
            if skipped || is_hidden(method) {
                continue;
            }
            constructing = false;
            if places.len() < 2 * LONGEST {
                places.push(method.id);
                places.push(frame.pc);
            }
        }
        let ints = self.class("[I")?;
        let trace = self.new_array(ints, places.len() as i32)?;
        for (index, &word) in places.iter().enumerate() {
            self.store_word(trace, index as u32, word);
        }
        let backtrace = self.library_field(throwable, "backtrace")?;
        let depth = self.library_field(throwable, "depth")?;
        let stack_trace = self.library_field(throwable, "stackTrace")?;
        let unassigned = self.library_field(throwable, "UNASSIGNED_STACK")?;
        let unassigned = self.get_static(unassigned, 0);
        self.set_reference(exception, backtrace.slot, trace);
        self.set(exception, depth.slot, places.len() as u32 / 2);
        self.set(exception, stack_trace.slot, unassigned);
        Ok(())
    }

    /// Method and instruction of each frame of an exception's trace.
    pub fn backtrace(&self, exception: u32) -> Run<Vec<(&'static Method, u32)>> {
        let class = self.class_of(exception);
        let trace = self.get(exception, self.library_field(class, "backtrace")?.slot);
        if trace == 0 {
            return Ok(Vec::new());
        }
        let place = self.heap.place(&self.vm.base, trace);
        let frames = self.array_length(trace) / 2;
        Ok((0..frames)
            .map(|index| {
                let method = self.load_word(place, 2 * index);
                (self.vm.registry.method_of(method), self.load_word(place, 2 * index + 1))
            })
            .collect())
    }

    /// The ClassCastException for an object.
    pub fn class_cast(&mut self, object: u32, wanted: &'static Class) -> Trap {
        let found = self.class_of(object);
        let homes = match self.modules(found, wanted) {
            Ok(homes) => homes,
            Err(trap) => return trap,
        };
        let text = format!(
            "class {} cannot be cast to class {} ({homes})",
            found.get_name(),
            wanted.get_name(),
        );
        self.throw("java/lang/ClassCastException", Some(&text))
    }

    /// A loader as messages have it.
    pub fn loader_text(&mut self, loader: u32) -> Run<String> {
        if loader == self.app_loader()? {
            return Ok("'app'".to_owned());
        }
        let name = self.get(loader, self.field_of(loader, "name")?.slot);
        let hash = self.identity_hash(loader)?;
        Ok(match name {
            0 => format!("{} @{hash:x}", self.class_of(loader).get_name()),
            name => format!("'{}' @{hash:x}", self.text_of(name)?),
        })
    }

    /// Where two classes come from, as messages have it.
    pub fn modules(&mut self, found: &'static Class, wanted: &'static Class) -> Run<String> {
        let (first, second) = (found.get_name(), wanted.get_name());
        let (home, other) = (self.home(found)?, self.home(wanted)?);
        Ok(match home == other {
            true => format!("{first} and {second} are in {home}"),
            false => format!("{first} is in {home}; {second} is in {other}"),
        })
    }

    pub fn home(&mut self, class: &'static Class) -> Run<String> {
        Ok(match (class.library, class.space) {
            (true, _) => "module java.base of loader 'bootstrap'".to_owned(),
            (_, 0) => "unnamed module of loader 'app'".to_owned(),
            _ => {
                let loader = self.loader_of(class)?;
                format!("unnamed module of loader {}", self.loader_text(loader)?)
            }
        })
    }
}

/// Frames that no trace shows.
fn is_hidden(method: &Method) -> bool {
    method.class.hidden
}
