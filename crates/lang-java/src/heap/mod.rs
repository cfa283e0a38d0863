//! The memory of a state while a transition runs: objects, statics and threads, each either a number
//! of the dictionary or a copy that was written to.
//!
//! Contents of objects are `[class, monitor, hash, fields...]`, of arrays
//! `[class, monitor, hash, length, elements...]` with small elements packed. A reference is 0 for
//! null, a place of an object of the state, or [`BASE`] and the number of an object that was there before
//! the search: states know those only where they differ from what they were.
//!
//! Objects of a state are in areas: one for those that several threads can reach, one for each thread with
//! those that only it can reach, and one for those that were made since. A reference is the number
//! of the area and that of the object in it, from 1 on. So what happens to the objects of a thread does not
//! change the numbers in others.

pub(crate) mod append;
mod dictionary;
mod journal;

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use append::Append;
pub(crate) use dictionary::{Dictionary, Full};
pub(crate) use journal::{Journal, Read};

/// Marks references to objects of the base.
pub(crate) const BASE: u32 = 1 << 31;
/// Where a reference has the number of its area.
pub(crate) const AREA_SHIFT: u32 = 23;
const AREAS: usize = 256;
/// The area of objects that several threads can reach.
pub(crate) const SHARED_AREA: usize = 0;
/// The area of objects that were made since.
pub(crate) const NEW_AREA: usize = AREAS - 1;
/// The most objects of an area.
pub(crate) const MOST_OBJECTS: usize = (1 << AREA_SHIFT) - 1;

/// The reference to an object of an area.
#[inline]
pub(crate) fn reference(area: usize, number: u32) -> u32 {
    (area as u32) << AREA_SHIFT | number
}

/// The area of objects that only one thread can reach.
#[inline]
pub(crate) fn area_of(thread: usize) -> usize {
    thread + 1
}

/// Marks places in scratch memory.
const SCRATCH: u32 = 1 << 31;

/// Where contents have their parts.
pub(crate) const CLASS: u32 = 0;
pub(crate) const MONITOR: u32 = 1;
pub(crate) const HASH: u32 = 2;
/// Marks the hash of an object that only one thread can reach now, but others could earlier.
pub(crate) const PUBLISHED: u32 = 1 << 31;
pub(crate) const HEADER: u32 = 3;
pub(crate) const LENGTH: u32 = 3;
pub(crate) const ELEMENTS: u32 = 4;

/// Where a content is: in the dictionary or in scratch memory; 0 for nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Place(pub u32);

impl Place {
    pub const NONE: Place = Place(0);

    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The number in the dictionary, if it is there.
    pub fn number(self) -> Option<u32> {
        (self.0 & SCRATCH == 0).then_some(self.0)
    }
}

/// What was there before the search: objects that initialisers of the library made, literals,
/// mirrors of classes. It only grows, and its contents depend on nothing that a schedule does.
pub(crate) struct Base {
    /// The number of the content of each object.
    pub objects: Append<AtomicU32>,
    /// The number of the statics of each class, 0 if it was not initialised there.
    pub statics: Append<AtomicU32>,
    filling: Mutex<()>,
    /// How often something was added or changed.
    changes: AtomicU64,
    /// How many of these are known.
    asked: AtomicU64,
}

impl Base {
    pub fn new() -> Base {
        Base {
            objects: Append::new(),
            statics: Append::new(),
            filling: Mutex::new(()),
            changes: AtomicU64::new(0),
            asked: AtomicU64::new(0),
        }
    }

    pub fn object(&self, index: u32) -> u32 {
        self.objects.get(index as usize).map_or(0, |number| number.load(Ordering::Acquire))
    }

    pub fn static_of(&self, class: u32) -> u32 {
        self.statics.get(class as usize).map_or(0, |number| number.load(Ordering::Acquire))
    }

