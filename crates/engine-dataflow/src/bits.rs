//! Sets of small numbers, as rows of a table of bits.

/// A table of bits.
#[derive(Clone, Debug)]
pub struct Matrix {
    width: usize,
    words: Vec<u64>,
}

impl Matrix {
    /// So many rows for numbers below a bound.
    pub fn new(rows: usize, bound: usize) -> Matrix {
        let width = bound.div_ceil(64);
        Matrix { width, words: vec![0; rows * width] }
    }

    /// The bytes of a table with so many rows.
    pub fn bytes(rows: usize, bound: usize) -> u64 {
        rows as u64 * bound.div_ceil(64) as u64 * 8
    }

    /// A row.
    pub fn row(&self, row: u32) -> &[u64] {
        &self.words[row as usize * self.width..][..self.width]
    }

    /// A row, to change it.
    pub fn row_mut(&mut self, row: u32) -> &mut [u64] {
        &mut self.words[row as usize * self.width..][..self.width]
    }

    /// Whether a number is in a row.
    pub fn has(&self, row: u32, bit: u32) -> bool {
        has(self.row(row), bit)
    }

    /// Puts a number into a row; whether it is new there.
    pub fn set(&mut self, row: u32, bit: u32) -> bool {
        let word = &mut self.row_mut(row)[bit as usize / 64];
        let old = *word;
        *word |= 1 << (bit % 64);
        old != *word
    }
}

/// Whether a number is in a set.
pub fn has(set: &[u64], bit: u32) -> bool {
    set[bit as usize / 64] >> (bit % 64) & 1 == 1
}

/// Puts a number into a set.
pub fn put(set: &mut [u64], bit: u32) {
    set[bit as usize / 64] |= 1 << (bit % 64);
}

/// Adds a set to another.
pub fn add(to: &mut [u64], from: &[u64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to |= from);
}

/// Leaves only what is in both.
pub fn keep(to: &mut [u64], from: &[u64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to &= from);
}

/// Takes a set away from another.
pub fn take(to: &mut [u64], from: &[u64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to &= !from);
}

/// The numbers of a set.
pub fn each(set: &[u64]) -> impl Iterator<Item = u32> + '_ {
    set.iter().enumerate().flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            Some(index as u32 * 64 + bit)
        })
    })
}
