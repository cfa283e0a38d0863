//! Bijections of the numbers below a power of two.
//!
//! A table that stores what is left of a key when its bucket is known needs keys that are spread
//! evenly and can be computed back: no two keys may become one, or states would be lost.

/// Multipliers; any odd numbers do, these mix well.
const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xd1b5_4a32_d192_ed03;
const THIRD: u64 = 0xbf58_476d_1ce4_e5b9;

/// A bijection of the numbers below 2^bits.
///
/// The low bits of a number, its base, are permuted, in a way that depends on the bits above; these stay
/// as they are and come out below the others. So when a domain becomes wider, the images of its numbers
/// only move up, and what was sorted by them still is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Permutation {
    /// The bits of the base.
    mask: u64,
    base: u32,
    shift: u32,
    /// Bits above the base.
    extra: u32,
}

impl Permutation {
    /// A bijection of the numbers of 1 to 64 bits, of which `base` are permuted.
    pub fn new(base: u32, bits: u32) -> Permutation {
        assert!((1..=bits).contains(&base) && bits <= 64);
        Permutation {
            mask: u64::MAX >> (64 - base),
            base,
            shift: (base / 2 + 1).min(63),
            extra: bits - base,
        }
    }

    /// Bits above the base.
    #[inline]
    pub fn extra(self) -> u32 {
        self.extra
    }

    /// What is above the base.
    #[inline]
    fn high(self, key: u64) -> u64 {
        key >> (self.base - 1) >> 1
    }

    /// Whether a number belongs to the domain.
    #[inline]
    pub fn contains(self, key: u64) -> bool {
        self.high(key) >> self.extra == 0
    }

    /// The permuted base of a number of the domain, and what is above it.
    #[inline]
    pub fn apart(self, key: u64) -> (u64, u64) {
        let high = self.high(key);
        let mut x = (key ^ high.wrapping_mul(THIRD)) & self.mask;
        x ^= x >> self.shift;
        x = x.wrapping_mul(FIRST) & self.mask;
        x ^= x >> self.shift;
        (x.wrapping_mul(SECOND) & self.mask, high)
    }

    /// The image of a number of the domain.
    #[inline]
    pub fn forward(self, key: u64) -> u64 {
        let (base, high) = self.apart(key);
        base << self.extra | high
    }

    /// The number whose image this is.
    #[inline]
    pub fn backward(self, image: u64) -> u64 {
        let high = image & !(u64::MAX << self.extra);
        // A shift by more than half of the bits undoes itself.
        let mut x = (image >> self.extra).wrapping_mul(const { inverse(SECOND) }) & self.mask;
        x ^= x >> self.shift;
        x = x.wrapping_mul(const { inverse(FIRST) }) & self.mask;
        x ^= x >> self.shift;
        (x ^ high.wrapping_mul(THIRD)) & self.mask | high << (self.base - 1) << 1
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
        for (bits, base) in (1..=12).flat_map(|bits| (1..=bits).map(move |base| (bits, base))) {
            let permutation = Permutation::new(base, bits);
            assert!(!permutation.contains(1 << bits));
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
        for (bits, base) in (1..=64).flat_map(|bits| (1..=bits).map(move |base| (bits, base))) {
            let permutation = Permutation::new(base, bits);
            let wider = Permutation::new(base, (bits + 7).min(64));
            let all = u64::MAX >> (64 - bits);
            for _ in 0..200 {
                x = x
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let key = (x ^ x >> 29) & all;
                let image = permutation.forward(key);
                assert!(permutation.contains(image));
                assert_eq!(permutation.backward(image), key, "{bits} {base}");
                // The order of the bases stays.
                assert_eq!(wider.apart(key), permutation.apart(key), "{bits} {base}");
            }
            assert_eq!(permutation.backward(permutation.forward(all)), all);
        }
    }
}
