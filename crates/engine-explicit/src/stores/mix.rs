//! 128 well-mixed bits of a vector, for stores that tell states apart by their hashes alone.

/// Odd numbers without a pattern.
const SECRET: [u64; 8] = [
    0x9e37_79b9_7f4a_7c15,
    0xd1b5_4a32_d192_ed03,
    0xa24b_aed4_963e_e407,
    0x8ebc_6af0_9c88_c6e3,
    0x5899_65cc_7537_4cc3,
    0xe703_7ed1_a0b4_28db,
    0x1d8e_4e27_c47d_124f,
    0xeb44_acca_b455_d165,
];
/// Words of a round.
const ROUND: usize = 8;

/// Two independent hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mixed {
    pub first: u64,
    pub second: u64,
}

/// Both halves of the product, added without carry.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Hashes `words`; other seeds give independent hashes.
#[inline]
pub(crate) fn mix(words: &[u32], seed: u64) -> Mixed {
    let mut first = seed ^ SECRET[0];
    let mut second = seed.rotate_left(32) ^ SECRET[1];
    let mut round = |words: &[u32; ROUND]| {
        let pair = |i: usize| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32;
        let (a, b, c, d) = (pair(0), pair(1), pair(2), pair(3));
        first = fold(a ^ first, b ^ SECRET[2]).wrapping_add(fold(c ^ SECRET[3], d ^ SECRET[4]));
        second = fold(b ^ second, c ^ SECRET[5]).wrapping_add(fold(d ^ SECRET[6], a ^ SECRET[7]));
    };
    let (rounds, rest) = words.as_chunks::<ROUND>();
    rounds.iter().for_each(&mut round);
    if !rest.is_empty() {
        match words.last_chunk() {
            // Some words once more: the length tells how many.
            Some(last) => round(last),
            None => round(&std::array::from_fn(|i| rest.get(i).copied().unwrap_or(0))),
        }
    }
    let len = words.len() as u64;
    let first = fold(first ^ len, SECRET[5]).wrapping_add(second);
    let second = fold(second ^ first, SECRET[3] ^ len);
    Mixed {
        first: fold(first ^ second.rotate_left(29), SECRET[7]),
        second: fold(second, SECRET[1]),
    }
}

/// Hashes one number; other seeds give independent hashes.
#[inline]
pub(crate) fn spread(number: u64, seed: u64) -> Mixed {
    let mixed = fold(number ^ SECRET[0], SECRET[2] ^ seed);
    let first = fold(mixed ^ SECRET[1], SECRET[3]);
    Mixed { first, second: fold(mixed ^ number.rotate_left(32), SECRET[4] ^ seed) }
}

/// A number below `bound` that is as even as the hash.
#[inline]
pub(crate) fn below(hash: u64, bound: u64) -> u64 {
    ((u128::from(hash) * u128::from(bound)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_bit_of_a_vector_reaches_every_bit_of_the_hash() {
        for len in [1, 2, 3, 4, 7, 8, 9, 16, 31] {
            let rounds = 400;
            let mut flips = [[0u32; 128]; 31 * 32];
            for round in 0..rounds {
                let words: Vec<u32> = (0..len)
                    .map(|i| mix(&[round, i as u32], 7).first as u32 & 0x00ff_00ff)
                    .collect();
                let before = mix(&words, 0);
                for (bit, flips) in flips[..len * 32].iter_mut().enumerate() {
                    let mut other = words.clone();
                    other[bit / 32] ^= 1 << (bit % 32);
                    let after = mix(&other, 0);
                    let change = u128::from(before.first ^ after.first)
                        | u128::from(before.second ^ after.second) << 64;
                    for (i, flip) in flips.iter_mut().enumerate() {
                        *flip += (change >> i & 1) as u32;
                    }
                }
            }
            // Half of the time, give or take six standard deviations.
            let far = 6.0 * f64::from(rounds).sqrt() / 2.0;
            for (bit, flips) in flips[..len * 32].iter().enumerate() {
                for (i, &flip) in flips.iter().enumerate() {
                    let off = (f64::from(flip) - f64::from(rounds) / 2.0).abs();
                    assert!(off < far, "{len} words: bit {bit} changes bit {i} {flip} times");
                }
            }
        }
    }

    #[test]
    fn lengths_seeds_and_halves_differ() {
        let mut seen = HashSet::new();
        for len in 0..40 {
            for seed in 0..10 {
                let Mixed { first, second } = mix(&vec![0; len], seed);
                assert!(seen.insert(first) && seen.insert(second), "{len} words, seed {seed}");
            }
        }
        assert!((0..1000).all(|i| below(mix(&[i], 0).first, 7) < 7));
    }

    /// Neighbouring counters, as states are, share 24 bits of a half as often as chance would have it.
    #[test]
    fn collisions_are_as_rare_as_by_chance() {
        let count = 1 << 16;
        for shift in [0, 20, 40] {
            for half in 0..2 {
                let mut seen = HashSet::new();
                let mut hits = 0;
                for i in 0..count {
                    let mixed = mix(&[i & 0xff, 3, 0, i >> 8, 0, 0, 1], 0);
                    let hash = if half == 0 { mixed.first } else { mixed.second };
                    hits += u32::from(!seen.insert(hash >> shift & 0xff_ffff));
                }
                let expected = f64::from(count).powi(2) / 2.0 / f64::from(1 << 24);
                let off = (f64::from(hits) - expected).abs();
                assert!(off < 5.0 * expected.sqrt(), "{hits} instead of {expected}");
            }
        }
    }
}
