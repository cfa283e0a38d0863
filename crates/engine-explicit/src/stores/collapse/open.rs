//! The state whose steps are being named.

use std::sync::atomic::Ordering;

use crate::ledger::Ledger;
use crate::stores::forest::Forest;
use crate::stores::store::Full;

use super::Need;
use super::join::intern_pair;

/// The open state, in pieces and as a whole.
pub(super) struct Open {
    pub key: u64,
    /// The numbers of all nodes of the forest.
    pub numbers: Vec<u32>,
    /// Where each leaf begins, and one more for the end.
    pub starts: Vec<u32>,
    pub state: Vec<u32>,
    pub carried: usize,
    /// Leaves whose numbers changed since the vector was made.
    pub dirty: Vec<u32>,
    /// Which of the forests that were made anew the numbers belong to.
    pub rebuilt: u32,
}

impl Open {
    /// Gives a node a number, and its descendants theirs; notes which leaves change.
    pub fn assign(&mut self, forest: &Forest, node: u32, number: u32) {
        if self.numbers[node as usize] == number {
            return;
        }
        self.numbers[node as usize] = number;
        match forest.nodes[node as usize].children {
            None => self.dirty.push(node),
            Some((left, right)) => {
                let pair = match forest.nodes[node as usize].dictionary.get(number) {
                    [l, r] => [l.load(Ordering::Relaxed), r.load(Ordering::Relaxed)],
                    _ => [0, 0],
                };
                self.assign(forest, left, pair[0]);
                self.assign(forest, right, pair[1]);
            }
        }
    }

    /// Takes over the numbers of a key.
    pub fn take_key(&mut self, forest: &Forest, key: u64) {
        self.starts.clear();
        self.numbers.resize(forest.nodes.len(), 0);
        for root in &forest.roots {
            self.assign(forest, root.node, root.extract(key));
        }
    }

    /// Numbers the nodes that came since the numbers were made.
    pub fn extend(&mut self, forest: &Forest, ledger: &Ledger) -> Result<(), Full> {
        for node in self.numbers.len()..forest.nodes.len() {
            let number = match forest.nodes[node].children {
                Some((left, right)) => {
                    let pair = [self.numbers[left as usize], self.numbers[right as usize]];
                    intern_pair(&forest.nodes[node].dictionary, pair, ledger)?
                }
                None => 0,
            };
            self.numbers.push(number);
        }
        Ok(())
    }

    /// Brings the vector up to date with the numbers. Says whether pieces lie elsewhere now.
    pub fn update(&mut self, forest: &Forest) -> bool {
        if self.starts.len() != forest.leaves.len() + 1 {
            self.layout(forest);
            return true;
        }
        for i in 0..self.dirty.len() {
            let node = self.dirty[i] as usize;
            let words = forest.nodes[node].dictionary.get(self.numbers[node]);
            let leaf = forest.leaf_of[node] as usize;
            let (start, end) = (self.starts[leaf] as usize, self.starts[leaf + 1] as usize);
            if words.len() != end - start {
                self.layout(forest);
                return true;
            }
            for (place, word) in self.state[start..end].iter_mut().zip(words) {
                *place = word.load(Ordering::Relaxed);
            }
        }
        self.dirty.clear();
        false
    }

    /// Makes the whole vector.
    pub fn layout(&mut self, forest: &Forest) {
        self.dirty.clear();
        self.state.truncate(self.carried);
        self.starts.clear();
        for leaf in &forest.leaves {
            self.starts.push(self.state.len() as u32);
            let node = leaf.node as usize;
            let words = forest.nodes[node].dictionary.get(self.numbers[node]);
            self.state.extend(words.iter().map(|word| word.load(Ordering::Relaxed)));
        }
        self.starts.push(self.state.len() as u32);
    }

    /// The key, or the root that has too few bits for its number.
    pub fn pack(&self, forest: &Forest) -> Result<u64, Need> {
        let mut key = 0;
        for (index, root) in forest.roots.iter().enumerate() {
            let number = self.numbers[root.node as usize];
            if !root.fits(number) {
                let root = index as u32;
                return Err(Need::Bits { version: forest.version, root, number });
            }
            key |= root.deposit(number);
        }
        Ok(key)
    }
}
