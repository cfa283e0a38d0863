//! Programs end in the same ways with every reduction and without any.

mod support;

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use everypath_lang_java::{Jdk, Numbering, Options, Outcome, Outcomes, Program, Reductions};
use everypath_model::{Successors, TransitionSystem};
use support::{Tools, class_name, concurrent, handover, parallel, scenes, scratch, sources, tests};

/// Random programs of each test. Classes stay in memory as long as the process, so there are several tests, of
/// which nextest makes processes; with `EVERYPATH_ALL` all of them are run, else the first one.
const RANDOM_PROGRAMS: u64 = 10;

/// The most states that are looked at without reductions.
const MOST: usize = 60_000;

/// The most states that are searched for to compare quick steps with slow ones.
const MOST_SEARCHED: usize = 5_000;

/// What is switched on alone, and everything together.
const WAYS: [(&str, Reductions); 8] = [
    ("local", Reductions { local: true, ..Reductions::NONE }),
    ("constant", Reductions { constant: true, ..Reductions::NONE }),
    ("constant, locks", Reductions { constant: true, locks: true, ..Reductions::NONE }),
    ("library", Reductions { library: true, ..Reductions::NONE }),
    ("local, constant", Reductions { library: false, locks: false, ..Reductions::ALL }),
    ("local, constant, locks", Reductions { library: false, ..Reductions::ALL }),
    ("local, library", Reductions { library: true, ..Reductions::LOCAL }),
    ("all", Reductions::ALL),
];

fn outcomes(classes: &Path, name: &str, reductions: Reductions) -> Option<Outcomes> {
    numbered_outcomes(classes, name, reductions, Numbering::Reached)
}

fn numbered_outcomes(
    classes: &Path,
    name: &str,
    reductions: Reductions,
    numbering: Numbering,
) -> Option<Outcomes> {
    let options = Options::new(vec![classes.to_path_buf()], name);
    let options = Options { output: true, reductions, numbering, ..options };
    let program = Program::load(&Jdk::find().expect("a JDK"), &options)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    program.outcomes(MOST).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Goes through states as a search does. Built with assertions, the program compares every state that is made
/// from what changed, and every step that is known from another state, with the slow way to them.
fn search(classes: &Path, name: &str, reductions: Reductions) -> usize {
    let options = Options::new(vec![classes.to_path_buf()], name);
    let program = Program::load(
        &Jdk::find().expect("a JDK"),
        &Options { output: true, reductions, ..options },
    )
    .unwrap_or_else(|error| panic!("{name}: {error}"));
    'again: loop {
        let (mut worker, mut out) = (program.worker(), Successors::new());
        program.initial(&mut worker, &mut out).expect("a first state");
        let mut open: Vec<Vec<u32>> =
            out.steps().iter().map(|step| out.target(step).to_vec()).collect();
        let mut known: HashSet<Vec<u32>> = open.iter().cloned().collect();
        while let Some(state) = open.pop() {
            out.clear();
            if let Err(error) = program.successors(&mut worker, &state, &mut out) {
                assert!(program.assume_less(), "{name}: {}", error.0);
                continue 'again;
            }
            for step in out.steps() {
                let target = out.target(step);
                if known.len() < MOST_SEARCHED && known.insert(target.to_vec()) {
                    open.push(target.to_vec());
                }
            }
        }
        return known.len();
    }
}

/// Whether some reductions are among others, which then leave at most as many states.
fn has_all_of(all: Reductions, some: Reductions) -> bool {
    let list = |of: Reductions| [of.local, of.constant, of.locks, of.library];
    list(all).into_iter().zip(list(some)).all(|(all, some)| all || !some)
}

