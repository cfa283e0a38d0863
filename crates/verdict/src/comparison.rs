//! What changed from one run to another.

use std::collections::{BTreeMap, BTreeSet};

use everypath_property::PropertyKind;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Exit, PropertyResult, RunResult, Stats, Verdict, Word};

/// Schema of the document of a comparison.
pub const DIFF_SCHEMA: &str = "everypath.diff/1";

/// All that changed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Comparison {
    /// [`DIFF_SCHEMA`].
    #[schemars(extend("const" = DIFF_SCHEMA))]
    pub schema: &'static str,
    /// The exit code that it deserves.
    pub exit: u8,
    /// How many properties got worse.
    pub regressions: u64,
    /// The inputs, those of the new run first.
    pub inputs: Vec<InputChange>,
}

/// What changed about one input.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct InputChange {
    /// Its path in the old run.
    pub old: Option<String>,
    /// Its path in the new run.
    pub new: Option<String>,
    /// Whether all its files have the same text in both runs.
    pub unchanged: bool,
    /// The verdicts on all properties.
    pub verdict: Pair<Word>,
    /// Whether the tool itself came to grief in the new run.
    #[serde(skip)]
    pub broken: bool,
    /// The properties.
    pub properties: Vec<PropertyChange>,
    /// Settings that differ, so that numbers may not be compared.
    pub settings: Vec<Setting>,
    /// The size of what was searched.
    pub stats: Vec<Count>,
    /// Whether both searches were complete.
    pub complete: Pair<bool>,
    /// Statements that were not reached in the new run but not listed so in the old one.
    pub unreached: Vec<String>,
    /// The other way round.
    pub reached: Vec<String>,
    /// Remarks of the new run that the old one did not have.
    pub new_notes: Vec<String>,
    /// The other way round.
    pub gone_notes: Vec<String>,
    /// The old traces, run again on the new model.
    pub traces: Vec<TraceAgain>,
}

/// The same of both runs; `None` where a run does not have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Pair<T> {
    /// Of the old run.
    pub old: Option<T>,
    /// Of the new run.
    pub new: Option<T>,
}

/// What changed about one property.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PropertyChange {
    /// Its id, in the new run if it is there.
    pub id: String,
    /// Its name in a list.
    pub name: String,
    /// What happened to it.
    pub change: Change,
    /// The verdicts.
    pub verdict: Pair<Word>,
    /// What the new run says about it, or else the old one.
    pub message: Option<String>,
}

/// What happened to a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// It is violated now and was not before.
    NewViolation,
    /// It was proved before and is not proved now.
    Weaker,
    /// It was violated, and now nothing is known for sure.
    Open,
    /// It was not there before.
    Appeared,
    /// It is not there any more.
    Disappeared,
    /// It was violated before and holds now.
    Fixed,
    /// It was open before and holds now.
    Proved,
    /// Its verdict is the same.
    Same,
}

impl Change {
    /// The words for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Change::NewViolation => "new violation",
            Change::Weaker => "weaker",
            Change::Open => "open",
            Change::Appeared => "appeared",
            Change::Disappeared => "disappeared",
            Change::Fixed => "fixed",
            Change::Proved => "proved",
            Change::Same => "same",
        }
    }
}

/// A setting that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Setting {
    /// Which.
    pub name: &'static str,
    /// Of the old run.
    pub old: String,
    /// Of the new run.
    pub new: String,
}

/// A number of both runs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Count {
    /// What is counted.
    pub name: &'static str,
    /// In the old run.
    pub old: u64,
    /// In the new run.
    pub new: u64,
    /// The change in per cent; `None` from zero.
    pub percent: Option<f64>,
}

/// An old trace on the new model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TraceAgain {
    /// The property it belongs to.
    pub property: String,
    /// What became of it.
    pub outcome: Again,
    /// The same in words.
    pub message: String,
}

/// What became of an old trace on the new model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Again {
    /// It shows the same violation.
    Fails,
    /// It shows another one.
    FailsOtherwise,
    /// All of it could be followed, and nothing is wrong.
    Passes,
    /// It is no run of the new model, or only a part of it is.
    Diverges,
    /// The model has changed, and nobody asked to follow the trace all the same.
    NotRun,
}

/// Compares two runs.
pub fn compare(old: &[RunResult], new: &[RunResult]) -> Comparison {
    let mut left: Vec<&RunResult> = old.iter().collect();
    let mut inputs = Vec::new();
    for result in new {
        // One input on each side is the same one, whatever its name.
        let same = left
            .iter()
            .position(|other| (path(other), &other.test) == (path(result), &result.test));
        let same = same.or((old.len() == 1 && new.len() == 1).then_some(0));
        let before = same.map(|at| left.remove(at));
        inputs.push(compare_inputs(before, Some(result)));
    }
    inputs.extend(left.into_iter().map(|result| compare_inputs(Some(result), None)));
    let mut comparison = Comparison { schema: DIFF_SCHEMA, exit: 0, regressions: 0, inputs };
    comparison.judge();
    comparison
}

