//! SARIF 2.1.0: one run with a result for each violation and for each property that is left open.
//!
//! The standard has a word for what is not decided, the kind `open`, and then wants the level
//! `none`; so that viewers that go by the level say it too, an incomplete search is also a warning
//! among the notifications, where problems without a place stand as well.

mod flow;
mod log;
mod uri;

use std::collections::BTreeMap;

use everypath_verdict::{Exit, Place, RunResult, Verdict};
use serde_json::{Value, json};

use self::log::{
    Artifact, ArtifactLocation, Descriptor, DescriptorReference, Driver, Invocation, Location, Log,
    Message, Notification, PhysicalLocation, Region, Run, Tool,
};
use super::finding::{About, Finding, Level, findings, main_path, tidy};
use super::json::line;
use super::scope::{scope_line, stop_code};
use super::{Checked, Page, onward};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// One document about all inputs.
pub fn render(page: &Page<'_>, all: &[Checked], exit: Exit) -> String {
    let mut files = Files::new(page, all);
    let (mut rules, mut kinds) = (Rules::new(page), Rules::new(page));
    let (mut results, mut notifications) = (Vec::new(), Vec::new());
    for (number, checked) in all.iter().enumerate() {
        for finding in findings(checked) {
            let apart = match finding.about {
                About::Property(_) => false,
                About::Input(_) => finding.place.is_none(),
                About::Run => finding.is_open(),
            };
            if apart {
                notifications.push(notification(&mut kinds, &files, number, &finding));
            } else {
                results.push(result(&mut rules, &files, number, checked, &finding));
            }
        }
        notifications.extend(incomplete(page, &mut kinds, &files, number, &checked.result));
    }
    let argv = all.first().map(|checked| checked.result.run.argv.as_slice()).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let invocation = Invocation {
        arguments: argv.iter().skip(1).cloned().collect(),
        execution_successful: !matches!(exit, Exit::Input | Exit::Internal),
        exit_code: exit.code(),
        exit_code_description: match exit {
            Exit::Ok => "everything is as expected, and the search was complete",
            Exit::Violation => "a violation, or an unmet expectation",
            Exit::Input => "unreadable or ill-formed input",
            Exit::Inconclusive => "inconclusive",
            Exit::Program(_) => "the status of the program",
            Exit::Internal => "an internal error of everypath",
        },
        tool_execution_notifications: notifications,
        properties: BTreeMap::from([(
            "inputs",
            all.iter().map(|one| summary(page, one)).collect(),
        )]),
    };
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: vec![Run {
            tool: Tool {
                driver: Driver {
                    name: "everypath",
                    semantic_version: version.clone(),
                    version,
                    rules: rules.all,
                    notifications: kinds.all,
                },
            },
            invocations: vec![invocation],
            artifacts: std::mem::take(&mut files.artifacts),
            results,
            column_kind: "unicodeCodePoints",
        }],
    };
    line(&log)
}

/// What the verdicts on one input are, and what they cover.
fn summary(page: &Page<'_>, checked: &Checked) -> Value {
    let result = &checked.result;
    let properties: serde_json::Map<String, Value> = result
        .properties
        .iter()
        .map(|property| (property.id.clone(), property.verdict.word().as_str().into()))
        .collect();
    json!({
        "path": tidy(page.base, main_path(result)),
        "verdict": result.verdict.word().as_str(),
        "stop": result.run.stop,
        "scope": result.scope,
        "stats": result.stats,
        "properties": properties,
    })
}

/// The files of all inputs, each once.
struct Files {
    artifacts: Vec<Artifact>,
    /// For each input the positions of its files.
    positions: Vec<Vec<usize>>,
}

impl Files {
    fn new(page: &Page<'_>, all: &[Checked]) -> Files {
        let mut files = Files { artifacts: Vec::new(), positions: Vec::new() };
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for checked in all {
            let positions = checked.result.inputs.iter().map(|input| {
                let uri = uri::of(&tidy(page.base, &input.path));
                *known.entry(uri.clone()).or_insert_with(|| {
                    let hash = Some(input.sha256.clone()).filter(|hash| !hash.is_empty());
                    files.artifacts.push(Artifact {
                        location: ArtifactLocation { uri, index: None },
                        hashes: hash.into_iter().map(|hash| ("sha-256", hash)).collect(),
                        source_language: input.lang.clone(),
                    });
                    files.artifacts.len() - 1
                })
            });
            let positions = positions.collect();
            files.positions.push(positions);
        }
        files
    }

    /// A place in the files of an input, or the input itself.
    fn location(&self, input: usize, place: Option<Place>, message: Option<String>) -> Location {
        let positions = &self.positions[input];
        let file = place.map_or(0, |place| place.file as usize);
        let index = positions.get(file).or(positions.first()).copied();
        let uri = index.map_or(String::new(), |i| self.artifacts[i].location.uri.clone());
        Location {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation { uri, index },
                region: place.map(|place| Region {
                    start_line: place.start.0,
                    start_column: place.start.1,
                    end_line: place.end.0,
                    end_column: place.end.1,
                }),
            },
            message: message.map(|text| Message { text }),
        }
    }
}

