//! The search against all interleavings of random small programs.

mod toy;

use std::collections::{BTreeSet, HashSet};

use everypath_engine_stateless::{Kind, Options, Outcome, Stopped, search};
use everypath_model::{Conflicts, Executed, Fault, Rng, Touch, Turn};
use toy::Toy;

/// Programs in an ordinary run and with `EVERYPATH_ALL`.
const RANDOM: u64 = 40_000;
const ALL: u64 = 400_000;
/// Programs with more interleavings are not counted one by one.
const MOST_RUNS: usize = 3_000;

fn seeds() -> std::ops::Range<u64> {
    0..if std::env::var_os("EVERYPATH_ALL").is_some() { ALL } else { RANDOM }
}

/// What all interleavings show.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    faults: BTreeSet<Fault>,
    ends: BTreeSet<(Vec<u32>, bool)>,
}

fn all_states(toy: &Toy) -> Seen {
    let mut seen = Seen::default();
    let first = toy.first();
    let mut known = HashSet::from([first.clone()]);
    let mut open = vec![first];
    let (mut turn, mut step) = (Turn::default(), Executed::default());
    while let Some(state) = open.pop() {
        toy.turn(&mut (), &state, &mut turn).expect("a turn");
        if turn.moves.is_empty() {
            seen.ends.insert((state, turn.deadlock));
            continue;
        }
        for &(thread, count) in &turn.moves {
            for alternative in 0..count {
                step.clear();
                toy.execute(&mut (), &state, thread, alternative, &mut step).expect("a step");
                seen.faults.extend(step.faults.iter().map(|one| one.0));
                if !step.cut && known.insert(step.point.clone()) {
                    open.push(step.point.clone());
                }
            }
        }
    }
    seen
}

/// A run as its steps with what has to come before each: runs that differ in the order of independent steps are equal.
type Class = Vec<(u32, u32, u32, Vec<u32>)>;

/// Follows all interleavings to their ends; `false` if there are too many.
fn all_runs(
    toy: &Toy,
    state: &[u32],
    run: &mut Vec<(u32, u32, Vec<Touch>)>,
    found: &mut HashSet<Class>,
    count: &mut usize,
) -> bool {
    let mut turn = Turn::default();
    toy.turn(&mut (), state, &mut turn).expect("a turn");
    if turn.moves.is_empty() {
        *count += 1;
        found.insert(class_of(toy, run));
        return *count <= MOST_RUNS;
    }
    for &(thread, alternatives) in &turn.moves {
        for alternative in 0..alternatives {
            let mut step = Executed::default();
            toy.execute(&mut (), state, thread, alternative, &mut step).expect("a step");
            if step.cut {
                continue;
            }
            run.push((thread, alternative, step.touches));
            let few = all_runs(toy, &step.point, run, found, count);
            run.pop();
            if !few {
                return false;
            }
        }
    }
    true
}

fn class_of(toy: &Toy, run: &[(u32, u32, Vec<Touch>)]) -> Class {
    let threads = toy.threads.len();
    let mut clocks: Vec<Vec<u32>> = Vec::new();
    let mut counts = vec![0; threads];
    let mut class = Vec::new();
    for (index, (thread, alternative, touches)) in run.iter().enumerate() {
        let mut clock = vec![0; threads];
        for (before, (other, _, touched)) in run[..index].iter().enumerate() {
            if other == thread || Touch::conflict(touched, touches) {
                let pairs = clock.iter_mut().zip(&clocks[before]);
                pairs.for_each(|(mine, theirs): (&mut u32, &u32)| *mine = (*mine).max(*theirs));
            }
        }
        counts[*thread as usize] += 1;
        clock[*thread as usize] = counts[*thread as usize];
        class.push((*thread, counts[*thread as usize], *alternative, clock.clone()));
        clocks.push(clock);
    }
    class.sort();
    class
}

fn seen(outcome: &Outcome) -> Seen {
    let faults = outcome.violations.iter().filter_map(|violation| match violation.kind {
        Kind::Fault(fault) => Some(fault),
        Kind::Deadlock(_) => None,
    });
    Seen { faults: faults.collect(), ends: outcome.ends.clone() }
}

#[test]
fn all_that_interleavings_show_is_found_and_hardly_any_class_twice() {
    let (mut small, mut executions, mut twice, mut blocked, mut runs) = (0, 0, 0, 0, 0);
    for seed in seeds() {
        let toy = Toy::random(&mut Rng::new(seed));
        let options = Options { collect: true, ..Options::default() };
        let outcome = search(&toy, &options, &mut |_| true);
        assert_eq!(outcome.stopped, Stopped::Finished, "seed {seed}: {toy:?}");
        assert_eq!(seen(&outcome), all_states(&toy), "seed {seed}: {toy:?}");
        let (mut classes, mut count) = (HashSet::new(), 0);
        if all_runs(&toy, &toy.first(), &mut Vec::new(), &mut classes, &mut count) {
            let found = outcome.stats.executions;
            let classes = classes.len() as u64;
            assert!(found >= classes, "seed {seed}: {found} of {classes} classes: {toy:?}");
            twice += found - classes;
            small += 1;
            executions += found;
            blocked += outcome.stats.blocked;
            runs += count;
        }
    }
    println!(
        "{small} programs, {runs} runs, {executions} followed, {twice} of a known class, {blocked} given up"
    );
    // Steps that touch other things where they come earlier may be followed again.
    assert!(twice * 50 < executions, "{twice} of {executions} runs for nothing");
    assert!(small * 10 > seeds().end * 8, "only {small} small programs");
}

