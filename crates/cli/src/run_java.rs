//! One run of a program that prints what the program prints.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use everypath_model::{Describe, Diagnostic};
use everypath_verdict::{Exit, Note};
use everypath_walk::show::View;

use crate::java::{Asked, Opened, Refused, open};
use crate::reading::Reading;
use crate::render::snippet;
use crate::render::style::Style;
use crate::{complain, outlet, tell};

/// Opens a program, or says what is wrong with it.
pub fn ready(path: &Path, reading: &Reading, asked: Asked, notes: &Style) -> Result<Opened, Exit> {
    open(path, reading, asked).map_err(|Refused { sources, diagnostics }| {
        let mut out = String::new();
        for (index, one) in diagnostics.iter().enumerate() {
            snippet::note(&mut out, notes, &sources, &Note::of(&sources, one), index == 0);
        }
        complain(&out);
        match diagnostics.iter().any(Diagnostic::is_error) {
            true => Exit::Input,
            false => Exit::Inconclusive,
        }
    })
}

/// Runs a program once: on the first schedule, or on that of a seed.
pub fn run(program: &Opened, seed: Option<u64>, interrupt: &AtomicBool, style: &Style) -> Exit {
    // A reader that went away is no reason to stop.
    let mut print = |stream: u8, bytes: &[u8]| outlet::pass_on(bytes, stream == 2);
    let stop = || interrupt.load(Ordering::Relaxed);
    let walked = program.walk(seed, &stop, &mut print);
    outlet::note_loss(std::io::stdout().lock().flush());
    match walked {
        Err(error) => {
            tell("error[EP0304]", &format!("the run cannot go on: {error}"));
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
