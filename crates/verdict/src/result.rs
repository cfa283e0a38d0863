//! The document `everypath.result/1`: one input, all its properties, all that was said about them.

use everypath_model::{Diagnostic, Severity, Sources};
use everypath_property::PropertyKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Exit, Expectation, Place, Policy, Reason, Trace, Verdict, sha256_hex};

/// Value of [`RunResult::schema`].
pub const RESULT_SCHEMA: &str = "everypath.result/1";

/// Schema of the document that holds the results of several inputs.
pub const RESULTS_SCHEMA: &str = "everypath.results/1";

/// The result of checking one input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunResult {
    /// [`RESULT_SCHEMA`].
    #[schemars(extend("const" = RESULT_SCHEMA))]
    pub schema: String,
    /// Who made it.
    pub tool: Tool,
    /// The verdict on all properties together.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The exit code that this input deserves.
    pub exit: u8,
    /// How it was made.
    pub run: RunInfo,
    /// The files that were read, the main file first.
    pub inputs: Vec<Input>,
    /// What the model looks like; `None` if it could not be read.
    pub model: Option<ModelInfo>,
    /// What the verdicts cover.
    pub scope: Scope,
    /// Counts of the search; `None` if there was none.
    pub stats: Option<Stats>,
    /// The properties with their verdicts.
    pub properties: Vec<PropertyResult>,
    /// Which statements were executed; `None` if there was no search.
    pub coverage: Option<Coverage>,
    /// What there is to say about the input.
    pub diagnostics: Vec<Note>,
    /// What a program printed that has a single run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Java: the test method that was explored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
}

impl RunResult {
    /// The exit that the verdicts deserve. A property with an expectation of its own is judged by
    /// that alone. The verdict of the whole counts too: a search that was incomplete is not a
    /// success for want of properties. Errors that were noticed after the search count as well, and
    /// a denied finding is as bad as a violation.
    pub fn judge(&self, policy: &Policy) -> Exit {
        let mut exit = Exit::Ok;
        let mut rest = Vec::new();
        for property in &self.properties {
            match property.expected {
                Some(_) => {
                    let own = Policy { expect: property.expected, ..*policy };
                    exit = exit.and(own.judge([property.verdict]));
                }
                None => rest.push(property.verdict),
            }
        }
        rest.push(self.verdict_without_expected(policy));
        for note in self.diagnostics.iter().filter(|note| note.severity == NoteSeverity::Error) {
            exit = exit.and(if note.denied { Exit::Violation } else { Exit::Input });
        }
        exit.and(policy.judge(rest))
    }

    /// The verdict of the whole, without the violations that were expected one by one.
    fn verdict_without_expected(&self, policy: &Policy) -> Verdict {
        let violated = |property: &&PropertyResult| property.verdict == Verdict::Violated;
        let mut all = self.properties.iter().filter(violated).peekable();
        let expected = all.peek().is_some() && all.all(|property| property.expected.is_some());
        if self.verdict != Verdict::Violated
            || !expected
            || policy.expect == Some(Expectation::Violated)
        {
            return self.verdict;
        }
        match self.scope.complete {
            true => Verdict::Holds,
            false => Verdict::NoViolationFound(self.incomplete()),
        }
    }

    /// Why the search was not complete, if it was not.
    pub fn incomplete(&self) -> Reason {
        let otherwise = match (&self.scope.lossy, &self.scope.sample) {
            (_, Some(_)) => Reason::Sampled,
            (Some(_), None) => Reason::LossyStore,
            (None, None) => Reason::ModelIncomplete,
        };
        self.run.stop.reason().unwrap_or(otherwise)
    }

    /// How many findings were denied.
    pub fn denied(&self) -> usize {
        self.diagnostics.iter().filter(|note| note.denied).count()
    }
}

/// The program that made a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    /// Its version.
    pub version: String,
    /// How it was built.
    pub build: String,
}