#[test]
fn threads_that_only_look_come_to_an_end() {
    let mut loops = 0;
    for seed in seeds() {
        let toy = Toy::looking(&mut Rng::new(seed));
        let mut options = Options { collect: true, ..Options::default() };
        options.limits.depth = Some(200);
        let outcome = search(&toy, &options, &mut |_| true);
        assert_eq!(outcome.stopped, Stopped::Finished, "seed {seed}: {toy:?}");
        // Threads that look in turns may go on for ever.
        if outcome.complete() {
            assert_eq!(seen(&outcome), all_states(&toy), "seed {seed}: {toy:?}");
            loops += 1;
        }
    }
    println!("{loops} programs");
    assert!(loops * 10 > seeds().end * 9, "only {loops} programs");
}

#[test]
fn several_threads_find_the_same() {
    for seed in seeds().step_by(10) {
        let toy = Toy::random(&mut Rng::new(seed));
        let options = Options { collect: true, threads: 3, ..Options::default() };
        let outcome = search(&toy, &options, &mut |_| true);
        assert_eq!(outcome.stopped, Stopped::Finished, "seed {seed}: {toy:?}");
        assert_eq!(seen(&outcome), all_states(&toy), "seed {seed}: {toy:?}");
    }
}

/// How often a run may be interrupted, and how often another thread may go on in it.
#[derive(Clone, Copy, Debug, Default)]
struct Bounds {
    preemptions: Option<u32>,
    switches: Option<u32>,
}

/// What the runs within some bounds show, each of them followed to its end; whether one was left out. Another
/// thread than the last one is a switch, and an interruption if the last one could have gone on. What a thread
/// does while no other may move is neither, and does not make it the last one.
fn all_within(toy: &Toy, bounds: Bounds) -> (Seen, bool) {
    let (mut seen, mut left_out) = (Seen::default(), false);
    let first = (toy.first(), None, 0, 0);
    let mut known = HashSet::from([first.clone()]);
    let mut open = vec![first];
    let mut turn = Turn::default();
    while let Some((state, last, preemptions, switches)) = open.pop() {
        toy.turn(&mut (), &state, &mut turn).expect("a turn");
        if turn.moves.is_empty() {
            seen.ends.insert((state, turn.deadlock));
            continue;
        }
        let can_go_on = turn.moves.iter().any(|&(thread, _)| Some(thread) == last);
        for &(thread, count) in &turn.moves {
            let other = last.is_some_and(|last| last != thread) && !turn.exclusive;
            let preemptions = preemptions + u32::from(other && can_go_on);
            let switches = switches + u32::from(other);
            if bounds.preemptions.is_some_and(|most| preemptions > most)
                || bounds.switches.is_some_and(|most| switches > most)
            {
                left_out = true;
                continue;
            }
            let last = if turn.exclusive { last.or(Some(thread)) } else { Some(thread) };
            for alternative in 0..count {
                let mut step = Executed::default();
                toy.execute(&mut (), &state, thread, alternative, &mut step).expect("a step");
                seen.faults.extend(step.faults.iter().map(|one| one.0));
                let next = (step.point, last, preemptions, switches);
                if !step.cut && known.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    (seen, left_out)
}

#[test]
fn bounds_follow_every_order_within_them() {
    let (mut fewer, mut compared) = (0, 0);
    for seed in seeds().step_by(10) {
        let toy = Toy::random(&mut Rng::new(seed));
        let all = all_states(&toy);
        let some = |most| Bounds { preemptions: Some(most), switches: None };
        let few = |most| Bounds { preemptions: None, switches: Some(most) };
        let both = Bounds { preemptions: Some(1), switches: Some(3) };
        for bounds in (0..3).map(some).chain((0..4).map(few)).chain([both]) {
            let Bounds { preemptions, switches } = bounds;
            let options = Options { collect: true, preemptions, switches, ..Options::default() };
            let outcome = search(&toy, &options, &mut |_| true);
            let found = seen(&outcome);
            let (wanted, left_out) = all_within(&toy, bounds);
            let complete = outcome.bound_hit || found == all;
            assert!(
                found == wanted && complete && outcome.bound_hit == left_out,
                "seed {seed}, {bounds:?}: {found:?} and not {wanted:?}, {left_out}: {toy:?}"
            );
            fewer += u32::from(found != all);
            compared += 1;
        }
    }
    println!("{fewer} of {compared} searches show less than all interleavings");
    assert!(fewer * 20 > compared, "only {fewer} of {compared} searches are bounded");
}
