//! A few bits a state: a Bloom filter of any size.
//!
//! A state sets `k` bits of `m`; if all are set already it is taken for a known one. The places
//! follow from one hash of 128 bits. The cache lines they lie in are asked for a batch ahead; with
//! several bits a line there are fewer of these, at the price of an error that is a little greater.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::ledger::Ledger;
use crate::lossy::filter::{Filter, Tally, insert_each, lines, prefetch_each};
use crate::options::Sequence;
use crate::stores::mix::{Mixed, below};
use crate::stores::pages::Lines;
use crate::stores::prefetch::prefetch;
use crate::stores::store::Full;
use crate::stores::table::Target;

/// Lines a state that are asked for ahead; more would crowd each other out of the cache.
const AHEAD: u32 = 8;
/// Bits of a line.
const LINE_BITS: u64 = 512;
/// Locks of which one decides which of several threads was first.
const LOCKS: usize = 1 << 12;
/// Hashes that are put in without a look at what became of them.
const TOGETHER: usize = 64;

/// A Bloom filter.
pub(crate) struct Bitstate {
    memory: Lines,
    bits: u64,
    functions: u32,
    sequence: Sequence,
    ones: AtomicU64,
    /// Empty if there is one thread only.
    locks: Box<[AtomicU8]>,
}

/// Numbers below a bound that follow from a hash, one after the other.
#[derive(Clone, Copy)]
struct Places {
    bound: u64,
    place: u64,
    step: u64,
    /// What is added to the step: always the same, or one more each time.
    change: u64,
    grows: u64,
}

impl Places {
    #[inline]
    fn new(hash: Mixed, bound: u64, sequence: Sequence) -> Places {
        let (change, grows) = match sequence {
            Sequence::Double => (0, 0),
            Sequence::Enhanced => (1, 1),
            Sequence::Triple | Sequence::Paired => (below(another(hash), bound), 0),
        };
        Places {
            bound,
            place: below(hash.first, bound),
            // Never 0, so that the second place is another one, if there is any.
            step: 1 + below(hash.second, bound.max(2) - 1),
            change,
            grows,
        }
    }

    #[inline]
    fn next(&mut self) -> u64 {
        let place = self.place;
        self.place = self.sum(place, self.step);
        self.step = self.sum(self.step, self.change);
        self.change = self.sum(self.change, self.grows);
        place
    }

    #[inline]
    fn sum(&self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.bound { sum - self.bound } else { sum }
    }
}

