//! Bijections of the numbers below a power of two.
//!
//! A table that stores what is left of a key when its bucket is known needs keys that are spread
//! evenly and can be computed back: no two keys may become one, or states would be lost.

/// Multipliers; any odd numbers do, these mix well.
const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xd1b5_4a32_d192_ed03;

/// A bijection of the numbers below 2^bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Permutation {
    mask: u64,
    shift: u32,
}

impl Permutation {
    /// A bijection of the numbers of 1 to 64 bits.
    pub fn new(bits: u32) -> Permutation {
        assert!((1..=64).contains(&bits));
        Permutation { mask: u64::MAX >> (64 - bits), shift: (bits / 2 + 1).min(63) }
    }

    /// Whether a number belongs to the domain.
    #[inline]
    pub fn contains(self, key: u64) -> bool {
        key & !self.mask == 0
    }

    /// The image of a number of the domain.
    #[inline]
    pub fn forward(self, key: u64) -> u64 {
        let mut x = key;
        x ^= x >> self.shift;
        x = x.wrapping_mul(FIRST) & self.mask;
        x ^= x >> self.shift;
        x.wrapping_mul(SECOND) & self.mask
    }

    /// The number whose image this is.
    #[inline]
    pub fn backward(self, image: u64) -> u64 {
        // A shift by more than half of the bits undoes itself.
        let mut x = image.wrapping_mul(const { inverse(SECOND) }) & self.mask;
        x ^= x >> self.shift;
        x = x.wrapping_mul(const { inverse(FIRST) }) & self.mask;
        x ^ x >> self.shift
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
const fn inverse(odd: u64) -> u64 {
    let mut x = odd;
    let mut round = 0;
    while round < 6 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
        round += 1;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_domains_are_permuted() {
        for bits in 1..=14 {
            let permutation = Permutation::new(bits);
            let mut seen = vec![false; 1 << bits];
            for key in 0..1u64 << bits {
                let image = permutation.forward(key);
                assert!(permutation.contains(image), "{bits}");
                assert!(!std::mem::replace(&mut seen[image as usize], true), "{bits}: {key}");
                assert_eq!(permutation.backward(image), key, "{bits}");
            }
        }
    }

    #[test]
    fn every_domain_is_inverted() {
        let mut x = 1u64;
        for bits in 1..=64 {
            let permutation = Permutation::new(bits);
            for _ in 0..5000 {
                x = x
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let key = (x ^ x >> 29) & permutation.mask;
                let image = permutation.forward(key);
                assert!(permutation.contains(image));
                assert_eq!(permutation.backward(image), key, "{bits}");
            }
            assert_eq!(
                permutation.backward(permutation.forward(permutation.mask)),
                permutation.mask
            );
        }
    }
}
