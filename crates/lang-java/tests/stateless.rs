//! Searches run by run against searches of all states: the same faults, and the same ends.

mod support;

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use everypath_engine_stateless::{Kind, Options as Search, Stopped, search};
use everypath_lang_java::{Jdk, Options, Program, Reductions};
use everypath_model::{
    Conflicts, Describe, End, Executed, Fault, Successors, Touch, TransitionSystem, Turn,
};
use support::{Tools, class_name, concurrent, handover, parallel, scenes, scratch, sources, tests};

/// The most states that are looked at.
const MOST: usize = 60_000;
/// The most steps that are searched run by run.
const MOST_STEPS: u64 = 60_000;
/// The longest run.
const LONGEST: u64 = 1_000;

/// Random programs in an ordinary run and with `EVERYPATH_ALL`.
const RANDOM: u64 = 120;
const ALL: u64 = 1_200;

fn load(classes: &Path, name: &str, output: bool, reductions: Reductions) -> Program {
    let options = Options::new(vec![classes.to_path_buf()], name);
    let options = Options { output, reductions, races: true, ..options };
    Program::load(&Jdk::find().expect("a JDK"), &options)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What a search found.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    faults: BTreeSet<Fault>,
    ends: BTreeSet<(Vec<u32>, bool)>,
}

/// The end of a run without the places of threads, which depend on who started and ended first. Objects of threads that
/// are left tell them too.
fn end(state: &[u32], deadlock: bool) -> (Vec<u32>, bool) {
    let exit = state[0] & 1 == 1;
    if !deadlock && !exit {
        return (state.to_vec(), false);
    }
    const THREAD: u32 = 1 << 31;
    // What was printed, statics, and how many threads are left.
    let marks: Vec<usize> = (6..state.len()).filter(|&at| state[at] & THREAD != 0).collect();
    let (last, statics) = (marks[marks.len() - 1], (state[5] >> 12 & 0xfff) as usize);
    let threads = marks.iter().filter(|&&at| at != last && state[at] != THREAD).count();
    let mut end = vec![state[0], state[1], threads as u32];
    end.extend_from_slice(&state[last + 1..last + 1 + statics]);
    (end, deadlock)
}

/// Searches all states; `None` if there are too many.
fn all_states(program: &Program) -> Result<Option<Seen>, String> {
    let (mut worker, mut out) = (program.worker(), Successors::new());
    program.initial(&mut worker, &mut out).map_err(|error| error.0)?;
    let first = out.target(&out.steps()[0]).to_vec();
    let mut known = HashSet::from([first.clone()]);
    let mut open = vec![first];
    let mut seen = Seen::default();
    while let Some(state) = open.pop() {
        out.clear();
        program.successors(&mut worker, &state, &mut out).map_err(|error| error.0)?;
        assert!(out.incomplete.is_none(), "something is not modelled");
        for step in out.steps() {
            seen.faults.extend(step.fault);
            if !step.fatal && !known.contains(out.target(step)) {
                if known.len() >= MOST {
                    return Ok(None);
                }
                known.insert(out.target(step).to_vec());
                open.push(out.target(step).to_vec());
            }
        }
        if out.is_empty() {
            let deadlock = program.end(&mut worker, &state) == End::Deadlock;
            seen.ends.insert(end(&state, deadlock));
        }
    }
    Ok(Some(seen))
}

/// Searches run by run; `None` if there are too many steps.
fn all_runs(program: &Program, threads: usize) -> Result<Option<(Seen, u64, u64)>, String> {
    let mut options = Search { collect: true, threads, ..Search::default() };
    options.limits.steps = Some(MOST_STEPS);
    options.limits.depth = Some(LONGEST);
    let outcome = search(program, &options, &mut |_| true);
    let faults = outcome.violations.iter().filter_map(|violation| match violation.kind {
        Kind::Fault(fault) => Some(fault),
        Kind::Deadlock(_) => None,
    });
    match outcome.stopped {
        Stopped::ModelError(error) => Err(error.0),
        Stopped::StepLimit => Ok(None),
        Stopped::Finished if outcome.depth_limit_hit => Ok(None),
        Stopped::Finished => {
            let ends = outcome.ends.iter().map(|(state, deadlock)| end(state, *deadlock));
            let seen = Seen { faults: faults.collect(), ends: ends.collect() };
            Ok(Some((seen, outcome.stats.executions, outcome.stats.blocked)))
        }
        other => panic!("{other:?}"),
    }
}

/// Both searches, under the same assumptions.
fn both(program: &Program, threads: usize) -> Option<(Seen, Seen, u64, u64)> {
    program.prepare_assumptions().expect("random runs");
    loop {
        let both = || -> Result<_, String> {
            let Some(states) = all_states(program)? else { return Ok(None) };
            let Some((runs, executions, blocked)) = all_runs(program, threads)? else {
                return Ok(None);
            };
            Ok(Some((states, runs, executions, blocked)))
        };
        match both() {
            Err(_) if program.assume_less() => {}
            other => return other.unwrap_or_else(|why| panic!("{why}")),
        }
    }
}