    /// How often what was there may have changed.
    pub fn age(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// Notes that something that was there may have changed.
    pub fn changed(&self) {
        self.changes.fetch_add(1, Ordering::Release);
    }

    /// Whether that was noted since this was asked before.
    pub fn has_changed(&self) -> bool {
        let age = self.age();
        self.asked.swap(age, Ordering::AcqRel) != age
    }

    /// Makes places for the statics of so many classes.
    pub fn fill_statics(&self, count: usize) {
        let _guard = self.filling.lock().unwrap_or_else(PoisonError::into_inner);
        while self.statics.len() < count {
            self.statics.push(AtomicU32::new(0));
        }
    }

    /// Adds an object.
    pub fn add(&self, number: u32) -> u32 {
        BASE | self.objects.push(AtomicU32::new(number)) as u32
    }
}

/// The memory of one worker.
#[derive(Default)]
pub(crate) struct Heap {
    /// Objects of the state, area by area, then those made since.
    pub objects: Vec<Place>,
    /// The reference to each.
    pub references: Vec<u32>,
    /// What to add to the number of an object in its area to get its number among all.
    starts: Vec<u32>,
    /// Whether each may be reached by more than one thread.
    pub shared: Vec<bool>,
    /// Whether all objects are treated like that.
    pub all_shared: bool,
    /// Objects of the base that differ, by number; `NONE` for those that do not.
    deviating: Vec<Place>,
    /// Which of them differ.
    pub deviations: Vec<u32>,
    /// Statics by class, of classes that the state knows.
    statics: Vec<Place>,
    /// Which classes those are.
    pub known: Vec<u32>,
    /// Copies: each with its length in front.
    scratch: Vec<u32>,
    /// Words of objects that were made since the state was taken up.
    pub made: usize,
    /// How often something was written.
    pub writes: u64,
    /// What was read and written since the state was taken up.
    pub journal: Journal,
    /// Objects are numbered by where they were made.
    pub by_sites: bool,
    /// Where and as which one each was made, if that is so.
    pub births: Vec<u32>,
}

impl Heap {
    pub fn new(all_shared: bool) -> Heap {
        // Numbers in areas begin with 1.
        Heap { all_shared, starts: vec![u32::MAX; AREAS], ..Heap::default() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.objects.clear();
        self.references.clear();
        self.shared.clear();
        self.births.clear();
        for index in self.deviations.drain(..) {
            self.deviating[index as usize] = Place::NONE;
        }
        for class in self.known.drain(..) {
            self.statics[class as usize] = Place::NONE;
        }
        self.scratch.clear();
        self.made = 0;
        self.starts[NEW_AREA] = u32::MAX;
        self.journal.clear();
    }

    /// Begins the area of objects that are made: those of the state are there.
    pub fn begin_new(&mut self) {
        self.starts[NEW_AREA] = (self.objects.len() as u32).wrapping_sub(1);
        self.journal.begin(self.objects.len(), self.deviations.len(), self.known.len());
    }

    /// References to all objects: first those that several threads can reach, then thread by thread.
    pub fn in_order(&self) -> Vec<u32> {
        let mut references = self.references.clone();
        references.sort_unstable();
        references
    }

    /// The number of an object among all.
    #[inline]
    pub fn dense(&self, reference: u32) -> usize {
        let number = reference & MOST_OBJECTS as u32;
        self.starts[(reference >> AREA_SHIFT) as usize].wrapping_add(number) as usize
    }

    /// Words of scratch memory in use.
    pub fn used(&self) -> usize {
        self.scratch.len()
    }

    /// Bytes in use, about.
    pub fn bytes(&self) -> u64 {
        4 * self.scratch.capacity() as u64 + 9 * self.objects.capacity() as u64
    }

    /// Where the content of an object is.
    #[inline]
    pub fn place(&self, base: &Base, reference: u32) -> Place {
        if reference & BASE == 0 {
            let dense = self.dense(reference);
            self.journal.read_object(dense, reference);
            self.objects[dense]
        } else {
            self.journal.read_base(reference & !BASE);
            self.peek(base, reference)
        }
    }

    /// The same without a note that it was read.
    pub fn peek(&self, base: &Base, reference: u32) -> Place {
        if reference & BASE == 0 {
            return self.objects[self.dense(reference)];
        }
        let index = reference & !BASE;
        match self.deviating.get(index as usize) {
            Some(&place) if !place.is_none() => place,
            _ => Place(base.object(index)),
        }
    }

    /// A word of a content.
    #[inline]
    pub fn word(&self, dictionary: &Dictionary, place: Place, index: u32) -> u32 {
        if place.0 & SCRATCH == 0 {
            dictionary.word(place.0, index)
        } else {
            self.scratch[((place.0 & !SCRATCH) + 1 + index) as usize]
        }
    }

    /// Appends a content.
    pub fn read(&self, dictionary: &Dictionary, place: Place, out: &mut Vec<u32>) {
        match place.number() {
            Some(number) => dictionary.read(number, out),
            None => {
                out.extend_from_slice(self.words(place));
            }
        }
    }

    /// Makes a content that may be written to.
    pub fn new_content(&mut self, content: &[u32]) -> Place {
        let start = self.scratch.len() as u32;
        self.scratch.push(content.len() as u32);
        self.scratch.extend_from_slice(content);
        Place(start | SCRATCH)
    }

    /// Makes a content of zeros that may be written to.
    fn zeros(&mut self, length: u32) -> Place {
        let start = self.scratch.len();
        self.scratch.push(length);
        self.scratch.resize(start + 1 + length as usize, 0);
        self.made += 1 + length as usize;
        Place(start as u32 | SCRATCH)
    }

    /// A copy of a content that may be written to; the content itself if it is one.
    pub fn own(&mut self, dictionary: &Dictionary, place: Place) -> Place {
        match place.number() {
            Some(number) => {
                let start = self.scratch.len() as u32;
                self.scratch.push(dictionary.length(number) as u32);
                dictionary.read(number, &mut self.scratch);
                Place(start | SCRATCH)
            }
            None => place,
        }
    }

    /// Writes a word of a content in scratch memory.
    #[inline]
    pub fn write(&mut self, place: Place, index: u32, value: u32) {
        self.writes += 1;
        self.scratch[((place.0 & !SCRATCH) + 1 + index) as usize] = value;
    }

    /// The content of an object, to be written to.
    #[inline]
    pub fn place_mut(&mut self, base: &Base, dictionary: &Dictionary, reference: u32) -> Place {
        let place = self.place(base, reference);
        if place.0 & SCRATCH != 0 {
            return place;
        }
        let own = self.own(dictionary, place);
        self.set_place(reference, own);
        own
    }

    /// Gives an object another content.
    pub fn set_place(&mut self, reference: u32, place: Place) {
        if reference & BASE == 0 {
            let dense = self.dense(reference);
            self.journal.wrote(reference, self.objects[dense]);
            self.objects[dense] = place;
            return;
        }
        let index = reference & !BASE;
        self.journal.deviates(index);
        if self.deviating.len() <= index as usize {
            self.deviating.resize(index as usize + 1, Place::NONE);
        }
        if self.deviating[index as usize].is_none() {
            self.deviations.push(index);
        }
        self.journal.wrote(reference, self.deviating[index as usize]);
        self.deviating[index as usize] = place;
    }

    /// An area of a state.
    pub fn add_area(&mut self, area: usize, numbers: &[u32]) {
        self.starts[area] = (self.objects.len() as u32).wrapping_sub(1);
        self.references.extend((1..=numbers.len() as u32).map(|number| reference(area, number)));
        self.objects.extend(numbers.iter().map(|&number| Place(number)));
        self.shared.resize(self.objects.len(), area == SHARED_AREA || self.all_shared);
    }

    /// An object that is made.
    pub fn add(&mut self, place: Place) -> u32 {
        self.objects.push(place);
        self.shared.push(self.all_shared);
        let number = (self.objects.len() as u32 - 1).wrapping_sub(self.starts[NEW_AREA]);
        let reference = reference(NEW_AREA, number);
        self.references.push(reference);
        reference
    }

    /// A new object of zeros.
    pub fn allocate(&mut self, class: u32, length: u32) -> u32 {
        let place = self.zeros(length);
        self.write(place, CLASS, class);
        self.add(place)
    }

    /// The content of the statics of a class; nowhere if it is not initialised.
    #[inline]
    pub fn statics(&self, base: &Base, class: u32) -> Place {
        self.journal.read_statics(class);
        self.peek_statics(base, class)
    }

    /// The same without a note that it was read.
    #[inline]
    pub fn peek_statics(&self, base: &Base, class: u32) -> Place {
        match self.statics.get(class as usize) {
            Some(&place) if !place.is_none() => place,
            _ => Place(base.static_of(class)),
        }
    }

    /// Gives the statics of a class another content.
    pub fn set_statics(&mut self, class: u32, place: Place) {
        if self.statics.len() <= class as usize {
            self.statics.resize(class as usize + 1, Place::NONE);
        }
        if self.statics[class as usize].is_none() {
            self.known.push(class);
        }
        self.journal.wrote_statics(class, self.statics[class as usize]);
        self.statics[class as usize] = place;
    }

    /// Marks an object as one that several threads can reach; whether it was one.
    pub fn mark_shared(&mut self, dense: usize) -> bool {
        let before = std::mem::replace(&mut self.shared[dense], true);
        if !before {
            self.journal.shared(dense);
        }
        before
    }

    /// Notes whether others could once reach an object that only one thread can reach now.
    pub fn set_published(&mut self, dictionary: &Dictionary, dense: usize, published: bool) {
        let place = self.objects[dense];
        let old = self.word(dictionary, place, HASH);
        let new = if published { old | PUBLISHED } else { old & !PUBLISHED };
        if new != old {
            let own = self.own(dictionary, place);
            if own != place {
                self.journal.wrote(self.references[dense], place);
                self.objects[dense] = own;
            }
            self.write(own, HASH, new);
        }
    }

    /// Goes back to the state that was taken up.
    pub fn undo(&mut self) {
        let Journal { objects, statics, shared, loaded, .. } = &mut self.journal;
        for (reference, place) in objects.drain(..).rev() {
            if reference & BASE == 0 {
                let number = reference & MOST_OBJECTS as u32;
                let start = self.starts[(reference >> AREA_SHIFT) as usize];
                self.objects[start.wrapping_add(number) as usize] = place;
            } else {
                self.deviating[(reference & !BASE) as usize] = place;
            }
        }
        for (class, place) in statics.drain(..).rev() {
            self.statics[class as usize] = place;
        }
        for dense in shared.drain(..) {
            self.shared[dense as usize] = false;
        }
        self.objects.truncate(loaded.objects);
        self.references.truncate(loaded.objects);
        self.births.truncate(loaded.objects);
        self.shared.truncate(loaded.objects);
        self.deviations.truncate(loaded.deviations);
        self.known.truncate(loaded.known);
        self.scratch.clear();
        self.made = 0;
    }

    /// The words of a content that may be written to.
    pub fn words(&self, place: Place) -> &[u32] {
        let start = (place.0 & !SCRATCH) as usize;
        let length = self.scratch[start] as usize;
        &self.scratch[start + 1..start + 1 + length]
    }

    /// The objects of an area of the state that was taken up, among all.
    pub fn area(&self, area: usize, length: usize) -> std::ops::Range<usize> {
        let start = self.starts[area].wrapping_add(1) as usize;
        start..start + length
    }
}
