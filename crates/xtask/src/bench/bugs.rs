//! Seeded bugs in Java programs: how soon each is found, by searches and by running the program again and again.

use std::path::Path;
use std::time::{Duration, Instant};

use super::child::{self, Cost, Scratch};
use super::java::compiled;
use super::models::Model;
use super::ours::strings;
use super::result::{Figure, Row, Run, Section, mean};
use super::sections::{Bench, Runner};
use super::tables::{of, section, skipped};

/// The programs, and how their bug shows: an exception, or threads that wait for ever.
const BUGS: [(&str, Shows); 22] = [
    ("AbaStack", Shows::Failure),
    ("BankTransfer", Shows::Hang),
    ("BoundedBufferIf", Shows::Failure),
    ("BoundedBufferNotify", Shows::Hang),
    ("CheckThenAct", Shows::Failure),
    ("ConnectionPool", Shows::Failure),
    ("Counter", Shows::Failure),
    ("DiningPhilosophers", Shows::Hang),
    ("DivisionRace", Shows::Failure),
    ("EarlyPublication", Shows::Failure),
    ("ExecutorDeadlock", Shows::Hang),
    ("FourLocks", Shows::Hang),
    ("InitialiserDeadlock", Shows::Hang),
    ("LazyInit", Shows::Failure),
    ("LostWakeUp", Shows::Hang),
    ("OptimisticPoint", Shows::Failure),
    ("PetersonBroken", Shows::Failure),
    ("ReadersWritersBroken", Shows::Failure),
    ("RemoteAgent", Shows::Hang),
    ("SharedMap", Shows::Failure),
    ("SwallowedInterrupt", Shows::Hang),
    ("TwoLocks", Shows::Failure),
];

/// Programs whose runs are counted, one execution after the other.
const COUNTED: [&str; 3] = ["Accesses", "CounterAtomic", "Peterson"];

/// Those of a quick run.
const QUICK: [&str; 4] = ["Counter", "FourLocks", "RemoteAgent", "Accesses"];

/// Time for one search, and for all runs on the real virtual machine.
const LIMIT: Duration = Duration::from_secs(60);
const STRESS: Duration = Duration::from_secs(20);
/// A run that takes longer hangs.
const HANGS: Duration = Duration::from_secs(3);

/// How a bug shows in an ordinary run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    Failure,
    Hang,
}

/// The searches that are compared, with their options.
const SEARCHES: [(&str, &[&str]); 5] = [
    ("default", &[]),
    ("guided", &["--guide", "races"]),
    ("directed", &["--search", "directed"]),
    ("random", &["--search", "random", "--seed", "1"]),
    ("stateless", &["--search", "stateless"]),
];

