//! Searches by transactions: what they find, and how many states that takes.

mod programs;

use std::collections::BTreeSet;

use everypath_engine_explicit::{
    AfterViolation, Completion, Kind, Limits, Options, Outcome, Stopped, Storage,
    search_transactions,
};
use everypath_model::{Fault, Mover, Rng};
use programs::Instruction::{Acquire, Assert, Assume, Jump, Release, Set};
use programs::{Found, Instruction, Program};

fn options() -> Options<'static> {
    Options { after_violation: AfterViolation::Continue, collect: true, ..Options::default() }
}

fn found(outcome: &Outcome) -> Found {
    assert!(outcome.complete(), "{:?}", outcome.stopped);
    let wrong = outcome.violations.iter().map(|violation| match violation.kind {
        Kind::Fault(fault) => fault.0,
        other => panic!("{other:?}"),
    });
    Found { states: outcome.stats.states as usize, wrong: wrong.collect() }
}

/// A search by transactions, with every violation replayed; where the first thread was made to end a
/// transaction while the others had not begun.
fn transactions(program: &Program, completion: Completion) -> (Found, Vec<u32>) {
    let outcome = search_transactions(program, completion, &options(), &mut ());
    for violation in &outcome.violations {
        let path = outcome.path(program, violation).expect("the run is one of the program");
        assert_eq!(path.len() as u64, violation.depth);
        let thread = path.actions.last().expect("a step fails").process;
        assert_eq!(violation.kind, Kind::Fault(Fault(thread)));
        let place = path.last[program.variables + thread as usize];
        assert_eq!(place, programs::WRONG, "the run ends where the thread is wrong");
    }
    let forced = outcome.forced.as_ref().expect("it was a search by transactions");
    assert_eq!(forced.count, forced.states.len() as u64);
    let places = forced.states.iter().map(|state| &state[program.variables..]);
    let alone = places.filter(|places| places[1..].iter().all(|&place| place == 0));
    (found(&outcome), alone.map(|places| places[0]).collect())
}

