//! What parts of states did before, in terms of keys.
//!
//! A part of a state - a process - looks at few components, and so at few bits of the key. Where these
//! bits are those of a state met before, so are its steps, and what each of them does to the key:
//! which bits it flips. Most steps are found here without making a vector.
//!
//! What is remembered stays true while keys keep their meaning: a dictionary that gets another bit had
//! zeros there before.

use std::ops::Range;

use everypath_model::{Parts, Touched};
use rustc_hash::FxHashMap;

use crate::ledger::Ledger;
use crate::stores::forest::{COMPONENTS, Forest};

/// log2 of the entries of a head, at first and at most.
const HEAD_BITS: u32 = 7;
const LAST_HEAD_BITS: u32 = 12;
/// log2 of the entries for steps, at first and at most.
const FIRST_BITS: u32 = 8;
const LAST_BITS: u32 = 18;
/// Steps that an entry has room for.
const INLINE: usize = 2;
/// Steps of a part that are remembered, at most.
const MOST: usize = 64;
/// What parts touch is remembered for so many values of their components.
const MOST_VALUES: usize = 1 << 20;
/// Words of steps that have no room in their entries.
const POOL: usize = 1 << 20;
/// Bytes that it takes to remember what a part touches, about.
const EXTENT_BYTES: u64 = 64;
/// States after which it is judged whether this pays, and how often it is not asked then.
const TRIAL: u32 = 1 << 12;
const REST: u32 = 1 << 12;
/// How often in a row that may be in vain while there is room for more.
const PATIENCE: u32 = 8;

/// Touched words: component, first word and end.
pub(super) type Set = Box<[(u32, u32, u32)]>;

/// What a part touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// The state does not have it.
    Absent,
    /// It could be anything.
    Anything,
    /// One of the sets.
    Set(u32),
}

/// What is known of a part with certain bits in its component.
#[derive(Clone, Copy, Debug)]
struct HeadEntry {
    value: u64,
    /// The bits of the key that the part touches.
    mask: u64,
}

/// No part has all bits of a key for its component alone.
const UNKNOWN: HeadEntry = HeadEntry { value: u64::MAX, mask: 0 };

/// A part, and what it touches depending on its component.
struct Head {
    part: u32,
    salt: u64,
    component: u32,
    /// Key bits of the tree that the first piece of the component belongs to.
    mask: u64,
    entries: Box<[HeadEntry]>,
    /// 64 less log2 of the entries.
    shift: u32,
    extents: FxHashMap<u64, Extent>,
}

impl Head {
    /// Where it is known what the part touches if its component has these bits.
    #[inline]
    fn place(&self, value: u64) -> usize {
        (spread(value) >> self.shift) as usize
    }
}

/// Steps of a part whose bits have this value.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Entry {
    value: u64,
    /// What each step flips; the first one is where the others are if there are too many.
    flips: [u64; INLINE],
    /// The part and one more; 0 in an entry without use.
    part: u32,
    /// Number of steps.
    count: u32,
}

/// The count of an entry whose steps have to be looked at each time.
const SPECIAL: u32 = u32::MAX;

/// Where the memory ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// The state has to be expanded in full.
    Special,
    /// The steps of this part are not known.
    Part(usize),
}

/// A list to which little is appended at a time.
#[derive(Debug, Default)]
pub(super) struct Keys {
    list: Vec<u64>,
    len: usize,
}

impl Keys {
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.len = len;
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn as_slice(&self) -> &[u64] {
        &self.list[..self.len]
    }

    /// Makes room for the steps of so many entries.
    #[inline]
    fn make_room(&mut self, entries: usize) {
        let len = self.len + INLINE * entries + INLINE;
        if self.list.len() < len {
            self.list.resize(len.next_power_of_two().max(64), 0);
        }
    }

    /// Appends the first `count` keys. There has to be room for all.
    #[inline]
    fn put(&mut self, keys: [u64; INLINE], count: usize) {
        self.list[self.len..self.len + INLINE].copy_from_slice(&keys);
        self.len += count;
    }

    /// Appends a key.
    pub fn push(&mut self, key: u64) {
        self.make_room(1);
        self.put([key, 0], 1);
    }
}

