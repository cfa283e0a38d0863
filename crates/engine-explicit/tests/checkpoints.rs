//! Searches that are stopped, killed or run into a limit, and taken up again: in the end the same as
//! if nothing had happened.

mod counters;
mod scattered;
mod toy;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use counters::{Counters, Divided};
use everypath_engine_explicit::{
    AfterViolation, Checkpoints, Control, Kind, Limits, Observer, Options, Outcome, Progress,
    Proviso, Sequence, Stopped, Storage, search,
};
use everypath_model::TransitionSystem;
use scattered::Scattered;
use toy::{Random, Toy};

/// Keeps checkpoints in memory.
#[derive(Default)]
struct Kept {
    bytes: Mutex<Option<Vec<u8>>>,
    /// One in so many levels; 0 is never.
    every: u64,
    end: bool,
    asked: AtomicU64,
    kept: AtomicU64,
}

impl Checkpoints for Kept {
    fn due(&self) -> bool {
        self.every > 0 && self.asked.fetch_add(1, Ordering::Relaxed) % self.every == self.every - 1
    }

    fn keep_end(&self) -> bool {
        self.end
    }

    fn keep(&self, _: u64, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let mut bytes = Vec::new();
        write(&mut bytes).unwrap();
        *self.bytes.lock().unwrap() = Some(bytes);
        self.kept.fetch_add(1, Ordering::Relaxed);
    }
}

/// Stops after so many looks.
struct Stop(u64);

impl Observer for Stop {
    fn progress(&mut self, _: &Progress) -> Control {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { Control::Stop } else { Control::Continue }
    }
}

fn resumed<S: TransitionSystem>(
    system: &S,
    options: &Options<'_>,
    bytes: Option<&[u8]>,
    observer: &mut dyn Observer,
) -> Outcome {
    let Some(bytes) = bytes else { return search(system, options, observer) };
    let rest = Mutex::new(bytes);
    let read = |buffer: &mut [u8]| rest.lock().unwrap().read(buffer);
    search(system, &Options { resume: Some(&read), ..*options }, observer)
}

/// What must not depend on stops.
fn facts<S: TransitionSystem>(system: &S, outcome: &Outcome) -> impl PartialEq + std::fmt::Debug {
    let violations: BTreeMap<Kind, (u64, u64)> =
        outcome.violations.iter().map(|v| (v.kind, (v.depth, v.occurrences))).collect();
    for violation in &outcome.violations {
        let path = outcome.path(system, violation).unwrap();
        assert_eq!(path.len() as u64, violation.depth);
    }
    let states: BTreeSet<Vec<u32>> = outcome.states.iter().cloned().collect();
    let stats = &outcome.stats;
    let counts = (stats.states, stats.transitions, stats.depth, stats.frontier, outcome.errors);
    let covered: Vec<u32> = outcome.coverage.iter().collect();
    (counts, violations, covered, states, format!("{:?}", outcome.stopped), outcome.loss.is_some())
}

/// Searches with as many stops as come; how many checkpoints were made.
fn with_stops<S: TransitionSystem>(
    system: &S,
    options: &Options<'_>,
    random: &mut Random,
    longest: u64,
) -> (Outcome, u64) {
    let mut last: Option<Vec<u8>> = None;
    let mut made = 0;
    for round in 0.. {
        let kept = Kept {
            every: 1 + random.below(3),
            // The end is not kept if the process was killed.
            end: random.chance(60),
            ..Kept::default()
        };
        let threads = 1 + random.below(3) as usize;
        // Killed again and again before the next level it would never come to its end.
        let patience = longest * (1 + round / 20);
        let options = Options { threads, checkpoints: Some(&kept), poll_every: 1, ..*options };
        let mut stop = Stop(1 + random.below(patience));
        let outcome = resumed(system, &options, last.as_deref(), &mut stop);
        made += kept.kept.load(Ordering::Relaxed);
        if outcome.stopped != Stopped::Interrupted {
            return (outcome, made);
        }
        last = kept.bytes.into_inner().unwrap().or(last);
    }
    unreachable!()
}

fn all<'a>() -> Options<'a> {
    Options { after_violation: AfterViolation::Continue, collect: true, ..Options::default() }
}

#[test]
fn small_graphs() {
    let mut random = Random(5);
    let mut made = 0;
    for seed in 0..500 {
        let toy = Toy::random(seed);
        let whole = search(&toy, &all(), &mut ());
        let (outcome, count) = with_stops(&toy, &all(), &mut random, 8);
        assert_eq!(facts(&toy, &outcome), facts(&toy, &whole), "seed {seed}");
        made += count;
    }
    assert!(made > 500, "{made}");
}