impl Comparison {
    /// Decides about the exit code.
    pub fn judge(&mut self) {
        let changes = self.inputs.iter().flat_map(|input| &input.properties);
        let regressions = changes.clone().filter(|p| p.change == Change::NewViolation).count();
        let mut exit = Exit::Ok;
        for property in changes {
            let open = |word| word == Word::NoViolationFound || word == Word::Unknown;
            exit = exit.and(match property.change {
                Change::NewViolation => Exit::Violation,
                Change::Weaker | Change::Open => Exit::Inconclusive,
                _ if property.verdict.new.is_some_and(open) => Exit::Inconclusive,
                _ => Exit::Ok,
            });
        }
        for input in &self.inputs {
            exit = exit.and(match input.verdict.new {
                Some(Word::Error) if input.broken => Exit::Internal,
                Some(Word::Error) => Exit::Input,
                _ if input.complete.new == Some(false) => Exit::Inconclusive,
                _ => Exit::Ok,
            });
        }
        self.regressions = regressions as u64;
        self.exit = exit.code();
    }
}

fn path(result: &RunResult) -> Option<&str> {
    result.inputs.first().map(|input| input.path.as_str())
}

fn compare_inputs(old: Option<&RunResult>, new: Option<&RunResult>) -> InputChange {
    let hashes = |result: Option<&RunResult>| {
        result.map(|result| result.inputs.iter().map(|i| i.sha256.clone()).collect::<Vec<_>>())
    };
    let both = old.zip(new);
    let notes = |result: Option<&RunResult>| -> BTreeSet<String> {
        let all = result.iter().flat_map(|result| &result.diagnostics);
        all.map(|note| format!("[{}] {}", note.code, note.message)).collect()
    };
    let (old_notes, new_notes) = (notes(old), notes(new));
    let (was, is) =
        (old.map(unreached).unwrap_or_default(), new.map(unreached).unwrap_or_default());
    let missing = |from: &[(String, String)], other: &[(String, String)]| -> Vec<String> {
        let known: BTreeSet<&String> = other.iter().map(|(key, _)| key).collect();
        let new = from.iter().filter(|(key, _)| !known.contains(key));
        new.map(|(_, text)| text.clone()).collect()
    };
    let complete = both.is_some_and(|(a, b)| a.scope.complete && b.scope.complete);
    InputChange {
        old: old.and_then(path).map(str::to_owned),
        new: new.and_then(path).map(str::to_owned),
        unchanged: both.is_some() && hashes(old) == hashes(new),
        verdict: Pair {
            old: old.map(|result| result.verdict.word()),
            new: new.map(|result| result.verdict.word()),
        },
        broken: new.is_some_and(|result| result.exit == Exit::Internal.code()),
        properties: properties(old, new),
        settings: both.map(|(old, new)| settings(old, new)).unwrap_or_default(),
        stats: both
            .and_then(|(old, new)| Some(counts(old.stats.as_ref()?, new.stats.as_ref()?)))
            .unwrap_or_default(),
        complete: Pair {
            old: old.map(|result| result.scope.complete),
            new: new.map(|result| result.scope.complete),
        },
        // A search that was cut short does not know what can be reached.
        unreached: if complete { missing(&is, &was) } else { Vec::new() },
        reached: if complete { missing(&was, &is) } else { Vec::new() },
        new_notes: new_notes.difference(&old_notes).cloned().collect(),
        gone_notes: old_notes.difference(&new_notes).cloned().collect(),
        traces: Vec::new(),
    }
}

/// The statements that were not reached: a key that survives edits elsewhere, and words.
fn unreached(result: &RunResult) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut times: BTreeMap<(u32, &str), usize> = BTreeMap::new();
    for one in result.coverage.iter().flat_map(|coverage| &coverage.unreached) {
        let time = times.entry((one.span.file, &one.text)).or_default();
        *time += 1;
        let file = result.inputs.get(one.span.file as usize).map_or("", |input| &input.path);
        let key = format!("{}\0{}\0{time}", one.span.file, one.text);
        all.push((key, format!("{file}:{} {}", one.span.start.0, one.text)));
    }
    all
}

fn counts(old: &Stats, new: &Stats) -> Vec<Count> {
    let count = |name, old: u64, new: u64| {
        let percent = (old > 0).then(|| (new as f64 - old as f64) * 100.0 / old as f64);
        Count { name, old, new, percent }
    };
    vec![
        count("states", old.states, new.states),
        count("transitions", old.transitions, new.transitions),
        count("depth", old.depth, new.depth),
    ]
}