/// How two searches differ.
fn difference(program: &Program, states: &Seen, runs: &Seen) -> Option<String> {
    let text = |faults: &BTreeSet<Fault>| -> Vec<String> {
        faults.iter().map(|&fault| program.fault(fault).message).collect()
    };
    if states.faults != runs.faults {
        return Some(format!("{:?} instead of {:?}", text(&runs.faults), text(&states.faults)));
    }
    (states.ends != runs.ends).then(|| {
        let missing = states.ends.difference(&runs.ends).count();
        let more = runs.ends.difference(&states.ends).count();
        format!("{} ends, {missing} missing, {more} more", runs.ends.len())
    })
}

/// Compares random programs; at least so many hundredths of them have to be small.
fn compare_random(kind: &str, (few, many): (u64, u64), write: fn(&str, u64) -> String, small: u64) {
    let Some(tools) = Tools::find() else { return };
    let count = if std::env::var_os("EVERYPATH_ALL").is_some() { many } else { few };
    let first = std::env::var("EVERYPATH_SEED").ok().and_then(|text| text.parse::<u64>().ok());
    let first = first.unwrap_or(40_000);
    let directory = scratch(&format!("stateless-{kind}-sources"));
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("directory");
    let programs: Vec<(u64, String)> =
        (0..count).map(|seed| (seed, format!("{kind}{seed}"))).collect();
    for (seed, name) in &programs {
        let source = directory.join(format!("{name}.java"));
        std::fs::write(source, write(name, seed + first)).expect("source");
    }
    let classes = scratch(&format!("stateless-{kind}"));
    tools.compile(&sources(&directory), &classes, &["-g"]);
    let results = parallel(&programs, |(seed, name)| {
        let reductions = if seed % 3 == 2 { Reductions::LOCAL } else { Reductions::ALL };
        let program = load(&classes, name, seed % 2 == 1, reductions);
        let (states, runs, executions, blocked) = both(&program, 1 + (seed % 4 / 3) as usize)?;
        let wrong = difference(&program, &states, &runs).map(|why| format!("{name}: {why}"));
        Some((wrong, executions, blocked, states.ends.len()))
    });
    let results: Vec<_> = results.into_iter().flatten().collect();
    let wrong: Vec<&String> = results.iter().filter_map(|one| one.0.as_ref()).collect();
    let (mut runs, mut given_up, mut ends) = (0, 0, 0);
    for (_, executions, blocked, count) in &results {
        runs += executions;
        given_up += blocked;
        ends += count;
    }
    println!("{} programs, {runs} runs, {given_up} given up, {ends} ends", results.len());
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), results.len());
    assert!(results.len() as u64 >= count * small / 100, "only {} are small", results.len());
}

#[test]
fn random_programs_show_the_same_run_by_run() {
    compare_random("Runs", (RANDOM, ALL), concurrent::program, 75);
}

#[test]
fn random_scenes_show_the_same_run_by_run() {
    compare_random("SceneRuns", (RANDOM / 2, ALL), scenes::program, 50);
}

/// What the search run by run does not find out by itself, it must not need to know.
#[test]
fn programs_that_hand_objects_over_show_the_same_run_by_run() {
    let Some(tools) = Tools::find() else { return };
    let count = if std::env::var_os("EVERYPATH_ALL").is_some() { ALL / 2 } else { RANDOM / 2 };
    let directory = scratch("stateless-handover-sources");
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("directory");
    let programs: Vec<(u64, String)> =
        (0..count).map(|seed| (seed, format!("Handed{seed}"))).collect();
    for (seed, name) in &programs {
        let source = directory.join(format!("{name}.java"));
        std::fs::write(source, handover::program(name, seed + 70_000)).expect("source");
    }
    let classes = scratch("stateless-handover");
    tools.compile(&sources(&directory), &classes, &["-g"]);
    let results = parallel(&programs, |(_, name)| {
        let program = load(&classes, name, true, Reductions::ALL);
        let settled = |search: &mut dyn FnMut() -> Result<Option<Seen>, String>| {
            loop {
                match search() {
                    Err(_) if program.assume_less() => {}
                    other => return other.unwrap_or_else(|why| panic!("{name}: {why}")),
                }
            }
        };
        let runs = settled(&mut || Ok(all_runs(&program, 1)?.map(|(seen, ..)| seen)))?;
        let states = settled(&mut || all_states(&program))?;
        Some(difference(&program, &states, &runs).map(|why| format!("{name}: {why}")))
    });
    let small = results.iter().flatten().count() as u64;
    let wrong: Vec<String> = results.into_iter().flatten().flatten().collect();
    assert!(wrong.is_empty(), "{} of {small}: {wrong:#?}", wrong.len());
    assert!(small >= count * 3 / 4, "only {small} of {count} are small");
}