/// What differs from the search that leaves out least and can be done; `None` if none can.
fn complaints(classes: &Path, name: &str) -> Option<Vec<String>> {
    for reductions in [Reductions::NONE, Reductions::ALL] {
        assert!(search(classes, name, reductions) > 1, "{name}: one state");
    }
    let mut base = outcomes(classes, name, Reductions::NONE).map(|found| (Reductions::NONE, found));
    let mut wrong = Vec::new();
    for (way, reductions) in WAYS {
        let found = outcomes(classes, name, reductions);
        match (&base, found) {
            (None, found) => base = found.map(|found| (reductions, found)),
            (Some((fewer, base)), Some(found)) => {
                let states = found.states;
                // Endless waiting inside of a call of the library is no path with steps for calls.
                let endless = found.endless == base.endless
                    || (reductions.library && base.endless && !found.endless);
                if base.ends != found.ends || !endless {
                    wrong.push(format!("{name} with {way}: {found:#?} instead of {base:#?}"));
                }
                if states > base.states && has_all_of(reductions, *fewer) {
                    wrong.push(format!("{name} with {way}: {states} states, {}", base.states));
                }
            }
            (Some((fewer, _)), None) if has_all_of(reductions, *fewer) => {
                wrong.push(format!("{name} with {way}: more states"));
            }
            (Some(_), None) => {}
        }
    }
    let reached = outcomes(classes, name, Reductions::ALL);
    let sites = numbered_outcomes(classes, name, Reductions::ALL, Numbering::Sites);
    if let (Some(reached), Some(sites)) = (reached, sites) {
        if reached.ends != sites.ends || reached.endless != sites.endless {
            wrong.push(format!("{name} by sites: {sites:#?} instead of {reached:#?}"));
        }
        if sites.states < reached.states {
            wrong.push(format!("{name} by sites: {} of {} states", sites.states, reached.states));
        }
    }
    base.map(|_| wrong)
}

/// Compares programs; at least `enough` of them must be small enough.
fn compare(classes: &Path, programs: &[String], enough: usize) {
    let found = parallel(programs, |name| complaints(classes, name));
    let small = found.iter().flatten().count();
    let wrong: Vec<String> = found.into_iter().flatten().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(small >= enough, "only {small} of {} programs are small", programs.len());
}

fn random_programs(kind: &str, batch: u64, write: fn(&str, u64) -> String) {
    // Seeds that nobody has tried: EVERYPATH_SEED is where they begin.
    let first = std::env::var("EVERYPATH_SEED").ok().and_then(|text| text.parse::<u64>().ok());
    if batch > 0 && first.is_none() && std::env::var_os("EVERYPATH_ALL").is_none() {
        return;
    }
    let Some(tools) = Tools::find() else { return };
    let directory = scratch(&format!("{kind}-sources-{batch}"));
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("directory");
    let first = first.unwrap_or(0) + batch * RANDOM_PROGRAMS;
    let seeds = first..first + RANDOM_PROGRAMS;
    let programs: Vec<String> = seeds.clone().map(|seed| format!("{kind}{seed}")).collect();
    for (seed, name) in seeds.zip(&programs) {
        let source = directory.join(format!("{name}.java"));
        std::fs::write(source, write(name, seed)).expect("source");
    }
    let classes = scratch(&format!("{kind}-{batch}"));
    let _ = std::fs::remove_dir_all(&classes);
    tools.compile(&sources(&directory), &classes, &[]);
    compare(&classes, &programs, programs.len() / 2);
}

/// A test for each batch of random programs.
macro_rules! batches {
    ($kind:literal $write:path: $($name:ident $batch:literal)*) => {
        $(#[test]
        fn $name() {
            random_programs($kind, $batch, $write);
        })*
    };
}