/// The memory of one thread.
pub(super) struct Memo {
    /// In the order of steps.
    heads: Vec<Head>,
    /// Parts that no state had yet; they would come before the others.
    later: Vec<Head>,
    sets: Vec<Set>,
    numbers: FxHashMap<Set, u32>,
    masks: Vec<u64>,
    entries: Vec<Entry>,
    bits: u32,
    pool: Vec<u64>,
    /// Words of the pool and extents that the ledger has agreed to; what is forgotten keeps its place.
    pool_granted: usize,
    extents_granted: usize,
    extents: usize,
    /// The arrangement that masks are made for.
    epoch: u32,
    version: u32,
    trial: u32,
    looked: u32,
    missed: u32,
    /// Trials in a row that were of no use.
    in_vain: u32,
    /// How often it is not asked.
    rest: u32,
    /// Parts that it did not know.
    asked: u64,
    /// Whether some state has more components than parts have.
    over: bool,
    /// Parts kept since the entries became as many as they are.
    kept: u64,
}

impl Memo {
    /// Remembers nothing.
    pub fn new(parts: &Parts) -> Memo {
        let heads = parts.components.iter().enumerate().rev().map(|(part, &component)| Head {
            part: part as u32,
            salt: salt(part as u32),
            component,
            mask: 0,
            entries: vec![UNKNOWN; 1 << HEAD_BITS].into(),
            shift: 64 - HEAD_BITS,
            extents: FxHashMap::default(),
        });
        Memo {
            heads: Vec::new(),
            later: heads.collect(),
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            masks: Vec::new(),
            entries: vec![Entry::default(); 1 << FIRST_BITS],
            bits: FIRST_BITS,
            pool: Vec::new(),
            pool_granted: 0,
            extents_granted: 0,
            extents: 0,
            epoch: u32::MAX,
            version: u32::MAX,
            trial: 0,
            looked: 0,
            missed: 0,
            in_vain: 0,
            rest: 0,
            asked: 0,
            over: false,
            kept: 0,
        }
    }

    /// Number and component of the `index`th part in the order of steps.
    #[inline]
    pub fn part(&self, index: usize) -> (usize, usize) {
        let head = &self.heads[index];
        (head.part as usize, head.component as usize)
    }

    /// Whether it is of use now.
    #[inline]
    pub fn pays(&self) -> bool {
        self.rest == 0 && !self.over
    }

    /// Whether to ask it about the next states.
    #[inline]
    pub fn use_it(&mut self) -> bool {
        self.rest = self.rest.saturating_sub(1);
        self.pays()
    }

    /// Notes that the system has to be asked for a part.
    pub fn ask(&mut self) {
        self.asked += 1;
    }

    /// How often that was since this was called.
    pub fn asked(&mut self) -> u64 {
        std::mem::take(&mut self.asked)
    }

    /// Counts states that it was asked about.
    #[inline]
    pub fn count(&mut self, states: usize) {
        self.trial += states as u32;
        if self.trial >= TRIAL {
            self.judge();
        }
    }

    #[cold]
    fn judge(&mut self) {
        let useless = u64::from(self.missed) * 2 > u64::from(self.looked);
        self.in_vain = if useless { self.in_vain + 1 } else { 0 };
        // At first everything is new.
        if useless && (self.bits == LAST_BITS || self.in_vain >= PATIENCE) {
            self.rest = REST;
        }
        self.trial = 0;
        self.looked = 0;
        self.missed = 0;
    }

    /// Adjusts to an arrangement of the store. Says whether parts have other numbers now, or there are
    /// states with parts that have none.
    #[inline]
    pub fn renew(&mut self, epoch: u32, forest: &Forest) -> bool {
        self.epoch != epoch && self.adjust(epoch, forest)
    }

    #[cold]
    fn adjust(&mut self, epoch: u32, forest: &Forest) -> bool {
        let before = self.heads.len();
        if self.version != forest.version {
            self.version = forest.version;
            self.entries.fill(Entry::default());
            self.pool.clear();
            for head in &mut self.heads {
                head.extents.clear();
            }
            self.extents = 0;
        }
        self.epoch = epoch;
        while let Some(head) =
            self.later.pop_if(|head| !forest.leaves_of(head.component as usize).is_empty())
        {
            self.heads.insert(0, head);
        }
        for head in &mut self.heads {
            head.mask = mask_of(forest, (head.component, 0, 1));
            head.entries.fill(UNKNOWN);
        }
        for (mask, set) in self.masks.iter_mut().zip(&self.sets) {
            *mask = mask_of_set(forest, set);
        }
        self.over = !forest.leaves_of(COMPONENTS - 1).is_empty();
        self.over || self.heads.len() != before
    }

