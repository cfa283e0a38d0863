//! Transitions that are known: what a thread does depends on the thread, on the objects that only it
//! reaches, and on what it reads of the rest. So what it read, in the order in which it did, and what
//! became of the state are remembered as a tree of questions; in another state where all answers are the
//! same the transition need not be executed again. In tests it is, and both have to agree.

use rustc_hash::FxHashMap;

use super::Worker;
use super::cut::LARGE;
use super::delta::Effect;
use super::reach::bit;
use super::state::BOUND;
use crate::heap::Read;

/// Words that all of it may take, about.
const MOST_WORDS: usize = 1 << 23;

/// Questions about steps in which hits are counted, and those that follow without if there were few.
const TRIAL: u32 = 1 << 12;
const PAUSE: u32 = 1 << 16;

/// A transition that is known.
#[derive(Debug)]
pub(crate) struct Known {
    pub effect: Effect,
    /// The number of what the thread does.
    pub action: u32,
    /// Instructions that it takes.
    pub instructions: u64,
}

#[derive(Debug)]
enum Node {
    /// Something to be looked at.
    Ask(Read),
    Known(Box<Known>),
}

/// The transitions that one worker knows.
#[derive(Default)]
pub(crate) struct Memo {
    /// By the thread and what belongs to it.
    roots: FxHashMap<Box<[u32]>, u32>,
    nodes: Vec<Node>,
    /// By a question and its answer.
    branches: FxHashMap<(u32, u32), u32>,
    key: Vec<u32>,
    reads: Vec<Read>,
    /// What the answers stood for when they were given.
    age: (u64, u64),
    words: usize,
    asked: u32,
    hits: u32,
    pause: u32,
}

impl Memo {
    fn forget(&mut self) {
        self.roots.clear();
        self.nodes.clear();
        self.branches.clear();
        self.words = 0;
    }

    /// Whether it is worth the trouble to look for known transitions.
    fn pays(&mut self) -> bool {
        if self.pause > 0 {
            self.pause -= 1;
            return false;
        }
        self.asked += 1;
        if self.asked >= TRIAL {
            if self.hits < self.asked / 4 {
                self.pause = PAUSE;
                self.forget();
            }
            (self.asked, self.hits) = (0, 0);
        }
        true
    }
}

impl Worker {
    fn age(&self) -> (u64, u64) {
        (self.heap.journal.news, self.vm.base.age())
    }

    /// A transition of the state that was just taken up, if it is known. If it is not, what it reads
    /// is noted while it is executed.
    pub fn known_transition(&mut self, thread: usize, alternative: u32) -> Option<u32> {
        let pays = self.origin.valid
            && self.origin.state[BOUND] & bit(thread) == 0
            && !self.heap.by_sites
            && self.memo.pays();
        let own = self.own_objects(thread);
        self.heap.journal.begin_reading(own, pays);
        self.looked.set(!pays);
        if !pays {
            return None;
        }
        let age = self.age();
        let (origin, memo) = (&self.origin, &mut self.memo);
        if memo.age != age || memo.words > MOST_WORDS {
            memo.forget();
            memo.age = age;
        }
        memo.key.clear();
        // How large a state is only matters to where a long stretch is cut if it is large.
        let objects = self.heap.journal.loaded.objects;
        let large = if objects < LARGE { 0 } else { objects as u32 };
        let company = u32::from(self.alone) << 1 | u32::from(self.watches);
        memo.key.extend([thread as u32, alternative, company, large]);
        memo.key.extend_from_slice(&origin.state[..BOUND]);
        memo.key.extend_from_slice(&origin.state[origin.threads[thread].clone()]);
        let mut node = *memo.roots.get(&memo.key[..])?;
        while let Node::Ask(read) = self.memo.nodes[node as usize] {
            node = *self.memo.branches.get(&(node, self.answer(read)))?;
        }
        self.memo.hits += 1;
        Some(node)
    }

    /// What is known of a transition that was found.
    pub fn known(&self, node: u32) -> Option<&Known> {
        match self.memo.nodes.get(node as usize) {
            Some(Node::Known(known)) => Some(known),
            _ => None,
        }
    }

    /// The number of the content that something has.
    fn answer(&self, read: Read) -> u32 {
        match read {
            Read::Object(reference) => self.heap.peek(&self.vm.base, reference).0,
            Read::Statics(class) => self.heap.peek_statics(&self.vm.base, class).0,
        }
    }

    /// Keeps the notes about what a transition read.
    pub fn take_reads(&mut self) {
        self.memo.reads.clear();
        self.memo.reads.extend_from_slice(&self.heap.journal.reads());
    }

    /// Remembers the transition that was just executed and undone; `changes` tells whether its effect was found.
    pub fn learn(&mut self, changes: bool, action: u32, instructions: u64) {
        if !changes || self.looked.get() || self.memo.age != self.age() {
            return;
        }
        let mut memo = std::mem::take(&mut self.memo);
        let Memo { roots, nodes, branches, key, reads, words, .. } = &mut memo;
        let next = nodes.len() as u32;
        let mut node = *roots.entry(key.as_slice().into()).or_insert(next);
        for &read in reads.iter() {
            match nodes.get(node as usize) {
                None => nodes.push(Node::Ask(read)),
                Some(Node::Ask(known)) if *known == read => {}
                // The same answers lead to the same question.
                known => {
                    debug_assert!(false, "another question: {:?} instead of {known:?}", read);
                    self.memo = memo;
                    return;
                }
            }
            let next = nodes.len() as u32;
            node = *branches.entry((node, self.answer(read))).or_insert(next);
        }
        if node as usize == nodes.len() {
            let effect = self.effect.clone();
            *words += 64 + key.len() + 16 * reads.len() + effect.words();
            nodes.push(Node::Known(Box::new(Known { effect, action, instructions })));
        }
        self.memo = memo;
    }
}