batches! { "Threads" concurrent::program:
    random_programs_end_the_same_with_every_reduction 0
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

batches! { "Scenes" scenes::program:
    random_scenes_end_the_same_with_every_reduction 0
    random_scenes_1 1
    random_scenes_2 2
    random_scenes_3 3
    random_scenes_4 4
    random_scenes_5 5
    random_scenes_6 6
    random_scenes_7 7
    random_scenes_8 8
    random_scenes_9 9
}

batches! { "Handed" handover::program:
    programs_that_hand_objects_over_end_the_same_with_every_reduction 0
    handed_over_1 1
    handed_over_2 2
    handed_over_3 3
    handed_over_4 4
    handed_over_5 5
    handed_over_6 6
    handed_over_7 7
    handed_over_8 8
    handed_over_9 9
}

#[test]
fn examples_end_the_same_with_every_reduction() {
    let Some(tools) = Tools::find() else { return };
    let all: Vec<PathBuf> = support::examples();
    let classes = scratch("reduced-examples");
    let library = tests().join("../library").display().to_string();
    tools.compile(&all, &classes, &["-sourcepath", &library]);
    let programs: Vec<String> = all.iter().map(|source| class_name(source)).collect();
    compare(&classes, &programs, 30);
}

/// Programs in which threads look at what others do, or end the program while others run.
#[test]
fn what_threads_see_of_others_is_the_same_with_every_reduction() {
    let Some(tools) = Tools::find() else { return };
    let all = sources(&tests().join("looks"));
    let classes = scratch("looks");
    tools.compile(&all, &classes, &[]);
    let programs: Vec<String> = all.iter().map(|source| class_name(source)).collect();
    compare(&classes, &programs, programs.len());
    let printed = |name: &str| -> Vec<String> {
        let found = outcomes(&classes, name, Reductions::ALL).expect("few states");
        found.ends.iter().map(|end| format!("{}{}", end.stdout, end.uncaught.join("\n"))).collect()
    };
    assert_eq!(printed("CountSeen"), ["1\n1\n1\n", "1\n2\n1\n"]);
    assert_eq!(printed("EndLock").len(), 1);
    assert!(printed("ExitSeen").contains(&"Thread-0: java.lang.AssertionError".to_owned()));
    assert!(printed("HaltSeen").contains(&"Thread-1: java.lang.AssertionError".to_owned()));
    for (name, states) in [
        ("StateSeen", vec!["BLOCKED", "RUNNABLE"]),
        ("NotifySeen", vec!["BLOCKED", "RUNNABLE", "TERMINATED", "WAITING"]),
        ("Handler", vec!["handled", "Thread-0: java.lang.RuntimeException"]),
        ("Blocker", vec!["it", "null"]),
        ("GroupInterrupt", vec!["interrupted", "slept"]),
        ("GroupSeen", vec!["gone", "true"]),
        (
            "SleepSeen",
            vec![
                "before RUNNABLE",
                "before TIMED_WAITING",
                "before BLOCKED",
                "behind TIMED_WAITING",
                "behind BLOCKED",
                "behind RUNNABLE",
            ],
        ),
    ] {
        let all = printed(name).concat();
        states.iter().for_each(|state| assert!(all.contains(state), "{name}: {state} in {all}"));
    }
}

/// Programs with hooks that run at their end, and handlers of exceptions that nobody caught.
#[test]
fn programs_end_as_their_hooks_and_handlers_let_them() {
    let Some(tools) = Tools::find() else { return };
    let all = sources(&tests().join("ends"));
    let classes = scratch("ends");
    tools.compile(&all, &classes, &[]);
    let mut programs: Vec<String> = all.iter().map(|source| class_name(source)).collect();
    // What registers hooks has many steps for those who do not know what is local.
    programs.retain(|name| name != "HookLate");
    compare(&classes, &programs, programs.len());
    let (illegal, unsupported) = (
        "Thread-0: java.lang.IllegalStateException",
        "Thread-0: java.lang.UnsupportedOperationException",
    );
    for (name, wanted) in [
        ("DaemonHook", vec!["hook"]),
        ("GroupHandles", vec!["handled"]),
        ("GroupPasses", vec![&format!("passed {illegal}")]),
        ("HandlerIsGroup", vec![illegal]),
        ("HandlerThrows", vec![unsupported]),
        ("HookExits", vec!["hook stands still"]),
        ("HookJoins", vec!["false TERMINATED"]),
        ("HookLate", vec!["", &format!("{illegal}: Shutdown in progress"), "hook"]),
        ("ThreadHandles", vec!["handled"]),
    ] {
        let found = outcomes(&classes, name, Reductions::ALL).expect("few states");
        let told = |end: &Outcome| {
            let still = if end.deadlock { "stands still" } else { "" };
            let parts = [end.stdout.trim(), &end.uncaught.join(" "), still];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let ends: BTreeSet<String> = found.ends.iter().map(told).collect();
        assert_eq!(ends.iter().collect::<Vec<_>>(), wanted, "{name}");
    }
}

/// Programs in which a thread reads an object without a step of its own and forgets it, so that another one has the
/// object for itself when it writes.
#[test]
fn objects_that_are_handed_over_are_seen_the_same_with_every_reduction() {
    let Some(tools) = Tools::find() else { return };
    let all = sources(&tests().join("handed"));
    let classes = scratch("handed");
    tools.compile(&all, &classes, &[]);
    let programs: Vec<String> = all.iter().map(|source| class_name(source)).collect();
    compare(&classes, &programs, programs.len());
    for (name, wanted) in [
        ("ReadAndForgotten", vec!["0", "1"]),
        ("WriterForgets", vec!["0", "1"]),
        ("GuardForgotten", vec!["1", "10", "11"]),
        ("MapForgotten", vec!["", "0", "1"]),
        ("StaticForgotten", vec!["0", "1"]),
        ("PassedOn", vec!["1", "2"]),
        ("StartedLater", vec!["0", "1"]),
    ] {
        let found = outcomes(&classes, name, Reductions::ALL).expect("few states");
        let mut printed: Vec<&str> = found.ends.iter().map(|end| end.stdout.trim()).collect();
        printed.sort_unstable();
        assert_eq!(printed, wanted, "{name}");
    }
}
