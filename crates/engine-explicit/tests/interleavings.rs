//! The lock-free table under every order in which threads can take turns, as `loom` explores them.
//!
//! The table itself is compiled once more with the atomics of `loom` in place of the real ones; its
//! memory is a list, and lines are scanned slot by slot. A thread is preempted at most twice in a run:
//! more would take minutes.

#[path = "../src/stores/table/mod.rs"]
#[allow(dead_code, unused_imports)]
mod table;

#[path = "../src/stores/permute.rs"]
#[allow(dead_code, unused_imports)]
mod permute;

#[path = "../src/stores/mix.rs"]
#[allow(dead_code, unused_imports)]
mod mix;

// Where the table looks for them.
mod stores {
    pub(crate) use crate::{atomics, lines, mix, pages, permute, prefetch, store};
}

mod atomics {
    pub(crate) use loom::hint::spin_loop;
    pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};
}

mod lines {
    use crate::atomics::{AtomicU32, AtomicU64, Ordering::Relaxed};

    pub(crate) struct Scan {
        pub found: u32,
        pub free: u32,
    }

    pub(crate) trait Scanner {
        fn words(line: &[AtomicU32; 16], wanted: u32, care: u32) -> Scan;
        fn double_words(line: &[AtomicU64; 8], wanted: u64, care: u64) -> Scan;
    }

    pub(crate) trait Job {
        type Outcome;
        fn run<S: Scanner>(self) -> Self::Outcome;
    }

    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Isa;

    impl Isa {
        pub fn detect() -> Isa {
            Isa
        }

        pub fn run<J: Job>(self, job: J) -> J::Outcome {
            job.run::<Isa>()
        }
    }

    impl Scanner for Isa {
        fn words(line: &[AtomicU32; 16], wanted: u32, care: u32) -> Scan {
            scan(line.iter().map(|slot| {
                let value = slot.load(Relaxed);
                (value & care == wanted, value == 0)
            }))
        }

        fn double_words(line: &[AtomicU64; 8], wanted: u64, care: u64) -> Scan {
            scan(line.iter().map(|slot| {
                let value = slot.load(Relaxed);
                (value & care == wanted, value == 0)
            }))
        }
    }

    fn scan(slots: impl Iterator<Item = (bool, bool)>) -> Scan {
        let mut scan = Scan { found: 0, free: 0 };
        for (i, (found, free)) in slots.enumerate() {
            scan.found |= u32::from(found) << i;
            scan.free |= u32::from(free) << i;
        }
        scan
    }
}

mod pages {
    use crate::atomics::{AtomicU32, AtomicU64};

    pub(crate) const LINE: usize = 64;

    #[derive(Debug)]
    pub(crate) struct Lines {
        words: Vec<AtomicU32>,
        double_words: Vec<AtomicU64>,
    }

    impl Lines {
        pub fn populate(&self, _: std::ops::Range<usize>) {}

        pub fn len(&self) -> usize {
            self.words.len() / 16
        }

        pub fn with_room(lines: usize) -> std::io::Result<Lines> {
            Ok(Lines {
                words: (0..lines * 16).map(|_| AtomicU32::new(0)).collect(),
                double_words: (0..lines * 8).map(|_| AtomicU64::new(0)).collect(),
            })
        }

        pub fn words(&self) -> &[AtomicU32] {
            &self.words
        }

        pub fn double_words(&self) -> &[AtomicU64] {
            &self.double_words
        }
    }
}

mod prefetch {
    pub(crate) fn prefetch<T>(_: &[T], _: usize) {}
    pub(crate) fn prefetch_to_write<T>(_: &[T], _: usize) {}
}

mod store {
    #[derive(Clone, Copy, Debug)]
    #[allow(dead_code)]
    pub(crate) struct Name {
        pub key: u64,
        pub place: u64,
        pub epoch: u32,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Seen {
        New,
        Marked,
        Old,
    }
}

use loom::sync::Arc;
use store::Seen;
use table::{Plan, Table, Width};

/// Puts numbers in; how many were new.
fn work(table: &Table, marks: bool, keys: &[u64]) -> u64 {
    let mut new = 0;
    for &key in keys {
        match table.insert(table.prepare(key)).unwrap() {
            Seen::New => new += 1,
            Seen::Marked => assert!(marks),
            Seen::Old => assert!(!marks),
        }
        assert!(table.contains(table.prepare(key)), "what was put in is there");
    }
    new
}

/// Lets threads work on a table in all orders; each returns how many numbers it was told are new.
/// Afterwards the table has to hold `numbers` and nothing else, each new for one thread.
fn explore(width: Width, marks: bool, numbers: &'static [u64], threads: &'static [&'static [u64]]) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(move || {
        let plan = Plan { bits: 20, base: 20, width, lines: 2, marks };
        let table = Arc::new(Table::new(plan).unwrap());
        let others: Vec<_> = threads[1..]
            .iter()
            .map(|&keys| {
                let table = table.clone();
                loom::thread::spawn(move || work(&table, marks, keys))
            })
            .collect();
        let mut new: u64 = work(&table, marks, threads[0]);
        new += others.into_iter().map(|thread| thread.join().unwrap()).sum::<u64>();
        assert_eq!(new, numbers.len() as u64, "each number is new once");
        let mut found = Vec::new();
        table.for_each(0, plan.lines, |key, marked| {
            assert_eq!(marked, marks);
            found.push(key);
        });
        found.sort_unstable();
        assert_eq!(found, numbers);
    });
}

/// One thread takes the mark away while another meets the number.
fn unmark(width: Width) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(move || {
        let plan = Plan { bits: 20, base: 20, width, lines: 2, marks: true };
        let table = Arc::new(Table::new(plan).unwrap());
        assert_eq!(table.insert(table.prepare(5)), Ok(Seen::New));
        let other = {
            let table = table.clone();
            loom::thread::spawn(move || table.unmark(table.prepare(5)))
        };
        let seen = table.insert(table.prepare(5)).unwrap();
        assert!(matches!(seen, Seen::Marked | Seen::Old));
        assert_eq!(table.insert(table.prepare(6)), Ok(Seen::New));
        other.join().unwrap();
        assert_eq!(table.insert(table.prepare(5)), Ok(Seen::Old));
        assert_eq!(table.insert(table.prepare(6)), Ok(Seen::Marked));
    });
}

fn main() {
    // A test runner asks for the list of tests first.
    if std::env::args().any(|arg| arg == "--list") {
        if !std::env::args().any(|arg| arg == "--ignored") {
            println!("every_order_gives_the_same_set: test");
        }
        return;
    }
    for width in Width::ALL {
        explore(width, false, &[7], &[&[7], &[7]]);
        explore(width, true, &[7], &[&[7], &[7]]);
        explore(width, false, &[7, 9], &[&[7], &[9]]);
        explore(width, false, &[7, 9], &[&[7, 9], &[9]]);
        unmark(width);
        println!("{width:?}: every order gives the same set");
    }
    explore(Width::Bits32, false, &[7], &[&[7], &[7], &[7]]);
}