fn settings(old: &RunResult, new: &RunResult) -> Vec<Setting> {
    let bounds = |result: &RunResult| {
        let all = result.scope.bounds.iter().map(|(name, value)| format!("{name} {value}"));
        all.collect::<Vec<_>>().join(", ")
    };
    let all = [
        ("version", old.tool.version.clone(), new.tool.version.clone()),
        ("engine", old.run.engine.clone(), new.run.engine.clone()),
        ("search", old.run.search.clone(), new.run.search.clone()),
        ("reductions", old.scope.reductions.join(", "), new.scope.reductions.join(", ")),
        ("fairness", old.scope.fairness.clone(), new.scope.fairness.clone()),
        ("bounds", bounds(old), bounds(new)),
    ];
    let differ = all.into_iter().filter(|(_, old, new)| old != new);
    differ.map(|(name, old, new)| Setting { name, old, new }).collect()
}

/// Pairs properties by fingerprint, then by id, and says what happened to them. If as many assertions
/// are left on both sides, only their places have changed, and their order pairs them.
fn properties(old: Option<&RunResult>, new: Option<&RunResult>) -> Vec<PropertyChange> {
    let before: &[PropertyResult] = old.map_or(&[], |result| &result.properties);
    let after: &[PropertyResult] = new.map_or(&[], |result| &result.properties);
    let mut partner: Vec<Option<usize>> = vec![None; after.len()];
    let mut taken = vec![false; before.len()];
    type Key = fn(&PropertyResult) -> Option<(&str, PropertyKind)>;
    let keys: [Key; 3] = [
        |property| Some((property.fingerprint.as_deref()?, property.kind)),
        |property| Some((&property.id, property.kind)),
        |property| match property.kind {
            // Their names tell their places, which move.
            PropertyKind::Assertion | PropertyKind::Fault | PropertyKind::Exception => None,
            kind => Some((&property.name, kind)),
        },
    ];
    for key in keys {
        for (i, property) in after.iter().enumerate() {
            if partner[i].is_some() || key(property).is_none() {
                continue;
            }
            let found = (0..before.len()).find(|&j| !taken[j] && key(&before[j]) == key(property));
            if let Some(j) = found {
                taken[j] = true;
                partner[i] = Some(j);
            }
        }
    }
    let assertion = |property: &PropertyResult| property.kind == PropertyKind::Assertion;
    let open = |i: &usize| partner[*i].is_none() && assertion(&after[*i]);
    let open: Vec<usize> = (0..after.len()).filter(open).collect();
    let left: Vec<usize> =
        (0..before.len()).filter(|&j| !taken[j] && assertion(&before[j])).collect();
    if open.len() == left.len() {
        for (i, j) in open.into_iter().zip(left) {
            taken[j] = true;
            partner[i] = Some(j);
        }
    }
    let complete = new.is_some_and(|result| result.scope.complete);
    let mut changes: Vec<PropertyChange> = (0..after.len())
        .map(|i| change(partner[i].map(|j| &before[j]), Some(&after[i]), complete))
        .collect();
    let gone = (0..before.len()).filter(|&j| !taken[j]);
    changes.extend(gone.map(|j| change(Some(&before[j]), None, complete)));
    changes
}

/// Whether a property is listed only where it is violated.
fn is_fault(property: &PropertyResult) -> bool {
    matches!(property.kind, PropertyKind::Fault | PropertyKind::Exception)
}

fn change(
    old: Option<&PropertyResult>,
    new: Option<&PropertyResult>,
    complete: bool,
) -> PropertyChange {
    let word = |property: Option<&PropertyResult>| property.map(|p| p.verdict.word());
    let change = match (old.map(|p| p.verdict), new.map(|p| p.verdict)) {
        (Some(Verdict::Violated), Some(Verdict::Violated)) => Change::Same,
        (_, Some(Verdict::Violated)) => Change::NewViolation,
        (None, _) => Change::Appeared,
        // Faults are listed only where they happen.
        (Some(Verdict::Violated), None) if complete && old.is_some_and(is_fault) => Change::Fixed,
        (Some(_), None) => Change::Disappeared,
        (Some(Verdict::Violated), Some(Verdict::Holds)) => Change::Fixed,
        (Some(Verdict::Violated), Some(_)) => Change::Open,
        (Some(Verdict::Holds), Some(Verdict::Holds)) => Change::Same,
        (Some(_), Some(Verdict::Holds)) => Change::Proved,
        (Some(Verdict::Holds), Some(_)) => Change::Weaker,
        (Some(_), Some(_)) => Change::Same,
    };
    let shown = new.or(old);
    PropertyChange {
        id: shown.map(|property| property.id.clone()).unwrap_or_default(),
        name: shown.map(|property| property.name.clone()).unwrap_or_default(),
        change,
        verdict: Pair { old: word(old), new: word(new) },
        message: shown.and_then(|property| property.message.clone()),
    }
}