    /// The same for a part that was met before, though what it touches was not at hand.
    pub fn recall_known(&mut self, index: usize, key: u64, keys: &mut Keys) -> bool {
        self.extent(index, key).is_some() && self.recall_one(index, key, keys).is_ok()
    }

    /// Appends the keys that the steps of one part lead to.
    pub fn recall_one(&mut self, index: usize, key: u64, keys: &mut Keys) -> Result<(), Gap> {
        self.recall_some(index..index + 1, key, keys)
    }

    /// Appends the keys that the steps of the parts from `from` on lead to from `key`; says where it
    /// had to end.
    #[inline]
    pub fn recall(&mut self, from: usize, key: u64, keys: &mut Keys) -> Result<(), Gap> {
        self.recall_some(from..self.heads.len(), key, keys)
    }

    // By itself: what is around it would take its registers.
    #[inline(never)]
    fn recall_some(&mut self, range: Range<usize>, key: u64, keys: &mut Keys) -> Result<(), Gap> {
        let shift = 64 - self.bits;
        let heads = &self.heads[range.clone()];
        let entries = &self.entries[..];
        self.looked += heads.len() as u32;
        keys.make_room(heads.len());
        for (index, head) in heads.iter().enumerate() {
            let value = key & head.mask;
            let known = &head.entries[head.place(value)];
            let steps = key & known.mask;
            let entry = &entries[place(steps, head.salt, shift)];
            // One question instead of three.
            let same = (known.value ^ value) | (entry.value ^ steps);
            if same | u64::from(entry.part ^ (head.part + 1)) != 0 {
                self.missed += u32::from(known.value == value);
                self.looked -= (heads.len() - index) as u32 - u32::from(known.value == value);
                return Err(Gap::Part(range.start + index));
            }
            let count = entry.count as usize;
            if count <= INLINE {
                // Both, whether they count or not: that is faster than to ask.
                keys.put(entry.flips.map(|flip| key ^ flip), count);
            } else if entry.count == SPECIAL {
                return Err(Gap::Special);
            } else {
                let first = entry.flips[0] as usize;
                keys.make_room(count + heads.len());
                for flip in &self.pool[first..first + count] {
                    keys.put([key ^ flip, 0], 1);
                }
            }
        }
        Ok(())
    }

    /// Makes the memory ready for a part that it did not know, by its component in `key`: whether
    /// the state has it, `None` if that was never asked for.
    pub fn extent(&mut self, index: usize, key: u64) -> Option<bool> {
        let head = &mut self.heads[index];
        let value = key & head.mask;
        let extent = *head.extents.get(&value)?;
        let mask = match extent {
            // As a part that looks at nothing else and does nothing.
            Extent::Absent => head.mask,
            Extent::Anything => return Some(true),
            Extent::Set(set) => self.masks[set as usize],
        };
        head.entries[head.place(value)] = HeadEntry { value, mask };
        Some(extent != Extent::Absent)
    }

    /// Notes what a part touches: `None` if the state does not have it. Gives the set of that if it is
    /// one of which nothing was known.
    pub fn learn(
        &mut self,
        index: usize,
        key: u64,
        touched: Option<(bool, &[Touched])>,
        forest: &Forest,
        ledger: &Ledger,
    ) -> Option<&Set> {
        if self.extents == self.extents_granted {
            if self.extents == MOST_VALUES || !ledger.take(EXTENT_BYTES) {
                return None;
            }
            self.extents_granted += 1;
        }
        self.extents += 1;
        let sets = self.sets.len();
        let extent = match touched {
            None => Extent::Absent,
            Some((false, _)) => Extent::Anything,
            Some((true, touched)) => {
                let mut set: Vec<_> =
                    touched.iter().map(|t| (t.component, t.words.start, t.words.end)).collect();
                set.sort_unstable();
                set.dedup();
                let set: Set = set.into();
                let next = self.sets.len() as u32;
                let number = *self.numbers.entry(set.clone()).or_insert(next);
                if number == next {
                    self.masks.push(mask_of_set(forest, &set));
                    self.sets.push(set);
                }
                Extent::Set(number)
            }
        };
        let head = &mut self.heads[index];
        head.extents.insert(key & head.mask, extent);
        if head.extents.len() > head.entries.len() && head.entries.len() < 1 << LAST_HEAD_BITS {
            head.entries = vec![UNKNOWN; 2 * head.entries.len()].into();
            head.shift -= 1;
        }
        self.sets.get(sets)
    }

