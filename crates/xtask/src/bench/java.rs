//! Java programs: how fast states are found, how large they are, how soon a bug is.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::child::Scratch;
use super::models::Model;
use super::ours::strings;
use super::result::{Figure, Row, Run, Section};
use super::sections::{Bench, LIMIT, Runner};
use super::tables::{mib, of, section, skipped};

/// Programs of the benchmark, and those examples that hold, with their verdict.
const PROGRAMS: [(&str, &str); 16] = [
    ("Philosophers", "holds"),
    ("Counters", "holds"),
    ("WorkQueue", "holds"),
    ("BoundedBuffer", "holds"),
    ("ReadersWriters", "holds"),
    ("ConnectionPool", "violated"),
    ("FutureChain", "holds"),
    ("Phases", "holds"),
    ("PetersonBroken", "violated"),
    ("DiningPhilosophers", "violated"),
    ("BoundedBufferNotify", "violated"),
    ("RemoteAgent", "violated"),
    ("ExecutorDeadlock", "violated"),
    ("AbaStack", "violated"),
    ("Computing", "holds"),
    ("Nothing", "holds"),
];

/// Those of a quick run.
const QUICK: [&str; 4] = ["Philosophers", "WorkQueue", "RemoteAgent", "Nothing"];

/// What Java PathFinder did with its six dining philosophers, as it was written down; it is not run here.
const RECORDED: [&str; 10] = [
    "Java PathFinder, as recorded",
    "-",
    "-",
    "-",
    "2,500",
    "10,000",
    "0.2",
    "-",
    "start 1.1",
    "2867",
];

impl Bench<'_> {
    /// The programs, compiled once, each with one thread of the search.
    pub fn java(&self) -> Section {
        let classes = match compiled() {
            Ok(classes) => classes,
            Err(why) => return skipped("java", &why),
        };
        let ours = self.ours;
        let mut rows = Vec::new();
        for (name, verdict) in PROGRAMS {
            let only = &self.options.only;
            let named = only.is_empty() || only.iter().any(|part| name.contains(part.as_str()));
            if !named || (self.options.quick && !QUICK.contains(&name)) {
                continue;
            }
            let model = &Model {
                name: name.to_owned(),
                file: classes.path().join(format!("{name}.class")),
                defines: Vec::new(),
                depth: 0,
                deadlocks: true,
            };
            let words = strings(&["-j", "1"]);
            let kinds: Vec<(&'static str, Runner)> =
                vec![("one", Box::new(move || ours.check(model, &words, LIMIT)))];
            let mut row = self.in_turn(name, kinds, Vec::new());
            let wrong = row.get("one").filter(|run| run.verdict != verdict);
            if let Some(said) = wrong.map(|run| format!("{} instead of {verdict}", run.verdict)) {
                row.problems.push(said);
            }
            rows.push(row);
        }
        table(rows)
    }
}

/// Our own programs for the benchmark and the examples, compiled into one directory.
pub fn compiled() -> Result<Scratch, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources: Vec<PathBuf> = Vec::new();
    for folder in [root.join("bench/java"), root.join("../../examples/java")] {
        let entries =
            std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let paths = entries.flatten().map(|entry| entry.path());
        sources.extend(paths.filter(|path| path.extension().is_some_and(|ext| ext == "java")));
    }
    sources.sort();
    let classes = Scratch::new("java")?;
    let output = Command::new("javac")
        .args(["-g", "-nowarn", "-encoding", "UTF-8", "-sourcepath"])
        .arg(root.join("../lang-java/library"))
        .arg("-d")
        .arg(classes.path())
        .args(&sources)
        .output()
        .map_err(|e| format!("javac: {e}"))?;
    match output.status.success() {
        true => Ok(classes),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

fn table(rows: Vec<Row>) -> Section {
    let columns = [
        "program",
        "verdict",
        "states",
        "transitions",
        "states/s",
        "transitions/s",
        "M bytecodes/s",
        "B/state",
        "s",
        "MiB",
    ];
    let mut section = section("java", &columns, rows, |row| {
        let one = row.get("one");
        vec![
            row.model.clone(),
            of(one, |run| run.verdict.clone()),
            of(one, |run| run.states.to_string()),
            of(one, |run| run.transitions.to_string()),
            of(one, |run| format!("{:.0}", 1e6 * run.rate())),
            of(one, |run| format!("{:.0}", 1e6 * run.steps())),
            of(one, |run| bytecodes(run).map_or("-".to_owned(), |rate| format!("{rate:.1}"))),
            of(one, |run| format!("{:.1}", run.bytes_a_state)),
            of(one, |run| format!("{:.2}", run.search.wall)),
            of(one, |run| mib(run.search.peak)),
        ]
    });
    section.cells.push(RECORDED.map(str::to_owned).to_vec());
    section.remark = Some(
        "Compiled classes, one thread, reductions as they come. Rates are by processor time of the whole \
         process, start-up included, so they say little for small programs; bytecodes are those of all steps, \
         also of those that were known from another state and not executed again; seconds are by the clock, up to \
         the verdict: for programs with a bug, up to its report. Bytes count dictionaries and the classes of the \
         JDK that were initialised. The last line is not measured: it is what Java PathFinder (branch for Java 17) \
         was recorded to do with six dining philosophers of its own on a machine like this one."
            .to_owned(),
    );
    let figures = [
        figure(&section, "Philosophers", "states a second", "at least 100,000", |run| {
            (1e6 * run.rate(), 1e6 * run.rate() >= 1e5)
        }),
        figure(&section, "Philosophers", "million bytecodes a second", "at least 10", |run| {
            let rate = bytecodes(run).unwrap_or(0.0);
            (rate, rate >= 10.0)
        }),
        figure(&section, "Computing", "million bytecodes a second", "at least 10", |run| {
            let rate = bytecodes(run).unwrap_or(0.0);
            (rate, rate >= 10.0)
        }),
        figure(&section, "Philosophers", "bytes a state", "at most 100", |run| {
            (run.bytes_a_state, run.bytes_a_state <= 100.0)
        }),
        figure(&section, "Nothing", "seconds to begin and end", "at most 0.2", |run| {
            (run.search.wall, run.search.wall <= 0.2)
        }),
    ];
    section.figures.extend(figures.into_iter().flatten());
    section
}

/// Millions of bytecodes a second of processor time.
fn bytecodes(run: &Run) -> Option<f64> {
    Some(run.instructions? as f64 / run.search.cpu.max(1e-3) / 1e6)
}

fn figure(
    section: &Section,
    program: &str,
    what: &str,
    aim: &'static str,
    value: impl Fn(&Run) -> (f64, bool),
) -> Option<Figure> {
    let row = section.rows.iter().find(|row| row.model == program)?;
    let (value, reached) = value(row.get("one")?);
    Some(Figure { what: format!("{program}: {what}"), value, aim, reached })
}
