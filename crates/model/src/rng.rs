//! A small seeded random number generator: the same seed gives the same numbers for ever.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator that starts from `seed`.
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng(seed ^ 0x5851_f42d_4c95_7f2d);
        rng.next_u64();
        rng
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "an empty range has no member");
        (self.next_u64() % n as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn range(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as usize) as i32
    }

    /// True in `percent` of 100 calls.
    pub fn chance(&mut self, percent: u32) -> bool {
        (self.next_u64() % 100) < u64::from(percent)
    }

    /// One of `items`, which must not be empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// The index of a weight, chosen in proportion to it. At least one weight must be positive.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let total: u32 = weights.iter().sum();
        assert!(total > 0, "all weights are zero");
        let mut rest = (self.next_u64() % u64::from(total)) as u32;
        for (i, &w) in weights.iter().enumerate() {
            if rest < w {
                return i;
            }
            rest -= w;
        }
        unreachable!("the rest is below the sum of the weights")
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn the_numbers_of_a_seed_never_change() {
        let mut rng = Rng::new(1);
        let first: Vec<usize> = (0..8).map(|_| rng.below(1000)).collect();
        let mut again = Rng::new(1);
        assert_eq!(first, (0..8).map(|_| again.below(1000)).collect::<Vec<_>>());
        assert!((0..1000).all(|_| (2..=5).contains(&rng.range(2, 5))));
        assert!((0..1000).all(|_| rng.weighted(&[0, 3, 0]) == 1));
    }
}