/// What all searches of a program have to show: the states of all orders, of the unsound search and
/// of the one that cuts cycles; for transactions the states and where ends are forced.
struct Expected {
    full: usize,
    unsound: usize,
    every: (usize, &'static [u32]),
    points: (usize, &'static [u32]),
    cycles: usize,
}

/// The second thread fails, in all searches but the unsound one, which may miss it.
fn check(program: &Program, missed: bool, expected: &Expected) {
    let found = |states: usize| Found { states, wrong: BTreeSet::from([1]) };
    assert_eq!(program.reach(false), found(expected.full));
    let unsound = program.reach(true);
    assert_eq!((unsound.states, unsound.wrong.is_empty()), (expected.unsound, missed));
    assert_eq!(program.cycles(), found(expected.cycles));
    for (completion, (states, forced)) in
        [(Completion::EveryState, expected.every), (Completion::CommitPoints, expected.points)]
    {
        assert_eq!(transactions(program, completion), (found(states), forced.to_vec()));
    }
}

/// Sets a variable that another thread asserts to be as it was.
fn against_assertion(rest: Vec<Instruction>) -> Program {
    let mut first = vec![Set(0, 1, Mover::NONE)];
    first.extend(rest);
    let second = vec![Assert(0, 0, Mover::NONE), Jump(vec![2])];
    Program { variables: 1, threads: vec![first, second] }
}

fn jump(to: u32) -> Instruction {
    Jump(vec![to])
}

#[test]
fn x1_a_committed_transaction_that_never_ends_is_not_ignored() {
    let program = against_assertion(vec![jump(2), jump(3), jump(2)]);
    let expected =
        Expected { full: 15, unsound: 9, every: (11, &[3]), points: (12, &[1]), cycles: 11 };
    check(&program, true, &expected);
}

#[test]
fn x2_a_loop_with_a_way_out_needs_no_forced_end() {
    let program = against_assertion(vec![jump(2), Jump(vec![3, 5]), jump(4), jump(3), jump(6)]);
    let expected =
        Expected { full: 27, unsound: 16, every: (18, &[4]), points: (16, &[]), cycles: 18 };
    check(&program, false, &expected);
}

#[test]
fn x2a_a_committed_transaction_that_gets_stuck_is_not_ignored() {
    let program = against_assertion(vec![jump(2), Jump(vec![])]);
    let expected =
        Expected { full: 11, unsound: 8, every: (8, &[2]), points: (9, &[1]), cycles: 8 };
    check(&program, false, &expected);
}

#[test]
fn x8_two_endless_loops_are_completed_at_their_common_commit_point() {
    let rest = vec![jump(2), Jump(vec![3, 5]), jump(4), jump(3), jump(6), jump(5)];
    let program = against_assertion(rest);
    let expected =
        Expected { full: 27, unsound: 15, every: (19, &[4, 6]), points: (21, &[1]), cycles: 19 };
    check(&program, true, &expected);
}

#[test]
fn x3_a_transaction_has_several_commit_points() {
    let (m, x, y) = (0, 1, 2);
    let threads = vec![
        vec![
            Acquire(m, Mover::RIGHT),
            Set(y, 42, Mover::NONE),
            Set(x, 1, Mover::BOTH),
            Release(m),
            jump(5),
            jump(4),
        ],
        vec![Acquire(m, Mover::RIGHT), Assert(x, 0, Mover::BOTH), Release(m)],
        vec![Set(y, 10, Mover::NONE)],
    ];
    let program = Program { variables: 3, threads };
    let expected =
        Expected { full: 48, unsound: 28, every: (38, &[5]), points: (38, &[4]), cycles: 40 };
    check(&program, true, &expected);
}

#[test]
fn deadlocks_are_lost_unless_acquiring_counts_as_no_mover() {
    let program = |acquire: Mover| {
        let thread = |a: usize, b: usize| {
            vec![Acquire(a, acquire), Acquire(b, acquire), Release(b), Release(a)]
        };
        Program { variables: 2, threads: vec![thread(0, 1), thread(1, 0)] }
    };
    // Each has the mutex that the other needs.
    let deadlock = [1, 2, 1, 1];
    let reaches = |acquire: Mover| {
        let outcome =
            search_transactions(&program(acquire), Completion::CommitPoints, &options(), &mut ());
        let met = outcome.states.iter().any(|state| state[..4] == deadlock);
        (outcome.stats.states, met)
    };
    assert_eq!(program(Mover::RIGHT).reach(false).states, 19);
    assert_eq!(reaches(Mover::RIGHT), (16, false));
    assert_eq!(reaches(Mover::NONE), (17, true));
}

/// A random program: a mutex with a variable that only its holder touches, a variable that anybody
/// touches, and jumps.
fn random(rng: &mut Rng) -> Program {
    let (mutex, inside, outside) = (0, 1, 2);
    let threads = 2 + rng.below(2);
    let thread = |rng: &mut Rng| {
        let length = 1 + rng.below(7) as u32;
        let mut held = vec![false];
        let mut code = Vec::new();
        for at in 0..length {
            let holds = held[at as usize];
            let (value, kind) = (rng.below(2) as u32, rng.below(8));
            let instruction = match kind {
                0 if !holds => Acquire(mutex, Mover::RIGHT),
                0 | 1 if holds => Release(mutex),
                2 if holds => Set(inside, value, Mover::BOTH),
                3 if holds => Assert(inside, value, Mover::BOTH),
                4 => Set(outside, value, Mover::NONE),
                5 => Assert(outside, value, Mover::NONE),
                6 => Assume(outside, value, Mover::NONE),
                _ => Jump(Vec::new()),
            };
            held.push(match instruction {
                Acquire(..) => true,
                Release(_) => false,
                _ => holds,
            });
            code.push(instruction);
        }
        // Jumps stay where the mutex is held, or is not.
        for (at, instruction) in code.iter_mut().enumerate() {
            if let Jump(targets) = instruction {
                for _ in 0..1 + rng.below(2) {
                    let to = if rng.below(3) == 0 { rng.below(held.len()) } else { at + 1 };
                    if held[to] == held[at] {
                        targets.push(to as u32);
                    }
                }
            }
        }
        code
    };
    Program { variables: 3, threads: (0..threads).map(|_| thread(rng)).collect() }
}

#[test]
fn random_programs_go_wrong_as_in_all_orders() {
    let count = if std::env::var_os("EVERYPATH_ALL").is_some() { 60_000 } else { 6_000 };
    let (mut failing, mut missed, mut fewer) = (0, 0, 0);
    for seed in 0..count {
        let program = random(&mut Rng::new(seed));
        let full = program.reach(false);
        for completion in [Completion::CommitPoints, Completion::EveryState] {
            let (found, _) = transactions(&program, completion);
            assert_eq!(found.wrong, full.wrong, "seed {seed}: {completion:?}, {program:?}");
            assert!(found.states <= full.states, "seed {seed}");
            fewer += usize::from(found.states < full.states);
        }
        assert_eq!(program.cycles().wrong, full.wrong, "seed {seed}: cycles, {program:?}");
        failing += usize::from(!full.wrong.is_empty());
        missed += usize::from(program.reach(true).wrong != full.wrong);
    }
    assert!(failing > count as usize / 10, "{failing} fail");
    assert!(fewer > count as usize / 2, "{fewer} became smaller");
    assert!(missed > 0, "the unsound search has to miss something");
}

#[test]
fn every_store_with_marks_gives_the_same() {
    let mut rng = Rng::new(1);
    for _ in 0..200 {
        let program = random(&mut rng);
        let with = |store| {
            let options = Options { store, ..options() };
            found(&search_transactions(&program, Completion::CommitPoints, &options, &mut ()))
        };
        let collapsed = with(Storage::Collapse);
        assert_eq!(with(Storage::Plain), collapsed);
        assert_eq!(with(Storage::Tree), collapsed);
    }
    let program = random(&mut rng);
    let options = Options { store: Storage::Delta { every: 2 }, ..options() };
    let outcome = search_transactions(&program, Completion::CommitPoints, &options, &mut ());
    assert!(matches!(outcome.stopped, Stopped::ModelError(_)));
}

#[test]
fn limits_end_a_search_that_is_then_not_complete() {
    let program = against_assertion(vec![jump(2), jump(3), jump(2)]);
    let with = |limits| {
        let options = Options { limits, ..options() };
        search_transactions(&program, Completion::CommitPoints, &options, &mut ())
    };
    let shallow = with(Limits { depth: Some(1), ..Limits::default() });
    assert!(shallow.depth_limit_hit && !shallow.complete());
    let few = with(Limits { states: Some(4), ..Limits::default() });
    assert_eq!((few.stopped.clone(), few.stats.states), (Stopped::StateLimit, 4));
    let little = with(Limits { memory: Some(1), ..Limits::default() });
    assert_eq!(little.stopped, Stopped::MemoryLimit);
}
