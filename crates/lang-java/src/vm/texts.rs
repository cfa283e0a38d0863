//! Texts of exceptions.

use super::{Run, Worker};

impl Worker {
    /// `java.lang.IllegalStateException: text`, without running code of the program.
    pub fn throwable_text(&mut self, exception: u32) -> Run<String> {
        let class = self.class_of(exception);
        let message = self.get(exception, self.library_field(class, "detailMessage")?.slot);
        let name = class.get_name();
        if message != 0 {
            return Ok(format!("{name}: {}", self.text_of(message)?));
        }
        Ok(match self.null_pointer_text(exception)? {
            Some(text) => format!("{name}: {text}"),
            None => name,
        })
    }

    /// An exception with its causes and where they were thrown, for messages.
    pub fn throwable_story(&mut self, exception: u32) -> Run<String> {
        let mut story = String::new();
        let mut next = exception;
        for _ in 0..4 {
            story.push_str(&self.throwable_text(next)?);
            for (method, pc) in self.backtrace(next)?.into_iter().take(3) {
                let line = method.code().ok().and_then(|code| code.line(pc)).unwrap_or(0);
                story.push_str(&format!(" at {}.{}:{line}", method.class.get_name(), method.name));
            }
            let cause = self.field_of(next, "cause")?;
            let cause = self.get(next, cause.slot);
            if cause == 0 || cause == next {
                break;
            }
            story.push_str("; because of ");
            next = cause;
        }
        Ok(story)
    }
}
