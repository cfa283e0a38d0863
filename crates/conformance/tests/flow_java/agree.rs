//! What is proved on the graphs of random programs is true of all their runs, as the search that `check --qre` makes
//! sees them.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use everypath_engine_dataflow::{
    Constraint, Graph, Model, Options as FlowOptions, Runs, inline, refine,
};
use everypath_flow::Binding;
use everypath_lang_java::{Asked, Extracted, Jdk, Options, Program, Reductions};
use everypath_model::{Describe, End, Rng, Successors, TransitionSystem};
use everypath_property::events::Fsa;

use super::{programs, shapes};

/// Programs that are compiled together.
const TOGETHER: u64 = 50;
/// States of a program, at most.
const MOST: usize = 6_000;

/// Where programs come from.
#[derive(Clone, Copy)]
struct Family {
    /// How their classes are called.
    name: &'static str,
    program: fn(&str, &mut Rng) -> String,
    rules: fn(&str) -> Vec<(String, String)>,
    /// Where their seeds begin.
    salt: u64,
}

const RANDOM: Family =
    Family { name: "Random", program: programs::program, rules: programs::rules, salt: 0x71A9 };
const SHAPES: Family =
    Family { name: "Shapes", program: shapes::program, rules: shapes::rules, salt: 0x5A9E };

/// All runs of a program.
pub(super) struct Truth {
    /// The events of each step, and where it leads.
    next: Vec<Vec<(Vec<usize>, usize)>>,
    /// Whether a run ends here with all its threads.
    ends: Vec<bool>,
}

impl Truth {
    /// `None` if there are too many states, or some runs are not followed.
    pub fn of(program: &Program) -> Option<Truth> {
        'again: loop {
            let (mut worker, mut out) = (program.worker(), Successors::new());
            program.initial(&mut worker, &mut out).ok()?;
            let mut states: Vec<Vec<u32>> =
                out.steps().iter().map(|step| out.target(step).to_vec()).collect();
            let mut known: HashMap<Vec<u32>, usize> =
                states.iter().cloned().enumerate().map(|(number, state)| (state, number)).collect();
            let mut truth = Truth { next: Vec::new(), ends: Vec::new() };
            while truth.next.len() < states.len() {
                let state = states[truth.next.len()].clone();
                out.clear();
                if program.successors(&mut worker, &state, &mut out).is_err() {
                    match program.assume_less() {
                        true => continue 'again,
                        false => return None,
                    }
                }
                if out.incomplete.is_some() {
                    return None;
                }
                let mut row = Vec::new();
                for step in out.steps() {
                    if step.fatal {
                        return None;
                    }
                    let target = out.target(step).to_vec();
                    let number = *known.entry(target.clone()).or_insert_with(|| {
                        states.push(target);
                        states.len() - 1
                    });
                    let mut events = Vec::new();
                    for &action in out.actions(step) {
                        events.extend(program.events_of(&mut worker, &state, action).ok()?);
                    }
                    row.push((events, number));
                }
                let ended = row.is_empty() && program.end(&mut worker, &state) == End::Valid;
                truth.ends.push(ended);
                truth.next.push(row);
                if states.len() > MOST {
                    return None;
                }
            }
            return Some(truth);
        }
    }

    /// The events that happen.
    fn happen(&self) -> BTreeSet<usize> {
        self.next.iter().flatten().flat_map(|(events, _)| events.clone()).collect()
    }

    /// The events of a run that ends without the property, and those of a beginning after which no run has it.
    fn check(&self, property: &Fsa, names: &[String]) -> [Option<Vec<String>>; 2] {
        let symbol: Vec<Option<usize>> = names
            .iter()
            .map(|name| property.events.iter().position(|event| event == name))
            .collect();
        let mut found = [None, None];
        let mut seen = HashSet::from([(0usize, property.start)]);
        let mut queue = VecDeque::from([(0usize, property.start, Vec::<String>::new())]);
        while let Some((at, state, run)) = queue.pop_front() {
            if self.ends[at] && !property.accepting[state] {
                found[0].get_or_insert_with(|| run.clone());
            }
            if property.is_trap(state) {
                found[1].get_or_insert_with(|| run.clone());
            }
            for (events, next) in &self.next[at] {
                let mut run = run.clone();
                let mut state = state;
                for &event in events {
                    if let Some(symbol) = symbol[event] {
                        state = property.delta[state][symbol];
                        run.push(names[event].clone());
                    }
                }
                if seen.insert((*next, state)) {
                    queue.push_back((*next, state, run));
                }
            }
        }
        found
    }
}

