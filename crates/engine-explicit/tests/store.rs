//! The store keeps what it is given, whatever the hash and the sizes.

mod toy;

use std::collections::BTreeMap;

use everypath_engine_explicit::{FoldHash, Full, HashWords, Ledger, StateRef, Vectors};
use toy::Random;

/// Keeps only some bits of the good hash: many collisions in tag, in place, or in both.
struct Weak(FoldHash, u64);

impl HashWords for Weak {
    fn hash(&self, words: &[u32]) -> u64 {
        self.0.hash(words) & self.1
    }
}

fn vector(random: &mut Random, spread: u64, max_len: u64) -> Vec<u32> {
    let len = random.below(max_len);
    (0..len).map(|_| random.below(spread) as u32).collect()
}

fn check<H: HashWords>(hash: H, seed: u64, count: usize, carried: usize, spread: u64) {
    let mut random = Random(seed | 1);
    let ledger = Ledger::new(None);
    let mut store = Vectors::with_hash(carried, hash);
    let mut twin: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
    let mut inserted: Vec<(Vec<u32>, StateRef)> = Vec::new();
    for _ in 0..count {
        let mut v: Vec<u32> = (0..carried).map(|_| random.next() as u32).collect();
        v.extend(vector(&mut random, spread, 9));
        let known = twin.get(&v[carried..]).copied();
        assert_eq!(store.find(&v).map(|at| store.number(at)), known);
        let end = store.end();
        let result = store.insert(&v, &ledger).unwrap();
        assert_eq!(result.new, known.is_none());
        if result.new {
            assert!(result.at >= end, "an address below the end");
            assert!(inserted.last().is_none_or(|last| last.1 < result.at));
            twin.insert(v[carried..].to_vec(), inserted.len() as u64);
            inserted.push((v, result.at));
        } else {
            assert_eq!(Some(store.number(result.at)), known);
        }
    }
    assert_eq!(store.len(), inserted.len() as u64);
    let mut next = store.first();
    for (number, (v, at)) in inserted.iter().enumerate() {
        assert_eq!(store.get(*at), v, "the vector with its carried words");
        assert_eq!(store.by_number(number as u64), Some(*at));
        assert_eq!(store.number(*at), number as u64);
        assert_eq!(next, Some(*at));
        next = store.after(*at);
    }
    assert_eq!(next, None);
    assert_eq!(store.by_number(store.len()), None);
    assert_eq!(ledger.used(), store.table_bytes() + store.arena_bytes());
    // Only the short list of addresses is held twice while it grows; the table is not.
    let twice = ledger.peak() - ledger.used();
    assert!(twice <= 1024 + store.len() / 4, "{twice}");
}

#[test]
fn keeps_what_it_is_given() {
    for seed in 0..60 {
        for count in [1, 10, 700, 800, 3000, 3100] {
            check(FoldHash::default(), seed, count, (seed % 3) as usize, 2 + seed % 7);
        }
    }
    check(FoldHash::default(), 1, 300_000, 0, 50);
    check(FoldHash::default(), 2, 300_000, 2, 4);
}

#[test]
fn collisions_are_told_apart() {
    for seed in 0..20 {
        // Nothing; three bits of the tag; high bits only, so all tags equal; few places.
        for mask in [0, 7, u64::MAX << 24, 0xff00_0000_00ff_ffff] {
            check(Weak(FoldHash::default(), mask), seed, 2500, (seed % 2) as usize, 6);
        }
    }
}

#[test]
fn long_vectors_and_empty_ones() {
    let ledger = Ledger::new(None);
    let mut store = Vectors::new(0);
    let lengths = [0, 1, 4094, 4095, 4096, 262_142, 262_143, 262_144, 262_145, 1_000_000, 3, 5];
    let mut refs = Vec::new();
    for round in 0..3 {
        for (i, &len) in lengths.iter().enumerate() {
            let v: Vec<u32> = (0..len).map(|w| w ^ i as u32 ^ round << 20).collect();
            let end = store.end();
            let result = store.insert(&v, &ledger).unwrap();
            if result.new {
                assert!(result.at >= end);
                refs.push((result.at, v));
            }
        }
    }
    assert_eq!(refs.len(), 34, "the empty vector is there once");
    for (number, (at, v)) in refs.iter().enumerate() {
        assert_eq!(store.get(*at), v);
        assert_eq!(store.by_number(number as u64), Some(*at));
        assert_eq!(store.find(v), Some(*at));
    }
    assert_eq!(ledger.used(), store.table_bytes() + store.arena_bytes());
}

#[test]
fn memory_is_used_up_and_not_more() {
    for limit in [30_000, 100_000, 1_000_000, 3_000_000, 10_000_000] {
        let ledger = Ledger::new(Some(limit));
        let mut store = Vectors::new(0);
        let mut n = 0u32;
        let full = loop {
            if let Err(full) = store.insert(&[n, n / 2, 7, 8], &ledger) {
                break full;
            }
            n += 1;
        };
        assert_eq!(full, Full::Memory);
        assert_eq!(u64::from(n), store.len());
        assert!(ledger.peak() <= limit, "limit {limit}: {}", ledger.peak());
        // 20 bytes of record and some 11 of table; a third may be lost to chunks and slack.
        let ideal = limit / 31;
        assert!(store.len() * 3 > ideal * 2, "limit {limit}: {} of {ideal}", store.len());
        for k in 0..n {
            assert!(store.find(&[k, k / 2, 7, 8]).is_some());
        }
        // Known vectors are still accepted.
        assert!(store.insert(&[0, 0, 7, 8], &ledger).is_ok_and(|i| !i.new));
    }
}

#[test]
fn number_of_states_is_limited() {
    let ledger = Ledger::new(None);
    let mut store = Vectors::new(0);
    store.limit_states(2000);
    for n in 0..2000 {
        assert!(store.insert(&[n], &ledger).is_ok_and(|i| i.new));
    }
    assert_eq!(store.insert(&[2000], &ledger), Err(Full::States));
    assert!(store.insert(&[5], &ledger).is_ok_and(|i| !i.new));
    assert_eq!(store.len(), 2000);
}
