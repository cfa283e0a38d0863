//! Searches with waiting states and logs on a disk: the same in less memory, and an end when it fails.

mod scattered;
mod toy;

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use everypath_engine_explicit::{
    AfterViolation, Checkpoints, Disk, Kind, Limits, Options, Outcome, Proviso, Sequence, Shelf,
    Stopped, Storage, search,
};
use everypath_model::TransitionSystem;
use scattered::Scattered;
use toy::Toy;

/// A disk in memory.
#[derive(Debug)]
struct Ram {
    files: [Mutex<Vec<u8>>; 3],
    written: AtomicU64,
    room: u64,
}

impl Ram {
    fn new(room: u64) -> Ram {
        Ram { files: Default::default(), written: AtomicU64::new(0), room }
    }

    fn file(&self, shelf: Shelf) -> &Mutex<Vec<u8>> {
        &self.files[Shelf::ALL.iter().position(|one| *one == shelf).unwrap()]
    }
}

impl Disk for Ram {
    fn write(&self, shelf: Shelf, bytes: &[u8]) -> io::Result<u64> {
        if self.written.fetch_add(bytes.len() as u64, Ordering::Relaxed) >= self.room {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "no space left"));
        }
        let mut file = self.file(shelf).lock().unwrap();
        let at = file.len() as u64;
        file.extend_from_slice(bytes);
        Ok(at)
    }

    fn read(&self, shelf: Shelf, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let file = self.file(shelf).lock().unwrap();
        bytes.copy_from_slice(&file[at as usize..at as usize + bytes.len()]);
        Ok(())
    }

    fn clear(&self, shelf: Shelf) {
        self.file(shelf).lock().unwrap().clear();
    }
}

fn all<'a>() -> Options<'a> {
    Options { after_violation: AfterViolation::Continue, ..Options::default() }
}

fn facts<S: TransitionSystem>(system: &S, outcome: &Outcome) -> impl PartialEq + std::fmt::Debug {
    let violations: BTreeMap<Kind, (u64, u64)> =
        outcome.violations.iter().map(|v| (v.kind, (v.depth, v.occurrences))).collect();
    for violation in &outcome.violations {
        let path = outcome.path(system, violation).unwrap();
        assert_eq!(path.len() as u64, violation.depth);
    }
    let stats = &outcome.stats;
    let counts = (stats.states, stats.transitions, stats.depth, stats.frontier, outcome.errors);
    (counts, violations, outcome.coverage.clone(), outcome.stopped.clone())
}

#[test]
fn a_disk_changes_nothing() {
    for seed in 0..300 {
        let toy = Toy::random(seed);
        let disk: Arc<dyn Disk> = Arc::new(Ram::new(u64::MAX));
        let whole = search(&toy, &all(), &mut ());
        for threads in [1, 2] {
            let options = Options { disk: Some(&disk), threads, ..all() };
            let outcome = search(&toy, &options, &mut ());
            assert_eq!(facts(&toy, &outcome), facts(&toy, &whole), "seed {seed}");
        }
    }
    let system = Scattered { states: 400_000, components: 3 };
    let lossy =
        Storage::Bitstate { functions: 3, sequence: Sequence::Paired, bytes: 1 << 22, seed: 3 };
    for (store, reduction) in [
        (Storage::Collapse, None),
        (Storage::Collapse, Some(Proviso::Open)),
        (Storage::Tree, None),
        (lossy, None),
    ] {
        let whole = search(&system, &Options { store, reduction, ..all() }, &mut ());
        assert!(whole.errors > 100);
        let ram = Arc::new(Ram::new(u64::MAX));
        let disk: Arc<dyn Disk> = ram.clone();
        let options = Options { store, reduction, disk: Some(&disk), ..all() };
        let outcome = search(&system, &options, &mut ());
        assert_eq!(facts(&system, &outcome), facts(&system, &whole), "{store:?}");
        assert!(ram.written.load(Ordering::Relaxed) > 1_000_000, "{store:?}");
        let (with, without) = (outcome.stats.bytes, whole.stats.bytes);
        assert!(with.parents < without.parents * 2 / 3, "{with:?} {without:?}");
        assert!(with.stack < without.stack / 4, "{with:?} {without:?}");
    }
}

#[test]
fn the_memory_limit_is_for_the_store() {
    let tree = || Options { store: Storage::Tree, ..all() };
    let system = Scattered { states: 400_000, components: 3 };
    let whole = search(&system, &tree(), &mut ());
    let ram = Arc::new(Ram::new(u64::MAX));
    let disk: Arc<dyn Disk> = ram.clone();
    let peak = search(&system, &Options { disk: Some(&disk), ..tree() }, &mut ()).stats.bytes.peak;
    assert!(peak < whole.stats.bytes.peak, "{peak}");
    let limits = Limits { memory: Some(peak), ..Limits::default() };
    let without = search(&system, &Options { limits, ..tree() }, &mut ());
    assert_eq!(without.stopped, Stopped::MemoryLimit);
    let with = search(&system, &Options { limits, disk: Some(&disk), ..tree() }, &mut ());
    assert_eq!(facts(&system, &with), facts(&system, &whole));
}

#[test]
fn a_full_disk_ends_the_search_with_what_it_has() {
    let system = Scattered { states: 400_000, components: 3 };
    let whole = search(&system, &all(), &mut ());
    for threads in [1, 2] {
        for room in [0, 10_000, 100_000, 800_000] {
            let disk: Arc<dyn Disk> = Arc::new(Ram::new(room));
            let options = Options { disk: Some(&disk), threads, ..all() };
            let outcome = search(&system, &options, &mut ());
            let Stopped::Disk(why) = &outcome.stopped else { panic!("{:?}", outcome.stopped) };
            assert_eq!(why, "no space left");
            assert!(!outcome.complete() && outcome.stats.states < whole.stats.states);
            for violation in &outcome.violations {
                assert_eq!(outcome.path(&system, violation).unwrap().len() as u64, violation.depth);
            }
        }
    }
}

/// Keeps the first checkpoint that comes after so many levels.
struct Kept(AtomicU64, Mutex<Vec<u8>>);

impl Checkpoints for Kept {
    fn due(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) == 14
    }

    fn keep_end(&self) -> bool {
        false
    }

    fn keep(&self, _: u64, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        write(&mut *self.1.lock().unwrap()).unwrap();
    }
}

#[test]
fn what_is_on_the_disk_is_part_of_a_checkpoint() {
    let system = Scattered { states: 400_000, components: 3 };
    let whole = search(&system, &all(), &mut ());
    let disk: Arc<dyn Disk> = Arc::new(Ram::new(u64::MAX));
    let kept = Kept(AtomicU64::new(0), Mutex::default());
    let options = Options { disk: Some(&disk), checkpoints: Some(&kept), threads: 2, ..all() };
    search(&system, &options, &mut ());
    let bytes = kept.1.into_inner().unwrap();
    assert!(bytes.len() > 10_000);
    let other: Arc<dyn Disk> = Arc::new(Ram::new(u64::MAX));
    for disk in [None, Some(&other)] {
        let rest = Mutex::new(&bytes[..]);
        let read = |buffer: &mut [u8]| rest.lock().unwrap().read(buffer);
        let options = Options { disk, resume: Some(&read), ..all() };
        let outcome = search(&system, &options, &mut ());
        assert_eq!(facts(&system, &outcome), facts(&system, &whole));
    }
}
