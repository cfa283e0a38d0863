//! The annotated models under `tests/models`.
//!
//! A model begins with comment lines of the form `// key: value` that say what a checker must find.
//! The keys are listed in `tests/models/promela/README.md`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::spin::{Counts, Kind, Run};

/// A model with its expectations.
#[derive(Clone, Debug)]
pub struct TestModel {
    /// The file.
    pub path: PathBuf,
    /// The file name without its extension.
    pub name: String,
    /// The whole text, header included.
    pub source: String,
    /// The expectations.
    pub header: Header,
}

/// The header of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Where the expectation comes from: `M01` to `M81`, or `trap 7`.
    pub oracle: String,
    /// One line on what the model tests.
    pub what: String,
    /// Remarks.
    pub notes: Vec<String>,
    /// What SPIN does where Everypath deliberately differs.
    pub spin: Option<SpinDiffers>,
    /// The expectation for the model without its claims.
    pub expect: Expect,
    /// The expectation for the product with the first claim of the model, for safety only.
    pub claim: Option<Expect>,
}

/// What SPIN does with a model that Everypath treats differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpinDiffers {
    /// SPIN takes a model that must be refused.
    Accepts,
    /// SPIN refuses a model that must be taken.
    Rejects,
}

/// What a checker must find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expect {
    /// The verdict.
    pub verdict: Verdict,
    /// The kinds of errors, sorted.
    pub kinds: Vec<Kind>,
    /// The counts of an unreduced search that continues after errors.
    pub counts: Option<Counts>,
    /// The number of errors of that search.
    pub errors: Option<u64>,
    /// Whether that search ended early, so that its counts depend on the search order.
    pub partial: bool,
}

impl Expect {
    /// What a run of SPIN found.
    pub fn of_run(run: &Run) -> Expect {
        let verdict = if run.no_verdict() {
            Verdict::Inconclusive
        } else if run.errors > 0 {
            Verdict::Violated
        } else {
            Verdict::Holds
        };
        Expect {
            verdict,
            kinds: run.kinds(),
            counts: Some(run.counts),
            errors: Some(run.errors),
            // After an index out of range the verifier reads and writes other variables.
            partial: !run.complete() || run.kinds().contains(&Kind::Index),
        }
    }
}

/// The verdict on a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// No error.
    #[default]
    Holds,
    /// At least one error.
    Violated,
    /// The text is refused.
    Error,
    /// SPIN runs it, Everypath need not (embedded C). The counts are SPIN's.
    Unsupported,
    /// A limit is exceeded: neither holds nor violated.
    Inconclusive,
}

impl Verdict {
    const WORDS: [(Verdict, &'static str); 5] = [
        (Verdict::Holds, "holds"),
        (Verdict::Violated, "violated"),
        (Verdict::Error, "error"),
        (Verdict::Unsupported, "unsupported"),
        (Verdict::Inconclusive, "inconclusive"),
    ];

    /// The word in the header.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(verdict, _)| *verdict == self).map_or("", |(_, word)| word)
    }

    fn from_word(word: &str) -> Option<Verdict> {
        Self::WORDS.iter().find(|(_, w)| *w == word).map(|(verdict, _)| *verdict)
    }
}

/// The directory of the annotated Promela models.
pub fn promela_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/models/promela")
}

