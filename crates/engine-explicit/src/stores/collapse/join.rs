//! Which dictionaries to join when a key has no bits left.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::ledger::Ledger;
use crate::stores::dictionary::Dictionary;
use crate::stores::forest::{Forest, Root};
use crate::stores::lines::{Isa, Job, Scanner};
use crate::stores::store::Full;

use super::Epoch;
use super::memo::{Set, mask_of_set};

/// Stored states that are looked at to choose what to join.
const SAMPLE: usize = 4096;

/// log2 of the pairs of one node whose numbers are kept at hand.
const KNOWN_BITS: u32 = 13;

/// What becomes of the keys of a forest in which roots were joined.
pub(super) struct Renumbering<'a> {
    old: &'a Forest,
    ledger: &'a Ledger,
    pairs: Vec<Pair>,
    nodes: usize,
}

/// A node that joins two others.
struct Pair {
    node: usize,
    children: [usize; 2],
    dictionary: Arc<Dictionary>,
    /// Pairs that were looked up lately: 20 bits of each number and 24 of their own in one word. All
    /// keys are renumbered at once, and few pairs are in most of them.
    known: Box<[AtomicU64]>,
}

impl<'a> Renumbering<'a> {
    pub fn new(old: &'a Forest, new: &Forest, ledger: &'a Ledger) -> Renumbering<'a> {
        let added = new.nodes.iter().enumerate().skip(old.nodes.len());
        let pairs = added.filter_map(|(node, added)| {
            let (left, right) = added.children?;
            let known = (0..1 << KNOWN_BITS).map(|_| AtomicU64::new(0)).collect();
            let children = [left as usize, right as usize];
            Some(Pair { node, children, dictionary: added.dictionary.clone(), known })
        });
        Renumbering { old, ledger, pairs: pairs.collect(), nodes: new.nodes.len() }
    }

    /// Hands over the numbers of all roots, old and new, for each of some old keys.
    pub fn renumber(&self, keys: &[u64], each: impl FnMut(usize, &[u32])) -> Result<(), Full> {
        Isa::detect().run(Renumber { how: self, keys, each })
    }
}

struct Renumber<'r, 'a, E> {
    how: &'r Renumbering<'a>,
    keys: &'r [u64],
    each: E,
}

impl<E: FnMut(usize, &[u32])> Job for Renumber<'_, '_, E> {
    type Outcome = Result<(), Full>;

    #[inline(always)]
    fn run<S: Scanner>(mut self) -> Result<(), Full> {
        let mut numbers = vec![0; self.how.nodes];
        for (index, &key) in self.keys.iter().enumerate() {
            for root in &self.how.old.roots {
                // A root has its bits in the order of its number's.
                numbers[root.node as usize] = S::gather(key, root.mask) as u32;
            }
            for pair in &self.how.pairs {
                let [left, right] = pair.children.map(|child| numbers[child]);
                numbers[pair.node] = pair.number([left, right], self.how.ledger)?;
            }
            (self.each)(index, &numbers);
        }
        Ok(())
    }
}

impl Pair {
    #[inline]
    fn number(&self, pair: [u32; 2], ledger: &Ledger) -> Result<u32, Full> {
        let both = u64::from(pair[0]) << 20 | u64::from(pair[1]);
        let place = both.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - KNOWN_BITS);
        let known = &self.known[place as usize];
        let found = known.load(Ordering::Relaxed);
        // No pair of two absent parts is ever kept, so that an empty word is none that is looked for.
        if found >> 24 == both && both != 0 && pair[1] >> 20 == 0 {
            return Ok(found as u32 & 0xff_ffff);
        }
        let number = intern_pair(&self.dictionary, pair, ledger)?;
        if (pair[0] | pair[1]) >> 20 == 0 && number >> 24 == 0 && number != 0 {
            known.store(both << 24 | u64::from(number), Ordering::Relaxed);
        }
        Ok(number)
    }
}

/// The number of a pair. Two absent parts are an absent whole.
#[inline]
pub(super) fn intern_pair(
    dictionary: &Dictionary,
    pair: [u32; 2],
    ledger: &Ledger,
) -> Result<u32, Full> {
    if pair == [0, 0] { Ok(0) } else { dictionary.intern(&pair, ledger) }
}

