//! What leaves the program by the standard output and the standard error.
//!
//! Texts from outside become visible where messages are made ([`everypath_model::visible`]). Here is the net behind
//! that: whatever is printed, nothing but line ends, tabs and the colours of [`crate::render::style`] does anything to
//! a terminal.

use std::borrow::Cow;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::OnceLock;

use everypath_model::{is_hidden, shown, visible};
use everypath_verdict::Exit;

use crate::input::reason;
use crate::render::style;

/// Why something that was to be printed is lost.
static LOST: OnceLock<String> = OnceLock::new();

/// Writes to the standard output.
pub(crate) fn print(text: &str) {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(guarded(text).as_bytes()).and_then(|()| stdout.flush());
    note_loss(written);
}

/// Writes to the standard error, where nobody may be listening.
pub(crate) fn complain(text: &str) {
    draw(&guarded(text));
}

/// Writes to the standard error what may move the cursor: the line of progress.
pub(crate) fn draw(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

/// `error: message`, on one line whatever is in the message.
pub(crate) fn tell(word: &str, message: &str) {
    complain(&format!("{word}: {}\n", visible(message)));
}

/// The same of lines that are ours, each made visible by itself.
pub(crate) fn tell_lines(word: &str, message: &str) {
    let lines: Vec<Cow<'_, str>> = message.split('\n').map(visible).collect();
    complain(&format!("{word}: {}\n", lines.join("\n")));
}

/// Remembers that something could not be written to the standard output. A reader that went away is no reason: nobody
/// misses what comes later.
pub(crate) fn note_loss(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = LOST.set(reason(&error));
    }
}

/// The exit of a command: what could not be printed is an error of its own.
pub(crate) fn exit_after(exit: Exit) -> Exit {
    let Some(why) = LOST.get() else { return exit };
    tell("error", &format!("cannot write to the standard output: {why}"));
    match exit {
        Exit::Program(_) => Exit::Input,
        exit => exit.and(Exit::Input),
    }
}

/// Writes what a program prints: to a terminal with everything visible, into a file or a pipe as it is.
pub(crate) fn pass_on(bytes: &[u8], to_stderr: bool) {
    let terminal = if to_stderr { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
    let text = if terminal { plain(&String::from_utf8_lossy(bytes)) } else { String::new() };
    let bytes = if terminal { text.as_bytes() } else { bytes };
    match to_stderr {
        true => drop(io::stderr().lock().write_all(bytes)),
        false => note_loss(io::stdout().lock().write_all(bytes)),
    }
}

/// Text in which everything is visible but line ends and tabs.
pub(crate) fn plain(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match matches!(c, '\n' | '\t') || !is_hidden(c) {
            true => safe.push(c),
            false => safe.extend(c.escape_default()),
        }
    }
    safe
}

/// The same with our own colours.
pub(crate) fn guarded(text: &str) -> Cow<'_, str> {
    let plain = |c: char| matches!(c, '\n' | '\t') || !is_hidden(c);
    if text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(colour) = style::colour_at(rest) {
            safe.push_str(colour);
            rest = &rest[colour.len()..];
            continue;
        }
        match plain(c) {
            true => safe.push(c),
            false => safe.extend(c.escape_default()),
        }
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(safe)
}

/// Whether the folder of a file that is to be written is there.
pub(crate) fn folder_of(path: &Path) -> Result<(), String> {
    match path.parent().filter(|parent| !parent.as_os_str().is_empty() && !parent.is_dir()) {
        Some(parent) => Err(format!("there is no directory {}", shown(parent))),
        None => Ok(()),
    }
}

/// A writer to the standard output in which what cannot be written is remembered, and everything is visible.
pub(crate) struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(guarded(&String::from_utf8_lossy(bytes)).as_bytes());
        let kind = written.as_ref().err().map(io::Error::kind);
        note_loss(written);
        match kind {
            Some(kind) => Err(kind.into()),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = io::stdout().lock().flush();
        let kind = flushed.as_ref().err().map(io::Error::kind);
        note_loss(flushed);
        kind.map_or(Ok(()), |kind| Err(kind.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_our_colours_gets_out() {
        assert_eq!(guarded("a\tb\n\x1b[1;31mred\x1b[0m"), "a\tb\n\x1b[1;31mred\x1b[0m");
        assert_eq!(guarded("\x1b[31mred\x1b]0;t\x07\r"), "\\u{1b}[31mred\\u{1b}]0;t\\u{7}\\r");
        assert_eq!(guarded("größe\u{9b}2J\u{202e}"), "größe\\u{9b}2J\\u{202e}");
    }
}
