//! A trace run again on a model: on the file it came from, on another one, or on the text that the
//! trace brings along.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use everypath_model::{Simulate, Sources, shown, visible};
use everypath_preprocess::Loader;
use everypath_verdict::{
    Context, Divergence, Evidence, Exit, Rerun, Strictness, Trace, TraceReading, replay, sha256_hex,
};

use crate::java;
use crate::load;
use crate::reading::Reading;
use crate::ready;
use crate::render::style::Style;

/// A trace that was run again.
pub struct Outcome {
    /// What happened.
    pub rerun: Rerun,
    /// Where the text of the model comes from.
    pub origin: Origin,
    /// The document of the run as it is now.
    pub trace: Result<Trace, String>,
}

/// Where the text of a model comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File(PathBuf),
    /// The trace: the file, whose name this is, is gone.
    Trace(PathBuf),
}

/// Why a trace could not be run.
pub enum Problem {
    /// The model cannot be read; what is wrong with it was said on the standard error.
    Model(Exit),
    /// The model is not the one that the trace was made of: what differs.
    Changed(String),
    /// The trace is not a run of the model.
    Diverges(Divergence),
    /// The trace cannot be used at all.
    Unusable(String),
}

/// The files in a trace.
struct Embedded(BTreeMap<PathBuf, Vec<u8>>);

impl Loader for Embedded {
    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// Runs a trace again, on `file` or else on the model that it came from. If that is gone, the text
/// in the trace is taken.
pub fn rerun(
    trace: &Trace,
    file: Option<&Path>,
    strictness: Strictness,
    trust: bool,
    notes: &Style,
) -> Result<Outcome, Problem> {
    let Some(main) = trace.model.sources.first() else {
        return Err(Problem::Unusable("there is no source text in the trace".to_owned()));
    };
    let recorded = trace.model.reading.clone().unwrap_or_default();
    let reading = Reading { trust, ..Reading::from(&recorded) };
    let given = recorded.input.as_ref().unwrap_or(&main.path);
    let path = file.unwrap_or(Path::new(given));
    match trace.model.lang.as_str() {
        "promela" => {}
        java::LANG => {
            let program = crate::run_java::ready(path, &reading, java::Asked::of(&recorded), notes);
            let program = program.map_err(Problem::Model)?;
            let model = (&*program, program.sources(), java::LANG);
            let origin = Origin::File(path.to_owned());
            // Its steps end where they did in the search once it knows what that knew.
            let _ = program.prepare_assumptions();
            return match again(trace, model, &reading, origin.clone(), strictness) {
                Err(Problem::Diverges(_)) if !recorded.reductions.is_empty() => {
                    java::learn(&program);
                    again(trace, model, &reading, origin, strictness)
                }
                other => other,
            };
        }
        other => {
            let message = format!("models of the language `{other}` cannot be run");
            return Err(Problem::Unusable(message));
        }
    }
    let (opened, origin) = if file.is_some() || path.is_file() {
        (load::open(path, &reading), Origin::File(path.to_owned()))
    } else {
        let files = trace.model.sources.iter();
        let files = files.map(|s| (PathBuf::from(&s.path), s.text.clone().into_bytes()));
        let loader = Box::new(Embedded(files.collect()));
        let opened = load::open_text(path, &main.text, loader, &reading);
        (opened, Origin::Trace(path.to_owned()))
    };
    let ready =
        ready::lowered(opened, &reading, &recorded.invariants, notes).map_err(Problem::Model)?;
    let model = (&ready.system, &ready.sources, ready.lang);
    again(trace, model, &reading, origin, strictness)
}

/// Runs a trace again on a system.
fn again<S: Simulate>(
    trace: &Trace,
    (system, sources, lang): (&S, &Sources, &str),
    reading: &Reading,
    origin: Origin,
    strictness: Strictness,
) -> Result<Outcome, Problem> {
    if strictness == Strictness::Strict
        && let Some(difference) = difference(trace, sources)
    {
        return Err(Problem::Changed(difference));
    }
    let rerun =
        everypath_verdict::rerun(system, trace, sources, strictness).map_err(Problem::Diverges)?;
    let evidence = Evidence {
        initial: &rerun.initial,
        actions: &rerun.actions,
        claim: rerun.ending.claim(),
        moves: None,
        shortest: false,
        fewest_switches: false,
    };
    let context = Context { property: &trace.result.property, lang, sources };
    let invariants = trace.model.reading.as_ref().map_or(&[][..], |reading| &reading.invariants);
    let now = replay(system, &evidence, &context)
        .map_err(|failure| format!("the run does not replay: {failure}"))
        .map(|(mut now, _)| {
            let TraceReading { reductions, input, .. } =
                trace.model.reading.clone().unwrap_or_default();
            now.model.reading =
                Some(TraceReading { reductions, input, ..reading.recorded(invariants) });
            now
        });
    Ok(Outcome { rerun, origin, trace: now })
}

/// What differs first between the texts of a trace and those of a model.
fn difference(trace: &Trace, sources: &Sources) -> Option<String> {
    let mut now = sources.iter();
    for old in &trace.model.sources {
        let Some((_, new)) = now.next() else {
            return Some(format!("{} is not part of the model any more", visible(&old.path)));
        };
        if sha256_hex(new.text.as_bytes()) == old.sha256 {
            continue;
        }
        let path = shown(&new.path);
        let mut lines = (1..).zip(old.text.lines().map(Some).chain(std::iter::repeat(None)));
        let changed = new.text.lines().map(Some).chain([None]).find_map(|line| {
            let (number, before) = lines.next()?;
            (line != before).then_some((number, before, line))
        });
        return Some(match changed {
            Some((number, before, line)) => format!(
                "{path} has changed since the trace was made, first in line {number}:\n  then: {}\n  now:  {}",
                before.unwrap_or("(the end)").trim(),
                line.unwrap_or("(the end)").trim()
            ),
            None if new.text == old.text => {
                format!("the hash of {path} in the trace is not that of its text")
            }
            None => format!("{path} has changed since the trace was made, in its line breaks"),
        });
    }
    now.next().map(|(_, new)| format!("{} is new in the model", shown(&new.path)))
}
