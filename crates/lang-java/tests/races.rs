//! Data races: small programs whose first lines say which they have, and random ones against the definition.

mod support;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::path::{Path, PathBuf};

use everypath_lang_java::{Jdk, Options, Program, Recorded, Reductions};
use everypath_model::{Action, Describe, Event, Fault, Operation, Successors, TransitionSystem};
use support::{Tools, class_name, concurrent, parallel, scratch, sources, tests};

/// The most states that are looked at.
const MOST: usize = 100_000;

/// Random programs of each test. Classes stay in memory as long as the process, so there are several tests, of
/// which nextest makes processes; with `EVERYPATH_ALL` all of them are run, else the first one.
const RANDOM: u64 = 200;
/// Random schedules of each.
const SCHEDULES: u64 = 12;

fn load(classes: &Path, name: &str, reductions: Reductions) -> Program {
    let options = Options::new(vec![classes.to_path_buf()], name);
    let options = Options { reductions, races: true, ..options };
    Program::load(&Jdk::find().expect("a JDK"), &options)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The races of a program, each with a run to it; `None` if there are too many states.
fn races(program: &Program) -> Option<BTreeMap<Fault, Vec<Action>>> {
    program.prepare_assumptions().expect("random runs");
    loop {
        match search(program) {
            Err(_) if program.assume_less() => {}
            other => return other.unwrap_or_else(|why| panic!("{why}")),
        }
    }
}

type Found = BTreeMap<Fault, Vec<Action>>;

fn search(program: &Program) -> Result<Option<Found>, String> {
    let (mut worker, mut out) = (program.worker(), Successors::new());
    program.initial(&mut worker, &mut out).map_err(|error| error.0)?;
    let first = out.target(&out.steps()[0]).to_vec();
    let mut open = VecDeque::from([first.clone()]);
    let mut parents: HashMap<Vec<u32>, Option<(Vec<u32>, Action)>> = HashMap::new();
    parents.insert(first, None);
    let mut found = Found::new();
    while let Some(state) = open.pop_front() {
        out.clear();
        program.successors(&mut worker, &state, &mut out).map_err(|error| error.0)?;
        for step in out.steps() {
            if step.fatal {
                let fault = step.fault.expect("a race");
                found.entry(fault).or_insert_with(|| {
                    let mut run = out.actions(step).iter().rev().copied().collect::<Vec<_>>();
                    let mut at = &state;
                    while let Some((from, action)) = &parents[at] {
                        run.push(*action);
                        at = from;
                    }
                    run.reverse();
                    run
                });
            } else if !parents.contains_key(out.target(step)) {
                if parents.len() >= MOST {
                    return Ok(None);
                }
                let action = out.actions(step)[0];
                parents.insert(out.target(step).to_vec(), Some((state.clone(), action)));
                open.push_back(out.target(step).to_vec());
            }
        }
    }
    Ok(Some(found))
}

/// What a race is about.
fn kind(program: &Program, fault: Fault) -> String {
    let message = program.fault(fault).message;
    message.strip_prefix("data race on ").unwrap_or(&message).to_owned()
}

fn promised(source: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(source).expect("source");
    let lines: Vec<&str> = text.lines().take_while(|line| line.starts_with("// ")).collect();
    assert!(!lines.is_empty(), "{} promises nothing", source.display());
    lines.iter().filter_map(|line| line.strip_prefix("// race: ")).map(str::to_owned).collect()
}

#[test]
fn races_are_found_where_they_are_and_nowhere_else() {
    let Some(tools) = Tools::find() else { return };
    let programs = sources(&tests().join("races"));
    assert!(programs.len() >= 40, "only {} programs", programs.len());
    let classes = scratch("races");
    tools.compile(&programs, &classes, &[]);
    let wrong = parallel(&programs, |source| {
        let (name, promised) = (class_name(source), promised(source));
        let mut wrong = Vec::new();
        for (way, reductions) in [("all", Reductions::ALL), ("local", Reductions::LOCAL)] {
            let program = load(&classes, &name, reductions);
            let Some(found) = races(&program) else {
                // Without steps for calls some programs of java.util.concurrent are too large.
                assert_eq!(way, "local", "{name} has too many states");
                continue;
            };
            let kinds: BTreeSet<String> =
                found.keys().map(|&fault| kind(&program, fault)).collect();
            if !kinds.iter().eq(&promised) {
                wrong.push(format!("{name} ({way}): promised {promised:?}, found {kinds:?}"));
            }
            wrong.extend(found.iter().filter_map(|(&fault, run)| {
                unconfirmed(&program, fault, run).map(|why| format!("{name} ({way}): {why}"))
            }));
        }
        wrong
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the header of an example promises.
fn of_header(source: &Path, word: &str) -> Vec<String> {
    let text = std::fs::read_to_string(source).expect("source");
    let line = text.lines().find_map(|line| line.strip_prefix(&format!(" * {word}: ")));
    line.map(|line| line.split(", ").map(str::to_owned).collect()).unwrap_or_default()
}

#[test]
fn the_examples_race_as_they_promise() {
    let Some(tools) = Tools::find() else { return };
    let programs = support::examples();
    let classes = scratch("racing-examples");
    let library = tests().join("../library").display().to_string();
    tools.compile(&programs, &classes, &["-sourcepath", &library]);
    let wrong = parallel(&programs, |source| {
        let name = class_name(source);
        let mut promised = of_header(source, "Races");
        if of_header(source, "Expected") == ["violated (partial deadlock)"] {
            promised.push("2 threads wait for each other while others go on".to_owned());
        }
        let program = load(&classes, &name, Reductions::ALL);
        let found = races(&program).unwrap_or_else(|| panic!("{name} has too many states"));
        let kinds: BTreeSet<String> = found.keys().map(|&fault| kind(&program, fault)).collect();
        let deadlock = |kind: &&String| kind.contains("wait for each other");
        // A deadlock of all threads may begin with some.
        let kinds: Vec<&String> =
            kinds.iter().filter(|k| promised.contains(k) || !deadlock(k)).collect();
        (!kinds.iter().copied().eq(&promised))
            .then(|| format!("{name}: promised {promised:?}, found {kinds:?}"))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Why a run does not show a race, by the definition: its last two accesses conflict, and no chain of
/// synchronisation orders them.
fn unconfirmed(program: &Program, fault: Fault, run: &[Action]) -> Option<String> {
    let mut out = Successors::new();
    program.initial(&mut program.worker(), &mut out).expect("a state");
    let told = program.run_faults(out.target(&out.steps()[0]), run);
    if !told.iter().any(|(known, info)| *known == fault && !info.stack.is_empty()) {
        return Some(format!("the run does not show {}", kind(program, fault)));
    }
    // The first events of the last two steps are the accesses.
    let (before, whole) = (run.len() - 2, program.record_run(run).expect("a run"));
    let prefix = |count: usize| program.record_run(&run[..count]).expect("a run").events.len();
    let (first, second) = (prefix(before), prefix(before + 1));
    let closure = closure(&whole.events);
    let accesses = |from: usize, to: usize| {
        let events = whole.events[from..to].iter().enumerate();
        events.filter_map(move |(i, event)| Some((from + i, access(event)?))).collect::<Vec<_>>()
    };
    let (left, right) = (accesses(first, second), accesses(second, whole.events.len()));
    let clash = left
        .iter()
        .any(|&(i, (x, w))| right.iter().any(|&(j, (y, v))| x == y && (w || v) && !closure[i][j]));
    let parts = (&whole.events[first..second], &whole.events[second..]);
    (!clash).then(|| format!("{} is ordered: {parts:?}", kind(program, fault)))
}

fn access(event: &Event) -> Option<(u32, bool)> {
    match event.operation {
        Operation::Read(location) => Some((location, false)),
        Operation::Write(location) => Some((location, true)),
        _ => None,
    }
}

/// Which events come before which: all edges of the definition, then their closure.
fn closure(run: &[Event]) -> Vec<Vec<bool>> {
    let count = run.len();
    let mut before = vec![vec![false; count]; count];
    for j in 0..count {
        for i in 0..j {
            let (a, b) = (&run[i], &run[j]);
            before[i][j] = a.thread == b.thread
                || match (a.operation, b.operation) {
                    (Operation::Release(x), Operation::Acquire(y))
                    | (Operation::Publish(x), Operation::Observe(y)) => x == y,
                    (Operation::Start(one), Operation::Join(two)) => {
                        one == two || one == b.thread || two == a.thread
                    }
                    (Operation::Start(child), _) => child == b.thread,
                    (_, Operation::Join(child)) => child == a.thread,
                    _ => false,
                };
        }
    }
    for k in 0..count {
        let after = before[k].clone();
        for row in before[..k].iter_mut().filter(|row| row[k]) {
            row.iter_mut().zip(&after).for_each(|(known, new)| *known |= new);
        }
    }
    before
}

/// The first race of a run by the definition: no race is complete before it.
fn first_race(recorded: &Recorded) -> Option<(usize, usize)> {
    let run = &recorded.events;
    let before = closure(run);
    for j in 0..run.len() {
        let Some((x, w)) = access(&run[j]) else { continue };
        for i in 0..j {
            let Some((y, v)) = access(&run[i]) else { continue };
            if x == y && (w || v) && run[i].thread != run[j].thread && !before[i][j] {
                return Some((i, j));
            }
        }
    }
    None
}

/// A test for each batch of random programs.
macro_rules! batches {
    ($($name:ident $batch:literal)*) => {
        $(#[test]
        fn $name() {
            random_programs($batch);
        })*
    };
}

batches! {
    random_programs_race_as_the_definition_says 0
    random_programs_1 1
    random_programs_2 2
    random_programs_3 3
    random_programs_4 4
    random_programs_5 5
    random_programs_6 6
    random_programs_7 7
    random_programs_8 8
    random_programs_9 9
}

fn random_programs(batch: u64) {
    if batch > 0 && std::env::var_os("EVERYPATH_ALL").is_none() {
        return;
    }
    let Some(tools) = Tools::find() else { return };
    let directory = scratch(&format!("racing-sources-{batch}"));
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("directory");
    let programs: Vec<(u64, String)> = (batch * RANDOM..(batch + 1) * RANDOM)
        .map(|seed| (seed, format!("Racing{seed}")))
        .collect();
    for (seed, name) in &programs {
        let source = directory.join(format!("{name}.java"));
        std::fs::write(source, concurrent::program(name, seed + 10_000)).expect("source");
    }
    let classes: PathBuf = scratch(&format!("racing-{batch}"));
    tools.compile(&sources(&directory), &classes, &["-g"]);
    let results = parallel(&programs, |(_, name)| {
        let program = load(&classes, name, Reductions::ALL);
        let found = races(&program)?;
        let mut wrong: Vec<String> = found
            .iter()
            .filter_map(|(&fault, run)| unconfirmed(&program, fault, run))
            .map(|why| format!("{name}: {why}"))
            .collect();
        // A field of some object of a class, as the search and as the runs call it.
        let simple = |text: &str| {
            let text = text.split('[').next().unwrap_or(text);
            text.rsplit('$').next().unwrap_or(text).to_owned()
        };
        let kinds: BTreeSet<String> =
            found.keys().map(|&fault| simple(&kind(&program, fault))).collect();
        // What a run does in any order: nothing is left out of it.
        let plain = load(&classes, name, Reductions::LOCAL);
        let mut racy = false;
        for seed in 0..SCHEDULES {
            let recorded = plain.record(seed, 2_000, &|| false).expect("a run");
            if recorded.events.len() > 1_500 {
                continue;
            }
            let Some((i, j)) = first_race(&recorded) else { continue };
            racy = true;
            let location = access(&recorded.events[j]).expect("an access").0;
            let location = simple(&recorded.locations[location as usize]);
            if !kinds.contains(&location) {
                let (i, j) = (recorded.events[i], recorded.events[j]);
                let sites = [i, j].map(|event| &recorded.sites[event.site as usize]);
                wrong.push(format!("{name}, seed {seed}: {location} at {sites:?}, not {kinds:?}"));
            }
        }
        Some((wrong, !found.is_empty(), racy))
    });
    let results: Vec<_> = results.into_iter().flatten().collect();
    let wrong: Vec<&String> = results.iter().flat_map(|(wrong, _, _)| wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let searched = results.iter().filter(|(_, found, _)| *found).count();
    let run = results.iter().filter(|(_, _, racy)| *racy).count();
    println!("{} programs, {searched} with races, {run} seen in runs", results.len());
    assert!(results.len() as u64 >= RANDOM * 3 / 4, "only {} are small", results.len());
    assert!(searched >= run && run * 2 > searched, "{searched} race, {run} of them in runs");
}
