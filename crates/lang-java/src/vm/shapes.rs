//! What contents refer to, and what they are with other numbers of objects. A content never changes, so it
//! is looked at once.

use rustc_hash::FxHashMap;

use super::Worker;
use crate::heap::{BASE, Place};

/// Words of all that is remembered, at most, about.
const MOST: usize = 1 << 20;

/// Contents that can be found without a table, as a power of two.
const LATELY: u32 = 12;

/// What a content belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Object,
    Thread,
    Statics,
}

/// References of contents by their numbers.
#[derive(Default)]
pub(crate) struct Shapes {
    /// The first reference, and how many there are.
    known: [FxHashMap<u32, (u32, u32)>; 3],
    /// Those that were asked for lately, with their numbers, at places that the numbers tell.
    lately: [Vec<(u32, u32, u32)>; 3],
    references: Vec<u32>,
    /// Those of the last content without a number.
    last: Vec<u32>,
    content: Vec<u32>,
    slots: Vec<u32>,
    /// The numbers of contents by their numbers before and their new references.
    renamed: FxHashMap<Box<[u32]>, u32>,
    key: Vec<u32>,
    words: usize,
}

impl Shapes {
    /// Forgets all of it if there is too much.
    pub fn tidy(&mut self) {
        if self.words > MOST {
            self.known.iter_mut().for_each(FxHashMap::clear);
            self.lately.iter_mut().for_each(Vec::clear);
            self.references.clear();
            self.renamed.clear();
            self.words = 0;
        }
    }

    /// The references to objects of the state in a content.
    #[inline]
    pub fn of(&mut self, worker: &Worker, owner: Owner, place: Place) -> &[u32] {
        let Some(number) = place.number() else {
            self.look(worker, owner, place);
            return &self.last;
        };
        let at = (number.wrapping_mul(0x9e37_79b9) >> (32 - LATELY)) as usize;
        let (start, length) = match self.lately[owner as usize].get(at) {
            Some(&(known, start, length)) if known == number => (start, length),
            _ => self.recall(worker, owner, number, at),
        };
        &self.references[start as usize..(start + length) as usize]
    }

    #[cold]
    fn recall(&mut self, worker: &Worker, owner: Owner, number: u32, at: usize) -> (u32, u32) {
        let known = match self.known[owner as usize].get(&number) {
            Some(&known) => known,
            None => {
                self.look(worker, owner, Place(number));
                let known = (self.references.len() as u32, self.last.len() as u32);
                self.references.extend_from_slice(&self.last);
                self.words += 4 + self.last.len();
                self.known[owner as usize].insert(number, known);
                known
            }
        };
        let lately = &mut self.lately[owner as usize];
        lately.resize(1 << LATELY, (0, 0, 0));
        lately[at] = (number, known.0, known.1);
        known
    }

    #[cold]
    fn look(&mut self, worker: &Worker, owner: Owner, place: Place) {
        let Shapes { content, slots, last, .. } = self;
        content.clear();
        worker.heap.read(&worker.vm.dictionary, place, content);
        worker.slots(owner, content, slots);
        last.clear();
        let references = slots.iter().map(|&slot| content[slot as usize]);
        last.extend(references.filter(|&object| object != 0 && object & BASE == 0));
    }

    /// The number that a content has with other numbers of objects, if it is known.
    pub fn renamed(
        &mut self,
        worker: &Worker,
        owner: Owner,
        number: u32,
        numbers: &[u32],
    ) -> Option<u32> {
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        key.extend([owner as u32, number]);
        let mut same = true;
        for &object in self.of(worker, owner, Place(number)) {
            let now = numbers[worker.heap.dense(object)];
            same &= now == object;
            key.push(now);
        }
        self.key = key;
        if same {
            return Some(number);
        }
        self.renamed.get(&self.key[..]).copied()
    }

    /// Remembers the answer to the last question that had none.
    pub fn remember(&mut self, number: u32) {
        self.words += 8 + self.key.len();
        self.renamed.insert(self.key.as_slice().into(), number);
    }
}
