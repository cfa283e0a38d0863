//! The marks of the edges on a stack, so that those above a height are known at once.

/// A stack of sets of marks.
///
/// For each size `2^k`, the unions of the sets in full blocks of that size are kept: together as much again
/// as the sets themselves. A search by counters, one for each mark at each height, would answer the same.
#[derive(Debug, Default)]
pub(super) struct Trail {
    /// `blocks[k][i]` is the union of the `2^k` sets from `i * 2^k` on.
    blocks: Vec<Vec<u64>>,
}

impl Trail {
    /// One more.
    pub fn push(&mut self, marks: u64) {
        let mut union = marks;
        for size in 0.. {
            if self.blocks.len() == size {
                self.blocks.push(Vec::new());
            }
            let blocks = &mut self.blocks[size];
            blocks.push(union);
            match blocks.as_slice() {
                [.., left, right] if blocks.len().is_multiple_of(2) => union = left | right,
                _ => break,
            }
        }
    }

    /// The last one; none if there is none.
    pub fn pop(&mut self) -> u64 {
        let mut last = 0;
        for (size, blocks) in self.blocks.iter_mut().enumerate() {
            let even = blocks.len().is_multiple_of(2);
            let gone = blocks.pop().unwrap_or(0);
            if size == 0 {
                last = gone;
            }
            if !even {
                break;
            }
        }
        last
    }

    /// The union of all from this one on, counted from 0.
    pub fn above(&self, first: usize) -> u64 {
        let mut union = 0;
        let (mut at, mut size) = (first, 0);
        let len = self.blocks.first().map_or(0, Vec::len);
        while at < len {
            // The largest full block that begins here.
            while at.is_multiple_of(2 << size) && at + (2 << size) <= len {
                size += 1;
            }
            while at + (1 << size) > len {
                size -= 1;
            }
            union |= self.blocks[size][at >> size];
            at += 1 << size;
        }
        union
    }

    /// Bytes that it holds.
    pub fn bytes(&self) -> u64 {
        self.blocks.iter().map(|blocks| blocks.capacity() as u64 * 8).sum()
    }
}

#[cfg(test)]
mod tests {
    use everypath_model::Rng;

    use super::*;

    #[test]
    fn it_is_a_stack_with_unions() {
        let mut rng = Rng::new(1);
        let (mut trail, mut plain) = (Trail::default(), Vec::new());
        for round in 0..5_000 {
            if rng.below(100) < if round % 500 < 250 { 60 } else { 40 } {
                let marks = 1 << rng.below(64);
                trail.push(marks);
                plain.push(marks);
            } else {
                assert_eq!(trail.pop(), plain.pop().unwrap_or(0));
            }
            let first = rng.below(plain.len() + 2);
            let union = plain.iter().skip(first).fold(0, |union, marks| union | marks);
            assert_eq!(trail.above(first), union, "from {first} of {}", plain.len());
        }
    }
}