/// How a result came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunInfo {
    /// The command line.
    pub argv: Vec<String>,
    /// Seed of random choices; `None` if there were none.
    pub seed: Option<u64>,
    /// Name of the engine.
    pub engine: String,
    /// Order of the search.
    pub search: String,
    /// How states were kept: `collapse`, `plain`, `compact=40`, `bitstate=3`.
    #[serde(default)]
    pub store: String,
    /// How statements were executed in it: `jit` or `interp`.
    #[serde(default)]
    pub exec: String,
    /// Number of threads of the search.
    #[serde(default = "one")]
    pub threads: u64,
    /// Elapsed time in seconds.
    pub wall_s: f64,
    /// Peak memory of the process.
    pub peak_bytes: Option<u64>,
    /// Why the search ended.
    pub stop: Stop,
    /// How many states it began with, if it went on with one that was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumed: Option<u64>,
    /// What another run can go on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<Checkpoint>,
    /// What the user expected.
    pub expect: Option<Expectation>,
    /// Why, in the user's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect_because: Option<String>,
}

/// A search on the disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Checkpoint {
    /// The file.
    pub path: String,
    /// States stored in it.
    pub states: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// Everything was explored.
    Completed,
    /// There was nothing to explore: the input is bad.
    NotStarted,
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The state limit.
    States,
    /// Runs longer than the depth limit were cut off.
    Depth,
    /// Runs beyond a bound of preemptions or of switches were not followed.
    Bound,
    /// The user.
    Interrupt,
    /// The disk failed, or is full.
    Disk,
    /// Enough violations were found.
    Violation,
    /// The model could not be evaluated.
    Model,
}

impl Stop {
    /// The reason it gives to verdicts; `None` if the search was complete.
    pub fn reason(self) -> Option<Reason> {
        match self {
            Stop::Completed => None,
            Stop::NotStarted | Stop::Model => Some(Reason::Evaluation),
            Stop::Time => Some(Reason::TimeLimit),
            Stop::Memory => Some(Reason::MemoryLimit),
            Stop::States => Some(Reason::StateLimit),
            Stop::Depth => Some(Reason::DepthLimit),
            Stop::Bound => Some(Reason::SwitchBound),
            Stop::Interrupt => Some(Reason::Interrupted),
            Stop::Disk => Some(Reason::Disk),
            Stop::Violation => Some(Reason::StoppedEarly),
        }
    }
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// Its path as the user gave it, or as an include directive found it.
    pub path: String,
    /// Its language.
    pub lang: String,
    /// Hash of its text.
    pub sha256: String,
}

/// What a model looks like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelInfo {
    /// The language as people write it.
    pub language: String,
    /// Number of processes in the initial state.
    pub processes: u64,
}

/// What the verdicts of a run cover.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Scope {
    /// Whether every reachable state was expanded.
    pub complete: bool,
    /// Reductions in use.
    pub reductions: Vec<String>,
    /// The fairness that was assumed.
    pub fairness: String,
    /// Limits that were reached or set, by name.
    pub bounds: serde_json::Map<String, serde_json::Value>,
    /// What kind of loss the store may have had; `None` for an exact store.
    pub lossy: Option<String>,
    /// How much it probably lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<Loss>,
    /// Which samples were taken; `None` if the search was to see everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<Sample>,
    /// What was not looked at.
    pub skipped: Vec<String>,
    /// What the verdicts rely on: what the language leaves open and was taken to be so, constraints.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<String>,
}

/// Random runs, or the searches of a swarm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sample {
    /// How many.
    pub runs: u64,
    /// The seed of the first; each of the others has one more than the one before.
    pub seed: u64,
}

/// What a lossy store probably lost. The numbers are expectations over the choice of the hash.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Loss {
    /// Expected number of states that were taken for known ones; what only these lead to comes on
    /// top.
    pub omitted: f64,
    /// The probability that there was any.
    pub probability: f64,
    /// Part of the states that was probably looked at, at most; null if the search was cut, so that nobody knows
    /// how many there are.
    pub coverage: Option<f64>,
    /// Bytes of the table.
    pub table_bytes: u64,
    /// Part of the table that is in use.
    pub fill: f64,
    /// How reliable the numbers are, and what would lose less.
    pub advice: Vec<String>,
}