impl Truth {
    /// Whether a run has these events, and ends if that is asked.
    pub fn has(&self, word: &[usize], ended: bool) -> bool {
        let mut seen = HashSet::from([(0usize, 0usize)]);
        let mut work = vec![(0, 0)];
        while let Some((at, read)) = work.pop() {
            if read == word.len() && (!ended || self.ends[at]) {
                return true;
            }
            for (events, next) in &self.next[at] {
                if word[read..].starts_with(events) && seen.insert((*next, read + events.len())) {
                    work.push((*next, read + events.len()));
                }
            }
        }
        false
    }
}

/// Executes a program some times: its runs can be done again, and their events are those of a run.
fn watched(
    program: &Program,
    extracted: &Extracted,
    binding: &Arc<Binding>,
    truth: &Truth,
    names: &[String],
    counts: &mut Counts,
) -> Result<(), String> {
    let stop: Arc<dyn Fn() -> bool + Send + Sync> = Arc::new(|| false);
    for seed in 0..2 {
        let Ok(Some(run)) = program.watch(extracted, binding, &[], seed, &stop) else { continue };
        let done = program.replay(&run.initial, &run.actions);
        let done = done.map_err(|error| format!("step {}: {}", error.index, error.message))?;
        if done.len() != run.actions.len() {
            return Err(format!("{} of {} steps were possible", done.len(), run.actions.len()));
        }
        let word: Option<Vec<usize>> =
            run.events.iter().map(|one| names.iter().position(|name| *name == one.event)).collect();
        let word = word.ok_or("an event that nobody asked for")?;
        if !truth.has(&word, run.ended) {
            let events: Vec<&str> = run.events.iter().map(|one| one.event.as_str()).collect();
            return Err(format!("{events:?} is no run, ended: {}", run.ended));
        }
        counts.watched += 1;
    }
    Ok(())
}

/// Writes and compiles the programs of some seeds.
fn compiled(jdk: &Jdk, family: Family, seeds: std::ops::Range<u64>) -> PathBuf {
    let folder = format!("flow-agree-{}-{}", family.name, seeds.start);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let _ = std::fs::remove_dir_all(&target);
    std::fs::create_dir_all(&target).unwrap();
    let mut sources = Vec::new();
    for seed in seeds {
        let class = format!("{}{seed}", family.name);
        let source = target.join(format!("{class}.java"));
        let text = (family.program)(&class, &mut Rng::new(family.salt + seed));
        std::fs::write(&source, text).unwrap();
        sources.push(source);
    }
    compile(jdk, &target, &sources);
    target
}

/// Compiles some programs.
pub(super) fn compile(jdk: &Jdk, target: &Path, sources: &[PathBuf]) {
    let compiled = Command::new(jdk.javac())
        .args(["-g", "-nowarn", "-Xlint:none", "-d"])
        .arg(target)
        .args(sources)
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
}

pub(super) fn load(jdk: &Jdk, classes: &Path, class: &str, reductions: Reductions) -> Program {
    let options = Options::new(vec![classes.to_path_buf()], class);
    Program::load(jdk, &Options { reductions, ..options }).unwrap()
}

/// A random automaton over some events, mostly with something that is wrong for ever.
fn automaton(rng: &mut Rng, events: &[String]) -> Fsa {
    let states = 2 + rng.below(2);
    let mut delta: Vec<Vec<usize>> =
        (0..states).map(|_| events.iter().map(|_| rng.below(states)).collect()).collect();
    if rng.chance(70) {
        delta[states - 1] = vec![states - 1; events.len()];
    }
    Fsa {
        events: events.to_vec(),
        delta,
        start: 0,
        accepting: (0..states).map(|state| state + 1 < states).collect(),
        names: (0..states).map(|state| format!("s{state}")).collect(),
    }
}

fn constraints(graph: &Graph) -> Vec<Constraint> {
    let threads = graph.threads.iter().filter(|thread| !thread.many);
    let tasks = threads.map(|thread| Constraint::Task(thread.name.clone()));
    let variables = graph.variables.iter().map(|one| Constraint::Variable(one.name.clone()));
    let monitors = graph.locks.iter().map(|lock| Constraint::Monitor(lock.clone()));
    tasks.chain(variables).chain(monitors).collect()
}

/// How many were compared, and so on.
#[derive(Default, Debug)]
struct Counts {
    programs: u32,
    properties: u32,
    violated: u32,
    proved: u32,
    /// Properties that hold, and of these those that are proved without hints.
    hold: u32,
    found: u32,
    unsure: u32,
    /// Runs that were executed with notes.
    watched: u32,
}

