//! How the components of a vector become one number of 64 bits.
//!
//! Each piece of a vector has a dictionary; the numbers of all pieces together, each in its own
//! bits, are the key of the vector. A dictionary that outgrows its bits takes the next free one, so
//! keys never have to be made again. When there is none left, two dictionaries are joined under a
//! third one, of the pairs that occur: the key is then a row of trees. Keys made before are read
//! with the forest of their time.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::ledger::Ledger;
use crate::stores::dictionary::Dictionary;
use crate::stores::store::Full;
use crate::stores::wire::{In, Out, nonsense};

/// Words of a piece of a component that is not too long.
const PIECE: usize = 8;
/// Pieces of a component, at most.
const PIECES: usize = 4;
/// Components that are told apart; the last one is all that are left. The mask of a step does not
/// tell more.
pub(crate) const COMPONENTS: usize = 64;

/// Words of the pieces into which a component of `words` words is cut. Nothing else may matter: what is
/// remembered of steps has to hold in states with more and with fewer components.
#[inline]
fn piece(words: usize) -> usize {
    if words <= PIECE * PIECES { PIECE } else { words.div_ceil(PIECES) }
}

/// Pieces of the component that most steps look at in part.
const SHARED_PIECES: u32 = 32;

/// The component that most steps look at in part, and how it is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shared {
    pub component: u32,
    /// Words of its pieces.
    pub piece: u32,
}

impl Shared {
    /// A component of so many words, cut finely.
    pub fn new(component: u32, words: u32) -> Shared {
        Shared { component, piece: words.div_ceil(SHARED_PIECES).max(1) }
    }
}

/// Takes the components that are not told apart as one.
pub(crate) fn cut(ends: &mut Vec<u32>) {
    if let (true, Some(&end)) = (ends.len() > COMPONENTS, ends.last()) {
        ends.truncate(COMPONENTS);
        ends[COMPONENTS - 1] = end;
    }
}

/// A node of the forest: a dictionary of pieces, or of pairs of the numbers of two other nodes.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub dictionary: Arc<Dictionary>,
    pub children: Option<(u32, u32)>,
    pub parent: Option<u32>,
}

/// A piece of the vector, in the order of the vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// Which component.
    pub component: u32,
    /// Which piece of it.
    pub part: u32,
    /// Its node.
    pub node: u32,
}

/// Neighbouring bits of a number, and where they are in the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    in_key: u8,
    in_number: u8,
    width: u8,
}

/// A tree, and the bits of the key that are its number.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub node: u32,
    pub mask: u64,
    bits: u32,
    runs: Vec<Run>,
}

impl Root {
    /// The number in a key.
    #[inline]
    pub fn extract(&self, key: u64) -> u32 {
        let mut number = 0;
        for run in &self.runs {
            number |= (key >> run.in_key & ((1 << run.width) - 1)) << run.in_number;
        }
        number as u32
    }

    /// The bits of a key for a number that fits.
    #[inline]
    pub fn deposit(&self, number: u32) -> u64 {
        let mut key = 0;
        for run in &self.runs {
            key |= (u64::from(number) >> run.in_number & ((1 << run.width) - 1)) << run.in_key;
        }
        key
    }

    /// Whether a number fits the bits.
    #[inline]
    pub fn fits(&self, number: u32) -> bool {
        u64::from(number) >> self.bits == 0
    }
}

/// The way from vectors to keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forest {
    /// Changes when keys change their meaning.
    pub version: u32,
    pub nodes: Vec<Node>,
    pub leaves: Vec<Leaf>,
    pub roots: Vec<Root>,
    /// For each node: its root, if it is one.
    pub root_of: Vec<Option<u32>>,
    /// For each node that is a root: its bits of the key.
    pub masks: Vec<u64>,
    /// First leaf of each component, and one more for the end.
    pub first_leaf: Vec<u32>,
    /// For each node that is one: which leaf.
    pub leaf_of: Vec<u32>,
    /// Bits of the key in use.
    pub used: u32,
    /// The component that is cut into other pieces than the rest.
    pub shared: Option<Shared>,
    /// How often it was made anew, so that nodes have other meanings.
    pub rebuilt: u32,
}

