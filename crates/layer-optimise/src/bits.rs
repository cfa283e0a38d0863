//! Sets of small numbers.

/// A set of numbers below a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub fn new(bound: usize) -> Bits {
        Bits(vec![0; bound.div_ceil(64)])
    }

    /// All numbers below the bound.
    pub fn full(bound: usize) -> Bits {
        let mut all = Bits::new(bound);
        (0..bound).for_each(|i| all.insert(i));
        all
    }

    pub fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    pub fn remove(&mut self, i: usize) {
        self.0[i / 64] &= !(1 << (i % 64));
    }

    pub fn contains(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Adds the members of another set; whether there were new ones.
    pub fn join(&mut self, other: &Bits) -> bool {
        let mut new = 0;
        for (mine, more) in self.0.iter_mut().zip(&other.0) {
            new |= more & !*mine;
            *mine |= more;
        }
        new != 0
    }

    pub fn subtract(&mut self, other: &Bits) {
        for (mine, less) in self.0.iter_mut().zip(&other.0) {
            *mine &= !less;
        }
    }

    pub fn intersect(&mut self, other: &Bits) {
        for (mine, also) in self.0.iter_mut().zip(&other.0) {
            *mine &= also;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|&i| self.contains(i))
    }
}