/// Counts of a search.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Stats {
    /// States stored.
    pub states: u64,
    /// Steps taken.
    pub transitions: u64,
    /// Steps into states that were known.
    pub matched: u64,
    /// Length of the longest run that was followed.
    pub depth: u64,
    /// How often a violation was met.
    pub errors: u64,
    /// States that were stored but not expanded.
    pub unexpanded: u64,
    /// Memory of the store.
    pub bytes: u64,
    /// Memory per state.
    pub bytes_per_state: f64,
    /// Transactions that were made to end since no end of them was known, if there are transactions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced_ends: Option<u64>,
    /// What a program did in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<ProgramStats>,
    /// The runs that were followed, if that was how to search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<RunStats>,
}

/// Runs that a search followed one by one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunStats {
    /// Those that were followed to their end.
    pub executions: u64,
    /// Those that were given up, since all that could follow was known.
    pub given_up: u64,
    /// Those that an assumption or a limit ended.
    pub cut: u64,
    /// Executions a second of the search.
    pub executions_per_s: f64,
}

/// What a program did in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramStats {
    /// Instructions of all steps.
    pub instructions: u64,
    /// The most threads that were alive at a time.
    pub threads: u64,
    /// The most objects that a state had.
    pub objects: u64,
}

/// One property with its verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PropertyResult {
    /// Unique in the document: `assert@12:18`.
    pub id: String,
    /// What it is about.
    pub kind: PropertyKind,
    /// Its name in a list: `no deadlock`, `ltl served`.
    pub name: String,
    /// What is known about it.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What the user expected of this property.
    pub expected: Option<Expectation>,
    /// Why, in the user's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_because: Option<String>,
    /// Whether it holds only because it never came into play, or without some part of it.
    pub vacuous: bool,
    /// The parts of a temporal property that do not matter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vacuity: Vec<Vacuity>,
    /// The code of the violation.
    pub code: Option<String>,
    /// One sentence about the verdict.
    pub message: Option<String>,
    /// The place it speaks of.
    pub span: Option<Place>,
    /// The same for the same violation in later versions of the input.
    pub fingerprint: Option<String>,
    /// How often the search met the violation.
    pub occurrences: u64,
    /// The seed of the run or search that found it, if it was one of many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The search that found it, if it was one beside the search that was asked for: `dfs`, `directed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_by: Option<String>,
    /// Java: the class of the exception that violates it: `java.lang.IllegalStateException`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exception: Option<String>,
    /// Java: what happens in the run without a reason: `only with a spurious wake-up of Lock.wait at Main.java:12`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_with: Option<String>,
    /// How its product with the model was searched, if it is temporal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub product: Option<ProductStats>,
    /// The run that shows the violation.
    pub trace: Option<Box<Trace>>,
    /// A change that was tried and makes all properties hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

/// A part of a formula without which it holds as well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Vacuity {
    /// What kind of part it is.
    pub kind: VacuityKind,
    /// The part.
    pub part: String,
    /// The stronger formula, without the part, which holds.
    pub formula: String,
    /// One sentence about it.
    pub text: String,
}

/// What is wrong with a formula that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VacuityKind {
    /// It holds in every model.
    Tautology,
    /// The condition of an implication is never true.
    Trigger,
    /// A part could be left out.
    Part,
    /// The condition of an implication could be left out: it holds without. That is common, and does
    /// not make a property vacuous.
    Condition,
}

/// How the product of a model with an automaton was searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProductStats {
    /// The method, as `--emptiness` names it.
    pub method: String,
    /// Marks that a run which violates the property passes again and again; fairness not counted.
    pub marks: u32,
    /// States of the product that were reached.
    pub states: u64,
    /// Transitions of it that were followed, each time that they were.
    pub transitions: u64,
    /// The most that was on the stacks of the search.
    pub stack: u64,
    /// The reductions of the model that were in use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reductions: Vec<String>,
}

/// A change of the input that was tried on a copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fix {
    /// What it is: `make lines 6-7 atomic`
    pub text: String,
    /// States of the changed copy, all of which were searched.
    pub states: u64,
    /// What to write where.
    pub edits: Vec<Insertion>,
}