#[test]
fn the_examples_show_the_same_run_by_run() {
    let Some(tools) = Tools::find() else { return };
    let all = sources(&tests().join("../../../examples/java"));
    let classes = scratch("stateless-examples");
    let library = tests().join("../library").display().to_string();
    tools.compile(&all, &classes, &["-g", "-sourcepath", &library]);
    let has_main = |source: &&PathBuf| {
        std::fs::read_to_string(source).is_ok_and(|text| text.contains(" void main("))
    };
    let programs: Vec<String> =
        all.iter().filter(has_main).map(|source| class_name(source)).collect();
    let results = parallel(&programs, |name| {
        let program = load(&classes, name, false, Reductions::ALL);
        let (states, runs, ..) = both(&program, 1)?;
        Some(difference(&program, &states, &runs).map(|why| format!("{name}: {why}")))
    });
    let small = results.iter().flatten().count();
    let wrong: Vec<String> = results.into_iter().flatten().flatten().collect();
    assert!(wrong.is_empty(), "{} of {small}: {wrong:#?}", wrong.len());
    println!("{small} examples");
    assert!(small >= 30, "only {small} are small");
}

/// Looks whether steps whose touches do not conflict can change places, in some points of a program.
fn laws(program: &Program, most: usize) -> Result<Option<String>, String> {
    let mut worker = program.worker();
    let mut first = Vec::new();
    let fail = |error: everypath_model::ModelError| error.0;
    program.first_point(&mut worker, &mut first).map_err(fail)?;
    let mut known = HashSet::from([first.clone()]);
    let mut open = vec![first];
    let mut turn = Turn::default();
    let after = |worker: &mut _, point: &[u32], thread, alternative| {
        let mut step = Executed::default();
        program.execute(worker, point, thread, alternative, &mut step).map_err(fail)?;
        Ok::<Executed, String>(step)
    };
    while let Some(point) = open.pop() {
        program.turn(&mut worker, &point, &mut turn).map_err(fail)?;
        let mut steps = Vec::new();
        for &(thread, count) in &turn.moves {
            for alternative in 0..count {
                let step = after(&mut worker, &point, thread, alternative)?;
                if !step.cut && known.len() < most && known.insert(step.point.clone()) {
                    open.push(step.point.clone());
                }
                steps.push((thread, alternative, step));
            }
        }
        // Who is left alone goes on for longer, and places of threads are given again.
        let started = |step: &Executed| {
            step.touches.iter().any(|touch| matches!(touch.resource >> 60, 7 | 8))
        };
        for (a, one, left) in &steps {
            for (b, two, right) in &steps {
                let conflict = Touch::conflict(&left.touches, &right.touches);
                let several = started(left) || started(right);
                if a >= b || conflict || left.cut || right.cut || several || turn.exclusive {
                    continue;
                }
                let orders = [(left, b, two, right), (right, a, one, left)];
                let mut ends = Vec::new();
                for (step, thread, alternative, alone) in orders {
                    let mut moves = Turn::default();
                    program.turn(&mut worker, &step.point, &mut moves).map_err(fail)?;
                    if !moves.moves.iter().any(|one| one.0 == *thread) {
                        let name = program.action(alone.action.transition).text;
                        return Ok(Some(format!("{name} is prevented")));
                    }
                    let next = after(&mut worker, &step.point, *thread, *alternative)?;
                    // Later it may go on further, but not less far.
                    let kept = alone.touches.iter().all(|touch| {
                        next.touches.iter().any(|other| other.resource == touch.resource)
                    });
                    if !kept {
                        let (touches, now) = (&alone.touches, &next.touches);
                        return Ok(Some(format!("{touches:x?} becomes {now:x?}")));
                    }
                    ends.push((program.state_of(&next.point).to_vec(), kept));
                }
                if ends[0] != ends[1] {
                    let names =
                        [left, right].map(|step| program.action(step.action.transition).text);
                    let touches = [left, right].map(|step| &step.touches);
                    return Ok(Some(format!("{names:?} cannot change places: {touches:x?}")));
                }
            }
        }
    }
    Ok(None)
}

#[test]
fn steps_that_touch_other_things_change_places() {
    let Some(tools) = Tools::find() else { return };
    let directory = scratch("places-sources");
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("directory");
    let programs: Vec<(u64, String)> =
        (0..60).map(|seed| (seed, format!("Places{seed}"))).collect();
    for (seed, name) in &programs {
        let source = directory.join(format!("{name}.java"));
        std::fs::write(source, concurrent::program(name, seed + 60_000)).expect("source");
    }
    let classes = scratch("places");
    tools.compile(&sources(&directory), &classes, &["-g"]);
    let wrong = parallel(&programs, |(seed, name)| {
        // What only one thread reaches by now is touched without a stop, so steps may become longer.
        let program = load(&classes, name, seed % 2 == 1, Reductions::NONE);
        program.prepare_assumptions().expect("random runs");
        loop {
            match laws(&program, 3_000) {
                Err(_) if program.assume_less() => {}
                other => return other.unwrap_or_else(Some).map(|why| format!("{name}: {why}")),
            }
        }
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), programs.len());
}