impl Bench<'_> {
    /// Every program with a bug by every search, and by runs on the real virtual machine.
    pub fn bugs(&self) -> Section {
        let classes = match compiled() {
            Ok(classes) => classes,
            Err(why) => return skipped("java-bugs", &why),
        };
        let mut rows = Vec::new();
        let wanted = |name: &str| {
            let only = &self.options.only;
            let named = only.is_empty() || only.iter().any(|part| name.contains(part.as_str()));
            named && (!self.options.quick || QUICK.contains(&name))
        };
        for (name, shows) in BUGS.into_iter().filter(|(name, _)| wanted(name)) {
            let model = &model(&classes, name);
            let mut kinds: Vec<(&'static str, Runner)> = Vec::new();
            for (search, words) in SEARCHES {
                let words = [strings(&["-j", "1"]), strings(words)].concat();
                kinds.push((search, Box::new(move || self.ours.check(model, &words, LIMIT))));
            }
            let classes = &classes;
            kinds.push(("stress", Box::new(move || stress(classes, name, shows))));
            rows.push(self.in_turn(name, kinds, Vec::new()));
        }
        for name in COUNTED.into_iter().filter(|name| wanted(name)) {
            let model = &model(&classes, name);
            let words = strings(&["-j", "1", "--search", "stateless"]);
            let kinds: Vec<(&'static str, Runner)> =
                vec![("runs", Box::new(move || self.ours.check(model, &words, LIMIT)))];
            rows.push(self.in_turn(name, kinds, Vec::new()));
        }
        table(rows)
    }
}

fn model(classes: &Scratch, name: &str) -> Model {
    Model {
        name: name.to_owned(),
        file: classes.path().join(format!("{name}.class")),
        defines: Vec::new(),
        depth: 0,
        deadlocks: true,
    }
}

/// Runs a program on the real virtual machine until its bug shows; states are runs.
fn stress(classes: &Scratch, name: &str, shows: Shows) -> Result<Run, String> {
    let path = classes.path().display().to_string();
    let words = strings(&["-ea", "-XX:TieredStopAtLevel=1", "-cp", &path, name]);
    let start = Instant::now();
    let (mut runs, mut found) = (0, false);
    let mut cost = Cost::default();
    while !found && start.elapsed() < STRESS {
        let ran = child::run(Path::new("java"), &words, classes.path(), HANGS)?;
        runs += 1;
        cost = cost.then(ran.cost);
        found = match ran.exit {
            None => shows == Shows::Hang,
            Some(code) => code != 0 || ran.errors.contains("Exception in thread"),
        };
    }
    Ok(Run {
        states: runs,
        transitions: 0,
        depth: 0,
        vector: None,
        search: cost,
        before: Cost::default(),
        bytes_a_state: 0.0,
        instructions: None,
        executions: None,
        verdict: if found { "violated" } else { "not found" }.to_owned(),
        complete: false,
    })
}

fn table(rows: Vec<Row>) -> Section {
    let columns = [
        "program",
        "default",
        "guided",
        "directed",
        "random",
        "stateless",
        "runs on a JVM",
        "executions/s",
    ];
    let mut section = section("java-bugs", &columns, rows, |row| {
        let seconds = |name: &str| of(row.get(name), |run| told(run, ""));
        vec![
            row.model.clone(),
            seconds("default"),
            seconds("guided"),
            seconds("directed"),
            seconds("random"),
            seconds("stateless"),
            of(row.get("stress"), |run| told(run, &format!(" in {} runs", run.states))),
            of(row.get("runs"), |run| {
                rate(run).map_or("-".to_owned(), |rate| format!("{rate:.0}"))
            }),
        ]
    });
    section.remark = Some(
        "Seconds by the clock until the bug was told, start-up included, one thread; `-` is a search that did not find \
         it (or does not know the option). A JVM runs the program again and again for 20 s; a run of more than 3 s hangs. The last \
         rows have no bug: their executions are counted."
            .to_owned(),
    );
    let found = |name: &str| {
        let all = section.rows.iter().filter(|row| row.get("stress").is_some());
        let found = all.filter(|row| row.get(name).is_some_and(|run| run.verdict == "violated"));
        found.count() as f64
    };
    let bugs = section.rows.iter().filter(|row| row.get("stress").is_some()).count();
    let (default, stress) = (found("default"), found("stress"));
    if bugs > 0 {
        section.figures.push(Figure {
            what: format!("bugs found by the default search, of {bugs}"),
            value: default,
            aim: "all",
            reached: default as usize == bugs,
        });
        section.figures.push(Figure {
            what: format!("bugs found by runs on a JVM, of {bugs}"),
            value: stress,
            aim: "-",
            reached: true,
        });
    }
    let times: Vec<f64> = section
        .rows
        .iter()
        .filter_map(|row| row.get("default"))
        .filter(|run| run.verdict == "violated")
        .map(|run| run.search.wall)
        .collect();
    if let Some(mean) = mean(&times) {
        let what = "seconds to a bug, default search, geometric mean".to_owned();
        section.figures.push(Figure { what, value: mean, aim: "-", reached: true });
    }
    let best = section.rows.iter().filter_map(|row| rate(row.get("runs")?)).fold(0.0, f64::max);
    if best > 0.0 {
        let what = "stateless executions a second on a small program".to_owned();
        let reached = best >= 20_000.0;
        section.figures.push(Figure { what, value: best, aim: "at least 20,000", reached });
    }
    section
}

fn told(run: &Run, more: &str) -> String {
    match run.verdict.as_str() {
        "violated" => format!("{:.2}{more}", run.search.wall),
        "not found" => format!("-{more}"),
        _ => "-".to_owned(),
    }
}

/// Executions a second of processor time.
fn rate(run: &Run) -> Option<f64> {
    Some(run.executions? as f64 / run.search.cpu.max(1e-3))
}