/// A third number.
#[inline]
fn another(hash: Mixed) -> u64 {
    (hash.first ^ hash.second.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// What chooses the bits of the first line, and what those of the line after.
#[inline]
fn first_inside(hash: Mixed) -> u64 {
    another(Mixed { first: hash.second, second: hash.first })
}

#[inline]
fn next_inside(inside: u64) -> u64 {
    inside.wrapping_mul(0xd1b5_4a32_d192_ed03).rotate_left(27)
}

/// Two different bits of a line.
#[inline]
fn pair_of(inside: u64) -> [u64; 2] {
    let first = inside >> 55;
    [first, (first + 1 + below(inside << 9, LINE_BITS - 1)) % LINE_BITS]
}

/// The bit of a line that says whether some thread is at work on a state whose line it is.
const LOCK: u64 = 1 << 63;
/// The word of a line that has it.
const LOCK_WORD: usize = WORDS - 1;

/// Words of a line.
const WORDS: usize = 8;

/// Three or four bits a state, all in one line and each in a quarter of its own: the memory of one line is
/// all that a state needs. Lines are not all equally full, which costs little where each has many states.
#[derive(Clone, Copy)]
struct OneLine {
    line: u64,
    inside: u64,
}

impl OneLine {
    /// Bits of a quarter.
    const QUARTER: u64 = LINE_BITS / 4;

    #[inline(always)]
    fn new(hash: Mixed, lines: u64) -> OneLine {
        OneLine { line: below(hash.first, lines), inside: hash.second }
    }

    /// The line of a filter.
    #[inline(always)]
    fn words(self, memory: &Lines) -> &[AtomicU64; WORDS] {
        &memory.double_words().as_chunks().0[self.line as usize]
    }

    /// Word of the line and bit of each of the places.
    #[inline(always)]
    fn places<const BITS: usize>(self) -> [(usize, u64); BITS] {
        // With three bits a quarter is left out, not always the same.
        let left_out = if BITS < 4 { (self.inside >> 32) as usize } else { 0 };
        std::array::from_fn(|i| {
            let quarter = (left_out + i) & 3;
            // Never the last bit of a line, which is the lock.
            let bit = (self.inside >> (8 * i)) & (Self::QUARTER - 1);
            let bit = if quarter == 3 { bit.min(Self::QUARTER - 2) } else { bit };
            (2 * quarter + bit as usize / 64, 1 << (bit % 64))
        })
    }

    /// The probability that all bits of a new state are set, where `part` of all bits are.
    fn known(functions: u32, part: f64) -> f64 {
        let used = f64::from(functions) / 4.0;
        let missed = 1.0 - 1.0 / Self::QUARTER as f64;
        // The probability that a state leaves bits in so many quarters free; it has one in each, or in
        // all but one.
        let free = |quarters: u32| {
            let spared = f64::from(quarters) * (1.0 - used);
            (1.0 - spared) * missed.powi(quarters as i32)
                + spared * missed.powi(quarters as i32 - 1)
        };
        // How many states a line has follows from how many bits are set: some have more, some fewer.
        let states = -(1.0 - part).max(1e-300).ln() / (1.0 - free(1));
        let mut choose = 1.0;
        let mut all = 0.0;
        for quarters in 0..=functions {
            let sign = if quarters % 2 == 0 { 1.0 } else { -1.0 };
            all += sign * choose * (-states * (1.0 - free(quarters))).exp();
            choose *= f64::from(functions - quarters) / f64::from(quarters + 1);
        }
        all.clamp(0.0, 1.0)
    }
}

impl Bitstate {
    /// An empty filter of at most so many bytes.
    pub fn new(
        bytes: u64,
        functions: u32,
        sequence: Sequence,
        threads: usize,
        ledger: &Ledger,
    ) -> Result<Bitstate, Full> {
        let memory = lines(bytes, ledger)?;
        let locks = if threads > 1 { LOCKS } else { 0 };
        let all = memory.double_words().len() as u64 * 64;
        Ok(Bitstate {
            // An odd number has fewer divisors in common with steps.
            bits: if sequence == Sequence::Paired { all } else { all - 1 },
            memory,
            functions: functions.clamp(1, 64),
            sequence,
            ones: AtomicU64::new(0),
            locks: (0..locks).map(|_| AtomicU8::new(0)).collect(),
        })
    }

    #[inline]
    fn word(&self, place: u64) -> (&AtomicU64, u64) {
        (&self.memory.double_words()[(place / 64) as usize], 1 << (place % 64))
    }

    /// Visits the places of a hash until `visit` has had enough; whether it had not.
    #[inline(always)]
    fn all(&self, hash: Mixed, mut visit: impl FnMut(u64) -> bool) -> bool {
        if self.in_one_line() {
            let line = OneLine::new(hash, self.bits / LINE_BITS);
            let mut visit = |&(word, bit): &(usize, u64)| {
                let inside = word as u64 * 64 + u64::from(bit.trailing_zeros());
                visit(line.line * LINE_BITS + inside)
            };
            return match self.functions {
                3 => line.places::<3>().iter().all(&mut visit),
                _ => line.places::<4>().iter().all(&mut visit),
            };
        }
        if self.sequence != Sequence::Paired {
            let mut places = Places::new(hash, self.bits, self.sequence);
            return (0..self.functions).all(|_| visit(places.next()));
        }
        let mut lines = self.lines(hash);
        let mut inside = first_inside(hash);
        let mut left = self.functions;
        while left > 0 {
            let line = lines.next() * LINE_BITS;
            let [first, second] = pair_of(inside);
            if !visit(line + first) {
                return false;
            }
            if left > 1 && !visit(line + second) {
                return false;
            }
            left = left.saturating_sub(2);
            inside = next_inside(inside);
        }
        true
    }

    /// The lines of a hash.
    #[inline(always)]
    fn lines(&self, hash: Mixed) -> Places {
        let lines = self.bits / LINE_BITS;
        match self.functions {
            // There is one of them only.
            0..=2 => Places::new(hash, lines, Sequence::Double),
            _ => Places::new(hash, lines, Sequence::Paired),
        }
    }

    /// The probability that all bits of a new state are set, where `part` of all bits are.
    fn known(&self, part: f64) -> f64 {
        if self.sequence != Sequence::Paired {
            return part.powi(self.functions as i32);
        }
        if self.in_one_line() {
            return OneLine::known(self.functions, part);
        }
        let bits = LINE_BITS as f64;
        let (pairs, single) = (self.functions / 2, self.functions % 2);
        // How often a line was hit by two bits, and by one, follows from how many bits are set.
        let shots = -(1.0 - part).max(1e-300).ln() * bits;
        let per_pair = f64::from(pairs) / f64::from(self.functions);
        let (twos, ones) =
            (shots * per_pair, shots * f64::from(single) / f64::from(self.functions));
        // Of two bits in a line, both free: missed by all.
        let missed = (bits - 2.0) * (bits - 3.0) / (bits * (bits - 1.0));
        let both_free = (-twos * (1.0 - missed) - ones * 2.0 / bits).exp();
        let both_set = (1.0 - 2.0 * (1.0 - part) + both_free).clamp(0.0, 1.0);
        both_set.powi(pairs as i32) * part.powi(single as i32)
    }

    /// Whether a state has three or four bits in [one line](OneLine).
    #[inline]
    fn in_one_line(&self) -> bool {
        self.sequence == Sequence::Paired && matches!(self.functions, 3 | 4)
    }

    /// Puts in hashes of which [`prefetch_all`](Filter::prefetch_all) has found the lines.
    #[inline(always)]
    fn insert_in_lines<const BITS: usize>(
        &self,
        targets: &[Target],
        new: &mut Vec<u32>,
        tally: &mut Tally,
    ) {
        // Whether a state is new cannot be foreseen: nothing here depends on it but what is stored.
        let mut found = [0; TOGETHER];
        for (chunk, targets) in targets.chunks(TOGETHER).enumerate() {
            let mut count = 0;
            for (index, target) in targets.iter().enumerate() {
                let Mixed { first: line, second: inside } = target.hash();
                let fresh = self.insert_in_line::<BITS>(OneLine { line, inside });
                tally.work += fresh;
                found[count] = (chunk * TOGETHER + index) as u32;
                count += usize::from(fresh > 0);
            }
            new.extend_from_slice(&found[..count]);
        }
    }

    /// Sets the bits of a state in one line, while no other thread does it for the same state, and says
    /// how many were not set.
    #[inline(always)]
    fn insert_in_line<const BITS: usize>(&self, line: OneLine) -> u64 {
        let words = line.words(&self.memory);
        let places = line.places::<BITS>();
        let set = |(word, bit): (usize, u64)| self.set_bit(&words[word], bit);
        if self.locks.is_empty() {
            return places.map(set).iter().sum();
        }
        // Which bit is missing cannot be foreseen: it is faster to look at all than to stop.
        let missing = places
            .iter()
            .fold(0, |missing, &(word, bit)| missing | !words[word].load(Ordering::Relaxed) & bit);
        if missing == 0 {
            return 0;
        }
        while words[LOCK_WORD].fetch_or(LOCK, Ordering::Acquire) & LOCK != 0 {
            std::hint::spin_loop();
        }
        let fresh = places.map(set).iter().sum();
        words[LOCK_WORD].fetch_and(!LOCK, Ordering::Release);
        fresh
    }

    /// Sets the bits of a hash and says how many were not set.
    #[inline]
    fn set(&self, hash: Mixed) -> u64 {
        let mut fresh = 0;
        self.all(hash, |place| {
            let (word, bit) = self.word(place);
            fresh += self.set_bit(word, bit);
            true
        });
        fresh
    }

    /// Sets a bit: 1 if it was not set.
    #[inline(always)]
    fn set_bit(&self, word: &AtomicU64, bit: u64) -> u64 {
        let before = match self.locks.is_empty() {
            true => {
                let before = word.load(Ordering::Relaxed);
                word.store(before | bit, Ordering::Relaxed);
                before
            }
            false => word.fetch_or(bit, Ordering::Relaxed),
        };
        u64::from(before & bit == 0)
    }

    /// Does something while no other thread does it for the same state, which `inside` stands for.
    #[inline(always)]
    fn alone(&self, inside: u64, work: impl FnOnce() -> u64) -> u64 {
        let Some(lock) = self.locks.get(below(inside, self.locks.len() as u64) as usize) else {
            return work();
        };
        while lock.compare_exchange_weak(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            std::hint::spin_loop();
        }
        let done = work();
        lock.store(0, Ordering::Release);
        done
    }
}

impl Filter for Bitstate {
    #[inline]
    fn prefetch(&self, hash: Mixed) {
        if self.in_one_line() {
            let line = OneLine::new(hash, self.bits / LINE_BITS);
            return prefetch(self.memory.double_words(), line.line as usize * WORDS);
        }
        let paired = self.sequence == Sequence::Paired;
        let (mut places, count) = match paired {
            true => (self.lines(hash), self.functions.div_ceil(2)),
            false => (Places::new(hash, self.bits, self.sequence), self.functions),
        };
        for _ in 0..count.min(AHEAD) {
            let place = places.next();
            let word = if paired { place * WORDS as u64 } else { place / 64 };
            prefetch(self.memory.double_words(), word as usize);
        }
    }

    fn prefetch_all(&self, targets: &mut [Target]) {
        if !self.in_one_line() {
            return prefetch_each(self, targets);
        }
        let words = self.memory.double_words();
        let lines = self.bits / LINE_BITS;
        for target in targets {
            let Mixed { first, second } = target.hash();
            let line = below(first, lines);
            prefetch(words, line as usize * WORDS);
            *target = Target::hashed(target.key, Mixed { first: line, second });
        }
    }

    fn insert_all(&self, targets: &[Target], new: &mut Vec<u32>, tally: &mut Tally) -> usize {
        match self.functions {
            3 if self.in_one_line() => self.insert_in_lines::<3>(targets, new, tally),
            4 if self.in_one_line() => self.insert_in_lines::<4>(targets, new, tally),
            _ => return insert_each(self, targets, new, tally),
        }
        targets.len()
    }

    #[inline]
    fn contains(&self, hash: Mixed) -> bool {
        self.all(hash, |place| {
            let (word, bit) = self.word(place);
            word.load(Ordering::Relaxed) & bit != 0
        })
    }

    #[inline]
    fn insert(&self, hash: Mixed, tally: &mut Tally) -> Result<bool, Full> {
        if self.in_one_line() {
            let line = OneLine::new(hash, self.bits / LINE_BITS);
            let fresh = match self.functions {
                3 => self.insert_in_line::<3>(line),
                _ => self.insert_in_line::<4>(line),
            };
            tally.work += fresh;
            return Ok(fresh > 0);
        }
        if self.contains(hash) {
            return Ok(false);
        }
        // The bits of one state are set by one thread at a time: whoever sets one was the first.
        let fresh = self.alone(first_inside(hash), || self.set(hash));
        tally.work += fresh;
        Ok(fresh > 0)
    }

    fn omitted(&self, tally: &Tally) -> f64 {
        let ones = self.ones.fetch_add(tally.work, Ordering::Relaxed) + tally.work;
        let known = self.known(ones as f64 / self.bits as f64);
        // Of the states that were really new these are the ones that got through.
        tally.new as f64 * known / (1.0 - known).max(f64::MIN_POSITIVE)
    }

    fn bytes(&self) -> u64 {
        self.memory.double_words().len() as u64 * 8
    }

    fn fill(&self, _: u64) -> f64 {
        self.ones.load(Ordering::Relaxed) as f64 / self.bits as f64
    }

    fn memory(&self) -> (&Lines, Option<&AtomicU64>) {
        (&self.memory, Some(&self.ones))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lossy::odds;
    use crate::stores::mix::mix;

    fn filter(bytes: u64, functions: u32, sequence: Sequence) -> Bitstate {
        Bitstate::new(bytes, functions, sequence, 1, &Ledger::new(None)).unwrap()
    }

    /// Inserts so many keys; how many were omitted, and how many the filter believes were.
    fn omissions(filter: &Bitstate, keys: u32, seed: u64) -> (f64, f64) {
        let (mut omitted, mut believed) = (0u32, 0.0);
        for key in 0..keys {
            let mut tally = Tally::default();
            match filter.insert(mix(&[key, 5], seed), &mut tally).unwrap() {
                true => {
                    tally.new = 1;
                    believed += filter.omitted(&tally);
                }
                false => omitted += 1,
            }
        }
        (f64::from(omitted), believed)
    }

    const SEQUENCES: [Sequence; 4] =
        [Sequence::Double, Sequence::Enhanced, Sequence::Triple, Sequence::Paired];

    #[test]
    fn p8_omissions_are_those_of_the_theory() {
        for (bytes, functions, keys) in [(64 * 1024, 3, 40_000), (64 * 999, 5, 60_000)] {
            for sequence in SEQUENCES {
                let (mut measured, mut believed) = (0.0, 0.0);
                let rounds = 10;
                let mut expected = 0.0;
                for seed in 0..rounds {
                    let filter = filter(bytes, functions, sequence);
                    let (omitted, guess) = omissions(&filter, keys, seed);
                    measured += omitted;
                    believed += guess;
                    expected +=
                        odds::bitstate_omissions(filter.bits as f64, functions, f64::from(keys));
                }
                let sigma = f64::sqrt(expected);
                let off = 4.0 * sigma;
                match sequence {
                    // The price of several bits a line is not great.
                    Sequence::Paired => {
                        assert!(measured < expected * 1.2, "{measured}, {expected}")
                    }
                    _ => assert!((measured - expected).abs() < off, "{measured}, {expected}"),
                }
                assert!((believed - measured).abs() < off, "{believed}, {measured}");
            }
        }
    }

    /// Arithmetic progressions overlap: with many functions in a small table plain double hashing
    /// errs more often than triple hashing does.
    #[test]
    fn p8_double_hashing_has_a_floor() {
        let rate = |sequence| {
            let mut hits = 0u32;
            for seed in 0..30 {
                // 28,671 bits and 1000 keys: theory has one error in a million.
                let filter = filter(28_672 / 8, 21, sequence);
                omissions(&filter, 1000, seed);
                let probe = |key: u32| filter.contains(mix(&[key, 6], seed));
                hits += (0..100_000).filter(|&key| probe(key)).count() as u32;
            }
            f64::from(hits) / 3e6
        };
        let [double, enhanced, triple] =
            [Sequence::Double, Sequence::Enhanced, Sequence::Triple].map(rate);
        assert!(double > 4e-6, "{double}");
        assert!(enhanced < double && triple < double / 2.0, "{double} {enhanced} {triple}");
        assert!(triple < 4e-6, "{triple}");
    }

    #[test]
    fn places_are_below_the_bound_and_known_ones_stay_known() {
        for bytes in [64, 128, 64 * 77] {
            for sequence in SEQUENCES {
                for functions in [1, 2, 3, 17, 64] {
                    let filter = filter(bytes, functions, sequence);
                    for key in 0..20 {
                        let hash = mix(&[key], 0);
                        let mut places = 0;
                        filter.all(hash, |place| {
                            places += 1;
                            assert!(place < filter.bits);
                            true
                        });
                        assert_eq!(places, functions);
                        filter.insert(hash, &mut Tally::default()).unwrap();
                        assert!(filter.contains(hash));
                        assert_eq!(filter.insert(hash, &mut Tally::default()), Ok(false));
                    }
                }
            }
        }
    }

    /// Four bits in a line err less than three bits anywhere, as long as a table is not too full.
    #[test]
    fn four_neighbouring_bits_beat_three_scattered_ones() {
        for keys in [20_000, 40_000, 70_000] {
            let omitted = |functions, sequence| {
                let all = (0..10)
                    .map(|seed| omissions(&filter(1 << 16, functions, sequence), keys, seed).0);
                all.sum::<f64>()
            };
            let (pairs, triple) = (omitted(4, Sequence::Paired), omitted(3, Sequence::Triple));
            assert!(pairs < triple, "{keys} keys in 524,288 bits: {pairs}, {triple}");
        }
    }

    /// Each of the keys is new for exactly one of the threads, but for those omitted.
    #[test]
    fn one_thread_is_the_first() {
        let ledger = Ledger::new(None);
        let filter = Bitstate::new(1 << 20, 4, Sequence::Paired, 3, &ledger).unwrap();
        let keys = 20_000;
        let new: u64 = std::thread::scope(|scope| {
            let insert = |thread: u32| {
                let mut tally = Tally::default();
                let key = |i: u32| mix(&[(i + thread * 7) % keys], 0);
                (0..keys).filter(|&i| filter.insert(key(i), &mut tally).unwrap()).count() as u64
            };
            let threads: Vec<_> = (0..3).map(|t| scope.spawn(move || insert(t))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert!(new <= u64::from(keys) && new >= u64::from(keys) - 20, "{new}");
    }
}
