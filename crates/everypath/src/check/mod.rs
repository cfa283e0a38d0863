//! One input: read, searched, judged.
//!
//! A [`Door`] gives what a check takes from outside, and hears what it says on the way; `()` is one that gives nothing.

mod model;
mod program;
mod refusals;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use everypath_engine_explicit::{Checkpoints, Disk, Observer};
use everypath_machine::Interpreter;
use everypath_model::{Diagnostic, Sources};
use everypath_render::Checked;
use everypath_verdict::RunResult;

use crate::analysis::InternalError;
use crate::checking::Checking;
use crate::interrupt;
use crate::java;
use crate::reading::Reading;
pub use refusals::internal;

/// What is checked, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// How the input is read.
    pub reading: Reading,
    /// What is asked, and how it is searched.
    pub checking: Checking,
}

impl Default for Options {
    fn default() -> Options {
        Options { reading: Reading::default(), checking: Checking::plain() }
    }
}

/// Checks a model or a program. What is wrong with it stands in the result.
pub fn check(path: &Path, options: &Options) -> RunResult {
    let Options { reading, checking } = options;
    let ask = Ask { path, reading, checking, start: Instant::now(), test: None };
    let checked = checked(&ask, &interrupt::REQUESTED, &mut ());
    checked.unwrap_or_else(|error| internal(checking, path, error)).result
}

/// One input with what is asked of it.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    /// The file or folder.
    pub path: &'a Path,
    /// How it is read.
    pub reading: &'a Reading,
    /// What is asked, and how it is searched.
    pub checking: &'a Checking,
    /// When the time began that it may take.
    pub start: Instant,
    /// Java: the name of the test method that it is.
    pub test: Option<&'a str>,
}

/// How much a note matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Everybody wants to know it.
    Usual,
    /// Whoever looks closely does.
    Detail,
}

/// A search that is taken up.
pub trait TakenUp: Sync {
    /// States that it has.
    fn states(&self) -> u64;

    /// Reads on in what was written of it.
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize>;
}

/// What keeps a search while it goes on.
pub trait Keeper: Sync {
    /// What the search writes to.
    fn checkpoints(&self) -> &dyn Checkpoints;

    /// Notes in a result how to go on.
    fn finish(self: Box<Self>, result: &mut RunResult);
}

/// What a search finds on the disk, and may put there.
#[derive(Default)]
pub struct Kept {
    /// The search to go on from.
    pub resumed: Option<Box<dyn TakenUp>>,
    /// What keeps this one.
    pub keeper: Option<Box<dyn Keeper>>,
    /// Room for what need not be in memory.
    pub disk: Option<Arc<dyn Disk>>,
}

/// What a check takes from outside.
pub trait Door {
    /// Something to know beside the result.
    fn note(&mut self, weight: Weight, text: &str) {
        let _ = (weight, text);
    }

    /// Who sees how a search goes on; the time began at `start`.
    fn observer(&mut self, start: Instant) -> Box<dyn Observer + '_> {
        let _ = start;
        Box::new(())
    }

    /// Room for what need not be in memory.
    fn disk(&mut self, checking: &Checking) -> Result<Option<Arc<dyn Disk>>, Box<Diagnostic>> {
        let _ = checking;
        Ok(None)
    }

    /// What there is on the disk for the search of a model, which the text of its machine identifies.
    fn kept(
        &mut self,
        checking: &Checking,
        sources: &Sources,
        machine: &str,
        start: Instant,
    ) -> Result<Kept, Box<Diagnostic>> {
        let _ = (sources, machine, start);
        Ok(Kept { disk: self.disk(checking)?, ..Kept::default() })
    }

    /// The first violation as a trail of SPIN, if that is wanted.
    fn trail(&mut self, system: &Interpreter, result: &RunResult) -> Option<String> {
        let _ = (system, result);
        None
    }
}

impl Door for () {}

/// Checks one input; an error is a defect of ours.
pub fn checked(
    ask: &Ask<'_>,
    interrupted: &AtomicBool,
    door: &mut dyn Door,
) -> Result<Checked, InternalError> {
    match java::is_input(ask.path, ask.reading) {
        true => program::program(ask, interrupted, door),
        false => model::model(ask, interrupted, door),
    }
}
