//! Where the pieces of the open state lie, and what is needed to name them.

use std::ops::Range;

use crate::stores::forest::{COMPONENTS, Forest};

/// A piece of the open state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub start: u32,
    pub end: u32,
    pub node: u32,
    /// Whether its component has other pieces, so that a step may have left this one alone.
    pub several: bool,
    /// Its bits of the key; none if it is not a root.
    pub mask: u64,
}

/// The pieces of the open state by their components.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    first: [u32; COMPONENTS + 1],
    pieces: Vec<Piece>,
}

impl Layout {
    /// Of no piece.
    pub fn new() -> Layout {
        Layout { first: [0; COMPONENTS + 1], pieces: Vec::new() }
    }

    /// Takes over an arrangement, and where its leaves begin.
    pub fn renew(&mut self, forest: &Forest, starts: &[u32]) {
        self.pieces.clear();
        for (leaf, bounds) in forest.leaves.iter().zip(starts.windows(2)) {
            self.pieces.push(Piece {
                start: bounds[0],
                end: bounds[1],
                node: leaf.node,
                several: forest.leaves_of(leaf.component as usize).len() > 1,
                mask: forest.masks[leaf.node as usize],
            });
        }
        for (component, first) in self.first.iter_mut().enumerate() {
            let leaves: Range<usize> = forest.leaves_of(component);
            *first = leaves.start.min(self.pieces.len()) as u32;
        }
    }

    /// The pieces of a component.
    #[inline]
    pub fn of(&self, component: usize) -> &[Piece] {
        &self.pieces[self.first[component] as usize..self.first[component + 1] as usize]
    }
}
