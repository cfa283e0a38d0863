//! The smallest deterministic automaton (Hopcroft).

use std::collections::{BTreeSet, VecDeque};

use super::Fsa;

/// The same sequences with as few states as possible, those that can be reached in the order of a
/// search.
pub fn minimize(fsa: &Fsa) -> Fsa {
    let fsa = reachable(fsa);
    let states = fsa.len();
    // Who leads to a state with an event.
    let mut before: Vec<Vec<Vec<usize>>> = vec![vec![Vec::new(); states]; fsa.events.len()];
    for (state, row) in fsa.delta.iter().enumerate() {
        for (event, &target) in row.iter().enumerate() {
            before[event][target].push(state);
        }
    }
    let (accepting, others): (Vec<usize>, Vec<usize>) =
        (0..states).partition(|&state| fsa.accepting[state]);
    let mut blocks: Vec<BTreeSet<usize>> = [accepting, others]
        .into_iter()
        .filter(|block| !block.is_empty())
        .map(|block| block.into_iter().collect())
        .collect();
    let mut block_of = vec![0; states];
    for (index, block) in blocks.iter().enumerate() {
        for &state in block {
            block_of[state] = index;
        }
    }
    let mut waiting: BTreeSet<(usize, usize)> = BTreeSet::new();
    for event in 0..fsa.events.len() {
        waiting.extend((0..blocks.len()).map(|block| (block, event)));
    }
    while let Some((splitter, event)) = waiting.pop_first() {
        let mut sources: BTreeSet<usize> = BTreeSet::new();
        for &target in &blocks[splitter] {
            sources.extend(&before[event][target]);
        }
        let touched: BTreeSet<usize> = sources.iter().map(|&state| block_of[state]).collect();
        for block in touched {
            let inside: BTreeSet<usize> = blocks[block].intersection(&sources).copied().collect();
            if inside.len() == blocks[block].len() {
                continue;
            }
            let outside: BTreeSet<usize> = blocks[block].difference(&inside).copied().collect();
            // The smaller half becomes the new block, so that no state moves often.
            let (stays, moves) =
                if inside.len() <= outside.len() { (outside, inside) } else { (inside, outside) };
            let new = blocks.len();
            for &state in &moves {
                block_of[state] = new;
            }
            blocks[block] = stays;
            blocks.push(moves);
            // Where the whole block is still waiting, the other half has to wait as well; where it
            // is not, the smaller half is enough.
            for event in 0..fsa.events.len() {
                waiting.insert((new, event));
            }
        }
    }
    let first: Vec<usize> =
        blocks.iter().map(|block| block.first().copied().unwrap_or(0)).collect();
    reachable(&Fsa {
        events: fsa.events.clone(),
        delta: first
            .iter()
            .map(|&state| fsa.delta[state].iter().map(|&target| block_of[target]).collect())
            .collect(),
        start: block_of[fsa.start],
        accepting: first.iter().map(|&state| fsa.accepting[state]).collect(),
        names: first.iter().map(|&state| fsa.names[state].clone()).collect(),
    })
}

/// The states that can be reached, in the order of a breadth-first search.
fn reachable(fsa: &Fsa) -> Fsa {
    let mut place = vec![usize::MAX; fsa.len()];
    let mut order = vec![fsa.start];
    place[fsa.start] = 0;
    let mut queue = VecDeque::from([fsa.start]);
    while let Some(state) = queue.pop_front() {
        for &target in &fsa.delta[state] {
            if place[target] == usize::MAX {
                place[target] = order.len();
                order.push(target);
                queue.push_back(target);
            }
        }
    }
    Fsa {
        events: fsa.events.clone(),
        delta: order
            .iter()
            .map(|&state| fsa.delta[state].iter().map(|&target| place[target]).collect())
            .collect(),
        start: 0,
        accepting: order.iter().map(|&state| fsa.accepting[state]).collect(),
        names: order.iter().map(|&state| fsa.names[state].clone()).collect(),
    }
}
