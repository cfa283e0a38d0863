//! Which dictionaries to join when a key has no bits left.

use crate::forest::{Forest, Root};
use crate::ledger::Ledger;
use crate::store::Full;

use super::Epoch;
use super::memo::{Set, mask_of_set};

/// Stored states that are looked at to choose what to join.
const SAMPLE: usize = 4096;

/// The numbers of all nodes for a key of an older forest; `false` if memory ran out.
pub(super) fn renumber(
    old: &Forest,
    new: &Forest,
    key: u64,
    numbers: &mut [u32],
    ledger: &Ledger,
) -> bool {
    for root in &old.roots {
        numbers[root.node as usize] = root.extract(key);
    }
    for node in old.nodes.len()..new.nodes.len() {
        if let Some((left, right)) = new.nodes[node].children {
            let pair = [numbers[left as usize], numbers[right as usize]];
            match intern_pair(new, node, pair, ledger) {
                Ok(number) => numbers[node] = number,
                Err(_) => return false,
            }
        }
    }
    true
}

/// The number of a pair. Two absent parts are an absent whole.
#[inline]
pub(super) fn intern_pair(
    forest: &Forest,
    node: usize,
    pair: [u32; 2],
    ledger: &Ledger,
) -> Result<u32, Full> {
    if pair == [0, 0] { Ok(0) } else { forest.nodes[node].dictionary.intern(&pair, ledger) }
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
