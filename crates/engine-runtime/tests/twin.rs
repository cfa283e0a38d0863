//! Happens-before against its definition: the explicit closure over all pairs of events.

use std::collections::BTreeSet;

use everypath_engine_runtime::races;
use everypath_model::{Event, Operation, Rng};

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
                    // The other thread may have done nothing.
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

/// The locations with two accesses, one of them a write, that nothing orders.
fn racy(run: &[Event]) -> BTreeSet<u32> {
    let before = closure(run);
    let access = |event: &Event| match event.operation {
        Operation::Read(location) => Some((location, false)),
        Operation::Write(location) => Some((location, true)),
        _ => None,
    };
    let mut found = BTreeSet::new();
    for j in 0..run.len() {
        for i in 0..j {
            if let (Some((x, w)), Some((y, v))) = (access(&run[i]), access(&run[j]))
                && x == y
                && (w || v)
                && run[i].thread != run[j].thread
                && !before[i][j]
            {
                found.insert(x);
            }
        }
    }
    found
}

/// A run that threads with locks could do.
fn random_run(random: &mut Rng) -> Vec<Event> {
    let threads = 2 + random.below(3) as u32;
    let mut run = Vec::new();
    let (mut started, mut ended) = (vec![0], Vec::new());
    let mut owner: Vec<Option<u32>> = vec![None; 2];
    for site in 0..8 + random.below(40) as u32 {
        let thread = *random.pick(&started);
        let lock = random.below(2) as u32;
        let location = random.below(3) as u32;
        let operation = match random.below(12) {
            0 if (started.len() + ended.len()) < threads as usize => {
                let child = (started.len() + ended.len()) as u32;
                started.push(child);
                Operation::Start(child)
            }
            1 if !ended.is_empty() => Operation::Join(*random.pick(&ended)),
            2..=3 if owner[lock as usize].is_none() => {
                owner[lock as usize] = Some(thread);
                Operation::Acquire(lock)
            }
            4..=5 if owner[lock as usize] == Some(thread) => {
                owner[lock as usize] = None;
                Operation::Release(lock)
            }
            6 => Operation::Publish(location),
            7 => Operation::Observe(location),
            8 if thread != 0 && !owner.contains(&Some(thread)) => {
                started.retain(|&other| other != thread);
                ended.push(thread);
                continue;
            }
            9 => Operation::Write(location),
            _ => Operation::Read(location),
        };
        run.push(Event { thread, operation, site });
    }
    run
}

#[test]
fn vector_clocks_find_the_races_of_the_definition() {
    let mut random = Rng::new(7);
    let runs = if std::env::var_os("EVERYPATH_ALL").is_some() { 100_000 } else { 10_000 };
    let (mut with, mut without) = (0, 0);
    for number in 0..runs {
        let run = random_run(&mut random);
        let naive = racy(&run);
        let found = races(&run);
        let locations: BTreeSet<u32> = found.iter().map(|race| race.location).collect();
        assert_eq!(locations, naive, "run {number}: {run:#?}");
        let before = closure(&run);
        for race in &found {
            assert!(!before[race.first][race.second], "run {number}: {race:?} of {run:#?}");
        }
        if naive.is_empty() { without += 1 } else { with += 1 }
    }
    assert!(with > runs / 10 && without > runs / 10, "{with} with races, {without} without");
}
