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
use everypath_lang_java::Spurious;
use everypath_machine::Interpreter;
use everypath_model::{Diagnostic, Severity, Sources};
use everypath_render::Checked;
use everypath_verdict::RunResult;

use crate::analysis::InternalError;
use crate::checking::Checking;
use crate::choices::CheckpointArg;
use crate::input::placeless;
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
    /// What the command does without options.
    fn default() -> Options {
        let spurious = Spurious { wakeups: false, failures: true };
        let reading = Reading { spurious, ..Reading::default() };
        Options { reading, checking: Checking::usual() }
    }
}

/// Stack of a thread that checks: syntax trees may be deep.
pub const STACK: usize = 256 << 20;

/// Checks a model or a program. What is wrong with it stands in the result.
///
/// Searches that are kept on the disk need a [`Door`]; without one they are refused.
pub fn check(path: &Path, options: &Options) -> RunResult {
    let reading = &options.reading;
    let recorded = reading.recorded(&options.checking.invariants);
    let checking = &Checking { reading: recorded, ..options.checking.clone() };
    let ask = Ask { path, reading, checking, start: Instant::now(), test: None };
    let work = || {
        let checked = checked(&ask, &interrupt::REQUESTED, &mut ());
        checked.unwrap_or_else(|error| internal(checking, path, error)).result
    };
    std::thread::scope(|scope| {
        match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // The stack of the caller has to do.
            Err(_) => work(),
        }
    })
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
        match checking.disk {
            None => Ok(None),
            Some(_) => Err(refusal("EP1010", "nobody gives this check room on the disk")),
        }
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
        let asked = matches!(checking.checkpoint, Some(CheckpointArg::Every(_)));
        if asked || checking.resume.is_some() {
            return Err(refusal("EP1009", "nobody keeps checkpoints for this check"));
        }
        Ok(Kept { disk: self.disk(checking)?, ..Kept::default() })
    }

    /// The first violation as a trail of SPIN, if that is wanted.
    fn trail(&mut self, system: &Interpreter, result: &RunResult) -> Option<String> {
        let _ = (system, result);
        None
    }
}

impl Door for () {}

/// Why something that was asked for cannot be.
fn refusal(code: &'static str, why: &str) -> Box<Diagnostic> {
    Box::new(placeless(Severity::Error, code, why.to_owned()))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_a_door_is_refused_without_one() {
        let model =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela/counter.pml");
        let usual = Options::default();
        assert_eq!(check(&model, &usual).exit, 1);
        let resume = Checking { resume: Some("last".into()), ..usual.checking.clone() };
        let disk = Checking { disk: Some("somewhere".into()), ..usual.checking.clone() };
        for (checking, code) in [(resume, "EP1009"), (disk, "EP1010")] {
            let result = check(&model, &Options { checking, ..usual.clone() });
            assert_eq!((result.exit, result.diagnostics[0].code.as_str()), (2, code));
        }
    }

    #[test]
    fn traces_know_how_their_model_was_read() {
        let folder = std::env::temp_dir().join(format!("everypath-api-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a directory");
        let model = folder.join("m.pml");
        std::fs::write(&model, "active proctype P() { assert(N == 3) }\n").expect("a file");
        let mut options = Options::default();
        options.reading.defines.push("N=2".to_owned());
        let result = check(&model, &options);
        std::fs::remove_dir_all(&folder).expect("removed");
        let trace = result.properties.iter().find_map(|one| one.trace.as_ref()).expect("a trace");
        let reading = trace.model.reading.as_ref().expect("how it was read");
        assert_eq!(reading.defines, ["N=2"]);
    }
}