    /// Remembers the steps of a part from `key`; `None` if some of them have to be looked at each
    /// time.
    pub fn keep(&mut self, index: usize, key: u64, steps: Option<&[u64]>, ledger: &Ledger) {
        let head = &self.heads[index];
        let value = key & head.mask;
        let known = head.entries[head.place(value)];
        if known.value != value {
            return;
        }
        // What a step changes the part has touched.
        let strange = steps.into_iter().flatten().any(|step| (step ^ key) & !known.mask != 0);
        debug_assert!(!strange, "part {} touches more than it says", head.part);
        if strange {
            let value = key & head.mask;
            self.heads[index].extents.insert(value, Extent::Anything);
            self.heads[index].entries.fill(UNKNOWN);
            return;
        }
        let value = key & known.mask;
        let mut entry = Entry { value, part: head.part + 1, ..Entry::default() };
        match steps {
            None => entry.count = SPECIAL,
            Some(steps) if steps.len() <= INLINE => {
                entry.count = steps.len() as u32;
                for (flip, step) in entry.flips.iter_mut().zip(steps) {
                    *flip = step ^ key;
                }
            }
            Some(steps) if steps.len() <= MOST && self.has_room(steps.len(), ledger) => {
                entry.count = steps.len() as u32;
                entry.flips[0] = self.pool.len() as u64;
                self.pool.extend(steps.iter().map(|step| step ^ key));
            }
            Some(_) => return,
        }
        self.kept += 1;
        if self.kept > 1 << self.bits && self.bits < LAST_BITS {
            self.grow(ledger);
        }
        let place = place(value, salt(entry.part - 1), 64 - self.bits);
        self.entries[place] = entry;
    }

    /// Whether the pool can take so many words more.
    fn has_room(&mut self, words: usize, ledger: &Ledger) -> bool {
        let len = self.pool.len() + words;
        if len <= self.pool_granted {
            return true;
        }
        let granted = len.next_power_of_two().max(1 << 10);
        let more = (granted - self.pool_granted) * size_of::<u64>();
        if granted > POOL || !ledger.take(more as u64) {
            return false;
        }
        self.pool.reserve_exact(granted - self.pool.len());
        self.pool_granted = granted;
        true
    }

    #[cold]
    fn grow(&mut self, ledger: &Ledger) {
        self.kept = 0;
        let bits = self.bits + 1;
        let more = (size_of::<Entry>() << self.bits) as u64;
        if !ledger.take(more) {
            return;
        }
        let mut entries = vec![Entry::default(); 1 << bits];
        for entry in self.entries.iter().filter(|entry| entry.part != 0) {
            entries[place(entry.value, salt(entry.part - 1), 64 - bits)] = *entry;
        }
        self.entries = entries;
        self.bits = bits;
    }
}

#[inline]
fn spread(value: u64) -> u64 {
    value.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// What tells the values of parts apart.
fn salt(part: u32) -> u64 {
    u64::from(part) << 56
}

#[inline]
fn place(value: u64, salt: u64, shift: u32) -> usize {
    let mixed = (value ^ value >> 32 ^ salt).wrapping_mul(0xd1b5_4a32_d192_ed03);
    (mixed >> shift) as usize
}

/// The key bits of some words of a component.
fn mask_of(forest: &Forest, (component, from, to): (u32, u32, u32)) -> u64 {
    let shared = forest.shared.filter(|shared| shared.component == component);
    let mut mask = 0;
    for (part, leaf) in forest.leaves_of(component as usize).enumerate() {
        let touched = shared.is_none_or(|shared| {
            let start = part as u32 * shared.piece;
            from < start.saturating_add(shared.piece) && start < to
        });
        if touched {
            mask |= forest.tree_mask(forest.leaves[leaf].node);
        }
    }
    mask
}

pub(super) fn mask_of_set(forest: &Forest, set: &[(u32, u32, u32)]) -> u64 {
    set.iter().fold(0, |mask, &words| mask | mask_of(forest, words))
}