/// A text to insert.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Insertion {
    /// Index into the inputs of the document.
    pub file: u32,
    /// Line and column that it goes in front of.
    pub at: (u32, u32),
    /// The text.
    pub text: String,
}

impl PropertyResult {
    /// A property with nothing known but its verdict.
    pub fn new(
        kind: PropertyKind,
        id: impl Into<String>,
        name: impl Into<String>,
        verdict: Verdict,
    ) -> PropertyResult {
        PropertyResult {
            id: id.into(),
            kind,
            name: name.into(),
            verdict,
            expected: None,
            expected_because: None,
            vacuous: false,
            vacuity: Vec::new(),
            code: None,
            message: None,
            span: None,
            fingerprint: None,
            occurrences: 0,
            seed: None,
            found_by: None,
            exception: None,
            only_with: None,
            product: None,
            trace: None,
            fix: None,
        }
    }

    /// A fingerprint from what survives an edit elsewhere in the file: the kind of property, the
    /// file, the text of the line, and how many such lines come before it.
    pub fn fingerprint_of(
        sources: &Sources,
        kind: PropertyKind,
        name: &str,
        at: Option<Place>,
    ) -> String {
        let mut text = format!("{kind:?}\0");
        match at {
            Some(place) => {
                let file = sources.file(everypath_model::FileId(place.file));
                let line = file.line(place.start.0).trim();
                let before = (1..place.start.0).filter(|&n| file.line(n).trim() == line).count();
                let name = file.path.file_name().unwrap_or_default().to_string_lossy();
                text += &format!("{name}\0{line}\0{before}");
            }
            None => text += name,
        }
        sha256_hex(text.as_bytes())[..16].to_owned()
    }
}

/// Which statements were executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// Counts.
    pub statements: Statements,
    /// What was never executed.
    pub unreached: Vec<Unreached>,
    /// Counts of methods, for languages that have them; statements are lines then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub methods: Option<Statements>,
    /// Counts of the ways of conditions, of which each has two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branches: Option<Statements>,
}

/// Counts of statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Statements {
    /// Executed at least once.
    pub reached: u64,
    /// All.
    pub total: u64,
}

/// A statement that was never executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unreached {
    /// Its place.
    pub span: Place,
    /// Its text.
    pub text: String,
}

/// A [`Diagnostic`] as documents hold it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// `EPnnnn`
    pub code: String,
    /// How bad it is.
    pub severity: NoteSeverity,
    /// One sentence.
    pub message: String,
    /// The place.
    pub span: Option<Place>,
    /// What stands at the place.
    pub label: Option<String>,
    /// Other places.
    pub related: Vec<NoteLabel>,
    /// A suggestion.
    pub help: Option<String>,
    /// The user does not accept it: it counts like a violation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub denied: bool,
}

/// How bad a [`Note`] is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum NoteSeverity {
    /// Advice.
    Note,
    /// Deserves a look.
    Warning,
    /// Well formed, but it cannot be checked.
    Unsupported,
    /// Ill formed.
    Error,
}

/// A place with a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteLabel {
    /// The place.
    pub span: Place,
    /// The text.
    pub text: String,
}

impl Note {
    /// The note that says what `diagnostic` says.
    pub fn of(sources: &Sources, diagnostic: &Diagnostic) -> Note {
        let text = |text: &String| (!text.is_empty()).then(|| text.clone());
        Note {
            code: diagnostic.code.to_owned(),
            severity: match diagnostic.severity {
                Severity::Note => NoteSeverity::Note,
                Severity::Warning => NoteSeverity::Warning,
                Severity::Unsupported => NoteSeverity::Unsupported,
                Severity::Error => NoteSeverity::Error,
            },
            message: diagnostic.message.clone(),
            span: diagnostic.primary.as_ref().map(|label| Place::of(sources, label.span)),
            label: diagnostic.primary.as_ref().and_then(|label| text(&label.text)),
            related: diagnostic
                .secondary
                .iter()
                .map(|label| NoteLabel {
                    span: Place::of(sources, label.span),
                    text: label.text.clone(),
                })
                .collect(),
            help: diagnostic.help.clone(),
            denied: false,
        }
    }
}

fn one() -> u64 {
    1
}
