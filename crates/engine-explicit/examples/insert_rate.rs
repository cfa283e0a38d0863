//! Measures the store and the searches: `cargo run --release --example insert_rate [states]`.
//!
//! Times are processor seconds on Linux, seconds of the clock elsewhere.

use std::time::Instant;

use everypath_engine_explicit::{Ledger, Options, Order, Vectors, search};
use everypath_model::{Action, ComponentMask, End, ModelError, Successors, TransitionSystem};

const WORDS: usize = 8;

/// Counters that count up to `base`, one per word, each by a process of its own.
struct Counters {
    counters: usize,
    base: u32,
}

impl TransitionSystem for Counters {
    type Worker = [u32; WORDS];

    fn worker(&self) -> [u32; WORDS] {
        [0; WORDS]
    }

    fn initial(&self, _: &mut [u32; WORDS], out: &mut Successors) -> Result<(), ModelError> {
        out.push(&[0; WORDS], ComponentMask::ALL, &[]);
        Ok(())
    }

    fn successors(
        &self,
        target: &mut [u32; WORDS],
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        target.copy_from_slice(state);
        for i in 0..self.counters {
            let before = target[i];
            target[i] = if before + 1 == self.base { 0 } else { before + 1 };
            let action = Action { process: i as u32, transition: i as u32 };
            out.push(target, ComponentMask(1 << i), &[action]);
            target[i] = before;
        }
        Ok(())
    }

    fn end(&self, _: &mut [u32; WORDS], _: &[u32]) -> End {
        End::Valid
    }

    fn components(&self, _: &[u32], ends: &mut Vec<u32>) {
        ends.extend(1..=WORDS as u32);
    }
}

fn main() {
    let states: u32 = std::env::args().nth(1).map_or(10_000_000, |n| n.parse().expect("a number"));

    inserts(states);
    batches(states);
    searches(states);
}

struct Timer {
    wall: Instant,
    cpu: Option<u64>,
}

impl Timer {
    fn start() -> Timer {
        Timer { wall: Instant::now(), cpu: cpu_nanoseconds() }
    }

    fn seconds(&self) -> f64 {
        match (self.cpu, cpu_nanoseconds()) {
            (Some(start), Some(now)) => (now - start) as f64 / 1e9,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// What the first thread has had of a processor.
fn cpu_nanoseconds() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn rate(count: u64, seconds: f64) -> f64 {
    count as f64 / seconds / 1e6
}

fn vector(n: u32) -> [u32; WORDS] {
    [n, n >> 3, 7, n & 15, 0, 1, n.rotate_left(9), 3]
}

/// Inserts in batches whose slots and vectors are fetched ahead, as the breadth-first search does.
fn batches(states: u32) {
    let ledger = Ledger::new(None);
    let mut store = Vectors::new(0);
    for (pass, mix) in [("new  ", 1u32), ("known", 0x9E37_79B1)] {
        let start = Timer::start();
        let mut hashes = [0; 48];
        for first in (0..states).step_by(hashes.len()) {
            let count = hashes.len().min((states - first) as usize);
            let number = |i: usize| (first + i as u32).wrapping_mul(mix) % states;
            for (i, hash) in hashes[..count].iter_mut().enumerate() {
                *hash = store.hash(&vector(number(i)));
                store.prefetch_slot(*hash);
            }
            for &hash in &hashes[..count] {
                store.prefetch_vector(hash);
            }
            for (i, &hash) in hashes[..count].iter().enumerate() {
                let inserted = store.insert_hashed(&vector(number(i)), hash, &ledger);
                assert_eq!(inserted.expect("no limit").new, mix == 1);
            }
        }
        let seconds = start.seconds();
        println!("batches, {pass}  {:6.2} M/s", rate(states.into(), seconds));
    }
}

/// Inserts one at a time.
fn inserts(states: u32) {
    let ledger = Ledger::new(None);
    let mut store = Vectors::new(0);
    let start = Timer::start();
    for n in 0..states {
        assert!(store.insert(&vector(n), &ledger).expect("no limit").new);
    }
    let seconds = start.seconds();
    println!(
        "insert new      {:6.2} M/s   {:.1} bytes a state ({} of table, {} of arena)",
        rate(states.into(), seconds),
        ledger.used() as f64 / f64::from(states),
        store.table_bytes(),
        store.arena_bytes()
    );
    let start = Timer::start();
    for n in 0..states {
        let n = n.wrapping_mul(0x9E37_79B1) % states;
        assert!(!store.insert(&vector(n), &ledger).expect("no limit").new);
    }
    println!("insert known    {:6.2} M/s", rate(states.into(), start.seconds()));
}

fn searches(states: u32) {
    let base = f64::from(states).powf(0.2).round() as u32;
    let system = Counters { counters: 5, base };
    for order in [Order::Breadth, Order::Depth] {
        let start = Timer::start();
        let outcome = search(&system, &Options { order, ..Options::default() }, &mut ());
        let seconds = start.seconds();
        assert!(outcome.complete());
        let stats = outcome.stats;
        println!(
            "{order:?}-first: {} states, {} transitions, depth {}: {:.2} M states/s, {:.1} M transitions/s, {:.1} bytes a state; {:?}",
            stats.states,
            stats.transitions,
            stats.depth,
            rate(stats.states, seconds),
            rate(stats.transitions, seconds),
            stats.bytes.peak as f64 / stats.states as f64,
            stats.bytes
        );
    }
}
