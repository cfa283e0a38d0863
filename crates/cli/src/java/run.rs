//! One run of a program that prints what the program prints.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use everypath_model::{Describe, Severity, Sources};
use everypath_verdict::{Exit, Note};

use super::{Asked, Opened, open};
use crate::complain;
use crate::config::Reading;
use crate::render::snippet;
use crate::render::style::Style;
use crate::simulate::show::View;

/// Opens a program, or says what is wrong with it.
pub fn ready(path: &Path, reading: &Reading, asked: Asked, notes: &Style) -> Result<Opened, Exit> {
    open(path, reading, asked).map_err(|error| {
        let sources = Sources::default();
        let mut out = String::new();
        snippet::note(&mut out, notes, &sources, &Note::of(&sources, &error), true);
        complain(&out);
        match error.severity {
            Severity::Unsupported => Exit::Inconclusive,
            _ => Exit::Input,
        }
    })
}

/// Runs a program once: on the first schedule, or on that of a seed.
pub fn run(program: &Opened, seed: Option<u64>, interrupt: &AtomicBool, style: &Style) -> Exit {
    let mut print = |stream: u8, bytes: &[u8]| match stream {
        // A reader that went away is no reason to stop.
        2 => drop(std::io::stderr().lock().write_all(bytes)),
        _ => drop(std::io::stdout().lock().write_all(bytes)),
    };
    let stop = || interrupt.load(Ordering::Relaxed);
    let walked = program.walk(seed, &stop, &mut print);
    let _ = std::io::stdout().lock().flush();
    match walked {
        Err(error) => {
            complain(&format!("error[EP0304]: the run cannot go on: {error}\n"));
            Exit::Inconclusive
        }
        Ok(end) if end.interrupted => {
            complain("interrupted\n");
            Exit::Inconclusive
        }
        Ok(end) if end.deadlock => {
            let view = View { style, sources: program.sources() };
            let blocked = view.blocked(&program.blocked(&end.state));
            complain(&format!("deadlock: no thread can move\n{blocked}"));
            Exit::Violation
        }
        Ok(end) if end.endless => {
            complain(
                "the program goes on for ever: its last thread goes round without changing anything\n",
            );
            Exit::Inconclusive
        }
        Ok(end) if end.pruned => {
            complain("note: the run came to an assumption that does not hold\n");
            Exit::Program(0)
        }
        Ok(end) => Exit::Program(end.exit_status as u8),
    }
}
