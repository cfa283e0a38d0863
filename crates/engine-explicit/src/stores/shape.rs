//! How a vector becomes a tree of pairs: which words and which pairs make up a pair.
//!
//! The cuts follow the components, so that a part of the vector that stays the same is a tree that
//! stays the same. A shape belongs to one list of component ends, its layout.

/// A part of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A word of the vector.
    Word(u32),
    /// Another pair.
    Pair(u32),
    /// Nothing, which is always 0.
    Constant,
}

/// First word and end of a part of the vector.
type Piece = (u32, u32);

/// Nobody's parent.
pub(crate) const NONE: u32 = u32::MAX;

/// The tree of a layout.
#[derive(Debug)]
pub(crate) struct Shape {
    /// The ends of the components.
    pub ends: Box<[u32]>,
    /// Length of the vectors.
    pub len: usize,
    /// Its number.
    pub layout: u32,
    /// The pairs, parts before wholes.
    pub pairs: Vec<[Part; 2]>,
    /// In which pair each pair is; [`NONE`] for those that make up the whole.
    pub parents: Vec<u32>,
    /// In which pair each word is.
    pub words: Vec<u32>,
    /// The first half; the second is the last pair, together with the number of the layout.
    pub first: Part,
}

impl Shape {
    /// The shape of vectors that are compared from word `carried` on.
    pub fn new(layout: u32, carried: usize, ends: &[u32]) -> Shape {
        let mut shape = Shape {
            ends: ends.into(),
            len: ends.last().map_or(carried, |&end| (end as usize).max(carried)),
            layout,
            pairs: Vec::new(),
            parents: Vec::new(),
            words: Vec::new(),
            first: Part::Constant,
        };
        shape.words = vec![NONE; shape.len];
        let mut start = carried as u32;
        let mut pieces = Vec::new();
        for &end in ends {
            if end > start {
                pieces.push((start, end));
                start = end;
            }
        }
        let (first, second) = halves(&pieces).unwrap_or((pieces, Vec::new()));
        shape.first = shape.build(&first);
        let second = match halves(&second) {
            Some((third, fourth)) => [shape.build(&third), shape.build(&fourth)],
            None => [shape.build(&second), Part::Constant],
        };
        shape.pair(second[0], second[1]);
        shape
    }

    /// The tree of some neighbouring pieces.
    fn build(&mut self, pieces: &[Piece]) -> Part {
        match halves(pieces) {
            Some((first, second)) => {
                let (first, second) = (self.build(&first), self.build(&second));
                self.pair(first, second)
            }
            None => pieces.first().map_or(Part::Constant, |&(word, _)| Part::Word(word)),
        }
    }

    fn pair(&mut self, first: Part, second: Part) -> Part {
        let number = self.pairs.len() as u32;
        self.pairs.push([first, second]);
        self.parents.push(NONE);
        for part in [first, second] {
            match part {
                Part::Word(word) => self.words[word as usize] = number,
                Part::Pair(pair) => self.parents[pair as usize] = number,
                Part::Constant => {}
            }
        }
        Part::Pair(number)
    }

    /// The words of a component.
    pub fn component(&self, index: usize, carried: usize) -> std::ops::Range<usize> {
        let end = |index: usize| self.ends.get(index).map_or(self.len, |&end| end as usize);
        let start = index.checked_sub(1).map_or(carried, end);
        start.min(end(index))..end(index)
    }
}

/// Cuts pieces into two lists, between pieces if there are several, near the middle of the words.
fn halves(pieces: &[Piece]) -> Option<(Vec<Piece>, Vec<Piece>)> {
    match *pieces {
        [] => None,
        [(start, end)] if end - start < 2 => None,
        [(start, end)] => {
            let middle = start.midpoint(end);
            Some((vec![(start, middle)], vec![(middle, end)]))
        }
        [(start, _), .., (_, end)] => {
            let middle = start.midpoint(end);
            let off = |i: usize| pieces[i].0.abs_diff(middle);
            let cut = (1..pieces.len()).min_by_key(|&i| off(i)).unwrap_or(1);
            Some((pieces[..cut].to_vec(), pieces[cut..].to_vec()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_its_place() {
        for carried in [0, 1, 3] {
            for ends in [&[][..], &[3], &[4], &[4, 5], &[4, 4, 9, 10, 30], &[33], &[3, 3, 3]] {
                let shape = Shape::new(9, carried, ends);
                let mut seen = vec![0; shape.len];
                let mut inside = vec![0; shape.pairs.len()];
                let parts = shape.pairs.iter().flatten().chain([&shape.first]);
                for part in parts {
                    match *part {
                        Part::Word(word) => seen[word as usize] += 1,
                        Part::Pair(pair) => inside[pair as usize] += 1,
                        Part::Constant => {}
                    }
                }
                assert!(seen[..carried.min(shape.len)].iter().all(|&n| n == 0), "{shape:?}");
                assert!(seen[carried..].iter().all(|&n| n == 1), "{shape:?}");
                let last = inside.len() - 1;
                assert!(inside[..last].iter().all(|&n| n == 1) && inside[last] == 0);
                for (pair, parts) in shape.pairs.iter().enumerate() {
                    let before =
                        |part: &Part| !matches!(part, Part::Pair(p) if *p as usize >= pair);
                    assert!(parts.iter().all(before), "parts come before wholes");
                }
            }
        }
    }

    #[test]
    fn cuts_follow_the_components() {
        let shape = Shape::new(0, 0, &[2, 3, 6, 8]);
        // (0 1) (2) | (3 4 5) (6 7): no pair mixes words of two components.
        let component = |word: u32| shape.ends.iter().position(|&end| word < end);
        for pair in &shape.pairs {
            if let [Part::Word(a), Part::Word(b)] = *pair {
                assert_eq!(component(a), component(b), "{shape:?}");
            }
        }
        assert_eq!(shape.component(2, 0), 3..6);
    }
}