/// The codes in use, each once.
struct Rules {
    /// What a code means.
    codes: fn(&str) -> Option<(&'static str, &'static str)>,
    all: Vec<Descriptor>,
    known: BTreeMap<String, usize>,
}

impl Rules {
    fn new(page: &Page<'_>) -> Rules {
        Rules { codes: page.codes, all: Vec::new(), known: BTreeMap::new() }
    }

    fn index(&mut self, code: &str) -> usize {
        if let Some(&index) = self.known.get(code) {
            return index;
        }
        let (title, text) = (self.codes)(code).unwrap_or((code, code));
        let message = |text: &str| Message { text: text.to_owned() };
        self.all.push(Descriptor {
            id: code.to_owned(),
            short_description: message(title),
            full_description: message(text),
            help: message(&format!("{text}\n\nThe same is told by `everypath explain {code}`.")),
        });
        self.known.insert(code.to_owned(), self.all.len() - 1);
        self.all.len() - 1
    }
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Note => "note",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}

fn notification(
    kinds: &mut Rules,
    files: &Files,
    input: usize,
    finding: &Finding<'_>,
) -> Notification {
    let mut text = finding.message.clone();
    if let About::Input(note) = finding.about
        && let Some(help) = &note.help
    {
        text += &format!("\nhelp: {help}");
    }
    Notification {
        descriptor: DescriptorReference {
            id: finding.code.to_owned(),
            index: kinds.index(finding.code),
        },
        level: level(finding.level),
        message: Message { text },
        locations: vec![files.location(input, finding.place, None)],
    }
}

/// That a search was cut short, for those who do not look at results of the kind `open`.
fn incomplete(
    page: &Page<'_>,
    kinds: &mut Rules,
    files: &Files,
    input: usize,
    result: &RunResult,
) -> Option<Notification> {
    if result.stats.is_none() || result.scope.complete {
        return None;
    }
    let code = stop_code(result.run.stop);
    let mut text = format!("the search was incomplete: {}", scope_line(result));
    for line in onward::steps(result, page.detail.memory) {
        text += &format!("\n{line}");
    }
    Some(Notification {
        descriptor: DescriptorReference { id: code.to_owned(), index: kinds.index(code) },
        level: "warning",
        message: Message { text },
        locations: vec![files.location(input, None, None)],
    })
}

fn result(
    rules: &mut Rules,
    files: &Files,
    input: usize,
    checked: &Checked,
    finding: &Finding<'_>,
) -> log::Finding {
    let mut text = finding.message.clone();
    let mut related = Vec::new();
    let mut flows = Vec::new();
    let mut properties = BTreeMap::new();
    match finding.about {
        About::Property(property) => {
            properties.insert("property", property.id.clone().into());
            properties.insert("verdict", property.verdict.word().as_str().into());
            if let Some(reason) = property.verdict.reason() {
                properties.insert("reason", reason.as_str().into());
            }
            if let Some(expected) = property.expected {
                properties.insert("expected", json!(expected));
            }
            if let Some(reason) = &property.expected_because {
                properties.insert("expectedBecause", reason.clone().into());
            }
            if let Some(exception) = &property.exception {
                properties.insert("exception", exception.clone().into());
            }
            if property.verdict == Verdict::Violated {
                properties.insert("scope", scope_line(&checked.result).into());
            }
            if let Some(trace) = &property.trace {
                text += &format!("\n{}", flow::length(trace));
                for why in &trace.explain {
                    text += &format!("\nwhy: {}.", why.text);
                }
                for blocked in trace.end.blocked.iter().filter(|blocked| !blocked.valid_end) {
                    for at in &blocked.at {
                        let text = format!("{} waits here: {}", blocked.process, at.text);
                        let location = files.location(input, Some(at.span), Some(text));
                        if !related.contains(&location) {
                            related.push(location);
                        }
                    }
                }
                flows = flow::code_flows(trace, |place, text| {
                    files.location(input, Some(place), Some(text))
                });
            }
        }
        About::Input(note) => {
            for label in &note.related {
                let text = Some(label.text.clone()).filter(|text| !text.is_empty());
                related.push(files.location(input, Some(label.span), text));
            }
            for (word, more) in [("here", &note.label), ("help", &note.help)] {
                if let Some(more) = more {
                    text += &format!("\n{word}: {more}");
                }
            }
        }
        About::Run => {}
    }
    let open = finding.is_open();
    // GitHub tells alerts apart by the first, and makes its own if it is missing.
    let fingerprints = ["primaryLocationLineHash", "everypath/v1"];
    log::Finding {
        rule_id: finding.code.to_owned(),
        rule_index: rules.index(finding.code),
        kind: if open { "open" } else { "fail" },
        level: if open { "none" } else { level(finding.level) },
        message: Message { text },
        locations: vec![files.location(input, finding.place, None)],
        related_locations: related,
        code_flows: flows,
        partial_fingerprints: fingerprints.map(|key| (key, finding.fingerprint.clone())).into(),
        properties,
    }
}
