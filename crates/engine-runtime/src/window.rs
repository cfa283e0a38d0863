//! Which threads a warning depends on.

use std::collections::{BTreeMap, BTreeSet};

use everypath_model::{Event, Operation};

/// What a thread has to do with others.
#[derive(Default)]
struct Dealings {
    parent: Option<u32>,
    reads: BTreeSet<(bool, u32)>,
    writes: BTreeSet<(bool, u32)>,
}

/// The threads of a warning with those that started them, and those that write what they read or use the
/// locks that they use, and so on.
pub fn window(run: &[Event], warned: &[u32]) -> Vec<u32> {
    let mut threads: BTreeMap<u32, Dealings> = BTreeMap::new();
    for event in run {
        let mine = threads.entry(event.thread).or_default();
        match event.operation {
            Operation::Start(child) => {
                threads.entry(child).or_default().parent = Some(event.thread);
            }
            Operation::Join(_) => {}
            // Who holds a lock can keep others waiting.
            Operation::Acquire(lock) | Operation::Release(lock) => {
                mine.reads.insert((true, lock));
                mine.writes.insert((true, lock));
            }
            Operation::Read(location) | Operation::Observe(location) => {
                mine.reads.insert((false, location));
            }
            Operation::Write(location) | Operation::Publish(location) => {
                mine.writes.insert((false, location));
            }
        }
    }
    let mut inside: BTreeSet<u32> = warned.iter().copied().collect();
    loop {
        let mut more = BTreeSet::new();
        let read: BTreeSet<(bool, u32)> = inside
            .iter()
            .filter_map(|thread| threads.get(thread))
            .flat_map(|dealings| dealings.reads.iter().copied())
            .collect();
        for (&thread, dealings) in &threads {
            let parent =
                inside.iter().any(|t| threads.get(t).is_some_and(|d| d.parent == Some(thread)));
            if parent || !dealings.writes.is_disjoint(&read) {
                more.insert(thread);
            }
        }
        let before = inside.len();
        inside.extend(more);
        if inside.len() == before {
            return inside.into_iter().collect();
        }
    }
}