/// Which roots to join, each pair with the numbers that roots have after the joins before it, so
/// that a dozen bits become free. Found out on some of the stored keys.
///
/// What a part does is remembered for the trees that it touches one word of. So few of the sets that parts
/// touch should have to do with one root of a pair only, for each bit that becomes free.
pub(super) fn joins(now: &Epoch, touched: &[Set]) -> Vec<(u32, u32)> {
    let forest = &now.forest;
    let sample = (24 * SAMPLE / forest.roots.len().max(1)).clamp(256, SAMPLE);
    let mut keys = Vec::with_capacity(sample);
    let lines = now.table.plan().lines;
    let mut line = 0;
    while keys.len() < sample && line < lines {
        now.table.for_each(line, line + 1, |key, _| keys.push(key));
        line += 1;
    }
    let stored = keys.len() as f64 * (lines as f64 / line.max(1) as f64);
    let scale = stored / keys.len().max(1) as f64;
    let mut columns: Vec<Vec<u32>> = forest
        .roots
        .iter()
        .map(|root| keys.iter().map(|&key| root.extract(key)).collect())
        .collect();
    let mut bits: Vec<u32> = forest.roots.iter().map(|root| root.mask.count_ones()).collect();
    let masks: Vec<u64> = touched.iter().map(|set| mask_of_set(forest, set)).collect();
    let touches = |root: &Root| masks.iter().map(|mask| mask & root.mask != 0).collect();
    let mut touches: Vec<Vec<bool>> = forest.roots.iter().map(touches).collect();
    let mut plan = Vec::new();
    while bits.iter().sum::<u32>() > 52 && bits.len() > 1 {
        let mut best: Option<(i64, i64, u64, usize, usize)> = None;
        // Of very many roots only neighbours are compared.
        let near = (512 / bits.len()).max(1);
        for left in 0..bits.len() {
            for right in left + 1..bits.len().min(left + 1 + near) {
                if bits[left] == 0 || bits[right] == 0 {
                    continue;
                }
                let mut pairs: Vec<u64> = columns[left]
                    .iter()
                    .zip(&columns[right])
                    .map(|(&l, &r)| u64::from(l) << 32 | u64::from(r))
                    .collect();
                pairs.sort_unstable();
                pairs.dedup();
                let distinct = pairs.len() as f64;
                // Pairs that keep coming anew in the sample will keep coming anew.
                let all =
                    if distinct * 4.0 > keys.len() as f64 { distinct * scale } else { distinct };
                let needed = (all * 2.0).log2().ceil().max(1.0) as i64;
                let freed = i64::from(bits[left] + bits[right]) - needed;
                let both = touches[left].iter().zip(&touches[right]);
                let harm = both.filter(|(left, right)| left != right).count() as i64;
                let price = if freed > 0 { (harm + 1) * 1000 / freed } else { i64::MAX };
                let candidate = (price, -freed, all as u64, left, right);
                if best.is_none_or(|best| candidate < best) {
                    best = Some(candidate);
                }
            }
        }
        let Some((_, freed, _, left, right)) = best else { break };
        plan.push((left as u32, right as u32));
        let joined: Vec<u32> = {
            let mut seen = std::collections::BTreeMap::new();
            let pairs = columns[left].iter().zip(&columns[right]);
            pairs
                .map(|(&l, &r)| {
                    let next = seen.len() as u32 + 1;
                    *seen.entry((l, r)).or_insert(next)
                })
                .collect()
        };
        let needed = (i64::from(bits[left] + bits[right]) + freed).max(1) as u32;
        // As `Forest::join` does: the others keep their order, the pair comes last.
        let both = touches[left].iter().zip(&touches[right]);
        let either: Vec<bool> = both.map(|(left, right)| left | right).collect();
        for index in [right, left] {
            columns.remove(index);
            bits.remove(index);
            touches.remove(index);
        }
        columns.push(joined);
        touches.push(either);
        bits.push(needed.min(32));
    }
    if plan.is_empty() {
        plan.extend(widest(forest));
    }
    plan
}

/// The two roots with the most bits.
pub(super) fn widest(forest: &Forest) -> Option<(u32, u32)> {
    let mut order: Vec<u32> = (0..forest.roots.len() as u32).collect();
    order.sort_by_key(|&root| {
        let node = forest.roots[root as usize].node as usize;
        std::cmp::Reverse(forest.nodes[node].dictionary.len())
    });
    match order[..] {
        [a, b, ..] => Some((a.min(b), a.max(b))),
        _ => None,
    }
}