fn one(jdk: &Jdk, family: Family, classes: &Path, seed: u64, counts: &mut Counts) {
    let class = format!("{}{seed}", family.name);
    let source = || std::fs::read_to_string(classes.join(format!("{class}.java"))).unwrap();
    let rules = (family.rules)(&class);
    let names: Vec<String> = rules.iter().map(|(name, _)| name.clone()).collect();
    let text: String = rules.iter().map(|(name, what)| format!("{what} => {name}\n")).collect();
    let reductions = Reductions { library: false, ..Reductions::ALL };
    let mut explored = load(jdk, classes, &class, reductions);
    explored.ask(&Asked { events: rules, ..Asked::default() }).unwrap();
    let Some(truth) = Truth::of(&explored) else { return };
    counts.programs += 1;
    let program = load(jdk, classes, &class, Reductions::NONE);
    let binding = Arc::new(Binding::read(&text).unwrap());
    let extracted = program.flow_graph(&binding).unwrap();
    let sure = extracted.doubts.is_empty() && extracted.cuts.is_empty();
    counts.unsure += u32::from(!sure);
    if let Err(wrong) = watched(&program, &extracted, &binding, &truth, &names, counts) {
        panic!("seed {seed}: {wrong}\n{}", source());
    }
    let graph = inline(&extracted.program).unwrap();
    let happen: Vec<String> =
        truth.happen().into_iter().map(|event| names[event].clone()).collect();
    let mut rng = Rng::new(0xA9 + seed);
    let possible = constraints(&graph);
    for number in 0..5 {
        let mut chosen: Vec<String> = Vec::new();
        for _ in 0..1 + rng.below(3) {
            let from = if happen.is_empty() || rng.chance(10) { &names } else { &happen };
            let event = rng.pick(from).clone();
            if !chosen.contains(&event) {
                chosen.push(event);
            }
        }
        let property = automaton(&mut rng, &chosen);
        let wrong = truth.check(&property, &names);
        counts.properties += 1;
        counts.violated += u32::from(wrong[0].is_some());
        let some: Vec<Constraint> = possible.iter().filter(|_| rng.chance(50)).cloned().collect();
        let judged = |runs: Runs, conclusive: bool, how: &dyn std::fmt::Debug| {
            let run = &wrong[usize::from(runs == Runs::All)];
            let contradicted = conclusive && sure && (run.is_some() || wrong[0].is_some());
            assert!(
                !contradicted,
                "seed {seed}, property {number}: {runs:?} proved with {how:?} though there is a run {run:?} {wrong:?}\n{}\n\
                 {property:?}\n{}",
                source(),
                everypath_flow::write(&extracted.program),
            );
        };
        for set in [&[][..], &some, &possible] {
            for runs in [Runs::Ending, Runs::All] {
                let options = FlowOptions { runs, limit: 100_000, ..FlowOptions::default() };
                let model = Model::new(&graph, property.clone(), Vec::new(), Some(set), options);
                let Ok(answer) = model.decide(set) else { continue };
                counts.proved += u32::from(answer.conclusive());
                judged(runs, answer.conclusive(), &set);
            }
        }
        let options = FlowOptions { limit: 50_000, ..FlowOptions::default() };
        let model = Model::new(&graph, property.clone(), Vec::new(), None, options);
        let refined = refine(&model, &[], 50_000).unwrap();
        counts.hold += u32::from(wrong[0].is_none());
        counts.found += u32::from(refined.answer.conclusive());
        judged(Runs::Ending, refined.answer.conclusive(), &refined.constraints);
    }
}

/// Compares so many programs in an ordinary run, and ten times as many of all.
fn agree(family: Family, usual: u64) -> Option<(Counts, u32)> {
    let jdk = super::jdk()?;
    let all = std::env::var_os("EVERYPATH_ALL").is_some();
    let count = std::env::var("EVERYPATH_FLOW_RANDOM")
        .map_or(if all { 10 * usual } else { usual }, |text| text.parse().expect("a number"));
    let first = std::env::var("EVERYPATH_FLOW_FIRST").map_or(0, |text| text.parse().unwrap());
    let mut counts = Counts::default();
    let mut start = first;
    while start < first + count {
        let end = (start + TOGETHER).min(first + count);
        let classes = compiled(&jdk, family, start..end);
        for seed in start..end {
            one(&jdk, family, &classes, seed, &mut counts);
        }
        let _ = std::fs::remove_dir_all(&classes);
        start = end;
    }
    println!("{counts:?}");
    Some((counts, count as u32))
}

#[test]
fn what_is_proved_of_random_programs_is_true() {
    let Some((counts, least)) = agree(RANDOM, 150) else { return };
    assert!(counts.programs * 2 > least, "{counts:?}");
    assert!(counts.watched > least, "{counts:?}");
    assert!(counts.violated * 4 > least && counts.found * 4 > least, "{counts:?}");
}

#[test]
fn what_is_proved_of_programs_of_many_shapes_is_true() {
    let Some((counts, least)) = agree(SHAPES, 60) else { return };
    assert!(counts.programs * 3 > least, "{counts:?}");
    assert!(counts.violated * 4 > least && counts.found * 4 > least, "{counts:?}");
}