impl Forest {
    /// Adds leaves so that component `component` has at least `parts` pieces. If it always has words,
    /// `first` are some that it can have: they need no bits before there are others.
    pub fn add_leaves(
        &mut self,
        component: u32,
        parts: u32,
        first: &[&[u32]],
        ledger: &Ledger,
    ) -> Result<(), Full> {
        for part in 0..parts {
            if self.leaves.iter().any(|leaf| (leaf.component, leaf.part) == (component, part)) {
                continue;
            }
            let words = first.get(part as usize).copied().unwrap_or_default();
            let node = self.add_node(Node {
                dictionary: Arc::new(Dictionary::beginning_with(words, ledger)?),
                children: None,
                parent: None,
            });
            self.leaves.push(Leaf { component, part, node });
            self.add_root(node);
        }
        self.leaves.sort_by_key(|leaf| (leaf.component, leaf.part));
        let components = self.leaves.last().map_or(0, |leaf| leaf.component + 1);
        self.first_leaf = (0..=components)
            .map(|c| self.leaves.partition_point(|leaf| leaf.component < c) as u32)
            .collect();
        for (position, leaf) in self.leaves.iter().enumerate() {
            self.leaf_of[leaf.node as usize] = position as u32;
        }
        Ok(())
    }

    /// Words of the pieces of a component of `words` words.
    #[inline]
    pub fn piece(&self, component: usize, words: usize) -> usize {
        match self.shared {
            Some(shared) if shared.component as usize == component => shared.piece as usize,
            _ => piece(words),
        }
    }

    /// Gives the leaves for a vector with these ends of components their numbers. There have to be
    /// enough leaves.
    pub fn number(
        &self,
        vector: &[u32],
        carried: usize,
        ends: &mut Vec<u32>,
        numbers: &mut [u32],
        mut intern: impl FnMut(usize, &[u32]) -> Result<u32, Full>,
    ) -> Result<(), Full> {
        cut(ends);
        let mut start = carried;
        let mut next = 0;
        for (component, &end) in ends.iter().enumerate() {
            let end = (end as usize).max(start);
            let piece = self.piece(component, end - start);
            let pieces = vector[start..end].chunks(piece).chain(std::iter::repeat(&[][..]));
            let leaves = self.leaves_of(component);
            next = next.max(leaves.end);
            for (leaf, words) in leaves.zip(pieces) {
                let node = self.leaves[leaf].node as usize;
                numbers[node] = intern(node, words)?;
            }
            start = end;
        }
        for leaf in &self.leaves[next.min(self.leaves.len())..] {
            numbers[leaf.node as usize] = intern(leaf.node as usize, &[])?;
        }
        Ok(())
    }

    /// The leaves of a component.
    #[inline]
    pub fn leaves_of(&self, component: usize) -> std::ops::Range<usize> {
        match (self.first_leaf.get(component), self.first_leaf.get(component + 1)) {
            (Some(&start), Some(&end)) => start as usize..end as usize,
            _ => self.leaves.len()..self.leaves.len(),
        }
    }

    /// The bits of the key for the tree that a node belongs to.
    pub fn tree_mask(&self, node: u32) -> u64 {
        let mut node = node as usize;
        while let Some(parent) = self.nodes[node].parent {
            node = parent as usize;
        }
        self.masks[node]
    }

    fn add_node(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.root_of.push(None);
        self.masks.push(0);
        self.leaf_of.push(0);
        self.nodes.len() as u32 - 1
    }

    fn add_root(&mut self, node: u32) {
        self.root_of[node as usize] = Some(self.roots.len() as u32);
        self.roots.push(Root { node, mask: 0, bits: 0, runs: Vec::new() });
    }

    /// Gives the next free bit to a root; `false` if there is none.
    pub fn widen(&mut self, root: u32) -> bool {
        if self.used == 64 {
            return false;
        }
        let bit = self.used as u8;
        self.used += 1;
        let root = &mut self.roots[root as usize];
        root.mask |= 1 << bit;
        self.masks[root.node as usize] = root.mask;
        match root.runs.last_mut() {
            Some(run) if run.in_key + run.width == bit => run.width += 1,
            _ => root.runs.push(Run { in_key: bit, in_number: root.bits as u8, width: 1 }),
        }
        root.bits += 1;
        true
    }

    /// A forest in which two roots are joined, and every root has the bits it needs and one to
    /// spare, as far as there are bits.
    pub fn join(&self, left: u32, right: u32, ledger: &Ledger) -> Result<Forest, Full> {
        let mut joined = self.clone();
        joined.version += 1;
        let (left, right) = (self.roots[left as usize].node, self.roots[right as usize].node);
        let pair = joined.add_node(Node {
            dictionary: Arc::new(Dictionary::new(ledger)?),
            children: Some((left, right)),
            parent: None,
        });
        for child in [left, right] {
            joined.nodes[child as usize].parent = Some(pair);
        }
        let kept = self.roots.iter().map(|root| root.node).filter(|&n| n != left && n != right);
        let nodes: Vec<u32> = kept.chain([pair]).collect();
        joined.roots.clear();
        joined.root_of.fill(None);
        joined.masks.fill(0);
        joined.used = 0;
        for node in nodes {
            joined.add_root(node);
        }
        Ok(joined)
    }