#[test]
fn a_store_that_rearranges_itself() {
    let system = Scattered { states: 30_000, components: 12 };
    let mut random = Random(8);
    for (reduction, threads) in
        [(None, 1), (Some(Proviso::Open), 1), (Some(Proviso::AllOpen), 2), (None, 3)]
    {
        let options = Options { reduction, ..all() };
        let whole = search(&system, &Options { threads, ..options }, &mut ());
        assert!(whole.complete() && whole.errors > 0);
        for _ in 0..3 {
            let (outcome, made) = with_stops(&system, &options, &mut random, 9000);
            assert!(made > 1);
            assert_eq!(facts(&system, &outcome), facts(&system, &whole), "{reduction:?}");
        }
    }
}

/// Searches that know states by vectors, and by keys: what parts do is remembered by these.
#[test]
fn lossy_stores() {
    let bytes = 1 << 14;
    for store in [
        Storage::Bitstate { functions: 3, sequence: Sequence::Paired, bytes, seed: 3 },
        Storage::Bitstate { functions: 2, sequence: Sequence::Triple, bytes: 1 << 22, seed: 3 },
        Storage::Compact { bits: 40, bytes: 1 << 20, seed: 4 },
    ] {
        stopped_with(&Scattered { states: 20_000, components: 3 }, store);
        stopped_with(&Divided(Counters { bases: vec![5, 7, 11, 8, 6] }), store);
    }
}

fn stopped_with<S: TransitionSystem>(system: &S, store: Storage) {
    let mut random = Random(9);
    // What is omitted depends on the order, so one thread and no repetition of states.
    let options = Options { store, ..all() };
    let whole = search(system, &options, &mut ());
    assert!(whole.stats.states > 10_000);
    let mut last: Option<Vec<u8>> = None;
    let outcome = loop {
        let kept = Kept { end: true, ..Kept::default() };
        let options = Options { checkpoints: Some(&kept), poll_every: 1, ..options };
        let mut stop = Stop(1 + random.below(400));
        let outcome = resumed(system, &options, last.as_deref(), &mut stop);
        if outcome.stopped != Stopped::Interrupted {
            break outcome;
        }
        last = kept.bytes.into_inner().unwrap();
    };
    assert!(last.is_some());
    assert_eq!(facts(system, &outcome), facts(system, &whole), "{store:?}");
    let (mine, theirs) = (outcome.loss.unwrap(), whole.loss.unwrap());
    // It is estimated batch by batch.
    assert!((mine.omitted - theirs.omitted).abs() <= 1e-2 * theirs.omitted.max(1.0));
    assert!((mine.fill - theirs.fill).abs() < 1e-12);
}

/// After a limit the search goes on where it stopped, if the limit is raised.
#[test]
fn limits_can_be_raised() {
    let system = Scattered { states: 30_000, components: 6 };
    let whole = search(&system, &all(), &mut ());
    let limits = |memory, states| Limits { memory, states, depth: None };
    let mut resumes = 0;
    for threads in [1, 2] {
        for (first, second) in [
            (limits(None, Some(11_111)), limits(None, Some(22_222))),
            (limits(Some(600_000), None), limits(Some(1_200_000), None)),
        ] {
            let mut last: Option<Vec<u8>> = None;
            for limits in [first, second, Limits::default()] {
                let kept = Kept { every: 3, end: true, ..Kept::default() };
                let options = Options { threads, limits, checkpoints: Some(&kept), ..all() };
                let outcome = resumed(&system, &options, last.as_deref(), &mut ());
                if limits == Limits::default() {
                    assert_eq!(facts(&system, &outcome), facts(&system, &whole));
                    break;
                }
                let stopped = matches!(outcome.stopped, Stopped::StateLimit | Stopped::MemoryLimit);
                assert!(stopped, "{:?}", outcome.stopped);
                resumes += u64::from(last.is_some());
                last = kept.bytes.into_inner().unwrap().or(last);
            }
        }
    }
    assert!(resumes >= 4, "{resumes}");
}

/// Whatever is wrong with a checkpoint, nothing worse happens than an error.
#[test]
fn damage_is_survived() {
    let system = Scattered { states: 3_000, components: 4 };
    let kept = Kept { every: 4, ..Kept::default() };
    let options = Options { checkpoints: Some(&kept), ..all() };
    search(&system, &options, &mut ());
    let good = kept.bytes.into_inner().unwrap().unwrap();
    for cut in (0..good.len()).step_by(good.len() / 200 + 1) {
        let outcome = resumed(&system, &all(), Some(&good[..cut]), &mut ());
        assert!(matches!(outcome.stopped, Stopped::NotResumed(_)), "{cut}: {:?}", outcome.stopped);
    }
    let plain = Options { store: Storage::Plain, ..all() };
    let outcome = resumed(&system, &plain, Some(&good), &mut ());
    assert!(matches!(outcome.stopped, Stopped::NotResumed(_)));
}
