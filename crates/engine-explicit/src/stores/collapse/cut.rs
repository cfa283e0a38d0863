//! How to cut a component of which the steps have shown nothing.

use rustc_hash::FxHashSet;

use super::{Collapse, Epoch};
use crate::stores::forest::Shared;

/// States that are looked at.
const SAMPLE: usize = 1 << 14;
/// The part of them that is looked at first, to see how fast values become more.
const FIRST: usize = 4;
/// log2 of the states that dictionaries should be small for.
const EXPECTED: f64 = 24.0;
/// Bytes of an entry besides its words.
const ENTRY: f64 = 16.0;
/// Bits of all keys together that leave some to other components.
const BITS: f64 = 54.0;
/// What a state costs at least whose key has more bits than there are: an entry for pairs.
const JOINED: f64 = 24.0;
/// Bytes a state for which no cut is better than another.
const USELESS: f64 = 32.0;
/// Numbers of pieces that are tried.
const PIECES: [u32; 10] = [1, 2, 3, 4, 5, 6, 8, 12, 16, 32];

impl Collapse<'_> {
    /// The cut of the shared component that promises the smallest dictionaries and keys, judged by the
    /// states that are stored.
    pub(super) fn best_cut(&self, now: &Epoch) -> Option<Shared> {
        let component = now.forest.shared?.component;
        let mut sample: Vec<Vec<u32>> = Vec::with_capacity(SAMPLE);
        let mut vector = vec![0; self.carried];
        let mut ends = Vec::new();
        let mut line = 0;
        while sample.len() < SAMPLE && line < now.table.plan().lines {
            now.table.for_each(line, line + 1, |key, _| {
                vector.truncate(self.carried);
                now.forest.words(key, &mut vector);
                ends.clear();
                (self.split)(&vector, &mut ends);
                let at = component as usize;
                if let Some(&end) = ends.get(at) {
                    let start = if at == 0 { self.carried } else { ends[at - 1] as usize };
                    sample.push(vector[start..end as usize].to_vec());
                }
            });
            line += 1;
        }
        let words = sample.iter().map(Vec::len).max()? as u32;
        let cuts = PIECES.iter().map(|pieces| words.div_ceil(*pieces).max(1));
        let (cost, piece) = cuts
            .map(|piece| (cost(&sample, piece as usize), piece))
            .min_by(|a, b| a.0.total_cmp(&b.0))?;
        (cost < USELESS).then_some(Shared { component, piece })
    }
}

/// Bytes a state, if there are many, with pieces of so many words.
fn cost(sample: &[Vec<u32>], piece: usize) -> f64 {
    let longest = sample.iter().map(Vec::len).max().unwrap_or(0);
    let seen = (sample.len().max(2) as f64).log2();
    let (mut entries, mut bits) = (0.0, 0.0);
    for start in (0..longest).step_by(piece) {
        let values = |states: &[Vec<u32>]| {
            let pieces = states.iter().map(|words| {
                let end = words.len().min(start + piece);
                words.get(start..end).unwrap_or(&[])
            });
            (pieces.collect::<FxHashSet<&[u32]>>().len() as f64).log2()
        };
        let (few, all) = (values(&sample[..sample.len().div_ceil(FIRST)]), values(sample));
        // How fast they become more: 1 if every state has another one, 0 if there are no more to come.
        let growth = (all - few) / (FIRST as f64).log2();
        let later = (all + growth * (EXPECTED - seen)).clamp(all, EXPECTED.max(all));
        entries += later.exp2() * (4 * piece) as f64 + ENTRY * later.exp2();
        bits += later.ceil();
    }
    let pairs = if bits > BITS { JOINED } else { 0.0 };
    entries / EXPECTED.exp2() + bits / 8.0 + pairs
}

#[cfg(test)]
mod tests {
    use super::cost;

    /// Two halves of which each has few values, all of them with all.
    #[test]
    fn a_cut_between_what_is_independent_is_cheap() {
        let states: Vec<Vec<u32>> = (0..1_u32 << 14)
            .map(|state| {
                let state = state.wrapping_mul(0x9e37_79b1) >> 18;
                let (left, right) = (state & 127, state >> 7);
                [left, left * 3, left ^ 1, right, right * 5, right ^ 2].to_vec()
            })
            .collect();
        let best = (1..=6_usize).min_by(|a, b| cost(&states, *a).total_cmp(&cost(&states, *b)));
        assert_eq!(best, Some(3));
    }

    /// Words that repeat nowhere.
    #[test]
    fn no_cut_is_cheap_where_nothing_repeats() {
        let states: Vec<Vec<u32>> =
            (0..1_u32 << 12).map(|i| (0..8_u32).map(|w| (i * 8 + w) * 77).collect()).collect();
        assert!((1..=8).all(|piece| cost(&states, piece) > super::USELESS));
    }
}