    /// Gives every root the bits for the numbers its dictionary has; `false` if there are too few.
    pub fn fit(&mut self) -> bool {
        for root in 0..self.roots.len() {
            let node = self.roots[root].node as usize;
            let top = self.nodes[node].dictionary.len() - 1;
            while !self.roots[root].fits(top) {
                if !self.widen(root as u32) {
                    return false;
                }
            }
        }
        true
    }

    /// Writes the roots down.
    pub fn write_roots(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.list(&self.roots, |out, root| {
            out.number(u64::from(root.node))?;
            out.list(&root.runs, |out, run| {
                let Run { in_key, in_number, width } = *run;
                out.words(&[in_key.into(), in_number.into(), width.into()])
            })
        })
    }

    /// Reads roots, and what follows from them.
    pub fn read_roots(&mut self, input: &mut In<'_>) -> io::Result<()> {
        self.root_of = vec![None; self.nodes.len()];
        self.masks = vec![0; self.nodes.len()];
        self.roots = input.list(|input| {
            let node = input.small()?;
            let runs = input.list(|input| match input.words()?[..] {
                [in_key @ 0..64, in_number @ 0..64, width @ 1..=63] if in_key + width <= 64 => {
                    Ok(Run { in_key: in_key as u8, in_number: in_number as u8, width: width as u8 })
                }
                _ => Err(nonsense()),
            })?;
            let bits = runs.iter().map(|run| u32::from(run.width)).sum();
            let mask = runs.iter().fold(0, |all, r| all | ((1u64 << r.width) - 1) << r.in_key);
            Ok(Root { node, mask, bits, runs })
        })?;
        for (index, root) in self.roots.iter().enumerate() {
            let node = root.node as usize;
            *self.root_of.get_mut(node).ok_or_else(nonsense)? = Some(index as u32);
            self.masks[node] = root.mask;
        }
        Ok(())
    }

    /// Appends the words of the state with a key.
    pub fn words(&self, key: u64, vector: &mut Vec<u32>) {
        let mut numbers = vec![0; self.nodes.len()];
        for root in &self.roots {
            numbers[root.node as usize] = root.extract(key);
        }
        // Children have smaller numbers than their parents.
        for node in (0..self.nodes.len()).rev() {
            if let Some((left, right)) = self.nodes[node].children
                && let [l, r] = self.nodes[node].dictionary.get(numbers[node])
            {
                numbers[left as usize] = l.load(Ordering::Relaxed);
                numbers[right as usize] = r.load(Ordering::Relaxed);
            }
        }
        for leaf in &self.leaves {
            let words = self.nodes[leaf.node as usize].dictionary.get(numbers[leaf.node as usize]);
            vector.extend(words.iter().map(|word| word.load(Ordering::Relaxed)));
        }
    }

    /// Bytes of all dictionaries.
    pub fn bytes(&self) -> u64 {
        self.nodes.iter().map(|node| node.dictionary.bytes()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_go_to_whom_they_are_given() {
        let ledger = Ledger::new(None);
        let mut forest = Forest::default();
        forest.add_leaves(0, 1, &[], &ledger).unwrap();
        forest.add_leaves(2, 2, &[], &ledger).unwrap();
        assert_eq!(forest.first_leaf, [0, 1, 1, 3]);
        assert_eq!(forest.leaves_of(2), 1..3);
        assert_eq!(forest.leaves_of(9), 3..3);
        for root in [0, 0, 1, 0, 2, 2, 1, 0] {
            assert!(forest.widen(root));
        }
        let widths = [4, 2, 2];
        let mut all = 0;
        for (root, width) in forest.roots.iter().zip(widths) {
            assert_eq!(root.mask.count_ones(), width);
            assert_eq!(all & root.mask, 0);
            all |= root.mask;
            for number in 0..1 << width {
                assert!(root.fits(number));
                let key = root.deposit(number);
                assert_eq!(key & !root.mask, 0);
                assert_eq!(root.extract(key | !root.mask), number);
            }
            assert!(!root.fits(1 << width));
        }
        assert_eq!(all, 0xff);
    }
}