/// All annotated Promela models in order of their names.
///
/// # Panics
///
/// If the directory cannot be read or a header is malformed: the tests cannot go on.
pub fn promela() -> Vec<TestModel> {
    let dir = promela_dir();
    let entries = fs::read_dir(&dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap_or_else(|e| panic!("{}: {e}", dir.display())).path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "pml"))
        .collect();
    files.sort();
    files
        .iter()
        .map(|path| load(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
        .collect()
}

/// Reads one model.
///
/// # Errors
///
/// A file that cannot be read and a malformed header, as text.
pub fn load(path: &Path) -> Result<TestModel, String> {
    let source = fs::read_to_string(path).map_err(|e| e.to_string())?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let header = parse_header(&source)?;
    Ok(TestModel { path: path.to_path_buf(), name, source, header })
}

/// The lines of the header as keys and values, up to the first line of another form.
fn header_lines(source: &str) -> impl Iterator<Item = (&str, &str)> {
    source.lines().map_while(|line| line.strip_prefix("// ")?.split_once(": "))
}

/// The model behind its header.
pub fn body(source: &str) -> &str {
    let mut rest = source;
    for _ in header_lines(source) {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    rest
}

/// Reads the header of a model.
///
/// # Errors
///
/// An unknown key, a malformed value or a missing verdict, as text.
pub fn parse_header(source: &str) -> Result<Header, String> {
    let mut header = Header::default();
    let mut claim = Expect::default();
    let mut verdict = false;
    for (key, value) in header_lines(source) {
        let value = value.trim();
        match key {
            "oracle" => header.oracle = value.to_string(),
            "what" => header.what = value.to_string(),
            "note" => header.notes.push(value.to_string()),
            "spin" => {
                header.spin = Some(match value {
                    "accepts" => SpinDiffers::Accepts,
                    "rejects" => SpinDiffers::Rejects,
                    _ => return Err(format!("spin neither accepts nor rejects but {value:?}")),
                });
            }
            _ => match key.strip_prefix("claim-") {
                Some(key) => {
                    expectation(&mut claim, key, value)?;
                    header.claim = Some(claim.clone());
                }
                None => {
                    expectation(&mut header.expect, key, value)?;
                    verdict |= key == "verdict";
                }
            },
        }
    }
    if !verdict {
        return Err("the header has no verdict".to_string());
    }
    Ok(header)
}

fn expectation(expect: &mut Expect, key: &str, value: &str) -> Result<(), String> {
    let number = || value.parse::<u64>().map_err(|e| format!("{key}: {value:?}: {e}"));
    let counts = expect.counts.get_or_insert_default();
    match key {
        "states" => counts.stored = number()?,
        "matched" => counts.matched = number()?,
        "transitions" => counts.transitions = number()?,
        "atomic" => counts.atomic = number()?,
        "errors" => expect.errors = Some(number()?),
        _ => {
            if *counts == Counts::default() {
                expect.counts = None;
            }
            match key {
                "verdict" => {
                    expect.verdict = Verdict::from_word(value)
                        .ok_or_else(|| format!("unknown verdict {value:?}"))?;
                }
                "kinds" => {
                    expect.kinds = value
                        .split(", ")
                        .map(|word| {
                            Kind::from_word(word).ok_or_else(|| format!("unknown kind {word:?}"))
                        })
                        .collect::<Result<_, _>>()?;
                    expect.kinds.sort();
                }
                "partial" => expect.partial = value == "yes",
                _ => return Err(format!("unknown key {key:?}")),
            }
        }
    }
    Ok(())
}

impl Header {
    /// The header as comment lines.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        let mut line = |key: &str, value: &str| {
            let _ = writeln!(out, "// {key}: {value}");
        };
        line("oracle", &self.oracle);
        line("what", &self.what);
        for note in &self.notes {
            line("note", note);
        }
        match self.spin {
            Some(SpinDiffers::Accepts) => line("spin", "accepts"),
            Some(SpinDiffers::Rejects) => line("spin", "rejects"),
            None => {}
        }
        for (prefix, expect) in [("", Some(&self.expect)), ("claim-", self.claim.as_ref())] {
            let Some(expect) = expect else { continue };
            let mut line = |key: &str, value: &str| line(&format!("{prefix}{key}"), value);
            line("verdict", expect.verdict.word());
            if !expect.kinds.is_empty() {
                let words: Vec<&str> = expect.kinds.iter().map(|kind| kind.word()).collect();
                line("kinds", &words.join(", "));
            }
            if expect.partial {
                line("partial", "yes");
            }
            if let Some(counts) = expect.counts {
                line("states", &counts.stored.to_string());
                line("matched", &counts.matched.to_string());
                line("transitions", &counts.transitions.to_string());
                line("atomic", &counts.atomic.to_string());
            }
            if let Some(errors) = expect.errors {
                line("errors", &errors.to_string());
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "// oracle: M57
// what: assertion
// note: one
// verdict: violated
// kinds: assertion, deadlock
// states: 21
// matched: 12
// transitions: 33
// atomic: 0
// errors: 4
// claim-verdict: holds
// claim-states: 7
// claim-matched: 0
// claim-transitions: 7
// claim-atomic: 0
// claim-errors: 0
byte x;
";

    #[test]
    fn a_header_is_read_and_written() {
        let header = parse_header(MODEL).unwrap();
        assert_eq!(header.expect.verdict, Verdict::Violated);
        assert_eq!(header.expect.kinds, [Kind::Assertion, Kind::Deadlock]);
        assert_eq!(header.expect.counts.unwrap().to_string(), "21/12/33/0");
        assert_eq!(header.claim.as_ref().unwrap().counts.unwrap().stored, 7);
        assert_eq!(body(MODEL), "byte x;\n");
        assert_eq!(header.to_text() + body(MODEL), MODEL);
    }

    #[test]
    fn a_malformed_header_is_an_error() {
        let error = |text: &str| parse_header(text).unwrap_err();
        assert_eq!(error("byte x;"), "the header has no verdict");
        assert_eq!(error("// verdict: maybe"), "unknown verdict \"maybe\"");
        assert_eq!(error("// verdicts: holds"), "unknown key \"verdicts\"");
        assert!(error("// states: many").starts_with("states: \"many\""));
    }
}
